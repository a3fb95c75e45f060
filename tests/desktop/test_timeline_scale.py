"""Days and pixels without a window: no day is doubled or lost, whatever the clocks do."""

from __future__ import annotations

from datetime import date, timedelta
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from daybank_desktop.timeline.scale import (
    LAST_DAY,
    Extent,
    Level,
    Scale,
    Unit,
    begin_of,
    begins,
    bucket_unit,
    density,
    following,
    major_ticks,
    minor_ticks,
    whole,
)

MARCH = date(2026, 3, 27).toordinal()
OCTOBER = date(2026, 10, 24).toordinal()
days = st.integers(min_value=1, max_value=LAST_DAY)
scales = st.builds(
    Scale,
    st.floats(min_value=-500.0, max_value=float(LAST_DAY)),
    st.floats(min_value=1.0, max_value=20_000.0),
    st.floats(min_value=50.0, max_value=4000.0),
)


def day(year: int, month: int, of_month: int) -> int:
    return date(year, month, of_month).toordinal()


@pytest.mark.parametrize(("first", "count"), [(MARCH, 5), (OCTOBER, 3)])
def test_each_day_around_a_clock_change_has_one_bar_of_one_width(first: int, count: int) -> None:
    facts = list(range(first, first + count))
    buckets = density(facts, Unit.DAY, first, first + count - 1)
    assert [bucket.first for bucket in buckets] == facts
    assert [bucket.count for bucket in buckets] == [1] * count
    scale = Scale(float(first), float(count), 700.0)
    widths = {round(scale.x(b.after) - scale.x(b.first), 6) for b in buckets}
    assert len(widths) == 1


def test_the_pointer_over_a_bar_says_the_day_of_the_file() -> None:
    scale = Scale(float(OCTOBER), 3.0, 300.0)
    for number, name in enumerate(("2026-10-24", "2026-10-25", "2026-10-26")):
        for x in (number * 100 + 1, number * 100 + 50, number * 100 + 99):
            assert date.fromordinal(int(scale.day_at(x))).isoformat() == name


def test_no_facts_are_no_bars_and_one_fact_is_one() -> None:
    assert all(bucket.count == 0 for bucket in density([], Unit.MONTH, MARCH, OCTOBER))
    counts = [bucket.count for bucket in density([MARCH], Unit.MONTH, MARCH, OCTOBER)]
    assert counts == [1, 0, 0, 0, 0, 0, 0, 0]


@given(st.lists(st.integers(min_value=700_000, max_value=703_000)), st.sampled_from(Unit))
def test_the_bars_together_count_every_note_once(found: list[int], unit: Unit) -> None:
    found.sort()
    buckets = density(found, unit, 700_000, 703_000)
    assert sum(bucket.count for bucket in buckets) == len(found)
    for one, other in pairwise(buckets):
        assert one.after == other.first


@given(days, st.sampled_from(Unit))
def test_a_day_lies_in_the_unit_that_begins_before_it(some: int, unit: Unit) -> None:
    begin = begin_of(some, unit)
    assert begin <= some < following(begin, unit)
    assert begin_of(begin, unit) == begin


@given(scales, st.floats(min_value=0.1, max_value=10.0), st.floats(min_value=0.0, max_value=1.0))
def test_zooming_leaves_the_day_under_the_pointer_where_it_is(
    scale: Scale, factor: float, share: float
) -> None:
    x = share * scale.width
    near = scale.zoomed(factor, x)
    assert near.day_at(x) == pytest.approx(scale.day_at(x), abs=1e-3)
    assert near.days >= 1.0


@given(scales, st.integers(min_value=1, max_value=LAST_DAY - 9000), st.integers(0, 9000))
def test_one_cannot_leave_the_time_there_is(scale: Scale, first: int, length: int) -> None:
    extent = Extent(first, first + length)
    inside = scale.inside(extent)
    end = inside.start + inside.days
    assert end <= extent.last + 1 + inside.days * 0.05
    assert inside.days < extent.days * 1.1 or inside.days <= Level.YEARS.value
    assert end > extent.first
    again = inside.inside(extent)
    assert again.start == pytest.approx(inside.start, abs=1e-3)
    assert again.days == pytest.approx(inside.days)


@given(scales)
def test_ticks_lie_in_sight_and_in_order(scale: Scale) -> None:
    for ticks in (major_ticks(scale), minor_ticks(scale)):
        assert len(ticks) < 900
        places = [tick.x for tick in ticks]
        assert places == sorted(places)
        assert all(x <= scale.width + 1e-6 for x in places)
    assert all(tick.x >= -scale.per_day for tick in minor_ticks(scale))


def test_from_years_to_a_day_the_labels_follow() -> None:
    first = day(2026, 9, 1)
    months = Scale(float(first), 91.0, 798.0)
    assert months.level is Level.MONTHS
    assert [date.fromordinal(t.day).month for t in major_ticks(months)] == [9, 10, 11]
    mondays = [date.fromordinal(tick.day) for tick in minor_ticks(months)]
    assert mondays[0] == date(2026, 9, 7)
    assert all(monday.weekday() == 0 for monday in mondays)
    near = months.at_level(Level.DAYS, 100)
    assert near.level is Level.DAYS
    assert {tick.unit for tick in minor_ticks(near)} == {Unit.DAY}
    far = months.at_level(Level.YEARS, 400)
    assert {tick.unit for tick in major_ticks(far)} == {Unit.YEAR}
    one = months.zoomed(1000, 10)
    assert one.days == 1.0


def test_bars_of_less_than_some_pixels_are_put_together() -> None:
    assert bucket_unit(Scale(1.0, 91.0, 798.0)) is Unit.DAY
    assert bucket_unit(Scale(1.0, 500.0, 798.0)) is Unit.WEEK
    assert bucket_unit(Scale(1.0, 1096.0, 798.0)) is Unit.MONTH
    assert bucket_unit(Scale(1.0, 20_000.0, 798.0)) is Unit.YEAR


def test_the_first_and_the_last_day_there_are_do_not_overrun() -> None:
    assert list(begins(LAST_DAY - 2, LAST_DAY, Unit.DAY)) == [LAST_DAY - 2, LAST_DAY - 1, LAST_DAY]
    assert following(begin_of(LAST_DAY, Unit.YEAR), Unit.YEAR) == LAST_DAY + 1
    edge = whole(Extent(1, LAST_DAY), 800)
    assert major_ticks(edge)
    assert minor_ticks(edge) == ()


def test_the_neighbour_of_new_years_eve_is_new_year() -> None:
    eve = date(2026, 12, 31)
    assert (
        following(begin_of(eve.toordinal(), Unit.MONTH), Unit.MONTH)
        == (eve + timedelta(days=1)).toordinal()
    )
