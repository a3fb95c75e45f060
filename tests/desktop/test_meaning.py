"""Search by meaning in the window: prepared in the background, told in the status bar."""

from __future__ import annotations

import hashlib
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from fakes import FakeWorkspace, SyncReport, bakery, note
from PySide6.QtWidgets import QApplication, QDialog
from pytestqt.qtbot import QtBot

from daybank import open_workspace
from daybank.clock import FixedClock
from daybank.embedding.vectors import Embedded, Space
from daybank.errors import DaybankError, IndexBusy, IndexUnwritable, ModelDamaged
from daybank.progress import CancelToken, check_cancel
from daybank.recall.results import RecallResult, Why
from daybank_desktop import phrases
from daybank_desktop.app import App
from daybank_desktop.options import Options
from daybank_desktop.services.library import Library
from daybank_desktop.services.meaning import Meaning, Phase, Readiness
from daybank_desktop.tasks import Lane, Tasks
from daybank_desktop.theme import Theme
from daybank_desktop.widgets.status_bar import StatusBar, StatusItem

if TYPE_CHECKING:
    import numpy as np

CLOCK = FixedClock(datetime(2026, 11, 27, 9, tzinfo=UTC))
NOTICE = "Search by meaning is still getting ready. Words are found already."


class Desk:
    """The library and what prepares it, over workspaces in memory."""

    def __init__(self, qtbot: QtBot, **workspaces: FakeWorkspace) -> None:
        self.qtbot = qtbot
        self.workspaces = workspaces
        self.tasks = Tasks()
        self.library = Library(self.tasks, lambda path: workspaces[path.name])  # type: ignore[arg-type,return-value]
        self.meaning = Meaning(self.tasks, self.library)
        hurry(self.meaning)
        self.told: list[Readiness] = []
        self.meaning.changed.connect(self.told.append)

    def open(self, name: str = "notes") -> None:
        with self.qtbot.waitSignal(self.library.sync_finished):
            self.library.open(Path(name))

    def wait(self, phase: Phase) -> None:
        self.qtbot.waitUntil(
            lambda: self.meaning.readiness.phase is phase and self.tasks.is_idle, timeout=5_000
        )

    @property
    def phases(self) -> list[Phase]:
        found: list[Phase] = []
        for readiness in self.told:
            if not found or found[-1] is not readiness.phase:
                found.append(readiness.phase)
        return found


def hurry(meaning: Meaning) -> None:
    meaning._later.setInterval(10)
    meaning._busy.setInterval(20)


@pytest.fixture
def make(qtbot: QtBot) -> Iterator[Callable[..., Desk]]:
    desks: list[Desk] = []

    def desk(**workspaces: FakeWorkspace) -> Desk:
        desks.append(Desk(qtbot, **workspaces))
        return desks[-1]

    yield desk
    for desk_ in desks:
        desk_.meaning.stop()
        desk_.library.stop()
        assert desk_.tasks.shutdown()
        desk_.library.close()


def folder(texts: int = 40, takes: float = 0.002, **other: object) -> FakeWorkspace:
    workspace = bakery()
    workspace.texts, workspace.text_takes = texts, takes
    for name, value in other.items():
        setattr(workspace, name, value)
    return workspace


# The service


def test_a_folder_is_prepared_after_it_was_read(make: Callable[..., Desk]) -> None:
    workspace = folder()
    desk = make(notes=workspace)
    desk.open()
    desk.wait(Phase.ON)
    assert desk.phases == [Phase.PREPARING, Phase.ON]
    assert desk.told[-1] == Readiness(Phase.ON, 40, 40)
    shares = [told.done for told in desk.told]
    assert shares == sorted(shares)
    assert any(name.startswith("daybank-long") for name in workspace.threads)


def test_what_is_prepared_already_is_only_loaded(make: Callable[..., Desk], qtbot: QtBot) -> None:
    workspace = folder(prepared=40)
    desk = make(notes=workspace)
    with qtbot.waitSignal(desk.meaning.loaded):
        desk.open()
    desk.wait(Phase.ON)
    assert workspace.embeds == 0
    assert desk.phases == [Phase.ON]


