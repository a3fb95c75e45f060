"""The runs as a tree: a row a run, and below it what came of it and what was passed over, and why.

A run's report is asked for when it is unfolded. GUI thread.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date
from enum import Enum
from typing import Any

from PySide6.QtCore import (
    QAbstractItemModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    Qt,
    Signal,
)

from daybank.reflect.material import Skipped
from daybank.reflect.record import ReflectionReport
from daybank_desktop import phrases, run_words, suggestion_words
from daybank_desktop.models.report_model import ReportRow, proposed_rows
from daybank_desktop.services.runs import RunLine

NODE_ROLE = Qt.ItemDataRole.UserRole + 1
MOST_PLACES = 40
"""Lines below one reason; the rest is in the run's own window."""
MOST_REASONS = 30

Index = QModelIndex | QPersistentModelIndex


class Sort(Enum):
    """What a row of the tree is."""

    RUN = "run"
    HEAD = "head"  # a caption between the parts of a run
    TEXT = "text"  # words to read
    ERROR = "error"
    SUGGESTION = "suggestion"  # leads to Review
    REASON = "reason"  # why some were passed over; unfolds
    PLACE = "place"  # leads to its source
    MORE = "more"  # opens the whole report


@dataclass(eq=False)
class Node:
    """A row. ``run`` is the line of the run it belongs to, ``row`` what it says and leads to."""

    sort: Sort
    run: RunLine
    row: ReportRow
    parent: Node | None = None
    children: list[Node] = field(default_factory=list)
    is_read: bool = True
    """False for a run whose report nobody has asked for yet."""

    def add(self, sort: Sort, row: ReportRow) -> Node:
        node = Node(sort, self.run, row, self)
        self.children.append(node)
        return node

    @property
    def leads(self) -> bool:
        """Whether Enter goes somewhere."""
        if self.sort is Sort.PLACE:
            return bool(self.row.source)
        return self.sort in (Sort.SUGGESTION, Sort.MORE)


