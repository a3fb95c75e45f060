"""Reflect now: progress, stopping, what comes of it, and what to say when it cannot be."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from desk_tools import CORE, NOW, Desk, Notes, two_in_core
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from daybank.errors import Cancelled, ReflectionBusy, WorkspaceUnreadable
from daybank.progress import Progress
from daybank.reflect.record import Proposed, ReflectionReport
from daybank.review.proposal import Phase
from daybank_desktop.theme import Theme

Make = Callable[..., Desk]


@pytest.fixture
def notes(tmp_path: Path) -> Notes:
    notes = Notes(tmp_path / "notes")
    notes.write("memory.md", CORE)
    return notes


@pytest.fixture
def make(qtbot: QtBot, theme: Theme, notes: Notes) -> Iterator[Make]:
    made: list[Desk] = []

    def make(**methods: Callable[..., object]) -> Desk:
        made.append(Desk(qtbot, notes, **methods))
        made[-1].open()
        return made[-1]

    yield make
    for desk in made:
        desk.close()


class Run:
    """A reflection that ends when it is told to, and then suggests two changes of core."""

    def __init__(self, notes: Notes) -> None:
        self.notes = notes
        self.begun = threading.Event()
        self.go_on = threading.Event()
        self.stopped = False

    def __call__(
        self, progress: Callable[[Progress], None], cancel: threading.Event
    ) -> ReflectionReport:
        self.begun.set()
        progress(Progress("reflect", 1, 4, "opinions"))
        while not self.go_on.wait(0.005):
            if cancel.is_set():
                self.stopped = True
                raise Cancelled
        made = two_in_core(self.notes)
        found = Proposed(made.target, Phase.CORE, made.reason, made.id)
        return ReflectionReport("r-1", NOW, NOW, new=3, proposed=(found,))


def test_reflect_now_shows_progress_and_then_what_is_suggested(
    make: Make, notes: Notes, qtbot: QtBot
) -> None:
    run = Run(notes)
    desk = make(reflect=run)
    assert desk.page.last_words.text() == "No reflection yet"
    desk.page.reflect.click()
    qtbot.waitUntil(run.begun.is_set)
    assert desk.page.progress.isVisible()
    assert desk.page.progress.text == "Reflecting…"
    assert not desk.page.reflect.isEnabled()
    run.go_on.set()
    desk.settle()
    assert desk.toast == "Reflection is through: 1 suggestion."
    assert desk.view.title.text() == "Core"
    assert desk.counts[-1] == 1
    assert not desk.page.progress.isVisible()
    assert desk.page.reflect.isEnabled()
    assert desk.page.last_words.text() == "Last reflection: today 09:00, 1 suggestion"
    reports: list[ReflectionReport] = []
    desk.page.report_requested.connect(reports.append)
    desk.toasts[-1][2]()
    desk.page.last.click()
    assert [r.id for r in reports] == ["r-1", "r-1"]


def test_a_reflection_can_be_stopped(make: Make, notes: Notes, qtbot: QtBot) -> None:
    run = Run(notes)
    desk = make(reflect=run)
    desk.page.reflect.click()
    qtbot.waitUntil(run.begun.is_set)
    desk.page.progress.cancelled.emit()
    desk.settle()
    assert run.stopped
    assert desk.page.reflect.isEnabled()
    assert desk.page.empty.isVisible()
    assert not desk.page.notice.isVisible()


def test_answers_count_on_the_screen_while_a_reflection_runs(
    make: Make, notes: Notes, qtbot: QtBot
) -> None:
    two_in_core(notes)
    run = Run(notes)
    desk = make(reflect=run)
    desk.page.reflect.click()
    qtbot.waitUntil(run.begun.is_set)
    QTest.keyClick(desk.view, Qt.Key.Key_A)
    assert desk.view.cards[0].state_text == "Accepted"
    desk.page.refresh()  # must not bring back what the disk still says
    qtbot.wait(50)
    assert desk.view.cards[0].state_text == "Accepted"
    desk.page.progress.cancelled.emit()
    desk.settle()
    assert desk.view.cards[0].state_text == "Accepted"
    assert [h.decision.value for h in notes.proposal(desk.page.suggestion).hunks] == [
        "accepted",
        "waiting",
    ]


def test_another_reflection_that_runs_already_is_told_kindly(make: Make, notes: Notes) -> None:
    def busy(**_: object) -> None:
        raise ReflectionBusy("Another Daybank reflects on this folder.", "Try again shortly.")

    desk = make(reflect=busy)
    desk.page.reflect.click()
    desk.settle()
    assert desk.page.notice.text == (
        "A reflection is running already. Its suggestions appear here when it is done."
    )
    assert desk.page.reflect.isEnabled()


def test_a_reflection_that_fails_says_what_is_safe(make: Make, notes: Notes) -> None:
    def failing(**_: object) -> None:
        raise WorkspaceUnreadable("The memory folder cannot be reached.", "Nothing was changed.")

    desk = make(reflect=failing)
    desk.page.reflect.click()
    desk.settle()
    assert desk.page.notice.text == "The memory folder cannot be reached. Nothing was changed."


def test_the_empty_page_offers_a_reflection_with_a_key(make: Make, notes: Notes) -> None:
    run = Run(notes)
    run.go_on.set()
    desk = make(reflect=run)
    assert desk.page.empty.isVisible()
    desk.page.empty.acted.emit()
    desk.settle()
    assert desk.view.isVisible()
    assert desk.counts[-1] == 1
