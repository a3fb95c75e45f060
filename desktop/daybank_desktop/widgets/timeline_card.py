"""The timeline with all that belongs to it: title, legend, how near, the strip, the readout; or the
same as a table. GUI thread only.
"""

from __future__ import annotations

from datetime import date

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHBoxLayout,
    QHeaderView,
    QSizePolicy,
    QTableView,
    QVBoxLayout,
    QWidget,
)

from daybank_desktop import people_phrases
from daybank_desktop.models.timeline_table_model import (
    DAY,
    KIND,
    TimelineTableModel,
    item_days,
    item_kind,
)
from daybank_desktop.timeline.items import TimelineItem, TimelineItems
from daybank_desktop.timeline.scale import Level, Scale
from daybank_desktop.widgets.buttons import IconButton
from daybank_desktop.widgets.flow_layout import FlowLayout
from daybank_desktop.widgets.kind_mark import LEGEND, KindLegendItem, mark_color
from daybank_desktop.widgets.label import Label
from daybank_desktop.widgets.readout_strip import ReadoutStrip
from daybank_desktop.widgets.segmented import Segmented
from daybank_desktop.widgets.stack import Stack
from daybank_desktop.widgets.surface import Card
from daybank_desktop.widgets.timeline import ZOOM, TimelinePlot, TimelineStrip

_SIDE = 18


