"""Inverted lists with exact codes (IVF-Flat) in NumPy: measured beside the graph.

Spherical k-means over a sample cuts the space into lists; the codes are copied in the order of
their lists, so that the nearest few are compared at the speed of a plain scan. Built in memory.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from daybank.index.vectors import VectorView
from daybank.index.vectors.codes import Question, product
from daybank.index.vectors.exact import (
    candidates_for,
    cosines,
    mask_of,
    nothing,
    ranked,
    usable,
)

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Floats = npt.NDArray[np.float32]
    Rows = npt.NDArray[np.int64]

_TRAINED_ON = 60_000
_BLOCK = 8_192


class IvfIndex:
    """Behind the same interface as ``ExactIndex`` and ``HnswIndex``."""

    def __init__(
        self, view: VectorView, *, lists: int = 1024, probes: int = 40, seed: int = 7
    ) -> None:
        import numpy as np

        self.view = view
        self.probes = probes
        rng = np.random.default_rng(seed)
        picked = np.sort(rng.choice(len(view), min(len(view), _TRAINED_ON), replace=False))
        self._centres = _spherical(self._unit(picked), lists, rng)
        member = np.concatenate(
            [
                np.argmax(self._unit(slice(at, at + _BLOCK)) @ self._centres.T, axis=1)
                for at in range(0, len(view), _BLOCK)
            ]
        )
        self._rows = np.argsort(member, kind="stable")
        self._starts = np.searchsorted(member[self._rows], np.arange(lists + 1))
        self._codes = np.take(view.codes, self._rows, axis=0)
        self._inverse = view.inverse[self._rows]

    def __len__(self) -> int:
        return len(self.view)

    def search(
        self, query: npt.ArrayLike, k: int, allowed_rows: Rows | None = None
    ) -> tuple[Rows, Floats]:
        import numpy as np

        question = Question.of(query, self.view.dimension)
        if question is None or k <= 0:
            return nothing()
        likeness = self._centres @ question.fine.astype(np.float32)
        near = np.argpartition(-likeness, self.probes)[: self.probes]
        spans = [(int(self._starts[at]), int(self._starts[at + 1])) for at in near]
        scores = np.empty(sum(last - first for first, last in spans), dtype=np.float32)
        rows = np.empty(len(scores), dtype=np.int64)
        multiply, at = product(), 0
        for first, last in spans:
            part = slice(at, at + last - first)
            if first < last:
                multiply(question.codes, self._codes[first:last], scores[part])
                scores[part] *= self._inverse[first:last]
                rows[part] = self._rows[first:last]
            at = part.stop
        if allowed_rows is not None:
            kept = mask_of(self.view, usable(self.view, allowed_rows))[rows]
            rows, scores = rows[kept], scores[kept]
        count = min(candidates_for(k), len(rows))
        best = np.argpartition(-scores, count - 1)[:count] if count else rows
        return ranked(self.view, question, rows[best], k)

    def scores(self, query: npt.ArrayLike, rows: Rows) -> Floats:
        return cosines(self.view, query, rows)

    def _unit(self, rows: slice | Rows) -> Floats:
        return self.view.codes[rows].astype("float32") * self.view.inverse[rows][:, None]


def _spherical(points: Floats, count: int, rng: np.random.Generator, turns: int = 6) -> Floats:
    import numpy as np

    centres = points[rng.choice(len(points), count, replace=False)].copy()
    for _ in range(turns):
        nearest = np.concatenate(
            [
                np.argmax(points[at : at + _BLOCK] @ centres.T, axis=1)
                for at in range(0, len(points), _BLOCK)
            ]
        )
        order = np.argsort(nearest, kind="stable")
        used, starts = np.unique(nearest[order], return_index=True)
        sums = np.add.reduceat(points[order], starts, axis=0)
        centres[used] = sums / np.linalg.norm(sums, axis=1, keepdims=True)
    return centres
