"""Two versions of a page beside each other: the one that is searched, and the copy that a sync
program made. The person settles it in their own editor; Daybank changes neither file.

GUI thread. The files are read and compared by the service.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import date

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QGuiApplication, QResizeEvent
from PySide6.QtWidgets import QDialog, QHBoxLayout, QVBoxLayout, QWidget

from daybank.errors import DaybankError
from daybank_desktop import health_words, phrases, suggestion_words
from daybank_desktop.services.health import Compared, Health
from daybank_desktop.theme import Theme
from daybank_desktop.widgets import text_layout
from daybank_desktop.widgets.buttons import Button
from daybank_desktop.widgets.column_area import ColumnArea
from daybank_desktop.widgets.diff_view import DiffMode, DiffView
from daybank_desktop.widgets.empty_state import EmptyState
from daybank_desktop.widgets.error_card import ErrorCard
from daybank_desktop.widgets.flow_layout import FlowLayout
from daybank_desktop.widgets.label import Label
from daybank_desktop.widgets.skeleton import Skeleton
from daybank_desktop.widgets.surface import Card

_SIZE = (1080, 640)
_SIDES_FROM = 760


class CompareDialog(QDialog):
    """``copy`` is one of ``copies``; with several, one goes from one to the next."""

    edit_requested = Signal(str)  # a file, to be opened in the person's editor
    reveal_requested = Signal(str)  # a file, to be shown in the file manager

    def __init__(
        self,
        health: Health,
        copy: str,
        copies: Sequence[str],
        today: Callable[[], date],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._theme = Theme.of(self)
        self._health = health
        self._copies = tuple(copies) or (copy,)
        self._copy = copy
        self._today = today
        self._pair: Compared | None = None
        self.title = Label("", "title", wrap=True)
        self.line = Label(
            self.tr(
                "A sync program made the copy. Take over what you want to keep, then remove the"
                " copy yourself: Daybank changes neither file."
            ),
            "small",
            "text.secondary",
            wrap=True,
        )
        self.names = Label("", "small", wrap=True)
        self.diff = DiffView()
        self.diff.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.more = Button("", "link", small=True)
        self.nothing = EmptyState()
        self.error = ErrorCard()
        self.skeleton = Skeleton(3)
        self.previous = Button(self.tr("Previous"), "quiet", icon="action.back")
        self.next = Button(self.tr("Next"), "quiet", icon="action.forward")
        self.edit = Button(self.tr("Open both in the editor"), icon="action.openEditor")
        self.reveal = Button(self.tr("Show in folder"), icon="action.reveal")
        self.close_button = Button(self.tr("Close"), "primary")
        self._build()
        self._connect()
        self._resize_to_screen()
        self._open(copy)

    def _build(self) -> None:
        card = Card()
        column = QVBoxLayout(card)
        column.setContentsMargins(1, 1, 1, 1)
        column.setSpacing(0)
        column.addWidget(self.diff)
        column.addWidget(self.more, 0, Qt.AlignmentFlag.AlignLeft)
        self.area = ColumnArea()
        self.area.box.addWidget(card)
        self.area.box.addStretch(1)
        self.area.setAccessibleName(self.tr("Where they differ"))
        self._foot = QWidget()
        foot = FlowLayout(self._foot)
        for button in (self.edit, self.reveal, self.previous, self.next):
            button.setAutoDefault(False)
            foot.addWidget(button)
        box = QVBoxLayout(self)
        pad = self._theme.space(6)
        box.setContentsMargins(pad, self._theme.space(5), pad, self._theme.space(5))
        box.setSpacing(self._theme.space(2))
        for part in (self.title, self.line, self.names, self.error, self.skeleton):
            box.addWidget(part)
        box.addWidget(self.nothing, 1)
        box.addWidget(self.area, 1)
        feet = QHBoxLayout()
        feet.addWidget(self._foot, 1)
        feet.addWidget(self.close_button, 0, Qt.AlignmentFlag.AlignBottom)
        box.addLayout(feet)

    def _connect(self) -> None:
        health = self._health
        health.compared.connect(self._on_compared)
        health.compare_failed.connect(self._on_failed)
        self.previous.clicked.connect(lambda: self._step(-1))
        self.next.clicked.connect(lambda: self._step(1))
        self.edit.clicked.connect(self._edit)
        self.reveal.clicked.connect(lambda: self.reveal_requested.emit(self._copy))
        self.close_button.clicked.connect(self.accept)
        self.more.clicked.connect(self._show_all)
        self.error.primary_clicked.connect(lambda: self._open(self._copy))

    def _resize_to_screen(self) -> None:
        screen = QGuiApplication.primaryScreen()
        width, height = (self._theme.px(side) for side in _SIZE)
        if screen is not None:
            room = screen.availableSize()
            width, height = min(width, room.width() - 40), min(height, room.height() - 80)
        self.resize(width, height)

    # From one to the next

    def _open(self, copy: str) -> None:
        self._copy, self._pair = copy, None
        page = text_layout.shown(health_words.copied_page(copy, self._today()))
        self.title.setText(self.tr("Two versions of {page}").format(page=page))
        self.setWindowTitle(self.title.text())
        several = len(self._copies) > 1
        at = self._copies.index(copy) if copy in self._copies else 0
        for button in (self.previous, self.next):
            button.setVisible(several)
        self.previous.setEnabled(at > 0)
        self.next.setEnabled(at < len(self._copies) - 1)
        self.names.setText("")
        self._show(self.skeleton)
        self.skeleton.start()
        self._health.compare(copy, self._copies)

    def _step(self, by: int) -> None:
        at = self._copies.index(self._copy) if self._copy in self._copies else 0
        if 0 <= at + by < len(self._copies):
            self._open(self._copies[at + by])

    def _on_compared(self, pair: Compared) -> None:
        if pair.copy != self._copy:
            return
        self.skeleton.stop()
        self._pair = pair
        self.names.setText(self._names(pair))
        found = pair.comparison
        if not pair.original:
            self._say_nothing(
                self.tr("The first version is not there any more"),
                self.tr("Only the copy is left. Rename it to have it searched."),
            )
        elif found is None:
            self._say_nothing(
                self.tr("They differ in too many lines to be compared here"),
                self.tr("Open both in your editor to see what is different."),
            )
        elif not found.changes:
            self._say_nothing(
                self.tr("Both say the same"),
                self.tr("No line differs. You can remove the copy in your file manager."),
            )
        else:
            self.diff.set_rows(found.rows)
            self.diff.set_titles(
                self.tr("The one that is searched"), self.tr("The copy, as it stands in its file")
            )
            self._say_more()
            self._show(self.area)
            self._fit_diff()

    def _on_failed(self, copy: str, error: DaybankError) -> None:
        if copy != self._copy:
            return
        self.skeleton.stop()
        self.error.set_content(error.title, error.message, primary=self.tr("Try again"))
        self._show(self.error)

    def _names(self, pair: Compared) -> str:
        """Both files, each with the moment it was last changed."""
        parts = []
        for path, changed in (
            (pair.original, pair.original_changed),
            (pair.copy, pair.copy_changed),
        ):
            if not path:
                continue
            name = text_layout.shown(path)
            if changed is not None:
                when = suggestion_words.moment(changed, self._today())
                name = self.tr("{file} · changed {when}").format(file=name, when=when)
            parts.append(name)
        return "\n".join(parts)

    def _say_nothing(self, title: str, text: str) -> None:
        self.nothing.set_content("health.copies", title, text)
        self._show(self.nothing)

    def _say_more(self) -> None:
        hidden = self.diff.hidden_rows
        self.more.setText(self.tr("Show {count} more lines").format(count=phrases.count(hidden)))
        self.more.setVisible(hidden > 0)

    def _show_all(self) -> None:
        self.diff.show_all()
        self._say_more()
        self._fit_diff()
        self.area.setFocus(Qt.FocusReason.OtherFocusReason)

    def _show(self, part: QWidget) -> None:
        for other in (self.skeleton, self.error, self.nothing, self.area):
            other.setVisible(other is part)
        has_both = self._pair is not None and bool(self._pair.original)
        self.edit.setText(
            self.tr("Open both in the editor") if has_both else self.tr("Open in the editor")
        )

    def _edit(self) -> None:
        original = self._pair.original if self._pair is not None else ""
        for path in (original, self._copy):
            if path:
                self.edit_requested.emit(path)

    def done(self, result: int) -> None:
        self._health.cancel_compare()
        super().done(result)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        wide = self.width() >= self._theme.px(_SIDES_FROM)
        self.diff.set_mode(DiffMode.SIDE_BY_SIDE if wide else DiffMode.IN_ONE)
        self._fit_diff()

    def _fit_diff(self) -> None:
        """As high as its rows; a layout would keep the height of an earlier width."""
        layout = self.layout()
        if layout is not None:
            layout.activate()
        self.diff.setFixedHeight(self.diff.heightForWidth(self.area.viewport().width() - 2))
