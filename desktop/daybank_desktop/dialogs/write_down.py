"""*Write it down*: a line for today's journal, as text or as a note of a kind.

The dialog builds the line and hands it out; saving is somebody else's work, who answers with
`accept` or with `show_error`, and then nothing that was typed is lost. What is typed is kept as a
draft until it is saved. What looks like a password is asked about first; the text is never changed
without the person's press.

Over the main window it belongs to it; without a parent, as the tray and a second start open it, it
is a window of its own that stays on top and leaves the application running. GUI thread only.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date
from typing import Final

from PySide6.QtCore import QCoreApplication, QEvent, QObject, QSize, Qt, QTimer, Signal
from PySide6.QtGui import (
    QGuiApplication,
    QHideEvent,
    QKeyEvent,
    QResizeEvent,
    QShowEvent,
    QTextCursor,
)
from PySide6.QtWidgets import (
    QButtonGroup,
    QDialog,
    QFrame,
    QHBoxLayout,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from daybank.clock import Clock, SystemClock
from daybank.secrets import Secret, find_secrets
from daybank_desktop import phrases
from daybank_desktop.services.drafts import Draft, DraftStore
from daybank_desktop.single_instance import bring_forward
from daybank_desktop.theme import Theme
from daybank_desktop.widgets.ask_bar import AskBar
from daybank_desktop.widgets.buttons import Button
from daybank_desktop.widgets.chip import Chip
from daybank_desktop.widgets.flow_layout import FlowLayout
from daybank_desktop.widgets.glyph import KeyCap
from daybank_desktop.widgets.label import Label
from daybank_desktop.widgets.note_edit import NoteEdit
from daybank_desktop.widgets.notice_bar import NoticeBar
from daybank_desktop.widgets.sure_slider import SureSlider
from daybank_desktop.widgets.text_layout import qt_index

# How each kind is written in the journal.
_LETTERS: Final = {"world": "W", "experience": "B", "opinion": "O", "observation": "S"}
_NAME = r"@(?:\[[^\]\n]+\]|[^\W_](?:[\w.-]*\w)?)"
_ABOUT = re.compile(rf"(?P<names>{_NAME}(?:\s+{_NAME})*)\s*:\s*")
_LONGEST_LOOKED_AT = 20_000
"""Characters up to which a text is looked through while it is typed; that takes up to 10 ms. A
longer one is looked through before it is saved."""
_LOOK_AFTER = 500
_KEEP_AFTER = 800
_DAY_EVERY = 15_000
_SCREEN_EDGE = 24
_ROOMY, _TIGHT = 168, 64
_RING = 4  # room for the focus ring, which the part that scrolls would cut off


def note_line(text: str, kind: str = "", percent: int | None = None) -> str:
    """The line as it goes into the journal.

    Without a kind it is the text itself. With one it becomes `W @Mara: text`; names that the text
    opens with ("@Mara: …") are whom it is about. A note is one line, so line breaks become spaces.
    """
    if not kind:
        return text.strip()
    words = " ".join(text.split())
    names = ""
    match = _ABOUT.match(words)
    if match is not None and words[match.end() :]:
        names = " " + match["names"]
        words = words[match.end() :]
    sure = f"(c={percent / 100:.2f})" if kind == "opinion" and percent is not None else ""
    return f"{_LETTERS[kind]}{sure}{names}: {words}"


def added_words(day: date, today: date) -> str:
    """What a toast says of a note that went into ``day``: "Added to today, Mon 30 Nov"."""
    if day == today:
        words = QCoreApplication.translate("WriteDown", "Added to today, {day}")
    else:  # it became midnight meanwhile
        words = QCoreApplication.translate("WriteDown", "Added to {day}")
    return words.format(day=phrases.day_neighbour(day))


def secret_question(what: Sequence[str]) -> str:
    """The question before something is written down that looks like a secret. ``what`` are the
    kinds that `find_secrets` names."""
    if len(what) > 1:
        return QCoreApplication.translate(
            "WriteDown",
            "There seem to be %n passwords or keys here. Keep them out of your notes?",
            None,
            len(what),
        )
    questions = {
        "a password": QCoreApplication.translate(
            "WriteDown", "This looks like a password. Keep it out of your notes?"
        ),
        "a code": QCoreApplication.translate(
            "WriteDown", "This looks like a secret code. Keep it out of your notes?"
        ),
        "a card number": QCoreApplication.translate(
            "WriteDown", "This looks like a card number. Keep it out of your notes?"
        ),
        "an account number": QCoreApplication.translate(
            "WriteDown", "This looks like an account number. Keep it out of your notes?"
        ),
        "a password in an address": QCoreApplication.translate(
            "WriteDown", "There seems to be a password in this address. Keep it out of your notes?"
        ),
        "a key in an address": QCoreApplication.translate(
            "WriteDown", "There seems to be a key in this address. Keep it out of your notes?"
        ),
    }
    return questions.get(
        what[0],
        QCoreApplication.translate(
            "WriteDown", "This looks like a secret key. Keep it out of your notes?"
        ),
    )


class _Box(NoteEdit):
    """As high as it is told to be at least; Qt's own wish is a fixed number of pixels."""

    def sizeHint(self) -> QSize:
        return QSize(super().sizeHint().width(), self.minimumHeight())


