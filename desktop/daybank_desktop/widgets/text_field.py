"""A line to type in, with an icon, a × and an error below it. GUI thread only."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QVBoxLayout, QWidget

from daybank_desktop.theme import Theme
from daybank_desktop.widgets.announce import announce
from daybank_desktop.widgets.glyph import Glyph
from daybank_desktop.widgets.label import Label


class TextField(QWidget):
    """The field is `edit`; `set_error` writes what is wrong under it and keeps what was typed."""

    text_changed = Signal(str)
    submitted = Signal(str)

    def __init__(
        self,
        name: str,
        *,
        placeholder: str = "",
        icon: str = "",
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._theme = Theme.of(self)
        self._icon_name = icon
        self._icon: QAction | None = None
        self.edit = QLineEdit()
        self.edit.setAccessibleName(name)
        self.edit.setPlaceholderText(placeholder)
        self.edit.textEdited.connect(self._on_edited)
        self.edit.textChanged.connect(self.text_changed)
        self.edit.returnPressed.connect(lambda: self.submitted.emit(self.text()))
        self.setFocusProxy(self.edit)
        if icon:
            self._icon = self.edit.addAction(
                self._theme.icon(icon, "text.secondary", 16),
                QLineEdit.ActionPosition.LeadingPosition,
            )

        self._error = QWidget()
        self._error_text = Label("", "caption", "negative", wrap=True)
        row = QHBoxLayout(self._error)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(4)
        row.addWidget(Glyph("state.error", "negative", 14))
        row.addWidget(self._error_text, 1)
        self._error.hide()

        box = QVBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        box.setSpacing(4)
        box.addWidget(self.edit)
        box.addWidget(self._error)
        self._theme.changed.connect(self._restyle)
        self._restyle()

    def text(self) -> str:
        return self.edit.text()

    def set_text(self, text: str) -> None:
        self.edit.setText(text)
        self.set_error("")

    def set_error(self, text: str) -> None:
        """What is wrong with the text, or "" when nothing is."""
        self._error_text.setText(text)
        self._error.setVisible(bool(text))
        self.edit.setProperty("invalid", bool(text))
        self.edit.style().unpolish(self.edit)
        self.edit.style().polish(self.edit)
        self.edit.setAccessibleDescription(text)
        announce(self.edit, text)

    @property
    def error(self) -> str:
        return self._error_text.text()

    def _on_edited(self) -> None:
        if self.error:
            self.set_error("")

    def _restyle(self) -> None:
        self.edit.setFont(self._theme.font("body"))
        if self._icon is not None:
            self._icon.setIcon(self._theme.icon(self._icon_name, "text.secondary", 16))
