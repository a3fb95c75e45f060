"""What a sentence is worth keeping for, what kind of fact it is, and why, in words.

A sentence must claim something (a decision, a preference, a state, an event, a plan) and be about
something (a name, a date, an amount, oneself); what is said every day takes from it. The weights
are measured with ``tests/bench/retain_quality.py``.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from daybank.markdown.model import Kind
from daybank.reflect.extract.people import Found
from daybank.reflect.extract.sentences import Sentence, Stretch
from daybank.reflect.extract.subjects import Standing
from daybank.reflect.extract.vocabulary import Vocabulary

WORTH_KEEPING = 3.0

_CLAIMS = {
    "a decision": 3.0,
    "a promise": 2.5,
    "a preference": 2.5,
    "a fact": 2.0,
    "how things are": 2.0,
    "an event": 2.0,
    "a plan": 2.0,
    "a habit": 1.5,
    "something done": 1.0,
    "something small": 0.0,
}
_ANOTHER_CLAIM = 0.5
_SLIGHT = frozenset(("something done", "something small"))
_EXACT_DATE, _DATE, _CLOCK, _REGULARLY = 1.5, 1.0, 0.5, 1.0
_AMOUNT, _NUMBER = 1.5, 0.5
_KNOWN_NAME, _NEW_NAME, _ANOTHER_NAME = 1.5, 1.0, 0.5
_OURSELVES, _UNSPOKEN, _SOMEBODY = 1.0, 1.0, 1.0
_MOST_FOR_WHO = 1.75
"""Names and the writer together: who takes part makes no fact without what was done."""
_ADDRESSED, _WEATHER, _HEDGED, _CHATTER, _ROUTINE, _FEELING, _LOOSE, _LOUD = (
    2.5,
    2.0,
    1.5,
    1.5,
    1.5,
    1.0,
    1.0,
    0.5,
)

_CLOCK_TIME = re.compile(r"\b\d{1,2}:\d\d\b|\b\d{1,2} ?[ap]\.?m\b")
_MONEY = re.compile(r"[€$£₽₱¥]\s?\d|\d\s?(?:[€$£₽₱¥%]|k\b)")
_CONSONANT = "bcdfghjklmnpqrstvwyz"
_GOES_ON = re.compile(
    rf"(?:nag|nang|na|nai|ini|ipina)-?([{_CONSONANT}])[rl]?([aeiou])\1[rl]?\2"
    rf"|([{_CONSONANT}])(?:um|in)([aeiou])\3\4|nag-([aeiou])\5"
)
_TO_COME = re.compile(
    rf"(?:mag|mang|ma|mai|i|ipa|ipag|pag)?-?([{_CONSONANT}])[rl]?([aeiou])\1[rl]?\2[a-z]{{2}}"
    r"|(?:mag-)?([aeiou])\3[a-z]{2}"
)
_NUMBER_WORD = re.compile(r"\d")


@dataclass(frozen=True, slots=True)
class Weighed:
    """A sentence's worth, its kind, and what it names, most telling first."""

    score: float
    kind: Kind
    reason: str


def weigh(
    sentence: Sentence,
    vocabulary: Vocabulary,
    found: Sequence[Found],
    dates: Sequence[Stretch],
    telling: Sequence[Stretch],
    standing: Standing,
) -> Weighed | str:
    """The worth of a sentence, or why it has none. Of its ``dates`` those are ``telling`` that are
    not the day of the log itself."""
    claims = _claims(sentence, vocabulary, found, dates, standing)
    if not claims or not _has_content(sentence, vocabulary, standing):
        return "says nothing that lasts"
    about = _about(sentence, vocabulary, found, telling, standing)
    best = max(_CLAIMS[claim] for claim in claims)
    who = sum(about.get(part, 0.0) for part in ("a name", "a person", "the writer"))
    score = best + _ANOTHER_CLAIM * min(2, max(0, len(claims - _SLIGHT) - 1))
    score += sum(about.values()) - max(0.0, who - _MOST_FOR_WHO)
    score -= _against(sentence, vocabulary, standing, claims)
    if score < WORTH_KEEPING:
        return "says too little that lasts"
    ours = standing.ours or _speaks_of_us(sentence, vocabulary, standing)
    named = [claim for claim in _CLAIMS if claim in claims][:1] + list(about)[:2]
    acting = standing.ours or any(vocabulary.ourselves.has(word) for word in sentence.words)
    kind = _kind(claims, ours=ours, acting=acting)
    return Weighed(round(score, 2), kind, "names " + _listed(named))


