"""Days in file names and headings."""

from datetime import date

import pytest

from daybank.dates import day_in_heading, day_in_name

DAY = date(2025, 11, 27)


@pytest.mark.parametrize(
    "name",
    [
        "2025-11-27.md",
        "2025_11_27.md",
        "2025.11.27.md",
        "20251127.md",
        "2025-11-27-1830.md",
        "2025-11-27-some-topic.md",
        "2025-11-27_some_topic.md",
        "Notes from 2025-11-27 (draft)",
        "mtg20251127b.md",
        "2025-11-27.sync-conflict-20251128-101500-ABCDEFG.md",
        "2025-11-27 (Mara's conflicted copy 2025-11-28).md",
        "2025-02-30 or 2025-11-27",
    ],
)
def test_the_day_in_a_name(name: str) -> None:
    assert day_in_name(name) == DAY


@pytest.mark.parametrize(
    "name",
    [
        "2025-02-30.md",
        "2025-13-01.md",
        "20251327.md",
        "202511271830.md",
        "12025-11-27.md",
        "2025-11-271.md",
        "2025-11_27.md",
        "12345678.md",
        "0000-01-01.md",
        "ideas.md",
        "2025-11.md",
        "",
    ],
)
def test_names_without_a_day(name: str) -> None:
    assert day_in_name(name) is None


@pytest.mark.parametrize(
    "text",
    [
        "2025-11-27",
        "  2025-11-27  ",
        "[[2025-11-27]]",
        "**2025-11-27**",
        "2025-11-27 — Lyon",
        "2025-11-27 - Lyon",
        "2025-11-27: Lyon",
        "2025-11-27 (Thursday)",
        "2025-11-27 Thursday",
        "2025-11-27, Thursday — Lyon",
        "2025-11-27 18:30",
        "2025-11-27T18:30:00Z",
        "Thu 27 Nov 2025",
        "Thursday, 27 November 2025",
        "November 27, 2025",
        "November 27th, 2025 – rain",
        "27/11/2025",
        "27.11.2025",
        "27 ноября 2025",
        "27 ноября 2025 г.",
        "четверг, 27 ноября 2025 года",
        "27 de noviembre de 2025",
        "El jueves 27 de noviembre de 2025",
        "Nobyembre 27, 2025",
    ],
)
def test_the_day_a_heading_is(text: str) -> None:
    assert day_in_heading(text) == DAY


@pytest.mark.parametrize(
    "text",
    [
        "What happened on 27 Nov 2025 in Lyon",
        "On 27 Nov 2025",
        "27 November 2025 was a hard day",
        "2025-11-27 was a hard day",
        "Until 27 Nov 2025",
        "27–29 Nov 2025",
        "2025-11-27 – 2025-12-01",
        "November 2025",
        "2025",
        "27 Nov",
        "yesterday",
        "2025-02-30",
        "Retain",
        "",
    ],
)
def test_headings_that_are_no_day(text: str) -> None:
    assert day_in_heading(text) is None
