"""A graph over a large space: a few thousand comparisons instead of a million.

usearch builds it over the stored codes. The file lies beside the vectors and says, in a small file
of its own, of which rows it speaks: rows 0 … n-1 of one identity of the store, which never change.
Rows that came later are compared exactly, so a search is complete at any time, and a graph only has
to be added to when that tail has grown long. After a compaction there is none, and search is exact
until it is built again. A file that is not what was written is not opened: a damaged graph would
end the process, not raise.

``build_hnsw`` is the caller's background work, under the index's lease. It saves what it has as it
goes; stopped, it goes on from there the next time.
"""

from __future__ import annotations

import contextlib
import json
import logging
import mmap
import os
import threading
import zlib
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from daybank.errors import IndexUnwritable
from daybank.index.vectors.codes import Question, available
from daybank.index.vectors.exact import (
    candidates_for,
    cosines,
    mask_of,
    nothing,
    ranked,
    scan,
    scan_allowed,
    usable,
)
from daybank.progress import CancelToken, OnProgress, Progress, check_cancel
from daybank.workspace import make_below

if TYPE_CHECKING:
    import numpy.typing as npt
    from usearch.index import Index

    from daybank.index.vectors.codes import Floats
    from daybank.index.vectors.exact import Found, Rows
    from daybank.index.vectors.store import VectorView

log = logging.getLogger(__name__)

CONNECTIVITY = 32
EXPANSION_ADD = 200
EXPANSION_SEARCH = 384
STAGE = "graph"

_FORMAT = 1
_MANIFEST = "graph.json"
_PREFIX, _SUFFIX = "graph-", ".usearch"
_CHUNK = 250
_FIRST_SAVE = 100_000
_WIDEST = 2_048
_HEAD = 4_096


@dataclass(frozen=True, slots=True)
class _Manifest:
    """What the graph file beside it is, and over which rows."""

    format: int
    usearch: str
    file: str
    identity: str
    dimension: int
    rows: int
    vectors: int
    """As ``rows``, less those without a direction."""
    size: int
    check: int


class Graph:
    """A graph file, mapped. One search at a time; others wait a millisecond."""

    def __init__(self, index: Index, rows: int, content: memoryview) -> None:
        self._index = index
        self._content = content  # the graph only points into it
        self.rows = rows
        self._guard = threading.Lock()

    def search(self, question: Question, count: int) -> Rows:
        """About the ``count`` nearest rows, unordered."""
        import numpy as np

        if not len(self._index):
            return np.empty(0, dtype=np.int64)
        with self._guard:
            self._index.expansion_search = max(EXPANSION_SEARCH, 2 * count)  # type: ignore[misc]  # read-only in its stub
            found = self._index.search(question.codes[0], min(count, len(self._index)), threads=1)
        return np.asarray(found.keys).astype(np.int64)


class HnswIndex:
    """A graph over the first rows of a view, exact search over the rest. Threads may share it."""

    def __init__(self, view: VectorView, graph: Graph) -> None:
        self.view = view
        self._graph = graph

    def __len__(self) -> int:
        return len(self.view)

    @property
    def tail(self) -> int:
        """How many rows the graph does not know yet."""
        return len(self.view) - self._graph.rows

    def search(self, query: npt.ArrayLike, k: int, allowed_rows: Rows | None = None) -> Found:
        """As :meth:`ExactIndex.search`, with about one in a hundred of the nearest missed.

        A filter that leaves much is applied to a longer list from the graph; one that leaves
        little, or only what that list does not hold, is searched exactly.
        """
        question = Question.of(query, self.view.dimension)
        if question is None or k <= 0:
            return nothing()
        if allowed_rows is None:
            rows = self._nearest(question, candidates_for(k))
        else:
            rows = self._nearest_allowed(question, k, usable(self.view, allowed_rows))
        return ranked(self.view, question, rows, k)

    def scores(self, query: npt.ArrayLike, rows: Rows) -> Floats:
        """The cosine of each of ``rows``, in their order."""
        return cosines(self.view, query, rows)

    def _nearest(self, question: Question, count: int) -> Rows:
        import numpy as np

        if count > _WIDEST:
            return scan(self.view, question, count)
        tail = scan(self.view, question, count, start=self._graph.rows)
        return np.concatenate([self._graph.search(question, count), tail])

    def _nearest_allowed(self, question: Question, k: int, allowed: Rows) -> Rows:
        count = candidates_for(k)
        if not len(allowed):
            return allowed
        wide = int(1.5 * count * len(self.view) / len(allowed))
        if wide <= _WIDEST:
            rows = self._nearest(question, wide)
            rows = rows[mask_of(self.view, allowed)[rows]]
            if len(rows) >= min(count, len(allowed)):
                return rows
        return scan_allowed(self.view, question, count, allowed)


