"""The page: its topics by keys and clicks, side by side or in turns, and as places."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QApplication, QComboBox, QLineEdit, QSlider, QWidget
from settings_tools import Desk

from daybank_desktop.theme import Theme
from daybank_desktop.widgets.focus_frame import FocusRing
from daybank_desktop.widgets.tab_order import can_have_focus, in_order

MakeDesk = Callable[..., Desk]
Key = Qt.Key
TOPICS = (
    "folders",
    "look",
    "meaning",
    "reflection",
    "notifications",
    "start",
    "model",
    "privacy",
    "files",
)


def test_the_first_topic_is_shown_at_first(make_desk: MakeDesk) -> None:
    desk = make_desk()
    desk.open()

    assert desk.page.place == "folders"
    assert desk.page.topic("folders").isVisible()
    assert desk.page.list.isVisible()


def test_the_arrows_walk_through_every_topic(make_desk: MakeDesk) -> None:
    desk = make_desk()
    desk.open()
    places: list[object] = []
    desk.page.place_changed.connect(places.append)
    desk.page.list.setFocus()

    for _ in TOPICS[1:]:
        QTest.keyClick(desk.page.list, Key.Key_Down)
        desk.settle()

    assert places == list(TOPICS[1:])
    assert desk.page.topic("files").isVisible()
    assert not desk.page.topic("folders").isVisible()


def test_enter_goes_into_a_topic_and_escape_back(make_desk: MakeDesk) -> None:
    desk = make_desk()
    desk.open("notifications")
    desk.page.list.setFocus()

    QTest.keyClick(desk.page.list, Key.Key_Return)
    inside = desk.page.focusWidget()
    assert inside is not None
    assert inside.accessibleName() == "Suggestions"
    QTest.keyClick(inside, Key.Key_Escape)

    assert desk.page.list.hasFocus()


def test_a_topic_is_made_only_when_it_is_shown(make_desk: MakeDesk) -> None:
    desk = make_desk()

    desk.open("look")

    assert set(desk.page._topics) == {"folders", "look"}


def test_every_topic_is_a_command(make_desk: MakeDesk) -> None:
    commands = make_desk().page.commands()

    assert tuple(command.topic for command in commands) == TOPICS
    assert commands[2].id == "settings.meaning"
    assert commands[2].text == "Settings: Search by meaning"


def test_a_narrow_window_shows_the_list_or_a_topic(make_desk: MakeDesk) -> None:
    desk = make_desk()
    desk.page.resize(700, 680)
    desk.open()
    page = desk.page
    assert page.list.isVisible()
    assert not page.area.isVisible()
    places: list[object] = []
    page.place_changed.connect(places.append)
    page.list.setFocus()

    QTest.keyClick(page.list, Key.Key_Down)
    QTest.keyClick(page.list, Key.Key_Return)
    desk.settle()
    assert (page.area.isVisible(), page.list.isVisible(), places) == (True, False, ["look"])
    desk.click(page.back)

    assert page.list.isVisible()
    assert page.list.hasFocus()


def test_large_text_shows_the_list_or_a_topic(make_desk: MakeDesk, theme: Theme) -> None:
    theme.set_text_size(150)
    desk = make_desk()
    desk.page.resize(1366, 680)
    desk.open("look")

    assert desk.page.area.isVisible()
    assert not desk.page.list.isVisible()
    theme.set_text_size(100)
    assert desk.page.list.isVisible()


def test_coming_back_to_the_list_shows_the_list(make_desk: MakeDesk) -> None:
    desk = make_desk()
    desk.page.resize(700, 680)
    desk.open("look")

    desk.page.show_place(None, True)

    assert desk.page.list.isVisible()
    assert desk.page.list.current == "look"


def test_a_place_that_is_none_changes_nothing(make_desk: MakeDesk) -> None:
    desk = make_desk()
    desk.open("look")

    for place in ("nowhere", None, 7):
        desk.page.show_place(place, False)

    assert desk.page.place == "look"


def test_without_a_tray_what_needs_one_is_off_and_says_why(make_desk: MakeDesk) -> None:
    desk = make_desk()
    desk.page.set_tray_available(False, "This desktop shows no tray.")
    topic = desk.open("notifications")
    assert topic.tray.reason == "This desktop shows no tray."
    assert not topic.tray.toggle.isEnabled()
    start = desk.go("start")
    assert start.hidden.reason == "This desktop shows no tray."

    desk.page.set_tray_available(True)

    assert (topic.tray.reason, start.hidden.reason) == ("", "")
    assert topic.tray.toggle.isEnabled()


@pytest.mark.parametrize("topic", TOPICS)
def test_tab_reaches_every_control_and_each_has_a_name(make_desk: MakeDesk, topic: str) -> None:
    desk = make_desk()
    shown = desk.open(topic)
    kinds = QAbstractButton | QComboBox | QLineEdit | QSlider
    controls = [
        widget
        for widget in shown.findChildren(QWidget)
        if isinstance(widget, kinds) and widget.isVisible() and widget.isEnabled()
    ]
    reached = [widget for widget in in_order(desk.page) if can_have_focus(widget)]

    for control in controls:
        spoken = QAccessible.queryAccessibleInterface(control)
        name = spoken.text(QAccessible.Text.Name) or control.accessibleName()
        assert name, control
        assert control in reached, name


@pytest.mark.parametrize("text_size", [100, 200])
@pytest.mark.parametrize("topic", TOPICS)
def test_nothing_is_wider_than_the_window(
    make_desk: MakeDesk, theme: Theme, topic: str, text_size: int
) -> None:
    theme.set_text_size(text_size)
    desk = make_desk()
    desk.page.resize(744, 560)  # the smallest window, beside a sidebar of icons
    shown = desk.open(topic)
    area = desk.page.area
    desk.until(lambda: area.widget().width() == area.viewport().width())

    room = area.viewport().width()
    for widget in shown.findChildren(QWidget):
        if widget.isVisible():
            right = widget.mapTo(area.viewport(), widget.rect().topRight()).x()
            assert right < room, getattr(widget, "text", widget.accessibleName)()


def test_the_ring_follows_the_keyboard_into_a_topic(
    make_desk: MakeDesk, theme: Theme, qapp: QApplication
) -> None:
    ring = FocusRing(qapp, theme)
    desk = make_desk()
    topic = desk.open("meaning")
    desk.page.list.setFocus()
    handle = desk.page.windowHandle()

    QTest.keyClick(handle, Key.Key_Return)
    assert ring.target is topic.switch.toggle
    topic.rows["built-in"].mark.setFocus(Qt.FocusReason.TabFocusReason)

    assert ring.target is topic.rows["built-in"].mark
    desk.page.list.setFocus()
    ring.deleteLater()
