"""What the window builds in several steps, so that none of them holds it up.

Each step has a turn of the event loop of its own: between two, the window paints what is there
and takes in clicks and keys. GUI thread only.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable

from PySide6.QtCore import QObject, QTimer


class Steps(QObject):
    """Runs steps one after the other, the first at once. New ones take the place of what was left
    of the old: what they would have shown is out of date."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._waiting: deque[Callable[[], None]] = deque()
        self._timer = QTimer(self, interval=0)
        self._timer.timeout.connect(self._next)

    @property
    def are_done(self) -> bool:
        return not self._waiting

    def run(self, steps: Iterable[Callable[[], None]]) -> None:
        """Run ``steps``, the first now."""
        self._waiting = deque(steps)
        self._next()

    def finish(self) -> None:
        """Run what is left now: somebody needs to see all of it."""
        while self._waiting:
            self._next()

    def stop(self) -> None:
        """Drop what is left."""
        self._waiting.clear()
        self._timer.stop()

    def _next(self) -> None:
        if self._waiting:
            step = self._waiting.popleft()
            step()  # may run other steps in place of what is left
        if self._waiting:
            self._timer.start()
        else:
            self._timer.stop()
