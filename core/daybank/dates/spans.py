"""Calendar arithmetic on closed spans of days.

Every function is total over real calendar values and raises ValueError or OverflowError for days
that do not exist; callers turn that into "not understood". Nothing is ever rolled over.
"""

from __future__ import annotations

from calendar import monthrange
from datetime import date, timedelta

Span = tuple[date, date]

DAY = timedelta(days=1)

# Northern seasons as whole months: spring begins in March.
SEASON_STARTS = {1: 3, 2: 6, 3: 9, 4: 12}


def year_span(year: int) -> Span:
    """All of a year."""
    return date(year, 1, 1), date(year, 12, 31)


def months_span(year: int, month: int, count: int = 1) -> Span:
    """``count`` whole months from the one given, over New Year if need be."""
    last = year * 12 + month - 1 + count - 1
    last_year, last_month = divmod(last, 12)
    last_month += 1
    return date(year, month, 1), date(last_year, last_month, monthrange(last_year, last_month)[1])


def quarter_span(year: int, quarter: int) -> Span:
    """A quarter of the calendar year, 1 to 4."""
    return months_span(year, quarter * 3 - 2, 3)


def season_span(year: int, season: int) -> Span:
    """A northern season, 1 spring to 4 winter; a winter belongs to the year it begins in."""
    return months_span(year, SEASON_STARTS[season], 3)


def week_span(day: date) -> Span:
    """The week around a day, Monday to Sunday."""
    monday = day - timedelta(days=day.weekday())
    return monday, monday + timedelta(days=6)


def weekend_span(day: date) -> Span:
    """Saturday and Sunday of the week around a day."""
    monday, sunday = week_span(day)
    return monday + timedelta(days=5), sunday


def add_months(day: date, months: int) -> date:
    """The same day of another month, or that month's last day where it is shorter."""
    year, month = divmod(day.year * 12 + day.month - 1 + months, 12)
    month += 1
    return date(year, month, min(day.day, monthrange(year, month)[1]))


def is_whole_months(span: Span) -> bool:
    """Whether a span starts on a first and ends on the last day of a month."""
    return span[0].day == 1 and (span[1] + DAY).day == 1 if span[1] < date.max else False
