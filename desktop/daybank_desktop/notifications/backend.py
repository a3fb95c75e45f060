"""What is shown on the desktop, and what shows it. Values and contracts, no behaviour."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

OPEN = "open"
LATER = "later"
STOP_WITHIN = 0.3
"""Seconds of the two that quitting may take."""


@dataclass(frozen=True, slots=True)
class Notice:
    """A notice in plain text. One with the ``id`` of an earlier one takes its place. ``action`` is
    the word on its button, which opens ``page``, as does a click on the notice itself; ``later`` is
    the word for leaving it, shown only where a desktop has no way of its own to do so."""

    id: str
    page: str
    title: str
    text: str
    action: str
    later: str = ""


@dataclass(frozen=True, slots=True)
class Events:
    """How a backend tells what became of a notice, always on the GUI thread. ``acted`` has the id,
    ``OPEN`` or ``LATER``, and the desktop's token for raising a window ("" where it gave none).
    ``failed`` has the notice itself: it was not shown, and another backend should."""

    acted: Callable[[str, str, str], None]
    closed: Callable[[str], None]
    failed: Callable[[Notice], None]


class Backend(Protocol):
    """One way to show notices. All methods are called on the GUI thread and return at once."""

    def start(self, events: Events) -> None:
        """Be ready; nothing else is called before."""
        ...

    def show(self, notice: Notice) -> None:
        """Show it, or call ``failed`` once it is clear that it cannot be shown."""
        ...

    def withdraw(self, notice_id: str) -> None:
        """Take it off the screen, if it still is there and that can be done."""
        ...

    def stop(self, within: float = STOP_WITHIN) -> bool:
        """Nothing is called back after this. False when something is stuck."""
        ...
