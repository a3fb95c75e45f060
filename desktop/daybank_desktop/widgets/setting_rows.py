"""Rows of a form in which each change acts at once: a name, a sentence, and the control.

Rows lie in a :class:`SettingCard`, which draws the lines between them. Where the room is short a
wide control goes under its words. GUI thread only.
"""

from __future__ import annotations

from PySide6.QtCore import QEvent, QRectF, QSize, Qt
from PySide6.QtGui import QMouseEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import (
    QBoxLayout,
    QHBoxLayout,
    QRadioButton,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from daybank_desktop.theme import Theme
from daybank_desktop.widgets.glyph import Glyph
from daybank_desktop.widgets.label import Label
from daybank_desktop.widgets.surface import Card
from daybank_desktop.widgets.toggle import Toggle, paint_radio

_SIDE = 18
_TOP = 12
_GAP = 16
_WORDS_NEED = 220
"""So much room the words keep beside a control; else the control goes under them."""


class SettingCard(Card):
    """Rows under each other, with a hairline between those in sight."""

    def __init__(self, name: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent=parent)
        self.setAccessibleName(name)
        self._box = QVBoxLayout(self)
        self._box.setContentsMargins(1, 1, 1, 1)
        self._box.setSpacing(0)

    def add(self, row: QWidget) -> None:
        self.insert(self._box.count(), row)

    def insert(self, at: int, row: QWidget) -> None:
        self._box.insertWidget(at, row)
        row.installEventFilter(self)
        self._draw_lines()

    def remove(self, row: QWidget) -> None:
        """Take a row out, for good."""
        row.removeEventFilter(self)
        self._box.removeWidget(row)
        row.hide()
        row.deleteLater()
        self._draw_lines()

    def rows(self) -> list[QWidget]:
        items = (self._box.itemAt(number) for number in range(self._box.count()))
        widgets = (item.widget() for item in items if item is not None)
        return [widget for widget in widgets if widget is not None]

    def _draw_lines(self) -> None:
        shown = [row for row in self.rows() if not row.isHidden()]
        for number, row in enumerate(shown):
            if isinstance(row, Row):
                row.set_line(number > 0)

    def eventFilter(self, watched: object, event: QEvent) -> bool:
        if event.type() in (QEvent.Type.ShowToParent, QEvent.Type.HideToParent):
            self._draw_lines()
        return super().eventFilter(watched, event)  # type: ignore[arg-type]


class Row(QWidget):
    """What rows have in common: the line above, and the room around."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = Theme.of(self)
        self._has_line = False
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)

    def set_line(self, has_line: bool) -> None:
        self._has_line = has_line
        self.update()

    def _narrowest(self, control: QWidget | None) -> QSize:
        """As if the control lay under the words already: else a row that is too wide would make
        the page wide, and never learn that there is no room."""
        hint = super().minimumSizeHint()
        wanted = 0 if control is None or control.isHidden() else control.sizeHint().width()
        return QSize(min(hint.width(), max(wanted, self._theme.px(120)) + 2 * _SIDE), hint.height())

    def paintEvent(self, event: QPaintEvent) -> None:
        if self._has_line:
            line = QRectF(0, 0, self.width(), 1)
            QPainter(self).fillRect(line, self._theme.color("border.subtle"))


class SettingRow(Row):
    """``title``, a sentence under it, and ``control`` at the right. ``hint`` is a reason, said
    under both where the control is off."""

    def __init__(
        self,
        title: str,
        text: str = "",
        control: QWidget | None = None,
        *,
        icon: str = "",
        elide: bool = False,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.control = control
        self._title = Label(title, "body", wrap=not elide, elide=elide)
        self._text = Label("", "caption", "text.secondary", wrap=not elide, elide=elide)
        self._reason = Label("", "caption", "caution", wrap=True)
        self._words = QVBoxLayout()
        self._words.setSpacing(0)
        self._words.setContentsMargins(0, 0, 0, 0)
        self._words.addStretch(1)
        for label in (self._title, self._text, self._reason):
            self._words.addWidget(label)
        self._words.addStretch(1)
        self._box = QBoxLayout(QBoxLayout.Direction.LeftToRight, self)
        self._box.setContentsMargins(_SIDE, _TOP, _SIDE, _TOP)
        self._box.setSpacing(_GAP)
        if icon:
            self._box.addWidget(Glyph(icon, "text.secondary", 18))
        self._box.addLayout(self._words, 1)
        if control is not None:
            self._box.addWidget(control)
        self.set_text(text)
        self.set_reason("")

    @property
    def title(self) -> str:
        return self._title.text()

    @property
    def text(self) -> str:
        return self._text.text()

    @property
    def reason(self) -> str:
        return self._reason.text()

    def set_title(self, title: str) -> None:
        self._title.setText(title)
        self._title.updateGeometry()

    def set_text(self, text: str) -> None:
        self._text.setText(text)
        self._text.setVisible(bool(text))
        self._describe()

    def set_reason(self, reason: str) -> None:
        """Why the control is off; "" switches it on."""
        self._reason.setText(reason)
        self._reason.setVisible(bool(reason))
        if self.control is not None:
            self.control.setEnabled(not reason)
        self._describe()

    def _describe(self) -> None:
        if self.control is not None:
            said = " ".join(part for part in (self.text, self.reason) if part)
            self.control.setAccessibleDescription(said)

    def minimumSizeHint(self) -> QSize:
        return self._narrowest(self.control)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        """Beside each other, or the control under the words."""
        control = self.control
        if control is None or isinstance(control, Toggle):
            return
        room = self.width() - 2 * _SIDE - _GAP - control.sizeHint().width()
        wanted = min(self._theme.px(_WORDS_NEED), self._title.sizeHint().width() + 1)
        beside = room >= wanted
        directions = QBoxLayout.Direction
        self._box.setDirection(directions.LeftToRight if beside else directions.TopToBottom)
        self._box.setSpacing(_GAP if beside else 8)
        alignment = Qt.AlignmentFlag.AlignVCenter if beside else Qt.AlignmentFlag.AlignLeft
        self._box.setAlignment(control, alignment)


class ToggleRow(SettingRow):
    """A row with a switch; a click anywhere on the row turns it."""

    def __init__(self, title: str, text: str = "", *, parent: QWidget | None = None) -> None:
        self.toggle = Toggle(title)
        super().__init__(title, text, self.toggle, parent=parent)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton and self.rect().contains(
            event.position().toPoint()
        ):
            self.toggle.click()


class RadioMark(QRadioButton):
    """The round mark alone; its row has the words."""

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = Theme.of(self)
        self.setAccessibleName(name)
        self.setProperty("focusRadius", 14)
        self.setProperty("mark", True)  # the row is what one clicks: no least height
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self._theme.changed.connect(self.updateGeometry)

    def sizeHint(self) -> QSize:
        side = max(18, self._theme.px(18))
        return QSize(side, side)

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def hitButton(self, pos: object) -> bool:
        return True

    def paintEvent(self, event: QPaintEvent) -> None:
        area = QRectF(self.rect())
        painter = QPainter(self)
        paint_radio(painter, self._theme, area, chosen=self.isChecked(), enabled=self.isEnabled())


class RadioRow(Row):
    """One of several: the mark, a strong title with a short fact beside it, a sentence, and what
    ``extra`` there is at the right. A click anywhere on the row chooses."""

    def __init__(
        self,
        title: str,
        text: str = "",
        *,
        fact: str = "",
        extra: QWidget | None = None,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.mark = RadioMark(title)
        self.extra = extra
        self._title = Label(title, "bodyStrong", wrap=True)
        self._fact = Label(fact, "small", "text.secondary", tabular=True)
        self._text = Label("", "small", "text.secondary", wrap=True)
        head = QHBoxLayout()
        head.setSpacing(8)
        head.addWidget(self._title)
        head.addWidget(self._fact)
        head.addStretch(1)
        words = QVBoxLayout()
        words.setSpacing(0)
        words.addLayout(head)
        words.addWidget(self._text)
        words.addStretch(1)
        left = QHBoxLayout()
        left.setSpacing(14)
        spot = QVBoxLayout()
        spot.setContentsMargins(0, 1, 0, 0)
        spot.addWidget(self.mark)
        spot.addStretch(1)
        left.addLayout(spot)
        left.addLayout(words, 1)
        self._box = QBoxLayout(QBoxLayout.Direction.LeftToRight, self)
        self._box.setContentsMargins(_SIDE, _TOP + 1, _SIDE, _TOP + 1)
        self._box.setSpacing(_GAP)
        self._box.addLayout(left, 1)
        self._spot = QHBoxLayout()
        self._spot.setContentsMargins(0, 0, 0, 0)
        if extra is not None:
            self._spot.addWidget(extra, 0, Qt.AlignmentFlag.AlignTop)
            self._box.addLayout(self._spot)
        self._fact.setVisible(bool(fact))
        self.set_text(text)

    @property
    def title(self) -> str:
        return self._title.text()

    @property
    def text(self) -> str:
        return self._text.text()

    def set_text(self, text: str) -> None:
        self._text.setText(text)
        self._text.setVisible(bool(text))
        self._describe()

    def set_fact(self, fact: str) -> None:
        self._fact.setText(fact)
        self._fact.setVisible(bool(fact))
        self._fact.updateGeometry()
        self._describe()

    def _describe(self) -> None:
        said = ". ".join(part for part in (self._fact.text(), self.text) if part)
        self.mark.setAccessibleDescription(said)

    def fit(self) -> None:
        """What is at the right became wider or narrower."""
        extra = self.extra
        if extra is None:
            return
        room = self.width() - 2 * _SIDE - _GAP - self._theme.px(18) - 14
        room -= extra.sizeHint().width()
        beside = extra.isHidden() or room >= self._theme.px(_WORDS_NEED)
        directions = QBoxLayout.Direction
        self._box.setDirection(directions.LeftToRight if beside else directions.TopToBottom)
        self._box.setSpacing(_GAP if beside else 8)
        flags = Qt.AlignmentFlag
        self._box.setAlignment(self._spot, flags.AlignTop if beside else flags.AlignLeft)
        self._spot.setContentsMargins(0 if beside else self._theme.px(18) + 14, 0, 0, 0)

    def minimumSizeHint(self) -> QSize:
        hint = self._narrowest(self.extra)
        return QSize(hint.width() + self._theme.px(18) + 14, hint.height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.fit()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        inside = self.rect().contains(event.position().toPoint())
        if event.button() == Qt.MouseButton.LeftButton and inside and self.mark.isEnabled():
            self.mark.setFocus(Qt.FocusReason.MouseFocusReason)
            self.mark.click()
