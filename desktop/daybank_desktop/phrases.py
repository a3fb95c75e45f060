"""Dates, places and kinds in words, the same everywhere in the window. GUI thread, no state."""

from __future__ import annotations

from calendar import monthrange
from datetime import date
from pathlib import PurePosixPath

from PySide6.QtCore import QCoreApplication, QDate, QLocale

from daybank.dates import Interval
from daybank.markdown.model import Kind, Role, Source
from daybank.recall.results import RecallResult
from daybank.workspace import decode_file_name

_ROLE_ICONS = {
    Role.LOG: "page.journal",
    Role.CORE: "thing.core",
    Role.ENTITY: "entity.person",
    Role.KNOWLEDGE: "thing.knowledge",
    Role.CHAT: "page.conversations",
    Role.SESSION: "page.conversations",
}
_KIND_ICONS = {Kind.PASSAGE: "thing.file", Kind.MESSAGE: "page.conversations"}


def count(number: int) -> str:
    """4218 → “4,218”, as the person's language writes it."""
    return QLocale().toString(number)


def percent(confidence: float) -> int:
    return round(confidence * 100)


def sure(confidence: float) -> str:
    """0.74 → “74 % sure”."""
    return QCoreApplication.translate("phrases", "{percent} % sure").format(
        percent=percent(confidence)
    )


def preparing(share: int) -> str:
    """“Search by meaning is getting ready, 43 %”."""
    words = QCoreApplication.translate("phrases", "Search by meaning is getting ready, {percent} %")
    return words.format(percent=share)


def prepared_so_far(share: int) -> str:
    """“Search by meaning is paused, 43 %”."""
    words = QCoreApplication.translate("phrases", "Search by meaning is paused, {percent} %")
    return words.format(percent=share)


# Kinds


def other_time() -> str:
    """Of a result that is not of the time asked for."""
    return QCoreApplication.translate("phrases", "Of another time than you named")


def kind_word(kind: Kind) -> str:
    words = {
        Kind.WORLD: QCoreApplication.translate("phrases", "World"),
        Kind.EXPERIENCE: QCoreApplication.translate("phrases", "Experience"),
        Kind.OPINION: QCoreApplication.translate("phrases", "Opinion"),
        Kind.OBSERVATION: QCoreApplication.translate("phrases", "Observation"),
        Kind.PASSAGE: QCoreApplication.translate("phrases", "Text"),
        Kind.MESSAGE: QCoreApplication.translate("phrases", "Message"),
    }
    return words[kind]


def kind_icon(kind: Kind) -> str:
    return _KIND_ICONS.get(kind) or f"kind.{kind.value}"


def kind_color(kind: Kind) -> str:
    return f"kind.{kind.value}" if kind.is_fact else "text.secondary"


# Days


def _q(day: date) -> QDate:
    return QDate(day.year, day.month, day.day)


def _format(day: date, pattern: str, locale: QLocale | None = None) -> str:
    return (locale or QLocale()).toString(_q(day), pattern)


def weekday_short(day: date) -> str:
    return _format(day, "ddd")


def month_short(day: date) -> str:
    return _format(day, "MMM")


def day_short(day: date) -> str:
    """18 Nov 2026."""
    return _format(day, QCoreApplication.translate("phrases", "d MMM yyyy"))


def day_with_weekday(day: date) -> str:
    """Wed 18 Nov 2026."""
    return _format(day, QCoreApplication.translate("phrases", "ddd d MMM yyyy"))


def day_neighbour(day: date) -> str:
    """Tue 17 Nov: for a day next to one whose year is in sight."""
    return _format(day, QCoreApplication.translate("phrases", "ddd d MMM"))


def day_long(day: date, locale: QLocale | None = None) -> str:
    """Wednesday, 18 November 2026."""
    return _format(day, QCoreApplication.translate("phrases", "dddd, d MMMM yyyy"), locale)


