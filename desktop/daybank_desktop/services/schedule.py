"""Reflecting by itself: joins the rules of *when* to the open folder and its reflections.

GUI thread. The heartbeat comes from a thread of its own and is posted here; the rules are asked
with what is known, and before a run begins the folder is asked (on a read worker) when it last
reflected, since another program may have done so meanwhile. A run that this starts counts as failed
until it has ended well, so that one which takes the program down is not begun again at every start.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta, tzinfo
from datetime import time as time_of_day
from enum import StrEnum
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from daybank.clock import Clock
from daybank.errors import DaybankError
from daybank_desktop.scheduling import policy
from daybank_desktop.scheduling.activity import Activity
from daybank_desktop.scheduling.memory import FolderMemory, ScheduleMemory
from daybank_desktop.scheduling.policy import (
    Decision,
    Due,
    Marks,
    Pause,
    Plan,
    PlanKind,
    RunKind,
    Situation,
    WhyNot,
)
from daybank_desktop.scheduling.rhythm import Job, Rhythm, new_rhythm
from daybank_desktop.scheduling.scheduler import STOP_WITHIN, Beat, Scheduler
from daybank_desktop.services.library import Library
from daybank_desktop.services.reflection import Reflection
from daybank_desktop.services.settings import DesktopSettings, SettingsStore
from daybank_desktop.tasks import Lane, Tasks

if TYPE_CHECKING:
    from daybank import Workspace
    from daybank.health.report import HealthReport
    from daybank.reflect.record import ReflectionReport

log = logging.getLogger(__name__)

CHAT_MESSAGES = 20
"""So many new messages are worth an episode of their own before the next reflection."""

CHAT_OVER_AFTER = timedelta(hours=1)
"""A conversation that has been silent for so long is over and can be summed up."""

CHAT_PHASES = ("dialogue",)
LATE_AFTER_DAILY = timedelta(hours=36)
WORTH_TELLING = frozenset(("conflict-copies", "merge-conflicts", "secrets"))
"""Warnings that a person would want to hear of; of the others tells the Health page."""


@dataclass(frozen=True, slots=True)
class ScheduleState:
    """For a person: when it last reflected, when it will, and why it does not now. ``paused_until``
    is None for a pause until it is taken back. ``next`` is None where a run waits for something
    without a time, which ``why_not`` names."""

    last: datetime | None = None
    next: datetime | None = None
    is_paused: bool = False
    paused_until: datetime | None = None
    running: bool = False
    why_not: WhyNot | None = WhyNot.NO_FOLDER


class FindingKind(StrEnum):
    SUGGESTIONS = "suggestions"
    HEALTH = "health"


@dataclass(frozen=True, slots=True)
class Finding:
    """Something worth telling a person who does not look: ``count`` suggestions that wait, the
    ``names`` of what the new ones are for; or a check and its places. ``reason`` is a sentence that
    says why this is told now."""

    kind: FindingKind
    count: int
    names: tuple[str, ...]
    reason: str


@dataclass(frozen=True, slots=True)
class _Look:
    """What a quick look has seen: the suggestions that wait, by id, and the conversations."""

    waiting: dict[str, str]
    messages: int
    newest: datetime | None


@dataclass
class _Open:
    """What is known of the open folder. ``own`` is the run that the plan has begun and that is not
    over; ``is_partial`` tells that what runs only sums up conversations. ``hindered_since`` is when
    a due run began to wait for a quiet moment, on the clock that only runs forward."""

    path: str
    rhythm: Rhythm
    success: datetime | None = None
    is_known: bool = False  # whether ``success`` was asked for
    is_asking: bool = False
    is_running: bool = False
    is_partial: bool = False
    own: Due | None = None
    hindered_since: float | None = None
    messages: int = 0


class Schedule(QObject):
    """Starts reflections by the person's plan. Nothing happens before :meth:`start`."""

    beaten = Signal(object)  # Beat: about once a minute
    due = Signal(object)  # Job: it begins now
    state_changed = Signal(object)  # ScheduleState
    noticed = Signal(object)  # Finding
    health_checked = Signal(object)  # HealthReport

    def __init__(
        self,
        tasks: Tasks,
        library: Library,
        reflection: Reflection,
        settings: SettingsStore,
        memory: ScheduleMemory,
        activity: Activity,
        clock: Clock,
        parent: QObject | None = None,
        *,
        uptime: Callable[[], float] = time.monotonic,
        scheduler: Scheduler | None = None,
    ) -> None:
        super().__init__(parent)
        self._tasks = tasks
        self._library = library
        self._reflection = reflection
        self._settings = settings
        self._memory = memory
        self._activity = activity
        self._clock = clock
        self._uptime = uptime
        self._scheduler = scheduler or Scheduler(self._post, clock)
        self._closed = False
        self._beat: Beat | None = None
        self._state = ScheduleState()
        self._open = _Open("", new_rhythm(uptime()))
        library.leaving.connect(self._on_leaving)
        library.opened.connect(self._on_opened)
        reflection.started.connect(self._on_started)
        reflection.finished.connect(self._on_finished)
        reflection.stopped.connect(self._on_stopped)
        reflection.busy.connect(self._on_busy)
        reflection.failed.connect(self._on_failed)

    # From outside

    @property
    def state(self) -> ScheduleState:
        return self._state

    @property
    def plan(self) -> Plan:
        return plan_of(self._settings.value)

    @property
    def reflection_late_after(self) -> timedelta | None:
        """How old the last reflection may be before it is late; None where none is due by itself.
        For ``Workspace.health``."""
        plan = self.plan
        if plan.kind is PlanKind.MANUAL or self._memory.value.pause is not None:
            return None
        return timedelta(hours=2 * plan.hours) if plan.kind is PlanKind.HOURS else LATE_AFTER_DAILY

    def start(self) -> None:
        """Begin to look once a minute. Call it after the first paint."""
        self._tasks.run(Lane.READ, lambda job: self._scheduler.start())

    def stop(self, within: float = STOP_WITHIN) -> bool:
        """First half of quitting: nothing more begins. False when the heartbeat is stuck."""
        self._closed = True
        if self._open.own is not None:  # cut short by us: it is begun again at the next start
            self._keep(attempted=None, failures=0)
            self._open.own = None
        return self._scheduler.stop(within)

    def take(self, beat: Beat) -> None:
        """A beat of the heart: see what is due."""
        if self._closed:
            return
        self._beat = beat
        if beat.slept:
            self._activity.note()  # who wakes a computer wants to use it
            self._open.rhythm = self._open.rhythm.woken(beat.uptime)
        self._set_pause(policy.rebased(self._memory.value.pause, self._now()))
        self.beaten.emit(beat)
        self._consider()
        if self._library.workspace is not None and not self._library.is_syncing:
            self._small_jobs(self._library.workspace, beat)

    def set_plan(self, plan: Plan) -> None:
        """Another plan, from now on: a time that is still to come today counts."""
        self._settings.update(
            plan=plan.kind.value,
            reflect_at=plan.at.isoformat("minutes"),
            reflect_hours=plan.hours,
            reflect_on_battery=plan.on_battery,
        )
        self._keep(planned_day=None)
        self._consider()

    def pause(self, hours: float | None = None) -> None:
        """Begin nothing by itself for so many hours, or until :meth:`resume`. What runs goes on."""
        now = self._now()
        self._set_pause(Pause(now) if hours is None else policy.pause_for(hours, now))
        self._consider()

    def pause_until_tomorrow(self) -> None:
        """Begin nothing by itself before eight in the morning of the next day."""
        self._set_pause(policy.pause_until_tomorrow(self._now(), self._zone))
        self._consider()

    def resume(self) -> None:
        """End a pause. What was missed is caught up with at the next quiet moment."""
        self._set_pause(None)
        self._consider()

    def run_now(self) -> None:
        """Reflect because the person says so: also while paused, on battery, or without a plan."""
        self._reflection.start()

    # The reflection

    def _consider(self) -> None:
        """Begin a run if it is time for one, else say why not."""
        workspace = self._library.workspace
        if self._closed or self._beat is None or workspace is None:
            self._tell(Decision(why_not=WhyNot.NO_FOLDER))
            return
        decision = self._decide(self._beat)
        if self._open.is_known:
            self._tell(decision)
        if not self._open.is_asking and (decision.run is not None or not self._open.is_known):
            self._open.is_asking = True
            self._tasks.run(
                Lane.READ,
                lambda job: workspace.last_reflection(),
                done=self._on_last,
                failed=self._on_last_failed,
                channel="last reflection",
            )

    def _decide(self, beat: Beat) -> Decision:
        marks = replace(self._folder_memory.marks, success=self._open.success)
        since = self._open.hindered_since
        situation = self._situation(beat, 0.0 if since is None else beat.uptime - since)
        pause = self._memory.value.pause
        decision = policy.decide(self.plan, marks, pause, situation, self._now(), beat.zone)
        if decision.why_not is not WhyNot.NOT_QUIET:
            if decision.run is None:
                self._open.hindered_since = None
        elif self._open.hindered_since is None:
            self._open.hindered_since = beat.uptime
        return decision

    def _situation(self, beat: Beat, waiting: float = 0.0) -> Situation:
        return Situation(
            running=self._open.is_running,
            on_battery=beat.on_battery,
            quiet_for=self._activity.quiet_for,
            waiting_for=timedelta(seconds=max(0.0, waiting)),
        )

    def _on_last(self, last: datetime | None) -> None:
        self._open.is_asking = False
        if self._closed or self._beat is None:
            return
        self._open.is_known = True
        self._open.success = last
        decision = self._decide(self._beat)
        self._tell(decision)
        if decision.run is not None:
            self._begin(decision.run)

    def _on_last_failed(self, error: DaybankError) -> None:
        """The folder is out of reach, say. It is asked again at the next beat."""
        self._open.is_asking = False
        log.info("When the folder last reflected cannot be told: %s", error)

    def _begin(self, due: Due) -> None:
        now = self._now()
        marks = policy.trusted(self._folder_memory.marks, now, self._zone)
        if (
            self._open.success is not None
            and policy.trusted(Marks(success=self._open.success), now, self._zone) == Marks()
        ):
            log.warning("The last reflection is said to be of %s, after now", self._open.success)
        log.info("Reflecting by itself: %s of %s", due.kind, due.moment.isoformat())
        self._open.own = due
        self._open.hindered_since = None
        self._keep(attempted=now, failures=marks.failures + 1)
        self.due.emit(Job.REFLECTION)
        self._reflection.start()

    def _on_started(self) -> None:
        self._open.is_running = True
        self._consider_running()

    def _on_finished(self, report: ReflectionReport) -> None:
        own, self._open.own = self._open.own, None
        is_partial, self._open.is_partial = self._open.is_partial, False
        self._open.is_running = False
        if not is_partial:
            self._open.success = report.started
            marks = policy.trusted(self._folder_memory.marks, self._now(), self._zone)
            if own is not None and own.kind is RunKind.PLANNED and self.plan.kind in _BY_DAY:
                marks = replace(marks, planned_day=own.moment.astimezone(self._zone).date())
            marks = replace(marks, declined=None, attempted=None, failures=0)
            self._remember(replace(self._folder_memory, marks=marks, chat_seen=None))
        if own is None and not is_partial:  # the person sees what comes of it
            new = tuple(item.proposal for item in report.proposed if item.proposal)
            self._add_told(new)
        self._consider_running()

    def _on_stopped(self) -> None:
        """By the person, or because the folder is left."""
        own, self._open.own = self._open.own, None
        self._open.is_running = self._open.is_partial = False
        if own is None:
            return
        workspace = self._library.workspace
        by_person = workspace is not None and str(workspace.path) == self._open.path
        if by_person:
            self._keep(declined=self._now(), attempted=None, failures=0)
        else:
            self._keep(attempted=None, failures=0)
        self._consider_running()

    def _on_busy(self, error: DaybankError) -> None:
        """Another program is at it: no failure, but look again a little later."""
        if self._open.own is not None:
            self._keep(failures=0)
        self._end_badly()

    def _on_failed(self, error: DaybankError) -> None:
        self._end_badly()

    def _end_badly(self) -> None:
        self._open.own = None
        self._open.is_running = self._open.is_partial = False
        self._consider_running()

    def _consider_running(self) -> None:
        """Show what has changed; beginning anything is left to the next beat."""
        if self._beat is not None and self._open.is_known and not self._closed:
            self._tell(self._decide(self._beat))

    # The small jobs

    def _small_jobs(self, workspace: Workspace, beat: Beat) -> None:
        plan = self.plan
        for job in self._open.rhythm.due(beat.uptime):
            if job is Job.HEALTH and beat.on_battery and not plan.on_battery:
                continue  # it reads every file: heavy work
            self._open.rhythm = self._open.rhythm.done(job, beat.uptime)
            self.due.emit(job)
            if job is Job.RECONCILE:
                self._library.sync()
            elif job is Job.HEALTH:
                self._check_health(workspace)
            else:
                self._look_quickly(workspace)

    def _check_health(self, workspace: Workspace) -> None:
        late_after = self.reflection_late_after
        self._tasks.run(
            Lane.READ,
            lambda job: workspace.health(reflection_late_after=late_after, cancel=job.cancel),
            done=self._on_health,
            failed=lambda error: log.info("The notes could not be checked: %s", error),
            channel="scheduled health",
        )

    def _on_health(self, report: HealthReport) -> None:
        self.health_checked.emit(report)
        wrong = {
            f"health {check.id}": check
            for check in report.checks
            if check.level == "error" or (check.level == "warning" and check.id in WORTH_TELLING)
        }
        told = self._folder_memory.told
        still = tuple(key for key in told if key in wrong or not key.startswith("health "))
        self._remember(replace(self._folder_memory, told=still))
        for key, check in wrong.items():
            if key not in told:
                self._add_told((key,))
                sources = tuple(str(source) for source in check.sources)
                self.noticed.emit(Finding(FindingKind.HEALTH, len(sources), sources, check.message))

    def _look_quickly(self, workspace: Workspace) -> None:
        self._tasks.run(
            Lane.READ,
            lambda job: _look(workspace),
            done=self._on_look,
            failed=self._on_look_failed,
            channel="quick look",
        )

    def _on_look(self, look: _Look) -> None:
        fresh = self._tell_of_suggestions(look)
        more = self._count_messages(look)
        quick = self._open.rhythm.quick
        pace = quick.after_news() if fresh or more else quick.after_nothing()
        self._open.rhythm = self._open.rhythm.paced(pace, self._uptime())

    def _on_look_failed(self, error: DaybankError) -> None:
        log.info("The quick look failed: %s", error)
        rhythm = self._open.rhythm
        self._open.rhythm = rhythm.paced(rhythm.quick.after_error(), self._uptime())

    def _tell_of_suggestions(self, look: _Look) -> bool:
        told = self._folder_memory.told
        fresh = tuple(pid for pid in look.waiting if pid not in told)
        still = tuple(key for key in told if key in look.waiting or key.startswith("health "))
        self._remember(replace(self._folder_memory, told=(*still, *fresh)))
        if fresh:
            names = tuple(dict.fromkeys(look.waiting[pid] for pid in fresh))
            reason = self.tr("%n suggestion(s) came in since the last notice.", "", len(fresh))
            self.noticed.emit(Finding(FindingKind.SUGGESTIONS, len(look.waiting), names, reason))
        return bool(fresh)

    def _count_messages(self, look: _Look) -> bool:
        """Whether there are new ones. Enough of them, of a conversation that is over, are summed
        up."""
        seen, more = self._folder_memory.chat_seen, look.messages - self._open.messages
        self._open.messages = look.messages
        if seen is None or look.messages < seen:
            self._remember(replace(self._folder_memory, chat_seen=look.messages))
        elif look.messages - seen >= CHAT_MESSAGES and self._may_sum_up(look.newest):
            self._remember(replace(self._folder_memory, chat_seen=look.messages))
            self._open.is_partial = True
            self.due.emit(Job.CHAT)
            self._reflection.start(phases=CHAT_PHASES)
        return more > 0

    def _may_sum_up(self, newest: datetime | None) -> bool:
        plan, beat, now = self.plan, self._beat, self._now()
        if beat is None or self._reflection.is_running or plan.kind is PlanKind.MANUAL:
            return False
        if policy.is_paused(self._memory.value.pause, now):
            return False
        if newest is not None and now - newest < CHAT_OVER_AFTER:
            return False
        return policy.hindered(plan, self._situation(beat)) is None

    # The folder

    def _on_leaving(self) -> None:
        for channel in ("last reflection", "quick look", "scheduled health"):
            self._tasks.drop(channel)

    def _on_opened(self, workspace: Workspace) -> None:
        if self._open.own is not None:  # it was of the folder before, and begins again there
            self._keep(attempted=None, failures=0)
        self._open = _Open(str(workspace.path), new_rhythm(self._uptime()))
        marks = self._folder_memory.marks
        if policy.trusted(marks, self._now(), self._zone).known_since is None:
            self._keep(known_since=self._now())
        self._open.is_running = self._reflection.is_running
        self._consider()

    # What is remembered

    @property
    def _folder_memory(self) -> FolderMemory:
        return self._memory.value.folder(self._open.path)

    def _keep(self, **marks: object) -> None:
        if self._open.path:
            known = self._folder_memory
            self._remember(replace(known, marks=replace(known.marks, **marks)))  # type: ignore[arg-type]

    def _remember(self, value: FolderMemory) -> None:
        if self._open.path and value != self._folder_memory:
            self._memory.save(self._memory.value.with_folder(self._open.path, value))

    def _add_told(self, keys: tuple[str, ...]) -> None:
        told = dict.fromkeys((*self._folder_memory.told, *keys))
        self._remember(replace(self._folder_memory, told=tuple(told)))

    def _set_pause(self, pause: Pause | None) -> None:
        self._memory.save(replace(self._memory.value, pause=pause))

    # Inside

    def _post(self, beat: Beat) -> None:
        """On the scheduler's thread."""
        self._tasks.post(partial(self.take, beat))

    def _now(self) -> datetime:
        return self._clock.now().astimezone(UTC)

    @property
    def _zone(self) -> tzinfo:
        return self._beat.zone if self._beat is not None else self._clock.now().tzinfo or UTC

    def _tell(self, decision: Decision) -> None:
        pause = policy.rebased(self._memory.value.pause, self._now())
        last = self._open.success
        state = ScheduleState(
            last.astimezone(self._zone) if last else None,
            decision.next,
            pause is not None,
            pause.until.astimezone(self._zone) if pause and pause.until else None,
            self._open.is_running,
            decision.why_not,
        )
        if state != self._state:
            self._state = state
            self.state_changed.emit(state)


_BY_DAY = (PlanKind.DAILY, PlanKind.IDLE)


def plan_of(settings: DesktopSettings) -> Plan:
    """What the person chose, as the rules know it."""
    return Plan(
        PlanKind(settings.plan),
        time_of_day.fromisoformat(settings.reflect_at),
        settings.reflect_hours,
        settings.reflect_on_battery,
    )


def _look(workspace: Workspace) -> _Look:
    """On the worker."""
    chat = workspace.search_chat("", count=1)
    newest = chat.messages[0].when if chat.messages else None
    return _Look({p.id: p.target for p in workspace.proposals()}, chat.total, newest)
