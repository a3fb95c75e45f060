"""The list of people and things: circle, name, sort and how long ago, how many notes.

Rows are all of one height, so thousands of them cost nothing. GUI thread.
"""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFocusEvent, QFontMetricsF, QKeyEvent, QPainter
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QListView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from daybank_desktop import people_phrases, phrases
from daybank_desktop.models.people_model import PERSON_ROLE, PeopleModel
from daybank_desktop.theme import Theme
from daybank_desktop.widgets import paint, text_layout
from daybank_desktop.widgets.avatar import paint_avatar
from daybank_desktop.widgets.quiet_scroll_bar import QuietScrollBar

if TYPE_CHECKING:
    from daybank import EntitySummary

Index = QModelIndex | QPersistentModelIndex

ROW = 54
_SIDE = 10
_CIRCLE = 34


class PeopleDelegate(QStyledItemDelegate):
    """Paints an EntitySummary."""

    def __init__(self, view: QAbstractItemView, today: date) -> None:
        super().__init__(view)
        self._view = view
        self._today = today
        self._theme = Theme.of(view)

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(0, self._theme.px(ROW))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        person: EntitySummary = index.data(PERSON_ROLE)
        theme = self._theme
        chosen = index == self._view.currentIndex()
        row = QRectF(option.rect).adjusted(_SIDE, 1, -2, -1)
        painter.save()
        if chosen:
            paint.rounded(painter, row, theme.radius("md"), theme.color("accent.soft"))
            if self._view.hasFocus():
                ring = theme.color("focus.ring")
                paint.rounded(painter, row, theme.radius("md"), None, ring, 2)
        elif option.state & QStyle.StateFlag.State_MouseOver:
            paint.rounded(painter, row, theme.radius("md"), theme.color("bg.hover"))
        side = theme.px(_CIRCLE)
        circle = QRectF(row.x() + 10, row.center().y() - side / 2, side, side)
        if chosen:
            soft = theme.color("accent.softBorder")
            paint.rounded(painter, circle, side / 2, soft)
        paint_avatar(
            painter,
            theme,
            self._view,
            circle.adjusted(1, 1, -1, -1) if chosen else circle,
            person.name,
            person.type,
            strong=chosen,
        )
        left = circle.right() + 11
        self._paint_words(painter, row.adjusted(left - row.x(), 0, -10, 0), person, chosen=chosen)
        painter.restore()

    def _paint_words(
        self, painter: QPainter, area: QRectF, person: EntitySummary, *, chosen: bool
    ) -> None:
        theme = self._theme
        count_font = theme.font("small", tabular=True)
        count = phrases.count(person.mentions)
        painter.setFont(count_font)
        quiet = theme.color("accent.softText" if chosen else "text.secondary")
        paint.text(painter, area, count, quiet, Qt.AlignmentFlag.AlignRight)
        taken = QFontMetricsF(count_font).horizontalAdvance(count) + 10
        area = area.adjusted(0, 0, -taken, 0)
        upper, lower = theme.px(20), theme.px(16)
        top = area.center().y() - (upper + lower) / 2
        strong = theme.font("bodyStrong")
        painter.setFont(strong)
        name = text_layout.elided(person.name, strong, area.width())
        ink = theme.color("accent.softText" if chosen else "text.primary")
        paint.text(painter, QRectF(area.x(), top, area.width(), upper), name, ink)
        font = theme.font("caption")
        painter.setFont(font)
        words = people_phrases.summary(person, self._today)
        words = text_layout.elided(words, font, area.width())
        under = QRectF(area.x(), top + upper, area.width(), lower)
        paint.text(painter, under, words, theme.color("text.secondary"))


class PeopleList(QListView):
    """↑↓ moves and shows, Enter goes into the page; ↑ on the first row leaves upwards."""

    person_chosen = Signal(object)  # EntitySummary; by keys or a click
    entered = Signal(object)  # EntitySummary; Enter or a click
    left_upwards = Signal()

    def __init__(self, model: PeopleModel, today: date, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = Theme.of(self)
        self._is_quiet = False
        self.setAccessibleName(self.tr("People & things"))
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setUniformItemSizes(True)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollBar(QuietScrollBar(Qt.Orientation.Vertical))
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setMouseTracking(True)
        self.verticalScrollBar().setSingleStep(24)
        self.setItemDelegate(PeopleDelegate(self, today))
        self.setModel(model)
        self.clicked.connect(lambda index: self.entered.emit(index.data(PERSON_ROLE)))
        self._theme.changed.connect(self._restyle)

    @property
    def current(self) -> EntitySummary | None:
        index = self.currentIndex()
        person: EntitySummary | None = index.data(PERSON_ROLE) if index.isValid() else None
        return person

    def show_current(self, row: int | None) -> None:
        """Mark a row, or none, without telling of it."""
        self._is_quiet = True
        try:
            if row is None:
                self.setCurrentIndex(QModelIndex())
            elif self.currentIndex().row() != row:
                self.setCurrentIndex(self.model().index(row, 0))
        finally:
            self._is_quiet = False

    def choose_row(self, row: int) -> None:
        self.setCurrentIndex(self.model().index(row, 0))

    def _restyle(self) -> None:
        self.scheduleDelayedItemsLayout()
        self.viewport().update()

    # Qt overrides

    def currentChanged(self, current: Index, previous: Index) -> None:
        super().currentChanged(current, previous)
        self.update(current)
        self.update(previous)
        if not self._is_quiet and current.isValid():
            self.person_chosen.emit(current.data(PERSON_ROLE))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.current is not None:
            self.entered.emit(self.current)
            return
        if event.key() == Qt.Key.Key_Up and self.currentIndex().row() <= 0:
            self.left_upwards.emit()
            return
        super().keyPressEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        if not self.currentIndex().isValid() and self.model().rowCount():
            self.show_current(0)  # somebody else may be on the way; Enter opens this one
        self.update(self.currentIndex())

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.update(self.currentIndex())
