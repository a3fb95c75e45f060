"""The day on a card is the day in the file's name, whatever the clock did that night (A18)."""

from __future__ import annotations

from datetime import date, timedelta

import pytest

from daybank_desktop import phrases


@pytest.mark.parametrize("zone", ["Europe/Berlin", "America/New_York", "Pacific/Apia"])
@pytest.mark.parametrize("first", [date(2026, 3, 27), date(2026, 10, 23)])
def test_a_shown_day_is_the_files_day(
    monkeypatch: pytest.MonkeyPatch, zone: str, first: date
) -> None:
    monkeypatch.setenv("TZ", zone)
    for day in (first + timedelta(days=n) for n in range(5)):
        shown = phrases.day_with_weekday(day)
        assert shown == f"{day:%a} {day.day} {day:%b} {day.year}"
