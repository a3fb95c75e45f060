"""What is said to a notification server and heard from it, on a thread of its own.

Qt cannot say it from Python (no way to make the unsigned number that ``Notify`` wants), so the
messages are jeepney's. A server may be missing, begin later, hang, die or be replaced: then a
notice fails, and the next one tries again. What a server had on the screen is gone with it, and is
not shown twice.
"""

from __future__ import annotations

import html
import logging
import queue
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from jeepney import DBusAddress, HeaderFields, MatchRule, Message, new_method_call
from jeepney.bus_messages import message_bus

from daybank_desktop.notifications.backend import LATER, OPEN, Events, Notice
from daybank_desktop.notifications.freedesktop import Command, Pixels, Show, Withdraw
from daybank_desktop.notifications.waker import Waker
from daybank_desktop.notifications.wire import CallFailed, Stopped, Wire, WireBroken

log = logging.getLogger(__name__)

NAME = "org.freedesktop.Notifications"
ANSWER_WITHIN = 5.0
"""Seconds for an answer; the first call may have to start the server."""

APP = "daybank"
_SERVER = DBusAddress("/org/freedesktop/Notifications", NAME, NAME)
_NORMAL = 1
_AS_THE_SERVER_LIKES = -1
_DEFAULT = "default"
"""The action that stands for a click on the notice itself."""

_WITH_A_WAY_TO_CLOSE = frozenset(
    (
        "budgie-daemon",
        "cinnamon",
        "dunst",
        "gnome-shell",
        "mako",
        "notification daemon",
        "plasma",
        "swaync",
        "xfce notify daemon",
    )
)
"""Servers, by name in small letters, whose notices people know how to close."""


@dataclass(frozen=True, slots=True)
class Server:
    """Who shows notices: the name it gives itself, its address on the bus, what it can do."""

    name: str
    owner: str
    can: frozenset[str]


