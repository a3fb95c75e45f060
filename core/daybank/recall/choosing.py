"""Which passages are ranked in full: the few that do best by their words.

It only counts which words a passage says, each by its rarity. They are added up over all passages
at once, from arrays of rows, so a question costs little however often its words stand in the notes.
One word by itself, and what is required, is ranked by SQLite.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from daybank.index.filter import Filter
from daybank.index.match import Group
from daybank.index.store import IndexStore

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from daybank.index.postings import Rows

    Floats = npt.NDArray[np.float32]
    Ranks = npt.NDArray[np.int32]

PROMISING = 15
LEAST_PROMISING = 6
PROMISING_FROM = 66_000
"""Times as many candidates as are ranked in full are compared by what they promise: one time more
for every so many passages, between the two."""

MOST_EQUAL = 30_000
"""Of those that do just as well as the last of them, so many more, the newest."""

PROMISE_AROUND = 0.5
PROMISE_OF_FILE = 2.0
BEST_OF_FILE = 3
"""What a candidate gains from the lines beside it, and from the best of its file. Measured over a
million passages (``tests/bench/scale.py pruning``)."""

UNDER_HEADING = 0.3
"""What a word in the headings above a passage is worth, against one in it."""

EVERYWHERE = 0.1
EVERYWHERE_AT_LEAST = 5000
"""A word in more passages than this, and in more than this share of all, tells them apart by
nothing but their age. Without a filter that is so already where ranking all that say it would
look at more passages than going back in time does until enough have said it."""

HALF_TYPED = 10_000
"""A half-typed word that may be any of so many passages' words is not counted beside others."""

_BINS = 1023
_SAMPLED = 65_536
_SAMPLE = 16
"""Of more scores than that, every so manieth tells about where the best begin."""


