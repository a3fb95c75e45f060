"""What a person says about an opinion or a name with one press of a button: a change of one page,
approved on the spot and undoable like any other."""

from __future__ import annotations

import io
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any, Literal, TypeAlias

import yaml

from daybank.errors import ProposalRefused
from daybank.markdown.document import decode, parse
from daybank.markdown.names import entity_key
from daybank.markdown.opinions import (
    EvidenceLine,
    Key,
    OpinionEntry,
    OpinionsPage,
    read_opinions,
    write_evidence,
)
from daybank.recall.names import KnownEntity
from daybank.reflect.confidence import START, replay
from daybank.reflect.opinion_edits import OpinionChange, changed_entry, new_entry, opinion_id
from daybank.reflect.opinion_list import Opinion
from daybank.review.hunks import split_lines
from daybank.review.proposal import Evidence, Hunk
from daybank.workspace import encode_file_name

Move: TypeAlias = Literal["agree", "disagree", "no_longer_true"] | float
"""What a person does to an opinion; a number in [0, 1] sets how sure it is."""

BY_HAND = "by hand"
_SAYS = {
    "agree": (Key.SUPPORTS, "You agree"),
    "disagree": (Key.CONTRADICTS, "You disagree"),
}


@dataclass(frozen=True, slots=True)
class HandChange:
    """A change of the page ``target`` with its reason."""

    target: str
    hunk: Hunk
    reason: str


def move_opinion(
    path: str,
    data: bytes | None,
    opinion: Opinion,
    move: Move,
    today: date,
) -> HandChange:
    """The change of the opinions page that ``move`` asks for. An opinion that so far only a log
    holds gets its entry with it.

    Raises ProposalRefused where its form has no place for it, and ValueError for a number outside
    [0, 1].
    """
    page = read_opinions(path, data or b"")
    lines = split_lines(decode(data or b"").text)
    entry = _entry(page, opinion)
    line, reason = _line(move, today)
    if entry is None:
        return _written_down(path, lines, data is not None, opinion, line, reason)
    fresh = [] if line.key is Key.SUPERSEDED else [line]
    start = _start(entry, today) if fresh else None
    evidence = [*([start] if start else []), *entry.evidence, *fresh]
    value = replay(evidence, entry.confidence).confidence
    added = [_text(item) for item in ([start] if start else [])] + [_text(line)]
    change = OpinionChange(
        round(value + 1e-9, 2),
        entry.op_id or opinion.id,
        tuple(added),
        frozenset(),
        today,
    )
    new = changed_entry(entry, page.lines, change)
    old = tuple(lines[entry.line_start - 1 : entry.line_end])
    if new is None or new == old:
        raise ProposalRefused(
            "This opinion has no place for that.",
            f"Open “{path}” and write it there. Nothing was changed.",
        )
    hunk = Hunk(entry.line_start, old, new, reason, (), f"opinion:{opinion.id}", 1.0)
    return HandChange(path, hunk, f"{reason}: {opinion.statement}")


def _entry(page: OpinionsPage, opinion: Opinion) -> OpinionEntry | None:
    for entry in page.entries:
        if (entry.op_id or opinion_id(entry.statement, entry.names)) == opinion.id:
            return entry
    return None


def _line(move: Move, today: date) -> tuple[EvidenceLine, str]:
    if isinstance(move, str):
        if move == "no_longer_true":
            return (
                EvidenceLine(0, Key.SUPERSEDED, f"nothing; no longer true since {today}"),
                "No longer true",
            )
        if move not in _SAYS:
            raise ValueError(
                f"“{move}” is no move; use agree, disagree, no_longer_true or a number"
            )
        key, reason = _SAYS[move]
        return EvidenceLine(0, key, BY_HAND, today), reason
    if not 0.0 <= move <= 1.0:
        raise ValueError(f"{move} is not between 0 and 1")
    return EvidenceLine(0, Key.SET, BY_HAND, today, move), f"Set to {round(move * 100)} %"


def _start(entry: OpinionEntry, today: date) -> EvidenceLine | None:
    """An opinion that says only a number starts with it, before its first evidence."""
    if any(line.key in (Key.START, Key.SET) for line in entry.evidence):
        return None
    day = min(filter(None, (entry.passage.day, today)))
    value = entry.confidence if entry.confidence is not None else START
    return EvidenceLine(0, Key.START, "", day, value)


def _text(line: EvidenceLine) -> str:
    if line.key is Key.SUPERSEDED:
        return f"{line.key.value}: {line.text}"
    return write_evidence(
        line.key, line.day, value=line.value, source=line.source, id=line.id, note=line.text
    )


def _written_down(
    path: str,
    lines: Sequence[str],
    exists: bool,
    opinion: Opinion,
    line: EvidenceLine,
    reason: str,
) -> HandChange:
    """A new entry for an opinion of a log, with what the person says of it."""
    first = opinion.steps[0]
    start = EvidenceLine(
        0, Key.START, "", first.day, round(first.value, 2), 1.0, first.source, first.id
    )
    evidence = [start] if line.key is Key.SUPERSEDED else [start, line]
    value = round(replay(evidence, None).confidence + 1e-9, 2)
    new = new_entry(
        opinion.statement, opinion.entities, value, [_text(start), _text(line)], line.day
    )
    end = len(lines)
    while end and not lines[end - 1].strip():
        end -= 1
    lead: tuple[str, ...] = ()
    if not exists:
        lead = ("# Opinions", "")
    elif end and not lines[end - 1].lstrip().startswith(("-", "*", "+")):
        lead = ("",)
    told = Evidence(first.source or "", first.id or "", first.day, first.content)
    hunk = Hunk(end + 1, (), (*lead, *new), reason, (told,), f"opinion:{opinion.id}", 1.0)
    return HandChange(path, hunk, f"{reason}: {opinion.statement}")


