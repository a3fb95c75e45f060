"""Several programs and threads use one index at once: nobody meets an error, nothing is lost."""

from __future__ import annotations

import gc
import sqlite3
import threading
import time
import warnings
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest
from index_tools import (
    BAKERY,
    DAY,
    NOON,
    answers,
    assert_equals_rebuild,
    contents,
    finish,
    kill,
    start_python,
)

from daybank import Cancelled, IndexBusy, Workspace, open_workspace

Make = Callable[..., Workspace]
FILES = {"memory/2025-11-27.md": DAY, "memory/2025-11-28.md": BAKERY}

_HOLD = """
import sqlite3, sys, time
connection = sqlite3.connect(sys.argv[1], isolation_level=None, timeout=20)
for _ in range(2):
    connection.execute("BEGIN IMMEDIATE")
    connection.execute("UPDATE meta SET value = value WHERE key = 'schema'")
    print("holding", flush=True)
    time.sleep(2)
    connection.execute("COMMIT")
    time.sleep(0.2)
connection.close()
"""
_SYNC = """
import sys
from pathlib import Path
from daybank import open_workspace
root = Path(sys.argv[1])
with open_workspace(root) as ws:
    for round in range(int(sys.argv[2])):
        log = root / "memory" / f"2025-12-{round % 28 + 1:02}.md"
        log.write_text(f"- Round {round} by the sea.\\n")
        ws.sync(rebuild=round % 20 == 19)
"""
_RECALL = """
import sys
from daybank import open_workspace
slowest = 0.0
import time
with open_workspace(sys.argv[1]) as ws:
    for round in range(int(sys.argv[2])):
        started = time.monotonic()
        answer = ws.recall("Marrakech")
        slowest = max(slowest, time.monotonic() - started)
        assert [r.source.path for r in answer.results] == ["memory/2025-11-27.md"], answer
        assert not answer.notices, answer
        if round % 10 == 0:
            ws.close()  # a new connection, like a new program
print(slowest)
"""
_ADD = """
import sys
from daybank.cli import main
for number in range(int(sys.argv[3])):
    assert main(["add", "--workspace", sys.argv[1], f"W @Peter: Note {sys.argv[2]}-{number}"]) == 0
"""


def test_three_programs_share_an_index(make_workspace: Make, tmp_path: Path) -> None:
    ws = make_workspace(FILES)
    holder = start_python(_HOLD, ws.index_path)
    assert holder.stdout is not None
    assert holder.stdout.readline() == "holding\n"
    others = [start_python(_SYNC, ws.path, 60), start_python(_RECALL, ws.path, 200)]
    _, slowest = [finish(process) for process in others]
    finish(holder)
    assert float(slowest) < 2.0  # readers are never blocked
    ws.sync()
    assert_equals_rebuild(ws, tmp_path / "clean", ["Marrakech", "sea", "round 59", "bakery"])


def test_two_programs_syncing_at_once_end_like_one(make_workspace: Make, tmp_path: Path) -> None:
    ws = make_workspace(FILES, sync=False)
    for process in [start_python(_SYNC, ws.path, 30) for _ in range(3)]:
        finish(process)
    ws.sync()
    assert_equals_rebuild(ws, tmp_path / "clean", ["Marrakech", "sea", "round 29"])


def test_notes_added_by_several_programs_at_once_are_all_there(make_workspace: Make) -> None:
    ws = make_workspace(FILES)
    started = [start_python(_ADD, ws.path, name, 10) for name in "abc"]
    for number in range(10):
        ws.add(f"W @Peter: Note d-{number}", day=datetime.now(UTC).astimezone().date())
        ws.sync()
    for process in started:
        process.communicate(timeout=60)
        assert process.returncode == 0
    ws.sync()
    day = datetime.now(UTC).astimezone().date().isoformat()
    text = (ws.path / f"memory/{day}.md").read_text()
    for name in "abcd":
        for number in range(10):
            assert text.count(f"- W @Peter: Note {name}-{number}\n") == 1
    assert len(contents(ws.recall("note", k=100, kinds=["world"]))) == 40


def test_a_note_added_by_another_program_is_found_after_the_next_sync(
    make_workspace: Make,
) -> None:
    ws = make_workspace(FILES)
    assert not ws.recall("xylophone").results
    with open_workspace(ws.path, clock=NOON) as other:
        other.add("W @Nok: Plays the xylophone.")
        other.sync()
    assert contents(ws.recall("xylophone")) == ["Plays the xylophone."]  # even before ours
    assert [e.name for e in ws.entities("No")] == ["Nok"]


def test_a_sync_tells_of_what_another_program_has_read_before_it(make_workspace: Make) -> None:
    ws = make_workspace(FILES)
    assert not ws.sync().is_change
    with open_workspace(ws.path, clock=NOON) as other:
        other.add("W @Nok: Plays the xylophone.")
        other.sync()
    report = ws.sync()
    assert (report.added, report.changed, report.elsewhere) == (0, 0, True)
    assert report.is_change
    assert not ws.sync().is_change
    with open_workspace(ws.path, clock=NOON) as other:
        other.sync()  # it finds nothing new, and writes nothing
    assert not ws.sync().is_change


