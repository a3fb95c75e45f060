"""The list of opinions: filtered, sorted, with those that are over folded away at its end.

GUI thread. Rows are whole frozen values, the delegate knows how to show them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from enum import Enum
from typing import Any

from PySide6.QtCore import QAbstractListModel, QCoreApplication, QModelIndex, QObject, Qt

from daybank.markdown.names import fold_text
from daybank_desktop.models.results_model import ROW_ROLE, Index
from daybank_desktop.services.opinions import OpinionRow
from daybank_desktop.widgets.sure_slider import sure_text

MOST_NAMES = 30


class OpinionOrder(Enum):
    """How the list is sorted."""

    LATELY = "lately"
    SUREST = "surest"
    LEAST_SURE = "least sure"


@dataclass(frozen=True, slots=True)
class FoldRow:
    """The line in front of the opinions that are over."""

    count: int
    is_open: bool


Row = OpinionRow | FoldRow


class OpinionsModel(QAbstractListModel):
    """Setters change what is shown at once."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._all: tuple[OpinionRow, ...] = ()
        self._sorted: list[OpinionRow] = []
        self._shown: tuple[Row, ...] = ()
        self._words: tuple[str, ...] = ()
        self._about = ""
        self._order = OpinionOrder.LATELY
        self._is_open = False

    @property
    def all_rows(self) -> tuple[OpinionRow, ...]:
        """Every opinion, whatever the filter says."""
        return self._all

    @property
    def rows(self) -> tuple[Row, ...]:
        return self._shown

    @property
    def about(self) -> str:
        return self._about

    @property
    def order(self) -> OpinionOrder:
        return self._order

    def set_rows(self, rows: Sequence[OpinionRow]) -> None:
        self._all = tuple(rows)
        self._sorted = sorted(self._all, key=self._sort_key)
        self._renew()

    def set_filter(self, text: str) -> None:
        """Only those that have every word of ``text``, in the statement or a name."""
        words = tuple(fold_text(text).split())
        if words != self._words:
            self._words = words
            self._renew()

    def set_about(self, name: str) -> None:
        """Only those about ``name``; "" for all."""
        if name != self._about:
            self._about = name
            self._renew()

    def set_order(self, order: OpinionOrder) -> None:
        if order is not self._order:
            self._order = order
            self._sorted = sorted(self._all, key=self._sort_key)
            self._renew()

    def set_open(self, is_open: bool) -> None:
        """Unfold those that are over, or fold them away."""
        if is_open != self._is_open:
            self._is_open = is_open
            self._renew()

    def names(self) -> tuple[str, ...]:
        """Whom and what the opinions are about, the most frequent ones, by name."""
        counts = Counter(name for row in self._all for name in row.opinion.entities)
        return tuple(sorted((name for name, _ in counts.most_common(MOST_NAMES)), key=fold_text))

    def row_of(self, op_id: str) -> int | None:
        """Where the opinion with this id is in the list."""
        for number, row in enumerate(self._shown):
            if isinstance(row, OpinionRow) and row.opinion.id == op_id:
                return number
        return None

    def find(self, op_id: str) -> OpinionRow | None:
        """The opinion with this id, also where the filter hides it."""
        return next((row for row in self._all if row.opinion.id == op_id), None)

    def _renew(self) -> None:
        self.beginResetModel()
        self._shown = self._arranged()
        self.endResetModel()

    def _arranged(self) -> tuple[Row, ...]:
        found = self._sorted
        if self._about or self._words:
            found = [row for row in found if self._fits(row)]
        now = [row for row in found if not row.is_over]
        over = [row for row in found if row.is_over]
        if not over:
            return tuple(now)
        # Where only what is over was found, it was what was looked for.
        is_open = self._is_open or not now
        return (*now, FoldRow(len(over), is_open), *(over if is_open else ()))

    def _fits(self, row: OpinionRow) -> bool:
        if self._about and self._about not in row.opinion.entities:
            return False
        return all(word in row.folded for word in self._words)

    def _sort_key(self, row: OpinionRow) -> float:
        if self._order is OpinionOrder.SUREST:
            return -row.opinion.confidence
        if self._order is OpinionOrder.LEAST_SURE:
            return row.opinion.confidence
        return -(row.opinion.updated or date.min).toordinal()

    # Qt overrides

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(self._shown)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        row = self._shown[index.row()]
        if role == ROW_ROLE:
            return row
        if role == Qt.ItemDataRole.DisplayRole:
            return fold_words(row) if isinstance(row, FoldRow) else row.opinion.statement
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return spoken(row)
        return None


def fold_words(row: FoldRow) -> str:
    """ "No longer held · 3"."""
    words = QCoreApplication.translate("Opinions", "No longer held · {count}")
    return words.format(count=row.count)


def trend_words(row: OpinionRow) -> str:
    """ "6 points up"."""
    if row.change == 0:
        return QCoreApplication.translate("Opinions", "unchanged")
    words = (
        QCoreApplication.translate("Opinions", "{count} up")
        if row.change > 0
        else QCoreApplication.translate("Opinions", "{count} down")
    )
    return words.format(count=points_words(abs(row.change)))


def points_words(count: int) -> str:
    """ "6 points"."""
    if count == 1:
        return QCoreApplication.translate("Opinions", "1 point")
    return QCoreApplication.translate("Opinions", "{count} points").format(count=count)


def spoken(row: Row) -> str:
    """A row as a screen reader says it, one sentence a part."""
    if isinstance(row, FoldRow):
        state = (
            QCoreApplication.translate("Opinions", "unfolded")
            if row.is_open
            else QCoreApplication.translate("Opinions", "folded away")
        )
        return f"{fold_words(row)}. {state}."
    parts = [row.opinion.statement]
    if row.opinion.entities:
        parts.append(", ".join(row.opinion.entities))
    parts += [sure_text(row.percent), trend_words(row)]
    if not row.opinion.on_page:
        parts.append(QCoreApplication.translate("Opinions", "not on a page yet"))
    return ". ".join(part.rstrip(".") for part in parts) + "."
