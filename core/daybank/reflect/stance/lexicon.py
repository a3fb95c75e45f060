"""The word lists, compiled for looking words up. Made once for each language, then only read."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Generic, TypeVar

from daybank.dates.vocabulary import LANGUAGES as TIME_LANGUAGES
from daybank.dates.vocabulary import Vocabulary as TimeVocabulary
from daybank.index.analysis import fold, stem, tokenize
from daybank.reflect.stance.roots import roots_of
from daybank.reflect.stance.vocabulary import LANGUAGES, Cue, Vocabulary

_CODES = ("en", "es", "ru", "fil")  # the order of TIME_LANGUAGES
T = TypeVar("T")

_KEPT = 16384  # words whose phrases are remembered
_PREFIX_KEY = 3  # letters under which a word with "*" is filed


@dataclass(frozen=True, slots=True)
class Meaning:
    """What a word or phrase stands for: a concept, or one side (+1 or -1) of a scale."""

    key: str
    side: int = 0


class Phrases(Generic[T]):
    """Phrases of folded words, each with a value; the longest at a place wins.

    A word that ends in ``*`` stands for every word that begins so.
    """

    def __init__(self, entries: Iterable[tuple[str, T]]) -> None:
        self._candidates = lru_cache(maxsize=_KEPT)(self._find_candidates)
        self._exact: dict[str, list[tuple[tuple[str, ...], T]]] = {}
        self._prefix: dict[str, list[tuple[tuple[str, ...], T]]] = {}
        for phrase, value in entries:
            words = tuple(phrase.split())
            first = words[0]
            if first.endswith("*"):
                self._prefix.setdefault(first[:_PREFIX_KEY].rstrip("*"), []).append((words, value))
            else:
                self._exact.setdefault(first, []).append((words, value))

    def longest(self, terms: list[str], start: int) -> tuple[int, list[T]]:
        """How many words the longest phrase at ``start`` has, and all values of that length."""
        best = 0
        values: list[T] = []
        for words, value in self._candidates(terms[start]):
            size = len(words)
            if size >= best and _fits(words, terms, start):
                if size > best:
                    best, values = size, []
                values.append(value)
        return best, values

    def has_word(self, term: str) -> bool:
        """Whether ``term`` alone is one of the phrases."""
        return any(len(words) == 1 for words, _ in self._candidates(term))

    def _find_candidates(self, term: str) -> list[tuple[tuple[str, ...], T]]:
        """The phrases whose first word fits ``term``; words come again and again, so it is kept."""
        found = list(self._exact.get(term, ()))
        for length in range(1, min(_PREFIX_KEY, len(term)) + 1):
            for words, value in self._prefix.get(term[:length], ()):
                if term.startswith(words[0][:-1]):
                    found.append((words, value))
        return found


def _fits(words: tuple[str, ...], terms: list[str], start: int) -> bool:
    if start + len(words) > len(terms):
        return False
    for offset, word in enumerate(words):
        term = terms[start + offset]
        if word != term and not (word[-1] == "*" and term.startswith(word[:-1])):
            return False
    return True


@dataclass(frozen=True, slots=True)
class Lexicon:
    """One language, ready to read with."""

    vocabulary: Vocabulary
    small: frozenset[str]
    light: frozenset[str]
    cues: Phrases[Cue]
    meanings: Phrases[Meaning]
    by_stem: Mapping[str, Meaning]
    numbers: Mapping[str, int]
    calendar: Mapping[str, str]
    lengths: Mapping[str, int]
    articles: frozenset[str]
    places_after: frozenset[str]
    clock_after: frozenset[str]
    kin: frozenset[str]
    owners: frozenset[str]
    before: frozenset[str]
    after: frozenset[str]
    name_markers: frozenset[str]
    pronouns: frozenset[str]
    known: frozenset[str]
    """Single words by which this language is told from the others."""

    def knows(self, term: str) -> bool:
        """Whether a word is one of this language's, as far as these lists go."""
        return term in self.known or self.meanings.has_word(term)


@lru_cache(maxsize=8)
def lexicon(code: str) -> Lexicon:
    """The lexicon of a language; raises StopIteration for one without a vocabulary."""
    words = next(each for each in LANGUAGES if each.code == code)
    times = TIME_LANGUAGES[_CODES.index(code)]
    cues = [(p, cue) for cue, text in words.cues.items() for p in _phrases(text)]
    meanings = list(_meanings(words))
    small = _words(words.small)
    light = _words(words.light)
    return Lexicon(
        vocabulary=words,
        small=small,
        light=light,
        cues=Phrases(cues),
        meanings=Phrases(meanings),
        by_stem=_by_stem(meanings, code),
        numbers=_numbers(times, words),
        calendar=_calendar(times, code),
        lengths={_fold(w): size for size, text in words.lengths.items() for w in text.split()},
        articles=_words(words.articles),
        places_after=_words(words.places_after),
        clock_after=_words(words.clock_after),
        kin=_words(words.kin),
        owners=_words(words.owners),
        before=_words(words.before),
        after=_words(words.after),
        name_markers=_words(words.name_markers),
        pronouns=_words(words.pronouns),
        known=small | light | {p for p, _ in (*cues, *meanings) if p.isalpha()},
    )


def _meanings(words: Vocabulary) -> Iterator[tuple[str, Meaning]]:
    for scale, (high, low) in words.opposites.items():
        yield from ((phrase, Meaning(scale, 1)) for phrase in _phrases(high))
        yield from ((phrase, Meaning(scale, -1)) for phrase in _phrases(low))
    for concept, forms in words.concepts.items():
        yield from ((phrase, Meaning(concept)) for phrase in _phrases(forms))


def _by_stem(meanings: list[tuple[str, Meaning]], code: str) -> dict[str, Meaning]:
    """Single words by their stem or root, so that other endings are found too."""
    found: dict[str, Meaning] = {}
    for phrase, meaning in meanings:
        if phrase.isalpha():
            for key in (stem(phrase, code), *(roots_of(phrase) if code == "fil" else ())):
                found.setdefault(key, meaning)
    return found


def _numbers(times: TimeVocabulary, words: Vocabulary) -> dict[str, int]:
    return {
        _fold(form): value
        for value, forms in (*times.numbers.items(), *words.numbers.items())
        for form in forms.split()
        if value > 0 and "_" not in form
    }


def _calendar(times: TimeVocabulary, code: str) -> dict[str, str]:
    """Month, weekday and season words and their stems → ``month.5``. Short forms are left out, for
    they are too often other words."""
    found: dict[str, str] = {}
    for group, names in (
        ("month", times.months),
        ("weekday", times.weekdays),
        ("season", times.seasons),
    ):
        for place, forms in enumerate(names, 1):
            for form in forms.split():
                if len(form) > 3 or form in ("may", "мая", "мае", "май"):
                    key = _fold(form).replace("_", " ")
                    found.setdefault(key, f"{group}.{place}")
                    found.setdefault(stem(key, code), f"{group}.{place}")
    return found


def _words(text: str) -> frozenset[str]:
    return frozenset(_fold(word) for word in text.split())


def _phrases(text: str) -> Iterator[str]:
    for phrase in text.split(","):
        if folded := " ".join(_fold_pattern(word) for word in phrase.split()):
            yield folded


def _fold_pattern(word: str) -> str:
    """A word as the tokenizer would cut it, with its ``*`` kept."""
    terms = " ".join(token.term for token in tokenize(word.rstrip("*")))
    return terms + "*" if word.endswith("*") else terms


def _fold(word: str) -> str:
    return fold(word)
