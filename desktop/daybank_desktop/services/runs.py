"""What reflections have done, for the run history.

GUI thread. Four hundred reports may hold everything that was ever passed over, so the list keeps a
line for each, and a report is read in full only when somebody unfolds it.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from daybank.errors import DaybankError
from daybank.reflect.record import ReflectionReport
from daybank_desktop.services.library import Library
from daybank_desktop.services.reflection import Reflection
from daybank_desktop.tasks import Lane, Tasks

if TYPE_CHECKING:
    from daybank import Workspace

_NEWER = 20
"""Runs that may have come in since the list was read."""


@dataclass(frozen=True, slots=True)
class RunLine:
    """One run in numbers. ``made`` are new suggestions, ``waited`` those that waited already;
    ``is_idle``: nothing was new to look at."""

    id: str
    started: datetime
    finished: datetime
    facts: int
    new: int
    made: int
    waited: int
    skipped: int
    error: str = ""
    is_idle: bool = False

    @property
    def seconds(self) -> float:
        return max(0.0, (self.finished - self.started).total_seconds())


class Runs(QObject):
    """The runs of the open folder, newest first."""

    loading = Signal()
    loaded = Signal(object)  # tuple of RunLine
    failed = Signal(object)  # DaybankError
    report_loaded = Signal(str, object)  # the run's id, ReflectionReport or None where it is gone

    def __init__(
        self,
        tasks: Tasks,
        library: Library,
        reflection: Reflection,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._tasks = tasks
        self._library = library
        self._lines: tuple[RunLine, ...] | None = None
        self._is_stale = True
        library.leaving.connect(self._on_leaving)
        library.opened.connect(self._on_opened)
        reflection.reports_changed.connect(self._on_reports)

    @property
    def lines(self) -> tuple[RunLine, ...] | None:
        """As last read; None before that."""
        return self._lines

    @property
    def is_stale(self) -> bool:
        """Whether there may be runs that are not in the list."""
        return self._is_stale

    @property
    def has_folder(self) -> bool:
        return self._library.workspace is not None

    def refresh(self) -> None:
        """Read the runs again."""
        workspace = self._library.workspace
        if workspace is None:
            return
        self._is_stale = False
        if self._lines is None:
            self.loading.emit()
        self._tasks.run(
            Lane.READ,
            lambda job: _lines(workspace),
            done=self._on_lines,
            failed=self._on_failed,
            channel="run history",
        )

    def load_report(self, run_id: str) -> None:
        """Read one report in full."""
        workspace = self._library.workspace
        if workspace is None:
            return
        known = [line.id for line in self._lines or ()]
        most = known.index(run_id) + 1 + _NEWER if run_id in known else 0
        self._tasks.run(
            Lane.READ,
            lambda job: _report(workspace, run_id, most),
            done=lambda report: self._on_report(run_id, report),
            failed=lambda error: self._on_report(run_id, None),
            channel=f"run {run_id}",
        )

    def _on_lines(self, lines: tuple[RunLine, ...]) -> None:
        self._lines = lines
        self.loaded.emit(lines)

    def _on_failed(self, error: DaybankError) -> None:
        self._is_stale = True
        self.failed.emit(error)

    def _on_report(self, run_id: str, report: ReflectionReport | None) -> None:
        self.report_loaded.emit(run_id, report)

    def _on_reports(self) -> None:
        self._is_stale = True

    def _on_leaving(self) -> None:
        self._tasks.drop("run history")

    def _on_opened(self) -> None:
        self._lines = None
        self._is_stale = True


def run_line(report: ReflectionReport) -> RunLine:
    """A report in numbers."""
    made = {item.proposal or item.target for item in report.fresh}
    return RunLine(
        report.id,
        report.started,
        report.finished,
        report.facts,
        report.new,
        len(made),
        len({item.proposal or item.target for item in report.proposed} - made),
        report.skipped_in_all or len(report.skipped),
        report.error or "",
        report.nothing_new,
    )


# On the worker


def _lines(workspace: Workspace) -> tuple[RunLine, ...]:
    return tuple(map(run_line, workspace.reflections()))


def _report(workspace: Workspace, run_id: str, most: int) -> ReflectionReport | None:
    return next((r for r in workspace.reflections(most) if r.id == run_id), None)
