"""Where Daybank keeps things on this computer, how much room they take, and whether git is there.

GUI thread; the disk is walked on a read worker, which looks up from it between files.
"""

from __future__ import annotations

import os
import shutil
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from daybank.progress import CancelToken, check_cancel
from daybank_desktop.services.library import Library
from daybank_desktop.tasks import Job, Lane, Tasks

NOTES, INDEX, MODELS, SETTINGS, LOGS = "notes", "index", "models", "settings", "logs"


@dataclass(frozen=True, slots=True)
class Place:
    """``size`` is in bytes: None while it is not known, and for what is not there."""

    id: str
    path: Path
    size: int | None = None
    is_there: bool = True


@dataclass(frozen=True, slots=True)
class GitState:
    """Whether the open folder is a git repository, and whether there is a git to run."""

    has_git: bool = False
    is_repository: bool = False


class Places(QObject):
    """The folders of this program, and those of the open memory folder."""

    changed = Signal(object)  # tuple of Place
    git_changed = Signal(object)  # GitState

    def __init__(
        self,
        tasks: Tasks,
        library: Library,
        *,
        config: Path,
        logs: Path,
        models: Path,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._tasks = tasks
        self._library = library
        self._config = config
        self._logs = logs
        self._models = models
        library.leaving.connect(lambda: tasks.drop("sizes"))

    @property
    def logs(self) -> Path:
        return self._logs

    @property
    def known(self) -> tuple[Place, ...]:
        """Where things are; nothing of it is looked at."""
        workspace = self._library.workspace
        own = ((MODELS, self._models), (SETTINGS, self._config), (LOGS, self._logs))
        opened: tuple[tuple[str, Path], ...] = ()
        if workspace is not None:
            opened = ((NOTES, Path(workspace.path)), (INDEX, Path(workspace.index_path).parent))
        return tuple(Place(id_, path) for id_, path in (*opened, *own))

    def measure(self) -> None:
        """Look how large they are; :attr:`changed` tells of each as it is known."""
        places = self.known
        self.changed.emit(places)
        self._tasks.run(
            Lane.READ,
            lambda job: _measure(places, job),
            done=self.changed.emit,
            progress=self.changed.emit,
            failed=lambda error: None,  # a number beside a path
            channel="sizes",
        )

    def look_for_git(self) -> None:
        workspace = self._library.workspace
        if workspace is not None:
            root = Path(workspace.path)
            self._tasks.run(
                Lane.READ, lambda job: _git(root), done=self.git_changed.emit, channel="git"
            )


def _measure(places: tuple[Place, ...], job: Job[tuple[Place, ...]]) -> tuple[Place, ...]:
    """On a worker. What is ours inside the memory folder does not count as notes."""
    paths = {place.path for place in places}
    found = list(places)
    for number, place in enumerate(places):
        is_there = place.path.exists()
        size = folder_size(place.path, paths - {place.path}, job.cancel) if is_there else None
        found[number] = Place(place.id, place.path, size, is_there)
        job.report(tuple(found))
    return tuple(found)


def folder_size(
    folder: Path,
    without: set[Path] | frozenset[Path] = frozenset(),
    cancel: CancelToken | None = None,
) -> int:
    """Bytes of the files in it and below; links are not followed. Raises Cancelled."""
    total = 0
    waiting = [folder]
    while waiting:
        try:
            with os.scandir(waiting.pop()) as entries:
                for entry in entries:
                    check_cancel(cancel)
                    if entry.is_dir(follow_symlinks=False):
                        place = Path(entry.path)
                        if place not in without:
                            waiting.append(place)
                    else:
                        total += entry.stat(follow_symlinks=False).st_size
        except OSError:
            continue  # what cannot be read now is not counted
    return total


def _git(root: Path) -> GitState:
    """On a worker."""
    is_repository = any((place / ".git").exists() for place in (root, *root.parents))
    return GitState(shutil.which("git") is not None, is_repository)
