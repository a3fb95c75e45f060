"""Recall itself: understand, have candidates chosen, rank, cite."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import date

from daybank.dates import Interval, describe
from daybank.index.analysis import tokenize
from daybank.index.filter import Filter
from daybank.index.match import Group
from daybank.index.meaning import MeaningIndex, Nearness, safely_nearest
from daybank.index.store import Candidate, IndexStore, StoredPassage
from daybank.markdown.model import Kind
from daybank.recall.beliefs import Beliefs, ReadOpinions
from daybank.recall.choosing import Choice
from daybank.recall.intent import Intent, is_question
from daybank.recall.names import KnownEntity, KnownNames
from daybank.recall.query import (
    Question,
    matched_spans,
    understand,
    with_identifiers,
    with_other_names,
)
from daybank.recall.ranking import (
    LEAST_SHARE,
    Ranker,
    Scored,
    is_near,
    spread_over_days,
)
from daybank.recall.results import Notice, RecallAnswer, RecallResult, Why
from daybank.recall.validity import in_force

Find = Callable[[Question, tuple[Kind, ...], int], tuple[list[Scored], bool]]
_BY_WORDS = (Intent.WORDS, Intent.BELIEF)
FACTS = (Kind.WORLD, Kind.EXPERIENCE, Kind.OPINION)

POOL = 100
"""Candidates that are ranked in full, or twice as many as are asked for if that is more. Where
words and meaning both choose, each chooses half of it."""

INSIDE_WEIGHT = 0.15
"""What a passage gains that is wholly of the time asked for."""

NARROW_WINDOW = 300
"""A time of at most so many passages is shown whole when none of them says the words."""

REACHES_IN = 0.5
"""The score, in a list by time alone, of what only reaches into the window."""

PAGE_MOST = 40
"""Lines of a page that are brought for "tell me about"."""

LOOK_BACK = 5000
"""The newest so many facts are looked through for what was so at a time."""

CONTEXT_FROM_GROUPS = 3
"""Questions of at least so many words also find lines that only stand beside a match."""


class RecallEngine:
    """Answers questions from one index. Safe from any thread; keeps only the known names."""

    def __init__(self, store: IndexStore) -> None:
        self._store = store
        self.meaning: MeaningIndex | None = None
        self.read_opinions: ReadOpinions | None = None
        self._names: tuple[int, KnownNames] | None = None

    def names(self) -> KnownNames:
        """The entities of the index as it is now."""
        generation = self._store.generation()
        cached = self._names
        if cached is None or cached[0] != generation:
            cached = (generation, KnownNames(self._store.names(), self._store.entity_pages()))
            self._names = cached
        return cached[1]

    def recall(
        self,
        text: str,
        today: date,
        *,
        k: int = 25,
        window: Interval | None = None,
        kinds: Sequence[Kind] = (),
        entities: Sequence[str] = (),
        semantic: bool = True,
    ) -> RecallAnswer:
        """Answer ``text`` with ``k`` results at most. See :meth:`daybank.Workspace.recall`."""
        names = self.names()
        question = understand(text, today, names, window=window, kinds=kinds, entities=entities)
        question = replace(question, semantic=semantic)
        notices = _question_notices(question)
        if any(notice.id in ("blank", "only-excluded") for notice in notices):
            return RecallAnswer(question.query, notices=tuple(notices))
        groups = with_other_names(self._settled(question.groups), question.named)
        question = replace(question, groups=tuple(groups))
        find = self._finder(question)
        size = max(POOL, 2 * k)
        pool, exact = find(question, (), size)
        if question.coming is not None and not self._dated_within(pool, question.query.window):
            ahead = replace(question, query=replace(question.query, window=question.coming))
            other, other_exact = find(ahead, (), size)
            if self._dated_within(other, question.coming):
                question, pool, exact = ahead, other, other_exact
        if question.intent in _BY_WORDS:
            pool = self._ordered_in_time(pool, question)
        chosen = pool
        if kinds:
            chosen = [item for item in pool if Kind(item.candidate.kind) in kinds]
            if not exact:
                chosen, exact = find(question, tuple(kinds), size)
                if question.intent in _BY_WORDS:
                    chosen = self._ordered_in_time(chosen, question)
        if not chosen and self._may_browse(question):
            # Nothing of that time says so; what there is of it may still be what was meant.
            chosen, exact = self._browse(replace(question, groups=()), tuple(kinds), size)
            chosen = spread_over_days(chosen)
            pool = chosen
            if chosen:
                notices.append(_only_window(question))
        counts: dict[Kind, int] = {}
        for item in pool:
            kind = Kind(item.candidate.kind)
            counts[kind] = counts.get(kind, 0) + 1
        found = len(chosen)
        by_words = question.intent in _BY_WORDS and bool(question.groups)
        if len(chosen) < k and window is None and by_words and _asks_more_than_when(question):
            outside = self._outside(question, tuple(kinds), chosen, k - len(chosen))
            if outside and not chosen:
                notices.append(_nothing_of(question, 0))
            chosen = [*chosen, *outside]
        if len(chosen) < k and by_words and _quotes_in_a_sentence(question):
            chosen = [*chosen, *self._loosely(question, tuple(kinds), chosen, size)]
        results = self._results(chosen[: max(k, 0)], question, names)
        if not self._store.has_full_text:
            notices.append(
                Notice("slow-search", "Search is slower on this computer: its SQLite has no FTS5.")
            )
        if not chosen and question.query.window is not None:
            others = self._outside(question, tuple(kinds), (), POOL) if by_words else []
            notices.append(_nothing_of(question, len(others)))
        return RecallAnswer(
            question.query,
            tuple(results),
            tuple(notices),
            found=found,
            found_is_exact=exact,
            kind_counts=tuple((kind, counts[kind]) for kind in Kind if kind in counts),
        )

    def _finder(self, question: Question) -> Find:
        """The way in which the question's kind of answer is found."""
        if question.intent is Intent.ABOUT:
            return self._about
        if question.intent is Intent.TRUE_THEN:
            return self._true_then
        return self._search if question.groups else self._browse

    # -- with words

    def _search(
        self, question: Question, kinds: tuple[Kind, ...], size: int
    ) -> tuple[list[Scored], bool]:
        """Ranked candidates, and whether they are all there are."""
        wanted = _filter(question, kinds)
        groups = list(question.groups)
        frequency = {i: self._frequency(group) for i, group in enumerate(groups)}
        ids, complete = self._chosen(groups, frequency, question, wanted, size)
        if not ids and len(groups) > 1 and any(group.required for group in groups):
            # Nothing has all of what was required together: then each of it counts by itself.
            groups = [replace(group, required=False) for group in groups]
            ids, complete = self._chosen(groups, frequency, question, wanted, size)
        asks_opinion = question.intent is Intent.BELIEF
        opinions = self._opinions(question, kinds, size) if asks_opinion else []
        ids = list(dict.fromkeys((*ids, *opinions)))
        ranker = Ranker(
            groups,
            frequency,
            self._passages(),
            [entity.keys for entity in question.named],
            asks_opinion=asks_opinion,
            check=self._store.check_cancel,
        )
        strict = any(group.required for group in groups)
        share = size if size > POOL else POOL // 2
        near = None if strict else self._nearest(question, wanted, share)
        if near:
            complete = complete and len(ids) <= share
            ids = list(dict.fromkeys((*ids[:share], *opinions, *near)))
        ranker.add(self._store.candidates(ids))
        with_context = len(groups) >= CONTEXT_FROM_GROUPS and not strict and not question.excluded

        def load(around: Sequence[int]) -> list[Candidate]:
            return self._store.candidates(self._store.not_saying(around, question.excluded), wanted)

        scored = ranker.rank(
            load if with_context or near else None,
            self._nearness(question, near) if near else None,
        )
        scored = [s for s in scored if s.matched or s.context or s.meaning or s.entities]
        scored = _without_repetition(scored, curated=asks_opinion)
        if scored:
            least = LEAST_SHARE * scored[0].score
            scored = [item for item in scored if item.score >= least]
        return scored, complete

    def _chosen(
        self,
        groups: Sequence[Group],
        frequency: Mapping[int, int],
        question: Question,
        wanted: Filter,
        size: int,
    ) -> tuple[list[int], bool]:
        choice = Choice(self._store, groups, frequency, self._passages(), question.excluded, wanted)
        return choice.best(size)

    def _nearest(self, question: Question, wanted: Filter, size: int) -> dict[int, Nearness] | None:
        """Passages near the question in meaning, without those it leaves out; None where search
        by meaning is off."""
        if self.meaning is None or not question.semantic:
            return None
        among = None if wanted.is_open else self._store.rows.meeting(wanted)
        found = safely_nearest(self.meaning, question.query.text, size, among)
        if not found:
            return None
        close = {id_: near for id_, near in found.items() if is_near(near)}
        return {id_: close[id_] for id_ in self._store.not_saying(close, question.excluded)}

    def _nearness(
        self, question: Question, known: Mapping[int, Nearness]
    ) -> Callable[[Sequence[Candidate]], Mapping[int, Nearness]]:
        meaning = self.meaning
        assert meaning is not None

        def of(candidates: Sequence[Candidate]) -> Mapping[int, Nearness]:
            others = {c.id: (c.own_key, c.window_key) for c in candidates if c.id not in known}
            near = meaning.nearness(question.query.text, others)
            return near | {c.id: known[c.id] for c in candidates if c.id in known}

        return of

    def _settled(self, groups: Sequence[Group]) -> list[Group]:
        """Groups as the notes know them: a word and a number written together are one name; a
        compound that stands nowhere is looked for by its parts."""
        joined = with_identifiers(groups, self._is_written)
        out: list[Group] = []
        for group in joined:
            if group.parts and not self._is_written(group):
                out.extend(part for part in _without_class(group) if part not in out)
            else:
                out.append(group)
        return out

    def _is_written(self, group: Group) -> bool:
        return bool(self._store.match([group], (), Filter(), 1))

    def _frequency(self, group: Group) -> int:
        return max((self._store.document_frequency(spelled) for spelled in group.stems), default=0)

    def _passages(self) -> int:
        return max(self._store.passages_in_all(), 1)

    # -- without words

    def _browse(
        self, question: Question, kinds: tuple[Kind, ...], size: int
    ) -> tuple[list[Scored], bool]:
        """No word to rank by: what meets the filters, newest first. In a window, what belongs into
        it comes before what only reaches into it; on one day, notes come before other text."""
        wanted = _filter(question, kinds)
        ids = self._store.newest(wanted, size)
        complete = len(ids) < size
        ids = self._store.not_saying(ids, question.excluded)
        found = {c.id: c for c in self._store.candidates(ids)}
        scored = [Scored(found[id_], 1.0, (), (), False) for id_ in ids if id_ in found]
        window = question.query.window
        if window is not None:
            inside = self._within(scored, window)
            scored = [
                item if item.candidate.id in inside else replace(item, score=REACHES_IN)
                for item in scored
            ]
            scored.sort(
                key=lambda item: (
                    -item.score,
                    -(item.candidate.day or 0),
                    not Kind(item.candidate.kind).is_fact,
                )
            )
        return _without_repetition(scored), complete

    def _ordered_in_time(self, pool: list[Scored], question: Question) -> list[Scored]:
        """For a question about a time: what is of that time comes before what only reaches into
        it, and no one day takes all places."""
        window = question.query.window
        if window is None or not pool:
            return pool
        if question.groups:
            inside = self._within(pool, window)
            pool = [
                replace(item, score=item.score + INSIDE_WEIGHT)
                if item.candidate.id in inside
                else item
                for item in pool
            ]
        return spread_over_days(pool)

    def _dated_within(self, pool: Sequence[Scored], window: Interval | None) -> bool:
        """Whether any of the best results is of the time ``window``, not only reaching into it."""
        return window is not None and bool(self._within(pool[:POOL], window))

    def _within(self, pool: Sequence[Scored], window: Interval) -> set[int]:
        """Ids of the passages written in ``window``, or about a time that lies in it."""
        stored = self._store.passages([item.candidate.id for item in pool])
        return {
            id_
            for id_, passage in stored.items()
            if (passage.day is not None and _holds(window, passage.day, passage.day))
            or (
                passage.event is not None and _holds(window, passage.event.start, passage.event.end)
            )
        }

    def _may_browse(self, question: Question) -> bool:
        """Whether a time in the question is narrow enough to show all that is of it."""
        query = question.query
        return (
            query.window is not None
            and query.window_phrase is not None
            and not query.phrases
            and not any(group.required for group in question.groups)
            and 0 < self._store.count(_filter(question, ())) <= NARROW_WINDOW
        )

    # -- about somebody, about what they think, and about what was so

    def _about(
        self, question: Question, kinds: tuple[Kind, ...], size: int
    ) -> tuple[list[Scored], bool]:
        """All about a person or thing: its page, what is believed of it, and then its facts and
        other mentions, newest first."""
        wanted = _filter(question, kinds)
        keys = _keys(question)
        pages = [e.page for e in self._meant(question) if e.page]
        on_page = [
            id_
            for page in pages
            for id_ in self._store.newest(replace(wanted, path=page), PAGE_MOST)
        ]
        opinions = self._opinions(question, kinds, size)
        others = self._store.mentioning(keys, wanted, size)
        wanted_ids = self._store.not_saying({*on_page, *opinions, *others}, question.excluded)
        found = {c.id: c for c in self._store.candidates(wanted_ids)}
        page_ids = set(on_page)
        order = sorted(
            (found[id_] for id_ in dict.fromkeys((*on_page, *opinions, *others)) if id_ in found),
            key=lambda c: (
                c.id not in page_ids,
                c.id in page_ids and c.line_start,
                not (c.kind == Kind.OPINION and c.path.startswith("bank/")),
                not Kind(c.kind).is_fact,
                -(c.day or 0),
                c.path,
                c.line_start,
            ),
        )
        return self._listed(order, question), len(others) < size

    def _true_then(
        self, question: Question, kinds: tuple[Kind, ...], size: int
    ) -> tuple[list[Scored], bool]:
        """What was so in the time asked for: facts in force then, without those that later ones
        had overtaken; of a topic, where the question names one."""
        window = question.query.window
        assert window is not None
        known = replace(
            _filter(question, kinds or FACTS),
            window=Interval(None, window.end),
            entity_keys=(*question.filters, *(entity.keys for entity in question.named)),
        )
        topic = [group for group in question.groups if not _is_a_name(group, question)]
        if topic:
            ids = self._store.match(topic, question.excluded, known, LOOK_BACK)
        else:
            ids = self._store.not_saying(self._store.newest(known, LOOK_BACK), question.excluded)
        stored = self._store.passages(ids)
        beliefs = self._beliefs_of_pages()
        facts = [
            fact
            for fact in (stored[id_] for id_ in ids if id_ in stored)
            if not fact.machine and not self._was_replaced(fact, beliefs, window)
        ]
        held = in_force(facts, window)
        found = {c.id: c for c in self._store.candidates([v.passage.id for v in held])}
        order = [found[v.passage.id] for v in held if v.passage.id in found]
        return self._listed(order, question)[:size], len(ids) < LOOK_BACK

    def _was_replaced(self, fact: StoredPassage, beliefs: Beliefs, window: Interval) -> bool:
        entry = beliefs.entry(fact)
        if entry is None or entry.superseded_by is None:
            return False
        day = beliefs.replaced_on(entry)
        return day is None or window.start is None or day <= window.start

    def _opinions(self, question: Question, kinds: tuple[Kind, ...], size: int) -> list[int]:
        """Ids of the opinions about whom the question names."""
        keys = _keys(question)
        if not keys or (kinds and Kind.OPINION not in kinds):
            return []
        wanted = _filter(question, (Kind.OPINION,))
        found = self._store.mentioning(keys, wanted, size)
        return self._store.not_saying(found, question.excluded)

    def _meant(self, question: Question) -> list[KnownEntity]:
        names = self.names()
        asked = [names.find(key) for keys in question.filters for key in keys]
        return list(dict.fromkeys((*question.named, *(e for e in asked if e is not None))))

    def _listed(self, order: Sequence[Candidate], question: Question) -> list[Scored]:
        """Candidates in the order in which they are to be shown, without words to rank by."""
        groups = question.groups
        frequency = dict.fromkeys(range(len(groups)), 1)
        keys = [entity.keys for entity in question.named]
        ranker = Ranker(groups, frequency, 1, keys)
        ranker.add(order)
        said = {s.candidate.id: s for s in ranker.rank()}
        listed = [
            replace(said[candidate.id], score=1.0 / (1 + place / 10), context=False)
            for place, candidate in enumerate(order)
        ]
        return _without_repetition(listed, curated=True)

    def _beliefs_of_pages(self) -> Beliefs:
        return Beliefs(self._store, self.read_opinions or (lambda path: None))

    # -- answering

    def _results(
        self, chosen: Sequence[Scored], question: Question, names: KnownNames
    ) -> list[RecallResult]:
        stored = self._store.passages([item.candidate.id for item in chosen])
        groups = question.groups
        window = question.query.window
        beliefs = self._beliefs_of_pages()
        results = []
        for item in chosen:
            self._store.check_cancel()
            passage = stored.get(item.candidate.id)
            if passage is None:  # taken out of the index between two reads
                continue
            labels = tuple(groups[i].label for i in item.matched if i < len(groups))
            why = Why(
                words=labels,
                entities=tuple(names.shown(name) for name in item.entities),
                in_window=window is not None and not item.outside,
                outside=item.outside,
                context=item.context,
                meaning=item.meaning,
            )
            marks = matched_spans(
                passage.content, [groups[i] for i in item.matched if i < len(groups)]
            )
            result = _result(passage, item.score, why, marks, names)
            if (entry := beliefs.entry(passage)) is not None:
                result = replace(
                    result,
                    sides=beliefs.sides(entry),
                    superseded=entry.superseded_by is not None,
                )
            results.append(result)
        return results

    def _loosely(
        self,
        question: Question,
        kinds: tuple[Kind, ...],
        strictly: Sequence[Scored],
        size: int,
    ) -> list[Scored]:
        """What answers a question apart from the titles quoted in it."""
        loose = tuple(replace(group, required=False) for group in question.groups)
        said = {item.candidate.uid for item in strictly}
        found, _ = self._search(replace(question, groups=loose), kinds, size)
        return [item for item in found if item.candidate.uid not in said]

    def _outside(
        self, question: Question, kinds: tuple[Kind, ...], inside: Sequence[Scored], most: int
    ) -> list[Scored]:
        """What other times say of a question that names one. A note is often written later than
        what it tells of, and people misremember when: so it comes after all that is of the time,
        marked as not of it, instead of not at all."""
        free = replace(question, query=replace(question.query, window=None))
        seen = {item.candidate.uid for item in inside}
        found, _ = self._search(free, kinds, max(POOL, 2 * most))
        return [replace(item, outside=True) for item in found if item.candidate.uid not in seen][
            :most
        ]


