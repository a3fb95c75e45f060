"""What a reflection did: what it suggests, and what it passed over with the reason of each.

GUI thread.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from functools import partial

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFontMetricsF, QPainter
from PySide6.QtWidgets import (
    QAbstractItemView,
    QDialog,
    QFrame,
    QHBoxLayout,
    QLineEdit,
    QListView,
    QMenu,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QVBoxLayout,
    QWidget,
)

from daybank.reflect.record import ReflectionReport
from daybank_desktop import phrases, suggestion_words
from daybank_desktop.models.report_model import (
    ROW_ROLE,
    ReportModel,
    ReportRow,
    proposed_rows,
    skipped_rows,
)
from daybank_desktop.theme import Theme
from daybank_desktop.widgets import paint, text_layout
from daybank_desktop.widgets.buttons import Button
from daybank_desktop.widgets.error_line import ErrorLine
from daybank_desktop.widgets.glyph import Glyph
from daybank_desktop.widgets.label import Label
from daybank_desktop.widgets.segmented import Segmented
from daybank_desktop.widgets.text_field import FieldFrame

_WIDTH, _HEIGHT = 640, 560
_ROW = 52
_PAD = 12
_LONGEST = 1200  # letters of a line; nobody reads more of it here
_MOST_RUNS = 20
Index = QModelIndex | QPersistentModelIndex


class ReflectionReportDialog(QDialog):
    """``reports`` are the runs, newest first; ``report`` the one to begin with."""

    source_requested = Signal(object)  # (Source, None)
    suggestion_requested = Signal(str)

    def __init__(
        self,
        reports: Sequence[ReflectionReport],
        today: date,
        report: ReflectionReport | None = None,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._theme = Theme.of(self)
        self._today = today
        self._reports = tuple(reports)
        self.setWindowTitle(self.tr("Reflection"))
        self.run = Button("", "quiet", chevron=True)
        self.run.setAutoDefault(False)
        self.run.setAccessibleDescription(self.tr("Choose a reflection"))
        self._runs = QMenu(self)
        self.run.clicked.connect(self._open_runs)
        self.summary = Label("", "small", "text.secondary", wrap=True)
        self.error = ErrorLine()
        self.parts = Segmented(
            self.tr("What is listed"),
            (("proposed", "", self.tr("Suggested")), ("skipped", "", self.tr("Passed over"))),
        )
        self.parts.chosen.connect(self._show_part)
        self.filter = QLineEdit()
        self.filter.setPlaceholderText(self.tr("Only with these words"))
        self.filter.setAccessibleName(self.tr("Only with these words"))
        self.filter.setClearButtonEnabled(False)
        self.model = ReportModel(self)
        self.filter.textChanged.connect(self._on_filter)
        self.list = QListView()
        self.list.setFrameShape(QFrame.Shape.NoFrame)
        self.list.setLayoutMode(QListView.LayoutMode.Batched)
        self.list.setResizeMode(QListView.ResizeMode.Adjust)
        self.list.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.list.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.setItemDelegate(_ReportDelegate(self.list))
        self.list.setModel(self.model)
        self.list.activated.connect(self._on_activated)
        self.nothing = Label("", "small", "text.secondary", wrap=True)
        close = Button(self.tr("Close"))
        close.setAutoDefault(False)
        close.clicked.connect(self.accept)
        self._build(close)
        chosen = report or (self._reports[0] if self._reports else None)
        self._report = chosen
        self.show_report(chosen)

    def _build(self, close: Button) -> None:
        head = QHBoxLayout()
        head.addWidget(Label(self.tr("Reflection"), "title"))
        head.addStretch(1)
        head.addWidget(self.run)
        choose = QHBoxLayout()
        choose.setSpacing(12)
        choose.addWidget(self.parts)
        field = FieldFrame(self.filter)
        inside = QHBoxLayout(field)
        inside.setContentsMargins(10, 0, 8, 0)
        inside.setSpacing(8)
        inside.addWidget(Glyph("action.filter", "text.tertiary", 16))
        inside.addWidget(self.filter)
        choose.addWidget(field, 1)
        box = QVBoxLayout(self)
        pad = self._theme.space(6)
        box.setContentsMargins(pad, self._theme.space(5), pad, self._theme.space(5))
        box.setSpacing(self._theme.space(2))
        box.addLayout(head)
        box.addWidget(self.summary)
        box.addWidget(self.error)
        box.addSpacing(4)
        box.addLayout(choose)
        box.addWidget(self.nothing)
        box.addWidget(self.list, 1)
        box.addWidget(close, 0, Qt.AlignmentFlag.AlignRight)
        self.resize(max(_WIDTH, self._theme.px(_WIDTH)), _HEIGHT)

    def show_report(self, report: ReflectionReport | None) -> None:
        """Another run."""
        self._report = report
        self.run.setVisible(len(self._reports) > 1)
        if report is None:
            self.summary.setText(self.tr("There was no reflection yet."))
            self._show_part(self.parts.value)
            return
        self.run.setText(suggestion_words.moment(report.finished, self._today))
        self.summary.setText(self._summary(report))
        self.error.set_text(report.error or "")
        proposed, skipped = len(report.proposed), report.skipped_in_all or len(report.skipped)
        self.parts.set_words(
            "proposed", self.tr("Suggested {count}").format(count=phrases.count(proposed))
        )
        self.parts.set_words(
            "skipped", self.tr("Passed over {count}").format(count=phrases.count(skipped))
        )
        self.parts.set_value("proposed" if proposed else "skipped")
        self._show_part(self.parts.value)

    def _summary(self, report: ReflectionReport) -> str:
        when = suggestion_words.moment(report.finished, self._today)
        seconds = max(1, round(report.seconds))
        took = phrases.plural(self.tr("%Ln second(s)", "", seconds), seconds)
        looked = phrases.notes_count(report.new)
        words = self.tr("{when}, {seconds}. It looked at {notes} that no earlier one had seen.")
        if report.nothing_new:
            words = self.tr("{when}, {seconds}. Nothing was new since the one before.")
        return words.format(when=when[:1].upper() + when[1:], seconds=took, notes=looked)

    def _show_part(self, part: str) -> None:
        report = self._report
        if report is None:
            self.model.set_rows(())
        else:
            rows = proposed_rows(report) if part == "proposed" else skipped_rows(report)
            self.model.set_rows(rows)
        self.list.setAccessibleName(
            self.tr("Suggested") if part == "proposed" else self.tr("Passed over")
        )
        self._say_nothing()

    def _on_filter(self, text: str) -> None:
        self.model.set_filter(text)
        self._say_nothing()

    def _say_nothing(self) -> None:
        empty = not self.model.rows
        self.nothing.setVisible(empty)
        self.list.setVisible(not empty)
        if self.filter.text().strip():
            self.nothing.setText(self.tr("Nothing with these words."))
        else:
            self.nothing.setText(self.tr("Nothing."))
        layout = self.layout()
        if layout is not None:
            layout.activate()

    def _open_runs(self) -> None:
        self._runs.clear()
        for report in self._reports[:_MOST_RUNS]:
            when = suggestion_words.moment(report.finished, self._today)
            words = f"{when} · {suggestion_words.run_result(report)}"
            self._runs.addAction(words, partial(self.show_report, report))
        corner = self.run.mapToGlobal(self.run.rect().bottomRight())
        corner.setX(corner.x() - self._runs.sizeHint().width())
        self._runs.popup(corner)

    def _on_activated(self, index: QModelIndex) -> None:
        row: ReportRow = index.data(ROW_ROLE)
        if row.suggestion:
            self.suggestion_requested.emit(row.suggestion)
            self.accept()
            return
        source = suggestion_words.source_of(row.source)
        if source is not None:
            self.source_requested.emit((source, None))
            self.accept()


class _ReportDelegate(QStyledItemDelegate):
    """A title and what is said of it below, both over as many lines as they need; plain text."""

    def __init__(self, view: QListView) -> None:
        super().__init__(view)
        self._view = view
        self._theme = Theme.of(view)
        self._theme.changed.connect(view.scheduleDelayedItemsLayout)

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        theme = self._theme
        row: ReportRow = index.data(ROW_ROLE)
        tall = sum(self._height(words, style) for words, style, _ in _parts(row))
        usual = theme.line_height("body") + theme.line_height("caption")
        return QSize(0, theme.px(_ROW) + max(0, round(tall) - usual))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        theme = self._theme
        row: ReportRow = index.data(ROW_ROLE)
        area = QRectF(option.rect)
        painter.save()
        chosen = bool(option.state & QStyle.StateFlag.State_Selected)
        if chosen or option.state & QStyle.StateFlag.State_MouseOver:
            fill = theme.color("accent.soft" if chosen else "bg.hover")
            ring = theme.color("accent") if chosen and self._view.hasFocus() else None
            paint.rounded(painter, area, theme.radius("md"), fill, ring, 2)
        blocks = [(self._laid_out(words, style), ink) for words, style, ink in _parts(row)]
        y = area.y() + (area.height() - sum(block.height for block, _ in blocks)) / 2
        for block, ink in blocks:
            at = QPointF(area.x() + _PAD, y)
            block.paint(painter, at, theme.color(ink), theme.color("mark.bg"))
            y += block.height
        painter.restore()

    def _room(self) -> float:
        return max(60.0, self._view.viewport().width() - 2.0 * _PAD)

    def _height(self, words: str, style: str) -> float:
        """Measuring is much cheaper than laying out, and most are one line."""
        if QFontMetricsF(self._theme.font(style)).horizontalAdvance(words) <= self._room():
            return self._theme.line_height(style)
        return self._laid_out(words, style).height

    def _laid_out(self, words: str, style: str) -> text_layout.TextBlock:
        height = self._theme.line_height(style)
        return text_layout.lay_out(words, self._theme.font(style), self._room(), height)


def _parts(row: ReportRow) -> tuple[tuple[str, str, str], ...]:
    """The words of a row with the style and the colour of each."""
    return (
        (_shown(row.title), "body", "text.primary"),
        (_shown(row.line), "caption", "text.secondary"),
    )


def _shown(text: str) -> str:
    words = text_layout.shown(text)
    if len(words) <= _LONGEST:
        return words
    return words[: text_layout.cluster_start(words, _LONGEST)] + text_layout.ELLIPSIS
