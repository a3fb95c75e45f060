"""One reflection after another: what is new, what waits, what is kept, and what a kill leaves."""

from __future__ import annotations

import errno
import hashlib
import json
import os
import shutil
import signal
import subprocess
import sys
import threading
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from core_tools import NOON, MakeWorkspace, retain, write_files

from daybank import FixedClock, Workspace, open_workspace
from daybank.errors import Cancelled, ProposalChanged, ProposalNotSaved, ReflectionBusy
from daybank.progress import Progress
from daybank.reflect import record as record_module
from daybank.reflect.record import Remembered, RunRecord
from daybank.reflect.run import Wanted
from daybank.review import state_files
from daybank.review import store as store_module
from daybank.review.proposal import Decision, Proposal, State

PAGE = "bank/opinions.md"
TEA = "O(c=0.6) @Mara: Prefers tea over coffee."
FOR = "W @Mara: Ordered tea again; she prefers tea over coffee."
OVER = "W @Mara: No longer prefers tea over coffee."
PLAIN = (
    "# A day\n\nMara decided on 3 May 2026 that she moves to Lisbon in June.\n\n"
    "Peter prefers concise replies, and told me so twice this week.\n"
)
KEPT = {
    "SOUL.md": "Be kind.\n",
    "USER.md": "Anna.\n",
    "memory/2026-11-20.md": PLAIN,
    "memory/2026-11-21.md": "\ufeff# 21\r\n\r\nTwenty lines of my own.\r\n",
    "logs/chat.jsonl": '{"ts":"2026-11-20T10:00:00Z","session_id":"1","direction":"in",'
    '"chat_id":1,"user_id":7,"text":"I prefer tea."}\n{"torn":',
}


def log(day: int, *bullets: str) -> dict[str, str]:
    return {f"memory/2026-11-{day:02}.md": retain(*bullets)}


def bytes_of(root: Path, *, own: bool = False) -> dict[str, bytes]:
    """Every file below ``root``; without ``own``, the person's files only."""
    return {
        place.relative_to(root).as_posix(): place.read_bytes()
        for place in sorted(root.rglob("*"))
        if place.is_file() and (own or ".memory" not in place.relative_to(root).parts)
    }


def state_of(root: Path) -> dict[str, str]:
    """A hash of each file that holds state; the index is none, and a lock's is empty."""
    return {
        path: hashlib.sha256(data).hexdigest()
        for path, data in bytes_of(root, own=True).items()
        if not path.startswith((".memory/index", ".memory/vectors")) and not path.endswith(".lock")
    }


def of_page(workspace: Workspace, path: str = PAGE) -> Proposal:
    (found,) = (p for p in workspace.proposals() if p.target == path)
    return found


def at(workspace: Workspace, **later: int) -> None:
    """Let time pass."""
    now = NOON.now() + timedelta(**later)
    workspace._clock = workspace._reflection._clock = FixedClock(now)


# -- nothing new, something new


def test_a_second_run_says_that_nothing_is_new_and_touches_no_file(
    make_workspace: MakeWorkspace,
) -> None:
    """A38."""
    workspace = make_workspace({**KEPT, **log(1, TEA), **log(2, FOR)})
    first = workspace.reflect()
    assert first.fresh
    assert not first.nothing_new
    before = state_of(workspace.path)
    second = workspace.reflect()
    assert second.nothing_new
    assert (second.new, second.logs, second.fresh) == (0, 0, ())
    after = state_of(workspace.path)
    added = after.keys() - before.keys()
    assert {path: after[path] for path in before} == before
    assert [path for path in added if "/runs/" not in path] == []


def test_a_third_run_looks_at_the_new_fact(make_workspace: MakeWorkspace) -> None:
    """A38."""
    workspace = make_workspace(log(1, TEA))
    workspace.reflect()
    workspace.approve(of_page(workspace).id)
    assert workspace.reflect().nothing_new
    write_files(workspace.path, log(2, FOR))
    report = workspace.reflect()
    assert (report.facts, report.new) == (2, 1)
    assert [item.target for item in report.fresh].count(PAGE) == 1


def test_a_reflection_leaves_the_persons_files_as_they_are(make_workspace: MakeWorkspace) -> None:
    """A35."""
    workspace = make_workspace({**KEPT, **log(1, TEA), PAGE: "# Opinions\r\n"})
    before = bytes_of(workspace.path)
    assert workspace.reflect().proposed
    assert bytes_of(workspace.path) == before


