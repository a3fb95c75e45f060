"""Vectors that cost little: embedding 200,000 texts takes too long for a benchmark.

A text's vector is the mean of its words' and some noise of its own. The most common words have the
real model's vectors, the others random ones. Questions are really embedded.
"""

from __future__ import annotations

import hashlib
import re
import sqlite3
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np

    from daybank.embedding.vectors import Embedded, Embedder, Space
    from daybank.progress import CancelToken

REAL_WORDS = 4000
NOISE = 0.4
_WORD = re.compile(r"[^\W_]+")


class StandIn:
    """Vectors in the real model's space: a text's is the mean of its words', plus some noise of
    its own. Common words have the real model's vector. Questions are really embedded."""

    def __init__(self, real: Embedder, common: Sequence[str]) -> None:
        self._real = real
        self._common = tuple(common)
        self._of: dict[str, np.ndarray] = {}

    @property
    def space(self) -> Space:
        return self._real.space

    def embed_query(self, text: str) -> np.ndarray:
        return self._real.embed_query(text)

    def embed(self, texts: Sequence[str], cancel: CancelToken | None = None) -> np.ndarray:
        import numpy as np

        if not self._of:
            self._of = dict(zip(self._common, self._real.embed(self._common), strict=True))
        out = np.empty((len(texts), self.space.dimension), dtype=np.float32)
        for at, text in enumerate(texts):
            words = _WORD.findall(text.lower())
            total = sum((self._word(word) for word in words), np.zeros(out.shape[1]))
            unit = total / max(float(np.linalg.norm(total)), 1e-9)
            mixed = unit + NOISE * self._random(text)
            out[at] = mixed / np.linalg.norm(mixed)
        return out

    def embed_marked(self, texts: Sequence[str], cancel: CancelToken | None = None) -> Embedded:
        from daybank.embedding.vectors import Embedded

        return Embedded(self.embed(texts, cancel))

    def close(self) -> None:
        self._real.close()

    def _word(self, word: str) -> np.ndarray:
        if word not in self._of:
            self._of[word] = self._random(word)
        return self._of[word]

    def _random(self, text: str) -> np.ndarray:
        import numpy as np

        seed = int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest(), "big")
        vector = np.random.default_rng(seed).standard_normal(self.space.dimension)
        return vector / np.linalg.norm(vector)


def stand_in(index: Path) -> StandIn:
    """One for the texts of ``index``."""
    from daybank.library import built_in_embedder

    real = built_in_embedder()
    assert real is not None, "the built-in model is not on this computer"
    connection = sqlite3.connect(index)
    counts: Counter[str] = Counter()
    for (text,) in connection.execute("SELECT content FROM passage WHERE id % 20 = 0"):
        counts.update(_WORD.findall(text.lower()))
    connection.close()
    return StandIn(real, [word for word, _ in counts.most_common(REAL_WORDS)])
