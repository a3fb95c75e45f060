"""The window's part of ``daybank --self-check``."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from PySide6.QtCore import QLibraryInfo
from PySide6.QtGui import QFontDatabase
from pytestqt.qtbot import QtBot

from daybank_desktop import self_check


def test_all_is_well_here(qtbot: QtBot) -> None:
    found = {check.id: check for check in (ask() for ask in self_check.checks())}
    assert {"qt", "qt-pictures", "qt-fonts"} <= set(found)
    levels = {
        id_: check.level for id_, check in found.items() if id_ not in ("qt-wayland", "qt-xcb")
    }
    assert set(levels.values()) == {"ok"}, found


@pytest.mark.skipif(sys.platform != "linux", reason="Linux has two kinds of screen")
def test_without_the_plugins_x_fails_and_wayland_is_a_note(
    qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(QLibraryInfo, "path", lambda place: str(tmp_path))
    found = {check.id: check for check in (ask() for ask in self_check.checks())}
    assert (found["qt-xcb"].level, found["qt-wayland"].level) == ("error", "warning")
    assert found["qt-xcb"].found == "Qt's plugin for “xcb” is missing."


@pytest.mark.skipif(sys.platform != "linux", reason="the plugin's name is Linux's")
def test_a_plugin_that_cannot_be_loaded_is_told_with_the_reason(
    qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "platforms").mkdir()
    (tmp_path / "platforms/libqxcb.so").write_bytes(b"no library")
    monkeypatch.setattr(QLibraryInfo, "path", lambda place: str(tmp_path))
    (found,) = (check for check in (ask() for ask in self_check.checks()) if check.id == "qt-xcb")
    assert found.level == "error"
    assert "libqxcb.so" in found.found


def test_no_font_at_all_is_an_error(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(QFontDatabase, "families", lambda: [])
    (found,) = (check for check in (ask() for ask in self_check.checks()) if check.id == "qt-fonts")
    assert (found.level, "No font" in found.found) == ("error", True)