class RunsModel(QAbstractItemModel):
    """``wanted`` asks for the report of a run; it comes by :meth:`set_report`."""

    wanted = Signal(str)

    def __init__(self, today: date, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._today = today
        self._runs: list[Node] = []

    @property
    def ids(self) -> tuple[str, ...]:
        return tuple(node.run.id for node in self._runs)

    def set_today(self, today: date) -> None:
        """“Yesterday” is another day from now on."""
        if today != self._today:
            self._today = today
            if self._runs:
                last = self.index(len(self._runs) - 1, 0)
                self.dataChanged.emit(self.index(0, 0), last)

    @property
    def today(self) -> date:
        return self._today

    def set_lines(self, lines: Sequence[RunLine]) -> None:
        """Show these runs. What is known of a run already stays; newer ones come in on top."""
        known = self.ids
        newer = [line for line in lines if line.id not in set(known)]
        if [line.id for line in lines] == [line.id for line in newer] + list(known):
            if newer:
                self.beginInsertRows(QModelIndex(), 0, len(newer) - 1)
                self._runs[:0] = map(_run_node, newer)
                self.endInsertRows()
            return
        self.beginResetModel()
        self._runs = list(map(_run_node, lines))
        self.endResetModel()

    def ask(self, index: Index) -> None:
        """A run is unfolded: ask for its report, unless that was done before."""
        node = self._node(index)
        if node is not None and not node.is_read:
            node.is_read = True
            self.wanted.emit(node.run.id)

    def index_of(self, run_id: str) -> QModelIndex:
        """The row of a run; an invalid index where there is none."""
        for number, node in enumerate(self._runs):
            if node.run.id == run_id:
                return self.index(number, 0)
        return QModelIndex()

    def set_report(self, run_id: str, report: ReflectionReport | None) -> None:
        """What a run has done. None: its report is not there any more."""
        index = self.index_of(run_id)
        node = self._node(index)
        if node is None:
            return
        before = len(node.children)
        fresh = _children(node, report)
        # First in, then out: a view folds a row that is without anything below it for a moment.
        self.beginInsertRows(index, before, before + len(fresh) - 1)
        node.children += fresh
        self.endInsertRows()
        self.beginRemoveRows(index, 0, before - 1)
        del node.children[:before]
        self.endRemoveRows()

    # Qt overrides

    def index(self, row: int, column: int, parent: Index = QModelIndex()) -> QModelIndex:  # noqa: B008
        nodes = self._below(parent)
        if column != 0 or not 0 <= row < len(nodes):
            return QModelIndex()
        return self.createIndex(row, column, nodes[row])

    def parent(self, index: Index = QModelIndex()) -> Any:  # noqa: B008
        node = self._node(index)
        above = node.parent if node is not None else None
        if above is None:
            return QModelIndex()
        nodes = self._runs if above.parent is None else above.parent.children
        return self.createIndex(nodes.index(above), 0, above)

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return len(self._below(parent))

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        return 1

    def hasChildren(self, parent: Index = QModelIndex()) -> bool:  # noqa: B008
        node = self._node(parent)
        return bool(self._runs if node is None else node.children)

    def flags(self, index: Index) -> Qt.ItemFlag:
        node = self._node(index)
        if node is None:
            return Qt.ItemFlag.NoItemFlags
        flags = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable
        if not self.hasChildren(index):
            flags |= Qt.ItemFlag.ItemNeverHasChildren
        return flags

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        node = self._node(index)
        if node is None:
            return None
        if role == NODE_ROLE:
            return node
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            if node.sort is Sort.RUN:
                return run_words.spoken(node.run, self._today)
            return f"{node.row.title}. {node.row.line}" if node.row.line else node.row.title
        return None

    def _node(self, index: Index) -> Node | None:
        node = index.internalPointer() if index.isValid() else None
        return node if isinstance(node, Node) else None

    def _below(self, parent: Index) -> list[Node]:
        node = self._node(parent)
        return self._runs if node is None else node.children


def _run_node(line: RunLine) -> Node:
    """A run, with what stands below it until its report is read."""
    node = Node(Sort.RUN, line, ReportRow("", ""), is_read=False)
    node.add(Sort.TEXT, ReportRow(run_words.translate("runs", "Reading…"), ""))
    return node


def _children(run: Node, report: ReflectionReport | None) -> list[Node]:
    """What stands below a run."""
    top = Node(Sort.RUN, run.run, run.row)  # only to collect
    words = run_words.translate
    if run.run.error:
        top.add(Sort.ERROR, ReportRow(run_words.error_sentence(run.run.error), ""))
    if report is None:
        top.add(Sort.TEXT, ReportRow(words("runs", "Its report is not there any more."), ""))
    else:
        _add_proposed(top, report)
        _add_skipped(top, report)
        if report.phases:
            title = words("runs", "How long each part took")
            top.add(Sort.TEXT, ReportRow(title, run_words.phases(report.phases)))
    for node in top.children:
        node.parent = run
    return top.children


def _add_proposed(top: Node, report: ReflectionReport) -> None:
    words = run_words.translate
    rows = proposed_rows(report)
    if not rows:
        if not report.error:
            top.add(Sort.TEXT, ReportRow(words("runs", "It had nothing to suggest."), ""))
        return
    top.add(Sort.HEAD, ReportRow(words("runs", "Suggested"), ""))
    for row in rows[:MOST_PLACES]:
        top.add(Sort.SUGGESTION if row.suggestion else Sort.PLACE, row)
    _add_more(top, len(rows) - MOST_PLACES)


def _add_skipped(top: Node, report: ReflectionReport) -> None:
    """What was passed over, by reason, the most frequent first."""
    if not report.skipped:
        return
    words = run_words.translate
    top.add(Sort.HEAD, ReportRow(words("runs", "Passed over, and why"), ""))
    groups: dict[str, list[Skipped]] = {}
    for item in report.skipped:
        groups.setdefault(item.reason, []).append(item)
    ordered = sorted(groups.items(), key=lambda group: -len(group[1]))
    for reason, items in ordered[:MOST_REASONS]:
        title = reason[:1].upper() + reason[1:]
        count = words("runs", "{count} times").format(count=phrases.count(len(items)))
        if len(items) == 1:
            count = words("runs", "once")
        group = top.add(Sort.REASON, ReportRow(title, count))
        for item in items[:MOST_PLACES]:
            group.add(Sort.PLACE, _place(item))
        _add_more(group, len(items) - MOST_PLACES)
    in_all = report.skipped_in_all or len(report.skipped)
    told = sum(len(items) for _, items in ordered[:MOST_REASONS])
    _add_more(top, in_all - told)


def _add_more(node: Node, count: int) -> None:
    if count > 0:
        more = run_words.translate("runs", "and {count} more").format(count=phrases.count(count))
        node.add(Sort.MORE, ReportRow(more, ""))


def _place(item: Skipped) -> ReportRow:
    """What was passed over, and where it stands."""
    source = suggestion_words.source_of(item.source)
    place = suggestion_words.phase_word(item.phase)
    if source is not None:
        place = suggestion_words.page_name(source.path)
        if "#" in item.source:
            place = f"{place}, {phrases.lines(source)}"
    return ReportRow(item.what or place, place if item.what else "", item.source)
