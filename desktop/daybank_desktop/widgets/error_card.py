"""Something stopped a page: what happened, what is safe, what to do. GUI thread only."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from daybank_desktop.widgets.announce import announce
from daybank_desktop.widgets.buttons import Button
from daybank_desktop.widgets.flow_layout import FlowLayout
from daybank_desktop.widgets.glyph import Glyph
from daybank_desktop.widgets.label import Label
from daybank_desktop.widgets.surface import Card


class ErrorCard(Card):
    """A title, a sentence or two, and up to two actions; `details` unfold on request."""

    primary_clicked = Signal()
    second_clicked = Signal()

    def __init__(
        self,
        title: str = "",
        text: str = "",
        *,
        primary: str = "",
        second: str = "",
        details: str = "",
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent=parent)
        self._title = Label("", "heading", wrap=True)
        self._text = Label("", "small", "text.secondary", wrap=True)
        self._primary = Button("", "primary", small=True)
        self._second = Button("", small=True)
        self._more = Button(self.tr("Details"), "quiet", small=True)
        self._details = Label("", "mono", "text.secondary", wrap=True)
        self._details.setTextInteractionFlags(Qt.TextInteractionFlag.NoTextInteraction)
        self._details.hide()
        self._more.setCheckable(True)
        self._more.toggled.connect(self._details.setVisible)
        self._primary.clicked.connect(self.primary_clicked)
        self._second.clicked.connect(self.second_clicked)

        buttons = FlowLayout(spacing=8)
        for button in (self._primary, self._second, self._more):
            buttons.addWidget(button)
        words = QVBoxLayout()
        words.setSpacing(0)
        words.addWidget(self._title)
        words.addWidget(self._text)
        words.addSpacing(10)
        words.addLayout(buttons)
        words.addWidget(self._details)
        row = QHBoxLayout(self)
        row.setContentsMargins(19, 17, 18, 16)
        row.setSpacing(14)
        row.addWidget(Glyph("state.error", "negative", 24), 0, Qt.AlignmentFlag.AlignTop)
        row.addLayout(words, 1)
        self.set_content(title, text, primary=primary, second=second, details=details)

    def set_content(
        self, title: str, text: str, *, primary: str = "", second: str = "", details: str = ""
    ) -> None:
        """Another error; empty words take their button away."""
        self._title.setText(title)
        self._text.setText(text)
        for button, words in ((self._primary, primary), (self._second, second)):
            button.setText(words)
            button.setVisible(bool(words))
        self._details.setText(details)
        self._more.setChecked(False)
        self._more.setVisible(bool(details))
        self.setAccessibleName(title)
        self.setAccessibleDescription(text)
        announce(self, f"{title} {text}".strip())
