"""How the window looks: colours and text size, at once."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFontMetrics, QWheelEvent
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QSlider, QWidget

from daybank_desktop.settings_topics import words
from daybank_desktop.settings_topics.topic import SettingsServices, Topic
from daybank_desktop.theme import TEXT_SIZE_MAX, TEXT_SIZE_MIN, Theme
from daybank_desktop.widgets.label import Label
from daybank_desktop.widgets.segmented import Segmented
from daybank_desktop.widgets.setting_rows import SettingRow

_STEP = 10


class LookTopic(Topic):
    theme_chosen = Signal(str)  # system, light or dark
    text_size_chosen = Signal(int)  # per cent

    def __init__(self, services: SettingsServices) -> None:
        super().__init__(self.tr("Look"), self.tr("How Daybank looks on this computer."))
        card = self.add_card()
        self.colours = Segmented(
            self.tr("Colours"),
            (
                ("system", "", self.tr("As the system")),
                ("light", "", self.tr("Light")),
                ("dark", "", self.tr("Dark")),
            ),
        )
        self.text_size = TextSizeSlider(self.theme.text_size)
        card.add(
            SettingRow(
                self.tr("Colours"),
                self.tr("Light or dark, or as the rest of the computer has it."),
                self.colours,
            )
        )
        card.add(
            SettingRow(
                self.tr("Text size"),
                self.tr("Type, rows and buttons grow together."),
                self.text_size,
            )
        )
        self.colours.chosen.connect(self.theme_chosen)
        self.text_size.chosen.connect(self.text_size_chosen)
        self.theme.changed.connect(self.refresh)
        self.refresh()

    def refresh(self) -> None:
        """Ctrl++ and the menu change the same."""
        self.colours.set_value(self.theme.mode)
        self.text_size.set_value(self.theme.text_size)


class _Steps(QSlider):
    def wheelEvent(self, event: QWheelEvent) -> None:
        event.ignore()  # the page is being scrolled


class TextSizeSlider(QWidget):
    """From 90 to 200 % in tens. While it is dragged only the number follows: the window would grow
    away under the pointer."""

    chosen = Signal(int)

    def __init__(self, value: int) -> None:
        super().__init__()
        self._theme = Theme.of(self)
        self.slider = _Steps(Qt.Orientation.Horizontal)
        self.slider.setRange(TEXT_SIZE_MIN // _STEP, TEXT_SIZE_MAX // _STEP)
        self.slider.setPageStep(2)
        self.slider.setTracking(False)
        self.slider.setAccessibleName(self.tr("Text size"))
        self._said = Label("", "small", "text.secondary", tabular=True)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(12)
        row.addWidget(self.slider, 1)
        row.addWidget(self._said)
        self.setFocusProxy(self.slider)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.slider.sliderMoved.connect(self._say)
        self.slider.valueChanged.connect(self._on_value)
        self._theme.changed.connect(self._restyle)
        self.set_value(value)
        self._restyle()

    @property
    def value(self) -> int:
        return self.slider.value() * _STEP

    def set_value(self, percent: int) -> None:
        """Show another size without telling of it."""
        self.slider.blockSignals(True)
        self.slider.setValue(round(percent / _STEP))
        self.slider.blockSignals(False)
        self._say(self.slider.value())

    def setAccessibleDescription(self, text: str) -> None:
        """The number is what a screen reader says of it."""

    def _on_value(self, tens: int) -> None:
        self._say(tens)
        self.chosen.emit(tens * _STEP)

    def _say(self, tens: int) -> None:
        said = words.percent(tens * _STEP)
        self._said.setText(said)
        self.slider.setAccessibleDescription(said)

    def _restyle(self) -> None:
        metrics = QFontMetrics(self._theme.font("small", tabular=True))
        self._said.setMinimumWidth(metrics.horizontalAdvance(words.percent(TEXT_SIZE_MAX)) + 2)
        self.slider.setFixedWidth(self._theme.px(180))
