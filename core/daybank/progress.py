"""How long work tells of itself and is stopped. Callbacks run on the worker's own thread."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from daybank.errors import Cancelled


@dataclass(frozen=True, slots=True)
class Progress:
    """``done`` of ``total`` files; ``stage`` is ``scan``, ``read`` or ``finish``.

    ``total`` is 0 while it is not known yet.
    """

    stage: str
    done: int
    total: int
    path: str = ""


OnProgress = Callable[[Progress], None]


class CancelToken(Protocol):
    """Anything with ``is_set()``; a ``threading.Event`` will do."""

    def is_set(self) -> bool: ...


def check_cancel(cancel: CancelToken | None) -> None:
    """Raise Cancelled when the caller asked to stop."""
    if cancel is not None and cancel.is_set():
        raise Cancelled
