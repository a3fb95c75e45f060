"""What every candidate of a question must meet, and the SQL for it."""

from __future__ import annotations

from dataclasses import dataclass

from daybank.dates import Interval
from daybank.index.schema import FIRST_DAY, LAST_DAY
from daybank.markdown.model import Kind


@dataclass(frozen=True, slots=True)
class Filter:
    """What every candidate must meet. Empty parts do not restrict."""

    window: Interval | None = None
    kinds: tuple[Kind, ...] = ()
    entity_keys: tuple[tuple[str, ...], ...] = ()  # each: any of these keys
    path: str | None = None
    without_keys: tuple[str, ...] = ()  # none of these keys

    @property
    def is_open(self) -> bool:
        restricts = self.window or self.kinds or self.entity_keys or self.path or self.without_keys
        return not restricts


def bounds(window: Interval) -> tuple[int, int]:
    """The first and the last day of ``window``, as ordinals; an open end is the very first or
    last."""
    start = window.start.toordinal() if window.start else FIRST_DAY
    return start, window.end.toordinal() if window.end else LAST_DAY


def restriction(wanted: Filter) -> tuple[str, list[object]]:
    """SQL for ``wanted`` over passage ``p`` (and ``file`` where a path is asked for)."""
    text = ""
    values: list[object] = []
    if wanted.window is not None:
        start, end = bounds(wanted.window)
        text += (
            " AND ((p.event_start IS NOT NULL AND p.event_start <= ? AND p.event_end >= ?)"
            " OR (p.day >= ? AND p.day <= ?))"
        )
        values += [end, start, start, end]
    if wanted.kinds:
        text += f" AND p.kind IN ({','.join('?' * len(wanted.kinds))})"
        values += [str(kind) for kind in wanted.kinds]
    for keys in wanted.entity_keys:
        marks = ",".join("?" * len(keys))
        text += f" AND p.id IN (SELECT passage_id FROM mention WHERE key IN ({marks}))"
        values += keys
    if wanted.without_keys:
        marks = ",".join("?" * len(wanted.without_keys))
        text += f" AND p.id NOT IN (SELECT passage_id FROM mention WHERE key IN ({marks}))"
        values += wanted.without_keys
    if wanted.path is not None:
        text += " AND file.path = ?"
        values.append(wanted.path)
    return text, values
