"""Changes of a text, line by line. Pure text operations: nothing here reads or writes a file.

A line is what stands between newlines (``\\n`` only); the carriage return of a ``\\r\\n`` belongs
to the line's end and not to the line. A text that ends with a newline has no empty last line. So a
change says nothing about line ends, and the text keeps its own.
"""

from __future__ import annotations

import difflib
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import AnyStr

from daybank.errors import ProposalRefused
from daybank.markdown.document import decode
from daybank.markdown.raw_lines import split_raw
from daybank.review.proposal import Decision, Hunk

_NO_NEWLINE = "\\ No newline at the end"


class Part(StrEnum):
    """Where the words of a :class:`Segment` stand."""

    SAME = "same"
    OLD = "old"
    NEW = "new"


@dataclass(frozen=True, slots=True)
class Segment:
    """A run of words of a changed line, for showing it: in both lines, or in one of them."""

    part: Part
    text: str


def split_lines(text: str) -> tuple[str, ...]:
    """The lines of ``text``, as changes count and quote them."""
    pieces = text.split("\n")
    if not pieces[-1]:
        pieces.pop()
    return tuple(piece.removesuffix("\r") for piece in pieces)


def accepted(hunks: Iterable[Hunk]) -> tuple[Hunk, ...]:
    """The hunks that a person said yes to."""
    return tuple(hunk for hunk in hunks if hunk.decision is Decision.ACCEPTED)


def apply_hunks(base_text: str, hunks: Sequence[Hunk]) -> str:
    """``base_text`` with every one of ``hunks`` carried out, whatever their decision.

    What no hunk names stays as it is to the character, and so does a last newline or its lack.
    Raises ProposalRefused when a hunk has no place, its old lines do not stand there, or two touch
    the same lines.
    """
    changes = [changed_lines(hunk) for hunk in checked_hunks(base_text, hunks)]
    return "\n".join(_spliced(base_text.split("\n"), changes, "\r"))


def apply_to_bytes(data: bytes, hunks: Sequence[Hunk]) -> bytes:
    """Like :func:`apply_hunks` for the bytes of a file: encoding, byte-order mark and line ends
    are kept, and every byte outside the changed lines.

    Raises ProposalRefused also when the file's encoding cannot take the new letters.
    """
    text = decode(data).text
    wanted = apply_hunks(text, hunks)
    try:
        raw = split_raw(data)
        changes = [
            (first, after, [raw.encode(line) for line in lines])
            for first, after, lines in (changed_lines(h) for h in checked_hunks(text, hunks))
        ]
        new = raw.joined(_spliced(raw.pieces, changes, raw.carriage_return))
    except ValueError as error:
        raise _not_encodable() from error
    if decode(new).text != wanted:
        raise _not_encodable()
    return new


def checked_hunks(base_text: str, hunks: Iterable[Hunk]) -> tuple[Hunk, ...]:
    """``hunks`` in file order, each fitting ``base_text``. Raises ProposalRefused otherwise."""
    lines = split_lines(base_text)
    ordered = sorted(hunks, key=lambda hunk: (hunk.line, len(hunk.old)))
    free_from = 1
    for hunk in ordered:
        if any("\n" in line for line in (*hunk.old, *hunk.outcome)):
            raise _refused("one of its lines holds a line break")
        if not 1 <= hunk.line <= len(lines) + 1 - len(hunk.old):
            raise _refused("one of its changes has no place on the page")
        if hunk.line < free_from:
            raise _refused("two of its changes touch the same lines")
        start = hunk.line - 1
        if lines[start : start + len(hunk.old)] != _plain(hunk.old):
            raise _refused(f"line {hunk.line} does not say what it should replace")
        free_from = hunk.line + len(hunk.old)
    return tuple(ordered)


def changed_lines(hunk: Hunk) -> tuple[int, int, tuple[str, ...]]:
    """What a hunk really changes: the lines from the first to before the second number, counted
    from 0, become the third. Lines that it names and keeps are left out at both ends."""
    old, new = hunk.old, _plain(hunk.outcome)
    most = min(len(old), len(new))
    head = next((i for i in range(most) if old[i] != new[i]), most)
    most -= head
    tail = next((i for i in range(most) if old[-1 - i] != new[-1 - i]), most)
    start = hunk.line - 1
    return start + head, start + len(old) - tail, new[head : len(new) - tail]


def reversed_hunks(hunks: Sequence[Hunk]) -> tuple[Hunk, ...]:
    """What takes ``hunks`` back, on the text that carrying them out gave."""
    out = []
    moved = 0
    for hunk in sorted(hunks, key=lambda hunk: (hunk.line, len(hunk.old))):
        out.append(Hunk(hunk.line + moved, hunk.outcome, hunk.old, hunk.reason, topic=hunk.topic))
        moved += len(hunk.outcome) - len(hunk.old)
    return tuple(out)


