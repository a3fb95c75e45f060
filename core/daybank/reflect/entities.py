"""Phase 2: the summary of a person or thing on its page in ``bank/entities/``.

The summary is the most telling of what the notes say now, in the notes' own words, each line with
its source. A page must not change every night: a line that stands stays word for word until its
source is gone, is overtaken or is over; a new fact comes in only if it is telling, and takes a
place in a full summary only from a line that is clearly less so.
"""

from __future__ import annotations

import re
from collections.abc import Sequence, Set
from dataclasses import dataclass, replace
from datetime import date

import yaml

from daybank.index.store import StoredPassage
from daybank.markdown.model import Kind
from daybank.markdown.names import entity_key
from daybank.progress import check_cancel
from daybank.recall.names import KnownEntity
from daybank.reflect.cautious import unfit_for_pages
from daybank.reflect.doubts import doubted_facts
from daybank.reflect.managed import (
    UNCLOSED,
    Entry,
    ManagedBlock,
    PageText,
    block_after_title,
    cited_fact,
    find_block,
    holds_up,
    is_gone,
    open_page,
    whole_block,
)
from daybank.reflect.material import Material, PhaseResult, Skipped, cited, evidence_of
from daybank.reflect.phrasing import about, day_words, in_short, shortened, unwritable
from daybank.reflect.telling import (
    contains,
    ended,
    over_since,
    replaced_by,
    says_the_same,
    telling,
    tells_of_the_same_time,
)
from daybank.reflect.wording import reword
from daybank.review.proposal import Draft, Evidence, Hunk, Phase
from daybank.workspace import encode_file_name

BLOCK = "summary"
MOST, LEAST, FIRST = 7, 3, 5
"""Lines of a full summary, of one that older facts fill up, and of a new one."""
WORTH_A_LINE = 2.75
"""The telling score from which a new fact asks for a line by itself."""
STANDING = 1.0
"""By how much a newcomer must beat the line whose place it takes."""
PAGE_FACTS, PAGE_DAYS = 3, 2
_LOOKED_AT = 200
"""The latest so many facts of an entity are looked at."""
_FOR_A_FIRST = 40
"""And for a first summary so many."""
_PAST = re.compile(
    r"\b(?:before|until|till|was|were|had|used to|formerly|earlier|no longer|ended|antes|hasta|"
    r"era|fue|ya no|раньше|прежде|был[аои]?|до|больше не|dati|noon|hindi na)\b",
    re.IGNORECASE,
)

_LOOKS_BACK = re.compile(
    r"^\s*(?:was|were|had been|estuvo|fue|был[аои]?)\b|\bbefore \d", re.IGNORECASE
)
_UNSCORED = 99.0
"""What a person's own line without a source is worth: it gives way to nothing."""


def suggest_entities(material: Material) -> PhaseResult:
    """Suggestions for the summaries of everybody and everything that the new facts speak of, or
    whose page cites a fact that is gone. Reads the pages of those only."""
    drafts: list[Draft] = []
    skipped: list[Skipped] = []
    doubted = doubted_facts(material)
    for entity in _touched(material):
        check_cancel(material.cancel)
        result = _Summary(material, entity, doubted).suggest()
        drafts += result.drafts
        skipped += result.skipped
    return PhaseResult(tuple(drafts), tuple(skipped))


def _touched(material: Material) -> list[KnownEntity]:
    found: dict[str, KnownEntity] = {}
    for fact in material.new:
        for name in fact.names:
            entity = material.names.find(name)
            if entity is not None:
                found[entity.key] = entity
    # Asked of the index, which knows it in every run: a suggestion that waits stays justified.
    broken = {place.path for place in material.store.broken_citations()}
    if broken:
        for entity in material.names.all():
            if entity.page in broken:
                found[entity.key] = entity
    return [found[key] for key in sorted(found)]


@dataclass(frozen=True, slots=True)
class _Mended:
    """What is to become of an entry that cannot stay as it is: new lines, each with its fact."""

    entry: Entry
    lines: tuple[tuple[str, StoredPassage], ...]
    reason: str
    facts: tuple[StoredPassage, ...]
    certainty: float


@dataclass(frozen=True, slots=True)
class _Line:
    """A line that asks for a place in the summary: an entry that stands, one of the lines that a
    mended entry becomes, or (with neither) a fact that comes in."""

    score: float
    fact: StoredPassage | None
    entry: Entry | None = None
    mended: str = ""

    @property
    def is_coming(self) -> bool:
        return self.entry is None and not self.mended


