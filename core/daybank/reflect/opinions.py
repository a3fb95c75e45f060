"""Opinions that move with evidence: from new facts to changes of ``bank/opinions.md``.

For each opinion that a new fact speaks for or against, one change: the evidence under it and the
number that :mod:`daybank.reflect.confidence` makes of it. An opinion written down for the first
time gets an entry; one that contradictions have turned gets a successor, and stays, marked. What a
person changed by hand counts as set by hand, and notes that are gone take their evidence along.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import date

from daybank.dates import Interval, describe
from daybank.index.analysis import STOP_TERMS, stem, tokenize
from daybank.index.store import StoredPassage
from daybank.markdown.document import decode
from daybank.markdown.model import Kind
from daybank.markdown.names import entity_key, fold_text
from daybank.markdown.opinions import (
    EvidenceLine,
    Form,
    Key,
    OpinionEntry,
    read_opinions,
    write_evidence,
)
from daybank.progress import check_cancel
from daybank.reflect.confidence import MIDDLE, START, Replay, differs, replay
from daybank.reflect.judgement import Judgement, Stance
from daybank.reflect.material import Material, PhaseResult, Skipped, evidence_of
from daybank.reflect.opinion_edits import OpinionChange, changed_entry, new_entry, opinion_id
from daybank.reflect.stance import StanceJudge, Statement
from daybank.review.hunks import split_lines
from daybank.review.proposal import Draft, Evidence, Hunk, Phase

OPINIONS = "bank/opinions.md"
LEAST_STRENGTH = 0.3
"""A stance weaker than this moves nothing."""
SAME_WORDS = 0.9
"""Share of common terms from which two texts count as the same one."""
REWORDED = 0.6
"""Share of common terms from which a note in the same file counts as a gone one, reworded."""
_KEYS = {
    Stance.SUPPORTS: Key.SUPPORTS,
    Stance.WEAKENS: Key.WEAKENS,
    Stance.CONTRADICTS: Key.CONTRADICTS,
}
_MOVES = {
    Key.SUPPORTS: "speaks for it",
    Key.WEAKENS: "casts doubt on it",
    Key.CONTRADICTS: "speaks against it",
    Key.RESTATED: "says it again",
}
_STANCED = (Key.START, Key.SUPPORTS, Key.WEAKENS, Key.CONTRADICTS, Key.RESTATED)


@dataclass
class _Added:
    """Evidence that an opinion is to gain."""

    line: EvidenceLine
    fact: StoredPassage
    why: str

    @property
    def text(self) -> str:
        line = self.line
        return write_evidence(
            line.key,
            line.day,
            value=line.value,
            weight=line.weight,
            source=line.source,
            id=line.id,
        )


@dataclass
class _Belief:
    """An opinion while the run works on it: on the page, or about to be written."""

    statement: str
    names: tuple[str, ...]
    keys: frozenset[str]
    evidence: list[EvidenceLine]
    entry: OpinionEntry | None = None
    stated: float | None = None
    started_by: StoredPassage | None = None
    added: list[_Added] = field(default_factory=list)
    dropped: dict[int, str] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)

    @property
    def op_id(self) -> str:
        written = self.entry.op_id if self.entry is not None else None
        return written or opinion_id(self.statement, self.names)

    @property
    def first_day(self) -> date | None:
        return min((line.day for line in self.evidence if line.day is not None), default=None)

    def curve(self) -> Replay:
        return replay(self.evidence, self.stated)

    @property
    def evidence_left(self) -> bool:
        """Whether anything is left that it rests on."""
        return any(line.key in (*_STANCED, Key.SET) for line in self.evidence)

    def cites(self, uid: str) -> bool:
        return any(line.id == uid for line in self.evidence)


class OpinionsPhase:
    """The opinions phase of one run. ``refused`` holds (topic, fact id) pairs that a person said
    no to; they are not suggested again."""

    def __init__(self, material: Material, refused: frozenset[tuple[str, str]] = frozenset()):
        self._material = material
        self._refused = refused
        self._judge = StanceJudge()
        self._skipped: list[Skipped] = []
        data = material.read(OPINIONS)
        self._page = read_opinions(OPINIONS, data or b"")
        self._lines = split_lines(decode(data or b"").text)
        self._exists = data is not None
        self._beliefs = [self._on_page(entry) for entry in self._page.entries]
        self._live = [b for b in self._beliefs if b.entry is None or not b.entry.superseded_by]

    def run(self) -> PhaseResult:
        """All changes of the opinions page. Raises Cancelled."""
        self._mind_changes_by_hand()
        self._mind_what_is_gone()
        for fact in self._material.new:
            check_cancel(self._material.cancel)
            self._take_in(fact)
        drafts = [
            *self._entry_drafts(),
            *self._new_drafts(),
        ]
        return PhaseResult(tuple(drafts), tuple(self._skipped))

    # -- what is on the page

    def _on_page(self, entry: OpinionEntry) -> _Belief:
        evidence = list(entry.evidence)
        belief = _Belief(
            entry.statement,
            entry.names,
            self._keys(entry.names),
            evidence,
            entry,
            entry.confidence,
        )
        if not any(line.key in (Key.START, Key.SET) for line in evidence):
            belief.stated = entry.confidence if entry.confidence is not None else START
        return belief

    def _keys(self, names: Iterable[str]) -> frozenset[str]:
        """The people and things meant, each by the one key that all its names share."""
        found = set()
        for name in names:
            known = self._material.names.find(name)
            found.add(known.key if known is not None else entity_key(name))
        return frozenset(found)

    def _mind_changes_by_hand(self) -> None:
        """A number that the evidence does not give was set by a person: the page gets to say so."""
        for belief in self._live:
            entry = belief.entry
            if entry is None or entry.confidence is None:
                continue
            has_start = any(line.key in (Key.START, Key.SET) for line in belief.evidence)
            if not has_start or not differs(belief.curve().confidence, entry.confidence):
                continue
            line = EvidenceLine(
                0, Key.SET, "", self._material.today, entry.confidence, source=None, id=None
            )
            belief.evidence.append(line)
            belief.notes.append(
                f"The page says {_percent(entry.confidence)}, and its evidence does not: somebody"
                " has set it by hand, and from now on it counts as that"
            )

    def _mind_what_is_gone(self) -> None:
        """Evidence whose note is in no file any more goes; a note that was only reworded is cited
        in its new words."""
        for belief in self._live:
            for line in list(belief.evidence):
                if line.key not in _STANCED or line.id is None:
                    continue
                if self._material.store.by_uid(line.id):
                    continue
                self._replace_gone(belief, line)

    def _replace_gone(self, belief: _Belief, line: EvidenceLine) -> None:
        reworded = self._reworded(line)
        belief.evidence.remove(line)
        belief.dropped[line.line] = line.text
        if reworded is not None and not belief.cites(reworded.uid):
            new = replace(line, line=0, source=str(reworded.source), id=reworded.uid)
            belief.evidence.append(new)
            belief.added.append(_Added(new, reworded, "the note it cites was reworded"))
        else:
            belief.notes.append(f"The note of {_day(line.day)} that it cites is gone")
            if line.key is Key.START:
                self._start_anew(belief)

    def _start_anew(self, belief: _Belief) -> None:
        """Without the note that began it, an opinion begins with the first that supports it."""
        supports = sorted(
            (s for s in belief.evidence if s.key in (Key.SUPPORTS, Key.RESTATED) and s.day),
            key=lambda s: (s.day or date.min, s.line),
        )
        if not supports:
            return
        first = supports[0]
        belief.evidence.remove(first)
        belief.dropped[first.line] = first.text
        start = replace(first, key=Key.START, line=0, value=first.value or START, weight=1.0)
        belief.evidence.append(start)
        fact = next(iter(self._material.store.evidence([first.id or ""])), None)
        if fact is not None:
            belief.added.append(_Added(start, fact, "the first note that still speaks for it"))

    def _reworded(self, line: EvidenceLine) -> StoredPassage | None:
        """A new fact of the same file and day that says nearly what the gone one did. What that
        was, only its own words on the page tell, so it has to be the only one that is new there."""
        here = [f for f in self._material.new if f.source.path == line.file and f.day == line.day]
        number = (line.source or "").partition("#L")[2].partition("-")[0]
        near = [f for f in here if number and abs(f.source.line_start - int(number)) <= 3]
        return near[0] if len(near) == 1 else None

    # -- new facts

    def _take_in(self, fact: StoredPassage) -> None:
        """Find the opinions that ``fact`` speaks of; an opinion that nobody holds yet begins."""
        if any(belief.cites(fact.uid) for belief in self._beliefs):
            self._skip(fact, "The page cites it already.")
            return
        keys = self._keys(fact.names)
        related = [b for b in self._live if self._may_concern(b, keys, fact)]
        moved = False
        for belief in related:
            moved = self._weigh(belief, fact) or moved
        if fact.kind is Kind.OPINION and not moved:
            self._begin(fact)
        elif not moved and related:
            self._skip(fact, "It speaks for or against none of the opinions about the same.")

    def _may_concern(self, belief: _Belief, keys: frozenset[str], fact: StoredPassage) -> bool:
        if belief.keys or keys:
            return not belief.keys.isdisjoint(keys)
        return bool(_terms(belief.statement) & _terms(fact.content))

    def _weigh(self, belief: _Belief, fact: StoredPassage) -> bool:
        """Let ``fact`` move ``belief`` where it does; whether it had anything to say."""
        key, weight, value, why = self._stance(belief, fact)
        if key is None:
            return False
        reason = self._why_not(belief, fact, key)
        if reason is not None:
            self._skip(fact, reason)
            return True
        line = EvidenceLine(
            0,
            key,
            "",
            fact.day,
            value,
            weight,
            str(fact.source),
            fact.uid,
        )
        self._give_a_start(belief, line)
        belief.evidence.append(line)
        belief.added.append(_Added(line, fact, why))
        return True

    def _stance(
        self, belief: _Belief, fact: StoredPassage
    ) -> tuple[Key | None, float, float | None, str]:
        """What ``fact`` does to ``belief``: the key of its line, its strength, the number that an
        author gives, and the reason."""
        same_people = belief.keys == self._keys(fact.names[: fact.subjects])
        if fact.kind is Kind.OPINION and same_people and _same(belief.statement, fact.content):
            if fact.confidence is not None:
                return Key.RESTATED, 1.0, fact.confidence, "the same, written down again"
            return Key.SUPPORTS, 1.0, None, "the same, written down again"
        judged = self._judged(belief, fact)
        key = _KEYS.get(judged.stance)
        if key is None or judged.strength < LEAST_STRENGTH:
            return None, 0.0, None, judged.reason
        weight = 1.0 if judged.strength >= 0.95 else max(0.05, round(judged.strength * 20) / 20)
        return key, weight, None, judged.reason

    def _judged(self, belief: _Belief, fact: StoredPassage) -> Judgement:
        def shown(names: Iterable[str]) -> tuple[str, ...]:
            return tuple(dict.fromkeys(self._material.names.shown(name) for name in names))

        return self._judge.judge(
            Statement(belief.statement, shown(belief.names), Kind.OPINION, None, belief.first_day),
            Statement(
                fact.content,
                shown(fact.names[: fact.subjects] or fact.names),
                fact.kind,
                fact.confidence,
                fact.day,
            ),
            self._material.similarity(belief.statement, fact.content),
        )

    def _why_not(self, belief: _Belief, fact: StoredPassage, key: Key) -> str | None:
        """Why ``fact`` may not move ``belief`` after all."""
        if fact.day is None:
            return "It has no day."
        if (
            belief.entry is not None
            and belief.entry.form in (Form.TABLE, Form.KEYED)
            and (
                changed_entry(
                    belief.entry,
                    self._page.lines,
                    OpinionChange(START, belief.op_id, add=("x",)),
                )
                is None
            )
        ):
            return "The table with this opinion has no column for evidence."
        if (f"opinion:{belief.op_id}", fact.uid) in self._refused:
            return "This was suggested before and rejected."
        first = belief.first_day
        if first is not None and fact.day < first:
            return "It is older than the opinion."
        for line in belief.evidence:
            if line.day == fact.day and line.file == fact.source.path:
                return "The same page has moved this opinion on the same day."
            if line.day == fact.day and line.key is key:
                return "The same was counted on the same day."
        for text in self._texts(belief):
            if _same(text, fact.content):
                return "It says what a note that counts already says."
        return None

    def _texts(self, belief: _Belief) -> list[str]:
        """The words of the evidence that counts, without the note that began it."""
        ids = [
            line.id
            for line in belief.evidence
            if line.id is not None and line.key not in (Key.START, Key.RESTATED)
        ]
        return [fact.content for fact in self._material.store.evidence(ids)]

    def _give_a_start(self, belief: _Belief, line: EvidenceLine) -> None:
        """Before its first evidence, an opinion that says only a number gets a start with it."""
        if any(known.key in (Key.START, Key.SET) for known in belief.evidence):
            return
        entry = belief.entry
        looked = entry.passage.day if entry is not None else None
        day = min(filter(None, (looked, line.day)), default=None)
        value = belief.stated if belief.stated is not None else START
        belief.evidence.insert(0, EvidenceLine(0, Key.START, "", day, value))

    def _begin(self, fact: StoredPassage) -> None:
        """An opinion that is on no page yet."""
        names = fact.names[: fact.subjects]
        statement = fact.content.strip().removesuffix(".").strip()
        topic = f"opinion:{opinion_id(statement, names)}"
        if (topic, fact.uid) in self._refused:
            self._skip(fact, "This was suggested before and rejected.")
            return
        if "\n" in statement or not statement:
            self._skip(fact, "An opinion is one sentence.")
            return
        line = EvidenceLine(
            0, Key.START, "", fact.day, fact.confidence, 1.0, str(fact.source), fact.uid
        )
        belief = _Belief(statement, names, self._keys(names), [line], None, fact.confidence, fact)
        self._beliefs.append(belief)
        self._live.append(belief)

    def _skip(self, fact: StoredPassage, reason: str) -> None:
        self._skipped.append(Skipped(Phase.OPINIONS, str(fact.source), fact.content[:80], reason))

    # -- drafts

    def _entry_drafts(self) -> Iterable[Draft]:
        """One change for each opinion of the page that has something to change."""
        for belief in self._live:
            entry = belief.entry
            if entry is None:
                continue
            if not belief.evidence_left and belief.dropped:
                yield self._removal(belief, entry)
                continue
            curve = belief.curve()
            turned = curve.has_flipped and not entry.superseded_by
            if not (belief.added or belief.dropped or belief.notes or turned):
                continue
            draft = self._changed(belief, entry, curve, turned)
            if draft is not None:
                yield draft

    def _changed(
        self, belief: _Belief, entry: OpinionEntry, curve: Replay, turned: bool
    ) -> Draft | None:
        old = tuple(self._lines[entry.line_start - 1 : entry.line_end])
        written = {id(line) for line in entry.evidence}
        fresh = [line for line in belief.evidence if id(line) not in written]
        fresh.sort(key=lambda line: (line.key is not Key.START, line.day or date.min))
        add = [_written(line) for line in fresh]
        successor, start = self._successor(belief, curve) if turned else (None, ())
        if successor is not None:
            add.append(f"{Key.SUPERSEDED.value}: ^{successor}")
        change = OpinionChange(
            round(curve.confidence + 1e-9, 2),
            belief.op_id,
            tuple(add),
            frozenset(number for number in belief.dropped if number > entry.line_start),
            curve.day or self._material.today,
        )
        if belief.dropped and entry.form in (Form.TABLE, Form.KEYED):
            return None  # its evidence is words in a cell, which a person wrote
        if successor is not None:
            change = replace(change, add=change.add[:-1])
        new = changed_entry(entry, self._page.lines, change)
        if new is None:
            return None
        if successor is not None:
            new = (*_with_successor(new, entry, successor), *start)
        if new == old:
            return None
        evidence = [evidence_of(a.fact, _stance_word(a.line.key)) for a in belief.added]
        if turned:
            evidence += self._against(belief, evidence)
        certainty = min((a.line.weight for a in belief.added), default=0.9)
        hunk = Hunk(
            entry.line_start,
            old,
            new,
            self._reason(belief, entry, curve, turned=successor is not None),
            tuple(evidence),
            f"opinion:{belief.op_id}",
            0.5 + certainty / 2.5 if belief.added else 0.8,
        )
        phase = Phase.OPINIONS if belief.added or turned or not belief.dropped else Phase.REPAIR
        return Draft(OPINIONS, phase, hunk)

    def _reason(self, belief: _Belief, entry: OpinionEntry, curve: Replay, *, turned: bool) -> str:
        parts = [*belief.notes]
        for added in belief.added:
            moves = _MOVES.get(added.line.key)
            told = f"{_day(added.line.day)} {moves}" if moves else f"{_day(added.line.day)}"
            parts.append(f"The note of {told} ({added.why})")
        before, after = entry.confidence, curve.confidence
        if before is not None and differs(before, after):
            parts.append(f"{_percent(before)} becomes {_percent(after)}")
        if turned:
            parts.append("It has turned: the opposite is more likely by now")
        return ". ".join(parts) + "."

    def _removal(self, belief: _Belief, entry: OpinionEntry) -> Draft:
        hunk = Hunk(
            entry.line_start,
            tuple(self._lines[entry.line_start - 1 : entry.line_end]),
            (),
            "Every note that it rests on is gone.",
            (),
            f"opinion:{belief.op_id}",
            0.6,
        )
        return Draft(OPINIONS, Phase.REPAIR, hunk)

    def _successor(self, belief: _Belief, curve: Replay) -> tuple[str | None, tuple[str, ...]]:
        """The opinion that takes the place of one that has turned: in the words of the note that
        contradicts it most, as sure as the old one is not."""
        against = [
            step.cause
            for step in curve.steps
            if step.key is Key.CONTRADICTS and step.cause is not None and step.cause.id
        ]
        facts = {f.uid: f for f in self._material.store.evidence([c.id or "" for c in against])}
        usable = [facts[c.id] for c in against if c.id in facts and "\n" not in facts[c.id].content]
        if not usable:
            return None, ()

        def tells_most(fact: StoredPassage) -> tuple[bool, int, date]:
            shared = len(_terms(belief.statement) & _terms(fact.content))
            return fact.kind is Kind.OPINION, shared, fact.day or date.min

        chosen = max(usable, key=tells_most)
        statement = chosen.content.strip().removesuffix(".").strip()
        names = belief.names
        op_id = opinion_id(statement, names)
        if op_id == belief.op_id or (f"flip:{belief.op_id}", op_id) in self._refused:
            return None, ()
        value = round(max(MIDDLE, 1 - curve.confidence), 2)
        start = write_evidence(
            Key.START, chosen.day, value=value, source=str(chosen.source), id=chosen.uid
        )
        mark = "-"
        return op_id, new_entry(statement, names, value, (start,), chosen.day, mark=mark)

    def _against(self, belief: _Belief, known: Sequence[Evidence]) -> list[Evidence]:
        ids = [line.id for line in belief.evidence if line.key is Key.CONTRADICTS and line.id]
        said = {item.id for item in known}
        facts = self._material.store.evidence([uid for uid in ids if uid not in said])
        return [evidence_of(fact, "contradicts") for fact in facts]

    def _new_drafts(self) -> Iterable[Draft]:
        """One change for each opinion that is on no page yet, beside those about the same."""
        new = [b for b in self._beliefs if b.entry is None and b.started_by is not None]
        for number, belief in enumerate(new):
            fact = belief.started_by
            assert fact is not None
            curve = belief.curve()
            items = [_written(line) for line in belief.evidence]
            lines = new_entry(
                belief.statement,
                belief.names,
                round(curve.confidence + 1e-9, 2),
                items,
                curve.day,
            )
            place, lead = self._place(belief)
            if not self._exists and number == 0:
                lead = ("# Opinions", "")
            elif lead and number and place == len(self._lines) + 1:
                lead = ()
            evidence = [
                evidence_of(fact),
                *(evidence_of(a.fact, _stance_word(a.line.key)) for a in belief.added),
            ]
            given = "" if fact.confidence is None else f", {_percent(fact.confidence)} sure"
            reason = f"Written down on {_day(fact.day)}{given}, and on no page yet."
            hunk = Hunk(
                place,
                (),
                (*lead, *lines),
                reason,
                tuple(evidence),
                f"opinion:{belief.op_id}",
                0.7 if fact.confidence is None else 0.6 + fact.confidence / 4,
            )
            yield Draft(OPINIONS, Phase.OPINIONS, hunk)

    def _place(self, belief: _Belief) -> tuple[int, tuple[str, ...]]:
        """Behind the last opinion about the same people, else at the end of the page: the line
        number, and what has to stand before."""
        beside = [
            entry
            for entry in self._page.entries
            if entry.form is Form.BULLET and self._keys(entry.names) == belief.keys and belief.keys
        ]
        if beside:
            last = beside[-1]
            end = last.line_end
            while end > last.line_start and not self._lines[end - 1].strip():
                end -= 1
            return end + 1, ()
        end = len(self._lines)
        while end and not self._lines[end - 1].strip():
            end -= 1
        is_list = bool(end) and self._lines[end - 1].lstrip().startswith(("-", "*", "+"))
        return end + 1, () if is_list or not end else ("",)


def suggest_opinions(
    material: Material, refused: frozenset[tuple[str, str]] = frozenset()
) -> PhaseResult:
    """Changes of the opinions page that the facts of ``material`` call for. Raises Cancelled."""
    return OpinionsPhase(material, refused).run()


def _written(line: EvidenceLine) -> str:
    note = "by hand" if line.key is Key.SET else ""
    return write_evidence(
        line.key,
        line.day,
        value=line.value,
        weight=line.weight,
        source=line.source,
        id=line.id,
        note=note,
    )


def _with_successor(lines: tuple[str, ...], entry: OpinionEntry, successor: str) -> tuple[str, ...]:
    """The lines of an entry with the item that names its successor at their end."""
    item = f"{Key.SUPERSEDED.value}: ^{successor}"
    last = max((i for i, text in enumerate(lines) if text.strip()), default=0)
    if entry.form in (Form.TABLE, Form.KEYED):
        return lines
    sample = next((text for text in lines[1:] if text.lstrip()[:1] in ("-", "*", "+")), None)
    if sample is None:
        prefix = "- " if entry.form is Form.DASHLESS else "  - "
    else:
        body = sample.lstrip()
        prefix = sample[: len(sample) - len(body)] + body[0] + " "
    return (*lines[: last + 1], f"{prefix}{item}", *lines[last + 1 :])


def _stance_word(key: Key) -> str:
    return {Key.RESTATED: "supports", Key.START: ""}.get(key, key.value)


def _terms(text: str) -> frozenset[str]:
    return frozenset(
        stem(token.term, "en") for token in tokenize(text) if token.term not in STOP_TERMS
    )


def _same(one: str, other: str) -> bool:
    """Whether two texts read the same, but for case, spacing and an odd word."""
    if fold_text(one).rstrip(".!… ") == fold_text(other).rstrip(".!… "):
        return True
    first, second = [t.term for t in tokenize(one)], [t.term for t in tokenize(other)]
    if len(first) < 6 or len(second) < 6:
        return False
    shared = len(set(first) & set(second)) / len(set(first) | set(second))
    return shared >= SAME_WORDS and _denials(first) == _denials(second)


def _denials(terms: Sequence[str]) -> int:
    return sum(term in _NO for term in terms)


_NO = frozenset(
    "no not never none nothing nunca ningun nada ne net не нет никогда hindi wala".split()
)


def _percent(value: float) -> str:
    return f"{round(value * 100)} %"


def _day(day: date | None) -> str:
    return describe(Interval.day(day)) if day is not None else "an unknown day"
