"""What the schedule remembers between two starts: a pause, and for each folder what was tried.

A small JSON file in the platform's config folder. Losing it costs a run too many or a notice twice,
never a note, so reading forgives everything and a failing save is only logged. GUI thread.
"""

from __future__ import annotations

import json
import logging
import os
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import date, datetime
from pathlib import Path

from daybank_desktop.scheduling.policy import Marks, Pause

log = logging.getLogger(__name__)

MOST_FOLDERS = 30
MOST_TOLD = 500


@dataclass(frozen=True, slots=True)
class FolderMemory:
    """``marks`` without the last success, which the folder itself knows. ``chat_seen`` is how many
    messages were summed up or need not be (None: never looked), ``told`` what the person was
    already told of."""

    marks: Marks = field(default_factory=Marks)
    chat_seen: int | None = None
    told: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Remembered:
    """A pause holds for every folder."""

    pause: Pause | None = None
    folders: Mapping[str, FolderMemory] = field(default_factory=dict)

    def folder(self, path: str) -> FolderMemory:
        return self.folders.get(path, FolderMemory())

    def with_folder(self, path: str, value: FolderMemory) -> Remembered:
        """The folder used last stands last; the oldest ones are forgotten."""
        others = {known: kept for known, kept in self.folders.items() if known != path}
        newest = list(others.items())[-(MOST_FOLDERS - 1) :]
        kept = replace(value, told=value.told[-MOST_TOLD:])
        return replace(self, folders={**dict(newest), path: kept})


class ScheduleMemory:
    """Loads ``path`` once, and saves it at every change."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._value: Remembered | None = None

    @property
    def value(self) -> Remembered:
        if self._value is None:
            self._value = self._load()
        return self._value

    def save(self, value: Remembered) -> None:
        if value == self.value:
            return
        self._value = value
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            fresh = self._path.with_name(self._path.name + ".new")
            fresh.write_text(json.dumps(_to_json(value), ensure_ascii=False, indent=1), "utf-8")
            os.replace(fresh, self._path)
        except (OSError, ValueError):
            log.warning("The schedule could not be saved to %s", self._path, exc_info=True)

    def _load(self) -> Remembered:
        try:
            raw = json.loads(self._path.read_text("utf-8"))
        except FileNotFoundError:
            return Remembered()
        except (OSError, ValueError, RecursionError):
            log.warning("The schedule in %s cannot be read", self._path, exc_info=True)
            return Remembered()
        return _from_json(raw)


def _to_json(value: Remembered) -> dict[str, object]:
    pause = value.pause
    return {
        "pause": pause and {"begun": _text(pause.begun), "until": _text(pause.until)},
        "folders": {
            path: {
                "known_since": _text(folder.marks.known_since),
                "declined": _text(folder.marks.declined),
                "planned_day": _text(folder.marks.planned_day),
                "attempted": _text(folder.marks.attempted),
                "failures": folder.marks.failures,
                "chat_seen": folder.chat_seen,
                "told": list(folder.told),
            }
            for path, folder in value.folders.items()
        },
    }


def _from_json(raw: object) -> Remembered:
    if not isinstance(raw, dict):
        return Remembered()
    folders = raw.get("folders")
    known = folders.items() if isinstance(folders, dict) else ()
    return Remembered(
        _pause(raw.get("pause")),
        {path: _folder(kept) for path, kept in known if isinstance(kept, dict)},
    )


def _pause(raw: object) -> Pause | None:
    if not isinstance(raw, dict):
        return None
    begun, until = _moment(raw.get("begun")), _moment(raw.get("until"))
    if begun is None or (until is None and raw.get("until") is not None):
        return None
    return Pause(begun, until)


def _folder(raw: dict[str, object]) -> FolderMemory:
    failures, seen, told = raw.get("failures"), raw.get("chat_seen"), raw.get("told")
    return FolderMemory(
        Marks(
            known_since=_moment(raw.get("known_since")),
            declined=_moment(raw.get("declined")),
            planned_day=_day(raw.get("planned_day")),
            attempted=_moment(raw.get("attempted")),
            failures=failures if type(failures) is int and failures >= 0 else 0,
        ),
        seen if type(seen) is int and seen >= 0 else None,
        tuple(map(str, told)) if isinstance(told, list) else (),
    )


def _text(value: date | datetime | None) -> str | None:
    return value.isoformat() if value is not None else None


def _moment(value: object) -> datetime | None:
    """None also for a time that names no zone: nobody could say when it was."""
    try:
        moment = datetime.fromisoformat(value) if isinstance(value, str) else None
    except ValueError:
        return None
    return moment if moment is not None and moment.tzinfo is not None else None


def _day(value: object) -> date | None:
    try:
        return date.fromisoformat(value) if isinstance(value, str) else None
    except ValueError:
        return None
