"""What keeps the folder in order: search by meaning, the last reflection, suggestions that wait.

All of it is handed in; nothing here looks it up.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta

from daybank.health.report import HealthCheck
from daybank.index.switching import Standing
from daybank.secrets import mask

WAITS_TOO_LONG = timedelta(days=14)
"""A suggestion that waits for longer is told of."""


@dataclass(frozen=True, slots=True)
class LastReflection:
    """How reflections went: when one last ended well (None: never), and why the latest did not
    (None: it did). ``late_after`` is how old the last success may be, where reflections run by a
    schedule: 36 hours for a daily one; None where they do not."""

    last_success: datetime | None = None
    last_error: str | None = None
    late_after: timedelta | None = None


@dataclass(frozen=True, slots=True)
class WaitingSuggestion:
    """A suggestion that nobody has answered: its page, and when it was made."""

    target: str
    created: datetime


@dataclass(frozen=True, slots=True)
class Upkeep:
    """What is known beside the files. ``meaning`` is how search by meaning stands, ``done`` of
    ``total`` texts are prepared, and ``reason`` says why it is not as it should be.
    ``unreadable`` are the names of suggestion files that cannot be read."""

    meaning: Standing = Standing.UNPREPARED
    done: int = 0
    total: int = 0
    reason: str = ""
    reflection: LastReflection | None = None
    waiting: tuple[WaitingSuggestion, ...] = ()
    unreadable: tuple[str, ...] = ()


def upkeep_checks(upkeep: Upkeep, now: datetime) -> Iterator[HealthCheck]:
    """The checks of ``upkeep`` at the moment ``now``."""
    yield _meaning(upkeep)
    yield _reflection(upkeep.reflection, now)
    yield _waiting(upkeep.waiting, now)
    yield _unreadable(upkeep.unreadable)


def _meaning(upkeep: Upkeep) -> HealthCheck:
    id_ = "meaning"
    if upkeep.meaning is Standing.OFF:
        off = "Search by meaning is off"
        told = upkeep.reason if upkeep.reason.startswith(off) else f"{off}. {upkeep.reason}".strip()
        return HealthCheck(id_, "note", f"{told.removesuffix('.')}.")
    if upkeep.meaning is Standing.OTHER:
        told = f"Another model searches by meaning than was chosen. {upkeep.reason}".strip()
        return HealthCheck(id_, "note", told)
    if upkeep.meaning is Standing.PARTLY or upkeep.done < upkeep.total:
        return HealthCheck(
            id_,
            "note",
            f"Search by meaning knows {upkeep.done:,} of {upkeep.total:,} texts."
            " “daybank embed” goes on.",
        )
    if upkeep.meaning is Standing.UNPREPARED:
        return HealthCheck(
            id_, "ok", "Notes are found by their words. “daybank embed” adds search by meaning."
        )
    return HealthCheck(id_, "ok", "Search by meaning knows every text.")


def _reflection(last: LastReflection | None, now: datetime) -> HealthCheck:
    id_ = "reflection"
    if last is None or (last.last_success is None and last.last_error is None):
        if last is None or last.late_after is None:
            return HealthCheck(id_, "ok", "No reflection has run yet.")
        return HealthCheck(id_, "note", "No reflection has run yet, though one is due by schedule.")
    if last.last_error is not None:
        return HealthCheck(
            id_, "warning", f"The last reflection failed: {mask(last.last_error).strip()}"
        )
    assert last.last_success is not None
    age = now - last.last_success
    ago = _ago(age)
    if last.late_after is not None and age > last.late_after:
        return HealthCheck(id_, "warning", f"Reflection is late: the last one ran {ago}.")
    return HealthCheck(id_, "ok", f"The last reflection ran {ago}.")


def _ago(age: timedelta) -> str:
    hours = max(0, round(age.total_seconds() / 3600))
    if hours < 1:
        return "less than an hour ago"
    if hours < 48:
        return "an hour ago" if hours == 1 else f"{hours} hours ago"
    return f"{age.days} days ago"


def _waiting(waiting: tuple[WaitingSuggestion, ...], now: datetime) -> HealthCheck:
    old = [item for item in waiting if now - item.created > WAITS_TOO_LONG]
    if not old:
        return HealthCheck("suggestions", "ok", "No suggestion has waited for long.")
    days = WAITS_TOO_LONG.days
    wait = "suggestion has" if len(old) == 1 else "suggestions have"
    return HealthCheck(
        "suggestions",
        "note",
        f"{len(old)} {wait} waited for an answer for more than {days} days.",
        tuple(dict.fromkeys(item.target for item in sorted(old, key=lambda item: item.created))),
    )


def _unreadable(names: tuple[str, ...]) -> HealthCheck:
    id_ = "suggestion-files"
    if not names:
        return HealthCheck(id_, "ok", "Every suggestion can be read.")
    files = (
        "file among the suggestions cannot"
        if len(names) == 1
        else ("files among the suggestions cannot")
    )
    return HealthCheck(
        id_,
        "warning",
        f"{len(names)} {files} be read. They are left as they are; a newer Daybank may read them.",
        tuple(f".memory/proposals/{name}" for name in names),
    )
