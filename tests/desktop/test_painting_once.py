"""The window paints what has changed once, in a turn of its own."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, QRectF
from PySide6.QtGui import QColor, QImage, QPainter, QPaintEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from daybank_desktop.theme import Theme
from daybank_desktop.widgets import paint
from daybank_desktop.widgets.cited_line import CitedLine
from daybank_desktop.widgets.progress_line import ProgressBar
from daybank_desktop.widgets.stack import Stack

# The screenless platform says so whenever a window is raised or sized.
pytestmark = pytest.mark.qt_log_ignore(r"^This plugin does not support", extend=True)


class Counted(QWidget):
    """Counts how often it is painted."""

    def __init__(self) -> None:
        super().__init__()
        self.times = 0

    def paintEvent(self, event: QPaintEvent) -> None:
        self.times += 1


def _opaque_page() -> tuple[QWidget, list[Counted]]:
    """A page as a scroll area has it: it fills itself, and widgets lie on it."""
    page = QWidget()
    page.setAutoFillBackground(True)
    inside = [Counted() for _ in range(3)]
    column = QVBoxLayout(page)
    for widget in inside:
        column.addWidget(widget)
    return page, inside


@pytest.mark.parametrize("by_number", [True, False])
def test_another_page_of_a_stack_is_painted_once(
    theme: Theme, qtbot: QtBot, by_number: bool
) -> None:
    stack = Stack()
    qtbot.addWidget(stack)
    stack.resize(400, 300)
    (first, on_first), (second, on_second) = _opaque_page(), _opaque_page()
    stack.addWidget(first)
    stack.addWidget(second)
    stack.show()
    qtbot.waitExposed(stack)
    qtbot.waitUntil(lambda: all(widget.times for widget in on_first))
    qtbot.wait(20)
    if by_number:
        stack.setCurrentIndex(1)
    else:
        stack.setCurrentWidget(second)
    qtbot.waitUntil(lambda: all(widget.times for widget in on_second))
    qtbot.wait(20)
    assert [widget.times for widget in on_second] == [1, 1, 1]
    assert stack.currentWidget() is second
    assert stack.updatesEnabled()


def test_where_a_smaller_page_comes_the_one_before_is_gone(theme: Theme, qtbot: QtBot) -> None:
    stack = Stack()
    qtbot.addWidget(stack)
    stack.resize(80, 60)
    pages = [QWidget(), QWidget()]
    pages[0].setStyleSheet("background: #ff0000")
    for page in pages:
        stack.addWidget(page)
    stack.show()
    qtbot.waitExposed(stack)
    stack.setCurrentIndex(1)
    assert QColor("#ff0000").rgb() != stack.grab().toImage().pixel(QPoint(40, 30))
    stack.setCurrentIndex(0)
    assert QColor("#ff0000").rgb() == stack.grab().toImage().pixel(QPoint(40, 30))


def test_progress_does_not_have_the_window_painted_at_once(theme: Theme, qtbot: QtBot) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    bar, other = ProgressBar(), Counted()
    column = QVBoxLayout(window)
    column.addWidget(bar)
    column.addWidget(other)
    window.resize(200, 100)
    window.show()
    qtbot.waitExposed(window)
    qtbot.waitUntil(lambda: other.times > 0)
    qtbot.wait(20)
    before, shown = other.times, bar.grab().toImage()
    other.update()
    bar.set_share(0.5)
    assert bar.value() == 500
    assert other.times == before
    qtbot.waitUntil(lambda: other.times == before + 1)
    assert bar.grab().toImage() != shown


def test_a_cited_line_is_laid_out_anew_for_other_words_and_sizes(
    theme: Theme, qtbot: QtBot
) -> None:
    line = CitedLine("Opens up.", "19 Nov")
    qtbot.addWidget(line)
    low = line.heightForWidth(160)
    line.set_words("Opens up for the Tuesday delivery, and for the one on Friday too.", "20 Nov")
    high = line.heightForWidth(160)
    assert high > low
    assert line.heightForWidth(2000) == low
    assert line.accessibleName().endswith("20 Nov")
    theme.set_text_size(200)
    assert line.heightForWidth(160) > 2 * high
    line.resize(160, line.heightForWidth(160))
    light = line.grab().toImage()
    theme.set_mode("dark")
    assert line.grab().toImage() != light


def test_many_bars_look_like_as_many_rounded_rectangles(theme: Theme) -> None:
    rects = [QRectF(2 + 7 * n, 30 - 3 * n, 4.5, 3 * n + 0.5) for n in range(8)]
    pictures = []
    for together in (True, False):
        picture = QImage(64, 32, QImage.Format.Format_ARGB32_Premultiplied)
        picture.fill(0)
        painter = QPainter(picture)
        if together:
            paint.bars(painter, [(rect, theme.color("accent")) for rect in rects], 2)
        else:
            for rect in rects:
                paint.rounded(painter, rect, 2, theme.color("accent"))
        painter.end()
        pictures.append(picture)
    assert pictures[0] == pictures[1]
