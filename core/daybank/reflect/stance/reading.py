"""One sentence, read for what it says, what it denies, and whose words it is.

Reading knows one text only; comparing two is done in ``matching``. Everything is pure.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from daybank.index.analysis import Token, language_of, stem, tokenize
from daybank.reflect.stance.lexicon import Lexicon, Meaning, lexicon
from daybank.reflect.stance.roots import roots_of, spanish_roots
from daybank.reflect.stance.vocabulary import Cue

LONGEST = 2000
"""Characters of a text that are read; a statement is a sentence or two."""

_QUOTED = re.compile('["“«„]([^"“”«»„]{1,400})["”“»]')
_QUOTE_WORDS = 3  # a shorter quotation is a name or an emphasis
_SENTENCE_END = re.compile(r"[.!?…\n]")
_CLAUSE_END = re.compile(r"[,;:–—()]|\s-\s")
_WITHOUT_REACH = 3  # words after "without" that it speaks of
_DISPOSED_REACH = 2
_LEFT_REACH = 4
_BOUND_REACH = 3
TIMES = frozenset({"day", "month", "weekday", "season"})
"""Groups of concepts that say when."""
_LEAST, _LIGHT, _FULL = 0.1, 0.3, 1.0
_SCALE_WEIGHTS = {
    "keeping": 0.7,
    "liking": _LIGHT,
    "quiet mind": _LIGHT,
    "rank": _LIGHT,
    "often": _LEAST,
    "able": _LIGHT,
    "sure": _LIGHT,
    "order": _LIGHT,
}
_FEELINGS = frozenset({"liking", "quiet mind"})
_ENGLISH_VERB_MONTHS = frozenset({"month.3", "month.5"})

_SCOPE_ENDS = frozenset({Cue.AND, Cue.BUT, Cue.ALTHOUGH, Cue.BECAUSE})
_DENIALS = frozenset({Cue.NOT, Cue.ENDED, Cue.REFUSED})
_TOPICS = frozenset({Cue.LATER, Cue.DISPOSED, Cue.WISH, Cue.SAID, Cue.NEGATIVE})
"""Cues that are also what a text is about."""
_MEANT = _TOPICS | {Cue.PREFER, Cue.THAN, Cue.TODAY, Cue.WANTED}
"""Cues whose words mean what they mean elsewhere too."""
_COMPARISONS = frozenset({Cue.INSTEAD, Cue.THAN, Cue.OVER, Cue.TO})


@dataclass(frozen=True, slots=True)
class Item:
    """One thing that a text says: a word by its stem, a concept, or a side of a scale.

    ``side`` is +1 or -1 on a scale, 0 elsewhere. ``denied_by`` is the word that says it is not so,
    ``compared`` whether that is a comparison it loses. ``quiet`` when it stands in an aside
    ("although …") and takes no side. ``clause`` is the part of the text it stands in, ``at`` its
    place there; ``denied_near`` whether the denial stands right before it ("no meat"), ``wished``
    whether it is only what somebody needs or prefers.
    """

    key: str
    word: str
    side: int
    denied_by: str
    compared: bool
    quiet: bool
    weight: float
    roots: frozenset[str]
    place: bool
    clause: int
    at: int
    denied_near: bool
    wished: bool
    describes: str
    """The word it only describes: "an early slot"; empty otherwise."""

    @property
    def denied(self) -> bool:
        return bool(self.denied_by)

    @property
    def sign(self) -> int:
        """+1 or -1: what the text says of it."""
        return (self.side or 1) * (-1 if self.denied else 1)

    @property
    def group(self) -> str:
        """The group whose members exclude each other; empty for none."""
        return self.key.partition(".")[0] if "." in self.key else ""


@dataclass(frozen=True, slots=True)
class Number:
    """A number with what it counts: a unit's key, ``:clock`` for an hour, empty for none."""

    value: float
    unit: str
    word: str
    bound: int = 0
    """-1 for "before six", +1 for "after six", 0 for six itself."""


@dataclass(frozen=True, slots=True)
class Reading:
    """What a text says by itself. ``cues`` are those of its own words, each with how it is
    written; ``silent`` tells why nothing of it counts."""

    language: str
    items: tuple[Item, ...]
    cues: tuple[tuple[Cue, str], ...]
    numbers: tuple[Number, ...]
    minutes: float | None
    """A length of time that it gives."""
    limit: bool
    """Whether that length is a limit: "within a day"."""
    silent: str

    def has(self, *wanted: Cue) -> str | None:
        """How the first of these cues is written, or None when it has none of them."""
        return next((word for cue, word in self.cues if cue in wanted), None)


