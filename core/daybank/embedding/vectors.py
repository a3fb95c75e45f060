"""What every embedder gives, whatever runs inside it: spaces, vectors, and what became of texts.

Values only. NumPy is imported inside functions, as its import costs more than this whole package.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from daybank.progress import CancelToken

if TYPE_CHECKING:
    import numpy as np

# Characters a token may take before a text is cut unread: whole books need no tokenizer.
CHARACTERS_PER_TOKEN = 32


@dataclass(frozen=True, slots=True)
class Space:
    """What makes two vectors comparable. Vectors of different spaces are never compared.

    ``version`` changes with anything that changes vectors: the weights, and the window.
    """

    model_id: str
    version: str
    dimension: int

    @property
    def key(self) -> str:
        """The same for the same space on every system, different for others; fit for file names."""
        exact = f"{self.model_id}\0{self.version}\0{self.dimension}".encode()
        readable = re.sub(r"[^a-z0-9]+", "-", self.model_id.rsplit("/", 1)[-1].lower()).strip("-")
        digest = hashlib.blake2b(exact, digest_size=8).hexdigest()
        return f"m-{readable[:48]}-{self.dimension}-{digest}"


@dataclass(frozen=True, slots=True, eq=False)
class Embedded:
    """``vectors`` in the order of the texts, and which texts (by position) need a mark.

    ``cut``: only the beginning counts. ``blank``: nothing in it that the model knows.
    ``failed``: the model could not do it. The last two have zero vectors, which are like nothing.
    """

    vectors: np.ndarray
    cut: tuple[int, ...] = ()
    blank: tuple[int, ...] = ()
    failed: tuple[int, ...] = ()


class Embedder(Protocol):
    """Turns texts into unit vectors of one space."""

    @property
    def space(self) -> Space: ...

    def embed(self, texts: Sequence[str], cancel: CancelToken | None = None) -> np.ndarray:
        """(n, dimension) float32 in the order of ``texts``; zeros for a text that failed."""
        ...

    def embed_marked(self, texts: Sequence[str], cancel: CancelToken | None = None) -> Embedded:
        """The same, and which texts were cut, blank or failed."""
        ...

    def embed_query(self, text: str) -> np.ndarray:
        """(dimension,) float32 for a question."""
        ...

    def close(self) -> None:
        """Give memory and threads back. Using it afterwards is a bug."""
        ...


@dataclass(frozen=True, slots=True)
class Chosen:
    """The ``embedder`` to use, None for search by words alone. ``trouble`` says in plain words why
    it is not the one that was chosen, where it is not."""

    embedder: Embedder | None
    trouble: str = ""


def readable(text: str, window: int) -> tuple[str, bool]:
    """The text as a tokenizer can take it, and whether it was cut already here.

    Half a surrogate pair (from a broken file name or JSON) would raise in every tokenizer.
    """
    text = text.encode("utf-8", "replace").decode("utf-8").strip()
    limit = window * CHARACTERS_PER_TOKEN
    if len(text) <= limit:
        return text, False
    text = " ".join(text.split())
    return text[:limit], len(text) > limit


@dataclass(frozen=True, slots=True)
class SortedOut:
    """Texts made readable, shortest first with their places; and the places that need a mark."""

    ready: list[tuple[int, str]]
    cut: list[int]
    blank: list[int]


def sort_out(texts: Sequence[str], window: int) -> SortedOut:
    """Prepare ``texts`` for a model that looks at ``window`` tokens and knows only words."""
    found = SortedOut([], [], [])
    for place, text in enumerate(texts):
        short, was_cut = readable(text, window)
        if was_cut:
            found.cut.append(place)
        if any(letter.isalnum() for letter in short):
            found.ready.append((place, short))
        else:
            found.blank.append(place)
    found.ready.sort(key=lambda item: len(item[1]))
    return found


def unit_rows(rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Rows of unit length in float32, and which of them are good.

    A row with a number that is none, or with no direction, becomes zeros.
    """
    import numpy as np

    rows = np.asarray(rows, dtype=np.float64)
    lengths = np.linalg.norm(rows, axis=1)
    good = np.isfinite(lengths) & (lengths > 1e-12)
    units = np.zeros(rows.shape, dtype=np.float32)
    units[good] = rows[good] / lengths[good, None]
    return units, good
