"""The Review page over a real folder: looking, answering, saving, taking back."""

from __future__ import annotations

import os
import stat
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from desk_tools import CORE, Desk, Notes, evidence, two_in_core
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from daybank import open_workspace
from daybank.errors import WorkspaceUnreadable
from daybank.review.proposal import Decision, Hunk, Phase, State
from daybank_desktop.models.diff_rows import Mark, proposal_rows
from daybank_desktop.models.inbox_model import GroupRow
from daybank_desktop.pages.review_page import ReviewPlace
from daybank_desktop.suggestion_words import Group
from daybank_desktop.theme import Theme
from daybank_desktop.widgets.diff_view import DiffMode

Key = Qt.Key


@pytest.fixture
def notes(tmp_path: Path) -> Notes:
    return Notes(tmp_path / "notes")


Make = Callable[..., Desk]


@pytest.fixture
def make(qtbot: QtBot, theme: Theme, notes: Notes) -> Iterator[Make]:
    """Makes the page over the folder; some methods of the workspace may be replaced."""
    made: list[Desk] = []

    def make(**methods: Callable[..., object]) -> Desk:
        made.append(Desk(qtbot, notes, **methods))
        return made[-1]

    yield make
    for desk in made:
        desk.close()


@pytest.fixture
def desk(make: Make, notes: Notes) -> Desk:
    """Two changes of the core memory wait."""
    two_in_core(notes)
    desk = make()
    desk.open()
    return desk


def test_the_first_suggestion_is_open_with_now_suggested_and_why(desk: Desk) -> None:
    assert desk.titles() == ["Core", "Core"]
    assert desk.view.title.text() == "Core"
    assert desk.view.reason.text() == "Two facts have changed. Nothing changes until you accept."
    first, second = desk.view.cards
    changed = [row for row in first.diff.rows if row.is_change]
    assert [(row.now.text, row.suggested.text) for row in changed] == [
        (
            "- Flour comes from Tomás every Monday at 7:00.",
            "- Flour comes from Tomás every Tuesday at 6:30.",
        )
    ]
    assert changed[0].now.number == changed[0].suggested.number == 4
    assert len(first.why.links) == 1
    assert not second.why.links
    assert first.is_current
    assert desk.counts[-1] == 1


def test_a_page_is_saved_once_each_change_has_an_answer(desk: Desk) -> None:
    desk.press(Key.Key_A)
    assert desk.toast == "Accepted. Core is saved once every change has an answer."
    assert desk.notes.read("memory.md") == CORE
    assert desk.view.current == 1
    assert desk.view.cards[0].state_text == "Accepted"
    desk.press(Key.Key_R)
    assert desk.toast == "Saved in Core."
    saved = desk.notes.read("memory.md")
    assert "every Tuesday at 6:30" in saved
    assert "is in Porto" in saved
    assert desk.counts[-1] == 0
    desk.undo()
    assert desk.notes.read("memory.md") == CORE
    assert desk.toast == "Taken back. Core says what it said before."


def test_an_answer_can_be_taken_back_by_its_toast_and_by_key(desk: Desk) -> None:
    desk.press(Key.Key_A)
    desk.undo()
    assert desk.view.cards[0].state_text == ""
    desk.press(Key.Key_K)
    desk.press(Key.Key_R)
    assert desk.view.cards[0].state_text == "Rejected"
    desk.press(Key.Key_K)
    desk.press(Key.Key_U)
    assert desk.view.cards[0].state_text == ""
    pid = desk.page.suggestion
    assert [h.decision for h in desk.notes.proposal(pid).hunks] == [Decision.WAITING] * 2


