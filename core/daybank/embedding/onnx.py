"""A model on disk, run by fastembed. Any thread may call; threads share one loaded model.

Nothing is loaded before the first text, and no network is touched: fastembed is given the folder.
"""

from __future__ import annotations

import importlib
import logging
import os
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from daybank.embedding.vectors import Embedded, Space, readable, unit_rows
from daybank.errors import ModelDamaged, ModelMissing
from daybank.progress import CancelToken, check_cancel

if TYPE_CHECKING:
    import numpy as np
    from fastembed import TextEmbedding
    from tokenizers import Tokenizer

log = logging.getLogger(__name__)

# Tokens in a batch, padding counted. tests/bench/embedding_speed.py prints what others cost.
BATCH_TOKENS = 256
BATCH_TEXTS = 32
ARENA = False  # onnxruntime's own memory pool, which only grows
_QUIET = {
    "HF_HUB_OFFLINE": "1",
    "HF_HUB_DISABLE_TELEMETRY": "1",
    "HF_HUB_DISABLE_PROGRESS_BARS": "1",
}
_environment_lock = threading.Lock()


@dataclass(frozen=True, slots=True)
class ModelFolder:
    """A folder that holds a whole model, and how fastembed calls it."""

    folder: Path
    fastembed_name: str
    window: int
    query_prefix: str = ""
    passage_prefix: str = ""


@dataclass(frozen=True, slots=True)
class _Loaded:
    model: TextEmbedding
    tokenizer: Tokenizer
    says_nothing: frozenset[int]


def default_threads(cores: int | None = None) -> int:
    """All cores, but one is left for the person where there are more than two."""
    cores = cores or os.cpu_count() or 1
    return cores - 1 if cores > 2 else cores


class OnnxEmbedder:
    """An :class:`Embedder` over a :class:`ModelFolder`."""

    def __init__(self, space: Space, source: ModelFolder, threads: int | None = None) -> None:
        self._space = space
        self._source = source
        self._threads = threads
        self._lock = threading.Lock()
        self._loaded: _Loaded | None = None
        self._closed = False

    @property
    def space(self) -> Space:
        return self._space

    def embed(self, texts: Sequence[str], cancel: CancelToken | None = None) -> np.ndarray:
        return self.embed_marked(texts, cancel).vectors

    def embed_marked(self, texts: Sequence[str], cancel: CancelToken | None = None) -> Embedded:
        return self._embed(texts, self._source.passage_prefix, cancel)

    def embed_query(self, text: str) -> np.ndarray:
        vector: np.ndarray = self._embed([text], self._source.query_prefix, None).vectors[0]
        return vector

    def close(self) -> None:
        with self._lock:
            self._closed = True
            self._loaded = None

    def _embed(self, texts: Sequence[str], prefix: str, cancel: CancelToken | None) -> Embedded:
        import numpy as np

        check_cancel(cancel)
        vectors = np.zeros((len(texts), self._space.dimension), dtype=np.float32)
        if not texts:
            return Embedded(vectors)
        loaded = self._load()
        cut: set[int] = set()
        blank: list[int] = []
        ready: list[tuple[int, int, str]] = []  # tokens, position, text
        for i, text in enumerate(texts):
            if i % 256 == 0:
                check_cancel(cancel)
            short, was_cut = readable(text, self._source.window)
            encoding = loaded.tokenizer.encode(prefix + short)
            if was_cut or encoding.overflowing:
                cut.add(i)
            said = loaded.tokenizer.encode(short).ids if prefix else encoding.ids
            # Nothing but the frame and "unknown": all such texts would be the same to the model.
            if set(said) <= loaded.says_nothing:
                blank.append(i)
            else:
                ready.append((len(encoding.ids), i, prefix + short))
        failed: list[int] = []
        # Longest last: little padding, and if the end is never reached, the most texts are done.
        for batch in batches(sorted(ready)):
            check_cancel(cancel)
            positions = [position for _, position, _ in batch]
            rows, good = self._run_batch(loaded, [text for _, _, text in batch])
            vectors[positions] = rows
            failed += [p for p, ok in zip(positions, good, strict=True) if not ok]
        return Embedded(vectors, tuple(sorted(cut)), tuple(blank), tuple(sorted(failed)))

    def _run_batch(self, loaded: _Loaded, texts: list[str]) -> tuple[np.ndarray, np.ndarray]:
        """Rows and which are good. What fails together is tried one by one."""
        import numpy as np

        try:
            rows = np.stack(list(loaded.model.embed(texts, batch_size=len(texts))))
        except _runtime_errors() as error:
            if len(texts) == 1:
                log.warning("A text could not be embedded: %s", error)
                return np.zeros((1, self._space.dimension), np.float32), np.zeros(1, bool)
            singles = [self._run_batch(loaded, [text]) for text in texts]
            return np.concatenate([r for r, _ in singles]), np.concatenate([g for _, g in singles])
        if rows.shape[1] != self._space.dimension:
            raise ModelDamaged(
                "This model is not the one it says it is.",
                f"It gives {rows.shape[1]} numbers a text, not {self._space.dimension}. "
                "Remove it and download it again.",
            )
        return unit_rows(rows)

    def _load(self) -> _Loaded:
        with self._lock:
            if self._closed:
                raise RuntimeError("This embedder is closed.")
            if self._loaded is None:
                self._loaded = _load_folder(self._source, self._threads or default_threads())
            return self._loaded


