"""Where things are on the chart of an opinion: days along, 0 to 100 % up.

A day is its ordinal number (``date.toordinal``), never a moment: a day is as wide as any other,
also where the clocks change, and what a point says is the day in the file's name. No Qt in here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Literal

Unit = Literal["day", "month", "year"]

SHORTEST_SPAN = 13
"""Days; what happened within fewer still gets a fortnight of room."""
_MONTHS_FROM = 60  # days from which the axis begins with the first of a month
_LEFT_PAD = 0.05
_RIGHT_PAD = 0.015
_MOST_TICKS = 400
_STEPS: tuple[tuple[Unit, int], ...] = (
    ("day", 1),
    ("day", 2),
    ("day", 7),
    ("day", 14),
    ("month", 1),
    ("month", 2),
    ("month", 3),
    ("month", 6),
    *(("year", years) for years in (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000)),
)
_DAYS: Mapping[Unit, float] = {"day": 1.0, "month": 30.4, "year": 365.2}


@dataclass(frozen=True, slots=True)
class ChartStep:
    """One move: on ``day`` (an ordinal, None where no day is known) it became ``value`` in [0, 1],
    by ``delta``, because of ``key``, such as "supports"."""

    day: int | None
    value: float
    delta: float
    key: str


@dataclass(frozen=True, slots=True)
class ChartPoint:
    """A calendar day on which it moved: from ``before`` to ``value`` in [0, 1]. ``steps`` are the
    moves of that day, in order, and ``first`` is the number of the first among all of them."""

    day: int | None
    before: float
    value: float
    steps: tuple[ChartStep, ...]
    first: int

    @property
    def key(self) -> str:
        """What moved it last that day."""
        return self.steps[-1].key


@dataclass(frozen=True, slots=True)
class Tick:
    """A mark on the axis of days."""

    day: int
    x: float
    unit: Unit


def points_of(steps: Sequence[ChartStep]) -> tuple[ChartPoint, ...]:
    """One point a calendar day. ``steps`` are in the order of their days."""
    points: list[ChartPoint] = []
    at = 0
    while at < len(steps):
        end = at + 1
        while end < len(steps) and steps[end].day == steps[at].day:
            end += 1
        before = points[-1].value if points else steps[at].value - steps[at].delta
        group = tuple(steps[at:end])
        points.append(ChartPoint(steps[at].day, before, group[-1].value, group, at))
        at = end
    return tuple(points)


class ConfidenceGeometry:
    """The chart's points in a rectangle. ``today`` is an ordinal; the line goes on until then."""

    def __init__(
        self,
        points: Sequence[ChartPoint],
        today: int,
        *,
        left: float,
        top: float,
        width: float,
        height: float,
    ) -> None:
        self.points = tuple(points)
        self.left, self.top = left, top
        self.width, self.height = max(1.0, width), max(1.0, height)
        days = [point.day for point in points if point.day is not None]
        self.is_dated = bool(days)
        begin = min(days, default=today)
        self._line_end = max([*days, today])
        span = max(self._line_end - begin, SHORTEST_SPAN)
        last = self._line_end + max(1, round(span * _RIGHT_PAD))
        if span >= _MONTHS_FROM:
            first = date.fromordinal(begin).replace(day=1).toordinal()
            if begin - first < span * 0.01:
                first -= round(span * _LEFT_PAD)  # or the first mark would lie on the axis
        else:
            first = begin - max(1, round(span * _LEFT_PAD))
            first = min(first, last - SHORTEST_SPAN - 1)  # the days to come say nothing
        self.first_day = max(1, first)
        self.last_day = min(date.max.toordinal(), last)

    @property
    def right(self) -> float:
        return self.left + self.width

    @property
    def bottom(self) -> float:
        return self.top + self.height

    def x(self, day: int | None) -> float:
        """A point without a day stands where the chart begins."""
        if day is None or self.last_day == self.first_day:
            return self.left
        share = (day - self.first_day) / (self.last_day - self.first_day)
        return self.left + share * self.width

    def y(self, value: float) -> float:
        return self.bottom - value * self.height

    @property
    def line_end(self) -> float:
        """Where the line stops: today, or the last point where that is later."""
        return self.x(self._line_end) if self.is_dated else self.right

    def line(self) -> list[tuple[float, float]]:
        """The corners of the step line, from left to right."""
        if not self.points:
            return []
        corners = [(self.x(self.points[0].day), self.y(self.points[0].value))]
        for point in self.points[1:]:
            x = self.x(point.day)
            corners += [(x, corners[-1][1]), (x, self.y(point.value))]
        corners.append((self.line_end, corners[-1][1]))
        return corners

    def nearest(self, x: float) -> int | None:
        """The number of the point that is nearest to ``x``; the later one of two as near."""
        best: int | None = None
        for number, point in enumerate(self.points):
            if best is None or abs(self.x(point.day) - x) <= abs(self.x(self.points[best].day) - x):
                best = number
        return best

    def marks(self, gap: float) -> list[int]:
        """The numbers of the points whose marks are drawn: where they are so many that they would
        lie on one another, some are left out, first what only goes on in the same way."""
        chosen: list[int] = []
        taken: list[tuple[float, float]] = []
        for number in sorted(range(len(self.points)), key=self._weight):
            point = self.points[number]
            spot = (self.x(point.day), self.y(point.value))
            if all(abs(spot[0] - x) >= gap or abs(spot[1] - y) >= gap for x, y in taken):
                chosen.append(number)
                taken.append(spot)
        return sorted(chosen)

    def _weight(self, number: int) -> tuple[int, int]:
        ends = number in (0, len(self.points) - 1)
        turns = {"set": 1, "contradicts": 2, "start": 1}
        return (0 if ends else turns.get(self.points[number].key, 3), -number)

    def ticks(self, room: Mapping[Unit, float]) -> list[Tick]:
        """Marks on the axis, at least so far apart as the words of their unit need."""
        if not self.is_dated:
            return []
        per_day = self.width / max(1, self.last_day - self.first_day)
        for unit, step in _STEPS:
            if _DAYS[unit] * step * per_day >= room[unit]:
                days = _tick_days(unit, step, self.first_day, self.last_day)
                ticks = [Tick(day, self.x(day), unit) for day in days]
                if ticks:
                    return ticks
        return []


def _tick_days(unit: Unit, step: int, first: int, last: int) -> list[int]:
    if unit == "day":
        # Weeks begin on Monday; day 1 of all was one.
        begin = first + (1 - first) % step
        return list(range(begin, last + 1, step))[:_MOST_TICKS]
    months = step * (12 if unit == "year" else 1)
    start = date.fromordinal(first)
    number = start.year * 12 + start.month - 1
    number += -number % months
    days: list[int] = []
    while len(days) < _MOST_TICKS and number // 12 <= date.max.year:
        day = date(max(1, number // 12), number % 12 + 1, 1).toordinal()
        if day > last:
            break
        if day >= first:
            days.append(day)
        number += months
    return days


def sparkline(
    points: Sequence[ChartPoint], today: int, width: float, height: float
) -> list[tuple[float, float]]:
    """The corners of a small step line from the first day to today, in ``width`` × ``height``."""
    if not points:
        return []
    days = [point.day for point in points if point.day is not None]
    first, last = min(days, default=today), max([*days, today])
    span = max(1, last - first)
    corners = [(0.0, height * (1 - points[0].value))]
    for point in points[1:]:
        x = (point.day - first) / span * width if point.day is not None else 0.0
        corners += [(x, corners[-1][1]), (x, height * (1 - point.value))]
    corners.append((width, corners[-1][1]))
    return corners
