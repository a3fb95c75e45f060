"""Whether a sentence says what the notes behind it say: the gate for a language model's words.

No program can tell whether two sentences mean the same. This one does not try: a sentence passes
only if it is made of the notes' own words, in their order and with their commas. Whom the note is
about may be put in front, days may be written another way, and a few small words may come and go. A
word, a number, a name, a day or a "not" that the notes do not have does not pass, and neither does
one that is missing. What a trap in a note makes a model say fails for the same reason.

Pure functions; safe from any thread.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date

from daybank.dates import DatePhrase, Mood, find_dates
from daybank.dates.vocabulary import LANGUAGES
from daybank.index.analysis import language_of, tokenize
from daybank.index.store import StoredPassage
from daybank.markdown.inline import plain
from daybank.markdown.names import fold_text
from daybank.markdown.retain import parse_bullet
from daybank.reflect.cautious import unfit_for_pages
from daybank.reflect.phrasing import line_of
from daybank.visible import visible

LONGEST = 300
"""Characters of a sentence, and of a note that is worth asking about."""
_FREE = {
    "en": frozenset("a an the is are am currently basically anyway also".split()),
    "es": frozenset("el la los las un una es está son están actualmente también".split()),
    "ru": frozenset("это кстати также".split()),
    "fil": frozenset("ang si sina ay naman po".split()),
}
"""Words that may come and go without a change of what is said."""
_JOINING = {"en": ("and",), "es": ("y", "e"), "ru": ("и",), "fil": ("at",)}
"""What may stand between two names, and between what two notes say."""
_COUNTED = frozenset({"few", "little"})
"""Before these an article is no small word: "a few" is more than "few"."""
_LATIN = re.compile(r"[^\W\d_a-zA-Z\u00c0-\u024f\u1e00-\u1eff]")
_CYRILLIC = re.compile(r"[\u0400-\u04ff]")
_NUMBER = re.compile(r"[-+−±]?\d+(?:[.,:/]\d+)*\s?[%‰]?")
_LINK = re.compile(r"://|\bwww\.|\w@\w|\b(?:javascript|data|mailto|file):", re.IGNORECASE)
_BEGINS = re.compile(r"[\w\"“«'‘(¿¡]")
_ENDS = (".", "!", "?", "…", "。", "！", "？", ".”", ".»", '."')
_MARKUP = frozenset("<>|\\`*_~^[]{}#")
_A_DAY, _BREAK = "\0day", "\0break"
"""What stands among the words of a text for a day it names, and for a comma or a full stop."""
_BREAKS = frozenset(",;:.!?…—–()、，。！？")
_WEEKDAYS = frozenset(
    form for language in LANGUAGES for forms in language.weekdays for form in forms.split()
)
_LEADS = frozenset(
    "from starting beginning as after since until till before by through past desde hasta antes "
    "después partir tras para с со до после начиная к перед mula simula hanggang bago pagkatapos "
    "matapos".split()
)
"""Words before a day that say whether it is the first or the last of them."""
_HARMLESS = frozenset(" ,.;:!-–—'’()…")
_SAME_MARK = str.maketrans({"“": '"', "”": '"', "„": '"', "«": '"', "»": '"', "¿": None, "¡": None})


@dataclass(frozen=True, slots=True)
class Note:
    """A note as a model is shown it: its words with the days that they mean, and whom it is about
    as far as the words do not say so."""

    text: str
    day: date | None
    unsaid: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Sentence:
    """What a model says, and the notes that it names for it."""

    text: str
    notes: tuple[Note, ...]


def note_of(fact: StoredPassage) -> Note:
    """A fact as a note."""
    text = plain(line_of(fact))
    said = set(_spelled(text))
    names = fact.names[: fact.subjects]
    return Note(text, fact.day, tuple(n for n in names if not said.issuperset(_spelled(n))))


def trouble_with(sentence: Sentence) -> str | None:
    """Why a sentence cannot stand for its notes; None where it can. Never raises."""
    return _shape(sentence.text) or _content(sentence)


def names_left_out(text: str, draft: str, notes: Sequence[Note]) -> bool:
    """Whether ``draft`` names somebody a note is about, and ``text`` does not."""
    said, before = set(_spelled(text)), set(_spelled(draft))
    names = [_spelled(name) for note in notes for name in note.unsaid]
    return any(before.issuperset(name) and not said.issuperset(name) for name in names)


def ends_a_sentence(text: str) -> bool:
    return text.endswith(_ENDS)


# -- how it is written


def _shape(text: str) -> str | None:
    if not text.strip() or text != text.strip():
        return "it says nothing, or begins with space"
    if len(text) > LONGEST:
        return "it is too long"
    if not text.isprintable() or visible(text) != text:
        return "it is more than one line, or hides something"
    if _LINK.search(text):
        return "it holds a link"
    if _MARKUP.intersection(text) or plain(text) != text or not _BEGINS.match(text):
        return "it holds markup"
    if re.match(r"\d{1,9}[.)](?:\s|$)", text) or parse_bullet(text) is not None:
        return "it holds markup"
    return unfit_for_pages(text)


# -- what it says


def _content(sentence: Sentence) -> str | None:
    if not sentence.notes:
        return "it names no note"
    language = _language(" ".join(note.text for note in sentence.notes))
    said = _Said(sentence.text, sentence.notes[0].day)
    sources = [_Said(note.text, note.day) for note in sentence.notes]
    if said.absolute != tuple(dict.fromkeys(d for s in sources for d in s.absolute)):
        return "it speaks of other days"
    if not _keeps_relative_days(said, sources):
        return "it speaks of other days"
    if said.marks != sum((source.marks for source in sources), Counter()):
        return "it asks, quotes or marks what the notes do not"
    if not _same_words(said.words(language), sentence.notes, sources, language):
        return "it has other words than the notes"
    return None


def _same_words(
    words: list[str], notes: Sequence[Note], sources: Sequence[_Said], language: str
) -> bool:
    """Whether ``words`` are those of the notes one after the other, each perhaps with the names
    of whom it is about in front."""
    at = 0
    for note, source in zip(notes, sources, strict=True):
        for name in note.unsaid:
            at = _after_joints(words, at, language)
            spelled = _without_free(_spelled(name), language)
            if spelled and words[at : at + len(spelled)] == spelled:
                at += len(spelled)
        at = _after_joints(words, at, language)
        own = source.words(language)
        if words[at : at + len(own)] != own:
            return False
        at += len(own)
    return at == len(words)


def _after_joints(words: Sequence[str], at: int, language: str) -> int:
    joints = (_BREAK, *_JOINING.get(language, ()))
    while 0 < at < len(words) and words[at] in joints:
        at += 1
    return at


def _keeps_relative_days(said: _Said, sources: Sequence[_Said]) -> bool:
    """Words such as "Tuesday" or "yesterday" stand for another day on a page. They stay where the
    note has them, and one that no day is written beside may not go."""
    there = [fold_text(phrase.phrase) for source in sources for phrase in source.relative]
    mine = [fold_text(phrase.phrase) for phrase in said.relative]
    bare = [fold_text(p.phrase) for source in sources for p in source.relative_alone]
    return not (Counter(mine) - Counter(there)) and not (Counter(bare) - Counter(mine))


class _Said:
    """A text taken apart: the days it speaks of, its numbers, its words."""

    def __init__(self, text: str, day: date | None) -> None:
        self._text = text
        fixed = find_dates(text, None, mood=Mood.LOG)
        self.absolute = tuple(dict.fromkeys((p.interval, _told_with(p)) for p in fixed))
        spans = {(phrase.start, phrase.end) for phrase in fixed}
        found = find_dates(text, day, mood=Mood.LOG)
        self.relative: list[DatePhrase] = [p for p in found if (p.start, p.end) not in spans]
        self._days = sorted({phrase.start for phrase in (*fixed, *found)})
        self._rest = _blanked(text, (*fixed, *found))

    @property
    def relative_alone(self) -> list[DatePhrase]:
        return [p for p in self.relative if not self._text.startswith(" (", p.end)]

    @property
    def marks(self) -> Counter[str]:
        """Question marks, quotation marks, signs: whatever is no letter and not harmless."""
        odd = self._rest.translate(_SAME_MARK)
        return Counter(c for c in odd if not c.isalnum() and c not in _HARMLESS)

    def words(self, language: str) -> list[str]:
        """The words in order, with a mark for each day and each break between them. A break
        beside a day says nothing, for "(5 May)" may become "on 5 May"."""
        out: list[str] = []
        for word in _without_free(self._words_and_marks(), language):
            if word == _A_DAY:
                while out and out[-1] == _BREAK:
                    out.pop()
            if word in (_A_DAY, _BREAK) and out[-1:] in ([_A_DAY], [word]):
                continue
            out.append(word)
        while out and out[-1] == _BREAK:
            out.pop()
        return out[1:] if out[:1] == [_BREAK] else out

    def _words_and_marks(self) -> list[str]:
        out: list[str] = []
        end = 0
        for start, after in _units(self._rest):
            out += self._between(end, start)
            out.append(_as_spelled(self._rest[start:after]))
            end = after
        return [*out, *self._between(end, len(self._rest))]

    def _between(self, start: int, end: int) -> list[str]:
        if any(start <= day < end for day in self._days):
            return [_A_DAY]
        return [_BREAK] if _BREAKS.intersection(self._rest[start:end]) else []


def _told_with(phrase: DatePhrase) -> tuple[str, ...]:
    """The words of a time phrase that its days do not tell: "from", and the weekday, which may be
    a wrong one. A range with two ends has them in its days, however it is written."""
    span = phrase.interval
    is_range = span.start is not None and span.end is not None and span.start != span.end
    kept = _WEEKDAYS if is_range else _WEEKDAYS | _LEADS
    return tuple(word for word in _spelled(phrase.phrase) if word in kept)


def _blanked(text: str, phrases: Sequence[DatePhrase]) -> str:
    letters = list(text)
    for phrase in phrases:
        letters[phrase.start : phrase.end] = " " * (phrase.end - phrase.start)
    return "".join(letters)


def _spelled(text: str) -> list[str]:
    return [_as_spelled(text[start:after]) for start, after in _units(text)]


def _as_spelled(unit: str) -> str:
    """A word or number but for case and spaces: "año" is not "ano"."""
    return "".join(unit.split()).casefold()


def _units(text: str) -> Iterator[tuple[int, int]]:
    """Where the words of ``text`` stand, and its numbers: "-3.5 %" is one of them."""
    numbers = {at: match for match in _NUMBER.finditer(text) for at in range(*match.span())}
    end = -1
    for token in tokenize(text):
        if token.start < end and not token.pair:
            continue
        number = numbers.get(token.start)
        start = token.start if number is None else number.start()
        end = token.end if number is None else max(token.end, number.end())
        yield start, end


def _without_free(words: Sequence[str], language: str) -> list[str]:
    free = _FREE.get(language, frozenset())
    return [
        word
        for word, following in zip(words, (*words[1:], ""), strict=False)
        if word not in free or following in _COUNTED
    ]


def _language(text: str) -> str:
    """The language whose small words may come and go; empty where Daybank knows none of them."""
    if _CYRILLIC.search(text):
        return "ru"
    if _LATIN.search(text):
        return ""
    return language_of(token.term for token in tokenize(text))
