"""The shell: sidebar, toolbar with the one search field, the pages, the status bar.

It knows pages only as widgets with an id; what they show is theirs. GUI thread only.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Final

from PySide6.QtCore import QByteArray, QSettings, Qt, Signal
from PySide6.QtGui import QCloseEvent, QGuiApplication, QMouseEvent, QResizeEvent
from PySide6.QtWidgets import (
    QHBoxLayout,
    QMainWindow,
    QMenu,
    QVBoxLayout,
    QWidget,
)

from daybank_desktop.commands import Command, Commands
from daybank_desktop.dialogs.command_palette import CommandPalette
from daybank_desktop.dialogs.shortcuts import ShortcutsDialog
from daybank_desktop.theme import Theme
from daybank_desktop.widgets.buttons import Button, IconButton
from daybank_desktop.widgets.glyph import key_words
from daybank_desktop.widgets.search_field import SearchField
from daybank_desktop.widgets.sidebar import Sidebar, SidebarPage
from daybank_desktop.widgets.stack import Stack
from daybank_desktop.widgets.status_bar import StatusBar
from daybank_desktop.widgets.surface import Surface
from daybank_desktop.widgets.tab_order import can_have_focus, in_order, step
from daybank_desktop.widgets.toast import Toast

SEARCH: Final = "search"
_GEOMETRY: Final = "window/geometry"
_START_SIZE: Final = (1200, 680)
_HISTORY_MAX: Final = 100


@dataclass(frozen=True, slots=True)
class Place:
    """Somewhere the person has been: a page, and what the page needs to show the same again."""

    page: str
    state: object = None


class MainWindow(QMainWindow):
    """The window around the pages.

    `place_changed(place, again)` tells a page to show a place; `again` is true when the person
    came back to it. `leaving` names the page that is about to be left, so that what it shows can
    be remembered. `search_edited` follows typing, `search_submitted` is Enter.
    """

    place_changed = Signal(object, bool)
    leaving = Signal(str)
    search_edited = Signal(str)
    search_submitted = Signal(str)
    search_cleared = Signal()
    search_left_down = Signal()
    search_asked = Signal(str)  # look for this, from the commands
    write_down_requested = Signal()
    closing = Signal()
    hidden = Signal()  # closed by the person, and kept out of sight

    def __init__(
        self, theme: Theme, settings: QSettings | None = None, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._theme = theme
        self._settings = settings
        self._pages: dict[str, QWidget] = {}
        self._rows: list[SidebarPage] = []
        self._under: dict[str, str] = {}
        self._history: list[Place] = []
        self._at = -1
        self._quits = False
        self.stays: Callable[[], bool] = lambda: False
        """Whether closing the window only hides it; asked each time."""
        self.setWindowTitle("Daybank")
        self.setMinimumSize(theme.size("minWindowW"), theme.size("minWindowH"))

        self.sidebar = Sidebar()
        self.search = SearchField(self.tr("Search everything you wrote"))
        self.status = StatusBar()
        self.commands = Commands(self)
        self._stack = Stack()
        self._menu = QMenu(self)
        self._build_toolbar()
        self._build_layout()
        self.toast = Toast(self._content)
        self._add_commands()
        self._connect()
        self._restyle()
        self._restore_geometry()

    # Pages

    def add_page(self, page: SidebarPage, widget: QWidget, *, under: str = "") -> None:
        """A page and its row in the sidebar. The first one added is shown. With ``under`` it has no
        row of its own, and the one of that page stands for it."""
        self._pages[page.id] = widget
        self._stack.addWidget(widget)
        if under:
            self._under[page.id] = under
            self._add_open_command(page, ())
        else:
            self._rows.append(page)
            self._show_rows()
        if len(self._pages) == 1:
            self.go(page.id)

    def remove_page(self, page_id: str) -> None:
        """Take away a page that has nothing to show any more."""
        widget = self._pages.pop(page_id)
        self._stack.removeWidget(widget)
        self._rows = [row for row in self._rows if row.id != page_id]
        before = self._history[: self._at + 1]
        self._at = sum(place.page != page_id for place in before) - 1
        self._history = [place for place in self._history if place.page != page_id]
        self._show_rows()
        if self._at < 0 and self._rows:
            self.go(self._rows[0].id)
        elif self._history:
            self._show(self._history[self._at], again=True)

    @property
    def page_id(self) -> str:
        """The page that is open, "" before there is one."""
        return self._history[self._at].page if self._at >= 0 else ""

    @property
    def place(self) -> Place | None:
        return self._history[self._at] if self._at >= 0 else None

    def go(self, page_id: str, state: object = None) -> None:
        """Open a place and remember the way back."""
        if page_id != self.page_id:
            self._leave()
        place = Place(page_id, state)
        if self._at >= 0 and self._history[self._at] == place:
            return
        del self._history[self._at + 1 :]
        self._history.append(place)
        del self._history[: max(0, len(self._history) - _HISTORY_MAX)]
        self._at = len(self._history) - 1
        self._show(place, again=False)

    def note_state(self, state: object) -> None:
        """Remember what the open page shows now, without a new step in the history."""
        if self._at >= 0:
            self._history[self._at] = Place(self._history[self._at].page, state)

    def go_back(self) -> None:
        self._step(-1)

    def go_forward(self) -> None:
        self._step(1)

    def _step(self, by: int) -> None:
        if 0 <= self._at + by < len(self._history):
            if self._history[self._at + by].page != self.page_id:
                self._leave()
            self._at += by
            self._show(self._history[self._at], again=True)

    def _open_page(self, page_id: str) -> None:
        """From the sidebar or Ctrl+1…: the page as it was left."""
        if page_id == self.page_id:
            self.enter_page()
            return
        last = next((p for p in reversed(self._history[: self._at + 1]) if p.page == page_id), None)
        self.go(page_id, last.state if last is not None else None)

    def _leave(self) -> None:
        if self.page_id:
            self.leaving.emit(self.page_id)

    def _show(self, place: Place, *, again: bool) -> None:
        page = self._pages[place.page]
        is_other = page is not self._stack.currentWidget()
        types = place.page == SEARCH and self.search.edit.hasFocus()
        self._stack.setCurrentWidget(page)
        self.sidebar.set_current(self._under.get(place.page, place.page))
        self._refresh_history()
        self._fit_search()
        self.place_changed.emit(place, again)
        if is_other and not types:
            self.enter_page()

    def enter_page(self) -> None:
        """The keyboard goes where the open page wants it, or to the first thing there that can
        have it; where nothing is shown yet, into the search field."""
        page = self._stack.currentWidget()
        wanted = page.focusProxy() or page
        if not can_have_focus(wanted):
            inside = filter(can_have_focus, in_order(page))
            wanted = self.search.edit
            if self.page_id != SEARCH:
                wanted = next(inside, wanted)
        wanted.setFocus(Qt.FocusReason.OtherFocusReason)

    def _refresh_history(self) -> None:
        can_back, can_forward = self._at > 0, self._at < len(self._history) - 1
        self._back.setEnabled(can_back)
        self._forward.setEnabled(can_forward)
        self.commands.set_enabled("go.back", can_back)
        self.commands.set_enabled("go.forward", can_forward)

    def _show_rows(self) -> None:
        self.sidebar.set_pages(self._rows)
        with_rows = {f"page.{row.id}" for row in self._rows}
        for command in [c.id for c in self.commands if c.id.startswith("page.")]:
            if command in with_rows or command.removeprefix("page.") not in self._pages:
                self.commands.remove(command)
        top = [row for row in self._rows if not row.foot]
        foot = [row for row in self._rows if row.foot]
        for number, row in enumerate((*top, *foot), start=1):
            keys = row.shortcut or (f"Ctrl+{number}" if number <= 9 and not row.foot else "")
            self._add_open_command(row, (keys,) if keys else ())

    def _add_open_command(self, page: SidebarPage, keys: tuple[str, ...]) -> None:
        self.commands.add(
            Command(
                f"page.{page.id}",
                self.tr("Open {page}").format(page=page.label),
                partial(self._open_page, page.id),
                keys,
                page.icon,
                "pages" if page.foot or page.id in self._under else "",
            )
        )

    # Commands

    def focus_search(self) -> None:
        """Ctrl+F: into the one search field, wherever the person is."""
        self.search.activate()

    def show_palette(self) -> None:
        """Ctrl+K: every command, by a few letters of it."""
        palette = CommandPalette(self.commands, self.search_asked.emit, self)
        palette.finished.connect(palette.deleteLater)
        palette.show_over(self)

    def show_shortcuts(self) -> None:
        ShortcutsDialog(self.commands, self).exec()

    def _add_commands(self) -> None:
        tr = self.tr
        for command in (
            Command(
                "write-down",
                tr("Write it down…"),
                self.write_down_requested.emit,
                ("Ctrl+N",),
                "action.capture",
                "do",
            ),
            Command("search", tr("Search…"), self.focus_search, ("Ctrl+F",), "page.search", "do"),
            Command(
                "palette",
                tr("All commands…"),
                self.show_palette,
                ("Ctrl+K",),
                "action.menu",
                "help",
            ),
            Command("go.back", tr("Back"), self.go_back, ("Alt+Left",), "action.back"),
            Command("go.forward", tr("Forward"), self.go_forward, ("Alt+Right",), "action.forward"),
            Command(
                "shortcuts",
                tr("Keyboard shortcuts"),
                self.show_shortcuts,
                ("F1",),
                "action.help",
                "help",
            ),
            Command("quit", tr("Quit Daybank"), self.quit, ("Ctrl+Q",), "action.quit", "quit"),
        ):
            self.commands.add(command)
        self._refresh_history()

    # How it is put together

    def _build_toolbar(self) -> None:
        self._toolbar = Surface("bg.window", edges=["bottom"])
        self._back = IconButton("action.back", self.tr("Back"))
        self._back.set_name(self.tr("Back"), key_words("Alt+Left"))
        self._forward = IconButton("action.forward", self.tr("Forward"))
        self._forward.set_name(self.tr("Forward"), key_words("Alt+Right"))
        self._write = Button(self.tr("Write it down"), icon="action.capture")
        self._write.setToolTip(key_words("Ctrl+N"))
        self._menu_button = IconButton("action.menu", self.tr("Menu"))
        row = QHBoxLayout(self._toolbar)
        row.setContentsMargins(14, 0, 12, 1)
        row.setSpacing(8)
        row.addWidget(self._back)
        row.addWidget(self._forward)
        row.addSpacing(6)
        row.addWidget(self.search, 1000)
        row.addStretch(1)
        row.addSpacing(8)
        row.addWidget(self._write)
        row.addWidget(self._menu_button)

    def _build_layout(self) -> None:
        # The toast lies over the pages, so it is a neighbour of the stack and not in it.
        self._content = QWidget()
        pages = QVBoxLayout(self._content)
        pages.setContentsMargins(0, 0, 0, 0)
        pages.addWidget(self._stack)
        right = QVBoxLayout()
        right.setSpacing(0)
        right.addWidget(self._toolbar)
        right.addWidget(self._content, 1)
        right.addWidget(self.status)
        self._centre = Surface("bg.window")
        across = QHBoxLayout(self._centre)
        across.setContentsMargins(0, 0, 0, 0)
        across.setSpacing(0)
        across.addWidget(self.sidebar)
        across.addLayout(right, 1)
        self.setCentralWidget(self._centre)

    def _connect(self) -> None:
        self.sidebar.page_chosen.connect(self._open_page)
        self._back.clicked.connect(self.go_back)
        self._forward.clicked.connect(self.go_forward)
        self._write.clicked.connect(self.write_down_requested)
        self._menu_button.clicked.connect(self.open_menu)
        self.search.text_edited.connect(self.search_edited)
        self.search.submitted.connect(self.search_submitted)
        self.search.cleared.connect(self.search_cleared)
        self.search.left_down.connect(self.search_left_down)
        self.search.escaped.connect(self._leave_search)
        self._theme.changed.connect(self._restyle)

    def open_menu(self) -> None:
        """The menu under its button."""
        self.commands.fill(self._menu)
        width = self._menu.sizeHint().width()
        corner = self._menu_button.rect().bottomRight()
        place = self._menu_button.mapToGlobal(corner)
        place.setX(place.x() - width + 1)
        place.setY(place.y() + 4)
        self._menu.popup(place)

    def show_toast(self, text: str, action: str = "", icon: str = "state.ok") -> Toast:
        """A short word at the foot of the window."""
        self.toast.show_message(text, action, icon=icon)
        return self.toast

    def _leave_search(self) -> None:
        self.enter_page()

    def _fit_search(self) -> None:
        """Wide where it is in use, shorter elsewhere; its left end never moves."""
        width = 640 if self.page_id == SEARCH else 440
        self.search.setMaximumWidth(self._theme.px(width))

    def _restyle(self) -> None:
        self._toolbar.setFixedHeight(self._theme.px(self._theme.size("toolbar")))
        self._fit_search()
        self._fit_sidebar()

    def _fit_sidebar(self) -> None:
        self.sidebar.set_compact(self.width() < self._theme.size("sidebarCompactBelow"))

    # Geometry

    def _restore_geometry(self) -> None:
        saved = self._settings.value(_GEOMETRY) if self._settings is not None else None
        if isinstance(saved, QByteArray) and self.restoreGeometry(saved):
            return
        screen = QGuiApplication.primaryScreen()
        room = screen.availableSize() if screen is not None else None
        width, height = _START_SIZE
        if room is not None:
            width, height = min(width, room.width()), min(height, room.height())
        self.resize(width, height)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_sidebar()

    def focusNextPrevChild(self, forward: bool) -> bool:
        return step(self, forward) or super().focusNextPrevChild(forward)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.BackButton:
            self.go_back()
        elif event.button() == Qt.MouseButton.ForwardButton:
            self.go_forward()
        else:
            super().mouseReleaseEvent(event)

    def quit(self) -> None:
        """Close for good, whatever closing does otherwise."""
        self._quits = True
        self.close()

    def closeEvent(self, event: QCloseEvent) -> None:
        if self._settings is not None:
            self._settings.setValue(_GEOMETRY, self.saveGeometry())
        if not self._quits and self.stays():
            event.ignore()
            self.hide()
            self.hidden.emit()
            return
        self.closing.emit()
        super().closeEvent(event)