class TimelineCard(Card):
    """``opened`` carries the item whose source is wanted."""

    opened = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent=parent)
        self.plot = TimelinePlot()
        self.strip = TimelineStrip()
        self.readout = ReadoutStrip()
        self.table = QTableView()
        self._table_model = TimelineTableModel(self)
        self._table_is_old = True
        self._title = Label(self.tr("Timeline"), "bodyStrong")
        self._range = Label("", "body", "text.secondary", tabular=True)
        words = (self.tr("Years"), self.tr("Months"), self.tr("Weeks"), self.tr("Days"))
        choices = [(level.name, "", word) for level, word in zip(Level, words, strict=True)]
        self.levels = Segmented(self.tr("How near"), choices)
        self.farther = IconButton("action.zoomOut", self.tr("Look from farther away"), size=28)
        self.nearer = IconButton("action.zoomIn", self.tr("Look from nearer"), size=28)
        self.as_table = IconButton("action.table", self.tr("Show as table"), size=28)
        self.as_table.setCheckable(True)
        self._nothing = Label("", "body", "text.secondary")
        self._nothing.setAlignment(Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignVCenter)
        self._looked_at: TimelineItem | None = None
        self._legend = [KindLegendItem(kind) for kind in LEGEND]
        self._set_up_table()
        self._lay_out()
        self._connect()
        self._restyle()

    def _set_up_table(self) -> None:
        table = self.table
        table.setModel(self._table_model)
        table.setAccessibleName(self.tr("Timeline as a table"))
        table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        table.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        table.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        table.setWordWrap(False)
        table.setShowGrid(False)
        table.setTabKeyNavigation(False)
        table.setFrameShape(QTableView.Shape.NoFrame)
        table.verticalHeader().hide()
        header = table.horizontalHeader()
        header.setStretchLastSection(True)
        header.setSectionResizeMode(QHeaderView.ResizeMode.Interactive)
        header.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        header.setHighlightSections(False)
        table.installEventFilter(self)

    def _lay_out(self) -> None:
        self._head = QWidget()
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        self._head.setSizePolicy(policy)
        flow = FlowLayout(self._head, spacing=12, line_spacing=4)
        title = QWidget()
        row = QHBoxLayout(title)
        row.setContentsMargins(0, 5, 0, 5)
        row.setSpacing(10)
        row.addWidget(self._title)
        row.addWidget(self._range)
        legend = QWidget()
        marks = QHBoxLayout(legend)
        marks.setContentsMargins(0, 7, 0, 7)
        marks.setSpacing(12)
        for item in self._legend:
            marks.addWidget(item)
        tools = QWidget()
        buttons = QHBoxLayout(tools)
        buttons.setContentsMargins(0, 0, 0, 0)
        buttons.setSpacing(4)
        buttons.addWidget(self.levels)
        buttons.addSpacing(4)
        for button in (self.farther, self.nearer, self.as_table):
            buttons.addWidget(button)
        self._title_part, self._legend_part, self._tools = title, legend, tools
        self._gap = QWidget()
        for part in (title, self._gap, legend, tools):
            flow.addWidget(part)
        self._flow = flow

        chart = QWidget()
        column = QVBoxLayout(chart)
        column.setContentsMargins(_SIDE, 0, _SIDE, 8)
        column.setSpacing(4)
        column.addWidget(self.plot)
        column.addWidget(self.strip)
        table_room = QWidget()
        inner = QVBoxLayout(table_room)
        inner.setContentsMargins(_SIDE - 8, 0, 8, 8)
        inner.addWidget(self.table)
        empty = QWidget()
        middle = QVBoxLayout(empty)
        middle.setContentsMargins(_SIDE, 0, _SIDE, 8)
        middle.addWidget(self._nothing)
        self._pages = Stack()
        for page in (chart, table_room, empty):
            self._pages.addWidget(page)

        box = QVBoxLayout(self)
        box.setContentsMargins(1, 9, 1, 1)
        box.setSpacing(4)
        head_room = QHBoxLayout()
        head_room.setContentsMargins(_SIDE - 1, 0, 11, 0)
        head_room.addWidget(self._head)
        box.addLayout(head_room)
        box.addWidget(self._pages)
        box.addWidget(self.readout)

    def _connect(self) -> None:
        self.plot.looked_at.connect(self._on_looked_at)
        self.plot.opened.connect(self.opened)
        self.plot.scale_changed.connect(self._on_scale)
        self.strip.moved.connect(self.plot.show_days)
        self.levels.chosen.connect(lambda name: self.plot.set_level(Level[name]))
        self.farther.clicked.connect(lambda: self.plot.zoom(1 / ZOOM))
        self.nearer.clicked.connect(lambda: self.plot.zoom(ZOOM))
        self.as_table.toggled.connect(self._show_part)
        self.readout.open_requested.connect(self._open_looked_at)
        self.table.doubleClicked.connect(lambda index: self._open_row(index.row()))
        self.table.selectionModel().currentRowChanged.connect(
            lambda current, before: self._on_row(current.row())
        )
        self._theme.changed.connect(self._restyle)

    # For the page

    def set_items(self, items: TimelineItems, today: date, *, keep: bool = False) -> None:
        """Show other items; with ``keep`` what is in sight stays in sight."""
        self._table_is_old = True
        kinds = items.kinds
        for entry in self._legend:
            entry.setVisible(entry.kind.value in kinds)
        self._legend_part.setVisible(bool(kinds))
        self.plot.set_items(items, today, keep=keep)
        self.strip.set_items(items, self.plot.extent, today)
        self._nothing.setText(self.tr("Nothing yet that has a day."))
        for tool in (self.levels, self.farther, self.nearer, self.as_table):
            tool.setEnabled(len(items) > 0)
        self._show_part()

    @property
    def shows_table(self) -> bool:
        return self._pages.currentIndex() == 1

    # Inside

    def _show_part(self) -> None:
        if not len(self.plot.items):
            self._pages.setCurrentIndex(2)
            self._range.setText("")
            self.readout.clear()
            return
        as_table = self.as_table.isChecked()
        name = self.tr("Show as a picture") if as_table else self.tr("Show as table")
        self.as_table.set_name(name)
        self._pages.setCurrentIndex(1 if as_table else 0)
        if as_table:
            self._fill_table()
        for tool in (self.levels, self.farther, self.nearer):
            tool.setVisible(not as_table)
        self._on_scale(self.plot.scale)
        self._fit_head()

    def _fill_table(self) -> None:
        if self._table_is_old:
            self._table_is_old = False
            self._table_model.set_items(self.plot.items)
        chosen = self.plot.chosen
        row = self._table_model.row_of(chosen.id) if chosen is not None else None
        if row is not None:
            self.table.selectRow(row)
            self.table.scrollTo(self._table_model.index(row, 0))

    def _on_row(self, row: int) -> None:
        if row >= 0 and self.shows_table:
            self.plot.choose(self._table_model.item(row).id)

    def _open_row(self, row: int) -> None:
        if row >= 0:
            self.opened.emit(self._table_model.item(row))

    def _on_scale(self, scale: Scale) -> None:
        self.levels.set_value(scale.level.name)
        self.strip.set_view(scale)
        words = people_phrases.scale_range(scale)
        if self.as_table.isChecked():
            words = ""
        if words != self._range.text():
            self._range.setText(words)
            self._fit_head()

    def _fit_head(self) -> None:
        """The days in sight give way first, for the axis says them too; the tools stand at the
        right as long as all is on one line."""
        between = 12
        room = self.width() - _SIDE - 12
        for part in (self._title_part, self._legend_part, self._tools):
            layout = part.layout()
            if layout is not None:
                layout.invalidate()
        fixed = self._title.sizeHint().width() + self._tools.sizeHint().width() + 3 * between
        if not self._legend_part.isHidden():
            fixed += self._legend_part.sizeHint().width()
        ranged = self._range.sizeHint().width() + 10
        self._range.setVisible(bool(self._range.text()) and fixed + ranged <= room)
        spare = room - fixed - (0 if self._range.isHidden() else ranged)
        self._gap.setFixedSize(max(0, spare), 1)
        self._gap.setVisible(spare > 0)
        self._flow.invalidate()
        self._head.updateGeometry()

    def _on_looked_at(self, item: TimelineItem | None) -> None:
        self._looked_at = item
        if item is None:
            self.readout.clear()
            return
        self.readout.set_readout(
            item_days(item),
            "",
            item.text,
            True,
            lead=item_kind(item),
            lead_color=mark_color(item.kind),
        )

    def _open_looked_at(self) -> None:
        if self._looked_at is not None:
            self.opened.emit(self._looked_at)

    def _restyle(self) -> None:
        theme = self._theme
        height = self.plot.sizeHint().height() + self.strip.sizeHint().height() + 12
        self._pages.setFixedHeight(height)
        self.table.setFont(theme.font("small", tabular=True))
        self.table.horizontalHeader().setFont(theme.font("captionStrong"))
        self.table.verticalHeader().setDefaultSectionSize(max(28, theme.px(28)))
        self.table.setColumnWidth(DAY, theme.px(180))
        self.table.setColumnWidth(KIND, theme.px(110))
        self._fit_head()
        self.updateGeometry()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_head()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if (
            watched is self.table
            and isinstance(event, QKeyEvent)
            and event.type() == QEvent.Type.KeyPress
            and event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
        ):
            self._open_row(self.table.currentIndex().row())
            return True
        return super().eventFilter(watched, event)
