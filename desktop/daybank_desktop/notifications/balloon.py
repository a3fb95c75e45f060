"""Notices at the icon in the tray: on macOS and Windows the system's own, through Qt; on Linux a
small window of Qt's, where no notification server runs. GUI thread.

Qt tells of a click without telling on which notice, and shows one at a time: so the next one waits
until the first has had its seconds.
"""

from __future__ import annotations

import sys
from collections import deque
from collections.abc import Callable

from PySide6.QtCore import QObject, QTimer
from PySide6.QtWidgets import QSystemTrayIcon
from shiboken6 import isValid

from daybank_desktop.notifications.backend import OPEN, STOP_WITHIN, Events, Notice

SHOWN_FOR_MS = 10_000


class BalloonBackend(QObject):
    """``tray`` gives the icon, or None while there is none."""

    def __init__(
        self,
        tray: Callable[[], QSystemTrayIcon | None],
        parent: QObject | None = None,
        *,
        platform: str = sys.platform,
        shown_for_ms: int = SHOWN_FOR_MS,
    ) -> None:
        super().__init__(parent)
        self._tray_of = tray
        self._is_linux = platform.startswith("linux")
        self._events: Events | None = None
        self._icon: QSystemTrayIcon | None = None
        self._shown: Notice | None = None
        self._waiting: deque[Notice] = deque()
        self._timer = QTimer(self, singleShot=True, interval=shown_for_ms)
        self._timer.timeout.connect(self._end)

    def start(self, events: Events) -> None:
        self._events = events

    def show(self, notice: Notice) -> None:
        self._waiting = deque(known for known in self._waiting if known.id != notice.id)
        self._waiting.append(notice)
        if self._shown is None or self._shown.id == notice.id:
            self._next()

    def withdraw(self, notice_id: str) -> None:
        """One that waits is not shown; one on the screen goes by itself, Qt cannot take it off."""
        self._waiting = deque(known for known in self._waiting if known.id != notice_id)

    def stop(self, within: float = STOP_WITHIN) -> bool:
        self._events = None
        self._timer.stop()
        self._waiting.clear()
        self._listen_to(None)
        return True

    # Inside

    def _next(self) -> None:
        self._shown = None
        while self._waiting and self._events is not None and self._shown is None:
            notice = self._waiting.popleft()
            tray = self._usable()
            if tray is None:
                self._events.failed(notice)
                continue
            self._shown = notice
            self._listen_to(tray)
            tray.showMessage(notice.title, notice.text, tray.icon(), self._timer.interval())
            self._timer.start()

    def _usable(self) -> QSystemTrayIcon | None:
        tray = self._tray_of()
        if tray is None or not isValid(tray) or not tray.isVisible():
            return None
        if not (QSystemTrayIcon.isSystemTrayAvailable() and QSystemTrayIcon.supportsMessages()):
            return None
        # An icon without a place is drawn by another program, by way of D-Bus; Qt would then ask
        # the same notification server that another backend has found missing.
        if self._is_linux and tray.geometry().isEmpty():
            return None
        return tray

    def _listen_to(self, tray: QSystemTrayIcon | None) -> None:
        if tray is self._icon:
            return
        if self._icon is not None and isValid(self._icon):
            self._icon.messageClicked.disconnect(self._on_click)
        self._icon = tray
        if tray is not None:
            tray.messageClicked.connect(self._on_click)

    def _on_click(self) -> None:
        shown = self._shown
        if shown is None or self._events is None:
            return
        self._timer.stop()
        self._events.acted(shown.id, OPEN, "")
        self._end()

    def _end(self) -> None:
        shown = self._shown
        if shown is not None and self._events is not None:
            self._events.closed(shown.id)
        self._next()
