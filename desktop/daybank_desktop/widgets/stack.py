"""Pages of which one is in sight, in an area whose height is given. GUI thread only."""

from __future__ import annotations

from PySide6.QtWidgets import QStackedWidget


class Stack(QStackedWidget):
    """Does not ask for a height to fit its width: Qt would ask every page in it for hers at many
    widths, also the hidden ones, whenever anything in one of them changed."""

    def hasHeightForWidth(self) -> bool:
        return False
