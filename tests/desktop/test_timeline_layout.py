"""Bars, marks, cards and columns without a window: what goes where, and that nothing gets lost."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

from fakes import note
from hypothesis import given
from hypothesis import strategies as st

from daybank.dates import Interval
from daybank.markdown.model import Kind
from daybank_desktop.timeline.items import TimelineItem, TimelineItems, items_of
from daybank_desktop.timeline.layout import (
    MOST_LANES,
    Bar,
    Beside,
    Layout,
    Metrics,
    lay_out,
)
from daybank_desktop.timeline.scale import Level, Scale

FIRST = date(2026, 9, 1).toordinal()
MONTHS = Scale(float(FIRST), 91.0, 798.0)
METRICS = Metrics()


def width(text: str) -> float:
    return 7.0 * len(text)


def mark(id_: str, day: int, kind: str = "world") -> TimelineItem:
    return TimelineItem(id_, kind, f"Note {id_}", FIRST + day)


def bar(id_: str, start: int | None, end: int | None, text: str = "A bar") -> TimelineItem:
    span = (
        FIRST + start if start is not None else None,
        FIRST + end if end is not None else None,
    )
    return TimelineItem(id_, "world", text, 0, span)


def placed(*items: TimelineItem, scale: Scale = MONTHS) -> Layout:
    return lay_out(TimelineItems(items), scale, METRICS, width)


def the_bar(layout: Layout, id_: str) -> Bar:
    return next(bar for bar in layout.bars if bar.item.id == id_)


def test_a_bar_covers_its_days_and_holds_its_words() -> None:
    found = the_bar(placed(bar("a", 8, 22, "New oven")), "a")
    left, top, room, height = found.rect
    assert left == MONTHS.x(FIRST + 8)
    assert left + room == MONTHS.x(FIRST + 23)
    assert (top, height) == (METRICS.head, 22)
    assert found.beside is Beside.INSIDE
    assert not found.goes_on_left
    assert not found.goes_on_right


def test_words_too_long_stand_beside_and_at_the_end_before_it() -> None:
    assert the_bar(placed(bar("a", 30, 33, "In Porto")), "a").beside is Beside.RIGHT
    late = the_bar(placed(bar("a", 88, 90, "Her mother’s birthday")), "a")
    assert late.beside is Beside.LEFT
    assert late.label_x + late.label_width <= late.rect[0]


def test_an_open_end_goes_on_to_the_edge() -> None:
    found = the_bar(placed(bar("a", 40, None)), "a")
    assert found.goes_on_right
    assert not found.goes_on_left
    assert found.rect[0] + found.rect[2] == MONTHS.width


def test_what_holds_until_a_day_is_drawn_from_the_day_it_was_written() -> None:
    item = replace(bar("a", None, 60), day=FIRST + 50)
    found = the_bar(placed(item), "a")
    assert found.rect[0] == MONTHS.x(FIRST + 50)
    assert found.goes_on_left
    undated = the_bar(placed(bar("b", None, 60)), "b")
    assert undated.rect[0] == 0


def test_bars_that_meet_take_another_lane() -> None:
    layout = placed(bar("long", 0, 60), bar("short", 20, 30), bar("later", 70, 80))
    lanes = {found.item.id: found.lane for found in layout.bars}
    assert lanes["long"] == 0
    assert lanes["short"] == 1
    assert lanes["later"] in (0, 1)


def test_what_finds_no_lane_is_a_mark() -> None:
    layout = placed(*(bar(str(n), n, 60 + n, "x" * 40) for n in range(6)))
    assert len(layout.bars) <= MOST_LANES
    shown = {b.item.id for b in layout.bars} | {m.item.id for m in layout.marks}
    assert shown == {str(n) for n in range(6)}


def test_marks_of_a_day_are_stacked_and_far_ones_stand_on_the_line() -> None:
    layout = placed(mark("a", 10), mark("b", 10), mark("c", 11), mark("d", 40))
    levels = {found.item.id: found.level for found in layout.marks}
    assert sorted((levels["a"], levels["b"], levels["c"])) == [0, 1, 2]
    assert levels["d"] == 0
    for found in layout.marks:
        assert found.x == MONTHS.middle(found.item.day)


@given(st.lists(st.integers(min_value=-5, max_value=96), max_size=60))
def test_no_two_marks_of_a_level_come_closer_than_that(days: list[int]) -> None:
    layout = placed(*(mark(str(n), day) for n, day in enumerate(days)))
    for one in layout.marks:
        for other in layout.marks:
            if one is not other and one.level == other.level:
                assert abs(one.x - other.x) >= METRICS.closest
    if not layout.columns:
        in_sight = [day for day in days if MONTHS.first_day <= FIRST + day <= MONTHS.last_day]
        assert len(layout.marks) + sum(more.count for more in layout.more) == len(in_sight)


def test_very_many_notes_are_counted_instead() -> None:
    layout = placed(*(mark(f"{day}-{n}", day) for day in range(90) for n in range(9)))
    assert not layout.marks
    assert sum(column.bucket.count for column in layout.columns) == 810
    assert max(column.rect[1] + column.rect[3] for column in layout.columns) == METRICS.baseline


def test_far_away_there_are_bars_of_numbers_even_for_one() -> None:
    far = MONTHS.at_level(Level.YEARS, 400)
    layout = placed(mark("a", 10), scale=far)
    assert [column.bucket.count for column in layout.columns] == [1]


def test_nearest_there_are_cards_with_words() -> None:
    near = Scale(float(FIRST), 7.0, 798.0)
    layout = placed(mark("a", 1), mark("b", 1), mark("c", 5), scale=near)
    assert {card.item.id for card in layout.cards} == {"a", "b", "c"}
    crowded = placed(*(mark(str(n), 2) for n in range(20)), scale=near)
    assert len(crowded.cards) + crowded.more[0].count == 20


def test_the_pointer_finds_what_it_is_on() -> None:
    layout = placed(mark("a", 10), mark("b", 10), bar("c", 30, 60))
    for found in layout.marks:
        assert layout.item_at(found.x + 2, found.y - 2) is found.item
    left, top, _, _ = layout.bars[0].rect
    hit = layout.item_at(left + 3, top + 3)
    assert hit is not None
    assert hit.id == "c"
    assert layout.item_at(400, 70) is None


def test_up_and_down_go_through_the_lanes() -> None:
    layout = placed(mark("low", 40), mark("high", 40), bar("bar", 30, 60))
    up = layout.neighbour("low", 1)
    assert up is not None
    assert up.id == "high"
    top = layout.neighbour("high", 1)
    assert top is not None
    assert top.id == "bar"
    assert layout.neighbour("bar", 1) is None
    down = layout.neighbour("bar", -1)
    assert down is not None
    assert down.id == "high"


def test_only_notes_with_a_day_come_in_and_each_once() -> None:
    course = Interval(date(2026, 10, 5), date(2026, 10, 16))
    long = replace(note("Goes on a pastry course from 5 to 16 October.", line=1), event=course)
    short = replace(note("Pastry course.", line=2, kind=Kind.EXPERIENCE), event=course)
    undated = replace(note("Nobody knows when.", day=None), event=None)
    born = replace(
        note("Born on 3 May 1990.", day=None, line=3), event=Interval.day(date(1990, 5, 3))
    )
    items = items_of([long, short, undated, born, long])
    assert [item.text for item in items.spans] == ["Pastry course."]
    assert {item.text for item in items.marks} == {long.content, born.content}
    assert items.item(born.id).day == date(1990, 5, 3).toordinal()  # type: ignore[union-attr]


def test_the_last_one_up_to_a_day_is_found() -> None:
    items = TimelineItems([mark("a", 3), mark("b", 9), mark("c", 9), mark("d", 20)])
    assert items.last_until(FIRST + 2) is None
    assert items.last_until(FIRST + 3) == mark("a", 3)
    assert items.last_until(FIRST + 10) == mark("c", 9)
    assert TimelineItems().last_until(FIRST) is None


def test_the_extent_goes_from_the_first_to_the_last_day_that_anything_speaks_of() -> None:
    items = TimelineItems([mark("a", 3), bar("b", -400, 2), bar("c", 5, 30), bar("d", None, 40)])
    extent = items.extent(FIRST)
    assert (extent.first, extent.last) == (FIRST - 400, FIRST + 40)
    assert items.extent(FIRST + 50).last == FIRST + 50


def test_nothing_at_all_has_an_extent_that_ends_today() -> None:
    today = FIRST + 88
    extent = TimelineItems().extent(today)
    assert extent.last == today
    assert extent.days == Level.MONTHS.value
    assert TimelineItems().next(None, 1) is None
