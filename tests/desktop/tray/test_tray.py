"""The icon's coming and going, what it says, and what it asks for."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from PySide6.QtWidgets import QSystemTrayIcon
from pytestqt.qtbot import QtBot

from daybank.clock import FixedClock
from daybank_desktop.scheduling.policy import WhyNot
from daybank_desktop.services.schedule import ScheduleState
from daybank_desktop.theme import Theme
from daybank_desktop.tray.menu import Entry
from daybank_desktop.tray.panel import Panel
from daybank_desktop.tray.state import PauseFor, TrayState
from daybank_desktop.tray.tray import Tray

NOW = datetime(2026, 11, 26, 8, 42, tzinfo=ZoneInfo("Europe/Berlin"))
LAST = NOW.replace(hour=3, minute=0)
PLANNED = ScheduleState(LAST, LAST + timedelta(days=1), why_not=WhyNot.NOT_YET)
CLICK = QSystemTrayIcon.ActivationReason.Trigger
MIDDLE = QSystemTrayIcon.ActivationReason.MiddleClick


@dataclass
class Desk:
    """A tray that is there or not, and what Daybank's icon says of it and asks for."""

    theme: Theme
    has_tray: bool = True
    platform: str = "test"
    lost_after_ms: int = 30
    said: list[object] = field(default_factory=list)
    trays: list[Tray] = field(default_factory=list)

    def put(self) -> Tray:
        tray = Tray(
            self.theme,
            FixedClock(NOW),
            is_available=lambda: self.has_tray,
            platform=self.platform,
            environ={},
            look_every_ms=10,
            lost_after_ms=self.lost_after_ms,
        )
        for name in (
            "open",
            "capture",
            "search",
            "review",
            "health",
            "reflect",
            "resume",
            "settings",
            "quit",
        ):
            signal = getattr(tray, f"{name}_requested")
            signal.connect(lambda name=name: self.said.append(name))
        tray.pause_requested.connect(self.said.append)
        tray.availability_changed.connect(self.said.append)
        tray.lost.connect(lambda: self.said.append("lost"))
        self.trays.append(tray)
        return tray


@pytest.fixture
def desk(theme: Theme) -> Iterator[Desk]:
    desk = Desk(theme)
    yield desk
    for tray in desk.trays:
        tray.stop()
        tray.deleteLater()


def test_nothing_shows_before_it_starts(desk: Desk) -> None:
    tray = desk.put()
    tray.set_waiting(3)
    assert not tray.is_available
    assert tray.icon is None
    tray.start()
    assert tray.is_available
    assert tray.icon is not None
    assert tray.icon.isVisible()
    assert tray.icon.toolTip() == "Daybank – 3 suggestions waiting"
    assert desk.said == [True]


def test_it_follows_the_tray_while_it_runs(desk: Desk, qtbot: QtBot) -> None:
    desk.has_tray = False
    tray = desk.put()
    tray.set_waiting(1)
    tray.start()
    assert (desk.said, tray.is_available) == ([], False)
    desk.has_tray = True
    qtbot.waitUntil(lambda: desk.said == [True])
    assert tray.icon is not None
    assert tray.icon.toolTip() == "Daybank – 1 suggestion waiting"
    desk.has_tray = False
    qtbot.waitUntil(lambda: desk.said == [True, False, "lost"])
    assert (tray.icon, tray.menu) == (None, None)
    desk.has_tray = True
    qtbot.waitUntil(lambda: desk.said == [True, False, "lost", True])


def test_a_tray_that_comes_back_soon_was_not_lost(desk: Desk, qtbot: QtBot) -> None:
    desk.lost_after_ms = 400
    tray = desk.put()
    tray.start()
    desk.has_tray = False
    qtbot.waitUntil(lambda: not tray.is_available)
    desk.has_tray = True
    qtbot.waitUntil(lambda: tray.is_available)
    qtbot.wait(500)
    assert desk.said == [True, False, True]


def test_where_there_never_was_a_tray_none_is_lost(desk: Desk, qtbot: QtBot) -> None:
    desk.has_tray = False
    desk.put().start()
    qtbot.wait(100)
    assert desk.said == []


