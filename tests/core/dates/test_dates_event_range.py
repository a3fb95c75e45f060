"""One event range a fact."""

from datetime import date

import pytest

from daybank.dates import Interval, Mood, event_range

DAY = date(2025, 11, 20)


@pytest.mark.parametrize(
    ("text", "start", "end"),
    [
        ("working at the bakery since July 2025", date(2025, 7, 1), None),
        ("left the bakery; until June 2024 at the museum", None, date(2024, 6, 30)),
        ("in Lyon (Sept 26-27)", date(2025, 9, 26), date(2025, 9, 27)),
        ("started 3 May 2025, ended 9 June 2025", date(2025, 5, 3), date(2025, 6, 9)),
        ("ended 9 June 2025, started 3 May 2025", date(2025, 5, 3), date(2025, 6, 9)),
        ("met 3 May 2025, together since July 2025", date(2025, 5, 3), None),
        ("since 3 May 2025, but only until 9 June 2025", date(2025, 5, 3), date(2025, 6, 9)),
    ],
)
def test_the_range_a_text_speaks_of(text: str, start: date | None, end: date | None) -> None:
    assert event_range(text, DAY) == Interval(start, end)


def test_no_time_no_range() -> None:
    assert event_range("Mara at 7 pm", DAY) is None
    assert event_range("yesterday", None) is None


def test_december_is_in_since_july_and_june_is_not() -> None:
    bakery = event_range("working at the bakery since July 2025", DAY)
    december = event_range("in December 2025", date(2026, 1, 1), Mood.QUERY)
    june = event_range("in June 2025", date(2026, 1, 1), Mood.QUERY)
    assert bakery is not None
    assert december is not None
    assert june is not None
    assert bakery.overlaps(december)
    assert not bakery.overlaps(june)


def test_years_leave_out_and_take_in_their_ends() -> None:
    days = [date(2023, 12, 31), date(2024, 1, 1), date(2024, 6, 30)]

    def found(query: str) -> list[date]:
        interval = event_range(query, date(2026, 1, 1), Mood.QUERY)
        assert interval is not None
        return [day for day in days if day in interval]

    assert found("after 2023") == days[1:]
    assert found("since 2023") == days
    assert found("before 2024") == days[:1]
    assert found("until June 2024") == days