# -- aliases


def change_alias(
    known: KnownEntity, alias: str, data: bytes | None, *, add: bool
) -> HandChange | None:
    """The change of an entity's page that adds or removes one of its other names; None when
    nothing is to change. Raises ProposalRefused for a page whose head cannot be read."""
    alias = " ".join(alias.split())
    if not alias:
        raise ProposalRefused("A name has at least one letter.", "Nothing was changed.")
    target = known.page or f"bank/entities/{encode_file_name(known.name)}.md"
    has = entity_key(alias) in {entity_key(name) for name in known.aliases}
    if has == add:
        return None
    reason = (
        f"“{alias}” is another name of {known.name}" if add else f"“{alias}” is not {known.name}"
    )
    topic = f"alias:{known.key}:{entity_key(alias)}"
    if data is None:
        text = ("---", f"title: {_scalar(known.name)}", f"aliases: [{_scalar(alias)}]", "---")
        lines = (*text, f"# {known.name}")
        return HandChange(target, Hunk(1, (), lines, reason, (), topic, 1.0), reason)
    text_lines = split_lines(decode(data).text)
    line, old, new = _front_edit(text_lines, known, alias, add=add)
    return HandChange(target, Hunk(line, old, new, reason, (), topic, 1.0), reason)


def _front_edit(
    lines: Sequence[str], known: KnownEntity, alias: str, *, add: bool
) -> tuple[int, tuple[str, ...], tuple[str, ...]]:
    """The lines of the front matter to replace: (first line, old, new)."""
    document = parse("\n".join(lines))
    if document.front_broken:
        raise ProposalRefused(
            f"The head of {known.name}’s page cannot be read.",
            "Mend the lines between the two “---” first. Nothing was changed.",
        )
    if not document.front_end:
        head = ("---", f"title: {_scalar(known.name)}", f"aliases: [{_scalar(alias)}]", "---")
        return 1, (), head
    first = 2
    body = lines[1 : document.front_end - 1]
    node = _aliases_node("\n".join(body))
    if node is None:
        return document.front_end, (), (f"aliases: [{_scalar(alias)}]",)
    key, value = node
    start, end = key.start_mark.line, value.end_mark.line
    if value.end_mark.column == 0 and end > value.start_mark.line:
        end -= 1
    while end > start and not body[end].strip():
        end -= 1
    old = tuple(body[start : end + 1])
    names = _names_of(value)
    if add:
        names.append(alias)
    else:
        names = [name for name in names if entity_key(name) != entity_key(alias)]
    return first + start, old, _aliases_lines(old, value, names)


def _aliases_node(text: str) -> tuple[Any, Any] | None:
    """Key and value nodes of ``aliases`` in the front matter, with where they stand."""
    root = yaml.compose(io.StringIO(text), Loader=yaml.SafeLoader)
    if not isinstance(root, yaml.MappingNode):
        return None
    for key, value in root.value:
        if isinstance(key, yaml.ScalarNode) and key.value.casefold() in ("aliases", "alias"):
            return key, value
    return None


def _names_of(value: Any) -> list[str]:
    if isinstance(value, yaml.SequenceNode):
        return [str(item.value) for item in value.value]
    return [str(value.value)] if value.value else []


def _aliases_lines(old: Sequence[str], value: Any, names: Sequence[str]) -> tuple[str, ...]:
    """The names in the style in which they were written: one a line, or in brackets."""
    key = old[0].split(":", 1)[0]
    is_block = isinstance(value, yaml.SequenceNode) and not value.flow_style and len(old) > 1
    if is_block and names:
        item = next((line for line in old[1:] if line.lstrip().startswith("-")), "  - x")
        indent = item[: len(item) - len(item.lstrip())]
        kept = {entity_key(name) for name in names}
        known = {entity_key(str(node.value)): node for node in value.value}
        lines = [
            old[node.start_mark.line - value.start_mark.line + _first_item(old)]
            for name, node in known.items()
            if name in kept
        ]
        lines += [f"{indent}- {_scalar(name)}" for name in names if entity_key(name) not in known]
        return (old[0], *lines)
    return (f"{key}: [{', '.join(_scalar(name) for name in names)}]",)


def _first_item(old: Sequence[str]) -> int:
    return next(i for i, line in enumerate(old) if line.lstrip().startswith("-"))


def _scalar(text: str) -> str:
    """``text`` as YAML writes it in a list in brackets."""
    dumped = yaml.safe_dump([text], allow_unicode=True, default_flow_style=True, width=10**6)
    return dumped.strip()[1:-1]


def find_opinion(opinions: Sequence[Opinion], op_id: str) -> Opinion:
    """The opinion of this id. Raises ProposalRefused where there is none any more."""
    for opinion in opinions:
        if opinion.id == op_id:
            return opinion
    raise ProposalRefused(
        "This opinion is not written down any more.", "Nothing was changed. Look at the list again."
    )
