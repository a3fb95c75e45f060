"""With the person's leave one approval is one commit of one page, and git never gets in the way."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest
from review_tools import OPINIONS, Desk, change, open_desk

from daybank.review import history
from daybank.review.proposal import State

pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")
PAGE = "# Opinions\n\n" + "".join(f"- opinion {n}\n" for n in range(1, 9))


def git(root: Path, *arguments: str) -> str:
    done = subprocess.run(
        ["git", "-C", str(root), *arguments], capture_output=True, text=True, check=True
    )
    return done.stdout


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Desk:
    home = tmp_path / "home"
    home.mkdir()
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(home / "gitconfig"))
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")
    desk = open_desk(tmp_path / "notes", {OPINIONS: PAGE, "other.md": "- a\n"}, commit=True)
    git(desk.root, "init", "-q")
    git(desk.root, "config", "user.name", "Mara")
    git(desk.root, "config", "user.email", "mara@example.org")
    (desk.root / ".gitignore").write_text("bank/private.md\n")
    git(desk.root, "add", ".")
    git(desk.root, "commit", "-qm", "start")
    return desk


def approve(desk: Desk, target: str = OPINIONS) -> history.CommitReport | None:
    hunk = change(3, "- opinion 1", "- ONE") if target == OPINIONS else change(1, None, "# New")
    return desk.reviewer.approve(desk.suggest(target, hunk)).commit


def test_an_approval_is_one_commit_of_its_page(desk: Desk) -> None:
    assert approve(desk) == history.CommitReport(True)
    assert git(desk.root, "log", "--format=%s%n%an", "-1") == f"{OPINIONS}: Two new facts\nMara\n"
    assert git(desk.root, "show", "--format=", "--name-only") == f"{OPINIONS}\n"
    assert git(desk.root, "status", "--porcelain") == ""


def test_what_else_is_staged_or_changed_stays_so(desk: Desk) -> None:
    desk.write("other.md", "- staged\n")
    git(desk.root, "add", "other.md")
    desk.write("other.md", "- staged\n- and changed\n")
    desk.write("new.md", "x\n")
    before = git(desk.root, "status", "--porcelain")
    approve(desk)
    assert git(desk.root, "status", "--porcelain") == before
    assert git(desk.root, "diff", "--cached", "--name-only") == "other.md\n"
    assert git(desk.root, "show", "--format=", "--name-only") == f"{OPINIONS}\n"


@pytest.mark.parametrize("name", ["Peter", "Лена", "a [b]*", "-x"])
def test_a_new_page_is_committed_whatever_its_name(desk: Desk, name: str) -> None:
    target = f"bank/entities/{name}.md"
    assert approve(desk, target) == history.CommitReport(True)
    shown = git(desk.root, "show", "--format=", "--name-only", "-z")
    assert shown.strip("\0\n") == target


def test_a_name_with_a_star_commits_no_other_page(desk: Desk) -> None:
    desk.write("bank/entities/ab.md", "# Ab\n")
    git(desk.root, "add", ".")
    git(desk.root, "commit", "-qm", "more")
    desk.write("bank/entities/ab.md", "# Ab, changed\n")
    assert approve(desk, "bank/entities/a*.md") == history.CommitReport(True)
    assert git(desk.root, "show", "--format=", "--name-only") == "bank/entities/a*.md\n"
    assert git(desk.root, "status", "--porcelain") == " M bank/entities/ab.md\n"


def test_taking_back_is_a_commit_too_also_of_a_page_that_goes(desk: Desk) -> None:
    for target, hunk in (
        (OPINIONS, change(3, "- opinion 1", "- ONE")),
        ("bank/entities/Peter.md", change(1, None, "# Peter")),
    ):
        pid = desk.suggest(target, hunk)
        desk.reviewer.approve(pid)
        assert desk.reviewer.undo(pid).commit == history.CommitReport(True)
        assert git(desk.root, "show", "--format=", "--name-only") == f"{target}\n"
    assert git(desk.root, "status", "--porcelain") == ""
    assert git(desk.root, "log", "--format=%s", "-1") == (
        "bank/entities/Peter.md: Take back: Two new facts\n"
    )


def test_hooks_do_not_run(desk: Desk) -> None:
    for hook in ("pre-commit", "commit-msg", "prepare-commit-msg", "post-commit"):
        place = desk.root / ".git/hooks" / hook
        place.write_text("#!/bin/sh\ntouch hooked\nexit 1\n")
        place.chmod(0o755)
    assert approve(desk) == history.CommitReport(True)
    assert not (desk.root / "hooked").exists()


def test_a_commit_that_fails_is_told_of_and_the_page_stays_saved(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    git(desk.root, "config", "--unset", "user.name")
    git(desk.root, "config", "--unset", "user.email")
    git(desk.root, "config", "user.useConfigOnly", "true")
    for target in (OPINIONS, "bank/new.md"):
        report = approve(desk, target)
        assert report is not None
        assert not report.done
        assert "page is saved" in report.message
    assert "- ONE" in desk.text_of(OPINIONS)
    assert {p.state for p in desk.store.all()} == {State.APPLIED}
    assert git(desk.root, "status", "--porcelain") == f" M {OPINIONS}\n?? bank/new.md\n"


def test_a_page_that_git_leaves_out_is_told_of(desk: Desk) -> None:
    report = approve(desk, "bank/private.md")
    assert report is not None
    assert not report.done
    assert desk.text_of("bank/private.md") == "# New\n"


def test_a_git_that_hangs_or_is_gone_is_told_of(
    desk: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tools = tmp_path / "tools"
    tools.mkdir()
    slow = tools / "git"
    slow.write_text("#!/bin/sh\nexec sleep 30\n")
    slow.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tools}:{os.environ['PATH']}")
    monkeypatch.setattr(history, "_SECONDS", 0.3)
    report = approve(desk)
    assert report is not None
    assert "did not answer in time" in report.message
    slow.write_text("no program\n")
    report = history.commit_page(desk.root, OPINIONS, "x")
    assert report is not None
    assert "cannot be run" in report.message


def test_without_leave_a_repository_or_git_nothing_is_committed(
    desk: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    quiet = open_desk(desk.root, {})
    assert approve(quiet) is None
    assert git(desk.root, "log", "--format=%s") == "start\n"
    plain = open_desk(tmp_path / "plain", {OPINIONS: PAGE}, commit=True)
    assert approve(plain) is None
    assert not (plain.root / ".git").exists()
    monkeypatch.setattr(shutil, "which", lambda _: None)
    assert history.commit_page(desk.root, OPINIONS, "x") is None


def test_a_workspace_inside_a_larger_repository_is_committed_there(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    inner = open_desk(desk.root / "inner", {OPINIONS: PAGE}, commit=True)
    monkeypatch.setenv("GIT_DIR", "/nowhere")  # as inside a hook
    assert approve(inner) == history.CommitReport(True)
    monkeypatch.delenv("GIT_DIR")
    assert git(desk.root, "show", "--format=", "--name-only") == f"inner/{OPINIONS}\n"
