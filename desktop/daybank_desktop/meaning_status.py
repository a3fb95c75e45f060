"""How far search by meaning is: on the right of the line at the foot, in the menu, in a notice
above the results. GUI thread only.
"""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject

from daybank_desktop import phrases
from daybank_desktop.commands import Command
from daybank_desktop.pages.search_page import SearchPage
from daybank_desktop.services.meaning import Meaning, Phase, Readiness
from daybank_desktop.services.search import Search
from daybank_desktop.widgets.status_bar import StatusItem
from daybank_desktop.windows.main_window import MainWindow

_COMMAND = "folder.meaning"


class MeaningStatus(QObject):
    """Follows ``meaning``; searches by it once it costs no time."""

    def __init__(
        self, window: MainWindow, meaning: Meaning, search: Search, page: SearchPage
    ) -> None:
        super().__init__(window)
        self._window = window
        self._meaning = meaning
        self._search = search
        self._page = page
        self._phase = Phase.UNKNOWN
        search.by_meaning = False
        window.status.preparing.cancelled.connect(meaning.pause)
        meaning.changed.connect(self._show)
        meaning.loaded.connect(lambda: self.set_by_meaning(True))

    def set_by_meaning(self, by_meaning: bool) -> None:
        self._search.by_meaning = by_meaning

    def _show(self, readiness: Readiness) -> None:
        status, phase = self._window.status, readiness.phase
        is_ours = phase is Phase.PREPARING and not readiness.reason
        item = None
        if phase is Phase.ON:
            item = StatusItem(self.tr("Search by meaning is on"))
        elif phase is Phase.OFF:
            item = StatusItem(self.tr("Search by meaning is off"), hint=readiness.reason)
        elif phase is Phase.PAUSED:
            hint = self.tr("It goes on at the next start, or from the menu now.")
            item = StatusItem(phrases.prepared_so_far(readiness.percent), hint=hint)
        elif phase is Phase.PREPARING and not is_ours:
            item = StatusItem(phrases.preparing(readiness.percent), hint=readiness.reason)
        status.set_item("meaning", item)
        if is_ours:
            words = phrases.preparing(readiness.percent)
            status.preparing.set_progress(words, readiness.done, max(1, readiness.total))
        else:
            status.preparing.finish()
        self._page.set_preparing(phase is Phase.PREPARING)
        if phase is not self._phase:
            self._phase = phase
            self._offer(phase)
            if phase is Phase.ON and not self._search.question.is_blank:
                self._search.refresh()  # what is on the screen was found by its words alone

    def _offer(self, phase: Phase) -> None:
        """The one thing that can be done about it just now."""
        pause, go_on = self._meaning.pause, self._meaning.resume
        offers: dict[Phase, tuple[str, Callable[[], object], str]] = {
            Phase.PREPARING: (
                self.tr("Pause preparing search by meaning"),
                pause,
                "action.pause",
            ),
            Phase.PAUSED: (self.tr("Go on preparing search by meaning"), go_on, "action.resume"),
            Phase.OFF: (self.tr("Try search by meaning again"), go_on, "action.refresh"),
        }
        self._window.commands.remove(_COMMAND)
        if phase in offers:
            words, run, icon = offers[phase]
            self._window.commands.add(Command(_COMMAND, words, run, (), icon, "folder"))
