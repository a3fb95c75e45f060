"""A conversation log as a page to read: a heading a day, then who said what, in order."""

from __future__ import annotations

from datetime import date, tzinfo

from daybank.markdown.chatlog import ASSISTANT, OWNER, SYSTEM, parse_chat
from daybank.markdown.model import Block, BlockKind, Page, Role, Span

_SPEAKERS = {OWNER: "You", ASSISTANT: "Assistant", SYSTEM: "System"}


def read_chat_page(
    path: str, data: bytes, *, owner_id: str | None = None, zone: tzinfo | None = None
) -> Page:
    """Read a ``chat.jsonl`` for showing; the messages' own text is never read as markup."""
    parsed = parse_chat(path, data, owner_id=owner_id, zone=zone)
    blocks: list[Block] = []
    day: date | None = None
    for message in parsed.passages:
        line = message.source.line_start
        if message.day is not None and message.day != day:
            day = message.day
            # Line 0: the heading stands in no line of the file, so no citation can mean it.
            blocks.append(Block(BlockKind.HEADING, 0, 0, (Span(day.isoformat()),), level=2))
        speaker = _SPEAKERS.get(message.said_by or "", "Somebody else")
        spans = (Span(f"{speaker}: ", bold=True), Span(message.content))
        blocks.append(Block(BlockKind.PARAGRAPH, line, line, spans))
    return Page(path, Role.CHAT, parsed.title, None, tuple(blocks), parsed.lints)
