"""*Write it down*, over the window or by itself: opens the box, has its line saved, and says so
with a way back. GUI thread only.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from daybank.clock import Clock
from daybank.errors import DaybankError
from daybank_desktop.dialogs.write_down import WriteDownDialog, added_words
from daybank_desktop.services.drafts import DraftStore
from daybank_desktop.services.library import Library
from daybank_desktop.services.notes import Notes
from daybank_desktop.tasks import Lane, Tasks
from daybank_desktop.windows.main_window import MainWindow

if TYPE_CHECKING:
    from daybank import Added, Workspace


class WritingDesk(QObject):
    """One box at a time. ``drafts_of`` gives what is half written for a folder of notes."""

    def __init__(
        self,
        window: MainWindow,
        tasks: Tasks,
        library: Library,
        clock: Clock,
        drafts_of: Callable[[Path], DraftStore],
    ) -> None:
        super().__init__(window)
        self._window = window
        self._tasks = tasks
        self._library = library
        self._clock = clock
        self._drafts_of = drafts_of
        self._drafts: DraftStore | None = None
        self._waiting: list[str] = []  # what was handed over before a folder was open
        self._undo: Added | None = None
        self._token = ""
        self._is_alone = False
        self.box: WriteDownDialog | None = None
        self.notes = Notes(tasks, library, self)
        library.opened.connect(self._on_opened)
        self.notes.added.connect(self._on_added)
        self.notes.add_failed.connect(self._on_add_failed)
        self.notes.undone.connect(lambda: window.show_toast(self.tr("Taken back")))
        self.notes.undo_failed.connect(self._say)

    def open(self) -> None:
        """The box over the window."""
        self._open(alone=False)

    def capture(self, text: str = "", activation: str = "") -> None:
        """The box by itself, the window open or not, with ``text`` below what is half written.
        ``activation`` is the desktop's permission to come to the front."""
        self._token = activation
        if text.strip():
            if self.box is not None:
                self.box.add_text(text)
            elif self._drafts is not None:
                self._drafts.save(self._drafts.value.with_more(text))
            else:
                self._waiting.append(text)
        if self._library.workspace is None:
            self._is_alone = True
        else:
            self._open(alone=not self._window.isVisible() or self._window.isMinimized())

    def keep(self) -> None:
        """Keep what is half written, now: the session ends."""
        if self.box is not None:
            self.box.keep_draft()

    def _open(self, *, alone: bool) -> None:
        workspace = self._library.workspace
        if workspace is None:
            self._window.show_toast(self.tr("Open a folder of notes first."), icon="state.note")
            return
        if self.box is not None:
            self.box.appear(self._token)
            return
        self._tasks.run(
            Lane.READ,
            lambda job: tuple(row.name for row in workspace.entities(limit=200)),
            done=lambda people: self._show(people, alone),
            failed=lambda error: self._show((), alone),
            channel="people",
        )

    def _show(self, people: tuple[str, ...], alone: bool) -> None:
        if self.box is not None:
            return
        parent = None if alone else self._window
        box = WriteDownDialog(people, parent, clock=self._clock, drafts=self._drafts)
        self.box = box
        box.submitted.connect(self.notes.add)
        box.finished.connect(self._on_over)
        box.appear(self._token)

    def _on_over(self) -> None:
        box, self.box = self.box, None
        if box is not None:
            box.deleteLater()

    def _on_opened(self, workspace: Workspace) -> None:
        if self.box is not None and self._drafts is not None:
            self.box.keep_draft()
            self.box.reject()
        self._drafts = self._drafts_of(workspace.path)
        waiting, self._waiting = self._waiting, []
        for text in waiting:
            self._drafts.save(self._drafts.value.with_more(text))
        if self._is_alone:
            self._is_alone = False
            self._open(alone=not self._window.isVisible())

    # Saved, or not

    def _on_added(self, added: Added) -> None:
        if self.box is not None:
            self.box.accept()
        elif self._drafts is not None:
            self._drafts.forget()  # left by Esc while it was being saved
        words = added_words(added.day, self._clock.today())
        toast = self._window.show_toast(words, self.tr("Undo"))
        self._undo = added
        toast.acted.connect(self._undo_added)
        toast.gone.connect(self._forget_undo)

    def _undo_added(self) -> None:
        added, self._undo = self._undo, None
        if added is not None:
            self.notes.undo(added)

    def _forget_undo(self) -> None:
        toast = self._window.toast
        toast.acted.disconnect(self._undo_added)
        toast.gone.disconnect(self._forget_undo)

    def _on_add_failed(self, error: DaybankError) -> None:
        if self.box is not None:
            self.box.show_error(f"{error.title} {error.message}".strip())
        else:
            self._say(error)

    def _say(self, error: DaybankError) -> None:
        words = f"{error.title} {error.message}".strip()
        self._window.show_toast(words, icon="state.warning")