def test_a_lease_held_for_too_long_is_told_of_in_one_sentence(
    make_workspace: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    ws = make_workspace(FILES)
    other = open_workspace(ws.path, clock=NOON)
    with other._index.lease():
        result: list[BaseException] = []

        def want(seconds: float) -> None:
            try:
                with ws._index.lease(seconds=seconds):
                    pass
            except IndexBusy as error:
                result.append(error)

        worker = threading.Thread(target=want, args=(0.3,))
        worker.start()
        worker.join(10)
        assert "Search works meanwhile" in str(result[0])
        assert len(ws.recall("Marrakech").results) == 1
        flag = threading.Event()
        stopped: list[BaseException] = []

        def sync() -> None:
            try:
                ws.sync(cancel=flag)
            except Cancelled as error:
                stopped.append(error)

        worker = threading.Thread(target=sync)
        worker.start()
        time.sleep(0.1)
        flag.set()
        worker.join(5)
        assert stopped
    other.close()
    ws.sync()


def test_the_lease_of_a_dead_program_is_free_at_once(make_workspace: Make) -> None:
    ws = make_workspace(FILES)
    code = (
        "import sys, time\nfrom daybank import open_workspace\n"
        "with open_workspace(sys.argv[1]) as ws, ws._index.lease():\n"
        "    print('holding', flush=True)\n    time.sleep(60)\n"
    )
    process = start_python(code, ws.path)
    assert process.stdout is not None
    assert process.stdout.readline() == "holding\n"
    kill(process)
    started = time.monotonic()
    ws.sync()
    assert time.monotonic() - started < 2


# -- threads


def test_recalls_syncs_and_closing_in_many_threads_harm_nobody(make_workspace: Make) -> None:
    ws = make_workspace(FILES)
    stop, troubles = threading.Event(), []

    def keep(doing: Callable[[], object]) -> None:
        while not stop.is_set():
            try:
                doing()
            except Exception as error:  # noqa: BLE001 (any of them is the test's failure)
                troubles.append(error)
                return

    def ask() -> None:
        assert len(ws.recall("Marrakech").results) == 1

    def write() -> None:
        (ws.path / "a.md").write_text(f"- {time.monotonic_ns()} by the sea\n")
        ws.sync()

    work = [ask, ask, write, lambda: ws.sync(rebuild=True), ws.health, ws.close, ws.overview]
    threads = [threading.Thread(target=keep, args=(doing,)) for doing in work]
    for thread in threads:
        thread.start()
    time.sleep(2.5)
    stop.set()
    for thread in threads:
        thread.join(30)
    assert troubles == []
    assert not any(thread.is_alive() for thread in threads)
    ask()


def test_an_index_that_breaks_under_many_readers_comes_back_for_all(make_workspace: Make) -> None:
    ws = make_workspace(FILES)
    stop, troubles = threading.Event(), []

    def ask() -> None:
        while not stop.is_set():
            try:
                answer = ws.recall("Marrakech")
                # Nothing is found only while it is being made anew, and then it says so.
                assert len(answer.results) == 1 or answer.notices
            except Exception as error:  # noqa: BLE001 (any of them is the test's failure)
                troubles.append(error)
                return

    threads = [threading.Thread(target=ask) for _ in range(3)]
    for thread in threads:
        thread.start()
    for _ in range(3):
        time.sleep(0.2)
        connection = sqlite3.connect(ws.index_path, timeout=10)
        connection.execute("DROP TABLE passage")
        connection.close()
        assert len(ws.recall("Marrakech").results) == 1
    stop.set()
    for thread in threads:
        thread.join(30)
    assert troubles == []


def test_closing_waits_for_a_recall_and_may_be_done_twice(make_workspace: Make) -> None:
    ws = make_workspace(FILES)
    inside, go_on, found = threading.Event(), threading.Event(), []
    real = ws._store.candidates

    def slowly(*args: object) -> object:
        inside.set()
        assert go_on.wait(20)
        return real(*args)  # type: ignore[arg-type]

    ws._store.candidates = slowly  # type: ignore[method-assign, assignment]
    reader = threading.Thread(target=lambda: found.append(ws.recall("Marrakech")))
    reader.start()
    assert inside.wait(20)
    closer = threading.Thread(target=ws.close)
    closer.start()
    time.sleep(0.1)
    assert closer.is_alive()
    go_on.set()
    reader.join(20)
    closer.join(20)
    assert len(found[0].results) == 1
    ws.close()
    assert len(ws.recall("Marrakech").results) == 1  # it opens again by itself


def test_no_connection_is_left_open(make_workspace: Make) -> None:
    ws = make_workspace(FILES)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for _ in range(5):
            worker = threading.Thread(target=lambda: ws.recall("Marrakech"))
            worker.start()
            worker.join()
        assert len(ws._index._connections._opened) <= 2  # those of ended threads are closed
        ws.close()
        assert ws._index._connections._opened == []
        gc.collect()
    names = {place.name for place in (ws.path / ".memory").iterdir()}
    assert not {"index.sqlite-wal", "index.sqlite-shm"} & names


def test_two_open_workspaces_do_not_mix(make_workspace: Make) -> None:
    one = make_workspace({"a.md": "- apple\n"}, name="one")
    two = make_workspace({"a.md": "- avocado\n"}, name="two")
    assert answers(one, ["avocado"]).count("content") == 0
    assert contents(two.recall("avocado")) == ["avocado"]
    assert contents(one.recall("apple")) == ["apple"]


def test_names_are_not_kept_from_an_index_that_was_replaced(make_workspace: Make) -> None:
    ws = make_workspace({"a.md": "- With @Peter.\n"})
    assert [e.name for e in ws.entities()] == ["Peter"]
    (ws.path / "a.md").write_text("- With @Mara.\n")
    for place in (ws.path / ".memory").glob("index.sqlite*"):
        place.unlink()
    with open_workspace(ws.path, clock=NOON) as other:
        other.sync()  # as many writes as the first one had
    assert [e.name for e in ws.entities()] == ["Mara"]
