"""What a check of the notes finds, in the window's words: title, sentence, places, what to do.

The core tells each finding in one sentence for every reader; here it is cut up for a card. One
that is not known here, of a newer core say, keeps the core's own words. GUI thread, no state.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from enum import Enum
from pathlib import PurePosixPath

from PySide6.QtCore import QCoreApplication, QDate, QLocale, QTime

from daybank.dates import Interval
from daybank.dates.names import day_in_name
from daybank.health.report import HealthCheck, HealthReport
from daybank.markdown.model import Source
from daybank_desktop import phrases, suggestion_words

translate = QCoreApplication.translate
_LINES = re.compile(r"#L\d+(?:-L?\d+)?$")


class Group(Enum):
    """Where a finding stands on the page, in this order."""

    NEEDS_YOU = "needs you"
    WORTH_KNOWING = "worth knowing"
    FINE = "fine"


class Act(Enum):
    """What the one button of a finding does."""

    NONE = ""
    COMPARE = "compare"  # two versions beside each other
    SOURCE = "source"  # the place, in the reader
    REVEAL = "reveal"  # the file, in the file manager
    LIST = "list"  # nothing but the list of what was found
    READ = "read"  # read the notes again
    MEANING = "meaning"  # where search by meaning is set up
    RUNS = "runs"
    REFLECT = "reflect"
    REVIEW = "review"


@dataclass(frozen=True, slots=True)
class Spot:
    """A line of an unfolded finding: its ``words``, and the place it leads to (None: nowhere)."""

    words: str
    path: str = ""
    source: Source | None = None


@dataclass(frozen=True, slots=True)
class Told:
    """A finding as its card shows it. ``tile`` and ``ink`` are colour tokens. ``each`` is what a
    line of its list does; with more than one line the button ``label`` unfolds the list."""

    id: str
    group: Group
    icon: str
    tile: str
    ink: str
    title: str
    sentence: str
    label: str = ""
    act: Act = Act.NONE
    each: Act = Act.NONE
    spots: tuple[Spot, ...] = ()
    suggestion: str = ""


@dataclass(frozen=True, slots=True)
class Beside:
    """What the cards tell beyond the report. ``repairs`` are the pages for which a suggestion
    waits, with its id; ``core_share`` how full the core memory is, in per cent (None: there is
    none); ``last`` when a reflection last ended well."""

    repairs: tuple[tuple[str, str], ...] = ()
    core_share: int | None = None
    last: datetime | None = None


_NO_HURRY = frozenset(
    (
        "citations",
        "large-files",
        "encoding",
        "torn-lines",
        "broken-links",
        "index",
        "suggestion-files",
    )
)
"""Warnings that nobody has to do anything about."""

_NOT_SEARCHED = frozenset(("file-names", "broken-links", "large-files", "not-downloaded"))
_COPY_MARK = re.compile(r"\s*[(\[]|[ ._-]*sync-conflict|[ ._-]+(?:case )?conflict|~", re.IGNORECASE)
"""Where, in the name of a sync program's copy, the name of the file itself ends."""
_GRAVE = frozenset(("conflict-copies", "merge-conflicts"))
"""What could cost words if it were overlooked: its tile is as for an error."""

_WITH_PLACES = frozenset(
    ("conflict-copies", "merge-conflicts", "secrets", "lines", "citations", "journal")
)
"""Findings whose words count their places."""

_LEVELS = {"ok": "", "note": "", "warning": "caution", "error": "negative"}


def group_of(check: HealthCheck) -> Group:
    """Whether a finding needs the person, is only worth knowing, or is fine."""
    if check.level == "ok":
        return Group.FINE
    if check.level == "error" or (check.level == "warning" and check.id not in _NO_HURRY):
        return Group.NEEDS_YOU
    return Group.WORTH_KNOWING


def needs(report: HealthReport | None) -> int:
    """How many findings need the person."""
    checks = report.checks if report is not None else ()
    return sum(group_of(check) is Group.NEEDS_YOU for check in checks)


