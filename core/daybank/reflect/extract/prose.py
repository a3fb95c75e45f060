"""Which blocks of a log are a person's own prose, and what each other block is.

Structure comes from the block parser alone; the parsed file adds what is machine text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from daybank.markdown.document import Document, RawBlock
from daybank.markdown.inline import spans
from daybank.markdown.model import ParsedFile, Source
from daybank.reflect.extract.sentences import Prose, Stretch
from daybank.reflect.extract.values import SkippedLine

_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
_PROPERTY = re.compile(r"^[ \t]*[\w.-]+::(?: .*)?$", re.MULTILINE)
_CHECKBOX = re.compile(r"\[.?\](?:\s|$)")
_LINE_BULLET = re.compile(r"[•‣▪◦·–—]\s+")
_TO_DO = re.compile(
    r"\W*(?:to[\s-]?dos?|tasks?|pendientes?|tareas|задачи|дела|сделать|mga gagawin|gagawin)\W*",
    re.IGNORECASE,
)
_CLOCK = re.compile(
    r"\s*[\[(]?\d{1,2}[:.h]\d\d(?!:?\d)(?: ?[ap]\.?m\b\.?)?[\])]?\s*[–—:.,-]*\s+", re.I
)
_SPEAKER = re.compile(r"\s*@?(?P<name>[^\s:@][^:\n@]{0,60}?)\s*:\s+(?=\S)")

_BLOCK_REASONS = {
    "heading": "a heading",
    "code": "code",
    "html": "markup or a comment",
    "table_row": "a row of a table",
}


def prose_of(parsed: ParsedFile, document: Document) -> Iterator[Prose | SkippedLine]:
    """The prose of a log in order, and for every other block why it is none."""
    closed = _closed_lines(parsed, document)
    to_do_level: int | None = None
    to_do_items: set[int] = set()
    for position, block in enumerate(document.blocks):
        source = Source(parsed.path, block.line_start, block.line_end)
        ends_above = to_do_level is None or block.level <= to_do_level
        if block.kind == "heading" and not block.quoted and ends_above:
            to_do_level = block.level if _TO_DO.fullmatch(block.text) else None
        if block.kind == "rule" or not block.text.strip():
            continue
        is_task = block.parent in to_do_items or (
            block.first_in_item and _CHECKBOX.match(block.text.lstrip()) is not None
        )
        if is_task:
            to_do_items.add(position)
        reason = _against(block, closed, is_task=is_task or to_do_level is not None)
        if reason is not None:
            yield SkippedLine(source, reason)
        else:
            yield from _pieces(block)


def _against(block: RawBlock, closed: dict[int, str], *, is_task: bool) -> str | None:
    if block.quoted:
        return "somebody else's words in a quote"
    if block.kind in _BLOCK_REASONS:
        return _BLOCK_REASONS[block.kind]
    numbers = range(block.line_start, block.line_end + 1)
    shut = next((closed[number] for number in numbers if number in closed), None)
    if shut is not None:
        return shut
    return "something to do, not something known" if is_task else None


def _closed_lines(parsed: ParsedFile, document: Document) -> dict[int, str]:
    """Lines that are nobody's prose, whatever stands on them."""
    closed: dict[int, str] = {}
    for passage in parsed.passages:
        reason = None
        if passage.machine or passage.untrusted:
            reason = "text that a program wrote" if passage.machine else "somebody else's words"
        elif passage.kind.is_fact:
            reason = "a note already"
        if reason is not None:
            source = passage.source
            closed |= dict.fromkeys(range(source.line_start, source.line_end + 1), reason)
    if document.conflict_marks:
        numbers = [number for number, _ in document.conflict_marks]
        closed |= dict.fromkeys(
            range(min(numbers), max(numbers) + 1), "two versions that were left unmerged"
        )
    return closed


def _pieces(block: RawBlock) -> Iterator[Prose]:
    """The prose of a block, cut where a line begins with a bullet CommonMark does not know."""
    text = _COMMENT.sub(lambda m: "\n" * m[0].count("\n") or " ", block.text)
    lines = _PROPERTY.sub("", text).split("\n")
    starts = [i for i, line in enumerate(lines) if i == 0 or _LINE_BULLET.match(line.lstrip())]
    for first, after in zip(starts, [*starts[1:], len(lines)], strict=True):
        taken = lines[first:after]
        while taken and not taken[0].strip():
            taken, first = taken[1:], first + 1
        if taken:
            taken[0] = _LINE_BULLET.sub("", taken[0].lstrip(), count=1)
            yield _read("\n".join(taken), block.line_start + first)


def _read(raw: str, line: int) -> Prose:
    text = ""
    found: dict[str, list[Stretch]] = {"mention": [], "code": [], "struck": []}
    for span in spans(raw):
        start, text = len(text), text + span.text
        if span.link is not None and span.link.startswith("entity:"):
            name = span.link.removeprefix("entity:")
            found["mention"].append(Stretch(start, len(text), name))
        if span.code:
            found["code"].append(Stretch(start, len(text)))
        if span.strike:
            found["struck"].append(Stretch(start, len(text)))
    prose = Prose(text, line, tuple(found["mention"]), tuple(found["code"]), tuple(found["struck"]))
    clock = _CLOCK.match(text)  # when the line was written is not what it says
    return _with_speaker(replace(prose, start=clock.end()) if clock else prose, raw)


def _with_speaker(prose: Prose, raw: str) -> Prose:
    """``@Name: what was said`` at the start of a block is that person speaking."""
    first = prose.mentions[0] if prose.mentions else None
    match = _SPEAKER.match(prose.text, prose.start)
    if match is None or first is None or "@" not in raw[: match.end()]:
        return prose
    if first.start == match.start("name") and first.end == match.end("name"):
        return replace(prose, speaker=first.name, start=match.end())
    return prose


def label_of(prose: Prose) -> tuple[str, int] | None:
    """What stands before a colon at the start of a prose, and where the text after it begins."""
    match = _SPEAKER.match(prose.text, prose.start)
    return (match["name"], match.end()) if match is not None else None
