"""What a fact does to an opinion, judged by rules and without a language model.

The rules ask in this order: Is the fact told about the same person or thing, in the teller's own
words? Does it speak of what the opinion speaks of? Does it say the same, or the opposite? Is it
softened: an exception, a doubt, a plan? Whoever is unsure says *unrelated*: a belief that moves
for no reason costs more trust than one that moves late.

Pure and deterministic; may be used from several threads.
"""

from __future__ import annotations

from dataclasses import dataclass

from daybank.markdown.model import Kind
from daybank.markdown.names import entity_key, fold_text
from daybank.reflect.judgement import Judgement, Stance
from daybank.reflect.stance.matching import Clash, Comparison, compare, may_touch, same_number
from daybank.reflect.stance.reading import Reading, likely_languages, read
from daybank.reflect.stance.values import Statement
from daybank.reflect.stance.vocabulary import Cue

SPEAKS_OF_ELSE = "speaks of something else"
_ENOUGH = 0.7  # of the opinion must be spoken of, to say the same
_ENOUGH_SCALE = 0.6  # where both take a side on a scale, or much of the opinion is shared
_ENOUGH_ONE = 0.9  # the same, where only one word is shared
_ENOUGH_DENIED = 0.45  # where both deny the same
_ENOUGH_UNLAST = 0.8  # where what the opinion ends in is not spoken of
_ENOUGH_OPPOSED = 0.5  # to say the opposite in so many words
_ENOUGH_ENDED = 0.32  # to say that it is over
_ENOUGH_ALONE = 0.75  # where only one word is shared, and not what the opinion is about
_ENOUGH_UNSAID = 0.8  # to be opposed only by leaving out a "not"
_ALIKE = 0.7  # cosine of two texts that speak of the same
_LONGER = 1.5  # times the limit: clearly longer

_SOFTENERS = (Cue.ONCE, Cue.EXCEPT, Cue.ALMOST, Cue.USUALLY, Cue.REFUSED, Cue.DOUBT)
_HESITATIONS = (
    Cue.BUT,
    Cue.ONCE,
    Cue.HINDERED,
    Cue.CHANGED,
    Cue.LEFT,
    Cue.FORMERLY,
)
"""Words that make it doubtful that a fact simply agrees."""
_OVER = (Cue.ENDED, Cue.CHANGED, Cue.LEFT, Cue.FORMERLY)


class StanceJudge:
    """Judges pairs of statements. Needs no model, no files and no set-up."""

    def judge(self, opinion: Statement, fact: Statement, similarity: float | None) -> Judgement:
        """What ``fact`` does to ``opinion``. ``similarity`` is the cosine of the two texts by the
        built-in model, None without vectors. Never raises, whatever the texts hold."""
        if why := _about_others(opinion, fact):
            return _unrelated(why)
        if _plain(opinion.text) and _plain(opinion.text) == _plain(fact.text):
            return Judgement(Stance.SUPPORTS, 1.0, "says the same")
        one, other = _read_both(opinion, fact)
        if other.silent:
            return _unrelated(other.silent)
        if not may_touch(one, other):
            return _unrelated(SPEAKS_OF_ELSE)
        return _Case(fact.kind, one, other, compare(one, other), similarity).judgement()