def unified_diff(path: str, old_text: str, new_text: str, *, context: int = 3) -> str:
    """The change of a page in the form that ``diff -u`` and git print; empty for no change."""
    old, new = old_text.split("\n"), new_text.split("\n")
    for pieces in (old, new):
        if pieces[-1]:
            pieces[-1] += f"\n{_NO_NEWLINE}"
        else:
            pieces.pop()
    lines = difflib.unified_diff(old, new, f"a/{path}", f"b/{path}", n=context, lineterm="")
    return "".join(f"{line}\n" for line in lines)


def word_changes(old_line: str, new_line: str) -> tuple[Segment, ...]:
    """What changed between two lines, word by word: the old line is the ``same`` and ``old``
    segments in a row, the new line the ``same`` and ``new`` ones."""
    old, new = list(_words(old_line)), list(_words(new_line))
    out: list[Segment] = []
    matcher = difflib.SequenceMatcher(None, old, new, autojunk=False)
    for tag, i1, i2, j1, j2 in matcher.get_opcodes():
        if tag == "equal":
            out.append(Segment(Part.SAME, "".join(old[i1:i2])))
            continue
        if i1 < i2:
            out.append(Segment(Part.OLD, "".join(old[i1:i2])))
        if j1 < j2:
            out.append(Segment(Part.NEW, "".join(new[j1:j2])))
    return tuple(out)


def _words(line: str) -> Iterator[str]:
    """Words, runs of blanks, and every other character by itself. Marks stay with their letter,
    and scripts that put no spaces between words are cut at every character."""
    run = ""
    kind = ""
    for char in line:
        here = _kind(char)
        if run and (here == "mark" or (here == kind and here in ("word", "blank"))):
            run += char
            continue
        if run:
            yield run
        run, kind = char, here
    if run:
        yield run


def _kind(char: str) -> str:
    if char.isspace():
        return "blank"
    category = unicodedata.category(char)
    if category.startswith("M") or char == "\u200d":
        return "mark"
    if category == "Lo" and unicodedata.east_asian_width(char) == "W":
        return "sign"
    if "\u0e00" <= char <= "\u0eff":  # Thai and Lao
        return "sign"
    return "word" if char.isalnum() or char in "_'’" else "other"


def _spliced(
    pieces: Sequence[AnyStr], changes: Sequence[tuple[int, int, Sequence[AnyStr]]], cr: AnyStr
) -> list[AnyStr]:
    """``pieces`` (a text split at newlines) with pieces ``first`` to before ``after`` replaced, for
    each change. New lines end as the line that they replace or follow."""
    out: list[AnyStr] = []
    position = 0
    closing = None  # where the last piece went
    for first, after, new in changes:
        out.extend(pieces[position:first])
        if position < first == len(pieces):
            closing = len(out) - 1
        ending = cr if _ends_with_return(pieces, first, after, cr) else cr[:0]
        out.extend([line + ending for line in new])
        position = after
    if position < len(pieces):
        out.extend(pieces[position:])
        closing = len(out) - 1
    if pieces[-1] and out and closing != len(out) - 1:
        # No newline at the end, before and after: who was last gets a line end, who is gives it up.
        if closing is not None and pieces[-2:][0].endswith(cr) and len(pieces) > 1:
            out[closing] = out[closing].removesuffix(cr) + cr
        out[-1] = out[-1].removesuffix(cr)
    return out


def _ends_with_return(pieces: Sequence[AnyStr], first: int, after: int, cr: AnyStr) -> bool:
    """Whether what stands in the place of pieces ``first`` to ``after`` ends with a return. The
    last piece has no line end of its own, so it tells nothing."""
    ended: int = len(pieces) - 1
    near = [*range(first, min(after, ended)), first - 1, first, ended - 1]
    return next((pieces[n].endswith(cr) for n in near if 0 <= n < ended), False)


def _plain(lines: Sequence[str]) -> tuple[str, ...]:
    return tuple(line.removesuffix("\r") for line in lines)


def _refused(why: str) -> ProposalRefused:
    return ProposalRefused(
        "This suggestion does not fit its page.", f"In it, {why}. Nothing was changed."
    )


def _not_encodable() -> ProposalRefused:
    return ProposalRefused(
        "This page cannot take the letters of the suggestion.",
        "It is not in UTF-8. Nothing was changed; save the page as UTF-8 and try again.",
    )
