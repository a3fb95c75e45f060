"""What is known of somebody: day, kind or how sure, the words, where they stand. A row is one line,
or two where there is little room.

The list has no scroll bar of its own: it is as long as its rows, and the page around it scrolls and
tells it to fetch more. Only rows in sight are painted. GUI thread.
"""

from __future__ import annotations

from datetime import date

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFocusEvent, QFontMetricsF, QKeyEvent, QPainter, QResizeEvent, QWheelEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QListView,
    QSizePolicy,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from daybank.recall.results import RecallResult
from daybank_desktop import phrases
from daybank_desktop.models.entity_facts_model import EntityFactsModel, day_of, text_of
from daybank_desktop.models.results_model import ROW_ROLE
from daybank_desktop.theme import Theme
from daybank_desktop.widgets import paint, text_layout
from daybank_desktop.widgets.sure_slider import sure_text

Index = QModelIndex | QPersistentModelIndex

ROW = 34
_TAG_SIDE = 7
_GAP = 12
_WIDE = 560  # narrower, the words stand on a line of their own
_SECOND_LINE = 22


def is_narrow(theme: Theme, width: float) -> bool:
    """Whether a row of ``width`` needs two lines."""
    return width < theme.px(_WIDE)


def row_height(theme: Theme, width: float) -> int:
    """How high a row of ``width`` is; all of a list are alike."""
    extra = theme.px(_SECOND_LINE) if is_narrow(theme, width) else 0
    return max(28, theme.px(ROW)) + extra


class FactDelegate(QStyledItemDelegate):
    """Paints a RecallResult or an Opinion on one line."""

    def __init__(self, view: QAbstractItemView, today: date) -> None:
        super().__init__(view)
        self._view = view
        self._today = today
        self._theme = Theme.of(view)

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(0, row_height(self._theme, self._view.viewport().width()))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        theme = self._theme
        row = index.data(ROW_ROLE)
        area = QRectF(option.rect)
        painter.save()
        back = area.adjusted(-8, 1, 8, -1).intersected(QRectF(self._view.viewport().rect()))
        if index == self._view.currentIndex() and self._view.hasFocus():
            paint.rounded(painter, back, theme.radius("sm"), theme.color("accent.soft"))
        elif option.state & QStyle.StateFlag.State_MouseOver:
            paint.rounded(painter, back, theme.radius("sm"), theme.color("bg.hover"))
        area = area.adjusted(4, 0, -4, 0)
        under = None
        if is_narrow(theme, self._view.viewport().width()):
            upper = max(28, theme.px(ROW))
            under = area.adjusted(0, upper - 4, 0, -6)
            area.setHeight(upper)
        area = self._paint_day(painter, area, day_of(row))
        if isinstance(row, RecallResult):
            area = self._paint_place(painter, area, row)
            area = self._paint_kind(painter, area, row)
        else:
            area = self._paint_sure(painter, area, row.confidence)
        font = theme.font("body")
        painter.setFont(font)
        area = under or area
        words = text_layout.elided(text_of(row), font, area.width())
        paint.text(painter, area, words, theme.color("text.primary"))
        painter.restore()

    def _paint_day(self, painter: QPainter, area: QRectF, day: date | None) -> QRectF:
        """The day; with its year only where it is another one than this year's."""
        theme = self._theme
        font = theme.font("small", tabular=True)
        painter.setFont(font)
        words = "–"
        if day is not None:
            words = f"{day.day} {phrases.month_short(day)}"
            if day.year != self._today.year:
                words = phrases.day_short(day)
        paint.text(painter, area, words, theme.color("text.secondary"))
        width = QFontMetricsF(font).horizontalAdvance("30 Www 2026") + 6
        return area.adjusted(width, 0, 0, 0)

    def _paint_kind(self, painter: QPainter, area: QRectF, row: RecallResult) -> QRectF:
        theme = self._theme
        word, icon = phrases.kind_word(row.kind), phrases.kind_icon(row.kind)
        color = phrases.kind_color(row.kind)
        fill = f"{color}.soft" if row.kind.is_fact else "bg.sunken"
        return self._paint_tag(painter, area, word, color, fill, icon, theme.px(104))

    def _paint_sure(self, painter: QPainter, area: QRectF, confidence: float) -> QRectF:
        theme = self._theme
        words = sure_text(phrases.percent(confidence))
        width = QFontMetricsF(theme.font("captionStrong")).horizontalAdvance(sure_text(98))
        room = width + theme.px(14) + 3 * _TAG_SIDE
        color = "kind.opinion"
        return self._paint_tag(
            painter, area, words, color, f"{color}.soft", "kind.opinion", round(room)
        )

    def _paint_tag(
        self,
        painter: QPainter,
        area: QRectF,
        words: str,
        color: str,
        fill: str,
        icon: str,
        column: int,
    ) -> QRectF:
        """A pill in a column of its own; the words that follow all begin at one place."""
        theme = self._theme
        font = theme.font("captionStrong")
        side, height = theme.px(14), theme.px(22)
        width = QFontMetricsF(font).horizontalAdvance(words) + side + 5 + 2 * _TAG_SIDE
        pill = QRectF(area.x(), area.center().y() - height / 2, width, height)
        paint.rounded(painter, pill, theme.radius("sm"), theme.color(fill))
        spot = QRectF(pill.x() + _TAG_SIDE, pill.y(), side, height)
        paint.icon(painter, theme, self._view, icon, color, spot)
        painter.setFont(font)
        paint.text(painter, pill.adjusted(_TAG_SIDE + side + 5, 0, 0, 0), words, theme.color(color))
        return area.adjusted(max(width, column) + _GAP, 0, 0, 0)

    def _paint_place(self, painter: QPainter, area: QRectF, row: RecallResult) -> QRectF:
        theme = self._theme
        font = theme.font("caption", tabular=True)
        painter.setFont(font)
        where = phrases.place(row.source.path, row.role)
        words = f"{where}, {phrases.lines(row.source)}"
        words = text_layout.elided(words, font, theme.px(180))
        paint.text(painter, area, words, theme.color("text.tertiary"), Qt.AlignmentFlag.AlignRight)
        taken = QFontMetricsF(font).horizontalAdvance(words) + 16
        return area.adjusted(0, 0, -taken, 0)


