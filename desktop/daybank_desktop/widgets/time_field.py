"""A time of day to type: 3, 3:15, 0315 and 3.15 are all understood. ↑ and ↓ move by a quarter.

GUI thread only.
"""

from __future__ import annotations

import re
from datetime import time

from PySide6.QtCore import QEvent, QLocale, QObject, Qt, QTime, Signal
from PySide6.QtGui import QFontMetricsF, QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QSizePolicy, QVBoxLayout, QWidget

from daybank_desktop.theme import Theme
from daybank_desktop.widgets.announce import announce
from daybank_desktop.widgets.label import Label
from daybank_desktop.widgets.text_field import FieldFrame

STEP_MINUTES = 15
_TYPED = re.compile(r"(\d{1,2})(?:\s*[:.h ]?\s*(\d{2}))?\s*(am|pm)?", re.IGNORECASE)


def read_time(text: str) -> time | None:
    """The time that a person means by ``text``; None where it is none."""
    found = _TYPED.fullmatch(text.strip())
    if found is None:
        return None
    hour, minute = int(found[1]), int(found[2] or 0)
    half = (found[3] or "").lower()
    if half:
        if not 1 <= hour <= 12:
            return None
        hour = hour % 12 + (12 if half == "pm" else 0)
    return time(hour, minute) if hour < 24 and minute < 60 else None


def time_text(value: time) -> str:
    """As the locale writes it: “03:00”, “3:00 AM”."""
    return QLocale().toString(QTime(value.hour, value.minute), QLocale.FormatType.ShortFormat)


class TimeField(QWidget):
    """`chosen` tells of another time by the person, on Enter or when the field is left."""

    chosen = Signal(object)  # datetime.time

    def __init__(self, name: str, value: time, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = Theme.of(self)
        self._value = value
        self.edit = QLineEdit()
        self.edit.setAccessibleName(name)
        self.edit.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        self.edit.setMaxLength(12)
        self.edit.installEventFilter(self)
        self.edit.editingFinished.connect(self._on_typed)
        self.edit.textEdited.connect(lambda _: self._set_error(""))
        self._frame = FieldFrame(self.edit)
        self._error = Label("", "caption", "negative", wrap=True)
        inner = QHBoxLayout(self._frame)
        inner.setContentsMargins(8, 0, 8, 0)
        inner.addWidget(self.edit)
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        box.setSpacing(2)
        box.addWidget(self._frame)
        box.addWidget(self._error)
        self.setFocusProxy(self.edit)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self._theme.changed.connect(self._restyle)
        self._error.hide()
        self._restyle()
        self.set_value(value)

    @property
    def value(self) -> time:
        return self._value

    @property
    def error(self) -> str:
        return self._error.text()

    def set_value(self, value: time) -> None:
        """Show another time without telling of it."""
        self._value = value
        self.edit.setText(time_text(value))
        self._set_error("")

    def setAccessibleDescription(self, text: str) -> None:
        self.edit.setAccessibleDescription(text)

    def _choose(self, value: time) -> None:
        changed = value != self._value
        self.set_value(value)
        if changed:
            self.chosen.emit(value)

    def _on_typed(self) -> None:
        typed = self.edit.text()
        if typed == time_text(self._value):
            return
        found = read_time(typed)
        if found is None:
            self._set_error(self.tr("Write it like {time}.").format(time=time_text(time(21, 30))))
        else:
            self._choose(found)

    def _set_error(self, text: str) -> None:
        self._error.setText(text)
        self._error.setVisible(bool(text))
        self._frame.set_invalid(bool(text))
        announce(self.edit, text)

    def _step(self, by: int) -> None:
        now = self._value.hour * 60 + self._value.minute
        down_to = now - now % STEP_MINUTES
        is_between = by < 0 and down_to < now
        minutes = down_to if is_between else (down_to + by * STEP_MINUTES) % (24 * 60)
        self._choose(time(minutes // 60, minutes % 60))

    def _restyle(self) -> None:
        self.edit.setFont(self._theme.font("body", tabular=True))
        widest = QFontMetricsF(self._theme.font("body", tabular=True))
        words = max(widest.horizontalAdvance(time_text(time(hour, 0))) for hour in (0, 10, 22))
        self._frame.setFixedWidth(int(words) + 34)
        self._error.setMaximumWidth(self._theme.px(160))

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
            if event.key() == Qt.Key.Key_Up:
                self._step(1)
                return True
            if event.key() == Qt.Key.Key_Down:
                self._step(-1)
                return True
            if event.key() == Qt.Key.Key_Escape and self.edit.text() != time_text(self._value):
                self.set_value(self._value)
                return True
        return super().eventFilter(watched, event)
