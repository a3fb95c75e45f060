"""An icon that is only looked at, and a key as it is printed on a keyboard. GUI thread only."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize
from PySide6.QtGui import QFont, QFontMetricsF, QKeySequence, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from daybank_desktop.theme import Theme
from daybank_desktop.widgets import paint


class Glyph(QWidget):
    """One icon. Give it a `name` only when the icon says something that no text beside it says.

    `tile` puts it in the middle of a rounded square of that colour token, `tile_size` wide.
    """

    def __init__(
        self,
        icon: str,
        color: str = "text.secondary",
        size: int = 18,
        *,
        name: str = "",
        tile: str = "",
        tile_size: int = 0,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._icon = icon
        self._color = color
        self._size = size
        self._tile = tile
        self._tile_size = tile_size
        self._theme = Theme.of(self)
        self.setAccessibleName(name)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self._theme.changed.connect(self.updateGeometry)

    def set_icon(self, icon: str, color: str | None = None) -> None:
        self._icon = icon
        self._color = color or self._color
        self.update()

    def set_tile(self, tile: str, color: str) -> None:
        self._tile = tile
        self._color = color
        self.update()

    def sizeHint(self) -> QSize:
        side = self._theme.px(max(self._size, self._tile_size))
        return QSize(side, side)

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = self._theme
        painter = QPainter(self)
        area = QRectF(self.rect())
        if self._tile:
            paint.rounded(painter, area, theme.radius("md"), theme.color(self._tile))
        side = theme.px(self._size)
        spot = QRectF(0, 0, side, side)
        spot.moveCenter(area.center())
        paint.icon(painter, theme, self, self._icon, self._color, spot)


class KeyCap(QWidget):
    """The keys of a shortcut, "Ctrl F", written as this platform writes them."""

    _PADDING = 6

    def __init__(self, shortcut: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = Theme.of(self)
        self._words = key_words(shortcut)
        self.setAccessibleName(self._words)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self._theme.changed.connect(self.updateGeometry)

    def _font(self) -> QFont:
        font = self._theme.font("caption")
        font.setWeight(QFont.Weight.Medium)
        return font

    def sizeHint(self) -> QSize:
        words = QFontMetricsF(self._font()).horizontalAdvance(self._words)
        height = self._theme.px(20)
        return QSize(max(height, int(words + 0.999) + 2 * self._PADDING), height)

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = self._theme
        painter = QPainter(self)
        area = QRectF(self.rect())
        fill, border = theme.color("bg.sunken"), theme.color("border.default")
        paint.rounded(painter, area, theme.radius("xs"), fill, border)
        painter.setFont(self._font())
        width = painter.fontMetrics().horizontalAdvance(self._words)
        x = (area.width() - width) / 2
        words = QRectF(x, 0, width + 2, area.height())
        paint.text(painter, words, self._words, theme.color("text.secondary"))


def key_words(shortcut: str) -> str:
    """ "Ctrl+Alt+F" → "Ctrl Alt F"; on a Mac the symbols stay together."""
    native = QKeySequence(shortcut).toString(QKeySequence.SequenceFormat.NativeText)
    arrows = {"Left": "←", "Right": "→", "Up": "↑", "Down": "↓", "Return": "↵"}
    if "+" not in native[:-1]:
        return arrows.get(native, native)
    keys = native[:-1].split("+") if native.endswith("+") else native.split("+")
    if native.endswith("+"):
        keys[-1] = "+"
    return " ".join(arrows.get(key, key) for key in keys)
