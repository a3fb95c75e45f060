"""What the tests of the index share: texts, a dump without row numbers, other processes."""

from __future__ import annotations

import json
import os
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path

from daybank import FixedClock, Workspace, open_workspace
from daybank.library import RecallAnswer

CORE = Path(__file__).parents[3] / "core"
NOON = FixedClock(datetime(2026, 11, 26, 12, tzinfo=UTC))

DAY = """# 2025-11-27

Walked along the river with @Mara.

## Retain

- W @Peter: Currently in Marrakech (Nov 27–Dec 1, 2025) for the birthday.
- O(c=0.9) @Peter: Prefers concise replies on WhatsApp.
"""
BAKERY = (
    "# 2025-11-28\n\n- The bakery opens at seven.\n\n## Retain\n\n- B @Mara: Works at the bakery.\n"
)

_TABLES = {
    "file": "SELECT path, role, title, day, hex(sha256), passages FROM file",
    "passage": (
        "SELECT f.path, {columns}, t.words, t.stems, t.context"
        " FROM passage p JOIN file f ON f.id = p.file_id JOIN passage_fts t ON t.rowid = p.id"
    ),
    "mention": (
        "SELECT m.key, m.day, m.name, f.path, p.line_start, p.uid FROM mention m"
        " JOIN passage p ON p.id = m.passage_id JOIN file f ON f.id = p.file_id"
    ),
    "entity_page": (
        "SELECT f.path, e.key, e.title, e.type FROM entity_page e JOIN file f ON f.id = e.file_id"
    ),
    "alias": "SELECT f.path, a.key, a.name FROM alias a JOIN file f ON f.id = a.file_id",
    "lint": (
        "SELECT l.path, l.line, l.code, l.message, COALESCE(f.path, '') FROM lint l"
        " LEFT JOIN file f ON f.id = l.file_id"
    ),
    "vocabulary": "SELECT term, col, doc, cnt FROM vocabulary",
}
_ALONE = ("passage", "mention", "entity_page", "alias", "passage_fts")


def dump(index: Path) -> dict[str, list[tuple[object, ...]]]:
    """Everything the index says, with paths in the place of row numbers."""
    connection = sqlite3.connect(index)
    try:
        every = [row[1] for row in connection.execute("PRAGMA table_info(passage)")]
        columns = ", ".join(f"p.{name}" for name in every if name not in ("id", "file_id"))
        found = {
            table: sorted(connection.execute(query.format(columns=columns)).fetchall(), key=repr)
            for table, query in _TABLES.items()
        }
        for table in _ALONE:  # a row without its file or passage would be missing above
            count = connection.execute(f"SELECT COUNT(*) FROM {table}").fetchone()[0]
            found[f"rows of {table}"] = [(count,)]
        return found
    finally:
        connection.close()


def answers(workspace: Workspace, queries: Sequence[str]) -> str:
    """What is recalled for ``queries``, as the JSON of the command line."""
    return json.dumps([workspace.recall(query).to_json() for query in queries], indent=1)


def assert_equals_rebuild(workspace: Workspace, elsewhere: Path, queries: Sequence[str]) -> None:
    """The index says the same as one that is made from the files alone."""
    with open_workspace(workspace.path, clock=NOON, index_dir=elsewhere) as clean:
        clean.sync()
        assert dump(workspace.index_path) == dump(clean.index_path)
        assert answers(workspace, queries) == answers(clean, queries)


def paths(answer: RecallAnswer) -> list[str]:
    return [result.source.path for result in answer.results]


def contents(answer: RecallAnswer) -> list[str]:
    return [result.content for result in answer.results]


def tree(root: Path) -> dict[str, tuple[bytes, int, int]]:
    """Every file of the person's with its bytes, mode and modification time."""
    return {
        str(place.relative_to(root)): (
            place.read_bytes(),
            place.stat().st_mode,
            place.stat().st_mtime_ns,
        )
        for place in sorted(root.rglob("*"))
        if place.is_file() and ".memory" not in place.parts
    }


def environment(**more: str) -> dict[str, str]:
    """The variables of a process that knows nothing of the person's own settings."""
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("DAYBANK", "OPENCLAW"))}
    return {**kept, "PYTHONPATH": str(CORE), "PYTHONUTF8": "1", **more}


def start_python(code: str, *arguments: object) -> subprocess.Popen[str]:
    """Another process that runs ``code``."""
    return subprocess.Popen(
        [sys.executable, "-c", code, *map(str, arguments)],
        env=environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def finish(process: subprocess.Popen[str], seconds: float = 60) -> str:
    """Wait for a process to end well; what it printed."""
    out, err = process.communicate(timeout=seconds)
    assert process.returncode == 0, err
    assert err == ""
    return out


def kill(process: subprocess.Popen[str]) -> None:
    """``kill -9``."""
    process.send_signal(signal.SIGKILL)
    process.communicate(timeout=30)


def wait_for(condition: Callable[[], bool], seconds: float = 20.0) -> None:
    """Wait until something is so."""
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "it did not come to this in time"
        time.sleep(0.01)
