"""The list on the search page: recalled notes, or the newest days while nothing is asked.

GUI thread. Rows are whole frozen values, the delegate knows how to show them.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import (
    QAbstractListModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    Qt,
    Signal,
)

from daybank.recall.results import RecallResult
from daybank_desktop import phrases

if TYPE_CHECKING:
    from daybank import DayEntry

    Row = RecallResult | DayEntry

Index = QModelIndex | QPersistentModelIndex

ROW_ROLE = Qt.ItemDataRole.UserRole + 1
ID_ROLE = Qt.ItemDataRole.UserRole + 2


class ResultsModel(QAbstractListModel):
    """``wants_more`` is emitted when the view reaches the end and ``has_more`` was set."""

    wants_more = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._rows: tuple[Row, ...] = ()
        self._has_more = False

    @property
    def rows(self) -> tuple[Row, ...]:
        return self._rows

    def set_rows(self, rows: Sequence[Row], *, has_more: bool = False) -> None:
        """Show ``rows``. Where they only continue or only renew what is shown, nothing moves."""
        new = tuple(rows)
        old, self._has_more = self._rows, has_more
        shared = len(old)
        if old and len(new) >= shared and _same_ids(old, new):
            changed = [i for i, (was, now) in enumerate(zip(old, new, strict=False)) if was != now]
            if len(new) > shared:
                self.beginInsertRows(QModelIndex(), shared, len(new) - 1)
                self._rows = new
                self.endInsertRows()
            self._rows = new
            if changed:
                self.dataChanged.emit(self.index(changed[0]), self.index(changed[-1]))
            return
        self.beginResetModel()
        self._rows = new
        self.endResetModel()

    def row_of(self, id_: str) -> int | None:
        """Where the note with this id is in the list."""
        for number, row in enumerate(self._rows):
            if _id(row) == id_:
                return number
        return None

    # Qt overrides

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(self._rows)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        row = self._rows[index.row()]
        if role == ROW_ROLE:
            return row
        if role == ID_ROLE:
            return _id(row)
        if role == Qt.ItemDataRole.DisplayRole:
            return _text(row)
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return spoken(row)
        return None

    def canFetchMore(self, parent: Index) -> bool:
        return self._has_more and not parent.isValid()

    def fetchMore(self, parent: Index) -> None:
        if self._has_more:
            self._has_more = False  # asked once; the answer says whether there is still more
            self.wants_more.emit()


def _same_ids(old: Sequence[Row], new: Sequence[Row]) -> bool:
    return all(_id(was) == _id(now) for was, now in zip(old, new, strict=False))


def _id(row: Row) -> str:
    return row.id if isinstance(row, RecallResult) else row.path


def _text(row: Row) -> str:
    return row.content if isinstance(row, RecallResult) else phrases.day_long(row.day)


def spoken(row: Row) -> str:
    """A row as a screen reader says it, one sentence a part."""
    if not isinstance(row, RecallResult):
        return f"{phrases.day_long(row.day)}. {phrases.notes_count(row.notes)}"
    head = [phrases.kind_word(row.kind), *row.entities]
    if row.day is not None:
        head.append(phrases.day_with_weekday(row.day))
    parts = [", ".join(head), row.content, phrases.source_line(row)]
    if row.confidence is not None:
        parts.append(phrases.sure(row.confidence))
    if row.why.outside:
        parts.append(phrases.other_time())
    return ". ".join(part.rstrip(".") for part in parts) + "."
