"""Text on a page: the type scale with its line heights, plain text only.

`QLabel` knows neither line height nor the theme, so this one draws itself; to a screen reader it
stays a label. GUI thread only.
"""

from __future__ import annotations

from PySide6.QtCore import QEvent, QPointF, QSize, Qt
from PySide6.QtGui import (
    QFontMetrics,
    QFontMetricsF,
    QPainter,
    QPaintEvent,
    QTextLayout,
    QTextOption,
)
from PySide6.QtWidgets import QLabel, QSizePolicy, QWidget

from daybank_desktop.theme import Theme
from daybank_desktop.widgets.text_layout import python_index
from daybank_desktop.widgets.tooltip import plain_tooltip

_UNBOUNDED = 1 << 20
_WIDTHS_KEPT = 4


class Label(QLabel):
    """Plain text in a style such as "title" and a colour token such as "text.secondary".

    `wrap` breaks it over lines, `elide` lets one line shrink and shows the rest as a tooltip.
    """

    def __init__(
        self,
        text: str = "",
        style: str = "body",
        color: str = "text.primary",
        *,
        wrap: bool = False,
        elide: bool = False,
        tabular: bool = False,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._style = style
        self._color = color
        self._elide = elide
        self._tabular = tabular
        self._theme = Theme.of(self)
        self._broken: dict[tuple[str, str, float], list[tuple[str, float]]] = {}
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setWordWrap(wrap)
        self.setText(text)
        policy = self.sizePolicy()
        policy.setHeightForWidth(wrap)
        vertical = QSizePolicy.Policy.Minimum if wrap else QSizePolicy.Policy.Fixed
        policy.setVerticalPolicy(vertical)
        policy.setHorizontalPolicy(
            QSizePolicy.Policy.Preferred if wrap or elide else QSizePolicy.Policy.Minimum
        )
        self.setSizePolicy(policy)
        self._restyle()
        self._theme.changed.connect(self._restyle)

    def set_color(self, color: str) -> None:
        """Another colour token."""
        self._color = color
        self.update()

    def set_style(self, style: str) -> None:
        """Another line of the type scale."""
        self._style = style
        self._restyle()

    def _restyle(self) -> None:
        self.setFont(self._theme.font(self._style, tabular=self._tabular))
        self.updateGeometry()
        self.update()

    def _lines(self, width: float) -> list[tuple[str, float]]:
        """The lines at `width`, each with its own natural width. Layouts ask many times."""
        key = (self.text(), self.font().key(), width)
        lines = self._broken.get(key)
        if lines is None:
            if len(self._broken) >= _WIDTHS_KEPT:
                self._broken.clear()
            lines = self._broken[key] = self._break(width)
        return lines

    def _break(self, width: float) -> list[tuple[str, float]]:
        option = QTextOption()
        option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        found: list[tuple[str, float]] = []
        for paragraph in self.text().split("\n"):
            layout = QTextLayout(paragraph, self.font())
            layout.setTextOption(option)
            layout.beginLayout()
            line = layout.createLine()
            while line.isValid():
                line.setLineWidth(width)
                start = python_index(paragraph, line.textStart())
                end = python_index(paragraph, line.textStart() + line.textLength())
                words = paragraph[start:end]
                found.append((words.rstrip(), line.naturalTextWidth()))
                line = layout.createLine()
            layout.endLayout()
            if not paragraph:
                found.append(("", 0.0))
        return found

    def _content_width(self) -> int:
        metrics = QFontMetricsF(self.font())
        widest = max(metrics.horizontalAdvance(line) for line in self.text().split("\n"))
        margins = self.contentsMargins()
        # A line that is laid out may come out a little wider than the same words measured, and
        # would then be broken for want of half a pixel.
        slack = 1 if self.wordWrap() else 0
        return int(widest + 0.999) + slack + margins.left() + margins.right()

    def _line_height(self) -> int:
        # A tall script needs more than the design gives.
        return max(self._theme.line_height(self._style), QFontMetrics(self.font()).height())

    def _height(self, lines: int) -> int:
        margins = self.contentsMargins()
        return lines * self._line_height() + margins.top() + margins.bottom()

    def sizeHint(self) -> QSize:
        width = self._content_width()
        if self.wordWrap():
            width = min(width, self._theme.px(420))
        return QSize(width, self.heightForWidth(width))

    def minimumSizeHint(self) -> QSize:
        if self.wordWrap() or self._elide:
            width = min(self._content_width(), self._theme.px(48))
            return QSize(width, self._height(1))
        return self.sizeHint()

    def hasHeightForWidth(self) -> bool:
        return self.wordWrap()

    def heightForWidth(self, width: int) -> int:
        if not self.wordWrap():
            return self._height(1)
        margins = self.contentsMargins()
        return self._height(len(self._lines(max(1, width - margins.left() - margins.right()))))

    def paintEvent(self, event: QPaintEvent) -> None:
        area = self.contentsRect()
        painter = QPainter(self)
        painter.setFont(self.font())
        color = self._color if self.isEnabled() else "text.disabled"
        painter.setPen(self._theme.color(color))
        metrics = QFontMetricsF(self.font())
        line_height = (
            self._height(1) - self.contentsMargins().top() - self.contentsMargins().bottom()
        )
        if self.wordWrap():
            lines = self._lines(area.width())
        else:
            shown = self.text().replace("\n", " ")
            if self._elide:
                shown = metrics.elidedText(shown, Qt.TextElideMode.ElideRight, area.width())
            lines = [(shown, metrics.horizontalAdvance(shown))]
        alignment = self.alignment()
        y = float(area.top())
        spare = area.height() - len(lines) * line_height
        if alignment & Qt.AlignmentFlag.AlignVCenter and spare > 0:
            y += spare // 2
        for words, width in lines:
            x = float(area.left())
            if alignment & Qt.AlignmentFlag.AlignHCenter:
                x += (area.width() - width) / 2
            elif alignment & Qt.AlignmentFlag.AlignRight:
                x += area.width() - width
            lead = (line_height - metrics.height()) / 2
            painter.drawText(QPointF(x, round(y + lead + metrics.ascent())), words)
            y += line_height

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and self._elide and not self.toolTip():
            cut = self._content_width() > self.width()
            self.setToolTip(plain_tooltip(self.text() if cut else ""))
            shown = super().event(event)
            self.setToolTip("")
            return shown
        return super().event(event)
