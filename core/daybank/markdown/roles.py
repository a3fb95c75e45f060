"""What a file is for, what it is called and which day it is, before a line of it is read."""

from __future__ import annotations

import re
from datetime import date, datetime
from pathlib import PurePosixPath

from daybank.dates import day_in_name
from daybank.markdown.document import Document
from daybank.markdown.model import EntityPage, Role
from daybank.workspace import decode_file_name

_PERSONA = frozenset(
    ("soul", "user", "identity", "agents", "tools", "heartbeat", "bootstrap", "claude", "gemini")
)
_AGENT_PAGES = frozenset(("identity.md", "scratchpad.md", "dialogue_summary.md"))


def role_of(path: str) -> Role:
    """What the file at ``path`` is for, from its place and name alone."""
    pure = PurePosixPath(path)
    parts = [part.lower() for part in pure.parts]
    name = parts[-1]
    if name.endswith(".jsonl"):
        return Role.CHAT
    if name == "dreams.md" or parts[:2] in (["memory", ".dreams"], ["memory", "dreaming"]):
        return Role.MACHINE
    if len(parts) == 1:
        if pure.name in ("MEMORY.md", "memory.md"):
            return Role.CORE
        if pure.suffix.lower() == ".md" and pure.stem.lower() in _PERSONA and pure.stem.isupper():
            return Role.PERSONA
    if parts[0] == "bank" and len(parts) > 1:
        return Role.ENTITY if parts[1] == "entities" and len(parts) > 2 else Role.BANK
    if parts[0] == "knowledge" or parts[:2] == ["memory", "knowledge"]:
        return Role.KNOWLEDGE
    if parts[0] == "memory" and len(parts) == 2 and name in _AGENT_PAGES:
        return Role.AGENT
    if day_in_name(pure.name) is not None and (
        parts[0] in ("memory", "journals") or re.match(r"\d{4}[-_.]?\d{2}[-_.]?\d{2}", name)
    ):
        return Role.LOG
    return Role.PAGE


def title_from_path(path: str) -> str:
    """A shown title for a file without one: its name, with Logseq's and our escapes undone."""
    stem = PurePosixPath(path).name
    for suffix in (".md", ".markdown", ".txt"):
        while stem.lower().endswith(suffix) and len(stem) > len(suffix):
            stem = stem[: -len(suffix)]
    return decode_file_name(stem).replace("___", "/")


def front_day(document: Document) -> date | None:
    value = document.front.get("date")
    if isinstance(value, datetime):
        return value.date()
    if isinstance(value, date):
        return value
    return day_in_name(value) if isinstance(value, str) else None


def entity_page(path: str, document: Document) -> EntityPage:
    front = document.front
    title = front.get("title")
    aliases = front.get("aliases") or front.get("alias") or ()
    if isinstance(aliases, str):
        aliases = [part.strip() for part in aliases.split(",")]
    kind = front.get("type")
    return EntityPage(
        str(title).strip() if title is not None and str(title).strip() else title_from_path(path),
        tuple(str(a).strip() for a in aliases if str(a).strip())
        if isinstance(aliases, list | tuple)
        else (),
        str(kind).strip().lower() if kind else None,
    )