class _Summary:
    """One entity's summary in one run."""

    def __init__(self, material: Material, entity: KnownEntity, doubted: frozenset[str]) -> None:
        self._doubted = doubted
        self._material = material
        self._entity = entity
        self._skipped: list[Skipped] = []
        self._scores: dict[str, float] = {}
        self._new = {
            fact.uid
            for fact in material.new
            if not {entity_key(name) for name in fact.names}.isdisjoint(entity.keys)
        }
        self._facts = material.store.evidence_about(entity.keys, _LOOKED_AT)
        self._replaced = replaced_by(self._facts, material.today)

    def suggest(self) -> PhaseResult:
        path = self._entity.page or f"bank/entities/{encode_file_name(self._entity.name)}.md"
        page = open_page(self._material, path)
        if isinstance(page, str):
            return self._left_out(path, page)
        block = find_block(page, BLOCK)
        if isinstance(block, str):
            return self._left_out(path, block)
        if self._entity.page is None:
            hunks = self._new_page(page)
        elif block is None:
            hunks = self._new_block(page)
        else:
            hunks = self._changed(block)
        if hunks and not holds_up(page, hunks, BLOCK):
            return self._left_out(path, UNCLOSED)
        drafts = tuple(Draft(path, Phase.ENTITIES, hunk) for hunk in hunks)
        return PhaseResult(drafts, tuple(self._skipped))

    # -- a page without a summary

    def _new_page(self, page: PageText) -> list[Hunk]:
        if page.exists or self._is_taken(page.path):
            self._skip_new(page.path, "another page has this name already")
            return []
        own = [fact for fact in self._facts if self._is_first(fact)]
        days = {fact.day for fact in own}
        if len(own) < PAGE_FACTS or len(days) < PAGE_DAYS:
            self._skip_new(page.path, "too few notes tell of it for a page of its own")
            return []
        facts = self._best(FIRST)
        if len(facts) < LEAST:
            self._skip_new(page.path, "too little that lasts is known for a page of its own")
            return []
        name = self._entity.name
        front = yaml.safe_dump({"title": name}, allow_unicode=True, width=10_000).rstrip("\n")
        kind = [f"type: {self._entity.type}"] if self._entity.type else []
        lines = ["---", front, *kind, "---", f"# {name}", ""]
        hunk = Hunk(
            1,
            (),
            (*lines, *whole_block(BLOCK, [self._spelled(fact) for fact in facts])),
            f"{len(own)} notes from {len(days)} days tell of {name}, and there is no page yet.",
            tuple(evidence_of(fact) for fact in facts),
            topic=f"page:{self._entity.key}",
            certainty=0.5,
        )
        return [hunk]

    def _new_block(self, page: PageText) -> list[Hunk]:
        facts = self._best(FIRST)
        if not facts:
            self._skip_new(page.path, "nothing telling enough for a summary is known")
            return []
        hunk = block_after_title(page, BLOCK, [self._spelled(fact) for fact in facts])
        reason = f"The page has no summary yet; this is what the notes say of {self._entity.name}."
        evidence = tuple(evidence_of(fact) for fact in facts)
        return [replace(hunk, reason=reason, evidence=evidence, topic=self._topic(), certainty=0.6)]

    def _is_taken(self, path: str) -> bool:
        """Whether a file is there whose name differs in case only: on some disks it is the same."""
        folder = self._material.folder.root / "bank" / "entities"
        name = path.rsplit("/", 1)[-1].casefold()
        return folder.is_dir() and any(item.name.casefold() == name for item in folder.iterdir())

    def _best(self, most: int) -> list[StoredPassage]:
        """The most telling facts that hold now, newest first."""
        known = self._candidates(self._facts[-_FOR_A_FIRST:], ())
        ranked = sorted(known, key=self._rank)
        chosen = ranked[:most]
        for fact in ranked[most:]:
            if fact.uid in self._new:
                self._skip(fact, "less telling than what the summary says")
        return sorted(chosen, key=_newest_first)

    # -- a page with one

    def _changed(self, block: ManagedBlock) -> list[Hunk]:
        cited_facts = {uid: cited_fact(self._material.store, uid) for uid in block.ids}
        known = [fact for fact in cited_facts.values() if fact is not None]
        pool = {fact.uid: fact for fact in (*known, *self._facts)}
        self._replaced = replaced_by(pool.values(), self._today)
        taken: set[str] = set()
        mended: list[_Mended] = []
        lines: list[_Line] = []
        for entry in block.entries:
            facts = [fact for uid in entry.ids if (fact := cited_facts[uid]) is not None]
            change = self._mended(entry, facts, block, taken)
            if change is None:
                score = max(map(self._score, facts), default=_UNSCORED)
                lines.append(_Line(score + STANDING, _latest(facts), entry))
            else:
                mended.append(change)
                taken |= {fact.uid for _, fact in change.lines}
                lines += [
                    _Line(self._score(fact) + STANDING, fact, mended=text)
                    for text, fact in change.lines
                ]
        standing = [line.entry for line in lines if line.entry is not None]
        there = taken | {uid for entry in standing for uid in entry.ids}
        said = [fact.content for fact in pool.values() if fact.uid in there]
        said += [entry.text for entry in standing]
        coming = self._coming(block.ids | taken, said)
        ranked = self._ranked(lines, coming)
        chosen = ranked[:MOST]
        hunks = self._left(ranked[MOST:])
        chosen += self._filling(chosen, block.ids | taken, said)
        kept = {line.mended for line in chosen if line.mended}
        for change in mended:
            new = [text for text, _ in change.lines if text in kept]
            entry = change.entry
            cut = change.lines and not new
            reason = f"{change.reason.partition(';')[0].rstrip('.')}." if cut else change.reason
            hunks.append(
                self._hunk(entry.line, entry.lines, new, reason, change.facts, change.certainty)
            )
        hunks += self._put_in(block, chosen)
        return sorted(hunks, key=lambda hunk: (hunk.line, len(hunk.old)))

    def _ranked(self, lines: Sequence[_Line], coming: Sequence[_Line]) -> list[_Line]:
        """The lines in the order in which they get a place. A fact older than the newest line
        takes no line's place: it comes in only while the summary is short."""
        days = [line.fact.day for line in lines if line.fact is not None and line.fact.day]
        newest = max(days, default=date.min)
        newer = [line for line in coming if line.fact and (line.fact.day or date.min) > newest]
        ranked = sorted([*lines, *newer], key=self._order)
        older = sorted((line for line in coming if line not in newer), key=self._order)
        room = max(0, FIRST - len(ranked))
        for line in older[room:]:
            if line.fact is not None:
                self._skip(line.fact, "older than the newest line of a summary that is long enough")
        return [*ranked, *older[:room]]

    def _coming(self, known: Set[str], said: Sequence[str]) -> list[_Line]:
        """The new facts that ask for a line."""
        fresh = [fact for fact in self._facts if fact.uid in self._new and fact.uid not in known]
        out = []
        for fact in self._candidates(fresh, said):
            if self._score(fact) < WORTH_A_LINE:
                self._skip(fact, "not telling enough to change the summary for it")
            else:
                out.append(_Line(self._score(fact), fact))
        return out

    def _filling(self, lines: Sequence[_Line], known: Set[str], said: Sequence[str]) -> list[_Line]:
        """Older facts where there are too few lines for a summary."""
        missing = LEAST - len(lines)
        if missing <= 0:
            return []
        have = {line.fact.uid for line in lines if line.fact is not None}
        older = [f for f in self._facts if f.uid not in self._new | known | have]
        more = [line.fact.content for line in lines if line.fact is not None]
        fill = sorted(self._candidates(older, [*said, *more]), key=self._rank)
        return [_Line(self._score(fact), fact) for fact in fill[:missing]]

    def _left(self, lines: Sequence[_Line]) -> list[Hunk]:
        """What finds no place in a full summary: entries go, and facts are left out."""
        out = []
        for line in lines:
            if line.entry is not None:
                facts = [line.fact] if line.fact is not None else []
                reason = "The summary is full, and newer lines tell more."
                out.append(self._hunk(line.entry.line, line.entry.lines, [], reason, facts, 0.5))
            elif line.fact is not None and line.is_coming:
                self._skip(line.fact, "less telling than what the summary says")
        return out

    def _put_in(self, block: ManagedBlock, chosen: Sequence[_Line]) -> list[Hunk]:
        standing = [line for line in chosen if line.entry is not None]
        days = [line.fact.day for line in standing if line.fact is not None and line.fact.day]
        newest = max(days, default=None)
        comers = [line.fact for line in chosen if line.is_coming and line.fact is not None]
        out = []
        for fact in sorted(comers, key=_newest_first):
            at = _place(fact, block, standing)
            certainty = min(0.8, 0.4 + self._score(fact) / 12)
            reason = _reason_to_add(fact, newest)
            out.append(self._hunk(at, (), [self._spelled(fact)], reason, [fact], certainty))
        return out

    # -- a line that cannot stay

    def _mended(
        self,
        entry: Entry,
        facts: Sequence[StoredPassage],
        block: ManagedBlock,
        taken: set[str],
    ) -> _Mended | None:
        """What is to become of a line; None where it stays as it is."""
        if is_gone(self._material, entry):
            return self._without_source(entry, block.ids | taken)
        if not facts:
            return None
        if all(fact.uid in self._replaced for fact in facts):
            return self._overtaken(entry, facts, block.ids | taken)
        return self._over(entry, facts, block.ids | taken)

    def _without_source(self, entry: Entry, known: Set[str]) -> _Mended:
        files = {place.partition("#")[0] for place in entry.places}
        for fact in self._facts:
            if fact.uid in known or fact.source.path not in files or self._refused(fact):
                continue
            if fact.uid in self._replaced or over_since(fact, self._today) is not None:
                continue
            if says_the_same(fact.content, entry.text) or contains(fact.content, entry.text):
                line = (self._spelled(fact), fact)
                return _Mended(entry, (line,), "The note it cites was reworded.", (fact,), 0.8)
        return _Mended(entry, (), "The note it cites is gone.", (), 0.8)

    def _overtaken(
        self, entry: Entry, facts: Sequence[StoredPassage], known: Set[str]
    ) -> _Mended | None:
        newer = self._replaced[facts[-1].uid]
        if newer.uid in entry.ids or _PAST.search(entry.text) or self._refused(newer):
            return None
        start = newer.event.start if newer.event is not None else None
        day = start or newer.day
        lines = [] if newer.uid in known else [(self._spelled(newer), newer)]
        if day is not None and not (lines and contains(newer.content, entry.text)):
            lines.append((f"- Before {day_words(day)}: {_in_one_line(entry)}", facts[-1]))
        reason = "Newer than what the page says."
        return _Mended(entry, tuple(lines), reason, (newer, *facts), 0.85)

    def _over(
        self, entry: Entry, facts: Sequence[StoredPassage], known: Set[str]
    ) -> _Mended | None:
        days = [day for fact in facts if (day := over_since(fact, self._today)) is not None]
        if len(days) < len(facts) or _LOOKS_BACK.search(entry.text):
            return None
        if ended(entry.text, facts[-1].day, self._today) is None:
            return None  # the person made another statement of it
        reason = f"It was over on {day_words(max(days))}"
        last = facts[-1]
        for fact in reversed(self._facts):
            if (
                fact.uid not in known
                and (fact.day or date.min) >= (last.day or date.min)
                and over_since(fact, self._today) is None
                and tells_of_the_same_time(fact, last.content, last.event)
                and self._refused(fact) is None
            ):
                line = (self._spelled(fact), fact)
                why = f"{reason}; a newer note looks back on it."
                return _Mended(entry, (line,), why, (fact, *facts), 0.8)
        return _Mended(entry, (), f"{reason}.", tuple(facts), 0.7)

    # -- facts

    @property
    def _today(self) -> date:
        return self._material.today

    def _score(self, fact: StoredPassage) -> float:
        """How telling a fact is of this entity: said of it first, and a state rather than an
        event where it is a person's."""
        known = self._scores.get(fact.uid)
        if known is None:
            known = self._scores[fact.uid] = self._weighed(fact)
        return known

    def _weighed(self, fact: StoredPassage) -> float:
        score = telling(fact, self._today).score
        if not self._is_subject(fact):
            score -= 1.0
        elif not self._is_first(fact):
            score -= 0.5
        return score + min(1.0, 0.5 * self._restated(fact))

    def _restated(self, fact: StoredPassage) -> int:
        days = {
            other.day
            for other in self._facts
            if other.uid != fact.uid
            and other.kind is fact.kind
            and other.day != fact.day
            and says_the_same(other.content, fact.content)
        }
        return len(days)

    def _is_subject(self, fact: StoredPassage) -> bool:
        subjects = fact.names[: fact.subjects] or fact.names
        return any(entity_key(name) in self._entity.keys for name in subjects)

    def _is_first(self, fact: StoredPassage) -> bool:
        return any(entity_key(name) in self._entity.keys for name in fact.names[:1])

    def _refused(self, fact: StoredPassage) -> str | None:
        return unfit_for_pages(fact.content) or unwritable(fact)

    def _candidates(
        self, facts: Sequence[StoredPassage], texts: Sequence[str]
    ) -> list[StoredPassage]:
        """Those of ``facts`` that may stand in the summary, the newest of those that say the same;
        ``texts`` is what it says already. Of the new ones left out it is told why."""
        out: list[StoredPassage] = []
        for fact in sorted(facts, key=_newest_first):
            reason = self._against(fact, texts, out)
            if reason is None:
                out.append(fact)
            elif fact.uid in self._new:
                self._skip(fact, reason)
        return out

    def _against(
        self,
        fact: StoredPassage,
        texts: Sequence[str],
        chosen: Sequence[StoredPassage],
    ) -> str | None:
        if not self._is_subject(fact):
            return "it tells of somebody or something else first"
        refused = self._refused(fact)
        if refused is not None:
            return refused
        if fact.uid in self._replaced:
            return "a newer note says otherwise"
        if fact.kind is Kind.OPINION and fact.uid in self._doubted:
            return "the opinions page doubts it by now"
        over = over_since(fact, self._today)
        if over is not None:
            return f"it was over on {day_words(over)}"
        if any(says_the_same(fact.content, text) or contains(text, fact.content) for text in texts):
            return "the page says it already"
        if any(says_the_same(fact.content, other.content) for other in chosen):
            return "a newer note says the same"
        return None

    # -- lines

    def _spelled(self, fact: StoredPassage) -> str:
        names = (self._entity.name, *self._entity.aliases, *self._entity.keys)
        line = reword(self._material, about(fact, names), [fact])
        return f"- {cited(line, [fact])}"

    def _hunk(
        self,
        line: int,
        old: Sequence[str],
        new: Sequence[str],
        reason: str,
        facts: Sequence[StoredPassage],
        certainty: float,
    ) -> Hunk:
        evidence: tuple[Evidence, ...] = tuple(evidence_of(fact) for fact in facts)
        return Hunk(line, tuple(old), tuple(new), reason, evidence, self._topic(), certainty)

    def _topic(self) -> str:
        return f"{BLOCK}:{self._entity.key}"

    def _rank(self, fact: StoredPassage) -> tuple[float, int, str, int]:
        return -self._score(fact), *_newest_first(fact)

    def _order(self, line: _Line) -> tuple[float, int, str, int]:
        later = _newest_first(line.fact) if line.fact is not None else (0, "", 0)
        return -line.score, *later

    def _skip(self, fact: StoredPassage, reason: str) -> None:
        unfit = unfit_for_pages(fact.content) is not None
        what = f"{self._entity.name}: a note" if unfit else f"{self._entity.name}: {in_short(fact)}"
        self._skipped.append(Skipped(Phase.ENTITIES, str(fact.source), what, reason))

    def _skip_new(self, path: str, reason: str) -> None:
        what = f"a page for {shortened(self._entity.name)}"
        self._skipped.append(Skipped(Phase.ENTITIES, path, what, reason))

    def _left_out(self, path: str, reason: str) -> PhaseResult:
        what = f"the summary of {shortened(self._entity.name)}"
        return PhaseResult((), (*self._skipped, Skipped(Phase.ENTITIES, path, what, reason)))


