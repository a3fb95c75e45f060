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
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta, tzinfo

from peewee import DatabaseError as PeeweeDatabaseError
from peewee import SqliteDatabase

from daybank.clock import Clock
from daybank.dates import Interval
from daybank.errors import DaybankError, IndexBusy, SourceGone, WorkspaceError
from daybank.index import postings
from daybank.index.analysis import terms_of
from daybank.index.database import (
    LEASE_SECONDS,
    IndexDatabase,
    IndexReplaced,
    explain,
    is_damage,
)
from daybank.index.schema import FIRST_DAY, FTS_TABLE, LAST_DAY, SEPARATOR, UNDATED
from daybank.index.texts import Line, text_key, window_texts
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
_SYNCED_IS_RECENT = timedelta(hours=1)


@dataclass(frozen=True, slots=True)
class SyncReport:
    """What one sync did. ``skipped`` lists files that are there and not searched, with why.

    ``complete`` is False when part of the folder could not be listed; then nothing was taken for
    deleted. ``rebuilt`` says that the index was made anew. ``elsewhere`` says that the index had
    been changed since the last sync of the whole folder, not by that: another program may have read
    a note before this one came to it.
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
    elsewhere: bool = False

    @property
    def is_change(self) -> bool:
        """Whether a search may find something else than before."""
        here = self.added or self.changed or self.removed or self.rebuilt
        return bool(here or self.elsewhere)


@dataclass(frozen=True, slots=True)
class _Known:
    """What the index remembers of a file."""

    id: int
    sha256: bytes
    hint: str
    device: int
    read_ns: int


@dataclass(frozen=True, slots=True)
class _Read:
    """A file that was read because it may have changed."""

    entry: FileEntry
    sha256: bytes
    read_ns: int
    parsed: ParsedFile | None  # None when the content is what the index has


class Synchronizer:
    """Brings one index up to date with its folder. Between runs it remembers only whether the
    index was already found sound, when it was last compared with the folder, and in which state
    that left it."""

    def __init__(self, folder: WorkspaceFolder, index: IndexDatabase, clock: Clock) -> None:
        self._folder = folder
        self._index = index
        self._clock = clock
        self._verified = False
        self._distrusted = False
        self._left: int | None = None
        self.last_run: datetime | None = None

    def distrust(self) -> None:
        """A read found the index damaged: the next run checks all of it first."""
        self._distrusted = True

    def run(
        self,
        progress: OnProgress | None = None,
        cancel: CancelToken | None = None,
        *,
        rebuild: bool = False,
        within: str = "",
        wait: float = LEASE_SECONDS,
    ) -> SyncReport:
        """Sync the whole folder, or only the file or folder ``within`` it.

        ``rebuild`` reads everything again; the old index answers until the new one is whole.
        Another sync of the same index is waited for, up to ``wait`` seconds.
        Raises Cancelled, IndexBusy, IndexUnwritable, WorkspaceUnreadable.
        """
        started = time.monotonic()
        self._folder.check_connected()
        with self._index.lease(cancel, wait):
            for last_try in (False, False, True):
                try:
                    report = self._run(progress, cancel, rebuild, within, started)
                except IndexReplaced:
                    if last_try:
                        raise _busy() from None
                except (PeeweeDatabaseError, sqlite3.DatabaseError) as error:
                    if last_try or not is_damage(error):
                        explained = explain(error, self._index.folder)
                        if explained is None:
                            raise
                        raise explained from error
                    log.warning("The index is damaged and is made anew: %s", error)
                    self._folder.state_dir()
                    self._index.remove()
                else:
                    self.last_run = self._clock.now()
                    return report
        raise AssertionError("the last try returns or raises")

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
            self._distrusted = False
        elsewhere = not within and self._left not in (None, self._state())
        _tell(progress, Progress("scan", 0, 0))
        inventory = self._folder.inventory(within)
        if within and inventory.has_twins:
            # Which of several names of one file is read depends on all the others.
            within = ""
            inventory = self._folder.inventory()
        self._folder.clear_leftovers(inventory.leftovers)

        def new_run() -> _Run:
            return _Run(self._folder, self._index, self._clock, inventory, within, progress, cancel)

        run = new_run()
        if rebuild and not fresh:
            try:
                run.rebuild()
            except _MustKeep:
                run = new_run()
                run.read_all_again()
        else:
            run.update()
        if not within:
            self._left = self._state()
        notes = [Lint(s.path, 0, s.code, s.message) for s in inventory.skipped]
        return SyncReport(
            run.added,
            run.changed,
            run.removed,
            run.unchanged,
            passages=run.count_passages(),
            skipped=tuple(sorted([*notes, *run.unread], key=lambda lint: lint.path)),
            seconds=time.monotonic() - started,
            complete=inventory.complete and not run.offline,
            rebuilt=rebuild or fresh,
            elsewhere=elsewhere,
        )

    def _state(self) -> int:
        with self._index.connected():
            return self._index.generation()

    def _restart_if_unsound(self) -> bool:
        """Check the index once per object, a large one once a day; empty it if in doubt."""
        if self._verified and not self._distrusted:
            return False
        with self._index.connected():
            checked = float(self._index.get("checked") or 0)
        now = time.time()
        large = self._index.path.stat().st_size > _SMALL_INDEX_BYTES
        if large and not self._distrusted and 0 <= now - checked < _SOUND_FOR_SECONDS:
            self._verified = True
            return False
        sound = self._index.is_sound()
        self._verified = True
        self._distrusted = False
        if sound:
            if large:
                with self._index.writing(quiet=True):
                    self._index.set("checked", str(now))
            return False
        log.warning("The index failed its integrity check and is made anew.")
        self._index.start_over()
        return True


class _MustKeep(Exception):
    """The index holds something of a file that cannot be read now."""


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
        self.scope = within
        self.progress = progress
        self.cancel = cancel
        self.zone: tzinfo | None = clock.now().tzinfo
        self.owner = owner_of(folder)
        self.reading_of_chats = f"{self.owner}|{self.zone}"
        self.unread: list[Lint] = []
        self.offline: list[str] = []  # folders that seem to be on a drive that is not connected
        self.vanished: set[str] = set()  # files that went away after they were listed
        self.generation: int | None = None
        self.added = self.changed = self.removed = self.unchanged = 0

    def update(self) -> None:
        """Read what may have changed."""
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
            self._publish(batch, known)
        bulk = len(todo) > 400
        self._finish(known, bulk=bulk)
        if bulk:
            self.index.shrink_journal()

    def rebuild(self) -> None:
        """Make the index anew in one transaction; until it commits the old one answers.

        Raises _MustKeep, with nothing done, when it holds something that would be lost: of a file
        that cannot be read now, or a folder that cannot be listed.
        """
        known = self._known()
        missing = known.keys() - {entry.path for entry in self.inventory.files}
        if len(self._gone(known)) < len(missing):
            raise _MustKeep
        with self.index.writing(self.generation) as database:
            self.index.recreate()
            self._read_everything(database, known, may_keep=False)
            self._conclude(database, [], bulk=True)
        self.index.shrink_journal()

    def read_all_again(self) -> None:
        """Read every file that can be read, in one transaction, and keep the others as they are."""
        known = self._known()
        with self.index.writing(self.generation) as database:
            self._read_everything(database, known, may_keep=True)
            self._conclude(database, self._gone(known), bulk=True)
        self.index.shrink_journal()

    def count_passages(self) -> int:
        with self.index.connected() as database:
            row = database.execute_sql("SELECT COALESCE(SUM(passages), 0) FROM file").fetchone()
        return int(row[0])

    # -- reading

    def _known(self) -> dict[str, _Known]:
        """What the index remembers of each file, and the state of the index that says so."""
        with self.index.reading() as database:
            self.generation = self.index.generation()
            chats_as_before = self.index.get("chats") in (None, self.reading_of_chats)
            rows = database.execute_sql("SELECT path, id, sha256, hint, device, read_ns FROM file")
            known = {row[0]: _Known(row[1], bytes(row[2]), *row[3:]) for row in rows.fetchall()}
        if not chats_as_before:
            # Who is the owner, and on which day a message was sent, is read differently now.
            for path in known:
                if role_of(path) is Role.CHAT:
                    known[path] = replace(known[path], sha256=b"", hint="")
        return known

    def _is_certain(self, known: _Known | None, entry: FileEntry) -> bool:
        """Whether the stat alone proves that nothing changed: the same in every part, and not so
        young when it was read that a second change could hide behind the clock's grain."""
        return (
            known is not None
            and known.hint == entry.hint
            and entry.newest_ns + _RACY_NS < known.read_ns
        )

    def _read_everything(
        self, database: SqliteDatabase, known: dict[str, _Known], *, may_keep: bool
    ) -> None:
        """Read all files inside the caller's transaction, whatever the index knows of them."""
        total = len(self.inventory.files)
        for done, entry in enumerate(self.inventory.files, 1):
            check_cancel(self.cancel)
            _tell(self.progress, Progress("read", done, total, entry.path))
            read = self._read(entry, None)
            if read is not None:
                self._store(database, read, known.get(entry.path) if may_keep else None)
            elif not may_keep and entry.path in known and entry.path not in self.vanished:
                raise _MustKeep

    def _read(self, entry: FileEntry, known: _Known | None) -> _Read | None:
        read_ns = time.time_ns()
        try:
            data = self.folder.read_bytes(entry.path)
        except SourceGone:
            self.vanished.add(entry.path)
            return None
        except WorkspaceError as error:
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

    def _publish(self, batch: Sequence[_Read], known: dict[str, _Known]) -> None:
        """Write a batch in one transaction; what is as it was costs at most a quiet one."""
        fresh = [read for read in batch if read.parsed is not None]
        same = [read for read in batch if read.parsed is None]
        self.unchanged += len(same)
        notes = [
            (read.entry.hint, read.entry.device, read.read_ns, known[read.entry.path].id)
            for read in same
            if known[read.entry.path].hint != read.entry.hint
            or read.entry.newest_ns + _RACY_NS < read.read_ns
        ]
        if not fresh and not notes:
            return
        with self.index.writing(self.generation, quiet=not fresh) as database:
            database.connection().executemany(
                "UPDATE file SET hint = ?, device = ?, read_ns = ? WHERE id = ?", notes
            )
            for read in fresh:
                self._store(database, read, known.get(read.entry.path))
            if fresh:
                self.index.set("settled", "0")
        if fresh:
            self._follow()

    def _follow(self) -> None:
        """Remember the state of the index that this run has just made."""
        assert self.generation is not None
        self.generation += 1

    def _store(self, database: SqliteDatabase, read: _Read, old: _Known | None) -> None:
        assert read.parsed is not None
        if not os.path.lexists(self.folder.root / read.entry.path):
            self.vanished.add(read.entry.path)  # deleted while it was being read
            return
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
            "INSERT INTO file(id, path, role, title, day, sha256, hint, device, read_ns, passages)"
            " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (
                old.id if old is not None else None,
                parsed.path,
                str(parsed.role),
                parsed.title,
                parsed.day.toordinal() if parsed.day else None,
                read.sha256,
                read.entry.hint,
                read.entry.device,
                read.read_ns,
                len(parsed.passages),
            ),
        )
        file_id = cursor.lastrowid
        first = postings.next_row(database)
        rows, terms, mentions = [], [], []
        trails: dict[tuple[str, ...], str] = {}
        keys = _vector_keys(parsed.passages)
        for id_, passage in enumerate(parsed.passages, first):
            names = SEPARATOR.join(passage.mentions)
            spoken = passage.mentions[: passage.subjects]
            own = terms_of(_spoken(passage, spoken))
            context = trails.get(passage.trail)
            if context is None:
                context = trails[passage.trail] = terms_of(" \n".join(passage.trail)).stems
            rows.append(_row(id_, int(file_id or 0), passage, names, keys[id_ - first]))
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
        """End an update; where nothing is different, nothing is written."""
        _tell(self.progress, Progress("finish", 0, 0))
        gone = self._gone(known)
        with self.index.reading():
            settled = self.index.get("settled") == "1"
            notes_differ = self._stored_notes() != self._notes()
            chats_differ = not self.scope and self.index.get("chats") != self.reading_of_chats
            stale = self._is_stale(self.index.get("synced"))
            unposted = self._is_posting_due()
        if (
            settled
            and not gone
            and not notes_differ
            and not chats_differ
            and not stale
            and not unposted
            and not bulk
        ):
            return
        loud = not settled or bool(gone) or unposted
        with self.index.writing(self.generation, quiet=not loud) as database:
            self._conclude(database, gone, bulk=bulk)

    def _conclude(self, database: SqliteDatabase, gone: Sequence[_Known], *, bulk: bool) -> None:
        """Take out what is gone, note what is not searched, resolve summaries."""
        for old in gone:
            remove_file(database, old.id)
        self.removed += len(gone)
        if self._stored_notes() != self._notes():
            database.execute_sql(
                f"DELETE FROM lint WHERE file_id IS NULL AND {_IN_SCOPE}", self._scope_values()
            )
            database.connection().executemany(
                "INSERT INTO lint(file_id, path, line, code, message) VALUES (NULL, ?, ?, ?, ?)",
                self._notes(),
            )
        if gone or self.index.get("settled") != "1":
            resolve_summaries(database)
            self.index.set("settled", "1")
        if not self.scope:
            self.index.set("chats", self.reading_of_chats)
            self.index.set("synced", self.clock.now().isoformat(timespec="seconds"))
        if bulk and self.index.has_fts5:
            database.execute_sql(f"INSERT INTO {FTS_TABLE}({FTS_TABLE}) VALUES ('optimize')")
        if self._is_posting_due():
            postings.renew(database, self.cancel)
        if bulk:
            database.execute_sql("ANALYZE")

    def _is_posting_due(self) -> bool:
        return self.index.has_fts5 and postings.is_due(self.index.database)

    def _is_stale(self, synced: str | None) -> bool:
        """Whether the time kept in the index is too old (or wrong) to say when it was compared;
        it is not written at every look, lest the folder never comes to rest."""
        if self.scope:
            return False
        if synced is None:
            return True
        age = self.clock.now() - datetime.fromisoformat(synced)
        return not timedelta() <= age + timedelta(seconds=1) <= _SYNCED_IS_RECENT

    def _notes(self) -> list[tuple[str, int, str, str]]:
        """What is in the folder and not searched, with the reason."""
        skipped = [(s.path, 0, s.code, s.message) for s in self.inventory.skipped]
        return sorted([*skipped, *((n.path, n.line, n.code, n.message) for n in self.unread)])

    def _stored_notes(self) -> list[tuple[str, int, str, str]]:
        rows = self.index.database.execute_sql(
            f"SELECT path, line, code, message FROM lint WHERE file_id IS NULL AND {_IN_SCOPE}",
            self._scope_values(),
        ).fetchall()
        return sorted(rows)

    def _scope_values(self) -> tuple[str, str, int, str]:
        inside = f"{self.scope}/"
        return self.scope, self.scope, len(inside), inside

    def _in_scope(self, path: str) -> bool:
        return not self.scope or path == self.scope or path.startswith(self.scope + "/")

    def _gone(self, known: dict[str, _Known]) -> list[_Known]:
        """The files that are in the index and not in the folder any more.

        Deletions are believed only after a complete walk, and only where there is still a folder:
        one that is suddenly empty and on another device is a drive that is not connected.
        """
        certain = [known[path] for path in self.vanished if path in known]
        if not self.inventory.complete:
            return certain
        present = {entry.path for entry in self.inventory.files} | self.inventory.waiting
        missing = [p for p in known if p not in present and self._in_scope(p)]
        if not missing:
            return certain
        away = {folder for folder in map(_parent, missing) if self._is_away(folder, known)}
        for folder in sorted(away - set(self.offline)):
            self.offline.append(folder)
            shown = folder or self.folder.name
            self.unread.append(
                Lint(
                    folder or ".",
                    0,
                    "unreadable",
                    f"“{shown}” is empty now. If it is on another drive, connect it; what was read"
                    " before is still found.",
                )
            )
        return certain + [known[path] for path in missing if _parent(path) not in away]

    def _is_away(self, folder: str, known: dict[str, _Known]) -> bool:
        """Whether ``folder`` of missing files is an empty place where a drive used to be."""
        place = self.folder.root / folder
        while not place.is_dir() and place != self.folder.root:
            place = place.parent
        try:
            with os.scandir(place) as entries:
                if next(iter(entries), None) is not None:
                    return False
            device = place.stat().st_dev
        except OSError:
            return True
        if place == self.folder.root:
            # Not even our own state folder is there.
            return True
        inside = place.relative_to(self.folder.root).as_posix() + "/"
        return any(k.device != device for p, k in known.items() if p.startswith(inside))


