"""A time as it was said, before anyone knows which one it is."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date

from daybank.dates.spans import (
    Span,
    months_span,
    quarter_span,
    season_span,
    year_span,
)
from daybank.dates.vocabulary import Kind, Shift

Shape = Callable[[Span], Span | None]
"""What "early" or "the first week of" makes of a span."""


@dataclass(slots=True)
class Moment:
    """One value of the grammar: "27 Nov", "last May", "Q3 2025", "two weeks ago"."""

    kind: Kind
    span: Span | None = None
    """Of a SPAN only; None there means that the calendar has no such time."""
    year: int | None = None
    month: int = 0
    day: int = 0
    last_day: int = 0
    """The second day of "9-13 March", else 0."""
    weekday: int | None = None
    part_of_year: int = 0
    """The quarter or the season."""
    shift: Shift | None = None
    shapes: tuple[Shape, ...] = ()
    doubtful: bool = False
    """Needs a word beside it to be a time at all."""
    shy: bool = False
    """Doubtful, and written as the verb: "may"; only the clearest support counts."""

    @property
    def recurs(self) -> bool:
        """Whether it comes again, so that the anchor has to choose."""
        return self.kind is not Kind.SPAN and self.year is None

    def in_year(self, year: int) -> Span | None:
        """Its span in a year, before any shape; None if that year has no such day."""
        try:
            if self.kind is Kind.DAY:
                return date(year, self.month, self.day), date(
                    year, self.month, self.last_day or self.day
                )
            if self.kind is Kind.MONTH:
                return months_span(year, self.month)
            if self.kind is Kind.QUARTER:
                return quarter_span(year, self.part_of_year)
            if self.kind is Kind.SEASON:
                return season_span(year, self.part_of_year)
            return year_span(year)
        except ValueError:
            return None
