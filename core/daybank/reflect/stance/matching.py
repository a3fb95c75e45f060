"""Two readings side by side: what they share, and where they say the same or the opposite."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise

from daybank.reflect.stance.reading import TIMES, Item, Number, Reading

_AKIN_LETTERS = 5
_AKIN_SHARE = 0.7
_SIDE_BY_SIDE = frozenset({"weekday", "season"})
"""Groups whose members may all be true: open on Sundays, and on Fridays too."""
_NEAR = 2  # words from one to the next that belong together
_ACTS = frozenset({"keeping", "memory", "saving"})
"""Scales that are something one does, not a verdict."""
_STRETCH = 2  # words by which a fact may part them
_REVERSED_LETTERS = 4
_REVERSING = ("un", "in", "im", "ir", "il", "dis", "non", "des", "не")
_LONGEST_REVERSING = max(map(len, _REVERSING)) + 2  # folding may make a word longer
_LIGHT, _FULL = 0.3, 1.0


@dataclass(frozen=True, slots=True)
class Match:
    """A thing both texts speak of. ``agreement`` is +1, -1, or 0 where the fact says it only in
    passing."""

    opinion: Item
    fact: Item
    agreement: int

    @property
    def on_scale(self) -> bool:
        """Whether both take a side on a scale that decides. That both like something does not:
        what they like does."""
        scale = bool(self.opinion.side and self.fact.side)
        return scale and (self.agreement < 0 or self.opinion.weight > _LIGHT)

    @property
    def names_a_thing(self) -> bool:
        """Whether it is no verdict, no time, and not what a comparison loses."""
        item = self.opinion
        verdict = item.side and item.key not in _ACTS
        return not (verdict or item.compared or item.group in TIMES)

    @property
    def weight(self) -> float:
        """How much it counts: what an opinion ranks lower counts double, for liking that is
        against it."""
        return self.opinion.weight * (2 if self.opinion.compared else 1)


@dataclass(frozen=True, slots=True)
class Clash:
    """A place in the sentence that the two fill differently: Riga against Tbilisi, 3 against 5."""

    what: str
    opinion: str
    fact: str
    group: str = ""
    instead: bool = False
    """Whether the fact names the opinion's own too, as something given up."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """What two readings have in common."""

    matches: tuple[Match, ...]
    clashes: tuple[Clash, ...]
    coverage: float
    """The share of the opinion, or of one of its claims, that the fact speaks of; in [0, 1]."""
    missing: tuple[Item, ...]
    """The opinion's verdicts ("good", "worth it") on which the fact is silent."""
    number_missing: bool
    """Whether the fact is silent on one of the opinion's numbers."""
    rivals: bool
    """Whether it names others of a group beside the opinion's own: "Monday to Friday, Saturdays
    off"."""
    compares: bool
    """Whether the opinion ranks one thing over another."""
    another_time: bool
    """Whether the fact tells of Fridays where the opinion speaks of Sundays."""
    last: Match | None
    """The match of the opinion's last full word, which in most sentences is what it is about."""

    @property
    def full_matches(self) -> tuple[Match, ...]:
        """Matches of words that mean something by themselves."""
        return tuple(match for match in self.matches if match.opinion.weight >= _FULL)

    @property
    def ranked(self) -> bool:
        """Whether the opinion ranks one thing over another, and the fact speaks of both or of
        several words of the first."""
        return self.compares and len(self.matches) > 1

    @property
    def agreement(self) -> int:
        """+1 when the two agree, -1 when they are opposed, 0 when it cannot be told. Scales such
        as early and late decide; without any, the words that both use."""
        scales = [m.agreement for m in self.matches if m.on_scale]
        if any(scales):
            return min(scales) or 1
        total = sum(m.agreement * m.weight for m in self.matches)
        if not total and any(m.agreement < 0 and m.fact.denied for m in self.matches):
            return -1
        if not total and self.last:
            return self.last.agreement
        return (total > 0) - (total < 0)

    @property
    def denies(self) -> bool:
        """Whether one denies something that the other affirms. What a comparison loses is not
        denied, and where both deny the last thing, it is what counts."""
        if self.last and self.last.opinion.denied and self.last.fact.denied_near:
            return False
        return any(
            m.agreement < 0 and m.fact.denied != m.opinion.denied and not m.opinion.compared
            for m in self.full_matches
        )

    @property
    def torn(self) -> bool:
        """Whether words that stand together in the opinion stand far apart in the fact: "old
        films", and a film about an old bridge."""
        if self.last and self.last.fact.denied_near:
            return False
        for one, other in pairwise(m for m in self.full_matches if m.names_a_thing):
            distance = other.opinion.at - one.opinion.at
            apart = abs(other.fact.at - one.fact.at)
            if distance <= _NEAR and (
                apart > distance + _STRETCH or one.fact.clause != other.fact.clause
            ):
                return True
        return False

    @property
    def opposites(self) -> Match | None:
        """The first two words that are opposites by themselves: "early" and "late"."""
        for match in self.matches:
            sides = match.opinion.side * match.fact.side
            opposite = sides < 0 or _reversed(match.opinion, match.fact)
            if opposite and match.agreement < 0:
                return match
        return None


