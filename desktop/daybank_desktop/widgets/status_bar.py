"""The line at the foot of the window: is everything read, and what goes on. GUI thread only."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QSize
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QWidget

from daybank_desktop.widgets.glyph import Glyph
from daybank_desktop.widgets.label import Label
from daybank_desktop.widgets.progress_line import ProgressLine
from daybank_desktop.widgets.surface import Surface
from daybank_desktop.widgets.tooltip import plain_tooltip

FACTS = ("download", "meaning", "reflection")
"""The places on the right, from left to right."""


@dataclass(frozen=True, slots=True)
class StatusItem:
    """Something on the right: words, an icon before them if it has one, and what more there is to
    say when somebody points at it."""

    text: str
    icon: str = ""
    hint: str = ""


class StatusBar(Surface):
    """State on the left, progress and short facts on the right; 28 high."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("bg.window", edges=["top"], parent=parent)
        self._glyph = Glyph("state.ok", "text.secondary", 14)
        self._state = Label("", "caption", "text.secondary", elide=True, tabular=True)
        self.progress = ProgressLine()
        self.preparing = ProgressLine(cancel=self.tr("Pause until the next start"))
        self._facts: list[_Fact] = []
        self._items: dict[str, StatusItem | None] = dict.fromkeys(FACTS)
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(16, 0, 16, 0)
        self._row.setSpacing(6)
        self._row.addWidget(self._glyph)
        self._row.addWidget(self._state, 1)
        self._row.addSpacing(6)
        self._row.addWidget(self.progress)
        self._row.addWidget(self.preparing)
        self._glyph.hide()
        self._theme.changed.connect(self._restyle)
        self.progress.shown.connect(self._fit)
        self.preparing.shown.connect(self._fit)
        self._restyle()

    def set_state(self, text: str, icon: str = "state.ok", color: str = "text.secondary") -> None:
        """The one line on the left, such as "Up to date · 4,218 notes from 863 days"."""
        self._glyph.set_icon(icon, color)
        self._glyph.setVisible(bool(text))
        self._state.setText(text)
        self._state.set_color(color)
        self._fit()

    def set_item(self, key: str, item: StatusItem | None) -> None:
        """One of the short facts on the right, ``key`` among ``FACTS``; None takes it away. The
        first ones give way where room is short."""
        if self._items[key] == item:
            return
        self._items[key] = item
        for fact in self._facts:
            self._row.removeWidget(fact)
            fact.hide()
            fact.deleteLater()
        self._facts = [_Fact(item) for item in self._items.values() if item is not None]
        for fact in self._facts:
            self._row.addWidget(fact)
        self._fit()

    def _fit(self) -> None:
        """Where room is short the short facts go, then the words of what is prepared."""
        needed = 32 + self._theme.px(14) + 6 + self._state.sizeHint().width() + 12
        if not self.progress.isHidden():
            needed += self.progress.sizeHint().width() + 6
        room = self.width() - needed
        if not self.preparing.isHidden():
            room -= self.preparing.full_width() + 6
            self.preparing.set_brief(room < 0)
        for fact in reversed(self._facts):
            room -= fact.sizeHint().width() + 6
            fact.setVisible(room >= 0)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def minimumSizeHint(self) -> QSize:
        return QSize(self._theme.px(200), self.height())

    @property
    def state(self) -> str:
        return self._state.text()

    @property
    def items(self) -> tuple[StatusItem, ...]:
        return tuple(fact.item for fact in self._facts)

    def _restyle(self) -> None:
        self.setFixedHeight(max(28, self._theme.px(self._theme.size("statusbar"))))
        self._fit()


class _Fact(QWidget):
    def __init__(self, item: StatusItem) -> None:
        super().__init__()
        self.item = item
        self.setToolTip(plain_tooltip(item.hint))
        row = QHBoxLayout(self)
        row.setContentsMargins(10, 0, 0, 0)
        row.setSpacing(6)
        if item.icon:
            row.addWidget(Glyph(item.icon, "text.secondary", 14))
        label = Label(item.text, "caption", "text.secondary")
        label.setAccessibleDescription(item.hint)
        row.addWidget(label)
