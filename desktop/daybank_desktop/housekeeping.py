"""The pages at the foot of the sidebar: Health with the run history, and the settings. Builds them
with their services and joins them to the window. GUI thread only.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, QTimer, Signal

from daybank.clock import Clock
from daybank.errors import DaybankError
from daybank_desktop import health_words
from daybank_desktop.autostart import Autostart
from daybank_desktop.commands import Command
from daybank_desktop.curated import CuratedPages
from daybank_desktop.diagnostics import Diagnostics
from daybank_desktop.dialogs.compare_copies import CompareDialog
from daybank_desktop.page_rooms import PageRooms
from daybank_desktop.pages.health_page import HealthPage, HealthPlace
from daybank_desktop.pages.runs_page import RunsPage
from daybank_desktop.pages.settings_page import SettingsPage
from daybank_desktop.services.desktop_actions import DesktopActions
from daybank_desktop.services.health import Health
from daybank_desktop.services.language_models import LanguageModels
from daybank_desktop.services.library import Library
from daybank_desktop.services.meaning import Meaning
from daybank_desktop.services.meaning_rules import MeaningRules
from daybank_desktop.services.models import Download, DownloadPhase, Models
from daybank_desktop.services.places import Places
from daybank_desktop.services.refusals import Refusals
from daybank_desktop.services.runs import Runs
from daybank_desktop.services.schedule import Schedule
from daybank_desktop.services.settings import SettingsStore
from daybank_desktop.services.shared_settings import SharedSettings
from daybank_desktop.settings_topics.topic import SettingsServices
from daybank_desktop.tasks import Lane, Tasks
from daybank_desktop.theme import Theme
from daybank_desktop.widgets.sidebar import SidebarPage
from daybank_desktop.widgets.status_bar import StatusItem
from daybank_desktop.windows.main_window import MainWindow

HEALTH, RUNS, SETTINGS = "health", "runs", "settings"

REFRESH_AUTOSTART_MS = 15_000


@dataclass(frozen=True, slots=True)
class Base:
    """What the whole window has."""

    window: MainWindow
    theme: Theme
    tasks: Tasks
    library: Library
    settings: SettingsStore
    shared: SharedSettings
    clock: Clock
    actions: DesktopActions


@dataclass(frozen=True, slots=True)
class Folders:
    """Where Daybank keeps what is its own. ``log_file`` is None where none can be written."""

    config: Path
    logs: Path
    models: Path
    log_file: Path | None


class Housekeeping(QObject):
    """Health, run history and settings."""

    attention_changed = Signal(str)  # what needs the person, "" when nothing does
    folder_wanted = Signal(object)  # Path
    folder_choice_wanted = Signal()
    reopen_wanted = Signal()
    text_size_wanted = Signal(int)
    theme_wanted = Signal(str)

    def __init__(
        self,
        base: Base,
        rooms: PageRooms,
        curated: CuratedPages,
        meaning: Meaning,
        schedule: Schedule,
        autostart: Autostart,
        folders: Folders,
    ) -> None:
        super().__init__(base.window)
        self._base = base
        self._rooms = rooms
        self._curated = curated
        self._schedule = schedule
        self._meaning = meaning
        self._autostart = autostart
        tasks, library, clock = base.tasks, base.library, base.clock
        self.health_service = Health(
            tasks, library, clock, late_after=lambda: schedule.reflection_late_after
        )
        self.health = HealthPage(self.health_service, clock.today)
        self.runs = RunsPage(
            Runs(tasks, library, curated.reflection), curated.reflection, clock.now
        )
        self.meaning_rules = MeaningRules(tasks, meaning, base.settings, self)
        self.models = Models(tasks, library, base.shared, folders.models, self)
        self.diagnostics = Diagnostics(
            tasks,
            library,
            self.health_service,
            clock,
            desktop=lambda: base.settings.value,
            schedule=lambda: schedule.state,
            settings=lambda: base.shared.value,
            log_file=folders.log_file,
            text_size=lambda: base.theme.text_size,
        )
        self.settings = SettingsPage(
            SettingsServices(
                tasks,
                library,
                base.settings,
                base.shared,
                self.models,
                meaning,
                self.meaning_rules,
                LanguageModels(tasks, base.shared, self),
                Refusals(tasks, library, self),
                Places(
                    tasks,
                    library,
                    config=folders.config,
                    logs=folders.logs,
                    models=folders.models,
                    parent=self,
                ),
                schedule,
                autostart,
                base.actions,
                clock,
            )
        )
        self._join_health()
        self._join_settings()

    def start(self) -> None:
        """Before a folder is opened."""
        self.meaning_rules.start()
        QTimer.singleShot(REFRESH_AUTOSTART_MS, self, self._refresh_autostart)

    def stop(self) -> None:
        """First half of quitting."""
        self.meaning_rules.stop()

    # Health and run history

    def _join_health(self) -> None:
        base, health, runs, rooms = self._base, self.health, self.runs, self._rooms
        health_row = SidebarPage(HEALTH, "page.health", self.tr("Health"), foot=True)
        runs_row = SidebarPage(RUNS, "action.history", self.tr("Run history"))
        rooms.add(health_row, health, lambda: health.place)
        rooms.add(runs_row, runs, lambda: runs.place, under=HEALTH)
        base.library.changed.connect(health.refresh)
        base.library.opened.connect(lambda _: health.refresh())
        base.library.opened.connect(lambda _: runs.refresh())
        base.library.open_failed.connect(lambda _: runs.refresh())
        self.health_service.changed.connect(lambda _: self._show_level())
        health.compare_requested.connect(self.show_compare)
        health.reveal_requested.connect(base.actions.reveal)
        health.sync_requested.connect(base.library.sync)
        health.reflect_requested.connect(self._curated.reflection.start)
        runs.report_requested.connect(self._curated.show_report)
        self._schedule.health_checked.connect(self.health_service.take)
        self._schedule.state_changed.connect(runs.show_schedule)
        runs.show_schedule(self._schedule.state)
        for page in (health, runs):
            page.diagnostics_requested.connect(self.diagnostics.copy)
        self.diagnostics.copied.connect(
            lambda _: rooms.say(self.tr("Copied. It holds no notes, names or passwords."))
        )
        self.diagnostics.failed.connect(self._say_error)

    def show_compare(self, copy: str, copies: tuple[str, ...]) -> None:
        """Two versions of a page, side by side."""
        base = self._base
        dialog = CompareDialog(self.health_service, copy, copies, base.clock.today, base.window)
        dialog.finished.connect(dialog.deleteLater)
        dialog.edit_requested.connect(base.actions.edit)
        dialog.reveal_requested.connect(base.actions.reveal)
        dialog.open()

    def show_finding(self, check: str) -> None:
        """Health, with what a notice told of unfolded."""
        self._base.window.go(HEALTH, HealthPlace(check))

    def _show_level(self) -> None:
        service = self.health_service
        spoken = health_words.spoken_needs(service.needs)
        self._base.window.sidebar.set_dot(HEALTH, service.level, spoken)
        self.attention_changed.emit(spoken if service.needs else "")

    # The settings

    def _join_settings(self) -> None:
        base, page = self._base, self.settings
        row = SidebarPage(SETTINGS, "page.settings", self.tr("Settings"), True, "Ctrl+,")
        self._rooms.add(row, page, lambda: page.place, needs_folder=False)
        for entry in page.commands():
            show: Callable[[], object] = partial(base.window.go, SETTINGS, entry.topic)
            base.window.commands.add(
                Command(entry.id, entry.text, show, (), "page.settings", listed=False)
            )
        self.models.model_changed.connect(lambda _: self._meaning.renew())
        self.models.download_changed.connect(self._show_download)
        page.theme_chosen.connect(self.theme_wanted)
        page.text_size_chosen.connect(self.text_size_wanted)
        page.folder_opened.connect(self.folder_wanted)
        page.folder_choose_requested.connect(self.folder_choice_wanted)
        page.reopen_requested.connect(self.reopen_wanted)
        page.diagnostics_requested.connect(self.diagnostics.copy)

    def _show_download(self, download: Download | None) -> None:
        item = None
        if download is not None and download.phase is DownloadPhase.RUNNING:
            words = self.tr("Downloading “{name}” {percent} %")
            item = StatusItem(words.format(name=download.name, percent=download.percent))
        self._base.window.status.set_item("download", item)

    def _refresh_autostart(self) -> None:
        """The program may have been moved since starting with the computer was switched on."""
        self._base.tasks.run(Lane.READ, lambda job: self._autostart.refresh())

    def _say_error(self, error: DaybankError) -> None:
        self._rooms.say(f"{error.title} {error.message}".strip(), icon="state.warning")
