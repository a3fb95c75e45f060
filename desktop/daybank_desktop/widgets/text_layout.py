"""Laying out a person's text for painting: never as markup, always whole characters.

Python counts code points, Qt counts UTF-16 units; everything public here speaks code points. GUI
thread only, no state.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF, Qt, QTextBoundaryFinder
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontMetricsF,
    QPainter,
    QTextCharFormat,
    QTextLayout,
    QTextLine,
    QTextOption,
)

Ranges = Sequence[tuple[int, int]]

ELLIPSIS = "…"
_NARROWEST = 0.22  # of the font size: no script sets a line tighter on average
_MARK_PAD = 2.0
_MARK_RADIUS = 4.0


def shown(text: str) -> str:
    """``text`` on one line, as long as it was: breaks are spaces, what cannot be drawn a sign."""
    if text.isprintable():
        return text
    return "".join(_visible(char) for char in text)


def _visible(char: str) -> str:
    if char.isprintable():
        return char
    code = ord(char)
    if code in (0x09, 0x0A, 0x0B, 0x0C, 0x0D, 0x85, 0x2028, 0x2029):
        return " "
    if code < 0x20 or 0x7F <= code < 0xA0 or 0xD800 <= code < 0xE000:
        return "\N{REPLACEMENT CHARACTER}"
    return char  # zero-width and direction marks do their work, unusual spaces their width


def qt_index(text: str, index: int) -> int:
    """Where code point ``index`` is for Qt."""
    return index + _doubled(text[:index])


def python_index(text: str, index: int) -> int:
    """Where Qt's unit ``index`` is for Python."""
    if not _doubled(text):
        return min(index, len(text))
    units = 0
    for position, char in enumerate(text):
        if units >= index:
            return position
        units += 2 if char > "\uffff" else 1
    return len(text)


def _doubled(text: str) -> int:
    """How many code points of ``text`` are two units each."""
    return 0 if text.isascii() else len(text.encode("utf-16-le", "surrogatepass")) // 2 - len(text)


def cluster_start(text: str, index: int) -> int:
    """``index``, or the start of the character that it would cut in two."""
    if not 0 < index < len(text) or text.isascii():
        return min(max(index, 0), len(text))
    begin = max(0, index - 64)
    part = text[begin : index + 64]
    finder = QTextBoundaryFinder(QTextBoundaryFinder.BoundaryType.Grapheme, part)
    finder.setPosition(qt_index(part, index - begin))
    if not finder.isAtBoundary():
        return begin + python_index(part, max(0, finder.toPreviousBoundary()))
    return index


@dataclass(frozen=True, slots=True)
class Excerpt:
    """What of a text is shown, and where in it the found words are."""

    text: str
    highlights: tuple[tuple[int, int], ...]
    lines: int


