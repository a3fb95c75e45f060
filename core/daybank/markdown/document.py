"""Bytes → text and blocks with their lines. Knows CommonMark and front matter, no Daybank grammar.

Lines are split on ``\\n`` only: a lone carriage return, a form feed or U+2028 never moves a line
number. Everything here is pure, so any thread may call it.
"""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

import yaml
from markdown_it import MarkdownIt
from markdown_it.token import Token
from mdit_py_plugins.front_matter import front_matter_plugin

_LONE_CR = re.compile(r"\r(?!\n)")
_CONFLICT_MARK = re.compile(r"(?:<{7}|\|{7}|>{7})(?: .*)?$|={7}$")
_MARKUP_ONLY = re.compile(r"[\s>|:=#*+\-]*(?:\d+[.)])?\s*")
_SAMPLE = 4096
"""Bytes that are looked at to tell UTF-16 without a mark; an even number."""
_HIGH_BYTES = bytes((*range(0x09), *range(0x0E, 0x20)))
"""First halves of the characters of Latin, Cyrillic, Greek and their like; hardly ever in UTF-8."""
_DEEPEST = 60
"""Containers in each other that are followed: thirty levels of an outline. What lies deeper is read
as plain lines; markdown-it by itself stops at ten levels and drops the rest."""


@dataclass(frozen=True, slots=True)
class Decoded:
    """A file's text, with the trouble that decoding it met (None for none).

    ``text`` has no byte-order mark; its line ends are as in the file.
    """

    text: str
    encoding: str
    trouble: str | None = None


@dataclass(frozen=True, slots=True)
class RawBlock:
    """One leaf block. ``line_start`` and ``line_end`` count from 1, both included.

    ``kind``: heading, paragraph, item (the own text of a list item), code, html, table_row, rule.
    ``text`` is the source text of the block without list marks, quote marks and fences; its lines
    keep the order of the file, and ``lines`` tells the number of each. ``depth`` is how many lists
    a block stands in, ``quoted`` whether it stands in a block quote. ``level`` is a heading's
    level; ``number`` an ordered item's; ``parent`` the position of the item above, in the list of
    blocks, for nested items. ``item_end`` is the last line of the whole item with all below it.
    """

    kind: str
    line_start: int
    line_end: int
    text: str
    level: int = 0
    depth: int = 0
    quoted: bool = False
    number: int | None = None
    parent: int | None = None
    item_end: int = 0
    first_in_item: bool = False
    header: bool = False
    cells: tuple[str, ...] = ()
    info: str = ""


@dataclass(frozen=True, slots=True)
class Document:
    """A parsed text. ``front`` is the front matter ({} when absent or broken), its last line is
    ``front_end`` (0 for none). ``conflict_marks`` are the lines that a version-control merge left
    between two versions; they are no text of any block.
    """

    lines: tuple[str, ...]
    blocks: tuple[RawBlock, ...]
    front: dict[str, Any]
    front_end: int
    front_broken: bool
    unclosed_fence: int | None
    conflict_marks: tuple[tuple[int, str], ...] = ()


def decode(data: bytes) -> Decoded:
    """Text of a file in UTF-8 (with or without mark), UTF-16 (with mark or plainly so), or,
    where it is no valid UTF-8, Windows-1252 with a note. Never raises."""
    for mark, encoding in (
        (codecs.BOM_UTF8, "utf-8-sig"),
        (codecs.BOM_UTF16_LE, "utf-16"),
        (codecs.BOM_UTF16_BE, "utf-16"),
    ):
        if data.startswith(mark):
            return Decoded(data.decode(encoding, "replace").replace("\ufeff", ""), encoding)
    if unmarked := _unmarked_utf16(data[:_SAMPLE]):
        return Decoded(data.decode(unmarked, "replace"), unmarked)
    try:
        return Decoded(data.decode("utf-8"), "utf-8")
    except UnicodeDecodeError:
        text = data.decode("cp1252", "replace")
        return Decoded(text, "cp1252", "This file is not valid UTF-8; read as Windows-1252.")


def _unmarked_utf16(sample: bytes) -> str | None:
    """The byte order of UTF-16 without a mark, or None. A stray NUL in UTF-8 must not look like
    it, so one half of the bytes has to be as only UTF-16 makes it."""
    if sample.count(0) < 2:
        return None
    even, odd = sample[0::2], sample[1::2]
    for high, low, encoding in ((odd, even, "utf-16-le"), (even, odd, "utf-16-be")):
        if low.count(0) >= 0.05 * len(low):
            continue
        others = len(high.translate(None, _HIGH_BYTES))
        if high.count(0) >= 0.3 * len(high) or others <= 0.05 * len(high):
            return encoding
    return None


