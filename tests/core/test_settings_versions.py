"""Settings of an older Daybank are taken over; those of a newer one are read and never written."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from daybank.cli import main
from daybank.errors import SettingsNewer
from daybank.settings import VERSION, Settings, load_settings, save_settings

NEWER = {"version": VERSION + 1, "workspace": "/notes", "model": "built-in", "colours": [1, 2]}


def test_a_file_from_before_there_were_versions_is_taken_over(tmp_path: Path) -> None:
    place = tmp_path / "settings.json"
    place.write_text('{"workspace": "/notes", "commit": true}')
    found = load_settings(place)
    assert found == Settings("/notes", commit=True)
    save_settings(found, place)
    assert json.loads(place.read_text())["version"] == VERSION
    assert load_settings(place) == found


def test_a_newer_file_is_read_as_far_as_it_is_understood(tmp_path: Path) -> None:
    place = tmp_path / "settings.json"
    place.write_text(json.dumps(NEWER))
    assert load_settings(place) == Settings("/notes", model="built-in")


def test_a_newer_file_is_not_written_and_the_error_says_what_to_do(tmp_path: Path) -> None:
    place = tmp_path / "settings.json"
    place.write_text(json.dumps(NEWER))
    with pytest.raises(SettingsNewer) as raised:
        save_settings(Settings("/elsewhere"), place)
    assert "newer Daybank" in raised.value.title
    assert str(place) in raised.value.message
    assert json.loads(place.read_text()) == NEWER


@pytest.mark.parametrize("version", ["2", True, None, [], 1.5, -1, 0])
def test_a_senseless_version_does_not_lock_anybody_out(tmp_path: Path, version: object) -> None:
    place = tmp_path / "settings.json"
    place.write_text(json.dumps({"version": version, "workspace": "/notes"}))
    save_settings(Settings("/elsewhere"), place)
    assert json.loads(place.read_text())["version"] == VERSION
    assert load_settings(place) == Settings("/elsewhere")


def test_the_command_says_it_in_one_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    place = tmp_path / "settings.json"
    place.write_text(json.dumps({**NEWER, "model": "many-languages"}))
    monkeypatch.setattr("daybank.settings.settings_path", lambda: place)
    monkeypatch.setattr("daybank.cli.models.settings_path", lambda: place)
    assert main(["models", "use", "built-in"]) == 2
    assert "newer Daybank" in capsys.readouterr().err
    assert json.loads(place.read_text())["model"] == "many-languages"
