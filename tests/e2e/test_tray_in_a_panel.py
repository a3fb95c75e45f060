"""The icon in real trays: one of the older kind (XEmbed) on a virtual screen, and one of the newer
kind (StatusNotifier) on a D-Bus session of its own. They are clicked, go away and come back."""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from jeepney.io.blocking import open_dbus_connection
from screen_tools import Screen, wait_for
from tray_tools import IconOnBus, StatusNotifierHost, TrayApp, private_bus, tray_app, trayer

pytestmark = pytest.mark.alone

NO_BUS = {"DBUS_SESSION_BUS_ADDRESS": "disabled:"}


def need(*tools: str) -> None:
    missing = [name for name in tools if shutil.which(name) is None]
    if missing:
        assert "CI" not in os.environ, f"CI must have {', '.join(missing)}"
        pytest.skip(f"not installed: {', '.join(missing)}")


# The older kind


@pytest.fixture
def panel_app(screen: Screen, tmp_path: Path) -> Iterator[TrayApp]:
    """The icon, in no tray yet; there is no D-Bus."""
    need("trayer")
    with tray_app(screen, tmp_path / "said.txt", **NO_BUS) as app:
        yield app


def icon_window(screen: Screen) -> tuple[int, int]:
    """The middle of the icon in the panel, once the panel shows it."""

    def look() -> str:
        for window in screen.xdotool("search", "--onlyvisible", "--name", ".*").split():
            if screen.xdotool("getwindowname", window) != "tray_app.py":
                continue
            shape = dict(
                line.split("=", 1)
                for line in screen.xdotool("getwindowgeometry", "--shell", window).splitlines()
            )
            x, y = int(shape["X"]), int(shape["Y"])
            width, height = int(shape["WIDTH"]), int(shape["HEIGHT"])
            if y >= 768 - 40 and width >= 16 and height >= 16:
                return f"{x + width // 2} {y + height // 2}"
        return ""

    x, y = wait_for(look, f"the icon in the panel; {screen.log()}", 30).split()
    return int(x), int(y)


def press(screen: Screen, button: int) -> None:
    x, y = icon_window(screen)
    screen.xdotool("mousemove", str(x), str(y), "click", str(button))


def test_a_panel_comes_goes_and_comes_back(screen: Screen, panel_app: TrayApp) -> None:
    assert "availability_changed True" not in panel_app.said, "there is no tray yet"
    with trayer(screen) as panel:
        panel_app.wait_for("availability_changed True")
        icon_window(screen)
        panel.kill()
        panel.wait(5)
        panel_app.wait_for("availability_changed False")
        panel_app.wait_for("lost")
    with trayer(screen):
        panel_app.wait_for("availability_changed True", times=2)
        icon_window(screen)
        press(screen, 1)
        panel_app.wait_for("open_requested")


def test_a_panel_that_is_only_restarted_does_not_call_the_window_back(
    screen: Screen, panel_app: TrayApp
) -> None:
    with trayer(screen) as panel:
        panel_app.wait_for("availability_changed True")
        panel.kill()
        panel.wait(5)
        panel_app.wait_for("availability_changed False")
    with trayer(screen):
        panel_app.wait_for("availability_changed True", times=2)
        time.sleep(2)  # longer than it would have waited
        assert "lost" not in panel_app.said


def test_the_mouse_opens_writes_down_and_chooses_from_the_menu(
    screen: Screen, panel_app: TrayApp
) -> None:
    with trayer(screen):
        panel_app.wait_for("availability_changed True")
        press(screen, 1)
        panel_app.wait_for("open_requested")
        press(screen, 2)
        panel_app.wait_for("capture_requested")
        panel_app.tell('set_attention "Two versions of 21 November"')
        press(screen, 1)
        panel_app.wait_for("health_requested")
        panel_app.tell('set_attention ""')
        panel_app.tell("set_waiting 3")

        def choose() -> str:
            """The fourth entry, by the keys: Open, Write it down, Search, Review."""
            press(screen, 3)
            time.sleep(0.5)
            screen.key("Down", "Down", "Down", "Down", "Return")
            time.sleep(0.3)
            screen.key("Escape")
            return "chosen" if "review_requested" in panel_app.said else ""

        wait_for(choose, f"Review to be chosen; {panel_app.said}", 30)
        assert panel_app.said.count("open_requested") == 1


# The newer kind


@pytest.fixture
def bus_address() -> Iterator[str]:
    need("dbus-daemon")
    with private_bus() as address:
        yield address


@pytest.fixture
def host(bus_address: str) -> Iterator[StatusNotifierHost]:
    with StatusNotifierHost(bus_address) as host:
        yield host


