"""The list of cards with its keys. GUI thread."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING

from PySide6.QtCore import QItemSelection, QModelIndex, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QKeySequence
from PySide6.QtWidgets import QAbstractItemView, QFrame, QListView, QWidget

from daybank_desktop.models.results_model import ROW_ROLE, Index, ResultsModel
from daybank_desktop.widgets.quiet_scroll_bar import QuietScrollBar
from daybank_desktop.widgets.result_delegate import ResultDelegate

if TYPE_CHECKING:
    from daybank_desktop.models.results_model import Row

_BATCH = 300


class ResultList(QListView):
    """↑↓ moves, Home and End jump, Enter opens, Ctrl+C copies; ↑ on the first card leaves."""

    current_changed = Signal(object)  # the row, or None
    opened = Signal(object)
    copy_asked = Signal(object)
    left_upwards = Signal()

    def __init__(self, model: ResultsModel, today: date, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("resultList")
        self.setAccessibleName(self.tr("Notes found"))
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollBar(QuietScrollBar(Qt.Orientation.Vertical))
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setResizeMode(QListView.ResizeMode.Adjust)
        self.setLayoutMode(QListView.LayoutMode.Batched)
        self.setBatchSize(_BATCH)
        self.setMouseTracking(True)
        self.verticalScrollBar().setSingleStep(24)
        self._cards = ResultDelegate(self, today)
        self.setItemDelegate(self._cards)
        self.setModel(model)
        model.modelReset.connect(self._on_reset)
        model.dataChanged.connect(self.scheduleDelayedItemsLayout)
        self.activated.connect(self._open)

    @property
    def current_row(self) -> Row | None:
        index = self.currentIndex()
        row: Row | None = index.data(ROW_ROLE) if index.isValid() else None
        return row

    def select_row(self, number: int) -> None:
        """Make a card the current one and bring it into sight."""
        index = self.model().index(number, 0)
        if index.isValid():
            self.setCurrentIndex(index)

    def _on_reset(self) -> None:
        self._cards.set_current(None)
        self.scrollToTop()

    def _open(self, index: QModelIndex) -> None:
        self.opened.emit(index.data(ROW_ROLE))

    # Qt overrides

    def currentChanged(self, current: Index, previous: Index) -> None:
        self._cards.set_current(current)
        super().currentChanged(current, previous)
        self.current_changed.emit(self.current_row)

    def selectionChanged(self, selected: QItemSelection, deselected: QItemSelection) -> None:
        super().selectionChanged(selected, deselected)
        self.viewport().update()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        row = self.current_row
        if event.matches(QKeySequence.StandardKey.Copy) and row is not None:
            self.copy_asked.emit(row)
            return
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and row is not None:
            self.opened.emit(row)
            return
        if event.key() == Qt.Key.Key_Up and self.currentIndex().row() <= 0:
            self.left_upwards.emit()
            return
        super().keyPressEvent(event)

    def keyboardSearch(self, search: str) -> None:
        """Letters belong to the search field; jumping by first letter would only surprise."""

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        if not self.currentIndex().isValid():
            self.select_row(0)
        self.viewport().update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.viewport().update()