def interval(window: Interval) -> str:
    """16–22 Nov 2026, Nov 2026, 2026, since 1 Jul 2025."""
    start, end = window.start, window.end
    if end is None and start is not None:
        return QCoreApplication.translate("phrases", "since {day}").format(day=day_short(start))
    if start is None and end is not None:
        return QCoreApplication.translate("phrases", "until {day}").format(day=day_short(end))
    assert start is not None
    assert end is not None
    if start == end:
        return day_with_weekday(start)
    if _is_whole_months(start, end):
        if start.year == end.year and (start.month, end.month) == (1, 12):
            return str(start.year)
        if (start.year, start.month) == (end.year, end.month):
            return _format(start, "MMM yyyy")
    if (start.year, start.month) == (end.year, end.month):
        return f"{start.day}–{day_short(end)}"
    if start.year == end.year:
        return f"{_format(start, 'd MMM')} – {day_short(end)}"
    return f"{day_short(start)} – {day_short(end)}"


def _is_whole_months(start: date, end: date) -> bool:
    return start.day == 1 and end.day == monthrange(end.year, end.month)[1]


# Places


def role_icon(role: Role) -> str:
    return _ROLE_ICONS.get(role, "thing.file")


def place(path: str, role: Role, day: date | None = None) -> str:
    """What a file is called in the window: “Journal, 18 Nov 2026”, “Core”, “bank › opinions”."""
    if role is Role.LOG:
        if day is None:
            return QCoreApplication.translate("phrases", "Journal")
        return QCoreApplication.translate("phrases", "Journal, {day}").format(day=day_short(day))
    if role is Role.CORE:
        return QCoreApplication.translate("phrases", "Core")
    if role in (Role.CHAT, Role.SESSION):
        if day is None:
            return QCoreApplication.translate("phrases", "Conversations")
        return QCoreApplication.translate("phrases", "Conversations, {day}").format(
            day=day_short(day)
        )
    pure = PurePosixPath(path)
    if role is Role.ENTITY:
        return QCoreApplication.translate("phrases", "{name}’s page").format(
            name=decode_file_name(pure.stem)
        )
    if role is Role.KNOWLEDGE:
        return QCoreApplication.translate("phrases", "Knowledge › {topic}").format(topic=pure.stem)
    return " › ".join((*pure.parts[:-1], pure.stem))


def role_word(role: Role) -> str:
    """The short word in front of a path: “Journal · memory/2026-11-18.md”."""
    words = {
        Role.LOG: QCoreApplication.translate("phrases", "Journal"),
        Role.CORE: QCoreApplication.translate("phrases", "Core"),
        Role.ENTITY: QCoreApplication.translate("phrases", "People & things"),
        Role.KNOWLEDGE: QCoreApplication.translate("phrases", "Knowledge"),
        Role.CHAT: QCoreApplication.translate("phrases", "Conversations"),
        Role.SESSION: QCoreApplication.translate("phrases", "Conversations"),
        Role.MACHINE: QCoreApplication.translate("phrases", "Written by a program"),
    }
    return words.get(role) or QCoreApplication.translate("phrases", "Page")


def lines(source: Source) -> str:
    if source.line_end > source.line_start:
        return QCoreApplication.translate("phrases", "lines {first}–{last}").format(
            first=source.line_start, last=source.line_end
        )
    return QCoreApplication.translate("phrases", "line {line}").format(line=source.line_start)


def source_line(result: RecallResult) -> str:
    """“Journal, 18 Nov 2026, line 12”."""
    where = place(result.source.path, result.role, result.day)
    return f"{where}, {lines(result.source)}"


def citation(text: str, source: Source) -> str:
    """What *Copy with source* puts on the clipboard."""
    return f"“{text}” — {source}"


def plural(text: str, number: int) -> str:
    """A translated text that had ``%Ln`` in it, with the English “(s)” settled where it is left."""
    return text.replace("(s)", "" if number == 1 else "s")


def notes_count(notes: int) -> str:
    """“5 notes”."""
    return plural(QCoreApplication.translate("phrases", "%Ln note(s)", None, notes), notes)


def notes_found(notes: int, *, is_exact: bool = True) -> str:
    """“8 notes found”."""
    if not is_exact:
        more = QCoreApplication.translate("phrases", "More than %Ln note(s) found", None, notes)
        return plural(more, notes)
    found = QCoreApplication.translate("phrases", "%Ln note(s) found", None, notes)
    return plural(found, notes)


def days_count(days: int) -> str:
    return plural(QCoreApplication.translate("phrases", "%Ln day(s)", None, days), days)


def pages_count(pages: int) -> str:
    return plural(QCoreApplication.translate("phrases", "%Ln page(s)", None, pages), pages)
