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
from daybank.embedding.vectors import Chosen, Embedded, Embedder, Space
from daybank.errors import ModelDamaged, ModelError, ModelMissing
from daybank.settings import Settings

__all__ = [
    "Chosen",
    "Embedded",
    "Embedder",
    "Space",
    "built_in",
    "choose",
    "chosen_model",
    "downloaded",
    "earlier",
    "earlier_embedder",
    "embedder_from_settings",
]

log = logging.getLogger(__name__)

OLLAMA = "ollama:"
_OLLAMA_SPACE = "ollama/"


def embedder_from_settings(settings: Settings, *, threads: int | None = None) -> Chosen:
    """The embedder that ``settings`` choose, from the platform's folders. See :func:`choose`."""
    return choose(settings.model, download.default_models_dir(), threads=threads)


def earlier_embedder(
    settings: Settings, space: Space, *, threads: int | None = None
) -> Embedder | None:
    """The embedder of a ``space`` that was chosen before. See :func:`earlier`."""
    return earlier(space, download.default_models_dir(), choice=settings.model, threads=threads)


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
    threads: int | None = None,
) -> Chosen:
    """The embedder to use: the chosen one (an id of the catalogue, ``ollama:NAME``), else the
    built-in one, else none. Why a model cannot be used is told, and nothing is tried again."""
    trouble = ""
    if choice and choice != BUILT_IN:
        try:
            return Chosen(chosen_model(choice, models_dir, ollama_url=ollama_url, threads=threads))
        except ModelError as error:
            log.info("The chosen model is not used: %s", error)
            trouble = str(error)
    try:
        return Chosen(built_in(cache=cache, threads=threads), trouble)
    except ModelError as error:
        log.info("The built-in model is not used: %s", error)
        return Chosen(None, trouble or str(error))


def chosen_model(
    choice: str, models_dir: Path, *, ollama_url: str = DEFAULT_URL, threads: int | None = None
) -> Embedder:
    """The embedder of ``choice``, other than the built-in one, or the reason why it cannot be used.

    Raises ModelMissing, ModelDamaged or ModelUnavailable.
    """
    if choice.startswith(OLLAMA):
        return OllamaEmbedder.connect(choice.removeprefix(OLLAMA), ollama_url)
    if choice == UNIVERSAL:
        return UniversalEmbedder.find(threads)
    model = find_model(choice)
    if model is None or not model.repository:
        raise ModelMissing(f"Daybank knows no model “{choice}”.", "See daybank models.")
    found = downloaded(model, models_dir, threads=threads)
    if found is None:
        raise _not_here(model, models_dir)
    return found


def earlier(
    space: Space,
    models_dir: Path,
    *,
    choice: str | None = None,
    cache: Path | None = None,
    ollama_url: str = DEFAULT_URL,
    threads: int | None = None,
) -> Embedder | None:
    """The embedder whose vectors are exactly those of ``space``, if it can still be made.

    Ollama is asked only while ``choice`` is a model of Ollama's too.
    """
    try:
        found = _of_model(space.model_id, models_dir, choice, cache, ollama_url, threads)
    except ModelError as error:
        log.info("The model used before is not there: %s", error)
        return None
    if found is None or found.space == space:
        return found
    found.close()
    return None


def _of_model(
    model_id: str,
    models_dir: Path,
    choice: str | None,
    cache: Path | None,
    ollama_url: str,
    threads: int | None,
) -> Embedder | None:
    if model_id.startswith(_OLLAMA_SPACE):
        if choice is None or not choice.startswith(OLLAMA):
            return None
        return OllamaEmbedder.connect(model_id.removeprefix(_OLLAMA_SPACE), ollama_url)
    model = find_model(model_id)
    if model is None:
        return UniversalEmbedder.find(threads)
    if not model.repository:
        return built_in(cache=cache, threads=threads)
    return downloaded(model, models_dir, threads=threads)


def _not_here(model: CatalogueModel, models_dir: Path) -> ModelError:
    get = f"“daybank models get {model.id}”"
    state = download.state(model, models_dir)
    if state == "partial":
        return ModelMissing(
            f"The model “{model.id}” is only half downloaded.", f"{get} fetches the rest."
        )
    if state == "damaged":
        return ModelDamaged(f"The model “{model.id}” is damaged.", f"{get} fetches it again.")
    return ModelMissing(f"The model “{model.id}” is not on this computer.", f"{get} downloads it.")


def _on_disk(model: CatalogueModel, folder: Path, sha256: str, threads: int | None) -> OnnxEmbedder:
    space = Space(model.model_id, f"{sha256[:12]}-w{model.window}", model.dimension)
    source = ModelFolder(
        folder, model.model_id, model.window, model.query_prefix, model.passage_prefix
    )
    return OnnxEmbedder(space, source, threads)
