"""The open memory folder: opening it, keeping up with its files, telling of both.

GUI thread; everything that touches the disk runs on the write lane, so opening, reading and closing
follow each other. The watcher calls from a thread of its own and only posts.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal

from daybank.errors import Cancelled, DaybankError, IndexBusy, WorkspaceError
from daybank_desktop.tasks import Job, Lane, Tasks

if TYPE_CHECKING:
    from daybank import Overview, SyncReport, Workspace
    from daybank.index.watcher import Watcher

    Opener = Callable[[Path], Workspace]


BUSY_AGAIN_MS = 10_000  # another Daybank, say the command line, is reading the same folder
LET_GO_WITHIN = 2.0


class Library(QObject):
    """Holds the one open workspace. ``opener`` is ``open_workspace`` or a stand-in."""

    opened = Signal(object)  # the Workspace
    leaving = Signal()  # the folder is about to be closed for another: stop what runs in it
    open_failed = Signal(object)  # DaybankError; the folder that was open before stays open
    sync_started = Signal()
    sync_progress = Signal(object)  # daybank.progress.Progress
    sync_finished = Signal(object)  # SyncReport
    sync_failed = Signal(object)  # DaybankError; Cancelled when the person stopped it
    overview_changed = Signal(object)  # Overview
    changed = Signal()  # the notes are different from what was answered before
    watch_notice = Signal(str)  # the folder cannot be watched closely, and why

    def __init__(self, tasks: Tasks, opener: Opener, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._tasks = tasks
        self._opener = opener
        self._workspace: Workspace | None = None
        self._overview: Overview | None = None
        self._watcher: Watcher | None = None
        self._sync: Job[SyncReport] | None = None
        self._again = False
        self._has_read = False
        self._closed = False
        self._later = QTimer(self, singleShot=True, interval=BUSY_AGAIN_MS)
        self._later.timeout.connect(self.sync)

    @property
    def workspace(self) -> Workspace | None:
        return self._workspace

    @property
    def overview(self) -> Overview | None:
        """As last seen; None before the first look."""
        return self._overview

    @property
    def is_syncing(self) -> bool:
        return self._sync is not None

    def open(self, path: Path) -> None:
        """Open ``path`` in place of what is open, then read what is new in it."""
        self.cancel_sync()
        self._tasks.run(
            Lane.WRITE,
            lambda job: self._opener(path),
            done=self._on_opened,
            failed=self.open_failed.emit,
            channel="open",
        )

    def sync(self, *, rebuild: bool = False) -> None:
        """Read what is new. Asking again while it runs makes it run once more afterwards."""
        workspace = self._workspace
        if workspace is None or self._closed:
            return
        if self._sync is not None:
            self._again = True
            return
        self._again = False
        self.sync_started.emit()
        job = self._tasks.run(
            Lane.WRITE,
            lambda job: workspace.sync(progress=job.report, cancel=job.cancel, rebuild=rebuild),
            done=self._on_synced,
            failed=self._on_sync_failed,
            progress=self.sync_progress.emit,
            channel="sync",
        )
        # Inline it is through already; abandoned means that the app is closing.
        self._sync = None if self._tasks.is_inline or job.is_abandoned else job

    def cancel_sync(self) -> None:
        """Stop reading; what was read stays read."""
        self._again = False
        if self._sync is not None:
            self._sync.stop()

    def refresh_overview(self) -> None:
        workspace = self._workspace
        if workspace is not None and not self._closed:
            self._tasks.run(
                Lane.READ,
                lambda job: workspace.overview(),
                done=self._on_overview,
                failed=lambda error: None,  # a number in the status bar; the sync tells of trouble
                channel="overview",
            )

    def stop(self) -> None:
        """First half of quitting: ask for nothing more."""
        self._closed = True
        self._later.stop()
        self.cancel_sync()

    def close(self) -> None:
        """Second half, once no worker runs: let go of the folder."""
        self._closed = True
        watcher, self._watcher = self._watcher, None
        if watcher is not None:
            watcher.close()
        workspace, self._workspace = self._workspace, None
        if workspace is not None:
            workspace.close()

    def _on_opened(self, workspace: Workspace) -> None:
        before, watcher = self._workspace, self._watcher
        self._workspace, self._watcher, self._overview = workspace, None, None
        self._has_read = False
        if before is not None:
            self.leaving.emit()
            # One worker takes one after the other: this is through when the work before it is.
            over = self._tasks.run(Lane.LONG, lambda job: None).finished
            self._tasks.run(Lane.WRITE, lambda job: _let_go(before, watcher, over))
        self.opened.emit(workspace)
        self.refresh_overview()
        self.sync()

    def _on_overview(self, overview: Overview) -> None:
        self._overview = overview
        self.overview_changed.emit(overview)

    def _on_synced(self, report: SyncReport) -> None:
        self._sync = None
        self._has_read = True
        self.sync_finished.emit(report)
        if report.is_change:
            self.changed.emit()
        self.refresh_overview()
        self._watch()
        if self._again:
            self.sync()

    def _on_sync_failed(self, error: DaybankError) -> None:
        self._sync = None
        self.sync_failed.emit(error)
        self.refresh_overview()
        if isinstance(error, Cancelled):
            self.changed.emit()  # what was read before the stop can be found
        if isinstance(error, IndexBusy):
            self._later.start()
        if not isinstance(error, WorkspaceError):
            self._watch()
        if self._again:
            self.sync()

    def _watch(self) -> None:
        """Follow the files, from after the first reading on."""
        workspace = self._workspace
        if workspace is None or self._watcher is not None or self._closed:
            return
        self._tasks.run(
            Lane.WRITE,
            lambda job: workspace.watch(lambda: self._tasks.post(self.sync)),
            done=lambda watcher: self._on_watching(workspace, watcher),
            failed=lambda error: self.watch_notice.emit(f"{error.title} {error.message}".strip()),
            channel="watch",
        )

    def _on_watching(self, workspace: Workspace, watcher: Watcher) -> None:
        if workspace is not self._workspace or self._closed or self._watcher is not None:
            watcher.close()
            return
        self._watcher = watcher
        if watcher.notice:
            self.watch_notice.emit(watcher.notice)
        if self._has_read:
            # What was written between that reading and this moment was seen by nobody.
            self.sync()


def _let_go(workspace: Workspace, watcher: Watcher | None, over: threading.Event) -> None:
    over.wait(LET_GO_WITHIN)
    if watcher is not None:
        watcher.close()
    workspace.close()
