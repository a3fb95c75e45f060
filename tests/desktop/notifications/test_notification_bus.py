"""Notices over a real bus, with notification servers of many manners."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable, Iterator

import pytest
from PySide6.QtGui import QIcon
from pytestqt.qtbot import QtBot

from daybank_desktop.resources import resource_path
from daybank_desktop.tasks import Tasks

if not sys.platform.startswith("linux"):
    pytest.skip("notification servers are of Linux desktops", allow_module_level=True)

from jeepney.io.threading import open_dbus_connection
from notification_bus import Server, say, session_bus

from daybank_desktop.notifications import bus_talk
from daybank_desktop.notifications.backend import LATER, OPEN, Events, Notice
from daybank_desktop.notifications.freedesktop import FreedesktopBackend
from daybank_desktop.notifications.picture import SIDE, pixels_of

WAITING = Notice(
    "suggestions",
    "review",
    "3 suggestions are waiting",
    "For <b>Core</b> & Mara.",
    "Review",
    "Later",
)
COPIES = Notice("health conflict-copies", "health", "Two versions", "Choose one.", "Compare")


class Desk:
    """A backend, and what it has told."""

    def __init__(self, qtbot: QtBot) -> None:
        self.qtbot = qtbot
        self.tasks = Tasks()
        icon = QIcon(str(resource_path("icons/daybank.svg")))
        self.backend = FreedesktopBackend(self.tasks.post, lambda: pixels_of(icon))
        self.acted: list[tuple[str, str, str]] = []
        self.closed: list[str] = []
        self.failed: list[Notice] = []
        self.backend.start(
            Events(lambda *what: self.acted.append(what), self.closed.append, self.failed.append)
        )

    def until(self, look: Callable[[], object], within: float = 10) -> None:
        self.qtbot.waitUntil(lambda: bool(look()), timeout=int(within * 1000))


@pytest.fixture
def desk(qtbot: QtBot) -> Iterator[Desk]:
    desk = Desk(qtbot)
    yield desk
    began = time.monotonic()
    assert desk.backend.stop()
    assert time.monotonic() - began < 0.3
    desk.tasks.shutdown()


@pytest.fixture
def bus() -> Iterator[None]:
    with session_bus():
        yield


@pytest.mark.usefixtures("bus")
def test_a_notice_arrives_as_it_should(desk: Desk) -> None:
    with Server() as server:
        desk.backend.show(WAITING)
        desk.until(lambda: server.notices)
        app, before, icon, title, text, actions, hints, expires = server.notices[0]
        assert (app, before, icon, expires) == ("Daybank", 0, "daybank", -1)
        assert title == "3 suggestions are waiting"
        assert text == "For &lt;b&gt;Core&lt;/b&gt; &amp; Mara."
        assert actions == ["default", "Review", "open", "Review"]
        assert hints["desktop-entry"] == ("s", "daybank")
        assert hints["urgency"] == ("y", 1)
        width, height, stride, has_alpha, bits, channels, data = hints["image-data"][1]
        assert (width, height, stride, has_alpha, bits, channels) == (SIDE, SIDE, 256, True, 8, 4)
        middle = bytes(data)[4 * (SIDE * 8 + SIDE // 2) :][:4]
        assert middle == bytes((0x2F, 0x5D, 0xB0, 0xFF)), "blue and opaque"


@pytest.mark.usefixtures("bus")
@pytest.mark.parametrize(
    ("name", "can", "title", "text", "actions"),
    [
        ("plain", ("body",), "Two versions", "Choose one.", []),
        ("bare", (), "Two versions. Choose one.", "", []),
        (
            "dunst",
            ("actions", "body", "body-markup"),
            "Two versions",
            "Choose one.",
            ["default", "Compare", "open", "Compare"],
        ),
    ],
)
def test_a_server_gets_what_it_can_show(
    desk: Desk, name: str, can: tuple[str, ...], title: str, text: str, actions: list[str]
) -> None:
    with Server(name, can) as server:
        desk.backend.show(COPIES)
        desk.until(lambda: server.notices)
        assert server.notices[0][3:6] == (title, text, actions)


@pytest.mark.usefixtures("bus")
def test_markup_is_left_alone_where_it_means_nothing_and_later_is_offered_where_it_is_needed(
    desk: Desk,
) -> None:
    with Server("unheard-of", ("actions", "body")) as server:
        desk.backend.show(WAITING)
        desk.until(lambda: server.notices)
        assert server.notices[0][4] == "For <b>Core</b> & Mara."
        assert server.notices[0][5][-2:] == ["later", "Later"]
        server.say("ActionInvoked", "us", (1, "later"))
        desk.until(lambda: desk.closed)
        assert desk.acted == [("suggestions", LATER, "")]


@pytest.mark.usefixtures("bus")
@pytest.mark.parametrize("key", ["default", "open"])
def test_a_click_is_told_with_the_right_to_raise_a_window(desk: Desk, key: str) -> None:
    with Server() as server:
        desk.backend.show(COPIES)
        desk.backend.show(WAITING)
        desk.until(lambda: len(server.notices) == 2)
        server.say("ActivationToken", "us", (2, "token-7"))
        server.say("ActionInvoked", "us", (2, key))
        desk.until(lambda: desk.closed)
        assert desk.acted == [("suggestions", OPEN, "token-7")]
        assert desk.closed == ["suggestions"]
        assert server.closed == [2]


@pytest.mark.usefixtures("bus")
def test_signals_about_others_and_from_others_mean_nothing(desk: Desk) -> None:
    with Server() as server, open_dbus_connection() as stranger:
        desk.backend.show(WAITING)
        desk.until(lambda: server.notices)
        say(stranger, "ActionInvoked", "us", (1, "open"))
        server.say("ActionInvoked", "us", (99, "open"))
        server.say("NotificationClosed", "uu", (1, 2))
        desk.until(lambda: desk.closed)
        assert desk.acted == []


@pytest.mark.usefixtures("bus")
def test_a_newer_notice_takes_the_place_of_the_older(desk: Desk) -> None:
    with Server() as server:
        desk.backend.show(WAITING)
        desk.backend.show(COPIES)
        desk.backend.show(WAITING)
        desk.until(lambda: len(server.notices) == 3)
        assert [notice[1] for notice in server.notices] == [0, 0, 1]
        desk.backend.withdraw("suggestions")
        desk.until(lambda: server.closed)
        assert server.closed == [1]


@pytest.mark.usefixtures("bus")
def test_without_a_server_it_fails_at_once_and_works_when_one_is_there(desk: Desk) -> None:
    desk.backend.show(WAITING)
    desk.until(lambda: desk.failed, 3)
    assert desk.failed == [WAITING]
    with Server() as server:
        desk.backend.show(COPIES)
        desk.until(lambda: server.notices)
    assert desk.failed == [WAITING]


def test_without_a_bus_it_fails_at_once(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    for address in ("disabled:", "unix:path=/nowhere/bus", "tcp:host=localhost", "nonsense", ""):
        monkeypatch.setenv("DBUS_SESSION_BUS_ADDRESS", address)
        monkeypatch.setenv("XDG_RUNTIME_DIR", "/nowhere")
        desk.failed.clear()
        desk.backend.show(WAITING)
        desk.until(lambda: desk.failed, 3)


@pytest.mark.usefixtures("bus")
def test_a_server_that_dies_takes_its_notices_along_and_the_next_one_starts_anew(
    desk: Desk,
) -> None:
    with Server() as server:
        desk.backend.show(WAITING)
        desk.until(lambda: server.notices)
    desk.until(lambda: desk.closed)
    assert desk.closed == ["suggestions"]
    with Server("other", ("body",)) as other:
        desk.backend.show(WAITING)
        desk.until(lambda: other.notices)
        assert other.notices[0][1] == 0, "numbers of the dead mean nothing to the living"
        assert other.notices[0][5] == []


def test_a_bus_that_is_started_anew_is_found_again(desk: Desk) -> None:
    with session_bus(), Server() as server:
        desk.backend.show(WAITING)
        desk.until(lambda: server.notices)
    desk.until(lambda: desk.closed)
    with session_bus(), Server() as server:
        desk.backend.show(WAITING)
        desk.until(lambda: server.notices)
    assert desk.failed == []


@pytest.mark.usefixtures("bus")
def test_a_server_that_hangs_is_given_up_and_its_late_answer_taken_back(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bus_talk, "ANSWER_WITHIN", 0.3)
    with Server(silent="Notify") as server:
        desk.backend.show(WAITING)
        desk.until(lambda: desk.failed)
        server.answer_late()
        desk.until(lambda: server.closed)
        assert server.closed == [1]


@pytest.mark.usefixtures("bus")
@pytest.mark.parametrize("silent", ["GetServerInformation", "Notify"])
def test_quitting_waits_for_no_server_that_hangs(desk: Desk, silent: str) -> None:
    with Server(silent=silent) as server:
        desk.backend.show(WAITING)
        desk.until(lambda: server.unanswered)
        began = time.monotonic()
        assert desk.backend.stop()
        assert time.monotonic() - began < 0.3
        assert "daybank-notifications" not in [t.name for t in threading.enumerate()]


@pytest.mark.usefixtures("bus")
def test_quitting_takes_off_what_nobody_would_answer(desk: Desk) -> None:
    with Server() as server:
        desk.backend.show(WAITING)
        desk.until(lambda: server.notices)
        assert desk.backend.stop()
        desk.until(lambda: server.closed)
        assert desk.closed == []
        desk.backend.show(COPIES)
        assert len(server.notices) == 1


def test_a_bug_on_the_other_thread_is_logged_and_the_next_notice_goes_another_way(
    desk: Desk, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def stumble(talk: object, command: object) -> None:
        raise RuntimeError("a bug")

    monkeypatch.setattr(bus_talk.BusTalk, "_show", stumble)
    desk.backend.show(WAITING)
    names = ["daybank-notifications"]
    desk.until(lambda: not [t for t in threading.enumerate() if t.name in names])
    assert "a bug" in caplog.text
    desk.backend.show(COPIES)
    assert desk.failed == [COPIES]
