"""Where the Tab key goes: through a window as its layouts have it, which is as people read it.

Qt's own order is the order in which widgets were made; one that is made later, such as a chip or a
card, comes last of all, and pages put together bit by bit end up in rings of their own that Tab
never leaves. GUI thread only.
"""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractScrollArea, QLayout, QScrollArea, QStackedWidget, QWidget


def in_order(root: QWidget) -> Iterator[QWidget]:
    """``root`` and everything in it that is in sight, as the layouts have it; what lies over them,
    such as a toast, comes last."""
    if not root.isVisible():
        return
    yield root
    if isinstance(root, QScrollArea):
        inner = root.widget()
        if inner is not None:
            yield from in_order(inner)
        return
    if isinstance(root, QAbstractScrollArea):
        return  # a list or a page of text: its insides are its own affair
    if isinstance(root, QStackedWidget):
        current = root.currentWidget()
        if current is not None:
            yield from in_order(current)
        return
    laid_out = list(_widgets(root.layout()))
    for widget in laid_out:
        yield from in_order(widget)
    for child in root.children():
        if isinstance(child, QWidget) and not child.isWindow() and child not in laid_out:
            yield from in_order(child)


def can_have_focus(widget: QWidget) -> bool:
    """Whether the Tab key stops there."""
    wants = widget.focusPolicy() & Qt.FocusPolicy.TabFocus == Qt.FocusPolicy.TabFocus
    return wants and widget.focusProxy() is None and widget.isVisible() and widget.isEnabled()


def step(window: QWidget, forward: bool) -> bool:
    """Tab, or Shift+Tab: on to the next one, from the last to the first."""
    everything = list(in_order(window))
    focused = window.focusWidget()
    at = everything.index(focused) if focused in everything else -1
    after, before = everything[at + 1 :], everything[: max(at, 0)]
    ways = [*after, *before] if forward else [*reversed(before), *reversed(after)]
    wanted = next((widget for widget in ways if can_have_focus(widget)), None)
    if wanted is None:
        return False
    reasons = Qt.FocusReason
    wanted.setFocus(reasons.TabFocusReason if forward else reasons.BacktabFocusReason)
    return True


def _widgets(layout: QLayout | None) -> Iterator[QWidget]:
    if layout is None:
        return
    for number in range(layout.count()):
        item = layout.itemAt(number)
        if item is None:
            continue
        widget, inner = item.widget(), item.layout()
        if widget is not None:
            yield widget
        elif inner is not None:
            yield from _widgets(inner)
