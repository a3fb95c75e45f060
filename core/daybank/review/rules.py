"""What may be suggested against, and what never. Each refusal is a sentence for a person.

Asked when a suggestion is made and again when it is applied: a folder changes in between. Reads the
places of files and writes nothing.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path, PurePosixPath

from daybank.errors import PathRefused, ProposalRefused
from daybank.markdown.document import Document, RawBlock, parse
from daybank.markdown.inline import plain
from daybank.markdown.model import Role
from daybank.markdown.retain import is_retain_heading, parse_bullet
from daybank.markdown.roles import role_of
from daybank.review.hunks import apply_hunks, split_lines
from daybank.review.proposal import Hunk
from daybank.workspace import CORE_NAMES, WorkspaceFolder, plain_path

SHRINK_LIMIT = 0.25
"""The share of a page's entries that may vanish without an explicit yes."""
_EDITABLE = (Role.BANK, Role.ENTITY, Role.CORE, Role.KNOWLEDGE)
_SUMMARY = "memory/dialogue_summary.md"
_ALIKE = 0.3
"""Shared words, of all words of two entries, from which one counts as the other, edited."""
_CONTAINED = 0.6
"""The same of the words of the shorter one: a line that only gains words is the same line."""
_MOST_COMPARED = 40_000


def check_target(folder: WorkspaceFolder, target: str) -> None:
    """Raise ProposalRefused where nothing may be suggested for the page ``target``.

    Allowed are Markdown pages in ``bank/`` and ``knowledge/``, the core memory, the dialogue
    summary, and pages right in ``memory/`` or below it, which may only be added to.
    """
    try:
        place = folder.absolute(target)
    except PathRefused as error:
        raise ProposalRefused(error.title, f"{error.message} Nothing was changed.") from error
    if plain_path(target) != target:
        raise ProposalRefused(
            f"“{target}” is no plain path.", "Nothing there can be suggested. Nothing was changed."
        )
    why = _why_not(target) or _why_not_behind(folder.root, place, target)
    if why is None and target in CORE_NAMES and not place.exists():
        core = folder.core_memory()
        if core != target and (folder.root / core).exists():
            why = f"The core memory of this folder is “{core}”."
    if why is not None:
        raise ProposalRefused(f"Nothing can be suggested for “{target}”.", why)


def check_change(
    folder: WorkspaceFolder,
    target: str,
    base_text: str,
    hunks: Sequence[Hunk],
    *,
    allow_shrink: bool = False,
) -> None:
    """Raise ProposalRefused where ``hunks`` may not be carried out on the page ``target``, which
    says ``base_text``: in a daily log anything but adding at its end or in a Retain section;
    elsewhere losing more than a quarter of the entries, unless ``allow_shrink``.
    """
    if _is_append_only(folder.root, target):
        _check_adding(target, base_text, hunks)
        return
    if allow_shrink:
        return
    before, lost = vanishing(base_text, apply_hunks(base_text, hunks))
    if lost > before * SHRINK_LIMIT:
        raise ProposalRefused(
            f"{lost} of the {before} entries of “{target}” would go.",
            "That is more than a quarter of the page, so it needs an explicit yes."
            " Nothing was changed.",
            would_shrink=True,
        )


def vanishing(before: str, after: str) -> tuple[int, int]:
    """How many entries ``before`` has, and how many of them ``after`` has neither as they were nor
    edited. Entries are list items, notes and table rows, without what Daybank keeps between its
    own marks: that can be made again."""
    old, new = Counter(_entries(before)), Counter(_entries(after))
    total = old.total()
    gone, come = list((old - new).elements()), list((new - old).elements())
    if len(gone) * len(come) > _MOST_COMPARED:
        return total, max(0, len(gone) - len(come))
    words = [set(text.casefold().split()) for text in come]
    lost = 0
    for text in gone:
        mine = set(text.casefold().split())
        best = max(range(len(words)), key=lambda n: _overlap(mine, words[n]), default=None)
        if best is None or _overlap(mine, words[best]) < _ALIKE:
            lost += 1
        else:
            words.pop(best)
    return total, lost


def _overlap(one: set[str], other: set[str]) -> float:
    """How much of two entries is the same; at least ``_ALIKE`` where one is the other, edited."""
    if not one or not other:
        return float(one == other)
    shared = len(one & other)
    alike = shared / len(one | other)
    return max(alike, _ALIKE) if shared >= _CONTAINED * min(len(one), len(other)) else alike


