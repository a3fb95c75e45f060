"""A language model on this computer: asked over a real connection, whatever the server does."""

from __future__ import annotations

import json
import socket
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import model_server
import pytest
from model_server import ModelServer, running, send

from daybank import local_server
from daybank.errors import Cancelled, LanguageModelError
from daybank.local_server import NoAddress, OtherComputer, server_at
from daybank.reflect.wording import LanguageModel, Rationed, chosen_model
from daybank.settings import Settings

KINDS = ("ollama", "openai")


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with running() as started:
        yield started


def model_of(server: ModelServer, kind: str = "ollama", *, seconds: float = 5.0) -> LanguageModel:
    model = chosen_model(server.wants(kind))
    assert model is not None
    return replace(model, seconds=seconds)  # type: ignore[type-var]


def ask(model: LanguageModel, cancel: threading.Event | None = None) -> str:
    return model.complete("Be brief.", "How are you?", most_tokens=20, cancel=cancel)


# -- what is asked


def test_ollama_is_asked_once_for_a_whole_answer(server: ModelServer) -> None:
    assert ask(model_of(server, "ollama")) == "hello"
    [(path, body)] = server.requests
    assert path == "/api/chat"
    assert body["model"] == "small"
    assert body["stream"] is False
    assert body["options"]["num_predict"] == 20
    assert [m["content"] for m in body["messages"]] == ["Be brief.", "How are you?"]


@pytest.mark.parametrize("path", ["", "/", "/v1", "/v1/"])
def test_a_compatible_server_is_asked_for_a_chat_completion(server: ModelServer, path: str) -> None:
    model = chosen_model(Settings(wording_model=f"openai:{server.url}{path}#small:3b"))
    assert model is not None
    assert ask(model) == "hello"
    [(asked, body)] = server.requests
    assert asked == "/v1/chat/completions"
    assert (body["model"], body["max_tokens"], body["stream"]) == ("small:3b", 20, False)


def test_no_model_is_chosen_unless_the_person_does() -> None:
    assert chosen_model(Settings()) is None


@pytest.mark.parametrize(
    "choice",
    ["llama", "ollama:", "ollama:#x", "openai:", "openai:#", "openai:http://127.0.0.1:1", ":", "#"],
)
def test_what_is_no_choice_is_told(choice: str) -> None:
    with pytest.raises(LanguageModelError):
        chosen_model(Settings(wording_model=choice))


# -- what goes wrong


def answers(value: Any) -> Callable[[Any], None]:
    content = value if isinstance(value, bytes) else json.dumps(value).encode()
    return lambda handler: send(handler, content)


def gives(status: int, **headers: str) -> Callable[[Any], None]:
    return lambda handler: send(handler, b"{}", status, **headers)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    "act",
    [
        answers(b"<html>It works!</html>"),
        answers(b""),
        answers(b"\xff\xfe\x00garbage"),
        answers(b"[" * 100_000),
        answers(b"9" * 10_000),
        answers([]),
        answers(None),
        answers({"error": "no such model"}),
        answers({"message": "hello", "choices": []}),
        answers({"message": {"content": 3}, "choices": [{"message": {"content": None}}]}),
        answers({"message": {"content": ["a"]}, "choices": {"0": 1}}),
        answers(b" " * 2_000_000),
        gives(500),
        gives(404),
        gives(204),
        model_server.stream_for_ever,
        model_server.chunks_for_ever,
        model_server.continue_for_ever,
        model_server.promise_a_terabyte,
        model_server.answer_garbage,
        model_server.answer_a_broken_chunk,
        model_server.hang_up,
        model_server.reset,
    ],
)
def test_whatever_a_server_does_is_told_and_it_is_asked_once(
    server: ModelServer, kind: str, act: Callable[[Any], None]
) -> None:
    server.act = act
    with pytest.raises(LanguageModelError) as told:
        ask(model_of(server, kind))
    assert told.value.title
    assert "Suggestions use the notes' own words meanwhile." in told.value.message
    assert len(server.requests) == 1


@pytest.mark.parametrize(
    "act",
    [model_server.wait_for_ever, model_server.drip_a_header, model_server.drip_a_body],
)
def test_a_slow_server_is_given_up_when_the_time_is_up(
    server: ModelServer, act: Callable[[Any], None]
) -> None:
    server.act = act
    started = time.monotonic()
    with pytest.raises(LanguageModelError, match="too long"):
        ask(model_of(server, seconds=0.4))
    assert 0.3 < time.monotonic() - started < 2


@pytest.mark.parametrize("act", [model_server.wait_for_ever, model_server.drip_a_body])
def test_a_person_who_stops_it_does_not_wait_for_the_answer(
    server: ModelServer, act: Callable[[Any], None]
) -> None:
    server.act = act
    stop = threading.Event()
    threading.Timer(0.2, stop.set).start()
    started = time.monotonic()
    with pytest.raises(Cancelled):
        ask(model_of(server, seconds=30), stop)
    assert time.monotonic() - started < 2


def test_what_is_stopped_before_is_not_asked(server: ModelServer) -> None:
    stop = threading.Event()
    stop.set()
    with pytest.raises(Cancelled):
        ask(model_of(server), stop)
    assert server.requests == []


