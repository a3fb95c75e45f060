"""A short list of topics, each with an icon; the one that is marked is shown beside it.

GUI thread only.
"""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFocusEvent, QFont, QKeyEvent, QPainter, QStandardItem, QStandardItemModel
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QListView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from daybank_desktop.theme import Theme
from daybank_desktop.widgets import paint

Index = QModelIndex | QPersistentModelIndex
_ID = Qt.ItemDataRole.UserRole
_ICON = Qt.ItemDataRole.UserRole + 1
_ROW = 36


class TopicList(QListView):
    """↑↓ Home and End mark and show; Enter or a click goes into what is shown."""

    shown = Signal(str)  # by moving to it
    entered = Signal(str)  # Enter or a click

    def __init__(
        self, name: str, topics: Sequence[tuple[str, str, str]], parent: QWidget | None = None
    ) -> None:
        """``topics`` are (id, icon, words)."""
        super().__init__(parent)
        self._theme = Theme.of(self)
        self._is_quiet = False
        self.setAccessibleName(name)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setUniformItemSizes(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setMouseTracking(True)
        self._model = QStandardItemModel(self)
        for id_, icon, words in topics:
            item = QStandardItem(words)
            item.setData(id_, _ID)
            item.setData(icon, _ICON)
            self._model.appendRow(item)
        self.setItemDelegate(_TopicDelegate(self))
        self.setModel(self._model)
        self.clicked.connect(lambda index: self.entered.emit(str(index.data(_ID))))
        self._theme.changed.connect(self.scheduleDelayedItemsLayout)

    @property
    def current(self) -> str:
        index = self.currentIndex()
        return str(index.data(_ID)) if index.isValid() else ""

    def show_current(self, id_: str) -> None:
        """Mark a topic without telling of it."""
        self._is_quiet = True
        try:
            for number in range(self._model.rowCount()):
                index = self._model.index(number, 0)
                if index.data(_ID) == id_:
                    self.setCurrentIndex(index)
        finally:
            self._is_quiet = False

    # Qt overrides

    def currentChanged(self, current: Index, previous: Index) -> None:
        super().currentChanged(current, previous)
        self.viewport().update()
        if not self._is_quiet and current.isValid():
            self.shown.emit(str(current.data(_ID)))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.current:
            self.entered.emit(self.current)
            return
        super().keyPressEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.viewport().update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.viewport().update()


class _TopicDelegate(QStyledItemDelegate):
    def __init__(self, view: TopicList) -> None:
        super().__init__(view)
        self._view = view
        self._theme = Theme.of(view)

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(0, self._theme.px(_ROW))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        theme = self._theme
        chosen = index == self._view.currentIndex()
        row = QRectF(option.rect).adjusted(0, 1, 0, -1)
        painter.save()
        ink = "text.secondary"
        if chosen:
            edge = theme.color("accent") if theme.is_high_contrast else None
            paint.rounded(painter, row, theme.radius("md"), theme.color("accent.soft"), edge)
            ink = "accent.softText"
            if self._view.hasFocus():
                ring = theme.color("focus.ring")
                paint.rounded(painter, row, theme.radius("md"), None, ring, 2)
        elif option.state & QStyle.StateFlag.State_MouseOver:
            paint.rounded(painter, row, theme.radius("md"), theme.color("bg.hover"))
        side = theme.px(18)
        spot = QRectF(row.x() + 10, row.y(), side, row.height())
        paint.icon(painter, theme, self._view, str(index.data(_ICON)), ink, spot)
        font = theme.font("body")
        font.setWeight(QFont.Weight.DemiBold if chosen else QFont.Weight.Medium)
        painter.setFont(font)
        room = QRectF(spot.right() + 10, row.y(), row.right() - spot.right() - 18, row.height())
        paint.text(painter, room, str(index.data()), theme.color(ink), elide=True)
        painter.restore()
