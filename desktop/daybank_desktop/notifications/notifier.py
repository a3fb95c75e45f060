"""Tells a person who does not look: joins the rules, the words and the ways to show a notice.

GUI thread. What is told of comes from the schedule; what became of it meanwhile, from whoever knows
(``set_waiting``, ``see_health``, ``page_shown``). The backends are tried in their order, and where
none can show a notice it goes into the window. What is told is saved before it is shown, so a crash
in between costs a notice and never repeats one.
"""

from __future__ import annotations

import logging
import os
import sys
from collections.abc import Callable, Collection, Sequence
from datetime import UTC, datetime, tzinfo

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import QSystemTrayIcon

from daybank.clock import Clock
from daybank.health.report import HealthCheck, HealthReport
from daybank.secrets import mask
from daybank_desktop.notifications import policy
from daybank_desktop.notifications.backend import OPEN, STOP_WITHIN, Backend, Events, Notice
from daybank_desktop.notifications.balloon import BalloonBackend
from daybank_desktop.notifications.memory import NoticeMemory
from daybank_desktop.notifications.policy import SUGGESTIONS, Book, News, Situation, Verdict
from daybank_desktop.notifications.words import notice_of
from daybank_desktop.services.schedule import Finding, FindingKind
from daybank_desktop.services.settings import SettingsStore

log = logging.getLogger(__name__)

_TOKEN = "XDG_ACTIVATION_TOKEN"
"""Where Qt looks for the right to raise a window on Wayland."""


def backends_here(
    post: Callable[[Callable[[], None]], None],
    tray: Callable[[], QSystemTrayIcon | None],
    icon: Callable[[], QIcon],
    *,
    platform: str = sys.platform,
) -> tuple[Backend, ...]:
    """The ways to show a notice on this system, the best first. ``post`` is ``Tasks.post``."""
    balloon = BalloonBackend(tray, platform=platform)
    if platform in ("darwin", "win32"):
        return (balloon,)
    from daybank_desktop.notifications.freedesktop import FreedesktopBackend
    from daybank_desktop.notifications.picture import pixels_of

    return FreedesktopBackend(post, lambda: pixels_of(icon())), balloon


