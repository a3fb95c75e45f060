"""Where the index lives, and who may look at it."""

from __future__ import annotations

import contextlib
import os
import stat
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from index_tools import DAY, NOON, contents, tree

from daybank import IndexUnwritable, Workspace, WorkspaceUnreadable, open_workspace
from daybank import workspace as workspace_module
from daybank.errors import DaybankError, NoteNotSaved
from daybank.progress import Progress
from daybank.workspace import WorkspaceFolder

Make = Callable[..., Workspace]


@pytest.fixture
def notes(tmp_path: Path) -> Iterator[Path]:
    root = tmp_path / "notes"
    (root / "memory").mkdir(parents=True)
    (root / "memory/2025-11-27.md").write_text(DAY)
    yield root
    for place in (root, root / "memory", root / ".memory"):
        if place.exists():
            place.chmod(0o755)


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    place = tmp_path / "cache"
    monkeypatch.setattr(workspace_module.platformdirs, "user_cache_dir", lambda *a, **k: str(place))
    return place


def _mode(place: Path) -> int:
    return stat.S_IMODE(place.stat().st_mode)


def test_the_state_folder_is_private_and_ignored_by_git(notes: Path, cache: Path) -> None:
    with open_workspace(notes, clock=NOON) as ws:
        ws.sync()
        assert _mode(ws.index_path) == 0o600
        assert {_mode(p) & 0o077 for p in (notes / ".memory").glob("index.sqlite*")} == {0}
    assert _mode(notes / ".memory") == 0o700
    assert (notes / ".memory/.gitignore").read_text() == "*\n"
    assert not cache.exists()


def test_a_state_folder_that_was_open_to_others_is_closed(notes: Path) -> None:
    (notes / ".memory").mkdir(mode=0o755)
    (notes / ".memory").chmod(0o755)
    (notes / ".memory/.gitignore").write_text("mine\n")
    with open_workspace(notes, clock=NOON) as ws:
        ws.sync()
    assert _mode(notes / ".memory") == 0o700
    assert (notes / ".memory/.gitignore").read_text() == "mine\n"


@pytest.mark.parametrize("protected", [".", ".memory"])
def test_a_read_only_folder_is_indexed_in_the_cache(
    notes: Path, cache: Path, protected: str
) -> None:
    (notes / protected).mkdir(exist_ok=True)
    (notes / protected).chmod(0o555)
    before = tree(notes)
    with open_workspace(notes, clock=NOON) as ws:
        ws.sync()
        assert ws.index_path.is_relative_to(cache)
        assert len(ws.recall("Marrakech").results) == 1
        assert _mode(ws.index_path) == 0o600
        assert _mode(ws.index_path.parent) == 0o700
    assert tree(notes) == before
    assert not list((notes / ".memory").glob("*")) if protected != "." else True
    with open_workspace(notes, clock=NOON) as again:
        assert len(again.recall("Marrakech").results) == 1  # found there again


def test_a_file_in_the_place_of_the_state_folder_is_left_alone(notes: Path, cache: Path) -> None:
    (notes / ".memory").write_text("mine")
    with open_workspace(notes, clock=NOON) as ws:
        ws.sync()
        assert ws.index_path.is_relative_to(cache)
    assert (notes / ".memory").read_text() == "mine"


def test_the_index_of_a_synced_folder_may_live_elsewhere(notes: Path, tmp_path: Path) -> None:
    with open_workspace(notes, clock=NOON, index_dir=tmp_path / "here") as ws:
        ws.sync()
        assert ws.index_path == tmp_path / "here/index.sqlite"
        assert len(ws.recall("Marrakech").results) == 1
    assert not (notes / ".memory").exists()
    assert _mode(tmp_path / "here/index.sqlite") == 0o600


def test_two_folders_never_share_a_place_in_the_cache(tmp_path: Path) -> None:
    one, two = WorkspaceFolder(tmp_path / "a"), WorkspaceFolder(tmp_path / "b")
    assert one.cache_dir() != two.cache_dir()
    assert one.cache_dir() == WorkspaceFolder(tmp_path / "a").cache_dir()


