"""The Health page and the window that puts two versions of a page beside each other."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from health_tools import CLOCK, COPY, FINE, CheckedNotes, Desk, desk_of
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from daybank.errors import WorkspaceUnreadable
from daybank.health.report import HealthCheck, HealthReport
from daybank.markdown.model import Source
from daybank_desktop.dialogs.compare_copies import CompareDialog
from daybank_desktop.pages.health_page import HealthPage, HealthPlace
from daybank_desktop.pages.review_page import ReviewPlace
from daybank_desktop.theme import Theme
from daybank_desktop.widgets.diff_view import DiffMode
from daybank_desktop.widgets.finding_card import FIRST_SPOTS, FindingRow, SpotLine

COPIES = HealthCheck("conflict-copies", "warning", "1 copy.", (COPY,))
SECRET = HealthCheck("secrets", "warning", "A password stands there.", ("memory/2026-09-03.md#L7",))
LINES = HealthCheck(
    "lines", "note", "Not understood.", tuple(f"memory/2026-11-0{n}.md#L{n}" for n in range(1, 7))
)


class Shown:
    """The page, and what it asked for."""

    def __init__(self, desk: Desk) -> None:
        self.desk = desk
        self.page = HealthPage(desk.health, CLOCK.today)
        desk.qtbot.addWidget(self.page)
        self.asked: list[tuple[Any, ...]] = []
        page = self.page
        page.compare_requested.connect(lambda *a: self.asked.append(("compare", *a)))
        page.reveal_requested.connect(lambda *a: self.asked.append(("reveal", *a)))
        page.source_requested.connect(lambda *a: self.asked.append(("source", *a)))
        page.page_requested.connect(lambda *a: self.asked.append(("page", *a)))
        page.sync_requested.connect(lambda: self.asked.append(("sync",)))
        page.reflect_requested.connect(lambda: self.asked.append(("reflect",)))
        page.diagnostics_requested.connect(lambda: self.asked.append(("diagnostics",)))
        page.resize(1154, 652)
        page.show()

    def check(self, *checks: HealthCheck) -> None:
        self.desk.notes.checks = checks
        self.desk.health.check()
        self.desk.settle()

    def row(self, id_: str) -> FindingRow:
        return next(row for row in self.page.rows if row.told.id == id_)


@pytest.fixture
def shown(qtbot: QtBot, theme: Theme) -> Iterator[Shown]:
    with desk_of(qtbot, CheckedNotes()) as desk:
        shown = Shown(desk)
        desk.open()
        yield shown


def test_the_page_tells_what_needs_the_person_and_what_is_fine(shown: Shown) -> None:
    shown.check(COPIES, SECRET, LINES, *FINE)
    page = shown.page
    assert page.title.text() == "Two things need you, the rest is fine"
    assert page.line.text() == "Checked today at 08:40. Your notes are complete and readable."
    assert [row.told.id for row in page.needs.rows] == ["conflict-copies", "secrets"]
    assert [row.title.text() for row in page.worth.rows] == ["6 lines were not wholly understood"]
    assert page.fine.words == (
        "Search is up to date",
        "Every file can be read",
        "No passwords in the notes",
    )
    assert [row.button.kind for row in page.rows] == ["primary", "plain", "plain"]


def test_a_page_without_findings_is_fine(shown: Shown) -> None:
    shown.check(*FINE)
    assert shown.page.title.text() == "Everything is fine"
    assert not shown.page.needs.isVisible()
    assert not shown.page.worth.isVisible()
    shown.check(LINES, *FINE)
    assert shown.page.title.text() == "Nothing needs you"
    shown.check(SECRET, *FINE)
    assert shown.page.title.text() == "One thing needs you, the rest is fine"


def test_each_action_leads_where_something_can_be_done(shown: Shown) -> None:
    place = Source("memory/2026-09-03.md", 7, 7)
    for check, wanted in (
        (COPIES, ("compare", COPY, (COPY,))),
        (SECRET, ("source", (place, None))),
        (HealthCheck("index", "note", "3 changed files are not read yet."), ("sync",)),
        (
            HealthCheck("meaning", "note", "Search by meaning is off. It failed."),
            ("page", "settings", "meaning"),
        ),
        (
            HealthCheck("reflection", "warning", "The last reflection failed: No disk."),
            ("page", "runs", None),
        ),
        (
            HealthCheck("reflection", "warning", "Reflection is late: it ran long ago."),
            ("reflect",),
        ),
        (HealthCheck("suggestions", "note", "1 suggestion has waited."), ("page", "review", None)),
        (
            HealthCheck("core", "warning", "Too long.", ("memory.md",)),
            ("source", (Source("memory.md", 1, 1), None)),
        ),
        (HealthCheck("files", "error", "a.md: no.", ("notes/a.md",)), ("reveal", "notes/a.md")),
        (
            HealthCheck("suggestion-files", "warning", "1 file.", (".memory/proposals/x.json",)),
            ("reveal", ".memory/proposals/x.json"),
        ),
    ):
        shown.asked.clear()
        shown.check(check)
        shown.row(check.id).button.click()
        assert shown.asked == [wanted], check.id


def test_a_citation_that_a_suggestion_mends_leads_to_review(shown: Shown) -> None:
    shown.desk.notes.repairs = {"bank/opinions.md": "p-1"}
    shown.check(HealthCheck("citations", "warning", "1 note cites.", ("bank/opinions.md#L4",)))
    shown.row("citations").button.click()
    assert shown.asked == [("page", "review", ReviewPlace("p-1"))]


def test_a_finding_with_several_places_unfolds_them_bounded(shown: Shown) -> None:
    sources = tuple(f"memory/2026-11-01.md#L{n}" for n in range(1, 48))
    shown.check(HealthCheck("lines", "note", "47 lines.", sources))
    row = shown.row("lines")
    QTest.keyClick(row.button, Qt.Key.Key_Space)
    assert row.is_unfolded
    assert row.list is not None
    assert len(row.list.lines) == FIRST_SPOTS
    assert row.list.more.text() == "and 37 more"
    first = row.list.lines[0]
    assert isinstance(first, SpotLine)
    QTest.keyClick(first, Qt.Key.Key_Space)
    assert shown.asked == [("source", (Source("memory/2026-11-01.md", 1, 1), None))]
    row.list.more.click()
    assert len(row.list.lines) == 47
    assert not row.list.more.isVisible()
    row.button.click()
    assert not row.is_unfolded


def test_missing_days_are_a_list_that_leads_nowhere(shown: Shown) -> None:
    days = tuple(f"memory/2026-11-{day}.md" for day in ("14", "23"))
    shown.check(HealthCheck("journal", "note", "No journal.", days))
    row = shown.row("journal")
    row.button.click()
    assert row.list is not None
    assert not any(isinstance(line, SpotLine) for line in row.list.lines)
    assert shown.asked == []


def test_several_copies_are_compared_one_by_one(shown: Shown) -> None:
    other = "memory/2026-11-22 (1).md"
    shown.check(HealthCheck("conflict-copies", "warning", "2 copies.", (COPY, other)))
    row = shown.row("conflict-copies")
    row.button.click()
    assert row.list is not None
    row.list.lines[1].click()  # type: ignore[attr-defined]
    assert shown.asked == [("compare", other, (COPY, other))]


def test_what_was_unfolded_and_focused_stays_so_after_another_check(
    shown: Shown, qtbot: QtBot
) -> None:
    shown.check(LINES, *FINE)
    row = shown.row("lines")
    row.button.setFocus()
    row.button.click()
    shown.check(SECRET, LINES, *FINE)
    again = shown.row("lines")
    assert again is not row
    assert again.is_unfolded
    assert shown.page.focusWidget() is again.button


def test_a_name_is_shown_letter_for_letter(shown: Shown) -> None:
    nasty = "memory/<b>Mara</b> & \u202egnp.md"
    shown.check(HealthCheck("large-files", "warning", "2 files.", (nasty, "memory/b.md")))
    row = shown.row("large-files")
    row.button.click()
    assert row.list is not None
    line = row.list.lines[0]
    assert line.accessibleName() == nasty
    unknown = HealthCheck("x-new", "warning", "<img src=x> & so.\nAnd <b>more</b>.")
    shown.check(unknown)
    assert shown.row("x-new").title.text() == "<img src=x> & so. And <b>more</b>"
    assert shown.row("x-new").title.textFormat() == Qt.TextFormat.PlainText


# States


def test_while_checking_there_is_progress_that_can_be_stopped(shown: Shown, qtbot: QtBot) -> None:
    shown.check(SECRET, *FINE)
    shown.desk.notes.may_check.clear()
    QTest.keyClick(shown.page.check, Qt.Key.Key_Space)
    assert shown.page.progress.isVisible()
    assert not shown.page.check.isEnabled()
    assert shown.page.needs.isVisible()  # what is known stays
    shown.page.progress.cancelled.emit()
    assert not shown.page.progress.isVisible()
    assert shown.page.check.isEnabled()


def test_the_first_check_shows_grey_bars_only_when_it_takes_long(
    qtbot: QtBot, theme: Theme
) -> None:
    with desk_of(qtbot, CheckedNotes()) as desk:
        desk.notes.may_check.clear()
        shown = Shown(desk)
        desk.library.open(desk.notes.path)
        qtbot.waitUntil(lambda: desk.library.workspace is not None)
        desk.health.check()
        assert shown.page.skeleton.isVisible()
        assert not shown.page.skeleton.is_shown
        qtbot.waitUntil(lambda: shown.page.skeleton.is_shown, timeout=2000)
        desk.notes.may_check.set()
        desk.settle()
        assert not shown.page.skeleton.isVisible()
        assert shown.page.title.text() == "Everything is fine"


def test_without_a_folder_the_page_says_so(qtbot: QtBot, theme: Theme) -> None:
    with desk_of(qtbot, CheckedNotes()) as desk:
        shown = Shown(desk)
        assert shown.page.empty.isVisible()
        assert not shown.page.check.isVisible()
        assert desk.notes.checked == 0


def test_opening_the_page_checks_once_and_again_when_the_notes_have_changed(shown: Shown) -> None:
    page, notes = shown.page, shown.desk.notes
    page.hide()
    page.show()
    shown.desk.settle()
    assert notes.checked == 1
    page.hide()
    page.show()
    shown.desk.settle()
    assert notes.checked == 1
    shown.desk.library.changed.emit()
    page.hide()
    page.show()
    shown.desk.settle()
    assert notes.checked == 2


def test_an_error_says_what_is_safe_and_offers_another_try(shown: Shown) -> None:
    notes = shown.desk.notes
    notes.health_error = WorkspaceUnreadable("It cannot be reached.", "Nothing was lost.")
    shown.desk.health.check()
    shown.desk.settle()
    assert shown.page.error.isVisible()
    assert shown.page.error.accessibleName() == "It cannot be reached."
    notes.health_error = None
    shown.page.error.primary_clicked.emit()
    shown.desk.settle()
    assert not shown.page.error.isVisible()
    notes.health_error = WorkspaceUnreadable("It cannot be reached.", "Nothing was lost.")
    shown.desk.health.check()
    shown.desk.settle()
    assert shown.page.notice.isVisible()  # above the last report, which stays
    assert shown.page.fine.isVisible()


def test_another_folder_begins_with_nothing_of_the_one_before(shown: Shown, qtbot: QtBot) -> None:
    shown.check(COPIES, LINES, *FINE)
    shown.page.hide()
    shown.desk.open()
    shown.page.show()
    qtbot.waitUntil(lambda: shown.desk.notes.checked >= 1)
    shown.desk.settle()
    shown.desk.health._on_opened()
    assert not any(row.isVisible() for row in shown.page.rows)
    assert not shown.page.fine.isVisible()


def test_a_notification_leads_to_its_finding(shown: Shown) -> None:
    shown.check(COPIES, LINES, *FINE)
    shown.page.show_place(HealthPlace("lines"), False)
    assert shown.row("lines").is_unfolded
    assert shown.page.focusWidget() is shown.row("lines").button
    shown.page.show_place(None, False)


def test_a_narrow_window_puts_the_buttons_under_the_words(shown: Shown, qtbot: QtBot) -> None:
    shown.check(COPIES, *FINE)
    row = shown.row("conflict-copies")
    assert row.button.y() < row.sentence.geometry().bottom()
    shown.page.resize(430, 652)
    qtbot.wait(20)
    assert row.button.y() > row.sentence.geometry().bottom()
    assert shown.page.area.widget().width() <= shown.page.width()


# Two versions beside each other


@pytest.fixture
def compare(shown: Shown, qtbot: QtBot, tmp_path: Path) -> Callable[..., CompareDialog]:
    root = tmp_path / "notes"
    (root / "memory").mkdir(parents=True)
    shown.desk.notes.path = root

    def compare(now: str | None, copy: str | None, copies: tuple[str, ...] = (COPY,)) -> Any:
        if now is not None:
            (root / "memory/2026-11-21.md").write_text(now)
        if copy is not None:
            (root / COPY).write_text(copy)
        dialog = CompareDialog(shown.desk.health, COPY, copies, CLOCK.today, shown.page)
        qtbot.addWidget(dialog)
        dialog.show()
        shown.desk.settle()
        return dialog

    return compare


def test_two_versions_stand_beside_each_other(compare: Callable[..., CompareDialog]) -> None:
    dialog = compare("# Day\nFrost.\n", "# Day\nSun.\n")
    assert dialog.title.text() == "Two versions of 21 November"
    assert dialog.area.isVisible()
    assert [row.is_change for row in dialog.diff.rows] == [False, True]
    edited: list[str] = []
    shown_in_folder: list[str] = []
    dialog.edit_requested.connect(edited.append)
    dialog.reveal_requested.connect(shown_in_folder.append)
    dialog.edit.click()
    dialog.reveal.click()
    assert edited == ["memory/2026-11-21.md", COPY]
    assert shown_in_folder == [COPY]
    dialog.resize(600, 500)
    assert dialog.diff.mode is DiffMode.IN_ONE
    QTest.keyClick(dialog, Qt.Key.Key_Escape)
    assert not dialog.isVisible()


@pytest.mark.parametrize(
    ("now", "copy", "said"),
    [
        ("# Day\n", "# Day\n", "No line differs."),
        (None, "# Day\n", "Only the copy is left."),
        ("\n".join(map(str, range(3000))), "x\n" * 3000, "in your editor"),
    ],
)
def test_where_there_is_nothing_to_compare_it_says_why(
    compare: Callable[..., CompareDialog], now: str | None, copy: str, said: str
) -> None:
    dialog = compare(now, copy)
    assert dialog.nothing.isVisible()
    assert any(said in label.text() for label in dialog.nothing.findChildren(type(dialog.line)))


def test_a_copy_that_is_gone_is_told_with_another_try(
    compare: Callable[..., CompareDialog],
) -> None:
    dialog = compare("# Day\n", None)
    assert dialog.error.isVisible()
    assert "not there any more" in dialog.error.accessibleName()


def test_one_goes_from_copy_to_copy(
    compare: Callable[..., CompareDialog], shown: Shown, tmp_path: Path
) -> None:
    other = "memory/2026-11-21 (1).md"
    (tmp_path / "notes" / other).write_text("# Another\n")
    dialog = compare("# Day\n", "# Copy\n", (COPY, other))
    assert not dialog.previous.isEnabled()
    dialog.next.click()
    shown.desk.settle()
    assert not dialog.next.isEnabled()
    assert other in dialog.names.text()
    assert [r.suggested.text for r in dialog.diff.rows if r.suggested] == ["# Another"]


def test_a_report_taken_before_the_page_was_made_is_shown(qtbot: QtBot, theme: Theme) -> None:
    with desk_of(qtbot, CheckedNotes()) as desk:
        desk.open()
        desk.health.take(HealthReport((SECRET, *FINE)))
        desk.settle()
        shown = Shown(desk)
        assert shown.row("secrets").isVisible()
        desk.settle()
        assert desk.notes.checked == 0
