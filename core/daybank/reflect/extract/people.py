"""Who and what a sentence names: mentions, names that are known, and, carefully, new ones.

A known name is found in any script; a Cyrillic one also in its cases ("Мары", "Петром"). A new name
is a capitalised word inside a sentence that nothing else explains.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from daybank.dates.vocabulary.english import ENGLISH as ENGLISH_TIME
from daybank.dates.vocabulary.filipino import FILIPINO as FILIPINO_TIME
from daybank.dates.vocabulary.russian import RUSSIAN as RUSSIAN_TIME
from daybank.dates.vocabulary.spanish import SPANISH as SPANISH_TIME
from daybank.index.analysis import STOP_WORDS
from daybank.markdown.names import entity_key
from daybank.reflect.extract.sentences import Sentence, Stretch, Token, fold, tokens_of
from daybank.reflect.extract.values import KnownNamesLike
from daybank.reflect.extract.vocabulary import VOCABULARIES, Vocabulary

_CYRILLIC = re.compile(r"[а-яё]+")
_LONGEST_NAME = 5
_CASE_ENDINGS = frozenset(
    "а у ом ем е ы и я ю ой ою ей ею ь ью ам ами ах ям ями ях ов ев о й ого ому ым им ая ую".split()
) | {""}
_TIME_WORDS = frozenset(
    fold(word)
    for time in (ENGLISH_TIME, SPANISH_TIME, RUSSIAN_TIME, FILIPINO_TIME)
    for entry in (*time.months, *time.weekdays, *time.seasons)
    for word in entry.split()
)
_NOT_PEOPLE = frozenset(("place", "city", "country", "thing", "project", "tool", "object", "event"))


@dataclass(frozen=True, slots=True)
class Found:
    """A name in a sentence: how it is shown, where it stands (tokens, the end left out), whether
    it had a name before, and whether it may be a person. A new name in a language with cases is
    found but is no ``entity``: its first form is not known."""

    name: str
    first: int
    after: int
    known: bool
    entity: bool = True
    person: bool = True


@dataclass(frozen=True, slots=True)
class _Spelling:
    name: str
    words: tuple[str, ...]
    cased: bool
    person: bool


class NameFinder:
    """Finds names in the sentences of one log. ``text`` is the log: a word it also has in small
    letters is no name."""

    def __init__(self, known: KnownNamesLike, text: str) -> None:
        self._exact: dict[str, list[_Spelling]] = {}
        self._stems: dict[str, list[_Spelling]] = {}
        for thing in known.all():
            person = (thing.type or "person") not in _NOT_PEOPLE
            for spelled in (thing.name, *thing.aliases):
                self._learn(thing.name, spelled, person=person)
        tokens = tokens_of(text)
        self._small = {t.word for t in tokens if t.text[0].islower()}
        self._capital_inside = {
            t.word
            for before, t in pairwise(tokens)
            if t.capital and before.text[0].islower() and text[before.end : t.start] == " "
        }
        self._shown = {
            entity_key(spelled): thing.name
            for thing in known.all()
            for spelled in (*thing.aliases, thing.name)
        }

    def _learn(self, name: str, spelled: str, *, person: bool) -> None:
        words = tuple(token.word for token in tokens_of(spelled))
        if not words or len(words) > _LONGEST_NAME or (len(words) == 1 and words[0] in STOP_WORDS):
            return
        cased = spelled[:1].isupper()
        spelling = _Spelling(name, words, cased, person)
        self._exact.setdefault(words[0], []).append(spelling)
        if cased and _CYRILLIC.fullmatch(words[0]):
            for stem in _stems(words[0]):
                self._stems.setdefault(stem, []).append(spelling)

    def exactly(self, text: str) -> str | None:
        """The shown name of somebody known who is spelled exactly so."""
        return self._shown.get(entity_key(text))

    def find(
        self, sentence: Sentence, vocabulary: Vocabulary, dates: Sequence[Stretch]
    ) -> tuple[Found, ...]:
        """The names of a sentence in order, none overlapping. ``dates`` are its time phrases: a
        name inside one is a month."""
        found: list[Found] = []
        at = 0
        tokens = sentence.tokens
        marks = sentence.within(sentence.prose.mentions)
        while at < len(tokens):
            one = (
                self._mention(tokens, at, marks)
                or self._known(tokens, at, dates)
                or self._new(sentence, at, vocabulary, dates)
            )
            if one is not None:
                found.append(one)
                at = one.after
            else:
                at += 1
        return tuple(found)

    def _mention(self, tokens: Sequence[Token], at: int, marks: Iterable[Stretch]) -> Found | None:
        for mark in marks:
            if mark.name and mark.touches(tokens[at].start, tokens[at].end):
                after = at
                while after < len(tokens) and mark.touches(tokens[after].start, tokens[after].end):
                    after += 1
                shown = self._shown.get(entity_key(mark.name), mark.name)
                return Found(shown, at, after, known=True)
        return None

    def _known(self, tokens: Sequence[Token], at: int, dates: Sequence[Stretch]) -> Found | None:
        word = _bare(tokens[at].word)
        candidates = list(self._exact.get(word, ()))
        if _CYRILLIC.fullmatch(word):
            for length in range(max(2, len(word) - 3), len(word) + 1):
                candidates += self._stems.get(word[:length], ())
        for spelling in sorted(candidates, key=lambda s: (-len(s.words), s.words[0] != word)):
            after = at + len(spelling.words)
            if after > len(tokens):
                continue
            taken = tokens[at:after]
            if spelling.cased and not taken[0].capital:
                continue
            if any(d.touches(taken[0].start, taken[-1].end) for d in dates):
                continue
            if all(_same(s, _bare(t.word)) for s, t in zip(spelling.words, taken, strict=True)):
                return Found(spelling.name, at, after, known=True, person=spelling.person)
        return None

    def _new(
        self, sentence: Sentence, at: int, vocabulary: Vocabulary, dates: Sequence[Stretch]
    ) -> Found | None:
        tokens = sentence.tokens
        if not self._begins_name(tokens, at, vocabulary, dates):
            return None
        if at == 0 and _bare(tokens[0].word) not in self._capital_inside:
            return None
        quotes = sentence.within(sentence.prose.quotes)
        if any(quote.touches(tokens[at].start, tokens[at].end) for quote in quotes):
            return None
        before = sentence.text[tokens[at - 1].end : tokens[at].start] if at else ""
        if before.strip(" \u00a0") or _mostly_capital(tokens):
            return None
        after = at + 1
        while (
            after < len(tokens)
            and sentence.text[tokens[after - 1].end : tokens[after].start] == " "
            and self._may_be_new(tokens[after], vocabulary, dates)
            and not tokens[after - 1].word.endswith("'s")
        ):
            after += 1
        name = sentence.text[tokens[at].start : tokens[after - 1].end]
        name = re.sub(r"['’]s$", "", name)
        person = at == 0 or not vocabulary.place_words.has(tokens[at - 1].word)
        return Found(name, at, after, known=False, entity=vocabulary.code != "ru", person=person)

    def _begins_name(
        self, tokens: Sequence[Token], at: int, vocabulary: Vocabulary, dates: Sequence[Stretch]
    ) -> bool:
        """Also for a common word that belongs to a longer name: "New York"."""
        if self._may_be_new(tokens[at], vocabulary, dates):
            return True
        common = tokens[at].capital and tokens[at].text.isalpha() and len(tokens[at].text) > 2
        following = tokens[at + 1 : at + 2]
        return (
            common
            and tokens[at].word not in _TIME_WORDS
            and bool(following)
            and following[0].start == tokens[at].end + 1
            and self._may_be_new(following[0], vocabulary, dates)
        )

    def _may_be_new(self, token: Token, vocabulary: Vocabulary, dates: Sequence[Stretch]) -> bool:
        word = _bare(token.word)
        shown = re.sub(r"['’]s$", "", token.text)
        if not token.capital or len(shown) < 3 or not shown.isalpha() or not shown[1:].islower():
            return False
        if (
            word in _TIME_WORDS
            or word.removesuffix("s") in _TIME_WORDS
            or word in self._small
            or word in STOP_WORDS
        ):
            return False
        if vocabulary.not_names.has(word) or vocabulary.function.has(word):
            return False
        return not any(d.touches(token.start, token.end) for d in dates)


def _bare(word: str) -> str:
    """Without the English genitive."""
    return word[:-2] if word.endswith("'s") else word


def _stems(word: str) -> set[str]:
    """What stays of a Cyrillic name in all its cases."""
    stem = word[:-1] if len(word) > 2 and word[-1] in "аяйьоеиыую" else word
    found = {stem}
    if len(word) > 3 and word[-2] in "ео" and word[-1] in "лцкнр":
        found.add(word[:-2] + word[-1])  # Павел, Павла
    return {stem for stem in found if len(stem) >= 2}


def _same(spelled: str, word: str) -> bool:
    if spelled == word:
        return True
    if not _CYRILLIC.fullmatch(spelled) or not _CYRILLIC.fullmatch(word):
        return False
    return any(
        word.startswith(stem) and word[len(stem) :] in _CASE_ENDINGS for stem in _stems(spelled)
    )


def _mostly_capital(tokens: Sequence[Token]) -> bool:
    """A title or shouting: capitals say nothing there."""
    letters = [t for t in tokens if t.text[0].isalpha()]
    return len(letters) > 3 and sum(t.capital for t in letters) * 2 > len(letters)


def language_of(text: str, usual: Vocabulary | None = None) -> Vocabulary | None:
    """The language whose small words the text has most of; ``usual`` where none stands out, and
    None where the text is in none of those that can be weighed."""
    words = [token.word for token in tokens_of(text)]
    if not words:
        return usual
    cyrillic = sum("а" <= word[0] <= "я" for word in words) * 2 > len(words)
    counts = [
        (sum(vocabulary.function.has(word) for word in words), vocabulary)
        for vocabulary in VOCABULARIES
        if (vocabulary.code == "ru") == cyrillic
    ]
    best = max(count for count, _ in counts)
    leading = [vocabulary for count, vocabulary in counts if count == best]
    if cyrillic and (best or len(words) < 12):
        return leading[0]
    if not best and usual is None:
        return _by_what_it_says(words, leading)
    if not best or (usual is not None and usual in leading):
        return usual
    return leading[0] if len(leading) == 1 or usual is None else usual


def _by_what_it_says(words: Sequence[str], among: Sequence[Vocabulary]) -> Vocabulary | None:
    """For a text without small words: the language that knows most of its words."""
    counts = [
        sum(
            sum(1 for _ in listed.places(words))
            for listed in (
                v.preferences,
                v.states,
                v.events,
                v.lesser,
                v.decisions,
                v.promises,
                v.units,
                v.routine,
                v.people,
            )
        )
        for v in among
    ]
    best = max(counts)
    return among[counts.index(best)] if best else None
