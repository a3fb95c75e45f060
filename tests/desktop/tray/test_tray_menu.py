"""The menu and the words of the tray."""

from __future__ import annotations

from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu
from pytestqt.qtbot import QtBot

from daybank_desktop.scheduling.policy import WhyNot
from daybank_desktop.services.schedule import ScheduleState
from daybank_desktop.theme import Theme
from daybank_desktop.tray import words
from daybank_desktop.tray.menu import Entry, MenuFacts, MenuIcons, TrayMenu
from daybank_desktop.tray.presence import NoTray
from daybank_desktop.tray.state import Facts, PauseFor

NOW = datetime(2026, 11, 26, 8, 42, tzinfo=ZoneInfo("Europe/Berlin"))
LAST = NOW.replace(hour=3, minute=0)
NEXT = LAST + timedelta(days=1)
PLANNED = ScheduleState(LAST, NEXT, why_not=WhyNot.NOT_YET)


def shown(menu: QMenu) -> list[str]:
    """What can be read, from top to bottom; a line is “-”."""
    return [
        "-" if action.isSeparator() else action.text()
        for action in menu.actions()
        if action.isVisible()
    ]


@pytest.fixture
def menu(theme: Theme, qtbot: QtBot) -> TrayMenu:
    menu = TrayMenu(theme)
    qtbot.addWidget(menu)
    menu.show_facts(MenuFacts(NOW, Facts(waiting=3), PLANNED, 3))
    return menu


# The menu


def test_it_reads_as_designed(menu: TrayMenu) -> None:
    assert shown(menu) == [
        "Open Daybank",
        "Write it down…",
        "Search…",
        "Review (3)",
        "-",
        "Reflect now",
        "Pause reflection",
        "-",
        "Last: today 03:00, 3 suggestions",
        "Next: tomorrow 03:00",
        "-",
        "Settings…",
        "Quit Daybank",
    ]


def test_every_entry_tells_what_is_wanted(menu: TrayMenu, qtbot: QtBot) -> None:
    chosen: list[object] = []
    menu.chosen.connect(chosen.append)
    for entry in Entry:
        menu.entry(entry).trigger()
    for length in PauseFor:
        menu.pause_entry(length).trigger()
    assert chosen == [*Entry, *PauseFor]


def test_what_needs_the_person_stands_first(menu: TrayMenu) -> None:
    menu.show_facts(MenuFacts(NOW, Facts(attention="The disk is full", waiting=3), PLANNED))
    assert shown(menu)[:3] == ["See what needs you…", "-", "Open Daybank"]
    menu.show_facts(MenuFacts(NOW, Facts(), PLANNED))
    assert shown(menu)[0] == "Open Daybank"


def test_a_pause_says_how_long_it_lasts(menu: TrayMenu) -> None:
    assert [menu.pause_entry(length).text() for length in PauseFor] == [
        "For 1 hour, until 09:42",
        "Until tomorrow, 08:00",
        "Until I resume",
    ]


def test_a_pause_can_be_ended(menu: TrayMenu) -> None:
    paused = ScheduleState(LAST, NEXT, True, NOW + timedelta(hours=1), False, WhyNot.PAUSED)
    menu.show_facts(MenuFacts(NOW, Facts(is_paused=True), paused))
    assert "Resume reflection" in shown(menu)
    assert "Pause reflection" not in shown(menu)
    assert "Paused until 09:42" in shown(menu)


def test_a_reflection_that_runs_is_not_begun_again(menu: TrayMenu) -> None:
    running = ScheduleState(LAST, NEXT, running=True, why_not=WhyNot.RUNNING)
    menu.show_facts(MenuFacts(NOW, Facts(is_working=True), running))
    reflect = menu.entry(Entry.REFLECT)
    assert (reflect.text(), reflect.isEnabled()) == ("Reflecting…", False)
    menu.show_facts(MenuFacts(NOW, Facts(), PLANNED))
    assert (reflect.text(), reflect.isEnabled()) == ("Reflect now", True)


def test_without_a_folder_only_what_makes_sense_can_be_chosen(menu: TrayMenu) -> None:
    menu.show_facts(MenuFacts(NOW))
    can = {entry for entry in Entry if menu.entry(entry).isEnabled()}
    assert can >= {Entry.OPEN, Entry.SETTINGS, Entry.QUIT}
    assert can.isdisjoint({Entry.CAPTURE, Entry.SEARCH, Entry.REVIEW, Entry.REFLECT})
    assert "Next: when a folder is open" in shown(menu)


def test_what_is_told_cannot_be_chosen(menu: TrayMenu) -> None:
    told = [a for a in menu.actions() if a.text().startswith(("Last:", "Next:"))]
    assert len(told) == 2
    assert not any(action.isEnabled() for action in told)


def test_no_shortcut_is_shown_that_would_not_work(menu: TrayMenu) -> None:
    assert not any(action.shortcuts() for action in menu.actions())
    assert not any("\t" in action.text() for action in menu.actions())


