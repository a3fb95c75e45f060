"""SuCo, subspace collision, in NumPy: a candidate that was measured, not shipped.

Wei, Lee, Liao, Palpanas, Peng: "Subspace Collision: An Efficient and Accurate Framework for
High-dimensional Approximate Nearest Neighbor Search", SIGMOD 2025, arXiv 2411.14754; written from
the paper's description.

The dimensions are cut into ``subspaces``, each into two halves, each half clustered by k-means
into ``centroids`` cells: an inverted multi-index of centroids² cells per subspace. A query takes,
in each subspace, the nearest cells until they hold ``alpha``·n rows (Dynamic Activation, the
multi-sequence algorithm); a row *collides* in every subspace where it was taken. The ``beta``·n
rows that collide most often are compared exactly. The defaults are those of the paper.

``activate`` is the algorithm as published, a step at a time. With 2,500 cells a sort finds the same
cells in the same order many times faster in Python, so searches use ``activate_sorted``; the
benchmark checks that the two agree.
"""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

from daybank.index.vectors import VectorView
from daybank.index.vectors.codes import Question
from daybank.index.vectors.exact import cosines, nothing, ranked, usable

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Floats = npt.NDArray[np.float32]
    Rows = npt.NDArray[np.int64]

_TRAINED_ON = 65_536
_BLOCK = 16_384


class SucoIndex:
    """Behind the same interface as ``ExactIndex`` and ``HnswIndex``; built in memory."""

    def __init__(
        self,
        view: VectorView,
        *,
        subspaces: int = 8,
        centroids: int = 50,
        alpha: float = 0.05,
        beta: float = 0.005,
        iterations: int = 5,
        seed: int = 7,
    ) -> None:
        import numpy as np

        self.view = view
        self.alpha, self.beta = alpha, beta
        self._subspaces, self._centroids = subspaces, centroids
        edges = np.linspace(0, view.dimension, 2 * subspaces + 1).round().astype(int)
        self._halves = [slice(a, b) for a, b in itertools.pairwise(edges)]
        self._build(iterations, np.random.default_rng(seed))

    def __len__(self) -> int:
        return len(self.view)

    def search(
        self, query: npt.ArrayLike, k: int, allowed_rows: Rows | None = None
    ) -> tuple[Rows, Floats]:
        question = Question.of(query, self.view.dimension)
        if question is None or k <= 0:
            return nothing()
        counts = self._collisions((question.fine / question.length).astype("float32"))
        if allowed_rows is None:
            rows = self._candidates(counts, k)
        else:
            allowed = usable(self.view, allowed_rows)
            rows = allowed[self._candidates(counts[allowed], k)]
        return ranked(self.view, question, rows, k)

    def scores(self, query: npt.ArrayLike, rows: Rows) -> Floats:
        return cosines(self.view, query, rows)

    # -- building

    def _unit(self, rows: slice | Rows) -> Floats:
        return self.view.codes[rows].astype("float32") * self.view.inverse[rows][:, None]

    def _build(self, iterations: int, rng: np.random.Generator) -> None:
        import numpy as np

        count = len(self.view)
        picked = np.sort(rng.choice(count, min(count, _TRAINED_ON), replace=False))
        sample = self._unit(picked)
        self._centres = [
            _kmeans(sample[:, half], self._centroids, iterations, rng) for half in self._halves
        ]
        cells = np.empty((self._subspaces, count), dtype=np.uint16)
        for first in range(0, count, _BLOCK):
            block = slice(first, min(first + _BLOCK, count))
            unit = self._unit(block)
            for number in range(self._subspaces):
                one, two = (
                    _nearest(unit[:, self._halves[at]], self._centres[at])
                    for at in (2 * number, 2 * number + 1)
                )
                cells[number, block] = one * len(self._centres[2 * number + 1]) + two
        size = self._centroids**2
        self._members = [np.argsort(line, kind="stable").astype(np.int32) for line in cells]
        self._starts = [
            np.concatenate([[0], np.bincount(line, minlength=size).cumsum()]) for line in cells
        ]

    # -- searching

    def _collisions(self, unit: Floats) -> npt.NDArray[np.uint8]:
        """In how many subspaces each row is among the nearest."""
        import numpy as np

        counts = np.zeros(len(self.view), dtype=np.uint8)
        wanted = max(int(self.alpha * len(self.view)), 1)
        for number in range(self._subspaces):
            starts, members = self._starts[number], self._members[number]
            cells = activate_sorted(*self.halves(unit, number), np.diff(starts), wanted)
            taken = np.concatenate([members[starts[cell] : starts[cell + 1]] for cell in cells])
            counts[taken] += 1
        return counts

    def halves(self, unit: Floats, number: int) -> tuple[Floats, Floats]:
        """The squared distances of the query to the centres of both halves of a subspace."""
        import numpy as np

        one, two = (
            np.square(self._centres[at] - unit[self._halves[at]]).sum(1)
            for at in (2 * number, 2 * number + 1)
        )
        return one, two

    def sizes(self, number: int) -> npt.NDArray[np.int64]:
        """How many rows each cell of a subspace holds."""
        import numpy as np

        return np.diff(self._starts[number])

    def _candidates(self, counts: npt.NDArray[np.uint8], k: int) -> Rows:
        """The ``beta``·n that collide most; of those that collide equally, the first."""
        import numpy as np

        wanted = min(max(int(self.beta * len(self.view)), k), len(counts))
        at_least = np.bincount(counts, minlength=self._subspaces + 1)[::-1].cumsum()[::-1]
        level = int(np.flatnonzero(at_least >= wanted)[-1])
        over = np.flatnonzero(counts > level)
        return np.concatenate([over, np.flatnonzero(counts == level)[: wanted - len(over)]])


