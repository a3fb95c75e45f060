"""Finding the time phrases of a text."""

from __future__ import annotations

import re
from datetime import date

from daybank.dates.interval import DatePhrase, Interval
from daybank.dates.mood import Mood

_ISO = re.compile(r"(?<![0-9])([0-9]{4})-([0-9]{2})-([0-9]{2})(?![0-9])")


def find_dates(text: str, anchor: date | None, *, mood: Mood) -> tuple[DatePhrase, ...]:
    """All time phrases of a text in order, none overlapping."""
    found = []
    for m in _ISO.finditer(text):
        try:
            day = date(int(m[1]), int(m[2]), int(m[3]))
        except ValueError:
            continue
        found.append(DatePhrase(Interval.day(day), m.start(), m.end(), m[0]))
    return tuple(found)


def event_range(text: str, anchor: date | None, mood: Mood = Mood.LOG) -> Interval | None:
    """The one event range a text speaks of."""
    phrases = find_dates(text, anchor, mood=mood)
    if not phrases:
        return None
    starts = [p.interval.start for p in phrases]
    ends = [p.interval.end for p in phrases]
    return Interval(
        None if None in starts else min(s for s in starts if s),
        None if None in ends else max(e for e in ends if e),
    )


def understand(text: str, today: date) -> Interval | None:
    """The interval of a text that is one time phrase and nothing else."""
    phrases = find_dates(text, today, mood=Mood.QUERY)
    if len(phrases) == 1 and phrases[0].phrase == text.strip():
        return phrases[0].interval
    return None
