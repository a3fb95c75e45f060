"""Living beside the window: the tray, notices, second starts, and being asked to leave.

Joins them to the window and to the services. One rule carries the rest: there is never a running
Daybank that a person cannot reach. GUI thread only.
"""

from __future__ import annotations

import logging
import os
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal

from daybank.clock import Clock
from daybank_desktop.leaving import Leaving
from daybank_desktop.notifications.backend import Backend
from daybank_desktop.notifications.memory import NoticeMemory
from daybank_desktop.notifications.notifier import Notifier
from daybank_desktop.services.library import Library
from daybank_desktop.services.reflection import Reflection
from daybank_desktop.services.review import Inbox
from daybank_desktop.services.schedule import Schedule, ScheduleState
from daybank_desktop.services.settings import SettingsStore
from daybank_desktop.single_instance import Instance, Message, Verb, bring_forward
from daybank_desktop.tray import words
from daybank_desktop.tray.presence import (
    TOLD_NO_TRAY,
    TOLD_STAYS,
    OnClose,
    OnStart,
    on_close,
    on_start,
    should_return,
    should_say_no_tray,
)
from daybank_desktop.tray.presence import why_no_tray as reason_of
from daybank_desktop.tray.state import PauseFor
from daybank_desktop.tray.tray import Tray
from daybank_desktop.widgets.status_bar import StatusItem
from daybank_desktop.windows.main_window import MainWindow, Place
from daybank_desktop.writing_desk import WritingDesk

if TYPE_CHECKING:
    from daybank.reflect.record import ReflectionReport

log = logging.getLogger(__name__)

LOOK_AGAIN_MS = 1000
"""How often a hidden start looks whether the tray has come."""

SAY_AFTER_MS = 20_000
"""The panel of a desktop that has just started may come after the window: before it is said that
there is no tray, it is given time."""


@dataclass(frozen=True, slots=True)
class Wiring:
    """What the desktop gives, so that tests can give something else. ``instance`` is None where
    second starts are not heard, ``leaving`` where nobody from outside ends this process."""

    tray: Tray
    backends: tuple[Backend, ...]
    instance: Instance | None = None
    leaving: Leaving | None = None
    platform: str = sys.platform
    environ: Mapping[str, str] = field(default_factory=lambda: os.environ)


