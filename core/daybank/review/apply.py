"""Answering suggestions: the one place that writes an approved change into a person's page.

An approval goes like this. Under the folder's write lock the page is read again. If it is what the
suggestion knew, its new content is made in memory, both contents are kept for undoing, and the
stored suggestion is marked with the hash of what is about to be written. Then the page is replaced
in one step, and the suggestion is settled. Whoever finds such a mark on a suggestion that still
waits knows that somebody died in between, and the hash tells on which side of the replacement.

A page that was edited since is never written: the suggestion is moved to where its lines stand now
and waits for a fresh yes. Any thread may call this; it keeps no state of its own.
"""

from __future__ import annotations

import contextlib
import hashlib
import logging
import stat
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, replace

from daybank.clock import Clock
from daybank.errors import (
    DaybankError,
    NoteNotSaved,
    PathRefused,
    ProposalChanged,
    ProposalConflict,
    ProposalError,
    ProposalNotSaved,
    ProposalRefused,
    SourceGone,
)
from daybank.markdown.document import decode
from daybank.review.history import CommitReport, commit_page
from daybank.review.hunks import accepted, apply_to_bytes, checked_hunks, reversed_hunks
from daybank.review.leftover import after_saving, split_answered
from daybank.review.merge import AlreadyThere, Clash, Conflict, Moved, Rebased, rebase, relocate
from daybank.review.proposal import Decision, Hunk, Phase, Proposal, State
from daybank.review.rules import check_change, check_target
from daybank.review.store import AnsweredMeanwhile, ProposalStore, UndoCopy
from daybank.workspace import WorkspaceFolder

log = logging.getLogger(__name__)

Answer = Callable[[Proposal], Proposal]
_WAITS = "The suggestion is still waiting."
_TRIES = 5
"""As often somebody else may be a moment earlier, again and again."""
_SETTLED = {
    State.REJECTED: "This suggestion was rejected.",
    State.UNDONE: "This suggestion was taken back.",
    State.WITHDRAWN: "A newer suggestion has taken the place of this one.",
    State.APPLIED: "This suggestion is saved already.",
    State.WAITING: "This suggestion was not approved yet.",
}
_NOT_REOPENED = _SETTLED | {
    State.APPLIED: "This suggestion is saved. Take it back first.",
    State.WAITING: "This suggestion is waiting already.",
}


@dataclass(frozen=True, slots=True)
class Applied:
    """What an approval came to.

    ``already`` is True when nothing had to be written: another window had saved it, or the page
    says all of it, or every change was rejected; the proposal's state tells which. ``rest`` is the
    suggestion by which the changes that were not chosen go on waiting. ``commit`` is None where no
    commit was asked for.
    """

    proposal: Proposal
    already: bool = False
    commit: CommitReport | None = None
    rest: Proposal | None = None


@dataclass(frozen=True, slots=True)
class Undone:
    """A suggestion that was taken back from its page."""

    proposal: Proposal
    commit: CommitReport | None = None


@dataclass(frozen=True, slots=True)
class Approval:
    """One of many approvals: what it came to, or why not."""

    id: str
    applied: Applied | None = None
    error: DaybankError | None = None


def page_sha256(data: bytes | None) -> str | None:
    """The hash by which a suggestion knows its page; None for a page that is not there."""
    return None if data is None else hashlib.sha256(data).hexdigest()


