"""The pages beside search: people and things, opinions, suggestions. Builds them with their
services, puts them into the window, and leads from one to the other.

GUI thread only. What is heavy is done by the services, on the lanes of ``tasks``.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from daybank_desktop.commands import Command
from daybank_desktop.dialogs.reflection_report import ReflectionReportDialog
from daybank_desktop.page_rooms import PageRooms
from daybank_desktop.pages.opinions_page import OpinionsPage
from daybank_desktop.pages.people_page import PeoplePage
from daybank_desktop.pages.review_page import ReviewPage, ReviewPlace
from daybank_desktop.services.library import Library
from daybank_desktop.services.opinions import Opinions
from daybank_desktop.services.people import People
from daybank_desktop.services.reflection import Reflection
from daybank_desktop.services.review import Review
from daybank_desktop.services.settings import SettingsStore
from daybank_desktop.tasks import Tasks
from daybank_desktop.widgets.sidebar import SidebarPage
from daybank_desktop.windows.main_window import MainWindow

if TYPE_CHECKING:
    from daybank.reflect.record import ReflectionReport

PEOPLE, OPINIONS, REVIEW = "people", "opinions", "review"


class CuratedPages(QObject):
    """The three pages. ``write_down`` opens the box to write something down."""

    def __init__(
        self,
        window: MainWindow,
        rooms: PageRooms,
        tasks: Tasks,
        library: Library,
        settings: SettingsStore,
        today: date,
        *,
        write_down: Callable[[], None],
    ) -> None:
        super().__init__(window)
        self._window = window
        self._rooms = rooms
        self._library = library
        self._today = today
        self.people_service = People(tasks, library, settings)
        self.opinions_service = Opinions(tasks, library, today)
        self.review_service = Review(tasks, library)
        self.reflection = Reflection(tasks, library)
        self.people = PeoplePage(tasks, library, self.people_service, today)
        self.opinions = OpinionsPage(tasks, library, self.opinions_service, today)
        self.review = ReviewPage(tasks, library, self.review_service, self.reflection, today)
        people = SidebarPage(PEOPLE, "page.people", self.tr("People & things"))
        opinions = SidebarPage(OPINIONS, "page.opinions", self.tr("Opinions"))
        review = SidebarPage(REVIEW, "page.review", self.tr("Review"))
        rooms.add(people, self.people, lambda: self.people.place)
        rooms.add(opinions, self.opinions, lambda: self.opinions.place)
        # One walks through all suggestions: no step back for each.
        rooms.add(review, self.review, self._review_place, each_is_a_step=False)
        self.opinions.write_down_requested.connect(write_down)
        self.review.waiting_changed.connect(self._show_waiting)
        self.review.report_requested.connect(self.show_report)
        library.changed.connect(self.people.refresh)
        rooms.show_no_folder(
            self.tr("No notes are open yet"),
            self.tr("As soon as a folder is open, this page shows what is in it."),
        )
        window.commands.add(
            Command(
                "reflect",
                self.tr("Reflect now"),
                self._reflect_now,
                ("Ctrl+R",),
                "state.reflection",
                "do",
            )
        )

    def show_report(self, report: ReflectionReport | None) -> None:
        """What a reflection suggested, what it skipped, and why."""
        dialog = ReflectionReportDialog(self.reflection.reports, self._today, report, self._window)
        dialog.finished.connect(dialog.deleteLater)
        dialog.suggestion_requested.connect(self.review.open)
        dialog.source_requested.connect(self._rooms.show_source)
        dialog.open()

    def _review_place(self) -> ReviewPlace | None:
        if not self.review.suggestion:
            return None
        return ReviewPlace(self.review.suggestion, self.review.shows_history)

    def _show_waiting(self, count: int) -> None:
        spoken = self.tr("%n suggestion(s) waiting", "", count)
        self._window.sidebar.set_badge(REVIEW, count, spoken)

    def _reflect_now(self) -> None:
        self._window.go(REVIEW)
        if self._library.workspace is None:
            self._rooms.say(self.tr("Open a folder of notes first."), icon="state.note")
        self.reflection.start()
