"""An SQLite without FTS5 searches more slowly and says so; one that has it takes over again."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Callable, Iterator

import pytest
from index_tools import BAKERY, DAY, NOON, contents, paths, wait_for

from daybank import Workspace

Make = Callable[..., Workspace]


class _WithoutFts(sqlite3.Connection):
    """Knows FTS5 as little as an SQLite that was built without it."""

    def cursor(self, *args: object) -> sqlite3.Cursor:  # type: ignore[override]
        return super().cursor(_Cursor)

    def execute(self, sql: str, *args: object) -> sqlite3.Cursor:  # type: ignore[override]
        return self.cursor().execute(sql, *args)  # type: ignore[arg-type]


class _Cursor(sqlite3.Cursor):
    def execute(self, sql: str, *args: object) -> sqlite3.Cursor:  # type: ignore[override]
        made_with = super().execute("SELECT 1 FROM sqlite_master WHERE sql LIKE '%USING fts5%'")
        touches = re.search(r"\b(passage_fts|vocabulary)\b", sql) and made_with.fetchone()
        if "fts5" in sql or touches:
            raise sqlite3.OperationalError("no such module: fts5")
        return super().execute(sql, *args)  # type: ignore[arg-type]


def connect_without_fts(*args: object, **kwargs: object) -> sqlite3.Connection:
    return sqlite3.connect(*args, factory=_WithoutFts, **kwargs)  # type: ignore[call-overload, no-any-return]


@pytest.fixture
def plain(make_workspace: Make) -> Iterator[Workspace]:
    """A workspace opened with an SQLite that has no FTS5."""
    files = {"memory/2025-11-27.md": DAY, "memory/2025-11-28.md": BAKERY, "c.md": "- 100 % of it\n"}
    found = Workspace(make_workspace(files, sync=False)._folder, NOON, connect=connect_without_fts)
    yield found
    found.close()


@pytest.mark.parametrize(
    ("query", "path"),
    [
        ("Marrakech", "memory/2025-11-27.md"),
        ("marr", "memory/2025-11-27.md"),
        ('"concise replies"', "memory/2025-11-27.md"),
        ("where is Peter", "memory/2025-11-27.md"),
        ("bakeries", "memory/2025-11-28.md"),
        ("bakery -seven", "memory/2025-11-28.md"),
        ("100 %", "c.md"),
    ],
)
def test_search_works_and_says_that_it_is_slow(plain: Workspace, query: str, path: str) -> None:
    plain.sync()
    answer = plain.recall(query)
    assert paths(answer)[:1] == [path]
    assert [notice.id for notice in answer.notices] == ["slow-search"]
    assert not plain.recall("%").results
    assert not plain.recall("xyzzy_").results


def test_health_tells_of_it(plain: Workspace) -> None:
    plain.sync()
    check = next(check for check in plain.health().checks if check.id == "index")
    assert (check.level, "FTS5" in check.message) == ("warning", True)


def test_edits_and_deletions_are_followed(plain: Workspace) -> None:
    plain.sync()
    (plain.path / "memory/2025-11-27.md").write_text("- Home again.\n")
    (plain.path / "memory/2025-11-28.md").unlink()
    plain.sync()
    assert not plain.recall("Marrakech").results
    assert not plain.recall("bakery").results
    assert contents(plain.recall("home")) == ["Home again."]
    assert plain.sync(rebuild=True).rebuilt
    assert plain._index.is_sound()


def test_a_rare_word_is_found_among_very_many_notes_with_the_common_one(
    plain: Workspace,
) -> None:
    (plain.path / "d.md").write_text("- the sea and an albatross\n")
    (plain.path / "memory/2026-01-01.md").write_text(
        "".join(f"- the sea on day {number}\n" for number in range(400))
    )
    plain.sync()
    assert contents(plain.recall("sea albatross", k=1)) == ["the sea and an albatross"]


def test_an_sqlite_with_fts5_takes_over_and_back(make_workspace: Make) -> None:
    full = make_workspace({"memory/2025-11-27.md": DAY})
    assert full.recall("Marrakech").notices == ()
    plain = Workspace(full._folder, NOON, connect=connect_without_fts)
    try:
        assert [notice.id for notice in plain.recall("Marrakech").notices] == ["not-indexed"]
        assert plain.sync().rebuilt
        assert [notice.id for notice in plain.recall("Marrakech").notices] == ["slow-search"]
    finally:
        plain.close()
    assert full.sync().rebuilt
    answer = full.recall("Marrakech")
    assert (len(answer.results), answer.notices) == (1, ())


def test_a_plain_connection_of_the_callers_will_do(make_workspace: Make) -> None:
    ws = make_workspace({"a.md": "- apple\n"}, sync=False)

    def connect(path: str, **kwargs: object) -> sqlite3.Connection:
        return sqlite3.connect(path, isolation_level=None, check_same_thread=False)

    with Workspace(ws._folder, NOON, connect=connect) as other:
        other.sync()
        assert contents(other.recall("apple")) == ["apple"]
        wait_for(lambda: other.sync().unchanged == 1)
