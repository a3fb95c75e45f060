"""Is everything all right with the notes: asking, and keeping the last answer.

GUI thread. A check reads every file that has changed since the one before, so it runs on the lane
for what takes long. Stopping it takes the answer away at once; the worker reads the folder to its
end, since the library cannot be interrupted there.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from daybank.clock import Clock
from daybank.errors import Cancelled, DaybankError, SourceGone, WorkspaceUnreadable
from daybank.health import CORE_TOKENS
from daybank.health.report import HealthReport
from daybank.markdown.document import decode
from daybank.workspace import CORE_NAMES
from daybank_desktop import health_words
from daybank_desktop.health_words import Beside
from daybank_desktop.models.compare_rows import Comparison, compare, original_of
from daybank_desktop.services.library import Library
from daybank_desktop.tasks import Lane, Tasks

if TYPE_CHECKING:
    from daybank import Workspace


@dataclass(frozen=True, slots=True)
class HealthState:
    """The last report and when it was made; None before the first. ``error`` is why the latest
    check did not come to an end. ``is_stale``: the notes have changed since the report."""

    report: HealthReport | None = None
    checked: datetime | None = None
    beside: Beside = field(default_factory=Beside)
    is_checking: bool = False
    is_stale: bool = False
    error: DaybankError | None = None


@dataclass(frozen=True, slots=True)
class Compared:
    """A copy beside the file it was made of. ``original`` is "" where that is not there any more,
    ``comparison`` None where the two are too long to be compared."""

    copy: str
    original: str
    comparison: Comparison | None
    copy_changed: datetime | None = None
    original_changed: datetime | None = None


class Health(QObject):
    """Checks of the open folder. ``late_after`` is ``Schedule.reflection_late_after``."""

    changed = Signal(object)  # HealthState
    compared = Signal(object)  # Compared
    compare_failed = Signal(str, object)  # the copy, DaybankError

    def __init__(
        self,
        tasks: Tasks,
        library: Library,
        clock: Clock,
        *,
        late_after: Callable[[], timedelta | None] = lambda: None,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._tasks = tasks
        self._library = library
        self._clock = clock
        self._late_after = late_after
        self._state = HealthState()
        self._waits = False
        library.leaving.connect(self._on_leaving)
        library.opened.connect(self._on_opened)
        library.changed.connect(self._on_notes_changed)
        library.sync_finished.connect(self._on_sync_over)
        library.sync_failed.connect(self._on_sync_over)

    @property
    def state(self) -> HealthState:
        return self._state

    @property
    def has_folder(self) -> bool:
        return self._library.workspace is not None

    @property
    def needs(self) -> int:
        """How many things need the person."""
        return health_words.needs(self._state.report)

    @property
    def level(self) -> str:
        """The colour of the dot in the sidebar: "", "caution" or "negative"."""
        return health_words.dot(self._state.report)

    def check(self) -> None:
        """Check now, or as soon as what is new in the folder has been read. Asking again while one
        runs does nothing."""
        if self._library.workspace is None or self._state.is_checking:
            return
        self._tell(replace(self._state, is_checking=True, error=None))
        self._waits = self._library.is_syncing
        if not self._waits:
            self._begin()

    def _begin(self) -> None:
        workspace = self._library.workspace
        if workspace is None:
            return
        self._waits = False
        late_after = self._late_after()
        self._tasks.run(
            Lane.READ,  # not behind what computes for minutes: somebody waits
            lambda job: workspace.health(reflection_late_after=late_after, cancel=job.cancel),
            done=self._on_report,
            failed=self._on_failed,
            channel="health",
        )

    def cancel(self) -> None:
        """Want no answer any more; the last one stays."""
        self._tasks.drop("health")
        self._waits = False
        if self._state.is_checking:
            self._tell(replace(self._state, is_checking=False))

    def take(self, report: HealthReport) -> None:
        """A report of a check by the clock. One that was asked for and still runs goes on."""
        self._keep(report, is_checking=self._state.is_checking)

    def compare(self, copy: str, others: Sequence[str] = ()) -> None:
        """Put a copy that a sync program made beside its original; ``others`` are further copies,
        none of which is it."""
        workspace = self._library.workspace
        if workspace is None:
            return
        self._tasks.run(
            Lane.READ,
            lambda job: _compared(workspace, copy, others),
            done=self.compared.emit,
            failed=lambda error: self._on_compare_failed(copy, error),
            channel="compare copies",
        )

    def cancel_compare(self) -> None:
        self._tasks.drop("compare copies")

    # Inside

    def _on_report(self, report: HealthReport) -> None:
        self._keep(report, is_checking=False)

    def _keep(self, report: HealthReport, *, is_checking: bool) -> None:
        workspace = self._library.workspace
        if workspace is None:
            return
        self._tell(HealthState(report, self._clock.now(), self._state.beside, is_checking))
        self._tasks.run(
            Lane.READ,
            lambda job: _look_beside(workspace),
            done=self._on_beside,
            failed=lambda error: None,  # comforts only; the report stands without them
            channel="beside health",
        )

    def _tell(self, state: HealthState) -> None:
        if state != self._state:
            self._state = state
            self.changed.emit(state)

    def _on_beside(self, beside: Beside) -> None:
        self._tell(replace(self._state, beside=beside))

    def _on_failed(self, error: DaybankError) -> None:
        told = None if isinstance(error, Cancelled) else error
        self._tell(replace(self._state, is_checking=False, error=told))

    def _on_compare_failed(self, copy: str, error: DaybankError) -> None:
        self.compare_failed.emit(copy, error)

    def _on_leaving(self) -> None:
        for channel in ("health", "beside health", "compare copies"):
            self._tasks.drop(channel)
        self._waits = False

    def _on_opened(self) -> None:
        self._state = HealthState()
        self.changed.emit(self._state)

    def _on_sync_over(self) -> None:
        if self._waits and not self._library.is_syncing:
            self._begin()

    def _on_notes_changed(self) -> None:
        if self._state.report is not None:
            self._tell(replace(self._state, is_stale=True))


# On the worker


def _look_beside(workspace: Workspace) -> Beside:
    repairs: dict[str, str] = {}
    for proposal in workspace.proposals():
        if proposal.phase.value == "repair":
            repairs.setdefault(proposal.target, proposal.id)
    return Beside(tuple(repairs.items()), _core_share(workspace), workspace.last_reflection())


def _core_share(workspace: Workspace) -> int | None:
    for name in CORE_NAMES:
        try:
            text = decode(workspace.absolute(name).read_bytes()).text
        except (OSError, DaybankError):
            continue
        return round(100 * (len(text) // 4) / CORE_TOKENS)
    return None


def _compared(workspace: Workspace, copy: str, others: Sequence[str]) -> Compared:
    place = workspace.absolute(copy)
    folder = copy.rpartition("/")[0]
    try:
        names = [entry.name for entry in place.parent.iterdir() if entry.is_file()]
    except OSError as error:
        raise WorkspaceUnreadable(
            "The memory folder cannot be reached.", "Nothing was changed or lost."
        ) from error
    left_out = {other.rpartition("/")[2] for other in (copy, *others)}
    name = original_of(place.name, [n for n in names if n not in left_out])
    original = f"{folder}/{name}" if folder and name else name
    theirs = _read(place, copy)
    if not original:
        return Compared(copy, "", compare("", theirs), _touched(place))
    ours = _read(workspace.absolute(original), original)
    return Compared(
        copy,
        original,
        compare(ours, theirs),
        _touched(place),
        _touched(workspace.absolute(original)),
    )


def _read(place: Path, path: str) -> str:
    try:
        return decode(place.read_bytes()).text
    except FileNotFoundError as error:
        raise SourceGone(
            "This file is not there any more.", f"“{path}” was moved or removed."
        ) from error
    except OSError as error:
        raise WorkspaceUnreadable(
            f"“{path}” cannot be read.", "Nothing was changed or lost."
        ) from error


def _touched(place: Path) -> datetime | None:
    try:
        return datetime.fromtimestamp(place.stat().st_mtime).astimezone()
    except OSError:
        return None
