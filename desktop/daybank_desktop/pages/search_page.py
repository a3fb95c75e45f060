"""The search page: what was understood, the notes found, and the page that the current one is on.

GUI thread. The text itself is typed in the window's one search field; this page shows the answer.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QActionGroup, QResizeEvent
from PySide6.QtWidgets import (
    QHBoxLayout,
    QMenu,
    QSizePolicy,
    QSplitter,
    QVBoxLayout,
    QWidget,
)

from daybank.errors import DaybankError
from daybank.markdown.model import Kind, Source
from daybank.recall.results import RecallResult
from daybank_desktop import phrases
from daybank_desktop.models.results_model import ResultsModel
from daybank_desktop.services.desktop_actions import DesktopActions
from daybank_desktop.services.library import Library
from daybank_desktop.services.pages import OpenedPage, Pages
from daybank_desktop.services.search import Answer, Order, Question, Search, without_phrase
from daybank_desktop.steps import Steps
from daybank_desktop.tasks import Lane, Tasks
from daybank_desktop.theme import Theme
from daybank_desktop.widgets.announce import announce
from daybank_desktop.widgets.buttons import Button
from daybank_desktop.widgets.chip import Chip
from daybank_desktop.widgets.empty_state import EmptyState
from daybank_desktop.widgets.error_card import ErrorCard
from daybank_desktop.widgets.flow_layout import FlowLayout
from daybank_desktop.widgets.label import Label
from daybank_desktop.widgets.notice_bar import NoticeBar
from daybank_desktop.widgets.reader import Reader
from daybank_desktop.widgets.result_list import ResultList
from daybank_desktop.widgets.skeleton import DELAY_MS, Skeleton
from daybank_desktop.widgets.stack import Stack
from daybank_desktop.widgets.surface import Hairline, Surface

NEWEST_DAYS = 30
if TYPE_CHECKING:
    from daybank import DayEntry

_SIDE = 20
_LONGEST_QUOTE = 60
_PAGE_LATE_MS = 300
"""After so long the old page goes: its buttons must not act for the note that is chosen now."""
_QUIET_NOTICES = {"blank", "only-excluded", "meaning-partly"}
"""What the list or the line at the foot says already."""


class SearchPage(QWidget):
    """``field_wanted``: the keyboard should go back to the search field."""

    field_wanted = Signal()
    search_asked = Signal(str)  # look for this instead
    person_asked = Signal(str)  # a name in a page was pressed
    said = Signal(str)  # a short word for the toast
    primary_asked = Signal()  # the actions of the problem that is shown
    second_asked = Signal()

    def __init__(
        self,
        tasks: Tasks,
        library: Library,
        search: Search,
        pages: Pages,
        actions: DesktopActions,
        today: date,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._today = today
        self._theme = Theme.of(self)
        self._tasks = tasks
        self._library = library
        self._search = search
        self._pages = pages
        self._actions = actions
        self._takes_turns = False
        self._reads = False  # where the two take turns: the reader is in front
        self._is_blank = True
        self._waiting: Answer | None = None
        self._opened: OpenedPage | None = None
        self._asked_for: RecallResult | str | None = None
        self._shown_question: Question | None = None
        self._empty_action = ""
        self._showing = Steps(self)

        self._model = ResultsModel(self)
        self.list = ResultList(self._model, today)
        self.reader = Reader()
        self._chips = ChipsBar()
        self._found = Label("", "small", "text.secondary")
        self._notice = NoticeBar()
        self._preparing = NoticeBar(closable=True)
        self._is_preparing = False
        self._told_preparing = False  # once a start
        self._empty = EmptyState()
        self._skeleton = Skeleton(4)
        self._error = ErrorCard()
        self._slow = QTimer(self, singleShot=True, interval=DELAY_MS)
        self._slow.timeout.connect(lambda: self._left.setCurrentWidget(self._skeleton_room))
        self._lay_out()
        self._connect()

    # Building

    def _lay_out(self) -> None:
        self._left = Stack()
        self._left.addWidget(self.list)
        self._left.currentChanged.connect(self._show_sides)
        self._empty_room = _room(self._empty, stretch=True)
        self._skeleton_room = _room(self._skeleton)
        self._error_room = _room(self._error)
        for room in (self._empty_room, self._skeleton_room, self._error_room):
            self._left.addWidget(room)
        self._notice.hide()
        self._preparing.hide()
        self._column = QWidget()
        column = QVBoxLayout(self._column)
        column.setContentsMargins(_SIDE, 10, 0, 0)
        column.setSpacing(0)
        head = QHBoxLayout()
        head.setContentsMargins(0, 0, 14, 8)
        head.addWidget(self._found, 1)
        column.addLayout(head)
        notices = QVBoxLayout()
        notices.setContentsMargins(0, 0, 14, 8)
        notices.setSpacing(8)
        notices.addWidget(self._preparing)
        notices.addWidget(self._notice)
        column.addLayout(notices)
        column.addWidget(self._left, 1)
        self._splitter = QSplitter(Qt.Orientation.Horizontal)
        self._splitter.setHandleWidth(1)
        self._splitter.setChildrenCollapsible(False)
        self._splitter.addWidget(self._column)
        self._splitter.addWidget(self.reader)
        self._splitter.setStretchFactor(0, 0)
        self._splitter.setStretchFactor(1, 1)
        self._column.setMinimumWidth(300)
        self.reader.setMinimumWidth(300)
        self._split_for = 0
        usual = QWidget()
        box = QVBoxLayout(usual)
        box.setContentsMargins(0, 0, 0, 0)
        box.setSpacing(0)
        box.addWidget(self._chips)
        box.addWidget(self._splitter, 1)
        self._no_folder = EmptyState()
        self._problem = ErrorCard()
        problem_room = QWidget()
        rows = QVBoxLayout(problem_room)
        rows.setContentsMargins(_SIDE, 20, _SIDE, 20)
        rows.addWidget(self._problem)
        rows.addStretch(1)
        self._whole = Stack()
        for part in (usual, self._no_folder, problem_room):
            self._whole.addWidget(part)
        self._trouble = ErrorCard()
        self._trouble_room = QWidget()
        above = QVBoxLayout(self._trouble_room)
        above.setContentsMargins(_SIDE, 12, _SIDE, 12)
        above.addWidget(self._trouble)
        self._trouble_room.hide()
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.setSpacing(0)
        outer.addWidget(self._trouble_room)
        outer.addWidget(self._whole, 1)
        self.setFocusProxy(self.list)

    def _connect(self) -> None:
        search, pages, library = self._search, self._pages, self._library
        search.asking.connect(self._on_asking)
        search.answered.connect(self._on_answer)
        search.failed.connect(self._on_failure)
        self._page_late = QTimer(self)
        self._page_late.setSingleShot(True)
        self._page_late.setInterval(_PAGE_LATE_MS)
        self._page_late.timeout.connect(self.reader.show_nothing)
        pages.loading.connect(lambda path: self._page_late.start())
        pages.loaded.connect(self._page_late.stop)
        pages.failed.connect(self._page_late.stop)
        pages.loaded.connect(self._on_page)
        pages.failed.connect(self._on_page_failure)
        library.opened.connect(self._on_folder)
        library.sync_started.connect(self._on_reading)
        library.sync_finished.connect(self._on_reading)
        library.overview_changed.connect(self._on_reading)
        self._chips.window_removed.connect(search.remove_window)
        self._chips.entity_removed.connect(search.remove_entity)
        self._chips.kind_toggled.connect(search.toggle_kind)
        self._chips.order_chosen.connect(search.set_order)
        self._chips.left.connect(self.field_wanted)
        self._model.wants_more.connect(search.more)
        self.list.current_changed.connect(self._on_current)
        self.list.opened.connect(self._on_opened)
        self.list.clicked.connect(self._on_clicked)
        self.list.copy_asked.connect(self._copy_row)
        self.list.left_upwards.connect(self.field_wanted)
        self._empty.acted.connect(self._on_empty_action)
        self._notice.acted.connect(self._show_waiting)
        self._preparing.dismissed.connect(self._end_preparing)
        self._error.primary_clicked.connect(search.ask)
        reader = self.reader
        reader.back_asked.connect(self.back_to_list)
        reader.copy_asked.connect(self._copy_reading)
        reader.edit_asked.connect(self._actions.edit)
        reader.reveal_asked.connect(self._actions.reveal)
        reader.web_asked.connect(self._actions.open_web)
        reader.copy_path_asked.connect(self._copy_path)
        reader.page_asked.connect(self.open_path)
        reader.link_asked.connect(self._open_link)
        reader.entity_asked.connect(self.person_asked)
        reader.retry_asked.connect(self._retry_page)
        self._theme.changed.connect(self._fit)
        self._no_folder.acted.connect(self.primary_asked)
        self._problem.primary_clicked.connect(self.primary_asked)
        self._problem.second_clicked.connect(self.second_asked)
        self._trouble.primary_clicked.connect(self._trouble_room.hide)

    # For the window

    def show_problem(
        self, title: str, text: str, *, primary: str, second: str = "", is_error: bool = True
    ) -> None:
        """There is nothing to search in, and why. Stays until ``hide_problem``."""
        if is_error:
            self._problem.set_content(title, text, primary=primary, second=second)
            self._whole.setCurrentIndex(2)
        else:
            self._no_folder.set_content("action.reveal", title, text, primary)
            self._whole.setCurrentIndex(1)

    def hide_problem(self) -> None:
        self._whole.setCurrentIndex(0)

    @property
    def problem(self) -> str:
        """The title of the problem in sight."""
        cards = (None, self._no_folder, self._problem)
        card = cards[self._whole.currentIndex()]
        return card.accessibleName() if card is not None else ""

    def show_trouble(self, title: str, text: str, details: str) -> None:
        """A bug came up: say so above the page, which stays usable."""
        self._trouble.set_content(title, text, primary=self.tr("Close"), details=details)
        self._trouble_room.show()

    @property
    def has_trouble(self) -> bool:
        return not self._trouble_room.isHidden()

    @property
    def found_text(self) -> str:
        """The line above the list."""
        return self._found.text()

    @property
    def model(self) -> ResultsModel:
        return self._model

    @property
    def empty_state(self) -> EmptyState | None:
        """What stands in place of the list, if anything does."""
        return self._empty if self._left.currentWidget() is self._empty_room else None

    @property
    def chips(self) -> ChipsBar:
        return self._chips

    @property
    def notice(self) -> str:
        return "" if self._notice.isHidden() else self._notice.text

    @property
    def preparing_notice(self) -> str:
        return "" if self._preparing.isHidden() else self._preparing.text

    def set_preparing(self, is_preparing: bool) -> None:
        """Search by meaning is on its way, which searches say once a start, until it is there."""
        if self._is_preparing and not is_preparing and not self._preparing.isHidden():
            self._end_preparing()
        self._is_preparing = is_preparing
        self._show_preparing()

    def _show_preparing(self) -> None:
        shown = self._is_preparing and not self._told_preparing and self._has_search
        if shown and self._preparing.isHidden():
            self._preparing.set_content(
                self.tr("Search by meaning is still getting ready. Words are found already."),
                "note",
            )
        self._preparing.setVisible(shown)

    def _end_preparing(self) -> None:
        self._told_preparing = True
        self._preparing.hide()

    @property
    def _has_search(self) -> bool:
        return self._search.answer is not None and not self._is_blank

    @property
    def list_width(self) -> int:
        """How wide the person has made the list, to be remembered; 0 where it stands alone."""
        sizes = self._splitter.sizes()
        return sizes[0] if not self._takes_turns and all(sizes) else 0

    def enter_list(self) -> None:
        """The Down key in the search field."""
        if self._model.rowCount():
            self._set_reads(False)
            self.list.setFocus(Qt.FocusReason.TabFocusReason)
            if self.list.currentIndex().row() < 0:
                self.list.select_row(0)

    def read_current(self) -> None:
        """Enter in the search field: ask now, or read what is found."""
        self._search.submit()
        self.enter_list()

    def open_path(self, path: str) -> None:
        """Show a page of the folder in the reader."""
        self._asked_for = path
        self._pages.open_path(path)
        self._set_reads(True)

    def open_source(self, source: Source, id: str | None) -> None:
        """Show the note that a citation means in the reader."""
        self._asked_for = source.path
        self._pages.open_source(source, id)
        self._set_reads(True)

    def _open_link(self, link: str) -> None:
        page = self.reader.page
        if page is not None:
            self._asked_for = None
            self._pages.open_link(page.path, link)

    def back_to_list(self) -> None:
        self._set_reads(False)
        self.list.setFocus(Qt.FocusReason.OtherFocusReason)

    # The answer

    def _on_folder(self) -> None:
        self._showing.stop()
        self._waiting = None
        self._opened = None
        self._model.set_rows(())
        self.reader.show_nothing()

    def _on_asking(self) -> None:
        self._waiting = None
        self._set_reads(False)
        self._skeleton.start()
        if not self._slow.isActive():
            self._slow.start()

    def _settle(self) -> None:
        self._slow.stop()
        self._skeleton.stop()

    def _on_answer(self, answer: Answer) -> None:
        self._settle()
        if answer.is_refresh and self._would_move(answer):
            self._waiting = answer
            words = self.tr("Your notes have changed.")
            if _finds_by_meaning(answer.results) and not _finds_by_meaning(self._model.rows):
                words = self.tr("Search by meaning is ready.")
            self._notice.set_content(words, "note", action=self.tr("Show"))
            self._notice.show()
            return
        self._show_answer(answer)

    def _would_move(self, answer: Answer) -> bool:
        """Lists do not move by themselves while somebody reads in them."""
        shown = [row.id for row in self._model.rows if isinstance(row, RecallResult)]
        if self._is_blank or not shown:
            return False
        return shown != [result.id for result in answer.results[: len(shown)]]

    def _show_waiting(self) -> None:
        answer, self._waiting = self._waiting, None
        self._notice.hide()
        if answer is not None:
            self._show_answer(answer)

    def _show_answer(self, answer: Answer) -> None:
        """The list at once, the chips above it in a turn of their own."""
        self._showing.run(
            (
                lambda: self._show_list(answer),
                lambda: self._chips.show_answer(answer, is_blank=answer.recall.query.is_blank),
            )
        )

    def _show_list(self, answer: Answer) -> None:
        recall = answer.recall
        self._is_blank = recall.query.is_blank
        self._show_notice(answer)
        self._show_preparing()
        if self._is_blank:
            self._load_days()
            return
        row = self.list.current_row
        keep = row.id if isinstance(row, RecallResult) and self._continues(answer) else None
        self._model.set_rows(answer.results, has_more=self._search.has_more)
        self._shown_question = answer.question
        if not answer.results:
            self._show_nothing_found(answer)
            return
        self._found.setText(phrases.notes_found(recall.found, is_exact=recall.found_is_exact))
        announce(self, self._found.text())
        self._left.setCurrentWidget(self.list)
        place = self._model.row_of(keep) if keep is not None else None
        if place is None:
            self.list.scrollToTop()
        self._select(place or 0)

    def _continues(self, answer: Answer) -> bool:
        """The same question again, or more of the same list."""
        shown = self._shown_question
        return shown is not None and replace(answer.question, limit=shown.limit) == shown

    def _select(self, number: int) -> None:
        """Make a row current and have its page read, also where it was current already."""
        if self.list.currentIndex().row() == number:
            self._on_current(self.list.current_row)
        else:
            self.list.select_row(number)

    def _show_notice(self, answer: Answer) -> None:
        notices = [n for n in answer.recall.notices if n.id not in _QUIET_NOTICES]
        if not notices or (notices[0].id == "not-indexed" and self._library.is_syncing):
            self._notice.hide()
            return
        words = {"not-indexed": self.tr("These notes have not been read yet. F5 reads them.")}
        self._notice.set_content(" ".join(words.get(n.id, n.message) for n in notices))
        self._notice.show()

    def _show_nothing_found(self, answer: Answer) -> None:
        query = answer.recall.query
        self._found.setText("")
        self.reader.show_nothing()
        words = " ".join(without_phrase(answer.question.text, query.window_phrase or "").split())
        if not words and query.window is not None:
            words = phrases.interval(query.window)
        if len(words) > _LONGEST_QUOTE:
            words = words[:_LONGEST_QUOTE].rstrip() + "…"
        action = ""
        self._empty_action = ""
        if any(n.id == "only-excluded" for n in answer.recall.notices):
            title = self.tr("Only words to leave out")
            text = self.tr("Add a word that the notes should have.")
        else:
            title = (
                self.tr("Nothing found for “{words}”").format(words=words)
                if words
                else self.tr("Nothing found")
            )
            text = self._where_looked(has_dates=query.window is not None)
            if query.window_phrase:
                action, self._empty_action = self.tr("Search all dates"), "dates"
            elif answer.question.kinds:
                action, self._empty_action = self.tr("Search all kinds"), "kinds"
        self._empty.set_content("state.nothingFound", title, text, action)
        self._left.setCurrentWidget(self._empty_room)
        announce(self, f"{title}. {text}")

    def _where_looked(self, *, has_dates: bool) -> str:
        overview = self._library.overview
        if self._library.is_syncing:
            return self.tr("Your notes are still being read. What is found so far appears here.")
        sentences = []
        if overview is not None and overview.notes:
            looked = self.tr("Looked in all {count} notes.")
            if overview.notes == 1:
                looked = self.tr("Looked in the one note there is.")
            sentences.append(looked.format(count=phrases.count(overview.notes)))
        sentences.append(
            self.tr("Try another word, or fewer dates.")
            if has_dates
            else self.tr("Try another word.")
        )
        return " ".join(sentences)

    def _on_empty_action(self) -> None:
        if self._empty_action == "dates":
            self._search.remove_window()
        elif self._empty_action == "kinds":
            for kind in self._search.question.kinds:
                self._search.toggle_kind(kind)
        self.field_wanted.emit()

    def _on_failure(self, error: DaybankError) -> None:
        self._settle()
        self._model.set_rows(())
        self._found.setText("")
        self._notice.hide()
        self._error.set_content(error.title, error.message, primary=self.tr("Try again"))
        self._left.setCurrentWidget(self._error_room)
        self.reader.show_nothing()

    # Nothing asked yet

    def _load_days(self) -> None:
        workspace = self._library.workspace
        if workspace is not None:
            self._tasks.run(
                Lane.READ,
                lambda job: _newest(workspace.days(), self._today),
                done=self._show_days,
                failed=self._on_failure,
                channel="days",
            )

    def _show_days(self, days: tuple[object, ...]) -> None:
        if not self._is_blank:
            return
        hint = self.tr("Type a word, a name or a time.")
        self._shown_question = None
        if not days:
            self._model.set_rows(())
            self._found.setText("")
            self._empty_action = ""
            self._empty.set_content("page.search", hint)
            self._left.setCurrentWidget(self._empty_room)
            self.reader.show_nothing()
            return
        self._found.setText(hint)
        before = self.list.current_row
        self._model.set_rows(days)  # type: ignore[arg-type]
        self._left.setCurrentWidget(self.list)
        place = self._model.row_of(getattr(before, "path", "")) if before is not None else None
        self._select(place or 0)

    def _on_reading(self) -> None:
        """How far the reading is changes what an empty list should say."""
        answer = self._search.answer
        if self.empty_state is not None and answer is not None and not self._is_blank:
            self._show_nothing_found(answer)

    # The page of the current note

    def _on_current(self, row: object) -> None:
        if isinstance(row, RecallResult):
            self._asked_for = row
            self._pages.open_result(row)
        elif row is not None:
            path: str = row.path  # type: ignore[attr-defined]
            self._asked_for = path
            self._pages.open_path(path)
        else:
            self._pages.cancel()

    def _on_opened(self, row: object) -> None:
        self._set_reads(True)
        self.reader.view.setFocus(Qt.FocusReason.OtherFocusReason)

    def _on_clicked(self) -> None:
        if self._takes_turns:
            self._set_reads(True)

    def _retry_page(self) -> None:
        if isinstance(self._asked_for, RecallResult):
            self._pages.open_result(self._asked_for)
        elif self._asked_for is not None:
            self._pages.open_path(self._asked_for)

    def _on_page(self, opened: OpenedPage) -> None:
        self._opened = opened
        self.reader.show_page(
            opened.page,
            opened.cited,
            opened.marks,
            is_gone=opened.is_gone,
            before=opened.before,
            after=opened.after,
        )

    def _on_page_failure(self, path: str, error: DaybankError) -> None:
        self._opened = None
        self.reader.show_error(error, retry=self.tr("Try again"))

    # Copying

    def _copy_row(self, row: object) -> None:
        if isinstance(row, RecallResult):
            self._copy(row.content, row.source)
        elif row is not None:
            self._copy_path(row.path)  # type: ignore[attr-defined]

    def _copy_reading(self) -> None:
        """What is selected in the reader, else the note that was found, else the whole page."""
        opened, page = self._opened, self.reader.page
        if page is None:
            return
        selected = self.reader.view.selection()
        if selected is not None:
            text, first, last = selected
            self._copy(text, Source(page.path, first, last))
        elif opened is not None and opened.result is not None and opened.cited is not None:
            self._copy(opened.result.content, opened.cited)
        elif page.blocks:
            text = "\n".join(block.text for block in page.blocks)
            self._copy(text, Source(page.path, page.blocks[0].line_start, page.blocks[-1].line_end))

    def _copy(self, text: str, source: Source) -> None:
        self._actions.copy(phrases.citation(text, source))
        self.said.emit(self.tr("Copied with its source"))

    def _copy_path(self, path: str) -> None:
        self._actions.copy(path)
        self.said.emit(self.tr("Copied"))

    # One column or two

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ParentChange:
            self._fit()
        return super().event(event)

    def _fit(self) -> None:
        theme = self._theme
        narrow = self.window().width() < theme.size("oneColumnBelow") or theme.text_size >= 150
        self._takes_turns = narrow
        self.reader.set_back_shown(narrow)
        self._show_sides()
        wide = min(theme.px(theme.size("listWide")), int(self.width() * 0.5))
        if not narrow and wide != self._split_for and self.width() > 600:
            self._split_for = wide
            self._splitter.setSizes([wide, self.width() - wide - 1])

    def set_list_width(self, width: int) -> None:
        """As it was left the last time."""
        if width >= 300:
            self._splitter.setSizes([width, max(300, self.width() - width - 1)])

    def _set_reads(self, reads: bool) -> None:
        self._reads = reads
        self._show_sides()

    def _show_sides(self) -> None:
        """Side by side, or in turns; with nothing in the list there is nothing to read either."""
        has_list = self._left.currentWidget() in (self.list, self._skeleton_room)
        self._column.setVisible(not (self._takes_turns and self._reads))
        self.reader.setVisible(self._reads or (has_list and not self._takes_turns))


class ChipsBar(Surface):
    """What was understood, what can be chosen, and the order. 52 high, more when chips wrap."""

    window_removed = Signal()
    entity_removed = Signal(str)
    kind_toggled = Signal(object)
    order_chosen = Signal(object)
    left = Signal()

    def __init__(self) -> None:
        super().__init__("bg.window", edges=["bottom"])
        self._flow = FlowLayout(spacing=8, line_spacing=6)
        self._room = QWidget()
        self._room.setLayout(self._flow)
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        self._room.setSizePolicy(policy)
        self.order = Button(self.tr("Best match"), "quiet", chevron=True)
        self._orders = QMenu(self)
        group = QActionGroup(self)
        for order, words in (
            (Order.BEST, self.tr("Best match")),
            (Order.NEWEST, self.tr("Newest first")),
            (Order.OLDEST, self.tr("Oldest first")),
        ):
            action = self._orders.addAction(words)
            action.setCheckable(True)
            action.setData(order.value)
            action.setChecked(order is Order.BEST)
            group.addAction(action)
        group.triggered.connect(lambda action: self._choose_order(action.data(), action.text()))
        self.order.clicked.connect(self._open_orders)
        self.order.setAccessibleDescription(self.tr("Order of the list"))
        row = QHBoxLayout(self)
        row.setContentsMargins(_SIDE, 10, 22, 10)
        self._flow.setContentsMargins(0, 2, 0, 2)
        row.addWidget(self._room, 1)
        row.addWidget(self.order, 0, Qt.AlignmentFlag.AlignTop)
        self.order.hide()
        self._window = Chip("", "understood", icon="thing.date")
        self._window.removed.connect(self.window_removed)
        self._entities: tuple[str, ...] = ()
        self._names: list[Chip] = []
        self._divider = _Divider()
        self._kinds = {kind: self._kind_chip(kind) for kind in Kind}
        for part in (self._window, self._divider, *self._kinds.values()):
            part.hide()
            self._flow.addWidget(part)
        self._theme.changed.connect(self._restyle)
        self._restyle()

    def chips(self) -> list[Chip]:
        """The chips in sight, in their order."""
        chips = (self._window, *self._names, *self._kinds.values())
        return [chip for chip in chips if not chip.isHidden()]

    def show_answer(self, answer: Answer, *, is_blank: bool) -> None:
        """Chips stay and say something else: making them anew with every letter takes long."""
        query, question = answer.recall.query, answer.question
        self.order.setVisible(len(answer.results) > 1 and not is_blank)
        focused = self._focused()
        words = focused.words() if focused is not None else ""
        self._flow.setEnabled(False)  # else every chip that comes or goes lays out the window
        self._show_chip(
            self._window, phrases.interval(query.window) if query.window is not None else ""
        )
        self._show_names(query.entities)
        counts = dict(_shown_counts(answer))
        for kind, chip in self._kinds.items():
            if kind in counts:
                count = phrases.count(counts[kind])
                if count != chip.count:
                    chip.set_count(count)
                chip.setChecked(kind in question.kinds)
            _set_shown(chip, kind in counts)
        _set_shown(
            self._divider, bool(counts) and (query.window is not None or bool(query.entities))
        )
        self._flow.setEnabled(True)
        if focused is not None and (focused.isHidden() or focused.words() != words):
            self.left.emit()

    def _show_names(self, names: Sequence[str]) -> None:
        self._entities = tuple(names)
        for number in range(len(self._names), len(names)):
            chip = Chip("", "understood", icon="entity.person")
            chip.removed.connect(
                lambda number=number: self.entity_removed.emit(self._entities[number])
            )
            chip.hide()
            self._flow.insert_widget(1 + number, chip)
            self._names.append(chip)
        for number, chip in enumerate(self._names):
            self._show_chip(chip, names[number] if number < len(names) else "")

    def _show_chip(self, chip: Chip, words: str) -> None:
        if words and chip.words() != words:
            chip.setText(words)
        _set_shown(chip, bool(words))

    def _kind_chip(self, kind: Kind) -> Chip:
        chip = Chip(
            phrases.kind_word(kind),
            icon=phrases.kind_icon(kind),
            color=phrases.kind_color(kind) if kind.is_fact else "",
        )
        chip.clicked.connect(lambda: self.kind_toggled.emit(kind))
        return chip

    def _focused(self) -> Chip | None:
        """The chip that has the keyboard."""
        focused = self.window().focusWidget()
        is_here = isinstance(focused, Chip) and self._room.isAncestorOf(focused)
        return focused if is_here else None

    def _choose_order(self, value: str, words: str) -> None:
        self.order.setText(words)
        self.order_chosen.emit(Order(value))

    def _open_orders(self) -> None:
        corner = self.order.mapToGlobal(self.order.rect().bottomRight())
        width = self._orders.sizeHint().width()
        corner.setX(corner.x() - width)
        self._orders.popup(corner)

    def _restyle(self) -> None:
        self.setMinimumHeight(self._theme.px(52))


def _set_shown(widget: QWidget, shown: bool) -> None:
    if widget.isHidden() == shown:
        widget.setVisible(shown)


class _Divider(QWidget):
    """The hairline between what was understood and what can be chosen."""

    def __init__(self) -> None:
        super().__init__()
        box = QHBoxLayout(self)
        box.setContentsMargins(7, 4, 6, 4)
        box.addWidget(Hairline(vertical=True, color="border.default"))

    def sizeHint(self) -> QSize:
        return QSize(14, Theme.of(self).px(28))


def _finds_by_meaning(rows: Sequence[object]) -> bool:
    return any(isinstance(row, RecallResult) and row.why.meaning for row in rows)


def _newest(days: Sequence[DayEntry], today: date) -> tuple[DayEntry, ...]:
    """The newest days, latest first; a day that is still to come stands behind them."""
    past = [entry for entry in days if entry.day <= today]
    coming = [entry for entry in days if entry.day > today]
    return tuple((*past[::-1], *coming))[:NEWEST_DAYS]


def _shown_counts(answer: Answer) -> tuple[tuple[Kind, int], ...]:
    """Kinds worth choosing: the ones that were found, and the chosen ones, in a fixed order."""
    counts = dict(answer.recall.kind_counts)
    chosen = answer.question.kinds
    shown = tuple((k, counts.get(k, 0)) for k in Kind if counts.get(k) or k in chosen)
    return shown if len(shown) > 1 or chosen else ()


def _room(widget: QWidget, *, stretch: bool = False) -> QWidget:
    """``widget`` with the list's margins."""
    room = QWidget()
    box = QVBoxLayout(room)
    box.setContentsMargins(0, 0, 14, 0)
    box.addWidget(widget)
    if not stretch:
        box.addStretch(1)
    return room
