"""The timeline under keys, pointer and wheel, and what a screen reader is told."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from fakes import TODAY, many, note
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import (
    QAccessible,
    QImage,
    QNativeGestureEvent,
    QPointingDevice,
    QWheelEvent,
)
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from daybank.dates import Interval
from daybank.markdown.model import Kind
from daybank_desktop.theme import Theme
from daybank_desktop.timeline.items import TimelineItem, TimelineItems, items_of
from daybank_desktop.timeline.scale import Level
from daybank_desktop.widgets.timeline_card import TimelineCard

NOTES = [
    note("Came by with a sketch.", kind=Kind.EXPERIENCE, day=date(2026, 10, 14), line=1),
    note("Prefers blue letters.", kind=Kind.OPINION, day=date(2026, 11, 3), line=2),
    note("Paints the sign.", day=date(2026, 11, 18), line=3),
    note("Paints on Fridays.", kind=Kind.OBSERVATION, day=date(2026, 11, 18), line=4),
]
COURSE = TimelineItem(
    "course",
    "world",
    "On a course",
    date(2026, 10, 1).toordinal(),
    (date(2026, 10, 5).toordinal(), date(2026, 10, 16).toordinal()),
)


@pytest.fixture
def card(qtbot: QtBot, theme: Theme) -> TimelineCard:
    card = TimelineCard()
    qtbot.addWidget(card)
    card.resize(834, card.sizeHint().height())
    card.show()
    qtbot.waitExposed(card)
    card.set_items(TimelineItems([*items_of(NOTES).all, COURSE]), TODAY)
    return card


def paint(card: TimelineCard) -> None:
    card.render(QImage(card.size(), QImage.Format.Format_ARGB32))


def test_the_newest_note_is_read_out_first(card: TimelineCard) -> None:
    assert card.readout.text.startswith(("World", "Observation"))
    assert "Wed 18 Nov 2026" in card.readout.text
    assert card.levels.value == Level.MONTHS.name


def test_the_arrow_keys_go_from_note_to_note_and_the_readout_follows(
    card: TimelineCard, qtbot: QtBot
) -> None:
    plot = card.plot
    qtbot.keyClick(plot, Qt.Key.Key_Home)
    assert card.readout.text == "World  5–16 Oct 2026  On a course"
    assert plot.accessibleDescription() == "World. 5–16 Oct 2026. On a course"
    qtbot.keyClick(plot, Qt.Key.Key_Right)
    assert "Came by with a sketch." in card.readout.text
    qtbot.keyClick(plot, Qt.Key.Key_Left)
    assert "On a course" in card.readout.text
    qtbot.keyClick(plot, Qt.Key.Key_End)
    qtbot.keyClick(plot, Qt.Key.Key_Right)
    assert "18 Nov" in card.readout.text


def test_up_and_down_change_the_lane(card: TimelineCard, qtbot: QtBot) -> None:
    plot = card.plot
    lanes = plot.placed.lanes()
    plot.choose(lanes[0][-1][1].id)
    qtbot.keyClick(plot, Qt.Key.Key_Up)
    chosen = plot.chosen
    assert chosen is not None
    assert chosen.id == lanes[1][-1][1].id
    qtbot.keyClick(plot, Qt.Key.Key_Up)
    assert plot.chosen is COURSE
    qtbot.keyClick(plot, Qt.Key.Key_Down)
    assert plot.chosen is not COURSE


def test_plus_and_minus_look_nearer_and_farther_around_what_is_chosen(
    card: TimelineCard, qtbot: QtBot
) -> None:
    plot = card.plot
    days = plot.scale.days
    qtbot.keyClick(plot, Qt.Key.Key_Plus)
    assert plot.scale.days < days
    for _ in range(12):
        qtbot.keyClick(plot, Qt.Key.Key_Plus)
    assert plot.scale.days == 1.0
    assert plot.chosen is not None
    assert plot.scale.shows(plot.chosen.anchor)
    assert card.levels.value == Level.DAYS.name
    for _ in range(30):
        qtbot.keyClick(plot, Qt.Key.Key_Minus)
    assert card.levels.value == Level.YEARS.name
    paint(card)


def test_enter_and_the_readout_open_the_source(card: TimelineCard, qtbot: QtBot) -> None:
    qtbot.keyClick(card.plot, Qt.Key.Key_Home)
    with qtbot.waitSignal(card.opened) as opened:
        qtbot.keyClick(card.plot, Qt.Key.Key_Return)
    assert opened.args == [COURSE]
    with qtbot.waitSignal(card.opened) as again:
        card.readout.open_button.click()
    assert again.args == [COURSE]


def test_the_pointer_reads_out_what_it_is_on_and_gives_it_back(
    card: TimelineCard, qtbot: QtBot
) -> None:
    plot = card.plot
    before = card.readout.text
    mark = next(m for m in plot.placed.marks if m.item.text == "Prefers blue letters.")
    QTest.mouseMove(plot, QPointF(mark.x, mark.y).toPoint())
    qtbot.waitUntil(lambda: "Prefers blue letters." in card.readout.text)
    QTest.mouseMove(plot, QPoint(3, 60))
    qtbot.waitUntil(lambda: card.readout.text == before)
    at = QPointF(mark.x, mark.y).toPoint()
    qtbot.mouseClick(plot, Qt.MouseButton.LeftButton, pos=at)
    assert plot.chosen is mark.item


def test_dragging_moves_time_along(card: TimelineCard, qtbot: QtBot) -> None:
    plot = card.plot
    start, chosen = plot.scale.start, plot.chosen
    plot.set_level(Level.WEEKS)
    start = plot.scale.start
    qtbot.mousePress(plot, Qt.MouseButton.LeftButton, pos=QPoint(100, 60))
    qtbot.mouseMove(plot, QPoint(300, 60))
    qtbot.mouseRelease(plot, Qt.MouseButton.LeftButton, pos=QPoint(300, 60))
    assert plot.scale.start < start - 3
    assert plot.chosen is chosen


def wheel(plot: QApplication | object, x: float, turned: QPoint, keys: Qt.KeyboardModifier) -> bool:
    event = QWheelEvent(
        QPointF(x, 60),
        QPointF(x, 60),
        QPoint(),
        turned,
        Qt.MouseButton.NoButton,
        keys,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    QApplication.sendEvent(plot, event)  # type: ignore[arg-type]
    return event.isAccepted()


def test_the_wheel_zooms_with_ctrl_and_else_belongs_to_the_page(card: TimelineCard) -> None:
    plot = card.plot
    days, under = plot.scale.days, plot.scale.day_at(300)
    none = Qt.KeyboardModifier.NoModifier
    assert not wheel(plot, 300, QPoint(0, 120), none)
    assert plot.scale.days == days
    assert wheel(plot, 300, QPoint(0, 120), Qt.KeyboardModifier.ControlModifier)
    assert plot.scale.days == pytest.approx(days / 1.5)
    assert plot.scale.day_at(300) == pytest.approx(under)
    start = plot.scale.start
    assert wheel(plot, 300, QPoint(60, 0), none)
    assert plot.scale.start < start


def test_two_fingers_zoom_around_where_they_are(card: TimelineCard) -> None:
    plot = card.plot
    days, under = plot.scale.days, plot.scale.day_at(300)
    at = QPointF(300, 60)
    event = QNativeGestureEvent(
        Qt.NativeGestureType.ZoomNativeGesture,
        QPointingDevice.primaryPointingDevice(),
        2,
        at,
        at,
        at,
        0.25,
        QPointF(),
    )
    QApplication.sendEvent(plot, event)
    assert plot.scale.days == pytest.approx(days / 1.25)
    assert plot.scale.day_at(300) == pytest.approx(under)


def test_a_screen_reader_is_told_what_the_readout_says(card: TimelineCard, qtbot: QtBot) -> None:
    qtbot.keyClick(card.plot, Qt.Key.Key_Home)
    spoken = QAccessible.queryAccessibleInterface(card.plot)
    assert spoken.text(QAccessible.Text.Name) == "Timeline"
    assert spoken.text(QAccessible.Text.Description) == "World. 5–16 Oct 2026. On a course"


def test_the_strip_shows_all_time_and_its_window_can_be_dragged(
    card: TimelineCard, qtbot: QtBot
) -> None:
    old = note("Long ago.", day=date(2022, 1, 5))
    card.set_items(items_of([*NOTES, old]), TODAY)
    strip, plot = card.strip, card.plot
    before = strip.window_rect
    assert before.right() == pytest.approx(strip.width(), abs=2)
    middle = before.center().toPoint()
    qtbot.mousePress(strip, Qt.MouseButton.LeftButton, pos=middle)
    qtbot.mouseMove(strip, middle - QPoint(200, 0))
    qtbot.mouseRelease(strip, Qt.MouseButton.LeftButton, pos=middle - QPoint(200, 0))
    assert strip.window_rect.center().x() == pytest.approx(middle.x() - 200, abs=2)
    qtbot.mouseClick(strip, Qt.MouseButton.LeftButton, pos=QPoint(2, 8))
    assert plot.scale.shows(date(2022, 1, 20).toordinal())
    paint(card)


def test_a_bar_of_numbers_opens_up_by_a_double_click(card: TimelineCard, qtbot: QtBot) -> None:
    plot = card.plot
    plot.set_level(Level.YEARS)
    column = plot.placed.columns[-1]
    at = QPoint(round(column.rect[0] + 3), round(column.rect[1] + column.rect[3] - 2))
    qtbot.mouseClick(plot, Qt.MouseButton.LeftButton, pos=at)
    assert plot.chosen is not None
    assert column.bucket.first <= plot.chosen.anchor < column.bucket.after
    qtbot.mouseDClick(plot, Qt.MouseButton.LeftButton, pos=at)
    assert plot.scale.level is Level.WEEKS
    assert plot.scale.shows(column.bucket.first + 10)


def test_the_same_as_a_table(card: TimelineCard, qtbot: QtBot) -> None:
    card.as_table.click()
    assert card.shows_table
    model = card.table.model()
    assert model.rowCount() == 5
    rows = {model.index(row, 2).data(): model.index(row, 0).data() for row in range(5)}
    assert rows["On a course"] == "5–16 Oct 2026"
    assert rows["Prefers blue letters."] == "Tue 3 Nov 2026"
    card.table.selectRow(4)
    assert card.plot.chosen is COURSE
    with qtbot.waitSignal(card.opened) as opened:
        qtbot.keyClick(card.table, Qt.Key.Key_Return)
    assert opened.args == [COURSE]
    card.as_table.click()
    assert not card.shows_table


def test_nothing_and_a_single_note_are_right(card: TimelineCard, qtbot: QtBot) -> None:
    card.set_items(TimelineItems(), TODAY)
    assert card.readout.text == ""
    assert not card.levels.isEnabled()
    for key in (Qt.Key.Key_Left, Qt.Key.Key_Home, Qt.Key.Key_Up, Qt.Key.Key_Return):
        qtbot.keyClick(card.plot, key)
    paint(card)
    card.set_items(items_of(NOTES[:1]), TODAY)
    assert "Came by with a sketch." in card.readout.text
    for level in Level:
        card.plot.set_level(level)
        assert card.plot.chosen is not None
        assert card.plot.scale.shows(card.plot.chosen.anchor)
        paint(card)


@pytest.mark.parametrize(
    "text", ["<b>bold</b> <img src='file:///x'>", "שלום \u202eabc\u202c", "a\u200bb", "two\nlines"]
)
def test_markup_is_text(card: TimelineCard, text: str) -> None:
    span = Interval(date(2026, 11, 1), date(2026, 11, 9))
    odd = note(text, day=date(2026, 11, 10))
    bar = TimelineItem("x", "world", text, 0, (span.start.toordinal(), span.end.toordinal()))  # type: ignore[union-attr]
    card.set_items(TimelineItems([*items_of([odd]).all, bar]), TODAY)
    assert card.readout.text.endswith(text.replace("\n", " "))
    for level in Level:
        card.plot.set_level(level)
        paint(card)


def test_ten_thousand_notes_can_be_moved_through(card: TimelineCard, qtbot: QtBot) -> None:
    notes = many(10_000)
    card.set_items(items_of(notes), TODAY)
    for level in Level:
        card.plot.set_level(level)
        paint(card)
    qtbot.keyClick(card.plot, Qt.Key.Key_Home)
    assert card.plot.chosen is not None
    assert card.plot.chosen.day == date(2020, 1, 1).toordinal()
    assert card.plot.scale.shows(card.plot.chosen.day)


def test_around_a_clock_change_the_readout_says_the_day_of_the_file(
    card: TimelineCard, qtbot: QtBot
) -> None:
    first = date(2026, 3, 27)
    days = [first + timedelta(days=n) for n in range(5)]
    card.set_items(items_of([note(f"Day {day}", day=day) for day in days]), TODAY)
    qtbot.keyClick(card.plot, Qt.Key.Key_Home)
    for day in days:
        assert f"{day.day} Mar 2026" in card.readout.text.replace("March", "Mar")
        assert f"Day {day}" in card.readout.text
        qtbot.keyClick(card.plot, Qt.Key.Key_Right)
