"""Search by meaning: which passages lie near a question, in one vector space.

Vectors live beside the index (``.memory/vectors/``), keyed by the text they stand for; the index
knows the keys of each passage. Either may be missing or behind: what has no vector yet is simply
not found by meaning. Embedding runs on the caller's thread, under a lease of its own, and what was
embedded before it is stopped stays.
"""

from __future__ import annotations

import contextlib
import logging
import sqlite3
import threading
import time
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from filelock import FileLock, Timeout
from peewee import DatabaseError as PeeweeDatabaseError
from peewee import SqliteDatabase

from daybank.embedding.vectors import Embedder
from daybank.errors import IndexBusy, IndexUnwritable, ModelError
from daybank.index.database import IndexDatabase, explain, is_damage
from daybank.index.schema import SEPARATOR
from daybank.index.texts import Line, window_texts
from daybank.index.vectors import (
    VectorIndex,
    VectorStore,
    VectorView,
    build_hnsw,
    needs_hnsw,
    open_index,
    space_folder,
)
from daybank.progress import CancelToken, OnProgress, Progress, check_cancel

if TYPE_CHECKING:
    import numpy as np

    from daybank.index.postings import Rows

    _Opened = tuple[VectorView, VectorIndex]

log = logging.getLogger(__name__)

VECTOR_FOLDER = "vectors"
Keys = tuple[bytes, bytes]
"""What the vectors of a passage are kept under: by itself, and with the lines beside it."""

_BATCH_PASSAGES = 64
_LEASE_SECONDS = 5.0
_NARROW = 20_000
"""A filter that so few passages meet is searched among these alone."""
_UNUSED_SHARE, _UNUSED_AT_LEAST = 1.25, 2000
"""How many vectors may be kept for how many texts before the unused ones are dropped."""
_BEYOND = 4
"""How many times more neighbours are looked up when a filter will take some away."""
_MORE = 16
"""Neighbours looked up beyond those wanted: some may be of texts that are gone."""
_ROWS_AT_ONCE = 2_000
_KEYS_AT_ONCE = 8_000
"""SQLite takes 32,766 values in a statement."""


@dataclass(frozen=True, slots=True)
class EmbedReport:
    """What one run did: texts embedded, texts in all, and how many the model could not do."""

    embedded: int
    total: int
    failed: int
    seconds: float


@dataclass(frozen=True, slots=True)
class Nearness:
    """Cosines of a passage with a question: by itself, and with the lines beside it."""

    own: float
    window: float


