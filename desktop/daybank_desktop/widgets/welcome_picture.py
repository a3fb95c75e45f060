"""The picture of the first-run assistant: a tear-off calendar with a rising sun. GUI thread."""

from __future__ import annotations

import math

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from daybank_desktop.theme import Theme
from daybank_desktop.widgets import paint

_WIDTH, _HEIGHT = 176, 190


class WelcomePicture(QWidget):
    """Only looked at; it says nothing that the words beside it do not."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = Theme.of(self)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:
        return QSize(_WIDTH, _HEIGHT)

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = self._theme
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        page = QRectF(18, 28, 140, 156)
        surface, soft, accent = (
            theme.color(name) for name in ("bg.surface", "accent.softBorder", "accent")
        )
        for angle, dx, dy in ((-8, -2, -4), (5, 4, -6)):
            painter.save()
            painter.translate(page.center() + QPointF(dx, dy))
            painter.rotate(angle)
            back = QRectF(-70, -78, 140, 156)
            paint.rounded(painter, back, 12, surface, soft, 2)
            painter.restore()
        paint.rounded(painter, page, 12, surface, accent, 2)
        painter.setPen(QPen(accent, 2))
        painter.drawLine(QPointF(page.left(), 60), QPointF(page.right(), 60))
        self._line(painter, accent, 3, QPointF(50, 20), QPointF(50, 36))
        self._line(painter, accent, 3, QPointF(126, 20), QPointF(126, 36))
        sun = QPointF(88, 120)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(accent)
        painter.drawPie(QRectF(sun.x() - 32, sun.y() - 32, 64, 64), 0, 180 * 16)
        for degrees in (14, 48, 90, 132, 166):
            x, y = math.cos(math.radians(degrees)), -math.sin(math.radians(degrees))
            first = QPointF(sun.x() + 40 * x, sun.y() + 40 * y)
            self._line(painter, accent, 2, first, QPointF(sun.x() + 48 * x, sun.y() + 48 * y))
        self._line(painter, accent, 2, QPointF(38, 132), QPointF(138, 132))
        self._line(painter, soft, 4, QPointF(38, 148), QPointF(123, 148))
        self._line(painter, soft, 4, QPointF(38, 164), QPointF(99, 164))

    def _line(
        self, painter: QPainter, color: object, width: float, first: QPointF, last: QPointF
    ) -> None:
        pen = QPen(color, width)  # type: ignore[call-overload]
        pen.setCapStyle(Qt.PenCapStyle.RoundCap)
        painter.setPen(pen)
        painter.drawLine(first, last)
