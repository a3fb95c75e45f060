"""A suggestion as readable JSON, and back. Pure; the store decides where it is kept.

Reading takes every key that it knows and is strict about their types, so that a damaged file is
noticed here and not by a person who approves it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from datetime import date, datetime
from typing import Any

from daybank.review.proposal import Decision, Evidence, Hunk, Phase, Proposal, State

FORMAT = 1
"""Counts up when an older Daybank would misread what a newer one writes."""


class NewerFormat(ValueError):
    """The text was written by a newer Daybank."""


def encode_proposal(proposal: Proposal) -> bytes:
    """``proposal`` as UTF-8 JSON, one line of a page on one line of the file."""
    fields = {
        "format": FORMAT,
        "id": proposal.id,
        "created": proposal.created.isoformat(),
        "target": proposal.target,
        "phase": proposal.phase.value,
        "state": proposal.state.value,
        "settled": proposal.settled.isoformat() if proposal.settled else None,
        "reason": proposal.reason,
        "hunks": [_hunk_fields(hunk) for hunk in proposal.hunks],
        "base_sha256": proposal.base_sha256,
        "applied_sha256": proposal.applied_sha256,
        "base_text": proposal.base_text,
    }
    text = json.dumps(fields, ensure_ascii=False, indent=1)
    return f"{text}\n".encode("utf-8", "surrogatepass")


def decode_proposal(data: bytes) -> Proposal:
    """What :func:`encode_proposal` wrote.

    Raises NewerFormat for a text of a newer Daybank, ValueError for anything else that is no
    suggestion.
    """
    try:
        fields = json.loads(data.decode("utf-8", "surrogatepass"))
        if isinstance(fields, dict) and isinstance(fields.get("format"), int):
            if fields["format"] > FORMAT:
                raise NewerFormat(f"format {fields['format']}")
            return _proposal(fields)
    except (TypeError, KeyError, RecursionError) as error:
        raise ValueError(f"not a suggestion: {error!r}") from error
    raise ValueError("not a suggestion: it names no format")


def _proposal(fields: Mapping[str, Any]) -> Proposal:
    settled = fields["settled"]
    return Proposal(
        id=_text(fields["id"]),
        created=datetime.fromisoformat(fields["created"]),
        target=_text(fields["target"]),
        base_sha256=_text_or_none(fields["base_sha256"]),
        base_text=_text_or_none(fields["base_text"]),
        hunks=tuple(_hunk(item) for item in _list(fields["hunks"])),
        reason=_text(fields["reason"]),
        phase=Phase(fields["phase"]),
        state=State(fields["state"]),
        settled=None if settled is None else datetime.fromisoformat(settled),
        applied_sha256=_text_or_none(fields["applied_sha256"]),
    )


def _hunk_fields(hunk: Hunk) -> dict[str, Any]:
    return {
        "line": hunk.line,
        "old": list(hunk.old),
        "new": list(hunk.new),
        "edited": None if hunk.edited is None else list(hunk.edited),
        "decision": hunk.decision.value,
        "reason": hunk.reason,
        "topic": hunk.topic,
        "certainty": hunk.certainty,
        "evidence": [
            {
                "source": item.source,
                "id": item.id,
                "day": item.day.isoformat() if item.day else None,
                "stance": item.stance,
                "quote": item.quote,
            }
            for item in hunk.evidence
        ],
    }


def _hunk(fields: Mapping[str, Any]) -> Hunk:
    line, certainty, edited = fields["line"], fields["certainty"], fields["edited"]
    if type(line) is not int or not isinstance(certainty, int | float):
        raise TypeError("a number is missing")
    return Hunk(
        line=line,
        old=_texts(fields["old"]),
        new=_texts(fields["new"]),
        reason=_text(fields["reason"]),
        evidence=tuple(_evidence(item) for item in _list(fields["evidence"])),
        topic=_text(fields["topic"]),
        certainty=float(certainty),
        decision=Decision(fields["decision"]),
        edited=None if edited is None else _texts(edited),
    )


def _evidence(fields: Mapping[str, Any]) -> Evidence:
    day = fields["day"]
    return Evidence(
        source=_text(fields["source"]),
        id=_text(fields["id"]),
        day=None if day is None else date.fromisoformat(day),
        quote=_text(fields["quote"]),
        stance=_text(fields["stance"]),
    )


def _list(value: object) -> Sequence[Any]:
    if not isinstance(value, list):
        raise TypeError("a list is missing")
    return value


def _texts(value: object) -> tuple[str, ...]:
    return tuple(_text(item) for item in _list(value))


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError("a text is missing")
    return value


def _text_or_none(value: object) -> str | None:
    return None if value is None else _text(value)
