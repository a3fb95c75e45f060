"""One change of a suggestion on a card: now, suggested, why, and the answer to it.

The card shows and asks; deciding is somebody else's work. What is being typed in its editor is told
with every key, so that it outlives the card. GUI thread only.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QEvent, QObject, QPoint, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QFocusEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPainterPath,
    QPaintEvent,
    QPen,
    QPolygonF,
)
from PySide6.QtWidgets import (
    QBoxLayout,
    QHBoxLayout,
    QMenu,
    QPlainTextEdit,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from daybank.review.merge import Clash
from daybank.review.proposal import Decision, Evidence, Hunk
from daybank_desktop import phrases, suggestion_words
from daybank_desktop.models.diff_rows import DiffRow, between
from daybank_desktop.theme import Theme
from daybank_desktop.widgets import paint
from daybank_desktop.widgets.buttons import Button, IconButton
from daybank_desktop.widgets.diff_view import DiffMode, DiffView
from daybank_desktop.widgets.glyph import Glyph, KeyCap
from daybank_desktop.widgets.label import Label
from daybank_desktop.widgets.surface import Hairline

_FIRST_EVIDENCE = 3
_LONGEST_QUOTE = 300
_EDITOR_LINES = 14


@dataclass(frozen=True, slots=True)
class Change:
    """All that a card shows. ``can_answer`` is False for what is settled."""

    number: int
    of: int
    hunk: Hunk
    rows: tuple[DiffRow, ...]
    can_answer: bool = True


class _Frame(QWidget):
    """The rounded frame that both kinds of card have: 1 px, or 2 in accent for the current one."""

    activated = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = Theme.of(self)
        self._current = False
        self._stacked = False
        self._aside: QWidget | None = None
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setProperty("focusRing", False)  # the frame says it

    @property
    def is_current(self) -> bool:
        return self._current

    def set_current(self, current: bool) -> None:
        if current != self._current:
            self._current = current
            self.update()

    def _aside_area(self) -> QRectF | None:
        if self._aside is None or self._aside.isHidden():
            return None
        return QRectF(self._aside.geometry())

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = self._theme
        painter = QPainter(self)
        area = QRectF(self.rect())
        radius = theme.radius("lg")
        paint.rounded(painter, area, radius, theme.color("bg.surface"))
        aside = self._aside_area()
        if aside is not None:
            painter.save()
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            clip = QPainterPath()
            clip.addRoundedRect(area, radius, radius)
            painter.setClipPath(clip)
            painter.fillRect(aside.adjusted(0, 0, 2, 2), theme.color("bg.sunken"))
            painter.setPen(QPen(theme.color("border.subtle"), 1))
            if self._stacked:
                painter.drawLine(aside.topLeft(), aside.topRight())
            else:
                painter.drawLine(aside.topLeft(), aside.bottomLeft() + QPoint(0, 2))
            painter.restore()
        border, width = ("accent", 2) if self._current else ("border.subtle", 1)
        paint.rounded(painter, area, radius, None, theme.color(border), width)

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.activated.emit()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self.setFocus(Qt.FocusReason.MouseFocusReason)
        self.activated.emit()

    def watch(self, widget: QWidget) -> None:
        """A part whose focus makes this card the current one."""
        widget.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.FocusIn:
            self.activated.emit()
        return super().eventFilter(watched, event)


class ChangeCard(_Frame):
    """Buttons and keys: Accept A, Edit E, Reject R, Undo U. The keys are the page's."""

    accept_asked = Signal()
    reject_asked = Signal()
    undo_asked = Signal()
    never_asked = Signal()
    edited = Signal(object)  # tuple of lines: accept these instead
    draft_changed = Signal(str)
    source_asked = Signal(object)  # Evidence
    edit_ended = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._change: Change | None = None
        self._mode = DiffMode.SIDE_BY_SIDE
        self._is_editing = False
        self.diff = DiffView()
        self.editor = QPlainTextEdit()
        self.editor.setProperty("field", True)
        self.editor.setTabChangesFocus(True)
        self.editor.setAccessibleName(self.tr("The suggested lines, to be changed"))
        self.editor.hide()
        self.editor.installEventFilter(self)
        self.editor.textChanged.connect(self._on_typed)
        self._all = Button("", "link", small=True)
        self._all.clicked.connect(self._show_all)
        self.why = WhyPanel()
        self.why.source_asked.connect(self.source_asked)
        self._build_buttons()
        self._build()
        self._theme.changed.connect(self._restyle)
        self._restyle()

    # Building

    def _build_buttons(self) -> None:
        tr = self.tr
        self.accept = Button(tr("Accept"), "primary", icon="action.accept")
        self.edit = Button(tr("Edit…"), icon="action.edit")
        self.reject = Button(tr("Reject"), icon="action.reject")
        self.more = IconButton("action.more", tr("More"))
        self.back = Button(tr("Change my mind"), "quiet")
        self.done = Button(tr("Accept my text"), "primary", icon="action.accept")
        self.leave = Button(tr("Back"), "quiet")
        self.original = Button(tr("Start over"), "quiet")
        for button, keys in (
            (self.accept, "A"),
            (self.edit, "E"),
            (self.reject, "R"),
            (self.back, "U"),
            (self.done, "Ctrl+Return"),
            (self.leave, "Esc"),
        ):
            button.setToolTip(keys)
            button.setAutoDefault(False)
        for button in (self.accept, self.edit, self.reject, self.back, self.done, self.leave):
            self.watch(button)
        self.watch(self.more)
        self.accept.clicked.connect(self.accept_asked)
        self.reject.clicked.connect(self.reject_asked)
        self.back.clicked.connect(self.undo_asked)
        self.edit.clicked.connect(lambda: self.start_editing())
        self.done.clicked.connect(self._finish)
        self.leave.clicked.connect(self.stop_editing)
        self.original.clicked.connect(self._start_over)
        self.original.setAutoDefault(False)
        self._menu = QMenu(self)
        self.never_action = self._menu.addAction(tr("Never suggest this again"))
        self.never_action.triggered.connect(self.never_asked)
        self.more.clicked.connect(self._open_menu)
        self._state_glyph = Glyph("state.ok", "positive", 16)
        self._state = Label("", "bodyStrong", "positive")
        self._keys = [KeyCap(keys) for keys in ("A", "E", "R")]
        self._edit_key = KeyCap("Ctrl+Return")

    def _build(self) -> None:
        self._body = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        self._body.setSpacing(0)
        self._editor_room = QVBoxLayout()
        self._editor_room.setSpacing(6)
        self._editor_title = Label(self.tr("In your words"), "caption", "text.secondary")
        self._editor_title.hide()
        self._editor_room.addWidget(self._editor_title)
        self._editor_room.addWidget(self.editor)
        self._editor_room.addStretch(1)
        self._body.addWidget(self.diff, 1)
        self._body.addLayout(self._editor_room, 0)
        self._row = QHBoxLayout()
        self._row.setSpacing(8)
        for widget in (self.accept, self.edit, self.reject, self._state_glyph, self._state):
            self._row.addWidget(widget)
        for widget in (self.done, self.leave, self.original):
            self._row.addWidget(widget)
        self._row.addStretch(1)
        for cap in (*self._keys, self._edit_key):
            self._row.addWidget(cap)
        self._row.addWidget(self.back)
        self._row.addWidget(self.more)
        self._buttons = QWidget()
        self._buttons.setLayout(self._row)
        self._line = Hairline()
        self._left = QVBoxLayout()
        self._left.setContentsMargins(0, 0, 0, 0)
        self._left.setSpacing(0)
        self._left.addLayout(self._body)
        self._left.addWidget(self._all, 0, Qt.AlignmentFlag.AlignLeft)
        self._left.addStretch(1)
        self._left.addWidget(self._line)
        self._left.addWidget(self._buttons)
        self._aside = self.why
        self._across = QBoxLayout(QBoxLayout.Direction.LeftToRight, self)
        self._across.setContentsMargins(2, 2, 2, 2)
        self._across.setSpacing(0)
        self._across.addLayout(self._left, 1)
        self._across.addWidget(self.why)

    def _restyle(self) -> None:
        small = self._theme.space(3)
        self._row.setContentsMargins(small, 9, small, 9)
        self.editor.setFont(self._theme.font("small"))
        self._arrange()
        self._stack(self._stacked)

    # What it shows

    @property
    def change(self) -> Change | None:
        return self._change

    @property
    def is_editing(self) -> bool:
        return self._is_editing

    @property
    def state_text(self) -> str:
        """The answer in words, "" while there is none."""
        return "" if self._state.isHidden() else self._state.text()

    def show_change(self, change: Change) -> None:
        """Show a change; an editor that is open stays as it is."""
        before, self._change = self._change, change
        if before is None or before.rows != change.rows:
            self.diff.set_rows(change.rows)
        hidden = self.diff.hidden_rows
        self._all.setText(self.tr("Show {count} more lines").format(count=phrases.count(hidden)))
        self._all.setVisible(hidden > 0)
        self.why.show_why(change)
        self.never_action.setEnabled(bool(change.hunk.topic))
        if not change.can_answer and self._is_editing:
            self._set_editing(False)
        self._show_buttons()

    def forget(self) -> None:
        """It is to show a change of another suggestion, some time."""
        self._change = None
        self.diff.fold()
        if self._is_editing:
            self._set_editing(False)
        if self.editor.toPlainText():
            self._put("")

    def set_mode(self, mode: DiffMode) -> None:
        if mode is not self._mode:
            self._mode = mode
            self._arrange()

    def set_stacked(self, stacked: bool) -> None:
        """The reasons under the change, where there is no room beside it."""
        if stacked != self._stacked:
            self._stack(stacked)

    def _stack(self, stacked: bool) -> None:
        self._stacked = stacked
        down = QBoxLayout.Direction.TopToBottom
        self._across.setDirection(down if stacked else QBoxLayout.Direction.LeftToRight)
        if stacked:
            self.why.setMinimumWidth(0)
            self.why.setMaximumWidth(16_777_215)
        else:
            self.why.setFixedWidth(self._theme.px(self._theme.size("evidence")))
        self._show_buttons()

    @property
    def _asks(self) -> bool:
        change = self._change
        return (
            change is not None
            and change.can_answer
            and change.hunk.decision is Decision.WAITING
            and not self._is_editing
        )

    def _show_buttons(self) -> None:
        change = self._change
        if change is None:
            return
        decision = change.hunk.decision
        asks, editing = self._asks, self._is_editing
        for widget in (self.accept, self.edit, self.reject, self.more):
            widget.setVisible(asks)
        for widget in (self.done, self.leave, self.original):
            widget.setVisible(editing)
        self._edit_key.setVisible(editing and not self._stacked)
        for cap in self._keys:
            cap.setVisible(asks and self._current and not self._stacked)
        answered = not editing and decision is not Decision.WAITING
        self._state.setVisible(answered)
        self._state_glyph.setVisible(answered)
        self.back.setVisible(answered and change.can_answer)
        self._buttons.setVisible(editing or answered or asks)
        self._line.setVisible(editing or answered or asks)
        self.accept.set_kind("primary" if self._current else "plain")
        if decision is Decision.ACCEPTED:
            mine = change.hunk.edited is not None
            words = self.tr("Accepted, in your words") if mine else self.tr("Accepted")
            self._say(words, "state.ok", "positive")
        elif decision is Decision.REJECTED:
            self._say(self.tr("Rejected"), "action.reject", "negative")
        self._describe()

    def _say(self, words: str, icon: str, color: str) -> None:
        self._state.setText(words)
        self._state.set_color(color)
        self._state_glyph.set_icon(icon, color)

    def _describe(self) -> None:
        change = self._change
        if change is None:
            return
        place = self.tr("Change {number} of {count}").format(number=change.number, count=change.of)
        state = self._state.text() if change.hunk.decision is not Decision.WAITING else ""
        self.setAccessibleName(f"{place}. {state}".strip() if state else f"{place}.")
        self.setAccessibleDescription(
            f"{self.diff.accessibleDescription()} {self.tr('Why:')} {change.hunk.reason}"
        )

    def set_current(self, current: bool) -> None:
        if current != self._current:
            super().set_current(current)
            self._show_buttons()

    def _show_all(self) -> None:
        self.diff.show_all()
        self._all.hide()

    def _open_menu(self) -> None:
        self._menu.popup(self.more.mapToGlobal(self.more.rect().bottomLeft()))

    # Editing in place

    def start_editing(self, draft: str | None = None) -> None:
        """Open the editor, with what was typed before if there is any."""
        change = self._change
        if change is None or not self._asks:
            return
        if draft is not None:
            self._put(draft)
        elif self.editor.toPlainText() == "":
            self._put("\n".join(change.hunk.outcome))
        self._set_editing(True)
        self.editor.setFocus(Qt.FocusReason.OtherFocusReason)

    def keep_draft(self, draft: str) -> None:
        """What was typed before; the editor opens with it."""
        self._put(draft)

    def stop_editing(self) -> None:
        """Esc: back to the answer. What was typed is kept."""
        self._set_editing(False)
        self.setFocus(Qt.FocusReason.OtherFocusReason)
        self.edit_ended.emit()

    def _set_editing(self, editing: bool) -> None:
        self._is_editing = editing
        self.editor.setVisible(editing)
        self._editor_title.setVisible(editing)
        self._arrange()
        self._show_buttons()

    def _arrange(self) -> None:
        one = self._mode is DiffMode.IN_ONE
        down = QBoxLayout.Direction.TopToBottom
        self._body.setDirection(down if one else QBoxLayout.Direction.LeftToRight)
        self._body.setStretchFactor(self._editor_room, 1 if self._is_editing and not one else 0)
        beside = self._is_editing and not one
        self.diff.set_mode(DiffMode.NOW if beside else self._mode)
        margins = (8, 10, 10, 10) if self._is_editing else (0, 0, 0, 0)
        self._editor_room.setContentsMargins(*margins)
        self._fit_editor()

    def _put(self, text: str) -> None:
        self.editor.blockSignals(True)
        self.editor.setPlainText(text)
        self.editor.blockSignals(False)
        self._fit_editor()

    def _start_over(self) -> None:
        if self._change is not None:
            self.editor.setPlainText("\n".join(self._change.hunk.new))
            self.editor.setFocus(Qt.FocusReason.OtherFocusReason)

    def _on_typed(self) -> None:
        self._fit_editor()
        self.draft_changed.emit(self.editor.toPlainText())

    def _fit_editor(self) -> None:
        lines = min(_EDITOR_LINES, max(4, self.editor.document().blockCount() + 2))
        self.editor.setFixedHeight(lines * self._theme.line_height("mono") + 20)

    def _finish(self) -> None:
        text = self.editor.toPlainText()
        self._set_editing(False)
        self.edited.emit(tuple(text.split("\n")) if text else ())

    def sizeHint(self) -> QSize:
        return self.minimumSizeHint()

    def minimumSizeHint(self) -> QSize:
        """Its height follows from the width that it gets; to lay it out for another takes long."""
        return QSize(self._across.minimumSize().width(), 0)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self.editor and event.type() == QEvent.Type.ShortcutOverride:
            assert isinstance(event, QKeyEvent)
            if event.key() == Qt.Key.Key_Escape:  # not the dialog's
                event.accept()
                return True
        if watched is self.editor and event.type() == QEvent.Type.KeyPress:
            assert isinstance(event, QKeyEvent)
            enter = event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
            if enter and event.modifiers() & Qt.KeyboardModifier.ControlModifier:
                self._finish()
                return True
            if event.key() == Qt.Key.Key_Escape:
                self.stop_editing()
                return True
        return super().eventFilter(watched, event)


