"""A change as rows: what stands beside what, which words differ, what is left out."""

from __future__ import annotations

import time
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from daybank.review.hunks import apply_hunks, split_lines
from daybank.review.proposal import Decision, Hunk
from daybank_desktop.models.diff_rows import (
    DiffLine,
    DiffRow,
    Mark,
    between,
    change_rows,
    changed_words,
    in_one,
    markdown_marks,
    spoken,
)

PAGE = """# Core

## Bakery
- Flour comes every Monday.
- Oven 2 bakes the rye.
- Oven 1 bakes the rest.

## People
- Jun draws the sign."""
LINES = split_lines(PAGE)


def texts(rows: tuple[DiffRow, ...]) -> list[tuple[str, str]]:
    return [(_shown(row.now), _shown(row.suggested)) for row in rows]


def _shown(line: DiffLine | None) -> str:
    if line is None:
        return ""
    if line.mark is Mark.GAP:
        return "⋮"
    sign = {Mark.ADDED: "+", Mark.REMOVED: "-", Mark.SAME: " "}[line.mark]
    return f"{line.number}{sign}{line.text}"


def test_a_changed_line_stands_beside_its_new_words_under_its_heading() -> None:
    hunk = Hunk(4, (LINES[3],), ("- Flour comes every Tuesday.",), "")
    assert texts(change_rows(LINES, hunk)) == [
        ("3 ## Bakery", "3 ## Bakery"),
        ("4-- Flour comes every Monday.", "4+- Flour comes every Tuesday."),
        ("5 - Oven 2 bakes the rye.", "5 - Oven 2 bakes the rye."),
    ]


def test_a_heading_that_is_far_is_shown_with_a_gap() -> None:
    hunk = Hunk(6, (LINES[5],), ("- Oven 1 rests.",), "")
    assert texts(change_rows(LINES, hunk))[:3] == [
        ("3 ## Bakery", "3 ## Bakery"),
        ("⋮", "⋮"),
        ("5 - Oven 2 bakes the rye.", "5 - Oven 2 bakes the rye."),
    ]


def test_added_lines_have_nothing_beside_them_and_later_numbers_move() -> None:
    hunk = Hunk(5, (), ("- One.", "- Two."), "")
    assert texts(change_rows(LINES, hunk, shift=3)) == [
        ("3 ## Bakery", "6 ## Bakery"),
        ("4 - Flour comes every Monday.", "7 - Flour comes every Monday."),
        ("", "8+- One."),
        ("", "9+- Two."),
        ("5 - Oven 2 bakes the rye.", "10 - Oven 2 bakes the rye."),
    ]


def test_a_page_to_be_made_has_only_new_lines() -> None:
    rows = change_rows((), Hunk(1, (), ("# Mara", "", "- Likes tea."), ""))
    assert texts(rows) == [("", "1+# Mara"), ("", "2+"), ("", "3+- Likes tea.")]


def test_lines_that_a_change_names_and_keeps_are_no_changes() -> None:
    old = ("- A", "  - one", "  - two", "  - three", "  - four", "  - five")
    rows = change_rows(old, Hunk(1, old, (*old[:5], "  - FIVE"), ""))
    assert texts(rows) == [
        ("5   - four", "5   - four"),
        ("6-  - five", "6+  - FIVE"),
    ]


def test_what_a_person_wrote_instead_is_what_is_shown() -> None:
    hunk = Hunk(4, (LINES[3],), ("- X",), "").decided(Decision.ACCEPTED, ("- Mine.",))
    assert ("4-- Flour comes every Monday.", "4+- Mine.") in texts(change_rows(LINES, hunk))


def test_the_line_that_became_another_is_found_among_new_ones() -> None:
    rows = between(
        ["- Mara likes tea in the morning."],
        ["- Jun is new.", "- Mara likes coffee in the morning.", "- Done."],
    )
    assert texts(tuple(rows)) == [
        ("", "1+- Jun is new."),
        ("1-- Mara likes tea in the morning.", "2+- Mara likes coffee in the morning."),
        ("", "3+- Done."),
    ]


