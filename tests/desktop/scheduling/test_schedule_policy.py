"""When a reflection is due: days, clock changes, gaps, marks that a wrong clock has made."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime, time, timedelta
from itertools import pairwise
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from daybank_desktop.scheduling import policy
from daybank_desktop.scheduling.policy import (
    Decision,
    Marks,
    Pause,
    Plan,
    PlanKind,
    RunKind,
    Situation,
    WhyNot,
    decide,
    next_due,
    planned_moment,
)

BERLIN = ZoneInfo("Europe/Berlin")
NEW_YORK = ZoneInfo("America/New_York")
MANILA = ZoneInfo("Asia/Manila")
ZONES = (BERLIN, NEW_YORK, MANILA, ZoneInfo("America/Nuuk"), ZoneInfo("Australia/Lord_Howe"))
EVENING = Plan(at=time(18, 0))
QUIET = Situation()


def berlin(month: int, day: int, hour: int = 0, minute: int = 0, *, fold: int = 0) -> datetime:
    return datetime(2026, month, day, hour, minute, tzinfo=BERLIN, fold=fold)


def ask(plan: Plan, marks: Marks, now: datetime, situation: Situation = QUIET) -> Decision:
    return decide(plan, marks, None, situation, now, BERLIN)


# One day after another


def test_a_run_is_due_at_its_time_and_not_a_minute_before() -> None:
    marks = Marks(success=berlin(11, 26, 3, 1))
    before = ask(Plan(), marks, berlin(11, 27, 2, 59))
    assert before.run is None
    assert before.why_not is WhyNot.NOT_YET
    assert before.next == berlin(11, 27, 3)
    run = ask(Plan(), marks, berlin(11, 27, 3)).run
    assert run is not None
    assert run.kind is RunKind.PLANNED
    assert run.since == berlin(11, 26, 3, 1)


def test_catching_up_in_the_morning_leaves_the_run_of_the_evening_where_it_was() -> None:
    missed = Marks(success=berlin(11, 25, 18, 1))
    morning = ask(EVENING, missed, berlin(11, 27, 9))
    assert morning.run is not None
    assert morning.run.kind is RunKind.CATCH_UP
    assert morning.run.moment == berlin(11, 26, 18)
    caught_up = Marks(success=berlin(11, 27, 9))
    assert ask(EVENING, caught_up, berlin(11, 27, 9, 5)).next == berlin(11, 27, 18)
    evening = ask(EVENING, caught_up, berlin(11, 27, 18)).run
    assert evening is not None
    assert evening.kind is RunKind.PLANNED


def test_asking_every_quarter_of_an_hour_does_not_push_what_is_due() -> None:
    plan, marks = Plan(at=time(3, 42)), Marks(success=berlin(11, 26, 3, 42))
    now = berlin(11, 26, 4)
    while now < berlin(11, 27, 3, 40):
        assert next_due(plan, marks, now, BERLIN) == berlin(11, 27, 3, 42)
        now += timedelta(minutes=15)
    woken = ask(plan, marks, berlin(11, 27, 8)).run
    assert woken is not None
    assert woken.moment == berlin(11, 27, 3, 42)


def test_one_run_covers_a_gap_of_a_month() -> None:
    marks = Marks(success=berlin(10, 1, 3))
    run = ask(Plan(), marks, berlin(11, 1, 12)).run
    assert run is not None
    assert run.moment == berlin(11, 1, 3)
    assert run.since == berlin(10, 1, 3)
    after = Marks(success=berlin(11, 1, 12))
    assert ask(Plan(), after, berlin(11, 1, 12, 1)).next == berlin(11, 2, 3)


def test_a_new_folder_is_left_alone_until_the_first_planned_moment() -> None:
    marks = Marks(known_since=berlin(11, 27, 10))
    assert ask(Plan(), marks, berlin(11, 27, 10, 1)).next == berlin(11, 28, 3)
    assert ask(Plan(), marks, berlin(11, 28, 9)).run is not None


def test_what_the_person_stopped_is_not_begun_again_before_the_next_planned_moment() -> None:
    marks = Marks(success=berlin(11, 26, 3), declined=berlin(11, 27, 3, 2))
    decision = ask(Plan(), marks, berlin(11, 27, 3, 3))
    assert decision.run is None
    assert decision.next == berlin(11, 28, 3)


# Clock changes


@pytest.mark.parametrize(
    ("day", "at", "expected"),
    [
        (date(2026, 3, 29), time(2, 30), "2026-03-29T03:00:00+02:00"),  # 02:30 is not there
        (date(2026, 3, 29), time(1, 59), "2026-03-29T01:59:00+01:00"),
        (date(2026, 3, 29), time(2, 0), "2026-03-29T03:00:00+02:00"),
        (date(2026, 3, 29), time(3, 0), "2026-03-29T03:00:00+02:00"),
        (date(2026, 10, 25), time(2, 30), "2026-10-25T02:30:00+02:00"),  # the first of two
        (date(2026, 10, 25), time(9, 0), "2026-10-25T09:00:00+01:00"),
        (date(2026, 3, 29), time(9, 0), "2026-03-29T09:00:00+02:00"),
    ],
)
def test_times_on_days_with_a_clock_change(day: date, at: time, expected: str) -> None:
    moment = planned_moment(day, at, BERLIN)
    assert moment is not None
    assert moment.isoformat() == expected


def test_an_hour_missing_before_midnight_is_replaced_on_the_same_day() -> None:
    # In Nuuk the clock goes from 23:00 to midnight on that Saturday.
    nuuk = ZoneInfo("America/Nuuk")
    moment = planned_moment(date(2026, 3, 28), time(23, 30), nuuk)
    assert moment is not None
    assert moment.isoformat() == "2026-03-28T22:59:59-02:00"


def test_a_day_that_a_zone_has_left_out_has_no_moment() -> None:
    apia = ZoneInfo("Pacific/Apia")
    assert planned_moment(date(2011, 12, 30), time(3), apia) is None
    marks = Marks(success=datetime(2011, 12, 29, 3, 1, tzinfo=apia))
    due = next_due(Plan(), marks, datetime(2011, 12, 29, 4, tzinfo=apia), apia)
    assert due == datetime(2011, 12, 31, 3, tzinfo=apia)


def test_nine_stays_nine_across_both_clock_changes() -> None:
    plan = Plan(at=time(9))
    for start in (berlin(3, 26, 9), berlin(10, 22, 9)):
        last = start
        for _ in range(8):
            due = next_due(plan, Marks(success=last), last, BERLIN)
            assert due is not None
            assert (due.hour, due.minute) == (9, 0)
            assert due.date() == last.astimezone(BERLIN).date() + timedelta(days=1)
            last = due.astimezone(UTC)


def test_the_hour_that_comes_twice_runs_once() -> None:
    plan = Plan(at=time(2, 30))
    marks = Marks(success=berlin(10, 25, 2, 30))
    again = berlin(10, 25, 2, 30, fold=1)
    decision = ask(plan, marks, again)
    assert decision.run is None
    assert decision.next == berlin(10, 26, 2, 30)


def test_a_run_in_the_second_of_the_two_hours_is_later_than_one_in_the_first() -> None:
    plan = Plan(kind=PlanKind.HOURS, hours=1)
    marks = Marks(success=berlin(10, 25, 2, 40))
    assert ask(plan, marks, berlin(10, 25, 2, 30, fold=1)).run is None
    assert ask(plan, marks, berlin(10, 25, 2, 40, fold=1)).run is not None


# Other plans


def test_every_so_many_hours_counts_from_the_last_success() -> None:
    plan = Plan(kind=PlanKind.HOURS, hours=6)
    marks = Marks(success=berlin(11, 27, 4, 10))
    assert ask(plan, marks, berlin(11, 27, 10, 9)).next == berlin(11, 27, 10, 10)
    on_time = ask(plan, marks, berlin(11, 27, 10, 10)).run
    assert on_time is not None
    assert on_time.kind is RunKind.PLANNED
    late = ask(plan, marks, berlin(11, 28, 12)).run
    assert late is not None
    assert late.kind is RunKind.CATCH_UP
    assert late.moment == berlin(11, 28, 10, 10)


def test_a_plan_on_idle_waits_for_as_long_as_the_person_is_there_and_runs_once_a_day() -> None:
    plan = Plan(kind=PlanKind.IDLE)
    marks = Marks(success=berlin(11, 26, 12))
    busy = Situation(quiet_for=timedelta(seconds=5), waiting_for=timedelta(hours=9))
    assert ask(plan, marks, berlin(11, 27, 9), busy).why_not is WhyNot.NOT_QUIET
    assert ask(plan, marks, berlin(11, 27, 9)).run is not None
    assert ask(plan, Marks(success=berlin(11, 27, 9)), berlin(11, 27, 23)).run is None


def test_without_a_plan_nothing_is_ever_due() -> None:
    plan = Plan(kind=PlanKind.MANUAL)
    for marks in (Marks(), Marks(success=berlin(1, 1))):
        decision = ask(plan, marks, berlin(11, 27, 9))
        assert decision == Decision(why_not=WhyNot.MANUAL)


# What speaks against it


def test_a_daily_run_waits_for_a_quiet_moment_but_not_for_ever() -> None:
    marks = Marks(success=berlin(11, 26, 3))
    typing = Situation(quiet_for=timedelta(seconds=20))
    now = berlin(11, 27, 3, 5)
    assert ask(Plan(), marks, now, typing).why_not is WhyNot.NOT_QUIET
    assert ask(Plan(), marks, now, replace(typing, waiting_for=policy.PATIENCE)).run is not None
    assert ask(Plan(), marks, now, replace(typing, quiet_for=policy.QUIET)).run is not None


def test_on_battery_it_waits_unless_the_person_allows_it() -> None:
    marks = Marks(success=berlin(11, 26, 3))
    unplugged = Situation(on_battery=True)
    now = berlin(11, 27, 3)
    assert ask(Plan(), marks, now, unplugged).why_not is WhyNot.ON_BATTERY
    assert ask(Plan(on_battery=True), marks, now, unplugged).run is not None


def test_a_run_that_is_under_way_is_not_doubled() -> None:
    marks = Marks(success=berlin(11, 26, 3))
    decision = ask(Plan(), marks, berlin(11, 27, 3, 1), Situation(running=True))
    assert decision.run is None
    assert decision.why_not is WhyNot.RUNNING
    assert decision.next == berlin(11, 28, 3)


def test_after_a_failure_it_is_tried_again_ever_more_rarely() -> None:
    failed = berlin(11, 27, 3)
    waits = []
    for failures in range(1, 9):
        marks = Marks(success=berlin(11, 26, 3), attempted=failed, failures=failures)
        decision = ask(Plan(), marks, failed + timedelta(seconds=1))
        assert decision.why_not is WhyNot.AFTER_FAILURE
        assert decision.next is not None
        waits.append((decision.next - failed) // timedelta(minutes=1))
    assert waits == [10, 20, 40, 80, 160, 320, 360, 360]


def test_a_pause_holds_and_what_it_held_back_comes_once_when_it_ends() -> None:
    marks = Marks(success=berlin(11, 26, 3))
    pause = Pause(berlin(11, 26, 20), berlin(11, 28, 8))
    held = decide(Plan(), marks, pause, QUIET, berlin(11, 27, 3), BERLIN)
    assert held.why_not is WhyNot.PAUSED
    assert held.next == berlin(11, 28, 8)
    after = decide(Plan(), marks, pause, QUIET, berlin(11, 28, 8), BERLIN)
    assert after.run is not None
    for_good = decide(Plan(), marks, Pause(berlin(11, 26, 20)), QUIET, berlin(12, 27), BERLIN)
    assert for_good == Decision(why_not=WhyNot.PAUSED)


def test_until_tomorrow_ends_at_eight_in_the_morning() -> None:
    pause = policy.pause_until_tomorrow(berlin(3, 28, 23, 30), BERLIN)
    assert pause.until == berlin(3, 29, 8)
    just_after_midnight = policy.pause_until_tomorrow(berlin(3, 29, 0, 5), BERLIN)
    assert just_after_midnight.until == berlin(3, 30, 8)


def test_a_clock_set_back_does_not_make_years_of_a_pause() -> None:
    pause = policy.pause_for(4, berlin(11, 27, 9))
    now = berlin(1, 1, 12)
    kept = policy.rebased(pause, now)
    assert kept == Pause(now, now + timedelta(hours=4))
    assert policy.rebased(kept, now + timedelta(hours=5)) is None
    for_good = Pause(berlin(11, 27, 9))
    assert policy.rebased(for_good, now) == for_good


# Clocks that were wrong


def test_a_success_in_the_future_does_not_block() -> None:
    marks = Marks(success=berlin(11, 28, 3), known_since=berlin(11, 1))
    run = ask(Plan(), marks, berlin(11, 27, 9)).run
    assert run is not None
    assert run.kind is RunKind.CATCH_UP
    assert run.since is None


def test_an_attempt_and_a_stop_in_the_future_do_not_block_either() -> None:
    marks = Marks(
        success=berlin(11, 25, 3),
        declined=berlin(12, 24),
        attempted=berlin(11, 27, 12),
        failures=9,
    )
    assert ask(Plan(), marks, berlin(11, 27, 9)).run is not None


def test_a_clock_put_right_by_seconds_changes_nothing() -> None:
    marks = Marks(success=berlin(11, 27, 3, 0))
    decision = ask(Plan(), marks, berlin(11, 27, 2, 59))
    assert decision.run is None
    assert decision.next == berlin(11, 28, 3)


def test_a_clock_set_back_past_the_planned_time_does_not_plan_the_day_twice() -> None:
    ran = Marks(success=berlin(11, 27, 3), planned_day=date(2026, 11, 27))
    set_back = berlin(11, 27, 1, 30)
    run = ask(Plan(), ran, set_back).run
    assert run is not None
    assert run.kind is RunKind.CATCH_UP
    put_right = replace(ran, success=set_back)
    assert ask(Plan(), put_right, berlin(11, 27, 3)).next == berlin(11, 28, 3)


def test_a_planned_day_in_the_future_is_not_believed() -> None:
    marks = Marks(success=berlin(11, 26, 3), planned_day=date(2026, 12, 31))
    assert ask(Plan(), marks, berlin(11, 27, 3)).run is not None


# Whatever the numbers

moments = st.datetimes(
    datetime(2000, 1, 1), datetime(2060, 1, 1), timezones=st.sampled_from((UTC, *ZONES))
)
plans = st.builds(
    Plan,
    kind=st.sampled_from([kind for kind in PlanKind if kind is not PlanKind.MANUAL]),
    at=st.times().map(lambda at: at.replace(microsecond=0)),
    hours=st.sampled_from(policy.HOURS),
)
zones = st.sampled_from(ZONES)


@given(plans, moments, zones)
def test_next_is_always_later_than_last_and_soon(
    plan: Plan, last: datetime, zone: ZoneInfo
) -> None:
    due = next_due(plan, Marks(success=last), last, zone)
    assert due is not None
    wait = due.astimezone(UTC) - last.astimezone(UTC)
    assert timedelta(0) < wait <= max(timedelta(hours=49), timedelta(hours=plan.hours))


@given(st.times(), st.dates(date(2000, 1, 1), date(2060, 1, 1)), zones)
def test_each_day_has_at_most_one_planned_moment_and_they_are_in_order(
    at: time, day: date, zone: ZoneInfo
) -> None:
    moments = [planned_moment(day + timedelta(days=n), at, zone) for n in range(4)]
    known = [moment for moment in moments if moment is not None]
    assert len({moment.date() for moment in known}) == len(known) == 4
    instants = [moment.astimezone(UTC) for moment in known]
    assert all(a < b for a, b in pairwise(instants))


@given(plans, moments, zones, st.lists(st.integers(-3000, 3000), min_size=5, max_size=60))
def test_however_the_clock_leaps_it_neither_blocks_nor_floods(
    plan: Plan, start: datetime, zone: ZoneInfo, leaps: list[int]
) -> None:
    """Each leap, in hours, costs one run at most; and a run never makes another one due."""
    now = start.astimezone(UTC)
    marks = Marks(known_since=now)
    for leap in leaps:
        now += timedelta(hours=leap)
        runs = 0
        for _ in range(3):
            run = decide(plan, marks, None, QUIET, now, zone).run
            if run is not None:
                runs += 1
                marks = replace(policy.trusted(marks, now, zone), success=now)
            now += timedelta(seconds=20)
        assert runs <= 2  # a planned moment may lie within these seconds
    later = now + timedelta(hours=max(49, plan.hours))
    assert decide(plan, marks, None, QUIET, later, zone).run is not None


@given(plans.filter(lambda plan: plan.kind is not PlanKind.HOURS), moments, zones, st.data())
def test_one_planned_run_a_day_however_irregularly_it_is_asked(
    plan: Plan, start: datetime, zone: ZoneInfo, data: st.DataObject
) -> None:
    now = start.astimezone(UTC)
    marks = Marks(known_since=now)
    planned: list[date] = []
    for minutes in data.draw(st.lists(st.integers(1, 2000), min_size=10, max_size=80)):
        now += timedelta(minutes=minutes)
        run = decide(plan, marks, None, QUIET, now, zone).run
        if run is not None:
            marks = replace(marks, success=now)
            if run.kind is RunKind.PLANNED:
                planned.append(now.astimezone(zone).date())
    assert len(set(planned)) == len(planned)
