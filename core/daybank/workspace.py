"""The folder on disk: where it is, what in it may be read, and how a file is written.

This is the only module that walks the folder, and with ``review`` the only one that writes a
person's file. It keeps no state beyond two paths, so any thread may use it.
"""

from __future__ import annotations

import contextlib
import errno
import hashlib
import io
import os
import re
import secrets
import stat
import sys
import time
import unicodedata
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from pathlib import Path, PurePosixPath
from urllib.parse import unquote

import platformdirs
from filelock import FileLock, Timeout

from daybank.dates import day_in_name
from daybank.errors import (
    DaybankError,
    IndexUnwritable,
    NoteNotSaved,
    PathRefused,
    SourceGone,
    WorkspaceNotFound,
    WorkspaceUnreadable,
)

STATE_FOLDER = ".memory"
CORE_NAMES = ("MEMORY.md", "memory.md")
TEXT_SUFFIXES = (".md", ".markdown", ".txt")
_TEMP_PREFIX = ".daybank-writing-"
_SKIPPED_FOLDERS = {"node_modules", "__pycache__"}
_LARGEST_TEXT_BYTES = 32 * 1024 * 1024
_DAY_NS = 86_400_000_000_000

_BACKUP = re.compile(r"~$|\.bak$|\.deleted(\.|$)|^#.*#$|\.orig$|\.swp$|\.tmp$", re.IGNORECASE)
_CONFLICT = re.compile(
    r"\.sync-conflict-\d{8}-\d{6}"  # Syncthing
    r"|\bconflicted[ _-]copy\b"  # Dropbox, Nextcloud, Obsidian Sync, Insync
    r"|\bconflict[ _-]copy\b"
    r"|[(\[](?:conflicted|case conflict(?: \d+)?)[)\]]"  # pCloud, Dropbox
    r"|\(conflict (?:#?\d|on \d)[^)]*\)"  # Unison, Tresorit
    r"|\(case clash from [^)]*\)"  # Nextcloud
    r"|\(sfconflict [^)]*\)"  # Seafile
    r"|\((?:copia en conflicto|конфликтующая копия|copie en conflit|in konflikt stehende)[^)]*\)"
    r"|[_-]conflict-\d{4}"  # ownCloud
    r"|_conf\(\d+\)"  # Yandex
    r"|\.conflict\d*(?:\.|$)"  # Resilio, rclone, FolderSync
    r"|\.path[12](?:\.|$)"  # rclone bisync, older
    r"|(?-i:_(?:BACKUP|BASE|LOCAL|REMOTE)_\d+\.)",  # git mergetool
    re.IGNORECASE,
)
_NUMBERED_DAY = re.compile(r"^(\d{4}-\d{2}-\d{2})(?: \(\d+\)| \d)$")
# OneDrive adds the computer's name to the day: 2025-11-27-DESKTOP-AB12CD3.md
_NAMED_DAY = re.compile(r"^(\d{4}-\d{2}-\d{2})-(?:DESKTOP|LAPTOP|PC|WIN|MACBOOK)\b[\w-]*$")
_PLACEHOLDER = re.compile(r"^\.(.+)\.icloud$")
_RESERVED = re.compile(r"^(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(\.|$)", re.IGNORECASE)
_CONTROL = re.compile(r"[\x00-\x1f]")
_ESCAPED = re.compile(r'[\x00-\x1f\x7f"*/:<>?\\|%]')


@dataclass(frozen=True, slots=True)
class FileEntry:
    """A readable file as the folder lists it. ``hint`` changes whenever the content may have.

    The hint is size, modification and change time in ns, and inode. It is only a reason not to
    read again, never the proof that nothing changed: the content hash is. ``newest_ns`` is when
    the file was last touched; ``device`` the file system it is on.
    """

    path: str
    size: int
    hint: str
    newest_ns: int
    device: int


@dataclass(frozen=True, slots=True)
class Skipped:
    """A file that is in the folder and not read, with the reason as a stable code."""

    path: str
    code: str
    message: str


