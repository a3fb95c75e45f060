"""What new facts do to the opinions of a run, and what facts that are gone leave of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import lru_cache

from daybank.index.analysis import STOP_TERMS, stem, tokenize
from daybank.index.store import StoredPassage
from daybank.markdown.model import Kind
from daybank.markdown.names import fold_text
from daybank.markdown.opinions import EvidenceLine, Key
from daybank.progress import check_cancel
from daybank.reflect.beliefs import STANCED, Belief, Beliefs, day_in_words
from daybank.reflect.confidence import START
from daybank.reflect.judgement import Judgement, Stance
from daybank.reflect.material import Material, Skipped
from daybank.reflect.opinion_edits import opinion_id
from daybank.reflect.refusals import Refused
from daybank.reflect.stance import StanceJudge, Statement
from daybank.review.proposal import Phase

LEAST_STRENGTH = 0.3
"""A stance weaker than this moves nothing."""
SAME_WORDS = 0.9
"""Share of common terms from which two texts count as the same one."""
NEAR_LINES = 3
"""So far from its old place a note that was reworded is looked for."""
_KEYS = {
    Stance.SUPPORTS: Key.SUPPORTS,
    Stance.WEAKENS: Key.WEAKENS,
    Stance.CONTRADICTS: Key.CONTRADICTS,
}
_FOR = frozenset({Key.START, Key.SUPPORTS, Key.RESTATED})
_NO = frozenset(
    "no not never none nothing nunca ningun nada ne net не нет никогда hindi wala".split()
)


@dataclass(frozen=True, slots=True)
class _Stand:
    """What a fact does to an opinion: the key of its line (None: nothing), how strongly, the number
    that an author gives with it, and the reason."""

    key: Key | None
    weight: float
    value: float | None
    why: str


class Weigher:
    """Lets facts move the opinions of one run."""

    def __init__(self, material: Material, beliefs: Beliefs, refused: Refused) -> None:
        self._material = material
        self._beliefs = beliefs
        self._refused = refused
        self._judge = material.judge or StanceJudge()
        self._known = {fact.uid: fact for fact in material.new}
        missing = beliefs.cited - self._known.keys()
        self._known.update({fact.uid: fact for fact in material.store.evidence(missing)})
        self._by_place: dict[tuple[str, date | None], list[StoredPassage]] = {}
        for fact in material.new:
            self._by_place.setdefault((fact.source.path, fact.day), []).append(fact)
        self._names: dict[tuple[str, ...], tuple[str, ...]] = {}
        self.skipped: list[Skipped] = []

    # -- notes that are gone

    def mind_what_is_gone(self) -> None:
        """Evidence whose note is in no file any more goes; a note that was only reworded is cited
        in its new words. Raises Cancelled."""
        for belief in (*self._beliefs.live, *self._beliefs.past):
            check_cancel(self._material.cancel)
            for line in list(belief.evidence):
                if line in belief.evidence and self._is_gone(line):
                    self._replace(belief, line)

    def _is_gone(self, line: EvidenceLine) -> bool:
        if line.key not in STANCED or line.id is None or line.id in self._known:
            return False
        return self._material.is_gone(line.id, line.file)

    def _replace(self, belief: Belief, line: EvidenceLine) -> None:
        if (belief.topic, f"-{line.id}") in self._refused:
            return
        reworded = self._reworded(belief, line)
        belief.lose(line)
        if reworded is not None:
            value = line.value
            if line.key is not Key.SUPPORTS and reworded.confidence is not None:
                value = reworded.confidence
            new = replace(line, line=0, value=value, source=str(reworded.source), id=reworded.uid)
            self._beliefs.cited.add(reworded.uid)
            belief.gain(new, reworded, "the note it cites was reworded")
            return
        belief.notes.append(f"The note of {day_in_words(line.day)} that it cites is gone")
        if line.key is Key.START:
            self._start_anew(belief)

    def _start_anew(self, belief: Belief) -> None:
        """Without the note that began it, an opinion begins with the first that supports it."""
        supports = sorted(
            (s for s in belief.evidence if s.key in _FOR and s.day and not self._is_gone(s)),
            key=lambda s: (s.day or date.min, s.line),
        )
        if not supports or belief.has_start:
            return
        first = supports[0]
        belief.lose(first)
        value = START if first.value is None else first.value
        start = replace(first, key=Key.START, line=0, value=value, weight=1.0)
        fact = self._known.get(first.id or "")
        if fact is None:
            belief.evidence.append(start)
        else:
            belief.gain(start, fact, "the first note that still speaks for it")

    def _reworded(self, belief: Belief, line: EvidenceLine) -> StoredPassage | None:
        """The new note in the place of the gone one: of the same day, in the same file, within a
        few lines, and saying the same of the opinion."""
        number = (line.source or "").partition("#L")[2].partition("-")[0]
        if not number.isdecimal():
            return None
        here = self._by_place.get((line.file, line.day), ())
        near = [f for f in here if abs(f.source.line_start - int(number)) <= NEAR_LINES]
        near = [
            f
            for f in near
            if f.uid not in self._beliefs.cited
            and (belief.topic, f.uid) not in self._refused
            and not belief.keys.isdisjoint(self._beliefs.keys(f.names) or belief.keys)
            and self._says_as(belief, line.key, f)
        ]
        return min(near, key=lambda f: abs(f.source.line_start - int(number)), default=None)

    def _says_as(self, belief: Belief, key: Key, fact: StoredPassage) -> bool:
        stand = self._stand(belief, fact).key
        return stand in _FOR if key in _FOR else stand is key

    # -- new facts

    def take_in(self, fact: StoredPassage) -> None:
        """Find the opinions that ``fact`` speaks of; an opinion that nobody holds yet begins."""
        if fact.uid in self._beliefs.cited:
            self._skip(fact, "The page cites it already.")
            return
        keys = self._beliefs.keys(fact.names)
        moved = related = False
        for belief in self._beliefs.about(keys):
            if not keys and not (terms(belief.statement) & terms(fact.content)):
                continue
            related = True
            moved = self._weigh(belief, fact) or moved
        if moved:
            return
        if fact.kind is Kind.OPINION:
            self._begin(fact)
        elif related:
            self._skip(fact, "It speaks for or against none of the opinions about the same.")

    def _weigh(self, belief: Belief, fact: StoredPassage) -> bool:
        """Let ``fact`` move ``belief`` where it does; whether it had anything to say."""
        stand = self._stand(belief, fact)
        if stand.key is None:
            return False
        reason = self._why_not(belief, fact, stand.key)
        if reason is not None:
            self._skip(fact, reason)
            return True
        line = EvidenceLine(
            0, stand.key, "", fact.day, stand.value, stand.weight, str(fact.source), fact.uid
        )
        belief.gain(line, fact, stand.why)
        return True

    def _stand(self, belief: Belief, fact: StoredPassage) -> _Stand:
        same_people = belief.keys == self._beliefs.keys(fact.names[: fact.subjects])
        if fact.kind is Kind.OPINION and same_people and same(belief.statement, fact.content):
            key = Key.SUPPORTS if fact.confidence is None else Key.RESTATED
            return _Stand(key, 1.0, fact.confidence, "the same, written down again")
        judged = self._judged(belief, fact)
        key_of = _KEYS.get(judged.stance)
        if key_of is None or judged.strength < LEAST_STRENGTH:
            return _Stand(None, 0.0, None, judged.reason)
        weight = 1.0 if judged.strength >= 0.95 else max(0.05, round(judged.strength * 20) / 20)
        return _Stand(key_of, weight, None, judged.reason)

    def _judged(self, belief: Belief, fact: StoredPassage) -> Judgement:
        about = fact.names[: fact.subjects] or fact.names
        return self._judge.judge(
            Statement(
                belief.statement, self._shown(belief.names), Kind.OPINION, None, belief.first_day
            ),
            Statement(fact.content, self._shown(about), fact.kind, fact.confidence, fact.day),
            self._material.similarity(belief.statement, fact.content),
        )

    def _shown(self, names: tuple[str, ...]) -> tuple[str, ...]:
        """The names by which people and things are shown; asked for every pair, so remembered."""
        found = self._names.get(names)
        if found is None:
            found = tuple(dict.fromkeys(self._material.names.shown(name) for name in names))
            self._names[names] = found
        return found

    def _why_not(self, belief: Belief, fact: StoredPassage, key: Key) -> str | None:
        """Why ``fact`` may not move ``belief`` after all."""
        if fact.day is None:
            return "It has no day."
        if (belief.topic, fact.uid) in self._refused:
            return "This was suggested before and rejected."
        first = belief.first_day
        if first is not None and fact.day < first:
            return "It is older than the opinion."
        for line in belief.evidence:
            if line.key not in STANCED or line.day != fact.day:
                continue
            if line.file == fact.source.path:
                return "The same page has moved this opinion on the same day."
            if line.key is key:
                return "The same was counted on the same day."
        if key is not Key.RESTATED and any(
            same(text, fact.content) for text in self._texts(belief)
        ):
            return "It says what a note that counts already says."
        return None

    def _texts(self, belief: Belief) -> list[str]:
        """The words of the evidence that counts, without what states the opinion itself."""
        ids = [
            line.id
            for line in belief.evidence
            if line.id is not None and line.key not in (Key.START, Key.RESTATED)
        ]
        return [self._known[uid].content for uid in ids if uid in self._known]

    def _begin(self, fact: StoredPassage) -> None:
        """An opinion that is on no page yet."""
        names = fact.names[: fact.subjects]
        keys = self._beliefs.keys(names)
        statement = as_statement(fact.content)
        if (f"opinion:{opinion_id(statement, names)}", fact.uid) in self._refused:
            self._skip(fact, "This was suggested before and rejected.")
        elif not statement or "\n" in fact.content.strip():
            self._skip(fact, "An opinion is one sentence.")
        elif fact.day is None:
            self._skip(fact, "It has no day.")
        elif self._beliefs.was_superseded(statement, keys):
            self._skip(fact, "Another opinion has taken the place of this one.")
        else:
            line = EvidenceLine(
                0, Key.START, "", fact.day, fact.confidence, 1.0, str(fact.source), fact.uid
            )
            self._beliefs.begin(Belief(statement, names, keys, [line], None, fact.confidence, fact))

    def _skip(self, fact: StoredPassage, reason: str) -> None:
        self.skipped.append(Skipped(Phase.OPINIONS, str(fact.source), fact.content[:80], reason))


def as_statement(text: str) -> str:
    """A fact's words as an opinion's statement."""
    return " ".join(text.split()).removesuffix(".").rstrip()


@lru_cache(maxsize=20_000)
def terms(text: str) -> frozenset[str]:
    """The stems of a text that are no stop-words."""
    return frozenset(
        stem(token.term, "en") for token in tokenize(text) if token.term not in STOP_TERMS
    )


def same(one: str, other: str) -> bool:
    """Whether two texts read the same, but for case, spacing and an odd word."""
    if _folded(one) == _folded(other):
        return True
    first, second = _words(one), _words(other)
    if len(first) < 6 or len(second) < 6:
        return False
    shared = len(set(first) & set(second)) / len(set(first) | set(second))
    return shared >= SAME_WORDS and _denials(first) == _denials(second)


def denies(text: str) -> bool:
    """Whether a text says what is not so, in one of the four languages."""
    return _denials(_words(text)) > 0


@lru_cache(maxsize=20_000)
def _folded(text: str) -> str:
    return fold_text(text).rstrip(".!… ")


@lru_cache(maxsize=20_000)
def _words(text: str) -> tuple[str, ...]:
    return tuple(token.term for token in tokenize(text))


def _denials(words: Sequence[str]) -> int:
    return sum(word in _NO for word in words)
