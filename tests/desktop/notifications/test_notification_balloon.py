"""Notices at the tray's icon, where Qt shows them. The icon is played by a test."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QObject, QRect, Signal
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import QSystemTrayIcon
from pytestqt.qtbot import QtBot

from daybank_desktop.notifications.backend import OPEN, Events, Notice
from daybank_desktop.notifications.balloon import BalloonBackend

FIRST = Notice("suggestions", "review", "3 suggestions are waiting", "For Core.", "Review")
SECOND = Notice("health secrets", "health", "A key stands in Core", "It is hidden.", "Show me")


class Tray(QObject):
    messageClicked = Signal()  # as Qt calls it

    def __init__(self) -> None:
        super().__init__()
        self.shown: list[tuple[str, str]] = []
        self.place = QRect(0, 0, 24, 24)
        self.is_there = True

    def isVisible(self) -> bool:
        return self.is_there

    def geometry(self) -> QRect:
        return self.place

    def icon(self) -> QIcon:
        return QIcon()

    def showMessage(self, title: str, text: str, icon: QIcon, msecs: int) -> None:
        self.shown.append((title, text))


class Desk:
    def __init__(self, platform: str = "linux") -> None:
        self.tray: Tray | None = Tray()
        self.backend = BalloonBackend(
            lambda: self.tray,  # type: ignore[arg-type, return-value]
            platform=platform,
            shown_for_ms=60,
        )
        self.acted: list[tuple[str, str, str]] = []
        self.closed: list[str] = []
        self.failed: list[Notice] = []
        self.backend.start(
            Events(lambda *what: self.acted.append(what), self.closed.append, self.failed.append)
        )


@pytest.fixture
def desk(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> Iterator[Desk]:
    monkeypatch.setattr(QSystemTrayIcon, "isSystemTrayAvailable", staticmethod(lambda: True))
    monkeypatch.setattr(QSystemTrayIcon, "supportsMessages", staticmethod(lambda: True))
    desk = Desk()
    yield desk
    desk.backend.stop()


def test_a_click_is_told_once(desk: Desk) -> None:
    desk.backend.show(FIRST)
    assert desk.tray is not None
    assert desk.tray.shown == [(FIRST.title, FIRST.text)]
    desk.tray.messageClicked.emit()
    desk.tray.messageClicked.emit()
    assert desk.acted == [("suggestions", OPEN, "")]


def test_the_second_waits_until_the_first_has_had_its_time(desk: Desk, qtbot: QtBot) -> None:
    desk.backend.show(FIRST)
    desk.backend.show(SECOND)
    assert desk.tray is not None
    assert len(desk.tray.shown) == 1
    qtbot.waitUntil(lambda: desk.tray is not None and len(desk.tray.shown) == 2)
    assert desk.closed == ["suggestions"]
    desk.tray.messageClicked.emit()
    assert desk.acted == [("health secrets", OPEN, "")]


def test_one_that_was_answered_while_it_waited_is_not_shown(desk: Desk, qtbot: QtBot) -> None:
    desk.backend.show(FIRST)
    desk.backend.show(SECOND)
    desk.backend.withdraw("health secrets")
    qtbot.waitUntil(lambda: bool(desk.closed))
    assert desk.tray is not None
    assert len(desk.tray.shown) == 1


def test_without_an_icon_it_fails(desk: Desk) -> None:
    desk.tray = None
    desk.backend.show(FIRST)
    assert desk.failed == [FIRST]
    desk.tray = Tray()
    desk.tray.is_there = False
    desk.backend.show(FIRST)
    assert desk.failed == [FIRST, FIRST]


def test_an_icon_that_another_program_draws_is_no_way_on_linux(desk: Desk) -> None:
    """Qt would ask the notification server that was found missing."""
    assert desk.tray is not None
    desk.tray.place = QRect()
    desk.backend.show(FIRST)
    assert desk.failed == [FIRST]
    windows = Desk("win32")
    assert windows.tray is not None
    windows.tray.place = QRect()
    windows.backend.show(FIRST)
    assert windows.failed == []
    windows.backend.stop()


def test_an_icon_that_goes_does_not_keep_the_next_from_being_shown(
    desk: Desk, qtbot: QtBot
) -> None:
    desk.backend.show(FIRST)
    desk.tray = Tray()
    desk.backend.show(SECOND)
    qtbot.waitUntil(lambda: desk.tray is not None and len(desk.tray.shown) == 1)
    desk.tray.messageClicked.emit()
    assert desk.acted == [("health secrets", OPEN, "")]
