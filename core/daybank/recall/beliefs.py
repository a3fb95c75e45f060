"""Both sides of an opinion: what its page cites for it and against it, with the notes' words."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date

from daybank.index.store import IndexStore, StoredPassage
from daybank.markdown.model import Kind, Role
from daybank.markdown.opinions import Key, OpinionEntry, OpinionsPage
from daybank.recall.results import Side

ReadOpinions = Callable[[str], OpinionsPage | None]
"""The opinions of a page by its path; None where it cannot be read now."""

_SIDES = (Key.START, Key.SUPPORTS, Key.WEAKENS, Key.CONTRADICTS, Key.RESTATED, Key.SET)


class Beliefs:
    """The opinions on the pages that one answer speaks of; each page is read once."""

    def __init__(self, store: IndexStore, read: ReadOpinions) -> None:
        self._store = store
        self._read = read
        self._pages: dict[str, dict[int, OpinionEntry]] = {}
        self._starts: dict[str, date | None] = {}

    def entry(self, passage: StoredPassage) -> OpinionEntry | None:
        """The opinion as it stands on its page; None for what is no opinion of a page."""
        if passage.kind is not Kind.OPINION or passage.role is not Role.BANK:
            return None
        return self._page(passage.source.path).get(passage.source.line_start)

    def sides(self, entry: OpinionEntry) -> tuple[Side, ...]:
        """What the lines under an opinion cite, in their order."""
        found = []
        for line in entry.evidence:
            if line.key not in _SIDES:
                continue
            places = self._store.by_uid(line.id) if line.id else []
            first = next((place for place in places if not place.machine), None)
            source = str(first.source) if first is not None else line.source
            content = first.content if first is not None else ""
            found.append(Side(line.key.value, line.day, source, line.id, content))
        return tuple(found)

    def replaced_on(self, entry: OpinionEntry) -> date | None:
        """The first day of the opinion that took the place of ``entry``; None while it stands, or
        where that day is not known."""
        successor = entry.superseded_by
        return self._starts.get(successor) if successor else None

    def _page(self, path: str) -> dict[int, OpinionEntry]:
        if path not in self._pages:
            page = self._read(path)
            entries = page.entries if page is not None else ()
            self._pages[path] = {entry.line_start: entry for entry in entries}
            for entry in entries:
                if entry.op_id:
                    days = [line.day for line in entry.evidence if line.day is not None]
                    self._starts[entry.op_id] = min(days, default=None)
        return self._pages[path]
