"""From what the person chose in the settings to a model, without asking anybody yet."""

from __future__ import annotations

from daybank.errors import LanguageModelError
from daybank.reflect.wording.interface import LanguageModel
from daybank.reflect.wording.servers import (
    OLLAMA_URL,
    OllamaModel,
    OpenAICompatibleModel,
    model_server,
)
from daybank.settings import Settings


def chosen_model(settings: Settings) -> LanguageModel | None:
    """The language model of ``settings.wording_model``; None where the person wants none.

    ``ollama:NAME``, ``ollama:ADDRESS#NAME`` or ``openai:ADDRESS#NAME``. Opens no connection.
    Raises LanguageModelError for anything else, and for another computer that was not allowed.
    """
    choice = settings.wording_model
    if choice is None:
        return None
    kind, _, rest = choice.strip().partition(":")
    address, has_address, name = rest.partition("#")
    allow = settings.wording_host_allowed
    if kind == "ollama" and not has_address and rest:
        return OllamaModel(model_server(OLLAMA_URL, allow_host=False), rest)
    if kind == "ollama" and name:
        return OllamaModel(model_server(address, allow_host=allow), name)
    if kind == "openai" and name:
        base = address.rstrip("/")
        server = model_server(base, allow_host=allow)
        if not server.path:
            server = model_server(f"{base}/v1", allow_host=allow)
        return OpenAICompatibleModel(server, name)
    raise LanguageModelError(
        "This is no language model that Daybank can use.",
        f"“{choice}” Write “ollama:NAME” or “openai:ADDRESS#NAME”.",
    )
