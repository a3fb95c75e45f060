"""Which news a person is told now, which once quiet hours are over, and which not at all.

Pure functions over frozen values: what was told and what is held is a ``Book`` that goes in and
comes out. The clock and the zone are passed in, and nothing about the future is remembered, so a
clock that is set, a day with a clock change and a changed setting need no care of their own.

Two rules hold: inside quiet hours nothing is shown, and the same thing is shown once. News that
comes in quiet hours is held, one for each topic with everything in it, and shown afterwards unless
it was settled meanwhile.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from enum import Enum
from pathlib import PurePosixPath

from daybank_desktop.scheduling.policy import planned_moment
from daybank_desktop.services.settings import DesktopSettings

SUGGESTIONS = "suggestions"
REVIEW_PAGE = "review"
HEALTH_PAGE = "health"
MOST_NAMES = 1000
"""So many names of a thing are kept; ``count`` tells of all."""

_HEALTH = "health "


def health_topic(check: str) -> str:
    return _HEALTH + check


@dataclass(frozen=True, slots=True)
class News:
    """``topic`` is ``SUGGESTIONS``, or :func:`health_topic` of a check's id. ``names`` are the
    pages or places it is about, ``reason`` a sentence."""

    topic: str
    count: int
    names: tuple[str, ...] = ()
    reason: str = ""

    def __post_init__(self) -> None:
        names = (name for name in self.names if PurePosixPath(name).parts)
        object.__setattr__(self, "names", tuple(dict.fromkeys(names))[:MOST_NAMES])

    @property
    def page(self) -> str:
        """The page of the window where it is dealt with."""
        return REVIEW_PAGE if self.topic == SUGGESTIONS else HEALTH_PAGE

    @property
    def check(self) -> str:
        """The id of the health check; empty for suggestions."""
        return "" if self.topic == SUGGESTIONS else self.topic.removeprefix(_HEALTH)

    def joined(self, newer: News) -> News:
        """One of both: the latest count and all names."""
        return replace(newer, names=(*self.names, *newer.names))

    def says_all_of(self, other: News) -> bool:
        """Whether who knows this learns nothing from ``other``."""
        return other.count <= self.count and set(other.names) <= set(self.names)


@dataclass(frozen=True, slots=True)
class Book:
    """What is held until quiet hours are over, and what was told and still is so, by topic."""

    held: Mapping[str, News] = field(default_factory=dict)
    told: Mapping[str, News] = field(default_factory=dict)

    def holding(self, news: News) -> Book:
        return replace(self, held={**self.held, news.topic: news})

    def telling(self, news: News) -> Book:
        """With ``news`` told, in addition to what was told of it before, and no longer held."""
        before = self.told.get(news.topic)
        told = before.joined(news) if before is not None else news
        return replace(self.letting_go(news.topic), told={**self.told, news.topic: told})

    def letting_go(self, topic: str) -> Book:
        return replace(self, held=_without(self.held, (topic,)))


@dataclass(frozen=True, slots=True)
class Quiet:
    """From ``start`` to ``end`` on the clock on the wall, over midnight where the end is earlier.
    The same time twice means no quiet hours."""

    start: time
    end: time

    def covers(self, now: datetime, zone: tzinfo) -> bool:
        """Where a day has an hour twice, they begin at the first and end at the second of two such
        times; where it lacks an hour, they begin or end with the leap."""
        now = now.astimezone(UTC)
        today = now.astimezone(zone).date()
        return any(self._on(today - timedelta(days=ago), now, zone) for ago in (0, 1, 2))

    def _on(self, day: date, now: datetime, zone: tzinfo) -> bool:
        if self.start == self.end:
            return False
        begin = planned_moment(day, self.start, zone)
        if begin is None or now < begin.astimezone(UTC):  # a day that a zone has left out
            return False
        last = day if self.start < self.end else day + timedelta(days=1)
        end = _last_moment(last, self.end, zone) or _last_moment(
            last + timedelta(days=1), self.end, zone
        )
        return end is not None and now < end


@dataclass(frozen=True, slots=True)
class Rules:
    """What the person wants to hear of, and when not."""

    suggestions: bool = True
    health: bool = True
    quiet: Quiet | None = None

    def wants(self, news: News) -> bool:
        return self.suggestions if news.topic == SUGGESTIONS else self.health


@dataclass(frozen=True, slots=True)
class Situation:
    """The moment, and the page that the person has before them in a window that is in front; empty
    where the window is not."""

    now: datetime
    zone: tzinfo
    in_front: str = ""


class Verdict(Enum):
    SHOW = "show"
    HOLD = "hold"
    DROP = "drop"


@dataclass(frozen=True, slots=True)
class Outcome:
    """``news`` is what to show, together with what was held of the same topic."""

    verdict: Verdict
    book: Book
    news: News


def rules_of(settings: DesktopSettings) -> Rules:
    """What the person chose, as the rules know it."""
    quiet = None
    if settings.quiet_hours:
        quiet = Quiet(
            time.fromisoformat(settings.quiet_from), time.fromisoformat(settings.quiet_until)
        )
    return Rules(settings.notify_suggestions, settings.notify_health, quiet)


def judge(book: Book, news: News, rules: Rules, situation: Situation) -> Outcome:
    """What to do with ``news`` now. Save the book before showing anything: then a crash in between
    costs a notice, and never shows one twice."""
    if not rules.wants(news):
        return Outcome(Verdict.DROP, book.letting_go(news.topic), news)
    held = book.held.get(news.topic)
    if held is not None:
        news = held.joined(news)
    if situation.in_front == news.page:  # they see it
        return Outcome(Verdict.DROP, book.telling(news), news)
    told = book.told.get(news.topic)
    if held is None and told is not None and told.says_all_of(news):
        return Outcome(Verdict.DROP, book, news)
    if rules.quiet is not None and rules.quiet.covers(situation.now, situation.zone):
        return Outcome(Verdict.HOLD, book.holding(news), news)
    return Outcome(Verdict.SHOW, book.telling(news), news)


def release(book: Book, rules: Rules, situation: Situation) -> tuple[Book, tuple[News, ...]]:
    """What of the held is to be shown now: nothing in quiet hours, everything after."""
    if rules.quiet is not None and rules.quiet.covers(situation.now, situation.zone):
        return book, ()
    shown = []
    for news in tuple(book.held.values()):
        if not rules.wants(news):
            book = book.letting_go(news.topic)
            continue
        book = book.telling(news)
        if situation.in_front != news.page:
            shown.append(news)
    return book, tuple(shown)


def answered(book: Book, count: int, names: Collection[str] | None = None) -> Book:
    """The book once ``count`` suggestions wait, for ``names`` (None: for whichever). What is held
    of answered ones is let go; they count as new when they come again."""
    if count <= 0:
        return Book(_without(book.held, (SUGGESTIONS,)), _without(book.told, (SUGGESTIONS,)))
    held, told = book.held.get(SUGGESTIONS), book.told.get(SUGGESTIONS)
    if held is not None:
        left = _still(held, names)
        gone = bool(held.names) and not left
        book = (
            book.letting_go(SUGGESTIONS)
            if gone
            else book.holding(replace(held, count=count, names=left))
        )
    if told is not None:
        known = replace(told, count=min(count, told.count), names=_still(told, names))
        book = replace(book, told={**book.told, SUGGESTIONS: known})
    return book


def settled(book: Book, wrong: Collection[str]) -> Book:
    """The book once only the health topics in ``wrong`` are so: the others are news again when
    they come back."""
    fine = [
        topic
        for topic in (*book.held, *book.told)
        if topic.startswith(_HEALTH) and topic not in wrong
    ]
    return Book(_without(book.held, fine), _without(book.told, fine)) if fine else book


def _still(news: News, names: Collection[str] | None) -> tuple[str, ...]:
    return news.names if names is None else tuple(n for n in news.names if n in names)


def _without(news: Mapping[str, News], topics: Collection[str]) -> Mapping[str, News]:
    return {topic: kept for topic, kept in news.items() if topic not in topics}


def _last_moment(day: date, at: time, zone: tzinfo) -> datetime | None:
    """When it is ``at`` on ``day`` for the last time, in UTC; None on a day that is left out."""
    first = planned_moment(day, at, zone)
    if first is None:
        return None
    again = datetime.combine(day, at.replace(fold=1), zone).astimezone(UTC)
    is_there = again.astimezone(zone).replace(tzinfo=None) == datetime.combine(day, at)
    return again if is_there else first.astimezone(UTC)
