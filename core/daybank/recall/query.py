"""A question as typed → what to look for. No text raises, and none is an operator.

There is no syntax to learn; what a question may hold beyond words: "a phrase in quotes",
``-word`` to leave out, ``@Name`` for a person or thing, and a time ("last week").
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import date

from daybank.dates import DatePhrase, Interval, Mood, find_dates
from daybank.index.analysis import (
    STOP_TERMS,
    Token,
    is_inflected,
    prefix_end,
    stem,
    stems_for_query,
    tokenize,
)
from daybank.index.match import Group
from daybank.markdown.model import Kind
from daybank.markdown.names import MENTION, entity_key
from daybank.recall.intent import BELIEF_WORDS, Intent, is_topic, read_intent
from daybank.recall.names import KnownEntity, KnownNames
from daybank.recall.results import RecallQuery

LONGEST_QUERY = 2000
MOST_GROUPS = 48
LONGEST_PHRASE_RUN = 4
"""Characters of a script without spaces that are looked for as one phrase; a longer run is a
sentence, and its pairs are looked for one by one."""

_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]")
_INVISIBLE = re.compile(r"[\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\u00ad]")
_QUOTED = re.compile(
    r'((?<!\S)[-−])?(?:"([^"]*)(?:"|$)|“([^”]*)(?:”|$)|«([^»]*)(?:»|$)|„([^“”]*)(?:[“”]|$))'
)
_EXCLUDED = re.compile(r"(?<!\S)[-−](?=[^\s\-−])")
_EXCLUDED_WORD = re.compile(r"(?<!\S)[-−](?=[^\W\d_])")
"""Taken out before times are looked for: "-tuesday" names none, but "9 -13 March" does."""
_RANGE_TIGHT_AFTER = re.compile(r"[0-9]\S*\s[-−](?:[^\W\d_]+\.?\s*)?[0-9]")
_CONTRACTIONS = frozenset(("s", "t", "d", "ll", "re", "ve", "m"))
_APOSTROPHES = frozenset("'’")


@dataclass(frozen=True, slots=True)
class Question:
    """A parsed question: what a person sees of it, and what the index is asked.

    ``named`` are entities that stand in the text and raise what mentions them; ``filters`` are
    asked for with ``@`` or by the caller, and nothing else is shown. A month without a year is
    the latest one past; ``coming`` is the one ahead, for when the notes speak of that one only.
    ``intent`` is what kind of answer is wanted; for a belief, ``topic`` are the groups that say
    what it is about. ``unwanted`` are the keys of everybody left out with ``-@``.
    """

    query: RecallQuery
    groups: tuple[Group, ...]
    excluded: tuple[Group, ...]
    named: tuple[KnownEntity, ...]
    filters: tuple[tuple[str, ...], ...]
    cut: bool = False
    coming: Interval | None = None
    intent: Intent = Intent.WORDS
    topic: tuple[Group, ...] = ()
    semantic: bool = True
    unwanted: tuple[str, ...] = ()


def understand(
    text: str,
    today: date,
    names: KnownNames,
    *,
    window: Interval | None = None,
    kinds: Sequence[Kind] = (),
    entities: Sequence[str] = (),
) -> Question:
    """Read a question. ``window``, ``kinds`` and ``entities`` are filters set beside the text; a
    time in the text narrows the window further (where the two do not meet, the text's wins)."""
    clean = _INVISIBLE.sub("", _CONTROL.sub(" ", text))
    cut = len(clean) > LONGEST_QUERY
    clean = clean[:LONGEST_QUERY]
    rest, phrases, left_out = _take_quoted(clean)
    rest, wanted = _take_names(rest, names)
    rest, left_out = _take_excluded(rest, left_out, _EXCLUDED_WORD, _in_ranges(rest, today))
    asked, coming, phrase, rest = _take_time(rest, today, names)
    rest, left_out = _take_excluded(rest, left_out, _EXCLUDED)
    tokens = tokenize(rest)
    named = names.in_text(rest, tokens)
    for quoted in phrases:
        named += [e for e in names.in_text(quoted, tokenize(quoted)) if e not in named]
    open_end = bool(rest) and not rest[-1].isspace() and not phrases
    persons = [*named, *filter(None, (names.find(name) for name in (*wanted, *entities)))]
    intent, tokens = _intent(rest, tokens, persons, bool(asked or window))
    groups = _groups(tokens, open_end=open_end, text=rest)
    topic = _topic(groups, persons) if intent is Intent.BELIEF else []
    if (asked or window or wanted or entities or phrases) and all(map(_is_stop, groups)):
        groups = []  # "what happened last week" asks for the week
    words = tuple(dict.fromkeys(group.label for group in groups))
    last_quote_open = clean.count('"') % 2 == 1
    for number, quoted in enumerate(phrases):
        half_typed = last_quote_open and number == len(phrases) - 1
        group = _phrase_group(quoted, half_typed)
        if group is not None:
            groups.append(group)
    if len(groups) > MOST_GROUPS:
        groups, cut = groups[:MOST_GROUPS], True
    excluded = [group for word in left_out for group in _excluded_groups(word)]
    filters = []
    shown = []
    for name in (*wanted, *entities):
        entity = names.find(name)
        filters.append(entity.keys if entity is not None else (entity_key(name),))
        shown.append(entity.name if entity is not None else name)
    query = RecallQuery(
        text=text,
        words=words,
        phrases=tuple(phrases),
        excluded=tuple(left_out),
        entities=tuple(dict.fromkeys((*shown, *(entity.name for entity in named)))),
        window=_narrow(window, asked),
        window_phrase=phrase,
        kinds=tuple(kinds),
    )
    return Question(
        query,
        tuple(groups),
        tuple(excluded),
        tuple(named),
        tuple(filters),
        cut,
        coming if window is None else None,
        intent,
        topic=tuple(topic),
        unwanted=tuple(key for word in left_out for key in _keys_of(word, names)),
    )


def _intent(
    text: str, tokens: list[Token], persons: Sequence[KnownEntity], has_time: bool
) -> tuple[Intent, list[Token]]:
    """What kind of answer is wanted, and the tokens without the words that only said so. "Tell
    me about" needs a known name and nothing else; "what was true" needs a time."""
    intent, start = read_intent(text)
    rest = [token for token in tokens if token.start >= start]
    spelled = _name_terms(persons)
    if intent is Intent.TRUE_THEN and has_time:
        return intent, rest
    if intent is Intent.ABOUT and persons:
        telling = [t for t in rest if t.term not in STOP_TERMS and not _is_name(t.term, spelled)]
        if not telling:
            return intent, rest
    if persons and any(token.term in BELIEF_WORDS for token in tokens):
        return Intent.BELIEF, tokens
    return Intent.WORDS, tokens


def _name_terms(persons: Sequence[KnownEntity]) -> set[str]:
    """Every word that a name of ``persons`` is spelled with, and where endings change its stem."""
    words = {
        token.term
        for person in persons
        for name in (person.name, *person.aliases, *person.keys)
        for token in tokenize(name)
    }
    return words | {stem(word, "ru") for word in words if is_inflected(word)}


def _topic(groups: Sequence[Group], persons: Sequence[KnownEntity]) -> list[Group]:
    """What a belief is asked about: the groups that are neither a name nor "prefers"."""
    spelled = _name_terms(persons)
    return [
        group
        for group in groups
        if not all(_is_name(word, spelled) or not is_topic(word) for word in group.words)
    ]


def _is_name(word: str, spelled: set[str]) -> bool:
    return word in spelled or stem(word, "ru") in spelled


def _take_quoted(text: str) -> tuple[str, list[str], list[str]]:
    """Cut phrases in quotes out of the text: (rest, phrases, phrases with a minus)."""
    phrases: list[str] = []
    left_out: list[str] = []

    def take(match: re.Match[str]) -> str:
        minus, *quoted = match.groups()
        said = " ".join(next(words for words in quoted if words is not None).split())
        if said and tokenize(said):
            (left_out if minus else phrases).append(said)
        return " " if match.end() < len(text) or match[0][-1:] in '"”»' else ""

    return _QUOTED.sub(take, text), phrases, left_out


def _take_time(
    text: str, today: date, names: KnownNames
) -> tuple[Interval | None, Interval | None, str | None, str]:
    """The time a question speaks of, the same month ahead where a bare month may mean that, the
    words it came from, and the text without them. Of several times the common part counts, or the
    first one where they do not meet."""
    found = [
        date_phrase
        for date_phrase in find_dates(text, today, mood=Mood.QUERY)
        if not _is_person(date_phrase, names)
    ]  # April and June may be people
    if not found:
        return None, None, None, text
    interval = found[0].interval
    for phrase in found[1:]:
        interval = _common(interval, phrase.interval) or interval
    rest = list(text)
    for phrase in found:
        rest[phrase.start : phrase.end] = " " * (phrase.end - phrase.start)
    said = text[found[0].start : found[-1].end]
    coming = _coming(said, interval, today) if len(found) == 1 else None
    return interval, coming, said, "".join(rest)


def _coming(said: str, past: Interval, today: date) -> Interval | None:
    """A month or season read as a note would read it, if that one is still to come."""
    if not _is_long(past):
        return None
    near = find_dates(said, today, mood=Mood.LOG)
    ahead = near[0].interval if near else past
    if ahead.start is None or ahead.end is None or ahead.start <= today:
        return None
    return ahead


def _is_person(found: DatePhrase, names: KnownNames) -> bool:
    bare = found.phrase.isalpha() and _is_long(found.interval)
    return bare and names.find(found.phrase) is not None


def _is_long(interval: Interval) -> bool:
    """A month or a season."""
    start, end = interval.start, interval.end
    return start is not None and end is not None and 27 <= (end - start).days <= 92


def _in_ranges(text: str, today: date) -> list[tuple[int, int]]:
    """Where a text writes ranges such as "Nov 27 -Dec 1": a dash in one leaves nothing out."""
    if not _EXCLUDED_WORD.search(text):
        return []
    return [
        (found.start, found.end)
        for found in find_dates(text, today, mood=Mood.QUERY)
        if _RANGE_TIGHT_AFTER.search(found.phrase)
    ]


def _take_excluded(
    text: str,
    left_out: list[str],
    dash: re.Pattern[str],
    ranges: Sequence[tuple[int, int]] = (),
) -> tuple[str, list[str]]:
    """Cut ``-word`` out of the text, except within ``ranges``."""
    parts = []
    position = 0
    for match in dash.finditer(text):
        if match.start() < position:
            continue
        if any(start < match.start() < stop for start, stop in ranges):
            continue
        end = match.end()
        while end < len(text) and not text[end].isspace():
            end += 1
        word = text[match.end() : end].strip("\"'.,;:!?")
        if tokenize(word):
            left_out.append(word)
            parts.append(text[position : match.start()])
            position = end
    parts.append(text[position:])
    return "".join(parts), left_out


def _take_names(text: str, names: KnownNames) -> tuple[str, list[str]]:
    """Cut ``@Name`` of known entities out; an unknown one stays in the text as words."""
    wanted: list[str] = []

    def take(match: re.Match[str]) -> str:
        name = match["long"] or match["short"]
        if names.find(name) is None:
            return f" {name}"
        wanted.append(name)
        return " "

    return MENTION.sub(take, text), wanted


def _groups(tokens: list[Token], *, open_end: bool, text: str) -> list[Group]:
    """Tokens → groups: words, compounds such as ADR-0031, and runs of scripts without spaces."""
    last = tokens[-1] if tokens else None
    ends_open = open_end and last is not None and last.end == len(text)
    chunks: list[list[Token]] = []
    for token in tokens:
        previous = chunks[-1] if chunks else None
        if previous is not None and token.joined and token.pair == previous[-1].pair:
            previous.append(token)
        else:
            chunks.append([token])
    groups: list[Group] = []
    for chunk in chunks:
        at_end = ends_open and chunk[-1] is last
        if chunk[0].pair:
            groups.extend(_run_groups(chunk, text))
        else:
            groups.extend(_word_groups(chunk, text, at_end))
    meaning = [group for group in groups if not _is_stop(group)]
    return _unique(meaning or groups)


def _word_groups(chunk: list[Token], text: str, at_end: bool) -> list[Group]:
    # "C++" is the tokens c and c++: the longer one is what was meant.
    terms: list[Token] = []
    for token in chunk:
        if terms and token.start == terms[-1].start:
            terms[-1] = token
        else:
            terms.append(token)
    while len(terms) > 1 and terms[-1].joined in _APOSTROPHES and terms[-1].term in _CONTRACTIONS:
        terms.pop()
        at_end = False
    label = text[terms[0].start : terms[-1].end]
    words = tuple(token.term for token in terms)
    if len(words) == 1:
        group = _word(words[0], label, prefix=at_end)
        if words[0][-1] in "+#" and len(words[0].rstrip("+#")) > 0:
            return [replace(group, parts=(_word(words[0].rstrip("+#"), label),))]
        return [group]
    identifier = any(any(char.isdigit() for char in word) for word in words)
    parts = tuple(
        _word(token.term, text[token.start : token.end], prefix=at_end and token is terms[-1])
        for token in terms
        if token.term not in STOP_TERMS
    )
    return [
        Group(
            label,
            words,
            (words,),
            prefix=at_end,
            required=identifier,
            exact=True,
            parts=parts,
        )
    ]


def _run_groups(chunk: list[Token], text: str) -> list[Group]:
    """A run of a script without spaces. The last character alone is dropped: its pair says it."""
    label = text[chunk[0].start : chunk[-1].end]
    pairs = chunk[:-1] if len(chunk) > 1 else chunk
    words = tuple(token.term for token in pairs)
    if len(chunk) == 1:
        return [Group(label, words, (words,), prefix=True, exact=True)]
    if len(chunk) <= LONGEST_PHRASE_RUN:
        parts = tuple(Group(t.term, (t.term,), ((t.term,),), exact=True) for t in pairs)
        return [Group(label, words, (words,), exact=True, parts=parts if len(parts) > 1 else ())]
    return [Group(text[t.start : t.end], (t.term,), ((t.term,),), exact=True) for t in pairs]


def _word(term: str, label: str, *, prefix: bool = False) -> Group:
    # Another language's stem may be a word that says nothing: Spanish makes "are" of "area".
    spelled_as = stems_for_query(term)
    telling = tuple(form for form in spelled_as if form == term or form not in STOP_TERMS)
    stems = tuple((form,) for form in telling or spelled_as)
    return Group(label, (term,), stems, prefix=prefix and _may_prefix(term))


def _may_prefix(term: str) -> bool:
    """Two letters begin too many words to say anything; two characters of Han or Thai do not."""
    return len(term) >= (3 if term.isascii() else 2)


def _phrase_group(quoted: str, half_typed: bool) -> Group | None:
    tokens = tokenize(quoted)
    pairs = [t for t in tokens if not (t.pair and len(t.term) == 1 and len(tokens) > 1)]
    words = tuple(token.term for token in pairs)
    if not words:
        return None
    return Group(
        quoted,
        words,
        (words,),
        prefix=half_typed and (len(words) > 1 or _may_prefix(words[0])),
        required=True,
        exact=True,
    )


def _excluded_groups(word: str) -> list[Group]:
    tokens = tokenize(word)
    words = tuple(t.term for t in tokens if not (t.pair and len(t.term) == 1 and len(tokens) > 1))
    if len(words) == 1:
        return [_word(words[0], word)]
    return [Group(word, words, (words,), exact=True)] if words else []


def _keys_of(word: str, names: KnownNames) -> tuple[str, ...]:
    """The keys of whom ``@Name`` means; none for any other word."""
    entity = names.find(word[1:]) if word.startswith("@") else None
    return entity.keys if entity is not None else ()


def _is_stop(group: Group) -> bool:
    return not group.exact and len(group.words) == 1 and group.words[0] in STOP_TERMS


def _unique(groups: list[Group]) -> list[Group]:
    """Without repetition; a word typed again at the end keeps its open end."""
    seen: dict[tuple[tuple[str, ...], bool], Group] = {}
    for group in groups:
        key = (group.words, group.exact)
        old = seen.get(key)
        seen[key] = group if old is None or group.prefix else old
    return list(seen.values())


def with_other_names(groups: Sequence[Group], named: Sequence[KnownEntity]) -> list[Group]:
    """Let a name stand for the other names of the same person or thing: who asks for Pete finds
    the notes that say Peter."""
    out = []
    for group in groups:
        others: list[tuple[str, ...]] = []
        for entity in named:
            spelled = [
                tuple(token.term for token in tokenize(name))
                for name in dict.fromkeys((entity.name, *entity.aliases))
            ]
            if group.words in spelled:
                others += [words for words in spelled if words and words != group.words]
        if others and not group.exact:
            stems = [
                words if len(words) > 1 else (form,)
                for words in others
                for form in (stems_for_query(words[0]) if len(words) == 1 else ("",))
            ]
            group = replace(group, stems=tuple(dict.fromkeys((*group.stems, *stems))))
        out.append(group)
    return out


def with_identifiers(groups: Sequence[Group], is_written: Callable[[Group], bool]) -> list[Group]:
    """Join a word and the number after it ("adr 0031", "room 101") where the notes write them
    side by side: then they are one name, and another number is another thing."""
    out: list[Group] = []
    for group in groups:
        last = out[-1] if out else None
        if (
            last is not None
            and len(group.words) == 1
            and len(last.words) == 1
            and not last.exact
            and not group.exact
            and group.words[0].isdigit()
            and last.words[0].isalpha()
        ):
            joined = Group(
                f"{last.label} {group.label}",
                (*last.words, *group.words),
                ((*last.words, *group.words),),
                prefix=group.prefix,
                required=True,
                exact=True,
            )
            if is_written(joined):
                out[-1] = joined
                continue
        out.append(group)
    return out


def _narrow(window: Interval | None, asked: Interval | None) -> Interval | None:
    if window is None or asked is None:
        return asked or window
    return _common(window, asked) or asked


def _common(one: Interval, other: Interval) -> Interval | None:
    starts = [i.start for i in (one, other) if i.start is not None]
    ends = [i.end for i in (one, other) if i.end is not None]
    start, end = max(starts, default=None), min(ends, default=None)
    if start is not None and end is not None and end < start:
        return None
    return Interval(start, end)


def matched_spans(content: str, groups: Sequence[Group]) -> tuple[tuple[int, int], ...]:
    """Where ``content`` says what was looked for: [start, end) offsets, merged across spaces."""
    tokens = tokenize(content)
    if not tokens or not groups:
        return ()
    terms = [token.term for token in tokens]
    stems = [(stem(term, "en"), stem(term, "es"), term) for term in terms]
    marks: list[tuple[int, int]] = []
    for group in groups:
        length = len(group.words)
        last = group.words[-1]
        wanted = {s for spelled in group.stems for s in spelled} if length == 1 else set()
        for at in range(len(tokens) - length + 1):
            if length > 1 and tuple(terms[at : at + length - 1]) != group.words[:-1]:
                continue
            token = tokens[at + length - 1]
            if token.term == last or (
                length == 1 and not group.exact and not wanted.isdisjoint(stems[at])
            ):
                marks.append((tokens[at].start, token.end))
            elif group.prefix and token.term.startswith(last):
                # Of a word that is still being typed, what is typed.
                end = prefix_end(content, token.start, last)
                marks.append((tokens[at].start, end))
    return _merged(marks, content)


def _merged(marks: list[tuple[int, int]], content: str) -> tuple[tuple[int, int], ...]:
    out: list[tuple[int, int]] = []
    for start, end in sorted(marks):
        if out and (start <= out[-1][1] or not content[out[-1][1] : start].strip(" \u00a0")):
            out[-1] = (out[-1][0], max(out[-1][1], end))
        else:
            out.append((start, end))
    return tuple(out)