class MeaningIndex:
    """Vectors of one space for one index. Safe from any thread; the constructor does no I/O."""

    def __init__(self, index: IndexDatabase, state_dir: Path, embedder: Embedder) -> None:
        space = embedder.space
        self.space = space
        self.trouble: ModelError | None = None
        """Why the last question could not be compared with the texts; None where it could."""
        self._index = index
        self._embedder = embedder
        self._folder = space_folder(state_dir / VECTOR_FOLDER, space.key, space.dimension)
        self._store = VectorStore(self._folder, space.key, space.dimension)
        self._guard = threading.Lock()
        self._opened: _Opened | None = None
        self._asked: tuple[str, np.ndarray] | None = None

    def close(self) -> None:
        """Give the model's memory back."""
        self._embedder.close()

    # -- making vectors

    def embed(
        self, progress: OnProgress | None = None, cancel: CancelToken | None = None
    ) -> EmbedReport:
        """Embed every text that has no vector yet.

        Raises Cancelled (what was done stays), IndexBusy, IndexUnwritable, ModelError.
        """
        started = time.monotonic()
        with self._lease(cancel):
            ids, missing, keys = self._missing(cancel)
            total = len(keys)
            if len(self._store) > total * _UNUSED_SHARE + _UNUSED_AT_LEAST:
                self._store.compact(keys, cancel)
            done = failed = 0
            for start in range(0, len(ids), _BATCH_PASSAGES):
                check_cancel(cancel)
                texts = self._texts(ids[start : start + _BATCH_PASSAGES])
                new = self._store.missing(texts)
                if not new:
                    continue
                made = self._embedder.embed_marked([texts[key] for key in new], cancel)
                self._store.append(new, made.vectors)
                done += len(new)
                failed += len(made.failed)
                if progress is not None:
                    progress(Progress("embed", min(total, total - missing + done), total))
            view = self._store.view()
            if needs_hnsw(view, self._folder):
                build_hnsw(view, self._folder, cancel=cancel)
        return EmbedReport(done, total, failed, time.monotonic() - started)

    def coverage(self, cancel: CancelToken | None = None) -> tuple[int, int]:
        """How many texts have a vector, and how many there are. Raises Cancelled."""
        _, missing, keys = self._missing(cancel)
        return len(keys) - missing, len(keys)

    def is_complete(self) -> bool:
        """Whether every text has a vector. Looks at every text."""
        done, total = self.coverage()
        return done >= total and self.has_vectors()

    def has_vectors(self) -> bool:
        """Whether there is any vector at all."""
        return len(self._store) > 0

    def _missing(
        self, cancel: CancelToken | None = None
    ) -> tuple[list[int], int, Collection[bytes]]:
        """Passages of which a text has no vector, newest notes first; how many such texts there
        are; and the keys of all texts. The index knows the keys, so no text is read for this."""
        rows: list[tuple[int, bytes, bytes]] = []
        keys: dict[bytes, None] = {}
        with self._reading() as database:
            cursor = database.execute_sql(
                "SELECT id, own_key, window_key FROM passage"
                " ORDER BY COALESCE(day, 0) DESC, id DESC"
            )
            while some := cursor.fetchmany(_ROWS_AT_ONCE):
                check_cancel(cancel)
                rows += some
                keys.update((key, None) for _, own, window in some for key in (own, window))
        missing = set(self._store.missing(keys))
        ids = [id_ for id_, own, window in rows if own in missing or window in missing]
        return ids, len(missing), keys

    def _texts(self, ids: Sequence[int]) -> dict[bytes, str]:
        """The texts of those of the passages ``ids`` that are still there, by their keys."""
        # A file's passages have consecutive ids, so these are all the lines beside them.
        around = {near for id_ in ids for near in (id_ - 1, id_, id_ + 1)}
        with self._reading() as database:
            rows = database.execute_sql(
                "SELECT file_id, trail, subjects, names, content, id, own_key, window_key"
                f" FROM passage WHERE id IN ({','.join(map(str, around))}) ORDER BY id"
            ).fetchall()
        lines = []
        for file_id, trail, subjects, names, content, *_ in rows:
            said = tuple(names.split(SEPARATOR))[:subjects] if subjects else ()
            lines.append(Line(file_id, trail, said, content))
        wanted = set(ids)
        texts: dict[bytes, str] = {}
        for row, (own, window) in zip(rows, window_texts(lines), strict=True):
            id_, own_key, window_key = row[-3:]
            if id_ in wanted:
                texts[own_key] = own
                texts[window_key] = window
        return texts

    @contextlib.contextmanager
    def _reading(self) -> Iterator[SqliteDatabase]:
        """The index. While it is made anew there is nothing to do but wait."""
        try:
            with self._index.reading() as database:
                yield database
        except (PeeweeDatabaseError, sqlite3.DatabaseError) as error:
            if is_damage(error):
                raise IndexBusy("The notes are being read anew.", "Wait a moment.") from error
            raise explain(error, self._index.folder) or error from error

    @contextlib.contextmanager
    def _lease(self, cancel: CancelToken | None) -> Iterator[None]:
        if self._index.folder.is_dir():  # not in the place of a folder that is gone
            self._folder.mkdir(parents=True, exist_ok=True)
        lock = FileLock(self._folder.parent / "embed.lock")
        deadline = time.monotonic() + _LEASE_SECONDS
        while not lock.is_locked:
            check_cancel(cancel)
            try:
                lock.acquire(timeout=0.2, poll_interval=0.05)
            except Timeout:
                if time.monotonic() > deadline:
                    raise IndexBusy(
                        "Another Daybank is preparing search by meaning.", "It will be ready soon."
                    ) from None
            except OSError as error:
                raise IndexUnwritable(
                    "Search by meaning cannot be saved.",
                    f"{error.strerror or error} (“{self._folder.parent}”). Search by words works"
                    " meanwhile.",
                ) from error
        try:
            yield
        finally:
            lock.release()

    # -- finding

    def nearest(self, text: str, k: int, among: Rows | None = None) -> dict[int, Nearness]:
        """About ``k`` passages, of those ``among`` which to look, that lie nearest to ``text``, by
        id. Empty while there are no vectors. Raises ModelError when the question cannot be
        embedded."""
        import numpy as np

        opened = self._open()
        if opened is None:
            return {}
        if among is not None and len(among) <= _NARROW:
            keys = self.keys_of(among.tolist())
        else:
            keys = self._near(opened, text, k if among is None else k * _BEYOND)
            if among is not None:
                allowed = np.intersect1d(list(keys), among).tolist()
                keys = {id_: keys[id_] for id_ in allowed}
        near = self.nearness(text, keys)
        if len(near) <= k:
            return near
        return {id_: near[id_] for id_ in self._best(near, k)}

    def keys_of(self, ids: Sequence[int]) -> dict[int, Keys]:
        """The keys of the vectors of the passages ``ids``."""
        numbers = ",".join(map(str, ids))
        with self._index.connected() as database:
            found = database.execute_sql(
                f"SELECT id, own_key, window_key FROM passage WHERE id IN ({numbers})"
            ).fetchall()
        return {id_: (own, window) for id_, own, window in found}

    def nearness(self, text: str, keys: Mapping[int, Keys]) -> dict[int, Nearness]:
        """How near passages are to ``text``, by id, given the keys of their vectors; those without
        a vector are left out."""
        import numpy as np

        # What the search for the nearest has opened, so that one question is asked of one state.
        opened = self._opened or self._open()
        if opened is None or not keys:
            return {}
        view, index = opened
        rows = view.rows_of([key for both in keys.values() for key in both])
        scores = np.zeros(len(rows), dtype=np.float32)
        there = rows >= 0
        scores[there] = index.scores(self._question(text), rows[there])
        pairs = zip(scores.tolist(), there.tolist(), strict=True)
        out: dict[int, Nearness] = {}
        for id_, (own, has_own), (window, has_window) in zip(keys, pairs, pairs, strict=True):
            if has_own:
                out[id_] = Nearness(own, window if has_window else own)
        return out

    def _open(self) -> _Opened | None:
        """The newest vectors, opened once per change."""
        with self._guard:
            view = self._store.view()
            if not len(view):
                return None
            if self._opened is None or self._opened[0] is not view:
                self._opened = (view, open_index(view, self._folder))
            return self._opened

    def _question(self, text: str) -> np.ndarray:
        asked = self._asked
        if asked is not None and asked[0] == text:
            return asked[1]
        try:
            vector = self._embedder.embed_query(text)
        except ModelError as error:
            self.trouble = error
            raise
        self.trouble = None
        self._asked = (text, vector)
        return vector

    def _near(self, opened: _Opened, text: str, count: int) -> dict[int, Keys]:
        """The passages with the ``count`` texts nearest to ``text``, and with those just as near as
        the last. A text that no passage has any more keeps its vector for a while; it takes no
        place here, or what was written anew again and again would hide what is there now."""
        view, index = opened
        asked = count + _MORE
        question = self._question(text)
        while True:
            rows, scores = index.search(question, asked)
            keys = view.keys_of(rows)
            passages = self._having(keys)
            living = {key for both in passages.values() for key in both}
            at = [n for n, key in enumerate(keys) if key in living]
            if len(at) > count or len(rows) < asked:
                break
            asked *= 2
        if len(at) <= count:
            return passages
        least = scores[at[count - 1]]
        near = {keys[n] for n in at if scores[n] >= least}
        return {id_: both for id_, both in passages.items() if not near.isdisjoint(both)}

    def _having(self, keys: Sequence[bytes]) -> dict[int, Keys]:
        """The passages that have any of ``keys``, with theirs."""
        out: dict[int, Keys] = {}
        for start in range(0, len(keys), _KEYS_AT_ONCE):
            some = keys[start : start + _KEYS_AT_ONCE]
            marks = ",".join("?" * len(some))
            with self._index.connected() as database:
                found = database.execute_sql(
                    "SELECT id, own_key, window_key FROM passage"
                    f" WHERE own_key IN ({marks}) OR window_key IN ({marks})",
                    (*some, *some),
                ).fetchall()
            out.update((id_, (own, window)) for id_, own, window in found)
        return out

    def _best(self, near: Mapping[int, Nearness], k: int) -> list[int]:
        """The ``k`` nearest of more. Of those equally near, where not all have room, the first by
        path and line: an id tells only when a file was read."""
        worth = {id_: max(item.own, item.window) for id_, item in near.items()}
        least = sorted(worth.values(), reverse=True)[k - 1]
        better = [id_ for id_, value in worth.items() if value > least]
        equal = [id_ for id_, value in worth.items() if value == least]
        if len(better) + len(equal) > k:
            with self._index.connected() as database:
                found = database.execute_sql(
                    "SELECT p.id FROM passage p JOIN file ON file.id = p.file_id"
                    f" WHERE p.id IN ({','.join(map(str, equal))}) ORDER BY file.path, p.line_start"
                    " LIMIT ?",
                    (k - len(better),),
                ).fetchall()
            equal = [int(row[0]) for row in found]
        return [*better, *equal]


def safely_nearest(
    meaning: MeaningIndex | None, text: str, k: int, among: Rows | None = None
) -> dict[int, Nearness] | None:
    """:meth:`MeaningIndex.nearest`, or None when search by meaning is off or fails: then words
    still answer, and the caller says so."""
    if meaning is None:
        return None
    try:
        return meaning.nearest(text, k, among)
    except ModelError as error:
        log.info("Search by meaning failed: %s", error)
        return None
