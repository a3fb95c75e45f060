"""The list of opinions and how a row is painted: statement, who, how sure, its curve, its trend.

Short lists give a long statement a second line; in long ones all rows are as high, so that ten
thousand scroll as smoothly as ten. All text is a person's own and only ever plain. GUI thread.
"""

from __future__ import annotations

from collections import OrderedDict
from datetime import date

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFocusEvent, QFont, QFontMetricsF, QKeyEvent, QPainter, QPen
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFrame,
    QListView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from daybank_desktop.models.opinions_model import FoldRow, OpinionsModel, fold_words
from daybank_desktop.models.results_model import ROW_ROLE, Index
from daybank_desktop.services.opinions import OpinionRow
from daybank_desktop.theme import Theme
from daybank_desktop.widgets import paint, text_layout
from daybank_desktop.widgets.chart_geometry import ChartStep, points_of, sparkline
from daybank_desktop.widgets.quiet_scroll_bar import QuietScrollBar
from daybank_desktop.widgets.sure_slider import percent_text, sure_words

SHORT = 200
"""So many rows may each have their own height."""
_LINES = 2
_SIDE = 12
_TOP, _BETWEEN, _BOTTOM, _APART = 10, 4, 11, 2
_CURVE, _CURVE_HEIGHT = 72, 22
_KEPT = 400

_Curve = list[tuple[float, float]]