def parse(text: str) -> Document:
    """Split ``text`` into leaf blocks with their lines. Never raises on any text."""
    flat = _LONE_CR.sub(" ", text).replace("\0", "\ufffd")
    lines = tuple(line.removesuffix("\r") for line in flat.split("\n"))
    marks = _conflict_marks(lines)
    read = list(lines)
    for number, _ in marks:
        read[number - 1] = ""
    tokens = _parser().parse("\n".join(read))
    walk = _Walk(tuple(read), tokens)
    blocks = _with_missed_lines(walk.run(), read, walk.front_end)
    return Document(
        lines,
        tuple(blocks),
        walk.front,
        walk.front_end,
        walk.front_broken,
        walk.unclosed_fence,
        marks,
    )


def _conflict_marks(lines: tuple[str, ...]) -> tuple[tuple[int, str], ...]:
    """The marks of an unsettled merge with their numbers. A lone row of ``=======`` is a heading's
    underline, so the three kinds must follow each other."""
    if not any(line.startswith("<<<<<<<") for line in lines):
        return ()
    settled: list[tuple[int, str]] = []
    waiting: list[tuple[int, str]] = []
    for number, line in enumerate(lines, 1):
        if line[:1] not in ("<", "|", "=", ">") or not _CONFLICT_MARK.match(line.rstrip()):
            continue
        kinds = {text[0] for _, text in waiting}
        if line[0] == "<":
            waiting = [(number, line)]
        elif waiting and (line[0] == ">" or "=" not in kinds):
            waiting.append((number, line))
            if line[0] == ">":
                settled += waiting if "=" in kinds else []
                waiting = []
    return tuple(settled)


def _with_missed_lines(blocks: list[RawBlock], lines: list[str], front_end: int) -> list[RawBlock]:
    """The blocks and, as paragraphs, the lines with text that none of them covers, in order."""
    covered = bytearray(len(lines) + 2)
    for block in blocks:
        length = block.line_end - block.line_start + 1
        covered[block.line_start : block.line_end + 1] = b"\1" * length
    missed = [
        RawBlock("paragraph", number, number, line.strip(), item_end=number)
        for number, line in enumerate(lines, 1)
        if number > front_end and not covered[number] and not _MARKUP_ONLY.fullmatch(line)
    ]
    if not missed:
        return blocks
    together = [*enumerate(blocks), *((None, block) for block in missed)]
    together.sort(key=lambda pair: pair[1].line_start)
    moved = {old: new for new, (old, _) in enumerate(together) if old is not None}
    return [
        replace(block, parent=moved[block.parent]) if block.parent is not None else block
        for _, block in together
    ]


@lru_cache(maxsize=1)
def _parser() -> MarkdownIt:
    parser = MarkdownIt("commonmark", {"maxNesting": _DEEPEST})
    parser.enable("table").use(front_matter_plugin)
    parser.core.ruler.enableOnly(["normalize", "block"])
    # Indented code is how outlines and pasted notes look; it is text, never code.
    parser.block.ruler.disable(["code", "reference"])
    return parser


