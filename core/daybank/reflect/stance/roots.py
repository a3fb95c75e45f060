"""Roots behind the forms of a word, where a stemmer does not reach.

Filipino: "sumasagot", "sinagot" and "sagutin" all come from "sagot".
No stemmer for Filipino is at hand, so the affixes are taken off by rule. Several roots are possible
for a word; two words are akin when they share one. Spanish: "cuenta" and "contar" part in the stem.
"""

from __future__ import annotations

from functools import lru_cache

_PREFIXES = (
    "nakakapag nakapag makakapag makapag nagpapa magpapa ipinag ipapa ipina pinag napaka pinaka "
    "nagka magka nakaka makaka naka maka nagsi magsi pagka mapag nang mang nag mag pag ipa pina "
    "ka na ma pa i"
).split()
_SUFFIXES = ("hin", "han", "in", "an", "ng")
_VOWELS = "aeiou"
_SHORTEST = 4


def spanish_roots(stem: str) -> frozenset[str]:
    """The stem itself, and what it is where the stress does not change its vowel."""
    return frozenset((stem, stem.replace("ue", "o"), stem.replace("ie", "e")))


@lru_cache(maxsize=65536)
def roots_of(word: str) -> frozenset[str]:
    """The word itself and what may be its root; never shorter than four letters."""
    found = {word}
    for start in _without_prefix(word):
        for middle in _without_infix(start):
            for base in _without_repeat(middle):
                found.add(base)
                found.update(_without_suffix(base))
    return frozenset(root for root in found if len(root) >= _SHORTEST or root == word)


def _without_prefix(word: str) -> list[str]:
    found = [word]
    for prefix in _PREFIXES:
        if word.startswith(prefix) and len(word) - len(prefix) >= _SHORTEST:
            found.append(word[len(prefix) :])
    return found


def _without_infix(word: str) -> list[str]:
    found = [word]
    if len(word) > _SHORTEST + 1 and word[0] not in _VOWELS and word[1:3] in ("um", "in"):
        found.append(word[0] + word[3:])
    if word[:2] in ("um", "in") and len(word) - 2 >= _SHORTEST:
        found.append(word[2:])
    return found


def _without_repeat(word: str) -> list[str]:
    """ "sasagot" → "sagot", "iinom" → "inom"."""
    found = [word]
    if len(word) > _SHORTEST + 1 and word[1] in _VOWELS and word[0] == word[2]:
        found.append(word[2:])
    if len(word) > _SHORTEST and word[0] == word[1]:
        found.append(word[1:])
    return found


def _without_suffix(word: str) -> list[str]:
    return [
        word[: -len(suffix)]
        for suffix in _SUFFIXES
        if word.endswith(suffix) and len(word) - len(suffix) >= _SHORTEST
    ]
