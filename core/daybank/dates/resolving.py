"""Which day a time means, given the anchor day and who speaks.

The conventions are DESIGN's: a query means the latest one past; a log the nearest that the words
allow, where a day with its month ("Sept 26") stays in the log's own year unless another year's is
less than half as far. A weekday that is today's own is a week ago in a query (one would have said
"today") and today in a log. A range keeps its order, over New Year if need be.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import date, timedelta

from daybank.dates.interval import Interval
from daybank.dates.moments import Moment
from daybank.dates.mood import Mood
from daybank.dates.spans import DAY, Span, add_months, week_span
from daybank.dates.vocabulary import Kind, Lead, Shift, Tense

AROUND_DAYS = timedelta(days=3)
AGAINST_TENSE = 10

_YEARLY = frozenset({Kind.DAY, Kind.MONTH, Kind.QUARTER, Kind.SEASON})
# Looking for a 29 February may take eight years in either direction.
_YEARS_AROUND = 8
_COARSE = frozenset({Kind.MONTH, Kind.QUARTER, Kind.SEASON, Kind.YEAR})


class Resolver:
    """Turns moments into spans for one text."""

    def __init__(self, anchor: date | None, mood: Mood) -> None:
        self._anchor = anchor
        self._mood = mood

    def single(self, moment: Moment, tense: Tense | None) -> Span | None:
        """The span of one moment, or None where there is none."""
        try:
            return self._single(moment, tense)
        except (ValueError, OverflowError):
            return None  # at the first and last days of the calendar

    def range(self, left: Moment, right: Moment, tense: Tense | None) -> Span | None:
        """From the first day of ``left`` to the last of ``right``; None if that is backwards."""
        try:
            return self._range(left, right, tense)
        except (ValueError, OverflowError):
            return None

    def _single(self, moment: Moment, tense: Tense | None) -> Span | None:
        if moment.kind is Kind.SPAN:
            return _shaped(moment, moment.span)
        if moment.year is not None:
            return _shaped(moment, moment.in_year(moment.year))
        if self._anchor is None:
            return None
        candidates = list(_candidates(moment, self._anchor))
        if not candidates:
            return None
        return _shaped(moment, self._choose(moment, candidates, self._anchor, tense))

    def _range(self, left: Moment, right: Moment, tense: Tense | None) -> Span | None:
        if right.recurs:
            first = self.single(left, tense)
            last = first and _first_from(right, first[0])
        else:
            last = self.single(right, tense)
            first = _last_until(left, last[0]) if left.recurs and last else self.single(left, tense)
        if first is None or last is None or last[1] < first[0]:
            return None
        return first[0], last[1]

    def _choose(
        self, moment: Moment, candidates: list[Span], anchor: date, tense: Tense | None
    ) -> Span | None:
        shift = moment.shift
        if shift is Shift.LAST:
            return _latest(span for span in candidates if span[1] < anchor)
        if shift is Shift.NEXT:
            return _earliest(span for span in candidates if span[0] > anchor)
        if shift is Shift.THIS:
            if moment.kind is Kind.WEEKDAY:
                monday, sunday = week_span(anchor)
                return _earliest(span for span in candidates if monday <= span[0] <= sunday)
            if moment.kind is not Kind.SEASON:
                own = [span for span in candidates if span[0].year == anchor.year]
                candidates = own or candidates
            return _nearest(candidates, anchor)
        if self._mood is Mood.QUERY:
            if moment.kind is Kind.WEEKDAY:
                return _latest(span for span in candidates if span[0] < anchor)
            return _latest(span for span in candidates if span[0] <= anchor)
        if moment.kind is Kind.DAY and tense is not Tense.SURELY_PAST:
            return min(candidates, key=lambda span: _unlikeliness(span, anchor, tense))
        if tense in (Tense.PAST, Tense.SURELY_PAST):
            return _latest(span for span in candidates if span[0] <= anchor)
        if tense is Tense.FUTURE:
            return _earliest(span for span in candidates if span[1] >= anchor)
        return _nearest(candidates, anchor)


def applied(lead: Lead | None, span: Span, moment: Moment) -> Interval:
    """What a lead word makes of a span; raises OverflowError at the ends of the calendar."""
    start, end = span
    if lead is Lead.SINCE:
        # "с 27 по 29 ноября" and "desde el 27 al 29" begin with the same word and are closed.
        return Interval(start, end if moment.last_day else None)
    if lead is Lead.AFTER:
        return Interval(end + DAY, None)
    if lead is Lead.BEFORE:
        return Interval(None, start - DAY)
    if lead is Lead.UP_TO and moment.kind in _COARSE and not moment.shapes:
        return Interval(None, start - DAY)
    if lead in (Lead.UNTIL, Lead.BY, Lead.UP_TO):
        return Interval(None, end)
    if lead is Lead.AROUND and start == end:
        return Interval(start - AROUND_DAYS, end + AROUND_DAYS)
    return Interval(start, end)


def _shaped(moment: Moment, span: Span | None) -> Span | None:
    for shape in moment.shapes:
        if span is None:
            return None
        span = shape(span)
    return span


def _candidates(moment: Moment, around: date) -> Iterator[Span]:
    """The times it could be, from long before to long after a day, in order."""
    if moment.kind is Kind.WEEKDAY:
        assert moment.weekday is not None
        first = around + timedelta(days=moment.weekday - around.weekday() - 14)
        for week in range(5):
            day = first + timedelta(days=7 * week)
            yield day, day
        return
    if moment.kind is Kind.DAY_OF_MONTH:
        for months in range(-3, 4):
            other = add_months(around.replace(day=1), months)
            try:
                yield (
                    other.replace(day=moment.day),
                    other.replace(day=moment.last_day or moment.day),
                )
            except ValueError:
                continue
        return
    reach = _YEARS_AROUND if (moment.month, moment.day) == (2, 29) else 2
    if moment.weekday is not None:
        # "Thu 27 Nov": the weekday tells the year, if one nearby fits.
        fitting = [
            span for span in _yearly(moment, around, 3) if span[0].weekday() == moment.weekday
        ]
        if fitting:
            yield from fitting
            return
    yield from _yearly(moment, around, reach)


def _yearly(moment: Moment, around: date, reach: int) -> Iterator[Span]:
    for year in range(around.year - reach, around.year + reach + 1):
        span = moment.in_year(year) if 1 <= year < 9999 else None
        if span is not None:
            yield span


def _first_from(moment: Moment, day: date) -> Span | None:
    found = _earliest(span for span in _candidates(moment, day) if span[0] >= day)
    if found is None or moment.kind in _YEARLY:
        # A month may have begun already: "27 Nov – November".
        found = _earliest(span for span in _candidates(moment, day) if span[1] >= day)
    return _shaped(moment, found)


def _last_until(moment: Moment, day: date) -> Span | None:
    return _shaped(moment, _latest(span for span in _candidates(moment, day) if span[0] <= day))


def _distance(span: Span, day: date) -> int:
    if day < span[0]:
        return (span[0] - day).days
    return max((day - span[1]).days, 0)


def _unlikeliness(span: Span, anchor: date, tense: Tense | None) -> int:
    """How far off a day and month is, in a log that speaks in a tense.

    The verb weighs, but does not decide: "Bought tickets for 5 Dec" on 20 November is not about
    last year's.
    """
    weight = 1 if span[0].year == anchor.year else 2
    if (tense is Tense.PAST and span[0] > anchor) or (tense is Tense.FUTURE and span[1] < anchor):
        weight *= AGAINST_TENSE
    return _distance(span, anchor) * weight


def _nearest(spans: list[Span], day: date) -> Span:
    return min(spans, key=lambda span: _distance(span, day))


def _latest(spans: Iterable[Span]) -> Span | None:
    return max(spans, default=None)


def _earliest(spans: Iterable[Span]) -> Span | None:
    return min(spans, default=None)
