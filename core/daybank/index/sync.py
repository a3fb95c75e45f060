"""Files → index: what changed is read again, what is gone is taken out.

A file's content hash is the truth; its stat is only a hint not to read it. Runs on the caller's
thread, under the writer lease, in short transactions; stopping it between files loses nothing.
"""

from __future__ import annotations

import hashlib
import json
import logging
import os
import sqlite3
import time
from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import date, tzinfo

from peewee import DatabaseError as PeeweeDatabaseError
from peewee import SqliteDatabase

from daybank.clock import Clock
from daybank.dates import Interval
from daybank.errors import DaybankError, SourceGone, WorkspaceUnreadable
from daybank.index.analysis import terms_of
from daybank.index.database import IndexDatabase, explain, is_damage
from daybank.index.schema import FIRST_DAY, FTS_TABLE, LAST_DAY, SEPARATOR, UNDATED
from daybank.markdown.chatlog import parse_chat
from daybank.markdown.model import Kind, Lint, ParsedFile, Passage, Role
from daybank.markdown.names import entity_key, passage_id
from daybank.markdown.passages import parse_file, role_of
from daybank.progress import CancelToken, OnProgress, Progress, check_cancel
from daybank.workspace import FileEntry, Inventory, WorkspaceFolder

log = logging.getLogger(__name__)

FLAG_MACHINE, FLAG_UNTRUSTED = 1, 2

_BATCH_FILES = 40
_RACY_NS = 2_000_000_000
_SOUND_FOR_SECONDS = 24 * 3600.0
_SMALL_INDEX_BYTES = 32 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class SyncReport:
    """What one sync did. ``skipped`` lists files that are there and not searched, with why.

    ``complete`` is False when part of the folder could not be listed; then nothing was taken for
    deleted. ``rebuilt`` says that the index was made anew.
    """

    added: int
    changed: int
    removed: int
    unchanged: int
    passages: int
    skipped: tuple[Lint, ...]
    seconds: float
    complete: bool
    rebuilt: bool

    @property
    def is_change(self) -> bool:
        return bool(self.added or self.changed or self.removed or self.rebuilt)


@dataclass(frozen=True, slots=True)
class _Known:
    """What the index remembers of a file."""

    id: int
    sha256: bytes
    hint: str
    read_ns: int


@dataclass(frozen=True, slots=True)
class _Read:
    """A file that was read because it may have changed."""

    entry: FileEntry
    sha256: bytes
    read_ns: int
    parsed: ParsedFile | None  # None when the content is what the index has


class Synchronizer:
    """Brings one index up to date with its folder. Holds no state between runs but whether the
    index was already found sound by this object."""

    def __init__(self, folder: WorkspaceFolder, index: IndexDatabase, clock: Clock) -> None:
        self._folder = folder
        self._index = index
        self._clock = clock
        self._verified = False

    def run(
        self,
        progress: OnProgress | None = None,
        cancel: CancelToken | None = None,
        *,
        rebuild: bool = False,
        within: str = "",
    ) -> SyncReport:
        """Sync the whole folder, or only the file or folder ``within`` it.

        ``rebuild`` reads everything again; the old index answers until the new one is whole.
        Raises Cancelled, IndexBusy, IndexUnwritable, WorkspaceUnreadable.
        """
        started = time.monotonic()
        with self._index.lease(cancel):
            try:
                return self._run(progress, cancel, rebuild, within, started)
            except (PeeweeDatabaseError, sqlite3.DatabaseError) as error:
                if not is_damage(error):
                    explained = explain(error, self._index.folder)
                    if explained is error:
                        raise
                    raise explained from error
                log.warning("The index is damaged and is made anew: %s", error)
                self._index.remove()
                return self._run(progress, cancel, True, "", started)

    def _run(
        self,
        progress: OnProgress | None,
        cancel: CancelToken | None,
        rebuild: bool,
        within: str,
        started: float,
    ) -> SyncReport:
        fresh = self._index.prepare()
        if not fresh and not rebuild:
            fresh = self._restart_if_unsound()
        if fresh:
            within = ""
        _tell(progress, Progress("scan", 0, 0))
        inventory = self._folder.inventory(within)
        self._folder.clear_leftovers(inventory.leftovers)
        run = _Run(self._folder, self._index, self._clock, inventory, within, progress, cancel)
        if rebuild and not fresh:
            counts = run.rebuild()
        else:
            counts = run.update()
        return SyncReport(
            *counts,
            passages=run.count_passages(),
            skipped=tuple(Lint(s.path, 0, s.code, s.message) for s in inventory.skipped),
            seconds=time.monotonic() - started,
            complete=inventory.complete,
            rebuilt=rebuild or fresh,
        )

    def _restart_if_unsound(self) -> bool:
        """Check the index once per object, a large one once a day; empty it if in doubt."""
        if self._verified:
            return False
        self._verified = True
        with self._index.connected():
            checked = float(self._index.get("checked") or 0)
            interrupted = self._index.get("writing") == "1"
        now = time.time()
        large = self._index.path.stat().st_size > _SMALL_INDEX_BYTES
        if large and not interrupted and 0 <= now - checked < _SOUND_FOR_SECONDS:
            return False
        if self._index.is_sound():
            with self._index.connected():
                self._index.set("checked", str(now))
            return False
        log.warning("The index failed its integrity check and is made anew.")
        try:
            self._index.start_over()
        except (PeeweeDatabaseError, sqlite3.DatabaseError):
            self._index.remove()
            self._index.start_over()
        return True


