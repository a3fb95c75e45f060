"""``chat.jsonl``: one message a line, read leniently and never written.

A torn or foreign line is counted and left out; the rest is read.
"""

from __future__ import annotations

import json
from collections.abc import Collection
from dataclasses import dataclass
from datetime import date, datetime, tzinfo
from typing import Any

from daybank.markdown.document import decode
from daybank.markdown.inline import mentions
from daybank.markdown.model import Kind, Lint, ParsedFile, Passage, Role, Source

_DIRECTIONS = {"user": "in", "human": "in", "assistant": "out", "ai": "out", "system": "system"}
"""Other programs write who speaks as a ``role``, and the text as ``content``."""

OWNER, ASSISTANT, OTHER, SYSTEM = "owner", "assistant", "other", "system"


@dataclass(frozen=True, slots=True)
class ChatMessage:
    """One message of a log, and the line on which it stands. ``when`` is None where its time cannot
    be read; ``said_by`` is ``owner``, ``assistant``, ``other`` or ``system``, and ``user`` the id
    that the log gives (None for none)."""

    line: int
    text: str
    when: datetime | None
    said_by: str
    user: str | None = None

    @property
    def is_trusted(self) -> bool:
        """Whether it may be taken at its word: others' messages may not."""
        return self.said_by != OTHER


@dataclass(frozen=True, slots=True)
class ChatLog:
    """A log as read: its messages in file order, the lines that are torn or foreign, and who its
    owner is (None where nobody wrote)."""

    messages: tuple[ChatMessage, ...]
    torn: tuple[int, ...]
    owner: str | None


def read_messages(
    data: bytes,
    *,
    owner_id: str | None = None,
    zone: tzinfo | None = None,
    lines: Collection[int] | None = None,
) -> ChatLog:
    """Read a conversation log leniently. The owner is ``owner_id``, else the first ``user_id``
    that wrote something. Times are in ``zone`` (the system's when None), and always have one.
    With ``lines`` only those are read; then the owner must be known."""
    messages: list[ChatMessage] = []
    torn: list[int] = []
    owner = owner_id
    for number, line in enumerate(decode(data).text.split("\n"), 1):
        if (lines is not None and number not in lines) or not line.strip():
            continue
        row = _row(line)
        if row is None:
            torn.append(number)
            continue
        direction = row.get("direction") or _DIRECTIONS.get(str(row.get("role")).lower())
        user = str(row["user_id"]) if row.get("user_id") is not None else None
        if owner is None and user is not None and direction == "in":
            owner = user
        text = str(row.get("text", row.get("content"))).strip()
        if text:
            when = message_time(row.get("ts", row.get("timestamp")), zone)
            said_by = _said_by(direction, user, owner)
            messages.append(ChatMessage(number, text, when, said_by, user))
    return ChatLog(tuple(messages), tuple(torn), owner)


def parse_chat(
    path: str, data: bytes, *, owner_id: str | None = None, zone: tzinfo | None = None
) -> ParsedFile:
    """Read a conversation log as passages, as :func:`read_messages` reads it.

    What others than the owner wrote is untrusted. A message's day is the person's calendar day in
    ``zone``.
    """
    log = read_messages(data, owner_id=owner_id, zone=zone)
    passages = tuple(
        Passage(
            Kind.MESSAGE,
            Source(path, message.line, message.line),
            message.text,
            day=message.when.date() if message.when is not None else None,
            mentions=mentions(message.text),
            said_by=message.said_by,
            untrusted=not message.is_trusted,
        )
        for message in log.messages
    )
    lints: tuple[Lint, ...] = ()
    if log.torn:
        count = len(log.torn)
        shown = f"{count} line was" if count == 1 else f"{count} lines were"
        lints = (Lint(path, log.torn[0], "torn-line", f"{shown} torn or foreign and left out."),)
    return ParsedFile(path, Role.CHAT, path.rsplit("/", 1)[-1], None, passages, lints)


def message_time(stamp: object, zone: tzinfo | None) -> datetime | None:
    """The moment of an ISO time stamp, or of seconds since 1970, in ``zone`` (the system's when
    None); None if unreadable. A stamp without a zone is taken as the person's own time."""
    try:
        if isinstance(stamp, int | float) and not isinstance(stamp, bool):
            moment = datetime.fromtimestamp(stamp, zone)
            return moment if zone is not None else moment.astimezone()
        moment = datetime.fromisoformat(str(stamp))
        if moment.tzinfo is None:
            return moment.replace(tzinfo=zone) if zone is not None else moment.astimezone()
        return moment.astimezone(zone)
    except (ValueError, OverflowError, OSError):
        return None


def message_day(stamp: object, zone: tzinfo | None) -> date | None:
    """The calendar day of a time stamp, as :func:`message_time` reads it."""
    moment = message_time(stamp, zone)
    return moment.date() if moment is not None else None


def _row(line: str) -> dict[str, Any] | None:
    """A line as the fields of a message; None where it is none."""
    try:
        row = json.loads(line.strip())
    except (ValueError, RecursionError):
        return None
    is_message = isinstance(row, dict) and isinstance(row.get("text", row.get("content")), str)
    return row if is_message else None


def _said_by(direction: object, user: str | None, owner: str | None) -> str:
    if direction == "out":
        return ASSISTANT
    if direction == "system":
        return SYSTEM
    return OWNER if user is None or user == owner else OTHER
