"""Grey bars where something will be, shown only when it takes longer than 300 ms.

GUI thread only.
"""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, QTimer
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from daybank_desktop.theme import Theme
from daybank_desktop.widgets import paint

DELAY_MS = 300
_CARD = 78
_GAP = 8
_BARS = ((16, 0.38), (34, 1.0), (52, 0.74))
_LEAF = ((14, 11), (30, 19))


class Skeleton(QWidget):
    """Stands in for a list of `rows` cards. `start` when the work starts, `stop` when it ends."""

    def __init__(self, rows: int = 3, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._rows = rows
        self._shown = False
        self._theme = Theme.of(self)
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(DELAY_MS)
        self._timer.timeout.connect(self._reveal)
        self.setAccessibleName(self.tr("Loading"))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._theme.changed.connect(self.updateGeometry)

    @property
    def is_shown(self) -> bool:
        """Whether the bars are painted yet."""
        return self._shown

    def start(self) -> None:
        if not self._shown and not self._timer.isActive():
            self._timer.start()

    def stop(self) -> None:
        self._timer.stop()
        self._shown = False
        self.update()

    def _reveal(self) -> None:
        self._shown = True
        self.update()

    def sizeHint(self) -> QSize:
        card = self._theme.px(_CARD)
        return QSize(self._theme.px(320), self._rows * card + (self._rows - 1) * _GAP)

    def paintEvent(self, event: QPaintEvent) -> None:
        if not self._shown:
            return
        theme = self._theme
        painter = QPainter(self)
        card = theme.px(_CARD)
        surface, border = theme.color("bg.surface"), theme.color("border.subtle")
        grey = theme.color("text.disabled" if theme.is_high_contrast else "bg.pressed")
        for row in range(self._rows):
            top = row * (card + _GAP)
            area = QRectF(0, top, self.width(), card)
            paint.rounded(painter, area, theme.radius("lg"), surface, border)
            for offset, height in _LEAF:
                bar = QRectF(16, top + theme.px(offset), theme.px(34), theme.px(height))
                paint.rounded(painter, bar, 5, grey)
            left = 16 + theme.px(34) + 16
            room = self.width() - left - 16
            for offset, share in _BARS:
                bar = QRectF(left, top + theme.px(offset), room * share, theme.px(10))
                paint.rounded(painter, bar, 5, grey)
