"""What holds for every text."""

import locale
from datetime import date

import pytest
from dates_tables import ENGLISH_LOG, FILIPINO_LOG, NO_DATES, RUSSIAN_LOG, SPANISH_LOG
from hypothesis import given, settings
from hypothesis import strategies as st

from daybank.dates import (
    Interval,
    Mood,
    day_in_heading,
    day_in_name,
    describe,
    event_range,
    find_dates,
    parse_since,
    parse_until,
)
from daybank.dates.lexicon import LEXICON

_TABLES = ENGLISH_LOG + SPANISH_LOG + RUSSIAN_LOG + FILIPINO_LOG
_WORDS = sorted(LEXICON.entries)
_GLUE = [" ", " ", " ", "-", "–", " – ", ", ", ". ", "/", "\n", ""]
_NUMBERS = st.one_of(
    st.integers(0, 40).map(str),
    st.integers(1800, 2200).map(str),
    st.integers(0, 99999).map(str),
    st.dates().map(str),
    st.sampled_from(["1st", "27th", "27-го", "1.º", "ika-27", "7:30", "3.11", "27.11.2025"]),
)

any_text = st.text(max_size=200)
time_words = st.lists(
    st.tuples(
        st.one_of(
            st.sampled_from(_WORDS),
            st.sampled_from(_WORDS).map(str.capitalize),
            _NUMBERS,
            st.sampled_from([text for text, _ in _TABLES] + NO_DATES),
        ),
        st.sampled_from(_GLUE),
    ),
    max_size=12,
).map(lambda pairs: "".join(word + glue for word, glue in pairs))
texts = st.one_of(any_text, time_words)
anchors = st.one_of(
    st.none(),
    st.dates(),
    st.dates(date(2020, 1, 1), date(2030, 1, 1)),
    st.sampled_from([date.min, date.max]),
)
moods = st.sampled_from(Mood)


@settings(max_examples=500, deadline=None)
@given(texts, anchors, moods)
def test_phrases_are_in_order_and_stand_where_they_say(
    text: str, anchor: date | None, mood: Mood
) -> None:
    phrases = find_dates(text, anchor, mood=mood)
    end = 0
    for phrase in phrases:
        assert end <= phrase.start < phrase.end <= len(text)
        assert text[phrase.start : phrase.end] == phrase.phrase
        end = phrase.end
        interval = phrase.interval
        assert interval.start is None or interval.end is None or interval.start <= interval.end
        assert describe(interval)
    assert find_dates(text, anchor, mood=mood) == phrases


@settings(max_examples=300, deadline=None)
@given(texts, anchors, moods)
def test_an_event_range_covers_its_phrases(text: str, anchor: date | None, mood: Mood) -> None:
    phrases = find_dates(text, anchor, mood=mood)
    covered = event_range(text, anchor, mood)
    assert (covered is None) == (not phrases)
    if covered is not None:
        assert all(covered.overlaps(phrase.interval) for phrase in phrases)


@pytest.mark.parametrize("text", [text for text, _ in _TABLES])
def test_an_absolute_phrase_means_the_same_alone(text: str) -> None:
    for phrase in find_dates(text, None, mood=Mood.LOG):
        alone = find_dates(phrase.phrase, None, mood=Mood.LOG)
        assert [other.interval for other in alone] == [phrase.interval]


@settings(max_examples=200, deadline=None)
@given(texts)
def test_names_and_headings_never_raise(text: str) -> None:
    day_in_name(text)
    day_in_heading(text)


@settings(max_examples=200, deadline=None)
@given(texts, st.dates())
def test_bounds_raise_nothing_but_value_errors(text: str, today: date) -> None:
    for parse in (parse_since, parse_until):
        try:
            parse(text, today)
        except ValueError:
            continue


@pytest.mark.parametrize(
    "words",
    [
        "early ",
        "last week of ",
        "the end of the first week of ",
        "Thu 27 – ",
        "may-",
        "1-",
        "since ",
    ],
)
def test_endless_nesting_neither_recurses_nor_crawls(words: str) -> None:
    find_dates(words * 5_000 + "May 2025", date(2025, 11, 20), mood=Mood.LOG)


@given(st.dates(), st.dates())
def test_every_interval_can_be_described(one: date, other: date) -> None:
    assert describe(Interval(min(one, other), max(one, other)))


@pytest.mark.parametrize("name", ["C", "C.UTF-8", "ru_RU.UTF-8", "es_ES.UTF-8", "tr_TR.UTF-8"])
def test_the_locale_changes_nothing(name: str) -> None:
    before = locale.setlocale(locale.LC_ALL)
    expected = [find_dates(text, date(2025, 11, 20), mood=Mood.LOG) for text, _ in _TABLES]
    try:
        locale.setlocale(locale.LC_ALL, name)
    except locale.Error:
        pytest.skip(f"{name} is not installed here")
    try:
        found = [find_dates(text, date(2025, 11, 20), mood=Mood.LOG) for text, _ in _TABLES]
    finally:
        locale.setlocale(locale.LC_ALL, before)
    assert found == expected