@dataclass(frozen=True, slots=True)
class Inventory:
    """Everything found in one walk.

    ``complete`` is False when some folder could not be listed: then nothing may be taken for
    deleted. ``waiting`` are files that a sync program has listed and not yet downloaded; they are
    not deleted either. ``leftovers`` are temporary files of a writer that died. ``has_twins`` says
    that some file may have a second name.
    """

    files: tuple[FileEntry, ...]
    skipped: tuple[Skipped, ...]
    waiting: frozenset[str]
    leftovers: tuple[str, ...]
    complete: bool
    has_twins: bool = False


@dataclass(frozen=True, slots=True)
class FolderSummary:
    """A quick look at a folder before it is opened. Counts are lower bounds if not complete."""

    days: int
    pages: int
    looks_like: str  # daybank, obsidian, logseq, markdown, empty
    complete: bool

    @property
    def is_empty(self) -> bool:
        return self.days == 0 and self.pages == 0


def find_workspace(
    explicit: str | os.PathLike[str] | None = None,
    *,
    environ: Mapping[str, str] | None = None,
    configured: str | None = None,
    home: Path | None = None,
) -> Path:
    """The memory folder to use: ``explicit`` > DAYBANK_WORKSPACE > ``configured`` (settings) >
    OPENCLAW_WORKSPACE_DIR > ``~/.openclaw/workspace`` if it exists.

    Raises WorkspaceNotFound when none is named.
    """
    env = os.environ if environ is None else environ
    if explicit is not None and not os.fspath(explicit):
        raise WorkspaceNotFound(
            "The name of the memory folder is empty.", "Give the folder after --workspace."
        )
    named = (
        explicit or env.get("DAYBANK_WORKSPACE") or configured or env.get("OPENCLAW_WORKSPACE_DIR")
    )
    if named:
        return _expanded(named)
    with contextlib.suppress(RuntimeError, OSError):
        fallback = (home or Path.home()) / ".openclaw" / "workspace"
        if fallback.is_dir():
            return fallback
    raise WorkspaceNotFound(
        "No memory folder is chosen yet.",
        "Name one with --workspace FOLDER or the variable DAYBANK_WORKSPACE.",
    )


def create_workspace(path: str | os.PathLike[str]) -> Path:
    """Make an empty memory folder with its first pages. What is already there stays as it is.

    Raises WorkspaceUnreadable when the place cannot be written.
    """
    root = _expanded(path)
    try:
        (root / "memory").mkdir(parents=True, exist_ok=True)
        (root / "bank" / "entities").mkdir(parents=True, exist_ok=True)
        starts = {
            "bank/world.md": "# World\n",
            "bank/experience.md": "# Experience\n",
            "bank/opinions.md": "# Opinions\n",
        }
        if not any((root / name).exists() for name in CORE_NAMES):
            starts["memory.md"] = "# Core memory\n"
        for name, text in starts.items():
            with contextlib.suppress(FileExistsError), open(root / name, "x", newline="") as file:
                file.write(text)
    except (OSError, ValueError) as error:
        raise WorkspaceUnreadable(
            "The folder could not be made.",
            f"{_reason(error)} Nothing was changed. Choose another place.",
        ) from error
    return root


def encode_file_name(title: str) -> str:
    """A file name (without ending) for any title: reversible and safe on Windows too.

    Characters that no file system takes everywhere, a leading or trailing dot or space, and
    reserved device names are written as %XX; :func:`decode_file_name` undoes it.
    """
    name = unicodedata.normalize("NFC", title)
    name = _ESCAPED.sub(lambda m: f"%{ord(m[0]):02X}", name)
    if name[:1] in (".", " "):
        name = f"%{ord(name[0]):02X}{name[1:]}"
    if name[-1:] in (".", " "):
        name = f"{name[:-1]}%{ord(name[-1]):02X}"
    if _RESERVED.match(name):
        name = f"%{ord(name[0]):02X}{name[1:]}"
    return name


def decode_file_name(name: str) -> str:
    """The title that :func:`encode_file_name` made ``name`` from."""
    return re.sub(r"%([0-9A-F]{2})", lambda m: chr(int(m[1], 16)), name)


