"""The opinions page: the list on the left, one opinion with its chart and its evidence beside it.

GUI thread. What is pressed is written at once and can be undone from the toast.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, Qt, QTimer, Signal
from PySide6.QtGui import QActionGroup, QKeyEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import (
    QFileDialog,
    QHBoxLayout,
    QMenu,
    QVBoxLayout,
    QWidget,
)

from daybank.errors import DaybankError
from daybank_desktop.models.opinions_model import FoldRow, OpinionOrder, OpinionsModel
from daybank_desktop.pages.opinion_detail import OpinionDetail
from daybank_desktop.services.library import Library
from daybank_desktop.services.opinions import OpinionRow, Opinions
from daybank_desktop.tasks import Tasks
from daybank_desktop.theme import Theme
from daybank_desktop.widgets.announce import announce
from daybank_desktop.widgets.buttons import Button
from daybank_desktop.widgets.chart_export import chart_drawing, chart_picture
from daybank_desktop.widgets.empty_state import EmptyState
from daybank_desktop.widgets.error_card import ErrorCard
from daybank_desktop.widgets.label import Label
from daybank_desktop.widgets.opinion_list import OpinionList
from daybank_desktop.widgets.page import Page
from daybank_desktop.widgets.set_by_hand import SetByHandDialog
from daybank_desktop.widgets.skeleton import DELAY_MS, Skeleton
from daybank_desktop.widgets.stack import Stack
from daybank_desktop.widgets.sure_slider import percent_text, sure_text
from daybank_desktop.widgets.surface import Surface
from daybank_desktop.widgets.text_field import TextField
from daybank_desktop.widgets.text_layout import cluster_start, elided, shown

if TYPE_CHECKING:
    from daybank.review.apply import Applied
    from daybank_desktop.services.opinions import Move

    ChooseFile = Callable[[QWidget, str, str, str], str]

_LONGEST_NAME = 40
_LONGEST_QUOTE = 60
_FILTER_PAUSE_MS = 75
_STAY_MS = 120
"""While the arrow key is held down, only the one it stops at is a place to come back to."""
_NO_FILE_NAME = re.compile(r"[^\w -]+")


@dataclass(frozen=True, slots=True)
class OpinionPlace:
    """What the page showed: one opinion by its id, or those about somebody or something."""

    opinion: str = ""
    about: str = ""


class OpinionsPage(Page):
    """``show_place`` also takes a bare text: the id of an opinion (``op-…``), or a name."""

    write_down_requested = Signal()  # there is no opinion yet

    def __init__(
        self,
        tasks: Tasks,
        library: Library,
        opinions: Opinions,
        today: date,
        *,
        choose_file: ChooseFile | None = None,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._theme = Theme.of(self)
        self._tasks = tasks
        self._library = library
        self._opinions = opinions
        self._choose_file = choose_file or _ask_for_file
        self._is_stale = True
        self._has_read = False
        self._takes_turns = False
        self._reads = False
        self._wanted = OpinionPlace()
        self._dialog: SetByHandDialog | None = None
        self._is_renewing = False
        self.model = OpinionsModel(self)
        self.list = OpinionList(self.model, today)
        self.detail = OpinionDetail(today)
        self._pause = QTimer(self, singleShot=True, interval=_FILTER_PAUSE_MS)
        self._slow = QTimer(self, singleShot=True, interval=DELAY_MS)
        self._stay = QTimer(self, singleShot=True, interval=_STAY_MS)
        self._lay_out()
        self._connect()

    # Building

    def _lay_out(self) -> None:
        self._column = Surface("bg.window", edges=["right"])
        column = QVBoxLayout(self._column)
        column.setContentsMargins(5, 14, 1, 0)
        column.setSpacing(0)
        self.filter = TextField(
            self.tr("Find an opinion"),
            placeholder=self.tr("Find an opinion"),
            icon="action.filter",
        )
        self.about = Button("", "quiet", small=True, chevron=True)
        self.order = Button("", "quiet", small=True, chevron=True)
        self.about.setAccessibleDescription(self.tr("Whom the opinions are about"))
        self.order.setAccessibleDescription(self.tr("Order of the list"))
        choices = QHBoxLayout()
        choices.setContentsMargins(0, 0, 9, 6)
        choices.addWidget(self.about)
        choices.addStretch(1)
        choices.addWidget(self.order)
        head = QVBoxLayout()
        head.setContentsMargins(11, 0, 15, 4)
        head.setSpacing(0)
        head.addWidget(Label(self.tr("Opinions"), "title"))
        head.addSpacing(8)
        head.addWidget(self.filter)
        column.addLayout(head)
        column.addLayout(choices)
        self._empty = EmptyState()
        self._skeleton = Skeleton(5)
        self._error = ErrorCard()
        self._left = Stack()
        self._left.addWidget(self.list)
        self._empty_room, self._skeleton_room, self._error_room = (
            _room(self._empty, fills=True),
            _room(self._skeleton),
            _room(self._error),
        )
        for room in (self._empty_room, self._skeleton_room, self._error_room):
            self._left.addWidget(room)
        rows = QVBoxLayout()
        rows.setContentsMargins(5, 0, 0, 0)
        rows.addWidget(self._left)
        column.addLayout(rows, 1)
        usual = QWidget()
        across = QHBoxLayout(usual)
        across.setContentsMargins(0, 0, 0, 0)
        across.setSpacing(0)
        across.addWidget(self._column)
        across.addWidget(self.detail, 1)
        self._blank = QWidget()  # keeps the list in its place while there is nothing to read
        across.addWidget(self._blank, 1)
        self.detail.hide()
        self._nothing = EmptyState()
        self._whole = Stack()
        self._whole.addWidget(usual)
        self._whole.addWidget(self._nothing)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.addWidget(self._whole)
        self.setFocusProxy(self.list)
        self._orders = QMenu(self)
        self._names = QMenu(self)
        self._fill_orders()
        self._show_about("")

    def _connect(self) -> None:
        opinions, detail = self._opinions, self.detail
        opinions.loading.connect(self._on_loading)
        opinions.loaded.connect(self._on_loaded)
        opinions.failed.connect(self._on_failure)
        opinions.moved.connect(self._on_moved)
        opinions.move_failed.connect(self._on_move_failure)
        opinions.undone.connect(self._on_undone)
        opinions.undo_failed.connect(self._say_error)
        opinions.saved.connect(self._on_saved)
        opinions.save_failed.connect(self._say_error)
        self._library.opened.connect(self._on_folder)
        self._library.changed.connect(self.refresh)
        self._library.sync_finished.connect(lambda _: self._on_read())
        self.filter.text_changed.connect(lambda _: self._pause.start())
        self.filter.submitted.connect(lambda _: self._enter_list())
        self.filter.edit.installEventFilter(self)
        self._pause.timeout.connect(self._apply_filter)
        self._slow.timeout.connect(self._on_slow)
        self._stay.timeout.connect(lambda: self.place_changed.emit(self.place))
        self.about.clicked.connect(lambda: _pop_up(self._fill_names(), self.about))
        self.order.clicked.connect(lambda: _pop_up(self._orders, self.order))
        self.list.current_changed.connect(self._on_moved_to)
        self.list.opened.connect(self._on_opened)
        self.list.fold_toggled.connect(self._on_fold)
        self.list.left_upwards.connect(
            lambda: self.filter.edit.setFocus(Qt.FocusReason.OtherFocusReason)
        )
        self._empty.acted.connect(self._show_all)
        self._nothing.acted.connect(self.write_down_requested)
        self._error.primary_clicked.connect(opinions.load)
        detail.back_asked.connect(self.back_to_list)
        detail.person_asked.connect(lambda name: self.page_requested.emit("people", name))
        detail.source_asked.connect(self.source_requested)
        detail.opinion_asked.connect(lambda op_id: self._go(OpinionPlace(op_id)))
        detail.move_asked.connect(self._move)
        detail.set_asked.connect(self._ask_how_sure)
        detail.export_asked.connect(self._export)
        self._theme.changed.connect(self._fit)

    # For the window

    def show_place(self, state: object, again: bool) -> None:
        """Show an opinion, or those about somebody; ``again``: the person came back to it; to
        nothing, that is to the list as it first was."""
        place = _place_of(state)
        if place is None or place == OpinionPlace():
            if again:
                self._show_start()
            return
        if place == self.place and not again and not self._is_stale:
            self._set_reads(True)  # it is there already; what stands in the filter stays
            return
        self._wanted = place
        if place.about or not again:
            self.filter.set_text("")
            self._pause.stop()
            self.model.set_filter("")
            self.model.set_about(place.about)
            self._show_about(place.about)
        if not self._is_stale:
            self._show_wanted()

    def _show_start(self) -> None:
        self._set_reads(False)
        if not self._takes_turns:
            self._select("")

    def refresh(self) -> None:
        """The notes have changed: read the opinions again, now or when the page is next seen."""
        self._is_stale = True
        if self.isVisible():
            self._load()

    def back_to_list(self) -> None:
        self._set_reads(False)
        self.list.setFocus(Qt.FocusReason.OtherFocusReason)

    @property
    def place(self) -> OpinionPlace:
        """What it shows now."""
        row = self.detail.shown_row
        return OpinionPlace(row.opinion.id if row is not None else "", self.model.about)

    @property
    def empty_state(self) -> EmptyState | None:
        """What stands in place of the list or of all, if anything does."""
        if self._whole.currentWidget() is self._nothing:
            return self._nothing
        return self._empty if self._left.currentWidget() is self._empty_room else None

    @property
    def error_card(self) -> ErrorCard | None:
        return self._error if self._left.currentWidget() is self._error_room else None

    @property
    def is_loading_shown(self) -> bool:
        """Whether the grey bars are in sight."""
        return self._left.currentWidget() is self._skeleton_room

    # Reading

    def _load(self) -> None:
        self._is_stale = False
        self._opinions.load()

    def _on_folder(self) -> None:
        self._wanted = OpinionPlace()
        self.model.set_about("")
        self._show_about("")
        self.model.set_rows(())
        self._has_read = False
        self._whole.setCurrentIndex(0)
        self._show_sides()
        self.refresh()

    def _on_read(self) -> None:
        """How far the notes are read changes what an empty page should say."""
        if self._has_read:
            self._show_nothing_if_empty()

    def _on_loading(self) -> None:
        if not self.model.all_rows:
            self._skeleton.start()
            self._slow.start()

    def _on_slow(self) -> None:
        self._left.setCurrentWidget(self._skeleton_room)
        self._whole.setCurrentIndex(0)
        self._show_sides()

    def _settle(self) -> None:
        self._slow.stop()
        self._skeleton.stop()

    def _on_loaded(self, rows: tuple[OpinionRow, ...]) -> None:
        self._settle()
        shown_now = self.detail.shown_row
        is_first, self._has_read = not self._has_read, True
        with _Quiet(self):
            self.model.set_rows(rows)
        if self.model.about and self.model.about not in {
            name for row in rows for name in row.opinion.entities
        }:
            self.model.set_about("")
            self._show_about("")
        self._left.setCurrentWidget(self.list)
        if self._wanted.opinion or self._wanted.about:
            self._show_wanted()
        elif is_first:  # list and opinion are both made now: the window breathes between them
            QTimer.singleShot(0, self, self._select_first)
        else:
            self._select(shown_now.opinion.id if shown_now is not None else "")
        self._show_nothing_if_empty()
        if is_first and rows and self.filter.edit.hasFocus() and not self.filter.text():
            self.list.setFocus(Qt.FocusReason.OtherFocusReason)  # it was not there to go to

    def _select_first(self) -> None:
        if self.detail.shown_row is None:
            self._select("")

    def _on_failure(self, error: DaybankError) -> None:
        self._settle()
        self._is_stale = True
        self.model.set_rows(())
        self._error.set_content(error.title, error.message, primary=self.tr("Try again"))
        self._left.setCurrentWidget(self._error_room)
        self._whole.setCurrentIndex(0)
        self._show_sides()

    def _show_wanted(self) -> None:
        wanted, self._wanted = self._wanted, OpinionPlace()
        if wanted.opinion and self.model.row_of(wanted.opinion) is None:
            row = self.model.find(wanted.opinion)
            if row is not None:  # the filter or the fold hides it
                self.filter.set_text("")
                self._pause.stop()
                self.model.set_filter("")
                self.model.set_about("")
                self._show_about("")
                self.model.set_open(self.model.row_of(wanted.opinion) is None)
        self._select(wanted.opinion)
        if wanted.opinion and self.model.row_of(wanted.opinion) is not None:
            self._set_reads(True)
        self._show_nothing_if_empty()

    def _select(self, op_id: str) -> None:
        """The opinion with this id, else the first there is."""
        number = self.model.row_of(op_id) if op_id else None
        if number is None and self.model.rows:
            number = next(
                (at for at, row in enumerate(self.model.rows) if isinstance(row, OpinionRow)), None
            )
        if number is not None:
            self.list.select_row(number)
            self._on_current(self.list.current_row)
        self._stay.stop()
        self._show_sides()

    def _show_nothing_if_empty(self) -> None:
        if self._left.currentWidget() in (self._skeleton_room, self._error_room):
            return
        self._left.setCurrentWidget(self.list)
        has_some = bool(self.model.all_rows)
        if has_some and not self.model.rows:
            self._empty.set_content(
                "state.nothingFound",
                self.tr("No opinion fits"),
                self._why_nothing(),
                self.tr("Show all"),
            )
            self._left.setCurrentWidget(self._empty_room)
        if not has_some:
            self._say_nothing_yet()
        self._whole.setCurrentIndex(0 if has_some else 1)
        self._show_sides()

    def _say_nothing_yet(self) -> None:
        if self._library.is_syncing:
            text = self.tr("Your notes are still being read. Opinions appear here then.")
            action = ""
        else:
            text = self.tr(
                "Write down what somebody believes or prefers, and choose Opinion. "
                "Later notes show whether it holds."
            )
            action = self.tr("Write one down")
        self._nothing.set_content("page.opinions", self.tr("No opinions yet"), text, action)

    def _why_nothing(self) -> str:
        words = shown(self.filter.text()).strip()
        if len(words) > _LONGEST_QUOTE:
            words = words[: cluster_start(words, _LONGEST_QUOTE)] + "…"
        if words and self.model.about:
            text = self.tr("Nothing about {name} says “{words}”. Try another word.")
            return text.format(name=shown(self.model.about), words=words)
        return self.tr("No statement and no name has “{words}”. Try another word.").format(
            words=words
        )

    def _show_all(self) -> None:
        self.filter.set_text("")
        self.model.set_about("")
        self._show_about("")
        self._apply_filter()
        self.filter.edit.setFocus(Qt.FocusReason.OtherFocusReason)

    # Filter and order

    def _apply_filter(self) -> None:
        self._pause.stop()
        row = self.detail.shown_row
        with _Quiet(self):
            self.model.set_filter(self.filter.text())
        self._select(row.opinion.id if row is not None else "")
        self._show_nothing_if_empty()
        if not self.model.rows and self.model.all_rows:
            announce(self, self.tr("No opinion fits"))

    def _enter_list(self) -> None:
        self._apply_filter()
        if self.model.rows:
            self.list.setFocus(Qt.FocusReason.TabFocusReason)

    def _on_fold(self) -> None:
        is_open = any(isinstance(row, FoldRow) and row.is_open for row in self.model.rows)
        row = self.detail.shown_row
        with _Quiet(self):
            self.model.set_open(not is_open)
        at = next(n for n, item in enumerate(self.model.rows) if isinstance(item, FoldRow))
        with _Quiet(self):
            self.list.select_row(at)
        if row is not None and self.model.row_of(row.opinion.id) is None:
            self._select("")

    def _set_about(self, name: str) -> None:
        row = self.detail.shown_row
        with _Quiet(self):
            self.model.set_about(name)
        self._show_about(name)
        self._select(row.opinion.id if row is not None else "")
        self._show_nothing_if_empty()

    def _show_about(self, name: str) -> None:
        font = self._theme.font("control")
        words = elided(name, font, self._theme.px(110)) if name else ""
        self.about.setText(
            self.tr("About {name}").format(name=words) if name else self.tr("About anyone")
        )
        self.about.setShortcut("")  # an & in a name is an &

    def _fill_names(self) -> QMenu:
        menu = self._names
        menu.clear()
        for name in ("", *self.model.names()):
            words = shown(name)
            if len(words) > _LONGEST_NAME:
                words = words[: cluster_start(words, _LONGEST_NAME)] + "…"
            action = menu.addAction(words.replace("&", "&&") if name else self.tr("Anyone"))
            action.setCheckable(True)
            action.setChecked(name == self.model.about)
            action.triggered.connect(lambda _=False, name=name: self._set_about(name))
            if not name:
                menu.addSeparator()
        return menu

    def _fill_orders(self) -> None:
        group = QActionGroup(self)
        for order, words in (
            (OpinionOrder.LATELY, self.tr("Changed lately")),
            (OpinionOrder.SUREST, self.tr("Surest first")),
            (OpinionOrder.LEAST_SURE, self.tr("Least sure first")),
        ):
            action = self._orders.addAction(words)
            action.setCheckable(True)
            action.setChecked(order is self.model.order)
            action.triggered.connect(
                lambda _=False, order=order, words=words: self._on_order(order, words)
            )
            group.addAction(action)
        self.order.setText(self.tr("Changed lately"))

    def _on_order(self, order: OpinionOrder, words: str) -> None:
        row = self.detail.shown_row
        self.order.setText(words)
        with _Quiet(self):
            self.model.set_order(order)
        self._select(row.opinion.id if row is not None else "")

    # The current opinion

    def _on_moved_to(self, row: OpinionRow | None) -> None:
        """By the arrow keys or the pointer, or by this page itself."""
        self._on_current(row)
        if row is not None and not self._is_renewing and not self._takes_turns:
            self._stay.start()

    def _on_current(self, row: OpinionRow | None) -> None:
        if row is not None and not self._is_renewing:
            self.detail.show_opinion(row)

    def _on_opened(self, row: OpinionRow) -> None:
        self._on_current(row)
        self._stay.stop()
        if self._takes_turns:
            self._set_reads(True)
            self.detail.chart.setFocus(Qt.FocusReason.OtherFocusReason)
        self.place_changed.emit(OpinionPlace(row.opinion.id, self.model.about))

    def _go(self, place: OpinionPlace) -> None:
        self._wanted = place
        self._show_wanted()
        self.place_changed.emit(self.place)

    # Moves

    def _move(self, move: Move) -> None:
        row = self.detail.shown_row
        if row is not None:
            self.detail.set_busy(True)
            self._opinions.move(row.opinion.id, move)

    def _ask_how_sure(self) -> None:
        row = self.detail.shown_row
        if row is None or self._dialog is not None:
            return
        dialog = SetByHandDialog(row.opinion.statement, row.percent, self)
        self._dialog = dialog
        op_id = row.opinion.id
        dialog.accepted.connect(lambda: self._set_by_hand(op_id, dialog.percent))
        dialog.finished.connect(self._on_dialog_over)
        dialog.open()

    @property
    def dialog(self) -> SetByHandDialog | None:
        """*Set by hand*, while it is open."""
        return self._dialog

    def _on_dialog_over(self) -> None:
        dialog, self._dialog = self._dialog, None
        if dialog is not None:
            dialog.deleteLater()

    def _set_by_hand(self, op_id: str, percent: int) -> None:
        self.detail.set_busy(True)
        self._opinions.move(op_id, percent / 100)

    def _on_moved(self, op_id: str, move: Move, applied: Applied) -> None:
        self.detail.set_busy(False)
        if move == "agree":
            text = self.tr("Saved in Opinions: you agree")
        elif move == "disagree":
            text = self.tr("Saved in Opinions: you disagree")
        elif move == "no_longer_true":
            text = self.tr("Saved in Opinions: no longer true")
        else:
            percent = percent_text(round(float(move) * 100))
            text = self.tr("Saved in Opinions: set to {percent}").format(percent=percent)
        self.toast_requested.emit(text, self.tr("Undo"), lambda: self._undo(op_id, applied))
        self._wanted = OpinionPlace(op_id)  # also where it is folded away now

    def _undo(self, op_id: str, applied: Applied) -> None:
        self._wanted = OpinionPlace(op_id)
        self._opinions.undo(applied)

    def _on_undone(self) -> None:
        self.toast_requested.emit(self.tr("Taken back"), "", None)

    def _on_move_failure(self, op_id: str, error: DaybankError) -> None:
        self.detail.set_busy(False)
        self._say_error(error)

    def _say_error(self, error: DaybankError) -> None:
        self.detail.show_error(f"{error.title} {error.message}".strip())

    # Files

    def _export(self, kind: str) -> None:
        row = self.detail.shown_row
        if row is None:
            return
        titles = {
            "png": (self.tr("Save the chart as a picture"), self.tr("Pictures (*.png)")),
            "svg": (self.tr("Save the chart as a drawing"), self.tr("Drawings (*.svg)")),
            "csv": (self.tr("Save the numbers as a table"), self.tr("Tables (*.csv)")),
        }
        title, pattern = titles[kind]
        name = self._choose_file(self, title, f"{_file_name(row)}.{kind}", pattern)
        if not name:
            return
        path = Path(name)
        if not path.suffix:
            path = path.with_name(f"{path.name}.{kind}")
        statement, words = shown(row.opinion.statement), sure_text(row.percent)
        if row.opinion.entities:
            words = f"{shown(', '.join(row.opinion.entities))}: {words}"
        if kind == "png":
            picture = chart_picture(self.detail.chart, statement, words)
            self._opinions.save_picture(path, picture)
        elif kind == "svg":
            drawing = chart_drawing(self.detail.chart, statement, words)
            self._opinions.save_drawing(path, drawing)
        else:
            self._opinions.save_table(path, row.opinion)

    def _on_saved(self, path: Path) -> None:
        self.toast_requested.emit(self.tr("Saved as “{name}”").format(name=path.name), "", None)

    # One column or two

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._fit()
        if self._is_stale:
            self._load()

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ParentChange:
            self._fit()
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape and self._takes_turns and self._reads:
            self.back_to_list()
        else:
            super().keyPressEvent(event)

    def eventFilter(self, watched: object, event: QEvent) -> bool:
        if watched is self.filter.edit and event.type() == QEvent.Type.KeyPress:
            key = event.key()  # type: ignore[attr-defined]
            if key == Qt.Key.Key_Down:
                self._enter_list()
                return True
            if key == Qt.Key.Key_Escape and self.filter.text():
                self.filter.set_text("")
                return True
        return super().eventFilter(watched, event)  # type: ignore[arg-type]

    def _fit(self) -> None:
        theme = self._theme
        narrow = self.window().width() < theme.size("oneColumnBelow") or theme.text_size >= 150
        self._takes_turns = narrow
        self.detail.set_back_shown(narrow)
        if narrow:
            self._column.setMinimumWidth(0)
            self._column.setMaximumWidth(16_777_215)
        else:
            wide = min(theme.px(theme.size("listOpinions")), int(self.width() * 0.45))
            self._column.setFixedWidth(max(240, wide))
        self._show_sides()

    def _set_reads(self, reads: bool) -> None:
        self._reads = reads
        self._show_sides()

    def _show_sides(self) -> None:
        """Side by side, or in turns; without an opinion there is nothing to show of one."""
        has_row = self._left.currentWidget() is self.list and self.detail.shown_row is not None
        reads = self._reads and has_row
        self._column.setVisible(not (self._takes_turns and reads))
        self.detail.setVisible(has_row and (reads or not self._takes_turns))
        self._blank.setVisible(not has_row and not self._takes_turns)


class _Quiet:
    """While the list is made anew, its current row comes and goes; the detail stays."""

    def __init__(self, page: OpinionsPage) -> None:
        self._page = page

    def __enter__(self) -> None:
        self._page._is_renewing = True

    def __exit__(self, *_: object) -> None:
        self._page._is_renewing = False


def _place_of(state: object) -> OpinionPlace | None:
    if isinstance(state, OpinionPlace):
        return state
    if isinstance(state, str) and state:
        return OpinionPlace(state) if state.startswith("op-") else OpinionPlace(about=state)
    return None


def _file_name(row: OpinionRow) -> str:
    """A name for a file, from the statement: letters, digits and spaces only."""
    words = " ".join(_NO_FILE_NAME.sub(" ", row.opinion.statement).split())
    return words[: cluster_start(words, _LONGEST_QUOTE)].strip() or row.opinion.id


def _ask_for_file(parent: QWidget, title: str, name: str, pattern: str) -> str:
    start = str(Path.home() / name)
    chosen, _ = QFileDialog.getSaveFileName(parent, title, start, pattern)
    return chosen


def _pop_up(menu: QMenu, button: Button) -> None:
    corner = button.mapToGlobal(button.rect().bottomLeft())
    menu.popup(corner)


def _room(widget: QWidget, *, fills: bool = False) -> QWidget:
    """``widget`` with the list's margins."""
    room = QWidget()
    box = QVBoxLayout(room)
    box.setContentsMargins(6, 0, 15, 0)
    box.addWidget(widget)
    if not fills:
        box.addStretch(1)
    return room