def _claims(
    sentence: Sentence,
    vocabulary: Vocabulary,
    found: Sequence[Found],
    dates: Sequence[Stretch],
    standing: Standing,
) -> set[str]:
    words = sentence.words
    taken = {at for one in found for at in range(one.first, one.after)}
    taken |= set(standing.cut) | set(range(standing.begin)) | _idle(vocabulary, words)
    kinds = {
        "a decision": vocabulary.decisions,
        "a promise": vocabulary.promises,
        "a preference": vocabulary.preferences,
        "a fact": vocabulary.states,
        "a matter": vocabulary.matters,
        "an event": vocabulary.events,
        "a plan": vocabulary.plans,
        "something done": vocabulary.lesser,
        "something small": vocabulary.small,
    }
    claims = {
        claim
        for claim, listed in kinds.items()
        if any(at not in taken for at in listed.places(words))
    }
    if "a matter" in claims:
        claims = claims - {"a matter"} | {"a fact"}
    if "a plan" in claims and not dates:
        claims.discard("a plan")
    if not claims - _SLIGHT and (
        _is_and_when(sentence, vocabulary, found, dates) or _is_or_has(sentence, vocabulary, found)
    ):
        claims.add("how things are")
    if not claims - _SLIGHT and _is_habit(sentence, vocabulary, found, standing):
        claims.add("a habit")
    if "a plan" not in claims and dates and _is_to_come(sentence, vocabulary):
        claims.add("a plan")
    if not claims and (
        any(
            _tells_what_was_done(token.text, token.word, vocabulary)
            for at, token in enumerate(sentence.tokens)
            if at not in taken
        )
        or _is_statement(sentence, vocabulary, found, dates, standing)
    ):
        claims.add("something done")
    return claims


def _has_content(sentence: Sentence, vocabulary: Vocabulary, standing: Standing) -> bool:
    """Whether more is said than "I think I will"."""
    empty = (vocabulary.function, vocabulary.first, vocabulary.second, vocabulary.leaning)
    claimed = (vocabulary.preferences, vocabulary.being, vocabulary.plans, vocabulary.decisions)
    words = sentence.words
    idle = {
        place
        for listed in (*empty, *claimed)
        for at in range(standing.begin, len(words))
        for place in range(at, at + listed.length_at(words, at))
    }
    return len(words) - standing.begin > len(idle)


def _idle(vocabulary: Vocabulary, words: Sequence[str]) -> set[int]:
    """The places of words that stand in an idiom and claim nothing there."""
    return {
        place
        for at in range(len(words))
        for place in range(at, at + vocabulary.idioms.length_at(words, at))
    }


def _is_and_when(
    sentence: Sentence,
    vocabulary: Vocabulary,
    found: Sequence[Found],
    dates: Sequence[Stretch],
) -> bool:
    """ "The appointment is on 7 April", "visiting hours are from 14:00 to 18:00"."""
    if not vocabulary.being.occurs_in(sentence.words) and vocabulary.code != "ru":
        return False
    exact = any(_NUMBER_WORD.search(sentence.text[d.start : d.end]) for d in dates)
    somebody = bool(found) or any(
        vocabulary.people.has(word) or vocabulary.first.has(word) for word in sentence.words
    )
    if somebody and _NUMBER_WORD.search(sentence.text):
        return True
    unspoken = vocabulary.code == "ru"  # it has no word for "is", so less can be told from one
    return (
        exact
        or (bool(dates) and somebody and not unspoken)
        or len(_CLOCK_TIME.findall(sentence.text)) > 1
        or bool(_money(sentence, vocabulary))
    )


