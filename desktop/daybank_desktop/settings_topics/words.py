"""Sizes, times and refusals in words, for the settings. GUI thread, no state."""

from __future__ import annotations

from datetime import date, datetime, timedelta

from PySide6.QtCore import QCoreApplication, QLocale

from daybank_desktop import phrases, suggestion_words
from daybank_desktop.scheduling.policy import WhyNot
from daybank_desktop.services.refusals import Refusal
from daybank_desktop.services.schedule import ScheduleState
from daybank_desktop.widgets.text_layout import shown
from daybank_desktop.widgets.time_field import time_text

_KILO, _MEGA, _GIGA = 1_000, 1_000_000, 1_000_000_000


def size(size_bytes: int) -> str:
    """“22 MB”, “2.2 GB”: rounded down, as a progress towards it is."""
    if size_bytes < _MEGA:
        words = QCoreApplication.translate("settings", "{number} kB")
        return words.format(number=phrases.count(-(-size_bytes // _KILO)))
    if size_bytes < _GIGA:
        words = QCoreApplication.translate("settings", "{number} MB")
        return words.format(number=phrases.count(size_bytes // _MEGA))
    tenths = size_bytes // (_GIGA // 10)
    words = QCoreApplication.translate("settings", "{number} GB")
    number = QLocale().toString(tenths / 10, "f", 1 if tenths % 10 else 0)
    return words.format(number=number)


def arrived(done: int, total: int) -> str:
    """“95 of 220 MB”."""
    if total < _GIGA:
        words = QCoreApplication.translate("settings", "{done} of {total}")
        return words.format(done=phrases.count(done // _MEGA), total=size(total))
    words = QCoreApplication.translate("settings", "{done} of {total}")
    return words.format(done=size(done), total=size(total))


def percent(number: int) -> str:
    """“43 %”."""
    return QCoreApplication.translate("settings", "{number}\u00a0%").format(
        number=QLocale().toString(number)
    )


def hours(number: int) -> str:
    """“every hour”, “every 6 hours”, “every 2 days”, “every week”."""
    if number == 1:
        return QCoreApplication.translate("settings", "every hour")
    if number == 7 * 24:
        return QCoreApplication.translate("settings", "every week")
    if number > 24 and number % 24 == 0:
        words = QCoreApplication.translate("settings", "every {number} days")
        return words.format(number=phrases.count(number // 24))
    words = QCoreApplication.translate("settings", "every {number} hours")
    return words.format(number=phrases.count(number))


def coming(when: datetime, today: date) -> str:
    """“today 21:00”, “tomorrow 03:00”, “Wed 18 Nov 2026 03:00”."""
    local = when.astimezone() if when.tzinfo is not None else when
    if local.date() == today + timedelta(days=1):
        words = QCoreApplication.translate("settings", "tomorrow {time}")
        return words.format(time=time_text(local.time()))
    return suggestion_words.moment(when, today)


def last_and_next(state: ScheduleState, today: date, *, has_folder: bool) -> tuple[str, str]:
    """“Last: today 03:00” and “Next: tomorrow 03:00”, or why there is none."""
    if has_folder and state == ScheduleState():
        words = QCoreApplication.translate("settings", "Not looked at yet")
        return words, QCoreApplication.translate("settings", "It begins soon after the start.")
    if state.running:
        last = QCoreApplication.translate("settings", "It reflects just now")
    elif state.last is None:
        last = QCoreApplication.translate("settings", "It has not reflected yet")
    else:
        last = QCoreApplication.translate("settings", "Last: {when}").format(
            when=suggestion_words.moment(state.last, today)
        )
    return last, _next(state, today)


def _next(state: ScheduleState, today: date) -> str:
    reasons = {
        WhyNot.NO_FOLDER: QCoreApplication.translate("settings", "No folder is open."),
        WhyNot.MANUAL: QCoreApplication.translate("settings", "Next: when you say so."),
        WhyNot.PAUSED: QCoreApplication.translate("settings", "Next: after the pause."),
        WhyNot.ON_BATTERY: QCoreApplication.translate(
            "settings", "It is time, and waits for mains power."
        ),
        WhyNot.NOT_QUIET: QCoreApplication.translate(
            "settings", "It is time, and waits until you do something else."
        ),
    }
    if state.why_not in reasons:
        return reasons[state.why_not]
    if state.next is None:
        return ""
    words = QCoreApplication.translate("settings", "Next: {when}")
    return words.format(when=coming(state.next, today))


def refused(refusal: Refusal) -> tuple[str, str]:
    """What was refused for ever, and where it would have gone."""
    where = shown(suggestion_words.page_name(refusal.target)) if refusal.target else ""
    if refusal.text:
        words = QCoreApplication.translate("settings", "For {page}").format(page=where)
        return shown(refusal.text), words
    kind, _, rest = refusal.topic.partition(":")
    names = {
        "summary": QCoreApplication.translate("settings", "What is known about “{name}”"),
        "page": QCoreApplication.translate("settings", "A page for “{name}”"),
        "knowledge": QCoreApplication.translate("settings", "The topic “{name}”"),
        "retain": QCoreApplication.translate("settings", "Notes out of “{name}”"),
        "opinion": QCoreApplication.translate("settings", "An opinion ({name})"),
        "episode": QCoreApplication.translate("settings", "A conversation of {name}"),
        "core": QCoreApplication.translate("settings", "In Core: “{name}”"),
    }
    words = names.get(kind, QCoreApplication.translate("settings", "“{name}”"))
    return words.format(name=shown(rest or refusal.topic)), ""
