"""One opinion: whom it is about, how sure it is, what to say of it, its chart and its evidence.

It shows and asks; the page does. GUI thread only.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from PySide6.QtCore import QLocale, QRectF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QFontMetricsF, QKeySequence, QPainter, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QBoxLayout,
    QFrame,
    QHBoxLayout,
    QHeaderView,
    QMenu,
    QScrollArea,
    QSizePolicy,
    QSpacerItem,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
    QVBoxLayout,
    QWidget,
)

from daybank.markdown.roles import role_of
from daybank.reflect.opinion_list import Ignored, OpinionStep
from daybank_desktop import phrases
from daybank_desktop.models.opinions_model import points_words
from daybank_desktop.models.results_model import Index
from daybank_desktop.models.steps_model import (
    CHANGE,
    NOTE,
    SOURCE,
    SURE,
    WHY,
    StepsModel,
    change_text,
)
from daybank_desktop.services.opinions import OpinionRow, percent_of, source_of
from daybank_desktop.steps import Steps
from daybank_desktop.theme import Theme
from daybank_desktop.widgets import paint
from daybank_desktop.widgets.buttons import Button, IconButton
from daybank_desktop.widgets.chart_geometry import ChartPoint, ChartStep, points_of
from daybank_desktop.widgets.column_area import ByWidth
from daybank_desktop.widgets.confidence_chart import ConfidenceChart
from daybank_desktop.widgets.evidence_columns import EvidenceColumns, EvidenceItem
from daybank_desktop.widgets.flow_layout import FlowLayout
from daybank_desktop.widgets.glyph import Glyph
from daybank_desktop.widgets.label import Label
from daybank_desktop.widgets.notice_bar import NoticeBar, NoticeTone
from daybank_desktop.widgets.readout_strip import ReadoutStrip
from daybank_desktop.widgets.stack import Stack
from daybank_desktop.widgets.stance_mark import LEGEND, LegendItem, stance_color, stance_word
from daybank_desktop.widgets.sure_slider import percent_text, sure_text, sure_words
from daybank_desktop.widgets.surface import Card
from daybank_desktop.widgets.text_layout import elided, shown

_SIDE = 24
_ROW_BELOW = 620  # narrower, heads and legends go under what they stood beside
_LONGEST_NAME = 220
_CELL, _WIDEST = 8, 60
_FOR, _AGAINST = ("supports",), ("weakens", "contradicts")


class OpinionDetail(QScrollArea):
    """``shown_row`` is what it shows. Every signal is a wish of the person's."""

    person_asked = Signal(str)
    move_asked = Signal(str)  # "agree", "disagree" or "no_longer_true"
    set_asked = Signal()
    source_asked = Signal(object)  # (Source, the note's id or None)
    opinion_asked = Signal(str)  # the id of the opinion that took its place
    export_asked = Signal(str)  # "png", "svg" or "csv"
    back_asked = Signal()

    def __init__(self, today: date, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = Theme.of(self)
        self._today = today
        self._row: OpinionRow | None = None
        self._showing = Steps(self)
        self._points: tuple[ChartPoint, ...] = ()
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._build()
        self.set_back_shown(False)

    # Building

    def _build(self) -> None:
        inner = ByWidth()
        self._inner = inner
        box = self._box = QVBoxLayout(inner)
        box.setContentsMargins(_SIDE, 14, _SIDE, 20)
        box.setSpacing(0)
        self.back = Button(self.tr("All opinions"), "quiet", icon="action.back", small=True)
        self.back.clicked.connect(self.back_asked)
        box.addWidget(self.back, 0, Qt.AlignmentFlag.AlignLeft)
        box.addLayout(self._build_head())
        box.addSpacing(10)
        self.notice = NoticeBar()
        self.notice.acted.connect(self._on_notice)
        self.notice.hide()
        box.addWidget(self.notice)
        self._notice_gap = QSpacerItem(0, 0)
        box.addItem(self._notice_gap)
        box.addLayout(self._build_actions())
        box.addSpacing(12)
        box.addWidget(self._build_card())
        box.addSpacing(14)
        self.evidence = EvidenceColumns()
        self.evidence.opened.connect(self.source_asked)
        self.evidence.hide()
        box.addWidget(self.evidence)
        box.addStretch(1)
        self.setWidget(inner)
        inner.setAutoFillBackground(False)
        self.viewport().setAutoFillBackground(False)

    def _build_head(self) -> QBoxLayout:
        self._about = self._build_about()
        self._statement = Label("", "title", wrap=True)
        words = QVBoxLayout()
        words.setSpacing(0)
        words.addLayout(self._about)
        words.addWidget(self._statement)
        words.addStretch(1)
        self._percent = Label("", "display", tabular=True)
        self._sure = Label("", "caption", "text.secondary", wrap=True)
        right = Qt.AlignmentFlag.AlignRight
        for label in (self._percent, self._sure):
            label.setAlignment(right)
        self._sure_side = QWidget()
        side = QVBoxLayout(self._sure_side)
        side.setContentsMargins(0, 0, 0, 0)
        side.setSpacing(0)
        side.addWidget(self._percent)
        side.addWidget(self._sure)
        side.addStretch(1)
        self._head = QHBoxLayout()
        self._head.setSpacing(16)
        self._head.addLayout(words, 1)
        self._head.addWidget(self._sure_side)
        return self._head

    def _build_about(self) -> FlowLayout:
        flow = FlowLayout(spacing=0, line_spacing=0)
        self._kind = QWidget()  # as high as the links beside it
        row = QHBoxLayout(self._kind)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(5)
        row.addWidget(Glyph("kind.opinion", "kind.opinion", 14))
        row.addWidget(Label(self.tr("Opinion"), "captionStrong", "kind.opinion"))
        self._about_word = Label(self.tr("about"), "caption", "text.secondary")
        row.addWidget(self._about_word)
        flow.addWidget(self._kind)
        self._names: tuple[str, ...] = ()
        self._links: list[Button] = []
        return flow

    def _build_actions(self) -> QHBoxLayout:
        self.agree = Button(self.tr("I agree"), icon="action.agree")
        self.disagree = Button(self.tr("I disagree"), icon="action.disagree")
        self.set_by_hand = Button(self.tr("Set by hand…"), icon="action.setByHand")
        self.no_longer = Button(self.tr("No longer true"), "quiet")
        self.agree.clicked.connect(lambda: self.move_asked.emit("agree"))
        self.disagree.clicked.connect(lambda: self.move_asked.emit("disagree"))
        self.no_longer.clicked.connect(lambda: self.move_asked.emit("no_longer_true"))
        self.set_by_hand.clicked.connect(self.set_asked)
        flow = FlowLayout(spacing=8)
        for button in (self.agree, self.disagree, self.set_by_hand, self.no_longer):
            button.setAutoDefault(False)
            flow.addWidget(button)
        room = QWidget()
        room.setLayout(flow)
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Minimum)
        policy.setHeightForWidth(True)
        room.setSizePolicy(policy)
        self.table_button = IconButton("action.table", self.tr("Show as table"))
        self.table_button.setCheckable(True)
        self.table_button.toggled.connect(self._show_table)
        self.export_button = IconButton("action.export", self.tr("Save the chart or its numbers"))
        self.export_menu = self._build_menu()
        self.export_button.clicked.connect(self._open_menu)
        row = QHBoxLayout()
        row.setSpacing(8)
        row.addWidget(room, 1)
        for icon in (self.table_button, self.export_button):
            row.addWidget(icon, 0, Qt.AlignmentFlag.AlignTop)
        return row

    def _build_menu(self) -> QMenu:
        menu = QMenu(self)
        for kind, words in (
            ("png", self.tr("Save the chart as a picture (PNG)…")),
            ("svg", self.tr("Save the chart as a drawing (SVG)…")),
            ("csv", self.tr("Save the numbers as a table (CSV)…")),
        ):
            action = menu.addAction(words)
            action.triggered.connect(lambda _=False, kind=kind: self.export_asked.emit(kind))
        return menu

    def _build_card(self) -> Card:
        self.chart = ConfidenceChart()
        self.chart.looked_at.connect(self._read_out)
        self.chart.opened.connect(self._open_point)
        self.steps = StepsModel(self)
        self.table = _Table(self.steps)
        self.table.step_chosen.connect(self._on_step)
        self.readout = ReadoutStrip()
        self.readout.open_requested.connect(lambda: self._open_point(self.chart.shown))
        self._which = Stack()
        self._which.addWidget(self.chart)
        self._which.addWidget(self.table)
        self._which.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        legend = FlowLayout(spacing=12, line_spacing=2)
        for key in LEGEND:
            legend.addWidget(LegendItem(key))
        self._legend = QWidget()
        self._legend.setLayout(legend)
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
        policy.setHeightForWidth(True)
        self._legend.setSizePolicy(policy)
        self._card_head = QHBoxLayout()
        self._card_head.setContentsMargins(18, 12, 18, 4)
        self._card_head.setSpacing(8)
        title = Label(self.tr("How sure, over time"), "bodyStrong")
        self._card_head.addWidget(title, 1)
        self._card_head.addWidget(self._legend)
        card = Card()
        box = QVBoxLayout(card)
        box.setContentsMargins(1, 1, 1, 1)
        box.setSpacing(0)
        box.addLayout(self._card_head)
        box.addWidget(self._which)
        box.addWidget(self.readout)
        return card

    # What is shown

    @property
    def shown_row(self) -> OpinionRow | None:
        return self._row

    @property
    def points(self) -> tuple[ChartPoint, ...]:
        """The points of the chart, one a calendar day."""
        return self._points

    @property
    def percent_words(self) -> str:
        return self._percent.text()

    @property
    def sure_words(self) -> str:
        """ "quite sure, 6 points up since September"."""
        return self._sure.text()

    @property
    def statement(self) -> str:
        return self._statement.text()

    def show_opinion(self, row: OpinionRow) -> None:
        """Show ``row``; where it is the one in sight, only what changed in it moves."""
        is_same = self._row is not None and self._row.opinion.id == row.opinion.id
        if row == self._row:
            return
        is_first = self._row is None
        self._row = row
        self._showing.run((lambda: self._show_head(row), lambda: self._show_evidence(row)))
        if not is_first:  # but the first time everything is laid out and drawn anew
            self._showing.finish()
        if not is_same:
            self.verticalScrollBar().setValue(0)
        QTimer.singleShot(0, self, self._fit_table)

    def _show_head(self, row: OpinionRow) -> None:
        """All but the evidence."""
        opinion = row.opinion
        self._show_people(opinion.entities)
        self._statement.setText(shown(opinion.statement))
        self._percent.setText(percent_text(row.percent))
        self._sure.setText(self._trend(row))
        self._sure_side.setAccessibleName(sure_text(row.percent))
        self._show_standing(row)
        self.set_busy(False)
        self.steps.set_steps(opinion.steps)
        steps = [_chart_step(step) for step in opinion.steps]
        self._points = points_of(steps)
        words = [self._spoken(point) for point in self._points]
        self.chart.set_points(self._points, words, self._today)
        if self._which.currentWidget() is self.table:
            self.table.show_step(len(opinion.steps) - 1)

    def set_busy(self, busy: bool) -> None:
        """While a move is written, and for an opinion that is over, there is nothing to press."""
        over = self._row is not None and self._row.is_over
        for button in (self.agree, self.disagree, self.set_by_hand, self.no_longer):
            button.setEnabled(not busy and not over)

    def show_error(self, text: str) -> None:
        """Say above the actions what went wrong."""
        self._say(text, "negative")

    def set_back_shown(self, shown: bool) -> None:
        """Where list and detail take turns there is a way back."""
        self.back.setVisible(shown)

    def _say(self, text: str, tone: NoticeTone, action: str = "") -> None:
        self.notice.set_content(text, tone, action=action)
        self.notice.setVisible(bool(text))
        self._notice_gap.changeSize(0, 10 if text else 0)
        self._box.invalidate()

    def _show_people(self, names: Sequence[str]) -> None:
        self._names = tuple(names)
        self._about_word.setVisible(bool(names))
        self._kind.setMinimumHeight(max(28, self._theme.px(28)))
        for number in range(len(self._links), len(names)):
            link = self._person(number)
            self._links.append(link)
            self._about.addWidget(link)
        for link, name in zip(self._links, names, strict=False):
            words = elided(name, self._theme.font("control"), self._theme.px(_LONGEST_NAME))
            link.setText(words)
            link.setShortcut(QKeySequence())  # an & in a name is an &
            link.setAccessibleName(name)
            link.show()
        for link in self._links[len(names) :]:
            link.hide()
        self._inner.updateGeometry()

    def _person(self, number: int) -> Button:
        link = Button("", "link", small=True)
        link.setAutoDefault(False)
        link.clicked.connect(lambda: self.person_asked.emit(self._names[number]))
        link.hide()
        return link

    def people(self) -> tuple[Button, ...]:
        """The links to whom it is about."""
        return tuple(self._links[: len(self._names)])

    def _trend(self, row: OpinionRow) -> str:
        words = sure_words(row.percent)
        if len(row.opinion.steps) < 2:
            return words
        if row.since is None:
            since = self.tr("since it was first written")
        else:
            month = self._month(row.since)
            since = self.tr("since {month}").format(month=month)
        if row.change == 0:
            return self.tr("{sure}, unchanged {since}").format(sure=words, since=since)
        text = (
            self.tr("{sure}, {points} up {since}")
            if row.change > 0
            else self.tr("{sure}, {points} down {since}")
        )
        return text.format(sure=words, points=points_words(abs(row.change)), since=since)

    def _month(self, day: date) -> str:
        name = QLocale().monthName(day.month)
        return name if day.year == self._today.year else f"{name} {day.year}"

    def _show_standing(self, row: OpinionRow) -> None:
        opinion = row.opinion
        if opinion.superseded_by is None:
            text = (
                ""
                if opinion.on_page
                else self.tr(
                    "This is not on a page yet. It is written into Opinions when you say something "
                    "of it, or when a suggestion for it is accepted."
                )
            )
            self._say(text, "note")
        elif opinion.superseded_by.startswith("op-"):
            self._say(self.tr("Another opinion took its place."), "note", self.tr("Show it"))
        else:
            self._say(self.tr("This is no longer true."), "note")

    def _on_notice(self) -> None:
        row = self._row
        if row is not None and row.opinion.superseded_by is not None:
            self.opinion_asked.emit(row.opinion.superseded_by)

    # The chart and its readout

    def _read_out(self, number: int) -> None:
        if not 0 <= number < len(self._points):
            self.readout.clear()
            return
        point = self._points[number]
        self.readout.set_readout(
            self._day(point.day, with_weekday=True),
            self._change(point),
            self._sentence(point),
            self._ref(number) is not None,
            lead=stance_word(point.key),
            lead_color=stance_color(point.key),
        )

    def _spoken(self, point: ChartPoint) -> str:
        parts = (
            stance_word(point.key),
            self._day(point.day, with_weekday=True),
            self._change(point),
            self._sentence(point),
        )
        return ". ".join(part.rstrip(".") for part in parts if part) + "."

    def _day(self, day: int | None, *, with_weekday: bool = False) -> str:
        if day is None:
            return ""
        when = date.fromordinal(day)
        return phrases.day_with_weekday(when) if with_weekday else phrases.day_short(when)

    def _change(self, point: ChartPoint) -> str:
        before, now = percent_of(point.before), percent_of(point.value)
        if before == now:
            return percent_text(now)
        return self.tr("{before} → {now}").format(before=before, now=percent_text(now))

    def _sentence(self, point: ChartPoint) -> str:
        """The notes of the day; and the rule where it says more than the mark does."""
        row = self._row
        assert row is not None
        steps = self._steps_of(point)
        if len(steps) == 1:
            return self._words_of(steps[0])
        return " · ".join(self._one_of_many(step) for step in steps)

    def _one_of_many(self, step: OpinionStep) -> str:
        """Of a day on which it moved more than once: “Set by hand, 62 %”."""
        head = self.tr("{what}, {percent}").format(
            what=stance_word(step.key), percent=percent_text(percent_of(step.value))
        )
        words = self._words_of(step)
        return self.tr("{what}: {words}").format(what=head, words=words) if words else head

    def _words_of(self, step: OpinionStep) -> str:
        words = self.tr("“{note}”").format(note=step.content) if step.content else ""
        if ";" in step.rule or ":" in step.rule:
            return f"{words} ({step.rule})".strip()
        return words or self._without_note(step)

    def _without_note(self, step: OpinionStep) -> str:
        """What to say of a step whose note is gone, or that never had one."""
        if step.id is not None or step.source is not None:
            return self.tr("The source has changed since.")
        if step.key == "set":
            return ""  # the mark says it
        return step.rule if step.key == "start" else self.tr("Added by hand.")

    def _steps_of(self, point: ChartPoint) -> tuple[OpinionStep, ...]:
        row = self._row
        assert row is not None
        return row.opinion.steps[point.first : point.first + len(point.steps)]

    def _ref(self, number: int) -> object:
        for step in reversed(self._steps_of(self._points[number])):
            ref = _ref(step.source, step.id)
            if ref is not None:
                return ref
        return None

    def _open_point(self, number: int) -> None:
        if 0 <= number < len(self._points):
            ref = self._ref(number)
            if ref is not None:
                self.source_asked.emit(ref)

    def _on_step(self, step: int) -> None:
        """The table and the chart look at the same."""
        for number, point in enumerate(self._points):
            if point.first <= step < point.first + len(point.steps):
                self.chart.set_current(number)

    def _show_table(self, shown: bool) -> None:
        self._which.setCurrentWidget(self.table if shown else self.chart)
        name = self.tr("Show as chart") if shown else self.tr("Show as table")
        self.table_button.set_name(name)
        self._legend.setVisible(not shown)
        if shown:
            self._fit_table()
            self.table.show_step(self._points[self.chart.current].first if self._points else 0)

    def _fit_table(self) -> None:
        if self._which.currentWidget() is self.table:
            self.table.fit(self._which.width())

    # Evidence

    def _show_evidence(self, row: OpinionRow) -> None:
        supporting: list[EvidenceItem] = []
        opposing: list[EvidenceItem] = []
        opinion = row.opinion
        before = percent_of(opinion.steps[0].value) if opinion.steps else 0
        for step in opinion.steps:
            now = percent_of(step.value)
            change = now - before
            before = now
            is_for = step.key in _FOR or (step.key == "restated" and step.delta >= 0)
            if is_for or step.key in _AGAINST or step.key == "restated":
                item = self._item(step, change_text(change) or "±0")
                (supporting if is_for else opposing).append(item)
        idle = [self._idle(item) for item in opinion.ignored]
        idle += [
            EvidenceItem(
                "evidence",
                "",
                "",
                words,
                reason=self.tr("Moves nothing, because it names no day and no note."),
            )
            for words in opinion.evidence
        ]
        self.evidence.set_evidence(supporting[::-1], opposing[::-1], idle)
        self.evidence.show()

    def _item(self, step: OpinionStep, change: str) -> EvidenceItem:
        content = step.content or self._without_note(step)
        day = self._day(step.day.toordinal() if step.day else None)
        ref = _ref(step.source, step.id)
        return EvidenceItem(step.key, day, change, content, _place(step.source), ref)

    def _idle(self, item: Ignored) -> EvidenceItem:
        day = self._day(item.day.toordinal() if item.day else None)
        reason = self.tr("Moves nothing, because {reason}").format(
            reason=self._because(item.reason)
        )
        ref = _ref(item.source, item.id)
        return EvidenceItem(
            item.key, day, "", item.content, _place(item.source), ref, reason=reason
        )

    def _because(self, reason: str) -> str:
        known = {
            "It has no day.": self.tr("it has no day."),
            "It gives no number.": self.tr("it gives no number."),
            "An opinion starts only once.": self.tr("an opinion starts only once."),
            "The same note counts once.": self.tr("the same note counts once."),
            "One page moves it once a day.": self.tr("one page moves it once a day."),
            "The same is counted once a day.": self.tr("the same is counted once a day."),
        }
        return known.get(reason) or reason[:1].lower() + reason[1:]

    # The rest

    def _open_menu(self) -> None:
        corner = self.export_button.mapToGlobal(self.export_button.rect().bottomRight())
        corner.setX(corner.x() - self.export_menu.sizeHint().width())
        self.export_menu.popup(corner)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        narrow = self.viewport().width() < self._theme.px(_ROW_BELOW)
        way = QBoxLayout.Direction.TopToBottom if narrow else QBoxLayout.Direction.LeftToRight
        align = Qt.AlignmentFlag.AlignLeft if narrow else Qt.AlignmentFlag.AlignRight
        for layout in (self._head, self._card_head):
            layout.setDirection(way)
        self._head.setSpacing(2 if narrow else 16)
        for label in (self._percent, self._sure):
            label.setAlignment(align)
        self._fit_table()


