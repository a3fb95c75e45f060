"""Where points and ticks are on the chart of an opinion, without a window."""

from __future__ import annotations

import time
from collections.abc import Iterator
from datetime import date, timedelta
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from daybank_desktop.widgets.chart_geometry import (
    ChartStep,
    ConfidenceGeometry,
    points_of,
    sparkline,
)

ROOM = {"day": 52.0, "month": 36.0, "year": 40.0}
MARCH = [date(2026, 3, 27) + timedelta(days=n) for n in range(5)]
OCTOBER = [date(2026, 10, 24) + timedelta(days=n) for n in range(3)]

days = st.dates(date(1, 1, 2), date(9999, 12, 30))
values = st.floats(0.02, 0.98)


def step(day: date | None, value: float = 0.7, key: str = "supports") -> ChartStep:
    return ChartStep(day.toordinal() if day else None, value, 0.0, key)


def chart(steps: list[ChartStep], today: date = date(2026, 11, 28)) -> ConfidenceGeometry:
    return ConfidenceGeometry(
        points_of(steps), today.toordinal(), left=60, top=12, width=700, height=200
    )


@pytest.fixture
def berlin(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("TZ", "Europe/Berlin")
    time.tzset()
    yield
    monkeypatch.undo()
    time.tzset()


@pytest.mark.skipif(not hasattr(time, "tzset"), reason="the zone of the process cannot be set")
@pytest.mark.usefixtures("berlin")
@pytest.mark.parametrize("week", [MARCH, OCTOBER])
def test_days_are_as_wide_where_the_clocks_change(week: list[date]) -> None:
    places = chart([step(day) for day in week], today=week[-1])
    assert [date.fromordinal(point.day or 0) for point in places.points] == week
    steps = [b - a for a, b in pairwise(places.x(point.day) for point in places.points)]
    assert all(width == pytest.approx(steps[0]) for width in steps)
    ticks = [date.fromordinal(tick.day) for tick in places.ticks({**ROOM, "day": 20.0})]
    assert set(week) <= set(ticks)
    assert all(b - a == timedelta(days=1) for a, b in pairwise(ticks))


def test_nothing_has_no_line_and_no_days() -> None:
    places = chart([])
    assert places.line() == []
    assert places.ticks(ROOM) == []
    assert places.nearest(300) is None
    assert places.marks(9) == []
    assert sparkline((), 1, 10, 10) == []


def test_one_step_goes_on_until_today_and_never_to_1970() -> None:
    places = chart([step(date(2026, 11, 20), 0.8, "start")])
    (left, y), (right, last) = places.line()
    assert y == last == places.y(0.8)
    assert places.left < left < right <= places.right
    assert {date.fromordinal(tick.day).year for tick in places.ticks(ROOM)} == {2026}


def test_a_step_written_today_still_has_its_room() -> None:
    today = date(2026, 11, 28)
    places = chart([step(today, 0.8, "start")], today)
    assert places.left < places.x(today.toordinal()) < places.right
    assert places.last_day - places.first_day >= 13


def test_a_step_without_a_day_stands_where_the_chart_begins() -> None:
    places = chart([step(None, 0.6, "start"), step(date(2026, 10, 1), 0.7)])
    assert places.line()[0] == (places.left, places.y(0.6))
    alone = chart([step(None, 0.6, "start")])
    assert not alone.is_dated
    assert alone.line() == [(alone.left, alone.y(0.6)), (alone.right, alone.y(0.6))]


def test_a_day_is_one_point_however_much_happened() -> None:
    day = date(2026, 5, 2)
    steps = [
        ChartStep(date(2026, 5, 1).toordinal(), 0.7, 0.0, "start"),
        ChartStep(day.toordinal(), 0.56, -0.14, "contradicts"),
        ChartStep(day.toordinal(), 0.75, 0.19, "set"),
        ChartStep(date(2026, 5, 3).toordinal(), 0.77, 0.02, "supports"),
    ]
    points = points_of(steps)
    assert [(p.before, p.value, p.key, p.first) for p in points] == [
        (0.7, 0.7, "start", 0),
        (0.7, 0.75, "set", 1),
        (0.75, 0.77, "supports", 3),
    ]


def test_what_is_to_come_is_on_the_chart_too() -> None:
    later = date(2027, 2, 1)
    places = chart([step(date(2026, 11, 1)), step(later)])
    assert places.line()[-1][0] == places.x(later.toordinal()) <= places.right


def test_weeks_begin_on_monday() -> None:
    places = chart([step(date(2026, 10, 10), 0.7, "start")])
    ticks = places.ticks(ROOM)
    assert ticks[0].unit == "day"
    assert {date.fromordinal(tick.day).weekday() for tick in ticks} == {0}


def test_of_marks_that_lie_on_one_another_the_turns_stay() -> None:
    first = date(2020, 1, 1)
    steps = [step(first + timedelta(days=n), 0.7) for n in range(2000)]
    steps[1000] = step(first + timedelta(days=1000), 0.7, "set")
    places = chart(steps)
    marks = places.marks(9)
    assert {0, 1000, 1999} <= set(marks)
    assert len(marks) < 100


@given(st.lists(st.tuples(days, values), min_size=1, max_size=30), days)
def test_points_stay_in_the_chart_in_the_order_of_their_days(
    steps: list[tuple[date, float]], today: date
) -> None:
    places = chart([step(day, value) for day, value in sorted(steps)], today)
    xs = [places.x(point.day) for point in places.points]
    assert all(a < b for a, b in pairwise(xs))
    for x, point in zip(xs, places.points, strict=True):
        assert places.left <= x <= places.right + 1e-6
        assert places.top <= places.y(point.value) <= places.bottom
    corners = places.line()
    assert all(a[0] <= b[0] for a, b in pairwise(corners))
    assert all(a[0] == b[0] or a[1] == b[1] for a, b in pairwise(corners))


@given(st.lists(days, min_size=1, max_size=5), days)
def test_ticks_leave_room_for_their_words(some: list[date], today: date) -> None:
    places = chart([step(day) for day in sorted(set(some))], today)
    ticks = places.ticks(ROOM)
    for a, b in pairwise(ticks):
        assert b.x - a.x >= ROOM[a.unit] * 0.9
    for tick in ticks:
        assert places.first_day <= tick.day <= places.last_day
        day = date.fromordinal(tick.day)
        assert tick.unit == "day" or day.day == 1
        assert tick.unit != "year" or day.month == 1


@given(st.lists(days, min_size=1, max_size=20, unique=True), st.floats(0, 800))
def test_the_nearest_point_is_the_nearest(some: list[date], x: float) -> None:
    places = chart([step(day) for day in sorted(some)])
    number = places.nearest(x)
    assert number is not None
    gaps = [abs(places.x(point.day) - x) for point in places.points]
    assert gaps[number] == min(gaps)


@given(st.lists(st.tuples(days, values), min_size=1, max_size=20), days)
def test_a_sparkline_stays_in_its_box(steps: list[tuple[date, float]], today: date) -> None:
    points = points_of([step(day, value) for day, value in sorted(steps)])
    corners = sparkline(points, today.toordinal(), 72, 22)
    assert all(0 <= x <= 72 and 0 <= y <= 22 for x, y in corners)
    assert corners[-1][0] == 72
