"""The dialogue summary: a dated episode for each conversation that is over, in the owner's words.

The page grows and is never rebuilt, so it keeps what the logs no longer have. When it becomes too
long, its oldest half is folded into one era. Reads logs and pages, and writes nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from daybank.index.sync import owner_of
from daybank.markdown.chatlog import ASSISTANT, OWNER, ChatMessage, read_messages
from daybank.markdown.document import decode
from daybank.markdown.model import Kind, Role
from daybank.markdown.names import passage_id
from daybank.progress import check_cancel
from daybank.reflect.dialogue_page import (
    LONGEST_PAGE,
    SUMMARY,
    Section,
    fold_oldest,
    heading_of,
    read_sections,
    size_of,
)
from daybank.reflect.dialogue_points import Point, Said, find_points, find_themes
from daybank.reflect.material import Material, PhaseResult, Skipped
from daybank.review.hunks import split_lines
from daybank.review.proposal import Draft, Evidence, Hunk, Phase

GAP = timedelta(minutes=45)
"""A conversation is over when nobody says anything for so long."""

SETTLED = timedelta(hours=1)
"""Only a conversation whose last word is at least so old is told of."""

_ZONES_APART = timedelta(hours=26)
_MOST_AT_ONCE = 3_000
"""Characters of new episodes on a page that must be folded to take them."""

_MOST_POINTS = 6
"""Lines of a kind in one episode."""
NOT_OVER = "It may not be over yet."
"""The reason that passes; every other stands for as long as the logs say the same."""
_CERTAINTY = 0.6
_TITLE = ("# Dialogue summary", "")


@dataclass(frozen=True, slots=True)
class _Spoken:
    """A message with the log that it stands in."""

    path: str
    message: ChatMessage
    when: datetime

    @property
    def source(self) -> str:
        return f"{self.path}#L{self.message.line}"

    @property
    def is_owners(self) -> bool:
        return self.message.said_by == OWNER

    @property
    def id(self) -> str:
        return passage_id(Kind.MESSAGE, self.message.text, self.when.date())


@dataclass(frozen=True, slots=True)
class _Episode:
    """A conversation as the page tells of it."""

    start: datetime
    end: datetime
    place: str
    points: tuple[tuple[Point, _Spoken], ...]
    lines: tuple[str, ...]

    @property
    def section(self) -> Section:
        return Section("Episode", _plain(self.start), _plain(self.end), self.lines)


def suggest_episodes(material: Material) -> PhaseResult:
    """An episode for each finished conversation that the page does not tell of yet, in its place in
    time; and the folding of the page's oldest half where it would become too long."""
    spoken, skipped = _messages(material)
    if not spoken:
        return PhaseResult(skipped=tuple(skipped))
    text = decode(material.read(SUMMARY) or b"").text
    lines = split_lines(text)
    known = read_sections(text, lines)
    episodes: list[_Episode] = []
    for some in _conversations(spoken):
        check_cancel(material.cancel)
        made = _episode(material, some, known)
        if isinstance(made, _Episode):
            episodes.append(made)
        elif made is not None:
            place = f"{some[0].path}#L{some[0].message.line}"
            what = f"the conversation of {_plain(some[0].when):%Y-%m-%d %H:%M}"
            skipped.append(Skipped(Phase.DIALOGUE, place, what, made))
    episodes, more = _that_fit(text, known, episodes)
    skipped += more
    hunks, more = _on_the_page(text, lines, known, episodes)
    skipped += more
    drafts = tuple(Draft(SUMMARY, Phase.DIALOGUE, hunk) for hunk in hunks)
    return PhaseResult(drafts, tuple(skipped))


# -- reading


