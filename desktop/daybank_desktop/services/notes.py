"""Writing something down, and taking it back. GUI thread; the disk is touched on the write lane."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from daybank.errors import DaybankError
from daybank_desktop.services.library import Library
from daybank_desktop.tasks import Lane, Tasks

if TYPE_CHECKING:
    from daybank import Added


class Notes(QObject):
    """Adds to today's log. One at a time: the dialog waits for the answer."""

    added = Signal(object)  # Added
    add_failed = Signal(object)  # DaybankError; the dialog keeps what was typed
    undone = Signal()
    undo_failed = Signal(object)

    def __init__(self, tasks: Tasks, library: Library, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._tasks = tasks
        self._library = library

    def add(self, line: str) -> None:
        workspace = self._library.workspace
        if workspace is None:
            self.add_failed.emit(
                DaybankError(
                    self.tr("No folder of notes is open."),
                    self.tr("Your text is kept. Open a folder, then add it again."),
                )
            )
            return
        self._tasks.run(
            Lane.WRITE,
            lambda job: workspace.add(line),
            done=self._on_added,
            failed=self.add_failed.emit,
        )

    def undo(self, added: Added) -> None:
        """Take back what ``add`` wrote, if nobody has touched the file since."""
        workspace = self._library.workspace
        if workspace is None:
            return
        self._tasks.run(
            Lane.WRITE,
            lambda job: workspace.undo_add(added),
            done=self._on_undone,
            failed=self.undo_failed.emit,
        )

    def _on_added(self, added: Added) -> None:
        self.added.emit(added)
        self._library.sync()

    def _on_undone(self, _: object) -> None:
        self.undone.emit()
        self._library.sync()
