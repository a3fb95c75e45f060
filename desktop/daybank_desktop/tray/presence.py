"""What closing the window does, and where Daybank is while no window is shown.

Pure, and without Qt. One rule carries the rest: there is never a running Daybank that a person
cannot reach. So without a tray closing quits, and a hidden window comes back when the tray goes.

The application itself must not end with its last window (``QUITS_WITH_LAST_WINDOW``): a dialog
that is closed while the window is hidden would end it.
"""

from __future__ import annotations

from enum import StrEnum

QUITS_WITH_LAST_WINDOW = False
"""For ``QGuiApplication.setQuitOnLastWindowClosed``, with a tray and without."""

STARTING_PATIENCE = 30.0
"""Seconds that a hidden start waits for a tray: at login the panel often comes after us."""

LOST_PATIENCE = 5.0
"""Seconds that a tray may be away before the window comes back: a panel that is restarted, by an
update say, is there again sooner, and nothing should jump at the person for that."""

TOLD_STAYS = "stays in tray"
"""Among ``DesktopSettings.told``: it was said that closing the window leaves Daybank running."""

TOLD_NO_TRAY = "no tray"
"""Among ``DesktopSettings.told``: it was said that this desktop has no tray."""


class OnClose(StrEnum):
    """What closing the window does."""

    QUIT = "quit"
    STAY = "stay"
    STAY_AND_SAY = "stay and say"
    """The first time: say where Daybank is now and how to quit it, then remember that."""


class OnStart(StrEnum):
    """What becomes of the window at the start."""

    SHOW = "show"
    WAIT = "wait"
    HIDE = "hide"


class NoTray(StrEnum):
    """Why Daybank cannot stay in the tray; the words are in ``words.why_no_tray``."""

    GNOME = "gnome"
    """GNOME has none of its own; an extension adds it."""
    NONE = "none"


def on_close(*, has_tray: bool, close_to_tray: bool, told: tuple[str, ...] = ()) -> OnClose:
    """What closing the window does; the same on every system. *Quit* always quits."""
    if not has_tray or not close_to_tray:
        return OnClose.QUIT
    return OnClose.STAY if TOLD_STAYS in told else OnClose.STAY_AND_SAY


def on_start(*, wants_hidden: bool, has_tray: bool, waited: float = 0.0) -> OnStart:
    """Whether a start at login stays out of sight. ``waited`` is in seconds."""
    if not wants_hidden:
        return OnStart.SHOW
    if has_tray:
        return OnStart.HIDE
    return OnStart.WAIT if waited < STARTING_PATIENCE else OnStart.SHOW


def should_return(*, has_tray: bool, is_hidden: bool, away_for: float = LOST_PATIENCE) -> bool:
    """Whether a hidden window has to come back, for want of a tray. ``away_for`` is in seconds."""
    return is_hidden and not has_tray and away_for >= LOST_PATIENCE


def why_no_tray(*, has_tray: bool, desktop: str = "") -> NoTray | None:
    """Why *keep running in the tray* is greyed; None where it is not. ``desktop`` is what
    XDG_CURRENT_DESKTOP says, such as ``ubuntu:GNOME``."""
    if has_tray:
        return None
    return NoTray.GNOME if "gnome" in desktop.casefold().split(":") else NoTray.NONE


def should_say_no_tray(*, has_tray: bool, close_to_tray: bool, told: tuple[str, ...]) -> bool:
    """Whether to say, once, that closing the window quits although the person wants it to stay."""
    return close_to_tray and not has_tray and TOLD_NO_TRAY not in told
