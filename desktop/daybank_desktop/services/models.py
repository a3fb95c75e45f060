"""The models for search by meaning: which there are, fetching one, and which is in use.

GUI thread; the disk is looked at on a read worker, downloads and Ollama on the lane for what waits
for somebody else. One download at a time; what has arrived of it stays until the person stops it,
so that a pause, no internet, or a quit loses nothing.
"""

from __future__ import annotations

import logging
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal

from daybank.embedding.catalogue import BUILT_IN, CATALOGUE, CatalogueModel
from daybank.errors import Cancelled, DaybankError, DownloadWaits, ModelError
from daybank_desktop.services.library import Library
from daybank_desktop.services.ollama import OllamaLook, OllamaState
from daybank_desktop.services.shared_settings import SharedSettings
from daybank_desktop.tasks import Job, Lane, Tasks

if TYPE_CHECKING:
    from daybank.embedding.download import DownloadProgress, Installed

log = logging.getLogger(__name__)

AGAIN_AFTER_MS = 30_000  # without internet
SILENT_SECONDS = 10.0
"""So long a server may be silent; a pause takes effect within that time."""
UNIVERSAL = "universal"


class DownloadPhase(StrEnum):
    RUNNING = "running"
    PAUSED = "paused"
    WAITING = "waiting"  # for the internet; tried again by itself
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class Download:
    """The one download. ``done`` and ``total`` are bytes; ``total`` is 0 until the server told."""

    model: str
    name: str
    phase: DownloadPhase = DownloadPhase.RUNNING
    done: int = 0
    total: int = 0
    reason: str = ""

    @property
    def percent(self) -> int:
        """Rounded down: it is never 100 before it is through."""
        return self.done * 100 // self.total if self.total else 0


@dataclass(frozen=True, slots=True)
class ModelRow:
    """A model that is or can be on this computer. ``state`` is ``absent``, ``partial``,
    ``damaged`` or ``installed``; ``size_bytes`` is 0 where it is not known. ``is_fetched`` tells
    that it is downloaded and can be removed again."""

    id: str
    name: str
    description: str
    size_bytes: int
    state: str
    is_fetched: bool


