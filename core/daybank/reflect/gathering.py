"""Which of the changes that a run came up with can wait together, and with which answers.

A page has one suggestion. Its changes must not touch the same lines, and what a person said to some
of them while they waited must not be lost when the suggestion is made anew.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from daybank.dates import Interval, describe
from daybank.reflect.material import Skipped
from daybank.review.proposal import Decision, Draft, Hunk, Proposal


def without_overlap(drafts: Sequence[Draft]) -> tuple[list[Draft], list[Draft]]:
    """The surest of those that touch the same lines, and the others."""
    taken: list[tuple[int, int]] = []
    kept: list[Draft] = []
    left: list[Draft] = []
    for draft in sorted(drafts, key=lambda d: -d.hunk.certainty):
        first, after = draft.hunk.line, draft.hunk.line + len(draft.hunk.old)
        if (draft.hunk.old and any(first < b and a < after for a, b in taken)) or (
            not draft.hunk.old and any(a < first < b for a, b in taken)
        ):
            left.append(draft)
        else:
            kept.append(draft)
            if draft.hunk.old:
                taken.append((first, after))
    order = {id(draft): number for number, draft in enumerate(drafts)}
    kept.sort(key=lambda draft: order[id(draft)])
    return kept, left


def with_answers(
    fresh: Sequence[Hunk],
    older: Sequence[Proposal],
    target: str,
    *,
    is_same_page: bool,
    partly: bool,
) -> tuple[list[Hunk], set[str]]:
    """The changes to suggest now, with the answers that a person gave while older ones waited.

    While the page is the same, what was answered stays as it was answered, and gives way to
    nothing; so does, in a run that does only a part, what the other parts have suggested. The facts
    behind what has to stand back (the second value) come again next time.
    """
    known = {hunk.fingerprint(target): hunk for p in older for hunk in p.hunks}
    out: list[Hunk] = []
    for hunk in fresh:
        old = known.pop(hunk.fingerprint(target), None)
        answered = replace(hunk, decision=old.decision, edited=old.edited) if old else hunk
        out.append(answered)
    displaced: set[str] = set()
    for old in known.values() if is_same_page else ():
        rejected = old.decision is Decision.REJECTED
        kept = old.decision is Decision.ACCEPTED or old.edited is not None
        clashing = [hunk for hunk in out if _touch(hunk, old)]
        if not (rejected or kept or partly) or (clashing and not kept):
            continue
        mine = {item.id for item in old.evidence}
        displaced |= {item.id for hunk in clashing for item in hunk.evidence} - mine
        out = [hunk for hunk in out if hunk not in clashing] + [old]
    return out, displaced


def _touch(one: Hunk, other: Hunk) -> bool:
    """Whether two changes are about the same lines or the same thing to add."""
    if not one.old or not other.old:
        return one.topic == other.topic and one.line == other.line
    return one.line < other.line + len(other.old) and other.line < one.line + len(one.old)


def is_fresh(proposal: Proposal, hunk: Hunk, waiting: Sequence[Proposal]) -> bool:
    mine = hunk.fingerprint(proposal.target)
    return not any(
        mine == old.fingerprint(other.target)
        for other in waiting
        if other.target == proposal.target
        for old in other.hunks
    )


def as_skipped(draft: Draft, reason: str) -> Skipped:
    source = draft.hunk.evidence[0].source if draft.hunk.evidence else draft.target
    return Skipped(draft.phase, source, draft.hunk.reason[:80], reason)


def reason_for(hunks: Sequence[Hunk]) -> str:
    if len(hunks) == 1:
        return hunks[0].reason
    days = [item.day for hunk in hunks for item in hunk.evidence if item.day is not None]
    if not days:
        return "Several changes."
    return f"Changes from the notes of {describe(Interval(min(days), max(days)))}."
