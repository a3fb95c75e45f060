"""Every vector compared: int8 products to find candidates, a float32 query to score them.

The query is rounded to int8 only for the pass over all rows; twice as many candidates as asked
for are scored again with the query as it was given. In a million rows, none of the true first fifty
stood below the fifty-fifth place in that pass. Equal scores come in row order.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from daybank.index.vectors.codes import BLOCK, Question, product

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from daybank.index.vectors.codes import Floats
    from daybank.index.vectors.store import VectorView

    Rows = npt.NDArray[np.int64]
    Found = tuple[Rows, Floats]

_SCORED = 1_024
"""Rows scored at a time: 3 MB of float64."""

_FEW = 8
"""Fewer than one row in eight allowed: gathering them is faster than passing over all."""


def candidates_for(k: int) -> int:
    """How many rows to score again for the best ``k``."""
    return 2 * k + 32


class ExactIndex:
    """Exact search over one view. Any number of threads may use it."""

    def __init__(self, view: VectorView) -> None:
        self.view = view

    def __len__(self) -> int:
        return len(self.view)

    def search(self, query: npt.ArrayLike, k: int, allowed_rows: Rows | None = None) -> Found:
        """The ``k`` nearest rows and their cosines, best first; only ``allowed_rows`` if given.

        Fewer come back when there are fewer. Rows without a direction never do, and a query
        without one finds nothing.
        """
        question = Question.of(query, self.view.dimension)
        if question is None or k <= 0:
            return nothing()
        if allowed_rows is None:
            rows = scan(self.view, question, candidates_for(k))
        else:
            allowed = usable(self.view, allowed_rows)
            rows = scan_allowed(self.view, question, candidates_for(k), allowed)
        return ranked(self.view, question, rows, k)

    def scores(self, query: npt.ArrayLike, rows: Rows) -> Floats:
        """The cosine of each of ``rows``, in their order."""
        return cosines(self.view, query, rows)


def nothing() -> Found:
    import numpy as np

    return np.empty(0, dtype=np.int64), np.empty(0, dtype=np.float32)


def cosines(view: VectorView, query: npt.ArrayLike, rows: Rows) -> Floats:
    """The cosine of each of ``rows``; -1 where the row or the query has no direction."""
    import numpy as np

    rows = np.asarray(rows, dtype=np.int64)
    question = Question.of(query, view.dimension)
    if question is None:
        return np.full(len(rows), -1, dtype=np.float32)
    out = np.empty(len(rows), dtype=np.float32)
    for start in range(0, len(rows), _SCORED):
        out[start : start + _SCORED] = _score(view, question, rows[start : start + _SCORED])
    return out


def ranked(view: VectorView, question: Question, rows: Rows, k: int) -> Found:
    """The best ``k`` of candidate ``rows``, scored again and in order."""
    import numpy as np

    scores = _score(view, question, rows)
    order = np.lexsort((rows, -scores))[:k]
    return rows[order], scores[order]


def scan(
    view: VectorView,
    question: Question,
    count: int,
    *,
    start: int = 0,
    mask: npt.NDArray[np.bool_] | None = None,
) -> Rows:
    """About the ``count`` best rows from ``start`` on, unordered; only those in ``mask``."""
    import numpy as np

    best = _Best(count)
    multiply = product()
    buffer = np.empty(BLOCK, dtype=np.float32)
    for first in range(start, len(view), BLOCK):
        last = min(first + BLOCK, len(view))
        scores = buffer[: last - first]
        multiply(question.codes, view.codes[first:last], scores)
        scores *= view.inverse[first:last]
        if view.has_void:
            scores[view.inverse[first:last] == 0] = -np.inf
        if mask is not None:
            np.copyto(scores, -np.inf, where=~mask[first:last])
        best.offer(scores, first)
    return best.rows()


def scan_allowed(view: VectorView, question: Question, count: int, allowed: Rows) -> Rows:
    """The same over ``allowed`` (sorted, unique, with a direction)."""
    import numpy as np

    if len(allowed) * _FEW >= len(view):
        return scan(view, question, count, mask=mask_of(view, allowed))
    best = _Best(count)
    multiply = product()
    buffer = np.empty(BLOCK, dtype=np.float32)
    for first in range(0, len(allowed), BLOCK):
        rows = allowed[first : first + BLOCK]
        scores = buffer[: len(rows)]
        multiply(question.codes, np.take(view.codes, rows, axis=0), scores)
        scores *= view.inverse[rows]
        best.offer(scores, first)
    return allowed[best.rows()]


def usable(view: VectorView, rows: Rows) -> Rows:
    """Sorted and unique, without those this older view does not have or that have no direction."""
    import numpy as np

    rows = np.asarray(rows, dtype=np.int64)
    if not (rows[1:] > rows[:-1]).all():
        rows = np.unique(rows)
    first, last = np.searchsorted(rows, [0, len(view)])
    rows = rows[first:last]
    return rows[view.inverse[rows] > 0] if view.has_void else rows


def mask_of(view: VectorView, rows: Rows) -> npt.NDArray[np.bool_]:
    """True for each of ``rows``."""
    import numpy as np

    mask = np.zeros(len(view), dtype=np.bool_)
    mask[rows] = True
    return mask


def _score(view: VectorView, question: Question, rows: Rows) -> Floats:
    """Cosines of the codes as they are, whatever length was stored with them."""
    import numpy as np

    codes = np.take(view.codes, rows, axis=0).astype(np.float64)
    lengths = np.sqrt(np.einsum("ij,ij->i", codes, codes)) * question.length
    lengths[view.inverse[rows] == 0] = 0
    out = np.full(len(rows), -1, dtype=np.float64)
    np.divide(codes @ question.fine, lengths, out=out, where=lengths > 0)
    return np.clip(out, -1, 1, out=out).astype(np.float32)


class _Best:
    """The highest ``count`` of a stream of blocks: a threshold that rises keeps it cheap."""

    def __init__(self, count: int) -> None:
        import numpy as np

        self._count = count
        self._threshold = -np.inf
        self._rows = np.empty(0, dtype=np.int64)
        self._scores = np.empty(0, dtype=np.float32)

    def offer(self, scores: Floats, first: int) -> None:
        import numpy as np

        over = np.flatnonzero(scores > self._threshold)
        if not len(over):
            return
        self._rows = np.concatenate([self._rows, over + first])
        self._scores = np.concatenate([self._scores, scores[over]])
        if len(self._rows) > 2 * self._count or self._threshold == -np.inf:
            self._cut()

    def rows(self) -> Rows:
        self._cut()
        return self._rows

    def _cut(self) -> None:
        import numpy as np

        if len(self._rows) <= self._count:
            return
        kept = np.argpartition(self._scores, -self._count)[-self._count :]
        kept.sort()
        self._rows, self._scores = self._rows[kept], self._scores[kept]
        self._threshold = float(self._scores.min())