class Choice:
    """Chooses candidates for one question. ``frequency`` maps each group's position to the number
    of passages that say it; ``passages`` is how many there are."""

    def __init__(
        self,
        store: IndexStore,
        groups: Sequence[Group],
        frequency: Mapping[int, int],
        passages: int,
        excluded: Sequence[Group],
        wanted: Filter,
    ) -> None:
        self._store = store
        self._rows = store.rows
        self._groups = groups
        self._passages = passages
        self._excluded = excluded
        self._wanted = wanted
        self._spread = {i: self._spread_of(group, frequency[i]) for i, group in enumerate(groups)}

    def best(self, size: int) -> tuple[list[int], bool]:
        """Ids of the best ``size``, best first, and whether no passage that says any of the words
        can be missing."""
        many = max(LEAST_PROMISING, min(PROMISING, self._passages // PROMISING_FROM)) * size
        every = range(len(self._groups))
        known = [i for i in every if self._spread[i] or self._groups[i].required] or list(every)
        known.sort(key=lambda i: (self._spread[i], i))
        strict = any(self._groups[i].required for i in known)
        if strict or not self._store.has_full_text:
            return self._ranked(known, many, size)
        counted = [i for i in known if not self._is_half(i)]
        if len(known) == 1 or not counted:
            ids, complete = self._saying(known[0], many, size)
            return ids, complete and len(known) == 1
        ids = self._promising(self._counted(counted, known), many, size)
        return ids, len(ids) < size and len(counted) == len(known)

    def _ranked(self, places: Sequence[int], many: int, size: int) -> tuple[list[int], bool]:
        """The best by BM25. What is required excludes whatever does not have it."""
        import numpy as np

        groups = [self._groups[i] for i in sorted(places)]
        found = self._store.ranked(groups, self._excluded, self._wanted, many)
        scores = np.zeros(len(self._rows.file_spans().ranks), dtype=np.float32)
        scores[list(found)] = list(found.values())
        return self._promising(scores, many, size), len(found) < size

    def _saying(self, place: int, many: int, size: int) -> tuple[list[int], bool]:
        """The best for one word by itself, which may be half typed."""
        limit = EVERYWHERE * self._passages
        if self._wanted.is_open:
            limit = min(limit, math.sqrt(size * self._passages))
        if self._spread[place] > max(EVERYWHERE_AT_LEAST, limit):
            groups = [self._groups[place]]
            return self._store.newest_saying(groups, self._excluded, self._wanted, size), False
        return self._ranked([place], many, size)

    def _counted(self, counted: Sequence[int], known: Sequence[int]) -> Floats:
        """By row, what it is worth to say those of the ``counted`` words that a passage says."""
        import numpy as np

        spans = self._rows.file_spans()
        scores = np.zeros(len(spans.ranks), dtype=np.float32)
        for place in counted:
            group, worth = self._groups[place], self._rarity(place)
            scores[self._rows.saying(group)] += worth
            scores[self._rows.under(group)] += UNDER_HEADING * worth
        half = [i for i in known if self._is_half(i)]
        if half and len(counted) == 1:
            pair = self._rows.saying_both(self._groups[counted[0]], self._groups[half[0]])
            scores[pair] += self._rarity(half[0])
        for group in self._excluded:
            scores[self._rows.saying(group)] = 0
            scores[self._rows.under(group)] = 0
        scores[spans.gone] = 0
        if not self._wanted.is_open:
            allowed = self._rows.meeting(self._wanted)
            kept = scores[allowed]
            scores[:] = 0
            scores[allowed] = kept
        return scores

    def _promising(self, scores: Floats, many: int, size: int) -> list[int]:
        return _promising(scores, self._rows.file_spans().ranks, many, size)

    def _is_half(self, place: int) -> bool:
        """Whether a word is half typed and may be too many others to be counted."""
        return self._groups[place].prefix and self._spread[place] > HALF_TYPED

    def _rarity(self, place: int) -> float:
        """What it is worth to say a word."""
        return math.log(1 + self._passages / (self._spread[place] + 1))

    def _spread_of(self, group: Group, frequency: int) -> int:
        """In how many passages a group stands, as far as it matters; of a half-typed word, every
        word that begins so counts."""
        if not group.prefix:
            return frequency
        enough = int(max(EVERYWHERE_AT_LEAST, EVERYWHERE * self._passages, HALF_TYPED)) + 1
        return max(frequency, self._store.prefix_frequency(group.words[-1], enough))


def _top(scores: Floats, ranks: Ranks, many: int) -> Rows:
    """The ascending rows of the best ``many`` above 0, and of those just as good as the last of
    them: of these, where they are very many, the ones in the newest files."""
    import numpy as np

    rows = np.empty(0, dtype=np.int64)
    if len(scores) > _SAMPLED:
        sample = scores[::_SAMPLE]
        about = _least_of_best(sample[sample > 0], 2 * many // _SAMPLE + _SAMPLE)
        rows = np.flatnonzero(scores >= about) if about > 0 else rows
    if len(rows) < many:
        rows = np.flatnonzero(scores > 0)
    if len(rows) <= many:
        return rows
    own = scores[rows]
    least = _least_of_best(own, many)
    equal = rows[own == least]
    if len(equal) > MOST_EQUAL:
        newest = _newest(equal, ranks, max(MOST_EQUAL, many))
        return np.sort(np.concatenate((rows[own > least], newest)))
    return rows[own >= least]


def _least_of_best(values: Floats, many: int) -> float:
    """The least of the best ``many`` values, all of which are above 0; 0 if there are fewer. Of
    words that are counted many values are the same, which a plain partition is slow at."""
    import numpy as np

    if len(values) < many:
        return 0.0
    scale = _BINS / float(values.max())
    bins = np.minimum((values * scale).astype(np.int32), _BINS)
    counts = np.cumsum(np.bincount(bins, minlength=_BINS + 1)[::-1])
    place = int(np.searchsorted(counts, many))
    inside = values[bins == _BINS - place]
    if inside.min() == inside.max():
        return float(inside[0])
    left = many - (int(counts[place - 1]) if place else 0)
    return float(np.partition(inside, len(inside) - left)[len(inside) - left])


def _newest(rows: Rows, ranks: Ranks, many: int) -> Rows:
    """Those of ``rows`` that stand first by file, newest first, and by line."""
    import numpy as np

    if len(rows) <= many:
        return rows
    of = ranks[rows]
    last = np.partition(of, many - 1)[many - 1]
    newer, beside = rows[of < last], np.sort(rows[of == last])
    return np.concatenate((newer, beside[: many - len(newer)]))


def _promising(scores: Floats, ranks: Ranks, many: int, size: int) -> list[int]:
    """The best ``size`` of about the best ``many`` rows, best first: those that do well by their
    words together with the lines beside them and with the best of their file."""
    import numpy as np

    rows = _top(scores, ranks, many)
    if not len(rows):
        return []
    own, rank = scores[rows], ranks[rows]
    around = np.maximum(
        np.where(ranks[rows - 1] == rank, scores[rows - 1], 0),
        np.where(ranks[rows + 1] == rank, scores[rows + 1], 0),
    )
    promise = own + PROMISE_AROUND * around + PROMISE_OF_FILE * _of_file(own, rank)
    best = promise >= _least_of_best(promise, size)
    rows, rank, promise = rows[best], rank[best], promise[best]
    order = np.lexsort((rows, rank, -promise))
    return [int(row) for row in rows[order[:size]]]


def _of_file(own: Floats, rank: Ranks) -> Floats:
    """For each of ascending rows, of which a file's stand together, the mean of the best few of its
    file."""
    import numpy as np

    starts = np.flatnonzero(np.concatenate(([True], rank[1:] != rank[:-1])))
    sizes = np.diff(np.concatenate((starts, [len(rank)])))
    file = np.repeat(np.arange(len(starts)), sizes)
    left = own.copy()
    total = np.zeros(len(starts), dtype=np.float32)
    for _ in range(BEST_OF_FILE):
        best = np.maximum.reduceat(left, starts)
        total += best
        at = np.flatnonzero(left == best[file])
        first = np.concatenate(([True], file[at][1:] != file[at][:-1]))
        left[at[first]] = 0
    of_file: Floats = (total / np.float32(BEST_OF_FILE))[file]
    return of_file
