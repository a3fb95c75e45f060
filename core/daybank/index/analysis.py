"""Text → terms, the same for what is indexed and what is asked.

A token keeps its place in the original text, so a hit found by folding is marked exactly. A term
is what the index holds: folded (case, width, accents), and beside it the stem. Scripts written
without spaces become overlapping pairs of characters. Everything is pure and cached by token.
"""

from __future__ import annotations

import re
import threading
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

import Stemmer

ANALYZER_VERSION = 2
"""Raised whenever a text may yield other terms than before; the index is then rebuilt."""

LONGEST_TOKEN = 64
"""Characters of a word that count; of a longer one (a hash, a key) its beginning is kept."""
JOINERS = frozenset("-\u2010\u2011./@_'\u2019&+#")
"""Characters that hold two words together when they stand alone between them."""

_STRIPPED = re.compile(
    "[\u0300-\u036f\u0483-\u0487\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u064b-\u065f\u0670"
    "\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe00-\ufe0f\ufe20-\ufe2f"
    "\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufeff\u00ad]"
)
# One written character: a base with its combining marks, or a syllable of conjoining jamo.
_CLUSTER = re.compile(
    "[\u1100-\u115f]+[\u1160-\u11a7]*[\u11a8-\u11ff]*|.[\u0300-\u036f\u0483-\u0487\u0591-\u05bd\u05bf\u05c1\u05c2\u064b-\u065f\u0670"
    "\u3099\u309a\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe00-\ufe0f]*",
    re.DOTALL,
)
_NO_SPACES = (
    "\u0e00-\u0e7f\u0e80-\u0eff\u1000-\u109f\u1780-\u17ff"  # Thai, Lao, Myanmar, Khmer
    "\u3005\u3007\u3040-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
    "\uac00-\ud7af\U00020000-\U0003ffff"
)
_WORD_CHAR = rf"(?:[^\W_{_NO_SPACES}]|[\u0900-\u0963\u0966-\u0dff])"
_SYMBOL = (
    "[\u2190-\u21ff\u2300-\u23ff\u2460-\u27bf\u2900-\u297f\u2b00-\u2bff"
    "\U0001f000-\U0001faff€£¥₽₱$°]"
)
_TOKEN = re.compile(
    rf"(?P<run>[{_NO_SPACES}]+)|(?P<word>{_WORD_CHAR}+)(?P<plus>\+\+|#)?|(?P<symbol>{_SYMBOL})"
)
_ASCII_TOKEN = re.compile(r"(?P<word>[a-z0-9]+)(?P<plus>\+\+|#)?|(?P<symbol>\$)")


def _set(*words: str) -> frozenset[str]:
    return frozenset(" ".join(words).split())


