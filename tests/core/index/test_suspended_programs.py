"""A program that is stopped with a lock in its hands, as by Ctrl+Z or a debugger, or a laptop that
sleeps: nobody else waits for ever or breaks the lock, and when it goes on nothing is lost."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from datetime import date
from functools import partialmethod
from pathlib import Path

import pytest
from index_tools import (
    BAKERY,
    DAY,
    assert_equals_rebuild,
    contents,
    finish,
    start_python,
    wait_for,
)

from daybank import IndexBusy, Workspace
from daybank.cli import main
from daybank.errors import NoteNotSaved, ProposalNotSaved, ReflectionBusy
from daybank.review.store import ProposalStore
from daybank.workspace import WorkspaceFolder

pytestmark = [
    pytest.mark.alone,
    pytest.mark.skipif(sys.platform == "win32", reason="no SIGSTOP there"),
]

Make = Callable[..., Workspace]
LOG = "memory/2026-11-20.md"
FILES = {
    "memory/2025-11-27.md": DAY,
    "memory/2025-11-28.md": BAKERY,
    LOG: "# 2026-11-20\n\n- Twelve loaves.\n\n## Retain\n\n- W @Jun: Bought a van.\n",
    "bank/world.md": "# World\n",
}

# Each stops itself, with SIGSTOP, once, at the worst moment, and goes on when it is let.
_STOP = """
import os, signal, sys
def stop(once=[]):
    if not once:
        once.append(True)
        os.kill(os.getpid(), signal.SIGSTOP)
"""
_IN_A_TRANSACTION = """
from daybank import open_workspace
from daybank.index import sync
real = sync._Run._insert
def insert(self, *rest):
    real(self, *rest)
    stop()
with open_workspace(sys.argv[1]) as ws:
    sync._Run._insert = insert
    ws.sync(rebuild=sys.argv[2] == "rebuild")
"""
_BEFORE_THE_LOG_IS_REPLACED = """
from datetime import date
from daybank import open_workspace
real = os.replace
def replace(source, target):
    if str(target).endswith(".md"):
        stop()
    real(source, target)
os.replace = replace
with open_workspace(sys.argv[1]) as ws:
    ws.add("W @Peter: Was asleep.", day=date(2026, 11, 20))
"""
_WHILE_REFLECTING = """
from daybank import open_workspace
from daybank.reflect import run
real = run.Reflector._phases
def phases(self, *rest):
    found = real(self, *rest)
    stop()
    return found
run.Reflector._phases = phases
with open_workspace(sys.argv[1]) as ws:
    ws.reflect()
"""
_BEFORE_A_SUGGESTION_IS_KEPT = """
from daybank import open_workspace
from daybank.review import store
real = store.ProposalStore._write
def write(self, proposal):
    stop()
    real(self, proposal)
store.ProposalStore._write = write
with open_workspace(sys.argv[1]) as ws:
    ws.reject(sys.argv[2])
