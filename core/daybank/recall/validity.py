"""What was so at a time: which facts were in force then, and which had been overtaken.

A fact holds from its event's beginning, or from the day it was written, until its event ends or
until a later fact about the same subject fills the same place: one lives, works or studies at one
place at a time, and a thing has one price.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, timedelta

from daybank.dates import Interval
from daybank.index.analysis import fold, stem, tokenize
from daybank.index.store import StoredPassage
from daybank.markdown.model import Kind
from daybank.markdown.names import entity_key

_LOOK_AT = 5
"""A relation stands among the first words of a fact."""
_YEAR = timedelta(days=366)


def _stems(words: str, language: str) -> frozenset[str]:
    return frozenset(stem(fold(word), language) for word in words.split())


_RELATIONS: dict[str, frozenset[str]] = {
    "home": _stems("lives living resides dwells moved", "en")
    | _stems("vive reside mudó", "es")
    | _stems("живёт живет переехал переехала проживает", "ru")
    | frozenset("nakatira lumipat".split()),
    "work": _stems("works working employed job", "en")
    | _stems("trabaja", "es")
    | _stems("работает устроился устроилась", "ru")
    | frozenset("nagtatrabaho".split()),
    "study": _stems("studies studying", "en")
    | _stems("estudia", "es")
    | _stems("учится", "ru")
    | frozenset("nag-aaral estudyante".split()),
    "price": _stems("costs price rent salary wage", "en")
    | _stems("cuesta precio alquiler sueldo", "es")
    | _stems("стоит цена аренда зарплата", "ru")
    | frozenset("presyo halaga upa sahod".split()),
    "reach": _stems("phone number address email", "en")
    | _stems("teléfono dirección correo", "es")
    | _stems("телефон адрес почта", "ru")
    | frozenset("telepono tirahan".split()),
    "hours": _stems("opens closes open closed", "en")
    | _stems("abre cierra abierto cerrado", "es")
    | _stems("открыт закрыт открывается закрывается", "ru")
    | frozenset("bukas sarado".split()),
    "with": _stems("married engaged dating", "en")
    | _stems("casado casada", "es")
    | _stems("женат замужем", "ru")
    | frozenset("kasal".split()),
}


@dataclass(frozen=True, slots=True)
class Valid:
    """A fact with the time from which it held."""

    passage: StoredPassage
    start: date | None


def in_force(facts: Iterable[StoredPassage], window: Interval) -> list[Valid]:
    """Those of ``facts`` that held at some time in ``window``, latest beginning first. Things that
    happened (experiences) belong to the times at which they did."""
    held = [
        Valid(fact, _start(fact)) for fact in facts if _holds_in(fact, window) and fact.kind.is_fact
    ]
    held.sort(key=lambda item: (item.start or date.min, item.passage.source.path), reverse=True)
    begun = window.start or date.min
    filled: set[tuple[str, str]] = set()
    out = []
    for item in held:
        slot = _slot(item.passage)
        if slot is None:
            out.append(item)
            continue
        if slot in filled:
            continue
        out.append(item)
        if item.start is not None and item.start <= begun:
            filled.add(slot)  # what held before it was over when the time began
    return out


def _holds_in(fact: StoredPassage, window: Interval) -> bool:
    first, last = window.start or date.min, window.end or date.max
    event = fact.event
    if event is not None and not (event.start is None and event.end is None):
        return _earliest(fact) <= last and (event.end or date.max) >= first
    if fact.day is None:
        return False
    if fact.kind in (Kind.WORLD, Kind.OPINION):
        return fact.day <= last
    return first <= fact.day <= last


def _start(fact: StoredPassage) -> date | None:
    """From when a fact is known to hold. "Until Friday", written on Monday, says nothing of the
    years before; "lived there until June", written in July, does: then it is None."""
    event = fact.event
    if event is None or event.start is not None:
        return event.start if event is not None else fact.day
    is_over = event.end is not None and fact.day is not None and event.end < fact.day
    return None if is_over else fact.day


def _earliest(fact: StoredPassage) -> date:
    """The first day at which a fact may have held. Where neither its beginning nor the day it was
    written is known, "until June" reaches back a year: it says nothing of 1990."""
    event = fact.event
    start = _start(fact)
    if start is None and fact.day is None and event is not None and event.end is not None:
        return event.end - _YEAR
    return start or date.min


def _slot(fact: StoredPassage) -> tuple[str, str] | None:
    """Whose place in which relation a fact fills; None where many may be true at once."""
    if fact.kind is not Kind.WORLD or not fact.names:
        return None
    for token in tokenize(fact.content)[:_LOOK_AT]:
        spelled = {token.term, stem(token.term, "en"), stem(token.term, "es")}
        for relation, stems in _RELATIONS.items():
            if not spelled.isdisjoint(stems):
                return entity_key(fact.names[0]), relation
    return None
