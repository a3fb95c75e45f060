"""Runs of the reflection in words, and why none begins just now. GUI thread, no state."""

from __future__ import annotations

from datetime import date, datetime

from PySide6.QtCore import QCoreApplication, QLocale, QTime

from daybank.reflect.record import PhaseTime
from daybank.secrets import mask
from daybank_desktop import phrases, suggestion_words
from daybank_desktop.scheduling.policy import WhyNot
from daybank_desktop.services.runs import RunLine
from daybank_desktop.services.schedule import ScheduleState

translate = QCoreApplication.translate


def took(seconds: float) -> str:
    """“under 1 s”, “12 s”, “3 min 5 s”."""
    whole = round(seconds)
    if whole < 1:
        return translate("runs", "under 1 s")
    if whole < 60:
        return translate("runs", "{seconds} s").format(seconds=phrases.count(whole))
    minutes, rest = divmod(whole, 60)
    return translate("runs", "{minutes} min {seconds} s").format(
        minutes=phrases.count(minutes), seconds=rest
    )


def looked(line: RunLine) -> str:
    """“12 new of 4,218 notes”."""
    if line.is_idle:
        return translate("runs", "nothing new")
    notes = phrases.notes_count(line.facts)
    return translate("runs", "{new} new of {notes}").format(
        new=phrases.count(line.new), notes=notes
    )


def result(line: RunLine) -> str:
    """What came of it: “4 suggestions”, “Nothing to suggest”, “Did not end well”."""
    if line.error:
        return translate("runs", "Did not end well")
    if line.made:
        return suggestion_words.suggestions_count(line.made)
    if line.waited:
        return translate("runs", "Waiting already")
    if line.is_idle:
        return translate("runs", "Nothing was new")
    return translate("runs", "Nothing to suggest")


def looks(line: RunLine) -> tuple[str, str]:
    """Icon and colour of what came of it."""
    if line.error:
        return "state.error", "negative"
    if line.made:
        return "page.review", "accent"
    return "state.ok", "positive"


def spoken(line: RunLine, today: date) -> str:
    """A run for a screen reader."""
    words = translate(
        "runs", "{when}, took {took}, looked at {looked}, passed over {skipped}. {result}."
    )
    return words.format(
        when=suggestion_words.moment(line.started, today),
        took=took(line.seconds),
        looked=looked(line),
        skipped=phrases.count(line.skipped),
        result=result(line),
    )


def error_sentence(error: str) -> str:
    """Why a run did not end well, without what nobody should read over a shoulder."""
    return mask(error).strip()


def phases(times: tuple[PhaseTime, ...]) -> str:
    """“Opinions 2.1 s · Core 0.4 s”, the longest first."""
    parts = []
    for phase in sorted(times, key=lambda item: -item.seconds):
        seconds = QLocale().toString(float(phase.seconds), "f", 1)
        parts.append(
            translate("runs", "{part} {seconds} s").format(
                part=suggestion_words.phase_word(phase.phase), seconds=seconds
            )
        )
    return " · ".join(parts)


def coming(state: ScheduleState, now: datetime) -> tuple[str, str]:
    """The line above the runs: an icon and when the next one is, or what it waits for."""
    when = _soon(state.next, now) if state.next is not None else ""
    why = state.why_not
    if state.running or why is WhyNot.RUNNING:
        return "state.reflection", translate("runs", "Reflecting now.")
    if why is WhyNot.PAUSED or state.is_paused:
        until = _soon(state.paused_until, now) if state.paused_until is not None else ""
        if until:
            words = translate("runs", "Paused until {when}.").format(when=until)
        else:
            words = translate("runs", "Paused until you resume.")
        return "action.pause", words
    plain = {
        WhyNot.MANUAL: translate("runs", "Daybank reflects only when you say so."),
        WhyNot.ON_BATTERY: translate("runs", "A run is due. Waiting for mains power."),
        WhyNot.NOT_QUIET: translate("runs", "A run is due. Waiting for a quiet moment."),
        WhyNot.NO_FOLDER: translate("runs", "No run is planned yet."),
    }
    if why in plain:
        return "state.note", plain[why]
    if why is WhyNot.AFTER_FAILURE:
        words = translate("runs", "The last run did not end well. Next try: {when}.")
        return "state.warning", words.format(when=when or translate("runs", "soon"))
    if when:
        return "state.reflection", translate("runs", "Next: {when}.").format(when=when)
    return "state.reflection", translate("runs", "A run begins shortly.")


def _soon(moment: datetime, now: datetime) -> str:
    """“today 23:00”, “tomorrow 03:00”, “Wed 18 Nov 2026 03:00”."""
    local, here = moment.astimezone(now.tzinfo), now
    time = QLocale().toString(QTime(local.hour, local.minute), QLocale.FormatType.ShortFormat)
    days = (local.date() - here.date()).days
    if days == 0:
        return translate("runs", "today {time}").format(time=time)
    if days == 1:
        return translate("runs", "tomorrow {time}").format(time=time)
    day = phrases.day_with_weekday(local.date())
    return translate("runs", "{day} {time}").format(day=day, time=time)
