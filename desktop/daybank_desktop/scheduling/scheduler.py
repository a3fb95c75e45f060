"""The heartbeat: once a minute it looks at the clock, the zone and the power, and tells of it.

APScheduler's thread makes it come; what is due is not decided here but by :mod:`policy`, with what
the GUI thread knows. So nothing that takes long ever runs here, and ending is a matter of
milliseconds whatever else runs.

Threading rule: ``on_beat`` is called on the scheduler's worker and must only post. ``start`` may be
called on any thread (it imports for some 50 ms); ``stop`` on any, also before or while it starts.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, tzinfo
from typing import Any

from daybank.clock import Clock
from daybank_desktop.scheduling.power import on_battery
from daybank_desktop.scheduling.zone import local_zone

log = logging.getLogger(__name__)

PERIOD = 60.0
STOP_WITHIN = 0.5  # of the two seconds that quitting may take
_JOB = "heartbeat"


@dataclass(frozen=True, slots=True)
class Beat:
    """What one look has found. ``uptime`` counts seconds on a clock that only runs forward.
    ``slept`` tells that time has passed without beats: the computer slept or hung, or its clock was
    set forward. ``set_back`` tells that the clock is behind where it was."""

    now: datetime
    zone: tzinfo
    uptime: float
    on_battery: bool = False
    slept: bool = False
    set_back: bool = False


class Gaps:
    """Compares two clocks from beat to beat. Some systems stop the one that only runs forward
    while they sleep and others do not: time is missing where either of the two has leapt."""

    def __init__(self, period: float = PERIOD) -> None:
        self._too_long = 2 * period + 5
        self._before: tuple[datetime, float] | None = None

    def seen(self, now: datetime, uptime: float) -> tuple[bool, bool]:
        """Whether it slept, and whether the clock was set back, since this was called before."""
        now = now.astimezone(UTC)  # in the zone, an hour is missing once a year
        before, self._before = self._before, (now, uptime)
        if before is None:
            return False, False
        by_wall = (now - before[0]).total_seconds()
        return max(by_wall, uptime - before[1]) > self._too_long, by_wall < -1.0


class Scheduler:
    """Calls ``on_beat`` every ``period`` seconds between :meth:`start` and :meth:`stop`."""

    def __init__(
        self,
        on_beat: Callable[[Beat], None],
        clock: Clock,
        *,
        period: float = PERIOD,
        uptime: Callable[[], float] = time.monotonic,
        zone: Callable[[], tzinfo] = local_zone,
        battery: Callable[[], bool] = on_battery,
    ) -> None:
        self._on_beat = on_beat
        self._clock = clock
        self._period = period
        self._uptime = uptime
        self._zone = zone
        self._battery = battery
        self._gaps = Gaps(period)
        self._lock = threading.Lock()
        self._scheduler: Any = None
        self._is_over = False
        self._at_rest = threading.Event()
        self._at_rest.set()

    def start(self) -> None:
        """The first beat comes at once. Does nothing when it has started, or was stopped before."""
        with self._lock:
            if self._scheduler is None and not self._is_over:
                self._scheduler = _started(self._beat, self._period)

    def stop(self, within: float = STOP_WITHIN) -> bool:
        """No beat after this. False when one is stuck, say in asking a sick driver for the power;
        then the process must be left without waiting for it."""
        with self._lock:
            self._is_over = True
            scheduler, self._scheduler = self._scheduler, None
        if scheduler is not None:
            scheduler.shutdown(wait=False)
        return self._at_rest.wait(within)

    def _beat(self) -> None:
        self._at_rest.clear()
        try:
            self._look()
        finally:
            self._at_rest.set()

    def _look(self) -> None:
        zone, battery = self._zone(), self._battery()
        now, uptime = self._clock.now(), self._uptime()
        slept, set_back = self._gaps.seen(now, uptime)
        if slept or set_back:
            log.info("The clock has leapt (%s)", "back" if set_back else "forward, or it slept")
        if not self._is_over:
            self._on_beat(Beat(now, zone, uptime, battery, slept, set_back))


def _started(beat: Callable[[], None], period: float) -> Any:
    """A running scheduler with the one job."""
    from apscheduler.executors.pool import ThreadPoolExecutor
    from apscheduler.schedulers.background import BackgroundScheduler
    from apscheduler.triggers.base import BaseTrigger

    logging.getLogger("apscheduler").setLevel(logging.WARNING)  # it tells of every beat

    class Steadily(BaseTrigger):  # type: ignore[misc]
        """One period from now. The library's own interval counts through all that were missed,
        half a million after a year."""

        def get_next_fire_time(self, previous: datetime | None, now: datetime) -> datetime:
            return now + timedelta(seconds=period)

    class Steady(BackgroundScheduler):  # type: ignore[misc]
        """Never sleeps past a beat: the library waits until a time of day, which is hours away once
        the clock was set back."""

        def _process_jobs(self) -> float:
            now = datetime.now(UTC)
            for job in self.get_jobs():
                if job.next_run_time > now + timedelta(seconds=2 * period):
                    job.modify(next_run_time=now)
            wait: float | None = super()._process_jobs()
            return period if wait is None else min(wait, period)

    # A zone of its own, so that the library does not look for one.
    scheduler = Steady(
        timezone=UTC,
        executors={"default": ThreadPoolExecutor(1)},
        job_defaults={"misfire_grace_time": None, "coalesce": True, "max_instances": 1},
    )
    scheduler.add_job(beat, Steadily(), id=_JOB, next_run_time=datetime.now(UTC))
    scheduler.start()
    return scheduler
