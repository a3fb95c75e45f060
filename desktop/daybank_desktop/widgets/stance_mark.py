"""The five marks of evidence, by shape and by colour: ● ▲ ▼ ☒ ◆. GUI thread only.

They are drawn as paths, so that they can go into a picture of the chart as well.
"""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication, QLineF, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QFontMetricsF, QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QSizePolicy, QWidget

from daybank_desktop.theme import Theme
from daybank_desktop.widgets import paint

LEGEND = ("start", "supports", "weakens", "contradicts", "set")
_COLORS = {
    "start": "accent",
    "restated": "accent",
    "supports": "positive",
    "weakens": "caution",
    "contradicts": "negative",
    "set": "text.primary",
}


def stance_word(key: str) -> str:
    """ "Supports", as the legend says it."""
    words = {
        "start": QCoreApplication.translate("Stance", "First written"),
        "restated": QCoreApplication.translate("Stance", "Written again"),
        "supports": QCoreApplication.translate("Stance", "Supports"),
        "weakens": QCoreApplication.translate("Stance", "Weakens"),
        "contradicts": QCoreApplication.translate("Stance", "Contradicts"),
        "set": QCoreApplication.translate("Stance", "Set by hand"),
        "evidence": QCoreApplication.translate("Stance", "In words"),
    }
    return words.get(key, key)


def stance_color(key: str) -> str:
    """The colour token of a stance."""
    return _COLORS.get(key, "text.tertiary")


def paint_mark(
    painter: QPainter, theme: Theme, key: str, middle: QPointF, side: float, halo: str = ""
) -> None:
    """A mark ``side`` wide around ``middle``; ``halo`` is the colour token of a thin edge that
    sets it off from a line below."""
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    color = theme.color(stance_color(key))
    painter.setPen(QPen(theme.color(halo), 1.5) if halo else Qt.PenStyle.NoPen)
    painter.setBrush(color)
    half = side / 2
    x, y = middle.x(), middle.y()
    if key == "supports":
        _polygon(painter, (x, y - half), (x + half, y + half * 0.8), (x - half, y + half * 0.8))
    elif key == "weakens":
        _polygon(painter, (x, y + half), (x + half, y - half * 0.8), (x - half, y - half * 0.8))
    elif key == "set":
        _polygon(painter, (x, y - half), (x + half, y), (x, y + half), (x - half, y))
    elif key == "contradicts":
        square = QRectF(x - half * 0.9, y - half * 0.9, side * 0.9, side * 0.9)
        painter.drawRoundedRect(square, 2, 2)
        arm = half * 0.42
        painter.setPen(QPen(theme.color("bg.surface"), max(1.2, side / 8)))
        painter.drawLine(QLineF(x - arm, y - arm, x + arm, y + arm))
        painter.drawLine(QLineF(x - arm, y + arm, x + arm, y - arm))
    elif key == "restated":
        painter.setBrush(theme.color("bg.surface"))
        painter.setPen(QPen(color, max(1.5, side / 5)))
        painter.drawEllipse(middle, half * 0.7, half * 0.7)
    else:
        painter.drawEllipse(middle, half * 0.85, half * 0.85)
    painter.restore()


def _polygon(painter: QPainter, *corners: tuple[float, float]) -> None:
    painter.drawPolygon(QPolygonF([QPointF(x, y) for x, y in corners]))


class LegendItem(QWidget):
    """A mark and its word."""

    def __init__(self, key: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._key = key
        self._theme = Theme.of(self)
        self.setAccessibleName(stance_word(key))
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self._theme.changed.connect(self.updateGeometry)

    def sizeHint(self) -> QSize:
        words = QFontMetricsF(self._theme.font("caption")).horizontalAdvance(stance_word(self._key))
        height = self._theme.line_height("caption")
        return QSize(int(words + 0.999) + height + 4, height)

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = self._theme
        painter = QPainter(self)
        side = float(self.height())
        paint_mark(painter, theme, self._key, QPointF(side / 2, side / 2), theme.px(9))
        painter.setFont(theme.font("caption"))
        words = QRectF(side + 2, 0, self.width() - side, side)
        paint.text(painter, words, stance_word(self._key), theme.color("text.secondary"))
