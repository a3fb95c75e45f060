"""The cards: what they say, how keys move among them, and ten thousand of them."""

from __future__ import annotations

import time
from dataclasses import replace

import pytest
from fakes import TODAY, DayEntry, bakery, many, note
from PySide6.QtCore import Qt
from PySide6.QtGui import QImage
from pytestqt.qtbot import QtBot

from daybank.markdown.model import Kind, Role
from daybank.recall.results import RecallResult, Why
from daybank_desktop.models.results_model import ResultsModel, spoken
from daybank_desktop.theme import Theme
from daybank_desktop.widgets.result_list import ResultList


@pytest.fixture
def model(theme: Theme) -> ResultsModel:
    model = ResultsModel()
    model.set_rows(bakery().notes)
    return model


@pytest.fixture
def view(qtbot: QtBot, model: ResultsModel) -> ResultList:
    view = ResultList(model, TODAY)
    qtbot.addWidget(view)
    view.resize(450, 600)
    view.show()
    qtbot.waitExposed(view)
    return view


def test_a_row_is_said_in_full_sentences(model: ResultsModel) -> None:
    said = spoken(model.rows[2])
    assert said == (
        "Opinion, Mara, Fri 20 Nov 2026. Mara would rather pay a little more than change the "
        "delivery day again. Journal, 20 Nov 2026, line 7. 74 % sure."
    )
    index = model.index(2, 0)
    assert index.data(Qt.ItemDataRole.AccessibleTextRole) == said


def test_no_role_offers_markup(model: ResultsModel) -> None:
    model.set_rows([note("<b>x</b>")])
    index = model.index(0, 0)
    assert index.data() == "<b>x</b>"
    assert index.data(Qt.ItemDataRole.ToolTipRole) is None


def test_the_keys_of_the_list(qtbot: QtBot, view: ResultList) -> None:
    view.select_row(0)
    view.setFocus()
    qtbot.keyClick(view, Qt.Key.Key_Down)
    assert view.currentIndex().row() == 1
    qtbot.keyClick(view, Qt.Key.Key_End)
    assert view.currentIndex().row() == 5
    qtbot.keyClick(view, Qt.Key.Key_Home)
    assert view.currentIndex().row() == 0
    with qtbot.waitSignal(view.left_upwards):
        qtbot.keyClick(view, Qt.Key.Key_Up)
    with qtbot.waitSignal(view.opened) as opened:
        qtbot.keyClick(view, Qt.Key.Key_Return)
    assert isinstance(opened.args[0], RecallResult)
    with qtbot.waitSignal(view.copy_asked):
        qtbot.keyClick(view, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)


def test_the_current_card_unfolds_and_the_one_before_folds(view: ResultList, qtbot: QtBot) -> None:
    def heights() -> list[int]:
        return [view.visualRect(view.model().index(row, 0)).height() for row in range(2)]

    view.select_row(0)
    qtbot.waitUntil(lambda: heights()[0] > heights()[1])
    view.select_row(1)
    qtbot.waitUntil(lambda: heights()[0] < heights()[1])


def test_cards_of_every_sort_can_be_painted(qtbot: QtBot, view: ResultList, theme: Theme) -> None:
    odd = [
        note("<b>bold</b> <1500 chars> <img src='file:///x'>", words=("bold",)),
        note("x" * 5000, words=("x" * 10,)),
        note("עברית \u202eabc\u202c 😀\u200d", words=("עברית",), entities=("<i>" * 50,)),
        note("", day=None, role=Role.PAGE, path="<b>.md"),
        note("Said", kind=Kind.MESSAGE, role=Role.CHAT),
        DayEntry(TODAY, "memory/2026-11-27.md", 1),
    ]
    view.model().set_rows(odd)  # type: ignore[attr-defined]
    for size in (90, 200):
        theme.set_text_size(size)
        for row in range(len(odd)):
            view.select_row(row)
            image = QImage(view.size(), QImage.Format.Format_ARGB32)
            view.render(image)
    theme.set_text_size(100)


def test_more_rows_do_not_disturb_the_ones_in_sight(qtbot: QtBot, view: ResultList) -> None:
    rows = many(300)
    model = view.model()
    assert isinstance(model, ResultsModel)
    model.set_rows(rows[:100])
    view.select_row(42)
    before = view.verticalScrollBar().value()
    with qtbot.assertNotEmitted(model.modelReset):
        model.set_rows(rows)
    assert model.rowCount() == 300
    assert view.currentIndex().row() == 42
    assert view.verticalScrollBar().value() == before


