"""A page that was edited since: a change moves, is there already, or clashes."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st
from review_tools import change

from daybank.review.hunks import apply_hunks
from daybank.review.merge import AlreadyThere, Clash, Conflict, Moved, Rebased, rebase, relocate
from daybank.review.proposal import Decision, Hunk, Phase, Proposal

BASE = "# Opinions\n\n- one\n- two\n- three\n- four\n"


def place(base: str, now: str, hunk: Hunk) -> Moved | AlreadyThere | Clash:
    return relocate(base, now, [hunk])[0]


def merged(base: str, now: str, hunk: Hunk) -> str:
    found = place(base, now, hunk)
    assert isinstance(found, Moved), found
    return apply_hunks(now, [found.hunk])


def proposal(base: str | None, *hunks: Hunk) -> Proposal:
    moment = datetime(2026, 11, 26, tzinfo=UTC)
    return Proposal("p-1", moment, "bank/x.md", "old", base, hunks, "why", Phase.OPINIONS)


def test_lines_added_above_move_a_change_down() -> None:
    now = BASE.replace("- one\n", "- zero\n- and\n- one\n")
    assert merged(BASE, now, change(4, "- two", "- TWO")) == now.replace("- two", "- TWO")


def test_an_edited_neighbour_is_no_conflict() -> None:
    now = BASE.replace("- one", "- ONE").replace("- three", "- THREE")
    assert merged(BASE, now, change(4, "- two", "- TWO")) == now.replace("- two", "- TWO")


def test_an_edited_neighbour_that_the_change_only_names_is_kept() -> None:
    now = BASE.replace("- one", "- ONE")
    found = merged(BASE, now, change(3, "- one\n- two", "- one\n- TWO"))
    assert found == now.replace("- two", "- TWO")


def test_the_same_line_edited_otherwise_clashes_with_both_sides() -> None:
    now = BASE.replace("- two", "- two, but")
    found = place(BASE, now, change(4, "- two", "- TWO"))
    assert found == Clash(0, change(4, "- two", "- TWO"), 4, ("- two, but",))
    assert isinstance(found, Clash)
    assert found.ours == ("- TWO",)
    assert apply_hunks(now, [found.insisted()]) == BASE.replace("- two", "- TWO")


def test_a_line_that_was_taken_out_clashes() -> None:
    found = place(BASE, BASE.replace("- two\n", ""), change(4, "- two", "- TWO"))
    assert isinstance(found, Clash)
    assert found.theirs == ()


def test_a_line_to_be_taken_out_that_was_edited_clashes() -> None:
    found = place(BASE, BASE.replace("- two", "- two!"), change(4, "- two", None))
    assert isinstance(found, Clash)


@pytest.mark.parametrize(
    "hunk",
    [
        change(4, "- two", "- TWO"),
        change(4, "- two", None),
        change(5, None, "- new"),
        change(3, "- one\n- two", "- one\n- TWO"),
        change(4, "- two", "- two\n- new"),
        change(7, None, "\n## Retain\n\n- W @Peter: Likes figs."),
    ],
)
def test_what_a_person_did_themselves_is_there_already(hunk: Hunk) -> None:
    now = apply_hunks(BASE, [hunk]).replace("# Opinions", "# My opinions")
    assert isinstance(place(BASE, now, hunk), AlreadyThere)


def test_a_change_that_changes_nothing_is_there_already() -> None:
    assert isinstance(place(BASE, "other\n", change(4, "- two", "- two")), AlreadyThere)


def test_two_lines_added_at_the_end_both_stay_in_their_order() -> None:
    assert merged(BASE, BASE + "- mine\n", change(7, None, "- new")) == BASE + "- mine\n- new\n"


def test_a_note_does_not_get_behind_a_section_that_was_begun_there() -> None:
    base = "# 2026-11-26\n\n## Retain\n\n- W: a fact\n"
    now = base + "\n## Later\n\nA walk.\n"
    assert merged(base, now, change(6, None, "- W: new")) == (
        "# 2026-11-26\n\n## Retain\n\n- W: a fact\n- W: new\n\n## Later\n\nA walk.\n"
    )


def test_a_new_section_goes_behind_what_was_added_at_the_end() -> None:
    base = "# 2026-11-26\n\nA walk.\n"
    now = base + "\nA talk.\n"
    section = change(4, None, "\n## Retain\n\n- W: new")
    assert merged(base, now, section) == now + "\n## Retain\n\n- W: new\n"


def test_a_new_section_goes_behind_a_section_that_was_begun_there() -> None:
    base = "# 2026-11-26\n\nA walk.\n"
    now = base + "\n## Evening\n\nA film.\n"
    section = change(4, None, "\n## Retain\n\n- W: new")
    assert merged(base, now, section) == now + "\n## Retain\n\n- W: new\n"


def test_the_last_line_edited_does_not_keep_one_from_being_added() -> None:
    now = BASE.replace("- four", "- 4")
    assert merged(BASE, now, change(7, None, "- new")) == now + "- new\n"


def test_a_line_added_where_both_neighbours_were_rewritten_clashes() -> None:
    now = BASE.replace("- two\n- three", "- something else\n- entirely")
    assert isinstance(place(BASE, now, change(5, None, "- new")), Clash)


def test_a_line_that_stands_there_twice_now_is_changed_only_where_that_is_certain() -> None:
    base = "# A\n\n- same\n\n# B\n\n- other\n"
    twice = "# A\n\n- same\n\n# B\n\n- other\n- same\n"
    assert merged(base, twice, change(3, "- same", "- X")) == twice.replace("- same", "- X", 1)
    moved = "- same\n# Z\n- same\n"
    assert isinstance(place(base, moved, change(3, "- same", "- X")), Clash)


def test_a_page_to_be_made_that_is_there_by_now_clashes_or_is_there_already() -> None:
    hunk = change(1, None, "# Peter\n\n- Likes figs.")
    assert isinstance(place("", "# Peter\n\nMy friend.\n", hunk), Clash)
    assert isinstance(place("", "# Peter\n\n- Likes figs.\n", hunk), AlreadyThere)
    assert merged("", "\n", hunk) == "\n# Peter\n\n- Likes figs.\n"


def test_a_moved_suggestion_waits_afresh_on_its_new_page() -> None:
    old = proposal(BASE, change(4, "- two", "- TWO", decision=Decision.ACCEPTED))
    now = "- zero\n" + BASE
    found = rebase(old, now, "new")
    assert isinstance(found, Rebased)
    assert (found.proposal.base_text, found.proposal.base_sha256) == (now, "new")
    assert found.proposal.hunks == (change(5, "- two", "- TWO"),)
    assert found.proposal.fingerprint == old.fingerprint


def test_only_what_is_left_to_say_is_asked_again() -> None:
    old = proposal(BASE, change(3, "- one", "- ONE"), change(5, "- three", "- THREE"))
    found = rebase(old, BASE.replace("- one", "- ONE"), "new")
    assert isinstance(found, Rebased)
    assert [h.old for h in found.proposal.hunks] == [("- three",)]
    assert [h.old for h in found.there_already] == [("- one",)]
    assert not found.is_settled
    all_there = rebase(old, BASE.replace("- one", "- ONE").replace("- three", "- THREE"), "new")
    assert isinstance(all_there, Rebased)
    assert all_there.is_settled


def test_a_conflict_names_its_changes_and_keeps_the_others() -> None:
    old = proposal(BASE, change(3, "- one", "- ONE"), change(6, "- four", "- FOUR"))
    found = rebase(old, "- top\n" + BASE.replace("- one", "- won"), "new")
    assert isinstance(found, Conflict)
    assert [(c.index, c.theirs, c.ours) for c in found.clashes] == [(0, ("- won",), ("- ONE",))]
    assert [h.line for h in found.proposal.hunks] == [7]


def test_a_rejected_change_makes_no_conflict() -> None:
    old = proposal(
        BASE,
        change(3, "- one", "- ONE", decision=Decision.REJECTED),
        change(6, "- four", "- FOUR"),
    )
    found = rebase(old, BASE.replace("- one", "- won"), "new")
    assert isinstance(found, Rebased)
    assert [h.old for h in found.proposal.hunks] == [("- four",)]


WORDS = st.sampled_from(["", "- a", "- b", "- c", "# H", "- d"])


@given(st.lists(WORDS, max_size=9), st.lists(WORDS, max_size=9), st.data())
def test_a_moved_change_always_fits_the_page_as_it_is_now(
    base: list[str], now: list[str], data: st.DataObject
) -> None:
    start = data.draw(st.integers(0, len(base)))
    stop = data.draw(st.integers(start, len(base)))
    new = tuple(data.draw(st.lists(WORDS, max_size=2)))
    hunk = Hunk(start + 1, tuple(base[start:stop]), new, "")
    texts = ["".join(f"{line}\n" for line in lines) for lines in (base, now)]
    found = place(texts[0], texts[1], hunk)
    if isinstance(found, Moved):
        after = apply_hunks(texts[1], [found.hunk])  # refuses what does not fit
        assert after.count("\n") == len(now) + len(hunk.new) - len(hunk.old)
    if base == now and new != hunk.old:
        assert found == Moved(hunk)


@given(st.integers(0, 6), st.integers(0, 6))
def test_a_person_s_edit_elsewhere_and_a_change_never_lose_each_other(
    mine: int, theirs: int
) -> None:
    lines = [f"- line {n}" for n in range(7)]
    now = [*lines]
    now[theirs] += " by hand"
    text, edited = "\n".join(lines) + "\n", "\n".join(now) + "\n"
    found = place(text, edited, change(mine + 1, lines[mine], "- mine"))
    if mine == theirs:
        assert isinstance(found, Clash)
    else:
        assert isinstance(found, Moved)
        after = apply_hunks(edited, [found.hunk])
        assert "- mine\n" in after
        assert now[theirs] in after
