"""The tables of ``dates_tables``, row by row."""

from datetime import date

import pytest
from dates_tables import (
    ENGLISH_LOG,
    FILIPINO_LOG,
    LOG_DAY,
    NO_DATES,
    NO_DATES_IN_A_LOG,
    QUERIES,
    RUSSIAN_LOG,
    SPANISH_LOG,
)

from daybank.dates import DatePhrase, Mood, find_dates

ALL_LOGS = ENGLISH_LOG + SPANISH_LOG + RUSSIAN_LOG + FILIPINO_LOG


def meant(phrases: tuple[DatePhrase, ...]) -> str:
    """What was understood, in the tables' notation."""
    shown = []
    for phrase in phrases:
        start, end = phrase.interval.start, phrase.interval.end
        shown.append(str(start) if start == end else f"{start or ''}..{end or ''}")
    return "; ".join(shown) or "-"


def read(text: str, day: str, mood: Mood) -> str:
    return meant(find_dates(text, date.fromisoformat(day), mood=mood))


@pytest.mark.parametrize(("text", "expected"), ALL_LOGS)
def test_a_log_means(text: str, expected: str) -> None:
    assert read(text, LOG_DAY, Mood.LOG) == expected


@pytest.mark.parametrize(("text", "day", "expected"), QUERIES)
def test_a_query_means(text: str, day: str, expected: str) -> None:
    assert read(text, day, Mood.QUERY) == expected


@pytest.mark.parametrize("mood", list(Mood))
@pytest.mark.parametrize("text", NO_DATES)
def test_ordinary_words_and_numbers_are_no_dates(text: str, mood: Mood) -> None:
    assert read(text, LOG_DAY, mood) == "-"


@pytest.mark.parametrize("text", NO_DATES_IN_A_LOG)
def test_some_are_dates_in_a_query_only(text: str) -> None:
    assert read(text, LOG_DAY, Mood.LOG) == "-"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("away 25 Dec – 2 Jan 2026", "2025-12-25..2026-01-02"),
        ("shut Dec 23 until Jan 8", "2025-12-23..2026-01-08"),
        ("back on Jan 5", "2026-01-05"),
        ("in January", "2026-01-01..2026-01-31"),
    ],
)
def test_a_log_in_december_looks_over_new_year(text: str, expected: str) -> None:
    assert read(text, "2025-12-20", Mood.LOG) == expected


@pytest.mark.parametrize(
    ("day", "expected"),
    [
        ("2025-02-10", "2025-09-26..2025-09-27"),
        ("2025-11-27", "2025-09-26..2025-09-27"),
        ("2026-01-03", "2025-09-26..2025-09-27"),
    ],
)
def test_a_day_without_a_year_stays_in_the_logs_own_year(day: str, expected: str) -> None:
    assert read("(Sept 26-27) in Lyon", day, Mood.LOG) == expected


def test_without_an_anchor_only_absolute_dates_are_found() -> None:
    text = "yesterday, last week, May 5, in June; 27 Nov 2025, since 2024"
    assert meant(find_dates(text, None, mood=Mood.LOG)) == "2025-11-27; 2024-01-01.."


def test_a_phrase_stands_where_it_says() -> None:
    text = "İpek 🚀 was in Lyon (Sept 26–27, 2025) 和 since July 2025."
    phrases = find_dates(text, None, mood=Mood.LOG)
    assert [phrase.phrase for phrase in phrases] == ["Sept 26–27, 2025", "since July 2025"]
    assert all(text[phrase.start : phrase.end] == phrase.phrase for phrase in phrases)


def test_nothing_is_rolled_over() -> None:
    for text in ("31 June 2025", "Feb 29, 2025", "2025-02-30", "31/04/2025", "30 февраля 2025"):
        assert read(text, LOG_DAY, Mood.LOG) == "-"


@pytest.mark.parametrize("dash", ["-", "–", "—", "−", "‑", " - ", " – ", " — ", " to ", " until "])
def test_every_dash_means_the_same(dash: str) -> None:
    assert read(f"Nov 27{dash}Dec 1, 2025", LOG_DAY, Mood.LOG) == "2025-11-27..2025-12-01"
    assert read(f"March 9{dash}13, 2026", LOG_DAY, Mood.LOG) == "2026-03-09..2026-03-13"
    assert read(f"9{dash}13 March 2026", LOG_DAY, Mood.LOG) == "2026-03-09..2026-03-13"