@lru_cache(maxsize=8192)
def _traces(items: tuple[Item, ...]) -> frozenset[str]:
    found: set[str] = set()
    for item in items:
        found.update((item.key, item.group, *item.roots, f"{item.key[:_AKIN_LETTERS]}…"))
        for word in (item.key.casefold(), item.word.casefold()):
            found.add(f"={word}")
            found.update(f"={word.removeprefix(before)}" for before in _REVERSING)
    found.discard("")
    return frozenset(found)


def may_touch(opinion: Reading, fact: Reading) -> bool:
    """Whether the two can have any word in common. Quick, and never False where
    :func:`compare` finds a match."""
    return not _traces(opinion.items).isdisjoint(_traces(fact.items))


def compare(opinion: Reading, fact: Reading) -> Comparison:
    """Put two readings side by side, by the claim of the opinion that the fact says most about."""
    whole = _compare_claim(opinion.items, opinion, fact)
    claims = [whole]
    for clause in dict.fromkeys(item.clause for item in opinion.items):
        items = tuple(item for item in opinion.items if item.clause == clause)
        if sum(item.weight >= _FULL for item in items) > 1 and len(items) < len(opinion.items):
            claims.append(_compare_claim(items, opinion, fact))
    return max(claims, key=lambda claim: (claim.coverage, -claim.agreement))


def _compare_claim(items: tuple[Item, ...], opinion: Reading, fact: Reading) -> Comparison:
    matches: list[Match] = []
    clashes: list[Clash] = []
    missing: list[Item] = []
    points: list[tuple[Item, bool]] = []  # each with whether the fact speaks of it
    last: Match | None = None
    rivals = another_time = False
    for item in _to_compare(items):
        found = _best(item, fact)
        clash = None if found and not found.quiet else _clash(item, opinion.language, fact, items)
        if clash is not None:
            clashes.append(replace(clash, instead=found is not None))
        elif found is not None:
            rivals = rivals or (not item.compared and _rival(item, fact, items) is not None)
            matches.append(_match(item, found))
        elif item.group in _SIDE_BY_SIDE and any(o.group == item.group for o in fact.items):
            another_time = True
        elif item.side and item.weight > _LIGHT and not item.wished:
            missing.append(item)
        if item.weight >= _FULL and not item.compared:
            last = matches[-1] if found is not None and clash is None else None
        points.append((item, found is not None or clash is not None))
    coverage, number_clashes = _coverage(points, opinion, fact)
    numbers = [_number_like(number, fact) for number in opinion.numbers]
    return Comparison(
        matches=tuple(matches),
        clashes=(*clashes, *number_clashes),
        coverage=coverage,
        missing=tuple(missing),
        number_missing=any(same is None and rival is None for same, rival in numbers),
        rivals=rivals,
        compares=any(item.compared for item in items),
        another_time=another_time,
        last=last,
    )


def _to_compare(items: tuple[Item, ...]) -> Iterator[Item]:
    """Each thing once. A noun that only carries a verdict ("a patient landlady") counts little,
    and a scale with both ends in one opinion ("short over long") does not count at all."""
    carried = {item.describes for item in items if item.describes}
    seen: set[str] = set()
    for item in items:
        both = item.side and any(o.key == item.key and o.side == -item.side for o in items)
        if item.key not in seen and not both:
            yield replace(item, weight=_LIGHT) if item.key in carried else item
        seen.add(item.key)


def _coverage(
    points: list[tuple[Item, bool]], opinion: Reading, fact: Reading
) -> tuple[float, list[Clash]]:
    clashes: list[Clash] = []
    total = sum(item.weight for item, _ in points)
    covered = sum(item.weight for item, spoken in points if spoken)
    for number in opinion.numbers:
        same, rival = _number_like(number, fact)
        total += _FULL
        covered += _FULL if same or rival else 0
        if rival and not same:
            clashes.append(Clash("number", number.word, rival.word))
    coverage = covered / total if total else 0.0
    return max(coverage, _coverage_of_the_chosen(points)), clashes


