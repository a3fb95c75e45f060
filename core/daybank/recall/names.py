"""The people and things known to the index, and finding them in a question."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date

from daybank.index.analysis import STOP_TERMS, Token, is_inflected, stem, tokenize
from daybank.index.store import EntityRow, NameCount
from daybank.markdown.names import entity_key

_LONGEST_NAME = 5


@dataclass(frozen=True, slots=True)
class KnownEntity:
    """A person or thing: the key of its shown name, and every key that counts as it."""

    key: str
    name: str
    keys: tuple[str, ...]
    aliases: tuple[str, ...]
    type: str | None
    page: str | None
    mentions: int
    first_day: date | None
    last_day: date | None


class KnownNames:
    """All entities of one state of the index. Names merge only where a page's aliases say so."""

    def __init__(self, counts: Iterable[NameCount], pages: Iterable[EntityRow]) -> None:
        by_key = {count.key: count for count in counts}
        owner: dict[str, str] = {}
        page_of: dict[str, EntityRow] = {}
        for page in pages:
            page_of.setdefault(page.key, page)
            owner.setdefault(page.key, page.key)
        for page in page_of.values():
            for alias in page.aliases:
                owner.setdefault(entity_key(alias), page.key)
        members: dict[str, list[str]] = {}
        for key in (*page_of, *by_key):
            group = members.setdefault(owner.get(key, key), [])
            if key not in group:
                group.append(key)
        for key, main in owner.items():
            if key not in members[main]:
                members[main].append(key)
        self._entities = {
            main: _entity(main, keys, by_key, page_of.get(main)) for main, keys in members.items()
        }
        self._owner = {key: main for main, keys in members.items() for key in keys}
        # Folding makes Işıl and Isil one spelling, yet they stay two people: hence a list.
        self._spelled: dict[tuple[str, ...], list[str]] = {}
        self._inflected: dict[tuple[str, ...], list[str]] = {}
        for main, entity in self._entities.items():
            spelled = (entity.name, *entity.aliases, *(k for k in entity.keys))
            for name in spelled:
                terms = tuple(token.term for token in tokenize(name))
                if terms and not (len(terms) == 1 and terms[0] in STOP_TERMS):
                    mains = self._spelled.setdefault(terms, [])
                    if main not in mains:
                        mains.append(main)
                    if all(map(is_inflected, terms)):
                        stems = tuple(stem(term, "ru") for term in terms)
                        self._inflected.setdefault(stems, []).append(main)

    def all(self) -> Sequence[KnownEntity]:
        """Every entity, most mentioned first, then by name."""
        return sorted(self._entities.values(), key=lambda e: (-e.mentions, e.key))

    def find(self, name: str) -> KnownEntity | None:
        """The entity of this name or alias, in whatever case and width."""
        main = self._owner.get(entity_key(name.strip().removeprefix("@").strip("[]")))
        return self._entities[main] if main is not None else None

    def shown(self, name: str) -> str:
        """The shown name of the entity that ``name`` is a spelling of."""
        entity = self.find(name)
        return entity.name if entity is not None else name

    def in_text(self, text: str, tokens: Sequence[Token]) -> list[KnownEntity]:
        """The entities named in a question, given with its tokens: in order, longest names first
        at each place. Where several are spelled so, the one written exactly so, else all. A name
        in another case (“о Лене”) counts where it is written as a name."""
        found: dict[str, KnownEntity] = {}
        at = 0
        while at < len(tokens):
            for length in range(min(_LONGEST_NAME, len(tokens) - at), 0, -1):
                span = tokens[at : at + length]
                mains = self._spelled.get(tuple(token.term for token in span))
                if mains is None and text[span[0].start].isupper():
                    mains = self._inflected.get(tuple(stem(token.term, "ru") for token in span))
                if mains:
                    exact = self._owner.get(entity_key(text[span[0].start : span[-1].end]))
                    for main in [exact] if exact in mains else mains:
                        found.setdefault(main, self._entities[main])
                    at += length
                    break
            else:
                at += 1
        return list(found.values())


def _entity(
    main: str, keys: list[str], by_key: dict[str, NameCount], page: EntityRow | None
) -> KnownEntity:
    counts = [by_key[key] for key in keys if key in by_key]
    firsts = [c.first_day for c in counts if c.first_day is not None]
    lasts = [c.last_day for c in counts if c.last_day is not None]
    spelled = by_key[main].name if main in by_key else main
    name = page.title if page is not None else spelled
    return KnownEntity(
        key=main,
        name=name,
        keys=tuple(sorted(keys)),
        aliases=page.aliases if page is not None else (),
        type=page.type if page is not None else None,
        page=page.path if page is not None else None,
        mentions=sum(count.mentions for count in counts),
        first_day=min(firsts, default=None),
        last_day=max(lasts, default=None),
    )