class Resident(QObject):
    """Nothing shows before :meth:`start`. ``quit_asked`` is final: end, and ask nobody."""

    quit_asked = Signal()
    search_asked = Signal(str)
    file_asked = Signal(str)  # a page of the open folder, by its path in it

    def __init__(
        self,
        window: MainWindow,
        library: Library,
        settings: SettingsStore,
        schedule: Schedule,
        reflection: Reflection,
        writing: WritingDesk,
        clock: Clock,
        config: Path,
        wiring: Wiring,
    ) -> None:
        super().__init__(window)
        self._window = window
        self._library = library
        self._settings = settings
        self._schedule = schedule
        self._reflection = reflection
        self._writing = writing
        self._clock = clock
        self._wiring = wiring
        self._act: Callable[[], object] | None = None
        self._after_opening: Callable[[], object] | None = None
        self._began = time.monotonic()
        self._has_started = False
        self.tray = wiring.tray
        self.notifier = Notifier(
            wiring.backends,
            settings,
            NoticeMemory(config / "notifications.json"),
            clock,
            self._page_in_front,
            self,
        )
        self._wait = QTimer(self, interval=LOOK_AGAIN_MS)
        self._wait.timeout.connect(self._show_or_wait)
        self._join_tray()
        self._join_notices()
        self._join_outside()

    # The start and the end

    def start(self, *, hidden: bool) -> None:
        """The tray from now on; and the window, unless this start is to stay out of sight and
        there is a tray (for which a start at login waits a while)."""
        if self._has_started:
            self._window.show()
            return
        self._has_started = True
        self.tray.start()
        if not hidden:
            self._window.show()
        else:
            self._show_or_wait()
            if not self._window.isVisible() and not self.tray.is_available:
                self._wait.start()
        QTimer.singleShot(SAY_AFTER_MS, self, self._say_no_tray)
        if self._wiring.instance is not None:
            self._wiring.instance.listen()

    def stop(self) -> bool:
        """First half of quitting. False when a way to show notices is stuck."""
        self._wait.stop()
        if self._wiring.instance is not None:
            self._wiring.instance.stop_listening()
        well = self.notifier.stop()
        self.tray.stop()
        return well

    def let_go(self) -> None:
        """Second half: another process may open the folder, and signals are as they were."""
        if self._wiring.instance is not None:
            self._wiring.instance.close()
        if self._wiring.leaving is not None:
            self._wiring.leaving.close()

    # For the settings page

    @property
    def why_no_tray(self) -> str:
        """Why *keep running in the tray* is greyed; "" where it is not."""
        desktop = self._wiring.environ.get("XDG_CURRENT_DESKTOP", "")
        why = reason_of(has_tray=self.tray.is_available, desktop=desktop)
        return words.why_no_tray(why) if why is not None else ""

    # Doing

    def come(self, page: str = "", state: object = None, activation: str = "") -> None:
        """The window before everything else, with ``page`` if one is named."""
        self._wait.stop()
        bring_forward(self._window, activation)
        if page:
            self._window.go(page, state)

    def take(self, message: Message) -> None:
        """What this start, or a later one, was asked to do."""
        verb, text, token = message.verb, message.text, message.activation
        if verb is Verb.CAPTURE:
            self._writing.capture(text, token)
        elif verb is Verb.SHOW:
            self.come(activation=token)
        elif verb is Verb.REVIEW:
            self.come("review", activation=token)
        elif verb is Verb.SEARCH:
            self.come(activation=token)
            self._when_open(partial(self.search_asked.emit, text))
        elif verb is Verb.OPEN:
            self._open_file(text, token)

    def _open_file(self, path: str, token: str) -> None:
        workspace = self._library.workspace
        if workspace is None:
            self._when_open(partial(self._open_file, path, token))
            return
        try:
            inside = Path(path).resolve().relative_to(workspace.path.resolve())
        except (OSError, ValueError):
            why = self.tr("“{name}” is not in your memory folder “{folder}”.").format(
                name=Path(path).name, folder=workspace.name
            )
            if self._wiring.instance is not None:
                self._wiring.instance.refuse(why)
            self._window.show_toast(why, icon="state.warning")
            return
        self.come(activation=token)
        self.file_asked.emit(inside.as_posix())

    def _when_open(self, run: Callable[[], object]) -> None:
        if self._library.workspace is not None:
            run()
        else:
            self._after_opening = run

    def _on_opened(self, workspace: object) -> None:
        run, self._after_opening = self._after_opening, None
        if run is not None:
            run()

    # The tray

    def _join_tray(self) -> None:
        tray, schedule, window = self.tray, self._schedule, self._window
        tray.open_requested.connect(lambda: self.come())
        tray.capture_requested.connect(lambda: self._writing.capture())
        tray.search_requested.connect(self._search)
        tray.review_requested.connect(lambda: self.come("review"))
        tray.health_requested.connect(lambda: self.come("health"))
        tray.settings_requested.connect(lambda: self.come("settings"))
        tray.reflect_requested.connect(schedule.run_now)
        tray.pause_requested.connect(self._pause)
        tray.resume_requested.connect(schedule.resume)
        tray.quit_requested.connect(window.quit)
        tray.lost.connect(self._on_tray_lost)
        window.stays = self._stays
        schedule.state_changed.connect(self._show_schedule)
        self._reflection.finished.connect(self._on_reflected)
        self._library.sync_started.connect(self._show_work)
        self._library.sync_finished.connect(lambda report: self._show_work())
        self._library.sync_failed.connect(lambda error: self._show_work())
        self._library.opened.connect(self._on_opened)

    def set_inbox(self, inbox: Inbox) -> None:
        """The suggestions were read: of what was answered meanwhile nobody need be told."""
        self.notifier.set_waiting(len(inbox.waiting), {p.target for p in inbox.waiting})

    def set_attention(self, sentence: str) -> None:
        """Something needs the person; "" when it is settled."""
        self.tray.set_attention(sentence)

    def _pause(self, length: PauseFor) -> None:
        if length is PauseFor.ONE_HOUR:
            self._schedule.pause(1)
        elif length is PauseFor.UNTIL_TOMORROW:
            self._schedule.pause_until_tomorrow()
        else:
            self._schedule.pause()

    def _search(self) -> None:
        self.come("search")
        self._window.focus_search()

    def _show_schedule(self, state: ScheduleState) -> None:
        self.tray.show_schedule(state)
        item = None
        if state.last is not None:
            now = self._clock.now()
            when = words.moment(state.last.astimezone(now.tzinfo), now)
            item = StatusItem(
                self.tr("Last reflection {when}").format(when=when), "state.reflection"
            )
        self._window.status.set_item("reflection", item)

    def _on_reflected(self, report: ReflectionReport) -> None:
        made = {item.proposal or item.target for item in report.fresh}
        self.tray.set_last_result(len(made))

    def _show_work(self) -> None:
        what = self.tr("reading new notes")
        self.tray.set_working(self._library.is_syncing, what)

    # Being there or not

    def _stays(self) -> bool:
        """Whether the window, which the person closes, only hides."""
        leaving = self._wiring.leaving
        if leaving is not None and leaving.is_leaving:
            return False
        chosen = self._settings.value
        self.tray.look()
        what = on_close(
            has_tray=self.tray.is_available,
            close_to_tray=chosen.close_to_tray,
            told=chosen.told,
        )
        if what is OnClose.STAY_AND_SAY:
            self._tell_once(TOLD_STAYS)
            stays = words.stays(self._wiring.platform)
            title, settings = self.tr("Daybank is still here"), self.tr("Settings")
            self.notifier.say(title, stays, settings, "settings")
        return what is not OnClose.QUIT

    def _show_or_wait(self) -> None:
        waited = time.monotonic() - self._began
        has_tray = self.tray.is_available
        what = on_start(wants_hidden=True, has_tray=has_tray, waited=waited)
        if what is OnStart.WAIT:
            return
        self._wait.stop()
        if what is OnStart.SHOW:
            self._window.show()

    def _on_tray_lost(self) -> None:
        hidden = not self._window.isVisible()
        if should_return(has_tray=self.tray.is_available, is_hidden=hidden):
            self._window.show()
            self._window.show_toast(words.came_back(), icon="state.note")

    def _say_no_tray(self) -> None:
        chosen = self._settings.value
        if self._window.isVisible() and should_say_no_tray(
            has_tray=self.tray.is_available,
            close_to_tray=chosen.close_to_tray,
            told=chosen.told,
        ):
            self._tell_once(TOLD_NO_TRAY)
            self._window.show_toast(words.no_tray(), icon="state.note")

    def _tell_once(self, what: str) -> None:
        told = self._settings.value.told
        self._settings.update(told=(*told, what))

    # Notices

    def _join_notices(self) -> None:
        notifier, library = self.notifier, self._library
        library.opened.connect(lambda workspace: notifier.set_folder(str(workspace.path)))
        library.leaving.connect(lambda: notifier.set_folder(""))
        self._schedule.health_checked.connect(notifier.see_health)  # comes before what it found
        self._schedule.noticed.connect(notifier.tell)
        self._schedule.beaten.connect(lambda beat: notifier.beat(beat.now, beat.zone))
        notifier.opened.connect(lambda page: self.come(page))
        notifier.in_window.connect(self._show_in_window)
        self._window.place_changed.connect(self._on_place)
        self._window.toast.acted.connect(self._on_toast_acted)
        self._window.toast.gone.connect(self._on_toast_gone)

    def _on_place(self, place: Place, again: bool) -> None:
        if self._window.isActiveWindow():  # by themselves, not by a click on the notice
            self.notifier.page_shown(place.page)

    def _page_in_front(self) -> str:
        return self._window.page_id if self._window.isActiveWindow() else ""

    def _show_in_window(self, title: str, text: str, action: str, page: str) -> None:
        """No other way to show it."""
        self._window.show_toast(f"{title}. {text}" if text else title, action)
        self._act = partial(self.come, page)

    def _on_toast_acted(self) -> None:
        act, self._act = self._act, None
        if act is not None:
            act()

    def _on_toast_gone(self) -> None:
        self._act = None

    # From outside

    def _join_outside(self) -> None:
        if self._wiring.instance is not None:
            self._wiring.instance.received.connect(self.take)
        leaving = self._wiring.leaving
        if leaving is not None:
            leaving.saving.connect(self._writing.keep)
            leaving.asked.connect(self._on_asked_to_leave)

    def _on_asked_to_leave(self, reason: str) -> None:
        self._writing.keep()
        self.quit_asked.emit()
