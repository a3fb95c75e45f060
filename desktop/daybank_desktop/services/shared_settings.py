"""What the window and the command line have in common: the library's own settings file.

GUI thread; the file is written on a worker, since a save waits for the disk. Only what was changed
here is written over what stands there, so that a change from the command line meanwhile stays.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from daybank.errors import DaybankError
from daybank.settings import Settings, load_settings, save_settings
from daybank_desktop.tasks import Job, Lane, Tasks


class SharedSettings(QObject):
    """``value`` is what the person chose last, also while it is being written."""

    changed = Signal(object)  # Settings
    failed = Signal(object)  # DaybankError: what was chosen is not saved and holds no longer

    def __init__(self, tasks: Tasks, path: Path, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._tasks = tasks
        self._path = path
        self._value: Settings | None = None
        self._waiting: dict[str, object] = {}
        self._guard = threading.Lock()  # of ``_waiting``; held for an instant
        self._writing = threading.Lock()  # on workers only

    @property
    def path(self) -> Path:
        return self._path

    @property
    def value(self) -> Settings:
        if self._value is None:
            self._value = load_settings(self._path)
        return self._value

    def refresh(self) -> None:
        """Read the file again: the command line may have changed it."""
        self._tasks.run(
            Lane.READ,
            lambda job: load_settings(self._path),
            done=self._on_read,
            channel="shared settings",
        )

    def update(self, done: Callable[[], None] | None = None, **changes: object) -> None:
        """Change something, and have it saved; ``done`` is called once it is."""
        with self._guard:
            self._waiting.update(changes)
        self._tell(replace(self.value, **changes))  # type: ignore[arg-type]
        self._tasks.drop("shared settings")
        self._tasks.run(
            Lane.READ,
            self._write,
            done=lambda _: done() if done is not None else None,
            failed=self._on_failed,
        )

    def _write(self, job: Job[None]) -> None:
        """On a worker. Changes that came in quick succession are written together."""
        with self._writing:
            with self._guard:
                changes, self._waiting = self._waiting, {}
            if not changes:
                return
            try:
                stored = replace(load_settings(self._path), **changes)  # type: ignore[arg-type]
                save_settings(stored, self._path)
            except OSError as error:
                raise DaybankError(
                    "The choice could not be saved.",
                    f"{error.strerror or error} (“{self._path}”). Nothing was changed.",
                ) from error

    def _on_read(self, value: Settings) -> None:
        with self._guard:
            value = replace(value, **self._waiting)  # type: ignore[arg-type]
        self._tell(value)

    def _on_failed(self, error: DaybankError) -> None:
        self.failed.emit(error)
        self.refresh()

    def _tell(self, value: Settings) -> None:
        if value != self._value:
            self._value = value
            self.changed.emit(value)
