"""The list of suggestions: grouped by the page they are for, or what became of them. GUI thread."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from functools import lru_cache
from typing import Any

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from daybank.review.proposal import Proposal, State
from daybank_desktop import suggestion_words
from daybank_desktop.suggestion_words import Group

ROW_ROLE = Qt.ItemDataRole.UserRole + 1
Index = QModelIndex | QPersistentModelIndex


@dataclass(frozen=True, slots=True)
class GroupRow:
    """A heading with how many suggestions stand under it."""

    title: str
    count: int
    group: Group | None = None


@dataclass(frozen=True, slots=True)
class ItemRow:
    """A suggestion. ``state`` is what became of it, and ``when`` says so in words."""

    id: str
    title: str
    line: str
    icon: str
    state: State = State.WAITING


Row = GroupRow | ItemRow


def waiting_rows(waiting: Sequence[Proposal]) -> tuple[Row, ...]:
    """Under each page's heading its suggestions, in the order given: most certain first."""
    groups: dict[Group, list[Proposal]] = {group: [] for group in Group}
    for proposal in waiting:
        groups[suggestion_words.group_of(proposal.target)].append(proposal)
    rows: list[Row] = []
    for group, found in groups.items():
        if found:
            rows.append(GroupRow(suggestion_words.group_word(group), len(found), group))
            rows += [_item(proposal, suggestion_words.size_line(proposal)) for proposal in found]
    return tuple(rows)


def settled_rows(settled: Sequence[Proposal], today: date) -> tuple[Row, ...]:
    """What was answered, newest first, with when and how."""
    rows: list[Row] = []
    for proposal in settled:
        when = suggestion_words.moment(proposal.settled or proposal.created, today)
        rows.append(_item(proposal, f"{suggestion_words.state_word(proposal)} · {when}"))
    return tuple(rows)


def _item(proposal: Proposal, line: str) -> ItemRow:
    name, icon = _page(proposal.target)
    return ItemRow(proposal.id, name, line, icon, proposal.state)


@lru_cache(maxsize=4096)
def _page(target: str) -> tuple[str, str]:
    """Its name and its icon. Every answer lists all suggestions again."""
    icon = suggestion_words.group_icon(suggestion_words.group_of(target))
    return suggestion_words.page_name(target), icon


class InboxModel(QAbstractListModel):
    """Headings cannot be chosen; suggestions can."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._rows: tuple[Row, ...] = ()

    @property
    def rows(self) -> tuple[Row, ...]:
        return self._rows

    @property
    def ids(self) -> list[str]:
        """The suggestions in the order of the list."""
        return [row.id for row in self._rows if isinstance(row, ItemRow)]

    def set_rows(self, rows: Sequence[Row]) -> None:
        """Show ``rows``. Where only words changed, nothing moves."""
        new = tuple(rows)
        if new == self._rows:
            return
        if [_key(row) for row in new] == [_key(row) for row in self._rows]:
            self._rows = new
            self.dataChanged.emit(self.index(0), self.index(len(new) - 1))
            return
        self.beginResetModel()
        self._rows = new
        self.endResetModel()

    def row_of(self, pid: str) -> int | None:
        """Where a suggestion is in the list."""
        for number, row in enumerate(self._rows):
            if isinstance(row, ItemRow) and row.id == pid:
                return number
        return None

    # Qt overrides

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(self._rows)

    def flags(self, index: Index) -> Qt.ItemFlag:
        if index.isValid() and isinstance(self._rows[index.row()], GroupRow):
            return Qt.ItemFlag.ItemIsEnabled
        return super().flags(index)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        row = self._rows[index.row()]
        if role == ROW_ROLE:
            return row
        if role == Qt.ItemDataRole.DisplayRole:
            return row.title
        if role == Qt.ItemDataRole.AccessibleTextRole:
            if isinstance(row, GroupRow):
                count = suggestion_words.suggestions_count(row.count)
                return f"{row.title}, {count}"
            return f"{row.title}. {row.line}."
        return None


def _key(row: Row) -> object:
    return row.id if isinstance(row, ItemRow) else (row.group, row.title)
