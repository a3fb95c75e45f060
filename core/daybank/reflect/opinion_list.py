"""Opinions as a person meets them: how sure, since when, and what moved them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date

from daybank.index.filter import Filter
from daybank.index.store import IndexStore, StoredPassage
from daybank.markdown.model import Kind, Source
from daybank.markdown.names import entity_key, fold_text
from daybank.markdown.opinions import EvidenceLine, OpinionEntry, read_opinions
from daybank.recall.names import KnownNames
from daybank.reflect.beliefs import keys_of
from daybank.reflect.confidence import Replay, replay
from daybank.reflect.opinion_edits import opinion_id


@dataclass(frozen=True, slots=True)
class OpinionStep:
    """One move of an opinion's confidence: on ``day`` it became ``value`` (in [0, 1]), by
    ``delta``. ``key`` is what moved it (``start``, ``supports``, ``weakens``, ``contradicts``,
    ``restated``, ``set``), ``rule`` the rule in words, ``content`` the words of the note that did,
    empty where there is none or it is gone; ``source`` and ``id`` cite it."""

    day: date | None
    value: float
    delta: float
    key: str
    rule: str
    content: str = ""
    source: str | None = None
    id: str | None = None


@dataclass(frozen=True, slots=True)
class Ignored:
    """Evidence on the page that moves nothing, and why."""

    key: str
    day: date | None
    reason: str
    content: str = ""
    source: str | None = None
    id: str | None = None


@dataclass(frozen=True, slots=True)
class Opinion:
    """An opinion with its whole curve, oldest step first.

    ``id`` is its ``op-…``; ``source`` where it stands. ``on_page`` is False for one that so far
    stands in a log only. ``superseded_by`` is the id of the opinion that took its place.
    ``evidence`` holds free words of evidence from its page, which move nothing.
    """

    id: str
    statement: str
    entities: tuple[str, ...]
    confidence: float
    source: Source
    steps: tuple[OpinionStep, ...]
    ignored: tuple[Ignored, ...] = ()
    evidence: tuple[str, ...] = ()
    on_page: bool = True
    superseded_by: str | None = None
    updated: date | None = None

    @property
    def change(self) -> float:
        """By how much the last step moved it."""
        return self.steps[-1].delta if len(self.steps) > 1 else 0.0

    def to_json(self) -> dict[str, object]:
        return {
            "id": self.id,
            "statement": self.statement,
            "entities": list(self.entities),
            "confidence": round(self.confidence, 4),
            "source": str(self.source),
            "on_page": self.on_page,
            "superseded_by": self.superseded_by,
            "updated": self.updated.isoformat() if self.updated else None,
            "history": [
                {
                    "day": step.day.isoformat() if step.day else None,
                    "value": round(step.value, 4),
                    "delta": round(step.delta, 4),
                    "key": step.key,
                    "rule": step.rule,
                    "content": step.content,
                    "source": step.source,
                    "id": step.id,
                }
                for step in self.steps
            ],
        }


def list_opinions(
    store: IndexStore, names: KnownNames, path: str, data: bytes | None, about: str | None = None
) -> tuple[Opinion, ...]:
    """Every opinion on the page ``path``, in its order, and then those of the logs that are on no
    page yet, newest first; with ``about`` only those about that person or thing."""
    entries = read_opinions(path, data).entries if data is not None else ()
    found = [_of_page(entry, store, names) for entry in entries]
    found += _of_logs(store, names, entries)
    if about is None:
        return tuple(found)
    known = names.find(about)
    key = known.key if known is not None else entity_key(about)
    return tuple(opinion for opinion in found if key in keys_of(names, opinion.entities))


def _of_page(entry: OpinionEntry, store: IndexStore, names: KnownNames) -> Opinion:
    curve = replay(entry.evidence, entry.confidence)
    cited = _cited(store, entry.evidence)
    return Opinion(
        entry.op_id or opinion_id(entry.statement, entry.names),
        entry.statement,
        _shown(names, entry.names),
        curve.confidence,
        entry.passage.source,
        _steps(curve, cited),
        tuple(
            Ignored(
                item.cause.key.value,
                item.cause.day,
                item.reason,
                *_words(item.cause, cited),
            )
            for item in curve.ignored
        ),
        tuple(line.text for line in entry.evidence if line.key.value == "evidence"),
        superseded_by=entry.superseded_by,
        updated=curve.day or entry.passage.day,
    )


def _of_logs(
    store: IndexStore, names: KnownNames, entries: Sequence[OpinionEntry]
) -> list[Opinion]:
    """Opinions that only logs hold, each statement once, as its newest note says it."""
    cited = {line.id for entry in entries for line in entry.evidence if line.id}
    said = {
        (fold_text(entry.statement).rstrip(". "), keys_of(names, entry.names)) for entry in entries
    }
    out: list[Opinion] = []
    ids = store.newest(Filter(kinds=(Kind.OPINION,)), 5000)
    stored = store.passages(ids)
    for id_ in ids:
        fact = stored.get(id_)
        if fact is None or fact.machine or fact.untrusted or fact.role.value != "log":
            continue
        subjects = fact.names[: fact.subjects]
        key = (fold_text(fact.content).rstrip(". "), keys_of(names, subjects))
        if fact.uid in cited or key in said:
            continue
        said.add(key)
        out.append(_of_log(fact, names))
    return out


def _of_log(fact: StoredPassage, names: KnownNames) -> Opinion:
    curve = replay((), fact.confidence)
    first = curve.steps[0]
    step = OpinionStep(
        fact.day, first.value, 0.0, "start", first.rule, fact.content, str(fact.source), fact.uid
    )
    subjects = fact.names[: fact.subjects]
    statement = fact.content.strip().removesuffix(".")
    return Opinion(
        opinion_id(statement, subjects),
        statement,
        _shown(names, subjects),
        first.value,
        fact.source,
        (step,),
        on_page=False,
        updated=fact.day,
    )


def _steps(curve: Replay, cited: dict[str, StoredPassage]) -> tuple[OpinionStep, ...]:
    return tuple(
        OpinionStep(
            step.day,
            step.value,
            step.delta,
            step.key.value,
            step.rule,
            *(_words(step.cause, cited) if step.cause is not None else ("", None, None)),
        )
        for step in curve.steps
    )


def _words(
    line: EvidenceLine, cited: dict[str, StoredPassage]
) -> tuple[str, str | None, str | None]:
    """The words of the note that a line cites, where it stands now, and its id."""
    fact = cited.get(line.id or "")
    if fact is None:
        return "", line.source, line.id
    return fact.content, str(fact.source), line.id


def _cited(store: IndexStore, lines: Iterable[EvidenceLine]) -> dict[str, StoredPassage]:
    return {fact.uid: fact for fact in store.evidence([line.id for line in lines if line.id])}


def _shown(names: KnownNames, some: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(names.shown(name) for name in some))
