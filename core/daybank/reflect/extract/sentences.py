"""A person's prose → sentences with the lines they stand on.

Prose is what is left of a block when its markup is read: plain text, line ends kept, and beside it
which stretches are code, struck out, or a mention. A sentence is a slice of it, so everything keeps
its place.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

_WORD = re.compile(r"[^\W_]+(?:['’\-‑][^\W_]+)*")
_END = re.compile(r"[.!?…]+[\"'”’»)\]]*(?=\s|$)|[。！？]+")
_ABBREVIATIONS = frozenset(
    "mr mrs ms dr prof st vs etc e.g i.e approx a.m p.m sr sra srta dra ud uds pág aprox "
    "г гг ул т.е т.д т.п руб тыс млн д стр им bb gng kgg".split()
)
_BEFORE_NUMBERS = frozenset(
    "jan feb mar apr jun jul aug sep sept oct nov dec ene abr ago dic no nr núm стр".split()
)
_OPENERS = "\"'“‘«(¿¡[*_@#"


@dataclass(frozen=True, slots=True)
class Token:
    """A word: as written, folded, and its place in the text it was cut from."""

    text: str
    word: str
    start: int
    end: int

    @property
    def capital(self) -> bool:
        return self.text[0].isupper()


@dataclass(frozen=True, slots=True)
class Stretch:
    """Part of a text that is more than text; ``name`` is set for a mention."""

    start: int
    end: int
    name: str | None = None

    def touches(self, start: int, end: int) -> bool:
        return self.start < end and start < self.end


@dataclass(frozen=True, slots=True)
class Prose:
    """The plain text of one paragraph or list item, beginning on line ``line``.

    ``speaker`` is set where the text is what somebody said (``@Name: text``).
    """

    text: str
    line: int
    mentions: tuple[Stretch, ...] = ()
    code: tuple[Stretch, ...] = ()
    struck: tuple[Stretch, ...] = ()
    quotes: tuple[Stretch, ...] = ()
    speaker: str | None = None
    start: int = 0

    def line_of(self, offset: int) -> int:
        return self.line + self.text.count("\n", 0, offset)


@dataclass(frozen=True, slots=True)
class Sentence:
    """A slice of a prose. ``text`` has as many characters as the slice, line ends as spaces."""

    prose: Prose
    start: int
    end: int
    text: str
    tokens: tuple[Token, ...]

    @property
    def words(self) -> tuple[str, ...]:
        return tuple(token.word for token in self.tokens)

    @property
    def lines(self) -> tuple[int, int]:
        return self.prose.line_of(self.start), self.prose.line_of(self.end - 1)

    def within(self, stretches: tuple[Stretch, ...]) -> list[Stretch]:
        """The stretches that touch the sentence, placed in its text."""
        return [
            Stretch(s.start - self.start, s.end - self.start, s.name)
            for s in stretches
            if s.touches(self.start, self.end)
        ]


def sentences(prose: Prose) -> Iterator[Sentence]:
    """The sentences of ``prose`` in order; what has no word in it is left out."""
    for start, end in _spans(prose.text, prose.start):
        text = prose.text[start:end].replace("\n", " ")
        tokens = tokens_of(text)
        if tokens:
            yield Sentence(prose, start, end, text, tokens)


def tokens_of(text: str) -> tuple[Token, ...]:
    """The words of ``text``, folded the way vocabularies spell them."""
    return tuple(Token(m[0], fold(m[0]), m.start(), m.end()) for m in _WORD.finditer(text))


@lru_cache(maxsize=16384)
def fold(word: str) -> str:
    """Casefolded, ё as е, straight apostrophes, and without accents on Latin words of three
    letters or more: "té" and "él" are other words than "te" and "el"."""
    low = word.casefold().replace("ё", "е").replace("’", "'").replace("‑", "-")
    if low in ("está", "estás"):  # "esta" is another word
        return low
    latin = "a" <= low[:1] <= "z" or "\u00c0" <= low[:1] < "\u0250"
    if low.isascii() or len(low) < 3 or not latin:
        return low
    parts = unicodedata.normalize("NFD", low)
    return "".join(c for c in parts if not unicodedata.combining(c))


def _spans(text: str, start: int) -> Iterator[tuple[int, int]]:
    for end in [*_ends(text, start), len(text)]:
        first, last = start, end
        while first < last and text[first].isspace():
            first += 1
        while last > first and text[last - 1].isspace():
            last -= 1
        if first < last:
            yield first, last
        start = end


def _ends(text: str, start: int) -> list[int]:
    marks = [m.end() for m in _END.finditer(text, start) if _closes(text, m)]
    line_start = start
    at = text.find("\n", start)
    while at >= 0:
        following = text.find("\n", at + 1)
        after = text[at + 1 : following if following >= 0 else len(text)].strip()
        before = text[line_start:at].strip()
        if _breaks(before, after):
            marks.append(at)
        line_start, at = at + 1, following
    return sorted(set(marks))


def _breaks(before: str, after: str) -> bool:
    """Whether a line end between two lines ends a sentence: the text above is closed or stops
    well short of a full line, and the line below begins anew."""
    if not before or not after or before[-1] in ".!?…。！？":
        return True
    begins = after[0].isupper() or after[0] in _OPENERS or after[0].isdigit()
    return begins and len(before) < 60 and before[-1] not in ",;–—-(/&"


def _closes(text: str, mark: re.Match[str]) -> bool:
    if not mark[0].startswith("."):
        return _begins_anew(text, mark.end()) or "?" in mark[0] or "!" in mark[0]
    word = re.search(r"[\w.'’]*$", text[max(0, mark.start() - 12) : mark.start()])
    before = word[0].casefold() if word else ""
    if before in _ABBREVIATIONS or (len(before) == 1 and before.isalpha() and before not in "iя"):
        return False
    if before in _BEFORE_NUMBERS and re.match(r"\s*\d", text[mark.end() : mark.end() + 4]):
        return False
    return _begins_anew(text, mark.end())


def _begins_anew(text: str, at: int) -> bool:
    rest = text[at : at + 40].lstrip()
    return not rest or not rest[0].islower()
