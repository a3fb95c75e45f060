"""A question that nobody waits for any more is stopped, and only that one."""

from __future__ import annotations

import sqlite3
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from index_tools import BAKERY, DAY, NOON

from daybank import Cancelled, Workspace, open_workspace
from daybank.index.database import IndexDatabase
from daybank.index.store import IndexStore

FILES = {"memory/2025-11-27.md": DAY, "memory/2025-11-28.md": BAKERY}
WITHIN = 0.05
_COUNT = (
    "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < {}) "
    "SELECT COUNT(*) FROM n"
)
_FOR_EVER = _COUNT.format(10**12)


class _Slow(sqlite3.Connection):
    """Its full-text search looks at a trillion rows first."""

    def cursor(self, *arguments: object, **more: object) -> sqlite3.Cursor:  # type: ignore[override]
        made = super().cursor(_SlowCursor)
        assert isinstance(made, sqlite3.Cursor)
        return made


class _SlowCursor(sqlite3.Cursor):
    asked = threading.Event()

    def execute(self, sql: str, *arguments: object) -> sqlite3.Cursor:  # type: ignore[override]
        if "MATCH" in sql:
            self.asked.set()
            super().execute(_FOR_EVER)
        return super().execute(sql, *arguments)  # type: ignore[arg-type]


class _Thread(threading.Thread):
    """Does ``work`` and keeps what came of it, and when."""

    def __init__(self, work: Callable[[], object]) -> None:
        super().__init__(daemon=True)
        self._work = work
        self.result: object = None
        self.ended = 0.0
        self.start()

    def run(self) -> None:
        try:
            self.result = self._work()
        except Cancelled as error:
            self.result = error
        self.ended = time.monotonic()


@pytest.fixture
def notes(tmp_path: Path) -> Iterator[Workspace]:
    root = tmp_path / "notes"
    for path, text in FILES.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text, encoding="utf-8")
    with open_workspace(root, clock=NOON) as workspace:
        workspace.sync()
        yield workspace


@pytest.fixture
def index(notes: Workspace) -> Iterator[IndexDatabase]:
    index = IndexDatabase(notes.index_path.parent)
    yield index
    index.close()


def _count(index: IndexDatabase, sql: str, cancel: threading.Event | None) -> int:
    with index.reading() as database, index.stopping(cancel):
        return int(database.execute_sql(sql).fetchone()[0])


def _soonest(stop: Callable[[], float], tries: int = 3) -> float:
    """The least of a few: a machine at work elsewhere may hold any one of them up."""
    soonest = stop()
    for _ in range(tries - 1):
        if soonest <= WITHIN:
            break
        soonest = min(soonest, stop())
    return soonest


def test_a_slow_question_is_stopped_at_once_and_the_next_is_answered(notes: Workspace) -> None:
    slow = Workspace(notes._folder, NOON, connect=_Slow)

    def stop() -> float:
        cancel = threading.Event()
        _SlowCursor.asked.clear()
        asking = _Thread(lambda: slow.recall("bakery", semantic=False, cancel=cancel))
        assert _SlowCursor.asked.wait(10)
        time.sleep(0.02)  # it is counting now
        set_at = time.monotonic()
        cancel.set()
        asking.join(10)
        assert isinstance(asking.result, Cancelled)
        return asking.ended - set_at

    with slow:
        assert _soonest(stop) <= WITHIN
    assert notes.recall("bakery", semantic=False).results


def test_the_same_thread_asks_on_with_the_same_connection(index: IndexDatabase) -> None:
    def stop() -> float:
        cancel = threading.Event()
        at = []

        def call_off() -> None:
            at.append(time.monotonic())
            cancel.set()

        timer = threading.Timer(0.05, call_off)
        timer.start()
        with pytest.raises(Cancelled):
            _count(index, _FOR_EVER, cancel)
        took = time.monotonic() - at[0]
        assert index.database.connection() is before
        # What was called off stays so; what comes after it is not.
        assert _count(index, _COUNT.format(300_000), None) == 300_000
        assert _count(index, _COUNT.format(300_000), threading.Event()) == 300_000
        with index.writing():
            index.set("synced", "later")
        return took

    with index.connected() as database:
        before = database.connection()
    assert _soonest(stop) <= WITHIN


def test_another_threads_question_is_not_touched(index: IndexDatabase) -> None:
    mine, theirs = threading.Event(), threading.Event()
    sql = _COUNT.format(1_000_000)
    other = _Thread(lambda: _count(index, sql, theirs))
    stopped = _Thread(lambda: _count(index, _FOR_EVER, mine))
    time.sleep(0.05)
    mine.set()
    stopped.join(10)
    other.join(30)
    assert isinstance(stopped.result, Cancelled)
    assert other.result == 1_000_000


def test_a_question_called_off_before_it_begins_reads_nothing(index: IndexDatabase) -> None:
    cancel = threading.Event()
    cancel.set()
    with pytest.raises(Cancelled):
        _count(index, "SELECT no_such_column", cancel)


def test_between_two_steps_it_is_noticed_as_well(index: IndexDatabase) -> None:
    cancel = threading.Event()
    store = IndexStore(index)
    with index.reading(), index.stopping(cancel):
        assert store.passages_in_all() > 0
        cancel.set()
        with pytest.raises(Cancelled):
            store.totals()
    assert store.totals().files == len(FILES)


def test_an_error_of_the_database_is_not_taken_for_a_call_off(index: IndexDatabase) -> None:
    cancel = threading.Event()
    with pytest.raises(Exception, match="no such column"):
        _count(index, "SELECT no_such_column", cancel)


def test_a_token_that_is_never_set_changes_no_answer(notes: Workspace) -> None:
    assert notes.recall("bakery", cancel=threading.Event()) == notes.recall("bakery")