def batches(ready: Sequence[tuple[int, int, str]]) -> Iterator[list[tuple[int, int, str]]]:
    """Cut a list that is sorted by token count into batches of BATCH_TOKENS, padding counted."""
    batch: list[tuple[int, int, str]] = []
    for item in ready:
        # item is the longest so far, so the whole batch is padded to its length.
        if batch and (item[0] * (len(batch) + 1) > BATCH_TOKENS or len(batch) == BATCH_TEXTS):
            yield batch
            batch = []
        batch.append(item)
    if batch:
        yield batch


def _load_folder(source: ModelFolder, threads: int) -> _Loaded:
    with _quiet_hub():
        try:
            from fastembed import TextEmbedding
            from tokenizers import Tokenizer

            # By name: onnxruntime has no types. Its Windows builds report home unless told not to.
            importlib.import_module("onnxruntime").disable_telemetry_events()
        except ImportError as error:
            raise ModelMissing(
                "Search by meaning is not installed.",
                "Search by words works. Install Daybank again to get both.",
            ) from error
        try:
            model = TextEmbedding(
                source.fastembed_name,
                cache_dir=str(source.folder),
                threads=threads,
                providers=["CPUExecutionProvider"],
                specific_model_path=str(source.folder),
                local_files_only=True,
                enable_cpu_mem_arena=ARENA,
                lazy_load=True,
            )
            _open_session(model)
            tokenizer = Tokenizer.from_file(str(source.folder / "tokenizer.json"))
        except _opening_errors() as error:
            raise ModelDamaged(
                "The model for search by meaning cannot be opened.",
                "Search by words works. Remove the model and get it again.",
            ) from error
    tokenizer.no_padding()
    tokenizer.enable_truncation(source.window)
    # fastembed would go on to the length in tokenizer_config.json, beyond what was trained.
    inner = getattr(model.model, "tokenizer", None)
    if inner is not None:
        inner.enable_truncation(source.window)
    special = {
        number for number, token in tokenizer.get_added_tokens_decoder().items() if token.special
    }
    # Unknown, and what SentencePiece puts before every word.
    for token in ("[UNK]", "<unk>", "▁"):
        number = tokenizer.token_to_id(token)
        if number is not None:
            special.add(number)
    return _Loaded(model, tokenizer, frozenset(special))


def _open_session(model: Any) -> None:
    """Load the model, with threads that sleep while there is nothing to do. By default they keep a
    processor busy for many milliseconds after every question, which costs more than the question;
    fastembed has no setting for it."""
    inner = model.model
    add_options = inner.add_extra_session_options

    def add_calm_options(options: Any, extra: dict[str, Any]) -> None:
        add_options(options, extra)
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")

    inner.add_extra_session_options = add_calm_options
    inner.load_onnx_model()


@contextmanager
def _quiet_hub() -> Iterator[None]:
    """huggingface_hub reads these when imported; afterwards the process has its own again."""
    with _environment_lock:
        before = {name: os.environ.get(name) for name in _QUIET}
        os.environ.update(_QUIET)
        try:
            yield
        finally:
            for name, value in before.items():
                if value is None:
                    os.environ.pop(name, None)
                else:
                    os.environ[name] = value


def _opening_errors() -> tuple[type[Exception], ...]:
    return (*_runtime_errors(), OSError, ValueError, KeyError)


def _runtime_errors() -> tuple[type[Exception], ...]:
    """What onnxruntime raises. Its errors have no common base but Exception itself."""
    state = importlib.import_module("onnxruntime.capi.onnxruntime_pybind11_state")
    return (
        MemoryError,
        *(
            error
            for error in vars(state).values()
            if isinstance(error, type) and issubclass(error, Exception)
        ),
    )
