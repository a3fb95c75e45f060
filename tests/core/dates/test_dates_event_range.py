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


DECEMBER = Interval.day(date(2026, 12, 1))  # a Tuesday
AUGUST = Interval(date(2026, 8, 1), date(2026, 8, 28))


@pytest.mark.parametrize(
    "text",
    [
        "Tuesday, 1 December: first Tuesday flour delivery",
        "Tuesday: 1 December, flour delivery",
        "Flour on 1 December (Tuesday)",
        "Flour on 1 December, a Tuesday",
        "Tuesday flour delivery on 1 December",
        "Every Tuesday flour, next on 1 December",
        "1 December: flour, no Saturday mornings any more",
        "martes, 1 de diciembre: primer martes de harina",
        "1 de diciembre (martes): harina, los martes también",
        "вторник, 1 декабря: первый вторник с мукой",
        "Вторник: 1 декабря, мука по вторникам",
        "Martes, ika-1 ng Disyembre: unang Martes ng harina",
        "ika-1 ng Disyembre (Martes): harina tuwing Martes",
    ],
)
def test_a_weekday_beside_its_date_adds_no_other_day(text: str) -> None:
    assert event_range(text, date(2026, 11, 27)) == DECEMBER


@pytest.mark.parametrize(
    "text",
    [
        "Extra Friday markets in August 2026, until the 28th",
        "Extra Friday market in August 2026, until the 28th",
        "Fridays in August 2026 (by the harbour), until the 28th",
        "mercados de viernes en agosto de 2026, hasta el 28",
        "ярмарки по пятницам в августе 2026, до 28 числа",
        "palengke tuwing Biyernes sa Agosto 2026, hanggang ika-28",
    ],
)
def test_until_a_day_beside_a_month_is_a_day_of_that_month(text: str) -> None:
    assert event_range(text, date(2026, 7, 20)) == AUGUST


@pytest.mark.parametrize(
    ("text", "start", "end"),
    [
        ("Left Friday, back 5 December", date(2026, 11, 27), date(2026, 12, 5)),
        ("Met Mara on Tuesday to plan 8 December", date(2026, 11, 24), date(2026, 12, 8)),
        ("Friday markets were full", date(2026, 11, 27), date(2026, 11, 27)),
        ("The fair opens 12 December. Met Mara Friday", date(2026, 11, 27), date(2026, 12, 12)),
        ("in Lyon from 30 November, home until the 3rd", date(2026, 11, 30), date(2026, 12, 3)),
    ],
)
def test_a_weekday_that_is_a_day_of_its_own_stays_one(text: str, start: date, end: date) -> None:
    assert event_range(text, date(2026, 11, 27)) == Interval(start, end)


def test_an_hour_beside_a_month_is_no_day_of_it() -> None:
    december = Interval(date(2026, 12, 1), date(2026, 12, 31))
    assert event_range("открыто в декабре 2026 до 18", DAY) == december
    assert event_range("open in December 2026 until 6", DAY) == december


def test_saturday_mornings_are_no_day() -> None:
    assert event_range("closed on Saturday mornings", DAY) is None