def test_stopped_it_is_gone_for_good(desk: Desk, qtbot: QtBot) -> None:
    tray = desk.put()
    tray.start()
    tray.stop()
    assert not tray.is_available
    qtbot.wait(50)
    assert desk.said == [True], "it was taken away, not lost"


def test_its_state_follows_what_is_told(desk: Desk) -> None:
    tray = desk.put()
    tray.start()
    assert tray.icon is not None
    pictures = {tray.icon.icon().cacheKey()}
    assert tray.state is TrayState.RESTING

    def becomes(state: TrayState, tooltip: str) -> None:
        assert tray.icon is not None
        assert (tray.state, tray.icon.toolTip()) == (state, tooltip)
        pictures.add(tray.icon.icon().cacheKey())

    tray.show_schedule(ScheduleState(LAST, None, True, None, False, WhyNot.PAUSED))
    becomes(TrayState.PAUSED, "Daybank – reflection paused until you resume")
    tray.set_waiting(2)
    becomes(TrayState.WAITING, "Daybank – 2 suggestions waiting")
    tray.set_working(True, "reading new notes")
    becomes(TrayState.WORKING, "Daybank – 2 suggestions waiting; reading new notes")
    tray.set_attention("The disk is full")
    becomes(TrayState.ATTENTION, "Daybank – 2 suggestions waiting; needs you: The disk is full")
    assert len(pictures) == 5
    tray.set_attention("")
    tray.set_working(False)
    tray.show_schedule(ScheduleState(LAST, None, running=True, why_not=WhyNot.RUNNING))
    becomes(TrayState.WORKING, "Daybank – 2 suggestions waiting; reflecting")
    tray.show_schedule(PLANNED)
    tray.set_waiting(0)
    becomes(TrayState.RESTING, "Daybank – nothing to do")


def test_the_same_picture_is_not_drawn_again(desk: Desk) -> None:
    tray = desk.put()
    tray.start()
    tray.set_waiting(2)
    assert tray.icon is not None
    key = tray.icon.icon().cacheKey()
    tray.set_waiting(3)
    tray.look()
    assert tray.icon.icon().cacheKey() == key
    tray.set_panel(Panel.DARK)
    assert tray.icon.icon().cacheKey() != key


def test_a_click_opens_and_in_need_leads_to_health(desk: Desk) -> None:
    tray = desk.put()
    tray.start()
    assert tray.icon is not None
    tray.icon.activated.emit(CLICK)
    tray.set_attention("The disk is full")
    tray.icon.activated.emit(CLICK)
    assert desk.said == [True, "open", "health"]


@pytest.mark.parametrize(
    ("platform", "reason", "expected"),
    [
        ("linux", MIDDLE, ["capture"]),
        ("win32", CLICK, ["open"]),
        ("win32", MIDDLE, []),
        ("win32", QSystemTrayIcon.ActivationReason.DoubleClick, []),
        ("darwin", CLICK, []),
        ("linux", QSystemTrayIcon.ActivationReason.Context, []),
    ],
)
def test_clicks_as_on_each_system(
    desk: Desk, platform: str, reason: QSystemTrayIcon.ActivationReason, expected: list[str]
) -> None:
    tray = desk.put()
    tray.start()
    tray._platform = platform
    assert tray.icon is not None
    tray.icon.activated.emit(reason)
    assert desk.said == [True, *expected]


def test_the_menu_asks_for_everything(desk: Desk) -> None:
    tray = desk.put()
    tray.show_schedule(PLANNED)
    tray.set_last_result(3)
    tray.start()
    assert tray.menu is not None
    assert "Last: today 03:00, 3 suggestions" in [a.text() for a in tray.menu.actions()]
    for entry in Entry:
        tray.menu.entry(entry).trigger()
    for length in PauseFor:
        tray.menu.pause_entry(length).trigger()
    assert desk.said[1:] == [
        "health",
        "open",
        "capture",
        "search",
        "review",
        "reflect",
        "resume",
        "settings",
        "quit",
        *PauseFor,
    ]


def test_a_theme_that_changes_redraws_it(desk: Desk, theme: Theme) -> None:
    tray = desk.put()
    tray.start()
    assert tray.icon is not None
    key = tray.icon.icon().cacheKey()
    theme.set_mode("dark")
    assert tray.icon.icon().cacheKey() != key
