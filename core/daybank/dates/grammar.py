"""The grammar of time phrases: a small hand-written recogniser over tokens.

``phrase = [lead] value [separator value]``, and a value is one of a dozen forms, each with a
method of its own. It knows no language: words carry their meanings (``lexicon``), and this module
only says in which order they may stand. Whatever could be an ordinary word is *doubtful* and has
to be vouched for by a word beside it. A form that reads as a time but has no day in the calendar
(31 June) is swallowed whole, so that no part of it ("June") is taken for the time.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import date, timedelta
from functools import partial

from daybank.dates.interval import Interval
from daybank.dates.lexicon import FIRST_YEAR, LAST_YEAR, LEXICON, Entry
from daybank.dates.moments import Moment, Shape
from daybank.dates.mood import Mood
from daybank.dates.resolving import Resolver, applied
from daybank.dates.spans import (
    Span,
    add_months,
    months_span,
    nth_days,
    nth_half,
    nth_months,
    nth_weekday,
    quarter_span,
    third,
    week_span,
    weekend_span,
    year_span,
)
from daybank.dates.tokens import Gap, Token
from daybank.dates.vocabulary import FEW, Kind, Lead, Shift, Tense, Unit

Parsed = tuple[Moment, int] | None
"""A value and the place of the token after it."""

Found = tuple[Interval, int, int]
"""An interval and the offsets of its phrase."""

_NOTHING = Entry()
_END = Token(0, 0, entry=_NOTHING)
_DAY_KINDS = frozenset({Kind.DAY, Kind.WEEKDAY, Kind.DAY_OF_MONTH, Kind.SPAN})
_COUNTED_UNITS = frozenset(Unit) - {Unit.WEEKEND, Unit.HALF}
_NAMED_UNITS = frozenset({Unit.WEEK, Unit.WEEKEND, Unit.MONTH, Unit.QUARTER, Unit.YEAR})
_AGO_UNITS = _COUNTED_UNITS | {Unit.WEEKEND}
_MONTHS_OF_UNIT = {Unit.MONTH: 1, Unit.QUARTER: 3, Unit.HALF_YEAR: 6, Unit.YEAR: 12}
_WORKING_WEEKS = ((0, 4), (0, 5), (0, 6))
_STEP = {Shift.LAST: -1, Shift.PAST: -1, Shift.THIS: 0, Shift.NEXT: 1}


@dataclass(frozen=True, slots=True)
class _Quantity:
    """ "two weeks": how many of what, and the place after it."""

    least: int
    most: int
    unit: Unit
    after: int

    @property
    def typical(self) -> int:
        """One number for it."""
        return (self.least + self.most + 1) // 2


class Grammar:
    """Reads the phrases of one tokenised text."""

    def __init__(
        self, tokens: list[Token], anchor: date | None, mood: Mood, *, trusted: bool = False
    ) -> None:
        """``trusted`` says that the text is known to be a time, so nothing in it is doubtful."""
        self._tokens = tokens
        self._anchor = anchor
        self._log = mood is Mood.LOG
        self._trusted = trusted
        self._resolver = Resolver(anchor, mood)
        self._rivalled: bool | None = None

    def phrases(self) -> Iterator[Found]:
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
            interval, after = found
            if interval is not None:
                yield interval, self._first(place, read).start, self._tokens[after - 1].end
            place = read = after

    def _first(self, place: int, read: int) -> Token:
        """The first token of a phrase: "the" and "la" before it go with it."""
        if place > read and self._near(place) and self._entry(place - 1).article:
            place -= 1
        return self._at(place)

    # Looking around

    def _at(self, place: int) -> Token:
        return self._tokens[place] if 0 <= place < len(self._tokens) else _END

    def _entry(self, place: int) -> Entry:
        return self._at(place).entry or _NOTHING

    def _near(self, place: int) -> bool:
        """Whether only space stands before a token."""
        return self._at(place).gap is Gap.SPACE

    def _skip(self, place: int, *, joins: bool = False, fillers: bool = False) -> int:
        """Past articles, and if asked past "of" and "in" words."""
        while self._near(place):
            entry = self._entry(place)
            if not (
                entry.article
                or (joins and entry.join)
                or (fillers and entry.lead is Lead.AT)
                or (fillers and entry.day_word and self._at(place + 1).number > 0)
            ):
                break
            place += 1
        return place

    def _counts(self, place: int) -> bool:
        """Whether the number at a place counts the word after it: "27 km", "27 weeks"."""
        entry = self._entry(place + 1)
        return (
            self._near(place + 1)
            and (entry.measure or entry.unit is not None)
            and not (entry.year_word or entry.day_word)
        )

    def _content_follows(self, place: int) -> bool:
        """Whether a token that means something else follows right after: "5th floor"."""
        token = self._at(place)
        entry = self._entry(place)
        if token.gap is not Gap.SPACE or not token.low:
            return False
        return not (
            entry.function or entry.lead or entry.to or entry.and_ or entry.day_part or entry.join
        )

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

    # Phrases

    def _phrase(self, place: int) -> tuple[Interval | None, int] | None:
        entry = self._entry(place)
        lead = None
        found = self._value(place)
        lead_place = place
        if found is None and entry.lead is not None:
            lead = entry.lead
            found = self._value_after_lead(place)
            around = self._entry(place + 1)
            if found is None and around.lead is Lead.AROUND:
                found = self._value_after_lead(place + 1)
        if found is None:
            return None
        left, after = found
        support = self._entry(lead_place) if lead is not None else None
        if support is not None and support.join and not _of_year(left):
            return None  # the "of" belongs to what stands before it
        ranged = self._range(left, after, lead, support, place)
        if ranged is not None:
            return ranged
        if not self._vouched(left, lead, support, place, after):
            return None
        lead, after = self._onward(lead, after)
        span = self._resolver.single(left, self._tense(left, lead, support, place, after))
        return self._interval(span, lead, left), after

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
        self, left: Moment, after: int, lead: Lead | None, support: Entry | None, place: int
    ) -> tuple[Interval | None, int] | None:
        """The phrase if a second end follows; None if it does not or the two do not fit."""
        other = self._second_end(left, after, lead)
        if other is None:
            return None
        dash = self._at(after).gap in (Gap.DASH, Gap.SLASH)
        if self._entry(other).now and not self._entry(other).unit:
            if left.shy and not self._vouched(left, lead, support, place, after):
                return None
            span = self._resolver.single(left, self._tense(left, lead, support, place, other + 1))
            return self._interval(span, Lead.SINCE, left), other + 1
        found = self._value(other)
        if found is None:
            return None
        right, end = found
        if lead is not Lead.BETWEEN and self._entry(after).and_ and not self._entry(after).to:
            # "June and July 2025"
            follows = left.kind is right.kind and right.month == left.month % 12 + 1
            if not follows or left.year or left.shy or right.doubtful:
                return None
        if not self._fit(left, right, lead, support, place, after, dash=dash):
            return None
        if right.kind is Kind.YEAR and left.kind in (Kind.DAY, Kind.MONTH) and left.year is None:
            return None
        if (
            left.kind is right.kind is Kind.WEEKDAY
            and (left.weekday, right.weekday) in _WORKING_WEEKS
            and (lead is None or (support is not None and support.join))
        ):
            return None, end  # "open Monday to Friday"
        tense = self._tense(left, lead, support, place, end, ranged=True)
        span = self._resolver.range(left, right, tense)
        if span is None:
            return None
        return self._interval(span, None, right), end

    def _second_end(self, left: Moment, after: int, lead: Lead | None) -> int | None:
        """The place where a second end may begin, after a dash or a word such as "to"."""
        token = self._at(after)
        if token.gap is Gap.DASH:
            return self._skip_tight(after)
        if token.gap is Gap.SLASH:
            return after if left.kind is Kind.MONTH and token.low else None
        entry = self._entry(after)
        if token.gap in (Gap.SPACE, Gap.COMMA, Gap.DOT) and (
            entry.to or (entry.and_ and (lead is Lead.BETWEEN or left.kind is Kind.MONTH))
        ):
            if lead in (Lead.UNTIL, Lead.BY, Lead.BEFORE):
                return None
            return self._skip(after + 1, fillers=True) if self._near(after + 1) else None
        return None

    def _skip_tight(self, place: int) -> int:
        """Past an article right after a dash."""
        return place + 1 if self._entry(place).article and self._near(place + 1) else place

    def _fit(
        self,
        left: Moment,
        right: Moment,
        lead: Lead | None,
        support: Entry | None,
        place: int,
        after: int,
        *,
        dash: bool,
    ) -> bool:
        """Whether two moments with something like a dash between them are one range."""
        if left.shy and not dash and lead is None and not self._trusted:
            return False
        if self._vouched(left, lead, support, place, after) and not right.doubtful:
            return True
        if lead is not None and self._vouched(left, lead, support, place, after):
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

    def _vouched(
        self, moment: Moment, lead: Lead | None, support: Entry | None, place: int, after: int
    ) -> bool:
        """Whether a moment is a time, given the words around it."""
        if not moment.doubtful or self._trusted:
            return True
        if moment.kind is Kind.YEAR and not self._log and lead is None:
            return True
        if lead is None or support is None:
            return False
        if support.vouches is not None and moment.kind not in support.vouches:
            return False
        if lead is Lead.BY and moment.kind in (Kind.MONTH, Kind.SEASON):
            before = self._at(place - 1)
            if self._entry(place - 1).maker or before.low.endswith("ed"):
                return False
        if moment.kind is Kind.YEAR and support.join and self._entry(place - 1).numbered:
            return False
        if (
            moment.kind is Kind.YEAR
            and self._log
            and (lead is Lead.BY or support.join)
            and self._content_follows(after)
        ):
            return False
        # "in May's opinion"
        return not (self._at(after).low == "s" and moment.kind is Kind.MONTH)

    def _tense(
        self,
        moment: Moment,
        lead: Lead | None,
        support: Entry | None,
        place: int,
        after: int,
        *,
        ranged: bool = False,
    ) -> Tense | None:
        """What the words say about past or future, where it matters at all."""
        if not self._log or not moment.recurs or moment.shift is not None:
            return None
        if lead is Lead.SINCE and not moment.last_day and not ranged:
            return Tense.SURELY_PAST
        if support is not None and support.lead_tense is not None:
            return support.lead_tense
        if lead is None and self._near(place) and self._entry(place - 1).lead is None:
            before = self._entry(place - 1).lead_tense
            if before is not None:
                return before
        tense = self._cue(place, after)
        if tense is None and lead in (Lead.UNTIL, Lead.BY):
            return Tense.FUTURE
        return tense

    def _cue(self, place: int, after: int) -> Tense | None:
        """The tense of the verb nearest to a phrase within its sentence."""
        left, right = place, after
        open_left = open_right = True
        while open_left or open_right:
            if open_left:
                open_left = left > 0 and not self._ends_sentence(left)
                left -= 1
                if open_left and (tense := self._verb(left)):
                    return tense
            if open_right:
                open_right = right < len(self._tokens) and not self._ends_sentence(right)
                if open_right and (tense := self._verb(right)):
                    return tense
                right += 1
        return None

    def _ends_sentence(self, place: int) -> bool:
        """Whether a sentence ends before a token."""
        gap = self._at(place).gap
        if gap is Gap.DOT:
            before = self._entry(place - 1)
            return not ((before.month or before.weekday is not None) and not before.full)
        return gap is Gap.STOP

    def _verb(self, place: int) -> Tense | None:
        token = self._at(place)
        if token.entry is not None and token.entry.tense is not None:
            return token.entry.tense
        low = token.low
        if len(low) > 3 and low.endswith(LEXICON.past_endings) and low not in LEXICON.not_past:
            return Tense.PAST
        return None

    # Values

    def _value(self, place: int) -> Parsed:
        """The time that begins at a place, if one does."""
        token = self._at(place)
        if token.written is not None:
            return self._written(place)
        if token.number >= 0:
            return self._number(place)
        entry = token.entry
        if entry is None:
            return None
        found: Parsed = None
        if entry.offset is not None:
            found = self._day_word(place)
        if found is None and entry.part is not None:
            found = self._part(place)
        if found is None and entry.ordinal:
            found = self._ordinal(place, entry.ordinal)
        if found is None and entry.shift is not None:
            found = self._shifted(place, entry.shift)
        if found is None and (entry.hence_before or entry.ago_before or entry.within):
            found = self._distance_after(place)
        if found is None and entry.count is not None:
            found = self._distance(place)
        if found is None and entry.month:
            found = self._month(place)
        if found is None and entry.weekday is not None:
            found = self._weekday(place)
        if found is None and entry.unit is not None:
            found = self._unit(place)
        if found is None and entry.season:
            found = self._season(place)
        if found is None and (entry.quarter or entry.half):
            found = self._quarter(place)
        return found

    def _written(self, place: int) -> Parsed:
        """A date in digits."""
        token = self._at(place)
        written = token.written
        assert written is not None
        moment = Moment(
            Kind.DAY if written.day is not None else Kind.MONTH,
            year=written.year,
            month=written.month,
            day=written.day or 0,
        )
        if written.year is None:
            # "27.11" is a decimal, unless it is the first end of "27.11–01.12.2025".
            other = self._at(place + 1)
            if token.gap is Gap.DASH:
                return None
            if other.gap is not Gap.DASH or other.written is None or other.written.year is None:
                return None
        if self._near(place) and self._entry(place - 1).numbered:
            return _swallowed(place + 1)
        after = place + 1
        if self._near(after) and self._entry(after).year_word:
            after += 1
        return moment, after

    def _number(self, place: int) -> Parsed:
        token = self._at(place)
        if token.glued:
            return None
        if self._near(place) and self._entry(place - 1).numbered:
            return None
        if token.ordinal and (found := self._ordinal(place, token.number)):
            return found
        return (
            self._day_first(place)
            or self._day_before_date(place)
            or self._distance(place)
            or self._numbered_quarter(place)
            or self._year(place)
            or self._day_of_month(place)
        )

    def _is_day(self, place: int) -> bool:
        token = self._at(place)
        return 1 <= token.number <= 31 and token.digits <= 2 and not token.year_mark

    def _day_first(self, place: int) -> Parsed:
        """ "27 Nov", "27–29 de noviembre de 2025"."""
        if not self._is_day(place):
            return None
        day, after, last = self._at(place).number, place + 1, 0
        second = self._second_day(place, after)
        if second is not None:
            last = self._at(second).number
            after = second + 1
        month_place = self._skip(after, joins=True)
        month = self._at(month_place)
        entry = self._entry(month_place)
        if not entry.month:
            if second is None and (found := self._day_of_named_month(place, month_place)):
                return found
            return None
        if month_place == after and not (
            month.gap is Gap.SPACE or (month.gap is Gap.DASH and month.tight)
        ):
            return None
        if last and last <= day:
            return None
        after = month_place + 1
        year, end = self._year_after(after, abbreviated=not entry.full)
        if self._named_place(place, after):
            return _swallowed(after)
        if entry.verb and not month.capital and self._log and year is None and not self._trusted:
            return None
        return Moment(Kind.DAY, year=year, month=entry.month, day=day, last_day=last), end

    def _day_before_date(self, place: int) -> Parsed:
        """ "27-29.11.2025"."""
        other = self._at(place + 1)
        written = other.written
        if (
            not self._is_day(place)
            or other.gap is not Gap.DASH
            or written is None
            or not written.year
            or not written.day
            or written.day <= self._at(place).number
        ):
            return None
        moment = Moment(
            Kind.DAY,
            year=written.year,
            month=written.month,
            day=self._at(place).number,
            last_day=written.day,
        )
        return moment, place + 2

    def _second_day(self, place: int, after: int) -> int | None:
        """The place of the second number in "27–29", "27 al 29", "27 y 28"."""
        token = self._at(after)
        if token.gap is Gap.DASH:
            return after if self._is_day(after) else None
        entry = self._entry(after)
        if token.gap is not Gap.SPACE or not (entry.to or entry.and_):
            return None
        second = self._skip(after + 1)
        if not self._near(second) or not self._is_day(second):
            return None
        if entry.and_ and self._at(second).number != self._at(place).number + 1:
            # "the 3rd and 15th" are two days, unless "between" stands before.
            lead = self._entry(place - 1)
            lead = self._entry(place - 2) if lead.article or lead.day_word else lead
            if lead.lead is not Lead.BETWEEN:
                return None
        return second

    def _day_of_named_month(self, place: int, month_place: int) -> Parsed:
        """ "the 27th of last month"."""
        entry = self._entry(month_place)
        if entry.shift is None or not self._near(month_place) or month_place == place + 1:
            return None
        if self._entry(month_place + 1).unit is not Unit.MONTH:
            return None
        found = self._shifted(month_place, entry.shift)
        if found is None:
            return None
        moment, after = found
        day = self._at(place).number
        return replace(moment, shapes=(partial(nth_days, n=day, days=1),)), after

    def _month(self, place: int) -> Parsed:
        """A month by name, with its day or its year if they follow."""
        token = self._at(place)
        entry = self._entry(place)
        if self._named_place(place, place + 1):
            return _swallowed(place + 1)
        shy = self._is_shy(place)
        if found := self._month_first(place, shy=shy):
            return found
        year, after = self._year_after(place + 1, abbreviated=not entry.full)
        moment = Moment(Kind.MONTH, year=year, month=entry.month)
        if year is None:
            moment.doubtful = entry.doubtful or (entry.name and token.capital)
            moment.shy = shy
            if shift := self._shift_after(after):
                moment.shift = shift
                moment.doubtful = moment.shy = False
                after += 1
        return moment, after

    def _is_shy(self, place: int) -> bool:
        """Whether a month's or weekday's name is written as the verb: "may", "sat"."""
        token = self._at(place)
        entry = self._entry(place)
        if not self._log or self._trusted:
            return False
        if entry.rivalled and self._has_rivals():
            return True
        return not token.capital and (entry.verb or entry.month_last)

    def _has_rivals(self) -> bool:
        """Whether a language is written here in which "may" is an ordinary word."""
        if self._rivalled is None:
            self._rivalled = any(token.entry and token.entry.rival for token in self._tokens)
        return self._rivalled

    def _month_first(self, place: int, *, shy: bool) -> Parsed:
        """ "Nov 27", "March 9-13, 2026"."""
        entry = self._entry(place)
        first = place + 1
        if self._near(first) and self._entry(first).article:
            first += 1
        token = self._at(first)
        if not self._is_day(first) or not (
            token.gap is Gap.SPACE
            or (token.gap is Gap.DOT and not entry.full)
            or (token.gap is Gap.DASH and token.tight)
        ):
            return None
        if self._counts(first):
            return None
        after, last = first + 1, 0
        second = self._second_day(first, after)
        if (
            second is not None
            and self._at(second).number > token.number
            and not self._counts(second)
            and not self._entry(self._skip(second + 1, joins=True)).month
            and (self._at(second).tight or not self._content_follows(second + 1))
        ):
            last = self._at(second).number
            after = second + 1
        year, after = self._year_after(after, abbreviated=False)
        if shy and not (year or last or token.ordinal) and self._is_verb(place, after):
            return None
        return (
            Moment(Kind.DAY, year=year, month=entry.month, day=token.number, last_day=last),
            after,
        )

    def _is_verb(self, place: int, after: int) -> bool:
        """Whether "may 5" in a log is more likely the verb."""
        return (
            self._entry(place).month_last
            or self._has_rivals()
            or self._content_follows(after)
            or self._entry(place - 1).function
        )

    def _named_place(self, first: int, after: int) -> bool:
        """Whether a date is a street: "calle 27 de noviembre", "26 July Street"."""
        before = self._entry(first - 1)
        if before.article:
            before = self._entry(first - 2)
        return before.place_before or (self._near(after) and self._entry(after).place_after)

    def _year_after(self, place: int, *, abbreviated: bool) -> tuple[int | None, int]:
        """The year that follows a day, a month or a season, and the place after it."""
        year_place = self._skip(place, joins=True)
        if abbreviated and self._at(place).gap is Gap.DOT and self._entry(place).join:
            year_place = self._skip(place + 1, joins=True)  # "27 de nov. de 2025"
        while self._near(year_place) and self._entry(year_place).year_word:
            if self._at(year_place + 1).number < 0:
                break
            year_place += 1
        token = self._at(year_place)
        if self._is_year(year_place) and (
            token.gap in (Gap.SPACE, Gap.COMMA)
            or (token.gap is Gap.DOT and abbreviated)
            or (token.gap is Gap.DASH and token.tight and not token.glued)
        ):
            if token.gap is Gap.DASH and self._at(year_place - 1).gap is not Gap.DASH:
                return None, place
            return token.number, self._after_year(year_place)
        if found := self._relative_year(year_place):
            return found
        return None, place

    def _is_year(self, place: int) -> bool:
        token = self._at(place)
        return (
            token.digits == 4
            and FIRST_YEAR <= token.number <= LAST_YEAR
            and not self._counts(place)
        )

    def _after_year(self, place: int) -> int:
        """Past a year and the word "года" after it."""
        after = place + 1
        return after + 1 if self._near(after) and self._is_year_word(after) else after

    def _is_year_word(self, place: int) -> bool:
        """Whether a word after a number makes it a year, as Russian does."""
        return self._entry(place).year_word and not self._at(place).low.isascii()

    def _relative_year(self, place: int) -> tuple[int, int] | None:
        """ "last year", "прошлого года" after a month."""
        if not self._near(place) or self._anchor is None:
            return None
        entry = self._entry(place)
        if entry.shift is not None and self._entry(place + 1).unit is Unit.YEAR:
            return self._anchor.year + _STEP[entry.shift], place + 2
        if entry.unit is Unit.YEAR and (shift := self._shift_after(place + 1)):
            return self._anchor.year + _STEP[shift], place + 2
        return None

    def _shift_after(self, place: int) -> Shift | None:
        return self._entry(place).shift_after if self._near(place) else None

    def _weekday(self, place: int) -> Parsed:
        """A weekday, alone or before its date."""
        token = self._at(place)
        entry = self._entry(place)
        if self._near(place) and self._entry(place - 1).compound_before:
            return _swallowed(place + 1)
        after = place + 1
        if self._near(after) and self._entry(after).compound_after:
            return _swallowed(after + 1)
        if found := self._dated_weekday(place):
            return found
        shy = self._is_shy(place) or (entry.capital and not token.capital)
        moment = Moment(Kind.WEEKDAY, weekday=entry.weekday)
        moment.shy = shy
        moment.doubtful = entry.doubtful or shy or (entry.name and token.capital)
        if shift := self._shift_after(after):
            moment.shift = shift
            moment.doubtful = moment.shy = False
            after += 1
        elif found := self._weekday_in_week(moment, after):
            return found
        return moment, self._past_day_part(after)

    def _dated_weekday(self, place: int) -> Parsed:
        entry = self._entry(place)
        after = place + 1
        token = self._at(after)
        if token.gap not in (Gap.SPACE, Gap.COMMA) and (token.gap is not Gap.DOT or entry.full):
            return None
        date_place = self._skip(after)
        if self._entry(date_place).day_word:
            date_place += 1
        found: Parsed = None
        if self._at(date_place).written is not None:
            found = self._written(date_place)
        elif self._is_day(date_place):
            found = self._day_first(date_place) or self._day_of_range(date_place)
        elif self._entry(date_place).month:
            found = self._month_first(date_place, shy=False)
        if found is None or found[0].kind is not Kind.DAY:
            return None
        found[0].weekday = entry.weekday
        return found

    def _day_of_range(self, place: int) -> Parsed:
        """ "27" in "Thu 27 – Sat 29 Nov 2025"."""
        other = self._second_end(Moment(Kind.DAY), place + 1, None)
        found = self._value(other) if other is not None else None
        if found is None or found[0].kind is not Kind.DAY:
            return None
        right = found[0]
        day = self._at(place).number
        month, year = right.month, right.year
        if day >= right.day:
            month, year = (month - 1, year) if month > 1 else (12, year and year - 1)
        return Moment(Kind.DAY, year=year, month=month, day=day), place + 1

    def _weekday_in_week(self, moment: Moment, after: int) -> Parsed:
        """ "Friday last week", "пятница на прошлой неделе"."""
        week = self._skip(after, joins=True, fillers=True)
        entry = self._entry(week)
        if not self._near(week):
            return None
        found: Parsed = None
        if entry.shift is not None and self._entry(week + 1).unit is Unit.WEEK:
            found = self._shifted(week, entry.shift)
        elif entry.unit is Unit.WEEK and self._shift_after(week + 1):
            found = self._unit(week)
        if found is None or moment.weekday is None:
            return None
        period, end = found
        return replace(period, shapes=(partial(nth_weekday, n=1, weekday=moment.weekday),)), end

    def _past_day_part(self, place: int) -> int:
        """Past "morning" after a day."""
        return place + 1 if self._near(place) and self._entry(place).day_part else place

    def _day_word(self, place: int) -> Parsed:
        """ "yesterday", "завтра утром"."""
        offset = self._entry(place).offset
        assert offset is not None
        span = self._moved(Unit.DAY, offset)
        return Moment(Kind.SPAN, span=span), self._past_day_part(place + 1)

    def _part(self, place: int) -> Parsed:
        """ "early May", "the end of last year", "mid-2024"."""
        part = self._entry(place).part
        assert part is not None
        first = place + 1
        token = self._at(first)
        if token.gap is Gap.DASH and token.tight:
            inner = first
        elif token.gap is Gap.SPACE:
            inner = self._skip(first, joins=True, fillers=True)
        else:
            return None
        shape: Shape = partial(third, part=part)
        found = self._value(inner)
        if found is None or found[0].kind in (Kind.DAY, Kind.WEEKDAY, Kind.DAY_OF_MONTH):
            unit = self._entry(inner).unit
            if unit in (Unit.WEEK, Unit.MONTH, Unit.QUARTER, Unit.YEAR):
                span = self._period(unit, Shift.THIS)
                return Moment(Kind.SPAN, span=span, shapes=(shape,)), inner + 1
            return None
        moment, after = found
        if moment.shy:
            return None
        return replace(moment, doubtful=False, shapes=(*moment.shapes, shape)), after

    def _ordinal(self, place: int, n: int) -> Parsed:
        """ "first week of May", "third quarter of 2025", "the first of May"."""
        if n > 31:
            return None
        token = self._at(place)
        after = place + 1
        if not self._near(after):
            return None
        if n > 0 and token.low:
            month = self._skip(after, joins=True)
            joined = month > after or self._entry(place).day_ordinal
            if joined and self._entry(month).month and self._near(month):
                entry = self._entry(month)
                year, end = self._year_after(month + 1, abbreviated=not entry.full)
                return Moment(Kind.DAY, year=year, month=entry.month, day=n), end
        count = 1
        counted = self._entry(after).count
        if counted and counted > 1:
            count = counted
            after += 1
        entry = self._entry(after)
        if not self._near(after) or (entry.unit is None and entry.weekday is None):
            return None
        if entry.unit is None and entry.doubtful and not self._at(after).capital:
            return None
        shape = _nth(n, entry, count)
        whole_place = self._skip(after + 1, joins=True, fillers=True)
        if shape is None or not self._near(whole_place):
            return None
        if whole_place == after + 1 and self._at(after).low.isascii():
            return None
        whole = self._value(whole_place)
        if whole is None:
            unit = self._entry(whole_place).unit
            if unit in (Unit.MONTH, Unit.QUARTER, Unit.YEAR):
                span = self._period(unit, Shift.THIS)
                return Moment(Kind.SPAN, span=span, shapes=(shape,)), whole_place + 1
            return None
        moment, end = whole
        if moment.kind in (Kind.DAY, Kind.WEEKDAY, Kind.DAY_OF_MONTH) or moment.shy:
            return None
        return replace(moment, doubtful=False, shapes=(*moment.shapes, shape)), end

    def _shifted(self, place: int, shift: Shift) -> Parsed:
        """ "last week", "the past 10 days", "next Friday", "прошлым летом"."""
        after = place + 1
        if not self._near(after):
            return None
        before = self._entry(place - 1) if self._near(place) else _NOTHING
        if shift is Shift.LAST and before.modal:
            return None
        entry = self._entry(after)
        if quantity := self._quantity(after):
            counted_by_word = quantity.most == 1 and self._at(after).low
            if quantity.unit is Unit.WEEKEND or shift is Shift.THIS or counted_by_word:
                return None  # "doing this a few years"
            if (
                self._log
                and self._entry(place).ordinal
                and not (before.article or before.lead or before.shift or self._at(place).capital)
            ):
                return None  # "the courses last 10 days"
            span = self._rolling(quantity.unit, quantity.typical, shift)
            return Moment(Kind.SPAN, span=span), quantity.after
        if entry.plural and entry.unit in _COUNTED_UNITS:
            if shift is Shift.THIS:
                return None
            return Moment(Kind.SPAN, span=self._rolling(entry.unit, 3, shift)), after + 1
        if self._entry(place).ordinal and before.article and self._entry(place - 2).lead:
            shift = Shift.PAST  # "last week" was Monday to Sunday, "in the last week" is up to now
        if entry.unit in _NAMED_UNITS and not (entry.capital and self._at(after).capital):
            return Moment(Kind.SPAN, span=self._period(entry.unit, shift)), after + 1
        if entry.month:
            found = self._month(after)
        elif entry.weekday is not None:
            found = self._weekday(after)
        elif entry.season:
            found = self._season(after)
        else:
            return None
        if found is None or found[0].kind is Kind.SPAN:
            return found
        moment, end = found
        if moment.shy and (before.article or shift is Shift.THIS or moment.kind is Kind.WEEKDAY):
            return None
        if moment.year is not None:
            return found
        if shift is Shift.PAST:
            shift = Shift.LAST
        return replace(moment, shift=shift, doubtful=False, shy=False), end

    def _unit(self, place: int) -> Parsed:
        """ "semana pasada", "неделю назад", "week of 24 Nov", "month of May", "year 2025"."""
        entry = self._entry(place)
        unit = entry.unit
        assert unit is not None
        after = place + 1
        if unit in _NAMED_UNITS and (shift := self._shift_after(after)):
            return Moment(Kind.SPAN, span=self._period(unit, shift)), after + 1
        if unit is Unit.WEEKEND and not entry.plural:
            saturday = Moment(Kind.WEEKDAY, weekday=5, doubtful=True)
            saturday.shapes = (lambda span: weekend_span(span[0]),)
            return saturday, after
        if self._near(after) and self._entry(after).ago and unit in _COUNTED_UNITS:
            return Moment(Kind.SPAN, span=self._moved(unit, -1)), after + 1
        if entry.year_word and self._near(after) and self._is_year(after):
            return (
                Moment(Kind.YEAR, year=self._at(after).number),
                self._after_year(after),
            )
        if entry.day_word and self._near(after) and self._is_day(after):
            if found := self._day_first(after):
                return found
            end = after + 1
            if self._content_follows(end) or self._entry(end).join:
                return None
            day = self._at(after).number
            return Moment(Kind.DAY_OF_MONTH, day=day, doubtful=True), end
        inner = self._skip(after, joins=True)
        if inner == after or not self._near(inner):
            return None
        if unit is Unit.WEEK:
            found = self._value(inner)
            if found is not None and found[0].kind is Kind.DAY and not found[0].last_day:
                return replace(found[0], shapes=(lambda span: week_span(span[0]),)), found[1]
        if unit is Unit.MONTH and self._entry(inner).month:
            found = self._month(inner)
            if found is not None and found[0].kind is Kind.MONTH and not found[0].shy:
                return replace(found[0], doubtful=False), found[1]
        return None

    def _season(self, place: int) -> Parsed:
        """ "summer 2025", "летом прошлого года", "verano pasado"."""
        entry = self._entry(place)
        year, after = self._year_after(place + 1, abbreviated=False)
        moment = Moment(Kind.SEASON, year=year, part_of_year=entry.season)
        if year is None:
            moment.doubtful = not entry.clear
            if shift := self._shift_after(after):
                moment.shift = shift
                moment.doubtful = False
                after += 1
        return moment, after

    def _quarter(self, place: int) -> Parsed:
        """ "Q3 2025", "H1 2025"."""
        entry = self._entry(place)
        year, after = self._year_after(place + 1, abbreviated=False)
        if entry.half:
            if year is None:
                return None
            return Moment(Kind.YEAR, year=year, shapes=(partial(nth_half, n=entry.half),)), after
        doubtful = year is None and (self._log or self._at(place).low[0] != "q")
        return Moment(Kind.QUARTER, year=year, part_of_year=entry.quarter, doubtful=doubtful), after

    def _numbered_quarter(self, place: int) -> Parsed:
        """ "3 квартал 2025", "2025 Q3"."""
        token = self._at(place)
        following = self._entry(place + 1)
        if not self._near(place + 1):
            return None
        if self._is_year(place) and following.quarter:
            return Moment(
                Kind.QUARTER, year=token.number, part_of_year=following.quarter
            ), place + 2
        if following.unit is Unit.QUARTER and 1 <= token.number <= 4:
            year, after = self._year_after(place + 2, abbreviated=False)
            if year is None and self._at(place + 1).low.isascii():
                return None  # basketball has a fourth quarter too
            return Moment(
                Kind.QUARTER, year=year, part_of_year=token.number, doubtful=year is None
            ), after
        return None

    def _year(self, place: int) -> Parsed:
        """A year alone; it needs a word before it, except where a query says just that."""
        if not self._is_year(place):
            return None
        token = self._at(place)
        after = self._after_year(place)
        certain = token.year_mark or after > place + 1
        if not certain:
            following = self._at(after)
            hyphen = following.gap is Gap.DASH and following.tight and following.low
            if hyphen and not self._entry(after).now:
                return None  # "2023-edition"
        return Moment(Kind.YEAR, year=token.number, doubtful=not certain), after

    def _day_of_month(self, place: int) -> Parsed:
        """ "on the 27th", "27 числа"."""
        if not self._is_day(place):
            return None
        after = place + 1
        certain = self._near(after) and self._entry(after).day_word and self._is_day_word(after)
        if certain:
            after += 1
        elif not self._at(place).ordinal or self._content_follows(after) or self._counts(place):
            return None
        return Moment(Kind.DAY_OF_MONTH, day=self._at(place).number, doubtful=not certain), after

    def _is_day_word(self, place: int) -> bool:
        """Whether a word after a number makes it a day of the month, as Russian does."""
        return not self._at(place).low.isascii() and self._entry(place).unit is None

    # Distances

    def _quantity(self, place: int) -> _Quantity | None:
        """ "two weeks", "10 days", "несколько дней", "5–6 months", "two or three years"."""
        least = most = self._count(place)
        if least is None or most is None:
            return None
        after = place + 1
        if self._at(after).gap is Gap.DASH:
            most, after = self._count(after), after + 1
        elif self._near(after) and self._entry(after).or_:
            most, after = self._count(after + 1), after + 2
        unit = self._entry(after).unit
        if most is None or unit not in _AGO_UNITS or not self._near(after):
            return None
        if least == FEW:
            least, most = 2, 4
        return _Quantity(min(least, most), max(least, most), unit, after + 1)

    def _count(self, place: int) -> int | None:
        """A number that counts something, in digits or as a word."""
        token = self._at(place)
        if token.number > 0 and not token.ordinal and not token.glued:
            return token.number
        return self._entry(place).count

    def _distance(self, place: int) -> Parsed:
        """ "two weeks ago", "10 days from now"."""
        quantity = self._quantity(place)
        if quantity is None or not self._near(quantity.after):
            return None
        after = quantity.after
        if self._entry(after).ago:
            return self._away(quantity, -1), after + 1
        if self._entry(after).hence:
            return self._away(quantity, 1), after + 1
        return None

    def _distance_after(self, place: int) -> Parsed:
        """ "hace dos semanas", "in two weeks", "через неделю", "within two weeks"."""
        entry = self._entry(place)
        after = place + 1
        if not self._near(after):
            return None
        quantity = self._quantity(after)
        if quantity is None:
            unit = self._entry(after).unit
            bare = unit is Unit.HALF_YEAR or not self._at(place).low.isascii()
            if unit not in _COUNTED_UNITS or not bare:
                return None
            quantity = _Quantity(1, 1, unit, after + 1)
        end = quantity.after
        if entry.ago_before:
            return self._away(quantity, -1), end
        if self._entry(end).ago or self._entry(end).hence:
            return None
        if self._entry(place - 1).measure or (self._log and self._cue(place, place) is Tense.PAST):
            return None  # "learned it in two weeks" is how long, not when
        if entry.within:
            span = self._rolling(quantity.unit, quantity.typical, Shift.NEXT)
            return Moment(Kind.SPAN, span=span), end
        return self._away(quantity, 1), end

    def _away(self, quantity: _Quantity, direction: int) -> Moment:
        """The day so far away, or the days between two such distances."""
        near = self._moved(quantity.unit, direction * quantity.least)
        far = self._moved(quantity.unit, direction * quantity.most)
        if near is None or far is None:
            return Moment(Kind.SPAN)
        return Moment(Kind.SPAN, span=(min(near[0], far[0]), max(near[1], far[1])))

    def _moved(self, unit: Unit, count: int) -> Span | None:
        """The day that many units away; None without an anchor or beyond the calendar."""
        if self._anchor is None:
            return None
        try:
            if unit is Unit.WEEKEND:
                return weekend_span(self._anchor + timedelta(days=count * 7))
            if unit is Unit.DAY or unit is Unit.WEEK:
                day = self._anchor + timedelta(days=count * (7 if unit is Unit.WEEK else 1))
            else:
                months = _MONTHS_OF_UNIT[unit]
                day = add_months(self._anchor, count * months)
        except (ValueError, OverflowError):
            return None
        return day, day

    def _rolling(self, unit: Unit, count: int, shift: Shift) -> Span | None:
        """The days between the anchor and so many units before or after it."""
        moved = self._moved(unit, count if shift is Shift.NEXT else -count)
        if moved is None or self._anchor is None:
            return None
        return min(moved[0], self._anchor), max(moved[0], self._anchor)

    def _period(self, unit: Unit, shift: Shift) -> Span | None:
        """The calendar period before, around or after the anchor."""
        if self._anchor is None:
            return None
        if shift is Shift.PAST and unit is not Unit.WEEKEND:
            return self._rolling(unit, 1, shift)
        step = _STEP[shift]
        moved = self._moved(unit, step)
        if moved is None:
            return None
        day = moved[0]
        try:
            if unit is Unit.WEEK:
                return week_span(day)
            if unit is Unit.WEEKEND:
                return moved
            if unit is Unit.MONTH:
                return months_span(day.year, day.month)
            if unit is Unit.QUARTER:
                return quarter_span(day.year, (day.month + 2) // 3)
            return year_span(day.year)
        except (ValueError, OverflowError):
            return None


def _of_year(moment: Moment) -> bool:
    return moment.kind is Kind.YEAR and moment.doubtful


def _swallowed(after: int) -> tuple[Moment, int]:
    """Something that looks like a time and is none."""
    return Moment(Kind.SPAN), after


def _nth(n: int, entry: Entry, count: int) -> Shape | None:
    """What "the first two weeks of" does to a span."""
    if entry.unit is Unit.DAY:
        return partial(nth_days, n=n, days=1, count=count)
    if entry.unit is Unit.WEEK:
        return partial(nth_days, n=n, days=7, count=count)
    if entry.unit is Unit.MONTH:
        return partial(nth_months, n=n, months=1, count=count)
    if entry.unit is Unit.QUARTER:
        return partial(nth_months, n=n, months=3, count=count)
    if entry.unit is Unit.HALF:
        return partial(nth_half, n=n)
    if entry.unit is Unit.WEEKEND:
        return partial(nth_weekday, n=n, weekday=5, days=2)
    if entry.weekday is not None:
        return partial(nth_weekday, n=n, weekday=entry.weekday)
    return None