def _is_or_has(sentence: Sentence, vocabulary: Vocabulary, found: Sequence[Found]) -> bool:
    """ "Peter is the new head of sales", "my brother has two dogs"."""
    words = sentence.words
    somebody = [(one.first, one.after) for one in found if one.known or one.person]
    somebody += [(at, at + 1) for at, word in enumerate(words) if vocabulary.people.has(word)]
    for first, after in somebody:
        if after < len(words) and (
            vocabulary.is_somebody.length_at(words, after)
            or vocabulary.has_something.length_at(words, after)
        ):
            return True
        if vocabulary.code == "ru" and first and words[first - 1] == "у":
            return True
        if vocabulary.verb_first and vocabulary.has_something.has(words[0]):
            return True
    return False


def _is_habit(
    sentence: Sentence, vocabulary: Vocabulary, found: Sequence[Found], standing: Standing
) -> bool:
    """ "Omar plays the cello", "Mara can't eat nuts": what somebody named does, or never does."""
    words = sentence.words
    if len(words) - standing.begin < 4:
        return False
    if vocabulary.verb_first:
        named = any(one.first <= standing.begin + 4 for one in found)
        if vocabulary.small.has(words[standing.begin]):
            return False
        goes_on = _GOES_ON.match(words[standing.begin]) is not None
        return named and (goes_on or vocabulary.habits.has(words[standing.begin]))
    start = next((one.after for one in found if one.first == standing.begin), None)
    if start is None:
        if not standing.names:
            return False
        start = standing.begin + (1 if standing.begin in standing.cut else 0)
    if start >= len(words) or vocabulary.small.has(words[start]):
        return False
    if vocabulary.habits.length_at(words, start):
        return True
    text = sentence.tokens[start].text
    return (
        text[0].islower()
        and len(text) > 3
        and text.casefold().endswith(vocabulary.present)
        and not vocabulary.function.has(words[start])
        and not vocabulary.hedges.has(words[start])
    )


def _is_to_come(sentence: Sentence, vocabulary: Vocabulary) -> bool:
    """A Filipino verb that doubles its first syllable and has no mark of what is past."""
    return vocabulary.verb_first and any(
        _TO_COME.match(word) and not vocabulary.function.has(word) for word in sentence.words[:2]
    )


def _is_statement(
    sentence: Sentence,
    vocabulary: Vocabulary,
    found: Sequence[Found],
    dates: Sequence[Stretch],
    standing: Standing,
) -> bool:
    """A sentence with a subject and a time or an amount, whatever its verb: it is weighed by what
    it names."""
    words, begin = sentence.words, standing.begin
    amount = _money(sentence, vocabulary)
    if len(words) - begin < 5 or not (dates or amount):
        return False
    if dates and amount:
        return True
    if vocabulary.verb_first:
        follow = words[begin + 1 : begin + 5]
        return any(word in ("ang", "si", "sina") or vocabulary.first.has(word) for word in follow)
    opening = range(begin, begin + 2)
    return (
        bool(standing.names)
        or any(one.first in opening and (one.known or one.person) for one in found)
        or any(vocabulary.people.has(words[at]) for at in opening)
        or vocabulary.markers.has(words[begin])
        or vocabulary.first.has(words[begin])
    )


def _tells_what_was_done(text: str, word: str, vocabulary: Vocabulary) -> bool:
    low = text.casefold()
    if len(low) < 4 or vocabulary.function.has(word) or vocabulary.routine.has(word):
        return False
    if vocabulary.done and low.endswith(vocabulary.done):
        return True
    if not vocabulary.done_begins:
        return False
    return low.startswith(vocabulary.done_begins) or low[1:3] in ("um", "in")


