"""Who is speaking: someone writing a log, or someone asking about it."""

from __future__ import annotations

from enum import Enum


class Mood(Enum):
    """How a time without a year is meant.

    In a LOG it is the nearest the words allow ("we met on Friday", "will meet on Friday"); in a
    QUERY it is the latest one past, because one asks about what has been written down.
    """

    LOG = "log"
    QUERY = "query"
