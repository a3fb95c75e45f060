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
from daybank.index.meaning import Nearness
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
HYBRID_NEIGHBOUR_WEIGHTS = ((1, 0.20), (2, 0.10))
ENTITY_WEIGHT = 0.4
OPINION_WEIGHT = 0.15
FREE_OF_A_DAY = 4
SAME_DAY_DISCOUNT = 0.15
"""In a window of time, how much less each result of one day counts after its first few."""

WORDS_SHARE = 0.6
OWN_SHARE = 0.3
WINDOW_SHARE = 0.3
"""With vectors: what words, the passage's own meaning, and its meaning among its neighbours
count. Scores are added, not ranks, since an arm that is sure must count more than one that is not."""

MEANING_FLOOR = 0.0
LEAST_MEANING = 0.25
"""The least cosine at which a passage that says none of the words is shown for its meaning."""

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
    meaning: bool = False


@dataclass(slots=True)
class _Item:
    """A candidate while it is scored."""

    candidate: Candidate
    words: float
    matched: tuple[int, ...]
    score: float = 0.0
    received: float = 0.0
    near: bool = False


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
        self._nearest: tuple[float, float] | None = None

    def rank(
        self,
        candidates: Sequence[Candidate],
        neighbours: Callable[[Sequence[int]], Sequence[Candidate]] | None,
        nearness: Callable[[Sequence[int]], Mapping[int, Nearness]] | None = None,
    ) -> list[Scored]:
        """The candidates, best first. ``neighbours`` loads passages by id for the lines around
        the best ones; without it, only what matches by itself is ranked. ``nearness`` tells how
        near passages are to the question in meaning; without it, words alone count."""
        items = {c.id: _Item(c, *self._own(c)) for c in candidates}
        self._score(items, items, nearness)
        if neighbours is not None:
            strongest = sorted(items.values(), key=lambda item: -item.score)[:SPREAD_FROM]
            reach = {
                item.candidate.id + step * side
                for item in strongest
                if item.score > 0
                for step, _ in NEIGHBOUR_WEIGHTS
                for side in (1, -1)
            }
            added = {c.id: _Item(c, *self._own(c)) for c in neighbours(sorted(reach - items.keys()))}
            self._score(added, {**items, **added}, nearness)
            items.update(added)
            _spread(strongest, items, hybrid=nearness is not None)
        scored = []
        for item in items.values():
            candidate = item.candidate
            named = self._named(candidate)
            total = item.score + item.received + ENTITY_WEIGHT * len(named)
            if self._asks_opinion and candidate.kind == Kind.OPINION and (item.matched or named):
                total += OPINION_WEIGHT
            scored.append(
                Scored(candidate, total, item.matched, named, item.received > 0, item.near)
            )
        scored.sort(key=_order)
        return scored

    def _score(
        self,
        items: Mapping[int, _Item],
        everything: Mapping[int, _Item],
        nearness: Callable[[Sequence[int]], Mapping[int, Nearness]] | None,
    ) -> None:
        """Give each of ``items`` its score: its share of the best by words, and its meaning."""
        best = max((item.words for item in everything.values()), default=0.0) or 1.0
        if nearness is None:
            for item in items.values():
                item.score = item.words / best
            return
        near = nearness(list(items))
        if self._nearest is None:
            self._nearest = (
                max((n.own for n in near.values()), default=1.0),
                max((n.window for n in near.values()), default=1.0),
            )
        top_own, top_window = self._nearest
        for id_, item in items.items():
            item.score = WORDS_SHARE * item.words / best
            cosines = near.get(id_)
            if cosines is not None:
                item.score += OWN_SHARE * _unit(cosines.own, top_own)
                item.score += WINDOW_SHARE * _unit(cosines.window, top_window)
                item.near = max(cosines.own, cosines.window) >= LEAST_MEANING

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

    def _named(self, candidate: Candidate) -> tuple[str, ...]:
        if not self._entities or not candidate.names:
            return ()
        keys = {entity_key(name): name for name in candidate.names.split(SEPARATOR)}
        return tuple(
            next(keys[key] for key in keys if key in wanted)
            for wanted in self._entities
            if not wanted.isdisjoint(keys)
        )


def _spread(strongest: Sequence[_Item], items: Mapping[int, _Item], *, hybrid: bool) -> None:
    """Let each passage receive something of what the lines around it in its file have."""
    weights = HYBRID_NEIGHBOUR_WEIGHTS if hybrid else NEIGHBOUR_WEIGHTS
    for item in strongest:
        candidate = item.candidate
        for step, weight in weights:
            for side in (1, -1):
                near = items.get(candidate.id + step * side)
                if near is not None and near.candidate.file_id == candidate.file_id:
                    near.received += weight * item.score


def _unit(cosine: float, top: float) -> float:
    """A cosine between the floor and the best one, on a scale from 0 to 1."""
    return max(0.0, (cosine - MEANING_FLOOR) / max(top - MEANING_FLOOR, 1e-6))


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
