"""A question in place, with two answers: asks for a decision without a window of its own.

GUI thread only.
"""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from daybank_desktop.widgets.announce import announce
from daybank_desktop.widgets.buttons import Button
from daybank_desktop.widgets.flow_layout import FlowLayout
from daybank_desktop.widgets.glyph import Glyph
from daybank_desktop.widgets.label import Label
from daybank_desktop.widgets.surface import Card


class AskBar(Card):
    """The `first` answer is the one advised; both are emitted as they are pressed. Hidden until it
    has something to ask, and it takes no focus of its own."""

    first = Signal()
    second = Signal()

    def __init__(self, first: str, second: str, parent: QWidget | None = None) -> None:
        super().__init__(fill="caution.soft", border="", radius="md", parent=parent)
        self._label = Label("", "small", wrap=True)
        self.first_button = Button(first, "plain", small=True)
        self.second_button = Button(second, "quiet", small=True)
        self.first_button.clicked.connect(self.first)
        self.second_button.clicked.connect(self.second)
        answers = FlowLayout(spacing=self._theme.space(2))
        answers.addWidget(self.first_button)
        answers.addWidget(self.second_button)
        column = QVBoxLayout()
        column.setSpacing(self._theme.space(2))
        column.addWidget(self._label)
        column.addLayout(answers)
        row = QHBoxLayout(self)
        row.setContentsMargins(14, 10, 10, 10)
        row.setSpacing(8)
        row.addWidget(Glyph("state.warning", "caution", 16), 0, Qt.AlignmentFlag.AlignTop)
        row.addLayout(column, 1)
        self.hide()

    @property
    def text(self) -> str:
        return self._label.text()

    def ask(self, question: str) -> None:
        """Show the question; an empty one takes the bar away."""
        is_new = question != self._label.text()
        self._label.setText(question)
        self.setAccessibleName(question)
        for button in (self.first_button, self.second_button):
            button.setAccessibleDescription(question)
        self.setVisible(bool(question))
        if question and is_new:
            announce(self, question)
