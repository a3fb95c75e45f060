"""The schedule over an open folder: what begins, what is told, what is kept for the next start."""

from __future__ import annotations

import json
import shutil
import threading
from collections.abc import Iterator
from datetime import UTC, datetime, time, timedelta
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from pytestqt.qtbot import QtBot
from schedule_tools import Desk, ScheduledNotes, World

from daybank import open_workspace
from daybank.errors import Cancelled, ReflectionBusy, WorkspaceUnreadable
from daybank.health.report import HealthCheck
from daybank_desktop.resources import resource_path
from daybank_desktop.scheduling.policy import Plan, PlanKind, WhyNot
from daybank_desktop.scheduling.rhythm import Job
from daybank_desktop.services.schedule import FindingKind
from daybank_desktop.tasks import Tasks

BERLIN = ZoneInfo("Europe/Berlin")
EVENING = datetime(2026, 11, 27, 22, 0, tzinfo=BERLIN)
NIGHT = datetime(2026, 11, 28, 3, 0, tzinfo=BERLIN)


@pytest.fixture
def world(qtbot: QtBot) -> World:
    return World(EVENING, BERLIN)


@pytest.fixture
def notes(world: World) -> ScheduledNotes:
    return ScheduledNotes(clock=world, last=datetime(2026, 11, 27, 3, 0, tzinfo=BERLIN))


@pytest.fixture
def desk(world: World, notes: ScheduledNotes, tmp_path: Path) -> Desk:
    return Desk(world, notes, tmp_path).open()


def until(desk: Desk, moment: datetime) -> None:
    """Time passes, with a beat each minute, up to and with ``moment``."""
    while desk.world.now() < moment:
        desk.wait(1)


# By itself


def test_the_folder_reflects_in_the_night_and_the_state_says_so(
    desk: Desk, notes: ScheduledNotes
) -> None:
    desk.beat()
    assert desk.state.last == datetime(2026, 11, 27, 3, 0, tzinfo=BERLIN)
    assert desk.state.next == NIGHT
    assert desk.state.why_not is WhyNot.NOT_YET
    until(desk, NIGHT + timedelta(hours=2))
    assert notes.runs == [(NIGHT, ())]
    assert desk.jobs.count(Job.REFLECTION) == 1
    assert desk.state.last == NIGHT
    assert desk.state.next == NIGHT + timedelta(days=1)
    assert any(state.running for state in desk.states)


def test_before_the_first_beat_nothing_happens(desk: Desk, notes: ScheduledNotes) -> None:
    desk.schedule.resume()
    assert notes.runs == []
    assert desk.state.why_not is WhyNot.NO_FOLDER


def test_what_another_program_did_meanwhile_counts(desk: Desk, notes: ScheduledNotes) -> None:
    desk.beat()
    notes.last = datetime(2026, 11, 28, 3, 0, 10, tzinfo=BERLIN)  # by the command line
    desk.world.forward(NIGHT - EVENING + timedelta(minutes=1))
    desk.wait(5)
    assert notes.runs == []
    assert desk.state.last == notes.last


def test_a_missed_night_is_caught_up_with_after_waking_and_the_next_one_stays(
    desk: Desk, notes: ScheduledNotes
) -> None:
    desk.beat()
    desk.world.forward(timedelta(hours=10), asleep=True)
    desk.beat()
    assert desk.state.why_not is WhyNot.NOT_QUIET
    assert desk.state.next is None
    desk.wait(2)
    assert len(notes.runs) == 1
    assert desk.state.next == NIGHT + timedelta(days=1)


def test_somebody_who_types_is_left_in_peace_for_an_hour(desk: Desk, notes: ScheduledNotes) -> None:
    until(desk, NIGHT - timedelta(minutes=1))
    for _ in range(60):
        desk.activity.note()
        desk.wait(1)
    assert notes.runs == []
    desk.activity.note()
    desk.wait(1)
    assert len(notes.runs) == 1


def test_on_battery_it_waits_for_the_plug(desk: Desk, notes: ScheduledNotes) -> None:
    desk.world.on_battery = True
    until(desk, NIGHT + timedelta(hours=3))
    assert notes.runs == []
    assert desk.state.why_not is WhyNot.ON_BATTERY
    desk.world.on_battery = False
    desk.wait(1)
    assert len(notes.runs) == 1


