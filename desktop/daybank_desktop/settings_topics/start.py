"""Starting with the computer, and how."""

from __future__ import annotations

from daybank.errors import DaybankError
from daybank_desktop.settings_topics.topic import Autostart, SettingsServices, Topic
from daybank_desktop.tasks import Lane
from daybank_desktop.widgets.setting_rows import ToggleRow


class StartTopic(Topic):
    def __init__(self, services: SettingsServices) -> None:
        super().__init__(
            self.tr("Start"), self.tr("Whether Daybank is there when you log in to this computer.")
        )
        self._services = services
        self._autostart = services.autostart
        card = self.add_card()
        self.login = ToggleRow(
            self.tr("Start when I log in"),
            self.tr("Reflections then come on time, without your thinking of it."),
        )
        self.hidden = ToggleRow(
            self.tr("Start hidden"),
            self.tr("Without a window: only the icon in the tray."),
        )
        card.add(self.login)
        card.add(self.hidden)
        self.login.toggle.clicked.connect(self._on_login)
        self.hidden.toggle.clicked.connect(self._on_hidden)
        self._no_tray = ""
        self._show(False, "")

    def refresh(self) -> None:
        autostart = self._autostart
        self._services.tasks.run(
            Lane.READ,
            lambda job: _look(autostart),
            done=lambda found: self._show(*found),
            failed=self._on_failed,
            channel="autostart",
        )

    def set_tray_available(self, available: bool, reason: str = "") -> None:
        """Without a tray a hidden start would be a start that nobody sees."""
        self._no_tray = "" if available else reason or self.tr("There is no tray here.")
        self._show(self.login.toggle.isChecked(), self.login.reason)

    def _show(self, is_enabled: bool, reason: str) -> None:
        self.login.toggle.setChecked(is_enabled)
        self.login.set_reason(reason)
        self.hidden.toggle.setChecked(self._services.settings.value.start_hidden)
        self.hidden.set_reason(self._no_tray)
        self._allow_hidden(is_enabled and not reason)

    def _allow_hidden(self, allowed: bool) -> None:
        self.hidden.toggle.setEnabled(allowed and not self._no_tray)

    def _on_login(self, is_on: bool) -> None:
        self._allow_hidden(is_on)
        self._set(is_on)

    def _on_hidden(self, hidden: bool) -> None:
        self._services.settings.update(start_hidden=hidden)
        self._set(True)

    def _set(self, is_on: bool) -> None:
        autostart, hidden = self._autostart, self._services.settings.value.start_hidden
        self._services.tasks.run(
            Lane.READ,
            lambda job: _set(autostart, is_on=is_on, hidden=hidden),
            done=lambda found: self._show(*found),
            failed=self._on_failed,
            channel="autostart",
        )

    def _on_failed(self, error: DaybankError) -> None:
        self.say(f"{error.title} {error.message}".strip())
        self.refresh_quietly()

    def refresh_quietly(self) -> None:
        """Show what holds, without saying again that it cannot be changed."""
        autostart = self._autostart
        self._services.tasks.run(
            Lane.READ,
            lambda job: _look(autostart),
            done=lambda found: self._show(*found),
            channel="autostart",
        )


def _look(autostart: Autostart) -> tuple[bool, str]:
    """On a worker: whether it is on, and why it cannot be had."""
    supported, reason = autostart.supported
    if not supported:
        return False, reason
    try:
        return autostart.is_enabled(), ""
    except OSError as error:
        raise _said(error) from error


def _set(autostart: Autostart, *, is_on: bool, hidden: bool) -> tuple[bool, str]:
    """On a worker."""
    try:
        if is_on:
            autostart.enable(hidden)
        else:
            autostart.disable()
    except OSError as error:
        raise _said(error) from error
    return _look(autostart)


def _said(error: OSError) -> DaybankError:
    return DaybankError("Starting at log-in could not be changed.", str(error.strerror or error))