class OpinionList(QListView):
    """↑↓ moves, Enter opens, also the line that folds; ↑ on the first row leaves."""

    current_changed = Signal(object)  # OpinionRow or None
    opened = Signal(object)  # OpinionRow, by click or Enter
    fold_toggled = Signal()
    left_upwards = Signal()

    def __init__(self, model: OpinionsModel, today: date, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(self.tr("Opinions"))
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollBar(QuietScrollBar(Qt.Orientation.Vertical))
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setResizeMode(QListView.ResizeMode.Adjust)
        self.setMouseTracking(True)
        self.verticalScrollBar().setSingleStep(24)
        self.setItemDelegate(OpinionDelegate(self, today))
        model.modelAboutToBeReset.connect(lambda: self.setUniformItemSizes(False))
        model.modelReset.connect(lambda: self.setUniformItemSizes(model.rowCount() > SHORT))
        self.setModel(model)
        self.clicked.connect(lambda index: self._open(index.data(ROW_ROLE)))

    @property
    def current_row(self) -> OpinionRow | None:
        index = self.currentIndex()
        row = index.data(ROW_ROLE) if index.isValid() else None
        return row if isinstance(row, OpinionRow) else None

    def select_row(self, number: int) -> None:
        """Make a row the current one and bring it into sight."""
        index = self.model().index(number, 0)
        if index.isValid():
            self.setCurrentIndex(index)
            self.scrollTo(index)

    def _open(self, row: object) -> None:
        if isinstance(row, FoldRow):
            self.fold_toggled.emit()
        elif isinstance(row, OpinionRow):
            self.opened.emit(row)

    # Qt overrides

    def currentChanged(self, current: Index, previous: Index) -> None:
        super().currentChanged(current, previous)
        self.current_changed.emit(self.current_row)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        index = self.currentIndex()
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and index.isValid():
            self._open(index.data(ROW_ROLE))
        elif event.key() == Qt.Key.Key_Space and isinstance(index.data(ROW_ROLE), FoldRow):
            self.fold_toggled.emit()
        elif event.key() == Qt.Key.Key_Up and index.row() <= 0:
            self.left_upwards.emit()
        else:
            super().keyPressEvent(event)

    def keyboardSearch(self, search: str) -> None:
        """Letters belong to the filter; jumping by first letter would only surprise."""

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        if not self.currentIndex().isValid():
            self.select_row(0)
        self.viewport().update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.viewport().update()


class OpinionDelegate(QStyledItemDelegate):
    """Paints the rows of an OpinionsModel; layouts and curves of what was in sight are kept."""

    def __init__(self, view: OpinionList, today: date) -> None:
        super().__init__(view)
        self._view = view
        self._today = today.toordinal()
        self._theme = Theme.of(view)
        self._blocks: OrderedDict[tuple[str, int, int], text_layout.TextBlock] = OrderedDict()
        self._curves: OrderedDict[int, tuple[OpinionRow, _Curve]] = OrderedDict()
        self._theme.changed.connect(self._restyle)

    def _restyle(self) -> None:
        self._blocks.clear()
        self._curves.clear()
        self._view.scheduleDelayedItemsLayout()
        self._view.viewport().update()

    # Qt overrides

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        theme = self._theme
        width = self._view.viewport().width()
        row = index.data(ROW_ROLE)
        uniform = self._view.uniformItemSizes()
        if isinstance(row, FoldRow) and not uniform:
            return QSize(width, max(28, theme.px(36)) + _APART)
        words = _LINES * theme.line_height("body")
        if not uniform:
            words = round(self._block(row, width).height) + self._mark_height(row)
        below = theme.px(_CURVE_HEIGHT)
        return QSize(width, _TOP + words + _BETWEEN + below + _BOTTOM + _APART)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        row = index.data(ROW_ROLE)
        area = QRectF(option.rect).adjusted(0, 0, 0, -_APART)
        painter.save()
        self._paint_ground(painter, area, option)
        if isinstance(row, FoldRow):
            self._paint_fold(painter, area, row)
        elif isinstance(row, OpinionRow):
            self._paint_row(painter, area, row)
        painter.restore()

    # Painting

    def _paint_ground(self, painter: QPainter, area: QRectF, option: QStyleOptionViewItem) -> None:
        theme = self._theme
        state = option.state
        fill = ""
        if state & QStyle.StateFlag.State_Selected:
            fill = "accent.soft"
        elif state & QStyle.StateFlag.State_MouseOver:
            fill = "bg.hover"
        ring = bool(state & QStyle.StateFlag.State_Selected) and (
            self._view.hasFocus() or theme.is_high_contrast
        )
        border = theme.color("focus.ring") if ring else None
        if fill or border:
            ground = theme.color(fill) if fill else None
            paint.rounded(painter, area, theme.radius("md"), ground, border, 2)

    def _paint_fold(self, painter: QPainter, area: QRectF, row: FoldRow) -> None:
        theme = self._theme
        side = theme.px(14)
        icon = "action.dropdown" if row.is_open else "action.forward"
        spot = QRectF(area.x() + _SIDE, area.y(), side, area.height())
        paint.icon(painter, theme, self._view, icon, "text.secondary", spot)
        painter.setFont(theme.font("control"))
        words = area.adjusted(_SIDE + side + 6, 0, -_SIDE, 0)
        paint.text(painter, words, fold_words(row), theme.color("text.secondary"), elide=True)

    def _paint_row(self, painter: QPainter, area: QRectF, row: OpinionRow) -> None:
        theme = self._theme
        block = self._block(row, round(area.width()))
        ink = theme.color("text.secondary" if row.is_over else "text.primary")
        at = QPointF(area.x() + _SIDE, area.y() + _TOP)
        block.paint(painter, at, ink, theme.color("mark.bg"))
        height = theme.px(_CURVE_HEIGHT)
        width = area.width() - 2 * _SIDE
        line = QRectF(at.x(), at.y() + block.height + _BETWEEN, width, height)
        self._paint_below(painter, line, row)
        mark = QRectF(at.x(), line.bottom(), width, self._mark_height(row))
        painter.setFont(theme.font("caption"))
        if not row.opinion.on_page:
            words = self.tr("not on a page yet")
            paint.text(painter, mark, words, theme.color("text.tertiary"), elide=True)

    def _mark_height(self, row: OpinionRow) -> int:
        """Of the line that says of an opinion that only a log has it."""
        return 0 if row.opinion.on_page else self._theme.line_height("caption")

    def _paint_below(self, painter: QPainter, line: QRectF, row: OpinionRow) -> None:
        theme = self._theme
        side = theme.px(16)
        icons = {1: ("state.up", "positive"), -1: ("state.down", "negative")}
        name, color = icons.get(
            (row.change > 0) - (row.change < 0), ("state.same", "text.tertiary")
        )
        spot = QRectF(line.right() - side, line.y(), side, line.height())
        if len(row.opinion.steps) > 1:
            paint.icon(painter, theme, self._view, name, color, spot)
        font = theme.font("bodyStrong", tabular=True)
        width = QFontMetricsF(font).horizontalAdvance(percent_text(100))
        percent = QRectF(spot.left() - 8 - width, line.y(), width, line.height())
        painter.setFont(font)
        right = Qt.AlignmentFlag.AlignRight
        ink = theme.color("text.secondary" if row.is_over else "text.primary")
        paint.text(painter, percent, percent_text(row.percent), ink, right)
        rest = QRectF(line.x(), line.y(), percent.left() - line.x() - 8, line.height())
        self._paint_who(painter, self._paint_middle(painter, rest, row), row)

    def _paint_middle(self, painter: QPainter, rest: QRectF, row: OpinionRow) -> QRectF:
        """The curve, where there is one; gives back the room on its left."""
        theme = self._theme
        if len(row.opinion.steps) < 2:
            return rest
        width = float(theme.px(_CURVE))
        if rest.width() < 2 * width:
            width = rest.width() / 3
        left = rest.right() - width
        self._paint_curve(painter, QPointF(left, rest.y() + 2), width, rest.height() - 4, row)
        return rest.adjusted(0, 0, -width - 8, 0)

    def _paint_curve(
        self, painter: QPainter, at: QPointF, width: float, height: float, row: OpinionRow
    ) -> None:
        theme = self._theme
        half = round(at.y() + height / 2) + 0.5
        pen = QPen(theme.color("chart.muted"), 1)
        pen.setDashPattern([1.5, 2.5])
        painter.setPen(pen)
        painter.drawLine(QPointF(at.x(), half), QPointF(at.x() + width, half))
        painter.setPen(QPen(theme.color("chart.muted" if row.is_over else "chart.line"), 1.5))
        painter.drawPolyline(
            [QPointF(at.x() + x * width, at.y() + y * height) for x, y in self._curve(row)]
        )

    def _paint_who(self, painter: QPainter, area: QRectF, row: OpinionRow) -> None:
        """Names give way, what is said of them does not: “Bakery on… · doubtful”."""
        theme = self._theme
        font = theme.font("caption")
        metrics = QFontMetricsF(font)
        words = sure_words(row.percent)
        names = ", ".join(row.opinion.entities)
        if names:
            words = f" · {words}"
            names = text_layout.elided(
                names, font, max(24.0, area.width() - metrics.horizontalAdvance(words))
            )
        painter.setFont(font)
        ink = theme.color("text.secondary")
        said = text_layout.elided(names + words, font, area.width())
        paint.text(painter, area, said, ink)

    # What is kept

    def _font(self) -> QFont:
        font = self._theme.font("body")
        font.setWeight(QFont.Weight.Medium)
        return font

    def _block(self, row: OpinionRow, width: int) -> text_layout.TextBlock:
        # Where all rows are as high, the mark below takes the second line's room.
        most = 1 if self._view.uniformItemSizes() and not row.opinion.on_page else _LINES
        key = (row.opinion.statement, width, most)
        block = self._blocks.get(key)
        if block is None:
            font = self._font()
            room = max(40, width - 2 * _SIDE)
            part = text_layout.excerpt(row.opinion.statement, (), font, room, most)
            line = self._theme.line_height("body")
            block = text_layout.lay_out(part.text, font, room, line, max_lines=most)
            self._blocks[key] = block
            if len(self._blocks) > _KEPT:
                self._blocks.popitem(last=False)
        return block

    def _curve(self, row: OpinionRow) -> _Curve:
        """In a square of one by one."""
        kept = self._curves.get(id(row))
        if kept is None or kept[0] is not row:
            steps = [
                ChartStep(s.day.toordinal() if s.day else None, s.value, s.delta, s.key)
                for s in row.opinion.steps
            ]
            kept = (row, sparkline(points_of(steps), self._today, 1.0, 1.0))
            self._curves[id(row)] = kept
            if len(self._curves) > _KEPT:
                self._curves.popitem(last=False)
        return kept[1]
