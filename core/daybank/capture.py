"""Writing something down: adds to a daily log, and never rewrites what is in it."""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date

from daybank.errors import NoteNotSaved, NoteNotUnderstood, PathRefused
from daybank.markdown.document import RawBlock, decode, parse
from daybank.markdown.inline import plain
from daybank.markdown.model import Passage, Source
from daybank.markdown.passages import parse_file
from daybank.markdown.retain import is_retain_heading, looks_typed, parse_bullet
from daybank.workspace import WorkspaceFolder

_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]")
_LISTED = re.compile(r"\s*(?:[-*+]|\d+[.)])\s|\s{2,}\S")


@dataclass(frozen=True, slots=True)
class Added:
    """What was written, where, and into which day. ``fact`` is None for plain text. ``before`` and
    ``after`` are the file's content around the addition, for undoing it (``before`` None: there was
    no file)."""

    fact: Passage | None
    source: Source
    text: str
    before: bytes | None
    after: bytes
    day: date


def add_note(folder: WorkspaceFolder, text: str, day: date) -> Added:
    """Append ``text`` to the log of ``day``.

    A typed note (``W @Peter: …``) goes to the end of the log's Retain section, which is made when
    there is none; plain text goes to the end of the day, before a Retain section that closes it.
    Every byte that was there stays, in its order; the file's line ends and encoding are kept.

    Raises NoteNotUnderstood, NoteNotSaved (the text is in it), PathRefused.
    """
    note = _clean(text)
    typed = parse_bullet(note) is not None
    path = folder.log_path(day)
    written: list[tuple[bytes | None, int]] = []

    def change(old: bytes | None) -> bytes:
        new, line = _with_note(path, old, note, day, typed)
        written.append((old, line))
        return new

    after = folder.edit(path, change, text=text)
    before, line = written[-1]
    passages = parse_file(path, after).passages
    here = next((p for p in passages if p.source.line_start == line), None)
    source = here.source if here is not None else Source(path, line, line + note.count("\n"))
    fact = here if here is not None and here.kind.is_fact and typed else None
    return Added(fact, source, note.split("\n", 1)[0], before, after, day)


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
    note = re.sub(r"^[-*+](?:\s+|$)", "", note)
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


def _with_note(
    path: str, old: bytes | None, note: str, day: date, typed: bool
) -> tuple[bytes, int]:
    """The log's bytes with the note in its place, and the line on which it stands."""
    first, *more = note.split("\n")
    bullet = "\n".join([f"- {first}", *(f"  {line}" for line in more)])
    if not old:
        head = f"# {day.isoformat()}\n\n" + ("## Retain\n\n" if typed else "")
        places = [(f"{head}{bullet}\n".encode(), head.count("\n") + 1)]
    else:
        log = _Log(old, note)
        if typed:
            places = [*log.in_retain(bullet), *log.with_section(bullet)]
        else:
            places = [log.at_end_of_day(bullet), *log.before_code(bullet)]
    facts = _facts(path, old or b"")
    for placed in places:
        if _is_read(path, placed, facts, typed=typed):
            return placed
    raise NoteNotSaved(
        "This text cannot be added to the day as one note.",
        "It would be read as something else: leave out headings and marks at the beginning of its"
        " lines, or close a block of code that is open in the day. Nothing was written.",
        note,
    )


def _facts(path: str, data: bytes) -> list[Passage]:
    return [p for p in parse_file(path, data).passages if p.kind.is_fact]


def _is_read(path: str, written: tuple[bytes, int], before: list[Passage], *, typed: bool) -> bool:
    """Whether the note is found on its line, and every note from before is still what it was. It
    is not where a block of code or a comment was opened above and never closed."""
    data, line = written
    passages = parse_file(path, data).passages
    new = [p for p in passages if p.source.line_start == line]
    if not new or new[0].kind.is_fact != typed:
        return False
    kept = [p.content for p in passages if p.kind.is_fact and p is not new[0]]
    return kept == [p.content for p in before]


