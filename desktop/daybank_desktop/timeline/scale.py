"""Days and pixels: what part of time is in sight, its ticks, and how many notes lie in it.

Days are ordinals (``date.toordinal``), never moments, so no clock change can double or lose one. A
day takes the room from its ordinal to the next; its middle is at half. No Qt, no state.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date
from enum import Enum

LAST_DAY = date.max.toordinal()
LEAST_DAYS = 1.0
MARGIN = 0.04  # of what is in sight: free room before the first and behind the last day
_BUCKET_PX = 6.0


class Level(Enum):
    """How near one looks. The value is how many days are in sight when it is chosen."""

    YEARS = 1096
    MONTHS = 91
    WEEKS = 28
    DAYS = 7


_NEARER_THAN = ((Level.DAYS, 10.5), (Level.WEEKS, 45.0), (Level.MONTHS, 400.0))


class Unit(Enum):
    """A step of the calendar."""

    DAY = 1
    WEEK = 7
    MONTH = 30
    YEAR = 365

    @property
    def shortest(self) -> int:
        """The least number of days that one has."""
        return {Unit.DAY: 1, Unit.WEEK: 7, Unit.MONTH: 28, Unit.YEAR: 365}[self]


@dataclass(frozen=True, slots=True)
class Extent:
    """All the time there is to look at: its first and its last day, both in it."""

    first: int
    last: int

    @property
    def days(self) -> int:
        return self.last - self.first + 1


@dataclass(frozen=True, slots=True)
class Tick:
    """A line or a label at the beginning of ``day``; ``unit`` is what begins there."""

    x: float
    day: int
    unit: Unit


@dataclass(frozen=True, slots=True)
class Bucket:
    """``count`` notes on the days from ``first`` to before ``after``."""

    first: int
    after: int
    count: int


@dataclass(frozen=True, slots=True)
class Scale:
    """``days`` (a fraction while zooming) from ``start`` on, over ``width`` pixels."""

    start: float
    days: float
    width: float

    @property
    def per_day(self) -> float:
        """Pixels a day."""
        return self.width / self.days

    @property
    def level(self) -> Level:
        for level, most in _NEARER_THAN:
            if self.days <= most:
                return level
        return Level.YEARS

    def x(self, day: float) -> float:
        return (day - self.start) * self.per_day

    def middle(self, day: int) -> float:
        """Where the middle of ``day`` is."""
        return self.x(day + 0.5)

    def day_at(self, x: float) -> float:
        return self.start + x / self.per_day

    @property
    def first_day(self) -> int:
        """The first day of which a part is in sight."""
        return max(1, int(self.start // 1))

    @property
    def last_day(self) -> int:
        """The last day of which a part is in sight."""
        return min(LAST_DAY, int(-((-(self.start + self.days)) // 1)) - 1)

    def shows(self, day: int) -> bool:
        """Whether the middle of ``day`` is in sight."""
        return 0 <= self.middle(day) <= self.width

    def resized(self, width: float) -> Scale:
        """The same days over another width."""
        return replace(self, width=max(1.0, width))

    def panned(self, pixels: float) -> Scale:
        """Moved by so many pixels towards later days."""
        return replace(self, start=self.start + pixels / self.per_day)

    def zoomed(self, factor: float, x: float) -> Scale:
        """``factor`` times as near; the day at ``x`` stays where it is."""
        days = max(LEAST_DAYS, self.days / factor)
        return replace(self, start=self.day_at(x) - x / self.width * days, days=days)

    def at_level(self, level: Level, x: float) -> Scale:
        """As near as ``level`` says, around the day at ``x``."""
        day = self.day_at(x)
        return replace(self, start=day - level.value / 2, days=float(level.value))

    def around(self, day: int) -> Scale:
        """Moved so that ``day`` is in the middle."""
        return replace(self, start=day + 0.5 - self.days / 2)

    def inside(self, extent: Extent) -> Scale:
        """Zoomed and moved as little as needed so that it does not leave ``extent``, except for a
        margin; what is larger than the extent has it in the middle."""
        most = max(extent.days * (1 + 2 * MARGIN), float(Level.YEARS.value))
        days = min(max(LEAST_DAYS, self.days), most)
        start = self.start + (self.days - days) / 2
        margin = days * MARGIN
        earliest, latest = extent.first - margin, extent.last + 1 + margin - days
        # Where all of it is in sight, what is newest stands at the right, as everywhere else.
        start = min(max(start, min(earliest, latest)), latest)
        return replace(self, start=start, days=days)


def whole(extent: Extent, width: float) -> Scale:
    """All of ``extent`` over ``width``."""
    return Scale(float(extent.first), float(extent.days), max(1.0, width))


# The calendar


def begin_of(day: int, unit: Unit) -> int:
    """The first day of the week (Monday), month or year that ``day`` is in."""
    when = date.fromordinal(day)
    if unit is Unit.WEEK:
        return max(1, day - when.weekday())
    if unit is Unit.MONTH:
        return when.replace(day=1).toordinal()
    if unit is Unit.YEAR:
        return date(when.year, 1, 1).toordinal()
    return day


def following(begin: int, unit: Unit) -> int:
    """The first day after the unit that begins at ``begin``; one past the last day there is at
    most."""
    if unit is Unit.DAY:
        return begin + 1
    when = date.fromordinal(begin)
    if unit is Unit.WEEK:
        return min(LAST_DAY + 1, begin + 7 - when.weekday())
    if unit is Unit.MONTH:
        year, month = (when.year + 1, 1) if when.month == 12 else (when.year, when.month + 1)
    else:
        year, month = when.year + 1, 1
    return date(year, month, 1).toordinal() if year <= date.max.year else LAST_DAY + 1


def begins(first: int, last: int, unit: Unit) -> Iterator[int]:
    """The days from ``first`` to ``last`` on which a unit begins."""
    day = begin_of(first, unit)
    while day <= last:
        if day >= first:
            yield day
        day = following(day, unit)


def major_ticks(scale: Scale) -> tuple[Tick, ...]:
    """The lines with their labels above: years far away, months nearer. Those that begin before
    what is in sight come too, for their label is still wanted."""
    unit = Unit.YEAR if scale.level is Level.YEARS else Unit.MONTH
    step = 1
    if unit is Unit.YEAR:
        room = scale.per_day * 365
        step = next((n for n in (1, 2, 5, 10, 20, 50, 100, 200) if n * room >= 44), 500)
    first = begin_of(scale.first_day, unit)
    days = begins(first, scale.last_day, unit)
    return tuple(
        Tick(scale.x(day), day, unit)
        for day in days
        if step == 1 or date.fromordinal(day).year % step == 0
    )


def minor_ticks(scale: Scale) -> tuple[Tick, ...]:
    """The labels below the line: months, Mondays or days, as many as have room."""
    unit, every = _minor_unit(scale)
    if unit is None:
        return ()
    days = begins(scale.first_day, scale.last_day, unit)
    return tuple(
        Tick(scale.x(day), day, unit)
        for day in days
        if unit is not Unit.MONTH or (date.fromordinal(day).month - 1) % every == 0
    )


def _minor_unit(scale: Scale) -> tuple[Unit | None, int]:
    if scale.level is Level.YEARS:
        month = scale.per_day * 30
        every = next((n for n in (1, 3, 6) if n * month >= 34), 0)
        return (Unit.MONTH, every) if every else (None, 0)
    if scale.per_day >= 24:
        return Unit.DAY, 1
    if scale.per_day * 7 >= 28:
        return Unit.WEEK, 1
    return None, 0


# How much


def bucket_unit(scale: Scale) -> Unit:
    """The smallest unit whose bars can be told apart."""
    for unit in Unit:
        if unit.shortest * scale.per_day >= _BUCKET_PX:
            return unit
    return Unit.YEAR


def density(days: Sequence[int], unit: Unit, first: int, last: int) -> tuple[Bucket, ...]:
    """How many of the sorted ``days`` lie in each unit that has a day from ``first`` to ``last``.
    The first and the last bucket are whole."""
    found = []
    begin = begin_of(first, unit)
    while begin <= last:
        after = following(begin, unit)
        found.append(Bucket(begin, after, bisect_left(days, after) - bisect_left(days, begin)))
        begin = after
    return tuple(found)
