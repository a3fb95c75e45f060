"""The composition root: builds the services and the window, joins them, and ends them.

The start, in order: ``launch`` has read the arguments, made sure that there is no other Daybank for
the folder, and set the log file; the hook for unhandled errors, the theme and the settings are
made; the window is built, empty, and shown (or the tray alone). Only after
its first paint is anything heavy touched: on a worker the library is imported, the folder opened,
its first answer shown, and then what is new in it read. Some seconds later, on a worker of its own,
search by meaning is loaded and prepared; until then words alone are searched for.

The end: what runs is cancelled and waited for, at most two seconds; the watcher and the folder are
let go; a worker that is stuck on a dead disk does not keep the process.
"""

from __future__ import annotations

import logging
import logging.handlers
import os
import sys
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any

import platformdirs
from PySide6.QtCore import (
    QEvent,
    QObject,
    QSettings,
    Qt,
    QTimer,
    Signal,
)
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QApplication, QFileDialog, QMenu

from daybank.clock import Clock, SystemClock
from daybank.errors import (
    Cancelled,
    DaybankError,
    WorkspaceError,
)
from daybank_desktop import phrases
from daybank_desktop.autostart import Autostart
from daybank_desktop.autostart import autostart as autostart_here
from daybank_desktop.commands import Command
from daybank_desktop.curated import PEOPLE, CuratedPages
from daybank_desktop.dialogs.first_run import FirstRun, Folders
from daybank_desktop.housekeeping import Base, Housekeeping
from daybank_desktop.housekeeping import Folders as OwnFolders
from daybank_desktop.leaving import Leaving
from daybank_desktop.meaning_status import MeaningStatus
from daybank_desktop.notifications.backend import Backend
from daybank_desktop.notifications.notifier import backends_here
from daybank_desktop.opening import assistant_folders, fresh_sample, open_chosen
from daybank_desktop.options import Options, meant_workspace
from daybank_desktop.page_rooms import PageRooms
from daybank_desktop.pages.search_page import SearchPage
from daybank_desktop.resident import Resident, Wiring
from daybank_desktop.scheduling.activity import Activity
from daybank_desktop.scheduling.memory import ScheduleMemory
from daybank_desktop.services.desktop_actions import DesktopActions
from daybank_desktop.services.drafts import DraftStore
from daybank_desktop.services.library import Library
from daybank_desktop.services.meaning import Meaning, import_ahead
from daybank_desktop.services.pages import Pages
from daybank_desktop.services.schedule import Schedule
from daybank_desktop.services.search import Search
from daybank_desktop.services.settings import SettingsStore
from daybank_desktop.services.shared_settings import SharedSettings
from daybank_desktop.single_instance import (
    Instance,
    Message,
    Place,
    Verb,
    deliver,
)
from daybank_desktop.tasks import Lane, Tasks, be_smooth
from daybank_desktop.theme import Theme, mode_of
from daybank_desktop.tray.tray import Tray
from daybank_desktop.widgets.focus_frame import FocusRing
from daybank_desktop.widgets.sidebar import SidebarPage
from daybank_desktop.windows.main_window import SEARCH, MainWindow
from daybank_desktop.windows.main_window import Place as WindowPlace
from daybank_desktop.writing_desk import WritingDesk

if TYPE_CHECKING:
    from daybank import Workspace
    from daybank.markdown.model import Source

log = logging.getLogger(__name__)

DEMO_QUERY = "flour delivery"
_APP = "daybank"
SCHEDULE_AFTER = 5000
"""Milliseconds after the window is shown from which reflection by the clock is thought of."""


WAIT_AT_MOST = 1.0
"""Seconds of the two that leaving may take in which what runs can end well."""


@dataclass(frozen=True, slots=True)
class Outside:
    """What there is around the window. Tests and other hosts of the window give less: no second
    start is heard, nobody but the window ends it, there is no tray, and notices stay inside."""

    instance: Instance | None = None
    leaving: Leaving | None = None
    has_tray: Callable[[], bool] = lambda: False
    notices: bool = False
    autostart: Autostart | None = None


