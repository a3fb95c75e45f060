"""One file → its passages: facts by the Retain grammar, everything else as bullets, paragraphs,
table rows and blocks of code, each with its lines, its day and the headings above it.

Pure: bytes in, frozen values out. Nothing here knows a folder or an index.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import date
from pathlib import PurePosixPath

from daybank.dates import Mood, day_in_heading, day_in_name, event_range
from daybank.markdown import bank
from daybank.markdown.document import Document, RawBlock, decode, parse
from daybank.markdown.inline import citations, mentions, plain
from daybank.markdown.model import Kind, Lint, ParsedFile, Passage, Role, Source
from daybank.markdown.names import entity_key, fact_id
from daybank.markdown.retain import (
    TypedBullet,
    is_retain_heading,
    looks_typed,
    parse_bullet,
    read_confidence,
)
from daybank.markdown.roles import entity_page, front_day, role_of, title_from_path

__all__ = ["LONG_PASSAGE", "parse_file", "role_of"]

LONG_PASSAGE = 1500
"""Characters above which a paragraph or block of code is cut at line ends."""

_CHECKBOX = re.compile(r"^\[[ xX/\-]\]\s+")
_LIST_MARK = re.compile(r"[\s>]*(?:[-*+]|\d+[.)])\s+")
_LINE_BULLET = re.compile(r"^[•‣▪◦·–—]\s+")
_SPEAKER = re.compile(r"^\s*\**(user|assistant|system|human|ai)\**\s*:", re.IGNORECASE)
_MARKER = re.compile(
    r"<!--\s*(?P<who>openclaw:dreaming|daybank):?(?P<what>[^>]*?)-->", re.IGNORECASE
)
_TAG = re.compile(r"</?[a-zA-Z][^<>]*>")
_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)


def parse_file(path: str, data: bytes) -> ParsedFile:
    """Read one Markdown or text file. Never raises on any bytes."""
    decoded = decode(data)
    document = parse(decoded.text)
    reader = _Reader(path, role_of(path), document)
    parsed = reader.run()
    if decoded.trouble:
        note = Lint(path, 0, "encoding", decoded.trouble)
        parsed = replace(parsed, lints=(note, *parsed.lints))
    return parsed


@dataclass(frozen=True, slots=True)
class _Heading:
    """A heading that is open. One inside a list item (``- ## Retain`` in an outline) counts as
    deeper than any other and ends with its item, at line ``until``."""

    level: int
    text: str
    day: date | None
    line: int
    until: int | None = None


class _Reader:
    """Walks the blocks of one file once, from top to bottom."""

    def __init__(self, path: str, role: Role, document: Document) -> None:
        self.path = path
        self.role = role
        self.document = document
        self.blocks = document.blocks
        self.file_day = day_in_name(PurePosixPath(path).name) or front_day(document)
        self.passages: list[Passage] = []
        self.lints: list[Lint] = []
        self.headings: list[_Heading] = []
        self.bodies: list[bool] = []  # for each open heading, whether text stands under it
        self.retain_level: int | None = None
        self.machine = role is Role.MACHINE
        self.columns: bank.OpinionColumns | None = None
        self.header: tuple[str, ...] = ()
        self.after_dashless: Passage | None = None
        self.entity = entity_page(path, document) if role is Role.ENTITY else None
        self.title = self._title()
        self.above_all = ""  # a page's title, where it is more than a day
        if role in (Role.PAGE, Role.KNOWLEDGE) and self.file_day is None:
            self.above_all = self.title

    def run(self) -> ParsedFile:
        if self._is_session_dump():
            self.role = Role.SESSION
        if self.document.front_broken:
            self._unread_front()
        position = 0
        while position < len(self.blocks):
            position = self._block(position)
        self._close_headings(0)
        self._file_lints()
        return ParsedFile(
            self.path,
            self.role,
            self.title,
            self.file_day,
            tuple(self.passages),
            tuple(self.lints),
            self.entity,
        )

    # -- what is around the current block

    @property
    def day(self) -> date | None:
        if self.file_day is not None:
            return self.file_day
        return next((h.day for h in reversed(self.headings) if h.day is not None), None)

    @property
    def holds_facts(self) -> bool:
        if self.role is Role.BANK or self.role is Role.ENTITY:
            return True
        in_log = self.role is Role.LOG or (
            self.path.startswith(("memory/", "journals/")) and self.role is Role.PAGE
        )
        return in_log and self.retain_level is not None

    def _block(self, position: int) -> int:
        """Read the block at ``position``; the position of the next one to read."""
        block = self.blocks[position]
        while self.headings and block.line_start > (self.headings[-1].until or block.line_start):
            self._close_headings(self.headings[-1].level)
        if block.kind == "heading" and not block.quoted:
            self._heading(block)
            return position + 1
        if block.kind == "html":
            self._html(block)
            return position + 1
        if block.kind == "rule":
            return position + 1
        for index in range(len(self.bodies)):
            self.bodies[index] = True
        if block.kind == "table_row":
            self._table_row(block)
            return position + 1
        self.columns = None
        if block.kind == "code":
            self._cut(block, block.text)
            return position + 1
        if block.kind == "item" and not block.quoted:
            return self._item(position)
        self._paragraph(block)
        return position + 1

    def _heading(self, block: RawBlock) -> None:
        level = block.level if not block.depth else 6 + block.depth
        self._close_headings(level)
        text = plain(block.text)
        until = block.item_end if block.depth else None
        day = day_in_heading(text)
        self.headings.append(_Heading(level, text, day, block.line_start, until))
        self.bodies.append(False)
        self.after_dashless = None
        self.columns = None
        if is_retain_heading(text) and self.retain_level is None:
            self.retain_level = level
        for match in _MARKER.finditer(block.text):
            self._marker(match)

    def _close_headings(self, level: int) -> None:
        """Close every heading at ``level`` or deeper; one without text becomes a passage."""
        while self.headings and self.headings[-1].level >= level:
            heading = self.headings[-1]
            bare = not self.bodies[-1]
            trail = tuple(h.text for h in self.headings[:-1])
            day = self.day
            self.headings.pop()
            self.bodies.pop()
            if bare and heading.text and not is_retain_heading(heading.text):
                self._keep(heading.text, heading.line, heading.line, trail=trail, day=day)
            if self.bodies:
                self.bodies[-1] = True
            if self.retain_level is not None and heading.level <= self.retain_level:
                self.retain_level = None

    # -- facts and passages

    def _item(self, position: int) -> int:
        block = self.blocks[position]
        if block.first_in_item and self.after_dashless is not None and self._belongs(block):
            return position + 1
        self.after_dashless = None
        if not self.holds_facts:
            self._plain_item(block)
            return position + 1
        if block.first_in_item and self.role is Role.BANK and bank.keyed_item(block):
            return self._keyed_opinion(position)
        pieces = _typed_pieces(block, self._begins_outside(block))
        typed = any(bullet is not None for bullet, _, _ in pieces)
        if typed and (block.first_in_item or pieces[0][0] is None):
            return self._typed_item(position, pieces)
        self._lint_item(block)
        self._plain_item(block)
        return position + 1

    def _typed_item(self, position: int, pieces: list[tuple[TypedBullet | None, int, int]]) -> int:
        """A list item that is a fact, with everything nested in it."""
        block = self.blocks[position]
        after = position + 1
        below: list[RawBlock] = []
        while after < len(self.blocks) and self.blocks[after].line_start <= block.item_end:
            below.append(self.blocks[after])
            after += 1
        for number, (bullet, start, end) in enumerate(pieces):
            if bullet is None:
                own = block.text.split("\n")[: end - start + 1]
                plain_part = replace(block, text="\n".join(own), line_end=end)
                self._lint_item(plain_part)
                self._plain_item(plain_part)
                continue
            last = number == len(pieces) - 1
            more = below if last else []
            self._fact(bullet, start, block.item_end if last and below else end, more)
        return after

    def _begins_outside(self, block: RawBlock) -> Callable[[int], bool]:
        """Whether the line at an offset into ``block`` stands left of the item's own text: it only
        happens to follow the item, and may be a note without its dash."""
        lines = self.document.lines
        if "\n" not in block.text:
            return lambda _: False
        mark = _LIST_MARK.match(lines[block.line_start - 1].expandtabs(4))
        column = mark.end() if mark is not None else 1

        def outside(offset: int) -> bool:
            number = block.line_start + offset
            line = lines[number - 1].expandtabs(4) if number <= len(lines) else ""
            return len(line) - len(line.lstrip()) < column

        return outside

    def _fact(self, bullet: TypedBullet, start: int, end: int, below: list[RawBlock]) -> Passage:
        text, day = bullet.text, self.day
        extra: list[str] = []
        evidence: list[RawBlock] = []
        for block in below:
            if bullet.kind is Kind.OPINION and bank.is_evidence(block.text):
                evidence.append(block)
                latest = bank.evidence_day(block.text)
                if self.file_day is None and latest and (day is None or latest > day):
                    day = latest
            else:
                extra.append(block.text)
        content = "\n".join(part for part in (plain(text), *map(plain, extra)) if part)
        names = bullet.names
        if bullet.confidence_trouble:
            self._lint(start, "confidence", f"The note is kept, but {bullet.confidence_trouble}.")
        everything = "\n".join((text, *extra))
        cites = citations("\n".join((everything, *(b.text for b in evidence))))
        source_day = self.day
        anchor = source_day or day
        passage = Passage(
            bullet.kind,
            Source(self.path, start, end),
            content,
            day=day,
            event=event_range(content, anchor, mood=Mood.LOG),
            confidence=bullet.confidence,
            mentions=_unique((*names, *mentions(everything), *self._page_name())),
            subjects=len(names),
            fact_id=fact_id(bullet.kind, content, names, source_day),
            trail=self._trail(),
            cites=cites,
            machine=self.machine,
        )
        self.passages.append(passage)
        for block in evidence:
            self._evidence(block, passage)
        return passage

    def _evidence(self, block: RawBlock, opinion: Passage) -> None:
        """The free text of an ``Evidence: …`` item is found by itself; it moves nothing."""
        words = bank.free_evidence(block.text)
        if words:
            names = (*opinion.mentions, *mentions(words))
            self._keep(plain(words), block.line_start, block.line_end, names=names, raw=words)

    def _keyed_opinion(self, position: int) -> int:
        """Bullets with back-ticked keys: `opinion`, `confidence`, … until the next `opinion`."""
        start = position
        values: dict[str, str] = {}
        while position < len(self.blocks):
            block = self.blocks[position]
            keyed = bank.keyed_item(block) if block.kind == "item" else None
            if keyed is None or keyed[0] in values:
                break
            values[keyed[0]] = keyed[1]
            position += 1
        first, last = self.blocks[start], self.blocks[position - 1]
        statement = values.get("opinion") or values.get("statement") or ""
        if not statement:
            for block in self.blocks[start:position]:
                self._plain_item(block)
            return position
        confidence, trouble = None, None
        if "confidence" in values:
            confidence, trouble = read_confidence(f"c={values['confidence']}")
        names = tuple(
            dict.fromkeys(
                name
                for key in ("entity", "about", "person", "subject")
                for name in mentions(values.get(key, "")) or _bare_name(values.get(key))
            )
        )
        bullet = TypedBullet(
            Kind.OPINION, names or self._heading_names(), statement, confidence, trouble
        )
        fact = self._fact(bullet, first.line_start, last.line_end, [])
        for block in self.blocks[start:position]:
            key, words = bank.keyed_item(block) or ("", "")
            if key == "evidence" and words:
                self._keep(
                    plain(words), block.line_start, block.line_end, names=fact.mentions, raw=words
                )
        return position

    def _heading_names(self) -> tuple[str, ...]:
        """Whom a table or a list of keys speaks of: the name in the heading above it."""
        if not self.headings or self.headings[-1].level < 2:
            return ()
        text = self.headings[-1].text
        return mentions(text) or ((text,) if text else ())

    def _belongs(self, block: RawBlock) -> bool:
        """Whether a bullet is the evidence of the dashless opinion just above it; then it is
        taken into that opinion's lines."""
        opinion = self.after_dashless
        assert opinion is not None
        if not bank.is_evidence(block.text):
            return False
        index = self.passages.index(opinion)
        source = replace(opinion.source, line_end=block.item_end)
        day = bank.evidence_day(block.text)
        grown = replace(
            opinion, source=source, day=max(filter(None, (opinion.day, day)), default=None)
        )
        self.passages[index] = self.after_dashless = grown
        self._evidence(block, grown)
        return True

    def _paragraph(self, block: RawBlock) -> None:
        if not self.holds_facts or block.quoted or block.kind != "paragraph":
            self.after_dashless = None
            self._split_lines(block)
            return
        for bullet, start, end in _typed_pieces(block):
            if bullet is not None:
                fact = self._fact(bullet, start, end, [])
                self.after_dashless = fact if fact.kind is Kind.OPINION else None
            else:
                self.after_dashless = None
                lines = block.text.split("\n")[
                    start - block.line_start : end - block.line_start + 1
                ]
                self._split_lines(
                    replace(block, text="\n".join(lines), line_start=start, line_end=end)
                )

    def _plain_item(self, block: RawBlock) -> None:
        text = _CHECKBOX.sub("", block.text, count=1) if block.first_in_item else block.text
        self._split_lines(block if text is block.text else replace(block, text=text))

    def _split_lines(self, block: RawBlock) -> None:
        """A paragraph, cut where lines begin with a bullet that CommonMark does not know, or, in
        a session dump, with a speaker."""
        if "\n" not in block.text:
            self._cut(block, _LINE_BULLET.sub("", block.text.lstrip()), parent=block.parent)
            return
        opener = _SPEAKER if self.role is Role.SESSION else _LINE_BULLET
        lines = block.text.split("\n")
        starts = [i for i, line in enumerate(lines) if i == 0 or opener.match(line.lstrip())]
        for number, first in enumerate(starts):
            after = starts[number + 1] if number + 1 < len(starts) else len(lines)
            text = "\n".join(_LINE_BULLET.sub("", line.lstrip()) for line in lines[first:after])
            piece = replace(
                block,
                text=text,
                line_start=block.line_start + first,
                line_end=min(block.line_start + after - 1, block.line_end),
            )
            self._cut(piece, text, parent=block.parent)

    def _cut(self, block: RawBlock, text: str, parent: int | None = None) -> None:
        """Keep ``text`` as one passage, or as several of whole lines when it is very long."""
        trail = self._trail(parent)
        read = plain if block.kind != "code" else str.strip
        names = mentions(text) if block.kind != "code" else ()
        if len(text) <= LONG_PASSAGE or "\n" not in text:
            self._keep(
                read(text), block.line_start, block.line_end, trail=trail, names=names, raw=text
            )
            return
        first = block.line_start + (1 if block.kind == "code" else 0)
        for start, end, piece in _chunks(text):
            self._keep(
                read(piece),
                min(first + start, block.line_end),
                min(first + end, block.line_end),
                trail=trail,
                names=mentions(piece) if names else (),
                raw=piece,
            )

    def _table_row(self, block: RawBlock) -> None:
        if block.header:
            self.header = tuple(plain(cell) for cell in block.cells)
            is_opinions = self.role is Role.BANK and bank.opinion_columns(block.cells)
            self.columns = is_opinions or None
            following = self.blocks.index(block) + 1
            if following >= len(self.blocks) or self.blocks[following].kind != "table_row":
                self._keep(plain(block.text), block.line_start, block.line_end)
            return
        if self.columns is not None:
            opinion = bank.table_opinion(block.cells, self.columns)
            if opinion is not None:
                self._opinion_row(block, opinion)
                return
        cells = [plain(cell) for cell in block.cells]
        heads = (*self.header, *("" for _ in cells))
        shown = [
            f"{head}: {cell}" if head else cell
            for head, cell in zip(heads, cells, strict=False)
            if cell
        ]
        self._keep(" · ".join(shown), block.line_start, block.line_end, names=mentions(block.text))

    def _opinion_row(self, block: RawBlock, opinion: bank.TableOpinion) -> None:
        typed = parse_bullet(opinion.statement)
        names = typed.names if typed else mentions(opinion.statement)
        names = names or self._heading_names()
        raw = opinion.confidence
        percent = re.fullmatch(r"(\d{1,3})\s*%", raw)
        confidence, trouble = None, None
        if percent:
            confidence = int(percent[1]) / 100 if int(percent[1]) <= 100 else None
        elif raw:
            confidence, trouble = read_confidence(raw if "=" in raw else f"c={raw}")
        statement = typed.text if typed else opinion.statement
        bullet = TypedBullet(Kind.OPINION, names, statement, confidence, trouble)
        fact = self._fact(bullet, block.line_start, block.line_end, [])
        if opinion.updated is not None:
            self.passages[-1] = replace(fact, day=opinion.updated)
        if opinion.evidence:
            self._keep(
                plain(opinion.evidence),
                block.line_start,
                block.line_end,
                names=fact.mentions,
                raw=opinion.evidence,
            )

    def _html(self, block: RawBlock) -> None:
        for match in _MARKER.finditer(block.text):
            self._marker(match)
        bare = _COMMENT.sub(lambda m: "\n" * m[0].count("\n"), block.text)
        bare = _TAG.sub(lambda m: " " + "\n" * m[0].count("\n"), bare)
        lines = [" ".join(line.split()) for line in bare.split("\n")]
        filled = [index for index, line in enumerate(lines) if line]
        if not filled:
            return
        for index in range(len(self.bodies)):
            self.bodies[index] = True
        first, last = filled[0], filled[-1]
        read = replace(
            block,
            line_start=block.line_start + first,
            line_end=min(block.line_start + last, block.line_end),
        )
        self._cut(read, "\n".join(lines[first : last + 1]))

    def _marker(self, match: re.Match[str]) -> None:
        words = re.split(r"[\s:]+", match["what"].strip().lower())
        ends = any(word in ("end", "stop", "close") for word in words)
        self.machine = self.role is Role.MACHINE or not ends

    def _keep(
        self,
        content: str,
        start: int,
        end: int,
        *,
        trail: tuple[str, ...] | None = None,
        names: tuple[str, ...] = (),
        raw: str = "",
        day: date | None = None,
    ) -> None:
        """Add a passage that is no fact; empty ones are left out."""
        if not content.strip():
            return
        day = day or self.day
        self.passages.append(
            Passage(
                Kind.MESSAGE if self.role is Role.SESSION else Kind.PASSAGE,
                Source(self.path, start, end),
                content,
                day=day,
                event=event_range(content, day, mood=Mood.LOG),
                mentions=_unique((*names, *self._page_name())),
                trail=self._trail() if trail is None else trail,
                cites=citations(raw),
                machine=self.machine,
            )
        )

    def _trail(self, parent: int | None = None) -> tuple[str, ...]:
        above = tuple(h.text for h in self.headings if h.text and h.until is None)
        if self.above_all and above[:1] != (self.above_all,):
            above = (self.above_all, *above)
        if parent is None:
            return above
        chain: list[str] = []
        while parent is not None:
            block = self.blocks[parent]
            chain.append(plain(block.text.split("\n", 1)[0])[:80])
            parent = block.parent
        return (*above, *(text for text in reversed(chain) if text))

    def _page_name(self) -> tuple[str, ...]:
        return (self.entity.title,) if self.entity is not None else ()

    # -- what is said about the file

    def _lint_item(self, block: RawBlock) -> None:
        if not block.first_in_item:
            return
        typed = looks_typed(block.text)
        if typed or (self.role is Role.LOG and self.retain_level is not None and block.depth == 1):
            shown = block.text.split("\n", 1)[0]
            shown = shown if len(shown) <= 60 else shown[:59] + "…"
            hint = (
                "says nothing after the colon"
                if typed and shown.endswith(":")
                else "is no typed note"
            )
            self._lint(
                block.line_start,
                "not-understood",
                f"“{shown}” {hint}; it is searchable as plain text."
                " A note looks like “- W @Name: text”.",
            )

    def _unread_front(self) -> None:
        """Properties that are no properties: their text is not lost."""
        for number in range(2, self.document.front_end):
            line = self.document.lines[number - 1]
            self._keep(plain(line), number, number, names=mentions(line), raw=line)

    def _file_lints(self) -> None:
        document = self.document
        if document.unclosed_fence is not None:
            line = document.unclosed_fence
            self._lint(
                line,
                "unclosed-code",
                f"The code block opened at line {line} never closes; what stands in it is read as"
                " code, not as notes.",
            )
        if document.front_broken:
            self._lint(
                1, "front-matter", "The properties at the top could not be read; the rest is."
            )
        if document.conflict_marks:
            number, _ = document.conflict_marks[0]
            self._lint(
                number,
                "merge-conflict",
                "Two versions of this text were left unmerged here; both are searched.",
            )

    def _lint(self, line: int, code: str, message: str) -> None:
        self.lints.append(Lint(self.path, line, code, message))

    def _is_session_dump(self) -> bool:
        first = next((b for b in self.blocks if b.kind == "heading"), None)
        if first is None or not re.match(r"session\b", first.text.strip(), re.IGNORECASE):
            return False
        head = "\n".join(self.document.lines[: first.line_end + 12]).lower()
        return "session key" in head or "session id" in head

    def _title(self) -> str:
        if self.entity is not None:
            return self.entity.title
        front = self.document.front.get("title")
        if isinstance(front, str) and front.strip():
            return front.strip()
        for block in self.blocks:
            if block.kind == "heading":
                if block.level == 1 and self.file_day is None and plain(block.text):
                    return plain(block.text)
                break
        return title_from_path(self.path)


def _typed_pieces(
    block: RawBlock, may_begin: Callable[[int], bool] = lambda _: True
) -> list[tuple[TypedBullet | None, int, int]]:
    """The lines of a block, cut where a line begins a typed bullet: (bullet or None, first line,
    last line). Lines that follow a bullet and begin none continue it."""
    lines = block.text.split("\n")
    starts = [
        i
        for i, line in enumerate(lines)
        if i == 0 or (parse_bullet(line.strip()) is not None and may_begin(i))
    ]
    pieces = []
    for number, first in enumerate(starts):
        after = starts[number + 1] if number + 1 < len(starts) else len(lines)
        text = "\n".join(line.strip() for line in lines[first:after])
        last = block.line_start + after - 1
        if number == len(starts) - 1:
            last = max(last, block.line_end) if after == len(lines) else last
        pieces.append((parse_bullet(text), block.line_start + first, min(last, block.line_end)))
    return pieces


def _chunks(text: str) -> Iterator[tuple[int, int, str]]:
    """Cut at line ends into parts of about LONG_PASSAGE characters: (first, last, text), with
    lines counted from 0."""
    lines = text.split("\n")
    first, size = 0, 0
    for index, line in enumerate(lines):
        if size and size + len(line) > LONG_PASSAGE:
            yield first, index - 1, "\n".join(lines[first:index])
            first, size = index, 0
        size += len(line) + 1
    yield first, len(lines) - 1, "\n".join(lines[first:])


def _unique(names: tuple[str, ...]) -> tuple[str, ...]:
    """The names without repetition (by key), first spelling kept."""
    if len(names) < 2:
        return names
    seen: dict[str, str] = {}
    for name in names:
        seen.setdefault(entity_key(name), name)
    return tuple(seen.values())


def _bare_name(value: str | None) -> tuple[str, ...]:
    return (plain(value),) if value and plain(value) else ()
