"""Work under way, in the status bar: "Reading your notes, 612 of 1,204", a bar, a ×.

GUI thread only.
"""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QProgressBar, QSizePolicy, QWidget

from daybank_desktop.theme import Theme
from daybank_desktop.widgets import paint
from daybank_desktop.widgets.buttons import IconButton
from daybank_desktop.widgets.label import Label

_STEPS = 1000


class ProgressBar(QProgressBar):
    """A thin bar without words."""

    def __init__(self, width: int = 60, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._width = width
        self._theme = Theme.of(self)
        self.setTextVisible(False)
        self.setRange(0, _STEPS)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self._theme.changed.connect(self.updateGeometry)

    def set_share(self, share: float) -> None:
        """How much is done, between 0 and 1."""
        value = round(max(0.0, min(1.0, share)) * _STEPS)
        if value == self.value():
            return
        # Qt would paint it at once, and with it all that waits to be painted in the window.
        self.setUpdatesEnabled(False)
        self.setValue(value)
        self.setUpdatesEnabled(True)

    def sizeHint(self) -> QSize:
        return QSize(self._width, 6)

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = self._theme
        painter = QPainter(self)
        area = QRectF(self.rect())
        radius = area.height() / 2
        edge = theme.color("border.control") if theme.is_high_contrast else None
        paint.rounded(painter, area, radius, theme.color("bg.pressed"), edge)
        done = area.width() * max(0, self.value()) / _STEPS
        if done > 0:
            area.setWidth(max(area.height(), done))
            paint.rounded(painter, area, radius, theme.color("accent"))


class ProgressLine(QWidget):
    """Hidden until there is progress to show. The × emits `cancelled` and is called `cancel`;
    without `cancellable` it is not there. `shown` says that it appeared, changed or went."""

    cancelled = Signal()
    shown = Signal()

    def __init__(
        self, *, cancellable: bool = True, cancel: str = "", parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._label = Label("", "caption", "text.secondary", elide=True, tabular=True)
        self._bar = ProgressBar()
        self._brief = self._has_bar = False
        self._cancel = IconButton("action.close", cancel or self.tr("Stop"), size=28, icon_size=14)
        self._cancel.clicked.connect(self.cancelled)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(7)
        row.addWidget(self._label)
        row.addWidget(self._bar)
        row.addSpacing(-5)
        row.addWidget(self._cancel)
        self._cancel.setVisible(cancellable)
        self.hide()

    def set_progress(self, text: str, done: int = 0, total: int = 0) -> None:
        """Show where the work is; with no `total` there are only words."""
        self._label.setText(text)
        self._has_bar = total > 0
        self._bar.setVisible(self._has_bar)
        self.set_brief(self._brief)
        self._bar.setAccessibleName(text)
        if total > 0:
            self._bar.set_share(done / total)
        self.show()
        self.shown.emit()

    def set_brief(self, brief: bool) -> None:
        """Without the words, where there is no room; pointing at the bar still shows them."""
        self._brief = brief
        self._label.setVisible(not brief or not self._has_bar)
        self._bar.setToolTip(self._label.text() if brief else "")

    def full_width(self) -> int:
        """What it would take with its words."""
        words = self._label.sizeHint().width() + 7 if self._label.isHidden() else 0
        return self.sizeHint().width() + words

    def finish(self) -> None:
        self.hide()
        self._label.setText("")
        self.shown.emit()

    @property
    def text(self) -> str:
        return self._label.text()

    @property
    def bar(self) -> ProgressBar:
        return self._bar
