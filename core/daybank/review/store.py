"""Where suggestions are kept: one readable JSON file each, with what a person answered.

This is state, not index: it cannot be made again from the pages. So every file is written whole or
not at all, and what cannot be read is listed and left where it is, never overwritten or deleted.

    <folder>/<id>.json           one suggestion, waiting or settled
    <folder>/answers.jsonl       what was rejected, and what is never to be suggested again
    <folder>/undo/<id>.before    the page's bytes before applying (none for a page that was made)
    <folder>/undo/<id>.after     and after

A store may be used from several threads and processes: writing holds a lock file, reading none.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import secrets
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path

from filelock import FileLock, Timeout

from daybank.errors import ProposalNotFound, ProposalNotSaved
from daybank.review.json_format import NewerFormat, decode_proposal, encode_proposal
from daybank.review.proposal import Proposal, State
from daybank.review.state_files import append_line, clear_temporary, has_temporary, write_whole

UNDO_COUNT = 200
UNDO_BYTES = 50 * 1024 * 1024
_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,80}")
_LOCK_SECONDS = 10.0
_FRESH_NS = 2_000_000_000
"""A file younger than this is read again: another write may leave the same size and times."""

Stamp = tuple[int, int, int, int]


@dataclass(frozen=True, slots=True)
class Unreadable:
    """A file among the suggestions that is none, or that this version cannot read."""

    name: str
    message: str


@dataclass(frozen=True, slots=True)
class UndoCopy:
    """A page's bytes around an approval; ``before`` is None for a page that was made by it."""

    before: bytes | None
    after: bytes


@dataclass(frozen=True, slots=True)
class _Answers:
    """What ``answers.jsonl`` says when all of it is read in order."""

    rejected: frozenset[str] = frozenset()
    never: frozenset[str] = frozenset()


class AnsweredMeanwhile(Exception):
    """Somebody has changed the suggestion since it was read."""


