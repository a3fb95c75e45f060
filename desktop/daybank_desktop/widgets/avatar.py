"""A letter or an icon in a circle, to stand for a person or a thing. GUI thread only."""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from daybank_desktop import people_phrases
from daybank_desktop.theme import Theme
from daybank_desktop.widgets import paint


def paint_avatar(
    painter: QPainter,
    theme: Theme,
    widget: QWidget,
    circle: QRectF,
    name: str,
    type_: str | None,
    *,
    strong: bool,
) -> None:
    """The circle of somebody called ``name``; ``strong`` for the one that is looked at."""
    fill = theme.color("accent.soft" if strong else "bg.hover")
    ink = "accent.softText" if strong else "text.secondary"
    paint.rounded(painter, circle, circle.height() / 2, fill)
    icon = people_phrases.type_icon(type_)
    if icon:
        side = circle.height() * 0.5
        spot = QRectF(0, 0, side, side)
        spot.moveCenter(circle.center())
        paint.icon(painter, theme, widget, icon, ink, spot)
        return
    font = theme.font("bodyStrong")
    font.setPixelSize(max(10, round(circle.height() * 0.42)))
    painter.setFont(font)
    letter = people_phrases.initial(name)
    paint.text(painter, circle, letter, theme.color(ink), Qt.AlignmentFlag.AlignHCenter)


class Avatar(QWidget):
    """The large circle at the head of a page; the name beside it says what it is."""

    def __init__(self, size: int = 48, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = Theme.of(self)
        self._size = size
        self._name = ""
        self._type: str | None = None
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self._theme.changed.connect(self.updateGeometry)

    def set_person(self, name: str, type_: str | None) -> None:
        self._name, self._type = name, type_
        self.update()

    def sizeHint(self) -> QSize:
        side = self._theme.px(self._size)
        return QSize(side, side)

    def paintEvent(self, event: QPaintEvent) -> None:
        circle = QRectF(self.rect())
        painter = QPainter(self)
        paint_avatar(painter, self._theme, self, circle, self._name, self._type, strong=True)
