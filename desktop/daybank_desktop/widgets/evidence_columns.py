"""What speaks for an opinion and what against it, and below what moves nothing, and why not.

A row paints itself and is one thing to press: it opens the place that it comes from. All text is a
person's own and only ever plain. GUI thread only.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QEnterEvent,
    QFontMetricsF,
    QKeyEvent,
    QPainter,
    QPaintEvent,
    QResizeEvent,
)
from PySide6.QtWidgets import (
    QAbstractButton,
    QBoxLayout,
    QHBoxLayout,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from daybank_desktop.theme import Theme
from daybank_desktop.widgets import paint, text_layout
from daybank_desktop.widgets.buttons import Button
from daybank_desktop.widgets.column_area import ByWidth
from daybank_desktop.widgets.label import Label
from daybank_desktop.widgets.stance_mark import paint_mark, stance_color, stance_word
from daybank_desktop.widgets.surface import Card

FIRST = 8
MORE = 25
_MOST_LINES = 8
_SIDE = 14
_TOP, _BETWEEN, _BOTTOM = 10, 2, 10
_ONE_COLUMN_BELOW = 560


@dataclass(frozen=True, slots=True)
class EvidenceItem:
    """One piece of evidence in words. ``change`` is "+2" or empty; ``reason`` why it moves
    nothing; ``place`` where it stands, in a word or two; ``ref`` what to open, None for nothing."""

    key: str
    day: str
    change: str
    content: str
    place: str = ""
    ref: object = None
    reason: str = ""

    @property
    def spoken(self) -> str:
        parts = (
            stance_word(self.key),
            self.change,
            self.day,
            self.content,
            self.reason,
            self.place,
        )
        return ". ".join(part.rstrip(".") for part in parts if part) + "."


class EvidenceColumns(ByWidth):
    """For and Against side by side, one under the other where there is little room."""

    opened = Signal(object)  # the ref of an item

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.supporting = EvidenceColumn(self.tr("For"), self.tr("Nothing speaks for it yet."))
        self.opposing = EvidenceColumn(
            self.tr("Against"), self.tr("Nothing speaks against it yet.")
        )
        self.idle = EvidenceColumn(self.tr("Moves nothing"), "")
        self._columns = QHBoxLayout()
        self._columns.setSpacing(16)
        for column in (self.supporting, self.opposing):
            self._columns.addWidget(column, 1)
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        box.setSpacing(16)
        box.addLayout(self._columns)
        box.addWidget(self.idle)
        for column in (self.supporting, self.opposing, self.idle):
            column.opened.connect(self.opened)

    def set_evidence(
        self,
        supporting: Sequence[EvidenceItem],
        opposing: Sequence[EvidenceItem],
        idle: Sequence[EvidenceItem] = (),
    ) -> None:
        """Show it, in the order given. ``idle`` has a reason with each."""
        self.supporting.set_items(supporting)
        self.opposing.set_items(opposing)
        self.idle.set_items(idle)
        self.idle.setVisible(bool(idle))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        narrow = self.width() < Theme.of(self).px(_ONE_COLUMN_BELOW)
        way = QBoxLayout.Direction.TopToBottom if narrow else QBoxLayout.Direction.LeftToRight
        if self._columns.direction() != way:
            self._columns.setDirection(way)


class EvidenceColumn(ByWidth):
    """A heading with the count, and a card of rows; the first few, and more on request."""

    opened = Signal(object)

    def __init__(self, title: str, empty: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._items: tuple[EvidenceItem, ...] = ()
        self._rows: list[EvidenceRow] = []
        self._spare: list[EvidenceRow] = []  # hidden, in the order of the column
        self._count = Label("", "body", "text.tertiary", tabular=True)
        self._empty = Label(empty, "small", "text.tertiary", wrap=True)
        self._card = Card()
        self._box = QVBoxLayout(self._card)
        self._box.setContentsMargins(1, 1, 1, 1)
        self._box.setSpacing(0)
        self._more = Button("", "link", small=True)
        self._more.clicked.connect(self._show_more)
        head = QHBoxLayout()
        head.setSpacing(8)
        head.addWidget(Label(title, "bodyStrong"))
        head.addWidget(self._count)
        head.addStretch(1)
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        box.setSpacing(8)
        box.addLayout(head)
        box.addWidget(self._empty)
        box.addWidget(self._card)
        box.addWidget(self._more, 0, Qt.AlignmentFlag.AlignLeft)
        box.addStretch(1)
        self.setAccessibleName(title)

    @property
    def items(self) -> tuple[EvidenceItem, ...]:
        return self._items

    @property
    def rows(self) -> tuple[EvidenceRow, ...]:
        """The rows in sight."""
        return tuple(self._rows)

    @property
    def more_button(self) -> Button:
        return self._more

    def set_items(self, items: Sequence[EvidenceItem]) -> None:
        made = [*self._rows, *self._spare]
        self._rows, self._spare = [], made[:FIRST]
        for row in made[FIRST:]:
            self._box.removeWidget(row)
            row.hide()
            row.deleteLater()
        self._items = tuple(items)
        self._count.setText(str(len(self._items)))
        self._empty.setVisible(not self._items and bool(self._empty.text()))
        self._add(FIRST)
        for row in self._spare:
            row.hide()
        self._card.setVisible(bool(self._items))

    def _show_more(self) -> None:
        first = len(self._rows)
        self._add(MORE)
        self._rows[first].setFocus(Qt.FocusReason.OtherFocusReason)

    def _add(self, count: int) -> None:
        first = len(self._rows)
        self._box.setEnabled(False)  # else every row that comes lays out all around it
        for item in self._items[first : first + count]:
            if self._spare:
                row = self._spare.pop(0)
                if row.item != item:
                    row.set_item(item)
            else:
                row = EvidenceRow(item, has_line=bool(self._rows))
                row.opened.connect(self.opened)
                self._box.addWidget(row)
            self._rows.append(row)
            row.show()
        self._box.setEnabled(True)
        left = len(self._items) - len(self._rows)
        self._more.setVisible(left > 0)
        self._more.setText(self.tr("Show {count} more").format(count=min(left, MORE)))


class EvidenceRow(QAbstractButton):
    """A mark, the change, the day and the place, and below them the words."""

    opened = Signal(object)  # the ref of its item

    def __init__(
        self, item: EvidenceItem, *, has_line: bool = False, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._has_line = has_line
        self._theme = Theme.of(self)
        self._blocks: dict[tuple[str, int], text_layout.TextBlock] = {}
        self.clicked.connect(self._open)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.setProperty("focusRadius", 10)
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Minimum)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self._theme.changed.connect(self._restyle)
        self.set_item(item)

    def set_item(self, item: EvidenceItem) -> None:
        """Show another piece of evidence."""
        self.item = item
        opens = item.ref is not None
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus if opens else Qt.FocusPolicy.NoFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor if opens else Qt.CursorShape.ArrowCursor)
        self.setAccessibleName(item.spoken)
        self._restyle()

    def _open(self) -> None:
        if self.item.ref is not None:
            self.opened.emit(self.item.ref)

    def _restyle(self) -> None:
        self._blocks.clear()
        self.updateGeometry()
        self.update()

    def _block(self, text: str, width: int) -> text_layout.TextBlock:
        width = max(40, width - 2 * _SIDE)
        block = self._blocks.get((text, width))
        if block is None:
            font = self._theme.font("small")
            part = text_layout.excerpt(text, (), font, width, _MOST_LINES)
            height = self._theme.line_height("small")
            block = text_layout.lay_out(part.text, font, width, height, max_lines=_MOST_LINES)
            if len(self._blocks) > 12:
                self._blocks.clear()
            self._blocks[(text, width)] = block
        return block

    def _head_height(self) -> int:
        return max(self._theme.line_height("caption"), self._theme.px(16))

    # Qt overrides

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        height = _TOP + self._head_height() + _BOTTOM
        for text in (self.item.content, self.item.reason):
            if text:
                height += _BETWEEN + round(self._block(text, width).height)
        return max(28, height)

    def sizeHint(self) -> QSize:
        return QSize(self._theme.px(260), self.minimumSizeHint().height())

    def minimumSizeHint(self) -> QSize:
        return QSize(self._theme.px(120), self._theme.px(28))

    def paintEvent(self, event: QPaintEvent) -> None:
        theme, item = self._theme, self.item
        painter = QPainter(self)
        if item.ref is not None and (self.underMouse() or self.isDown()):
            fill = "bg.pressed" if self.isDown() else "bg.hover"
            area = QRectF(self.rect()).adjusted(3, 3, -3, -3)
            paint.rounded(painter, area, theme.radius("md"), theme.color(fill))
        if self._has_line:
            painter.fillRect(0, 0, self.width(), 1, theme.color("border.subtle"))
        y = float(_TOP)
        self._paint_head(painter, QRectF(_SIDE, y, self.width() - 2 * _SIDE, self._head_height()))
        y += self._head_height()
        for text, color in ((item.content, "text.primary"), (item.reason, "text.secondary")):
            if text:
                block = self._block(text, self.width())
                at = QPointF(_SIDE, y + _BETWEEN)
                block.paint(painter, at, theme.color(color), theme.color("mark.bg"))
                y += _BETWEEN + block.height

    def _paint_head(self, painter: QPainter, area: QRectF) -> None:
        theme, item = self._theme, self.item
        color = stance_color(item.key) if not item.reason else "text.tertiary"
        side = theme.px(10)
        middle = QPointF(area.x() + side / 2 + 1, area.center().y())
        if item.key != "evidence":
            paint_mark(painter, theme, item.key, middle, side)
            area = area.adjusted(side + 12, 0, 0, 0)
        if item.ref is not None:
            arrow = theme.px(14)
            spot = QRectF(area.right() - arrow, area.y(), arrow, area.height())
            paint.icon(painter, theme, self, "action.jump", "text.secondary", spot)
            area = area.adjusted(0, 0, -arrow - 4, 0)
        strong = theme.font("captionStrong", tabular=True)
        plain = theme.font("caption", tabular=True)
        for words, font, ink in (
            (item.change, strong, color),
            (stance_word(item.key) if item.reason else "", plain, "text.secondary"),
            (item.day, plain, "text.secondary"),
        ):
            if words:
                painter.setFont(font)
                paint.text(painter, area, words, theme.color(ink), elide=True)
                area.adjust(QFontMetricsF(font).horizontalAdvance(words) + 9, 0, 0, 0)
        painter.setFont(plain)
        place = text_layout.elided(item.place, plain, area.width())
        right = Qt.AlignmentFlag.AlignRight
        paint.text(painter, area, place, theme.color("text.tertiary"), right)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.click()
        elif event.key() == Qt.Key.Key_Down:
            self.focusNextChild()
        elif event.key() == Qt.Key.Key_Up:
            self.focusPreviousChild()
        else:
            super().keyPressEvent(event)

    def enterEvent(self, event: QEnterEvent) -> None:
        super().enterEvent(event)
        self.update()

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self.update()
