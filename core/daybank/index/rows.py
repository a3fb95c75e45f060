"""Rows of passages in bulk: whose they are, which words they say, which of them meet a filter.

Row numbers are an index's own affair: nothing that a person sees may depend on them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from peewee import SqliteDatabase

from daybank.index import postings
from daybank.index.database import IndexDatabase
from daybank.index.filter import Filter, bounds, restriction
from daybank.index.match import Group, column_expression, match_expression, words_expression
from daybank.markdown.model import Kind

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from daybank.index.postings import Extent, Rows, Values

MOST_KEPT = 2_000_000
"""Rows of common terms that are kept for the next question: 16 MB."""


@dataclass(frozen=True, slots=True)
class FileSpans:
    """``ranks``: of the file that each row's passage belongs to, the newest file being 0; -1 for a
    row without a passage, such as one behind the last. Unlike a row, a rank does not depend on the
    order of indexing. ``gone``: the rows without a passage."""

    ranks: npt.NDArray[np.int32]
    gone: npt.NDArray[np.int64]

    @property
    def has_gaps(self) -> bool:
        """Whether any row between the first and the last is gone."""
        return len(self.gone) > 2


class RowArrays:
    """Reads of one index, on the calling thread's connection. Keeps what stays the same until the
    index changes."""

    def __init__(self, index: IndexDatabase) -> None:
        self._index = index
        self._spans: tuple[int, FileSpans] | None = None
        self._terms: tuple[int, dict[tuple[str, str], Rows]] = (-1, {})
        self._values: tuple[int, str, dict[str, Values]] = (-1, "", {})
        self._extents: tuple[int, Extent] | None = None

    def _db(self) -> SqliteDatabase:
        with self._index.connected() as database:
            return database

    def _generation(self) -> int:
        return self._index.generation() if self._db() else 0

    def _extent(self) -> Extent:
        generation = self._generation()
        kept = self._extents
        if kept is None or kept[0] != generation:
            kept = self._extents = (generation, postings.extent(self._db()))
        return kept[1]

    def file_spans(self) -> FileSpans:
        """Which rows are whose; the passages of a file have consecutive rows."""
        import numpy as np

        generation = self._generation()
        kept = self._spans
        if kept is None or kept[0] != generation:
            spans = (
                self._db()
                .execute_sql(
                    "SELECT (SELECT MIN(p.id) FROM passage p WHERE p.file_id = file.id) AS first,"
                    " file.passages FROM file WHERE first IS NOT NULL"
                    " ORDER BY COALESCE(file.day, 0) DESC, file.path"
                )
                .fetchall()
            )
            last = max((first + count for first, count in spans), default=1)
            ranks = np.full(max(last, self._extent().posted + 1) + 1, -1, dtype=np.int32)
            for rank, (first, count) in enumerate(spans):
                ranks[first : first + count] = rank
            kept = (generation, FileSpans(ranks, np.flatnonzero(ranks < 0)))
            self._spans = kept
        return kept[1]

    # -- words

    def saying(self, group: Group) -> Rows:
        """The rows of all passages that say ``group``, each once. Some may be gone by now."""
        found = []
        if group.exact or group.prefix:
            found.append(postings.matching(self._db(), words_expression(group)))
        if not group.exact:
            found += self._of_stems(group, "stems")
        return _together(found)

    def under(self, group: Group) -> Rows:
        """The rows of all passages under a heading that says ``group``."""
        return _together([] if group.exact else self._of_stems(group, "context"))

    def not_saying(self, rows: Sequence[int], excluded: Sequence[Group]) -> list[int]:
        """Those of ``rows``, in their order, that say none of ``excluded``, nor stand under it."""
        import numpy as np

        left = np.array(rows, dtype=np.int64)
        for group in excluded:
            for unwanted in (self.saying(group), self.under(group)):
                left = left[~np.isin(left, unwanted)]
        kept: list[int] = left.tolist()
        return kept

    def saying_both(self, group: Group, other: Group) -> Rows:
        """The rows of all passages that say both. SQLite skips from one such to the next, but puts
        all words together first that begin as a half-typed one does."""
        return postings.matching(self._db(), match_expression([group], (), [other]))

    def frequency(self, term: str) -> int | None:
        """In how many passages a common stem stands; None where it is not known without a look at
        all of its places."""
        rows = self._of_term("stems", term)
        if rows is None:
            return None
        spans = self.file_spans()
        return int((spans.ranks[rows] >= 0).sum()) if spans.has_gaps else len(rows)

    def _of_stems(self, group: Group, column: str) -> list[Rows]:
        phrases = [stem for stem in group.stems if len(stem) > 1]
        found = []
        for (term,) in dict.fromkeys(stem for stem in group.stems if len(stem) == 1):
            rows = self._of_term(column, term)
            if rows is None:
                rows = postings.matching(self._db(), column_expression(column, [(term,)]))
            found.append(rows)
        if phrases:
            found.append(postings.matching(self._db(), column_expression(column, phrases)))
        return found

    def _of_term(self, column: str, term: str) -> Rows | None:
        generation = self._generation()
        kept = self._terms
        # Another thread may be adding to it: a tuple is made of all of it at once.
        if kept[0] != generation or sum(map(len, tuple(kept[1].values()))) > MOST_KEPT:
            kept = self._terms = (generation, {})
        rows = kept[1].get((column, term))
        if rows is None:
            rows = postings.rows_of(self._db(), term, column, self._extent())
            if rows is not None:
                kept[1][column, term] = rows
        return rows

    # -- filters

    def meeting(self, wanted: Filter) -> Rows:
        """The ascending rows of all passages that meet ``wanted``."""
        import numpy as np

        reach, last = self._extent().posted, self._extent().last
        if not reach or wanted.path is not None:
            return self._selected(wanted, 0)
        values = self._row_values(reach)
        meets = self.file_spans().ranks[: reach + 1] >= 0
        if wanted.window is not None:
            start, end = bounds(wanted.window)
            day = values["day"]
            meets &= ((day >= start) & (day <= end)) | (
                (values["event_start"] <= end) & (values["event_end"] >= start)
            )
        if wanted.kinds:
            meets &= np.isin(values["kind"], [postings.kind_code(kind) for kind in wanted.kinds])
        for keys in wanted.entity_keys:
            named = np.zeros(reach + 1, dtype=bool)
            rows = self._mentioning(keys)
            named[rows[rows <= reach]] = True
            meets &= named
        if wanted.without_keys:
            rows = self._mentioning(wanted.without_keys)
            meets[rows[rows <= reach]] = False
        old = np.flatnonzero(meets)
        if last <= reach:
            return old
        return np.concatenate((old, self._selected(wanted, reach)))

    def _selected(self, wanted: Filter, beyond: int) -> Rows:
        conditions, values = restriction(wanted)
        join = " JOIN file ON file.id = p.file_id" if wanted.path is not None else ""
        return self._read(
            f"SELECT p.id FROM passage p{join} WHERE p.id > ?{conditions} ORDER BY p.id",
            (beyond, *values),
        )

    def _mentioning(self, keys: Sequence[str]) -> Rows:
        marks = ",".join("?" * len(keys))
        return self._read(f"SELECT passage_id FROM mention WHERE key IN ({marks})", keys)

    def _read(self, query: str, values: Sequence[object]) -> Rows:
        import numpy as np

        rows = self._db().execute_sql(query, tuple(values)).fetchall()
        return np.fromiter((row[0] for row in rows), dtype=np.int64, count=len(rows))

    def _row_values(self, reach: int) -> dict[str, Values]:
        """Days, events and kinds of the rows up to ``reach``. All stay as they were but the event
        of an observation, which follows the facts that it cites."""
        generation, edition = self._generation(), self._extent().edition
        kept = self._values
        if kept[:2] != (generation, edition):
            values = kept[2] if kept[1] == edition else postings.row_values(self._db())
            cited = (
                self._db()
                .execute_sql(
                    "SELECT id, event_start, event_end FROM passage"
                    f" WHERE kind = '{Kind.OBSERVATION}' AND cites <> '' AND id <= ?",
                    (reach,),
                )
                .fetchall()
            )
            if cited:
                values = dict(values)
                for name, place in (("event_start", 1), ("event_end", 2)):
                    values[name] = values[name].copy()
                    for row in cited:
                        none = row[place] is None
                        values[name][row[0]] = postings.VALUES[name] if none else row[place]
            kept = self._values = (generation, edition, values)
        return kept[2]


def _together(arrays: Sequence[Rows]) -> Rows:
    """The rows of all ``arrays``, each once."""
    import numpy as np

    arrays = [rows for rows in arrays if len(rows)]
    if len(arrays) < 2:
        return arrays[0] if arrays else np.empty(0, dtype=np.int64)
    seen = np.zeros(max(int(rows.max()) for rows in arrays) + 1, dtype=bool)
    for rows in arrays:
        seen[rows] = True
    return np.flatnonzero(seen)
