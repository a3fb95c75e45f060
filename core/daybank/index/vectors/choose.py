"""Exact or by a graph: which a search uses, decided by measurement (``docs/benchmarks.md``)."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from daybank.index.vectors.codes import available
from daybank.index.vectors.exact import ExactIndex
from daybank.index.vectors.hnsw import HnswIndex, covered_rows, open_graph

if TYPE_CHECKING:
    import numpy.typing as npt

    from daybank.index.vectors.codes import Floats
    from daybank.index.vectors.exact import Found, Rows
    from daybank.index.vectors.store import VectorView

EXACT_UP_TO = 250_000
"""Up to here every row is compared: nothing missed, nothing to build, a few milliseconds."""

TAIL = 50_000
"""Rows that a graph may lack: comparing them takes a millisecond, adding them half a minute."""


class VectorIndex(Protocol):
    """What recall asks of vectors."""

    def __len__(self) -> int: ...

    def search(self, query: npt.ArrayLike, k: int, allowed_rows: Rows | None = None) -> Found:
        """The ``k`` nearest rows and their cosines, best first; only ``allowed_rows`` if given."""
        ...

    def scores(self, query: npt.ArrayLike, rows: Rows) -> Floats:
        """The cosine of each of ``rows``, in their order."""
        ...


def open_index(view: VectorView, folder: Path, *, exact_up_to: int = EXACT_UP_TO) -> VectorIndex:
    """The index to search ``view`` with now; exact as long as no graph in ``folder`` fits it."""
    if len(view) > exact_up_to:
        graph = open_graph(view, folder)
        if graph is not None:
            return HnswIndex(view, graph)
    return ExactIndex(view)


def needs_hnsw(view: VectorView, folder: Path, *, exact_up_to: int = EXACT_UP_TO) -> bool:
    """Whether ``build_hnsw`` is worth calling."""
    if len(view) <= exact_up_to or not available().graph:
        return False
    covered = covered_rows(view, folder)
    return not covered or len(view) - covered > TAIL
