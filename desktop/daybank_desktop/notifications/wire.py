"""One connection to the session bus, for a thread that must be able to end at once.

jeepney reads and writes the messages; this waits. Every wait ends as soon as the thread is asked to
stop, so nothing that hangs on the other side (a bus, a notification server) holds up quitting. A
``Wire`` belongs to one thread; others may wake it.
"""

from __future__ import annotations

import os
import socket
import time
from collections import deque
from collections.abc import Callable
from itertools import count
from selectors import EVENT_READ, DefaultSelector
from typing import Any

from jeepney import HeaderFields, Message, MessageFlag, MessageType, Parser
from jeepney.auth import BEGIN, Authenticator
from jeepney.bus import get_bus
from jeepney.bus_messages import message_bus

from daybank_desktop.notifications.waker import Waker

CONNECT_WITHIN = 2.0
SEND_WITHIN = 0.2


class Stopped(Exception):
    """The thread has been asked to end."""


class WireBroken(Exception):
    """There is no session bus, or the connection to it is lost."""


class CallFailed(Exception):
    """The other side answered with an error, or not in time."""


class Wire:
    """``stopping`` tells whether the thread should end; the constructor connects, which takes a few
    milliseconds. Raises WireBroken or Stopped."""

    def __init__(self, waker: Waker, stopping: Callable[[], bool]) -> None:
        self._waker = waker
        self._stopping = stopping
        self._serials = count(1)
        self._parser: Any = Parser()
        self._signals: deque[Message] = deque()
        self._late: dict[int, Callable[[tuple[Any, ...]], None]] = {}
        self._selector = DefaultSelector()
        try:
            self._socket = _connected()
        except (OSError, KeyError, ValueError, RuntimeError, StopIteration) as error:
            self._selector.close()
            raise WireBroken(f"no session bus: {error}") from error
        self._selector.register(self._socket, EVENT_READ)
        self._selector.register(waker.end, EVENT_READ)
        try:
            self._sign_in()
            self.call(message_bus.Hello(), CONNECT_WITHIN)
        except CallFailed as error:
            self.close()
            raise WireBroken(str(error)) from error
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        self._selector.close()
        self._socket.close()

    def call(
        self,
        message: Message,
        within: float,
        *,
        late: Callable[[tuple[Any, ...]], None] | None = None,
    ) -> tuple[Any, ...]:
        """The answer to a method call. ``late`` gets one that comes after ``within`` seconds, when
        this has raised CallFailed already."""
        serial = next(self._serials)
        self._send(message.serialise(serial=serial))
        deadline = time.monotonic() + within
        while (received := self._receive(deadline)) is not None:
            if received.header.fields.get(HeaderFields.reply_serial) == serial:
                if received.header.message_type is MessageType.error:
                    name = received.header.fields.get(HeaderFields.error_name, "an error")
                    raise CallFailed(f"{name}: {' '.join(map(str, received.body))}")
                return tuple(received.body)
            self._keep(received)
        if late is not None:
            self._late[serial] = late
        raise CallFailed(f"no answer in {within:g} s")

    def tell(self, message: Message) -> None:
        """A method call without an answer."""
        message.header.flags = MessageFlag.no_reply_expected
        self._send(message.serialise(serial=next(self._serials)))

    def next_signal(self) -> Message | None:
        """The next signal. None when this thread was woken; waits for either."""
        while not self._signals:
            received = self._receive(None)
            if received is None:
                return None
            self._keep(received)
        return self._signals.popleft()

    # Inside

    def _sign_in(self) -> None:
        deadline = time.monotonic() + CONNECT_WITHIN
        self._send(b"\0")
        greeter = Authenticator(inc_null_byte=False)
        try:
            for line in greeter:
                self._send(line)
                data = self._read(deadline)
                while data is not None and not data:  # woken, and not to stop
                    data = self._read(deadline)
                if data is None:
                    raise WireBroken("the session bus does not answer")
                greeter.feed(data)
        except ValueError as error:
            raise WireBroken(f"the session bus refuses: {error}") from error
        self._send(BEGIN)

    def _keep(self, message: Message) -> None:
        kind = message.header.message_type
        if kind is MessageType.signal:
            self._signals.append(message)
        elif kind is MessageType.method_return:
            late = self._late.pop(message.header.fields.get(HeaderFields.reply_serial, 0), None)
            if late is not None:
                late(tuple(message.body))

    def _receive(self, deadline: float | None) -> Message | None:
        """The next message; None after ``deadline``, or, without one, when woken."""
        while (message := self._parser.get_next_message()) is None:
            data = self._read(deadline)
            if data is None or (not data and deadline is None):
                return None
            if data:
                self._parser.add_data(data)
        return message

    def _read(self, deadline: float | None) -> bytes | None:
        """Some bytes: none when woken, None after ``deadline``. Raises Stopped, WireBroken."""
        left = None if deadline is None else max(0.0, deadline - time.monotonic())
        if self._stopping():
            raise Stopped
        ready = {key.fileobj for key, _ in self._selector.select(left)}
        if self._waker.end in ready:
            self._waker.clear()
        if self._stopping():
            raise Stopped
        if self._socket not in ready:
            return b"" if ready else None
        try:
            data = self._socket.recv(65536)
        except OSError as error:
            raise WireBroken(str(error)) from error
        if not data:
            raise WireBroken("the session bus has gone")
        return data

    def _send(self, data: bytes) -> None:
        try:
            self._socket.sendall(data)
        except OSError as error:
            raise WireBroken(str(error)) from error


def _connected() -> socket.socket:
    """Messages are small: a bus that takes none of them within a moment is as good as none."""
    made = socket.socket(socket.AF_UNIX)
    try:
        made.settimeout(SEND_WITHIN)
        made.connect(_address())
    except BaseException:
        made.close()
        raise
    return made


def _address() -> str:
    """Where the bus is said to be, else where it usually is."""
    said = os.environ.get("DBUS_SESSION_BUS_ADDRESS")
    usual = f"unix:path={os.environ.get('XDG_RUNTIME_DIR', '')}/bus"
    address: str = get_bus(said or usual)
    return address
