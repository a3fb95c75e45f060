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

WORDS_SHARE = 0.3
AROUND_SHARE = 0.3
FILE_SHARE = 0.1
OWN_MEANING_SHARE = 0.2
WINDOW_MEANING_SHARE = 0.4
DAY_SHARE = 0.4
"""What counts for how much: the words of the passage itself; of it and the lines beside it; of its
whole file; its meaning by itself, and together with the lines beside it; and how well the best of
its file do. Each is a share of the best in its kind. Scores are added, not ranks: an arm that is
sure must count more than one that is not. Chosen on three conversations of LoCoMo, checked on two
others (``docs/benchmarks.md``)."""

MEANING_FLOOR = 0.15
"""Cosines up to this say nothing."""
LEAST_MEANING, LEAST_WINDOW_MEANING = 0.25, 0.35
"""The least cosines, by itself or with the lines beside it, at which a passage that says none of
the words is shown for its meaning. What lies below has only the same language in common."""

ENTITY_WEIGHT = 0.5
OPINION_WEIGHT = 0.15
CURATED_WEIGHT = 0.3
"""What an opinion gains, in a question about a belief, and what it gains more on a page in
``bank/``, where it says how sure it is today."""
FREE_OF_A_DAY = 4
SAME_DAY_DISCOUNT = 0.15
"""In a window of time, how much less each result of one day counts after its first few."""

REACH_FROM = 60
REACH_BY_MEANING = 40
"""The best so many passages bring in the lines beside them; fewer where there is meaning, which
looks at a passage together with those lines and finds them itself."""
DAY_FROM = 60
BEST_OF_DAY = 3
"""A file is judged by its best passages among the best of all."""

CHECK_EVERY = 200
"""Candidates scored between two looks at whether the answer is still wanted."""

LEAST_SHARE = 0.3
"""Results below this share of the best score are noise and not shown."""


@dataclass(frozen=True, slots=True)
class Scored:
    """A candidate with its score and the reasons for it, as positions in the list of groups.
    ``outside``: it is not of the time asked for."""

    candidate: Candidate
    score: float
    matched: tuple[int, ...]
    entities: tuple[str, ...]
    context: bool
    meaning: bool = False
    outside: bool = False


@dataclass(slots=True)
class _Item:
    """A candidate while it is scored; ``parts`` is what each group adds to its BM25, ``words``."""

    candidate: Candidate
    parts: tuple[float, ...]
    matched: tuple[int, ...]
    words: float
    around: float = 0.0
    score: float = 0.0
    near: bool = False


class Ranker:
    """Scores candidates for one question. ``frequency`` maps a group's position to the number of
    passages that have it; ``passages`` is how many there are; ``check`` is called now and then and
    may raise to end it."""

    def __init__(
        self,
        groups: Sequence[Group],
        frequency: Mapping[int, int],
        passages: int,
        entity_keys: Sequence[tuple[str, ...]],
        *,
        asks_opinion: bool = False,
        check: Callable[[], None] = lambda: None,
    ) -> None:
        self._groups = groups
        self._check = check
        self._asks_opinion = asks_opinion
        self._idf = [
            math.log(1 + (passages - min(df, passages) + 0.5) / (df + 0.5))
            for df in (frequency[i] for i in range(len(groups)))
        ]
        self._entities = [frozenset(keys) for keys in entity_keys]
        self._patterns = [_patterns(group) for group in groups]
        self._found: dict[int, _Item] = {}

    def add(self, candidates: Sequence[Candidate]) -> None:
        """Take in candidates and see what they say."""
        for number, candidate in enumerate(candidates):
            if number % CHECK_EVERY == 0:
                self._check()
            parts, matched = self._own(candidate)
            self._found[candidate.id] = _Item(candidate, parts, matched, sum(parts))

    def rank(
        self,
        neighbours: Callable[[Sequence[int]], Sequence[Candidate]] | None = None,
        nearness: Callable[[Sequence[Candidate]], Mapping[int, Nearness]] | None = None,
    ) -> list[Scored]:
        """The candidates, best first. ``neighbours`` loads passages by id for the lines around
        the best ones; without it, only what matches by itself is ranked. ``nearness`` tells how
        near passages are to the question in meaning; without it, words alone count."""
        # In an order of their own: of equals, only some are looked beside or count for their day.
        candidates = sorted((item.candidate for item in self._found.values()), key=_place)
        items = self._found = {c.id: self._found[c.id] for c in candidates}
        near = dict(nearness(candidates)) if nearness is not None else {}
        if neighbours is not None:
            reach = _beside(_strongest(items, near), items)
            # The rows beside a file's first and last line are another file's.
            own = [c for c in neighbours(sorted(reach)) if c.file_id in reach[c.id]]
            added = sorted(own, key=_place)
            self.add(added)
            if nearness is not None and added:
                near.update(nearness(added))
        self._add_words(items)
        _add_meaning(items, near)
        _add_days(items)
        scored = []
        for item in items.values():
            candidate = item.candidate
            named = self._named(candidate)
            total = item.score + ENTITY_WEIGHT * len(named)
            if self._asks_opinion and candidate.kind == Kind.OPINION and (item.matched or named):
                total += OPINION_WEIGHT + CURATED_WEIGHT * candidate.path.startswith("bank/")
            beside = item.around > 0 and not item.matched
            scored.append(Scored(candidate, total, item.matched, named, beside, item.near))
        scored.sort(key=_order)
        return scored

    def _add_words(self, items: Mapping[int, _Item]) -> None:
        """The share that words have: in the passage, beside it, and in its file."""
        of_file: dict[int, tuple[float, ...]] = {}
        for id_, item in items.items():
            file_id = item.candidate.file_id
            parts = item.parts
            for beside in (items.get(id_ - 1), items.get(id_ + 1)):
                if beside is not None and beside.words and beside.candidate.file_id == file_id:
                    parts = tuple(map(max, parts, beside.parts))
            item.around = sum(parts)
            best = of_file.get(file_id)
            if best is None:
                of_file[file_id] = item.parts
            elif item.words:
                of_file[file_id] = tuple(map(max, best, item.parts))
        in_file = {file_id: sum(parts) for file_id, parts in of_file.items()}
        best_own = max((item.words for item in items.values()), default=0.0) or 1.0
        best_around = max((item.around for item in items.values()), default=0.0) or 1.0
        best_file = max(in_file.values(), default=0.0) or 1.0
        for item in items.values():
            item.score = (
                WORDS_SHARE * item.words / best_own
                + AROUND_SHARE * item.around / best_around
                + FILE_SHARE * in_file[item.candidate.file_id] / best_file
            )

    def _own(self, candidate: Candidate) -> tuple[tuple[float, ...], tuple[int, ...]]:
        """What each group adds to the passage's BM25, and the groups that it says.

        A heading counts a little, but says nothing by itself.
        """
        words = f" {candidate.words} "
        stems = f" {candidate.stems} "
        context = f" {candidate.context} "
        length = min(words.count(" "), LONGEST_COUNTED)
        saturation = K1 * (1 - B + B * length / AVERAGE_LENGTH)
        parts: list[float] = []
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
            parts.append(self._idf[index] * tf * (K1 + 1) / (tf + saturation) if tf else 0.0)
        return tuple(parts), tuple(matched)

    def _named(self, candidate: Candidate) -> tuple[str, ...]:
        if not self._entities or not candidate.names:
            return ()
        keys = {entity_key(name): name for name in candidate.names.split(SEPARATOR)}
        return tuple(
            next(keys[key] for key in keys if key in wanted)
            for wanted in self._entities
            if not wanted.isdisjoint(keys)
        )