@lru_cache(maxsize=8192)
def _tokens_of(text: str) -> tuple[Token, ...]:
    return tuple(tokenize(text))


@lru_cache(maxsize=8192)
def likely_languages(text: str) -> tuple[str, ...]:
    """The languages (``en``, ``es``, ``ru``, ``fil``) in which most words of a text are known, the
    likeliest first; several where they tie, none where no word tells."""
    terms = [token.term for token in _tokens_of(text[:LONGEST])]
    if any("\u0400" <= term[0] <= "\u04ff" for term in terms):
        return ("ru",)
    counts = {
        code: sum(lexicon(code).knows(term) for term in terms) for code in ("en", "es", "fil")
    }
    best = max(counts.values(), default=0)
    leaders = [code for code, count in counts.items() if count == best and best]
    guess = language_of(terms)
    return tuple(sorted(leaders, key=lambda code: code != guess))


@lru_cache(maxsize=8192)
def read(text: str, own: tuple[str, ...], others: tuple[str, ...], language: str) -> Reading:
    """Read ``text`` in ``language``; ``own`` names are those it is told about, ``others`` not."""
    return _Reader(text[:LONGEST], own, others, lexicon(language)).reading()


@dataclass(frozen=True, slots=True)
class _Span:
    start: int
    end: int
    cue: Cue


