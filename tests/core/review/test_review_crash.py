"""Whatever the disk or a kill does, a page is whole and a suggestion is applied once or waits."""

from __future__ import annotations

import contextlib
import errno
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from core_tools import NOON
from review_tools import OPINIONS, Desk, change, open_desk

from daybank import workspace as workspace_module
from daybank.errors import ProposalChanged, ProposalNotSaved, ProposalRefused
from daybank.review import state_files
from daybank.review.apply import Reviewer
from daybank.review.proposal import Decision, State
from daybank.review.store import ProposalStore

PAGE = "# Opinions\r\n\r\n" + "".join(f"- opinion {n}\r\n" for n in range(1, 9))
AFTER = PAGE.replace("- opinion 1", "- ONE")
BOTH = AFTER.replace("- opinion 3", "- THREE")


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return open_desk(tmp_path / "notes", {OPINIONS: PAGE})


def suggestion(desk: Desk) -> str:
    return desk.suggest(
        OPINIONS, change(3, "- opinion 1", "- ONE"), change(5, "- opinion 3", "- THREE")
    )


def restarted(desk: Desk) -> Reviewer:
    """The reviewer of the next start, which has looked after what was left."""
    folder = workspace_module.WorkspaceFolder.open_folder(desk.root)
    reviewer = Reviewer(folder, ProposalStore(folder.proposals_dir()), NOON)
    folder.clear_leftovers(folder.inventory().leftovers)
    reviewer.recover()
    return reviewer


def nothing_is_left(desk: Desk) -> bool:
    return not [p for p in desk.root.rglob("*") if "writing-" in p.name]


# -- a disk that refuses


