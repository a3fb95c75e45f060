"""Notifications: of what, when not, and whether Daybank stays when its window is closed."""

from __future__ import annotations

from datetime import time
from functools import partial

from daybank_desktop.settings_topics.topic import Beside, SettingsServices, Topic
from daybank_desktop.widgets.label import Label
from daybank_desktop.widgets.setting_rows import SettingRow, ToggleRow
from daybank_desktop.widgets.time_field import TimeField


class NotificationsTopic(Topic):
    def __init__(self, services: SettingsServices) -> None:
        super().__init__(
            self.tr("Notifications"),
            self.tr("Daybank tells you of something once, and only if it is worth it."),
        )
        self._settings = services.settings
        about = self.add_group(self.tr("Tell me about"))
        self.suggestions = ToggleRow(
            self.tr("Suggestions"), self.tr("When a reflection found something to look at.")
        )
        self.health = ToggleRow(
            self.tr("Health"),
            self.tr("When something needs you, such as a password in your notes."),
        )
        about.add(self.suggestions)
        about.add(self.health)
        quiet = self.add_group(self.tr("Quiet hours"))
        self.quiet = ToggleRow(
            self.tr("Wait during quiet hours"), self.tr("What comes up then is told afterwards.")
        )
        self.quiet_from = TimeField(self.tr("Quiet from"), time(21))
        self.quiet_until = TimeField(self.tr("Quiet until"), time(8))
        self.times = SettingRow(
            self.tr("From and until"),
            "",
            Beside(self.quiet_from, Label("–", "body", "text.secondary"), self.quiet_until),
        )
        quiet.add(self.quiet)
        quiet.add(self.times)
        closing = self.add_group(self.tr("When the window is closed"))
        self.tray = ToggleRow(
            self.tr("Stay in the tray"),
            self.tr("Daybank can then reflect and tell you. Quit from its icon there."),
        )
        closing.add(self.tray)
        for row, name in (
            (self.suggestions, "notify_suggestions"),
            (self.health, "notify_health"),
            (self.quiet, "quiet_hours"),
            (self.tray, "close_to_tray"),
        ):
            row.toggle.clicked.connect(lambda on, name=name: self._save(name, on))
        self.quiet_from.chosen.connect(partial(self._save_time, "quiet_from"))
        self.quiet_until.chosen.connect(partial(self._save_time, "quiet_until"))
        self.refresh()

    def refresh(self) -> None:
        value = self._settings.value
        self.suggestions.toggle.setChecked(value.notify_suggestions)
        self.health.toggle.setChecked(value.notify_health)
        self.quiet.toggle.setChecked(value.quiet_hours)
        self.tray.toggle.setChecked(value.close_to_tray)
        self.quiet_from.set_value(time.fromisoformat(value.quiet_from))
        self.quiet_until.set_value(time.fromisoformat(value.quiet_until))
        self._show_times()

    def set_tray_available(self, available: bool, reason: str = "") -> None:
        """Without a tray closing the window quits, and ``reason`` says why there is none."""
        self.tray.set_reason("" if available else reason or self.tr("There is no tray here."))

    def _save(self, name: str, is_on: bool) -> None:
        self._settings.update(**{name: is_on})
        self._show_times()

    def _save_time(self, name: str, value: time) -> None:
        self._settings.update(**{name: value.isoformat("minutes")})

    def _show_times(self) -> None:
        self.times.setVisible(self._settings.value.quiet_hours)
