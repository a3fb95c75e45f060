"""The page of people and things over a real folder: from the list to the note, and the names."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QImage
from pytestqt.qtbot import QtBot

from daybank import Workspace, open_workspace
from daybank.clock import FixedClock
from daybank.errors import DaybankError
from daybank.markdown.model import Source
from daybank_desktop.pages.people_page import (
    CONVERSATIONS,
    NOTES,
    OPINIONS,
    PeoplePage,
    PeoplePlace,
)
from daybank_desktop.services.library import Library
from daybank_desktop.services.people import FIRST, People
from daybank_desktop.services.settings import SettingsStore
from daybank_desktop.tasks import Tasks
from daybank_desktop.theme import Theme

TODAY = date(2026, 11, 27)
NOW = datetime(2026, 11, 27, 12, tzinfo=UTC)

FILES = {
    "bank/entities/Mara.md": """---
title: Mara
aliases: [Mara S.]
type: person
---
# Mara

<!-- daybank:begin summary -->
- Opens up for the Tuesday delivery. (memory/2026-11-19.md#L4)
- Prefers a short voice message. (memory/2026-11-20.md#L4)
<!-- daybank:end summary -->

She sings when things go well.
""",
    "bank/entities/Oven 2.md": "---\ntitle: Oven 2\ntype: thing\n---\n# Oven 2\n",
    "memory/2026-11-19.md": """# 2026-11-19

## Retain
- B @Mara @Jun: Mara opens up for the Tuesday delivery.
- B @Jun: Chose the second sketch.
- W @Mara: Pastry course from 5 to 16 October 2026.
""",
    "memory/2026-11-20.md": """# 2026-11-20

## Retain
- O(c=0.81) @Mara: Prefers a short voice message.
- B @Mara @[Oven 2]: Cleaned the oven.
""",
    "memory/2025-03-02.md": "# 2025-03-02\n\n## Retain\n- W @Mana: Brought the keys.\n",
    "logs/chat.jsonl": (
        '{"ts": "2026-11-18T11:02:10Z", "session_id": "s-1", "direction": "in", "chat_id": 1,'
        ' "user_id": 1, "text": "When is Mara back?"}\n'
    ),
}


def write(folder: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")


class Desk:
    """The page with everything behind it, over a folder on the disk."""

    def __init__(self, qtbot: QtBot, folder: Path, config: Path) -> None:
        self.qtbot = qtbot
        self.folder = folder
        self.tasks = Tasks()
        self.change: Callable[[Any], None] = lambda workspace: None
        self.library = Library(self.tasks, self._open)
        self.settings = SettingsStore(config / "desktop.json")
        self.people = People(self.tasks, self.library, self.settings)
        self.page = PeoplePage(self.tasks, self.library, self.people, TODAY)
        qtbot.addWidget(self.page)
        self.page.resize(1154, 652)
        self.bugs: list[object] = []
        self.sources: list[object] = []
        self.pages: list[tuple[str, object]] = []
        self.places: list[PeoplePlace] = []
        self.toasts: list[tuple[str, str, Any]] = []
        self.tasks.bug.connect(self.bugs.append)
        self.page.source_requested.connect(self.sources.append)
        self.page.page_requested.connect(lambda page, state: self.pages.append((page, state)))
        self.page.place_changed.connect(self.places.append)
        self.page.toast_requested.connect(lambda *toast: self.toasts.append(toast))
        self.library.changed.connect(self.page.refresh)

    def _open(self, path: Path) -> Workspace:
        workspace = open_workspace(path, clock=FixedClock(NOW))
        self.change(workspace)
        return workspace

    def open(self) -> None:
        self.page.show()
        self.library.open(self.folder)
        self.settle()

    def settle(self) -> None:
        self.qtbot.waitUntil(
            lambda: (
                self.library.workspace is not None
                and not self.library.is_syncing
                and self.tasks.is_idle
            ),
            timeout=30_000,
        )

    def show(self, name: str) -> None:
        self.page.show_person(name)
        self.settle()

    def names(self) -> list[str]:
        return [row.name for row in self.page.model.rows]

    def rows(self) -> list[str]:
        model = self.page.facts
        return [model.index(row, 0).data() for row in range(model.rowCount())]

    def close(self) -> None:
        self.library.stop()
        assert self.tasks.shutdown()
        self.library.close()
        assert not self.bugs


@pytest.fixture
def desk(qtbot: QtBot, theme: Theme, tmp_path: Path) -> Iterator[Desk]:
    folder = tmp_path / "notes"
    write(folder, FILES)
    desk = Desk(qtbot, folder, tmp_path / "config")
    yield desk
    desk.close()


@pytest.fixture
def mara(desk: Desk) -> Desk:
    desk.open()
    desk.show("Mara")
    return desk


# What is shown


def test_the_list_comes_latest_first_and_the_first_of_it_is_shown(desk: Desk) -> None:
    desk.open()
    assert desk.names() == ["Mara", "Oven 2", "Jun", "Mana"]
    assert desk.page.portrait is not None
    assert desk.page.portrait.entity.name == "Mara"
    assert desk.page.list.currentIndex().row() == 0
    assert desk.page.state == "page"


def test_the_head_says_names_sort_and_since_when(mara: Desk) -> None:
    assert mara.page._about.text() == "Person · also Mara S. · 5 notes since November 2026"


def test_now_cites_the_notes_that_its_lines_come_from(mara: Desk) -> None:
    lines = mara.page.lines()
    assert [line.words for line in lines] == [
        "Opens up for the Tuesday delivery.",
        "Prefers a short voice message.",
    ]
    assert lines[0].cited == "19 Nov"
    lines[0].click()
    source, _ = mara.sources[-1]  # type: ignore[misc]
    assert source == Source("memory/2026-11-19.md", 4, 4)


def test_a_line_that_cites_an_opinion_by_its_id_says_how_sure(mara: Desk) -> None:
    portrait = mara.page.portrait
    assert portrait is not None
    opinion = next(note for note in portrait.notes if note.confidence is not None)
    page = mara.folder / "bank/entities/Mara.md"
    text = page.read_text("utf-8")
    cited = f"(memory/2026-11-20.md#L4 ^{opinion.id})"
    page.write_text(text.replace("(memory/2026-11-20.md#L4)", cited), "utf-8")
    mara.library.sync()
    mara.settle()
    assert mara.page.lines()[1].cited == "20 Nov · 81 % sure"
    mara.page.lines()[1].click()
    assert mara.sources[-1] == (opinion.source, opinion.id)


def test_without_a_page_the_newest_notes_stand_in(mara: Desk) -> None:
    mara.show("Jun")
    assert mara.page._now_title.text() == "Lately"
    assert "Chose the second sketch." in [line.words for line in mara.page.lines()]


def test_whom_they_are_mentioned_with_is_a_press_away(mara: Desk) -> None:
    chips = {chip.words(): chip for chip in mara.page.together()}
    assert set(chips) == {"Jun", "Oven 2"}
    chips["Jun"].click()
    mara.settle()
    assert mara.page.portrait is not None
    assert mara.page.portrait.entity.name == "Jun"
    assert mara.places[-1] == PeoplePlace("Jun", NOTES)
    assert mara.page.list.current is not None
    assert mara.page.list.current.name == "Jun"


def test_lines_and_chips_stay_and_say_what_is_so_of_the_next_one(mara: Desk) -> None:
    line, chip = mara.page.lines()[0], mara.page.together()[0]
    mara.show("Mana")
    assert mara.page.lines() == [line]
    assert line.words == "Brought the keys."
    assert mara.page.together() == []
    line.click()
    source, _ = mara.sources[-1]  # type: ignore[misc]
    assert source == Source("memory/2025-03-02.md", 4, 4)
    mara.show("Mara")
    assert len(mara.page.lines()) == 2
    assert mara.page.lines()[0] is line
    assert mara.page.together()[0] is chip


def test_back_in_sight_the_page_is_painted_before_it_asks_for_news(
    mara: Desk, qtbot: QtBot
) -> None:
    before = mara.page.portrait
    assert before is not None
    mara.page.hide()
    path = mara.folder / "memory/2026-11-21.md"
    path.write_text("# 2026-11-21\n\n## Retain\n- B @Mara @Ida: Swept the yard.\n", "utf-8")
    mara.library.sync()
    mara.settle()
    mara.page.show()
    assert mara.tasks.is_idle
    assert mara.page.portrait is before
    qtbot.waitUntil(lambda: "Ida" in mara.names())
    qtbot.waitUntil(lambda: "Swept the yard." in mara.rows())


def test_whoever_is_asked_for_as_the_page_comes_back_is_read_once(
    mara: Desk, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[str] = []
    load = mara.people._load
    monkeypatch.setattr(
        mara.people, "_load", lambda name, limit: (read.append(name), load(name, limit))
    )
    mara.page.hide()
    mara.page.refresh()
    mara.page.show()
    mara.page.show_place(PeoplePlace("Jun", NOTES), again=True)
    qtbot.waitUntil(lambda: mara.page._name.text() == "Jun")
    mara.settle()
    assert read == ["Jun"]


def test_notes_that_stayed_are_the_very_same_after_a_change(mara: Desk) -> None:
    before = mara.page.portrait
    assert before is not None
    path = mara.folder / "memory/2026-11-21.md"
    path.write_text("# 2026-11-21\n\n## Retain\n- B @Mara: Swept the yard.\n", "utf-8")
    mara.library.sync()
    mara.settle()
    now = mara.page.portrait
    assert now is not None
    assert now.notes[0].content == "Swept the yard."
    assert len(now.notes) == len(before.notes) + 1
    kept = {note.id: note for note in before.notes}
    assert all(kept[note.id] is note for note in now.notes[1:])


def test_the_timeline_has_their_notes_and_opens_them(mara: Desk, qtbot: QtBot) -> None:
    plot = mara.page.timeline.plot
    assert {item.text for item in plot.items.spans} == {"Pastry course from 5 to 16 October 2026."}
    qtbot.keyClick(plot, Qt.Key.Key_Home)
    qtbot.keyClick(plot, Qt.Key.Key_Return)
    source, _ = mara.sources[-1]  # type: ignore[misc]
    assert source.path == "memory/2026-11-19.md"


def test_notes_opinions_and_conversations_are_tabs(mara: Desk, qtbot: QtBot) -> None:
    page = mara.page
    assert page.tabs.tab(NOTES).count == "5"
    assert "Cleaned the oven." in mara.rows()
    assert not any(text.startswith("Opens up for") for text in mara.rows())  # our own words
    page.tabs.tab(NOTES).setFocus()
    qtbot.keyClick(page.tabs.tab(NOTES), Qt.Key.Key_Right)
    assert page.tabs.current == OPINIONS
    assert mara.rows() == ["Prefers a short voice message"]
    qtbot.keyClick(page.fact_list, Qt.Key.Key_Return)
    page.fact_list.setFocus()
    qtbot.keyClick(page.fact_list, Qt.Key.Key_Return)
    assert mara.pages[-1][0] == "opinions"
    assert str(mara.pages[-1][1]).startswith("op-")
    page.tabs.tab(CONVERSATIONS).click()
    assert mara.rows() == ["When is Mara back?"]
    assert mara.places[-1] == PeoplePlace("Mara", CONVERSATIONS)
    qtbot.mouseClick(page.fact_list.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(200, 10))
    source, _ = mara.sources[-1]  # type: ignore[misc]
    assert source.path == "logs/chat.jsonl"


def test_the_notes_can_be_turned_around(mara: Desk) -> None:
    newest = mara.rows()
    mara.page._sort(True, "Oldest first")
    oldest = mara.rows()
    assert oldest != newest
    assert sorted(oldest) == sorted(newest)
    assert oldest[-1] == newest[-1] == "She sings when things go well."  # undated


# The list


def test_typing_finds_names_and_aliases_and_the_keys_go_on(desk: Desk, qtbot: QtBot) -> None:
    desk.open()
    page = desk.page
    page.focus_filter()
    qtbot.keyClicks(page.filter.edit, "jun")
    assert desk.names() == ["Jun"]
    qtbot.keyClick(page.filter.edit, Qt.Key.Key_Down)
    qtbot.waitUntil(lambda: page.portrait is not None and page.portrait.entity.name == "Jun")
    qtbot.keyClick(page.list, Qt.Key.Key_Up)
    page.filter.set_text("mara s")
    desk.settle()
    qtbot.waitUntil(lambda: desk.names() == ["Mara"])
    page.filter.set_text("nobody at all")
    assert page.list_state == "empty"
    page._nobody.acted.emit()
    assert page.list_state == "list"
    assert len(desk.names()) == 4


def test_holding_the_arrow_key_opens_only_where_it_stops(desk: Desk, qtbot: QtBot) -> None:
    desk.open()
    asked: list[str] = []
    desk.people.loading.connect(asked.append)
    desk.page.list.setFocus()
    for _ in range(3):
        qtbot.keyClick(desk.page.list, Qt.Key.Key_Down)
    qtbot.waitUntil(lambda: bool(asked))
    desk.settle()
    assert asked == ["Mana"]
    assert desk.page.portrait is not None
    assert desk.page.portrait.entity.name == "Mana"


def test_back_and_forward_show_the_same_place_again(mara: Desk) -> None:
    mara.page.show_place(PeoplePlace("Jun", CONVERSATIONS), True)
    mara.settle()
    assert mara.page.portrait is not None
    assert mara.page.portrait.entity.name == "Jun"
    assert mara.page.tabs.current == CONVERSATIONS
    mara.page.show_place(PeoplePlace("Mara S."), False)
    mara.settle()
    assert mara.page.portrait.entity.name == "Mara"
    assert mara.page.tabs.current == NOTES


# Names


def test_a_name_is_added_and_taken_back(mara: Desk, qtbot: QtBot) -> None:
    page = mara.page
    page.names_button.click()
    assert page.names.isVisible()
    qtbot.keyClicks(page.names.field.edit, "Marita")
    qtbot.keyClick(page.names.field.edit, Qt.Key.Key_Return)
    mara.settle()
    assert page.names.names == ("Mara S.", "Marita")
    assert "Marita" in (mara.folder / "bank/entities/Mara.md").read_text("utf-8")
    text, action, undo = mara.toasts[-1]
    assert (text, action) == ("“Marita” means Mara now", "Undo")
    undo()
    mara.settle()
    assert page.names.names == ("Mara S.",)
    assert (mara.folder / "bank/entities/Mara.md").read_text("utf-8") == FILES[
        "bank/entities/Mara.md"
    ]


def test_a_name_is_removed_by_its_chip(mara: Desk, qtbot: QtBot) -> None:
    page = mara.page
    page.names_button.click()
    chip = page.names.chips()[0]
    chip.setFocus()
    qtbot.keyClick(chip, Qt.Key.Key_Backspace)
    mara.settle()
    assert page.names.names == ()
    assert mara.toasts[-1][0] == "“Mara S.” does not mean Mara any more"
    qtbot.keyClick(page.names, Qt.Key.Key_Escape)
    assert not page.names.isVisible()


def test_a_name_that_cannot_be_added_says_why_and_keeps_what_was_typed(
    desk: Desk, qtbot: QtBot
) -> None:
    def refuse(workspace: Any) -> None:
        def add_alias(name: str, alias: str) -> None:
            raise DaybankError("This page cannot be written.", "Nothing was changed.")

        workspace.add_alias = add_alias

    desk.change = refuse
    desk.open()
    page = desk.page
    page.names_button.click()
    qtbot.keyClick(page.names.field.edit, Qt.Key.Key_Return)
    assert page.names.field.error == "Type a name first."
    qtbot.keyClicks(page.names.field.edit, "Mara S.")
    qtbot.keyClick(page.names.field.edit, Qt.Key.Key_Return)
    assert page.names.field.error == "This name is there already."
    page.names.field.set_text("Marita")
    page.names.add_button.click()
    desk.settle()
    assert page.names.field.error == "This page cannot be written. Nothing was changed."
    assert page.names.field.text() == "Marita"
    assert page.names.add_button.isEnabled()


def test_two_names_alike_are_asked_about_and_the_no_is_remembered(mara: Desk) -> None:
    page = mara.page
    assert page.question.isVisible()
    assert page.question.text == "“Mana” is also written. The same as Mara?"
    page.question.other.click()
    mara.settle()
    assert not page.question.isVisible()
    mara.show("Mana")
    assert not page.question.isVisible()
    fresh = SettingsStore(mara.settings._path).value
    assert fresh.not_same == (f"{mara.folder}\tmana\tmara",)


def test_saying_same_writes_it_as_another_name_and_can_be_undone(mara: Desk) -> None:
    mara.show("Mana")
    assert mara.page.question.text == "“Mara” is written more often. Is Mana the same?"
    mara.page.question.same.click()
    mara.settle()
    assert "Mana" not in mara.names()
    assert mara.page.portrait is not None
    assert mara.page.portrait.entity.name == "Mara"
    assert "Brought the keys." in mara.rows()
    mara.toasts[-1][2]()
    mara.settle()
    assert "Mana" in mara.names()


# States


def test_a_folder_without_anybody_says_how_they_get_here(desk: Desk) -> None:
    for name in FILES:
        (desk.folder / name).unlink()
    desk.open()
    assert desk.page.state == "empty"
    assert desk.page.list_state == "empty"
    assert desk.page._nothing._title.text() == "Nobody and nothing yet"


def test_somebody_who_is_not_there_is_said_so(desk: Desk) -> None:
    desk.open()
    desk.show("Nobody <b>known</b>")
    assert desk.page.state == "empty"
    assert "Nobody <b>known</b>" in desk.page._nothing._title.text()


def test_what_takes_long_shows_bars_and_an_error_offers_to_try_again(
    desk: Desk, qtbot: QtBot
) -> None:
    trouble: list[DaybankError] = []

    def slow(workspace: Any) -> None:
        answer = workspace.entity

        def entity(name: str, *, limit: int = 200) -> object:
            if name == "Jun":
                time.sleep(0.5)
            if trouble:
                raise trouble[0]
            return answer(name, limit=limit)

        workspace.entity = entity

    desk.change = slow
    desk.open()
    desk.page.show_person("Jun")
    qtbot.waitUntil(lambda: desk.page.state == "loading")
    desk.settle()
    assert desk.page.state == "page"
    trouble.append(DaybankError("The folder cannot be reached.", "Nothing was lost."))
    desk.show("Mara")
    assert desk.page.state == "error"
    trouble.clear()
    desk.page._error.primary_clicked.emit()
    desk.settle()
    assert desk.page.state == "page"


def test_a_list_that_cannot_be_had_offers_to_try_again(desk: Desk) -> None:
    trouble = [DaybankError("The folder cannot be reached.", "Nothing was lost.")]

    def fail(workspace: Any) -> None:
        answer = workspace.entities

        def entities(prefix: str = "", limit: int = 0) -> object:
            if trouble:
                raise trouble[0]
            return answer(prefix, limit)

        workspace.entities = entities

    desk.change = fail
    desk.open()
    assert desk.page.list_state == "error"
    trouble.clear()
    desk.page._list_error.primary_clicked.emit()
    desk.settle()
    assert desk.page.list_state == "list"


def test_new_notes_come_in_without_moving_what_is_looked_at(mara: Desk) -> None:
    mara.page.timeline.plot.zoom(4)
    scale = mara.page.timeline.plot.scale
    write(mara.folder, {"memory/2026-11-26.md": "## Retain\n- B @Mara: Sang all day.\n"})
    mara.library.sync()
    mara.settle()
    assert "Sang all day." in mara.rows()
    assert mara.page.timeline.plot.scale == scale
    assert mara.page.tabs.tab(NOTES).count == "6"


ODD = "<b>bold</b> &amp; <img src='file:///x'> שלום a\u200bb"


def test_markup_is_text_everywhere(desk: Desk) -> None:
    name = "<i>R&D</i> \u200bx"
    page = f"---\ntitle: '{name}'\ntype: <u>thing</u>\n---\n# x\n\n- Keeps `{ODD}` in mind.\n"
    write(
        desk.folder,
        {
            "bank/entities/odd.md": page,
            "memory/2026-11-21.md": f"## Retain\n- O @[{name}] @Jun: A `{ODD}` b.\n",
        },
    )
    desk.open()
    desk.show(name)
    shown = desk.page
    assert shown._name.text() == name
    assert shown._about.text().startswith("<u>thing</u>")
    assert ODD in shown.lines()[0].words
    assert any(ODD in text for text in desk.rows())
    assert ODD in shown.timeline.readout.text
    desk.show("Jun")
    assert name in [chip.words() for chip in shown.together()]
    image = QImage(shown.size(), QImage.Format.Format_ARGB32)
    for tab in (NOTES, OPINIONS, CONVERSATIONS):
        shown.tabs.tab(tab).click()
        shown.render(image)


# Room


def test_on_a_narrow_window_list_and_page_take_turns(mara: Desk, qtbot: QtBot) -> None:
    page = mara.page
    page.resize(700, 600)
    assert not page.list.isVisible()
    page.back.click()
    assert page.list.isVisible()
    assert not page.pane.isVisible()
    qtbot.keyClick(page.list, Qt.Key.Key_Return)
    assert page.pane.isVisible()
    page.resize(1154, 652)
    assert page.list.isVisible()
    assert page.pane.isVisible()
    assert not page.back.isVisible()


def test_large_text_takes_turns_too_and_all_sizes_paint(mara: Desk, theme: Theme) -> None:
    for percent in (90, 150, 200):
        theme.set_text_size(percent)
        assert mara.page.list.isVisible() == (percent < 150)
        mara.page.render(QImage(mara.page.size(), QImage.Format.Format_ARGB32))
    theme.set_text_size(100)


def test_nothing_is_cut_off_in_the_smallest_window_with_the_largest_text(
    mara: Desk, theme: Theme
) -> None:
    page = mara.page
    theme.set_text_size(200)
    page.resize(744, 560)
    page.names_button.click()
    for tab in (NOTES, OPINIONS, CONVERSATIONS):
        page.tabs.tab(tab).click()
        assert page._body.minimumSizeHint().width() <= page.pane.viewport().width()
        assert page._left.minimumSizeHint().width() <= page.width()
    theme.set_text_size(100)


def test_ten_thousand_notes_of_one_and_as_many_things(
    qtbot: QtBot, theme: Theme, tmp_path: Path
) -> None:
    folder = tmp_path / "many"
    for number in range(50):
        day = date.fromordinal(TODAY.toordinal() - number)
        bullets = "\n".join(
            f"- W @Mara @[Thing {number * 200 + n}]: Note {n} of {day}." for n in range(200)
        )
        write(folder, {f"memory/{day}.md": f"## Retain\n{bullets}\n"})
    desk = Desk(qtbot, folder, tmp_path / "config")
    try:
        desk.open()
        started = time.perf_counter()
        desk.page.show_person("Mara")
        qtbot.waitUntil(
            lambda: desk.page.portrait is not None and desk.page.portrait.entity.name == "Mara"
        )
        assert time.perf_counter() - started < 2
        assert len(desk.page.model.rows) == 10_001
        desk.settle()
        assert desk.page.tabs.tab(NOTES).count == "10,000"
        assert desk.page.facts.rowCount() < FIRST
        bar = desk.page.pane.verticalScrollBar()
        before = desk.page.facts.rowCount()
        bar.setValue(bar.maximum())
        assert desk.page.facts.rowCount() > before
        started = time.perf_counter()
        qtbot.keyClicks(desk.page.filter.edit, "thing 99")
        assert time.perf_counter() - started < 2
        assert desk.page.model.rowCount() == 111
    finally:
        desk.close()
