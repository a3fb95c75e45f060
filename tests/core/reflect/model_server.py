"""A real small server that answers as a language model's does, sensibly or not."""

from __future__ import annotations

import contextlib
import json
import socket
import struct
import threading
import time
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from daybank.settings import Settings


class ModelServer:
    """``say`` makes the model's text of the system and the user message; ``act`` answers in its
    stead, at the level of HTTP. ``requests`` holds what was asked: path and body."""

    def __init__(self) -> None:
        self.say: Callable[[str, str], str] = lambda system, prompt: "hello"
        self.act: Callable[[BaseHTTPRequestHandler], None] | None = None
        self.requests: list[tuple[str, Any]] = []
        self.url = ""
        self.over = threading.Event()

    def wants(self, kind: str = "ollama") -> Settings:
        """The settings of a person who chose this server."""
        return Settings(wording_model=f"{kind}:{self.url}#small")

    def answers_with(self, value: object) -> None:
        self.say = lambda system, prompt: json.dumps(value, ensure_ascii=False)


class _Handler(BaseHTTPRequestHandler):
    state: ModelServer

    def log_message(self, *_: object) -> None:
        pass

    def do_GET(self) -> None:
        self.state.requests.append((self.path, None))

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.state.requests.append((self.path, body))
        with contextlib.suppress(OSError):  # the other side gave up, as some tests want
            if self.state.act is not None:
                self.state.act(self)
                return
            system, prompt = (message["content"] for message in body["messages"])
            text = {"role": "assistant", "content": self.state.say(system, prompt)}
            told = (
                {"message": text} if self.path == "/api/chat" else {"choices": [{"message": text}]}
            )
            send(self, json.dumps(told).encode())


@contextlib.contextmanager
def running() -> Iterator[ModelServer]:
    state = ModelServer()
    http = ThreadingHTTPServer(("127.0.0.1", 0), type("Bound", (_Handler,), {"state": state}))
    thread = threading.Thread(target=http.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    state.url = f"http://127.0.0.1:{http.server_address[1]}"
    try:
        yield state
    finally:
        state.over.set()
        http.shutdown()
        http.server_close()
        thread.join()


def send(
    handler: BaseHTTPRequestHandler, content: bytes, status: int = 200, **headers: str
) -> None:
    handler.send_response(status)
    for name, value in headers.items():
        handler.send_header(name, value)
    handler.send_header("Content-Length", str(len(content)))
    handler.end_headers()
    handler.wfile.write(content)


# -- how a server may fail


def wait_for_ever(handler: Any) -> None:
    handler.state.over.wait(10)


def drip_a_header(handler: Any) -> None:
    handler.wfile.write(b"HTTP/1.1 200 OK\r\nX-Slow: ")
    _for_ever(handler, b"a", pause=0.02)


def drip_a_body(handler: Any) -> None:
    handler.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n")
    _for_ever(handler, b" ", pause=0.02)


def stream_for_ever(handler: Any) -> None:
    handler.wfile.write(b"HTTP/1.1 200 OK\r\n\r\n")
    _for_ever(handler, b" " * 65_536)


def chunks_for_ever(handler: Any) -> None:
    handler.wfile.write(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
    _for_ever(handler, b"10000\r\n" + b" " * 65_536 + b"\r\n")


def continue_for_ever(handler: Any) -> None:
    _for_ever(handler, b"HTTP/1.1 100 Continue\r\n\r\n" * 1000)


def promise_a_terabyte(handler: Any) -> None:
    handler.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Length: 1099511627776\r\n\r\n{}")


def answer_garbage(handler: Any) -> None:
    handler.wfile.write(bytes(range(256)) * 4 + b"\r\n\r\n")


def answer_a_broken_chunk(handler: Any) -> None:
    handler.wfile.write(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n-5\r\nabc\r\n")


def hang_up(handler: Any) -> None:
    """Close the connection without a word."""


def reset(handler: Any) -> None:
    handler.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{")
    handler.wfile.flush()
    handler.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    handler.connection.close()


def _for_ever(handler: Any, data: bytes, *, pause: float = 0.0) -> None:
    while not handler.state.over.is_set():
        handler.wfile.write(data)
        time.sleep(pause)
