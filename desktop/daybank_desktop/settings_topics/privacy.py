"""Privacy: what leaves the computer, and what is written where."""

from __future__ import annotations

from PySide6.QtCore import Signal

from daybank_desktop.settings_topics.topic import Beside, SettingsServices, Topic
from daybank_desktop.widgets.buttons import Button
from daybank_desktop.widgets.setting_rows import SettingRow
from daybank_desktop.widgets.text_layout import shown


class PrivacyTopic(Topic):
    diagnostics_requested = Signal()

    def __init__(self, services: SettingsServices) -> None:
        super().__init__(
            self.tr("Privacy"), self.tr("Your notes stay on this computer. Nothing is counted.")
        )
        self._services = services
        leaves = self.add_group(self.tr("What leaves this computer"))
        self.nothing = SettingRow(
            self.tr("Nothing, by itself"),
            self.tr("Daybank has no account, sends no reports and looks for no updates."),
            icon="state.private",
        )
        self.downloads = SettingRow(
            self.tr("A download that you start"),
            self.tr(
                "Under Search by meaning. The server that has the model sees your address, and"
                " nothing of your notes."
            ),
            icon="action.export",
        )
        self.model = SettingRow("", "", icon="settings.model")
        for row in (self.nothing, self.downloads, self.model):
            leaves.add(row)
        written = self.add_group(self.tr("If something goes wrong"))
        self.show_logs = Button(self.tr("Show in folder"), icon="action.reveal", small=True)
        self.copy = Button(self.tr("Copy diagnostics"), icon="action.copy", small=True)
        self.logs = SettingRow(self.tr("What happened, in files"), "", self.show_logs)
        written.add(self.logs)
        self.diagnostics = SettingRow(
            self.tr("To send to somebody who helps you"),
            self.tr("Versions, counts and errors; without your notes, paths and passwords."),
            Beside(self.copy),
        )
        written.add(self.diagnostics)
        self.show_logs.clicked.connect(lambda: services.actions.show_folder(services.places.logs))
        self.copy.clicked.connect(self.diagnostics_requested)
        services.shared.changed.connect(self.refresh)
        self.refresh()

    def refresh(self) -> None:
        shared = self._services.shared.value
        if shared.wording_model and shared.wording_host_allowed:
            self.model.set_title(self.tr("Notes, to the language model you allowed"))
            address = shared.wording_model.partition(":")[2].partition("#")[0]
            text = self.tr("It is on another computer: {address}").format(address=shown(address))
            self.model.set_text(text)
        elif shared.wording_model:
            self.model.set_title(self.tr("Nothing, to the language model"))
            self.model.set_text(self.tr("The one you chose runs on this computer."))
        else:
            self.model.set_title(self.tr("Nothing, to a language model"))
            self.model.set_text(self.tr("None is used."))
        self.logs.set_text(shown(str(self._services.places.logs)))
