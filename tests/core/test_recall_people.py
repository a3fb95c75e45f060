"""Questions about people, about what they think, and about what was so at a time."""

from __future__ import annotations

from datetime import date

import pytest
from core_tools import MakeWorkspace, contents, retain

from daybank import Interval, Kind, Workspace
from daybank.recall.intent import Intent, is_question, read_intent

OPINIONS = """# Opinions

- O(c=0.67) @Mara: Prefers tea in the morning ^op-0123abcd
  - start: 2025-03-01 0.70 memory/2025-03-01.md#L3 ^f-7a7d2c1e0b4f
  - contradicts: 2025-05-02 memory/2025-05-02.md#L3 ^f-000000000000
  - updated: 2025-05-02
- O(c=0.20) @Mara: Hates the old oven ^op-11112222
  - superseded by: ^op-33334444
- O(c=0.80) @Mara: Is fond of the old oven ^op-33334444
  - start: 2025-06-01 0.80 memory/2025-06-01.md#L3
"""


@pytest.fixture
def people(make_workspace: MakeWorkspace) -> Workspace:
    return make_workspace(
        {
            "memory/2025-03-01.md": retain("O(c=0.7) @Mara: Prefers tea in the morning"),
            "memory/2025-05-02.md": retain("B @Mara: Had coffee before seven"),
            "memory/2026-01-10.md": retain(
                "W @Mara: Runs the bakery", "W @Jun: Draws the sign for @Mara", "W: Rain all day"
            ),
            "bank/opinions.md": OPINIONS,
            "bank/entities/Mara.md": (
                "---\ntitle: Mara\naliases: [Mara S., Мара]\n---\n# Mara\n\n"
                "<!-- daybank:begin summary -->\n- Runs the bakery.\n"
                "<!-- daybank:end summary -->\n\nSings while sweeping.\n"
            ),
        }
    )


@pytest.mark.parametrize(
    "question",
    [
        "tell me about Mara",
        "Tell me everything about Mara S.",
        "who is Mara?",
        "what do we know about Mara",
        "cuéntame todo sobre Mara",
        "¿Quién es Mara?",
        "расскажи о Маре",
        "кто такая Мара?",
        "sino si Mara",
        "tell me about @Mara",
    ],
)
def test_tell_me_about_somebody_brings_the_page_and_then_what_is_known(
    people: Workspace, question: str
) -> None:
    found = people.recall(question).results
    assert [r.content for r in found[:2]] == ["Runs the bakery.", "Sings while sweeping."]
    assert {"Runs the bakery", "Draws the sign for Mara"} <= {r.content for r in found}
    assert all("Mara" in r.entities or r.source.path.endswith("Mara.md") for r in found)


def test_tell_me_about_somebody_and_something_asks_for_both(people: Workspace) -> None:
    found = people.recall("tell me about Mara and the coffee").results
    assert found[0].content == "Had coffee before seven"


def test_tell_me_about_nobody_known_is_just_words(people: Workspace) -> None:
    assert people.recall("tell me about rain").results[0].content == "Rain all day"


def test_what_somebody_prefers_is_the_opinion_of_the_page_with_both_sides(
    people: Workspace,
) -> None:
    best = people.recall("what does Mara prefer?").results[0]
    assert (best.kind, best.confidence) == (Kind.OPINION, 0.67)
    assert best.source.path == "bank/opinions.md"
    assert [side.stance for side in best.sides] == ["start", "contradicts"]
    assert not best.superseded


def test_a_side_shows_the_words_of_the_note_it_cites(make_workspace: MakeWorkspace) -> None:
    ws = make_workspace({"memory/2025-05-02.md": retain("B @Mara: Had coffee before seven")})
    fact = ws.recall("coffee").results[0]
    (ws.path / "bank").mkdir()
    (ws.path / "bank/opinions.md").write_text(
        "- O(c=0.6) @Mara: Prefers tea\n"
        f"  - contradicts: 2025-05-02 memory/2025-05-02.md#L99 ^{fact.id}\n"
    )
    ws.sync()
    side = ws.recall("what does Mara like").results[0].sides[0]
    assert side.content == "Had coffee before seven"
    assert side.source == str(fact.source)


def test_an_opinion_whose_place_was_taken_says_so(people: Workspace) -> None:
    found = people.recall("what does Mara think of the oven").results
    assert {r.content: r.superseded for r in found if "oven" in r.content} == {
        "Hates the old oven": True,
        "Is fond of the old oven": False,
    }


HOMES = {
    "memory/2024-02-01.md": retain("W @Peter: Works at the bakery"),
    "memory/2024-05-01.md": retain("W @Peter: Works at the bakery, on Sundays too"),
    "memory/2025-07-03.md": retain("W @Peter: Lives in Berlin since July 2025"),
    "memory/2025-07-04.md": retain("W @Peter: Lived in Lisbon until June 2025"),
    "memory/2025-11-20.md": retain("W @Peter: Works at the museum"),
    "memory/2025-11-27.md": retain(
        "W @Peter: In Marrakech (Nov 27–Dec 1, 2025)", "W @Peter: Has two cats"
    ),
    "memory/2025-12-24.md": retain("B @Peter: Burnt the goose"),
    "memory/2026-02-01.md": retain("W @Peter: Lives in Porto since February 2026"),
}


