"""What a language has to say about agreeing and disagreeing: the shape of its word lists."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum


class Cue(Enum):
    """What a small word or phrase does to the words around it."""

    NOT = "not"  # turns what follows in its clause round
    UNTRUE = "untrue"  # turns the rest of its sentence round
    WITHOUT = "without"  # turns only the next few words round
    ENDED = "no longer"  # was so, is so no more
    FORMERLY = "used to"  # was so; what follows it speaks of the past
    CHANGED = "changed"  # a change of mind: the sentence tells of something new
    LEFT = "left"  # the next words are what is left behind
    INSTEAD = "instead of"  # what follows was not chosen
    THAN = "than"  # what follows is the lesser part of a comparison
    PREFER = "prefer"  # makes OVER mean a comparison
    MORE = "more"  # makes OVER mean a comparison too
    OVER = "over"  # after PREFER or MORE: what follows is the lesser part
    TO = "to"  # the same after PREFER only: "prefers tea to coffee"
    NEGATIVE = "negative"  # a verb that says no to what follows: "avoids", "is afraid of"
    DOUBT = "doubt"  # maybe, not sure
    ALMOST = "almost"  # nearly, hardly
    MILD = "mild"  # fairly, rather: less than the plain word
    ONCE = "once"  # this time, just once, an exception
    EXCEPT = "except"  # true, but not always
    TODAY = "today"  # told of one day
    USUALLY = "usually"  # as a rule, otherwise: what is told is the exception
    HINDERED = "hindered"  # because of, forced by
    DISPOSED = "disposed"  # sold, thrown away: what follows is mentioned, not used
    WANTED = "wanted"  # a plan; with BUT beside it one that came to nothing
    LATER = "later"  # put off
    REFUSED = "refused"  # would not, did not want to
    WISH = "wish"  # what follows is needed or wanted, and says nothing of how things are
    STILL = "still"  # as before
    BUT = "but"
    ALTHOUGH = "although"
    BECAUSE = "because"
    AND = "and"
    ASKED = "asked"  # what follows is a question
    SAID = "said"  # what follows are somebody's words
    IF = "if"  # what follows is only imagined
    WITHIN = "within"  # the length of time that follows is a limit
    SKIP = "skip"  # a set phrase that means none of its words


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """One language's words, as people write them. Phrases are separated by commas; ``*`` at the end
    of a word stands for any ending.
    """

    code: str
    small: str
    """Words that tell nothing about a topic."""
    light: str
    """Verbs and adverbs so common that sharing them means little."""
    cues: Mapping[Cue, str]
    opposites: Mapping[str, tuple[str, str]]
    """Scale → the words at its one end and at its other. Scales carry the same name in every
    language, so that texts in two languages can be compared."""
    concepts: Mapping[str, str]
    """Concept → words and irregular forms that mean it. In ``group.member`` the members of a group
    exclude each other: who goes by bus does not go on foot."""
    articles: str
    """After these an adjective describes the next word only: "an early slot"."""
    places_after: str
    """Small words before a place."""
    clock_after: str
    """Small words before an hour."""
    lengths: Mapping[int, str]
    """Minutes → the word for that length of time."""
    kin: str
    """Relatives and others who are not the person told about."""
    owners: str
    """The words that make kin somebody's: "his", "her"."""
    numbers: Mapping[int, str] = field(default_factory=dict)
    """Forms of numbers beside those by which dates are read: "до шести"."""
    before: str = ""
    after: str = ""
    """What stands before an hour that is a limit: "before six", "after eight"."""
    owner_follows: bool = False
    """The word for "his" stands after: "kapatid niya"."""
    name_markers: str = ""
    """Words right before the name of who acts: "si", "ni"."""
    pronouns: str = ""
    """Words that may begin a sentence and mean the person told about."""
