"""How long the window takes on the sample, once everything is imported."""

from __future__ import annotations

import sys
import time
from pathlib import Path

from PySide6.QtCore import QEvent, QObject, QTimer
from PySide6.QtWidgets import QApplication


class _Watch(QObject):
    """Notes when the main window was first painted."""

    def __init__(self, started: float) -> None:
        super().__init__()
        self.started = started
        self.painted: float | None = None
        self.window: QObject | None = None

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if (
            self.painted is None
            and event.type() == QEvent.Type.Paint
            and self.window is not None
            and watched is self.window
        ):
            self.painted = time.perf_counter() - self.started
        return False


def measure(config: Path) -> dict[str, float]:
    """Start the app as ``--demo`` does; seconds to the first paint and to the first answer."""
    from daybank_desktop.app import App
    from daybank_desktop.options import Options

    application = QApplication([sys.argv[0]])
    started = time.perf_counter()
    watch = _Watch(started)
    application.installEventFilter(watch)
    app = App(application, Options(demo=True), config=config)
    watch.window = app.window
    app.start()
    answered: list[float] = []

    def look() -> None:
        if app.search_page.model.rowCount() and watch.painted is not None:
            answered.append(time.perf_counter() - started)
            application.quit()
        elif time.perf_counter() - started > 60:
            application.quit()

    timer = QTimer(interval=5)
    timer.timeout.connect(look)
    timer.start()
    application.exec()
    timer.stop()
    app.end()
    if watch.painted is None or not answered:
        raise RuntimeError("the window did not show an answer within a minute")
    return {"first window s": watch.painted, "first answer s": answered[0]}
