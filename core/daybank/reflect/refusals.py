"""What a person said no to, taken apart, so that no part of it comes back inside another change.

A rejected change as a whole is known by its fingerprint. But the next night's change of the same
lines may be a bigger one that holds what was rejected; hence each note, number and line in it is
remembered by itself, under the change's topic.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from dataclasses import replace

from daybank.review.proposal import Decision, Hunk, Proposal, State

Refused = frozenset[tuple[str, str]]
"""(topic, token); see :func:`tokens_of`."""

SET_BY_HAND = re.compile(r"\bset:\s+(\d{4}-\d{2}-\d{2})\s+(\d(?:\.\d+)?)")
_CITED = re.compile(r"\^((?:f-[0-9a-f]{12})|(?:op-[0-9a-f]{8}))\b")


def refused_pairs(proposals: Collection[Proposal]) -> Refused:
    """(topic, token) of everything that a person rejected, took back, or left out when they edited
    a change."""
    found: set[tuple[str, str]] = set()
    for proposal in proposals:
        for hunk in proposal.hunks:
            tokens: set[str] = set()
            if hunk.decision is Decision.REJECTED or proposal.state is State.UNDONE:
                tokens = {*tokens_of(hunk), *(item.id for item in hunk.evidence if item.id)}
            elif hunk.edited is not None and proposal.state is State.APPLIED:
                left = replace(hunk, new=hunk.edited, edited=None)
                tokens = {*tokens_of(hunk)} - {*tokens_of(left)}
            found.update((hunk.topic, token) for token in tokens)
    return frozenset(found)


def tokens_of(hunk: Hunk) -> Iterator[str]:
    """What a change is made of: each note it would cite, ``-`` and each it would not cite any more,
    the opinion that would take another's place, a number noted as set by hand, and each line."""
    before, after = "\n".join(hunk.old), "\n".join(hunk.new)
    cited, cites = set(_CITED.findall(before)), set(_CITED.findall(after))
    yield from cites - cited
    yield from (f"-{uid}" for uid in cited - cites)
    known = set(SET_BY_HAND.findall(before))
    for day, value in SET_BY_HAND.findall(after):
        if (day, value) not in known:
            yield set_token(float(value))
    yield from (line for line in hunk.new if line.strip() and line not in hunk.old)


def set_token(value: float) -> str:
    """The token of a number noted as set by hand."""
    return f"set:{value:.2f}"
