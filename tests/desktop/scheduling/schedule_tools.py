"""A world with a clock to turn, a folder that can reflect, and the schedule over both."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta, tzinfo
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from fakes import FakeWorkspace

from daybank.health.report import HealthCheck, HealthReport
from daybank.recall.chat import ChatPage
from daybank.reflect.record import Proposed, ReflectionReport
from daybank.review.proposal import Phase
from daybank_desktop.scheduling.activity import Activity
from daybank_desktop.scheduling.memory import ScheduleMemory
from daybank_desktop.scheduling.scheduler import Beat, Gaps
from daybank_desktop.services.library import Library
from daybank_desktop.services.reflection import Reflection
from daybank_desktop.services.schedule import Finding, Schedule, ScheduleState
from daybank_desktop.services.settings import SettingsStore
from daybank_desktop.tasks import Tasks


class World:
    """``real`` time only goes forward; the clock on the wall may be wrong by ``shift``. ``uptime``
    stands still while the computer sleeps."""

    def __init__(self, start: datetime, zone: tzinfo) -> None:
        self.real = start.astimezone(UTC)
        self.zone = zone
        self.shift = timedelta(0)
        self.uptime = 0.0
        self.on_battery = False

    def now(self) -> datetime:
        return (self.real + self.shift).astimezone(self.zone)

    def today(self) -> Any:
        return self.now().date()

    def forward(self, by: timedelta, *, asleep: bool = False) -> None:
        self.real += by
        if not asleep:
            self.uptime += by.total_seconds()


@dataclass
class ScheduledNotes(FakeWorkspace):
    """A folder of notes that reflects at once, unless it is told to fail."""

    clock: Any = None
    last: datetime | None = None
    runs: list[tuple[datetime, tuple[str, ...]]] = field(default_factory=list)
    reflect_error: Exception | None = None
    during: Callable[[Any], None] | None = None
    proposed: tuple[str, ...] = ()
    waiting: dict[str, str] = field(default_factory=dict)
    messages: int = 0
    newest: datetime | None = None
    look_error: Exception | None = None
    checks: tuple[HealthCheck, ...] = ()
    late_after: list[timedelta | None] = field(default_factory=list)

    def reflect(
        self, *, progress: Any = None, cancel: Any = None, phases: tuple[str, ...] = ()
    ) -> ReflectionReport:
        started = self.clock.now()
        self.runs.append((started, phases))
        if self.during is not None:
            self.during(cancel)
        if self.reflect_error is not None:
            raise self.reflect_error
        if not phases:
            self.last = started
        found = tuple(Proposed("memory.md", Phase.CORE, "A newer note.", i) for i in self.proposed)
        return ReflectionReport(f"r-{len(self.runs)}", started, started, new=1, proposed=found)

    def reflections(self, limit: int = 0) -> tuple[ReflectionReport, ...]:
        return ()

    def last_reflection(self) -> datetime | None:
        return self.last

    def proposals(self) -> tuple[Any, ...]:
        return tuple(SimpleNamespace(id=i, target=target) for i, target in self.waiting.items())

    def search_chat(self, text: str, *, count: int = 20, offset: int = 0) -> ChatPage:
        if self.look_error is not None:
            raise self.look_error
        message: Any = SimpleNamespace(when=self.newest)
        return ChatPage((message,) if self.messages else (), self.messages)

    def health(
        self, *, reflection_late_after: timedelta | None = None, cancel: object = None
    ) -> HealthReport:
        self.late_after.append(reflection_late_after)
        return HealthReport(self.checks)


class Desk:
    """The window's part of it: one start of the program. Everything happens at once."""

    def __init__(
        self,
        world: World,
        notes: ScheduledNotes,
        config: Path,
        *,
        period: float = 60.0,
        tasks: Tasks | None = None,
    ) -> None:
        self.world = world
        self.notes = notes
        self.tasks = tasks or Tasks(inline=True)
        self.library = Library(self.tasks, lambda path: notes)  # type: ignore[arg-type, return-value]
        self.reflection = Reflection(self.tasks, self.library)
        self.settings = SettingsStore(config / "desktop.json")
        self.memory = ScheduleMemory(config / "schedule.json")
        self.activity = Activity(uptime=lambda: world.uptime)
        self.schedule = Schedule(
            self.tasks,
            self.library,
            self.reflection,
            self.settings,
            self.memory,
            self.activity,
            world,
            uptime=lambda: world.uptime,
        )
        self.states: list[ScheduleState] = []
        self.jobs: list[object] = []
        self.findings: list[Finding] = []
        self.schedule.state_changed.connect(self.states.append)
        self.schedule.due.connect(self.jobs.append)
        self.schedule.noticed.connect(self.findings.append)
        self._gaps = Gaps(period)

    @property
    def state(self) -> ScheduleState:
        return self.schedule.state

    def open(self) -> Desk:
        self.library.open(self.notes.path)
        return self

    def beat(self) -> None:
        world = self.world
        slept, set_back = self._gaps.seen(world.now(), world.uptime)
        self.schedule.take(
            Beat(world.now(), world.zone, world.uptime, world.on_battery, slept, set_back)
        )

    def wait(self, minutes: int) -> None:
        """That many minutes pass, with a beat after each."""
        for _ in range(minutes):
            self.world.forward(timedelta(minutes=1))
            self.beat()

    def quit(self) -> None:
        self.schedule.stop()
        self.library.stop()
        self.tasks.shutdown()
        self.library.close()
