"""One suggestion with its changes: the right side of the Review page, and the whole of its dialog.

It shows values and asks by signals; who answers is ``review_desk``. Cards are filled one a turn of
the event loop, from the top down and as they are scrolled to, so that a page with a hundred changes
opens at once; the next suggestion finds some of them made. What is typed into an editor is kept
here by what it belongs to, so that it outlives a newer reflection and every redrawing. GUI thread.
"""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QPoint, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import (
    QApplication,
    QFrame,
    QHBoxLayout,
    QMenu,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from daybank.review.merge import Clash
from daybank.review.proposal import Decision, Hunk, Proposal, State
from daybank_desktop import phrases, suggestion_words
from daybank_desktop.models.diff_rows import DiffRow
from daybank_desktop.theme import Theme
from daybank_desktop.widgets.announce import announce
from daybank_desktop.widgets.buttons import Button, IconButton
from daybank_desktop.widgets.change_card import Change, ChangeCard, ConflictCard
from daybank_desktop.widgets.column_area import ByWidth
from daybank_desktop.widgets.diff_view import DiffMode
from daybank_desktop.widgets.error_line import ErrorLine
from daybank_desktop.widgets.label import Label
from daybank_desktop.widgets.notice_bar import NoticeBar
from daybank_desktop.widgets.progress_line import ProgressBar
from daybank_desktop.widgets.quiet_scroll_bar import QuietScrollBar
from daybank_desktop.widgets.segmented import Segmented
from daybank_desktop.widgets.skeleton import Skeleton
from daybank_desktop.widgets.surface import Card

_SIDE = 20
_SCROLL_BAR = 12  # lies in the room beside the cards, which end where the head does
_BETWEEN = 12
_TOAST = 72  # room at the foot, where a toast may lie
_FIRST_CARDS = 2
_SCREENS_AHEAD = 2
_KEPT_CARDS = 6
_STACK_BELOW = 760
_NARROW_WINDOW = 1100

_SAME_PLACE = {
    "ф": Qt.Key.Key_A,
    "у": Qt.Key.Key_E,
    "к": Qt.Key.Key_R,
    "г": Qt.Key.Key_U,
    "о": Qt.Key.Key_J,
    "л": Qt.Key.Key_K,
}
"""What a Russian keyboard writes where the letters of the buttons are printed."""

Key = tuple[str, str]


class ReviewView(QWidget):
    """Keys: J and K move, A accepts, E edits, R rejects, U takes the answer back."""

    accept_asked = Signal(int)
    reject_asked = Signal(int)
    undo_asked = Signal(int)
    never_asked = Signal(int)
    edit_done = Signal(int, object)  # the change, its lines
    accept_all_asked = Signal()
    reject_all_asked = Signal()
    save_asked = Signal()  # every change has its answer
    shrink_allowed = Signal()
    conflict_settled = Signal(object)  # numbers of the changes to take all the same
    revert_asked = Signal()
    source_asked = Signal(object)  # Evidence
    page_asked = Signal(str)  # the path of the page the suggestion is for
    back_asked = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = Theme.of(self)
        self._proposal: Proposal | None = None
        self._rows: tuple[tuple[DiffRow, ...], ...] = ()
        self._cards: list[ChangeCard] = []
        self._spare: list[ChangeCard] = []  # made and hidden, in the order of the page
        self._conflicts: list[ConflictCard] = []
        self._queue: list[Change] = []
        self._current = 0
        self._forced = False
        self._can_revert = False
        self._is_late = False
        self.drafts: dict[Key, str] = {}
        """What was typed and not accepted yet, by what it belongs to."""
        self._editing: tuple[Key, ...] = ()
        self._more_cards = QTimer(self, singleShot=True, interval=0)
        self._more_cards.timeout.connect(self._make_card)
        self._build_head()
        self._build_notices()
        self._build()
        self._theme.changed.connect(self._fit)

    # Building

    def _build_head(self) -> None:
        tr = self.tr
        self.back = IconButton("action.back", tr("Back to the list"))
        self.back.clicked.connect(self.back_asked)
        self.back.hide()
        self.title = Label("", "title", elide=True)
        self.reason = Label("", "small", "text.secondary", wrap=True)
        self.reject_all = Button(tr("Reject all"), "quiet")
        self.accept_all = Button(tr("Accept all"), icon="action.acceptAll")
        self.revert = Button(tr("Take back"), icon="action.undo")
        self.more = IconButton("action.more", tr("More"))
        self._menu = QMenu(self)
        self._menu.addAction(tr("Open this page"), self._open_page)
        self._menu.addAction(tr("Copy the suggested lines"), self._copy_lines)
        self.reject_all.clicked.connect(self.reject_all_asked)
        self.accept_all.clicked.connect(self.accept_all_asked)
        self.revert.clicked.connect(self.revert_asked)
        self.more.clicked.connect(
            lambda: self._menu.popup(self.more.mapToGlobal(self.more.rect().bottomLeft()))
        )
        for button in (self.reject_all, self.accept_all, self.revert):
            button.setAutoDefault(False)
        self.modes = Segmented(
            tr("How changes are shown"),
            (
                ("side", "action.sideBySide", tr("Side by side")),
                ("one", "action.inOne", tr("In one")),
            ),
        )
        self.modes.chosen.connect(self._fit)
        self.room = RoomBar()
        self.room.hide()

    def _build_notices(self) -> None:
        tr = self.tr
        self.notice = NoticeBar(closable=True)
        self.notice.hide()
        self.kept = NoticeBar(closable=True)
        self.kept.hide()
        self.kept.acted.connect(self._copy_kept)
        self._kept_text = ""
        self.error = ErrorLine()
        self.again = Button(tr("Try again"), small=True)
        self.again.clicked.connect(self.save_asked)
        self._error_row = QWidget()
        row = QHBoxLayout(self._error_row)
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(self.error, 1, Qt.AlignmentFlag.AlignVCenter)
        row.addWidget(self.again, 0, Qt.AlignmentFlag.AlignTop)
        self._error_row.hide()
        self.shrink = _Question(
            yes=tr("Save it all the same"), no=tr("Leave the page as it is"), danger=True
        )
        self.shrink.yes.clicked.connect(self._allow_shrink)
        self.shrink.no.clicked.connect(self._leave_page)
        self.shrink.hide()
        self.finish = NoticeBar(
            tr("Every change has an answer, and nothing is saved yet."),
            "note",
            action=tr("Save now"),
        )
        self.finish.acted.connect(self.save_asked)
        self.finish.hide()
        self.settle = Button(tr("Go on with these"), "primary")
        self.settle.clicked.connect(self._settle_conflict)

    def _build(self) -> None:
        head = QHBoxLayout()
        head.setSpacing(8)
        words = QVBoxLayout()
        words.setSpacing(0)
        words.addWidget(self.title)
        words.addWidget(self.reason)
        head.addWidget(self.back, 0, Qt.AlignmentFlag.AlignTop)
        head.addLayout(words, 1)
        for widget in (self.reject_all, self.accept_all, self.revert, self.more):
            head.addWidget(widget, 0, Qt.AlignmentFlag.AlignTop)
        bar = QHBoxLayout()
        bar.setSpacing(8)
        bar.addWidget(self.modes)
        bar.addStretch(1)
        bar.addWidget(self.room)
        self._column = ByWidth()
        self._list = QVBoxLayout(self._column)
        self._list.setContentsMargins(_SIDE, 2, _SIDE - _SCROLL_BAR, _TOAST)
        self._list.setSpacing(_BETWEEN)
        self._skeleton = Skeleton(3)
        self._skeleton.hide()
        self._list.addWidget(self._skeleton)
        self._list.addWidget(self.settle, 0, Qt.AlignmentFlag.AlignLeft)
        self.settle.hide()
        self._list.addStretch(1)
        self.area = QScrollArea()
        self.area.setFrameShape(QFrame.Shape.NoFrame)
        self.area.setWidgetResizable(True)
        self.area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.area.setVerticalScrollBar(QuietScrollBar(Qt.Orientation.Vertical))
        self.area.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)
        self.area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.area.setWidget(self._column)
        scroll = self.area.verticalScrollBar()
        scroll.setSingleStep(24)
        scroll.valueChanged.connect(self._on_scrolled)
        scroll.rangeChanged.connect(self._on_scrolled)
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 14, 0, 0)
        box.setSpacing(10)
        top = QVBoxLayout()
        top.setContentsMargins(_SIDE, 0, _SIDE, 0)
        top.setSpacing(10)
        top.addLayout(head)
        top.addLayout(bar)
        for notice in (
            self.notice,
            self.kept,
            self._error_row,
            self.shrink,
            self.finish,
        ):
            top.addWidget(notice)
        box.addLayout(top)
        box.addWidget(self.area, 1)

    # What is shown

    @property
    def proposal(self) -> Proposal | None:
        return self._proposal

    @property
    def cards(self) -> list[ChangeCard]:
        """The cards made so far, in the order of the page."""
        return self._cards

    @property
    def conflict_cards(self) -> list[ConflictCard]:
        return self._conflicts

    @property
    def is_complete(self) -> bool:
        """Whether every card is there that is in sight or near it."""
        return not (self.isVisible() and self._wants_cards)

    @property
    def current(self) -> int:
        """The change that the keys speak to, from 0."""
        return self._current

    @property
    def is_editing(self) -> bool:
        return any(card.is_editing for card in self._cards)

    @property
    def error_text(self) -> str:
        return "" if self._error_row.isHidden() else self.error.text

    def show_loading(self) -> None:
        """Nothing yet; grey bars when it takes long."""
        self._clear()
        self._proposal = None
        self.title.setText("")
        self.reason.setText("")
        self._show_head()
        self._skeleton.show()
        self._skeleton.start()

    def show_prepared(
        self,
        proposal: Proposal,
        rows: Sequence[tuple[DiffRow, ...]],
        room: tuple[float, float] | None,
    ) -> None:
        """Show a suggestion. The same one shown again keeps its place and its open editor."""
        self._skeleton.stop()
        self._skeleton.hide()
        before = self._proposal
        fits = (
            before is not None
            and before.id == proposal.id
            and not self._conflicts
            and len(before.hunks) == len(proposal.hunks)
            and [h.topic for h in before.hunks] == [h.topic for h in proposal.hunks]
        )
        self._proposal, self._rows = proposal, tuple(rows)
        self.room.set_room(room)
        if fits:
            self._refresh_cards()
        else:
            if before is None or before.id != proposal.id:
                self.hide_notices()
            self._clear()
            self._current = self._first_waiting()
            self._queue = list(self._changes())
            self.area.verticalScrollBar().setValue(0)
            self._make_cards()
            self._tell_of_lost_text(before)
        self._show_head()
        self._mark_current()

    def update_proposal(self, proposal: Proposal) -> None:
        """The same suggestion with other answers."""
        if self._proposal is None or proposal.id != self._proposal.id:
            return
        if len(proposal.hunks) != len(self._rows):
            return  # it was fitted to an edited page; its rows are on their way
        self._proposal = proposal
        self._refresh_cards()
        self._show_head()

    def _changes(self) -> list[Change]:
        proposal = self._proposal
        assert proposal is not None
        count = len(proposal.hunks)
        waits = proposal.state is State.WAITING
        return [
            Change(number, count, hunk, rows, waits)
            for number, (hunk, rows) in enumerate(
                zip(proposal.hunks, self._rows, strict=True), start=1
            )
        ]

    def _refresh_cards(self) -> None:
        changes = self._changes()
        made = len(self._cards)
        for card, change in zip(self._cards, changes, strict=False):
            if card.change != change:
                card.show_change(change)
        self._queue = changes[made:]

    def _make_cards(self) -> None:
        """From the next turn on. While nobody sees them they would be laid out for a width that
        they never get."""
        if self.isVisible() and self._wants_cards:
            self._more_cards.start()

    def _make_card(self) -> None:
        """Make or fill one a turn, and no more than are wanted in sight and below it."""
        if self._wants_cards:
            if self._spare:
                self._add_card(self._queue.pop(0))
            else:
                self._spare.append(self._new_card(len(self._cards)))
        self._make_cards()

    def _on_scrolled(self) -> None:
        if self._queue and not self._more_cards.isActive():
            self._make_cards()

    @property
    def _wants_cards(self) -> bool:
        if not self._queue:
            return False
        if len(self._cards) < _FIRST_CARDS:
            return True
        viewport, bar = self.area.viewport(), self.area.verticalScrollBar()
        made = self._list.totalHeightForWidth(viewport.width())
        return made < bar.value() + (1 + _SCREENS_AHEAD) * viewport.height()

    def _add_card(self, change: Change) -> None:
        index = len(self._cards)
        card = self._spare.pop(0) if self._spare else self._new_card(index)
        self._cards.append(card)
        card.set_mode(self._mode)
        card.set_stacked(self._stacked)
        card.set_current(index == self._current)
        card.show_change(change)
        card.show()
        keys = self._keys(change.hunk)
        draft = next((self.drafts[key] for key in keys if key in self.drafts), None)
        if draft is not None:
            card.keep_draft(draft)
            if set(keys) & set(self._editing):
                card.start_editing(draft)
                self._set_current(index)

    def _new_card(self, index: int) -> ChangeCard:
        card = ChangeCard()
        card.accept_asked.connect(lambda: self.accept_asked.emit(index))
        card.reject_asked.connect(lambda: self.reject_asked.emit(index))
        card.undo_asked.connect(lambda: self.undo_asked.emit(index))
        card.never_asked.connect(lambda: self.never_asked.emit(index))
        card.edited.connect(lambda lines: self._on_edited(index, lines))
        card.draft_changed.connect(lambda text: self._on_draft(index, text))
        card.edit_ended.connect(self._on_edit_ended)
        card.source_asked.connect(self.source_asked)
        card.activated.connect(lambda: self._set_current(index))
        card.edit.clicked.connect(lambda: self._on_edit_begun(index))
        card.resize(self._list.contentsRect().width(), card.height())  # or it is laid out twice
        card.hide()
        self._list.insertWidget(self._list.count() - 2, card)
        return card

    def _clear(self) -> None:
        self._more_cards.stop()
        self._queue = []
        made = [*self._cards, *self._spare]
        self._cards, self._spare = [], made[:_KEPT_CARDS]
        for card in self._spare:
            card.hide()
            card.forget()
        for gone in (*made[_KEPT_CARDS:], *self._conflicts):
            gone.hide()
            self._list.removeWidget(gone)
            gone.deleteLater()
        self._conflicts = []
        self.settle.hide()

    def _show_head(self) -> None:
        proposal = self._proposal
        state = proposal.state if proposal is not None else None
        has = proposal is not None
        waits = state is State.WAITING and not self._conflicts
        open_ = 0
        if proposal is not None:
            name = suggestion_words.page_name(proposal.target)
            self.title.setText(name)
            open_ = sum(hunk.decision is Decision.WAITING for hunk in proposal.hunks)
            if proposal.state is State.WAITING:
                safe = self.tr("Nothing changes until you accept.")
                self.reason.setText(f"{_sentence(proposal.reason)} {safe}".strip())
            else:
                became = suggestion_words.state_word(proposal)
                self.reason.setText(f"{became}. {_sentence(proposal.reason)}".strip())
            self.setAccessibleName(name)
            count = len(proposal.hunks)
            both = self.tr("Accept both") if count == 2 == open_ else self.tr("Accept all")
            self.accept_all.setText(both if count > 1 else self.tr("Accept"))
            self.reject_all.setText(self.tr("Reject all") if count > 1 else self.tr("Reject"))
        self.accept_all.setVisible(waits and open_ > 0)
        self.reject_all.setVisible(waits and open_ > 0)
        settled = state is not None and state is not State.WAITING
        self.revert.setVisible(settled and self._can_revert)
        self.more.setVisible(has)
        self.modes.setVisible(has and not self._forced)
        done = waits and open_ == 0 and self._error_row.isHidden() and self.shrink.isHidden()
        self.finish.setVisible(done and self._is_late)

    def set_revertible(self, can_revert: bool) -> None:
        """Whether what became of the suggestion can be taken back."""
        self._can_revert = can_revert
        self._show_head()

    def set_late(self, late: bool) -> None:
        """Saving did not follow the last answer, so the person is offered to do it."""
        self._is_late = late
        self._show_head()

    # Notices

    def hide_notices(self) -> None:
        self._error_row.hide()
        self.error.set_text("")
        self.shrink.hide()
        self.notice.hide()
        self._is_late = False

    def show_notice(self, text: str) -> None:
        self._error_row.hide()
        self.notice.set_content(text, "caution")
        self.notice.show()

    def show_failure(self, title: str, message: str, *, can_retry: bool) -> None:
        """What was not done, what is safe, and what to do."""
        self.error.set_text(f"{title} {message}".strip())
        self.again.setVisible(can_retry)
        self._error_row.show()
        self._show_head()

    def ask_shrink(self, title: str, message: str) -> None:
        """Much of the page would go: only with an explicit yes."""
        self.shrink.set_words(title, message)
        self.shrink.show()
        self.shrink.no.setFocus(Qt.FocusReason.OtherFocusReason)
        self._is_late = True
        self._show_head()
        announce(self, f"{title} {message}")

    def _leave_page(self) -> None:
        self.shrink.hide()
        self._show_head()

    def _allow_shrink(self) -> None:
        self.shrink.hide()
        self.shrink_allowed.emit()

    def show_conflict(self, proposal: Proposal, clashes: Sequence[Clash]) -> None:
        """Both sides of each line that was edited meanwhile; the person chooses."""
        self._proposal = proposal
        self._clear()
        self.hide_notices()
        self.notice.set_content(
            self.tr(
                "You edited these lines after this was suggested. Nothing was overwritten."
                " Choose which to keep."
            ),
            "caution",
        )
        self.notice.show()
        for number, clash in enumerate(clashes, start=1):
            card = ConflictCard(clash, number, len(clashes))
            card.set_mode(self._mode)
            card.chosen.connect(lambda _: self._after_choice())
            card.activated.connect(lambda card=card: self._mark_conflict(card))
            self._list.insertWidget(self._list.count() - 2, card)
            self._conflicts.append(card)
        self.settle.show()
        self._after_choice()
        self._show_head()
        self._conflicts[0].setFocus(Qt.FocusReason.OtherFocusReason)

    def _after_choice(self) -> None:
        self.settle.setEnabled(all(card.taken is not None for card in self._conflicts))

    def _mark_conflict(self, current: ConflictCard) -> None:
        for card in self._conflicts:
            card.set_current(card is current)

    def _settle_conflict(self) -> None:
        taken = tuple(card.clash.index for card in self._conflicts if card.taken)
        self.settle.setEnabled(False)
        self.conflict_settled.emit(taken)

    # Drafts

    def _keys(self, hunk: Hunk) -> tuple[Key, ...]:
        assert self._proposal is not None
        target = self._proposal.target
        keys = [(target, hunk.fingerprint(target))]
        if hunk.topic:
            keys.append((target, f"topic {hunk.topic}"))
        return tuple(keys)

    def _hunk(self, index: int) -> Hunk | None:
        proposal = self._proposal
        return proposal.hunks[index] if proposal and index < len(proposal.hunks) else None

    def _on_edit_begun(self, index: int) -> None:
        hunk = self._hunk(index)
        if hunk is not None:
            self._editing = self._keys(hunk)

    def _on_draft(self, index: int, text: str) -> None:
        hunk = self._hunk(index)
        if hunk is not None:
            self._editing = self._keys(hunk)
            for key in self._editing:
                self.drafts[key] = text

    def _on_edit_ended(self) -> None:
        self._editing = ()

    def _on_edited(self, index: int, lines: tuple[str, ...]) -> None:
        hunk = self._hunk(index)
        self._editing = ()
        if hunk is not None:
            for key in self._keys(hunk):
                self.drafts.pop(key, None)
        self.edit_done.emit(index, lines)

    def _tell_of_lost_text(self, before: Proposal | None) -> None:
        """An edit being typed whose change is not suggested any more: its text is not lost."""
        now = self._proposal
        if not self._editing or now is None or before is None:
            return
        known = {key for hunk in now.hunks for key in self._keys(hunk)}
        if known & set(self._editing):
            return
        if now.id != before.id and now.target != before.target:
            self._editing = ()  # the person went elsewhere; the draft waits for them
            return
        self.keep_text()

    def keep_text(self) -> None:
        """Say that what is being typed has nothing to belong to any more, and offer it."""
        text = next((self.drafts[key] for key in self._editing if key in self.drafts), "")
        self._editing = ()
        if not text:
            return
        self._kept_text = text
        self.kept.set_content(
            self.tr("The change you were editing is not suggested any more. Your text is kept."),
            "caution",
            action=self.tr("Copy it"),
        )
        self.kept.show()

    def _copy_kept(self) -> None:
        QApplication.clipboard().setText(self._kept_text)

    # Moving and keys

    def _first_waiting(self) -> int:
        proposal = self._proposal
        assert proposal is not None
        for index, hunk in enumerate(proposal.hunks):
            if hunk.decision is Decision.WAITING:
                return index
        return 0

    def _set_current(self, index: int) -> None:
        if index != self._current:
            self._current = index
            self._mark_current()

    def _mark_current(self) -> None:
        for index, card in enumerate(self._cards):
            card.set_current(index == self._current)

    def move_to(self, index: int) -> None:
        """Make a change the current one and bring it into sight."""
        if not (self._cards or self._queue):
            return
        index = max(0, min(len(self._cards) + len(self._queue) - 1, index))
        while index >= len(self._cards):
            self._add_card(self._queue.pop(0))
        self._set_current(index)
        card = self._cards[index]
        card.setFocus(Qt.FocusReason.ShortcutFocusReason)
        QTimer.singleShot(0, self, lambda: self._bring_in(card))

    def move_to_next_waiting(self) -> None:
        """After an answer: the next change without one, if there is any."""
        proposal = self._proposal
        if proposal is None:
            return
        count = len(proposal.hunks)
        for step in range(1, count):
            index = (self._current + step) % count
            if proposal.hunks[index].decision is Decision.WAITING:
                self.move_to(index)
                return

    def _bring_in(self, card: ChangeCard) -> None:
        if card not in self._cards:
            return
        bar, height = self.area.verticalScrollBar(), self.area.viewport().height()
        top = card.mapTo(self._column, QPoint(0, 0)).y() - 6
        bottom = top + card.height() + _TOAST
        if bottom - top > height or top < bar.value():
            bar.setValue(top)
        elif bottom > bar.value() + height:
            bar.setValue(bottom - height)

    def handle_key(self, event: QKeyEvent) -> bool:
        """Do what a letter stands for; False where it stands for nothing here."""
        plain = event.modifiers() in (
            Qt.KeyboardModifier.NoModifier,
            Qt.KeyboardModifier.ShiftModifier,
        )
        while self._queue and self._current >= len(self._cards):
            self._add_card(self._queue.pop(0))
        if not plain or not self._cards or self._current >= len(self._cards):
            return False
        card = self._cards[self._current]
        key = _SAME_PLACE.get(event.text().casefold(), event.key())
        if key == Qt.Key.Key_J:
            self.move_to(self._current + 1)
        elif key == Qt.Key.Key_K:
            self.move_to(self._current - 1)
        elif key == Qt.Key.Key_U:
            if not card.back.isHidden():
                card.back.click()
            elif not self.revert.isHidden():
                self.revert.click()
        else:
            buttons = {
                Qt.Key.Key_A: card.accept,
                Qt.Key.Key_E: card.edit,
                Qt.Key.Key_R: card.reject,
            }
            button = buttons.get(Qt.Key(key))
            if button is None:
                return False
            if not button.isHidden():
                button.click()
        return True

    # Fitting

    @property
    def _mode(self) -> DiffMode:
        one = self._forced or self.modes.value == "one"
        return DiffMode.IN_ONE if one else DiffMode.SIDE_BY_SIDE

    @property
    def _stacked(self) -> bool:
        return self.width() < self._theme.px(_STACK_BELOW)

    def _fit(self) -> None:
        self._forced = self.window().width() < _NARROW_WINDOW or self._theme.text_size >= 150
        self.modes.setVisible(self._proposal is not None and not self._forced)
        for card in self._cards:
            card.set_mode(self._mode)
            card.set_stacked(self._stacked)
        for conflict in self._conflicts:
            conflict.set_mode(self._mode)

    def _open_page(self) -> None:
        if self._proposal is not None:
            self.page_asked.emit(self._proposal.target)

    def _copy_lines(self) -> None:
        if self._proposal is not None:
            lines = [line for hunk in self._proposal.hunks for line in hunk.outcome]
            QApplication.clipboard().setText("\n".join(lines))

    # Qt overrides

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if not self.handle_key(event):
            super().keyPressEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._fit()
        self._make_cards()