class Models(QObject):
    """``base_url`` "" is where models usually come from, and ``ollama_url`` "" the usual address on
    this computer."""

    changed = Signal()  # the rows, or what is in use
    download_changed = Signal(object)  # Download or None
    ollama_changed = Signal(object)  # OllamaState
    arrived = Signal(object)  # ModelRow: it can be used now
    removed = Signal(object)  # ModelRow
    model_changed = Signal(str)  # its id: saved, and the open folder knows
    failed = Signal(object)  # DaybankError

    def __init__(
        self,
        tasks: Tasks,
        library: Library,
        shared: SharedSettings,
        models_dir: Path,
        parent: QObject | None = None,
        *,
        base_url: str = "",
        ollama_url: str = "",
        catalogue: tuple[CatalogueModel, ...] = CATALOGUE,
    ) -> None:
        super().__init__(parent)
        self._tasks = tasks
        self._library = library
        self._shared = shared
        self._models_dir = models_dir
        self._base_url = base_url
        self._ollama_url = ollama_url
        self._catalogue = {model.id: model for model in catalogue}
        self._rows: tuple[ModelRow, ...] = ()
        self._download: Download | None = None
        self._job: Job[Installed] | None = None
        self._go_on = False  # as soon as the job that was stopped has ended
        self._discarding = ""
        self._ollama = OllamaLook(tasks, self, url=ollama_url)
        self._ollama.changed.connect(self.ollama_changed)
        self._choosing = ""
        self._again = QTimer(self, singleShot=True, interval=AGAIN_AFTER_MS)
        self._again.timeout.connect(self.resume)
        shared.changed.connect(lambda _: self.changed.emit())

    @property
    def models_dir(self) -> Path:
        return self._models_dir

    @property
    def rows(self) -> tuple[ModelRow, ...]:
        """As last looked at; empty before :meth:`refresh`."""
        return self._rows

    def row(self, model: str) -> ModelRow | None:
        return next((row for row in self._rows if row.id == model), None)

    @property
    def in_use(self) -> str:
        """The id of the model that the person chose; ``ollama:NAME`` for one of Ollama's."""
        return self._shared.value.model or BUILT_IN

    @property
    def choosing(self) -> str:
        """The id of the one that is being tried just now, "" for none."""
        return self._choosing

    @property
    def download(self) -> Download | None:
        return self._download

    @property
    def ollama(self) -> OllamaState:
        return self._ollama.state

    def refresh(self) -> None:
        """Look at what is on the disk."""
        models_dir, catalogue = self.models_dir, tuple(self._catalogue.values())
        self._tasks.run(
            Lane.READ,
            lambda job: _look(catalogue, models_dir),
            done=self._on_rows,
            failed=self.failed.emit,
            channel="models",
        )

    # Fetching

    def start_download(self, model: str) -> None:
        """Fetch a model, or the rest of it. Another one that is paused keeps what has arrived."""
        if self._download is not None and self._download.phase is DownloadPhase.RUNNING:
            return
        known = self._catalogue[model]
        same = self._download if self._download and self._download.model == model else None
        self._show(replace(same or Download(model, known.name), phase=DownloadPhase.RUNNING))
        self._fetch()

    def pause(self) -> None:
        """Stop for now; what has arrived is kept."""
        self._again.stop()
        self._go_on = False
        if self._job is not None:
            self._job.stop()
        if self._download is not None:
            self._show(replace(self._download, phase=DownloadPhase.PAUSED, reason=""))

    def resume(self) -> None:
        """Go on after a pause, or try again after trouble."""
        if self._download is not None and self._download.phase is not DownloadPhase.RUNNING:
            self._show(replace(self._download, phase=DownloadPhase.RUNNING, reason=""))
            self._fetch()

    def stop(self, model: str = "") -> None:
        """End the download, or one of an earlier day, and remove what has arrived of it."""
        if self._download is not None and model in ("", self._download.model):
            model = self._download.model
            self._again.stop()
            self._go_on = False
            self._show(None)
        if not model:
            return
        if self._job is not None:
            self._discarding = model
            self._job.stop()
        else:
            self._discard(model)

    def _fetch(self) -> None:
        self._again.stop()
        if self._job is not None:  # it was asked to stop and has not yet
            self._go_on = True
            return
        assert self._download is not None
        model, models_dir = self._catalogue[self._download.model], self.models_dir
        job = self._tasks.run(
            Lane.NET,
            lambda job: _fetch(model, models_dir, self._base_url, job),
            done=self._on_fetched,
            failed=self._on_not_fetched,
            progress=self._on_progress,
        )
        self._job = None if self._tasks.is_inline or job.is_abandoned else job

    def _on_progress(self, value: object) -> None:
        progress: DownloadProgress = value  # type: ignore[assignment]
        if self._download is not None and self._download.phase is DownloadPhase.RUNNING:
            self._show(replace(self._download, done=progress.done, total=progress.total))

    def _on_fetched(self, found: Installed) -> None:
        self._job, self._go_on = None, False
        if self._discarding:
            self._discard(self._discarding)
            return
        model = self._download.model if self._download is not None else ""
        self._show(None)
        self._rows = tuple(
            replace(row, state="installed") if row.id == model else row for row in self._rows
        )
        self.changed.emit()
        if (row := self.row(model)) is not None:
            self.arrived.emit(row)

    def _on_not_fetched(self, error: DaybankError) -> None:
        self._job = None
        if self._discarding:
            self._discard(self._discarding)
        elif self._go_on:
            self._go_on = False
            self._fetch()
        elif self._download is None or isinstance(error, Cancelled):
            pass
        elif isinstance(error, DownloadWaits):
            self._show(replace(self._download, phase=DownloadPhase.WAITING, reason=error.title))
            self._again.start()
        else:
            reason = f"{error.title} {error.message}".strip()
            self._show(replace(self._download, phase=DownloadPhase.FAILED, reason=reason))

    def _discard(self, model: str) -> None:
        self._discarding = ""
        known, models_dir = self._catalogue[model], self.models_dir
        self._tasks.run(
            Lane.READ,
            lambda job: _discard(known, models_dir),
            done=lambda _: self.refresh(),
            failed=self._on_not_discarded,
        )

    def _on_not_discarded(self, error: DaybankError) -> None:
        self.failed.emit(error)
        self.refresh()

    def _show(self, download: Download | None) -> None:
        if download != self._download:
            self._download = download
            self.download_changed.emit(download)

    # Using

    def use(self, model: str) -> None:
        """Search with this model from now on, if it works; else say why and change nothing."""
        if model == self.in_use or self._choosing:
            return
        self._choosing = model
        self.changed.emit()
        models_dir, url = self.models_dir, self._ollama_url
        self._tasks.run(
            Lane.NET,
            lambda job: _try(model, models_dir, url),
            done=lambda _: self._save(model),
            failed=self._on_not_usable,
        )

    def remove(self, model: str) -> None:
        """Delete a downloaded model. Where it is in use, the built-in one takes its place."""
        row, known, models_dir = self.row(model), self._catalogue[model], self.models_dir
        if row is None or self._choosing == model:
            return
        self._tasks.run(
            Lane.READ,
            lambda job: _discard(known, models_dir),
            done=lambda _: self._on_removed(row),
            failed=self._on_not_discarded,
        )

    def _on_removed(self, row: ModelRow) -> None:
        self.removed.emit(row)
        self.refresh()
        if self.in_use == row.id:
            self._save(BUILT_IN)

    def _on_not_usable(self, error: DaybankError) -> None:
        self._choosing = ""
        self.changed.emit()
        self.failed.emit(error)

    def _save(self, model: str) -> None:
        self._choosing = ""
        self._shared.update(
            partial(self._tell_folder, model), model=None if model == BUILT_IN else model
        )
        self.changed.emit()

    def _tell_folder(self, model: str) -> None:
        """Not here: a model that is being loaded holds the one who tells of another up."""
        workspace = self._library.workspace
        if workspace is None:
            self.model_changed.emit(model)
            return
        self._tasks.run(
            Lane.READ,
            lambda job: workspace.model_changed(),
            done=lambda _: self.model_changed.emit(model),
            failed=self.failed.emit,
        )

    # Ollama

    def look_for_ollama(self) -> None:
        """Ask Ollama on this computer which models it has."""
        self._ollama.look()

    def _on_rows(self, rows: tuple[ModelRow, ...]) -> None:
        self._rows = rows
        self.changed.emit()


