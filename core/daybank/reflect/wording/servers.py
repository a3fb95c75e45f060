"""Language models behind the two kinds of servers that people run on their own computers.

Both are asked once for a whole answer, with no randomness. Safe from any thread.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from daybank.errors import LanguageModelError
from daybank.local_server import (
    Away,
    Late,
    NoAddress,
    OtherComputer,
    Refused,
    Senseless,
    Server,
    server_at,
)
from daybank.progress import CancelToken

OLLAMA_URL = "http://127.0.0.1:11434"
COMPLETE_SECONDS = 60.0
LARGEST_ANSWER = 1_000_000
"""Bytes; what is asked for has a few hundred."""
_KEPT = "Suggestions use the notes' own words meanwhile."


@dataclass(frozen=True, slots=True)
class OllamaModel:
    """A model of an Ollama server (``/api/chat``)."""

    server: Server
    name: str
    seconds: float = COMPLETE_SECONDS

    def complete(
        self, system: str, prompt: str, *, most_tokens: int, cancel: CancelToken | None = None
    ) -> str:
        """See :class:`LanguageModel`. The server is told to answer in JSON."""
        body = {
            "model": self.name,
            "messages": _messages(system, prompt),
            "stream": False,
            "think": False,
            "format": "json",
            "options": {"temperature": 0, "seed": 0, "num_predict": most_tokens},
        }
        told = _ask(self.server, "/api/chat", body, self.seconds, cancel)
        return _text(lambda: told["message"]["content"])


@dataclass(frozen=True, slots=True)
class OpenAICompatibleModel:
    """A model of a server that speaks as OpenAI's does (``/v1/chat/completions``), such as
    llama.cpp or LM Studio. ``server`` includes the ``/v1``."""

    server: Server
    name: str
    seconds: float = COMPLETE_SECONDS

    def complete(
        self, system: str, prompt: str, *, most_tokens: int, cancel: CancelToken | None = None
    ) -> str:
        """See :class:`LanguageModel`."""
        body = {
            "model": self.name,
            "messages": _messages(system, prompt),
            "stream": False,
            "temperature": 0,
            "seed": 0,
            "max_tokens": most_tokens,
        }
        told = _ask(self.server, "/chat/completions", body, self.seconds, cancel)
        return _text(lambda: told["choices"][0]["message"]["content"])


def model_server(url: str, *, allow_host: bool) -> Server:
    """The server at ``url``. Raises LanguageModelError for what is no address, and for another
    computer's unless ``allow_host``; neither is looked up."""
    try:
        return server_at(url, allow_host=allow_host)
    except NoAddress as error:
        raise LanguageModelError(
            "This is no address of a language model.", f"“{url}” {_KEPT}"
        ) from error
    except OtherComputer as error:
        raise LanguageModelError(
            "This language model is on another computer.",
            f"Nothing was sent there. Notes leave this computer only if you allow it. {_KEPT}",
        ) from error


def _messages(system: str, prompt: str) -> list[dict[str, str]]:
    return [{"role": "system", "content": system}, {"role": "user", "content": prompt}]


def _ask(
    server: Server, path: str, body: object, seconds: float, cancel: CancelToken | None
) -> Any:
    try:
        return server.ask(path, body, seconds=seconds, largest=LARGEST_ANSWER, cancel=cancel)
    except Late as error:
        raise LanguageModelError("The language model takes too long.", _KEPT) from error
    except Away as error:
        raise LanguageModelError("The language model does not answer.", _KEPT) from error
    except Refused as error:
        raise LanguageModelError(
            "The language model refused to answer.", f"{error}. Is the model there? {_KEPT}"
        ) from error
    except Senseless as error:
        raise _nonsense() from error


def _text(get: Any) -> str:
    try:
        text = get()
    except (KeyError, IndexError, TypeError) as error:
        raise _nonsense() from error
    if not isinstance(text, str):
        raise _nonsense()
    return text


def _nonsense() -> LanguageModelError:
    return LanguageModelError("The language model's answer makes no sense.", _KEPT)
