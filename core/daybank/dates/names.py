"""The day a file or a heading is named after."""

from __future__ import annotations

import re
from datetime import date

from daybank.dates.finding import find_dates
from daybank.dates.lexicon import LEXICON
from daybank.dates.mood import Mood

_IN_NAME = re.compile(
    r"(?<![0-9])(?:([0-9]{4})([-_.])([0-9]{2})\2([0-9]{2})"  # 2025-11-27, one kind of separator
    r"|((?:19|20)[0-9]{2})([0-9]{2})([0-9]{2}))(?![0-9])"  # 20251127, where ids are common
)
_BEFORE_DAY = re.compile(r"[\s#*_=\[(\"“«]*")
# What may follow a day so that the heading still is that day: nothing, a time, or a remark set off
# by punctuation.
_AFTER_DAY = re.compile(
    r"[\s*_=\])\"”».,]*(?:$|(?<=[0-9])[Tt][0-9]{2}|[—–:|,;(•·]|[-−](?:\s|$)|[0-9]{1,2}[:.][0-9]{2})"
)
_WEEKDAY_AFTER = re.compile(r"[\s,]*([^\W\d_]+)")


def day_in_name(name: str) -> date | None:
    """The first possible day in a file name, ``2025-11-27-1830.md`` or ``notes 20251127.md``.

    Days that do not exist and digits inside a longer number are no day.
    """
    for match in _IN_NAME.finditer(name):
        year, month, day = match.group(1, 3, 4) if match[1] else match.group(5, 6, 7)
        try:
            return date(int(year), int(month), int(day))
        except ValueError:
            continue
    return None


def day_in_heading(text: str) -> date | None:
    """The day a heading is, ``Thu 27 Nov 2025 — Lyon``; a day mentioned in a sentence is none."""
    phrases = find_dates(text, None, mood=Mood.LOG)
    if not phrases:
        return None
    first = phrases[0]
    interval = first.interval
    if interval.start is None or interval.start != interval.end:
        return None
    if _begins_with_lead(first.phrase):
        return None
    end = first.end
    weekday = _WEEKDAY_AFTER.match(text, end)
    if weekday is not None and _is_weekday(weekday[1]):
        end = weekday.end()
    if not _BEFORE_DAY.fullmatch(text, 0, first.start) or not _AFTER_DAY.match(text, end):
        return None
    return interval.start


def _begins_with_lead(phrase: str) -> bool:
    """Whether a phrase says more than the day: "on 27 Nov", "until 27 Nov"."""
    entry = LEXICON.entries.get(phrase.split()[0].lower())
    return entry is not None and entry.lead is not None and not entry.article


def _is_weekday(word: str) -> bool:
    entry = LEXICON.entries.get(word.lower())
    return entry is not None and entry.weekday is not None