class ConflictCard(_Frame):
    """Lines that were edited meanwhile and that the suggestion wants to change: which to keep."""

    chosen = Signal(bool)  # True: take the suggestion

    def __init__(self, clash: Clash, number: int, of: int, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.clash = clash
        self._taken: bool | None = None
        self.diff = DiffView()
        self.diff.set_rows(between(clash.theirs, clash.ours, clash.line, clash.line))
        self.diff.set_titles(self.tr("As you wrote it"), self.tr("Suggested"))
        self.keep = Button(self.tr("Keep mine"))
        self.take = Button(self.tr("Take the suggestion"))
        self._said = Label("", "small", "text.secondary")
        for button, takes in ((self.keep, False), (self.take, True)):
            button.setCheckable(True)
            button.setAutoDefault(False)
            button.clicked.connect(lambda _, takes=takes: self.choose(takes))
            self.watch(button)
        row = QHBoxLayout()
        row.setContentsMargins(12, 9, 12, 9)
        row.setSpacing(8)
        row.addWidget(self.keep)
        row.addWidget(self.take)
        row.addWidget(self._said)
        row.addStretch(1)
        box = QVBoxLayout(self)
        box.setContentsMargins(2, 2, 2, 2)
        box.setSpacing(0)
        box.addWidget(self.diff)
        box.addWidget(Hairline())
        box.addLayout(row)
        self.setAccessibleName(
            self.tr("Edited twice, {number} of {count}").format(number=number, count=of)
        )
        self.setAccessibleDescription(self.diff.accessibleDescription())

    @property
    def taken(self) -> bool | None:
        """The choice; None before there is one."""
        return self._taken

    def choose(self, taken: bool) -> None:
        self._taken = taken
        self.keep.setChecked(not taken)
        self.take.setChecked(taken)
        self._said.setText(
            self.tr("The suggestion takes its place") if taken else self.tr("Yours stays")
        )
        self.chosen.emit(taken)

    def set_mode(self, mode: DiffMode) -> None:
        self.diff.set_mode(mode)


class WhyPanel(QWidget):
    """The reason of a change, and the notes that speak for it with the way to each."""

    source_asked = Signal(object)  # Evidence

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = Theme.of(self)
        self._shown: tuple[object, ...] | None = None
        self._evidence: tuple[Evidence, ...] = ()
        self._parts: list[_EvidenceItem] = []
        self._place = Label("", "caption", "text.secondary", tabular=True)
        self._reason = Label("", "small", "text.secondary", wrap=True)
        head = QHBoxLayout()
        head.addWidget(Label(self.tr("Why"), "captionStrong"))
        head.addStretch(1)
        head.addWidget(self._place)
        self._more = Button("", "link", small=True)
        self._more.clicked.connect(self._show_rest)
        self._box = QVBoxLayout(self)
        self._box.setContentsMargins(15, 10, 13, 10)
        self._box.setSpacing(0)
        self._box.addLayout(head)
        self._box.addSpacing(2)
        self._box.addWidget(self._reason)
        self._list = QVBoxLayout()
        self._list.setSpacing(0)
        self._box.addLayout(self._list)
        self._box.addWidget(self._more, 0, Qt.AlignmentFlag.AlignLeft)
        self._box.addStretch(1)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)

    def show_why(self, change: Change) -> None:
        key = (change.number, change.of, change.hunk.reason, change.hunk.evidence)
        if key == self._shown:
            return
        self._shown = key
        self._place.setText(
            self.tr("{number} of {count}").format(number=change.number, count=change.of)
        )
        self._reason.setText(change.hunk.reason)
        self._reason.setVisible(bool(change.hunk.reason))
        self._evidence = change.hunk.evidence
        self._list_evidence(self._evidence[:_FIRST_EVIDENCE])
        rest = len(self._evidence) - _FIRST_EVIDENCE
        self._more.setText(self.tr("Show {count} more").format(count=phrases.count(rest)))
        self._more.setVisible(rest > 0)

    @property
    def links(self) -> list[Button]:
        """The buttons that open the notes."""
        return [part.link for part in self._parts if not part.isHidden()]

    def _show_rest(self) -> None:
        self._list_evidence(self._evidence)
        self._more.hide()

    def _list_evidence(self, evidence: Sequence[Evidence]) -> None:
        for _ in range(len(self._parts), len(evidence)):
            part = _EvidenceItem()
            part.opened.connect(self.source_asked)
            self._list.addWidget(part)
            self._parts.append(part)
        for part, item in zip(self._parts, evidence, strict=False):
            part.set_evidence(item)
            part.show()
        for part in self._parts[len(evidence) :]:
            part.hide()


