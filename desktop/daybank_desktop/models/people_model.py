"""The list of people and things, narrowed by what is typed, by their sort, and put in order.

GUI thread. Names are folded once, when they come, so that each letter typed only compares.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Collection, Sequence
from datetime import date
from enum import Enum
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from daybank_desktop import people_phrases, phrases

if TYPE_CHECKING:
    from daybank import EntitySummary

Index = QModelIndex | QPersistentModelIndex

PERSON_ROLE = Qt.ItemDataRole.UserRole + 1


class PeopleOrder(Enum):
    """How the list is sorted."""

    LATEST = "latest"
    MOST = "most"
    NAME = "name"


class PeopleModel(QAbstractListModel):
    """Rows are EntitySummary values."""

    def __init__(self, today: date, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._today = today
        self._everyone: tuple[tuple[str, EntitySummary], ...] = ()
        self._rows: list[EntitySummary] = []
        self._text = ""
        self._also: Collection[str] = ()
        self._type: str | None = None
        self._order = PeopleOrder.LATEST

    @property
    def rows(self) -> Sequence[EntitySummary]:
        return self._rows

    @property
    def total(self) -> int:
        """How many there are with nothing left out."""
        return len(self._everyone)

    @property
    def is_narrowed(self) -> bool:
        return bool(self._text) or self._type is not None

    def types(self) -> list[str]:
        """The sorts that occur."""
        return sorted({person.type for _, person in self._everyone if person.type})

    def person(self, key_or_name: str) -> EntitySummary | None:
        """One of them, in sight or not."""
        folded = fold(key_or_name)
        for name, person in self._everyone:
            if person.key == key_or_name or name == folded:
                return person
        return None

    def row_of(self, key: str) -> int | None:
        for number, person in enumerate(self._rows):
            if person.key == key:
                return number
        return None

    def set_people(self, people: Sequence[EntitySummary]) -> None:
        """Show these from now on, under the same filter."""
        everyone = tuple((fold(person.name), person) for person in people)
        if everyone != self._everyone:
            self._everyone = everyone
            self._renew()

    def set_text(self, text: str) -> None:
        """Keep those whose name holds ``text``."""
        folded = fold(text.strip())
        if folded != self._text:
            self._text, self._also = folded, ()
            self._renew()

    def set_also(self, keys: Collection[str]) -> None:
        """Keep these too: they have another name that fits."""
        self._also = keys
        self._renew()

    def set_type(self, type_: str | None) -> None:
        """Keep one sort, or all with None."""
        self._type = type_
        self._renew()

    def set_order(self, order: PeopleOrder) -> None:
        self._order = order
        self._renew()

    def _renew(self) -> None:
        rows = [
            (name, person)
            for name, person in self._everyone
            if (not self._text or self._text in name or person.key in self._also)
            and (self._type is None or person.type == self._type)
        ]
        if self._order is PeopleOrder.NAME:
            rows.sort(key=lambda row: row[0])
        elif self._order is PeopleOrder.MOST:
            rows.sort(key=lambda row: -row[1].mentions)
        else:
            rows.sort(key=lambda row: row[1].last_day or date.min, reverse=True)
        if self._text:  # what begins with it is what was meant
            rows.sort(key=lambda row: not row[0].startswith(self._text))
        found = [person for _, person in rows]
        if found == self._rows:
            return
        self.beginResetModel()
        self._rows = found
        self.endResetModel()

    # Qt overrides

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(self._rows)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        person = self._rows[index.row()]
        if role == PERSON_ROLE:
            return person
        if role == Qt.ItemDataRole.DisplayRole:
            return person.name
        if role == Qt.ItemDataRole.AccessibleTextRole:
            parts = (person.name, people_phrases.summary(person, self._today))
            return ". ".join((*parts, phrases.notes_count(person.mentions)))
        return None


def fold(text: str) -> str:
    """``text`` without case and accents."""
    folded = unicodedata.normalize("NFKD", text.casefold())
    return "".join(char for char in folded if not unicodedata.combining(char))
