"""From a search to a person, to an opinion, to a suggestion that is accepted and taken back; in a
real window, with its mouse and keys. At the end every file is what it was."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest
from screen_tools import ROOT, Screen, Watched, quit_with_keys

from daybank.review.proposal import Hunk, Proposal, State
from daybank.review.store import ProposalStore
from daybank.workspace import WorkspaceFolder

pytestmark = pytest.mark.alone

NOW = "2026-11-28T09:41"


def files(folder: Path) -> dict[str, bytes]:
    """The person's own files, byte for byte; not what Daybank keeps beside them."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file() and ".memory" not in path.parts
    }


def with_change(text: str, hunk: Hunk) -> str:
    lines = text.split("\n")
    start = hunk.line - 1
    assert tuple(lines[start : start + len(hunk.old)]) == hunk.old
    return "\n".join([*lines[:start], *hunk.new, *lines[start + len(hunk.old) :]])


def kept(folder: Path, pid: str) -> Proposal:
    return ProposalStore(WorkspaceFolder.open_folder(folder).proposals_dir()).get(pid)


def press_until(app: Watched, key: str, what: str, name: str, before: object) -> dict[str, Any]:
    """Press a key, and wait until what is called ``name`` says something else."""
    return app.press(key, what, lambda seen: seen[name] and seen[name] != before)


@pytest.mark.timeout(120)
def test_a_walk_with_mouse_and_keys_through_the_sample(screen: Screen, tmp_path: Path) -> None:
    folder = tmp_path / "Bakery notes"
    shutil.copytree(ROOT / "resources" / "sample_workspace", folder)
    before = files(folder)
    app = screen.start_watched(NOW, "--workspace", str(folder))
    screen.focus(screen.window("Bakery notes"))
    app.wait("the notes to be read", lambda seen: seen["ready"])

    # A search; a name in the note that was found leads to the person.
    app.search("two kinds of salt")
    app.wait("an answer", lambda seen: "found" in seen["found"])
    app.press("Down", "the list", lambda seen: seen["focus_kind"] == "ResultList")
    seen = app.press("Return", "a note with Mara in it", lambda seen: "Mara" in seen["names"])
    assert seen["reads"] == "memory/2026-11-24.md"
    screen.click(seen["names"]["Mara"])
    seen = app.wait("Mara", lambda seen: (seen["page"], seen["person"]) == ("people", "Mara"))

    # The arrows work without a click, in the list; then on the timeline.
    app.wait("the list", lambda seen: seen["focus_kind"] == "PeopleList")
    app.press("Down", "the next one", lambda seen: seen["person"] not in ("", "Mara"))
    seen = app.press("alt+Left", "Mara again", lambda seen: seen["person"] == "Mara")
    screen.click(seen["timeline"])
    seen = app.wait("the timeline", lambda seen: "imeline" in seen["focus_kind"])
    last = app.press("End", "its last event", lambda seen: seen["event"])["event"]
    seen = press_until(app, "Left", "an earlier event", "event", last)
    assert "2026" in seen["event"]

    # An opinion, by the commands; its chart, by the keys.
    app.press("ctrl+k", "the commands", lambda seen: "Open Opinions" in seen["palette"])
    screen.type("opinions")
    app.wait("the one command", lambda seen: seen["palette"][:1] == ["Open Opinions"])
    app.press("Return", "the list of opinions", lambda seen: seen["focus_kind"] == "OpinionList")
    screen.type("never mind the letters")  # they are for no one here, and do nothing
    app.press("ctrl+1", "the search", lambda seen: seen["page"] == "search")
    seen = app.press("ctrl+3", "the opinions", lambda seen: seen["opinion"] and seen["chart"])
    seen = press_until(app, "Down", "the next opinion", "opinion", seen["opinion"])
    screen.click(seen["chart"])
    app.wait("the chart", lambda seen: seen["focus_kind"] == "ConfidenceChart")
    seen = app.press("Home", "where it began", lambda seen: "First written" in seen["step"])
    seen = press_until(app, "Right", "the next step", "step", seen["step"])
    assert "%" in seen["step"]
    opinion = seen["opinion"]

    # Suggestions: none yet; one reflection makes some.
    screen.click(seen["sidebar"]["review"])
    app.wait("the Review page", lambda seen: seen["page"] == "review" and seen["idle"])
    seen = app.press("ctrl+r", "suggestions", lambda seen: len(seen["cards"]) > 1)
    assert files(folder) == before, "reflecting writes nothing into the notes"
    pid, changes = seen["suggestion"], len(seen["cards"])
    suggested = kept(folder, pid)
    target = suggested.target

    # The first change is accepted, every other one rejected; then the page is saved.
    app.press("a", "the first answer", lambda seen: seen["cards"][:1] == ["Accepted"])
    for number in range(1, changes - 1):
        app.wait("the next card", lambda seen, n=number: seen["on_card"] == n)
        app.press("r", "its answer", lambda seen, n=number: seen["cards"][n] == "Rejected")
    assert files(folder) == before, "half an answer is not saved"
    app.wait("the last card", lambda seen: seen["on_card"] == changes - 1)
    seen = app.press("r", "it to be saved", lambda seen: seen["toast"].startswith("Saved in"))
    after = files(folder)
    expected = with_change(before[target].decode(), suggested.hunks[0]).encode()
    assert after == {**before, target: expected}
    assert kept(folder, pid).state is State.APPLIED

    # And taken back, from the toast.
    seen = app.wait("the toast to rest", lambda seen: seen["toast_action"])
    screen.click(seen["toast_action"])
    app.wait("it to be taken back", lambda seen: seen["toast"].startswith("Taken back"))
    assert files(folder) == before
    assert kept(folder, pid).state is State.UNDONE

    # Back leads to the very opinion, forward to the suggestions.
    seen = app.press("alt+Left", "the opinions", lambda seen: seen["page"] == "opinions")
    assert seen["opinion"] == opinion
    app.press("alt+Right", "the suggestions", lambda seen: seen["page"] == "review")
    assert quit_with_keys(screen, app.process) == 0, screen.log()
    assert "Traceback" not in screen.log()
