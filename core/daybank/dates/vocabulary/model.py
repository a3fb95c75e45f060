"""What a language has to say about time: the shape of its word lists."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum

FEW = 0
"""The count of "a few", "unos", "несколько", "ilang"."""


class Unit(Enum):
    """A length of time that is counted, or a period that is named."""

    DAY = "day"
    WEEK = "week"
    WEEKEND = "weekend"
    MONTH = "month"
    QUARTER = "quarter"
    HALF = "half"
    HALF_YEAR = "half-year"
    YEAR = "year"


class Shift(Enum):
    """Which of the periods around the anchor."""

    LAST = "last"  # the one before
    PAST = "past"  # with a unit: the days up to now, not the calendar period
    THIS = "this"
    NEXT = "next"


class Lead(Enum):
    """What a word before a time makes of it."""

    AT = "at"
    FROM = "from"  # a range is to come; alone it says no more than "at"
    BETWEEN = "between"
    SINCE = "since"
    AFTER = "after"
    BEFORE = "before"
    UNTIL = "until"
    BY = "by"
    AROUND = "around"
    UP_TO = "up to"  # Russian "до": takes a day in, leaves a month or a year out


class Kind(Enum):
    """What a time names, and so what a lead word can vouch for."""

    SPAN = "span"
    DAY = "day"
    DAY_OF_MONTH = "day of month"
    WEEKDAY = "weekday"
    MONTH = "month"
    QUARTER = "quarter"
    SEASON = "season"
    YEAR = "year"


class Tense(Enum):
    """What a verb near a time tells about which Friday is meant."""

    PAST = "past"
    SURELY_PAST = "surely past"  # a word such as "since" says so, not just a verb nearby
    FUTURE = "future"


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """One language's words. Forms stand in one string with spaces between; ``_`` is a space inside.

    All forms are written in lower case and in NFC.
    """

    months: tuple[str, ...]
    """January first, every written form including abbreviations."""
    weekdays: tuple[str, ...]
    """Monday first."""
    seasons: tuple[str, ...]
    """Spring, summer, autumn, winter."""
    units: Mapping[Unit, str]
    plurals: str
    """Units that say "a few" by themselves: "the coming weeks"."""
    numbers: Mapping[int, str]
    ordinals: Mapping[int, str]
    """``-1`` is "last", as in "the last week of May"."""
    days: Mapping[int, str]
    """Words for a day by its distance from today."""
    leads: Mapping[Lead, str]
    shifts: Mapping[Shift, str]
    parts: tuple[str, str, str]
    """Early, mid, late."""

    vouches: Mapping[str, frozenset[Kind]] = field(default_factory=dict)
    """Lead words that make only some kinds of doubtful word a time: "in May", but not "on May"."""
    tense_of_lead: Mapping[str, Tense] = field(default_factory=dict)
    """Lead words that tell the tense: "noong Lunes" is past."""

    doubtful: str = ""
    """Forms that are also something else (a name, another word) and need support beside them."""
    names: str = ""
    """Forms that are a person's name when written with a capital."""
    verbs: str = ""
    """Forms that are another word when in lower case: "may", "march", "mar"."""
    month_last: str = ""
    """Forms that, in lower case, are a month only after its day: "3 ago", not "ago 3"."""
    capital: str = ""
    """Forms that mean a weekday when written with a capital and a unit otherwise: "Linggo"."""
    clear_seasons: str = ""
    """Season forms that cannot be anything else and need no support: "летом"."""

    shifts_after: Mapping[Shift, str] = field(default_factory=dict)
    """Shifts that may follow their noun: "la semana pasada"."""
    articles: str = ""
    joins: str = ""
    """What binds a smaller to a larger time: "of", "de", "ng"."""
    ranges: str = ""
    """What stands between the two ends of a range: "to", "al", "по", "hanggang"."""
    ands: str = ""
    ors: str = ""
    """"two or three weeks"."""
    now: str = ""
    """As the second end of a range: "present", "now"."""
    onward: str = ""
    """After a start: "onwards", "en adelante"."""
    ago: str = ""
    ago_before: str = ""
    """"hace dos semanas"."""
    hence: str = ""
    """"two weeks from now"."""
    hence_before: str = ""
    """"in two weeks", "через неделю"."""
    within: str = ""
    """"within two weeks": up to then."""
    year_words: str = ""
    """What may stand beside a year's number: "года", "taong"."""
    day_words: str = ""
    """What may stand beside a day's number: "día", "числа"."""
    day_ordinals: str = ""
    """Ordinals that are a day of the month without "of": "первое мая"."""
    ordinal_prefixes: str = ""
    """Before a number with a hyphen, "ika-27"."""
    number_prefixes: str = ""
    """The same without making it an ordinal, "mag-2024"."""
    day_parts: str = ""
    """"morning" after a day: consumed, the day stays."""
    every: str = ""
    """Makes what follows a habit, not a date."""
    every_weekday: str = ""
    """The same before a weekday only: "los lunes"."""
    weekday_kinds: str = ""
    """Before a weekday, says of what kind a thing is: "mercado de viernes"."""

    past_words: str = ""
    future_words: str = ""
    past_endings: tuple[str, ...] = ()
    not_past: str = ""
    """Words with such an ending that are no past tense."""
    function_words: str = ""
    """Words that can follow a bare number without being counted by it."""
    measures: str = ""
    """Words counted by the number before them: "27 km" is no day."""
    numbered: str = ""
    """Words that give the number after them: "room 2023" is no year."""
    compounds_before: str = ""
    """"Black" Friday."""
    compounds_after: str = ""
    """Sunday "school"."""
    places_before: str = ""
    """"calle" 27 de noviembre."""
    places_after: str = ""
    """26 July "Street"."""
    modals: str = ""
    """Words after which "last" is a verb: "will last two weeks"."""
    makers: str = ""
    """Words after which "by" names a maker: "written by April"."""
    rivals: str = ""
    """Words of this language whose presence says that ``rivalled`` are not months here."""
    rivalled: str = ""
