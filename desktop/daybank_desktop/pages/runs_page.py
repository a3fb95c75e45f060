"""The run history: what each reflection looked at, suggested and passed over; why none runs now.

GUI thread.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QResizeEvent, QShowEvent
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from daybank.errors import DaybankError
from daybank.reflect.record import ReflectionReport
from daybank_desktop import run_words, suggestion_words
from daybank_desktop.models.runs_model import Node, RunsModel, Sort
from daybank_desktop.pages.review_page import ReviewPlace
from daybank_desktop.services.reflection import Reflection
from daybank_desktop.services.runs import RunLine, Runs
from daybank_desktop.services.schedule import ScheduleState
from daybank_desktop.theme import Theme
from daybank_desktop.widgets.announce import announce
from daybank_desktop.widgets.buttons import Button
from daybank_desktop.widgets.empty_state import EmptyState
from daybank_desktop.widgets.error_card import ErrorCard
from daybank_desktop.widgets.glyph import Glyph
from daybank_desktop.widgets.label import Label
from daybank_desktop.widgets.page import Page
from daybank_desktop.widgets.progress_line import ProgressLine
from daybank_desktop.widgets.run_list import RunHeads, RunList, is_wide
from daybank_desktop.widgets.skeleton import Skeleton
from daybank_desktop.widgets.stack import Stack
from daybank_desktop.widgets.surface import Card

COLUMN = 980
_SIDE = 20
_NARROW = 640
_AGAIN_MS = 60_000


@dataclass(frozen=True, slots=True)
class RunsPlace:
    """What the page shows: an unfolded run, or none."""

    run: str = ""


class RunsPage(Page):
    """``now`` is the clock's; ``show_schedule`` takes what ``Schedule.state_changed`` tells."""

    report_requested = Signal(object)  # ReflectionReport, to be shown whole
    diagnostics_requested = Signal()

    def __init__(
        self,
        runs: Runs,
        reflection: Reflection,
        now: Callable[[], datetime],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._theme = Theme.of(self)
        self._runs = runs
        self._now = now
        self._schedule = ScheduleState()
        self._place = RunsPlace()
        self._wanted = ""
        self._whole = ""
        self._is_running = reflection.is_running
        self._is_narrow: bool | None = None
        self.model = RunsModel(now().date(), self)
        self.list = RunList(self.model)
        self._build_head()
        self._build_body()
        self._lay_out()
        self._connect(reflection)
        self._fit()
        self._restyle()
        self._show_state()

    # Building

    def _build_head(self) -> None:
        self.title = Label(self.tr("Run history"), "title", wrap=True)
        self._icon = Glyph("state.reflection", "text.secondary", 16, tile_size=20)
        self.next = Label("", "body", "text.secondary", wrap=True)
        self.progress = ProgressLine(cancel=self.tr("Stop reflecting"))
        self.reflect = Button(self.tr("Reflect now"), icon="state.reflection")
        line = QHBoxLayout()
        line.setSpacing(8)
        line.addWidget(self._icon, 0, Qt.AlignmentFlag.AlignTop)
        line.addWidget(self.next, 1)
        words = QVBoxLayout()
        words.setSpacing(2)
        words.addWidget(self.title)
        words.addLayout(line)
        words.addStretch(1)
        self._controls = QWidget()
        controls = QHBoxLayout(self._controls)
        controls.setContentsMargins(0, 0, 0, 0)
        controls.setSpacing(8)
        controls.addWidget(self.progress)
        controls.addWidget(self.reflect)
        self._head = QGridLayout()
        self._head.setHorizontalSpacing(16)
        self._head.setVerticalSpacing(8)
        self._head.setColumnStretch(0, 1)
        self._head.addLayout(words, 0, 0)

    def _build_body(self) -> None:
        self._heads = RunHeads(self.list)
        self.card = Card()
        inside = QVBoxLayout(self.card)
        inside.setContentsMargins(1, 1, 1, 4)
        inside.setSpacing(0)
        inside.addWidget(self._heads)
        inside.addWidget(self.list, 1)
        self.skeleton = Skeleton(4)
        self.error = ErrorCard()
        self.empty = EmptyState()
        self._rooms = {part: _room(part) for part in (self.skeleton, self.error)}
        for part in (*self._rooms.values(), self.empty, self.card):  # it may be a low window
            part.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Ignored)
        self._body = Stack()
        for part in (self.card, *self._rooms.values(), self.empty):
            self._body.addWidget(part)
        self.diagnostics = Button(self.tr("Copy diagnostics"), "link", small=True)
        self.diagnostics.setToolTip(
            self.tr("What helps to find a fault, without your notes, names and passwords")
        )

    def _lay_out(self) -> None:
        self._column = QWidget()
        column = QVBoxLayout(self._column)
        column.setContentsMargins(0, _SIDE, 0, 8)
        column.setSpacing(0)
        column.addLayout(self._head)
        column.addSpacing(14)
        column.addWidget(self._body, 1)
        column.addSpacing(4)
        column.addWidget(self.diagnostics, 0, Qt.AlignmentFlag.AlignLeft)
        across = QHBoxLayout(self)
        across.setContentsMargins(_SIDE, 0, _SIDE, 0)
        across.addStretch(1)
        across.addWidget(self._column, 1000)
        across.addStretch(1)
        self.setFocusProxy(self.list)
        self._minute = QTimer(self, interval=_AGAIN_MS)

    def _connect(self, reflection: Reflection) -> None:
        runs = self._runs
        runs.loading.connect(self._on_loading)
        runs.loaded.connect(self._on_loaded)
        runs.failed.connect(self._on_failed)
        runs.report_loaded.connect(self._on_report)
        self.model.wanted.connect(runs.load_report)
        reflection.started.connect(self._on_started)
        reflection.finished.connect(self._on_finished)
        reflection.stopped.connect(self._on_over)
        reflection.busy.connect(self._on_trouble)
        reflection.failed.connect(self._on_trouble)
        reflection.reports_changed.connect(self._on_reports)
        self.reflect.clicked.connect(reflection.start)
        self.empty.acted.connect(reflection.start)
        self.progress.cancelled.connect(reflection.cancel)
        self.error.primary_clicked.connect(runs.refresh)
        self.diagnostics.clicked.connect(self.diagnostics_requested)
        self.list.opened.connect(self._on_opened)
        self.list.unfolded.connect(self._on_unfolded)
        self._minute.timeout.connect(self._say_next)
        self._theme.changed.connect(self._restyle)

    # For the window

    @property
    def place(self) -> RunsPlace:
        return self._place

    def show_place(self, state: object, again: bool) -> None:
        """Unfold a run, or show the page as it is."""
        wanted = state.run if isinstance(state, RunsPlace) else ""
        if wanted and not again:
            self._wanted = wanted
            self._go_to_wanted()

    def show_schedule(self, state: ScheduleState) -> None:
        """When the next run is, or why there is none."""
        self._schedule = state
        self._say_next()

    def refresh(self) -> None:
        """Read the runs again if there may be others; at once where they are in sight."""
        if self.isVisible() and self._runs.has_folder and self._runs.is_stale:
            self._runs.refresh()
        elif not self._runs.has_folder:
            self._show_state()

    # The runs

    def _on_loading(self) -> None:
        self.skeleton.start()
        self._body.setCurrentWidget(self._rooms[self.skeleton])

    def _on_loaded(self, lines: tuple[RunLine, ...]) -> None:
        self.skeleton.stop()
        self.model.set_today(self._now().date())
        place = self.list.verticalScrollBar().value()
        self.model.set_lines(lines)
        if place:  # lists do not move by themselves
            self.list.verticalScrollBar().setValue(place)
        self._show_state()
        self._go_to_wanted()

    def _on_failed(self, error: DaybankError) -> None:
        self.skeleton.stop()
        self.error.set_content(error.title, error.message, primary=self.tr("Try again"))
        self._body.setCurrentWidget(self._rooms[self.error])

    def _on_report(self, run_id: str, report: ReflectionReport | None) -> None:
        if self._whole == run_id:
            self._whole = ""
            if report is not None:
                self.report_requested.emit(report)
            return
        self.model.set_report(run_id, report)

    def _show_state(self) -> None:
        has_folder = self._runs.has_folder
        self.reflect.setEnabled(has_folder and not self._is_running)
        if self.model.rowCount() and has_folder:
            self._body.setCurrentWidget(self.card)
            self.reflect.show()
            return
        self.reflect.setVisible(has_folder and self._is_running)
        if not has_folder:
            self.empty.set_content(
                "action.history",
                self.tr("No notes are open yet"),
                self.tr("As soon as a folder is open, this page tells of its reflections."),
            )
        else:
            self.empty.set_content(
                "action.history",
                self.tr("No reflection has run yet"),
                self.tr("Each run is listed here, with what it looked at and what came of it."),
                "" if self._is_running else self.tr("Reflect now"),
            )
        if self._runs.lines is not None or not has_folder:
            self._body.setCurrentWidget(self.empty)

    def _go_to_wanted(self) -> None:
        wanted = self._wanted
        if wanted and self.model.index_of(wanted).isValid():
            self._wanted = ""
            self.list.unfold(wanted)

    # What is pressed

    def _on_unfolded(self, run_id: str) -> None:
        self._place = RunsPlace(run_id)
        if run_id:
            self.place_changed.emit(self._place)

    def _on_opened(self, node: Node) -> None:
        if node.sort is Sort.MORE:
            self._whole = node.run.id
            self._runs.load_report(node.run.id)
        elif node.sort is Sort.SUGGESTION:
            self.page_requested.emit("review", ReviewPlace(node.row.suggestion))
        else:
            source = suggestion_words.source_of(node.row.source)
            if source is not None:
                self.source_requested.emit((source, None))

    # A run that is under way

    def _on_started(self) -> None:
        self._is_running = True
        self.progress.set_progress(self.tr("Reflecting…"))
        self._show_state()
        self._say_next()

    def _on_finished(self, report: ReflectionReport) -> None:
        self._on_over()
        announce(self, suggestion_words.last_run(report, self._now().date()))

    def _on_trouble(self, error: DaybankError) -> None:
        self._on_over()
        if self.isVisible():
            self.toast_requested.emit(f"{error.title} {error.message}".strip(), "", None)

    def _on_reports(self) -> None:
        self.refresh()

    def _on_over(self) -> None:
        self._is_running = False
        self.progress.finish()
        self._show_state()
        self._say_next()
        self.refresh()

    def _say_next(self) -> None:
        state = replace(self._schedule, running=self._schedule.running or self._is_running)
        icon, words = run_words.coming(state, self._now())
        self._icon.set_icon(icon)
        self.next.setText(words)

    # Room

    def _restyle(self) -> None:
        self._column.setMaximumWidth(self._theme.px(COLUMN))
        self._is_narrow = None
        self._fit()

    def _fit(self) -> None:
        width = min(self.width() - 2 * _SIDE, self._theme.px(COLUMN))
        self._heads.setVisible(is_wide(self._theme, width - 2))
        narrow = width < self._theme.px(_NARROW)
        if narrow == self._is_narrow:
            return
        self._is_narrow = narrow
        self._head.removeWidget(self._controls)
        if narrow:
            self._head.addWidget(self._controls, 1, 0, Qt.AlignmentFlag.AlignLeft)
        else:
            self._head.addWidget(self._controls, 0, 1, Qt.AlignmentFlag.AlignVCenter)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.model.set_today(self._now().date())
        self._say_next()
        self._minute.start()
        self.refresh()

    def hideEvent(self, event: object) -> None:
        super().hideEvent(event)  # type: ignore[arg-type]
        self._minute.stop()


def _room(part: QWidget) -> QWidget:
    room = QWidget()
    box = QVBoxLayout(room)
    box.setContentsMargins(0, 0, 0, 0)
    box.addWidget(part)
    box.addStretch(1)
    return room
