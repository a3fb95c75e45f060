"""Buttons: primary (one a view), plain, quiet, link, danger, and the icon button.

They paint themselves, because a style sheet cannot set the gap between icon and text or keep
the icon in the theme's colour. Anything that can be pressed is 28 px high or more.
GUI thread only.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from PySide6.QtCore import QEvent, QRectF, QSize, Qt
from PySide6.QtGui import QEnterEvent, QFont, QFontMetricsF, QPainter, QPaintEvent
from PySide6.QtWidgets import QPushButton, QSizePolicy, QWidget

from daybank_desktop.theme import Theme
from daybank_desktop.widgets import paint

ButtonKind = Literal["primary", "plain", "quiet", "link", "danger"]


@dataclass(frozen=True, slots=True)
class _Look:
    """Colour tokens of one kind of button in its three states; "" is nothing."""

    text: str
    border: str
    rest: str
    hover: str
    pressed: str
    padding: int
    weight: int


_LOOKS: dict[ButtonKind, _Look] = {
    "primary": _Look("text.onAccent", "", "accent", "accent.hover", "accent.pressed", 13, 600),
    "plain": _Look(
        "text.primary", "border.control", "bg.surface", "bg.hover", "bg.pressed", 13, 500
    ),
    "quiet": _Look("text.secondary", "", "", "bg.hover", "bg.pressed", 13, 500),
    "link": _Look("accent", "", "", "bg.hover", "bg.pressed", 8, 500),
    "danger": _Look("text.onNegative", "", "negative", "negative", "negative", 13, 600),
}
_SMALL_PADDING = 11
_GAP = 6


class Button(QPushButton):
    """A button with words and, if given, an icon before them.

    `chevron` shows that it opens a menu; a menu set with `setMenu` shows one anyway.
    """

    def __init__(
        self,
        text: str = "",
        kind: ButtonKind = "plain",
        *,
        icon: str = "",
        small: bool = False,
        chevron: bool = False,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(text, parent)
        self._kind: ButtonKind = kind
        self._icon_name = icon
        self._small = small
        self._chevron = chevron
        self._theme = Theme.of(self)
        self.setAccessibleName(text)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self._theme.changed.connect(self._restyle)

    @property
    def kind(self) -> ButtonKind:
        return self._kind

    def set_kind(self, kind: ButtonKind) -> None:
        self._kind = kind
        self._restyle()

    def set_icon_name(self, icon: str) -> None:
        self._icon_name = icon
        self._restyle()

    def setText(self, text: str) -> None:
        super().setText(text)
        self.setAccessibleName(text.replace("&", ""))
        self.updateGeometry()

    def _restyle(self) -> None:
        self.updateGeometry()
        self.update()

    def _font(self) -> QFont:
        font = self._theme.font("control")
        font.setWeight(QFont.Weight(_LOOKS[self._kind].weight))
        return font

    def _padding(self) -> int:
        padding = _LOOKS[self._kind].padding
        return min(padding, _SMALL_PADDING) if self._small else padding

    def _icon_size(self) -> int:
        return self._theme.px(14 if self._small else 16)

    def _shows_chevron(self) -> bool:
        return self._chevron or self.menu() is not None

    def _content_width(self) -> float:
        width = QFontMetricsF(self._font()).horizontalAdvance(self.text())
        if self._icon_name:
            width += self._icon_size() + _GAP
        if self._shows_chevron():
            width += self._theme.px(14) + _GAP
        return width

    def sizeHint(self) -> QSize:
        height = self._theme.px(28 if self._small else 32)
        return QSize(int(self._content_width() + 0.999) + 2 * self._padding(), max(28, height))

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def _colors(self) -> tuple[str, str, str]:
        """Text, border and fill for the state the button is in."""
        look = _LOOKS[self._kind]
        if not self.isEnabled():
            return "text.disabled", "border.default" if look.rest else "", ""
        if self.isDown() or self.isChecked():
            return look.text, look.border, look.pressed
        if self.underMouse():
            return look.text, look.border, look.hover
        return look.text, look.border, look.rest

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = self._theme
        text, border, fill = self._colors()
        painter = QPainter(self)
        if fill or border:
            paint.rounded(
                painter,
                QRectF(self.rect()),
                theme.radius("md"),
                theme.color(fill) if fill else None,
                theme.color(border) if border else None,
            )
        x = (self.width() - self._content_width()) / 2
        height = float(self.height())
        if self._icon_name:
            side = self._icon_size()
            paint.icon(painter, theme, self, self._icon_name, text, QRectF(x, 0, side, height))
            x += side + _GAP
        painter.setFont(self._font())
        width = painter.fontMetrics().horizontalAdvance(self.text())
        paint.text(painter, QRectF(x, 0, width + 2, height), self.text(), theme.color(text))
        if self._shows_chevron():
            side = theme.px(14)
            area = QRectF(x + width + _GAP, 0, side, height)
            paint.icon(painter, theme, self, "action.dropdown", text, area)

    def enterEvent(self, event: QEnterEvent) -> None:
        super().enterEvent(event)
        self.update()

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self.update()


class IconButton(QPushButton):
    """An icon that can be pressed. `name` is spoken, and shown as the tooltip."""

    def __init__(
        self,
        icon: str,
        name: str,
        *,
        color: str = "text.secondary",
        size: int = 32,
        icon_size: int = 18,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._icon_name = icon
        self._color = color
        self._size = max(28, size)
        self._icon_side = icon_size
        self._theme = Theme.of(self)
        self.set_name(name)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.setAutoDefault(False)
        self._theme.changed.connect(self._restyle)

    def set_name(self, name: str, shortcut: str = "") -> None:
        """What it does, and the keys that do the same."""
        self.setAccessibleName(name)
        self.setToolTip(f"{name}  {shortcut}" if shortcut else name)

    def set_icon_name(self, icon: str, color: str | None = None) -> None:
        self._icon_name = icon
        self._color = color or self._color
        self.update()

    def _restyle(self) -> None:
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        side = max(28, self._theme.px(self._size))
        return QSize(side, side)

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = self._theme
        painter = QPainter(self)
        if self.isEnabled() and (self.isDown() or self.isChecked() or self.underMouse()):
            fill = "bg.pressed" if self.isDown() or self.isChecked() else "bg.hover"
            paint.rounded(painter, QRectF(self.rect()), theme.radius("md"), theme.color(fill))
        side = theme.px(self._icon_side)
        area = QRectF((self.width() - side) / 2, (self.height() - side) / 2, side, side)
        color = self._color if self.isEnabled() else "text.disabled"
        paint.icon(painter, theme, self, self._icon_name, color, area)

    def enterEvent(self, event: QEnterEvent) -> None:
        super().enterEvent(event)
        self.update()

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self.update()
