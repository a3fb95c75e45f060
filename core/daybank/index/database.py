"""One SQLite file: connections, versions, the writer lease, and what to do when it is in doubt.

Any number of threads and processes read at once (WAL); one writes, holding a lease that the
operating system takes back when its process dies. Each thread has its own connection.
"""

from __future__ import annotations

import contextlib
import logging
import sqlite3
import threading
import time
import weakref
from collections.abc import Callable, Iterator
from pathlib import Path

from filelock import FileLock, Timeout
from peewee import DatabaseError as PeeweeDatabaseError
from peewee import SqliteDatabase

from daybank.errors import IndexBusy, IndexUnwritable
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
LEASE_SECONDS = 60.0
_BUSY_SECONDS = 15.0

ConnectionFactory = Callable[..., sqlite3.Connection]


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
        self._opened: weakref.WeakSet[sqlite3.Connection] = weakref.WeakSet()
        self._guard = threading.Lock()

    def _connect(self) -> sqlite3.Connection:
        connection = self._factory(
            self.database,
            timeout=_BUSY_SECONDS,
            isolation_level=None,
            check_same_thread=False,
            factory=_Connection,
        )
        try:
            self._add_conn_hooks(connection)
        except Exception:
            connection.close()
            raise
        with self._guard:
            self._opened.add(connection)
        return connection

    def close_all(self) -> None:
        """Close every thread's connection. No thread may be using one."""
        with contextlib.suppress(PeeweeDatabaseError):
            self.close()
        with self._guard:
            for connection in list(self._opened):
                with contextlib.suppress(sqlite3.Error):
                    connection.close()
            self._opened.clear()


class _Connection(sqlite3.Connection):
    """A connection that can be referred to weakly."""


class IndexDatabase:
    """The index file of one workspace. The constructor opens nothing.

    ``connect`` stands in for :func:`sqlite3.connect` (tests simulate a library without FTS5).
    """

    def __init__(self, folder: Path, connect: ConnectionFactory = sqlite3.connect) -> None:
        self.folder = folder
        self.path = folder / INDEX_NAME
        self._connect = connect
        self.database = _Database(str(self.path), connect)
        self.tables: Tables = bind_tables(self.database)
        self._fts5: bool | None = None
        self._seen = threading.local()

    # -- state

    @property
    def has_fts5(self) -> bool:
        """Whether this SQLite can do full-text search. Asked once, of a database in memory."""
        if self._fts5 is None:
            connection = self._connect(":memory:")
            try:
                connection.execute("CREATE VIRTUAL TABLE probe USING fts5(text)")
                self._fts5 = True
            except sqlite3.OperationalError:
                self._fts5 = False
            finally:
                connection.close()
        return self._fts5

    def is_current(self) -> bool:
        """Whether the file is there, whole as far as a look can tell, and of this version."""
        if not self.path.exists():
            return False
        try:
            with self.connected():
                return self._versions() == self._expected_versions()
        except (PeeweeDatabaseError, sqlite3.DatabaseError):
            return False

    def is_sound(self) -> bool:
        """SQLite's and FTS5's own integrity checks. Reads the whole file."""
        try:
            with self.connected():
                row = self.database.execute_sql("PRAGMA quick_check(1)").fetchone()
                if row is None or row[0] != "ok":
                    return False
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
        except (PeeweeDatabaseError, sqlite3.DatabaseError):
            return False

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
        """A number that is different after every committed change."""
        return int(self.get("generation") or 0)

    # -- connections and transactions

    @contextlib.contextmanager
    def connected(self) -> Iterator[SqliteDatabase]:
        """This thread's connection, opened when needed and kept for the next time."""
        inode = _inode(self.path)
        if inode != getattr(self._seen, "inode", None):
            # The file was deleted or replaced under us: what this thread has open is a ghost.
            with contextlib.suppress(PeeweeDatabaseError):
                self.database.close()
        try:
            self.database.connect(reuse_if_open=True)
            self._seen.inode = _inode(self.path)
        except (PeeweeDatabaseError, sqlite3.OperationalError) as error:
            if "unable to open" in str(error) or "readonly" in str(error):
                raise IndexUnwritable(
                    "The search index cannot be opened.",
                    f"“{self.path.parent}” cannot be written. Your notes are untouched.",
                ) from error
            raise
        yield self.database

    @contextlib.contextmanager
    def writing(self) -> Iterator[SqliteDatabase]:
        """A write transaction that raises the generation. Rolled back on any exception."""
        with self.connected() as database, database.atomic("IMMEDIATE"):
            yield database
            self.set("generation", str(self.generation() + 1))

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
                f"{error.strerror or error}. Your notes are untouched.",
            ) from error
        try:
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
        try:
            self.start_over()
        except (PeeweeDatabaseError, sqlite3.DatabaseError) as error:
            if _is_full(error):
                raise _full_disk(self.folder) from error
            log.warning("The index could not be read and is made anew: %s", error)
            self.remove()
            self.start_over()
        return True

    def start_over(self) -> None:
        """Empty the index in one transaction of its own."""
        with self.connected() as database, database.atomic("EXCLUSIVE"):
            self.recreate()

    def recreate(self) -> None:
        """Drop and make all tables, inside the caller's transaction."""
        generation = 0
        with contextlib.suppress(PeeweeDatabaseError, sqlite3.DatabaseError):
            generation = self.generation()
        drop_everything(self.database)
        create_tables(self.database, self.tables, fts5=self.has_fts5)
        self.set("analyzer", str(ANALYZER_VERSION))
        self.set("search", "fts5" if self.has_fts5 else "like")
        self.set("generation", str(generation + 1))

    def remove(self) -> None:
        """Delete the index file and its journals; tried again while another program holds them."""
        self.database.close_all()
        for suffix in ("", "-wal", "-shm", "-journal"):
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

    def close(self) -> None:
        """Close every connection. No other thread may be using the index."""
        self.database.close_all()

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


def _is_full(error: Exception) -> bool:
    return "disk is full" in str(error) or "disk I/O" in str(error)


def _full_disk(folder: Path) -> IndexUnwritable:
    return IndexUnwritable(
        "The search index cannot be written: the disk is full.",
        f"Make some room on the disk of “{folder}”, then try again. Your notes are untouched.",
    )


def explain(error: Exception, folder: Path) -> Exception:
    """The error a person can meet for a database error, or the error itself if it is a bug."""
    text = str(error)
    if _is_full(error):
        return _full_disk(folder)
    if "locked" in text or "busy" in text:
        return IndexBusy(
            "Another Daybank is using the search index.", "Try again in a moment."
        )
    if "readonly" in text or "unable to open" in text:
        return IndexUnwritable(
            "The search index cannot be written.",
            f"“{folder}” is read-only. Your notes are untouched.",
        )
    return error


def is_damage(error: Exception) -> bool:
    """Whether a database error means that the file itself is broken."""
    text = str(error).lower()
    return any(
        sign in text
        for sign in ("malformed", "not a database", "corrupt", "no such table", "no such column")
    )
