"""The reader: a page of the notes with its title, what can be done with it, and its neighbours.

It asks for nothing and opens nothing by itself: every wish leaves by signal. GUI thread.
"""

from __future__ import annotations

from datetime import date

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QFontMetricsF,
    QKeySequence,
    QPainter,
    QPaintEvent,
    QResizeEvent,
    QShortcut,
)
from PySide6.QtWidgets import (
    QHBoxLayout,
    QMenu,
    QPushButton,
    QSizePolicy,
    QStackedLayout,
    QVBoxLayout,
    QWidget,
)

from daybank.errors import DaybankError
from daybank.markdown.model import Page, Role, Source
from daybank_desktop import phrases
from daybank_desktop.theme import Theme
from daybank_desktop.widgets import paint
from daybank_desktop.widgets.buttons import Button, IconButton
from daybank_desktop.widgets.error_card import ErrorCard
from daybank_desktop.widgets.glyph import Glyph
from daybank_desktop.widgets.label import Label
from daybank_desktop.widgets.notice_bar import NoticeBar
from daybank_desktop.widgets.page_view import LEFT, PageView
from daybank_desktop.widgets.surface import Surface

Neighbour = tuple[date, str]


class Reader(Surface):
    """Shows one page at a time, or an empty sheet while there is none."""

    copy_asked = Signal()
    edit_asked = Signal(str)  # path
    reveal_asked = Signal(str)  # path
    copy_path_asked = Signal(str)
    entity_asked = Signal(str)
    page_asked = Signal(str)  # a path
    link_asked = Signal(str)  # a link to a page, as it is written on the page in sight
    web_asked = Signal(str)
    back_asked = Signal()
    retry_asked = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("bg.surface", parent=parent)
        self._page: Page | None = None
        self._view = PageView()
        self._header = _Header()
        self._footer = _Footer()
        self._notice = NoticeBar()
        self._error = ErrorCard()
        self._stack = QStackedLayout()

        around = QVBoxLayout()
        around.setContentsMargins(LEFT - 14, 12, 26, 0)
        around.addWidget(self._notice)
        self._notice_room = QWidget()
        self._notice_room.setLayout(around)
        self._notice_room.hide()
        shown = QWidget()
        column = QVBoxLayout(shown)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self._header)
        column.addWidget(self._notice_room)
        column.addWidget(self._view, 1)
        column.addWidget(self._footer)
        failed = QWidget()
        rows = QVBoxLayout(failed)
        rows.setContentsMargins(24, 24, 24, 24)
        rows.addWidget(self._error)
        rows.addStretch(1)
        for widget in (QWidget(), shown, failed):
            self._stack.addWidget(widget)
        self.setLayout(self._stack)

        self._view.entity_asked.connect(self.entity_asked)
        self._view.page_asked.connect(self.link_asked)
        self._view.web_asked.connect(self.web_asked)
        self._footer.page_asked.connect(self.page_asked)
        self._header.copy.clicked.connect(self.copy_asked)
        self._header.copy_icon.clicked.connect(self.copy_asked)
        self._header.back.clicked.connect(self.back_asked)
        self._header.edit.clicked.connect(lambda: self._with_path(self.edit_asked))
        self._header.reveal.clicked.connect(lambda: self._with_path(self.reveal_asked))
        self._header.more.clicked.connect(self._show_more)
        self._error.primary_clicked.connect(self.retry_asked)
        back = QShortcut(QKeySequence(Qt.Key.Key_Escape), self)
        back.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
        back.activated.connect(self.back_asked)
        self.setFocusProxy(self._view)

    @property
    def view(self) -> PageView:
        return self._view

    @property
    def page(self) -> Page | None:
        """The page in sight, None while there is none."""
        return self._page

    @property
    def title(self) -> str:
        return self._header.title.text()

    @property
    def notice(self) -> str:
        return "" if self._notice_room.isHidden() else self._notice.text

    def set_back_shown(self, shown: bool) -> None:
        """Offer the way back to the list, where the two take turns."""
        self._header.back.setVisible(shown)

    def show_page(
        self,
        page: Page,
        cited: Source | None = None,
        marks: tuple[str, ...] = (),
        *,
        is_gone: bool = False,
        before: Neighbour | None = None,
        after: Neighbour | None = None,
    ) -> None:
        """Show ``page``; ``is_gone`` when the text that was asked for is not in it any more."""
        is_same = (
            self._page == page and self._view.cited == cited and self._stack.currentIndex() == 1
        )
        self._page = page
        self._header.set_page(page)
        self._footer.set_neighbours(before, after)
        if is_gone:
            self._notice.set_content(self.tr("The source has changed since."))
        self._notice_room.setVisible(is_gone)
        self._stack.setCurrentIndex(1)
        if not (is_same and self._view.marks == marks):
            self._view.show_page(page, cited, marks)

    def show_error(self, error: DaybankError, *, retry: str = "") -> None:
        """Say why a page cannot be shown."""
        self._page = None
        self._view.clear_page()
        self._error.set_content(error.title, error.message, primary=retry)
        self._stack.setCurrentIndex(2)

    def show_nothing(self) -> None:
        """An empty sheet."""
        self._page = None
        self._view.clear_page()
        self._stack.setCurrentIndex(0)

    def _with_path(self, signal: object) -> None:
        if self._page is not None:
            signal.emit(self._page.path)  # type: ignore[attr-defined]

    def _show_more(self) -> None:
        page = self._page
        if page is None:
            return
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.addAction(
            self.tr("Copy the path of this file"), lambda: self.copy_path_asked.emit(page.path)
        )
        if not self._view.shows_all:
            menu.addAction(self.tr("Show the whole page"), self._view.show_all)
        if self._view.cited is not None:
            menu.addAction(self.tr("Go to the lines that were found"), self._view.show_cited)
        more = self._header.more
        menu.popup(more.mapToGlobal(more.rect().bottomLeft()))