class Reviewer:
    """Answers the suggestions in ``store`` for the pages in ``folder``.

    ``commit`` says that the person wants a git commit for each approval.
    """

    def __init__(
        self, folder: WorkspaceFolder, store: ProposalStore, clock: Clock, *, commit: bool = False
    ) -> None:
        self.folder = folder
        self.store = store
        self._clock = clock
        self._commit = commit

    # -- making one

    def propose(
        self, target: str, hunks: Sequence[Hunk], reason: str, phase: Phase = Phase.HAND
    ) -> Proposal:
        """Store a suggestion for the page ``target`` as it is now; it waits for an answer.

        Raises ProposalRefused where the rules or the page's text do not allow it.
        """
        check_target(self.folder, target)
        data = self._page(target)
        text = decode(data or b"").text
        fitting = checked_hunks(text, hunks)
        if not fitting:
            raise ProposalRefused("There is nothing to suggest.", "Nothing was changed.")
        check_change(self.folder, target, text, fitting, allow_shrink=True)
        proposal = Proposal(
            id=self.store.new_id(),
            created=self._clock.now(),
            target=target,
            base_sha256=page_sha256(data),
            base_text=None if data is None else text,
            hunks=fitting,
            reason=reason,
            phase=phase,
        )
        self.store.put(proposal)
        return proposal

    # -- answering

    def decide(
        self, pid: str, index: int, decision: Decision, edited: Sequence[str] | None = None
    ) -> Proposal:
        """Answer one change, counted from 0; ``edited`` is what to write instead of it. Nothing is
        written until :meth:`apply_decided`.

        Raises ProposalNotFound, ProposalRefused, ProposalNotSaved.
        """
        lines = None if edited is None else _as_lines(edited)

        def answer(proposal: Proposal) -> Proposal:
            _check_waiting(proposal)
            hunk = _chosen(proposal, (index,))[0]
            text = None if lines == hunk.new else lines
            hunks = list(proposal.hunks)
            hunks[index] = hunk.decided(decision, text)
            return replace(proposal, hunks=tuple(hunks))

        proposal = self._update_at_rest(pid, answer)
        fingerprint = proposal.hunks[index].fingerprint(proposal.target)
        if decision is Decision.REJECTED:
            self.store.remember_rejection(fingerprint)
        else:
            self.store.forget_rejection(fingerprint)
        return proposal

    def approve(
        self, pid: str, hunks: Collection[int] | None = None, *, allow_shrink: bool = False
    ) -> Applied:
        """Write the suggestion into its page: the changes numbered in ``hunks`` (from 0), or,
        without a choice, all that nobody has rejected. The changes that were not chosen go on
        waiting, as the suggestion ``rest`` of the answer.

        A suggestion that is saved already is not written twice; choosing among its changes then
        raises ProposalRefused. ``allow_shrink`` is the explicit
        yes to losing much of a page. Raises ProposalChanged when the page was edited and a fresh
        yes is needed, ProposalConflict when that was in the same lines, ProposalRefused,
        ProposalNotSaved, ProposalNotFound. In every case the page is as it was.
        """
        return self._apply(pid, lambda proposal: _answered(proposal, hunks), allow_shrink)

    def apply_decided(self, pid: str, *, allow_shrink: bool = False) -> Applied:
        """Write a suggestion of which every change has its answer. Raises like :meth:`approve`."""

        def as_answered(proposal: Proposal) -> Proposal:
            if not proposal.is_decided:
                raise ProposalRefused(
                    "Some changes have no answer yet.", f"Nothing was changed. {_WAITS}"
                )
            return proposal

        return self._apply(pid, as_answered, allow_shrink)

    def approve_many(
        self, pids: Iterable[str], *, allow_shrink: bool = False
    ) -> tuple[Approval, ...]:
        """Approve each by itself; one that is refused keeps no other from being saved."""
        done = []
        for pid in pids:
            try:
                done.append(Approval(pid, self.approve(pid, allow_shrink=allow_shrink)))
            except DaybankError as error:
                done.append(Approval(pid, error=error))
        return tuple(done)

    def reject(self, pid: str, hunks: Collection[int] | None = None) -> Proposal:
        """Say no to the changes numbered in ``hunks``, or to all; they are not suggested again.

        With no change left the suggestion is settled. Raises ProposalNotFound, ProposalRefused,
        ProposalNotSaved.
        """
        proposal = self._update_at_rest(pid, lambda old: self._without(old, hunks))
        self._remember(proposal)
        return proposal

    def never(self, pid: str, hunks: Collection[int] | None = None) -> Proposal:
        """Like :meth:`reject`, and nothing about the same topic is suggested again."""
        proposal = self.reject(pid, hunks)
        for hunk in _chosen(proposal, hunks):
            self.store.remember_never(hunk.topic)
        return proposal

    def settle_conflict(self, pid: str, mine: Collection[int] = ()) -> Proposal:
        """Answer a ProposalConflict: of the changes that clash, those numbered in ``mine`` take the
        place of what a person wrote, the others are given up. The result fits the page as it is
        now and waits for a fresh yes.

        Raises ProposalNotFound, ProposalRefused, ProposalNotSaved.
        """
        self._settle_interrupted(pid)
        proposal = self.store.get(pid)
        _check_waiting(proposal)
        data = self._page(proposal.target)
        if data is None:
            raise _page_is_gone(proposal)
        text = decode(data).text
        found = rebase(proposal, text, page_sha256(data) or "")
        clashes = found.clashes if isinstance(found, Conflict) else ()
        kept = [clash.insisted() for clash in clashes if clash.index in mine]
        for clash in clashes:
            if clash.index not in mine:
                self.store.remember_rejection(clash.hunk.fingerprint(proposal.target))
        hunks = checked_hunks(text, (*found.proposal.hunks, *kept))
        settled = replace(found.proposal, hunks=hunks)
        if all(hunk.decision is Decision.REJECTED for hunk in hunks):
            state = State.REJECTED if clashes else State.WITHDRAWN
            settled = replace(settled, state=state, settled=self._clock.now())
        return self.store.update(pid, lambda now: settled if now == proposal else now)

    # -- taking back

    def undo(self, pid: str) -> Undone:
        """Take an approval back: the page gets the bytes it had before, or, when it was edited
        since, loses what the approval wrote and keeps the rest.

        What was taken back is not suggested again. Raises ProposalRefused when those lines were
        edited, and ProposalNotFound, ProposalNotSaved; then the page is as it was.
        """
        self._settle_interrupted(pid)
        proposal = self.store.get(pid)
        if proposal.state is State.UNDONE:
            return Undone(proposal)
        if proposal.state is not State.APPLIED:
            raise ProposalRefused(_SETTLED[proposal.state], "There is nothing to take back.")
        copy = self.store.undo_copy(pid)
        if copy is None:
            raise ProposalRefused(
                "This was saved too long ago to be taken back.",
                f"Open “{proposal.target}” and change it there. Nothing was changed.",
            )
        self._restore(proposal, copy)
        undone = self.store.update(
            pid, lambda p: replace(p, state=State.UNDONE, settled=self._clock.now())
        )
        for hunk in accepted(undone.hunks):
            self.store.remember_rejection(hunk.fingerprint(undone.target))
        return Undone(undone, self._committed(undone, f"Take back: {undone.reason}"))

    def reopen(self, pid: str) -> Proposal:
        """Let a suggestion that was rejected or taken back wait again, as it fits the page now; of
        one that waits, the changes that were rejected. What was said no to in it is forgotten, and
        so is that its topics were never to be suggested.

        Raises ProposalRefused where it is saved, overtaken or waits already, where the page's lines
        were edited since or say it already; ProposalNotFound, ProposalNotSaved.
        """
        old = self._settle_interrupted(pid)
        if old.state not in (State.REJECTED, State.UNDONE) and not _has_rejected(old):
            raise ProposalRefused(_NOT_REOPENED[old.state], "Nothing was changed.")
        reopened = self._fitted(old)
        self._check_not_waiting_elsewhere(reopened)
        self.store.forget_rejection(old.fingerprint)
        for hunk in (*old.hunks, *reopened.hunks):
            self.store.forget_rejection(hunk.fingerprint(old.target))
            self.store.forget_never(hunk.topic)
        return self.store.update(pid, lambda now: reopened if now == old else now)

    def _fitted(self, old: Proposal) -> Proposal:
        """``old`` with every change waiting, on the page as it is now."""
        hunks = tuple(replace(hunk, decision=Decision.WAITING) for hunk in old.hunks)
        fresh = replace(old, hunks=hunks, state=State.WAITING, settled=None, applied_sha256=None)
        check_target(self.folder, old.target)
        data = self._page(old.target)
        if data is None and old.base_text is not None:
            raise ProposalRefused(f"“{old.target}” is not there any more.", "Nothing was changed.")
        text = decode(data or b"").text
        if data is not None:
            found = rebase(fresh, text, page_sha256(data) or "")
            if isinstance(found, Conflict):
                raise ProposalRefused(
                    f"“{old.target}” was edited in the same lines, so this does not fit any more.",
                    "Nothing was changed.",
                )
            fresh = found.proposal
        if not fresh.hunks:
            raise ProposalRefused(f"“{old.target}” says all of it already.", "Nothing was changed.")
        check_change(self.folder, old.target, text, fresh.hunks, allow_shrink=True)
        return fresh

    def _check_not_waiting_elsewhere(self, wanted: Proposal) -> None:
        mine = {hunk.fingerprint(wanted.target) for hunk in wanted.hunks}
        for other in self.store.waiting():
            theirs = {hunk.fingerprint(other.target) for hunk in other.hunks}
            if other.id != wanted.id and mine <= theirs:
                raise ProposalRefused(
                    f"The same is waiting already, as {other.id}.", "Nothing was changed."
                )

    # -- after a crash

    def recover(self) -> tuple[Proposal, ...]:
        """Settle what a Daybank that died had begun, and remove what it left; for the start.

        Returns the suggestions that were in the making, as they stand now.
        """
        self.store.clear_leftovers()
        found = []
        for begun in [p for p in self.store.waiting() if p.applied_sha256 is not None]:
            try:
                found.append(self._settle_interrupted(begun.id))
            except DaybankError:  # it is tried again when somebody answers that suggestion
                log.warning("could not find out about %s", begun.id, exc_info=True)
        return tuple(found)

    def _settle_interrupted(self, pid: str) -> Proposal:
        """The suggestion, with an approval that was begun found done or never done."""
        proposal = self.store.get(pid)
        if proposal.state is not State.WAITING or proposal.applied_sha256 is None:
            return proposal
        try:
            with self.folder.writing():  # whoever is at it now finishes first
                return self.store.update(pid, self._found_out)
        except PathRefused as error:
            raise ProposalNotSaved(error.title, f"{error.message} {_WAITS}") from error

    def _update_at_rest(self, pid: str, answer: Answer) -> Proposal:
        """Store ``answer`` of the suggestion, while nobody is writing it into its page: else both
        would be told that theirs is the answer."""

        def at_rest(proposal: Proposal) -> Proposal:
            if proposal.state is State.WAITING and proposal.applied_sha256 is not None:
                raise AnsweredMeanwhile
            return answer(proposal)

        for _ in range(_TRIES):
            self._settle_interrupted(pid)
            with contextlib.suppress(AnsweredMeanwhile):
                return self.store.update(pid, at_rest)
        raise _keeps_being_answered()

    def _found_out(self, proposal: Proposal) -> Proposal:
        """An approval that was begun and not ended, as the page tells it: saved, or, when it was
        not, with what was said yes to waiting again."""
        if proposal.state is not State.WAITING or proposal.applied_sha256 is None:
            return proposal
        data = self._page(proposal.target)
        if page_sha256(data) == proposal.applied_sha256 or self._has_it_all(proposal, data):
            return replace(proposal, state=State.APPLIED, settled=self._clock.now())
        hunks = tuple(
            replace(hunk, decision=Decision.WAITING) if accepted((hunk,)) else hunk
            for hunk in proposal.hunks
        )
        return replace(proposal, hunks=hunks, applied_sha256=None)

    @staticmethod
    def _has_it_all(proposal: Proposal, data: bytes | None) -> bool:
        """Whether the page was written and then edited by hand."""
        if data is None or page_sha256(data) == proposal.base_sha256:
            return False
        hunks = accepted(proposal.hunks)
        placed = relocate(proposal.base_text or "", decode(data).text, hunks)
        return all(isinstance(item, AlreadyThere) for item in placed)

    # -- applying

    def _apply(self, pid: str, answer: Answer, allow_shrink: bool) -> Applied:
        proposal = self._settle_interrupted(pid)
        if proposal.state is State.APPLIED:
            answer(proposal)  # refuses a choice among changes that are settled
            return Applied(proposal, already=True)
        _check_waiting(proposal)
        if not accepted(answer(proposal).hunks):
            proposal = self.store.update(pid, lambda old: self._without(answer(old), ()))
            self._remember(proposal)
            return Applied(proposal, already=True)
        check_target(self.folder, proposal.target)
        writing = _Writing(self, pid, answer, allow_shrink)
        try:
            self.folder.edit(proposal.target, writing.change)
        except _Overtaken as overtaken:
            answer(overtaken.proposal)
            return Applied(overtaken.proposal, already=True)
        except _Drifted as drifted:
            return self._asked_again(drifted.proposal, drifted.data)
        except DaybankError as error:  # then the page is as it was; else the mark will tell
            writing.forget()
            if isinstance(error, NoteNotSaved | PathRefused):
                raise ProposalNotSaved(error.title, f"{error.message} {_WAITS}") from error
            raise
        applied = self._settle_applied(writing)
        self._remember(applied)
        rest = self._rest_moved(writing)
        return Applied(applied, commit=self._committed(applied, applied.reason), rest=rest)

    def _settle_applied(self, writing: _Writing) -> Proposal:
        written = writing.marked
        assert written is not None
        applied = replace(written, state=State.APPLIED, settled=self._clock.now())
        try:
            return self.store.update(
                applied.id, lambda now: now if now.state is State.APPLIED else applied
            )
        except ProposalError:
            # The page is saved. The mark on the suggestion tells so at the next look.
            log.warning("approved %s, and could not note it", applied.id, exc_info=True)
            return applied

    def _rest_moved(self, writing: _Writing) -> Proposal | None:
        """What goes on waiting, on the page as it was just written."""
        rest, whole, new = writing.rest, writing.whole, writing.new
        if rest is None or whole is None:
            return None
        moved = after_saving(rest, whole, decode(new).text, page_sha256(new) or "")
        try:
            return self.store.update(rest.id, lambda now: moved if now == rest else now)
        except ProposalError:  # it is moved when somebody answers it
            log.warning("could not move %s", rest.id, exc_info=True)
            return rest

    def _asked_again(self, proposal: Proposal, data: bytes | None) -> Applied:
        """Move the suggestion to the page as it is now. Raises ProposalChanged or
        ProposalConflict, unless the page says all of it already."""
        if data is None:
            raise _page_is_gone(proposal)
        found, rest = self._rebased(proposal, decode(data).text, page_sha256(data) or "")
        if rest is not None:  # first, so that no change is in no suggestion
            self.store.put(rest)
        moved = found.proposal
        if found.is_settled:
            hunks = proposal.hunks if rest is None else split_answered(proposal, "")[0].hunks
            moved = replace(
                proposal,
                hunks=hunks,
                state=State.WITHDRAWN,
                settled=self._clock.now(),
                applied_sha256=None,
            )
        moved = self.store.update(
            proposal.id, lambda now: moved if now.state is State.WAITING else now
        )
        if moved.state is not State.WAITING:
            return Applied(moved, already=True, rest=rest)
        waits = "" if rest is None else f" What was not chosen waits as {rest.id}."
        raise ProposalChanged(
            f"“{proposal.target}” was edited since this was suggested.",
            "Nothing was overwritten. Look at the suggestion once more: it fits the page as it is"
            f" now.{waits}",
            moved,
        )

    def _rebased(
        self, proposal: Proposal, text: str, sha256: str
    ) -> tuple[Rebased, Proposal | None]:
        """``proposal`` on the page as it is now. Where only changes that were not chosen clash with
        it, they are left out, and are the second value. Raises ProposalConflict."""
        found = rebase(proposal, text, sha256)
        if not isinstance(found, Conflict):
            return found, None
        answered, rest = split_answered(proposal, self.store.new_id())
        chosen = rebase(answered, text, sha256)
        if not isinstance(chosen, Conflict):
            return chosen, rest
        raise ProposalConflict(
            f"“{proposal.target}” was edited in the same lines.",
            f"Nothing was overwritten. Choose which lines to keep. {_WAITS}",
            self.store.get(proposal.id),
            found.clashes,
        )

    def _restore(self, proposal: Proposal, copy: UndoCopy) -> None:
        def change(old: bytes | None) -> bytes:
            if old == copy.before or (old == copy.after and copy.before is None):
                raise _Unchanged
            if old == copy.after and copy.before is not None:
                return copy.before
            if old is None:
                raise ProposalRefused(
                    f"“{proposal.target}” is not there any more.", "Nothing was changed."
                )
            return _without_applied(proposal, copy.after, old)

        try:
            self.folder.edit(proposal.target, change)
        except _Unchanged:
            if copy.before is None:
                self._remove(proposal.target, copy.after)
        except (NoteNotSaved, PathRefused) as error:
            raise ProposalNotSaved(error.title, error.message) from error

    def _remove(self, target: str, written: bytes) -> None:
        """Take away a page that an approval made, while it is what was written."""
        try:
            place = self.folder.absolute(target)
            with self.folder.writing():
                if place.is_file() and place.read_bytes() == written:
                    if not stat.S_IMODE(place.stat().st_mode) & 0o222:
                        raise PermissionError("it is protected")
                    place.unlink()
        except (OSError, PathRefused) as error:
            raise ProposalNotSaved(
                f"“{target}” could not be taken away.", f"{error}. It is as it was."
            ) from error

    # -- inside

    def _page(self, target: str) -> bytes | None:
        try:
            return self.folder.read_bytes(target)
        except SourceGone:
            return None

    def _without(self, proposal: Proposal, hunks: Collection[int] | None) -> Proposal:
        """``proposal`` with the chosen changes rejected, settled when no other is left."""
        _check_waiting(proposal)
        _chosen(proposal, hunks)
        new = tuple(
            replace(hunk, decision=Decision.REJECTED) if hunks is None or n in hunks else hunk
            for n, hunk in enumerate(proposal.hunks)
        )
        rejected = replace(proposal, hunks=new)
        if all(hunk.decision is Decision.REJECTED for hunk in new):
            return replace(rejected, state=State.REJECTED, settled=self._clock.now())
        return rejected

    def _remember(self, proposal: Proposal) -> None:
        """Keep what was said no to from coming back, and let come what was said yes to."""
        try:
            for hunk in proposal.hunks:
                if hunk.decision is Decision.REJECTED:
                    self.store.remember_rejection(hunk.fingerprint(proposal.target))
                elif hunk.decision is Decision.ACCEPTED:
                    self.store.forget_rejection(hunk.fingerprint(proposal.target))
            if proposal.state is State.REJECTED:
                self.store.remember_rejection(proposal.fingerprint)
        except ProposalNotSaved:
            log.warning("the answers to %s could not be remembered", proposal.id, exc_info=True)

    def _committed(self, proposal: Proposal, reason: str) -> CommitReport | None:
        if not self._commit:
            return None
        return commit_page(self.folder.root, proposal.target, f"{proposal.target}: {reason}")


