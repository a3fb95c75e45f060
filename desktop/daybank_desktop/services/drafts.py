"""What is half written in the box, kept until it is in the journal: across Esc, quitting, a crash
and a full disk of notes.

It is a file of its own in the config folder, not in the memory folder: that one may be shared, put
under git or be the very folder that cannot be written. Only its owner can read it, and it is gone
as soon as the text is saved or emptied. What looks like a password is not put on the disk before
the person has said that it is to be kept: the file then says ``[hidden]`` in its place, and the
whole text lives in memory alone. A text left by a second start that found nobody to take it is
picked up with the next draft.

GUI thread; a draft is small. Nothing here raises: a draft that cannot be kept is noted in the log,
without its text, and `save` says so.
"""

from __future__ import annotations

import contextlib
import json
import logging
import os
import secrets
from collections.abc import Collection
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from daybank.secrets import HIDDEN, find_secrets

log = logging.getLogger(__name__)

LARGEST = 4 * 1024 * 1024
KINDS = ("", "world", "experience", "opinion", "observation")


@dataclass(frozen=True, slots=True)
class Draft:
    """What stands in the box: ``kind`` is "" for just text, ``percent`` how sure an opinion is."""

    text: str = ""
    kind: str = ""
    percent: int = 75

    def __bool__(self) -> bool:
        return bool(self.text.strip())

    def with_more(self, text: str) -> Draft:
        """With ``text`` on lines of its own below."""
        more = text.strip()
        if not more or f"\n{self.text.strip()}".endswith(f"\n{more}"):  # handed over twice
            return self
        return replace(self, text=f"{self.text.rstrip()}\n{more}" if self else text)


def without_secrets(text: str, kept: Collection[str] = ()) -> str:
    """``text`` with ``[hidden]`` for what looks like a secret and is not among ``kept``, whether it
    is read as lines or, as a note of a kind is, as one line."""
    for joined in (False, True):
        looked_at = text.replace("\n", " ") if joined else text
        for secret in reversed(find_secrets(looked_at)):
            if text[secret.start : secret.end] not in kept:
                text = f"{text[: secret.start]}{HIDDEN}{text[secret.end :]}"
    return text


class DraftStore:
    """One draft for each folder of notes; ``key`` names the folder (the key of its Place)."""

    def __init__(self, folder: Path, key: str) -> None:
        self._folder = folder
        self._key = key
        self._draft: Draft | None = None

    @property
    def value(self) -> Draft:
        """What was being written, empty if nothing was."""
        if self._draft is None:
            self._draft = _read(self._file)
        return self._draft

    def save(self, draft: Draft, kept: Collection[str] = ()) -> bool:
        """Keep ``draft``; False where it is only kept in memory. An empty one is forgotten."""
        if not draft:
            self.forget()
            return True
        self._draft = draft
        return self._write(self._file, replace(draft, text=without_secrets(draft.text, kept)))

    def forget(self) -> None:
        """It is saved, or thrown away by the person."""
        self._draft = Draft()
        with contextlib.suppress(OSError):
            self._file.unlink(missing_ok=True)
            self._half(self._file).unlink(missing_ok=True)

    def leave(self, text: str) -> bool:
        """Leave ``text`` for whoever opens the box next: the process that has it open is another
        one, and does not answer. False where it could not be kept."""
        file = self._folder / f"{self._key}.left-{secrets.token_hex(4)}"
        return self._write(file, Draft(without_secrets(text)))

    def pick_up(self) -> Draft:
        """`value`, with what second starts have left since."""
        for file in self._left():
            draft = _read(file)
            if draft and not self.save(self.value.with_more(draft.text)):
                break
            with contextlib.suppress(OSError):
                file.unlink(missing_ok=True)
        return self.value

    def move_to(self, key: str) -> None:
        """The same draft for another folder of notes, below what waits there."""
        if key == self._key:
            return
        draft = self.value
        self.forget()
        self._key, self._draft = key, None
        if draft:
            self.save(self.value.with_more(draft.text) if self.value else draft)

    @property
    def _file(self) -> Path:
        return self._folder / f"{self._key}.json"

    def _half(self, file: Path) -> Path:
        return file.with_name(f".{file.name}.new")

    def _left(self) -> list[Path]:
        try:
            return sorted(self._folder.glob(f"{self._key}.left-*"))
        except OSError:
            return []

    def _write(self, file: Path, draft: Draft) -> bool:
        fresh = self._half(file)
        try:
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            fresh.unlink(missing_ok=True)
            handle = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
            with os.fdopen(handle, "wb") as written:
                written.write(json.dumps(asdict(draft)).encode())
            os.replace(fresh, file)
        except OSError:
            log.warning("What is being written could not be kept in %s", file, exc_info=True)
            with contextlib.suppress(OSError):
                fresh.unlink(missing_ok=True)
            return False
        return True


def _read(file: Path) -> Draft:
    """The draft in ``file``; an empty one for whatever does not read well."""
    try:
        with file.open("rb") as opened:
            raw = json.loads(opened.read(LARGEST).decode("utf-8"))
    except FileNotFoundError:
        return Draft()
    except (OSError, ValueError, RecursionError) as error:
        log.warning("A draft cannot be read: %s", type(error).__name__)
        return Draft()
    if not isinstance(raw, dict) or not isinstance(raw.get("text"), str):
        return Draft()
    kind, percent = raw.get("kind"), raw.get("percent")
    return Draft(
        raw["text"],
        kind if isinstance(kind, str) and kind in KINDS else "",
        percent if isinstance(percent, int) and 2 <= percent <= 98 else 75,
    )