@pytest.fixture
def bus_app(screen: Screen, tmp_path: Path, host: StatusNotifierHost) -> Iterator[TrayApp]:
    said = tmp_path / "said.txt"
    with tray_app(screen, said, DBUS_SESSION_BUS_ADDRESS=host.address) as app:
        yield app


@pytest.fixture
def icon(bus_app: TrayApp, host: StatusNotifierHost) -> Iterator[IconOnBus]:
    name = wait_for(lambda: host.icons[0] if host.icons else "", "the icon", 30)
    with open_dbus_connection(host.address) as bus:
        yield IconOnBus(bus, name)


def test_every_state_has_a_picture_of_its_own_and_words(bus_app: TrayApp, icon: IconOnBus) -> None:
    told = (
        ("", "Daybank – nothing to do"),
        ("paused", "Daybank – reflection paused until 09:42"),
        ("set_waiting 3", "Daybank – 3 suggestions waiting"),
        ("running", "Daybank – 3 suggestions waiting; reflecting"),
        (
            'set_attention "Two versions of 21 November"',
            "Daybank – 3 suggestions waiting; needs you: Two versions of 21 November",
        ),
    )
    pictures = set()
    for line, words in told:
        if line:
            bus_app.tell(line)
        wait_for(lambda words=words: words if icon.tooltip == words else "", words, 10)
        pictures.add(icon.pictures[22])
    assert len(pictures) == len(told)
    assert {16, 22, 24} <= set(icon.pictures)


def test_the_panels_own_menu_has_every_entry_and_each_does_what_it_says(
    bus_app: TrayApp, icon: IconOnBus
) -> None:
    bus_app.tell("set_waiting 3")
    wait_for(lambda: "there" if "Review (3)" in icon.entries() else "", "Review (3)", 10)
    assert list(icon.entries()) == [
        "Open Daybank",
        "Write it down…",
        "Search…",
        "Review (3)",
        "Reflect now",
        "Pause reflection",
        "For 1 hour, until 09:42",
        "Until tomorrow, 08:00",
        "Until I resume",
        "Last: today 03:00, 3 suggestions",
        "Next: tomorrow 03:00",
        "Settings…",
        "Quit Daybank",
    ]
    assert not icon.entries()["Next: tomorrow 03:00"][1], "it is there to be read"
    assert icon.has_icon("Open Daybank")
    for words, said in (
        ("Open Daybank", "open_requested"),
        ("Write it down…", "capture_requested"),
        ("Search…", "search_requested"),
        ("Review (3)", "review_requested"),
        ("Reflect now", "reflect_requested"),
        ("For 1 hour, until 09:42", "pause_requested one hour"),
        ("Until tomorrow, 08:00", "pause_requested until tomorrow"),
        ("Until I resume", "pause_requested until resumed"),
        ("Settings…", "settings_requested"),
        ("Quit Daybank", "quit_requested"),
    ):
        icon.choose(words)
        bus_app.wait_for(said)
    bus_app.tell("paused")
    wait_for(lambda: "there" if "Resume reflection" in icon.entries() else "", "Resume", 10)
    assert "Pause reflection" not in icon.entries()
    assert "Paused until 09:42" in icon.entries()
    icon.choose("Resume reflection")
    bus_app.wait_for("resume_requested")
    asked = [line for line in bus_app.said if "requested" in line]
    assert len(asked) == 11, "each was asked for once"


def test_clicks_in_a_panel_of_the_newer_kind(bus_app: TrayApp, icon: IconOnBus) -> None:
    icon.click()
    bus_app.wait_for("open_requested")
    icon.click_middle()
    bus_app.wait_for("capture_requested")
    bus_app.tell('set_attention "The disk is full"')
    icon.click()
    bus_app.wait_for("health_requested")
    assert bus_app.said.count("open_requested") == 1


def test_the_panel_goes_and_comes_back_and_the_icon_with_it(
    bus_app: TrayApp, host: StatusNotifierHost, icon: IconOnBus
) -> None:
    bus_app.wait_for("availability_changed True")
    host.disappear()
    bus_app.wait_for("availability_changed False", seconds=5)
    bus_app.wait_for("lost")
    host.appear()
    bus_app.wait_for("availability_changed True", times=2)
    again = wait_for(lambda: host.icons[0] if host.icons else "", "the icon again", 10)
    IconOnBus(icon.bus, again).click()
    bus_app.wait_for("open_requested")


def test_a_panel_that_comes_after_us_at_login_is_found(
    screen: Screen, tmp_path: Path, bus_address: str
) -> None:
    with tray_app(screen, tmp_path / "said.txt", DBUS_SESSION_BUS_ADDRESS=bus_address) as app:
        assert "availability_changed True" not in app.said
        with StatusNotifierHost(bus_address) as host:
            app.wait_for("availability_changed True", seconds=10)
            wait_for(lambda: host.icons[0] if host.icons else "", "the icon", 10)
