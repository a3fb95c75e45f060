"""Reflection: when it happens by itself, how it stands, and what is never suggested again."""

from __future__ import annotations

from dataclasses import replace
from datetime import time
from functools import partial

from PySide6.QtCore import QPoint
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QButtonGroup, QMenu

from daybank.errors import DaybankError
from daybank_desktop.scheduling.policy import DEFAULT_TIME, Plan, PlanKind
from daybank_desktop.services.refusals import Refusal
from daybank_desktop.services.schedule import ScheduleState
from daybank_desktop.settings_topics import words
from daybank_desktop.settings_topics.topic import Beside, SettingsServices, Topic
from daybank_desktop.widgets.buttons import Button
from daybank_desktop.widgets.select_box import SelectBox
from daybank_desktop.widgets.setting_rows import RadioRow, SettingRow, ToggleRow
from daybank_desktop.widgets.time_field import TimeField

HOURS = (1, 2, 3, 4, 6, 8, 12, 24, 48, 168)


def _keys(shortcut: str) -> str:
    """As this system writes it."""
    return QKeySequence(shortcut).toString(QKeySequence.SequenceFormat.NativeText)


class ReflectionTopic(Topic):
    def __init__(self, services: SettingsServices) -> None:
        super().__init__(
            self.tr("Reflection"),
            self.tr(
                "Daybank looks at what is new in your notes and suggests changes to your pages."
                " Nothing is written before you say yes."
            ),
        )
        self._services = services
        self._schedule = services.schedule
        self._build_plan()
        self._build_state()
        self._refusals: dict[str, SettingRow] = {}
        self.never_card = self.add_group(self.tr("Never again"))
        self._no_refusals = SettingRow(
            self.tr("Nothing so far"),
            self.tr("What you answer with “Never again” in Review stands here."),
        )
        self.never_card.add(self._no_refusals)
        services.refusals.changed.connect(self._show_refusals)
        services.refusals.taken_back.connect(self._on_taken_back)
        services.refusals.failed.connect(self._on_failed)
        services.library.opened.connect(self._on_opened)
        self._schedule.state_changed.connect(self._show_state)
        self._show_plan(self._schedule.plan)
        self._show_state(self._schedule.state)

    def refresh(self) -> None:
        self._show_plan(self._schedule.plan)
        self._show_state(self._schedule.state)
        self._services.refusals.load()

    def refusal_row(self, topic: str) -> SettingRow:
        return self._refusals[topic]

    def _on_opened(self) -> None:
        if self.isVisible():
            self._services.refusals.load()

    # When

    def _build_plan(self) -> None:
        card = self.add_group(self.tr("When"))
        self.at = TimeField(self.tr("Every day at"), DEFAULT_TIME)
        self.every = SelectBox(self.tr("How often"))
        self.plans = {
            PlanKind.DAILY: RadioRow(
                self.tr("Every day"),
                self.tr("At this time, or at the first quiet moment after it."),
                extra=self.at,
            ),
            PlanKind.HOURS: RadioRow(
                self.tr("Every few hours"),
                self.tr("Counted from the last reflection."),
                extra=self.every,
            ),
            PlanKind.IDLE: RadioRow(
                self.tr("When I am away"),
                self.tr("Once a day, as soon as nobody uses Daybank for two minutes."),
            ),
            PlanKind.MANUAL: RadioRow(
                self.tr("Only when I say so"),
                self.tr("With {keys}, or from the tray.").format(keys=_keys("Ctrl+R")),
            ),
        }
        self._group = QButtonGroup(self)
        for kind, row in self.plans.items():
            card.add(row)
            self._group.addButton(row.mark)
            row.mark.clicked.connect(partial(self._choose, kind))
        self.battery = ToggleRow(
            self.tr("Also on battery"),
            self.tr("Otherwise a reflection that is due waits for mains power."),
        )
        card.add(self.battery)
        self.battery.toggle.clicked.connect(
            lambda is_on: self._set(replace(self._schedule.plan, on_battery=is_on))
        )
        self.at.chosen.connect(self._on_time)
        self.every.chosen.connect(self._on_hours)

    def _choose(self, kind: PlanKind) -> None:
        if self._schedule.plan.kind is not kind:
            self._set(replace(self._schedule.plan, kind=kind))

    def _on_time(self, at: time) -> None:
        self._set(replace(self._schedule.plan, kind=PlanKind.DAILY, at=at))

    def _on_hours(self, hours: str) -> None:
        self._set(replace(self._schedule.plan, kind=PlanKind.HOURS, hours=int(hours)))

    def _set(self, plan: Plan) -> None:
        self._schedule.set_plan(plan)
        self._show_plan(plan)

    def _show_plan(self, plan: Plan) -> None:
        self.plans[plan.kind].mark.setChecked(True)
        self.at.set_value(plan.at)
        hours = sorted({*HOURS, plan.hours})
        choices = [(str(number), words.hours(number)) for number in hours]
        if self.every.ids() != tuple(id_ for id_, _ in choices):
            self.every.set_choices(choices)
        self.every.set_value(str(plan.hours))
        is_manual = plan.kind is PlanKind.MANUAL
        self.battery.toggle.setChecked(plan.on_battery)
        self.battery.toggle.setEnabled(not is_manual)

    # How it stands

    def _build_state(self) -> None:
        card = self.add_group(self.tr("How it stands"))
        self.run_now = Button(self.tr("Reflect now"), icon="state.reflection", small=True)
        self.history = Button(self.tr("Run history"), "link", small=True)
        self.state_row = SettingRow("", "", Beside(self.history, self.run_now))
        self.pause = Button(self.tr("Pause"), icon="action.pause", small=True, chevron=True)
        self.resume = Button(self.tr("Resume"), icon="action.resume", small=True)
        self.resume.hide()
        self.pause_row = SettingRow("", "", Beside(self.pause, self.resume))
        card.add(self.state_row)
        card.add(self.pause_row)
        self.pause_menu = QMenu(self)
        for text, run in (
            (self.tr("For 1 hour"), lambda: self._schedule.pause(1)),
            (self.tr("Until tomorrow"), self._schedule.pause_until_tomorrow),
            (self.tr("Until I resume"), self._schedule.pause),
        ):
            self.pause_menu.addAction(text).triggered.connect(lambda _, run=run: run())
        self.run_now.clicked.connect(self._schedule.run_now)
        self.history.clicked.connect(lambda: self.page_requested.emit("runs", None))
        self.pause.clicked.connect(self._open_pause_menu)
        self.resume.clicked.connect(self._schedule.resume)

    def _open_pause_menu(self) -> None:
        self.pause_menu.popup(self.pause.mapToGlobal(QPoint(0, self.pause.height() + 2)))

    def _show_state(self, state: ScheduleState) -> None:
        today = self._services.clock.today()
        has_folder = self._services.library.workspace is not None
        last, coming = words.last_and_next(state, today, has_folder=has_folder)
        self.state_row.set_title(last)
        self.state_row.set_text(coming)
        self.run_now.setEnabled(has_folder and not state.running)
        is_manual = self._schedule.plan.kind is PlanKind.MANUAL
        if state.is_paused and state.paused_until is not None:
            until = words.coming(state.paused_until, today)
            self.pause_row.set_title(self.tr("Paused until {when}").format(when=until))
        elif state.is_paused:
            self.pause_row.set_title(self.tr("Paused until you resume"))
        else:
            self.pause_row.set_title(self.tr("Not paused"))
        self.pause_row.set_text(
            self.tr("What was missed is made up for afterwards, in one go.")
            if state.is_paused
            else self.tr("While paused, nothing is reflected on by itself.")
        )
        had_focus = self.pause.hasFocus() or self.resume.hasFocus()
        self.pause.setVisible(not state.is_paused)
        self.resume.setVisible(state.is_paused)
        if had_focus:
            (self.resume if state.is_paused else self.pause).setFocus()
        self.pause_row.setVisible(not is_manual or state.is_paused)

    # Never again

    def _show_refusals(self, refusals: tuple[Refusal, ...]) -> None:
        wanted = {refusal.topic: refusal for refusal in refusals}
        for topic in [topic for topic in self._refusals if topic not in wanted]:
            self.never_card.remove(self._refusals.pop(topic))
        for refusal in refusals:
            if refusal.topic not in self._refusals:
                self._refusals[refusal.topic] = self._refusal_row(refusal)
        self._no_refusals.setVisible(not refusals)

    def _refusal_row(self, refusal: Refusal) -> SettingRow:
        title, text = words.refused(refusal)
        again = Button(self.tr("Suggest again"), small=True)
        again.setAccessibleName(self.tr("Suggest again: {what}").format(what=title))
        row = SettingRow(title, text, again)
        again.clicked.connect(lambda: self._services.refusals.take_back(refusal))
        self.never_card.add(row)
        return row

    def _on_taken_back(self, refusal: Refusal) -> None:
        self.say(self.tr("It may be suggested again"))

    def _on_failed(self, error: DaybankError) -> None:
        if self.isVisible():
            self.say(f"{error.title} {error.message}".strip())
