"""Whatever happens to the index file, the notes stay as they are and the index comes back."""

from __future__ import annotations

import os
import sqlite3
import threading
from collections.abc import Callable
from pathlib import Path

import pytest
from index_tools import (
    BAKERY,
    DAY,
    NOON,
    answers,
    assert_equals_rebuild,
    kill,
    paths,
    start_python,
    tree,
    wait_for,
)

from daybank import Cancelled, IndexBusy, IndexUnwritable, Workspace, open_workspace
from daybank.index import database as database_module
from daybank.index.database import IndexDatabase
from daybank.progress import Progress

Make = Callable[..., Workspace]
QUERIES = ["Marrakech", "what does Peter prefer", "bakery", "river"]
FILES = {"memory/2025-11-27.md": DAY, "memory/2025-11-28.md": BAKERY}
MANY = {
    f"memory/2025-{month:02}-{day:02}.md": f"- Walk {day} of {month} with @Mara by the sea.\n"
    for month in range(1, 6)
    for day in range(1, 28)
}


def _truncate(index: Path) -> None:
    with open(index, "r+b") as file:
        file.truncate(index.stat().st_size // 2)


def _truncate_to_nothing(index: Path) -> None:
    index.write_bytes(b"")


def _zero_the_middle(index: Path) -> None:
    size = index.stat().st_size
    with open(index, "r+b") as file:
        file.seek(size // 4)
        file.write(bytes(size // 2))


def _garbage_in_the_middle(index: Path) -> None:
    size = index.stat().st_size
    with open(index, "r+b") as file:
        file.seek(size // 4)
        file.write(os.urandom(size // 2))


def _garbage_at_the_start(index: Path) -> None:
    with open(index, "r+b") as file:
        file.write(b"this is no database at all" * 10)


def _delete(index: Path) -> None:
    index.unlink()


def _drop_a_table(index: Path) -> None:
    _change(index, "DROP TABLE mention")


def _lose_words(index: Path) -> None:
    _change(index, "DELETE FROM passage_fts WHERE rowid = 1")


def _lose_passages(index: Path) -> None:
    _change(index, "DELETE FROM passage WHERE id = 1")


def _be_of_another_version(index: Path) -> None:
    _change(index, "UPDATE meta SET value = '0' WHERE key = 'schema'")


def _leave_a_strange_journal(index: Path) -> None:
    index.with_name(index.name + "-wal").write_bytes(os.urandom(50_000))
    index.with_name(index.name + "-shm").write_bytes(os.urandom(32_768))


def _delete_all_but_the_journal(index: Path) -> None:
    _leave_a_strange_journal(index)
    index.unlink()


def _change(index: Path, statement: str) -> None:
    connection = sqlite3.connect(index)
    connection.execute(statement)
    connection.commit()
    connection.close()


DAMAGE = [
    _truncate,
    _truncate_to_nothing,
    _zero_the_middle,
    _garbage_in_the_middle,
    _garbage_at_the_start,
    _delete,
    _drop_a_table,
    _lose_words,
    _lose_passages,
    _be_of_another_version,
    _leave_a_strange_journal,
    _delete_all_but_the_journal,
]


@pytest.mark.parametrize("damage", DAMAGE, ids=lambda f: f.__name__.strip("_"))
def test_a_damaged_index_is_made_anew_at_the_next_start(
    make_workspace: Make, tmp_path: Path, damage: Callable[[Path], None]
) -> None:
    ws = make_workspace(MANY | FILES)
    before, wanted = tree(ws.path), answers(ws, QUERIES)
    ws.close()
    damage(ws.index_path)
    with open_workspace(ws.path, clock=NOON) as again:
        again.sync()
        assert answers(again, QUERIES) == wanted
        assert_equals_rebuild(again, tmp_path / "clean", QUERIES)
        assert again._index.is_sound()
    assert tree(ws.path) == before


@pytest.mark.parametrize(
    "damage",
    [_truncate, _zero_the_middle, _garbage_in_the_middle, _delete, _drop_a_table],
    ids=lambda f: f.__name__.strip("_"),
)
def test_an_index_damaged_while_it_is_open_goes_on_answering(
    make_workspace: Make, damage: Callable[[Path], None]
) -> None:
    ws = make_workspace(MANY | FILES)
    before, wanted = tree(ws.path), answers(ws, QUERIES)
    ws.sync()
    damage(ws.index_path)
    ws.sync()
    for query in QUERIES:
        ws.recall(query)
    ws._sync.distrust()
    ws.sync()
    assert answers(ws, QUERIES) == wanted
    assert tree(ws.path) == before


def test_the_state_folder_may_be_deleted_while_it_is_in_use(make_workspace: Make) -> None:
    ws = make_workspace(FILES)
    wanted = answers(ws, QUERIES)
    for place in (ws.path / ".memory").iterdir():
        place.unlink()
    (ws.path / ".memory").rmdir()
    first = ws.recall("Marrakech")
    assert first.results or [notice.id for notice in first.notices] == ["not-indexed"]
    ws.sync()
    assert answers(ws, QUERIES) == wanted
    assert (ws.path / ".memory/.gitignore").read_text() == "*\n"


def test_an_index_made_anew_by_another_program_in_mid_sync_is_not_mixed_up(
    make_workspace: Make, tmp_path: Path
) -> None:
    ws = make_workspace(MANY)
    for name in list(MANY)[:60]:
        (ws.path / name).write_text("# Day\n\n- Something else with @Peter.\n")
    (ws.path / "a.md").write_text("- Sorted before all others.\n")
    done = []

    def replace_it(progress: Progress) -> None:
        if progress.stage == "read" and progress.done == 50 and not done:
            done.append(True)
            for place in (ws.path / ".memory").iterdir():
                place.unlink()
            with open_workspace(ws.path, clock=NOON) as other:
                other.sync()

    ws.sync(progress=replace_it)
    assert done
    assert_equals_rebuild(ws, tmp_path / "clean", ["walk", "Peter", "sorted"])


def test_a_locked_index_is_not_thrown_away(
    make_workspace: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(database_module, "_BUSY_SECONDS", 0.1)
    ws = make_workspace(FILES)
    (ws.path / "c.md").write_text("- cherry\n")
    ws.close()
    inode = ws.index_path.stat().st_ino
    with open_workspace(ws.path, clock=NOON) as again:
        holder = sqlite3.connect(ws.index_path, isolation_level=None)
        holder.execute("BEGIN EXCLUSIVE")
        with pytest.raises(IndexBusy) as caught:
            again.sync()
        assert "Try again" in str(caught.value)
        assert len(again.recall("Marrakech").results) == 1  # readers are never blocked
        holder.execute("ROLLBACK")
        holder.close()
        again.sync()
        assert again.recall("cherry").results
    assert ws.index_path.stat().st_ino == inode


def test_a_disk_error_does_not_throw_the_index_away(
    make_workspace: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    ws = make_workspace(FILES)

    def fail(_: IndexDatabase) -> dict[str, str]:
        raise sqlite3.OperationalError("disk I/O error")

    with monkeypatch.context() as patch:
        patch.setattr(IndexDatabase, "_versions", fail)
        with pytest.raises(IndexUnwritable):
            ws.sync()
        with pytest.raises(IndexUnwritable):
            ws.recall("Marrakech")
    assert ws.recall("Marrakech").results


# -- stopping and dying


def test_stopping_at_any_file_and_syncing_again_equals_a_rebuild(
    make_workspace: Make, tmp_path: Path
) -> None:
    facts = "# 2025-11-27\n\n## Retain\n\n- W @Mara: Was away (Nov 3, 2025).\n"
    sums = "## Retain\n\n- S @Mara: Was away, once (memory/2025-11-27.md#L5).\n"
    files = MANY | {"memory/2025-11-27.md": facts, "memory/2025-01-01.md": sums}
    ws = make_workspace(files, sync=False)
    stops = [0, 1, 39, 40, 41, 80, len(files) - 1, len(files)]
    for stop in stops:
        for rebuild in (False, True):
            flag = threading.Event()

            def watch(progress: Progress, stop: int = stop, flag: threading.Event = flag) -> None:
                if progress.done == stop or (progress.stage == "finish" and stop == len(files)):
                    flag.set()

            for name in (*list(MANY)[stop % 7 :: 9], "memory/2025-01-01.md"):
                (ws.path / name).write_text(f"{files[name]}\n- stop {stop} {rebuild}\n")
            try:
                ws.sync(progress=watch, cancel=flag, rebuild=rebuild)
            except Cancelled:
                assert flag.is_set()
    ws.sync()
    assert_equals_rebuild(ws, tmp_path / "clean", ["Mara", "away", "stop 40", "walk"])


_DIE_IN_MID_UPDATE = """
import os, sys
from daybank import open_workspace
from daybank.index import sync
real = sync._Run._insert
count = 0
def insert(self, *rest):
    global count
    count += 1
    real(self, *rest)
    if count == int(sys.argv[2]):
        print("ready", flush=True)
        import time; time.sleep(60)
sync._Run._insert = insert
with open_workspace(sys.argv[1]) as ws:
    ws.sync(rebuild=sys.argv[3] == "rebuild")
"""


@pytest.mark.parametrize("after", [1, 45, len(MANY)])
def test_a_kill_in_mid_update_leaves_an_index_that_is_whole(
    make_workspace: Make, tmp_path: Path, after: int
) -> None:
    ws = make_workspace(MANY)
    for name in MANY:
        (ws.path / name).write_text("# Day\n\n- Rain, and @Peter came.\n")
    ws.close()
    process = start_python(_DIE_IN_MID_UPDATE, ws.path, after, "update")
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"
    kill(process)
    with open_workspace(ws.path, clock=NOON) as again:
        again.sync()
        assert not again.recall("sea").results
        assert_equals_rebuild(again, tmp_path / "clean", ["rain", "walk", "Peter", "Mara"])
        assert again._index.is_sound()


def test_kills_in_mid_rebuild_leave_the_old_index_and_nothing_else(
    make_workspace: Make, tmp_path: Path
) -> None:
    ws = make_workspace(MANY)
    wanted = answers(ws, ["walk", "Mara sea"])
    ws.close()
    size = ws.index_path.stat().st_size
    for after in (1, 60, len(MANY)):
        process = start_python(_DIE_IN_MID_UPDATE, ws.path, after, "rebuild")
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        assert answers(ws, ["walk", "Mara sea"]) == wanted
        kill(process)
        assert answers(ws, ["walk", "Mara sea"]) == wanted
    ws.close()
    with open_workspace(ws.path, clock=NOON) as again:
        again.sync(rebuild=True)  # the dead ones' lease is free
        assert_equals_rebuild(again, tmp_path / "clean", ["walk", "Mara sea"])
    left = {place.name for place in (ws.path / ".memory").iterdir()}
    assert left <= {".gitignore", "index.lock", "index.sqlite", "write.lock"}
    assert ws.index_path.stat().st_size < 3 * size


def test_a_damaged_index_held_by_a_scanner_is_removed_after_some_tries(
    make_workspace: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    ws = make_workspace(FILES)
    ws.close()
    _garbage_at_the_start(ws.index_path)
    real, tries = Path.unlink, []

    def unlink(place: Path, missing_ok: bool = False) -> None:
        if place.name == "index.sqlite" and len(tries) < 3:
            tries.append(place)
            raise PermissionError(13, "in use by another program")
        real(place, missing_ok=missing_ok)

    monkeypatch.setattr(Path, "unlink", unlink)
    ws.sync()
    assert len(tries) == 3
    assert ws.recall("Marrakech").results


def test_a_damaged_index_that_cannot_be_removed_is_told_of_in_one_sentence(
    make_workspace: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    ws = make_workspace(FILES)
    ws.close()
    _garbage_at_the_start(ws.index_path)

    def unlink(place: Path, missing_ok: bool = False) -> None:
        raise PermissionError(13, "in use by another program")

    with monkeypatch.context() as patch:
        patch.setattr(Path, "unlink", unlink)
        with pytest.raises(IndexUnwritable) as caught:
            ws.sync()
    assert "notes are untouched" in str(caught.value)
    ws.sync()
    assert ws.recall("Marrakech").results


# -- a full disk


def _small(pages: int) -> Callable[..., sqlite3.Connection]:
    def connect(*args: object, **kwargs: object) -> sqlite3.Connection:
        connection = sqlite3.connect(*args, **kwargs)  # type: ignore[call-overload]
        if args[0] != ":memory:":
            connection.execute(f"PRAGMA max_page_count = {pages}")
        return connection  # type: ignore[no-any-return]

    return connect


def test_a_full_disk_while_indexing_keeps_what_was_there(make_workspace: Make) -> None:
    ws = make_workspace(FILES)
    ws.close()
    pages = ws.index_path.stat().st_size // 4096
    for name, text in MANY.items():
        (ws.path / name).parent.mkdir(exist_ok=True)
        (ws.path / name).write_text(text * 20)
    full = Workspace(ws._folder, NOON, connect=_small(pages + 4))
    try:
        for rebuild in (False, True):
            with pytest.raises(IndexUnwritable) as caught:
                full.sync(rebuild=rebuild)
            assert "the disk is full" in str(caught.value)
            assert paths(full.recall("Marrakech")) == ["memory/2025-11-27.md"]
    finally:
        full.close()
    ws.sync()
    assert ws.recall("walk").results


def test_a_disk_too_full_for_any_index_is_told_of(make_workspace: Make) -> None:
    ws = make_workspace(FILES, sync=False)
    full = Workspace(ws._folder, NOON, connect=_small(3))
    try:
        with pytest.raises(IndexUnwritable):
            full.sync()
        assert [notice.id for notice in full.recall("Marrakech").notices] == ["not-indexed"]
    finally:
        full.close()
    ws.sync()
    assert ws.recall("Marrakech").results


# -- reading while it is made


def test_recall_answers_all_through_a_rebuild(make_workspace: Make) -> None:
    ws = make_workspace(MANY | FILES)
    wanted = answers(ws, QUERIES)
    stop, troubles, asked = threading.Event(), [], []

    def ask() -> None:
        while not stop.is_set():
            try:
                if answers(ws, QUERIES) != wanted:
                    troubles.append("another answer")
                asked.append(1)
            except Exception as error:  # noqa: BLE001 (any of them is the test's failure)
                troubles.append(repr(error))

    readers = [threading.Thread(target=ask) for _ in range(2)]
    for reader in readers:
        reader.start()
    try:
        for _ in range(3):
            ws.sync(rebuild=True)
        wait_for(lambda: len(asked) > 3 or bool(troubles))
    finally:
        stop.set()
        for reader in readers:
            reader.join(20)
    assert troubles == []


def test_a_recall_sees_one_state_of_the_notes(make_workspace: Make) -> None:
    ws = make_workspace({"a.md": "- apple one\n", "b.md": "- apple two\n"})
    store = ws._store
    real = store.candidates

    def in_between(*args: object) -> object:
        if (ws.path / "b.md").exists():
            (ws.path / "b.md").unlink()
            (ws.path / "c.md").write_text("- pear\n")  # it takes the row numbers of the other
            worker = threading.Thread(target=ws.sync)
            worker.start()
            worker.join(20)
        return real(*args)  # type: ignore[arg-type]

    store.candidates = in_between  # type: ignore[method-assign, assignment]
    assert sorted(result.content for result in ws.recall("apple").results) == [
        "apple one",
        "apple two",
    ]
    assert [result.content for result in ws.recall("apple").results] == ["apple one"]


def test_while_the_first_index_is_made_an_answer_says_that_it_is_not_all(
    make_workspace: Make,
) -> None:
    ws = make_workspace(MANY, sync=False)
    seen = []

    def ask(progress: Progress) -> None:
        if progress.stage == "read" and progress.done in (1, 100):
            seen.extend(notice.id for notice in ws.recall("walk").notices)

    ws.sync(progress=ask)
    assert seen == ["partly-indexed", "partly-indexed"]
    assert ws.recall("walk").notices == ()
