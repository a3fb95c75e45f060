"""How long nobody has used keyboard or mouse in Daybank's windows. GUI thread.

The filter sits on the system's windows, not on the application: there it sees a few events where
an application's filter would see every paint of every widget.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import timedelta

from PySide6.QtCore import QEvent, QObject
from PySide6.QtGui import QGuiApplication, QWindow

_USES = frozenset(
    (
        QEvent.Type.KeyPress,
        QEvent.Type.MouseButtonPress,
        QEvent.Type.MouseMove,
        QEvent.Type.Wheel,
        QEvent.Type.TouchBegin,
        QEvent.Type.TabletPress,
        QEvent.Type.InputMethod,
    )
)


class Activity(QObject):
    """``uptime`` is a clock in seconds that only runs forward."""

    def __init__(
        self, parent: QObject | None = None, *, uptime: Callable[[], float] = time.monotonic
    ) -> None:
        super().__init__(parent)
        self._uptime = uptime
        self._last = uptime()

    def watch(self, application: QGuiApplication) -> None:
        """From now on see each window that gets the focus."""
        application.focusWindowChanged.connect(self._on_focus)
        self._on_focus(application.focusWindow())

    def note(self) -> None:
        """Somebody is here now, say because the computer has just woken."""
        self._last = self._uptime()

    @property
    def quiet_for(self) -> timedelta:
        return timedelta(seconds=max(0.0, self._uptime() - self._last))

    def _on_focus(self, window: QWindow | None) -> None:
        if window is not None:
            window.removeEventFilter(self)  # one is enough, however often it gets the focus
            window.installEventFilter(self)
            self.note()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in _USES:
            self.note()
        return False
