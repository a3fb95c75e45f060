"""Notification servers for tests, on a D-Bus session where nothing starts by itself."""

from __future__ import annotations

import contextlib
import json
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from jeepney import DBusAddress, message_bus, new_method_call
from jeepney.io.blocking import open_dbus_connection
from screen_tools import Screen, wait_for

NAME = "org.freedesktop.Notifications"
_BUS = """
<busconfig>
  <type>session</type>
  <listen>unix:dir={folder}</listen>
  <policy context="default">
    <allow send_destination="*" eavesdrop="true"/>
    <allow eavesdrop="true"/>
    <allow own="*"/>
  </policy>
</busconfig>
"""
_DUNST = """
[global]
    width = 380
    origin = top-right
    offset = 12x12
    font = Sans 10
    mouse_left_click = do_action, close_current
    mouse_right_click = close_current
    ignore_dbusclose = false
"""


@contextlib.contextmanager
def bus_without_services(home: Path) -> Iterator[str]:
    """The address of a D-Bus session that starts no program when it is called."""
    config = home / "bus.conf"
    config.write_text(_BUS.format(folder=home), "utf-8")
    process = subprocess.Popen(
        ["dbus-daemon", f"--config-file={config}", "--nofork", "--print-address"],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    assert process.stdout is not None
    try:
        yield process.stdout.readline().strip()
    finally:
        process.terminate()
        process.wait(5)
        process.stdout.close()


@contextlib.contextmanager
def server(screen: Screen, address: str, *command: str) -> Iterator[subprocess.Popen[bytes]]:
    """A notification server, once it can be called."""
    with open(screen.home / "server.log", "ab") as log:
        process = subprocess.Popen(
            command,
            env={**screen.environment, "DBUS_SESSION_BUS_ADDRESS": address, "NO_AT_BRIDGE": "1"},
            stdout=log,
            stderr=log,
        )
    try:
        wait_for(lambda: "yes" if _has_owner(address) else "", f"{command[0]} on the bus", 20)
        yield process
    finally:
        if process.poll() is None:
            process.terminate()
            process.wait(5)


def dunst(
    screen: Screen, address: str
) -> contextlib.AbstractContextManager[subprocess.Popen[bytes]]:
    """A server for which a click anywhere on a notice is a click on the notice itself."""
    config = screen.home / "dunstrc"
    config.write_text(_DUNST, "utf-8")
    return server(screen, address, "dunst", "-config", str(config))


def _has_owner(address: str) -> bool:
    with open_dbus_connection(address) as bus:
        return bool(bus.send_and_get_reply(message_bus.NameHasOwner(NAME), timeout=5).body[0])


def notices_closed_by_dunst(address: str) -> list[tuple[str, str]]:
    """Title and text of those that are over, the latest first."""
    where = DBusAddress("/org/freedesktop/Notifications", NAME, "org.dunstproject.cmd0")
    with open_dbus_connection(address) as bus:
        call = new_method_call(where, "NotificationListHistory")
        found = bus.send_and_get_reply(call, timeout=5).body[0]
    return [(notice["summary"][1], notice["body"][1]) for notice in found]


@dataclass
class NotifyingApp:
    """``notifying_app.py``, running."""

    process: subprocess.Popen[str]
    said_in: Path

    @property
    def said(self) -> list[str]:
        return self.said_in.read_text("utf-8").splitlines() if self.said_in.exists() else []

    def tell(self, *what: str) -> None:
        line = json.dumps(what)
        before = self.said.count(f"done {line}")
        assert self.process.stdin is not None
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()
        self.wait_for(f"done {line}", before + 1)

    def wait_for(self, line: str, times: int = 1, seconds: float = 30) -> None:
        wait_for(
            lambda: line if self.said.count(line) >= times else "",
            f"“{line}”; it said {self.said}",
            seconds,
        )

    def end(self) -> None:
        """It quits, and nothing holds it up."""
        assert self.process.stdin is not None
        self.process.stdin.close()
        assert self.process.wait(10) == 0
        assert self.said[-1] == "stopped True"


@contextlib.contextmanager
def notifying_app(screen: Screen, address: str) -> Iterator[NotifyingApp]:
    said_in = screen.home / "said.txt"
    said_in.unlink(missing_ok=True)
    with open(screen.home / "app.log", "a") as log:
        process = subprocess.Popen(
            [
                sys.executable,
                str(Path(__file__).with_name("notifying_app.py")),
                str(said_in),
                str(screen.home / "config"),
            ],
            env={**screen.environment, "DBUS_SESSION_BUS_ADDRESS": address},
            stdin=subprocess.PIPE,
            stdout=log,
            stderr=log,
            text=True,
        )
    app = NotifyingApp(process, said_in)
    try:
        app.wait_for("started", seconds=60)
        yield app
    finally:
        if process.stdin is not None:
            process.stdin.close()
        if process.poll() is None:
            process.kill()
        process.wait(5)
