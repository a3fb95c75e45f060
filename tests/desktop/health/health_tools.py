"""A folder whose health and whose runs are what a test says, with the services over it."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from fakes import FakeWorkspace
from pytestqt.qtbot import QtBot

from daybank.clock import FixedClock
from daybank.health.report import HealthCheck, HealthReport
from daybank.reflect.material import Skipped
from daybank.reflect.record import PhaseTime, Proposed, ReflectionReport
from daybank.review.proposal import Phase
from daybank_desktop.services.health import Health
from daybank_desktop.services.library import Library
from daybank_desktop.services.reflection import Reflection
from daybank_desktop.services.runs import Runs
from daybank_desktop.tasks import Tasks

NOW = datetime(2026, 11, 30, 8, 40, tzinfo=UTC)
CLOCK = FixedClock(NOW)
COPY = "memory/2026-11-21.sync-conflict-20261122-101500-ABCDEFG.md"

FINE = (
    HealthCheck("index", "ok", "Search is up to date."),
    HealthCheck("files", "ok", "Every file can be read."),
    HealthCheck("secrets", "ok", "No passwords or keys stand in the notes."),
)


@dataclass
class CheckedNotes(FakeWorkspace):
    """``checks`` are what a check finds; it waits for ``may_check``."""

    checks: tuple[HealthCheck, ...] = FINE
    health_error: Exception | None = None
    checked: int = 0
    late_after: timedelta | None = None
    may_check: threading.Event = field(default_factory=threading.Event)
    repairs: dict[str, str] = field(default_factory=dict)
    runs: list[ReflectionReport] = field(default_factory=list)
    runs_error: Exception | None = None
    limits: list[int] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.may_check.set()

    @property
    def index_path(self) -> Path:
        return self.path / ".memory" / "index.sqlite"

    def health(
        self, *, reflection_late_after: timedelta | None = None, cancel: object = None
    ) -> HealthReport:
        self._seen()
        self.checked += 1
        self.late_after = reflection_late_after
        assert self.may_check.wait(10)
        if self.health_error is not None:
            raise self.health_error
        return HealthReport(self.checks)

    def proposals(self) -> tuple[Any, ...]:
        return tuple(
            SimpleNamespace(id=pid, target=page, phase=Phase.REPAIR)
            for page, pid in self.repairs.items()
        )

    def last_reflection(self) -> datetime | None:
        return self.runs[0].started if self.runs else None

    def reflections(self, limit: int = 0) -> tuple[ReflectionReport, ...]:
        self._seen()
        self.limits.append(limit)
        if self.runs_error is not None:
            raise self.runs_error
        return tuple(self.runs[:limit] if limit else self.runs)


def run(
    number: int = 1,
    *,
    ago: timedelta = timedelta(hours=5, minutes=40),
    seconds: float = 12.0,
    proposed: Sequence[Proposed] = (),
    skipped: Sequence[Skipped] = (),
    error: str | None = None,
    new: int = 3,
) -> ReflectionReport:
    """A run of some time ago."""
    started = NOW - ago
    return ReflectionReport(
        f"run-{number}",
        started,
        started + timedelta(seconds=seconds),
        facts=4218,
        new=new,
        proposed=tuple(proposed),
        skipped=tuple(skipped),
        skipped_in_all=len(skipped),
        phases=(PhaseTime(Phase.OPINIONS, 2.1, 1, 0), PhaseTime(Phase.CORE, 0.4, 0, 2)),
        error=error,
    )


class Desk:
    """The services over ``notes``."""

    def __init__(self, qtbot: QtBot, notes: CheckedNotes) -> None:
        self.qtbot = qtbot
        self.notes = notes
        self.tasks = Tasks()
        shown: Any = notes
        self.library = Library(self.tasks, lambda path: shown)
        self.health = Health(
            self.tasks, self.library, CLOCK, late_after=lambda: timedelta(hours=36)
        )
        self.reflection = Reflection(self.tasks, self.library)
        self.runs = Runs(self.tasks, self.library, self.reflection)
        self.bugs: list[object] = []
        self.tasks.bug.connect(self.bugs.append)

    def open(self) -> None:
        self.library.open(self.notes.path)
        self.settle()

    def settle(self) -> None:
        def through() -> bool:
            self.qtbot.wait(2)
            return self.tasks.is_idle

        self.qtbot.waitUntil(lambda: through() and through() and through(), timeout=10_000)

    def close(self) -> None:
        self.notes.may_check.set()
        self.library.stop()
        assert self.tasks.shutdown(10)
        self.library.close()
        for service in (self.runs, self.reflection, self.health, self.library, self.tasks):
            service.deleteLater()
        assert not self.bugs


@contextmanager
def desk_of(qtbot: QtBot, notes: CheckedNotes) -> Iterator[Desk]:
    desk = Desk(qtbot, notes)
    try:
        yield desk
    finally:
        desk.close()
