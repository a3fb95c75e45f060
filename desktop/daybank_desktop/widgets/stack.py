"""Pages of which one is in sight, in an area whose height is given. GUI thread only."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QStackedWidget, QWidget


class Stack(QStackedWidget):
    """Does not ask for a height to fit its width: Qt would ask every page in it for hers at many
    widths, also the hidden ones, whenever anything in one of them changed.

    And another page is painted once. Qt would stop all updates while it changes pages and then ask
    for one of every widget in here, outer ones first: what lies on an opaque one would be painted
    together with it, and again for itself."""

    def setCurrentIndex(self, index: int) -> None:
        if index == self.currentIndex() or not self.updatesEnabled():
            super().setCurrentIndex(index)
            return
        self.setAttribute(Qt.WidgetAttribute.WA_UpdatesDisabled, True)
        super().setCurrentIndex(index)
        self.setAttribute(Qt.WidgetAttribute.WA_UpdatesDisabled, False)
        self.update()

    def setCurrentWidget(self, widget: QWidget) -> None:
        self.setCurrentIndex(self.indexOf(widget))

    def hasHeightForWidth(self) -> bool:
        return False
