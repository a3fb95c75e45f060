"""The settings: topics on the left, one of them beside it. Each change acts and is saved at once.

GUI thread. A topic is made when it is first shown.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QKeyEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QScrollArea, QSizePolicy, QVBoxLayout, QWidget

from daybank.errors import DaybankError
from daybank_desktop.settings_topics.files import FilesTopic
from daybank_desktop.settings_topics.folders import FoldersTopic
from daybank_desktop.settings_topics.language_model import LanguageModelTopic
from daybank_desktop.settings_topics.look import LookTopic
from daybank_desktop.settings_topics.meaning import MeaningTopic
from daybank_desktop.settings_topics.notifications import NotificationsTopic
from daybank_desktop.settings_topics.privacy import PrivacyTopic
from daybank_desktop.settings_topics.reflection import ReflectionTopic
from daybank_desktop.settings_topics.start import StartTopic
from daybank_desktop.settings_topics.topic import SettingsServices, Topic
from daybank_desktop.theme import Theme
from daybank_desktop.widgets.buttons import Button
from daybank_desktop.widgets.label import Label
from daybank_desktop.widgets.page import Page
from daybank_desktop.widgets.surface import Surface
from daybank_desktop.widgets.tab_order import can_have_focus, in_order
from daybank_desktop.widgets.topic_list import TopicList

FOLDERS: Final = "folders"
LOOK: Final = "look"
MEANING: Final = "meaning"
REFLECTION: Final = "reflection"
NOTIFICATIONS: Final = "notifications"
START: Final = "start"
LANGUAGE_MODEL: Final = "model"
PRIVACY: Final = "privacy"
FILES: Final = "files"


@dataclass(frozen=True, slots=True)
class TopicCommand:
    """A topic as a command: the id and the text of the command, and the topic it shows."""

    id: str
    text: str
    topic: str


class SettingsPage(Page):
    """``show_place`` takes the id of a topic. What the page cannot do itself it asks for by a
    signal; what was chosen is saved before."""

    theme_chosen = Signal(str)  # system, light or dark
    text_size_chosen = Signal(int)  # per cent
    folder_opened = Signal(object)  # Path
    folder_choose_requested = Signal()
    reopen_requested = Signal()  # a setting holds from the next opening of the folder on
    model_changed = Signal(str)  # the open folder knows of it already
    by_meaning_switched = Signal(bool)
    diagnostics_requested = Signal()

    def __init__(self, services: SettingsServices, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = Theme.of(self)
        self._services = services
        self._topics: dict[str, Topic] = {}
        self._tray: tuple[bool, str] = (True, "")
        self._current = ""
        self._takes_turns = False
        self._reads = False
        self._makers: dict[str, Callable[[], Topic]] = {
            FOLDERS: self._make_folders,
            LOOK: self._make_look,
            MEANING: self._make_meaning,
            REFLECTION: lambda: ReflectionTopic(services),
            NOTIFICATIONS: self._make_notifications,
            START: self._make_start,
            LANGUAGE_MODEL: lambda: LanguageModelTopic(services),
            PRIVACY: self._make_privacy,
            FILES: lambda: FilesTopic(services),
        }
        names = self._names()
        self.list = TopicList(
            self.tr("Topics"),
            [(id_, icon, name) for id_, (icon, name) in names.items()],
        )
        self._lay_out()
        self.list.shown.connect(self._on_shown)
        self.list.entered.connect(self._on_entered)
        self.back.clicked.connect(self.back_to_list)
        self._theme.changed.connect(self._fit)
        services.shared.failed.connect(self._say_error)
        self.list.show_current(FOLDERS)

    def _names(self) -> dict[str, tuple[str, str]]:
        """Icon and name of each topic, in their order."""
        return {
            FOLDERS: ("settings.folders", self.tr("Memory folders")),
            LOOK: ("settings.look", self.tr("Look")),
            MEANING: ("settings.meaning", self.tr("Search by meaning")),
            REFLECTION: ("state.reflection", self.tr("Reflection")),
            NOTIFICATIONS: ("settings.notifications", self.tr("Notifications")),
            START: ("settings.start", self.tr("Start")),
            LANGUAGE_MODEL: ("settings.model", self.tr("Language model")),
            PRIVACY: ("state.private", self.tr("Privacy")),
            FILES: ("settings.files", self.tr("Where are my files?")),
        }

    def _lay_out(self) -> None:
        self._column = Surface("bg.window", edges=["right"])
        column = QVBoxLayout(self._column)
        column.setContentsMargins(10, 16, 11, 8)
        column.setSpacing(10)
        title = QHBoxLayout()
        title.setContentsMargins(10, 0, 0, 0)
        title.addWidget(Label(self.tr("Settings"), "title"))
        column.addLayout(title)
        column.addWidget(self.list, 1)
        self.back = Button(self.tr("All settings"), "quiet", icon="action.back", small=True)
        self._form = QWidget()
        self._form.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Minimum)
        self._rows = QVBoxLayout(self._form)
        self._rows.setContentsMargins(0, 0, 0, 0)
        self._rows.setSpacing(0)
        self._rows.addWidget(self.back, 0, Qt.AlignmentFlag.AlignLeft)
        room = QWidget()
        across = QHBoxLayout(room)
        across.setContentsMargins(28, 18, 28, 28)
        across.addWidget(self._form, 1, Qt.AlignmentFlag.AlignTop)
        across.addStretch(0)
        self.area = QScrollArea()
        self.area.setWidgetResizable(True)
        self.area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.area.setWidget(room)
        outer = QHBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.setSpacing(0)
        outer.addWidget(self._column)
        outer.addWidget(self.area, 1)
        self.setFocusProxy(self.list)

    # For the window

    @property
    def place(self) -> str:
        """The topic in sight."""
        return self._current

    @property
    def reads(self) -> bool:
        """Whether a topic is in sight where list and topic take turns."""
        return self._reads

    def show_place(self, state: object, again: bool) -> None:
        """Show a topic by its id; anything else is the list, with the topic shown last."""
        if isinstance(state, str) and state in self._makers:
            self.list.show_current(state)
            self._show(state)
            self._set_reads(True)
        elif again:
            self._set_reads(False)

    def commands(self) -> tuple[TopicCommand, ...]:
        """A command for each topic."""
        words = self.tr("Settings: {topic}")
        return tuple(
            TopicCommand(f"settings.{id_}", words.format(topic=name), id_)
            for id_, (_, name) in self._names().items()
        )

    def topic(self, id_: str) -> Topic:
        """The topic with this id, made now if it was never shown."""
        if id_ not in self._topics:
            topic = self._makers[id_]()
            topic.toast_requested.connect(self.toast_requested)
            topic.page_requested.connect(self.page_requested)
            topic.hide()
            self._rows.addWidget(topic)
            self._topics[id_] = topic
        return self._topics[id_]

    def set_tray_available(self, available: bool, reason: str = "") -> None:
        """Whether there is a tray to stay in, and why not."""
        self._tray = (available, reason)
        for topic in self._topics.values():
            if isinstance(topic, NotificationsTopic | StartTopic):
                topic.set_tray_available(available, reason)

    def refresh(self) -> None:
        """Look again at what the topic in sight shows."""
        if self._current and self.isVisible():
            self._topics[self._current].refresh()

    def back_to_list(self) -> None:
        self._set_reads(False)
        self.list.setFocus(Qt.FocusReason.OtherFocusReason)

    # The topics

    def _make_folders(self) -> Topic:
        topic = FoldersTopic(self._services)
        topic.folder_opened.connect(self.folder_opened)
        topic.folder_choose_requested.connect(self.folder_choose_requested)
        topic.reopen_requested.connect(self.reopen_requested)
        return topic

    def _make_look(self) -> Topic:
        topic = LookTopic(self._services)
        topic.theme_chosen.connect(self.theme_chosen)
        topic.text_size_chosen.connect(self.text_size_chosen)
        return topic

    def _make_meaning(self) -> Topic:
        topic = MeaningTopic(self._services)
        topic.by_meaning_switched.connect(self.by_meaning_switched)
        topic.model_changed.connect(self.model_changed)
        return topic

    def _make_notifications(self) -> Topic:
        topic = NotificationsTopic(self._services)
        topic.set_tray_available(*self._tray)
        return topic

    def _make_start(self) -> Topic:
        topic = StartTopic(self._services)
        topic.set_tray_available(*self._tray)
        return topic

    def _make_privacy(self) -> Topic:
        topic = PrivacyTopic(self._services)
        topic.diagnostics_requested.connect(self.diagnostics_requested)
        return topic

    def _show(self, id_: str) -> None:
        topic = self.topic(id_)
        if id_ != self._current:
            if self._current:
                self._topics[self._current].hide()
            self._current = id_
            topic.show()
            self.area.verticalScrollBar().setValue(0)
        if self.isVisible():
            topic.refresh()

    def _on_shown(self, id_: str) -> None:
        self._show(id_)
        if not self._takes_turns:
            self.place_changed.emit(id_)

    def _on_entered(self, id_: str) -> None:
        self._show(id_)
        self._set_reads(True)
        if self._takes_turns:
            self.place_changed.emit(id_)
        inside = (widget for widget in in_order(self._topics[id_]) if can_have_focus(widget))
        wanted = next(inside, self.back if self._takes_turns else None)
        if wanted is not None:
            wanted.setFocus(Qt.FocusReason.TabFocusReason)

    def _say_error(self, error: DaybankError) -> None:
        self.toast_requested.emit(f"{error.title} {error.message}".strip(), "", None)

    # Side by side, or in turns

    def _fit(self) -> None:
        theme = self._theme
        width = self.window().width()
        self._takes_turns = width < theme.size("oneColumnBelow") or theme.text_size >= 150
        if self._takes_turns:
            self._column.setMinimumWidth(0)
            self._column.setMaximumWidth(16_777_215)
        else:
            self._column.setFixedWidth(theme.px(theme.size("listSettings")))
        self._form.setMaximumWidth(theme.px(theme.size("formWidth")))
        self._show_sides()

    def _set_reads(self, reads: bool) -> None:
        self._reads = reads
        self._show_sides()

    def _show_sides(self) -> None:
        in_turns, reads = self._takes_turns, self._reads
        self._column.setVisible(not (in_turns and reads))
        self.area.setVisible(reads or not in_turns)
        self.back.setVisible(in_turns)

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self._fit()
        self._show(self._current or self.list.current or FOLDERS)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ParentChange:
            self._fit()
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        inside = self.focusWidget() is not self.list
        if event.key() == Qt.Key.Key_Escape and (inside or (self._takes_turns and self._reads)):
            self.back_to_list()
        else:
            super().keyPressEvent(event)
