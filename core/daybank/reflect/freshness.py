"""Whether a suggestion still says what the notes say: asked right before it is written.

A suggestion may wait for days. Meanwhile a note that it cites may have moved, which only changes
the place in the citation, or be gone or reworded; then nobody should write down what it said.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import replace

from daybank.errors import ProposalRefused
from daybank.index.store import IndexStore
from daybank.markdown.model import Role
from daybank.review.proposal import Decision, Evidence, Hunk, Proposal

_CITED = re.compile(r"(?P<place>[^\s();,]+\.(?:md|jsonl)#L\d+(?:-L?\d+)?) \^(?P<id>f-[0-9a-f]{12})")


def with_places_now(
    proposal: Proposal, store: IndexStore, only: Collection[int] | None = None
) -> Proposal:
    """``proposal`` with every citation that it adds leading to where its note stands now; with
    ``only``, in the changes of these numbers (from 0).

    Raises ProposalRefused when a note behind a change that is not rejected is in no file any more.
    """
    hunks = []
    for number, hunk in enumerate(proposal.hunks):
        if hunk.decision is Decision.REJECTED or (only is not None and number not in only):
            hunks.append(hunk)
            continue
        _check_evidence(hunk, store)
        hunks.append(_moved(hunk, store))
    return replace(proposal, hunks=tuple(hunks))


def _check_evidence(hunk: Hunk, store: IndexStore) -> None:
    written = "\n".join(hunk.outcome)
    for item in hunk.evidence:
        if item.id.startswith("f-") and item.id in written and not store.by_uid(item.id):
            raise ProposalRefused(
                "A note behind this suggestion has changed.",
                f"“{_short(item)}” is not there any more. Nothing was changed. Reflect again: what"
                " the notes say now is suggested anew.",
            )


def _moved(hunk: Hunk, store: IndexStore) -> Hunk:
    """The same change with the places of its citations brought up to date."""

    def place_now(match: re.Match[str]) -> str:
        places = [p for p in store.by_uid(match["id"]) if not p.machine]
        stands = {str(p.source) for p in places}
        logs = [p for p in places if p.role is Role.LOG] or places
        if match["place"] in stands or not logs:
            return match[0]
        return f"{logs[0].source} ^{match['id']}"

    kept = set(hunk.old)
    new = tuple(line if line in kept else _CITED.sub(place_now, line) for line in hunk.new)
    edited = None
    if hunk.edited is not None:
        edited = tuple(
            line if line in kept else _CITED.sub(place_now, line) for line in hunk.edited
        )
    evidence = tuple(_evidence_now(item, store) for item in hunk.evidence)
    return replace(hunk, new=new, edited=edited, evidence=evidence)


def _evidence_now(item: Evidence, store: IndexStore) -> Evidence:
    places = [p for p in store.by_uid(item.id) if not p.machine] if item.id else []
    if not places or item.source in {str(p.source) for p in places}:
        return item
    return replace(item, source=str(places[0].source))


def _short(item: Evidence) -> str:
    return item.quote if len(item.quote) <= 80 else f"{item.quote[:79]}…"
