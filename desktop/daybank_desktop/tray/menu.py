"""The menu of the icon in the tray.

GUI thread. A panel of the newer kind and macOS show the menu themselves and know nothing of our
theme; so its icons are then drawn in a grey that shows on light and dark, or left out. Nothing of
a person's own text is in it: what a panel takes for markup or for a shortcut differs.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Final

from PySide6.QtCore import Signal
from PySide6.QtGui import QAction, QIcon
from PySide6.QtWidgets import QMenu, QWidget

from daybank_desktop.scheduling.policy import WhyNot
from daybank_desktop.services.schedule import ScheduleState
from daybank_desktop.theme import Theme
from daybank_desktop.tray import words
from daybank_desktop.tray.state import Facts, PauseFor

_ICON: Final = 18


class Entry(StrEnum):
    """What can be chosen, but for how long to pause."""

    HEALTH = "health"
    OPEN = "open"
    CAPTURE = "capture"
    SEARCH = "search"
    REVIEW = "review"
    REFLECT = "reflect"
    RESUME = "resume"
    SETTINGS = "settings"
    QUIT = "quit"


class MenuIcons(StrEnum):
    """How the icons are drawn."""

    THEME = "theme"
    """We show the menu, in the colours of the window."""
    NEUTRAL = "neutral"
    """Somebody else shows it, and we do not know on what."""
    NONE = "none"
    """macOS: menus there have none."""


@dataclass(frozen=True, slots=True)
class MenuFacts:
    """All that the menu tells. ``last_result`` is how many suggestions the last reflection made,
    None where it is not known."""

    now: datetime
    facts: Facts = field(default_factory=Facts)
    schedule: ScheduleState = field(default_factory=ScheduleState)
    last_result: int | None = None


_ICONS: Final = {
    Entry.HEALTH: "state.warning",
    Entry.OPEN: "action.openWindow",
    Entry.CAPTURE: "action.capture",
    Entry.SEARCH: "page.search",
    Entry.REVIEW: "page.review",
    Entry.REFLECT: "state.reflection",
    Entry.RESUME: "action.resume",
    Entry.SETTINGS: "page.settings",
    Entry.QUIT: "action.quit",
}


class TrayMenu(QMenu):
    """``chosen`` tells what the person wants: an :class:`Entry`, or a :class:`PauseFor`."""

    chosen = Signal(object)

    def __init__(
        self, theme: Theme, icons: MenuIcons = MenuIcons.THEME, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._theme = theme
        self._icons = icons
        self._entries: dict[Entry, QAction] = {}
        self._pauses: dict[PauseFor, QAction] = {}
        self._build()
        self._restyle()
        theme.changed.connect(self._restyle)

    def entry(self, entry: Entry) -> QAction:
        return self._entries[entry]

    def pause_entry(self, length: PauseFor) -> QAction:
        return self._pauses[length]

    def show_facts(self, shown: MenuFacts) -> None:
        """Word everything anew."""
        schedule = shown.schedule
        has_folder = schedule.why_not is not WhyNot.NO_FOLDER
        is_running = schedule.running or schedule.why_not is WhyNot.RUNNING
        for action in (self._entries[Entry.HEALTH], self._below_health):
            action.setVisible(bool(shown.facts.attention))
        for entry in (Entry.CAPTURE, Entry.SEARCH, Entry.REVIEW):
            self._entries[entry].setEnabled(has_folder)
        self._entries[Entry.REVIEW].setText(words.review_entry(shown.facts.waiting))
        reflect = self._entries[Entry.REFLECT]
        reflect.setEnabled(has_folder and not is_running)
        reflect.setText(self.tr("Reflecting…") if is_running else self.tr("Reflect now"))
        self._entries[Entry.RESUME].setVisible(schedule.is_paused)
        self._pause.menuAction().setVisible(not schedule.is_paused)
        self._pause.setEnabled(has_folder and schedule.why_not is not WhyNot.MANUAL)
        for length, action in self._pauses.items():
            action.setText(words.pause_entry(length, shown.now))
        self._last.setText(words.last_line(schedule, shown.last_result, shown.now))
        self._next.setText(words.next_line(schedule, shown.now))

    # How it is put together

    def _build(self) -> None:
        self._add(Entry.HEALTH, self.tr("See what needs you…"))
        self._below_health = self.addSeparator()
        self._add(Entry.OPEN, self.tr("Open Daybank"))
        self._add(Entry.CAPTURE, self.tr("Write it down…"))
        self._add(Entry.SEARCH, self.tr("Search…"))
        self._add(Entry.REVIEW, words.review_entry(0))
        self.addSeparator()
        self._add(Entry.REFLECT, self.tr("Reflect now"))
        self._add_pauses()
        self._add(Entry.RESUME, self.tr("Resume reflection"))
        self.addSeparator()
        self._last, self._next = self._add_line(), self._add_line()
        self.addSeparator()
        self._add(Entry.SETTINGS, self.tr("Settings…"))
        self._add(Entry.QUIT, self.tr("Quit Daybank"))

    def _add(self, entry: Entry, text: str) -> None:
        action = self.addAction(text)
        action.setMenuRole(QAction.MenuRole.NoRole)
        action.triggered.connect(lambda: self.chosen.emit(entry))
        self._entries[entry] = action

    def _add_pauses(self) -> None:
        self._pause = self.addMenu(self.tr("Pause reflection"))
        for length in PauseFor:
            action = self._pause.addAction("")
            action.triggered.connect(lambda _=False, length=length: self.chosen.emit(length))
            self._pauses[length] = action

    def _add_line(self) -> QAction:
        """Words to read; nothing to choose."""
        action = self.addAction("")
        action.setEnabled(False)
        return action

    def _restyle(self) -> None:
        # What is told is to be read, though it cannot be chosen.
        told = self._theme.color("text.tertiary").name()
        self.setStyleSheet(f"QMenu::item:disabled {{ color: {told}; }}")
        for entry, action in self._entries.items():
            action.setIcon(self._icon(_ICONS[entry]))
        self._pause.setIcon(self._icon("action.pause"))

    def _icon(self, name: str) -> QIcon:
        if self._icons is MenuIcons.NONE:
            return QIcon()
        ink = "text.secondary" if self._icons is MenuIcons.THEME else "border.control"
        if name == _ICONS[Entry.HEALTH] and self._icons is MenuIcons.THEME:
            ink = "caution"
        return self._theme.icon(name, ink, self._theme.px(_ICON))
