"""Rows, select boxes, time fields and the list of topics, by keys and clicks."""

from __future__ import annotations

from datetime import time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import QLocale, QPoint, QPointF, Qt
from PySide6.QtGui import QAccessible, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QButtonGroup, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from daybank_desktop.theme import Theme
from daybank_desktop.widgets.buttons import Button
from daybank_desktop.widgets.select_box import SelectBox
from daybank_desktop.widgets.setting_rows import RadioRow, SettingCard, SettingRow, ToggleRow
from daybank_desktop.widgets.time_field import TimeField, read_time, time_text
from daybank_desktop.widgets.topic_list import TopicList

Key = Qt.Key


@pytest.fixture
def window(qtbot: QtBot, theme: Theme) -> QWidget:
    window = QWidget()
    QVBoxLayout(window)
    qtbot.addWidget(window)
    window.resize(600, 400)
    window.show()
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    return window


def put(window: QWidget, *widgets: QWidget) -> None:
    layout = window.layout()
    assert layout is not None
    for widget in widgets:
        layout.addWidget(widget)
        widget.show()
    QApplication.processEvents()


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("3", time(3)),
        ("03:15", time(3, 15)),
        ("3.15", time(3, 15)),
        ("0315", time(3, 15)),
        (" 21:30 ", time(21, 30)),
        ("9:30 pm", time(21, 30)),
        ("12 am", time(0)),
        ("12pm", time(12)),
    ],
)
def test_a_time_is_understood_as_people_write_it(typed: str, meant: time) -> None:
    assert read_time(typed) == meant


@pytest.mark.parametrize("typed", ["", "soon", "24:00", "12:60", "13 pm", "0 am", "3:1", "-3"])
def test_what_is_no_time_is_none(typed: str) -> None:
    assert read_time(typed) is None


@given(st.times())
def test_a_time_is_read_back_as_it_is_written(value: time) -> None:
    minute = value.replace(second=0, microsecond=0, tzinfo=None)

    assert read_time(minute.isoformat("minutes")) == minute


def test_a_time_is_told_once_it_is_typed(window: QWidget) -> None:
    field = TimeField("Every day at", time(3))
    put(window, field)
    told: list[time] = []
    field.chosen.connect(told.append)
    field.edit.setFocus()
    field.edit.selectAll()

    QTest.keyClicks(field.edit, "430")
    QTest.keyClick(field.edit, Key.Key_Return)

    assert told == [time(4, 30)]
    assert field.edit.text() == "04:30"


def test_a_senseless_time_is_said_and_the_old_one_holds(window: QWidget) -> None:
    field = TimeField("Every day at", time(3))
    put(window, field)
    told: list[time] = []
    field.chosen.connect(told.append)
    field.edit.setFocus()
    field.edit.selectAll()

    QTest.keyClicks(field.edit, "late")
    QTest.keyClick(field.edit, Key.Key_Return)

    assert field.error == "Write it like 21:30."
    assert field.value == time(3)
    QTest.keyClick(field.edit, Key.Key_Escape)
    assert (field.edit.text(), field.error, told) == ("03:00", "", [])


def test_the_arrows_move_by_a_quarter_and_over_midnight(window: QWidget) -> None:
    field = TimeField("Every day at", time(23, 50))
    put(window, field)
    told: list[time] = []
    field.chosen.connect(told.append)
    field.edit.setFocus()

    for key in (Key.Key_Down, Key.Key_Up, Key.Key_Up, Key.Key_Down):
        QTest.keyClick(field.edit, key)

    assert told == [time(23, 45), time(0), time(0, 15), time(0)]


def test_a_time_is_shown_as_the_locale_writes_it(window: QWidget) -> None:
    QLocale.setDefault(QLocale(QLocale.Language.English, QLocale.Country.UnitedStates))

    assert time_text(time(21, 30)).replace("\u202f", " ") == "9:30 PM"