def test_searching_and_reading_go_on_meanwhile(make: Callable[..., Desk], qtbot: QtBot) -> None:
    desk = make(notes=folder(100_000))
    desk.open()
    qtbot.waitUntil(lambda: desk.meaning.readiness.done > 0)
    answers: list[object] = []
    desk.tasks.run(Lane.READ, lambda job: "found", done=answers.append)
    with qtbot.waitSignal(desk.library.sync_finished, timeout=1_000):
        desk.library.sync()
    qtbot.waitUntil(lambda: answers == ["found"])
    assert desk.meaning.readiness.phase is Phase.PREPARING


def test_new_notes_are_prepared_too_and_few_of_them_without_a_word(
    make: Callable[..., Desk],
) -> None:
    workspace = folder()
    desk = make(notes=workspace)
    desk.open()
    desk.wait(Phase.ON)
    desk.told.clear()
    workspace.texts += 2
    workspace.report = SyncReport(changed=1)
    desk.library.sync()
    desk.qtbot.waitUntil(lambda: workspace.prepared == 42)
    desk.wait(Phase.ON)
    assert desk.phases == [Phase.ON]


def test_a_reading_that_found_nothing_new_looks_at_nothing(make: Callable[..., Desk]) -> None:
    workspace = folder()
    desk = make(notes=workspace)
    desk.open()
    desk.wait(Phase.ON)
    desk.library.sync()
    desk.qtbot.wait(60)
    assert workspace.embeds == 1


def test_a_change_during_a_pass_makes_another_follow(make: Callable[..., Desk]) -> None:
    workspace = folder(60, 0.005)
    desk = make(notes=workspace)
    desk.open()
    desk.qtbot.waitUntil(lambda: workspace.prepared > 3)
    workspace.report = SyncReport(added=1)
    with desk.qtbot.waitSignal(desk.library.sync_finished):
        desk.library.sync()
    assert workspace.embeds == 1
    seen = len(workspace.semantic)
    desk.wait(Phase.ON)
    desk.qtbot.waitUntil(lambda: len(workspace.semantic) > seen)  # it looked once more


def test_a_pause_keeps_what_is_done_and_holds_until_it_is_ended(make: Callable[..., Desk]) -> None:
    workspace = folder(100_000)
    desk = make(notes=workspace)
    desk.open()
    desk.qtbot.waitUntil(lambda: desk.meaning.readiness.done > 0)
    desk.meaning.pause()
    desk.wait(Phase.PAUSED)
    done = workspace.prepared
    assert done > 0
    workspace.report = SyncReport(changed=1)
    desk.library.sync()
    desk.qtbot.wait(60)
    assert workspace.prepared == done
    workspace.texts = done + 20
    desk.meaning.resume()
    desk.wait(Phase.ON)
    assert workspace.prepared == done + 20


def test_going_on_before_the_pause_has_come_through(make: Callable[..., Desk]) -> None:
    workspace = folder(100_000)
    desk = make(notes=workspace)
    desk.open()
    desk.qtbot.waitUntil(lambda: desk.meaning.readiness.done > 0)
    desk.meaning.pause()
    desk.meaning.resume()
    desk.qtbot.waitUntil(lambda: workspace.embeds == 2)
    assert desk.meaning.readiness.phase is Phase.PREPARING


def test_a_pause_holds_in_another_folder_too(make: Callable[..., Desk]) -> None:
    second = folder(100)
    desk = make(notes=folder(100_000), other=second)
    desk.open()
    desk.qtbot.waitUntil(lambda: desk.meaning.readiness.done > 0)
    desk.meaning.pause()
    desk.open("other")
    desk.wait(Phase.PAUSED)
    assert second.embeds == 0


def test_another_folder_stops_the_pass_before_the_first_is_closed(
    make: Callable[..., Desk], caplog: pytest.LogCaptureFixture
) -> None:
    first, second = folder(100_000), folder()
    desk = make(notes=first, other=second)
    desk.open()
    desk.qtbot.waitUntil(lambda: desk.meaning.readiness.done > 0)
    started = time.monotonic()
    desk.open("other")
    desk.qtbot.waitUntil(lambda: first.closed)
    assert time.monotonic() - started < 2
    done = first.prepared
    desk.wait(Phase.ON)
    assert first.prepared == done
    assert desk.meaning.readiness == Readiness(Phase.ON, 40, 40)
    assert not caplog.records


