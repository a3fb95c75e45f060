"""A sentence with a point in front and, in grey behind it, its day; a press opens where it is from.

GUI thread only.
"""

from __future__ import annotations

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QEnterEvent,
    QKeyEvent,
    QPainter,
    QPaintEvent,
    QTextCharFormat,
    QTextLayout,
    QTextOption,
)
from PySide6.QtWidgets import QAbstractButton, QSizePolicy, QWidget

from daybank_desktop.theme import Theme
from daybank_desktop.widgets import paint
from daybank_desktop.widgets.text_layout import qt_index, shown

_INDENT = 14
_SPACE = "\u2002"
_LAYOUTS_KEPT = 8


class CitedLine(QAbstractButton):
    """``words`` and where they come from, ``cited``; as high as its lines."""

    opened = Signal()

    def __init__(self, words: str, cited: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = Theme.of(self)
        self._words = self._cited = ""
        self._layouts: dict[tuple[float, int, bool], tuple[QTextLayout, int]] = {}
        self.set_words(words, cited)
        self.setAccessibleDescription(self.tr("Opens the note that it comes from"))
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.setProperty("focusRadius", 4)
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Minimum)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self.clicked.connect(self.opened)
        self._theme.changed.connect(self._restyle)

    def set_words(self, words: str, cited: str) -> None:
        """Say something else."""
        words, cited = shown(words), shown(cited).replace(" ", "\u00a0")
        if (words, cited) == (self._words, self._cited):
            return
        self._words, self._cited = words, cited
        self.setAccessibleName(f"{words} {self.cited}".strip())
        self._restyle()

    @property
    def words(self) -> str:
        """What it says, letter for letter."""
        return self._words

    @property
    def cited(self) -> str:
        """The day behind it."""
        return self._cited.replace("\u00a0", " ")

    def _restyle(self) -> None:
        self._layouts.clear()
        self.updateGeometry()
        self.update()

    def _line_height(self) -> int:
        return max(self._theme.line_height("body"), round(self.fontMetrics().height()))

    def _laid_out(self, width: float) -> tuple[QTextLayout, int]:
        """The words at ``width`` and how many lines they take. Layouts ask many times."""
        key = (width, self._line_height(), self.underMouse() or self.hasFocus())
        laid_out = self._layouts.get(key)
        if laid_out is None:
            if len(self._layouts) >= _LAYOUTS_KEPT:
                self._layouts.clear()
            laid_out = self._layouts[key] = self._lay_out(*key)
        return laid_out

    def _lay_out(self, width: float, line_height: int, pointed: bool) -> tuple[QTextLayout, int]:
        theme = self._theme
        text = f"{self._words}{_SPACE}{self._cited}" if self._cited else self._words
        layout = QTextLayout(text, theme.font("body"))
        layout.setCacheEnabled(True)
        option = QTextOption()
        option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        layout.setTextOption(option)
        look = QTextCharFormat()
        look.setFont(theme.font("caption", tabular=True))
        look.setForeground(theme.color("accent" if pointed else "text.tertiary"))
        tail = QTextLayout.FormatRange()
        tail.start = qt_index(text, len(self._words))
        tail.length = qt_index(text, len(text)) - tail.start
        tail.format = look
        layout.setFormats([tail])
        lines = 0
        layout.beginLayout()
        line = layout.createLine()
        while line.isValid():
            line.setLineWidth(max(20.0, width))
            line.setPosition(QPointF(0, lines * line_height + (line_height - line.height()) / 2))
            lines += 1
            line = layout.createLine()
        layout.endLayout()
        return layout, max(1, lines)

    # Qt overrides

    def sizeHint(self) -> QSize:
        width = self._theme.px(420)
        return QSize(width, self.heightForWidth(width))

    def minimumSizeHint(self) -> QSize:
        return QSize(self._theme.px(80), self._line_height() + 6)

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        return self._laid_out(width - _INDENT)[1] * self._line_height() + 6

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.click()
            return
        super().keyPressEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = self._theme
        painter = QPainter(self)
        layout, _ = self._laid_out(self.width() - _INDENT)
        side = 5.0
        dot = QRectF(0, 3 + (self._line_height() - side) / 2, side, side)
        paint.rounded(painter, dot, side / 2, theme.color("text.tertiary"))
        painter.setPen(theme.color("text.primary"))
        layout.draw(painter, QPointF(_INDENT, 3))

    def enterEvent(self, event: QEnterEvent) -> None:
        super().enterEvent(event)
        self.update()

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self.update()
