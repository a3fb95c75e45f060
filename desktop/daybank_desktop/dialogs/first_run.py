"""The first start: where the notes are, what Daybank will do with them, and the first reading.

GUI thread; looking into folders, making one and copying the sample run on workers. The dialog opens
nothing itself: it hands over a folder with ``chosen`` and shows how the library gets on with it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import (
    QDialog,
    QFileDialog,
    QHBoxLayout,
    QScrollArea,
    QSizePolicy,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from daybank.errors import Cancelled, DaybankError
from daybank.progress import Progress
from daybank_desktop import phrases
from daybank_desktop.services.library import Library
from daybank_desktop.tasks import Lane, Tasks
from daybank_desktop.theme import Theme
from daybank_desktop.widgets.announce import announce
from daybank_desktop.widgets.buttons import Button
from daybank_desktop.widgets.error_line import ErrorLine
from daybank_desktop.widgets.glyph import Glyph
from daybank_desktop.widgets.label import Label
from daybank_desktop.widgets.progress_line import ProgressBar
from daybank_desktop.widgets.surface import Card, Surface
from daybank_desktop.widgets.toggle import ChoiceCard
from daybank_desktop.widgets.welcome_picture import WelcomePicture

if TYPE_CHECKING:
    from daybank import FolderSummary

SIZE = (940, 648)
_PICTURE = 312
_SIDE = 40
_RING = 4  # room for the ring around a card that has the keyboard


@dataclass(frozen=True)
class Folders:
    """What the assistant needs from outside. All but ``ask`` are called on a worker.

    ``ask(title, start)`` has the person pick a folder and gives None when they change their mind.
    """

    documents: Path
    home: Path
    inspect: Callable[[Path], FolderSummary]
    create: Callable[[Path], Path]
    copy_sample: Callable[[Path], Path]
    sample_name: str
    ask: Callable[[str, Path], Path | None] | None = None


class FirstRun(QDialog):
    """Three steps; Esc and *Not now* leave everything as it was."""

    chosen = Signal(object)  # Path

    def __init__(
        self, tasks: Tasks, library: Library, folders: Folders, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._theme = Theme.of(self)
        self._tasks = tasks
        self._library = library
        self._folders = folders
        self._folder: Path | None = None
        self._is_fit = False
        self._new_folder = folders.documents / self.tr("Daybank")
        self._target: Path | None = None
        self.setWindowTitle(self.tr("Welcome to Daybank"))
        self._build_cards()
        self._build_steps()
        self._connect()
        self.resize(*self._start_size())
        self._go(0)
        self.open_card.setChecked(True)

        # Building
        self.open_card.setFocus(Qt.FocusReason.OtherFocusReason)

    def _start_size(self) -> tuple[int, int]:
        screen = self.screen().availableSize() if self.screen() is not None else QSize(*SIZE)
        px = self._theme.px
        width, height = max(SIZE[0], px(SIZE[0])), max(SIZE[1], px(SIZE[1]))
        return min(width, screen.width() - 20), min(height, screen.height() - 40)

    def _build_cards(self) -> None:
        self.open_card = ChoiceCard(
            "action.reveal",
            self.tr("Open a folder I already have"),
            self.tr(
                "Text or Markdown notes, an Obsidian vault, a Logseq journal: all fine as they are."
            ),
        )
        self.new_card = ChoiceCard(
            "start.new",
            self.tr("Start a new folder"),
            self.tr("An empty journal, ready for today’s first line."),
        )
        self.sample_card = ChoiceCard(
            "start.sample",
            self.tr("Look around with a sample"),
            self.tr("Half a year of a made-up person’s notes. Easy to remove."),
        )
        self.place = FolderRow(self.tr("Choose a folder…"))
        self.place.show_empty(self.tr("No folder chosen yet"))
        self.new_place = FolderRow(self.tr("Choose another…"))
        self.new_place.show_folder(self._shown(self._new_folder), "")
        self.sample_place = FolderRow("")
        sample = self._folders.documents / self._folders.sample_name
        self.sample_place.show_folder(self._shown(sample), self.tr("a copy of your own"))
        self.open_card.set_extra(self.place)
        self.new_card.set_extra(self.new_place)
        self.sample_card.set_extra(self.sample_place)
        self.error = ErrorLine()

    def _build_steps(self) -> None:
        self._step_label = Label("", "small", "text.secondary")
        self._title = Label("", "titleLarge", wrap=True)
        self._steps = QStackedWidget()
        for step in (self._where_step(), self._what_step(), self._reading_step()):
            self._steps.addWidget(step)
        self._dots = _Dots(3)
        self._later = Button(self.tr("Not now"), "quiet")
        self._back = Button(self.tr("Back"), "quiet")
        self.next = Button(self.tr("Continue"), "primary")
        self.next.setDefault(True)
        for button in (self._later, self._back):
            button.setAutoDefault(False)
        foot = QHBoxLayout()
        foot.setSpacing(8)
        foot.addWidget(self._dots)
        foot.addStretch(1)
        foot.addWidget(self._later)
        foot.addWidget(self._back)
        foot.addWidget(self.next)
        inside = QWidget()
        column = QVBoxLayout(inside)
        column.setContentsMargins(_SIDE - _RING, 40, _SIDE - _RING, 12)
        column.setSpacing(0)
        for label in (self._step_label, self._title):
            label.setContentsMargins(_RING, 0, _RING, 0)
        column.addWidget(self._step_label)
        column.addSpacing(8)
        column.addWidget(self._title)
        column.addSpacing(18 - _RING)
        column.addWidget(self._steps, 1)
        scroll = QScrollArea()
        scroll.setWidgetResizable(True)
        scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        scroll.setWidget(inside)
        scroll.viewport().setAutoFillBackground(False)
        inside.setAutoFillBackground(False)
        right = QVBoxLayout()
        right.setSpacing(0)
        right.addWidget(scroll, 1)
        bottom = QVBoxLayout()
        bottom.setContentsMargins(_SIDE, 8, _SIDE, 24)
        bottom.addWidget(self.error)
        bottom.addSpacing(4)
        bottom.addLayout(foot)
        right.addLayout(bottom)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        row.addWidget(self._picture_side())
        row.addLayout(right, 1)

    def _picture_side(self) -> QWidget:
        side = Surface("accent.soft")
        side.setFixedWidth(_PICTURE)
        column = QVBoxLayout(side)
        column.setContentsMargins(34, 44, 30, 24)
        column.setSpacing(0)
        column.addWidget(WelcomePicture(), 0, Qt.AlignmentFlag.AlignHCenter)
        column.addSpacing(48)
        column.addWidget(
            Label(self.tr("Find what you wrote, years later."), "titleLarge", wrap=True)
        )
        column.addSpacing(8)
        promise = self.tr(
            "Daybank reads your notes where they are. It never moves or rewrites them without "
            "asking."
        )
        column.addWidget(Label(promise, "body", "text.secondary", wrap=True))
        column.addStretch(1)
        line = QHBoxLayout()
        line.setSpacing(8)
        line.addWidget(Glyph("state.private", size=16), 0, Qt.AlignmentFlag.AlignTop)
        stays = self.tr("Everything stays on this computer. No account, no internet needed.")
        line.addWidget(Label(stays, "small", "text.secondary", wrap=True), 1)
        column.addLayout(line)
        return side

    def _where_step(self) -> QWidget:
        step = QWidget()
        column = QVBoxLayout(step)
        column.setContentsMargins(_RING, _RING, _RING, _RING)
        column.setSpacing(12)
        for card in (self.open_card, self.new_card, self.sample_card):
            column.addWidget(card)
        column.addStretch(1)
        return step

    def _what_step(self) -> QWidget:
        step = QWidget()
        column = QVBoxLayout(step)
        column.setContentsMargins(_RING, _RING, _RING, _RING)
        column.setSpacing(12)
        for icon, title, text in (
            (
                "action.read",
                self.tr("Reads your notes where they are"),
                self.tr("Nothing is copied, moved or sent anywhere."),
            ),
            (
                "page.search",
                self.tr("Keeps what it needs for searching in a hidden folder"),
                self.tr(
                    "It is called .memory and lies inside your notes. Your notes do not depend on "
                    "it; the suggestions that wait, and your answers, are kept there."
                ),
            ),
            (
                "state.private",
                self.tr("Changes nothing without your yes"),
                self.tr("What you write down is added to today’s page. All else asks first."),
            ),
        ):
            column.addWidget(_Point(icon, title, text))
        column.addStretch(1)
        return step

    def _reading_step(self) -> QWidget:
        step = QWidget()
        column = QVBoxLayout(step)
        column.setContentsMargins(_RING, _RING, _RING, _RING)
        column.setSpacing(0)
        card = Card()
        inside = QVBoxLayout(card)
        inside.setContentsMargins(20, 18, 20, 20)
        inside.setSpacing(10)
        self.reading = Label("", "bodyStrong", wrap=True, tabular=True)
        self._bar = ProgressBar()
        self._bar.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._reading_hint = Label("", "body", "text.secondary", wrap=True)
        inside.addWidget(self.reading)
        inside.addWidget(self._bar)
        inside.addWidget(self._reading_hint)
        column.addWidget(card)
        column.addStretch(1)
        return step

    def _connect(self) -> None:
        library = self._library
        for card in (self.open_card, self.new_card, self.sample_card):
            card.toggled.connect(self._on_choice)
        self.place.pressed.connect(self.choose_folder)
        self.new_place.pressed.connect(self.choose_new_place)
        self.next.clicked.connect(self._on_next)
        self._back.clicked.connect(lambda: self._go(self.step - 1))
        self._later.clicked.connect(self.reject)
        library.open_failed.connect(self._on_open_failed)
        library.sync_progress.connect(self._on_progress)
        library.sync_finished.connect(self._on_read)
        library.sync_failed.connect(self._on_read_failed)
        library.overview_changed.connect(self._on_overview)

    # Where the notes are

    @property
    def step(self) -> int:
        return self._steps.currentIndex()

    def choose_folder(self) -> None:
        """Pick the folder that the notes are in."""
        start = self._folder or self._folders.documents
        folder = self._ask(self.tr("Where are your notes?"), start)
        if folder is not None:
            self.set_folder(folder)

    def set_folder(self, folder: Path) -> None:
        """Take ``folder`` and look what is in it."""
        self._folder = folder
        self._is_fit = False
        self.error.set_text("")
        self.open_card.setChecked(True)
        self.place.show_busy(self._shown(folder), self.tr("Having a look…"))
        self.place.set_button(self.tr("Choose another…"))
        self._refresh()
        self._tasks.run(
            Lane.READ,
            lambda job: self._folders.inspect(folder),
            done=self._on_inspected,
            failed=self._on_unfit,
            channel="inspect",
        )

    def choose_new_place(self) -> None:
        """Pick where the new folder is to be."""
        folder = self._ask(self.tr("Where should the new folder be?"), self._folders.documents)
        if folder is not None:
            self._new_folder = folder
            self.new_place.show_folder(self._shown(folder), "")
            self.error.set_text("")

    def _ask(self, title: str, start: Path) -> Path | None:
        if self._folders.ask is not None:
            return self._folders.ask(title, start)
        name = QFileDialog.getExistingDirectory(self, title, str(start))
        return Path(name) if name else None

    def _on_inspected(self, summary: FolderSummary) -> None:
        assert self._folder is not None
        self._is_fit = True
        if summary.is_empty:
            words = self.tr("No notes yet")
        else:
            words = f"{phrases.days_count(summary.days)}, {phrases.pages_count(summary.pages)}"
            if not summary.complete:
                words = self.tr("More than {count}").format(count=words)
        self.place.show_folder(self._shown(self._folder), words)
        announce(self, words)
        self._refresh()

    def _on_unfit(self, error: DaybankError) -> None:
        if self._folder is not None:
            self.place.show_empty(self._shown(self._folder))
        self._show_error(error)
        self._refresh()

    def _on_choice(self) -> None:
        self.error.set_text("")
        self._refresh()

    def _shown(self, folder: Path) -> str:
        """“Documents › Notes”: from home on, where it lies under home."""
        try:
            parts = folder.relative_to(self._folders.home).parts
        except ValueError:
            return str(folder)
        return " › ".join(parts) or folder.name

    # From step to step

    def _go(self, step: int) -> None:
        self._steps.setCurrentIndex(step)
        self._dots.set_current(step)
        self._step_label.setText(
            self.tr("Step {number} of {steps}").format(number=step + 1, steps=3)
        )
        self._title.setText(
            (
                self.tr("Where are your notes?"),
                self.tr("What Daybank will do"),
                self.tr("Reading your notes"),
            )[step]
        )
        self._later.setVisible(step == 0)
        self._back.setVisible(step == 1)
        self.next.setText(
            (self.tr("Continue"), self.tr("Start reading"), self.tr("Start searching now"))[step]
        )
        self.error.set_text("")
        self._refresh()
        if step > 0:
            self.next.setFocus(Qt.FocusReason.OtherFocusReason)
        announce(self, self._title.text())

    def _refresh(self) -> None:
        fit = self._is_fit if self.open_card.isChecked() else True
        self.next.setEnabled(self.step > 0 or fit)

    def _on_next(self) -> None:
        if self.step == 0:
            self._go(1)
        elif self.step == 1:
            self._prepare()
        else:
            self.accept()

    def _prepare(self) -> None:
        """Make the folder if it has to be made, then hand it over."""
        self.error.set_text("")
        self.next.setEnabled(False)
        if self.open_card.isChecked():
            assert self._folder is not None
            self._hand_over(self._folder)
            return
        new, folders = self._new_folder, self._folders
        if self.new_card.isChecked():
            self._tasks.run(
                Lane.WRITE,
                lambda job: folders.create(new),
                done=self._hand_over,
                failed=self._on_open_failed,
                channel="prepare",
            )
        else:
            self._tasks.run(
                Lane.WRITE,
                lambda job: folders.copy_sample(folders.documents),
                done=self._hand_over,
                failed=self._on_open_failed,
                channel="prepare",
            )

    def _hand_over(self, folder: Path) -> None:
        self._target = folder
        self._go(2)
        self.reading.setText(self.tr("Reading your notes…"))
        self._reading_hint.setText(
            self.tr("You can search already; the rest appears as it is read.")
        )
        self._bar.set_share(0)
        self._bar.show()
        self.chosen.emit(folder)

    def _on_open_failed(self, error: DaybankError) -> None:
        if not self.isVisible():
            return
        self._go(0)
        self._show_error(error)

    def _show_error(self, error: DaybankError) -> None:
        self.error.set_text(f"{error.title} {error.message}".strip())

    # The first reading

    def _on_progress(self, progress: Progress) -> None:
        if self.step != 2:
            return
        if progress.total:
            self.reading.setText(
                self.tr("Reading your notes, {done} of {total}").format(
                    done=phrases.count(progress.done), total=phrases.count(progress.total)
                )
            )
            self._bar.set_share(progress.done / progress.total)

    def _on_read(self, report: object) -> None:
        if self.step == 2:
            self._bar.set_share(1)
            self.reading.setText(self.tr("All read."))
            self._reading_hint.setText("")

    def _on_overview(self, overview: object) -> None:
        notes, days = overview.notes, overview.days  # type: ignore[attr-defined]
        if self.step == 2 and not self._library.is_syncing and notes:
            self._reading_hint.setText(
                self.tr("{notes} from {days}.").format(
                    notes=phrases.notes_count(notes), days=phrases.days_count(days)
                )
            )

    def _on_read_failed(self, error: DaybankError) -> None:
        if self.step == 2 and not isinstance(error, Cancelled):
            self._bar.hide()
            self.reading.setText(error.title)
            self._reading_hint.setText(error.message)


class FolderRow(Card):
    """A folder in a choice: its place, what is in it, and a button to choose another."""

    pressed = Signal()

    def __init__(self, button: str) -> None:
        super().__init__(fill="bg.sunken", border="", radius="sm")
        self._glyph = Glyph("state.ok", "positive", 16)
        self._place = Label("", "captionStrong", elide=True)
        self._words = Label("", "small", "text.secondary", elide=True, tabular=True)
        self._button = Button(button, small=True)
        self._button.setAutoDefault(False)
        self._button.setVisible(bool(button))
        self._button.clicked.connect(self.pressed)
        row = QHBoxLayout(self)
        row.setContentsMargins(12, 8, 8, 8)
        row.setSpacing(8)
        row.addWidget(self._glyph)
        row.addWidget(self._place)
        row.addWidget(self._words, 1)
        row.addWidget(self._button)

    @property
    def words(self) -> str:
        return f"{self._place.text()} {self._words.text()}".strip()

    def set_button(self, text: str) -> None:
        self._button.setText(text)

    def show_folder(self, place: str, words: str) -> None:
        self._show("state.ok", "positive", place, words)

    def show_busy(self, place: str, words: str) -> None:
        self._show("thing.file", "text.secondary", place, words)

    def show_empty(self, words: str) -> None:
        self._show("action.reveal", "text.secondary", "", words)

    def _show(self, icon: str, color: str, place: str, words: str) -> None:
        self._glyph.set_icon(icon, color)
        self._place.setText(place)
        self._place.setVisible(bool(place))
        self._words.setText(words)


class _Point(Card):
    """One thing that Daybank does: icon, a line, a sentence."""

    def __init__(self, icon: str, title: str, text: str) -> None:
        super().__init__()
        row = QHBoxLayout(self)
        row.setContentsMargins(19, 16, 19, 16)
        row.setSpacing(16)
        glyph = Glyph(icon, "accent", 18, tile="accent.soft", tile_size=40)
        row.addWidget(glyph, 0, Qt.AlignmentFlag.AlignTop)
        words = QVBoxLayout()
        words.setSpacing(0)
        words.addWidget(Label(title, "heading", wrap=True))
        words.addWidget(Label(text, "body", "text.secondary", wrap=True))
        row.addLayout(words, 1)


class _Dots(QWidget):
    """Which step this is."""

    def __init__(self, steps: int) -> None:
        super().__init__()
        self._steps = steps
        self._current = 0
        self._theme = Theme.of(self)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    def set_current(self, current: int) -> None:
        self._current = current
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(self._steps * 14, 10)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        for step in range(self._steps):
            color = "accent" if step == self._current else "border.default"
            painter.setBrush(self._theme.color(color))
            painter.drawEllipse(QRectF(step * 14, 1, 8, 8))
