"""One SQLite file: connections, versions, the writer lease, and what to do when it is in doubt.

Any number of threads and processes read at once (WAL); one writes, holding a lease that the
operating system takes back when its process dies. Each thread has its own connection. Whoever
closes or removes the index waits until the other threads of this process are done with it.
"""

from __future__ import annotations

import contextlib
import logging
import os
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, cast

from filelock import FileLock, Timeout
from peewee import DatabaseError as PeeweeDatabaseError
from peewee import OperationalError as PeeweeOperationalError
from peewee import SqliteDatabase

from daybank.errors import Cancelled, DaybankError, IndexBusy, IndexUnwritable
from daybank.index.analysis import ANALYZER_VERSION
from daybank.index.schema import (
    FTS_TABLE,
    SCHEMA_VERSION,
    Tables,
    bind_tables,
    create_tables,
    drop_everything,
)
from daybank.progress import CancelToken, check_cancel

log = logging.getLogger(__name__)

INDEX_NAME = "index.sqlite"
_BESIDE_INDEX = ("", "-wal", "-shm", "-journal")
LEASE_SECONDS = 60.0
_BUSY_SECONDS = 15.0
_CLOSING_SECONDS = 10.0
_JOURNALS = ("-wal", "-shm", "-journal")
_STEPS_BETWEEN_LOOKS = 4000
"""Of SQLite's virtual machine; about a millisecond, and a look costs a thousandth of it."""

ConnectionFactory = Callable[..., sqlite3.Connection]


class IndexReplaced(Exception):
    """The index was made anew by somebody else while this run was at work; begin again."""


class IndexGone(PeeweeOperationalError):
    """The index file is not there (any more)."""


class _Database(SqliteDatabase):
    """peewee's SQLite database, remembering its connections so that all can be closed."""

    def __init__(self, path: str, connect: ConnectionFactory) -> None:
        super().__init__(
            path,
            pragmas={
                "journal_mode": "wal",
                "synchronous": "normal",
                "foreign_keys": 1,
                "cache_size": -16000,
                "temp_store": "memory",
                "journal_size_limit": 64 * 1024 * 1024,
            },
            timeout=_BUSY_SECONDS,
            check_same_thread=False,
        )
        self._factory = connect
        self._opened: list[tuple[threading.Thread, sqlite3.Connection]] = []
        self._guard = threading.Lock()

    def _connect(self) -> sqlite3.Connection:
        connection = self._factory(
            self.database, timeout=_BUSY_SECONDS, isolation_level=None, check_same_thread=False
        )
        try:
            cast(Any, self)._add_conn_hooks(connection)
        except BaseException:
            connection.close()
            raise
        with self._guard:
            self._opened.append((threading.current_thread(), connection))
            self._close_where(lambda thread: not thread.is_alive())
        return connection

    def rollback(self) -> None:
        """Undo the transaction, where SQLite has not done so itself (it does on a full disk); a
        second try would hide the error that a person must be told of."""
        connection = cast(Any, self)._state.conn
        if connection is not None and connection.in_transaction:
            super().rollback()

    def forget(self) -> None:
        """Close this thread's connection, in whatever state it is."""
        me = threading.current_thread()
        with self._guard:
            self._close_where(lambda thread: thread is me)
        cast(Any, self)._state.reset()

    def close_all(self) -> None:
        """Close every thread's connection. No thread may be using one."""
        with self._guard:
            self._close_where(lambda thread: True)
        cast(Any, self)._state.reset()

    def _close_where(self, chosen: Callable[[threading.Thread], bool]) -> None:
        kept = []
        for thread, connection in self._opened:
            if chosen(thread):
                with contextlib.suppress(sqlite3.Error):
                    connection.close()
            else:
                kept.append((thread, connection))
        self._opened = kept


def remove_index(folder: Path) -> None:
    """Take the index that lies in ``folder`` away, because it is kept elsewhere now. What cannot be
    removed, since another program has it open, say, stays until the next time. Never raises."""
    for ending in _BESIDE_INDEX:
        with contextlib.suppress(OSError):
            (folder / f"{INDEX_NAME}{ending}").unlink(missing_ok=True)


