"""Where common words stand, and of which time each passage is, each in one piece.

FTS5 reads the places of a word one after the other, which for a word in a hundred thousand
passages takes longer than everything else about a question. So the rows of every common term lie
beside it as one array, made in one go up to some row (``posted``); and so do the day, the event and
the kind of every passage. Rows beyond that are few, and asked of SQLite. A row up to ``posted`` is
never given to another passage, so an array stays true when notes change: it may hold rows that are
gone, and :class:`daybank.index.rows.FileSpans` knows those.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from peewee import SqliteDatabase

from daybank.index.match import column_expression
from daybank.index.schema import FTS_TABLE
from daybank.markdown.model import Kind
from daybank.progress import CancelToken, check_cancel

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Rows = npt.NDArray[np.int64]
    Values = npt.NDArray[np.int32]

COLUMNS = ("stems", "context")
POSTED_FROM = 1000
"""A term in fewer passages has no array: FTS5 reads it as soon."""

RENEW_AT_LEAST = 20_000
RENEW_SHARE = 0.1
"""The arrays are made again when so many rows lie beyond them, and so great a share of theirs."""

VALUES = {"day": -1, "event_start": 2**31 - 1, "event_end": -1, "kind": -1}
"""What is kept of each row, and what stands where it has none: no window holds that. Days are
ordinals."""

_ROWS_AT_ONCE = 5000


@dataclass(frozen=True, slots=True)
class Extent:
    """How far the arrays reach: up to row ``posted``, 0 where there are none, of ``last``.
    ``edition`` is another text whenever they were made again."""

    posted: int
    last: int
    edition: str


def extent(database: SqliteDatabase) -> Extent:
    """How far the arrays reach now."""
    row = database.execute_sql(
        "SELECT (SELECT value FROM meta WHERE key = 'posted'), COALESCE(MAX(id), 0) FROM passage"
    ).fetchone()
    edition = str(row[0] or "")
    return Extent(int(edition.partition(" ")[0] or 0), int(row[1]), edition)


def next_row(database: SqliteDatabase) -> int:
    """The row for the next new passage."""
    known = extent(database)
    return max(known.last, known.posted) + 1


def is_due(database: SqliteDatabase) -> bool:
    """Whether so many rows have no arrays yet that these are to be made again."""
    known = extent(database)
    return known.last - known.posted > max(RENEW_AT_LEAST, RENEW_SHARE * known.posted)


def renew(database: SqliteDatabase, cancel: CancelToken | None = None) -> None:
    """Make all arrays again, inside the caller's transaction. Raises Cancelled."""
    import numpy as np

    marks = ",".join("?" * len(COLUMNS))
    common = database.execute_sql(
        f"SELECT DISTINCT term FROM vocabulary WHERE doc >= ? AND col IN ({marks})",
        (POSTED_FROM, *COLUMNS),
    ).fetchall()
    last = next_row(database) - 1
    database.execute_sql("DELETE FROM posting")
    for (term,) in common:
        # Both columns, even where one has few: to find those, FTS5 reads the other as well.
        for column in COLUMNS:
            check_cancel(cancel)
            cursor = database.execute_sql(
                f"SELECT rowid FROM {FTS_TABLE} WHERE {FTS_TABLE} MATCH ?",
                (column_expression(column, [(term,)]),),
            )
            rows = np.fromiter((row[0] for row in cursor), dtype="<u4")
            database.execute_sql(
                "INSERT INTO posting(term, col, rows) VALUES (?, ?, ?)",
                (term, column, rows.tobytes()),
            )
    _store_values(database, last, cancel)
    database.execute_sql(
        "INSERT INTO meta(key, value) VALUES ('posted', ?)"
        " ON CONFLICT(key) DO UPDATE SET value = excluded.value",
        (f"{last} {time.time_ns()}",),
    )


def _store_values(database: SqliteDatabase, last: int, cancel: CancelToken | None) -> None:
    import numpy as np

    arrays = {name: np.full(last + 1, absent, dtype="<i4") for name, absent in VALUES.items()}
    codes = {str(kind): code for code, kind in enumerate(Kind)}
    cursor = database.execute_sql("SELECT id, day, event_start, event_end, kind FROM passage")
    while rows := cursor.fetchmany(_ROWS_AT_ONCE):
        check_cancel(cancel)
        for id_, day, start, end, kind in rows:
            if day is not None:
                arrays["day"][id_] = day
            if start is not None:
                arrays["event_start"][id_], arrays["event_end"][id_] = start, end
            arrays["kind"][id_] = codes[kind]
    database.execute_sql("DELETE FROM row_value")
    for name, values in arrays.items():
        database.execute_sql(
            "INSERT INTO row_value(name, data) VALUES (?, ?)", (name, values.tobytes())
        )


def row_values(database: SqliteDatabase) -> dict[str, Values]:
    """``VALUES`` by row, up to ``posted``, as they were when the arrays were made."""
    import numpy as np

    found = database.execute_sql("SELECT name, data FROM row_value").fetchall()
    return {name: np.frombuffer(data, "<i4").astype(np.int32, copy=False) for name, data in found}


def kind_code(kind: Kind) -> int:
    """What stands for a kind among the values."""
    return list(Kind).index(kind)


def rows_of(database: SqliteDatabase, term: str, column: str, reaching: Extent) -> Rows | None:
    """Ascending rows of the passages that have ``term`` in ``column``, and perhaps some that had
    it and are gone; None where there is no array of it."""
    import numpy as np

    if not reaching.posted:
        return None
    found = database.execute_sql(
        "SELECT rows FROM posting WHERE term = ? AND col = ?", (term, column)
    ).fetchone()
    if found is None:
        return None
    old = np.frombuffer(found[0], dtype="<u4").astype(np.int64)  # what NumPy indexes with
    if reaching.last <= reaching.posted:
        return old
    new = matching(database, column_expression(column, [(term,)]), reaching.posted)
    return np.concatenate((old, new)) if len(new) else old


def matching(database: SqliteDatabase, expression: str, beyond: int = 0) -> Rows:
    """Ascending rows after ``beyond`` that FTS5 finds."""
    import numpy as np

    rows = database.execute_sql(
        f"SELECT rowid FROM {FTS_TABLE} WHERE {FTS_TABLE} MATCH ? AND rowid > ? ORDER BY rowid",
        (expression, beyond),
    ).fetchall()
    return np.fromiter((row[0] for row in rows), dtype=np.int64, count=len(rows))
