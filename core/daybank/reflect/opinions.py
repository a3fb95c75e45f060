"""Opinions that move with evidence: from new facts to changes of ``bank/opinions.md``.

For each opinion that a new fact speaks for or against, one change: the evidence under it and the
number that :mod:`daybank.reflect.confidence` makes of it. An opinion written down for the first
time gets an entry; one that contradictions have turned gets a successor, and stays, marked. What a
person changed by hand counts as set by hand, and notes that are gone take their evidence along.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date

from daybank.index.store import StoredPassage
from daybank.markdown.document import decode
from daybank.markdown.model import Kind
from daybank.markdown.names import entity_key, fold_text
from daybank.markdown.opinions import (
    OPINIONS,
    EvidenceLine,
    Form,
    Key,
    OpinionEntry,
    read_opinions,
    write_evidence,
)
from daybank.progress import check_cancel
from daybank.reflect.beliefs import STANCED, Belief, Beliefs, day_in_words, percent
from daybank.reflect.confidence import MIDDLE, Replay, differs
from daybank.reflect.material import Material, PhaseResult, Skipped, evidence_of
from daybank.reflect.opinion_edits import (
    OpinionChange,
    Successor,
    changed_entry,
    new_entry,
    opinion_id,
    with_successor,
)
from daybank.reflect.refusals import SET_BY_HAND, Refused, set_token
from daybank.reflect.weighing import Weigher, as_statement, denies, terms
from daybank.review.hunks import apply_hunks, split_lines
from daybank.review.proposal import Draft, Evidence, Hunk, Phase

_MOVES = {
    Key.SUPPORTS: "speaks for it",
    Key.WEAKENS: "casts doubt on it",
    Key.CONTRADICTS: "speaks against it",
    Key.RESTATED: "says it again",
}
_NO_PLACE = "Its page has no place for evidence there."

Asked = Mapping[tuple[str, str], date]
"""(topic, token of a number set by hand) → the day that a suggestion which still waits says."""


def suggest_opinions(
    material: Material, refused: Refused = frozenset(), waiting: Sequence[Hunk] = ()
) -> PhaseResult:
    """Changes of the opinions page that the facts of ``material`` call for. ``refused`` is what a
    person said no to, and does not come again; ``waiting`` are the changes of the page that wait
    for an answer. Raises Cancelled."""
    return _OpinionsPhase(material, refused, _asked(waiting)).run()


def _asked(waiting: Iterable[Hunk]) -> dict[tuple[str, str], date]:
    return {
        (hunk.topic, set_token(float(value))): date.fromisoformat(day)
        for hunk in waiting
        for day, value in SET_BY_HAND.findall("\n".join(hunk.new))
    }


class _OpinionsPhase:
    """The opinions phase of one run."""

    def __init__(self, material: Material, refused: Refused, asked: Asked) -> None:
        self._material = material
        self._refused = refused
        self._asked = asked
        data = material.read(OPINIONS)
        self._exists = data is not None
        self._page = read_opinions(OPINIONS, data or b"")
        self._text = decode(data or b"").text
        self._lines = split_lines(self._text)
        self._beliefs = Beliefs(self._page, material.names)
        self._weigher = Weigher(material, self._beliefs, refused)

    def run(self) -> PhaseResult:
        """All changes of the opinions page. Raises Cancelled."""
        self._beliefs.mind_changes_by_hand(self._material.today, self._refused, self._asked)
        self._weigher.mind_what_is_gone()
        for fact in self._material.new:
            check_cancel(self._material.cancel)
            self._weigher.take_in(fact)
        drafts = self._sound([*self._changes(), *self._additions()])
        return PhaseResult(tuple(drafts), tuple(self._weigher.skipped))

    # -- changes of what is on the page

    def _changes(self) -> Iterator[_Plan]:
        """One change for each opinion of the page that has something to change."""
        for belief in (*self._beliefs.live, *self._beliefs.past):
            entry = belief.entry
            if entry is None:
                continue
            if belief.dropped and not belief.has_ground:
                yield _Plan(belief, self._removal(belief, entry), ())
                continue
            curve = belief.curve()
            turned = curve.has_flipped and entry.superseded_by is None
            successor = self._successor(belief, curve) if turned else None
            if not (belief.added or belief.dropped or belief.notes or successor):
                continue
            new = self._changed(belief, entry, curve, successor)
            old = tuple(self._lines[entry.line_start - 1 : entry.line_end])
            if new is None:
                self._no_place(belief)
            elif new != old:
                draft = self._draft(belief, entry, curve, new, turned=successor is not None)
                yield _Plan(belief, draft, self._readings(belief, entry, curve, successor))

    def _changed(
        self, belief: Belief, entry: OpinionEntry, curve: Replay, successor: Successor | None
    ) -> tuple[str, ...] | None:
        written = {id(line) for line in entry.evidence}
        fresh = [line for line in belief.evidence if id(line) not in written]
        fresh.sort(key=lambda line: (line.key is not Key.START, line.day or date.min))
        add = [_written(line) for line in fresh]
        if successor is not None:
            add.append(
                f"{Key.SUPERSEDED.value}: ^{opinion_id(successor.statement, successor.names)}"
            )
        change = OpinionChange(
            round(curve.confidence + 1e-9, 2),
            belief.op_id,
            tuple(add),
            frozenset(line.line for line in belief.dropped if line.line > entry.line_start),
            curve.day,
            frozenset(line.id for line in belief.dropped if line.id),
        )
        new = changed_entry(entry, self._page.lines, change)
        if new is None or successor is None:
            return new
        return with_successor(entry, self._page.lines, new, successor)

    def _readings(
        self, belief: Belief, entry: OpinionEntry, curve: Replay, successor: Successor | None
    ) -> tuple[_Reading, ...]:
        shown = round(curve.confidence + 1e-9, 2)
        own = _read_as(entry.statement, entry.names, shown, belief.evidence)
        if successor is None:
            return (own,)
        start = replace(belief.evidence[0], key=Key.START, id=successor.fact, day=successor.updated)
        other = _read_as(successor.statement, successor.names, successor.confidence, (start,))
        return own, other

    def _draft(
        self,
        belief: Belief,
        entry: OpinionEntry,
        curve: Replay,
        new: tuple[str, ...],
        *,
        turned: bool,
    ) -> Draft:
        evidence = [evidence_of(a.fact, _stance_word(a.line.key)) for a in belief.added]
        if turned:
            evidence += self._against(belief, evidence)
        least = min((a.line.weight for a in belief.added), default=0.75)
        hunk = Hunk(
            entry.line_start,
            tuple(self._lines[entry.line_start - 1 : entry.line_end]),
            new,
            self._reason(belief, entry, curve, turned=turned),
            tuple(evidence),
            belief.topic,
            0.5 + least / 2.5,
        )
        return Draft(OPINIONS, Phase.OPINIONS, hunk)

    def _reason(self, belief: Belief, entry: OpinionEntry, curve: Replay, *, turned: bool) -> str:
        parts = [*belief.notes]
        for added in belief.added:
            moves = _MOVES.get(added.line.key)
            told = day_in_words(added.line.day)
            parts.append(f"The note of {told}{f' {moves}' if moves else ''} ({added.why})")
        before, after = entry.confidence, curve.confidence
        if before is not None and differs(before, after):
            parts.append(f"{percent(before)} becomes {percent(after)}")
        if turned:
            parts.append("It has turned: the opposite is more likely by now")
        return ". ".join(parts) + "."

    def _removal(self, belief: Belief, entry: OpinionEntry) -> Draft:
        hunk = Hunk(
            entry.line_start,
            tuple(self._lines[entry.line_start - 1 : entry.line_end]),
            (),
            "Every note that it rests on is gone.",
            (),
            belief.topic,
            0.6,
        )
        return Draft(OPINIONS, Phase.OPINIONS, hunk)

    def _successor(self, belief: Belief, curve: Replay) -> Successor | None:
        """The opinion that takes the place of one that has turned: in the words of the note that
        contradicts it most, as sure as the old one is not."""
        against = [s.cause.id for s in curve.steps if s.key is Key.CONTRADICTS and s.cause]
        facts = self._material.store.evidence([uid for uid in against if uid])
        said = terms(belief.statement)
        # What happened one day is no belief, unless it speaks of just what the belief is about.
        usable = [
            fact
            for fact in facts
            if "\n" not in fact.content.strip()
            and (fact.kind is Kind.OPINION or 2 * len(said & terms(fact.content)) >= len(said))
        ]
        if not usable:
            return None

        def tells_most(fact: StoredPassage) -> tuple[bool, bool, int, date]:
            shared = len(said & terms(fact.content))
            stands_alone = bool(shared) and not denies(fact.content)
            return fact.kind is Kind.OPINION, stands_alone, shared, fact.day or date.min

        chosen = max(usable, key=tells_most)
        statement = as_statement(chosen.content)
        op_id = opinion_id(statement, belief.names)
        if op_id == belief.op_id or (belief.topic, op_id) in self._refused:
            return None
        value = round(max(MIDDLE, 1 - curve.confidence), 2)
        start = write_evidence(
            Key.START, chosen.day, value=value, source=str(chosen.source), id=chosen.uid
        )
        return Successor(statement, belief.names, value, (start,), chosen.day, chosen.uid)

    def _against(self, belief: Belief, known: Sequence[Evidence]) -> list[Evidence]:
        ids = [line.id for line in belief.evidence if line.key is Key.CONTRADICTS and line.id]
        said = {item.id for item in known}
        facts = self._material.store.evidence([uid for uid in ids if uid not in said])
        return [evidence_of(fact, "contradicts") for fact in facts]

    # -- what is on no page yet

    def _additions(self) -> Iterator[_Plan]:
        """One change for each opinion that is on no page yet, beside those about the same."""
        beside = self._last_beside()
        at_end = 0
        for belief in self._beliefs.new:
            fact = belief.started_by
            assert fact is not None
            curve = belief.curve()
            entry = beside.get(belief.keys) if belief.keys else None
            mark, indent = "-", ""
            if entry is not None:
                head = self._lines[entry.line_start - 1]
                mark, indent = head.lstrip()[0], head[: len(head) - len(head.lstrip())]
            shown = round(curve.confidence + 1e-9, 2)
            written = new_entry(
                belief.statement,
                belief.names,
                shown,
                [_written(line) for line in belief.evidence],
                curve.day,
                mark=mark,
            )
            lines = tuple(f"{indent}{line}" for line in written)
            if entry is not None:
                place = self._text_end(entry.line_end, entry.line_start) + 1
            else:
                place = self._text_end(len(self._lines), 0) + 1
                lines = (*self._lead(place, first=not at_end), *lines)
                at_end += 1
            given = "" if fact.confidence is None else f", {percent(fact.confidence)} sure"
            hunk = Hunk(
                place,
                (),
                lines,
                f"Written down on {day_in_words(fact.day)}{given}, and on no page yet.",
                (
                    evidence_of(fact),
                    *(evidence_of(a.fact, _stance_word(a.line.key)) for a in belief.added),
                ),
                belief.topic,
                0.7 if fact.confidence is None else 0.6 + fact.confidence / 4,
            )
            reading = _read_as(belief.statement, belief.names, shown, belief.evidence)
            yield _Plan(belief, Draft(OPINIONS, Phase.OPINIONS, hunk), (reading,))

    def _last_beside(self) -> dict[frozenset[str], OpinionEntry]:
        """The last bullet of the page about the same people."""
        return {
            self._beliefs.keys(entry.names): entry
            for entry in self._page.entries
            if entry.form is Form.BULLET
        }

    def _text_end(self, last: int, first: int) -> int:
        """The last line at or before ``last`` that is not blank."""
        while last > first and not self._lines[last - 1].strip():
            last -= 1
        return last

    def _lead(self, place: int, *, first: bool) -> tuple[str, ...]:
        """What has to stand before a new opinion at the end of the page."""
        if not first:
            return ()
        if not self._exists:
            return ("# Opinions", "")
        ends_in_list = place > 1 and self._lines[place - 2].lstrip()[:1] in ("-", "*", "+")
        return () if place == 1 or ends_in_list else ("",)

    # -- checking

    def _sound(self, plans: list[_Plan]) -> list[Draft]:
        """Those changes after which the page reads as meant: every other opinion as before, and the
        changed ones with their new number. A page may be written in ways that nobody thought of."""
        if self._reads_as_meant(plans):
            return [plan.draft for plan in plans]
        sound: list[_Plan] = []
        for plan in plans:
            check_cancel(self._material.cancel)
            if self._reads_as_meant([*sound, plan]):
                sound.append(plan)
            else:
                self._no_place(plan.belief)
        return [plan.draft for plan in sound]

    def _reads_as_meant(self, plans: Sequence[_Plan]) -> bool:
        changed = {plan.draft.hunk.line for plan in plans if plan.draft.hunk.old}
        text = apply_hunks(self._text, [plan.draft.hunk for plan in plans])
        after = read_opinions(OPINIONS, text.encode("utf-8", "surrogatepass"))
        meant = Counter(
            _read_as(entry.statement, entry.names, entry.confidence, entry.evidence)
            for entry in self._page.entries
            if entry.line_start not in changed
        )
        meant.update(reading for plan in plans for reading in plan.readings)
        found = Counter(
            _read_as(entry.statement, entry.names, entry.confidence, entry.evidence)
            for entry in after.entries
        )
        return meant == found

    def _no_place(self, belief: Belief) -> None:
        facts = [added.fact for added in belief.added]
        for fact in [*([belief.started_by] if belief.started_by else []), *facts]:
            self._weigher.skipped.append(
                Skipped(Phase.OPINIONS, str(fact.source), fact.content[:80], _NO_PLACE)
            )


_Reading = tuple[str, frozenset[str], float | None, tuple[tuple[str, str, str], ...]]


@dataclass(frozen=True, slots=True)
class _Plan:
    """A change of the page, the opinion behind it, and how the page reads after it."""

    belief: Belief
    draft: Draft
    readings: tuple[_Reading, ...]


def _read_as(
    statement: str,
    names: Iterable[str],
    confidence: float | None,
    evidence: Iterable[EvidenceLine],
) -> _Reading:
    """What has to be the same before and after: an opinion and the evidence that counts."""
    counted = sorted(
        (line.key.value, line.id or "", line.day.isoformat() if line.day else "")
        for line in evidence
        if line.key in (*STANCED, Key.SET)
    )
    keys = frozenset(entity_key(name) for name in names)
    return fold_text(statement).rstrip(". "), keys, confidence, tuple(counted)


def _written(line: EvidenceLine) -> str:
    return write_evidence(
        line.key,
        line.day,
        value=line.value,
        weight=line.weight,
        source=line.source,
        id=line.id,
        note="by hand" if line.key is Key.SET else "",
    )


def _stance_word(key: Key) -> str:
    return {Key.RESTATED: "supports", Key.START: ""}.get(key, key.value)
