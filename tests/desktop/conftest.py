"""Everything the window's tests share. Nothing here touches the person's own folders."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Iterator

import pytest
from PySide6.QtCore import QEvent, QLocale
from PySide6.QtWidgets import QApplication

from daybank_desktop.theme import Theme

# Read when the application is made, which is after this.
os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")


@pytest.fixture(autouse=True)
def _no_thread_left() -> Iterator[None]:
    """A test that leaves a worker running has a bug, or has found one."""
    before = set(threading.enumerate())
    yield
    deadline = time.monotonic() + 3
    while left := [t for t in threading.enumerate() if t not in before and t.is_alive()]:
        if time.monotonic() > deadline:
            pytest.fail(f"left running: {', '.join(t.name for t in left)}")
        time.sleep(0.01)


@pytest.fixture(autouse=True)
def _english(qapp: QApplication) -> None:
    QLocale.setDefault(QLocale(QLocale.Language.English, QLocale.Country.UnitedKingdom))


@pytest.fixture
def theme(qapp: QApplication) -> Iterator[Theme]:
    """A light theme at 100 %, in force."""
    theme = Theme(qapp, mode="light")
    theme.apply()
    yield theme
    qapp.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    theme.deleteLater()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The screenless platform says what it cannot do whenever a window is raised or sized."""
    mark = pytest.mark.qt_log_ignore(r"^This plugin does not support", extend=True)
    for item in items:
        item.add_marker(mark)
