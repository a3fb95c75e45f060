"""The words on the time chip."""

from datetime import date

import pytest

from daybank.dates import Interval, describe


@pytest.mark.parametrize(
    ("start", "end", "words"),
    [
        ("2026-11-18", "2026-11-18", "18 Nov 2026"),
        ("2026-11-16", "2026-11-22", "16–22 Nov 2026"),
        ("2025-11-27", "2025-12-01", "27 Nov – 1 Dec 2025"),
        ("2025-12-25", "2026-01-02", "25 Dec 2025 – 2 Jan 2026"),
        ("2025-11-01", "2025-11-30", "Nov 2025"),
        ("2024-02-01", "2024-02-29", "Feb 2024"),
        ("2025-06-01", "2025-08-31", "Jun – Aug 2025"),
        ("2025-12-01", "2026-02-28", "Dec 2025 – Feb 2026"),
        ("2025-01-01", "2025-12-31", "2025"),
        ("2019-01-01", "2023-12-31", "2019–2023"),
        ("2025-01-01", "2025-11-30", "Jan – Nov 2025"),
        ("2025-07-01", None, "since 1 Jul 2025"),
        (None, "2024-06-30", "until 30 Jun 2024"),
    ],
)
def test_the_shortest_unmistakable_wording(start: str | None, end: str | None, words: str) -> None:
    interval = Interval(
        date.fromisoformat(start) if start else None, date.fromisoformat(end) if end else None
    )
    assert describe(interval) == words
