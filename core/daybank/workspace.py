"""The folder on disk: where it is, what in it may be read, and how a file is written.

This is the only module that walks the folder, and with ``review`` the only one that writes a
person's file. It keeps no state beyond two paths, so any thread may use it.
"""

from __future__ import annotations

import contextlib
import errno
import hashlib
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

_BACKUP = re.compile(r"~$|\.bak$|\.deleted(\.|$)|^#.*#$|\.orig$|\.swp$|\.tmp$", re.IGNORECASE)
_CONFLICT = re.compile(
    r"\.sync-conflict-\d{8}-\d{6}"  # Syncthing
    r"|\bconflicted[ _-]copy\b"  # Dropbox, Nextcloud, Seafile
    r"|\bconflict[ _-]copy\b"
    r"|_conf\(\d+\)"  # Yandex
    r"|-conflict-\d",
    re.IGNORECASE,
)
_NUMBERED_DAY = re.compile(r"^(\d{4}-\d{2}-\d{2})(?: \(\d+\)| \d)$")
_PLACEHOLDER = re.compile(r"^\.(.+)\.icloud$")
_RESERVED = re.compile(r"^(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³])(\.|$)", re.IGNORECASE)
_ESCAPED = re.compile(r'[\x00-\x1f\x7f"*/:<>?\\|%]')


