"""The words of agreeing and disagreeing, one module a language; data only.

A new language is a new module with one :class:`Vocabulary` and its name in ``LANGUAGES``. Scales
and concepts carry the same names everywhere, which is how notes in two languages are compared.
"""

from daybank.reflect.stance.vocabulary.english import ENGLISH
from daybank.reflect.stance.vocabulary.filipino import FILIPINO
from daybank.reflect.stance.vocabulary.model import Cue, Vocabulary
from daybank.reflect.stance.vocabulary.russian import RUSSIAN
from daybank.reflect.stance.vocabulary.spanish import SPANISH

LANGUAGES = (ENGLISH, SPANISH, RUSSIAN, FILIPINO)

__all__ = ["LANGUAGES", "Cue", "Vocabulary"]
