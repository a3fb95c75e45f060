"""A question before something large: the title asks, the button repeats the verb, Esc is safe.

GUI thread only.
"""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QHBoxLayout, QScrollArea, QVBoxLayout, QWidget

from daybank_desktop.theme import Theme
from daybank_desktop.widgets.buttons import Button
from daybank_desktop.widgets.label import Label

_WIDTH = 440
_LIST_HEIGHT = 240


class ConfirmDialog(QDialog):
    """``items`` are listed under the text, as what it is about."""

    def __init__(
        self,
        title: str,
        text: str,
        verb: str,
        *,
        items: Sequence[str] = (),
        danger: bool = False,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        theme = Theme.of(self)
        self.setWindowTitle(title)
        self._items = Label("\n".join(items), "small", wrap=True)
        area = QScrollArea()
        area.setWidgetResizable(True)
        area.setWidget(self._items)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        area.setAccessibleName(self.tr("Pages"))
        area.setVisible(bool(items))
        wanted = len(items) * theme.line_height("small") + 2
        area.setFixedHeight(min(theme.px(_LIST_HEIGHT), wanted))
        self.yes = Button(verb, "danger" if danger else "primary")
        self.no = Button(self.tr("Cancel"), "quiet")
        self.no.setAutoDefault(False)
        self.yes.setDefault(True)
        self.yes.clicked.connect(self.accept)
        self.no.clicked.connect(self.reject)
        foot = QHBoxLayout()
        foot.setSpacing(theme.space(2))
        foot.addStretch(1)
        foot.addWidget(self.no)
        foot.addWidget(self.yes)
        box = QVBoxLayout(self)
        pad = theme.space(6)
        box.setContentsMargins(pad, theme.space(5), pad, theme.space(5))
        box.setSpacing(theme.space(2))
        box.addWidget(Label(title, "heading", wrap=True))
        box.addWidget(Label(text, "body", "text.secondary", wrap=True))
        box.addWidget(area)
        box.addSpacing(theme.space(2))
        box.addLayout(foot)
        self.setFixedWidth(max(_WIDTH, theme.px(_WIDTH)))

    @property
    def items_text(self) -> str:
        return self._items.text()