_IN_SCOPE = "(? = '' OR path = ? OR substr(path, 1, ?) = ?)"

_INSERT_PASSAGE = (
    "INSERT INTO passage(id, file_id, kind, line_start, line_end, day, event_start, event_end,"
    " said_start, said_end, confidence, uid, content, trail, names, subjects, cites, flags,"
    " own_key, window_key)"
    " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
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
    """Give each observation that cites facts the span of what they speak of, or, where none of
    them is there, of what it says itself.

    A citation counts by fact id, else by its place. Observations are not counted, so the result
    depends only on what is in the index, not on the order in which it came.
    """
    rows = database.execute_sql(
        "SELECT id, cites, event_start, event_end, said_start, said_end FROM passage"
        " WHERE kind = 'observation' AND cites <> ''"
    ).fetchall()
    for id_, cites, old_start, old_end, said_start, said_end in rows:
        days: list[tuple[int, int]] = []
        for cite in cites.split(SEPARATOR):
            days.extend(_cited_days(database, cite))
        start, end = said_start, said_end
        if days:
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
        number = lines.partition("-")[0]
        if not number.isdecimal() or len(number) > 9:
            return []
        found = database.execute_sql(
            f"SELECT {columns} FROM passage p JOIN file f ON f.id = p.file_id"
            " WHERE f.path = ? AND p.line_start <= ? AND p.line_end >= ?"
            " AND p.kind <> 'observation'",
            (path, int(number), int(number)),
        ).fetchall()
    days = []
    for start, end, day in found:
        if start is not None:
            days.append((start, end))
        elif day is not None:
            days.append((day, day))
    return days


def _vector_keys(passages: Sequence[Passage]) -> list[tuple[bytes, bytes]]:
    """The keys of each passage's vectors: by itself, and with the lines beside it."""
    lines = [
        Line(0, SEPARATOR.join(p.trail), p.mentions[: p.subjects], p.content) for p in passages
    ]
    return [(text_key(own), text_key(window)) for own, window in window_texts(lines)]


def _row(
    id_: int, file_id: int, passage: Passage, names: str, keys: tuple[bytes, bytes]
) -> tuple[object, ...]:
    event = passage.event
    start = _ordinal(event.start, FIRST_DAY) if event else None
    end = _ordinal(event.end, LAST_DAY) if event else None
    return (
        id_,
        file_id,
        passage.kind.value,
        passage.source.line_start,
        passage.source.line_end,
        passage.day.toordinal() if passage.day else None,
        start,
        end,
        start,
        end,
        passage.confidence,
        passage.fact_id or passage_id(passage.kind, passage.content, passage.day),
        passage.content,
        SEPARATOR.join(passage.trail),
        names,
        passage.subjects,
        SEPARATOR.join(passage.cites),
        (FLAG_MACHINE if passage.machine else 0) | (FLAG_UNTRUSTED if passage.untrusted else 0),
        *keys,
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


def owner_of(folder: WorkspaceFolder) -> str | None:
    try:
        state = json.loads(folder.read_bytes("state/state.json"))
    except (DaybankError, ValueError):
        return None
    owner = state.get("owner_id") if isinstance(state, dict) else None
    return str(owner) if owner is not None else None


def _parent(path: str) -> str:
    return path.rpartition("/")[0]


def _busy() -> IndexBusy:
    return IndexBusy("Another program keeps replacing the search index.", "Try again in a moment.")


def _tell(progress: OnProgress | None, news: Progress) -> None:
    if progress is not None:
        progress(news)
