"""How sure somebody is: a slider with the number and its words, "75 % · quite sure".

GUI thread only.
"""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication, QLocale, Qt, Signal
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import QHBoxLayout, QSlider, QWidget

from daybank_desktop.theme import Theme
from daybank_desktop.widgets.label import Label

SURE_MIN = 2
SURE_MAX = 98


def sure_words(percent: int) -> str:
    """The words for a percentage, such as "quite sure"."""
    return {
        90: QCoreApplication.translate("Sure", "almost certain"),
        70: QCoreApplication.translate("Sure", "quite sure"),
        50: QCoreApplication.translate("Sure", "fairly sure"),
        30: QCoreApplication.translate("Sure", "doubtful"),
        0: QCoreApplication.translate("Sure", "probably not"),
    }[Theme.of().sure_word_from(percent)]


def percent_text(percent: int) -> str:
    """ "75 %", with figures of the locale."""
    return QCoreApplication.translate("Sure", "{number}\u00a0%").format(
        number=QLocale().toString(percent)
    )


def sure_text(percent: int) -> str:
    """The number and its words: "75 % · quite sure"."""
    return QCoreApplication.translate("Sure", "{percent} · {words}").format(
        percent=percent_text(percent), words=sure_words(percent)
    )


class SureSlider(QWidget):
    """From 2 to 98: nobody is ever entirely sure."""

    value_changed = Signal(int)

    def __init__(self, value: int = 75, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = Theme.of(self)
        self._question = Label(self.tr("How sure?"), "captionStrong", "text.secondary")
        self.slider = QSlider(Qt.Orientation.Horizontal)
        self.slider.setRange(SURE_MIN, SURE_MAX)
        self.slider.setPageStep(10)
        self.slider.setAccessibleName(self.tr("How sure?"))
        self.slider.valueChanged.connect(self._on_value)
        self._said = Label("", "small", "text.secondary", tabular=True)
        self.setFocusProxy(self.slider)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(12)
        row.addWidget(self._question)
        row.addWidget(self.slider, 1)
        row.addWidget(self._said)
        self._theme.changed.connect(self._restyle)
        self.slider.setValue(value)
        self._on_value(value)
        self._restyle()

    @property
    def value(self) -> int:
        return self.slider.value()

    def set_value(self, value: int) -> None:
        self.slider.setValue(value)

    @property
    def text(self) -> str:
        return self._said.text()

    def _on_value(self, value: int) -> None:
        said = sure_text(value)
        self._said.setText(said)
        self.slider.setAccessibleDescription(said)
        self.value_changed.emit(value)

    def _restyle(self) -> None:
        # As wide as the longest words, so that the slider does not move while it is dragged.
        metrics = QFontMetrics(self._theme.font("small", tabular=True))
        levels = (98, 89, 69, 49, 29)
        width = max(metrics.horizontalAdvance(sure_text(level)) for level in levels)
        self._said.setMinimumWidth(width + 2)
