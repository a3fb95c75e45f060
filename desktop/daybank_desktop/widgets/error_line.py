"""What went wrong, said in place: an icon and a line, which take no room while all is well."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QWidget

from daybank_desktop.widgets.announce import announce
from daybank_desktop.widgets.glyph import Glyph
from daybank_desktop.widgets.label import Label


class ErrorLine(QWidget):
    """What went wrong, above the buttons; takes no room while there is nothing to say."""

    def __init__(self) -> None:
        super().__init__()
        self._label = Label("", "small", "negative", wrap=True)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(6)
        row.addWidget(Glyph("state.error", "negative", 16), 0, Qt.AlignmentFlag.AlignTop)
        row.addWidget(self._label, 1)
        self.hide()

    @property
    def text(self) -> str:
        return self._label.text()

    def set_text(self, text: str) -> None:
        self._label.setText(text)
        self.setVisible(bool(text))
        announce(self, text)
