"""What kind of answer a question wants: all about somebody, what somebody thinks, or what was so
at a time. Read from the words people begin such questions with, in four languages; where nothing
of the kind stands there, a question is just words.
"""

from __future__ import annotations

import re
from enum import StrEnum

from daybank.index.analysis import fold


class Intent(StrEnum):
    """``about``: "tell me about Peter". ``belief``: "what does Peter prefer". ``true_then``:
    "what was true in November 2025". ``words``: everything else."""

    WORDS = "words"
    ABOUT = "about"
    BELIEF = "belief"
    TRUE_THEN = "true_then"


_ABOUT = (
    # English
    r"(?:please )?(?:tell|remind) me (?:more |everything |all )?(?:about|of)",
    r"(?:what|all|everything) (?:that )?(?:do |did )?(?:i|we|you) (?:all )?know (?:about|of)",
    r"(?:everything|all|anything|information|notes?) (?:we have |i have )?(?:about|on)",
    r"who(?:'s| is| was| are| were)",
    r"what(?:'s| is| was| are| were)",
    # Spanish
    r"(?:cuentame|hablame|dime) (?:mas |todo )?(?:sobre|de|acerca de)",
    r"que (?:se|sabes|sabemos) (?:de|sobre|acerca de)",
    r"todo (?:lo que sabemos )?(?:sobre|de|acerca de)",
    r"quien(?:es)? (?:es|era|fue|son)",
    r"que es",
    # Russian
    r"расскажи(?:те)? (?:мне )?(?:все |всё |больше )?(?:обо|об|о|про)",
    r"что (?:я|мы|ты) (?:знаем|знаю|знаешь) (?:обо|об|о|про)",
    r"что известно (?:обо|об|о|про)",
    r"(?:все|всё) (?:обо|об|о|про)",
    r"кто (?:такой|такая|такие|это)",
    r"что такое",
    # Filipino
    r"(?:ikwento|sabihin) (?:mo )?(?:sa akin )?(?:ang )?(?:lahat )?(?:tungkol )?(?:kay|kina|sa)",
    r"ano (?:ba )?ang (?:alam|nalalaman) (?:ko|mo|natin|namin) (?:tungkol )?(?:kay|kina|sa)",
    r"(?:lahat )?tungkol (?:kay|kina|sa)",
    r"sino (?:ba )?(?:si|sina|ang)",
)
_TRUE_THEN = (
    r"what (?:all )?(?:was|were) (?:true|so|the case|valid)",
    r"what (?:held|was true back then)",
    r"how (?:were|did) things st(?:and|ood)(?:ing)?",
    r"que (?:era|fue|estaba) (?:verdad|cierto|asi|vigente)",
    r"что (?:было|являлось) (?:правдой|верно|верным|так|истинно|действительно)",
    r"как обстояли дела",
    r"ano (?:ba )?ang (?:totoo|katotohanan)",
)


def _pattern(openings: tuple[str, ...]) -> re.Pattern[str]:
    """The openings at the beginning of a text, their letters folded as questions are."""
    folded = "|".join("".join(c if c.isascii() else fold(c) for c in text) for text in openings)
    return re.compile(rf"\s*(?:{folded})(?=\W|$)")


_ABOUT_START = _pattern(_ABOUT)
_TRUE_START = _pattern(_TRUE_THEN)

BELIEF_WORDS = frozenset(
    fold(word)
    for word in (
        # English
        "prefer prefers preferred like likes liked love loves hate hates dislike dislikes favourite"
        " favorite think thinks thought believe believes opinion opinions view views feel feels"
        " want wants "
        # Spanish
        " prefiere prefiero prefieren gusta gustan gustaria favorito favorita opina opinan piensa"
        " piensan cree opinión opiniones quiere "
        # Russian
        " предпочитает любит нравится думает считает мнение хочет предпочитают думают"
        # Filipino
        " gusto paborito ayaw hilig palagay opinyon tingin iniisip"
    ).split()
)
"""Words that ask for what somebody thinks or likes."""

_SAYS_NOTHING_OF_A_TOPIC = BELIEF_WORDS | frozenset(
    fold(word) for word in "about of sobre про tungkol rather better best most more really".split()
)


def read_intent(text: str) -> tuple[Intent, int]:
    """The intent that the beginning of ``text`` shows, and where the rest begins; ``words`` and 0
    where it shows none."""
    folded, places = _folded(text)
    for intent, pattern in ((Intent.TRUE_THEN, _TRUE_START), (Intent.ABOUT, _ABOUT_START)):
        match = pattern.match(folded)
        if match:
            return intent, places[match.end()]
    return Intent.WORDS, 0


_ASKING = frozenset(
    fold(word)
    for word in (
        "what when where who whom whose which how why did does do has have is are was were can"
        " qué que cuándo dónde quién quiénes cuál cómo por"
        " что когда где кто какой какая какие каких как почему зачем сколько куда откуда"
        " ano anong kailan saan sino paano bakit alin ilan magkano"
    ).split()
)


def is_question(text: str) -> bool:
    """Whether ``text`` is asked as a sentence, not typed as words to look for."""
    stripped = text.strip().lstrip("¿¡")
    first = stripped.split(maxsplit=1)[0] if stripped else ""
    return stripped.endswith(("?", "？", "؟")) or fold(first.split("'")[0]) in _ASKING


def is_topic(term: str) -> bool:
    """Whether a word of a question about a belief says what the belief is about."""
    return term not in _SAYS_NOTHING_OF_A_TOPIC


def _folded(text: str) -> tuple[str, list[int]]:
    """Letters without case and accents, and for each place in them the place in ``text``."""
    out: list[str] = []
    places: list[int] = []
    for at, char in enumerate(text):
        plain = "'" if char in "’ʼ" else fold(char) if char.isalpha() else char.replace("¿", " ")
        out.append(plain)
        places.extend([at] * len(plain))
    return "".join(out), [*places, len(text)]