@dataclass(frozen=True, slots=True)
class _Case:
    """One pair, read and compared."""

    kind: Kind
    opinion: Reading
    fact: Reading
    shared: Comparison
    similarity: float | None

    def judgement(self) -> Judgement:
        """The first rule that has something to say."""
        if self.shared.another_time:
            return _unrelated("tells of another time")
        return (
            self._by_length_of_time()
            or self._by_its_end()
            or self._by_opposition()
            or self._by_agreement()
            or _unrelated(SPEAKS_OF_ELSE)
        )

    # -- the rules

    def _by_length_of_time(self) -> Judgement | None:
        """ "Within a day" against "after nine days"."""
        limit, taken = self.opinion.minutes, self.fact.minutes
        if not self.opinion.limit or limit is None or taken is None:
            return None
        if not self.shared.full_matches or self.shared.coverage < _ENOUGH_ENDED:
            return None
        if self.shared.denies:
            return None
        if taken <= limit:
            return self._support("keeps within the time")
        if taken < limit * _LONGER:
            return None
        return self._oppose("took longer", self._says(*_SOFTENERS, Cue.HINDERED, Cue.TODAY))

    def _by_its_end(self) -> Judgement | None:
        """ "No longer", "changed her mind", "moved away from": over, if it was about this."""
        word = self.fact.has(*_OVER)
        if word is None or self.shared.coverage < _ENOUGH_ENDED or not self.shared.full_matches:
            return None
        changed = self.fact.has(Cue.CHANGED) is not None
        if not changed and self.shared.agreement >= 0:
            return None
        if self.shared.coverage < _ENOUGH_SCALE and self.shared.last is None:
            return None
        if not self._is_on_topic():
            return None
        return self._oppose(f"says it is no longer so: “{word}”", self._softener())

    def _by_opposition(self) -> Judgement | None:
        shared = self.shared
        if clash := self._clash():
            return self._oppose(_in_words(clash), self._softener() or self._once(clash))
        if shared.agreement >= 0 or not shared.full_matches:
            return None
        if shared.coverage < _ENOUGH_OPPOSED or not self._is_on_topic():
            return None
        if match := shared.opposites:
            why = f"says the opposite: “{match.fact.word}” against “{match.opinion.word}”"
            return self._oppose(why, self._softener())
        if len(shared.full_matches) == 1 and shared.coverage < _ENOUGH_ALONE:
            return None
        if shared.last is None and shared.coverage < _ENOUGH_SCALE:
            return None
        if shared.missing or shared.number_missing:
            return None  # "could not sleep" is no answer to "sleeps badly"
        if denial := self._denial():
            return self._oppose(f"says it is not so: “{denial}”", self._softener())
        if shared.coverage >= _ENOUGH_UNSAID and len(shared.full_matches) > 1:
            return self._oppose("says it is so after all", self._softener())
        return None

    def _by_agreement(self) -> Judgement | None:
        shared = self.shared
        if shared.agreement <= 0 or not shared.full_matches or shared.missing:
            return None
        if shared.clashes or shared.rivals or shared.number_missing:
            return None
        if shared.denies or shared.torn or self._only_handles_it():
            return None
        if shared.coverage < self._enough():
            return None
        if shared.last is None and shared.coverage < _ENOUGH_UNLAST:
            return None
        plan = self._says(Cue.WANTED) if self.fact.has(Cue.BUT, Cue.LATER) else None
        doubt = self._says(Cue.DOUBT, Cue.ALMOST, Cue.LATER, Cue.EXCEPT)
        if word := doubt or plan:
            return self._weaken(f"is not sure of it: “{word}”")
        if self._says(*_HESITATIONS):
            return None
        number = same_number(self.opinion, self.fact)
        return self._support(f"gives the same number: {number.word}" if number else "says the same")

    # -- what they share

    def _enough(self) -> float:
        """How much must be spoken of. Less will do where both deny the same last thing, for a
        shared "not" is rarely chance."""
        last = self.shared.last
        if last and last.opinion.denied and last.fact.denied_near:
            return _ENOUGH_DENIED
        if len(self.shared.full_matches) == 1 and not self.shared.ranked:
            return _ENOUGH_ALONE if self._is_surely_meant() else _ENOUGH_ONE
        if any(match.opinion.side and match.agreement > 0 for match in self.shared.matches):
            return _ENOUGH_SCALE
        return _ENOUGH

    def _is_surely_meant(self) -> bool:
        """Whether one shared word is no chance: "still", or two texts that are much alike."""
        english = self.opinion.language == self.fact.language == "en"  # all the model knows
        alike = english and self.similarity is not None and self.similarity >= _ALIKE
        return alike or self.fact.has(Cue.STILL) is not None

    def _only_handles_it(self) -> bool:
        """Having to do with a thing is not liking it: the opinion says "likes", the fact does not.
        Choosing it is another matter."""
        liked = any(item.key == "liking" for item in self.opinion.items)
        said = any(match.opinion.key == "liking" for match in self.shared.matches)
        return liked and not said and not self.opinion.has(Cue.PREFER)

    def _is_on_topic(self) -> bool:
        """Whether being opposed is about the same thing: a lone "more" against "less" is not."""
        things = [match for match in self.shared.full_matches if not match.opinion.side]
        return bool(things) or self.shared.coverage >= _ENOUGH_ONE

    def _once(self, clash: Clash) -> str | None:
        """One tram ride is an exception to going on foot, unless the shoes were given away."""
        once = self.kind is Kind.EXPERIENCE and clash.what == "one" and not clash.instead
        return clash.fact if once else None

    def _denial(self) -> str:
        """The fact's own word that turns what is shared round."""
        against = [m for m in self.shared.matches if m.agreement < 0]
        if denial := next((m.fact.denied_by for m in against if m.fact.denied), ""):
            return denial
        ranked = self.fact.has(Cue.PREFER)
        if ranked and any(m.opinion.compared for m in against):
            return ranked
        # "Not afraid of" against "afraid of": two denials in the fact, one in the opinion.
        if self.shared.coverage >= _ENOUGH_UNSAID:
            return self.fact.has(Cue.NOT, Cue.ENDED) or ""
        return ""

    def _clash(self) -> Clash | None:
        if not self.shared.clashes or self.shared.agreement < 0:
            return None
        clash = self.shared.clashes[0]
        if self.kind is Kind.EXPERIENCE and clash.group == "day":
            return None  # one evening says nothing of mornings
        enough = _ENOUGH_OPPOSED if clash.instead else _ENOUGH_UNSAID
        return clash if self.shared.coverage >= enough and self.shared.matches else None

    def _says(self, *wanted: Cue) -> str | None:
        """How the fact writes the first of these cues; those that the opinion has too do not
        count, for they are part of what is believed."""
        mine = {cue for cue, _ in self.opinion.cues}
        return self.fact.has(*(cue for cue in wanted if cue not in mine))

    def _softener(self) -> str | None:
        """The word that makes an opposite a mere exception."""
        if self.fact.has(Cue.FORMERLY) and (word := self.fact.has(Cue.ALTHOUGH)):
            return word
        word = self._says(*_SOFTENERS, Cue.MILD)
        if word is None and self.kind is Kind.EXPERIENCE:
            word = self._says(Cue.HINDERED, Cue.TODAY, Cue.BUT, Cue.ALTHOUGH)
        return word

    # -- answers

    def _support(self, reason: str) -> Judgement:
        return Judgement(Stance.SUPPORTS, self._strength(), reason)

    def _weaken(self, reason: str) -> Judgement:
        return Judgement(Stance.WEAKENS, self._strength(), reason)

    def _oppose(self, reason: str, softener: str | None) -> Judgement:
        if softener:
            return self._weaken(f"tells an exception: “{softener}”")
        return Judgement(Stance.CONTRADICTS, self._strength(), reason)

    def _strength(self) -> float:
        return round(min(1.0, 0.4 + 0.6 * self.shared.coverage), 2)


