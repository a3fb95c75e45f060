"""What becomes of a suggestion when its page was edited after it was made. Pure.

Three texts meet: the page as the suggestion knew it, the page as it is now, and the page as the
suggestion wants it. A change whose own lines a person has left alone moves to where they stand now,
also when the lines beside them were edited; one whose lines they touched is a :class:`Clash`; one
that they made themselves is there already.
"""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from dataclasses import dataclass, replace

from daybank.review.hunks import apply_hunks, changed_lines, split_lines
from daybank.review.proposal import Decision, Hunk, Proposal


@dataclass(frozen=True, slots=True)
class Moved:
    """A change at its place in the page as it is now."""

    hunk: Hunk


@dataclass(frozen=True, slots=True)
class AlreadyThere:
    """A change that the page has already."""

    hunk: Hunk


@dataclass(frozen=True, slots=True)
class Clash:
    """A change whose lines were edited too. ``index`` counts the suggestion's changes from 0;
    ``theirs`` are the lines that stand in its place now, from ``line`` on (from 1)."""

    index: int
    hunk: Hunk
    line: int
    theirs: tuple[str, ...]

    @property
    def ours(self) -> tuple[str, ...]:
        """The lines that the suggestion wants there."""
        return self.hunk.outcome

    def insisted(self) -> Hunk:
        """The change that puts ``ours`` in the place of ``theirs``."""
        return replace(
            self.hunk, line=self.line, old=self.theirs, new=self.ours, edited=None
        ).decided(Decision.WAITING)


@dataclass(frozen=True, slots=True)
class Rebased:
    """The suggestion as it fits the page now. ``there_already`` were left out: the page has them.
    Without a change that still waits there is nothing left to approve."""

    proposal: Proposal
    there_already: tuple[Hunk, ...] = ()

    @property
    def is_settled(self) -> bool:
        return not any(h.decision is not Decision.REJECTED for h in self.proposal.hunks)


@dataclass(frozen=True, slots=True)
class Conflict:
    """Some changes meet lines that were edited. ``proposal`` holds those that do not, as they fit
    the page now."""

    proposal: Proposal
    clashes: tuple[Clash, ...]


def rebase(proposal: Proposal, current_text: str, current_sha256: str) -> Rebased | Conflict:
    """``proposal`` on the page as it is now, every change of it to be answered afresh.

    A rejected change stays rejected, and is left out where its lines are gone.
    """
    placed = relocate(proposal.base_text or "", current_text, proposal.hunks)
    moved = [_afresh(item.hunk) for item in placed if isinstance(item, Moved)]
    on_now = replace(
        proposal,
        base_text=current_text,
        base_sha256=current_sha256,
        hunks=tuple(moved),
        applied_sha256=None,
    )
    clashes = tuple(
        item
        for item in placed
        if isinstance(item, Clash) and item.hunk.decision is not Decision.REJECTED
    )
    if clashes:
        return Conflict(on_now, clashes)
    return Rebased(on_now, tuple(i.hunk for i in placed if isinstance(i, AlreadyThere)))


def relocate(
    base_text: str, current_text: str, hunks: Sequence[Hunk]
) -> tuple[Moved | AlreadyThere | Clash, ...]:
    """Where each of ``hunks``, made for ``base_text``, stands in ``current_text``.

    Raises ProposalRefused when they do not fit ``base_text``.
    """
    base, current = split_lines(base_text), split_lines(current_text)
    apply_hunks(base_text, hunks)  # they must fit what they were made for
    place = _Placing(base, current, _line_map(base, current))
    return tuple(place(index, hunk) for index, hunk in enumerate(hunks))


def _afresh(hunk: Hunk) -> Hunk:
    return hunk if hunk.decision is Decision.REJECTED else replace(hunk, decision=Decision.WAITING)


def _line_map(base: Sequence[str], current: Sequence[str]) -> list[int | None]:
    """For each line of ``base`` the line of ``current`` that it is now, both from 0; None where it
    was edited or taken out. The numbers grow."""
    where: list[int | None] = [None] * len(base)
    matcher = difflib.SequenceMatcher(None, base, current, autojunk=False)
    for i, j, size in matcher.get_matching_blocks():
        where[i : i + size] = range(j, j + size)
    return where


