"""Whether a sentence stands on its own, and the one way to make it: leave out a pronoun.

"Mara called. She moves to Leeds in May." → ``@Mara: Moves to Leeds in May.`` Nothing is ever added
to the person's words; where leaving out is not enough, the sentence is given up.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from daybank.reflect.extract.people import Found
from daybank.reflect.extract.sentences import Sentence, Stretch, Token
from daybank.reflect.extract.vocabulary import Vocabulary, Words


@dataclass(frozen=True, slots=True)
class Standing:
    """A sentence that can be understood alone. ``cut`` are the tokens that are left out, ``names``
    whom it speaks of where it does not say so itself; ``begin`` is its first token that counts.
    ``ours`` tells that its unspoken subject is the writer."""

    begin: int
    cut: frozenset[int] = frozenset()
    names: tuple[str, ...] = ()
    ours: bool = False


@dataclass(frozen=True, slots=True)
class Around:
    """Whom the sentences before spoke of: one person, or several, or nobody for certain."""

    one: str | None = None
    several: tuple[str, ...] = ()


NOBODY = "does not say who or what is meant"
HALF = "half a sentence"
LEANS = "leans on another sentence"
ORDER = "tells somebody to do something"


def stand(
    sentence: Sentence,
    vocabulary: Vocabulary,
    found: Sequence[Found],
    dates: Sequence[Stretch],
    around: Around,
) -> Standing | str:
    """How the sentence stands alone, or in plain words why it does not."""
    tokens, words = sentence.tokens, sentence.words
    begin = _after_leads(sentence, vocabulary, found)
    if len(tokens) - begin < 3:
        return HALF
    if any(vocabulary.back.length_at(words, at) for at in range(begin, len(words))):
        return LEANS
    if _points_elsewhere(sentence, vocabulary, begin, dates):
        return LEANS
    if vocabulary.halves.length_at(words, begin):
        return HALF
    named = {at for one in found for at in range(one.first, one.after)}
    if begin not in named and vocabulary.bare.length_at(words, begin):
        return ORDER
    first = _after_time(tokens, begin, dates)
    if first >= len(tokens) or (first > begin and vocabulary.being.has(words[first])):
        return HALF
    if any(
        at not in named and vocabulary.vague.length_at(words, at)
        for at in range(first, min(first + (2 if vocabulary.verb_first else 1), len(words)))
    ):
        return NOBODY
    standing = _subject(sentence, vocabulary, found, around, begin, first)
    if isinstance(standing, str):
        return standing
    return _leaning(sentence, vocabulary, found, around, standing)


def around_after(
    sentence: Sentence,
    vocabulary: Vocabulary,
    found: Sequence[Found],
    dates: Sequence[Stretch],
    before: Around,
) -> Around:
    """Whom a "she" in the next sentence of the paragraph would mean."""
    people = list(dict.fromkeys(one.name for one in found if one.person))
    words = sentence.words
    others = any(
        vocabulary.people.has(word)
        for at, word in enumerate(words)
        if not any(one.first <= at < one.after for one in found)
    )
    if not people:
        return Around() if others else before
    if others:
        return Around()
    if len(people) > 1:
        return Around(several=tuple(people))
    one = next(one for one in found if one.person)
    if not one.entity:
        return Around()
    begin = _after_time(sentence.tokens, _after_leads(sentence, vocabulary, found), dates)
    at_start = one.first - begin <= 1
    marked = vocabulary.verb_first and one.first > 0 and words[one.first - 1] in ("si", "ni")
    owner = sentence.tokens[one.after - 1].word.endswith("'s")
    return Around(one=one.name) if (at_start or marked) and not owner else Around()


def _after_leads(sentence: Sentence, vocabulary: Vocabulary, found: Sequence[Found]) -> int:
    """The first token after "by the way," and the like. Names may follow ("Hey John,")."""
    tokens, words, text = sentence.tokens, sentence.words, sentence.text
    at = 0
    while at < len(tokens):
        joined = vocabulary.joins.length_at(words, at)
        if joined and at + joined < len(tokens):
            at += joined
            continue
        length = vocabulary.leads.length_at(words, at)
        if not length:
            break
        after = at + length
        called = next((one.after for one in found if one.first == after), after)
        cut = next((end for end in (after, called) if _pauses(tokens, text, end)), None)
        if cut is None:
            break
        at = cut
    return at


def _pauses(tokens: Sequence[Token], text: str, at: int) -> bool:
    """Whether punctuation stands right before the token at ``at``."""
    if not 0 < at < len(tokens):
        return False
    return text[tokens[at - 1].end : tokens[at].start].strip()[:1] in set(",!:;—–-")


def _after_time(tokens: Sequence[Token], begin: int, dates: Sequence[Stretch]) -> int:
    """The first token after a time that opens the sentence ("On 9 May she passed")."""
    at = begin
    for date in sorted(dates, key=lambda d: d.start):
        opening = at + 1 if at + 1 < len(tokens) and len(tokens[at].text) <= 3 else at
        if date.touches(tokens[at].start, tokens[opening].end):
            while at < len(tokens) and tokens[at].start < date.end:
                at += 1
            if at >= len(tokens):
                break
    return at


def _points_elsewhere(
    sentence: Sentence, vocabulary: Vocabulary, begin: int, dates: Sequence[Stretch]
) -> bool:
    """ "I love this genre" speaks of what was said before; "this week" does not."""
    words, tokens = sentence.words, sentence.tokens
    for at in range(begin, len(words)):
        length = vocabulary.pointing.length_at(words, at)
        if not length:
            continue
        after = tokens[min(at + length, len(tokens) - 1)]
        in_time = any(d.start <= tokens[at].start < d.end for d in dates)
        if not in_time and not vocabulary.day_words.has(after.word):
            return True
    return False


def _subject(
    sentence: Sentence,
    vocabulary: Vocabulary,
    found: Sequence[Found],
    around: Around,
    begin: int,
    first: int,
) -> Standing | str:
    tokens, words = sentence.tokens, sentence.words
    at = _pronoun_at(words, vocabulary.single, first, vocabulary)
    if at is not None:
        if around.one is None or _names_before(found, at):
            return Standing(begin) if _names_before(found, at) else NOBODY
        if words[at].endswith("'s") and not _may_lose_is(tokens, at):
            return Standing(begin, names=(around.one,))
        return Standing(begin, frozenset((at,)), (around.one,))
    at = _pronoun_at(words, vocabulary.several, first, vocabulary)
    if at is not None and not _names_before(found, at):
        if not around.several:
            return NOBODY
        return Standing(begin, frozenset((at,)), around.several)
    if first in {one.first for one in found} or not _drops_subject(tokens, vocabulary, first):
        return Standing(begin, ours=_is_ours(tokens, vocabulary, first, around))
    if around.one is not None:
        return Standing(begin, names=(around.one,))
    if _subject_follows(tokens, vocabulary, found, first):
        return Standing(begin)
    return NOBODY


def _pronoun_at(
    words: Sequence[str], pronouns: Words, first: int, vocabulary: Vocabulary
) -> int | None:
    """Where a pronoun is the subject: first, or, where the verb comes first, soon after it."""
    reach = 3 if vocabulary.verb_first else 1
    return next(
        (at for at in range(first, min(first + reach, len(words))) if pronouns.has(words[at])), None
    )


def _names_before(found: Sequence[Found], at: int) -> bool:
    return any(one.first < at for one in found)


def _may_lose_is(tokens: Sequence[Token], at: int) -> bool:
    """ "She's moving" may become "Moving"; "she's late" would say nothing."""
    return at + 1 < len(tokens) and tokens[at + 1].word.endswith("ing")


def _drops_subject(tokens: Sequence[Token], vocabulary: Vocabulary, first: int) -> bool:
    """Whether the sentence begins with a verb in the third person, its subject unspoken."""
    word, text = tokens[first].word, tokens[first].text.casefold()
    if vocabulary.code == "en":
        lists = (vocabulary.states, vocabulary.preferences, vocabulary.plans)
        return word.endswith("s") and len(word) > 3 and any(w.has(word) for w in lists)
    if not vocabulary.drops_subject:
        return False
    if vocabulary.code == "es" and word in ("se", "le", "les"):
        following = tokens[first + 1].text.casefold() if first + 1 < len(tokens) else ""
        return not following.endswith(vocabulary.done_by_us)
    lists = (vocabulary.states, vocabulary.plans, vocabulary.preferences)
    present = any(w.has(word) for w in lists) and not text.endswith(
        (*vocabulary.done_by_us, "o", "ю", "у", "мос", "ем", "им")
    )
    return present or _done_by_other(text, vocabulary)


def _done_by_other(text: str, vocabulary: Vocabulary) -> bool:
    return vocabulary.code == "es" and len(text) > 3 and text.endswith(vocabulary.done_by_other)


def _subject_follows(
    tokens: Sequence[Token], vocabulary: Vocabulary, found: Sequence[Found], first: int
) -> bool:
    """ "Nació la hija de Omar": the subject stands after its verb."""
    if first + 1 >= len(tokens):
        return False
    following = tokens[first + 1].word
    if any(one.first in (first + 1, first + 2) for one in found):
        return vocabulary.markers.has(following) or any(o.first == first + 1 for o in found)
    if vocabulary.code == "ru":
        return True  # a noun may follow in any case; what stands there is not left open
    return vocabulary.itself.has(tokens[first].word) and vocabulary.markers.has(following)


def _is_ours(tokens: Sequence[Token], vocabulary: Vocabulary, first: int, around: Around) -> bool:
    """Whether a diary's unspoken "I" or "we" is the subject: "Booked the flights"."""
    word, text = tokens[first].word, tokens[first].text.casefold()
    if vocabulary.code == "en":
        kinds = (vocabulary.events, vocabulary.decisions, vocabulary.promises, vocabulary.small)
        return any(w.has(word) for w in kinds) or (len(word) > 4 and word.endswith("ed"))
    if vocabulary.present_by_us:
        verb = tokens[min(first + (word in ("не", "no")), len(tokens) - 1)]
        lists = (vocabulary.preferences, vocabulary.states, vocabulary.plans, vocabulary.events)
        if verb.text.casefold().endswith(vocabulary.present_by_us) and any(
            listed.has(verb.word) for listed in lists
        ):
            return True
    if vocabulary.code == "ru":
        if text.endswith(vocabulary.done_by_us):
            return True
        return text.endswith(vocabulary.done_by_other) and len(text) > 3 and around.one is None
    return bool(vocabulary.done_by_us) and len(text) > 3 and text.endswith(vocabulary.done_by_us)


