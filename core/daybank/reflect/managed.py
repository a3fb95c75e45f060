"""The part of a page that Daybank keeps: the list between ``<!-- daybank:begin name -->`` and
``<!-- daybank:end name -->``. Finding it, and suggesting lines for it; all else on a page is the
person's and is never touched.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from daybank.errors import PathRefused, ProposalRefused
from daybank.index.store import IndexStore, StoredPassage
from daybank.markdown.document import Document, RawBlock, decode, parse
from daybank.markdown.inline import citations, plain, without_citations
from daybank.reflect.material import Material
from daybank.review.hunks import apply_hunks, split_lines
from daybank.review.proposal import Hunk

_MARK = re.compile(r"<!--\s*daybank:(begin|end)\s+([\w-]+)\s*-->")
UNREADABLE = "this page cannot be read"
UNPAIRED = "the marks around Daybank's part of this page are not in pairs"
UNMERGED = "this page holds two versions that are not merged yet"
UNCLOSED = "a comment or a code block on this page is not closed"


@dataclass(frozen=True, slots=True)
class PageText:
    """A page as it is now; ``exists`` is False for one to be made. ``lines`` are those that
    changes count."""

    path: str
    text: str
    lines: tuple[str, ...]
    document: Document
    exists: bool


@dataclass(frozen=True, slots=True)
class Entry:
    """A list item in the block: its lines from ``line`` on (from 1), its words without markup and
    citations, and what it cites, ids (``f-…``) and places (``path#L12``) apart."""

    line: int
    lines: tuple[str, ...]
    text: str
    ids: tuple[str, ...]
    places: tuple[str, ...]

    @property
    def after(self) -> int:
        """The number of the line behind it."""
        return self.line + len(self.lines)


@dataclass(frozen=True, slots=True)
class ManagedBlock:
    """The block of one name: the lines of its marks and the entries between them."""

    begin: int
    end: int
    entries: tuple[Entry, ...]

    @property
    def ids(self) -> frozenset[str]:
        return frozenset(uid for entry in self.entries for uid in entry.ids)


def open_page(material: Material, path: str) -> PageText | str:
    """The page at ``path``, empty where there is none; or why nothing can be suggested for it."""
    data = material.read(path)
    if data is None:
        try:
            if material.folder.absolute(path).exists():
                return UNREADABLE
        except PathRefused:
            return UNREADABLE
        return PageText(path, "", (), parse(""), exists=False)
    text = decode(data).text
    document = parse(text)
    if document.conflict_marks:
        return UNMERGED
    return PageText(path, text, split_lines(text), document, exists=True)


def find_block(page: PageText, name: str) -> ManagedBlock | str | None:
    """The block called ``name``; None where the page has none, and why not to touch the page where
    its marks are not one pair."""
    marks = [
        (match[1], block.line_start)
        for block in page.document.blocks
        if block.kind == "html" and (match := _MARK.fullmatch(block.text.strip()))
        if match[2] == name
    ]
    if not marks:
        return None
    if [kind for kind, _ in marks] != ["begin", "end"]:
        return UNPAIRED
    begin, end = marks[0][1], marks[1][1]
    return ManagedBlock(begin, end, tuple(_entries(page, begin, end)))


def _entries(page: PageText, begin: int, end: int) -> list[Entry]:
    out = []
    for block in page.document.blocks:
        if not (begin < block.line_start < end) or block.kind != "item":
            continue
        if not block.first_in_item or block.parent is not None:
            continue
        last = min(max(block.item_end, block.line_end), end - 1)
        while last > block.line_start and not page.lines[last - 1].strip():
            last -= 1
        lines = page.lines[block.line_start - 1 : last]
        raw = "\n".join(lines)
        cited = citations(raw)
        out.append(
            Entry(
                block.line_start,
                lines,
                plain(without_citations(block.text)),
                tuple(cite for cite in cited if cite.startswith("f-")),
                tuple(cite for cite in cited if not cite.startswith("f-")),
            )
        )
    return out


def whole_block(name: str, lines: Sequence[str]) -> tuple[str, ...]:
    """The lines of a new block with ``lines`` in it."""
    return (f"<!-- daybank:begin {name} -->", *lines, f"<!-- daybank:end {name} -->")


def block_at_end(page: PageText, name: str, lines: Sequence[str], heading: str) -> Hunk:
    """A new block at the end of a page, under ``heading`` unless the page ends with it."""
    new = list(whole_block(name, lines))
    heads = [block for block in page.document.blocks if block.kind == "heading"]
    ends_with_it = bool(heads) and heads[-1].text.strip().casefold() == heading.casefold()
    if not ends_with_it:
        new = [f"## {heading}", "", *new]
    if page.lines and page.lines[-1].strip():
        new = ["", *new]
    return Hunk(len(page.lines) + 1, (), tuple(new), "")


def block_after_title(page: PageText, name: str, lines: Sequence[str]) -> Hunk:
    """A new block under the page's first heading of the first level, or at its end."""
    title = next(
        (
            block
            for block in page.document.blocks
            if block.kind == "heading" and block.level == 1 and not (block.depth or block.quoted)
        ),
        None,
    )
    block = whole_block(name, lines)
    if title is None:
        blank = ("",) if page.lines and page.lines[-1].strip() else ()
        return Hunk(len(page.lines) + 1, (), (*blank, *block), "")
    following = title.line_end < len(page.lines) and page.lines[title.line_end].strip()
    return Hunk(title.line_end + 1, (), ("", *block, *(("",) if following else ())), "")


def holds_up(page: PageText, hunks: Sequence[Hunk], name: str) -> bool:
    """Whether the page would have its block once ``hunks`` are carried out: an unclosed comment
    above would swallow it."""
    try:
        text = apply_hunks(page.text, hunks)
    except ProposalRefused:
        return False
    after = PageText(page.path, text, split_lines(text), parse(text), page.exists)
    return isinstance(find_block(after, name), ManagedBlock)


def cited_fact(store: IndexStore, uid: str) -> StoredPassage | None:
    """The fact with this id where a person wrote it; None where no note says it any more."""
    return next((fact for fact in store.by_uid(uid) if not fact.machine), None)


def is_gone(material: Material, entry: Entry) -> bool:
    """Whether all the notes that an entry cites are gone. What cites nothing is the person's."""
    if not entry.ids:
        return False
    return all(cited_fact(material.store, uid) is None for uid in entry.ids)


def shown_paragraphs(page: PageText, *, outside: ManagedBlock | None = None) -> list[RawBlock]:
    """The blocks of a page that say something, without those between the marks of ``outside``."""
    return [
        block
        for block in page.document.blocks
        if block.kind in ("item", "paragraph", "table_row")
        and not (outside and outside.begin <= block.line_start <= outside.end)
    ]