def test_quitting_is_quick_and_keeps_what_is_done(qtbot: QtBot) -> None:
    workspace = folder(100_000)
    desk = Desk(qtbot, notes=workspace)
    desk.open()
    qtbot.waitUntil(lambda: desk.meaning.readiness.done > 0)
    started = time.monotonic()
    desk.meaning.stop()
    desk.library.stop()
    assert desk.tasks.shutdown()
    desk.library.close()
    assert time.monotonic() - started < 2
    assert workspace.prepared > 0


def test_no_model_is_said_with_its_reason_and_only_once(make: Callable[..., Desk]) -> None:
    workspace = folder(off_because="The built-in model is missing. Search by words works.")
    desk = make(notes=workspace)
    desk.open()
    desk.wait(Phase.OFF)
    workspace.report = SyncReport(changed=1)
    for _ in range(3):
        with desk.qtbot.waitSignal(desk.library.sync_finished):
            desk.library.sync()
    desk.qtbot.wait(60)
    assert desk.told == [Readiness(Phase.OFF, reason=workspace.off_because)]


@pytest.mark.parametrize(
    "error", [ModelDamaged("Damaged.", "Install it again."), IndexUnwritable("The disk is full.")]
)
def test_trouble_is_said_once_and_can_be_tried_again(
    make: Callable[..., Desk], error: DaybankError
) -> None:
    workspace = folder(embed_error=error)
    desk = make(notes=workspace)
    desk.open()
    desk.wait(Phase.OFF)
    assert desk.meaning.readiness.reason == str(error)
    workspace.report = SyncReport(changed=1)
    desk.library.sync()
    desk.qtbot.wait(60)
    assert workspace.embeds == 1
    workspace.embed_error = None
    desk.meaning.resume()
    desk.wait(Phase.ON)


def test_another_daybank_at_it_is_waited_for(make: Callable[..., Desk]) -> None:
    workspace = folder(embed_error=IndexBusy("Another Daybank is preparing it."))
    desk = make(notes=workspace)
    desk.open()
    desk.qtbot.waitUntil(lambda: bool(desk.meaning.readiness.reason))
    assert desk.meaning.readiness.phase is Phase.PREPARING
    workspace.embed_error = None
    desk.wait(Phase.ON)


def test_the_long_lane_takes_one_after_the_other(qtbot: QtBot) -> None:
    tasks = Tasks()
    running, together = threading.Semaphore(1), []

    def work(job: object) -> None:
        if not running.acquire(blocking=False):
            together.append(1)
            return
        time.sleep(0.01)
        running.release()

    for _ in range(4):
        tasks.run(Lane.LONG, work)
    qtbot.waitUntil(lambda: tasks.is_idle)
    assert tasks.shutdown()
    assert not together


# The window

Start = Callable[..., App]


@pytest.fixture
def start(qtbot: QtBot, qapp: QApplication, tmp_path: Path) -> Iterator[Start]:
    started: list[App] = []

    def make(workspace: object, search: str = "flour") -> App:
        app = App(
            qapp,
            Options(workspace="/notes", search=search),
            config=tmp_path / "config",
            clock=CLOCK,
            environ={},
            opener=lambda path: workspace,
        )
        hurry(app.meaning)
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


def words(app: App) -> tuple[str, ...]:
    """What the right end of the status bar says."""
    line = app.window.status.preparing
    return (*(item.text for item in app.window.status.items), *([line.text] if line.text else []))


def test_the_status_says_how_far_it_is(start: Start, qtbot: QtBot) -> None:
    app = start(folder(200))
    line = app.window.status.preparing
    qtbot.waitUntil(lambda: line.isVisible() and " 0 %" not in line.text)
    assert line.text.startswith("Search by meaning is getting ready, ")
    assert line.text.endswith(" %")
    assert line.bar.isVisible()
    qtbot.waitUntil(lambda: words(app) == ("Search by meaning is on",), timeout=5_000)
    assert not line.isVisible()
    assert "folder.meaning" not in app.window.commands


