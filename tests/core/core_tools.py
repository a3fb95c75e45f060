"""What the library's tests share beside their fixtures."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Protocol

from daybank import FixedClock, RecallAnswer, Workspace
from daybank.clock import Clock

NOON = FixedClock(datetime(2026, 11, 26, 12, tzinfo=UTC))


class MakeWorkspace(Protocol):
    """Writes ``files`` (path → text or bytes), opens the folder and syncs it."""

    def __call__(
        self,
        files: Mapping[str, str | bytes],
        *,
        clock: Clock = NOON,
        sync: bool = True,
        name: str = "notes",
    ) -> Workspace: ...


def write_files(root: Path, files: Mapping[str, str | bytes]) -> None:
    """Put ``files`` under ``root`` exactly as given: no newline is translated."""
    for path, content in files.items():
        place = root / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(content if isinstance(content, bytes) else content.encode("utf-8"))


def retain(*bullets: str) -> str:
    """A daily log with nothing but these bullets under Retain."""
    return "## Retain\n\n" + "".join(f"- {bullet}\n" for bullet in bullets)


def contents(answer: RecallAnswer) -> list[str]:
    """What the results say, in their order."""
    return [result.content for result in answer.results]
