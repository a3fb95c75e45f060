"""Leaving when it is asked from outside: signals to real processes, the session's end, Quit."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, QObject
from PySide6.QtGui import QSessionManager
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

import daybank
import daybank_desktop
from daybank_desktop.leaving import WITHIN, Leaving, Reason

SMALL = Path(__file__).with_name("small_leaver.py")
on_unix = pytest.mark.skipif(sys.platform == "win32", reason="signals of Unix")


class Running:
    def __init__(self, how: str, folder: Path, *before: str) -> None:
        packages = [Path(p.__file__ or "").parents[1] for p in (daybank, daybank_desktop)]
        self.process = subprocess.Popen(
            [*before, sys.executable, SMALL, how, folder],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            env={
                **os.environ,
                "PYTHONPATH": os.pathsep.join(map(str, packages)),
                "QT_QPA_PLATFORM": "offscreen",
            },
        )
        assert self.process.stdout is not None
        assert self.process.stdout.readline() == "ready\n"

    def leaves(self, number: signal.Signals, within: float) -> list[str]:
        """What it says after ``number``, having ended in time."""
        began = time.monotonic()
        self.process.send_signal(number)
        said, _ = self.process.communicate(timeout=30)
        took = time.monotonic() - began
        assert took < within, f"took {took:.1f} s"
        return said.split("\n")[:-1]


# A busy computer takes its time to end a process; what Daybank itself waits is in WITHIN.
SLACK = 3.0


@on_unix
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_a_signal_ends_it_in_order(tmp_path: Path, number: signal.Signals) -> None:
    running = Running("idle", tmp_path)
    assert running.leaves(number, WITHIN + SLACK) == ["signal", "out"]
    assert running.process.returncode == 0


@on_unix
@pytest.mark.parametrize("how", ["worker", "modal"])
def test_neither_a_stuck_worker_nor_an_open_question_keeps_it(tmp_path: Path, how: str) -> None:
    running = Running(how, tmp_path)
    assert running.leaves(signal.SIGTERM, WITHIN + SLACK) == ["signal", "out"]
    assert running.process.returncode == 0


@on_unix
def test_a_window_that_hangs_is_ended_by_the_last_resort(tmp_path: Path) -> None:
    running = Running("busy", tmp_path)
    assert running.leaves(signal.SIGTERM, WITHIN + SLACK) == []
    assert running.process.returncode == 1


@on_unix
def test_what_is_half_written_is_kept_and_nobody_is_asked(tmp_path: Path) -> None:
    running = Running("writing", tmp_path)
    assert running.leaves(signal.SIGTERM, WITHIN + SLACK) == ["signal", "out"]
    draft = json.loads((tmp_path / "key.json").read_text())
    assert draft["text"] == "Half a sent"


@on_unix
def test_a_terminal_that_closes_does_not_end_what_was_started_to_outlive_it(
    tmp_path: Path,
) -> None:
    running = Running("idle", tmp_path, "nohup")
    running.process.send_signal(signal.SIGHUP)
    time.sleep(0.5)
    assert running.process.poll() is None
    assert running.leaves(signal.SIGTERM, WITHIN + SLACK) == ["signal", "out"]


def test_quit_is_heard_before_a_window_that_hides_in_the_tray_is_asked(tmp_path: Path) -> None:
    running = Running("tray", tmp_path)
    said, _ = running.process.communicate(timeout=30)
    assert said == "quit\nwindow closes\nout\n"
    assert running.process.returncode == 0


# In this process


class Session:
    """What is used of QSessionManager, which cannot be made by hand."""

    def __init__(self) -> None:
        self.hints: list[QSessionManager.RestartHint] = []
        self.asked = False

    def setRestartHint(self, hint: QSessionManager.RestartHint) -> None:
        self.hints.append(hint)

    def allowsInteraction(self) -> bool:
        self.asked = True
        return True

    allowsErrorInteraction = allowsInteraction


class Heard:
    def __init__(self, leaving: Leaving) -> None:
        self.words: list[str] = []
        leaving.saving.connect(lambda: self.words.append("saving"))
        leaving.asked.connect(self.words.append)


@pytest.fixture
def clock() -> list[float]:
    """What the last resort was set to."""
    return []


@pytest.fixture
def leaving(qapp: QApplication, clock: list[float]) -> Iterator[Leaving]:
    leaving = Leaving(qapp, last_resort=clock.append, watch_quit=False)
    yield leaving
    leaving.close()
    qapp.commitDataRequest.disconnect(leaving._on_session)
    qapp.aboutToQuit.disconnect(leaving._on_quitting)


def test_a_log_out_saves_first_and_leaves_when_it_comes_to_it(
    leaving: Leaving, clock: list[float], qapp: QApplication
) -> None:
    heard, session = Heard(leaving), Session()
    leaving._on_session(session)  # type: ignore[arg-type]
    assert heard.words == ["saving"]
    assert not leaving.is_leaving
    assert not session.asked
    assert session.hints == [QSessionManager.RestartHint.RestartNever]
    leaving._on_session(session)  # type: ignore[arg-type]  # the log-out before was called off
    assert heard.words == ["saving", "saving"]
    assert clock == []
    leaving.eventFilter(QObject(), QEvent(QEvent.Type.Quit))  # not to the application
    assert heard.words == ["saving", "saving"]
    leaving.eventFilter(qapp, QEvent(QEvent.Type.Quit))
    assert heard.words == ["saving", "saving", "log out"]
    assert clock == [WITHIN]


def test_windows_ends_the_session_without_another_word(leaving: Leaving) -> None:
    heard = Heard(leaving)
    leaving._on_session(Session())  # type: ignore[arg-type]
    leaving._on_quitting()
    assert heard.words == ["saving", "log out"]


def test_a_person_who_quits_may_be_asked_something(
    qapp: QApplication, leaving: Leaving, clock: list[float]
) -> None:
    heard = Heard(leaving)
    assert not leaving.eventFilter(qapp, QEvent(QEvent.Type.Quit))
    assert heard.words == ["quit"]
    assert clock == []


def test_it_is_asked_once(leaving: Leaving, clock: list[float]) -> None:
    heard = Heard(leaving)
    leaving.ask(Reason.SIGNAL)
    leaving.ask(Reason.LOG_OUT)
    leaving._on_quitting()
    assert heard.words == ["signal"]
    assert clock == [WITHIN]


@on_unix
def test_afterwards_the_signals_are_as_they_were(qapp: QApplication, qtbot: QtBot) -> None:
    before = [signal.getsignal(n) for n in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)]
    clock: list[float] = []
    leaving = Leaving(qapp, last_resort=clock.append, watch_quit=False)
    leaving.watch_signals()
    leaving.watch_signals()
    with qtbot.waitSignal(leaving.asked) as asked:
        os.kill(os.getpid(), signal.SIGTERM)
    assert asked.args == ["signal"]
    assert clock == [WITHIN]
    leaving.close()
    assert [signal.getsignal(n) for n in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)] == before
    assert signal.set_wakeup_fd(-1) == -1
    qapp.commitDataRequest.disconnect(leaving._on_session)
    qapp.aboutToQuit.disconnect(leaving._on_quitting)
