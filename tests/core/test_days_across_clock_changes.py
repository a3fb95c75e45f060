"""A day is a calendar day, also where the clock is put forward or back (report A18)."""

from __future__ import annotations

from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from core_tools import MakeWorkspace

from daybank import FixedClock

BERLIN = ZoneInfo("Europe/Berlin")
SPRING = [date(2026, 3, 27) + timedelta(days=n) for n in range(5)]
AUTUMN = [date(2026, 10, 24) + timedelta(days=n) for n in range(3)]


def logs(days: list[date]) -> dict[str, str]:
    return {f"memory/{day}.md": f"## Retain\n- W @Mara: rested on {day:%A}\n" for day in days}


@pytest.mark.parametrize("days", [SPRING, AUTUMN], ids=["spring", "autumn"])
@pytest.mark.parametrize("hour", [0, 2, 3, 23])
def test_each_calendar_day_is_there_once_and_is_its_files(
    make_workspace: MakeWorkspace, days: list[date], hour: int
) -> None:
    clock = FixedClock(datetime(days[-1].year, days[-1].month, days[-1].day, hour, tzinfo=BERLIN))
    ws = make_workspace(logs(days), clock=clock)
    assert [(entry.day, entry.path) for entry in ws.days()] == [
        (day, f"memory/{day}.md") for day in days
    ]
    found = ws.recall("rested", since=days[0], until=days[-1]).results
    assert sorted(result.day for result in found if result.day) == days
    assert all(str(result.day) in result.source.path for result in found)


@pytest.mark.parametrize("day", [date(2026, 3, 29), date(2026, 10, 25)])
def test_a_window_of_the_day_the_clock_changes_holds_that_day_alone(
    make_workspace: MakeWorkspace, day: date
) -> None:
    clock = FixedClock(datetime(2026, 11, 26, 12, tzinfo=BERLIN))
    ws = make_workspace(logs([*SPRING, *AUTUMN]), clock=clock)
    assert [result.day for result in ws.recall("rested", since=day, until=day).results] == [day]


def test_no_day_and_one_day(make_workspace: MakeWorkspace) -> None:
    empty = make_workspace({}, name="empty")
    assert empty.days() == ()
    assert (empty.overview().first_day, empty.overview().last_day) == (None, None)
    one = make_workspace(logs([date(2026, 3, 29)]), name="one")
    overview = one.overview()
    assert overview.days == 1
    assert overview.first_day == overview.last_day == date(2026, 3, 29)


def test_the_days_beside_a_day_are_those_that_have_a_log(make_workspace: MakeWorkspace) -> None:
    files = {
        "memory/2026-03-27.md": "- one\n",
        "memory/2026-03-29.md": "- two\n",
        "memory/2026-03-29-evening.md": "- three\n",
        "memory/2026-04-02.md": "- four\n",
        "notes/plan.md": "- no log\n",
    }
    ws = make_workspace(files)

    def beside(day: date) -> tuple[str, str]:
        before, after = ws.days_beside(day)
        return before.path if before else "", after.path if after else ""

    assert beside(date(2026, 3, 30)) == ("memory/2026-03-29.md", "memory/2026-04-02.md")
    assert beside(date(2026, 3, 29)) == ("memory/2026-03-27.md", "memory/2026-04-02.md")
    assert beside(date(2026, 3, 27)) == ("", "memory/2026-03-29-evening.md")
    assert beside(date(2026, 5, 1)) == ("memory/2026-04-02.md", "")
    assert make_workspace({}, name="empty").days_beside(date(2026, 5, 1)) == (None, None)
