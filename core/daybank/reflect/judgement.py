"""What a fact does to an opinion: the values that the stance judge and the replay share."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Stance(StrEnum):
    """What a fact makes of an opinion.

    ``supports`` makes it more believable: an instance, or the same in other words. ``weakens`` is
    an exception, a doubt, a hedge, a plan not carried out. ``contradicts`` says that it is no
    longer or never was true. ``unrelated`` is everything else, and whatever is unsure.
    """

    SUPPORTS = "supports"
    WEAKENS = "weakens"
    CONTRADICTS = "contradicts"
    UNRELATED = "unrelated"


@dataclass(frozen=True, slots=True)
class Judgement:
    """A stance with its strength in (0, 1] and the reason in words a person understands."""

    stance: Stance
    strength: float
    reason: str
