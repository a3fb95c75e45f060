"""What the tray says: tooltip, the lines of its menu, and the sentences about its being there.

GUI thread, no state. A panel may take text for markup and cuts off what is long, so a person's own
words (a file's name in a sentence, say) only ever come through :func:`plain`.
"""

from __future__ import annotations

from datetime import datetime, time, timedelta

from PySide6.QtCore import QCoreApplication, QLocale, QTime

from daybank.visible import one_line
from daybank_desktop import phrases
from daybank_desktop.scheduling.policy import MORNING, WhyNot
from daybank_desktop.services.schedule import ScheduleState
from daybank_desktop.tray.presence import NoTray
from daybank_desktop.tray.state import Facts, PauseFor, TrayState, state_of

TOOLTIP_LENGTH = 120
"""Windows shows no more than 127 characters."""

_NOT_MARKUP = str.maketrans({"<": "‹", ">": "›"})


def plain(text: str, length: int = TOOLTIP_LENGTH) -> str:
    """``text`` as one line that no panel takes for markup, cut to ``length`` characters."""
    line = one_line(text).translate(_NOT_MARKUP)
    return line if len(line) <= length else line[: length - 1].rstrip() + "…"


# Moments


def moment(when: datetime, now: datetime) -> str:
    """“today 03:00”, “tomorrow 03:00”, “Tue 8 Dec 03:00”; in the zone of ``when``."""
    today = now.astimezone(when.tzinfo).date()
    words = {
        -1: QCoreApplication.translate("tray", "yesterday {time}"),
        0: QCoreApplication.translate("tray", "today {time}"),
        1: QCoreApplication.translate("tray", "tomorrow {time}"),
    }.get((when.date() - today).days)
    if words is not None:
        return words.format(time=_time(when))
    same_year = when.year == today.year
    day = phrases.day_neighbour(when) if same_year else phrases.day_with_weekday(when)
    return QCoreApplication.translate("tray", "{day} {time}").format(day=day, time=_time(when))


def _end(when: datetime, now: datetime) -> str:
    """“09:42”, “tomorrow 08:00”: for what ends, which is today unless it says another day."""
    is_today = when.date() == now.astimezone(when.tzinfo).date()
    return _time(when) if is_today else moment(when, now)


def _time(when: datetime | time) -> str:
    return QLocale().toString(QTime(when.hour, when.minute), QLocale.FormatType.ShortFormat)


# The menu


def last_line(state: ScheduleState, result: int | None, now: datetime) -> str:
    """“Last: today 03:00, 3 suggestions”. ``result`` is None where it is not known."""
    if state.last is None:
        return QCoreApplication.translate("tray", "Last: not yet")
    when = moment(state.last, now)
    if result is None:
        return QCoreApplication.translate("tray", "Last: {when}").format(when=when)
    if result == 0:
        return QCoreApplication.translate("tray", "Last: {when}, nothing new").format(when=when)
    words = phrases.plural(
        QCoreApplication.translate("tray", "Last: {when}, %n suggestion(s)", None, result), result
    )
    return words.format(when=when)


def next_line(state: ScheduleState, now: datetime) -> str:
    """“Next: tomorrow 03:00”, or what it waits for."""
    if state.running or state.why_not is WhyNot.RUNNING:
        return QCoreApplication.translate("tray", "Next: when this one is over")
    if state.why_not is WhyNot.NO_FOLDER:
        return QCoreApplication.translate("tray", "Next: when a folder is open")
    if state.is_paused:
        if state.paused_until is None:
            return QCoreApplication.translate("tray", "Paused until you resume")
        words = QCoreApplication.translate("tray", "Paused until {when}")
        return words.format(when=_end(state.paused_until, now))
    if state.why_not is WhyNot.MANUAL:
        return QCoreApplication.translate("tray", "Next: when you start it")
    is_due = state.next is None or state.next <= now
    if is_due and state.why_not is WhyNot.ON_BATTERY:
        return QCoreApplication.translate("tray", "Next: when it is plugged in")
    if is_due and state.why_not is WhyNot.NOT_QUIET:
        return QCoreApplication.translate("tray", "Next: at a quiet moment")
    if state.next is None or is_due:
        return QCoreApplication.translate("tray", "Next: soon")
    return QCoreApplication.translate("tray", "Next: {when}").format(when=moment(state.next, now))