@dataclass(frozen=True, slots=True)
class FileEntry:
    """A readable file as the folder lists it. ``hint`` changes whenever the content may have.

    The hint is size, modification and change time in ns, and inode. It is only a reason not to
    read again, never the proof that nothing changed: the content hash is.
    """

    path: str
    size: int
    hint: str
    newest_ns: int


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
    not deleted either. ``leftovers`` are temporary files of a writer that died.
    """

    files: tuple[FileEntry, ...]
    skipped: tuple[Skipped, ...]
    waiting: frozenset[str]
    leftovers: tuple[str, ...]
    complete: bool


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
    named = (
        explicit or env.get("DAYBANK_WORKSPACE") or configured or env.get("OPENCLAW_WORKSPACE_DIR")
    )
    if named:
        return Path(named).expanduser()
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
    root = Path(path).expanduser()
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
    except OSError as error:
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
    search index lives.
    """

    def __init__(self, root: Path, index_dir: Path | None = None) -> None:
        self.root = root
        self._index_dir = index_dir

    @classmethod
    def open_folder(
        cls, path: str | os.PathLike[str], index_dir: Path | None = None
    ) -> WorkspaceFolder:
        """Check that the folder is there and can be listed.

        Raises WorkspaceNotFound or WorkspaceUnreadable.
        """
        wanted = Path(path).expanduser()
        try:
            root = wanted.resolve(strict=True)
            if not root.is_dir():
                raise WorkspaceNotFound(
                    f"“{wanted}” is a file, not a folder.", "Choose the folder that holds it."
                )
            with os.scandir(root) as entries:
                next(iter(entries), None)
        except (FileNotFoundError, NotADirectoryError) as error:
            raise WorkspaceNotFound(
                f"There is no folder “{wanted}”.", "Check the spelling, or choose another folder."
            ) from error
        except (OSError, RuntimeError, ValueError) as error:
            raise WorkspaceUnreadable(
                "The memory folder cannot be reached.",
                f"“{wanted}”: {_reason(error)} Nothing was changed or lost.",
            ) from error
        return cls(root, index_dir)

    # -- where things are

    @property
    def name(self) -> str:
        return self.root.name or str(self.root)

    def state_dir(self) -> Path:
        """The folder for the index and the locks, made on first use.

        It is ``.memory/`` inside the workspace, private to its owner; where that cannot be
        written, a folder of this workspace's own in the platform's cache.
        """
        if self._index_dir is not None:
            self._index_dir.mkdir(parents=True, exist_ok=True)
            return self._index_dir
        inside = self.root / STATE_FOLDER
        try:
            _make_private(inside)
        except OSError:
            outside = self.cache_dir()
            outside.mkdir(parents=True, exist_ok=True, mode=0o700)
            return outside
        return inside

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
        parts = re.split(r"[/\\]", unquote(path))
        if pure.is_absolute() or ".." in parts or re.match(r"^([A-Za-z]:|~)", path):
            raise PathRefused(
                f"“{path}” is outside the memory folder.", "Nothing there was opened."
            )
        place = self.root.joinpath(*pure.parts)
        try:
            real = place.resolve()
        except (OSError, RuntimeError) as error:
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
        try:
            return self.absolute(path).read_bytes()
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
        start = self.absolute(within) if within else self.root
        if start.is_file():
            walk.look_into(start.parent, str(PurePosixPath(within).parent), only=start.name)
        else:
            walk.look_into(start, within.strip("/"))
        if not within and not walk.root_listed:
            raise WorkspaceUnreadable(
                "The memory folder cannot be reached.",
                f"“{self.name}” could not be listed. Nothing was changed or lost.",
            )
        return walk.result()

    # -- writing

    @contextlib.contextmanager
    def writing(self, wait_seconds: float = 10.0) -> Iterator[None]:
        """Hold the one lock under which a person's files are written, across processes."""
        lock = FileLock(self.state_dir() / "write.lock")
        try:
            with lock.acquire(timeout=wait_seconds):
                yield
        except Timeout as error:
            raise PathRefused(
                "Another Daybank is saving right now.", "Try again in a moment."
            ) from error

    def edit(self, path: str, change: Callable[[bytes | None], bytes], *, text: str = "") -> bytes:
        """Replace a file's content with ``change(old)``, all or nothing; ``old`` is None if new.

        The new content goes to a temporary file beside it, is flushed to the disk and takes the
        old one's place in one step, keeping its mode and owner; a link is written through to its
        target. If somebody else changed the file in between, ``change`` is asked again.

        Raises PathRefused for a place Daybank may not write, NoteNotSaved (holding ``text``) when
        the disk refuses; in both cases the file is as it was.
        """
        place = self.absolute(path)
        with self.writing():
            try:
                target = place.resolve()
                target.parent.mkdir(parents=True, exist_ok=True)
                for _ in range(5):
                    old = target.read_bytes() if target.exists() else None
                    if not _may_write(target if old is not None else target.parent):
                        raise PermissionError(errno.EACCES, "read-only", str(target))
                    new = change(old)
                    if _replace(target, old, new):
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
    """One walk through the folder."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.files: list[FileEntry] = []
        self.skipped: list[Skipped] = []
        self.waiting: set[str] = set()
        self.leftovers: list[str] = []
        self.complete = True
        self.root_listed = False
        self._inodes: dict[tuple[int, int], str] = {}

    def result(self) -> Inventory:
        self.files.sort(key=lambda entry: entry.path)
        self.skipped.sort(key=lambda item: item.path)
        return Inventory(
            tuple(self.files),
            tuple(self.skipped),
            frozenset(self.waiting),
            tuple(self.leftovers),
            self.complete,
        )

    def look_into(self, folder: Path, rel: str, only: str | None = None) -> None:
        try:
            with os.scandir(folder) as listing:
                entries = sorted(listing, key=lambda e: e.name)
        except OSError as error:
            self.complete = False
            self._skip(rel, "unreadable", f"This folder could not be listed: {_reason(error)}")
            return
        if folder == self.root:
            self.root_listed = True
        names = {entry.name for entry in entries}
        for entry in entries:
            if only is not None and entry.name != only:
                continue
            path = f"{rel}/{entry.name}" if rel and rel != "." else entry.name
            try:
                self._entry(entry, path, rel, names)
            except OSError as error:
                self.complete = False
                self._skip(path, "unreadable", f"This could not be read: {_reason(error)}")

    def _entry(self, entry: os.DirEntry[str], path: str, rel: str, names: set[str]) -> None:
        name = entry.name
        if entry.is_symlink():
            self._link(entry, path)
            return
        if entry.is_dir(follow_symlinks=False):
            hidden = name.startswith(".") and path != "memory/.dreams"
            if not hidden and name not in _SKIPPED_FOLDERS and path != "logseq/bak":
                self.look_into(Path(entry.path), path)
            return
        if name.startswith("."):
            placeholder = _PLACEHOLDER.match(name)
            if placeholder:
                real = f"{rel}/{placeholder[1]}" if rel else placeholder[1]
                self.waiting.add(real)
                self._skip(real, "not-downloaded", "This file is not downloaded yet.")
            elif name.startswith(_TEMP_PREFIX):
                self.leftovers.append(path)
            return
        if not _is_ours(path, name) or _BACKUP.search(name):
            return
        stem = name.rsplit(".", 1)[0]
        numbered = _NUMBERED_DAY.match(stem)
        if _CONFLICT.search(name) or (numbered and f"{numbered[1]}.md" in names):
            self._skip(
                path,
                "conflict-copy",
                "A sync program made this copy. Only the first version is searched.",
            )
            return
        try:
            path.encode("utf-8")
        except UnicodeEncodeError:
            shown = path.encode("utf-8", "replace").decode()
            self._skip(shown, "bad-name", "This file's name is not valid text; rename it.")
            return
        info = entry.stat(follow_symlinks=False)
        if not stat.S_ISREG(info.st_mode):
            return
        if info.st_nlink > 1:
            info = os.stat(entry.path)
            twin = self._inodes.setdefault((info.st_dev, info.st_ino), path)
            if twin != path:
                self._skip(path, "same-file", f"This is the same file as {twin}.")
                return
        newest = max(info.st_mtime_ns, info.st_ctime_ns)
        hint = f"{info.st_size}:{info.st_mtime_ns}:{info.st_ctime_ns}:{info.st_ino}"
        self.files.append(FileEntry(path, info.st_size, hint, newest))

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
        self.skipped.append(Skipped(path, code, message))


def _is_ours(path: str, name: str) -> bool:
    lower = name.lower()
    if lower.endswith(TEXT_SUFFIXES):
        return True
    if lower.endswith(".jsonl") and lower.startswith("chat"):
        return path.split("/", 1)[0] in ("logs", "archive") or "/" not in path
    return False


def _replace(target: Path, old: bytes | None, new: bytes) -> bool:
    """Put ``new`` in the place of ``target``; False when it changed since ``old`` was read."""
    temp = target.with_name(f"{_TEMP_PREFIX}{secrets.token_hex(6)}.tmp")
    try:
        with open(temp, "xb") as file:
            file.write(new)
            file.flush()
            os.fsync(file.fileno())
        if old is not None:
            info = target.stat()
            os.chmod(temp, stat.S_IMODE(info.st_mode))
            if hasattr(os, "chown"):
                with contextlib.suppress(OSError):
                    os.chown(temp, info.st_uid, info.st_gid)
        now = target.read_bytes() if target.exists() else None
        if now != old:
            return False
        _replace_with_patience(temp, target)
        _sync_folder(target.parent)
        return True
    finally:
        with contextlib.suppress(OSError):
            temp.unlink()


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
        folder.mkdir(mode=0o700, parents=False)
    ignore = folder / ".gitignore"
    if not ignore.exists():
        ignore.write_text("*\n")
    if not _may_write(folder):
        raise PermissionError(errno.EACCES, "read-only", str(folder))


def _may_write(place: Path) -> bool:
    """Whether the owner's permission bits allow writing; asked of the bits too, since for the
    superuser everything is writable, also what somebody has protected on purpose."""
    return bool(place.stat().st_mode & 0o222) and os.access(place, os.W_OK)


def _reason(error: Exception) -> str:
    """The system's reason as a plain sentence."""
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
