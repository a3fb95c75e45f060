"""What the times of one sentence make of each other.

A phrase read for itself can mislead: in "Tuesday, 1 December: first Tuesday flour delivery" the
second weekday says how often, and in "in August (at the harbour), until the 28th" the day belongs
to the month before it. This is a last look over the phrases, and costs nothing where there is one.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import date, timedelta

from daybank.dates.grammar import Grammar, Phrase
from daybank.dates.interval import Interval
from daybank.dates.spans import add_months
from daybank.dates.vocabulary import Kind, Lead

Found = tuple[Interval, int, int]
"""An interval and the offsets of its phrase."""

_LONG = timedelta(days=7)
_REACH = 8
"""Phrases to either side that are asked; a list of a thousand days must stay quick."""
_AT = (None, Lead.AT)
_OPENS = (None, Lead.AT, Lead.FROM, Lead.SINCE)
_CLOSES = (Lead.UNTIL, Lead.UP_TO)


class Sentences(Grammar):
    """Reads the phrases of one text and settles them against each other."""

    def dates(self) -> list[Found]:
        """The phrases from left to right, none overlapping, with their offsets."""
        phrases = list(self.phrases())
        if len(phrases) > 1:
            phrases = [
                phrase
                for sentence in self._by_sentence(phrases)
                for phrase in self._settle(sentence)
            ]
        return [
            (phrase.interval, self._at(phrase.first).start, self._at(phrase.after - 1).end)
            for phrase in phrases
        ]

    def _by_sentence(self, phrases: list[Phrase]) -> Iterator[list[Phrase]]:
        together = phrases[:1]
        for phrase in phrases[1:]:
            between = range(together[-1].after, phrase.first + 1)
            if any(self._ends_sentence(place) for place in between):
                yield together
                together = []
            together.append(phrase)
        yield together

    def _settle(self, phrases: list[Phrase]) -> list[Phrase]:
        if len(phrases) == 1:
            return phrases
        habits = {phrase.first for phrase in phrases if self._is_habit(phrase)}
        dates = [phrase for phrase in phrases if phrase.first not in habits]
        if not dates:
            return phrases
        return _closed(
            [
                phrase
                for number, phrase in enumerate(dates)
                if not self._is_told_by_another(
                    phrase, dates[max(number - _REACH, 0) : number + _REACH + 1]
                )
            ]
        )

    def _is_habit(self, phrase: Phrase) -> bool:
        """Whether a weekday says how often: "first Tuesday", "Friday markets", "de viernes"."""
        place = self._weekday_place(phrase)
        if place is None:
            return False
        before = self._entry(place - 1)
        if self._near(place) and (
            before.ordinal > 0 or before.weekday_kind or self._at(place - 1).ordinal
        ):
            return True
        noun = self._at(place + 1).low
        return self._is_before_noun(phrase, place) and noun.endswith("s") and noun[-2:] != "ss"

    def _is_told_by_another(self, phrase: Phrase, around: list[Phrase]) -> bool:
        """Whether a weekday only repeats, or is a part of, another date of its sentence."""
        place = self._weekday_place(phrase)
        if place is None:
            return False
        noun = self._is_before_noun(phrase, place)
        return any(
            (noun and _is_outside(phrase, other))
            or (_is_on(phrase, other) and (noun or self._touch(phrase, other)))
            for other in around
            if other is not phrase
        )

    def _weekday_place(self, phrase: Phrase) -> int | None:
        """Where the weekday stands in a phrase that is one and nothing more."""
        moment = phrase.moment
        if moment is None or moment.kind is not Kind.WEEKDAY or moment.shapes:
            return None
        if moment.shift is not None or phrase.lead not in _AT:
            return None
        places = range(phrase.first, phrase.after)
        return next((p for p in places if self._entry(p).weekday == moment.weekday), None)

    def _is_before_noun(self, phrase: Phrase, place: int) -> bool:
        """Whether a weekday tells which thing is meant: "Friday market"."""
        noun = place + 1
        return (
            phrase.lead is None
            and phrase.after == noun
            and self._content_follows(noun)
            and self._at(noun).low.isalpha()
            and not self._at(noun).capital
            and self._verb(noun) is None
        )

    def _touch(self, one: Phrase, other: Phrase) -> bool:
        """Whether nothing stands between two phrases, or only "a": "1 December, a Tuesday"."""
        first, second = sorted((one, other), key=lambda phrase: phrase.first)
        between = range(first.after, second.first)
        return len(between) < 2 and all(self._entry(place).count == 1 for place in between)


def _is_on(phrase: Phrase, other: Phrase) -> bool:
    """Whether the other phrase is one day with the weekday of this one."""
    day = other.interval.start
    if day is None or other.interval.end != day or phrase.moment is None:
        return False
    dated = other.moment is not None and other.moment.kind is Kind.DAY
    return dated and day.weekday() == phrase.moment.weekday


def _is_outside(phrase: Phrase, other: Phrase) -> bool:
    """Whether the other phrase is a longer time, and the day read from this one not in it."""
    start, end = other.interval.start, other.interval.end
    long = start is None or end is None or end - start > _LONG
    return long and not phrase.interval.overlaps(other.interval)


def _closed(phrases: list[Phrase]) -> list[Phrase]:
    """With "until the 28th" in the month that the phrase before it names; both then are the days
    from the one to the other."""
    out: list[Phrase] = []
    for phrase in phrases:
        last = _day_in_month_of(out[-1], phrase) if out else None
        if last is not None:
            whole = Interval(out[-1].interval.start, last)
            out[-1] = replace(out[-1], interval=whole)
            phrase = replace(phrase, interval=whole)
        out.append(phrase)
    return out


def _day_in_month_of(opening: Phrase, closing: Phrase) -> date | None:
    """The day that ends a time begun in a named month; None where the two are no such pair."""
    begun, day = opening.moment, closing.moment
    start = opening.interval.start
    if begun is None or day is None or start is None:
        return None
    if day.kind is not Kind.DAY_OF_MONTH or closing.lead not in _CLOSES:
        return None
    if begun.kind not in (Kind.DAY, Kind.MONTH) or opening.lead not in _OPENS:
        return None
    try:
        if day.day < start.day:
            start = add_months(start.replace(day=1), 1)
        return start.replace(day=day.day)
    except (ValueError, OverflowError):
        return None