class WorkspaceFolder:
    """One memory folder, by its real path.

    ``open_folder`` is the way in; the constructor does no I/O. ``index_dir`` overrides where the
    search index lives; ``identity`` tells the folder that was opened from another one that is now
    in its place (see :func:`_identity`).
    """

    def __init__(
        self,
        root: Path,
        index_dir: Path | None = None,
        identity: tuple[int, int] | None = None,
    ) -> None:
        self.root = root
        self._index_dir = index_dir
        self._identity = identity

    @classmethod
    def open_folder(
        cls, path: str | os.PathLike[str], index_dir: Path | None = None
    ) -> WorkspaceFolder:
        """Check that the folder is there and can be listed.

        Raises WorkspaceNotFound or WorkspaceUnreadable.
        """
        wanted = _expanded(path)
        try:
            root = wanted.resolve(strict=True)
            if not root.is_dir():
                raise WorkspaceNotFound(
                    f"“{wanted}” is a file, not a folder.", "Choose the folder that holds it."
                )
            with os.scandir(root) as entries:
                next(iter(entries), None)
            identity = _identity(root)
        except (FileNotFoundError, NotADirectoryError) as error:
            raise WorkspaceNotFound(
                f"There is no folder “{wanted}”.", "Check the spelling, or choose another folder."
            ) from error
        except (OSError, RuntimeError, ValueError) as error:
            raise WorkspaceUnreadable(
                "The memory folder cannot be reached.",
                f"“{wanted}”: {_reason(error)} Nothing was changed or lost.",
            ) from error
        return cls(root, index_dir, identity)

    # -- where things are

    @property
    def name(self) -> str:
        return self.root.name or str(self.root)

    def state_dir(self) -> Path:
        """The folder for the index, made on first use.

        It is ``.memory/`` inside the workspace, private to its owner; where that cannot be
        written, a folder of this workspace's own in the platform's cache. Raises IndexUnwritable.
        """
        if self._index_dir is None:
            return self._own_dir()
        try:
            self._index_dir.mkdir(parents=True, exist_ok=True, mode=0o700)
        except (OSError, ValueError) as error:
            raise _no_place(self._index_dir, error) from error
        return self._index_dir

    def _own_dir(self) -> Path:
        """What this workspace has in common for every Daybank that opens it."""
        inside = self.root / STATE_FOLDER
        try:
            self.check_connected()
        except WorkspaceUnreadable:
            return inside  # gone: nothing of ours may take its place
        try:
            _make_private(inside)
        except OSError:
            outside = self.cache_dir()
            try:
                outside.mkdir(parents=True, exist_ok=True, mode=0o700)
            except OSError as error:
                raise _no_place(outside, error) from error
            return outside
        return inside

    def proposals_dir(self) -> Path:
        """The folder for suggestions: with the workspace, wherever the index lives, and where the
        workspace cannot be written with its other state in the platform's cache. It is not made
        here. Raises IndexUnwritable."""
        return self._own_dir() / "proposals"

    def check_connected(self) -> None:
        """Raise WorkspaceUnreadable where the folder is gone, or is the empty place at which it, or
        its drive, used to be; nothing of ours may be written there. What is ours does not count
        as something that is in it."""
        try:
            with os.scandir(self.root) as entries:
                is_empty = all(entry.name == STATE_FOLDER for entry in entries)
            identity = _identity(self.root)
        except OSError as error:
            raise WorkspaceUnreadable(
                "The memory folder cannot be reached.",
                f"“{self.root}”: {_reason(error)} Nothing was changed or lost."
                " Connect its drive, or move the folder back, then try again.",
            ) from error
        if is_empty and self._identity not in (None, identity):
            raise WorkspaceUnreadable(
                "The memory folder is empty now.",
                f"Is the drive of “{self.root}” connected, or was the folder moved? Nothing was"
                " changed or lost.",
            )

    def cache_dir(self) -> Path:
        """Where the index lives when the workspace is read-only or synced by another program."""
        key = hashlib.blake2b(os.fsencode(self.root), digest_size=8).hexdigest()
        return Path(platformdirs.user_cache_dir("daybank", appauthor=False)) / "index" / key

    def absolute(self, path: str) -> Path:
        """The real place of a workspace path.

        Raises PathRefused for anything that is absolute, holds control characters, or leads out of
        the workspace, through ``..`` or through a link.
        """
        if not path or any(ord(char) < 32 for char in path):
            raise PathRefused("That is no path in the memory folder.", "Nothing was opened.")
        pure = PurePosixPath(path)
        place = self.root.joinpath(*pure.parts)
        if (
            pure.is_absolute()
            or ".." in pure.parts
            or (
                # Such a text leads out elsewhere, on another system or once it is decoded. It is a
                # name here only if a file has just this name.
                _is_suspect(path) and not os.path.lexists(place)
            )
        ):
            raise PathRefused(
                f"“{path}” is outside the memory folder.", "Nothing there was opened."
            )
        try:
            real = place.resolve()
        except (OSError, RuntimeError, ValueError) as error:
            raise PathRefused(f"“{path}” cannot be followed.", "Nothing was opened.") from error
        if real != self.root and self.root not in real.parents:
            raise PathRefused(
                f"“{path}” leads out of the memory folder.", "Nothing there was opened."
            )
        return place

    def core_memory(self) -> str:
        """The name of the core memory file: whichever exists, ``memory.md`` for a new one."""
        try:
            present = set(os.listdir(self.root))
        except OSError:
            present = set()
        return next((name for name in CORE_NAMES if name in present), "memory.md")

    def log_path(self, day: date) -> str:
        """Where the daily log of ``day`` is, or belongs when there is none yet.

        A Logseq graph keeps its journal in ``journals/YYYY_MM_DD.md``.
        """
        ours = f"memory/{day.isoformat()}.md"
        logseq = f"journals/{day.strftime('%Y_%m_%d')}.md"
        if (self.root / ours).exists() or (self.root / "memory").is_dir():
            return ours
        return logseq if (self.root / "journals").is_dir() else ours

    # -- reading

    def read_bytes(self, path: str) -> bytes:
        """The content of a file. Raises SourceGone when it is not there (any more)."""
        place = self.absolute(path)
        try:
            if not stat.S_ISREG(place.stat().st_mode):
                raise IsADirectoryError(errno.EISDIR, "not a file", str(place))
            return place.read_bytes()
        except (FileNotFoundError, IsADirectoryError, NotADirectoryError) as error:
            raise SourceGone(
                f"“{path}” is not there any more.", "It was moved, renamed or deleted."
            ) from error
        except OSError as error:
            raise WorkspaceUnreadable(
                f"“{path}” cannot be read.", f"{_reason(error)} Nothing was changed."
            ) from error

    def inventory(self, within: str = "") -> Inventory:
        """Walk the folder (or the part ``within`` it) and list what is to be read, sorted by path.

        Raises WorkspaceUnreadable when the folder itself has gone.
        """
        walk = _Walk(self.root)
        scope = plain_path(within)
        parts = PurePosixPath(scope).parts
        start = self.absolute(scope) if scope else self.root
        if not scope:
            walk.look_into(start, "")
        elif not self._is_walked(parts):
            pass  # a place that the whole walk would not come to either
        elif start.is_dir():
            walk.look_into(start, scope)
        else:
            walk.look_into(start.parent, "/".join(parts[:-1]), only=start.name)
            if not start.name.lower().endswith((*TEXT_SUFFIXES, ".jsonl")):
                walk.complete = walk.complete and os.path.lexists(start)  # a folder that went away
        if not scope and not walk.root_listed:
            raise WorkspaceUnreadable(
                "The memory folder cannot be reached.",
                f"“{self.name}” could not be listed. Nothing was changed or lost.",
            )
        return walk.result()

    def _is_walked(self, parts: tuple[str, ...]) -> bool:
        """Whether a walk from the root goes into the folders above the last of ``parts``, and
        into that if it is a folder."""
        for count in range(1, len(parts) + 1):
            path = "/".join(parts[:count])
            place = self.root / path
            if place.is_symlink():
                return False
            if (count < len(parts) or place.is_dir()) and _is_passed_over(path, parts[count - 1]):
                return False
        return True

    # -- writing

    @contextlib.contextmanager
    def writing(self, wait_seconds: float = 10.0) -> Iterator[None]:
        """Hold the one lock under which a person's files are written, across processes, wherever
        each of them keeps its index. Raises PathRefused when another does not let go of it."""
        try:
            lock = FileLock(self._own_dir() / "write.lock")
            lock.acquire(timeout=wait_seconds)
        except Timeout as error:
            raise PathRefused(
                "Another Daybank is saving right now.", "Try again in a moment."
            ) from error
        except (OSError, IndexUnwritable) as error:
            raise PathRefused(
                "Daybank cannot keep two programs from writing at once.",
                f"Its lock cannot be made: {_reason(error)} Nothing was changed.",
            ) from error
        try:
            yield
        finally:
            lock.release()

    def edit(self, path: str, change: Callable[[bytes | None], bytes], *, text: str = "") -> bytes:
        """Replace a file's content with ``change(old)``, all or nothing; ``old`` is None if new.

        The new content goes to a temporary file beside it, is flushed to the disk and takes the
        old one's place in one step, keeping its mode and owner; a link is written through to its
        target, and a file with several names (hard links) keeps them all. If somebody else changed
        the file in between, ``change`` is asked again; what it raises is passed on.

        Raises PathRefused for a place outside the workspace, NoteNotSaved (holding ``text``) when
        the file may not be written or the disk refuses; in both cases it is as it was.
        """
        place = self.absolute(path)
        try:
            self.check_connected()
        except WorkspaceUnreadable as error:
            raise NoteNotSaved(error.title, error.message, text) from error
        with contextlib.ExitStack() as stack:
            try:
                stack.enter_context(self.writing())
            except PathRefused as error:
                raise NoteNotSaved(
                    f"“{path}” could not be saved.", f"{error} The file is as it was.", text
                ) from error
            try:
                target = place.resolve()
                _check_writable(target)
                target.parent.mkdir(parents=True, exist_ok=True)
                if target.exists() and not target.is_file():
                    raise OSError(errno.EINVAL, "It is not a file", str(target))
                for _ in range(5):
                    old = target.read_bytes() if target.exists() else None
                    new = change(old)
                    if new == old or _replace(target, old, new):
                        return new
            except OSError as error:
                raise NoteNotSaved(
                    f"“{path}” could not be saved.",
                    f"{_reason(error)} The file is as it was.",
                    text,
                ) from error
        raise NoteNotSaved(
            f"“{path}” could not be saved.",
            "Another program keeps changing it. The file is as that program left it.",
            text,
        )

    def clear_leftovers(self, leftovers: tuple[str, ...]) -> None:
        """Remove temporary files that a writer left when it died; one that lives is waited for."""
        if not leftovers:
            return
        with contextlib.suppress(PathRefused, OSError), self.writing(wait_seconds=0.5):
            for path in leftovers:
                with contextlib.suppress(OSError):
                    (self.root / path).unlink()


