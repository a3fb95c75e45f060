"""A box to choose one of several words from, where there is no room for all of them.

GUI thread only.
"""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRectF, QSize, Signal
from PySide6.QtGui import QFontMetricsF, QPainter, QPaintEvent, QWheelEvent
from PySide6.QtWidgets import (
    QComboBox,
    QSizePolicy,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from daybank_desktop.theme import Theme
from daybank_desktop.widgets import paint
from daybank_desktop.widgets.text_layout import elided

_WIDEST = 260


class SelectBox(QComboBox):
    """``name`` is what a screen reader says. `chosen` tells of a choice by the person only."""

    chosen = Signal(str)  # the id

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = Theme.of(self)
        self.setAccessibleName(name)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.setItemDelegate(_RoomyRows(self))
        self.activated.connect(lambda _: self.chosen.emit(self.value))
        self._theme.changed.connect(self._restyle)
        self._restyle()

    def set_choices(self, choices: Sequence[tuple[str, str]], value: str = "") -> None:
        """(id, words) each; the one that is ``value`` is shown."""
        self.clear()
        for id_, words in choices:
            self.addItem(words, id_)
        self.set_value(value)
        self.updateGeometry()

    def set_value(self, id_: str) -> None:
        """Show another one without telling of it; none where there is no such choice."""
        self.setCurrentIndex(self.findData(id_))
        self.update()

    @property
    def value(self) -> str:
        return str(self.currentData() or "")

    def ids(self) -> tuple[str, ...]:
        return tuple(str(self.itemData(number)) for number in range(self.count()))

    def _restyle(self) -> None:
        self.setFont(self._theme.font("body"))
        self.updateGeometry()

    def sizeHint(self) -> QSize:
        metrics = QFontMetricsF(self._theme.font("body"))
        words = [self.itemText(number) for number in range(self.count())]
        widest = max((metrics.horizontalAdvance(word) for word in words), default=40.0)
        width = 12 + min(widest, self._theme.px(_WIDEST)) + 8 + self._theme.px(16) + 9
        return QSize(int(width + 0.999), max(28, self._theme.px(32)))

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def wheelEvent(self, event: QWheelEvent) -> None:
        event.ignore()  # the page is being scrolled, nothing is being chosen

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = self._theme
        painter = QPainter(self)
        area = QRectF(self.rect())
        border = "border.control" if self.isEnabled() else "border.default"
        fill = theme.color("bg.hover" if self.underMouse() and self.isEnabled() else "bg.surface")
        paint.rounded(painter, area, theme.radius("md"), fill, theme.color(border))
        side = theme.px(16)
        ink = "text.primary" if self.isEnabled() else "text.disabled"
        chevron = QRectF(area.right() - 9 - side, 0, side, area.height())
        paint.icon(painter, theme, self, "action.dropdown", ink, chevron)
        painter.setFont(self.font())
        room = QRectF(12, 0, chevron.left() - 8 - 12, area.height())
        words = elided(self.currentText(), self.font(), room.width() + 1)
        paint.text(painter, room.adjusted(0, 0, 4, 0), words, theme.color(ink))


class _RoomyRows(QStyledItemDelegate):
    def sizeHint(
        self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> QSize:
        hint = super().sizeHint(option, index)
        return QSize(hint.width() + 16, max(28, Theme.of().px(32)))
