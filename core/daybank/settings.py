"""What a person has chosen, kept as JSON in the platform's config folder. Frozen values; a broken
or older file falls back to the defaults, field by field. A file of a newer Daybank is read as far
as it is understood and never written: going back to an older one must not cost what was chosen."""

from __future__ import annotations

import contextlib
import json
import os
import tempfile
from dataclasses import asdict, dataclass, fields
from pathlib import Path

import platformdirs

from daybank.errors import SettingsNewer

VERSION = 1
"""Raised when a key changes its meaning; :func:`load_settings` then reads the older ones too. A
file that names none is of version 1."""


@dataclass(frozen=True, slots=True)
class Settings:
    """``workspace`` is the memory folder opened last; ``index_outside`` keeps its index in the
    platform's cache (for folders that another program synchronises). ``model`` is the model for
    search by meaning: an id of the catalogue, ``ollama:NAME``, or None for the built-in one.
    ``wording_model`` is the language model that may word suggestions, ``ollama:NAME`` or
    ``openai:ADDRESS#NAME``; None for none. ``wording_host_allowed`` says that it may be on another
    computer, so that notes leave this one. ``commit`` makes a git commit of each approved
    suggestion where the folder is a git repository."""

    workspace: str | None = None
    index_outside: bool = False
    model: str | None = None
    wording_model: str | None = None
    wording_host_allowed: bool = False
    commit: bool = False


def settings_path() -> Path:
    """Where the settings are."""
    return Path(platformdirs.user_config_dir("daybank", appauthor=False)) / "settings.json"


def load_settings(path: Path | None = None) -> Settings:
    """The settings, or the defaults for whatever cannot be read. Never raises."""
    try:
        stored = json.loads((path or settings_path()).read_text(encoding="utf-8-sig"))
    except (OSError, ValueError, RecursionError):
        return Settings()
    if not isinstance(stored, dict):
        return Settings()
    return Settings(
        _text_or_none(stored.get("workspace")),
        stored.get("index_outside") is True,
        _text_or_none(stored.get("model")),
        _text_or_none(stored.get("wording_model")),
        stored.get("wording_host_allowed") is True,
        stored.get("commit") is True,
    )


def is_newer(stored: object, version: int) -> bool:
    """Whether a settings file, as JSON gave it, says that it is of a later version than this."""
    told = stored.get("version") if isinstance(stored, dict) else None
    return isinstance(told, int) and not isinstance(told, bool) and told > version


def _text_or_none(value: object) -> str | None:
    return value if isinstance(value, str) and value.strip() else None


def save_settings(settings: Settings, path: Path | None = None) -> None:
    """Write the settings in one step, keeping keys that another version added.

    Raises OSError when the place cannot be written, SettingsNewer when a newer Daybank wrote it.
    """
    place = (path or settings_path()).resolve()  # a link is written through
    place.parent.mkdir(parents=True, exist_ok=True)
    try:
        stored = json.loads(place.read_text(encoding="utf-8-sig"))
    except (OSError, ValueError, RecursionError):
        stored = {}
    if is_newer(stored, VERSION):
        raise SettingsNewer(
            "The settings are of a newer Daybank, so they were not changed.",
            f"Use the newer one again, or remove {place} to begin with new settings.",
        )
    known = {"version", *(field.name for field in fields(Settings))}
    kept = {k: v for k, v in stored.items() if k not in known} if isinstance(stored, dict) else {}
    values = {"version": VERSION, **kept, **asdict(settings)}
    text = json.dumps(values, ensure_ascii=False, indent=2)
    handle, temp = tempfile.mkstemp(dir=place.parent, prefix=".settings-")
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text + "\n")
            file.flush()
            os.fsync(file.fileno())
        os.replace(temp, place)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(temp)
        raise