def activate(one: Floats, two: Floats, sizes: npt.NDArray[np.int64], wanted: int) -> list[int]:
    """Dynamic Activation: cells by the sum of their halves' distances until ``wanted`` rows.

    One cursor for each centre of the first half that was reached yet, all kept in one list; the
    nearest advances, and the first advance of a cursor lets the next one in.
    """
    import numpy as np

    first, second = np.argsort(one, kind="stable"), np.argsort(two, kind="stable")
    cursors, reach = [0], [float(one[first[0]] + two[second[0]])]
    cells: list[int] = []
    held = 0
    while held < wanted:
        at = int(np.argmin(reach))
        if reach[at] == np.inf:
            break
        cell = int(first[at]) * len(two) + int(second[cursors[at]])
        if sizes[cell]:
            cells.append(cell)
            held += int(sizes[cell])
        if cursors[at] == 0 and at + 1 < len(one):
            cursors.append(0)
            reach.append(float(one[first[at + 1]] + two[second[0]]))
        cursors[at] += 1
        done = cursors[at] == len(two)
        reach[at] = np.inf if done else float(one[first[at]] + two[second[cursors[at]]])
    return cells


def activate_sorted(
    one: Floats, two: Floats, sizes: npt.NDArray[np.int64], wanted: int
) -> npt.NDArray[np.int64]:
    """The same cells as ``activate``, by sorting all of them."""
    import numpy as np

    reach = (one[:, None] + two[None, :]).ravel()
    order = np.argsort(reach)
    order = order[sizes[order] > 0]
    held = sizes[order].cumsum()
    return order[: int(np.searchsorted(held, wanted)) + 1]


def _kmeans(points: Floats, count: int, iterations: int, rng: np.random.Generator) -> Floats:
    import numpy as np

    centres = points[rng.choice(len(points), count, replace=len(points) < count)].copy()
    for _ in range(iterations):
        nearest = _nearest(points, centres)
        sizes = np.bincount(nearest, minlength=count)
        sums = np.stack(
            [np.bincount(nearest, weights=column, minlength=count) for column in points.T], axis=1
        )
        full = sizes > 0
        centres[full] = sums[full] / sizes[full, None]
    return centres


def _nearest(points: Floats, centres: Floats) -> npt.NDArray[np.int64]:
    import numpy as np

    return np.argmin(np.square(centres).sum(1) - 2 * (points @ centres.T), axis=1)