class RoomBar(QWidget):
    """How full the core memory is with the changes, and how full it was."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._after = Label("", "captionStrong", tabular=True)
        self._before = Label("", "caption", "text.secondary", tabular=True)
        self.bar = ProgressBar(150)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        row.addWidget(Label(self.tr("Core"), "caption", "text.secondary"))
        row.addSpacing(12)
        row.addWidget(self.bar)
        row.addSpacing(12)
        row.addWidget(self._after)
        row.addWidget(self._before)

    @property
    def text(self) -> str:
        return self._after.text() + self._before.text()

    def set_room(self, room: tuple[float, float] | None) -> None:
        """Shares of the whole, before and after; None takes the bar away."""
        self.setVisible(room is not None)
        if room is None:
            return
        before, after = (phrases.percent(share) for share in room)
        self._after.setText(self.tr("{percent} % full").format(percent=after))
        self._after.set_color("negative" if after > 100 else "text.primary")
        self._before.setText(self.tr(", was {percent} %").format(percent=before))
        self.bar.set_share(room[1])
        words = self.tr("Core is {after} % full with this, and was {before} %").format(
            after=after, before=before
        )
        self.bar.setAccessibleName(words)
        self.setAccessibleName(words)
        self.setToolTip(
            self.tr("Core is read in every conversation, so it is kept short.")
            if after <= 100
            else self.tr("Core would be longer than it should be.")
        )


class _Question(Card):
    """Something that needs an explicit yes, asked in place."""

    def __init__(self, *, yes: str, no: str, danger: bool) -> None:
        super().__init__(fill="caution.soft", border="", radius="md")
        self._title = Label("", "bodyStrong", wrap=True)
        self._text = Label("", "small", "text.secondary", wrap=True)
        self.yes = Button(yes, "danger" if danger else "primary", small=True)
        self.no = Button(no, small=True)
        buttons = QHBoxLayout()
        buttons.setSpacing(8)
        buttons.addWidget(self.no)
        buttons.addWidget(self.yes)
        buttons.addStretch(1)
        box = QVBoxLayout(self)
        box.setContentsMargins(14, 10, 14, 12)
        box.setSpacing(4)
        box.addWidget(self._title)
        box.addWidget(self._text)
        box.addSpacing(4)
        box.addLayout(buttons)

    def set_words(self, title: str, text: str) -> None:
        self._title.setText(title)
        self._text.setText(text)
        self.setAccessibleName(f"{title} {text}")

    @property
    def text(self) -> str:
        return f"{self._title.text()} {self._text.text()}"


def _sentence(text: str) -> str:
    text = text.strip()
    return text if not text or text[-1] in ".!?…" else f"{text}."
