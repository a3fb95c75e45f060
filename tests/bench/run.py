"""Speed and memory on a generated workspace, as ratios measured side by side in one run.

    python3 packaging/start.py bench                    # 100,000 passages in 3,650 files
    python3 packaging/start.py bench --passages 20000 --files 730
    python3 packaging/start.py bench --eval DIR         # and recall quality, where the data is

Every part runs in a process of its own, so that memory is its own too. A ratio above 1 in the last
column means that the target is met with that much room.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import resource
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

HERE = Path(__file__).parent
ROOT = HERE.parent.parent
sys.path.insert(0, str(HERE))

from generate import Writer, generate  # noqa: E402 (scripts beside this one)
from stand_in import stand_in  # noqa: E402

if TYPE_CHECKING:
    from daybank import Workspace

NOON = datetime(2026, 11, 27, 12, tzinfo=UTC)
QUESTIONS = 300


def rebuild(workspace: Path) -> dict[str, float]:
    """Index from nothing, against the same rows written plainly into an FTS5 table."""
    from daybank import open_workspace

    with open_workspace(workspace) as ws:
        report = ws.sync(rebuild=True)
        again = ws.sync(rebuild=True)
        size = ws.index_path.stat().st_size
        seconds = min(report.seconds, again.seconds)
        texts = _contents(ws.index_path)
    with tempfile.TemporaryDirectory() as temp:
        started = time.perf_counter()
        _plain_table(Path(temp) / "plain.sqlite", texts).close()
        plain = time.perf_counter() - started
    return {
        "passages": report.passages,
        "passages a second": report.passages / seconds,
        "times the plain insert": seconds / plain,
        "index MB": size / 1e6,
        "peak MB": _peak_mb(),
    }


def edit(workspace: Path) -> dict[str, float]:
    """One edited file: from the start of the sync until a search finds the new word."""
    from daybank import open_workspace

    path = sorted((workspace / "memory").glob("*.md"))[-100]
    before = path.read_bytes()
    times, idle = [], []
    with open_workspace(workspace) as ws:
        ws.sync()
        time.sleep(2.5)  # let the time stamps of the last sync grow old enough to be trusted
        ws.sync()
        try:
            for number in range(7):
                started = time.perf_counter()
                ws.sync()
                idle.append(time.perf_counter() - started)
                word = f"zanzibar{number}x"
                path.write_bytes(before + f"- The {word} was here.\n".encode())
                started = time.perf_counter()
                ws.sync()
                assert ws.recall(word).results, "the edit was not found"
                times.append(time.perf_counter() - started)
        finally:
            path.write_bytes(before)
            ws.sync()
    return {
        "edit to found ms": 1000 * statistics.median(times),
        "nothing changed ms": 1000 * statistics.median(idle),
        "peak MB": _peak_mb(),
    }


def query(workspace: Path) -> dict[str, float]:
    """Questions of one to six words, against plain FTS5: OR of the same words, best by bm25."""
    from daybank import FixedClock, open_workspace

    with open_workspace(workspace, clock=FixedClock(NOON)) as ws:
        ws.sync()
        return _asked(ws, semantic=False)


def hybrid(workspace: Path) -> dict[str, float]:
    """The same questions by words and meaning: over stand-in vectors, with the real model for the
    question."""
    from daybank import FixedClock, open_workspace

    with open_workspace(workspace, clock=FixedClock(NOON)) as ws:
        ws.sync()
        index = ws.index_path
    embedder = stand_in(index)
    with open_workspace(workspace, clock=FixedClock(NOON), choose_embedder=lambda: embedder) as ws:
        ws.embed()
        return _asked(ws, semantic=True)


def _asked(ws: Workspace, *, semantic: bool) -> dict[str, float]:
    """Every question to Daybank and to plain FTS5 over the same texts, in turn."""
    writer = Writer(7)
    writer.rng = random.Random(3)
    asked = [
        " ".join(writer.word() for _ in range(writer.rng.randint(1, 6))) for _ in range(QUESTIONS)
    ]
    ours, plain = [], []
    ws.recall("warm up", semantic=semantic)
    resident = _peak_mb()
    table = _plain_table(None, _contents(ws.index_path))
    for text in asked:
        started = time.perf_counter()
        ws.recall(f"{text} ", k=10, semantic=semantic)
        ours.append(time.perf_counter() - started)
        match = " OR ".join(f'"{word}"' for word in text.split())
        started = time.perf_counter()
        table.execute(
            "SELECT rowid FROM plain WHERE plain MATCH ? ORDER BY bm25(plain) LIMIT 10", (match,)
        ).fetchall()
        plain.append(time.perf_counter() - started)
    table.close()
    return {
        "ours p50 ms": _percentile(ours, 50),
        "ours p95 ms": _percentile(ours, 95),
        "plain p50 ms": _percentile(plain, 50),
        "plain p95 ms": _percentile(plain, 95),
        "p95 of plain": _percentile(ours, 95) / _percentile(plain, 95),
        "resident MB": resident,
    }


def window(workspace: Path) -> dict[str, float]:
    """From the end of the imports to the first painted window with an answered question."""
    del workspace
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    with tempfile.TemporaryDirectory() as temp:
        os.environ.update({"XDG_CONFIG_HOME": temp, "XDG_CACHE_HOME": temp, "XDG_STATE_HOME": temp})
        from first_window import measure

        return {**measure(Path(temp)), "resident MB": _peak_mb()}


def _contents(index: Path) -> list[tuple[int, str]]:
    connection = sqlite3.connect(index)
    rows = connection.execute("SELECT id, content FROM passage ORDER BY id").fetchall()
    connection.close()
    return rows


def _plain_table(path: Path | None, rows: list[tuple[int, str]]) -> sqlite3.Connection:
    connection = sqlite3.connect(path or ":memory:")
    connection.execute(
        "CREATE VIRTUAL TABLE plain USING fts5("
        "text, tokenize='porter unicode61 remove_diacritics 2')"
    )
    connection.executemany("INSERT INTO plain(rowid, text) VALUES (?, ?)", rows)
    connection.commit()
    return connection


def _percentile(seconds: list[float], percent: int) -> float:
    ordered = sorted(seconds)
    return 1000 * ordered[min(len(ordered) - 1, len(ordered) * percent // 100)]


def _peak_mb() -> float:
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / (1e6 if sys.platform == "darwin" else 1e3)


PARTS: dict[str, Callable[[Path], dict[str, float]]] = {
    "rebuild": rebuild,
    "edit": edit,
    "query": query,
    "hybrid": hybrid,
    "window": window,
}
# part, figure, target, and whether more is better
TARGETS = (
    ("rebuild", "passages a second", 4000.0, True),
    ("rebuild", "peak MB", 250.0, False),
    ("edit", "edit to found ms", 150.0, False),
    ("edit", "peak MB", 250.0, False),
    ("query", "p95 of plain", 0.25, False),
    ("hybrid", "p95 of plain", 0.5, False),
    ("query", "resident MB", 250.0, False),
    ("window", "first window s", 1.5, False),
    ("window", "resident MB", 250.0, False),
)


def _run_part(part: str, workspace: Path) -> dict[str, float]:
    command = [sys.executable, __file__, "--part", part, str(workspace)]
    done = subprocess.run(command, check=True, capture_output=True, text=True, cwd=ROOT)
    figures: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    return figures


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--passages", type=int, default=100_000)
    parser.add_argument("--files", type=int, default=3650)
    parser.add_argument("--eval", type=Path, help="the folder of the retrieval benchmark")
    parser.add_argument("--part", nargs=2, metavar=("PART", "WORKSPACE"), help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.part:
        part, workspace = arguments.part
        print(json.dumps(PARTS[part](Path(workspace))))
        return 0
    figures: dict[str, dict[str, float]] = {}
    with tempfile.TemporaryDirectory() as temp:
        workspace = Path(temp) / "notes"
        generate(workspace, files=arguments.files, passages=arguments.passages)
        for part in PARTS:
            figures[part] = _run_part(part, workspace)
            for name, value in figures[part].items():
                print(f"{part:9} {name:24} {value:12.3f}", flush=True)
    print()
    print(f"{'part':9} {'figure':20} {'measured':>10} {'target':>10} {'room':>6}")
    for part, name, target, more in TARGETS:
        value = figures[part][name]
        room = value / target if more else target / value
        print(f"{part:9} {name:20} {value:10.2f} {target:10.2f} {room:6.2f}")
    if arguments.eval:
        from recall_quality import measure as measure_recall

        print()
        for name, value in measure_recall(arguments.eval).items():
            print(f"recall    {name:20} {value:10.3f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
