"""``--since`` and ``--until``."""

from datetime import date

import pytest

from daybank.dates import parse_since, parse_until

TODAY = date(2026, 1, 1)


@pytest.mark.parametrize(
    ("text", "since", "until"),
    [
        ("30d", date(2025, 12, 2), date(2025, 12, 2)),
        ("2w", date(2025, 12, 18), date(2025, 12, 18)),
        ("6m", date(2025, 7, 1), date(2025, 7, 1)),
        ("1y", date(2025, 1, 1), date(2025, 1, 1)),
        (" 1 Y ", date(2025, 1, 1), date(2025, 1, 1)),
        ("0d", TODAY, TODAY),
        ("2025-11-27", date(2025, 11, 27), date(2025, 11, 27)),
        ("2025-11", date(2025, 11, 1), date(2025, 11, 30)),
        ("2025", date(2025, 1, 1), date(2025, 12, 31)),
        ("May", date(2025, 5, 1), date(2025, 5, 31)),
        ("may", date(2025, 5, 1), date(2025, 5, 31)),
        ("summer", date(2025, 6, 1), date(2025, 8, 31)),
        ("today", TODAY, TODAY),
        ("last week", date(2025, 12, 22), date(2025, 12, 28)),
        ("Sunday", date(2025, 12, 28), date(2025, 12, 28)),
        ("la semana pasada", date(2025, 12, 22), date(2025, 12, 28)),
        ("27 ноября", date(2025, 11, 27), date(2025, 11, 27)),
    ],
)
def test_a_bound_is_the_first_or_last_day_meant(text: str, since: date, until: date) -> None:
    assert parse_since(text, TODAY) == since
    assert parse_until(text, TODAY) == until


def test_open_ends_have_one_bound() -> None:
    assert parse_since("since July 2025", TODAY) == date(2025, 7, 1)
    assert parse_until("until June 2024", TODAY) == date(2024, 6, 30)
    with pytest.raises(ValueError, match="where to begin, not when to stop"):
        parse_until("since July 2025", TODAY)
    with pytest.raises(ValueError, match="when to stop, not where to begin"):
        parse_since("before 2024", TODAY)


def test_the_28th_of_february_is_six_months_before_the_end_of_august() -> None:
    assert parse_since("6m", date(2025, 8, 31)) == date(2025, 2, 28)


@pytest.mark.parametrize("text", ["", "soon", "11", "2025-13", "2025-02-30", "30x", "-3d", "99999"])
def test_anything_else_is_refused_in_a_sentence(text: str) -> None:
    with pytest.raises(ValueError, match=r"not a day I understand\. Try"):
        parse_since(text, TODAY)


def test_the_calendar_has_a_beginning() -> None:
    with pytest.raises(ValueError, match="further than the calendar"):
        parse_since("999999d", TODAY)
    with pytest.raises(ValueError, match="further than the calendar"):
        parse_since("99999y", TODAY)
