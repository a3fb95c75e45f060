"""What a language has to say about itself so that its sentences can be weighed.

A vocabulary is data; the rules that use it know no language.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property


@dataclass(frozen=True)
class Words:
    """A list of words, written as one text: ``decide* chose in_the_end +bayad``.

    A word stands for itself, ``decide*`` for whatever begins so, ``in_the_end`` for words that
    follow each other, ``+bayad`` for a root inside a word with affixes (``nagbayad``,
    ``binayaran``). All are looked up in folded words.
    """

    spelled: str

    @cached_property
    def _parts(
        self,
    ) -> tuple[frozenset[str], frozenset[str], dict[str, tuple[tuple[str, ...], ...]], list[str]]:
        exact: set[str] = set()
        begins: set[str] = set()
        phrases: dict[str, list[tuple[str, ...]]] = {}
        roots: list[str] = []
        for entry in self.spelled.split():
            if entry.startswith("+"):
                roots.append(entry[1:])
            elif "_" in entry:
                words = tuple(entry.split("_"))
                phrases.setdefault(words[0], []).append(words)
            elif entry.endswith("*"):
                begins.add(entry[:-1])
            else:
                exact.add(entry)
        return frozenset(exact), frozenset(begins), {k: tuple(v) for k, v in phrases.items()}, roots

    def has(self, word: str) -> bool:
        """Whether a single folded word is in the list; phrases are not looked at."""
        exact, begins, _, roots = self._parts
        if word in exact:
            return True
        if begins and any(word[:length] in begins for length in range(2, len(word) + 1)):
            return True
        return bool(roots) and _has_root(word, roots)

    def length_at(self, words: Sequence[str], at: int) -> int:
        """How many words of the list's longest entry stand at ``at``; 0 where none does."""
        _, _, phrases, _ = self._parts
        longest = 1 if self.has(words[at]) else 0
        for phrase in phrases.get(words[at], ()):
            if len(phrase) > longest and _is_phrase(words[at : at + len(phrase)], phrase):
                longest = len(phrase)
        return longest

    def places(self, words: Sequence[str]) -> Iterator[int]:
        """The places in ``words`` where an entry begins."""
        return (at for at in range(len(words)) if self.length_at(words, at))

    def occurs_in(self, words: Sequence[str]) -> bool:
        """Whether any entry stands anywhere in ``words``, also right at their beginning."""
        return next(self.places(words), None) is not None


def _is_phrase(words: Sequence[str], phrase: tuple[str, ...]) -> bool:
    if len(words) < len(phrase):
        return False
    *whole, last = phrase
    if last.endswith("*"):
        return list(words[:-1]) == whole and words[-1].startswith(last[:-1])
    return tuple(words) == phrase


def _has_root(word: str, roots: list[str]) -> bool:
    if len(word) < 4:
        return False
    forms = [word]
    if word[1:3] in ("um", "in"):  # b-um-ili, b-in-ili
        forms.append(word[0] + word[3:])
    if word[0] == "i" and word[2:4] in ("um", "in"):  # i-b-in-enta
        forms.append(word[1] + word[4:])
    return any(root in form and len(form) - len(root) <= 7 for form in forms for root in roots)


@dataclass(frozen=True)
class Vocabulary:
    """The words of one language, by what they tell.

    Who: ``first`` and ``second`` person, ``ourselves`` ("I" and "we" alone), ``single`` and
    ``several`` (third-person subjects that lean on an earlier sentence), ``leaning`` (other words
    that need somebody or something named before; of these ``personal`` mean a person), ``vague``
    (subjects that nothing in the text names), ``markers`` (words after which a noun follows),
    ``people`` (kin and callings), ``place_words`` (before a place).

    What: ``decisions``, ``promises``, ``preferences``, ``states``, ``matters`` (nouns that such
    facts are about: a price, an address), ``events``, ``plans``,
    ``being`` (is, are), ``is_somebody`` and ``has_something`` (what follows a name: "is the",
    "has two"), ``habits`` (what makes a trait of what follows: "can't", "never"), ``regularly``
    (every week), ``lesser`` (verbs that tell something only with a date, an amount or the like),
    ``small`` (verbs of any day).

    Against: ``routine``, ``weather``, ``feelings``, ``hedges``, ``chatter``, ``loose`` (things,
    something). ``bare`` are verbs that order somebody about when they come first. ``halves`` begin
    half a sentence; ``back`` points to another sentence and ``pointing`` words do unless a time
    follows (``day_words`` are times that are no dates); ``idioms`` are phrases whose words claim
    nothing ("our lives"); ``not_names`` are capitalised words that are no name.

    ``leads`` may be cut off the beginning where a comma follows, ``joins`` anywhere. ``itself``
    are verbs whose subject may follow them ("nació la hija").

    Endings: ``done`` of verbs that tell what happened (``done_begins`` are beginnings),
    ``present`` of those that tell what somebody does; ``done_by_us`` and ``present_by_us`` say
    that it is us, ``done_by_other`` that it is not.
    """

    code: str
    function: Words
    first: Words
    ourselves: Words
    second: Words
    single: Words
    several: Words
    leaning: Words
    vague: Words
    markers: Words
    people: Words
    place_words: Words
    decisions: Words
    promises: Words
    preferences: Words
    states: Words
    matters: Words
    events: Words
    lesser: Words
    plans: Words
    being: Words
    is_somebody: Words
    has_something: Words
    habits: Words
    regularly: Words
    small: Words
    routine: Words
    weather: Words
    feelings: Words
    hedges: Words
    loose: Words
    chatter: Words
    bare: Words
    leads: Words
    joins: Words
    halves: Words
    back: Words
    pointing: Words
    day_words: Words
    idioms: Words
    units: Words
    not_names: Words
    itself: Words = Words("")
    personal: Words = Words("")
    drops_subject: bool = False
    verb_first: bool = False
    done: tuple[str, ...] = ()
    present: tuple[str, ...] = ()
    done_begins: tuple[str, ...] = ()
    done_by_us: tuple[str, ...] = ()
    present_by_us: tuple[str, ...] = ()
    done_by_other: tuple[str, ...] = ()
