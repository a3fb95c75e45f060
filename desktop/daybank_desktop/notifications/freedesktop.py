"""Notices on Linux desktops: org.freedesktop.Notifications on the session bus.

Threading rule: the methods are called on the GUI thread and only hand over. One thread of this
backend, begun with the first notice, talks to the bus and listens to it (``bus_talk``); what it
hears is posted to the GUI thread. It waits for nothing that :meth:`FreedesktopBackend.stop` does
not end at once.
"""

from __future__ import annotations

import logging
import queue
import threading
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from daybank_desktop.notifications.backend import STOP_WITHIN, Events, Notice
from daybank_desktop.notifications.waker import Waker

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Pixels:
    """A picture: rows from the top, four bytes a pixel (red, green, blue, opacity)."""

    width: int
    height: int
    data: bytes


@dataclass(frozen=True, slots=True)
class Show:
    notice: Notice
    icon: Pixels | None


@dataclass(frozen=True, slots=True)
class Withdraw:
    notice_id: str


Command = Show | Withdraw


class FreedesktopBackend:
    """``post`` has a call made on the GUI thread; ``icon`` is asked there for the picture."""

    def __init__(
        self,
        post: Callable[[Callable[[], None]], None],
        icon: Callable[[], Pixels | None] = lambda: None,
    ) -> None:
        self._post = post
        self._icon = icon
        self._events: Events | None = None
        self._commands: queue.SimpleQueue[Command | None] = queue.SimpleQueue()
        self._over = threading.Event()
        self._thread: threading.Thread | None = None
        self._waker: Waker | None = None

    # On the GUI thread

    def start(self, events: Events) -> None:
        self._events = events

    def show(self, notice: Notice) -> None:
        if self._thread is None or self._thread.is_alive():
            self._hand_over(Show(notice, self._icon()))
        elif self._events is not None:  # a bug has ended it
            self._events.failed(notice)

    def withdraw(self, notice_id: str) -> None:
        if self._thread is not None:
            self._hand_over(Withdraw(notice_id))

    def stop(self, within: float = STOP_WITHIN) -> bool:
        """What is still on the screen is taken off: nobody would answer a click on it."""
        self._events = None
        self._over.set()
        if self._thread is None or self._waker is None:
            return True
        self._commands.put(None)
        self._waker.wake()
        self._thread.join(within)
        return not self._thread.is_alive()

    def _hand_over(self, command: Command) -> None:
        if self._over.is_set():
            return
        if self._thread is None:
            self._waker = Waker()
            # A daemon: nothing on the bus may keep the process.
            self._thread = threading.Thread(
                target=self._talk, args=(self._waker,), name="daybank-notifications", daemon=True
            )
            self._thread.start()
        self._commands.put(command)
        if self._waker is not None:
            self._waker.wake()

    # On the other thread

    def _talk(self, waker: Waker) -> None:
        from daybank_desktop.notifications.bus_talk import BusTalk  # takes 30 ms

        try:
            BusTalk(self._commands, waker, self._over.is_set, self._tell).run()
        except Exception:
            log.exception("A bug in talking to the desktop")

    def _tell(self, event: Callable[[Events], None]) -> None:
        self._post(partial(self._deliver, event))

    # On the GUI thread again

    def _deliver(self, event: Callable[[Events], None]) -> None:
        if self._events is not None:
            event(self._events)