@pytest.mark.parametrize("icons", MenuIcons)
def test_icons_are_drawn_for_who_shows_the_menu(
    theme: Theme, qtbot: QtBot, icons: MenuIcons
) -> None:
    menu = TrayMenu(theme, icons)
    qtbot.addWidget(menu)

    def drawn(action: QAction) -> bool:
        return not action.icon().isNull()

    for entry in Entry:
        assert drawn(menu.entry(entry)) is (icons is not MenuIcons.NONE)
    before = menu.entry(Entry.OPEN).icon().cacheKey()
    theme.set_mode("dark")
    changed = menu.entry(Entry.OPEN).icon().cacheKey() != before
    assert changed is (icons is not MenuIcons.NONE), "drawn again in the colours of the theme"


# Words


@pytest.mark.parametrize(
    ("day", "expected"),
    [
        (-40, "Sat 17 Oct 03:00"),
        (-2, "Tue 24 Nov 03:00"),
        (-1, "yesterday 03:00"),
        (0, "today 03:00"),
        (1, "tomorrow 03:00"),
        (2, "Sat 28 Nov 03:00"),
        (60, "Mon 25 Jan 2027 03:00"),
    ],
)
def test_moments(qapp: object, day: int, expected: str) -> None:
    assert words.moment(LAST + timedelta(days=day), NOW) == expected


def test_a_moment_is_of_its_own_zone(qapp: object) -> None:
    """Just after midnight in Manila it is still the day before in Berlin."""
    manila = datetime(2026, 11, 27, 0, 30, tzinfo=ZoneInfo("Asia/Manila"))
    assert words.moment(manila, NOW) == "tomorrow 00:30"
    assert words.moment(manila, NOW.replace(hour=18)) == "today 00:30"


@pytest.mark.parametrize(
    ("result", "expected"),
    [
        (None, "Last: today 03:00"),
        (0, "Last: today 03:00, nothing new"),
        (1, "Last: today 03:00, 1 suggestion"),
        (3, "Last: today 03:00, 3 suggestions"),
    ],
)
def test_the_last_reflection(qapp: object, result: int | None, expected: str) -> None:
    assert words.last_line(PLANNED, result, NOW) == expected


def test_no_reflection_yet(qapp: object) -> None:
    assert words.last_line(ScheduleState(), 3, NOW) == "Last: not yet"


@pytest.mark.parametrize(
    ("state", "expected"),
    [
        (PLANNED, "Next: tomorrow 03:00"),
        (ScheduleState(LAST, None, running=True), "Next: when this one is over"),
        (ScheduleState(LAST, None, why_not=WhyNot.MANUAL), "Next: when you start it"),
        (ScheduleState(LAST, None, why_not=WhyNot.ON_BATTERY), "Next: when it is plugged in"),
        (ScheduleState(LAST, LAST, why_not=WhyNot.ON_BATTERY), "Next: when it is plugged in"),
        (ScheduleState(LAST, NEXT, why_not=WhyNot.ON_BATTERY), "Next: tomorrow 03:00"),
        (ScheduleState(LAST, None, why_not=WhyNot.NOT_QUIET), "Next: at a quiet moment"),
        (ScheduleState(LAST, LAST, why_not=None), "Next: soon"),
        (ScheduleState(LAST, NEXT, True, None, False, WhyNot.PAUSED), "Paused until you resume"),
        (
            ScheduleState(LAST, NEXT, True, NEXT.replace(hour=8), False, WhyNot.PAUSED),
            "Paused until tomorrow 08:00",
        ),
        (ScheduleState(), "Next: when a folder is open"),
    ],
)
def test_the_next_reflection(qapp: object, state: ScheduleState, expected: str) -> None:
    assert words.next_line(state, NOW) == expected


def test_the_tooltip_names_the_number(qapp: object) -> None:
    def said(facts: Facts, schedule: ScheduleState = PLANNED) -> str:
        return words.tooltip(facts, schedule, NOW)

    assert said(Facts()) == "Daybank – nothing to do"
    assert said(Facts(waiting=1)) == "Daybank – 1 suggestion waiting"
    assert said(Facts(waiting=1203)) == "Daybank – 1,203 suggestions waiting"
    assert said(Facts(is_working=True, working_on="reading new notes")) == (
        "Daybank – reading new notes"
    )
    assert said(Facts(attention="The disk is full", waiting=2)) == (
        "Daybank – 2 suggestions waiting; needs you: The disk is full"
    )


def test_no_panel_can_take_a_tooltip_for_markup(qapp: object) -> None:
    said = words.tooltip(
        Facts(attention="“<img src='x'>.md”\nhas\u202e two\u200b versions " + "so " * 80),
        PLANNED,
        NOW,
    )
    assert "<" not in said
    assert ">" not in said
    assert said.startswith("Daybank – needs you: “‹img src='x'›.md”·has· two· versions")
    assert len(said) <= words.TOOLTIP_LENGTH
    assert said.endswith("…")


def test_being_there_is_explained_in_the_words_of_the_system(qapp: object) -> None:
    assert "menu bar" in words.stays("darwin")
    assert words.stays("linux") == words.stays("win32")
    assert "GNOME" in words.why_no_tray(NoTray.GNOME)
    assert "GNOME" not in words.why_no_tray(NoTray.NONE)
    for sentence in (words.no_tray(), *(words.why_no_tray(why) for why in NoTray)):
        assert "quits" in sentence