def _asks_more_than_when(question: Question) -> bool:
    """A whole question with a time in it, that asks for more than all of that time. Words typed
    with a time are a choice of that time and of nothing else."""
    return (
        question.query.window is not None
        and is_question(question.query.text)
        and not all(_is_a_name(group, question) for group in question.groups)
    )


def _quotes_in_a_sentence(question: Question) -> bool:
    """A title in quotes inside a whole question ("What did Mara think of “Dune”?"): what says it
    comes first; what else the question asks for may stand in lines that do not repeat it."""
    required = sum(group.required for group in question.groups)
    return (
        0 < required == len(question.query.phrases)
        and len(question.groups) - required >= CONTEXT_FROM_GROUPS
        and is_question(question.query.text)
    )


def _nothing_of(question: Question, others: int) -> Notice:
    """Nothing in the time asked for; ``others`` is how many there are of other times."""
    window = question.query.window
    assert window is not None
    more = f" {others} without the dates." if others else ""
    return Notice("nothing-in-window", f"Nothing found in this time: {describe(window)}.{more}")


def _keys(question: Question) -> tuple[str, ...]:
    """The keys of everybody whom the question names or asks for."""
    keys = [key for entity in question.named for key in entity.keys]
    return tuple(dict.fromkeys((*keys, *(key for some in question.filters for key in some))))