def test_paused_nothing_begins_until_it_is_over(desk: Desk, notes: ScheduledNotes) -> None:
    desk.beat()
    desk.schedule.pause_until_tomorrow()
    assert desk.state.is_paused
    morning = datetime(2026, 11, 28, 8, 0, tzinfo=BERLIN)
    assert desk.state.paused_until == morning
    assert desk.state.next == morning
    until(desk, morning - timedelta(minutes=1))
    assert notes.runs == []
    desk.wait(1)
    assert len(notes.runs) == 1
    assert not desk.state.is_paused


def test_a_pause_without_an_end_outlives_a_restart(
    desk: Desk, notes: ScheduledNotes, world: World, tmp_path: Path
) -> None:
    desk.beat()
    desk.schedule.pause()
    desk.quit()
    world.forward(timedelta(days=3))
    again = Desk(world, notes, tmp_path).open()
    again.wait(10)
    assert again.state.is_paused
    assert again.state.paused_until is None
    assert notes.runs == []
    again.schedule.resume()
    assert len(notes.runs) == 1


def test_by_hand_it_runs_also_when_paused_and_without_a_plan(
    desk: Desk, notes: ScheduledNotes
) -> None:
    desk.beat()
    desk.schedule.set_plan(Plan(kind=PlanKind.MANUAL))
    desk.schedule.pause(4)
    desk.schedule.run_now()
    assert len(notes.runs) == 1
    assert desk.state.last == EVENING
    until(desk, NIGHT + timedelta(hours=2))
    assert len(notes.runs) == 1


def test_another_time_counts_for_today_still(desk: Desk, notes: ScheduledNotes) -> None:
    until(desk, NIGHT + timedelta(minutes=5))
    desk.schedule.set_plan(Plan(at=time(18, 0)))
    assert desk.state.next == NIGHT.replace(hour=18)
    assert desk.schedule.plan.at == time(18, 0)


# When it does not end well


def test_a_run_that_fails_is_tried_again_after_ten_minutes_then_after_twenty(
    desk: Desk, notes: ScheduledNotes
) -> None:
    notes.reflect_error = WorkspaceUnreadable("The folder cannot be read.")
    until(desk, NIGHT + timedelta(minutes=29))
    assert [started - NIGHT for started, _ in notes.runs] == [
        timedelta(0),
        timedelta(minutes=10),
    ]
    assert desk.state.why_not is WhyNot.AFTER_FAILURE
    assert desk.state.next == NIGHT + timedelta(minutes=30)
    notes.reflect_error = None
    until(desk, NIGHT + timedelta(hours=5))
    assert len(notes.runs) == 3
    assert desk.state.why_not is WhyNot.NOT_YET


def test_where_another_reflection_runs_it_looks_again_and_finds_it_done(
    desk: Desk, notes: ScheduledNotes
) -> None:
    notes.reflect_error = ReflectionBusy("Another reflection is running.")
    until(desk, NIGHT)
    notes.last = NIGHT + timedelta(seconds=30)
    until(desk, NIGHT + timedelta(hours=1))
    assert len(notes.runs) == 1
    assert desk.state.why_not is WhyNot.NOT_YET


def test_another_reflection_that_goes_on_is_no_failure_of_ours(
    desk: Desk, notes: ScheduledNotes
) -> None:
    notes.reflect_error = ReflectionBusy("Another reflection is running.")
    until(desk, NIGHT + timedelta(minutes=45))
    waits = [started - NIGHT for started, _ in notes.runs]
    assert waits == [timedelta(minutes=minutes) for minutes in (0, 10, 20, 30, 40)]


def test_a_run_that_took_the_program_down_is_not_begun_again_at_once(
    desk: Desk, notes: ScheduledNotes, world: World, tmp_path: Path
) -> None:
    class Down(BaseException):
        """The process dies."""

    def die(cancel: object) -> None:
        raise Down

    notes.during = die
    with pytest.raises(Down):
        until(desk, NIGHT)
    notes.during = None
    again = Desk(world, notes, tmp_path).open()
    again.wait(9)
    assert len(notes.runs) == 1
    assert again.state.why_not is WhyNot.AFTER_FAILURE
    again.wait(1)
    assert len(notes.runs) == 2