class FactList(QListView):
    """``opened`` on Enter or a click; ``current_moved`` with where the current row is, so that the
    page can scroll to it; ``left_upwards`` when ↑ is pressed on the first row."""

    opened = Signal(object)
    current_moved = Signal(object)  # QRect in this widget
    left_upwards = Signal()

    def __init__(self, model: EntityFactsModel, today: date, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = Theme.of(self)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setUniformItemSizes(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setAutoScroll(False)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setMouseTracking(True)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setItemDelegate(FactDelegate(self, today))
        self._facts = model
        self.setModel(model)
        self.clicked.connect(lambda index: self.opened.emit(index.data(ROW_ROLE)))
        for changed in (model.modelReset, model.rowsInserted):
            changed.connect(self._fit)
        self._theme.changed.connect(self._fit)
        self._fit()

    @property
    def row_height(self) -> int:
        return row_height(self._theme, self.width())

    def choose_row(self, row: int) -> None:
        self.setCurrentIndex(self.model().index(row, 0))

    def fetch_more(self) -> None:
        """The end of the list comes into sight."""
        self._facts.is_end_in_sight = True
        self._facts.fetchMore(QModelIndex())
        self._facts.is_end_in_sight = False

    def _fit(self) -> None:
        self.setFixedHeight(self.model().rowCount() * self.row_height + 2)
        self.scheduleDelayedItemsLayout()

    # Qt overrides

    def currentChanged(self, current: Index, previous: Index) -> None:
        super().currentChanged(current, previous)
        self.update(current)
        self.update(previous)
        if current.isValid():
            if current.row() >= self.model().rowCount() - 2:
                self.fetch_more()
            self.current_moved.emit(self.visualRect(self.model().index(current.row(), 0)))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        index = self.currentIndex()
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and index.isValid():
            self.opened.emit(index.data(ROW_ROLE))
            return
        if event.key() == Qt.Key.Key_Up and index.row() <= 0:
            self.left_upwards.emit()
            return
        super().keyPressEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        before, now = event.oldSize().width(), event.size().width()
        if is_narrow(self._theme, before) != is_narrow(self._theme, now):
            self._fit()

    def keyboardSearch(self, search: str) -> None:
        """Jumping by first letter would only surprise."""

    def wheelEvent(self, event: QWheelEvent) -> None:
        event.ignore()  # the page scrolls

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        if not self.currentIndex().isValid() and self.model().rowCount():
            self.choose_row(0)
        self.update(self.currentIndex())

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.update(self.currentIndex())
