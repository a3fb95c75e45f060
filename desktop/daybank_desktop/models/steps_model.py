"""The steps of an opinion as a table: the same that the chart draws, in words. GUI thread."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, Qt

from daybank.reflect.opinion_list import OpinionStep
from daybank_desktop import phrases
from daybank_desktop.models.results_model import Index
from daybank_desktop.services.opinions import percent_of
from daybank_desktop.widgets.stance_mark import stance_word
from daybank_desktop.widgets.sure_slider import percent_text
from daybank_desktop.widgets.text_layout import shown

DAY, WHAT, SURE, CHANGE, WHY, NOTE, SOURCE = range(7)


class StepsModel(QAbstractTableModel):
    """One row a step, oldest first."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._rows: tuple[tuple[str, ...], ...] = ()

    def set_steps(self, steps: Sequence[OpinionStep]) -> None:
        self.beginResetModel()
        rows = []
        before = percent_of(steps[0].value - steps[0].delta) if steps else 0
        for step in steps:
            now = percent_of(step.value)
            rows.append(_cells(step, now, now - before))
            before = now
        self._rows = tuple(rows)
        self.endResetModel()

    # Qt overrides

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else len(self._rows)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 0 if parent.isValid() else SOURCE + 1

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return self._rows[index.row()][index.column()]
        if role == Qt.ItemDataRole.TextAlignmentRole and index.column() in (SURE, CHANGE):
            return int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        return None

    def headerData(
        self,
        section: int,
        orientation: Qt.Orientation,
        role: int = Qt.ItemDataRole.DisplayRole,
    ) -> Any:
        if role == Qt.ItemDataRole.TextAlignmentRole:
            right = section in (SURE, CHANGE) and orientation is Qt.Orientation.Horizontal
            side = Qt.AlignmentFlag.AlignRight if right else Qt.AlignmentFlag.AlignLeft
            return int(side | Qt.AlignmentFlag.AlignVCenter)
        if role != Qt.ItemDataRole.DisplayRole or orientation is not Qt.Orientation.Horizontal:
            return None
        return (
            self.tr("Day"),
            self.tr("What"),
            self.tr("How sure"),
            self.tr("Change"),
            self.tr("Why so much"),
            self.tr("Note"),
            self.tr("Source"),
        )[section]


def change_text(change: int) -> str:
    """ "+2", "−14", and "" where nothing moved."""
    return f"{'+' if change > 0 else '−'}{abs(change)}" if change else ""


def _cells(step: OpinionStep, percent: int, change: int) -> tuple[str, ...]:
    return (
        phrases.day_short(step.day) if step.day else "–",
        stance_word(step.key),
        percent_text(percent),
        change_text(change),
        step.rule,
        shown(step.content),
        step.source or "",
    )