class _EvidenceItem(QWidget):
    """A note: its day, what it does to an opinion, its words, and *Open*."""

    opened = Signal(object)  # Evidence

    def __init__(self) -> None:
        super().__init__()
        self._evidence: Evidence | None = None
        self._when = Label("", "caption", "text.secondary", elide=True)
        self.link = Button(self.tr("Open →"), "link", small=True)
        self.link.setAutoDefault(False)
        self.link.clicked.connect(lambda: self.opened.emit(self._evidence))
        row = QHBoxLayout()
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(6)
        row.addWidget(self._when)
        row.addStretch(1)
        row.addWidget(self.link)
        self._mark = StanceMark("")
        self._does = Label("", "caption")
        self._stance = QWidget()
        does = QHBoxLayout(self._stance)
        does.setContentsMargins(0, 0, 0, 0)
        does.setSpacing(6)
        does.addWidget(self._mark)
        does.addWidget(self._does)
        does.addStretch(1)
        self._quote = Label("", "small", wrap=True)
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 4)
        box.setSpacing(0)
        box.addLayout(row)
        box.addWidget(self._stance)
        box.addWidget(self._quote)

    def set_evidence(self, evidence: Evidence) -> None:
        self._evidence = evidence
        day = phrases.day_with_weekday(evidence.day) if evidence.day is not None else ""
        source = suggestion_words.source_of(evidence.source)
        if not day and source is not None:
            day = suggestion_words.page_name(source.path)
        self._when.setText(day)
        self.link.setAccessibleName(self.tr("Open {day}").format(day=day))
        word = suggestion_words.stance_word(evidence.stance)
        self._stance.setVisible(bool(word))
        if word:
            self._mark.set_stance(evidence.stance)
            self._does.setText(word)
            self._does.set_color(suggestion_words.stance_color(evidence.stance))
        text = evidence.quote
        if len(text) > _LONGEST_QUOTE:
            text = text[:_LONGEST_QUOTE].rstrip() + "…"
        self._quote.setText(text)


