"""The window beside other programs on the same folder, and its end while it is at work."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from daybank import open_workspace
from daybank.clock import FixedClock
from daybank_desktop.app import App
from daybank_desktop.options import Options
from daybank_desktop.services.meaning import Phase

pytestmark = pytest.mark.alone

CORE = Path(__file__).parents[2] / "core"
CLOCK = FixedClock(datetime(2026, 11, 27, 9, tzinfo=UTC))
PEOPLE = ("Mara", "Jun", "Peter", "Ines")
LEAVES_WITHIN = 2.0

Start = Callable[[Path], App]


@pytest.fixture
def start(qtbot: QtBot, qapp: QApplication, tmp_path: Path) -> Iterator[Start]:
    """Opens the window on a folder, with all that is behind it."""
    started: list[App] = []

    def make(folder: Path) -> App:
        app = App(
            qapp,
            Options(workspace=str(folder)),
            config=tmp_path / "config",
            clock=CLOCK,
            environ={},
        )
        started.append(app)
        app.start()
        return app

    yield make
    for app in started:
        app.end()
        app.window.close()
        app.window.deleteLater()
        app.theme.deleteLater()
        app.deleteLater()


@pytest.fixture
def notes(tmp_path: Path) -> Path:
    return days(tmp_path / "notes", 5)


def days(root: Path, count: int) -> Path:
    """A folder with a log for each of so many days, about four people."""
    (root / "memory").mkdir(parents=True)
    (root / "bank").mkdir()
    (root / "bank/opinions.md").write_text("# Opinions\n", encoding="utf-8")
    for number in range(count):
        day = date(2026, 11, 20) - timedelta(days=number)
        who, other = PEOPLE[number % 4], PEOPLE[(number + 1) % 4]
        text = (
            f"# {day}\n\n- {who} came by with {number} loaves.\n\n## Retain\n\n"
            f"- W @{who}: Keeps {number} boxes in the cellar.\n"
            f"- O(c=0.7) @{other}: Prefers tea in the morning.\n"
            f"- B @{who} @{other}: Painted door number {number}.\n"
        )
        (root / f"memory/{day}.md").write_text(text, encoding="utf-8")
    return root


def command(folder: Path, *words: str) -> subprocess.Popen[str]:
    """``daybank`` in a process of its own."""
    return subprocess.Popen(
        [sys.executable, "-m", "daybank", *words[:1], "--workspace", str(folder), *words[1:]],
        env={**os.environ, "PYTHONPATH": str(CORE), "PYTHONUTF8": "1"},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def settled(qtbot: QtBot, app: App) -> None:
    qtbot.waitUntil(
        lambda: app.library.workspace is not None and not app.library.is_syncing, timeout=30_000
    )
    qtbot.waitUntil(lambda: app.tasks.is_idle, timeout=30_000)


def shown(app: App) -> list[str]:
    return [result.content for result in app.search.answer.results] if app.search.answer else []


def test_a_note_of_the_command_line_shows_up_in_the_answer_by_itself(
    start: Start, qtbot: QtBot, notes: Path
) -> None:
    app = start(notes)
    settled(qtbot, app)
    app.ask("xylophone")
    qtbot.waitUntil(lambda: app.search.answer is not None, timeout=10_000)
    assert shown(app) == []
    added = [command(notes, "add", f"W @Peter: Plays xylophone {n}.") for n in range(3)]
    wanted = [f"Plays xylophone {n}." for n in range(3)]
    qtbot.waitUntil(lambda: sorted(shown(app)) == wanted, timeout=60_000)
    for process in added:
        assert process.communicate(timeout=60)[1] == ""
        assert process.returncode == 0


def test_a_note_that_another_program_has_indexed_before_the_window_looks_is_shown(
    start: Start, qtbot: QtBot, notes: Path
) -> None:
    app = start(notes)
    settled(qtbot, app)
    qtbot.waitUntil(lambda: app.meaning.readiness.phase is Phase.ON, timeout=60_000)
    app.ask("xylophone played by Peter, not the boxes")
    qtbot.waitUntil(lambda: app.search.answer is not None, timeout=10_000)
    settled(qtbot, app)
    process = command(notes, "add", "W @Peter: Plays the xylophone.")
    process.communicate(timeout=60)  # the window's thread stands still meanwhile
    qtbot.waitUntil(lambda: "Plays the xylophone." in shown(app), timeout=15_000)


def test_notes_written_in_the_window_and_by_commands_at_once_are_all_there(
    start: Start, qtbot: QtBot, notes: Path
) -> None:
    app = start(notes)
    settled(qtbot, app)
    workspace = app.library.workspace
    assert workspace is not None
    day = "2026-11-20"
    others = [command(notes, "add", f"W @Jun: Sang song {n}.") for n in range(4)]
    for number in range(12):
        workspace.add(f"W @Mara: Wrote line {number}.", day=date.fromisoformat(day))
        qtbot.wait(20)
    qtbot.waitUntil(lambda: all(p.poll() is not None for p in others), timeout=60_000)
    for process in others:
        assert process.communicate()[1] == ""
    text = "".join(p.read_text("utf-8") for p in (notes / "memory").iterdir())
    for note in [f"Wrote line {n}." for n in range(12)] + [f"Sang song {n}." for n in range(4)]:
        assert text.count(f": {note}\n") == 1
    app.ask("song")
    qtbot.waitUntil(lambda: sum("song" in one for one in shown(app)) == 4, timeout=60_000)


# -- ending while at work


def begin_reading(qtbot: QtBot, app: App) -> None:
    with qtbot.waitSignal(app.library.sync_progress, timeout=30_000):
        pass


def begin_reading_anew(qtbot: QtBot, app: App) -> None:
    settled(qtbot, app)
    with qtbot.waitSignal(app.library.sync_progress, timeout=30_000):
        app.library.sync(rebuild=True)


def begin_reflecting(qtbot: QtBot, app: App) -> None:
    settled(qtbot, app)
    with qtbot.waitSignal(
        app.curated.reflection.progress,
        timeout=30_000,
        check_params_cb=lambda progress: progress.stage == "reflect",
    ):
        app.curated.reflection.start()


def begin_preparing_meaning(qtbot: QtBot, app: App) -> None:
    settled(qtbot, app)
    app.meaning.resume()
    qtbot.waitUntil(
        lambda: app.meaning.readiness.phase is Phase.PREPARING and app.meaning.readiness.done > 0,
        timeout=60_000,
    )


def begin_searching(qtbot: QtBot, app: App) -> None:
    settled(qtbot, app)
    app.ask("boxes in the cellar, and who painted which door?")


def begin_all_of_it(qtbot: QtBot, app: App) -> None:
    begin_preparing_meaning(qtbot, app)
    app.library.sync(rebuild=True)
    app.curated.reflection.start()
    app.ask("boxes")
    qtbot.wait(50)


BEGIN = [
    begin_reading,
    begin_reading_anew,
    begin_reflecting,
    begin_preparing_meaning,
    begin_searching,
    begin_all_of_it,
]


@pytest.mark.parametrize("begin", BEGIN, ids=lambda f: f.__name__)
def test_the_window_ends_within_two_seconds_whatever_it_is_at(
    start: Start, qtbot: QtBot, tmp_path: Path, begin: Callable[[QtBot, App], None]
) -> None:
    folder = days(tmp_path / "notes", 600)
    before = {p.name: p.read_bytes() for p in (folder / "memory").iterdir()}
    app = start(folder)
    begin(qtbot, app)
    asked = time.monotonic()
    assert app.end()
    assert time.monotonic() - asked < LEAVES_WITHIN
    assert {p.name: p.read_bytes() for p in (folder / "memory").iterdir()} == before
    assert [p for p in folder.rglob("*") if "writing-" in p.name] == []
    with open_workspace(folder, clock=CLOCK) as after:
        after.sync()
        assert len(after.days()) == 600
        assert after._index.is_sound()
        with open_workspace(folder, clock=CLOCK, index_dir=tmp_path / "clean") as clean:
            clean.sync()
            for question in ("boxes 17", "who painted door 40?"):
                answer = after.recall(question, semantic=False)
                assert answer.to_json() == clean.recall(question, semantic=False).to_json()
