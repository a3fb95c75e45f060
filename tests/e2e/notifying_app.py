"""A program that has something to tell, as Daybank does: notices by whatever the desktop has.

A test writes what there is to tell on its standard input, a JSON list a line, and reads what came
of it in a file.

    python notifying_app.py SAID.txt CONFIG_FOLDER
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from PySide6.QtCore import QSocketNotifier
from PySide6.QtWidgets import QApplication, QSystemTrayIcon

from daybank.clock import SystemClock
from daybank.health.report import HealthCheck, HealthReport
from daybank_desktop.notifications.memory import NoticeMemory
from daybank_desktop.notifications.notifier import Notifier, backends_here
from daybank_desktop.services.schedule import Finding, FindingKind
from daybank_desktop.services.settings import SettingsStore
from daybank_desktop.tasks import Tasks
from daybank_desktop.theme import Theme


class NotifyingApp:
    def __init__(self, app: QApplication, said_in: Path, config: Path) -> None:
        self._app = app
        self._said_in = said_in
        self._tasks = Tasks()
        theme = Theme(app, mode="light")
        theme.apply()
        self._tray = QSystemTrayIcon(theme.app_icon())
        self._tray.show()
        settings = SettingsStore(config / "desktop.json")
        settings.update(quiet_hours=False)
        self._notifier = Notifier(
            backends_here(self._tasks.post, lambda: self._tray, theme.app_icon),
            settings,
            NoticeMemory(config / "notifications.json"),
            SystemClock(),
            lambda: "",
        )
        self._notifier.opened.connect(lambda page: self._say(f"opened {page}"))
        self._notifier.in_window.connect(lambda title, *rest: self._say(f"in window {title}"))
        self._notifier.set_folder("/notes")
        self._lines = QSocketNotifier(sys.stdin.fileno(), QSocketNotifier.Type.Read)
        self._lines.activated.connect(self._read)
        self._say("started")

    def _say(self, line: str) -> None:
        with open(self._said_in, "a", encoding="utf-8") as file:
            file.write(line + "\n")

    def _read(self) -> None:
        line = sys.stdin.readline()
        if not line:
            self._lines.setEnabled(False)
            self._say(f"stopped {self._notifier.stop()}")
            self._tasks.shutdown()
            self._app.quit()
            return
        self._do(*json.loads(line))
        self._say(f"done {line.strip()}")

    def _do(self, what: str, *about: str) -> None:
        if what == "suggest":
            finding = Finding(FindingKind.SUGGESTIONS, len(about), about, "They came in.")
            self._notifier.tell(finding)
        elif what == "copy":
            check = HealthCheck("conflict-copies", "warning", "1 copy.", about)
            self._notifier.see_health(HealthReport((check,)))
            self._notifier.tell(Finding(FindingKind.HEALTH, 1, about, "1 copy."))
        elif what == "answered":
            self._notifier.set_waiting(0)


def main() -> int:
    app = QApplication(sys.argv[:1])
    app.setQuitOnLastWindowClosed(False)
    running = NotifyingApp(app, Path(sys.argv[1]), Path(sys.argv[2]))
    code = app.exec()
    del running
    return code


if __name__ == "__main__":
    sys.exit(main())