class _Rows(QWidget):
    """As high as its width makes it; what it would need when narrower is of no interest."""

    def minimumSizeHint(self) -> QSize:
        return QSize(super().minimumSizeHint().width(), 0)


class WriteDownDialog(QDialog):
    """Emits `submitted(line)`; stays open until it is told `accept` or shows an error.

    With ``drafts`` it begins with what was left half written, and keeps what is typed.
    """

    submitted = Signal(str)

    def __init__(
        self,
        people: Sequence[str] = (),
        parent: QWidget | None = None,
        *,
        clock: Clock | None = None,
        drafts: DraftStore | None = None,
    ) -> None:
        super().__init__(parent)
        self._theme = Theme.of(self)
        self._clock = clock or SystemClock()
        self._drafts = drafts
        self._kept: set[str] = set()
        self._fitted = QSize()
        self._drawn = 0
        self.setWindowTitle(self.tr("Write it down"))
        if parent is None:
            self.setWindowFlag(Qt.WindowType.WindowStaysOnTopHint)
            self.setAttribute(Qt.WidgetAttribute.WA_QuitOnClose, False)
        self._title = Label(self.tr("Write it down"), "title")
        self._day = Label("", "small", "text.secondary")
        self.edit = _Box(people)
        self.edit.setPlaceholderText(self.tr("What do you want to remember? @ names somebody."))
        self.edit.setAccessibleName(self.tr("What do you want to remember?"))
        self.edit.textChanged.connect(self._on_text)
        self.edit.installEventFilter(self)

        self._chips = QButtonGroup(self)
        self._chips.setExclusive(True)
        chips = FlowLayout(spacing=6, line_spacing=6)
        self._kinds: dict[str, Chip] = {}
        for kind, word in (
            ("", self.tr("Just text")),
            ("world", self.tr("World")),
            ("experience", self.tr("Experience")),
            ("opinion", self.tr("Opinion")),
            ("observation", self.tr("Observation")),
        ):
            token = f"kind.{kind}" if kind else ""
            chip = Chip(word, icon=token, color=token)
            chip.setToolTip(self._hint(kind))
            self._chips.addButton(chip)
            self._kinds[kind] = chip
            chips.addWidget(chip)
        self._kinds[""].setChecked(True)
        self._chips.buttonToggled.connect(self._on_kind)

        self.sure = SureSlider(75)
        self.sure.hide()
        self._hint_label = Label(self._hint(""), "caption", "text.secondary", wrap=True)
        self._ask = AskBar(self.tr("Leave it out"), self.tr("Keep it"))
        self._ask.first.connect(self._leave_out)
        self._ask.second.connect(self._keep)
        self._trouble = NoticeBar("", "negative", action=self.tr("Copy the text"))
        self._trouble.acted.connect(self._copy)
        self._trouble.hide()
        self._look = QTimer(self, singleShot=True, interval=_LOOK_AFTER)
        self._look.timeout.connect(self._show_secrets)
        self._later = QTimer(self, singleShot=True, interval=_KEEP_AFTER)
        self._later.timeout.connect(self.keep_draft)
        self._midnight = QTimer(self, interval=_DAY_EVERY)
        self._midnight.timeout.connect(self._show_day)

        self._add = Button(self.tr("Add to today"), "primary")
        self._add.setDefault(True)
        self._add.clicked.connect(self._submit)
        self._add.setEnabled(False)
        self._cancel = Button(self.tr("Cancel"), "quiet")
        self._cancel.setAutoDefault(False)
        self._cancel.clicked.connect(self.reject)

        foot = QHBoxLayout()
        foot.setSpacing(self._theme.space(2))
        foot.setContentsMargins(_RING, self._theme.space(1), _RING, 0)
        foot.addStretch(1)
        foot.addWidget(self._cancel)
        foot.addWidget(KeyCap("Ctrl+Return"))
        foot.addWidget(self._add)

        box = QVBoxLayout(self)
        pad = self._theme.space(6)
        top = self._theme.space(5)
        box.setContentsMargins(pad - _RING, top, pad - _RING, top)
        box.setSpacing(self._theme.space(3) - _RING)
        head = QHBoxLayout()
        head.setSpacing(self._theme.space(3))
        head.setContentsMargins(_RING, 0, _RING, 0)
        head.addWidget(self._title, 0, Qt.AlignmentFlag.AlignBaseline)
        head.addStretch(1)
        head.addWidget(self._day, 0, Qt.AlignmentFlag.AlignBaseline)
        body = _Rows()
        self._rows = QVBoxLayout(body)
        self._rows.setContentsMargins(_RING, _RING, _RING, _RING)
        self._rows.setSpacing(self._theme.space(3))
        self._rows.addWidget(self.edit, 1)
        self._rows.addWidget(self._ask)
        self._rows.addWidget(self._trouble)
        self._rows.addLayout(chips)
        self._rows.addWidget(self.sure)
        self._rows.addWidget(self._hint_label)
        self._body = QScrollArea()
        self._body.setWidgetResizable(True)
        self._body.setFrameShape(QFrame.Shape.NoFrame)
        self._body.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._body.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._body.setWidget(body)
        box.addLayout(head)
        box.addWidget(self._body, 1)
        box.addLayout(foot)
        self._theme.changed.connect(self._restyle)
        self._restyle()
        self._show_day()
        if drafts is not None:
            self.set_draft(drafts.pick_up())
        self.edit.setFocus()

    # What is in it

    @property
    def kind(self) -> str:
        """ "world", "experience", "opinion", "observation", or "" for just text."""
        return next(kind for kind, chip in self._kinds.items() if chip.isChecked())

    def set_kind(self, kind: str) -> None:
        self._kinds[kind].setChecked(True)

    @property
    def line(self) -> str:
        """What would be added now; empty while there is nothing to add."""
        text = self.edit.toPlainText()
        return note_line(text, self.kind, self.sure.value) if text.strip() else ""

    @property
    def add_button(self) -> Button:
        return self._add

    @property
    def error(self) -> str:
        return "" if self._trouble.isHidden() else self._trouble.text

    @property
    def question(self) -> str:
        """What is asked about a secret in the text; "" while nothing is."""
        return "" if self._ask.isHidden() else self._ask.text

    @property
    def ask_bar(self) -> AskBar:
        return self._ask

    @property
    def day_text(self) -> str:
        return self._day.text()

    @property
    def text(self) -> str:
        """What is typed, for keeping it as a draft."""
        return self.edit.toPlainText()

    def set_text(self, text: str) -> None:
        """Take up a draft, or start anew with ""."""
        self.edit.setPlainText(text)
        self.edit.moveCursor(QTextCursor.MoveOperation.End)
        self._set_busy(False)

    @property
    def draft(self) -> Draft:
        return Draft(self.text, self.kind, self.sure.value)

    def set_draft(self, draft: Draft) -> None:
        """Take up what was left half written."""
        self.set_text(draft.text)
        self.set_kind(draft.kind)
        self.sure.set_value(draft.percent)

    def add_text(self, text: str) -> None:
        """Put ``text`` below what is there, as a second start hands it over."""
        draft = self.draft.with_more(text)
        if draft.text != self.text:
            cursor = QTextCursor(self.edit.document())
            cursor.select(QTextCursor.SelectionType.Document)
            cursor.insertText(draft.text)  # Ctrl+Z takes it out again
            self.edit.moveCursor(QTextCursor.MoveOperation.End)
        self.keep_draft()

    def keep_draft(self) -> None:
        """Keep what is typed, now: the session ends, or the box is closed."""
        self._later.stop()
        if self._drafts is not None:
            self._drafts.save(self.draft, self._kept)

    def appear(self, activation: str = "") -> None:
        """Show the box before everything else. ``activation`` is the desktop's permission."""
        if self.parent() is not None and not self.isVisible():
            self.open()
        bring_forward(self, activation)
        self.edit.setFocus()

    def show_error(self, text: str) -> None:
        """Say why it was not added. The text stays and can be added again."""
        self._trouble.set_content(text, "negative", action=self.tr("Copy the text"))
        self._trouble.show()
        self._set_busy(False)
        self.keep_draft()
        self.edit.setFocus()
        self._fit()
        self._show_row(self._trouble)

    # Behaviour

    def _hint(self, kind: str) -> str:
        return {
            "": self.tr("Goes into today’s journal as it is."),
            "world": self.tr("A fact about the world, such as an opening time."),
            "experience": self.tr("Something you did or that happened to you."),
            "opinion": self.tr("What somebody believes or prefers, and how sure that is."),
            "observation": self.tr("A summary of several things you noticed."),
        }[kind]

    def _on_kind(self, chip: Chip, chosen: bool) -> None:
        if not chosen:
            return
        self.sure.setVisible(self.kind == "opinion")
        self._hint_label.setText(self._hint(self.kind))
        self._fit()

    def _on_text(self) -> None:
        self._add.setEnabled(bool(self.edit.toPlainText().strip()))
        self._hide_error()
        self._later.start()
        if self.question and not self._undecided():
            self._show_secrets()
        self._look.start()

    def _submit(self) -> None:
        line = self.line
        if not line or not self._add.isEnabled():
            return
        if self._undecided():
            self._show_secrets(look_at_all=True)
            self._ask.first_button.setFocus(Qt.FocusReason.OtherFocusReason)
            return
        self._set_busy(True)
        self._hide_error()
        self._show_day()
        self.submitted.emit(line)

    def _hide_error(self) -> None:
        if not self._trouble.isHidden():
            self._trouble.hide()
            self._fit()

    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(self.text)
        self._trouble.set_content(self._trouble.text, "negative", action=self.tr("Copied"))

    # What looks like a secret

    def _undecided(self) -> list[Secret]:
        """The secrets in the text that nobody has said "keep" to."""
        text = self.text
        # A note of a kind becomes one line, and is looked at as one; the places stay the same.
        looked_at = text.replace("\n", " ") if self.kind else text
        found = find_secrets(looked_at)
        return [s for s in found if text[s.start : s.end] not in self._kept]

    def _show_secrets(self, *, look_at_all: bool = False) -> None:
        self._look.stop()
        if len(self.text) > _LONGEST_LOOKED_AT and not look_at_all:
            return
        found = self._undecided()
        question = secret_question([secret.what for secret in found]) if found else ""
        if question != self.question:
            self._ask.ask(question)
            self._fit()
            self._show_row(self._ask)

    def _leave_out(self) -> None:
        """Take just the secrets out, and let the person look; Ctrl+Z brings them back."""
        text = self.text
        cursor = QTextCursor(self.edit.document())
        cursor.beginEditBlock()
        for secret in reversed(self._undecided()):
            cursor.setPosition(qt_index(text, secret.start))
            cursor.setPosition(qt_index(text, secret.end), QTextCursor.MoveMode.KeepAnchor)
            cursor.removeSelectedText()
        cursor.endEditBlock()
        self.edit.setTextCursor(cursor)
        self.keep_draft()
        self._show_secrets(look_at_all=True)
        self.edit.setFocus()

    def _keep(self) -> None:
        """The person has decided; what else turns up later is asked about anew."""
        text = self.text
        self._kept |= {text[secret.start : secret.end] for secret in self._undecided()}
        self.keep_draft()
        self._show_secrets(look_at_all=True)
        self.edit.setFocus()

    def _set_busy(self, busy: bool) -> None:
        self.edit.setReadOnly(busy)
        self._add.setEnabled(not busy and bool(self.edit.toPlainText().strip()))

    def _show_day(self) -> None:
        """The day is that of saving, so it goes on at midnight under the person's hands."""
        day = phrases.day_neighbour(self._clock.today())
        self._day.setText(self.tr("Goes into today, {day}").format(day=day))

    # How it looks

    def _restyle(self) -> None:
        self.edit.setFont(self._theme.font("reading"))
        self._body.setMinimumHeight(self._theme.px(80))
        self._fit()

    def _fit(self) -> None:
        """As large as it needs to be, and never larger than the screen: there the box to write in
        gives way, and then what is between title and buttons scrolls. What the person has drawn
        larger stays so."""
        if self.layout() is None:  # still being built
            return
        screen = self.screen().availableSize() - QSize(_SCREEN_EDGE, 2 * _SCREEN_EDGE)
        width = min(self._theme.px(560), screen.width())
        self.setMinimumWidth(width)
        wide = max(width, self.width()) if self.isVisible() else width
        roomy, tight = self._theme.px(_ROOMY), self._theme.px(_TIGHT)
        self.edit.setMinimumHeight(roomy)
        needed = self._needed(wide)
        if needed > screen.height():
            self.edit.setMinimumHeight(max(tight, roomy - (needed - screen.height())))
            needed = min(self._needed(wide), screen.height())
        if self.isVisible() and self.size() != self._fitted:
            self._drawn = self.height()
        self._fitted = QSize(wide, max(needed, self._drawn))
        self.resize(self._fitted)
        self._scroll_if_needed()

    def _needed(self, wide: int) -> int:
        """How high the whole is at that width without a scroll bar."""
        layout = self.layout()
        assert layout is not None
        self._rows.activate()
        margins = layout.contentsMargins()
        around = layout.totalSizeHint().height() - self._body.sizeHint().height()
        return around + self._rows.totalHeightForWidth(wide - margins.left() - margins.right())

    def _scroll_if_needed(self) -> None:
        """Said by us: left to itself the bar comes while a row unfolds, makes the rows narrower and
        so higher, and then is needed for good."""
        fits = self._needed(self.width()) <= self.height()
        policy = Qt.ScrollBarPolicy
        self._body.setVerticalScrollBarPolicy(
            policy.ScrollBarAlwaysOff if fits else policy.ScrollBarAsNeeded
        )
        # It measures its rows anew only when they ask for it.
        self._rows.invalidate()

    def _show_row(self, row: QWidget) -> None:
        """Scroll to a row that has just come up, once it has its place."""
        if not row.isHidden():
            QTimer.singleShot(0, row, lambda: self._body.ensureWidgetVisible(row, 0, _RING))

    # Qt

    def done(self, result: int) -> None:
        """Saved: the draft is forgotten. Left: it is kept."""
        self._look.stop()
        if result == QDialog.DialogCode.Accepted:
            self._later.stop()
            if self._drafts is not None:
                self._drafts.forget()
        else:
            self.keep_draft()
        super().done(result)

    def showEvent(self, event: QShowEvent) -> None:
        self._show_day()
        self._midnight.start()
        self._fit()
        super().showEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._scroll_if_needed()

    def hideEvent(self, event: QHideEvent) -> None:
        self._midnight.stop()
        super().hideEvent(event)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self.edit and event.type() == QEvent.Type.KeyPress:
            assert isinstance(event, QKeyEvent)
            enter = event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter)
            if enter and event.modifiers() & Qt.KeyboardModifier.ControlModifier:
                self._submit()
                return True
        return super().eventFilter(watched, event)
