"""An Ollama server on this computer as an embedder. Asked only when the person chose it.

Requests go straight to the address: through no proxy, and after no redirect, so that notes cannot
leave the computer by a detour. Any thread may call; every request is a connection of its own.
"""

from __future__ import annotations

import http.client
import ipaddress
import json
import logging
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from daybank.embedding.vectors import Embedded, Space, sort_out, unit_rows
from daybank.errors import ModelUnavailable
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


class _Refused(Exception):
    """The server is there and does not want this request."""


class OllamaEmbedder:
    """An :class:`Embedder` over one model of the server. Make it with :meth:`connect`."""

    def __init__(self, space: Space, name: str, url: str, timeout: float) -> None:
        self._space = space
        self._name = name
        self._url = url
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
        url = checked_url(url, allow_remote=allow_remote)
        found = {model: digest for model, digest in _tags(url, list_timeout)}
        full = name if name in found else f"{name}:latest"
        if full not in found:
            raise ModelUnavailable(
                f"Ollama has no model “{name}”.", "Install it in Ollama, then look again."
            )
        try:
            rows = _rows(_ask(f"{url}/api/embed", timeout, {"model": full, "input": ["word"]}), 1)
        except _Refused as error:
            raise ModelUnavailable(
                f"“{name}” cannot be used for search by meaning.",
                "Choose a model in Ollama that is made for embeddings.",
            ) from error
        space = Space(f"ollama/{full}", found[full], rows.shape[1])
        return cls(space, full, url, timeout)

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
            rows = _rows(_ask(f"{self._url}/api/embed", self._timeout, body, cancel), len(batch))
        except _Refused as error:
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
    return tuple(name for name, _ in _tags(checked_url(url), timeout))


def checked_url(url: str, *, allow_remote: bool = False) -> str:
    """The address without its last slash. Raises ModelUnavailable for another computer's."""
    try:
        parts = urllib.parse.urlsplit(url)
        host, _ = parts.hostname, parts.port
    except ValueError:
        parts, host = urllib.parse.urlsplit(""), None
    plain = not (parts.username or parts.password or parts.query or parts.fragment)
    if parts.scheme not in ("http", "https") or not host or not plain:
        raise ModelUnavailable("This is no address of an Ollama server.", f"“{url}”")
    if not allow_remote and not _is_this_computer(host):
        raise ModelUnavailable(
            "This Ollama server is on another computer.",
            "Nothing was sent there. Notes leave this computer only if you allow it.",
        )
    return url.rstrip("/")


def _is_this_computer(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def _tags(url: str, timeout: float) -> list[tuple[str, str]]:
    try:
        told = _ask(f"{url}/api/tags", timeout)
        return [(str(m["name"]), str(m.get("digest", ""))[:12]) for m in told["models"]]
    except (_Refused, KeyError, TypeError, AttributeError) as error:
        raise _nonsense("Perhaps another program answers there.") from error


def _ask(url: str, timeout: float, body: object = None, cancel: CancelToken | None = None) -> Any:
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(url, data, {"Content-Type": "application/json"})
    until = time.monotonic() + timeout
    try:
        with _opener().open(request, timeout=timeout) as answer:
            return json.loads(_read(answer, until, cancel))
    except urllib.error.HTTPError as error:
        error.close()
        raise _Refused(f"HTTP {error.code}") from error
    except TimeoutError as error:
        raise ModelUnavailable(
            "Ollama takes too long.", "Search by words works meanwhile."
        ) from error
    except (OSError, http.client.HTTPException) as error:
        if isinstance(getattr(error, "reason", None), TimeoutError):
            raise ModelUnavailable(
                "Ollama takes too long.", "Search by words works meanwhile."
            ) from error
        raise ModelUnavailable(
            "Ollama is not running.", "Start it, then look again. Search by words works meanwhile."
        ) from error
    except (ValueError, RecursionError) as error:
        raise _nonsense("It is no JSON.") from error


def _read(answer: Any, until: float, cancel: CancelToken | None) -> bytes:
    """The whole answer, but not for ever: a timeout of the socket counts only silence."""
    parts: list[bytes] = []
    size = 0
    while chunk := answer.read1(65_536):
        check_cancel(cancel)
        size += len(chunk)
        if time.monotonic() > until:
            raise TimeoutError
        if size > _LARGEST_ANSWER:
            raise ValueError("too long")
        parts.append(chunk)
    return b"".join(parts)


def _rows(told: Any, count: int) -> np.ndarray:
    import numpy as np

    try:
        rows = np.array(told["embeddings"], dtype=np.float64)
    except (KeyError, TypeError, ValueError) as error:
        raise _nonsense("There are no vectors in it.") from error
    if rows.ndim != 2 or rows.shape[0] != count or rows.shape[1] == 0:
        raise _nonsense(f"It has the wrong shape: {rows.shape}.")
    return rows


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_: Any) -> None:
        return None  # the answer then counts as an HTTPError


def _opener() -> urllib.request.OpenerDirector:
    return urllib.request.build_opener(urllib.request.ProxyHandler({}), _NoRedirects())


def _nonsense(why: str) -> ModelUnavailable:
    return ModelUnavailable(
        "Ollama's answer makes no sense.", f"{why} Search by words works meanwhile."
    )
