"""How telling a fact is, whether it is still so, and whether it says the same as another.

The page phases choose by it what deserves a place. Nothing here knows a page. Pure functions over
facts; the scores order candidates and mean nothing beyond that.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from functools import lru_cache
from itertools import pairwise

from daybank.dates import DatePhrase, Interval, Mood, find_dates
from daybank.index.analysis import STOP_TERMS, terms_of
from daybank.index.store import StoredPassage
from daybank.markdown.model import Kind
from daybank.markdown.names import entity_key, fold_text
from daybank.recall.validity import in_force
from daybank.reflect.extract.people import language_of
from daybank.reflect.extract.sentences import tokens_of
from daybank.reflect.extract.vocabulary import ENGLISH, Vocabulary, Words
from daybank.reflect.phrasing import moves_with

_DECISION, _PREFERENCE, _AHEAD = "a decision", "a preference", "something ahead"
_STATE, _EVENT, _ARRANGED = "how things are", "something that happened", "a standing arrangement"
_AMOUNT, _MATTER, _PLAIN = "a number", "a matter of note", "what is so"

_BASE = {Kind.WORLD: 1.0, Kind.OPINION: 1.5, Kind.EXPERIENCE: 0.5}
_ANOTHER_CLAIM, _DATED, _LASTING, _SOME_NUMBER, _NAMED = 0.5, 0.5, 0.5, 0.25, 0.25
_FRESH_DAYS = 30
_DAYS_A_POINT, _MOST_FOR_AGE = 120, 2.0
"""What is old tells less of now: a point in so many days, at most so many points."""
_SHORT = 4
_MONEY = re.compile(r"[€$£₽₱¥]\s?\d|\d\s?(?:[€$£₽₱¥%]|k\b)")
_DIGIT = re.compile(r"\d")
_NUMBER = re.compile(r"\d+(?:[.,:]\d+)*")
_AGREED = Words("agreed shook_hands acordad* acordamos quedamos договорились napagkasunduan")
_BEGINS = re.compile(
    r"(?:from|starting|beginning|as of|after|since|desde|a partir|с|со|начиная|mula|simula|"
    r"pagkatapos)\b",
    re.IGNORECASE,
)
_BEGUN = timedelta(days=1)
"""How long ago what is written of may have begun to count as going on."""
_NOT = re.compile(
    r"\b(?:not|no|never|without|nunca|jamás|tampoco|sin|не|нет|никогда|без|hindi|wala|walang|"
    r"huwag)\b|n['’]t\b",
    re.IGNORECASE,
)
_SAME_SHARE, _SAME_OF_ALL = 0.75, 0.55
_ONE_VALUE = 0.5
_RENEWED = 3
"""Words that two lasting facts share where one takes the other's place."""


@dataclass(frozen=True, slots=True)
class Telling:
    """What a fact is worth on a page, and what it tells of, such as "a decision"."""

    score: float
    claims: frozenset[str]

    @property
    def what(self) -> str:
        return next((claim for claim, _, _ in _CLAIMS if claim in self.claims), _PLAIN)

    @property
    def is_decision(self) -> bool:
        return _DECISION in self.claims

    @property
    def is_preference(self) -> bool:
        return _PREFERENCE in self.claims

    @property
    def is_arranged(self) -> bool:
        return _ARRANGED in self.claims

    @property
    def is_ahead(self) -> bool:
        return _AHEAD in self.claims


_CLAIMS: tuple[tuple[str, float, tuple[str, ...]], ...] = (
    (_DECISION, 2.0, ("decisions", "promises")),
    (_AHEAD, 1.5, ()),
    (_PREFERENCE, 1.5, ("preferences",)),
    (_ARRANGED, 1.0, ("regularly",)),
    (_STATE, 1.0, ("states",)),
    (_EVENT, 0.75, ("events",)),
    (_AMOUNT, 0.5, ()),
    (_MATTER, 0.25, ("matters",)),
)
_AGAINST: tuple[tuple[str, float], ...] = (
    ("routine", 0.5),
    ("weather", 0.75),
    ("chatter", 0.75),
    ("hedges", 0.5),
    ("feelings", 0.25),
)


