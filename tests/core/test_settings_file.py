"""Settings survive whatever happens to their file."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from daybank.settings import VERSION, Settings, load_settings, save_settings


def test_what_is_saved_is_loaded(tmp_path: Path) -> None:
    place = tmp_path / "deep/er/settings.json"
    wanted = Settings(
        "/home/mara/Notizen 散歩",
        index_outside=True,
        model="ollama:nomic",
        wording_model="openai:http://192.168.1.5:1234/v1#small",
        wording_host_allowed=True,
    )
    save_settings(wanted, place)
    assert load_settings(place) == wanted
    assert [p.name for p in place.parent.iterdir()] == ["settings.json"]


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"{broken",
        b"[]",
        b"null",
        b"3",
        b"\xff\xfe\x00",
        b'{"workspace": 3, "index_outside": "yes"}',
        b'{"workspace": ""}',
        b'{"model": 3}',
        b'{"model": " "}',
        b'{"wording_model": ["ollama:small"], "wording_host_allowed": "yes"}',
        b'{"wording_model": "", "wording_host_allowed": 1}',
        b"[" * 100_000,
    ],
)
def test_a_broken_file_falls_back_and_can_be_saved_over(tmp_path: Path, content: bytes) -> None:
    place = tmp_path / "settings.json"
    place.write_bytes(content)
    assert load_settings(place) == Settings()
    save_settings(Settings("/notes"), place)
    assert load_settings(place) == Settings("/notes")


def test_one_broken_field_does_not_take_the_others_along(tmp_path: Path) -> None:
    place = tmp_path / "settings.json"
    place.write_text('\ufeff{"workspace": "/notes", "index_outside": 1}', encoding="utf-8")
    assert load_settings(place) == Settings("/notes")


def test_what_another_version_kept_there_is_kept(tmp_path: Path) -> None:
    place = tmp_path / "settings.json"
    place.write_text('{"theme": "dark", "workspace": "/old"}')
    save_settings(Settings("/new"), place)
    assert json.loads(place.read_text()) == {
        "version": VERSION,
        "theme": "dark",
        "workspace": "/new",
        "index_outside": False,
        "model": None,
        "wording_model": None,
        "wording_host_allowed": False,
        "commit": False,
    }


def test_a_failed_save_leaves_the_old_file_and_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = tmp_path / "settings.json"
    save_settings(Settings("/old"), place)

    def fail(*_: object) -> None:
        raise OSError(28, "No space left on device")

    for name in ("fsync", "replace"):
        with monkeypatch.context() as patch:
            patch.setattr(os, name, fail)
            with pytest.raises(OSError, match="No space"):
                save_settings(Settings("/new"), place)
        assert load_settings(place) == Settings("/old")
        assert [p.name for p in tmp_path.iterdir()] == ["settings.json"]


def test_a_linked_file_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "dotfiles").mkdir()
    real = tmp_path / "dotfiles/daybank.json"
    real.write_text("{}")
    (tmp_path / "settings.json").symlink_to(real)
    save_settings(Settings("/notes"), tmp_path / "settings.json")
    assert (tmp_path / "settings.json").is_symlink()
    assert load_settings(real) == Settings("/notes")
