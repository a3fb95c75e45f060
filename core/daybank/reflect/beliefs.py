"""The opinions that one reflection works on: those of the page, and those about to be written.

A belief holds the evidence as it will stand, and what of it is new, gone or set by hand; nothing
here judges a fact, and nothing here is written.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date

from daybank.dates import Interval, describe
from daybank.index.store import StoredPassage
from daybank.markdown.names import entity_key, fold_text
from daybank.markdown.opinions import EvidenceLine, Key, OpinionEntry, OpinionsPage
from daybank.recall.names import KnownNames
from daybank.reflect.confidence import START, Replay, differs, replay
from daybank.reflect.opinion_edits import opinion_id
from daybank.reflect.refusals import Refused, set_token

STANCED = (Key.START, Key.SUPPORTS, Key.WEAKENS, Key.CONTRADICTS, Key.RESTATED)
"""Lines that cite a note."""
_GROUNDS = (Key.START, Key.SUPPORTS, Key.RESTATED, Key.SET, Key.EVIDENCE)
"""Lines that an opinion can rest on."""


@dataclass
class Added:
    """Evidence that an opinion is to gain, the note behind it, and why."""

    line: EvidenceLine
    fact: StoredPassage
    why: str


@dataclass
class Belief:
    """An opinion while the run works on it. ``keys`` are the people and things it is about;
    ``stated`` is where its curve starts if no line says so; ``dropped`` the lines of its page that
    have lost their note."""

    statement: str
    names: tuple[str, ...]
    keys: frozenset[str]
    evidence: list[EvidenceLine]
    entry: OpinionEntry | None = None
    stated: float | None = None
    started_by: StoredPassage | None = None
    added: list[Added] = field(default_factory=list)
    dropped: list[EvidenceLine] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    @property
    def op_id(self) -> str:
        written = self.entry.op_id if self.entry is not None else None
        return written or opinion_id(self.statement, self.names)

    @property
    def topic(self) -> str:
        """What a person who never wants to be asked about it says no to."""
        return f"opinion:{self.op_id}"

    @property
    def first_day(self) -> date | None:
        """Since when it is held; for a bare number, when somebody last looked at it."""
        days = [line.day for line in self.evidence if line.day is not None]
        looked = self.entry.passage.day if self.entry is not None else None
        return min(days, default=looked)

    @property
    def has_ground(self) -> bool:
        """Whether anything is left that it rests on."""
        return any(line.key in _GROUNDS for line in self.evidence)

    @property
    def has_start(self) -> bool:
        return any(line.key in (Key.START, Key.SET) for line in self.evidence)

    def curve(self) -> Replay:
        return replay(self.evidence, self.stated)

    def cites(self, uid: str) -> bool:
        return any(line.id == uid for line in self.evidence)

    def gain(self, line: EvidenceLine, fact: StoredPassage, why: str) -> None:
        """Take evidence in. Before its first, an opinion that says only a number gets a start."""
        if not self.has_start:
            self.evidence.insert(0, self._start(line))
        self.evidence.append(line)
        self.added.append(Added(line, fact, why))

    def _start(self, first: EvidenceLine) -> EvidenceLine:
        looked = self.entry.passage.day if self.entry is not None else None
        days = (looked, first.day, *(line.day for line in self.evidence if line.key in STANCED))
        day = min((d for d in days if d is not None), default=None)
        return EvidenceLine(0, Key.START, "", day, START if self.stated is None else self.stated)

    def lose(self, line: EvidenceLine) -> None:
        """Let go of a line of evidence."""
        self.evidence.remove(line)
        self.dropped.append(line)


class Beliefs:
    """All opinions of one run, and those that are about a person or thing. Those in ``past`` were
    superseded: no new note moves them, but their evidence goes with its notes like any other."""

    def __init__(self, page: OpinionsPage, names: KnownNames) -> None:
        self._names = names
        self._by_key: dict[str, list[Belief]] = {}
        self._about_nobody: list[Belief] = []
        self._superseded: set[tuple[str, frozenset[str]]] = set()
        self.new: list[Belief] = []
        self.live: list[Belief] = []
        self.past: list[Belief] = []
        self.cited = {
            line.id for entry in page.entries for line in entry.evidence if line.id is not None
        }
        seen: set[tuple[str, frozenset[str]]] = set()
        for entry in page.entries:
            belief = self._on_page(entry)
            said = _said(belief.statement, belief.keys)
            if entry.superseded_by:
                self._superseded.add(said)
                self.past.append(belief)
            elif said not in seen:  # written down twice, it moves once
                seen.add(said)
                self._keep(belief)

    def keys(self, names: Iterable[str]) -> frozenset[str]:
        """The people and things meant, each by the one key that all its names share."""
        return keys_of(self._names, names)

    def about(self, keys: frozenset[str]) -> Iterator[Belief]:
        """The live opinions about any of these, each once; without any, those about nobody."""
        if not keys:
            yield from list(self._about_nobody)
            return
        done: set[int] = set()
        for key in sorted(keys):
            for belief in list(self._by_key.get(key, ())):
                if id(belief) not in done:
                    done.add(id(belief))
                    yield belief

    def begin(self, belief: Belief) -> None:
        """Take in an opinion that is on no page yet."""
        self.new.append(belief)
        self._keep(belief)

    def was_superseded(self, statement: str, keys: frozenset[str]) -> bool:
        """Whether the page holds this opinion as one that another has taken the place of."""
        return _said(statement, keys) in self._superseded

    def mind_changes_by_hand(
        self,
        today: date,
        refused: Refused,
        asked: Mapping[tuple[str, str], date],
    ) -> None:
        """A number that the evidence does not give was set by a person: the page gets to say so,
        from today, or from the day on which that was first ``asked``."""
        for belief in self.live:
            entry = belief.entry
            if entry is None or entry.confidence is None or not belief.has_start:
                continue
            if not differs(belief.curve().confidence, entry.confidence):
                continue
            token = set_token(entry.confidence)
            if (belief.topic, token) in refused:
                continue
            day = asked.get((belief.topic, token), today)
            belief.evidence.append(EvidenceLine(0, Key.SET, "", day, entry.confidence))
            belief.notes.append(
                f"The page says {percent(entry.confidence)}, and its evidence does not: somebody"
                " has set it by hand, and from now on it counts as that"
            )

    def _on_page(self, entry: OpinionEntry) -> Belief:
        belief = Belief(
            entry.statement, entry.names, self.keys(entry.names), list(entry.evidence), entry
        )
        if not belief.has_start:
            belief.stated = entry.confidence if entry.confidence is not None else START
        return belief

    def _keep(self, belief: Belief) -> None:
        self.live.append(belief)
        for key in belief.keys:
            self._by_key.setdefault(key, []).append(belief)
        if not belief.keys:
            self._about_nobody.append(belief)


def keys_of(known: KnownNames, names: Iterable[str]) -> frozenset[str]:
    """The keys of people and things, each by the one that all its names share."""
    found = set()
    for name in names:
        entity = known.find(name)
        found.add(entity.key if entity is not None else entity_key(name))
    return frozenset(found)


def percent(value: float) -> str:
    return f"{round(value * 100)} %"


def day_in_words(day: date | None) -> str:
    return describe(Interval.day(day)) if day is not None else "an unknown day"


def _said(statement: str, keys: frozenset[str]) -> tuple[str, frozenset[str]]:
    return fold_text(statement).rstrip(".!… "), keys