def inspect_folder(path: str | os.PathLike[str], seconds: float = 1.5) -> FolderSummary:
    """Count days and pages without an index, for a person choosing a folder.

    Raises WorkspaceNotFound or WorkspaceUnreadable. Stops after about ``seconds``.
    """
    folder = WorkspaceFolder.open_folder(path)
    deadline = time.monotonic() + seconds
    days: set[date] = set()
    pages = 0
    complete = True
    for _, folders, names in os.walk(folder.root):
        folders[:] = [f for f in folders if not f.startswith(".") and f not in _SKIPPED_FOLDERS]
        for name in names:
            if not name.startswith(".") and name.lower().endswith(TEXT_SUFFIXES):
                day = day_in_name(name)
                if day is not None:
                    days.add(day)
                else:
                    pages += 1
        if time.monotonic() > deadline:
            complete = False
            break
    root = folder.root
    if (root / "memory").is_dir() or (root / "bank").is_dir():
        looks_like = "daybank"
    elif (root / ".obsidian").is_dir():
        looks_like = "obsidian"
    elif (root / "journals").is_dir() or (root / "logseq").is_dir():
        looks_like = "logseq"
    else:
        looks_like = "markdown" if days or pages else "empty"
    return FolderSummary(len(days), pages, looks_like, complete)