class IndexDatabase:
    """The index file of one workspace. The constructor opens nothing.

    ``connect`` stands in for :func:`sqlite3.connect` (tests simulate a library without FTS5).
    """

    def __init__(self, folder: Path, connect: ConnectionFactory = sqlite3.connect) -> None:
        self.folder = folder
        self.path = folder / INDEX_NAME
        self._connect = connect
        self._connections = _Database(str(self.path), connect)
        self.database: SqliteDatabase = self._connections
        self.tables: Tables = bind_tables(self.database)
        self._fts5: bool | None = None
        self._seen = threading.local()
        self._epoch = 0  # raised when all connections are closed: what a thread kept is stale
        self._gate = threading.Condition()
        self._users: dict[int, int] = {}
        self._closing: int | None = None

    # -- state

    @property
    def has_fts5(self) -> bool:
        """Whether this SQLite can do full-text search. Asked once, of a database in memory."""
        if self._fts5 is None:
            connection = self._connect(":memory:")
            try:
                connection.execute("CREATE VIRTUAL TABLE probe USING fts5(text)")
                self._fts5 = True
            except sqlite3.OperationalError as error:
                # Any other trouble must not pass for a library without it: the index would be
                # made anew for nothing.
                if "no such module" not in str(error) and "fts5" not in str(error):
                    raise
                self._fts5 = False
            finally:
                connection.close()
        return self._fts5

    def is_current(self) -> bool:
        """Whether the file is there, whole as far as a look can tell, and of this version.

        An index that only cannot be looked at now (locked, disk error) is not called outdated: the
        error is raised instead, or it would be thrown away for nothing.
        """
        if not self.path.exists():
            return False
        try:
            with self.connected():
                return self._versions() == self._expected_versions()
        except (PeeweeDatabaseError, sqlite3.DatabaseError) as error:
            if is_damage(error):
                return False
            raise

    def is_sound(self) -> bool:
        """SQLite's and FTS5's own integrity checks. Reads the whole file."""
        try:
            with self.connected():
                row = self.database.execute_sql("PRAGMA quick_check(1)").fetchone()
                if row is None or row[0] != "ok":
                    return False
                for table in self.tables.all:
                    self.database.execute_sql(f"SELECT 1 FROM {table._meta.table_name} LIMIT 1")
                if self.has_fts5:
                    with self.database.atomic("IMMEDIATE"):
                        self.database.execute_sql(
                            f"INSERT INTO {FTS_TABLE}({FTS_TABLE}) VALUES ('integrity-check')"
                        )
                counts = self.database.execute_sql(
                    f"SELECT (SELECT COUNT(*) FROM passage), (SELECT COUNT(*) FROM {FTS_TABLE}),"
                    " (SELECT COALESCE(SUM(passages), 0) FROM file)"
                ).fetchone()
                return counts is not None and counts[0] == counts[1] == counts[2]
        except (PeeweeDatabaseError, sqlite3.DatabaseError) as error:
            if is_damage(error):
                return False
            raise

    def get(self, key: str) -> str | None:
        row = self.database.execute_sql("SELECT value FROM meta WHERE key = ?", (key,)).fetchone()
        return str(row[0]) if row else None

    def set(self, key: str, value: str) -> None:
        self.database.execute_sql(
            "INSERT INTO meta(key, value) VALUES (?, ?)"
            " ON CONFLICT(key) DO UPDATE SET value = excluded.value",
            (key, value),
        )

    def generation(self) -> int:
        """A number that is different after every committed change, also across rebuilds."""
        known = getattr(self._seen, "generation", None)
        if known is None:
            known = int(self.get("generation") or 0)
            if getattr(self._seen, "is_reading", False):
                self._seen.generation = known
        return int(known)

    # -- connections and transactions

    @contextlib.contextmanager
    def connected(self, *, make: bool = False) -> Iterator[SqliteDatabase]:
        """This thread's connection, opened when needed and kept for the next time.

        Raises IndexGone when there is no file, unless it is to be made (by the lease's holder);
        Cancelled inside :meth:`stopping`.
        """
        self.check_cancel()
        if not self.database.in_transaction():
            self._connect_here(make)
        yield self.database

    @contextlib.contextmanager
    def reading(self) -> Iterator[SqliteDatabase]:
        """One state of the index for several reads, whatever is written meanwhile."""
        with self._use(), self.connected() as database:
            if database.in_transaction():
                yield database
                return
            with database.atomic():
                self._seen.is_reading = True  # nothing changes for this thread until it ends
                try:
                    yield database
                finally:
                    self._seen.is_reading = False
                    self._seen.generation = None

    @contextlib.contextmanager
    def stopping(self, cancel: CancelToken | None) -> Iterator[None]:
        """Inside :meth:`reading`: let ``cancel`` end what this thread asks, also while SQLite is
        at it, by raising Cancelled. No other thread's question is touched, and the connection
        stays good for the next one. For reads alone: a write that is broken off would take its
        whole transaction with it.
        """
        if cancel is None:
            yield
            return
        connection: sqlite3.Connection = self.database.connection()
        connection.set_progress_handler(cancel.is_set, _STEPS_BETWEEN_LOOKS)
        self._seen.cancel = cancel
        try:
            self.check_cancel()
            yield
        except (PeeweeOperationalError, sqlite3.OperationalError) as error:
            if "interrupted" in str(error) and cancel.is_set():
                raise Cancelled from None
            raise
        finally:
            self._seen.cancel = None
            with contextlib.suppress(sqlite3.ProgrammingError):  # closed meanwhile
                connection.set_progress_handler(None, 0)

    def check_cancel(self) -> None:
        """Raise Cancelled when the question of this thread is not wanted any more."""
        check_cancel(getattr(self._seen, "cancel", None))

    @contextlib.contextmanager
    def writing(
        self, expected: int | None = None, *, quiet: bool = False
    ) -> Iterator[SqliteDatabase]:
        """A write transaction that raises the generation, unless it is ``quiet``: then what is
        written concerns no reader. Rolled back on any exception.

        Raises IndexReplaced when the generation is not the ``expected`` one.
        """
        with self.connected() as database, database.atomic("IMMEDIATE"):
            generation = self.generation()
            if expected is not None and generation != expected:
                raise IndexReplaced
            yield database
            if not quiet:
                self.set("generation", str(max(self.generation(), generation) + 1))

    @contextlib.contextmanager
    def lease(
        self, cancel: CancelToken | None = None, seconds: float = LEASE_SECONDS
    ) -> Iterator[None]:
        """Be the one writer of this index, across processes; waits for another, up to ``seconds``.

        Raises IndexBusy when the wait is over, Cancelled, or IndexUnwritable.
        """
        lock = FileLock(self.folder / "index.lock")
        deadline = time.monotonic() + seconds
        try:
            while True:
                check_cancel(cancel)
                try:
                    lock.acquire(timeout=0.2, poll_interval=0.02)
                    break
                except Timeout:
                    if time.monotonic() > deadline:
                        raise IndexBusy(
                            "Another Daybank is reading this folder.",
                            "Search works meanwhile. Try again in a minute.",
                        ) from None
        except OSError as error:
            raise IndexUnwritable(
                "The search index cannot be written.",
                f"“{self.folder}”: {error.strerror or error}. Your notes are untouched.",
            ) from error
        try:
            with self._use():
                yield
        finally:
            lock.release()

    # -- making and mending (under the lease)

    def prepare(self) -> bool:
        """Make sure there is a current index to write to; True when it was made anew, empty.

        An index of another version is emptied in one transaction; one that cannot be opened is
        removed with its journals. The person's files are never touched.
        """
        if self.is_current():
            return False
        self.start_over()
        return True

    def start_over(self) -> None:
        """Empty the index in one transaction of its own, or make the file anew if that fails."""
        try:
            self._start_over()
        except (PeeweeDatabaseError, sqlite3.DatabaseError) as error:
            # An index made with FTS5 cannot even be emptied by an SQLite that has none.
            if not is_damage(error) and "no such module" not in str(error):
                raise
            log.warning("The index could not be read and is made anew: %s", error)
            self.remove()
            self._start_over()

    def _start_over(self) -> None:
        with self.connected(make=True) as database, database.atomic("IMMEDIATE"):
            self.recreate()

    def recreate(self) -> None:
        """Drop and make all tables, inside the caller's transaction."""
        # Counted on from the clock, so that no state of a new file is taken for one of the old.
        generation = time.time_ns() // 1000
        with contextlib.suppress(PeeweeDatabaseError, sqlite3.DatabaseError, ValueError):
            generation = max(generation, self.generation() + 1)
        drop_everything(self.database)
        create_tables(self.database, self.tables, fts5=self.has_fts5)
        self.set("analyzer", str(ANALYZER_VERSION))
        self.set("search", "fts5" if self.has_fts5 else "like")
        self.set("generation", str(generation))

    def remove(self) -> None:
        """Delete the index file and its journals; tried again while another program holds them."""
        self.close()
        self._unlink(("", *_JOURNALS))

    def shrink_journal(self) -> None:
        """Move the journal into the file, so that it does not stay beside it; readers that keep
        it in use are not waited for long."""
        with self.connected() as database:
            database.execute_sql("PRAGMA busy_timeout = 500")
            try:
                database.execute_sql("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
            finally:
                database.execute_sql(f"PRAGMA busy_timeout = {int(_BUSY_SECONDS * 1000)}")

    def close(self) -> None:
        """Close every connection, when the other threads are done with theirs. One that is not
        done in time keeps its own until it ends."""
        me = threading.get_ident()
        with self._gate:
            self._gate.wait_for(lambda: self._closing is None, _CLOSING_SECONDS)
            self._closing = me
            alone = self._gate.wait_for(lambda: not set(self._users) - {me}, _CLOSING_SECONDS)
            self._epoch += 1
            if alone:
                self._connections.close_all()
            else:
                self._connections.forget()
            self._closing = None
            self._gate.notify_all()

    # -- inside

    @contextlib.contextmanager
    def _use(self) -> Iterator[None]:
        """Keep the connections from being closed meanwhile."""
        me = threading.get_ident()
        with self._gate:
            # One that is at it already must be let on, or who closes would wait for it for ever.
            self._gate.wait_for(lambda: me in self._users or self._closing is None)
            self._users[me] = self._users.get(me, 0) + 1
        try:
            yield
        finally:
            with self._gate:
                self._users[me] -= 1
                if not self._users[me]:
                    del self._users[me]
                self._gate.notify_all()

    def _connect_here(self, make: bool) -> None:
        inode = _inode(self.path)
        if (self._epoch, inode) != getattr(self._seen, "state", None):
            # The file was deleted or replaced under us: what this thread has open is a ghost.
            self._connections.forget()
        try:
            if inode is None:
                if not make:
                    raise IndexGone("no such table: the index file is gone")
                # A journal without its file belongs to an index that is gone.
                self._unlink(_JOURNALS)
                # SQLite gives its journals the mode of the file; the notes in it are private.
                os.close(os.open(self.path, os.O_CREAT | os.O_RDWR, 0o600))
            self.database.connect(reuse_if_open=True)
            self._seen.state = (self._epoch, _inode(self.path))
        except OSError as error:
            raise _unwritable(self.folder, error.strerror or str(error)) from error
        except (PeeweeOperationalError, sqlite3.OperationalError) as error:
            if "unable to open" in str(error) or "readonly" in str(error):
                raise _unwritable(self.folder, "It cannot be opened") from error
            raise

    def _unlink(self, suffixes: tuple[str, ...]) -> None:
        for suffix in suffixes:
            place = self.path.with_name(self.path.name + suffix)
            for pause in (0.05, 0.2, 0.5, None):
                try:
                    place.unlink(missing_ok=True)
                    break
                except PermissionError as error:
                    if pause is None:
                        raise IndexUnwritable(
                            "The search index is damaged and held by another program.",
                            "Close other copies of Daybank, then try again."
                            " Your notes are untouched.",
                        ) from error
                    time.sleep(pause)
                except OSError as error:
                    raise _unwritable(self.folder, error.strerror or str(error)) from error

    def _versions(self) -> dict[str, str]:
        rows = self.database.execute_sql(
            "SELECT key, value FROM meta WHERE key IN ('schema', 'analyzer', 'search')"
        ).fetchall()
        return {str(key): str(value) for key, value in rows}

    def _expected_versions(self) -> dict[str, str]:
        return {
            "schema": str(SCHEMA_VERSION),
            "analyzer": str(ANALYZER_VERSION),
            "search": "fts5" if self.has_fts5 else "like",
        }


def _inode(path: Path) -> tuple[int, int] | None:
    try:
        info = path.stat()
    except OSError:
        return None
    return info.st_dev, info.st_ino


def _unwritable(folder: Path, reason: str) -> IndexUnwritable:
    return IndexUnwritable(
        "The search index cannot be opened.",
        f"“{folder}”: {reason}. Your notes are untouched.",
    )


def explain(error: Exception, folder: Path) -> DaybankError | None:
    """The error a person can meet for a database error; None if it is a bug."""
    text = str(error)
    if "disk is full" in text:
        return IndexUnwritable(
            "The search index cannot be written: the disk is full.",
            f"Make some room on the disk of “{folder}”, then try again. Your notes are untouched.",
        )
    if "disk I/O" in text:
        return IndexUnwritable(
            "The search index cannot be read or written: the disk reports an error.",
            f"See whether the disk of “{folder}” is full or failing. Your notes are untouched.",
        )
    if "locked" in text or "busy" in text:
        return IndexBusy("Another program is using the search index.", "Try again in a moment.")
    if "readonly" in text or "unable to open" in text:
        return IndexUnwritable(
            "The search index cannot be written.",
            f"“{folder}” is read-only. Your notes are untouched.",
        )
    return None


def is_damage(error: Exception) -> bool:
    """Whether a database error means that the file itself is broken, or gone."""
    text = str(error).lower()
    return any(
        sign in text
        for sign in (
            "malformed",
            "not a database",
            "corrupt",
            "no such table",
            "no such column",
            "no such collation",
            "unsupported file format",
        )
    )
