"""A short word at the foot of the window that something was done, with its Undo.

It stays eight seconds, and longer while the pointer or the focus is on it. GUI thread only.
"""

from __future__ import annotations

from PySide6.QtCore import (
    QEasingCurve,
    QEvent,
    QObject,
    QPoint,
    QPropertyAnimation,
    QRectF,
    QSize,
    Qt,
    QTimer,
    Signal,
)
from PySide6.QtGui import QEnterEvent, QFont, QFontMetricsF, QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QSizePolicy, QWidget

from daybank_desktop.theme import Theme
from daybank_desktop.widgets import paint
from daybank_desktop.widgets.announce import announce
from daybank_desktop.widgets.glyph import Glyph
from daybank_desktop.widgets.label import Label

_MARGIN = 16


class Toast(QWidget):
    """One per window, a child of it. A new message takes the place of the one before.

    `acted` is emitted for the action, `gone` when the message leaves in any way.
    """

    acted = Signal()
    gone = Signal()

    def __init__(self, parent: QWidget, *, foot: int = 0) -> None:
        super().__init__(parent)
        self._window = parent
        self._foot = foot
        self._theme = Theme.of(self)
        self._glyph = Glyph("state.ok", "text.tooltip", 16)
        self._label = Label("", "small", "text.tooltip", elide=True)
        self._action = _Action()
        self._action.clicked.connect(self._on_action)
        self._action.installEventFilter(self)
        self._row = QHBoxLayout(self)
        self._row.setSpacing(12)
        self._row.addWidget(self._glyph)
        self._row.addWidget(self._label)
        self._row.addSpacing(4)
        self._row.addWidget(self._action)
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self.dismiss)
        self._slide = QPropertyAnimation(self, b"pos", self)
        self._slide.setEasingCurve(QEasingCurve.Type.OutCubic)
        parent.installEventFilter(self)
        self._theme.changed.connect(self._restyle)
        self._restyle()
        self.hide()

    def show_message(
        self, text: str, action: str = "", *, icon: str = "state.ok", foot: int | None = None
    ) -> None:
        """Show `text`; `action` is a word such as "Undo"."""
        if self.isVisible():
            self.gone.emit()
        if foot is not None:
            self._foot = foot
        self._glyph.set_icon(icon)
        self._label.setText(text)
        self._action.setText(action)
        self._action.setVisible(bool(action))
        self.setAccessibleName(text)
        place = self._place()
        start = place + QPoint(0, 24) if self._theme.animations else place
        self.move(start)  # before it is shown, or the pointer may count as on it
        self.show()
        self.raise_()
        if start != place:
            self._slide.setDuration(self._theme.duration("toastIn"))
            self._slide.setStartValue(start)
            self._slide.setEndValue(place)
            self._slide.start()
        self._wait()
        announce(self, f"{text} {action}".strip())

    def dismiss(self) -> None:
        """Take the message away."""
        self._timer.stop()
        if self.isVisible():
            self._slide.stop()
            self.hide()
            self.gone.emit()

    @property
    def text(self) -> str:
        return self._label.text()

    @property
    def action_button(self) -> QPushButton:
        return self._action

    @property
    def is_waiting(self) -> bool:
        """Whether the eight seconds are running."""
        return self._timer.isActive()

    def _wait(self) -> None:
        if self.underMouse() or self._action.hasFocus():
            self._timer.stop()
        else:
            self._timer.start(self._theme.duration("toastStay"))

    def _place(self) -> QPoint:
        parent = self._window
        room = parent.width() - 2 * _MARGIN
        hint = self.sizeHint()
        height = max(self._theme.px(self._theme.size("toast")), hint.height())
        self.resize(min(hint.width(), room), height)
        return QPoint(
            (parent.width() - self.width()) // 2,
            parent.height() - self._foot - _MARGIN - self.height(),
        )

    def _restyle(self) -> None:
        self._row.setContentsMargins(16, 0, 14, 0)
        if self.isVisible():
            self.move(self._place())

    def _on_action(self) -> None:
        self._timer.stop()
        self._slide.stop()
        self.hide()
        self.acted.emit()
        self.gone.emit()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self._action:
            if event.type() in (QEvent.Type.FocusIn, QEvent.Type.FocusOut):
                QTimer.singleShot(0, self, self._after_focus)
        elif event.type() == QEvent.Type.Resize and self.isVisible():
            self._slide.stop()
            self.move(self._place())
        return super().eventFilter(watched, event)

    def _after_focus(self) -> None:
        if self.isVisible():
            self._wait()

    def enterEvent(self, event: QEnterEvent) -> None:
        super().enterEvent(event)
        self._timer.stop()

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        if self.isVisible() and not self._action.hasFocus():
            self._timer.start(self._theme.duration("toastStay"))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.dismiss()
            return
        super().keyPressEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        color = self._theme.color("bg.tooltip")
        border = self._theme.color("text.tooltip") if self._theme.is_high_contrast else None
        area = QRectF(self.rect())
        paint.rounded(painter, area, self._theme.radius("md") + 2, color, border)


class _Action(QPushButton):
    """An underlined word on the dark ground of the toast."""

    def __init__(self) -> None:
        super().__init__()
        self._theme = Theme.of(self)
        self.setAutoDefault(False)
        self.setProperty("focusRing", False)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    def setText(self, text: str) -> None:
        super().setText(text)
        self.setAccessibleName(text)
        self.updateGeometry()

    def _font(self) -> QFont:
        font = self._theme.font("control")
        font.setWeight(QFont.Weight.DemiBold)
        return font

    def sizeHint(self) -> QSize:
        words = QFontMetricsF(self._font()).horizontalAdvance(self.text())
        return QSize(int(words + 0.999) + 8, max(28, self._theme.px(28)))

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = self._theme
        painter = QPainter(self)
        ink = theme.color("text.tooltip")
        painter.setFont(self._font())
        area = QRectF(self.rect())
        if self.hasFocus():
            paint.rounded(painter, area, 6, None, ink, 2)
        width = painter.fontMetrics().horizontalAdvance(self.text())
        x = (area.width() - width) / 2
        paint.text(painter, QRectF(x, 0, width + 2, area.height()), self.text(), ink)
        metrics = painter.fontMetrics()
        baseline = (area.height() + metrics.ascent() - metrics.descent()) / 2
        painter.fillRect(QRectF(round(x), round(baseline + 2), round(width), 1), ink)
