"""The findings of a group, in one card: icon, title, sentence, one button; a list unfolds below.

GUI thread. What comes out of files is shown letter for letter, and cut where it is too long.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from PySide6.QtCore import QEvent, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QEnterEvent, QFontMetricsF, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractButton,
    QGridLayout,
    QHBoxLayout,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from daybank_desktop import phrases
from daybank_desktop.health_words import Act, Spot, Told
from daybank_desktop.theme import Theme
from daybank_desktop.widgets import paint, text_layout
from daybank_desktop.widgets.announce import announce
from daybank_desktop.widgets.buttons import Button
from daybank_desktop.widgets.glyph import Glyph
from daybank_desktop.widgets.label import Label
from daybank_desktop.widgets.surface import Card, Hairline
from daybank_desktop.widgets.tooltip import plain_tooltip

FIRST_SPOTS = 10
MORE_SPOTS = 50
"""Lines of an unfolded list at first, and how many more at a time."""

_TILE = 32
_NARROW = 460  # the button stands under the words
_UNFOLDS = (Act.COMPARE, Act.SOURCE, Act.REVEAL, Act.LIST)
_LONGEST = 400  # letters of a title or a sentence


class SpotLine(QAbstractButton):
    """A place that can be gone to: one line, cut where it is too long."""

    def __init__(self, spot: Spot, icon: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.spot = spot
        self._icon = icon
        self._theme = Theme.of(self)
        self._words = text_layout.shown(spot.words)
        self.setAccessibleName(self._words)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.setProperty("focusRadius", 6)
        self._theme.changed.connect(self.updateGeometry)

    def sizeHint(self) -> QSize:
        words = QFontMetricsF(self._theme.font("small")).horizontalAdvance(self._words)
        height = max(28, self._theme.px(28))
        return QSize(int(words + 1) + self._theme.px(14) + 22, height)

    def minimumSizeHint(self) -> QSize:
        return QSize(self._theme.px(60), max(28, self._theme.px(28)))

    def paintEvent(self, event: QPaintEvent) -> None:
        theme, painter = self._theme, QPainter(self)
        area = QRectF(self.rect())
        if self.isDown() or self.underMouse():
            fill = theme.color("bg.pressed" if self.isDown() else "bg.hover")
            paint.rounded(painter, area, theme.radius("sm"), fill)
        side = theme.px(14)
        paint.icon(
            painter, theme, self, self._icon, "accent", QRectF(8, 0, side, float(self.height()))
        )
        font = theme.font("small")
        painter.setFont(font)
        left = 8 + side + 6
        words = text_layout.elided(self._words, font, area.width() - left - 8)
        paint.text(painter, area.adjusted(left, 0, -8, 0), words, theme.color("accent"))

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip:
            cut = self.sizeHint().width() > self.width()
            self.setToolTip(plain_tooltip(self._words if cut else ""))
        return super().event(event)

    def enterEvent(self, event: QEnterEvent) -> None:
        super().enterEvent(event)
        self.update()

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self.update()


class SpotList(QWidget):
    """Places below each other: the first few, and the others on request."""

    chosen = Signal(object)  # Spot

    def __init__(self, spots: Sequence[Spot], each: Act, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._spots = tuple(spots)
        self._each = each
        self._lines: list[QWidget] = []
        self._more = Button("", "quiet", small=True)
        self._more.clicked.connect(self._show_more)
        self._box = QVBoxLayout(self)
        self._box.setContentsMargins(0, 0, 0, 0)
        self._box.setSpacing(0)
        self._box.addWidget(self._more, 0, Qt.AlignmentFlag.AlignLeft)
        self._fill(FIRST_SPOTS)

    @property
    def lines(self) -> tuple[QWidget, ...]:
        """The lines that are shown."""
        return tuple(self._lines)

    @property
    def more(self) -> Button:
        return self._more

    def _show_more(self) -> None:
        at = len(self._lines)
        self._fill(MORE_SPOTS)
        if at < len(self._lines):
            self._lines[at].setFocus(Qt.FocusReason.OtherFocusReason)

    def _fill(self, count: int) -> None:
        at = len(self._lines)
        for spot in self._spots[at : at + count]:
            line = self._line(spot)
            self._box.insertWidget(len(self._lines), line)
            self._lines.append(line)
        left = len(self._spots) - len(self._lines)
        self._more.setText(self.tr("and {count} more").format(count=phrases.count(left)))
        self._more.setVisible(left > 0)

    def _line(self, spot: Spot) -> QWidget:
        leads = spot.path and self._each is not Act.NONE
        if not leads:
            label = Label(text_layout.shown(spot.words), "small", "text.secondary", elide=True)
            label.setContentsMargins(8, 4, 8, 4)
            return label
        icons = {Act.REVEAL: "action.reveal", Act.COMPARE: "action.sideBySide"}
        line = SpotLine(spot, icons.get(self._each, "action.jump"))
        line.clicked.connect(lambda: self.chosen.emit(spot))
        return line


class FindingRow(QWidget):
    """One finding. ``acted`` when its button is pressed and there is one thing to do; ``chosen``
    with a line of its list."""

    acted = Signal(object)  # Told
    chosen = Signal(object, object)  # Told, Spot

    def __init__(self, told: Told, *, primary: bool = False, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.told = told
        self._theme = Theme.of(self)
        self._is_narrow: bool | None = None
        self._list: SpotList | None = None
        self.title = Label(_clean(told.title), "bodyStrong", wrap=True)
        self.sentence = Label(_clean(told.sentence), "small", "text.secondary", wrap=True)
        self.sentence.setVisible(bool(told.sentence))
        self.unfolds = told.act in _UNFOLDS and (told.act is Act.LIST or len(told.spots) > 1)
        kind = "primary" if primary and not self.unfolds else "plain"
        self.button = Button(told.label, kind, small=True, chevron=self.unfolds)  # type: ignore[arg-type]
        self.button.setVisible(bool(told.label))
        self.button.setAccessibleDescription(self.title.text())
        self.button.setCheckable(self.unfolds)
        if self.unfolds:
            self.button.toggled.connect(self.set_unfolded)
        else:
            self.button.clicked.connect(lambda: self.acted.emit(self.told))
        self._tile = Glyph(told.icon, told.ink, 18, tile=told.tile, tile_size=_TILE)
        words = QVBoxLayout()
        words.setSpacing(0)
        words.addStretch(1)
        words.addWidget(self.title)
        words.addWidget(self.sentence)
        words.addStretch(1)
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(16, 10, 16, 10)
        self._grid.setHorizontalSpacing(14)
        self._grid.setVerticalSpacing(8)
        self._grid.setColumnStretch(1, 1)
        self._grid.addWidget(self._tile, 0, 0, Qt.AlignmentFlag.AlignTop)
        self._grid.addLayout(words, 0, 1)
        self.setAccessibleName(f"{self.title.text()}. {self.sentence.text()}".strip())
        self._fit()
        self._theme.changed.connect(self._fit)

    @property
    def list(self) -> SpotList | None:
        """What is unfolded."""
        return self._list

    @property
    def is_unfolded(self) -> bool:
        return self._list is not None and not self._list.isHidden()

    def set_unfolded(self, unfolded: bool) -> None:
        if unfolded and self._list is None:
            self._list = SpotList(self.told.spots, self.told.each)
            self._list.chosen.connect(lambda spot: self.chosen.emit(self.told, spot))
            self._grid.addWidget(self._list, 2, 1, 1, 2)
        if self._list is not None:
            self._list.setVisible(unfolded)
        if self.button.isChecked() != unfolded:
            self.button.setChecked(unfolded)
        if unfolded:
            announce(self, self.tr("{count} lines below").format(count=len(self.told.spots)))

    def _fit(self) -> None:
        narrow = self.width() < self._theme.px(_NARROW)
        if narrow == self._is_narrow:
            return
        self._is_narrow = narrow
        self._grid.removeWidget(self.button)
        if narrow:
            self._grid.addWidget(self.button, 1, 1, Qt.AlignmentFlag.AlignLeft)
        else:
            self._grid.addWidget(self.button, 0, 2, Qt.AlignmentFlag.AlignVCenter)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()


class FindingCard(Card):
    """The rows of one group, with a line between two."""

    acted = Signal(object)
    chosen = Signal(object, object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent=parent)
        self.rows: tuple[FindingRow, ...] = ()
        self._box = QVBoxLayout(self)
        self._box.setContentsMargins(1, 1, 1, 1)
        self._box.setSpacing(0)

    def set_findings(
        self, findings: Sequence[Told], unfolded: Collection[str], *, primary: bool = False
    ) -> None:
        """Show these. ``unfolded`` are the ids of those whose list is to be open; with ``primary``
        the first that can be acted on has the one primary button of the page."""
        while self._box.count():
            item = self._box.takeAt(0)
            widget = item.widget() if item is not None else None
            if widget is not None:
                widget.hide()
                widget.setParent(None)
                widget.deleteLater()
        rows = []
        for number, told in enumerate(findings):
            if number:
                self._box.addWidget(Hairline())
            row = FindingRow(told, primary=primary)
            primary = primary and not (told.label and not row.unfolds)
            row.acted.connect(self.acted)
            row.chosen.connect(self.chosen)
            if row.unfolds and told.id in unfolded:
                row.set_unfolded(True)
            self._box.addWidget(row)
            rows.append(row)
        self.rows = tuple(rows)


class FineGrid(QWidget):
    """What is fine, in three columns, or as many as there is room for."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = Theme.of(self)
        self._columns = 0
        self._items: list[QWidget] = []
        self._words: tuple[str, ...] = ()
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(12)
        self._grid.setVerticalSpacing(10)
        self._theme.changed.connect(self._arrange)

    @property
    def words(self) -> tuple[str, ...]:
        return self._words

    def set_words(self, words: Sequence[str]) -> None:
        if tuple(words) == self._words:
            return
        self._words = tuple(words)
        for item in self._items:
            self._grid.removeWidget(item)
            item.hide()
            item.deleteLater()
        self._items = [_fine_line(words) for words in self._words]
        self._columns = 0
        self._arrange()

    def _arrange(self) -> None:
        width = self.width() / max(1, self._theme.px(100))
        columns = 3 if width >= 6.6 else 2 if width >= 4.4 else 1
        if columns == self._columns:
            return
        self._columns = columns
        for item in self._items:
            self._grid.removeWidget(item)
        for column in range(3):
            self._grid.setColumnStretch(column, int(column < columns))
        for number, item in enumerate(self._items):
            top = Qt.AlignmentFlag.AlignTop
            self._grid.addWidget(item, number // columns, number % columns, top)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange()


def _fine_line(words: str) -> QWidget:
    line = QWidget()
    row = QHBoxLayout(line)
    row.setContentsMargins(0, 2, 0, 2)
    row.setSpacing(10)
    row.addWidget(Glyph("action.accept", "positive", 16), 0, Qt.AlignmentFlag.AlignTop)
    row.addWidget(Label(_clean(words), "small", "text.secondary", wrap=True), 1)
    return line


def _clean(words: str) -> str:
    words = text_layout.shown(words)
    if len(words) > _LONGEST:
        return words[: text_layout.cluster_start(words, _LONGEST)] + text_layout.ELLIPSIS
    return words
