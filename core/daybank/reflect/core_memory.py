"""Phase 5: core memory, the small page that is read in every conversation.

What belongs there: preferences that are well confirmed, decisions, standing arrangements, and dated
things ahead. It comes into a list of Daybank's own at the page's end. The person's lines are their
own: only one that says itself that its time is over, or that repeats a note which a newer one has
overtaken, is suggested to change. The page stays within its budget; when it is full, the least
telling of Daybank's own lines make room.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta

from daybank.dates import Interval, Mood, find_dates
from daybank.index.analysis import tokenize
from daybank.index.store import StoredPassage
from daybank.markdown.document import RawBlock
from daybank.markdown.inline import citations, plain, without_citations
from daybank.markdown.model import Kind
from daybank.markdown.names import fold_text
from daybank.markdown.opinions import OPINIONS, Key, OpinionEntry, read_opinions
from daybank.reflect.cautious import unfit_for_pages
from daybank.reflect.doubts import doubted_facts
from daybank.reflect.extract.refusing import reason_against
from daybank.reflect.extract.sentences import Prose, sentences
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
from daybank.reflect.phrasing import about, day_words, in_short, shortened, unwritable
from daybank.reflect.telling import (
    contains,
    over_since,
    replaced_by,
    says_the_same,
    stems_of,
    telling,
    tells_of_the_same_time,
)
from daybank.review.hunks import apply_hunks
from daybank.review.proposal import Draft, Hunk, Phase

BLOCK = "core"
HEADING = "Lately"
CONFIRMED, SUPPORTS = 0.75, 2
"""From which confidence, and with how many notes behind it, a belief is confirmed."""
MOST_NEW = 8
MOST_LINES = 20
STANDING = 1.0
"""By how much a newcomer must beat the line whose place it takes."""
CHARACTERS_A_TOKEN = 4
_CONFIRMED_WORTH = 4.0
_UNSCORED = 99.0
_WORTH = 2.5
_NEAR = timedelta(days=90)
"""How far ahead a dated thing may be to matter in every conversation."""
_LONG_AGO = timedelta(days=60)
"""Days without a year are only told to be over for so long: later they may mean the next year."""
_LOOKED_AT = 200
_AGENDA = re.compile(
    r"\W*(?:coming|upcoming|ahead|agenda|calendar|next|soon|this (?:week|month)|próximamente|"
    r"proximamente|próximos|pendiente|calendario|скоро|планы|впереди|календарь|darating|paparating|"
    r"susunod|kalendaryo)\b",
    re.IGNORECASE,
)
_YEAR = re.compile(r"\d{4}")


def suggest_core(material: Material) -> PhaseResult:
    """Suggestions for the core memory, at most :data:`MOST_NEW` new lines a run. A page to be made
    is suggested too, once there is something for it."""
    return _Core(material).suggest()


@dataclass(frozen=True, slots=True)
class _Candidate:
    """A line that asks for a place: its text, worth, and the facts behind it."""

    text: str
    score: float
    facts: tuple[StoredPassage, ...]
    reason: str

    @property
    def ids(self) -> frozenset[str]:
        return frozenset(fact.uid for fact in self.facts)


class _Core:
    """The core memory in one run."""

    def __init__(self, material: Material) -> None:
        self._material = material
        self._path = material.folder.core_memory()
        self._skipped: list[Skipped] = []
        self._replaced: dict[str, StoredPassage] = {}
        self._older: list[StoredPassage] = []
        self._doubted = doubted_facts(material)

    def suggest(self) -> PhaseResult:
        page = open_page(self._material, self._path)
        if isinstance(page, str):
            return self._left_out(page)
        block = find_block(page, BLOCK)
        if isinstance(block, str):
            return self._left_out(block)
        self._replaced = self._overtaken(block)
        self._older = [
            fact
            for fact in self._material.store.evidence(self._replaced)
            if self._refused(self._replaced[fact.uid]) is None
        ]
        is_over = _tokens(page.text) > self._material.core_budget
        changes = self._of_the_person(page, block, is_over)
        changes += self._outdated(block)
        if is_over:
            changes += self._shrinking(page, block, changes)
            self._refuse_all(page)
        else:
            changes += self._filled(page, block, changes)
        changes.sort(key=lambda hunk: (hunk.line, len(hunk.old)))
        has_block = block is not None or any(_begins(hunk) for hunk in changes)
        if changes and has_block and not holds_up(page, changes, BLOCK):
            return self._left_out(UNCLOSED)
        drafts = tuple(Draft(self._path, Phase.CORE, hunk) for hunk in changes)
        return PhaseResult(drafts, tuple(self._skipped))

    # -- lines of the person

    def _of_the_person(
        self, page: PageText, block: ManagedBlock | None, is_over: bool
    ) -> list[Hunk]:
        out = []
        headings = [b for b in page.document.blocks if b.kind == "heading"]
        for item in shown_paragraphs(page, outside=block):
            if item.kind != "item" or not item.first_in_item or item.item_end > item.line_end:
                continue
            above = [head for head in headings if head.line_start < item.line_start]
            in_agenda = bool(above) and _AGENDA.match(plain(above[-1].text)) is not None
            hunk = self._passed(page, item, in_agenda, is_over) or self._contradicted(page, item)
            if hunk is not None and not (is_over and _length(hunk.new) > _length(hunk.old)):
                out.append(hunk)
        return out

    def _passed(
        self, page: PageText, item: RawBlock, in_agenda: bool, is_over: bool
    ) -> Hunk | None:
        """A line whose own words say until when it is so, or that stands among the things to come
        with a day that is past."""
        text = plain(without_citations(item.text))
        span = self._time_of(text, in_agenda)
        if span is None or span.end is None:
            return None
        old = page.lines[item.line_start - 1 : item.line_end]
        newer, behind = self._notes_on(text, span)
        if not _has_year(text, self._today) and newer is None and not behind:
            return None  # without a year and without a note it may mean another year
        topic = f"{BLOCK}:{fold_text(text)}"
        day = day_words(span.end)
        if newer is None or is_over or in_agenda:
            reason = f"It was over on {day}." if span.start is None else f"It was on {day}."
            evidence = tuple(map(evidence_of, [*([newer] if newer else []), *behind]))
            return Hunk(item.line_start, old, (), reason, evidence, topic, 0.75)
        mark = old[0][: len(old[0]) - len(old[0].lstrip())] + "- "
        new = f"{mark}{cited(about(newer), [newer])}"
        evidence = tuple(map(evidence_of, (newer, *behind)))
        reason = f"It was over on {day}; a newer note looks back on it."
        return Hunk(item.line_start, old, (new,), reason, evidence, topic, 0.8)

    def _time_of(self, text: str, in_agenda: bool) -> Interval | None:
        """The time after which a line is over, if that is past."""
        phrases = find_dates(text, self._today, mood=Mood.LOG)
        spans = [phrase.interval for phrase in phrases]
        if not spans or any(span.end is None or span.end >= self._today for span in spans):
            return None
        if in_agenda and phrases[0].start == 0 and text[phrases[0].end :].lstrip()[:1] in ":–—-":
            span = spans[0]
        else:
            until = [span for span in spans if span.start is None]
            if not until or len(until) < len(spans):
                return None
            span = max(until, key=lambda one: one.end or date.min)
        ago = self._today - (span.end or self._today)
        too_long_ago = ago > _LONG_AGO and not _has_year(text, self._today)
        return None if too_long_ago else span

    def _notes_on(
        self, text: str, span: Interval
    ) -> tuple[StoredPassage | None, list[StoredPassage]]:
        """The note that looks back on the time of a line, and those that told of it before."""
        facts = self._facts_on(text)
        until = span.end or self._today
        behind = [
            fact
            for fact in facts
            if fact.event is not None
            and fact.event.end == until
            and (fact.day or date.min) <= until
            and len(stems_of(about(fact)) & stems_of(text)) >= 2
        ]
        before = span if span.start is not None else None
        last = max((fact.day for fact in behind if fact.day is not None), default=None)
        newer = next(
            (
                fact
                for fact in reversed(facts)
                if (last is None or (fact.day or date.min) > last)
                and over_since(fact, self._today) is None
                and tells_of_the_same_time(fact, text, before or span)
                and self._refused(fact) is None
            ),
            None,
        )
        return newer, [fact for fact in behind if newer is None or fact.uid != newer.uid][-2:]

    def _contradicted(self, page: PageText, item: RawBlock) -> Hunk | None:
        """A line that repeats a note which a newer one has overtaken."""
        text = plain(without_citations(item.text))
        for older in self._older:
            newer = self._replaced[older.uid]
            if not says_the_same(about(older), text) and older.uid not in item.text:
                continue
            if says_the_same(about(newer), text) or contains(text, newer.content):
                continue
            new = f"- {cited(about(newer), [newer])}"
            old = page.lines[item.line_start - 1 : item.line_end]
            evidence = tuple(map(evidence_of, (newer, older)))
            topic = f"{BLOCK}:{fold_text(text)}"
            reason = "A newer note says otherwise."
            return Hunk(item.line_start, old, (new,), reason, evidence, topic, 0.8)
        return None

    def _facts_on(self, text: str) -> list[StoredPassage]:
        keys = [
            key
            for entity in self._material.names.in_text(text, tokenize(text))
            for key in entity.keys
        ]
        return self._material.store.evidence_about(keys, _LOOKED_AT) if keys else []

    def _overtaken(self, block: ManagedBlock | None) -> dict[str, StoredPassage]:
        pool = {fact.uid: fact for fact in self._material.new if fact.kind is Kind.WORLD}
        for uid in block.ids if block is not None else ():
            fact = cited_fact(self._material.store, uid)
            if fact is not None:
                pool[uid] = fact
        keys: set[str] = set()
        for fact in tuple(pool.values()):
            entity = self._material.names.find(fact.names[0]) if fact.names else None
            if entity is not None and entity.key not in keys:
                keys.add(entity.key)
                about_it = self._material.store.evidence_about(entity.keys, _LOOKED_AT)
                pool |= {other.uid: other for other in about_it}
        return replaced_by(pool.values(), self._today)

    # -- Daybank's own lines

    def _outdated(self, block: ManagedBlock | None) -> list[Hunk]:
        """Own lines whose note is gone, overtaken or over."""
        out = []
        for entry in block.entries if block is not None else ():
            facts = self._behind(entry)
            if is_gone(self._material, entry):
                out.append(_removal(entry, "The note it cites is gone.", [], 0.8))
            elif facts and all(fact.uid in self._replaced for fact in facts):
                newer = self._replaced[facts[-1].uid]
                reason = f"A newer note says otherwise: “{in_short(newer)}”"
                out.append(_removal(entry, reason, [newer, *facts], 0.8))
            elif facts and all(over_since(fact, self._today) for fact in facts):
                last = max(day for fact in facts if (day := over_since(fact, self._today)))
                out.append(_removal(entry, f"It was over on {day_words(last)}.", facts, 0.75))
        return out

    def _behind(self, entry: Entry) -> list[StoredPassage]:
        found = (cited_fact(self._material.store, uid) for uid in entry.ids)
        return [fact for fact in found if fact is not None]

    def _shrinking(
        self, page: PageText, block: ManagedBlock | None, changes: Sequence[Hunk]
    ) -> list[Hunk]:
        """What may go of Daybank's own lines, least telling first, until the page fits."""
        budget = self._material.core_budget
        reason = f"Core memory is over its budget of {budget:,} tokens; this line tells the least."
        going = {hunk.line for hunk in changes}
        out: list[Hunk] = []
        entries = block.entries if block is not None else ()
        own = [entry for entry in entries if entry.line not in going and entry.ids]
        for entry in sorted(own, key=lambda entry: (self._worth(entry), entry.line)):
            if _tokens(apply_hunks(page.text, [*changes, *out])) <= budget:
                break
            out.append(_removal(entry, reason, self._behind(entry), 0.6))
        if _tokens(apply_hunks(page.text, [*changes, *out])) > budget:
            what = "core memory"
            reason = f"it is over its budget of {budget:,} tokens, and the rest is your own words"
            self._skipped.append(Skipped(Phase.CORE, self._path, what, reason))
        return out

    def _worth(self, entry: Entry) -> float:
        facts = self._behind(entry)
        if not facts:
            return _UNSCORED
        return max(self._score(fact) for fact in facts)

    def _score(self, fact: StoredPassage) -> float:
        score = telling(fact, self._today).score
        return max(score, _CONFIRMED_WORTH) if fact.uid in self._confirmed_ids() else score

    # -- what comes in

    def _filled(
        self, page: PageText, block: ManagedBlock | None, changes: Sequence[Hunk]
    ) -> list[Hunk]:
        """The new lines that find room, and the own lines that make it for them."""
        going = {hunk.line for hunk in changes}
        entries = block.entries if block is not None else ()
        staying = [entry for entry in entries if entry.line not in going]
        wanted = self._wanted(page, block, changes)
        ranked: list[tuple[float, int, int, Entry | _Candidate]] = [
            (-self._worth(entry) - STANDING, 0, entry.line, entry) for entry in staying
        ]
        ranked += [(-one.score, 1, place, one) for place, one in enumerate(wanted)]
        ranked.sort(key=lambda item: item[:3])
        bare = [*changes, *(_removal(entry, "", [], 0.0) for entry in staying)]
        if block is None:
            bare.append(_new_block(page, ()))
        length = len(apply_hunks(page.text, bare))
        newline = 2 if "\r\n" in page.text else 1
        room = self._material.core_budget * CHARACTERS_A_TOKEN - length
        kept: list[Entry | _Candidate] = []
        left: list[Entry | _Candidate] = []
        for _, _, _, one in ranked:
            lines = one.lines if isinstance(one, Entry) else (one.text,)
            size = sum(len(line) + newline for line in lines)
            if size <= room and len(kept) < MOST_LINES:
                kept.append(one)
                room -= size
            else:
                left.append(one)
        comers = [one for one in wanted if one in kept]
        return [*self._leaving(left), *self._coming(page, block, comers)]

    def _leaving(self, left: Sequence[Entry | _Candidate]) -> list[Hunk]:
        out = []
        for one in left:
            if isinstance(one, Entry):
                if one.ids:
                    reason = "Core memory is full; this line tells the least and makes room."
                    out.append(_removal(one, reason, self._behind(one), 0.5))
            else:
                self._skip(one.facts[0], "core memory is full, and its lines tell more")
        return out

    def _coming(
        self, page: PageText, block: ManagedBlock | None, comers: Sequence[_Candidate]
    ) -> list[Hunk]:
        if not comers:
            return []
        if block is not None:
            return [
                Hunk(
                    block.end,
                    (),
                    (one.text,),
                    one.reason,
                    tuple(map(evidence_of, one.facts)),
                    f"{BLOCK}:{one.facts[0].uid}",
                    min(0.85, 0.4 + one.score / 12),
                )
                for one in comers
            ]
        lines = [one.text for one in comers]
        hunk = _new_block(page, lines)
        reason = comers[0].reason if len(comers) == 1 else f"{len(comers)} things worth knowing"
        if len(comers) > 1:
            reason += " in every conversation."
        evidence = tuple(evidence_of(fact) for one in comers for fact in one.facts)
        return [
            replace(hunk, reason=reason, evidence=evidence, topic=f"{BLOCK}:list", certainty=0.6)
        ]

    def _wanted(
        self, page: PageText, block: ManagedBlock | None, changes: Sequence[Hunk]
    ) -> list[_Candidate]:
        """What asks for a place, most telling first, and is not on the page."""
        found = [*self._confirmed(), *self._told()]
        found.sort(key=lambda one: (-one.score, one.text))
        found = self._each_once(found)
        for one in found[MOST_NEW:]:
            self._skip(one.facts[0], "less telling than the ones suggested")
        known = frozenset(citations(page.text))
        known |= {cite for hunk in changes for line in hunk.new for cite in citations(line)}
        going = {n for hunk in changes for n in range(hunk.line, hunk.line + len(hunk.old))}
        texts = [
            plain(without_citations(item.text))
            for item in shown_paragraphs(page)
            if item.line_start not in going
        ]
        texts += [line for hunk in changes for line in map(without_citations, hunk.new)]
        out: list[_Candidate] = []
        for one in found[:MOST_NEW]:
            text = without_citations(one.text.removeprefix("- "))
            if one.ids & known or any(
                says_the_same(text, said) or contains(said, text) for said in texts
            ):
                self._skip(one.facts[0], "core memory says it already")
            else:
                out.append(one)
        return out

    def _each_once(self, found: Sequence[_Candidate]) -> list[_Candidate]:
        out: list[_Candidate] = []
        for one in found:
            text = without_citations(one.text)
            if any(
                one.ids & other.ids or says_the_same(text, without_citations(other.text))
                for other in out
            ):
                self._skip(one.facts[0], "another line says the same")
            else:
                out.append(one)
        return out

    def _confirmed(self) -> list[_Candidate]:
        """Opinions that are confirmed and that a new fact speaks of."""
        new = {fact.uid for fact in self._material.new}
        out = []
        for entry in self._opinions():
            ids = [line.id for line in entry.evidence if line.id]
            if new.isdisjoint(ids):
                continue
            facts = self._material.store.evidence(ids[:1])
            if not facts or unfit_for_pages(entry.statement) or unwritable(facts[0]):
                continue
            subjects = f"{', '.join(entry.names)}: " if entry.names else ""
            statement = entry.statement.rstrip(".")
            percent = round((entry.confidence or 0.0) * 100)
            reason = f"Well confirmed: {_supports(entry)} notes speak for it, now at {percent} %."
            line = f"- {cited(f'{subjects}{statement}.', facts)}"
            out.append(_Candidate(line, _CONFIRMED_WORTH, tuple(facts), reason))
        return out

    def _opinions(self) -> list[OpinionEntry]:
        data = self._material.read(OPINIONS)
        if data is None:
            return []
        return [
            entry
            for entry in read_opinions(OPINIONS, data).entries
            if entry.superseded_by is None
            and (entry.confidence or 0.0) >= CONFIRMED
            and _supports(entry) >= SUPPORTS
        ]

    def _confirmed_ids(self) -> frozenset[str]:
        """The facts that confirmed opinions are cited with."""
        firsts = (
            next((line.id for line in entry.evidence if line.id), None)
            for entry in self._opinions()
        )
        return frozenset(uid for uid in firsts if uid is not None)

    def _told(self) -> list[_Candidate]:
        """New facts that matter in every conversation."""
        out: list[_Candidate] = []
        texts: list[StoredPassage] = []
        for fact in sorted(self._material.new, key=_in_time, reverse=True):
            reason = self._against(fact, texts)
            if reason is None:
                texts.append(fact)
                line = f"- {cited(about(fact), [fact])}"
                out.append(_Candidate(line, self._score(fact), (fact,), self._why(fact)))
            else:
                self._skip(fact, reason)
        return out

    def _against(self, fact: StoredPassage, others: Sequence[StoredPassage]) -> str | None:
        refused = self._refused(fact) or _against_shape(fact)
        if refused is not None:
            return refused
        if fact.uid in self._replaced:
            return "a newer note says otherwise"
        if fact.kind is Kind.OPINION and fact.uid in self._doubted:
            return "the opinions page doubts it by now"
        over = over_since(fact, self._today)
        if over is not None:
            return f"it was over on {day_words(over)}"
        if not self._matters(fact):
            return "not for every conversation"
        if any(says_the_same(other.content, fact.content) for other in others):
            return "a newer note says the same"
        return None

    def _matters(self, fact: StoredPassage) -> bool:
        tells = telling(fact, self._today)
        if fact.kind is Kind.OPINION:
            sure = fact.confidence is None or fact.confidence >= CONFIRMED
            return sure and tells.is_preference
        if tells.is_ahead and self._is_near(fact):
            return True
        if tells.score < _WORTH:
            return False
        return (
            tells.is_decision
            or tells.is_preference
            or (tells.is_arranged and fact.kind is Kind.WORLD)
        )

    def _is_near(self, fact: StoredPassage) -> bool:
        event = fact.event
        days = (event.start, event.end) if event is not None else ()
        first = next((day for day in days if day is not None), None)
        return first is not None and first - self._today <= _NEAR

    def _why(self, fact: StoredPassage) -> str:
        tells = telling(fact, self._today)
        when = f" of {day_words(fact.day)}" if fact.day is not None else ""
        return f"The note{when} tells of {tells.what}."

    # -- small

    @property
    def _today(self) -> date:
        return self._material.today

    def _refused(self, fact: StoredPassage) -> str | None:
        return unfit_for_pages(fact.content) or unwritable(fact)

    def _refuse_all(self, page: PageText) -> None:
        known = frozenset(citations(page.text))
        for one in (*self._confirmed(), *self._told()):
            if not one.ids & known:
                self._skip(one.facts[0], "core memory is over its budget")

    def _skip(self, fact: StoredPassage, reason: str) -> None:
        what = "a note" if unfit_for_pages(fact.content) else in_short(fact)
        self._skipped.append(Skipped(Phase.CORE, str(fact.source), what, reason))

    def _left_out(self, reason: str) -> PhaseResult:
        what = shortened("core memory")
        return PhaseResult((), (*self._skipped, Skipped(Phase.CORE, self._path, what, reason)))