def test_where_all_is_as_it_was_a_run_does_not_look_again(make_workspace: MakeWorkspace) -> None:
    workspace = make_workspace({PAGE: "# Opinions\n", **log(1, TEA), **log(2, "O @Zed: Is tall.")})
    assert workspace.reflect().phases
    again = workspace.reflect()
    assert again.phases == ()
    assert [item.proposal for item in again.proposed].count(of_page(workspace).id) == 2
    assert again.nothing_new
    write_files(workspace.path, {PAGE: "# Mine\n"})
    assert workspace.reflect().phases
    workspace.decide(of_page(workspace).id, 0, Decision.REJECTED)
    assert workspace.reflect().phases
    assert workspace.reflect().phases == ()
    assert workspace.reflect("7d").phases
    assert workspace.reflect(dry_run=True).phases
    workspace.reflect()
    at(workspace, days=1)
    assert workspace.reflect().phases
    assert workspace.last_reflection() == NOON.now() + timedelta(days=1)


def test_every_run_leaves_a_report(make_workspace: MakeWorkspace) -> None:
    workspace = make_workspace(log(1, TEA))
    reports = [workspace.reflect(), workspace.reflect(), workspace.reflect()]
    kept = workspace.reflections()
    assert [report.id for report in kept] == [report.id for report in reversed(reports)]
    assert replace(kept[-1], phases=()) == replace(reports[0], phases=())
    assert workspace.last_reflection() == NOON.now()


def test_a_dry_run_keeps_nothing(make_workspace: MakeWorkspace) -> None:
    workspace = make_workspace({**KEPT, **log(1, TEA)})
    before = bytes_of(workspace.path, own=True)
    outcome = workspace.reflect_with_drafts(dry_run=True)
    assert outcome.drafts
    assert outcome.report.fresh
    after = bytes_of(workspace.path, own=True)
    assert {p for p in after if not p.startswith(".memory/index")} == {
        p for p in before if not p.startswith(".memory/index")
    }
    assert workspace.proposals() == ()
    assert workspace.reflections() == ()
    assert workspace.last_reflection() is None


def test_progress_names_the_parts(make_workspace: MakeWorkspace) -> None:
    workspace = make_workspace(log(1, TEA))
    seen: list[Progress] = []
    workspace.reflect(progress=seen.append)
    mine = [item for item in seen if item.stage == "reflect"]
    assert (mine[0].done, mine[-1].done) == (0, mine[-1].total)


def test_an_unknown_part_is_refused(make_workspace: MakeWorkspace) -> None:
    with pytest.raises(ValueError, match="gossip"):
        make_workspace({}).reflect(phases=["gossip"])


# -- since, phases


def test_since_looks_at_what_was_looked_at_before(make_workspace: MakeWorkspace) -> None:
    workspace = make_workspace({**log(1, TEA), **log(20, "O @Zed: Is tall.")})
    workspace.reflect()
    shutil.rmtree(workspace.path / ".memory/proposals")
    workspace._reflection = type(workspace._reflection)(
        workspace._folder, workspace._store, workspace._clock
    )
    assert workspace.reflect().fresh == ()
    report = workspace.reflect("7d")
    assert [item.reason for item in report.fresh if item.target == PAGE] == [
        "Written down on 20 Nov 2026, and on no page yet."
    ]


def test_a_run_from_a_day_on_leaves_the_older_notes_for_the_next(
    make_workspace: MakeWorkspace,
) -> None:
    workspace = make_workspace({**log(1, TEA), **log(20, "O @Zed: Is tall.")})
    workspace.reflect("7d")
    assert "tea" not in str(of_page(workspace).hunks)
    workspace.reflect()
    assert "tea" in str(of_page(workspace).hunks)
    assert "Zed" in str(of_page(workspace).hunks)


def test_a_run_of_one_part_does_not_make_the_others_forget(make_workspace: MakeWorkspace) -> None:
    workspace = make_workspace({**KEPT, **log(1, TEA)})
    workspace.reflect(phases=["retain"])
    assert [p.target for p in workspace.proposals()] == ["memory/2026-11-20.md"]
    waiting = workspace.proposals()
    workspace.reflect(phases=["opinions"])
    assert {p.target for p in workspace.proposals()} == {PAGE, waiting[0].target}
    assert workspace.last_reflection() is None
    assert workspace.reflect().new == 1


