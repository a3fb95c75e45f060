"""A fact as a line that can be read away from its log: one line, whom it is about, and the days
that "yesterday" or "until Sunday" meant. The people's own words stay; only this is put beside them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date, timedelta

from daybank.dates import DatePhrase, Interval, Mood, describe, find_dates
from daybank.index.analysis import language_of, tokenize
from daybank.index.store import StoredPassage
from daybank.markdown.inline import plain
from daybank.markdown.model import Kind
from daybank.markdown.names import entity_key
from daybank.markdown.retain import LETTERS, spell_name

_MARKUP = re.compile(r"([\\`*_\[\]<>~])")
_LEADING = re.compile(r"(?:[#>+\-]|\d{1,9}[.)])(?=\s)")
_YEAR = re.compile(r"\d{4}")
_DIGIT = re.compile(r"\d")
_SPANISH_DATE = re.compile(r"\bde [a-z]+$", re.IGNORECASE)
_MONTH = re.compile(r"\s[^\W\d_]{4,}$")
"""The end of a phrase that may be a month with a word before it. "before Jun" may be a person."""
_FULL_LINE = 70
_QUOTES = (("“", "”"), ("«", "»"))
_HIDDEN = ("<!--", "-->", "daybank:")


def unwritable(fact: StoredPassage) -> str | None:
    """Why a fact cannot be copied to a page; None where it can."""
    if any(mark in fact.content for mark in _HIDDEN):
        return "it holds the marks of a hidden comment"
    if not line_of(fact):
        return "it says nothing"
    return None


def line_of(fact: StoredPassage) -> str:
    """The words of a fact on one line, with the days that its relative times mean."""
    return _escaped(_resolved(_joined(fact.content), fact.day))


def about(fact: StoredPassage, shown: Sequence[str] = ()) -> str:
    """The line with whom it is about in front, as far as neither its words nor ``shown`` (the
    page it stands on) say so."""
    text = line_of(fact)
    said = _terms(fact.content)
    unsaid = [name for name in fact.names[: fact.subjects] if not _terms(name) <= said]
    keys = {entity_key(name) for name in shown}
    if all(entity_key(name) in keys for name in unsaid):
        return text
    subjects = fact.names[: fact.subjects]
    if entity_key(subjects[0]) in keys and fact.kind is not Kind.EXPERIENCE:
        return text
    named = unsaid if subjects[0] in unsaid else subjects
    return f"{_escaped(', '.join(named))}: {text}"


def bullet_of(fact: StoredPassage) -> str:
    """The line as a typed bullet of the bank, without a list mark."""
    names = "".join(f" {spell_name(name)}" for name in fact.names[: fact.subjects])
    return f"{LETTERS[fact.kind]}{names}: {line_of(fact)}"


def in_short(fact: StoredPassage, most: int = 60) -> str:
    """The first words of a fact, to name it in a report."""
    return shortened(fact.content, most)


def shortened(text: str, most: int = 60) -> str:
    """``text`` on one line, cut at a word where it is longer than ``most`` characters."""
    whole = " ".join(text.split())
    if len(whole) <= most:
        return whole
    return whole[:most].rsplit(" ", 1)[0].rstrip(",;:–—-") + "…"


def day_words(day: date) -> str:
    """A day as reasons name it: ``22 Nov 2026``."""
    return describe(Interval.day(day))


def _joined(text: str) -> str:
    """A note of several lines as one. A short line without a full stop was an item of its own."""
    out = ""
    for line in text.split("\n"):
        words = " ".join(line.split())
        if not words:
            continue
        if not out:
            gap, last = "", words
        else:
            gap = " " if last[-1] in ".!?;:,…" or len(last) >= _FULL_LINE else "; "
            last = words
        out += gap + words
    return out


def _is_quoted(text: str, at: int) -> bool:
    """Whether what stands at ``at`` is somebody's words in quotation marks."""
    before = text[:at]
    if before.count('"') % 2:
        return True
    return any(before.count(opens) > before.count(closes) for opens, closes in _QUOTES)


def _terms(text: str) -> frozenset[str]:
    return frozenset(token.term for token in tokenize(text))


def _resolved(text: str, day: date | None) -> str:
    if day is None:
        return text
    absolute = {(p.start, p.end) for p in find_dates(text, None, mood=Mood.LOG)}
    english = _is_english(text)
    for phrase in reversed(find_dates(text, day, mood=Mood.LOG)):
        if (phrase.start, phrase.end) in absolute or _YEAR.search(phrase.phrase):
            continue
        if _is_quoted(text, phrase.start):
            continue
        with_year = _with_year(phrase)
        if with_year is not None:
            text = f"{text[: phrase.start]}{with_year}{text[phrase.end :]}"
            continue
        meant = _meant(phrase, day)
        if meant is not None:
            spelled = _in_words(meant) if english else _in_digits(meant)
            text = f"{text[: phrase.end]} ({spelled}){text[phrase.end :]}"
    return text


def _with_year(phrase: DatePhrase) -> str | None:
    """A phrase that lacks nothing but the year, with it; None for others."""
    span = phrase.interval
    if not _DIGIT.search(phrase.phrase) and not _MONTH.search(phrase.phrase):
        return None
    years = {day.year for day in (span.start, span.end) if day is not None}
    if len(years) != 1:
        return None
    year = years.pop()
    spanish = _SPANISH_DATE.search(phrase.phrase) is not None
    for joined in (" de ", " ", ", ") if spanish else (" ", ", "):
        whole = f"{phrase.phrase}{joined}{year}"
        if [found.interval for found in find_dates(whole, None, mood=Mood.LOG)] == [span]:
            return whole
    return None


def _meant(phrase: DatePhrase, day: date) -> Interval | None:
    """What to write beside a relative phrase; None where it needs no help or is no certain day:
    "the Tuesday delivery" is no Tuesday in particular."""
    span = phrase.interval
    if span.start is None and span.end is not None:
        return Interval(day, span.end) if span.end > day else None
    if span.start == span.end and not moves_with(phrase, day):
        return None
    if _is_month(span) and not _MONTH.search(phrase.phrase):
        return None
    return span


def _is_month(span: Interval) -> bool:
    start, end = span.start, span.end
    if start is None or end is None or start.day != 1:
        return False
    return (start.year, start.month) == (end.year, end.month) and end.day >= 28


def moves_with(phrase: DatePhrase, day: date) -> bool:
    """Whether a phrase means another day when it is written on the next day, as "yesterday"."""
    later = find_dates(phrase.phrase, day + timedelta(days=1), mood=Mood.LOG)
    start = phrase.interval.start
    return (
        start is not None
        and len(later) == 1
        and later[0].interval.start == start + timedelta(days=1)
    )


def _in_words(span: Interval) -> str:
    if span.start is not None and span.end is None:
        return f"from {day_words(span.start)}"
    return describe(span)


def _in_digits(span: Interval) -> str:
    """For texts in other languages: days that every reader understands."""
    days = [day.isoformat() for day in (span.start, span.end) if day is not None]
    return " – ".join(dict.fromkeys(days)) + ("" if span.end is not None else " –")


def _is_english(text: str) -> bool:
    if any(char.isalpha() and char >= "\u0250" for char in text):
        return False
    return language_of(token.term for token in tokenize(text)) == "en"


def _escaped(text: str) -> str:
    """``text`` so that Markdown shows just it."""
    if plain(text) != text:
        text = _MARKUP.sub(r"\\\1", text)
    leading = _LEADING.match(text)
    if leading is None:
        return text
    at = leading.end() - 1
    return f"{text[:at]}\\{text[at:]}"
