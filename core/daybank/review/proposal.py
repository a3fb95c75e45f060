"""What a suggestion is. Frozen values; storing, merging and applying them is done elsewhere.

A :class:`Proposal` is a suggested edit of one file, in hunks; each hunk has its own reason and
evidence and is accepted, edited or rejected by itself.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from enum import StrEnum


class Phase(StrEnum):
    """Which part of a reflection suggested it; ``hand`` is a person's own edit by a button."""

    RETAIN = "retain"
    ENTITIES = "entities"
    OPINIONS = "opinions"
    WORLD = "world"
    EXPERIENCE = "experience"
    CORE = "core"
    DIALOGUE = "dialogue"
    KNOWLEDGE = "knowledge"
    REPAIR = "repair"
    HAND = "hand"


class State(StrEnum):
    """Where a proposal stands. Only a waiting one can be applied; ``withdrawn`` ones were
    overtaken by a newer suggestion for the same file."""

    WAITING = "waiting"
    APPLIED = "applied"
    REJECTED = "rejected"
    UNDONE = "undone"
    WITHDRAWN = "withdrawn"


class Decision(StrEnum):
    """A person's answer to one hunk."""

    WAITING = "waiting"
    ACCEPTED = "accepted"
    REJECTED = "rejected"


@dataclass(frozen=True, slots=True)
class Evidence:
    """A fact that speaks for a change: its citation ``path#L12``, its id, its day and its words.

    ``stance`` says what it does to an opinion (``supports``, ``weakens``, ``contradicts``), and is
    empty elsewhere.
    """

    source: str
    id: str
    day: date | None
    quote: str
    stance: str = ""


@dataclass(frozen=True, slots=True)
class Hunk:
    """One change: the lines ``old`` from ``line`` on (from 1, in the base text) become ``new``.

    Lines carry no newline. An empty ``old`` inserts before ``line``; ``line`` is one past the last
    to append. ``topic`` is what "never again" remembers, such as ``summary:peter``; ``certainty``
    in [0, 1] orders suggestions, most certain first. ``edited`` is what a person wrote instead of
    ``new``.
    """

    line: int
    old: tuple[str, ...]
    new: tuple[str, ...]
    reason: str
    evidence: tuple[Evidence, ...] = ()
    topic: str = ""
    certainty: float = 0.5
    decision: Decision = Decision.WAITING
    edited: tuple[str, ...] | None = None

    @property
    def outcome(self) -> tuple[str, ...]:
        """The lines that accepting it puts in place of ``old``."""
        return self.new if self.edited is None else self.edited

    def fingerprint(self, target: str) -> str:
        """The same for the same change of the same file, wherever in it the lines stand now."""
        return _digest((target, self.topic, *self.old, "\0", *self.new))

    def decided(self, decision: Decision, edited: Sequence[str] | None = None) -> Hunk:
        return replace(self, decision=decision, edited=None if edited is None else tuple(edited))


@dataclass(frozen=True, slots=True)
class Draft:
    """A hunk on its way to a proposal, with the file it is for."""

    target: str
    phase: Phase
    hunk: Hunk


@dataclass(frozen=True, slots=True)
class Proposal:
    """A suggested edit of one file.

    ``base_text`` is the whole file as it was read, ``base_sha256`` the hash of its bytes; both are
    None for a file to be made. ``hunks`` stand in file order and do not overlap. ``settled`` is
    when it was applied, rejected, undone or withdrawn; ``applied_sha256`` the hash of what was
    written.
    """

    id: str
    created: datetime
    target: str
    base_sha256: str | None
    base_text: str | None
    hunks: tuple[Hunk, ...]
    reason: str
    phase: Phase
    state: State = State.WAITING
    settled: datetime | None = None
    applied_sha256: str | None = None

    @property
    def fingerprint(self) -> str:
        """The same for the same set of changes to the same file."""
        return _digest(tuple(hunk.fingerprint(self.target) for hunk in self.hunks))

    @property
    def evidence(self) -> tuple[Evidence, ...]:
        """The evidence of all hunks, each fact once."""
        found = {(item.id, item.source): item for hunk in self.hunks for item in hunk.evidence}
        return tuple(found.values())

    @property
    def is_decided(self) -> bool:
        """Whether every hunk has an answer."""
        return all(hunk.decision is not Decision.WAITING for hunk in self.hunks)


def _digest(parts: Sequence[str]) -> str:
    text = "\x1f".join(parts)
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()
