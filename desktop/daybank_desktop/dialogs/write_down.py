"""*Write it down*: a line for today's journal, as text or as a note of a kind.

The dialog builds the line and hands it out; saving is somebody else's work, who answers with
`accept` or with `show_error`, and then nothing that was typed is lost. GUI thread only.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent, QTextCursor
from PySide6.QtWidgets import QButtonGroup, QDialog, QHBoxLayout, QVBoxLayout, QWidget

from daybank_desktop.theme import Theme
from daybank_desktop.widgets.buttons import Button
from daybank_desktop.widgets.chip import Chip
from daybank_desktop.widgets.error_line import ErrorLine
from daybank_desktop.widgets.flow_layout import FlowLayout
from daybank_desktop.widgets.glyph import KeyCap
from daybank_desktop.widgets.label import Label
from daybank_desktop.widgets.note_edit import NoteEdit
from daybank_desktop.widgets.sure_slider import SureSlider

# How each kind is written in the journal.
_LETTERS: Final = {"world": "W", "experience": "B", "opinion": "O", "observation": "S"}
_NAME = r"@(?:\[[^\]\n]+\]|[^\W_](?:[\w.-]*\w)?)"
_ABOUT = re.compile(rf"(?P<names>{_NAME}(?:\s+{_NAME})*)\s*:\s*")


def note_line(text: str, kind: str = "", percent: int | None = None) -> str:
    """The line as it goes into the journal.

    Without a kind it is the text itself. With one it becomes `W @Mara: text`; names that the text
    opens with ("@Mara: …") are whom it is about. A note is one line, so line breaks become spaces.
    """
    if not kind:
        return text.strip()
    words = " ".join(text.split())
    names = ""
    match = _ABOUT.match(words)
    if match is not None and words[match.end() :]:
        names = " " + match["names"]
        words = words[match.end() :]
    sure = f"(c={percent / 100:.2f})" if kind == "opinion" and percent is not None else ""
    return f"{_LETTERS[kind]}{sure}{names}: {words}"


class WriteDownDialog(QDialog):
    """Emits `submitted(line)`; stays open until it is told `accept` or shows an error."""

    submitted = Signal(str)

    def __init__(self, people: Sequence[str] = (), parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = Theme.of(self)
        self.setWindowTitle(self.tr("Write it down"))
        self._title = Label(self.tr("Write it down"), "title")
        self.edit = NoteEdit(people)
        self.edit.setPlaceholderText(self.tr("What do you want to remember? @ names somebody."))
        self.edit.setAccessibleName(self.tr("What do you want to remember?"))
        self.edit.textChanged.connect(self._on_text)
        self.edit.installEventFilter(self)

        self._chips = QButtonGroup(self)
        self._chips.setExclusive(True)
        chips = FlowLayout(spacing=6, line_spacing=6)
        self._kinds: dict[str, Chip] = {}
        for kind, word in (
            ("", self.tr("Just text")),
            ("world", self.tr("World")),
            ("experience", self.tr("Experience")),
            ("opinion", self.tr("Opinion")),
            ("observation", self.tr("Observation")),
        ):
            token = f"kind.{kind}" if kind else ""
            chip = Chip(word, icon=token, color=token)
            chip.setToolTip(self._hint(kind))
            self._chips.addButton(chip)
            self._kinds[kind] = chip
            chips.addWidget(chip)
        self._kinds[""].setChecked(True)
        self._chips.buttonToggled.connect(self._on_kind)

        self.sure = SureSlider(75)
        self.sure.hide()
        self._hint_label = Label(self._hint(""), "caption", "text.secondary", wrap=True)
        self._error = ErrorLine()

        self._add = Button(self.tr("Add to today"), "primary")
        self._add.setDefault(True)
        self._add.clicked.connect(self._submit)
        self._add.setEnabled(False)
        self._cancel = Button(self.tr("Cancel"), "quiet")
        self._cancel.setAutoDefault(False)
        self._cancel.clicked.connect(self.reject)

        foot = QHBoxLayout()
        foot.setSpacing(self._theme.space(2))
        foot.addStretch(1)
        foot.addWidget(self._cancel)
        foot.addWidget(KeyCap("Ctrl+Return"))
        foot.addWidget(self._add)

        box = QVBoxLayout(self)
        pad = self._theme.space(6)
        box.setContentsMargins(pad, self._theme.space(5), pad, self._theme.space(5))
        box.setSpacing(self._theme.space(3))
        box.addWidget(self._title)
        box.addWidget(self.edit, 1)
        box.addWidget(self._error)
        box.addLayout(chips)
        box.addWidget(self.sure)
        box.addWidget(self._hint_label)
        box.addSpacing(self._theme.space(1))
        box.addLayout(foot)
        self._theme.changed.connect(self._restyle)
        self._restyle()
        self.edit.setFocus()

    # What is in it

    @property
    def kind(self) -> str:
        """ "world", "experience", "opinion", "observation", or "" for just text."""
        return next(kind for kind, chip in self._kinds.items() if chip.isChecked())

    def set_kind(self, kind: str) -> None:
        self._kinds[kind].setChecked(True)

    @property
    def line(self) -> str:
        """What would be added now; empty while there is nothing to add."""
        text = self.edit.toPlainText()
        return note_line(text, self.kind, self.sure.value) if text.strip() else ""

    @property
    def add_button(self) -> Button:
        return self._add

    @property
    def error(self) -> str:
        return self._error.text

    @property
    def text(self) -> str:
        """What is typed, for keeping it as a draft."""
        return self.edit.toPlainText()

    def set_text(self, text: str) -> None:
        """Take up a draft, or start anew with ""."""
        self.edit.setPlainText(text)
        self.edit.moveCursor(QTextCursor.MoveOperation.End)
        self._set_busy(False)

    def show_error(self, text: str) -> None:
        """Say why it was not added. The text stays and can be added again."""
        self._error.set_text(text)
        self._set_busy(False)
        self.edit.setFocus()

    # Behaviour

    def _hint(self, kind: str) -> str:
        return {
            "": self.tr("Goes into today’s journal as it is."),
            "world": self.tr("A fact about the world, such as an opening time."),
            "experience": self.tr("Something you did or that happened to you."),
            "opinion": self.tr("What somebody believes or prefers, and how sure that is."),
            "observation": self.tr("A summary of several things you noticed."),
        }[kind]

    def _on_kind(self, chip: Chip, chosen: bool) -> None:
        if not chosen:
            return
        self.sure.setVisible(self.kind == "opinion")
        self._hint_label.setText(self._hint(self.kind))
        self.adjustSize()

    def _on_text(self) -> None:
        self._add.setEnabled(bool(self.edit.toPlainText().strip()))
        self._error.set_text("")

    def _submit(self) -> None:
        line = self.line
        if line and self._add.isEnabled():
            self._set_busy(True)
            self._error.set_text("")
            self.submitted.emit(line)

    def _set_busy(self, busy: bool) -> None:
        self.edit.setReadOnly(busy)
        self._add.setEnabled(not busy and bool(self.edit.toPlainText().strip()))

    def _restyle(self) -> None:
        self.edit.setFont(self._theme.font("reading"))
        self.edit.setMinimumHeight(self._theme.px(112))
        self.setMinimumWidth(self._theme.px(560))
        self.adjustSize()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self.edit and event.type() == QEvent.Type.KeyPress:
            assert isinstance(event, QKeyEvent)
            enter = event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
            if enter and event.modifiers() & Qt.KeyboardModifier.ControlModifier:
                self._submit()
                return True
        return super().eventFilter(watched, event)
