"""No name, link or citation reads or writes anything outside the folder."""

from __future__ import annotations

import os
from collections.abc import Callable
from datetime import date
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from daybank import (
    PathRefused,
    Source,
    SourceGone,
    Workspace,
    WorkspaceNotFound,
    WorkspaceUnreadable,
    create_workspace,
    find_workspace,
    inspect_folder,
    open_workspace,
)
from daybank.workspace import WorkspaceFolder, decode_file_name, encode_file_name

Make = Callable[..., Workspace]

OUTSIDE = [
    "../../SOUL",
    "..",
    "../outside.md",
    "a/../../b",
    "a/../b.md",
    "..\\x",
    "a\\..\\..\\x",
    "/etc/hosts",
    "//etc/hosts",
    "C:\\x",
    "C:x",
    "c:/x",
    "\\\\server\\share",
    "%2e%2e%2f",
    "%2e%2e/outside.md",
    "..%2foutside.md",
    "%2E%2E%5Cx",
    "foo\x00bar",
    "foo\nbar",
    "~/x",
    "~root/x",
    "memory/../../.ssh/config",
    "",
    "link-out/secret.md",
    "link-out",
    "file-out.md",
]


@pytest.fixture
def ws(make_workspace: Make, tmp_path: Path) -> Workspace:
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside/secret.md").write_text("- the secret word is abracadabra\n")
    (tmp_path / "outside.md").write_text("- the secret word is abracadabra\n")
    ws = make_workspace(
        {
            "memory.md": "See [x](../../other.md) and [y](../outside.md).\n",
            "memory/2025-11-27.md": "- A day (memory/../../.ssh/config#L1).\n",
        },
        sync=False,
    )
    os.symlink(tmp_path / "outside", ws.path / "link-out")
    os.symlink(tmp_path / "outside.md", ws.path / "file-out.md")
    ws.sync()
    return ws


@pytest.mark.parametrize("path", OUTSIDE)
def test_a_path_that_leads_out_is_refused_with_a_plain_message(ws: Workspace, path: str) -> None:
    for act in (
        lambda: ws.absolute(path),
        lambda: ws.page(path),
        lambda: ws.locate(Source(path, 1, 1)),
        lambda: ws.locate(Source(path, 1, 1), "f-000000000000"),
        lambda: ws._folder.edit(path, lambda old: b"overwritten"),
        lambda: ws.sync(within=path) if path else ws.absolute(path),
    ):
        with pytest.raises(PathRefused) as caught:
            act()
        assert "Nothing" in caught.value.message
        assert "\x00" not in str(caught.value)


def test_nothing_outside_is_searched_or_changed(ws: Workspace, tmp_path: Path) -> None:
    assert not ws.recall("abracadabra").results
    assert (tmp_path / "outside/secret.md").read_text().count("abracadabra") == 1
    links = next(check for check in ws.health().checks if check.id == "links-outside")
    assert links.sources == ("file-out.md", "link-out")


@given(st.text(max_size=40))
def test_no_text_at_all_gets_out(text: str) -> None:
    root = Path(__file__).parent.resolve()
    folder = WorkspaceFolder(root)
    for path in (text, f"../{text}", f"a/../../{text}", f"{text}/../../x", f"/{text}"):
        try:
            place = folder.absolute(path)
        except PathRefused:
            continue
        assert place.resolve().is_relative_to(root)


@given(st.text(max_size=40))
def test_any_name_becomes_a_file_name_and_back(title: str) -> None:
    if any("\ud800" <= char <= "\udfff" for char in title):
        return
    name = encode_file_name(title)
    assert not set(name) & set('/\\:*?"<>|\n\0')
    assert name not in (".", "..")
    assert name == name.strip(" .")


@pytest.mark.parametrize("title", ["../../SOUL", "..", "a/b", "CON", "nul.md", "Q: why?", "50 %"])
def test_a_dangerous_name_stays_in_its_folder_and_is_the_same_again(title: str) -> None:
    name = encode_file_name(title)
    assert "/" not in name
    assert name.split(".")[0].lower() not in ("con", "nul", "")
    assert decode_file_name(name) == title


def test_a_link_whose_target_has_a_newline_stops_nothing(make_workspace: Make) -> None:
    ws = make_workspace({"a.md": "- apple\n", "two\nlines.md": "- apple\n"}, sync=False)
    os.symlink("two\nlines.md", ws.path / "link.md")
    os.symlink("no\nwhere.md", ws.path / "broken.md")
    os.symlink("/tmp/out\nside", ws.path / "out.md")
    report = ws.sync()
    assert [r.source.path for r in ws.recall("apple").results] == ["a.md"]
    assert {(lint.path, lint.code) for lint in report.skipped} == {
        ("two\ufffdlines.md", "bad-name"),
        ("broken.md", "broken-link"),
        ("out.md", "broken-link"),
    }
    assert all("\n" not in source for check in ws.health().checks for source in check.sources)