def _look(catalogue: tuple[CatalogueModel, ...], models_dir: Path) -> tuple[ModelRow, ...]:
    """On a worker."""
    from daybank.embedding import built_in_files, download

    rows = []
    for model in catalogue:
        if model.repository:
            state: str = download.state(model, models_dir)
        else:
            state = "absent" if built_in_files.find_weights() is None else "installed"
        rows.append(
            ModelRow(
                model.id,
                model.name,
                model.description,
                model.size_bytes,
                state,
                bool(model.repository),
            )
        )
    if _has_universal():
        rows.append(ModelRow(UNIVERSAL, "", "", 0, "installed", False))
    return tuple(rows)


def _has_universal() -> bool:
    from daybank.embedding.universal import UniversalEmbedder

    try:
        UniversalEmbedder.find().close()
    except ModelError:
        return False
    return True


def _fetch(
    model: CatalogueModel, models_dir: Path, base_url: str, job: Job[Installed]
) -> Installed:
    """On a worker."""
    from daybank.embedding import download

    return download.download(
        model,
        models_dir,
        on_progress=job.report,
        cancel=job.cancel,
        base_url=base_url or download.DEFAULT_BASE_URL,
        timeout=SILENT_SECONDS,
    )


def _discard(model: CatalogueModel, models_dir: Path) -> None:
    """On a worker."""
    from daybank.embedding import download

    try:
        download.discard(model, models_dir)
    except OSError as error:
        raise ModelError(
            f"“{model.name}” could not be removed.", f"{error.strerror or error}."
        ) from error


def _try(model: str, models_dir: Path, ollama_url: str) -> None:
    """On a worker. Raises ModelError when the model cannot be used."""
    from daybank.embedding import embedder, ollama

    if model == BUILT_IN:
        embedder.built_in().close()
    else:
        embedder.chosen_model(
            model, models_dir, ollama_url=ollama_url or ollama.DEFAULT_URL
        ).close()
