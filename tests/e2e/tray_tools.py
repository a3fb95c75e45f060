"""Trays for tests: a real one of the older kind, one of the newer kind that we are ourselves, and
the program that has an icon in them."""

from __future__ import annotations

import contextlib
import subprocess
import sys
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from jeepney import (
    DBusAddress,
    HeaderFields,
    Message,
    MessageType,
    Properties,
    message_bus,
    new_method_call,
    new_method_return,
    new_signal,
)
from jeepney.io.blocking import DBusConnection, open_dbus_connection
from screen_tools import Screen, wait_for

WATCHER = "org.kde.StatusNotifierWatcher"
ITEM = "org.kde.StatusNotifierItem"
MENU = "com.canonical.dbusmenu"


# The program with the icon


@dataclass
class TrayApp:
    """``tray_app.py``, running."""

    process: subprocess.Popen[str]
    said_in: Path

    @property
    def said(self) -> list[str]:
        return self.said_in.read_text("utf-8").splitlines() if self.said_in.exists() else []

    def tell(self, line: str) -> None:
        """Make it show something, and wait until it does."""
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


@contextlib.contextmanager
def tray_app(
    screen: Screen, said_in: Path, mode: str = "light", **environ: str
) -> Iterator[TrayApp]:
    with open(screen.home / "app.log", "a") as log:
        process = subprocess.Popen(
            [sys.executable, str(Path(__file__).with_name("tray_app.py")), str(said_in), mode],
            env={**screen.environment, **environ},
            stdin=subprocess.PIPE,
            stdout=log,
            stderr=log,
            text=True,
        )
    app = TrayApp(process, said_in)
    try:
        app.wait_for("started", seconds=60)
        yield app
        assert process.stdin is not None
        process.stdin.close()
        assert process.wait(10) == 0, screen.log()
    finally:
        if process.poll() is None:
            process.kill()
            process.wait(5)


# A tray of the older kind


@contextlib.contextmanager
def trayer(screen: Screen) -> Iterator[subprocess.Popen[bytes]]:
    """A panel that is nothing but a tray, at the lower right edge of the screen."""
    process = subprocess.Popen(
        "trayer --edge bottom --align right --widthtype pixel --width 200 "
        "--heighttype pixel --height 32".split(),
        env=screen.environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        yield process
    finally:
        if process.poll() is None:
            process.terminate()
            process.wait(5)


# A tray of the newer kind


@contextlib.contextmanager
def private_bus() -> Iterator[str]:
    """The address of a D-Bus session of our own."""
    process = subprocess.Popen(
        ["dbus-daemon", "--session", "--nofork", "--print-address"],
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


@dataclass
class StatusNotifierHost:
    """A panel as a program sees it: it takes icons in, and can be gone and come again. The icons
    are the bus names that are registered now."""

    address: str
    icons: list[str] = field(default_factory=list)
    _ends: threading.Event = field(default_factory=threading.Event)
    _thread: threading.Thread | None = None

    def __enter__(self) -> StatusNotifierHost:
        self.appear()
        return self

    def __exit__(self, *_: object) -> None:
        self.disappear()

    def appear(self) -> None:
        ready = threading.Event()
        self._ends.clear()
        self._thread = threading.Thread(target=self._serve, args=(ready,))
        self._thread.start()
        assert ready.wait(10)

    def disappear(self) -> None:
        if self._thread is not None:
            self._ends.set()
            self._thread.join(10)
            self._thread = None
        self.icons.clear()

    def _serve(self, ready: threading.Event) -> None:
        with open_dbus_connection(self.address) as bus:
            bus.send_and_get_reply(message_bus.RequestName(WATCHER))
            ready.set()
            while not self._ends.is_set():
                try:
                    message = bus.receive(timeout=0.1)
                except TimeoutError:
                    continue
                if message.header.message_type is MessageType.method_call:
                    self._answer(bus, message)

    def _answer(self, bus: DBusConnection, call: Message) -> None:
        fields = call.header.fields
        member = fields[HeaderFields.member]
        properties: dict[str, tuple[str, Any]] = {
            "RegisteredStatusNotifierItems": ("as", list(self.icons)),
            "IsStatusNotifierHostRegistered": ("b", True),
            "ProtocolVersion": ("i", 0),
        }
        if member == "RegisterStatusNotifierItem":
            (name,) = call.body
            sender = fields[HeaderFields.sender]
            self.icons.append(name if not name.startswith("/") else sender)
            bus.send(new_method_return(call))
            emitter = DBusAddress("/StatusNotifierWatcher", interface=WATCHER)
            bus.send(new_signal(emitter, "StatusNotifierItemRegistered", "s", (name,)))
        elif member == "Get":
            bus.send(new_method_return(call, "v", (properties[call.body[1]],)))
        elif member == "GetAll":
            bus.send(new_method_return(call, "a{sv}", (properties,)))
        else:
            bus.send(new_method_return(call))


@dataclass
class IconOnBus:
    """An icon as a panel of the newer kind sees it, and a person's clicks on it."""

    bus: DBusConnection
    name: str

    @property
    def tooltip(self) -> str:
        return str(self._get("ToolTip")[2])

    @property
    def pictures(self) -> dict[int, bytes]:
        """The picture of each width, as it is sent: alpha, red, green, blue."""
        return {width: bytes(data) for width, height, data in self._get("IconPixmap")}

    def click(self) -> None:
        self._call(self._item, "Activate", "ii", (0, 0))

    def click_middle(self) -> None:
        self._call(self._item, "SecondaryActivate", "ii", (0, 0))

    def entries(self) -> dict[str, tuple[int, bool]]:
        """The words of the menu and of what opens from it: number, and whether it can be chosen.
        Lines and what is not visible are left out."""
        _, root = self._call(self._menu, "GetLayout", "iias", (0, -1, []))
        found: dict[str, tuple[int, bool]] = {}
        self._collect(root, found)
        return found

    def choose(self, words: str) -> None:
        number, is_enabled = self.entries()[words]
        assert is_enabled, words
        self._call(self._menu, "Event", "isvu", (number, "clicked", ("i", 0), 0))

    def has_icon(self, words: str) -> bool:
        number = self.entries()[words][0]
        (groups,) = self._call(self._menu, "GetGroupProperties", "aias", ([number], []))
        return bool(groups[0][1].get("icon-data"))

    def _collect(self, node: Any, found: dict[str, tuple[int, bool]]) -> None:
        number, properties, children = node
        said = properties.get("label", ("s", ""))[1]
        if said and properties.get("visible", ("b", True))[1]:
            found[said.replace("_", "")] = (number, properties.get("enabled", ("b", True))[1])
        for _, child in children:
            self._collect(child, found)

    @property
    def _item(self) -> DBusAddress:
        return DBusAddress("/StatusNotifierItem", self.name, ITEM)

    @property
    def _menu(self) -> DBusAddress:
        return DBusAddress(self._get("Menu"), self.name, MENU)

    def _get(self, what: str) -> Any:
        reply = self.bus.send_and_get_reply(Properties(self._item).get(what), timeout=10)
        assert reply.header.message_type is MessageType.method_return, reply.body
        return reply.body[0][1]

    def _call(self, address: DBusAddress, method: str, signature: str, values: Any) -> Any:
        call = new_method_call(address, method, signature, values)
        reply = self.bus.send_and_get_reply(call, timeout=10)
        assert reply.header.message_type is MessageType.method_return, reply.body
        return reply.body
