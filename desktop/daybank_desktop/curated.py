"""The pages beside search: people and things, opinions, suggestions. Builds them with their
services, puts them into the window, and leads from one to the other.

GUI thread only. What is heavy is done by the services, on the lanes of ``tasks``.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QWidget

from daybank.errors import DaybankError
from daybank_desktop.commands import Command
from daybank_desktop.dialogs.reflection_report import ReflectionReportDialog
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
from daybank_desktop.widgets.empty_state import EmptyState
from daybank_desktop.widgets.page import Page
from daybank_desktop.widgets.sidebar import SidebarPage
from daybank_desktop.widgets.stack import Stack
from daybank_desktop.windows.main_window import SEARCH, MainWindow, Place

if TYPE_CHECKING:
    from daybank.markdown.model import Source
    from daybank.reflect.record import ReflectionReport

PEOPLE, OPINIONS, REVIEW = "people", "opinions", "review"


class _Room(Stack):
    """A page, or why there is nothing it could show."""

    def __init__(self, page: QWidget) -> None:
        super().__init__()
        self._page = page
        self.no_folder = EmptyState()
        self.addWidget(page)
        self.addWidget(self.no_folder)
        self.setFocusProxy(page.focusProxy())

    def show_page(self) -> None:
        self.setCurrentWidget(self._page)


class CuratedPages(QObject):
    """The three pages. ``open_source`` shows a place in the files; ``write_down`` opens the box to
    write something down."""

    def __init__(
        self,
        window: MainWindow,
        tasks: Tasks,
        library: Library,
        settings: SettingsStore,
        today: date,
        *,
        open_source: Callable[[Source, str | None], None],
        write_down: Callable[[], None],
    ) -> None:
        super().__init__(window)
        self._window = window
        self._library = library
        self._today = today
        self._open_source = open_source
        self._on_action: Callable[[], object] | None = None
        self.people_service = People(tasks, library, settings)
        self.opinions_service = Opinions(tasks, library, today)
        self.review_service = Review(tasks, library)
        self.reflection = Reflection(tasks, library)
        self.people = PeoplePage(tasks, library, self.people_service, today)
        self.opinions = OpinionsPage(tasks, library, self.opinions_service, today)
        self.review = ReviewPage(tasks, library, self.review_service, self.reflection, today)
        self._pages: dict[str, Page] = {}
        self._rooms: list[_Room] = []
        pages: tuple[tuple[str, str, str, Page], ...] = (
            (PEOPLE, "page.people", self.tr("People & things"), self.people),
            (OPINIONS, "page.opinions", self.tr("Opinions"), self.opinions),
            (REVIEW, "page.review", self.tr("Review"), self.review),
        )
        for entry in pages:
            self._add(*entry)
        self.opinions.write_down_requested.connect(write_down)
        self.review.waiting_changed.connect(self._show_waiting)
        self.review.report_requested.connect(self.show_report)
        window.place_changed.connect(self._on_place)
        window.leaving.connect(self._note_place)
        window.toast.acted.connect(self._act)
        window.toast.gone.connect(self._forget_action)
        library.changed.connect(self.people.refresh)
        library.opened.connect(lambda _: self._show_pages())
        library.open_failed.connect(self._on_open_failed)
        self._show_no_folder(
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
        dialog.source_requested.connect(self._on_source)
        dialog.open()

    def _add(self, page_id: str, icon: str, label: str, page: Page) -> None:
        self._pages[page_id] = page
        room = _Room(page)
        room.no_folder.acted.connect(lambda: self._window.go(SEARCH))
        self._rooms.append(room)
        self._window.add_page(SidebarPage(page_id, icon, label), room)
        page.place_changed.connect(lambda state: self._remember(page_id, state))
        page.source_requested.connect(self._on_source)
        page.toast_requested.connect(self._on_toast)
        page.page_requested.connect(self._window.go)

    def _show_pages(self) -> None:
        for room in self._rooms:
            room.show_page()

    def _show_no_folder(self, title: str, text: str, action: str = "") -> None:
        for room in self._rooms:
            room.no_folder.set_content("action.reveal", title, text, action)
            room.setCurrentWidget(room.no_folder)

    def _on_open_failed(self, error: DaybankError) -> None:
        if self._library.workspace is None:
            self._show_no_folder(error.title, error.message, self.tr("See what can be done"))

    def _remember(self, page_id: str, state: object) -> None:
        if self._window.page_id != page_id:
            return
        if page_id == REVIEW:  # one walks through all of them: no step back for each
            self._window.note_state(state)
        else:
            self._window.go(page_id, state)

    def _note_place(self, page_id: str) -> None:
        """A page is left: coming back, the person finds it as it is now."""
        if page_id == PEOPLE:
            self._window.note_state(self.people.place)
        elif page_id == OPINIONS:
            self._window.note_state(self.opinions.place)
        elif page_id == REVIEW and self.review.suggestion:
            place = ReviewPlace(self.review.suggestion, self.review.shows_history)
            self._window.note_state(place)

    def _on_place(self, place: Place, again: bool) -> None:
        page = self._pages.get(place.page)
        if page is not None:
            page.show_place(place.state, again)

    def _on_source(self, cited: tuple[Source, str | None]) -> None:
        self._open_source(*cited)

    def _on_toast(self, text: str, action: str, run: Callable[[], object] | None) -> None:
        self._window.show_toast(text, action)
        self._on_action = run if callable(run) else None

    def _act(self) -> None:
        """The toast's action was pressed; it may be one of another part of the window."""
        run, self._on_action = self._on_action, None
        if run is not None:
            run()

    def _forget_action(self) -> None:
        self._on_action = None

    def _show_waiting(self, count: int) -> None:
        spoken = self.tr("%n suggestion(s) waiting", "", count)
        self._window.sidebar.set_badge(REVIEW, count, spoken)

    def _reflect_now(self) -> None:
        self._window.go(REVIEW)
        self.reflection.start()
