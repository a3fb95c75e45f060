"""Where each item of a timeline is drawn: bars in lanes, marks in stacks, cards, or how many.

All numbers are pixels of the plot, y downwards. No Qt, no state: the widths of words come in.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from enum import Enum

from daybank_desktop.timeline.items import TimelineItem, TimelineItems
from daybank_desktop.timeline.scale import Bucket, Level, Scale, bucket_unit, density

TextWidth = Callable[[str], float]
Rect = tuple[float, float, float, float]

MOST_LANES = 3
TOO_MANY = 0.2  # of the marks without a place of their own: show how many instead
_CARD_DAY = 84.0  # a day so wide has room for cards
_LABEL_SIDE = 9.0
_BESIDE = 6.0
_LONGEST_BESIDE = 220.0
_LEAST_LABEL = 40.0


@dataclass(frozen=True, slots=True)
class Metrics:
    """Heights at text size 100 %; ``scaled`` gives those of another size."""

    height: float = 156.0
    head: float = 27.0
    bar: float = 22.0
    gap: float = 5.0
    mark: float = 11.0
    step: float = 14.0
    axis: float = 22.0
    card: float = 24.0
    tall_card: float = 40.0  # two lines
    arrow: float = 20.0  # the room of an arrow in a bar
    closest: float = 12.0  # marks nearer than that are stacked

    def scaled(self, factor: float) -> Metrics:
        return Metrics(*(getattr(self, field.name) * factor for field in fields(Metrics)))

    @property
    def baseline(self) -> float:
        """Where the line of the axis is."""
        return self.height - self.axis


class Beside(Enum):
    """Where the words of a bar are."""

    INSIDE = "inside"
    RIGHT = "right"
    LEFT = "left"


@dataclass(frozen=True, slots=True)
class Bar:
    """A longer time. ``goes_on_left`` and ``goes_on_right``: it has no end there, or not in
    sight. The words have ``label_width`` from ``label_x`` on."""

    item: TimelineItem
    lane: int
    rect: Rect
    goes_on_left: bool
    goes_on_right: bool
    beside: Beside
    label_x: float
    label_width: float


@dataclass(frozen=True, slots=True)
class Mark:
    """A note at the middle of its day, ``level`` places above the line."""

    item: TimelineItem
    level: int
    x: float
    y: float


@dataclass(frozen=True, slots=True)
class Card:
    """A note in the column of its day, with room for words."""

    item: TimelineItem
    row: int
    rect: Rect


@dataclass(frozen=True, slots=True)
class More:
    """``count`` notes that have no room above ``x``."""

    x: float
    y: float
    count: int


@dataclass(frozen=True, slots=True)
class Column:
    """How many, as a bar on the line."""

    bucket: Bucket
    rect: Rect


@dataclass(frozen=True, slots=True)
class Layout:
    """Everything in sight. Either ``marks``, ``cards`` or ``columns`` is used."""

    scale: Scale
    metrics: Metrics
    bars: tuple[Bar, ...] = ()
    marks: tuple[Mark, ...] = ()
    cards: tuple[Card, ...] = ()
    columns: tuple[Column, ...] = ()
    more: tuple[More, ...] = ()

    def item_at(self, x: float, y: float) -> TimelineItem | None:
        """The item that is drawn at a place, or very near to it."""
        for bar in self.bars:
            if _inside(_with_label(bar), x, y):
                return bar.item
        for card in self.cards:
            if _inside(card.rect, x, y):
                return card.item
        reach = self.metrics.mark / 2 + 3
        near = [m for m in self.marks if abs(m.x - x) <= reach and abs(m.y - y) <= reach]
        best = min(near, key=lambda m: (m.x - x) ** 2 + (m.y - y) ** 2, default=None)
        return best.item if best is not None else None

    def column_at(self, x: float, y: float) -> Column | None:
        """The bar of numbers over a place on the line."""
        top = self.metrics.head
        for column in self.columns:
            left, _, width, _ = column.rect
            if left <= x < left + width + 2 and top <= y <= self.metrics.baseline:
                return column
        return None

    def lanes(self) -> tuple[tuple[tuple[float, TimelineItem], ...], ...]:
        """What the keys ↑ and ↓ move between, the lowest first; each with where it is."""
        rows: dict[int, list[tuple[float, TimelineItem]]] = {}
        for mark in self.marks:
            rows.setdefault(mark.level, []).append((mark.x, mark.item))
        lowest = max((card.row for card in self.cards), default=0)
        for card in self.cards:
            middle = card.rect[0] + card.rect[2] / 2
            rows.setdefault(lowest - card.row, []).append((middle, card.item))
        above = max(rows, default=-1) + 1 + MOST_LANES
        for bar in self.bars:
            middle = bar.rect[0] + bar.rect[2] / 2
            rows.setdefault(above - bar.lane, []).append((middle, bar.item))
        return tuple(tuple(rows[number]) for number in sorted(rows))

    def neighbour(self, id_: str | None, by: int) -> TimelineItem | None:
        """The nearest item one lane higher (``by`` 1) or lower (-1)."""
        lanes = self.lanes()
        for number, lane in enumerate(lanes):
            for x, item in lane:
                if item.id != id_:
                    continue
                there = number + by
                if not 0 <= there < len(lanes):
                    return None
                return min(lanes[there], key=lambda place: abs(place[0] - x))[1]
        return None


def lay_out(items: TimelineItems, scale: Scale, metrics: Metrics, text_width: TextWidth) -> Layout:
    """Place what is in sight. What finds no lane is drawn as a mark at its first day in sight; what
    finds no place in a stack is counted above it."""
    shapes = _shapes(items.spans, scale, metrics, text_width)
    marks = [(item.day, item) for item in items.marks_between(scale.first_day, scale.last_day)]
    if scale.level is not Level.YEARS:
        for lanes in range(MOST_LANES, 0, -1):  # fewer bars make room for the stacks
            bars, loose = _bars(shapes, scale, metrics, lanes)
            some = sorted([*marks, *loose], key=lambda pair: pair[0])
            top = _below(bars, metrics)
            if scale.level is Level.DAYS and scale.per_day >= _CARD_DAY:
                cards, more = _cards(some, scale, metrics, top)
                return Layout(scale, metrics, bars, cards=cards, more=more)
            placed, more, left_out = _stack(some, scale, metrics, top)
            if left_out <= TOO_MANY * len(some):
                return Layout(scale, metrics, bars, marks=placed, more=more)
    bars, loose = _bars(shapes, scale, metrics, MOST_LANES)
    # Without a place of their own, items of no lane are counted with the rest.
    days = sorted([*items.days, *(day for day, _ in loose)]) if loose else items.days
    columns_ = _columns(days, scale, metrics, _below(bars, metrics))
    return Layout(scale, metrics, bars, columns=columns_)


# Bars


def _shapes(
    spans: Sequence[TimelineItem], scale: Scale, metrics: Metrics, text_width: TextWidth
) -> list[Bar]:
    """The bars in sight, those that take most room first, in no lane yet."""
    found: list[tuple[float, float, TimelineItem]] = []
    for item in spans:
        first = item.drawn_from
        last = item.span[1] if item.span is not None else None
        left = scale.x(first) if first is not None else float("-inf")
        right = scale.x(last + 1) if last is not None else float("inf")
        if right > 0 and left < scale.width:
            found.append((left, right, item))
    found.sort(key=lambda one: (max(one[0], 0.0) - min(one[1], scale.width), one[0]))
    return [_shape(left, right, item, scale, metrics, text_width) for left, right, item in found]


def _bars(
    shapes: Sequence[Bar], scale: Scale, metrics: Metrics, lanes: int
) -> tuple[tuple[Bar, ...], list[tuple[int, TimelineItem]]]:
    """Each bar in the first lane where it and its words are free; and those that found none, with
    the day at which they are drawn as a mark."""
    taken: list[list[tuple[float, float]]] = []
    bars: list[Bar] = []
    loose: list[tuple[int, TimelineItem]] = []
    for shape in shapes:
        x0, x1 = _reach(shape)
        lane = next((n for n, used in enumerate(taken) if _is_free(used, x0, x1)), len(taken))
        if lane >= lanes:
            loose.append((_first_in_sight(shape.item, scale), shape.item))
            continue
        if lane == len(taken):
            taken.append([])
        taken[lane].append((x0, x1))
        bars.append(_in_lane(shape, lane, metrics))
    return tuple(bars), loose


def _below(bars: Sequence[Bar], metrics: Metrics) -> float:
    """Where the room under the bars begins."""
    lanes = max((bar.lane for bar in bars), default=-1) + 1
    return metrics.head + lanes * (metrics.bar + metrics.gap)


def _shape(
    left: float,
    right: float,
    item: TimelineItem,
    scale: Scale,
    metrics: Metrics,
    text_width: TextWidth,
) -> Bar:
    x0, x1 = max(0.0, left), min(scale.width, right)
    x1 = max(x1, x0 + 4)  # something to see, however far one looks
    is_open = item.span is not None and item.span[0] is None
    goes_left, goes_right = left < 0 or is_open, right > scale.width
    words = text_width(item.text)
    inner = x0 + (metrics.arrow if goes_left else _LABEL_SIDE)
    room = x1 - (metrics.arrow if goes_right else _LABEL_SIDE) - inner
    rect = (x0, 0.0, x1 - x0, metrics.bar)
    after, before = scale.width - x1 - _BESIDE, x0 - _BESIDE
    wanted = min(words, _LONGEST_BESIDE)
    if words <= room or (goes_left and goes_right) or room >= max(after, before, wanted):
        return Bar(item, 0, rect, goes_left, goes_right, Beside.INSIDE, inner, max(0.0, room))
    if after >= wanted or (after >= before and after >= _LEAST_LABEL):
        at, width = x1 + _BESIDE, min(wanted, after)
        return Bar(item, 0, rect, goes_left, goes_right, Beside.RIGHT, at, width)
    if before >= _LEAST_LABEL:
        width = min(wanted, before)
        at = x0 - _BESIDE - width
        return Bar(item, 0, rect, goes_left, goes_right, Beside.LEFT, at, width)
    return Bar(item, 0, rect, goes_left, goes_right, Beside.INSIDE, inner, max(0.0, room))


def _in_lane(bar: Bar, lane: int, metrics: Metrics) -> Bar:
    x, _, width, height = bar.rect
    rect = (x, metrics.head + lane * (metrics.bar + metrics.gap), width, height)
    return Bar(
        bar.item,
        lane,
        rect,
        bar.goes_on_left,
        bar.goes_on_right,
        bar.beside,
        bar.label_x,
        bar.label_width,
    )


def _reach(bar: Bar) -> tuple[float, float]:
    """From where to where a bar and its words take their lane."""
    left, _, width, _ = bar.rect
    if bar.beside is Beside.RIGHT:
        return left, bar.label_x + bar.label_width + _BESIDE
    if bar.beside is Beside.LEFT:
        return bar.label_x - _BESIDE, left + width
    return left, left + width


def _with_label(bar: Bar) -> Rect:
    x0, x1 = _reach(bar)
    return x0, bar.rect[1], x1 - x0, bar.rect[3]


def _is_free(used: Sequence[tuple[float, float]], x0: float, x1: float) -> bool:
    return all(x1 + 2 <= a or b + 2 <= x0 for a, b in used)


def _first_in_sight(item: TimelineItem, scale: Scale) -> int:
    day = max(item.drawn_from or scale.first_day, scale.first_day)
    end = item.span[1] if item.span is not None else None
    return min(day, end) if end is not None else day


# Marks


def _stack(
    marks: Sequence[tuple[int, TimelineItem]], scale: Scale, metrics: Metrics, top: float
) -> tuple[tuple[Mark, ...], tuple[More, ...], int]:
    """Each mark on the lowest level where the one before it is far enough away."""
    middle = metrics.baseline - metrics.step + metrics.mark / 2 - 3
    levels = max(1, int((metrics.baseline - top) // metrics.step))
    last_x = [float("-inf")] * levels
    placed: list[Mark] = []
    more: list[More] = []
    left_out = 0
    for day, item in marks:
        x = scale.middle(day)
        level = next((n for n in range(levels) if x - last_x[n] >= metrics.closest), None)
        if level is None:
            left_out += 1
            _count_above(more, x, top - 5, 2 * metrics.closest)
            continue
        last_x[level] = x
        placed.append(Mark(item, level, x, middle - level * metrics.step))
    return tuple(placed), tuple(more), left_out


def _count_above(more: list[More], x: float, y: float, room: float) -> None:
    if more and x - more[-1].x < room:
        more[-1] = More(more[-1].x, y, more[-1].count + 1)
    else:
        more.append(More(x, y, 1))


def _cards(
    marks: Sequence[tuple[int, TimelineItem]], scale: Scale, metrics: Metrics, top: float
) -> tuple[tuple[Card, ...], tuple[More, ...]]:
    days: dict[int, list[TimelineItem]] = {}
    for day, item in marks:
        days.setdefault(day, []).append(item)
    most = max((len(items) for items in days.values()), default=0)
    room = metrics.baseline - top
    height = metrics.tall_card if most * (metrics.tall_card + 3) <= room else metrics.card
    rows = max(1, int(room // (height + 3)))
    cards: list[Card] = []
    more: list[More] = []
    for day, items in days.items():
        shown = len(items) if len(items) <= rows else max(1, rows - 1)
        left, right = max(0.0, scale.x(day)) + 3, min(scale.width, scale.x(day + 1)) - 3
        if right - left < _LEAST_LABEL / 2:
            continue
        for row, item in enumerate(items[:shown]):
            y = top + row * (height + 3)
            cards.append(Card(item, row, (left, y, right - left, height)))
        if len(items) > shown:
            y = top + shown * (height + 3) + 4
            more.append(More((left + right) / 2, y, len(items) - shown))
    return tuple(cards), tuple(more)


# How many


def _columns(days: Sequence[int], scale: Scale, metrics: Metrics, top: float) -> tuple[Column, ...]:
    buckets = density(days, bucket_unit(scale), scale.first_day, scale.last_day)
    return columns(buckets, scale, top + 4, metrics.baseline)


def columns(
    buckets: Sequence[Bucket], scale: Scale, top: float, baseline: float
) -> tuple[Column, ...]:
    """Bars that stand on ``baseline``, the highest reaching up to ``top``; nothing for nothing."""
    most = max((bucket.count for bucket in buckets), default=0)
    found = []
    for bucket in buckets:
        if not bucket.count:
            continue
        left, right = scale.x(bucket.first), scale.x(bucket.after)
        height = max(3.0, (baseline - top) * bucket.count / most)
        width = max(2.0, right - left - 2)
        found.append(Column(bucket, (left + 1, baseline - height, width, height)))
    return tuple(found)


def _inside(rect: Rect, x: float, y: float) -> bool:
    left, top, width, height = rect
    return left <= x <= left + width and top <= y <= top + height
