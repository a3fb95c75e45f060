"""The app as it is, on a day that is set, with a note of what its window shows.

A test outside steers it with the mouse and the keyboard of the screen; what it needs to wait for,
and where things to click lie, it reads here instead of guessing pixels. Nothing here does anything
in the window.

    python watched_app.py SEEN.json 2026-11-28T09:41 [the app's arguments]
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, QPoint, QPropertyAnimation, QRect, QTimer
from PySide6.QtGui import QTextCursor
from PySide6.QtWidgets import QApplication, QWidget

from daybank.clock import FixedClock
from daybank_desktop import app as desktop
from daybank_desktop import launch
from daybank_desktop.dialogs.command_palette import CommandPalette
from daybank_desktop.widgets.page_view import PageView
from daybank_desktop.widgets.toast import Toast

_EVERY_MS = 40
_PAGES = ("search", "people", "opinions", "review")


class Watcher(QObject):
    """Writes what the window shows into a file, whenever it has changed."""

    def __init__(self, app: desktop.App, file: Path) -> None:
        super().__init__(app)
        self._app = app
        self._file = file
        self._last = ""
        self._timer = QTimer(self, interval=_EVERY_MS)
        self._timer.timeout.connect(self._write)
        self._timer.start()

    def _write(self) -> None:
        text = json.dumps(self._seen(), ensure_ascii=False)
        if text == self._last:
            return
        self._last = text
        beside = self._file.with_suffix(".new")
        beside.write_text(text, encoding="utf-8")
        os.replace(beside, self._file)

    def _seen(self) -> dict[str, Any]:
        app, window = self._app, self._app.window
        people, opinions, review = app.curated.people, app.curated.opinions, app.curated.review
        focused = QApplication.focusWidget()
        dialog = QApplication.activeModalWidget() or QApplication.activePopupWidget()
        row = opinions.detail.shown_row
        view = review.view
        page = app.search_page.reader.page
        return {
            "ready": app.library.workspace is not None and not app.library.is_syncing,
            "idle": app.tasks.is_idle,
            "page": window.page_id,
            "focus": focused.accessibleName() if focused is not None else "",
            "focus_kind": type(focused).__name__,
            "field": window.search.text(),
            "found": app.search_page.found_text,
            "reads": page.path if page is not None and window.page_id == "search" else "",
            "names": dict(_names(app.search_page.reader.view)),
            "person": people.portrait.entity.name if people.portrait is not None else "",
            "event": people.timeline.readout.text,
            "opinion": row.opinion.statement if row is not None else "",
            "step": opinions.detail.readout.text,
            "suggestion": review.suggestion,
            "cards": [card.state_text for card in view.cards],
            "on_card": view.current if view.cards else -1,
            "error": view.error_text,
            "history": review.shows_history,
            "toast": window.toast.text if window.toast.isVisible() else "",
            "toast_action": _middle(window.toast.action_button) if _rests(window.toast) else [],
            "sidebar": {page_id: _middle(window.sidebar.row(page_id)) for page_id in _PAGES},
            "timeline": _middle(people.timeline.plot),
            "chart": _middle(opinions.detail.chart),
            "take_back": _middle(view.revert),
            "history_button": _middle(review.history),
            "palette": _rows(dialog) if isinstance(dialog, CommandPalette) else [],
        }


def _middle(widget: QWidget) -> list[int]:
    """Where to click it, on the screen; empty while it cannot be clicked."""
    area = widget.visibleRegion().boundingRect()
    if not widget.isVisible() or area.isEmpty():
        return []
    point = widget.mapToGlobal(area.center())
    return [point.x(), point.y()]


def _rests(toast: Toast) -> bool:
    """Whether it has slid to where it stays."""
    return toast.findChild(QPropertyAnimation).state() is QPropertyAnimation.State.Stopped


def _names(view: PageView) -> Iterator[tuple[str, list[int]]]:
    """The linked names that are in sight in the reader, and where."""
    block = view.document().firstBlock()
    while block.isValid():
        parts = block.begin()
        while not parts.atEnd():
            part = parts.fragment()
            if part.charFormat().isAnchor():
                cursor = QTextCursor(view.document())
                cursor.setPosition(part.position() + 1)
                spot: QRect = view.cursorRect(cursor)
                link = view.link_at(spot.center()) or ""
                if link.startswith("entity:") and view.viewport().rect().contains(spot):
                    at: QPoint = view.viewport().mapToGlobal(spot.center())
                    yield link.removeprefix("entity:"), [at.x(), at.y()]
            parts += 1
        block = block.next()


def _rows(palette: CommandPalette) -> list[str]:
    model = palette.list.model()
    return [model.index(row, 0).data() for row in range(model.rowCount())]


def main() -> int:
    file, moment = Path(sys.argv[1]), datetime.fromisoformat(sys.argv[2]).astimezone()
    desktop.SystemClock = lambda: FixedClock(moment)  # type: ignore[assignment,misc]
    start = desktop.App.start

    def start_watched(app: desktop.App) -> None:
        start(app)
        Watcher(app, file)

    desktop.App.start = start_watched  # type: ignore[method-assign]
    return launch.run([sys.argv[0], *sys.argv[3:]])


if __name__ == "__main__":
    sys.exit(main())
