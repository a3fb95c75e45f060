"""Opinions in memory, and a workspace that holds them: for the tests of the opinions page."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import date, timedelta

from fakes import FakeWorkspace

from daybank.errors import DaybankError
from daybank.markdown.model import Source
from daybank.reflect.opinion_list import Ignored, Opinion, OpinionStep

TODAY = date(2026, 11, 28)
RULES = {"start": "first written", "supports": "speaks for it", "weakens": "casts doubt on it"}


def step(
    day: date | None, value: float, delta: float = 0.0, key: str = "start", note: str = ""
) -> OpinionStep:
    source = f"memory/{day}.md#L12" if day is not None and key != "set" else None
    id_ = "f-91c2d0aa11ff" if source else None
    rule = RULES.get(key, "speaks against it" if key == "contradicts" else "set by hand")
    return OpinionStep(day, value, delta, key, rule, note, source, id_)


VOICE = (
    step(date(2026, 3, 12), 0.70, note="Mara answers voice messages first."),
    step(date(2026, 4, 2), 0.73, 0.03, "supports", "A long text stayed unread."),
    step(date(2026, 7, 8), 0.59, -0.14, "contradicts", "Please write it down."),
    step(date(2026, 8, 21), 0.56, -0.03, "weakens", "She wrote back instead."),
    step(date(2026, 9, 10), 0.75, 0.19, "set"),
    step(date(2026, 11, 20), 0.81, 0.06, "supports", "Both answered before breakfast."),
)


def opinion(
    statement: str = "Prefers a short voice message over a long text",
    names: Sequence[str] = ("Mara",),
    steps: Sequence[OpinionStep] = VOICE,
    *,
    id_: str = "op-00000001",
    **more: object,
) -> Opinion:
    return Opinion(
        id_,
        statement,
        tuple(names),
        steps[-1].value,
        Source("bank/opinions.md", 7, 14),
        tuple(steps),
        updated=steps[-1].day,
        **more,  # type: ignore[arg-type]
    )


def bakery_opinions() -> list[Opinion]:
    idle = Ignored(
        "supports",
        date(2026, 5, 19),
        "The same note counts once.",
        "Asked me to talk.",
        "memory/2026-05-19.md#L12",
        "f-0be311cc2044",
    )
    prices = (
        step(date(2026, 6, 8), 0.75, note="He kept the old price."),
        step(date(2026, 11, 9), 0.61, -0.14, "contradicts", "The invoice was higher."),
    )
    early = (step(date(2026, 11, 1), 0.6, note="Jun draws best alone."),)
    return [
        opinion(ignored=(idle,), evidence=("She said so at the fair",)),
        opinion("Keeps his word on prices", ["Tomás"], prices, id_="op-00000002"),
        opinion(
            "Would rather repair the old oven",
            id_="op-00000003",
            steps=prices,
            superseded_by="op-00000001",
        ),
        opinion("Draws best when left alone", ["Jun"], early, id_="op-00000004", on_page=False),
    ]


@dataclass(frozen=True)
class FakeProposal:
    id: str


@dataclass(frozen=True)
class FakeApplied:
    proposal: FakeProposal


@dataclass
class OpinionsWorkspace(FakeWorkspace):
    """Moves change the last step, undo takes that back."""

    held: list[Opinion] = field(default_factory=bakery_opinions)
    read_takes: float = 0.0
    read_error: DaybankError | None = None
    move_error: DaybankError | None = None
    undo_error: DaybankError | None = None
    reads: int = 0
    moves: list[tuple[str, object]] = field(default_factory=list)
    before: dict[str, list[Opinion]] = field(default_factory=dict)

    def opinions(self, about: str | None = None) -> tuple[Opinion, ...]:
        self._seen()
        self.reads += 1
        time.sleep(self.read_takes)
        if self.read_error is not None:
            raise self.read_error
        return tuple(self.held)

    def move_opinion(self, op_id: str, move: object) -> FakeApplied:
        self._seen()
        if self.move_error is not None:
            raise self.move_error
        self.moves.append((op_id, move))
        applied = FakeApplied(FakeProposal(f"p-{len(self.moves)}"))
        self.before[applied.proposal.id] = list(self.held)
        at = next(n for n, o in enumerate(self.held) if o.id == op_id)
        self.held[at] = _moved(self.held[at], move)
        return applied

    def undo(self, pid: str) -> None:
        self._seen()
        if self.undo_error is not None:
            raise self.undo_error
        self.held = self.before.pop(pid)


def _moved(old: Opinion, move: object) -> Opinion:
    if move == "no_longer_true":
        return replace(old, superseded_by="nothing; no longer true since 2026-11-28")
    if isinstance(move, float):
        new = OpinionStep(TODAY, move, move - old.confidence, "set", "set by hand")
    else:
        delta = 0.02 if move == "agree" else -0.14
        key = "supports" if move == "agree" else "contradicts"
        new = OpinionStep(TODAY, old.confidence + delta, delta, key, RULES.get(key, ""))
    return replace(old, confidence=new.value, steps=(*old.steps, new), updated=TODAY)


def many_opinions(count: int) -> list[Opinion]:
    """So many opinions with ten steps each."""
    first = date(2024, 1, 1)
    steps = tuple(
        OpinionStep(
            first + timedelta(days=30 * n),
            0.5 + n / 100,
            0.01,
            "supports" if n else "start",
            "speaks for it",
            "Something was noted.",
        )
        for n in range(10)
    )
    return [
        opinion(
            f"Statement {n} about flour, of a length that needs a second line " * (1 + n % 2),
            [f"Person {n % 40}"],
            steps,
            id_=f"op-{n:08x}",
            on_page=n % 5 != 0,
        )
        for n in range(count)
    ]
