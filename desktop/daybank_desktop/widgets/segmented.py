"""Two or three ways to look at a thing, side by side in one frame. GUI thread only."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFont, QFontMetricsF, QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QAbstractButton, QButtonGroup, QHBoxLayout, QSizePolicy, QWidget

from daybank_desktop.theme import Theme
from daybank_desktop.widgets import paint


class Segmented(QWidget):
    """``choices`` are (id, icon, words). ← and → move between them."""

    chosen = Signal(str)

    def __init__(
        self, name: str, choices: Sequence[tuple[str, str, str]], parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._theme = Theme.of(self)
        self.setAccessibleName(name)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self._group = QButtonGroup(self)
        self._parts: dict[str, _Segment] = {}
        row = QHBoxLayout(self)
        row.setContentsMargins(2, 2, 2, 2)
        row.setSpacing(0)
        for id_, icon, words in choices:
            part = _Segment(icon, words)
            part.clicked.connect(lambda _, id_=id_: self.chosen.emit(id_))
            self._group.addButton(part)
            self._parts[id_] = part
            row.addWidget(part)
        next(iter(self._parts.values())).setChecked(True)

    @property
    def value(self) -> str:
        return next(id_ for id_, part in self._parts.items() if part.isChecked())

    def set_value(self, id_: str) -> None:
        """Choose without telling."""
        self._parts[id_].setChecked(True)

    def set_words(self, id_: str, words: str) -> None:
        self._parts[id_].set_words(words)

    def part(self, id_: str) -> QAbstractButton:
        return self._parts[id_]

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = self._theme
        fill, border = theme.color("bg.sunken"), theme.color("border.default")
        paint.rounded(QPainter(self), QRectF(self.rect()), theme.radius("md"), fill, border)


class _Segment(QAbstractButton):
    def __init__(self, icon: str, words: str) -> None:
        super().__init__()
        self._icon_name = icon
        self._theme = Theme.of(self)
        self.setCheckable(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setProperty("focusRadius", 6)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.set_words(words)
        self.toggled.connect(self.updateGeometry)
        self._theme.changed.connect(self.updateGeometry)

    def set_words(self, words: str) -> None:
        self.setText(words.replace("&", "&&"))
        self.setAccessibleName(words)
        self.updateGeometry()

    def _font(self) -> QFont:
        font = self._theme.font("control")
        font.setWeight(QFont.Weight(600 if self.isChecked() else 500))
        return font

    def _words(self) -> str:
        return self.text().replace("&&", "&")

    def sizeHint(self) -> QSize:
        strong = self._theme.font("control")
        strong.setWeight(QFont.Weight(600))  # so that choosing moves nothing
        width = QFontMetricsF(strong).horizontalAdvance(self._words()) + 24
        if self._icon_name:
            width += self._theme.px(16) + 6
        return QSize(int(width + 0.999), max(28, self._theme.px(28)))

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.click()
            return
        super().keyPressEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        theme = self._theme
        painter = QPainter(self)
        area = QRectF(self.rect())
        if self.isChecked():
            fill, border = theme.color("bg.raised"), theme.color("border.control")
            paint.rounded(painter, area, theme.radius("sm"), fill, border)
        elif self.underMouse():
            paint.rounded(painter, area, theme.radius("sm"), theme.color("bg.hover"))
        ink = "text.primary" if self.isChecked() else "text.secondary"
        x = 12.0
        if self._icon_name:
            side = theme.px(16)
            paint.icon(
                painter, theme, self, self._icon_name, ink, QRectF(x, 0, side, area.height())
            )
            x += side + 6
        painter.setFont(self._font())
        room = QRectF(x, 0, area.width() - x, area.height())
        paint.text(painter, room, self._words(), theme.color(ink))
