"""The pages on the left: a folder switcher, the pages, and a foot with Health and Settings.

Which pages there are is data: a page that has nothing to show yet is not in the list.
GUI thread only.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFont, QFontMetricsF, QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QAbstractButton, QMenu, QSizePolicy, QVBoxLayout, QWidget

from daybank_desktop.theme import Theme
from daybank_desktop.widgets import paint
from daybank_desktop.widgets.surface import Surface
from daybank_desktop.widgets.tooltip import plain_tooltip

DotLevel = Literal["", "caution", "negative"]

_ROW = 36
_SIDE = 10
_ICON_LEFT = 10
_TEXT_GAP = 11
_LOGO = 26


@dataclass(frozen=True, slots=True)
class SidebarPage:
    """One row. `foot` puts it at the lower end."""

    id: str
    icon: str
    label: str
    foot: bool = False
    shortcut: str = ""


class Sidebar(Surface):
    """212 wide with words, 56 wide without. Up, Down, Home and End move, Enter chooses."""

    page_chosen = Signal(str)
    folder_pressed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__("bg.sidebar", edges=["right"], parent=parent)
        self._rows: dict[str, _Row] = {}
        self._badges: dict[str, tuple[int, str]] = {}
        self._dots: dict[str, tuple[DotLevel, str]] = {}
        self._current = ""
        self._compact = False
        self._folder = _FolderButton()
        self._folder.clicked.connect(self._on_folder)
        self._folder_menu: QMenu | None = None
        self._box = QVBoxLayout(self)
        self._box.setContentsMargins(_SIDE, 12, _SIDE + 1, 12)
        self._box.setSpacing(2)
        self._box.addWidget(self._folder)
        self._box.addSpacing(14)
        self._box.addStretch(1)
        self.setAccessibleName(self.tr("Pages"))
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Expanding)
        self._theme.changed.connect(self._restyle)
        self._restyle()

    # What it shows

    def set_pages(self, pages: Sequence[SidebarPage]) -> None:
        """The pages from top to bottom; foot pages go to the lower end."""
        for row in self._rows.values():
            row.hide()
            row.deleteLater()
        self._rows = {}
        while self._box.count() > 2:
            self._box.takeAt(2)
        for page in (page for page in pages if not page.foot):
            self._box.addWidget(self._add_row(page))
        self._box.addStretch(1)
        for page in (page for page in pages if page.foot):
            self._box.addWidget(self._add_row(page))
        self.set_current(self._current)
        self._restyle()

    def _add_row(self, page: SidebarPage) -> _Row:
        row = _Row(page, self)
        row.set_compact(self._compact)
        if page.id in self._badges:
            row.set_badge(*self._badges[page.id])
        if page.id in self._dots:
            row.set_dot(*self._dots[page.id])
        row.clicked.connect(lambda: self.page_chosen.emit(page.id))
        self._rows[page.id] = row
        return row

    def set_current(self, page_id: str) -> None:
        """Mark the page that is open; nothing is emitted."""
        self._current = page_id
        for row_id, row in self._rows.items():
            row.setChecked(row_id == page_id)
        reachable = page_id if page_id in self._rows else next(iter(self._rows), "")
        for row_id, row in self._rows.items():
            # One stop for the Tab key; the arrows do the rest. A click never takes the focus.
            policy = Qt.FocusPolicy.TabFocus if row_id == reachable else Qt.FocusPolicy.NoFocus
            row.setFocusPolicy(policy)

    @property
    def current(self) -> str:
        return self._current

    def page_ids(self) -> tuple[str, ...]:
        return tuple(self._rows)

    def set_badge(self, page_id: str, count: int, spoken: str = "") -> None:
        """A number on a row: hidden at 0, "99+" above 99. `spoken` says it in a sentence."""
        self._badges[page_id] = (count, spoken)
        if page_id in self._rows:
            self._rows[page_id].set_badge(count, spoken)

    def set_dot(self, page_id: str, level: DotLevel, spoken: str = "") -> None:
        """The small dot that says a page needs the person."""
        self._dots[page_id] = (level, spoken)
        if page_id in self._rows:
            self._rows[page_id].set_dot(level, spoken)

    def set_folder(self, name: str, path: str = "") -> None:
        """The name of the open folder; the path is its tooltip."""
        self._folder.set_folder(name, path)

    def set_folder_menu(self, menu: QMenu | None) -> None:
        """What the folder switcher opens; without one it emits `folder_pressed`."""
        self._folder_menu = menu

    def _on_folder(self) -> None:
        if self._folder_menu is not None:
            corner = self._folder.rect().bottomLeft()
            self._folder_menu.popup(self._folder.mapToGlobal(corner))
        else:
            self.folder_pressed.emit()

    @property
    def is_compact(self) -> bool:
        return self._compact

    def set_compact(self, compact: bool) -> None:
        """Icons only, with the words as tooltips."""
        if compact == self._compact:
            return
        self._compact = compact
        self._folder.set_compact(compact)
        for row in self._rows.values():
            row.set_compact(compact)
        self._restyle()

    def _restyle(self) -> None:
        if self._compact:
            needed = self._theme.px(_ROW) + 2 * _SIDE
            width = max(self._theme.size("sidebarCompact"), needed)
        else:
            rows = (row.sizeHint().width() for row in self._rows.values())
            width = max(self._theme.size("sidebar"), max(rows, default=0) + 2 * _SIDE + 1)
        self.setFixedWidth(width)

    def row(self, page_id: str) -> QAbstractButton:
        return self._rows[page_id]

    @property
    def folder_button(self) -> QAbstractButton:
        return self._folder

    # Keys

    def keyPressEvent(self, event: QKeyEvent) -> None:
        rows = list(self._rows.values())
        focused = next((index for index, row in enumerate(rows) if row.hasFocus()), None)
        if focused is None:
            super().keyPressEvent(event)
            return
        to = {
            Qt.Key.Key_Down: min(focused + 1, len(rows) - 1),
            Qt.Key.Key_Up: max(focused - 1, 0),
            Qt.Key.Key_Home: 0,
            Qt.Key.Key_End: len(rows) - 1,
        }.get(Qt.Key(event.key()))
        if to is not None:
            rows[to].setFocus(Qt.FocusReason.ShortcutFocusReason)
        else:
            super().keyPressEvent(event)


class _Row(QAbstractButton):
    def __init__(self, page: SidebarPage, parent: QWidget) -> None:
        super().__init__(parent)
        self._page = page
        self._compact = False
        self._badge = ""
        self._dot: DotLevel = ""
        self._spoken = ""
        self._theme = Theme.of(self)
        self.setCheckable(True)
        self.setAutoExclusive(False)
        self.setText(page.label)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._describe()
        self._theme.changed.connect(self.updateGeometry)

    def set_compact(self, compact: bool) -> None:
        self._compact = compact
        self._describe()
        self.updateGeometry()
        self.update()

    def set_badge(self, count: int, spoken: str) -> None:
        self._badge = "" if count <= 0 else "99+" if count > 99 else str(count)
        self._spoken = spoken or self._badge
        self._describe()
        self.update()

    def set_dot(self, level: DotLevel, spoken: str) -> None:
        self._dot = level
        self._spoken = spoken if level else ""
        self._describe()
        self.update()

    def _describe(self) -> None:
        self.setAccessibleName(self._page.label)
        self.setAccessibleDescription(self._spoken)
        words = self._page.label if self._compact else ""
        if self._spoken:
            words = f"{words}: {self._spoken}" if words else self._spoken
        self.setToolTip(words)

    def nextCheckState(self) -> None:
        # The shell decides which page is open and marks it.
        return

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.click()
        elif event.key() in (Qt.Key.Key_Up, Qt.Key.Key_Down):
            event.ignore()
        else:
            super().keyPressEvent(event)

    def _font(self, *, strong: bool) -> QFont:
        font = self._theme.font("body")
        font.setWeight(QFont.Weight.DemiBold if strong else QFont.Weight.Medium)
        return font

    def sizeHint(self) -> QSize:
        height = self._theme.px(_ROW)
        if self._compact:
            return QSize(height, height)
        words = QFontMetricsF(self._font(strong=True)).horizontalAdvance(self._page.label)
        width = _ICON_LEFT + self._theme.px(18) + _TEXT_GAP + words + 12
        return QSize(int(width), height)

    def minimumSizeHint(self) -> QSize:
        return QSize(self._theme.px(_ROW), self._theme.px(_ROW))

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = self._theme
        painter = QPainter(self)
        area = QRectF(self.rect())
        ink = "text.secondary"
        if self.isChecked():
            border = theme.color("accent") if theme.is_high_contrast else None
            paint.rounded(painter, area, theme.radius("md"), theme.color("accent.soft"), border)
            ink = "accent.softText"
        elif self.isDown() or self.underMouse():
            fill = "bg.pressed" if self.isDown() else "bg.hover"
            paint.rounded(painter, area, theme.radius("md"), theme.color(fill))
        side = theme.px(18)
        if self._compact:
            spot = QRectF(0, 0, side, side)
            spot.moveCenter(area.center())
            paint.icon(painter, theme, self, self._page.icon, ink, spot)
            self._paint_compact_mark(painter, spot)
            return
        spot = QRectF(_ICON_LEFT, 0, side, area.height())
        paint.icon(painter, theme, self, self._page.icon, ink, spot)
        left = spot.right() + _TEXT_GAP
        right = area.right() - _SIDE - self._paint_mark(painter, area)
        painter.setFont(self._font(strong=self.isChecked()))
        words = QRectF(left, 0, right - left, area.height())
        paint.text(painter, words, self._page.label, theme.color(ink), elide=True)

    def _paint_mark(self, painter: QPainter, area: QRectF) -> float:
        """The badge or the dot at the right end; how much room it took."""
        theme = self._theme
        if self._dot:
            dot = QRectF(area.right() - _SIDE - 8, area.center().y() - 4, 8, 8)
            paint.rounded(painter, dot, 4, theme.color(self._dot))
            return 8 + 8
        if not self._badge:
            return 0
        width = paint_badge(painter, theme, area.right() - _SIDE, area.center().y(), self._badge)
        return width + 8

    def _paint_compact_mark(self, painter: QPainter, icon: QRectF) -> None:
        token = self._dot or ("accent" if self._badge else "")
        if token:
            dot = QRectF(icon.right() - 4, icon.top() - 4, 8, 8)
            paint.rounded(painter, dot, 4, self._theme.color(token))


def paint_badge(painter: QPainter, theme: Theme, right: float, middle: float, text: str) -> float:
    """A number in an accent pill that ends at `right`; its width."""
    painter.setFont(theme.font("captionStrong", tabular=True))
    height = theme.px(20)
    words = QFontMetricsF(painter.font()).horizontalAdvance(text)
    width = max(height, round(words + 10))
    pill = QRectF(right - width, middle - height / 2, width, height)
    paint.rounded(painter, pill, height / 2, theme.color("accent"))
    left = pill.left() + (width - words) / 2
    inner = QRectF(left, pill.top(), words + 2, height)
    paint.text(painter, inner, text, theme.color("text.onAccent"))
    return float(width)


class _FolderButton(QAbstractButton):
    """The logo, the name of the folder, and a chevron."""

    def __init__(self) -> None:
        super().__init__()
        self._name = ""
        self._path = ""
        self._compact = False
        self._theme = Theme.of(self)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._theme.changed.connect(self.updateGeometry)
        self.set_folder("", "")

    def set_folder(self, name: str, path: str) -> None:
        self._name, self._path = name, path
        self.setText(name.replace("&", "&&"))
        self.setAccessibleName(self.tr("Memory folder: {name}").format(name=name))
        self.setAccessibleDescription(path)
        self.setToolTip(plain_tooltip(path or name or self.tr("Memory folder")))
        self.update()

    def set_compact(self, compact: bool) -> None:
        self._compact = compact
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(self._theme.px(_ROW), self._theme.px(_ROW))

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Down):
            self.click()
        else:
            super().keyPressEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = self._theme
        painter = QPainter(self)
        area = QRectF(self.rect())
        if self.isDown() or self.underMouse():
            fill = "bg.pressed" if self.isDown() else "bg.hover"
            paint.rounded(painter, area, theme.radius("md"), theme.color(fill))
        logo = theme.px(_LOGO)
        left = (area.width() - logo) / 2 if self._compact else 8.0
        paint.icon(painter, theme, self, "logo", "accent", QRectF(left, 0, logo, area.height()))
        if self._compact:
            return
        chevron = theme.px(16)
        spot = QRectF(area.right() - 8 - chevron, 0, chevron, area.height())
        paint.icon(painter, theme, self, "action.dropdown", "text.secondary", spot)
        painter.setFont(theme.font("bodyStrong"))
        words = QRectF(8 + logo + 10, 0, spot.left() - 8 - logo - 10 - 6, area.height())
        paint.text(painter, words, self._name, theme.color("text.primary"), elide=True)
