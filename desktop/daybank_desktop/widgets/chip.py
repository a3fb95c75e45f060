"""Chips: what was *understood* (can be taken away), a *choice* with its count, a *chosen* one.

Also the small kind pill, which is only looked at. GUI thread only.
"""

from __future__ import annotations

from typing import Literal

from PySide6.QtCore import QEvent, QPoint, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QEnterEvent,
    QFont,
    QFontMetricsF,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
)
from PySide6.QtWidgets import QAbstractButton, QSizePolicy, QWidget

from daybank_desktop.theme import Theme
from daybank_desktop.widgets import paint

ChipRole = Literal["understood", "choice"]

_HEIGHT = 28
_PADDING = 11
_GAP = 6
_CLOSE_GAP = 6


class Chip(QAbstractButton):
    """A pill that is pressed.

    An *understood* chip has a × (and Backspace or Delete) that emits `removed`; pressing the rest
    of it emits `clicked`. A *choice* is checkable: chosen, it fills with the colour of its kind
    and shows a tick. `color` is a token such as "kind.world", or "" for plain text.
    """

    removed = Signal()

    def __init__(
        self,
        text: str,
        role: ChipRole = "choice",
        *,
        icon: str = "",
        color: str = "",
        count: str = "",
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._role: ChipRole = role
        self._icon_name = icon
        self._color = color
        self._count = count
        self._theme = Theme.of(self)
        self.setCheckable(role == "choice")
        self.setText(text)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.setMouseTracking(True)
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self._describe()
        self._theme.changed.connect(self._restyle)
        self._restyle()

    @property
    def role(self) -> ChipRole:
        return self._role

    @property
    def count(self) -> str:
        return self._count

    def set_content(self, text: str, *, icon: str = "", count: str = "") -> None:
        """Other words, another icon and another number."""
        if (text, icon, count) != (self.words(), self._icon_name, self._count):
            self._icon_name, self._count = icon, count
            self.setText(text)
            self._restyle()

    def set_count(self, count: str) -> None:
        """The number after the word, already written for the locale; "" for none."""
        self._count = count
        self._describe()
        self._restyle()

    def setText(self, text: str) -> None:
        super().setText(text.replace("&", "&&"))
        self._describe()
        self.updateGeometry()

    def words(self) -> str:
        """The text as it is shown."""
        return self.text().replace("&&", "&")

    def _describe(self) -> None:
        if self._role == "understood":
            self.setAccessibleName(self.words())
            self.setAccessibleDescription(self.tr("Press Backspace to leave this out"))
        elif self._count:
            self.setAccessibleName(
                self.tr("{choice}, {count}").format(choice=self.words(), count=self._count)
            )
        else:
            self.setAccessibleName(self.words())

    def _restyle(self) -> None:
        self.setProperty("focusRadius", self.sizeHint().height() / 2)
        self.updateGeometry()
        self.update()

    # Geometry

    def _font(self) -> QFont:
        return self._theme.font("captionStrong" if self._color else "control")

    def _count_font(self) -> QFont:
        return self._theme.font("small", tabular=True)

    def _side(self) -> int:
        return self._theme.px(14)

    def _frame_width(self) -> float:
        """Everything but the words."""
        width = float(2 * _PADDING)
        if self._icon_name:
            width += self._side() + _GAP
        if self._role == "understood":
            width += _CLOSE_GAP + self._side()
        elif self.isChecked():
            width += _GAP + self._side()
        elif self._count:
            width += _GAP + QFontMetricsF(self._count_font()).horizontalAdvance(self._count)
        return width

    def sizeHint(self) -> QSize:
        words = QFontMetricsF(self._font()).horizontalAdvance(self.words())
        height = max(_HEIGHT, self._theme.px(_HEIGHT))
        return QSize(int(self._frame_width() + words + 0.999), height)

    def minimumSizeHint(self) -> QSize:
        hint = self.sizeHint()
        return QSize(
            min(hint.width(), int(self._frame_width()) + self._theme.px(40)), hint.height()
        )

    def _close_left(self) -> float:
        return self.width() - _PADDING - self._side() - _CLOSE_GAP / 2

    def _on_close(self, point: QPoint | QPointF) -> bool:
        return self._role == "understood" and point.x() >= self._close_left()

    # Behaviour

    def nextCheckState(self) -> None:
        super().nextCheckState()
        self.updateGeometry()

    def checkStateSet(self) -> None:
        super().checkStateSet()
        self.updateGeometry()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = event.key()
        if self._role == "understood" and key in (Qt.Key.Key_Backspace, Qt.Key.Key_Delete):
            self.removed.emit()
            return
        if key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.click()
            return
        if key in (Qt.Key.Key_Left, Qt.Key.Key_Right):
            # Only to a neighbouring chip; elsewhere the arrow keeps its meaning.
            self._step(-1 if key == Qt.Key.Key_Left else 1)
            return
        super().keyPressEvent(event)

    def _step(self, by: int) -> None:
        parent = self.parentWidget()
        if parent is None:
            return
        row = [
            chip
            for chip in parent.findChildren(Chip, options=Qt.FindChildOption.FindDirectChildrenOnly)
            if chip.isVisibleTo(parent) and chip.isEnabled()
        ]
        row.sort(key=lambda chip: (chip.y(), chip.x()))
        at = row.index(self) + by
        if 0 <= at < len(row):
            row[at].setFocus(Qt.FocusReason.ShortcutFocusReason)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        inside = self.rect().contains(event.position().toPoint())
        if (
            event.button() == Qt.MouseButton.LeftButton
            and inside
            and self._on_close(event.position())
        ):
            self.setDown(False)
            self.removed.emit()
            return
        super().mouseReleaseEvent(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        super().mouseMoveEvent(event)
        if self._role == "understood":
            self.update()

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and self._role == "understood":
            at_close = self._on_close(self.mapFromGlobal(self.cursor().pos()))
            self.setToolTip(self.tr("Leave this out") if at_close else "")
        return super().event(event)

    def enterEvent(self, event: QEnterEvent) -> None:
        super().enterEvent(event)
        self.update()

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self.update()

    # Looks

    def _fill_and_border(self) -> tuple[str, str]:
        pointed = self.isEnabled() and self.underMouse()
        if self._role == "understood":
            return "accent.soft", "accent" if pointed else "accent.softBorder"
        if self.isChecked():
            return (
                f"{self._color}.soft" if self._color else "accent.soft",
                self._color or "accent",
            )
        if self.isDown():
            return "bg.pressed", "border.control"
        return ("bg.hover", "border.control") if pointed else ("bg.surface", "border.default")

    def _ink(self) -> str:
        if not self.isEnabled():
            return "text.disabled"
        if self._role == "understood":
            return "accent.softText"
        if self._color:
            return self._color
        return "accent.softText" if self.isChecked() else "text.secondary"

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = self._theme
        painter = QPainter(self)
        fill, border = self._fill_and_border()
        area = QRectF(self.rect())
        paint.rounded(painter, area, area.height() / 2, theme.color(fill), theme.color(border))
        ink = self._ink()
        side = self._side()
        x = float(_PADDING)
        if self._icon_name:
            paint.icon(
                painter, theme, self, self._icon_name, ink, QRectF(x, 0, side, area.height())
            )
            x += side + _GAP
        painter.setFont(self._font())
        words_width = area.width() - self._frame_width()
        words = QRectF(x, 0, words_width + 1, area.height())
        paint.text(painter, words, self.words(), theme.color(ink), elide=True)
        x += words_width
        if self._role == "understood":
            self._paint_close(painter, QRectF(x + _CLOSE_GAP, 0, side, area.height()), ink)
        elif self.isChecked():
            tick = QRectF(x + _GAP, 0, side, area.height())
            paint.icon(painter, theme, self, "action.accept", "text.secondary", tick)
        elif self._count:
            painter.setFont(self._count_font())
            count = QRectF(x + _GAP, 0, area.width() - x, area.height())
            paint.text(painter, count, self._count, theme.color("text.secondary"))

    def _paint_close(self, painter: QPainter, area: QRectF, ink: str) -> None:
        theme = self._theme
        if self.underMouse() and self._on_close(self.mapFromGlobal(self.cursor().pos())):
            side = area.width() + 6
            spot = QRectF(0, 0, side, side)
            spot.moveCenter(area.center())
            paint.rounded(painter, spot, side / 2, theme.color("accent.softBorder"))
        paint.icon(painter, theme, self, "action.close", ink, area)


class KindPill(QWidget):
    """Icon, word and colour of a kind of note; to look at, not to press."""

    def __init__(self, kind: str, word: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._kind = kind
        self._word = word
        self._theme = Theme.of(self)
        self.setAccessibleName(word)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self._theme.changed.connect(self.updateGeometry)

    def sizeHint(self) -> QSize:
        theme = self._theme
        words = QFontMetricsF(theme.font("captionStrong")).horizontalAdvance(self._word)
        return QSize(int(theme.px(14) + 5 + words + 14.999), theme.px(22))

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = self._theme
        color = f"kind.{self._kind}"
        painter = QPainter(self)
        area = QRectF(self.rect())
        paint.rounded(painter, area, theme.radius("sm"), theme.color(f"{color}.soft"))
        side = theme.px(14)
        paint.icon(painter, theme, self, color, color, QRectF(7, 0, side, area.height()))
        painter.setFont(theme.font("captionStrong"))
        words = QRectF(7 + side + 5, 0, area.width(), area.height())
        paint.text(painter, words, self._word, theme.color(color))