class _Writing:
    """One approval while the page is being replaced. ``marked`` is the suggestion as it was stored
    right before, ``rest`` what was stored for the changes that were not chosen, ``whole`` both in
    one, and ``new`` the page's new content."""

    def __init__(self, reviewer: Reviewer, pid: str, answer: Answer, allow_shrink: bool) -> None:
        self._reviewer = reviewer
        self._pid = pid
        self._answer = answer
        self._allow_shrink = allow_shrink
        self._found: Proposal | None = None
        self.marked: Proposal | None = None
        self.rest: Proposal | None = None
        self.whole: Proposal | None = None
        self.new = b""

    def change(self, old: bytes | None) -> bytes:
        """The page's new content, with everything noted that undoing and a crash need."""
        for _ in range(_TRIES):
            self.forget()  # the page changed while it was being replaced, and this is asked again
            with contextlib.suppress(AnsweredMeanwhile):
                return self._begun(old)
        raise _keeps_being_answered()

    def _begun(self, old: bytes | None) -> bytes:
        reviewer, store = self._reviewer, self._reviewer.store
        found = store.update(self._pid, reviewer._found_out)
        if found.state is State.APPLIED:
            raise _Overtaken(found)
        _check_waiting(found)
        wanted = self._answer(found)
        if page_sha256(old) != found.base_sha256:
            raise _Drifted(wanted, old)
        hunks = accepted(wanted.hunks)
        check_change(
            reviewer.folder,
            found.target,
            decode(old or b"").text,
            hunks,
            allow_shrink=self._allow_shrink,
        )
        new = apply_to_bytes(old or b"", hunks)
        store.keep_undo(self._pid, old, new)
        kept, rest = split_answered(wanted, store.new_id())
        marked = replace(kept, applied_sha256=page_sha256(new))
        self._found, self.marked = found, marked
        self.rest, self.whole, self.new = rest, wanted, new
        if rest is not None:  # first, so that no change is in no suggestion
            store.put(rest)
        try:
            store.put(marked, instead_of=found)
        except AnsweredMeanwhile:
            self._found = None
            if rest is not None:
                store.discard(rest)
            raise
        return new

    def forget(self) -> None:
        """Put the suggestion back as it was found: the page was not written."""
        found, marked, rest, store = self._found, self.marked, self.rest, self._reviewer.store
        if found is None:
            return
        with contextlib.suppress(ProposalError):
            stored = store.update(self._pid, lambda p: found if p == marked else p)
            if rest is not None and stored == found:
                store.discard(rest)


