"""The window in the soak test: the whole desktop app without a screen, asked and clicked through.

    python soak_app.py PLAN.json

It asks a question a round, walks through the pages, and sees every error that a person would see.
At the end it is told to end while it may be at work, and how long that took is in its diary.
"""

from __future__ import annotations

import logging
import os
import random
import sys
import time
from pathlib import Path

from PySide6.QtCore import QObject, QTimer
from PySide6.QtWidgets import QApplication
from soak_workers import QUESTIONS, Diary, DiaryLog, Plan

from daybank.errors import Cancelled, DaybankError, IndexBusy
from daybank_desktop.app import App
from daybank_desktop.options import Options
from daybank_desktop.tasks import be_smooth

PAGES = ("people", "opinions", "review", "search")
LOOK_MS = 100


class Person(QObject):
    """Sits at the window."""

    def __init__(self, app: App, plan: Plan, diary: Diary) -> None:
        super().__init__()
        self._app = app
        self._plan = plan
        self._diary = diary
        self._dice = random.Random(plan.seed)
        self._asked = 0
        self._asked_at = 0.0
        self._answered = 0
        self.slowest = 0.0
        app.tasks.bug.connect(lambda error: self._failed("a worker", error))
        app.library.sync_failed.connect(self._on_sync_failed)
        app.search.failed.connect(lambda error: self._told_or_failed("ask", error))
        app.search.answered.connect(self._on_answered)
        self._timer = QTimer(self, interval=LOOK_MS)
        self._timer.timeout.connect(self._look)
        self._timer.start()

    def _look(self) -> None:
        plan = self._plan
        if os.path.exists(plan.stop) or time.time() > plan.begin + plan.seconds:
            self._timer.stop()
            QApplication.quit()
            return
        due = plan.begin + plan.seconds * self._asked / plan.rounds
        if self._asked < plan.rounds and time.time() >= due and self._app.library.workspace:
            self._asked += 1
            self._asked_at = time.monotonic()
            self._app.ask(self._dice.choice(QUESTIONS))
            if self._asked % 3 == 0:
                page = PAGES[self._asked // 3 % len(PAGES)]
                self._app.window.commands.run(f"page.{page}")

    def _on_answered(self, answer: object) -> None:
        self._answered += 1
        self._diary.times["answers"] += 1
        if self._asked_at:
            self.slowest = max(self.slowest, time.monotonic() - self._asked_at)
            self._asked_at = 0.0

    def _on_sync_failed(self, error: DaybankError) -> None:
        self._told_or_failed("sync", error)

    def _told_or_failed(self, what: str, error: DaybankError) -> None:
        if isinstance(error, Cancelled):
            return
        if isinstance(error, IndexBusy) and what == "sync":
            self._diary.note("told", what=what, error="IndexBusy", said=str(error))
            return
        self._failed(what, error)

    def _failed(self, what: str, error: object) -> None:
        self._diary.note("failed", what=what, error=repr(error), where=str(error))


def main() -> int:
    """Open the window on the plan's folder until its time is over."""
    plan = Plan.read(sys.argv[1])
    diary = Diary(Path(plan.diary))
    logging.getLogger().addHandler(DiaryLog(diary))
    began = time.monotonic()
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    application = QApplication(sys.argv[:1])
    config = Path(plan.diary).with_suffix(".config")
    config.mkdir(exist_ok=True)
    be_smooth()
    app = App(application, Options(workspace=plan.root), config=config, environ={})
    person = Person(app, plan, diary)
    app.start()
    application.exec()
    ending = time.monotonic()
    if not app.end():
        diary.note("failed", what="end", error="a worker did not end in time", where="")
    diary.slowest["answers"] = person.slowest
    diary.times["end"] = 1
    diary.slowest["end"] = time.monotonic() - ending
    diary.close(began)
    logging.shutdown()
    os._exit(0)


if __name__ == "__main__":
    sys.exit(main())
