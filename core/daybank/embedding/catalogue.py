"""The models a person can choose from, in plain words. Data, and two questions about it.

Sizes, licences and file names are those of fastembed's own list; a test compares them. Models
whose licence forbids any use that a person may make of Daybank are left out.
"""

from __future__ import annotations

from dataclasses import dataclass

TOKENIZER_FILES = (
    "config.json",
    "special_tokens_map.json",
    "tokenizer.json",
    "tokenizer_config.json",
)
BUILT_IN = "built-in"


@dataclass(frozen=True, slots=True)
class CatalogueModel:
    """One model. ``id`` is what settings remember; ``name`` and ``description`` are for a person.

    ``repository`` is where its files are ("" for what needs no download), ``files`` what is needed
    of it, the model itself first. ``size_bytes`` is about right; the server tells the exact size.
    """

    id: str
    name: str
    description: str
    model_id: str
    repository: str
    files: tuple[str, ...]
    size_bytes: int
    languages: str
    licence: str
    dimension: int
    window: int
    query_prefix: str = ""
    passage_prefix: str = ""


CATALOGUE: tuple[CatalogueModel, ...] = (
    CatalogueModel(
        id=BUILT_IN,
        name="Built in",
        description="Best for English, fair for Spanish. Works straight away.",
        model_id="sentence-transformers/all-MiniLM-L6-v2",
        repository="",
        files=("model.onnx", *TOKENIZER_FILES),
        size_bytes=22_928_619,
        languages="English",
        licence="Apache-2.0",
        dimension=384,
        window=256,
    ),
    CatalogueModel(
        id="many-languages",
        name="Many languages",
        description="Spanish, Russian and 48 more; Filipino less well.",
        model_id="sentence-transformers/paraphrase-multilingual-MiniLM-L12-v2",
        repository="Qdrant/paraphrase-multilingual-MiniLM-L12-v2-onnx-Q",
        files=("model_optimized.onnx", *TOKENIZER_FILES),
        size_bytes=220_000_000,
        languages="about 50 languages",
        licence="Apache-2.0",
        dimension=384,
        window=128,
    ),
    CatalogueModel(
        id="many-languages-better",
        name="Many languages, better",
        description="The same languages, more exact and slower.",
        model_id="sentence-transformers/paraphrase-multilingual-mpnet-base-v2",
        repository="Xenova/paraphrase-multilingual-mpnet-base-v2",
        files=("onnx/model.onnx", *TOKENIZER_FILES),
        size_bytes=1_000_000_000,
        languages="about 50 languages",
        licence="Apache-2.0",
        dimension=768,
        window=128,
    ),
    CatalogueModel(
        id="many-languages-thorough",
        name="Many languages, thorough",
        description="About 100 languages, Filipino too. Needs a strong computer.",
        model_id="intfloat/multilingual-e5-large",
        repository="Qdrant/multilingual-e5-large-onnx",
        files=("model.onnx", "model.onnx_data", *TOKENIZER_FILES),
        size_bytes=2_240_000_000,
        languages="about 100 languages",
        licence="MIT",
        dimension=1024,
        window=512,
        query_prefix="query: ",
        passage_prefix="passage: ",
    ),
)


def find_model(model: str) -> CatalogueModel | None:
    """The model with that id (or the name it has elsewhere), if there is one."""
    wanted = model.lower()
    return next((m for m in CATALOGUE if wanted in (m.id, m.model_id.lower())), None)


def downloadable() -> tuple[CatalogueModel, ...]:
    """Those that have to be downloaded before they can be used."""
    return tuple(model for model in CATALOGUE if model.repository)


def registry() -> dict[str, dict[str, object]]:
    """What the installed fastembed says of each model, by its id. Imports fastembed: 1 s."""
    from fastembed import TextEmbedding

    return {entry["model"]: dict(entry) for entry in TextEmbedding.list_supported_models()}
