"""The line under a chart that says what is looked at: day, change, a sentence, *Open day*.

It serves pointer, keyboard and screen reader alike, in place of floating tooltips. GUI thread only.
"""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QWidget

from daybank_desktop.theme import Theme
from daybank_desktop.widgets.buttons import Button
from daybank_desktop.widgets.label import Label
from daybank_desktop.widgets.text_layout import shown


class ReadoutStrip(QWidget):
    """37 px high at 100 %, with a hairline above; what it lies on shines through. The sentence
    gives way when there is little room."""

    open_requested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = Theme.of(self)
        self._lead = Label("", "bodyStrong", elide=True)
        self._day = Label("", "small", "text.secondary", elide=True, tabular=True)
        self._change = Label("", "bodyStrong", tabular=True)
        self._sentence = Label("", "small", elide=True)
        self._open = Button(self.tr("Open day"), "link", small=True)
        self._open.clicked.connect(self.open_requested)
        self._open.setAutoDefault(False)
        # Its room is kept, so that nothing jumps while the pointer moves over the chart.
        policy = self._open.sizePolicy()
        policy.setRetainSizeWhenHidden(True)
        self._open.setSizePolicy(policy)
        row = QHBoxLayout(self)
        row.setContentsMargins(18, 1, 10, 0)
        row.setSpacing(9)
        for label in (self._lead, self._day, self._change):
            row.addWidget(label)
        row.addWidget(self._sentence, 1)
        row.addWidget(self._open)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._theme.changed.connect(self._restyle)
        self._restyle()
        self.clear()

    def set_readout(
        self,
        day_text: str,
        change_text: str,
        sentence: str,
        can_open: bool,
        *,
        lead: str = "",
        lead_color: str = "text.primary",
    ) -> None:
        """Say what is looked at; every part may be empty. ``lead`` is a word in front, in the
        colour token ``lead_color``."""
        self._lead.set_color(lead_color)
        sentence = shown(sentence)
        for label, text in (
            (self._lead, lead),
            (self._day, day_text),
            (self._change, change_text),
            (self._sentence, sentence),
        ):
            label.setText(text)
            label.setVisible(bool(text) or label is self._sentence)
        self._open.setVisible(can_open)
        self.setAccessibleName(self.text)

    def clear(self) -> None:
        """Say nothing."""
        self.set_readout("", "", "", False)

    @property
    def text(self) -> str:
        """All that it says, as one line."""
        labels = (self._lead, self._day, self._change, self._sentence)
        return "  ".join(label.text() for label in labels if label.text())

    @property
    def open_button(self) -> Button:
        return self._open

    def _restyle(self) -> None:
        self.setFixedHeight(max(30, self._theme.px(self._theme.size("readout"))))

    def paintEvent(self, event: QPaintEvent) -> None:
        color = self._theme.color("border.subtle")
        QPainter(self).fillRect(0, 0, self.width(), 1, color)