def _why_not(path: str) -> str | None:
    """Why the file named ``path`` is not for suggestions; None where it is."""
    pure = PurePosixPath(path)
    parts = [part.lower() for part in pure.parts]
    role = role_of(path)
    if role is Role.PERSONA:
        return "It says who the assistant and its owner are, and only a person writes it."
    if role is Role.CHAT or parts[0] in ("logs", "state"):
        return "It is a record that Daybank only reads."
    if any(part.startswith(".") for part in parts):
        return "It is a hidden file."
    if not path.endswith(".md"):
        return "Suggestions are for Markdown pages (.md) only."
    if role is Role.MACHINE:
        return "Another program writes it."
    if role is Role.AGENT and path != _SUMMARY:
        return "It is the assistant's own page."
    if role in _EDITABLE or path == _SUMMARY or (parts[0] == "memory" and len(parts) > 1):
        return None
    return (
        "Suggestions are for the core memory, the journal in memory/, and the pages in bank/ and"
        " knowledge/."
    )


def _why_not_behind(root: Path, place: Path, target: str) -> str | None:
    """The same for the file that a link at ``place`` leads to. A page may be kept elsewhere in the
    folder and linked to; a protected one does not become a page by a link."""
    real = _real_path(root, place)
    if real == target:
        return None
    parts = [part.lower() for part in PurePosixPath(real).parts]
    hidden = any(part.startswith(".") for part in parts)
    protected = role_of(real) in (Role.PERSONA, Role.CHAT, Role.MACHINE, Role.AGENT)
    if hidden or (protected and real != _SUMMARY) or parts[0] in ("logs", "state"):
        return f"It is a link to “{real}”, which is not for suggestions."
    return None


def _real_path(root: Path, place: Path) -> str:
    real = os.path.relpath(place.resolve(), root)
    return Path(real).as_posix()


def _is_append_only(root: Path, target: str) -> bool:
    """Whether the page, or what it links to, may only be added to."""
    for path in (target, _real_path(root, root / target)):
        role = role_of(path)
        if role is Role.LOG or (role is Role.PAGE and path.lower().startswith("memory/")):
            return True
    return False


def _check_adding(target: str, base_text: str, hunks: Sequence[Hunk]) -> None:
    places = _places_to_add(base_text)
    if any(hunk.old for hunk in hunks):
        why = "This suggestion would change lines that stand there."
    elif any(hunk.line not in places for hunk in hunks):
        why = "This suggestion would write between lines that stand there."
    else:
        return
    raise ProposalRefused(
        f"“{target}” can only be added to.",
        f"{why} What was written on a day stays as it is. Nothing was changed.",
    )


def _places_to_add(text: str) -> frozenset[int]:
    """The lines before which something may be added to a daily log: behind its last text, and in
    a Retain section up to its end."""
    lines = split_lines(text)
    last = next((n for n in range(len(lines), 0, -1) if lines[n - 1].strip()), 0)
    places = set(range(last + 1, len(lines) + 2))
    heads = [b for b in parse(text).blocks if b.kind == "heading" and not (b.depth or b.quoted)]
    for head in heads:
        if is_retain_heading(plain(head.text)):
            places.update(range(head.line_end + 1, _section_end(heads, head, len(lines)) + 2))
    return frozenset(places)


def _section_end(heads: Sequence[RawBlock], section: RawBlock, last: int) -> int:
    after = (h for h in heads if h.line_start > section.line_start and h.level <= section.level)
    return next((head.line_start - 1 for head in after), last)


def _entries(text: str) -> Iterator[str]:
    document = parse(text)
    managed = _managed_lines(document)
    for block in document.blocks:
        if block.line_start in managed or block.kind in ("code", "html", "heading", "rule"):
            continue
        if (block.kind == "item" and block.first_in_item) or block.kind == "table_row":
            if not block.header and block.text.strip():
                yield block.text.strip()
        else:  # notes without a list mark
            yield from (line for line in block.text.split("\n") if parse_bullet(line.strip()))


def _managed_lines(document: Document) -> frozenset[int]:
    """The lines between ``<!-- daybank:begin … -->`` and ``<!-- daybank:end … -->``."""
    managed: set[int] = set()
    begun: int | None = None
    for block in document.blocks:
        if block.kind != "html":
            continue
        if "daybank:begin" in block.text:
            begun = block.line_start
        elif "daybank:end" in block.text and begun is not None:
            managed.update(range(begun, block.line_end + 1))
            begun = None
    return frozenset(managed)
