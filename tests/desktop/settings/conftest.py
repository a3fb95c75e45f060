"""What the tests of the settings share."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from pytestqt.qtbot import QtBot
from settings_tools import Desk, Hub, Names, Notes, hub_serving, names_serving

from daybank_desktop.theme import Theme


@pytest.fixture(autouse=True)
def _own_folders(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The built-in model is put together in a cache."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


@pytest.fixture
def notes(tmp_path: Path) -> Notes:
    folder = tmp_path / "Sample notes"
    folder.mkdir()
    (folder / "memory.md").write_text("# Core\n\n- Oven 2 bakes the rye.\n", "utf-8")
    return Notes(path=folder)


@pytest.fixture
def make_desk(
    qtbot: QtBot, theme: Theme, tmp_path: Path, notes: Notes
) -> Iterator[Callable[..., Desk]]:
    desks: list[Desk] = []

    def make(workspace: Any = notes, **more: Any) -> Desk:
        desks.append(Desk(qtbot, tmp_path, workspace, **more))
        return desks[-1]

    yield make
    for desk in desks:
        desk.close()


@pytest.fixture
def hub() -> Iterator[Hub]:
    with hub_serving() as hub:
        yield hub


@pytest.fixture
def ollama() -> Iterator[Names]:
    with names_serving("nomic:latest", "minilm:latest") as names:
        yield names