def test_rejecting_all_can_be_taken_back_until_it_is_closed(desk: Desk) -> None:
    pid = desk.page.suggestion
    desk.view.reject_all.click()
    desk.settle()
    assert desk.toast == "Rejected. Core stays as it is."
    assert desk.page.empty.isVisible()
    assert desk.counts[-1] == 0
    assert desk.notes.proposal(pid).state is State.WAITING
    desk.undo()
    assert desk.page.suggestion == pid
    assert desk.counts[-1] == 1
    desk.view.reject_all.click()
    desk.settle()
    desk.page.history.click()
    desk.settle()
    assert [row.line for row in desk.page.model.rows] == ["Rejected · today 09:00"]
    desk.view.revert.click()
    desk.settle()
    assert not desk.page.shows_history
    assert desk.page.suggestion == pid
    desk.view.reject_all.click()
    desk.settle()
    desk.review._close(pid)
    desk.settle()
    assert desk.notes.proposal(pid).state is State.REJECTED
    assert desk.notes.read("memory.md") == CORE


def test_what_was_all_rejected_before_the_window_closed_is_closed_at_the_next_start(
    make: Make, notes: Notes
) -> None:
    pid = two_in_core(notes).id
    for index in (0, 1):
        notes.reviewer.decide(pid, index, Decision.REJECTED)
    desk = make()
    desk.open()
    assert notes.proposal(pid).state is State.REJECTED
    assert desk.page.empty.isVisible()


