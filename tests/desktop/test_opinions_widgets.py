"""The parts of the opinions page by themselves: chart, readout, evidence, list."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from opinions_tools import TODAY, VOICE, opinion, step
from PySide6.QtCore import QEvent, QPoint, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QImage, QMouseEvent, QPainter
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from daybank_desktop.models.opinions_model import OpinionsModel
from daybank_desktop.pages.opinion_detail import OpinionDetail
from daybank_desktop.services.opinions import rows_of
from daybank_desktop.theme import Theme
from daybank_desktop.widgets.chart_geometry import ChartPoint, ChartStep, points_of
from daybank_desktop.widgets.confidence_chart import ConfidenceChart
from daybank_desktop.widgets.evidence_columns import EvidenceColumns, EvidenceItem
from daybank_desktop.widgets.opinion_list import SHORT, OpinionList
from daybank_desktop.widgets.readout_strip import ReadoutStrip
from daybank_desktop.widgets.set_by_hand import SetByHandDialog
from daybank_desktop.widgets.stance_mark import LEGEND, paint_mark, stance_color


def points() -> tuple[ChartPoint, ...]:
    return points_of(
        [ChartStep(s.day.toordinal() if s.day else None, s.value, s.delta, s.key) for s in VOICE]
    )


@pytest.fixture
def chart(qtbot: QtBot, theme: Theme) -> ConfidenceChart:
    chart = ConfidenceChart()
    qtbot.addWidget(chart)
    chart.resize(780, chart.sizeHint().height())
    some = points()
    chart.set_points(some, [f"point {number}" for number in range(len(some))], TODAY)
    chart.show()
    qtbot.waitExposed(chart)
    return chart


def place(chart: ConfidenceChart, number: int) -> QPoint:
    places = chart.geometry_in(QRectF(chart.rect()))
    point = chart.points[number]
    return QPoint(round(places.x(point.day)), round(places.y(point.value)))


def move(chart: ConfidenceChart, spot: QPoint) -> None:
    where = QPointF(spot)
    event = QMouseEvent(
        QEvent.Type.MouseMove,
        where,
        chart.mapToGlobal(where),
        Qt.MouseButton.NoButton,
        Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier,
    )
    QApplication.sendEvent(chart, event)


def test_the_newest_point_is_looked_at_first(chart: ConfidenceChart) -> None:
    assert chart.current == chart.shown == 5
    assert chart.accessibleDescription() == "point 5"
    assert chart.accessibleName() == "How sure, over time"


def test_the_keys_go_from_mark_to_mark(chart: ConfidenceChart, qtbot: QtBot) -> None:
    seen: list[int] = []
    chart.looked_at.connect(seen.append)
    for key in (
        Qt.Key.Key_Left,
        Qt.Key.Key_Home,
        Qt.Key.Key_Left,
        Qt.Key.Key_Right,
        Qt.Key.Key_End,
    ):
        qtbot.keyClick(chart, key)
    assert seen == [4, 0, 0, 1, 5]
    assert chart.accessibleDescription() == "point 5"
    with qtbot.waitSignal(chart.opened) as opened:
        qtbot.keyClick(chart, Qt.Key.Key_Return)
    assert opened.args == [5]


def test_alt_and_an_arrow_are_left_to_the_window(chart: ConfidenceChart, qtbot: QtBot) -> None:
    qtbot.keyClick(chart, Qt.Key.Key_Left, Qt.KeyboardModifier.AltModifier)
    assert chart.current == 5


def test_the_pointer_looks_and_a_press_stays(chart: ConfidenceChart, qtbot: QtBot) -> None:
    seen: list[int] = []
    chart.looked_at.connect(seen.append)
    move(chart, place(chart, 2) + QPoint(3, -40))
    assert chart.shown == 2
    assert chart.current == 5
    assert chart.accessibleDescription() == "point 2"
    move(chart, QPoint(2, 20))  # beside the plot
    assert chart.shown == 5
    qtbot.mouseClick(chart, Qt.MouseButton.LeftButton, pos=place(chart, 1))
    assert chart.current == 1
    assert seen == [2, 5, 1]
    move(chart, place(chart, 3))
    QApplication.sendEvent(chart, QEvent(QEvent.Type.Leave))
    assert chart.shown == 1


def test_every_mark_is_painted_in_its_colour(chart: ConfidenceChart, theme: Theme) -> None:
    image = chart.grab().toImage()
    for number, point in enumerate(chart.points[:-1]):
        middle = place(chart, number)
        colors = {
            image.pixelColor(middle + QPoint(dx, dy)).name()
            for dx in range(-4, 5)
            for dy in range(-4, 5)
        }
        assert theme.color(stance_color(point.key)).name() in colors, point.key


def test_the_five_marks_differ_in_shape_not_only_in_colour(theme: Theme) -> None:
    shapes = set()
    for key in (*LEGEND, "restated"):
        image = QImage(16, 16, QImage.Format.Format_RGB32)
        image.fill(QColor("white"))
        painter = QPainter(image)
        paint_mark(painter, theme, key, QPointF(8, 8), 12)
        painter.end()
        ink = tuple(image.pixelColor(x, y).lightness() < 200 for x in range(16) for y in range(16))
        assert any(ink)
        shapes.add(ink)
    assert len(shapes) == 6


@pytest.mark.parametrize(
    "steps",
    [
        [],
        [step(None, 0.6)],
        [step(TODAY, 0.6)],
        [step(date(1, 1, 1), 0.02), step(date(9999, 12, 31), 0.98, 0.96, "restated")],
        [step(TODAY - timedelta(days=n), 0.5, 0, "supports") for n in range(3000, 0, -1)],
    ],
)
def test_charts_of_every_sort_can_be_painted(
    qtbot: QtBot, theme: Theme, steps: list[object]
) -> None:
    chart = ConfidenceChart()
    qtbot.addWidget(chart)
    some = points_of(
        [
            ChartStep(s.day.toordinal() if s.day else None, s.value, s.delta, s.key)  # type: ignore[attr-defined]
            for s in steps
        ]
    )
    chart.set_points(some, ["words"] * len(some), TODAY)
    for width in (120, 300, 900):
        chart.resize(width, 240)
        for size in (90, 200):
            theme.set_text_size(size)
            chart.grab()
    theme.set_text_size(100)
    qtbot.keyClick(chart, Qt.Key.Key_Left)
    qtbot.keyClick(chart, Qt.Key.Key_Return)


def test_the_line_under_a_chart_gives_way_where_large_words_have_little_room(
    qtbot: QtBot, theme: Theme
) -> None:
    strip = ReadoutStrip()
    qtbot.addWidget(strip)
    theme.set_text_size(130)
    strip.set_readout("Wed 25 Nov 2026", "80 %", "“A sentence”", True, lead="First written")
    strip.resize(410, strip.height())
    strip.show()
    least = strip.minimumSizeHint().width()
    parts = [part for part in strip.findChildren(QWidget) if part.isVisible()]
    right = max(part.geometry().right() for part in parts)
    theme.set_text_size(100)
    assert least <= 410
    assert right < strip.width()


def test_the_readout_says_one_line_and_offers_the_day(qtbot: QtBot, theme: Theme) -> None:
    strip = ReadoutStrip()
    qtbot.addWidget(strip)
    strip.resize(600, 37)
    strip.show()
    strip.set_readout("Wed 14 Oct 2026", "75 → 77 %", "<b>“An answer”</b>\nsoon", True)
    assert strip.text == "Wed 14 Oct 2026  75 → 77 %  <b>“An answer”</b> soon"
    assert strip.accessibleName() == strip.text
    assert strip.height() == 37
    with qtbot.waitSignal(strip.open_requested):
        qtbot.mouseClick(strip.open_button, Qt.MouseButton.LeftButton)
    strip.set_readout("", "", "No notes that day", False)
    assert not strip.open_button.isVisible()
    strip.clear()
    assert strip.text == ""


def items(count: int) -> list[EvidenceItem]:
    return [
        EvidenceItem("supports", "1 May 2026", "+2", f"Note {n}", "Journal", n)
        for n in range(count)
    ]


def test_much_evidence_comes_in_portions(qtbot: QtBot, theme: Theme) -> None:
    columns = EvidenceColumns()
    qtbot.addWidget(columns)
    columns.resize(800, 600)
    columns.show()
    columns.set_evidence(items(40), [])
    column = columns.supporting
    assert len(column.rows) == 8
    assert column.more_button.text() == "Show 25 more"
    column.more_button.click()
    assert len(column.rows) == 33
    assert column.more_button.text() == "Show 7 more"
    column.more_button.click()
    assert len(column.rows) == 40
    assert not column.more_button.isVisible()
    assert not columns.idle.isVisible()
    with qtbot.waitSignal(columns.opened) as opened:
        column.rows[39].click()
    assert opened.args == [39]
    columns.set_evidence(items(1), items(1))
    assert len(column.rows) == 1


def test_rows_of_evidence_are_filled_again(qtbot: QtBot, theme: Theme) -> None:
    columns = EvidenceColumns()
    qtbot.addWidget(columns)
    columns.show()
    columns.set_evidence(items(12), [])
    before = columns.supporting.rows
    columns.set_evidence([EvidenceItem("weakens", "2 May 2026", "−1", "Other", "Core", 77)], [])
    (row,) = columns.supporting.rows
    assert row is before[0]
    assert not before[1].isVisible()
    assert row.accessibleName() == "Weakens. −1. 2 May 2026. Other. Core."
    with qtbot.waitSignal(columns.opened) as opened:
        row.click()
    assert opened.args == [77]
    columns.set_evidence(items(20), [])
    assert [row.item.content for row in columns.supporting.rows] == [f"Note {n}" for n in range(8)]
    assert columns.supporting.rows[:8] == before[:8]


def test_evidence_without_a_place_cannot_be_pressed(qtbot: QtBot, theme: Theme) -> None:
    columns = EvidenceColumns()
    qtbot.addWidget(columns)
    columns.set_evidence([EvidenceItem("supports", "1 May 2026", "+2", "By hand")], [])
    (row,) = columns.supporting.rows
    assert row.focusPolicy() is Qt.FocusPolicy.NoFocus
    with qtbot.assertNotEmitted(columns.opened):
        row.click()
    assert row.accessibleName() == "Supports. +2. 1 May 2026. By hand."


def test_columns_go_under_each_other_where_there_is_little_room(qtbot: QtBot, theme: Theme) -> None:
    columns = EvidenceColumns()
    qtbot.addWidget(columns)
    columns.set_evidence(items(2), items(2))
    columns.resize(800, 500)
    columns.show()
    qtbot.waitExposed(columns)
    assert columns.supporting.y() == columns.opposing.y()
    columns.resize(400, 800)
    qtbot.waitUntil(lambda: columns.supporting.y() < columns.opposing.y())


def test_a_long_note_makes_its_row_higher(qtbot: QtBot, theme: Theme) -> None:
    columns = EvidenceColumns()
    qtbot.addWidget(columns)
    long = EvidenceItem("weakens", "1 May 2026", "−2", "word " * 60, "Journal", 1)
    columns.set_evidence([items(1)[0], long], [])
    short_row, long_row = columns.supporting.rows
    assert long_row.heightForWidth(300) > short_row.heightForWidth(300) + 40
    assert long_row.heightForWidth(800) < long_row.heightForWidth(300)


def test_rows_of_every_sort_can_be_painted(qtbot: QtBot, theme: Theme) -> None:
    odd = [
        opinion("<b>bold</b> <1500 chars>", id_="op-1"),
        opinion("x" * 5000, ["y" * 500], id_="op-2", on_page=False),
        opinion("עברית \u202eabc\u202c 😀\u200d", ["<i>"] * 50, [step(None, 0.5)], id_="op-3"),
        opinion("", [], [step(TODAY, 0.98)], id_="op-4", superseded_by="op-1"),
    ]
    model = OpinionsModel()
    view = OpinionList(model, TODAY)
    qtbot.addWidget(view)
    view.resize(298, 500)
    view.show()
    model.set_rows(rows_of(odd, TODAY))
    model.set_open(True)
    for size in (90, 200):
        theme.set_text_size(size)
        for number in range(model.rowCount()):
            view.select_row(number)
            view.grab()
    theme.set_text_size(100)


def test_short_lists_fit_their_words_and_long_ones_are_uniform(qtbot: QtBot, theme: Theme) -> None:
    model = OpinionsModel()
    view = OpinionList(model, TODAY)
    qtbot.addWidget(view)
    view.resize(298, 500)
    view.show()
    two = [opinion("Short", id_="op-1"), opinion("So long that it needs a line more " * 2)]
    model.set_rows(rows_of(two, TODAY))
    heights = [view.visualRect(model.index(row, 0)).height() for row in range(2)]
    assert heights[0] < heights[1]
    many = [opinion(f"Short {n}", id_=f"op-{n}") for n in range(SHORT)] + two
    model.set_rows(rows_of(many, TODAY))
    heights = [view.visualRect(model.index(row, 0)).height() for row in range(SHORT + 2)]
    assert len(set(heights)) == 1


def test_the_dialog_repeats_what_will_be_set(qtbot: QtBot, theme: Theme) -> None:
    dialog = SetByHandDialog("<b>Prefers</b> " + "voice " * 200, 0)
    qtbot.addWidget(dialog)
    assert dialog.percent == 2  # nobody is ever entirely sure
    assert dialog.set_button.text() == "Set to 2\u00a0%"
    dialog.sure.set_value(75)
    assert dialog.set_button.accessibleName() == "Set to 75\u00a0%"
    dialog.show()
    assert dialog.height() < 700


def test_an_opinion_that_fits_is_not_scrolled(qtbot: QtBot, theme: Theme) -> None:
    detail = OpinionDetail(TODAY)
    qtbot.addWidget(detail)
    detail.resize(834, 760)
    detail.show()
    long = "Would rather repair the old oven than buy another one from the same place again. " * 3
    (row,) = rows_of([opinion(long, steps=VOICE[:1], on_page=False)], TODAY)
    detail.show_opinion(row)
    qtbot.waitUntil(lambda: detail.evidence.geometry().bottom() > 500)
    bar, inner = detail.verticalScrollBar(), detail.widget()
    needed = inner.heightForWidth(inner.width())
    assert needed < 760
    detail.resize(834, needed)
    qtbot.waitUntil(lambda: inner.height() == needed)
    assert bar.maximum() == 0
    detail.resize(834, needed - 20)
    qtbot.waitUntil(lambda: bar.maximum() == 20)
