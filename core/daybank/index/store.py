"""What recall asks of the index, as typed reads. No ranking here, and no writing.

Days cross this border as ``date``; inside they are ordinals.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from typing import NamedTuple

from peewee import SqliteDatabase

from daybank.dates import Interval
from daybank.index.database import IndexDatabase
from daybank.index.filter import Filter, restriction
from daybank.index.match import Group, match_expression
from daybank.index.rows import RowArrays
from daybank.index.schema import FIRST_DAY, FTS_TABLE, LAST_DAY, SEPARATOR, UNDATED
from daybank.index.sync import FLAG_MACHINE, FLAG_UNTRUSTED
from daybank.markdown.model import Kind, Lint, Role, Source

MOST_REMEMBERED = 10_000
"""Counts that are kept for the next question."""

LAST_CHARACTER = "\U0010ffff"


class Candidate(NamedTuple):
    """A passage with what ranking needs, as the index holds it: ``day`` an ordinal; ``names``
    joined by U+001F; ``words``, ``stems`` and ``context`` strings of terms; the keys those of its
    vectors. A tuple, since hundreds are made for each question."""

    id: int
    file_id: int
    kind: str
    day: int | None
    uid: str
    path: str
    line_start: int
    names: str
    words: str
    stems: str
    context: str
    own_key: bytes
    window_key: bytes


@dataclass(frozen=True, slots=True)
class StoredPassage:
    """A passage with what a result shows. Of its ``names``, the first ``subjects`` stand before
    the colon of a fact; ``cites`` are the places and ids that it cites."""

    id: int
    kind: Kind
    source: Source
    role: Role
    day: date | None
    event: Interval | None
    confidence: float | None
    uid: str
    content: str
    trail: tuple[str, ...]
    names: tuple[str, ...]
    machine: bool
    untrusted: bool
    subjects: int = 0
    cites: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class NameCount:
    """How often a key is mentioned, in which first spelling, and from when to when."""

    key: str
    name: str
    mentions: int
    first_day: date | None
    last_day: date | None


@dataclass(frozen=True, slots=True)
class EntityRow:
    """An entity page as indexed."""

    key: str
    title: str
    type: str | None
    path: str
    aliases: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Totals:
    """The size of the index."""

    passages: int
    files: int
    days: int
    first_day: date | None
    last_day: date | None


_CANDIDATE = (
    "p.id, p.file_id, p.kind, p.day, p.uid, file.path, p.line_start, p.names, fts.words,"
    " fts.stems, fts.context, p.own_key, p.window_key"
)
_JOINED = (
    f"{FTS_TABLE} fts CROSS JOIN passage p ON p.id = fts.rowid JOIN file ON file.id = p.file_id"
)
_STORED = (
    "p.id, p.kind, file.path, p.line_start, p.line_end, file.role, p.day, p.event_start,"
    " p.event_end, p.confidence, p.uid, p.content, p.trail, p.names, p.flags, p.subjects, p.cites"
)
_EVIDENCE_ROWS = (
    "FROM passage p JOIN file ON file.id = p.file_id"
    f" WHERE file.role = '{Role.LOG}' AND p.flags = 0"
    f" AND p.kind IN ('{Kind.WORLD}', '{Kind.EXPERIENCE}', '{Kind.OPINION}')"
)


class IndexStore:
    """Reads of one index, on the calling thread's connection."""

    def __init__(self, index: IndexDatabase) -> None:
        self._index = index
        self._known: tuple[int, dict[str, int]] = (-1, {})
        self.rows = RowArrays(index)

    def _db(self) -> SqliteDatabase:
        with self._index.connected() as database:
            return database

    def check_cancel(self) -> None:
        """Raise Cancelled when the question of this thread is not wanted any more."""
        self._index.check_cancel()

    @property
    def has_full_text(self) -> bool:
        """False where this SQLite has no FTS5 and every passage must be looked at."""
        return self._index.has_fts5

    # -- choosing

    def document_frequency(self, terms: Sequence[str]) -> int:
        """In how many passages a stem (or phrase of stems, then of its rarest term) stands."""
        if not self._index.has_fts5:
            return 1
        return min((self._counted(term) for term in terms), default=0)

    def prefix_frequency(self, beginning: str, enough: int) -> int:
        """In how many passages words with this beginning stand, each word counted by itself. Not
        counted beyond ``enough``."""
        if not self._index.has_fts5:
            return 1
        rows = self._db().execute_sql(
            "SELECT doc FROM vocabulary WHERE term >= ? AND term < ? AND col = 'words'",
            (beginning, beginning + LAST_CHARACTER),
        )
        count = 0
        for (doc,) in rows:
            count += doc
            if count >= enough:
                break
        rows.close()
        return count

    def _counted(self, term: str) -> int:
        """How many passages say a stem. SQLite counts them one by one, so it is remembered."""

        def count() -> int:
            if (known := self.rows.frequency(term)) is not None:
                return known
            row = (
                self._db()
                .execute_sql("SELECT doc FROM vocabulary WHERE term = ? AND col = 'stems'", (term,))
                .fetchone()
            )
            return int(row[0]) if row else 0

        return self._remembered(f"stem {term}", count)

    def _remembered(self, what: str, count: Callable[[], int]) -> int:
        """A number that stays the same until the index changes."""
        generation = self.generation()
        known = self._known
        if known[0] != generation or len(known[1]) > MOST_REMEMBERED:
            known = (generation, {})
            self._known = known
        found = known[1].get(what)
        if found is None:
            found = known[1][what] = count()
        return found

    def match(
        self, groups: Sequence[Group], excluded: Sequence[Group], wanted: Filter, limit: int
    ) -> list[int]:
        """Ids of the best ``limit`` passages by BM25, best first; equal ones are never cut apart
        (so the list may be longer), hence it does not depend on the order of indexing."""
        if not self._index.has_fts5:
            return self._match_like(groups, excluded, wanted, limit)
        return list(self.ranked(groups, excluded, wanted, limit))

    def ranked(
        self, groups: Sequence[Group], excluded: Sequence[Group], wanted: Filter, limit: int
    ) -> dict[int, float]:
        """The same with their BM25, higher being better; without FTS5 the order alone counts."""
        if not self._index.has_fts5:
            ids = self._match_like(groups, excluded, wanted, limit)
            return {id_: 1 / place for place, id_ in enumerate(ids, 1)}
        rows = self._matching(match_expression(groups, excluded), wanted, "fts.rank")
        return _cut_at_ties(rows, limit)

    def _matching(self, expression: str, wanted: Filter, rank: str = "") -> sqlite3.Cursor:
        if wanted.is_open:
            source, conditions = f"{FTS_TABLE} fts", ""
            values: list[object] = []
        else:
            source = f"{FTS_TABLE} fts CROSS JOIN passage p ON p.id = fts.rowid"
            if wanted.path is not None:
                source += " JOIN file ON file.id = p.file_id"
            conditions, values = restriction(wanted)
        columns = f"fts.rowid, {rank}" if rank else "fts.rowid"
        if rank:
            conditions = f" AND fts.rank MATCH 'bm25(0.5, 1.0, 0.3)'{conditions} ORDER BY {rank}"
        cursor: sqlite3.Cursor = self._db().execute_sql(
            f"SELECT {columns} FROM {source} WHERE {FTS_TABLE} MATCH ?{conditions}",
            (expression, *values),
        )
        return cursor

    def _match_like(
        self, groups: Sequence[Group], excluded: Sequence[Group], wanted: Filter, limit: int
    ) -> list[int]:
        """The slow way without FTS5: every passage is looked at."""
        spelled = [_like(group) for group in groups]
        some_required = any(group.required for group in groups)
        needed = [
            like
            for like, group in zip(spelled, groups, strict=True)
            if group.required or not some_required
        ]
        text = (" AND " if some_required else " OR ").join(clause for clause, _ in needed)
        text = f"({text})"
        values: list[object] = [value for _, some in needed for value in some]
        for group in excluded:
            clause, some = _like(group)
            text += f" AND NOT {clause}"
            values += some
        conditions, more = restriction(wanted)
        # What has more of the words comes first, or common words would push out the rare one.
        score = " + ".join(clause for clause, _ in spelled)
        scored = [value for _, some in spelled for value in some]
        rows = self._db().execute_sql(
            f"SELECT p.id FROM {_JOINED} WHERE {text}{conditions}"
            f" ORDER BY {score} DESC, p.day DESC, file.path, p.line_start LIMIT ?",
            (*values, *more, *scored, limit),
        )
        return [int(row[0]) for row in rows.fetchall()]

    def newest_saying(
        self, groups: Sequence[Group], excluded: Sequence[Group], wanted: Filter, limit: int
    ) -> list[int]:
        """Ids of the newest passages that say any of ``groups`` and none of ``excluded``. For
        words that stand nearly everywhere: it looks at few more passages than it returns, while
        ranking would look at nearly all."""
        likes = [_like(group) for group in groups]
        unwanted = [_like(group) for group in excluded]
        text = f"({' OR '.join(clause for clause, _ in likes)})"
        text += "".join(f" AND NOT {clause}" for clause, _ in unwanted)
        values = [value for _, some in (*likes, *unwanted) for value in some]
        conditions, more = restriction(wanted)
        rows = self._db().execute_sql(
            f"SELECT p.id FROM passage p INDEXED BY passage_day"
            f" CROSS JOIN {FTS_TABLE} fts ON fts.rowid = p.id JOIN file ON file.id = p.file_id"
            f" WHERE {text}{conditions} ORDER BY p.day DESC, file.path, p.line_start LIMIT ?",
            (*values, *more, limit),
        )
        return [int(row[0]) for row in rows.fetchall()]

    def newest(self, wanted: Filter, limit: int) -> list[int]:
        """Ids of the passages that meet ``wanted``, newest first, undated ones last."""
        conditions, values = restriction(wanted)
        rows = self._db().execute_sql(
            "SELECT p.id FROM passage p JOIN file ON file.id = p.file_id"
            f" WHERE 1{conditions}"
            " ORDER BY COALESCE(p.day, p.event_start) DESC, file.path, p.line_start LIMIT ?",
            (*values, limit),
        )
        return [int(row[0]) for row in rows.fetchall()]

    def count(self, wanted: Filter) -> int:
        """How many passages meet ``wanted``."""
        conditions, values = restriction(wanted)
        row = (
            self._db()
            .execute_sql(
                "SELECT COUNT(*) FROM passage p JOIN file ON file.id = p.file_id"
                f" WHERE 1{conditions}",
                tuple(values),
            )
            .fetchone()
        )
        return int(row[0])

    def mentioning(self, keys: Sequence[str], wanted: Filter, limit: int) -> list[int]:
        """Ids of the newest passages that mention any of ``keys`` and meet ``wanted``."""
        conditions, values = restriction(wanted)
        marks = ",".join("?" * len(keys))
        rows = self._db().execute_sql(
            "SELECT DISTINCT p.id FROM mention m JOIN passage p ON p.id = m.passage_id"
            " JOIN file ON file.id = p.file_id"
            f" WHERE m.key IN ({marks}){conditions}"
            " ORDER BY p.day DESC, file.path, p.line_start LIMIT ?",
            (*keys, *values, limit),
        )
        return [int(row[0]) for row in rows.fetchall()]

    def not_saying(self, ids: Iterable[int], excluded: Sequence[Group]) -> list[int]:
        """Those of ``ids``, in their order, whose passages say none of ``excluded``."""
        some = list(ids)
        if not excluded or not some:
            return some
        if not self._index.has_fts5:
            unwanted = set(self._match_like(excluded, (), Filter(), -1))
            return [id_ for id_ in some if id_ not in unwanted]
        return self.rows.not_saying(some, excluded)

    # -- loading

    def candidates(self, ids: Iterable[int], wanted: Filter | None = None) -> list[Candidate]:
        """The passages of ``ids`` that exist and meet ``wanted``, in no particular order."""
        some = list(ids)
        if not some:
            return []
        conditions, values = restriction(wanted) if wanted else ("", [])
        numbers = ",".join(map(str, some))
        rows = self._db().execute_sql(
            f"SELECT {_CANDIDATE} FROM passage p JOIN {FTS_TABLE} fts ON fts.rowid = p.id"
            f" JOIN file ON file.id = p.file_id WHERE p.id IN ({numbers}){conditions}",
            tuple(values),
        )
        return [Candidate._make(row) for row in rows.fetchall()]

    def passages(self, ids: Sequence[int]) -> dict[int, StoredPassage]:
        """The passages of ``ids`` by id."""
        if not ids:
            return {}
        numbers = ",".join(map(str, ids))
        rows = self._db().execute_sql(
            f"SELECT {_STORED} FROM passage p JOIN file ON file.id = p.file_id"
            f" WHERE p.id IN ({numbers})"
        )
        return {row[0]: _stored(row) for row in rows.fetchall()}

    def by_uid(self, uid: str) -> list[StoredPassage]:
        """Every place where a fact or passage stands, in file order."""
        rows = self._db().execute_sql(
            f"SELECT {_STORED} FROM passage p JOIN file ON file.id = p.file_id"
            " WHERE p.uid = ? ORDER BY file.path, p.line_start",
            (uid,),
        )
        return [_stored(row) for row in rows.fetchall()]

    # -- facts as evidence

    def evidence_ids(self) -> frozenset[str]:
        """The ids of every fact that may be evidence: world, experience and opinion facts in
        daily logs, by their owner's own hand."""
        rows = self._db().execute_sql(f"SELECT DISTINCT p.uid {_EVIDENCE_ROWS}")
        return frozenset(uid for (uid,) in rows.fetchall())

    def paths_with_facts(self) -> frozenset[str]:
        """The files in which any fact stands."""
        kinds = ",".join(f"'{kind}'" for kind in Kind if kind.is_fact)
        rows = self._db().execute_sql(
            "SELECT DISTINCT file.path FROM passage p JOIN file ON file.id = p.file_id"
            f" WHERE p.kind IN ({kinds})"
        )
        return frozenset(path for (path,) in rows.fetchall())

    def evidence(self, uids: Iterable[str]) -> list[StoredPassage]:
        """Those facts of ``uids`` that may be evidence, each once, by day, file and line."""
        wanted = list(uids)
        found: dict[str, StoredPassage] = {}
        for start in range(0, len(wanted), 500):
            some = wanted[start : start + 500]
            marks = ",".join("?" * len(some))
            rows = self._db().execute_sql(
                f"SELECT {_STORED} {_EVIDENCE_ROWS} AND p.uid IN ({marks})"
                " ORDER BY file.path, p.line_start",
                tuple(some),
            )
            for row in rows.fetchall():
                passage = _stored(row)
                found.setdefault(passage.uid, passage)
        return sorted(found.values(), key=_in_time)

    def evidence_about(self, keys: Sequence[str], limit: int = 0) -> list[StoredPassage]:
        """Facts that may be evidence and mention any of ``keys``, each once, by day, file and
        line; with ``limit`` the latest so many."""
        marks = ",".join("?" * len(keys))
        rows = self._db().execute_sql(
            f"SELECT {_STORED} {_EVIDENCE_ROWS}"
            f" AND p.id IN (SELECT passage_id FROM mention WHERE key IN ({marks}))"
            " ORDER BY p.day DESC, file.path, p.line_start" + (" LIMIT ?" if limit else ""),
            (*keys, *((limit,) if limit else ())),
        )
        found: dict[str, StoredPassage] = {}
        for row in rows.fetchall():
            passage = _stored(row)
            found.setdefault(passage.uid, passage)
        return sorted(found.values(), key=_in_time)

    # -- names

    def names(self) -> list[NameCount]:
        """Every mentioned key, with its first spelling (the earliest note's), unsorted."""
        rows = (
            self._db()
            .execute_sql(
                "SELECT key, COUNT(*), MIN(day), MAX(CASE WHEN day < ? THEN day END) FROM mention"
                " GROUP BY key",
                (UNDATED,),
            )
            .fetchall()
        )
        spellings: dict[str, str] = {}
        firsts = (
            self._db()
            .execute_sql(
                "SELECT m.key, m.name, file.path, p.line_start FROM mention m"
                " JOIN (SELECT key, MIN(day) AS day FROM mention GROUP BY key) f"
                "   ON f.key = m.key AND f.day = m.day"
                " JOIN passage p ON p.id = m.passage_id JOIN file ON file.id = p.file_id"
                " ORDER BY m.key, file.path, p.line_start"
            )
            .fetchall()
        )
        for key, name, _, _ in firsts:
            spellings.setdefault(key, name)
        return [
            NameCount(
                key,
                spellings[key],
                count,
                date.fromordinal(first) if first < UNDATED else None,
                date.fromordinal(last) if last is not None else None,
            )
            for key, count, first, last in rows
        ]

    def entity_pages(self) -> list[EntityRow]:
        """Every page in ``bank/entities/``, by path."""
        rows = (
            self._db()
            .execute_sql(
                "SELECT e.file_id, e.key, e.title, e.type, file.path FROM entity_page e"
                " JOIN file ON file.id = e.file_id ORDER BY file.path"
            )
            .fetchall()
        )
        aliases: dict[int, list[str]] = {}
        for file_id, name in self._db().execute_sql("SELECT file_id, name FROM alias").fetchall():
            aliases.setdefault(file_id, []).append(name)
        return [
            EntityRow(key, title, kind, path, tuple(aliases.get(file_id, ())))
            for file_id, key, title, kind, path in rows
        ]

    def together(self, keys: Sequence[str], limit: int) -> list[tuple[str, int]]:
        """Keys mentioned in the same passages as ``keys``, most often first."""
        marks = ",".join("?" * len(keys))
        rows = self._db().execute_sql(
            "SELECT other.key, COUNT(DISTINCT other.passage_id) AS times FROM mention m"
            " JOIN passage p ON p.id = m.passage_id"
            " JOIN mention other ON other.passage_id = m.passage_id"
            f" WHERE m.key IN ({marks}) AND other.key NOT IN ({marks})"
            " GROUP BY other.key ORDER BY times DESC, other.key LIMIT ?",
            (*keys, *keys, limit),
        )
        return [(str(key), int(times)) for key, times in rows.fetchall()]

    # -- the whole

    def passages_in_all(self) -> int:
        def count() -> int:
            row = self._db().execute_sql("SELECT COALESCE(SUM(passages), 0) FROM file").fetchone()
            return int(row[0])

        return self._remembered("passages", count)

    def totals(self) -> Totals:
        row = (
            self._db()
            .execute_sql("SELECT COALESCE(SUM(passages), 0), COUNT(*) FROM file")
            .fetchone()
        )
        days = (
            self._db()
            .execute_sql(
                "SELECT COUNT(DISTINCT day), MIN(day), MAX(day) FROM file"
                " WHERE role = 'log' AND day IS NOT NULL"
            )
            .fetchone()
        )
        return Totals(
            int(row[0]),
            int(row[1]),
            int(days[0]),
            date.fromordinal(days[1]) if days[1] is not None else None,
            date.fromordinal(days[2]) if days[2] is not None else None,
        )

    def log_days(self) -> list[tuple[date, str, int]]:
        """(day, path, passages) of every daily log, by day and path."""
        rows = self._db().execute_sql(
            "SELECT day, path, passages FROM file WHERE role = 'log' AND day IS NOT NULL"
            " ORDER BY day, path"
        )
        return [(date.fromordinal(day), path, count) for day, path, count in rows.fetchall()]

    def log_days_beside(
        self, day: date
    ) -> tuple[tuple[date, str, int] | None, tuple[date, str, int] | None]:
        """(day, path, passages) of the last daily log before ``day`` and of the first after it."""
        beside = []
        for side, order in (("<", "DESC"), (">", "ASC")):
            row = (
                self._db()
                .execute_sql(
                    "SELECT day, path, passages FROM file"
                    f" WHERE role = 'log' AND day {side} ?"
                    f" ORDER BY day {order}, path {order} LIMIT 1",
                    (day.toordinal(),),
                )
                .fetchone()
            )
            beside.append((date.fromordinal(row[0]), row[1], row[2]) if row else None)
        return beside[0], beside[1]

    def lints(self) -> list[Lint]:
        """Everything that was not understood or not read, by path and line."""
        rows = self._db().execute_sql(
            "SELECT path, line, code, message FROM lint ORDER BY path, line, code"
        )
        return [Lint(*row) for row in rows.fetchall()]

    def broken_citations(self) -> list[Source]:
        """The passages that cite a fact or a file which the index does not have. Where a place
        and an id stand together, the id decides: it survives a move."""
        rows = self._db().execute_sql(
            "SELECT file.path, p.line_start, p.line_end, p.cites FROM passage p"
            " JOIN file ON file.id = p.file_id WHERE p.cites <> ''"
            " ORDER BY file.path, p.line_start"
        )
        return [
            Source(path, first, last)
            for path, first, last, cites in rows.fetchall()
            if not self._leads_somewhere(cites.split(SEPARATOR))
        ]

    def _leads_somewhere(self, cites: Sequence[str]) -> bool:
        for cite, following in zip(cites, (*cites[1:], ""), strict=True):
            if cite.startswith("f-"):
                query, value = "SELECT 1 FROM passage WHERE uid = ? LIMIT 1", cite
            elif following.startswith("f-"):
                continue
            else:
                query, value = "SELECT 1 FROM file WHERE path = ?", cite.partition("#L")[0]
            if self._db().execute_sql(query, (value,)).fetchone() is None:
                return False
        return True

    def files(self) -> list[tuple[str, Role]]:
        """Path and role of every indexed file, by path."""
        rows = self._db().execute_sql("SELECT path, role FROM file ORDER BY path")
        return [(path, Role(role)) for path, role in rows.fetchall()]

    def hashes(self) -> dict[str, tuple[bytes, str]]:
        """Content hash and stat hint of every indexed file, by path."""
        rows = self._db().execute_sql("SELECT path, sha256, hint FROM file").fetchall()
        return {path: (bytes(sha), hint) for path, sha, hint in rows}

    def generation(self) -> int:
        return self._index.generation() if self._db() else 0

    def meta(self, key: str) -> str | None:
        self._db()
        return self._index.get(key)