class _Walk:
    """One walk through the folder, without recursion: folders may be nested very deep."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.files: list[FileEntry] = []
        self.skipped: list[Skipped] = []
        self.waiting: set[str] = set()
        self.leftovers: list[str] = []
        self.complete = True
        self.root_listed = False
        self._twins: dict[tuple[int, int], list[FileEntry]] = {}
        self._folders: list[tuple[str, str]] = []

    def result(self) -> Inventory:
        self._settle_twins()
        self.files.sort(key=lambda entry: entry.path)
        self.skipped.sort(key=lambda item: item.path)
        return Inventory(
            tuple(self.files),
            tuple(self.skipped),
            frozenset(self.waiting),
            tuple(self.leftovers),
            self.complete,
            bool(self._twins),
        )

    def look_into(self, folder: Path, rel: str, only: str | None = None) -> None:
        """List ``folder``, which is ``rel`` in the workspace, with all below it; or just the entry
        called ``only``."""
        self._folders.append((str(folder), rel))
        while self._folders:
            place, path = self._folders.pop()
            self._list(place, path, only)

    def _list(self, folder: str, rel: str, only: str | None) -> None:
        try:
            with os.scandir(folder) as listing:
                entries = list(listing)
        except OSError as error:
            self.complete = False
            self._skip(
                rel or ".", "unreadable", f"This folder could not be listed: {_reason(error)}"
            )
            return
        if not rel:
            self.root_listed = True
        names = {entry.name for entry in entries}
        for entry in entries:
            if only is not None and entry.name not in (only, f".{only}.icloud"):
                continue
            path = f"{rel}/{entry.name}" if rel else entry.name
            try:
                self._entry(entry, path, rel, names)
            except FileNotFoundError:
                continue  # it went away between two looks
            except OSError as error:
                self.complete = False
                self._skip(path, "unreadable", f"This could not be read: {_reason(error)}")

    def _entry(self, entry: os.DirEntry[str], path: str, rel: str, names: set[str]) -> None:
        name = entry.name
        if entry.is_symlink():
            self._link(entry, path)
            return
        if entry.is_dir(follow_symlinks=False):
            if not _is_passed_over(path, name):
                self._folders.append((entry.path, path))
            return
        if name.startswith("."):
            placeholder = _PLACEHOLDER.match(name)
            if placeholder and placeholder[1] not in names:
                real = f"{rel}/{placeholder[1]}" if rel else placeholder[1]
                self.waiting.add(real)
                self._skip(real, "not-downloaded", "This file is not downloaded yet.")
            elif name.startswith(_TEMP_PREFIX):
                self.leftovers.append(path)
            return
        if not _is_ours(path, name) or _BACKUP.search(name):
            return
        if _is_conflict_copy(name, names):
            self._skip(
                path,
                "conflict-copy",
                "A sync program made this copy. Only the first version is searched.",
            )
            return
        if not path.isprintable() and (_CONTROL.search(path) or not _is_text(path)):
            self._skip(path, "bad-name", "This file's name is not valid text; rename it.")
            return
        info = entry.stat(follow_symlinks=False)
        if not stat.S_ISREG(info.st_mode):
            return
        if os.name == "nt":
            info = os.stat(entry.path)  # a listing knows neither inode nor links there
        if info.st_size > _LARGEST_TEXT_BYTES and not name.endswith(".jsonl"):
            self._skip(path, "too-large", "This file is too large to be a note; not searched.")
            return
        hint = f"{info.st_size}:{info.st_mtime_ns}:{info.st_ctime_ns}:{info.st_ino}"
        newest = max(info.st_mtime_ns, info.st_ctime_ns)
        if os.name != "nt" and info.st_mtime_ns > info.st_ctime_ns + _DAY_NS:
            newest = info.st_ctime_ns  # a time somebody set; the system's own tells the truth
        found = FileEntry(path, info.st_size, hint, newest, info.st_dev)
        if info.st_nlink > 1:
            self._twins.setdefault((info.st_dev, info.st_ino), []).append(found)
        else:
            self.files.append(found)

    def _settle_twins(self) -> None:
        """Of several names of one file the first is read, whatever order they were found in."""
        for twins in self._twins.values():
            first, *others = sorted(twins, key=lambda entry: entry.path)
            self.files.append(first)
            for other in others:
                self._skip(other.path, "same-file", f"This is the same file as {first.path}.")

    def _link(self, entry: os.DirEntry[str], path: str) -> None:
        try:
            real = Path(entry.path).resolve(strict=True)
        except (OSError, RuntimeError):
            if _is_ours(path, entry.name):
                self._skip(path, "broken-link", "This link leads nowhere.")
            return
        if real != self.root and self.root not in real.parents:
            self._skip(path, "link-outside", "This link leads out of the folder; not followed.")

    def _skip(self, path: str, code: str, message: str) -> None:
        shown = _CONTROL.sub("\ufffd", path).encode("utf-8", "replace").decode()
        self.skipped.append(Skipped(shown, code, message))


def plain_path(path: str) -> str:
    """A workspace path in its one spelling: ``./a//b/`` is ``a/b``, and the root is empty."""
    plain = PurePosixPath(path).as_posix()
    return "" if plain == "." else plain


