"""A box to write in that offers names after an @. GUI thread only."""

from __future__ import annotations

import re
from collections.abc import Sequence

from PySide6.QtCore import QStringListModel, Qt
from PySide6.QtGui import QKeyEvent, QTextCursor
from PySide6.QtWidgets import QCompleter, QPlainTextEdit, QWidget

_TYPED_NAME = re.compile(r"(?:^|(?<=\W))@([\w.-]*)$")
_ONE_WORD = re.compile(r"[^\W_](?:[\w.-]*\w)?")
_POPUP_KEYS = (
    Qt.Key.Key_Enter,
    Qt.Key.Key_Return,
    Qt.Key.Key_Escape,
    Qt.Key.Key_Tab,
    Qt.Key.Key_Backtab,
)


class NoteEdit(QPlainTextEdit):
    """Plain text; Tab leaves the box, as everywhere else in the window."""

    def __init__(self, people: Sequence[str] = (), parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("field", True)
        self.setTabChangesFocus(True)
        self._names = QStringListModel(list(people), self)
        self._completer = QCompleter(self._names, self)
        self._completer.setWidget(self)
        self._completer.setCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)
        self._completer.setFilterMode(Qt.MatchFlag.MatchStartsWith)
        popup = self._completer.popup()
        assert popup is not None
        popup.setObjectName("popup")  # for the style sheet
        self._popup = popup
        self._completer.activated.connect(self.insert_name)

    def set_people(self, people: Sequence[str]) -> None:
        """The names to offer, most likely first."""
        self._names.setStringList(list(people))

    @property
    def completer(self) -> QCompleter:
        return self._completer

    def insert_name(self, name: str) -> None:
        """Put a whole name where an @ and its first letters were typed."""
        typed = self._typed_name()
        if typed is None:
            return
        written = name if _ONE_WORD.fullmatch(name) else f"[{name}]"
        cursor = self.textCursor()
        cursor.movePosition(
            QTextCursor.MoveOperation.Left, QTextCursor.MoveMode.KeepAnchor, len(typed)
        )
        cursor.insertText(f"{written} ")
        self.setTextCursor(cursor)

    def _typed_name(self) -> str | None:
        """What stands between an @ and the cursor, None where there is no @."""
        cursor = self.textCursor()
        before = cursor.block().text()[: cursor.positionInBlock()]
        match = _TYPED_NAME.search(before)
        return match[1] if match is not None else None

    def keyPressEvent(self, event: QKeyEvent) -> None:
        popup = self._popup
        if popup.isVisible() and event.key() in _POPUP_KEYS:
            event.ignore()  # the list takes these
            return
        super().keyPressEvent(event)
        typed = self._typed_name()
        if typed is None or not event.text():
            popup.hide()
            return
        self._completer.setCompletionPrefix(typed)
        if self._completer.completionCount() == 0:
            popup.hide()
            return
        popup.setCurrentIndex(self._completer.completionModel().index(0, 0))
        area = self.cursorRect()
        area.setWidth(popup.sizeHintForColumn(0) + 40)
        self._completer.complete(area)