def dot(report: HealthReport | None) -> str:
    """The colour of the dot in the sidebar: "", "caution" or "negative"."""
    checks = report.checks if report is not None else ()
    found = {_LEVELS[c.level] for c in checks if group_of(c) is Group.NEEDS_YOU}
    return "negative" if "negative" in found else "caution" if found else ""


def told(check: HealthCheck, beside: Beside, today: date) -> Told:
    """The card of a finding that is not fine."""
    group = group_of(check)
    made = _CARDS.get(check.id, _unknown)
    if check.id in _WITH_PLACES and not check.sources:
        made = _unknown
    words = made(check, beside, today)
    grave = check.level == "error" or check.id in _GRAVE
    ink, tile = "kind.observation", "kind.observation.soft"
    if group is Group.NEEDS_YOU:
        ink = "negative" if grave else "caution"
        tile = f"{ink}.soft"
    return Told(
        check.id,
        group,
        words.icon,
        tile,
        ink,
        words.title,
        words.sentence,
        words.label,
        words.act,
        words.each,
        words.spots,
        words.suggestion,
    )


def fine(check: HealthCheck, beside: Beside, today: date) -> str:
    """The few words for what is fine; "" for what nobody would miss."""
    return _FINE.get(check.id, _own_words)(check, beside, today)


def headline(report: HealthReport) -> str:
    """“Two things need you, the rest is fine”."""
    count = needs(report)
    if count == 0:
        worth = any(group_of(check) is Group.WORTH_KNOWING for check in report.checks)
        return (
            translate("health", "Nothing needs you")
            if worth
            else translate("health", "Everything is fine")
        )
    if count == 1:
        return translate("health", "One thing needs you, the rest is fine")
    words = _number_words()
    number = words[count] if count < len(words) else phrases.count(count)
    return translate("health", "{number} things need you, the rest is fine").format(number=number)


def spoken_needs(count: int) -> str:
    """For the row in the sidebar: “2 things need you”; "" for none."""
    if count == 1:
        return translate("health", "1 thing needs you")
    words = translate("health", "%Ln thing(s) need you", None, count) if count else ""
    return phrases.plural(words, count)


def readable(report: HealthReport) -> str:
    """Whether all notes can be read, as a sentence."""
    wrong = {c.id for c in report.checks if c.level != "ok"}
    if "files" in wrong:
        return translate("health", "Some files cannot be read; nothing was changed or lost.")
    if wrong & _NOT_SEARCHED:
        return translate("health", "Some files are not searched; nothing was changed or lost.")
    return translate("health", "Your notes are complete and readable.")


def at_moment(when: datetime, today: date) -> str:
    """“today at 08:40”, “yesterday at 08:40”, “Wed 18 Nov 2026 at 08:40”."""
    local = when.astimezone(when.tzinfo) if when.tzinfo is not None else when
    time = QLocale().toString(QTime(local.hour, local.minute), QLocale.FormatType.ShortFormat)
    days = (today - local.date()).days
    if days == 0:
        return translate("health", "today at {time}").format(time=time)
    if days == 1:
        return translate("health", "yesterday at {time}").format(time=time)
    day = phrases.day_with_weekday(local.date())
    return translate("health", "{day} at {time}").format(day=day, time=time)


def copied_page(path: str, today: date) -> str:
    """What the page is called that a sync program has made the copy ``path`` of; "" where the
    copy's name does not tell."""
    pure = PurePosixPath(path)
    stem = _COPY_MARK.split(pure.name.removesuffix(pure.suffix), maxsplit=1)[0]
    return page_words(str(pure.with_name(f"{stem}.md")), today) if stem else ""


def page_words(path: str, today: date) -> str:
    """What a page is called in a title: “21 November”, “Core”, “Mara”."""
    day = day_in_name(path.rpartition("/")[2])
    if day is not None:
        return _day(day, today)
    return suggestion_words.page_name(path)


# The words of each finding


