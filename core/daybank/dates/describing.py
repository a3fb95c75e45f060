"""An interval in a few English words, as the time chip shows it."""

from __future__ import annotations

from calendar import monthrange
from datetime import date

from daybank.dates.interval import Interval

_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")


def describe(interval: Interval) -> str:
    """The shortest unmistakable wording: ``27 Nov – 1 Dec 2025``, ``since 1 Jul 2025``.

    Whole months and years are named as such; open ends are always spelled out to the day, because
    "since 2025" does not tell whether 2025 is in it.
    """
    start, end = interval.start, interval.end
    if start is None:
        assert end is not None
        return f"until {_day(end)}"
    if end is None:
        return f"since {_day(start)}"
    if start == end:
        return _day(start)
    if start.day == 1 and end.day == monthrange(end.year, end.month)[1]:
        return _whole_months(start, end)
    if start.year != end.year:
        return f"{_day(start)} – {_day(end)}"
    if start.month != end.month:
        return f"{start.day} {_MONTHS[start.month - 1]} – {_day(end)}"
    return f"{start.day}–{_day(end)}"


def _day(day: date) -> str:
    return f"{day.day} {_MONTHS[day.month - 1]} {day.year}"


def _whole_months(start: date, end: date) -> str:
    if (start.month, end.month) == (1, 12):
        return f"{start.year}" if start.year == end.year else f"{start.year}–{end.year}"
    first, last = _MONTHS[start.month - 1], f"{_MONTHS[end.month - 1]} {end.year}"
    if start.year != end.year:
        return f"{first} {start.year} – {last}"
    return last if start.month == end.month else f"{first} – {last}"