class App(QObject):
    """Everything that lives as long as the window, and how it is joined."""

    _unhandled = Signal(str)

    def __init__(
        self,
        application: QApplication,
        options: Options,
        *,
        config: Path,
        log_file: Path | None = None,
        clock: Clock | None = None,
        opener: Any = None,
        folders: Folders | None = None,
        environ: Mapping[str, str] = os.environ,
        outside: Outside | None = None,
    ) -> None:
        super().__init__()
        self._application = application
        self._options = options
        self._log_file = log_file
        self._clock = clock or SystemClock()
        self._folders = folders
        self._environ = environ
        self._config = config
        self._shared_settings = config / "settings.json"
        self._has_ended = False
        self._ended_well = True
        self._retry: Callable[[], object] = self.show_first_run
        self._wanted: Path | None = None
        self._problem: DaybankError | None = None
        self.settings = SettingsStore(config / "desktop.json")
        self.tasks = Tasks()
        self.shared = SharedSettings(self.tasks, self._shared_settings, self)
        saved = self.settings.value
        self.theme = Theme(
            application,
            mode=mode_of(options.theme or saved.theme),
            text_size=options.text_size or saved.text_size,
        )
        self.theme.apply()
        self._ring = FocusRing(application, self.theme)
        get_ready = import_ahead if opener is None else None
        opener = opener or (lambda path: open_chosen(path, self._shared_settings, self._clock))
        self.library = Library(self.tasks, opener)
        self.search = Search(self.tasks, self.library)
        self.meaning = Meaning(self.tasks, self.library, get_ready=get_ready)
        self.pages = Pages(self.tasks, self.library)
        self.actions = DesktopActions(self.library)
        state = QSettings(str(config / "window.ini"), QSettings.Format.IniFormat)
        self.window = MainWindow(self.theme, state)
        self.search_page = SearchPage(
            self.tasks, self.library, self.search, self.pages, self.actions, self._clock.today()
        )
        self.window.add_page(
            SidebarPage(SEARCH, "page.search", self.tr("Search")), self.search_page
        )
        rooms = PageRooms(self.window, self.library, self.open_source)
        self.curated = CuratedPages(
            self.window,
            rooms,
            self.tasks,
            self.library,
            self.settings,
            self._clock.today(),
            write_down=lambda: self.writing.open(),
        )
        self.meaning_status = MeaningStatus(
            self.window, self.meaning, self.search, self.search_page
        )
        self.writing = WritingDesk(
            self.window, self.tasks, self.library, self._clock, self._drafts_of
        )
        self.activity = Activity(self)
        self.activity.watch(application)
        self.schedule = Schedule(
            self.tasks,
            self.library,
            self.curated.reflection,
            self.settings,
            ScheduleMemory(config / "schedule.json"),
            self.activity,
            self._clock,
            self,
        )
        self.housekeeping = self._housekeeping(rooms, (outside or Outside()).autostart)
        self.first_run: FirstRun | None = None
        self._outside = outside or Outside()
        self.resident = self._resident(self._outside)
        self._connect()
        self._add_commands()

    def _housekeeping(self, rooms: PageRooms, autostart: Autostart | None) -> Housekeeping:
        logs = Path(platformdirs.user_log_dir(_APP, appauthor=False))
        models = Path(platformdirs.user_data_dir(_APP, appauthor=False)) / "models"
        return Housekeeping(
            Base(
                self.window,
                self.theme,
                self.tasks,
                self.library,
                self.settings,
                self.shared,
                self._clock,
                self.actions,
            ),
            rooms,
            self.curated,
            self.meaning,
            self.schedule,
            autostart or autostart_here(),
            OwnFolders(self._config, logs, models, self._log_file),
        )

    def _resident(self, outside: Outside) -> Resident:
        tray = Tray(
            self.theme, self._clock, self, is_available=outside.has_tray, environ=self._environ
        )
        backends: tuple[Backend, ...] = ()
        if outside.notices:
            backends = backends_here(self.tasks.post, lambda: tray.icon, self.theme.app_icon)
        return Resident(
            self.window,
            self.library,
            self.settings,
            self.schedule,
            self.curated.reflection,
            self.writing,
            self._clock,
            self._config,
            Wiring(tray, backends, outside.instance, outside.leaving, environ=self._environ),
        )

    # The start

    def start(self) -> None:
        """Show the window, then open the folder; or ask for one."""
        sys.excepthook = self._on_unhandled
        threading.excepthook = lambda args: self._on_unhandled(
            args.exc_type, args.exc_value, args.exc_traceback
        )
        if self._options.demo:
            self._show_window()
            QTimer.singleShot(0, self, self._open_demo)
            return
        path = meant_workspace(self._options, self._config, self._environ)
        if path is None:
            self.show_first_run()
            return
        verb = self._options.message.verb
        alone = verb is Verb.CAPTURE and self._outside.has_tray()
        self._show_window(hidden=verb is Verb.NOTHING or alone)
        QTimer.singleShot(0, self, lambda: self.open_folder(path))
        self.resident.take(self._options.message)

    def open_folder(self, path: Path) -> None:
        """Open ``path`` in place of what is open, unless another Daybank has it open."""
        instance = self._outside.instance
        if instance is not None and not instance.move_to(path):
            other = instance.place.elsewhere(path)
            self.tasks.run(Lane.NET, lambda job: deliver(Message(Verb.SHOW), other))
            self.window.show_toast(self.tr("That folder is open in another window of Daybank."))
            return
        self._wanted = path
        self.window.status.set_state(self.tr("Opening your notes…"), "action.refresh")
        self.library.open(path)

    def show_first_run(self) -> None:
        """The assistant, in front of the window if that is shown already."""
        if self.first_run is not None:
            self.first_run.raise_()
            return
        parent = self.window if self.window.isVisible() else None
        dialog = FirstRun(self.tasks, self.library, self._folders or assistant_folders(), parent)
        self.first_run = dialog
        dialog.chosen.connect(self.open_folder)
        dialog.finished.connect(self._on_first_run_over)
        dialog.open() if parent is not None else dialog.show()

    def _on_first_run_over(self) -> None:
        dialog, self.first_run = self.first_run, None
        if dialog is not None:
            dialog.deleteLater()
        self._show_window()
        if self.library.workspace is None:
            self._show_no_folder()

    def _show_window(self, *, hidden: bool = False) -> None:
        self.resident.start(hidden=hidden)
        self._show_tray()
        self.housekeeping.start()
        self.search_page.set_list_width(self.settings.value.list_width)
        self.window.focus_search()
        if not self._options.demo:
            QTimer.singleShot(SCHEDULE_AFTER, self, self.schedule.start)

    def _open_again(self) -> None:
        """A setting was changed that holds from the opening of the folder on."""
        if self.library.workspace is not None:
            self.open_folder(self.library.workspace.path)

    def _show_no_folder(self) -> None:
        self.search_page.show_problem(
            self.tr("No folder of notes is open"),
            self.tr("Daybank searches the Markdown files in a folder of yours."),
            primary=self.tr("Choose a folder…"),
            is_error=False,
        )
        self._retry = self.show_first_run

    def _open_demo(self) -> None:
        cache = Path(platformdirs.user_cache_dir(_APP, appauthor=False)) / "demo"
        self.window.status.set_state(self.tr("Opening your notes…"), "action.refresh")
        self.tasks.run(
            Lane.WRITE,
            lambda job: fresh_sample(cache),
            done=self.open_folder,
            failed=self._on_open_failed,
        )

    # Joining

    def _connect(self) -> None:
        window, library, search, page = self.window, self.library, self.search, self.search_page
        window.search_edited.connect(self._on_typed)
        window.search_cleared.connect(self._on_cleared)
        window.search_submitted.connect(self._on_submitted)
        window.search_left_down.connect(self._on_left_down)
        window.search_asked.connect(self.ask)
        window.write_down_requested.connect(self.writing.open)
        window.closing.connect(self._on_closing)
        window.sidebar.folder_pressed.connect(self._open_folder_menu)
        window.status.progress.cancelled.connect(library.cancel_sync)
        window.place_changed.connect(self._on_place)
        search.text_edited.connect(self._on_cut)
        page.field_wanted.connect(self._focus_field)
        page.list.opened.connect(self._remember)
        page.list.clicked.connect(self._remember)
        window.search.edit.installEventFilter(self)
        page.search_asked.connect(self.ask)
        page.person_asked.connect(lambda name: window.go(PEOPLE, name))
        page.said.connect(window.show_toast)
        page.primary_asked.connect(lambda: self._retry())
        page.second_asked.connect(self.choose_folder)
        library.opened.connect(self._on_opened)
        library.open_failed.connect(self._on_open_failed)
        library.sync_started.connect(self._on_sync_started)
        library.sync_progress.connect(self._on_sync_progress)
        library.sync_finished.connect(self._on_sync_over)
        library.sync_failed.connect(self._on_sync_failed)
        library.overview_changed.connect(self._show_state)
        library.watch_notice.connect(self._on_watch_notice)
        library.leaving.connect(lambda: self.meaning_status.set_by_meaning(False))
        self.actions.failed.connect(self._say_error)
        housekeeping, resident = self.housekeeping, self.resident
        housekeeping.attention_changed.connect(resident.set_attention)
        housekeeping.meaning_rules.switched.connect(self._on_meaning_switched)
        housekeeping.folder_wanted.connect(self.open_folder)
        housekeeping.folder_choice_wanted.connect(self.choose_folder)
        housekeeping.reopen_wanted.connect(self._open_again)
        housekeeping.text_size_wanted.connect(self._set_text_size)
        housekeeping.theme_wanted.connect(self._set_theme)
        resident.tray.availability_changed.connect(lambda _: self._show_tray())
        self.resident.quit_asked.connect(self._application.quit)
        self.resident.search_asked.connect(self.ask)
        self.resident.file_asked.connect(self.open_path)
        self.curated.review_service.loaded.connect(self.resident.set_inbox)
        self.curated.review_service.waiting_changed.connect(self.resident.tray.set_waiting)
        self.tasks.bug.connect(lambda error: self._show_unhandled(repr(error)))
        self._unhandled.connect(self._show_unhandled)

    def _add_commands(self) -> None:
        commands = self.window.commands
        for command in (
            Command(
                "folder.open",
                self.tr("Open another folder…"),
                self.choose_folder,
                ("Ctrl+O",),
                "action.reveal",
                "folder",
            ),
            Command(
                "folder.read",
                self.tr("Read the notes again"),
                self.library.sync,
                ("F5",),
                "action.refresh",
                "folder",
            ),
            Command(
                "look.larger",
                self.tr("Larger text"),
                lambda: self._set_text_size(self.theme.text_size + 10),
                ("Ctrl++", "Ctrl+="),
                "action.zoomIn",
                "look",
            ),
            Command(
                "look.smaller",
                self.tr("Smaller text"),
                lambda: self._set_text_size(self.theme.text_size - 10),
                ("Ctrl+-",),
                "action.zoomOut",
                "look",
            ),
            Command(
                "look.usual",
                self.tr("Usual text size"),
                lambda: self._set_text_size(100),
                ("Ctrl+0",),
                "",
                "",
            ),
            Command(
                "look.theme",
                self.tr("Light or dark"),
                self._switch_theme,
                ("Ctrl+Shift+D",),
                "settings.look",
                "look",
            ),
        ):
            commands.add(command)

    # Asking

    def ask(self, text: str) -> None:
        """Look for ``text``, as if it had been typed."""
        self.window.search.set_text(text)
        self._on_typed(text)
        self._remember()
        self.search.submit()

    def open_source(self, source: Source, id: str | None) -> None:
        """Show a cited place in the reader, from whatever page; Back leads there again."""
        self.window.go(SEARCH, self.search.question.text)
        self.search_page.open_source(source, id)
        self.search_page.reader.setFocus(Qt.FocusReason.OtherFocusReason)

    def open_path(self, path: str) -> None:
        """Show a page of the folder in the reader."""
        self.window.go(SEARCH, self.search.question.text)
        self.search_page.open_path(path)
        self.search_page.reader.setFocus(Qt.FocusReason.OtherFocusReason)

    def _on_typed(self, text: str) -> None:
        self.search.set_text(text)
        if self.window.page_id != SEARCH:
            self.window.go(SEARCH, text)

    def _on_cleared(self) -> None:
        """Emptying the field, unlike typing in it, opens no other page."""
        self.search.set_text("")

    def _on_left_down(self) -> None:
        """↓ in the field: into what lies below it."""
        if self.window.page_id == SEARCH:
            self.search_page.enter_list()
        else:
            self.window.enter_page()

    def _remember(self) -> None:
        """This question is worth coming back to."""
        if self.window.page_id == SEARCH:
            self.window.go(SEARCH, self.search.question.text)

    def _on_submitted(self, text: str) -> None:
        """Enter."""
        self.search.set_text(text)
        self._remember()
        self.search_page.read_current()

    def _on_cut(self, text: str) -> None:
        """A chip was taken away. Inserted, not set: Ctrl+Z in the field brings the words back."""
        edit = self.window.search.edit
        edit.selectAll()
        edit.insert(text)
        self._remember()

    def _on_place(self, place: WindowPlace, again: bool) -> None:
        if again and place.page == SEARCH:
            text = place.state if isinstance(place.state, str) else ""
            self.window.search.set_text(text)
            self.search.set_text(text)
            self.search.submit()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Backspace at the very beginning of the field takes the last chip away."""
        if (
            event.type() == QEvent.Type.KeyPress
            and isinstance(event, QKeyEvent)
            and event.key() == Qt.Key.Key_Backspace
        ):
            edit = self.window.search.edit
            at_start = watched is edit and edit.cursorPosition() == 0
            if at_start and not edit.hasSelectedText() and self.search.remove_last_understood():
                return True
        return super().eventFilter(watched, event)

    def _focus_field(self) -> None:
        self.window.search.edit.setFocus()

    # The folder

    def choose_folder(self) -> None:
        """Ask for another folder and open it."""
        start = self.library.workspace.path if self.library.workspace else Path.home()
        name = QFileDialog.getExistingDirectory(
            self.window, self.tr("Where are your notes?"), str(start)
        )
        if name:
            self.open_folder(Path(name))

    def _open_folder_menu(self) -> None:
        sidebar = self.window.sidebar
        menu = QMenu(sidebar)
        menu.aboutToHide.connect(menu.deleteLater)
        open_now = str(self.library.workspace.path) if self.library.workspace else ""
        for folder in self.settings.value.recent:
            action = menu.addAction(Path(folder).name.replace("&", "&&"))
            action.setCheckable(True)
            action.setChecked(folder == open_now)
            action.triggered.connect(lambda _, folder=folder: self.open_folder(Path(folder)))
        menu.addSeparator()
        menu.addAction(self.tr("Open another folder…"), self.choose_folder)
        menu.addAction(self.tr("Look around with a sample…"), self.show_first_run)
        menu.popup(sidebar.mapToGlobal(sidebar.rect().topLeft()))

    def _on_opened(self, workspace: Workspace) -> None:
        be_smooth()
        self._problem = None
        self.search_page.hide_problem()
        self.window.sidebar.set_folder(workspace.name, str(workspace.path))
        self.window.setWindowTitle(self.tr("{folder} – Daybank").format(folder=workspace.name))
        if not self._options.demo and not self._is_for_once(workspace.path):
            self._remember_folder(workspace.path)
        asked = DEMO_QUERY if self._options.demo else ""
        if asked and not self.window.search.text():
            self.ask(asked)

    def _is_for_once(self, path: Path) -> bool:
        """Whether the command line asked for it beside a folder that was chosen, which stays so."""
        asked, chosen = self._options.workspace, self.settings.value.folder
        return bool(asked and chosen) and Path(asked).expanduser().resolve() == path.resolve()

    def _remember_folder(self, path: Path) -> None:
        """For the next start, and for the command line."""
        self.settings.save(self.settings.value.with_folder(str(path)))
        self.shared.update(workspace=str(path))

    def _on_open_failed(self, error: DaybankError) -> None:
        if self.first_run is not None:
            return  # it says so itself
        if self.library.workspace is not None:
            self._say_error(error)
            self._show_state()
            return
        self.window.status.set_state("", "")
        wanted = self._wanted
        self._retry = (lambda: self.open_folder(wanted)) if wanted else self.show_first_run
        self.search_page.show_problem(
            error.title,
            error.message,
            primary=self.tr("Try again"),
            second=self.tr("Choose another folder…"),
        )

    def _on_sync_started(self) -> None:
        self._problem = None
        overview = self.library.overview
        if overview is None or not overview.is_indexed:
            self.window.status.progress.set_progress(self.tr("Reading your notes…"))

    def _on_sync_progress(self, progress: Any) -> None:
        if progress.total <= 1:
            return
        self.window.status.progress.set_progress(
            self.tr("Reading your notes, {done} of {total}").format(
                done=phrases.count(progress.done), total=phrases.count(progress.total)
            ),
            progress.done,
            progress.total,
        )

    def _on_sync_over(self, report: object) -> None:
        self.window.status.progress.finish()
        self._show_state()

    def _on_sync_failed(self, error: DaybankError) -> None:
        self.window.status.progress.finish()
        self._problem = error
        if isinstance(error, WorkspaceError):
            # The folder itself is gone, say with its drive: the page has nothing true to show.
            self._retry = self.library.sync
            self.search_page.show_problem(
                error.title,
                error.message,
                primary=self.tr("Try again"),
                second=self.tr("Choose another folder…"),
            )
        self._show_state()

    def _on_watch_notice(self, notice: str) -> None:
        log.info("Watching the folder: %s", notice)

    def _show_state(self) -> None:
        """The one line at the foot: is everything read."""
        overview, status = self.library.overview, self.window.status
        if isinstance(self._problem, Cancelled):
            status.set_state(self.tr("Stopped. F5 reads on."), "state.note")
        elif self._problem is not None:
            status.set_state(self._problem.title, "state.error", "negative")
        elif overview is None or self.library.is_syncing:
            return
        else:
            self.search_page.hide_problem()
            status.set_state(
                self.tr("Up to date · {notes} from {days}").format(
                    notes=phrases.notes_count(overview.notes),
                    days=phrases.days_count(overview.days),
                )
            )

    # How it looks

    def _set_text_size(self, percent: int) -> None:
        self.theme.set_text_size(percent)
        self.settings.update(text_size=self.theme.text_size)

    def _on_meaning_switched(self, is_on: bool) -> None:
        if not is_on:  # on, it is used once the model is loaded
            self.meaning_status.set_by_meaning(False)

    def _switch_theme(self) -> None:
        self._set_theme("light" if self.theme.is_dark else "dark")

    def _set_theme(self, mode: str) -> None:
        self.theme.set_mode(mode_of(mode))
        self.settings.update(theme=mode)

    def _show_tray(self) -> None:
        """What can be chosen in the settings depends on there being a tray."""
        tray, why = self.resident.tray, self.resident.why_no_tray
        self.housekeeping.settings.set_tray_available(tray.is_available, why)

    # Trouble

    def _say_error(self, error: DaybankError) -> None:
        words = f"{error.title} {error.message}".strip()
        self.window.show_toast(words, icon="state.warning")

    def _on_unhandled(
        self,
        kind: type[BaseException],
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Any thread. Logged with its traceback, then told in the window."""
        if issubclass(kind, KeyboardInterrupt):
            self._application.quit()
            return
        log.critical("Unhandled", exc_info=(kind, error or kind(), trace))
        self._unhandled.emit(f"{kind.__name__}: {error}")

    def _show_unhandled(self, what: str) -> None:
        where = str(self._log_file) if self._log_file else ""
        self.search_page.show_trouble(
            self.tr("Something went wrong in Daybank."),
            self.tr("Your notes were not touched. What happened is in the log file: {file}").format(
                file=where
            ),
            what,
        )

    def _drafts_of(self, workspace: Path) -> DraftStore:
        """What is half written for a folder of notes is kept beside the settings."""
        place = Place.of(self._config, workspace, self._environ)
        return DraftStore(self._config / "drafts", place.key)

    # The end

    def _on_closing(self) -> None:
        if self.search_page.list_width:
            self.settings.update(list_width=self.search_page.list_width)
        self.end()
        self._application.quit()

    def end(self) -> bool:
        """Stop everything; False when a worker is stuck. Calling it again does nothing more."""
        if self._has_ended:
            return self._ended_well
        self._has_ended = True
        self.writing.keep()
        self.meaning.stop()
        self.housekeeping.stop()
        well = self.schedule.stop()
        well = self.resident.stop() and well
        self.library.stop()
        self._ended_well = self.tasks.shutdown(within=WAIT_AT_MOST) and well
        if self._ended_well:
            self.library.close()
        self.resident.let_go()
        sys.excepthook = sys.__excepthook__
        threading.excepthook = threading.__excepthook__
        return self._ended_well
