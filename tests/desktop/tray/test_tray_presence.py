"""What closing does, when the window comes back, and which state the icon shows: as tables."""

from __future__ import annotations

import pytest

from daybank_desktop.tray.presence import (
    LOST_PATIENCE,
    STARTING_PATIENCE,
    TOLD_NO_TRAY,
    TOLD_STAYS,
    NoTray,
    OnClose,
    OnStart,
    on_close,
    on_start,
    should_return,
    should_say_no_tray,
    why_no_tray,
)
from daybank_desktop.tray.state import Facts, TrayState, state_of


@pytest.mark.parametrize(
    ("has_tray", "close_to_tray", "told", "expected"),
    [
        (True, True, (), OnClose.STAY_AND_SAY),
        (True, True, ("something else",), OnClose.STAY_AND_SAY),
        (True, True, (TOLD_STAYS,), OnClose.STAY),
        (True, False, (), OnClose.QUIT),
        (True, False, (TOLD_STAYS,), OnClose.QUIT),
        (False, True, (), OnClose.QUIT),
        (False, True, (TOLD_STAYS,), OnClose.QUIT),
        (False, False, (), OnClose.QUIT),
    ],
)
def test_closing(
    has_tray: bool, close_to_tray: bool, told: tuple[str, ...], expected: OnClose
) -> None:
    assert on_close(has_tray=has_tray, close_to_tray=close_to_tray, told=told) is expected


@pytest.mark.parametrize(
    ("wants_hidden", "has_tray", "waited", "expected"),
    [
        (False, True, 0, OnStart.SHOW),
        (False, False, 0, OnStart.SHOW),
        (True, True, 0, OnStart.HIDE),
        (True, False, 0, OnStart.WAIT),
        (True, False, STARTING_PATIENCE - 0.1, OnStart.WAIT),
        (True, False, STARTING_PATIENCE, OnStart.SHOW),
        (True, True, STARTING_PATIENCE * 2, OnStart.HIDE),
    ],
)
def test_starting_out_of_sight(
    wants_hidden: bool, has_tray: bool, waited: float, expected: OnStart
) -> None:
    assert on_start(wants_hidden=wants_hidden, has_tray=has_tray, waited=waited) is expected


@pytest.mark.parametrize(
    ("has_tray", "is_hidden", "away_for", "expected"),
    [
        (False, True, LOST_PATIENCE, True),
        (False, True, LOST_PATIENCE - 0.1, False),
        (False, False, LOST_PATIENCE, False),
        (True, True, LOST_PATIENCE, False),
    ],
)
def test_the_window_comes_back_when_the_tray_is_gone(
    has_tray: bool, is_hidden: bool, away_for: float, expected: bool
) -> None:
    assert should_return(has_tray=has_tray, is_hidden=is_hidden, away_for=away_for) is expected


@pytest.mark.parametrize("told", [(), (TOLD_STAYS,), (TOLD_STAYS, TOLD_NO_TRAY)])
@pytest.mark.parametrize("has_tray", [True, False])
@pytest.mark.parametrize("close_to_tray", [True, False])
def test_a_person_can_always_reach_a_daybank_that_runs(
    has_tray: bool, close_to_tray: bool, told: tuple[str, ...]
) -> None:
    closed = on_close(has_tray=has_tray, close_to_tray=close_to_tray, told=told)
    assert closed is OnClose.QUIT or has_tray
    assert has_tray or should_return(has_tray=has_tray, is_hidden=True)
    started = on_start(wants_hidden=True, has_tray=has_tray, waited=STARTING_PATIENCE)
    assert has_tray or started is OnStart.SHOW


@pytest.mark.parametrize(
    ("has_tray", "desktop", "expected"),
    [
        (True, "GNOME", None),
        (False, "GNOME", NoTray.GNOME),
        (False, "ubuntu:GNOME", NoTray.GNOME),
        (False, "KDE", NoTray.NONE),
        (False, "", NoTray.NONE),
    ],
)
def test_why_the_setting_is_greyed(has_tray: bool, desktop: str, expected: NoTray | None) -> None:
    assert why_no_tray(has_tray=has_tray, desktop=desktop) is expected


def test_no_tray_is_said_once_and_only_to_whom_it_matters() -> None:
    def says(has_tray: bool, close_to_tray: bool, *told: str) -> bool:
        return should_say_no_tray(has_tray=has_tray, close_to_tray=close_to_tray, told=told)

    assert says(False, True)
    assert says(False, True, TOLD_STAYS)
    assert not says(False, True, TOLD_NO_TRAY)
    assert not says(False, False)
    assert not says(True, True)


def test_one_state_wins() -> None:
    """What needs the person, then what is over soon, then what waits, then a pause."""
    everything = Facts("The disk is full", True, "reading new notes", 3, True)
    assert state_of(everything) is TrayState.ATTENTION
    assert state_of(Facts("", True, "", 3, True)) is TrayState.WORKING
    assert state_of(Facts("", False, "", 3, True)) is TrayState.WAITING
    assert state_of(Facts("", False, "", 0, True)) is TrayState.PAUSED
    assert state_of(Facts()) is TrayState.RESTING