def _latest(facts: Sequence[StoredPassage]) -> StoredPassage | None:
    return max(facts, key=lambda fact: fact.day or date.min, default=None)


def _newest_first(fact: StoredPassage) -> tuple[int, str, int]:
    day = fact.day.toordinal() if fact.day is not None else 0
    return -day, fact.source.path, fact.source.line_start


def _place(fact: StoredPassage, block: ManagedBlock, standing: Sequence[_Line]) -> int:
    """Before the first line whose fact is older; behind the last entry where none is."""
    older = [
        line.entry.line
        for line in standing
        if line.entry is not None
        and line.fact is not None
        and (line.fact.day or date.min) < (fact.day or date.min)
    ]
    return min(older, default=block.entries[-1].after if block.entries else block.end)


def _reason_to_add(fact: StoredPassage, newest: date | None) -> str:
    if fact.day is None:
        return "The page does not say it yet."
    if newest is None or fact.day > newest:
        return "Newer than what the page says."
    if fact.kind is Kind.EXPERIENCE:
        return f"Happened too, {day_words(fact.day)}."
    return f"Also true since {day_words(fact.day)}."


def _in_one_line(entry: Entry) -> str:
    """An entry as its person wrote it, without its list mark and on one line."""
    return " ".join(" ".join(entry.lines).split()).lstrip("-*+ ")