@dataclass(frozen=True, slots=True)
class _Card:
    icon: str
    title: str
    sentence: str
    label: str = ""
    act: Act = Act.NONE
    each: Act = Act.NONE
    spots: tuple[Spot, ...] = ()
    suggestion: str = ""


_Words = Callable[[HealthCheck, Beside, date], _Card]


def _day(day: date, today: date) -> str:
    pattern = "d MMMM" if day.year == today.year else "d MMMM yyyy"
    return QLocale().toString(QDate(day.year, day.month, day.day), pattern)


def _number_words() -> tuple[str, ...]:
    return (
        "",
        "",
        translate("health", "Two"),
        translate("health", "Three"),
        translate("health", "Four"),
        translate("health", "Five"),
        translate("health", "Six"),
        translate("health", "Seven"),
        translate("health", "Eight"),
        translate("health", "Nine"),
    )


def _spots(sources: Sequence[str], today: date) -> tuple[Spot, ...]:
    """Places in pages: “21 November, line 12”."""
    out = []
    for cited in sources:
        path = _path_of(cited)
        source = suggestion_words.source_of(cited) if path != cited else Source(path, 1, 1)
        words = page_words(path, today)
        if source is None:
            continue
        if path != cited:
            words = f"{words}, {phrases.lines(source)}"
        out.append(Spot(words, path, source))
    return tuple(out)


def _files(sources: Sequence[str]) -> tuple[Spot, ...]:
    """Files by their path."""
    paths = dict.fromkeys(map(_path_of, sources))
    return tuple(Spot(path, path) for path in paths)


def _several(check: HealthCheck) -> bool:
    return len(check.sources) > 1


def _where(check: HealthCheck, today: date) -> str:
    spots = _spots(check.sources[:1], today)
    return spots[0].words if spots else ""


def _places_label(check: HealthCheck) -> str:
    if _several(check):
        return translate("health", "Show the places")
    return translate("health", "Show me") if check.sources else ""


def _unknown(check: HealthCheck, beside: Beside, today: date) -> _Card:
    title, _, rest = check.message.partition(". ")
    return _Card(
        "state.note" if check.level == "note" else "state.warning",
        title.removesuffix("."),
        rest,
        _places_label(check),
        Act.SOURCE if check.sources else Act.NONE,
        Act.SOURCE,
        _spots(check.sources, today),
    )


def _conflict_copies(check: HealthCheck, beside: Beside, today: date) -> _Card:
    count = len(check.sources)
    title = translate("health", "Two versions of a page exist")
    if count == 1:
        page = copied_page(check.sources[0], today)
        if page:
            title = translate("health", "Two versions of {page} exist").format(page=page)
        sentence = translate(
            "health",
            "Your sync program made a copy. Only the first one is searched; nothing is lost.",
        )
    else:
        title = phrases.plural(
            translate("health", "%Ln copies of your pages exist", None, count), count
        )
        sentence = translate(
            "health",
            "Your sync program made copies. Only the first ones are searched; nothing is lost.",
        )
    label = (
        translate("health", "Compare…") if count == 1 else translate("health", "Show the copies")
    )
    return _Card(
        "health.copies",
        title,
        sentence,
        label,
        Act.COMPARE,
        Act.COMPARE,
        _files(check.sources),
    )


def _merge_conflicts(check: HealthCheck, beside: Beside, today: date) -> _Card:
    title = phrases.plural(
        translate("health", "%Ln page(s) hold two versions of a text", None, len(check.sources)),
        len(check.sources),
    )
    if not _several(check):
        page = page_words(_path(check), today)
        title = translate("health", "Two versions of a text stand in {page}").format(page=page)
    return _Card(
        "health.copies",
        title,
        translate("health", "They were left unmerged. Both are searched until you settle it."),
        _places_label(check),
        Act.SOURCE,
        Act.SOURCE,
        _spots(check.sources, today),
    )


