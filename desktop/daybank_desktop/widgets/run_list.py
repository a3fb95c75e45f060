"""The list of runs: columns of words where there is room for them, two lines where there is not;
what a run did unfolds below it, wrapped, never cut.

Painted by hand, plain text only. Only rows in sight are painted. GUI thread.
"""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QPointF, QRect, QRectF, QSize, Qt
from PySide6.QtCore import Signal as QtSignal
from PySide6.QtGui import (
    QFocusEvent,
    QFont,
    QKeyEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QResizeEvent,
)
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QSizePolicy,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTreeView,
    QWidget,
)

from daybank_desktop import phrases, run_words, suggestion_words
from daybank_desktop.models.runs_model import NODE_ROLE, Node, RunsModel, Sort
from daybank_desktop.theme import Theme
from daybank_desktop.widgets import paint, text_layout

Index = QModelIndex | QPersistentModelIndex

ROW = 44
_TWO_LINES = 60
_WIDE = 780
_LEFT, _RIGHT = 14, 14
_CHEVRON = 16
_INDENT = 22
_PAD = 4
_KEPT = 600
_LONGEST = 1200  # letters of a line; nobody reads more of it here


@dataclass(frozen=True, slots=True)
class Columns:
    """Where the columns are, as shares of the width: when, how long, what it looked at, suggested,
    passed over, what came of it."""

    left: float
    width: float

    SHARES = (0.23, 0.11, 0.22, 0.11, 0.12, 0.21)

    def area(self, column: int, y: float, height: float) -> QRectF:
        start = self.left + self.width * sum(self.SHARES[:column])
        return QRectF(start, y, self.width * self.SHARES[column] - 8, height)


def is_wide(theme: Theme, width: float) -> bool:
    """Whether a row of ``width`` has room for columns."""
    return width >= theme.px(_WIDE)


def columns(theme: Theme, width: float) -> Columns:
    left = _LEFT + theme.px(_CHEVRON) + 8
    return Columns(left, max(1.0, width - left - _RIGHT))


