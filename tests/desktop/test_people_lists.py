"""The lists of the people page by themselves: rows on demand, keys, and thousands of rows."""

from __future__ import annotations

import time

import pytest
from fakes import TODAY, many, note
from PySide6.QtCore import QModelIndex, Qt
from PySide6.QtGui import QImage
from pytestqt.qtbot import QtBot

from daybank import EntitySummary
from daybank.markdown.model import Kind, Role, Source
from daybank.reflect.opinion_list import Opinion
from daybank_desktop.models.entity_facts_model import STRETCH, EntityFactsModel
from daybank_desktop.models.people_model import PeopleModel
from daybank_desktop.theme import Theme
from daybank_desktop.widgets.fact_list import FactList
from daybank_desktop.widgets.people_list import PeopleList

OPINION = Opinion("op-1", "Prefers rye", ("Jun",), 0.81, Source("bank/opinions.md", 3, 3), ())


@pytest.fixture
def facts(theme: Theme) -> EntityFactsModel:
    return EntityFactsModel()


@pytest.fixture
def view(qtbot: QtBot, facts: EntityFactsModel) -> FactList:
    view = FactList(facts, TODAY)
    qtbot.addWidget(view)
    view.resize(800, 400)
    view.show()
    qtbot.waitExposed(view)
    return view


def test_rows_come_a_stretch_at_a_time(
    view: FactList, facts: EntityFactsModel, qtbot: QtBot
) -> None:
    facts.set_rows(many(1000))
    qtbot.wait(30)
    assert facts.rowCount() == STRETCH
    assert view.height() == STRETCH * view.row_height + 2
    view.fetch_more()
    assert facts.rowCount() == 2 * STRETCH
    view.choose_row(2 * STRETCH - 1)
    assert facts.rowCount() == 3 * STRETCH
    assert not facts.canFetchMore(QModelIndex())  # the end is out of sight


def test_more_of_the_same_adds_and_does_not_reset(facts: EntityFactsModel, qtbot: QtBot) -> None:
    rows = many(1000)
    facts.set_rows(rows[:50])
    with qtbot.assertNotEmitted(facts.modelReset):
        facts.set_rows(rows, keep=True)
    assert facts.total == 1000
    assert facts.rowCount() == STRETCH


def test_renewed_rows_stay_as_far_as_one_had_come(facts: EntityFactsModel) -> None:
    rows = many(1000)
    facts.set_rows(rows)
    facts.is_end_in_sight = True
    facts.fetchMore(QModelIndex())
    facts.set_rows([note("New."), *rows], keep=True)
    assert facts.rowCount() == 2 * STRETCH
    assert facts.index(0, 0).data() == "New."


def test_oldest_first_keeps_what_has_no_day_at_the_end(facts: EntityFactsModel) -> None:
    undated = note("Whenever.", day=None)
    facts.set_rows([note("New."), note("Old.", line=2), undated])
    facts.set_oldest_first(True)
    assert [row.content for row in facts.rows] == ["Old.", "New.", "Whenever."]  # type: ignore[union-attr]


def test_a_row_is_said_in_full_sentences(facts: EntityFactsModel) -> None:
    facts.set_rows([OPINION])
    said = facts.index(0, 0).data(Qt.ItemDataRole.AccessibleTextRole)
    assert said == "Prefers rye. 81 % sure."
    assert facts.index(0, 0).data(Qt.ItemDataRole.ToolTipRole) is None


def test_rows_of_every_sort_can_be_painted(
    view: FactList, facts: EntityFactsModel, theme: Theme
) -> None:
    facts.set_rows(
        [
            note("<b>bold</b> <img src='file:///x'>"),
            note("x" * 5000),
            note("עברית \u202eabc\u202c 😀\u200d"),
            note("", day=None, role=Role.PAGE, path="<b>.md"),
            note("Said", kind=Kind.MESSAGE, role=Role.CHAT),
            OPINION,
        ]
    )
    for size in (90, 200):
        theme.set_text_size(size)
        view.render(QImage(view.size(), QImage.Format.Format_ARGB32))
    theme.set_text_size(100)


def test_where_there_is_little_room_the_words_have_a_line_of_their_own(
    view: FactList, facts: EntityFactsModel
) -> None:
    facts.set_rows(many(3))
    usual = view.row_height
    view.resize(400, view.height())
    assert view.row_height > usual
    assert view.height() == 3 * view.row_height + 2
    view.render(QImage(view.size(), QImage.Format.Format_ARGB32))


def test_keys_open_and_leave_the_list(
    view: FactList, facts: EntityFactsModel, qtbot: QtBot
) -> None:
    rows = many(5)
    facts.set_rows(rows)
    view.choose_row(0)
    qtbot.keyClick(view, Qt.Key.Key_Down)
    with qtbot.waitSignal(view.opened) as opened:
        qtbot.keyClick(view, Qt.Key.Key_Return)
    assert opened.args == [rows[1]]
    view.choose_row(0)
    with qtbot.waitSignal(view.left_upwards):
        qtbot.keyClick(view, Qt.Key.Key_Up)


def test_ten_thousand_people_stay_fluid(qtbot: QtBot, theme: Theme) -> None:
    model = PeopleModel(TODAY)
    people = PeopleList(model, TODAY)
    qtbot.addWidget(people)
    people.resize(272, 500)
    people.show()
    qtbot.waitExposed(people)
    everyone = [EntitySummary(f"n{n}", f"Name {n}", "person", n, TODAY) for n in range(10_000)]
    started = time.perf_counter()
    model.set_people(everyone)
    people.choose_row(0)
    image = QImage(people.size(), QImage.Format.Format_ARGB32)
    people.render(image)
    assert time.perf_counter() - started < 1.0
    slowest = 0.0
    for end in range(1, 8):
        started = time.perf_counter()
        model.set_text("name 123"[:end])
        people.render(image)
        slowest = max(slowest, time.perf_counter() - started)
    assert model.rowCount() == 111
    assert slowest < 0.3
