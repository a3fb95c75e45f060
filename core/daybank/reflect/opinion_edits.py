"""Changing one opinion on its page and nothing else. Pure.

The form that a person chose is kept: a bullet with its evidence nested, the same without a dash, a
row of a table, or back-ticked keys. Only the number, the evidence and the day of the last look
change; every other character of the opinion's lines stays.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import date

from daybank.markdown.names import entity_key, fold_text
from daybank.markdown.opinions import (
    EvidenceLine,
    Form,
    Key,
    OpinionEntry,
    confidence_cell,
    evidence_cell,
    updated_cell,
    write_evidence,
)
from daybank.markdown.retain import spell_name

_HEAD = re.compile(r"(?P<before>\s*(?:[-*+]\s+)?O)(?P<inside>\s*\([^()\n]*\))?(?P<after>[ \t:].*)")
_MARK = re.compile(r"(?P<indent>\s*)(?P<mark>[-*+])\s+")
_PERCENT = re.compile(r"\d{1,3}\s*%")
_OP_ID = re.compile(r"\s\^op-[0-9a-f]{8}\b")


@dataclass(frozen=True, slots=True)
class OpinionChange:
    """What is to change: the number to show, items to add, lines (by number) to take away, and the
    day of the last look. ``op_id`` is written where the opinion has none yet."""

    confidence: float
    op_id: str
    add: tuple[str, ...] = ()
    drop: frozenset[int] = frozenset()
    updated: date | None = None


def opinion_id(statement: str, names: Collection[str]) -> str:
    """``op-`` and 8 hex digits of BLAKE2b over the first-seen statement and its entities."""
    keys = sorted({entity_key(name) for name in names})
    data = "\x1f".join((fold_text(statement), *keys)).encode("utf-8", "surrogatepass")
    return "op-" + hashlib.blake2b(data, digest_size=4).hexdigest()


def changed_entry(
    entry: OpinionEntry, lines: Sequence[str], change: OpinionChange
) -> tuple[str, ...] | None:
    """The lines of ``entry`` with ``change`` made; None where its form has no place for it."""
    own = list(lines[entry.line_start - 1 : entry.line_end])
    if entry.form in (Form.TABLE, Form.KEYED):
        return _in_cells(entry, lines, own, change)
    head = _HEAD.fullmatch(own[0])
    if head is None:
        return None
    own[0] = f"{head['before']}(c={change.confidence:.2f}){head['after']}"
    items = [line for line in entry.evidence if line.line > entry.line_start]
    last_own = (items[0].line - 1 if items else entry.line_end) - entry.line_start
    last_own = _last_text(own, last_own)
    if not _OP_ID.search("\n".join(own[: last_own + 1])):
        own[last_own] = f"{own[last_own].rstrip()} ^{change.op_id}"
    prefix = _prefix(entry, own, items)
    return _nested(entry, own, items, prefix, change)


def new_entry(
    statement: str,
    names: Sequence[str],
    confidence: float,
    evidence: Sequence[str],
    updated: date | None,
    *,
    mark: str = "-",
) -> tuple[str, ...]:
    """The lines of an opinion that no page has yet."""
    spelled = "".join(f" {spell_name(name)}" for name in names)
    op_id = opinion_id(statement, names)
    items = [*evidence]
    if updated is not None:
        items.append(write_evidence(Key.UPDATED, updated))
    return (
        f"{mark} O(c={confidence:.2f}){spelled}: {statement} ^{op_id}",
        *(f"  {mark} {item}" for item in items),
    )


def _nested(
    entry: OpinionEntry,
    own: list[str],
    items: Sequence[EvidenceLine],
    prefix: str,
    change: OpinionChange,
) -> tuple[str, ...]:
    """The items under a bullet: new evidence after the last of its kind, the day brought up."""
    tail = (Key.UPDATED, Key.SUPERSEDED)
    kept = [item for item in items if item.key not in tail and item.line not in change.drop]
    after = (kept[-1].line if kept else 0) - entry.line_start
    first_tail = next((item.line for item in items if item.key in tail), None)
    if after < 0:
        after = (first_tail - 1 if first_tail is not None else entry.line_end) - entry.line_start
        after = _last_text(own, after)
    out: list[str] = []
    written_day = False
    by_line = {item.line: item for item in items}
    for place, text in enumerate(own):
        number = entry.line_start + place
        item = by_line.get(number)
        if number in change.drop:
            pass
        elif item is not None and item.key is Key.UPDATED and change.updated is not None:
            out.append(text.replace(item.text, change.updated.isoformat(), 1))
            written_day = True
        else:
            out.append(text)
        if place == after:
            out += [f"{prefix}{added}" for added in change.add]
    if change.updated is not None and not written_day:
        out.insert(
            _place_of_day(out, prefix),
            f"{prefix}{write_evidence(Key.UPDATED, change.updated)}",
        )
    return tuple(out)


def _place_of_day(out: Sequence[str], prefix: str) -> int:
    """Before what names a successor, else at the end of the text."""
    for place, text in enumerate(out):
        if text.strip().lstrip("-*+ ").lower().startswith("superseded by"):
            return place
    return _last_text(out, len(out) - 1) + 1


def _last_text(own: Sequence[str], place: int) -> int:
    """The last line at or before ``place`` that is not blank."""
    while place > 0 and not own[place].strip():
        place -= 1
    return place


def _prefix(entry: OpinionEntry, own: Sequence[str], items: Sequence[EvidenceLine]) -> str:
    """Indent and mark of the items under this opinion, as they are or as its form wants them."""
    for item in items:
        found = _MARK.match(own[item.line - entry.line_start])
        if found:
            return f"{found['indent']}{found['mark']} "
    head = _MARK.match(own[0])
    if head is None:
        return "- "
    width = len(head[0]) - len(head["indent"])
    inner = "\t" if head["indent"].endswith("\t") else " " * min(width, 4)
    return f"{head['indent']}{inner}{head['mark']} "


def _in_cells(
    entry: OpinionEntry, lines: Sequence[str], own: list[str], change: OpinionChange
) -> tuple[str, ...] | None:
    """A table row or keyed items: the number, and the evidence behind what stands there."""
    first, last = entry.line_start, entry.line_end
    number = confidence_cell(entry.form, lines, first, last)
    evidence = evidence_cell(entry.form, lines, first, last)
    if number is None or (change.add and evidence is None):
        return None
    edits: list[tuple[int, int, int, str]] = []
    row, start, end = number
    shown = f"{change.confidence:.2f}"
    if _PERCENT.fullmatch(lines[row - 1][start:end]):
        shown = f"{round(change.confidence * 100)} %"
    edits.append((row, start, end, shown))
    if change.add and evidence is not None:
        row, start, end = evidence
        there = lines[row - 1][start:end].rstrip("; ")
        text = "; ".join(part for part in (there, *change.add) if part)
        edits.append((row, start, end, text))
    day = updated_cell(entry.form, lines, first)
    if day is not None and change.updated is not None:
        edits.append((*day, change.updated.isoformat()))
    for row, start, end, text in sorted(edits, reverse=True):
        line = own[row - first]
        pad = " " if line[start - 1 : start] == "|" else ""
        own[row - first] = f"{line[:start]}{pad}{text}{line[end:]}"
    return tuple(own)