def make_below(home: Path, folder: Path, mode: int = 0o777) -> None:
    """Make ``folder`` and what lies between it and ``home``, which has to be there: nothing of ours
    may take the place of a memory folder that is gone. Raises OSError."""
    if not home.is_dir():
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), str(home))
    folder.mkdir(parents=True, exist_ok=True, mode=mode)


def _identity(folder: Path) -> tuple[int, int]:
    """The file system that a folder is on, and its number there."""
    seen = folder.stat()
    return seen.st_dev, seen.st_ino


def _expanded(path: str | os.PathLike[str]) -> Path:
    """``path`` with ``~`` filled in where that is somebody's home."""
    try:
        return Path(path).expanduser()
    except RuntimeError:
        return Path(path)


def _is_suspect(path: str) -> bool:
    decoded = unquote(path)
    return ".." in re.split(r"[/\\]", decoded) or bool(re.match(r"[A-Za-z]:|~|[/\\]", decoded))


def _is_passed_over(path: str, name: str) -> bool:
    """Whether the folder ``name`` at ``path`` holds nothing that is ours to read."""
    hidden = name.startswith(".") and path != "memory/.dreams"
    return hidden or name in _SKIPPED_FOLDERS or path == "logseq/bak"


def _is_conflict_copy(name: str, names: set[str]) -> bool:
    """Whether a sync program made this file beside another; a number or a computer's name after
    a day says so only where the day's own file is there."""
    stem = name.rsplit(".", 1)[0]
    beside = _NUMBERED_DAY.match(stem) or _NAMED_DAY.match(stem)
    return _CONFLICT.search(name) is not None or (beside is not None and f"{beside[1]}.md" in names)


