"""What an owner settles in a conversation, sentence by sentence, and what it is about.

Every point is a sentence of the owner's own, at most cut short; nothing is put into other words.
The cues are those by which notes are found in logs, and a few that people use towards an assistant.
Pure but for how often a word stands in the notes.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from daybank.index.analysis import STOP_TERMS, stems_for_query, terms_of, tokenize
from daybank.index.store import IndexStore
from daybank.markdown.names import fold_text
from daybank.recall.names import KnownNames
from daybank.reflect.cautious import unfit_for_pages
from daybank.reflect.extract.people import language_of
from daybank.reflect.extract.refusing import closed_lines, reason_against, too_long
from daybank.reflect.extract.sentences import Prose, Sentence, fold, sentences
from daybank.reflect.extract.vocabulary import VOCABULARIES, Vocabulary, Words
from daybank.secrets import mask

DECISION, PREFERENCE, TECHNICAL = "Decision", "Preference", "Technical choice"
LABELS = (DECISION, PREFERENCE, TECHNICAL)

_LONGEST_POINT = 240
_LONGEST_MESSAGE = 4000
_MOST_THEMES = 6
_MOST_NAMES = 3
_SHORTEST_THEME = 4

_SETTLES = Words(
    "let's_go_with it's_settled we'll_take i'll_take go_ahead_with we_stop i_promise i_promised "
    "queda_decidido nos_quedamos_con vamos_con "
    "решено остановимся_на берем "
    "sige_na_sa napagdesisyunan"
)
_WISHES = Words(
    "no_more never_again please_don't i_don't_want we_don't_want rather_not stick_to keep_it_short "
    "ya_no_quiero no_quiero nunca_mas quiero_que no_mas "
    "больше_не больше_никаких не_хочу хочу_чтобы "
    "ayoko ayaw_ko gusto_ko huwag_na wag_na"
)
_CHOOSES = Words(
    "use uses using used switch* go_with going_with migrate* install* deploy* replace* upgrade* "
    "stick_with instead_of chose choose set_up store* pin* moved_to move_to "
    "usar usamos usa usaremos uso cambi* instal* migr* en_vez_de en_lugar_de reemplaz* pasamos_a "
    "использ* перейд* переход* переш* установ* постав* вместо мигрир* замен* храни* обнов* "
    "gagamit* ginamit* gamitin* lilipat* lumipat* pinalitan* imbes"
)
_TECHNICAL = Words(
    "python rust javascript typescript java golang sql sqlite postgres postgresql mysql redis "
    "docker kubernetes git github gitlab linux windows macos ubuntu debian server* database* "
    "api apis library libraries framework* backup* script* config* schema cron webhook* json yaml "
    "csv markdown html css regex embedding* deploy* plugin* browser firefox chrome vpn dns ssh "
    "wi-fi wifi router spreadsheet* excel obsidian logseq telegram whatsapp signal cloud "
    "encryption branch refactor* endpoint* cache software firmware compiler editor keyboard laptop "
    "servidor* base_de_datos libreria* nube programa navegador contenedor* "
    "сервер* баз* библиотек* скрипт* облак* браузер* плагин* контейнер* программ* репозитори*"
)
_IDENTIFIER = re.compile(
    r"(?<![\w/.@])(?:[a-z]+[A-Z]\w+|\w+_\w+|v?\d+\.\d+\.\d+|[\w-]+\.(?:py|js|ts|rs|go|sh|md|toml|ya?ml"
    r"|json|sql|db|sqlite|conf))(?!\w)"
)


@dataclass(frozen=True, slots=True)
class Said:
    """A message of the owner's, with its number in the conversation."""

    text: str
    number: int


@dataclass(frozen=True, slots=True)
class Point:
    """A sentence that settles something: what kind of thing, its words, and the number of the
    message that it stands in."""

    label: str
    text: str
    number: int


def find_points(said: Sequence[Said], most: int) -> list[Point]:
    """The points of a conversation, decisions first, each kind in the order in which it was said
    and the latest ``most`` of it."""
    usual = language_of("\n".join(one.text[:_LONGEST_MESSAGE] for one in said))
    found: dict[str, Point] = {}
    for one in said:
        for label, sentence in _settling(one.text, usual):
            found[fold_text(sentence.text)] = Point(label, _shown(sentence.text), one.number)
    points = list(found.values())
    return [
        point
        for label in LABELS
        for point in [p for p in points if p.label == label][-max(0, most) :]
    ]