def test_a_server_that_is_not_running_is_told() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))  # bound and not listening: connections are refused
        url = f"http://127.0.0.1:{taken.getsockname()[1]}"
        model = chosen_model(Settings(wording_model=f"ollama:{url}#small"))
        assert model is not None
        with pytest.raises(LanguageModelError, match="does not answer"):
            ask(model)


# -- nothing leaves this computer


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_a_redirect_is_not_followed(server: ModelServer, status: int) -> None:
    with running() as elsewhere:
        server.act = gives(status, Location=f"{elsewhere.url}/api/chat")
        with pytest.raises(LanguageModelError, match="refused"):
            ask(model_of(server))
        assert elsewhere.requests == []
    assert len(server.requests) == 1


def test_no_proxy_is_used(server: ModelServer, monkeypatch: pytest.MonkeyPatch) -> None:
    with running() as proxy:
        for name in ("http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"):
            monkeypatch.setenv(name, proxy.url)
        for name in ("no_proxy", "NO_PROXY"):
            monkeypatch.delenv(name, raising=False)
        assert ask(model_of(server)) == "hello"
        assert proxy.requests == []


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    "address",
    [
        "http://192.168.1.5:11434",
        "http://example.com/v1",
        "https://example.com",
        "http://127.0.0.1.example.com",
        "http://localhost.example.com",
        "http://127.0.0.1@example.com",
        "http://example.com\\@127.0.0.1",
        "http://127.0.0.1\n.example.com",
        "http://0.0.0.0:11434",
        "http://127.1",
        "http://2130706433",
        "http://[::ffff:192.168.1.5]",
        "http://１２７.０.０.１",
        "http://127.0.0.1?@example.com",
        "file:///etc/hosts",
        "ftp://127.0.0.1",
        "127.0.0.1:11434",
        "http://[::1",
        "http://127.0.0.1:notaport",
        "http://127.0.0.1:99999",
        "http://",
    ],
)
def test_another_computer_is_refused_and_its_name_is_not_looked_up(
    kind: str, address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    touched: list[object] = []
    for name in ("getaddrinfo", "gethostbyname", "create_connection", "socket"):
        monkeypatch.setattr(socket, name, lambda *given, **_: touched.append(given))
    with pytest.raises(LanguageModelError):
        chosen_model(Settings(wording_model=f"{kind}:{address}#small"))
    assert touched == []


def test_another_computer_is_accepted_when_the_person_allows_it() -> None:
    choice = "openai:http://192.168.1.5:1234/v1#small"
    assert chosen_model(Settings(wording_model=choice, wording_host_allowed=True)) is not None
    with pytest.raises(LanguageModelError, match="another computer"):
        chosen_model(Settings(wording_model=choice))


def test_localhost_is_this_computer_whatever_a_name_server_says(
    server: ModelServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[Any] = []
    real = socket.getaddrinfo

    def watched(host: Any, *rest: Any, **more: Any) -> Any:
        asked.append(host)
        return real(host, *rest, **more)

    monkeypatch.setattr(socket, "getaddrinfo", watched)
    address = server.url.replace("127.0.0.1", "LocalHost")
    model = chosen_model(Settings(wording_model=f"ollama:{address}#small"))
    assert model is not None
    assert ask(model) == "hello"
    assert set(asked) <= {"127.0.0.1", "::1"}


def test_an_address_says_what_is_wrong_with_it() -> None:
    with pytest.raises(OtherComputer):
        server_at("http://example.com")
    with pytest.raises(NoAddress):
        server_at("http://example.com/a b", allow_host=True)
    assert server_at("http://[::1]:8080/v1/").path == "/v1"


def test_no_connection_stays_open(server: ModelServer, monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[socket.socket] = []
    real = socket.create_connection

    def kept(*given: Any, **more: Any) -> socket.socket:
        made.append(real(*given, **more))
        return made[-1]

    monkeypatch.setattr(local_server.socket, "create_connection", kept)
    ask(model_of(server))
    server.act = model_server.answer_garbage
    with pytest.raises(LanguageModelError):
        ask(model_of(server))
    assert [connection.fileno() for connection in made] == [-1, -1]


# -- one run


def test_after_two_failures_a_run_does_not_ask_again(server: ModelServer) -> None:
    model = Rationed(model_of(server))
    server.act = gives(500)
    for _ in range(10):
        with pytest.raises(LanguageModelError):
            ask(model)
    assert len(server.requests) == 2
    assert model.has_given_up


def test_one_failure_between_answers_is_forgiven(server: ModelServer) -> None:
    model = Rationed(model_of(server))
    for _ in range(3):
        server.act = gives(500)
        with pytest.raises(LanguageModelError):
            ask(model)
        server.act = None
        assert ask(model) == "hello"


def test_a_run_has_only_so_much_time_for_a_model(server: ModelServer) -> None:
    ticks = iter(range(0, 1000, 40))
    model = Rationed(model_of(server), most_seconds=100, clock=lambda: float(next(ticks)))
    assert [ask(model) for _ in range(3)] == ["hello"] * 3
    with pytest.raises(LanguageModelError, match="left alone"):
        ask(model)
    assert len(server.requests) == 3
