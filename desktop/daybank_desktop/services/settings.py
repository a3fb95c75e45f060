"""What the window remembers between two starts: a small JSON file in the platform's config folder.

GUI thread only; the file is a few hundred bytes. Losing it loses comfort, never notes, so reading
forgives everything: a senseless value is the default, a senseless file is put aside. A file of a
newer Daybank is read as far as it is understood and never written.
"""

from __future__ import annotations

import json
import logging
import os
from dataclasses import asdict, dataclass, fields, replace
from datetime import time
from pathlib import Path

from daybank.settings import is_newer
from daybank_desktop.scheduling.policy import DEFAULT_TIME, HOURS, PlanKind

log = logging.getLogger(__name__)

THEMES = ("system", "light", "dark")
TEXT_SIZES = range(90, 201)
RECENT_FOLDERS = 6
VERSION = 1
"""Raised when a key changes its meaning. A file that names none is of version 1."""


@dataclass(frozen=True, slots=True)
class DesktopSettings:
    """``text_size`` is in per cent; ``window`` is what QMainWindow saved, in base64.

    ``not_same`` are pairs of names that look alike and are not one: the folder and both keys, with
    tabs between. ``plan`` is when Daybank reflects by itself: ``reflect_at`` for a daily plan,
    ``reflect_hours`` for one every so many hours. ``told`` are the things that are said once.
    In quiet hours, from ``quiet_from`` to ``quiet_until``, notifications wait.
    """

    folder: str = ""
    recent: tuple[str, ...] = ()
    theme: str = "system"
    text_size: int = 100
    window: str = ""
    maximized: bool = False
    list_width: int = 0
    not_same: tuple[str, ...] = ()
    plan: str = PlanKind.DAILY.value
    reflect_at: str = DEFAULT_TIME.isoformat("minutes")
    reflect_hours: int = 6
    reflect_on_battery: bool = False
    by_meaning: bool = True
    prepare_on_battery: bool = False
    close_to_tray: bool = True
    start_hidden: bool = True
    notify_suggestions: bool = True
    notify_health: bool = True
    quiet_hours: bool = True
    quiet_from: str = "21:00"
    quiet_until: str = "08:00"
    told: tuple[str, ...] = ()

    def with_folder(self, folder: str) -> DesktopSettings:
        """The same with ``folder`` as the one in use, and first among the recent ones."""
        others = tuple(known for known in self.recent if known != folder)
        return replace(self, folder=folder, recent=(folder, *others)[:RECENT_FOLDERS])


class SettingsStore:
    """Loads and saves ``path``. A failing save is logged: it must not disturb the person."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._value: DesktopSettings | None = None
        self._others: dict[str, object] = {}  # keys that another version added
        self._is_newer = False

    @property
    def value(self) -> DesktopSettings:
        if self._value is None:
            self._value = self._load()
        return self._value

    def update(self, **changes: object) -> None:
        self.save(replace(self.value, **changes))  # type: ignore[arg-type]

    def save(self, value: DesktopSettings) -> None:
        if value == self._value:
            return
        if self._value is None:
            self._load()  # what another version keeps there has to be known first
        self._value = value
        if self._is_newer:
            return
        stored = {"version": VERSION, **self._others, **asdict(value)}
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            fresh = self._path.with_name(self._path.name + ".new")
            fresh.write_text(json.dumps(stored, ensure_ascii=False, indent=2), "utf-8")
            os.replace(fresh, self._path)
        except OSError:
            log.warning("The settings could not be saved to %s", self._path, exc_info=True)

    def _load(self) -> DesktopSettings:
        try:
            raw = json.loads(self._path.read_text("utf-8"))
        except FileNotFoundError:
            return DesktopSettings()
        except (OSError, ValueError):
            log.warning("The settings in %s cannot be read", self._path, exc_info=True)
            self._put_aside()
            return DesktopSettings()
        if not isinstance(raw, dict):
            return DesktopSettings()
        self._is_newer = is_newer(raw, VERSION)
        if self._is_newer:
            log.warning("%s is of a newer Daybank: it is read and not written", self._path)
        known = {"version", *(field.name for field in fields(DesktopSettings))}
        self._others = {key: value for key, value in raw.items() if key not in known}
        return _from_json(raw)

    def _put_aside(self) -> None:
        try:
            os.replace(self._path, self._path.with_name(self._path.name + ".unreadable"))
        except OSError:
            log.warning("%s could not be put aside", self._path, exc_info=True)


def _from_json(raw: dict[str, object]) -> DesktopSettings:
    values: dict[str, object] = {}
    for field in fields(DesktopSettings):
        value = raw.get(field.name)
        default = field.default
        if field.name == "recent":
            if isinstance(value, list):
                values["recent"] = tuple(str(item) for item in value)[:RECENT_FOLDERS]
        elif field.name in ("not_same", "told"):
            if isinstance(value, list):
                values[field.name] = tuple(str(item) for item in value)
        elif type(value) is type(default):
            values[field.name] = value
    if values.get("theme") not in THEMES:
        values.pop("theme", None)
    if values.get("text_size") not in TEXT_SIZES:
        values.pop("text_size", None)
    if values.get("plan") not in list(PlanKind):
        values.pop("plan", None)
    if values.get("reflect_hours") not in HOURS:
        values.pop("reflect_hours", None)
    for name in ("reflect_at", "quiet_from", "quiet_until"):
        if not _is_time(values.get(name)):
            values.pop(name, None)
    return DesktopSettings(**values)  # type: ignore[arg-type]


def _is_time(value: object) -> bool:
    try:
        return isinstance(value, str) and time.fromisoformat(value).tzinfo is None
    except ValueError:
        return False