def _secrets(check: HealthCheck, beside: Beside, today: date) -> _Card:
    count = len(check.sources)
    if count == 1:
        page = page_words(_path(check), today)
        title = translate("health", "A password or key may be written in {page}").format(page=page)
        sentence = translate(
            "health", "It is hidden in suggestions and notifications. The note was not touched."
        )
    else:
        title = phrases.plural(
            translate("health", "Passwords or keys may be written in %Ln place(s)", None, count),
            count,
        )
        sentence = translate(
            "health", "They are hidden in suggestions and notifications. No note was touched."
        )
    return _Card(
        "health.secret",
        title,
        sentence,
        _places_label(check),
        Act.SOURCE,
        Act.SOURCE,
        _spots(check.sources, today),
    )


def _missing_days(check: HealthCheck, beside: Beside, today: date) -> _Card:
    days = sorted(d for d in map(_day_of, check.sources) if d is not None)
    count = phrases.days_count(len(days) or len(check.sources))
    if days and (days[0].year, days[0].month) == (days[-1].year, days[-1].month):
        first = days[0]
        pattern = "MMMM" if first.year == today.year else "MMMM yyyy"
        month = QLocale().toString(QDate(first.year, first.month, 1), pattern)
        title = translate("health", "No journal for {days} in {month}").format(
            days=count, month=month
        )
    else:
        title = translate("health", "No journal for {days} lately").format(days=count)
    shown = [phrases.interval(Interval(a, b)) for a, b in _runs(days)]
    sentence = translate("health", "Perhaps you were away.")
    if len(days) == 1:
        sentence = f"{shown[0]}. {sentence}"
    elif days:
        more = translate("health", "{day} and {count} more.").format(
            day=phrases.day_neighbour(days[0]), count=phrases.count(len(days) - 1)
        )
        sentence = f"{more} {sentence}"
    label = translate("health", "Show the days") if len(days) > 1 else ""
    act = Act.LIST if len(days) > 1 else Act.NONE
    return _Card(
        "health.missingDays", title, sentence, label, act, Act.NONE, tuple(map(Spot, shown))
    )


def _lines(check: HealthCheck, beside: Beside, today: date) -> _Card:
    count = len(check.sources)
    sentence = translate(
        "health",
        "All is found in search; what was not understood, such as a number that is none, does not"
        " count.",
    )
    return _Card(
        "health.lines",
        phrases.plural(
            translate("health", "%Ln line(s) were not wholly understood", None, count), count
        )
        if count != 1
        else translate("health", "1 line was not wholly understood"),
        sentence,
        translate("health", "Show the lines")
        if count > 1
        else translate("health", "Show the line"),
        Act.SOURCE,
        Act.SOURCE,
        _spots(check.sources, today),
    )


def _citations(check: HealthCheck, beside: Beside, today: date) -> _Card:
    count = len(check.sources)
    title = phrases.plural(
        translate("health", "%Ln note(s) cite something that is gone", None, count), count
    )
    if count == 1:
        title = translate("health", "One note cites something that is gone")
    paths = set(map(_path_of, check.sources))
    waiting = next((pid for page, pid in beside.repairs if page in paths), "")
    if waiting:
        sentence = translate("health", "A suggestion that mends it is waiting.")
        label, act = translate("health", "Open in Review"), Act.REVIEW
    else:
        where = _where(check, today) if count == 1 else ""
        sentence = where or translate(
            "health", "What they say stays; only the way back to it is lost."
        )
        label, act = _places_label(check), Act.SOURCE
    return _Card(
        "health.broken",
        title,
        sentence,
        label,
        act,
        Act.SOURCE,
        _spots(check.sources, today),
        waiting,
    )


def _core(check: HealthCheck, beside: Beside, today: date) -> _Card:
    if _several(check):
        return _Card(
            "thing.core",
            translate("health", "There are two core memories"),
            translate("health", "{first} is used, {second} is only searched.").format(
                first=check.sources[0], second=check.sources[1]
            ),
            translate("health", "Show both"),
            Act.SOURCE,
            Act.SOURCE,
            _files_to_read(check.sources),
        )
    share = beside.core_share
    title = translate("health", "Core is too long")
    if share is not None:
        title = translate("health", "Core is {percent} % full").format(percent=phrases.count(share))
    return _Card(
        "thing.core",
        title,
        translate(
            "health", "It is read in every conversation. Shorter, it is read with more attention."
        ),
        translate("health", "Open Core"),
        Act.SOURCE,
        Act.SOURCE,
        _files_to_read(check.sources),
    )