class RunHeads(QWidget):
    """The names of the columns of ``view``, above it."""

    def __init__(self, view: QTreeView, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._view = view
        self._theme = Theme.of(self)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self._theme.changed.connect(self.updateGeometry)

    def sizeHint(self) -> QSize:
        return QSize(self._theme.px(320), self._theme.px(34))

    def paintEvent(self, event: QPaintEvent) -> None:
        theme, painter = self._theme, QPainter(self)
        painter.setFont(theme.font("caption"))
        where = columns(theme, self._view.viewport().width())
        for column, words in enumerate(
            (
                self.tr("When"),
                self.tr("How long"),
                self.tr("Looked at"),
                self.tr("Suggested"),
                self.tr("Passed over"),
                self.tr("What came of it"),
            )
        ):
            area = where.area(column, 0, float(self.height()))
            words = text_layout.elided(words, painter.font(), area.width())
            paint.text(painter, area, words, theme.color("text.secondary"))
        painter.setPen(QPen(theme.color("border.subtle"), 1))
        y = self.height() - 0.5
        painter.drawLine(QPointF(0, y), QPointF(self.width(), y))


class RunDelegate(QStyledItemDelegate):
    """Paints a Node."""

    def __init__(self, view: QTreeView, model: RunsModel) -> None:
        super().__init__(view)
        self._view = view
        self._model = model
        self._theme = Theme.of(view)
        self._blocks: OrderedDict[object, text_layout.TextBlock] = OrderedDict()
        self._theme.changed.connect(self.forget)

    def forget(self) -> None:
        self._blocks.clear()

    # How high

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        theme = self._theme
        node: Node = index.data(NODE_ROLE)
        width = self._view.viewport().width()
        if node.sort is Sort.RUN:
            height = theme.px(ROW if is_wide(theme, width) else _TWO_LINES)
            return QSize(0, max(28, height))
        if node.sort is Sort.HEAD:
            return QSize(0, theme.px(30))
        room = self._room(node, width)
        tall = self._block(node, node.row.title, "small", room).height
        if node.row.line and not self._is_aside(node):
            tall += self._block(node, node.row.line, "caption", room).height
        return QSize(0, max(28, round(tall) + 2 * _PAD))

    @staticmethod
    def _is_aside(node: Node) -> bool:
        """Whether the second part is a few words beside the first."""
        return node.sort is Sort.REASON

    def _depth(self, node: Node) -> int:
        depth = 0
        while node.parent is not None:
            node, depth = node.parent, depth + 1
        return depth

    def _left_of(self, node: Node) -> float:
        start = _LEFT + self._theme.px(_CHEVRON) + 8
        return start + (self._depth(node) - 1) * self._theme.px(_INDENT)

    def _room(self, node: Node, width: float) -> float:
        room = width - self._left_of(node) - self._theme.px(_CHEVRON) - 8 - _RIGHT
        if self._is_aside(node):
            room -= self._theme.px(90)
        return max(60.0, room)

    def _block(self, node: Node, text: str, style: str, room: float) -> text_layout.TextBlock:
        key = (id(node), text, style, room)
        block = self._blocks.get(key)
        if block is None:
            words = text_layout.shown(text)
            if len(words) > _LONGEST:
                words = words[: text_layout.cluster_start(words, _LONGEST)] + text_layout.ELLIPSIS
            theme = self._theme
            font = theme.font(style)
            block = text_layout.lay_out(words, font, room, theme.line_height(style))
            self._blocks[key] = block
            while len(self._blocks) > _KEPT:
                self._blocks.popitem(last=False)
        return block

    # How it looks

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        node: Node = index.data(NODE_ROLE)
        area = QRectF(option.rect)
        painter.save()
        self._paint_ground(painter, option, area, index, node)
        if node.sort is Sort.RUN:
            self._paint_run(painter, area, index, node)
        else:
            self._paint_below(painter, area, index, node)
        painter.restore()

    def _paint_ground(
        self,
        painter: QPainter,
        option: QStyleOptionViewItem,
        area: QRectF,
        index: Index,
        node: Node,
    ) -> None:
        theme = self._theme
        if node.sort is Sort.RUN and index.row() > 0:
            painter.setPen(QPen(theme.color("border.subtle"), 1))
            painter.drawLine(area.topLeft() + QPointF(0, 0.5), area.topRight() + QPointF(0, 0.5))
        back = area.adjusted(4, 2, -4, -2)
        if index == self._view.currentIndex() and self._view.hasFocus():
            ring = theme.color("focus.ring")
            paint.rounded(painter, back, theme.radius("md"), theme.color("accent.soft"), ring, 2)
        elif option.state & QStyle.StateFlag.State_MouseOver and _can_be_pressed(node):
            paint.rounded(painter, back, theme.radius("md"), theme.color("bg.hover"))

    def _paint_run(self, painter: QPainter, area: QRectF, index: Index, node: Node) -> None:
        theme, line = self._theme, node.run
        where = columns(theme, area.width())
        self._paint_chevron(
            painter, QRectF(_LEFT, area.y(), theme.px(_CHEVRON), area.height()), index
        )
        when = suggestion_words.moment(line.started, self._model.today)
        when = when[:1].upper() + when[1:]
        icon, ink = run_words.looks(line)
        if is_wide(theme, area.width()):
            cells = (
                when,
                run_words.took(line.seconds),
                run_words.looked(line),
                _number(line.made + line.waited),
                _number(line.skipped),
            )
            for column, words in enumerate(cells):
                self._write(
                    painter,
                    where.area(column, area.y(), area.height()),
                    words,
                    "bodyStrong" if column == 0 else "small",
                    "text.primary" if column == 0 else "text.secondary",
                )
            self._paint_result(
                painter,
                where.area(len(cells), area.y(), area.height()),
                icon,
                ink,
                line_words(node),
            )
            return
        upper, lower = theme.line_height("body"), theme.line_height("small")
        top = area.y() + (area.height() - upper - lower) / 2
        half = where.width * 0.5
        self._write(
            painter, QRectF(where.left, top, half, upper), when, "bodyStrong", "text.primary"
        )
        self._paint_result(
            painter, QRectF(where.left + half, top, half, upper), icon, ink, line_words(node)
        )
        parts = [run_words.took(line.seconds), run_words.looked(line)]
        if line.skipped:
            over = self.tr("{count} passed over").format(count=phrases.count(line.skipped))
            parts.append(over)
        self._write(
            painter,
            QRectF(where.left, top + upper, where.width, lower),
            " · ".join(parts),
            "small",
            "text.secondary",
        )

    def _paint_result(
        self, painter: QPainter, area: QRectF, icon: str, ink: str, words: str
    ) -> None:
        theme = self._theme
        side = theme.px(16)
        spot = QRectF(area.x(), area.y(), side, area.height())
        paint.icon(painter, theme, self._view, icon, ink, spot)
        color = ink if ink == "negative" else "text.primary"
        self._write(painter, area.adjusted(side + 6, 0, 8, 0), words, "small", color)

    def _paint_below(self, painter: QPainter, area: QRectF, index: Index, node: Node) -> None:
        theme = self._theme
        left = self._left_of(node)
        if node.sort is Sort.HEAD:
            caption = QRectF(left, area.y() + 6, area.width() - left, area.height() - 6)
            self._write(painter, caption, node.row.title, "captionStrong", "text.secondary")
            return
        side = theme.px(_CHEVRON)
        first = theme.line_height("small") + 2 * _PAD
        mark = QRectF(left, area.y(), side, min(first, area.height()))
        if node.children:
            self._paint_chevron(painter, mark, index)
        elif icon := _ICONS.get(node.sort):
            ink = "negative" if node.sort is Sort.ERROR else "accent"
            small = theme.px(14)
            spot = QRectF(mark.x(), mark.y(), small, mark.height())
            if node.leads or node.sort is Sort.ERROR:
                paint.icon(painter, theme, self._view, icon, ink, spot)
        room = self._room(node, area.width())
        at = QPointF(left + side + 8, area.y() + _PAD)
        block = self._block(node, node.row.title, "small", room)
        ink = "accent" if node.leads else "negative" if node.sort is Sort.ERROR else "text.primary"
        block.paint(painter, at, theme.color(ink), theme.color("mark.bg"))
        if not node.row.line:
            return
        if self._is_aside(node):
            aside = QRectF(
                area.width() - _RIGHT - theme.px(84), area.y() + _PAD, theme.px(84), block.height
            )
            aside.setHeight(theme.line_height("small"))
            self._write(painter, aside, node.row.line, "caption", "text.secondary", right=True)
            return
        under = self._block(node, node.row.line, "caption", room)
        at += QPointF(0, block.height)
        under.paint(painter, at, theme.color("text.secondary"), theme.color("mark.bg"))

    def _paint_chevron(self, painter: QPainter, area: QRectF, index: Index) -> None:
        open_ = self._view.isExpanded(index)
        name = "action.dropdown" if open_ else "action.forward"
        spot = QRectF(area.x(), area.y(), self._theme.px(_CHEVRON), area.height())
        paint.icon(painter, self._theme, self._view, name, "text.secondary", spot)

    def _write(
        self,
        painter: QPainter,
        area: QRectF,
        words: str,
        style: str,
        color: str,
        *,
        right: bool = False,
    ) -> None:
        font: QFont = self._theme.font(style, tabular=True)
        painter.setFont(font)
        flag = Qt.AlignmentFlag.AlignRight if right else Qt.AlignmentFlag.AlignLeft
        words = text_layout.elided(words, font, area.width())
        paint.text(painter, area, words, self._theme.color(color), flag)


_ICONS = {
    Sort.SUGGESTION: "page.review",
    Sort.PLACE: "action.jump",
    Sort.MORE: "action.more",
    Sort.ERROR: "state.error",
}


def _can_be_pressed(node: Node) -> bool:
    return node.leads or node.sort is Sort.RUN or bool(node.children)


def line_words(node: Node) -> str:
    return run_words.result(node.run)


def _number(number: int) -> str:
    return phrases.count(number) if number else "–"


class RunList(QTreeView):
    """→ unfolds and ← folds; Enter does the same, and goes where a line leads."""

    opened = QtSignal(object)  # Node that leads somewhere
    unfolded = QtSignal(str)  # the id of a run, "" when it is folded again

    def __init__(self, model: RunsModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = Theme.of(self)
        self._runs = model
        self.setAccessibleName(self.tr("Run history"))
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHeaderHidden(True)
        self.setRootIsDecorated(False)
        self.setIndentation(0)
        self.setItemsExpandable(True)
        self.setExpandsOnDoubleClick(False)
        self.setAnimated(False)
        self.setUniformRowHeights(False)
        self.setMouseTracking(True)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.verticalScrollBar().setSingleStep(24)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self._delegate = RunDelegate(self, model)
        self.setItemDelegate(self._delegate)
        self.setModel(model)
        self.clicked.connect(self._act)
        self.expanded.connect(lambda index: self._tell(index, unfolded=True))
        self.collapsed.connect(lambda index: self._tell(index, unfolded=False))
        self._theme.changed.connect(self._restyle)

    def unfold(self, run_id: str) -> None:
        """Unfold a run and go to it."""
        index = self._runs.index_of(run_id)
        if index.isValid():
            self.setCurrentIndex(index)
            self.expand(index)
            self.scrollTo(index, QAbstractItemView.ScrollHint.PositionAtTop)

    def _act(self, index: QModelIndex) -> None:
        node: Node | None = index.data(NODE_ROLE)
        if node is None:
            return
        if node.leads:
            self.opened.emit(node)
        elif node.sort is Sort.RUN or node.children:
            self.setExpanded(index, not self.isExpanded(index))

    def _tell(self, index: QModelIndex, *, unfolded: bool) -> None:
        node: Node | None = index.data(NODE_ROLE)
        if node is not None and node.sort is Sort.RUN:
            if unfolded:
                self._runs.ask(index)
            self.unfolded.emit(node.run.id if unfolded else "")

    def _restyle(self) -> None:
        self._delegate.forget()
        self.scheduleDelayedItemsLayout()
        self.viewport().update()

    # Qt overrides

    def drawBranches(self, painter: QPainter, rect: QRect, index: Index) -> None:
        """The delegate paints them."""

    def keyPressEvent(self, event: QKeyEvent) -> None:
        keys = (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space)
        if event.key() in keys and self.currentIndex().isValid():
            self._act(self.currentIndex())
            return
        super().keyPressEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.oldSize().width() != event.size().width():
            self._delegate.forget()
            self.scheduleDelayedItemsLayout()

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        if not self.currentIndex().isValid() and self.model().rowCount():
            self.setCurrentIndex(self.model().index(0, 0))
        self.viewport().update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.viewport().update()