def test_a_line_is_edited_in_place_and_accepted_with_ctrl_enter(desk: Desk) -> None:
    desk.press(Key.Key_E)
    card = desk.view.cards[0]
    assert card.is_editing
    assert card.editor.toPlainText() == "- Flour comes from Tomás every Tuesday at 6:30."
    card.editor.setPlainText("- Flour comes from Tomás every Tuesday.\n- Mara opens.")
    QTest.keyClick(card.editor, Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    desk.settle()
    assert card.state_text == "Accepted, in your words"
    added = [
        r.suggested.text for r in card.diff.rows if r.suggested and r.suggested.mark is Mark.ADDED
    ]
    assert added == ["- Flour comes from Tomás every Tuesday.", "- Mara opens."]
    desk.press(Key.Key_A)
    assert "- Flour comes from Tomás every Tuesday.\n- Mara opens.\n- Oven 2" in desk.notes.read(
        "memory.md"
    )


def test_escape_leaves_the_editor_and_keeps_what_was_typed(desk: Desk) -> None:
    desk.press(Key.Key_E)
    card = desk.view.cards[0]
    QTest.keyClicks(card.editor, "aerujk")  # letters are letters here
    QTest.keyClick(card.editor, Key.Key_Escape)
    assert not card.is_editing
    assert card.state_text == ""
    desk.press(Key.Key_E)
    assert card.editor.toPlainText().startswith("aerujk- Flour")
    card.original.click()
    assert card.editor.toPlainText() == "- Flour comes from Tomás every Tuesday at 6:30."


def test_an_edit_being_typed_survives_a_refresh(desk: Desk) -> None:
    desk.press(Key.Key_E)
    desk.view.cards[0].editor.setPlainText("- Half a sen")
    desk.page.refresh()
    desk.settle()
    assert desk.view.cards[0].is_editing
    assert desk.view.cards[0].editor.toPlainText() == "- Half a sen"


def test_an_edit_being_typed_survives_a_newer_suggestion_about_the_same(desk: Desk) -> None:
    desk.press(Key.Key_E)
    desk.view.cards[0].editor.setPlainText("- Half a sen")
    old = desk.page.suggestion
    notes = desk.notes
    newer = notes.suggest(
        "memory.md",
        notes.replacing(
            "memory.md",
            "- Flour comes from Tomás every Monday at 7:00.",
            "- Flour comes from Tomás every Tuesday at 6:45.",
            topic="core:flour",
        ),
    )
    notes.reviewer.store.withdraw(old, notes.clock.now())
    desk.page.refresh()
    desk.settle()
    assert desk.page.suggestion == newer.id
    assert desk.view.cards[0].is_editing
    assert desk.view.cards[0].editor.toPlainText() == "- Half a sen"


def test_the_text_of_an_edit_whose_change_is_gone_is_offered(desk: Desk) -> None:
    desk.press(Key.Key_E)
    desk.view.cards[0].editor.setPlainText("- My own words")
    desk.notes.reviewer.store.withdraw(desk.page.suggestion, desk.notes.clock.now())
    desk.notes.write("bank/world.md", "- W: One.\n")
    desk.notes.suggest(
        "bank/world.md", desk.notes.replacing("bank/world.md", "- W: One.", "- W: Two.")
    )
    desk.page.refresh()
    desk.settle()
    assert desk.view.title.text() == "World"
    assert desk.view.kept.isVisible()
    desk.view.kept.acted.emit()
    assert QApplication.clipboard().text() == "- My own words"


def test_a_page_edited_meanwhile_is_told_of_and_asked_again(desk: Desk) -> None:
    desk.notes.write("memory.md", "Something new on top.\n" + CORE)
    desk.view.accept_all.click()
    desk.settle()
    assert desk.view.notice.text == (
        "This page was edited meanwhile. Here is the suggestion again, fitted to the new text."
    )
    assert desk.notes.read("memory.md") == "Something new on top.\n" + CORE
    changed = [row for row in desk.view.cards[0].diff.rows if row.is_change]
    assert changed[0].now.number == 5
    assert [card.state_text for card in desk.view.cards] == ["", ""]
    desk.view.accept_all.click()
    desk.settle()
    assert desk.toast == "Saved in Core."
    assert desk.notes.read("memory.md").startswith("Something new on top.\n# Core")


@pytest.mark.parametrize("take", [True, False])
def test_lines_edited_on_both_sides_are_the_persons_to_choose(desk: Desk, take: bool) -> None:
    mine = CORE.replace("every Monday at 7:00", "every Wednesday at noon")
    desk.notes.write("memory.md", mine)
    desk.view.accept_all.click()
    desk.settle()
    assert desk.notes.read("memory.md") == mine
    (conflict,) = desk.view.conflict_cards
    rows = [row for row in conflict.diff.rows if row.is_change]
    assert rows[0].now.text == "- Flour comes from Tomás every Wednesday at noon."
    assert rows[0].suggested.text == "- Flour comes from Tomás every Tuesday at 6:30."
    assert not desk.view.settle.isEnabled()
    (conflict.take if take else conflict.keep).click()
    desk.view.settle.click()
    desk.settle()
    assert not desk.view.conflict_cards
    assert len(desk.view.cards) == (2 if take else 1)
    assert desk.notes.read("memory.md") == mine  # not before a fresh yes
    desk.view.accept_all.click()
    desk.settle()
    saved = desk.notes.read("memory.md")
    assert ("every Tuesday at 6:30" in saved) is take
    assert ("every Wednesday at noon" in saved) is not take
    assert "was in Porto" in saved


def test_a_change_that_would_lose_much_of_a_page_needs_an_explicit_yes(
    make: Make, notes: Notes
) -> None:
    page = "# World\n\n" + "".join(f"- W: Fact {n} of its own.\n" for n in range(8))
    notes.write("bank/world.md", page)
    lines = tuple(page.split("\n")[2:6])
    notes.suggest("bank/world.md", Hunk(3, lines, (), "Old."), phase=Phase.WORLD)
    desk = make()
    desk.open()
    desk.press(Key.Key_A)
    assert desk.view.shrink.isVisible()
    assert "would go" in desk.view.shrink.text
    assert notes.read("bank/world.md") == page
    desk.view.shrink.no.click()
    assert notes.read("bank/world.md") == page
    assert desk.view.finish.isVisible()
    desk.view.finish.acted.emit()
    desk.settle()
    desk.view.shrink.yes.click()
    desk.settle()
    assert "Fact 0" not in notes.read("bank/world.md")
    assert "Fact 7" in notes.read("bank/world.md")


@pytest.mark.skipif(os.name == "nt", reason="another kind of protection")
def test_a_protected_page_is_refused_with_what_is_safe_and_saved_later(desk: Desk) -> None:
    place = desk.notes.root / "memory.md"
    place.chmod(stat.S_IREAD)
    pid = desk.page.suggestion
    desk.view.accept_all.click()
    desk.settle()
    error = desk.view.error_text
    assert "memory.md" in error
    assert "The suggestion is still waiting." in error
    assert desk.notes.read("memory.md") == CORE
    assert stat.S_IMODE(place.stat().st_mode) == stat.S_IREAD
    assert desk.page.suggestion == pid
    assert desk.counts[-1] == 1
    place.chmod(0o640)
    desk.view.again.click()
    desk.settle()
    assert desk.toast == "Saved in Core."
    assert stat.S_IMODE(place.stat().st_mode) == 0o640
    assert "every Tuesday" in desk.notes.read("memory.md")


@pytest.mark.skipif(os.name == "nt", reason="links need rights there")
def test_a_linked_page_is_written_through_its_link(make: Make, notes: Notes) -> None:
    notes.write("bank/places/world.md", "- W: One.\n")
    (notes.root / "bank" / "world.md").symlink_to("places/world.md")
    notes.suggest("bank/world.md", notes.replacing("bank/world.md", "- W: One.", "- W: Two."))
    desk = make()
    desk.open()
    desk.press(Key.Key_A)
    assert (notes.root / "bank" / "world.md").is_symlink()
    assert notes.read("bank/places/world.md") == "- W: Two.\n"


def test_never_again_is_remembered_and_can_be_taken_back(desk: Desk) -> None:
    desk.view.cards[0].never_action.trigger()
    desk.settle()
    assert desk.toast == "This is never suggested again."
    assert desk.workspace.nevers() == ("core:flour",)
    desk.undo()
    assert desk.workspace.nevers() == ()
    assert desk.view.cards[0].state_text == ""


def test_never_again_on_the_last_change_waits_for_its_undo(desk: Desk) -> None:
    desk.press(Key.Key_R)
    desk.view.cards[1].never_action.trigger()
    desk.settle()
    pid = desk.review.shown.settled[0].id
    assert desk.workspace.nevers() == ()
    desk.review._close(pid)
    desk.settle()
    assert desk.workspace.nevers() == ("core:porto",)
    assert desk.notes.proposal(pid).state is State.REJECTED


def test_what_was_changed_is_listed_and_can_be_taken_back(desk: Desk) -> None:
    desk.view.accept_all.click()
    desk.settle()
    desk.page.history.click()
    desk.settle()
    assert desk.page.shows_history
    assert [row.line for row in desk.page.model.rows] == ["Saved · today 09:00"]
    assert desk.view.revert.isVisible()
    assert not any(card.accept.isVisible() for card in desk.view.cards)
    desk.view.revert.click()
    desk.settle()
    assert desk.notes.read("memory.md") == CORE
    assert [row.line for row in desk.page.model.rows] == ["Taken back · today 09:00"]
    assert not desk.view.revert.isVisible()


def test_what_was_saved_and_edited_since_cannot_be_taken_back_and_says_why(desk: Desk) -> None:
    desk.view.accept_all.click()
    desk.settle()
    edited = desk.notes.read("memory.md").replace("every Tuesday at 6:30", "every Friday")
    desk.notes.write("memory.md", edited)
    desk.page.history.click()
    desk.settle()
    desk.view.revert.click()
    desk.settle()
    assert desk.view.error_text
    assert desk.notes.read("memory.md") == edited


def test_evidence_leads_to_its_source_and_says_what_it_does(make: Make, notes: Notes) -> None:
    notes.write("bank/opinions.md", "- O(c=0.7) @Mara: Prefers tea\n")
    found = (
        evidence("Mara ordered tea again.", "supports"),
        evidence("Mara took a coffee.", "weakens", "memory/2026-11-19.md#L3-L4"),
        evidence("Mara says she is through with tea.", "contradicts"),
        evidence("One more.", "supports"),
    )
    hunk = notes.replacing(
        "bank/opinions.md",
        "- O(c=0.7) @Mara: Prefers tea",
        "- O(c=0.55) @Mara: Prefers tea",
        evidence=found,
    )
    notes.suggest("bank/opinions.md", hunk, phase=Phase.OPINIONS)
    desk = make()
    desk.open()
    why = desk.view.cards[0].why
    assert len(why.links) == 3
    why._more.click()
    assert len(why.links) == 4
    why.links[1].click()
    (source, id_) = desk.sources[-1]
    assert (source.path, source.line_start, source.line_end) == ("memory/2026-11-19.md", 3, 4)
    assert id_ == "f-0123456789ab"


def test_the_room_that_core_takes_follows_the_answers(desk: Desk) -> None:
    assert desk.view.room.isVisible()
    before = round(100 * len(CORE) / 8000)
    assert desk.view.room.text.startswith(f"{before} % full, was {before} %")
    desk.press(Key.Key_E)
    card = desk.view.cards[0]
    card.editor.setPlainText(card.editor.toPlainText() + " word" * 400)
    card.done.click()
    desk.settle()
    after = int(desk.view.room.text.split(" ")[0])
    assert after >= before + 24
    desk.press(Key.Key_K)
    desk.press(Key.Key_U)
    desk.press(Key.Key_R)
    assert desk.view.room.text.startswith(f"{before} %")


def test_core_over_its_room_is_said(make: Make, notes: Notes) -> None:
    notes.write("memory.md", "# Core\n\n" + "- W: Words.\n" * 660)
    notes.suggest("memory.md", Hunk(3, (), ("- W: " + "many words " * 200,), "More."))
    desk = make()
    desk.open()
    assert desk.view.room.text == "118 % full, was 90 %" or "% full" in desk.view.room.text
    share = int(desk.view.room.text.split(" ")[0])
    assert share > 100


def test_suggestions_are_grouped_by_page_the_surest_first(make: Make, notes: Notes) -> None:
    for path, certainty in (
        ("bank/world.md", 0.4),
        ("bank/entities/Mara.md", 0.5),
        ("bank/entities/Tomás.md", 0.9),
        ("memory/2026-11-20.md", 0.6),
        ("bank/opinions.md", 0.2),
    ):
        notes.write(path, "# A page\n")
        notes.suggest(path, Hunk(2, (), ("- W: New.",), "", certainty=certainty))
    two_in_core(notes)
    desk = make()
    desk.open()
    assert desk.titles() == [
        "Core", "Core",
        "People & things", "Tomás", "Mara",
        "Opinions", "Opinions",
        "World", "World",
        "Journal", "Fri 20 Nov 2026",
    ]  # fmt: skip
    groups = [row for row in desk.page.model.rows if isinstance(row, GroupRow)]
    assert [row.count for row in groups] == [1, 2, 1, 1, 1]


def many(notes: Notes, count: int) -> None:
    for number in range(count):
        path = f"bank/entities/Person {number}.md"
        notes.write(path, f"# Person {number}\n")
        notes.suggest(
            path,
            Hunk(2, (), (f"- W: Fact {number}.",), "New.", certainty=1 - number / count),
            phase=Phase.ENTITIES,
        )


def test_all_of_a_kind_are_accepted_after_a_question_and_taken_back(
    make: Make, notes: Notes
) -> None:
    many(notes, 12)
    two_in_core(notes)
    protected = notes.root / "bank/entities/Person 3.md"
    protected.chmod(stat.S_IREAD)
    desk = make()
    desk.open()
    dialog = desk.page.accept_group(Group.PEOPLE)
    assert dialog is not None
    assert dialog.windowTitle() == "Accept 12 suggestions for People & things?"
    assert "Person 11 — bank/entities/Person 11.md" in dialog.items_text
    assert notes.read("bank/entities/Person 1.md") == "# Person 1\n"
    dialog.yes.click()
    desk.settle()
    assert notes.read("bank/entities/Person 1.md") == "# Person 1\n- W: Fact 1.\n"
    assert desk.toast == "Saved 11 suggestions."
    assert desk.page.notice.text.startswith("1 suggestion not saved, and still waiting.")
    assert notes.read("bank/entities/Person 3.md") == "# Person 3\n"
    assert notes.read("memory.md") == CORE
    assert desk.counts[-1] == 2
    desk.undo()
    assert notes.read("bank/entities/Person 1.md") == "# Person 1\n"
    assert desk.toast == "Taken back: 11 suggestions."


def test_escape_answers_the_question_with_no(desk: Desk) -> None:
    dialog = desk.page.accept_group(None)
    assert dialog is not None
    QTest.keyClick(dialog, Key.Key_Escape)
    desk.settle()
    assert desk.notes.read("memory.md") == CORE
    assert desk.counts[-1] == 1


def test_five_hundred_suggestions_open_and_scroll_smoothly(make: Make, notes: Notes) -> None:
    many(notes, 500)
    desk = make()
    desk.open()
    assert len(desk.page.model.ids) == 500
    begun = time.perf_counter()
    desk.page._fill(desk.review.shown)
    QApplication.processEvents()
    assert time.perf_counter() - begun < 0.5
    bar = desk.page.list.verticalScrollBar()
    begun = time.perf_counter()
    for step in range(50):
        bar.setValue(bar.maximum() * step // 50)
        QApplication.processEvents()
    assert (time.perf_counter() - begun) / 50 < 0.1
    desk.page.list.setFocus()
    for _ in range(3):
        QTest.keyClick(desk.page.list, Key.Key_Down)
    desk.settle()
    assert desk.view.title.text() == "Person 3"


def test_a_hundred_changes_come_a_few_at_a_time(make: Make, notes: Notes) -> None:
    page = "".join(f"- O(c=0.7) @Mara: Opinion {n}\n" for n in range(100))
    notes.write("bank/opinions.md", page)
    hunks = [
        Hunk(n + 1, (f"- O(c=0.7) @Mara: Opinion {n}",), (f"- O(c=0.8) @Mara: Opinion {n}",), "")
        for n in range(100)
    ]
    notes.suggest("bank/opinions.md", *hunks, phase=Phase.OPINIONS)
    desk = make()
    desk.open()
    assert 2 <= len(desk.view.cards) < 20
    desk.page.resize(1600, 1400)
    desk.settle()
    last = desk.view.cards[-1]
    assert last.geometry().bottom() > desk.view.area.viewport().height()
    bar = desk.view.area.verticalScrollBar()
    for _ in range(100):
        bar.setValue(bar.maximum())
        desk.settle()
    assert len(desk.view.cards) == 100
    assert desk.view.cards[99].change.number == 100


def test_moving_on_makes_the_next_card(make: Make, notes: Notes) -> None:
    page = "".join(f"- O(c=0.7) @Mara: Opinion {n}\n" for n in range(40))
    notes.write("bank/opinions.md", page)
    hunks = [
        Hunk(n + 1, (f"- O(c=0.7) @Mara: Opinion {n}",), (f"- O(c=0.8) @Mara: Opinion {n}",), "")
        for n in range(40)
    ]
    notes.suggest("bank/opinions.md", *hunks, phase=Phase.OPINIONS)
    desk = make()
    desk.open()
    for number in range(1, 40):
        QTest.keyClick(desk.view, Key.Key_J)
        assert desk.view.current == number
    desk.settle()
    assert desk.view.cards[39].is_current
    desk.view.reject_all.click()
    desk.settle()
    assert desk.toast == "Rejected. Opinions stays as it is."


def test_the_next_suggestion_finds_its_cards_made_and_empty(make: Make, notes: Notes) -> None:
    for name in ("One", "Two"):
        notes.write(f"bank/entities/{name}.md", f"# {name}\n")
        hunk = Hunk(2, (), (f"- W: Fact of {name}.",), name, evidence=(evidence(f"Of {name}"),) * 5)
        notes.suggest(f"bank/entities/{name}.md", hunk, phase=Phase.ENTITIES)
    desk = make()
    desk.open()
    (card,) = desk.view.cards
    first = desk.view.title.text()
    card.why._show_rest()
    assert len(card.why.links) == 5
    card.edit.click()
    card.editor.setPlainText("Half a thought")
    other = next(pid for pid in desk.page.model.ids if pid != desk.page.suggestion)
    desk.page.open(other)
    desk.settle()
    assert desk.view.cards == [card]
    assert desk.view.title.text() != first
    assert not card.is_editing
    assert card.editor.toPlainText() == ""
    assert len(card.why.links) == 3
    card.edit.click()
    assert card.editor.toPlainText() == card.change.hunk.new[0]


def test_a_key_that_comes_before_the_card_is_made_is_not_lost(desk: Desk) -> None:
    desk.view.show_loading()
    proposal = desk.review.shown.waiting[0]
    desk.view.show_prepared(proposal, proposal_rows(proposal), None)
    assert desk.view.cards == []
    desk.press(Key.Key_A)
    assert desk.notes.proposal(proposal.id).hunks[0].decision is Decision.ACCEPTED


def test_the_list_leaves_letters_to_the_page(desk: Desk) -> None:
    desk.page.list.setFocus()
    desk.press(Key.Key_A, desk.page.list)
    assert desk.view.cards[0].state_text == "Accepted"


def test_the_keys_work_on_a_russian_keyboard(desk: Desk) -> None:
    QTest.sendKeyEvent(
        QTest.KeyAction.Press,
        desk.view,
        Key.Key_unknown,
        "ф",
        Qt.KeyboardModifier.NoModifier,
    )
    desk.settle()
    assert desk.view.cards[0].state_text == "Accepted"


def test_markup_is_shown_letter_for_letter(make: Make, notes: Notes) -> None:
    evil = "- <b>bold</b> <img src=x> &amp; \u202eabc\u200b"
    notes.write("bank/entities/<b>Mara.md", "- one\n")
    hunk = Hunk(
        1, ("- one",), (evil,), "<i>because</i>", evidence=(evidence("<img src=y>", "supports"),)
    )
    notes.suggest("bank/entities/<b>Mara.md", hunk, reason="<h1>Big</h1>")
    desk = make()
    desk.open()
    assert desk.view.title.text() == "<b>Mara"
    assert desk.view.title.textFormat() is Qt.TextFormat.PlainText
    assert desk.view.reason.text().startswith("<h1>Big</h1>.")
    assert desk.view.reason.textFormat() is Qt.TextFormat.PlainText
    card = desk.view.cards[0]
    laid = card.diff._layout_for(float(card.diff.width()))
    assert any(cell.layout.text() == evil for cell in laid.cells)
    desk.press(Key.Key_E)
    assert card.editor.toPlainText() == evil


def test_nothing_waiting_says_so_and_offers_a_reflection(make: Make, notes: Notes) -> None:
    notes.write("memory.md", CORE)
    desk = make()
    desk.open()
    assert desk.page.empty.isVisible()
    assert desk.page.empty.accessibleName() == "All looked at." or desk.page.empty.isVisible()
    assert desk.page.last_words.text() == "No reflection yet"


def test_grey_bars_come_while_suggestions_are_read_slowly(
    qtbot: QtBot, make: Make, notes: Notes
) -> None:
    two_in_core(notes)
    found = notes.reviewer.store.waiting()

    def slow() -> object:
        time.sleep(0.6)
        return found

    desk = make(proposals=slow)
    desk.library.open(notes.root)
    qtbot.waitUntil(lambda: desk.page._skeleton.is_shown, timeout=5000)
    assert desk.page.right.currentWidget() is desk.page._skeleton_room
    desk.settle()
    assert desk.page.right.currentWidget() is desk.view


def test_suggestions_that_cannot_be_read_say_what_is_safe_and_can_be_tried_again(
    make: Make, notes: Notes
) -> None:
    two_in_core(notes)
    found = notes.reviewer.store.waiting()
    broken = [True]

    def proposals() -> object:
        if broken:
            raise WorkspaceUnreadable("The memory folder cannot be reached.", "Nothing was lost.")
        return found

    desk = make(proposals=proposals)
    desk.open()
    assert desk.page.error.isVisible()
    assert desk.page.error.accessibleName() == "The memory folder cannot be reached."
    broken.clear()
    desk.page.error.primary_clicked.emit()
    desk.settle()
    assert desk.view.isVisible()


def test_the_window_shows_both_sides_in_one_column_where_it_is_narrow(desk: Desk) -> None:
    assert desk.view.cards[0].diff.mode is DiffMode.SIDE_BY_SIDE
    assert desk.view.modes.isVisible()
    desk.view.modes.part("one").click()
    assert desk.view.cards[0].diff.mode is DiffMode.IN_ONE
    desk.view.modes.part("side").click()
    desk.page.resize(1000, 640)
    desk.settle()
    assert desk.view.cards[0].diff.mode is DiffMode.IN_ONE
    assert not desk.view.modes.isVisible()
    assert desk.page.column.isVisible()
    desk.page.resize(820, 640)
    desk.settle()
    assert desk.page.column.isVisible()
    assert not desk.view.isVisible()
    QTest.keyClick(desk.page.list, Key.Key_Return)
    desk.settle()
    assert desk.view.isVisible()
    assert not desk.page.column.isVisible()
    desk.view.back.click()
    assert desk.page.column.isVisible()
    QTest.keyClick(desk.page.list, Key.Key_Return)
    desk.settle()
    assert not desk.page.column.isVisible()
    QTest.keyClick(desk.view.cards[0], Key.Key_Escape)
    assert desk.page.column.isVisible()


def test_larger_text_lets_list_and_suggestion_take_turns(desk: Desk, theme: Theme) -> None:
    theme.set_text_size(150)
    desk.settle()
    assert not (desk.page.column.isVisible() and desk.view.isVisible())
    theme.set_text_size(100)
    desk.settle()
    assert desk.page.column.isVisible()
    assert desk.view.isVisible()


def test_a_place_can_be_gone_back_to(desk: Desk) -> None:
    pid = desk.page.suggestion
    desk.view.accept_all.click()
    desk.settle()
    places: list[object] = []
    desk.page.place_changed.connect(places.append)
    desk.page.show_place(ReviewPlace(pid, history=True), True)
    desk.settle()
    assert desk.page.shows_history
    assert desk.page.suggestion == pid
    desk.page.show_place(ReviewPlace(), True)
    assert not desk.page.shows_history


def test_each_card_tells_a_screen_reader_what_changes_and_why(desk: Desk) -> None:
    card = desk.view.cards[0]
    assert card.accessibleName() == "Change 1 of 2."
    words = card.accessibleDescription()
    assert "Removed, line 4: - Flour comes from Tomás every Monday at 7:00." in words
    assert "Added, line 4: - Flour comes from Tomás every Tuesday at 6:30." in words
    assert words.endswith("Why: A newer note.")
    desk.press(Key.Key_A)
    assert card.accessibleName() == "Change 1 of 2. Accepted"


def test_another_folder_that_is_opened_is_left_alone_by_answers_to_the_one_before(
    make: Make, notes: Notes, tmp_path: Path
) -> None:
    pid = two_in_core(notes).id
    other = Notes(tmp_path / "other")
    other.write("bank/world.md", "- W: One.\n")
    other.suggest("bank/world.md", other.replacing("bank/world.md", "- W: One.", "- W: Two."))
    desk = make()
    desk.open()
    second = open_workspace(other.root, clock=other.clock, choose_embedder=lambda: None)
    desk.library._opener = lambda path: second
    desk.view.reject_all.click()  # is closed for good only after some seconds
    desk.settle()
    desk.library.open(other.root)
    desk.settle()
    assert notes.proposal(pid).state is State.REJECTED
    assert desk.titles() == ["World", "World"]
    assert not desk.view.error_text
    assert not desk.page.notice.isVisible()
    assert desk.counts[-1] == 1