def _is_text(path: str) -> bool:
    try:
        path.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


def _is_ours(path: str, name: str) -> bool:
    lower = name.lower()
    if lower.endswith(TEXT_SUFFIXES):
        return True
    if lower.endswith(".jsonl") and lower.startswith("chat"):
        return path.split("/", 1)[0] in ("logs", "archive") or "/" not in path
    return False


def _replace(target: Path, old: bytes | None, new: bytes) -> bool:
    """Put ``new`` in the place of ``target``; False when it changed since ``old`` was read."""
    temp = _written_beside(target, new)
    try:
        links = target.stat().st_nlink if old is not None else 1
        with _held(target) as held:
            now = target.read_bytes() if target.exists() else None
            if now != old:
                return False
            if old is not None and links > 1:
                _write_in_place(target, old, new)
                return True
            _replace_with_patience(temp, target)
            late = held.read() if held is not None else old
        if late is not None and late != old:
            # Somebody wrote into the file between the last look and now, this process having been
            # suspended just there: what they wrote comes back, and is looked at again.
            temp = _written_beside(target, late)
            _replace_with_patience(temp, target)
        _sync_folder(target.parent)
        return late == old
    finally:
        with contextlib.suppress(OSError):
            temp.unlink()


def _written_beside(target: Path, data: bytes) -> Path:
    """A temporary file with ``data``, on the disk, that may take the place of ``target``: it has
    the mode and the owner of the file there. Raises OSError; then there is no such file."""
    temp = target.with_name(f"{_TEMP_PREFIX}{secrets.token_hex(6)}.tmp")
    try:
        with open(temp, "xb") as file:
            file.write(data)
            _flush(file, len(data))
        with contextlib.suppress(FileNotFoundError):
            info = target.stat()
            if hasattr(os, "chown"):
                with contextlib.suppress(OSError):
                    os.chown(temp, info.st_uid, info.st_gid)
            os.chmod(temp, stat.S_IMODE(info.st_mode))
    except BaseException:
        with contextlib.suppress(OSError):
            temp.unlink()
        raise
    return temp


