"""The opinions of a page in ``bank/`` with the evidence under each, line by line.

:func:`daybank.markdown.passages.parse_file` says which lines are opinions, in whatever form people
write them; here the lines under each are read as evidence. Reading only: nothing is normalised,
so an edit can keep every byte that it does not mean to change.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from enum import StrEnum

from daybank.dates import day_in_name
from daybank.markdown.document import RawBlock, decode, parse
from daybank.markdown.inline import plain
from daybank.markdown.model import Kind, Passage
from daybank.markdown.passages import parse_file

_ITEM = re.compile(
    r"""(?P<key>start|supports|weakens|contradicts|restated|set|updated|superseded\ by
        |evidence|last\ reinforced|last\ updated|status)
        \s*:\s*(?P<rest>.*)""",
    re.IGNORECASE | re.DOTALL | re.VERBOSE,
)
_DAY = re.compile(r"(\d{4}-\d{2}-\d{2})(?=\s|$)\s*")
_VALUE = re.compile(r"(?:0?\.\d+|[01](?:\.\d+)?)(?=\s|$)\s*")
_WEIGHT = re.compile(r"w=(0?\.\d+|1(?:\.0+)?)(?=\s|$)\s*")
_PLACE = re.compile(r"(\S+\.(?:md|jsonl)#L\d+(?:-L?\d+)?)")
_FACT = re.compile(r"\^(f-[0-9a-f]{12})\b")
_OPINION = re.compile(r"\^(op-[0-9a-f]{8})\b")
_LIST_MARK = re.compile(r"\s*(?:[-*+]|\d+[.)])\s+")


class Form(StrEnum):
    """How an opinion is written: as a typed bullet, the same without its dash, a row of a table,
    or bullets with back-ticked keys."""

    BULLET = "bullet"
    DASHLESS = "dashless"
    TABLE = "table"
    KEYED = "keyed"


class Key(StrEnum):
    """What a line under an opinion says of it."""

    START = "start"
    SUPPORTS = "supports"
    WEAKENS = "weakens"
    CONTRADICTS = "contradicts"
    RESTATED = "restated"
    SET = "set"
    UPDATED = "updated"
    SUPERSEDED = "superseded by"
    EVIDENCE = "evidence"  # free text: shown, moves nothing
    OTHER = "other"


_KEYS = {
    **{key.value: key for key in Key},
    "last reinforced": Key.UPDATED,
    "last updated": Key.UPDATED,
    "status": Key.OTHER,
}


@dataclass(frozen=True, slots=True)
class EvidenceLine:
    """A line under an opinion. ``value`` is a confidence in [0, 1] (of ``start``, ``set`` and
    ``restated``), ``weight`` the strength of a stance in (0, 1], ``source`` the place it cites
    (``path#L12``), ``id`` the fact (``f-…``) or, for ``superseded by``, the opinion (``op-…``);
    ``text`` is all that follows the key, as written."""

    line: int
    key: Key
    text: str
    day: date | None = None
    value: float | None = None
    weight: float = 1.0
    source: str | None = None
    id: str | None = None

    @property
    def file(self) -> str:
        """The file that it cites, or an empty text."""
        return (self.source or "").partition("#")[0]


@dataclass(frozen=True, slots=True)
class OpinionEntry:
    """An opinion as it stands on its page. Lines count from 1; ``line_end`` is its last with
    everything under it. ``statement`` is plain text, ``names`` its subjects as written, and
    ``op_id`` its ``op-…`` where one is written."""

    passage: Passage
    form: Form
    statement: str
    names: tuple[str, ...]
    confidence: float | None
    op_id: str | None
    evidence: tuple[EvidenceLine, ...]

    @property
    def line_start(self) -> int:
        return self.passage.source.line_start

    @property
    def line_end(self) -> int:
        return self.passage.source.line_end

    @property
    def superseded_by(self) -> str | None:
        """The opinion that took its place (``op-…``); None while it stands."""
        for item in self.evidence:
            if item.key is Key.SUPERSEDED:
                return item.id or item.text.strip() or None
        return None


@dataclass(frozen=True, slots=True)
class OpinionsPage:
    """A page's lines (without line ends) and its opinions in file order."""

    path: str
    lines: tuple[str, ...]
    entries: tuple[OpinionEntry, ...]


def read_opinions(path: str, data: bytes) -> OpinionsPage:
    """The opinions of a page of ``bank/``. Never raises."""
    document = parse(decode(data).text)
    parsed = parse_file(path, data)
    items = [block for block in document.blocks if block.kind == "item" and block.first_in_item]
    rows = {block.line_start for block in document.blocks if block.kind == "table_row"}
    entries = [
        _entry(passage, document.lines, items, rows)
        for passage in parsed.passages
        if passage.kind is Kind.OPINION and not passage.machine
    ]
    return OpinionsPage(path, document.lines, tuple(entries))


def _entry(
    passage: Passage, lines: Sequence[str], items: Sequence[RawBlock], rows: set[int]
) -> OpinionEntry:
    first, last = passage.source.line_start, passage.source.line_end
    head = lines[first - 1] if first <= len(lines) else ""
    form = _form(head, first in rows)
    below = [block for block in items if first < block.line_start <= last]
    if form is Form.KEYED:
        below = []
    evidence = [line for line in map(_evidence_line, below) if line is not None]
    mark = _OPINION.search("\n".join(lines[first - 1 : _own_end(first, last, below)]))
    return OpinionEntry(
        passage,
        form,
        passage.content,
        passage.mentions[: passage.subjects],
        passage.confidence,
        mark[1] if mark else None,
        tuple(evidence),
    )


def _own_end(first: int, last: int, below: Sequence[RawBlock]) -> int:
    """The last line of the statement itself, before what is nested in it."""
    return below[0].line_start - 1 if below else last


def _form(head: str, is_row: bool) -> Form:
    if is_row:
        return Form.TABLE
    mark = _LIST_MARK.match(head)
    if mark is None:
        return Form.DASHLESS
    return Form.KEYED if head[mark.end() :].startswith("`") else Form.BULLET


def _evidence_line(block: RawBlock) -> EvidenceLine | None:
    match = _ITEM.match(block.text.strip())
    if match is None:
        return None
    key = _KEYS[" ".join(match["key"].lower().split())]
    rest = match["rest"].strip()
    return read_evidence(block.line_start, key, rest)


def read_evidence(line: int, key: Key, text: str) -> EvidenceLine:
    """What follows the key of an evidence line, taken apart as far as it is understood."""
    rest = text
    day = value = None
    weight = 1.0
    if found := _DAY.match(rest):
        day, rest = day_in_name(found[1]), rest[found.end() :]
    if key in (Key.START, Key.SET, Key.RESTATED) and (found := _VALUE.match(rest)):
        value, rest = float(found[0]), rest[found.end() :]
    if found := _WEIGHT.match(rest):
        weight, rest = max(0.01, float(found[1])), rest[found.end() :]
    place = _PLACE.search(rest)
    mark = (_OPINION if key is Key.SUPERSEDED else _FACT).search(rest)
    return EvidenceLine(
        line,
        key,
        plain(text) if key is Key.EVIDENCE else text,
        day,
        value,
        weight,
        place[1] if place else None,
        mark[1] if mark else None,
    )


def write_evidence(
    key: Key,
    day: date | None,
    *,
    value: float | None = None,
    weight: float = 1.0,
    source: str | None = None,
    id: str | None = None,
    note: str = "",
) -> str:
    """The text of an evidence line, without its list mark; :func:`read_evidence` reads it back."""
    parts = [f"{key.value}:"]
    if day is not None:
        parts.append(day.isoformat())
    if value is not None:
        parts.append(f"{value:.2f}")
    if weight < 1.0:
        parts.append(f"w={weight:.2f}")
    if source:
        parts.append(source)
    if id:
        parts.append(f"^{id}")
    if note:
        parts.append(note)
    return " ".join(parts)
