"""Vectors as int8 codes: each divided by its own largest component, times 127.

One scale per vector keeps all eight bits busy whatever the model; a scale for all loses twice as
much. A code's length never matters, only its direction: what is compared is always the cosine of
the codes, so that no stored factor can lift a damaged row above a real one.

Products of codes come from numkong, the SIMD kernels that usearch brings along (100,000 rows of 384
in 2 ms), or from NumPy in blocks that fit the cache (6 ms) where it is missing or miscounts.
"""

from __future__ import annotations

import functools
import importlib.util
import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Codes = npt.NDArray[np.int8]
    Floats = npt.NDArray[np.float32]
    Product = Callable[[Codes, Codes, Floats], None]

BLOCK = 16_384
"""Rows at a time: 6 MB of codes, and the interpreter is free for others in between."""

_NUMPY_BLOCK = 1_024


@dataclass(frozen=True, slots=True)
class Available:
    """Which of the optional libraries are installed; nothing is imported to find out."""

    numpy: bool
    usearch: bool

    @property
    def search(self) -> bool:
        """Whether vectors can be kept and searched at all."""
        return self.numpy

    @property
    def graph(self) -> bool:
        """Whether large spaces can have a graph; without one they are searched exactly."""
        return self.numpy and self.usearch


def available() -> Available:
    def found(name: str) -> bool:
        try:
            return importlib.util.find_spec(name) is not None
        except (ImportError, ValueError):
            return False

    return Available(numpy=found("numpy"), usearch=found("usearch"))


def quantise(vectors: npt.NDArray[np.floating]) -> tuple[Codes, Floats]:
    """Codes and the inverse of each code's length. Zero or not finite: zeros, and an inverse of 0.

    Such a row has no direction. It is kept, so that its text is not embedded again and again, and
    no search ever returns it.
    """
    import numpy as np

    with np.errstate(over="ignore", invalid="ignore"):
        values = np.asarray(vectors, dtype=np.float32)
        largest = np.abs(values).max(axis=1, keepdims=True, initial=0.0)
        good = np.isfinite(largest) & (largest > 0)
        scaled = np.divide(values, largest, out=np.zeros_like(values), where=good)
        codes = np.rint(scaled * 127).astype(np.int8)
    return codes, inverse_lengths(codes)


def inverse_lengths(codes: Codes) -> Floats:
    """``1 / ‖code‖`` for each row, 0 where the code is all zeros."""
    import numpy as np

    wide = codes.astype(np.float32)
    squares = np.einsum("ij,ij->i", wide, wide)
    inverse: Floats = np.zeros_like(squares)
    np.divide(1, np.sqrt(squares), out=inverse, where=squares > 0)
    return inverse


@dataclass(frozen=True, slots=True)
class Question:
    """A query ready to be compared: codes to find candidates, a finer copy to score them."""

    codes: Codes
    """One row."""
    fine: npt.NDArray[np.float64]
    """Whole numbers up to 2^24. Sums of their products with codes are exact, so a score is the
    same to the last bit on every machine, whichever rows are scored with it."""
    length: float

    @classmethod
    def of(cls, query: npt.ArrayLike, dimension: int) -> Question | None:
        """None for a query without a direction; a wrong dimension is the caller's bug."""
        import numpy as np

        values = np.asarray(query, dtype=np.float64)
        if values.shape != (dimension,):
            raise ValueError(f"a query of shape {values.shape} in a space of {dimension}")
        largest = float(np.abs(values).max(initial=0.0))
        if not np.isfinite(largest) or largest == 0:
            return None
        values = values / largest
        codes = np.rint(values * 127).astype(np.int8)
        fine = np.rint(values * 2**24)
        return cls(codes[None, :], fine, math.sqrt(np.square(fine).sum()))


@functools.cache
def product() -> Product:
    """``product()(query codes, rows of codes, out)`` writes one inner product per row."""
    fast = _numkong_product()
    return fast if fast is not None and _counts_right(fast) else _numpy_product


def _numkong_product() -> Product | None:
    try:
        import numkong
    except ImportError:
        return None

    def multiply(query: Codes, rows: Codes, out: Floats) -> None:
        numkong.cdist(query, rows, "inner", out=out[None, :])

    return multiply


def _numpy_product(query: Codes, rows: Codes, out: Floats) -> None:
    import numpy as np

    wide = query[0].astype(np.float32)
    buffer = np.empty((min(_NUMPY_BLOCK, len(rows)), rows.shape[1]), dtype=np.float32)
    for start in range(0, len(rows), _NUMPY_BLOCK):
        part = rows[start : start + _NUMPY_BLOCK]
        np.copyto(buffer[: len(part)], part)
        np.dot(buffer[: len(part)], wide, out=out[start : start + len(part)])


def _counts_right(multiply: Product) -> bool:
    """Another release or processor may differ: one small product decides, once a process."""
    import numpy as np

    rows = (np.arange(67 * 5, dtype=np.int64) * 37 % 255 - 127).astype(np.int8).reshape(5, 67)
    out = np.zeros(5, dtype=np.float32)
    try:
        multiply(rows[2:3], rows, out)
    except Exception:  # noqa: BLE001 (a foreign kernel: whatever it says, NumPy can do it)
        return False
    return bool(np.array_equal(out, rows.astype(np.int64) @ rows[2].astype(np.int64)))