def _is_a_name(group: Group, question: Question) -> bool:
    spelled = {
        token.term
        for entity in question.named
        for name in (entity.name, *entity.aliases)
        for token in tokenize(name)
    }
    return all(word in spelled for word in group.words)


def _only_window(question: Question) -> Notice:
    window = question.query.window
    assert window is not None
    words = " ".join(question.query.words)
    return Notice(
        "only-dates", f"No note says “{words}”. These are the notes of {describe(window)}."
    )


def _without_class(group: Group) -> tuple[Group, ...]:
    """The parts of a compound. Of a numbered one, ADR-0099, the number alone: it is what tells it
    from the others of its class, and those are not meant."""
    numbers = tuple(part for part in group.parts if part.words[0].isdigit())
    if numbers and group.parts[-1] is numbers[-1] and len(numbers) < len(group.parts):
        return tuple(replace(part, required=True) for part in numbers)
    return group.parts


def _holds(window: Interval, start: date | None, end: date | None) -> bool:
    after = window.start is None or (start is not None and start >= window.start)
    before = window.end is None or (end is not None and end <= window.end)
    return after and before


def _filter(question: Question, kinds: tuple[Kind, ...]) -> Filter:
    return Filter(question.query.window, kinds, question.filters, without_keys=question.unwanted)