def review_entry(waiting: int) -> str:
    """“Review (3)”; without a number where none waits."""
    if waiting <= 0:
        return QCoreApplication.translate("tray", "Review")
    words = QCoreApplication.translate("tray", "Review ({count})")
    return words.format(count=phrases.count(waiting))


def pause_entry(length: PauseFor, now: datetime) -> str:
    """“For 1 hour, until 09:42”."""
    if length is PauseFor.ONE_HOUR:
        words = QCoreApplication.translate("tray", "For 1 hour, until {time}")
        return words.format(time=_time(now + timedelta(hours=1)))
    if length is PauseFor.UNTIL_TOMORROW:
        words = QCoreApplication.translate("tray", "Until tomorrow, {time}")
        return words.format(time=_time(MORNING))
    return QCoreApplication.translate("tray", "Until I resume")


# The tooltip


def tooltip(facts: Facts, schedule: ScheduleState, now: datetime) -> str:
    """The state in words: “Daybank – 3 suggestions waiting”."""
    waiting = _waiting(facts.waiting)
    state = state_of(facts)
    if state is TrayState.WAITING:
        return _said(waiting)
    said = {
        TrayState.ATTENTION: _needs_you(facts.attention),
        TrayState.WORKING: facts.working_on or QCoreApplication.translate("tray", "reflecting"),
        TrayState.PAUSED: _paused(schedule, now),
        TrayState.RESTING: QCoreApplication.translate("tray", "nothing to do"),
    }[state]
    return _said(f"{waiting}; {said}" if waiting else said)


def _said(what: str) -> str:
    return plain(QCoreApplication.translate("tray", "Daybank – {what}").format(what=what))


def _needs_you(sentence: str) -> str:
    words = QCoreApplication.translate("tray", "needs you: {sentence}")
    return words.format(sentence=sentence)


def _waiting(count: int) -> str:
    if count <= 0:
        return ""
    words = QCoreApplication.translate("tray", "%Ln suggestion(s) waiting", None, count)
    return phrases.plural(words, count)


def _paused(schedule: ScheduleState, now: datetime) -> str:
    if schedule.paused_until is None:
        return QCoreApplication.translate("tray", "reflection paused until you resume")
    words = QCoreApplication.translate("tray", "reflection paused until {when}")
    return words.format(when=_end(schedule.paused_until, now))


# Being there


def stays(platform: str) -> str:
    """Said once, when closing the window leaves Daybank running. ``platform`` as in
    ``sys.platform``."""
    if platform == "darwin":
        return QCoreApplication.translate(
            "tray",
            "Daybank stays in the menu bar so that it can reflect at night. Quit from there.",
        )
    return QCoreApplication.translate(
        "tray", "Daybank stays in the tray so that it can reflect at night. Quit from there."
    )


def why_no_tray(why: NoTray) -> str:
    """Beside the greyed *keep running in the tray*."""
    if why is NoTray.GNOME:
        return QCoreApplication.translate(
            "tray",
            "GNOME shows no tray of its own; the extension “AppIndicator” adds one. Until then, "
            "closing the window quits Daybank.",
        )
    return QCoreApplication.translate(
        "tray", "This desktop shows no tray just now, so closing the window quits Daybank."
    )


def no_tray() -> str:
    """Said once, where the person would have Daybank stay and it cannot."""
    return QCoreApplication.translate(
        "tray",
        "This desktop shows no tray. Daybank reflects while its window is open; closing it quits.",
    )


def came_back() -> str:
    """When the window returns because the tray is gone."""
    return QCoreApplication.translate("tray", "The tray is gone, so Daybank is back in a window.")