@pytest.mark.parametrize("place", ["a-file", "a-file/below", "/proc/daybank", "nul\0name"])
def test_no_place_for_the_index_is_told_of_in_one_sentence(
    notes: Path, tmp_path: Path, place: str
) -> None:
    (tmp_path / "a-file").write_text("")
    with pytest.raises(IndexUnwritable) as caught:
        open_workspace(notes, clock=NOON, index_dir=tmp_path / place)
    assert "notes are untouched" in str(caught.value)


def test_an_index_folder_that_became_read_only_still_answers(notes: Path, tmp_path: Path) -> None:
    with open_workspace(notes, clock=NOON, index_dir=tmp_path / "here") as ws:
        ws.sync()
        assert len(ws.recall("Marrakech").results) == 1
    (tmp_path / "here/index.sqlite").chmod(0o444)
    with open_workspace(notes, clock=NOON, index_dir=tmp_path / "here") as ws:
        assert len(ws.recall("Marrakech").results) == 1


def test_a_folder_that_went_away_is_unreadable_and_nothing_is_made_in_its_place(
    notes: Path, tmp_path: Path
) -> None:
    with open_workspace(notes, clock=NOON) as ws:
        ws.sync()
        notes.rename(tmp_path / "elsewhere")
        with pytest.raises(WorkspaceUnreadable):
            ws.sync()
        with pytest.raises(WorkspaceUnreadable):
            ws.sync(rebuild=True)
        assert not notes.exists()
        (tmp_path / "elsewhere").rename(notes)
        ws.sync()
        assert len(ws.recall("Marrakech").results) == 1


def test_the_empty_place_of_a_drive_is_not_written_to(
    notes: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with open_workspace(notes, clock=NOON) as ws:
        ws.sync()
        notes.rename(tmp_path / "elsewhere")
        notes.mkdir()
        monkeypatch.setattr(ws._folder, "_identity", (0, 0))  # the drive's own number was another
        with pytest.raises(WorkspaceUnreadable) as caught:
            ws.sync()
        assert "connected" in str(caught.value)
        assert list(notes.iterdir()) == []


def test_what_is_ours_in_the_empty_place_does_not_make_it_the_folder(
    notes: Path, tmp_path: Path
) -> None:
    with open_workspace(notes, clock=NOON) as ws:
        ws.sync()
        notes.rename(tmp_path / "elsewhere")
        (notes / ".memory").mkdir(parents=True)
        with pytest.raises(WorkspaceUnreadable):
            ws.sync()
        with pytest.raises(NoteNotSaved):
            ws.add("W @Mara: Likes tea.")
        with pytest.raises(WorkspaceUnreadable):
            ws.reflect()
        assert [place.name for place in notes.iterdir()] == [".memory"]


def test_nothing_is_made_in_the_place_of_a_folder_that_went_while_meaning_was_prepared(
    notes: Path, tmp_path: Path
) -> None:
    def move_away(progress: Progress) -> None:
        if notes.exists():
            notes.rename(tmp_path / "elsewhere")

    with open_workspace(notes, clock=NOON) as ws:
        ws.sync()
        with contextlib.suppress(DaybankError):
            ws.embed(progress=move_away)
        assert not notes.exists()


def test_a_workspace_below_a_link_is_the_same_workspace(notes: Path, tmp_path: Path) -> None:
    os.symlink(notes, tmp_path / "shortcut")
    with open_workspace(tmp_path / "shortcut", clock=NOON) as ws:
        ws.sync()
        assert ws.path == notes.resolve()
    with open_workspace(notes, clock=NOON) as ws:
        assert (
            contents(ws.recall("river")) == ["Walked along the river with Mara."]
            or ws.recall("river").results
        )


def test_opening_reads_no_note_and_makes_no_index(notes: Path) -> None:
    with open_workspace(notes, clock=NOON) as ws:
        assert not ws.index_path.exists()
        assert [n.id for n in ws.recall("Marrakech").notices] == ["not-indexed"]
        assert (ws.overview().is_indexed, ws.days(), ws.entities(), ws.entity("Peter")) == (
            False, (), (), None,
        )  # fmt: skip
        assert not ws.index_path.exists()
