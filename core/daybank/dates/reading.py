"""Looking around among tokens: what stands where, and what the verbs nearby say."""

from __future__ import annotations

from daybank.dates.lexicon import LEXICON, Entry
from daybank.dates.tokens import Gap, Token
from daybank.dates.vocabulary import Lead, Tense

NOTHING = Entry()
_END = Token(0, 0, entry=NOTHING)
# A verb further away than this many words speaks of something else, and a text without full stops
# must not be searched to its ends for every date in it.
_REACH = 40


class Reader:
    """Read-only steps over one tokenised text; places outside it read as nothing."""

    def __init__(self, tokens: list[Token]) -> None:
        self._tokens = tokens
        self._rivalled: bool | None = None

    def _at(self, place: int) -> Token:
        return self._tokens[place] if 0 <= place < len(self._tokens) else _END

    def _entry(self, place: int) -> Entry:
        return self._at(place).entry or NOTHING

    def _near(self, place: int) -> bool:
        """Whether only space stands before a token."""
        return self._at(place).gap is Gap.SPACE

    def _skip(self, place: int, *, joins: bool = False, fillers: bool = False) -> int:
        """Past articles, and if asked past "of" and "in" words."""
        while self._near(place):
            entry = self._entry(place)
            if not (
                entry.article
                or (joins and entry.join)
                or (fillers and entry.lead is Lead.AT)
                or (fillers and entry.day_word and self._at(place + 1).number > 0)
            ):
                break
            place += 1
        return place

    def _counts(self, place: int) -> bool:
        """Whether the number at a place counts the word after it: "27 km", "27 weeks"."""
        entry = self._entry(place + 1)
        return (
            self._near(place + 1)
            and (entry.measure or entry.unit is not None)
            and not (entry.year_word or entry.day_word)
        )

    def _content_follows(self, place: int) -> bool:
        """Whether a token that means something else follows right after: "5th floor"."""
        token = self._at(place)
        entry = self._entry(place)
        if token.gap is not Gap.SPACE or not token.low:
            return False
        return not (
            entry.function or entry.lead or entry.to or entry.and_ or entry.day_part or entry.join
        )

    def _has_rivals(self) -> bool:
        """Whether a language is written here in which "may" is an ordinary word."""
        if self._rivalled is None:
            self._rivalled = any(token.entry and token.entry.rival for token in self._tokens)
        return self._rivalled

    def _cue(self, place: int, after: int) -> Tense | None:
        """The tense of the verb nearest to a phrase within its sentence."""
        left, right = place, after
        open_left = open_right = True
        for _ in range(_REACH):
            if not (open_left or open_right):
                break
            if open_left:
                open_left = left > 0 and not self._ends_sentence(left)
                left -= 1
                if open_left and (tense := self._verb(left)):
                    return tense
            if open_right:
                open_right = right < len(self._tokens) and not self._ends_sentence(right)
                if open_right and (tense := self._verb(right)):
                    return tense
                right += 1
        return None

    def _ends_sentence(self, place: int) -> bool:
        """Whether a sentence ends before a token."""
        gap = self._at(place).gap
        if gap is Gap.DOT:
            before = self._entry(place - 1)
            return not ((before.month or before.weekday is not None) and not before.full)
        return gap is Gap.STOP

    def _verb(self, place: int) -> Tense | None:
        token = self._at(place)
        if token.entry is not None and token.entry.tense is not None:
            return token.entry.tense
        low = token.low
        if len(low) > 3 and low.endswith(LEXICON.past_endings) and low not in LEXICON.not_past:
            return Tense.PAST
        return None
