"""A column in the middle of the room, that scrolls when it is too high. GUI thread only."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QFrame, QHBoxLayout, QScrollArea, QVBoxLayout, QWidget


class ColumnArea(QScrollArea):
    """Fill ``box``; it is never wider than was said in :meth:`set_column_width`."""

    def __init__(self, side: int = 0, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._column = QWidget()
        self.box = QVBoxLayout(self._column)
        self.box.setContentsMargins(0, side, 0, side)
        self.box.setSpacing(0)
        inside = ByWidth()
        across = QHBoxLayout(inside)
        across.setContentsMargins(side, 0, side, 0)
        across.setSpacing(0)
        across.addStretch(1)
        across.addWidget(self._column, 1000)
        across.addStretch(1)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setWidget(inside)

    def set_column_width(self, width: int) -> None:
        """In pixels, at most."""
        self._column.setMaximumWidth(width)


class ByWidth(QWidget):
    """Its height follows from its width alone. Whoever asks for a size without a width gets none:
    Qt would lay out all that is in here for widths that it never has, over and over, and the least
    heights of wrapped words are for a narrower column than this."""

    def sizeHint(self) -> QSize:
        return QSize(super().minimumSizeHint().width(), 0)

    def minimumSizeHint(self) -> QSize:
        return QSize(super().minimumSizeHint().width(), 0)
