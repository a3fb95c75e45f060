"""Plain areas in a colour of the theme: bars, panels and cards. GUI thread only."""

from __future__ import annotations

from collections.abc import Collection
from typing import Literal

from PySide6.QtCore import QLineF, QRectF
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from daybank_desktop.theme import Theme
from daybank_desktop.widgets import paint

Edge = Literal["top", "right", "bottom", "left"]


class Surface(QWidget):
    """A filled area; `edges` are the sides that carry a hairline."""

    def __init__(
        self,
        fill: str = "bg.window",
        *,
        edges: Collection[Edge] = (),
        border: str = "border.subtle",
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._fill = fill
        self._edges = frozenset(edges)
        self._border = border
        self._theme = Theme.of(self)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(self.rect(), self._theme.color(self._fill))
        painter.setPen(QPen(self._theme.color(self._border), 1))
        right, bottom = self.width() - 0.5, self.height() - 0.5
        lines = {
            "top": QLineF(0, 0.5, right, 0.5),
            "right": QLineF(right, 0, right, bottom),
            "bottom": QLineF(0, bottom, right, bottom),
            "left": QLineF(0.5, 0, 0.5, bottom),
        }
        for edge in self._edges:
            painter.drawLine(lines[edge])


class Card(QWidget):
    """A rounded area with a hairline around it."""

    def __init__(
        self,
        *,
        fill: str = "bg.surface",
        border: str = "border.subtle",
        radius: Literal["sm", "md", "lg"] = "lg",
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._fill = fill
        self._border = border
        self._radius: Literal["sm", "md", "lg"] = radius
        self._theme = Theme.of(self)

    def set_colors(self, fill: str, border: str) -> None:
        self._fill = fill
        self._border = border
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        # Where a fill says nothing, as in high contrast, the edge has to.
        token = self._border or ("border.subtle" if self._theme.is_high_contrast else "")
        border = self._theme.color(token) if token else None
        paint.rounded(
            QPainter(self),
            QRectF(self.rect()),
            self._theme.radius(self._radius),
            self._theme.color(self._fill),
            border,
        )


class Hairline(QWidget):
    """A line between two things, one pixel at every text size."""

    def __init__(
        self, *, vertical: bool = False, color: str = "border.subtle", parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._color = color
        self._theme = Theme.of(self)
        if vertical:
            self.setFixedWidth(1)
        else:
            self.setFixedHeight(1)

    def paintEvent(self, event: QPaintEvent) -> None:
        QPainter(self).fillRect(self.rect(), self._theme.color(self._color))
