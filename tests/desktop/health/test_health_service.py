"""Checking the notes: when, what is kept of it, and two versions of a page beside each other."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, datetime, timedelta
from pathlib import Path

import pytest
from health_tools import CLOCK, COPY, FINE, NOW, CheckedNotes, Desk, desk_of, run
from hypothesis import given
from hypothesis import strategies as st
from pytestqt.qtbot import QtBot

from daybank import open_workspace
from daybank.errors import WorkspaceUnreadable
from daybank.health.report import HealthCheck, HealthReport
from daybank.review.hunks import split_lines
from daybank_desktop import health_words
from daybank_desktop.health_words import Act, Beside, Group
from daybank_desktop.models.compare_rows import compare, original_of
from daybank_desktop.services.health import Compared, Health, HealthState
from daybank_desktop.services.library import Library
from daybank_desktop.tasks import Tasks

TODAY = date(2026, 11, 30)
SECRET = HealthCheck("secrets", "warning", "What looks like a password.", ("memory/a.md#L3",))


@pytest.fixture
def desk(qtbot: QtBot) -> Iterator[Desk]:
    with desk_of(qtbot, CheckedNotes()) as desk:
        yield desk


def test_a_check_is_kept_with_its_moment_and_tells_what_needs_the_person(desk: Desk) -> None:
    desk.notes.checks = (HealthCheck("conflict-copies", "warning", "1 copy.", (COPY,)), *FINE)
    desk.notes.runs = [run()]
    desk.open()
    assert desk.health.level == ""
    told: list[HealthState] = []
    desk.health.changed.connect(told.append)
    desk.health.check()
    desk.settle()
    assert [state.is_checking for state in told[:2]] == [True, False]
    state = desk.health.state
    assert state.report == HealthReport(desk.notes.checks)
    assert state.checked == NOW
    assert state.beside.last == desk.notes.runs[0].started
    assert (desk.health.needs, desk.health.level) == (1, "caution")
    assert desk.notes.late_after == timedelta(hours=36)


def test_an_error_is_a_negative_dot_and_a_note_none(desk: Desk) -> None:
    desk.open()
    desk.health.take(HealthReport((HealthCheck("journal", "note", "No journal."),)))
    assert (desk.health.needs, desk.health.level) == (0, "")
    desk.health.take(HealthReport((HealthCheck("files", "error", "a.md: no."), SECRET)))
    assert (desk.health.needs, desk.health.level) == (2, "negative")
    desk.settle()


def test_a_report_of_the_clock_does_not_end_a_check_that_was_asked_for(
    desk: Desk, qtbot: QtBot
) -> None:
    desk.open()
    desk.notes.may_check.clear()
    desk.health.check()
    desk.health.take(HealthReport((SECRET,)))
    assert desk.health.state.is_checking
    desk.health.check()  # nothing more is begun
    desk.notes.may_check.set()
    desk.settle()
    assert not desk.health.state.is_checking
    assert desk.notes.checked == 1
    assert desk.health.state.report == HealthReport(FINE)


def test_stopping_keeps_the_last_report_and_wants_no_answer(desk: Desk) -> None:
    desk.open()
    desk.health.take(HealthReport((SECRET,)))
    desk.notes.may_check.clear()
    desk.health.check()
    desk.health.cancel()
    assert not desk.health.state.is_checking
    desk.notes.may_check.set()
    desk.settle()
    assert desk.health.state.report == HealthReport((SECRET,))


def test_what_is_new_is_read_before_it_is_checked(qtbot: QtBot) -> None:
    notes = CheckedNotes(sync_files=40, sync_takes=0.01)
    with desk_of(qtbot, notes) as desk:
        desk.library.open(notes.path)
        qtbot.waitUntil(lambda: desk.library.is_syncing)
        desk.health.check()
        assert desk.health.state.is_checking
        assert notes.checked == 0
        desk.settle()
        assert notes.checked == 1
        assert desk.health.state.report is not None


def test_a_failed_check_says_why_and_can_be_tried_again(desk: Desk) -> None:
    desk.open()
    desk.notes.health_error = WorkspaceUnreadable("The memory folder cannot be reached.")
    desk.health.check()
    desk.settle()
    assert desk.health.state.error is desk.notes.health_error
    desk.notes.health_error = None
    desk.health.check()
    desk.settle()
    assert desk.health.state.error is None
    assert desk.health.state.report is not None


def test_another_folder_starts_without_a_report(desk: Desk) -> None:
    desk.open()
    desk.health.take(HealthReport((SECRET,)))
    desk.open()
    assert desk.health.state == HealthState()
    assert desk.health.level == ""


def test_notes_that_change_make_the_report_old(desk: Desk) -> None:
    desk.open()
    desk.health.take(HealthReport((SECRET,)))
    assert not desk.health.state.is_stale
    desk.library.changed.emit()
    assert desk.health.state.is_stale
    desk.settle()


# With a real folder


def _folder(tmp_path: Path) -> Path:
    root = tmp_path / "notes"
    (root / "memory").mkdir(parents=True)
    (root / "memory" / "2026-11-21.md").write_text("# Day\n\n- W @Mara: Frost.\n")
    (root / COPY).write_text("# Day\n\n- W @Mara: Sun.\n- W @Jun: A sketch.\n")
    (root / "memory" / "2026-11-20.md").write_text("- W @Mara: db password hunter2-EXAMPLE\n")
    (root / "memory.md").write_text("# Core\n" + "word " * 1000)
    return root


@pytest.fixture
def real(qtbot: QtBot, tmp_path: Path) -> Iterator[tuple[Health, Path, Tasks]]:
    root = _folder(tmp_path)
    tasks = Tasks()
    library = Library(
        tasks, lambda path: open_workspace(path, clock=CLOCK, choose_embedder=lambda: None)
    )
    health = Health(tasks, library, CLOCK)
    library.open(root)
    qtbot.waitUntil(lambda: library.workspace is not None and tasks.is_idle, timeout=20_000)
    yield health, root, tasks
    library.stop()
    assert tasks.shutdown(10)
    library.close()
    for service in (health, library, tasks):
        service.deleteLater()


def test_the_checks_of_a_real_folder_all_have_their_words(
    real: tuple[Health, Path, Tasks], qtbot: QtBot
) -> None:
    health, _, tasks = real
    health.check()
    qtbot.waitUntil(
        lambda: health.state.beside.core_share is not None and tasks.is_idle, timeout=20_000
    )
    report = health.state.report
    assert report is not None
    assert {check.id for check in report.checks} <= set(health_words.KNOWN_IDS)
    assert health.needs == 2
    assert health_words.headline(report) == "Two things need you, the rest is fine"
    told = {
        card.id: card.title
        for card in (
            health_words.told(c, health.state.beside, TODAY)
            for c in report.checks
            if c.level != "ok"
        )
        if card.group is Group.NEEDS_YOU
    }
    assert told == {
        "conflict-copies": "Two versions of 21 November exist",
        "secrets": "A password or key may be written in 20 November",
    }
    assert health.state.beside.core_share == 63


def test_two_versions_are_compared_and_neither_is_touched(
    real: tuple[Health, Path, Tasks], qtbot: QtBot
) -> None:
    health, root, _ = real
    before = {p: (p.read_bytes(), p.stat().st_mtime_ns) for p in root.glob("memory/*.md")}
    with qtbot.waitSignal(health.compared) as asked:
        health.compare(COPY, (COPY,))
    pair = asked.args[0]
    assert isinstance(pair, Compared)
    assert pair.original == "memory/2026-11-21.md"
    assert pair.comparison is not None
    assert pair.comparison.changes == 2
    texts = [
        (row.now.text if row.now else None, row.suggested.text if row.suggested else None)
        for row in pair.comparison.rows
        if row.is_change
    ]
    assert ("- W @Mara: Frost.", "- W @Mara: Sun.") in texts
    after = {p: (p.read_bytes(), p.stat().st_mtime_ns) for p in root.glob("memory/*.md")}
    assert after == before


def test_a_copy_whose_first_version_is_gone_is_told_so(
    real: tuple[Health, Path, Tasks], qtbot: QtBot
) -> None:
    health, root, _ = real
    (root / "memory" / "2026-11-21.md").unlink()
    with qtbot.waitSignal(health.compared) as asked:
        health.compare(COPY, (COPY,))
    assert asked.args[0].original == ""


def test_a_copy_that_is_gone_itself_is_an_error_for_a_person(
    real: tuple[Health, Path, Tasks], qtbot: QtBot
) -> None:
    health, root, _ = real
    (root / COPY).unlink()
    with qtbot.waitSignal(health.compare_failed) as asked:
        health.compare(COPY)
    assert "not there any more" in asked.args[1].title


@pytest.mark.parametrize(
    ("copy", "original"),
    [
        ("2026-11-21.sync-conflict-20261122-101500-ABCDEFG.md", "2026-11-21.md"),
        ("2026-11-21 (Mara's conflicted copy 2026-11-22).md", "2026-11-21.md"),
        ("2026-11-21 (1).md", "2026-11-21.md"),
        ("2026-11-21-DESKTOP-AB12CD3.md", "2026-11-21.md"),
        ("Core_conflict-20261122-101500.md", "core.md"),
        ("plan b_conf(1).md", "plan b.md"),
        ("other.conflict1.md", ""),
        ("notes.conflict1.txt", ""),
    ],
)
def test_the_first_version_is_found_by_its_name(copy: str, original: str) -> None:
    names = ["2026-11-21.md", "2026-11-2.md", "core.md", "plan.md", "plan b.md", "notes.md", copy]
    assert original_of(copy, names) == original


lines = st.lists(st.sampled_from(["", "# Day", "- one", "- two", "three"]), max_size=12)


@given(now=lines, copy=lines)
def test_a_comparison_shows_every_line_that_differs_and_invents_none(
    now: list[str], copy: list[str]
) -> None:
    one, other = "\n".join(now), "\n".join(copy)
    found = compare(one, other)
    assert found is not None
    assert (found.changes == 0) == (split_lines(one) == split_lines(other))
    for row in found.rows:
        if row.now is not None and row.now.number:
            assert split_lines(one)[row.now.number - 1] == row.now.text
        if row.suggested is not None and row.suggested.number:
            assert split_lines(other)[row.suggested.number - 1] == row.suggested.text
    gone = len([r for r in found.rows if r.now is not None and r.now.mark == "removed"])
    come = len([r for r in found.rows if r.suggested is not None and r.suggested.mark == "added"])
    assert len(split_lines(one)) - gone == len(split_lines(other)) - come


def test_what_is_far_too_long_to_compare_is_not_compared() -> None:
    one = "\n".join(f"line {n}" for n in range(3000))
    assert compare(one, "\n".join(f"other {n}" for n in range(3000))) is None
    same_but_one = compare(one, one.replace("line 1500", "another"))
    assert same_but_one is not None
    assert same_but_one.changes == 1
    assert len(same_but_one.rows) < 10


# The words

_SOURCES = tuple(f"memory/2026-11-{day:02}.md#L{day}" for day in range(2, 5))


def _cards(id_: str, level: str) -> Iterator[health_words.Told]:
    for sources in ((), _SOURCES[:1], _SOURCES):
        check = HealthCheck(id_, level, "3 things are so. And more.", sources)  # type: ignore[arg-type]
        yield health_words.told(check, Beside(core_share=120), TODAY)


@pytest.mark.parametrize("id_", [*health_words.KNOWN_IDS, "of-a-newer-core"])
@pytest.mark.parametrize("level", ["note", "warning", "error"])
def test_every_finding_has_plain_words_for_one_and_for_many(
    qtbot: QtBot, id_: str, level: str
) -> None:
    for card in _cards(id_, level):
        words = " ".join(filter(None, (card.title, card.sentence, card.label)))
        assert card.title
        assert not card.title.endswith(".")
        for sign in ("%Ln", "(s)", "{", "}", "  "):
            assert sign not in words
        for jargon in ("index", "hunk", "token", "embed", "FTS", "lint"):
            assert jargon not in words.lower().split()
        assert bool(card.label) == (card.act is not Act.NONE)


def test_missing_days_are_told_together(qtbot: QtBot) -> None:
    check = HealthCheck(
        "journal",
        "note",
        "No journal for 4 days of the last 30.",
        tuple(f"memory/2026-11-{day}.md" for day in ("14", "15", "16", "23")),
    )
    card = health_words.told(check, Beside(), TODAY)
    assert card.title == "No journal for 4 days in November"
    assert card.sentence == "Sat 14 Nov and 3 more. Perhaps you were away."
    assert [spot.words for spot in card.spots] == ["14–16 Nov 2026", "Mon 23 Nov 2026"]


def test_a_finding_that_nobody_knows_keeps_the_words_of_the_core(qtbot: QtBot) -> None:
    check = HealthCheck("new-one", "warning", "Two moons are out. Look up.", ("a.md#L2",))
    card = health_words.told(check, Beside(), TODAY)
    assert (card.title, card.sentence) == ("Two moons are out", "Look up.")
    assert card.group is Group.NEEDS_YOU
    assert card.act is Act.SOURCE
    fine = HealthCheck("new-one", "ok", "One moon is out.")
    assert health_words.fine(fine, Beside(), TODAY) == "One moon is out."


def test_a_name_with_a_number_sign_keeps_it(qtbot: QtBot) -> None:
    check = HealthCheck("conflict-copies", "warning", "1 copy.", ("C# notes.conflict1.md",))
    card = health_words.told(check, Beside(), TODAY)
    assert card.spots[0].path == "C# notes.conflict1.md"


def test_the_moment_of_a_check_is_told_by_day(qtbot: QtBot) -> None:
    at = datetime(2026, 11, 30, 8, 40)
    assert health_words.at_moment(at, TODAY) == "today at 08:40"
    assert health_words.at_moment(at - timedelta(days=1), TODAY) == "yesterday at 08:40"
    assert health_words.at_moment(at - timedelta(days=5), TODAY) == "Wed 25 Nov 2026 at 08:40"
