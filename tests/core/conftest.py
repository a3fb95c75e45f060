"""A memory folder made of small texts, read into an index and closed again at the end."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest
from core_tools import NOON, MakeWorkspace, write_files
from hypothesis import HealthCheck, settings

from daybank import Workspace, open_workspace
from daybank.clock import Clock

# The time a first example takes says nothing; what is slow shows in the whole run.
settings.register_profile(
    "core",
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
settings.load_profile("core")


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
