"""Suggestions: what waits, what was answered, and answering them.

GUI thread; reading runs on the read lane, everything that writes on the write lane, one after the
other. An answer counts at once on the screen and is stored behind it: while a reflection has the
lane, the person goes on. What comes back from the disk while answers are on their way is not shown;
it is asked for again afterwards.

A suggestion of which every change was rejected stays on the disk as answered for some seconds
before it is closed for good, because only until then its answers can be taken back.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal

from daybank.errors import (
    Cancelled,
    DaybankError,
    ProposalChanged,
    ProposalConflict,
    ProposalRefused,
)
from daybank.review.proposal import Decision, Phase, Proposal, State
from daybank_desktop.models.diff_rows import DiffRow, proposal_rows
from daybank_desktop.services.library import Library
from daybank_desktop.tasks import Job, Lane, Tasks

if TYPE_CHECKING:
    from daybank import Workspace
    from daybank.review.apply import Applied, Approval, Undone

CORE_ROOM = 2000 * 4
"""Characters that the core memory should keep within."""
CLOSE_AFTER_MS = 8_000
MANY_AT_ONCE = 25
MOST_SETTLED = 500


@dataclass(frozen=True, slots=True)
class Inbox:
    """What waits, most certain first, and what was answered, newest first."""

    waiting: tuple[Proposal, ...] = ()
    settled: tuple[Proposal, ...] = ()


@dataclass(frozen=True, slots=True)
class Room:
    """How full the core memory is, now and with the changes that nobody rejected; 1.0 is full."""

    before: float
    after: float


@dataclass(frozen=True, slots=True)
class Prepared:
    """A suggestion with the rows of each of its changes. ``room`` is None but for the core."""

    proposal: Proposal
    rows: tuple[tuple[DiffRow, ...], ...]
    room: Room | None = None


@dataclass(frozen=True, slots=True)
class ManyDone:
    """What approving many came to. ``stopped``: the person ended it before all had their turn."""

    saved: tuple[Proposal, ...]
    refused: tuple[tuple[str, DaybankError], ...] = ()
    stopped: bool = False


class Review(QObject):
    """The suggestions of the open folder."""

    loading = Signal()
    loaded = Signal(object)  # Inbox
    load_failed = Signal(object)  # DaybankError
    waiting_changed = Signal(int)
    prepared = Signal(object)  # Prepared, for the last one asked for
    prepare_failed = Signal(str, object)  # its id, DaybankError
    answered = Signal(object, int)  # Proposal, the number of the change; -1 for several
    saved = Signal(object)  # Proposal, written into its page
    rejected = Signal(object)  # Proposal, every change said no to
    undone = Signal(object)  # Proposal, taken back from its page
    changed_underneath = Signal(object)  # Proposal, fitted to the page as it is now
    conflict = Signal(object, object)  # Proposal, tuple of review.merge.Clash
    yes_needed = Signal(object, object)  # Proposal, ProposalRefused: much of the page would go
    failed = Signal(str, object)  # the suggestion's id, DaybankError; nothing was written
    many_progress = Signal(int, int)
    many_done = Signal(object)  # ManyDone
    many_undone = Signal(int)

    def __init__(self, tasks: Tasks, library: Library, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._tasks = tasks
        self._library = library
        self._home: Workspace | None = None  # the folder that the inbox is of
        self._inbox: Inbox | None = None
        self._count = 0
        self._writes = 0  # answers on their way to the disk
        self._stale = False  # something was read while they were
        self._closing: dict[str, QTimer] = {}
        self._nevers: dict[str, set[int]] = {}
        self._many: Job[ManyDone] | None = None
        library.opened.connect(self._on_opened)
        library.leaving.connect(self._on_leaving)
        library.changed.connect(self.refresh)

    @property
    def inbox(self) -> Inbox | None:
        """As last read, with the answers since; None before."""
        return self._inbox

    @property
    def is_saving_many(self) -> bool:
        return self._many is not None

    def find(self, pid: str) -> Proposal | None:
        """A suggestion that is known already."""
        inbox = self._inbox or Inbox()
        return next((p for p in (*inbox.waiting, *inbox.settled) if p.id == pid), None)

    def display(self, pid: str) -> Proposal | None:
        """A suggestion as it is to be shown: rejected, also while that can be taken back."""
        known = self.find(pid)
        return _as_rejected(known) if known is not None and pid in self._closing else known

    def can_undo(self, proposal: Proposal) -> bool:
        """Whether it can be taken back, or its answers can."""
        return proposal.state is State.APPLIED or proposal.id in self._closing

    # Reading

    def refresh(self) -> None:
        """Read the suggestions again."""
        workspace = self._library.workspace
        if workspace is None:
            return
        if self._writes:
            self._stale = True
            return
        if self._inbox is None:
            self.loading.emit()
        self._tasks.run(
            Lane.READ,
            lambda job: _read(workspace),
            done=self._on_read,
            failed=self._on_read_failed,
            channel="suggestions",
        )

    def prepare(self, pid: str) -> None:
        """Ask for a suggestion with its rows; ``prepared`` brings it."""
        workspace = self._library.workspace
        if workspace is None:
            return
        known = self.display(pid)
        self._tasks.run(
            Lane.READ,
            lambda job: _prepared(known or workspace.proposal(pid)),
            done=self.prepared.emit,
            failed=lambda error: self.prepare_failed.emit(pid, error),
            channel="suggestion",
        )

    # Answering

    def decide(
        self, pid: str, index: int, decision: Decision, edited: Sequence[str] | None = None
    ) -> None:
        """Answer one change. With the last answer the page is saved."""
        lines = None if edited is None else tuple(edited)
        proposal = self._answered_here(pid, (index,), decision, lines)
        if proposal is None:
            return
        self._stop_closing(pid)
        self._write(
            pid, lambda workspace: workspace.decide(pid, index, decision, lines), self._on_decided
        )
        self.answered.emit(proposal, index)
        self._after_answer(proposal)

    def decide_all(self, pid: str, decision: Decision) -> None:
        """Answer every change that has no answer yet."""
        known = self.find(pid)
        if known is None:
            return
        indexes = tuple(
            n for n, hunk in enumerate(known.hunks) if hunk.decision is Decision.WAITING
        )
        proposal = self._answered_here(pid, indexes, decision, None, keep_edits=True)
        if proposal is None:
            return

        def store(workspace: Workspace) -> Proposal:
            stored = known
            for index in indexes:
                stored = workspace.decide(pid, index, decision, known.hunks[index].edited)
            return stored

        self._write(pid, store, self._on_decided)
        self.answered.emit(proposal, -1)
        self._after_answer(proposal)

    def take_back(self, pid: str) -> None:
        """Take every answer back, while the suggestion still waits."""
        known = self.find(pid)
        if known is None:
            return
        self._stop_closing(pid)
        indexes = tuple(range(len(known.hunks)))
        proposal = self._answered_here(pid, indexes, Decision.WAITING, None, keep_edits=True)
        if proposal is None:
            return

        def store(workspace: Workspace) -> Proposal:
            stored = known
            for index in indexes:
                stored = workspace.decide(pid, index, Decision.WAITING, known.hunks[index].edited)
            return stored

        self._write(pid, store, self._on_decided)
        self.answered.emit(proposal, -1)

    def never(self, pid: str, index: int) -> None:
        """Say no to a change, and to everything about the same topic from now on."""
        self._nevers.setdefault(pid, set()).add(index)
        self.decide(pid, index, Decision.REJECTED)
        if pid not in self._closing:  # others wait still, and it can be told right away
            self._tell_nevers(pid)

    def allow_again(self, pid: str, index: int) -> None:
        """Take ``never`` back, and the answer with it."""
        known = self.find(pid)
        self._nevers.pop(pid, None)
        if known is None:
            return
        topic = known.hunks[index].topic
        self._write(pid, lambda workspace: workspace.forget_never(topic), lambda _: None)
        self.decide(pid, index, Decision.WAITING)

    def apply(self, pid: str, *, allow_shrink: bool = False) -> None:
        """Save a suggestion of which every change has its answer."""
        self._write(
            pid,
            lambda workspace: workspace.apply_decided(pid, allow_shrink=allow_shrink),
            self._on_applied,
        )

    def settle_conflict(self, pid: str, taken: Sequence[int]) -> None:
        """Of the changes that met edited lines, take those numbered in ``taken`` and give the
        others up; the suggestion then fits the page and waits for a fresh yes."""
        self._write(
            pid, lambda workspace: workspace.settle_conflict(pid, tuple(taken)), self._on_fitted
        )

    def undo(self, pid: str) -> None:
        """Take a saved suggestion back from its page, or the answers of one just rejected."""
        if pid in self._closing:
            self.take_back(pid)
            return
        self._write(pid, lambda workspace: workspace.undo(pid), self._on_undone)

    # Many at once

    def accept_many(self, pids: Sequence[str]) -> None:
        """Save each of ``pids`` whole; one that cannot be saved keeps no other from it."""
        workspace = self._library.workspace
        if workspace is None or self._many is not None:
            return
        wanted = tuple(pids)
        self._writes += 1
        job = self._tasks.run(
            Lane.WRITE,
            lambda job: _approve_many(workspace, wanted, job),
            done=self._on_many,
            failed=self._on_many_failed,
            progress=self._on_many_progress,
        )
        self._many = None if self._tasks.is_inline or job.is_abandoned else job

    def stop_many(self) -> None:
        """No more; what was saved stays saved."""
        if self._many is not None:
            self._many.stop()

    def undo_many(self, pids: Sequence[str]) -> None:
        """Take back what ``accept_many`` saved, the last first."""
        wanted = tuple(reversed(pids))

        def take_back(workspace: Workspace) -> tuple[int, tuple[str, DaybankError] | None]:
            trouble = None
            for pid in wanted:
                try:
                    workspace.undo(pid)
                except DaybankError as error:
                    trouble = (pid, error)
            return len(wanted), trouble

        self._write("", take_back, self._on_many_undone)

    # What comes back

    def _on_opened(self) -> None:
        self._home = self._library.workspace
        self._inbox = None
        self._stale = False
        self._many = None
        self._set_count(0)
        self.refresh()

    def _on_read(self, inbox: Inbox) -> None:
        if self._writes:  # it was read before an answer that is still on its way
            self._stale = True
            return
        self._inbox = inbox
        self._publish()
        for proposal in inbox.waiting:  # rejected right before the window was closed
            if proposal.id not in self._closing and _all_rejected(proposal):
                self._close(proposal.id)

    def _on_read_failed(self, error: DaybankError) -> None:
        self._inbox = None
        self._set_count(0)
        self.load_failed.emit(error)

    def _on_decided(self, proposal: Proposal) -> None:
        """Stored. What the screen says is newer where more was answered meanwhile."""

    def _on_applied(self, applied: Applied) -> None:
        proposal = applied.proposal
        self._replace(proposal)
        self._library.changed.emit()
        if proposal.state is State.APPLIED:
            self.saved.emit(proposal)
        elif proposal.state is State.WITHDRAWN:
            self.failed.emit(
                proposal.id,
                DaybankError(
                    self.tr("The page says this already."),
                    self.tr("Nothing had to be written, and the suggestion is closed."),
                ),
            )

    def _on_fitted(self, proposal: Proposal) -> None:
        self._replace(proposal)
        if proposal.state is State.WAITING:
            self.changed_underneath.emit(proposal)
        else:
            self.rejected.emit(proposal)

    def _on_undone(self, undone: Undone) -> None:
        self._replace(undone.proposal)
        self._library.changed.emit()
        self.undone.emit(undone.proposal)

    def _on_closed(self, closed: Proposal | Applied) -> None:
        self._replace(closed if isinstance(closed, Proposal) else closed.proposal)

    def _on_many_progress(self, value: object) -> None:
        assert isinstance(value, tuple)
        self.many_progress.emit(*value)

    def _on_many(self, done: ManyDone) -> None:
        self._writes -= 1
        if self._many is None and not self._tasks.is_inline:  # another folder is open by now
            self.refresh()
            return
        self._many = None
        self._library.changed.emit()
        self.refresh()
        self.many_done.emit(done)

    def _on_many_failed(self, error: DaybankError) -> None:
        self._many = None
        self._writes -= 1
        self.refresh()
        if not isinstance(error, Cancelled):
            self.failed.emit("", error)

    def _on_many_undone(self, answer: tuple[int, tuple[str, DaybankError] | None]) -> None:
        count, trouble = answer
        self._library.changed.emit()
        if trouble is not None:
            self.failed.emit(*trouble)
        else:
            self.many_undone.emit(count)

    def _on_write_failed(self, pid: str, error: DaybankError) -> None:
        if isinstance(error, Cancelled):
            return
        known = self.find(pid)
        if isinstance(error, ProposalChanged):
            self._replace(error.proposal)
            self.changed_underneath.emit(error.proposal)
        elif isinstance(error, ProposalConflict):
            self._replace(error.proposal)
            self.conflict.emit(error.proposal, error.clashes)
        elif isinstance(error, ProposalRefused) and error.would_shrink and known is not None:
            self.yes_needed.emit(known, error)
        else:
            self.failed.emit(pid, error)

    # Inside

    def _answered_here(
        self,
        pid: str,
        indexes: Sequence[int],
        decision: Decision,
        edited: tuple[str, ...] | None,
        *,
        keep_edits: bool = False,
    ) -> Proposal | None:
        """The suggestion with these answers, on the screen; None where it does not wait."""
        known = self.find(pid)
        if known is None or known.state is not State.WAITING or not indexes:
            return None
        hunks = list(known.hunks)
        for index in indexes:
            lines = hunks[index].edited if keep_edits else edited
            hunks[index] = hunks[index].decided(
                decision, None if lines == hunks[index].new else lines
            )
        proposal = replace(known, hunks=tuple(hunks))
        self._replace(proposal)
        return proposal

    def _after_answer(self, proposal: Proposal) -> None:
        if not proposal.is_decided:
            return
        if _all_rejected(proposal):
            self._close_later(proposal.id)
            self.rejected.emit(proposal)
        else:
            self._tell_nevers(proposal.id)
            self.apply(proposal.id)

    def _write(
        self, pid: str, work: Callable[[Workspace], object], done: Callable[..., None]
    ) -> None:
        workspace = self._home
        if workspace is None:
            return
        self._writes += 1
        self._tasks.drop("suggestions")
        self._stale = True

        def finished(result: object) -> None:
            self._wrote()
            if workspace is self._home:  # else another folder is open by now
                done(result)

        def failed(error: DaybankError) -> None:
            self._stale = True  # what was answered here may not be what is stored
            self._wrote()
            if workspace is self._home:
                self._on_write_failed(pid, error)

        self._tasks.run(Lane.WRITE, lambda job: work(workspace), done=finished, failed=failed)

    def _wrote(self) -> None:
        self._writes -= 1
        if not self._writes and self._stale:
            self._stale = False
            QTimer.singleShot(0, self, self.refresh)

    def _tell_nevers(self, pid: str) -> None:
        indexes = tuple(self._nevers.pop(pid, ()))
        if indexes:
            self._write(pid, lambda workspace: workspace.never(pid, indexes), lambda _: None)

    def _close_later(self, pid: str) -> None:
        timer = QTimer(self, singleShot=True, interval=CLOSE_AFTER_MS)
        timer.timeout.connect(partial(self._close, pid))
        self._closing[pid] = timer
        timer.start()
        self._publish()

    def _stop_closing(self, pid: str) -> None:
        timer = self._closing.pop(pid, None)
        if timer is not None:
            timer.stop()
            timer.deleteLater()
            self._nevers.pop(pid, None)
            self._publish()

    def _close(self, pid: str) -> None:
        """Settle a suggestion of which every change was rejected."""
        timer = self._closing.pop(pid, None)
        if timer is not None:
            timer.stop()
            timer.deleteLater()
        nevers = tuple(self._nevers.pop(pid, ()))

        def close(workspace: Workspace) -> object:
            if nevers:
                rejected = workspace.never(pid, nevers)
                if rejected.state is not State.WAITING:
                    return rejected
            return workspace.apply_decided(pid)

        self._write(pid, close, self._on_closed)

    def _on_leaving(self) -> None:
        """The folder is still open for what is asked of it now."""
        self.stop_many()
        for pid in tuple(self._closing):
            self._close(pid)

    def _replace(self, proposal: Proposal) -> None:
        """Put ``proposal`` where the one with its id was, or where its state belongs."""
        inbox = self._inbox
        if inbox is None:
            return
        waits = proposal.state is State.WAITING
        if waits and any(p.id == proposal.id for p in inbox.waiting):
            waiting = tuple(proposal if p.id == proposal.id else p for p in inbox.waiting)
            self._inbox = replace(inbox, waiting=waiting)
        else:
            waiting = tuple(p for p in inbox.waiting if p.id != proposal.id)
            settled = tuple(p for p in inbox.settled if p.id != proposal.id)
            if waits:
                waiting = (*waiting, proposal)
            else:
                settled = (proposal, *settled)
            self._inbox = Inbox(waiting, settled)
        self._publish()

    def _publish(self) -> None:
        if self._inbox is None:
            return
        shown = self.shown
        self._set_count(len(shown.waiting))
        self.loaded.emit(shown)

    @property
    def shown(self) -> Inbox:
        """The inbox with what was just rejected among what was answered."""
        inbox = self._inbox or Inbox()
        if not self._closing:
            return inbox
        leaving = tuple(_as_rejected(p) for p in inbox.waiting if p.id in self._closing)
        return Inbox(
            tuple(p for p in inbox.waiting if p.id not in self._closing),
            (*leaving, *inbox.settled),
        )

    def _set_count(self, count: int) -> None:
        if count != self._count:
            self._count = count
            self.waiting_changed.emit(count)


def _as_rejected(proposal: Proposal) -> Proposal:
    return replace(proposal, state=State.REJECTED)


def _all_rejected(proposal: Proposal) -> bool:
    return all(hunk.decision is Decision.REJECTED for hunk in proposal.hunks)


def _read(workspace: Workspace) -> Inbox:
    return Inbox(workspace.proposals(), workspace.settled_proposals()[:MOST_SETTLED])


def _prepared(proposal: Proposal) -> Prepared:
    return Prepared(proposal, proposal_rows(proposal), room_of(proposal))


def room_of(proposal: Proposal) -> Room | None:
    """What a suggestion for the core memory does to its room; None for another page."""
    if proposal.phase is not Phase.CORE and proposal.target.lower() != "memory.md":
        return None
    size = len(proposal.base_text or "")
    more = sum(
        _size(hunk.outcome) - _size(hunk.old)
        for hunk in proposal.hunks
        if hunk.decision is not Decision.REJECTED
    )
    return Room(size / CORE_ROOM, max(0, size + more) / CORE_ROOM)


def _size(lines: Sequence[str]) -> int:
    return sum(len(line) + 1 for line in lines)


def _approve_many(workspace: Workspace, pids: tuple[str, ...], job: Job[ManyDone]) -> ManyDone:
    """On the worker."""
    done: list[Approval] = []
    stopped = False
    for start in range(0, len(pids), MANY_AT_ONCE):
        job.report((start, len(pids)))
        if job.cancel.is_set():
            stopped = True
            break
        done += workspace.approve_many(pids[start : start + MANY_AT_ONCE])
    saved = [a.applied.proposal for a in done if a.applied is not None]
    refused = [(a.id, a.error) for a in done if a.error is not None]
    return ManyDone(tuple(p for p in saved if p.state is State.APPLIED), tuple(refused), stopped)
