"""The app's own picture, as notification servers take it. GUI thread."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QIcon, QImage

from daybank_desktop.notifications.freedesktop import Pixels

SIDE = 64


def pixels_of(icon: QIcon, side: int = SIDE) -> Pixels | None:
    """``icon`` drawn ``side`` pixels wide and high; None where it is empty."""
    pixmap = icon.pixmap(side, side)
    if pixmap.isNull():
        return None
    image = pixmap.toImage().scaled(
        side,
        side,
        Qt.AspectRatioMode.KeepAspectRatio,
        Qt.TransformationMode.SmoothTransformation,
    )
    image = image.convertToFormat(QImage.Format.Format_RGBA8888)
    return Pixels(image.width(), image.height(), bytes(image.constBits()))