class _Overtaken(Exception):
    """Another window has saved it meanwhile."""

    def __init__(self, proposal: Proposal) -> None:
        self.proposal = proposal


class _Drifted(Exception):
    """The page is not what the suggestion knew."""

    def __init__(self, proposal: Proposal, data: bytes | None) -> None:
        self.proposal = proposal
        self.data = data


class _Unchanged(Exception):
    """The page need not be written."""


def _answered(proposal: Proposal, hunks: Collection[int] | None) -> Proposal:
    """``proposal`` with the chosen changes accepted, and the others waiting unless they were
    rejected; without a choice all that wait are accepted. Raises ProposalRefused for a choice
    of none, or among the changes of a suggestion that is saved: those are counted anew."""
    if hunks is not None and proposal.state is State.APPLIED:
        raise ProposalRefused(
            _SETTLED[State.APPLIED],
            "A change of it that was not chosen then waits as a suggestion of its own, unless it"
            " was rejected. Nothing was changed.",
        )
    if hunks is not None and not hunks:
        raise ProposalRefused("No change was chosen.", f"Nothing was changed. {_WAITS}")
    _chosen(proposal, hunks)
    new = []
    for index, hunk in enumerate(proposal.hunks):
        decision = hunk.decision
        if hunks is not None and index in hunks:
            decision = Decision.ACCEPTED
        elif decision is not Decision.REJECTED:
            decision = Decision.ACCEPTED if hunks is None else Decision.WAITING
        new.append(replace(hunk, decision=decision))
    return replace(proposal, hunks=tuple(new))


