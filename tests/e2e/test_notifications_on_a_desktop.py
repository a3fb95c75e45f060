"""Notices on a real desktop: a notification server, a mouse, and what comes of a click."""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
from pathlib import Path

import pytest
from notification_tools import (
    NotifyingApp,
    bus_without_services,
    dunst,
    notices_closed_by_dunst,
    notifying_app,
    server,
)
from screen_tools import Screen, wait_for
from tray_tools import trayer

pytestmark = pytest.mark.alone

NOTIFICATION_DAEMONS = (
    "/usr/lib/notification-daemon/notification-daemon",
    "/usr/libexec/notification-daemon",
)
NO_BUS = "disabled:"
PAGES = ("memory.md", "bank/entities/Mara.md", "memory/knowledge/Opening on Mondays.md")
WAITING = (
    "3 suggestions are waiting",
    "For Core, Mara and “Opening on Mondays”. Nothing changes until you look.",
)


def need(*tools: str) -> None:
    missing = [tool for tool in tools if shutil.which(tool) is None]
    if missing:
        assert "CI" not in os.environ, f"CI must have {', '.join(missing)}"
        pytest.skip(f"not installed: {', '.join(missing)}")


def notice_on(screen: Screen, *of: str) -> list[int]:
    """Left, top, width and height of the one small window of that kind, once it is there."""

    def look() -> str:
        found = screen.xdotool("search", "--onlyvisible", *of).split()
        for window in found:
            said = screen.xdotool("getwindowgeometry", "--shell", window)
            place = dict(line.split("=") for line in said.splitlines())
            width, height = int(place["WIDTH"]), int(place["HEIGHT"])
            if 150 < width < 700 and 40 < height < 400:
                return f"{place['X']} {place['Y']} {width} {height}"
        return ""

    return [int(number) for number in wait_for(look, f"a notice ({of})", 20).split()]


def is_gone(screen: Screen, *of: str) -> None:
    wait_for(
        lambda: "" if screen.xdotool("search", "--onlyvisible", *of) else "gone",
        "a screen without a notice",
        20,
    )


def click_on_notice(screen: Screen, app: NotifyingApp, opens: str) -> None:
    """In its middle, again where the virtual screen has lost the click."""

    def look() -> str:
        left, top, width, height = notice_on(screen, "--class", "Dunst")
        screen.xdotool("mousemove", "5", "5")  # it waits for ever to come to where it is
        screen.click((left + width // 2, top + height // 2))
        with contextlib.suppress(AssertionError):
            app.wait_for(opens, seconds=3)
            return opens
        return ""

    wait_for(look, f"{opens} after a click", 40)


def picture(screen: Screen, name: str) -> None:
    """Kept beside the test's other files, to be looked at."""
    if shutil.which("import"):
        subprocess.run(
            ["import", "-window", "root", str(screen.home / name)],
            env=screen.environment,
            check=True,
            timeout=30,
        )


def test_a_notice_is_clicked_and_not_shown_again(screen: Screen, tmp_path: Path) -> None:
    need("dunst", "dbus-daemon")
    with bus_without_services(tmp_path) as bus, dunst(screen, bus):
        with notifying_app(screen, bus) as app:
            app.tell("suggest", *PAGES)
            notice_on(screen, "--class", "Dunst")
            picture(screen, "notice.png")
            click_on_notice(screen, app, "opened review")
            is_gone(screen, "--class", "Dunst")
            assert notices_closed_by_dunst(bus) == [WAITING]
            app.tell("suggest", *PAGES)
            app.tell("copy", "memory/2026-11-21 (conflicted copy 2026-11-22).md")
            click_on_notice(screen, app, "opened health")
            app.end()
        with notifying_app(screen, bus) as again:
            again.tell("suggest", *PAGES)
            again.tell("copy", "bank/opinions (conflicted copy 2026-11-22).md")
            notice_on(screen, "--class", "Dunst")
            again.end()
        is_gone(screen, "--class", "Dunst")
        titles = [title for title, _ in notices_closed_by_dunst(bus)]
        assert titles.count(WAITING[0]) == 1
        assert sorted(titles)[1:] == ["Two versions of 21 November", "Two versions of Opinions"]


def test_an_answer_takes_the_notice_off_the_screen(screen: Screen, tmp_path: Path) -> None:
    need("dunst", "dbus-daemon")
    with bus_without_services(tmp_path) as bus, dunst(screen, bus):
        with notifying_app(screen, bus) as app:
            app.tell("suggest", *PAGES)
            notice_on(screen, "--class", "Dunst")
            app.tell("answered")
            is_gone(screen, "--class", "Dunst")
            app.end()
        assert "opened review" not in app.said


def test_a_server_that_is_killed_is_done_without_until_there_is_one_again(
    screen: Screen, tmp_path: Path
) -> None:
    need("dunst", "dbus-daemon")
    with bus_without_services(tmp_path) as bus, notifying_app(screen, bus) as app:
        with dunst(screen, bus) as process:
            app.tell("suggest", "memory.md")
            notice_on(screen, "--class", "Dunst")
            process.kill()
            process.wait(5)
        app.tell("suggest", "memory.md", "bank/world.md")
        app.wait_for("in window 2 suggestions are waiting")
        with dunst(screen, bus):
            app.tell("suggest", *PAGES)
            click_on_notice(screen, app, "opened review")
        app.end()
        assert app.said.count("in window 2 suggestions are waiting") == 1


def test_the_button_in_a_notice_opens_the_page(screen: Screen, tmp_path: Path) -> None:
    need("dbus-daemon")
    daemon = next((path for path in NOTIFICATION_DAEMONS if Path(path).exists()), None)
    if daemon is None:
        pytest.skip("not installed: notification-daemon")
    with (
        bus_without_services(tmp_path) as bus,
        server(screen, bus, daemon),
        notifying_app(screen, bus) as app,
    ):
        app.tell("suggest", *PAGES)
        left, top, width, height = notice_on(screen, "--class", "notification-daemon")
        picture(screen, "notice-with-button.png")
        screen.click((left + width - 84, top + height - 38))
        app.wait_for("opened review")
        app.end()


def test_without_a_server_the_icon_in_the_tray_tells(screen: Screen, tmp_path: Path) -> None:
    need("trayer")
    with trayer(screen), notifying_app(screen, NO_BUS) as app:
        app.tell("suggest", *PAGES)
        left, top, width, height = notice_on(screen, "--pid", str(app.process.pid), "--name", "")
        picture(screen, "balloon.png")
        screen.click((left + width // 2, top + height - 20))
        app.wait_for("opened review")
        app.end()


def test_with_nothing_at_all_it_is_told_in_the_window(screen: Screen) -> None:
    with notifying_app(screen, NO_BUS) as app:
        app.tell("suggest", *PAGES)
        app.wait_for("in window 3 suggestions are waiting")
        app.end()
