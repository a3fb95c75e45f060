"""What a timeline shows: notes with their day, and those that speak of a longer time.

Made off the GUI thread for thousands of notes; no Qt, no state.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import date

from daybank.dates import Interval
from daybank.recall.results import RecallResult
from daybank_desktop.timeline.scale import Extent, Level


@dataclass(frozen=True, slots=True)
class TimelineItem:
    """A note. ``day`` is an ordinal: the day it was written down, else the first one it speaks of.

    ``span`` is the time of several days, possibly open at one end, that it speaks of and for which
    it is drawn as a bar. What holds “until” a day is known to hold from the day it was written.
    """

    id: str
    kind: str
    text: str
    day: int
    span: tuple[int | None, int | None] | None = None

    @property
    def anchor(self) -> int:
        """The day by which it is in order."""
        if self.span is None:
            return self.day
        start, end = self.span
        if start is not None:
            return start
        assert end is not None
        return self.day if 0 < self.day <= end else end

    @property
    def drawn_from(self) -> int | None:
        """The first day of its bar; None where that has no beginning."""
        if self.span is None or self.span[0] is not None:
            return self.anchor
        return self.day if 0 < self.day <= self.anchor else None


class TimelineItems:
    """All items of a timeline, in order."""

    def __init__(self, items: Iterable[TimelineItem] = ()) -> None:
        self.all = tuple(sorted(items, key=lambda item: item.anchor))
        self.marks = tuple(item for item in self.all if item.span is None)
        self.spans = tuple(item for item in self.all if item.span is not None)
        self.days = [item.day for item in self.marks]
        """The days of ``marks``, one for each."""
        self.anchors = [item.anchor for item in self.all]
        self.kinds = frozenset(item.kind for item in self.all)
        self._place = {item.id: number for number, item in enumerate(self.all)}
        ends = [end for item in self.spans for end in item.span or () if end is not None]
        days = [*self.days, *ends]
        self._first, self._last = min(days, default=None), max(days, default=None)

    def __len__(self) -> int:
        return len(self.all)

    def item(self, id_: str | None) -> TimelineItem | None:
        number = self._place.get(id_ or "")
        return self.all[number] if number is not None else None

    def next(self, id_: str | None, by: int) -> TimelineItem | None:
        """The item ``by`` places later; where nothing is chosen yet, the newest."""
        if not self.all:
            return None
        number = self._place.get(id_ or "")
        if number is None:
            return self.all[-1]
        return self.all[min(max(number + by, 0), len(self.all) - 1)]

    def marks_between(self, first: int, last: int) -> tuple[TimelineItem, ...]:
        """The marks of the days from ``first`` to ``last``."""
        return self.marks[bisect_left(self.days, first) : bisect_right(self.days, last)]

    def last_until(self, day: int) -> TimelineItem | None:
        """The last item up to ``day``."""
        number = bisect_right(self.anchors, day)
        return self.all[number - 1] if number else None

    def first_from(self, day: int, before: int) -> TimelineItem | None:
        """The first item of the days from ``day`` to before ``before``."""
        number = bisect_left(self.anchors, day)
        if number < len(self.all) and self.all[number].anchor < before:
            return self.all[number]
        return None

    def extent(self, today: int) -> Extent:
        """From the first item to the last one, in any case to today, and some months at least."""
        last = today if self._last is None else max(today, self._last)
        first = today if self._first is None else self._first
        return Extent(max(1, min(first, last - Level.MONTHS.value + 1)), last)


def items_of(results: Iterable[RecallResult]) -> TimelineItems:
    """The notes that have a day or speak of one. Of several that speak of the very same days the
    one in the fewest words is drawn as the bar; the others stay at the day they were written."""
    found: dict[str, TimelineItem] = {}
    for result in results:
        item = _item(result)
        if item is not None:
            found.setdefault(item.id, item)
    bars: dict[tuple[int | None, int | None], TimelineItem] = {}
    for item in found.values():
        if item.span is not None:
            best = bars.get(item.span)
            if best is None or len(item.text) < len(best.text):
                bars[item.span] = item
    shown: list[TimelineItem] = []
    for item in found.values():
        if item.span is None or bars[item.span] is item:
            shown.append(item)
        elif item.day:
            shown.append(replace(item, span=None))
    return TimelineItems(item for item in shown if item.day or item.span)


def _item(result: RecallResult) -> TimelineItem | None:
    written = result.day.toordinal() if result.day is not None else 0
    kind = str(result.kind)
    span = _span(result.event) if result.kind.is_fact else None
    if not written and span is None:
        if result.event is None or not result.kind.is_fact:
            return None
        when = result.event.start or result.event.end
        written = when.toordinal() if when is not None else 0
    return TimelineItem(result.id, kind, result.content, written, span)


def _span(event: Interval | None) -> tuple[int | None, int | None] | None:
    """A time of more than one day."""
    if event is None or event.start == event.end:
        return None
    return _ordinal(event.start), _ordinal(event.end)


def _ordinal(day: date | None) -> int | None:
    return day.toordinal() if day is not None else None
