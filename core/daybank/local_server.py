"""Asking a model server on this computer. What leaves Daybank for a server leaves it here.

A server is asked only at an address that :func:`server_at` has let through: this computer's own,
unless the person allows another. Requests go straight there: through no proxy, after no redirect,
and ``localhost`` means this computer whatever a name server says, so that notes cannot leave the
computer by a detour. Nothing is asked twice, and an answer has an end: in time, in size, and when
the person stops it.

Any thread may call; every request is a connection of its own and blocks its thread.
"""

from __future__ import annotations

import contextlib
import http.client
import io
import ipaddress
import json
import socket
import ssl
import time
import urllib.parse
from dataclasses import dataclass
from typing import Any

from daybank.progress import CancelToken, check_cancel

TURN_SECONDS = 0.1
"""How long a silent server is waited for before looking at the clock and the cancel event."""
_THIS_COMPUTER = ("127.0.0.1", "::1")
_HEADERS = 65_536
_CHUNK = 65_536


class ServerTrouble(Exception):
    """Why there is no answer. Callers turn it into an error in words of their own."""


class NoAddress(ServerTrouble):
    """The text is no address of a server."""


class OtherComputer(ServerTrouble):
    """The address is another computer's, and nobody allowed that. Nothing was sent."""


class Away(ServerTrouble):
    """Nobody answers there, or the connection broke."""


class Late(ServerTrouble):
    """The time was up before the answer was whole."""


class Refused(ServerTrouble):
    """The server is there and does not want this request. A redirect counts as that."""


class Senseless(ServerTrouble):
    """The answer is too long or is no JSON."""


@dataclass(frozen=True, slots=True)
class Server:
    """A server that may be asked; made by :func:`server_at`. ``path`` has no last slash."""

    scheme: str
    host: str
    port: int | None
    path: str

    def ask(
        self,
        path: str,
        body: object = None,
        *,
        seconds: float,
        largest: int,
        cancel: CancelToken | None = None,
    ) -> Any:
        """The JSON that the server answers: to a GET, or with a ``body`` to a POST.

        ``seconds`` are for everything together, ``largest`` is in bytes. Raises Away, Late,
        Refused, Senseless, and Cancelled.
        """
        watch = _Watch(seconds, largest, cancel)
        watch.left()
        try:
            return json.loads(self._answer(self.path + path, body, watch))
        except TimeoutError as error:
            raise Late("the time is up") from error
        except OSError as error:
            raise Away(str(error)) from error
        except (http.client.HTTPException, ValueError, RecursionError) as error:
            raise Senseless(str(error)) from error

    def _answer(self, path: str, body: object, watch: _Watch) -> bytes:
        data = None if body is None else json.dumps(body).encode()
        with contextlib.closing(self._connected(watch)) as connected:
            connection = http.client.HTTPConnection(self.host, self.port)
            connection.sock = _Watched(connected, watch)
            method = "GET" if data is None else "POST"
            connection.request(method, path, data, {"Content-Type": "application/json"})
            with connection.getresponse() as answer:
                if not 200 <= answer.status < 300:
                    raise Refused(f"HTTP {answer.status}")
                parts = []
                while chunk := answer.read1(_CHUNK):
                    parts.append(chunk)
                return b"".join(parts)

    def _connected(self, watch: _Watch) -> socket.socket:
        port = self.port or (443 if self.scheme == "https" else 80)
        hosts = _THIS_COMPUTER if self.host == "localhost" else (self.host,)
        for last, host in enumerate(hosts, 1 - len(hosts)):
            try:
                plain = socket.create_connection((host, port), watch.left())
                break
            except OSError:
                if not last:
                    raise
        if self.scheme == "http":
            return plain
        try:
            return ssl.create_default_context().wrap_socket(plain, server_hostname=self.host)
        except BaseException:
            plain.close()
            raise


def server_at(url: str, *, allow_host: bool = False) -> Server:
    """The server at an address such as ``http://127.0.0.1:11434``. Asks nobody, no name server
    either. Raises NoAddress, and OtherComputer unless ``allow_host``."""
    try:
        parts = urllib.parse.urlsplit(url)
        host, port = parts.hostname, parts.port
    except ValueError as error:
        raise NoAddress(url) from error
    printable = url.isascii() and url.isprintable() and " " not in url
    bare = not (parts.username or parts.password or parts.query or parts.fragment)
    if parts.scheme not in ("http", "https") or not host or not bare or not printable:
        raise NoAddress(url)
    if not allow_host and not _is_this_computer(host):
        raise OtherComputer(host)
    return Server(parts.scheme, host, port, parts.path.rstrip("/"))


def _is_this_computer(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


class _Watch:
    """The limits of one request, and how much of them is used."""

    def __init__(self, seconds: float, largest: int, cancel: CancelToken | None) -> None:
        self._until = time.monotonic() + seconds
        self._room = largest + _HEADERS
        self._cancel = cancel

    def left(self) -> float:
        """Seconds that are left. Raises TimeoutError when none are, and Cancelled."""
        check_cancel(self._cancel)
        left = self._until - time.monotonic()
        if left <= 0:
            raise TimeoutError
        return left

    def count(self, size: int) -> None:
        """Count bytes that have come. Raises ValueError when there are too many."""
        self._room -= size
        if self._room < 0:
            raise ValueError("the answer is too long")


class _Watched:
    """A socket as :mod:`http.client` uses one. A timeout of a socket counts only silence, so that
    a server that drips could hold one up for ever; this one looks at the clock at every turn."""

    def __init__(self, connected: socket.socket, watch: _Watch) -> None:
        self._connected = connected
        self._watch = watch

    def sendall(self, data: bytes) -> None:
        self._connected.settimeout(self._watch.left())
        self._connected.sendall(data)

    def makefile(self, *_: object) -> io.BufferedReader:
        self._connected.settimeout(TURN_SECONDS)
        return io.BufferedReader(_Incoming(self._connected, self._watch))

    def close(self) -> None:
        """Whoever made the connection closes it, once the answer is read."""


class _Incoming(io.RawIOBase):
    def __init__(self, connected: socket.socket, watch: _Watch) -> None:
        self._connected = connected
        self._watch = watch

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        while True:
            self._watch.left()
            try:
                size = self._connected.recv_into(buffer)
            except TimeoutError:
                continue
            self._watch.count(size)
            return size
