"""The page of the dialogue summary: its dated sections, and folding old ones into an era.

A section is a heading such as ``### Episode: 2026-07-08 11:02 – 11:21`` with what stands under it,
whoever wrote it. Pure text; nothing here reads a file.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from daybank.markdown.document import parse

SUMMARY = "memory/dialogue_summary.md"
LONGEST_PAGE = 20_000
"""Characters of the whole page."""

_AFTER_FOLDING = 18_000
"""Characters that folding brings a page down to, so that it need not be done at each run."""
_LONGEST_LINE = 110
"""Characters of a line in an era, without its citation."""
_MOST_THEMES = 8
_LABELS = ("Decision", "Preference", "Technical choice")
_DASH = "[–—-]"
_EPISODE = re.compile(
    rf"Episode:\s*(?P<day>\d{{4}}-\d\d-\d\d)[ T](?P<start>\d\d:\d\d)\s*{_DASH}\s*"
    r"(?:(?P<last>\d{4}-\d\d-\d\d)[ T])?(?P<end>\d\d:\d\d)"
)
_ERA = re.compile(
    rf"Era:\s*(?P<day>\d{{4}}-\d\d-\d\d)(?:\s*{_DASH}\s*(?P<last>\d{{4}}-\d\d-\d\d))?"
)
_CITED = re.compile(r"\s*\((?P<cite>[^()\s]+#L\d+(?:-L?\d+)?(?: \^[\w-]+)?)\)\s*$")
_POINT = re.compile(r"[-*+]\s+(?P<label>[^:\n]{1,30}?)(?: \((?P<day>\d{4}-\d\d-\d\d)\))?:\s+")
_THEMES = re.compile(r"[-*+]\s+Themes?:\s+")


@dataclass(frozen=True, slots=True)
class Section:
    """An ``Episode`` or an ``Era``, from and to when on the person's clock, with its lines (the
    heading first, no blank ones at the end). ``line`` is where it stands on the page (from 1), and
    ``after`` the line of the next heading; both are 0 for one that is not there yet."""

    kind: str
    start: datetime
    end: datetime
    lines: tuple[str, ...]
    line: int = 0
    after: int = 0

    def overlaps(self, start: datetime, end: datetime) -> bool:
        """Whether a conversation from ``start`` to ``end`` is of this section, in part at least."""
        return start <= self.end and self.start <= end


def heading_of(kind: str, start: datetime, end: datetime) -> str:
    """The heading of a section."""
    if kind == "Episode":
        return f"### Episode: {start:%Y-%m-%d %H:%M} – {end:%H:%M}"
    return f"### Era: {start:%Y-%m-%d} – {end:%Y-%m-%d}"


def size_of(section: Section) -> int:
    """The characters that a section takes on the page, with the blank line between two."""
    return sum(len(line) + 1 for line in section.lines) + 1


def read_sections(text: str, lines: Sequence[str]) -> list[Section]:
    """The dated sections of a page, in file order."""
    heads = [b for b in parse(text).blocks if b.kind == "heading" and not (b.depth or b.quoted)]
    out = []
    for number, head in enumerate(heads):
        kind, start, end = _dated(head.text)
        if kind is None or start is None or end is None:
            continue
        after = next(
            (h.line_start for h in heads[number + 1 :] if _ends(h.level, h.text, head.level)),
            len(lines) + 1,
        )
        last = after - 1
        while last > head.line_start and not lines[last - 1].strip():
            last -= 1
        own = tuple(lines[head.line_start - 1 : last])
        out.append(Section(kind, start, end, own, head.line_start, after))
    return out


def fold_oldest(
    sections: Sequence[Section], total: int
) -> tuple[tuple[Section, ...], Section] | None:
    """The oldest half of ``sections``, and the era to put in its place so that a page of ``total``
    characters becomes short enough again; None where there is nothing to fold.

    Of the half only what stands on the page in one run is taken. Every point of it stays, in
    short; the least telling and oldest go only where that does not do.
    """
    half = list(sections[: max(2, (len(sections) + 1) // 2)])
    for number in range(1, len(half)):
        if half[number].line and half[number].line != half[number - 1].after:
            half = half[:number]
            break
    if len(half) < 2:
        return None
    room = _AFTER_FOLDING - (total - sum(map(size_of, half)))
    start, end = min(s.start for s in half), max(s.end for s in half)
    kept = [point for section in half for point in _points(section)]
    themes = _themes(half)
    while True:
        lines = [heading_of("Era", start, end), "", *(point.line for point in kept)]
        if themes:
            lines.append(f"- Themes: {', '.join(themes)}")
        era = Section("Era", start, end, tuple(lines))
        if size_of(era) <= room or not kept:
            return tuple(half), era
        kept.remove(min(kept, key=lambda point: (-point.rank, point.day)))


@dataclass(frozen=True, slots=True)
class _Point:
    """A line of an era: how telling it is (0 the most), its day, and the line itself."""

    rank: int
    day: str
    line: str


def _points(section: Section) -> list[_Point]:
    day = f"{section.start:%Y-%m-%d}"
    if section.kind == "Era" or any(_POINT.match(line) for line in section.lines[1:]):
        bullets = [line for line in section.lines[1:] if line.startswith(("- ", "* ", "+ "))]
    else:  # another hand's own words: how they begin
        bullets = [f"- {line.strip()}" for line in section.lines[1:] if line.strip()][:1]
    return [_short(line, day) for line in bullets if not _THEMES.match(line)]


def _short(line: str, day: str) -> _Point:
    cited = _CITED.search(line)
    cite = f" ({cited['cite']})" if cited is not None else ""
    said = line[: cited.start()] if cited is not None else line.rstrip()
    point = _POINT.match(said)
    label = point["label"] if point is not None else ""
    if point is not None and label in _LABELS:
        day = point["day"] or day
        said = f"- {label} ({day}): {said[point.end() :]}"
    elif not re.match(r"- \d{4}-\d\d-\d\d: ", said):
        said = f"- {day}: {said[2:]}"
    else:
        day = said[2:12]
    if len(said) > _LONGEST_LINE:
        said = said[:_LONGEST_LINE].rsplit(" ", 1)[0].rstrip(" ,;:") + "…"
    rank = _LABELS.index(label) if label in _LABELS else len(_LABELS)
    return _Point(rank, day, f"{said}{cite}")


def _themes(sections: Sequence[Section]) -> list[str]:
    """What the sections speak of most, the earliest first among equals."""
    counts: Counter[str] = Counter()
    for section in sections:
        for line in section.lines:
            if _THEMES.match(line):
                said = _CITED.sub("", _THEMES.sub("", line))
                counts.update(word.strip() for word in said.split(",") if word.strip())
    return [theme for theme, _ in counts.most_common(_MOST_THEMES)]


def _dated(text: str) -> tuple[str | None, datetime | None, datetime | None]:
    episode, era = _EPISODE.match(text.strip()), _ERA.match(text.strip())
    try:
        if episode is not None:
            start = datetime.fromisoformat(f"{episode['day']} {episode['start']}")
            end = datetime.fromisoformat(f"{episode['last'] or episode['day']} {episode['end']}")
            if end < start:  # past midnight
                end += timedelta(days=1)
            return "Episode", start, end
        if era is not None:
            start = datetime.fromisoformat(era["day"])
            end = datetime.fromisoformat(era["last"] or era["day"])
            return "Era", start, end + timedelta(hours=23, minutes=59)
    except (ValueError, OverflowError):
        pass
    return None, None, None


def _ends(level: int, text: str, own_level: int) -> bool:
    """Whether a heading ends a section: one of its level or higher, or another section's."""
    return level <= own_level or _dated(text)[0] is not None