class _Placing:
    """Finds the place of one change after the other in the current lines."""

    def __init__(
        self, base: Sequence[str], current: Sequence[str], where: list[int | None]
    ) -> None:
        self.base = base
        self.current = current
        self.where = where

    def __call__(self, index: int, hunk: Hunk) -> Moved | AlreadyThere | Clash:
        first, after, new = changed_lines(hunk)
        low, high = self._room(first, after)
        if first == after and not new:
            return AlreadyThere(hunk)
        if self._is_there(first, after, new, low, high):
            return AlreadyThere(hunk)
        at = self._insertion(first, new) if first == after else self._replaced(first, after)
        if at is None:
            theirs = tuple(self.current[low:high])
            return Clash(index, hunk, low + 1, theirs)
        return Moved(self._at(hunk, at, first, after, new))

    def _room(self, first: int, after: int) -> tuple[int, int]:
        """The current lines between the nearest ones that are as they were, around the change."""
        above = next((n for n in reversed(self.where[:first]) if n is not None), -1)
        below = next((n for n in self.where[after:] if n is not None), len(self.current))
        return above + 1, below

    def _is_there(self, first: int, after: int, new: tuple[str, ...], low: int, high: int) -> bool:
        """Whether a person has made the same change."""
        theirs = [line for line in self.current[low:high] if line.strip()]
        mine = [line for line in new if line.strip()]
        if first < after and all(n is not None for n in self.where[first:after]):
            return False
        if mine:
            return _count(theirs, mine) > 0
        return first < after and not theirs

    def _replaced(self, first: int, after: int) -> int | None:
        """Where the lines ``first`` to before ``after`` stand now; None where they do not, or
        where it is not certain that they are the same ones."""
        at = self.where[first]
        size = after - first
        if at is None or self.where[first:after] != list(range(at, at + size)):
            return None
        lines = list(self.base[first:after])
        if _count(self.current, lines) <= _count(self.base, lines):
            return at
        above = self.where[first - 1] if first else -1
        below = self.where[after] if after < len(self.base) else len(self.current)
        return at if above == at - 1 or below == at + size else None

    def _insertion(self, first: int, new: tuple[str, ...]) -> int | None:
        """Where lines that stood between ``first - 1`` and ``first`` belong now: behind what was
        added there, but a list's lines not behind a section that was begun there."""
        above = self.where[first - 1] if first else None
        below = self.where[first] if first < len(self.base) else None
        if first == len(self.base) and (self.base or not any(map(str.strip, self.current))):
            below = len(self.current)
        if above is None or below is None:
            return above + 1 if above is not None else below
        if _opens_section(new):
            return below
        added = range(above + 1, below)
        section = next((n for n in added if self.current[n].startswith("#")), None)
        if section is None:
            return below
        filled = (n for n in range(section, above, -1) if self.current[n - 1].strip())
        return next(filled, above + 1)

    def _at(self, hunk: Hunk, at: int, first: int, after: int, new: tuple[str, ...]) -> Hunk:
        """``hunk`` with its changed lines at ``at``, with the lines it only names where those
        stand there too, without them otherwise."""
        start = at - (first - (hunk.line - 1))
        if start >= 0 and tuple(self.current[start : start + len(hunk.old)]) == hunk.old:
            return replace(hunk, line=start + 1)
        old = tuple(self.base[first:after])
        return replace(hunk, line=at + 1, old=old, new=new, edited=None)


def _count(lines: Sequence[str], part: Sequence[str]) -> int:
    """How often ``part`` stands in ``lines`` in a row."""
    size = len(part)
    first = part[0]
    return sum(
        line == first and list(lines[n : n + size]) == list(part) for n, line in enumerate(lines)
    )


def _opens_section(lines: Sequence[str]) -> bool:
    return next((line for line in lines if line.strip()), "").startswith("#")
