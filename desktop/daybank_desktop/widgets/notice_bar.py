"""A line above a list, or a quiet note in place, that asks for nothing. GUI thread only."""

from __future__ import annotations

from typing import Literal

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QWidget

from daybank_desktop.widgets.announce import announce
from daybank_desktop.widgets.buttons import Button, IconButton
from daybank_desktop.widgets.glyph import Glyph
from daybank_desktop.widgets.label import Label
from daybank_desktop.widgets.surface import Card

NoticeTone = Literal["caution", "note", "negative", "positive"]

_ICONS: dict[NoticeTone, tuple[str, str, str]] = {
    "caution": ("state.warning", "caution", "caution.soft"),
    "note": ("state.note", "text.secondary", "bg.sunken"),
    "negative": ("state.error", "negative", "negative.soft"),
    "positive": ("state.ok", "positive", "positive.soft"),
}


class NoticeBar(Card):
    """An icon and a sentence; an action emits `acted`, the × emits `dismissed` and hides it."""

    acted = Signal()
    dismissed = Signal()

    def __init__(
        self,
        text: str = "",
        tone: NoticeTone = "caution",
        *,
        icon: str = "",
        action: str = "",
        closable: bool = False,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(border="", radius="md", parent=parent)
        self._glyph = Glyph("state.note", size=16)
        self._label = Label("", "small", wrap=True)
        self._action = Button("", "link", small=True)
        self._close = IconButton("action.close", self.tr("Close"), size=28, icon_size=16)
        self._action.clicked.connect(self.acted)
        self._close.clicked.connect(self._on_close)
        self._theme.changed.connect(self._restyle)

        row = QHBoxLayout(self)
        row.setSpacing(8)
        row.addWidget(self._glyph)
        row.addWidget(self._label, 1)
        row.addWidget(self._action)
        row.addWidget(self._close)
        self._close.setVisible(closable)
        self._restyle()
        self.set_content(text, tone, icon=icon, action=action)

    def set_content(
        self, text: str, tone: NoticeTone = "caution", *, icon: str = "", action: str = ""
    ) -> None:
        """Say something else."""
        default_icon, color, fill = _ICONS[tone]
        self._glyph.set_icon(icon or default_icon, color)
        self.set_colors(fill, "")
        self._label.setText(text)
        self._action.setText(action)
        self._action.setVisible(bool(action))
        self.setAccessibleName(text)
        announce(self, text)

    def _restyle(self) -> None:
        layout = self.layout()
        assert layout is not None
        side = max(0, (self._theme.px(44) - max(28, self._theme.px(28))) // 2)
        layout.setContentsMargins(14, side, 10, side)
        self.setMinimumHeight(self._theme.px(38))

    def _on_close(self) -> None:
        self.hide()
        self.dismissed.emit()

    @property
    def text(self) -> str:
        return self._label.text()
