"""Suggestions in words: what their pages are called, how many changes, what became of them.

GUI thread, no state.
"""

from __future__ import annotations

from datetime import date, datetime
from enum import Enum
from functools import lru_cache
from pathlib import PurePosixPath

from PySide6.QtCore import QCoreApplication, QLocale, QTime

from daybank.dates.names import day_in_name
from daybank.markdown.model import Role, Source
from daybank.markdown.roles import role_of
from daybank.reflect.record import ReflectionReport
from daybank.review.proposal import Decision, Phase, Proposal, State
from daybank.workspace import decode_file_name
from daybank_desktop import phrases

_SUMMARY = "memory/dialogue_summary.md"


class Group(Enum):
    """What suggestions are listed under, in this order."""

    CORE = "core"
    PEOPLE = "people"
    OPINIONS = "opinions"
    WORLD = "world"
    EXPERIENCE = "experience"
    JOURNAL = "journal"
    CONVERSATIONS = "conversations"
    KNOWLEDGE = "knowledge"
    OTHER = "other"


_BANK = {
    "bank/opinions.md": Group.OPINIONS,
    "bank/world.md": Group.WORLD,
    "bank/experience.md": Group.EXPERIENCE,
    _SUMMARY: Group.CONVERSATIONS,
}
_ROLES = {
    Role.CORE: Group.CORE,
    Role.ENTITY: Group.PEOPLE,
    Role.LOG: Group.JOURNAL,
    Role.KNOWLEDGE: Group.KNOWLEDGE,
}
_ICONS = {
    Group.CORE: "thing.core",
    Group.PEOPLE: "page.people",
    Group.OPINIONS: "page.opinions",
    Group.WORLD: "kind.world",
    Group.EXPERIENCE: "kind.experience",
    Group.JOURNAL: "page.journal",
    Group.CONVERSATIONS: "page.conversations",
    Group.KNOWLEDGE: "thing.knowledge",
    Group.OTHER: "thing.file",
}


@lru_cache(maxsize=4096)
def group_of(target: str) -> Group:
    return _BANK.get(target) or _ROLES.get(role_of(target), Group.OTHER)


def group_icon(group: Group) -> str:
    return _ICONS[group]


def group_word(group: Group) -> str:
    words = {
        Group.CORE: QCoreApplication.translate("suggestions", "Core"),
        Group.PEOPLE: QCoreApplication.translate("suggestions", "People & things"),
        Group.OPINIONS: QCoreApplication.translate("suggestions", "Opinions"),
        Group.WORLD: QCoreApplication.translate("suggestions", "World"),
        Group.EXPERIENCE: QCoreApplication.translate("suggestions", "Experience"),
        Group.JOURNAL: QCoreApplication.translate("suggestions", "Journal"),
        Group.CONVERSATIONS: QCoreApplication.translate("suggestions", "Conversations"),
        Group.KNOWLEDGE: QCoreApplication.translate("suggestions", "Knowledge"),
        Group.OTHER: QCoreApplication.translate("suggestions", "Other pages"),
    }
    return words[group]


def page_name(target: str) -> str:
    """“Core”, “Mara”, “Opinions”, “Fri 13 Nov 2026”, “bank › trips”."""
    group = group_of(target)
    pure = PurePosixPath(target)
    if group is Group.PEOPLE:
        return decode_file_name(pure.stem)
    if group is Group.JOURNAL:
        day = day_in_name(pure.name)
        return phrases.day_with_weekday(day) if day is not None else pure.stem
    if group is Group.KNOWLEDGE:
        if pure.stem == "_index":
            return QCoreApplication.translate("suggestions", "List of topics")
        return pure.stem
    if group is Group.OTHER:
        return " › ".join((*pure.parts[:-1], pure.stem))
    return group_word(group)


def changes_count(number: int) -> str:
    """“2 changes”."""
    text = QCoreApplication.translate("suggestions", "%Ln change(s)", None, number)
    return phrases.plural(text, number)


def suggestions_count(number: int) -> str:
    """“3 suggestions”."""
    text = QCoreApplication.translate("suggestions", "%Ln suggestion(s)", None, number)
    return phrases.plural(text, number)


def size_line(proposal: Proposal) -> str:
    """“2 changes · 4 notes”, and how many have their answer."""
    parts = [changes_count(len(proposal.hunks))]
    answered = sum(hunk.decision is not Decision.WAITING for hunk in proposal.hunks)
    if proposal.state is State.WAITING and answered:
        words = QCoreApplication.translate("suggestions", "{count} answered")
        parts.append(words.format(count=phrases.count(answered)))
    elif notes := len(proposal.evidence):
        parts.append(phrases.notes_count(notes))
    return " · ".join(parts)