def _messages(material: Material) -> tuple[list[_Spoken], list[Skipped]]:
    """Every message that has a time, of all logs, in time; copies in an archive once."""
    owner = owner_of(material.folder)
    found: dict[tuple[datetime, str, str], _Spoken] = {}
    skipped: list[Skipped] = []
    for path, role in material.store.files():
        data = material.read(path) if role is Role.CHAT else None
        if data is None:
            continue
        log = read_messages(data, owner_id=owner, zone=material.now.tzinfo)
        if log.torn:
            count = "one line" if len(log.torn) == 1 else f"{len(log.torn)} lines"
            skipped.append(
                Skipped(Phase.DIALOGUE, f"{path}#L{log.torn[0]}", count, "torn or foreign")
            )
        undated = [message.line for message in log.messages if message.when is None]
        if undated:
            count = "one message" if len(undated) == 1 else f"{len(undated)} messages"
            skipped.append(
                Skipped(Phase.DIALOGUE, f"{path}#L{undated[0]}", count, "without a time")
            )
        for message in log.messages:
            if message.when is not None:
                key = (message.when, message.said_by, message.text)
                found.setdefault(key, _Spoken(path, message, message.when))
    return sorted(found.values(), key=lambda s: (s.when, s.path, s.message.line)), skipped


def _conversations(spoken: Sequence[_Spoken]) -> list[list[_Spoken]]:
    out: list[list[_Spoken]] = []
    for one in spoken:
        if out and one.when - out[-1][-1].when < GAP:
            out[-1].append(one)
        else:
            out.append([one])
    return out


def _episode(
    material: Material, spoken: Sequence[_Spoken], known: Sequence[Section]
) -> _Episode | str | None:
    """The episode of a conversation, or why it is none; None where nothing needs to be said."""
    start, end = spoken[0].when, spoken[-1].when
    if material.since is not None and end.date() < material.since:
        return None
    if any(section.overlaps(_plain(start), _plain(end)) for section in known):
        return None
    if material.now - end < SETTLED:
        return NOT_OVER
    own = [one for one in spoken if one.is_owners]
    if not own:
        return "The owner says nothing in it."
    said = [Said(one.message.text, number) for number, one in enumerate(own)]
    points = tuple((point, own[point.number]) for point in find_points(said, _MOST_POINTS))
    if not points:
        return "Nothing in it lasts."
    around = [one.message.text for one in spoken if one.message.said_by == ASSISTANT]
    themes = find_themes(said, around, material.names, material.store)
    lines = [heading_of("Episode", _plain(start), _plain(end)), ""]
    lines += [f"- {point.label}: {point.text} ({one.source} ^{one.id})" for point, one in points]
    if themes:
        lines.append(f"- Themes: {', '.join(themes)} ({_range(own)})")
    made = _Episode(start, end, own[0].source, points, tuple(lines))
    return None if _is_known_elsewhen(made, known) else made


def _is_known_elsewhen(episode: _Episode, known: Sequence[Section]) -> bool:
    """Whether the page tells of the conversation by the clock of another zone: people travel."""
    ids = [f"^{one.id}" for _, one in episode.points]
    start, end = _plain(episode.start), _plain(episode.end)
    return any(
        section.end - section.start == end - start
        and abs(section.start - start) <= _ZONES_APART
        and any(id_ in line for id_ in ids for line in section.lines)
        for section in known
    )


def _range(own: Sequence[_Spoken]) -> str:
    """The lines from the first to the last message, where they are of one log."""
    first, last = own[0], own[-1]
    if first.path != last.path or last.message.line <= first.message.line:
        return first.source
    return f"{first.source}-L{last.message.line}"


def _plain(moment: datetime) -> datetime:
    """The time on the person's clock, to the minute, as headings give it."""
    return moment.replace(second=0, microsecond=0, tzinfo=None)


# -- writing


def _that_fit(
    text: str, known: Sequence[Section], episodes: Sequence[_Episode]
) -> tuple[list[_Episode], list[Skipped]]:
    """On a page that becomes full, only as many as folding it makes room for, the earliest first;
    the others come once these are on it."""
    taken: list[_Episode] = []
    size = 0
    is_full = bool(known) and len(text) + _size(episodes) > LONGEST_PAGE
    for episode in episodes:
        size += size_of(episode.section)
        if is_full and taken and size > _MOST_AT_ONCE:
            break
        taken.append(episode)
    reason = "The page is nearly full, and earlier conversations come first."
    return taken, [_left(episode, reason) for episode in episodes[len(taken) :]]


