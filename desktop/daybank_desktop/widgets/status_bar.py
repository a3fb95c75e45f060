"""The line at the foot of the window: is everything read, and what goes on. GUI thread only."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtWidgets import QHBoxLayout, QWidget

from daybank_desktop.widgets.glyph import Glyph
from daybank_desktop.widgets.label import Label
from daybank_desktop.widgets.progress_line import ProgressLine
from daybank_desktop.widgets.surface import Surface


@dataclass(frozen=True, slots=True)
class StatusItem:
    """Something on the right: words, and an icon before them if it has one."""

    text: str
    icon: str = ""


class StatusBar(Surface):
    """State on the left, progress and short facts on the right; 28 high."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("bg.window", edges=("top",), parent=parent)
        self._glyph = Glyph("state.ok", "text.secondary", 14)
        self._state = Label("", "caption", "text.secondary", elide=True, tabular=True)
        self.progress = ProgressLine()
        self._items = QHBoxLayout()
        self._items.setSpacing(16)
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(16, 1, 16, 0)
        self._row.setSpacing(6)
        self._row.addWidget(self._glyph)
        self._row.addWidget(self._state, 1)
        self._row.addSpacing(12)
        self._row.addWidget(self.progress)
        self._row.addLayout(self._items)
        self._glyph.hide()
        self._theme.changed.connect(self._restyle)
        self._restyle()

    def set_state(self, text: str, icon: str = "state.ok", color: str = "text.secondary") -> None:
        """The one line on the left, such as "Up to date · 4,218 notes from 863 days"."""
        self._glyph.set_icon(icon, color)
        self._glyph.setVisible(bool(text))
        self._state.setText(text)
        self._state.set_color(color)

    def set_items(self, items: Sequence[StatusItem]) -> None:
        """The short facts on the right, in order."""
        while (item := self._items.takeAt(0)) is not None:
            widget = item.widget()
            if widget is not None:
                widget.hide()
                widget.deleteLater()
        for entry in items:
            self._items.addWidget(_Fact(entry, self))

    @property
    def state(self) -> str:
        return self._state.text()

    def _restyle(self) -> None:
        # The × of the progress line is a button, and those are never under 28.
        self.setFixedHeight(max(29, self._theme.px(self._theme.size("statusbar"))))


class _Fact(QWidget):
    def __init__(self, item: StatusItem, parent: QWidget) -> None:
        super().__init__(parent)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(6)
        if item.icon:
            row.addWidget(Glyph(item.icon, "text.secondary", 14))
        row.addWidget(Label(item.text, "caption", "text.secondary"))
