"""Nothing to show: an icon, one line, one sentence, one thing to do. GUI thread only."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from daybank_desktop.theme import Theme
from daybank_desktop.widgets.buttons import Button
from daybank_desktop.widgets.glyph import Glyph
from daybank_desktop.widgets.label import Label


class EmptyState(QWidget):
    """Centred in the room it is given. The button emits `acted`."""

    acted = Signal()

    def __init__(
        self,
        icon: str = "state.nothingFound",
        title: str = "",
        text: str = "",
        action: str = "",
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._theme = Theme.of(self)
        self._glyph = Glyph(icon, "text.tertiary", self._theme.size("iconEmpty"))
        self._title = Label("", "heading", wrap=True)
        self._text = Label("", "small", "text.secondary", wrap=True)
        self._button = Button("", small=True)
        self._button.clicked.connect(self.acted)
        for label in (self._title, self._text):
            label.setAlignment(Qt.AlignmentFlag.AlignHCenter)

        box = QVBoxLayout(self)
        box.setContentsMargins(24, 24, 24, 24)
        box.setSpacing(0)
        box.addStretch(1)
        box.addWidget(self._glyph, 0, Qt.AlignmentFlag.AlignHCenter)
        box.addSpacing(8)
        box.addWidget(self._title)
        box.addSpacing(2)
        box.addWidget(self._text)
        box.addSpacing(12)
        box.addWidget(self._button, 0, Qt.AlignmentFlag.AlignHCenter)
        box.addStretch(1)
        self.set_content(icon, title, text, action)

    def set_content(self, icon: str, title: str, text: str = "", action: str = "") -> None:
        """Say something else; an empty `action` takes the button away."""
        self._glyph.set_icon(icon)
        self._title.setText(title)
        self._text.setText(text)
        self._text.setVisible(bool(text))
        self._button.setText(action)
        self._button.setVisible(bool(action))

    @property
    def button(self) -> Button:
        return self._button