class Notifier(QObject):
    """``in_front`` gives the id of the page that the person has before them, "" while the window
    is hidden or another program's is in front. Nothing is shown before :meth:`set_folder`."""

    opened = Signal(str)  # page id: raise the window there
    in_window = Signal(str, str, str, str)  # title, text, the word on its button, page id

    def __init__(
        self,
        backends: Sequence[Backend],
        settings: SettingsStore,
        memory: NoticeMemory,
        clock: Clock,
        in_front: Callable[[], str],
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._backends = tuple(backends)
        self._settings = settings
        self._memory = memory
        self._clock = clock
        self._in_front = in_front
        self._folder = ""
        self._zone: tzinfo | None = None
        self._checks: tuple[HealthCheck, ...] = ()
        self._shown: dict[str, _Shown] = {}
        self._is_over = False
        for place, backend in enumerate(self._backends):
            backend.start(
                Events(
                    self._on_acted,
                    self._on_closed,
                    lambda notice, place=place: self._on_failed(notice, place),  # type: ignore[misc]
                )
            )

    # What there is to tell

    def tell(self, finding: Finding) -> None:
        """Show it now, keep it until quiet hours are over, or drop it."""
        if self._is_over or not self._folder:
            return
        news = self._news(finding)
        outcome = policy.judge(self._book, news, self._rules, self._situation())
        self._save(outcome.book)
        log.info("%s: %s", news.topic, outcome.verdict.value)
        if outcome.verdict is Verdict.SHOW:
            self._show((outcome.news,))

    def say(self, title: str, text: str, action: str, page: str) -> None:
        """Something about Daybank itself, whatever the rules say; whoever calls says it once."""
        if self._is_over:
            return
        notice = Notice(f"said {page}", page, title, text, action)
        self._shown[notice.id] = _Shown(notice, frozenset())
        self._show_by(notice, 0)

    def beat(self, now: datetime, zone: tzinfo) -> None:
        """About once a minute: show what quiet hours have held back, once they are over."""
        self._zone = zone
        if self._is_over or not self._book.held:
            return
        situation = Situation(now, zone, self._in_front())
        book, news = policy.release(self._book, self._rules, situation)
        self._save(book)
        suggestions = [one for one in news if one.topic == SUGGESTIONS]
        findings = [one for one in news if one.topic != SUGGESTIONS]
        for group in (suggestions, findings):
            if group:
                self._show(group)

    # What became of it

    def set_folder(self, path: str) -> None:
        """Another folder is open, or none (""): what is on the screen is of the one before."""
        self._withdraw(tuple(self._shown))
        self._folder = path
        self._checks = ()

    def set_waiting(self, count: int, names: Collection[str] | None = None) -> None:
        """So many suggestions wait, for the pages ``names`` (None: not known). Call it whenever
        the list has been read: what was answered is neither shown later nor left on the screen."""
        if not self._folder:
            return
        self._save(policy.answered(self._book, count, names))
        if count <= 0:
            self._withdraw((SUGGESTIONS,))

    def see_health(self, report: HealthReport) -> None:
        """The latest check of the notes. Call it before :meth:`tell` is given a finding of it."""
        self._checks = report.checks
        if not self._folder:
            return
        wrong = {policy.health_topic(c.id) for c in report.checks if c.level != "ok"}
        self._save(policy.settled(self._book, wrong))
        self._withdraw([key for key, shown in self._shown.items() if shown.is_settled(wrong)])

    def page_shown(self, page_id: str) -> None:
        """The person has come to a page by themselves: its notices have done their work."""
        self._withdraw([key for key, shown in self._shown.items() if shown.notice.page == page_id])

    def stop(self, within: float = STOP_WITHIN) -> bool:
        """Nothing is shown or opened after this. False when a backend is stuck."""
        self._is_over = True
        return all([backend.stop(within) for backend in self._backends])

    # Showing

    def _show(self, news: Sequence[News]) -> None:
        notice = notice_of(news, self._clock.today())
        self._shown[notice.id] = _Shown(notice, frozenset(one.topic for one in news))
        self._show_by(notice, 0)

    def _show_by(self, notice: Notice, place: int) -> None:
        """With the backend at ``place``, or in the window after the last."""
        if place < len(self._backends):
            self._shown[notice.id].place = place
            self._backends[place].show(notice)
            return
        self._shown.pop(notice.id, None)
        self.in_window.emit(notice.title, notice.text, notice.action, notice.page)

    def _on_failed(self, notice: Notice, place: int) -> None:
        shown = self._shown.get(notice.id)
        if self._is_over or shown is None or shown.notice != notice or shown.place != place:
            return  # it was withdrawn, or a newer one has taken its place
        self._show_by(notice, place + 1)

    def _on_acted(self, notice_id: str, action: str, token: str) -> None:
        shown = self._shown.pop(notice_id, None)
        if self._is_over or shown is None or action != OPEN:
            return
        if token:
            os.environ[_TOKEN] = token
        self.opened.emit(shown.notice.page)

    def _on_closed(self, notice_id: str) -> None:
        """It stays known: what was closed may be an earlier one with this id, of a server that has
        died, while the newer one is still on its way to a backend that can show it."""
        log.debug("Closed: %s", notice_id)

    def _withdraw(self, ids: Sequence[str]) -> None:
        for notice_id in ids:
            shown = self._shown.pop(notice_id, None)
            if shown is not None:
                self._backends[shown.place].withdraw(notice_id)

    # Knowing

    def _news(self, finding: Finding) -> News:
        if finding.kind is FindingKind.SUGGESTIONS:
            return News(SUGGESTIONS, finding.count, finding.names)
        found = (
            check.id
            for check in self._checks
            if check.message == finding.reason and check.sources == finding.names
        )
        reason = mask(finding.reason)
        topic = policy.health_topic(next(found, reason))
        return News(topic, finding.count, finding.names, reason)

    def _situation(self) -> Situation:
        now = self._clock.now()
        return Situation(now, self._zone or now.tzinfo or UTC, self._in_front())

    @property
    def _rules(self) -> policy.Rules:
        return policy.rules_of(self._settings.value)

    @property
    def _book(self) -> Book:
        return self._memory.book(self._folder)

    def _save(self, book: Book) -> None:
        self._memory.save(self._folder, book)


class _Shown:
    """A notice that was handed to the backend at ``place``, and what it tells of."""

    def __init__(self, notice: Notice, topics: frozenset[str]) -> None:
        self.notice = notice
        self.topics = topics
        self.place = 0

    def is_settled(self, wrong: Collection[str]) -> bool:
        return self.notice.page == policy.HEALTH_PAGE and not self.topics & set(wrong)