def test_links_in_a_circle_are_no_trap(make_workspace: Make) -> None:
    ws = make_workspace({"sub/a.md": "- apple\n"}, sync=False)
    os.symlink("..", ws.path / "sub/up")
    os.symlink("loop.md", ws.path / "loop.md")
    ws.sync()
    assert [r.source.path for r in ws.recall("apple").results] == ["sub/a.md"]
    assert ws.sync(within="sub/up").added == 0
    with pytest.raises((PathRefused, SourceGone)):
        ws.page("loop.md")


def test_a_file_swapped_for_a_link_after_it_was_listed_is_not_followed(ws: Workspace) -> None:
    log = ws.path / "memory/2025-11-27.md"

    def swap(_: object) -> None:
        if not log.is_symlink():
            log.unlink()
            log.symlink_to(ws.path.parent / "outside.md")

    log.write_text("- changed\n")
    report = ws.sync(progress=lambda progress: swap(progress) if progress.stage == "read" else None)
    assert ("memory/2025-11-27.md", "unreadable") in {(n.path, n.code) for n in report.skipped}
    assert not ws.recall("abracadabra").results


# -- finding and opening a folder


def test_the_folder_is_chosen_in_the_documented_order(tmp_path: Path) -> None:
    home = tmp_path / "home"
    (home / ".openclaw/workspace").mkdir(parents=True)
    env = {"DAYBANK_WORKSPACE": "/env", "OPENCLAW_WORKSPACE_DIR": "/claw"}

    def found(explicit: str | None, environ: dict[str, str], configured: str | None) -> str:
        return str(find_workspace(explicit, environ=environ, configured=configured, home=home))

    assert found("/named", env, "/chosen") == "/named"
    assert found(None, env, "/chosen") == "/env"
    del env["DAYBANK_WORKSPACE"]
    assert found(None, env, "/chosen") == "/chosen"
    assert found(None, env, None) == "/claw"
    assert found(None, {"DAYBANK_WORKSPACE": ""}, "") == str(home / ".openclaw/workspace")
    (home / ".openclaw/workspace").rmdir()
    with pytest.raises(WorkspaceNotFound):
        found(None, {}, None)


@pytest.mark.parametrize("path", ["nowhere", "file.md", "file.md/below", "~nosuchuser/x", "a\0b"])
def test_what_is_no_folder_is_said_in_one_sentence(tmp_path: Path, path: str) -> None:
    (tmp_path / "file.md").write_text("")
    place = path if path.startswith("~") else tmp_path / path
    for act in (open_workspace, inspect_folder):
        with pytest.raises((WorkspaceNotFound, WorkspaceUnreadable)) as caught:
            act(place)  # type: ignore[operator]
        assert caught.value.title.endswith(".")


def test_a_folder_that_cannot_be_listed_is_unreadable(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(_: object) -> object:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(os, "scandir", fail)
    with pytest.raises(WorkspaceUnreadable) as caught:
        open_workspace(tmp_path)
    assert "Nothing was changed or lost." in caught.value.message


def test_making_a_folder_changes_nothing_that_is_there(tmp_path: Path) -> None:
    (tmp_path / "bank").mkdir()
    (tmp_path / "bank/world.md").write_text("mine\n")
    (tmp_path / "MEMORY.md").write_text("mine too\n")
    create_workspace(tmp_path)
    create_workspace(tmp_path)
    assert (tmp_path / "bank/world.md").read_text() == "mine\n"
    assert not (tmp_path / "memory.md").exists()
    assert (tmp_path / "bank/opinions.md").exists()


@pytest.mark.parametrize("place", ["file", "file/below", "a\0b"])
def test_a_place_where_no_folder_can_be_made_is_said_in_one_sentence(
    tmp_path: Path, place: str
) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(WorkspaceUnreadable):
        create_workspace(tmp_path / place)


def test_the_log_of_a_day_is_found_where_the_folder_keeps_it(tmp_path: Path) -> None:
    folder = WorkspaceFolder(tmp_path)
    day = date(2025, 11, 27)
    assert folder.log_path(day) == "memory/2025-11-27.md"
    (tmp_path / "journals").mkdir()
    assert folder.log_path(day) == "journals/2025_11_27.md"
    (tmp_path / "memory").mkdir()
    assert folder.log_path(day) == "memory/2025-11-27.md"
