"""Scores for candidates, each part of which a person can be told about.

A passage's own score is BM25 (Robertson & Zaragoza 2009) over the words asked for, with the
surface form above the stem and headings counting a little. To that come what the lines around it
say and whether it mentions the people named. Recency orders equals and hides nothing.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from daybank.index.match import Group
from daybank.index.schema import SEPARATOR
from daybank.index.store import Candidate
from daybank.markdown.model import Kind
from daybank.markdown.names import entity_key

K1 = 1.2
B = 0.35
AVERAGE_LENGTH = 20
"""Terms in a usual passage. A constant, so that a score never depends on other notes' lengths."""

LONGEST_COUNTED = 200
"""Terms beyond which a passage counts as no longer: a rare word in a very long note is still what
was looked for."""

EXACT_BONUS = 0.15
PREFIX_WEIGHT = 0.6
CONTEXT_WEIGHT = 0.3
NEIGHBOUR_WEIGHTS = ((1, 0.30), (2, 0.12))
ENTITY_WEIGHT = 0.4
OPINION_WEIGHT = 0.15
FREE_OF_A_DAY = 4
SAME_DAY_DISCOUNT = 0.15
"""In a window of time, how much less each result of one day counts after its first few."""

SPREAD_FROM = 40
LEAST_SHARE = 0.1
"""Results below this share of the best score are noise and not shown."""


@dataclass(frozen=True, slots=True)
class Scored:
    """A candidate with its score and the reasons for it, as positions in the list of groups."""

    candidate: Candidate
    score: float
    matched: tuple[int, ...]
    entities: tuple[str, ...]
    context: bool


class Ranker:
    """Scores candidates for one question. ``frequency`` maps a group's position to the number of
    passages that have it; ``passages`` is how many there are."""

    def __init__(
        self,
        groups: Sequence[Group],
        frequency: Mapping[int, int],
        passages: int,
        entity_keys: Sequence[tuple[str, ...]],
        *,
        asks_opinion: bool = False,
    ) -> None:
        self._groups = groups
        self._asks_opinion = asks_opinion
        self._idf = [
            math.log(1 + (passages - min(df, passages) + 0.5) / (df + 0.5))
            for df in (frequency[i] for i in range(len(groups)))
        ]
        self._entities = [frozenset(keys) for keys in entity_keys]
        self._patterns = [_patterns(group) for group in groups]

    def rank(
        self,
        candidates: Sequence[Candidate],
        neighbours: Callable[[Sequence[int]], Sequence[Candidate]] | None,
    ) -> list[Scored]:
        """The candidates, best first. ``neighbours`` loads passages by id for the lines around
        the best ones; without it, only what matches by itself is ranked."""
        own: dict[int, tuple[Candidate, float, tuple[int, ...]]] = {}
        for candidate in candidates:
            score, matched = self._own(candidate)
            own[candidate.id] = (candidate, score, matched)
        received: dict[int, float] = {}
        if neighbours is not None:
            received = self._spread(own, neighbours)
        best = max((score for _, score, _ in own.values()), default=0.0) or 1.0
        scored = []
        for id_, (candidate, score, matched) in own.items():
            around = received.get(id_, 0.0)
            named = self._named(candidate)
            total = (score + around) / best + ENTITY_WEIGHT * len(named)
            if not matched and not around:
                total = ENTITY_WEIGHT * len(named)
            if self._asks_opinion and candidate.kind == Kind.OPINION and (matched or named):
                total += OPINION_WEIGHT
            scored.append(Scored(candidate, total, matched, named, around > 0))
        scored.sort(key=_order)
        return scored

    def _own(self, candidate: Candidate) -> tuple[float, tuple[int, ...]]:
        words = f" {candidate.words} "
        stems = f" {candidate.stems} "
        context = f" {candidate.context} "
        length = min(words.count(" "), LONGEST_COUNTED)
        saturation = K1 * (1 - B + B * length / AVERAGE_LENGTH)
        score = 0.0
        matched: list[int] = []
        for index, (exact, stemmed, start) in enumerate(self._patterns):
            tf = 0.0
            for stem in stemmed:
                if stem in stems:
                    tf = max(tf, stems.count(stem))
            if exact in words:
                tf = max(tf, words.count(exact)) + EXACT_BONUS
            elif not tf and start and start in words:
                tf = PREFIX_WEIGHT
            if tf:
                matched.append(index)
            for stem in stemmed:
                if stem in context:
                    tf += CONTEXT_WEIGHT
                    break
            if tf:
                score += self._idf[index] * tf * (K1 + 1) / (tf + saturation)
        return score, tuple(matched)

    def _spread(
        self,
        own: dict[int, tuple[Candidate, float, tuple[int, ...]]],
        load: Callable[[Sequence[int]], Sequence[Candidate]],
    ) -> dict[int, float]:
        """What each passage receives from the lines around it in its file."""
        strongest = sorted(own.values(), key=lambda item: -item[1])[:SPREAD_FROM]
        reach = {
            candidate.id + step * side
            for candidate, score, _ in strongest
            if score > 0
            for step, _ in NEIGHBOUR_WEIGHTS
            for side in (1, -1)
        }
        for candidate in load(sorted(reach - own.keys())):
            score, matched = self._own(candidate)
            own[candidate.id] = (candidate, score, matched)
        received: dict[int, float] = {}
        for candidate, score, _ in strongest:
            for step, weight in NEIGHBOUR_WEIGHTS:
                for side in (1, -1):
                    near = own.get(candidate.id + step * side)
                    if near is not None and near[0].file_id == candidate.file_id:
                        received[near[0].id] = received.get(near[0].id, 0.0) + weight * score
        return received

    def _named(self, candidate: Candidate) -> tuple[str, ...]:
        if not self._entities or not candidate.names:
            return ()
        keys = {entity_key(name): name for name in candidate.names.split(SEPARATOR)}
        return tuple(
            next(keys[key] for key in keys if key in wanted)
            for wanted in self._entities
            if not wanted.isdisjoint(keys)
        )


def spread_over_days(scored: Sequence[Scored]) -> list[Scored]:
    """The same results, best first, where each further one of a day gives way a little, so that a
    question about a week is not answered by one busy day."""
    seen: dict[int, int] = {}
    out = []
    for item in scored:
        day = item.candidate.day or 0
        before = seen.get(day, 0)
        seen[day] = before + 1
        more = max(0, before + 1 - FREE_OF_A_DAY)
        out.append(replace(item, score=item.score / (1 + SAME_DAY_DISCOUNT * more)))
    return sorted(out, key=lambda item: -item.score)


def _order(item: Scored) -> tuple[float, int, str, int]:
    """Best first; equals newest first, then by file and line: never by order of indexing."""
    candidate = item.candidate
    return (-round(item.score, 9), -(candidate.day or 0), candidate.path, candidate.line_start)


def _patterns(group: Group) -> tuple[str, tuple[str, ...], str]:
    """What to count in the padded strings: the surface form, the stems, the beginning."""
    surface = " ".join(group.words)
    stemmed = () if group.exact else tuple(f" {' '.join(s)} " for s in group.stems)
    return f" {surface} ", stemmed, f" {surface}" if group.prefix else ""