# -- logs without notes


def test_todays_log_is_left_for_tomorrow(make_workspace: MakeWorkspace) -> None:
    workspace = make_workspace({"memory/2026-11-26.md": PLAIN})
    assert workspace.reflect().logs == 0
    at(workspace, days=1)
    assert workspace.reflect().logs == 1
    assert of_page(workspace, "memory/2026-11-26.md").hunks[0].new[:2] == ("", "## Retain")


def test_the_first_run_leaves_old_logs_alone_unless_asked(make_workspace: MakeWorkspace) -> None:
    workspace = make_workspace({"memory/2026-05-03.md": PLAIN, "memory/2026-11-20.md": PLAIN})
    workspace.reflect()
    workspace.reflect()
    assert [p.target for p in workspace.proposals()] == ["memory/2026-11-20.md"]
    workspace.reflect("2026-01-01")
    assert "memory/2026-05-03.md" in {p.target for p in workspace.proposals()}


def test_a_log_is_looked_at_again_when_it_was_changed(make_workspace: MakeWorkspace) -> None:
    workspace = make_workspace({"memory/2026-11-20.md": "Nothing.\n"})
    assert workspace.reflect().logs == 1
    assert workspace.reflect().logs == 0
    write_files(workspace.path, {"memory/2026-11-20.md": PLAIN})
    report = workspace.reflect()
    assert (report.logs, len(report.fresh)) == (1, 1)


def test_notes_that_were_approved_are_facts_of_the_next_run(make_workspace: MakeWorkspace) -> None:
    workspace = make_workspace({"memory/2026-11-20.md": PLAIN})
    workspace.reflect()
    before = (workspace.path / "memory/2026-11-20.md").read_bytes()
    workspace.approve(of_page(workspace, "memory/2026-11-20.md").id)
    after = (workspace.path / "memory/2026-11-20.md").read_bytes()
    assert after.startswith(before)
    assert workspace.reflect().new == after.count(b"\n- ")


def test_rejected_notes_do_not_come_back_in_a_longer_log(make_workspace: MakeWorkspace) -> None:
    workspace = make_workspace({"memory/2026-11-20.md": PLAIN})
    workspace.reflect()
    rejected = of_page(workspace, "memory/2026-11-20.md")
    workspace.reject(rejected.id)
    grown = f"{PLAIN}\nZed decided on 4 May 2026 to buy the house in Porto.\n"
    write_files(workspace.path, {"memory/2026-11-20.md": grown})
    workspace.reflect()
    lines = [
        line
        for p in workspace.proposals()
        if p.target == rejected.target
        for h in p.hunks
        for line in h.new
        if line.startswith("- ")
    ]
    assert lines
    assert not {*lines} & {*rejected.hunks[0].new}


def test_a_log_that_ends_in_an_open_code_block_gets_no_notes(make_workspace: MakeWorkspace) -> None:
    workspace = make_workspace({"memory/2026-11-20.md": f"{PLAIN}\n```\nopen\n"})
    report = workspace.reflect(phases=["retain"])
    assert report.proposed == ()
    assert "not read as notes" in " ".join(item.reason for item in report.skipped)


# -- what waits


def test_a_waiting_suggestion_keeps_its_id_and_grows(make_workspace: MakeWorkspace) -> None:
    workspace = make_workspace(log(1, TEA))
    workspace.reflect()
    first = of_page(workspace)
    write_files(workspace.path, log(2, "O @Zed: Is tall."))
    workspace.reflect()
    second = of_page(workspace)
    assert (second.id, second.created) == (first.id, first.created)
    assert len(second.hunks) == len(first.hunks) + 1


def test_answers_and_edits_survive_while_it_waits(make_workspace: MakeWorkspace) -> None:
    workspace = make_workspace(
        {**log(1, TEA), **log(2, "O @Zed: Is tall."), **log(3, "O @Ida: Sings.")}
    )
    workspace.reflect()
    pid = of_page(workspace).id
    workspace.decide(pid, 0, Decision.ACCEPTED, ["- O(c=0.61) @Mara: Prefers tea over coffee"])
    workspace.decide(pid, 1, Decision.REJECTED)
    answered = of_page(workspace)
    write_files(workspace.path, log(4, "W @Zed: Is tall, as everybody says.", "O @Bo: Runs."))
    workspace.reflect()
    hunks = of_page(workspace).hunks
    assert {*answered.hunks} <= {*hunks}
    assert [hunk.decision for hunk in hunks].count(Decision.WAITING) == 2


