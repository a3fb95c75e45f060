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

from daybank.dates import day_in_name
from daybank.markdown.names import entity_key, fold_text
from daybank.markdown.opinions import (
    EvidenceLine,
    Form,
    Key,
    OpinionEntry,
    confidence_cell,
    evidence_cell,
    statement_cell,
    updated_cell,
    write_evidence,
)
from daybank.markdown.retain import parse_bullet, spell_name

_HEAD = re.compile(r"(?P<before>\s*(?:[-*+]\s+)?O)(?P<inside>\s*\([^()\n]*\))?(?P<after>[ \t:].*)")
_MARK = re.compile(r"(?P<indent>\s*)(?P<mark>[-*+])\s+")
_PERCENT = re.compile(r"\d{1,3}\s*%")


@dataclass(frozen=True, slots=True)
class OpinionChange:
    """What is to change: the number to show, items to add, lines of evidence (by number) to take
    away, and the day of the last look. ``op_id`` is written where the opinion has none yet. Where
    all evidence stands in one cell, ``gone`` tells by fact id what to take away."""

    confidence: float
    op_id: str
    add: tuple[str, ...] = ()
    drop: frozenset[int] = frozenset()
    updated: date | None = None
    gone: frozenset[str] = frozenset()


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
    last_own = _last_text(own, entry.own_end - entry.line_start)
    if entry.op_id is None:
        own[last_own] = f"{own[last_own].rstrip()} ^{change.op_id}"
    new = _nested(entry, own, items, _prefix(entry, own, items), change)
    return _set_apart(entry, lines, new)


def with_successor(
    entry: OpinionEntry,
    lines: Sequence[str],
    new: tuple[str, ...],
    successor: Successor,
) -> tuple[str, ...] | None:
    """``new``, the changed lines of ``entry`` without their mark of what takes its place (that is
    among what :func:`changed_entry` adds), with the successor's own entry behind, in the same form.
    None where the form has no place for it."""
    while new and not new[-1].strip():
        new = new[:-1]
    if entry.form is Form.TABLE:
        row = _table_row(entry, lines, successor)
        return None if row is None else (*new, row)
    indent = "" if entry.form is Form.KEYED else _indent(lines[entry.line_start - 1])
    mark = _mark_of(lines[entry.line_start - 1])
    written = new_entry(
        successor.statement,
        successor.names,
        successor.confidence,
        successor.evidence,
        successor.updated,
        mark=mark,
        dashless=entry.form is Form.DASHLESS,
    )
    lead = ("",) if entry.form is Form.DASHLESS else ()
    return _set_apart(entry, lines, (*new, *lead, *(f"{indent}{line}" for line in written)))


@dataclass(frozen=True, slots=True)
class Successor:
    """The opinion that takes the place of one that has turned, begun by the note ``fact``."""

    statement: str
    names: tuple[str, ...]
    confidence: float
    evidence: tuple[str, ...]
    updated: date | None
    fact: str


