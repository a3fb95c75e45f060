"""*Set by hand*: how sure an opinion is, as the person sees it. GUI thread only."""

from __future__ import annotations

from PySide6.QtWidgets import QDialog, QHBoxLayout, QVBoxLayout, QWidget

from daybank_desktop.theme import Theme
from daybank_desktop.widgets.buttons import Button
from daybank_desktop.widgets.label import Label
from daybank_desktop.widgets.sure_slider import SureSlider, percent_text
from daybank_desktop.widgets.text_layout import cluster_start, shown

_WIDTH = 440
_LONGEST = 400


class SetByHandDialog(QDialog):
    """Accepted when the person chose; ``percent`` is what they chose."""

    def __init__(self, statement: str, percent: int, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = Theme.of(self)
        self.setWindowTitle(self.tr("Set by hand"))
        if len(statement) > _LONGEST:
            statement = statement[: cluster_start(statement, _LONGEST)] + "…"
        self.sure = SureSlider(percent)
        self._set = Button("", "primary")
        self._set.setDefault(True)
        self._set.clicked.connect(self.accept)
        cancel = Button(self.tr("Cancel"), "quiet")
        cancel.setAutoDefault(False)
        cancel.clicked.connect(self.reject)
        foot = QHBoxLayout()
        foot.setSpacing(self._theme.space(2))
        foot.addStretch(1)
        foot.addWidget(cancel)
        foot.addWidget(self._set)
        box = QVBoxLayout(self)
        pad = self._theme.space(6)
        box.setContentsMargins(pad, self._theme.space(5), pad, self._theme.space(5))
        box.setSpacing(self._theme.space(3))
        box.addWidget(Label(self.tr("How sure are you of this?"), "title", wrap=True))
        box.addWidget(Label(shown(statement), "body", "text.secondary", wrap=True))
        box.addWidget(self.sure)
        hint = self.tr("It counts from today on. What comes later moves it from there.")
        box.addWidget(Label(hint, "caption", "text.secondary", wrap=True))
        box.addStretch(1)
        box.addLayout(foot)
        self.sure.value_changed.connect(self._on_value)
        self._on_value(self.sure.value)
        self.setMinimumWidth(self._theme.px(_WIDTH))
        self.sure.setFocus()

    @property
    def percent(self) -> int:
        return self.sure.value

    @property
    def set_button(self) -> Button:
        return self._set

    def _on_value(self, percent: int) -> None:
        self._set.setText(self.tr("Set to {percent}").format(percent=percent_text(percent)))
