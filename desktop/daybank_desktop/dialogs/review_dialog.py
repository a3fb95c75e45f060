"""Suggestions in a window of their own, opened from a notification: one after the other.

GUI thread. The same view as on the Review page, with the same keys. Closing it answers nothing.
"""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtGui import QGuiApplication, QKeyEvent
from PySide6.QtWidgets import QDialog, QHBoxLayout, QVBoxLayout, QWidget

from daybank_desktop import phrases
from daybank_desktop.review_desk import ReviewDesk
from daybank_desktop.services.review import Inbox, Review
from daybank_desktop.theme import Theme
from daybank_desktop.widgets.buttons import Button
from daybank_desktop.widgets.empty_state import EmptyState
from daybank_desktop.widgets.label import Label
from daybank_desktop.widgets.review_view import ReviewView
from daybank_desktop.widgets.stack import Stack
from daybank_desktop.widgets.surface import Surface
from daybank_desktop.widgets.toast import Toast

_SIZE = (1200, 680)
_FOOT = 52


class ReviewDialog(QDialog):
    """Shows ``pids``, or without a choice whatever waits, most certain first."""

    source_requested = Signal(object)  # (Source, id or None)

    def __init__(
        self, review: Review, pids: Sequence[str] = (), parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._review = review
        self._theme = Theme.of(self)
        self._wanted = tuple(pids)
        self._left: list[str] = []
        self.setWindowTitle(self.tr("Suggestions"))
        self.view = ReviewView()
        self.desk = ReviewDesk(review, self.view, self)
        self.empty = EmptyState(
            "state.ok", self.tr("All looked at."), self.tr("Nothing is waiting for an answer.")
        )
        self._stack = Stack()
        self._stack.addWidget(self.view)
        self._stack.addWidget(self.empty)
        self.place = Label("", "small", "text.secondary", tabular=True)
        self.previous = Button(self.tr("Previous"), "quiet", icon="action.back")
        self.next = Button(self.tr("Next"), "quiet", icon="action.forward")
        self.close_button = Button(self.tr("Close"))
        self._foot = Surface("bg.window", edges=["top"])
        row = QHBoxLayout(self._foot)
        row.setContentsMargins(20, 8, 20, 8)
        row.setSpacing(8)
        row.addWidget(self.place)
        row.addStretch(1)
        for button in (self.previous, self.next, self.close_button):
            button.setAutoDefault(False)
            row.addWidget(button)
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        box.setSpacing(0)
        box.addWidget(self._stack, 1)
        box.addWidget(self._foot)
        self.toast = Toast(self, foot=_FOOT)
        self._undo: object = None
        self.toast.acted.connect(self._on_toast)
        self.desk.toast_requested.connect(self._show_toast)
        self.desk.source_requested.connect(self.source_requested)
        self.desk.reopened.connect(self._open)
        self.previous.clicked.connect(lambda: self._step(-1))
        self.next.clicked.connect(lambda: self._step(1))
        self.close_button.clicked.connect(self.accept)
        review.loaded.connect(self._on_inbox)
        self._resize_to_screen()
        if review.inbox is not None:
            self._on_inbox(review.shown)
        else:
            review.refresh()

    def _resize_to_screen(self) -> None:
        screen = QGuiApplication.primaryScreen()
        width, height = _SIZE
        if screen is not None:
            room = screen.availableSize()
            width, height = min(width, room.width()), min(height, room.height())
        self.resize(width, height)

    @property
    def is_empty(self) -> bool:
        return self._stack.currentWidget() is self.empty

    def _on_inbox(self, inbox: Inbox) -> None:
        before, shown = self._left, self.desk.pid
        waiting = [p.id for p in inbox.waiting]
        self._left = [pid for pid in waiting if not self._wanted or pid in self._wanted]
        if shown in self._left:
            self._say_place()
            return
        if not self._left:
            if self.view.is_editing:
                self.view.keep_text()
            self.desk.clear()
            self._stack.setCurrentWidget(self.empty)
            self._say_place()
            return
        known = set(self._left)
        after = before[before.index(shown) + 1 :] if shown in before else []
        self._open(next((pid for pid in after if pid in known), self._left[0]))

    def _open(self, pid: str) -> None:
        self._stack.setCurrentWidget(self.view)
        self.desk.show(pid)
        self._say_place()

    def _step(self, by: int) -> None:
        if self.desk.pid in self._left:
            at = self._left.index(self.desk.pid) + by
            if 0 <= at < len(self._left):
                self._open(self._left[at])

    def _say_place(self) -> None:
        pid, left = self.desk.pid, self._left
        at = left.index(pid) if pid in left else -1
        self.place.setText(
            self.tr("Suggestion {number} of {count}").format(
                number=phrases.count(at + 1), count=phrases.count(len(left))
            )
            if at >= 0
            else ""
        )
        self.previous.setEnabled(at > 0)
        self.next.setEnabled(0 <= at < len(left) - 1)

    def _show_toast(self, text: str, action: str, undo: object) -> None:
        self._undo = undo
        self.toast.show_message(text, action)

    def _on_toast(self) -> None:
        undo, self._undo = self._undo, None
        if callable(undo):
            undo()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if self.is_empty or not self.view.handle_key(event):
            super().keyPressEvent(event)