def test_the_words_that_differ_are_marked_and_no_others() -> None:
    old, new = "Flour comes on Monday at 7:00.", "Flour comes on Tuesday at 6:30."
    removed, added = changed_words(old, new)
    assert [old[a:b] for a, b in removed] == ["Monday at 7:00"]
    assert [new[a:b] for a, b in added] == ["Tuesday at 6:30"]


def test_very_long_lines_are_compared_in_no_time() -> None:
    old = "word and " * 20_000
    begun = time.perf_counter()
    removed, added = changed_words(old + "old end", old + "new end")
    assert time.perf_counter() - begun < 0.5
    assert [(old + "new end")[a:b] for a, b in added] == ["new"]
    assert len(removed) == 1


def test_in_one_column_what_goes_stands_before_what_comes() -> None:
    rows = between(["a b c", "d e f"], ["a b x", "d e y"])
    marks = [(line.mark, line.text) for line in in_one(rows)]
    assert marks == [
        (Mark.REMOVED, "a b c"),
        (Mark.REMOVED, "d e f"),
        (Mark.ADDED, "a b x"),
        (Mark.ADDED, "d e y"),
    ]


@pytest.mark.parametrize(
    ("text", "dimmed", "heading"),
    [
        ("## People", ["## "], 3),
        ("  - O(c=0.87) @Peter: short ^op-4f1c2ab9", ["  - ", "^op-4f1c2ab9"], None),
        ("- **Oven** and `tea`", ["- ", "**", "**", "`", "`"], None),
        ("> 1. see [[Mara]]", ["> 1. ", "[[", "]]"], None),
        ("#hashtag", [], None),
        ("a - b # c", [], None),
        ("<!-- daybank:begin summary -->", ["<!-- daybank:begin summary -->"], None),
        ("", [], None),
    ],
)
def test_marks_of_markdown_are_dimmed(text: str, dimmed: list[str], heading: int | None) -> None:
    spans, start = markdown_marks(text)
    assert [text[a:b] for a, b in spans] == dimmed
    assert start == heading


def test_a_screen_reader_hears_the_change() -> None:
    rows = between(["- tea"], ["- coffee"], 7, 7)
    assert spoken(rows, "Removed {line}: {text}.", "Added {line}: {text}.") == (
        "Removed 7: - tea. Added 7: - coffee."
    )


lines = st.lists(
    st.sampled_from(["a b c", "a b d", "x", "", "## h", "- y z", "ü 漢字"]), max_size=8
)


@settings(max_examples=200)
@given(lines, lines, st.data())
def test_every_line_is_shown_once_and_in_its_order(
    page: list[str], new: list[str], data: st.DataObject
) -> None:
    start = data.draw(st.integers(0, len(page)))
    end = data.draw(st.integers(start, len(page)))
    hunk = Hunk(start + 1, tuple(page[start:end]), tuple(new), "")
    result = split_lines(apply_hunks("".join(f"{line}\n" for line in page), [hunk]))
    rows = change_rows(page, hunk)
    left = [row.now for row in rows if row.now and row.now.number]
    right = [row.suggested for row in rows if row.suggested and row.suggested.number]
    assert [line.number for line in left] == sorted({line.number for line in left})
    assert [line.number for line in right] == sorted({line.number for line in right})
    assert all(page[line.number - 1] == line.text for line in left)
    assert all(result[line.number - 1] == line.text for line in right)
    removed = [line.text for line in left if line.mark is Mark.REMOVED]
    added = [line.text for line in right if line.mark is Mark.ADDED]
    assert len(hunk.old) - len(removed) == len(new) - len(added)


@given(st.text(max_size=60), st.text(max_size=60))
def test_marked_words_rebuild_both_lines(old: str, new: str) -> None:
    removed, added = changed_words(old, new)
    for text, spans in ((old, removed), (new, added)):
        assert all(0 <= a < b <= len(text) for a, b in spans)
        assert all(one[1] <= other[0] for one, other in pairwise(spans))
    if not removed and not added:
        assert old == new
