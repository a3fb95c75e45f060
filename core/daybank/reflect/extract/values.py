"""What the inference of Retain bullets takes and yields. Frozen values, no behaviour."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from daybank.markdown.model import Source
from daybank.markdown.retain import TypedBullet


class NamedThing(Protocol):
    """A person or thing with its other spellings; ``type`` is ``person``, ``place``, … or None."""

    @property
    def name(self) -> str: ...

    @property
    def aliases(self) -> tuple[str, ...]: ...

    @property
    def type(self) -> str | None: ...


class KnownNamesLike(Protocol):
    """Everybody and everything that has a name already; the recall layer's names are such."""

    def all(self) -> Sequence[NamedThing]: ...


@dataclass(frozen=True, slots=True)
class InferredBullet:
    """A bullet made of a person's own words, the lines they come from, and why it is worth it.

    ``score`` orders the bullets of one log and means nothing between logs; ``reason`` is for
    people, such as "names a decision and a date".
    """

    bullet: TypedBullet
    source: Source
    score: float
    reason: str


@dataclass(frozen=True, slots=True)
class SkippedLine:
    """A place in the log that gives no bullet, and why not. It never repeats the text."""

    source: Source
    reason: str


@dataclass(frozen=True, slots=True)
class Extraction:
    """What a log gives, in the order of its lines. Both are empty for an empty log."""

    bullets: tuple[InferredBullet, ...] = ()
    skipped: tuple[SkippedLine, ...] = ()