def test_it_is_paused_with_the_cross_and_goes_on_from_the_menu(start: Start, qtbot: QtBot) -> None:
    app = start(folder(100_000))
    status = app.window.status
    qtbot.waitUntil(lambda: status.preparing.isVisible())
    assert status.preparing._cancel.toolTip() == "Pause until the next start"
    status.preparing._cancel.click()
    assert words(app)[0].startswith("Search by meaning is paused, ")
    assert "menu" in status.items[0].hint
    assert not status.preparing.isVisible()
    assert app.window.commands.action("folder.meaning").text().startswith("Go on preparing")
    qtbot.waitUntil(lambda: app.tasks.is_idle)
    app.window.commands.run("folder.meaning")
    qtbot.waitUntil(lambda: status.preparing.isVisible())
    assert status.items == ()
    app.window.commands.run("folder.meaning")
    assert words(app)[0].startswith("Search by meaning is paused, ")


def test_off_says_why_where_one_points_at_it_and_opens_no_dialog(
    start: Start, qtbot: QtBot
) -> None:
    reason = "The built-in model is missing. <b>Search</b> by words works."
    app = start(folder(off_because=reason))
    qtbot.waitUntil(lambda: words(app) == ("Search by meaning is off",))
    assert app.window.status.items[0].hint == reason
    assert "&lt;b&gt;" in app.window.status._facts[0].toolTip()
    assert not app.window.toast.isVisible()
    assert not app.search_page.has_trouble
    assert app.window.findChildren(QDialog) == []


def test_searches_say_once_that_it_is_on_its_way(start: Start, qtbot: QtBot) -> None:
    workspace = folder(100_000)
    app = start(workspace, search="")
    page = app.search_page
    qtbot.waitUntil(lambda: app.window.status.preparing.isVisible())
    assert page.preparing_notice == ""  # nothing is asked yet
    app.ask("flour")
    qtbot.waitUntil(lambda: page.preparing_notice == NOTICE)
    page._preparing._close.click()
    app.ask("Porto")
    qtbot.waitUntil(lambda: page.found_text == "1 note found")
    assert page.preparing_notice == ""
    app.meaning.pause()
    qtbot.waitUntil(lambda: app.meaning._job is None)
    app.meaning.resume()
    qtbot.waitUntil(lambda: app.window.status.preparing.isVisible())
    app.ask("flour")
    qtbot.waitUntil(lambda: page.found_text == "3 notes found")
    assert page.preparing_notice == ""


def test_the_notice_goes_when_it_is_ready(start: Start, qtbot: QtBot) -> None:
    app = start(folder(400))
    qtbot.waitUntil(lambda: app.search_page.preparing_notice == NOTICE)
    qtbot.waitUntil(lambda: words(app) == ("Search by meaning is on",), timeout=5_000)
    assert app.search_page.preparing_notice == ""


def test_the_first_search_does_not_wait_for_the_model(start: Start, qtbot: QtBot) -> None:
    workspace = folder(prepared=40)
    app = start(workspace)
    qtbot.waitUntil(lambda: app.search.by_meaning)
    assert workspace.semantic[0] is False
    app.ask("Porto")
    qtbot.waitUntil(lambda: app.search_page.found_text == "1 note found")
    assert workspace.semantic[-1] is True


def test_what_is_found_by_meaning_once_it_is_there_waits_for_a_click(
    start: Start, qtbot: QtBot
) -> None:
    workspace = folder(200)
    app = start(workspace)
    qtbot.waitUntil(lambda: app.search_page.model.rowCount() == 3)
    near = note("The mill has a new flour lorry.", words=("flour",), why=Why(meaning=True))
    workspace.notes = [near, *workspace.notes]
    qtbot.waitUntil(lambda: app.search_page.notice == "Search by meaning is ready.", timeout=5_000)
    assert app.search_page.model.rowCount() == 3
    app.search_page._notice.acted.emit()
    assert app.search_page.model.rowCount() == 4


@pytest.mark.parametrize(
    ("why", "reasons"),
    [
        (Why(meaning=True), ["means something similar"]),
        (
            Why(words=("flour",), in_window=True, meaning=True),
            ["says “flour”", "in your dates", "means something similar"],
        ),
    ],
)
def test_why_says_meaning_alone_or_beside_words(
    start: Start, qtbot: QtBot, why: Why, reasons: list[str]
) -> None:
    app = start(FakeWorkspace(notes=[note("flour", why=why)]))
    qtbot.waitUntil(lambda: app.search_page.model.rowCount() == 1)
    row = app.search_page.model.rows[0]
    assert isinstance(row, RecallResult)
    assert app.search_page.list._cards._reasons(row) == reasons