def _on_the_page(
    text: str, lines: Sequence[str], known: Sequence[Section], episodes: Sequence[_Episode]
) -> tuple[list[Hunk], list[Skipped]]:
    grown = len(text) + _size(episodes) + len(_TITLE[0])
    if not episodes:
        return [], []
    if not known:
        return _first_ones(lines, episodes, grown), []
    hunks = [_added(episode, known, lines) for episode in episodes]
    if grown <= LONGEST_PAGE:
        return hunks, []
    folded = fold_oldest(known, grown)
    if folded is None:
        reason = "The page is full, and nothing on it can be folded into an era."
        return [], [_left(episode, reason) for episode in episodes]
    old, era = folded
    first, after = old[0].line, old[-1].after
    inside = [e for e, h in zip(episodes, hunks, strict=True) if first < h.line < after]
    hunks = [hunk for hunk in hunks if not first < hunk.line < after]
    last = after - 1
    while not lines[last - 1].strip():
        last -= 1
    reason = f"The page is nearly full: its {len(old)} oldest parts become one."
    replaced = tuple(lines[first - 1 : last])
    hunks.append(Hunk(first, replaced, era.lines, reason, topic="era", certainty=_CERTAINTY))
    reason = "It is of the time that the page folds into an era now."
    ordered = sorted(hunks, key=lambda hunk: (hunk.line, len(hunk.old)))
    return ordered, [_left(episode, reason) for episode in inside]


def _size(episodes: Sequence[_Episode]) -> int:
    return sum(size_of(episode.section) for episode in episodes)


def _left(episode: _Episode, reason: str) -> Skipped:
    what = f"the conversation of {_plain(episode.start):%Y-%m-%d %H:%M}"
    return Skipped(Phase.DIALOGUE, episode.place, what, reason)


def _first_ones(lines: Sequence[str], episodes: Sequence[_Episode], grown: int) -> list[Hunk]:
    """The first episodes of a page. Of a long history the oldest come as eras at once."""
    sections = [episode.section for episode in episodes]
    by_start = {episode.section.start: episode for episode in episodes}
    while grown > LONGEST_PAGE:
        folded = fold_oldest(sections, grown)
        if folded is None:
            break
        old, era = folded
        grown += size_of(era) - sum(map(size_of, old))
        sections = [era, *sections[len(old) :]]
    last = next((n for n in range(len(lines), 0, -1) if lines[n - 1].strip()), 0)
    hunks = []
    for number, section in enumerate(sections):
        before = ("",) if last or number else _TITLE
        episode = by_start.get(section.start) if section.kind == "Episode" else None
        new = (*before, *section.lines)
        if episode is not None:
            hunks.append(_hunk(last + 1, new, episode))
        else:
            reason = "The older conversations of your logs, in short."
            hunks.append(Hunk(last + 1, (), new, reason, topic="era", certainty=_CERTAINTY))
    return hunks


def _added(episode: _Episode, known: Sequence[Section], lines: Sequence[str]) -> Hunk:
    """An episode before the first later one that the page has, or behind all of them."""
    later = next((s for s in known if s.start > _plain(episode.start)), None)
    if later is not None:
        return _hunk(later.line, (*episode.lines, ""), episode)
    last = next((n for n in range(len(lines), 0, -1) if lines[n - 1].strip()), 0)
    return _hunk(last + 1, ("", *episode.lines), episode)


def _hunk(line: int, new: tuple[str, ...], episode: _Episode) -> Hunk:
    counts = _counted(point.label for point, _ in episode.points)
    reason = f"A conversation of {_plain(episode.start):%Y-%m-%d}: {counts}."
    return Hunk(
        line,
        (),
        new,
        reason,
        tuple(
            Evidence(one.source, one.id, one.when.date(), point.text)
            for point, one in episode.points
        ),
        topic=f"episode:{_plain(episode.start):%Y-%m-%dT%H:%M}",
        certainty=_CERTAINTY,
    )


def _counted(labels: Iterable[str]) -> str:
    found: dict[str, int] = {}
    for label in labels:
        found[label] = found.get(label, 0) + 1
    return ", ".join(
        f"{count} {label.lower()}{'s' if count > 1 else ''}" for label, count in found.items()
    )
