"""Names that look alike: asked about, never merged; and how people are put into words."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from daybank import EntitySummary
from daybank_desktop import people_phrases
from daybank_desktop.models.people_model import PeopleModel, PeopleOrder
from daybank_desktop.services.similar_names import are_alike, hint_for

TODAY = date(2026, 11, 27)


def person(
    name: str, mentions: int = 5, last: date | None = TODAY, type_: str | None = "person"
) -> EntitySummary:
    return EntitySummary(name.casefold(), name, type_, mentions, last)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Mara", "Mapa"),
        ("Mara", "mara"),
        ("Tomás", "Tomas"),
        ("Oven 2", "oven-2"),
        ("Peter", "Petre"),
        ("Peter", "Peterr"),
        ("Лена", "Лёна"),
    ],
)
def test_another_case_accent_or_letter_is_alike(one: str, other: str) -> None:
    assert are_alike(one, other)
    assert are_alike(other, one)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Oven 1", "Oven 2"),
        ("Jun", "Jan"),
        ("Mara", "Marathon"),
        ("Noor", "Nina"),
        ("2026-07-03", "2026-07-04"),
        ("!!!", "???"),
        ("", "a"),
    ],
)
def test_other_digits_short_names_and_other_words_are_not(one: str, other: str) -> None:
    assert not are_alike(one, other)


@given(st.text(max_size=12), st.text(max_size=12))
def test_alike_is_the_same_in_both_directions(one: str, other: str) -> None:
    assert are_alike(one, other) == are_alike(other, one)


def test_the_name_written_more_often_is_kept_whoever_is_shown() -> None:
    mara, mapa = person("Mara", 50), person("Mapa", 3)
    everyone = (mara, mapa, person("Jun", 20))
    hint = hint_for(mara, ("Mara",), everyone, frozenset())
    assert hint is not None
    assert (hint.name, hint.other, hint.mentions) == ("Mara", "Mapa", 3)
    assert hint_for(mapa, ("Mapa",), everyone, frozenset()) == hint
    assert hint_for(mara, ("Mara",), everyone, frozenset({hint.pair})) is None
    assert hint_for(everyone[2], ("Jun",), everyone, frozenset()) is None


def test_the_list_is_narrowed_by_any_part_of_a_name_and_what_begins_so_is_first() -> None:
    model = PeopleModel(TODAY)
    model.set_people([person("Anne-Marie"), person("Márton"), person("Jun")])
    model.set_text("mar")
    assert [row.name for row in model.rows] == ["Márton", "Anne-Marie"]
    model.set_also({"jun"})
    assert "Jun" in [row.name for row in model.rows]
    model.set_text("")
    assert len(model.rows) == 3
    model.set_people([])
    assert not model.rows


def test_the_list_has_three_orders_and_sorts() -> None:
    old = date(2025, 1, 1)
    model = PeopleModel(TODAY)
    model.set_people([person("B", 1, TODAY), person("C", 9, old), person("A", 5, None, "place")])
    assert [row.name for row in model.rows] == ["B", "C", "A"]
    model.set_order(PeopleOrder.MOST)
    assert [row.name for row in model.rows] == ["C", "A", "B"]
    model.set_order(PeopleOrder.NAME)
    assert [row.name for row in model.rows] == ["A", "B", "C"]
    assert model.types() == ["person", "place"]
    model.set_type("place")
    assert [row.name for row in model.rows] == ["A"]


@pytest.mark.parametrize(
    ("day", "words"),
    [
        (date(2026, 11, 27), "today"),
        (date(2026, 11, 26), "yesterday"),
        (date(2026, 11, 21), "6 days ago"),
        (date(2026, 11, 13), "2 weeks ago"),
        (date(2026, 3, 1), "Mar 2026"),
        (date(2026, 12, 4), "4 Dec 2026"),
    ],
)
def test_how_long_ago(qapp: object, day: date, words: str) -> None:
    assert people_phrases.ago(day, TODAY) == words


def test_a_sort_of_ones_own_is_said_as_it_is_written(qapp: object) -> None:
    assert people_phrases.type_word("Band") == "Band"
    assert people_phrases.type_word("Person") == "Person"
    assert people_phrases.type_icon("band") == ""
    assert people_phrases.initial("«лена»") == "Л"
    assert people_phrases.initial("?!") == ""