class _Log:
    """A day's file as bytes and as lines, so that an addition touches no other byte.

    Places are line numbers after which the addition stands; 0 is the top.
    """

    def __init__(self, data: bytes, note: str) -> None:
        decoded = decode(data)
        self._data = data
        self._note = note
        self._codec = _codec(data, decoded.encoding)
        self._lines = decoded.text.split("\n")
        self._crlf = decoded.text.count("\r\n") * 2 > decoded.text.count("\n")
        self._starts = _line_starts(data, self._codec)
        blocks = parse(decoded.text).blocks
        self._heads = [b for b in blocks if b.kind == "heading" and not (b.depth or b.quoted)]
        self._codes = [b.line_start for b in blocks if b.kind in ("code", "html")]
        self._retain = [b for b in self._heads if is_retain_heading(plain(b.text))]

    def in_retain(self, bullet: str) -> Iterator[tuple[bytes, int]]:
        """The file with the bullet in a Retain section, best places first: at the end of the last
        one, else before a block of code there, else in the one before."""
        for section in reversed(self._retain):
            end = self._section_end(section)
            yield self._insert(self._last_filled(section.line_end, end), bullet)
            for code in reversed(self._codes):
                if section.line_end < code <= end:
                    yield self._insert(self._last_filled(section.line_end, code - 1), bullet)

    def with_section(self, bullet: str) -> Iterator[tuple[bytes, int]]:
        """The file with a new Retain section at its end, else before a block of code."""
        yield self._insert(self._last_filled(0, len(self._lines)), bullet, "## Retain\n\n")
        for code in reversed(self._codes):
            yield self._insert(self._last_filled(0, code - 1), bullet, "## Retain\n\n")

    def at_end_of_day(self, bullet: str) -> tuple[bytes, int]:
        """The file with the bullet as its last text, before a Retain section that closes it."""
        last = len(self._lines)
        if self._retain and self._section_end(self._retain[-1]) == last:
            last = self._retain[-1].line_start - 1
        return self._insert(self._last_filled(0, last), bullet)

    def before_code(self, bullet: str) -> Iterator[tuple[bytes, int]]:
        """The file with the bullet before a block of code, the last one first."""
        for code in reversed(self._codes):
            yield self._insert(self._last_filled(0, code - 1), bullet)

    def _section_end(self, section: RawBlock) -> int:
        return next(
            (
                head.line_start - 1
                for head in self._heads
                if head.line_start > section.line_start and head.level <= section.level
            ),
            len(self._lines),
        )

    def _last_filled(self, start: int, end: int) -> int:
        """The last line with text after line ``start`` and up to ``end``; ``start`` if none."""
        return next((n for n in range(end, start, -1) if self._lines[n - 1].strip()), start)

    def _insert(self, place: int, bullet: str, heading: str = "") -> tuple[bytes, int]:
        is_closed = place < len(self._lines)  # the line above ends with a newline
        above = self._lines[place - 1] if place else ""
        below = self._lines[place] if is_closed else ""
        head = "" if is_closed else "\n"
        if above.strip() and (heading or not _LISTED.match(above)):
            head += "\n"
        head += heading
        text = f"{head}{bullet}\n" + ("\n" if below.strip() else "")
        if self._crlf:
            text = text.replace("\n", "\r\n")
        at = self._starts[place] if is_closed else len(self._data)
        line = place + head.count("\n") + is_closed
        return self._data[:at] + self._encode(text) + self._data[at:], line

    def _encode(self, text: str) -> bytes:
        try:
            if self._codec.startswith("utf-16") and len(self._data) % 2:
                raise ValueError("half a character at the end")
            return text.encode(self._codec)
        except ValueError as error:
            raise NoteNotSaved(
                "The note could not be saved.",
                "The journal of that day is not in UTF-8 and cannot take these letters. Nothing was"
                " changed; save that file as UTF-8 and try again.",
                self._note,
            ) from error


def _codec(data: bytes, encoding: str) -> str:
    """The codec that writes what belongs into the middle of a file in ``encoding``: no mark."""
    if encoding == "utf-16":
        return "utf-16-le" if data.startswith(codecs.BOM_UTF16_LE) else "utf-16-be"
    return "utf-8" if encoding == "utf-8-sig" else encoding


def _line_starts(data: bytes, codec: str) -> list[int]:
    """The offset at which each line begins, behind a byte-order mark."""
    marks = (codecs.BOM_UTF8, codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
    starts = [next((len(mark) for mark in marks if data.startswith(mark)), 0)]
    newline = "\n".encode(codec)
    at = data.find(newline, starts[0])
    while at >= 0:
        if at % len(newline) == 0:
            starts.append(at + len(newline))
        at = data.find(newline, at + 1)
    return starts
