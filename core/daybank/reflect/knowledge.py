"""The list of topics in the knowledge base (``_index.md``), kept as the pages are.

Only the lines of topics are Daybank's; a heading, a note of a person's own or another list on the
page stays as it is. Pure but for reading the pages.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from daybank.errors import WorkspaceError
from daybank.knowledge import INDEX_NAME, Topic, knowledge_folders, topics_in
from daybank.markdown.document import decode, parse
from daybank.reflect.material import Material, PhaseResult, Skipped
from daybank.review.hunks import split_lines
from daybank.review.proposal import Draft, Evidence, Hunk, Phase

HEADING = "# Knowledge Base Index"
_ENTRY = re.compile(r"\*\*(?P<topic>[^*\n]+)\*\*:(?:\s|$)")
_CERTAINTY = 0.9


@dataclass(frozen=True, slots=True)
class _Entry:
    """A topic's line on the page, and the last line of what the person has put under it."""

    topic: str
    line: int
    text: str
    last: int

    @property
    def has_more(self) -> bool:
        return self.last > self.line


def suggest_knowledge_index(material: Material) -> PhaseResult:
    """What makes the index of each knowledge folder say what its pages say. Nothing where there is
    no such folder, or no topic in it and no index."""
    drafts: list[Draft] = []
    skipped: list[Skipped] = []
    for place in knowledge_folders(material.folder):
        path = f"{place}/{INDEX_NAME}"
        try:
            topics = topics_in(material.folder, place)
        except WorkspaceError as error:
            skipped.append(Skipped(Phase.KNOWLEDGE, path, "the list of topics", str(error)))
            continue
        hunks, left = _changes(material, path, topics)
        drafts += [Draft(path, Phase.KNOWLEDGE, hunk) for hunk in hunks]
        skipped += left
    return PhaseResult(tuple(drafts), tuple(skipped))


def line_of(topic: Topic) -> str:
    """A topic as the index lists it."""
    return f"- **{topic.name}**: {topic.summary}"


def _changes(
    material: Material, path: str, topics: Sequence[Topic]
) -> tuple[list[Hunk], list[Skipped]]:
    data = material.read(path)
    text = decode(data or b"").text
    lines = split_lines(text)
    entries = _entries(text, lines)
    if not topics and not entries:
        return [], []
    if not entries:
        return [_whole(lines, topics)], []
    return _line_by_line(path, entries, topics, lines)


def _entries(text: str, lines: Sequence[str]) -> list[_Entry]:
    found = []
    for block in parse(text).blocks:
        if block.kind != "item" or not block.first_in_item or block.quoted or block.depth != 1:
            continue
        match = _ENTRY.match(block.text)
        if match is not None:
            last = max(block.line_end, block.item_end)
            while last > block.line_start and not lines[last - 1].strip():
                last -= 1
            own = lines[block.line_start - 1]
            found.append(_Entry(match["topic"].strip(), block.line_start, own, last))
    return found


def _whole(lines: Sequence[str], topics: Sequence[Topic]) -> Hunk:
    """A list on a page that has none yet, after whatever stands there."""
    last = next((n for n in range(len(lines), 0, -1) if lines[n - 1].strip()), 0)
    new = [line_of(topic) for topic in topics]
    if lines[:last] and lines[last - 1].strip() == HEADING:
        new = ["", *new]
    elif not any(line.strip() == HEADING for line in lines):
        new = [*([""] if last else []), HEADING, "", *new]
    else:
        new = ["", *new]
    count = "one topic" if len(topics) == 1 else f"{len(topics)} topics"
    return _hunk(last + 1, (), tuple(new), f"Lists {count} of the knowledge base.", topics)


def _line_by_line(
    path: str, entries: Sequence[_Entry], topics: Sequence[Topic], lines: Sequence[str]
) -> tuple[list[Hunk], list[Skipped]]:
    """Each topic's line by itself, so that a person may take one change and leave another; but the
    lines that stay all at once where they are one run in the wrong order."""
    hunks: list[Hunk] = []
    skipped: list[Skipped] = []
    known = {topic.name: topic for topic in topics}
    listed: set[str] = set()
    kept = _kept(entries, known)
    run = range(0)
    if not _is_sorted(kept) and _is_one_run(kept, entries):
        run = range(kept[0].line, kept[-1].line + 1)
        hunks.append(_in_order(kept, topics, lines))
        listed = set(known)
    for entry in entries:
        topic = known.get(entry.topic)
        if entry.line in run:
            continue
        if topic is not None and entry.topic not in listed:
            listed.add(entry.topic)
            if entry.text != line_of(topic):
                reason = f"The page “{topic.name}” begins differently now."
                hunks.append(_hunk(entry.line, (entry.text,), (line_of(topic),), reason, (topic,)))
        elif entry.has_more:
            reason = "Something of your own stands under it."
            source = f"{path}#L{entry.line}"
            skipped.append(Skipped(Phase.KNOWLEDGE, source, f"the line of {entry.topic}", reason))
        else:
            why = "is listed twice" if topic is not None else "has no page any more"
            hunks.append(_hunk(entry.line, (entry.text,), (), f"“{entry.topic}” {why}.", ()))
    for topic in topics:
        if topic.name not in listed:
            at = _place_for(topic, entries)
            hunks.append(_hunk(at, (), (line_of(topic),), f"“{topic.name}” is new.", (topic,)))
    return sorted(hunks, key=lambda hunk: (hunk.line, len(hunk.old))), skipped


def _place_for(topic: Topic, entries: Sequence[_Entry]) -> int:
    """The line before which a new topic belongs by its name."""
    key = topic.name.casefold()
    later = next((entry for entry in entries if entry.topic.casefold() > key), None)
    return later.line if later is not None else entries[-1].last + 1


def _in_order(entries: Sequence[_Entry], topics: Sequence[Topic], lines: Sequence[str]) -> Hunk:
    """The whole run of lines anew, sorted by topic."""
    first, last = entries[0].line, entries[-1].line
    old = tuple(lines[first - 1 : last])
    new = tuple(line_of(topic) for topic in topics)
    return _hunk(first, old, new, "The topics in order, as their pages begin now.", topics)


def _is_sorted(entries: Sequence[_Entry]) -> bool:
    keys = [entry.topic.casefold() for entry in entries]
    return keys == sorted(keys)


def _kept(entries: Sequence[_Entry], known: Collection[str]) -> list[_Entry]:
    """The lines that stay: the first of each topic that has a page."""
    first: dict[str, _Entry] = {}
    for entry in entries:
        if entry.topic in known:
            first.setdefault(entry.topic, entry)
    return list(first.values())


def _is_one_run(kept: Sequence[_Entry], entries: Sequence[_Entry]) -> bool:
    """Whether there is nothing between the lines that stay but lines that go."""
    bare = {entry.line for entry in entries if not entry.has_more}
    return all(line in bare for line in range(kept[0].line, kept[-1].line + 1))


def _hunk(
    line: int, old: tuple[str, ...], new: tuple[str, ...], reason: str, topics: Sequence[Topic]
) -> Hunk:
    about = topics[0].name if len(topics) == 1 else "list"
    return Hunk(
        line,
        old,
        new,
        reason,
        tuple(_evidence(topics)),
        topic=f"knowledge:{about.casefold()}",
        certainty=_CERTAINTY,
    )


def _evidence(topics: Sequence[Topic]) -> Iterator[Evidence]:
    for topic in topics:
        yield Evidence(topic.path, "", None, topic.summary)
