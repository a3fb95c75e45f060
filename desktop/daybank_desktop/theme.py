"""The design's tokens turned into a palette, one style sheet, fonts and icons.

Colours and sizes live in `resources/tokens.json`; this module is the only place that knows how
they reach Qt. One `Theme` is made in the composition root; widgets find it with `Theme.of(self)`.
GUI thread only.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any, Final, Literal, cast

from PySide6.QtCore import QByteArray, QObject, QRectF, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontDatabase,
    QGuiApplication,
    QIcon,
    QPainter,
    QPalette,
    QPixmap,
)
from PySide6.QtSvg import QSvgRenderer
from PySide6.QtWidgets import QApplication, QWidget

from daybank_desktop.resources import resource_path

Mode = Literal["system", "light", "dark"]


def mode_of(text: str) -> Mode:
    """The mode of that name; the system's where there is none of it."""
    if text == "light":
        return "light"
    return "dark" if text == "dark" else "system"


TEXT_SIZE_MIN: Final = 90
TEXT_SIZE_MAX: Final = 200

_PROPERTY: Final = "daybankTheme"
_STROKE: Final = 1.75
_STROKE_GRID: Final = 24  # icons are drawn on 24 × 24; larger ones keep the thin line
_LOGO: Final = "logo"
_APP_ICON_SIZES: Final = (16, 24, 32, 48, 64, 128, 256)
_STROKE_WIDTH = re.compile(r'stroke-width="[\d.]+"')
_PLACEHOLDER = re.compile(r"@\{([^}]*)\}")

# High contrast is the person's own choice of colours, so every token becomes one of theirs.
# The first prefix that fits wins.
_HIGH_CONTRAST: Final[tuple[tuple[str, QPalette.ColorRole, str], ...]] = (
    ("bg.window", QPalette.ColorRole.Window, "window"),
    ("bg.sidebar", QPalette.ColorRole.Window, "window"),
    ("bg.", QPalette.ColorRole.Base, "base"),
    ("text.onAccent", QPalette.ColorRole.HighlightedText, "highlighted-text"),
    ("text.onNegative", QPalette.ColorRole.Window, "window"),
    ("accent.soft", QPalette.ColorRole.Base, "base"),
    ("accent", QPalette.ColorRole.Highlight, "highlight"),
    ("mark.bg", QPalette.ColorRole.Highlight, "highlight"),
    ("mark.text", QPalette.ColorRole.HighlightedText, "highlighted-text"),
    ("diff.", QPalette.ColorRole.Base, "base"),
    ("chart.fill", QPalette.ColorRole.Base, "base"),
)
_HIGH_CONTRAST_EXACT: Final = {
    "accent.softText": (QPalette.ColorRole.Text, "text"),
    "accent.softBorder": (QPalette.ColorRole.Text, "text"),
    "negative.soft": (QPalette.ColorRole.Base, "base"),
}


@dataclass(frozen=True, slots=True)
class TypeStyle:
    """One line of the type scale, in logical pixels at text size 100 %."""

    size: int
    line_height: int
    weight: int