def excerpt(
    text: str, highlights: Ranges, font: QFont, width: float, max_lines: int = 3
) -> Excerpt:
    """As much of ``text`` as fits, around the first highlight when its beginning would hide it."""
    text = shown(text)
    limit = max_lines * max(16, math.ceil(width / (font.pixelSize() * _NARROWEST)))
    if len(text) <= limit:
        ends = _line_ends(text, font, width, max_lines)
        if len(ends) <= max_lines:
            return Excerpt(text, _inside(highlights, 0, len(text)), max(1, len(ends)))
    first = min(highlights, default=(0, 0))
    head = _cut(text, 0, font, width, limit, max_lines)
    kept = len(head) - len(ELLIPSIS)
    if first[1] <= kept or first[1] <= first[0]:
        return Excerpt(head, _inside(highlights, 0, kept), max_lines)
    lead = max(8, limit // (max_lines * 4))
    start = _start_before(text, first[0], lead)
    tail = _cut(text, start, font, width, limit, max_lines)
    for times in range(2, max_lines * 4):  # near the end of a text there is room for more before
        if tail.endswith(ELLIPSIS):
            break
        earlier = _start_before(text, first[0], lead * times)
        longer = _cut(text, earlier, font, width, limit, max_lines)
        if longer.endswith(ELLIPSIS) or earlier == 0:
            break
        start, tail = earlier, longer
    shift = start - len(ELLIPSIS)
    end = len(tail) - (len(ELLIPSIS) if tail.endswith(ELLIPSIS) else 0)
    moved = [(a - shift, b - shift) for a, b in highlights]
    found = _inside(moved, len(ELLIPSIS), end)
    return Excerpt(tail, found, len(_line_ends(tail, font, width, max_lines)))


def _cut(text: str, start: int, font: QFont, width: float, limit: int, max_lines: int) -> str:
    """``text`` from ``start``, at most ``max_lines`` long, with an ellipsis where it was cut."""
    stop = cluster_start(text, min(len(text), start + limit))
    part = (ELLIPSIS if start else "") + text[start:stop]
    ends = _line_ends(part, font, width, max_lines)
    if len(ends) <= max_lines and stop == len(text):
        return part
    begin = ends[max_lines - 2] if len(ends) >= max_lines > 1 else 0
    last = QFontMetricsF(font).elidedText(
        part[begin:] + ELLIPSIS, Qt.TextElideMode.ElideRight, width
    )
    if not last.endswith(ELLIPSIS):
        last += ELLIPSIS
    return part[:begin] + last


def _start_before(text: str, index: int, lead: int) -> int:
    """A good place to begin reading, about ``lead`` characters before ``index``."""
    begin = max(0, index - lead)
    space = text.find(" ", begin, index)
    return cluster_start(text, space + 1 if space >= 0 else begin)


def _inside(ranges: Ranges, start: int, end: int) -> tuple[tuple[int, int], ...]:
    clipped = ((max(a, start), min(b, end)) for a, b in ranges)
    return tuple((a, b) for a, b in clipped if a < b)


def _line_ends(text: str, font: QFont, width: float, max_lines: int) -> list[int]:
    """Where the lines of ``text`` end; one more than ``max_lines`` means that it goes on."""
    ends: list[int] = []
    layout = QTextLayout(text, font)
    layout.setTextOption(_wrapping())
    layout.beginLayout()
    while len(ends) <= max_lines:
        line = layout.createLine()
        if not line.isValid():
            break
        line.setLineWidth(width)
        ends.append(python_index(text, line.textStart() + line.textLength()))
    layout.endLayout()
    return ends


def _wrapping() -> QTextOption:
    option = QTextOption()
    option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
    return option


@dataclass(slots=True)
class TextBlock:
    """A laid out text, ready to be painted many times."""

    layout: QTextLayout
    height: float
    marks: tuple[QRectF, ...] = ()

    def paint(self, painter: QPainter, at: QPointF, ink: QColor, mark: QColor) -> None:
        paint_marks(painter, [rect.translated(at) for rect in self.marks], mark)
        painter.setPen(ink)
        self.layout.draw(painter, at)


def lay_out(
    text: str,
    font: QFont,
    width: float,
    line_height: float,
    *,
    highlights: Ranges = (),
    mark_ink: QColor | None = None,
    max_lines: int = 0,
) -> TextBlock:
    """Break ``text`` into lines ``line_height`` apart and find where its highlights are."""
    layout = QTextLayout(text, font)
    layout.setTextOption(_wrapping())
    layout.setCacheEnabled(True)
    spans = [(qt_index(text, start), qt_index(text, end)) for start, end in highlights]
    if spans and mark_ink is not None:
        look = QTextCharFormat()
        look.setForeground(mark_ink)
        layout.setFormats([_format_range(start, end, look) for start, end in spans])
    y = 0.0
    lines: list[QTextLine] = []
    layout.beginLayout()
    while not max_lines or len(lines) < max_lines:
        line = layout.createLine()
        if not line.isValid():
            break
        line.setLineWidth(width)
        line.setPosition(QPointF(0, y + (line_height - line.height()) / 2))
        y += line_height
        lines.append(line)
    layout.endLayout()
    rects = tuple(rect for start, end in spans for rect in mark_rects(lines, start, end))
    return TextBlock(layout, y, rects)


def _format_range(start: int, end: int, look: QTextCharFormat) -> QTextLayout.FormatRange:
    item = QTextLayout.FormatRange()
    item.start = start
    item.length = end - start
    item.format = look
    return item


def mark_rects(lines: Sequence[QTextLine], start: int, end: int) -> list[QRectF]:
    """The places of Qt's units ``start`` to ``end`` on ``lines``, in the layout's coordinates."""
    rects = []
    for line in lines:
        first = max(start, line.textStart())
        last = min(end, line.textStart() + line.textLength())
        if first < last:
            # By glyph runs, not by cursor places: where the direction of writing changes, one
            # place in the text is two places on the line.
            for run in line.glyphRuns(first, last - first):
                box = run.boundingRect()
                rects.append(QRectF(box.x(), line.y(), box.width(), line.height()))
    return rects


def paint_marks(painter: QPainter, rects: Sequence[QRectF], color: QColor) -> None:
    """The rounded background behind found words."""
    if not rects:
        return
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(color)
    for rect in rects:
        grown = rect.adjusted(-_MARK_PAD, 0, _MARK_PAD, 0)
        painter.drawRoundedRect(grown, _MARK_RADIUS, _MARK_RADIUS)
    painter.restore()


def elided(text: str, font: QFont, width: float) -> str:
    """``text`` on one line, cut at the end when it is too long."""
    text = shown(text)
    limit = max(16, math.ceil(width / (font.pixelSize() * _NARROWEST)))
    if len(text) > limit:
        text = text[: cluster_start(text, limit)] + ELLIPSIS
    return QFontMetricsF(font).elidedText(text, Qt.TextElideMode.ElideRight, max(0.0, width))
