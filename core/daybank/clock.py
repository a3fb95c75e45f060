"""The one answer to "what time is it, and which day".

Everything that needs now or today takes a clock; nothing else asks the system. A day is always the
person's calendar day, never UTC's.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime, tzinfo
from typing import Protocol


class Clock(Protocol):
    """Where now and today come from."""

    def now(self) -> datetime:
        """The current moment, always with a zone."""
        ...

    def today(self) -> date:
        """The person's calendar day."""
        ...


@dataclass(frozen=True)
class SystemClock:
    """The machine's clock in ``zone``, or in the system's own zone when none is given."""

    zone: tzinfo | None = None

    def now(self) -> datetime:
        return datetime.now(self.zone) if self.zone else datetime.now().astimezone()

    def today(self) -> date:
        return self.now().date()


@dataclass(frozen=True)
class FixedClock:
    """A clock that stands still, for tests and for replays."""

    moment: datetime

    def now(self) -> datetime:
        return self.moment

    def today(self) -> date:
        return self.moment.date()
