"""What a person types after ``--since`` and ``--until``."""

from __future__ import annotations

import re
from datetime import date, timedelta

from daybank.dates.finding import understand
from daybank.dates.interval import Interval
from daybank.dates.spans import add_months

_SPAN = re.compile(r"([0-9]{1,6})\s*([dwmy])", re.IGNORECASE)


def parse_since(text: str, today: date) -> date:
    """The first day meant by ``30d``, ``2w``, ``6m``, ``1y``, ``2025-11``, ``last week`` …

    Raises ValueError, with a sentence for the person, where the words say no first day.
    """
    interval = _parse(text, today)
    if interval.start is None:
        raise ValueError(f"“{text.strip()}” says when to stop, not where to begin.")
    return interval.start


def parse_until(text: str, today: date) -> date:
    """The last day meant; a month or a year is taken in whole, ``before 2024`` leaves it out.

    Raises ValueError, with a sentence for the person, where the words say no last day.
    """
    interval = _parse(text, today)
    if interval.end is None:
        raise ValueError(f"“{text.strip()}” says where to begin, not when to stop.")
    return interval.end


def _parse(text: str, today: date) -> Interval:
    words = text.strip()
    if match := _SPAN.fullmatch(words):
        try:
            return Interval.day(_back(today, int(match[1]), match[2].lower()))
        except (ValueError, OverflowError):
            raise ValueError(f"“{words}” reaches back further than the calendar does.") from None
    interval = understand(words, today)
    if interval is None:
        raise ValueError(
            f"“{words}” is not a day I understand. "
            "Try 2025-11-27, 2025-11, 30d, 2w, 6m, 1y or “last week”."
        )
    return interval


def _back(today: date, count: int, unit: str) -> date:
    if unit in "dw":
        return today - timedelta(days=count * (7 if unit == "w" else 1))
    return add_months(today, -count * (12 if unit == "y" else 1))
