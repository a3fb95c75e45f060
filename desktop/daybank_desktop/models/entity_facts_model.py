"""What one person's page lists: notes, opinions or messages, a stretch at a time.

GUI thread. All rows are there as values; the view is given more of them as it comes to the end.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from daybank.recall.results import RecallResult
from daybank_desktop import phrases
from daybank_desktop.models.results_model import ROW_ROLE, spoken

if TYPE_CHECKING:
    from daybank.reflect.opinion_list import Opinion

    Row = RecallResult | Opinion

Index = QModelIndex | QPersistentModelIndex

STRETCH = 100


class EntityFactsModel(QAbstractListModel):
    """Rows newest first, or oldest first; undated ones stand last in both orders."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._all: tuple[Row, ...] = ()
        self._given: Sequence[Row] = ()
        self._shown = 0
        self._oldest_first = False
        self.is_end_in_sight = False
        """Set while the end of the list is seen: a list that is as long as its rows would fetch
        all of them at once by itself."""

    @property
    def total(self) -> int:
        return len(self._all)

    @property
    def rows(self) -> tuple[Row, ...]:
        """What the view has so far."""
        return self._all[: self._shown]

    @property
    def oldest_first(self) -> bool:
        return self._oldest_first

    def set_rows(self, rows: Sequence[Row], *, keep: bool = False) -> None:
        """Show ``rows``, newest first. With ``keep`` they renew what is shown: as far as the view
        has come, it stays."""
        given = tuple(rows)
        if given == self._given and keep:
            return
        self._given = given
        self._put(self._ordered(), self._shown if keep else STRETCH)

    def set_oldest_first(self, oldest_first: bool) -> None:
        if oldest_first != self._oldest_first:
            self._oldest_first = oldest_first
            self._put(self._ordered(), STRETCH)

    def row_of(self, id_: str) -> int | None:
        return next((n for n, row in enumerate(self._all) if row.id == id_), None)

    def _ordered(self) -> tuple[Row, ...]:
        if not self._oldest_first:
            return tuple(self._given)
        dated = [row for row in self._given if day_of(row) is not None]
        undated = [row for row in self._given if day_of(row) is None]
        return (*reversed(dated), *undated)

    def _put(self, rows: tuple[Row, ...], shown: int) -> None:
        before = self._all[: self._shown]
        shown = min(max(shown, STRETCH), len(rows))
        if before and rows[: len(before)] == before:
            self._all = rows  # only more of the same, which the view asks for
            if shown > len(before):
                self.beginInsertRows(QModelIndex(), len(before), shown - 1)
                self._shown = shown
                self.endInsertRows()
            return
        self.beginResetModel()
        self._all, self._shown = rows, shown
        self.endResetModel()

    # Qt overrides

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else self._shown

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        row = self._all[index.row()]
        if role == ROW_ROLE:
            return row
        if role == Qt.ItemDataRole.DisplayRole:
            return text_of(row)
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return spoken(row) if isinstance(row, RecallResult) else _spoken_opinion(row)
        return None

    def canFetchMore(self, parent: Index) -> bool:
        has_more = self._shown < len(self._all)
        return self.is_end_in_sight and has_more and not parent.isValid()

    def fetchMore(self, parent: Index) -> None:
        if self.canFetchMore(parent):
            last = min(self._shown + STRETCH, len(self._all)) - 1
            self.beginInsertRows(QModelIndex(), self._shown, last)
            self._shown = last + 1
            self.endInsertRows()


def day_of(row: Row) -> date | None:
    """The day a row stands at."""
    return row.day if isinstance(row, RecallResult) else row.updated


def text_of(row: Row) -> str:
    return row.content if isinstance(row, RecallResult) else row.statement


def _spoken_opinion(opinion: Opinion) -> str:
    parts = [opinion.statement, phrases.sure(opinion.confidence)]
    if opinion.updated is not None:
        parts.append(phrases.day_with_weekday(opinion.updated))
    return ". ".join(part.rstrip(".") for part in parts) + "."
