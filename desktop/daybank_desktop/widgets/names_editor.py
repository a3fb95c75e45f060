"""The names that somebody goes by: take one away, add one. And the question whether a name that
looks alike is the same one. GUI thread only.
"""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from daybank_desktop.widgets.announce import announce
from daybank_desktop.widgets.buttons import Button, IconButton
from daybank_desktop.widgets.chip import Chip
from daybank_desktop.widgets.flow_layout import FlowLayout
from daybank_desktop.widgets.glyph import Glyph
from daybank_desktop.widgets.label import Label
from daybank_desktop.widgets.surface import Card
from daybank_desktop.widgets.text_field import TextField
from daybank_desktop.widgets.text_layout import shown


class NamesEditor(Card):
    """``added`` and ``removed`` carry a name; the editor shows the new ones when it is told."""

    added = Signal(str)
    removed = Signal(str)
    closed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent=parent)
        self._names: tuple[str, ...] = ()
        self._name = ""
        self._title = Label("", "bodyStrong", elide=True)
        close = IconButton("action.close", self.tr("Close"), size=28, icon_size=16)
        close.clicked.connect(self.closed)
        self._none = Label(self.tr("No other names yet."), "small", "text.secondary")
        self._room = QWidget()
        self._flow = FlowLayout(self._room, spacing=8, line_spacing=6)
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        self._room.setSizePolicy(policy)
        self.field = TextField(self.tr("Another name"), placeholder=self.tr("Another name"))
        self.field.setMaximumWidth(360)
        self.field.submitted.connect(lambda text: self._add())
        self.add_button = Button(self.tr("Add"))
        self.add_button.clicked.connect(self._add)
        head = QHBoxLayout()
        head.addWidget(self._title, 1)
        head.addWidget(close)
        row = QHBoxLayout()
        row.setSpacing(8)
        row.addWidget(self.field, 1)
        row.addWidget(self.add_button, 0, Qt.AlignmentFlag.AlignTop)
        row.addStretch(1)
        box = QVBoxLayout(self)
        box.setContentsMargins(18, 10, 11, 14)
        box.setSpacing(8)
        box.addLayout(head)
        box.addWidget(self._none)
        box.addWidget(self._room)
        box.addLayout(row)

    @property
    def names(self) -> tuple[str, ...]:
        return self._names

    def set_names(self, name: str, aliases: Sequence[str]) -> None:
        """Whose names, and what they are now."""
        if (name, tuple(aliases)) == (self._name, self._names):
            return
        if name != self._name:
            self.field.set_text("")
        self._name, self._names = name, tuple(aliases)
        self._title.setText(self.tr("Other names for {name}").format(name=shown(name)))
        while (item := self._flow.takeAt(0)) is not None:
            widget = item.widget()
            if widget is not None:
                widget.hide()
                widget.setParent(None)
                widget.deleteLater()
        for alias in aliases:
            chip = Chip(shown(alias), "understood", icon="entity.person")
            chip.removed.connect(lambda alias=alias: self.removed.emit(alias))
            self._flow.addWidget(chip)
        self._none.setVisible(not aliases)
        self._room.setVisible(bool(aliases))
        self._room.updateGeometry()

    def chips(self) -> list[Chip]:
        items = (self._flow.itemAt(number) for number in range(self._flow.count()))
        widgets = [item.widget() for item in items if item is not None]
        return [widget for widget in widgets if isinstance(widget, Chip)]

    def begin(self) -> None:
        """Ready for typing."""
        self.field.edit.setFocus(Qt.FocusReason.OtherFocusReason)

    def settle(self) -> None:
        """What was typed is written."""
        self.field.set_text("")
        self.add_button.setEnabled(True)

    def show_error(self, text: str) -> None:
        self.add_button.setEnabled(True)
        self.field.set_error(text)

    def _add(self) -> None:
        name = self.field.text().strip()
        if not name:
            self.field.set_error(self.tr("Type a name first."))
            return
        if name in (self._name, *self._names):
            self.field.set_error(self.tr("This name is there already."))
            return
        self.add_button.setEnabled(False)
        self.added.emit(name)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.closed.emit()
            return
        super().keyPressEvent(event)


class NameQuestion(Card):
    """“Mapa” is also written: the same? It changes nothing by itself."""

    agreed = Signal()
    denied = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(fill="bg.sunken", border="", radius="md", parent=parent)
        self._label = Label("", "small", wrap=True)
        self.same = Button(self.tr("Same"), small=True)
        self.other = Button(self.tr("Not the same"), "quiet", small=True)
        self.same.clicked.connect(self.agreed)
        self.other.clicked.connect(self.denied)
        row = QHBoxLayout(self)
        row.setContentsMargins(14, 6, 8, 6)
        row.setSpacing(8)
        row.addWidget(Glyph("state.note", "text.secondary", 16))
        row.addWidget(self._label, 1)
        row.addWidget(self.same)
        row.addWidget(self.other)

    @property
    def text(self) -> str:
        return self._label.text()

    def ask(self, text: str) -> None:
        if text != self._label.text():
            self._label.setText(text)
            self.setAccessibleName(text)
            announce(self, text)