@lru_cache(maxsize=8192)
def telling(fact: StoredPassage, today: date) -> Telling:
    """What ``fact`` is worth today."""
    text = fact.content
    vocabulary = language_of(text, ENGLISH) or ENGLISH
    words = [token.word for token in tokens_of(text)]
    claims = {claim for claim, _, lists in _CLAIMS if _says(vocabulary, lists, words)}
    if _stands_in(_AGREED, words):
        claims.add(_DECISION)
    if _is_ahead(fact, today):
        claims.add(_AHEAD)
    counted = (word for before, word in pairwise(words) if before[-1].isdigit())
    if _MONEY.search(text) or any(map(vocabulary.units.has, counted)):
        claims.add(_AMOUNT)
    worths = sorted((worth for claim, worth, _ in _CLAIMS if claim in claims), reverse=True)
    score = _BASE.get(fact.kind, 0.0) + sum(worths[:1]) + _ANOTHER_CLAIM * len(worths[1:3])
    score += _about(fact, today)
    score -= sum(
        cost * min(2, sum(1 for _ in getattr(vocabulary, name).places(words)))
        for name, cost in _AGAINST
    )
    if len(stems_of(text)) < _SHORT:
        score -= 0.75
    return Telling(round(score, 3), frozenset(claims))


def _says(vocabulary: Vocabulary, lists: Sequence[str], words: Sequence[str]) -> bool:
    return any(_stands_in(getattr(vocabulary, name), words) for name in lists)


def _stands_in(listed: Words, words: Sequence[str]) -> bool:
    return next(listed.places(words), None) is not None


def _about(fact: StoredPassage, today: date) -> float:
    phrases = find_dates(fact.content, fact.day, mood=Mood.LOG)
    score = _NAMED if fact.subjects else 0.0
    if any(_DIGIT.search(phrase.phrase) for phrase in phrases):
        score += _DATED
    elif _DIGIT.search(fact.content):
        score += _SOME_NUMBER
    if fact.kind is Kind.WORLD and fact.event is not None and fact.event.end is None:
        score += _LASTING
    if fact.day is not None:
        age = max(0, (today - fact.day).days)
        score += 0.5 * max(0.0, 1 - age / _FRESH_DAYS)
        lasts = _is_ahead(fact, today) or (fact.event is not None and fact.event.end is None)
        score -= min(_MOST_FOR_AGE, age / _DAYS_A_POINT) * (0.5 if lasts else 1.0)
    return score


def _is_ahead(fact: StoredPassage, today: date) -> bool:
    event = fact.event
    if event is None:
        return False
    if event.start is not None:
        return event.start > today
    return event.end is not None and event.end >= today


# -- still so?


def over_since(fact: StoredPassage, today: date) -> date | None:
    """The day on which what a fact tells came to its end: "in Porto until Sunday" the Sunday after,
    "will ring on Wednesday" when Wednesday is past. None while it may hold."""
    return ended(fact.content, fact.day, today)


def ended(text: str, written: date | None, today: date) -> date | None:
    """The same for a text written on a day (None: unknown, then only an "until" counts). What was
    past when it was written is a memory and never over, and what begins on a day goes on."""
    phrases = find_dates(text, written, mood=Mood.LOG)
    ends = []
    for phrase in phrases:
        last = phrase.interval.end
        if last is None or last >= today:
            return None
        if _ends_it(phrase, last, written):
            ends.append(last)
    return max(ends, default=None)


def _ends_it(phrase: DatePhrase, last: date, written: date | None) -> bool:
    first = phrase.interval.start
    if first is None:
        return written is None or last >= written
    if written is None or last <= written or first < written - _BEGUN:
        return False
    if not (_DIGIT.search(phrase.phrase) or moves_with(phrase, written)):
        return False  # "Wednesday to Saturday" is every week
    if first == last:
        return _BEGINS.match(phrase.phrase) is None
    whole_months = first.day == 1 and (last + timedelta(days=1)).day == 1
    return not whole_months


def replaced_by(facts: Iterable[StoredPassage], today: date) -> dict[str, StoredPassage]:
    """Those of ``facts`` (by id) that a later one has overtaken, with the later one: one lives or
    works at one place, a thing has one price."""
    window = Interval.day(today)
    states = [fact for fact in facts if fact.kind is Kind.WORLD and fact.names]
    standing = [item.passage for item in in_force(states, window)]
    kept = {fact.uid for fact in standing}
    out = {}
    for fact in states:
        if fact.uid in kept or not in_force([fact], window):
            continue
        for other in standing:
            both = in_force([fact, other], window)
            if len(both) == 1 and both[0].passage is other and _one_value(fact, other):
                out[fact.uid] = other
                break
    lasting = [fact for fact in standing if fact.event is not None and fact.event.end is None]
    for fact in lasting:
        later = next((other for other in lasting if _renews(other, fact)), None)
        if later is not None:
            out.setdefault(fact.uid, later)
    return out


