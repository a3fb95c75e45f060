"""The list of cards with its keys. What is not in sight is measured a little at a time, so that a
new list is there at once. GUI thread."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING

from PySide6.QtCore import QItemSelection, QModelIndex, Qt, QTimer, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent, QKeySequence
from PySide6.QtWidgets import QAbstractItemView, QFrame, QListView, QWidget

from daybank_desktop.models.results_model import ROW_ROLE, Index, ResultsModel
from daybank_desktop.widgets.quiet_scroll_bar import QuietScrollBar
from daybank_desktop.widgets.result_delegate import ResultDelegate

if TYPE_CHECKING:
    from daybank_desktop.models.results_model import Row

_BATCH = 2000
_PORTION = 6  # rows measured in one turn


class ResultList(QListView):
    """↑↓ moves, Home and End jump, Enter opens, Ctrl+C copies; ↑ on the first card leaves."""

    current_changed = Signal(object)  # the row, or None
    opened = Signal(object)
    copy_asked = Signal(object)
    left_upwards = Signal()

    def __init__(self, model: ResultsModel, today: date, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._cards = ResultDelegate(self, today)
        self._measuring = QTimer(self, interval=0)
        self._measuring.timeout.connect(self._measure_portion)
        self.setItemDelegate(self._cards)
        self.setModel(model)
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
        model.modelReset.connect(self._on_reset)
        model.dataChanged.connect(self._on_changed)
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
            self._cards.set_current(index)  # so that it is laid out unfolded, once
            self._cards.measure(number + 1)
            self.setCurrentIndex(index)

    def _on_reset(self) -> None:
        self._cards.forget_rows()
        self._cards.set_current(None)
        self.scrollToTop()

    def _on_changed(self) -> None:
        self._cards.forget_rows()
        self.scheduleDelayedItemsLayout()

    def _measure_portion(self) -> None:
        self._cards.measure_more(_PORTION)
        if self._cards.is_measured:
            self._measuring.stop()
            self._lay_out_in_place()

    def _lay_out_in_place(self) -> None:
        """With real heights in place of estimated ones; what is looked at stays where it is."""
        index = self.currentIndex()
        area = self.viewport().rect()
        if not self.visualRect(index).intersects(area):
            index = self.indexAt(area.topLeft())
        before = self.visualRect(index)
        self._lay_out()
        if before.isValid():
            bar = self.verticalScrollBar()
            bar.setValue(bar.value() + self.visualRect(index).top() - before.top())

    def _lay_out(self) -> None:
        """At once down to what is in sight, or the list would be scrolled to where the first batch
        ends."""
        self.setBatchSize(max(_BATCH, self._last_in_sight() + 1))
        super().doItemsLayout()

    def _last_in_sight(self) -> int:
        if self.verticalScrollBar().value() == 0:
            return 0
        row = self.indexAt(self.viewport().rect().bottomLeft()).row()
        return row if row >= 0 else self.model().rowCount()

    def _open(self, index: QModelIndex) -> None:
        self.opened.emit(index.data(ROW_ROLE))

    # Qt overrides

    def doItemsLayout(self) -> None:
        if self._cards.is_measured:
            self._lay_out()
        else:
            self._lay_out_in_place()
            self._measuring.start()

    def scrollTo(
        self,
        index: Index,
        hint: QAbstractItemView.ScrollHint = QAbstractItemView.ScrollHint.EnsureVisible,
    ) -> None:
        if index.isValid() and not self.visualRect(index).isValid():
            # In a batch that is still to come.
            self.setLayoutMode(QListView.LayoutMode.SinglePass)
            self.doItemsLayout()
            self.setLayoutMode(QListView.LayoutMode.Batched)
        super().scrollTo(index, hint)

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