def _chosen(proposal: Proposal, hunks: Collection[int] | None) -> tuple[Hunk, ...]:
    if hunks is None:
        return proposal.hunks
    for index in hunks:
        if not 0 <= index < len(proposal.hunks):
            raise ProposalRefused(
                f"This suggestion has no change number {index + 1}.",
                f"It has {len(proposal.hunks)}. Nothing was changed.",
            )
    return tuple(proposal.hunks[index] for index in hunks)


def _check_waiting(proposal: Proposal) -> None:
    if proposal.state is not State.WAITING:
        raise ProposalRefused(_SETTLED[proposal.state], "Nothing was changed.")


def _has_rejected(proposal: Proposal) -> bool:
    """Whether some changes of a waiting suggestion were rejected."""
    return proposal.state is State.WAITING and any(
        hunk.decision is Decision.REJECTED for hunk in proposal.hunks
    )


def _as_lines(edited: Sequence[str]) -> tuple[str, ...]:
    """What a person typed, one line each."""
    return tuple(piece.removesuffix("\r") for line in edited for piece in line.split("\n"))


def _keeps_being_answered() -> ProposalNotSaved:
    return ProposalNotSaved("Another Daybank is saving right now.", f"Try again soon. {_WAITS}")


def _page_is_gone(proposal: Proposal) -> ProposalConflict:
    return ProposalConflict(
        f"“{proposal.target}” is not there any more.",
        f"It was moved, renamed or deleted. Nothing was changed. {_WAITS}",
        proposal,
        (),
    )


def _without_applied(proposal: Proposal, written: bytes, now: bytes) -> bytes:
    """The page as it is now, without what the approval wrote into it."""
    back = reversed_hunks(accepted(proposal.hunks))
    placed = relocate(decode(written).text, decode(now).text, back)
    if any(isinstance(item, Clash) for item in placed):
        raise ProposalRefused(
            f"“{proposal.target}” was edited in the same lines, so this was not taken back.",
            "Open the page and change the lines there. Nothing was changed.",
        )
    return apply_to_bytes(now, [item.hunk for item in placed if isinstance(item, Moved)])