def _coverage_of_the_chosen(points: list[tuple[Item, bool]]) -> float:
    """Of "A over B", how much of A; when B or two words of A are spoken of."""
    chosen = [(item, spoken) for item, spoken in points if not item.compared]
    if len(chosen) == len(points):
        return 0.0
    words = sum(spoken and item.weight >= _FULL for item, spoken in chosen)
    other = any(spoken for item, spoken in points if item.compared)
    total = sum(item.weight for item, _ in chosen)
    if not total or not (words > 1 or (words and other)):
        return 0.0
    return sum(item.weight for item, spoken in chosen if spoken) / total


def _best(item: Item, fact: Reading) -> Item | None:
    """The fact's word for the opinion's: one that takes a side before one said in passing."""
    found = [other for other in fact.items if _same(item, other)]
    return min(found, key=lambda other: other.quiet, default=None)


def _same(one: Item, other: Item) -> bool:
    if one.wished and one.side * other.side < 0 and one.key != "liking":
        return False  # who needs silence is not refuted by noise
    if one.side or other.side:
        if one.key != other.key or bool(one.side) != bool(other.side):
            return False
        return not other.describes or other.describes == one.describes
    if one.key in (other.key, other.group) or not one.roots.isdisjoint(other.roots):
        return True
    return _akin(one, other) or _reversed(one, other)


def _akin(one: Item, other: Item) -> bool:
    """Stems that begin alike for most of their length: "patienc" and "patient"."""
    if one.group or other.group or one.key[:_AKIN_LETTERS] != other.key[:_AKIN_LETTERS]:
        return False
    if one.word in one.roots or other.word in other.roots:
        return False  # their roots were compared, which is surer
    longer, shared = max(len(one.key), len(other.key)), 0
    for left, right in zip(one.key, other.key, strict=False):
        if left != right:
            break
        shared += 1
    return shared >= _AKIN_LETTERS and shared >= longer * _AKIN_SHARE


def _reversed(one: Item, other: Item) -> bool:
    """Whether one is the other with a "not" grown on: "musical" and "unmusical". On a scale the
    sides have said so already."""
    if one.side or other.side:
        return False
    return _has_not_before(one.key, other.key) or _has_not_before(one.word, other.word)


def _has_not_before(one: str, other: str) -> bool:
    """Whether the longer of two words is the shorter behind a prefix that turns it round. Asked of
    every pair of words, so it looks at the letters of few."""
    if len(one) == len(other):
        return False
    short, long = (one, other) if len(one) < len(other) else (other, one)
    if len(short) < _REVERSED_LETTERS or len(long) - len(short) > _LONGEST_REVERSING:
        return False
    short, long = short.casefold(), long.casefold()
    return long.endswith(short) and long[: len(long) - len(short)] in _REVERSING


def _match(opinion: Item, fact: Item) -> Match:
    agreement = 0 if fact.quiet else opinion.sign * fact.sign
    return Match(opinion, fact, -agreement if _reversed(opinion, fact) else agreement)


def _rival(item: Item, fact: Reading, items: tuple[Item, ...]) -> Item | None:
    """Another member of the item's group that the fact affirms and the opinion does not name."""
    own = {each.key for each in items}
    rivals = (o for o in fact.items if o.group == item.group and o.key not in own)
    return next((o for o in rivals if item.group and not (o.quiet or o.denied)), None)


def _clash(item: Item, language: str, fact: Reading, items: tuple[Item, ...]) -> Clash | None:
    rival = _rival(item, fact, items) if item.group not in _SIDE_BY_SIDE else None
    if rival is not None and not item.denied:
        what = "time" if item.group in TIMES else "one"
        return Clash(what, item.word, rival.word, item.group)
    if item.place and fact.language == language:  # places have other names elsewhere
        for rival in fact.items:
            if rival.place and rival.key != item.key and not (rival.quiet or rival.denied):
                return Clash("place", item.word, rival.word)
    return None


def _number_like(number: Number, fact: Reading) -> tuple[Number | None, Number | None]:
    """The fact's number that fits, and its other number of the same thing."""
    alike = [n for n in fact.numbers if n.unit == number.unit and n.unit]
    if number.bound:
        fitting = [n for n in alike if _within(n, number)]
        return next(iter(fitting), None), next(iter(alike), None)
    same = next((n for n in fact.numbers if n.value == number.value), None)
    return same, next(iter(alike), None)


def _within(given: Number, limit: Number) -> bool:
    if given.value == limit.value:
        return given.bound == limit.bound
    return (given.value - limit.value) * limit.bound > 0


def same_number(opinion: Reading, fact: Reading) -> Number | None:
    """A number that both give for the same thing."""
    given = {(n.value, n.unit) for n in fact.numbers}
    return next((n for n in opinion.numbers if (n.value, n.unit) in given), None)