def _leaning(
    sentence: Sentence,
    vocabulary: Vocabulary,
    found: Sequence[Found],
    around: Around,
    standing: Standing,
) -> Standing | str:
    """Give up a sentence in which some other pronoun leans on what is not there."""
    words = sentence.words
    for at in range(standing.begin, len(words)):
        if at in standing.cut or not vocabulary.leaning.has(words[at]):
            continue
        thing = vocabulary.vague.has(words[at])
        if standing.names and not thing:
            continue
        if not _stands_before(words, vocabulary, found, standing.begin, at, thing=thing):
            return NOBODY
    return standing


def _stands_before(
    words: Sequence[str],
    vocabulary: Vocabulary,
    found: Sequence[Found],
    begin: int,
    at: int,
    *,
    thing: bool,
) -> bool:
    """Whether something that a pronoun at ``at`` can mean stands before it in the sentence. "It"
    means no person."""
    if not thing and any(one.first < at for one in found):
        return True
    if not thing and any(vocabulary.people.has(words[i]) for i in range(begin, at)):
        return True
    if vocabulary.personal.has(words[at]):
        return False
    markers = any(vocabulary.markers.has(words[i]) for i in range(begin, max(begin, at - 1)))
    if markers:
        return True
    content = [w for w in words[begin:at] if not vocabulary.function.has(w)]
    return vocabulary.code == "ru" and len(content) >= 2
