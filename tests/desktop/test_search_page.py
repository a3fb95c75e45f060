"""The search page with its services, from typing to the page of the note that was found."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import replace
from datetime import date
from itertools import pairwise
from pathlib import Path

import pytest
from fakes import TODAY, FakeWorkspace, SyncReport, bakery, many, note
from PySide6.QtCore import Qt, QTimer, QUrl
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from daybank.errors import IndexBusy
from daybank.markdown.model import Kind, Role, Source
from daybank.recall.results import Notice
from daybank_desktop.pages.search_page import SearchPage
from daybank_desktop.services.desktop_actions import DesktopActions
from daybank_desktop.services.library import Library
from daybank_desktop.services.pages import Pages
from daybank_desktop.services.search import Order, Search
from daybank_desktop.tasks import Tasks
from daybank_desktop.theme import Theme


class Desk:
    """The page with everything behind it, over a workspace in memory."""

    def __init__(self, qtbot: QtBot, workspace: FakeWorkspace) -> None:
        self.qtbot = qtbot
        self.workspace = workspace
        self.urls: list[str] = []
        self.tasks = Tasks()
        self.library = Library(self.tasks, lambda path: workspace)  # type: ignore[arg-type]
        self.search = Search(self.tasks, self.library)
        self.pages = Pages(self.tasks, self.library)
        self.actions = DesktopActions(self.library, open_url=self._open)
        self.page = SearchPage(
            self.tasks, self.library, self.search, self.pages, self.actions, TODAY
        )
        qtbot.addWidget(self.page)
        self.page.resize(1154, 640)
        self.page.show()
        self.bugs: list[object] = []
        self.tasks.bug.connect(self.bugs.append)

    def _open(self, url: QUrl) -> bool:
        self.urls.append(url.toString())
        return True

    def open(self) -> None:
        self.library.open(Path("/notes"))
        self.qtbot.waitUntil(
            lambda: (
                self.search.answer is not None
                and self.library.overview is not None
                and not self.library.is_syncing
            )
        )

    def ask(self, text: str) -> None:
        self.search.set_text(text)
        self.search.submit()
        self.settle(text)

    def settle(self, text: str) -> None:
        self.qtbot.waitUntil(
            lambda: (
                self.search.answer is not None
                and self.search.answer.question.text == text
                and self.tasks.is_idle
                and self.page._showing.are_done
            )
        )

    def contents(self) -> list[str]:
        return [getattr(row, "content", "") for row in self.page.model.rows]

    def chip_words(self) -> list[str]:
        return [chip.words() for chip in self.page.chips.chips()]

    def close(self) -> None:
        self.library.stop()
        assert self.tasks.shutdown()
        self.library.close()
        assert not self.bugs


@pytest.fixture
def desk(qtbot: QtBot, theme: Theme) -> Iterator[Desk]:
    desk = Desk(qtbot, bakery())
    desk.open()
    yield desk
    desk.close()


def test_asking_shows_notes_chips_and_the_page_of_the_first(desk: Desk, qtbot: QtBot) -> None:
    desk.ask("flour delivery last week")
    assert desk.page.found_text == "4 notes found"
    assert desk.chip_words()[0] == "16–22 Nov 2026"
    assert desk.chip_words()[1:] == ["World", "Experience", "Opinion"]
    qtbot.waitUntil(lambda: desk.page.reader.page is not None)
    assert desk.page.reader.title == "Wednesday, 18 November 2026"
    assert desk.page.reader.view.cited == Source("memory/2026-11-18.md", 10, 10)


def test_chips_stay_and_say_something_else(desk: Desk) -> None:
    desk.ask("flour delivery last week")
    before = desk.page.chips.chips()
    assert before[0].words() == "16–22 Nov 2026"
    desk.ask("delivery last week")
    assert desk.page.chips.chips()[0] is before[0]
    desk.ask("flour")
    assert not before[0].isVisible()
    assert desk.chip_words() == ["World", "Observation"]
    assert desk.page.chips.chips()[0] is before[1]


def test_only_the_last_keystroke_is_asked_for(desk: Desk, qtbot: QtBot) -> None:
    before = len(desk.workspace.asked)
    for end in range(1, 15):
        desk.search.set_text("flour delivery"[:end])
    desk.settle("flour delivery")
    assert desk.workspace.asked[before:] == ["flour delivery"]


def test_a_slow_answer_never_replaces_a_newer_one(desk: Desk, qtbot: QtBot) -> None:
    seen: list[str] = []
    desk.search.answered.connect(lambda answer: seen.append(answer.question.text))
    desk.workspace.recall_takes = 0.3
    desk.search.set_text("delivery")
    desk.search.ask()
    qtbot.wait(30)
    desk.workspace.recall_takes = 0
    desk.search.set_text("Porto")
    desk.search.ask()
    desk.settle("Porto")
    qtbot.wait(400)
    assert seen == ["Porto"]
    assert len(desk.contents()) == 1


def test_the_window_lives_while_a_search_takes_long(desk: Desk, qtbot: QtBot) -> None:
    beats: list[float] = []
    heart = QTimer(interval=10)
    heart.timeout.connect(lambda: beats.append(time.monotonic()))
    desk.workspace.recall_takes = 0.5
    heart.start()
    desk.ask("flour")
    heart.stop()
    gaps = [b - a for a, b in pairwise(beats)]
    assert len(beats) > 20
    assert max(gaps) < 0.15
    assert not any("MainThread" in name for name in desk.workspace.threads)


def test_grey_bars_come_only_when_it_takes_long(desk: Desk, qtbot: QtBot) -> None:
    desk.workspace.recall_takes = 0.6
    desk.search.set_text("flour")
    desk.search.ask()
    qtbot.wait(150)
    assert desk.page._left.currentWidget() is not desk.page._skeleton_room
    qtbot.waitUntil(lambda: desk.page._left.currentWidget() is desk.page._skeleton_room)
    desk.settle("flour")
    assert desk.page._left.currentWidget() is desk.page.list


def test_taking_the_time_away_asks_without_its_words(desk: Desk, qtbot: QtBot) -> None:
    desk.ask("flour delivery last week")
    chip = desk.page.chips.chips()[0]
    with qtbot.waitSignal(desk.search.text_edited) as edited:
        chip.removed.emit()
    assert edited.args == ["flour delivery"]
    desk.settle("flour delivery")
    assert desk.page.found_text == "6 notes found"
    assert "16–22 Nov 2026" not in desk.chip_words()


def test_taking_a_person_away_finds_the_name_or_its_alias(desk: Desk) -> None:
    desk.ask("delivery Mara")
    desk.search.remove_entity("Mara")
    desk.settle("delivery")
    desk.workspace.known = ("Peter",)
    desk.workspace.aliases = {"Peter": ("Pete",)}
    desk.ask("what Pete said")
    desk.search.remove_entity("Peter")
    desk.settle("what said")


def test_backspace_takes_the_last_chip(desk: Desk) -> None:
    desk.ask("delivery Mara last week")
    assert desk.search.remove_last_understood()
    desk.settle("delivery last week")
    assert desk.search.remove_last_understood()
    desk.settle("delivery")
    assert not desk.search.remove_last_understood()


def test_a_kind_can_be_chosen_and_left(desk: Desk) -> None:
    desk.ask("flour delivery")
    desk.search.toggle_kind(Kind.OPINION)
    desk.settle("flour delivery")
    assert [row.kind for row in desk.page.model.rows] == [Kind.OPINION]  # type: ignore[union-attr]
    chosen = [chip for chip in desk.page.chips.chips() if chip.isChecked()]
    assert [chip.words() for chip in chosen] == ["Opinion"]
    assert len(desk.page.chips.chips()) == 4  # the others can still be chosen
    desk.search.toggle_kind(Kind.OPINION)
    desk.settle("flour delivery")
    assert len(desk.page.model.rows) == 6


def test_the_order_can_be_by_day(desk: Desk) -> None:
    desk.ask("delivery")
    desk.search.set_order(Order.NEWEST)
    desk.settle("delivery")
    days = [row.day for row in desk.page.model.rows]
    assert days == [
        date(2026, 11, 20),
        date(2026, 11, 19),
        date(2026, 11, 18),
        date(2025, 3, 2),
        None,
    ] or days[:3] == [date(2026, 11, 20), date(2026, 11, 19), date(2026, 11, 18)]
    assert days[-1] is None
    desk.search.set_order(Order.OLDEST)
    desk.settle("delivery")
    assert desk.page.model.rows[0].day == date(2025, 3, 2)


def test_a_blank_box_offers_the_newest_days(desk: Desk, qtbot: QtBot) -> None:
    qtbot.waitUntil(lambda: desk.tasks.is_idle)
    assert desk.page.found_text == "Type a word, a name or a time."
    assert [row.day for row in desk.page.model.rows][:2] == [
        date(2026, 11, 20),
        date(2026, 11, 19),
    ]
    qtbot.waitUntil(lambda: desk.page.reader.title == "Friday, 20 November 2026")


def test_nothing_found_says_where_it_looked_and_what_to_do(desk: Desk, qtbot: QtBot) -> None:
    desk.ask("kiln last week")
    empty = desk.page.empty_state
    assert empty is not None
    assert empty._title.text() == "Nothing found for “kiln”"
    assert empty._text.text() == "Looked in all 6 notes. Try another word, or fewer dates."
    assert empty.button.text() == "Search all dates"
    with qtbot.waitSignal(desk.page.field_wanted):
        empty.acted.emit()
    desk.settle("kiln")
    assert empty._text.text() == "Looked in all 6 notes. Try another word."
    assert not desk.page.reader.isVisible()


def test_an_error_is_not_shown_as_no_results(desk: Desk, qtbot: QtBot) -> None:
    desk.workspace.recall_error = IndexBusy("Another Daybank is reading.", "Try again shortly.")
    desk.search.set_text("flour")
    with qtbot.waitSignal(desk.search.failed):
        desk.search.ask()
    assert desk.page._left.currentWidget() is desk.page._error_room
    desk.workspace.recall_error = None
    with qtbot.waitSignal(desk.search.answered):
        desk.page._error.primary_clicked.emit()
    qtbot.waitUntil(lambda: desk.tasks.is_idle)
    assert desk.page._left.currentWidget() is desk.page.list


def test_notices_stand_above_the_list(desk: Desk) -> None:
    desk.workspace.notices = (Notice("cut", "More was found than fits <here>."),)
    desk.ask("flour")
    assert desk.page.notice == "More was found than fits <here>."
    desk.workspace.notices = ()
    desk.ask("delivery")
    assert desk.page.notice == ""


def test_the_whole_story_by_keyboard(desk: Desk, qtbot: QtBot) -> None:
    desk.ask("flour delivery last week")
    page = desk.page
    page.activateWindow()
    qtbot.waitUntil(page.isActiveWindow)
    page.enter_list()
    assert page.list.hasFocus()
    qtbot.keyClick(page.list, Qt.Key.Key_Down)
    qtbot.waitUntil(lambda: page.reader.title == "Thursday, 19 November 2026")
    qtbot.keyClick(page.list, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert QApplication.clipboard().text() == (
        "“Agreed with both: Mara opens up for the Tuesday delivery, I take Saturdays.”"
        " — memory/2026-11-19.md#L9"
    )
    qtbot.keyClick(page.list, Qt.Key.Key_Return)
    assert page.reader.view.hasFocus()
    qtbot.keyClick(page.reader.view, Qt.Key.Key_Escape)
    assert page.list.hasFocus()
    qtbot.keyClick(page.list, Qt.Key.Key_Home)
    with qtbot.waitSignal(page.field_wanted):
        qtbot.keyClick(page.list, Qt.Key.Key_Up)


def test_moved_lines_are_found_again(desk: Desk, qtbot: QtBot) -> None:
    first = desk.workspace.notes[0]
    desk.workspace.moved_to[first.id] = Source("memory/2026-11-18.md", 11, 11)
    desk.ask("flour delivery last week")
    qtbot.waitUntil(lambda: desk.page.reader.view.cited is not None)
    assert desk.page.reader.view.cited == Source("memory/2026-11-18.md", 11, 11)
    desk.page.reader.copy_asked.emit()
    assert QApplication.clipboard().text().endswith("— memory/2026-11-18.md#L11")


def test_a_text_that_is_gone_is_said_and_the_page_still_shown(desk: Desk, qtbot: QtBot) -> None:
    desk.workspace.gone.add(desk.workspace.notes[0].id)
    desk.ask("flour delivery last week")
    qtbot.waitUntil(lambda: desk.page.reader.notice != "")
    assert desk.page.reader.notice == "The source has changed since."
    assert "Long call with Tomás" in desk.page.reader.view.toPlainText()


def test_a_page_that_is_gone_is_an_error_card(desk: Desk, qtbot: QtBot) -> None:
    del desk.workspace.pages["memory/2026-11-18.md"]
    with qtbot.waitSignal(desk.pages.failed):
        desk.search.set_text("flour delivery last week")
    assert desk.page.reader.page is None


def test_neighbouring_days_are_a_press_away(desk: Desk, qtbot: QtBot) -> None:
    desk.ask("flour delivery last week")
    qtbot.waitUntil(lambda: desk.page.reader.title.startswith("Wednesday"))
    footer = desk.page.reader._footer
    assert footer._before.text() == "Tue 17 Nov"
    assert footer._after.text() == "Thu 19 Nov"
    footer._after.click()
    qtbot.waitUntil(lambda: desk.page.reader.title.startswith("Thursday"))


def test_links_ask_the_desktop_for_web_addresses_only(desk: Desk) -> None:
    for address in ("https://example.com/a", "file:///etc/passwd", "../x", "javascript:x", "C:\\x"):
        desk.page.reader.web_asked.emit(address)
    assert desk.urls == ["https://example.com/a"]


def test_links_between_pages_are_followed_from_where_they_stand(desk: Desk, qtbot: QtBot) -> None:
    desk.workspace.pages["notes/a.md"] = "See [b](b%20c.md#L3), [top](bank/world) here.\n"
    desk.workspace.pages["notes/b c.md"] = "one\n\ntwo\n"
    desk.page.open_path("notes/a.md")
    qtbot.waitUntil(lambda: desk.page.reader.page is not None)
    qtbot.waitUntil(lambda: desk.page.reader.page.path == "notes/a.md")  # type: ignore[union-attr]
    desk.page.reader.link_asked.emit("b%20c.md#L3")
    qtbot.waitUntil(lambda: desk.page.reader.page.path == "notes/b c.md")  # type: ignore[union-attr]
    assert desk.page.reader.view.cited == Source("notes/b c.md", 3, 3)
    desk.page.reader.link_asked.emit("bank/world")
    qtbot.waitUntil(lambda: desk.page.reader.page.path == "bank/world.md")  # type: ignore[union-attr]
    with qtbot.waitSignal(desk.pages.failed):
        desk.page.reader.link_asked.emit("../../etc/passwd")
    with qtbot.waitSignal(desk.pages.failed):
        desk.page.open_path("bank/picture.png")


def test_changed_notes_are_offered_not_forced(desk: Desk, qtbot: QtBot) -> None:
    desk.ask("flour delivery last week")
    desk.workspace.notes.insert(0, note("A newer flour delivery", day=date(2026, 11, 20), line=1))
    desk.workspace.report = SyncReport(added=1)
    assert desk.workspace.on_change is not None
    desk.workspace.on_change()
    qtbot.waitUntil(lambda: desk.page.notice == "Your notes have changed.")
    assert len(desk.page.model.rows) == 4
    desk.page._notice.acted.emit()
    assert len(desk.page.model.rows) == 5
    assert desk.page.list.currentIndex().row() == 1  # still the same note


def test_moved_lines_alone_are_taken_up_quietly(desk: Desk, qtbot: QtBot) -> None:
    desk.ask("flour delivery last week")
    first = desk.workspace.notes[0]
    desk.workspace.notes[0] = replace(first, source=Source(first.source.path, 15, 15))
    desk.workspace.report = SyncReport(changed=1)
    assert desk.workspace.on_change is not None
    desk.workspace.on_change()
    qtbot.waitUntil(lambda: desk.page.model.rows[0] == desk.workspace.notes[0])
    assert desk.page.notice == ""


def test_more_is_fetched_at_the_end(desk: Desk, qtbot: QtBot) -> None:
    desk.workspace.notes = many(1000)
    desk.ask("flour")
    assert desk.page.found_text == "1,000 notes found"
    count = len(desk.page.model.rows)
    assert count < 1000
    desk.page.list.select_row(count - 1)
    desk.page.list.scrollToBottom()
    qtbot.waitUntil(lambda: len(desk.page.model.rows) > count)
    assert desk.page.list.currentIndex().row() == count - 1


@pytest.mark.parametrize(
    "text",
    [
        "<b>bold</b> <1500 chars>",
        '<img src="file:///etc/passwd">',
        "שלום \u202eabc\u202c",
        "a\u200bb",
    ],
)
def test_markup_is_text_everywhere(desk: Desk, qtbot: QtBot, text: str) -> None:
    found = note(text, entities=(text,), path="notes/odd.md", day=None, role=Role.PAGE, line=1)
    desk.workspace.notes = [found]
    desk.workspace.known = (text,)
    desk.workspace.pages = {"notes/odd.md": f"# {text}\n\n{text}\n"}
    desk.ask(text)
    assert desk.contents() == [text]
    assert desk.chip_words()[0] == text
    qtbot.waitUntil(lambda: desk.page.reader.page is not None)
    assert desk.page.reader.title == desk.page.reader.page.title  # type: ignore[union-attr]
    assert text in desk.page.reader.view.toPlainText()
    desk.workspace.notes = []
    desk.search.ask()
    qtbot.waitUntil(lambda: desk.page.empty_state is not None)
    assert text in desk.page.empty_state._title.text()  # type: ignore[union-attr]


def test_on_a_narrow_window_list_and_page_take_turns(desk: Desk, qtbot: QtBot) -> None:
    desk.ask("flour delivery last week")
    desk.page.resize(700, 600)
    qtbot.waitUntil(lambda: not desk.page.reader.isVisible())
    assert desk.page.list.isVisible()
    desk.page.list.opened.emit(desk.page.list.current_row)
    assert desk.page.reader.isVisible()
    assert not desk.page.list.isVisible()
    desk.page.reader.back_asked.emit()
    assert desk.page.list.isVisible()
    desk.page.list.opened.emit(desk.page.list.current_row)
    desk.ask("Porto")
    assert desk.page.list.isVisible()


def test_large_text_takes_turns_too(desk: Desk, theme: Theme) -> None:
    desk.ask("flour delivery last week")
    theme.set_text_size(150)
    assert not desk.page.reader.isVisible()
    theme.set_text_size(100)
    assert desk.page.reader.isVisible()