def open_graph(view: VectorView, folder: Path) -> Graph | None:
    """The graph over ``view``, or None when there is none that can be trusted."""
    manifest = _manifest(view, folder)
    if manifest is None or not available().graph or not _is_whole(folder, manifest):
        return None
    try:
        index = _new_index(view.dimension)
        content = _mapped(folder / manifest.file)
        index.view(content)
    except (OSError, RuntimeError, ValueError) as error:
        log.warning("The graph over the vectors cannot be opened: %s", error)
        return None
    return Graph(index, manifest.rows, content)


def covered_rows(view: VectorView, folder: Path) -> int:
    """How many rows of ``view`` have a place in a graph that can be trusted."""
    manifest = _manifest(view, folder)
    return manifest.rows if manifest is not None and _is_whole(folder, manifest) else 0


def build_hnsw(
    view: VectorView,
    folder: Path,
    progress: OnProgress | None = None,
    cancel: CancelToken | None = None,
    *,
    threads: int | None = None,
) -> int:
    """Make the graph over ``view``, or add the rows it does not know; how many were added.

    Takes minutes for a million rows; ``threads`` is all processors but one when not given.
    Raises Cancelled, or IndexUnwritable. The graph that is in use is replaced only by a whole one.
    """
    import numpy as np

    workers = threads or max((os.cpu_count() or 2) - 1, 1)
    total = len(view)
    index, done = _begin(view, folder)
    first, saved = done, done
    try:
        while done < total:
            check_cancel(cancel)
            last = min(done + _CHUNK, total)
            rows = np.arange(done, last, dtype=np.int64)
            rows = rows[view.inverse[rows] > 0]
            if len(rows) == last - done:
                # Not copied: the view is mapped, and stays so for as long as this graph is built.
                part = view.codes[done:last]
                index.add(rows.astype(np.uint64), part, copy=False, threads=workers)
            elif len(rows):
                index.add(
                    rows.astype(np.uint64), np.take(view.codes, rows, axis=0), threads=workers
                )
            done = last
            if progress is not None:
                progress(Progress(STAGE, done, total))
            if done < total and done - saved >= max(_FIRST_SAVE, saved // 2):
                _save(index, view, folder, done)
                saved = done
        if saved < total:
            _save(index, view, folder, total)
    except OSError as error:
        raise IndexUnwritable(
            "The faster search by meaning cannot be saved.",
            f"{error.strerror or error} (“{folder}”). Search works without it, only slower."
            " Your notes are untouched.",
        ) from error
    return total - first


def _begin(view: VectorView, folder: Path) -> tuple[Index, int]:
    """The graph to add to, in memory, and how many rows it has; an empty one otherwise."""
    index = _new_index(view.dimension)
    manifest = _manifest(view, folder)
    if manifest is None or not _is_whole(folder, manifest):
        return index, 0
    if manifest.rows == len(view):
        return index, manifest.rows
    try:
        index.load(_mapped(folder / manifest.file))
    except (OSError, RuntimeError, ValueError) as error:
        log.warning("The graph over the vectors is made anew: %s", error)
        return _new_index(view.dimension), 0
    return index, manifest.rows


def _mapped(place: Path) -> memoryview:
    """The file as memory; usearch opens no name itself, which not every system lets it."""
    with place.open("rb") as file:
        return memoryview(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ))


