"""The grammar of time phrases: a small hand-written recogniser over tokens.

``phrase = [lead] value [separator value]``, and a value is one of a dozen forms, each with a
method of its own. It knows no language: words carry their meanings (``lexicon``), and this module
only says in which order they may stand. Whatever could be an ordinary word is *doubtful* and has
to be vouched for by a word beside it. A form that reads as a time but has no day in the calendar
(31 June) is swallowed whole, so that no part of it ("June") is taken for the time.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date

from daybank.dates.interval import Interval
from daybank.dates.lexicon import LEXICON, Entry
from daybank.dates.moments import Moment
from daybank.dates.mood import Mood
from daybank.dates.reading import NOTHING
from daybank.dates.resolving import Resolver, applied
from daybank.dates.spans import Span
from daybank.dates.tokens import Gap, Token
from daybank.dates.values import Parsed, Values
from daybank.dates.vocabulary import Kind, Lead, Tense

_WORKING_WEEKS = ((0, 4), (0, 5), (0, 6))


@dataclass(frozen=True, slots=True)
class Phrase:
    """A time phrase as it was read, before the rest of its sentence is asked."""

    interval: Interval
    first: int
    """The place of its first token."""
    after: int
    """The place of the token after it."""
    moment: Moment | None
    """What was said; None of a range, which has two."""
    lead: Lead | None = None


_Read = tuple[Interval | None, int, Moment | None, Lead | None]
"""What a phrase means, the place after it, and the moment and lead word it was said with."""


@dataclass(frozen=True, slots=True)
class _Opening:
    """Where a phrase begins, and the lead word there if it has one."""

    place: int
    lead: Lead | None = None
    entry: Entry = NOTHING


class Grammar(Values):
    """Reads the phrases of one tokenised text."""

    def __init__(
        self, tokens: list[Token], anchor: date | None, mood: Mood, *, trusted: bool = False
    ) -> None:
        """``trusted`` says that the text is known to be a time, so nothing in it is doubtful."""
        super().__init__(tokens, anchor, mood, trusted=trusted)
        self._resolver = Resolver(anchor, mood)

    def phrases(self) -> Iterator[Phrase]:
        """The phrases from left to right, none overlapping."""
        place = read = 0
        while place < len(self._tokens):
            token = self._tokens[place]
            if token.entry is None and token.number < 0 and token.written is None:
                place += 1
                continue
            if habit := self._habit(place):
                place = habit
                continue
            found = self._phrase(place)
            if found is None:
                place += 1
                continue
            interval, after, moment, lead = found
            if interval is not None:
                yield Phrase(interval, self._first(place, read), after, moment, lead)
            place = read = after

    def _first(self, place: int, read: int) -> int:
        """Where a phrase begins: "the" and "la" before it go with it."""
        if place > read and self._near(place) and self._entry(place - 1).article:
            place -= 1
        return place

    def _habit(self, place: int) -> int | None:
        """The place after "every Friday", which is no date."""
        entry = self._entry(place)
        if not (entry.every or entry.every_weekday):
            return None
        value = self._value(self._skip(place + 1))
        if value is None or (entry.every_weekday and value[0].kind is not Kind.WEEKDAY):
            return None
        if entry.every_weekday and not entry.every and not self._near(place + 1):
            return None
        return value[1]

    def _phrase(self, place: int) -> _Read | None:
        entry = self._entry(place)
        found = self._value(place)
        lead = entry.lead if found is None else None
        if lead is not None:
            found = self._value_after_lead(place)
            around = self._entry(place + 1)
            if found is None and around.lead is Lead.AROUND:
                found = self._value_after_lead(place + 1)
        if found is None:
            return None
        left, after = found
        opening = _Opening(place) if lead is None else _Opening(place, lead, entry)
        if opening.entry.join and not _of_year(left):
            return None  # the "of" belongs to what stands before it
        ranged = self._range(left, after, opening)
        if ranged is not None:
            return *ranged, None, None
        if not self._vouched(left, after, opening):
            return None
        lead, after = self._onward(opening.lead, after)
        span = self._resolver.single(left, self._tense(left, after, opening))
        return self._interval(span, lead, left), after, left, lead

    def _value_after_lead(self, place: int) -> Parsed:
        """The value after a lead word; articles and small words may stand between."""
        first = place + 1
        token = self._at(first)
        if not (self._near(first) or (token.gap is Gap.DASH and token.tight)):
            return None
        if found := self._value(first):
            return found
        skipped = self._skip(first, joins=True, fillers=True)
        return self._value(skipped) if skipped > first else None

    def _range(
        self, left: Moment, after: int, opening: _Opening
    ) -> tuple[Interval | None, int] | None:
        """The phrase if a second end follows; None if it does not or the two do not fit."""
        other = self._second_end(left, after, opening.lead)
        if other is None:
            return None
        dash = self._at(after).gap in (Gap.DASH, Gap.SLASH)
        if self._entry(other).now and not self._entry(other).unit:
            if left.shy and not self._vouched(left, after, opening):
                return None
            span = self._resolver.single(left, self._tense(left, other + 1, opening))
            return self._interval(span, Lead.SINCE, left), other + 1
        found = self._value(other) or self._bare_day(left, other)
        if found is None:
            return None
        right, end = found
        if (
            opening.lead is not Lead.BETWEEN
            and self._entry(after).and_
            and not self._entry(after).to
        ):
            # "June and July 2025"
            follows = left.kind is right.kind and right.month == left.month % 12 + 1
            if not follows or left.year or left.shy or right.doubtful:
                return None
        if not self._fit(left, right, after, opening, dash=dash):
            return None
        if right.kind is Kind.YEAR and left.kind in (Kind.DAY, Kind.MONTH) and left.year is None:
            return None
        if (
            left.kind is right.kind is Kind.WEEKDAY
            and (left.weekday, right.weekday) in _WORKING_WEEKS
            and (opening.lead is None or opening.entry.join)
        ):
            return None, end  # "open Monday to Friday"
        tense = self._tense(left, end, opening, ranged=True)
        span = self._resolver.range(left, right, tense)
        if span is None:
            return None
        return self._interval(span, None, right), end

    def _bare_day(self, left: Moment, place: int) -> Parsed:
        """ "28" in "en agosto, hasta el 28": with its article it is a day, without it an hour."""
        before = LEXICON.entries.get(self._at(place - 1).low.rpartition(" ")[2], NOTHING)
        if not (before.article and self._near(place) and self._is_day(place)):
            return None
        if left.kind not in (Kind.DAY, Kind.MONTH):
            return None
        if self._content_follows(place + 1) or self._counts(place):
            return None
        return Moment(Kind.DAY_OF_MONTH, day=self._at(place).number), place + 1

    def _fit(
        self, left: Moment, right: Moment, after: int, opening: _Opening, *, dash: bool
    ) -> bool:
        """Whether two moments with something like a dash between them are one range."""
        if left.shy and not dash and opening.lead is None and not self._trusted:
            return False
        certain = opening.lead is not None or not right.doubtful
        if certain and self._vouched(left, after, opening):
            return True
        if left.shy or right.shy:
            return False
        if left.kind is not right.kind:
            return not right.doubtful and right.kind is Kind.DAY
        return left.kind is not Kind.WEEKDAY

    def _onward(self, lead: Lead | None, after: int) -> tuple[Lead | None, int]:
        """ "from July on" is "since July"."""
        if lead in (None, Lead.FROM, Lead.AT, Lead.SINCE) and self._near(after):
            entry = self._entry(after)
            if entry.onward and (not entry.lead or self._at(after + 1).gap is not Gap.SPACE):
                return Lead.SINCE, after + 1
        return lead, after

    def _interval(self, span: Span | None, lead: Lead | None, moment: Moment) -> Interval | None:
        if span is None:
            return None
        try:
            return applied(lead, span, moment)
        except OverflowError:
            return None  # the last day of the calendar has none after it

    def _vouched(self, moment: Moment, after: int, opening: _Opening) -> bool:
        """Whether a moment is a time, given the words around it."""
        if not moment.doubtful or self._trusted:
            return True
        place, lead, support = opening.place, opening.lead, opening.entry
        kind = moment.kind
        if lead is None:
            return kind is Kind.YEAR and not self._log
        if support.vouches is not None and kind not in support.vouches:
            return False
        if kind in (Kind.MONTH, Kind.SEASON):
            made = self._entry(place - 1).maker or self._at(place - 1).low.endswith("ed")
            if lead is Lead.BY and made:
                return False  # "painted by April"
        if kind is Kind.MONTH and self._at(after).low == "s":
            return False  # "in May's opinion"
        if kind is Kind.YEAR and support.join and self._entry(place - 1).numbered:
            return False  # "a total of 2023"
        counts = kind is Kind.YEAR and self._log and (lead is Lead.BY or support.join)
        return not (counts and self._content_follows(after))  # "viewed by 2000 people"

    def _tense(
        self, moment: Moment, after: int, opening: _Opening, *, ranged: bool = False
    ) -> Tense | None:
        """What the words say about past or future, where it matters at all."""
        if not self._log or not moment.recurs or moment.shift is not None:
            return None
        place, lead = opening.place, opening.lead
        if lead is Lead.SINCE and not moment.last_day and not ranged:
            return Tense.SURELY_PAST
        told = opening.entry.lead_tense
        if lead is None and self._near(place) and self._entry(place - 1).lead is None:
            told = self._entry(place - 1).lead_tense
        if told is not None:
            return told
        tense = self._cue(place, after)
        if tense is None and lead in (Lead.UNTIL, Lead.BY):
            return Tense.FUTURE
        return tense


def _of_year(moment: Moment) -> bool:
    return moment.kind is Kind.YEAR and moment.doubtful
