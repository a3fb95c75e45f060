"""A D-Bus session of our own, and a notification server on it that does what a test says."""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest
from jeepney import (
    DBusAddress,
    HeaderFields,
    Message,
    MessageType,
    message_bus,
    new_error,
    new_method_return,
    new_signal,
)
from jeepney.io.threading import DBusConnection, ReceiveStopped, open_dbus_connection

NAME = "org.freedesktop.Notifications"
PATH = "/org/freedesktop/Notifications"


@contextlib.contextmanager
def session_bus() -> Iterator[subprocess.Popen[str]]:
    """The process; its address is the environment's ``DBUS_SESSION_BUS_ADDRESS`` meanwhile."""
    if shutil.which("dbus-daemon") is None:
        assert "CI" not in os.environ, "CI must have dbus-daemon"
        pytest.skip("not installed: dbus-daemon")
    process = subprocess.Popen(
        ["dbus-daemon", "--session", "--nofork", "--print-address"],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    assert process.stdout is not None
    before = os.environ.get("DBUS_SESSION_BUS_ADDRESS")
    os.environ["DBUS_SESSION_BUS_ADDRESS"] = process.stdout.readline().strip()
    try:
        yield process
    finally:
        if before is None:
            del os.environ["DBUS_SESSION_BUS_ADDRESS"]
        else:
            os.environ["DBUS_SESSION_BUS_ADDRESS"] = before
        process.kill()
        process.wait(5)
        process.stdout.close()


@dataclass
class Server:
    """A notification server. ``silent`` leaves calls of that name without an answer."""

    name: str = "gnome-shell"
    can: tuple[str, ...] = ("actions", "body", "body-markup")
    silent: str = ""
    notices: list[tuple[Any, ...]] = field(default_factory=list)
    closed: list[int] = field(default_factory=list)
    unanswered: list[Message] = field(default_factory=list)
    last: int = 0

    def __enter__(self) -> Server:
        self._bus: DBusConnection = open_dbus_connection()
        self._thread = threading.Thread(target=self._serve, name="test-server", daemon=True)
        self._thread.start()
        return self

    def __exit__(self, *error: object) -> None:
        self._bus.interrupt()
        self._thread.join(5)
        self._bus.close()

    def _serve(self) -> None:
        self._bus.send(message_bus.RequestName(NAME))
        with contextlib.suppress(ReceiveStopped, ConnectionError):
            while True:
                self._answer(self._bus.receive())

    def _answer(self, call: Message) -> None:
        if call.header.message_type is not MessageType.method_call:
            return
        method = call.header.fields[HeaderFields.member]
        if method == self.silent:
            self.unanswered.append(call)
        elif method == "GetCapabilities":
            self._bus.send(new_method_return(call, "as", (list(self.can),)))
        elif method == "GetServerInformation":
            self._bus.send(new_method_return(call, "ssss", (self.name, "Test", "1", "1.2")))
        elif method == "Notify":
            self._bus.send(new_method_return(call, "u", (self.take(call.body),)))
        elif method == "CloseNotification":
            self.closed.append(call.body[0])
            self.say("NotificationClosed", "uu", (call.body[0], 3))
        else:
            self._bus.send(new_error(call, "org.freedesktop.DBus.Error.UnknownMethod"))

    def take(self, body: tuple[Any, ...]) -> int:
        """A call to ``Notify``; the number it has."""
        self.notices.append(body)
        number: int = body[1]
        if not number:
            self.last += 1
            number = self.last
        return number

    def answer_late(self) -> None:
        """The calls to ``Notify`` that were left without an answer have it now."""
        for call in self.unanswered:
            self._bus.send(new_method_return(call, "u", (self.take(call.body),)))
        self.unanswered.clear()

    def say(self, signal: str, signature: str, body: tuple[Any, ...]) -> None:
        say(self._bus, signal, signature, body)


def say(bus: DBusConnection, signal: str, signature: str, body: tuple[Any, ...]) -> None:
    source = DBusAddress(PATH, NAME, NAME)
    bus.send(new_signal(source, signal, signature, body))
