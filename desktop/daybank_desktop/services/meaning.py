"""Search by meaning: preparing the open folder for it in the background, and telling how far it is.

GUI thread; the work runs on the lane for long work. A pass begins some seconds after the folder
was read, and after every reading that found something new. What is prepared stays, however a pass
ends, so stopping it loses nothing. Trouble is a word in the status bar: words are found anyway.
"""

from __future__ import annotations

import gc
import importlib
import logging
import sys
from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import Enum
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal

from daybank.errors import Cancelled, DaybankError, IndexBusy
from daybank_desktop.services.library import Library
from daybank_desktop.tasks import Job, Lane, Tasks

if TYPE_CHECKING:
    from daybank import SyncReport, Workspace

log = logging.getLogger(__name__)

START_AFTER_MS = 2_500  # the first answer comes first
BUSY_AGAIN_MS = 30_000  # another Daybank prepares the same folder
QUIET_TEXTS = 400  # so few, once it is on, are done before anybody could read of it


class Phase(Enum):
    """Where search by meaning is."""

    UNKNOWN = "unknown"
    ON = "on"
    PREPARING = "preparing"
    PAUSED = "paused"
    OFF = "off"


@dataclass(frozen=True, slots=True)
class Readiness:
    """``done`` of ``total`` texts. ``reason`` is for a person: why it is off, or who is at it."""

    phase: Phase = Phase.UNKNOWN
    done: int = 0
    total: int = 0
    reason: str = ""

    @property
    def percent(self) -> int:
        """Rounded down: it is never 100 before it is through."""
        return self.done * 100 // self.total if self.total else 0