class _Walk:
    """Turns markdown-it's token stream into leaf blocks."""

    def __init__(self, lines: tuple[str, ...], tokens: list[Token]) -> None:
        self.lines = lines
        self.tokens = tokens
        self.front: dict[str, Any] = {}
        self.front_end = 0
        self.front_broken = False
        self.unclosed_fence: int | None = None
        self._blocks: list[RawBlock] = []
        self._quote = 0
        self._items: list[_Item] = []
        self._lists: list[int | None] = []

    def run(self) -> list[RawBlock]:
        tokens = self.tokens
        position = 0
        while position < len(tokens):
            token = tokens[position]
            kind = token.type
            if kind == "paragraph_open":
                self._text("item" if self._items else "paragraph", token, tokens[position + 1])
                position += 2
            elif kind == "heading_open":
                self._text("heading", token, tokens[position + 1], level=int(token.tag[1]))
                position += 2
            elif kind in ("bullet_list_open", "ordered_list_open"):
                start = token.attrGet("start")
                ordered = kind == "ordered_list_open"
                self._lists.append((int(start) if start is not None else 1) if ordered else None)
            elif kind in ("bullet_list_close", "ordered_list_close"):
                self._lists.pop()
            elif kind == "list_item_open":
                self._open_item(token)
            elif kind == "list_item_close":
                self._close_item()
            elif kind == "blockquote_open":
                self._quote += 1
            elif kind == "blockquote_close":
                self._quote -= 1
            elif kind == "fence":
                self._fence(token)
            elif kind == "html_block":
                self._add("html", token, token.content)
            elif kind == "hr":
                self._add("rule", token, "")
            elif kind == "front_matter":
                self._front(token)
            elif kind == "table_open":
                position = self._table(position)
            position += 1
        return self._blocks

    def _span(self, token: Token) -> tuple[int, int]:
        assert token.map is not None
        start, end = token.map
        while end > start + 1 and not self.lines[end - 1].strip():
            end -= 1
        return start + 1, end

    def _add(self, kind: str, token: Token, text: str, **more: Any) -> None:
        start, end = self._span(token)
        item = self._items[-1] if self._items else None
        first = False
        number = None
        if item is not None and item.block is None:
            item.block = len(self._blocks)
            first = True
            number = item.number
        self._blocks.append(
            RawBlock(
                kind,
                start,
                end,
                text,
                depth=len(self._items),
                quoted=self._quote > 0,
                number=number,
                parent=self._parent(first),
                item_end=item.end if item is not None else end,
                first_in_item=first,
                **more,
            )
        )

    def _parent(self, first: bool) -> int | None:
        above = self._items[:-1] if first else self._items
        return next((item.block for item in reversed(above) if item.block is not None), None)

    def _text(self, kind: str, token: Token, inline: Token, level: int = 0) -> None:
        self._add(kind, token, inline.content, level=level)

    def _open_item(self, token: Token) -> None:
        _, end = self._span(token)
        number = self._lists[-1]
        if number is not None:
            self._lists[-1] = number + 1
        self._items.append(_Item(end, number))

    def _close_item(self) -> None:
        self._items.pop()

    def _fence(self, token: Token) -> None:
        start, end = self._span(token)
        opener = self.lines[start - 1]
        found = re.search(r"(`{3,}|~{3,})", opener)
        mark = found[1] if found else "```"
        last = self.lines[end - 1].lstrip("> \t").rstrip()
        closed = end > start and len(last) >= len(mark) and set(last) == {mark[0]}
        if not closed and self.unclosed_fence is None:
            self.unclosed_fence = start
        self._add("code", token, token.content.rstrip("\n"), info=token.info.strip())

    def _front(self, token: Token) -> None:
        _, self.front_end = self._span(token)
        try:
            loaded = yaml.load(token.content, Loader=_Loader)
        except (yaml.YAMLError, ValueError, RecursionError):
            self.front_broken = True
            return
        if not isinstance(loaded, dict):
            self.front_broken = bool(token.content.strip())
        else:
            self.front = {str(key).lower(): value for key, value in loaded.items()}

    def _table(self, position: int) -> int:
        """One block a row. Returns the position of table_close."""
        tokens = self.tokens
        header = False
        cells: list[str] = []
        row: Token | None = None
        while tokens[position].type != "table_close":
            token = tokens[position]
            if token.type == "thead_open":
                header = True
            elif token.type == "tbody_open":
                header = False
            elif token.type == "tr_open":
                row, cells = token, []
            elif token.type == "inline":
                cells.append(token.content)
            elif token.type == "tr_close" and row is not None:
                text = " | ".join(cell for cell in cells if cell)
                self._add("table_row", row, text, header=header, cells=tuple(cells))
            position += 1
        return position


@dataclass(slots=True)
class _Item:
    """A list item that is open: its last line, its number, and its first block once known."""

    end: int
    number: int | None
    block: int | None = None


# mypy knows no class that is chosen at run time: the quick loader, where libyaml is there.
class _Loader(getattr(yaml, "CSafeLoader", yaml.SafeLoader)):  # type: ignore[misc]
    """Safe YAML in which an impossible date stays text instead of raising."""


def _lenient_timestamp(loader: Any, node: Any) -> Any:
    try:
        return yaml.SafeLoader.construct_yaml_timestamp(loader, node)
    except ValueError:
        return loader.construct_scalar(node)


_Loader.add_constructor("tag:yaml.org,2002:timestamp", _lenient_timestamp)
