"""The days and periods around an anchor day: "two weeks ago", "last month"."""

from __future__ import annotations

from datetime import date, timedelta

from daybank.dates.spans import (
    Span,
    add_months,
    months_span,
    quarter_span,
    week_span,
    weekend_span,
    year_span,
)
from daybank.dates.vocabulary import Shift, Unit

STEP = {Shift.LAST: -1, Shift.PAST: -1, Shift.THIS: 0, Shift.NEXT: 1}
_MONTHS = {Unit.MONTH: 1, Unit.QUARTER: 3, Unit.HALF_YEAR: 6, Unit.YEAR: 12}


class Around:
    """Answers None throughout where there is no anchor, or no such day in the calendar."""

    def __init__(self, anchor: date | None) -> None:
        self._anchor = anchor

    def moved(self, unit: Unit, count: int) -> Span | None:
        """The day that many units away; None without an anchor or beyond the calendar."""
        if self._anchor is None:
            return None
        try:
            if unit is Unit.WEEKEND:
                return weekend_span(self._anchor + timedelta(days=count * 7))
            if unit is Unit.DAY or unit is Unit.WEEK:
                day = self._anchor + timedelta(days=count * (7 if unit is Unit.WEEK else 1))
            else:
                months = _MONTHS[unit]
                day = add_months(self._anchor, count * months)
        except (ValueError, OverflowError):
            return None
        return day, day

    def rolling(self, unit: Unit, count: int, shift: Shift) -> Span | None:
        """The days between the anchor and so many units before or after it."""
        moved = self.moved(unit, count if shift is Shift.NEXT else -count)
        if moved is None or self._anchor is None:
            return None
        return min(moved[0], self._anchor), max(moved[0], self._anchor)

    def period(self, unit: Unit, shift: Shift) -> Span | None:
        """The calendar period before, around or after the anchor."""
        if self._anchor is None:
            return None
        if shift is Shift.PAST and unit is not Unit.WEEKEND:
            return self.rolling(unit, 1, shift)
        step = STEP[shift]
        moved = self.moved(unit, step)
        if moved is None:
            return None
        day = moved[0]
        try:
            if unit is Unit.WEEK:
                return week_span(day)
            if unit is Unit.WEEKEND:
                return moved
            if unit is Unit.MONTH:
                return months_span(day.year, day.month)
            if unit is Unit.QUARTER:
                return quarter_span(day.year, (day.month + 2) // 3)
            return year_span(day.year)
        except (ValueError, OverflowError):
            return None