class _Table(QTableView):
    """The steps as a table: ↑↓ moves, the row's step is what the readout says."""

    step_chosen = Signal(int)

    def __init__(self, model: StepsModel) -> None:
        super().__init__()
        self._theme = Theme.of(self)
        self.setModel(model)
        self.setItemDelegate(_Cells(self))
        self.setCornerWidget(QWidget())
        self.setAccessibleName(self.tr("How sure, over time, as a table"))
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.setTabKeyNavigation(False)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.verticalHeader().hide()
        self.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.horizontalHeader().setHighlightSections(False)
        self._theme.changed.connect(self._restyle)
        self._restyle()

    def show_step(self, step: int) -> None:
        """Make a step the current row and bring it into sight."""
        index = self.model().index(step, 0)
        self.setCurrentIndex(index)
        self.scrollTo(index)

    def fit(self, width: int) -> None:
        """Columns as wide as their words; the notes get what is left, and the rest scrolls."""
        self.resizeColumnsToContents()
        header = self.horizontalHeader()
        widths = [min(header.sectionSize(at), self._theme.px(220)) for at in range(header.count())]
        widths[NOTE] = max(self._theme.px(160), width - sum(widths) + widths[NOTE] - 16)
        for at in (WHY, NOTE, SOURCE):
            header.resizeSection(at, widths[at])

    def _restyle(self) -> None:
        self.verticalHeader().setDefaultSectionSize(max(28, self._theme.px(30)))

    def currentChanged(self, current: Index, previous: Index) -> None:
        super().currentChanged(current, previous)
        if current.isValid():
            self.step_chosen.emit(current.row())


