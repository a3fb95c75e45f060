"""The icon in the tray, its menu, and whether there is a tray at all.

GUI thread. Only Qt's ``isSystemTrayAvailable`` tells the truth, and it changes while Daybank runs:
a panel is restarted, an extension is switched off. So it is asked every few seconds, and at once
when D-Bus tells of a change. An icon of Qt's chooses its kind of tray when it is made, so each time
a tray comes there is a new one.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping
from dataclasses import replace

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QSystemTrayIcon

from daybank.clock import Clock
from daybank_desktop.services.schedule import ScheduleState
from daybank_desktop.theme import Theme
from daybank_desktop.tray import words
from daybank_desktop.tray.icon import tray_icon
from daybank_desktop.tray.menu import Entry, MenuFacts, MenuIcons, TrayMenu
from daybank_desktop.tray.panel import Panel, read_panel
from daybank_desktop.tray.presence import LOST_PATIENCE
from daybank_desktop.tray.state import Facts, PauseFor, TrayState, state_of
from daybank_desktop.tray.watch import StatusNotifierWatch

LOOK_EVERY_MS = 4000
"""How soon a tray of the older kind is noticed, and how often “today” is worded anew."""


class Tray(QObject):
    """Asks for things to be done; does nothing itself. Nothing shows before :meth:`start`.

    ``availability_changed`` tells at once when a tray comes or goes (also by :meth:`start`, where
    there is one). ``lost`` tells that it has been away so long that a hidden window should return.
    """

    open_requested = Signal()
    capture_requested = Signal()
    search_requested = Signal()
    review_requested = Signal()
    health_requested = Signal()
    reflect_requested = Signal()
    pause_requested = Signal(object)  # PauseFor
    resume_requested = Signal()
    settings_requested = Signal()
    quit_requested = Signal()
    availability_changed = Signal(bool)
    lost = Signal()

    def __init__(
        self,
        theme: Theme,
        clock: Clock,
        parent: QObject | None = None,
        *,
        is_available: Callable[[], bool] = QSystemTrayIcon.isSystemTrayAvailable,
        platform: str = sys.platform,
        environ: Mapping[str, str] = os.environ,
        look_every_ms: int = LOOK_EVERY_MS,
        lost_after_ms: int = round(LOST_PATIENCE * 1000),
    ) -> None:
        super().__init__(parent)
        self._theme = theme
        self._clock = clock
        self._is_there = is_available
        self._platform = platform
        self._environ = environ
        self._facts = Facts()
        self._schedule = ScheduleState()
        self._last_result: int | None = None
        self._panel: Panel | None = None
        self._drawn: tuple[TrayState, Panel] | None = None
        self._icon: QSystemTrayIcon | None = None
        self._menu: TrayMenu | None = None
        self._watch = StatusNotifierWatch(self)
        self._watch.changed.connect(self.look)
        self._look = QTimer(self, interval=look_every_ms)
        self._look.timeout.connect(self.look)
        self._away = QTimer(self, singleShot=True, interval=lost_after_ms)
        self._away.timeout.connect(self.lost)
        theme.changed.connect(self._redraw)

    # From outside

    @property
    def is_available(self) -> bool:
        """Whether the icon is in a tray now, as of the last look."""
        return self._icon is not None

    @property
    def state(self) -> TrayState:
        return state_of(self._all_facts)

    @property
    def tooltip(self) -> str:
        """What is said beside the icon."""
        return words.tooltip(self._all_facts, self._schedule, self._clock.now())

    @property
    def menu(self) -> TrayMenu | None:
        """None while there is no tray."""
        return self._menu

    @property
    def icon(self) -> QSystemTrayIcon | None:
        """None while there is no tray; another one each time it comes."""
        return self._icon

    def start(self) -> None:
        """Show the icon as soon as there is a tray, and follow its coming and going."""
        if self._platform.startswith("linux"):
            self._watch.start()
        self._look.start()
        self.look()

    def stop(self) -> None:
        """Take the icon away, for good."""
        self._look.stop()
        self._away.stop()
        self._watch.stop()
        self._take_away()

    def look(self) -> None:
        """Is there a tray? Cheap, and done by itself every few seconds."""
        is_there = self._is_there()
        if is_there and self._icon is None:
            self._away.stop()
            self._put_there()
            self.availability_changed.emit(True)
        elif not is_there and self._icon is not None:
            self._take_away()
            self._away.start()
            self.availability_changed.emit(False)
        else:
            self._refresh()

    def show_schedule(self, state: ScheduleState) -> None:
        self._schedule = state
        self._refresh()

    def set_last_result(self, suggestions: int | None) -> None:
        """How many suggestions the last reflection made."""
        self._last_result = suggestions
        self._refresh()

    def set_waiting(self, count: int) -> None:
        """How many suggestions wait for an answer."""
        self._facts = replace(self._facts, waiting=count)
        self._refresh()

    def set_working(self, is_working: bool, what: str = "") -> None:
        """Something is done just now besides a reflection, of which the schedule tells; ``what`` in
        few words, such as “reading new notes”."""
        self._facts = replace(self._facts, is_working=is_working, working_on=what)
        self._refresh()

    def set_attention(self, sentence: str) -> None:
        """Something needs the person: a short sentence without secrets; "" when it is settled."""
        self._facts = replace(self._facts, attention=sentence)
        self._refresh()

    def set_panel(self, panel: Panel | None) -> None:
        """Draw for this panel; None finds out."""
        self._panel = panel
        self._refresh()

    # The icon's coming and going

    def _put_there(self) -> None:
        menu = TrayMenu(self._theme, self._menu_icons())
        menu.chosen.connect(self._on_chosen)
        menu.aboutToShow.connect(self._refresh)
        icon = QSystemTrayIcon(self)
        icon.activated.connect(self._on_activated)
        icon.setContextMenu(menu)
        self._icon, self._menu, self._drawn = icon, menu, None
        self._refresh()
        icon.show()

    def _take_away(self) -> None:
        icon, menu = self._icon, self._menu
        self._icon = self._menu = self._drawn = None
        if icon is not None:
            icon.hide()
            icon.deleteLater()
        if menu is not None:
            menu.close()
            menu.deleteLater()

    def _menu_icons(self) -> MenuIcons:
        if self._platform == "darwin":
            return MenuIcons.NONE
        return MenuIcons.NEUTRAL if self._watch.is_present else MenuIcons.THEME

    # What it shows

    @property
    def _all_facts(self) -> Facts:
        reflecting = self._schedule.running
        return replace(
            self._facts,
            is_working=self._facts.is_working or reflecting,
            working_on="" if reflecting else self._facts.working_on,
            is_paused=self._schedule.is_paused,
        )

    def _refresh(self) -> None:
        if self._icon is None or self._menu is None:
            return
        wanted = (self.state, self._panel or self._find_panel())
        if wanted != self._drawn:
            self._drawn = wanted
            ratios = (screen.devicePixelRatio() for screen in QGuiApplication.screens())
            self._icon.setIcon(tray_icon(*wanted, ratios))
        if self._icon.toolTip() != self.tooltip:
            self._icon.setToolTip(self.tooltip)
        self._menu.show_facts(
            MenuFacts(self._clock.now(), self._all_facts, self._schedule, self._last_result)
        )

    def _redraw(self) -> None:
        self._drawn = None
        self._refresh()

    def _find_panel(self) -> Panel:
        return read_panel(self._platform, self._environ, self._theme.mode)

    # What the person does

    def _on_activated(self, reason: QSystemTrayIcon.ActivationReason) -> None:
        """A click. On a Mac it opens the menu, and is told of all the same."""
        clicks = QSystemTrayIcon.ActivationReason
        if reason == clicks.Trigger and self._platform != "darwin":
            needs_person = self.state is TrayState.ATTENTION
            (self.health_requested if needs_person else self.open_requested).emit()
        elif reason == clicks.MiddleClick and self._platform.startswith("linux"):
            self.capture_requested.emit()

    def _on_chosen(self, what: Entry | PauseFor) -> None:
        if isinstance(what, PauseFor):
            self.pause_requested.emit(what)
            return
        {
            Entry.HEALTH: self.health_requested,
            Entry.OPEN: self.open_requested,
            Entry.CAPTURE: self.capture_requested,
            Entry.SEARCH: self.search_requested,
            Entry.REVIEW: self.review_requested,
            Entry.REFLECT: self.reflect_requested,
            Entry.RESUME: self.resume_requested,
            Entry.SETTINGS: self.settings_requested,
            Entry.QUIT: self.quit_requested,
        }[what].emit()