def _about(
    sentence: Sentence,
    vocabulary: Vocabulary,
    found: Sequence[Found],
    dates: Sequence[Stretch],
    standing: Standing,
) -> dict[str, float]:
    """What the sentence is about, with its weight, most telling first."""
    about: dict[str, float] = {}
    known = list(dict.fromkeys([*standing.names, *(one.name for one in found if one.known)]))
    new = [one.name for one in found if not one.known]
    if known or new:
        weight = _KNOWN_NAME if known else _NEW_NAME
        about["a name"] = weight + (_ANOTHER_NAME if len(known) + len(new) > 1 else 0.0)
    if dates:
        exact = any(_NUMBER_WORD.search(sentence.text[d.start : d.end]) for d in dates)
        about["a date"] = _EXACT_DATE if exact else _DATE
    elif vocabulary.regularly.occurs_in(sentence.words):
        about["a regular time"] = _REGULARLY
    if _money(sentence, vocabulary):
        about["an amount"] = _AMOUNT
    clocks = len(_CLOCK_TIME.findall(sentence.text))
    if clocks:
        about["a time of day"] = _CLOCK * min(clocks, 2)
    elif not {"a date", "an amount"} & about.keys() and _NUMBER_WORD.search(sentence.text):
        about["a number"] = _NUMBER
    words = sentence.words[standing.begin :]
    if any(vocabulary.people.has(word) for word in words) and not known:
        about["a person"] = _SOMEBODY
    if _speaks_of_us(sentence, vocabulary, standing):
        about["the writer"] = _OURSELVES
    elif standing.ours:
        about["the writer"] = _UNSPOKEN
    return about


def _speaks_of_us(sentence: Sentence, vocabulary: Vocabulary, standing: Standing) -> bool:
    if any(vocabulary.first.has(word) for word in sentence.words[standing.begin :]):
        return True
    return vocabulary.code == "es" and any(
        len(token.text) > 3
        and token.text.casefold().endswith(vocabulary.done_by_us)
        and any(
            listed.has(token.word)
            for listed in (vocabulary.events, vocabulary.decisions, vocabulary.lesser)
        )
        for token in sentence.tokens[standing.begin :]
    )


def _money(sentence: Sentence, vocabulary: Vocabulary) -> bool:
    """A number of something: money, a length, people, points."""
    if _MONEY.search(sentence.text):
        return True
    tokens = sentence.tokens
    return any(
        vocabulary.units.has(token.word) and tokens[at - 1].text[-1].isdigit()
        for at, token in enumerate(tokens)
        if at
    )


def _against(
    sentence: Sentence, vocabulary: Vocabulary, standing: Standing, claims: set[str]
) -> float:
    decided = not claims.isdisjoint(("a decision", "a promise"))
    firm = decided or "a preference" in claims
    words = sentence.words[standing.begin :]
    against = 0.0
    if any(vocabulary.second.has(word) for word in words):
        against += _ADDRESSED
    if vocabulary.hedges.occurs_in(words):
        against += _HEDGED / 2 if "a preference" in claims else _HEDGED
    if vocabulary.chatter.occurs_in(words):
        against += _CHATTER
    if sentence.text.rstrip().endswith("!"):
        against += _LOUD
    if vocabulary.weather.occurs_in(words) and not (firm or "an event" in claims):
        against += _WEATHER
    if vocabulary.loose.occurs_in(words):
        against += _LOOSE
    if not decided:
        against += _FEELING * min(2, sum(1 for _ in vocabulary.feelings.places(words)))
    if not firm and "an event" not in claims:
        against += _ROUTINE * min(2, sum(1 for _ in vocabulary.routine.places(words)))
    return against


def _kind(claims: set[str], *, ours: bool, acting: bool) -> Kind:
    """``ours``: the writer is in it; ``acting``: the writer is its subject."""
    if "a preference" in claims and not (ours and claims & {"a decision", "an event"}):
        return Kind.OPINION
    if "a decision" in claims or "a promise" in claims:
        return Kind.EXPERIENCE
    if "a fact" in claims and not (ours and "an event" in claims):
        return Kind.WORLD
    if "how things are" in claims and not acting:
        return Kind.WORLD
    if "an event" in claims or ours:
        return Kind.EXPERIENCE
    return Kind.WORLD


def _listed(parts: Sequence[str]) -> str:
    if len(parts) < 2:
        return "".join(parts)
    return ", ".join(parts[:-1]) + " and " + parts[-1]
