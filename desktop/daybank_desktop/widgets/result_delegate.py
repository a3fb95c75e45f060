"""The cards of the search page, painted by hand: a recalled note, or a day while nothing is asked.

All text is a person's own and is only ever laid out as plain text. Heights and layouts are kept by
(id, words found, width, look), so that scrolling and moving through thousands of rows lays out only
what comes into sight. Of a new list only the rows in sight are measured at once; the others have an
estimated height until somebody calls :meth:`ResultDelegate.measure`. GUI thread.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QFontMetricsF, QPainter, QPen
from PySide6.QtWidgets import (
    QAbstractItemView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
)

from daybank.recall.results import RecallResult
from daybank_desktop import phrases
from daybank_desktop.models.results_model import ROW_ROLE
from daybank_desktop.theme import Theme
from daybank_desktop.widgets import paint, text_layout

if TYPE_CHECKING:
    from daybank import DayEntry
    from daybank_desktop.models.results_model import Row

Index = QModelIndex | QPersistentModelIndex

MAX_LINES = 3
BETWEEN = 10  # from one card to the next
LEAF = 60
_TOP, _RIGHT, _BOTTOM = 12, 14, 16
_KEPT_LAYOUTS = 300
_KEPT_HEIGHTS = 40_000
_LINES_ESTIMATED = 2

_Key = tuple[object, ...]


@dataclass(frozen=True, slots=True)
class _WhyLine:
    """The ticked reasons of one line, each with where it starts."""

    items: tuple[tuple[str, float], ...]


class ResultDelegate(QStyledItemDelegate):
    """Paints the rows of a ResultsModel. The current row unfolds why it was found."""

    def __init__(self, view: QAbstractItemView, today: date) -> None:
        super().__init__(view)
        self._view = view
        self._theme = Theme.of(view)
        self._today = today
        self._look = 0
        self._heights: OrderedDict[_Key, int] = OrderedDict()
        self._layouts: OrderedDict[_Key, text_layout.TextBlock] = OrderedDict()
        self._parts: OrderedDict[_Key, text_layout.Excerpt] = OrderedDict()
        self._why: tuple[RecallResult, float, Sequence[_WhyLine]] | None = None
        self._measured: list[int] = []  # heights of folded rows, from the first row on
        self._measured_for = 0
        self._covered = 0
        self._unfolded: QPersistentModelIndex | None = None
        self._theme.changed.connect(self._restyle)

    def set_current(self, index: Index | None) -> None:
        """Unfold ``index`` and fold the one before it."""
        before = self._unfolded
        self._unfolded = QPersistentModelIndex(index) if index and index.isValid() else None
        if before == self._unfolded:
            return
        for changed in (before, self._unfolded):
            if changed is not None and 0 <= changed.row() < len(self._measured):
                self.sizeHintChanged.emit(self._view.model().index(changed.row(), 0))

    def forget_rows(self) -> None:
        """The rows are others now."""
        self._measured.clear()
        self._covered = 0

    @property
    def is_measured(self) -> bool:
        """Whether no row has an estimated height."""
        self._follow_width()
        return len(self._measured) >= self._view.model().rowCount()

    def measure(self, up_to: int) -> None:
        """Measure the rows before ``up_to``."""
        self._follow_width()
        model = self._view.model()
        for number in range(len(self._measured), min(up_to, model.rowCount())):
            self._measure(model.index(number, 0))

    def measure_more(self, count: int) -> None:
        """Measure the next ``count`` rows."""
        self.measure(len(self._measured) + count)

    # Qt overrides

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        number = index.row()
        width = self._follow_width()
        if number == len(self._measured) and self._covered <= self._reach():
            self._measure(index)
        if number < len(self._measured):
            height = self._measured[number]
        else:
            height = self._note_height(_LINES_ESTIMATED) + BETWEEN
        if self._is_unfolded(index):
            row: Row = index.data(ROW_ROLE)
            if isinstance(row, RecallResult):
                height += self._why_height(row, width)
        return QSize(0, height)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        row: Row = index.data(ROW_ROLE)
        card = QRectF(option.rect).adjusted(0, 0, 0, -BETWEEN)
        is_current = index == self._view.currentIndex()
        painter.save()
        if heading := self._heading_height(index, row):
            self._paint_heading(painter, card)
            card.setTop(card.top() + heading)
        self._paint_frame(painter, card, option, is_current=is_current)
        self._paint_leaf(painter, card, row.day)
        if isinstance(row, RecallResult):
            self._paint_note(painter, card, row)
            if self._is_unfolded(index):
                self._paint_why(painter, card, row)
        else:
            self._paint_day(painter, card, row)
        painter.restore()

    # What is not of the time asked for stands under a heading of its own

    def _heading_height(self, index: Index, row: Row) -> int:
        if not (isinstance(row, RecallResult) and row.why.outside):
            return 0
        before = index.row() - 1
        if before >= 0:
            above: Row = index.model().index(before, 0).data(ROW_ROLE)
            if isinstance(above, RecallResult) and above.why.outside:
                return 0
        return self._theme.line_height("captionStrong") + 12

    def _paint_heading(self, painter: QPainter, card: QRectF) -> None:
        area = QRectF(card.x() + 2, card.y() + 4, card.width() - 4, 0)
        area.setHeight(self._theme.line_height("captionStrong"))
        painter.setFont(self._theme.font("captionStrong"))
        paint.text(painter, area, self.tr("At other times"), self._theme.color("text.secondary"))

    # Measures

    def _restyle(self) -> None:
        self._look += 1
        self._heights.clear()
        self._layouts.clear()
        self._parts.clear()
        self._why = None
        self.forget_rows()
        self._view.scheduleDelayedItemsLayout()

    def _is_unfolded(self, index: Index) -> bool:
        return self._unfolded is not None and self._unfolded == index

    def _reach(self) -> int:
        """How far down rows are in sight."""
        return self._view.verticalScrollBar().value() + self._view.viewport().height()

    def _follow_width(self) -> int:
        width = self._view.viewport().width()
        if width != self._measured_for:
            self.forget_rows()
            self._measured_for = width
        return width

    def _measure(self, index: Index) -> None:
        """Of the row that follows on what is measured."""
        row: Row = index.data(ROW_ROLE)
        width = self._view.viewport().width()
        height = self._height(row, width) + BETWEEN + self._heading_height(index, row)
        self._measured.append(height)
        self._covered += height

    def _text_width(self, width: float) -> float:
        return max(40.0, width - self._theme.px(LEAF) - 1 - _RIGHT)

    def _key(self, row: RecallResult, width: float) -> _Key:
        return (row.id, row.content, row.highlights, width, self._look)

    def _height(self, row: Row, width: float) -> int:
        theme = self._theme
        if not isinstance(row, RecallResult):
            return max(_TOP + theme.px(20 + 2 + 16) + _BOTTOM, self._leaf_height(row.day))
        key = self._key(row, width)
        height = self._heights.get(key)
        if height is None:
            lines = self._line_count(row, width)
            height = max(self._note_height(lines), self._leaf_height(row.day))
            self._heights[key] = height
            if len(self._heights) > _KEPT_HEIGHTS:
                self._heights.popitem(last=False)
        return height

    def _line_count(self, row: RecallResult, width: float) -> int:
        """Cheap where one glance at the length is enough; most rows are."""
        pixels = self._theme.font("body").pixelSize()
        if len(row.content) * pixels < self._text_width(width) * 0.9:
            return 1
        return self._part(row, width).lines

    def _part(self, row: RecallResult, width: float) -> text_layout.Excerpt:
        """What of the note is shown; kept from when it is measured until it is first painted."""
        key = self._key(row, width)
        part = self._parts.get(key)
        if part is None:
            font, room = self._theme.font("body"), self._text_width(width)
            part = text_layout.excerpt(row.content, row.highlights, font, room, MAX_LINES)
            self._parts[key] = part
            if len(self._parts) > _KEPT_LAYOUTS:
                self._parts.popitem(last=False)
        return part

    def _note_height(self, lines: int) -> int:
        theme = self._theme
        head, source = theme.line_height("caption"), theme.line_height("caption")
        return _TOP + head + 4 + lines * theme.line_height("body") + 6 + source + _BOTTOM

    def _leaf_height(self, day: date | None) -> int:
        theme = self._theme
        height = theme.px(16 + 24 + 16)
        if day is not None and day.year != self._today.year:
            height += theme.line_height("caption")
        return _TOP + height + _TOP

    def _block(self, row: RecallResult, width: float) -> text_layout.TextBlock:
        key = self._key(row, width)
        block = self._layouts.get(key)
        if block is not None:
            self._layouts.move_to_end(key)
            return block
        theme = self._theme
        part = self._part(row, width)
        block = text_layout.lay_out(
            part.text,
            theme.font("body"),
            self._text_width(width),
            theme.line_height("body"),
            highlights=part.highlights,
            mark_ink=theme.color("mark.text"),
            max_lines=MAX_LINES,
        )
        self._layouts[key] = block
        if len(self._layouts) > _KEPT_LAYOUTS:
            self._layouts.popitem(last=False)
        return block

    # Painting

    def _paint_frame(
        self, painter: QPainter, card: QRectF, option: QStyleOptionViewItem, *, is_current: bool
    ) -> None:
        theme = self._theme
        is_hovered = bool(option.state & QStyle.StateFlag.State_MouseOver)
        fill, border, width = "bg.surface", "border.subtle", 1
        if is_current:
            border, width = "accent", 2
            if self._view.hasFocus():
                fill = "accent.soft"
        elif is_hovered:
            border = "border.control"
        radius = theme.radius("lg")
        paint.rounded(painter, card, radius, theme.color(fill), theme.color(border), width)

    def _paint_leaf(self, painter: QPainter, card: QRectF, day: date | None) -> None:
        theme = self._theme
        small, large = theme.px(16), theme.px(24)
        area = QRectF(card.x(), card.y() + _TOP, theme.px(LEAF), small)
        if day is None:
            area.setHeight(small + large + small)
            self._word(painter, area, "–", "title", "text.tertiary")
            return
        self._word(painter, area, phrases.weekday_short(day), "caption", "text.secondary")
        area.translate(0, small)
        area.setHeight(large)
        self._word(painter, area, str(day.day), "title", "text.primary")
        area.translate(0, large)
        area.setHeight(small)
        self._word(painter, area, phrases.month_short(day), "caption", "text.secondary")
        if day.year != self._today.year:
            area.translate(0, small)
            self._word(painter, area, str(day.year), "caption", "text.secondary")

    def _word(self, painter: QPainter, area: QRectF, words: str, style: str, color: str) -> None:
        painter.setFont(self._theme.font(style, tabular=True))
        paint.text(painter, area, words, self._theme.color(color), Qt.AlignmentFlag.AlignHCenter)

    def _paint_note(self, painter: QPainter, card: QRectF, row: RecallResult) -> None:
        theme = self._theme
        left = card.x() + theme.px(LEAF) + 1
        width = self._text_width(card.width())
        line = theme.line_height("caption")
        head = QRectF(left, card.y() + _TOP, width, line)
        self._paint_head(painter, head, row)
        block = self._block(row, card.width())
        at = QPointF(left, head.bottom() + 4)
        block.paint(painter, at, theme.color("text.primary"), theme.color("mark.bg"))
        source = QRectF(left, at.y() + block.height + 6, width, line)
        self._paint_captioned(
            painter, source, phrases.role_icon(row.role), phrases.source_line(row)
        )

    def _paint_head(self, painter: QPainter, area: QRectF, row: RecallResult) -> None:
        theme = self._theme
        if row.confidence is not None:
            painter.setFont(theme.font("captionStrong", tabular=True))
            words = phrases.sure(row.confidence)
            paint.text(
                painter, area, words, theme.color("text.secondary"), Qt.AlignmentFlag.AlignRight
            )
            taken = QFontMetricsF(painter.font()).horizontalAdvance(words)
            area = area.adjusted(0, 0, -taken - 12, 0)
        color = phrases.kind_color(row.kind)
        side = theme.px(14)
        spot = QRectF(area.x(), area.y(), side, area.height())
        paint.icon(painter, theme, self._view, phrases.kind_icon(row.kind), color, spot)
        area.adjust(side + 5, 0, 0, 0)
        strong = theme.font("captionStrong")
        painter.setFont(strong)
        word = phrases.kind_word(row.kind)
        paint.text(painter, area, word, theme.color(color))
        area.adjust(QFontMetricsF(strong).horizontalAdvance(word), 0, 0, 0)
        if row.entities:
            plain = theme.font("caption")
            painter.setFont(plain)
            metrics = QFontMetricsF(plain)
            gap = theme.px(8)
            dot = QRectF(area.x() + gap, area.y(), metrics.horizontalAdvance("·"), area.height())
            paint.text(painter, dot, "·", theme.color("text.secondary"))
            area.setLeft(dot.right() + gap)
            names = text_layout.elided(", ".join(row.entities), plain, area.width())
            paint.text(painter, area, names, theme.color("text.secondary"))

    def _paint_captioned(
        self, painter: QPainter, area: QRectF, icon: str, words: str, color: str = "text.tertiary"
    ) -> None:
        theme = self._theme
        side = theme.px(14)
        spot = QRectF(area.x(), area.y(), side, area.height())
        paint.icon(painter, theme, self._view, icon, color, spot)
        font = theme.font("caption")
        painter.setFont(font)
        area = area.adjusted(side + 5, 0, 0, 0)
        paint.text(painter, area, text_layout.elided(words, font, area.width()), theme.color(color))

    def _paint_day(self, painter: QPainter, card: QRectF, row: DayEntry) -> None:
        theme = self._theme
        left = card.x() + theme.px(LEAF) + 1
        width = self._text_width(card.width())
        height = theme.px(20 + 2 + 16)
        area = QRectF(left, card.y() + (card.height() - height) / 2, width, theme.px(20))
        painter.setFont(theme.font("bodyStrong"))
        paint.text(
            painter, area, phrases.day_long(row.day), theme.color("text.primary"), elide=True
        )
        area = QRectF(left, area.bottom() + 2, width, theme.px(16))
        self._paint_captioned(painter, area, "page.journal", phrases.notes_count(row.notes))

    # Why this result

    def _reasons(self, row: RecallResult) -> list[str]:
        why = row.why
        reasons = []
        if why.words:
            words = ", ".join(self.tr("“{word}”").format(word=word) for word in why.words)
            reasons.append(self.tr("says {words}").format(words=words))
        if why.entities:
            reasons.append(self.tr("about {names}").format(names=", ".join(why.entities)))
        if why.in_window:
            reasons.append(self.tr("in your dates"))
        if why.outside:
            reasons.append(self.tr("of another time than you named"))
        if why.meaning:
            reasons.append(self.tr("means something similar"))
        if why.context:
            reasons.append(self.tr("near lines that match"))
        return reasons

    def _why_lines(self, row: RecallResult, width: float) -> Sequence[_WhyLine]:
        """Kept for the row that is unfolded."""
        if self._why is None or self._why[0] is not row or self._why[1] != width:
            self._why = (row, width, self._broken_reasons(row, width))
        return self._why[2]

    def _broken_reasons(self, row: RecallResult, width: float) -> Sequence[_WhyLine]:
        theme = self._theme
        font = theme.font("caption")
        metrics = QFontMetricsF(font)
        icon, between = theme.px(14) + 4, theme.px(12)
        lines: list[_WhyLine] = []
        items: list[tuple[str, float]] = []
        x = 0.0
        for reason in self._reasons(row):
            words = text_layout.elided(reason, font, width - icon)
            needs = icon + metrics.horizontalAdvance(words)
            if items and x + needs > width:
                lines.append(_WhyLine(tuple(items)))
                items, x = [], 0.0
            items.append((words, x))
            x += needs + between
        if items:
            lines.append(_WhyLine(tuple(items)))
        return lines

    def _why_height(self, row: RecallResult, width: float) -> int:
        lines = len(self._why_lines(row, self._text_width(width)))
        if not lines:
            return 0
        line = self._theme.line_height("caption")
        return 14 - _BOTTOM + 1 + 9 + line + 6 + lines * line + (lines - 1) * 4 + 13

    def _paint_why(self, painter: QPainter, card: QRectF, row: RecallResult) -> None:
        theme = self._theme
        left = card.x() + theme.px(LEAF) + 1
        width = self._text_width(card.width())
        lines = self._why_lines(row, width)
        if not lines:
            return
        y = round(card.bottom() - self._why_height(row, card.width()) + 14 - _BOTTOM) + 0.5
        painter.setPen(QPen(theme.color("border.subtle"), 1))
        painter.drawLine(QPointF(left, y), QPointF(left + width, y))
        line = theme.line_height("caption")
        area = QRectF(left, y + 9.5, width, line)
        painter.setFont(theme.font("captionStrong"))
        paint.text(painter, area, self.tr("Why this result"), theme.color("text.secondary"))
        area.translate(0, line + 6)
        side = theme.px(14)
        font = theme.font("caption")
        for reasons in lines:
            for words, x in reasons.items:
                spot = QRectF(area.x() + x, area.y(), side, line)
                paint.icon(painter, theme, self._view, "action.accept", "text.secondary", spot)
                painter.setFont(font)
                start = spot.right() + 4
                room = QRectF(start, area.y(), area.right() - start + 1, line)
                paint.text(painter, room, words, theme.color("text.secondary"))
            area.translate(0, line + 4)