def test_what_the_person_stops_waits_for_the_next_night(desk: Desk, notes: ScheduledNotes) -> None:
    notes.reflect_error = Cancelled()
    until(desk, NIGHT + timedelta(hours=5))
    assert len(notes.runs) == 1
    assert desk.state.next == NIGHT + timedelta(days=1)


def test_a_mark_from_tomorrow_does_not_keep_it_from_running(
    desk: Desk, notes: ScheduledNotes
) -> None:
    notes.last = EVENING + timedelta(days=1)
    until(desk, NIGHT + timedelta(hours=1))
    assert [started for started, _ in notes.runs] == [NIGHT]
    until(desk, NIGHT + timedelta(hours=22))
    assert len(notes.runs) == 1


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "[]",
        '{"pause": 3, "folders": {"/notes": 7}}',
        '{"pause": {"begun": "yesterday"}, "folders": {"/notes": {"failures": -4, "told": "x"}}}',
        '{"pause": {"begun": "2026-11-01T09:00:00", "until": "2027-11-01T09:00:00"}}',
    ],
)
def test_a_broken_memory_keeps_nothing_from_running(
    world: World, notes: ScheduledNotes, tmp_path: Path, text: str
) -> None:
    (tmp_path / "schedule.json").write_text(text, "utf-8")
    desk = Desk(world, notes, tmp_path).open()
    until(desk, NIGHT)
    assert len(notes.runs) == 1
    assert "/notes" in json.loads((tmp_path / "schedule.json").read_text("utf-8"))["folders"]


def test_where_nothing_can_be_saved_it_runs_once_a_day_all_the_same(
    world: World, notes: ScheduledNotes, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "config").write_text("a file where the folder should be")
    desk = Desk(world, notes, tmp_path / "config").open()
    until(desk, NIGHT + timedelta(days=1, hours=1))
    assert [started for started, _ in notes.runs] == [NIGHT, NIGHT + timedelta(days=1)]
    assert "could not be saved" in caplog.text


# The small jobs


def test_the_notes_are_read_again_every_half_hour(desk: Desk, notes: ScheduledNotes) -> None:
    desk.wait(91)
    assert desk.jobs.count(Job.RECONCILE) == 3


def test_after_sleep_each_small_job_runs_once(desk: Desk) -> None:
    desk.wait(1)
    desk.jobs.clear()
    desk.world.forward(timedelta(days=2), asleep=True)
    desk.beat()
    assert sorted(map(str, desk.jobs)) == ["health", "quick look", "reconcile"]
    desk.jobs.clear()
    desk.wait(1)
    assert Job.RECONCILE not in desk.jobs
    assert Job.HEALTH not in desk.jobs


def test_new_suggestions_are_told_of_once_and_with_the_reason(
    desk: Desk, notes: ScheduledNotes
) -> None:
    notes.waiting = {"p-1": "memory.md", "p-2": "bank/entities/Mara.md"}
    desk.wait(60)
    (finding,) = desk.findings
    assert finding.kind is FindingKind.SUGGESTIONS
    assert finding.count == 2
    assert finding.names == ("memory.md", "bank/entities/Mara.md")
    assert "2 suggestion" in finding.reason
    notes.waiting = {"p-2": "bank/entities/Mara.md", "p-3": "memory.md"}
    desk.wait(60)
    assert [found.names for found in desk.findings[1:]] == [("memory.md",)]


def test_what_the_person_let_it_find_is_not_told_as_news(desk: Desk, notes: ScheduledNotes) -> None:
    desk.beat()
    notes.proposed = ("p-1",)
    desk.schedule.run_now()
    notes.waiting = {"p-1": "memory.md"}
    desk.wait(30)
    assert desk.findings == []


def test_told_once_it_is_not_told_again_after_a_restart(
    desk: Desk, notes: ScheduledNotes, world: World, tmp_path: Path
) -> None:
    notes.waiting = {"p-1": "memory.md"}
    desk.wait(10)
    assert len(desk.findings) == 1
    desk.quit()
    again = Desk(world, notes, tmp_path).open()
    again.wait(60)
    assert again.findings == []


def test_quick_looks_come_rarer_while_there_is_nothing_and_rarer_still_after_errors(
    desk: Desk, notes: ScheduledNotes
) -> None:
    desk.wait(8 * 60)
    quiet_looks = desk.jobs.count(Job.QUICK_LOOK)
    assert 8 <= quiet_looks <= 16
    assert desk.schedule._open.rhythm.quick.seconds == 3600
    notes.waiting = {"p-1": "memory.md"}
    desk.wait(60)
    assert desk.schedule._open.rhythm.quick.seconds == 1800


