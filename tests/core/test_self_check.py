"""``daybank --self-check``: what an installation lacks is said, line by line, and ends with 1."""

from __future__ import annotations

import importlib.metadata
import json
import os
import sqlite3
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from daybank import self_check
from daybank.cli import main
from daybank.embedding import built_in_files
from daybank.self_check import Missing, SelfCheck, check

CORE = str(Path(__file__).parents[2] / "core")


@pytest.fixture(autouse=True)
def own_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The person's folders are somewhere of the test's own."""
    for name in ("CONFIG", "DATA", "CACHE", "STATE"):
        monkeypatch.setenv(f"XDG_{name}_HOME", str(tmp_path / name.lower()))
    return tmp_path


class _WithoutFts(sqlite3.Connection):
    def execute(self, sql: str, *args: Any) -> sqlite3.Cursor:
        if "fts5" in sql:
            raise sqlite3.OperationalError("no such module: fts5")
        return super().execute(sql, *args)


def without_fts(*args: Any, **kwargs: Any) -> sqlite3.Connection:
    return sqlite3.connect(*args, factory=_WithoutFts, **kwargs)


def told(*arguments: str, capsys: pytest.CaptureFixture[str]) -> tuple[int, str]:
    code = main(["--self-check", *arguments])
    return code, capsys.readouterr().out


def test_this_installation_has_all_it_needs() -> None:
    """In a process of its own, as the window's checks make an application."""
    done = subprocess.run(
        [sys.executable, "-m", "daybank", "--self-check", "--json"],
        env={**os.environ, "PYTHONPATH": CORE, "QT_QPA_PLATFORM": "offscreen"},
        stdout=subprocess.PIPE,
        check=False,
    )
    answer = json.loads(done.stdout)
    found = {entry["id"]: entry for entry in answer["checks"]}
    assert [entry for entry in answer["checks"] if entry["level"] == "error"] == []
    assert (done.returncode, answer["ok"]) == (0, True)
    wanted = {"sqlite", "full-text-search", "model", "tokenizer", "embedding", "story"}
    assert wanted <= set(found)
    assert found["embedding"]["found"].startswith("384 numbers a text")
    assert found["model"]["found"].endswith(f"{built_in_files.MODEL_SHA256[:12]}…")


def test_the_table_names_every_check_once_and_ends_with_a_sentence(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    checks = (check("a", "Alpha", lambda: "fine"), check("b", "Beta", lambda: "fine too"))
    monkeypatch.setattr(self_check, "all_checks", lambda: checks)
    assert told(capsys=capsys) == (
        0,
        "ok      Alpha  fine\nok      Beta   fine too\nAll is well.\n",
    )


def test_what_fails_is_said_and_stops_no_other(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def missing() -> str:
        raise Missing("It is not there.")

    checks = (
        check("a", "Alpha", missing),
        check("b", "Beta", lambda: str(1 // 0)),
        check("c", "Gamma", lambda: "fine"),
    )
    monkeypatch.setattr(self_check, "all_checks", lambda: checks)
    code, out = told(capsys=capsys)
    assert code == 1
    assert "FAILED  Alpha  It is not there." in out
    assert "FAILED  Beta   ZeroDivisionError" in out
    assert "ok      Gamma  fine" in out
    assert out.endswith("2 of 3 fail.\n")


def test_a_warning_is_told_and_fails_nothing(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def asked() -> SelfCheck:
        return SelfCheck("w", "Wayland", "warning", "A library is missing.")

    monkeypatch.setattr(self_check, "all_checks", lambda: (asked,))
    code, out = told(capsys=capsys)
    assert (code, out.split("\n")[0]) == (0, "note    Wayland  A library is missing.")


def test_an_sqlite_without_fts5_fails_and_the_slower_search_is_named() -> None:
    with pytest.raises(Missing, match=r"no FTS5\. Searching works all the same, more slowly"):
        self_check.full_text_search(without_fts)


def test_a_model_with_one_other_byte_fails(tmp_path: Path) -> None:
    weights = built_in_files.find_weights()
    assert weights is not None
    changed = bytearray(weights.read_bytes())
    changed[len(changed) // 2] ^= 1
    place = tmp_path / "model.onnx"
    place.write_bytes(changed)
    with pytest.raises(Missing, match="not the one we know"):
        self_check.model(place)
    assert "MB" in self_check.model(weights)


def test_a_model_that_is_not_there_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(built_in_files, "find_weights", lambda: None)
    with pytest.raises(Missing, match="Search by words works"):
        self_check.model()
    found = check("embedding", "Search by meaning", self_check.embedding)()
    assert found.level == "error"


def test_a_folder_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("in the way")
    with pytest.raises(Missing, match="cannot be written"):
        self_check.can_be_written(blocked / "daybank")


def test_checking_leaves_no_folder_behind(tmp_path: Path) -> None:
    place = tmp_path / "share" / "daybank" / "models"
    assert self_check.can_be_written(place) == str(place)
    assert not (tmp_path / "share").exists()
    place.mkdir(parents=True)
    (place / "kept").touch()
    self_check.can_be_written(place)
    assert [p.name for p in place.iterdir()] == ["kept"]


def test_the_window_adds_its_checks_by_an_entry_point(monkeypatch: pytest.MonkeyPatch) -> None:
    class Entry:
        name = "window"

        def __init__(self, checks: Any) -> None:
            self._checks = checks

        def load(self) -> Any:
            return self._checks

    def broken() -> Any:
        raise ImportError("no Qt here")

    def added(checks: Any) -> list[SelfCheck]:
        found = {self_check.ENTRY_POINTS: [Entry(checks)]}
        monkeypatch.setattr(importlib.metadata, "entry_points", lambda group: found.get(group, []))
        return [ask() for ask in self_check._added()]

    assert added(lambda: (check("qt", "Qt", lambda: "6"),)) == [SelfCheck("qt", "Qt", "ok", "6")]
    assert added(broken) == [SelfCheck("window", "Window", "error", "ImportError: no Qt here")]


@pytest.mark.parametrize("arguments", [("--nonsense",), ("search",)])
def test_what_is_not_understood_is_said(arguments: tuple[str, ...]) -> None:
    with pytest.raises(SystemExit) as raised:
        main(["--self-check", *arguments])
    assert raised.value.code == 2


def test_it_asks_nothing_of_the_network(tmp_path: Path) -> None:
    script = (
        "import socket, sys\n"
        "def refuse(*a, **k): raise AssertionError('a connection')\n"
        "socket.socket.connect = refuse\n"
        "from daybank import self_check\n"
        "bad = [c for c in self_check.run(self_check.all_checks()) if 'connection' in c.found]\n"
        "sys.exit(len(bad))\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script],
        env={**os.environ, "PYTHONPATH": CORE, "QT_QPA_PLATFORM": "offscreen"},
        check=False,
    )
    assert done.returncode == 0
