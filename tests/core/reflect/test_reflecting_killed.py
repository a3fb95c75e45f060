"""A reflection that is killed at whatever moment: the next one is whole, and nothing is left."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from core_tools import NOON, MakeWorkspace

from daybank import Workspace, open_workspace

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="no SIGKILL there")

PEOPLE = ("Mara", "Jun", "Peter", "Ines")
KILLS = 10

_REFLECT = """
import sys
from datetime import UTC, datetime
from daybank import FixedClock, open_workspace
clock = FixedClock(datetime(2026, 11, 26, 12, tzinfo=UTC))
with open_workspace(sys.argv[1], clock=clock) as ws:
    ws.sync()
    import daybank.reflect.run
    print("ready", flush=True)
    ws.reflect()
"""


def notes() -> dict[str, str]:
    """Forty days about four people, with pages and opinions of their own."""
    files = {
        "bank/opinions.md": "# Opinions\n",
        "bank/world.md": "# World\n",
        "memory.md": "# Me\n",
    }
    for number in range(40):
        who, other = PEOPLE[number % 4], PEOPLE[(number + 1) % 4]
        day = f"2026-{9 + number // 28:02}-{number % 28 + 1:02}"
        files[f"memory/{day}.md"] = (
            f"# {day}\n\n- {who} came by with {number} loaves.\n\n## Retain\n\n"
            f"- W @{who}: Keeps {number} boxes in the cellar.\n"
            f"- O(c=0.7) @{other}: Prefers tea in the morning.\n"
            f"- B @{who} @{other}: Painted door number {number}.\n"
        )
    for name in PEOPLE:
        files[f"bank/entities/{name}.md"] = f"# {name}\n\nA sample person.\n"
    return files


def outcome(workspace: Workspace) -> object:
    """What a run comes to, but for the names that are drawn by lot."""
    folder = workspace.path / ".memory/reflection"
    state = json.loads((folder / "state.json").read_text())
    found = [(p.target, p.hunks, p.base_sha256, p.phase, p.state) for p in workspace.proposals()]
    return sorted(found, key=repr), (folder / "seen.txt").read_bytes(), state


def persons_files(root: Path) -> dict[str, bytes]:
    return {
        path.relative_to(root).as_posix(): path.read_bytes()
        for path in root.rglob("*")
        if path.is_file() and ".memory" not in path.parts
    }


def kill_after(root: Path, seconds: float) -> int:
    """Let another program reflect, and kill it so many seconds after it began; how it ended."""
    process = subprocess.Popen(
        [sys.executable, "-c", _REFLECT, str(root)],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n", process.communicate()
    time.sleep(seconds)
    process.kill()
    process.communicate(timeout=60)
    return process.returncode


def test_ten_kills_at_any_moment_leave_what_the_next_run_makes_whole(
    make_workspace: MakeWorkspace, tmp_path: Path
) -> None:
    peaceful = make_workspace(notes(), name="peaceful")
    began = time.monotonic()
    peaceful.reflect()
    takes = time.monotonic() - began
    with make_workspace(notes(), name="killed") as workspace:
        root = workspace.path
    before = persons_files(root)
    dice = random.Random(7)
    ended = [kill_after(root, dice.uniform(0, takes)) for _ in range(KILLS)]
    assert ended.count(-signal.SIGKILL) >= KILLS // 2, "they were killed, not through already"
    assert persons_files(root) == before
    with open_workspace(root, clock=NOON) as again:
        again.reflect()
        assert outcome(again) == outcome(peaceful)
        assert {p.target for p in again.proposals()}
        assert again._reflection.proposals.unreadable() == ()
        with open_workspace(root, clock=NOON, index_dir=tmp_path / "clean") as clean:
            clean.sync()
            for question in ("Mara", "boxes", "tea in the morning", "door"):
                assert again.recall(question).to_json() == clean.recall(question).to_json()
        assert again.reflect().nothing_new
    left = [path.name for path in root.rglob("*") if "writing-" in path.name]
    assert left == []
    assert os.listdir(root / ".memory" / "reflection" / "runs")
