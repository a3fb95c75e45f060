"""What the topics of the settings have in common. GUI thread only."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from daybank.clock import Clock
from daybank_desktop.services.desktop_actions import DesktopActions
from daybank_desktop.services.language_models import LanguageModels
from daybank_desktop.services.library import Library
from daybank_desktop.services.meaning import Meaning
from daybank_desktop.services.meaning_rules import MeaningRules
from daybank_desktop.services.models import Models
from daybank_desktop.services.places import Places
from daybank_desktop.services.refusals import Refusals
from daybank_desktop.services.schedule import Schedule
from daybank_desktop.services.settings import SettingsStore
from daybank_desktop.services.shared_settings import SharedSettings
from daybank_desktop.tasks import Tasks
from daybank_desktop.theme import Theme
from daybank_desktop.widgets.label import Label
from daybank_desktop.widgets.notice_bar import NoticeBar
from daybank_desktop.widgets.setting_rows import SettingCard


class Autostart(Protocol):
    """Starting with the computer. What it does may wait for the disk and raises OSError with a
    sentence."""

    @property
    def supported(self) -> tuple[bool, str]:
        """Whether it can be had here, and why not."""

    def is_enabled(self) -> bool: ...

    def enable(self, hidden: bool) -> None: ...

    def disable(self) -> None: ...


@dataclass(frozen=True, slots=True)
class SettingsServices:
    """All that the settings act on."""

    tasks: Tasks
    library: Library
    settings: SettingsStore
    shared: SharedSettings
    models: Models
    meaning: Meaning
    meaning_rules: MeaningRules
    language_models: LanguageModels
    refusals: Refusals
    places: Places
    schedule: Schedule
    autostart: Autostart
    actions: DesktopActions
    clock: Clock


class Topic(QWidget):
    """A title, a sentence, and cards of rows. ``toast_requested`` and ``page_requested`` are as
    those of a page."""

    toast_requested = Signal(str, str, object)
    page_requested = Signal(str, object)

    def __init__(self, title: str, text: str, control: QWidget | None = None) -> None:
        super().__init__()
        self.theme = Theme.of(self)
        self.setAccessibleName(title)
        self._box = QVBoxLayout(self)
        self._box.setContentsMargins(0, 0, 0, 0)
        self._box.setSpacing(0)
        head = QHBoxLayout()
        head.setSpacing(12)
        head.addWidget(Label(title, "title", wrap=True), 1)
        if control is not None:
            head.addWidget(control, 0, Qt.AlignmentFlag.AlignVCenter)
        self._box.addLayout(head)
        self._box.addSpacing(2)
        self._box.addWidget(Label(text, "body", "text.secondary", wrap=True))

    def refresh(self) -> None:
        """It comes into sight: look at what may have changed meanwhile."""

    def add_group(self, title: str) -> SettingCard:
        """A heading with a card under it, both in one widget of their own."""
        group = QWidget()
        box = QVBoxLayout(group)
        box.setContentsMargins(0, 16, 0, 0)
        box.setSpacing(8)
        box.addWidget(Label(title, "bodyStrong", wrap=True))
        card = SettingCard(title)
        box.addWidget(card)
        self._box.addWidget(group)
        return card

    def add_card(self) -> SettingCard:
        """A card that needs no heading."""
        self._box.addSpacing(16)
        card = SettingCard(self.accessibleName())
        self._box.addWidget(card)
        return card

    def add_note(self, text: str, icon: str) -> NoticeBar:
        self._box.addSpacing(16)
        note = NoticeBar(text, "note", icon=icon)
        self._box.addWidget(note)
        return note

    def say(self, text: str, action: str = "", run: object = None) -> None:
        self.toast_requested.emit(text, action, run)


class Beside(QWidget):
    """Controls side by side, as one control of a row."""

    def __init__(self, *widgets: QWidget) -> None:
        super().__init__()
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(8)
        for widget in widgets:
            row.addWidget(widget)
