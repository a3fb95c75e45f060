"""Daybank beside its window: hidden in the tray, asked for things from outside, told to leave."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from fakes import FakeWorkspace, bakery
from PySide6.QtWidgets import QApplication, QDialog
from pytestqt.qtbot import QtBot

from daybank.clock import FixedClock
from daybank_desktop import resident
from daybank_desktop.app import App, Outside
from daybank_desktop.leaving import Leaving, Reason
from daybank_desktop.options import Options, read_options
from daybank_desktop.services.schedule import Finding, FindingKind
from daybank_desktop.single_instance import Message, Verb
from daybank_desktop.tray.presence import TOLD_NO_TRAY, TOLD_STAYS
from daybank_desktop.tray.state import PauseFor, TrayState

CLOCK = FixedClock(datetime(2026, 11, 27, 9, tzinfo=UTC))


class Desk:
    """An app on a desktop whose tray can be taken away."""

    def __init__(self, application: QApplication, config: Path) -> None:
        self.has_tray = True
        self.quits: list[bool] = []
        self.leaving = Leaving(application, last_resort=lambda seconds: None)
        self._application = application
        self._config = config
        self.app: App | None = None

    def start(self, options: Options | None = None, workspace: FakeWorkspace | None = None) -> App:
        def opener(path: Path) -> FakeWorkspace:
            return workspace or bakery()

        app = App(
            self._application,
            options or Options(workspace="/notes"),
            config=self._config,
            clock=CLOCK,
            environ={},
            opener=opener,
            outside=Outside(leaving=self.leaving, has_tray=lambda: self.has_tray),
        )
        self.app = app
        app.start()
        return app


@pytest.fixture
def desk(qtbot: QtBot, qapp: QApplication, tmp_path: Path) -> Iterator[Desk]:
    desk = Desk(qapp, tmp_path)
    yield desk
    app = desk.app
    if app is not None:
        app.end()
        if app.writing.box is not None:
            app.writing.box.reject()
        app.window.stays = lambda: False
        app.window.close()
        for thing in (app.window, app.theme, app):
            thing.deleteLater()
    desk.leaving.close()


def ready(qtbot: QtBot, app: App) -> None:
    qtbot.waitUntil(lambda: app.search.answer is not None and app.tasks.is_idle, timeout=10_000)


def ended(app: App) -> bool:
    return app._has_ended


def test_closing_the_window_leaves_it_in_the_tray_and_says_so_once(
    desk: Desk, qtbot: QtBot
) -> None:
    app = desk.start()
    ready(qtbot, app)
    said: list[tuple[str, str]] = []
    app.resident.notifier.in_window.connect(lambda title, text, *_: said.append((title, text)))
    app.window.close()
    assert not app.window.isVisible()
    assert not ended(app)
    assert len(said) == 1
    assert "Quit from there" in said[0][1]
    assert TOLD_STAYS in app.settings.value.told
    app.resident.tray.open_requested.emit()
    assert app.window.isVisible()
    app.window.close()
    assert not app.window.isVisible()
    assert len(said) == 1


def test_a_dialog_closed_while_the_window_is_hidden_ends_nothing(desk: Desk, qtbot: QtBot) -> None:
    app = desk.start()
    ready(qtbot, app)
    app.window.close()
    about = QDialog()
    qtbot.addWidget(about)
    about.show()
    about.close()
    assert not ended(app)


def test_quit_quits_whatever_closing_does(desk: Desk, qtbot: QtBot) -> None:
    app = desk.start()
    ready(qtbot, app)
    app.window.commands.run("quit")
    assert ended(app)


def test_the_tray_s_quit_quits_also_while_the_window_is_hidden(desk: Desk, qtbot: QtBot) -> None:
    app = desk.start()
    ready(qtbot, app)
    app.window.close()
    app.resident.tray.quit_requested.emit()
    assert ended(app)


def test_without_a_tray_closing_really_quits(desk: Desk, qtbot: QtBot) -> None:
    desk.has_tray = False
    app = desk.start()
    ready(qtbot, app)
    assert app.resident.why_no_tray
    app.window.close()
    assert ended(app)


def test_a_tray_that_went_a_moment_ago_does_not_keep_the_window(desk: Desk, qtbot: QtBot) -> None:
    app = desk.start()
    ready(qtbot, app)
    desk.has_tray = False
    app.window.close()
    assert ended(app)


def test_switched_off_in_the_settings_closing_quits(desk: Desk, qtbot: QtBot) -> None:
    app = desk.start()
    ready(qtbot, app)
    app.settings.update(close_to_tray=False)
    app.window.close()
    assert ended(app)


def test_the_window_comes_back_when_the_tray_is_lost(desk: Desk, qtbot: QtBot) -> None:
    app = desk.start()
    ready(qtbot, app)
    app.window.close()
    desk.has_tray = False
    app.resident.tray.look()
    app.resident.tray.lost.emit()
    assert app.window.isVisible()
    assert "tray is gone" in app.window.toast.text


def test_that_there_is_no_tray_is_said_once(
    desk: Desk, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(resident, "SAY_AFTER_MS", 10)
    desk.has_tray = False
    app = desk.start()
    qtbot.waitUntil(lambda: TOLD_NO_TRAY in app.settings.value.told)
    assert "no tray" in app.window.toast.text


def test_a_hidden_start_stays_out_of_sight(desk: Desk, qtbot: QtBot) -> None:
    app = desk.start(Options(workspace="/notes", hidden=True))
    ready(qtbot, app)
    assert not app.window.isVisible()
    app.resident.take(Message(Verb.SHOW))
    assert app.window.isVisible()


def test_a_hidden_start_waits_for_a_tray_and_then_shows_itself(
    desk: Desk, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(resident, "LOOK_AGAIN_MS", 10)
    desk.has_tray = False
    app = desk.start(Options(workspace="/notes", hidden=True))
    ready(qtbot, app)
    assert not app.window.isVisible()
    began = app.resident._began
    app.resident._began = began - 60
    qtbot.waitUntil(app.window.isVisible)


def test_a_second_start_is_heard(desk: Desk, qtbot: QtBot) -> None:
    app = desk.start(Options(workspace="/notes", hidden=True))
    ready(qtbot, app)
    app.resident.take(Message(Verb.SEARCH, "Porto"))
    assert app.window.isVisible()
    assert app.window.search.text() == "Porto"
    app.resident.take(Message(Verb.REVIEW))
    assert app.window.page_id == "review"


def test_what_is_asked_before_the_folder_is_open_is_done_then(desk: Desk, qtbot: QtBot) -> None:
    app = desk.start(Options(workspace="/notes", search="Porto"))
    assert app.library.workspace is None
    qtbot.waitUntil(lambda: app.window.search.text() == "Porto")


def test_a_file_from_elsewhere_is_not_opened(desk: Desk, qtbot: QtBot, tmp_path: Path) -> None:
    app = desk.start()
    ready(qtbot, app)
    asked: list[str] = []
    app.resident.file_asked.connect(asked.append)
    app.resident.take(Message(Verb.OPEN, str(tmp_path / "other.md")))
    assert asked == []
    assert "other.md" in app.window.toast.text
    assert app.library.workspace is not None
    inside = app.library.workspace.path / "memory" / "2026-11-26.md"
    app.resident.take(Message(Verb.OPEN, str(inside)))
    assert asked == ["memory/2026-11-26.md"]


def test_writing_down_needs_no_window_and_keeps_what_was_handed_over(
    desk: Desk, qtbot: QtBot
) -> None:
    app = desk.start(Options(workspace="/notes", capture="Flour is late"))
    qtbot.waitUntil(lambda: app.writing.box is not None)
    box = app.writing.box
    assert box is not None
    assert not app.window.isVisible()
    assert box.parent() is None
    assert box.text == "Flour is late"
    app.resident.take(Message(Verb.CAPTURE, "again on Tuesday"))
    assert box.text == "Flour is late\nagain on Tuesday"
    box.reject()
    assert not ended(app)


def test_being_told_to_leave_keeps_the_draft_and_asks_nobody(
    desk: Desk, qtbot: QtBot, qapp: QApplication
) -> None:
    app = desk.start()
    ready(qtbot, app)
    app.writing.open()
    qtbot.waitUntil(lambda: app.writing.box is not None)
    assert app.writing.box is not None
    app.writing.box.set_text("half a thought")
    quits: list[bool] = []
    app.resident.quit_asked.disconnect(qapp.quit)
    app.resident.quit_asked.connect(lambda: quits.append(True))
    desk.leaving.ask(Reason.SIGNAL)
    assert quits == [True]
    assert app.library.workspace is not None
    assert app._drafts_of(app.library.workspace.path).value.text == "half a thought"


def test_the_tray_tells_what_waits_and_what_needs_the_person(desk: Desk, qtbot: QtBot) -> None:
    app = desk.start()
    ready(qtbot, app)
    tray = app.resident.tray
    assert tray.state is TrayState.RESTING
    app.curated.review_service.waiting_changed.emit(3)
    assert tray.state is TrayState.WAITING
    assert "3" in tray.tooltip
    app.resident.set_attention("Two versions of a day exist")
    assert tray.state is TrayState.ATTENTION


def test_a_pause_from_the_tray_pauses(desk: Desk, qtbot: QtBot) -> None:
    app = desk.start()
    ready(qtbot, app)
    tray = app.resident.tray
    tray.pause_requested.emit(PauseFor.UNTIL_RESUMED)
    assert app.schedule._memory.value.pause is not None
    tray.resume_requested.emit()
    assert app.schedule._memory.value.pause is None


def test_news_is_told_in_the_window_where_the_desktop_shows_no_notices(
    desk: Desk, qtbot: QtBot
) -> None:
    app = desk.start()
    ready(qtbot, app)
    app.schedule.noticed.emit(
        Finding(FindingKind.SUGGESTIONS, 2, ("memory.md", "bank/opinions.md"), "They came in.")
    )
    assert "2 suggestions" in app.window.toast.text
    app.window.toast.action_button.click()
    assert app.window.page_id == "review"


def test_the_command_line_says_what_to_do(tmp_path: Path) -> None:
    def message(*arguments: str) -> Message:
        return read_options(arguments, tmp_path)[0].message

    assert message() == Message(Verb.SHOW)
    assert message("--hidden") == Message(Verb.NOTHING)
    assert message("--capture") == Message(Verb.CAPTURE)
    assert message("--capture", "- W @Mara: flour") == Message(Verb.CAPTURE, "- W @Mara: flour")
    assert message("--review") == Message(Verb.REVIEW)
    assert read_options([str(tmp_path)], tmp_path)[0].workspace == str(tmp_path)
    assert message("2026-11-26.md") == Message(Verb.OPEN, str(tmp_path / "2026-11-26.md"))


@pytest.mark.parametrize("wrong", ["--captrue", "nowhere", "-z"])
def test_a_slip_on_the_command_line_is_told_and_nothing_is_lost(
    wrong: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as caught:
        read_options([wrong, "Flour is late"], tmp_path)
    assert caught.value.code == 2
    assert wrong in capsys.readouterr().err


def test_without_a_folder_writing_down_says_what_is_missing(
    desk: Desk, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    app = desk.start()
    monkeypatch.setattr(app.library, "_workspace", None)
    app.writing.open()
    assert "Open a folder" in app.window.toast.text
