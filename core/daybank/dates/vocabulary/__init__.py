"""The words of time, one module a language; data only.

A new language is a new module with one :class:`Vocabulary` and its name in ``LANGUAGES``. Several
languages are read at once, because people mix them within a note.
"""

from daybank.dates.vocabulary.english import ENGLISH
from daybank.dates.vocabulary.filipino import FILIPINO
from daybank.dates.vocabulary.model import FEW, Kind, Lead, Shift, Tense, Unit, Vocabulary
from daybank.dates.vocabulary.russian import RUSSIAN
from daybank.dates.vocabulary.spanish import SPANISH

LANGUAGES = (ENGLISH, SPANISH, RUSSIAN, FILIPINO)

__all__ = ["FEW", "LANGUAGES", "Kind", "Lead", "Shift", "Tense", "Unit", "Vocabulary"]