class _Header(Surface):
    def __init__(self) -> None:
        super().__init__("bg.surface", edges=["bottom"])
        self.title = Label("", "heading", elide=True)
        self._caption = Label("", "caption", "text.secondary", elide=True)
        self._icon = Glyph("thing.file", "text.secondary", 14)
        self.back = IconButton("action.back", self.tr("Back to the list"))
        self.back.hide()
        self.copy = Button(self.tr("Copy with source"), "quiet", icon="action.copy")
        self.copy_icon = IconButton("action.copy", self.tr("Copy with source"))
        self.copy_icon.hide()
        self.edit = IconButton("action.openEditor", self.tr("Open in your editor"))
        self.reveal = IconButton("action.reveal", self.tr("Show in its folder"))
        self.more = IconButton("action.more", self.tr("More"))
        words = QVBoxLayout()
        words.setSpacing(0)
        line = QHBoxLayout()
        line.setSpacing(5)
        line.addWidget(self._icon)
        line.addWidget(self._caption, 1)
        words.addStretch(1)
        words.addWidget(self.title)
        words.addLayout(line)
        words.addStretch(1)
        row = QHBoxLayout(self)
        row.setContentsMargins(LEFT, 0, 20, 0)
        row.setSpacing(4)
        row.addWidget(self.back)
        row.addLayout(words, 1)
        row.addWidget(self.copy)
        row.addWidget(self.copy_icon)
        row.addSpacing(4)
        for button in (self.edit, self.reveal, self.more):
            row.addWidget(button)
        self._theme.changed.connect(self._restyle)
        self._restyle()

    def _restyle(self) -> None:
        self.setFixedHeight(self._theme.px(64))
        self._fit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        """The title needs the room more than the words of a button do."""
        is_tight = self.width() < self._theme.px(600)
        self.copy.setVisible(not is_tight)
        self.copy_icon.setVisible(is_tight)

    def set_page(self, page: Page) -> None:
        is_day = page.role is Role.LOG and page.day is not None
        self.title.setText(phrases.day_long(page.day) if is_day and page.day else page.title)
        self._caption.setText(f"{phrases.role_word(page.role)}  ·  {page.path}")
        self._icon.set_icon(phrases.role_icon(page.role), "text.secondary")


class _Footer(Surface):
    page_asked = Signal(str)

    def __init__(self) -> None:
        super().__init__("bg.surface", edges=["top"])
        self._places = {"before": "", "after": ""}
        self._before = DayButton(forward=False)
        self._after = DayButton(forward=True)
        self._before.clicked.connect(lambda: self.page_asked.emit(self._places["before"]))
        self._after.clicked.connect(lambda: self.page_asked.emit(self._places["after"]))
        row = QHBoxLayout(self)
        row.setContentsMargins(LEFT - 6, 0, 20, 0)
        row.setSpacing(8)
        row.addWidget(self._before)
        row.addWidget(self._after)
        row.addStretch(1)
        self._theme.changed.connect(self._restyle)
        self._restyle()

    def _restyle(self) -> None:
        self.setFixedHeight(self._theme.px(44))

    def set_neighbours(self, before: Neighbour | None, after: Neighbour | None) -> None:
        self._before.set_day(before[0] if before else None)
        self._after.set_day(after[0] if after else None)
        self._places = {
            "before": before[1] if before else "",
            "after": after[1] if after else "",
        }
        self.setVisible(before is not None or after is not None)


class DayButton(QPushButton):
    """A neighbouring day, with an arrow on the side that it lies on."""

    def __init__(self, *, forward: bool) -> None:
        super().__init__()
        self._forward = forward
        self._theme = Theme.of(self)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self._theme.changed.connect(self.updateGeometry)

    def set_day(self, day: date | None) -> None:
        self.setVisible(day is not None)
        if day is None:
            return
        self.setText(phrases.day_neighbour(day))
        name = self.tr("Next day, {day}") if self._forward else self.tr("Day before, {day}")
        self.setAccessibleName(name.format(day=phrases.day_with_weekday(day)))
        self.updateGeometry()

    def sizeHint(self) -> QSize:
        words = QFontMetricsF(self._theme.font("small")).horizontalAdvance(self.text())
        return QSize(int(words) + self._theme.px(16) + 6 + 2 * 8, max(28, self._theme.px(28)))

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = self._theme
        painter = QPainter(self)
        if self.underMouse() or self.isDown():
            fill = theme.color("bg.pressed" if self.isDown() else "bg.hover")
            paint.rounded(painter, QRectF(self.rect()), theme.radius("md"), fill)
        side = theme.px(16)
        area = QRectF(self.rect()).adjusted(8, 0, -8, 0)
        name = "action.forward" if self._forward else "action.back"
        x = area.right() - side if self._forward else area.left()
        spot = QRectF(x, area.top(), side, area.height())
        paint.icon(painter, theme, self, name, "text.secondary", spot)
        painter.setFont(theme.font("small"))
        words = area.adjusted(0, 0, -side, 0) if self._forward else area.adjusted(side + 6, 0, 4, 0)
        paint.text(painter, words, self.text(), theme.color("text.primary"))
