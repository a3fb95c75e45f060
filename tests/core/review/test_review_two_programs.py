"""“Approve” is pressed in two programs at the same moment: the page gets it once."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from review_tools import OPINIONS, Desk, change, open_desk

from daybank.errors import ProposalRefused
from daybank.review.proposal import Proposal, State

ROUNDS = 8
PAGE = "# Opinions\n\n" + "".join(f"- opinion {n}\n" for n in range(ROUNDS))

# Waits for an id a line, answers with what came of it; “ready” and the ids keep both in step.
_ANSWER = """
import json, sys
from daybank import open_workspace
from daybank.errors import DaybankError
verb = sys.argv[2]
with open_workspace(sys.argv[1]) as ws:
    ws.sync()
    print("ready", flush=True)
    for line in sys.stdin:
        pid = line.strip()
        try:
            done = getattr(ws, verb)(pid)
        except DaybankError as error:
            told = {"error": type(error).__name__, "said": str(error)}
        else:
            told = {"already": getattr(done, "already", False)}
        print(json.dumps(told), flush=True)
"""


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return open_desk(tmp_path / "notes", {OPINIONS: PAGE})


class Program:
    """Another Daybank at the same folder."""

    def __init__(self, desk: Desk, verb: str) -> None:
        core = str(Path(__file__).parents[3] / "core")
        self._process = subprocess.Popen(
            [sys.executable, "-c", _ANSWER, str(desk.root), verb],
            env={**os.environ, "PYTHONPATH": core},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        assert self._said() == "ready\n"

    def answer(self, pid: str) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(f"{pid}\n")
        self._process.stdin.flush()

    def told(self) -> dict[str, object]:
        told: dict[str, object] = json.loads(self._said())
        return told

    def end(self) -> None:
        assert self._process.stdin is not None
        self._process.stdin.close()
        assert self._process.wait(60) == 0
        assert self._process.stdout is not None
        self._process.stdout.close()

    def _said(self) -> str:
        assert self._process.stdout is not None
        return self._process.stdout.readline()


@pytest.fixture
def two(desk: Desk, request: pytest.FixtureRequest) -> Iterator[tuple[Program, Program]]:
    verbs = getattr(request, "param", ("approve", "approve"))
    programs = (Program(desk, verbs[0]), Program(desk, verbs[1]))
    yield programs
    for program in programs:
        program.end()


def test_one_writes_and_the_other_says_that_it_is_saved(
    desk: Desk, two: tuple[Program, Program]
) -> None:
    expected = PAGE
    for number in range(ROUNDS):
        pid = desk.suggest(
            OPINIONS,
            change(number + 3, f"- opinion {number}", f"- OPINION {number}"),
        )
        for program in two:
            program.answer(pid)
        told = [program.told() for program in two]
        assert sorted(told, key=str) == [{"already": False}, {"already": True}]
        expected = expected.replace(f"- opinion {number}\n", f"- OPINION {number}\n")
        assert desk.text_of(OPINIONS) == expected
        assert desk.store.get(pid).state is State.APPLIED
    assert [p for p in desk.root.rglob("*writing-*")] == []


def test_a_line_that_is_added_is_added_once(desk: Desk, two: tuple[Program, Program]) -> None:
    for number in range(ROUNDS):
        pid = desk.suggest(OPINIONS, change(3, None, f"- added {number}"))
        for program in two:
            program.answer(pid)
        assert sorted(bool(program.told()["already"]) for program in two) == [False, True]
        assert desk.text_of(OPINIONS).count(f"- added {number}\n") == 1


@pytest.mark.parametrize("two", [("approve", "reject")], indirect=True)
def test_yes_in_one_program_and_no_in_the_other_ends_with_one_of_them(
    desk: Desk, two: tuple[Program, Program]
) -> None:
    yes, no = two
    for number in range(ROUNDS):
        pid = desk.suggest(
            OPINIONS, change(number + 3, f"- opinion {number}", f"- OPINION {number}")
        )
        yes.answer(pid)
        no.answer(pid)
        approved, rejected = yes.told(), no.told()
        state = desk.store.get(pid).state
        written = f"- OPINION {number}\n" in desk.text_of(OPINIONS)
        assert written == (state is State.APPLIED)
        assert ("error" in approved) != ("error" in rejected), (approved, rejected)
        assert state is (State.REJECTED if "error" in approved else State.APPLIED)


def test_a_no_that_comes_while_the_page_is_written_is_told_that_it_is_saved(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    pid = desk.suggest(OPINIONS, change(3, "- opinion 0", "- OPINION 0"))
    put, said = desk.store.put, []

    def refuse() -> None:
        try:
            said.append(desk.reviewer.reject(pid))
        except ProposalRefused as error:
            said.append(error)

    # It looked before the yes had left its mark, and stores its no after that.
    real = desk.reviewer._settle_interrupted
    looked, marked = threading.Event(), threading.Event()
    no = threading.Thread(target=refuse)

    def settle(one: str) -> Proposal:
        found = real(one)
        if threading.current_thread() is no and not looked.is_set():
            looked.set()
            assert marked.wait(20)
        return found

    def mark(proposal: Proposal, **more: Any) -> None:
        put(proposal, **more)
        if proposal.applied_sha256 is not None:
            marked.set()
            time.sleep(0.2)

    monkeypatch.setattr(desk.reviewer, "_settle_interrupted", settle)
    monkeypatch.setattr(desk.store, "put", mark)
    no.start()
    assert looked.wait(20)
    assert not desk.reviewer.approve(pid).already
    no.join(20)
    assert isinstance(said[0], ProposalRefused)
    assert "saved already" in str(said[0])
    assert desk.store.get(pid).state is State.APPLIED
    assert not desk.store.is_rejected(desk.store.get(pid).hunks[0].fingerprint(OPINIONS))


def test_a_no_that_comes_between_a_yes_and_its_mark_is_not_overruled(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    pid = desk.suggest(
        OPINIONS,
        change(3, "- opinion 0", "- OPINION 0"),
        change(5, "- opinion 2", "- OPINION 2"),
    )
    keep_undo = desk.store.keep_undo

    def no_first(*copies: Any) -> None:
        if desk.store.get(pid).state is State.WAITING:
            desk.reviewer.reject(pid)
        keep_undo(*copies)

    monkeypatch.setattr(desk.store, "keep_undo", no_first)
    with pytest.raises(ProposalRefused, match="was rejected"):
        desk.reviewer.approve(pid, [0])
    assert desk.text_of(OPINIONS) == PAGE
    assert [(p.id, p.state) for p in desk.store.all()] == [(pid, State.REJECTED)]
