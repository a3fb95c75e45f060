"""What the icon in the tray says. Pure, and without Qt.

There is one picture at a time, so one state wins.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class TrayState(StrEnum):
    """The five pictures of the icon."""

    RESTING = "resting"
    WORKING = "working"
    WAITING = "waiting"
    ATTENTION = "attention"
    PAUSED = "paused"


class PauseFor(StrEnum):
    """How long a person wants no reflection to begin by itself."""

    ONE_HOUR = "one hour"
    UNTIL_TOMORROW = "until tomorrow"
    UNTIL_RESUMED = "until resumed"


@dataclass(frozen=True, slots=True)
class Facts:
    """What is so just now. ``working_on`` and ``attention`` are short sentences for a person, ""
    where there is none; ``waiting`` is how many suggestions wait."""

    attention: str = ""
    is_working: bool = False
    working_on: str = ""
    waiting: int = 0
    is_paused: bool = False


def state_of(facts: Facts) -> TrayState:
    """The one state that the icon shows.

    What needs the person comes first: it does not pass by itself. Working is next, since it is over
    soon and what waits shows again then. Suggestions go before a pause: they are for the person,
    who knows of the pause, having made it; the menu tells of it all the same.
    """
    if facts.attention:
        return TrayState.ATTENTION
    if facts.is_working:
        return TrayState.WORKING
    if facts.waiting > 0:
        return TrayState.WAITING
    if facts.is_paused:
        return TrayState.PAUSED
    return TrayState.RESTING
