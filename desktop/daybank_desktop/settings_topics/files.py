"""Where are my files? The places, how large they are, and a way there."""

from __future__ import annotations

from functools import partial

from daybank_desktop.services.places import INDEX, LOGS, MODELS, NOTES, SETTINGS, Place
from daybank_desktop.settings_topics import words
from daybank_desktop.settings_topics.topic import Beside, SettingsServices, Topic
from daybank_desktop.widgets.buttons import Button, IconButton
from daybank_desktop.widgets.setting_rows import SettingRow
from daybank_desktop.widgets.text_layout import shown


class FilesTopic(Topic):
    def __init__(self, services: SettingsServices) -> None:
        super().__init__(
            self.tr("Where are my files?"),
            self.tr(
                "Your notes are plain files in your folder. The search index can be made again;"
                " suggestions and your answers lie beside it."
            ),
        )
        self._services = services
        self._card = self.add_card()
        self._rows: dict[str, SettingRow] = {}
        self._ways: dict[str, Button] = {}
        self._places: dict[str, Place] = {}
        services.places.changed.connect(self._show)
        services.library.opened.connect(self.refresh)

    def refresh(self) -> None:
        if self.isVisible() or not self._rows:
            self._services.places.measure()

    def row(self, place: str) -> SettingRow:
        return self._rows[place]

    def _show(self, places: tuple[Place, ...]) -> None:
        self._places = {place.id: place for place in places}
        for id_ in list(self._rows):
            if id_ not in self._places:
                self._card.remove(self._rows.pop(id_))
        for number, place in enumerate(places):
            if place.id not in self._rows:
                self._rows[place.id] = self._new_row(place.id)
                self._card.insert(number, self._rows[place.id])
            self._rows[place.id].set_title(self._title(place))
            self._rows[place.id].set_text(shown(str(place.path)))
            self._ways[place.id].setEnabled(place.is_there)

    def _new_row(self, id_: str) -> SettingRow:
        name = self._name(id_)
        show = Button(self.tr("Show in folder"), small=True)
        show.setAccessibleName(self.tr("Show in folder: {name}").format(name=name))
        copy = IconButton(
            "action.copy", self.tr("Copy path: {name}").format(name=name), size=28, icon_size=16
        )
        show.clicked.connect(partial(self._show_in_folder, id_))
        copy.clicked.connect(partial(self._copy, id_))
        self._ways[id_] = show
        return SettingRow(name, "", Beside(show, copy), elide=True)

    def _title(self, place: Place) -> str:
        name = self._name(place.id)
        if not place.is_there:
            return self.tr("{name} · nothing there yet").format(name=name)
        if place.size is None:
            return name
        return self.tr("{name} · {size}").format(name=name, size=words.size(place.size))

    def _name(self, id_: str) -> str:
        return {
            NOTES: self.tr("Memory folder"),
            INDEX: self.tr("What Daybank needs for searching"),
            MODELS: self.tr("Downloaded models"),
            SETTINGS: self.tr("Settings"),
            LOGS: self.tr("What happened, in files"),
        }[id_]

    def _show_in_folder(self, id_: str) -> None:
        self._services.actions.show_folder(self._places[id_].path)

    def _copy(self, id_: str) -> None:
        self._services.actions.copy(str(self._places[id_].path))
        self.say(self.tr("Path copied"))