@contextlib.contextmanager
def _held(target: Path) -> Iterator[io.BufferedReader | None]:
    """The file as it is now, open while another takes its place; None where there is none, and on
    Windows, where a file that is open cannot be replaced."""
    if sys.platform == "win32" or not target.exists():
        yield None
        return
    with open(target, "rb") as file:
        yield file


def _write_in_place(target: Path, old: bytes, new: bytes) -> None:
    """Write into the file itself, which has other names that must not be parted from it. Only what
    differs is touched, and it is put back where the disk refuses."""
    pairs = zip(old, new, strict=False)
    same = next((at for at, (a, b) in enumerate(pairs) if a != b), min(len(old), len(new)))
    with open(target, "r+b", buffering=0) as file:
        try:
            _write_from(file, same, new)
        except OSError:
            with contextlib.suppress(OSError):
                _write_from(file, same, old)
            raise


def _write_from(file: io.FileIO, start: int, content: bytes) -> None:
    file.seek(start)
    rest = memoryview(content)[start:]
    while rest:
        rest = rest[file.write(rest) or 0 :]
    file.truncate(len(content))
    _flush(file, len(content))


def _flush(file: io.FileIO | io.BufferedWriter, length: int) -> None:
    """Bring what was written to the disk, and make sure that all of it is there."""
    file.flush()
    try:
        os.fsync(file.fileno())
    except OSError as error:
        if error.errno not in (errno.EINVAL, errno.ENOTSUP):  # some network drives have none
            raise
    if os.fstat(file.fileno()).st_size != length:
        raise OSError(errno.EIO, "only a part was written")


def _replace_with_patience(temp: Path, target: Path) -> None:
    """``os.replace``, tried again while a scanner or an editor holds the file (Windows)."""
    for pause in (0.05, 0.1, 0.2, 0.4):
        try:
            os.replace(temp, target)
        except PermissionError:
            time.sleep(pause)
        else:
            return
    os.replace(temp, target)


def _sync_folder(folder: Path) -> None:
    if sys.platform == "win32":
        return
    with contextlib.suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def _make_private(folder: Path) -> None:
    """Make ``folder`` for its owner only, with a .gitignore that leaves all of it out."""
    if not folder.is_dir():
        if not _may_write(folder.parent):
            raise PermissionError(errno.EACCES, "read-only", str(folder.parent))
        folder.mkdir(mode=0o700, exist_ok=True)
    if not _may_write(folder):
        raise PermissionError(errno.EACCES, "read-only", str(folder))
    # What is there already serves as it is, even where this cannot be mended (a full disk).
    with contextlib.suppress(OSError):
        mode = stat.S_IMODE(folder.stat().st_mode)
        if mode & 0o077:
            os.chmod(folder, mode & 0o700)
    with contextlib.suppress(OSError), open(folder / ".gitignore", "x", newline="") as file:
        file.write("*\n")


def _check_writable(target: Path) -> None:
    """Raise PermissionError when the file, or the folder that it is or will be in, is protected."""
    folder = target.parent
    while not folder.exists():
        folder = folder.parent
    for place in (target, folder) if target.exists() else (folder,):
        if not _may_write(place):
            raise PermissionError(errno.EACCES, "read-only", str(place))


def _no_place(folder: Path, error: Exception) -> IndexUnwritable:
    return IndexUnwritable(
        "The search index has no place to live.",
        f"“{folder}”: {_reason(error)} Your notes are untouched.",
    )


def _may_write(place: Path) -> bool:
    """Whether the owner's permission bits allow writing; asked of the bits too, since for the
    superuser everything is writable, also what somebody has protected on purpose."""
    return bool(place.stat().st_mode & 0o222) and os.access(place, os.W_OK)


def _reason(error: Exception) -> str:
    """The reason as a plain sentence."""
    if isinstance(error, DaybankError):
        return str(error)
    if isinstance(error, OSError):
        known = {
            errno.ENOSPC: "The disk is full.",
            errno.EDQUOT: "The disk quota is used up.",
            errno.EROFS: "The disk is read-only.",
            errno.EACCES: "You may not read or write there.",
            errno.EPERM: "You may not read or write there.",
            errno.ENOENT: "It is not there.",
            errno.EIO: "The disk reports an error.",
        }
        if error.errno in known:
            return known[error.errno]
        if error.strerror:
            return f"{error.strerror}."
    return f"{error}."
