"""The opinions of a page in ``bank/`` with the evidence under each, line by line.

:func:`daybank.markdown.passages.parse_file` says which lines are opinions, in whatever form people
write them; here the lines under each are read as evidence. Reading only: nothing is normalised,
so an edit can keep every byte that it does not mean to change.
"""

from __future__ import annotations

import itertools
import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date
from enum import StrEnum

from daybank.dates import day_in_name
from daybank.markdown.bank import opinion_columns
from daybank.markdown.document import Document, RawBlock, decode, parse
from daybank.markdown.inline import plain
from daybank.markdown.model import Kind, Passage
from daybank.markdown.passages import parse_file

OPINIONS = "bank/opinions.md"
"""The page where opinions are kept."""

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
_BAR = re.compile(r"(?<!\\)\|")
_KEYED_EVIDENCE = re.compile(r"\s*[-*+]\s+`evidence`\s*:\s*", re.IGNORECASE)
_KEYED_NUMBER = re.compile(r"\s*[-*+]\s+`confidence`\s*:\s*", re.IGNORECASE)
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
    ``text`` is all that follows the key, as written. Its own text ends in ``line_end``, and what is
    nested below it in ``item_end`` (0 for a line that is not written yet)."""

    line: int
    key: Key
    text: str
    day: date | None = None
    value: float | None = None
    weight: float = 1.0
    source: str | None = None
    id: str | None = None
    line_end: int = 0
    item_end: int = 0

    @property
    def file(self) -> str:
        """The file that it cites, or an empty text."""
        return (self.source or "").partition("#")[0]


@dataclass(frozen=True, slots=True)
class OpinionEntry:
    """An opinion as it stands on its page. Lines count from 1; ``line_end`` is its last with
    everything under it, ``own_end`` the last of the statement itself. ``statement`` is plain text
    in one line, ``names`` its subjects as written, ``op_id`` its ``op-…`` where one is written."""

    passage: Passage
    form: Form
    statement: str
    names: tuple[str, ...]
    confidence: float | None
    op_id: str | None
    evidence: tuple[EvidenceLine, ...]
    own_end: int

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
    layout = _Layout.of(document)
    entries = [
        _entry(passage, document.lines, layout)
        for passage in parsed.passages
        if passage.kind is Kind.OPINION and not passage.machine
    ]
    return OpinionsPage(path, document.lines, tuple(entries))


@dataclass(frozen=True, slots=True)
class _Layout:
    """Where on a page list items begin (in order), table rows stand, and texts end."""

    items: tuple[RawBlock, ...]
    starts: tuple[int, ...]
    rows: frozenset[int]
    ends: dict[int, int]

    @classmethod
    def of(cls, document: Document) -> _Layout:
        items = tuple(b for b in document.blocks if b.kind == "item" and b.first_in_item)
        texts = [b for b in document.blocks if b.kind in ("item", "paragraph")]
        return cls(
            items,
            tuple(block.line_start for block in items),
            frozenset(b.line_start for b in document.blocks if b.kind == "table_row"),
            {n: b.line_end for b in texts for n in range(b.line_start, b.line_end + 1)},
        )

    def below(self, first: int, last: int) -> tuple[RawBlock, ...]:
        """The items that begin after line ``first``, up to ``last``."""
        return self.items[bisect_right(self.starts, first) : bisect_right(self.starts, last)]


def _entry(passage: Passage, lines: Sequence[str], layout: _Layout) -> OpinionEntry:
    first, last = passage.source.line_start, passage.source.line_end
    head = lines[first - 1] if first <= len(lines) else ""
    form = _form(head, first in layout.rows)
    below = layout.below(first, last)
    own_end = min(layout.ends.get(first, last), below[0].line_start - 1 if below else last, last)
    content = passage.content
    if form in (Form.TABLE, Form.KEYED):
        own_end = last
        evidence = _in_one_line(form, lines, first, last)
    else:
        content = "\n".join(content.split("\n")[: own_end - first + 1])
        evidence = [line for line in map(_evidence_line, below) if line is not None]
    mark = _OPINION.search("\n".join(_without_evidence(form, lines, first, own_end)))
    return OpinionEntry(
        passage,
        form,
        " ".join(content.split()),
        passage.mentions[: passage.subjects],
        passage.confidence,
        mark[1] if mark else None,
        tuple(evidence),
        own_end,
    )


def _without_evidence(form: Form, lines: Sequence[str], first: int, last: int) -> list[str]:
    """An opinion's own lines; a cell of evidence may name another opinion."""
    own = list(lines[first - 1 : last])
    place = evidence_cell(form, lines, first, last) if form in (Form.TABLE, Form.KEYED) else None
    if place is not None:
        number, start, end = place
        own[number - first] = lines[number - 1][:start] + lines[number - 1][end:]
    return own


