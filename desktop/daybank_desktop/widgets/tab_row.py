"""Words of which one is underlined, each with how many there are: Notes 53 | Opinions 4.

GUI thread only.
"""

from __future__ import annotations

from PySide6.QtCore import QEvent, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QEnterEvent, QFont, QFontMetricsF, QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QAbstractButton, QButtonGroup, QHBoxLayout, QSizePolicy, QWidget

from daybank_desktop.theme import Theme
from daybank_desktop.widgets import paint

_GAP = 5


class TabRow(QWidget):
    """``chosen`` tells of a choice by the person. Arrow keys move between the tabs."""

    chosen = Signal(str)

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(name)
        self._group = QButtonGroup(self)
        self._tabs: dict[str, Tab] = {}
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(0, 0, 0, 0)
        self._row.setSpacing(24)
        self._row.addStretch(1)
        self._group.buttonClicked.connect(self._on_clicked)

    def add(self, id_: str, word: str) -> None:
        """One more tab; the first is chosen."""
        tab = Tab(word)
        tab.stepped.connect(self._step)
        self._tabs[id_] = tab
        self._group.addButton(tab)
        self._row.insertWidget(len(self._tabs) - 1, tab)
        if len(self._tabs) == 1:
            self.set_current(id_)

    @property
    def current(self) -> str:
        return next((id_ for id_, tab in self._tabs.items() if tab.isChecked()), "")

    def tab(self, id_: str) -> Tab:
        return self._tabs[id_]

    def set_current(self, id_: str) -> None:
        """Show another one, without telling of it."""
        self._tabs[id_].setChecked(True)
        for other, tab in self._tabs.items():  # one stop for Tab
            focus = Qt.FocusPolicy.StrongFocus if other == id_ else Qt.FocusPolicy.ClickFocus
            tab.setFocusPolicy(focus)

    def set_count(self, id_: str, count: str) -> None:
        """How many, as the locale writes it; "" while that is not known."""
        self._tabs[id_].set_count(count)

    def _on_clicked(self, button: QAbstractButton) -> None:
        for id_, tab in self._tabs.items():
            if tab is button:
                self.set_current(id_)
                self.chosen.emit(id_)

    def _step(self, by: int) -> None:
        ids = list(self._tabs)
        number = ids.index(self.current) + by
        if 0 <= number < len(ids):
            self.set_current(ids[number])
            self._tabs[ids[number]].setFocus(Qt.FocusReason.ShortcutFocusReason)
            self.chosen.emit(ids[number])


class Tab(QAbstractButton):
    stepped = Signal(int)

    def __init__(self, word: str) -> None:
        super().__init__()
        self._theme = Theme.of(self)
        self._count = ""
        self.setText(word)
        self.setCheckable(True)
        self.setAccessibleName(word)
        self.setProperty("focusRadius", 4)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self._theme.changed.connect(self.updateGeometry)

    @property
    def count(self) -> str:
        return self._count

    def set_count(self, count: str) -> None:
        self._count = count
        words = self.tr("{tab}, {count}").format(tab=self.text(), count=count)
        self.setAccessibleName(words if count else self.text())
        self.updateGeometry()
        self.update()

    def _font(self) -> QFont:
        return self._theme.font("bodyStrong" if self.isChecked() else "body")

    def _count_font(self) -> QFont:
        return self._theme.font("body", tabular=True)

    def sizeHint(self) -> QSize:
        # As wide as when it is chosen, so that nothing moves.
        width = QFontMetricsF(self._theme.font("bodyStrong")).horizontalAdvance(self.text())
        if self._count:
            width += _GAP + QFontMetricsF(self._count_font()).horizontalAdvance(self._count)
        return QSize(int(width + 1.999), max(28, self._theme.px(36)))

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Left, Qt.Key.Key_Right):
            self.stepped.emit(-1 if event.key() == Qt.Key.Key_Left else 1)
            return
        super().keyPressEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = self._theme
        painter = QPainter(self)
        chosen = self.isChecked()
        font = self._font()
        painter.setFont(font)
        strong = chosen or self.underMouse()
        ink = theme.color("text.primary" if strong else "text.secondary")
        area = QRectF(0, 0, self.width(), self.height() - 2)
        paint.text(painter, area, self.text(), ink)
        left = QFontMetricsF(font).horizontalAdvance(self.text()) + _GAP
        painter.setFont(self._count_font())
        paint.text(
            painter, area.adjusted(left, 0, 0, 0), self._count, theme.color("text.secondary")
        )
        if chosen:
            painter.fillRect(0, self.height() - 2, self.width(), 2, theme.color("accent"))

    def enterEvent(self, event: QEnterEvent) -> None:
        super().enterEvent(event)
        self.update()

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self.update()