def test_errors_of_the_quick_look_stay_in_the_log(desk: Desk, notes: ScheduledNotes) -> None:
    notes.look_error = WorkspaceUnreadable("The folder cannot be read.")
    desk.wait(120)
    assert desk.schedule._open.rhythm.quick.seconds == 1800
    assert desk.findings == []


def test_a_copy_made_by_a_sync_program_is_told_of_and_a_note_is_not(
    desk: Desk, notes: ScheduledNotes
) -> None:
    told = "One copy made by a sync program."
    copies = HealthCheck("conflict-copies", "warning", told, ("a.md",))
    notes.checks = (copies, HealthCheck("index", "note", "3 changed files not read yet."))
    desk.wait(10)
    (finding,) = desk.findings
    assert finding.kind is FindingKind.HEALTH
    assert finding.reason == told
    assert finding.names == ("a.md",)
    assert notes.late_after == [timedelta(hours=36)]
    desk.wait(12 * 60)
    assert len(desk.findings) == 1


def test_what_was_well_again_is_told_of_anew(desk: Desk, notes: ScheduledNotes) -> None:
    wrong = (HealthCheck("files", "error", "One file cannot be read.", ("a.md",)),)
    for checks in (wrong, (), wrong):
        notes.checks = checks
        desk.wait(6 * 60)
    assert len(desk.findings) == 2


def test_twenty_new_messages_of_a_talk_that_is_over_are_summed_up(
    desk: Desk, notes: ScheduledNotes, world: World
) -> None:
    notes.messages, notes.newest = 100, EVENING
    desk.wait(10)
    assert notes.runs == []
    notes.messages, notes.newest = 119, world.now()
    desk.wait(90)
    assert notes.runs == []  # nineteen
    notes.messages, notes.newest = 120, world.now()
    desk.wait(50)
    assert notes.runs == []  # it may not be over
    desk.wait(60)
    assert [phases for _, phases in notes.runs] == [("dialogue",)]
    assert desk.jobs.count(Job.CHAT) == 1
    assert desk.state.last == datetime(2026, 11, 27, 3, 0, tzinfo=BERLIN)
    until(desk, NIGHT + timedelta(hours=2))
    assert [phases for _, phases in notes.runs] == [("dialogue",), ()]


@pytest.mark.parametrize("reason", ["paused", "on battery", "without a plan"])
def test_talks_are_not_summed_up_when_nothing_should_begin(
    desk: Desk, notes: ScheduledNotes, world: World, reason: str
) -> None:
    notes.messages, notes.newest = 100, EVENING
    desk.wait(10)
    if reason == "paused":
        desk.schedule.pause()
    elif reason == "on battery":
        world.on_battery = True
    else:
        desk.schedule.set_plan(Plan(kind=PlanKind.MANUAL))
    notes.messages = 500
    desk.wait(4 * 60)
    assert notes.runs == []


# Other folders


def test_each_folder_has_its_own_marks(
    desk: Desk, notes: ScheduledNotes, world: World, tmp_path: Path
) -> None:
    until(desk, NIGHT + timedelta(minutes=5))
    other = ScheduledNotes(path=Path("/other"), clock=world)
    desk.notes = other
    desk.library._opener = lambda path: other  # type: ignore[assignment, return-value]
    desk.open()
    desk.wait(5)
    assert other.runs == []
    assert desk.state.last is None
    assert desk.state.next == NIGHT + timedelta(days=1)
    saved = json.loads((tmp_path / "schedule.json").read_text("utf-8"))
    assert list(saved["folders"]) == ["/notes", "/other"]
    assert saved["folders"]["/notes"]["planned_day"] == "2026-11-28"


# With real workers


@pytest.fixture
def working(qtbot: QtBot, world: World, notes: ScheduledNotes, tmp_path: Path) -> Iterator[Desk]:
    desk = Desk(world, notes, tmp_path, tasks=Tasks()).open()
    qtbot.waitUntil(lambda: desk.tasks.is_idle and desk.library.workspace is not None)
    yield desk
    desk.quit()


