"""What a check of the folder finds. Frozen values, and their stable JSON."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Level = Literal["ok", "note", "warning", "error"]
WORST = ("ok", "note", "warning", "error")
"""The levels, the worst last."""


@dataclass(frozen=True, slots=True)
class HealthCheck:
    """One finding. ``id`` is stable, ``message`` plain, ``sources`` are ``path#L12`` or paths."""

    id: str
    level: Level
    message: str
    sources: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class HealthReport:
    """All checks, those that need the person first."""

    checks: tuple[HealthCheck, ...]

    @property
    def level(self) -> Level:
        """The worst level found."""
        return max((c.level for c in self.checks), key=WORST.index, default="ok")

    def to_json(self) -> dict[str, object]:
        return {
            "checks": [
                {"id": c.id, "level": c.level, "message": c.message, "sources": list(c.sources)}
                for c in self.checks
            ]
        }