def _in_time(passage: StoredPassage) -> tuple[date, str, int]:
    return passage.day or date.min, passage.source.path, passage.source.line_start


def _cut_at_ties(rows: sqlite3.Cursor, limit: int) -> dict[int, float]:
    """The first ``limit`` with their BM25, and those that equal the last of them."""
    best = rows.fetchmany(limit)
    found = {rowid: -rank for rowid, rank in best}
    if len(best) == limit:
        last = round(best[-1][1], 9)
        for rowid, rank in rows:
            if round(rank, 9) != last or len(found) >= 8 * limit:
                break
            found[rowid] = -rank
    rows.close()
    return found


def _like(group: Group) -> tuple[str, list[str]]:
    """A LIKE over the words, each between spaces so that whole words match (or beginnings)."""
    end = "%" if group.prefix else " %"
    spelled = _escape(" ".join(group.words))
    clauses = ["(' ' || fts.words || ' ') LIKE ? ESCAPE '\\'"]
    values = [f"% {spelled}{end}"]
    if not group.exact:
        for stem in group.stems:
            for column in ("stems", "context"):
                clauses.append(f"(' ' || fts.{column} || ' ') LIKE ? ESCAPE '\\'")
                values.append(f"% {_escape(' '.join(stem))} %")
    return f"({' OR '.join(clauses)})", values