class _Cells(QStyledItemDelegate):
    """Plain text with room around it; the chosen row as in the lists."""

    def __init__(self, table: _Table) -> None:
        super().__init__(table)
        self._theme = Theme.of(table)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        theme = self._theme
        area = QRectF(option.rect)
        painter.save()
        if option.state & QStyle.StateFlag.State_Selected:
            painter.fillRect(area, theme.color("accent.soft"))
        font = theme.font("small", tabular=True)
        painter.setFont(font)
        area.adjust(_CELL, 0, -_CELL, 0)
        words = elided(str(index.data()), font, area.width())
        right = index.column() in (SURE, CHANGE)
        side = Qt.AlignmentFlag.AlignRight if right else Qt.AlignmentFlag.AlignLeft
        paint.text(painter, area, words, theme.color("text.primary"), side)
        painter.restore()

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        metrics = QFontMetricsF(self._theme.font("small", tabular=True))
        width = metrics.horizontalAdvance(str(index.data())[:_WIDEST])
        return QSize(round(width) + 2 * _CELL + 2, max(28, self._theme.px(30)))


def _chart_step(step: OpinionStep) -> ChartStep:
    day = step.day.toordinal() if step.day is not None else None
    return ChartStep(day, step.value, step.delta, step.key)


def _ref(place: str | None, id_: str | None) -> object:
    source = source_of(place)
    return (source, id_) if source is not None else None


def _place(place: str | None) -> str:
    """ "Journal": which page a piece of evidence stands on, in a word."""
    source = source_of(place)
    return phrases.role_word(role_of(source.path)) if source is not None else ""
