"""What is left of a suggestion when only some of its changes are saved: a suggestion of its own.

Pure. The changes that nobody has answered go on waiting under a new id. They never leave the list:
the new suggestion is stored before the old one loses them, and moved to the new text afterwards.
"""

from __future__ import annotations

from dataclasses import replace

from daybank.errors import ProposalRefused
from daybank.review.hunks import accepted, checked_hunks
from daybank.review.merge import Conflict, rebase
from daybank.review.proposal import Decision, Hunk, Proposal, State


def split_answered(proposal: Proposal, new_id: str) -> tuple[Proposal, Proposal | None]:
    """``proposal`` with the changes that have an answer, and one named ``new_id`` with those that
    wait; None where none does."""
    waiting = tuple(h for h in proposal.hunks if h.decision is Decision.WAITING)
    if not waiting:
        return proposal, None
    answered = tuple(h for h in proposal.hunks if h.decision is not Decision.WAITING)
    rest = replace(
        proposal,
        id=new_id,
        hunks=waiting,
        state=State.WAITING,
        settled=None,
        applied_sha256=None,
    )
    return replace(proposal, hunks=answered), rest


def after_saving(rest: Proposal, whole: Proposal, text: str, sha256: str) -> Proposal:
    """``rest`` on the page as it is once the accepted changes of ``whole`` are written into it,
    which is ``text``. Where it does not fit that, it is as it was, and asks when it is answered.
    """
    on_now = replace(rest, base_text=text, base_sha256=sha256)
    try:
        return replace(on_now, hunks=checked_hunks(text, _shifted(whole)))
    except ProposalRefused:  # a blank line at the page's end has no place in it
        found = rebase(rest, text, sha256)
        fits = not isinstance(found, Conflict) and len(found.proposal.hunks) == len(rest.hunks)
        return found.proposal if fits else rest


def _shifted(whole: Proposal) -> list[Hunk]:
    """The waiting changes, each where the accepted ones before it have moved its lines."""
    out = []
    moved = 0
    for hunk in whole.hunks:
        if hunk.decision is Decision.WAITING:
            out.append(replace(hunk, line=hunk.line + moved))
        elif accepted((hunk,)):
            moved += len(hunk.outcome) - len(hunk.old)
    return out
