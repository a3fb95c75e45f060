"""The heartbeat itself, the clocks it compares, and what it reads of the power and the zone."""

from __future__ import annotations

import threading
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit
from pytestqt.qtbot import QtBot

from daybank.clock import SystemClock
from daybank_desktop.scheduling import power, zone
from daybank_desktop.scheduling.activity import Activity
from daybank_desktop.scheduling.rhythm import QuickPace
from daybank_desktop.scheduling.scheduler import Beat, Gaps, Scheduler

START = datetime(2026, 11, 27, 12, 0, tzinfo=UTC)


def scheduler(on_beat: object, **more: object) -> Scheduler:
    more.setdefault("zone", lambda: UTC)
    more.setdefault("battery", lambda: False)
    more.setdefault("period", 0.02)
    return Scheduler(on_beat, SystemClock(UTC), **more)  # type: ignore[arg-type]


def test_it_beats_at_once_and_then_again_and_again() -> None:
    beats: list[Beat] = []
    enough = threading.Event()

    def beat(seen: Beat) -> None:
        beats.append(seen)
        if len(beats) == 3:
            enough.set()

    heart = scheduler(beat)
    heart.start()
    heart.start()  # the second time does nothing
    assert enough.wait(5)
    assert heart.stop()
    count = len(beats)
    time.sleep(0.1)
    assert len(beats) == count
    assert not any(beat.slept or beat.set_back for beat in beats)


def test_stopped_before_it_started_it_never_starts() -> None:
    beats: list[Beat] = []
    heart = scheduler(beats.append)
    assert heart.stop()
    heart.start()
    time.sleep(0.05)
    assert beats == []


def test_a_look_that_hangs_does_not_hold_up_the_end() -> None:
    hangs, go_on = threading.Event(), threading.Event()

    def battery() -> bool:
        hangs.set()
        go_on.wait(10)
        return False

    beats: list[Beat] = []
    heart = scheduler(beats.append, battery=battery)
    heart.start()
    assert hangs.wait(5)
    started = time.monotonic()
    assert not heart.stop(0.3)
    assert time.monotonic() - started < 1.0
    go_on.set()
    assert heart.stop()
    assert beats == []


def test_a_fault_in_one_beat_does_not_end_the_others(caplog: pytest.LogCaptureFixture) -> None:
    times: list[float] = []
    enough = threading.Event()

    def battery() -> bool:
        times.append(time.monotonic())
        if len(times) == 1:
            raise RuntimeError("a fault")
        enough.set()
        return False

    heart = scheduler(lambda beat: None, battery=battery)
    heart.start()
    assert enough.wait(5)
    assert heart.stop()
    assert "a fault" in caplog.text


def test_a_clock_that_is_set_back_does_not_stop_the_beats(monkeypatch: pytest.MonkeyPatch) -> None:
    from apscheduler.schedulers import base

    class Moved(datetime):
        shift = timedelta(0)

        @classmethod
        def now(cls, tz: object = None) -> datetime:  # type: ignore[override]
            return datetime.now(tz) + cls.shift  # type: ignore[arg-type]

    monkeypatch.setattr(base, "datetime", Moved)
    monkeypatch.setattr("daybank_desktop.scheduling.scheduler.datetime", Moved)
    beats: list[float] = []
    heart = scheduler(lambda beat: beats.append(time.monotonic()))
    heart.start()
    for shift in (timedelta(hours=-5), timedelta(days=400), timedelta(0)):
        Moved.shift = shift
        count, deadline = len(beats), time.monotonic() + 3
        while len(beats) < count + 3:
            assert time.monotonic() < deadline, f"no beat after the clock moved by {shift}"
            time.sleep(0.01)
        recent = len(beats)
        time.sleep(0.2)
        assert len(beats) - recent < 15  # nor a flood
    assert heart.stop()


@pytest.mark.parametrize(
    ("wall", "uptime", "expected"),
    [
        (60, 60, (False, False)),
        (119, 119, (False, False)),  # one beat came late
        (3600, 60, (True, False)),  # it slept, and the other clock stood still
        (3600, 3600, (True, False)),  # it slept, and the other clock went on
        (-3600, 60, (False, True)),
        (-3600, 7200, (True, True)),
        (59.5, 60, (False, False)),
    ],
)
def test_missing_time_is_seen_by_either_clock(
    wall: float, uptime: float, expected: tuple[bool, bool]
) -> None:
    gaps = Gaps()
    assert gaps.seen(START, 100.0) == (False, False)
    assert gaps.seen(START + timedelta(seconds=wall), 100.0 + uptime) == expected


