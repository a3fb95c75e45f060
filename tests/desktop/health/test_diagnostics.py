"""“Copy diagnostics” helps to find a fault and says nothing of anybody."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest
from health_tools import CLOCK, NOW, CheckedNotes, Desk, desk_of, run
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtGui import QGuiApplication
from pytestqt.qtbot import QtBot

from daybank.health.report import HealthCheck, HealthReport
from daybank.settings import Settings
from daybank_desktop.diagnostics import (
    LOG_LINES,
    Circumstances,
    Diagnostics,
    Private,
    kept_log,
    made_text,
    read_end,
)
from daybank_desktop.services.runs import run_line
from daybank_desktop.services.schedule import ScheduleState
from daybank_desktop.services.settings import DesktopSettings

STAMP = "2026-11-30 08:40:00,123"
NOTE = "Mara would rather pay a little more than change the delivery day"
SECRET = "hunter2-EXAMPLE"
PRIVATE = Private(("/home/ines", "/home/ines/Ines’s notes"), ("ines", "bakery-laptop"))


def _line(message: str, name: str = "daybank_desktop.tasks", level: str = "WARNING") -> str:
    return f"{STAMP} {level} {name} {message}"


def test_the_text_has_what_helps(qapp: QGuiApplication) -> None:
    text = made_text(
        Circumstances(
            NOW,
            ("screen 1366 × 768, scale 2",),
            "dark",
            150,
            DesktopSettings(plan="hours", folder="/home/ines/Ines’s notes"),
            ScheduleState(last=NOW, next=NOW + timedelta(hours=6)),
            HealthReport((HealthCheck("secrets", "warning", "No.", ("memory/a.md#L3",)),)),
        ),
        PRIVATE,
        settings=Settings(wording_model="openai:http://10.0.0.7:8080#sample"),
        runs=[run_line(run(error="“/home/ines/x” is gone."))],
        log_lines=[_line("The clock has leapt (back)")],
    )
    for wanted in (
        "Python 3.",
        "Qt 6.",
        "SQLite 3.",
        "screen 1366 × 768, scale 2",
        "theme dark, text 150 %",
        "plan: hours",
        "folder: set",
        "wording_model: openai",
        "secrets: warning, 1 places",
        "next 2026-11-30T14:40+00:00",
        "12.0 s, notes 4218, new 3, suggested 0, waiting 0, passed over 0, failed",
        f"{STAMP} WARNING daybank_desktop.tasks The clock has leapt (back)",
    ):
        assert wanted in text, wanted
    for private in (r"\bines\b", "Ines", "memory/a", r"10\.0\.0\.7", "gone"):
        assert not re.search(private, text), private


def test_of_a_traceback_only_where_and_what_kind_is_kept() -> None:
    kept = kept_log(
        [
            _line("A bug in background work", level="ERROR"),
            "Traceback (most recent call last):",
            '  File "/home/ines/app/daybank_desktop/tasks.py", line 122, in _run',
            f"    result = self._work('{NOTE}')",
            f"ValueError: {NOTE}",
            f"{NOTE}, and so on",
            "daybank.errors.SourceGone: “memory/2026-11-18.md” is gone.",
        ],
        PRIVATE,
    )
    assert kept == [
        f"{STAMP} ERROR daybank_desktop.tasks A bug in background work",
        "Traceback",
        "  tasks.py 122 _run",
        "ValueError",
    ]


def test_what_other_libraries_log_is_only_named() -> None:
    kept = kept_log([_line(NOTE, "some.library")], PRIVATE)
    assert kept == [f"{STAMP} WARNING some.library …"]


def test_the_last_lines_are_kept() -> None:
    kept = kept_log([_line(f"Line {n}") for n in range(5000)], PRIVATE)
    assert len(kept) == LOG_LINES
    assert kept[-1].endswith("Line 4999")


@pytest.mark.parametrize(
    "told",
    [
        "“Mara would rather pay” cannot be read",
        "git did not commit bank/entities/Anna Clara Maria.md: no",
        "[Errno 2] No such file or directory: '/mnt/My Disk/Anna Maria.md'",
        r"C:\Users\Maria\My notes\memory\2026-11-18.md is gone",
        r"\\server\share\Anna Maria.md",
        "~/Maria/x could not be read",
        "maria@example.org wrote",
        "https://maria.example.org/x?key=1 does not answer",
        "file:///home/maria/x",
        "10.0.0.7 does not answer",
        "Maria.md is no report",
        "password: hunter2-EXAMPLE",
    ],
)
def test_whatever_names_a_person_or_a_place_is_gone(told: str) -> None:
    (kept,) = kept_log([_line(told)], PRIVATE)
    for private in ("Mar", "mar", "Anna", "Clara", "10.0.0.7", SECRET, "Users", "share", "Disk"):
        assert private not in kept.partition("daybank_desktop.tasks")[2], kept


names = st.text("abcdefghijklmnopqrstuvwxyzäñжщ", min_size=3, max_size=12)
parts = st.text("abcdefghijklmnopqrstuvwxyzÄñ ’-_.0123456789", min_size=1, max_size=12).filter(
    lambda part: part.strip(" .") == part and part
)
paths = st.lists(parts, min_size=2, max_size=5)


@given(home=names, host=names, folder=paths, windows=st.booleans(), quote=st.sampled_from("\"'“ :"))
def test_no_path_user_or_host_survives(
    home: str, host: str, folder: list[str], windows: bool, quote: str
) -> None:
    sign = "\\" if windows else "/"
    root = f"C:{sign}Users{sign}{home}" if windows else f"/home/{home}"
    path = sign.join((root, *folder))
    private = Private((root, path), (home, host))
    lines = [
        _line(f"{path} cannot be read by {home} on {host}"),
        _line(f"Reading {quote}{path}{quote} again, {home.upper()}"),
        f'  File "{path}{sign}tasks.py", line 3, in run',
        f"OSError: {path}",
    ]
    for line in (*kept_log(lines, private), *map(private.clean, lines)):
        assert path not in line
        assert root not in line
        for name in (home, host):
            words = re.findall(r"[^\W_]+", line.replace("[name]", "").replace("[path]", ""))
            ours = re.findall(
                r"[^\W_]+", _line("cannot be read by on Reading again File run tasks py line")
            )
            assert name not in words or name in ours


secrets = st.sampled_from(
    (
        "sk-test-EXAMPLE0000000000000000",
        "ghp_EXAMPLE000000000000000000000000000000",
        "password: hunter2-EXAMPLE",
        "the db password is hunter2-EXAMPLE",
    )
)


@given(before=st.text(max_size=30), secret=secrets, after=st.text(max_size=30))
def test_no_secret_survives(before: str, secret: str, after: str) -> None:
    one_line = f"{before} {secret} {after}".replace("\n", " ").replace("\r", " ")
    kept = "\n".join(kept_log([_line(one_line), f"ValueError: {one_line}"], PRIVATE))
    assert secret.rpartition(" ")[2] not in kept


@given(text=st.text(max_size=80))
def test_cleaning_never_fails(text: str) -> None:
    assert isinstance(PRIVATE.clean(text), str)
    assert len(kept_log(text.split("\n"), PRIVATE)) <= len(text.split("\n"))


def test_the_end_of_the_log_goes_on_in_the_file_before(tmp_path: Path) -> None:
    log = tmp_path / "daybank.log"
    (tmp_path / "daybank.log.1").write_text("older\n")
    log.write_text("newer\n")
    assert read_end(log)[:2] == ["older", "newer"]
    assert read_end(tmp_path / "none.log") == [""]
    assert read_end(None) == []


# From the window


@pytest.fixture
def desk(qtbot: QtBot, tmp_path: Path) -> Iterator[Desk]:
    notes = CheckedNotes(path=tmp_path / "Ines’s secret bakery")
    with desk_of(qtbot, notes) as desk:
        yield desk


def test_copying_puts_the_text_on_the_clipboard(desk: Desk, qtbot: QtBot, tmp_path: Path) -> None:
    log = tmp_path / "daybank.log"
    log.write_text(_line(f"{desk.notes.path} is out of reach") + f"\nValueError: {NOTE}\n")
    desk.notes.runs = [run(error=f"“{NOTE}”")]
    desk.open()
    desk.health.take(HealthReport((HealthCheck("index", "ok", "Search is up to date."),)))
    desk.settle()
    made = Diagnostics(
        desk.tasks,
        desk.library,
        desk.health,
        CLOCK,
        desktop=lambda: DesktopSettings(
            folder=str(desk.notes.path),
            recent=(str(tmp_path / "Old diary"),),
            not_same=("a\tb\tc",),
        ),
        schedule=ScheduleState,
        settings=Settings,
        log_file=log,
    )
    with qtbot.waitSignal(made.copied) as copied:
        made.copy()
    text = copied.args[0]
    assert QGuiApplication.clipboard().text() == text
    for private in ("bakery", "Old diary", NOTE, str(tmp_path), Path.home().name, "Mara"):
        assert private not in text.replace("daybank-", ""), private
    assert "index: ok, 0 places" in text
    assert "recent: 1" in text
    assert "[path] is out of reach" in text
    made.deleteLater()
    assert not any(name.startswith("MainThread") for name in desk.notes.threads)


def test_without_a_folder_there_is_a_text_too(desk: Desk, qtbot: QtBot) -> None:
    made = Diagnostics(
        desk.tasks,
        desk.library,
        desk.health,
        CLOCK,
        desktop=DesktopSettings,
        schedule=ScheduleState,
        settings=Settings,
    )
    with qtbot.waitSignal(made.copied) as copied:
        made.copy()
    assert "no folder is open" in copied.args[0]
    assert "not checked yet" in copied.args[0]
    made.deleteLater()