def test_a_select_box_tells_of_the_person_only(window: QWidget) -> None:
    box = SelectBox("How often")
    put(window, box)
    told: list[str] = []
    box.chosen.connect(told.append)
    box.set_choices([("6", "every 6 hours"), ("12", "every 12 hours")], "12")
    assert (box.value, told) == ("12", [])

    box.setFocus()
    QTest.keyClick(box, Key.Key_Up)

    assert (box.value, told) == ("6", ["6"])


def test_scrolling_over_a_select_box_chooses_nothing(window: QWidget) -> None:
    box = SelectBox("How often")
    box.set_choices([("6", "every 6 hours"), ("12", "every 12 hours")], "6")
    put(window, box)
    wheel = QWheelEvent(
        QPointF(5, 5),
        QPointF(5, 5),
        QPoint(0, -120),
        QPoint(0, -120),
        Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )

    QApplication.sendEvent(box, wheel)

    assert box.value == "6"


def test_names_in_a_select_box_are_plain_text(window: QWidget) -> None:
    box = SelectBox("Model")
    box.set_choices([("a", "<b>bold</b> & more")], "a")

    assert box.currentText() == "<b>bold</b> & more"


def test_a_click_anywhere_on_a_row_turns_its_switch(window: QWidget) -> None:
    row = ToggleRow("Quiet hours", "Wait then.")
    put(window, row)

    QTest.mouseClick(row, Qt.MouseButton.LeftButton, pos=QPoint(30, row.height() // 2))

    assert row.toggle.isChecked()


def test_a_switch_that_is_off_says_why(window: QWidget) -> None:
    row = ToggleRow("Stay in the tray")
    put(window, row)

    row.set_reason("There is no tray here.")
    QTest.mouseClick(row, Qt.MouseButton.LeftButton, pos=QPoint(30, row.height() // 2))

    assert not row.toggle.isChecked()
    spoken = QAccessible.queryAccessibleInterface(row.toggle)
    assert spoken.text(QAccessible.Text.Name) == "Stay in the tray"
    assert spoken.text(QAccessible.Text.Description) == "There is no tray here."


def test_one_row_of_a_group_is_chosen_by_a_click_and_by_the_arrows(window: QWidget) -> None:
    card = SettingCard("When")
    rows = [RadioRow("Every day"), RadioRow("Never"), RadioRow("Now and then")]
    group = QButtonGroup(window)
    for row in rows:
        card.add(row)
        group.addButton(row.mark)
    rows[1].mark.setEnabled(False)
    put(window, card)

    QTest.mouseClick(rows[0], Qt.MouseButton.LeftButton, pos=QPoint(200, 10))
    assert rows[0].mark.isChecked()
    QTest.keyClick(rows[0].mark, Key.Key_Down)

    assert rows[2].mark.isChecked()
    assert rows[2].mark.hasFocus()
    QTest.mouseClick(rows[1], Qt.MouseButton.LeftButton, pos=QPoint(200, 10))
    assert rows[2].mark.isChecked()


def test_the_line_between_rows_goes_with_the_row(window: QWidget) -> None:
    card = SettingCard()
    rows = [SettingRow("First"), SettingRow("Second"), SettingRow("Third")]
    for row in rows:
        card.add(row)
    put(window, card)

    rows[0].hide()

    assert [row._has_line for row in rows[1:]] == [False, True]


def test_a_wide_control_goes_under_its_words_where_room_is_short(window: QWidget) -> None:
    row = SettingRow("A name of some length", "A sentence.", Button("A button with many words"))
    put(window, row)
    control = row.control
    assert control is not None
    assert control.x() > 200

    window.resize(300, 400)
    QApplication.processEvents()

    assert control.x() < 30


def test_topics_are_walked_by_keys(window: QWidget) -> None:
    topics = TopicList("Topics", [("a", "state.ok", "One"), ("b", "state.ok", "Two & <b>")])
    put(window, topics)
    shown: list[str] = []
    entered: list[str] = []
    topics.shown.connect(shown.append)
    topics.entered.connect(entered.append)
    topics.show_current("a")
    topics.setFocus()

    QTest.keyClick(topics, Key.Key_Down)
    QTest.keyClick(topics, Key.Key_Return)
    QTest.keyClick(topics, Key.Key_Home)

    assert (shown, entered) == (["b", "a"], ["b"])
