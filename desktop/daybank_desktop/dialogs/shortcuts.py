"""The list of keys, opened with F1. GUI thread only."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import (
    QDialog,
    QGridLayout,
    QHBoxLayout,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from daybank_desktop.commands import Command
from daybank_desktop.theme import Theme
from daybank_desktop.widgets.buttons import Button
from daybank_desktop.widgets.glyph import KeyCap
from daybank_desktop.widgets.label import Label


class ShortcutsDialog(QDialog):
    """Commands on the left, their keys on the right."""

    def __init__(self, commands: Iterable[Command], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = Theme.of(self)
        self.setWindowTitle(self.tr("Keyboard shortcuts"))
        grid = QGridLayout()
        grid.setHorizontalSpacing(self._theme.space(8))
        grid.setVerticalSpacing(self._theme.space(2))
        grid.setColumnStretch(0, 1)
        for row, command in enumerate(c for c in commands if c.listed and c.shortcuts):
            keys = QHBoxLayout()
            keys.setSpacing(self._theme.space(1))
            keys.addStretch(1)
            for shortcut in command.shortcuts:
                keys.addWidget(KeyCap(shortcut))
            grid.addWidget(Label(_plain(command.text)), row, 0)
            grid.addLayout(keys, row, 1)

        inner = QWidget()
        inner_box = QVBoxLayout(inner)
        inner_box.setContentsMargins(0, 0, 0, 0)
        inner_box.addLayout(grid)
        inner_box.addStretch(1)
        area = QScrollArea()
        area.setWidgetResizable(True)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        area.setWidget(inner)
        area.setFocusPolicy(Qt.FocusPolicy.NoFocus)

        close = Button(self.tr("Close"))
        close.setDefault(True)
        close.clicked.connect(self.accept)
        box = QVBoxLayout(self)
        pad = self._theme.space(6)
        box.setContentsMargins(pad, pad, pad, self._theme.space(5))
        box.setSpacing(self._theme.space(4))
        box.addWidget(Label(self.tr("Keyboard shortcuts"), "title"))
        box.addWidget(area, 1)
        box.addWidget(close, 0, Qt.AlignmentFlag.AlignRight)

        again = QAction(self)
        again.setShortcut("F1")
        again.triggered.connect(self.accept)
        self.addAction(again)
        wanted = inner.sizeHint()
        self.resize(
            max(self._theme.px(440), wanted.width() + 2 * pad), min(600, wanted.height() + 150)
        )


def _plain(text: str) -> str:
    return text.removesuffix("…")
