"""What is half written is kept: its file, who can read it, and what is not in it."""

from __future__ import annotations

import os
import stat
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from daybank_desktop.services.drafts import Draft, DraftStore, without_secrets

SECRET = "the db password: hunter2-EXAMPLE"


def test_a_draft_is_there_after_a_restart(tmp_path: Path) -> None:
    draft = Draft("Bread rose well\n@Мара: да 🥐", "opinion", 90)
    assert DraftStore(tmp_path / "drafts", "a").save(draft)
    assert DraftStore(tmp_path / "drafts", "a").value == draft
    assert DraftStore(tmp_path / "drafts", "b").value == Draft()


def test_once_saved_it_is_gone(tmp_path: Path) -> None:
    store = DraftStore(tmp_path, "a")
    store.save(Draft("Bread"))
    store.forget()
    assert store.value == Draft()
    assert list(tmp_path.iterdir()) == []
    store.save(Draft("Bread"))
    store.save(Draft(" \n"))  # emptied by hand
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(sys.platform == "win32", reason="modes of Unix")
def test_only_its_owner_can_read_it(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        DraftStore(tmp_path / "drafts", "a").save(Draft("Bread"))
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "drafts").stat().st_mode) == 0o700
    assert stat.S_IMODE((tmp_path / "drafts" / "a.json").stat().st_mode) == 0o600


def test_a_password_is_on_the_disk_only_once_it_is_to_be_kept(tmp_path: Path) -> None:
    store = DraftStore(tmp_path, "a")
    store.save(Draft(SECRET))
    assert store.value.text == SECRET
    assert "hunter2" not in (tmp_path / "a.json").read_text()
    assert DraftStore(tmp_path, "a").value.text == "the db password: [hidden]"
    store.save(Draft(SECRET), kept={"hunter2-EXAMPLE"})
    assert DraftStore(tmp_path, "a").value.text == SECRET


def test_a_secret_is_seen_across_two_lines_too() -> None:
    assert without_secrets("the db password\nhunter2-EXAMPLE") == "the db password\n[hidden]"
    assert without_secrets("Bread\nrose on the 24th") == "Bread\nrose on the 24th"


def test_a_full_disk_leaves_it_in_memory_and_the_older_one_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = DraftStore(tmp_path, "a")
    store.save(Draft("Bread"))

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", full)
    assert not store.save(Draft("Bread rose"))
    assert store.value == Draft("Bread rose")
    monkeypatch.undo()
    assert [file.name for file in tmp_path.iterdir()] == ["a.json"]
    assert DraftStore(tmp_path, "a").value == Draft("Bread")


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\0" * 400,
        b"{",
        b"[]",
        b'{"text": 7}',
        b"\xff\xfe",
        b"[" * 100_000,
        b'{"text": "a", "kind": ["x"], "percent": "y"}',
    ],
    ids=lambda content: repr(content[:20]),
)
def test_a_broken_file_is_no_draft_and_no_trouble(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "a.json").write_bytes(content)
    store = DraftStore(tmp_path, "a")
    assert store.value in (Draft(), Draft("a"))
    assert store.save(Draft("Bread"))
    assert DraftStore(tmp_path, "a").value == Draft("Bread")


def test_what_a_second_start_left_is_picked_up_below(tmp_path: Path) -> None:
    store = DraftStore(tmp_path, "a")
    store.save(Draft("Bread", "world"))
    assert DraftStore(tmp_path, "a").leave("Flour comes on Monday")
    assert store.pick_up() == Draft("Bread\nFlour comes on Monday", "world")
    assert store.pick_up() == Draft("Bread\nFlour comes on Monday", "world")
    assert [file.name for file in tmp_path.iterdir()] == ["a.json"]


def test_a_text_handed_over_twice_is_there_once() -> None:
    draft = Draft("Bread rose")
    assert draft.with_more("rose") == Draft("Bread rose\nrose")
    assert draft.with_more("Bread rose\n") == draft
    assert draft.with_more("Flour").with_more("Flour") == Draft("Bread rose\nFlour")
    assert Draft().with_more("Flour") == Draft("Flour")
    assert draft.with_more(" ") == draft


def test_it_goes_along_to_another_folder(tmp_path: Path) -> None:
    DraftStore(tmp_path, "b").save(Draft("Waiting there", "world"))
    store = DraftStore(tmp_path, "a")
    store.save(Draft("Bread", "opinion"))
    store.move_to("b")
    assert store.value == Draft("Waiting there\nBread", "world")
    assert [file.name for file in tmp_path.iterdir()] == ["b.json"]
    store.forget()
    store.move_to("c")
    assert list(tmp_path.iterdir()) == []


@given(st.text(max_size=300))
def test_any_text_comes_back_but_for_its_secrets(text: str) -> None:
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        DraftStore(Path(folder), "a").save(Draft(text))
        found = DraftStore(Path(folder), "a").value.text
    assert found == (without_secrets(text) if text.strip() else "")
