"""Steps: the first at once, each of the others in a turn of its own, and only as long as wanted."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QObject, QTimer
from pytestqt.qtbot import QtBot

from daybank_desktop.steps import Steps


@pytest.fixture
def owner(qtbot: QtBot) -> Iterator[QObject]:
    owner = QObject()
    yield owner
    owner.deleteLater()


def test_the_first_step_is_at_once_and_the_window_lives_between_the_others(
    qtbot: QtBot, owner: QObject
) -> None:
    seen: list[str] = []
    steps = Steps(owner)
    steps.run([lambda: seen.append("first"), lambda: seen.append("second")])
    assert seen == ["first"]
    assert not steps.are_done
    QTimer.singleShot(0, lambda: seen.append("a click"))
    qtbot.waitUntil(lambda: len(seen) == 3)
    assert sorted(seen[1:]) == ["a click", "second"]
    assert steps.are_done


def test_each_step_has_a_turn_of_its_own(qtbot: QtBot, owner: QObject) -> None:
    seen: list[int] = []
    beats: list[int] = []
    heart = QTimer(owner, interval=0)
    heart.timeout.connect(lambda: beats.append(len(seen)))
    heart.start()
    Steps(owner).run([lambda n=n: seen.append(n) for n in range(4)])
    qtbot.waitUntil(lambda: len(seen) == 4)
    assert {1, 2, 3} <= {*beats, len(seen) - 1}


def test_new_steps_take_the_place_of_the_old(qtbot: QtBot, owner: QObject) -> None:
    seen: list[str] = []
    steps = Steps(owner)
    steps.run([lambda: seen.append("old 1"), lambda: seen.append("old 2")])
    steps.run([lambda: seen.append("new 1"), lambda: seen.append("new 2")])
    qtbot.waitUntil(lambda: steps.are_done)
    qtbot.wait(20)
    assert seen == ["old 1", "new 1", "new 2"]


def test_a_step_may_begin_other_steps(qtbot: QtBot, owner: QObject) -> None:
    seen: list[str] = []
    steps = Steps(owner)

    def again() -> None:
        seen.append("again")
        steps.run([lambda: seen.append("other 1"), lambda: seen.append("other 2")])

    steps.run([again, lambda: seen.append("never")])
    qtbot.waitUntil(lambda: steps.are_done)
    qtbot.wait(20)
    assert seen == ["again", "other 1", "other 2"]


def test_what_is_left_can_be_had_at_once_or_dropped(qtbot: QtBot, owner: QObject) -> None:
    seen: list[str] = []
    steps = Steps(owner)
    steps.run([lambda: seen.append("1"), lambda: seen.append("2"), lambda: seen.append("3")])
    steps.finish()
    assert seen == ["1", "2", "3"]
    steps.run([lambda: seen.append("4"), lambda: seen.append("5")])
    steps.stop()
    qtbot.wait(20)
    assert seen == ["1", "2", "3", "4"]
