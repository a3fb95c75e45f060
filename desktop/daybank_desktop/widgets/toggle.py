"""Ways to choose: a switch, a check box with a drawn tick, and a card that is a radio button.

GUI thread only.
"""

from __future__ import annotations

from PySide6.QtCore import QEvent, QPoint, QRectF, QSize, Qt
from PySide6.QtGui import QEnterEvent, QFontMetricsF, QPainter, QPaintEvent
from PySide6.QtWidgets import (
    QCheckBox,
    QGridLayout,
    QRadioButton,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from daybank_desktop.theme import Theme
from daybank_desktop.widgets import paint
from daybank_desktop.widgets.glyph import Glyph
from daybank_desktop.widgets.label import Label


class Toggle(QCheckBox):
    """A switch without words of its own; `name` is what a screen reader says."""

    def __init__(self, name: str, *, checked: bool = False, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = Theme.of(self)
        self.setAccessibleName(name)
        self.setChecked(checked)
        self.setProperty("focusRadius", 14)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self._theme.changed.connect(self.updateGeometry)

    def sizeHint(self) -> QSize:
        return QSize(self._theme.px(36), max(28, self._theme.px(28)))

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def hitButton(self, pos: QPoint) -> bool:
        return self.rect().contains(pos)

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = self._theme
        painter = QPainter(self)
        height = theme.px(20)
        track = QRectF(0, (self.height() - height) / 2, theme.px(36), height)
        on = self.isChecked()
        if not self.isEnabled():
            paint.rounded(painter, track, height / 2, None, theme.color("border.default"))
            knob_color = "text.disabled"
        elif on:
            paint.rounded(painter, track, height / 2, theme.color("accent"))
            knob_color = "text.onAccent"
        else:
            fill, border = theme.color("bg.surface"), theme.color("border.control")
            paint.rounded(painter, track, height / 2, fill, border)
            knob_color = "border.control"
        side = height - 6
        left = track.right() - side - 3 if on else track.left() + 3
        knob = QRectF(left, track.top() + 3, side, side)
        paint.rounded(painter, knob, side / 2, theme.color(knob_color))


class CheckBox(QCheckBox):
    """A check box with its words; the style sheet alone cannot tint a tick."""

    def __init__(self, text: str = "", parent: QWidget | None = None) -> None:
        super().__init__(text, parent)
        self._theme = Theme.of(self)
        self.setAccessibleName(text)
        self._theme.changed.connect(self.updateGeometry)

    def sizeHint(self) -> QSize:
        words = QFontMetricsF(self._theme.font("body")).horizontalAdvance(self.text())
        gap = 9 if self.text() else 0
        width = self._theme.px(18) + gap + int(words + 0.999)
        return QSize(max(28, width), max(28, self._theme.px(28)))

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def hitButton(self, pos: QPoint) -> bool:
        return self.rect().contains(pos)

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = self._theme
        painter = QPainter(self)
        side = theme.px(18)
        box = QRectF(0, (self.height() - side) / 2, side, side)
        if self.isChecked() and self.isEnabled():
            paint.rounded(painter, box, theme.radius("xs") + 1, theme.color("accent"))
        else:
            border = "border.control" if self.isEnabled() else "border.default"
            paint.rounded(
                painter, box, theme.radius("xs") + 1, theme.color("bg.surface"), theme.color(border)
            )
        if self.isChecked():
            ink = "text.onAccent" if self.isEnabled() else "text.disabled"
            inner = box.adjusted(2, 2, -2, -2)
            paint.icon(painter, theme, self, "action.accept", ink, inner)
        painter.setFont(theme.font("body"))
        words = QRectF(side + 9, 0, self.width() - side - 9, self.height())
        color = theme.color("text.primary" if self.isEnabled() else "text.disabled")
        paint.text(painter, words, self.text(), color, elide=True)


class ChoiceCard(QRadioButton):
    """A large radio button: icon, title, a sentence, and more to fill in once it is chosen.

    Cards with the same parent exclude one another; the arrow keys move between them.
    """

    _TILE = 40

    def __init__(
        self, icon: str, title: str, text: str = "", *, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._theme = Theme.of(self)
        self._extra: QWidget | None = None
        self._glyph = Glyph(icon, "text.secondary", 18, tile="bg.sunken", tile_size=self._TILE)
        self._title = Label(title, "heading", wrap=True)
        self._text = Label(text, "body", "text.secondary", wrap=True)
        self.setAccessibleName(title)
        self.setAccessibleDescription(text)
        self.setProperty("focusRadius", self._theme.radius("lg"))
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)

        self._grid = QGridLayout(self)
        self._grid.setHorizontalSpacing(16)
        self._grid.setVerticalSpacing(0)
        self._grid.setColumnStretch(1, 1)
        self._grid.addWidget(self._glyph, 0, 0, 2, 1, Qt.AlignmentFlag.AlignTop)
        self._grid.addWidget(self._title, 0, 1)
        self._grid.addWidget(self._text, 1, 1, 1, 2)
        self._text.setVisible(bool(text))
        self._room = QVBoxLayout()
        self._room.setContentsMargins(0, 0, 0, 0)
        self._grid.addLayout(self._room, 2, 1, 1, 2)
        policy = self.sizePolicy()
        policy.setHorizontalPolicy(QSizePolicy.Policy.Expanding)
        policy.setVerticalPolicy(QSizePolicy.Policy.Minimum)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        for part in (self._glyph, self._title, self._text):
            part.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.toggled.connect(self._on_toggled)
        self._theme.changed.connect(self._restyle)
        self._restyle()

    def set_text(self, text: str) -> None:
        self._text.setText(text)
        self._text.setVisible(bool(text))
        self.setAccessibleDescription(text)
        self.updateGeometry()

    def set_extra(self, widget: QWidget) -> None:
        """Something that belongs to this choice, seen while it is chosen."""
        self._extra = widget
        self._room.addWidget(widget)
        self._on_toggled(self.isChecked())

    def _restyle(self) -> None:
        self._grid.setColumnMinimumWidth(2, self._theme.px(18))
        self._grid.setContentsMargins(19, 16, 19, 16)
        self.updateGeometry()
        self.update()

    def _on_toggled(self, chosen: bool) -> None:
        tile, ink = ("accent.soft", "accent") if chosen else ("bg.sunken", "text.secondary")
        self._glyph.set_tile(tile, ink)
        if self._extra is not None:
            self._extra.setVisible(chosen)
            self._room.setContentsMargins(0, 10 if chosen else 0, 0, 0)
        self.updateGeometry()

    def hitButton(self, pos: QPoint) -> bool:
        return self.rect().contains(pos)

    def sizeHint(self) -> QSize:
        hint = self._grid.sizeHint()
        return QSize(hint.width(), self._grid.totalHeightForWidth(hint.width()))

    def minimumSizeHint(self) -> QSize:
        return self._grid.minimumSize()

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        return self._grid.totalHeightForWidth(width)

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = self._theme
        painter = QPainter(self)
        area = QRectF(self.rect())
        chosen = self.isChecked()
        if chosen:
            border, width = "accent", 2.0
        else:
            border, width = "border.control" if self.underMouse() else "border.subtle", 1.0
        fill = theme.color("bg.surface")
        paint.rounded(painter, area, theme.radius("lg"), fill, theme.color(border), width)
        side = theme.px(18)
        top = self._title.y() + (theme.line_height("heading") - side) / 2
        spot = QRectF(area.right() - 19 - side, top, side, side)
        paint_radio(painter, theme, spot, chosen=chosen, enabled=self.isEnabled())

    def enterEvent(self, event: QEnterEvent) -> None:
        super().enterEvent(event)
        self.update()

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self.update()


def paint_radio(
    painter: QPainter, theme: Theme, area: QRectF, *, chosen: bool, enabled: bool = True
) -> None:
    """The round mark of a radio button."""
    radius = area.height() / 2
    if not chosen:
        border = "border.control" if enabled else "border.default"
        paint.rounded(painter, area, radius, theme.color("bg.surface"), theme.color(border))
        return
    paint.rounded(painter, area, radius, theme.color("accent" if enabled else "text.disabled"))
    inset = area.height() * 5 / 18
    dot = area.adjusted(inset, inset, -inset, -inset)
    paint.rounded(painter, dot, radius, theme.color("text.onAccent"))