def test_the_pace_of_quick_looks_stays_between_its_bounds() -> None:
    pace = QuickPace()
    for _ in range(20):
        pace = pace.after_news()
    assert pace.seconds == 60
    for _ in range(20):
        pace = pace.after_error()
    assert pace.seconds == 1800
    for _ in range(20):
        pace = pace.after_nothing()
    assert pace.seconds == 3600
    assert pace.after_error().seconds == 3600


# Power


def supply(root: Path, name: str, **files: str) -> None:
    (root / name).mkdir()
    for file, text in files.items():
        (root / name / file).write_text(f"{text}\n")


@pytest.mark.parametrize(
    ("supplies", "expected"),
    [
        ({}, False),
        ({"AC": {"type": "Mains", "online": "1"}}, False),
        ({"BAT0": {"type": "Battery", "status": "Discharging"}}, True),
        (
            {
                "AC": {"type": "Mains", "online": "0"},
                "BAT0": {"type": "Battery", "status": "Discharging"},
            },
            True,
        ),
        (
            {
                "AC": {"type": "Mains", "online": "0"},
                "BAT0": {"type": "Battery", "status": "Discharging"},
                "ucsi": {"type": "USB", "online": "1"},
            },
            False,
        ),
        ({"BAT0": {"type": "Battery", "status": "Full"}}, False),
        ({"BAT0": {"type": "Battery"}}, False),
        ({"mouse": {"type": "Battery", "status": "Discharging", "scope": "Device"}}, False),
    ],
)
def test_whether_linux_runs_on_its_battery(
    tmp_path: Path, supplies: dict[str, dict[str, str]], expected: bool
) -> None:
    for name, files in supplies.items():
        supply(tmp_path, name, **files)
    assert power.linux_on_battery(tmp_path) is expected


def test_without_power_supplies_it_runs_on_mains(tmp_path: Path) -> None:
    assert power.linux_on_battery(tmp_path / "none") is False
    assert power.on_battery() in (True, False)


def test_what_a_mac_says_of_its_power() -> None:
    assert power.mac_says_battery("Now drawing from 'Battery Power'\n -InternalBattery-0 81%")
    assert not power.mac_says_battery("Now drawing from 'AC Power'\n 'Battery Power' 81%")
    assert not power.mac_says_battery("")


# Zone


def test_the_zone_has_its_name_and_follows_a_change(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TZ", "Asia/Manila")
    assert zone.local_zone() == ZoneInfo("Asia/Manila")
    monkeypatch.setenv("TZ", "America/New_York")
    assert zone.local_zone() == ZoneInfo("America/New_York")


def test_a_zone_without_a_name_gives_the_offset_of_now(monkeypatch: pytest.MonkeyPatch) -> None:
    def unknown() -> None:
        raise LookupError("no such zone")

    monkeypatch.setattr("tzlocal.reload_localzone", unknown)
    assert datetime.now(zone.local_zone()).utcoffset() == datetime.now().astimezone().utcoffset()


# Somebody is here


def test_keys_and_clicks_in_the_window_end_the_quiet(qapp: QApplication, qtbot: QtBot) -> None:
    now = [0.0]
    activity = Activity(uptime=lambda: now[0])
    application = QGuiApplication.instance()
    assert isinstance(application, QGuiApplication)
    activity.watch(application)
    field = QLineEdit()
    qtbot.addWidget(field)
    field.show()
    field.activateWindow()
    qtbot.waitUntil(lambda: application.focusWindow() is field.windowHandle())
    now[0] = 500.0
    assert activity.quiet_for == timedelta(seconds=500)
    QTest.keyClick(field.windowHandle(), Qt.Key.Key_A)
    assert activity.quiet_for == timedelta(0)
    now[0] = 900.0
    QTest.mouseClick(field.windowHandle(), Qt.MouseButton.LeftButton)
    assert activity.quiet_for == timedelta(0)
    assert field.text() == "a"
