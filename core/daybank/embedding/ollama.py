"""An Ollama server on this computer as an embedder. Asked only when the person chose it.

How it is asked, and that no other computer is: :mod:`daybank.local_server`. Any thread may call;
every request is a connection of its own.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from daybank.embedding.vectors import Embedded, Space, sort_out, unit_rows
from daybank.errors import ModelUnavailable
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
from daybank.progress import CancelToken, check_cancel

if TYPE_CHECKING:
    import numpy as np

log = logging.getLogger(__name__)

DEFAULT_URL = "http://127.0.0.1:11434"
LIST_SECONDS = 3.0
EMBED_SECONDS = 120.0
BATCH_TEXTS = 16
WINDOW = 512  # tokens; the server cuts by itself, this only keeps whole books off the wire
_LARGEST_ANSWER = 64_000_000
_EMBED = "/api/embed"


class OllamaEmbedder:
    """An :class:`Embedder` over one model of the server. Make it with :meth:`connect`."""

    def __init__(self, space: Space, name: str, server: Server, timeout: float) -> None:
        self._space = space
        self._name = name
        self._server = server
        self._timeout = timeout

    @classmethod
    def connect(
        cls,
        name: str,
        url: str = DEFAULT_URL,
        *,
        allow_remote: bool = False,
        list_timeout: float = LIST_SECONDS,
        timeout: float = EMBED_SECONDS,
    ) -> OllamaEmbedder:
        """Look for the model and learn its dimension from a word. Raises ModelUnavailable."""
        server = _server(url, allow_remote=allow_remote)
        found = {model: digest for model, digest in _tags(server, list_timeout)}
        full = name if name in found else f"{name}:latest"
        if full not in found:
            raise ModelUnavailable(
                f"Ollama has no model “{name}”.", "Install it in Ollama, then look again."
            )
        try:
            rows = _rows(_ask(server, _EMBED, timeout, {"model": full, "input": ["word"]}), 1)
        except Refused as error:
            raise ModelUnavailable(
                f"“{name}” cannot be used for search by meaning.",
                "Choose a model in Ollama that is made for embeddings.",
            ) from error
        space = Space(f"ollama/{full}", found[full], rows.shape[1])
        return cls(space, full, server, timeout)

    @property
    def space(self) -> Space:
        return self._space

    def embed(self, texts: Sequence[str], cancel: CancelToken | None = None) -> np.ndarray:
        return self.embed_marked(texts, cancel).vectors

    def embed_marked(self, texts: Sequence[str], cancel: CancelToken | None = None) -> Embedded:
        """Raises ModelUnavailable when the server is gone; a text that it refuses is marked."""
        import numpy as np

        vectors = np.zeros((len(texts), self._space.dimension), dtype=np.float32)
        found = sort_out(texts, WINDOW)
        failed: list[int] = []
        for start in range(0, len(found.ready), BATCH_TEXTS):
            batch = found.ready[start : start + BATCH_TEXTS]
            for position, row in self._run_batch(batch, cancel):
                if row is None:
                    failed.append(position)
                else:
                    vectors[position] = row
        if found.ready and len(failed) == len(found.ready):
            raise _nonsense("It refused every text.")
        return Embedded(vectors, tuple(found.cut), tuple(found.blank), tuple(sorted(failed)))

    def embed_query(self, text: str) -> np.ndarray:
        vector: np.ndarray = self.embed([text])[0]
        return vector

    def close(self) -> None:
        """There is nothing to give back."""

    def _run_batch(
        self, batch: list[tuple[int, str]], cancel: CancelToken | None
    ) -> list[tuple[int, np.ndarray | None]]:
        check_cancel(cancel)
        body = {"model": self._name, "input": [text for _, text in batch], "truncate": True}
        try:
            rows = _rows(_ask(self._server, _EMBED, self._timeout, body, cancel), len(batch))
        except Refused as error:
            if len(batch) == 1:
                log.warning("Ollama refused a text: %s", error)
                return [(batch[0][0], None)]
            return [one for item in batch for one in self._run_batch([item], cancel)]
        if rows.shape[1] != self._space.dimension:
            raise _nonsense(f"It gave {rows.shape[1]} numbers, not {self._space.dimension}.")
        units, good = unit_rows(rows)
        return [
            (position, unit if ok else None)
            for (position, _), unit, ok in zip(batch, units, good, strict=True)
        ]


def models(url: str = DEFAULT_URL, *, timeout: float = LIST_SECONDS) -> tuple[str, ...]:
    """The names of the models the server has. Raises ModelUnavailable when there is no server."""
    return tuple(name for name, _ in _tags(_server(url), timeout))


def checked_url(url: str, *, allow_remote: bool = False) -> str:
    """The address without its last slash. Raises ModelUnavailable for another computer's."""
    _server(url, allow_remote=allow_remote)
    return url.rstrip("/")


def _server(url: str, *, allow_remote: bool = False) -> Server:
    try:
        return server_at(url, allow_host=allow_remote)
    except NoAddress as error:
        raise ModelUnavailable("This is no address of an Ollama server.", f"“{url}”") from error
    except OtherComputer as error:
        raise ModelUnavailable(
            "This Ollama server is on another computer.",
            "Nothing was sent there. Notes leave this computer only if you allow it.",
        ) from error


def _tags(server: Server, timeout: float) -> list[tuple[str, str]]:
    try:
        told = _ask(server, "/api/tags", timeout)
        return [(str(m["name"]), str(m.get("digest", ""))[:12]) for m in told["models"]]
    except (Refused, KeyError, TypeError, AttributeError) as error:
        raise _nonsense("Perhaps another program answers there.") from error


def _ask(
    server: Server,
    path: str,
    timeout: float,
    body: object = None,
    cancel: CancelToken | None = None,
) -> Any:
    try:
        return server.ask(path, body, seconds=timeout, largest=_LARGEST_ANSWER, cancel=cancel)
    except Late as error:
        raise ModelUnavailable(
            "Ollama takes too long.", "Search by words works meanwhile."
        ) from error
    except Away as error:
        raise ModelUnavailable(
            "Ollama is not running.", "Start it, then look again. Search by words works meanwhile."
        ) from error
    except Senseless as error:
        raise _nonsense("It is no JSON.") from error


def _rows(told: Any, count: int) -> np.ndarray:
    import numpy as np

    try:
        rows = np.array(told["embeddings"], dtype=np.float64)
    except (KeyError, TypeError, ValueError) as error:
        raise _nonsense("There are no vectors in it.") from error
    if rows.ndim != 2 or rows.shape[0] != count or rows.shape[1] == 0:
        raise _nonsense(f"It has the wrong shape: {rows.shape}.")
    return rows


def _nonsense(why: str) -> ModelUnavailable:
    return ModelUnavailable(
        "Ollama's answer makes no sense.", f"{why} Search by words works meanwhile."
    )