def new_entry(
    statement: str,
    names: Sequence[str],
    confidence: float,
    evidence: Sequence[str],
    updated: date | None,
    *,
    mark: str = "-",
    dashless: bool = False,
) -> tuple[str, ...]:
    """The lines of an opinion that no page has yet."""
    spelled = "".join(f" {spell_name(name)}" for name in names)
    op_id = opinion_id(statement, names)
    items = [*evidence]
    if updated is not None:
        items.append(write_evidence(Key.UPDATED, updated))
    head, inner = ("", "") if dashless else (f"{mark} ", "  ")
    return (
        f"{head}O(c={confidence:.2f}){spelled}: {statement} ^{op_id}",
        *(f"{inner}{mark} {item}" for item in items),
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
    if kept:
        after = _last_text(
            own, min(max(kept[-1].item_end, kept[-1].line), entry.line_end) - entry.line_start
        )
    else:
        after = _last_text(own, entry.own_end - entry.line_start)
    dropped = {
        number
        for item in items
        if item.line in change.drop
        for number in range(item.line, max(item.line, item.line_end) + 1)
    }
    days = [item for item in items if item.key is Key.UPDATED and item.day is not None]
    shown = max((d for d in (change.updated, *(i.day for i in days)) if d), default=None)
    if change.updated is None:
        shown = None
    by_line = {item.line: item for item in days}
    out: list[str] = []
    for place, text in enumerate(own):
        number = entry.line_start + place
        item = by_line.get(number)
        if number in dropped:
            pass
        elif item is not None and item.day is not None and shown is not None:
            out.append(text.replace(item.day.isoformat(), shown.isoformat(), 1))
        else:
            out.append(text)
        if place == after:
            out += [f"{prefix}{added}" for added in change.add if not _ends_it(added)]
    if shown is not None and not days:
        out.insert(_place_of_day(out), f"{prefix}{write_evidence(Key.UPDATED, shown)}")
    end = _last_text(out, len(out) - 1) + 1
    out[end:end] = [f"{prefix}{added}" for added in change.add if _ends_it(added)]
    return tuple(out)


def _ends_it(item: str) -> bool:
    return item.startswith(f"{Key.SUPERSEDED.value}:")


def _set_apart(entry: OpinionEntry, lines: Sequence[str], new: tuple[str, ...]) -> tuple[str, ...]:
    """``new`` with a blank line behind, where the page goes on with plain text that would else be
    read as part of the last item."""
    following = lines[entry.line_end] if entry.line_end < len(lines) else ""
    grown = len(new) > 1 and bool(_MARK.match(new[-1]))
    starts_itself = not following.strip() or following.lstrip()[:1] in "-*+#>|`<"
    known = entry.form is Form.BULLET and _is_item(lines[entry.line_end - 1])
    return new if not grown or starts_itself or known else (*new, "")


def _is_item(line: str) -> bool:
    return _MARK.match(line) is not None


def _indent(line: str) -> str:
    return line[: len(line) - len(line.lstrip())]


def _mark_of(line: str) -> str:
    found = _MARK.match(line)
    return found["mark"] if found else "-"


def _place_of_day(out: Sequence[str]) -> int:
    """Before what names a successor, else at the end of the text."""
    for place, text in enumerate(out[1:], 1):
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
    if number is None or ((change.add or change.gone) and evidence is None):
        return None
    edits: list[tuple[int, int, int, str]] = []
    row, start, end = number
    shown = f"{change.confidence:.2f}"
    if _PERCENT.fullmatch(lines[row - 1][start:end]):
        shown = f"{round(change.confidence * 100)} %"
    edits.append((row, start, end, shown))
    if (change.add or change.gone) and evidence is not None:
        row, start, end = evidence
        there = _without_gone(lines[row - 1][start:end], change.gone).rstrip("; ")
        text = "; ".join(part for part in (there, *map(_for_cell, change.add)) if part)
        edits.append((row, start, end, text))
    day = updated_cell(entry.form, lines, first)
    if day is not None and change.updated is not None:
        row, start, end = day
        looked = day_in_name(lines[row - 1][start:end])
        edits.append((*day, max(filter(None, (looked, change.updated))).isoformat()))
    for row, start, end, text in sorted(edits, reverse=True):
        line = own[row - first]
        pad = " " if line[start - 1 : start] in ("|", ":") else ""
        rest = line[end:]
        if start == end:  # an empty cell: its blanks become one on each side
            blank, bar, beyond = rest.partition("|")
            rest = f" {bar}{beyond}" if bar and not blank.strip() else rest
        own[row - first] = f"{line[:start]}{pad}{text}{rest}"
    return tuple(own)


def _without_gone(cell: str, gone: frozenset[str]) -> str:
    """A cell of evidence without the items that cite one of ``gone``; the others as they are."""
    if not gone:
        return cell
    pieces = cell.split(";")
    kept = [piece for piece in pieces if not any(f"^{uid}" in piece for uid in gone)]
    return ";".join(kept).lstrip()


def _for_cell(text: str) -> str:
    """What would end a cell, or an item in it, stands there otherwise."""
    return text.replace("|", "\\|").replace(";", ",")


def _table_row(entry: OpinionEntry, lines: Sequence[str], successor: Successor) -> str | None:
    """A row for ``successor`` below the row of ``entry``, with the cells that its table has."""
    row = entry.line_start
    statement = statement_cell(entry.form, lines, row)
    number = confidence_cell(entry.form, lines, row, row)
    evidence = evidence_cell(entry.form, lines, row, row)
    if statement is None or number is None or evidence is None:
        return None
    said = f"{_for_cell(successor.statement)} ^{opinion_id(successor.statement, successor.names)}"
    line = lines[row - 1]
    if parse_bullet(line[statement[1] : statement[2]]) is not None:
        spelled = "".join(f" {spell_name(name)}" for name in successor.names)
        said = f"O{spelled}: {said}"
    shown = f"{successor.confidence:.2f}"
    if _PERCENT.fullmatch(line[number[1] : number[2]]):
        shown = f"{round(successor.confidence * 100)} %"
    edits = [
        (*statement[1:], said),
        (*number[1:], shown),
        (*evidence[1:], "; ".join(map(_for_cell, successor.evidence))),
    ]
    day = updated_cell(entry.form, lines, row)
    if day is not None and successor.updated is not None:
        edits.append((*day[1:], successor.updated.isoformat()))
    for start, end, text in sorted(edits, reverse=True):
        line = f"{line[:start]}{text}{line[end:]}"
    return line