class Theme(QObject):
    """Colours, sizes, fonts and icons for the whole window, and when they change."""

    changed = Signal()

    def __init__(
        self,
        app: QApplication,
        *,
        mode: Mode = "system",
        text_size: int = 100,
        family: str | None = None,
    ) -> None:
        super().__init__(app)
        self._app = app
        self._tokens = cast(
            "dict[str, Any]", json.loads(resource_path("tokens.json").read_text("utf-8"))
        )
        self._template = resource_path("styles/app.qss.in").read_text("utf-8")
        self._family = family
        self._mode: Mode = mode
        self._text_size = _clamp_text_size(text_size)
        self._svg: dict[str, str] = {}
        self._pixmaps: dict[tuple[str, int, int, float], QPixmap] = {}
        self._icons: dict[tuple[str, int, int, int], QIcon] = {}
        self._inks: dict[str, QColor] = {}
        self._fonts: dict[tuple[str, bool], QFont] = {}
        self._styles: dict[str, TypeStyle] = {}
        self._applying = False
        self._was_shown_as: tuple[bool, bool] | None = None
        app.setProperty(_PROPERTY, self)
        # The wrappers are kept: Python would delete the hints with the last reference to them.
        self._hints = app.styleHints()
        self._hints.colorSchemeChanged.connect(self._on_system_change)
        self._accessibility: Any = None
        if hasattr(self._hints, "accessibility"):  # Qt 6.10
            self._accessibility = self._hints.accessibility()
            self._accessibility.contrastPreferenceChanged.connect(self._on_system_change)

    @staticmethod
    def of(widget: QWidget | None = None) -> Theme:
        """The theme that `widget` is drawn with."""
        app = QApplication.instance()
        theme = app.property(_PROPERTY) if app is not None else None
        if not isinstance(theme, Theme):
            raise RuntimeError("no Theme has been made for this QApplication")
        return theme

    # What is shown now

    @property
    def mode(self) -> Mode:
        return self._mode

    @property
    def text_size(self) -> int:
        return self._text_size

    @property
    def is_dark(self) -> bool:
        if self._mode == "system":
            return self._hints.colorScheme() == Qt.ColorScheme.Dark
        return self._mode == "dark"

    @property
    def is_high_contrast(self) -> bool:
        if self._accessibility is None:
            return False
        preference = self._accessibility.contrastPreference()
        return bool(preference == Qt.ContrastPreference.HighContrast)

    @property
    def animations(self) -> bool:
        """Whether things may move: off where the system says so, and on no screen at all."""
        if QGuiApplication.platformName() in ("offscreen", "minimal"):
            return False
        motion = getattr(self._accessibility, "motionPreference", None)
        return motion is None or motion() != Qt.MotionPreference.ReducedMotion

    # Changing it

    def set_mode(self, mode: Mode) -> None:
        self._mode = mode
        self.apply()

    def set_text_size(self, percent: int) -> None:
        """Scale type, rows and controls; `percent` is kept between 90 and 200."""
        self._text_size = _clamp_text_size(percent)
        self.apply()

    def apply(self) -> None:
        """Dress the application; cheap enough to call on every change of system or settings."""
        if self._applying:
            return
        self._applying = True
        try:
            self._ask_system_for_scheme()
            self._inks.clear()
            self._fonts.clear()
            self._pixmaps.clear()
            self._icons.clear()
            if self._was_shown_as is None:
                self._app.setStyle("Fusion")
            self._app.setPalette(QPalette() if self.is_high_contrast else self._palette())
            self._app.setFont(self.font("body"))
            self._app.setStyleSheet(self.style_sheet())
            self._app.setWindowIcon(self.app_icon())
            self._was_shown_as = (self.is_dark, self.is_high_contrast)
        finally:
            self._applying = False
        self.changed.emit()

    # Colours and sizes

    def color(self, name: str) -> QColor:
        """The colour of a token such as "bg.window". Kept: painting asks hundreds of times."""
        ink = self._inks.get(name)
        if ink is not None:
            return QColor(ink)
        if self.is_high_contrast:  # the system's colours, which it may change without a word
            if name == "text.disabled":
                return self._app.palette().color(
                    QPalette.ColorGroup.Disabled, QPalette.ColorRole.WindowText
                )
            return self._app.palette().color(_high_contrast_role(name)[0])
        ink = self._inks[name] = QColor(self._colors()[name])
        return QColor(ink)

    def px(self, n: float) -> int:
        """`n` pixels of type, row or control height at the chosen text size; not for borders."""
        return round(n * self._text_size / 100)

    def size(self, name: str) -> int:
        """An unscaled number of the design, such as "toolbar" or "sidebarCompactBelow"."""
        return int(self._tokens["size"][name])

    def space(self, n: int) -> int:
        return int(self._tokens["space"][str(n)])

    def radius(self, name: Literal["xs", "sm", "md", "lg"]) -> int:
        return int(self._tokens["radius"][name])

    def duration(self, name: Literal["fast", "normal", "toastIn", "toastStay"]) -> int:
        """Milliseconds of the design, whether or not things may move."""
        return int(self._tokens["motion"][name])

    # Type

    def type_style(self, style: str) -> TypeStyle:
        found = self._styles.get(style)
        if found is None:
            raw = self._tokens["type"][style]
            found = TypeStyle(raw["size"], raw["lineHeight"], raw["weight"])
            self._styles[style] = found
        return found

    def font(self, style: str, *, tabular: bool = False) -> QFont:
        """The font of "body", "title", … ; `tabular` gives figures one width, for counts."""
        font = self._fonts.get((style, tabular))
        if font is None:
            font = self._fonts[style, tabular] = self._made_font(style, tabular)
        return QFont(font)

    def _made_font(self, style: str, tabular: bool) -> QFont:
        spec = self.type_style(style)
        if style == "mono":
            font = QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont)
        elif self._family is not None:
            font = QFont(self._family)
        else:
            font = QFontDatabase.systemFont(QFontDatabase.SystemFont.GeneralFont)
        font.setPixelSize(self.px(spec.size))
        font.setWeight(QFont.Weight(spec.weight))
        if tabular:
            font.setFeature(QFont.Tag("tnum"), 1)
        return font

    def line_height(self, style: str) -> int:
        return self.px(self.type_style(style).line_height)

    def sure_word_from(self, percent: int) -> int:
        """The lowest percentage that is worded like `percent`: 90, 70, 50, 30 or 0."""
        return next(int(least) for least, _ in self._tokens["sureWords"] if percent >= least)

    # Icons

    def icon_names(self) -> tuple[str, ...]:
        """Every name that `icon` knows."""
        kinds = (f"kind.{kind}" for kind in self._tokens["kinds"])
        return (*self._tokens["icons"], *kinds, _LOGO)

    def icon_file(self, name: str) -> str:
        """The file that draws an icon, inside the resources."""
        if name == _LOGO:
            return "icons/daybank.svg"
        kind = name.removeprefix("kind.")
        if kind != name:
            return f"icons/{self._tokens['kinds'][kind]['icon']}.svg"
        return f"icons/{self._tokens['icons'][name]}.svg"

    def icon(self, name: str, color: str = "text.secondary", size: int = 18) -> QIcon:
        """An icon for Qt's own parts; ask again on `changed`, a QIcon keeps its colours.

        `size` is in logical pixels, `px(18)` for one that follows the text size.
        """
        key = (name, self.color(color).rgba(), size, 0)
        icon = self._icons.get(key)
        if icon is None:
            icon = QIcon()
            ratios = {1.0, 2.0, *(s.devicePixelRatio() for s in self._app.screens())}
            for ratio in sorted(ratios):
                icon.addPixmap(self.pixmap(name, color, size, ratio), QIcon.Mode.Normal)
                icon.addPixmap(self.pixmap(name, color, size, ratio), QIcon.Mode.Active)
                icon.addPixmap(self.pixmap(name, color, size, ratio), QIcon.Mode.Selected)
                icon.addPixmap(self.pixmap(name, "text.disabled", size, ratio), QIcon.Mode.Disabled)
            self._icons[key] = icon
        return icon

    def pixmap(self, name: str, color: str, size: int, dpr: float) -> QPixmap:
        """An icon drawn for one screen; meant for paint events, so it is cached."""
        ink = self.color(color)
        key = (name, ink.rgba(), size, dpr)
        pixmap = self._pixmaps.get(key)
        if pixmap is None:
            pixmap = self._draw(self._tinted(name, ink, size), size, dpr)
            self._pixmaps[key] = pixmap
        return pixmap

    def app_icon(self) -> QIcon:
        """The logo in the sizes that task bars and title bars ask for."""
        icon = QIcon()
        source = resource_path(self.icon_file(_LOGO)).read_text("utf-8")
        for size in _APP_ICON_SIZES:
            icon.addPixmap(self._draw(source, size, 1.0))
        return icon

    # Made from the tokens

    def style_sheet(self) -> str:
        """The style sheet template with every @{token} filled in."""
        return _PLACEHOLDER.sub(lambda match: self._fill(match[1]), self._template)

    def contrast_pairs(self) -> tuple[tuple[str, str, float], ...]:
        """(foreground, background, least ratio) that the design promises."""
        return tuple((f, b, float(least)) for f, b, least in self._tokens["contrast"])

    def _fill(self, token: str) -> str:
        group, _, rest = token.partition(".")
        if group == "px":
            return f"{self.px(float(rest))}px"
        if group == "radius":
            return f"{self._tokens['radius'][rest]}px"
        if group == "space":
            return f"{self.space(int(rest))}px"
        if group == "measure":
            return f"{self._measures()[rest]}px"
        if group == "font":  # font.control → size and weight
            spec = self.type_style(rest)
            return f"font-size: {self.px(spec.size)}px; font-weight: {spec.weight}"
        if token not in self._colors():
            raise KeyError(f"the style sheet asks for an unknown token: {token}")
        if self.is_high_contrast:
            return f"palette({_high_contrast_role(token)[1]})"
        return str(self._colors()[token])

    def _measures(self) -> dict[str, int]:
        """Round marks of the style sheet: Qt draws a square where a radius is over the half."""
        radio, ring = self.px(16) + 2, self.px(5)
        handle = self.px(14) + 4
        return {
            "radioDot": radio - 2 * ring,
            "radioRing": ring,
            "radioRadius": radio // 2,
            "handleRadius": handle // 2,
            "handleOverhang": (handle - 6) // 2,
        }

    def _colors(self) -> dict[str, str]:
        return cast("dict[str, str]", self._tokens["color"]["dark" if self.is_dark else "light"])

    def _palette(self) -> QPalette:
        palette = QPalette()
        for role_name, token in self._tokens["palette"].items():
            role = getattr(QPalette.ColorRole, role_name, None)
            if role is not None:  # Accent came with Qt 6.6
                palette.setColor(role, self.color(token))
        disabled = self.color("text.disabled")
        for role in (
            QPalette.ColorRole.WindowText,
            QPalette.ColorRole.Text,
            QPalette.ColorRole.ButtonText,
            QPalette.ColorRole.HighlightedText,
        ):
            palette.setColor(QPalette.ColorGroup.Disabled, role, disabled)
        palette.setColor(
            QPalette.ColorGroup.Disabled, QPalette.ColorRole.Highlight, self.color("bg.pressed")
        )
        return palette

    def _tinted(self, name: str, ink: QColor, size: int) -> str:
        source = self._svg.get(name)
        if source is None:
            source = resource_path(self.icon_file(name)).read_text("utf-8")
            if name != _LOGO:
                source = _STROKE_WIDTH.sub('stroke-width="@stroke"', source)
            self._svg[name] = source
        if name == _LOGO:
            return source.replace("#2F5DB0", self.color("accent").name()).replace(
                "#FFFFFF", self.color("text.onAccent").name()
            )
        stroke = _STROKE * min(1.0, _STROKE_GRID / size)
        return source.replace("currentColor", ink.name()).replace("@stroke", f"{stroke:.3f}")

    def _draw(self, source: str, size: int, dpr: float) -> QPixmap:
        side = max(1, round(size * dpr))
        pixmap = QPixmap(side, side)
        pixmap.fill(Qt.GlobalColor.transparent)
        painter = QPainter(pixmap)
        QSvgRenderer(QByteArray(source.encode())).render(painter, QRectF(0, 0, side, side))
        painter.end()
        pixmap.setDevicePixelRatio(dpr)
        return pixmap

    # Following the system

    def _ask_system_for_scheme(self) -> None:
        """Title bars and native dialogs follow too, where the platform lets them."""
        if not hasattr(self._hints, "setColorScheme"):  # Qt 6.8
            return
        wanted = {
            "system": Qt.ColorScheme.Unknown,
            "light": Qt.ColorScheme.Light,
            "dark": Qt.ColorScheme.Dark,
        }[self._mode]
        self._hints.setColorScheme(wanted)

    def _on_system_change(self) -> None:
        self._inks.clear()
        if (self.is_dark, self.is_high_contrast) != self._was_shown_as:
            self.apply()


def _clamp_text_size(percent: int) -> int:
    return max(TEXT_SIZE_MIN, min(TEXT_SIZE_MAX, percent))


def _high_contrast_role(token: str) -> tuple[QPalette.ColorRole, str]:
    if token in _HIGH_CONTRAST_EXACT:
        return _HIGH_CONTRAST_EXACT[token]
    for prefix, role, word in _HIGH_CONTRAST:
        if token.startswith(prefix):
            return role, word
    if token.endswith(".soft"):
        return QPalette.ColorRole.Base, "base"
    return QPalette.ColorRole.WindowText, "window-text"
