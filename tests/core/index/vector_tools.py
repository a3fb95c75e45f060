"""Keys, and vectors that lie in clusters like those of real texts."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Vectors = npt.NDArray[np.float32]


def key(number: int) -> bytes:
    return hashlib.blake2b(str(number).encode(), digest_size=16).digest()


def keys(start: int, stop: int) -> list[bytes]:
    return [key(number) for number in range(start, stop)]


def clustered(count: int, dimension: int, seed: int = 0, centres: int = 40) -> Vectors:
    np = pytest.importorskip("numpy")
    rng = np.random.default_rng(seed)
    middle = np.random.default_rng(99).standard_normal((centres, dimension))
    spread = rng.standard_normal((count, dimension)) * 0.7
    made = middle[rng.integers(0, centres, count)] + spread
    return unit(made)


def unit(vectors: npt.ArrayLike) -> Vectors:
    np = pytest.importorskip("numpy")
    values = np.asarray(vectors, dtype=np.float32)
    made: Vectors = values / np.linalg.norm(values, axis=1, keepdims=True)
    return made
