"""A change as rows to look at, side by side or in one column. Pure: no Qt, no disk.

Made off the GUI thread: comparing the words of long lines takes a while.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from daybank.review.hunks import Part, split_lines, word_changes
from daybank.review.proposal import Decision, Hunk, Proposal

Span = tuple[int, int]

CONTEXT = 1
"""Lines that are shown before and after a change; a blank one brings its neighbour along."""
_LONGEST_COMPARED = 3000
"""Characters of a line; comparing the words of longer ones would take seconds."""
_MOST_PAIRED = 60
_ALIKE = 0.25
_SHORT = 3
"""Letters between two changed words that are not worth a gap in the fill."""
_MARKS = re.compile(r"\*\*|__|~~|`+|\[\[|\]\]|\^(?:f|op)-[0-9a-f]+|<!--.*?-->")
_LEAD = re.compile(r"\s*(?:(?:#{1,6}|[-*+]|\d{1,9}[.)]|>)(?:\s+|$))*")
_HEADING = re.compile(r"\s{0,3}#{1,6}\s+\S")


class Mark(StrEnum):
    """What a line is in a change. ``GAP`` stands for lines that are left out."""

    SAME = "same"
    REMOVED = "removed"
    ADDED = "added"
    GAP = "gap"


@dataclass(frozen=True, slots=True)
class DiffLine:
    """One line. ``number`` counts from 1; ``words`` are the characters that differ from the line
    beside it."""

    mark: Mark
    text: str = ""
    number: int = 0
    words: tuple[Span, ...] = ()


@dataclass(frozen=True, slots=True)
class DiffRow:
    """What stands side by side: the page now, and as it is suggested."""

    now: DiffLine | None
    suggested: DiffLine | None

    @property
    def is_change(self) -> bool:
        return any(side is None or side.mark in _CHANGED for side in (self.now, self.suggested))


_CHANGED = (Mark.REMOVED, Mark.ADDED)
GAP_ROW = DiffRow(DiffLine(Mark.GAP), DiffLine(Mark.GAP))


def proposal_rows(proposal: Proposal) -> tuple[tuple[DiffRow, ...], ...]:
    """The rows of each change of a suggestion. Lines are numbered as they will be when every
    change before it is made that nobody has rejected."""
    lines = split_lines(proposal.base_text or "")
    shift = 0
    out = []
    for hunk in proposal.hunks:
        out.append(change_rows(lines, hunk, shift=shift))
        if hunk.decision is not Decision.REJECTED:
            shift += len(hunk.outcome) - len(hunk.old)
    return tuple(out)


def change_rows(lines: Sequence[str], hunk: Hunk, *, shift: int = 0) -> tuple[DiffRow, ...]:
    """One change of a page that says ``lines``, with the lines around it and its heading."""
    first, after = hunk.line - 1, hunk.line - 1 + len(hunk.old)
    moved = shift + len(hunk.outcome) - len(hunk.old)
    begin = max(0, first - 2 * CONTEXT)
    rows = [_same(lines, n, shift) for n in range(begin, first)]
    rows += between(hunk.old, hunk.outcome, hunk.line, hunk.line + shift)
    rows += [_same(lines, n, moved) for n in range(after, min(len(lines), after + 2 * CONTEXT))]
    kept = _near_changes(rows)
    top = next((row.now.number for row in kept if row.now is not None and row.now.number), 0)
    return (*_heading(lines, top or first + 1, shift), *kept)


def between(
    old: Sequence[str], new: Sequence[str], old_from: int = 1, new_from: int = 1
) -> list[DiffRow]:
    """``old`` beside ``new``, each numbered from its own first line."""
    rows: list[DiffRow] = []
    matcher = difflib.SequenceMatcher(None, list(old), list(new), autojunk=False)
    for tag, i1, i2, j1, j2 in matcher.get_opcodes():
        if tag == "equal":
            rows += [
                DiffRow(
                    DiffLine(Mark.SAME, old[i], old_from + i),
                    DiffLine(Mark.SAME, new[j], new_from + j),
                )
                for i, j in zip(range(i1, i2), range(j1, j2), strict=True)
            ]
            continue
        for i, j in _pairs(old[i1:i2], new[j1:j2]):
            left = None if i is None else DiffLine(Mark.REMOVED, old[i1 + i], old_from + i1 + i)
            right = None if j is None else DiffLine(Mark.ADDED, new[j1 + j], new_from + j1 + j)
            if left is not None and right is not None:
                removed, added = changed_words(left.text, right.text)
                left, right = replace(left, words=removed), replace(right, words=added)
            rows.append(DiffRow(left, right))
    return rows


def in_one(rows: Sequence[DiffRow]) -> tuple[DiffLine, ...]:
    """The same in one column: of each run of changes what goes first, then what comes."""
    out: list[DiffLine] = []
    going: list[DiffLine] = []
    coming: list[DiffLine] = []
    for row in rows:
        if row.is_change:
            going += [row.now] if row.now is not None else []
            coming += [row.suggested] if row.suggested is not None else []
            continue
        out += [*going, *coming]
        going, coming = [], []
        if row.suggested is not None:
            out.append(row.suggested)
    return (*out, *going, *coming)


def changed_words(old: str, new: str) -> tuple[tuple[Span, ...], tuple[Span, ...]]:
    """Where ``old`` and ``new`` differ, in words; what little stands between two changed words
    counts too."""
    if len(old) + len(new) > _LONGEST_COMPARED:
        return _inner(old, new), _inner(new, old)
    sides: tuple[list[Span], list[Span]] = ([], [])
    at = [0, 0]
    for segment in word_changes(old, new):
        size = len(segment.text)
        for side, part in enumerate((Part.OLD, Part.NEW)):
            if segment.part is part:
                sides[side].append((at[side], at[side] + size))
            if segment.part in (part, Part.SAME):
                at[side] += size
    return _joined(old, sides[0]), _joined(new, sides[1])


def markdown_marks(text: str) -> tuple[tuple[Span, ...], int | None]:
    """The characters of a line that are Markdown's and not its words, to be shown dimmed; and
    where the words of a heading begin, None for another line."""
    lead = _LEAD.match(text)
    start = lead.end() if lead is not None else 0
    spans = [(0, start)] if text[:start].strip() else []
    spans += [match.span() for match in _MARKS.finditer(text, start)]
    return tuple(spans), start if _HEADING.match(text) else None


def spoken(rows: Sequence[DiffRow], removed: str, added: str) -> str:
    """The change in words for a screen reader; the two patterns take ``line`` and ``text``."""
    parts = []
    for line in in_one(rows):
        if line.mark in _CHANGED:
            pattern = removed if line.mark is Mark.REMOVED else added
            parts.append(pattern.format(line=line.number, text=line.text.strip()))
    return " ".join(parts)


def _same(lines: Sequence[str], index: int, shift: int) -> DiffRow:
    number = index + 1
    return DiffRow(
        DiffLine(Mark.SAME, lines[index], number), DiffLine(Mark.SAME, lines[index], number + shift)
    )


def _near_changes(rows: Sequence[DiffRow]) -> list[DiffRow]:
    """``rows`` without what is far from every change; a gap where something is left out between."""
    wanted: set[int] = set()
    changes = [n for n, row in enumerate(rows) if row.is_change]
    for n in changes:
        wanted.add(n)
        for step in (-1, 1):
            at, left = n + step, CONTEXT
            while left and 0 <= at < len(rows) and not rows[at].is_change:
                wanted.add(at)
                now = rows[at].now
                left -= bool(now is not None and now.text.strip())
                at += step
    out: list[DiffRow] = []
    last = -1
    for n in sorted(wanted):
        if out and n > last + 1:
            out.append(rows[n - 1] if n == last + 2 else GAP_ROW)
        out.append(rows[n])
        last = n
    return out


def _heading(lines: Sequence[str], top: int, shift: int) -> Iterator[DiffRow]:
    """The heading that the line ``top`` (from 1) stands under, where it is out of sight."""
    if top <= len(lines) and top >= 1 and _HEADING.match(lines[top - 1]):
        return
    for index in range(min(top - 1, len(lines)) - 1, -1, -1):
        if _HEADING.match(lines[index]):
            yield _same(lines, index, shift)
            if index < top - 2 and any(line.strip() for line in lines[index + 1 : top - 1]):
                yield GAP_ROW
            return


def _pairs(old: Sequence[str], new: Sequence[str]) -> Iterator[tuple[int | None, int | None]]:
    """Which removed line became which added one, in their order."""
    partner = _alike(old, new) if max(len(old), len(new)) <= _MOST_PAIRED else _in_turn(old, new)
    j = 0
    for i in range(len(old)):
        to = partner.get(i)
        if to is None:
            yield i, None
            continue
        yield from ((None, n) for n in range(j, to))
        yield i, to
        j = to + 1
    yield from ((None, n) for n in range(j, len(new)))


def _in_turn(old: Sequence[str], new: Sequence[str]) -> dict[int, int]:
    return {n: n for n in range(min(len(old), len(new)))}


def _alike(old: Sequence[str], new: Sequence[str]) -> dict[int, int]:
    """The pairing of lines that keeps their order and shares the most words."""
    mine = [set(line.casefold().split()) for line in old]
    theirs = [set(line.casefold().split()) for line in new]
    if len(old) == len(new) == 1:
        return {0: 0}
    best = [[0.0] * (len(new) + 1) for _ in range(len(old) + 1)]
    for i in range(len(old) - 1, -1, -1):
        for j in range(len(new) - 1, -1, -1):
            together = best[i + 1][j + 1] + _shared(mine[i], theirs[j])
            best[i][j] = max(best[i + 1][j], best[i][j + 1], together)
    found: dict[int, int] = {}
    i = j = 0
    while i < len(old) and j < len(new):
        shared = _shared(mine[i], theirs[j])
        if shared and best[i][j] == best[i + 1][j + 1] + shared:
            found[i] = j
            i, j = i + 1, j + 1
        elif best[i][j] == best[i + 1][j]:
            i += 1
        else:
            j += 1
    return found


def _shared(one: set[str], other: set[str]) -> float:
    share = len(one & other) / len(one | other) if one and other else 0.0
    return share if share >= _ALIKE else 0.0


def _inner(text: str, other: str) -> tuple[Span, ...]:
    """All but the beginning and the end that two long lines share."""
    most = min(len(text), len(other))
    head = next((n for n in range(most) if text[n] != other[n]), most)
    most -= head
    tail = next((n for n in range(most) if text[-1 - n] != other[-1 - n]), most)
    return ((head, len(text) - tail),) if head < len(text) - tail else ()


def _joined(text: str, spans: Sequence[Span]) -> tuple[Span, ...]:
    out: list[Span] = []
    for start, end in spans:
        if out and len(text[out[-1][1] : start].strip()) <= _SHORT:
            out[-1] = (out[-1][0], end)
        else:
            out.append((start, end))
    return tuple(out)
