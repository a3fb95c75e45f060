"""The mark of a kind of note in a chart: circle, square, diamond, ring, by shape and by colour.

GUI thread only.
"""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QFontMetricsF, QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QSizePolicy, QWidget

from daybank.markdown.model import Kind
from daybank_desktop import phrases
from daybank_desktop.theme import Theme
from daybank_desktop.widgets import paint

LEGEND = (Kind.WORLD, Kind.EXPERIENCE, Kind.OPINION, Kind.OBSERVATION, Kind.PASSAGE)


def mark_color(kind: str) -> str:
    """The colour token of a kind's mark."""
    return phrases.kind_color(Kind(kind))


def paint_kind_mark(
    painter: QPainter, theme: Theme, kind: str, middle: QPointF, side: float
) -> None:
    """A mark in a square ``side`` wide around ``middle``."""
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    color = theme.color(mark_color(kind))
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(color)
    x, y, half = middle.x(), middle.y(), side / 2
    if kind == Kind.EXPERIENCE:
        square = QRectF(x - half * 0.86, y - half * 0.86, side * 0.86, side * 0.86)
        painter.drawRoundedRect(square, 1.5, 1.5)
    elif kind == Kind.OPINION:
        corners = [(x, y - half), (x + half, y), (x, y + half), (x - half, y)]
        painter.drawPolygon(QPolygonF([QPointF(*corner) for corner in corners]))
    elif kind == Kind.OBSERVATION:
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(color, max(1.5, side / 5)))
        painter.drawEllipse(middle, half * 0.7, half * 0.7)
    else:
        reach = half * (0.9 if kind == Kind.WORLD else 0.5)
        painter.drawEllipse(middle, reach, reach)
    painter.restore()


class KindLegendItem(QWidget):
    """A mark and its word."""

    def __init__(self, kind: Kind, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.kind = kind
        self._theme = Theme.of(self)
        self.setAccessibleName(phrases.kind_word(kind))
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self._theme.changed.connect(self.updateGeometry)

    def sizeHint(self) -> QSize:
        words = phrases.kind_word(self.kind)
        width = QFontMetricsF(self._theme.font("caption")).horizontalAdvance(words)
        height = self._theme.line_height("caption")
        return QSize(int(width + 0.999) + height + 3, height)

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = self._theme
        painter = QPainter(self)
        side = float(self.height())
        middle = QPointF(side / 2, side / 2)
        paint_kind_mark(painter, theme, self.kind, middle, theme.px(10))
        painter.setFont(theme.font("caption"))
        words = QRectF(side + 2, 0, self.width() - side, side)
        paint.text(painter, words, phrases.kind_word(self.kind), theme.color("text.secondary"))
