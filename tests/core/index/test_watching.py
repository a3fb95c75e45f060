"""Changes are told of: by the system's events, and by looking where there are none."""

from __future__ import annotations

import errno
import logging
import threading
from collections.abc import Callable
from pathlib import Path

import pytest
from index_tools import wait_for
from watchdog.observers.api import BaseObserver

from daybank import Workspace
from daybank.index import watcher as watcher_module
from daybank.index.watcher import Watcher

Make = Callable[..., Workspace]


class _NoEvents(BaseObserver):
    """An observer that fails to start, or starts and stays silent."""

    def __init__(self, error: Exception | None = None) -> None:
        self.error = error
        self.unscheduled = False

    def schedule(self, *args: object, **kwargs: object) -> None:  # type: ignore[override]
        pass

    def unschedule_all(self) -> None:
        self.unscheduled = True

    def start(self) -> None:
        if self.error is not None:
            raise self.error

    def stop(self) -> None:
        pass

    def join(self, timeout: float | None = None) -> None:
        pass


@pytest.mark.parametrize(
    "error",
    [
        OSError(errno.ENOSPC, "inotify watch limit reached"),
        OSError(errno.EMFILE, "inotify instance limit reached"),
        PermissionError(errno.EACCES, "Permission denied"),
        RuntimeError("Cannot start the stream"),
    ],
)
def test_without_events_it_looks_now_and_then_and_says_so_once(
    make_workspace: Make, caplog: pytest.LogCaptureFixture, error: Exception
) -> None:
    ws = make_workspace({"a.md": "- apple\n"})
    observer = _NoEvents(error)
    with caplog.at_level(logging.WARNING):
        watch = Watcher.start(
            ws.path, lambda: _sync(ws), period=0.1, make_observer=lambda: observer
        )
    try:
        assert watch.mode == "periodic"
        assert watch.notice is not None
        assert "looks for them" in watch.notice
        assert observer.unscheduled
        (ws.path / "b.md").write_text("- banana\n")
        wait_for(lambda: bool(ws.recall("banana").results), 5)
    finally:
        watch.close()
    assert len(caplog.records) == 1


def test_a_folder_that_reports_nothing_is_looked_at_all_the_same(make_workspace: Make) -> None:
    ws = make_workspace({"a.md": "- apple\n"})
    watch = Watcher.start(ws.path, lambda: _sync(ws), period=0.1, make_observer=_NoEvents)
    try:
        assert (watch.mode, watch.notice) == ("events", None)
        (ws.path / "b.md").write_text("- banana\n")
        wait_for(lambda: bool(ws.recall("banana").results), 5)
    finally:
        watch.close()


def _sync(ws: Workspace) -> None:
    ws.sync()


def test_events_tell_of_every_kind_of_change(make_workspace: Make) -> None:
    ws = make_workspace({"a.md": "- apple\n", "sub/b.md": "- banana\n"})
    changes: list[int] = []
    watch = ws.watch(lambda: changes.append(1), period=60)
    try:
        steps: list[Callable[[], object]] = [
            lambda: (ws.path / "a.md").write_text("- apricot\n"),
            lambda: (ws.path / "sub/b.md").rename(ws.path / "sub/c.md"),
            lambda: (ws.path / "sub").rename(ws.path / "fruit"),
            lambda: (ws.path / "new").mkdir(),
            lambda: (ws.path / "new/d.md").write_text("- damson\n"),
            lambda: (ws.path / "a.md").unlink(),
        ]
        for step in steps:
            seen = len(changes)
            step()
            wait_for(lambda seen=seen: len(changes) > seen, 10)  # type: ignore[misc]
    finally:
        watch.close()


def test_our_own_writing_and_hidden_folders_wake_nobody(
    make_workspace: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(watcher_module, "QUIET_SECONDS", 0.05)
    ws = make_workspace({"a.md": "- apple\n", ".git/HEAD": "x", ".obsidian/app.json": "{}"})
    changes: list[int] = []
    watch = ws.watch(lambda: changes.append(1), period=60)
    try:
        ws.sync(rebuild=True)
        (ws.path / ".git/HEAD").write_text("y")
        (ws.path / ".git/index.lock").write_text("y")
        (ws.path / ".obsidian/workspace.json").write_text("{}")
        ws.recall("apple")
        threading.Event().wait(0.4)
        assert changes == []
        ws.add("W @Peter: Likes figs.")
        wait_for(lambda: bool(changes), 10)
    finally:
        watch.close()


def test_a_burst_of_changes_is_told_of_a_few_times_only(make_workspace: Make) -> None:
    ws = make_workspace({"a.md": "- apple\n"})
    changes: list[int] = []
    watch = ws.watch(lambda: changes.append(1), period=60)
    try:
        for number in range(200):
            (ws.path / f"{number}.md").write_text("- many\n")
        wait_for(lambda: bool(changes), 10)
        threading.Event().wait(0.8)
        assert len(changes) <= 3
    finally:
        watch.close()


def test_a_failing_listener_does_not_end_the_watch(
    make_workspace: Make, caplog: pytest.LogCaptureFixture
) -> None:
    ws = make_workspace({"a.md": "- apple\n"})
    calls: list[int] = []

    def fail() -> None:
        calls.append(1)
        raise ValueError("a bug")

    watch = Watcher.start(ws.path, fail, period=0.05, make_observer=_NoEvents)
    try:
        wait_for(lambda: len(calls) > 2, 5)
    finally:
        watch.close()
    assert "a bug" in caplog.text


def test_closing_ends_all_its_threads(make_workspace: Make) -> None:
    ws = make_workspace({"a.md": "- apple\n"})
    before = set(threading.enumerate())
    watches = [ws.watch(lambda: None) for _ in range(3)]
    closed_inside: list[Watcher] = []

    def close_itself() -> None:
        closed_inside[0].close()

    closed_inside.append(Watcher.start(ws.path, close_itself, period=0.05))
    for watch in watches:
        watch.close()
    wait_for(lambda: set(threading.enumerate()) <= before, 10)


def test_a_folder_that_is_gone_is_no_error_to_watch(tmp_path: Path) -> None:
    watch = Watcher.start(tmp_path / "nowhere", lambda: None)
    assert watch.mode == "periodic"
    watch.close()