def _escape(text: str) -> str:
    return text.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")


def _stored(row: tuple[object, ...]) -> StoredPassage:
    values: tuple[object, ...] = row
    (
        id_,
        kind,
        path,
        first,
        last,
        role,
        day,
        start,
        end,
        confidence,
        uid,
        content,
        trail,
        names,
        flags,
        subjects,
        cites,
    ) = values
    assert isinstance(id_, int)
    assert isinstance(first, int)
    assert isinstance(last, int)
    assert isinstance(flags, int)
    assert isinstance(subjects, int)
    return StoredPassage(
        id_,
        Kind(str(kind)),
        Source(str(path), first, last),
        Role(str(role)),
        date.fromordinal(day) if isinstance(day, int) else None,
        _interval(start, end),
        float(confidence) if isinstance(confidence, float | int) else None,
        str(uid),
        str(content),
        tuple(str(trail).split(SEPARATOR)) if trail else (),
        tuple(str(names).split(SEPARATOR)) if names else (),
        bool(flags & FLAG_MACHINE),
        bool(flags & FLAG_UNTRUSTED),
        subjects,
        tuple(str(cites).split(SEPARATOR)) if cites else (),
    )


def _interval(start: object, end: object) -> Interval | None:
    if not isinstance(start, int) or not isinstance(end, int):
        return None
    return Interval(
        date.fromordinal(start) if start > FIRST_DAY else None,
        date.fromordinal(end) if end < LAST_DAY else None,
    )
