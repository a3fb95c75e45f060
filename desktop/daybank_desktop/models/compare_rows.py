"""A file beside a copy that a sync program made of it: which file that is, and where they differ.
Pure: no Qt, no disk.

Made off the GUI thread: comparing the words of long lines takes a while.
"""

from __future__ import annotations

import os.path
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from daybank.review.hunks import split_lines
from daybank_desktop.models.diff_rows import GAP_ROW, DiffRow, between

CONTEXT = 2
MOST_LINES = 2000
"""Lines between the first and the last difference; comparing more of them could take minutes."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """``rows`` are the differences with a little around them; ``changes`` counts the rows that
    differ. None of either: the two say the same, but perhaps for how their lines end."""

    rows: tuple[DiffRow, ...]
    changes: int


def original_of(copy: str, names: Iterable[str]) -> str:
    """The file among ``names`` that ``copy`` was made of: its name begins with the whole name of
    it, whatever the sync program put behind. "" where none does."""
    stem, ending = os.path.splitext(copy)
    found = ""
    for name in names:
        other, its_ending = os.path.splitext(name)
        if name == copy or its_ending.lower() != ending.lower() or not other:
            continue
        if stem.lower().startswith(other.lower()) and len(name) > len(found):
            found = name
    return found


def compare(now: str, copy: str) -> Comparison | None:
    """Where two texts differ, line by line; None where that is too much to look through."""
    old, new = split_lines(now), split_lines(copy)
    head = _shared(old, new)
    tail = _shared(old[head:][::-1], new[head:][::-1])
    if max(len(old), len(new)) - head - tail > MOST_LINES:
        return None
    first = max(0, head - CONTEXT)
    after = max(0, tail - CONTEXT)
    rows = between(
        old[first : len(old) - after], new[first : len(new) - after], first + 1, first + 1
    )
    near = _near(rows)
    if near and first and near[0] == rows[0]:
        near.insert(0, GAP_ROW)
    if near and after and near[-1] == rows[-1]:
        near.append(GAP_ROW)
    return Comparison(tuple(near), sum(row.is_change for row in rows))


def _shared(one: Sequence[str], other: Sequence[str]) -> int:
    """How many lines at the beginning are the same."""
    most = min(len(one), len(other))
    return next((n for n in range(most) if one[n] != other[n]), most)


def _near(rows: Sequence[DiffRow]) -> list[DiffRow]:
    wanted = {
        at
        for n, row in enumerate(rows)
        if row.is_change
        for at in range(max(0, n - CONTEXT), min(len(rows), n + CONTEXT + 1))
    }
    out: list[DiffRow] = []
    last = -1
    for n in sorted(wanted):
        if out and n > last + 1:
            out.append(GAP_ROW)
        out.append(rows[n])
        last = n
    return out
