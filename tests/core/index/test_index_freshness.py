"""The index says what the files say: no ghosts, nothing missed, whatever the time stamps tell."""

from __future__ import annotations

import os
import subprocess
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from index_tools import (
    BAKERY,
    DAY,
    NOON,
    assert_equals_rebuild,
    contents,
    dump,
    paths,
    tree,
)

from daybank import SourceGone, Workspace, open_workspace
from daybank.index import sync as sync_module
from daybank.markdown.passages import parse_file
from daybank.workspace import WorkspaceFolder

Make = Callable[..., Workspace]
LONG_AGO = 1_700_000_000


# -- time stamps that lie


def test_a_file_that_arrives_with_an_old_time_stamp_is_found(make_workspace: Make) -> None:
    ws = make_workspace({"memory/2025-11-27.md": DAY})
    arrived = ws.path / "memory/2024-03-01.md"
    arrived.write_text("# 2024-03-01\n\n- Bought a kayak.\n")
    os.utime(arrived, (LONG_AGO, LONG_AGO))

    assert ws.sync().added == 1
    assert paths(ws.recall("kayak")) == ["memory/2024-03-01.md"]


def test_an_edit_of_the_same_size_with_its_old_time_stamp_restored_is_found(
    make_workspace: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sync_module, "_RACY_NS", -(10**15))  # trust every stat that is the same
    ws = make_workspace({"memory/2025-11-27.md": DAY})
    log = ws.path / "memory/2025-11-27.md"
    before = log.stat()
    time.sleep(0.02)
    log.write_text(DAY.replace("c=0.9", "c=0.1"))
    os.utime(log, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert log.stat().st_size == before.st_size

    assert ws.sync().changed == 1
    (fact,) = [r for r in ws.recall("concise replies").results if r.confidence is not None]
    assert fact.confidence == 0.1


def test_an_edit_in_the_same_instant_as_the_sync_is_found(make_workspace: Make) -> None:
    ws = make_workspace({"a.md": "- red\n"})
    log = ws.path / "a.md"
    stat = log.stat()
    for word in ("sun", "sea", "sky", "fog"):
        log.write_text(f"- {word}\n")
        os.utime(log, ns=(stat.st_atime_ns, stat.st_mtime_ns))
        ws.sync()
        assert contents(ws.recall(word)) == [word]


def test_a_time_stamp_in_the_future_neither_hides_a_change_nor_costs_a_read_each_time(
    make_workspace: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    ws = make_workspace({"a.md": "- a heron\n", "b.md": "- other\n"})
    log = ws.path / "a.md"
    year_2035 = 2_051_222_400
    log.write_text("- a stork\n")
    os.utime(log, (year_2035, year_2035))
    assert ws.sync().changed == 1
    assert contents(ws.recall("stork")) == ["a stork"]

    monkeypatch.setattr(sync_module, "_RACY_NS", 0)
    time.sleep(0.05)
    ws.sync()
    reads = _count_reads(monkeypatch)
    assert ws.sync().unchanged == 2
    assert reads == []

    log.write_text("- a goose\n")
    os.utime(log, (year_2035, year_2035))
    assert ws.sync().changed == 1
    assert contents(ws.recall("goose")) == ["a goose"]


def test_a_second_sync_writes_nothing_and_reads_nothing(
    make_workspace: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sync_module, "_RACY_NS", 0)
    ws = make_workspace({"memory/2025-11-27.md": DAY, "b.md": BAKERY, "x (conflicted copy).md": ""})
    time.sleep(0.05)
    ws.sync()
    ws.close()
    files, index = tree(ws.path), ws.index_path.read_bytes()
    reads = _count_reads(monkeypatch)
    report = ws.sync()
    generation = ws._index.generation()  # also that no name has to be looked up anew
    ws.close()

    assert (report.unchanged, report.is_change, reads) == (2, False, [])
    assert tree(ws.path) == files
    assert ws.index_path.read_bytes() == index
    assert ws._store.generation() == generation


def test_touching_a_file_changes_nothing_that_is_found(make_workspace: Make) -> None:
    ws = make_workspace({"memory/2025-11-27.md": DAY})
    before, generation = dump(ws.index_path), ws._store.generation()
    os.utime(ws.path / "memory/2025-11-27.md")
    report = ws.sync()
    assert (report.changed, report.unchanged) == (0, 1)
    assert dump(ws.index_path) == before
    assert ws._store.generation() == generation


def _count_reads(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    reads: list[str] = []
    real = WorkspaceFolder.read_bytes

    def read(folder: WorkspaceFolder, path: str) -> bytes:
        if path.endswith(".md"):
            reads.append(path)
        return real(folder, path)

    monkeypatch.setattr(WorkspaceFolder, "read_bytes", read)
    return reads


# -- ghosts


def test_a_deleted_note_does_not_take_a_result_slot(make_workspace: Make) -> None:
    ws = make_workspace(
        {
            "memory/2025-11-27.md": "- Peter likes saffron. Saffron, saffron!\n",
            "memory/2025-11-28.md": "- A long walk, some talk and much later a word on saffron.\n",
        }
    )
    (best,) = paths(ws.recall("saffron", k=1))
    (other,) = {"memory/2025-11-27.md", "memory/2025-11-28.md"} - {best}
    (ws.path / best).unlink()
    assert ws.sync().removed == 1
    assert paths(ws.recall("saffron", k=1)) == [other]


def test_a_renamed_note_is_found_under_its_new_path_only(make_workspace: Make) -> None:
    ws = make_workspace({"a.md": "- Peter likes saffron.\n", "b.md": "- No spice.\n"})
    (ws.path / "notes").mkdir()
    (ws.path / "a.md").rename(ws.path / "notes/spices.md")
    ws.sync()
    (result,) = ws.recall("saffron", k=1).results
    assert result.source.path == "notes/spices.md"
    assert ws.page(result.source.path).blocks
    assert ws.locate(result.source, result.id) == result.source


@pytest.mark.parametrize(
    "name",
    [
        "2025-11-27.md.deleted.bak",
        "2025-11-27.md~",
        "2025-11-27.md.bak",
        "2025-11-27.deleted.md",
        "#2025-11-27.md#",
        ".2025-11-27.md.swp",
        ".#2025-11-27.md",
        "2025-11-27.md.orig",
        "2025-11-27.md.tmp",
    ],
)
def test_backups_are_not_searched(make_workspace: Make, name: str) -> None:
    ws = make_workspace({f"memory/{name}": DAY, "b.md": BAKERY})
    assert [path for path, _ in ws._store.files()] == ["b.md"]
    assert not ws.recall("Marrakech").results


def test_a_note_deleted_while_it_is_being_read_leaves_no_row(
    make_workspace: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    ws = make_workspace({"memory/2025-11-27.md": DAY, "b.md": BAKERY})
    log = ws.path / "memory/2025-11-27.md"
    log.write_text(DAY + "- W @Peter: Is back home.\n")
    parsing, go_on = threading.Event(), threading.Event()

    def slowly(path: str, data: bytes) -> object:
        if path.startswith("memory/"):
            parsing.set()
            assert go_on.wait(20)
        return parse_file(path, data)

    monkeypatch.setattr(sync_module, "parse_file", slowly)
    worker = threading.Thread(target=ws.sync)
    worker.start()
    assert parsing.wait(20)
    log.unlink()
    go_on.set()
    worker.join(20)

    assert not ws.recall("Marrakech").results
    assert not ws.recall("back home").results
    assert [row[0] for row in dump(ws.index_path)["file"]] == ["b.md"]
    ws.sync()
    assert not ws.recall("Marrakech").results


def test_a_note_changed_while_it_is_being_read_is_read_again_next_time(
    make_workspace: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    ws = make_workspace({"a.md": "- the first text\n"}, sync=False)
    log = ws.path / "a.md"

    def with_an_edit(path: str, data: bytes) -> object:
        if b"first" in data:
            log.write_text("- the other text\n")
        return parse_file(path, data)

    monkeypatch.setattr(sync_module, "parse_file", with_an_edit)
    ws.sync()
    ws.sync()
    assert contents(ws.recall("text")) == ["the other text"]


def test_a_note_that_goes_away_between_listing_and_reading_is_no_error(
    make_workspace: Make,
) -> None:
    ws = make_workspace({"a.md": "- saffron\n", "b.md": "- pepper\n"})
    for name in ("a.md", "b.md"):
        (ws.path / name).write_text(f"- {name} again\n")

    def delete(_: object) -> None:
        (ws.path / "b.md").unlink(missing_ok=True)

    ws.sync(progress=delete)
    assert [row[0] for row in dump(ws.index_path)["file"]] == ["a.md"]
    assert not ws.recall("pepper").results


def test_an_edited_note_is_not_found_by_its_old_words(make_workspace: Make) -> None:
    ws = make_workspace({"bank/world.md": "- W @Peter: Lives in Porto.\n"})
    (ws.path / "bank/world.md").write_text("- W @Peter: Lives in Lisbon.\n")
    ws.sync()
    assert not ws.recall("Porto").results
    assert contents(ws.recall("Lisbon")) == ["Lives in Lisbon."]
    assert ws._index.is_sound()


# -- part of the folder


def test_syncing_one_file_or_one_folder_takes_out_nothing_else(make_workspace: Make) -> None:
    ws = make_workspace(
        {"a.md": "- apple\n", "b.md": "- banana\n", "sub/c.md": "- cherry\n"}, sync=False
    )
    ws.sync()
    for scope in ("a.md", "sub", "./sub/", "sub/c.md", "a.md/", "./a.md"):
        assert ws.sync(within=scope).removed == 0
    for fruit in ("apple", "banana", "cherry"):
        assert len(ws.recall(fruit).results) == 1
    (ws.path / "sub/d.md").write_text("- damson\n")
    (ws.path / "e.md").write_text("- elderberry\n")
    assert ws.sync(within="./sub/").added == 1
    assert paths(ws.recall("damson")) == ["sub/d.md"]
    assert not ws.recall("elderberry").results


def test_syncing_a_deleted_file_takes_out_this_one_only(make_workspace: Make) -> None:
    ws = make_workspace({"a.md": "- apple\n", "a.md.txt": "- avocado\n", "b.md": "- banana\n"})
    (ws.path / "a.md").unlink()
    (ws.path / "b.md").unlink()
    assert ws.sync(within="a.md").removed == 1
    assert not ws.recall("apple").results
    assert ws.recall("avocado").results
    assert ws.recall("banana").results


def test_syncing_a_folder_that_went_away_takes_out_nothing_until_all_is_looked_at(
    make_workspace: Make,
) -> None:
    ws = make_workspace({"sub/c.md": "- cherry\n", "b.md": "- banana\n"})
    (ws.path / "sub").rename(ws.path / "fruit")
    report = ws.sync(within="sub")
    assert (report.removed, report.complete) == (0, False)
    assert paths(ws.recall("cherry")) == ["sub/c.md"]
    assert ws.sync().removed == 1
    assert paths(ws.recall("cherry")) == ["fruit/c.md"]


@pytest.mark.parametrize("scope", [".obsidian", ".memory", "node_modules", ".trash/a.md"])
def test_what_the_whole_walk_passes_over_is_not_read_by_name_either(
    make_workspace: Make, scope: str
) -> None:
    ws = make_workspace(
        {".obsidian/x.md": "- hidden\n", "node_modules/x.md": "- hidden\n", ".trash/a.md": "hidden"}
    )
    ws.sync(within=scope)
    assert not ws.recall("hidden").results


def test_a_folder_that_cannot_be_listed_keeps_what_was_read_in_it(
    make_workspace: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    ws = make_workspace({"sub/c.md": "- cherry\n", "b.md": "- banana\n", "a.md": "- apple\n"})
    (ws.path / "a.md").unlink()
    real = os.scandir

    def scandir(place: object) -> object:
        if str(place).endswith("/sub"):
            raise PermissionError(13, "Permission denied")
        return real(place)  # type: ignore[call-overload]

    with monkeypatch.context() as patch:
        patch.setattr(os, "scandir", scandir)
        for rebuild in (False, True):
            report = ws.sync(rebuild=rebuild)
            assert (report.complete, report.removed) == (False, 0)
            assert [(lint.path, lint.code) for lint in report.skipped] == [("sub", "unreadable")]
            assert paths(ws.recall("cherry")) == ["sub/c.md"]
            assert paths(ws.recall("apple")) == ["a.md"]
        assert ws.health().level == "error"
    assert ws.sync().removed == 1
    assert not ws.recall("apple").results


def test_an_emptied_place_where_a_drive_was_keeps_what_was_read_there(
    make_workspace: Make,
) -> None:
    ws = make_workspace({"nas/c.md": "- cherry\n", "b.md": "- banana\n"})
    (ws.path / "nas/c.md").unlink()
    with ws._index.writing() as database:  # as if the file had been on another file system
        database.execute_sql("UPDATE file SET device = device + 1 WHERE path = 'nas/c.md'")
    for rebuild in (False, True):
        report = ws.sync(rebuild=rebuild)
        assert (report.removed, report.complete) == (0, False)
        assert paths(ws.recall("cherry")) == ["nas/c.md"]
    assert any("nas" in check.message for check in ws.health().checks)


def test_an_emptied_folder_on_the_same_drive_was_emptied_by_the_person(
    make_workspace: Make,
) -> None:
    ws = make_workspace({"sub/c.md": "- cherry\n", "b.md": "- banana\n"})
    (ws.path / "sub/c.md").unlink()
    assert ws.sync().removed == 1
    (ws.path / "b.md").unlink()
    assert ws.sync().removed == 1
    assert not ws.recall("banana").results


def test_a_whole_folder_that_is_suddenly_empty_keeps_its_index(tmp_path: Path) -> None:
    root = tmp_path / "notes"
    root.mkdir()
    (root / "a.md").write_text("- apple\n")
    with open_workspace(root, clock=NOON, index_dir=tmp_path / "index") as ws:
        ws.sync()
        (root / "a.md").unlink()
        assert not list(root.iterdir())
        assert ws.sync().removed == 0
        assert ws.recall("apple").results


# -- names


def test_one_file_under_both_core_names_is_read_once(make_workspace: Make) -> None:
    ws = make_workspace({"MEMORY.md": "- Peter likes saffron.\n"}, sync=False)
    os.link(ws.path / "MEMORY.md", ws.path / "memory.md")
    report = ws.sync()
    assert [(lint.path, lint.code) for lint in report.skipped] == [("memory.md", "same-file")]
    assert paths(ws.recall("saffron")) == ["MEMORY.md"]
    assert ws.sync(within="memory.md").added == 0
    assert paths(ws.recall("saffron")) == ["MEMORY.md"]
    core = next(check for check in ws.health().checks if check.id == "core")
    assert core.level == "ok"
    (ws.path / "MEMORY.md").unlink()
    ws.sync()
    assert paths(ws.recall("saffron")) == ["memory.md"]


def test_of_two_core_memories_one_is_used_and_health_tells_of_the_other(
    make_workspace: Make,
) -> None:
    ws = make_workspace({"MEMORY.md": "- Peter likes saffron.\n", "memory.md": "- Old: pepper.\n"})
    core = next(check for check in ws.health().checks if check.id == "core")
    assert core.level == "warning"
    assert core.sources == ("MEMORY.md", "memory.md")
    assert WorkspaceFolder(ws.path).core_memory() == "MEMORY.md"


def test_renaming_only_the_case_of_a_page_leaves_one_page_and_one_entity(
    make_workspace: Make, tmp_path: Path
) -> None:
    ws = make_workspace(
        {
            "bank/entities/peter.md": "---\ntitle: Peter\n---\n# Peter\n\n- Tall.\n",
            "memory/2025-11-27.md": (
                "## Retain\n\n- W @peter: Likes tea.\n- W @Peter: Likes figs.\n"
            ),
        }
    )
    (ws.path / "bank/entities/peter.md").rename(ws.path / "bank/entities/Peter.md")
    ws.sync()
    (entity,) = ws.entities()
    assert entity.name == "Peter"
    peter = ws.entity("PETER")
    assert peter is not None
    assert peter.page == "bank/entities/Peter.md"
    assert_equals_rebuild(ws, tmp_path / "clean", ["tea", "Peter", "tall"])


def test_a_file_that_cannot_be_read_keeps_what_was_read_of_it(
    make_workspace: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    ws = make_workspace({"a.md": "- apple\n", "b.md": "- banana\n"})
    (ws.path / "a.md").write_text("- apricot\n")
    (ws.path / "b.md").write_text("- blackberry\n")
    real = Path.read_bytes

    def read(place: Path) -> bytes:
        if place.name == "a.md":
            raise PermissionError(13, "Permission denied")
        return real(place)

    with monkeypatch.context() as patch:
        patch.setattr(Path, "read_bytes", read)
        for rebuild in (False, True):
            report = ws.sync(rebuild=rebuild)
            assert [(lint.path, lint.code) for lint in report.skipped] == [("a.md", "unreadable")]
            assert paths(ws.recall("apple")) == ["a.md"]
            assert paths(ws.recall("blackberry")) == ["b.md"]
        files = next(check for check in ws.health().checks if check.id == "files")
        assert files.level == "error"
        assert files.sources == ("a.md",)
    ws.sync()
    assert paths(ws.recall("apricot")) == ["a.md"]
    assert next(check for check in ws.health().checks if check.id == "files").level == "ok"


@pytest.mark.parametrize("name", ["~draft.md", "Q: why.md", "50%2e%2e.md", "a\\..\\b.md", "x..md"])
def test_an_odd_but_valid_name_is_read_and_can_be_opened(make_workspace: Make, name: str) -> None:
    ws = make_workspace({name: "- saffron\n"})
    (result,) = ws.recall("saffron").results
    assert result.source.path == name
    assert ws.page(name).blocks
    assert ws.locate(result.source, result.id) == result.source


def test_names_that_are_no_text_are_listed_and_stop_nothing(make_workspace: Make) -> None:
    ws = make_workspace({"a.md": "- apple\n", "two\nlines.md": "- apple pie\n"}, sync=False)
    root = os.fsencode(ws.path)
    for name in (b"caf\xe9.md", b"x (conflicted copy) \xe9.md"):
        (Path(os.fsdecode(root + b"/" + name))).write_text("- apple cake\n")
    os.symlink("/nowhere", os.fsdecode(root + b"/\xe9.md"))
    os.mkdir(os.fsdecode(root + b"/d\xe9"))
    Path(os.fsdecode(root + b"/d\xe9/x.md")).write_text("- apple tart\n")
    report = ws.sync()
    assert contents(ws.recall("apple")) == ["apple"]
    codes = {lint.path: lint.code for lint in report.skipped}
    assert codes == {
        "caf?.md": "bad-name",
        "d?/x.md": "bad-name",
        "two\ufffdlines.md": "bad-name",
        "x (conflicted copy) ?.md": "conflict-copy",
        "?.md": "broken-link",
    }
    ws.health()


def test_pipes_and_very_large_files_are_not_read(make_workspace: Make) -> None:
    ws = make_workspace({"a.md": "- apple\n"}, sync=False)
    os.mkfifo(ws.path / "pipe.md")
    with open(ws.path / "huge.txt", "wb") as file:
        file.truncate(40 * 1024 * 1024)
    report = ws.sync()
    assert [(lint.path, lint.code) for lint in report.skipped] == [("huge.txt", "too-large")]
    with pytest.raises(SourceGone):
        ws.page("pipe.md")


def test_folders_may_be_nested_deeper_than_python_recurses() -> None:
    # Not below pytest's own folder: it could not clean up what a killed run leaves.
    root = Path(tempfile.mkdtemp(prefix="daybank-deep-"))
    try:
        (root / "a.md").write_text("- apple\n", encoding="utf-8")
        here = os.open(root, os.O_RDONLY)
        for _ in range(1500):
            os.mkdir("d", dir_fd=here)
            below = os.open("d", os.O_RDONLY, dir_fd=here)
            os.close(here)
            here = below
        os.close(here)
        with open_workspace(root) as ws:
            ws.sync()
            assert contents(ws.recall("apple")) == ["apple"]
    finally:
        subprocess.run(["rm", "-rf", str(root)], check=True)


# -- sync programs


@pytest.mark.parametrize(
    "name",
    [
        "2025-11-27.sync-conflict-20251128-101500-ABCDEFG.md",  # Syncthing
        "2025-11-27 (Mara's conflicted copy 2025-11-28).md",  # Dropbox
        "2025-11-27 (conflicted copy 2025-11-28 101500).md",  # Nextcloud
        "2025-11-27_conflict-20251128-101500.md",  # ownCloud
        "2025-11-27 (SFConflict mara@example.org 2025-11-28-10-15-00).md",  # Seafile
        "2025-11-27 (copia en conflicto de Mara 2025-11-28).md",
        "2025-11-27 (конфликтующая копия с ПК Mara 2025-11-28).md",
        "2025-11-27 (Case Conflict).md",  # Dropbox
        "2025-11-27 (case clash from Mara).md",  # Nextcloud
        "2025-11-27 [conflicted].md",  # pCloud
        "2025-11-27 (Conflicted copy laptop 202511281015).md",  # Obsidian Sync
        "2025-11-27 (conflict #1 on 2025-11-28).md",  # Unison
        "2025-11-27.conflict1.md",  # rclone
        "2025-11-27.Conflict.md",  # Resilio
        "2025-11-27-DESKTOP-AB12CD3.md",  # OneDrive
        "2025-11-27 (1).md",  # Google Drive, browsers
        "2025-11-27 2.md",  # iCloud
        "2025-11-27_LOCAL_4242.md",  # git mergetool
    ],
)
def test_a_conflict_copy_is_listed_and_neither_searched_nor_deleted(
    make_workspace: Make, name: str
) -> None:
    copied = DAY.replace("Marrakech", "Casablanca")
    ws = make_workspace({"memory/2025-11-27.md": DAY, f"memory/{name}": copied})
    assert not ws.recall("Casablanca").results
    assert len(ws.recall("Marrakech").results) == 1
    check = next(check for check in ws.health().checks if check.id == "conflict-copies")
    assert (check.level, check.sources) == ("warning", (f"memory/{name}",))
    assert (ws.path / "memory" / name).read_text() == copied


@pytest.mark.parametrize(
    "name",
    [
        "2025-11-27 (1).md",  # there is no first version of it
        "2025-11-27-1030.md",
        "2025-11-27-desktop-cleanup.md",
        "conflict of interest.md",
        "copying.md",
        "My conflict (with Peter).md",
        "Budget (conflict resolution).md",
        "Falklands (conflict).md",
        "notes_local_2024.md",
        "book.r2.md",
    ],
)
def test_an_ordinary_note_is_no_conflict_copy(make_workspace: Make, name: str) -> None:
    ws = make_workspace({f"memory/{name}": DAY})
    assert paths(ws.recall("Marrakech")) == [f"memory/{name}"]


def test_stray_databases_are_left_alone(make_workspace: Make) -> None:
    ws = make_workspace({"a.md": "- apple\n"})
    stray = [ws.path / ".memory/index (1).sqlite", ws.path / "index (1).sqlite"]
    for place in stray:
        place.write_bytes(b"somebody else's")
    ws.sync()
    ws.sync(rebuild=True)
    assert [place.read_bytes() for place in stray] == [b"somebody else's"] * 2
    assert contents(ws.recall("apple")) == ["apple"]


@pytest.mark.parametrize("rebuild", [False, True])
def test_a_file_that_the_cloud_took_off_this_disk_is_not_deleted(
    make_workspace: Make, rebuild: bool
) -> None:
    ws = make_workspace({"memory/2025-11-27.md": DAY, "b.md": BAKERY})
    (ws.path / "memory/2025-11-27.md").rename(ws.path / "memory/.2025-11-27.md.icloud")
    report = ws.sync(rebuild=rebuild)
    assert report.removed == 0
    assert len(ws.recall("Marrakech").results) == 1
    assert ws.sync(within="memory/2025-11-27.md").removed == 0
    check = next(check for check in ws.health().checks if check.id == "not-downloaded")
    assert (check.level, check.sources) == ("note", ("memory/2025-11-27.md",))
    (ws.path / "memory/.2025-11-27.md.icloud").unlink()
    assert ws.sync().removed == 1


# -- citations


def test_a_citation_follows_its_text_when_lines_move(make_workspace: Make) -> None:
    text = "\n\n\n".join(["---\ntitle: x\n---", "- one\x0ctwo\u2028three"]) + "\n\n## Retain\n\n"
    text = text.replace("\n", "\r\n") + "- W @Mara: Found the key.\r\n"
    ws = make_workspace({"memory/2025-11-27.md": text.encode()})
    (result,) = [r for r in ws.recall("found the key").results if r.kind.is_fact]
    line = text.split("\n")[result.source.line_start - 1]
    assert "Found the key" in line
    log = ws.path / "memory/2025-11-27.md"
    front, rest = text[: text.index("- one")], text[text.index("- one") :]
    log.write_bytes((front + "new\r\n\r\n" * 5 + rest).encode())

    now = ws.locate(result.source, result.id)  # before the index knows
    assert now.line_start == result.source.line_start + 10
    assert "Found the key" in log.read_bytes().decode().split("\n")[now.line_start - 1]


def test_a_citation_follows_its_text_into_another_file(make_workspace: Make) -> None:
    ws = make_workspace({"memory/2025-11-27.md": DAY})
    (result,) = [r for r in ws.recall("concise").results if r.kind.is_fact]
    (ws.path / "memory/2025-11-27.md").rename(ws.path / "memory/2025-11-27-peter.md")
    ws.sync()
    assert ws.locate(result.source, result.id).path == "memory/2025-11-27-peter.md"


def test_a_citation_whose_text_is_gone_says_so(make_workspace: Make) -> None:
    ws = make_workspace({"memory/2025-11-27.md": DAY})
    (result,) = [r for r in ws.recall("concise").results if r.kind.is_fact]
    log = ws.path / "memory/2025-11-27.md"
    log.write_text(DAY.replace("concise", "lengthy"))
    with pytest.raises(SourceGone):
        ws.locate(result.source, result.id)
    log.unlink()
    with pytest.raises(SourceGone):
        ws.locate(result.source, result.id)
    ws.sync()
    with pytest.raises(SourceGone):
        ws.locate(result.source, result.id)