def _new_block(page: PageText, lines: Sequence[str]) -> Hunk:
    if page.lines:
        return block_at_end(page, BLOCK, lines, HEADING)
    return Hunk(1, (), ("# Core memory", "", *whole_block(BLOCK, lines)), "")


def _begins(hunk: Hunk) -> bool:
    return any("daybank:begin" in line for line in hunk.new)


def _against_shape(fact: StoredPassage) -> str | None:
    """Why the words of a fact cannot stand alone: a command, half a sentence, bookkeeping."""
    text = " ".join(fact.content.split())
    found = list(sentences(Prose(text, 1)))
    if not found:
        return "no words of its own"
    for sentence in found:
        reason = reason_against(sentence)
        if reason is not None:
            return reason
    return None


def _has_year(text: str, today: date) -> bool:
    """Whether the times in ``text`` name their year themselves."""
    phrases = find_dates(text, today, mood=Mood.LOG)
    return bool(phrases) and all(_YEAR.search(phrase.phrase) for phrase in phrases)


def _supports(entry: OpinionEntry) -> int:
    return sum(line.key is Key.SUPPORTS for line in entry.evidence)


def _removal(entry: Entry, reason: str, facts: Sequence[StoredPassage], certainty: float) -> Hunk:
    evidence = tuple(map(evidence_of, facts))
    topic = f"{BLOCK}:{entry.ids[0] if entry.ids else fold_text(entry.text)}"
    return Hunk(entry.line, entry.lines, (), reason, evidence, topic, certainty)


def _tokens(text: str) -> int:
    return -(-len(text) // CHARACTERS_A_TOKEN)


def _length(lines: Sequence[str]) -> int:
    return sum(len(line) + 1 for line in lines)


def _in_time(fact: StoredPassage) -> tuple[date, str, int]:
    return fact.day or date.min, fact.source.path, fact.source.line_start
