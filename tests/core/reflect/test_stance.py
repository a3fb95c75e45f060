"""What a fact does to an opinion: each rule in small sentences, and how well the set is judged.

The set is ``tests/data/stance``; what the judge may be tuned on is marked ``tune``, and the targets
hold for the rest. Similarities are stored there, so no model is needed.
"""

from __future__ import annotations

import importlib.util
import re
import sys
import time
from functools import cache
from pathlib import Path
from types import ModuleType

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from daybank.markdown.model import Kind
from daybank.reflect.judgement import Judgement, Stance
from daybank.reflect.stance import StanceJudge, Statement

SCRIPT = Path(__file__).resolve().parents[2] / "bench" / "stance_quality.py"
LANGUAGES = ("en", "es", "ru", "fil")

SUPPORTS, WEAKENS = Stance.SUPPORTS, Stance.WEAKENS
CONTRADICTS, UNRELATED = Stance.CONTRADICTS, Stance.UNRELATED


@cache
def load_bench() -> ModuleType:
    spec = importlib.util.spec_from_file_location("stance_quality", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # dataclasses look themselves up
    spec.loader.exec_module(module)
    return module


def judge(
    opinion: str,
    fact: str,
    *,
    about: tuple[str, ...] = ("Peter",),
    names: tuple[str, ...] | None = None,
    kind: Kind = Kind.EXPERIENCE,
    similarity: float | None = None,
) -> Judgement:
    """Judge a fact about the same person, unless ``names`` says otherwise."""
    told = about if names is None else names
    return StanceJudge().judge(Statement(opinion, about), Statement(fact, told, kind), similarity)


def stance(opinion: str, fact: str, **more: object) -> Stance:
    return judge(opinion, fact, **more).stance  # type: ignore[arg-type]


# -- the same


@pytest.mark.parametrize(
    ("opinion", "fact"),
    [
        ("Plays chess on Thursdays", "Played chess again on Thursday."),
        ("Juega al ajedrez los jueves", "El jueves jugó al ajedrez."),
        ("Играет в шахматы по четвергам", "В четверг играл в шахматы."),
        ("Naglalaro ng ahedres tuwing Huwebes", "Naglaro siya ng ahedres noong Huwebes."),
    ],
)
def test_an_instance_supports(opinion: str, fact: str) -> None:
    assert stance(opinion, fact) is SUPPORTS


def test_other_words_for_the_same_support() -> None:
    assert stance("Likes his bike", "Loves his bicycle.") is SUPPORTS


def test_what_is_still_so_supports() -> None:
    assert stance("Wants a dog", "Still wants a dog.") is SUPPORTS


def test_two_denials_of_the_same_agree() -> None:
    assert stance("Does not eat fish", "Ordered the soup without fish.") is SUPPORTS


def test_choosing_the_first_over_the_second_supports_a_preference() -> None:
    opinion = "Prefers the train over the plane"
    assert stance(opinion, "Took the train to Oslo, although the plane was free.") is SUPPORTS


def test_a_time_within_the_limit_supports() -> None:
    answer = judge("Returns books within a week", "Returned the book after two days.")
    assert answer.stance is SUPPORTS
    assert answer.reason == "keeps within the time"


# -- the opposite


@pytest.mark.parametrize(
    ("opinion", "fact"),
    [
        ("Plays chess", "No longer plays chess."),
        ("Juega al ajedrez", "Ya no juega al ajedrez."),
        ("Играет в шахматы", "Больше не играет в шахматы."),
        ("Naglalaro ng ahedres", "Hindi na siya naglalaro ng ahedres."),
    ],
)
def test_what_is_no_longer_so_contradicts(opinion: str, fact: str) -> None:
    answer = judge(opinion, fact)
    assert answer.stance is CONTRADICTS
    assert "no longer" in answer.reason


@pytest.mark.parametrize(
    ("opinion", "fact"),
    [
        ("His car is clean", "His car is dirty."),
        ("Su coche está limpio", "Su coche está sucio."),
        ("Его машина чистая", "Его машина грязная."),
        ("Malinis ang kotse niya", "Marumi ang kotse niya."),
    ],
)
def test_the_other_end_of_a_scale_contradicts(opinion: str, fact: str) -> None:
    answer = judge(opinion, fact)
    assert answer.stance is CONTRADICTS
    assert answer.reason.startswith("says the opposite: ")


def test_a_word_with_a_not_grown_on_contradicts() -> None:
    assert stance("Is musical", "Is unmusical.", kind=Kind.OPINION) is CONTRADICTS


def test_a_preference_turned_round_contradicts() -> None:
    opinion = "Prefers the train over the plane"
    assert stance(opinion, "Prefers the plane over the train.") is CONTRADICTS


def test_a_double_denial_is_none() -> None:
    assert stance("Is afraid of spiders", "Is not afraid of spiders.") is CONTRADICTS
    assert stance("Is always early", "Is never late.", kind=Kind.OPINION) is SUPPORTS


def test_leaving_out_the_not_contradicts() -> None:
    assert stance("Does not eat fish", "Ate fish at the harbour.") is CONTRADICTS


def test_a_change_of_mind_contradicts() -> None:
    assert stance("Wants to sell the boat", "Changed his mind about the boat.") is CONTRADICTS


def test_another_place_contradicts() -> None:
    answer = judge("Lives in Oslo", "Lives in Bergen since May.", kind=Kind.WORLD)
    assert answer == Judgement(CONTRADICTS, 1.0, "another place: Bergen against Oslo")


def test_a_place_written_in_another_script_is_no_other_place() -> None:
    answer = judge("Lives in Oslo", "Живёт в Осло.", kind=Kind.WORLD)
    assert answer.stance is not CONTRADICTS


def test_another_number_contradicts() -> None:
    answer = judge("Keeps 5 hens", "Keeps 3 hens.", kind=Kind.WORLD)
    assert answer.stance is CONTRADICTS
    assert answer.reason == "another number: 3 against 5"


def test_an_hour_past_the_limit_contradicts() -> None:
    opinion = "Goes to bed before ten"
    assert stance(opinion, "Goes to bed at eleven.", kind=Kind.WORLD) is CONTRADICTS
    assert stance(opinion, "Goes to bed at nine.", kind=Kind.WORLD) is not CONTRADICTS


def test_much_longer_than_the_limit_contradicts() -> None:
    assert stance("Returns books within a week", "Returned the book after 3 months.") is CONTRADICTS


# -- softened


@pytest.mark.parametrize(
    "fact",
    [
        "Did not play chess on Thursday, just this once.",
        "Did not play chess today.",
        "Almost never plays chess.",
        "Did not play chess on Thursday because of the flood.",
    ],
)
def test_an_exception_weakens(fact: str) -> None:
    assert stance("Plays chess", fact) is WEAKENS


@pytest.mark.parametrize(
    ("opinion", "fact"),
    [
        ("The bridge opens in May", "Maybe the bridge opens in May."),
        ("El puente abre en mayo", "Quizá el puente abre en mayo."),
        ("Мост откроется в мае", "Возможно, мост откроется в мае."),
        ("Magbubukas ang tulay sa Mayo", "Baka magbukas ang tulay sa Mayo."),
    ],
)
def test_a_doubt_weakens(opinion: str, fact: str) -> None:
    assert stance(opinion, fact) is WEAKENS


def test_a_plan_that_came_to_nothing_weakens() -> None:
    fact = "Wanted to paint the boat, but it rained."
    assert stance("Will paint the boat", fact) is WEAKENS


def test_true_with_an_exception_weakens() -> None:
    assert stance("Plays chess on Thursdays", "Plays chess on Thursdays except in July.") is WEAKENS


# -- nothing to do with it


def test_another_person_is_unrelated() -> None:
    same = "Plays chess on Thursdays"
    assert stance(same, same, names=("Mara",)) is UNRELATED


def test_a_fact_about_somebody_tells_nothing_of_everybody() -> None:
    assert stance("Rain is good for rye", "Rain is good for rye.", about=(), names=("Mara",)) is (
        UNRELATED
    )
    assert stance("Rain is good for rye", "Rain is good for rye.", about=()) is SUPPORTS


@pytest.mark.parametrize(
    "fact",
    [
        "His sister plays chess on Thursdays.",
        "Mara plays chess on Thursdays.",
        "Mara says Peter plays chess on Thursdays.",
        "Mara asked whether Peter plays chess on Thursdays.",
        "Does Peter play chess on Thursdays?",
        "If Peter plays chess on Thursday, the hall stays open.",
        "“I play chess on Thursdays,” said the man at the door.",
    ],
)
def test_words_of_others_questions_and_fancies_are_unrelated(fact: str) -> None:
    assert stance("Plays chess on Thursdays", fact, names=("Peter", "Mara")) is UNRELATED


@pytest.mark.parametrize(
    ("opinion", "fact"),
    [
        ("Plays chess on Thursdays", "Sold a chess board to the school."),
        ("Is always early", "Bought an early map of the town."),
        ("Likes old films", "Filmed the old bridge."),
        ("Is open on Sundays", "Is open on Fridays."),
        ("Needs silence to read", "Wrote about the noise in the street."),
    ],
)
def test_the_same_words_about_something_else_are_unrelated(opinion: str, fact: str) -> None:
    assert stance(opinion, fact) is UNRELATED


# -- what always holds

texts = st.one_of(
    st.text(max_size=80),
    st.lists(
        st.sampled_from(
            "not never no longer Mara plays chess early late over than 5 21.50 in Oslo если не "
            "больше ya no quizá hindi na kung ? ! , ; « » “ ” — at nine".split()
        ),
        max_size=14,
    ).map(" ".join),
)
names = st.lists(st.sampled_from(["Mara", "Peter", "Лена", "Bus 14", ""]), max_size=2).map(tuple)


@given(texts, texts, names, names, st.sampled_from(Kind), st.none() | st.floats(-1, 1))
@settings(max_examples=300, deadline=None)
def test_any_two_texts_are_judged_the_same_each_time(
    opinion: str,
    fact: str,
    about: tuple[str, ...],
    told: tuple[str, ...],
    kind: Kind,
    similarity: float | None,
) -> None:
    one, other = Statement(opinion, about), Statement(fact, told, kind)
    answer = StanceJudge().judge(one, other, similarity)
    assert 0 < answer.strength <= 1
    assert answer.reason
    assert StanceJudge().judge(one, other, similarity) == answer


@given(texts.filter(lambda text: bool(text.strip(" .!…;\n\t\r")) and text.isprintable()), names)
@settings(deadline=None)
def test_the_same_text_supports(text: str, about: tuple[str, ...]) -> None:
    same = StanceJudge().judge(Statement(text, about), Statement(text, about), None)
    assert same == Judgement(SUPPORTS, 1.0, "says the same")


subjects = st.sampled_from(["bread", "garden", "boat", "letters", "rota", "window", "accordion"])
verbs = st.sampled_from(["sells", "paints", "cleans", "likes", "reads", "repairs", "trusts"])
PATTERNS = {
    "en": ("{verb} the {thing}", "does not {verb} the {thing}"),
    "es": ("pinta el {thing}", "no pinta el {thing}"),
    "ru": ("Красит {thing}", "Не красит {thing}"),
    "fil": ("Pinipinturahan niya ang {thing}", "Hindi niya pinipinturahan ang {thing}"),
}


@given(st.sampled_from(LANGUAGES), verbs, subjects, st.booleans(), st.none() | st.floats(0, 1))
@settings(max_examples=200, deadline=None)
def test_a_statement_with_its_negation_toggled_never_supports(
    language: str, verb: str, thing: str, denied_first: bool, similarity: float | None
) -> None:
    said, denied = (pattern.format(verb=verb, thing=thing) for pattern in PATTERNS[language])
    opinion, fact = (denied, said) if denied_first else (said, denied)
    assert stance(opinion, fact, similarity=similarity, kind=Kind.OPINION) is not SUPPORTS


@pytest.mark.alone
def test_pairs_are_judged_fast_enough_for_a_whole_memory() -> None:
    bench = load_bench()
    pairs = bench.load()
    bench.judge_all(pairs[:200], similarity=False)  # the word lists are compiled once
    started = time.perf_counter()
    bench.judge_all(pairs, similarity=False)
    assert len(pairs) / (time.perf_counter() - started) > 1000  # 3,000 and more on an idle machine


DENIALS = {
    "en": ("It is not true that she {}", "She no longer {}"),
    "es": ("No es verdad que {}", "Ya no {}"),
    "ru": ("Неправда, что {}", "Больше не {}"),
    "fil": ("Hindi totoo na {}", "Hindi na {}"),
}
DENIED_ALREADY = re.compile(
    r"\b(not|never|no|nobody|nunca|не|никогда|никому|hindi)\b", re.IGNORECASE
)


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_opinion_of_the_set_is_supported_by_its_denial(language: str) -> None:
    opinions = {
        pair.opinion
        for pair in load_bench().load()
        if pair.language == language and not DENIED_ALREADY.search(pair.opinion.text)
    }
    assert len(opinions) > 10
    for opinion in opinions:
        for pattern in DENIALS[language]:
            text = pattern.format(opinion.text[0].lower() + opinion.text[1:])
            denial = Statement(text, opinion.names)
            assert StanceJudge().judge(opinion, denial, 0.95).stance is not SUPPORTS, text
            assert StanceJudge().judge(denial, opinion, 0.95).stance is not SUPPORTS, text


def test_a_long_text_is_judged_at_once() -> None:
    long = "Mara says no, but not never, and Peter plays chess over tea. " * 2000
    started = time.perf_counter()
    judge("Plays chess on Thursdays", long, names=("Peter", "Mara"))
    assert time.perf_counter() - started < 2


# -- the labelled set


def test_the_set_is_sound() -> None:
    pairs = load_bench().load()
    for language in LANGUAGES:
        group = [pair for pair in pairs if pair.language == language]
        assert len(group) >= 80
        for part in ("tune", "held"):
            labels = {pair.label for pair in group if pair.part == part}
            assert labels == set(Stance)
    opinions = {part: {p.opinion for p in pairs if p.part == part} for part in ("tune", "held")}
    assert opinions["tune"].isdisjoint(opinions["held"])
    assert all(pair.similarity is not None for pair in pairs)
    assert len({(pair.opinion, pair.fact) for pair in pairs}) == len(pairs)


@pytest.mark.parametrize("similarity", [True, False], ids=["with vectors", "without vectors"])
@pytest.mark.parametrize("language", LANGUAGES)
def test_pairs_never_tuned_on_are_judged_well(language: str, similarity: bool) -> None:
    bench = load_bench()
    held = [pair for pair in bench.load() if pair.part == "held" and pair.language == language]
    for score in bench.scores(bench.judge_all(held, similarity=similarity)):
        if score.label in (SUPPORTS, CONTRADICTS):
            assert score.precision >= 0.90, score
            assert score.recall >= 0.50, score


@pytest.mark.parametrize("similarity", [True, False], ids=["with vectors", "without vectors"])
def test_support_and_contradiction_are_rarely_taken_for_each_other(similarity: bool) -> None:
    bench = load_bench()
    held = [pair for pair in bench.load() if pair.part == "held"]
    assert bench.reversed_share(bench.judge_all(held, similarity=similarity)) < 0.02


def test_evidence_on_the_sample_page_is_judged_as_it_stands_there_or_not_at_all() -> None:
    bench = load_bench()
    sample = [pair for pair in bench.load() if pair.source.startswith("sample.jsonl")]
    for similarity in (True, False):
        for pair, answer in bench.judge_all(sample, similarity=similarity):
            assert answer.stance in (pair.label, UNRELATED), (pair, answer)
