"""A memory folder made of small texts, read into an index and closed again at the end."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Protocol

import pytest
from hypothesis import HealthCheck, settings

from daybank import FixedClock, Workspace, open_workspace
from daybank.clock import Clock

NOON = FixedClock(datetime(2026, 11, 26, 12, tzinfo=UTC))

# The time a first example takes says nothing; what is slow shows in the whole run.
settings.register_profile(
    "core",
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
settings.load_profile("core")


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


@pytest.fixture
def make_workspace(tmp_path: Path) -> Iterator[MakeWorkspace]:
    opened: list[Workspace] = []

    def make(
        files: Mapping[str, str | bytes],
        *,
        clock: Clock = NOON,
        sync: bool = True,
        name: str = "notes",
    ) -> Workspace:
        root = tmp_path / name
        root.mkdir(parents=True, exist_ok=True)
        write_files(root, files)
        workspace = open_workspace(root, clock=clock)
        opened.append(workspace)
        if sync:
            workspace.sync()
        return workspace

    yield make
    for workspace in opened:
        workspace.close()
