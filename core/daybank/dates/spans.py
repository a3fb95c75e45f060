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


def third(span: Span, part: int) -> Span:
    """The early (0), mid (1) or late (2) part: of a month its days 1–10, 11–20 and the rest.

    Longer whole months are cut between months; anything else into days, a week into
    Monday–Tuesday, Wednesday–Thursday and the rest.
    """
    start, end = span
    months = (end.year - start.year) * 12 + end.month - start.month + 1
    if is_whole_months(span) and months % 3 == 0:
        first = add_months(start, months // 3 * part)
        return months_span(first.year, first.month, months // 3)
    days = 10 if is_whole_months(span) and months == 1 else ((end - start).days + 1) // 3
    if days == 0:
        return span
    first = start + days * part * DAY
    return first, end if part == 2 else first + (days - 1) * DAY


def nth_days(span: Span, n: int, days: int, count: int = 1) -> Span | None:
    """The n-th stretch of ``days`` days in a span (−1 the last), ``count`` of them together.

    "The first week of May" is its days 1 to 7: people count from the first, not from Monday.
    """
    start, end = span
    if n < 0:
        return max(start, end - (days * count - 1) * DAY), end
    first = start + days * (n - 1) * DAY
    return (first, min(end, first + (days * count - 1) * DAY)) if first <= end else None


def nth_months(span: Span, n: int, months: int, count: int = 1) -> Span | None:
    """The n-th month, quarter or half-year of whole months (−1 the last)."""
    if not is_whole_months(span):
        return None
    start, end = span
    total = (end.year - start.year) * 12 + end.month - start.month + 1
    first = total - months * count if n < 0 else months * (n - 1)
    if first < 0 or first + months > total:
        return None
    month = add_months(start, first)
    return months_span(month.year, month.month, min(months * count, total - first))


def nth_half(span: Span, n: int) -> Span | None:
    """The first or second half: of a month its days 1–15 and the rest."""
    start, end = span
    months = (end.year - start.year) * 12 + end.month - start.month + 1
    if n not in (1, 2, -1):
        return None
    if is_whole_months(span) and months % 2 == 0:
        return nth_months(span, n, months // 2)
    middle = start + (((end - start).days + 1) // 2 - 1) * DAY
    return (start, middle) if n == 1 else (middle + DAY, end)


def nth_weekday(span: Span, n: int, weekday: int, days: int = 1) -> Span | None:
    """The n-th Monday … of a span (−1 the last); ``days`` 2 from Saturday is a weekend."""
    start, end = span
    if n < 0:
        first = end - (end.weekday() - weekday) % 7 * DAY
    else:
        first = start + ((weekday - start.weekday()) % 7 + 7 * (n - 1)) * DAY
    return (first, first + (days - 1) * DAY) if start <= first <= end else None
