"""How often the small jobs run: the notes read again, a check, a quick look. Pure values.

They go by a clock that only runs forward (seconds of it), so setting the computer's clock neither
holds them up nor makes them run in a row. After the computer slept, each runs once.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum

QUICK_FIRST = 300.0
QUICK_LEAST = 60.0
QUICK_MOST = 3600.0
QUICK_MOST_AFTER_ERRORS = 1800.0


class Job(StrEnum):
    """What Daybank does by itself."""

    REFLECTION = "reflection"
    RECONCILE = "reconcile"
    HEALTH = "health"
    QUICK_LOOK = "quick look"
    CHAT = "chat"


@dataclass(frozen=True, slots=True)
class QuickPace:
    """Seconds between two quick looks: shorter while there is news, longer while there is none."""

    seconds: float = QUICK_FIRST

    def after_news(self) -> QuickPace:
        return QuickPace(max(QUICK_LEAST, self.seconds / 2))

    def after_nothing(self) -> QuickPace:
        return QuickPace(min(QUICK_MOST, self.seconds * 1.5))

    def after_error(self) -> QuickPace:
        """Twice as long; errors alone make it no longer than half an hour."""
        return QuickPace(max(self.seconds, min(self.seconds * 2, QUICK_MOST_AFTER_ERRORS)))


EVERY: Mapping[Job, float] = {Job.RECONCILE: 1800.0, Job.HEALTH: 6 * 3600.0}
FIRST_AFTER: Mapping[Job, float] = {
    Job.RECONCILE: 1800.0,  # opening the folder has read it
    Job.HEALTH: 60.0,
    Job.QUICK_LOOK: 120.0,
}


@dataclass(frozen=True, slots=True)
class Rhythm:
    """When each small job is next due, in seconds of the clock that only runs forward."""

    due_at: Mapping[Job, float] = field(default_factory=dict)
    quick: QuickPace = field(default_factory=QuickPace)

    def due(self, now: float) -> tuple[Job, ...]:
        return tuple(job for job, at in self.due_at.items() if at <= now)

    def done(self, job: Job, now: float) -> Rhythm:
        """The same after ``job`` was begun: due again one period from now."""
        every = self.quick.seconds if job is Job.QUICK_LOOK else EVERY[job]
        return replace(self, due_at={**self.due_at, job: now + every})

    def paced(self, quick: QuickPace, now: float) -> Rhythm:
        return replace(self, quick=quick).done(Job.QUICK_LOOK, now)

    def woken(self, now: float) -> Rhythm:
        """After sleep everything is due, once."""
        return replace(self, due_at=dict.fromkeys(self.due_at, now))


def new_rhythm(now: float) -> Rhythm:
    """For a folder that has just been opened."""
    return Rhythm({job: now + after for job, after in FIRST_AFTER.items()})
