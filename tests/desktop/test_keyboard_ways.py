"""Through the whole window by the keyboard: where the focus goes, and where Back leads."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from desk_tools import Notes, two_in_core
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from daybank import Workspace, open_workspace
from daybank.clock import FixedClock
from daybank_desktop.app import App
from daybank_desktop.options import Options
from daybank_desktop.pages.people_page import OPINIONS as OPINIONS_TAB
from daybank_desktop.widgets.tab_order import can_have_focus

CLOCK = FixedClock(datetime(2026, 11, 28, 9, tzinfo=UTC))
Key, Modifier = Qt.Key, Qt.KeyboardModifier


@pytest.fixture
def app(qtbot: QtBot, qapp: QApplication, tmp_path: Path) -> Iterator[App]:
    notes = Notes(tmp_path / "notes")
    two_in_core(notes)
    notes.write(
        "memory/2026-11-19.md",
        "## Retain\n- W @Mara: Opens up for the delivery.\n- O(c=0.8) @Mara: Prefers tea.\n",
    )
    notes.write(
        "memory/2026-11-18.md",
        "## Retain\n- W @Jun @Mara: Drew a sign.\n- O(c=0.6) @Jun: Prefers blue to red.\n",
    )

    def opened(path: Path) -> Workspace:
        return open_workspace(path, clock=CLOCK, choose_embedder=lambda: None)

    app = App(
        qapp,
        Options(workspace=str(notes.root), search="delivery", theme="light"),
        config=tmp_path / "config",
        clock=CLOCK,
        environ={},
        opener=opened,
    )
    app.start()
    app.window.resize(1366, 768)
    app.window.activateWindow()
    qtbot.waitUntil(app.window.isActiveWindow)
    qtbot.waitUntil(lambda: app.search.answer is not None and app.tasks.is_idle, timeout=10_000)
    yield app
    app.end()
    app.window.close()
    app.window.deleteLater()
    app.theme.deleteLater()
    app.deleteLater()


def focused() -> QWidget:
    widget = QApplication.focusWidget()
    assert widget is not None
    return widget


def press(qtbot: QtBot, key: Qt.Key, modifier: Qt.KeyboardModifier = Modifier.NoModifier) -> None:
    qtbot.keyClick(focused(), key, modifier)


def go(app: App, qtbot: QtBot, page: str) -> None:
    app.window.commands.run(f"page.{page}")
    qtbot.waitUntil(lambda: app.tasks.is_idle, timeout=10_000)


def person(app: App) -> str:
    portrait = app.curated.people.portrait
    return portrait.entity.name if portrait is not None else ""


def statement(app: App) -> str:
    row = app.curated.opinions.detail.shown_row
    return row.opinion.statement if row is not None else ""


def test_the_arrows_work_as_soon_as_a_page_is_opened(app: App, qtbot: QtBot) -> None:
    curated = app.curated
    assert focused() is app.window.search.edit
    go(app, qtbot, "people")
    qtbot.waitUntil(lambda: person(app) != "" and focused() is curated.people.list)
    first = person(app)
    press(qtbot, Key.Key_Down)
    qtbot.waitUntil(lambda: person(app) not in ("", first))
    go(app, qtbot, "opinions")
    qtbot.waitUntil(lambda: statement(app) != "" and focused() is curated.opinions.list)
    first = statement(app)
    press(qtbot, Key.Key_Down)
    assert statement(app) not in ("", first)
    go(app, qtbot, "review")
    assert focused() is curated.review.list
    go(app, qtbot, "search")
    assert focused() is app.search_page.list


def test_typing_keeps_the_field_though_the_page_changes(app: App, qtbot: QtBot) -> None:
    go(app, qtbot, "people")
    app.window.focus_search()
    qtbot.keyClicks(focused(), "sign")
    assert app.window.page_id == "search"
    assert focused() is app.window.search.edit
    assert app.window.search.text() == "sign"


def test_emptying_and_leaving_the_field_stays_on_the_page(app: App, qtbot: QtBot) -> None:
    go(app, qtbot, "opinions")
    app.window.focus_search()
    press(qtbot, Key.Key_Escape)
    assert app.window.search.text() == ""
    assert app.window.page_id == "opinions"
    press(qtbot, Key.Key_Escape)
    assert focused() is app.curated.opinions.list
    app.window.focus_search()
    press(qtbot, Key.Key_Down)
    assert focused() is app.curated.opinions.list


def test_back_and_forward_return_to_the_same_person_opinion_and_suggestion(
    app: App, qtbot: QtBot
) -> None:
    window, curated = app.window, app.curated
    window.go("people", "Jun")
    qtbot.waitUntil(lambda: person(app) == "Jun")
    curated.people.tabs.tab(OPINIONS_TAB).click()
    go(app, qtbot, "opinions")
    qtbot.waitUntil(lambda: statement(app) != "")
    curated.opinions.list.setFocus()
    press(qtbot, Key.Key_Down)
    opinion = statement(app)
    go(app, qtbot, "review")
    qtbot.waitUntil(lambda: curated.review.suggestion != "")
    suggestion = curated.review.suggestion
    window.go_back()
    qtbot.waitUntil(lambda: window.page_id == "opinions" and statement(app) == opinion)
    while window.page_id == "opinions":
        window.go_back()
    assert window.page_id == "people"
    qtbot.waitUntil(lambda: person(app) == "Jun")
    assert curated.people.tabs.current == OPINIONS_TAB
    while window.page_id != "review":
        window.go_forward()
    assert curated.review.suggestion == suggestion
    go(app, qtbot, "people")
    assert (person(app), curated.people.tabs.current) == ("Jun", OPINIONS_TAB)


@pytest.mark.parametrize("page", ["search", "people", "opinions", "review"])
def test_tab_reaches_everything_once_and_back_again(app: App, qtbot: QtBot, page: str) -> None:
    go(app, qtbot, page)
    qtbot.wait(50)
    start = focused()
    way = [start]
    for _ in range(100):
        press(qtbot, Key.Key_Tab)
        if focused() is start:
            break
        way.append(focused())
    assert focused() is start, "round in the end"
    stops = list(dict.fromkeys(way))
    assert all(way.count(w) == 1 for w in stops if w is not app.search_page.reader.view), "links"
    wanted = {w for w in app.window.findChildren(QWidget) if can_have_focus(w)}
    assert wanted <= set(way)
    press(qtbot, Key.Key_Backtab, Modifier.ShiftModifier)
    assert focused() is way[-1]


def test_tab_goes_down_the_column_before_it_crosses_to_what_is_read(app: App, qtbot: QtBot) -> None:
    go(app, qtbot, "people")
    people = app.curated.people
    qtbot.waitUntil(lambda: people.portrait is not None and bool(people.lines()))
    people.focus_filter()
    names = []
    for _ in range(6):
        press(qtbot, Key.Key_Tab)
        names.append(focused())
    assert names[2:5] == [people.list, people.names_button, people.more]
    assert names[5] in (people.lines()[0], *people.together())


def test_escape_on_a_narrow_window_goes_back_to_the_list(app: App, qtbot: QtBot) -> None:
    app.window.resize(820, 700)
    app.window.go("people", "Jun")
    people, opinions = app.curated.people, app.curated.opinions
    qtbot.waitUntil(lambda: person(app) == "Jun" and people.pane.isVisible())
    people.names_button.setFocus()
    press(qtbot, Key.Key_Escape)
    assert people.list.hasFocus()
    assert not people.pane.isVisible()
    press(qtbot, Key.Key_Down)
    qtbot.wait(200)
    assert not people.pane.isVisible(), "the arrows move in the list; Enter opens"
    go(app, qtbot, "opinions")
    qtbot.waitUntil(lambda: opinions.list.isVisible() and bool(opinions.model.rows))
    opinions.list.setFocus()
    press(qtbot, Key.Key_Return)
    assert opinions.detail.isVisible()
    press(qtbot, Key.Key_Escape)
    assert opinions.list.hasFocus()