"""


@pytest.fixture
def stopped() -> Iterator[Callable[..., subprocess.Popen[str]]]:
    """Starts a program and waits until it has stopped itself."""
    started: list[subprocess.Popen[str]] = []

    def start(code: str, *arguments: object) -> subprocess.Popen[str]:
        process = start_python(_STOP + code, *arguments)
        started.append(process)
        wait_for(lambda: _is_stopped(process), 60)
        return process

    yield start
    for process in started:
        if process.poll() is None:
            process.kill()
            process.communicate()


def _is_stopped(process: subprocess.Popen[str]) -> bool:
    assert process.poll() is None, process.communicate()
    shown = subprocess.run(
        ["ps", "-o", "stat=", "-p", str(process.pid)], capture_output=True, text=True, check=False
    )
    return shown.stdout.startswith("T")


def go_on(process: subprocess.Popen[str]) -> None:
    process.send_signal(signal.SIGCONT)
    finish(process)


@pytest.mark.parametrize("how", ["update", "rebuild"])
def test_while_a_reader_of_the_folder_is_suspended_search_answers_and_reading_says_who_is_at_it(
    make_workspace: Make,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    stopped: Callable[..., subprocess.Popen[str]],
    how: str,
) -> None:
    ws = make_workspace(FILES)
    (ws.path / "memory/2025-11-28.md").write_text(BAKERY.replace("seven", "nine"))
    sleeper = stopped(_IN_A_TRANSACTION, ws.path, how)
    started = time.monotonic()
    assert len(ws.recall("Marrakech").results) == 1
    assert contents(ws.recall("bakery opens"))[0] == "The bakery opens at seven."
    assert time.monotonic() - started < 2
    with pytest.raises(IndexBusy, match="Another Daybank is reading this folder"):
        ws.sync(wait=0.5)
    added = ws.add("W @Mara: Came by meanwhile.")
    assert "Came by" in (ws.path / added.source.path).read_text()
    monkeypatch.setattr("daybank.cli.opening.WAIT_SECONDS", 0.3)
    assert main(["recall", "--workspace", str(ws.path), "--words-only", "Marrakech"]) == 0
    told = capsys.readouterr()
    assert "Currently in Marrakech" in told.out
    assert "Another Daybank is reading this folder" in told.err
    ws.close()
    assert len(ws.recall("Marrakech").results) == 1, "a new connection reads as well"
    go_on(sleeper)
    ws.sync()
    assert contents(ws.recall("bakery opens"))[0] == "The bakery opens at nine."
    assert ws._index.is_sound()
    assert_equals_rebuild(ws, tmp_path / "clean", ["Marrakech", "bakery", "Mara"])


def test_while_somebody_who_writes_a_note_is_suspended_the_text_of_another_is_kept(
    make_workspace: Make,
    monkeypatch: pytest.MonkeyPatch,
    stopped: Callable[..., subprocess.Popen[str]],
) -> None:
    ws = make_workspace(FILES)
    before = (ws.path / LOG).read_bytes()
    sleeper = stopped(_BEFORE_THE_LOG_IS_REPLACED, ws.path)
    note = "W @Mara: Was awake."
    with monkeypatch.context() as patch:
        real = WorkspaceFolder.writing
        patch.setattr(WorkspaceFolder, "writing", partialmethod(real, wait_seconds=0.3))
        with pytest.raises(NoteNotSaved, match="Another Daybank is saving right now") as caught:
            ws.add(note, day=_day(LOG))
    assert caught.value.text == note
    assert (ws.path / LOG).read_bytes() == before
    ws.sync()  # and it does not take the temporary file of one that lives
    go_on(sleeper)
    ws.add(note, day=_day(LOG))
    text = (ws.path / LOG).read_text()
    assert text.endswith(
        "- W @Jun: Bought a van.\n- W @Peter: Was asleep.\n- W @Mara: Was awake.\n"
    )
    assert [p for p in ws.path.rglob("*writing*")] == []


def test_an_edit_made_while_the_writer_was_suspended_is_kept(
    make_workspace: Make, stopped: Callable[..., subprocess.Popen[str]]
) -> None:
    ws = make_workspace(FILES)
    sleeper = stopped(_BEFORE_THE_LOG_IS_REPLACED, ws.path)
    with (ws.path / LOG).open("a") as file:  # an editor, which knows nothing of locks
        file.write("- B @Mara: Typed in an editor.\n")
    go_on(sleeper)
    text = (ws.path / LOG).read_text()
    assert text.count("Was asleep.") == 1
    assert text.count("Typed in an editor.") == 1


def test_while_a_reflection_is_suspended_another_says_so_at_once_and_nothing_is_lost(
    make_workspace: Make, stopped: Callable[..., subprocess.Popen[str]]
) -> None:
    ws = make_workspace(FILES)
    sleeper = stopped(_WHILE_REFLECTING, ws.path)
    started = time.monotonic()
    with pytest.raises(ReflectionBusy, match="Another reflection is running"):
        ws.reflect()
    assert time.monotonic() - started < 3
    assert ws.proposals() == ()
    ws.add("W @Jun: Sold the van.", day=_day(LOG))
    ws.sync()
    go_on(sleeper)
    first = {p.target for p in ws.proposals()}
    assert first
    report = ws.reflect()
    assert report.new == 1, "what came meanwhile is looked at by the next"
    assert first <= {p.target for p in ws.proposals()}


def test_while_an_answer_is_suspended_another_says_who_is_saving(
    make_workspace: Make,
    monkeypatch: pytest.MonkeyPatch,
    stopped: Callable[..., subprocess.Popen[str]],
) -> None:
    ws = make_workspace(FILES)
    ws.reflect()
    pid = ws.proposals()[0].id
    sleeper = stopped(_BEFORE_A_SUGGESTION_IS_KEPT, ws.path, pid)
    assert pid in [p.id for p in ws.proposals()]
    with monkeypatch.context() as patch:
        patch.setattr("daybank.review.store._LOCK_SECONDS", 0.3)
        with pytest.raises(ProposalNotSaved, match="Another Daybank is saving right now"):
            ws.approve(pid)
    go_on(sleeper)
    assert pid not in [p.id for p in ws.proposals()]
    assert ProposalStore(ws._folder.proposals_dir()).unreadable() == ()


def _day(path: str) -> date:
    return date.fromisoformat(Path(path).stem)
