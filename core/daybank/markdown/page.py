"""One file → the blocks a reader shows, in order, with nothing left out but hidden comments.

It follows the same blocks and the same grammar as ``passages``, so what is a note there is a note
here.
"""

from __future__ import annotations

from daybank.markdown.document import RawBlock, decode, parse
from daybank.markdown.inline import plain, spans
from daybank.markdown.model import Block, BlockKind, Page, Span
from daybank.markdown.passages import parse_file
from daybank.markdown.retain import parse_bullet

_CHECKS = {"[ ] ": False, "[x] ": True, "[X] ": True}


def read_page(path: str, data: bytes) -> Page:
    """Read a Markdown or text file for showing. Never raises on any bytes."""
    parsed = parse_file(path, data)
    document = parse(decode(data).text)
    facts = {p.source.line_start: p for p in parsed.passages if p.kind.is_fact}
    blocks: list[Block] = []
    shown = "\n".join(document.lines[1 : max(document.front_end - 1, 1)])
    if shown.strip():
        blocks.append(Block(BlockKind.PROPERTIES, 1, document.front_end, (Span(shown),)))
    for number, line in document.conflict_marks:
        blocks.append(Block(BlockKind.PARAGRAPH, number, number, (Span(line),)))
    for block in document.blocks:
        blocks.extend(_show(block, set(facts)))
    finished = []
    for shown_block in blocks:
        fact = facts.get(shown_block.line_start)
        if fact is not None and shown_block.kind is BlockKind.FACT:
            typed_names = fact.mentions[: fact.subjects]
            shown_block = Block(
                BlockKind.FACT,
                shown_block.line_start,
                shown_block.line_end,
                shown_block.spans,
                level=shown_block.level,
                kind_of_fact=fact.kind,
                confidence=fact.confidence,
                names=typed_names,
            )
        finished.append(shown_block)
    finished.sort(key=lambda shown: shown.line_start)
    return Page(path, parsed.role, parsed.title, parsed.day, tuple(finished), parsed.lints)


def _show(block: RawBlock, fact_lines: set[int]) -> list[Block]:
    start, end = block.line_start, block.line_end
    if block.kind == "rule":
        return [Block(BlockKind.RULE, start, end)]
    if block.kind == "code":
        return [
            Block(BlockKind.CODE, start, end, (Span(block.text, code=True),) if block.text else ())
        ]
    if block.kind == "html":
        text = plain(block.text).strip()
        return [Block(BlockKind.PARAGRAPH, start, end, (Span(text),))] if text else []
    if block.kind == "table_row":
        cells = tuple(spans(cell) for cell in block.cells)
        return [Block(BlockKind.TABLE_ROW, start, end, cells=cells, header=block.header)]
    if block.kind == "heading":
        return [Block(BlockKind.HEADING, start, end, spans(block.text), level=block.level)]
    if block.quoted:
        return [Block(BlockKind.QUOTE, start, end, spans(block.text), level=block.depth)]
    return _prose(block, fact_lines)


def _prose(block: RawBlock, fact_lines: set[int]) -> list[Block]:
    """A paragraph or a list item, with the facts in it as blocks of their own."""
    lines = block.text.split("\n")
    cuts = [i for i in range(len(lines)) if i == 0 or block.line_start + i in fact_lines]
    out: list[Block] = []
    for number, first in enumerate(cuts):
        after = cuts[number + 1] if number + 1 < len(cuts) else len(lines)
        text = "\n".join(line.strip() for line in lines[first:after])
        start = block.line_start + first
        end = min(block.line_start + after - 1, block.line_end)
        typed = parse_bullet(text) if start in fact_lines else None
        if typed is not None:
            out.append(
                Block(BlockKind.FACT, start, end, spans(typed.text), level=max(0, block.depth - 1))
            )
            continue
        kind = BlockKind.PARAGRAPH
        checked = None
        if block.kind == "item" and block.first_in_item and first == 0:
            kind = BlockKind.NUMBERED if block.number is not None else BlockKind.BULLET
            checked = _CHECKS.get(text[:4])
            if checked is not None:
                text = text[4:]
        out.append(
            Block(
                kind,
                start,
                end,
                spans(text),
                level=max(0, block.depth - 1),
                number=block.number if kind is BlockKind.NUMBERED else None,
                checked=checked,
            )
        )
    return out
