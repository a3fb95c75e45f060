"""How bright the panel is that the icon lies on.

No system on Linux tells. Where the desktop is known, what it does is known; elsewhere the icon is
drawn with an outline that shows on both, which is honest and never unreadable. Pure but for
:func:`read_panel`, which asks the system and belongs on the GUI thread.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum

from PySide6.QtCore import QSettings, Qt
from PySide6.QtGui import QGuiApplication

from daybank_desktop.theme import Mode

_TASKBAR = (
    r"HKEY_CURRENT_USER\Software\Microsoft\Windows\CurrentVersion\Themes\Personalize",
    "SystemUsesLightTheme",
)
_ALWAYS_DARK = frozenset(("gnome", "unity"))
_LIKE_THE_WINDOWS = frozenset(("kde", "lxqt"))


class Panel(StrEnum):
    """What the icon is drawn for."""

    LIGHT = "light"
    DARK = "dark"
    UNSURE = "unsure"
    """An outline keeps the icon readable on both."""
    TEMPLATE = "template"
    """macOS colours it: only the shape counts."""


def panel_of(
    platform: str,
    *,
    desktop: str = "",
    system_is_dark: bool | None = None,
    taskbar_is_light: bool | None = None,
) -> Panel:
    """The panel on a ``platform`` as in ``sys.platform``. None stands for what is not known."""
    if platform == "darwin":
        return Panel.TEMPLATE
    if platform == "win32":
        return _panel(None if taskbar_is_light is None else not taskbar_is_light)
    names = set(desktop.casefold().split(":"))
    if names & _ALWAYS_DARK:
        return Panel.DARK
    return _panel(system_is_dark if names & _LIKE_THE_WINDOWS else None)


def read_panel(platform: str, environ: Mapping[str, str], mode: Mode) -> Panel:
    """The panel of this computer. ``mode`` is the theme's: once the person has chosen light or dark
    for Daybank, Qt says that of the system too, so it is not asked then."""
    return panel_of(
        platform,
        desktop=environ.get("XDG_CURRENT_DESKTOP", ""),
        system_is_dark=_system_is_dark() if mode == "system" else None,
        taskbar_is_light=_taskbar_is_light() if platform == "win32" else None,
    )


def _panel(is_dark: bool | None) -> Panel:
    if is_dark is None:
        return Panel.UNSURE
    return Panel.DARK if is_dark else Panel.LIGHT


def _system_is_dark() -> bool | None:
    scheme = QGuiApplication.styleHints().colorScheme()
    return None if scheme == Qt.ColorScheme.Unknown else scheme == Qt.ColorScheme.Dark


def _taskbar_is_light() -> bool | None:
    """Windows keeps one answer for windows and one for the taskbar; Qt only tells the first."""
    value = QSettings(_TASKBAR[0], QSettings.Format.NativeFormat).value(_TASKBAR[1])
    try:
        return None if value is None else bool(int(str(value)))
    except ValueError:
        return None
