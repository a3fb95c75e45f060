"""What the window says: empty, wrong, loading, under way, done."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QEnterEvent
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from daybank_desktop.theme import Theme
from daybank_desktop.widgets.empty_state import EmptyState
from daybank_desktop.widgets.error_card import ErrorCard
from daybank_desktop.widgets.notice_bar import NoticeBar
from daybank_desktop.widgets.progress_line import ProgressLine
from daybank_desktop.widgets.skeleton import Skeleton
from daybank_desktop.widgets.status_bar import StatusBar, StatusItem
from daybank_desktop.widgets.toast import Toast

# The screenless platform says so whenever a window is raised or sized.
pytestmark = pytest.mark.qt_log_ignore(r"^This plugin does not support", extend=True)


@pytest.fixture
def window(qtbot: QtBot, theme: Theme) -> QWidget:
    window = QWidget()
    window.resize(600, 400)
    qtbot.addWidget(window)
    window.show()
    qtbot.waitExposed(window)
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    return window


def test_an_empty_state_offers_one_thing(theme: Theme, qtbot: QtBot) -> None:
    state = EmptyState("state.nothingFound", "Nothing found", "Try another word.", "All dates")
    qtbot.addWidget(state)
    state.resize(340, 240)
    state.show()
    with qtbot.waitSignal(state.acted):
        qtbot.mouseClick(state.button, Qt.MouseButton.LeftButton)
    state.set_content("page.review", "All looked at")
    assert not state.button.isVisible()
    assert not state.grab().isNull()


def test_an_error_can_be_tried_again_and_explained(theme: Theme, qtbot: QtBot) -> None:
    card = ErrorCard("It failed", "Nothing was lost.", primary="Try again", details="OSError: 5")
    qtbot.addWidget(card)
    card.resize(600, 300)
    card.show()
    assert not card._second.isVisible()
    assert not card._details.isVisible()
    card._more.click()
    assert card._details.isVisible()
    with qtbot.waitSignal(card.primary_clicked):
        card._primary.click()
    assert card.accessibleName() == "It failed"


def test_a_notice_is_read_acted_on_and_closed(theme: Theme, qtbot: QtBot) -> None:
    notice = NoticeBar("Words are found already.", action="Show", closable=True)
    qtbot.addWidget(notice)
    notice.resize(500, 60)
    notice.show()
    with qtbot.waitSignal(notice.acted):
        notice._action.click()
    with qtbot.waitSignal(notice.dismissed):
        notice._close.click()
    assert not notice.isVisible()


def test_no_part_opens_a_window_of_its_own(theme: Theme, qtbot: QtBot) -> None:
    before = set(QApplication.topLevelWidgets())
    parts: list[QWidget] = [
        NoticeBar("Here", closable=True),
        ProgressLine(),
        EmptyState(action="Do"),
        ErrorCard("E", "e", primary="Again", details="x"),
        StatusBar(),
    ]
    for part in parts:
        qtbot.addWidget(part)
    extra = set(QApplication.topLevelWidgets()) - before - set(parts)
    assert [widget for widget in extra if widget.isVisible()] == []


def test_grey_bars_wait_before_they_show(theme: Theme, qtbot: QtBot) -> None:
    skeleton = Skeleton(2)
    qtbot.addWidget(skeleton)
    skeleton.start()
    assert not skeleton.is_shown
    qtbot.waitUntil(lambda: skeleton.is_shown, timeout=2000)
    assert not skeleton.grab().isNull()
    skeleton.stop()
    assert not skeleton.is_shown


def test_quick_work_never_shows_grey_bars(theme: Theme, qtbot: QtBot) -> None:
    skeleton = Skeleton()
    qtbot.addWidget(skeleton)
    skeleton.start()
    skeleton.stop()
    qtbot.wait(400)
    assert not skeleton.is_shown


def test_progress_says_how_far_and_can_be_stopped(theme: Theme, qtbot: QtBot) -> None:
    bar = StatusBar()
    qtbot.addWidget(bar)
    bar.resize(900, 28)
    bar.show()
    assert not bar.progress.isVisible()
    bar.progress.set_progress("Reading your notes, 612 of 1,204", 612, 1204)
    assert bar.progress.isVisible()
    assert bar.progress.bar.value() == round(612 / 1204 * 1000)
    with qtbot.waitSignal(bar.progress.cancelled):
        bar.progress._cancel.click()
    bar.progress.set_progress("Looking around")
    assert not bar.progress.bar.isVisible()
    bar.progress.finish()
    assert not bar.progress.isVisible()


def test_the_status_bar_gives_up_its_facts_before_its_state(theme: Theme, qtbot: QtBot) -> None:
    bar = StatusBar()
    qtbot.addWidget(bar)
    bar.set_state("Up to date · 4,218 notes from 863 days")
    bar.set_item("meaning", StatusItem("Search by meaning is on"))
    bar.set_item("reflection", StatusItem("Last", "state.reflection"))
    bar.resize(1100, 28)
    bar.show()
    assert [fact.isVisible() for fact in bar._facts] == [True, True]
    bar.resize(360, 28)
    assert bar._facts[0].isVisible() is False
    assert bar.state.startswith("Up to date")
    assert bar.height() == 28


def test_a_toast_is_undone_with_its_button(theme: Theme, qtbot: QtBot, window: QWidget) -> None:
    toast = Toast(window)
    toast.show_message("Added to today", "Undo")
    assert toast.isVisible()
    assert toast.height() == 44
    middle = toast.geometry().center()
    assert abs(middle.x() - window.rect().center().x()) <= 1
    with qtbot.waitSignals([toast.acted, toast.gone]):
        qtbot.mouseClick(toast.action_button, Qt.MouseButton.LeftButton)
    assert not toast.isVisible()


def test_a_toast_waits_for_the_pointer_and_the_focus(
    theme: Theme, qtbot: QtBot, window: QWidget
) -> None:
    toast = Toast(window)
    qtbot.mouseMove(window, QPoint(2, 2))
    toast.show_message("Saved", "Undo")
    assert toast.is_waiting
    where = QPointF(5, 5)
    QApplication.sendEvent(toast, QEnterEvent(where, where, where))
    assert not toast.is_waiting
    QApplication.sendEvent(toast, QEvent(QEvent.Type.Leave))
    assert toast.is_waiting
    toast.action_button.setFocus(Qt.FocusReason.TabFocusReason)
    qtbot.waitUntil(lambda: not toast.is_waiting)
    qtbot.keyClick(toast.action_button, Qt.Key.Key_Escape)
    assert not toast.isVisible()


def test_a_new_toast_takes_the_place_of_the_old(
    theme: Theme, qtbot: QtBot, window: QWidget
) -> None:
    toast = Toast(window)
    gone: list[bool] = []
    toast.gone.connect(lambda: gone.append(True))
    toast.show_message("One", "Undo")
    toast.show_message("Two")
    assert toast.text == "Two"
    assert not toast.action_button.isVisible()
    assert gone == [True]


def test_a_toast_stays_in_the_middle_and_inside(
    theme: Theme, qtbot: QtBot, window: QWidget
) -> None:
    toast = Toast(window)
    toast.show_message("A long sentence about what was done. " * 6, "Undo")
    window.resize(400, 300)
    assert window.rect().contains(toast.geometry())
    assert toast.geometry().bottom() < window.height() - 10
    assert toast.pos() != QPoint(0, 0)