class ProposalStore:
    """The suggestions of one workspace, in ``folder`` (WorkspaceFolder.proposals_dir()).

    The folder is made by the first write. Above ``undo_count`` approvals or ``undo_bytes`` of
    copies the oldest can no longer be undone; the newest always can.
    """

    def __init__(
        self, folder: Path, *, undo_count: int = UNDO_COUNT, undo_bytes: int = UNDO_BYTES
    ) -> None:
        self.folder = folder
        self._undo = folder / "undo"
        self._undo_count = undo_count
        self._undo_bytes = undo_bytes
        self._guard = threading.Lock()
        self._read: dict[str, tuple[Stamp, Proposal | Unreadable]] = {}
        self._answered: tuple[Stamp | None, _Answers] = (None, _Answers())

    # -- reading

    def all(self) -> tuple[Proposal, ...]:
        """Every suggestion that can be read, by when it was made."""
        found = [item for item in self._look() if isinstance(item, Proposal)]
        return tuple(sorted(found, key=lambda p: (p.created, p.id)))

    def waiting(self) -> tuple[Proposal, ...]:
        """What waits for an answer, most certain first."""
        found = [p for p in self.all() if p.state is State.WAITING]
        return tuple(sorted(found, key=_certainty, reverse=True))

    def settled(self) -> tuple[Proposal, ...]:
        """What was applied, rejected, undone or withdrawn, newest first."""
        found = [p for p in self.all() if p.state is not State.WAITING]
        return tuple(sorted(found, key=lambda p: (p.settled or p.created, p.id), reverse=True))

    def unreadable(self) -> tuple[Unreadable, ...]:
        """The files that are no suggestions this version can read. They are left as they are."""
        found = [item for item in self._look() if isinstance(item, Unreadable)]
        return tuple(sorted(found, key=lambda item: item.name))

    def get(self, pid: str) -> Proposal:
        """The suggestion as it is on the disk now. Raises ProposalNotFound."""
        place = self._place(pid)
        found = _load(place) if place is not None else None
        if isinstance(found, Proposal):
            return found
        if isinstance(found, Unreadable):
            raise ProposalNotFound("This suggestion cannot be read.", found.message)
        raise ProposalNotFound(
            "There is no such suggestion.", "It may have been removed. Nothing was changed."
        )

    # -- writing

    @staticmethod
    def new_id() -> str:
        """A name that no suggestion has yet."""
        return f"p-{secrets.token_hex(6)}"

    def put(self, proposal: Proposal, *, instead_of: Proposal | None = None) -> None:
        """Keep ``proposal``, instead of the one with its id if there is one; where ``instead_of``
        is given, only while that is what is kept.

        Raises AnsweredMeanwhile, and ProposalNotSaved when the disk refuses, or where a file stands
        that cannot be read.
        """
        with self._writing():
            if instead_of is not None and self.get(proposal.id) != instead_of:
                raise AnsweredMeanwhile
            self._write(proposal)

    def update(self, pid: str, change: Callable[[Proposal], Proposal]) -> Proposal:
        """Replace a suggestion by ``change`` of it, so that nobody writes in between.

        Raises ProposalNotFound, ProposalNotSaved, and what ``change`` raises.
        """
        with self._writing():
            old = self.get(pid)
            new = change(old)
            if new != old:
                self._write(new)
            return new

    def withdraw(self, pid: str, when: datetime) -> Proposal:
        """Take a waiting suggestion out of the list, for a newer one; others stay as they are, and
        so does one that is just being written into its page."""

        def withdrawn(proposal: Proposal) -> Proposal:
            if proposal.state is not State.WAITING or proposal.applied_sha256 is not None:
                return proposal
            return replace(proposal, state=State.WITHDRAWN, settled=when)

        return self.update(pid, withdrawn)

    def discard(self, proposal: Proposal) -> None:
        """Remove a suggestion that came to nothing, unless somebody has answered it meanwhile.

        Raises ProposalNotSaved.
        """
        place = self._place(proposal.id)
        with self._writing():
            try:
                if place is not None and _load(place) == proposal:
                    place.unlink()
            except OSError as error:
                raise _not_saved(error) from error

    def clear_leftovers(self) -> None:
        """Remove temporary files of a writer that died."""
        if not (has_temporary(self.folder) or has_temporary(self._undo)):
            return  # and nobody has to be waited for
        with contextlib.suppress(ProposalNotSaved), self._writing():
            clear_temporary(self.folder)
            clear_temporary(self._undo)

    # -- what a person said no to

    def remember_rejection(self, fingerprint: str) -> None:
        """Do not suggest this very change again (Hunk.fingerprint or Proposal.fingerprint)."""
        if not self.is_rejected(fingerprint):
            self._answer("rejected", fingerprint)

    def forget_rejection(self, fingerprint: str) -> None:
        """It may be suggested again: the person changed their mind."""
        if self.is_rejected(fingerprint):
            self._answer("allowed", fingerprint)

    def is_rejected(self, fingerprint: str) -> bool:
        return fingerprint in self._answers().rejected

    def remember_never(self, topic: str) -> None:
        """Suggest nothing about ``topic`` (Hunk.topic) again."""
        if topic and not self.is_never(topic):
            self._answer("never", topic)

    def forget_never(self, topic: str) -> None:
        """Suggestions about ``topic`` may come again."""
        if self.is_never(topic):
            self._answer("again", topic)

    def is_never(self, topic: str) -> bool:
        return topic in self._answers().never

    def nevers(self) -> tuple[str, ...]:
        """The topics that nothing is suggested about, sorted."""
        return tuple(sorted(self._answers().never))

    # -- undo copies

    def keep_undo(self, pid: str, before: bytes | None, after: bytes) -> None:
        """Keep a page's bytes around an approval. Raises ProposalNotSaved."""
        with self._writing():
            try:
                self._undo.mkdir(mode=0o700, exist_ok=True)
                old = self._undo / f"{pid}.before"
                if before is None:
                    old.unlink(missing_ok=True)
                else:
                    write_whole(old, before)
                write_whole(self._undo / f"{pid}.after", after)
            except OSError as error:
                raise _not_saved(error) from error
            self._prune(keep=pid)

    def undo_copy(self, pid: str) -> UndoCopy | None:
        """The kept bytes; None when there are none (any more)."""
        if _ID.fullmatch(pid) is None:
            return None
        try:
            after = (self._undo / f"{pid}.after").read_bytes()
        except OSError:
            return None
        try:
            return UndoCopy((self._undo / f"{pid}.before").read_bytes(), after)
        except FileNotFoundError:
            return UndoCopy(None, after)
        except OSError:
            return None

    # -- inside

    def _place(self, pid: str) -> Path | None:
        return self.folder / f"{pid}.json" if _ID.fullmatch(pid) else None

    def _look(self) -> list[Proposal | Unreadable]:
        """Everything in the folder; only what changed since the last look is read."""
        with self._guard:
            seen: dict[str, tuple[Stamp, Proposal | Unreadable]] = {}
            fresh_from = time.time_ns() - _FRESH_NS
            found = []
            for name, stamp in _listed(self.folder):
                known = self._read.get(name)
                item = known[1] if known and known[0] == stamp else _load(self.folder / name)
                if item is None:
                    continue
                found.append(item)
                if stamp[1] < fresh_from:
                    seen[name] = (stamp, item)
            self._read = seen
            return found

    @contextlib.contextmanager
    def _writing(self) -> Iterator[None]:
        try:
            if self.folder.parent.parent.is_dir():  # a workspace that is gone is not made again
                self.folder.parent.mkdir(mode=0o700, exist_ok=True)
            self.folder.mkdir(mode=0o700, exist_ok=True)
            lock = FileLock(self.folder / "write.lock")
            lock.acquire(timeout=_LOCK_SECONDS)
        except Timeout as error:
            raise ProposalNotSaved(
                "Another Daybank is saving right now.", "Try again in a moment."
            ) from error
        except OSError as error:
            raise _not_saved(error) from error
        try:
            yield
        finally:
            lock.release()

    def _write(self, proposal: Proposal) -> None:
        place = self._place(proposal.id)
        if place is None:
            raise ValueError(f"no name for a file: {proposal.id!r}")
        try:
            if isinstance(_load(place), Unreadable):
                raise ProposalNotSaved(
                    "The suggestion could not be saved.",
                    f"“{place.name}” holds something else, and is left as it is.",
                )
            write_whole(place, encode_proposal(proposal))
        except OSError as error:
            raise _not_saved(error) from error

    def _answer(self, key: str, value: str) -> None:
        with self._writing():
            line = json.dumps({key: value}, ensure_ascii=False)
            try:
                append_line(self.folder / "answers.jsonl", line)
            except OSError as error:
                raise _not_saved(error) from error

    def _answers(self) -> _Answers:
        place = self.folder / "answers.jsonl"
        with self._guard:
            stamp = _stamp(place)
            if stamp is None:
                return _Answers()
            if self._answered[0] != stamp:
                self._answered = (stamp, _read_answers(place))
            return self._answered[1]

    def _prune(self, keep: str) -> None:
        """Drop the oldest copies above the limits, whole pairs at a time and never ``keep``."""
        ages: dict[str, int] = {}
        sizes: dict[str, int] = {}
        with contextlib.suppress(OSError), os.scandir(self._undo) as entries:
            for entry in entries:
                pid, _, kind = entry.name.rpartition(".")
                if kind in ("before", "after"):
                    info = entry.stat()
                    ages[pid] = max(ages.get(pid, 0), info.st_mtime_ns)
                    sizes[pid] = sizes.get(pid, 0) + info.st_size
        count, total = len(ages), sum(sizes.values())
        for pid in sorted(ages, key=lambda pid: (pid == keep, ages[pid])):
            if pid == keep or (count <= self._undo_count and total <= self._undo_bytes):
                break
            with contextlib.suppress(OSError):
                (self._undo / f"{pid}.after").unlink(missing_ok=True)
                (self._undo / f"{pid}.before").unlink(missing_ok=True)
            count -= 1
            total -= sizes[pid]


