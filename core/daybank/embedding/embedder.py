"""Which model turns notes into vectors. The one place that decides; the rest is told.

Nothing here opens a connection, but for asking the Ollama server on this computer when the person
chose it.
"""

from __future__ import annotations

import logging
from pathlib import Path

from daybank.embedding import built_in_files, download
from daybank.embedding.catalogue import BUILT_IN, CatalogueModel, find_model
from daybank.embedding.ollama import DEFAULT_URL, OllamaEmbedder
from daybank.embedding.onnx import ModelFolder, OnnxEmbedder
from daybank.embedding.universal import UNIVERSAL, UniversalEmbedder
from daybank.embedding.vectors import Embedded, Embedder, Space
from daybank.errors import ModelError

__all__ = ["Embedded", "Embedder", "Space", "built_in", "choose", "downloaded"]

log = logging.getLogger(__name__)

OLLAMA = "ollama:"


def built_in(
    *, cache: Path | None = None, weights: Path | None = None, threads: int | None = None
) -> Embedder:
    """The model that comes with Daybank. It is checked here and loaded at the first text.

    Raises ModelMissing or ModelDamaged.
    """
    model = find_model(BUILT_IN)
    assert model is not None
    folder = built_in_files.prepare(
        cache or built_in_files.default_cache(), weights or built_in_files.find_weights()
    )
    return _on_disk(model, folder, built_in_files.MODEL_SHA256, threads)


def downloaded(
    model: CatalogueModel, models_dir: Path, *, threads: int | None = None
) -> Embedder | None:
    """A model that was downloaded completely; None when it is not there or only half."""
    found = download.installed(model, models_dir)
    return _on_disk(model, found.folder, found.sha256, threads) if found else None


def choose(
    choice: str | None,
    models_dir: Path,
    *,
    cache: Path | None = None,
    ollama_url: str = DEFAULT_URL,
    prefer_ollama: bool = False,
    threads: int | None = None,
) -> Embedder | None:
    """The embedder to use: the chosen one if it is on disk, else the built-in one, else Ollama if
    that was chosen (``ollama:NAME``), else None. A model that cannot be used is logged and passed.

    ``prefer_ollama`` asks a chosen Ollama before the built-in model.
    """
    ollama = choice.removeprefix(OLLAMA) if choice and choice.startswith(OLLAMA) else None
    if ollama and prefer_ollama and (found := _ollama(ollama, ollama_url)):
        return found
    if choice and ollama is None and (found := _chosen(choice, models_dir, threads)):
        return found
    try:
        return built_in(cache=cache, threads=threads)
    except ModelError as error:
        log.warning("The built-in model is not used: %s", error)
    return _ollama(ollama, ollama_url) if ollama and not prefer_ollama else None


def _chosen(choice: str, models_dir: Path, threads: int | None) -> Embedder | None:
    if choice == UNIVERSAL:
        try:
            return UniversalEmbedder.find(threads)
        except ModelError as error:
            log.warning("The chosen model is not used: %s", error)
            return None
    model = find_model(choice)
    if model is None or not model.repository:
        return None
    return downloaded(model, models_dir, threads=threads)


def _ollama(name: str, url: str) -> Embedder | None:
    try:
        return OllamaEmbedder.connect(name, url)
    except ModelError as error:
        log.warning("Ollama is not used: %s", error)
        return None


def _on_disk(model: CatalogueModel, folder: Path, sha256: str, threads: int | None) -> OnnxEmbedder:
    space = Space(model.model_id, f"{sha256[:12]}-w{model.window}", model.dimension)
    source = ModelFolder(
        folder, model.model_id, model.window, model.query_prefix, model.passage_prefix
    )
    return OnnxEmbedder(space, source, threads)
