"""People and things in words: their sort, how long ago, how many notes. GUI thread, no state."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QDate, QLocale

from daybank_desktop import phrases
from daybank_desktop.timeline.scale import Scale

if TYPE_CHECKING:
    from daybank import Entity, EntitySummary

_ICONS = ("person", "place", "project", "thing")
_STILL_GOING = 60  # days without a note after which the last one is named


def type_word(type_: str | None) -> str:
    """“Person”; a sort of the person's own as they wrote it; nothing for none."""
    words = {
        "person": QCoreApplication.translate("people", "Person"),
        "place": QCoreApplication.translate("people", "Place"),
        "project": QCoreApplication.translate("people", "Project"),
        "thing": QCoreApplication.translate("people", "Thing"),
    }
    if type_ is None:
        return ""
    return words.get(type_.casefold(), type_)


def types_word(type_: str | None) -> str:
    """All of a sort: “People”."""
    words = {
        "person": QCoreApplication.translate("people", "People"),
        "place": QCoreApplication.translate("people", "Places"),
        "project": QCoreApplication.translate("people", "Projects"),
        "thing": QCoreApplication.translate("people", "Things"),
    }
    if type_ is None:
        return QCoreApplication.translate("people", "All kinds")
    return words.get(type_.casefold(), type_)


def type_icon(type_: str | None) -> str:
    """The icon of a sort; "" where the first letter of the name says more."""
    folded = (type_ or "").casefold()
    return f"entity.{folded}" if folded in _ICONS[1:] else ""


def chip_icon(type_: str | None) -> str:
    """The icon in front of a name."""
    return type_icon(type_) or "entity.person"


def initial(name: str) -> str:
    """The first letter, to stand for a face."""
    letter = next((char for char in name if char.isalnum()), "")
    return letter.upper()


def ago(day: date, today: date) -> str:
    """“yesterday”, “6 days ago”, “2 weeks ago”, “Mar 2025”."""
    days = (today - day).days
    if days < 0:
        return phrases.day_short(day)
    if days == 0:
        return QCoreApplication.translate("people", "today")
    if days == 1:
        return QCoreApplication.translate("people", "yesterday")
    if days < 14:
        words = QCoreApplication.translate("people", "%Ln day(s) ago", None, days)
        return phrases.plural(words, days)
    if days < 56:
        words = QCoreApplication.translate("people", "%Ln week(s) ago", None, days // 7)
        return phrases.plural(words, days // 7)
    return month(day)


def month(day: date) -> str:
    """“Mar 2024”."""
    pattern = QCoreApplication.translate("people", "MMM yyyy")
    return QLocale().toString(QDate(day.year, day.month, day.day), pattern)


def month_long(day: date) -> str:
    """“March 2024”."""
    pattern = QCoreApplication.translate("people", "MMMM yyyy")
    return QLocale().toString(QDate(day.year, day.month, day.day), pattern)


def summary(person: EntitySummary, today: date) -> str:
    """“Person · 2 days ago”."""
    parts = [type_word(person.type)]
    if person.last_day is not None:
        parts.append(ago(person.last_day, today))
    return " · ".join(part for part in parts if part)


def headline(entity: Entity, notes: int, today: date) -> str:
    """“Person · also Mara S., Mapa · 53 notes since March 2024”."""
    parts = [type_word(entity.type)]
    if entity.aliases:
        also = QCoreApplication.translate("people", "also {names}")
        parts.append(also.format(names=", ".join(entity.aliases)))
    parts.append(_notes_when(notes, entity.first_day, entity.last_day, today))
    return " · ".join(part for part in parts if part)


def _notes_when(notes: int, first: date | None, last: date | None, today: date) -> str:
    count = phrases.notes_count(notes)
    if first is None or last is None:
        return count
    if (today - last).days <= _STILL_GOING:
        since = QCoreApplication.translate("people", "{notes} since {month}")
        return since.format(notes=count, month=month_long(first))
    if (first.year, first.month) == (last.year, last.month):
        when = QCoreApplication.translate("people", "{notes} in {month}")
        return when.format(notes=count, month=month_long(first))
    span = QCoreApplication.translate("people", "{notes}, {first} – {last}")
    return span.format(notes=count, first=month_long(first), last=month_long(last))


def scale_range(scale: Scale) -> str:
    """The days in sight: “1 Sep – 30 Nov 2026”."""
    first = date.fromordinal(scale.first_day)
    last = date.fromordinal(max(scale.first_day, scale.last_day))
    if first == last:
        return phrases.day_with_weekday(first)
    if first.year == last.year:
        return f"{phrases.day_short(first).removesuffix(str(first.year)).strip()} – " + (
            phrases.day_short(last)
        )
    return f"{phrases.day_short(first)} – {phrases.day_short(last)}"