class _Reader:
    """Reads one text, step by step; each step leaves lists that run parallel to the tokens."""

    def __init__(
        self, text: str, own: tuple[str, ...], others: tuple[str, ...], words: Lexicon
    ) -> None:
        self._text = text
        self._words = words
        self._tokens = _tokens_of(text)
        self._terms = [token.term for token in self._tokens]
        self._sentence: list[int] = []
        self._clause: list[int] = []
        self._asks: set[int] = set()
        self._divide()
        self._own = self._name_places(own)
        self._others = self._name_places(others)
        self._spans = self._find_cues()
        self._dropped: dict[int, str] = {}
        self._drop_what_is_not_told()

    def reading(self) -> Reading:
        """What is told, once everything that is not told is left out."""
        cues = tuple(
            (span.cue, self._shown(span.start, span.end))
            for span in self._spans
            if span.start not in self._dropped and span.cue is not Cue.SKIP
        )
        items = tuple(self._items())
        minutes, limit = self._length()
        return Reading(
            language=self._words.vocabulary.code,
            items=items,
            cues=cues,
            numbers=tuple(self._numbers()),
            minutes=minutes,
            limit=limit,
            silent=next(iter(self._dropped.values()), "") if not items else "",
        )

    # -- sentences, clauses, names, cues

    def _divide(self) -> None:
        sentence = clause = 0
        last: Token | None = None
        for token in self._tokens:
            gap = self._text[last.end : token.start] if last else ""
            if last and not token.joined and _SENTENCE_END.search(gap):
                if "?" in gap:
                    self._asks.add(sentence)
                sentence += 1
                clause += 1
            elif not token.joined and _CLAUSE_END.search(gap):
                clause += 1
            self._sentence.append(sentence)
            self._clause.append(clause)
            last = token
        if "?" in (self._text[last.end :] if last else ""):
            self._asks.add(sentence)

    def _name_places(self, names: tuple[str, ...]) -> set[int]:
        """Tokens that belong to one of the names. A word of a long name counts by itself only as a
        number or with a capital: "14" of "Bus 14", but not "café" of "Café Sol"."""
        alone: set[str] = set()
        parts: set[str] = set()
        for name in names:
            terms = [token.term for token in _tokens_of(name)]
            (alone if len(terms) == 1 else parts).update(terms)
        return {
            place
            for place, term in enumerate(self._terms)
            if self._is_name(term, alone)
            or (
                term in parts
                and term not in self._words.small
                and (self._capital(place) or term.isdecimal())
            )
        }

    def _is_name(self, term: str, wanted: set[str]) -> bool:
        if term in wanted:
            return True
        # Russian names are declined: "Лена", "Лены", "Лену".
        if self._words.vocabulary.code == "ru" and len(term) > 2:
            return any(len(name) > 2 and stem(name, "ru") == stem(term, "ru") for name in wanted)
        return False

    def _find_cues(self) -> list[_Span]:
        spans: list[_Span] = []
        place = 0
        while place < len(self._terms):
            size, cues = self._words.cues.longest(self._terms, place)
            spans.extend(_Span(place, place + size, cue) for cue in cues)
            place += max(size, 1)
        return spans

    # -- what is not told

    def _drop_what_is_not_told(self) -> None:
        self._drop_quotations()
        for place, sentence in enumerate(self._sentence):
            if sentence in self._asks:
                self._drop(place, "is a question")
        for span in self._spans:
            self._drop_for(span)
        self._drop_other_subjects()
        self._drop_kin()

    def _drop_quotations(self) -> None:
        for match in _QUOTED.finditer(self._text):
            inside = [
                place
                for place, token in enumerate(self._tokens)
                if match.start() <= token.start and token.end <= match.end()
            ]
            if len(inside) >= _QUOTE_WORDS:
                for place in inside:
                    self._drop(place, "quotes somebody's words")

    def _drop_for(self, span: _Span) -> None:
        if span.cue is Cue.IF and span.start not in self._dropped:
            self._drop_sentence(span.start, "is only imagined")
        elif span.cue is Cue.ASKED:
            self._drop_sentence(span.start, "is a question")
        elif span.cue is Cue.SAID and self._somebody_else_speaks(span):
            self._drop_sentence(span.start, "tells what somebody else says")

    def _somebody_else_speaks(self, span: _Span) -> bool:
        sentence = self._sentence[span.start]
        here = [place for place, each in enumerate(self._sentence) if each == sentence]
        if any(place in self._others for place in here):
            return True
        first = here[0]
        return (
            span.start == first + 1
            and self._capital(first)
            and first not in self._own
            and self._terms[first] not in self._words.known
            and self._terms[first] not in self._words.pronouns
        )

    def _drop_other_subjects(self) -> None:
        for place in self._others:
            before = place - 1
            starts = before < 0 or self._clause[before] != self._clause[place]
            marked = not starts and self._terms[before] in self._words.name_markers
            if starts or marked:
                self._drop_clause(place, "is about somebody else")

    def _drop_kin(self) -> None:
        for place, term in enumerate(self._terms):
            if self._words.kin and term in self._words.kin and self._kin_acts(place):
                self._drop_clause(place, "is about somebody else")

    def _kin_acts(self, place: int) -> bool:
        terms, owners = self._terms, self._words.owners
        if self._words.vocabulary.owner_follows:
            follows = place + 1 < len(terms) and terms[place + 1] in owners
            return follows and (place == 0 or terms[place - 1] not in self._words.places_after)
        if not place or terms[place - 1] not in owners:
            return False
        return place == 1 or self._clause[place - 2] != self._clause[place - 1]

    def _drop_sentence(self, at: int, why: str) -> None:
        for place, sentence in enumerate(self._sentence):
            if sentence == self._sentence[at]:
                self._drop(place, why)

    def _drop_clause(self, at: int, why: str) -> None:
        for place, clause in enumerate(self._clause):
            if clause == self._clause[at]:
                self._drop(place, why)

    def _drop(self, place: int, why: str) -> None:
        self._dropped.setdefault(place, why)

    # -- what is told

    def _items(self) -> Iterator[Item]:
        scopes = self._scopes()
        place = 0
        consumed = self._consumed()
        while place < len(self._terms):
            size, meanings = self._meanings_at(place)
            if place in self._dropped or place in self._own:
                place += 1
                continue
            if meanings:
                for meaning in meanings:
                    yield self._item(place, size, meaning, scopes)
                place += size
                continue
            if place not in consumed and self._is_content(self._terms[place]):
                yield self._item(place, 1, None, scopes)
            place += 1

    def _consumed(self) -> set[int]:
        return {
            place
            for span in self._spans
            if span.cue not in _TOPICS
            for place in range(span.start, span.end)
        }

    def _meanings_at(self, place: int) -> tuple[int, list[Meaning]]:
        if self._skipped(place):
            return 0, []
        size, meanings = self._words.meanings.longest(self._terms, place)
        if self._inside_a_phrase(place, size):
            return 0, []
        if meanings:
            return size, meanings
        term = self._terms[place]
        if term in self._words.small:
            return 0, []
        calendar = self._calendar(place)
        if calendar:
            return 1, [Meaning(calendar)]
        keys = [stem(term, self._words.vocabulary.code), *self._roots(term)]
        found = next((self._words.by_stem[key] for key in keys if key in self._words.by_stem), None)
        return (1, [found]) if found else (0, [])

    def _inside_a_phrase(self, place: int, size: int) -> bool:
        """Whether a word is only part of a set phrase: "no longer" tells nothing of length."""
        return any(
            s.start <= place < s.end and max(size, 1) < s.end - s.start and s.cue not in _MEANT
            for s in self._spans
        )

    def _skipped(self, place: int) -> bool:
        return any(s.cue is Cue.SKIP and s.start <= place < s.end for s in self._spans)

    def _calendar(self, place: int) -> str | None:
        term = self._terms[place]
        words = self._words.calendar
        found = words.get(term) or words.get(stem(term, self._words.vocabulary.code))
        if found in _ENGLISH_VERB_MONTHS and not self._capital(place):
            return found if self._words.vocabulary.code != "en" else None
        return found

    def _roots(self, term: str) -> frozenset[str]:
        return roots_of(term) if self._words.vocabulary.code == "fil" else frozenset()

    def _kin_of(self, term: str, key: str) -> frozenset[str]:
        return spanish_roots(key) if self._words.vocabulary.code == "es" else self._roots(term)

    def _is_content(self, term: str) -> bool:
        return (
            term not in self._words.small
            and len(term) > 1
            and not term.isdigit()
            and term not in self._words.numbers
        )

    def _item(self, place: int, size: int, meaning: Meaning | None, scopes: list[int]) -> Item:
        term = self._terms[place]
        key = meaning.key if meaning else stem(term, self._words.vocabulary.code)
        denial = self._denial(place, place + size, scopes, meaning.key if meaning else "")
        return Item(
            key=key,
            word=self._shown(place, place + size),
            side=meaning.side if meaning else 0,
            denied_by=self._shown(denial.start, denial.end) if denial else "",
            compared=denial is not None and denial.cue in _COMPARISONS,
            quiet=self._quiet(place, scopes),
            weight=self._weight(term, meaning),
            roots=self._kin_of(term, key) if meaning is None else frozenset(),
            clause=self._clause[place],
            at=place,
            denied_near=denial is not None and 0 <= place - denial.end < 2,
            wished=self._wished(place, scopes),
            place=meaning is None and self._is_place(place),
            describes=self._described(place, size) if meaning and meaning.side else "",
        )

    def _scopes(self) -> list[int]:
        """For each token the number of its scope: a clause, cut again at "and", "but", …"""
        cuts = {span.start for span in self._spans if span.cue in _SCOPE_ENDS}
        scopes: list[int] = []
        scope = 0
        for place, clause in enumerate(self._clause):
            if place in cuts or (place and clause != self._clause[place - 1]):
                scope += 1
            scopes.append(scope)
        return scopes

    def _weight(self, term: str, meaning: Meaning | None) -> float:
        if meaning is not None:
            return _SCALE_WEIGHTS.get(meaning.key, _FULL) if meaning.side else _FULL
        return _LIGHT if term in self._words.light else _FULL

    def _denial(self, start: int, end: int, scopes: list[int], key: str) -> _Span | None:
        """What says that the words from ``start`` are not so; two denials undo each other.

        Within a scope any number of "not" counts once: many languages say it twice.
        """
        here = [span for span in self._spans if scopes[span.start] == scopes[start]]
        nots = [s for s in here if s.cue in _DENIALS and not (s.start <= start < s.end)]
        turns = nots[:1]
        for span in here:
            if self._turns(span, start, end, here, key):
                turns.append(span)
        turns.extend(s for s in self._spans if self._is_untrue(s, start))
        return turns[-1] if len(turns) % 2 else None

    def _is_untrue(self, span: _Span, start: int) -> bool:
        same = self._sentence[span.start] == self._sentence[start]
        return span.cue is Cue.UNTRUE and same and span.end <= start

    def _turns(self, span: _Span, start: int, end: int, here: list[_Span], key: str) -> bool:
        if span.cue is Cue.NEGATIVE and key in _FEELINGS:
            return False
        if span.cue is Cue.NEGATIVE:
            return end <= span.start or start >= span.end
        distance = start - span.end
        if distance < 0:
            return False
        if span.cue is Cue.THAN and self._value(span.end) is not None:
            return False  # "more than 300"
        if span.cue in _COMPARISONS and distance > 1 and key.partition(".")[0] in TIMES:
            return False  # "tea over coffee in the morning": the morning is not compared
        return (
            span.cue in (Cue.INSTEAD, Cue.THAN, Cue.FORMERLY)
            or (span.cue is Cue.WITHOUT and distance < _WITHOUT_REACH)
            or (span.cue is Cue.LEFT and distance <= (1 if self._is_place(start) else _LEFT_REACH))
            or (span.cue in (Cue.OVER, Cue.TO) and self._prefers(span, here))
        )

    @staticmethod
    def _prefers(over: _Span, here: list[_Span]) -> bool:
        """Whether a comparison comes before: "prefers … over", "prefers … to", but not at once,
        as in "prefers to walk"."""
        before = [span for span in here if span.end <= over.start]
        if over.cue is Cue.OVER and any(span.cue is Cue.MORE for span in before):
            return True
        prefers = [span for span in before if span.cue is Cue.PREFER]
        at_once = any(
            span.cue is Cue.TO and each.end == span.start for span in here for each in prefers
        )
        return bool(prefers) and not (over.cue is Cue.TO and at_once)

    def _quiet(self, place: int, scopes: list[int]) -> bool:
        """Said in passing: after "although", in an excuse, or of what was given away."""
        for span in self._spans:
            if span.cue is Cue.DISPOSED and 0 <= place - span.end < _DISPOSED_REACH:
                return True
            if scopes[span.start] != scopes[place]:
                continue
            if span.cue in (Cue.ALTHOUGH, Cue.BECAUSE) and span.start < place:
                return not self._formerly(scopes[place], scopes)
            if span.cue is Cue.HINDERED and scopes[place]:
                return True
        return False

    def _formerly(self, scope: int, scopes: list[int]) -> bool:
        return any(s.cue is Cue.FORMERLY and scopes[s.start] == scope for s in self._spans)

    def _wished(self, place: int, scopes: list[int]) -> bool:
        return any(
            span.cue is Cue.WISH and span.end <= place and scopes[span.start] == scopes[place]
            for span in self._spans
        )

    def _is_place(self, place: int) -> bool:
        return (
            place > 0
            and self._capital(place)
            and self._clause[place - 1] == self._clause[place]
            and self._terms[place - 1] in self._words.places_after
        )

    def _described(self, place: int, size: int) -> str:
        after = place + size
        if (
            not place
            or after >= len(self._terms)
            or self._terms[place - 1] not in self._words.articles
            or self._clause[after] != self._clause[place]
            or not self._is_content(self._terms[after])
        ):
            return ""
        _, meanings = self._meanings_at(after)
        return meanings[0].key if meanings else stem(self._terms[after], "en")

    # -- numbers

    def _numbers(self) -> Iterator[Number]:
        for place in range(len(self._terms)):
            value = self._value(place)
            if value is not None and place not in self._dropped and place not in self._own:
                word = self._shown(place, place + 1)
                yield Number(value, self._unit(place), word, self._bound(place))

    def _value(self, place: int) -> float | None:
        token = self._tokens[place]
        if token.term.isdecimal() and len(token.term) < 12:
            if place and token.joined in (".", ",") and self._terms[place - 1].isdecimal():
                return None  # the part behind the point, read with what stands before it
            after = place + 1
            if after < len(self._tokens) and self._tokens[after].joined == ".":
                fraction = self._terms[after]
                if fraction.isdecimal() and len(fraction) < 12:
                    return float(f"{token.term}.{fraction}")
            return float(token.term)
        value = self._words.numbers.get(token.term)
        return float(value) if value is not None and value > 1 else None

    def _bound(self, place: int) -> int:
        near = self._terms[max(place - _BOUND_REACH, 0) : place]
        if not self._words.before.isdisjoint(near):
            return -1
        return 0 if self._words.after.isdisjoint(near) else 1

    def _unit(self, place: int) -> str:
        before = self._terms[place - 1] if place else ""
        clock = self._words.clock_after | self._words.before | self._words.after
        if before in clock:
            return ":clock"
        for after in range(place + 1, min(place + 3, len(self._terms))):
            if self._clause[after] == self._clause[place] and self._is_content(self._terms[after]):
                _, meanings = self._meanings_at(after)
                code = self._words.vocabulary.code
                return meanings[0].key if meanings else stem(self._terms[after], code)
        return ""

    def _length(self) -> tuple[float | None, bool]:
        for place, term in enumerate(self._terms):
            size = self._words.lengths.get(term)
            if size is None or place in self._dropped:
                continue
            value = self._value_before(place)
            limit = any(
                span.cue is Cue.WITHIN and 0 <= place - span.end <= 2 for span in self._spans
            )
            if value is not None or limit or (place and self._is_one(self._terms[place - 1])):
                return (value or 1.0) * size, limit
        return None, False

    def _value_before(self, place: int) -> float | None:
        """The number before a word, over at most one small word: "siyam na araw"."""
        for before in range(place - 1, max(place - 3, -1), -1):
            value = self._value(before)
            if value is not None or self._terms[before] not in self._words.small:
                return value
        return None

    def _is_one(self, term: str) -> bool:
        return self._words.numbers.get(term) == 1

    # -- small helpers

    def _capital(self, place: int) -> bool:
        return self._text[self._tokens[place].start].isupper()

    def _shown(self, start: int, end: int) -> str:
        return self._text[self._tokens[start].start : self._tokens[end - 1].end]
