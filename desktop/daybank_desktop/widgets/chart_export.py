"""The chart as a picture or a drawing with its title and legend, for a file. GUI thread only.

Drawing takes a few milliseconds and uses the fonts of the window; writing the file is for a worker.
"""

from __future__ import annotations

from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QFontMetricsF, QImage, QPainter
from PySide6.QtSvg import QSvgGenerator

from daybank_desktop.theme import Theme
from daybank_desktop.widgets import paint
from daybank_desktop.widgets.confidence_chart import HEIGHT, ConfidenceChart
from daybank_desktop.widgets.stance_mark import LEGEND, paint_mark, stance_word
from daybank_desktop.widgets.text_layout import elided

WIDTH = 900
SHARPNESS = 2  # pixels a point, so that the picture is crisp on paper too


def chart_picture(chart: ConfidenceChart, title: str, words: str) -> QImage:
    """The chart below ``title`` and ``words``, in the colours of the window as it is."""
    size = _size()
    image = QImage(size * SHARPNESS, QImage.Format.Format_RGB32)
    painter = QPainter(image)
    painter.scale(SHARPNESS, SHARPNESS)
    _draw(painter, chart, size, title, words)
    painter.end()
    return image


def chart_drawing(chart: ConfidenceChart, title: str, words: str) -> bytes:
    """The same as SVG."""
    size = _size()
    data = QByteArray()
    buffer = QBuffer(data)
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    generator = QSvgGenerator()
    generator.setOutputDevice(buffer)
    generator.setSize(size)
    generator.setViewBox(QRectF(0, 0, size.width(), size.height()))
    generator.setTitle(title)
    painter = QPainter(generator)
    _draw(painter, chart, size, title, words)
    painter.end()
    buffer.close()
    return bytes(data.data())


def _size() -> QSize:
    theme = Theme.of()
    return QSize(theme.px(WIDTH), theme.px(76 + HEIGHT + 40))


def _draw(painter: QPainter, chart: ConfidenceChart, size: QSize, title: str, words: str) -> None:
    theme = Theme.of()
    side = theme.px(18)
    width = size.width() - 2 * side
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.fillRect(QRectF(0, 0, size.width(), size.height()), theme.color("bg.surface"))
    font = theme.font("heading")
    painter.setFont(font)
    line = QRectF(side, theme.px(14), width, theme.px(26))
    paint.text(painter, line, elided(title, font, width), theme.color("text.primary"))
    font = theme.font("small")
    painter.setFont(font)
    line = QRectF(side, line.bottom(), width, theme.px(22))
    paint.text(painter, line, elided(words, font, width), theme.color("text.secondary"))
    top = line.bottom() + theme.px(10)
    chart.draw(painter, QRectF(0, top, size.width(), theme.px(HEIGHT)), looking=False)
    _draw_legend(painter, theme, side, top + theme.px(HEIGHT) + theme.px(8))


def _draw_legend(painter: QPainter, theme: Theme, left: float, top: float) -> None:
    font = theme.font("caption")
    painter.setFont(font)
    height = theme.line_height("caption")
    metrics = QFontMetricsF(font)
    x = left
    for key in LEGEND:
        paint_mark(painter, theme, key, QPointF(x + height / 2, top + height / 2), theme.px(9))
        x += height + 3
        width = metrics.horizontalAdvance(stance_word(key))
        words = QRectF(x, top, width + 2, height)
        left_edge = Qt.AlignmentFlag.AlignLeft
        paint.text(painter, words, stance_word(key), theme.color("text.secondary"), left_edge)
        x += width + theme.px(16)
