"""How sure an opinion is, as a pure function of its dated evidence.

Nothing is remembered between runs: the same lines give the same curve, and taking a line away
takes its step away. The rules, with ``c`` in [0.02, 0.98] and ``w`` the strength of a stance:

    start        c = the author's value, 0.70 where none is given
    supports     c += 0.10 (0.98 − c) w
    weakens      c −= 0.10 (c − 0.02) w
    contradicts  c −= 0.20 (c − 0.02) w, doubled from the third on different days with no support
                 between them
    restated     c += 0.25 (v − c), at most 0.15 either way; v is the author's new value
    set          c = the value, from that day on

At most one step a source file and day, and at most one of a kind a day. No single fact moves ``c``
across 0.5: the step stops there, until the same is said on a second day.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from daybank.markdown.opinions import EvidenceLine, Key

LEAST, MOST = 0.02, 0.98
START = 0.70
MIDDLE = 0.5
SUPPORT_RATE = 0.10
WEAKEN_RATE = 0.10
CONTRADICT_RATE = 0.20
RESTATE_RATE = 0.25
RESTATE_MOST = 0.15
DOUBLE_FROM = 3
CROSS_FROM = 2
"""Contradictions (or supports) on so many different days may cross the middle."""

_STEPS = (Key.SUPPORTS, Key.WEAKENS, Key.CONTRADICTS, Key.RESTATED)


@dataclass(frozen=True, slots=True)
class Step:
    """One move of the curve: on ``day`` (None where no day is known) the confidence became
    ``value``, by ``delta``, because of ``cause`` (a line of evidence; None for an undated start).
    ``rule`` says in words which rule moved it that far."""

    day: date | None
    value: float
    delta: float
    key: Key
    rule: str
    cause: EvidenceLine | None = None


@dataclass(frozen=True, slots=True)
class Ignored:
    """A line of evidence that moves nothing, and why."""

    cause: EvidenceLine
    reason: str


@dataclass(frozen=True, slots=True)
class Replay:
    """The curve of an opinion, first step first, and what did not move it."""

    steps: tuple[Step, ...]
    ignored: tuple[Ignored, ...]

    @property
    def confidence(self) -> float:
        """Where the curve ends."""
        return self.steps[-1].value

    @property
    def day(self) -> date | None:
        """The day of the last step."""
        return self.steps[-1].day

    @property
    def has_flipped(self) -> bool:
        """Whether contradictions have taken it from likely to unlikely since it was last set."""
        since = [step for step in self.steps if step.key in (Key.START, Key.SET)][-1]
        last_contradiction = [s for s in self.steps if s.key is Key.CONTRADICTS]
        return since.value >= MIDDLE > self.confidence and bool(last_contradiction)


def replay(evidence: Sequence[EvidenceLine], stated: float | None = None) -> Replay:
    """Play the dated lines in order of their days.

    ``stated`` is the number that the opinion's own line shows; it is the start where no ``start``
    and no ``set`` line gives one. Lines of one day keep their order on the page. Lines without a
    day move nothing.
    """
    curve = _Curve()
    lines = [line for line in evidence if line.key in (Key.START, Key.SET, *_STEPS)]
    undated = [line for line in lines if line.day is None and line.key is not Key.START]
    curve.ignored += [Ignored(line, "It has no day.") for line in undated]
    dated = sorted((line for line in lines if line not in undated), key=_when)
    starts = [line for line in dated if line.key is Key.START]
    if starts:
        curve.start(starts[0])
    elif not dated or dated[0].key is not Key.SET or dated[0].value is None:
        curve.begin(stated)
    for line in dated:
        if starts and line is starts[0]:
            continue
        if line.key is Key.START:
            curve.ignored.append(Ignored(line, "An opinion starts only once."))
        elif line.key is Key.SET:
            curve.set_by_hand(line)
        else:
            curve.step(line)
    if not curve.steps:
        curve.begin(stated)
    return Replay(tuple(curve.steps), tuple(curve.ignored))


def differs(one: float, other: float) -> bool:
    """Whether two confidences read differently on a page, where they have two digits."""
    return round(one + 1e-9, 2) != round(other + 1e-9, 2)


def _when(line: EvidenceLine) -> tuple[date, bool, int]:
    """By day; on its day a start comes first, then the order of the page. What is not written yet
    (line 0) will stand behind what is."""
    return (line.day or date.min, line.key is not Key.START, line.line or sys.maxsize)


class _Curve:
    """The replay while it runs."""

    def __init__(self) -> None:
        self.steps: list[Step] = []
        self.ignored: list[Ignored] = []
        self._used: set[tuple[str, date]] = set()
        self._kinds: set[tuple[Key, date]] = set()
        self._seen: set[str] = set()
        self._against: set[date] = set()  # days of contradictions since the last support
        self._for: set[date] = set()  # days of supports since the last contradiction
        self._side = 0  # of the middle: where the curve came from when it stopped there

    @property
    def value(self) -> float:
        return self.steps[-1].value

    def begin(self, stated: float | None) -> None:
        """Start without a line that says when."""
        if stated is None:
            self.steps.append(Step(None, START, 0.0, Key.START, "first written, no number given"))
        else:
            self.steps.append(Step(None, _within(stated), 0.0, Key.START, "as the page says"))

    def start(self, line: EvidenceLine) -> None:
        if line.value is None:
            value, rule = START, "first written, no number given"
        else:
            value, rule = _within(line.value), "first written"
        self.steps.append(Step(line.day, value, 0.0, Key.START, rule, line))
        self._note(line)

    def set_by_hand(self, line: EvidenceLine) -> None:
        if line.value is None:
            self.ignored.append(Ignored(line, "It gives no number."))
            return
        value = _within(line.value)
        before = self.steps[-1].value if self.steps else value
        self.steps.append(Step(line.day, value, value - before, Key.SET, "set by hand", line))
        self._against.clear()
        self._for.clear()
        self._side = 0

    def step(self, line: EvidenceLine) -> None:
        assert line.day is not None
        if reason := self._repeated(line):
            self.ignored.append(Ignored(line, reason))
            return
        if line.key is Key.RESTATED and line.value is None:
            self.ignored.append(Ignored(line, "It gives no number."))
            return
        self._note(line)
        if not self.steps:
            self.begin(None)
        value, rule = self._moved(line)
        value = round(_within(value), 9)
        self.steps.append(Step(line.day, value, value - self.value, line.key, rule, line))

    def _repeated(self, line: EvidenceLine) -> str | None:
        assert line.day is not None
        if line.id is not None and line.id in self._seen:
            return "The same note counts once."
        if (line.file, line.day) in self._used:
            return "One page moves it once a day."
        if (line.key, line.day) in self._kinds:
            return "The same is counted once a day."
        return None

    def _note(self, line: EvidenceLine) -> None:
        if line.id is not None:
            self._seen.add(line.id)
        if line.day is not None:
            if line.file:
                self._used.add((line.file, line.day))
            self._kinds.add((line.key, line.day))

    def _moved(self, line: EvidenceLine) -> tuple[float, str]:
        c, w = self.value, line.weight
        assert line.day is not None
        if line.key is Key.RESTATED:
            assert line.value is not None
            step = RESTATE_RATE * (_within(line.value) - c)
            capped = max(-RESTATE_MOST, min(RESTATE_MOST, step))
            return c + capped, "said again with a number of its own"
        if line.key is Key.SUPPORTS:
            self._against.clear()
            self._for.add(line.day)
            to = c + SUPPORT_RATE * (MOST - c) * w
            return self._stopped(c, to, len(self._for), "speaks for it")
        if line.key is Key.WEAKENS:
            to = c - WEAKEN_RATE * (c - LEAST) * w
            return self._stopped(c, to, 0, "casts doubt on it")
        self._for.clear()
        self._against.add(line.day)
        days = len(self._against)
        rate, rule = CONTRADICT_RATE, "speaks against it"
        if days >= DOUBLE_FROM:
            rate *= 2
            rule = f"speaks against it, on day {days} with nothing for it between: counts double"
        return self._stopped(c, c - rate * (c - LEAST) * w, days, rule)

    def _stopped(self, c: float, to: float, days: int, rule: str) -> tuple[float, str]:
        """Where a step ends: at the middle, if it would cross it and may not yet."""
        side = (c > MIDDLE) - (c < MIDDLE) or self._side
        crosses = (to < MIDDLE) if side > 0 else (to > MIDDLE and side < 0)
        if not crosses or days >= CROSS_FROM:
            return to, rule
        self._side = side
        return MIDDLE, f"{rule}; one note alone does not cross 50 %"


def _within(value: float) -> float:
    return min(MOST, max(LEAST, value))
