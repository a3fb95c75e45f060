"""``chat.jsonl``: one message a line, read leniently and never written.

A torn or foreign line is counted and left out; the rest is read.
"""

from __future__ import annotations

import json
from datetime import date, datetime, tzinfo

from daybank.markdown.document import decode
from daybank.markdown.inline import mentions
from daybank.markdown.model import Kind, Lint, ParsedFile, Passage, Role, Source

_DIRECTIONS = {"user": "in", "human": "in", "assistant": "out", "ai": "out", "system": "system"}
"""Other programs write who speaks as a ``role``, and the text as ``content``."""

OWNER, ASSISTANT, OTHER, SYSTEM = "owner", "assistant", "other", "system"


def parse_chat(
    path: str, data: bytes, *, owner_id: str | None = None, zone: tzinfo | None = None
) -> ParsedFile:
    """Read a conversation log.

    The owner is ``owner_id``, else the first ``user_id`` in the file. What others wrote is
    untrusted. A message's day is the person's calendar day in ``zone`` (the system's when None).
    """
    passages: list[Passage] = []
    torn: list[int] = []
    owner = owner_id
    text = decode(data).text
    for number, line in enumerate(text.split("\n"), 1):
        line = line.strip()
        if not line:
            continue
        try:
            row = json.loads(line)
        except (ValueError, RecursionError):
            torn.append(number)
            continue
        text_of = row.get("text", row.get("content")) if isinstance(row, dict) else None
        if not isinstance(row, dict) or not isinstance(text_of, str):
            torn.append(number)
            continue
        direction = row.get("direction") or _DIRECTIONS.get(str(row.get("role")).lower())
        user = str(row["user_id"]) if row.get("user_id") is not None else None
        if owner is None and user is not None and direction == "in":
            owner = user
        said_by = _said_by(direction, user, owner)
        content = text_of.strip()
        if content:
            passages.append(
                Passage(
                    Kind.MESSAGE,
                    Source(path, number, number),
                    content,
                    day=message_day(row.get("ts", row.get("timestamp")), zone),
                    mentions=mentions(content),
                    said_by=said_by,
                    untrusted=said_by == OTHER,
                )
            )
    lints: tuple[Lint, ...] = ()
    if torn:
        shown = f"{len(torn)} line was" if len(torn) == 1 else f"{len(torn)} lines were"
        lints = (Lint(path, torn[0], "torn-line", f"{shown} torn or foreign and left out."),)
    return ParsedFile(path, Role.CHAT, path.rsplit("/", 1)[-1], None, tuple(passages), lints)


def message_day(stamp: object, zone: tzinfo | None) -> date | None:
    """The calendar day of an ISO time stamp, or of seconds since 1970; None if unreadable."""
    try:
        if isinstance(stamp, int | float) and not isinstance(stamp, bool):
            return datetime.fromtimestamp(stamp, zone).date()
        moment = datetime.fromisoformat(str(stamp))
        return moment.astimezone(zone).date() if moment.tzinfo is not None else moment.date()
    except (ValueError, OverflowError, OSError):
        return None


def _said_by(direction: object, user: str | None, owner: str | None) -> str:
    if direction == "out":
        return ASSISTANT
    if direction == "system":
        return SYSTEM
    return OWNER if user is None or user == owner else OTHER
