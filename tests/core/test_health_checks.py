"""Health tells what is wrong, where, and in words; a folder in order is all right."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from daybank import FixedClock, HealthCheck, Workspace
from daybank.errors import Cancelled

Make = Callable[..., Workspace]
NOON = datetime(2026, 11, 26, 12, tzinfo=UTC)
DAYS = {f"memory/{(NOON - timedelta(days=n)).date()}.md": "- A quiet day.\n" for n in range(31)}
GOOD = "## Retain\n\n- W @Peter: Likes tea.\n"


def check(ws: Workspace, id_: str) -> HealthCheck:
    (found,) = [check for check in ws.health().checks if check.id == id_]
    return found


def test_a_folder_in_order_is_all_right(make_workspace: Make) -> None:
    ws = make_workspace(DAYS | {"memory.md": "# Core\n\n- Likes tea.\n"})
    report = ws.health()
    assert [(c.id, c.level) for c in report.checks if c.level != "ok"] == []
    assert report.level == "ok"
    assert len({c.id for c in report.checks}) == len(report.checks)
    assert all(c.message.endswith(".") for c in report.checks)


def test_an_empty_folder_is_all_right(make_workspace: Make) -> None:
    assert make_workspace({}, sync=False).health().level == "ok"


@pytest.mark.parametrize(
    ("files", "id_", "level", "source"),
    [
        ({"memory/a (conflicted copy).md": "x"}, "conflict-copies", "warning",
         "memory/a (conflicted copy).md"),
        ({"bank/world.md": "- W@Peter: no space\n"}, "lines", "note", "bank/world.md#L1"),
        ({"bank/world.md": "- O(c=7) @Peter: Too sure.\n"}, "lines", "note", "bank/world.md#L1"),
        ({"a.md": "```\nnever closed\n"}, "unclosed-code", "warning", "a.md#L1"),
        ({"a.md": "<<<<<<< HEAD\na\n=======\nb\n>>>>>>> x\n"}, "merge-conflicts", "warning",
         "a.md#L1"),
        ({"memory/.2025-11-27.md.icloud": "x"}, "not-downloaded", "note", "memory/2025-11-27.md"),
        ({"MEMORY.md": "x", "memory.md": "y"}, "core", "warning", "MEMORY.md"),
        ({"memory.md": "word " * 2000}, "core", "warning", "memory.md"),
        ({"bank/world.md": "- S @Peter: So (memory/2020-01-01.md#L3).\n"}, "citations", "warning",
         "bank/world.md#L1"),
        ({"bank/world.md": "- S @Peter: So (memory/x.md#L3 ^f-000000000000).\n"}, "citations",
         "warning", "bank/world.md#L1"),
    ],
)  # fmt: skip
def test_each_trouble_is_named_with_its_place(
    make_workspace: Make, files: dict[str, str], id_: str, level: str, source: str
) -> None:
    found = check(make_workspace(files), id_)
    assert (found.level, found.sources[0]) == (level, source)


def test_a_citation_whose_fact_only_moved_is_not_broken(make_workspace: Make) -> None:
    ws = make_workspace({"memory/2025-11-27.md": GOOD})
    (fact,) = ws.recall("tea").results
    (ws.path / "bank").mkdir()
    (ws.path / "bank/world.md").write_text(
        f"- S @Peter: Likes hot drinks (memory/2025-11-27.md#L3 ^{fact.id}).\n"
        "- S @Peter: Likes tea (memory/2025-11-27-peter.md#L3).\n"
    )
    (ws.path / "memory/2025-11-27.md").rename(ws.path / "memory/2025-11-27-peter.md")
    ws.sync()
    assert check(ws, "citations").level == "ok"
    (ws.path / "memory/2025-11-27-peter.md").unlink()
    ws.sync()
    assert check(ws, "citations").sources == ("bank/world.md#L1", "bank/world.md#L2")


def test_files_that_are_not_read_yet_are_counted(make_workspace: Make) -> None:
    ws = make_workspace({"a.md": "- apple\n", "b.md": "- banana\n", "c.md": "- cherry\n"})
    os.utime(ws.path / "c.md", (1, 1))  # touched, not changed
    assert check(ws, "index").level == "ok"
    (ws.path / "a.md").write_text("- apricot\n")
    assert check(ws, "index").message == "1 changed file is not read yet."
    (ws.path / "b.md").unlink()
    (ws.path / "d.md").write_text("- damson\n")
    found = check(ws, "index")
    assert (found.level, found.message) == ("note", "3 changed files are not read yet.")
    ws.sync()
    assert check(ws, "index").level == "ok"


def test_days_without_a_journal_are_listed(make_workspace: Make) -> None:
    missing = sorted(DAYS)[10]
    files = {path: text for path, text in DAYS.items() if path != missing}
    found = check(make_workspace(files), "journal")
    assert (found.level, found.sources) == ("note", (missing,))


def test_a_stale_identity_page_is_told_of_only_where_there_is_one(make_workspace: Make) -> None:
    page = {"memory/identity.md": "# I am\n\n- A helper.\n"}
    ws = make_workspace(page, clock=FixedClock(NOON))
    place: Path = ws.path / "memory/identity.md"
    for hours, level in ((1, "ok"), (7.9, "ok"), (9, "note")):
        os.utime(place, (NOON.timestamp() - hours * 3600,) * 2)
        assert check(ws, "identity").level == level
    place.unlink()
    ws.sync()
    assert check(ws, "identity").level == "ok"


def test_what_needs_the_person_comes_first(make_workspace: Make) -> None:
    ws = make_workspace({"a.md": "```\n", "memory/.x.md.icloud": "", "bank/world.md": "- W@P: x\n"})
    levels = [c.level for c in ws.health().checks]
    order = ("error", "warning", "note", "ok")
    assert levels == sorted(levels, key=order.index)
    assert ws.health().level == "warning"


def test_a_check_can_be_called_off(make_workspace: Make) -> None:
    ws = make_workspace(DAYS)
    stop = threading.Event()
    stop.set()
    with pytest.raises(Cancelled):
        ws.health(cancel=stop)
    assert ws.health().level == "ok"
