"""Phase 4: the lists that Daybank keeps on ``bank/world.md`` and ``bank/experience.md``.

Only new facts are looked at, each once: it is suggested or left out with the reason, and what was
left out as less telling does not come back by itself. Written down again, it is a new fact. So a
page grows by what lasts, and a rejected line stays rejected.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta

from daybank.index.store import StoredPassage
from daybank.markdown.inline import citations, plain, without_citations
from daybank.markdown.model import Kind
from daybank.markdown.names import fold_text
from daybank.markdown.retain import parse_bullet
from daybank.reflect.cautious import unfit_for_pages
from daybank.reflect.managed import (
    UNCLOSED,
    Entry,
    ManagedBlock,
    PageText,
    block_at_end,
    cited_fact,
    find_block,
    holds_up,
    is_gone,
    open_page,
    shown_paragraphs,
    whole_block,
)
from daybank.reflect.material import Material, PhaseResult, Skipped, cited, evidence_of
from daybank.reflect.phrasing import bullet_of, day_words, in_short, unwritable
from daybank.reflect.telling import (
    contains,
    ended,
    over_since,
    replaced_by,
    says_the_same,
    telling,
)
from daybank.review.proposal import Draft, Hunk, Phase

HEADING = "Lately"
MOST_NEW = 12
"""New lines a run suggests for one page."""
MOST_LINES = 60
"""Lines of a list; above that the least telling of the oldest go."""
MOST_FOLDED = 0.25
"""The share of a list that one run suggests to take out for being too long."""
_LOOKED_AT = 200


@dataclass(frozen=True, slots=True)
class _List:
    """One of the pages: its facts, and from which score they are worth a line."""

    path: str
    title: str
    block: str
    kind: Kind
    phase: Phase
    worth: float


_WORLD = _List("bank/world.md", "World", "world", Kind.WORLD, Phase.WORLD, 1.75)
_EXPERIENCE = _List(
    "bank/experience.md", "Experience", "experience", Kind.EXPERIENCE, Phase.EXPERIENCE, 2.0
)


def suggest_lists(material: Material) -> PhaseResult:
    """Suggestions for the two lists, made of the new facts and of what became of older ones."""
    results = [_Keeper(material, what).suggest() for what in (_WORLD, _EXPERIENCE)]
    return PhaseResult(
        tuple(draft for result in results for draft in result.drafts),
        tuple(item for result in results for item in result.skipped),
    )


class _Keeper:
    """One list in one run."""

    def __init__(self, material: Material, what: _List) -> None:
        self._material = material
        self._what = what
        self._skipped: list[Skipped] = []
        self._fresh = [fact for fact in material.new if fact.kind is what.kind]
        self._replaced: dict[str, StoredPassage] = {}

    def suggest(self) -> PhaseResult:
        page = open_page(self._material, self._what.path)
        if isinstance(page, str):
            return self._left_out(page)
        block = find_block(page, self._what.block)
        if isinstance(block, str):
            return self._left_out(block)
        entries = block.entries if block is not None else ()
        cites = {uid: cited_fact(self._material.store, uid) for e in entries for uid in e.ids}
        self._replaced = self._overtaken([fact for fact in cites.values() if fact is not None])
        going = [entry for entry in entries if is_gone(self._material, entry)]
        coming = self._coming(page, going)
        hunks = self._closed([entry for entry in entries if entry not in going], cites, coming)
        gone = "The note it cites is gone."
        hunks += [self._change(entry, [], gone, [], 0.8) for entry in going]
        said = {line for hunk in hunks for line in hunk.new}
        coming = [fact for fact in coming if _line(fact) not in said]
        if block is None:
            hunks = self._new_block(page, coming)
        else:
            hunks += self._folded(block, cites, hunks, len(coming))
            hunks += [self._addition(fact, block) for fact in coming]
        if hunks and not holds_up(page, hunks, self._what.block):
            return self._left_out(UNCLOSED)
        hunks.sort(key=lambda hunk: (hunk.line, len(hunk.old)))
        drafts = tuple(Draft(self._what.path, self._what.phase, hunk) for hunk in hunks)
        return PhaseResult(drafts, tuple(self._skipped))

    def _overtaken(self, cited_facts: Sequence[StoredPassage]) -> dict[str, StoredPassage]:
        """Which facts of the run and of the list a later one has overtaken. Only the notes about
        those whom they name first are looked at."""
        if self._what.kind is not Kind.WORLD:
            return {}
        pool = {fact.uid: fact for fact in (*self._fresh, *cited_facts)}
        keys: set[str] = set()
        for fact in tuple(pool.values()):
            entity = self._material.names.find(fact.names[0]) if fact.names else None
            if entity is not None and entity.key not in keys:
                keys.add(entity.key)
                about = self._material.store.evidence_about(entity.keys, _LOOKED_AT)
                pool |= {other.uid: other for other in about}
        return replaced_by(pool.values(), self._today)

    # -- what comes in

    def _coming(self, page: PageText, going: Sequence[Entry]) -> list[StoredPassage]:
        """The new facts to put in, earliest first; ``going`` does not count as said."""
        worthy: list[StoredPassage] = []
        for fact in sorted(self._fresh, key=_in_time, reverse=True):
            reason = self._against(fact, worthy)
            if reason is None:
                worthy.append(fact)
            else:
                self._skip(fact, reason)
        ranked = sorted(worthy, key=lambda fact: (-self._score(fact), *_in_time(fact)))
        for fact in ranked[MOST_NEW:]:
            self._skip(fact, "less telling than the ones suggested")
        chosen = ranked[:MOST_NEW]
        known = _Known(page, going)
        out = []
        for fact in chosen:
            if known.has(fact):
                self._skip(fact, "the page says it already")
            else:
                out.append(fact)
        return sorted(out, key=_in_time)

    def _against(self, fact: StoredPassage, others: Sequence[StoredPassage]) -> str | None:
        refused = unfit_for_pages(fact.content) or unwritable(fact)
        if refused is not None:
            return refused
        if fact.uid in self._replaced:
            return "a newer note says otherwise"
        over = over_since(fact, self._today)
        if self._what.kind is Kind.WORLD and over is not None:
            return f"it was over on {day_words(over)}"
        if self._score(fact) < self._what.worth:
            return "too little in it that lasts"
        if any(
            other.names[:1] == fact.names[:1] and says_the_same(other.content, fact.content)
            for other in others
        ):
            return "a newer note says the same"
        return None

    def _new_block(self, page: PageText, facts: Sequence[StoredPassage]) -> list[Hunk]:
        if not facts:
            return []
        lines = [_line(fact) for fact in facts]
        name = self._what.block
        if page.lines:
            hunk = block_at_end(page, name, lines, HEADING)
        else:
            hunk = Hunk(1, (), (f"# {self._what.title}", "", *whole_block(name, lines)), "")
        many = "one note" if len(facts) == 1 else f"{len(facts)} notes"
        return [
            replace(
                hunk,
                reason=f"A list of what is new: {many} that the page does not have yet.",
                evidence=tuple(evidence_of(fact) for fact in facts),
                topic=f"{name}:list",
                certainty=0.6,
            )
        ]

    def _addition(self, fact: StoredPassage, block: ManagedBlock) -> Hunk:
        tells = telling(fact, self._today).what
        when = f" of {day_words(fact.day)}" if fact.day is not None else ""
        return Hunk(
            block.end,
            (),
            (_line(fact),),
            f"The note{when} tells of {tells}; the page does not have it yet.",
            (evidence_of(fact),),
            f"{self._what.block}:{fact.uid}",
            min(0.8, 0.4 + self._score(fact) / 12),
        )

    # -- what is there

    def _closed(
        self,
        entries: Sequence[Entry],
        cites: dict[str, StoredPassage | None],
        coming: Sequence[StoredPassage],
    ) -> list[Hunk]:
        """Entries that are no longer so are closed, or go where a newer line says it."""
        out = []
        there = {uid for entry in entries for uid in entry.ids}
        fresh = {fact.uid: fact for fact in coming}
        for entry in entries:
            facts = [fact for uid in entry.ids if (fact := cites[uid]) is not None]
            newer = self._replaced.get(facts[-1].uid) if facts else None
            if newer is None or newer.uid in entry.ids or _is_closed(entry, facts[-1]):
                continue
            says_it = newer.uid in there or newer.uid in fresh
            if says_it and contains(newer.content, facts[-1].content):
                reason = f"A newer note says it: “{in_short(newer)}”"
                out.append(self._change(entry, [], reason, [newer, facts[-1]], 0.75))
                continue
            until = self._last_day(newer)
            if until is None:
                continue
            new = [_closing(entry, until), *entry.lines[1:]]
            reason = f"No longer so: “{in_short(newer)}”"
            out.append(self._change(entry, new, reason, [newer, facts[-1]], 0.75))
        return out

    def _last_day(self, newer: StoredPassage) -> date | None:
        start = newer.event.start if newer.event is not None else None
        day = start or newer.day
        return day - timedelta(days=1) if day is not None else None

    def _folded(
        self,
        block: ManagedBlock,
        cites: dict[str, StoredPassage | None],
        hunks: Sequence[Hunk],
        coming: int,
    ) -> list[Hunk]:
        """What goes because the list is too long: closed lines first, then the least telling.
        What a new fact stands behind stays."""
        removed = {hunk.line for hunk in hunks if not hunk.new}
        fresh = {fact.uid for fact in self._fresh}
        staying = [entry for entry in block.entries if entry.line not in removed]
        surplus = len(staying) + coming - MOST_LINES
        if surplus <= 0:
            return []
        changed = {hunk.line for hunk in hunks}
        ranked = sorted(
            (
                (self._worth(entry, cites), entry.line, entry)
                for entry in staying
                if entry.line not in changed and entry.ids and fresh.isdisjoint(entry.ids)
            ),
            key=lambda item: item[:2],
        )
        most = max(1, int(len(block.entries) * MOST_FOLDED))
        reason = f"The list is full at {MOST_LINES} lines, and this one tells the least."
        return [
            self._change(entry, [], reason, [f for u in entry.ids if (f := cites[u])], 0.4)
            for _, _, entry in ranked[: min(surplus, most)]
        ]

    def _worth(self, entry: Entry, cites: dict[str, StoredPassage | None]) -> float:
        facts = [fact for uid in entry.ids if (fact := cites[uid]) is not None]
        if not facts or _is_closed(entry, facts[-1]):
            return -1.0
        if ended(entry.text, facts[-1].day, self._today) is not None:
            return 0.0
        return max(self._score(fact) for fact in facts)

    def _change(
        self,
        entry: Entry,
        new: Sequence[str],
        reason: str,
        facts: Sequence[StoredPassage],
        certainty: float,
    ) -> Hunk:
        topic = f"{self._what.block}:{entry.ids[0] if entry.ids else fold_text(entry.text)}"
        evidence = tuple(evidence_of(fact) for fact in facts)
        return Hunk(entry.line, entry.lines, tuple(new), reason, evidence, topic, certainty)

    # -- small

    @property
    def _today(self) -> date:
        return self._material.today

    def _score(self, fact: StoredPassage) -> float:
        return telling(fact, self._today).score

    def _skip(self, fact: StoredPassage, reason: str) -> None:
        what = "a note" if unfit_for_pages(fact.content) else in_short(fact)
        self._skipped.append(Skipped(self._what.phase, str(fact.source), what, reason))

    def _left_out(self, reason: str) -> PhaseResult:
        what = f"the list of {self._what.title.lower()}"
        return PhaseResult((), (Skipped(self._what.phase, self._what.path, what, reason),))


class _Known:
    """What a page says already, inside the list and outside it."""

    def __init__(self, page: PageText, without: Sequence[Entry]) -> None:
        lost = {uid for entry in without for uid in entry.ids}
        self._ids = frozenset(citations(page.text)) - lost
        self._texts: list[str] = []
        left_out = {entry.line for entry in without}
        for block in shown_paragraphs(page):
            if block.line_start in left_out:
                continue
            text = " ".join(block.cells) if block.kind == "table_row" else block.text
            typed = parse_bullet(text.strip())
            self._texts.append(plain(without_citations(typed.text if typed else text)))
        self._folded = {fold_text(text) for text in self._texts}

    def has(self, fact: StoredPassage) -> bool:
        if fact.uid in self._ids or fold_text(fact.content) in self._folded:
            return True
        return any(says_the_same(fact.content, text) for text in self._texts)


def _line(fact: StoredPassage) -> str:
    return f"- {cited(bullet_of(fact), [fact])}"


def _closing(entry: Entry, until: date) -> str:
    """The entry's first line with "(until …)" behind its words, before a full stop and the
    citation."""
    line = entry.lines[0]
    words = without_citations(line).rstrip()
    rest = line[len(words) :]
    stop = "." if words.endswith(".") else ""
    return f"{words.removesuffix('.')} (until {day_words(until)}){stop}{rest}"


def _is_closed(entry: Entry, fact: StoredPassage) -> bool:
    """Whether the entry says of itself until when it was so, which its note does not."""
    return "(until " in entry.text and "(until " not in fact.content


def _in_time(fact: StoredPassage) -> tuple[date, str, int]:
    return fact.day or date.min, fact.source.path, fact.source.line_start
