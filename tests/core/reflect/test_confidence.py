"""How sure an opinion is: the curve that its dated evidence draws."""

from __future__ import annotations

import itertools
from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from daybank.markdown.opinions import (
    EvidenceLine,
    Key,
    read_evidence,
    read_opinions,
    write_evidence,
)
from daybank.reflect.confidence import LEAST, MIDDLE, MOST, Replay, differs, replay
from daybank.resources import resource_path

FIRST = date(2026, 1, 1)


def evidence(*items: tuple[str, int, float | None]) -> list[EvidenceLine]:
    """(key, days after the first, value) → lines, each from a log of its own."""
    out = []
    for number, (key, after, value) in enumerate(items, 1):
        day = FIRST + timedelta(days=after)
        source = None if key == "set" else f"memory/{day.isoformat()}.md#L{number}"
        fact = None if key == "set" else f"f-{number:012x}"
        out.append(EvidenceLine(number, Key(key), "", day, value, 1.0, source, fact))
    return out


def curve(*items: tuple[str, int, float | None]) -> list[float]:
    return [round(step.value, 4) for step in replay(evidence(*items)).steps]


def test_a_support_takes_a_tenth_of_the_way_up() -> None:
    assert curve(("start", 0, 0.6), ("supports", 1, None)) == [0.6, 0.638]


def test_a_doubt_takes_a_tenth_of_the_way_down() -> None:
    assert curve(("start", 0, 0.9), ("weakens", 1, None)) == [0.9, 0.812]


def test_a_contradiction_takes_a_fifth_of_the_way_down() -> None:
    assert curve(("start", 0, 0.9), ("contradicts", 1, None)) == [0.9, 0.724]


def test_a_weak_stance_moves_less() -> None:
    lines = evidence(("start", 0, 0.6), ("supports", 1, None))
    half = [lines[0], EvidenceLine(2, Key.SUPPORTS, "", lines[1].day, weight=0.5)]
    assert round(replay(half).confidence, 4) == 0.619


def test_without_a_number_an_opinion_starts_at_seventy_percent() -> None:
    assert curve(("start", 0, None)) == [0.7]


def test_a_zero_is_a_value_and_not_a_missing_one() -> None:
    assert curve(("start", 0, 0.0)) == [LEAST]


def test_said_again_with_a_number_goes_a_quarter_of_the_way_and_never_more_than_fifteen() -> None:
    assert curve(("start", 0, 0.6), ("restated", 1, 0.8)) == [0.6, 0.65]
    assert curve(("start", 0, 0.95), ("restated", 1, 0.1)) == [0.95, 0.8]


def test_a_value_set_by_hand_counts_from_its_day() -> None:
    assert curve(("start", 0, 0.6), ("set", 3, 0.9), ("supports", 2, None)) == [0.6, 0.638, 0.9]


def test_the_third_contradiction_without_a_support_between_counts_double() -> None:
    down = [("contradicts", day, None) for day in (1, 2, 3)]
    steps = replay(evidence(("start", 0, 0.9), *down)).steps
    assert [round(s.value, 4) for s in steps] == [0.9, 0.724, 0.5832, 0.3579]
    assert "counts double" in steps[-1].rule


def test_a_support_between_begins_the_count_anew() -> None:
    steps = replay(
        evidence(
            ("start", 0, 0.9),
            ("contradicts", 1, None),
            ("contradicts", 2, None),
            ("supports", 3, None),
            ("contradicts", 4, None),
        )
    ).steps
    assert "double" not in steps[-1].rule


def test_one_note_alone_never_crosses_the_middle() -> None:
    steps = replay(evidence(("start", 0, 0.55), ("contradicts", 1, None))).steps
    assert steps[-1].value == MIDDLE
    assert "one note alone" in steps[-1].rule


def test_the_second_contradiction_on_another_day_may_cross_it() -> None:
    assert curve(("start", 0, 0.55), ("contradicts", 1, None), ("contradicts", 2, None)) == [
        0.55, 0.5, 0.404,
    ]  # fmt: skip


def test_an_opinion_that_begins_in_the_middle_moves_like_any_other() -> None:
    assert curve(("start", 0, 0.5), ("supports", 1, None)) == [0.5, 0.548]


def test_doubts_alone_never_take_it_across() -> None:
    doubts = [("weakens", day, None) for day in range(1, 30)]
    assert replay(evidence(("start", 0, 0.6), *doubts)).confidence == MIDDLE


def test_two_contradictions_on_one_day_count_once() -> None:
    lines = evidence(("start", 0, 0.9), ("contradicts", 1, None), ("contradicts", 1, None))
    found = replay(lines)
    assert round(found.confidence, 3) == 0.724
    assert [item.cause.line for item in found.ignored] == [3]


