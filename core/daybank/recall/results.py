"""What a recall answers with, and its stable JSON."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date

from daybank.dates import Interval
from daybank.markdown.model import Kind, Role, Source

Json = Mapping[str, object]


@dataclass(frozen=True, slots=True)
class RecallQuery:
    """The question as it was understood.

    ``words`` are what was looked for, as typed; ``phrases`` stood in quotes; ``excluded`` had a
    minus; ``entities`` are shown names found in the text or asked for. ``window`` is the time
    asked for and ``window_phrase`` the words it came from (None when it came from a filter).
    """

    text: str
    words: tuple[str, ...] = ()
    phrases: tuple[str, ...] = ()
    excluded: tuple[str, ...] = ()
    entities: tuple[str, ...] = ()
    window: Interval | None = None
    window_phrase: str | None = None
    kinds: tuple[Kind, ...] = ()

    @property
    def is_blank(self) -> bool:
        """Nothing to look for at all: no word, no name, no time, no kind."""
        return not (self.words or self.phrases or self.entities or self.window or self.kinds)

    def to_json(self) -> Json:
        since = self.window.start if self.window else None
        until = self.window.end if self.window else None
        return {
            "text": self.text,
            "words": list(self.words),
            "entities": list(self.entities),
            "since": since.isoformat() if since else None,
            "until": until.isoformat() if until else None,
            "kinds": [str(kind) for kind in self.kinds],
        }


@dataclass(frozen=True, slots=True)
class Why:
    """Why a result is here, in the terms a person used."""

    words: tuple[str, ...] = ()
    entities: tuple[str, ...] = ()
    in_window: bool = False
    outside: bool = False  # a time was named, and this is of another
    context: bool = False  # the lines around it speak of it
    meaning: bool = False  # it means something like the question

    def to_json(self) -> Json:
        return {
            "words": list(self.words),
            "entities": list(self.entities),
            "dates": self.in_window,
            "context": self.context,
            "meaning": self.meaning,
        }


@dataclass(frozen=True, slots=True)
class Side:
    """A note that speaks for or against an opinion, as the opinion's page cites it. ``stance`` is
    ``supports``, ``weakens``, ``contradicts``, ``start``, ``restated`` or ``set``; ``content`` is
    empty where the note is not there any more."""

    stance: str
    day: date | None
    source: str | None
    id: str | None
    content: str

    def to_json(self) -> Json:
        return {
            "stance": self.stance,
            "timestamp": self.day.isoformat() if self.day else None,
            "source": self.source,
            "id": self.id,
            "content": self.content,
        }


@dataclass(frozen=True, slots=True)
class RecallResult:
    """One cited passage. ``highlights`` are [start, end) offsets into ``content``.

    ``id`` is the fact id for facts and a passage id (``p-…``) otherwise; both survive edits
    elsewhere, renames and rebuilds. ``event`` is the time the text speaks of, ``day`` the day it
    was written down. ``score`` compares results of one answer only. An opinion on its page has its
    ``sides``, oldest first, and is ``superseded`` where another took its place.
    """

    kind: Kind
    content: str
    source: Source
    id: str
    score: float
    day: date | None = None
    event: Interval | None = None
    entities: tuple[str, ...] = ()
    confidence: float | None = None
    why: Why = field(default_factory=Why)
    highlights: tuple[tuple[int, int], ...] = ()
    trail: tuple[str, ...] = ()
    role: Role = Role.PAGE
    machine: bool = False
    untrusted: bool = False
    sides: tuple[Side, ...] = ()
    superseded: bool = False

    def to_json(self) -> Json:
        timestamp: object = self.day.isoformat() if self.day else None
        if self.event is not None:
            start, end = self.event.start, self.event.end
            if start is not None and start == end:
                timestamp = start.isoformat()
            else:
                timestamp = {
                    "start": start.isoformat() if start else None,
                    "end": end.isoformat() if end else None,
                }
        found: dict[str, object] = {
            "kind": str(self.kind),
            "timestamp": timestamp,
            "entities": list(self.entities),
            "content": self.content,
            "source": str(self.source),
            "confidence": self.confidence,
            "id": self.id,
            "score": round(self.score, 6),
            "why": self.why.to_json(),
        }
        if self.sides or self.superseded:
            found["evidence"] = [side.to_json() for side in self.sides]
            found["superseded"] = self.superseded
        return found


@dataclass(frozen=True, slots=True)
class Notice:
    """Something the asker should know about the answer. ``id`` is stable, ``message`` plain.

    ``blank``: nothing was asked. ``only-excluded``: only words to leave out. ``not-indexed``: the
    folder was never read. ``partly-indexed``: it is being read for the first time, or anew.
    ``stale``: what changed since the last look could not be read. ``slow-search``: this SQLite has
    no FTS5. ``cut``: more was found than fits the budget. ``alike``: for the budget's sake notes
    that say nearly the same were left out. ``meaning-off``: search by meaning was prepared and does
    not work now. ``meaning-partly``: it is prepared for part of the notes. ``meaning-other``:
    another model than the chosen one answers. ``long-query``: only the beginning of a very long
    question was used. ``nothing-in-window``: nothing of that time. ``only-dates``: no note of that
    time says the words, so all of that time are shown.
    """

    id: str
    message: str


@dataclass(frozen=True, slots=True)
class RecallAnswer:
    """What was understood, what was found, and what should be said about it.

    ``found`` counts the notes that matched before ``k`` cut the list (a lower bound when very many
    do, then ``found_is_exact`` is False). ``kind_counts`` counts them by kind with the kind filter
    left out, for choosing further.
    """

    query: RecallQuery
    results: tuple[RecallResult, ...] = ()
    notices: tuple[Notice, ...] = ()
    found: int = 0
    found_is_exact: bool = True
    kind_counts: tuple[tuple[Kind, int], ...] = ()

    def to_json(self) -> Json:
        return {
            "query": self.query.to_json(),
            "results": [result.to_json() for result in self.results],
            "notices": [{"id": n.id, "message": n.message} for n in self.notices],
        }
