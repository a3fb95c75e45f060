"""Being asked to leave from outside: by a signal, by the session's end, by the system's Quit.

Nobody is asked anything then. What is half written is saved, what runs is cancelled, and the
process is gone within two seconds; the computer is waiting for it.

Signals: Python runs a handler only between two of its own steps, and an idle window is for hours
inside Qt. So each signal also writes its number into a socket that Qt watches
(``signal.set_wakeup_fd``). The handler itself, which Python does run where the window's thread is
busy with Python, sets the last resort: a clock inside the interpreter that ends the process even
if nothing else in it moves any more. The same clock is set when leaving begins for another reason.

The session's end: the desktop first announces it (`saving`), and may still be told no by another
program; only then it has everybody leave (`asked`). Where a desktop announces nothing, as GNOME on
Wayland, a signal comes. GUI thread only.
"""

from __future__ import annotations

import contextlib
import faulthandler
import logging
import os
import signal
import socket
import sys
from collections.abc import Callable
from enum import StrEnum
from types import FrameType
from typing import Any, Final

from PySide6.QtCore import QEvent, QObject, QSocketNotifier, Signal
from PySide6.QtGui import QGuiApplication, QSessionManager

log = logging.getLogger(__name__)

WITHIN: Final = 2.0
"""Seconds from being asked until the process is gone, whatever it takes."""
_SIGNALS: Final = ("SIGTERM", "SIGINT", "SIGHUP", "SIGBREAK")


class Reason(StrEnum):
    """Why Daybank is to leave."""

    SIGNAL = "signal"
    LOG_OUT = "log out"
    QUIT = "quit"


def end_anyway(seconds: float) -> None:
    """Have the process end in ``seconds`` even if it hangs; its stacks go to the error output."""
    try:
        faulthandler.dump_traceback_later(seconds, exit=True)
    except (RuntimeError, ValueError, OSError):  # a program for the desktop has no error output
        nowhere = os.open(os.devnull, os.O_WRONLY)
        faulthandler.dump_traceback_later(seconds, exit=True, file=nowhere)


class Leaving(QObject):
    """Emits `saving` when the session may be about to end, and `asked(reason)`, once, when Daybank
    is to leave. Whoever hears `asked` must not open anything, and ends the application.

    ``last_resort`` gets ``within``, the seconds left. With ``watch_quit`` the system's own Quit is
    heard before the windows are asked to close; that takes a look at every event, so elsewhere than
    on macOS, which quits programs so, it begins when the session's end is announced.
    """

    saving = Signal()
    asked = Signal(str)  # a Reason

    def __init__(
        self,
        application: QGuiApplication,
        parent: QObject | None = None,
        *,
        last_resort: Callable[[float], None] = end_anyway,
        within: float = WITHIN,
        watch_quit: bool = sys.platform == "darwin",
    ) -> None:
        super().__init__(parent)
        self._application = application
        self._last_resort = last_resort
        self._within = within
        self._is_leaving = False
        self._session_ends = False
        self._is_counting = False
        self._before: dict[int, Any] = {}
        self._sockets: tuple[socket.socket, socket.socket] | None = None
        self._notifier: QSocketNotifier | None = None
        self._wakeup_before = -1
        application.commitDataRequest.connect(self._on_session)
        application.aboutToQuit.connect(self._on_quitting)
        if watch_quit:
            application.installEventFilter(self)

    @property
    def is_leaving(self) -> bool:
        """From here on a window that is closed is closed: none hides in the tray, none asks."""
        return self._is_leaving

    def watch_signals(self) -> None:
        """Hear SIGTERM, SIGINT and SIGHUP, until `close`. What the one who started us has set to
        be ignored (``nohup``, a job in the background) stays ignored."""
        if self._sockets is not None:
            return
        ours, theirs = socket.socketpair()
        ours.setblocking(False)
        theirs.setblocking(False)
        self._sockets = ours, theirs
        self._notifier = QSocketNotifier(ours.fileno(), QSocketNotifier.Type.Read, self)
        self._notifier.activated.connect(self._on_written)
        self._wakeup_before = signal.set_wakeup_fd(theirs.fileno(), warn_on_full_buffer=False)
        for name in _SIGNALS:
            number = getattr(signal, name, None)
            if number is not None and signal.getsignal(number) is not signal.SIG_IGN:
                self._before[number] = signal.signal(number, self._on_signal)

    def close(self) -> None:
        """Leave the signals as they were before."""
        for number, handler in self._before.items():
            signal.signal(number, handler if handler is not None else signal.SIG_DFL)
        self._before.clear()
        self._application.removeEventFilter(self)
        if self._notifier is not None:
            self._notifier.setEnabled(False)
            self._notifier.deleteLater()
            self._notifier = None
        if self._sockets is not None:
            signal.set_wakeup_fd(self._wakeup_before)
            for end in self._sockets:
                end.close()
            self._sockets = None

    def ask(self, reason: Reason) -> None:
        """Begin to leave; asking again changes nothing."""
        if self._is_leaving:
            return
        self._is_leaving = True
        log.info("Leaving: %s", reason.value)
        if reason is not Reason.QUIT:  # a person who quits by hand may have to be asked something
            self._count_down()
        self.asked.emit(reason.value)

    # What is heard

    def _on_signal(self, number: int, frame: FrameType | None) -> None:
        """Between two steps of whatever ran: nothing but the clock is touched here."""
        self._count_down()

    def _count_down(self) -> None:
        if not self._is_counting:
            self._is_counting = True
            self._last_resort(self._within)

    def _on_written(self) -> None:
        if self._sockets is None:
            return
        heard = b""
        with contextlib.suppress(BlockingIOError):
            while chunk := self._sockets[0].recv(64):
                heard += chunk
        if any(number in self._before for number in heard):
            self.ask(Reason.SIGNAL)

    def _on_session(self, manager: QSessionManager) -> None:
        """Another program may still call the log-out off, so this only saves. Being started again
        with the session is the business of "start at login", not of the session manager."""
        if not self._session_ends:
            self._session_ends = True
            self._application.installEventFilter(self)
        with contextlib.suppress(AttributeError):
            manager.setRestartHint(QSessionManager.RestartHint.RestartNever)
        self.saving.emit()

    def _on_quitting(self) -> None:
        """Windows ends the process right after this; elsewhere all is over by now."""
        self.ask(Reason.LOG_OUT if self._session_ends else Reason.QUIT)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Quit, to the application itself, comes before the windows are asked to close."""
        if event.type() == QEvent.Type.Quit and watched is self._application:
            self.ask(Reason.LOG_OUT if self._session_ends else Reason.QUIT)
        return False
