"""Time as people write it: "last week", "Nov 27–Dec 1, 2025", "since July".

Pure functions over text and an anchor day. No clock, no locale, no files; safe from any thread.

One direction inside: ``finding → sentences → grammar (phrases) → values → reading → tokens →
lexicon → vocabulary``, with ``resolving``, ``around`` and ``spans`` for the calendar. A word of a
language is data (one module a language under ``vocabulary/``); a rule of grammar is code and knows
no language.
"""

from daybank.dates.bounds import parse_since, parse_until
from daybank.dates.describing import describe
from daybank.dates.finding import event_range, find_dates
from daybank.dates.interval import DatePhrase, Interval
from daybank.dates.mood import Mood
from daybank.dates.names import day_in_heading, day_in_name

__all__ = [
    "DatePhrase",
    "Interval",
    "Mood",
    "day_in_heading",
    "day_in_name",
    "describe",
    "event_range",
    "find_dates",
    "parse_since",
    "parse_until",
]