def _identity(check: HealthCheck, beside: Beside, today: date) -> _Card:
    return _Card(
        "entity.person",
        translate("health", "An agent has not renewed its page about itself"),
        check.message,
        translate("health", "Show me"),
        Act.SOURCE,
        Act.SOURCE,
        _files_to_read(check.sources),
    )


def _index(check: HealthCheck, beside: Beside, today: date) -> _Card:
    if check.level == "warning":
        return _Card(
            "page.search",
            translate("health", "Search is slow on this computer"),
            translate(
                "health", "It works, but a part of the system that makes it fast is missing."
            ),
        )
    first = check.message.partition(" ")[0].replace(",", "")
    count = int(first) if first.isdecimal() else 0
    title = translate("health", "%Ln changed file(s) are not read yet", None, count)
    if count == 1:
        title = translate("health", "One changed file is not read yet")
    return _Card(
        "action.refresh",
        phrases.plural(title, count),
        translate("health", "What is new there is not found yet."),
        translate("health", "Read now"),
        Act.READ,
    )


def _meaning(check: HealthCheck, beside: Beside, today: date) -> _Card:
    is_off = check.message.startswith("Search by meaning is off")
    is_partly = check.message.startswith("Search by meaning knows")
    title = translate("health", "Another model searches by meaning than was chosen")
    sentence = check.message.partition(". ")[2]
    if is_off:
        title = translate("health", "Search by meaning is off")
        sentence = " ".join(
            part
            for part in (sentence, translate("health", "Notes are found by their words."))
            if part
        )
    elif is_partly:
        title = translate("health", "Search by meaning is still getting ready")
        sentence = translate("health", "Words are found already.")
    return _Card(
        "settings.meaning",
        title,
        sentence,
        translate("health", "Search by meaning…"),
        Act.MEANING,
    )


def _reflection(check: HealthCheck, beside: Beside, today: date) -> _Card:
    failed = "The last reflection failed: "
    if check.message.startswith(failed):
        return _Card(
            "state.reflection",
            translate("health", "The last reflection did not end well"),
            check.message.removeprefix(failed),
            translate("health", "Show the run"),
            Act.RUNS,
        )
    title = translate("health", "No reflection has run yet")
    sentence = translate("health", "One is due by your plan.")
    if beside.last is not None:
        title = translate("health", "Reflection is late")
        when = at_moment(beside.last, today)
        sentence = translate("health", "The last one ran {when}.").format(when=when)
    elif check.level == "warning":
        title, sentence = (
            translate("health", "Reflection is late"),
            check.message.partition(": ")[2],
        )
    return _Card(
        "state.reflection",
        title,
        sentence[:1].upper() + sentence[1:],
        translate("health", "Reflect now"),
        Act.REFLECT,
    )


def _suggestions(check: HealthCheck, beside: Beside, today: date) -> _Card:
    title = translate("health", "Suggestions have waited for more than two weeks")
    if check.message.startswith("1 "):
        title = translate("health", "A suggestion has waited for more than two weeks")
    return _Card(
        "page.review",
        title,
        translate("health", "Nothing changes until you look."),
        translate("health", "Open Review"),
        Act.REVIEW,
    )


def _suggestion_files(check: HealthCheck, beside: Beside, today: date) -> _Card:
    return _Card(
        "page.review",
        translate("health", "Some suggestions cannot be read"),
        translate("health", "They are left as they are; a newer Daybank may read them."),
        translate("health", "Show in folder"),
        Act.REVEAL,
        Act.REVEAL,
        _files(check.sources),
    )


