"""A change as it is looked at: the lines now and as suggested, beside each other or in one column.

Painted by hand, plain text only: Markdown's marks stay and are dimmed, the words that differ have a
fill, and every line has its number and its sign, so that colour is never the only clue. GUI thread.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontMetricsF,
    QPainter,
    QPaintEvent,
    QPen,
    QTextCharFormat,
    QTextLayout,
    QTextLine,
    QTextOption,
)
from PySide6.QtWidgets import QSizePolicy, QWidget

from daybank_desktop.models.diff_rows import (
    DiffLine,
    DiffRow,
    Mark,
    in_one,
    markdown_marks,
    spoken,
)
from daybank_desktop.theme import Theme
from daybank_desktop.widgets import paint, text_layout

_LEFT = 14
_SIGN = 12
_GAP = 7
_RIGHT = 12
_LINE_PAD = 2  # above and below each line
_HEAD_TOP, _HEAD_GAP, _FOOT = 10, 7, 12
_KEPT_WIDTHS = 4
MOST_ROWS = 60
"""Rows that are laid out before the person asks for all of them."""

_FILLS = {Mark.ADDED: "diff.added", Mark.REMOVED: "diff.removed"}
_WORD_FILLS = {Mark.ADDED: "diff.addedWord", Mark.REMOVED: "diff.removedWord"}
_SIGNS = {Mark.ADDED: "+", Mark.REMOVED: "\N{MINUS SIGN}"}
_INKS = {Mark.ADDED: "positive", Mark.REMOVED: "negative"}


class DiffMode(Enum):
    """Both sides, both in one column, or only what is there now."""

    SIDE_BY_SIDE = "side"
    IN_ONE = "one"
    NOW = "now"


@dataclass(slots=True)
class _Cell:
    """A laid out line: where it is, and what is painted behind its words."""

    line: DiffLine
    area: QRectF
    layout: QTextLayout
    marks: list[QRectF]


@dataclass(slots=True)
class _Laid:
    cells: list[_Cell]
    height: float
    numbers: float


class DiffView(QWidget):
    """The rows of one change. It asks for the height that its width needs."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._rows: tuple[DiffRow, ...] = ()
        self._mode = DiffMode.SIDE_BY_SIDE
        self._titles = (self.tr("Now"), self.tr("Suggested"))
        self._shows_all = False
        self._laid: dict[float, _Laid] = {}
        self._theme = Theme.of(self)
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Minimum)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self._theme.changed.connect(self._forget)

    @property
    def rows(self) -> tuple[DiffRow, ...]:
        return self._rows

    @property
    def mode(self) -> DiffMode:
        return self._mode

    @property
    def hidden_rows(self) -> int:
        """How many rows are not shown yet."""
        return 0 if self._shows_all else max(0, len(self._rows) - MOST_ROWS)

    def set_rows(self, rows: Sequence[DiffRow]) -> None:
        self._rows = tuple(rows)
        self._describe()
        self._forget()

    def set_mode(self, mode: DiffMode) -> None:
        if mode is not self._mode:
            self._mode = mode
            self._forget()

    def set_titles(self, now: str, suggested: str) -> None:
        """What stands above the two sides."""
        self._titles = (now, suggested)
        self._describe()
        self.update()

    def show_all(self) -> None:
        """Also the rows of a very long change."""
        self._shows_all = True
        self._forget()

    def fold(self) -> None:
        """Only the first rows again, also of what is shown next."""
        if self._shows_all:
            self._shows_all = False
            self._forget()

    def _describe(self) -> None:
        removed, added = (
            self.tr("Removed, line {line}: {text}."),
            self.tr("Added, line {line}: {text}."),
        )
        self.setAccessibleName(self.tr("What changes"))
        self.setAccessibleDescription(spoken(self._rows[:MOST_ROWS], removed, added))

    def _forget(self) -> None:
        self._laid.clear()
        self.updateGeometry()
        self.update()

    # Geometry

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        return round(self._layout_for(float(width)).height)

    def sizeHint(self) -> QSize:
        """Its height follows from the width that it gets; to lay it out for another takes long."""
        return QSize(self._theme.px(560), self.minimumSizeHint().height())

    def minimumSizeHint(self) -> QSize:
        return QSize(self._theme.px(180), self._theme.px(40))

    @property
    def _middle(self) -> float:
        return float(self.width() // 2)

    def _fonts(self) -> tuple[QFont, QFont]:
        return self._theme.font("small"), self._theme.font("caption", tabular=True)

    def _head(self) -> float:
        return _HEAD_TOP + self._theme.line_height("caption") + _HEAD_GAP

    def _layout_for(self, width: float) -> _Laid:
        laid = self._laid.get(width)
        if laid is None:
            laid = self._lay_out(width)
            self._laid[width] = laid
            while len(self._laid) > _KEPT_WIDTHS:
                del self._laid[next(iter(self._laid))]
        return laid

    def _shown(self) -> tuple[DiffRow, ...]:
        return self._rows if self._shows_all else self._rows[:MOST_ROWS]

    def _lay_out(self, width: float) -> _Laid:
        number_font = self._fonts()[1]
        rows = self._shown()
        last = max(
            (line.number for row in rows for line in (row.now, row.suggested) if line), default=1
        )
        metrics = QFontMetricsF(number_font)
        numbers = metrics.horizontalAdvance("0" * max(2, len(str(last))))
        cells: list[_Cell] = []
        y = self._head()
        if self._mode is DiffMode.IN_ONE:
            for line in in_one(rows):
                cell = self._cell(line, 0, width, y, numbers)
                cells.append(cell)
                y += cell.area.height()
        else:
            middle = float(int(width) // 2) if self._mode is DiffMode.SIDE_BY_SIDE else width
            for row in rows:
                sides = [self._cell(row.now, 0, middle, y, numbers)] if row.now else []
                if row.suggested and self._mode is DiffMode.SIDE_BY_SIDE:
                    sides.append(self._cell(row.suggested, middle, width - middle, y, numbers))
                height = max((cell.area.height() for cell in sides), default=0.0)
                for cell in sides:
                    cell.area.setHeight(height)
                cells += sides
                y += height
        return _Laid(cells, y + _FOOT, numbers)

    def _cell(self, line: DiffLine, x: float, width: float, y: float, numbers: float) -> _Cell:
        font = self._fonts()[0]
        height = float(self._theme.line_height("mono"))
        left = x + _LEFT + numbers + _GAP + _SIGN + _GAP
        room = max(40.0, x + width - _RIGHT - left)
        words = "" if line.mark is Mark.GAP else text_layout.shown(line.text)
        layout = QTextLayout(words, font)
        option = QTextOption()
        option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        layout.setTextOption(option)
        layout.setCacheEnabled(True)
        layout.setFormats(self._formats(line, words))
        lines: list[QTextLine] = []
        at = 0.0
        layout.beginLayout()
        while (part := layout.createLine()).isValid():
            part.setLineWidth(room)
            part.setPosition(QPointF(0, at + (height - part.height()) / 2))
            at += height
            lines.append(part)
        layout.endLayout()
        area = QRectF(x, y, width, max(at, height) + 2 * _LINE_PAD)
        origin = QPointF(left, y + _LINE_PAD)
        marks = [
            rect.translated(origin)
            for start, end in line.words
            for rect in text_layout.mark_rects(
                lines, text_layout.qt_index(words, start), text_layout.qt_index(words, end)
            )
        ]
        return _Cell(line, area, layout, marks)

    def _formats(self, line: DiffLine, words: str) -> list[QTextLayout.FormatRange]:
        theme = self._theme
        spans, heading = markdown_marks(words)
        out = []
        if heading is not None:
            strong = QTextCharFormat()
            strong.setFontWeight(QFont.Weight.DemiBold)
            out.append(_range(words, heading, len(words), strong))
        dim = QTextCharFormat()
        dim.setForeground(theme.color("text.tertiary"))
        out += [_range(words, start, end, dim) for start, end in spans]
        if theme.is_high_contrast:  # where fills say nothing
            under = QTextCharFormat()
            under.setFontUnderline(True)
            out += [_range(words, start, end, under) for start, end in line.words]
        return out

    # Painting

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = self._theme
        painter = QPainter(self)
        laid = self._layout_for(float(self.width()))
        self._paint_titles(painter)
        number_font = self._fonts()[1]
        visible = QRectF(event.rect())
        for cell in laid.cells:
            if not cell.area.intersects(visible):
                continue
            mark, area = cell.line.mark, cell.area
            if mark in _FILLS:
                painter.fillRect(area, theme.color(_FILLS[mark]))
                text_layout.paint_marks(painter, cell.marks, theme.color(_WORD_FILLS[mark]))
            first = QRectF(area.x() + _LEFT, area.y() + _LINE_PAD, laid.numbers, 0)
            first.setHeight(theme.line_height("mono"))
            self._paint_number(painter, first, cell.line, number_font)
            painter.setPen(theme.color("text.primary"))
            left = first.right() + _GAP + _SIGN + _GAP
            cell.layout.draw(painter, QPointF(left, first.y()))
        if self._mode is DiffMode.SIDE_BY_SIDE:
            painter.setPen(QPen(theme.color("border.subtle"), 1))
            x = self._middle + 0.5
            painter.drawLine(QPointF(x, 0), QPointF(x, self.height()))

    def _paint_titles(self, painter: QPainter) -> None:
        theme = self._theme
        painter.setFont(theme.font("caption"))
        ink: QColor = theme.color("text.secondary")
        height = theme.line_height("caption")
        sides = [(0.0, self._titles[0])]
        if self._mode is DiffMode.SIDE_BY_SIDE:
            sides.append((self._middle, self._titles[1]))
        elif self._mode is DiffMode.IN_ONE:
            sides = [
                (
                    0.0,
                    self.tr("{now}, then {suggested}").format(
                        now=self._titles[0], suggested=self._titles[1].lower()
                    ),
                )
            ]
        for x, words in sides:
            area = QRectF(x + _LEFT - 2, _HEAD_TOP, self.width() - x - _LEFT, height)
            paint.text(painter, area, words, ink, elide=True)

    def _paint_number(self, painter: QPainter, area: QRectF, line: DiffLine, font: QFont) -> None:
        theme = self._theme
        painter.setFont(font)
        words = "⋮" if line.mark is Mark.GAP else str(line.number)
        right = Qt.AlignmentFlag.AlignRight
        paint.text(painter, area, words, theme.color("text.tertiary"), right)
        sign = _SIGNS.get(line.mark)
        if sign is not None:
            strong = QFont(theme.font("small"))
            strong.setWeight(QFont.Weight.Bold)
            painter.setFont(strong)
            spot = QRectF(area.right() + _GAP, area.y(), _SIGN, area.height())
            ink = theme.color(_INKS[line.mark])
            paint.text(painter, spot, sign, ink, Qt.AlignmentFlag.AlignHCenter)


def _range(words: str, start: int, end: int, look: QTextCharFormat) -> QTextLayout.FormatRange:
    item = QTextLayout.FormatRange()
    item.start = text_layout.qt_index(words, start)
    item.length = text_layout.qt_index(words, end) - item.start
    item.format = look
    return item
