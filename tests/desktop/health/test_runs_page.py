"""The run history: a row a run, what unfolds below it, and why no run begins now."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from health_tools import NOW, CheckedNotes, Desk, desk_of, run
from PySide6.QtCore import QModelIndex, QPoint, Qt
from PySide6.QtTest import QAbstractItemModelTester, QTest
from pytestqt.qtbot import QtBot

from daybank.errors import Cancelled, ReflectionBusy, WorkspaceUnreadable
from daybank.markdown.model import Source
from daybank.reflect.material import Skipped
from daybank.reflect.record import Proposed, ReflectionReport
from daybank.review.proposal import Phase
from daybank_desktop import run_words
from daybank_desktop.dialogs.reflection_report import ReflectionReportDialog
from daybank_desktop.models.runs_model import MOST_PLACES, NODE_ROLE, Node, RunsModel, Sort
from daybank_desktop.pages.review_page import ReviewPlace
from daybank_desktop.pages.runs_page import RunsPage, RunsPlace
from daybank_desktop.scheduling.policy import WhyNot
from daybank_desktop.services.runs import run_line
from daybank_desktop.services.schedule import ScheduleState
from daybank_desktop.theme import Theme

CORE = Proposed("memory.md", Phase.CORE, "A newer note says something else.", "p-1", True, 0.9)
OLD = Proposed("bank/opinions.md", Phase.OPINIONS, "It has turned.", "p-2", False, 0.4)
LONG = "It is already on the page, in other words, " * 12


def skipped(count: int, reason: str = "already on the page") -> list[Skipped]:
    return [
        Skipped(Phase.CORE, f"memory/2026-11-18.md#L{n + 1}", f"Candidate {n}", reason)
        for n in range(count)
    ]


class Shown:
    """The page, and what it asked for."""

    def __init__(self, desk: Desk) -> None:
        self.desk = desk
        self.page = RunsPage(desk.runs, desk.reflection, lambda: NOW)
        desk.qtbot.addWidget(self.page)
        self.asked: list[tuple[Any, ...]] = []
        page = self.page
        page.source_requested.connect(lambda *a: self.asked.append(("source", *a)))
        page.page_requested.connect(lambda *a: self.asked.append(("page", *a)))
        page.report_requested.connect(lambda *a: self.asked.append(("report", *a)))
        self.places: list[RunsPlace] = []
        page.place_changed.connect(self.places.append)
        QAbstractItemModelTester(
            page.model, QAbstractItemModelTester.FailureReportingMode.Fatal, page
        )
        page.resize(1154, 652)
        page.show()

    def open(self, *runs: ReflectionReport) -> None:
        self.desk.notes.runs = list(runs)
        self.desk.open()

    def below(self, row: int = 0) -> list[Node]:
        """What stands below a run."""
        model = self.page.model
        top = model.index(row, 0)
        return [model.index(n, 0, top).data(NODE_ROLE) for n in range(model.rowCount(top))]

    def index(self, *rows: int) -> QModelIndex:
        found = QModelIndex()
        for row in rows:
            found = self.page.model.index(row, 0, found)
        return found

    def press(self, key: Qt.Key) -> None:
        QTest.keyClick(self.page.list, key)
        self.desk.settle()


@pytest.fixture
def shown(qtbot: QtBot, theme: Theme) -> Iterator[Shown]:
    with desk_of(qtbot, CheckedNotes()) as desk:
        yield Shown(desk)


def test_each_run_is_a_row_told_in_words(shown: Shown) -> None:
    shown.open(
        run(3, proposed=[CORE, OLD], skipped=skipped(2)),
        run(2, ago=timedelta(days=1, hours=5, minutes=40), new=0),
        run(1, ago=timedelta(days=2, hours=5, minutes=40), error="No disk.", seconds=185),
    )
    rows = [shown.index(n).data(Qt.ItemDataRole.AccessibleTextRole) for n in range(3)]
    assert rows == [
        "today 03:00, took 12 s, looked at 3 new of 4,218 notes, passed over 2. 1 suggestion.",
        "yesterday 03:00, took 12 s, looked at nothing new, passed over 0. Nothing was new.",
        "Sat 28 Nov 2026 03:00, took 3 min 5 s, looked at 3 new of 4,218 notes, passed over 0."
        " Did not end well.",
    ]


def test_a_run_unfolds_into_what_it_suggested_and_passed_over(shown: Shown) -> None:
    shown.open(run(1, proposed=[CORE, OLD], skipped=[*skipped(2), *skipped(3, "no day is given")]))
    shown.page.list.setFocus()
    shown.press(Qt.Key.Key_Home)
    shown.press(Qt.Key.Key_Right)
    nodes = shown.below()
    assert [(node.sort, node.row.title) for node in nodes] == [
        (Sort.HEAD, "Suggested"),
        (Sort.SUGGESTION, "Core"),
        (Sort.SUGGESTION, "Opinions"),
        (Sort.HEAD, "Passed over, and why"),
        (Sort.REASON, "No day is given"),
        (Sort.REASON, "Already on the page"),
        (Sort.TEXT, "How long each part took"),
    ]
    assert nodes[1].row.line == CORE.reason
    assert nodes[4].row.line == "3 times"
    assert nodes[6].row.line == "Opinions 2.1 s · Core 0.4 s"
    assert [child.row.line for child in nodes[5].children] == [
        "Wed 18 Nov 2026, line 1",
        "Wed 18 Nov 2026, line 2",
    ]
    assert shown.places == [RunsPlace("run-1")]


def test_the_keyboard_leads_to_the_suggestion_and_to_the_source(shown: Shown) -> None:
    shown.open(run(1, proposed=[CORE], skipped=skipped(1)))
    shown.page.list.setFocus()
    shown.press(Qt.Key.Key_Return)
    shown.page.list.setCurrentIndex(shown.index(0, 1))
    shown.press(Qt.Key.Key_Return)
    shown.page.list.setCurrentIndex(shown.index(0, 3))
    shown.press(Qt.Key.Key_Return)  # the reason unfolds
    shown.page.list.setCurrentIndex(shown.index(0, 3, 0))
    shown.press(Qt.Key.Key_Space)
    assert shown.asked == [
        ("page", "review", ReviewPlace("p-1")),
        ("source", (Source("memory/2026-11-18.md", 1, 1), None)),
    ]


def test_a_click_unfolds_and_another_folds(shown: Shown, qtbot: QtBot) -> None:
    shown.open(run(1))
    view = shown.page.list
    at: QPoint = view.visualRect(shown.index(0)).center()
    qtbot.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=at)
    shown.desk.settle()
    assert view.isExpanded(shown.index(0))
    assert shown.below()[0].row.title == "It had nothing to suggest."
    qtbot.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=at)
    assert not view.isExpanded(shown.index(0))


def test_very_many_are_bounded_and_the_rest_is_in_the_report(shown: Shown) -> None:
    report = run(1, skipped=skipped(MOST_PLACES + 37))
    shown.open(report)
    shown.page.list.expand(shown.index(0))
    shown.desk.settle()
    reason = next(node for node in shown.below() if node.sort is Sort.REASON)
    assert len(reason.children) == MOST_PLACES + 1
    assert reason.children[-1].row.title == "and 37 more"
    shown.page.list.opened.emit(reason.children[-1])
    shown.desk.settle()
    assert shown.asked == [("report", report)]


def test_a_report_is_read_only_when_it_is_unfolded_and_no_more_than_needed(shown: Shown) -> None:
    shown.open(*(run(n, ago=timedelta(days=400 - n)) for n in range(400, 0, -1)))
    read = len(shown.desk.notes.limits)
    shown.page.list.expand(shown.index(1))
    shown.desk.settle()
    assert shown.desk.notes.limits[read:] == [22]
    shown.page.list.collapse(shown.index(1))
    shown.page.list.expand(shown.index(1))
    shown.desk.settle()
    assert len(shown.desk.notes.limits) == read + 1


def test_a_run_that_failed_says_why_and_hides_secrets(shown: Shown) -> None:
    shown.open(run(1, error="The server said no; password: hunter2-EXAMPLE"))
    shown.page.list.expand(shown.index(0))
    shown.desk.settle()
    first = shown.below()[0]
    assert first.sort is Sort.ERROR
    assert first.row.title == "The server said no; password: [hidden]"


def test_a_report_that_is_gone_is_told(shown: Shown) -> None:
    shown.open(run(1))
    shown.desk.notes.runs = []
    shown.page.list.expand(shown.index(0))
    shown.desk.settle()
    assert [node.row.title for node in shown.below()] == ["Its report is not there any more."]


def test_a_newer_run_comes_on_top_and_what_is_unfolded_stays(shown: Shown) -> None:
    shown.open(run(1))
    shown.page.list.expand(shown.index(0))
    shown.desk.settle()
    shown.desk.notes.runs.insert(0, run(2, ago=timedelta(minutes=1)))
    shown.desk.reflection.refresh()
    shown.desk.settle()
    assert shown.page.model.ids == ("run-2", "run-1")
    assert shown.page.list.isExpanded(shown.index(1))


def test_a_place_leads_to_its_run(shown: Shown) -> None:
    shown.page.show_place(RunsPlace("run-1"), False)  # before anything was read
    shown.open(run(2), run(1, ago=timedelta(days=2)))
    assert shown.page.list.isExpanded(shown.index(1))
    assert shown.page.list.currentIndex() == shown.index(1)
    shown.page.show_place(None, True)


# Why no run begins


@pytest.mark.parametrize(
    ("state", "said"),
    [
        (
            ScheduleState(next=NOW + timedelta(hours=18, minutes=20), why_not=WhyNot.NOT_YET),
            "Next: tomorrow 03:00.",
        ),
        (
            ScheduleState(next=NOW + timedelta(hours=2), why_not=WhyNot.NOT_YET),
            "Next: today 10:40.",
        ),
        (ScheduleState(why_not=WhyNot.ON_BATTERY), "A run is due. Waiting for mains power."),
        (ScheduleState(why_not=WhyNot.NOT_QUIET), "A run is due. Waiting for a quiet moment."),
        (ScheduleState(why_not=WhyNot.MANUAL), "Daybank reflects only when you say so."),
        (ScheduleState(why_not=WhyNot.PAUSED, is_paused=True), "Paused until you resume."),
        (
            ScheduleState(
                why_not=WhyNot.PAUSED, is_paused=True, paused_until=NOW + timedelta(hours=1)
            ),
            "Paused until today 09:40.",
        ),
        (
            ScheduleState(next=NOW + timedelta(minutes=10), why_not=WhyNot.AFTER_FAILURE),
            "The last run did not end well. Next try: today 08:50.",
        ),
        (ScheduleState(why_not=WhyNot.RUNNING, running=True), "Reflecting now."),
        (ScheduleState(why_not=None), "A run begins shortly."),
        (ScheduleState(), "No run is planned yet."),
    ],
)
def test_the_line_above_tells_when_the_next_run_is_or_what_it_waits_for(
    shown: Shown, state: ScheduleState, said: str
) -> None:
    shown.page.show_schedule(state)
    assert shown.page.next.text() == said


def test_every_reason_has_its_words(qtbot: QtBot) -> None:
    said = {run_words.coming(ScheduleState(why_not=why), NOW)[1] for why in WhyNot}
    assert len(said) >= len(WhyNot) - 1
    assert all(words.endswith(".") for words in said)


# States


def test_before_the_first_run_the_page_offers_one(shown: Shown) -> None:
    shown.open()
    assert shown.page.empty.isVisible()
    begun: list[bool] = []
    shown.desk.reflection.started.connect(lambda: begun.append(True))
    shown.desk.notes.reflect = lambda **_: run(1)  # type: ignore[attr-defined]
    shown.desk.notes.runs = [run(1)]
    shown.page.empty.button.click()
    shown.desk.settle()
    assert begun == [True]
    assert shown.page.model.ids == ("run-1",)
    assert shown.page.card.isVisible()


def test_a_run_under_way_shows_progress_that_can_be_stopped(shown: Shown, qtbot: QtBot) -> None:
    shown.open(run(1))
    began, go_on = threading.Event(), threading.Event()
    stopped: list[bool] = []

    def reflect(*, cancel: threading.Event, **_: object) -> ReflectionReport:
        began.set()
        while not go_on.wait(0.005):
            if cancel.is_set():
                stopped.append(True)
                raise Cancelled
        return run(2, ago=timedelta(0))

    shown.desk.notes.reflect = reflect  # type: ignore[attr-defined]
    QTest.keyClick(shown.page.reflect, Qt.Key.Key_Space)
    assert shown.page.progress.isVisible()
    assert not shown.page.reflect.isEnabled()
    assert shown.page.next.text() == "Reflecting now."
    assert began.wait(10)
    shown.page.progress.cancelled.emit()
    shown.desk.settle()
    assert stopped == [True]
    assert not shown.page.progress.isVisible()
    assert shown.page.reflect.isEnabled()


def test_a_run_that_cannot_begin_says_why(shown: Shown) -> None:
    shown.open(run(1))

    def reflect(**_: object) -> ReflectionReport:
        raise ReflectionBusy("Another Daybank reflects on this folder.", "Try again shortly.")

    shown.desk.notes.reflect = reflect  # type: ignore[attr-defined]
    toasts: list[str] = []
    shown.page.toast_requested.connect(lambda *toast: toasts.append(toast[0]))
    shown.page.reflect.click()
    shown.desk.settle()
    assert toasts == ["Another Daybank reflects on this folder. Try again shortly."]
    assert shown.page.reflect.isEnabled()


def test_without_a_folder_the_page_says_so(shown: Shown) -> None:
    assert shown.page.empty.isVisible()
    assert not shown.page.empty.button.isVisible()
    assert not shown.page.reflect.isVisible()


def test_an_error_offers_another_try(shown: Shown) -> None:
    shown.desk.notes.runs_error = WorkspaceUnreadable("It cannot be reached.", "Nothing is lost.")
    shown.open()
    assert shown.page.error.isVisible()
    assert shown.page.error.accessibleName() == "It cannot be reached."
    shown.desk.notes.runs_error = None
    shown.desk.notes.runs = [run(1)]
    shown.page.error.primary_clicked.emit()
    shown.desk.settle()
    assert shown.page.model.ids == ("run-1",)


def test_four_hundred_runs_scroll_smoothly(shown: Shown) -> None:
    shown.open(*(run(n, ago=timedelta(days=400 - n)) for n in range(400, 0, -1)))
    view = shown.page.list
    bar = view.verticalScrollBar()
    slowest = 0.0
    view.viewport().repaint()
    for value in range(0, bar.maximum(), max(1, bar.maximum() // 60)):
        begun = time.perf_counter()
        bar.setValue(value)
        view.viewport().repaint()
        slowest = max(slowest, time.perf_counter() - begun)
    assert shown.page.model.rowCount() == 400
    assert slowest < 0.25  # 15 ms at rest; the machine may be busy


def test_a_narrow_window_has_two_lines_a_run_and_no_heads(shown: Shown, qtbot: QtBot) -> None:
    shown.open(run(1))
    wide = shown.page.list.visualRect(shown.index(0)).height()
    assert shown.page._heads.isVisible()
    shown.page.resize(700, 652)
    qtbot.wait(20)
    assert not shown.page._heads.isVisible()
    assert shown.page.list.visualRect(shown.index(0)).height() > wide


def test_reasons_wrap_and_are_shown_letter_for_letter(shown: Shown, qtbot: QtBot) -> None:
    nasty = "<b>bold</b> & \u202egnp\nnext"
    shown.open(run(1, skipped=[*skipped(1, LONG), *skipped(1, nasty)]))
    shown.page.list.expand(shown.index(0))
    shown.desk.settle()
    nodes = shown.below()
    tall = {
        node.row.title: shown.page.list.visualRect(shown.index(0, n)).height()
        for n, node in enumerate(nodes)
    }
    assert tall[LONG] > 2 * tall["<b>bold</b> & \u202egnp\nnext"]


def test_the_report_wraps_its_reasons_too(qtbot: QtBot, theme: Theme) -> None:
    report = run(1, skipped=[*skipped(1, "short"), *skipped(1, LONG)])
    dialog = ReflectionReportDialog([report], NOW.date(), report)
    qtbot.addWidget(dialog)
    dialog.show()
    qtbot.wait(20)
    heights = [dialog.list.visualRect(dialog.model.index(n)).height() for n in range(2)]
    assert heights[1] > heights[0] + 2 * theme.line_height("caption")


def test_the_model_takes_a_report_for_a_run_that_is_not_listed(qtbot: QtBot) -> None:
    model = RunsModel(NOW.date())
    model.set_lines([run_line(run(1))])
    model.set_report("run-2", run(2))
    assert model.rowCount() == 1