def test_an_answer_is_not_overtaken_by_more_evidence(make_workspace: MakeWorkspace) -> None:
    """What was accepted stays what was accepted; the new note comes after it."""
    workspace = make_workspace(log(1, TEA))
    workspace.reflect()
    pid = of_page(workspace).id
    workspace.decide(pid, 0, Decision.ACCEPTED)
    answered = of_page(workspace)
    write_files(workspace.path, log(2, FOR))
    workspace.reflect()
    assert of_page(workspace) == answered
    workspace.apply_decided(pid)
    workspace.reflect()
    assert any("supports: 2026-11-02" in line for line in of_page(workspace).hunks[0].new)


def test_a_page_edited_while_it_waits_is_met_as_it_is_now(make_workspace: MakeWorkspace) -> None:
    workspace = make_workspace({PAGE: "# Opinions\n", **log(1, TEA)})
    workspace.reflect()
    first = of_page(workspace)
    write_files(workspace.path, {PAGE: "# My opinions\n\nWords.\n"})
    with pytest.raises(ProposalChanged):
        workspace.approve(first.id)
    write_files(workspace.path, {PAGE: "# My opinions\n\nOther words.\n"})
    workspace.reflect()
    again = of_page(workspace)
    assert again.id == first.id
    assert again.base_text == "# My opinions\n\nOther words.\n"
    workspace.approve(again.id)
    assert (workspace.path / PAGE).read_text().startswith("# My opinions\n\nOther words.\n\n- O(")


def test_a_suggestion_that_nothing_speaks_for_is_withdrawn(make_workspace: MakeWorkspace) -> None:
    workspace = make_workspace(log(1, TEA))
    workspace.reflect(phases=["opinions"])
    pid = of_page(workspace).id
    (workspace.path / "memory/2026-11-01.md").unlink()
    report = workspace.reflect()
    assert report.withdrawn == 1
    assert workspace.proposals() == ()
    assert workspace.proposal(pid).state is State.WITHDRAWN