def test_the_same_rows_with_moved_lines_only_change(qtbot: QtBot, model: ResultsModel) -> None:
    rows = list(model.rows)
    first = rows[0]
    assert isinstance(first, RecallResult)
    rows[0] = replace(first, source=replace(first.source, line_start=99, line_end=99))
    with qtbot.waitSignal(model.dataChanged), qtbot.assertNotEmitted(model.modelReset):
        model.set_rows(rows)


def test_the_end_of_the_list_asks_for_more_once(qtbot: QtBot, model: ResultsModel) -> None:
    model.set_rows(many(100), has_more=True)
    asked: list[int] = []
    model.wants_more.connect(lambda: asked.append(1))
    parent = model.index(-1, 0)
    assert model.canFetchMore(parent)
    model.fetchMore(parent)
    assert not model.canFetchMore(parent)
    model.fetchMore(parent)
    assert asked == [1]


def heights(view: ResultList) -> list[int]:
    model = view.model()
    return [view.visualRect(model.index(row, 0)).height() for row in range(model.rowCount())]


def test_cards_out_of_sight_get_their_height_soon_after(qtbot: QtBot, view: ResultList) -> None:
    model = view.model()
    assert isinstance(model, ResultsModel)
    wide = "W" * 60  # wider than the letters that a height is estimated with
    rows = [note(f"{wide} {n}", line=n + 1) for n in range(60)]
    model.set_rows(rows)
    view.select_row(0)
    estimated = heights(view)
    in_sight = view.indexAt(view.viewport().rect().bottomLeft()).row()
    qtbot.waitUntil(lambda: view._cards.is_measured and not view._measuring.isActive())
    measured = heights(view)
    assert measured[: in_sight + 1] == estimated[: in_sight + 1]
    assert len(set(measured[1:])) == 1
    assert estimated[59] != measured[59]


def test_what_is_looked_at_stays_where_it_is_while_the_rest_is_measured(
    qtbot: QtBot, view: ResultList
) -> None:
    model = view.model()
    assert isinstance(model, ResultsModel)
    model.set_rows([note(f"{'W' * 60} {n}", line=n + 1) for n in range(200)])
    view.select_row(0)
    view.setFocus()
    qtbot.keyClick(view, Qt.Key.Key_End)
    assert not view._cards.is_measured
    qtbot.waitUntil(lambda: view._cards.is_measured and not view._measuring.isActive())
    qtbot.wait(1)
    assert view.currentIndex().row() == 199
    assert view.visualRect(view.currentIndex()).intersects(view.viewport().rect())


def test_far_down_in_a_long_list_the_keys_do_not_make_it_jump(
    qtbot: QtBot, view: ResultList
) -> None:
    model = view.model()
    assert isinstance(model, ResultsModel)
    model.set_rows(many(1000))
    view.select_row(600)
    view.setFocus()
    qtbot.waitUntil(lambda: view._cards.is_measured and not view._measuring.isActive())
    for row in range(601, 605):
        qtbot.keyClick(view, Qt.Key.Key_Down)
        qtbot.wait(30)  # it is laid out anew, as other cards are unfolded now
        assert view.currentIndex().row() == row
        assert view.visualRect(view.currentIndex()).intersects(view.viewport().rect())


def test_ten_thousand_cards_stay_fluid(qtbot: QtBot, view: ResultList) -> None:
    model = view.model()
    assert isinstance(model, ResultsModel)
    rows = many(10_000)
    started = time.perf_counter()
    model.set_rows(rows)
    view.select_row(0)
    image = QImage(view.size(), QImage.Format.Format_ARGB32)
    view.render(image)
    assert time.perf_counter() - started < 1.0
    qtbot.wait(50)
    slowest = 0.0
    for _ in range(10):
        started = time.perf_counter()
        qtbot.keyClick(view, Qt.Key.Key_Down)
        view.render(image)
        slowest = max(slowest, time.perf_counter() - started)
    assert view.currentIndex().row() == 10
    assert slowest < 0.3


def test_what_is_of_another_time_stands_under_one_heading_and_says_so(
    model: ResultsModel, view: ResultList
) -> None:
    other = Why(words=("flour",), outside=True)
    rows = [
        note("flour one", line=1),
        note("flour two", line=2, why=other),
        note("flour six", line=3, why=other),
    ]
    model.set_rows(rows)
    view.setCurrentIndex(model.index(0, 0))
    inside, first, second = (view.visualRect(model.index(row, 0)).height() for row in range(3))
    assert first > second
    assert inside >= second  # the current one may unfold why it was found
    assert "another time" in spoken(rows[1])
    assert "another time" not in spoken(rows[0])
