"""Reflecting when the person asks for it, and the reports of the runs.

GUI thread; the run is on the write lane, since it reads the folder anew and stores suggestions.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Signal

from daybank.errors import Cancelled, DaybankError, ReflectionBusy
from daybank_desktop.services.library import Library
from daybank_desktop.tasks import Job, Lane, Tasks

if TYPE_CHECKING:
    from daybank.reflect.record import ReflectionReport

MOST_REPORTS = 60


class Reflection(QObject):
    """Runs of the open folder: one at a time, with its progress, and what earlier ones found."""

    started = Signal()
    progress = Signal(object)  # daybank.progress.Progress
    finished = Signal(object)  # ReflectionReport
    stopped = Signal()  # by the person; what was suggested before stays
    busy = Signal(object)  # ReflectionBusy: another program reflects on this folder just now
    failed = Signal(object)  # DaybankError
    reports_changed = Signal(object)  # tuple of ReflectionReport, newest first

    def __init__(self, tasks: Tasks, library: Library, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._tasks = tasks
        self._library = library
        self._job: Job[ReflectionReport] | None = None
        self._reports: tuple[ReflectionReport, ...] = ()
        library.opened.connect(self._on_opened)
        library.leaving.connect(self._on_leaving)

    @property
    def is_running(self) -> bool:
        return self._job is not None

    @property
    def reports(self) -> tuple[ReflectionReport, ...]:
        """The runs that are known, newest first."""
        return self._reports

    @property
    def last(self) -> ReflectionReport | None:
        return self._reports[0] if self._reports else None

    def start(self, *, phases: Sequence[str] = ()) -> None:
        """Reflect now, or only some ``phases``. Asking again while it runs does nothing."""
        workspace = self._library.workspace
        if workspace is None or self._job is not None:
            return
        self.started.emit()
        only: dict[str, Any] = {"phases": tuple(phases)} if phases else {}
        job = self._tasks.run(
            Lane.WRITE,
            lambda job: workspace.reflect(progress=job.report, cancel=job.cancel, **only),
            done=self._on_finished,
            failed=self._on_failed,
            progress=self.progress.emit,
            channel="reflect",
        )
        self._job = None if self._tasks.is_inline or job.is_abandoned else job

    def cancel(self) -> None:
        """Stop soon; nothing of this run is suggested."""
        if self._job is not None:
            self._job.stop()

    def refresh(self) -> None:
        """Read the reports again; another program may have reflected."""
        workspace = self._library.workspace
        if workspace is not None:
            self._tasks.run(
                Lane.READ,
                lambda job: workspace.reflections(MOST_REPORTS),
                done=self._on_reports,
                failed=lambda error: None,  # a line at the foot; the page itself tells of trouble
                channel="reflections",
            )

    def _on_leaving(self) -> None:
        job, self._job = self._job, None
        if job is not None:
            job.abandon()
            self.stopped.emit()

    def _on_opened(self) -> None:
        self._on_reports(())
        self.refresh()

    def _on_reports(self, reports: tuple[ReflectionReport, ...]) -> None:
        self._reports = tuple(reports)
        self.reports_changed.emit(self._reports)

    def _on_finished(self, report: ReflectionReport) -> None:
        self._job = None
        self._on_reports((report, *(r for r in self._reports if r.id != report.id)))
        self.finished.emit(report)
        self._library.changed.emit()  # a run reads the folder first

    def _on_failed(self, error: DaybankError) -> None:
        self._job = None
        if isinstance(error, Cancelled):
            self.stopped.emit()
        elif isinstance(error, ReflectionBusy):
            self.busy.emit(error)
        else:
            self.failed.emit(error)
        self.refresh()
