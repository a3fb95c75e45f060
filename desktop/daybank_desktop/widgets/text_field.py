"""A line to type in, with an icon, a × and an error below it. GUI thread only."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QSizePolicy, QVBoxLayout, QWidget

from daybank_desktop.theme import Theme
from daybank_desktop.widgets import paint
from daybank_desktop.widgets.announce import announce
from daybank_desktop.widgets.buttons import IconButton
from daybank_desktop.widgets.glyph import Glyph
from daybank_desktop.widgets.label import Label


class FieldFrame(QWidget):
    """The box around a bare `QLineEdit`: its border is 2 px when chosen and nothing moves."""

    def __init__(
        self,
        edit: QLineEdit,
        *,
        height: int = 32,
        border: str = "border.control",
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._theme = Theme.of(self)
        self._height = height
        self._border = border
        self._invalid = False
        self.edit = edit
        edit.setProperty("bare", True)
        edit.installEventFilter(self)
        self.setFocusProxy(edit)
        self.setCursor(Qt.CursorShape.IBeamCursor)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._theme.changed.connect(self.updateGeometry)

    def set_invalid(self, invalid: bool) -> None:
        self._invalid = invalid
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(self._theme.px(240), max(28, self._theme.px(self._height)))

    def minimumSizeHint(self) -> QSize:
        return QSize(self._theme.px(100), self.sizeHint().height())

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in (QEvent.Type.FocusIn, QEvent.Type.FocusOut):
            self.update()
        return super().eventFilter(watched, event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self.edit.setFocus(Qt.FocusReason.MouseFocusReason)

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = self._theme
        if self._invalid:
            border, width = "negative", 2.0
        elif self.edit.hasFocus():
            border, width = "accent", 2.0
        else:
            border, width = self._border, 1.0
        paint.rounded(
            QPainter(self),
            QRectF(self.rect()),
            theme.radius("md"),
            theme.color("bg.surface"),
            theme.color(border),
            width,
        )


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
        clearable: bool = True,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._theme = Theme.of(self)
        self._clearable = clearable
        self.edit = QLineEdit()
        self.edit.setAccessibleName(name)
        self.edit.setPlaceholderText(placeholder)
        self.edit.textEdited.connect(self._on_edited)
        self.edit.textChanged.connect(self._on_text)
        self.edit.returnPressed.connect(lambda: self.submitted.emit(self.text()))
        self.setFocusProxy(self.edit)
        self._frame = FieldFrame(self.edit)
        self._clear = IconButton(
            "action.close", self.tr("Clear"), color="text.primary", size=28, icon_size=16
        )
        self._clear.setCursor(Qt.CursorShape.ArrowCursor)
        self._clear.clicked.connect(self._on_clear)
        self._clear.hide()
        inner = QHBoxLayout(self._frame)
        inner.setContentsMargins(11 if icon else 10, 0, 4, 0)
        inner.setSpacing(6)
        if icon:
            inner.addWidget(Glyph(icon, "text.secondary", 16))
        inner.addWidget(self.edit, 1)
        inner.addWidget(self._clear)

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
        box.addWidget(self._frame)
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
        self._frame.set_invalid(bool(text))
        self.edit.setAccessibleDescription(text)
        announce(self.edit, text)

    @property
    def error(self) -> str:
        return self._error_text.text()

    def _on_edited(self) -> None:
        if self.error:
            self.set_error("")

    def _on_text(self, text: str) -> None:
        self._clear.setVisible(self._clearable and bool(text))
        self.text_changed.emit(text)

    def _on_clear(self) -> None:
        self.edit.clear()
        self.set_error("")
        self.edit.setFocus(Qt.FocusReason.OtherFocusReason)

    def _restyle(self) -> None:
        self.edit.setFont(self._theme.font("body"))