def _renews(later: StoredPassage, fact: StoredPassage) -> bool:
    """Whether both say since when the same is so, and ``later`` since a later day: "forty rolls
    since October" after "thirty rolls since June"."""
    if entity_key(later.names[0]) != entity_key(fact.names[0]):
        return False
    before = fact.event.start if fact.event is not None else None
    after = later.event.start if later.event is not None else None
    if before is None or after is None or before >= after:
        return False
    one, two = (stems_of(without_dates(f.content, f.day)) for f in (fact, later))
    shared = len(one & two)
    return shared >= _RENEWED and shared >= 0.6 * min(len(one), len(two))


def _one_value(fact: StoredPassage, other: StoredPassage) -> bool:
    """Whether two facts of one relation cannot both be so. What has numbers or weekdays in it
    (prices, opening hours) may speak of several things, unless the rest is alike."""
    if not (_counts(fact) or _counts(other)):
        return True
    one = {stem for stem in stems_of(fact.content) if not _DIGIT.search(stem)}
    two = {stem for stem in stems_of(other.content) if not _DIGIT.search(stem)}
    return len(one & two) >= _ONE_VALUE * len(one | two)


def _counts(fact: StoredPassage) -> bool:
    text = without_dates(fact.content, fact.day)
    vocabulary = language_of(text, ENGLISH) or ENGLISH
    words = [token.word for token in tokens_of(text)]
    return bool(_DIGIT.search(text)) or _stands_in(vocabulary.regularly, words)


def without_dates(text: str, day: date | None) -> str:
    """``text`` with its time phrases cut out."""
    for phrase in reversed(find_dates(text, day, mood=Mood.LOG)):
        text = f"{text[: phrase.start]} {text[phrase.end :]}"
    return text


# -- the same?


@lru_cache(maxsize=32768)
def stems_of(text: str) -> frozenset[str]:
    """The stems of the words in ``text`` that say something."""
    terms = terms_of(text)
    pairs = zip(terms.words.split(), terms.stems.split(), strict=True)
    return frozenset(stem for word, stem in pairs if word not in STOP_TERMS)


@lru_cache(maxsize=32768)
def _numbers(text: str) -> frozenset[str]:
    return frozenset(_NUMBER.findall(text))


def says_the_same(one: str, other: str) -> bool:
    """Whether two texts say nearly the same. Other numbers, or a "not" in one of them, make
    another statement."""
    mine, theirs = stems_of(one), stems_of(other)
    shared = len(mine & theirs)
    least = min(len(mine), len(theirs))
    if not least:
        return fold_text(one) == fold_text(other)
    if mine == theirs:
        return _numbers(one) == _numbers(other) and _denies(one) == _denies(other)
    if shared < 2 or shared < _SAME_SHARE * least or shared < _SAME_OF_ALL * len(mine | theirs):
        return False
    if not (_numbers(one) <= _numbers(other) or _numbers(other) <= _numbers(one)):
        return False
    return _denies(one) == _denies(other)


@lru_cache(maxsize=32768)
def _denies(text: str) -> bool:
    return _NOT.search(text) is not None


def contains(whole: str, part: str) -> bool:
    """Whether ``whole`` says what ``part`` says, and more."""
    stems, numbers = stems_of(part), _numbers(part)
    shared = len(stems & stems_of(whole))
    if not stems or shared < 0.8 * len(stems) or not numbers <= _numbers(whole):
        return False
    return _denies(whole) == _denies(part)


def tells_of_the_same_time(newer: StoredPassage, text: str, event: Interval | None) -> bool:
    """Whether ``newer`` looks back on what ``text`` told about the time ``event``."""
    if newer.event is None or event is None or not newer.event.overlaps(event):
        return False
    if newer.event.end is None or newer.event.start is None:
        return False
    named = " ".join((*newer.names[: newer.subjects], newer.content))
    shared = stems_of(without_dates(text, None)) & stems_of(without_dates(named, None))
    return len(shared) >= 2
