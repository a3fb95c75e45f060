"""The icon in the tray: half a sun over two lines, and a mark for what it says.

Drawn for every size on whole pixels, since at 16 pixels a line between two of them is a grey
smear. Five states by shape and by colour: a ring, a dot, a triangle, two bars, or nothing. GUI
thread only.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from typing import Final

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QIcon, QPainter, QPainterPath, QPen, QPixmap

from daybank_desktop.resources import resource_path
from daybank_desktop.tray.panel import Panel
from daybank_desktop.tray.state import TrayState

SIZES: Final = (16, 22, 24, 32, 48, 64)
"""What panels ask for, in logical pixels."""

RATIOS: Final = (1.0, 1.25, 1.5, 2.0, 3.0)
_LARGEST: Final = 96  # a larger one is scaled down from it


@dataclass(frozen=True, slots=True)
class _Inks:
    """``outline`` is None where the panel is known."""

    glyph: QColor
    waiting: QColor
    attention: QColor
    outline: QColor | None = None


def tray_icon(state: TrayState, panel: Panel, ratios: Iterable[float] = ()) -> QIcon:
    """The icon of ``state`` in all sizes; ``ratios`` are those of the screens."""
    icon = QIcon()
    for side in _sides((*RATIOS, *ratios)):
        icon.addPixmap(draw(state, panel, side))
    icon.setIsMask(panel is Panel.TEMPLATE)
    return icon


def draw(state: TrayState, panel: Panel, side: int) -> QPixmap:
    """The icon on ``side`` by ``side`` pixels of the screen."""
    inks = _inks(panel)
    edge = 0 if inks.outline is None else max(1, round(side / 24))
    sun, mark = _glyph(side, edge), _mark(state, side, edge)
    pixmap = QPixmap(side, side)
    pixmap.fill(Qt.GlobalColor.transparent)
    painter = QPainter(pixmap)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    _fill(painter, sun, inks.glyph, inks.outline, edge)
    if not mark.isEmpty():
        _clear(painter, _space_for(state, mark), edge + max(1, round(side / 18)))
        _fill(painter, mark, _mark_ink(state, inks), inks.outline, edge)
    painter.end()
    return pixmap


# Shapes


def _glyph(side: int, edge: int) -> QPainterPath:
    """The sun and its two lines, in the middle. ``edge`` is kept free around it."""
    room = side - 2 * edge
    line = max(1, round(room * 0.1))
    gap = max(1, round(room * 0.085))
    radius = round(room * 0.315)
    top = (side - radius - 2 * (gap + line)) // 2
    middle = side / 2
    path = QPainterPath()
    path.setFillRule(Qt.FillRule.WindingFill)
    path.moveTo(middle + radius, top + radius)
    path.arcTo(QRectF(middle - radius, top, 2 * radius, 2 * radius), 0, 180)
    path.closeSubpath()
    y = top + radius
    for length in (round(room * 0.93), round(room * 0.62)):
        y += gap
        left = (side - length) // 2
        width = side - 2 * left
        path.addRoundedRect(QRectF(left, y, width, line), line / 2, line / 2)
        y += line
    return path


def _mark(state: TrayState, side: int, edge: int) -> QPainterPath:
    """What lies in the upper right corner."""
    size = round((side - 2 * edge) * 0.4)
    line = max(1, round(side * 0.1))
    box = QRectF(side - edge - size, edge, size, size)
    path = QPainterPath()
    if state is TrayState.WORKING:
        path.addEllipse(box)
        path.addEllipse(box.adjusted(line, line, -line, -line))
    elif state is TrayState.WAITING:
        path.addEllipse(box)
    elif state is TrayState.ATTENTION:
        path.moveTo(QPointF(box.center().x(), box.top()))
        path.lineTo(box.bottomRight())
        path.lineTo(box.bottomLeft())
        path.closeSubpath()
    elif state is TrayState.PAUSED:
        for left in (box.right() - 3 * line, box.right() - line):
            path.addRect(QRectF(left, box.top(), line, size))
    return path


def _space_for(state: TrayState, mark: QPainterPath) -> QPainterPath:
    """The mark without its holes, where the sun would show through."""
    space = QPainterPath()
    if state is TrayState.PAUSED:
        space.addRect(mark.boundingRect())
    else:
        space = _whole(mark)
    return space


def _whole(path: QPainterPath) -> QPainterPath:
    whole = QPainterPath(path)
    whole.setFillRule(Qt.FillRule.WindingFill)
    return whole


# Colours


@cache
def _inks(panel: Panel) -> _Inks:
    colors = json.loads(resource_path("tokens.json").read_text("utf-8"))["color"]
    light, dark = colors["light"], colors["dark"]
    if panel is Panel.TEMPLATE:
        black = QColor(Qt.GlobalColor.black)
        return _Inks(black, black, black)
    of = light if panel is Panel.LIGHT else dark
    return _Inks(
        QColor(of["text.primary"]),
        QColor(of["accent"]),
        QColor(of["caution"]),
        QColor(light["text.primary"]) if panel is Panel.UNSURE else None,
    )


def _mark_ink(state: TrayState, inks: _Inks) -> QColor:
    marks = {TrayState.WAITING: inks.waiting, TrayState.ATTENTION: inks.attention}
    return marks.get(state, inks.glyph)


# Painting


def _fill(
    painter: QPainter, path: QPainterPath, ink: QColor, outline: QColor | None, edge: int
) -> None:
    if outline is not None:
        painter.setPen(_round_pen(outline, edge))
        painter.setBrush(outline)
        painter.drawPath(_whole(path))
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(ink)
    painter.drawPath(path)


def _clear(painter: QPainter, path: QPainterPath, around: int) -> None:
    """A free space for the mark, whose shape would else run into the sun's."""
    painter.save()
    painter.setCompositionMode(QPainter.CompositionMode.CompositionMode_Clear)
    painter.setPen(_round_pen(QColor(Qt.GlobalColor.black), around))
    painter.setBrush(QColor(Qt.GlobalColor.black))
    painter.drawPath(path)
    painter.restore()


def _round_pen(color: QColor, width: int) -> QPen:
    return QPen(
        color, 2 * width, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap, Qt.PenJoinStyle.RoundJoin
    )


def _sides(ratios: Iterable[float]) -> tuple[int, ...]:
    sides = {round(size * ratio) for size in SIZES for ratio in ratios}
    return tuple(sorted(side for side in sides if side <= _LARGEST))
