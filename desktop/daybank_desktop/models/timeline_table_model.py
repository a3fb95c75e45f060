"""The timeline as a table: the same notes, newest first, in words. GUI thread."""

from __future__ import annotations

from datetime import date
from typing import Any

from PySide6.QtCore import (
    QAbstractTableModel,
    QCoreApplication,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    Qt,
)

from daybank.dates import Interval
from daybank.markdown.model import Kind
from daybank_desktop import phrases
from daybank_desktop.timeline.items import TimelineItem, TimelineItems
from daybank_desktop.widgets.text_layout import shown

Index = QModelIndex | QPersistentModelIndex

DAY, KIND, TEXT = range(3)


class TimelineTableModel(QAbstractTableModel):
    """Columns: when, what sort of note, what it says."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._rows: tuple[TimelineItem, ...] = ()

    def set_items(self, items: TimelineItems) -> None:
        self.beginResetModel()
        self._rows = items.all[::-1]
        self.endResetModel()

    def item(self, row: int) -> TimelineItem:
        return self._rows[row]

    def row_of(self, id_: str) -> int | None:
        return next((n for n, item in enumerate(self._rows) if item.id == id_), None)

    # Qt overrides

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(self._rows)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else 3

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid() or role != Qt.ItemDataRole.DisplayRole:
            return None
        item = self._rows[index.row()]
        if index.column() == DAY:
            return item_days(item)
        return item_kind(item) if index.column() == KIND else shown(item.text)

    def headerData(
        self,
        section: int,
        orientation: Qt.Orientation,
        role: int = Qt.ItemDataRole.DisplayRole,
    ) -> Any:
        if role != Qt.ItemDataRole.DisplayRole or orientation is not Qt.Orientation.Horizontal:
            return None
        words = {
            DAY: QCoreApplication.translate("TimelineTable", "When"),
            KIND: QCoreApplication.translate("TimelineTable", "Kind"),
            TEXT: QCoreApplication.translate("TimelineTable", "Note"),
        }
        return words[section]


def item_kind(item: TimelineItem) -> str:
    """“Opinion”."""
    return phrases.kind_word(Kind(item.kind))


def item_days(item: TimelineItem) -> str:
    """“Wed 14 Oct 2026”, or the time that a bar stands for."""
    if item.span is None:
        return phrases.day_with_weekday(date.fromordinal(item.day))
    start, end = (date.fromordinal(day) if day is not None else None for day in item.span)
    return phrases.interval(Interval(start, end))
