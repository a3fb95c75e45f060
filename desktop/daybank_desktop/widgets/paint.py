"""Small drawing helpers shared by the widgets that paint themselves. GUI thread only."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen
from PySide6.QtWidgets import QWidget

from daybank_desktop.theme import Theme

_ONE_LINE = Qt.AlignmentFlag.AlignVCenter.value | Qt.TextFlag.TextSingleLine.value


def rounded(
    painter: QPainter,
    rect: QRectF,
    radius: float,
    fill: QColor | None = None,
    border: QColor | None = None,
    width: float = 1.0,
) -> None:
    """A rounded rectangle whose border lies inside `rect`, so a thicker one moves nothing."""
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setBrush(fill if fill is not None else Qt.BrushStyle.NoBrush)
    if border is None:
        painter.setPen(Qt.PenStyle.NoPen)
    else:
        half = width / 2
        rect = rect.adjusted(half, half, -half, -half)
        radius -= half
        painter.setPen(QPen(border, width))
    radius = max(0.0, min(radius, rect.height() / 2, rect.width() / 2))
    painter.drawRoundedRect(rect, radius, radius)
    painter.restore()


def bars(painter: QPainter, filled: Iterable[tuple[QRectF, QColor]], radius: float) -> None:
    """Many filled rectangles, as `rounded` draws one, in the time of a few."""
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    for rect, fill in filled:
        painter.setBrush(fill)
        corner = max(0.0, min(radius, rect.height() / 2, rect.width() / 2))
        painter.drawRoundedRect(rect, corner, corner)
    painter.restore()


def icon(
    painter: QPainter,
    theme: Theme,
    widget: QWidget,
    name: str,
    color: str,
    rect: QRectF,
) -> None:
    """A tinted icon in the middle of `rect`, as large as its shorter side."""
    size = round(min(rect.width(), rect.height()))
    pixmap = theme.pixmap(name, color, size, widget.devicePixelRatioF())
    middle = rect.center()
    painter.drawPixmap(QPointF(round(middle.x() - size / 2), round(middle.y() - size / 2)), pixmap)


def text(
    painter: QPainter,
    rect: QRectF,
    words: str,
    color: QColor,
    flags: Qt.AlignmentFlag = Qt.AlignmentFlag.AlignLeft,
    *,
    elide: bool = False,
) -> None:
    """One line of plain text in the painter's font, in the middle of `rect` from top to bottom."""
    painter.setPen(color)
    if elide:
        words = painter.fontMetrics().elidedText(
            words, Qt.TextElideMode.ElideRight, int(rect.width())
        )
    options = flags.value | _ONE_LINE
    painter.drawText(rect, options, words)
