"""A language model on this computer that may help to word a line and to judge a stance.

Everything works without one, and none is asked until the person chooses it. Nothing leaves this
computer: a server elsewhere is refused before its name is looked up, unless the person allows it.

The model has two uses and no other. It may put a line for a page into a sentence
(:class:`Wording`), which is taken only if it says what the cited notes say, in their own words. It
may give a second opinion on a stance (:class:`ConfirmedJudge`), which can only make Daybank more
careful or add a little weight. What it answers is data that is checked, notes are data that it is
shown, and whatever goes wrong (no server, a slow one, nonsense, a trap in a note) ends in what
Daybank says by itself.
"""

from daybank.reflect.wording.choosing import chosen_model
from daybank.reflect.wording.interface import LanguageModel
from daybank.reflect.wording.rationed import Rationed
from daybank.reflect.wording.second_opinion import ConfirmedJudge, Judge
from daybank.reflect.wording.wording import Wording, reword

__all__ = [
    "ConfirmedJudge",
    "Judge",
    "LanguageModel",
    "Rationed",
    "Wording",
    "chosen_model",
    "reword",
]
