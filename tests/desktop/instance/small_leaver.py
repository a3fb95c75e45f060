"""A program that leaves as Daybank does, for tests that send it real signals.

    python small_leaver.py HOW FOLDER

HOW: idle, worker (one that hears nothing), busy (the window's thread computes for ever), modal (a
question is open), writing (something is half written in the box), tray (a window that hides instead
of closing, and a Quit as macOS sends it).
"""

import os
import sys
import time
from pathlib import Path

from PySide6.QtCore import QEvent, QTimer
from PySide6.QtGui import QCloseEvent
from PySide6.QtWidgets import QApplication, QDialog, QWidget

from daybank_desktop.dialogs.write_down import WriteDownDialog
from daybank_desktop.leaving import Leaving
from daybank_desktop.services.drafts import DraftStore
from daybank_desktop.tasks import Lane, Tasks
from daybank_desktop.theme import Theme


def say(word: str) -> None:
    print(word, flush=True)  # noqa: T201 - its output is what the test reads


def for_ever() -> None:
    say("ready")
    while True:
        time.sleep(0.001)


class InTheTray(QWidget):
    """Closes only where all of it leaves."""

    def __init__(self, leaving: Leaving) -> None:
        super().__init__()
        self._leaving = leaving

    def closeEvent(self, event: QCloseEvent) -> None:
        say("window closes" if self._leaving.is_leaving else "window hides")
        event.setAccepted(self._leaving.is_leaving)


def main() -> int:
    how, folder = sys.argv[1], Path(sys.argv[2])
    application = QApplication([])
    theme = Theme(application, mode="light")
    tasks = Tasks()
    leaving = Leaving(application, watch_quit=how == "tray")
    box = None
    if how == "writing":
        box = WriteDownDialog(drafts=DraftStore(folder, "key"))
        box.show()
        box.edit.insertPlainText("Half a sent")
    leaving.asked.connect(say)
    if box is not None:
        leaving.asked.connect(box.keep_draft)
    if how != "tray":
        leaving.asked.connect(application.quit)
    leaving.watch_signals()
    if how == "worker":
        tasks.run(Lane.WRITE, lambda job: time.sleep(60))
    question = QDialog()
    if how == "modal":
        QTimer.singleShot(0, question.exec)
    window = InTheTray(leaving)
    if how == "tray":
        window.show()
        quit_event = QEvent(QEvent.Type.Quit)
        QTimer.singleShot(100, lambda: QApplication.sendEvent(application, quit_event))
    QTimer.singleShot(50, for_ever if how == "busy" else lambda: say("ready"))
    code = application.exec()
    say("out")
    if not tasks.shutdown(within=1.5):
        os._exit(code)
    leaving.close()
    del theme
    return code


if __name__ == "__main__":
    sys.exit(main())
