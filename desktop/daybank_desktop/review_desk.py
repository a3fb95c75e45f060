"""Joins the view of one suggestion to the service that answers it, for the page and the dialog.

GUI thread. The desk decides nothing by itself; it carries answers one way and what came of them the
other, and words the toasts.
"""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, Signal

from daybank.errors import DaybankError, ProposalNotFound
from daybank.review.proposal import Decision, Evidence, Proposal, State
from daybank_desktop import suggestion_words
from daybank_desktop.services.review import Inbox, Prepared, Review, room_of
from daybank_desktop.widgets.review_view import ReviewView


class ReviewDesk(QObject):
    """One view with the suggestion that is on it."""

    toast_requested = Signal(str, str, object)  # text, action, what the action does
    source_requested = Signal(object)  # (Source, id)
    reopened = Signal(str)  # a suggestion wants to be looked at again

    def __init__(self, review: Review, view: ReviewView, parent: QObject | None = None) -> None:
        super().__init__(parent or view)
        self._review = review
        self._view = view
        self._pid = ""
        self._mine: set[str] = set()  # answered here; what comes of them is told here
        review.prepared.connect(self._on_prepared)
        review.prepare_failed.connect(self._on_prepare_failed)
        review.loaded.connect(self._on_inbox)
        review.answered.connect(self._on_answered)
        review.saved.connect(self._on_saved)
        review.rejected.connect(self._on_rejected)
        review.undone.connect(self._on_undone)
        review.changed_underneath.connect(self._on_changed)
        review.conflict.connect(self._on_conflict)
        review.yes_needed.connect(self._on_yes_needed)
        review.failed.connect(self._on_failed)
        view.accept_asked.connect(lambda n: review.decide(self._pid, n, Decision.ACCEPTED))
        view.reject_asked.connect(lambda n: review.decide(self._pid, n, Decision.REJECTED))
        view.undo_asked.connect(self._take_back_one)
        view.never_asked.connect(self._never)
        view.edit_done.connect(self._on_edit)
        view.accept_all_asked.connect(lambda: review.decide_all(self._pid, Decision.ACCEPTED))
        view.reject_all_asked.connect(lambda: review.decide_all(self._pid, Decision.REJECTED))
        view.save_asked.connect(self._save)
        view.shrink_allowed.connect(lambda: review.apply(self._pid, allow_shrink=True))
        view.conflict_settled.connect(lambda taken: review.settle_conflict(self._pid, taken))
        view.revert_asked.connect(self._revert)
        view.source_asked.connect(self._on_source)
        view.page_asked.connect(self._on_page)

    @property
    def pid(self) -> str:
        return self._pid

    def show(self, pid: str) -> None:
        """Put a suggestion on the desk."""
        if pid != self._pid:
            self._pid = pid
            self._view.show_loading()
        self._review.prepare(pid)

    def clear(self) -> None:
        self._pid = ""

    # From the service

    def _on_prepared(self, prepared: Prepared) -> None:
        if prepared.proposal.id != self._pid:
            return
        room = prepared.room
        self._view.show_prepared(
            prepared.proposal,
            prepared.rows,
            (room.before, room.after) if room is not None else None,
        )
        known = self._review.display(self._pid)
        if known is not None:  # answered while its rows were made
            self._view.update_proposal(known)
        self._view.set_revertible(self._review.can_undo(prepared.proposal))
        self._offer_saving(prepared.proposal)

    def _offer_saving(self, proposal: Proposal) -> None:
        """A suggestion that was found with all its answers and was never saved."""
        if proposal.state is State.WAITING and proposal.is_decided:
            self._view.set_late(True)

    def _on_prepare_failed(self, pid: str, error: DaybankError) -> None:
        if pid == self._pid:
            self._view.show_failure(error.title, error.message, can_retry=False)

    def _on_inbox(self, inbox: Inbox) -> None:
        """Another window, a reflection or an edit of the page may have changed it."""
        shown = self._view.proposal
        if shown is None or not self._pid:
            return
        known = self._review.display(self._pid)
        if known is None or known == shown:
            return
        self._view.set_revertible(self._review.can_undo(known))
        same = [h.outcome for h in known.hunks] == [h.outcome for h in shown.hunks]
        if same and known.base_text == shown.base_text and known.state is shown.state:
            self._view.update_proposal(known)
        else:
            self._review.prepare(self._pid)

    def _on_answered(self, proposal: Proposal, index: int) -> None:
        if proposal.id != self._pid:
            return
        self._mine.add(proposal.id)
        self._view.hide_notices()
        self._view.update_proposal(proposal)
        room = room_of(proposal)
        self._view.room.set_room((room.before, room.after) if room is not None else None)
        hunk = proposal.hunks[index] if index >= 0 else None
        if hunk is None or hunk.edited is not None or hunk.decision is Decision.WAITING:
            self._review.prepare(self._pid)
        if hunk is None or proposal.is_decided or hunk.decision is Decision.WAITING:
            return
        self._view.move_to_next_waiting()
        name = suggestion_words.page_name(proposal.target)
        words = (
            self.tr("Accepted. {page} is saved once every change has an answer.")
            if hunk.decision is Decision.ACCEPTED
            else self.tr("Rejected. {page} is saved once every change has an answer.")
        )
        pid = self._pid
        self._toast(
            words.format(page=name),
            lambda: self._review.decide(pid, index, Decision.WAITING, hunk.edited),
        )

    def _on_saved(self, proposal: Proposal) -> None:
        pid = proposal.id
        if pid not in self._mine:
            return
        if pid == self._pid:
            self._view.hide_notices()
        name = suggestion_words.page_name(proposal.target)
        self._toast(self.tr("Saved in {page}.").format(page=name), lambda: self._review.undo(pid))

    def _on_rejected(self, proposal: Proposal) -> None:
        pid = proposal.id
        if pid not in self._mine:
            return
        name = suggestion_words.page_name(proposal.target)
        words = self.tr("Rejected. {page} stays as it is.").format(page=name)
        if self._review.can_undo(proposal):
            self._toast(words, lambda: self._reopen(pid))
        else:
            self.toast_requested.emit(words, "", None)

    def _reopen(self, pid: str) -> None:
        self._review.undo(pid)
        self.reopened.emit(pid)

    def _on_undone(self, proposal: Proposal) -> None:
        name = suggestion_words.page_name(proposal.target)
        if proposal.id == self._pid or proposal.id in self._mine:
            self.toast_requested.emit(
                self.tr("Taken back. {page} says what it said before.").format(page=name), "", None
            )
        if proposal.id == self._pid:
            self._review.prepare(self._pid)

    def _on_changed(self, proposal: Proposal) -> None:
        if proposal.id != self._pid:
            self._call_back(proposal)
            return
        self._view.hide_notices()
        self._view.show_notice(
            self.tr(
                "This page was edited meanwhile. Here is the suggestion again, fitted to the new"
                " text."
            )
        )
        self._review.prepare(self._pid)

    def _on_conflict(self, proposal: Proposal, clashes: tuple[object, ...]) -> None:
        if proposal.id == self._pid:
            self._view.show_conflict(proposal, clashes)  # type: ignore[arg-type]
        else:
            self._call_back(proposal)

    def _on_yes_needed(self, proposal: Proposal, error: DaybankError) -> None:
        if proposal.id == self._pid:
            self._view.ask_shrink(error.title, error.message)
        else:
            self._call_back(proposal)

    def _call_back(self, proposal: Proposal) -> None:
        """Something that was answered here wants another look, and the person has gone on."""
        pid = proposal.id
        if pid not in self._mine:
            return
        name = suggestion_words.page_name(proposal.target)
        self.toast_requested.emit(
            self.tr("{page} was not saved yet, and needs another look.").format(page=name),
            self.tr("Look"),
            lambda: self.reopened.emit(pid),
        )

    def _on_failed(self, pid: str, error: DaybankError) -> None:
        if pid != self._pid:
            return
        known = self._review.find(pid)
        can_retry = known is not None and known.state is State.WAITING and known.is_decided
        if isinstance(error, ProposalNotFound):
            can_retry = False
        self._view.show_failure(error.title, error.message, can_retry=can_retry)

    # From the view

    def _on_edit(self, index: int, lines: tuple[str, ...]) -> None:
        self._review.decide(self._pid, index, Decision.ACCEPTED, lines)

    def _take_back_one(self, index: int) -> None:
        known = self._review.find(self._pid)
        if known is not None:
            edited = known.hunks[index].edited
            self._review.decide(self._pid, index, Decision.WAITING, edited)

    def _revert(self) -> None:
        pid = self._pid
        self._mine.add(pid)
        known = self._review.find(pid)
        if known is not None and known.state is State.WAITING:  # rejected a moment ago
            self._reopen(pid)
        else:
            self._review.undo(pid)

    def _never(self, index: int) -> None:
        pid = self._pid
        self._review.never(pid, index)
        self._toast(
            self.tr("This is never suggested again."),
            lambda: self._allow_again(pid, index),
        )

    def _allow_again(self, pid: str, index: int) -> None:
        self._review.allow_again(pid, index)
        self.reopened.emit(pid)

    def _save(self) -> None:
        self._view.hide_notices()
        self._review.apply(self._pid)

    def _on_source(self, evidence: Evidence) -> None:
        source = suggestion_words.source_of(evidence.source)
        if source is not None:
            self.source_requested.emit((source, evidence.id or None))

    def _on_page(self, path: str) -> None:
        source = suggestion_words.source_of(path)
        if source is not None:
            self.source_requested.emit((source, None))

    def _toast(self, words: str, undo: Callable[[], object]) -> None:
        self.toast_requested.emit(words, self.tr("Undo"), undo)
