"""When a reflection is due. Pure functions over values; no clock, no thread, no file.

Three rules carry the rest. What is due follows from the last success, never from now: however
often it is asked, the answer does not move. However many planned moments a gap holds, one run
covers them, and the next planned moment stays where it was. A mark in the future was made by a
clock that was wrong, and counts for nothing.

Days and times of day are the person's, in their zone; everything between is compared as moments.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from enum import StrEnum

DEFAULT_TIME = time(3, 0)
HOURS = range(1, 169)
"""How far apart runs may be that come every so many hours."""

QUIET = timedelta(minutes=2)
"""Nobody used keyboard or mouse in the window for so long: a good moment for heavy work."""

PATIENCE = timedelta(hours=1)
"""A run waits at most so long for a quiet moment, unless the plan is to run at such only."""

SLACK = timedelta(minutes=10)
"""A mark so little ahead of now is of this moment: clocks are put right by seconds every day."""

FIRST_RETRY = timedelta(minutes=10)
LONGEST_RETRY = timedelta(hours=6)
MORNING = time(8, 0)
"""When "until tomorrow" ends."""

_MOST_DAYS = 4
"""A planned moment lies within so many days of any other: some days have none."""


class PlanKind(StrEnum):
    DAILY = "daily"
    HOURS = "hours"
    IDLE = "idle"
    MANUAL = "manual"


@dataclass(frozen=True, slots=True)
class Plan:
    """What the person chose. ``at`` is for a daily plan, ``hours`` for one every so many hours;
    one on idle runs once a day, at the first quiet moment."""

    kind: PlanKind = PlanKind.DAILY
    at: time = DEFAULT_TIME
    hours: int = 6
    on_battery: bool = False


@dataclass(frozen=True, slots=True)
class Marks:
    """What happened to one folder. ``known_since`` is when the plan began for it, ``declined`` when
    the person stopped a run, ``planned_day`` the last day whose planned run ended well.
    ``attempted`` is the start of a run that has not ended well (yet), ``failures`` how many such
    there were in a row; 0 where another program was at it."""

    success: datetime | None = None
    known_since: datetime | None = None
    declined: datetime | None = None
    planned_day: date | None = None
    attempted: datetime | None = None
    failures: int = 0


@dataclass(frozen=True, slots=True)
class Pause:
    """Asked for at ``begun``; ``until`` is None for a pause that lasts until it is taken back."""

    begun: datetime
    until: datetime | None = None


@dataclass(frozen=True, slots=True)
class Situation:
    """What is so just now. ``waiting_for`` is how long a due run has waited for quiet."""

    running: bool = False
    on_battery: bool = False
    quiet_for: timedelta = timedelta(days=1)
    waiting_for: timedelta = timedelta(0)


class WhyNot(StrEnum):
    """Why no run begins now, the strongest reason first."""

    NO_FOLDER = "no folder"
    RUNNING = "running"
    MANUAL = "manual"
    PAUSED = "paused"
    NOT_YET = "not yet"
    AFTER_FAILURE = "after failure"
    ON_BATTERY = "on battery"
    NOT_QUIET = "not quiet"


class RunKind(StrEnum):
    PLANNED = "planned"
    CATCH_UP = "catch-up"


@dataclass(frozen=True, slots=True)
class Due:
    """A run that should begin. ``moment`` is the planned moment it stands for, the last one that
    has passed; it covers everything since ``since`` (None: since ever)."""

    kind: RunKind
    moment: datetime
    since: datetime | None = None


@dataclass(frozen=True, slots=True)
class Decision:
    """Either ``run`` now, or ``why_not``. ``next`` is when a run begins if nothing hinders it; None
    where there is none to come, or where it waits for something without a time."""

    run: Due | None = None
    next: datetime | None = None
    why_not: WhyNot | None = None


def decide(
    plan: Plan,
    marks: Marks,
    pause: Pause | None,
    situation: Situation,
    now: datetime,
    zone: tzinfo,
) -> Decision:
    """Whether a run begins now, and else why not and when. Always the same for the same values."""
    now = _utc(now)
    due_at = next_due(plan, marks, now, zone)
    if due_at is None:
        return Decision(why_not=WhyNot.RUNNING if situation.running else WhyNot.MANUAL)
    if situation.running:
        covered = replace(trusted(marks, now, zone), success=now)
        return Decision(next=next_due(plan, covered, now, zone), why_not=WhyNot.RUNNING)
    if is_paused(pause, now):
        until = pause.until if pause else None
        later = max(_utc(due_at), _utc(until)).astimezone(zone) if until else None
        return Decision(next=later, why_not=WhyNot.PAUSED)
    if due_at > now:
        return Decision(next=due_at, why_not=WhyNot.NOT_YET)
    again = retry_at(marks, now)
    if again is not None and again > now:
        return Decision(next=again.astimezone(zone), why_not=WhyNot.AFTER_FAILURE)
    hindrance = hindered(plan, situation)
    if hindrance is not None:
        return Decision(why_not=hindrance)
    return Decision(run=_due(plan, marks, due_at, now, zone))


def next_due(plan: Plan, marks: Marks, now: datetime, zone: tzinfo) -> datetime | None:
    """The planned moment that the next run is for: strictly later than every mark, and in the past
    where it was missed. None for a plan without moments."""
    if plan.kind is PlanKind.MANUAL:
        return None
    good = trusted(marks, now, zone)
    anchor = _anchor(good)
    if anchor is None:
        return now.astimezone(zone)
    if plan.kind is PlanKind.HOURS:
        return (anchor + timedelta(hours=plan.hours)).astimezone(zone)
    return _moment_after(anchor, _time_of(plan), zone, but=good.planned_day)


def hindered(plan: Plan, situation: Situation) -> WhyNot | None:
    """What speaks against heavy work at this moment, if anything does."""
    if situation.on_battery and not plan.on_battery:
        return WhyNot.ON_BATTERY
    is_patient = plan.kind is PlanKind.IDLE or situation.waiting_for < PATIENCE
    if situation.quiet_for < QUIET and is_patient:
        return WhyNot.NOT_QUIET
    return None


def trusted(marks: Marks, now: datetime, zone: tzinfo) -> Marks:
    """``marks`` without those that a wrong clock has made."""
    today = now.astimezone(zone).date()
    attempted = _not_ahead(marks.attempted, now)
    return Marks(
        _not_ahead(marks.success, now),
        _not_ahead(marks.known_since, now),
        _not_ahead(marks.declined, now),
        None if marks.planned_day and marks.planned_day > today else marks.planned_day,
        attempted,
        marks.failures if attempted else 0,
    )


def retry_at(marks: Marks, now: datetime) -> datetime | None:
    """When a run that did not end well may be tried again; None after none."""
    attempted = _not_ahead(marks.attempted, now)
    if attempted is None:
        return None
    doublings = min(max(marks.failures - 1, 0), 10)
    return _utc(attempted) + min(FIRST_RETRY * (1 << doublings), LONGEST_RETRY)


def is_paused(pause: Pause | None, now: datetime) -> bool:
    return pause is not None and (pause.until is None or _utc(now) < _utc(pause.until))


def rebased(pause: Pause | None, now: datetime) -> Pause | None:
    """``pause`` as it stands now: None when it is over. One that was begun in the future keeps its
    length from now on, so that a clock that was set back does not make years of it."""
    if pause is None or not is_paused(pause, now):
        return None
    if pause.until is None or _not_ahead(pause.begun, now):
        return pause
    return Pause(_utc(now), _utc(now) + (_utc(pause.until) - _utc(pause.begun)))


def pause_for(hours: float, now: datetime) -> Pause:
    return Pause(_utc(now), _utc(now) + timedelta(hours=hours))


def pause_until_tomorrow(now: datetime, zone: tzinfo) -> Pause:
    """Until eight in the morning of the next day."""
    tomorrow = now.astimezone(zone).date() + timedelta(days=1)
    return Pause(_utc(now), _utc(_moment_after(_utc(now), MORNING, zone, first=tomorrow)))


def planned_moment(day: date, at: time, zone: tzinfo) -> datetime | None:
    """``at`` on ``day`` in ``zone``: the first of two where the clock is set back; where the clock
    leaps over it, the next moment that exists, or else the day's last. None for a day that a zone
    leaves out."""
    wanted = datetime.combine(day, at.replace(tzinfo=None, fold=0), zone)
    early = wanted.astimezone(UTC)
    if early.astimezone(zone).replace(tzinfo=None) == wanted.replace(tzinfo=None):
        return early.astimezone(zone)
    # Read with the two offsets around the leap, the missing time gives moments on either side.
    sides = sorted((early, wanted.replace(fold=1).astimezone(UTC)))
    leap = _offset_change(sides[0], sides[1], zone)
    for moment in (leap, leap - timedelta(seconds=1)):
        if moment.astimezone(zone).date() == day:
            return moment.astimezone(zone)
    return None


def _due(plan: Plan, marks: Marks, due_at: datetime, now: datetime, zone: tzinfo) -> Due:
    """One run for all planned moments that have passed since."""
    good = trusted(marks, now, zone)
    if plan.kind is PlanKind.HOURS:
        step = timedelta(hours=plan.hours)
        moment = _utc(due_at) + (now - _utc(due_at)) // step * step
        is_planned = now - _utc(due_at) < step
    else:
        moment = _moment_before(now, _time_of(plan), zone) or due_at
        is_planned = moment.astimezone(zone).date() == now.astimezone(zone).date()
    # What stands in for a mark that is not believed is no planned run of the day.
    is_planned = is_planned and good == marks and _anchor(good) is not None
    kind = RunKind.PLANNED if is_planned else RunKind.CATCH_UP
    return Due(kind, moment.astimezone(zone), good.success)


def _time_of(plan: Plan) -> time:
    return time(0, 0) if plan.kind is PlanKind.IDLE else plan.at


def _anchor(marks: Marks) -> datetime | None:
    known = [_utc(mark) for mark in (marks.success, marks.known_since, marks.declined) if mark]
    return max(known, default=None)


def _moment_after(
    moment: datetime, at: time, zone: tzinfo, *, but: date | None = None, first: date | None = None
) -> datetime:
    """The first planned moment later than ``moment`` (in UTC), on ``first`` or later, and not on
    ``but``."""
    start = first or moment.astimezone(zone).date() - timedelta(days=1)
    for offset in range(2 * _MOST_DAYS):
        day = start + timedelta(days=offset)
        found = planned_moment(day, at, zone)
        if found is not None and _utc(found) > moment and day != but:
            return found
    return (moment + timedelta(days=1)).astimezone(zone)


def _moment_before(now: datetime, at: time, zone: tzinfo) -> datetime | None:
    """The last planned moment that has come."""
    today = now.astimezone(zone).date()
    for offset in range(_MOST_DAYS):
        found = planned_moment(today - timedelta(days=offset), at, zone)
        if found is not None and _utc(found) <= now:
            return found
    return None


def _offset_change(before: datetime, after: datetime, zone: tzinfo) -> datetime:
    """The second in (before, after] from which the zone has another offset."""
    old = before.astimezone(zone).utcoffset()
    while after - before > timedelta(seconds=1):
        middle = before + timedelta(seconds=int((after - before).total_seconds()) // 2)
        if middle.astimezone(zone).utcoffset() == old:
            before = middle
        else:
            after = middle
    return after


def _not_ahead(mark: datetime | None, now: datetime) -> datetime | None:
    return mark if mark is not None and _utc(mark) <= _utc(now) + SLACK else None


def _utc(moment: datetime) -> datetime:
    """Two times of one zone compare by what its clock shows, which goes back once a year."""
    return moment.astimezone(UTC)
