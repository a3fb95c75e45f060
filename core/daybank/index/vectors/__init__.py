"""Embedded texts on disk, and finding the nearest of them: one folder per vector space.

A **space** is a model, its version and its dimension; vectors of different spaces are never
compared. ``store.py`` keeps the vectors (int8, mapped, append-only), ``exact.py`` compares a
question with every one of them, ``hnsw.py`` with a few thousand chosen by a graph, ``choose.py``
picks between the two. ``docs/benchmarks.md`` has the measurements behind every constant.

Everything here can be deleted and made again. Nothing here starts a thread or holds a lock across
processes: whoever writes (``append``, ``compact``, ``build_hnsw``) holds the index's lease.
Importing costs nothing; numpy and usearch are loaded by the first call that needs them.
"""

from daybank.index.vectors.choose import (
    EXACT_UP_TO,
    VectorIndex,
    needs_hnsw,
    open_index,
)
from daybank.index.vectors.codes import Available, available
from daybank.index.vectors.exact import ExactIndex
from daybank.index.vectors.hnsw import HnswIndex, build_hnsw
from daybank.index.vectors.store import (
    KEY_BYTES,
    Key,
    VectorStore,
    VectorView,
    WrongSpace,
    space_folder,
)

__all__ = [
    "EXACT_UP_TO",
    "KEY_BYTES",
    "Available",
    "ExactIndex",
    "HnswIndex",
    "Key",
    "VectorIndex",
    "VectorStore",
    "VectorView",
    "WrongSpace",
    "available",
    "build_hnsw",
    "needs_hnsw",
    "open_index",
    "space_folder",
]