def test_what_somebody_answers_during_a_run_is_left_to_them(
    make_workspace: MakeWorkspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    workspace = make_workspace(log(1, TEA))
    workspace.reflect()
    pid = of_page(workspace).id
    write_files(workspace.path, log(2, "O @Zed: Is tall."))
    reflector = type(workspace._reflection.reflector())
    real = reflector._store_them

    def approved_meanwhile(self: object, *rest: object) -> object:
        workspace._reflection.reviewer.approve(pid)
        return real(self, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr(reflector, "_store_them", approved_meanwhile)
    workspace.reflect()
    assert workspace.proposal(pid).state is State.APPLIED
    monkeypatch.undo()
    workspace.reflect()
    assert "Zed" in str(of_page(workspace).hunks)


# -- who runs, and when not


def test_two_runs_at_once_do_not_go(make_workspace: MakeWorkspace) -> None:
    workspace = make_workspace(log(1, TEA))
    other = open_workspace(workspace.path, clock=NOON)
    errors: list[ReflectionBusy] = []

    def during(_: Progress) -> None:
        with pytest.raises(ReflectionBusy) as caught:
            other._reflection.reflector().run(Wanted(), other._engine.names())
        errors.append(caught.value)

    workspace.reflect(phases=["opinions"], progress=lambda p: p.stage == "reflect" and during(p))
    other.close()
    assert errors
    assert "Nothing was changed" in errors[0].message


def test_a_run_that_is_stopped_keeps_what_was(make_workspace: MakeWorkspace) -> None:
    workspace = make_workspace(log(1, TEA))
    workspace.reflect()
    write_files(workspace.path, log(2, FOR))
    workspace.sync()
    before = state_of(workspace.path)
    cancel = threading.Event()

    def stop(progress: Progress) -> None:
        if progress.stage == "reflect":
            cancel.set()

    with pytest.raises(Cancelled):
        workspace.reflect(progress=stop, cancel=cancel)
    assert state_of(workspace.path) == before
    assert workspace.reflect().new == 1


def test_a_fault_is_recorded_and_raised(
    make_workspace: MakeWorkspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    workspace = make_workspace(log(1, TEA))

    def broken(*_: object) -> None:
        raise KeyError("a bug")

    with monkeypatch.context() as patch:
        patch.setattr("daybank.reflect.run.suggest_opinions", broken)
        with pytest.raises(KeyError):
            workspace.reflect()
    assert workspace.reflections()[0].error == (
        "It stopped because of a fault in Daybank (KeyError)."
    )
    assert workspace.last_reflection() is None
    assert workspace.reflect().error is None


# -- a disk that refuses


def full(place: Path, data: bytes) -> None:
    raise OSError(errno.ENOSPC, "No space left on device")


@pytest.mark.parametrize("name", ["p-", "seen.txt", "state.json", "runs/"])
def test_a_full_disk_loses_nothing(
    make_workspace: MakeWorkspace, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    workspace = make_workspace({**log(1, TEA), **log(2, FOR)})
    before = bytes_of(workspace.path)
    real = state_files.write_whole

    def write(place: Path, data: bytes) -> None:
        (full if name in place.as_posix() else real)(place, data)

    with monkeypatch.context() as patch:
        patch.setattr(record_module, "write_whole", write)
        patch.setattr(store_module, "write_whole", write)
        with pytest.raises(ProposalNotSaved) as caught:
            workspace.reflect()
    assert "No space left on device" in caught.value.message
    assert bytes_of(workspace.path) == before
    if name != "runs/":
        assert "No space left" in (workspace.reflections()[0].error or "")
    workspace.reflect()
    assert len([p for p in workspace.proposals() if p.target == PAGE]) == 1
    assert "supports" in str(of_page(workspace).hunks)


def test_a_folder_that_cannot_be_written_keeps_its_suggestions_elsewhere(
    make_workspace: MakeWorkspace, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr("daybank.workspace._make_private", _refuse)
    workspace = make_workspace(log(1, TEA))
    report = workspace.reflect()
    assert report.fresh
    assert not (workspace.path / ".memory").exists()
    assert len(workspace.proposals()) >= 1


def _refuse(_: Path) -> None:
    raise PermissionError(errno.EROFS, "Read-only file system")


def test_where_nothing_can_be_kept_a_sentence_says_so(
    make_workspace: MakeWorkspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    workspace = make_workspace(log(1, TEA))
    (workspace.path / ".memory/reflection").write_text("in the way")
    with pytest.raises(ProposalNotSaved) as caught:
        workspace.reflect()
    assert caught.value.title == "What this reflection found could not be saved."
    assert workspace.reflect(dry_run=True).fresh


# -- damage


@pytest.mark.parametrize("name", ["seen.txt", "state.json"])
@pytest.mark.parametrize("data", [b"", b"\x00\xff\xfe", b"[[[[", b'{"format": 99}', b"{}"])
def test_damaged_memory_costs_another_look_and_nothing_else(
    make_workspace: MakeWorkspace, name: str, data: bytes
) -> None:
    workspace = make_workspace({**log(1, TEA), **log(2, FOR), **log(3, "O @Zed: Is tall.")})
    workspace.reflect()
    workspace.approve(of_page(workspace).id)
    write_files(workspace.path, log(4, OVER))
    workspace.reflect()
    workspace.reject(of_page(workspace).id)
    (workspace.path / ".memory/reflection" / name).write_bytes(data)
    workspace.reflect()
    assert [p for p in workspace.proposals() if p.target == PAGE] == []
    assert workspace.reflect().nothing_new


def test_a_damaged_report_is_passed_over(make_workspace: MakeWorkspace) -> None:
    workspace = make_workspace(log(1, TEA))
    workspace.reflect()
    runs = workspace.path / ".memory/reflection/runs"
    (runs / "2026-11-27.json").write_bytes(b"{")
    (runs / "2026-11-28.json").write_text("[" * 100_000)
    (runs / "2026-11-29.json").write_text(json.dumps({"format": 1, "id": 5}))
    assert len(workspace.reflections()) == 1


def test_damaged_suggestions_are_left_and_made_anew(make_workspace: MakeWorkspace) -> None:
    workspace = make_workspace(log(1, TEA))
    workspace.reflect()
    place = workspace.path / f".memory/proposals/{of_page(workspace).id}.json"
    place.write_bytes(b"{")
    workspace.reflect("2026-11-01")
    assert of_page(workspace).id != place.stem
    assert place.read_bytes() == b"{"


def test_what_was_remembered_is_read_back(tmp_path: Path) -> None:
    record = RunRecord(tmp_path / "reflection")
    what = Remembered(
        frozenset({"f-000000000001"}), frozenset({"f-000000000002"}), {"memory/é.md": "ab"},
        NOON.now(),
    )  # fmt: skip
    record.remember(what)
    assert record.remembered() == what


def test_a_folder_that_could_not_be_read_whole_has_lost_nothing(
    make_workspace: MakeWorkspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    workspace = make_workspace({**log(1, TEA), "memory/old/2026-11-02.md": retain(FOR)})
    workspace.reflect()
    workspace.approve(of_page(workspace).id)
    workspace.reflect()
    hidden = workspace.path / "memory/old"
    real = os.scandir

    def scandir(place: object = ".") -> object:
        if str(place) == str(hidden):
            raise PermissionError(errno.EACCES, "Permission denied")
        return real(place)  # type: ignore[call-overload]

    monkeypatch.setattr(os, "scandir", scandir)
    report = workspace.reflect()
    assert report.gone == 0
    assert [p for p in workspace.proposals() if p.target == PAGE] == []


# -- killed


SCRIPT = """
import os, signal, sys
from datetime import UTC, datetime
from daybank import FixedClock, open_workspace
root, countdown = sys.argv[1], [int(sys.argv[2])]
real = os.replace
def replace(source, target):
    if ".memory" in str(target) and "index" not in str(target):
        countdown[0] -= 1
        if countdown[0] == 0:
            if sys.argv[3] == "after":
                real(source, target)
            os.kill(os.getpid(), signal.SIGKILL)
    return real(source, target)
os.replace = replace
clock = FixedClock(datetime(2026, 11, 26, 12, tzinfo=UTC))
with open_workspace(root, clock=clock) as workspace:
    workspace.reflect()
"""


def outcome(workspace: Workspace) -> object:
    """What a run comes to, but for the names that are drawn by lot."""
    folder = workspace.path / ".memory/reflection"
    return (
        [(p.target, p.hunks, p.base_sha256, p.phase, p.state) for p in workspace.proposals()],
        (folder / "seen.txt").read_bytes(),
        json.loads((folder / "state.json").read_text()),
    )


@pytest.mark.skipif(sys.platform == "win32", reason="no SIGKILL there")
@pytest.mark.parametrize("when", ["before", "after"])
@pytest.mark.parametrize("at_write", range(1, 7))
def test_a_run_that_is_killed_is_made_good_by_the_next(
    make_workspace: MakeWorkspace, at_write: int, when: str
) -> None:
    files = {**KEPT, **log(1, TEA), **log(2, FOR), **log(3, "O @Zed: Is tall."), PAGE: "# Mine\n"}
    undisturbed = make_workspace(files, name="undisturbed")
    undisturbed.reflect()
    workspace = make_workspace(files, name="killed")
    before = bytes_of(workspace.path)
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT, str(workspace.path), str(at_write), when],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        capture_output=True,
        check=False,
        timeout=60,
    )
    assert done.returncode in (-signal.SIGKILL, 0), done.stderr.decode()
    assert bytes_of(workspace.path) == before
    workspace.reflect()
    assert outcome(workspace) == outcome(undisturbed)
    left = [path for path in bytes_of(workspace.path, own=True) if "writing-" in path]
    assert left == []


def test_reports_of_the_hour_that_comes_twice_stay_apart(make_workspace: MakeWorkspace) -> None:
    workspace = make_workspace(log(1, TEA))
    ids: list[str] = []
    for moment in ("2026-10-25T02:30:00+02:00", "2026-10-25T02:30:00+01:00"):
        clock = FixedClock(datetime.fromisoformat(moment))
        workspace._clock = workspace._reflection._clock = clock
        ids.append(workspace.reflect().id)
    assert ids == sorted({*ids})
    assert [report.id for report in workspace.reflections()] == ids[::-1]
