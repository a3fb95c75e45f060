"""Finding the time phrases of a text.

Indexing asks this of every passage, so most of the time the answer has to be "none" at the price
of one split into words: no phrase exists without a *trigger*, the name of a month, a weekday, a
unit, a year in digits and so on.
"""

from __future__ import annotations

import re
import unicodedata
from datetime import date

from daybank.dates.interval import DatePhrase, Interval
from daybank.dates.lexicon import LEXICON
from daybank.dates.mood import Mood
from daybank.dates.sentences import Sentences
from daybank.dates.tokens import tokenise

_words = re.compile(r"\w+").findall
_SHORT_YEAR = re.compile(r"[0-9]{2}/[0-9]{2}/[0-9]{2}")


def find_dates(text: str, anchor: date | None, *, mood: Mood) -> tuple[DatePhrase, ...]:
    """All time phrases of a text in order, none overlapping, with offsets into ``text``.

    Words relative to a day ("yesterday", "May") are read from ``anchor``, the source day of a log
    or the day of a query; without one only absolute dates are found. A phrase holds its lead word
    ("since July 2025"), so that cutting it out of a query leaves the rest. Never raises.
    """
    if not _may_hold_time(text):
        return ()
    return tuple(
        DatePhrase(interval, start, end, text[start:end])
        for interval, start, end in Sentences(tokenise(text), anchor, mood).dates()
    )


def event_range(text: str, anchor: date | None, mood: Mood = Mood.LOG) -> Interval | None:
    """The one range of days a text speaks of, or None where it names no time.

    A single phrase is it. Of several the hull, the days from the first to the last named; an
    open end stays open. "Since May …, until June" have nothing but a start and an end between
    them, so what lies between is meant, not everything.
    """
    intervals = [phrase.interval for phrase in find_dates(text, anchor, mood=mood)]
    if not intervals:
        return None
    starts = [interval.start for interval in intervals if interval.start is not None]
    ends = [interval.end for interval in intervals if interval.end is not None]
    opens_before = len(starts) < len(intervals)
    opens_after = len(ends) < len(intervals)
    if opens_before and opens_after:
        known = starts + ends
        return Interval(min(known), max(known))
    return Interval(
        None if opens_before else min(starts),
        None if opens_after else max(ends),
    )


def understand(text: str, today: date) -> Interval | None:
    """The interval of a text that is meant to be one time phrase and nothing else."""
    words = text.strip()
    found = Sentences(tokenise(words), today, Mood.QUERY, trusted=True).dates()
    if not found or found[0][1:] != (0, len(words)):
        return None
    return found[0][0]


def _may_hold_time(text: str) -> bool:
    """Whether a text has a word without which there is no time phrase. Hot: see the module."""
    if not text.isascii():
        text = unicodedata.normalize("NFC", text)
    if not LEXICON.triggers.isdisjoint(_words(text.lower())):
        return True
    return "/" in text and _SHORT_YEAR.search(text) is not None