def state_word(proposal: Proposal) -> str:
    """What became of it: “Saved”, “Rejected”, “Taken back”, “Overtaken”."""
    words = {
        State.WAITING: QCoreApplication.translate("suggestions", "Waiting"),
        State.APPLIED: QCoreApplication.translate("suggestions", "Saved"),
        State.REJECTED: QCoreApplication.translate("suggestions", "Rejected"),
        State.UNDONE: QCoreApplication.translate("suggestions", "Taken back"),
        State.WITHDRAWN: QCoreApplication.translate("suggestions", "Overtaken by a newer one"),
    }
    return words[proposal.state]


def state_icon(state: State) -> tuple[str, str]:
    """Icon and colour of what became of a suggestion."""
    return {
        State.WAITING: ("page.review", "text.secondary"),
        State.APPLIED: ("state.ok", "positive"),
        State.REJECTED: ("action.reject", "negative"),
        State.UNDONE: ("action.undo", "text.secondary"),
        State.WITHDRAWN: ("action.history", "text.secondary"),
    }[state]


def stance_word(stance: str) -> str:
    words = {
        "supports": QCoreApplication.translate("suggestions", "Supports"),
        "weakens": QCoreApplication.translate("suggestions", "Weakens"),
        "contradicts": QCoreApplication.translate("suggestions", "Contradicts"),
    }
    return words.get(stance, "")


def stance_color(stance: str) -> str:
    """Its colour token."""
    colors = {"supports": "positive", "weakens": "caution", "contradicts": "negative"}
    return colors.get(stance, "text.secondary")


def phase_word(phase: Phase) -> str:
    """The part of a reflection, by what it looks after."""
    words = {
        Phase.RETAIN: QCoreApplication.translate("suggestions", "Journal"),
        Phase.ENTITIES: QCoreApplication.translate("suggestions", "People & things"),
        Phase.OPINIONS: QCoreApplication.translate("suggestions", "Opinions"),
        Phase.WORLD: QCoreApplication.translate("suggestions", "World"),
        Phase.EXPERIENCE: QCoreApplication.translate("suggestions", "Experience"),
        Phase.CORE: QCoreApplication.translate("suggestions", "Core"),
        Phase.DIALOGUE: QCoreApplication.translate("suggestions", "Conversations"),
        Phase.KNOWLEDGE: QCoreApplication.translate("suggestions", "Knowledge"),
        Phase.REPAIR: QCoreApplication.translate("suggestions", "Repairs"),
        Phase.HAND: QCoreApplication.translate("suggestions", "By hand"),
    }
    return words[phase]


def moment(when: datetime, today: date) -> str:
    """“today 03:00”, “yesterday 03:00”, “Wed 18 Nov 2026 03:00”."""
    local = when.astimezone() if when.tzinfo is not None else when
    time = QLocale().toString(QTime(local.hour, local.minute), QLocale.FormatType.ShortFormat)
    days = (today - local.date()).days
    if days == 0:
        return QCoreApplication.translate("suggestions", "today {time}").format(time=time)
    if days == 1:
        return QCoreApplication.translate("suggestions", "yesterday {time}").format(time=time)
    day = phrases.day_with_weekday(local.date())
    return QCoreApplication.translate("suggestions", "{day} {time}").format(day=day, time=time)


def run_result(report: ReflectionReport) -> str:
    """“4 suggestions”, “nothing new”, “it did not end well”."""
    if report.error:
        return QCoreApplication.translate("suggestions", "it did not end well")
    made = len({item.proposal or item.target for item in report.fresh})
    if made:
        return suggestions_count(made)
    return QCoreApplication.translate("suggestions", "nothing new to suggest")


def last_run(report: ReflectionReport | None, today: date) -> str:
    """“Last reflection: today 03:00, 4 suggestions”."""
    if report is None:
        return QCoreApplication.translate("suggestions", "No reflection yet")
    words = QCoreApplication.translate("suggestions", "Last reflection: {when}, {result}")
    return words.format(when=moment(report.finished, today), result=run_result(report))


def source_of(citation: str) -> Source | None:
    """The place that ``path#L12-L14`` cites; None for what is no citation."""
    path, _, lines = citation.rpartition("#")
    first, _, last = lines.partition("-")
    if not path:
        return Source(citation, 1, 1) if citation else None
    try:
        start = int(first.removeprefix("L"))
        return Source(path, start, int(last.removeprefix("L")) if last else start)
    except ValueError:
        return None
