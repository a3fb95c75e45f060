"""Ctrl+K: every command of the window, found by a few letters. GUI thread only.

The commands come from the same table as the menu; one that is off just now is not offered. What is
typed can also be looked for in the notes, which is always the last line.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from PySide6.QtCore import (
    QAbstractListModel,
    QEvent,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QRectF,
    QSize,
    Qt,
)
from PySide6.QtGui import QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QDialog,
    QHBoxLayout,
    QLineEdit,
    QListView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QVBoxLayout,
    QWidget,
)

from daybank_desktop.commands import Command, Commands
from daybank_desktop.theme import Theme
from daybank_desktop.widgets import paint
from daybank_desktop.widgets.glyph import key_words
from daybank_desktop.widgets.text_field import FieldFrame

_ROW = Qt.ItemDataRole.UserRole + 1
_Index = QModelIndex | QPersistentModelIndex


@dataclass(frozen=True, slots=True)
class Entry:
    """A line of the list: what it says, its keys and icon, and what it does."""

    text: str
    run: Callable[[], object]
    keys: str = ""
    icon: str = ""


def matching(entries: Sequence[Entry], typed: str) -> list[Entry]:
    """The entries that hold every typed word, those that begin with it first; the order of the
    table otherwise."""
    words = typed.casefold().split()
    found = [e for e in entries if all(word in e.text.casefold() for word in words)]
    start = " ".join(words)
    return sorted(found, key=lambda entry: not entry.text.casefold().startswith(start))


class CommandPalette(QDialog):
    """Type, choose with the arrows, Enter does it. ``search`` looks for a text in the notes."""

    def __init__(
        self,
        commands: Commands,
        search: Callable[[str], object],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent, Qt.WindowType.Popup)
        self._theme = Theme.of(self)
        self._search = search
        offered = (_entry(command, commands) for command in commands if command.id != "palette")
        self._entries = [entry for entry in offered if entry is not None]
        self.setWindowTitle(self.tr("Commands"))
        self.setAccessibleName(self.tr("Commands"))
        self.edit = QLineEdit()
        self.edit.setPlaceholderText(self.tr("What would you like to do?"))
        self.edit.setAccessibleName(self.tr("Command"))
        self.model = _PaletteModel(self)
        self.list = QListView()
        self.list.setModel(self.model)
        self.list.setItemDelegate(_PaletteDelegate(self.list))
        self.list.setUniformItemSizes(True)
        self.list.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.list.setMouseTracking(True)
        self.list.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.setAccessibleName(self.tr("Commands"))
        box = QVBoxLayout(self)
        pad = self._theme.space(3)
        box.setContentsMargins(pad, pad, pad, pad)
        box.setSpacing(self._theme.space(2))
        frame = FieldFrame(self.edit, height=38)
        across = QHBoxLayout(frame)
        across.setContentsMargins(self._theme.space(3), 0, self._theme.space(3), 0)
        across.addWidget(self.edit)
        box.addWidget(frame)
        box.addWidget(self.list, 1)
        self.resize(self._theme.px(560), self._theme.px(380))
        self.edit.textEdited.connect(self._show)
        self.edit.installEventFilter(self)
        self.list.clicked.connect(lambda index: self._run(index.row()))
        self._show("")

    def show_over(self, window: QWidget) -> None:
        """At the top of ``window``, in its middle."""
        top = window.mapToGlobal(window.rect().topLeft())
        self.move(top.x() + (window.width() - self.width()) // 2, top.y() + self._theme.px(72))
        self.show()
        self.edit.setFocus()

    def _show(self, typed: str) -> None:
        found = matching(self._entries, typed)
        text = typed.strip()
        if text:
            found.append(
                Entry(
                    self.tr("Search your notes for “{text}”").format(text=text),
                    lambda: self._search(text),
                    icon="page.search",
                )
            )
        self.model.set_entries(found)
        if found:
            self.list.setCurrentIndex(self.model.index(0, 0))

    def _run(self, row: int) -> None:
        entry = self.model.entry(row)
        if entry is None:
            return
        self.accept()
        entry.run()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        fill, border = self._theme.color("bg.raised"), self._theme.color("border.default")
        painter.fillRect(self.rect(), fill)
        painter.setPen(border)
        painter.drawRect(self.rect().adjusted(0, 0, -1, -1))

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self.edit and event.type() == QEvent.Type.KeyPress:
            assert isinstance(event, QKeyEvent)
            row = self.list.currentIndex().row()
            last = self.model.rowCount() - 1
            steps = {
                Qt.Key.Key_Down: min(row + 1, last),
                Qt.Key.Key_Up: max(row - 1, 0),
                Qt.Key.Key_PageDown: min(row + 8, last),
                Qt.Key.Key_PageUp: max(row - 8, 0),
            }
            if event.key() in steps:
                self.list.setCurrentIndex(self.model.index(steps[Qt.Key(event.key())], 0))
                return True
            if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
                self._run(row)
                return True
        return super().eventFilter(watched, event)


def _entry(command: Command, commands: Commands) -> Entry | None:
    if not commands.action(command.id).isEnabled():
        return None
    keys = key_words(command.shortcuts[0]) if command.shortcuts else ""
    return Entry(
        command.text.removesuffix("…"), lambda: commands.run(command.id), keys, command.icon
    )


class _PaletteModel(QAbstractListModel):
    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._entries: list[Entry] = []

    def set_entries(self, entries: Sequence[Entry]) -> None:
        self.beginResetModel()
        self._entries = list(entries)
        self.endResetModel()

    def entry(self, row: int) -> Entry | None:
        return self._entries[row] if 0 <= row < len(self._entries) else None

    def rowCount(self, parent: _Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(self._entries)

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        entry = self.entry(index.row())
        if entry is None:
            return None
        if role == _ROW:
            return entry
        if role == Qt.ItemDataRole.DisplayRole:
            return entry.text
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return f"{entry.text}, {entry.keys}" if entry.keys else entry.text
        return None


class _PaletteDelegate(QStyledItemDelegate):
    """An icon, the words, and the keys at the end of the row."""

    def __init__(self, view: QListView) -> None:
        super().__init__(view)
        self._view = view
        self._theme = Theme.of(view)

    def sizeHint(self, option: QStyleOptionViewItem, index: _Index) -> QSize:
        return QSize(0, max(28, self._theme.px(36)))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: _Index) -> None:
        theme = self._theme
        entry: Entry = index.data(_ROW)
        area = QRectF(option.rect)
        chosen = index == self._view.currentIndex()
        hovered = bool(option.state & QStyle.StateFlag.State_MouseOver)
        painter.save()
        if chosen or hovered:
            fill = theme.color("accent.soft" if chosen else "bg.hover")
            paint.rounded(painter, area, theme.radius("md"), fill, fill, 0)
        side = theme.px(18)
        left = area.x() + theme.px(10)
        if entry.icon:
            spot = QRectF(left, area.center().y() - side / 2, side, side)
            paint.icon(painter, theme, self._view, entry.icon, "text.secondary", spot)
        painter.setFont(theme.font("body"))
        words = QRectF(
            left + side + 10, area.y(), area.width() - side - theme.px(130), area.height()
        )
        paint.text(painter, words, entry.text, theme.color("text.primary"), elide=True)
        if entry.keys:
            painter.setFont(theme.font("caption"))
            end = QRectF(area.right() - theme.px(110), area.y(), theme.px(100), area.height())
            paint.text(
                painter,
                end,
                entry.keys,
                theme.color("text.tertiary"),
                Qt.AlignmentFlag.AlignRight,
            )
        painter.restore()
