"""The languages whose sentences can be weighed, one module each."""

from daybank.reflect.extract.vocabulary.english import ENGLISH
from daybank.reflect.extract.vocabulary.filipino import FILIPINO
from daybank.reflect.extract.vocabulary.model import Vocabulary, Words
from daybank.reflect.extract.vocabulary.russian import RUSSIAN
from daybank.reflect.extract.vocabulary.spanish import SPANISH

__all__ = ["ENGLISH", "FILIPINO", "RUSSIAN", "SPANISH", "VOCABULARIES", "Vocabulary", "Words"]

VOCABULARIES = (ENGLISH, SPANISH, RUSSIAN, FILIPINO)