def _without_repetition(scored: Sequence[Scored], *, curated: bool = False) -> list[Scored]:
    """One result a fact: the same text of the same day stands once, preferably in its log, or,
    with ``curated``, on its page. A page in ``bank/`` has no day of its own, so its text is a copy
    of what any log says."""
    logged = {(c.kind, c.words): c.uid for c in (item.candidate for item in scored) if _is_log(c)}
    best: dict[str, int] = {}
    out: list[Scored] = []
    for item in scored:
        candidate = item.candidate
        uid = candidate.uid
        if not _is_log(candidate):
            uid = logged.get((candidate.kind, candidate.words), uid)
        at = best.get(uid)
        if at is None:
            best[uid] = len(out)
            out.append(item)
        elif _is_log(candidate) != curated and _is_log(out[at].candidate) == curated:
            out[at] = replace(item, score=out[at].score)
    return out


def _is_log(candidate: Candidate) -> bool:
    return not candidate.path.startswith("bank/")


def _result(
    passage: StoredPassage,
    score: float,
    why: Why,
    marks: tuple[tuple[int, int], ...],
    names: KnownNames,
) -> RecallResult:
    return RecallResult(
        kind=passage.kind,
        content=passage.content,
        source=passage.source,
        id=passage.uid,
        score=score,
        day=passage.day,
        event=passage.event,
        entities=tuple(dict.fromkeys(names.shown(name) for name in passage.names)),
        confidence=passage.confidence,
        why=why,
        highlights=marks,
        trail=passage.trail,
        role=passage.role,
        machine=passage.machine,
        untrusted=passage.untrusted,
    )


def result_of(passage: StoredPassage, names: KnownNames) -> RecallResult:
    """A passage as a result outside any question."""
    return _result(passage, 1.0, Why(), (), names)


def _question_notices(question: Question) -> list[Notice]:
    query = question.query
    notices = []
    if query.excluded and not (question.groups or query.window or question.filters):
        notices.append(Notice("only-excluded", "Only words to leave out. Add a word to look for."))
    elif not question.groups and not question.filters and query.is_blank:
        notices.append(Notice("blank", "Type a word, a name or a time."))
    if question.cut:
        notices.append(Notice("long-query", "The question is very long; its beginning was used."))
    return notices