class _Run:
    """One pass over an inventory."""

    def __init__(
        self,
        folder: WorkspaceFolder,
        index: IndexDatabase,
        clock: Clock,
        inventory: Inventory,
        within: str,
        progress: OnProgress | None,
        cancel: CancelToken | None,
    ) -> None:
        self.folder = folder
        self.index = index
        self.clock = clock
        self.inventory = inventory
        self.within = within
        self.progress = progress
        self.cancel = cancel
        self.zone: tzinfo | None = clock.now().tzinfo
        self.owner = _owner_id(folder)
        self.unread: list[Lint] = []
        self.added = self.changed = self.removed = self.unchanged = 0

    def update(self) -> tuple[int, int, int, int]:
        """Read what may have changed; returns (added, changed, removed, unchanged) files."""
        known = self._known()
        todo = [e for e in self.inventory.files if not self._is_certain(known.get(e.path), e)]
        self.unchanged = len(self.inventory.files) - len(todo)
        done = 0
        for start in range(0, len(todo), _BATCH_FILES):
            batch: list[_Read] = []
            for entry in todo[start : start + _BATCH_FILES]:
                check_cancel(self.cancel)
                done += 1
                _tell(self.progress, Progress("read", done, len(todo), entry.path))
                read = self._read(entry, known.get(entry.path))
                if read is not None:
                    batch.append(read)
            if batch:
                with self.index.writing() as database:
                    self._store(database, batch, known)
        self._finish(known, bulk=len(todo) > 400)
        return self.added, self.changed, self.removed, self.unchanged

    def rebuild(self) -> tuple[int, int, int, int]:
        """Make the index anew in one transaction; until it commits the old one answers."""
        total = len(self.inventory.files)
        with self.index.writing() as database:
            self.index.recreate()
            for done, entry in enumerate(self.inventory.files, 1):
                check_cancel(self.cancel)
                _tell(self.progress, Progress("read", done, total, entry.path))
                read = self._read(entry, None)
                if read is not None:
                    self._store(database, [read], {})
            self._conclude(database, {}, bulk=True)
        self._checkpoint()
        return self.added, self.changed, self.removed, self.unchanged

    def count_passages(self) -> int:
        with self.index.connected() as database:
            row = database.execute_sql("SELECT COALESCE(SUM(passages), 0) FROM file").fetchone()
        return int(row[0])

    # -- reading

    def _known(self) -> dict[str, _Known]:
        with self.index.connected() as database:
            rows = database.execute_sql("SELECT path, id, sha256, hint, read_ns FROM file")
            return {path: _Known(id_, bytes(sha), hint, ns) for path, id_, sha, hint, ns in rows}

    def _is_certain(self, known: _Known | None, entry: FileEntry) -> bool:
        """Whether the stat alone proves that nothing changed: the same in every part, and not so
        young when it was read that a second change could hide behind the clock's grain."""
        return (
            known is not None
            and known.hint == entry.hint
            and entry.newest_ns + _RACY_NS < known.read_ns
        )

    def _read(self, entry: FileEntry, known: _Known | None) -> _Read | None:
        read_ns = time.time_ns()
        try:
            data = self.folder.read_bytes(entry.path)
        except SourceGone:
            return None
        except WorkspaceUnreadable as error:
            self.unread.append(Lint(entry.path, 0, "unreadable", f"{error.title} {error.message}"))
            return None
        digest = hashlib.sha256(data).digest()
        if known is not None and known.sha256 == digest:
            return _Read(entry, digest, read_ns, None)
        if role_of(entry.path) is Role.CHAT:
            parsed = parse_chat(entry.path, data, owner_id=self.owner, zone=self.zone)
        else:
            parsed = parse_file(entry.path, data)
        return _Read(entry, digest, read_ns, _with_summary_spans(parsed))

    # -- writing

    def _store(
        self, database: SqliteDatabase, batch: Iterable[_Read], known: dict[str, _Known]
    ) -> None:
        for read in batch:
            old = known.get(read.entry.path)
            if read.parsed is None:
                assert old is not None
                self.unchanged += 1
                database.execute_sql(
                    "UPDATE file SET hint = ?, read_ns = ? WHERE id = ?",
                    (read.entry.hint, read.read_ns, old.id),
                )
                continue
            if not os.path.lexists(self.folder.root / read.entry.path):
                continue  # deleted while it was being read; the prune takes the old rows
            if old is not None:
                remove_file(database, old.id)
                self.changed += 1
            else:
                self.added += 1
            self._insert(database, read, read.parsed, old)

    def _insert(
        self, database: SqliteDatabase, read: _Read, parsed: ParsedFile, old: _Known | None
    ) -> None:
        connection = database.connection()
        cursor = connection.execute(
            "INSERT INTO file(id, path, role, title, day, sha256, hint, read_ns, passages)"
            " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (
                old.id if old is not None else None,
                parsed.path,
                str(parsed.role),
                parsed.title,
                parsed.day.toordinal() if parsed.day else None,
                read.sha256,
                read.entry.hint,
                read.read_ns,
                len(parsed.passages),
            ),
        )
        file_id = cursor.lastrowid
        first = connection.execute("SELECT COALESCE(MAX(id), 0) + 1 FROM passage").fetchone()[0]
        rows, terms, mentions = [], [], []
        trails: dict[tuple[str, ...], str] = {}
        for id_, passage in enumerate(parsed.passages, first):
            names = SEPARATOR.join(passage.mentions)
            spoken = passage.mentions[: passage.subjects]
            own = terms_of(_spoken(passage, spoken))
            context = trails.get(passage.trail)
            if context is None:
                context = trails[passage.trail] = terms_of(" \n".join(passage.trail)).stems
            rows.append(_row(id_, int(file_id or 0), passage, names, own.words.count(" ") + 1))
            terms.append((id_, own.words, own.stems, context))
            day = passage.day.toordinal() if passage.day else UNDATED
            for name in passage.mentions:
                mentions.append((entity_key(name), day, id_, name))
        connection.executemany(_INSERT_PASSAGE, rows)
        connection.executemany(
            f"INSERT INTO {FTS_TABLE}(rowid, words, stems, context) VALUES (?, ?, ?, ?)", terms
        )
        connection.executemany(
            "INSERT OR IGNORE INTO mention(key, day, passage_id, name) VALUES (?, ?, ?, ?)",
            [m for m in mentions if m[0]],
        )
        connection.executemany(
            "INSERT INTO lint(file_id, path, line, code, message) VALUES (?, ?, ?, ?, ?)",
            [(file_id, lint.path, lint.line, lint.code, lint.message) for lint in parsed.lints],
        )
        if parsed.entity is not None:
            key = entity_key(parsed.entity.title)
            connection.execute(
                "INSERT INTO entity_page(file_id, key, title, type) VALUES (?, ?, ?, ?)",
                (file_id, key, parsed.entity.title, parsed.entity.type),
            )
            connection.executemany(
                "INSERT INTO alias(file_id, key, name) VALUES (?, ?, ?)",
                [(file_id, entity_key(alias), alias) for alias in parsed.entity.aliases],
            )

    def _finish(self, known: dict[str, _Known], *, bulk: bool) -> None:
        with self.index.writing() as database:
            self._conclude(database, known, bulk=bulk)
        if bulk:
            self._checkpoint()

    def _conclude(
        self, database: SqliteDatabase, known: dict[str, _Known], *, bulk: bool
    ) -> None:
        """Take out what is gone, note what is not searched, resolve summaries."""
        _tell(self.progress, Progress("finish", 0, 0))
        if self._may_prune(known):
            present = {entry.path for entry in self.inventory.files} | self.inventory.waiting
            for path, old in known.items():
                if path not in present and self._in_scope(path):
                    remove_file(database, old.id)
                    self.removed += 1
        if not self.within:
            database.execute_sql("DELETE FROM lint WHERE file_id IS NULL")
            notes = [Lint(s.path, 0, s.code, s.message) for s in self.inventory.skipped]
            database.connection().executemany(
                "INSERT INTO lint(file_id, path, line, code, message) VALUES (NULL, ?, ?, ?, ?)",
                [(n.path, n.line, n.code, n.message) for n in (*notes, *self.unread)],
            )
        if self.added or self.changed or self.removed:
            resolve_summaries(database)
        if bulk and self.index.has_fts5:
            database.execute_sql(f"INSERT INTO {FTS_TABLE}({FTS_TABLE}) VALUES ('optimize')")
        if bulk:
            database.execute_sql("ANALYZE")
        self.index.set("synced", self.clock.now().isoformat(timespec="seconds"))

    def _may_prune(self, known: dict[str, _Known]) -> bool:
        """Deletions are believed only after a complete walk. A folder that is suddenly empty of
        everything, our own state folder too, is a drive that is not connected."""
        if not self.inventory.complete:
            return False
        if known and not self.inventory.files and not self.within:
            return (self.folder.root / ".memory").is_dir()
        return True

    def _in_scope(self, path: str) -> bool:
        scope = self.within.strip("/")
        return not scope or path == scope or path.startswith(scope + "/")

    def _checkpoint(self) -> None:
        """Move a large journal into the file, so that it does not stay beside it."""
        with self.index.connected() as database:
            database.execute_sql("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()


_INSERT_PASSAGE = (
    "INSERT INTO passage(id, file_id, kind, line_start, line_end, day, event_start, event_end,"
    " confidence, uid, content, trail, names, subjects, cites, flags, length)"
    " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
)


def remove_file(database: SqliteDatabase, file_id: int) -> None:
    """Take a file and everything derived from it out of the index."""
    database.execute_sql(
        f"DELETE FROM {FTS_TABLE} WHERE rowid IN (SELECT id FROM passage WHERE file_id = ?)",
        (file_id,),
    )
    for statement in (
        "DELETE FROM mention WHERE passage_id IN (SELECT id FROM passage WHERE file_id = ?)",
        "DELETE FROM passage WHERE file_id = ?",
        "DELETE FROM file WHERE id = ?",
    ):
        database.execute_sql(statement, (file_id,))


def resolve_summaries(database: SqliteDatabase) -> None:
    """Give each observation that cites facts the span of what they speak of.

    A citation counts by fact id, else by its place, else by the day of the file it names. The
    result depends only on what is in the index, not on the order in which it came.
    """
    rows = database.execute_sql(
        "SELECT p.id, p.cites, p.event_start, p.event_end FROM passage p"
        " WHERE p.kind = 'observation' AND p.cites <> ''"
    ).fetchall()
    for id_, cites, old_start, old_end in rows:
        days: list[tuple[int, int]] = []
        for cite in cites.split(SEPARATOR):
            days.extend(_cited_days(database, cite))
        if not days:
            continue
        start, end = min(d[0] for d in days), max(d[1] for d in days)
        if (start, end) != (old_start, old_end):
            database.execute_sql(
                "UPDATE passage SET event_start = ?, event_end = ? WHERE id = ?", (start, end, id_)
            )


def _cited_days(database: SqliteDatabase, cite: str) -> list[tuple[int, int]]:
    columns = "p.event_start, p.event_end, p.day"
    if cite.startswith("f-"):
        found = database.execute_sql(
            f"SELECT {columns} FROM passage p WHERE p.uid = ? AND p.kind <> 'observation'", (cite,)
        ).fetchall()
    else:
        path, _, lines = cite.partition("#L")
        line = int(lines.split("-")[0])
        found = database.execute_sql(
            f"SELECT {columns} FROM passage p JOIN file f ON f.id = p.file_id"
            " WHERE f.path = ? AND p.line_start <= ? AND p.line_end >= ?",
            (path, line, line),
        ).fetchall()
    days = []
    for start, end, day in found:
        if start is not None:
            days.append((start, end))
        elif day is not None:
            days.append((day, day))
    return days


def _row(
    id_: int, file_id: int, passage: Passage, names: str, length: int
) -> tuple[object, ...]:
    event = passage.event
    return (
        id_,
        file_id,
        passage.kind.value,
        passage.source.line_start,
        passage.source.line_end,
        passage.day.toordinal() if passage.day else None,
        _ordinal(event.start, FIRST_DAY) if event else None,
        _ordinal(event.end, LAST_DAY) if event else None,
        passage.confidence,
        passage.fact_id or passage_id(passage.kind, passage.content, passage.day),
        passage.content,
        SEPARATOR.join(passage.trail),
        names,
        passage.subjects,
        SEPARATOR.join(passage.cites),
        (FLAG_MACHINE if passage.machine else 0) | (FLAG_UNTRUSTED if passage.untrusted else 0),
        length,
    )


def _spoken(passage: Passage, subjects: tuple[str, ...]) -> str:
    """A fact's names belong to what it says: ``@Peter: likes tea`` is found by both words."""
    return f"{' '.join(subjects)}\n{passage.content}" if subjects else passage.content


def _ordinal(day: date | None, open_end: int) -> int:
    return day.toordinal() if day is not None else open_end


def _with_summary_spans(parsed: ParsedFile) -> ParsedFile:
    """An observation that says no time of its own and cites nothing spans the dated facts about
    the same people that stand before it under the same headings."""
    if not any(p.kind is Kind.OBSERVATION and not p.event and not p.cites for p in parsed.passages):
        return parsed
    passages = list(parsed.passages)
    for index, passage in enumerate(passages):
        if passage.kind is not Kind.OBSERVATION or passage.event or passage.cites:
            continue
        keys = {entity_key(name) for name in passage.mentions}
        events = [
            other.event
            for other in passages[:index]
            if other.kind.is_fact
            and other.kind is not Kind.OBSERVATION
            and other.trail == passage.trail
            and other.event is not None
            and keys & {entity_key(name) for name in other.mentions}
        ]
        span = _hull([event for event in events if event is not None])
        if span is not None:
            passages[index] = replace(passage, event=span)
    return replace(parsed, passages=tuple(passages))


def _hull(events: list[Interval]) -> Interval | None:
    if not events:
        return None
    starts = [event.start for event in events]
    ends = [event.end for event in events]
    start = None if None in starts else min(day for day in starts if day is not None)
    end = None if None in ends else max(day for day in ends if day is not None)
    return Interval(start, end) if start or end else None


def _owner_id(folder: WorkspaceFolder) -> str | None:
    try:
        state = json.loads(folder.read_bytes("state/state.json"))
    except (DaybankError, ValueError):
        return None
    owner = state.get("owner_id") if isinstance(state, dict) else None
    return str(owner) if owner is not None else None


def _tell(progress: OnProgress | None, news: Progress) -> None:
    if progress is not None:
        progress(news)
