"""Days and nights of one folder, each command a process of its own, as a timer or an agent runs
them: what is new is looked at once, nothing is rewritten, and a disk that takes no more loses
nothing."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from datetime import datetime
from pathlib import Path

import pytest
from core_tools import write_files

CORE = Path(__file__).parents[2] / "core"
resource = pytest.importorskip("resource", reason="Windows bounds no process so")
MINE = [f"- Line {n} that I wrote myself." for n in range(20)]
FILES = {
    "memory/2026-05-01.md": "\n".join(["# 2026-05-01", "", *MINE, "", "A last thought.", ""]),
    "memory/2026-05-02.md": "## Retain\n\n- W @Mara: Keeps twelve boxes in the cellar.\n",
    "memory/2026-05-03.md": "## Retain\n\n- O(c=0.7) @Jun: Prefers tea in the morning.\n",
    "bank/world.md": "# World\n\n- W @Mara: Keeps twelve boxes in the cellar.\n",
    "SOUL.md": "# Soul\r\n\r\nBe kind.",
    "USER.md": "# User\n",
    "logs/chat.jsonl": '{"ts":"2026-05-01T10:00:00Z","direction":"in","user_id":1,"text":"hi"}\n',
}
MUST_STAY = ("memory/", "SOUL.md", "USER.md", "logs/")

Command = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def notes(tmp_path: Path) -> Path:
    root = tmp_path / "notes"
    root.mkdir()
    write_files(root, FILES)
    return root


@pytest.fixture
def command(notes: Path, tmp_path: Path) -> Command:
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("DAYBANK", "OPENCLAW", "XDG"))}

    def run(*words: str, largest: int | None = None) -> subprocess.CompletedProcess[str]:
        """``largest`` bounds every file, as a full disk does."""

        def bound() -> None:
            if largest is not None:
                resource.setrlimit(resource.RLIMIT_FSIZE, (largest, largest))

        at = 2 if words[0] == "review" else 1
        return subprocess.run(
            [sys.executable, "-m", "daybank", *words[:at], "--workspace", str(notes), *words[at:]],
            env={**kept, "PYTHONPATH": str(CORE), "PYTHONUTF8": "1", "HOME": str(tmp_path)},
            capture_output=True,
            text=True,
            encoding="utf-8",
            check=False,
            timeout=120,
            preexec_fn=bound,
        )

    return run


def files(root: Path) -> dict[str, bytes]:
    return {
        place.relative_to(root).as_posix(): place.read_bytes()
        for place in root.rglob("*")
        if place.is_file() and ".memory" not in place.parts
    }


def report(done: subprocess.CompletedProcess[str]) -> dict[str, object]:
    assert done.returncode == 0, done.stderr
    told: dict[str, object] = json.loads(done.stdout)
    return told


def test_three_nights_look_at_what_is_new_and_tell_why_the_rest_was_passed_over(
    command: Command, notes: Path
) -> None:
    before = files(notes)
    first = report(command("reflect", "--since", "2026-05-01", "--json"))
    assert first["facts"] == 2, "what a page says is no note of a day"
    skipped = first["skipped"]
    assert isinstance(skipped, list)
    assert all(item["reason"] for item in skipped)
    assert any("boxes" in item["what"] for item in skipped), "the page says it already"
    report(command("reflect", "--json"))
    state = {p.name: p.read_bytes() for p in (notes / ".memory/proposals").glob("*.json")}
    second = command("reflect")
    assert "Nothing new since the last reflection." in second.stdout
    assert {p.name: p.read_bytes() for p in (notes / ".memory/proposals").glob("*.json")} == state
    assert files(notes) == before
    assert command("add", "W @Jun: Bought a blue van.").returncode == 0
    third = report(command("reflect", "--json"))
    assert (third["new"], third["facts"]) == (1, 3)
    today = f"memory/{datetime.now().astimezone().date()}.md"
    assert {k: v for k, v in files(notes).items() if k != today} == before


def test_adding_and_reflecting_leave_every_line_of_a_written_day(
    command: Command, notes: Path
) -> None:
    day = notes / "memory" / f"{datetime.now().astimezone().date()}.md"
    written = "\n".join(["# Today", "", *MINE, "", "## Retain", "", "- W @Ines: Came by.", ""])
    day.write_text(written, encoding="utf-8")
    assert command("add", "B @Peter: Sang.").returncode == 0
    assert command("add", "Just a line.").returncode == 0
    text = day.read_text("utf-8")
    left = iter(text.split("\n"))
    assert all(line in left for line in written.split("\n")), "in its order"
    assert text.count("- B @Peter: Sang.\n") == 1
    assert text.count("- Just a line.\n") == 1
    before = {k: v for k, v in files(notes).items() if k.startswith(MUST_STAY)}
    assert command("reflect", "--since", "2026-05-01").returncode == 0
    assert {k: v for k, v in files(notes).items() if k.startswith(MUST_STAY)} == before


def test_a_note_that_the_disk_does_not_take_is_told_and_the_day_stays(
    command: Command, notes: Path
) -> None:
    day = notes / "memory" / f"{datetime.now().astimezone().date()}.md"
    day.write_text("A long day.\n" * 9_000, encoding="utf-8")
    before = files(notes)
    done = command("add", "W @Peter: Will be missed.", largest=100_000)
    assert done.returncode == 2
    assert "could not be saved" in done.stderr
    assert "Traceback" not in done.stderr
    assert files(notes) == before
    assert command("add", "W @Peter: Will be missed.").returncode == 0
    assert day.read_text("utf-8").count("Will be missed.") == 1
    assert set(files(notes)) == set(before)


def test_a_suggestion_that_the_disk_does_not_take_goes_on_waiting(
    command: Command, notes: Path
) -> None:
    page = notes / "bank" / "world.md"
    page.write_text("# World\n\n" + "A line of my own.\n" * 8_000, encoding="utf-8")
    assert command("add", "W @Jun: Lives in Porto since March 2026.").returncode == 0
    assert command("reflect", "--since", "2026-05-01").returncode == 0
    waiting = json.loads(command("review", "list", "--json").stdout)["proposals"]
    pid = next(p["id"] for p in waiting if p["target"] == "bank/world.md")
    before = files(notes)
    done = command("review", "approve", pid, largest=100_000)
    assert done.returncode == 2
    assert "Traceback" not in done.stderr
    assert files(notes) == before
    again = json.loads(command("review", "list", "--json").stdout)["proposals"]
    assert again == waiting
    assert command("review", "approve", pid).returncode == 0
    assert "Porto" in page.read_text("utf-8")
    assert set(files(notes)) == set(before)