def _new_index(dimension: int) -> Index:
    from usearch.index import Index

    return Index(
        ndim=dimension,
        metric="cos",
        dtype="i8",
        connectivity=CONNECTIVITY,
        expansion_add=EXPANSION_ADD,
        expansion_search=EXPANSION_SEARCH,
        enable_key_lookups=False,
    )


def _save(index: Index, view: VectorView, folder: Path, rows: int) -> None:
    """A new file under a new name, then the manifest that points to it."""
    make_below(folder.parent.parent, folder)
    place = folder / f"{_PREFIX}{os.urandom(6).hex()}{_SUFFIX}"
    try:
        if os.name == "nt" and not str(place).isascii():
            # usearch hands the name to the C library, which cannot read it there.
            place.write_bytes(index.save() or b"")
        else:
            index.save(place)
        with place.open("r+b") as file:
            os.fsync(file.fileno())
        size = place.stat().st_size
        manifest = _Manifest(
            _FORMAT,
            _usearch_version(),
            place.name,
            view.identity,
            view.dimension,
            rows,
            len(index),
            size,
            _check(place, len(index) * view.dimension),
        )
        unnamed = folder / (_MANIFEST + ".new")
        with unnamed.open("w", encoding="utf-8") as file_:
            json.dump(asdict(manifest), file_)
            file_.flush()
            os.fsync(file_.fileno())
        os.replace(unnamed, folder / _MANIFEST)
    except BaseException:
        with contextlib.suppress(OSError):
            place.unlink()
        raise
    for other in folder.glob(f"{_PREFIX}*{_SUFFIX}"):
        if other.name != place.name:
            with contextlib.suppress(OSError):  # in use on this system: another time
                other.unlink()


def _manifest(view: VectorView, folder: Path) -> _Manifest | None:
    """What the graph is, if it is one over rows of this view, made by this usearch."""
    try:
        fields: Any = json.loads((folder / _MANIFEST).read_text(encoding="utf-8"))
        manifest = _Manifest(**fields)
    except (OSError, ValueError, TypeError):
        return None
    expected = (_FORMAT, view.identity, view.dimension)
    if (manifest.format, manifest.identity, manifest.dimension) != expected:
        return None
    if not 0 < manifest.rows <= len(view) or manifest.usearch != _usearch_version():
        return None
    return manifest


_whole: dict[Path, tuple[int, int, int]] = {}
"""Graph files whose checksum held, with what the file system said of them then."""


def _is_whole(folder: Path, manifest: _Manifest) -> bool:
    """Whether the file is what was written; its links are read once a process."""
    place = folder / Path(manifest.file).name
    try:
        info = place.stat()
        if info.st_size != manifest.size:
            return False
        seen = (info.st_mtime_ns, info.st_size, manifest.check)
        if _whole.get(place) != seen:
            if _check(place, manifest.vectors * manifest.dimension) != manifest.check:
                return False
            _whole[place] = seen
    except OSError:
        return False
    return True


def _check(place: Path, vector_bytes: int) -> int:
    """A checksum of what usearch follows without asking: the head, and the links at the end.

    The vectors in between are a copy; what they say is scored again from the store.
    """
    with place.open("rb") as file:
        check = zlib.crc32(file.read(_HEAD))
        file.seek(vector_bytes)
        while part := file.read(1 << 20):
            check = zlib.crc32(part, check)
    return check


def _usearch_version() -> str:
    """Major and minor: files of another release are not trusted."""
    import importlib.metadata

    try:
        return ".".join(importlib.metadata.version("usearch").split(".")[:2])
    except importlib.metadata.PackageNotFoundError:
        return ""