def _form(head: str, is_row: bool) -> Form:
    if is_row:
        return Form.TABLE
    mark = _LIST_MARK.match(head)
    if mark is None:
        return Form.DASHLESS
    return Form.KEYED if head[mark.end() :].startswith("`") else Form.BULLET


def _in_one_line(form: Form, lines: Sequence[str], first: int, last: int) -> list[EvidenceLine]:
    """The evidence of a table row or of back-ticked keys: items of one line, between semicolons."""
    place = evidence_cell(form, lines, first, last)
    if place is None:
        return []
    number, start, end = place
    found = []
    for piece in lines[number - 1][start:end].split(";"):
        match = _ITEM.match(piece.strip())
        if match is not None:
            key = _KEYS[" ".join(match["key"].lower().split())]
            found.append(read_evidence(number, key, match["rest"].strip()))
        elif piece.strip():
            found.append(EvidenceLine(number, Key.EVIDENCE, plain(piece)))
    return found


def evidence_cell(
    form: Form, lines: Sequence[str], first: int, last: int
) -> tuple[int, int, int] | None:
    """Where the evidence of a table row (``first`` its line) or of keyed items stands: the line's
    number, and the characters from and to; None where there is no such place."""
    if form is Form.TABLE:
        return _cell(lines, first, "evidence")
    for number in range(first, last + 1):
        match = _KEYED_EVIDENCE.match(lines[number - 1])
        if match:
            return number, match.end(), len(lines[number - 1].rstrip())
    return None


def confidence_cell(
    form: Form, lines: Sequence[str], first: int, last: int
) -> tuple[int, int, int] | None:
    """Where the number of a table row or of keyed items stands, like :func:`evidence_cell`."""
    if form is Form.TABLE:
        return _cell(lines, first, "confidence")
    for number in range(first, last + 1):
        match = _KEYED_NUMBER.match(lines[number - 1])
        if match:
            return number, match.end(), len(lines[number - 1].rstrip())
    return None


def statement_cell(form: Form, lines: Sequence[str], first: int) -> tuple[int, int, int] | None:
    """Where a table row says its opinion."""
    return _cell(lines, first, "statement") if form is Form.TABLE else None


def updated_cell(form: Form, lines: Sequence[str], first: int) -> tuple[int, int, int] | None:
    """Where a table row says when it was last looked at."""
    return _cell(lines, first, "updated") if form is Form.TABLE else None


def _cell(lines: Sequence[str], row: int, what: str) -> tuple[int, int, int] | None:
    """The cell of a table's ``row`` under the heading of an opinion's ``what``, trimmed."""
    top = row - 1
    while top > 0 and "|" in lines[top - 1] and lines[top - 1].strip():
        top -= 1
    columns = opinion_columns([lines[top][a:b] for a, b in _cells(lines[top])])
    position = getattr(columns, what) if columns is not None else None
    cells = _cells(lines[row - 1])
    if position is None or position >= len(cells):
        return None
    start, end = cells[position]
    return row, start, end


def _cells(line: str) -> list[tuple[int, int]]:
    """The cells of a table's line as (from, to), without the blanks around them. A bar behind a
    backslash is text."""
    bars = [match.start() for match in _BAR.finditer(line)]
    edges = [-1, *bars, len(line)]
    cells = [(a + 1, b) for a, b in itertools.pairwise(edges)]
    if bars and not line[: bars[0]].strip():
        cells = cells[1:]
    if bars and not line[bars[-1] + 1 :].strip() and cells:
        cells = cells[:-1]
    out = []
    for start, end in cells:
        text = line[start:end]
        lead = len(text) - len(text.lstrip())
        out.append((start + lead, start + len(text.rstrip())) if text.strip() else (start, start))
    return out


def _evidence_line(block: RawBlock) -> EvidenceLine | None:
    match = _ITEM.match(block.text.strip())
    if match is None:
        return None
    key = _KEYS[" ".join(match["key"].lower().split())]
    line = read_evidence(block.line_start, key, match["rest"].strip())
    return replace(line, line_end=block.line_end, item_end=max(block.item_end, block.line_end))


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