@dataclass(frozen=True, slots=True)
class _FileTrouble:
    """Trouble with files: its title, a sentence, and what a line of its list does."""

    title: str
    sentence: str
    each: Act = Act.REVEAL
    icon: str = "thing.file"


def _files_card(check: HealthCheck, beside: Beside, today: date) -> _Card:
    count = len(check.sources)
    trouble = _one_file(check.id) if count == 1 else _many_files(check.id, count)
    if trouble.each is Act.SOURCE:
        spots, label = _spots(check.sources, today), _places_label(check)
    else:
        spots, label = _files(check.sources), translate("health", "Show in folder")
        if count > 1:
            label = translate("health", "Show the files")
    sentence = trouble.sentence
    if check.id == "files" and count == 1:
        sentence = f"{spots[0].words}. {sentence}"
    return _Card(
        trouble.icon,
        trouble.title,
        sentence,
        label if spots else "",
        trouble.each if spots else Act.NONE,
        trouble.each,
        spots,
    )


def _one_file(id_: str) -> _FileTrouble:
    return {
        "files": _FileTrouble(
            translate("health", "One file cannot be read"),
            translate("health", "Nothing was changed or lost."),
        ),
        "unclosed-code": _FileTrouble(
            translate("health", "A block of code never ends"),
            translate("health", "What stands after its beginning is not read as notes."),
            Act.SOURCE,
        ),
        "file-names": _FileTrouble(
            translate("health", "The name of one file cannot be read"),
            translate("health", "Rename it to have it searched."),
        ),
        "broken-links": _FileTrouble(
            translate("health", "A link in the folder leads nowhere"),
            translate("health", "What it stood for is not searched."),
            icon="health.broken",
        ),
        "large-files": _FileTrouble(
            translate("health", "One file is too large to be notes"),
            translate("health", "It is not searched."),
        ),
        "encoding": _FileTrouble(
            translate("health", "One file is written in an old encoding"),
            translate("health", "Some letters may look wrong. Saving it as UTF-8 mends that."),
            Act.SOURCE,
        ),
        "torn-lines": _FileTrouble(
            translate("health", "A conversation has lines that cannot be read"),
            translate("health", "They are left out; the rest is read."),
            Act.SOURCE,
            "page.conversations",
        ),
        "not-downloaded": _FileTrouble(
            translate("health", "One file is not downloaded yet"),
            translate("health", "The last version that was read is still found."),
            icon="action.export",
        ),
        "links-outside": _FileTrouble(
            translate("health", "A link leads out of the folder"),
            translate("health", "Daybank does not follow it."),
            icon="health.broken",
        ),
        "same-file": _FileTrouble(
            translate("health", "One file stands in the folder twice"),
            translate("health", "It is read once."),
            icon="health.copies",
        ),
    }[id_]


def _many_files(id_: str, n: int) -> _FileTrouble:
    """``n`` of them."""
    one = _one_file(id_)
    title, sentence = {
        "files": (translate("health", "%Ln file(s) cannot be read", None, n), one.sentence),
        "unclosed-code": (
            translate("health", "%Ln block(s) of code never end", None, n),
            translate("health", "What stands after their beginning is not read as notes."),
        ),
        "file-names": (
            translate("health", "The names of %Ln file(s) cannot be read", None, n),
            translate("health", "Rename them to have them searched."),
        ),
        "broken-links": (
            translate("health", "%Ln link(s) in the folder lead nowhere", None, n),
            translate("health", "What they stood for is not searched."),
        ),
        "large-files": (
            translate("health", "%Ln file(s) are too large to be notes", None, n),
            translate("health", "They are not searched."),
        ),
        "encoding": (
            translate("health", "%Ln file(s) are written in an old encoding", None, n),
            translate("health", "Some letters may look wrong. Saving them as UTF-8 mends that."),
        ),
        "torn-lines": (
            translate("health", "%Ln conversation(s) have lines that cannot be read", None, n),
            one.sentence,
        ),
        "not-downloaded": (
            translate("health", "%Ln file(s) are not downloaded yet", None, n),
            translate("health", "The last versions that were read are still found."),
        ),
        "links-outside": (
            translate("health", "%Ln link(s) lead out of the folder", None, n),
            translate("health", "Daybank does not follow them."),
        ),
        "same-file": (
            translate("health", "%Ln file(s) stand in the folder twice", None, n),
            translate("health", "They are read once."),
        ),
    }[id_]
    return _FileTrouble(phrases.plural(title, n), sentence, one.each, one.icon)


