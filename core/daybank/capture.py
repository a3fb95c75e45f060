"""Writing something down: adds to a daily log, and never rewrites what is in it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date

from daybank.errors import NoteNotUnderstood, PathRefused
from daybank.markdown.document import decode, parse
from daybank.markdown.model import Passage, Source
from daybank.markdown.passages import parse_file
from daybank.markdown.retain import is_retain_heading, looks_typed, parse_bullet
from daybank.workspace import WorkspaceFolder

_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]")


@dataclass(frozen=True, slots=True)
class Added:
    """What was written, and where. ``fact`` is None for plain text. ``before`` and ``after`` are
    the file's content around the addition, for undoing it (``before`` None: there was no file)."""

    fact: Passage | None
    source: Source
    text: str
    before: bytes | None
    after: bytes


def add_note(folder: WorkspaceFolder, text: str, day: date) -> Added:
    """Append ``text`` to the log of ``day``.

    A typed note (``W @Peter: …``) goes to the end of the log's Retain section, which is made when
    there is none; plain text goes to the end of the day, before that section. Every byte that was
    there stays, in its order; the file's line ends are kept.

    Raises NoteNotUnderstood, NoteNotSaved (the text is in it), PathRefused.
    """
    note = _clean(text)
    typed = parse_bullet(note) is not None
    path = folder.log_path(day)
    state: dict[str, bytes | None] = {}

    def change(old: bytes | None) -> bytes:
        state["old"] = old
        return _with_note(old, note, day, typed)

    after = folder.edit(path, change, text=text)
    first_line = note.split("\n", 1)[0]
    parsed = parse_file(path, after)
    candidates = [p for p in parsed.passages if p.kind.is_fact == typed]
    before = state["old"]
    line = _line_of(before, after)
    fact = next((p for p in candidates if p.source.line_start == line), None)
    source = fact.source if fact is not None else Source(path, line, line + note.count("\n"))
    return Added(fact if typed else None, source, first_line, before, after)


def undo_note(folder: WorkspaceFolder, added: Added) -> None:
    """Take back exactly what :func:`add_note` wrote.

    Raises PathRefused when the file was changed since; then nothing is touched.
    """
    changed = PathRefused(
        "The journal was changed meanwhile, so this was not taken back.",
        "Open the day and remove the line there.",
    )
    if added.before is None:
        place = folder.absolute(added.source.path)
        with folder.writing():
            if not place.exists() or place.read_bytes() != added.after:
                raise changed
            place.unlink()
        return
    before = added.before

    def change(old: bytes | None) -> bytes:
        if old != added.after:
            raise changed
        return before

    folder.edit(added.source.path, change)


def _clean(text: str) -> str:
    """The note as it will be written, without its list mark."""
    note = _CONTROL.sub("", text.replace("\r\n", "\n").replace("\r", "\n")).strip()
    note = re.sub(r"^[-*+]\s+", "", note)
    if not note:
        raise NoteNotUnderstood("There is nothing to write down.", "Type a few words first.")
    if parse_bullet(note) is None and looks_typed(note):
        raise NoteNotUnderstood(
            f"“{note.split(chr(10), 1)[0][:60]}” is no note.",
            "A note looks like “W @Peter: Lives in Porto” or “O(c=0.8): Mornings are best”.",
        )
    bullet = parse_bullet(note)
    if bullet is not None and bullet.confidence_trouble:
        raise NoteNotUnderstood(
            f"In this note {bullet.confidence_trouble}.", "Nothing was written."
        )
    return "\n".join(line.rstrip() for line in note.split("\n") if line.strip())


def _with_note(old: bytes | None, note: str, day: date, typed: bool) -> bytes:
    """The log's bytes with the note in its place."""
    lines = note.split("\n")
    bullet = "\n".join([f"- {lines[0]}", *(f"  {line}" for line in lines[1:])])
    if old is None:
        body = f"# {day.isoformat()}\n\n"
        return (body + (f"## Retain\n\n{bullet}\n" if typed else f"{bullet}\n")).encode("utf-8")
    decoded = decode(old)
    encoding = decoded.encoding
    newline = "\r\n" if "\r\n" in decoded.text else "\n"
    at, retain = _place(decoded.text, typed)
    head, tail = decoded.text[:at], decoded.text[at:]
    piece = bullet
    if typed and not retain:
        piece = f"## Retain\n\n{bullet}"
    addition = piece.replace("\n", newline) + newline
    if head and not head.endswith("\n"):
        addition = newline + addition
    if head.strip() and _wants_gap(head, piece):
        addition = newline + addition
    if tail.strip() and not tail.startswith(("\n", "\r\n")):
        addition += newline
    return (head + addition + tail).encode(encoding)


def _place(text: str, typed: bool) -> tuple[int, bool]:
    """Where the note goes, as an offset into ``text``, and whether a Retain section is there."""
    document = parse(text)
    starts = [0]
    for line in text.split("\n"):
        starts.append(starts[-1] + len(line) + 1)
    end = len(text)
    heads = [b for b in document.blocks if b.kind == "heading" and not b.depth and not b.quoted]
    retain = [b for b in heads if is_retain_heading(b.text)]
    if not retain:
        return end, False
    section = retain[-1]
    if not typed:
        before = min(starts[retain[0].line_start - 1], end)
        return _after_text(text, 0, before), True
    following = [b for b in heads if b.line_start > section.line_start and b.level <= section.level]
    limit = min(starts[following[0].line_start - 1], end) if following else end
    start = min(starts[section.line_end], end)
    return _after_text(text, start, limit), True


def _after_text(text: str, start: int, limit: int) -> int:
    """The offset just behind the last line with text in ``text[start:limit]``."""
    region = text[start:limit]
    kept = region.rstrip(" \t\r\n")
    if not kept:
        return start
    newline = region.find("\n", len(kept))
    return start + (newline + 1 if newline >= 0 else len(region))


def _wants_gap(head: str, piece: str) -> bool:
    """Whether an empty line belongs between what is there and the addition: always before a
    heading, and before a bullet unless it continues a list."""
    if head.endswith(("\n\n", "\r\n\r\n")):
        return False
    if piece.startswith("#"):
        return True
    last = head.rstrip("\r\n").rsplit("\n", 1)[-1]
    return re.match(r"\s*(?:[-*+]|\d+[.)])\s|\s{2,}\S", last) is None


def _line_of(before: bytes | None, after: bytes) -> int:
    """The line on which the added bullet stands: the first that differs and begins one."""
    old = decode(before).text.split("\n") if before is not None else []
    new = decode(after).text.split("\n")
    first = next((i for i, line in enumerate(new) if i >= len(old) or old[i] != line), 0)
    return next((i for i in range(first, len(new)) if new[i].startswith("- ")), first) + 1
