"""One value of the grammar: "27 Nov", "last May", "the first week of June", "two weeks ago".

Each form has a method that answers with the moment and the place of the token after it, or None.
The order in ``_value`` decides where two forms begin alike.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import date
from functools import partial

from daybank.dates.around import STEP, Around
from daybank.dates.lexicon import FIRST_YEAR, LAST_YEAR, Entry
from daybank.dates.moments import Moment, Shape
from daybank.dates.mood import Mood
from daybank.dates.reading import NOTHING, Reader
from daybank.dates.spans import (
    nth_days,
    nth_half,
    nth_months,
    nth_weekday,
    third,
    week_span,
    weekend_span,
)
from daybank.dates.tokens import Gap, Token
from daybank.dates.vocabulary import FEW, Kind, Lead, Shift, Tense, Unit

Parsed = tuple[Moment, int] | None
"""A value and the place of the token after it."""

_COUNTED_UNITS = frozenset(Unit) - {Unit.WEEKEND, Unit.HALF}
_AGO_UNITS = _COUNTED_UNITS | {Unit.WEEKEND}
_NAMED_UNITS = frozenset({Unit.WEEK, Unit.WEEKEND, Unit.MONTH, Unit.QUARTER, Unit.YEAR})
_DEEPEST = 4
"""How far "the end of the first week of" may nest."""


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


class Values(Reader):
    """Reads the values of one text."""

    def __init__(
        self, tokens: list[Token], anchor: date | None, mood: Mood, *, trusted: bool
    ) -> None:
        """``trusted`` says that the text is known to be a time, so nothing in it is doubtful."""
        super().__init__(tokens)
        self._anchor = anchor
        self._around = Around(anchor)
        self._log = mood is Mood.LOG
        self._trusted = trusted
        self._depth = 0

    def _value(self, place: int) -> Parsed:
        """The time that begins at a place, if one does."""
        token = self._at(place)
        if token.written is not None:
            return self._written(place)
        if token.number >= 0:
            return self._number(place)
        if token.entry is None or self._depth == _DEEPEST:
            return None
        self._depth += 1
        found = self._worded(place, token.entry)
        self._depth -= 1
        return found

    def _worded(self, place: int, entry: Entry) -> Parsed:
        """A value that begins with a word."""
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
            return self._anchor.year + STEP[entry.shift], place + 2
        if entry.unit is Unit.YEAR and (shift := self._shift_after(place + 1)):
            return self._anchor.year + STEP[shift], place + 2
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
        span = self._around.moved(Unit.DAY, offset)
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
                span = self._around.period(unit, Shift.THIS)
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
                span = self._around.period(unit, Shift.THIS)
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
        before = self._entry(place - 1) if self._near(place) else NOTHING
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
            span = self._around.rolling(quantity.unit, quantity.typical, shift)
            return Moment(Kind.SPAN, span=span), quantity.after
        if entry.plural and entry.unit in _COUNTED_UNITS:
            if shift is Shift.THIS:
                return None
            return Moment(Kind.SPAN, span=self._around.rolling(entry.unit, 3, shift)), after + 1
        if self._entry(place).ordinal and before.article and self._entry(place - 2).lead:
            shift = Shift.PAST  # "last week" was Monday to Sunday, "in the last week" is up to now
        if entry.unit in _NAMED_UNITS and not (entry.capital and self._at(after).capital):
            return Moment(Kind.SPAN, span=self._around.period(entry.unit, shift)), after + 1
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
            return Moment(Kind.SPAN, span=self._around.period(unit, shift)), after + 1
        if unit is Unit.WEEKEND and not entry.plural:
            saturday = Moment(Kind.WEEKDAY, weekday=5, doubtful=True)
            saturday.shapes = (lambda span: weekend_span(span[0]),)
            return saturday, after
        if self._near(after) and self._entry(after).ago and unit in _COUNTED_UNITS:
            return Moment(Kind.SPAN, span=self._around.moved(unit, -1)), after + 1
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
            span = self._around.rolling(quantity.unit, quantity.typical, Shift.NEXT)
            return Moment(Kind.SPAN, span=span), end
        return self._away(quantity, 1), end

    def _away(self, quantity: _Quantity, direction: int) -> Moment:
        """The day so far away, or the days between two such distances."""
        near = self._around.moved(quantity.unit, direction * quantity.least)
        far = self._around.moved(quantity.unit, direction * quantity.most)
        if near is None or far is None:
            return Moment(Kind.SPAN)
        return Moment(Kind.SPAN, span=(min(near[0], far[0]), max(near[1], far[1])))


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
