"""The pages beside search as the window knows them: joined all alike, each with a room that says
why there is nothing to show where no folder is open. GUI thread only.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QWidget

from daybank.errors import DaybankError
from daybank_desktop.services.library import Library
from daybank_desktop.widgets.empty_state import EmptyState
from daybank_desktop.widgets.page import Page
from daybank_desktop.widgets.sidebar import SidebarPage
from daybank_desktop.widgets.stack import Stack
from daybank_desktop.windows.main_window import SEARCH, MainWindow, Place

if TYPE_CHECKING:
    from daybank.markdown.model import Source

    OpenSource = Callable[[Source, str | None], None]


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


class PageRooms(QObject):
    """``open_source`` shows a place in the files."""

    def __init__(self, window: MainWindow, library: Library, open_source: OpenSource) -> None:
        super().__init__(window)
        self._window = window
        self._library = library
        self._open_source = open_source
        self._pages: dict[str, Page] = {}
        self._rooms: list[_Room] = []
        self._places: dict[str, Callable[[], object]] = {}
        self._silent: set[str] = set()
        self._on_action: Callable[[], object] | None = None
        window.place_changed.connect(self._on_place)
        window.leaving.connect(self._note_place)
        window.toast.acted.connect(self._act)
        window.toast.gone.connect(self._forget_action)
        library.opened.connect(lambda _: self._show_pages())
        library.open_failed.connect(self._on_open_failed)

    def add(
        self,
        row: SidebarPage,
        page: Page,
        place: Callable[[], object],
        *,
        needs_folder: bool = True,
        each_is_a_step: bool = True,
        under: str = "",
    ) -> None:
        """A page and its row. ``place`` tells what it shows as it is left. With ``each_is_a_step``
        every place in it is one that *Back* leads to. ``under`` names the page whose row stands
        for this one, which has none."""
        self._pages[row.id] = page
        self._places[row.id] = place
        if not each_is_a_step:
            self._silent.add(row.id)
        page.place_changed.connect(lambda state: self._remember(row.id, state))
        page.source_requested.connect(self.show_source)
        page.toast_requested.connect(self.say)
        page.page_requested.connect(self._window.go)
        widget: QWidget = page
        if needs_folder:
            room = _Room(page)
            room.no_folder.acted.connect(lambda: self._window.go(SEARCH))
            self._rooms.append(room)
            widget = room
        self._window.add_page(row, widget, under=under)

    def show_no_folder(self, title: str, text: str, action: str = "") -> None:
        """Why no page can show anything."""
        for room in self._rooms:
            room.no_folder.set_content("action.reveal", title, text, action)
            room.setCurrentWidget(room.no_folder)

    def show_source(self, cited: tuple[Source, str | None]) -> None:
        self._open_source(*cited)

    def say(
        self, text: str, action: str = "", run: object = None, *, icon: str = "state.ok"
    ) -> None:
        """A toast, and what its action does."""
        self._window.show_toast(text, action, icon)
        self._on_action = run if callable(run) else None

    def _show_pages(self) -> None:
        for room in self._rooms:
            room.show_page()

    def _on_open_failed(self, error: DaybankError) -> None:
        if self._library.workspace is None:
            self.show_no_folder(error.title, error.message, self.tr("See what can be done"))

    def _remember(self, page_id: str, state: object) -> None:
        if self._window.page_id != page_id:
            return
        if page_id in self._silent:
            self._window.note_state(state)
        else:
            self._window.go(page_id, state)

    def _note_place(self, page_id: str) -> None:
        """A page is left: coming back, the person finds it as it is now."""
        place = self._places[page_id]() if page_id in self._places else None
        if place is not None:
            self._window.note_state(place)

    def _on_place(self, place: Place, again: bool) -> None:
        page = self._pages.get(place.page)
        if page is not None:
            page.show_place(place.state, again)

    def _act(self) -> None:
        """The toast's action was pressed; it may be one of another part of the window."""
        run, self._on_action = self._on_action, None
        if run is not None:
            run()

    def _forget_action(self) -> None:
        self._on_action = None