class StanceMark(QWidget):
    """▲ supports, ▼ weakens, ☒ contradicts: the shapes of the charts."""

    def __init__(self, stance: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = Theme.of(self)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self._theme.changed.connect(self.updateGeometry)
        self.set_stance(stance)

    def set_stance(self, stance: str) -> None:
        """Show “supports”, “weakens” or “contradicts”."""
        self._stance = stance
        self.setAccessibleName(suggestion_words.stance_word(stance))
        self.update()

    def sizeHint(self) -> QSize:
        side = self._theme.px(11)
        return QSize(side, side)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        ink = self._theme.color(suggestion_words.stance_color(self._stance))
        area = QRectF(self.rect()).adjusted(1, 1, -1, -1)
        if self._stance == "contradicts":
            painter.setPen(QPen(ink, 1.4))
            painter.drawRect(area)
            inner = area.adjusted(2, 2, -2, -2)
            painter.drawLine(inner.topLeft(), inner.bottomRight())
            painter.drawLine(inner.topRight(), inner.bottomLeft())
            return
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(ink)
        middle = area.center().x()
        if self._stance == "supports":
            points = [area.bottomLeft(), area.bottomRight(), area.topLeft()]
            points[2].setX(middle)
        else:
            points = [area.topLeft(), area.topRight(), area.bottomLeft()]
            points[2].setX(middle)
        painter.drawPolygon(QPolygonF(points))
