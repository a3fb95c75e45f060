"""What the stance judge is asked about."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from daybank.markdown.model import Kind


@dataclass(frozen=True, slots=True)
class Statement:
    """A sentence somebody wrote down: an opinion, or a fact that may bear on it.

    ``names`` are the people and things it tells about, each as the entity's one spelling (aliases
    are resolved by the caller); ``confidence`` is the author's, in [0, 1].
    """

    text: str
    names: tuple[str, ...] = ()
    kind: Kind = Kind.OPINION
    confidence: float | None = None
    day: date | None = None