def _certainty(proposal: Proposal) -> float:
    return max((hunk.certainty for hunk in proposal.hunks), default=0.0)


def _listed(folder: Path) -> Iterator[tuple[str, Stamp]]:
    with contextlib.suppress(FileNotFoundError, NotADirectoryError), os.scandir(folder) as entries:
        for entry in entries:
            if entry.name.endswith(".json") and not entry.name.startswith("."):
                with contextlib.suppress(OSError):
                    yield entry.name, _stamp_of(entry.stat())


def _stamp(place: Path) -> Stamp | None:
    try:
        return _stamp_of(place.stat())
    except OSError:
        return None


def _stamp_of(info: os.stat_result) -> Stamp:
    return info.st_size, info.st_mtime_ns, info.st_ctime_ns, info.st_ino


def _load(place: Path) -> Proposal | Unreadable | None:
    """The suggestion in a file; None where there is no file."""
    try:
        found = decode_proposal(place.read_bytes())
    except FileNotFoundError:
        return None
    except NewerFormat:
        return Unreadable(
            place.name, "A newer Daybank made this suggestion. Update Daybank to see it."
        )
    except ValueError:
        return Unreadable(place.name, "This file is damaged or no suggestion. It is left as it is.")
    except OSError as error:
        return Unreadable(place.name, f"This file cannot be read: {error.strerror}.")
    if found.id != place.stem:
        return Unreadable(place.name, "This file is a copy of another. It is left as it is.")
    return found


def _read_answers(place: Path) -> _Answers:
    rejected: set[str] = set()
    never: set[str] = set()
    try:
        text = place.read_bytes().decode("utf-8", "replace")
    except OSError:
        return _Answers()
    for line in text.split("\n"):
        try:
            said = json.loads(line)
        except (ValueError, RecursionError):
            continue  # torn; the others are kept
        if not isinstance(said, dict):
            continue
        for key, value in said.items():
            if not isinstance(value, str):
                continue
            if key == "rejected":
                rejected.add(value)
            elif key == "allowed":
                rejected.discard(value)
            elif key == "never":
                never.add(value)
            elif key == "again":
                never.discard(value)
    return _Answers(frozenset(rejected), frozenset(never))


def _not_saved(error: OSError) -> ProposalNotSaved:
    return ProposalNotSaved(
        "The suggestion could not be saved.",
        f"{error.strerror or error}. No page was changed, and it is as it was before.",
    )
