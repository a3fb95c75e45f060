"""The one way off the GUI thread."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from itertools import pairwise

import pytest
from PySide6.QtCore import QObject, QTimer
from pytestqt.qtbot import QtBot

from daybank.errors import Cancelled, DaybankError, IndexBusy
from daybank_desktop.tasks import Bug, Courtesy, Job, Lane, Tasks


@pytest.fixture
def tasks(qtbot: QtBot) -> Iterator[Tasks]:
    tasks = Tasks()
    yield tasks
    assert tasks.shutdown()


def test_work_runs_elsewhere_and_its_answer_comes_back_here(qtbot: QtBot, tasks: Tasks) -> None:
    here = threading.current_thread()
    seen: list[object] = []

    def done(value: str) -> None:
        seen.extend((value, threading.current_thread()))

    tasks.run(Lane.READ, lambda job: threading.current_thread().name, done=done)
    qtbot.waitUntil(lambda: len(seen) == 2)
    assert str(seen[0]).startswith("daybank-read")
    assert seen[1] is here


def test_an_error_a_person_can_meet_goes_to_failed(qtbot: QtBot, tasks: Tasks) -> None:
    failures: list[DaybankError] = []

    def work(job: Job[None]) -> None:
        raise IndexBusy("Busy.")

    tasks.run(Lane.WRITE, work, failed=failures.append)
    qtbot.waitUntil(lambda: bool(failures))
    assert isinstance(failures[0], IndexBusy)


def test_a_bug_is_logged_told_and_ends_the_waiting(
    qtbot: QtBot, tasks: Tasks, caplog: pytest.LogCaptureFixture
) -> None:
    failures: list[DaybankError] = []
    with qtbot.waitSignal(tasks.bug) as told:
        tasks.run(Lane.READ, lambda job: 1 / 0, failed=failures.append)
    qtbot.waitUntil(lambda: bool(failures))
    assert isinstance(told.args[0], ZeroDivisionError)
    assert isinstance(failures[0], Bug)
    assert "ZeroDivisionError" in caplog.text


def test_a_newer_job_of_a_channel_silences_the_older(qtbot: QtBot, tasks: Tasks) -> None:
    answers: list[int] = []
    started, cancelled = threading.Event(), threading.Event()

    def slow(job: Job[int]) -> int:
        started.set()
        if job.cancel.wait(5):
            cancelled.set()
        return 1

    tasks.run(Lane.READ, slow, done=answers.append, channel="recall")
    assert started.wait(2)
    tasks.run(Lane.READ, lambda job: 2, done=answers.append, channel="recall")
    qtbot.waitUntil(lambda: tasks.is_idle)
    assert answers == [2]
    assert cancelled.is_set()


def test_an_answer_on_its_way_is_dropped_when_it_was_overtaken(qtbot: QtBot, tasks: Tasks) -> None:
    answers: list[int] = []
    first = tasks.run(Lane.READ, lambda job: 1, done=answers.append, channel="recall")
    assert first.finished.wait(2)  # done, and queued for this thread, which has not looked yet
    tasks.run(Lane.READ, lambda job: 2, done=answers.append, channel="recall")
    qtbot.waitUntil(lambda: tasks.is_idle)
    assert answers == [2]


def test_the_write_lane_never_runs_two_at_once(qtbot: QtBot, tasks: Tasks) -> None:
    running = threading.Semaphore(1)
    together: list[int] = []

    def work(job: Job[None]) -> None:
        if not running.acquire(blocking=False):
            together.append(1)
            return
        time.sleep(0.01)
        running.release()

    for _ in range(8):
        tasks.run(Lane.WRITE, work)
    qtbot.waitUntil(lambda: tasks.is_idle)
    assert not together


def test_progress_is_thinned_out_and_the_last_word_gets_through(qtbot: QtBot, tasks: Tasks) -> None:
    told: list[object] = []

    def work(job: Job[None]) -> None:
        for number in range(2000):
            job.report(number)

    tasks.run(Lane.WRITE, work, progress=told.append)
    qtbot.waitUntil(lambda: tasks.is_idle)
    assert told[-1] == 1999
    assert len(told) < 50


def test_stopping_is_told_as_cancelled(qtbot: QtBot, tasks: Tasks) -> None:
    failures: list[DaybankError] = []

    def work(job: Job[None]) -> None:
        job.cancel.wait(5)
        raise Cancelled

    job = tasks.run(Lane.WRITE, work, failed=failures.append)
    job.stop()
    qtbot.waitUntil(lambda: bool(failures))
    assert isinstance(failures[0], Cancelled)


def test_a_deleted_receiver_is_not_called(qtbot: QtBot, tasks: Tasks) -> None:
    class Receiver(QObject):
        def take(self, value: int) -> None:
            raise AssertionError

    import shiboken6

    receiver = Receiver()
    job = tasks.run(Lane.READ, lambda job: 1, done=receiver.take)
    assert job.finished.wait(2)
    shiboken6.delete(receiver)
    qtbot.waitUntil(lambda: tasks.is_idle)


def test_shutdown_is_quick_while_everything_runs(qtbot: QtBot) -> None:
    tasks = Tasks()
    for lane in (Lane.WRITE, Lane.READ, Lane.READ, Lane.READ):
        tasks.run(lane, lambda job: job.cancel.wait(30))
    started = time.monotonic()
    assert tasks.shutdown()
    assert time.monotonic() - started < 2
    late = tasks.run(Lane.READ, lambda job: 1)
    assert late.is_abandoned


def test_a_stuck_worker_is_reported_and_not_waited_for(qtbot: QtBot) -> None:
    tasks = Tasks()
    stuck, let_go = threading.Event(), threading.Event()

    def work(job: Job[None]) -> None:
        stuck.set()
        let_go.wait(30)

    job = tasks.run(Lane.READ, work)
    assert stuck.wait(2)
    assert not tasks.shutdown(within=0.1)
    let_go.set()
    assert job.finished.wait(2)


def test_inline_everything_happens_in_place() -> None:
    tasks = Tasks(inline=True)
    seen: list[object] = []
    tasks.run(Lane.READ, lambda job: job.report(1) or 2, done=seen.append, progress=seen.append)
    assert seen == [1, 2]
    assert tasks.is_idle


def test_the_gui_thread_goes_on_while_work_is_slow(qtbot: QtBot, tasks: Tasks) -> None:
    beats: list[float] = []
    heart = QTimer(interval=10)
    heart.timeout.connect(lambda: beats.append(time.monotonic()))
    heart.start()
    tasks.run(Lane.READ, lambda job: time.sleep(0.5))
    qtbot.wait(450)
    heart.stop()
    gaps = [b - a for a, b in pairwise(beats)]
    assert max(gaps) < 0.1
    qtbot.waitUntil(lambda: tasks.is_idle)


class _Counting:
    """Work that looks again and again whether it was called off, and when it went on."""

    def __init__(self) -> None:
        self.steps: list[float] = []

    def __call__(self, job: Job[None]) -> None:
        while not job.cancel.is_set():
            self.steps.append(time.monotonic())
            time.sleep(0.001)

    def between(self, start: float, end: float) -> int:
        return sum(start < at < end for at in self.steps)


def _busy(seconds: float) -> tuple[float, float]:
    """The window is in the middle of something; Python is free for others meanwhile."""
    start = time.monotonic()
    time.sleep(seconds)
    return start, time.monotonic()


@pytest.mark.alone
@pytest.mark.parametrize("lane", [Lane.WRITE, Lane.LONG, Lane.READ])
def test_long_work_stops_while_the_window_is_in_the_middle_of_something(
    qtbot: QtBot, tasks: Tasks, lane: Lane
) -> None:
    work = _Counting()
    job = tasks.run(lane, work)
    busy: list[tuple[float, float]] = []
    QTimer.singleShot(50, lambda: busy.append(_busy(Courtesy.AT_MOST * 0.8)))
    qtbot.waitUntil(lambda: bool(busy))
    (start, end) = busy[0]
    qtbot.waitUntil(lambda: work.between(end, end + 10) > 20)
    assert work.between(start - 0.04, start) > 3
    assert work.between(start + 2 * Courtesy.EVERY + 0.01, end) == 0
    job.abandon()


@pytest.mark.alone
def test_long_work_does_not_wait_for_a_window_that_is_stuck(qtbot: QtBot, tasks: Tasks) -> None:
    work = _Counting()
    job = tasks.run(Lane.WRITE, work)
    qtbot.waitUntil(lambda: len(work.steps) > 3)
    start, end = _busy(4 * Courtesy.AT_MOST)
    assert work.between(start + Courtesy.AT_MOST + 0.03, end) > 0
    job.abandon()


@pytest.mark.alone
def test_what_waits_for_the_network_goes_on(qtbot: QtBot, tasks: Tasks) -> None:
    work = _Counting()
    job = tasks.run(Lane.NET, work)
    qtbot.waitUntil(lambda: len(work.steps) > 3)
    start, end = _busy(0.06)
    assert work.between(start + 0.01, end) > 5
    job.abandon()
