"""Daybank's icon in the tray and nothing else of Daybank, for a test outside to look at and click.

What the icon asks for is written as lines into a file; what it shows is told it by lines on the
standard input, such as ``set_waiting 3``. The moment is set, so that its words are.

    python tray_app.py SAID.txt light|dark
"""

from __future__ import annotations

import json
import os
import sys
from datetime import datetime, timedelta
from pathlib import Path
from threading import Thread

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QApplication

from daybank.clock import FixedClock
from daybank_desktop.services.schedule import ScheduleState
from daybank_desktop.theme import Theme, mode_of
from daybank_desktop.tray.panel import Panel
from daybank_desktop.tray.tray import Tray

NOW = datetime.fromisoformat("2026-11-26T08:42+01:00")
LAST = NOW.replace(hour=3, minute=0)
NEXT = LAST + timedelta(days=1)

_SIGNALS = (
    "open_requested",
    "capture_requested",
    "search_requested",
    "review_requested",
    "health_requested",
    "reflect_requested",
    "pause_requested",
    "resume_requested",
    "settings_requested",
    "quit_requested",
    "availability_changed",
    "lost",
)


class Steered(QObject):
    """Does what the lines of the standard input say, on the GUI thread."""

    line = Signal(str)

    def __init__(self, tray: Tray, said: Path) -> None:
        super().__init__()
        self._tray = tray
        self._said = said
        self.line.connect(self._do)
        for name in _SIGNALS:
            getattr(tray, name).connect(lambda *values, name=name: self.say(name, *values))

    def say(self, *words: object) -> None:
        with self._said.open("a", encoding="utf-8") as file:
            file.write(" ".join(str(word) for word in words) + "\n")

    def listen(self) -> None:
        """On a thread of its own."""
        for line in sys.stdin:
            self.line.emit(line)
        self.line.emit("end")

    def _do(self, line: str) -> None:
        what, *values = line.split(maxsplit=1)
        value = json.loads(values[0]) if values else None
        if what == "end":
            QApplication.quit()
        elif what == "paused":
            self._tray.show_schedule(
                ScheduleState(LAST, NEXT, True, NOW + timedelta(hours=1), False, None)
            )
        elif what == "running":
            self._tray.show_schedule(ScheduleState(LAST, NEXT, False, None, True, None))
        elif what == "panel":
            self._tray.set_panel(Panel(value))
        else:
            getattr(self._tray, what)(value)
        self.say("done", line.strip())


def main() -> int:
    app = QApplication(sys.argv[:1])
    app.setQuitOnLastWindowClosed(False)
    Theme(app, mode=mode_of(sys.argv[2])).apply()
    tray = Tray(Theme.of(), FixedClock(NOW), look_every_ms=200, lost_after_ms=1500)
    steered = Steered(tray, Path(sys.argv[1]))
    tray.show_schedule(ScheduleState(LAST, NEXT, why_not=None))
    tray.set_last_result(3)
    tray.start()
    steered.say("started")
    listener = Thread(target=steered.listen, daemon=True)
    listener.start()
    code = app.exec()
    tray.stop()
    return code


if __name__ == "__main__":
    code = main()
    sys.stdout.flush()
    os._exit(code)  # the listener may still wait for a line
