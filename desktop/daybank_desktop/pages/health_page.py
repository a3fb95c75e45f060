"""The Health page: what needs the person, what is worth knowing, and what is fine.

GUI thread. It changes nothing by itself: each finding leads to where something can be done.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import (
    QGridLayout,
    QHBoxLayout,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from daybank.health.report import HealthReport
from daybank_desktop import health_words
from daybank_desktop.health_words import Act, Group, Spot, Told
from daybank_desktop.pages.review_page import ReviewPlace
from daybank_desktop.services.health import Health, HealthState
from daybank_desktop.theme import Theme
from daybank_desktop.widgets import paint
from daybank_desktop.widgets.announce import announce
from daybank_desktop.widgets.buttons import Button
from daybank_desktop.widgets.column_area import ColumnArea
from daybank_desktop.widgets.empty_state import EmptyState
from daybank_desktop.widgets.error_card import ErrorCard
from daybank_desktop.widgets.finding_card import FindingCard, FindingRow, FineGrid
from daybank_desktop.widgets.flow_layout import FlowLayout
from daybank_desktop.widgets.label import Label
from daybank_desktop.widgets.notice_bar import NoticeBar
from daybank_desktop.widgets.page import Page
from daybank_desktop.widgets.progress_line import ProgressLine
from daybank_desktop.widgets.skeleton import Skeleton

COLUMN = 860
_SIDE = 20
_CIRCLE = 48
_NARROW = 520  # the buttons of the head stand under it


@dataclass(frozen=True, slots=True)
class HealthPlace:
    """What the page shows: the finding that a notification told of, or all alike."""

    finding: str = ""


class HealthPage(Page):
    """``today`` is asked anew each time: the page may be open for days."""

    compare_requested = Signal(str, object)  # a copy, and all copies (tuple of paths)
    reveal_requested = Signal(str)  # a file, to be shown in the file manager
    sync_requested = Signal()
    reflect_requested = Signal()
    diagnostics_requested = Signal()

    def __init__(
        self, health: Health, today: Callable[[], date], parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._theme = Theme.of(self)
        self._health = health
        self._today = today
        self._wanted = ""
        self._is_narrow: bool | None = None
        self._findings: tuple[Told, ...] = ()
        self._build_head()
        self._build_body()
        self._lay_out()
        self.check.clicked.connect(health.check)
        self.progress.cancelled.connect(health.cancel)
        self.error.primary_clicked.connect(health.check)
        self.notice.acted.connect(health.check)
        self.empty.acted.connect(health.check)
        self.runs.clicked.connect(lambda: self.page_requested.emit("runs", None))
        self.diagnostics.clicked.connect(self.diagnostics_requested)
        for card in (self.needs, self.worth):
            card.acted.connect(self._on_acted)
            card.chosen.connect(self._on_spot)
        health.changed.connect(self._on_changed)
        self._theme.changed.connect(self._restyle)
        self._restyle()
        self._show(health.state)

    # Building

    def _build_head(self) -> None:
        self._circle = _Circle()
        self.title = Label("", "title", wrap=True)
        self.line = Label("", "body", "text.secondary", wrap=True)
        self.check = Button(self.tr("Check now"), icon="action.refresh")
        self.progress = ProgressLine(cancel=self.tr("Stop checking"))
        words = QVBoxLayout()
        words.setSpacing(0)
        words.addStretch(1)
        words.addWidget(self.title)
        words.addWidget(self.line)
        words.addStretch(1)
        self._controls = QWidget()
        controls = QHBoxLayout(self._controls)
        controls.setContentsMargins(0, 0, 0, 0)
        controls.addWidget(self.progress)
        controls.addWidget(self.check)
        self._head = QGridLayout()
        self._head.setHorizontalSpacing(16)
        self._head.setVerticalSpacing(8)
        self._head.setColumnStretch(1, 1)
        self._head.addWidget(self._circle, 0, 0, Qt.AlignmentFlag.AlignTop)
        self._head.addLayout(words, 0, 1)

    def _build_body(self) -> None:
        self.notice = NoticeBar("", "negative")
        self._notice_room = QWidget()
        notice = QVBoxLayout(self._notice_room)
        notice.setContentsMargins(0, 0, 0, 16)
        notice.addWidget(self.notice)
        self._notice_room.hide()
        self.needs = FindingCard()
        self.worth = FindingCard()
        self.fine = FineGrid()
        self._needs_room = _group(self.tr("Needs you"), self.needs)
        self._worth_room = _group(self.tr("Worth knowing"), self.worth)
        self._fine_room = _group(self.tr("Fine"), self.fine)
        self.runs = Button(self.tr("Run history"), "link", small=True)
        self.diagnostics = Button(self.tr("Copy diagnostics"), "link", small=True)
        self.diagnostics.setToolTip(
            self.tr("What helps to find a fault, without your notes, names and passwords")
        )
        foot = QWidget()
        links = FlowLayout(foot, spacing=4)
        links.addWidget(self.runs)
        links.addWidget(self.diagnostics)
        self._foot = foot
        self.skeleton = Skeleton(3)
        self.error = ErrorCard()
        self.empty = EmptyState()

    def _lay_out(self) -> None:
        self.area = ColumnArea(_SIDE)
        self.area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        column = self.area.box
        column.addLayout(self._head)
        column.addSpacing(16)
        column.addWidget(self._notice_room)
        for part in (self._needs_room, self._worth_room, self._fine_room):
            column.addWidget(part)
        for part in (self.skeleton, self.error, self.empty, self._foot):
            column.addWidget(part)
        column.addStretch(1)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.addWidget(self.area)
        self.setFocusProxy(self.check)

    # For the window

    @property
    def place(self) -> HealthPlace:
        return HealthPlace(self._wanted)

    def show_place(self, state: object, again: bool) -> None:
        """Show a finding, or the page as it is."""
        self._wanted = state.finding if isinstance(state, HealthPlace) else ""
        self._point_out()

    def refresh(self) -> None:
        """Check again what was checked before the notes changed."""
        state = self._health.state
        if self.isVisible() and self._health.has_folder and (not state.report or state.is_stale):
            self._health.check()

    # What is shown

    def _on_changed(self, state: HealthState) -> None:
        if self.isVisible():  # else it is shown when it comes into sight
            self._show(state)

    def _show(self, state: HealthState) -> None:
        report = state.report
        self.check.setEnabled(not state.is_checking and self._health.has_folder)
        if state.is_checking:
            self.progress.set_progress(self.tr("Checking your notes…"))
        else:
            self.progress.finish()
        self._show_head(state)
        self._show_parts(state)
        if report is not None:
            self._show_findings(report, state)
        for room, has in (
            (self._needs_room, bool(self.needs.rows)),
            (self._worth_room, bool(self.worth.rows)),
            (self._fine_room, bool(self.fine.words)),
        ):
            room.setVisible(report is not None and has)
        if report is None and state.is_checking:
            self.skeleton.start()
        else:
            self.skeleton.stop()

    def _show_head(self, state: HealthState) -> None:
        report = state.report
        if report is None:
            self.title.setText(self.tr("Health"))
            self.line.setText(self.tr("Is everything all right with your notes?"))
            self._circle.set_look("text.secondary", "bg.sunken")
            return
        words = health_words.headline(report)
        if words != self.title.text():
            announce(self, words)
        self.title.setText(words)
        today = self._today()
        assert state.checked is not None
        when = health_words.at_moment(state.checked, today)
        checked = self.tr("Checked {when}.").format(when=when)
        self.line.setText(f"{checked} {health_words.readable(report)}")
        ink = health_words.dot(report) or "positive"
        self._circle.set_look(ink, f"{ink}.soft")

    def _show_parts(self, state: HealthState) -> None:
        report, error = state.report, state.error
        self._notice_room.setVisible(report is not None and error is not None)
        self.error.setVisible(report is None and error is not None)
        if error is not None:
            words = f"{error.title} {error.message}".strip()
            self.notice.set_content(words, "negative", action=self.tr("Try again"))
            self.error.set_content(error.title, error.message, primary=self.tr("Try again"))
        self.skeleton.setVisible(report is None and state.is_checking)
        nothing = report is None and error is None and not state.is_checking
        self.empty.setVisible(nothing)
        if nothing and self._health.has_folder:
            self.empty.set_content(
                "page.health",
                self.tr("Not checked yet"),
                self.tr("Daybank looks for copies, passwords, gaps and what it could not read."),
                self.tr("Check now"),
            )
        elif nothing:
            self.empty.set_content(
                "page.health",
                self.tr("No notes are open yet"),
                self.tr("As soon as a folder is open, this page tells how it is."),
            )
        self.check.setVisible(not nothing and not self.error.isVisibleTo(self))
        self._foot.setVisible(self._health.has_folder)

    def _show_findings(self, report: HealthReport, state: HealthState) -> None:
        today = self._today()
        found = tuple(
            health_words.told(check, state.beside, today)
            for check in report.checks
            if check.level != "ok"
        )
        fine = [
            health_words.fine(check, state.beside, today)
            for check in report.checks
            if check.level == "ok"
        ]
        self.fine.set_words([words for words in fine if words])
        if found != self._findings:
            self._findings = found
            unfolded = {row.told.id for row in self.rows if row.is_unfolded}
            at = self.window().focusWidget()
            focused = next((row.told.id for row in self.rows if row.button is at), "")
            needs = [told for told in found if told.group is Group.NEEDS_YOU]
            worth = [told for told in found if told.group is Group.WORTH_KNOWING]
            self.needs.set_findings(needs, unfolded, primary=True)
            self.worth.set_findings(worth, unfolded)
            again = next((row for row in self.rows if row.told.id == focused), None)
            if again is not None:
                again.button.setFocus(Qt.FocusReason.OtherFocusReason)
        self._point_out()

    @property
    def rows(self) -> tuple[FindingRow, ...]:
        """The findings that are shown, those that need the person first."""
        return (*self.needs.rows, *self.worth.rows)

    def _point_out(self) -> None:
        """Go to the finding that was asked for."""
        row = next((row for row in self.rows if row.told.id == self._wanted), None)
        if row is None or not self.isVisible():
            return
        self._wanted = ""
        if row.unfolds:
            row.set_unfolded(True)
        self.area.ensureWidgetVisible(row)
        row.button.setFocus(Qt.FocusReason.OtherFocusReason)

    # What is done

    def _on_acted(self, told: Told) -> None:
        if told.act is Act.READ:
            self.sync_requested.emit()
        elif told.act is Act.MEANING:
            self.page_requested.emit("settings", "meaning")
        elif told.act is Act.RUNS:
            self.page_requested.emit("runs", None)
        elif told.act is Act.REFLECT:
            self.reflect_requested.emit()
        elif told.act is Act.REVIEW:
            place = ReviewPlace(told.suggestion) if told.suggestion else None
            self.page_requested.emit("review", place)
        elif told.spots:
            self._go_to(told, told.spots[0], told.act)

    def _on_spot(self, told: Told, spot: Spot) -> None:
        self._go_to(told, spot, told.each)

    def _go_to(self, told: Told, spot: Spot, act: Act) -> None:
        if act is Act.COMPARE:
            self.compare_requested.emit(spot.path, tuple(other.path for other in told.spots))
        elif act is Act.REVEAL:
            self.reveal_requested.emit(spot.path)
        elif act is Act.SOURCE and spot.source is not None:
            self.source_requested.emit((spot.source, None))

    # Room

    def _restyle(self) -> None:
        self.area.set_column_width(self._theme.px(COLUMN))
        self._is_narrow = None
        self._fit()

    def _fit(self) -> None:
        narrow = self.width() < self._theme.px(_NARROW) + 2 * _SIDE
        if narrow == self._is_narrow:
            return
        self._is_narrow = narrow
        self._head.removeWidget(self._controls)
        if narrow:
            self._head.addWidget(self._controls, 1, 1, Qt.AlignmentFlag.AlignLeft)
        else:
            self._head.addWidget(self._controls, 0, 2, Qt.AlignmentFlag.AlignVCenter)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._show(self._health.state)  # “today” may be another day by now
        self.refresh()
        self._point_out()


class _Circle(QWidget):
    """The heart in its circle."""

    def __init__(self) -> None:
        super().__init__()
        self._theme = Theme.of(self)
        self._ink, self._fill = "text.secondary", "bg.sunken"
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self._theme.changed.connect(self.updateGeometry)

    def set_look(self, ink: str, fill: str) -> None:
        self._ink, self._fill = ink, fill
        self.update()

    def sizeHint(self) -> QSize:
        side = self._theme.px(_CIRCLE)
        return QSize(side, side)

    def paintEvent(self, event: QPaintEvent) -> None:
        theme, painter = self._theme, QPainter(self)
        area = QRectF(self.rect())
        paint.rounded(painter, area, area.height() / 2, theme.color(self._fill))
        side = theme.px(22)
        spot = QRectF(0, 0, side, side)
        spot.moveCenter(area.center())
        paint.icon(painter, theme, self, "page.health", self._ink, spot)


def _group(title: str, part: QWidget) -> QWidget:
    room = QWidget()
    box = QVBoxLayout(room)
    box.setContentsMargins(0, 0, 0, 16)
    box.setSpacing(8)
    box.addWidget(Label(title, "bodyStrong"))
    box.addWidget(part)
    return room
