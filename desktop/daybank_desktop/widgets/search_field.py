"""The one search field, the same on every page. GUI thread only."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QWidget

from daybank_desktop.widgets.buttons import IconButton
from daybank_desktop.widgets.glyph import Glyph, KeyCap
from daybank_desktop.widgets.text_field import FieldFrame

_HEIGHT = 38


class SearchField(FieldFrame):
    """A field with a glass, a × once there is text, and the shortcut while it is at rest.

    `text_edited` follows typing (not `set_text`), `submitted` is Enter, `left_down` the Down
    key (towards the results), `cleared` the × or Escape. A second Escape gives up the focus.
    """

    text_edited = Signal(str)
    submitted = Signal(str)
    cleared = Signal()
    left_down = Signal()
    escaped = Signal()

    def __init__(
        self, placeholder: str = "", shortcut: str = "Ctrl+F", parent: QWidget | None = None
    ) -> None:
        super().__init__(QLineEdit(), height=_HEIGHT, border="border.default", parent=parent)
        self._glass = Glyph("page.search", "text.secondary", 18)
        self.edit.setPlaceholderText(placeholder)
        self.edit.setAccessibleName(placeholder)
        self.edit.textChanged.connect(self._refresh)
        self.edit.textEdited.connect(self.text_edited)
        self.edit.returnPressed.connect(lambda: self.submitted.emit(self.text()))
        self._clear = IconButton(
            "action.close", self.tr("Clear"), color="text.primary", size=28, icon_size=18
        )
        self._clear.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self._clear.clicked.connect(self.clear)
        self._keys = KeyCap(shortcut)
        self._shortcut = shortcut
        self._clear.setCursor(Qt.CursorShape.ArrowCursor)
        self._keys.setCursor(Qt.CursorShape.IBeamCursor)

        self._row = QHBoxLayout(self)
        self._row.setSpacing(5)
        self._row.addWidget(self._glass)
        self._row.addWidget(self.edit, 1)
        self._row.addWidget(self._keys)
        self._row.addWidget(self._clear)
        self._theme.changed.connect(self._restyle)
        self._restyle()

    def text(self) -> str:
        return self.edit.text()

    def set_text(self, text: str) -> None:
        """Put text in without it counting as typed."""
        if text != self.edit.text():
            self.edit.setText(text)

    def clear(self) -> None:
        """Empty it, as the × does."""
        self.edit.clear()
        self.edit.setFocus(Qt.FocusReason.OtherFocusReason)
        self.cleared.emit()

    def activate(self) -> None:
        """Go there and select what is written, as Ctrl+F does."""
        self.edit.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.edit.selectAll()

    def _restyle(self) -> None:
        self.edit.setFont(self._theme.font("reading"))
        self._row.setContentsMargins(14, 0, 6, 0)
        self._refresh()
        self.updateGeometry()

    def _refresh(self) -> None:
        filled, focused = bool(self.edit.text()), self.edit.hasFocus()
        self._clear.setVisible(filled)
        self._keys.setVisible(bool(self._shortcut) and not filled and not focused)
        self._row.setContentsMargins(14, 0, 6 if filled else 13, 0)
        self._glass.set_icon("page.search", "text.primary" if focused else "text.secondary")
        self.update()

    def minimumSizeHint(self) -> QSize:
        return QSize(160, self.sizeHint().height())

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self.edit:
            if event.type() in (QEvent.Type.FocusIn, QEvent.Type.FocusOut):
                self._refresh()
            elif event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
                return self._on_key(event) or super().eventFilter(watched, event)
        return super().eventFilter(watched, event)

    def _on_key(self, event: QKeyEvent) -> bool:
        if event.key() == Qt.Key.Key_Down and not event.modifiers():
            self.left_down.emit()
            return True
        if event.key() == Qt.Key.Key_Escape:
            if self.edit.text():
                self.clear()
            else:
                self.edit.clearFocus()
                self.escaped.emit()
            return True
        return False