_FILE_IDS = (
    "files",
    "unclosed-code",
    "file-names",
    "broken-links",
    "large-files",
    "encoding",
    "torn-lines",
    "not-downloaded",
    "links-outside",
    "same-file",
)

_CARDS: dict[str, _Words] = {
    "index": _index,
    "lines": _lines,
    "conflict-copies": _conflict_copies,
    "merge-conflicts": _merge_conflicts,
    "core": _core,
    "identity": _identity,
    "citations": _citations,
    "journal": _missing_days,
    "secrets": _secrets,
    "meaning": _meaning,
    "reflection": _reflection,
    "suggestions": _suggestions,
    "suggestion-files": _suggestion_files,
    **dict.fromkeys(_FILE_IDS, _files_card),
}
KNOWN_IDS: Collection[str] = _CARDS.keys()


# What is fine

_FineWords = Callable[[HealthCheck, Beside, date], str]


def _own_words(check: HealthCheck, beside: Beside, today: date) -> str:
    return check.message


def _nothing(check: HealthCheck, beside: Beside, today: date) -> str:
    return ""


def _fine_meaning(check: HealthCheck, beside: Beside, today: date) -> str:
    if check.message.startswith("Search by meaning"):
        return translate("health", "Search by meaning works")
    return translate("health", "Notes are found by their words")


def _fine_core(check: HealthCheck, beside: Beside, today: date) -> str:
    if beside.core_share is None:
        return ""
    return translate("health", "Core is {percent} % full").format(percent=beside.core_share)


def _fine_reflection(check: HealthCheck, beside: Beside, today: date) -> str:
    if beside.last is None:
        return ""
    return translate("health", "Reflected {when}").format(when=at_moment(beside.last, today))


def _fine_identity(check: HealthCheck, beside: Beside, today: date) -> str:
    return translate("health", "The agent’s own page is fresh") if check.sources else ""


_FINE: dict[str, _FineWords] = {
    **dict.fromkeys(_CARDS, _nothing),
    "index": lambda *_: translate("health", "Search is up to date"),
    "meaning": _fine_meaning,
    "core": _fine_core,
    "reflection": _fine_reflection,
    "identity": _fine_identity,
    "files": lambda *_: translate("health", "Every file can be read"),
    "lines": lambda *_: translate("health", "Every kept note is understood"),
    "conflict-copies": lambda *_: translate("health", "No page exists twice"),
    "secrets": lambda *_: translate("health", "No passwords in the notes"),
    "citations": lambda *_: translate("health", "Every citation leads somewhere"),
    "journal": lambda *_: translate("health", "The journal has every recent day"),
    "suggestions": lambda *_: translate("health", "No suggestion waits for long"),
}


# Small helpers


def _path(check: HealthCheck) -> str:
    return _path_of(check.sources[0]) if check.sources else ""


def _path_of(cited: str) -> str:
    """The file of ``path#L12``; a path may have a # of its own."""
    return _LINES.sub("", cited)


def _files_to_read(sources: Sequence[str]) -> tuple[Spot, ...]:
    return tuple(Spot(path, path, Source(path, 1, 1)) for path in sources)


def _day_of(path: str) -> date | None:
    return day_in_name(path.rpartition("/")[2])


def _runs(days: Sequence[date]) -> list[tuple[date, date]]:
    """Days that follow each other, together."""
    out: list[tuple[date, date]] = []
    for day in days:
        if out and (day - out[-1][1]).days == 1:
            out[-1] = (out[-1][0], day)
        else:
            out.append((day, day))
    return out