def test_the_words_of_the_status(qapp: QApplication) -> None:
    assert phrases.preparing(43) == "Search by meaning is getting ready, 43 %"
    assert phrases.prepared_so_far(43) == "Search by meaning is paused, 43 %"
    assert Readiness(Phase.PREPARING, 39_999, 40_000).percent == 99
    assert Readiness().percent == 0


def test_in_a_narrow_window_the_words_go_before_the_bar(theme: Theme, qtbot: QtBot) -> None:
    bar = StatusBar()
    qtbot.addWidget(bar)
    bar.set_state("Up to date · 4,218 notes from 863 days")
    bar.preparing.set_progress("Search by meaning is getting ready, 43 %", 43, 100)
    bar.resize(900, 28)
    bar.show()
    assert bar.preparing._label.isVisible()
    bar.resize(420, 28)
    assert not bar.preparing._label.isVisible()
    assert bar.preparing.bar.isVisible()
    assert bar.preparing.bar.toolTip() == "Search by meaning is getting ready, 43 %"
    bar.preparing.finish()
    bar.set_item("meaning", StatusItem("Search by meaning is off", hint="Why"))
    bar.resize(900, 28)
    assert bar.items[0].hint == "Why"


# With the library itself


class LetterEmbedder:
    """A direction for each text, from its letters; slow enough to be watched."""

    space = Space("test/letters", "1", 16)

    def __init__(self, takes: float = 0.0) -> None:
        self.takes = takes
        self.threads: set[str] = set()
        self.closed = False

    def embed(self, texts: Sequence[str], cancel: CancelToken | None = None) -> np.ndarray:
        import numpy as np

        self.threads.add(threading.current_thread().name)
        rows = []
        for text in texts:
            check_cancel(cancel)
            assert not self.closed
            time.sleep(self.takes)
            digest = hashlib.sha256(text.encode()).digest()[:16]
            row = np.frombuffer(digest, dtype=np.uint8).astype(np.float32) - 127.5
            rows.append(row / np.linalg.norm(row))
        return np.stack(rows).astype(np.float32)

    def embed_marked(self, texts: Sequence[str], cancel: CancelToken | None = None) -> Embedded:
        return Embedded(self.embed(texts, cancel))

    def embed_query(self, text: str) -> np.ndarray:
        vector: np.ndarray = self.embed([text])[0]
        return vector

    def close(self) -> None:
        self.closed = True


@pytest.fixture
def diary(tmp_path: Path) -> Path:
    notes = tmp_path / "diary"
    (notes / "memory").mkdir(parents=True)
    for day in range(1, 29):
        lines = "".join(f"- Thing {n} of day {day} was flour\n" for n in range(8))
        (notes / "memory" / f"2026-02-{day:02}.md").write_text(lines, encoding="utf-8")
    return notes


def test_the_real_library_is_prepared_and_stays_so(start: Start, qtbot: QtBot, diary: Path) -> None:
    embedder = LetterEmbedder(0.0005)
    workspace = open_workspace(diary, clock=CLOCK, choose_embedder=lambda: embedder)
    app = start(workspace, search="flour")
    qtbot.waitUntil(lambda: words(app) == ("Search by meaning is on",), timeout=20_000)
    state = workspace.meaning()
    assert state.done == state.total > 224
    assert {name.split("-")[1] for name in embedder.threads} <= {"long", "read"}
    note_file = diary / "memory" / "2026-03-01.md"
    note_file.write_text("- A quince was planted\n", encoding="utf-8")
    app.library.sync()
    qtbot.waitUntil(
        lambda: app.tasks.is_idle and workspace.meaning().total > state.total, timeout=20_000
    )
    qtbot.waitUntil(lambda: workspace.meaning().done == workspace.meaning().total, timeout=20_000)


def test_quitting_in_the_middle_keeps_what_the_real_library_has(
    start: Start, qtbot: QtBot, diary: Path
) -> None:
    embedder = LetterEmbedder(0.004)
    app = start(open_workspace(diary, clock=CLOCK, choose_embedder=lambda: embedder))
    qtbot.waitUntil(lambda: app.meaning.readiness.done > 0, timeout=20_000)
    started = time.monotonic()
    assert app.end()
    assert time.monotonic() - started < 2
    with open_workspace(diary, choose_embedder=LetterEmbedder) as again:
        state = again.meaning()
    assert 0 < state.done < state.total