def test_a_run_that_is_under_way_is_not_begun_a_second_time(
    working: Desk, notes: ScheduledNotes, world: World, qtbot: QtBot
) -> None:
    go_on = threading.Event()
    notes.during = lambda cancel: go_on.wait(10)
    world.forward(NIGHT - EVENING)
    working.beat()
    qtbot.waitUntil(lambda: len(notes.runs) == 1)
    assert working.state.running
    working.wait(600)
    assert working.jobs.count(Job.REFLECTION) == 1
    go_on.set()
    qtbot.waitUntil(lambda: not working.state.running)
    working.beat()
    qtbot.waitUntil(lambda: working.tasks.is_idle)
    assert len(notes.runs) == 1


def test_leaving_the_folder_in_the_middle_of_a_run_is_no_refusal(
    working: Desk, notes: ScheduledNotes, world: World, qtbot: QtBot
) -> None:
    def until_cancelled(cancel: Any) -> None:
        assert cancel.wait(10)
        raise Cancelled

    notes.during = until_cancelled
    world.forward(NIGHT - EVENING)
    working.beat()
    qtbot.waitUntil(lambda: len(notes.runs) == 1)
    working.library._workspace = ScheduledNotes(path=Path("/other"), clock=world)  # type: ignore[assignment]
    working.library.leaving.emit()
    marks = working.memory.value.folder("/notes").marks
    assert marks.declined is None
    assert marks.attempted is None
    assert not working.schedule._open.is_running


def test_quitting_in_the_middle_of_a_run_begins_it_again_at_the_next_start(
    qtbot: QtBot, world: World, notes: ScheduledNotes, tmp_path: Path
) -> None:
    def until_cancelled(cancel: Any) -> None:
        assert cancel.wait(10)
        raise Cancelled

    notes.during = until_cancelled
    desk = Desk(world, notes, tmp_path, tasks=Tasks()).open()
    qtbot.waitUntil(lambda: desk.tasks.is_idle and desk.library.workspace is not None)
    world.forward(NIGHT - EVENING)
    desk.beat()
    qtbot.waitUntil(lambda: len(notes.runs) == 1)
    desk.quit()
    notes.during = None
    again = Desk(world, notes, tmp_path).open()
    again.wait(3)
    assert len(notes.runs) == 2


def test_the_heart_beats_until_it_is_stopped_and_leaves_no_thread(
    working: Desk, qtbot: QtBot
) -> None:
    before = set(threading.enumerate())
    working.schedule.start()
    qtbot.waitUntil(lambda: working.state.why_not is not WhyNot.NO_FOLDER, timeout=10_000)
    started = datetime.now(UTC)
    assert working.schedule.stop()
    assert datetime.now(UTC) - started < timedelta(seconds=1)
    names = {thread.name for thread in set(threading.enumerate()) - before}
    assert "APScheduler" not in names


def test_with_the_real_library_a_night_leaves_suggestions_and_the_morning_tells_of_them(
    qtbot: QtBot, world: World, tmp_path: Path
) -> None:
    root = tmp_path / "notes"
    shutil.copytree(resource_path("sample_workspace"), root)
    desk = Desk(world, ScheduledNotes(path=root), tmp_path / "config", tasks=Tasks())
    desk.library._opener = lambda path: open_workspace(
        path, clock=world, choose_embedder=lambda: None
    )
    bugs: list[object] = []
    desk.tasks.bug.connect(bugs.append)
    checked: list[object] = []
    desk.schedule.health_checked.connect(checked.append)

    def settle() -> None:
        qtbot.wait(5)
        qtbot.waitUntil(lambda: desk.tasks.is_idle, timeout=60_000)

    try:
        desk.open()
        settle()
        qtbot.waitUntil(lambda: desk.library.workspace is not None)
        settle()
        desk.beat()
        settle()
        assert desk.state.last is None
        world.forward(NIGHT - EVENING + timedelta(minutes=1))
        desk.beat()  # it takes the long gap for sleep, and somebody for awake
        settle()
        for _ in range(3):
            world.forward(timedelta(minutes=1))
            desk.beat()
            settle()
        assert desk.state.last is not None
        world.forward(timedelta(hours=7))
        desk.beat()
        settle()
        assert checked
        suggestions = [f for f in desk.findings if f.kind is FindingKind.SUGGESTIONS]
        assert len(suggestions) == 1
        assert suggestions[0].count >= len(suggestions[0].names) > 0
        assert bugs == []
    finally:
        desk.quit()
