"""All languages' words in one table, so that a token is looked up once.

A form can mean several things ("linggo" is Sunday and week, "ago" is English and August); an
:class:`Entry` holds all of them and the grammar asks for the one that fits. Built at import and
only read afterwards.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from daybank.dates.vocabulary import LANGUAGES, Kind, Lead, Shift, Tense, Unit, Vocabulary

FIRST_YEAR, LAST_YEAR = 1900, 2100
"""A bare number is a year only between these."""

_ACUTE = str.maketrans("áéíóú", "aeiou")


@dataclass(slots=True, eq=False)
class Entry:
    """What a form can mean. ``None``, 0 and False say: not that."""

    month: int = 0
    weekday: int | None = None
    season: int = 0
    quarter: int = 0
    half: int = 0
    unit: Unit | None = None
    count: int | None = None
    ordinal: int = 0
    offset: int | None = None
    lead: Lead | None = None
    vouches: frozenset[Kind] | None = None
    lead_tense: Tense | None = None
    shift: Shift | None = None
    shift_after: Shift | None = None
    part: int | None = None
    tense: Tense | None = None

    doubtful: bool = False
    plural: bool = False
    name: bool = False
    verb: bool = False
    capital: bool = False
    month_last: bool = False
    clear: bool = False
    full: bool = False
    article: bool = False
    join: bool = False
    to: bool = False
    and_: bool = False
    or_: bool = False
    now: bool = False
    onward: bool = False
    ago: bool = False
    ago_before: bool = False
    hence: bool = False
    hence_before: bool = False
    within: bool = False
    year_word: bool = False
    day_word: bool = False
    day_ordinal: bool = False
    day_part: bool = False
    every: bool = False
    every_weekday: bool = False
    weekday_kind: bool = False
    function: bool = False
    measure: bool = False
    numbered: bool = False
    compound_before: bool = False
    compound_after: bool = False
    place_before: bool = False
    place_after: bool = False
    modal: bool = False
    maker: bool = False
    rival: bool = False
    rivalled: bool = False
    ordinal_prefix: bool = False
    prefix: bool = False

    longer: tuple[tuple[tuple[str, ...], Entry], ...] = ()
    """Longer forms that begin with this word, longest first, and what they mean."""


@dataclass(frozen=True, slots=True)
class Lexicon:
    """The table, and the words without which a text cannot hold a time."""

    entries: dict[str, Entry]
    triggers: frozenset[str]
    past_endings: tuple[str, ...]
    not_past: frozenset[str]


_FLAGS = {
    "articles": "article",
    "joins": "join",
    "ranges": "to",
    "ands": "and_",
    "ors": "or_",
    "now": "now",
    "onward": "onward",
    "ago": "ago",
    "ago_before": "ago_before",
    "hence": "hence",
    "hence_before": "hence_before",
    "within": "within",
    "plurals": "plural",
    "year_words": "year_word",
    "day_words": "day_word",
    "day_ordinals": "day_ordinal",
    "day_parts": "day_part",
    "every": "every",
    "every_weekday": "every_weekday",
    "weekday_kinds": "weekday_kind",
    "doubtful": "doubtful",
    "names": "name",
    "verbs": "verb",
    "capital": "capital",
    "month_last": "month_last",
    "clear_seasons": "clear",
    "function_words": "function",
    "measures": "measure",
    "numbered": "numbered",
    "compounds_before": "compound_before",
    "compounds_after": "compound_after",
    "places_before": "place_before",
    "places_after": "place_after",
    "modals": "modal",
    "makers": "maker",
    "rivals": "rival",
    "ordinal_prefixes": "ordinal_prefix",
    "number_prefixes": "prefix",
    "rivalled": "rivalled",
}


class _Builder:
    def __init__(self) -> None:
        self.forms: dict[tuple[str, ...], Entry] = {}
        self.triggers: set[str] = set()

    def entry(self, form: str) -> Entry:
        return self.forms.setdefault(tuple(form.split("_")), Entry())

    def add(self, language: Vocabulary) -> None:
        """One language's words; where two disagree, the earlier language keeps its meaning."""
        self._tell("month", enumerate(language.months, 1), trigger=True)
        self._tell("weekday", enumerate(language.weekdays), trigger=True)
        self._tell("season", enumerate(language.seasons, 1), trigger=True)
        self._tell("unit", language.units.items(), trigger=True)
        self._tell("offset", language.days.items(), trigger=True)
        self._tell("count", language.numbers.items())
        self._tell("ordinal", language.ordinals.items())
        self._tell("lead", language.leads.items())
        self._tell("shift", language.shifts.items())
        self._tell("shift_after", language.shifts_after.items())
        self._tell("part", enumerate(language.parts))
        self._tell("tense", [(Tense.PAST, language.past_words)])
        self._tell("tense", [(Tense.FUTURE, language.future_words)])
        for source, flag in _FLAGS.items():
            for form in _spellings(getattr(language, source)):
                setattr(self.entry(form), flag, True)
        for form, kinds in language.vouches.items():
            self.entry(form.replace(" ", "_")).vouches = kinds
        for form, tense in language.tense_of_lead.items():
            self.entry(form.replace(" ", "_")).lead_tense = tense
        for forms in (*language.months, *language.weekdays):
            self.entry(forms.split()[0]).full = True

    def _tell(
        self, name: str, meanings: Iterable[tuple[object, str]], *, trigger: bool = False
    ) -> None:
        for value, forms in meanings:
            for form in _spellings(forms):
                entry = self.entry(form)
                if getattr(entry, name) in (None, 0) and value is not getattr(entry, name):
                    setattr(entry, name, value)
                if trigger:
                    self.triggers.add(form.split("_")[-1])


def _spellings(forms: str) -> list[str]:
    """The forms, and those of Spanish without their acute accents."""
    listed = forms.split()
    return listed + [
        bare
        for form in listed
        if (bare := form.translate(_ACUTE)) != form and form not in ("esté", "ó")
    ]


def _build() -> Lexicon:
    builder = _Builder()
    for language in LANGUAGES:
        builder.add(language)
    for n in (1, 2, 3, 4):
        for letter in "qt":
            builder.entry(f"{letter}{n}").quarter = n
            builder.triggers.add(f"{letter}{n}")
    for n in (1, 2):
        builder.entry(f"h{n}").half = n
        builder.triggers.add(f"h{n}")

    entries = {words[0]: entry for words, entry in builder.forms.items() if len(words) == 1}
    longer: dict[str, list[tuple[tuple[str, ...], Entry]]] = {}
    for words, entry in builder.forms.items():
        if len(words) > 1:
            longer.setdefault(words[0], []).append((words[1:], entry))
    for first, tails in longer.items():
        tails.sort(key=lambda tail: len(tail[0]), reverse=True)
        entries.setdefault(first, Entry()).longer = tuple(tails)

    triggers = builder.triggers
    triggers.update(str(year) for year in range(1800, 2200))
    triggers.update(f"{year}г" for year in range(FIRST_YEAR, LAST_YEAR + 1))
    for day in range(1, 32):
        triggers.update(f"{day}{ending}" for ending in ("st", "nd", "rd", "th", "го"))
    triggers.update(("ika", "го", "числа"))
    return Lexicon(
        entries=entries,
        triggers=frozenset(triggers),
        past_endings=tuple(ending for language in LANGUAGES for ending in language.past_endings),
        not_past=frozenset(word for language in LANGUAGES for word in language.not_past.split()),
    )


LEXICON = _build()
