"""The dialog with suggestions, and the report of a reflection."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
from desk_tools import CORE, NOW, TODAY, Desk, Notes, two_in_core
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from daybank.reflect.material import Skipped
from daybank.reflect.record import Proposed, ReflectionReport
from daybank.review.proposal import Hunk, Phase, State
from daybank_desktop.dialogs.reflection_report import ReflectionReportDialog
from daybank_desktop.dialogs.review_dialog import ReviewDialog
from daybank_desktop.theme import Theme

Key = Qt.Key


@pytest.fixture
def notes(tmp_path: Path) -> Notes:
    return Notes(tmp_path / "notes")


@pytest.fixture
def desk(qtbot: QtBot, theme: Theme, notes: Notes) -> Iterator[Desk]:
    """Core and a page wait; the page of the window is not shown."""
    two_in_core(notes)
    notes.write("bank/world.md", "- W: One.\n")
    hunk = notes.replacing("bank/world.md", "- W: One.", "- W: Two.", certainty=0.2)
    notes.suggest("bank/world.md", hunk, phase=Phase.WORLD)
    desk = Desk(qtbot, notes)
    desk.page.hide()
    desk.open()
    yield desk
    desk.close()


@pytest.fixture
def dialog(desk: Desk, qtbot: QtBot) -> ReviewDialog:
    dialog = ReviewDialog(desk.review)
    qtbot.addWidget(dialog)
    dialog.show()
    settle(desk, dialog)
    return dialog


def settle(desk: Desk, dialog: ReviewDialog) -> None:
    desk.settle()
    desk.qtbot.waitUntil(lambda: desk.tasks.is_idle and dialog.view.is_complete)
    desk.settle()


def press(desk: Desk, dialog: ReviewDialog, key: Qt.Key) -> None:
    QTest.keyClick(dialog.view, key)
    settle(desk, dialog)


def test_it_is_the_same_view_with_the_same_keys_one_after_the_other(
    desk: Desk, dialog: ReviewDialog
) -> None:
    assert (dialog.view.title.text(), dialog.place.text()) == ("Core", "Suggestion 1 of 2")
    press(desk, dialog, Key.Key_A)
    press(desk, dialog, Key.Key_A)
    assert dialog.toast.text == "Saved in Core."
    assert (dialog.view.title.text(), dialog.place.text()) == ("World", "Suggestion 1 of 1")
    press(desk, dialog, Key.Key_A)
    assert dialog.is_empty
    assert desk.notes.read("bank/world.md") == "- W: Two.\n"
    dialog.toast.action_button.click()
    settle(desk, dialog)
    assert desk.notes.read("bank/world.md") == "- W: One.\n"


def test_next_and_previous_move_and_closing_answers_nothing(
    desk: Desk, dialog: ReviewDialog
) -> None:
    assert not dialog.previous.isEnabled()
    dialog.next.click()
    settle(desk, dialog)
    assert dialog.view.title.text() == "World"
    assert not dialog.next.isEnabled()
    QTest.keyClick(dialog, Key.Key_Escape)
    desk.settle()
    assert not dialog.isVisible()
    assert desk.notes.read("memory.md") == CORE
    assert desk.counts[-1] == 2


def test_escape_in_the_editor_does_not_close_the_dialog(desk: Desk, dialog: ReviewDialog) -> None:
    press(desk, dialog, Key.Key_E)
    card = dialog.view.cards[0]
    assert card.is_editing
    QTest.keyClick(card.editor, Key.Key_Escape)
    assert dialog.isVisible()
    assert not card.is_editing


def test_only_what_the_notification_spoke_of_is_shown(desk: Desk, qtbot: QtBot) -> None:
    world = next(p.id for p in desk.review.shown.waiting if p.target == "bank/world.md")
    dialog = ReviewDialog(desk.review, [world])
    qtbot.addWidget(dialog)
    dialog.show()
    settle(desk, dialog)
    assert dialog.place.text() == "Suggestion 1 of 1"
    assert dialog.view.title.text() == "World"


def test_a_stale_change_among_three_keeps_all_of_them_from_being_written(
    qtbot: QtBot, theme: Theme, notes: Notes
) -> None:
    page = "".join(f"- W: Fact {word} stands here.\n" for word in ("one", "two", "three", "four"))
    notes.write("bank/world.md", page)
    pid = notes.suggest(
        "bank/world.md",
        *(
            notes.replacing(
                "bank/world.md",
                f"- W: Fact {word} stands here.",
                f"- W: Fact {word} stands here now.",
            )
            for word in ("one", "two", "three")
        ),
        phase=Phase.WORLD,
    ).id
    desk = Desk(qtbot, notes)
    desk.open()
    dialog = ReviewDialog(desk.review)
    qtbot.addWidget(dialog)
    dialog.show()
    settle(desk, dialog)
    edited = page.replace("two stands", "two, by hand, stands")
    notes.write("bank/world.md", edited)
    dialog.view.accept_all.click()
    settle(desk, dialog)
    assert notes.read("bank/world.md") == edited
    assert len(dialog.view.conflict_cards) == 1
    dialog.view.conflict_cards[0].keep.click()
    dialog.view.settle.click()
    settle(desk, dialog)
    dialog.view.accept_all.click()
    settle(desk, dialog)
    assert notes.read("bank/world.md").split("\n") == [
        "- W: Fact one stands here now.",
        "- W: Fact two, by hand, stands here.",
        "- W: Fact three stands here now.",
        "- W: Fact four stands here.",
        "",
    ]
    assert notes.proposal(pid).state is State.APPLIED
    desk.close()


@pytest.mark.skipif(os.name == "nt", reason="another kind of protection")
def test_of_two_pages_the_protected_one_says_why_and_the_other_is_saved(
    desk: Desk, dialog: ReviewDialog
) -> None:
    (desk.notes.root / "memory.md").chmod(stat.S_IREAD)
    dialog.view.accept_all.click()
    settle(desk, dialog)
    assert "memory.md" in dialog.view.error_text
    assert "still waiting" in dialog.view.error_text
    dialog.next.click()
    settle(desk, dialog)
    press(desk, dialog, Key.Key_A)
    assert desk.notes.read("bank/world.md") == "- W: Two.\n"
    assert desk.notes.read("memory.md") == CORE
    assert dialog.view.title.text() == "Core"
    assert dialog.view.finish.isVisible()  # all answered, and never saved


def test_a_suggestion_whose_lines_do_not_fit_is_refused_with_a_reason(
    desk: Desk, dialog: ReviewDialog
) -> None:
    pid = dialog.desk.pid
    stored = desk.notes.proposal(pid)
    broken = Hunk(4, ("- A line that is not there.",), ("- X",), "Broken.")
    desk.notes.reviewer.store.put(replace(stored, hunks=(broken,)))
    desk.review.refresh()
    settle(desk, dialog)
    press(desk, dialog, Key.Key_A)
    assert "does not fit its page" in dialog.view.error_text
    assert desk.notes.read("memory.md") == CORE


# The report


def report(**more: object) -> ReflectionReport:
    usual: dict[str, object] = {
        "id": "r-1",
        "started": NOW - timedelta(seconds=3),
        "finished": NOW,
        "new": 12,
        "proposed": (
            Proposed("bank/world.md", Phase.WORLD, "Two newer notes.", "p-1", True, 0.4),
            Proposed("memory.md", Phase.CORE, "A fact has changed.", "p-2", True, 0.9),
        ),
        "skipped": (
            Skipped(Phase.RETAIN, "memory/2026-11-13.md#L3", "Cold again", "half a sentence"),
            Skipped(Phase.RETAIN, "memory/2026-11-13.md#L5-L6", "", "a heading"),
            Skipped(Phase.OPINIONS, "memory/2026-11-14.md#L2", "<b>tea</b>", "another person"),
        ),
        "skipped_in_all": 3,
    }
    return ReflectionReport(**{**usual, **more})  # type: ignore[arg-type]


def test_a_report_lists_what_was_suggested_and_what_was_passed_over_and_why(
    qtbot: QtBot, theme: Theme
) -> None:
    dialog = ReflectionReportDialog([report()], TODAY)
    qtbot.addWidget(dialog)
    dialog.show()
    assert dialog.summary.text() == (
        "Today 09:00, 3 seconds. It looked at 12 notes that no earlier one had seen."
    )
    assert [row.title for row in dialog.model.rows] == ["Core", "World"]
    dialog.parts.part("skipped").click()
    assert [(row.title, row.line) for row in dialog.model.rows] == [
        ("Cold again", "Half a sentence · Fri 13 Nov 2026, line 3"),
        ("Fri 13 Nov 2026, lines 5–6", "A heading"),
        ("<b>tea</b>", "Another person · Sat 14 Nov 2026, line 2"),
    ]
    QTest.keyClicks(dialog.filter, "HALF sentence")
    assert [row.title for row in dialog.model.rows] == ["Cold again"]
    QTest.keyClicks(dialog.filter, " nowhere")
    assert dialog.nothing.text() == "Nothing with these words."


def test_a_line_of_a_report_leads_to_its_source_or_suggestion(qtbot: QtBot, theme: Theme) -> None:
    dialog = ReflectionReportDialog([report()], TODAY)
    qtbot.addWidget(dialog)
    with qtbot.waitSignal(dialog.suggestion_requested) as asked:
        dialog._on_activated(dialog.model.index(0))
    assert asked.args == ["p-2"]
    dialog.parts.part("skipped").click()
    with qtbot.waitSignal(dialog.source_requested) as opened:
        dialog._on_activated(dialog.model.index(1))
    source, id_ = opened.args[0]
    assert str(source) == "memory/2026-11-13.md#L5-L6"
    assert id_ is None


def test_an_earlier_run_can_be_chosen_and_one_that_failed_says_why(
    qtbot: QtBot, theme: Theme
) -> None:
    day = timedelta(days=1)
    failed = report(
        id="r-0",
        started=NOW - day,
        finished=NOW - day,
        proposed=(),
        skipped=(),
        skipped_in_all=0,
        error="The disk is full. Nothing was changed.",
    )
    dialog = ReflectionReportDialog([report(), failed], TODAY)
    qtbot.addWidget(dialog)
    dialog.show()
    dialog._open_runs()
    texts = [action.text() for action in dialog._runs.actions()]
    assert texts == ["today 09:00 · 2 suggestions", "yesterday 09:00 · it did not end well"]
    dialog._runs.actions()[1].trigger()
    dialog._runs.close()
    assert dialog.error.text == "The disk is full. Nothing was changed."
    assert dialog.model.rows == ()


def test_a_report_of_a_thousand_lines_is_filtered_at_once(qtbot: QtBot, theme: Theme) -> None:
    skipped = tuple(
        Skipped(Phase.RETAIN, f"memory/2026-11-13.md#L{n}", f"Line {n}", "a heading")
        for n in range(1, 1001)
    )
    dialog = ReflectionReportDialog([report(skipped=skipped, skipped_in_all=4000)], TODAY)
    qtbot.addWidget(dialog)
    dialog.parts.part("skipped").click()
    assert len(dialog.model.rows) == 1000
    assert dialog.parts.part("skipped").text() == "Passed over 4,000"
    dialog.filter.setText("line 777")
    assert [row.title for row in dialog.model.rows] == ["Line 777"]
