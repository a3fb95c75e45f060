"""Words for a screen reader when something happens away from the focus. GUI thread only."""

from __future__ import annotations

import PySide6.QtGui
from PySide6.QtGui import QAccessible
from PySide6.QtWidgets import QWidget


def announce(widget: QWidget, text: str) -> None:
    """Say `text` once, without moving the focus; nothing happens where no reader is on."""
    event = getattr(PySide6.QtGui, "QAccessibleAnnouncementEvent", None)  # Qt 6.8
    if text and event is not None and QAccessible.isActive():
        QAccessible.updateAccessibility(event(widget, text))
