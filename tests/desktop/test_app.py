"""The whole window, joined: starting, asking, trouble, ending."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from fakes import FakeWorkspace, bakery
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractButton, QApplication, QLabel
from pytestqt.qtbot import QtBot

from daybank.clock import FixedClock
from daybank.errors import WorkspaceNotFound, WorkspaceUnreadable
from daybank.settings import load_settings
from daybank_desktop.app import App
from daybank_desktop.opening import fresh_sample
from daybank_desktop.options import Options, read_options
from daybank_desktop.services.settings import SettingsStore

CLOCK = FixedClock(datetime(2026, 11, 27, 9, tzinfo=UTC))

Start = Callable[..., App]


@pytest.fixture
def start(qtbot: QtBot, qapp: QApplication, tmp_path: Path) -> Iterator[Start]:
    started: list[App] = []

    def make(
        workspace: FakeWorkspace | Exception | None = None, options: Options | None = None
    ) -> App:
        def opener(path: Path) -> FakeWorkspace:
            if isinstance(workspace, Exception):
                raise workspace
            assert workspace is not None
            return workspace

        app = App(
            qapp,
            options or Options(workspace="/notes"),
            config=tmp_path,
            clock=CLOCK,
            environ={},
            opener=opener if workspace is not None else None,
        )
        started.append(app)
        app.start()
        return app

    yield make
    for app in started:
        app.end()
        if app.first_run is not None:
            app.first_run.close()
        app.window.close()
        app.window.deleteLater()
        app.theme.deleteLater()
        app.deleteLater()


def ready(qtbot: QtBot, app: App) -> None:
    qtbot.waitUntil(lambda: app.search.answer is not None and app.tasks.is_idle, timeout=10_000)


def test_the_window_is_there_before_the_folder(start: Start, qtbot: QtBot) -> None:
    app = start(bakery())
    assert app.window.isVisible()
    assert app.library.workspace is None
    ready(qtbot, app)
    assert app.window.windowTitle() == "Ines’s notes – Daybank"
    assert app.window.status.state == "Up to date · 6 notes from 5 days"


def test_typing_in_the_field_finds_and_down_goes_to_the_list(start: Start, qtbot: QtBot) -> None:
    app = start(bakery())
    ready(qtbot, app)
    app.window.activateWindow()
    qtbot.waitUntil(app.window.isActiveWindow)
    edit = app.window.search.edit
    qtbot.keyClicks(edit, "Porto")
    qtbot.waitUntil(lambda: app.search_page.found_text == "1 note found")
    qtbot.keyClick(edit, Qt.Key.Key_Down)
    assert app.search_page.list.hasFocus()


def test_a_removed_chip_leaves_the_box_and_can_be_undone(start: Start, qtbot: QtBot) -> None:
    app = start(bakery(), Options(workspace="/notes", search="delivery last week"))
    ready(qtbot, app)
    qtbot.waitUntil(lambda: bool(app.search_page.chips.chips()))
    app.search_page.chips.chips()[0].removed.emit()
    edit = app.window.search.edit
    assert edit.text() == "delivery"
    edit.undo()
    assert edit.text() == "delivery last week"


def test_back_goes_to_the_question_before(start: Start, qtbot: QtBot) -> None:
    app = start(bakery())
    ready(qtbot, app)
    for text in ("Porto", "flour"):
        app.window.search.set_text(text)
        app.window.search.submitted.emit(text)
    app.window.go_back()
    qtbot.waitUntil(lambda: app.search_page.found_text == "1 note found")
    assert app.window.search.text() == "Porto"
    app.window.go_forward()
    qtbot.waitUntil(lambda: app.search_page.found_text == "3 notes found")
    assert app.window.search.text() == "flour"


def test_backspace_at_the_start_of_the_field_takes_a_chip(start: Start, qtbot: QtBot) -> None:
    app = start(bakery(), Options(workspace="/notes", search="delivery last week"))
    ready(qtbot, app)
    qtbot.waitUntil(lambda: bool(app.search_page.chips.chips()))
    edit = app.window.search.edit
    edit.setCursorPosition(0)
    qtbot.keyClick(edit, Qt.Key.Key_Backspace)
    assert edit.text() == "delivery"


def test_a_folder_that_cannot_be_reached_is_a_card_with_a_way_on(
    start: Start, qtbot: QtBot
) -> None:
    error = WorkspaceUnreadable("The memory folder cannot be reached.", "Connect the drive.")
    app = start(error)
    qtbot.waitUntil(lambda: app.search_page.problem != "")
    assert app.search_page.problem == error.title
    assert app.window.isVisible()


def test_a_folder_that_vanishes_and_comes_back(start: Start, qtbot: QtBot) -> None:
    workspace = bakery()
    app = start(workspace)
    ready(qtbot, app)
    workspace.sync_error = WorkspaceNotFound("The memory folder cannot be reached.")
    app.library.sync()
    qtbot.waitUntil(lambda: app.search_page.problem != "")
    workspace.sync_error = None
    app.search_page.primary_asked.emit()
    qtbot.waitUntil(lambda: app.search_page.problem == "")


def test_without_a_folder_the_assistant_comes_first(start: Start, qtbot: QtBot) -> None:
    app = start(None, Options())
    assert app.first_run is not None
    assert app.first_run.isVisible()
    app.first_run.reject()
    assert app.window.isVisible()


def test_the_folder_is_remembered(start: Start, qtbot: QtBot, tmp_path: Path) -> None:
    app = start(bakery())
    ready(qtbot, app)
    assert SettingsStore(tmp_path / "desktop.json").value.folder == "/home/ines/Ines’s notes"
    assert load_settings(tmp_path / "settings.json").workspace == "/home/ines/Ines’s notes"


def test_closing_while_reading_is_quick(start: Start, qtbot: QtBot) -> None:
    workspace = bakery()
    workspace.sync_files, workspace.sync_takes = 10_000, 0.005
    app = start(workspace)
    qtbot.waitUntil(lambda: "of 10,000" in app.window.status.progress.text)
    started = time.monotonic()
    app.window.close()
    assert app.end()
    assert time.monotonic() - started < 2
    assert workspace.closed


def test_an_unhandled_error_is_logged_and_shown(
    start: Start, qtbot: QtBot, caplog: pytest.LogCaptureFixture
) -> None:
    app = start(bakery())
    ready(qtbot, app)
    try:
        raise RuntimeError("boom <b>")
    except RuntimeError as error:
        sys.excepthook(RuntimeError, error, error.__traceback__)
    qtbot.waitUntil(lambda: app.search_page.has_trouble)
    assert "boom" in caplog.text


def test_a_bug_in_a_worker_is_shown(start: Start, qtbot: QtBot) -> None:
    workspace = bakery()
    app = start(workspace)
    ready(qtbot, app)
    workspace.recall_error = KeyError("bug")
    app.ask("flour")
    qtbot.waitUntil(lambda: app.search_page.has_trouble)


def test_text_size_and_theme_are_kept(start: Start, qtbot: QtBot, tmp_path: Path) -> None:
    app = start(bakery())
    ready(qtbot, app)
    app.window.commands.run("look.larger")
    app.window.commands.run("look.theme")
    value = SettingsStore(tmp_path / "desktop.json").value
    assert (value.text_size, value.theme) == (110, "dark")


def test_the_options_of_the_command_line() -> None:
    options, rest = read_options(
        ["--demo", "--theme", "dark", "--text-size", "150", "--search", "x", "-style", "fusion"],
        Path("/here"),
    )
    assert options == Options(search="x", theme="dark", text_size=150, demo=True)
    assert rest == ["-style", "fusion"]


def test_the_real_library_over_the_sample(start: Start, qtbot: QtBot, tmp_path: Path) -> None:
    folder = fresh_sample(tmp_path / "demo")
    app = start(None, Options(workspace=str(folder), search="flour delivery"))
    qtbot.waitUntil(
        lambda: (
            app.search.answer is not None
            and bool(app.search.answer.results)
            and app.search_page.reader.page is not None
        ),
        timeout=30_000,
    )
    assert "notes found" in app.search_page.found_text
    app.ask("Mara last week")
    qtbot.waitUntil(lambda: "Mara" in [c.words() for c in app.search_page.chips.chips()])
    qtbot.waitUntil(lambda: app.tasks.is_idle, timeout=30_000)


def test_a_half_written_note_is_there_again(start: Start, qtbot: QtBot) -> None:
    app = start(bakery())
    ready(qtbot, app)
    app.writing.open()
    qtbot.waitUntil(lambda: app.writing.box is not None)
    assert app.writing.box is not None
    app.writing.box.set_text("The rye has a better")
    app.writing.box.reject()
    app.writing.open()
    qtbot.waitUntil(lambda: app.writing.box is not None)
    assert app.writing.box is not None
    assert app.writing.box.text == "The rye has a better"


def test_without_a_folder_every_page_says_so_and_leads_to_what_can_be_done(
    start: Start, qtbot: QtBot
) -> None:
    error = WorkspaceUnreadable("The memory folder cannot be reached.", "Connect the drive.")
    app = start(error)
    qtbot.waitUntil(lambda: app.search_page.problem != "")
    for page in ("people", "opinions", "review"):
        app.window.commands.run(f"page.{page}")
        shown = [label.text() for label in app.window.findChildren(QLabel) if label.isVisible()]
        assert "The memory folder cannot be reached." in shown
        assert "Connect the drive." in shown
        button = app.window.focusWidget()
        assert isinstance(button, QAbstractButton)
        assert button.text() == "See what can be done"
        button.click()
        assert app.window.page_id == "search"