@pytest.mark.parametrize(
    ("question", "held", "not_held"),
    [
        (
            "what was true in Nov 2025",
            {"Berlin", "Marrakech", "museum", "bakery", "cats"},
            {"Lisbon", "Porto", "goose"},
        ),
        ("what was true in December 2025?", {"Berlin", "museum", "goose"}, {"bakery", "Porto"}),
        ("what was the case about Peter in 2024", {"bakery"}, {"museum", "Berlin", "cats"}),
        ("¿Qué era cierto en marzo de 2026?", {"Porto", "museum"}, {"Berlin", "bakery"}),
        ("что было верно в марте 2026", {"Porto", "museum"}, {"Berlin", "bakery"}),
        ("ano ang totoo noong Marso 2026", {"Porto", "museum"}, {"Berlin", "bakery"}),
    ],
)
def test_what_was_true_at_a_time_leaves_out_what_was_not_yet_or_no_longer_so(
    make_workspace: MakeWorkspace, question: str, held: set[str], not_held: set[str]
) -> None:
    found = " / ".join(contents(make_workspace(HOMES).recall(question)))
    assert {word for word in held if word in found} == held
    assert {word for word in not_held if word in found} == set()


def test_what_was_true_of_a_topic_brings_that_topic_only(make_workspace: MakeWorkspace) -> None:
    found = contents(make_workspace(HOMES).recall("what was true about Peter’s cats in 2026"))
    assert found == ["Has two cats"]


def test_until_without_a_day_does_not_reach_back_for_ever(make_workspace: MakeWorkspace) -> None:
    ws = make_workspace(
        {
            "bank/world.md": "W @Peter: Rents the shed until March 2026\n",
            "memory/2025-07-04.md": retain("W @Peter: Lived in Lisbon until June 2025"),
        }
    )
    shed = "Rents the shed until March 2026"
    assert shed not in contents(ws.recall("what was true in 1990"))
    assert shed not in contents(ws.recall("what was true in 2024"))
    assert shed in contents(ws.recall("what was true in December 2025"))
    assert shed not in contents(ws.recall("what was true in May 2026"))


LATER = {
    "memory/2026-03-02.md": retain("B: Fired the kiln twice", "B: Glazed the blue bowls"),
    "memory/2026-05-09.md": retain("B: The kiln cracked when we glazed the tall blue vase"),
}


def test_a_question_with_a_time_brings_other_times_after_it(make_workspace: MakeWorkspace) -> None:
    found = make_workspace(LATER).recall("what did we glaze blue in March 2026?").results
    assert [(r.content, r.why.outside) for r in found] == [
        ("Glazed the blue bowls", False),
        ("The kiln cracked when we glazed the tall blue vase", True),
    ]
    assert [r.why.in_window for r in found] == [True, False]


def test_words_with_a_time_keep_to_that_time(make_workspace: MakeWorkspace) -> None:
    assert contents(make_workspace(LATER).recall("glazed blue March 2026")) == [
        "Glazed the blue bowls"
    ]


def test_a_time_chosen_beside_the_words_is_kept(make_workspace: MakeWorkspace) -> None:
    ws = make_workspace(LATER)
    found = ws.recall("what did we glaze blue?", since="2026-03-01", until="2026-03-31")
    assert contents(found) == ["Glazed the blue bowls"]
    assert found.query.window == Interval(date(2026, 3, 1), date(2026, 3, 31))


def test_a_question_finds_what_does_not_repeat_a_quoted_title(
    make_workspace: MakeWorkspace,
) -> None:
    ws = make_workspace(
        {
            "memory/2026-03-02.md": retain(
                "B @Mara: Finished “Dune” on the train",
                "B @Mara: Learned patience from the desert chapters of the book",
            )
        }
    )
    question = "What did Mara learn from the desert chapters of “Dune” the book?"
    found = contents(ws.recall(question))
    assert found[0] == "Finished “Dune” on the train"
    assert len(found) == 2
    assert len(ws.recall("“Dune” desert chapters").results) == 1


def test_a_word_is_no_stop_word_of_another_language(make_workspace: MakeWorkspace) -> None:
    ws = make_workspace(
        {"memory/2026-03-02.md": retain("W: We are here", "W: The whole area was flooded")}
    )
    assert contents(ws.recall("area")) == ["The whole area was flooded"]


@pytest.mark.parametrize(
    ("text", "intent"),
    [
        ("who's Peter", Intent.ABOUT),
        ("what’s Oven 2?", Intent.ABOUT),
        ("what was true in May", Intent.TRUE_THEN),
        ("whatever", Intent.WORDS),
        ("who", Intent.WORDS),
        ("", Intent.WORDS),
    ],
)
def test_the_beginning_of_a_question_tells_what_is_wanted(text: str, intent: Intent) -> None:
    if text == "who":
        assert not is_question("whole wheat")
        return
    assert read_intent(text)[0] is intent
