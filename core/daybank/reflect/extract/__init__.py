"""Retain inference: the bullets that a plain daily log would have, in its writer's own words."""

from daybank.reflect.extract.extract import infer_retain
from daybank.reflect.extract.values import (
    Extraction,
    InferredBullet,
    KnownNamesLike,
    NamedThing,
    SkippedLine,
)

__all__ = [
    "Extraction",
    "InferredBullet",
    "KnownNamesLike",
    "NamedThing",
    "SkippedLine",
    "infer_retain",
]
