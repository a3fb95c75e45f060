"""Arrays of rows beside the index: whenever they were made, and however much came since, they say
what SQLite would, and every answer is the same as without them."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from datetime import date
from pathlib import Path

import pytest
from core_tools import write_files
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from index_tools import NOON, assert_equals_rebuild

from daybank import Cancelled, Workspace, open_workspace
from daybank.dates import Interval
from daybank.index import postings
from daybank.index.filter import Filter, restriction
from daybank.index.match import Group, match_expression
from daybank.index.schema import FTS_TABLE
from daybank.markdown.model import Kind

NOTES = (
    "- flour and rye\n",
    "- the oven was cold\n- flour again\n",
    "## Retain\n\n- B @Mara: Sold rye bread at the oven (Nov 3, 2025).\n- W @Peter: Likes flour.\n",
    "## Flour\n\n- rye\n- oven\n- nothing\n",
    "## Retain\n\n- S @Mara: Baked (memory/2025-11-02.md#L3).\n- O(c=0.8) @Mara: Rye is best.\n",
    "",
)
DAYS = tuple(f"memory/2025-11-{day:02}.md" for day in range(1, 8))
QUERIES = (
    "flour oven",
    "rye flour oven cold",
    "flour -oven",
    "what does Mara think of rye",
    "flour in November 2025",
    "oven fl",
    "rye since Nov 3, 2025",
)
FILTERS = (
    Filter(),
    Filter(Interval(date(2025, 11, 2), date(2025, 11, 4))),
    Filter(Interval(None, date(2025, 11, 3))),
    Filter(Interval(date(2025, 11, 5), None), (Kind.WORLD, Kind.EXPERIENCE)),
    Filter(kinds=(Kind.PASSAGE,)),
    Filter(entity_keys=(("mara",),)),
    Filter(Interval(date(2025, 11, 1), None), entity_keys=(("mara", "peter"), ("peter",))),
    Filter(path=DAYS[2]),
    Filter(without_keys=("mara",)),
    Filter(Interval(date(2025, 11, 2), None), entity_keys=(("peter",),), without_keys=("mara",)),
)
GROUPS = (
    Group("flour", ("flour",), (("flour",),)),
    Group("rye bread", ("rye", "bread"), (("rye", "bread"),)),
    Group("either", ("oven",), (("oven",), ("cold",))),
    Group("fl", ("fl",), (("fl",),), prefix=True),
    Group("Rye", ("rye",), (("rye",),), exact=True),
)

step = st.one_of(
    st.tuples(st.just("write"), st.sampled_from(DAYS), st.sampled_from(NOTES)),
    st.tuples(st.just("delete"), st.sampled_from(DAYS), st.just("")),
    st.tuples(st.just("sync"), st.just(""), st.just("")),
)


@pytest.fixture(autouse=True)
def small_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(postings, "POSTED_FROM", 2)
    monkeypatch.setattr(postings, "RENEW_AT_LEAST", 5)


@pytest.fixture
def ws(tmp_path: Path) -> Iterator[Workspace]:
    (tmp_path / "notes").mkdir()
    with open_workspace(tmp_path / "notes", clock=NOON) as workspace:
        yield workspace


def _sql(workspace: Workspace, query: str, values: tuple[object, ...] = ()) -> list[int]:
    rows = workspace._index.database.execute_sql(query, values).fetchall()
    return [row[0] for row in rows]


def _posted(workspace: Workspace) -> int:
    return workspace._ask(lambda: postings.extent(workspace._index.database)).posted


def assert_arrays_say_what_sqlite_says(workspace: Workspace) -> None:
    def compare() -> None:
        rows = workspace._store.rows
        there = set(_sql(workspace, "SELECT id FROM passage"))
        for wanted in FILTERS:
            conditions, values = restriction(wanted)
            expected = _sql(
                workspace,
                "SELECT p.id FROM passage p JOIN file ON file.id = p.file_id"
                f" WHERE 1{conditions} ORDER BY p.id",
                tuple(values),
            )
            assert rows.meeting(wanted).tolist() == expected, wanted
        for group in GROUPS:
            found = [*rows.saying(group).tolist(), *rows.under(group).tolist()]
            expected = _sql(
                workspace,
                f"SELECT rowid FROM {FTS_TABLE} WHERE {FTS_TABLE} MATCH ?",
                (match_expression([group]),),
            )
            assert set(found) & there == set(expected), group
        known = rows.frequency("flour")
        counted = _sql(
            workspace, "SELECT doc FROM vocabulary WHERE term = 'flour' AND col = 'stems'"
        )
        assert known in (None, *(counted or [0]))

    workspace._ask(compare)


@settings(
    max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(steps=st.lists(step, max_size=18))
def test_after_any_history_they_say_what_sqlite_says(
    tmp_path_factory: pytest.TempPathFactory, steps: list[tuple[str, str, str]]
) -> None:
    folder = tmp_path_factory.mktemp("history")
    (folder / "notes").mkdir()
    with open_workspace(folder / "notes", clock=NOON) as workspace:
        for doing, path, text in (*steps, ("sync", "", "")):
            if doing == "write":
                write_files(workspace.path, {path: text})
            elif doing == "delete":
                (workspace.path / path).unlink(missing_ok=True)
            else:
                workspace.sync()
                assert_arrays_say_what_sqlite_says(workspace)
        assert_equals_rebuild(workspace, folder / "clean", QUERIES)


def test_they_are_made_once_there_is_enough_and_again_when_much_came(ws: Workspace) -> None:
    write_files(ws.path, {DAYS[0]: "- flour\n" * 4})
    ws.sync()
    assert _posted(ws) == 0
    write_files(ws.path, {DAYS[1]: "- flour\n" * 4})
    ws.sync()
    assert _posted(ws) == 8
    write_files(ws.path, {DAYS[2]: "- flour\n" * 3})
    ws.sync()
    assert _posted(ws) == 8
    assert_arrays_say_what_sqlite_says(ws)
    write_files(ws.path, {DAYS[3]: "- flour\n" * 3})
    ws.sync()
    assert _posted(ws) == 14


def test_a_row_that_they_tell_of_is_never_given_to_another_passage(ws: Workspace) -> None:
    write_files(ws.path, {DAYS[0]: "- flour\n" * 8})
    ws.sync()
    (ws.path / DAYS[0]).unlink()
    ws.sync()
    write_files(ws.path, {DAYS[1]: "- oven\n"})
    ws.sync()
    rows = ws._ask(lambda: _sql(ws, "SELECT id FROM passage"))
    assert rows == [9]
    assert not ws.recall("flour ", semantic=False).results
    assert_arrays_say_what_sqlite_says(ws)


def test_when_making_them_was_broken_off_they_are_made_at_the_next_look(
    ws: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    cancel = threading.Event()
    store_values = postings._store_values

    def call_off(*arguments: object) -> None:
        cancel.set()
        store_values(*arguments)  # type: ignore[arg-type]

    write_files(ws.path, {DAYS[0]: "- flour\n" * 8, DAYS[1]: "- flour oven\n"})
    monkeypatch.setattr(postings, "_store_values", call_off)
    with pytest.raises(Cancelled):
        ws.sync(cancel=cancel)
    monkeypatch.undo()
    monkeypatch.setattr(postings, "RENEW_AT_LEAST", 5)
    assert _posted(ws) == 0
    assert ws.recall("flour oven ", semantic=False).results
    ws.sync()
    assert _posted(ws) == 9
    assert_arrays_say_what_sqlite_says(ws)


def test_words_excluded_and_beginnings_count_beside_common_words(ws: Workspace) -> None:
    files = {day: "- flour by the mill\n- flour in the oven\n- oven by the mill\n" for day in DAYS}
    files[DAYS[3]] += "- a miller with flour and an oven\n"
    write_files(ws.path, files)
    ws.sync()
    found = ws.recall("flour oven -mill ", k=50, semantic=False).results
    assert all("mill" not in result.content.split() for result in found)
    assert found[0].content in ("flour in the oven", "a miller with flour and an oven")
    best = ws.recall("flour oven mil", k=1, semantic=False).results
    assert best[0].content == "a miller with flour and an oven"