class _Refusing:
    """An open file that takes half of what is written, with or without saying so."""

    def __init__(self, file: object, *, silent: bool) -> None:
        self.file = file
        self.silent = silent

    def __enter__(self) -> _Refusing:
        return self

    def __exit__(self, *rest: object) -> None:
        self.file.close()  # type: ignore[attr-defined]

    def __getattr__(self, name: str) -> object:
        return getattr(self.file, name)

    def write(self, data: bytes) -> int:
        self.file.write(data[: len(data) // 2])  # type: ignore[attr-defined]
        if not self.silent:
            raise OSError(errno.ENOSPC, "No space left on device")
        return len(data) // 2


def _refuse(patch: pytest.MonkeyPatch, module: object, *, silent: bool) -> None:
    real = open

    def fake(place: object, mode: str = "r", *rest: object, **more: object) -> object:
        file = real(place, mode, *rest, **more)  # type: ignore[call-overload]
        return _Refusing(file, silent=silent) if ".tmp" in str(place) else file

    patch.setattr(module, "open", fake, raising=False)


def _page_full(patch: pytest.MonkeyPatch) -> None:
    _refuse(patch, workspace_module, silent=False)


def _page_short(patch: pytest.MonkeyPatch) -> None:
    _refuse(patch, workspace_module, silent=True)


def _state_full(patch: pytest.MonkeyPatch) -> None:
    _refuse(patch, state_files, silent=False)


def _state_short(patch: pytest.MonkeyPatch) -> None:
    _refuse(patch, state_files, silent=True)


def _no_replace(patch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise OSError(errno.EIO, "Input/output error")

    patch.setattr(os, "replace", fail)


def _no_replace_of_the_page(patch: pytest.MonkeyPatch) -> None:
    real = os.replace

    def fail(source: object, target: object) -> None:
        if str(target).endswith(".md"):
            raise OSError(errno.EIO, "Input/output error")
        real(source, target)  # type: ignore[arg-type]

    patch.setattr(os, "replace", fail)


def _no_fsync(patch: pytest.MonkeyPatch) -> None:
    def fail(_: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    patch.setattr(os, "fsync", fail)


TROUBLES = [
    _page_full,
    _page_short,
    _state_full,
    _state_short,
    _no_replace,
    _no_replace_of_the_page,
    _no_fsync,
]


@pytest.mark.parametrize("trouble", TROUBLES, ids=lambda f: f.__name__.strip("_"))
def test_when_the_disk_refuses_page_and_suggestion_are_as_they_were(
    desk: Desk, monkeypatch: pytest.MonkeyPatch, trouble: Callable[[pytest.MonkeyPatch], None]
) -> None:
    pid = suggestion(desk)
    before = desk.store.get(pid)
    with monkeypatch.context() as patch:
        trouble(patch)
        with pytest.raises(ProposalNotSaved):
            desk.reviewer.approve(pid, [0])
    assert desk.bytes_of(OPINIONS) == PAGE.encode()
    assert nothing_is_left(desk)
    assert desk.store.all() == (before,)
    reviewer = restarted(desk)
    assert reviewer.store.all() == (before,)
    reviewer.approve(pid, [0])
    assert desk.bytes_of(OPINIONS) == AFTER.encode()


@pytest.mark.parametrize("trouble", TROUBLES, ids=lambda f: f.__name__.strip("_"))
def test_when_the_disk_refuses_to_take_back_it_can_be_tried_again(
    desk: Desk, monkeypatch: pytest.MonkeyPatch, trouble: Callable[[pytest.MonkeyPatch], None]
) -> None:
    pid = suggestion(desk)
    desk.reviewer.approve(pid, [0])
    with monkeypatch.context() as patch:
        trouble(patch)
        with pytest.raises(ProposalNotSaved):
            desk.reviewer.undo(pid)
    assert desk.bytes_of(OPINIONS) in (AFTER.encode(), PAGE.encode())
    assert nothing_is_left(desk)
    restarted(desk).undo(pid)
    assert desk.bytes_of(OPINIONS) == PAGE.encode()


def test_a_page_that_was_saved_counts_as_saved_though_that_could_not_be_noted(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    pid = suggestion(desk)
    real = os.replace
    full: list[bool] = []

    def replace(source: object, target: object) -> None:
        if full:
            raise OSError(errno.ENOSPC, "No space left on device")
        real(source, target)  # type: ignore[arg-type]
        if str(target).endswith(".md"):
            full.append(True)

    with monkeypatch.context() as patch:
        patch.setattr(os, "replace", replace)
        assert desk.reviewer.approve(pid, [0]).proposal.state is State.APPLIED
    assert desk.bytes_of(OPINIONS) == AFTER.encode()
    assert restarted(desk).store.get(pid).state is State.APPLIED


class _Killed(BaseException):
    """Nobody may go on after it."""


@pytest.mark.parametrize("at", range(8))
def test_a_kill_at_any_replacement_of_a_file_keeps_every_change_waiting_or_saved(
    desk: Desk, monkeypatch: pytest.MonkeyPatch, at: int
) -> None:
    pid = suggestion(desk)
    real, done = os.replace, []

    def replace(source: object, target: object) -> None:
        done.append(target)
        if len(done) > at:
            raise _Killed
        real(source, target)  # type: ignore[arg-type]

    with monkeypatch.context() as patch, contextlib.suppress(_Killed):
        patch.setattr(os, "replace", replace)
        desk.reviewer.approve(pid, [0])
    store = restarted(desk).store
    waiting = {hunk.new for p in store.waiting() for hunk in p.hunks}
    assert ("- THREE",) in waiting
    assert (("- ONE",) in waiting) == (desk.bytes_of(OPINIONS) == PAGE.encode())


# -- a kill

DIE = """
import os, sys
from datetime import UTC, datetime
from daybank import workspace
from daybank.clock import FixedClock
from daybank.review import apply, store
from daybank.review.apply import Reviewer
from daybank.review.store import ProposalStore

def die(*_, **__):
    os.kill(os.getpid(), 9)

real = os.replace

def before_the_page(source, target):
    die() if str(target).endswith(".md") else real(source, target)

def after_the_page(source, target):
    real(source, target)
    if str(target).endswith(".md"):
        die()

root, pid, point, verb = sys.argv[1:]
folder = workspace.WorkspaceFolder.open_folder(root)
clock = FixedClock(datetime(2026, 11, 26, tzinfo=UTC))
reviewer = Reviewer(folder, ProposalStore(folder.proposals_dir()), clock)
put = reviewer.store.put

def before_the_mark(proposal, **more):
    die() if proposal.id == pid else put(proposal, **more)

if point == "before the rest":
    reviewer.store.put = die
elif point == "before the mark":
    reviewer.store.put = before_the_mark
elif point == "in the mark":
    os.replace = lambda source, target: die() if pid in str(target) else real(source, target)
elif point == "before the page":
    os.replace = before_the_page
elif point == "after the page":
    os.replace = after_the_page
elif point == "before the note":
    reviewer._settle_applied = die
elif point == "before the rest is moved":
    reviewer._rest_moved = die
if verb == "undo":
    reviewer.undo(pid)
else:
    reviewer.approve(pid, [0])
"""
NOT_WRITTEN = ["before the rest", "before the mark", "in the mark", "before the page"]
WRITTEN = ["after the page", "before the note"]


def die(desk: Desk, pid: str, point: str, verb: str = "approve") -> None:
    """Let another program answer the suggestion and be killed at ``point``."""
    core = str(Path(__file__).parents[3] / "core")
    done = subprocess.run(
        [sys.executable, "-c", DIE, str(desk.root), pid, point, verb],
        env={**os.environ, "PYTHONPATH": core},
        check=False,
        timeout=60,
    )
    assert done.returncode == -signal.SIGKILL


@pytest.mark.parametrize("point", NOT_WRITTEN)
def test_a_kill_before_the_page_is_replaced_leaves_everything_waiting(
    desk: Desk, point: str
) -> None:
    pid = suggestion(desk)
    die(desk, pid, point)
    assert desk.bytes_of(OPINIONS) == PAGE.encode()
    reviewer = restarted(desk)
    assert nothing_is_left(desk)
    found = reviewer.store.get(pid)
    assert found.state is State.WAITING
    assert found.applied_sha256 is None
    waiting = reviewer.store.waiting()
    assert {h.new for p in waiting for h in p.hunks} == {("- ONE",), ("- THREE",)}
    assert {h.decision for p in waiting for h in p.hunks} == {Decision.WAITING}
    for one in (pid, *(p.id for p in waiting if p.id != pid)):
        approve_afresh(reviewer, one)
    assert desk.bytes_of(OPINIONS) == BOTH.encode()


def approve_afresh(reviewer: Reviewer, pid: str) -> None:
    """Approve, and say yes once more where the page has changed since."""
    try:
        reviewer.approve(pid)
    except ProposalChanged:
        reviewer.approve(pid)


@pytest.mark.parametrize("point", ["after the page", "before the note", "before the rest is moved"])
def test_after_a_kill_what_was_not_chosen_waits_and_can_be_saved(desk: Desk, point: str) -> None:
    die(desk, suggestion(desk), point)
    (rest,) = restarted(desk).store.waiting()
    assert [h.new for h in rest.hunks] == [("- THREE",)]
    approve_afresh(desk.reviewer, rest.id)
    assert desk.bytes_of(OPINIONS) == BOTH.encode()


@pytest.mark.parametrize("point", WRITTEN)
def test_a_kill_after_the_page_is_replaced_is_recognised_at_the_next_start(
    desk: Desk, point: str
) -> None:
    pid = suggestion(desk)
    die(desk, pid, point)
    assert desk.bytes_of(OPINIONS) == AFTER.encode()
    assert desk.store.get(pid).state is State.WAITING
    reviewer = restarted(desk)
    found = reviewer.store.get(pid)
    assert found.state is State.APPLIED
    assert [h.decision for h in found.hunks] == [Decision.ACCEPTED]
    assert reviewer.approve(pid).already
    assert desk.bytes_of(OPINIONS) == AFTER.encode()
    reviewer.undo(pid)
    assert desk.bytes_of(OPINIONS) == PAGE.encode()


@pytest.mark.parametrize("point", WRITTEN)
def test_a_kill_after_the_page_is_replaced_is_recognised_by_the_next_approval(
    desk: Desk, point: str
) -> None:
    pid = suggestion(desk)
    die(desk, pid, point)
    assert desk.reviewer.approve(pid).already
    assert desk.bytes_of(OPINIONS) == AFTER.encode()
    assert desk.store.get(pid).state is State.APPLIED


def test_a_page_that_was_edited_after_the_kill_still_counts_as_saved(desk: Desk) -> None:
    pid = suggestion(desk)
    die(desk, pid, "after the page")
    desk.write(OPINIONS, "Intro.\r\n" + AFTER)
    reviewer = restarted(desk)
    assert reviewer.store.get(pid).state is State.APPLIED
    reviewer.undo(pid)
    assert desk.bytes_of(OPINIONS) == ("Intro.\r\n" + PAGE).encode()


def test_a_page_that_was_edited_after_a_kill_before_it_was_written_waits(desk: Desk) -> None:
    pid = suggestion(desk)
    die(desk, pid, "before the page")
    desk.write(OPINIONS, "Intro.\r\n" + PAGE)
    assert restarted(desk).store.get(pid).state is State.WAITING
    assert desk.bytes_of(OPINIONS) == ("Intro.\r\n" + PAGE).encode()


def test_rejecting_after_such_a_kill_says_that_it_is_saved(desk: Desk) -> None:
    pid = suggestion(desk)
    die(desk, pid, "after the page")
    with pytest.raises(ProposalRefused, match="saved already"):
        desk.reviewer.reject(pid)
    assert desk.store.get(pid).state is State.APPLIED


@pytest.mark.parametrize("point", ["before the page", "after the page"])
def test_a_kill_while_taking_back_leaves_a_whole_page_and_can_go_on(desk: Desk, point: str) -> None:
    pid = suggestion(desk)
    desk.reviewer.approve(pid, [0])
    die(desk, pid, point, verb="undo")
    assert desk.bytes_of(OPINIONS) == (AFTER if point.startswith("before") else PAGE).encode()
    reviewer = restarted(desk)
    assert reviewer.undo(pid).proposal.state is State.UNDONE
    assert desk.bytes_of(OPINIONS) == PAGE.encode()
    assert nothing_is_left(desk)


def test_taking_back_goes_on_after_a_kill_beside_an_equal_line(desk: Desk) -> None:
    pid = desk.suggest(OPINIONS, change(4, None, "- opinion 1"))
    desk.reviewer.approve(pid)
    die(desk, pid, "after the page", verb="undo")
    restarted(desk).undo(pid)
    assert desk.bytes_of(OPINIONS) == PAGE.encode()