def _strongest(items: Mapping[int, _Item], near: Mapping[int, Nearness]) -> list[_Item]:
    """The passages that promise most by themselves, to look beside."""
    best = max((item.words for item in items.values()), default=0.0) or 1.0

    def promise(item: _Item) -> float:
        cosines = near.get(item.candidate.id)
        return item.words / best + (max(cosines.own, cosines.window) if cosines else 0.0)

    most = REACH_BY_MEANING if near else REACH_FROM
    return sorted(items.values(), key=promise, reverse=True)[:most]


def _beside(strongest: Sequence[_Item], items: Mapping[int, _Item]) -> dict[int, set[int]]:
    """Ids beside ``strongest`` that are no candidates yet, each with the files whose lines they
    would be."""
    beside: dict[int, set[int]] = {}
    for item in strongest:
        for id_ in (item.candidate.id - 1, item.candidate.id + 1):
            if id_ not in items:
                beside.setdefault(id_, set()).add(item.candidate.file_id)
    return beside


def _add_meaning(items: Mapping[int, _Item], near: Mapping[int, Nearness]) -> None:
    """The share that meaning has, where there are vectors."""
    if not near:
        return
    top_own = max(cosines.own for cosines in near.values())
    top_window = max(cosines.window for cosines in near.values())
    for id_, cosines in near.items():
        item = items[id_]
        item.score += OWN_MEANING_SHARE * _unit(cosines.own, top_own)
        item.score += WINDOW_MEANING_SHARE * _unit(cosines.window, top_window)
        item.near = is_near(cosines)


def _add_days(items: Mapping[int, _Item]) -> None:
    """A passage of a file whose best passages do well is more likely meant than one that stands
    alone."""
    best: dict[int, list[float]] = {}
    for item in sorted(items.values(), key=lambda item: -item.score)[:DAY_FROM]:
        scores = best.setdefault(item.candidate.file_id, [])
        if len(scores) < BEST_OF_DAY:
            scores.append(item.score)
    for item in items.values():
        item.score += DAY_SHARE * sum(best.get(item.candidate.file_id, ())) / BEST_OF_DAY


def is_near(cosines: Nearness) -> bool:
    """Whether a passage means enough of what was asked to be shown for that alone."""
    return cosines.own >= LEAST_MEANING or cosines.window >= LEAST_WINDOW_MEANING


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
    return (-round(item.score, 9), *_place(item.candidate))


def _place(candidate: Candidate) -> tuple[int, str, int]:
    """Newest first, then by file and line, whatever row a passage has."""
    return (-(candidate.day or 0), candidate.path, candidate.line_start)


def _patterns(group: Group) -> tuple[str, tuple[str, ...], str]:
    """What to count in the padded strings: the surface form, the stems, the beginning."""
    surface = " ".join(group.words)
    stemmed = () if group.exact else tuple(f" {' '.join(s)} " for s in group.stems)
    return f" {surface} ", stemmed, f" {surface}" if group.prefix else ""
