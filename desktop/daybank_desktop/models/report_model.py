"""The lines of a reflection's report: what was suggested, or what was passed over and why.

GUI thread.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from daybank.reflect.record import ReflectionReport
from daybank_desktop import phrases, suggestion_words

ROW_ROLE = Qt.ItemDataRole.UserRole + 1
Index = QModelIndex | QPersistentModelIndex


@dataclass(frozen=True, slots=True)
class ReportRow:
    """``title`` is what it was, ``line`` why and where. ``source`` is its citation, ``suggestion``
    the id of what came of it; each may be empty."""

    title: str
    line: str
    source: str = ""
    suggestion: str = ""


def proposed_rows(report: ReflectionReport) -> tuple[ReportRow, ...]:
    """What the run suggests, most certain first."""
    found = sorted(report.proposed, key=lambda item: -item.certainty)
    return tuple(
        ReportRow(suggestion_words.page_name(item.target), item.reason, item.target, item.proposal)
        for item in found
    )


def skipped_rows(report: ReflectionReport) -> tuple[ReportRow, ...]:
    """What became no suggestion, each with its reason, in the order it was looked at."""
    rows = []
    for item in report.skipped:
        source = suggestion_words.source_of(item.source)
        place = suggestion_words.phase_word(item.phase)
        if source is not None:
            place = suggestion_words.page_name(source.path)
            if "#" in item.source:
                place = f"{place}, {phrases.lines(source)}"
        rows.append(ReportRow(item.what or place, _why(item.reason, place, item.what), item.source))
    return tuple(rows)


def _why(reason: str, place: str, what: str) -> str:
    first = reason[:1].upper() + reason[1:]
    return f"{first} · {place}" if what else first


class ReportModel(QAbstractListModel):
    """Rows that hold every word of ``filter``, in any case."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._all: tuple[ReportRow, ...] = ()
        self._rows: tuple[ReportRow, ...] = ()
        self._filter = ""

    @property
    def rows(self) -> tuple[ReportRow, ...]:
        return self._rows

    def set_rows(self, rows: Sequence[ReportRow]) -> None:
        self._all = tuple(rows)
        self._narrow()

    def set_filter(self, text: str) -> None:
        self._filter = text
        self._narrow()

    def _narrow(self) -> None:
        words = self._filter.casefold().split()
        self.beginResetModel()
        self._rows = tuple(
            row
            for row in self._all
            if all(word in f"{row.title} {row.line} {row.source}".casefold() for word in words)
        )
        self.endResetModel()

    # Qt overrides

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(self._rows)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        row = self._rows[index.row()]
        if role == ROW_ROLE:
            return row
        if role == Qt.ItemDataRole.DisplayRole:
            return row.title
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return f"{row.title}. {row.line}"
        return None
