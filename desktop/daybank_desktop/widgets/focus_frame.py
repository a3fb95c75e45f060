"""The ring around whatever the keyboard is on: 2 px wide, 2 px away, for keyboard use only.

GUI thread only.
"""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, QRectF, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QWindow
from PySide6.QtWidgets import (
    QAbstractItemView,
    QAbstractScrollArea,
    QAbstractSpinBox,
    QApplication,
    QComboBox,
    QFocusFrame,
    QLineEdit,
    QMenu,
    QWidget,
)

from daybank_desktop.theme import Theme
from daybank_desktop.widgets import paint

# These show the focus themselves: a field by its border, a list by its current row.
_OWN_FOCUS = (
    QLineEdit,
    QAbstractScrollArea,
    QAbstractItemView,
    QAbstractSpinBox,
    QComboBox,
    QMenu,
)


class FocusFrame(QFocusFrame):
    """The ring itself. A widget's "focusRadius" property says how round its corners are."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._radius = 0.0
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)

    def follow(self, widget: QWidget | None) -> None:
        """Go around `widget`, or away."""
        if widget is not None:
            radius = widget.property("focusRadius")
            self._radius = float(radius) if radius is not None else self._theme.radius("md")
        self.setWidget(widget)  # type: ignore[arg-type]
        self._fit()

    def _reach(self) -> int:
        return self._theme.size("focusWidth") + self._theme.size("focusOffset")

    def _fit(self) -> None:
        widget, parent = self.widget(), self.parentWidget()
        if widget is None or parent is None:
            return
        reach = self._reach()
        corner = widget.mapTo(parent, QPoint(0, 0))
        self.setGeometry(QRect(corner, widget.size()).adjusted(-reach, -reach, reach, reach))
        self.clearMask()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        done = super().eventFilter(watched, event)
        if event.type() in (QEvent.Type.Move, QEvent.Type.Resize, QEvent.Type.Show):
            self._fit()
        return done

    def event(self, event: QEvent) -> bool:
        if event.type() in (QEvent.Type.Move, QEvent.Type.Resize):
            # Qt would put the frame back to its style's margins; the design's are wider.
            return True
        return super().event(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        paint.rounded(
            QPainter(self),
            QRectF(self.rect()),
            self._radius + self._reach(),
            None,
            self._theme.color("focus.ring"),
            self._theme.size("focusWidth"),
        )


class FocusRing(QObject):
    """Moves one ring along with the focus; made once, in the composition root."""

    def __init__(self, app: QApplication, theme: Theme) -> None:
        super().__init__(app)
        self._theme = theme
        self._frame: FocusFrame | None = None
        self._by_keys = False
        app.focusWindowChanged.connect(self._on_window_changed)
        app.focusChanged.connect(self._on_focus_changed)

    @property
    def target(self) -> QWidget | None:
        """What the ring is around now."""
        return self._frame.widget() if self._frame is not None else None

    def _on_window_changed(self, window: QWindow | None) -> None:
        if window is not None:
            window.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        kind = event.type()
        if kind == QEvent.Type.KeyPress:
            self._by_keys = True
        elif kind == QEvent.Type.MouseButtonPress:
            self._by_keys = False
            self._drop()
        return False

    def _on_focus_changed(self, old: QWidget | None, new: QWidget | None) -> None:
        self._drop()
        if new is None or not _may_have_ring(new):
            return
        # Qt knows about Tab and shortcuts; the arrow keys inside a group it does not count.
        tabbed = new.window().testAttribute(Qt.WidgetAttribute.WA_KeyboardFocusChange)
        if not (tabbed or self._by_keys):
            return
        self._frame = FocusFrame(self._theme)
        self._frame.follow(new)

    def _drop(self) -> None:
        # A frame is a child of the window it was shown in and may have died with it.
        frame, self._frame = self._frame, None
        if frame is None:
            return
        try:
            frame.follow(None)
            frame.deleteLater()
        except RuntimeError:
            pass


def _may_have_ring(widget: QWidget) -> bool:
    return widget.property("focusRing") is not False and not isinstance(widget, _OWN_FOCUS)
