"""A year on a computer that sleeps, is switched off, and has its clock set wrong. The whole
schedule runs, with its files; only the clock and the folder are stand-ins."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from PySide6.QtWidgets import QApplication
from schedule_tools import Desk, ScheduledNotes, World

from daybank_desktop.scheduling.policy import Plan

STEP = timedelta(minutes=10)
"""From beat to beat. After a start or a wake the first one finds that the person is there, and the
second that it is quiet."""
AT = time(2, 30)


@dataclass
class Diary:
    """What happens in the year, in local time."""

    zone: ZoneInfo
    asleep: list[tuple[datetime, datetime]] = field(default_factory=list)
    off: list[tuple[datetime, datetime]] = field(default_factory=list)
    shifts: list[tuple[datetime, timedelta]] = field(default_factory=list)
    """From a moment on the clock on the wall is wrong by so much."""

    def at(self, month: int, day: int, hour: int = 0, minute: int = 0) -> datetime:
        return datetime(2026, month, day, hour, minute, tzinfo=self.zone)


def live(diary: Diary, config: Path) -> list[tuple[datetime, str]]:
    """The runs of the year: the time on the wall, and why."""
    world = World(diary.at(1, 1, 12), diary.zone)
    notes = ScheduledNotes(clock=world)
    runs: list[tuple[datetime, str]] = []
    shifts = [(at.astimezone(UTC), by) for at, by in diary.shifts]
    gaps = sorted(
        (start.astimezone(UTC), end.astimezone(UTC), is_off)
        for kind, is_off in ((diary.asleep, False), (diary.off, True))
        for start, end in kind
    )
    end = diary.at(12, 31, 12).astimezone(UTC)
    desk = _started(world, notes, config, runs)
    while world.real < end:
        if gaps and world.real >= gaps[0][0]:
            _, until, is_off = gaps.pop(0)
            if is_off:
                desk.quit()
            world.forward(until - world.real, asleep=True)
            if is_off:
                desk = _started(world, notes, config, runs)
        else:
            world.forward(STEP)
        while shifts and world.real >= shifts[0][0]:
            world.shift = shifts.pop(0)[1]
        desk.beat()
    desk.quit()
    return runs


def _started(
    world: World, notes: ScheduledNotes, config: Path, runs: list[tuple[datetime, str]]
) -> Desk:
    desk = Desk(world, notes, config, period=STEP.total_seconds()).open()
    desk.schedule.set_plan(Plan(at=AT))

    def note(started: datetime) -> None:
        own = desk.schedule._open.own
        assert own is not None
        runs.append((started, own.kind.value))

    desk.notes.during = lambda cancel: note(world.now())
    return desk


def days(first: date, last: date) -> Iterator[date]:
    while first <= last:
        yield first
        first += timedelta(days=1)


@pytest.mark.parametrize(
    ("name", "leap", "back"),
    [
        ("Europe/Berlin", date(2026, 3, 29), date(2026, 10, 25)),
        ("America/New_York", date(2026, 3, 8), date(2026, 11, 1)),
        ("Asia/Manila", None, None),
    ],
)
def test_a_year_has_exactly_the_right_runs(
    qapp: QApplication, tmp_path: Path, name: str, leap: date | None, back: date | None
) -> None:
    diary = Diary(ZoneInfo(name))
    at = diary.at
    diary.asleep = [
        (at(1, 20, 22), at(1, 21, 8)),  # one night
        (at(2, 10, 22), at(2, 24, 19)),  # two weeks
        (at(3, 28, 23), at(3, 29, 9)),  # Berlin's clock leaps meanwhile; New York is awake for its
        (at(6, 1, 2, 20), at(6, 1, 2, 40)),  # a nap, just over the planned time
        (at(7, 4, 9), at(7, 4, 17)),  # by day: nothing is missed
    ]
    diary.off = [
        (at(4, 15, 18), at(4, 16, 9)),
        (at(5, 1, 18), at(6, 1, 0)),  # a month
        (at(8, 8, 12), at(8, 8, 12, 30)),  # nothing is missed
    ]
    diary.shifts = [
        (at(9, 10, 12), timedelta(days=10)),  # ten days ahead, for an hour
        (at(9, 10, 13), timedelta(0)),
        (at(9, 20, 12), timedelta(days=-3)),  # three days behind, for an hour
        (at(9, 20, 13), timedelta(0)),
        (at(12, 1, 12), timedelta(minutes=3)),  # put right by minutes
        (at(12, 2, 2, 31), timedelta(0)),  # back over the planned time
    ]

    def when(day: date, clock: time) -> datetime:
        return datetime.combine(day, clock, diary.zone)

    expected = {
        day: [(when(day, AT), "planned")] for day in days(date(2026, 1, 2), date(2026, 12, 31))
    }
    if leap is not None:  # 02:30 is not there that night
        expected[leap] = [(when(leap, time(3)), "planned")]
    nights = {
        date(2026, 1, 21): at(1, 21, 8),
        date(2026, 3, 29): at(3, 29, 9),
        date(2026, 4, 16): at(4, 16, 9),
        date(2026, 2, 24): at(2, 24, 19),
    }
    for day, woken in nights.items():  # late, and still the planned run of its day
        expected[day] = [(woken.astimezone(UTC) + STEP, "planned")]
    for day in (
        *days(date(2026, 2, 11), date(2026, 2, 23)),
        *days(date(2026, 5, 2), date(2026, 5, 31)),
    ):
        del expected[day]
    june = expected[date(2026, 6, 1)]
    june.clear()
    june += [(at(6, 1, 0, 10), "catch-up"), (at(6, 1, 2, 40), "planned")]
    expected[date(2026, 9, 10)].append((at(9, 20, 12, 10), "planned"))  # as the wall shows it
    expected[date(2026, 9, 10)].append((at(9, 10, 13), "catch-up"))  # that mark is not believed
    expected[date(2026, 9, 20)].append((at(9, 17, 12), "catch-up"))
    expected[date(2026, 9, 20)].append((at(9, 20, 13, 10), "planned"))
    expected[date(2026, 12, 2)] = [(at(12, 2, 2, 33), "planned")]
    wanted = [(m.astimezone(UTC), kind) for day in sorted(expected) for m, kind in expected[day]]

    runs = [(m.astimezone(UTC), kind) for m, kind in live(diary, tmp_path)]
    assert runs == wanted
    if back is not None:  # the hour that comes twice
        assert len([m for m, _ in runs if m.astimezone(diary.zone).date() == back]) == 1