def test_one_page_moves_it_once_a_day() -> None:
    day = FIRST + timedelta(days=1)
    lines = [
        *evidence(("start", 0, 0.6)),
        EvidenceLine(2, Key.SUPPORTS, "", day, source="memory/2026-01-02.md#L1", id="f-aa"),
        EvidenceLine(3, Key.WEAKENS, "", day, source="memory/2026-01-02.md#L9", id="f-bb"),
    ]
    found = replay(lines)
    assert len(found.steps) == 2
    assert found.ignored[0].reason == "One page moves it once a day."


def test_the_same_note_counts_once_wherever_it_is_cited() -> None:
    day = FIRST + timedelta(days=1)
    lines = [
        *evidence(("start", 0, 0.6)),
        EvidenceLine(2, Key.SUPPORTS, "", day, source="memory/a.md#L1", id="f-aa"),
        EvidenceLine(3, Key.SUPPORTS, "", day + timedelta(1), source="memory/b.md#L1", id="f-aa"),
    ]
    assert round(replay(lines).confidence, 3) == 0.638


def test_lines_without_a_day_move_nothing_and_say_so() -> None:
    line = EvidenceLine(2, Key.SUPPORTS, "")
    found = replay([*evidence(("start", 0, 0.6)), line])
    assert found.confidence == 0.6
    assert found.ignored[0].cause is line


def test_free_words_of_evidence_move_nothing() -> None:
    line = EvidenceLine(2, Key.EVIDENCE, "he said so")
    assert replay([*evidence(("start", 0, 0.6)), line]).confidence == 0.6


def test_an_opinion_without_evidence_is_as_sure_as_its_line_says() -> None:
    assert replay([], 0.42).confidence == 0.42
    assert replay([]).confidence == 0.7


def test_what_crossed_the_middle_by_contradictions_has_flipped() -> None:
    down = [("contradicts", day, None) for day in (1, 2, 3)]
    assert replay(evidence(("start", 0, 0.8), *down)).has_flipped
    assert not replay(evidence(("start", 0, 0.8), *down[:1])).has_flipped
    assert not replay(evidence(("start", 0, 0.8), ("set", 1, 0.3))).has_flipped
    assert not replay(evidence(("start", 0, 0.8), *down, ("set", 9, 0.3))).has_flipped


ITEMS = st.lists(
    st.tuples(
        st.sampled_from(["supports", "weakens", "contradicts", "restated", "set"]),
        st.integers(0, 400),
        st.floats(0, 1),
    ),
    max_size=40,
)


def played(items: list[tuple[str, int, float]], start: float = 0.7) -> Replay:
    return replay(evidence(("start", 0, start), *items))


@given(ITEMS, st.floats(0, 1))
def test_it_never_leaves_its_bounds(items: list[tuple[str, int, float]], start: float) -> None:
    found = played(items, start)
    assert all(LEAST <= step.value <= MOST for step in found.steps)


@given(ITEMS)
def test_the_same_evidence_in_any_order_of_days_gives_the_same_curve(
    items: list[tuple[str, int, float]],
) -> None:
    lines = evidence(("start", 0, 0.7), *items)
    by_day = sorted(lines, key=lambda line: (line.day or FIRST, line.line))
    assert replay(lines).steps == replay(by_day).steps


@given(ITEMS)
def test_taking_a_line_away_takes_its_step_away_and_nothing_is_remembered(
    items: list[tuple[str, int, float]],
) -> None:
    lines = evidence(("start", 0, 0.7), *items)
    replay(lines)
    assert replay(lines[:-1]) == replay(lines[:-1])
    assert all(step.cause is not lines[-1] for step in replay(lines[:-1]).steps)


@given(ITEMS)
def test_no_step_but_one_by_hand_or_restated_jumps_over_the_middle_on_a_first_day(
    items: list[tuple[str, int, float]],
) -> None:
    steps = played([i for i in items if i[0] not in ("set", "restated")][:1]).steps
    for before, after in itertools.pairwise(steps):
        assert (before.value - MIDDLE) * (after.value - MIDDLE) >= 0


@given(
    st.sampled_from([Key.SUPPORTS, Key.WEAKENS, Key.CONTRADICTS]),
    st.dates(),
    st.integers(1, 100),
    st.integers(1, 999),
)
def test_a_line_of_evidence_is_read_back_as_it_was_written(
    key: Key, day: date, percent: int, line: int
) -> None:
    source = f"memory/{day.isoformat()}.md#L{line}"
    text = write_evidence(key, day, weight=percent / 100, source=source, id="f-0123456789ab")
    read = read_evidence(1, key, text.partition(":")[2].strip())
    assert (read.day, read.source, read.id) == (day, source, "f-0123456789ab")
    assert read.weight == pytest.approx(percent / 100)


def test_the_sample_shows_the_numbers_that_its_evidence_gives() -> None:
    path = "bank/opinions.md"
    page = read_opinions(path, (resource_path("sample_workspace") / path).read_bytes())
    assert len(page.entries) == 9
    for entry in page.entries:
        assert entry.confidence is not None
        found = replay(entry.evidence, entry.confidence)
        assert not differs(found.confidence, entry.confidence), entry.statement
