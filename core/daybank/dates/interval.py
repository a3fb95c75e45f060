"""Closed ranges of calendar days, either end possibly open."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date


@dataclass(frozen=True, slots=True)
class Interval:
    """The days from ``start`` to ``end``, both included; ``None`` is an open end.

    Raises ValueError when both ends are known and the end comes first, or when both are open.
    """

    start: date | None
    end: date | None

    def __post_init__(self) -> None:
        if self.start is None and self.end is None:
            raise ValueError("an interval has at least one end")
        if self.start is not None and self.end is not None and self.end < self.start:
            raise ValueError(f"{self.end} comes before {self.start}")

    @classmethod
    def day(cls, day: date) -> Interval:
        """A single day."""
        return cls(day, day)

    def __contains__(self, day: date) -> bool:
        return (self.start is None or self.start <= day) and (self.end is None or day <= self.end)

    def overlaps(self, other: Interval) -> bool:
        """Whether the two share at least one day."""
        return not (
            (self.end is not None and other.start is not None and self.end < other.start)
            or (other.end is not None and self.start is not None and other.end < self.start)
        )


@dataclass(frozen=True, slots=True)
class DatePhrase:
    """A time found in a text: its interval and where it stands, ``text[start:end] == phrase``."""

    interval: Interval
    start: int
    end: int
    phrase: str
