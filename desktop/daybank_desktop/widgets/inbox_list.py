"""The list of suggestions with its keys, painted by hand: names are plain text. GUI thread."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QPainter
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QListView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from daybank.review.proposal import State
from daybank_desktop import phrases, suggestion_words
from daybank_desktop.models.inbox_model import ROW_ROLE, GroupRow, InboxModel, ItemRow, Row
from daybank_desktop.theme import Theme
from daybank_desktop.widgets import paint, text_layout

Index = QModelIndex | QPersistentModelIndex

_SIDE = 10
_ITEM, _GROUP = 54, 34
_ICON_LEFT = 10
_TEXT_LEFT = 38


class InboxDelegate(QStyledItemDelegate):
    """Headings and suggestions of an InboxModel; their heights do not depend on the text."""

    def __init__(self, view: QAbstractItemView) -> None:
        super().__init__(view)
        self._view = view
        self._theme = Theme.of(view)
        self._theme.changed.connect(view.scheduleDelayedItemsLayout)

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        row: Row = index.data(ROW_ROLE)
        return QSize(0, self._theme.px(_GROUP if isinstance(row, GroupRow) else _ITEM))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        row: Row = index.data(ROW_ROLE)
        area = QRectF(option.rect).adjusted(_SIDE, 0, -_SIDE, 0)
        painter.save()
        if isinstance(row, GroupRow):
            self._paint_group(painter, area, row)
        else:
            self._paint_item(painter, area, row, option, is_current=index == self._current())
        painter.restore()

    def _current(self) -> QModelIndex:
        return self._view.currentIndex()

    def _paint_group(self, painter: QPainter, area: QRectF, row: GroupRow) -> None:
        theme = self._theme
        line = theme.line_height("captionStrong")
        spot = QRectF(area.x() + _ICON_LEFT, area.bottom() - line - 5, area.width() - 20, line)
        painter.setFont(theme.font("captionStrong", tabular=True))
        count = phrases.count(row.count)
        ink = theme.color("text.secondary")
        paint.text(painter, spot, count, ink, Qt.AlignmentFlag.AlignRight)
        room = spot.adjusted(0, 0, -painter.fontMetrics().horizontalAdvance(count) - 8, 0)
        paint.text(painter, room, row.title, ink, elide=True)

    def _paint_item(
        self,
        painter: QPainter,
        area: QRectF,
        row: ItemRow,
        option: QStyleOptionViewItem,
        *,
        is_current: bool,
    ) -> None:
        theme = self._theme
        hovered = bool(option.state & QStyle.StateFlag.State_MouseOver)
        if is_current or hovered:
            ring = is_current and (self._view.hasFocus() or theme.is_high_contrast)
            fill = theme.color("accent.soft" if is_current else "bg.hover")
            border = theme.color("accent") if ring else None
            paint.rounded(painter, area, theme.radius("md"), fill, border, 2)
        title, line = theme.line_height("body"), theme.line_height("caption")
        top = area.y() + (area.height() - title - line) / 2
        left = area.x() + theme.px(_TEXT_LEFT)
        width = area.right() - 10 - left
        icon, color = row.icon, "accent" if is_current else "text.secondary"
        if row.state is not State.WAITING:
            icon, color = suggestion_words.state_icon(row.state)
        side = theme.px(18)
        spot = QRectF(area.x() + _ICON_LEFT, top + (title - side) / 2, side, side)
        paint.icon(painter, theme, self._view, icon, color, spot)
        strong = theme.font("bodyStrong")
        painter.setFont(strong)
        words = text_layout.elided(row.title, strong, width)
        paint.text(painter, QRectF(left, top, width, title), words, theme.color("text.primary"))
        small = theme.font("caption", tabular=True)
        painter.setFont(small)
        words = text_layout.elided(row.line, small, width)
        below = QRectF(left, top + title, width, line)
        paint.text(painter, below, words, theme.color("text.secondary"))


class InboxList(QListView):
    """↑↓ moves over the headings, Enter opens; letters are left to the page."""

    chosen = Signal(str)  # the suggestion that is the current one now
    picked = Signal(str)  # by the pointer
    opened = Signal(str)  # by Enter
    menu_asked = Signal(object, QPointF)  # GroupRow, where on the screen

    def __init__(self, model: InboxModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(self.tr("Suggestions"))
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setMouseTracking(True)
        self._inbox = model
        self._quiet = False
        self.setItemDelegate(InboxDelegate(self))
        self.setModel(model)
        self.clicked.connect(self._on_clicked)

    @property
    def current_id(self) -> str:
        index = self.currentIndex()
        row = index.data(ROW_ROLE) if index.isValid() else None
        return row.id if isinstance(row, ItemRow) else ""

    def select(self, pid: str) -> bool:
        """Make a suggestion the current one without telling; False where it is not listed."""
        number = self._inbox.row_of(pid)
        if number is None:
            return False
        index = self._inbox.index(number)
        if index != self.currentIndex():
            self._quiet = True
            self.setCurrentIndex(index)
            self._quiet = False
        return True

    def _on_clicked(self, index: QModelIndex) -> None:
        row = index.data(ROW_ROLE)
        if isinstance(row, ItemRow):
            self.picked.emit(row.id)

    # Qt overrides

    def currentChanged(self, current: Index, previous: Index) -> None:
        super().currentChanged(current, previous)
        if not self._quiet and self.current_id:
            self.chosen.emit(self.current_id)

    def contextMenuEvent(self, event: object) -> None:
        place = event.pos()  # type: ignore[attr-defined]
        row = self.indexAt(place).data(ROW_ROLE)
        if isinstance(row, GroupRow) and row.group is not None:
            self.menu_asked.emit(row, QPointF(event.globalPos()))  # type: ignore[attr-defined]

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.current_id:
            self.opened.emit(self.current_id)
            return
        if event.text().isalpha():
            event.ignore()  # A, E, R, J, K are the page's
            return
        super().keyPressEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        if not self.current_id and self._inbox.ids:
            number = self._inbox.row_of(self._inbox.ids[0])
            assert number is not None
            self.setCurrentIndex(self._inbox.index(number))
        self.viewport().update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.viewport().update()