class BusTalk:
    """``run`` is what the thread does; it ends soon after ``stopping`` and a wake. ``tell`` has an
    event told on the GUI thread."""

    def __init__(
        self,
        commands: queue.SimpleQueue[Command | None],
        waker: Waker,
        stopping: Callable[[], bool],
        tell: Callable[[Callable[[Events], None]], None],
    ) -> None:
        self._commands = commands
        self._waker = waker
        self._stopping = stopping
        self._tell = tell
        self._wire: Wire | None = None
        self._server: Server | None = None
        self._shown: dict[int, str] = {}
        self._tokens: dict[int, str] = {}

    def run(self) -> None:
        try:
            while not self._stopping():
                self._step()
        except Stopped:
            log.debug("Asked to end while waiting for the bus")
        finally:
            self._leave()

    def _step(self) -> None:
        """One command, or else whatever the bus says next."""
        try:
            command = self._commands.get(block=self._wire is None)
        except queue.Empty:
            self._listen()
            return
        if isinstance(command, Show):
            self._show(command)
        elif isinstance(command, Withdraw):
            self._withdraw(command.notice_id)

    # Saying

    def _show(self, command: Show) -> None:
        notice = command.notice
        try:
            number = self._notify(command)
        except WireBroken as error:
            self._lose_wire(error)
            try:  # the bus may have been started anew
                number = self._notify(command)
            except (WireBroken, CallFailed) as again:
                self._fail(notice, again)
                return
        except CallFailed as error:
            self._fail(notice, error)
            return
        self._shown = {n: known for n, known in self._shown.items() if known != notice.id}
        self._shown[number] = notice.id

    def _notify(self, command: Show) -> int:
        wire, server = self._connect()
        notice = command.notice
        before = next((n for n, known in self._shown.items() if known == notice.id), 0)
        message = notify_message(notice, server, before, command.icon)
        answer = wire.call(message, ANSWER_WITHIN, late=self._take_back)
        return int(answer[0])

    def _connect(self) -> tuple[Wire, Server]:
        if self._wire is None:
            self._wire = Wire(self._waker, self._stopping)
            for rule in _what_to_hear():
                self._wire.tell(message_bus.AddMatch(rule))
        if self._server is None:
            name, *_ = self._wire.call(_message("GetServerInformation"), ANSWER_WITHIN)
            (can,) = self._wire.call(_message("GetCapabilities"), ANSWER_WITHIN)
            (owner,) = self._wire.call(message_bus.GetNameOwner(NAME), ANSWER_WITHIN)
            self._server = Server(str(name), str(owner), frozenset(map(str, can)))
            log.info("Notices are shown by %s", name)
        return self._wire, self._server

    def _withdraw(self, notice_id: str) -> None:
        numbers = [n for n, known in self._shown.items() if known == notice_id]
        for number in numbers:
            self._close(number)

    def _take_back(self, answer: tuple[Any, ...]) -> None:
        """An answer too late: the notice has been shown in another way meanwhile."""
        self._close(int(answer[0]))

    def _close(self, number: int) -> None:
        if self._wire is None:
            return
        try:
            self._wire.tell(_message("CloseNotification", "u", (number,)))
        except WireBroken as error:
            self._lose_wire(error)

    def _fail(self, notice: Notice, error: Exception) -> None:
        log.info("The desktop cannot show a notice: %s", error)
        if isinstance(error, WireBroken):
            self._lose_wire(error)
        else:
            self._server = None  # ask anew who there is
        self._tell(lambda events: events.failed(notice))

    def _leave(self) -> None:
        if self._wire is not None:
            for number in tuple(self._shown):
                self._close(number)
        if self._wire is not None:
            self._wire.close()
        self._waker.close()

    # Hearing

    def _listen(self) -> None:
        assert self._wire is not None
        try:
            signal = self._wire.next_signal()
        except WireBroken as error:
            self._lose_wire(error)
            return
        if signal is not None:
            self._hear(signal)

    def _hear(self, signal: Message) -> None:
        fields, body = signal.header.fields, signal.body
        name, sender = fields.get(HeaderFields.member), fields.get(HeaderFields.sender)
        if name == "NameOwnerChanged" and sender == "org.freedesktop.DBus":
            if body[0] == NAME and (self._server is None or self._server.owner != body[2]):
                self._lose_server()
            return
        if self._server is None or sender != self._server.owner or not body:
            return  # others may send what looks like it
        number = body[0]
        notice_id = self._shown.get(number)
        if notice_id is None:
            return
        if name == "ActivationToken":
            self._tokens[number] = str(body[1])
        elif name == "ActionInvoked":
            self._act(number, notice_id, str(body[1]))
        elif name == "NotificationClosed":
            self._forget(number, notice_id)

    def _act(self, number: int, notice_id: str, key: str) -> None:
        action = LATER if key == LATER else OPEN
        token = self._tokens.pop(number, "")
        self._tell(lambda events: events.acted(notice_id, action, token))
        self._close(number)  # some servers leave it there

    def _forget(self, number: int, notice_id: str) -> None:
        self._shown.pop(number, None)
        self._tokens.pop(number, None)
        self._tell(lambda events: events.closed(notice_id))

    # Losing

    def _lose_server(self) -> None:
        self._server = None
        for number, notice_id in tuple(self._shown.items()):
            self._forget(number, notice_id)

    def _lose_wire(self, error: Exception) -> None:
        log.info("The session bus is out of reach: %s", error)
        if self._wire is not None:
            self._wire.close()
            self._wire = None
        self._lose_server()


def notify_message(
    notice: Notice, server: Server, before: int = 0, icon: Pixels | None = None
) -> Message:
    """The call that shows ``notice`` in the place of the notice number ``before`` (0: of none), in
    the words and with the buttons that the server can show."""
    title, text = notice.title, notice.text
    if "body" not in server.can:
        title, text = f"{title}. {text}" if text else title, ""
    elif "body-markup" in server.can:
        text = html.escape(text, quote=False)
    actions: list[str] = []
    if "actions" in server.can:
        actions = [_DEFAULT, notice.action, OPEN, notice.action]
        if notice.later and server.name.casefold() not in _WITH_A_WAY_TO_CLOSE:
            actions += [LATER, notice.later]
    hints: dict[str, tuple[str, Any]] = {
        "desktop-entry": ("s", APP),
        "urgency": ("y", _NORMAL),
    }
    if icon is not None:
        stride = 4 * icon.width
        picture = (icon.width, icon.height, stride, True, 8, 4, icon.data)
        hints["image-data"] = ("(iiibiiay)", picture)
    body = ("Daybank", before, APP, title, text, actions, hints, _AS_THE_SERVER_LIKES)
    return _message("Notify", "susssasa{sv}i", body)


def _what_to_hear() -> tuple[MatchRule, ...]:
    owner_changed = MatchRule(
        type="signal",
        sender="org.freedesktop.DBus",
        interface="org.freedesktop.DBus",
        member="NameOwnerChanged",
    )
    owner_changed.add_arg_condition(0, NAME)
    return owner_changed, MatchRule(type="signal", sender=NAME, interface=NAME)


def _message(method: str, signature: str | None = None, body: tuple[Any, ...] = ()) -> Message:
    return new_method_call(_SERVER, method, signature, body)