class Meaning(QObject):
    """Keeps the library's open folder prepared. ``pause`` holds until ``resume`` or the next
    start of the program."""

    changed = Signal(object)  # Readiness
    loaded = Signal()  # from now on searching by meaning takes no longer than a search

    def __init__(
        self,
        tasks: Tasks,
        library: Library,
        parent: QObject | None = None,
        *,
        get_ready: Callable[[], None] | None = None,
    ) -> None:
        """``get_ready`` is called on the worker before a pass."""
        super().__init__(parent)
        self._get_ready = get_ready
        self._tasks = tasks
        self._library = library
        self._readiness = Readiness()
        self._job: Job[Readiness] | None = None
        self._paused = False
        self._is_on = True
        self._closed = False
        self._looked = False  # into this folder
        self._again = False
        self._quiet = False
        self._is_loaded = False
        self._later = QTimer(self, singleShot=True, interval=START_AFTER_MS)
        self._later.timeout.connect(self._start)
        self._busy = QTimer(self, singleShot=True, interval=BUSY_AGAIN_MS)
        self._busy.timeout.connect(self._start)
        library.leaving.connect(self._leave)
        library.opened.connect(self._on_opened)
        library.sync_finished.connect(self._on_synced)

    @property
    def readiness(self) -> Readiness:
        return self._readiness

    def pause(self) -> None:
        """Stop preparing; what is done stays."""
        self._paused = True
        self._later.stop()
        self._busy.stop()
        if self._job is not None:
            self._job.stop()
        self._tell(replace(self._readiness, phase=Phase.PAUSED, reason=""))

    def resume(self) -> None:
        """Go on after a pause, or try again after trouble."""
        self._paused = False
        if self._readiness.phase is Phase.PAUSED:
            self._tell(replace(self._readiness, phase=Phase.PREPARING))
        self._again = self._job is not None
        self._start()

    def set_on(self, is_on: bool) -> None:
        """Off, nothing is prepared and no model is loaded; what is prepared stays."""
        if is_on == self._is_on:
            return
        self._is_on = is_on
        self._looked = self._is_loaded = self._quiet = False
        if is_on:
            self._start()
        else:
            self._leave()
            self._tell(Readiness())

    def renew(self) -> None:
        """Another model was chosen: prepare the notes for that one, from now on."""
        self._later.stop()
        self._busy.stop()
        self._quiet = False
        if self._job is not None:
            self._again = True
            self._job.stop()
        else:
            self._start()

    def stop(self) -> None:
        """First half of quitting: ask for nothing more."""
        self._closed = True
        self._leave()

    # The passes

    def _leave(self) -> None:
        self._later.stop()
        self._busy.stop()
        self._again = False
        job, self._job = self._job, None
        if job is not None:
            job.abandon()

    def _on_opened(self) -> None:
        self._looked = self._is_loaded = self._quiet = False
        self._tell(Readiness())

    def _on_synced(self, report: SyncReport) -> None:
        is_news = report.is_change
        if self._closed or not self._is_on or (self._looked and (self._paused or not is_news)):
            return
        if self._job is not None:
            self._again = True
        elif not (self._later.isActive() or self._busy.isActive() or self._has_failed):
            self._later.start()

    @property
    def _has_failed(self) -> bool:
        return self._readiness.phase is Phase.OFF

    def _start(self) -> None:
        workspace = self._library.workspace
        if workspace is None or self._closed or not self._is_on or self._job is not None:
            return
        self._looked = True
        self._again = False
        only_look, get_ready = self._paused, self._get_ready
        job = self._tasks.run(
            Lane.LONG,
            lambda job: _prepare(workspace, job, get_ready, only_look=only_look),
            done=self._on_done,
            failed=self._on_failed,
            progress=self._on_progress,
            channel="meaning",
        )
        self._job = None if self._tasks.is_inline or job.is_abandoned else job

    def _on_progress(self, value: object) -> None:
        if isinstance(value, Readiness):  # the look at what is missing
            missing = value.total - value.done
            self._quiet = self._readiness.phase is Phase.ON and missing <= QUIET_TEXTS
        else:
            value = Readiness(Phase.PREPARING, value.done, value.total)  # type: ignore[attr-defined]
            self._on_loaded()
        if not self._paused and not self._quiet:
            self._tell(value)

    def _on_done(self, readiness: Readiness) -> None:
        self._job = None
        if readiness.phase is Phase.OFF:
            self._fail(readiness.reason)
        elif readiness.done or not readiness.total:
            self._on_loaded()
        if readiness.phase is not Phase.OFF:
            self._tell(readiness)
        if self._again:
            self._start()

    def _on_failed(self, error: DaybankError) -> None:
        self._job = None
        if isinstance(error, Cancelled):
            if self._again:
                self._start()
        elif isinstance(error, IndexBusy):
            if not self._quiet:
                self._tell(replace(self._readiness, phase=Phase.PREPARING, reason=str(error)))
            self._busy.start()
        else:
            self._fail(str(error))

    def _fail(self, reason: str) -> None:
        """Not tried again by itself before the folder is opened anew."""
        self._again = False
        log.warning("Search by meaning is off: %s", reason)
        self._tell(replace(self._readiness, phase=Phase.OFF, reason=reason))

    def _on_loaded(self) -> None:
        if not self._is_loaded:
            self._is_loaded = True
            self.loaded.emit()

    def _tell(self, readiness: Readiness) -> None:
        if readiness != self._readiness:
            self._readiness = readiness
            self.changed.emit(readiness)


def _prepare(
    workspace: Workspace,
    job: Job[Readiness],
    get_ready: Callable[[], None] | None,
    *,
    only_look: bool,
) -> Readiness:
    """On the worker. The first use of what is prepared loads all that a question needs: here it
    keeps nobody waiting."""
    state = workspace.meaning(job.cancel)
    if not state.available:
        return Readiness(Phase.OFF, state.done, state.total, state.reason)
    is_through = state.done >= state.total
    phase = Phase.ON if is_through else Phase.PAUSED if only_look else Phase.PREPARING
    found = Readiness(phase, state.done, state.total)
    job.report(found)
    if get_ready is not None:
        get_ready()
    if state.done:
        workspace.recall("ready", k=1)
    if is_through or only_look:
        return found
    report = workspace.embed(progress=job.report, cancel=job.cancel)
    return Readiness(Phase.ON, report.total, report.total)


def import_ahead() -> None:
    """What runs the model is a great deal to import. Python would look through all of it for
    garbage again and again meanwhile, and each time the window would stand still."""
    if "fastembed" in sys.modules:
        return
    gc.disable()
    try:
        for name in ("numpy", "onnxruntime", "fastembed"):
            importlib.import_module(name)
    except ImportError:
        log.info("Not installed as usual", exc_info=True)  # who needs it says so in plain words
    finally:
        gc.freeze()
        gc.enable()
