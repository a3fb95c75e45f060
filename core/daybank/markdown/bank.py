"""Opinions as people keep them in ``bank/``: nested evidence, dashless lines, tables, back-ticked
keys. Here they are only read; the text of evidence moves no confidence at this point.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from daybank.dates import day_in_name
from daybank.markdown.document import RawBlock
from daybank.markdown.inline import plain

_EVIDENCE = re.compile(
    r"^(?:start|supports|weakens|contradicts|restated|set|updated|superseded by|evidence"
    r"|last reinforced|last updated|status)\s*:",
    re.IGNORECASE,
)
_FREE_TEXT = re.compile(r"^evidence\s*:\s*", re.IGNORECASE)
_DATED = re.compile(r"^[a-z ]+:\s*(\d{4}-\d{2}-\d{2})\b", re.IGNORECASE)
_OPINION_HEADS = ("opinion", "belief", "statement", "opinión", "мнение", "opinyon")
_CONFIDENCE_HEADS = ("confidence", "c", "certainty", "confianza", "уверенность")
_EVIDENCE_HEADS = ("evidence", "why", "source", "sources", "evidencia", "основание")
_KEYED = re.compile(r"^`(?P<key>\w[\w ]*)`\s*:\s*(?P<value>.*)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class TableOpinion:
    """A row of an opinions table."""

    statement: str
    confidence: str
    updated: date | None
    evidence: str = ""


@dataclass(frozen=True, slots=True)
class OpinionColumns:
    """Which columns of an opinions table hold what."""

    statement: int
    confidence: int
    updated: int | None
    evidence: int | None


def is_evidence(text: str) -> bool:
    """Whether the text of a nested item is a line of an opinion's evidence."""
    return _EVIDENCE.match(text) is not None


def free_evidence(text: str) -> str | None:
    """The words of an ``Evidence: …`` item; None for any other."""
    match = _FREE_TEXT.match(text)
    return text[match.end() :] if match else None


def evidence_day(text: str) -> date | None:
    """The day that an evidence line names right after its key."""
    match = _DATED.match(text)
    return day_in_name(match[1]) if match else None


def opinion_columns(header: Sequence[str]) -> OpinionColumns | None:
    """The columns of an opinions table; None when the table is about something else."""
    heads = [plain(cell).strip().casefold() for cell in header]

    def first(*names: str) -> int | None:
        return next((i for i, head in enumerate(heads) if head in names), None)

    statement, confidence = first(*_OPINION_HEADS), first(*_CONFIDENCE_HEADS)
    if statement is None or confidence is None:
        return None
    updated = next(
        (i for i, head in enumerate(heads) if head.startswith(("updated", "last"))), None
    )
    return OpinionColumns(statement, confidence, updated, first(*_EVIDENCE_HEADS))


def table_opinion(cells: Sequence[str], columns: OpinionColumns) -> TableOpinion | None:
    """Read a row by :func:`opinion_columns`; None when its statement is empty."""

    def cell(index: int | None) -> str:
        return cells[index].strip() if index is not None and index < len(cells) else ""

    statement = cell(columns.statement)
    if not statement:
        return None
    return TableOpinion(
        statement,
        cell(columns.confidence),
        day_in_name(cell(columns.updated)),
        cell(columns.evidence),
    )


def keyed_item(block: RawBlock) -> tuple[str, str] | None:
    """``\\`opinion\\`: text`` → ("opinion", "text")."""
    match = _KEYED.match(block.text)
    return (match["key"].strip().lower(), match["value"].strip()) if match else None
