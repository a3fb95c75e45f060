"""What the window remembers survives a newer Daybank and the way back to this one."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from daybank_desktop.services.settings import VERSION, DesktopSettings, SettingsStore


def test_a_file_from_before_there_were_versions_is_taken_over(tmp_path: Path) -> None:
    place = tmp_path / "desktop.json"
    place.write_text('{"theme": "dark", "text_size": 120}')
    store = SettingsStore(place)
    assert store.value == DesktopSettings(theme="dark", text_size=120)
    store.update(text_size=130)
    assert json.loads(place.read_text())["version"] == VERSION
    assert SettingsStore(place).value == DesktopSettings(theme="dark", text_size=130)


@pytest.mark.parametrize("is_read_first", [True, False])
def test_keys_that_another_version_added_are_kept(tmp_path: Path, is_read_first: bool) -> None:
    place = tmp_path / "desktop.json"
    place.write_text(json.dumps({"version": VERSION, "theme": "dark", "colours": [1, 2]}))
    store = SettingsStore(place)
    if is_read_first:
        assert store.value.theme == "dark"
    store.save(DesktopSettings(theme="light"))
    stored = json.loads(place.read_text())
    assert (stored["theme"], stored["colours"]) == ("light", [1, 2])


@pytest.mark.parametrize("is_read_first", [True, False])
def test_a_newer_file_is_used_and_not_written(tmp_path: Path, is_read_first: bool) -> None:
    place = tmp_path / "desktop.json"
    newer = json.dumps({"version": VERSION + 1, "theme": "dark", "text_size": "huge"})
    place.write_text(newer)
    store = SettingsStore(place)
    if is_read_first:
        assert store.value == DesktopSettings(theme="dark")
    store.save(DesktopSettings(theme="light"))
    assert store.value.theme == "light", "until Daybank ends, what was chosen holds"
    assert place.read_text() == newer
