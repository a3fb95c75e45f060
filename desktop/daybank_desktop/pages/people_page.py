"""The page of people and things: everyone at the left, and what the notes say of one of them.

GUI thread. Nothing is merged here by itself: that two names may be one is only ever asked.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QRect, Qt, QTimer
from PySide6.QtGui import QActionGroup, QKeyEvent, QResizeEvent
from PySide6.QtWidgets import (
    QBoxLayout,
    QFrame,
    QHBoxLayout,
    QMenu,
    QScrollArea,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from daybank.errors import DaybankError
from daybank.markdown.model import Source
from daybank.recall.results import RecallResult
from daybank_desktop import people_phrases, phrases
from daybank_desktop.models.entity_facts_model import EntityFactsModel
from daybank_desktop.models.people_model import PeopleModel, PeopleOrder
from daybank_desktop.services.library import Library
from daybank_desktop.services.people import CitedLine as Line
from daybank_desktop.services.people import NameChange, People, Portrait
from daybank_desktop.services.similar_names import NameHint
from daybank_desktop.tasks import Tasks
from daybank_desktop.theme import Theme
from daybank_desktop.timeline.items import TimelineItem
from daybank_desktop.widgets.announce import announce
from daybank_desktop.widgets.avatar import Avatar
from daybank_desktop.widgets.buttons import Button, IconButton
from daybank_desktop.widgets.chip import Chip
from daybank_desktop.widgets.cited_line import CitedLine
from daybank_desktop.widgets.empty_state import EmptyState
from daybank_desktop.widgets.error_card import ErrorCard
from daybank_desktop.widgets.fact_list import FactList
from daybank_desktop.widgets.flow_layout import FlowLayout
from daybank_desktop.widgets.glyph import Glyph
from daybank_desktop.widgets.label import Label
from daybank_desktop.widgets.names_editor import NameQuestion, NamesEditor
from daybank_desktop.widgets.page import Page
from daybank_desktop.widgets.people_list import PeopleList
from daybank_desktop.widgets.skeleton import DELAY_MS, Skeleton
from daybank_desktop.widgets.stack import Stack
from daybank_desktop.widgets.surface import Card, Hairline, Surface
from daybank_desktop.widgets.tab_row import TabRow
from daybank_desktop.widgets.text_field import TextField
from daybank_desktop.widgets.text_layout import shown
from daybank_desktop.widgets.timeline_card import TimelineCard

if TYPE_CHECKING:
    from daybank import EntitySummary
    from daybank.reflect.opinion_list import Opinion

NOTES, OPINIONS, CONVERSATIONS = "notes", "opinions", "conversations"
_SIDE = 24
_SCROLL_BAR = 12
_OPEN_AFTER_MS = 120
"""While the arrow key is held down in the list, only the one it stops at is opened."""
_MOST_TOGETHER = 8
_BESIDE_FROM = 640
"""Less room than this, at text size 100 %, and what stands beside goes under."""


@dataclass(frozen=True, slots=True)
class PeoplePlace:
    """Where the person is on this page: whom they look at, and in which tab."""

    name: str = ""
    tab: str = NOTES


class PeoplePage(Page):
    """People and things: a list, and all about the one that is open."""

    def __init__(
        self,
        tasks: Tasks,
        library: Library,
        people: People,
        today: date,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._theme = Theme.of(self)
        self._library = library
        self._people = people
        self._today = today
        self._portrait: Portrait | None = None
        self._hint: NameHint | None = None
        self._pending: EntitySummary | None = None
        self._wanted = ""
        self._takes_turns = False
        self._reads = False
        self._has_list = False
        self._is_stale = True
        self._is_asked = False
        self._room = 0

        self.model = PeopleModel(today, self)
        self.list = PeopleList(self.model, today)
        self.filter = TextField(
            self.tr("Find a name"), placeholder=self.tr("Find a name"), icon="action.filter"
        )
        self._types = Button(people_phrases.types_word(None), "quiet", small=True, chevron=True)
        self._order = Button(self.tr("Latest"), "quiet", small=True, chevron=True)
        self._build_detail()
        self._lay_out()
        self._connect()
        self._fit()

    # Building

    def _build_detail(self) -> None:
        self.back = IconButton("action.back", self.tr("Back to the list"))
        self.avatar = Avatar()
        self._name = Label("", "titleLarge", elide=True)
        self._about = Label("", "body", "text.secondary", elide=True)
        self.names_button = Button(self.tr("Names…"), icon="action.edit")
        self.names_button.setCheckable(True)
        self.more = IconButton("action.more", self.tr("More"))
        self._menu = QMenu(self)
        self.names = NamesEditor()
        self.names.hide()
        self.question = NameQuestion()
        self.question.hide()
        self._now_title = Label("", "bodyStrong")
        self._now_until = Label("", "caption", "text.tertiary", tabular=True)
        self._now_glyph = Glyph("action.history", "text.tertiary", 14)
        self._lines: list[CitedLine] = []
        self._chips: list[Chip] = []
        self._together = FlowLayout(spacing=8, line_spacing=8)
        self.timeline = TimelineCard()
        self.tabs = TabRow(self.tr("What is known"))
        for id_, word in (
            (NOTES, self.tr("Notes")),
            (OPINIONS, self.tr("Opinions")),
            (CONVERSATIONS, self.tr("Conversations")),
        ):
            self.tabs.add(id_, word)
        self._sorting = Button(self.tr("Newest first"), "quiet", small=True, chevron=True)
        self.facts = EntityFactsModel(self)
        self.fact_list = FactList(self.facts, self._today)
        self._no_rows = Label("", "body", "text.secondary", wrap=True)

    def _lay_out(self) -> None:
        self._left = Surface("bg.window", edges=["right"])
        column = QVBoxLayout(self._left)
        column.setContentsMargins(0, 14, 1, 0)
        column.setSpacing(0)
        head = QVBoxLayout()
        head.setContentsMargins(16, 0, 16, 0)
        head.setSpacing(8)
        head.addWidget(Label(self.tr("People & things"), "title"))
        head.addWidget(self.filter)
        column.addLayout(head)
        choices = QHBoxLayout()
        choices.setContentsMargins(5, 2, 5, 2)
        choices.addWidget(self._types)
        choices.addStretch(1)
        choices.addWidget(self._order)
        column.addLayout(choices)
        self._nobody = EmptyState()
        self._list_error = ErrorCard()
        self._list_skeleton = Skeleton(5)
        self._list_stack = Stack()
        self._list_rooms: dict[str, QWidget] = {
            "list": self.list,
            "empty": self._nobody,
            "loading": _room(self._list_skeleton),
            "error": _room(self._list_error),
        }
        for room in self._list_rooms.values():
            self._list_stack.addWidget(room)
        column.addWidget(self._list_stack, 1)

        self.pane = QScrollArea()
        self.pane.setWidgetResizable(True)
        self.pane.setFrameShape(QFrame.Shape.NoFrame)
        self.pane.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.pane.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.pane.setWidget(self._detail())
        self._nothing = EmptyState()
        self._error = ErrorCard()
        self._skeleton = Skeleton(5)
        self._right = Stack()
        self._rooms: dict[str, QWidget] = {
            "page": self.pane,
            "empty": self._nothing,
            "loading": _room(self._skeleton, _SIDE),
            "error": _room(self._error, _SIDE),
        }
        for room in self._rooms.values():
            self._right.addWidget(room)
        across = QHBoxLayout(self)
        across.setContentsMargins(0, 0, 0, 0)
        across.setSpacing(0)
        across.addWidget(self._left)
        across.addWidget(self._right, 1)
        self.setFocusProxy(self.list)

    def _detail(self) -> QWidget:
        body = self._body = QWidget()
        column = QVBoxLayout(body)
        column.setContentsMargins(_SIDE, 12, _SIDE, 20)
        column.setSpacing(12)
        column.addLayout(self._head())
        column.addWidget(self.names)
        column.addWidget(self.question)
        self._pair = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        self._pair.setSpacing(16)
        self._pair.addWidget(self._now_card(), 1)
        self._pair.addWidget(self._together_card())
        column.addLayout(self._pair)
        column.addWidget(self.timeline)
        column.addSpacing(2)
        rows = QVBoxLayout()
        rows.setSpacing(0)
        self._tabs_row = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        self._tabs_row.setSpacing(0)
        self._tabs_row.addWidget(self.tabs, 1)
        self._tabs_row.addWidget(self._sorting)
        rows.addLayout(self._tabs_row)
        rows.addWidget(Hairline(color="border.default"))
        rows.addSpacing(6)
        rows.addWidget(self.fact_list)
        rows.addWidget(self._no_rows)
        column.addLayout(rows)
        column.addStretch(1)
        return body

    def _head(self) -> QHBoxLayout:
        words = QVBoxLayout()
        words.setSpacing(0)
        words.addWidget(self._name)
        words.addWidget(self._about)
        row = QHBoxLayout()
        row.setSpacing(8)
        row.addWidget(self.back)
        row.addWidget(self.avatar)
        row.addSpacing(8)
        row.addLayout(words, 1)
        row.addWidget(self.names_button)
        row.addWidget(self.more)
        return row

    def _now_card(self) -> Card:
        card = Card()
        column = QVBoxLayout(card)
        column.setContentsMargins(18, 13, 18, 12)
        column.setSpacing(0)
        head = QHBoxLayout()
        head.setSpacing(5)
        head.addWidget(self._now_title, 1)
        head.addWidget(self._now_glyph)
        head.addWidget(self._now_until)
        column.addLayout(head)
        column.addSpacing(5)
        self._lines_room = QVBoxLayout()
        self._lines_room.setSpacing(0)
        column.addLayout(self._lines_room)
        self._no_lines = Label("", "body", "text.secondary", wrap=True)
        column.addWidget(self._no_lines)
        column.addStretch(1)
        return card

    def _together_card(self) -> Card:
        card = Card()
        column = QVBoxLayout(card)
        column.setContentsMargins(18, 13, 18, 14)
        column.setSpacing(8)
        column.addWidget(Label(self.tr("Often together with"), "bodyStrong"))
        room = QWidget()
        room.setLayout(self._together)
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        room.setSizePolicy(policy)
        column.addWidget(room)
        column.addStretch(1)
        self._together_box = card
        return card

    def _connect(self) -> None:
        people = self._people
        people.listed.connect(self._on_listed)
        people.list_failed.connect(self._on_list_failed)
        people.matched.connect(self._on_matched)
        people.loading.connect(self._on_loading)
        people.loaded.connect(self._on_loaded)
        people.missing.connect(self._on_missing)
        people.failed.connect(self._on_failed)
        people.hinted.connect(self._on_hint)
        people.names_changed.connect(self._on_names_changed)
        people.names_failed.connect(self._on_names_failed)
        people.undone.connect(self._on_undone)
        people.undo_failed.connect(self._on_undo_failed)
        self._library.opened.connect(self._on_folder)
        self._library.sync_finished.connect(self._on_read)
        self._pause = QTimer(self, singleShot=True, interval=_OPEN_AFTER_MS)
        self._pause.timeout.connect(self._open_current)
        self._soon = QTimer(self, singleShot=True, interval=0)
        self._soon.timeout.connect(self._catch_up)
        self._late = QTimer(self, singleShot=True, interval=DELAY_MS)
        self._late.timeout.connect(self._show_late)
        self.filter.text_changed.connect(self._on_filter)
        self.filter.submitted.connect(lambda text: self._enter_list())
        self.filter.edit.installEventFilter(self)
        self.list.person_chosen.connect(self._on_moved)
        self.list.entered.connect(self._on_entered)
        self.list.left_upwards.connect(self.focus_filter)
        self._types.clicked.connect(self._open_types)
        self._order.clicked.connect(self._open_orders)
        self._sorting.clicked.connect(self._open_sorting)
        self._list_error.primary_clicked.connect(self._people.load_list)
        self._nobody.acted.connect(self._clear_filter)
        self._error.primary_clicked.connect(lambda: self.show_person(self._wanted))
        self.back.clicked.connect(self.back_to_list)
        self.names_button.toggled.connect(self._show_names)
        self.names.closed.connect(self._close_names)
        self.names.added.connect(self._add_name)
        self.names.removed.connect(self._remove_name)
        self.question.agreed.connect(self._agree)
        self.question.denied.connect(self._deny)
        self.more.clicked.connect(self._open_more)
        self.timeline.opened.connect(self._open_item)
        self.tabs.chosen.connect(self._on_tab)
        self.fact_list.opened.connect(self._open_row)
        self.fact_list.current_moved.connect(self._scroll_to_row)
        self.fact_list.left_upwards.connect(self._focus_tabs)
        self.pane.verticalScrollBar().valueChanged.connect(self._fetch_at_end)
        self._theme.changed.connect(self._fit)

    # For the window

    @property
    def portrait(self) -> Portrait | None:
        """Who is shown now."""
        return self._portrait

    @property
    def place(self) -> PeoplePlace:
        return PeoplePlace(self._wanted, self.tabs.current)

    def show_place(self, state: object, again: bool) -> None:
        """Show somebody, given as a PeoplePlace or by name. ``again``: the person came back; to no
        one, that is to the list as it first was."""
        if isinstance(state, str):
            state = PeoplePlace(state)
        if not isinstance(state, PeoplePlace) or not state.name:
            if again:
                self._show_start()
            return
        self._show_tab(state.tab if state.tab in (NOTES, OPINIONS, CONVERSATIONS) else NOTES)
        if state.name != self._wanted or self._portrait is None:
            self._open(state.name)
        self._set_reads(True)

    def _show_start(self) -> None:
        self._set_reads(False)
        if self.model.rows and not self._takes_turns:
            self._open(self.model.rows[0].name)

    def show_person(self, name: str) -> None:
        """Show somebody, by a name or an alias."""
        if not name:
            return
        self._open(name)
        self._set_reads(True)
        self.place_changed.emit(self.place)

    def refresh(self) -> None:
        """The notes have changed: show what they say now, where one stands stays. Out of sight it
        waits until it is shown."""
        self._is_stale = not self.isVisible()
        if self._is_stale:
            return
        if not self._has_list and not self._list_skeleton.is_shown:
            self._list_skeleton.start()
            self._list_stack.setCurrentWidget(self._list_rooms["loading"])
        self._people.load_list()
        self._people.reload()

    def _catch_up(self) -> None:
        """The page came into sight with what it showed last, and has been painted: now ask for what
        has changed. An answer that comes during the paint would be shown in the same turn."""
        if self._is_stale and self.isVisible():
            self._is_stale = False
            self._people.load_list()
            if not self._is_asked:  # else somebody has been asked for since it came into sight
                self._people.reload()

    def focus_filter(self) -> None:
        self.filter.edit.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def back_to_list(self) -> None:
        self._set_reads(False)
        self.list.setFocus(Qt.FocusReason.OtherFocusReason)

    @property
    def list_state(self) -> str:
        """“list”, “empty”, “loading” or “error”."""
        return _key(self._list_rooms, self._list_stack.currentWidget())

    @property
    def state(self) -> str:
        """What is at the right: “page”, “empty”, “loading” or “error”."""
        return _key(self._rooms, self._right.currentWidget())

    def lines(self) -> list[CitedLine]:
        """The sentences under *Now*."""
        return [line for line in self._lines if not line.isHidden()]

    def together(self) -> list[Chip]:
        return [chip for chip in self._chips if not chip.isHidden()]

    # The list

    def _on_folder(self) -> None:
        self._portrait, self._hint, self._wanted = None, None, ""
        self._pause.stop()
        self._pending = None
        self._has_list = False
        self.model.set_people(())
        self.filter.set_text("")
        self._close_names()
        self.question.hide()
        self._is_stale = True
        self._show_nobody()
        if self.isVisible():
            self.refresh()

    def _on_read(self) -> None:
        """How far the reading is changes what an empty page should say."""
        if self._has_list and not self.model.total:
            self._show_nobody()

    def _on_listed(self, everyone: tuple[EntitySummary, ...]) -> None:
        is_first = not self._has_list
        self._has_list = True
        self._list_skeleton.stop()
        self.model.set_people(everyone)
        self._show_list()
        if is_first and self.filter.edit.hasFocus() and not self.filter.text():
            self.list.setFocus(Qt.FocusReason.OtherFocusReason)  # it was not there to go to
        if not everyone:
            self._show_nobody()
        elif self._portrait is None and not self._wanted and not self._takes_turns:
            self._open(self.model.rows[0].name if self.model.rows else everyone[0].name)
        self._mark_row()
        if self._portrait is not None:
            self._show_together(self._portrait)

    def _on_list_failed(self, error: DaybankError) -> None:
        self._list_skeleton.stop()
        self._list_error.set_content(error.title, error.message, primary=self.tr("Try again"))
        self._list_stack.setCurrentWidget(self._list_rooms["error"])

    def _show_list(self) -> None:
        if self.model.rows:
            self._list_stack.setCurrentWidget(self.list)
            return
        if self.model.is_narrowed:
            title = self.tr("Nobody by that name")
            self._nobody.set_content(
                "state.nothingFound", title, "", self.tr("Show everyone and everything")
            )
        else:
            self._nobody.set_content("page.people", self.tr("Nobody yet"))
        self._list_stack.setCurrentWidget(self._nobody)

    def _show_nobody(self) -> None:
        text = self.tr("Write @Name in a note, and whom or what you write about appears here.")
        if self._library.is_syncing:
            text = self.tr("Your notes are still being read. What is found so far appears here.")
        self._nothing.set_content("page.people", self.tr("Nobody and nothing yet"), text)
        self._right.setCurrentWidget(self._rooms["empty"])

    def _on_filter(self, text: str) -> None:
        self.model.set_text(text)
        if text.strip():
            self._people.match(text)
        self._show_list()
        self._mark_row()

    def _on_matched(self, text: str, keys: frozenset[str]) -> None:
        if text == self.filter.text():
            self.model.set_also(keys)
            self._show_list()
            self._mark_row()

    def _clear_filter(self) -> None:
        self._choose_type(None)
        self.filter.set_text("")
        self.focus_filter()

    def _enter_list(self) -> None:
        """Enter or ↓ in the field: the first one of the list."""
        if self.model.rows:
            if self.list.currentIndex().row() < 0:
                self.list.choose_row(0)
            self.list.setFocus(Qt.FocusReason.OtherFocusReason)

    def _mark_row(self) -> None:
        """Whoever is shown is marked in the list, unless somebody else is on the way."""
        if self._pending is not None:
            return
        key = self._portrait.entity.key if self._portrait is not None else ""
        self.list.show_current(self.model.row_of(key))

    def _on_moved(self, person: EntitySummary) -> None:
        if self._takes_turns:
            return  # the list is all there is to see; Enter opens
        self._pending = person
        self._pause.start()

    def _open_current(self) -> None:
        person, self._pending = self._pending, None
        if person is not None and not self._is_shown(person):
            self._open(person.name)
            self.place_changed.emit(self.place)

    def _is_shown(self, person: EntitySummary) -> bool:
        return (
            self._portrait is not None
            and self._portrait.entity.key == person.key
            and self._people.name == self._wanted
        )

    def _on_entered(self, person: EntitySummary) -> None:
        self._pause.stop()
        self._pending = None
        if not self._is_shown(person):
            self._open(person.name)
            self.place_changed.emit(self.place)
        self._set_reads(True)

    def _open_types(self) -> None:
        menu = QMenu(self)
        for type_ in (None, *self.model.types()):
            action = menu.addAction(_plain(people_phrases.types_word(type_)))
            action.triggered.connect(lambda _=False, type_=type_: self._choose_type(type_))
        _popup(menu, self._types)

    def _choose_type(self, type_: str | None) -> None:
        self._types.setText(_plain(people_phrases.types_word(type_)))
        self.model.set_type(type_)
        self._show_list()
        self._mark_row()

    def _open_orders(self) -> None:
        menu = QMenu(self)
        for order, words in (
            (PeopleOrder.LATEST, self.tr("Latest")),
            (PeopleOrder.MOST, self.tr("Most notes")),
            (PeopleOrder.NAME, self.tr("By name")),
        ):
            action = menu.addAction(words)
            action.triggered.connect(lambda _=False, o=order, w=words: self.choose_order(o, w))
        _popup(menu, self._order)

    def choose_order(self, order: PeopleOrder, words: str) -> None:
        """Another order of the list, and what its button then says."""
        self._order.setText(words)
        self.model.set_order(order)
        self._mark_row()

    # Who is shown

    def _open(self, name: str) -> None:
        self._pause.stop()
        self._pending = None
        self._wanted = name
        self._is_asked = True
        self._people.open(name)

    def _on_loading(self, name: str) -> None:
        self._skeleton.start()
        self._late.start()

    def _show_late(self) -> None:
        """It takes long: what is shown is not whom they chose, so it goes."""
        self._portrait = None
        self._right.setCurrentWidget(self._rooms["loading"])

    def _settle(self) -> None:
        self._late.stop()
        self._skeleton.stop()

    def _on_loaded(self, portrait: Portrait) -> None:
        self._settle()
        before = self._portrait
        again = before is not None and before.entity.key == portrait.entity.key
        self._portrait = portrait
        self._wanted = portrait.entity.name
        self._show_head(portrait)
        self._show_lines(portrait)
        self._show_together(portrait)
        self.timeline.set_items(portrait.items, self._today, keep=again)
        self._show_counts(portrait)
        self._show_rows(keep=again)
        self._right.setCurrentWidget(self._rooms["page"])
        self._mark_row()
        if not again:
            self._on_hint(portrait.entity.key, None)
            self._close_names()
            self.pane.verticalScrollBar().setValue(0)
            announce(self, f"{self._name.text()}. {self._about.text()}")
        if portrait.is_whole:
            self._people.look_for_hint(portrait)

    def _on_missing(self, name: str) -> None:
        self._settle()
        self._portrait = None
        title = self.tr("Nothing is written about “{name}”").format(name=shown(name))
        text = self.tr("The notes that named them may have changed.")
        self._nothing.set_content("state.nothingFound", title, text)
        self._right.setCurrentWidget(self._rooms["empty"])
        self._mark_row()

    def _on_failed(self, name: str, error: DaybankError) -> None:
        self._settle()
        self._portrait = None
        self._error.set_content(error.title, error.message, primary=self.tr("Try again"))
        self._right.setCurrentWidget(self._rooms["error"])

    def _show_head(self, portrait: Portrait) -> None:
        entity = portrait.entity
        self.avatar.set_person(entity.name, entity.type)
        self._name.setText(shown(entity.name))
        about = people_phrases.headline(entity, _count_of(portrait), self._today)
        self._about.setText(shown(about))
        self.names.set_names(entity.name, entity.aliases)

    def _show_lines(self, portrait: Portrait) -> None:
        title = self.tr("Now") if portrait.from_page else self.tr("Lately")
        self._now_title.setText(title)
        for number, line in enumerate(portrait.lines):
            words, cited = line.text, _cited(line, self._today)
            if number < len(self._lines):
                self._lines[number].set_words(words, cited)
            else:
                self._lines.append(self._one_more_line(number, words, cited))
        for number, widget in enumerate(self._lines):
            widget.setVisible(number < len(portrait.lines))
        self._no_lines.setText(self.tr("Nothing with a day is written about them yet."))
        self._no_lines.setVisible(not portrait.lines)
        days = [line.day for line in portrait.lines if line.day is not None]
        has_day = bool(days) and portrait.from_page
        self._now_glyph.setVisible(has_day)
        self._now_until.setVisible(has_day)
        if has_day:
            until = self.tr("As of {day}").format(day=_short(max(days), self._today))
            self._now_until.setText(until)

    def _one_more_line(self, number: int, words: str, cited: str) -> CitedLine:
        """A line that stays, for whoever is shown."""
        widget = CitedLine(words, cited)
        widget.opened.connect(lambda: self._open_line(number))
        self._lines_room.addWidget(widget)
        return widget

    def _show_together(self, portrait: Portrait) -> None:
        some = portrait.entity.together[:_MOST_TOGETHER]
        for number, (name, times) in enumerate(some):
            if number == len(self._chips):
                self._chips.append(self._one_more_chip())
            chip = self._chips[number]
            chip.setProperty("person", name)
            chip.set_content(shown(name), icon=self._icon_of(name), count=phrases.count(times))
        for number, chip in enumerate(self._chips):
            chip.setVisible(number < len(some))
        self._together_box.setVisible(bool(some))

    def _one_more_chip(self) -> Chip:
        """A chip that stays, for whoever is shown."""
        chip = Chip("")
        chip.setCheckable(False)
        chip.clicked.connect(lambda: self.show_person(chip.property("person")))
        self._together.addWidget(chip)
        return chip

    def _icon_of(self, name: str) -> str:
        person = self.model.person(name)
        return people_phrases.chip_icon(person.type if person is not None else None)

    # Tabs

    def _show_counts(self, portrait: Portrait) -> None:
        notes = phrases.count(len(portrait.notes)) if portrait.is_whole else ""
        self.tabs.set_count(NOTES, notes)
        self.tabs.set_count(OPINIONS, phrases.count(len(portrait.opinions)))
        self.tabs.set_count(CONVERSATIONS, phrases.count(len(portrait.messages)))

    def _show_rows(self, *, keep: bool) -> None:
        portrait = self._portrait
        if portrait is None:
            return
        rows: Sequence[RecallResult | Opinion]
        tab = self.tabs.current
        if tab == NOTES:
            rows, nothing = portrait.notes, self.tr("No notes yet.")
        elif tab == OPINIONS:
            rows, nothing = portrait.opinions, self.tr("No opinions about them yet.")
        else:
            rows, nothing = portrait.messages, self.tr("No message names them yet.")
        self.facts.set_rows(rows, keep=keep)
        words = {
            NOTES: self.tr("Notes"),
            OPINIONS: self.tr("Opinions"),
            CONVERSATIONS: self.tr("Conversations"),
        }
        self.fact_list.setAccessibleName(words[tab])
        self.fact_list.setVisible(bool(rows))
        self._no_rows.setText(nothing)
        self._no_rows.setVisible(not rows)
        self._sorting.setVisible(len(rows) > 1 and tab != OPINIONS)
        self._fit_tabs()

    def _on_tab(self, tab: str) -> None:
        self._show_rows(keep=False)
        self.place_changed.emit(self.place)

    def _show_tab(self, tab: str) -> None:
        if tab != self.tabs.current:
            self.tabs.set_current(tab)
            self._show_rows(keep=False)

    def _open_sorting(self) -> None:
        menu = QMenu(self)
        group = QActionGroup(menu)
        for oldest, words in (
            (False, self.tr("Newest first")),
            (True, self.tr("Oldest first")),
        ):
            action = menu.addAction(words)
            action.setCheckable(True)
            action.setChecked(oldest == self.facts.oldest_first)
            group.addAction(action)
            action.triggered.connect(lambda _=False, o=oldest, w=words: self._sort(o, w))
        _popup(menu, self._sorting)

    def _sort(self, oldest_first: bool, words: str) -> None:
        self._sorting.setText(words)
        self.facts.set_oldest_first(oldest_first)

    def _focus_tabs(self) -> None:
        self.tabs.tab(self.tabs.current).setFocus(Qt.FocusReason.ShortcutFocusReason)

    def _scroll_to_row(self, row: QRect) -> None:
        top = self.fact_list.mapTo(self._body, row.topLeft())
        middle = top.y() + row.height() // 2
        self.pane.ensureVisible(0, middle, 0, row.height())

    def _fetch_at_end(self, value: int) -> None:
        bar = self.pane.verticalScrollBar()
        if value >= bar.maximum() - self.pane.viewport().height() // 2:
            self.fact_list.fetch_more()

    # Going elsewhere

    def _request(self, source: Source, id_: str | None) -> None:
        self.source_requested.emit((source, id_))

    def _open_line(self, number: int) -> None:
        if self._portrait is not None and number < len(self._portrait.lines):
            line = self._portrait.lines[number]
            self._request(line.source, line.id)

    def _open_row(self, row: object) -> None:
        if isinstance(row, RecallResult):
            self._request(row.source, row.id)
        else:
            self.page_requested.emit("opinions", row.id)  # type: ignore[attr-defined]

    def _open_item(self, item: TimelineItem) -> None:
        portrait = self._portrait
        if portrait is None:
            return
        note = next((note for note in portrait.notes if note.id == item.id), None)
        if note is not None:
            self._request(note.source, note.id)

    def _open_more(self) -> None:
        portrait = self._portrait
        if portrait is None:
            return
        menu = QMenu(self)
        entity = portrait.entity
        search = menu.addAction(self.tr("Search for the name"))
        search.triggered.connect(lambda: self.page_requested.emit("search", entity.name))
        if entity.page is not None:
            opening = menu.addAction(self.tr("Open the page"))
            opening.triggered.connect(self._open_own_page)
        _popup(menu, self.more)

    def _open_own_page(self) -> None:
        if self._portrait is not None and self._portrait.entity.page is not None:
            self._request(Source(self._portrait.entity.page, 1, 1), None)

    # Names

    def _show_names(self, shown_now: bool) -> None:
        self.names.setVisible(shown_now)
        if shown_now:
            self.names.begin()

    def _close_names(self) -> None:
        had_focus = self.names.isAncestorOf(self.window().focusWidget())
        self.names_button.setChecked(False)
        if had_focus:
            self.names_button.setFocus(Qt.FocusReason.OtherFocusReason)

    def _add_name(self, alias: str) -> None:
        if self._portrait is not None:
            self._people.add_alias(self._portrait.entity.name, alias)

    def _remove_name(self, alias: str) -> None:
        if self._portrait is not None:
            self._people.remove_alias(self._portrait.entity.name, alias)

    def _on_names_changed(self, change: NameChange) -> None:
        self.names.settle()
        words = self.tr("“{alias}” means {name} now")
        if not change.added:
            words = self.tr("“{alias}” does not mean {name} any more")
        text = words.format(alias=shown(change.alias), name=shown(change.name))
        self.toast_requested.emit(text, self.tr("Undo"), lambda: self._people.undo(change))
        self._after_names(change.name)

    def _after_names(self, name: str) -> None:
        self._people.load_list()
        if self._portrait is not None:
            self._open(name)

    def _on_names_failed(self, error: DaybankError) -> None:
        words = f"{error.title} {error.message}".strip()
        if self.names.isHidden():
            self.toast_requested.emit(words, "", None)
        self.names.show_error(words)

    def _on_undone(self, change: NameChange) -> None:
        self.toast_requested.emit(self.tr("Taken back"), "", None)
        self._after_names(change.name)

    def _on_undo_failed(self, error: DaybankError) -> None:
        self.toast_requested.emit(f"{error.title} {error.message}".strip(), "", None)

    def _on_hint(self, key: str, hint: NameHint | None) -> None:
        if self._portrait is None or self._portrait.entity.key != key:
            return
        self._hint = hint
        self.question.setVisible(hint is not None)
        if hint is None:
            return
        if hint.key == key:
            words = self.tr("“{other}” is also written. The same as {name}?")
        else:
            words = self.tr("“{name}” is written more often. Is {other} the same?")
        self.question.ask(words.format(other=shown(hint.other), name=shown(hint.name)))

    def _agree(self) -> None:
        if self._hint is not None:
            self._people.add_alias(self._hint.name, self._hint.other)
            self.question.hide()

    def _deny(self) -> None:
        if self._hint is not None:
            self._people.refuse_hint(self._hint)
            self.question.hide()
            if self._portrait is not None:
                self._people.look_for_hint(self._portrait)

    # One column or two

    def _fit(self) -> None:
        theme = self._theme
        narrow = self.window().width() < theme.size("oneColumnBelow") or theme.text_size >= 150
        self._takes_turns = narrow
        self.back.setVisible(narrow)
        wide = theme.px(theme.size("list"))
        self._left.setMaximumWidth(16_777_215 if narrow else wide)
        self._left.setMinimumWidth(0 if narrow else wide)
        self._room = self.width() - (0 if narrow else wide) - 2 * _SIDE - _SCROLL_BAR
        beside = self._room >= theme.px(_BESIDE_FROM)
        direction = QBoxLayout.Direction
        self._pair.setDirection(direction.LeftToRight if beside else direction.TopToBottom)
        side = theme.px(theme.size("evidence"))
        self._together_box.setMaximumWidth(side if beside else 16_777_215)
        self._together_box.setMinimumWidth(side if beside else 0)
        self._fit_tabs()
        self._show_sides()

    def _fit_tabs(self) -> None:
        """The order of the list stands beside the tabs, or under them where they need the room."""
        needed = self.tabs.sizeHint().width() + self._sorting.sizeHint().width()
        direction = QBoxLayout.Direction
        fits = needed <= self._room
        self._tabs_row.setDirection(direction.LeftToRight if fits else direction.TopToBottom)

    def _set_reads(self, reads: bool) -> None:
        self._reads = reads
        self._show_sides()

    def _show_sides(self) -> None:
        self._left.setVisible(not (self._takes_turns and self._reads))
        self._right.setVisible(self._reads or not self._takes_turns)

    # Qt overrides

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ParentChange:
            self._fit()
        elif event.type() == QEvent.Type.Show and self._is_stale:
            self._is_asked = False
            if self._has_list:
                self._soon.start()
            else:
                self.refresh()
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape and self._takes_turns and self._reads:
            self.back_to_list()
        else:
            super().keyPressEvent(event)

    def eventFilter(self, watched: object, event: QEvent) -> bool:
        if (
            watched is self.filter.edit
            and isinstance(event, QKeyEvent)
            and event.type() == QEvent.Type.KeyPress
        ):
            if event.key() == Qt.Key.Key_Down:
                self._enter_list()
                return True
            if event.key() == Qt.Key.Key_Escape and self.filter.text():
                self.filter.set_text("")
                return True
        return super().eventFilter(watched, event)  # type: ignore[arg-type]


def _count_of(portrait: Portrait) -> int:
    """How many notes there are; while not all are there, how often the name is mentioned."""
    return len(portrait.notes) if portrait.is_whole else portrait.entity.mentions


def _short(day: date, today: date) -> str:
    """“19 Nov”, with its year where that is another one."""
    if day.year == today.year:
        return f"{day.day} {phrases.month_short(day)}"
    return phrases.day_short(day)


def _cited(line: Line, today: date) -> str:
    """“20 Nov · 81 % sure”."""
    parts = []
    if line.day is not None:
        parts.append(_short(line.day, today))
    if line.confidence is not None:
        parts.append(phrases.sure(line.confidence))
    return " · ".join(parts)


def _plain(words: str) -> str:
    """A person's own word in a menu: its “&” is no shortcut."""
    return shown(words).replace("&", "&&")


def _popup(menu: QMenu, button: QWidget) -> None:
    menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    menu.popup(button.mapToGlobal(button.rect().bottomLeft()))


def _key(rooms: dict[str, QWidget], widget: QWidget | None) -> str:
    return next(key for key, room in rooms.items() if room is widget)


def _room(widget: QWidget, side: int = 14) -> QWidget:
    """``widget`` at the top of a margin."""
    room = QWidget()
    box = QVBoxLayout(room)
    box.setContentsMargins(side, 12, side, 0)
    box.addWidget(widget)
    box.addStretch(1)
    return room
