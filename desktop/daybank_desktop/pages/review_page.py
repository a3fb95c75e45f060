"""The Review page: the suggestions that wait on the left, the one that is looked at on the right.

GUI thread. Lists do not move by themselves: a suggestion leaves the list when it was answered, and
the next one takes its place.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from functools import partial

from PySide6.QtCore import QPointF, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QMenu, QSizePolicy, QVBoxLayout, QWidget

from daybank.errors import DaybankError
from daybank.progress import Progress
from daybank.reflect.record import ReflectionReport
from daybank.review.proposal import Proposal, State
from daybank_desktop import phrases, suggestion_words
from daybank_desktop.models.inbox_model import GroupRow, InboxModel, settled_rows, waiting_rows
from daybank_desktop.review_desk import ReviewDesk
from daybank_desktop.services.library import Library
from daybank_desktop.services.reflection import Reflection
from daybank_desktop.services.review import Inbox, ManyDone, Review
from daybank_desktop.suggestion_words import Group
from daybank_desktop.tasks import Tasks
from daybank_desktop.theme import Theme
from daybank_desktop.widgets.buttons import Button, IconButton
from daybank_desktop.widgets.confirm import ConfirmDialog
from daybank_desktop.widgets.empty_state import EmptyState
from daybank_desktop.widgets.error_card import ErrorCard
from daybank_desktop.widgets.inbox_list import InboxList
from daybank_desktop.widgets.label import Label
from daybank_desktop.widgets.notice_bar import NoticeBar
from daybank_desktop.widgets.page import Page
from daybank_desktop.widgets.progress_line import ProgressLine
from daybank_desktop.widgets.review_view import ReviewView
from daybank_desktop.widgets.skeleton import DELAY_MS, Skeleton
from daybank_desktop.widgets.stack import Stack
from daybank_desktop.widgets.surface import Hairline, Surface

_SIDE = 20


@dataclass(frozen=True, slots=True)
class ReviewPlace:
    """What the page shows: a suggestion, among those that wait or those that were answered."""

    suggestion: str = ""
    history: bool = False


class ReviewPage(Page):
    """``waiting_changed`` is for the badge in the sidebar; it is told at every change."""

    waiting_changed = Signal(int)
    report_requested = Signal(object)  # ReflectionReport to open the report of

    def __init__(
        self,
        tasks: Tasks,
        library: Library,
        review: Review,
        reflection: Reflection,
        today: date,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._theme = Theme.of(self)
        self._review = review
        self._reflection = reflection
        self._today = today
        self._pid = ""
        self._history = False
        self._takes_turns = False
        self._reads = False
        self._order: list[str] = []
        self._wanted: ReviewPlace | None = None
        self.model = InboxModel(self)
        self.list = InboxList(self.model)
        self.view = ReviewView()
        self.desk = ReviewDesk(review, self.view, self)
        self._slow = QTimer(self, singleShot=True, interval=DELAY_MS)
        self._build_column()
        self._build()
        self._connect()
        self._fit()

    # Building

    def _build_column(self) -> None:
        tr = self.tr
        self.count = Label("", "caption", "text.secondary", elide=True)
        self.more = IconButton("action.more", tr("More"), size=28)
        self._menu = QMenu(self)
        self.notice = NoticeBar(closable=True)
        self.notice.hide()
        self.progress = ProgressLine(cancel=tr("Stop"))
        self.reflect = Button(tr("Reflect now"), "quiet", icon="state.reflection")
        self.history = Button(tr("What was changed"), "quiet", icon="action.history")
        self.last = Button("", "link", small=True)
        self.last.setToolTip(tr("What this reflection suggested, and what it passed over"))
        for button in (self.reflect, self.history, self.last):
            button.setAutoDefault(False)
        self._title = Label(tr("Review"), "title")
        head = QHBoxLayout()
        head.setContentsMargins(_SIDE, 14, 10, 2)
        words = QVBoxLayout()
        words.setSpacing(0)
        words.addWidget(self._title)
        words.addWidget(self.count)
        head.addLayout(words, 1)
        head.addWidget(self.more, 0, Qt.AlignmentFlag.AlignTop)
        notices = QVBoxLayout()
        notices.setContentsMargins(10, 4, 10, 4)
        notices.addWidget(self.notice)
        foot = QVBoxLayout()
        foot.setContentsMargins(8, 6, 8, 6)
        foot.setSpacing(0)
        self._last_room = QWidget()
        last = QHBoxLayout(self._last_room)
        last.setContentsMargins(5, 0, 0, 0)
        last.addWidget(self.last)
        last.addStretch(1)
        self.last_words = Label("", "caption", "text.secondary", wrap=True)
        words_row = QHBoxLayout()
        words_row.setContentsMargins(13, 2, 8, 0)
        words_row.addWidget(self.last_words)
        progress = QHBoxLayout()
        progress.setContentsMargins(13, 0, 0, 0)
        progress.addWidget(self.progress)
        foot.addLayout(progress)
        foot.addWidget(self.reflect)
        foot.addWidget(self.history)
        foot.addLayout(words_row)
        foot.addWidget(self._last_room)
        self.column = Surface("bg.window", edges=["right"])
        box = QVBoxLayout(self.column)
        box.setContentsMargins(0, 0, 1, 0)
        box.setSpacing(0)
        box.addLayout(head)
        box.addLayout(notices)
        box.addWidget(self.list, 1)
        box.addWidget(Hairline())
        box.addLayout(foot)

    def _build(self) -> None:
        self.empty = EmptyState()
        self.error = ErrorCard()
        self._skeleton = Skeleton(3)
        self._skeleton_room, self._error_room = QWidget(), QWidget()
        for room, widget in ((self._skeleton_room, self._skeleton), (self._error_room, self.error)):
            box = QVBoxLayout(room)
            box.setContentsMargins(_SIDE, _SIDE, _SIDE, _SIDE)
            box.addWidget(widget)
            box.addStretch(1)
        self.right = Stack()
        for part in (self.view, self.empty, self._skeleton_room, self._error_room):
            self.right.addWidget(part)
        self.right.setCurrentWidget(self._skeleton_room)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        row.addWidget(self.column)
        row.addWidget(self.right, 1)
        self.setFocusProxy(self.list)

    def _connect(self) -> None:
        review, reflection = self._review, self._reflection
        review.loading.connect(self._on_loading)
        review.loaded.connect(self._on_inbox)
        review.load_failed.connect(self._on_load_failed)
        review.waiting_changed.connect(self.waiting_changed)
        review.many_progress.connect(self._on_many_progress)
        review.many_done.connect(self._on_many_done)
        review.many_undone.connect(self._on_many_undone)
        review.failed.connect(self._on_failed)
        reflection.started.connect(self._on_reflecting)
        reflection.progress.connect(self._on_progress)
        reflection.finished.connect(self._on_reflected)
        reflection.stopped.connect(self._on_reflection_over)
        reflection.busy.connect(self._on_busy)
        reflection.failed.connect(self._on_reflection_failed)
        reflection.reports_changed.connect(self._show_last)
        self.list.chosen.connect(self._on_chosen)
        self.list.picked.connect(self._on_picked)
        self.list.opened.connect(self._on_opened)
        self.list.menu_asked.connect(self._open_group_menu)
        self.more.clicked.connect(self._open_menu)
        self.reflect.clicked.connect(reflection.start)
        self.history.clicked.connect(lambda: self._show_history(not self._history))
        self.last.clicked.connect(self._ask_report)
        self.progress.cancelled.connect(self._stop)
        self.empty.acted.connect(reflection.start)
        self.error.primary_clicked.connect(self.refresh)
        self.view.back_asked.connect(self._go_to_list)
        self.desk.toast_requested.connect(self.toast_requested)
        self.desk.source_requested.connect(self.source_requested)
        self.desk.reopened.connect(lambda pid: self.open(pid))
        self._theme.changed.connect(self._fit)
        if review.inbox is not None:
            self._on_inbox(review.shown)
        self._show_last(reflection.reports)

    # For the window

    @property
    def suggestion(self) -> str:
        """The suggestion in sight, "" when there is none."""
        return self._pid

    @property
    def shows_history(self) -> bool:
        return self._history

    def refresh(self) -> None:
        """Read the suggestions and the reports again."""
        self._review.refresh()
        self._reflection.refresh()

    def show_place(self, state: object, again: bool) -> None:
        """Show what was shown at a place, or the page as it is."""
        if not isinstance(state, ReviewPlace):
            return
        if self._review.inbox is None:
            self._wanted = state
            return
        self._set_history(state.history)
        if state.suggestion:
            self.open(state.suggestion)

    def open(self, pid: str) -> None:
        """Show one suggestion, wherever it is listed."""
        shown = self._review.shown
        if any(p.id == pid for p in shown.settled):
            self._set_history(True)
        elif any(p.id == pid for p in shown.waiting):
            self._set_history(False)
        else:
            return
        self._show(pid)
        self._set_reads(True)

    # The list

    def _on_loading(self) -> None:
        self._skeleton.start()
        self.right.setCurrentWidget(self._skeleton_room)

    def _on_inbox(self, inbox: Inbox) -> None:
        self._skeleton.stop()
        wanted, self._wanted = self._wanted, None
        if wanted is not None:
            self._history = wanted.history
            self._pid = wanted.suggestion or self._pid
        self._fill(inbox)

    def _fill(self, inbox: Inbox) -> None:
        before = self._order
        if self._history:
            rows = settled_rows(inbox.settled, self._today)
        else:
            rows = waiting_rows(inbox.waiting)
        place = self.list.verticalScrollBar().value()
        self.model.set_rows(rows)
        self._order = self.model.ids
        self.list.verticalScrollBar().setValue(place)
        self._title.setText(self.tr("What was changed") if self._history else self.tr("Review"))
        self.history.setText(
            self.tr("Back to the suggestions") if self._history else self.tr("What was changed")
        )
        self.history.set_icon_name("action.back" if self._history else "action.history")
        self.more.setVisible(not self._history and bool(self._order))
        self._say_count(inbox)
        if not self._order:
            self._show_empty()
            return
        self._show(self._next_to(before))

    def _say_count(self, inbox: Inbox) -> None:
        if self._history:
            self.count.setText(suggestion_words.suggestions_count(len(inbox.settled)))
        elif inbox.waiting:
            self.count.setText(
                self.tr("{suggestions}, the surest first").format(
                    suggestions=suggestion_words.suggestions_count(len(inbox.waiting))
                )
            )
        else:
            self.count.setText(self.tr("Nothing is waiting"))

    def _next_to(self, before: Sequence[str]) -> str:
        """What is shown now, or what has taken its place in the list."""
        if self._pid in self._order:
            return self._pid
        replaced = self._successor()
        if replaced:
            return replaced
        if self._pid in before:
            at = before.index(self._pid)
            known = set(self._order)
            for pid in (*before[at + 1 :], *reversed(before[:at])):
                if pid in known:
                    return pid
        return self._order[0]

    def _successor(self) -> str:
        """A newer suggestion for the page of one that was overtaken while it was looked at."""
        old = self.view.proposal
        if old is None or old.id != self._pid or self._history:
            return ""
        settled = self._review.find(old.id)
        if settled is not None and settled.state not in (State.WITHDRAWN, State.WAITING):
            return ""
        waiting = self._review.shown.waiting
        return next((p.id for p in waiting if p.target == old.target), "")

    def _show(self, pid: str) -> None:
        changed = pid != self._pid
        if changed and self.view.is_editing and self._pid not in self._order:
            self._leave_edited(pid)
        self._pid = pid
        self.list.select(pid)
        self.right.setCurrentWidget(self.view)
        if self.desk.pid != pid:
            self.desk.show(pid)
        if changed:
            self.place_changed.emit(ReviewPlace(pid, self._history))
        self._show_sides()

    def _leave_edited(self, pid: str) -> None:
        """The suggestion that was being edited is gone; where no newer one takes the text up, it
        is offered."""
        old, new = self.view.proposal, self._review.find(pid)
        if old is None or new is None or old.target != new.target:
            self.view.keep_text()

    def _show_empty(self) -> None:
        if self.view.is_editing:
            self.view.keep_text()
        self._pid = ""
        self.desk.clear()
        if self._history:
            self.empty.set_content(
                "action.history",
                self.tr("Nothing was changed yet."),
                self.tr("What you accept or reject is listed here, and can be taken back."),
            )
        else:
            last = suggestion_words.last_run(self._reflection.last, self._today)
            running = self._reflection.is_running
            action = "" if running else self.tr("Reflect now")
            self.empty.set_content("state.ok", self.tr("All looked at."), f"{last}.", action)
        self.right.setCurrentWidget(self.empty)
        self._show_sides()

    def _on_load_failed(self, error: DaybankError) -> None:
        self._skeleton.stop()
        self.model.set_rows(())
        self._order = []
        self._pid = ""
        self.desk.clear()
        self.count.setText("")
        self.more.hide()
        self.error.set_content(error.title, error.message, primary=self.tr("Try again"))
        self.right.setCurrentWidget(self._error_room)
        self._show_sides()

    def _on_chosen(self, pid: str) -> None:
        self._show(pid)

    def _on_picked(self, pid: str) -> None:
        self._show(pid)
        self._set_reads(True)

    def _on_opened(self, pid: str) -> None:
        self._on_picked(pid)
        if self.view.cards:
            self.view.move_to(self.view.current)

    def _show_history(self, history: bool) -> None:
        self._set_history(history)
        self.place_changed.emit(ReviewPlace(self._pid, self._history))

    def _set_history(self, history: bool) -> None:
        if history != self._history:
            self._history = history
            self._fill(self._review.shown)

    # Many at once

    def _open_menu(self) -> None:
        self._fill_menu()
        corner = self.more.mapToGlobal(self.more.rect().bottomLeft())
        self._menu.popup(corner)

    def _fill_menu(self) -> None:
        self._menu.clear()
        waiting = self._review.shown.waiting
        for row in self.model.rows:
            if isinstance(row, GroupRow) and row.group is not None:
                group = row.group
                self._menu.addAction(
                    self.tr("Accept all for {page} ({count})…")
                    .format(page=row.title, count=phrases.count(row.count))
                    .replace("&", "&&"),
                    partial(self.accept_group, group),
                )
        self._menu.addSeparator()
        self._menu.addAction(
            self.tr("Accept all that wait ({count})…").format(count=phrases.count(len(waiting))),
            lambda: self.accept_group(None),
        )

    def _open_group_menu(self, row: GroupRow, place: QPointF) -> None:
        self._menu.clear()
        group = row.group
        self._menu.addAction(
            self.tr("Accept all for {page} ({count})…")
            .format(page=row.title, count=phrases.count(row.count))
            .replace("&", "&&"),
            lambda: self.accept_group(group),
        )
        self._menu.popup(place.toPoint())

    def accept_group(self, group: Group | None) -> ConfirmDialog | None:
        """Ask whether to save everything that waits for a kind of page, or everything."""
        wanted = [
            p
            for p in self._review.shown.waiting
            if group is None or suggestion_words.group_of(p.target) is group
        ]
        if not wanted or self._review.is_saving_many:
            return None
        count = suggestion_words.suggestions_count(len(wanted))
        title = self.tr("Accept {suggestions}?").format(suggestions=count)
        if group is not None:
            title = self.tr("Accept {suggestions} for {page}?").format(
                suggestions=count, page=suggestion_words.group_word(group)
            )
        dialog = ConfirmDialog(
            title,
            self.tr("These pages are changed. You can take it back afterwards."),
            self.tr("Accept all"),
            items=[_page_line(p) for p in wanted],
            parent=self,
        )
        pids = [p.id for p in wanted]
        dialog.accepted.connect(lambda: self._review.accept_many(pids))
        dialog.finished.connect(dialog.deleteLater)
        dialog.open()
        return dialog

    def _on_many_progress(self, done: int, total: int) -> None:
        words = self.tr("Saving, {done} of {total}").format(
            done=phrases.count(done), total=phrases.count(total)
        )
        self.progress.set_progress(words, done, total)

    def _on_many_done(self, done: ManyDone) -> None:
        if not self._reflection.is_running:
            self.progress.finish()
        pids = [p.id for p in done.saved]
        if pids:
            words = self.tr("Saved {suggestions}.").format(
                suggestions=suggestion_words.suggestions_count(len(pids))
            )
            self.toast_requested.emit(words, self.tr("Undo"), lambda: self._review.undo_many(pids))
        if done.refused:
            first = done.refused[0][1]
            words = self.tr("{suggestions} not saved, and still waiting. {why}").format(
                suggestions=suggestion_words.suggestions_count(len(done.refused)),
                why=f"{first.title} {first.message}".strip(),
            )
            self.notice.set_content(words, "caution")
            self.notice.show()

    def _on_many_undone(self, count: int) -> None:
        words = self.tr("Taken back: {suggestions}.")
        self.toast_requested.emit(
            words.format(suggestions=suggestion_words.suggestions_count(count)), "", None
        )

    def _on_failed(self, pid: str, error: DaybankError) -> None:
        if pid != self.desk.pid or self.right.currentWidget() is not self.view:
            self.notice.set_content(f"{error.title} {error.message}".strip(), "negative")
            self.notice.show()

    # Reflecting

    def _stop(self) -> None:
        if self._review.is_saving_many:
            self._review.stop_many()
        else:
            self._reflection.cancel()

    def _on_reflecting(self) -> None:
        self.reflect.setEnabled(False)
        self.notice.hide()
        self.progress.set_progress(self.tr("Reflecting…"))
        if not self._order and not self._history:
            self._show_empty()

    def _on_progress(self, progress: Progress) -> None:
        words = self.tr("Reflecting…")
        if progress.stage in ("scan", "read", "finish"):
            words = self.tr("Reading your notes…")
        self.progress.set_progress(words, progress.done, progress.total)

    def _on_reflection_over(self) -> None:
        self.reflect.setEnabled(True)
        self.progress.finish()
        if not self._order:
            self._show_empty()

    def _on_reflected(self, report: ReflectionReport) -> None:
        self._on_reflection_over()
        result = suggestion_words.run_result(report)
        words = self.tr("Reflection is through: {result}.").format(result=result)
        self.toast_requested.emit(
            words, self.tr("Details"), lambda: self.report_requested.emit(report)
        )

    def _on_busy(self, error: DaybankError) -> None:
        self._on_reflection_over()
        self.notice.set_content(
            self.tr(
                "A reflection is running already. Its suggestions appear here when it is done."
            ),
            "note",
        )
        self.notice.show()

    def _on_reflection_failed(self, error: DaybankError) -> None:
        self._on_reflection_over()
        self.notice.set_content(f"{error.title} {error.message}".strip(), "negative")
        self.notice.show()

    def _show_last(self, reports: Sequence[ReflectionReport]) -> None:
        last = reports[0] if reports else None
        self.last_words.setText(suggestion_words.last_run(last, self._today))
        self.last.setText(self.tr("What it found"))
        self._last_room.setVisible(last is not None)
        if self._review.inbox is not None and not self._order and not self._history:
            self._show_empty()

    def _ask_report(self) -> None:
        if self._reflection.last is not None:
            self.report_requested.emit(self._reflection.last)

    # One column or two

    def _go_to_list(self) -> None:
        self._set_reads(False)
        self.list.setFocus(Qt.FocusReason.OtherFocusReason)

    def _set_reads(self, reads: bool) -> None:
        self._reads = reads
        self._show_sides()

    def _show_sides(self) -> None:
        has_view = self.right.currentWidget() is self.view
        turns = self._takes_turns
        self.column.setVisible(not (turns and self._reads and has_view))
        self.right.setVisible(not turns or self._reads or not has_view)
        self.view.back.setVisible(turns)

    def _fit(self) -> None:
        theme = self._theme
        self._takes_turns = (
            self.window().width() < theme.size("oneColumnBelow") or theme.text_size >= 150
        )
        policy = self.column.sizePolicy()
        if self._takes_turns:
            self.column.setMinimumWidth(0)
            self.column.setMaximumWidth(16_777_215)
            policy.setHorizontalPolicy(QSizePolicy.Policy.Expanding)
        else:
            self.column.setFixedWidth(theme.px(theme.size("listNarrow")))
            policy.setHorizontalPolicy(QSizePolicy.Policy.Fixed)
        self.column.setSizePolicy(policy)
        self._show_sides()

    # Qt overrides

    def keyPressEvent(self, event: QKeyEvent) -> None:
        showing = self.right.currentWidget() is self.view and not self.right.isHidden()
        if showing and self.view.handle_key(event):
            return
        if event.key() == Qt.Key.Key_Escape and showing and self._takes_turns:
            self._go_to_list()
            return
        super().keyPressEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._fit()


def _page_line(proposal: Proposal) -> str:
    return f"{suggestion_words.page_name(proposal.target)} — {proposal.target}"