_EXTRA_FOLDS = str.maketrans(
    {"ı": "i", "ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "æ": "ae", "œ": "oe", "ħ": "h"}
)
_CYRILLIC = re.compile("[\u0400-\u04ff]")
_SPANISH_WORDS = _set(
    "el la los las de del que y en un una es por con para se lo al como más pero su sus le ya o "
    "este esta sí porque está muy sin sobre también me hasta hay donde quien desde todo nos"
)
_FILIPINO_WORDS = _set(
    "ang ng sa na mga ay si ni kay at ko mo niya nila namin natin ito iyon yung po hindi may "
    "kung para ako ikaw siya kami tayo sila pero dahil nang din rin lang naman kasi pa ba"
)
_ENGLISH_WORDS = _set(
    "the of and to in is that it for on with as was at by this be are from or have had not but "
    "we they his her she he you i my our their an which will would there been has were if"
)

STOP_WORDS = _set(
    # English
    "a an the is are was were be been being am do does did done doing what when where who whom "
    "whose which how why has have had having of in on at to for from with and or by his her hers "
    "their theirs its it he she they them this that these those would could should will shall can "
    "may might must i you we us our ours your yours my mine me him about into during as if then "
    "than so not no s t d ll re ve m don there here also just any some happen happened happens "
    # Spanish
    "el la los las un una unos unas de del al y o u que qué quién cuándo dónde cómo cuál en es son "
    "fue era ser estar está están por para con sin se su sus lo le les me mi mis tu tus nos "
    "quien cuando donde como cual esta este esto ese esa eso pasó pasado sucedió "
    # Russian
    "и в во на с со по к ко у о об от до за из для не ни что кто где когда как какой какая какие "
    "это этот эта эти был была было были есть он она оно они мы вы я ты его ее их мне тебе нам вам "
    "бы же ли а но или происходило произошло случилось "
    # Filipino
    "ang ng sa na mga ay si sina ni nina kay kina at ko mo niya nila namin natin ito iyon yung po "
    "ba ano sino kailan saan paano bakit nang din rin lang naman pa nangyari"
)
STOP_TERMS: frozenset[str]


@dataclass(frozen=True, slots=True)
class Token:
    """One unit of text: its folded ``term`` and where it stands in the original text.

    ``joined`` is the one joiner (hyphen, dot, slash, @, apostrophe, …) that parts it from the token
    before, ``=`` when nothing does, and empty when it stands apart. ``pair`` marks a pair of
    characters from a script without spaces.
    """

    term: str
    start: int
    end: int
    joined: str = ""
    pair: bool = False


def tokenize(text: str) -> list[Token]:
    """Cut ``text`` into tokens. Never raises; controls and NUL are no part of any token."""
    if text.isascii():
        return _tokens_of(text.lower(), None, _ASCII_TOKEN)
    folded, places = _fold_with_places(text)
    return _tokens_of(folded, places, _TOKEN)


def fold(text: str) -> str:
    """The folded form of a whole text: case, width, accents."""
    return text.lower() if text.isascii() else _fold_with_places(text)[0]


def prefix_end(text: str, start: int, prefix: str) -> int:
    """Where the part of ``text`` ends that begins at ``start`` and folds to ``prefix``."""
    folded = ""
    end = start
    for match in _CLUSTER.finditer(text, start):
        if folded.startswith(prefix):
            break
        folded += _fold_cluster(match.group(0))
        end = match.end()
    while end < len(text) and unicodedata.category(text[end]) in ("Mn", "Mc", "Me"):
        end += 1
    return end


@dataclass(frozen=True, slots=True)
class _Places:
    """Where each folded character came from: the written character's beginning and end."""

    starts: list[int]
    ends: list[int]


def _tokens_of(folded: str, places: _Places | None, pattern: re.Pattern[str]) -> list[Token]:
    tokens: list[Token] = []
    last_end = -2
    for match in pattern.finditer(folded):
        start, end = match.span()
        joined = ""
        if start == last_end:
            joined = "="
        elif start == last_end + 1 and folded[last_end] in JOINERS:
            joined = folded[last_end]
        last_end = end
        first = places.starts[start] if places else start
        after = places.ends[end - 1] if places else end
        group = match.lastgroup
        if group == "run":
            _pairs(tokens, match.group(0), start, places, joined)
            continue
        if group == "symbol":
            tokens.append(Token(match.group(0), first, after, joined))
            continue
        word = match.group("word")
        word_end = start + len(word)
        stop = places.ends[word_end - 1] if places else word_end
        tokens.append(Token(word[:LONGEST_TOKEN], first, stop, joined))
        if match.group("plus") and len(word) < LONGEST_TOKEN:
            tokens.append(Token(match.group(0), first, after, "="))
    return tokens


def _pairs(tokens: list[Token], run: str, start: int, places: _Places | None, joined: str) -> None:
    """A run of a script without spaces as overlapping pairs, and its last character alone."""
    for offset in range(len(run)):
        piece = run[offset : offset + 2]
        left, right = start + offset, start + offset + len(piece)
        tokens.append(
            Token(
                piece,
                places.starts[left] if places else left,
                places.ends[right - 1] if places else right,
                joined if offset == 0 else "=",
                pair=True,
            )
        )


def _fold_with_places(text: str) -> tuple[str, _Places]:
    """The folded text, and for each of its characters where it stands in ``text``."""
    out: list[str] = []
    starts: list[int] = []
    ends: list[int] = []
    for match in _CLUSTER.finditer(text):
        piece = _fold_cluster(match.group(0))
        out.append(piece)
        starts.extend([match.start()] * len(piece))
        ends.extend([match.end()] * len(piece))
    return "".join(out), _Places(starts, ends)


@lru_cache(maxsize=65536)
def _fold_cluster(cluster: str) -> str:
    composed = unicodedata.normalize("NFC", cluster)
    if len(composed) == 1 and "\uac00" <= composed <= "\ud7af":
        return composed
    wide = unicodedata.normalize("NFKC", composed).casefold()
    bare = _STRIPPED.sub("", unicodedata.normalize("NFD", wide))
    return unicodedata.normalize("NFC", bare).translate(_EXTRA_FOLDS)


STOP_TERMS = frozenset(fold(word) for word in STOP_WORDS)


# -- stems


class _Stemmers(threading.local):
    """Snowball stemmers keep a buffer of their own, so each thread has its set."""

    def __init__(self) -> None:
        self.english = Stemmer.Stemmer("english")
        self.spanish = Stemmer.Stemmer("spanish")
        self.russian = Stemmer.Stemmer("russian")


_stemmers = _Stemmers()


@lru_cache(maxsize=262144)
def stem(term: str, language: str) -> str:
    """The stem of a folded term in ``language`` (en, es, ru, or any other: the term itself)."""
    if len(term) < 3 or not term.isalpha():
        return term
    if _CYRILLIC.match(term):
        return str(_stemmers.russian.stemWord(term))
    if language == "en":
        return str(_stemmers.english.stemWord(term))
    if language == "es":
        return str(_stemmers.spanish.stemWord(term))
    return term


def is_inflected(term: str) -> bool:
    """Whether names change their endings in the script of ``term``."""
    return _CYRILLIC.match(term) is not None


def stems_for_query(term: str) -> tuple[str, ...]:
    """Every stem under which ``term`` may have been indexed, whatever the language of the note."""
    return tuple(dict.fromkeys((stem(term, "en"), stem(term, "es"), term)))


def language_of(terms: Iterable[str]) -> str:
    """``en``, ``es`` or ``fil`` for Latin text, by its small words; ``en`` when none speaks.

    Cyrillic needs no guess: its tokens are always stemmed as Russian.
    """
    english = spanish = filipino = 0
    for term in terms:
        if term in _ENGLISH_WORDS:
            english += 1
        if term in _SPANISH_WORDS:
            spanish += 1
        if term in _FILIPINO_WORDS:
            filipino += 1
    if spanish > english and spanish >= filipino:
        return "es"
    if filipino > english and filipino > spanish:
        return "fil"
    return "en"


# -- what the index stores


@dataclass(frozen=True, slots=True)
class Terms:
    """The terms of one passage as space-separated strings, ready for the index.

    ``words`` are folded tokens in order, ``stems`` their stems in the same order.
    """

    words: str
    stems: str


def terms_of(text: str) -> Terms:
    """Analyse a text for indexing."""
    words = [token.term for token in tokenize(text)]
    language = language_of(words)
    return Terms(" ".join(words), " ".join([stem(word, language) for word in words]))
