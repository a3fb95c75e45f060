"""Memory folders: the open one, those opened lately, and how the open one is treated."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import Signal

from daybank_desktop.services.places import GitState
from daybank_desktop.settings_topics.topic import Beside, SettingsServices, Topic
from daybank_desktop.widgets.buttons import Button, IconButton
from daybank_desktop.widgets.setting_rows import SettingRow, ToggleRow
from daybank_desktop.widgets.text_layout import shown


class FoldersTopic(Topic):
    folder_opened = Signal(object)  # Path
    folder_choose_requested = Signal()
    reopen_requested = Signal()

    def __init__(self, services: SettingsServices) -> None:
        super().__init__(
            self.tr("Memory folders"),
            self.tr("Daybank searches and looks after one folder of Markdown files at a time."),
        )
        self._services = services
        self._recent: dict[str, SettingRow] = {}
        self._git = GitState()
        opened = self.add_group(self.tr("Open now"))
        self.show_folder = Button(self.tr("Show in folder"), icon="action.reveal", small=True)
        self.choose = Button(self.tr("Choose another…"), small=True)
        self.open_row = SettingRow("", "", Beside(self.show_folder, self.choose), elide=True)
        opened.add(self.open_row)
        self.recent_card = self.add_group(self.tr("Opened lately"))
        kept = self.add_group(self.tr("How it is kept"))
        self.outside = ToggleRow(
            self.tr("Another program syncs my folders"),
            self.tr(
                "What Daybank needs for searching then stays on this computer, outside of them, and"
                " is taken out of the folder. It is made again from your notes."
            ),
        )
        self.commit = ToggleRow(
            self.tr("A git commit for each suggestion you accept"),
            self.tr("Only the page itself is committed. Nothing is sent anywhere."),
        )
        kept.add(self.outside)
        kept.add(self.commit)
        self.show_folder.clicked.connect(self._on_show_folder)
        self.choose.clicked.connect(self.folder_choose_requested)
        self.outside.toggle.clicked.connect(lambda on: self._save("index_outside", on))
        self.commit.toggle.clicked.connect(lambda on: self._save("commit", on))
        services.shared.changed.connect(self._show_shared)
        services.places.git_changed.connect(self._on_git)
        services.library.opened.connect(self.refresh)
        self._show_shared()
        self._on_git(self._git)

    def refresh(self) -> None:
        workspace = self._services.library.workspace
        if workspace is None:
            self.open_row.set_title(self.tr("No folder is open"))
            self.open_row.set_text("")
        else:
            self.open_row.set_title(shown(workspace.name))
            self.open_row.set_text(shown(str(workspace.path)))
        self.show_folder.setVisible(workspace is not None)
        self._show_recent()
        self._services.shared.refresh()
        self._services.places.look_for_git()

    def recent_row(self, folder: str) -> SettingRow:
        return self._recent[folder]

    # The folders

    def _show_recent(self) -> None:
        workspace = self._services.library.workspace
        opened = str(workspace.path) if workspace is not None else ""
        folders = [f for f in self._services.settings.value.recent if f != opened]
        if list(self._recent) != folders:
            for row in self._recent.values():
                self.recent_card.remove(row)
            self._recent = {folder: self._recent_row(folder) for folder in folders}
        group = self.recent_card.parentWidget()
        if group is not None:
            group.setVisible(bool(folders))

    def _recent_row(self, folder: str) -> SettingRow:
        name = shown(Path(folder).name or folder)
        go = Button(self.tr("Open"), small=True)
        go.setAccessibleName(self.tr("Open {name}").format(name=name))
        forget = IconButton(
            "action.close", self.tr("Forget {name}").format(name=name), size=28, icon_size=16
        )
        go.clicked.connect(lambda: self.folder_opened.emit(Path(folder)))
        forget.clicked.connect(lambda: self._forget(folder))
        row = SettingRow(name, shown(folder), Beside(go, forget), elide=True)
        self.recent_card.add(row)
        return row

    def _forget(self, folder: str) -> None:
        """The list loses it; the folder itself is not touched."""
        settings = self._services.settings
        before = settings.value.recent
        settings.update(recent=tuple(known for known in before if known != folder))
        self._show_recent()
        self.choose.setFocus()
        self.say(
            self.tr("Forgotten. The folder itself is as it was."),
            self.tr("Undo"),
            lambda: self._remember(folder, before),
        )

    def _remember(self, folder: str, before: tuple[str, ...]) -> None:
        """Back to where it was; folders opened since stay before it."""
        settings = self._services.settings
        now = [known for known in settings.value.recent if known != folder]
        at = sum(known in now for known in before[: before.index(folder)])
        at += sum(known not in before for known in now)
        now.insert(at, folder)
        settings.update(recent=tuple(now))
        self._show_recent()

    def _on_show_folder(self) -> None:
        workspace = self._services.library.workspace
        if workspace is not None:
            self._services.actions.show_folder(Path(workspace.path))

    # How it is kept

    def _save(self, name: str, is_on: bool) -> None:
        """Both hold from the next opening on, so the folder is opened anew."""
        self._services.shared.update(self.reopen_requested.emit, **{name: is_on})

    def _show_shared(self) -> None:
        self.outside.toggle.setChecked(self._services.shared.value.index_outside)
        self.commit.toggle.setChecked(self._services.shared.value.commit)

    def _on_git(self, state: GitState) -> None:
        self._git = state
        if self._services.library.workspace is None:
            reason = self.tr("No folder is open.")
        elif not state.is_repository:
            reason = self.tr("This folder is no git repository.")
        elif not state.has_git:
            reason = self.tr("There is no git on this computer.")
        else:
            reason = ""
        self.commit.set_reason(reason)