def find_themes(
    said: Sequence[Said], around: Sequence[str], names: KnownNames, store: IndexStore
) -> list[str]:
    """What a conversation is about: the people and things that its owner names, then the owner's
    words that stand in it more often than in the notes. A word counts that is said again, by the
    others too (``around``), or after an article or the like."""
    named: Counter[str] = Counter()
    spelled: set[str] = set()
    weights: Counter[str] = Counter()
    shown: dict[str, str] = {}
    heard = {stem for text in around for stem in terms_of(text[:_LONGEST_MESSAGE]).stems.split()}
    usual = language_of("\n".join(one.text[:_LONGEST_MESSAGE] for one in said))
    for one in said:
        text = mask(one.text[:_LONGEST_MESSAGE])
        tokens = tokenize(text)
        for entity in names.in_text(text, tokens):
            named[entity.name] += 1
            words = tokenize(" ".join((entity.name, *entity.aliases)))
            spelled.update(token.term for token in words)
        before = ""
        for token in tokens:
            word = text[token.start : token.end]
            if not token.pair and _may_be_theme(token.term, word):
                shown.setdefault(token.term, word)
                weights[token.term] += 1
                weights[token.term] += heard.isdisjoint(stems_for_query(token.term)) is False
                weights[token.term] += usual is not None and usual.markers.has(before)
            before = fold(word)
    passages = max(store.passages_in_all(), 1)
    places = {term: place for place, term in enumerate(weights)}

    def worth(term: str) -> float:
        known = max(store.document_frequency((stem,)) for stem in stems_for_query(term))
        return weights[term] * math.log(1 + passages / (1 + known))

    telling = [term for term in weights if term not in spelled and weights[term] > 1]
    telling.sort(key=lambda term: (-worth(term), places[term]))
    people = [name for name, _ in named.most_common(_MOST_NAMES)]
    return [*people, *(shown[term] for term in telling)][:_MOST_THEMES]


def _settling(text: str, usual: Vocabulary | None) -> list[tuple[str, Sentence]]:
    """The sentences of a message that settle something and may be repeated on a page."""
    plain = text[:_LONGEST_MESSAGE].replace("`", " ")  # marks a name of a program or a file
    prose = Prose(plain, 1)
    found = []
    for sentence in sentences(prose):
        vocabulary = None if too_long(sentence) else language_of(sentence.text, usual)
        label = _label(sentence, vocabulary) if vocabulary is not None else None
        if label is not None:
            found.append((label, sentence))
    closed = closed_lines(prose) if found else {}
    return [(label, sentence) for label, sentence in found if _may_be_told(sentence, closed)]


def _may_be_told(sentence: Sentence, closed: Mapping[int, str]) -> bool:
    first, last = sentence.lines
    return (
        closed.keys().isdisjoint(range(first, last + 1))
        and reason_against(sentence) is None
        and unfit_for_pages(sentence.text) is None
    )


def _label(sentence: Sentence, vocabulary: Vocabulary) -> str | None:
    words = sentence.words
    idle = {
        place
        for at in range(len(words))
        for place in range(at, at + vocabulary.idioms.length_at(words, at))
    }

    def says(*lists: Words) -> bool:
        return any(at not in idle for listed in lists for at in listed.places(words))

    if vocabulary.vague.length_at(words, 0) or vocabulary.halves.length_at(words, 0):
        return None  # it leans on another sentence
    if says(vocabulary.hedges) or not _has_content(words, vocabulary):
        return None
    decides = says(vocabulary.decisions, _SETTLES)
    is_technical = says(_TECHNICAL) or _IDENTIFIER.search(sentence.text) is not None
    if is_technical and (decides or says(_CHOOSES)):
        return TECHNICAL
    if decides:
        return DECISION
    own = vocabulary.drops_subject or vocabulary.verb_first or says(vocabulary.first)
    wishes = says(_WISHES) or (own and says(vocabulary.preferences))
    return PREFERENCE if wishes else None


def _has_content(words: Sequence[str], vocabulary: Vocabulary) -> bool:
    """Whether more is said than "Agreed, agreed"."""
    empty = (
        vocabulary.function,
        vocabulary.first,
        vocabulary.second,
        vocabulary.vague,
        vocabulary.decisions,
        vocabulary.promises,
        vocabulary.preferences,
        vocabulary.chatter,
        vocabulary.leads,
    )
    return len({word for word in words if not any(w.has(word) for w in empty)}) > 1


def _shown(text: str) -> str:
    """A sentence on one line that cannot be taken for a citation or end its bullet."""
    said = " ".join(text.split()).replace("^", "").replace("#L", "# L")
    if len(said) > _LONGEST_POINT:
        said = said[:_LONGEST_POINT].rsplit(" ", 1)[0].rstrip(" ,;:") + "…"
    return said


def _may_be_theme(term: str, word: str) -> bool:
    if len(term) < _SHORTEST_THEME or not word.isalpha() or term in STOP_TERMS:
        return False
    return not _says_nothing(fold(word))


@lru_cache(maxsize=65536)
def _says_nothing(folded: str) -> bool:
    """Whether a word tells what was done or felt, or nothing at all, but not what it was about."""
    return any(
        listed.has(folded)
        for v in VOCABULARIES
        for listed in (
            v.function, v.first, v.second, v.leaning, v.vague, v.small, v.lesser, v.being,
            v.hedges, v.chatter, v.bare, v.leads, v.joins, v.decisions, v.preferences, v.promises,
            v.plans, v.events, v.states, v.halves, v.pointing, v.day_words, v.loose, v.feelings,
            v.regularly, v.units, v.not_names, v.habits,
        )
    )  # fmt: skip
