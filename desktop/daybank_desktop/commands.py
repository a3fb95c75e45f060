"""Every command as data: menus, shortcuts and the list of shortcuts are made from one table.

GUI thread only.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QMenu, QWidget

from daybank_desktop.theme import Theme


@dataclass(frozen=True, slots=True)
class Command:
    """Something the person can do from anywhere in the window.

    `text` is plain, an & in it is an &. `shortcuts` are written as on Windows and Linux
    ("Ctrl+F"); Qt makes ⌘ of Ctrl on a Mac.
    `section` is its place in the menu, "" keeps it out. `listed` shows it among the shortcuts.
    """

    id: str
    text: str
    run: Callable[[], object]
    shortcuts: tuple[str, ...] = ()
    icon: str = ""
    section: str = ""
    listed: bool = True


class Commands:
    """The commands of one window. Their shortcuts work wherever the focus is in it."""

    def __init__(self, window: QWidget) -> None:
        self._window = window
        self._theme = Theme.of(window)
        self._commands: dict[str, Command] = {}
        self._actions: dict[str, QAction] = {}

    def __iter__(self) -> Iterator[Command]:
        return iter(self._commands.values())

    def __contains__(self, command_id: object) -> bool:
        return command_id in self._commands

    def add(self, command: Command) -> QAction:
        """Make a command work; one with the same id is replaced."""
        self.remove(command.id)
        action = QAction(command.text.replace("&", "&&"), self._window)
        action.setShortcuts([QKeySequence(keys) for keys in command.shortcuts])
        action.setShortcutContext(Qt.ShortcutContext.WindowShortcut)
        action.setMenuRole(QAction.MenuRole.NoRole)
        action.triggered.connect(lambda: command.run())
        self._window.addAction(action)
        self._commands[command.id] = command
        self._actions[command.id] = action
        return action

    def remove(self, command_id: str) -> None:
        action = self._actions.pop(command_id, None)
        self._commands.pop(command_id, None)
        if action is not None:
            self._window.removeAction(action)
            action.deleteLater()

    def action(self, command_id: str) -> QAction:
        return self._actions[command_id]

    def run(self, command_id: str) -> None:
        """Do it, unless it is off just now."""
        self._actions[command_id].trigger()

    def set_enabled(self, command_id: str, enabled: bool) -> None:
        self._actions[command_id].setEnabled(enabled)

    def fill(self, menu: QMenu) -> None:
        """The menu, with a line between sections and the icons of the theme as it is now."""
        menu.clear()
        sections: dict[str, list[Command]] = {}
        for command in self._commands.values():
            if command.section:
                sections.setdefault(command.section, []).append(command)
        last = {"help": 1, "quit": 2}
        in_order = sorted(sections, key=lambda name: last.get(name, 0))
        for index, section in enumerate(sections[name] for name in in_order):
            if index:
                menu.addSeparator()
            for command in section:
                action = self._actions[command.id]
                if command.icon:
                    side = self._theme.px(18)
                    action.setIcon(self._theme.icon(command.icon, "text.secondary", side))
                menu.addAction(action)
