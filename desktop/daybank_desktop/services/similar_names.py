"""Names that may be the same person written in two ways. It only ever asks; nobody is merged here.

Pure functions for a worker. Names whose digits differ are never alike: Oven 1 is not Oven 2.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from daybank import EntitySummary

LEAST_LETTERS = 4
"""One letter more or less says nothing about shorter names."""


@dataclass(frozen=True, slots=True)
class NameHint:
    """``other`` looks like another spelling of ``name``; ``name`` is the one to keep, being
    mentioned more often. ``mentions`` counts those of ``other``."""

    name: str
    key: str
    other: str
    other_key: str
    mentions: int

    @property
    def pair(self) -> tuple[str, str]:
        """Both keys, the same whichever is kept."""
        first, second = sorted((self.key, self.other_key))
        return first, second


def plain_letters(name: str) -> str:
    """``name`` without case, accents, spaces and punctuation."""
    folded = unicodedata.normalize("NFKD", name.casefold())
    return "".join(char for char in folded if char.isalnum())


def are_alike(one: str, other: str) -> bool:
    """Whether two names are the same letters, or nearly: one letter added, left out, changed or
    swapped with its neighbour, in a name of four letters or more."""
    a, b = plain_letters(one), plain_letters(other)
    if not a or not b or _digits(a) != _digits(b):
        return False
    if a == b:
        return True
    if min(len(a), len(b)) < LEAST_LETTERS or a.isdigit():
        return False
    return _one_step(a, b)


def hint_for(
    current: EntitySummary,
    names: Iterable[str],
    everyone: Iterable[EntitySummary],
    refused: frozenset[tuple[str, str]],
) -> NameHint | None:
    """The most mentioned name that looks like one of ``names``, all of which are ``current``'s."""
    own = tuple(names)
    best: EntitySummary | None = None
    for other in everyone:
        pair = (min(current.key, other.key), max(current.key, other.key))
        if other.key == current.key or pair in refused:
            continue
        if best is not None and other.mentions <= best.mentions:
            continue
        if any(are_alike(name, other.name) for name in own):
            best = other
    if best is None:
        return None
    kept, less = (current, best) if current.mentions >= best.mentions else (best, current)
    return NameHint(kept.name, kept.key, less.name, less.key, less.mentions)


def _digits(letters: str) -> str:
    return "".join(char for char in letters if char.isdigit())


def _one_step(a: str, b: str) -> bool:
    if abs(len(a) - len(b)) > 1:
        return False
    start = 0
    while start < min(len(a), len(b)) and a[start] == b[start]:
        start += 1
    rest_a, rest_b = a[start:], b[start:]
    return (
        rest_a[1:] == rest_b[1:]
        or rest_a[1:] == rest_b
        or rest_a == rest_b[1:]
        or (rest_a[:2] == rest_b[1::-1] and rest_a[2:] == rest_b[2:])
    )