def _in_words(clash: Clash) -> str:
    what = {"one": "says something else"}.get(clash.what, f"another {clash.what}")
    return f"{what}: {clash.fact} against {clash.opinion}"


def _unrelated(reason: str) -> Judgement:
    return Judgement(Stance.UNRELATED, 1.0, reason)


def _about_others(opinion: Statement, fact: Statement) -> str:
    mine = {entity_key(name) for name in opinion.names}
    theirs = {entity_key(name) for name in fact.names}
    if mine and theirs.isdisjoint(mine):
        return "is about somebody or something else"
    if theirs and not mine:
        return "is about somebody or something else"
    return ""


def _read_both(opinion: Statement, fact: Statement) -> tuple[Reading, Reading]:
    mine = {entity_key(name) for name in opinion.names}
    others = tuple(name for name in fact.names if entity_key(name) not in mine)
    first, second = likely_languages(opinion.text), likely_languages(fact.text)
    one = read(opinion.text, opinion.names, (), _choose(first, second))
    return one, read(fact.text, opinion.names, others, _choose(second, first))


def _choose(mine: tuple[str, ...], theirs: tuple[str, ...]) -> str:
    """The language of a text; where it could be several, the one that the other is in."""
    return next((code for code in mine if code in theirs), (*mine, *theirs, "en")[0])


def _plain(text: str) -> str:
    return fold_text(text).rstrip(" .!…;")
