"""One commit for one approval, where the memory folder is a git repository and its owner wants it.

Only the page itself is committed; whatever else is changed or staged stays so. The repository's
hooks do not run and nothing is signed: both may ask questions or change files, and nobody sits in
front of them here. A commit that fails is told of and changes nothing about the approval.
"""

from __future__ import annotations

import logging
import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

log = logging.getLogger(__name__)

_SECONDS = 20.0
_QUIET = (
    *("-c", f"core.hooksPath={os.devnull}"),
    *("-c", "core.fsmonitor=false"),
    *("-c", "commit.gpgSign=false"),
    *("-c", "gc.auto=0"),
)

# Set while a hook runs; they would lead git to the repository that started this program.
_ELSEWHERE = ("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_COMMON_DIR", "GIT_PREFIX")


@dataclass(frozen=True, slots=True)
class CommitReport:
    """Whether the page was committed, and a sentence when it was not."""

    done: bool
    message: str = ""


def commit_page(root: Path, path: str, message: str) -> CommitReport | None:
    """Commit the page ``path`` of the folder ``root`` with ``message``. Never raises for anything
    that git says; None where the folder is no git repository."""
    git = shutil.which("git")
    if git is None or not _is_repository(root):
        return None
    page = (root / path).resolve()
    where = str(page.parent if page.parent.is_dir() else root)
    try:
        _commit(git, where, str(page), message)
    except subprocess.TimeoutExpired:
        log.warning("git took longer than %s s to commit %s", _SECONDS, path)
        return CommitReport(False, "Git did not answer in time. The page is saved, not committed.")
    except _GitFailed as failed:
        log.warning("git did not commit %s: %s", path, failed)
        return CommitReport(False, f"The page is saved; git did not commit it: {failed}")
    except OSError as error:
        log.warning("git cannot be run: %s", error)
        return CommitReport(False, "The page is saved; git cannot be run to commit it.")
    return CommitReport(True)


def _commit(git: str, where: str, page: str, message: str) -> None:
    is_new = not _run(git, where, "ls-files", "--", page)
    if is_new:
        _run(git, where, "add", "--intent-to-add", "--", page)
    try:
        _run(git, where, "commit", "--quiet", "--only", "-m", message, "--", page)
    except _GitFailed:
        if is_new:
            _run(git, where, "rm", "--quiet", "--cached", "--", page)
        raise


class _GitFailed(Exception):
    """Git said no; the text is the first line of what it said."""


def _is_repository(folder: Path) -> bool:
    return any((place / ".git").exists() for place in (folder, *folder.parents))


def _run(git: str, folder: str, *arguments: str) -> str:
    """What git prints. Raises _GitFailed, OSError, subprocess.TimeoutExpired."""
    own = {key: value for key, value in os.environ.items() if key not in _ELSEWHERE}
    quiet = {"GIT_TERMINAL_PROMPT": "0", "GIT_LITERAL_PATHSPECS": "1", "GIT_EDITOR": "true"}
    done = subprocess.run(
        [git, "-C", folder, *_QUIET, *arguments],
        env={**own, **quiet, "LC_ALL": "C"},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=_SECONDS,
        check=False,
        creationflags=_no_window(),
    )
    if done.returncode:
        said = (done.stderr or done.stdout).decode("utf-8", "replace").strip()
        raise _GitFailed(said.split("\n", 1)[0][:200] or f"it ended with {done.returncode}")
    return done.stdout.decode("utf-8", "replace")


def _no_window() -> int:
    if sys.platform == "win32":
        return subprocess.CREATE_NO_WINDOW
    return 0
