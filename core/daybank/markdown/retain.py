"""The grammar of a typed bullet: ``O(c=0.95) @Peter: Prefers concise replies``.

    bullet = KIND [ "(" "c=" NUMBER ")" ] { " @" NAME } ":" TEXT
    KIND   = "W" world | "B" experience ("E" is read as B) | "O" opinion | "S" observation

The text given here has no list mark any more.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass

from daybank.markdown.model import Kind
from daybank.markdown.names import PLAIN_NAME

KINDS = {
    "W": Kind.WORLD,
    "B": Kind.EXPERIENCE,
    "E": Kind.EXPERIENCE,
    "O": Kind.OPINION,
    "S": Kind.OBSERVATION,
}
LETTERS = {
    Kind.WORLD: "W",
    Kind.EXPERIENCE: "B",
    Kind.OPINION: "O",
    Kind.OBSERVATION: "S",
}
_NAMES = rf"(?:[ \t]+@(?:\[[^\[\]\n]{{1,120}}\]|{PLAIN_NAME}))*"
_BULLET = re.compile(
    rf"(?P<kind>[WBEOS])(?:\((?P<inside>[^()\n]*)\))?(?P<names>{_NAMES}):(?P<text>(?:[ \t\n].*)?)",
    re.DOTALL,
)
_ONE_NAME = re.compile(rf"@(?:\[(?P<long>[^\[\]\n]+)\]|(?P<short>{PLAIN_NAME}))")
_NUMBER = re.compile(r"\s*c\s*=\s*([+-]?(?:\d+(?:\.\d*)?|\.\d+))\s*")
_HEADING = re.compile(r"\W*retain\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class TypedBullet:
    """A bullet read by the grammar. ``confidence_trouble`` says why a confidence was given and is
    not known; ``text`` is what follows the colon, markup and all."""

    kind: Kind
    names: tuple[str, ...]
    text: str
    confidence: float | None = None
    confidence_trouble: str | None = None


def parse_bullet(text: str) -> TypedBullet | None:
    """Read ``text`` as a typed bullet; None when it has not exactly that form or says nothing."""
    if len(text) < 3 or text[0] not in KINDS or text[1] not in "( \t:":
        return None
    match = _BULLET.fullmatch(text)
    if match is None:
        return None
    said = match["text"].strip()
    if not said:
        return None
    names = tuple(
        dict.fromkeys((m["long"] or m["short"]).strip() for m in _ONE_NAME.finditer(match["names"]))
    )
    confidence, trouble = None, None
    if match["inside"] is not None:
        confidence, trouble = read_confidence(match["inside"])
    return TypedBullet(KINDS[match["kind"]], names, said, confidence, trouble)


def looks_typed(text: str) -> bool:
    """Whether somebody meant ``text`` as a typed bullet: a kind letter and then an ``@``, a
    bracket or a colon, in whatever order."""
    return re.match(r"[WBEOS]\s*(?:\([^)]*\))?\s*(?:@|:)", text) is not None


def read_confidence(inside: str) -> tuple[float | None, str | None]:
    """``c=0.95`` → (0.95, None); anything else → (None, what is wrong with it)."""
    match = _NUMBER.fullmatch(inside)
    if match is None:
        return None, f"“({inside})” is no confidence; write a number like (c=0.8)"
    value = float(match[1])
    if not math.isfinite(value) or not 0.0 <= value <= 1.0:
        return None, f"the confidence {match[1]} is not between 0 and 1"
    return value, None


def is_retain_heading(text: str) -> bool:
    """Whether a heading opens a Retain section: ``Retain``, any case, with marks (an emoji, a
    quote) before it and text after it allowed."""
    return _HEADING.match(text.strip()) is not None


def write_bullet(bullet: TypedBullet) -> str:
    """The bullet's one-line spelling, without a list mark; :func:`parse_bullet` reads it back."""
    inside = "" if bullet.confidence is None else f"(c={bullet.confidence:.2f})"
    names = "".join(f" {spell_name(name)}" for name in bullet.names)
    return f"{LETTERS[bullet.kind]}{inside}{names}: {bullet.text}"


def spell_name(name: str) -> str:
    """``@Name``, or ``@[Name With Spaces]`` where the short form would not hold it."""
    return f"@{name}" if re.fullmatch(PLAIN_NAME, name) else f"@[{name}]"
