"""The box to write in: secrets are asked about, nothing is lost, the day is right."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from daybank import open_workspace
from daybank.clock import FixedClock
from daybank.errors import NoteNotSaved
from daybank_desktop.dialogs import write_down
from daybank_desktop.dialogs.write_down import WriteDownDialog, added_words, secret_question
from daybank_desktop.services.drafts import Draft, DraftStore
from daybank_desktop.services.library import Library
from daybank_desktop.services.notes import Notes
from daybank_desktop.tasks import Tasks
from daybank_desktop.theme import Theme

NOON = FixedClock(datetime(2026, 11, 30, 12, tzinfo=UTC))
A41 = "@Mara: staging key is sk-test-EXAMPLE0000000000000000, db password hunter2-EXAMPLE."


@dataclass
class MovingClock:
    moment: datetime

    def now(self) -> datetime:
        return self.moment

    def today(self) -> date:
        return self.moment.date()


Make = Callable[..., WriteDownDialog]


@pytest.fixture
def make(theme: Theme, qtbot: QtBot, tmp_path: Path) -> Make:
    def box(parent: QWidget | None = None, **how: object) -> WriteDownDialog:
        how = {"clock": NOON, "drafts": DraftStore(tmp_path, "a"), **how}
        dialog = WriteDownDialog(["Mara"], parent, **how)  # type: ignore[arg-type]
        qtbot.addWidget(dialog)
        dialog.sent = []  # type: ignore[attr-defined]
        dialog.submitted.connect(dialog.sent.append)  # type: ignore[attr-defined]
        dialog.appear()
        qtbot.waitUntil(dialog.isActiveWindow)
        return dialog

    return box


def sent(dialog: WriteDownDialog) -> list[str]:
    lines: list[str] = dialog.sent  # type: ignore[attr-defined]
    return lines


def save_by_keys(qtbot: QtBot, dialog: WriteDownDialog) -> None:
    qtbot.keyClick(dialog.edit, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)


# Secrets (case A41)


def test_what_looks_like_a_password_is_asked_about_before_it_is_saved(
    make: Make, qtbot: QtBot
) -> None:
    dialog = make()
    qtbot.keyClicks(dialog.edit, "the wifi password: hunter2-EXAMPLE")
    save_by_keys(qtbot, dialog)
    assert sent(dialog) == []
    assert dialog.question == "This looks like a password. Keep it out of your notes?"
    assert dialog.ask_bar.first_button.hasFocus()
    save_by_keys(qtbot, dialog)  # impatience is no yes
    assert sent(dialog) == []
    qtbot.mouseClick(dialog.ask_bar.second_button, Qt.MouseButton.LeftButton)
    assert dialog.question == ""
    assert dialog.edit.hasFocus()
    assert sent(dialog) == []
    save_by_keys(qtbot, dialog)
    assert sent(dialog) == ["the wifi password: hunter2-EXAMPLE"]


def test_leaving_it_out_takes_just_the_secrets_and_lets_the_person_look(
    make: Make, qtbot: QtBot
) -> None:
    dialog = make()
    dialog.set_kind("world")
    dialog.set_text("🥐 " + A41)
    dialog.add_button.click()
    assert dialog.question.startswith("There seem to be 2 passwords or keys here.")
    qtbot.keyClick(dialog.ask_bar.first_button, Qt.Key.Key_Space)
    assert dialog.text == "🥐 @Mara: staging key is , db password ."
    assert dialog.question == ""
    assert sent(dialog) == []
    dialog.edit.undo()
    assert dialog.text == "🥐 " + A41


def test_the_question_comes_while_one_types_and_goes_again(
    make: Make, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    dialog = make()
    qtbot.keyClicks(dialog.edit, "the password: hunter2-EXAMPLE")
    qtbot.waitUntil(lambda: dialog.question != "")
    assert dialog.edit.hasFocus()  # it does not take the keys away
    for _ in range(len("hunter2-EXAMPLE")):
        qtbot.keyClick(dialog.edit, Qt.Key.Key_Backspace)
    assert dialog.question == ""
    qtbot.keyClicks(dialog.edit, "forgotten")
    save_by_keys(qtbot, dialog)
    assert sent(dialog) == ["the password: forgotten"]


def test_a_yes_holds_for_that_secret_and_no_other(make: Make, qtbot: QtBot) -> None:
    dialog = make()
    dialog.set_text("the password: hunter2-EXAMPLE")
    dialog.add_button.click()
    dialog.ask_bar.second_button.click()
    qtbot.keyClicks(dialog.edit, ", and the door code 4711#")
    dialog.add_button.click()
    assert dialog.question == "This looks like a secret code. Keep it out of your notes?"
    assert sent(dialog) == []


def test_a_secret_across_two_lines_of_one_note_is_seen(make: Make) -> None:
    dialog = make()
    dialog.set_kind("world")
    dialog.set_text("the db password\nhunter2-EXAMPLE")
    dialog.add_button.click()
    assert dialog.question != ""
    dialog.ask_bar.first_button.click()
    assert dialog.text == "the db password\n"


def test_a_very_long_text_is_looked_through_before_it_is_saved(
    make: Make, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(write_down, "_LONGEST_LOOKED_AT", 10)
    dialog = make()
    dialog.set_text("the password: hunter2-EXAMPLE")
    qtbot.wait(write_down._LOOK_AFTER + 200)
    assert dialog.question == ""
    dialog.add_button.click()
    assert dialog.question != ""
    assert sent(dialog) == []


def test_ordinary_notes_are_not_asked_about(make: Make) -> None:
    dialog = make()
    dialog.set_text("Mara changed the password of the till; the recipe is on page 2026.")
    dialog.add_button.click()
    assert dialog.question == ""
    assert len(sent(dialog)) == 1


@pytest.mark.parametrize(
    "what",
    ["a password", "a key", "a code", "a private key", "a sign-in token", "a card number"],
)
def test_every_question_ends_alike(qapp: QApplication, what: str) -> None:
    assert secret_question([what]).endswith("Keep it out of your notes?")


# What is kept


def test_esc_keeps_the_draft_and_the_next_box_begins_with_it(
    make: Make, qtbot: QtBot, tmp_path: Path
) -> None:
    dialog = make()
    dialog.set_kind("opinion")
    dialog.sure.set_value(90)
    qtbot.keyClicks(dialog.edit, "Rye is worth the money")
    qtbot.keyClick(dialog.edit, Qt.Key.Key_Escape)
    assert not dialog.isVisible()
    again = make(drafts=DraftStore(tmp_path, "a"))
    assert again.draft == Draft("Rye is worth the money", "opinion", 90)


def test_what_is_typed_is_on_the_disk_soon_and_gone_once_saved(
    make: Make, qtbot: QtBot, tmp_path: Path
) -> None:
    dialog = make()
    qtbot.keyClicks(dialog.edit, "Bread")
    qtbot.waitUntil(lambda: (tmp_path / "a.json").exists())
    save_by_keys(qtbot, dialog)
    assert (tmp_path / "a.json").exists()  # not saved yet
    dialog.accept()
    qtbot.wait(write_down._KEEP_AFTER + 100)
    assert list(tmp_path.iterdir()) == []
    assert make().text == ""


def test_a_full_disk_keeps_the_text_says_why_and_offers_a_copy(
    make: Make, qtbot: QtBot, tmp_path: Path
) -> None:
    dialog = make()
    full = NoteNotSaved("The note could not be saved.", "The disk is full.", "Bread")

    def fails(line: str) -> None:
        dialog.show_error(f"{full.title} {full.message}")

    dialog.submitted.connect(fails)
    qtbot.keyClicks(dialog.edit, "Bread rose")
    save_by_keys(qtbot, dialog)
    assert dialog.error == "The note could not be saved. The disk is full."
    assert dialog.text.startswith("Bread")
    assert not dialog.edit.isReadOnly()
    assert DraftStore(tmp_path, "a").value.text == dialog.text  # a crash now loses nothing
    dialog._trouble.acted.emit()
    assert QGuiApplication.clipboard().text() == dialog.text
    dialog.submitted.disconnect(fails)
    save_by_keys(qtbot, dialog)
    assert dialog.error == ""
    assert len(sent(dialog)) == 2


def test_a_text_from_a_second_start_goes_below_and_ctrl_z_takes_it_out(
    make: Make, qtbot: QtBot
) -> None:
    dialog = make()
    qtbot.keyClicks(dialog.edit, "Bread")
    dialog.add_text("Flour comes on Monday")
    dialog.add_text("Flour comes on Monday")
    assert dialog.text == "Bread\nFlour comes on Monday"
    dialog.edit.undo()
    assert dialog.text == "Bread"


def test_a_secret_in_a_draft_is_not_on_the_disk(make: Make, qtbot: QtBot, tmp_path: Path) -> None:
    dialog = make()
    dialog.set_text("the password: hunter2-EXAMPLE")
    dialog.reject()
    assert "hunter2" not in (tmp_path / "a.json").read_text()


# The day, the window


def test_past_midnight_it_is_the_new_day(make: Make, qtbot: QtBot) -> None:
    clock = MovingClock(datetime(2026, 11, 30, 23, 59, tzinfo=UTC))
    dialog = make(clock=clock)
    assert dialog.day_text == "Goes into today, Mon 30 Nov"
    clock.moment += timedelta(minutes=2)
    dialog._midnight.timeout.emit()
    assert dialog.day_text == "Goes into today, Tue 1 Dec"
    clock.moment += timedelta(days=1)
    dialog.set_text("Bread")
    dialog.add_button.click()
    assert dialog.day_text == "Goes into today, Wed 2 Dec"


def test_the_toast_names_the_day(qapp: QApplication) -> None:
    monday, tuesday = date(2026, 11, 30), date(2026, 12, 1)
    assert added_words(monday, monday) == "Added to today, Mon 30 Nov"
    assert added_words(monday, tuesday) == "Added to Mon 30 Nov"


def test_alone_it_is_a_window_on_top_that_does_not_end_the_application(
    make: Make, theme: Theme, qtbot: QtBot
) -> None:
    dialog = make()
    assert dialog.isWindow()
    assert not dialog.isModal()
    assert dialog.windowFlags() & Qt.WindowType.WindowStaysOnTopHint
    assert not dialog.testAttribute(Qt.WidgetAttribute.WA_QuitOnClose)
    window = QWidget()
    qtbot.addWidget(window)
    window.show()
    over = make(window)
    assert over.isModal()
    assert not over.windowFlags() & Qt.WindowType.WindowStaysOnTopHint


def test_nothing_is_cut_off_at_any_text_size(make: Make, theme: Theme, qtbot: QtBot) -> None:
    for percent in (100, 150, 200):
        theme.set_text_size(percent)
        dialog = make(drafts=None)
        dialog.set_kind("opinion")
        dialog.set_text("the password: hunter2-EXAMPLE")
        dialog.add_button.click()
        dialog.show_error("The note could not be saved. " + "The disk is full. " * 8)
        room = dialog.screen().availableSize()
        qtbot.waitUntil(lambda dialog=dialog: dialog.add_button.isVisible())
        assert dialog.height() <= room.height()
        assert dialog.width() <= room.width()
        assert dialog.rect().contains(dialog.add_button.geometry())
        for row in (dialog.ask_bar, dialog._trouble, dialog.sure):
            wanted = max(row.heightForWidth(row.width()), row.sizeHint().height() // 2)
            qtbot.waitUntil(lambda row=row, wanted=wanted: row.height() >= wanted)
        dialog.close()
    theme.set_text_size(100)


def test_the_box_grows_and_shrinks_with_what_is_in_it(make: Make, qtbot: QtBot) -> None:
    dialog = make()
    before = dialog.height()
    dialog.set_text("the password: hunter2-EXAMPLE")
    dialog.add_button.click()
    qtbot.waitUntil(lambda: dialog.height() > before)
    dialog.ask_bar.first_button.click()
    qtbot.waitUntil(lambda: dialog.height() == before)
    dialog.resize(dialog.width(), before + 100)  # drawn larger by hand
    dialog.set_kind("opinion")
    dialog.set_kind("")
    assert dialog.height() == before + 100


# Into the real journal (cases A33, A35)

DAY = "# 2026-11-30\n\n" + "".join(f"{n}. line by hand\n" for n in range(20)) + "\nno end of line"


@pytest.fixture
def journal(tmp_path: Path) -> Path:
    folder = tmp_path / "notes" / "memory"
    folder.mkdir(parents=True)
    day = folder / "2026-11-30.md"
    day.write_bytes(DAY.encode())
    return day


def joined(dialog: WriteDownDialog, journal: Path) -> Library:
    """The box joined to the library as the application does it."""
    tasks = Tasks(inline=True)
    library = Library(tasks, lambda path: open_workspace(path, clock=NOON))
    library.open(journal.parents[1])
    notes = Notes(tasks, library, dialog)
    dialog.submitted.connect(notes.add)
    notes.added.connect(lambda added: dialog.accept())
    notes.add_failed.connect(lambda e: dialog.show_error(f"{e.title} {e.message}"))
    return library


def test_a_note_is_added_below_what_was_written_by_hand(
    make: Make, qtbot: QtBot, journal: Path
) -> None:
    dialog = make()
    library = joined(dialog, journal)
    dialog.set_text("Bread rose well")
    dialog.add_button.click()
    assert not dialog.isVisible()
    assert journal.read_text().startswith(DAY)
    assert journal.read_text().endswith("- Bread rose well\n")
    library.close()


def test_a_full_disk_leaves_the_journal_as_it_was_and_the_text_in_the_box(
    make: Make, qtbot: QtBot, journal: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    dialog = make()
    library = joined(dialog, journal)

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    dialog.set_text("Bread rose well")
    dialog.add_button.click()
    assert dialog.isVisible()
    assert "The disk is full." in dialog.error
    assert dialog.text == "Bread rose well"
    assert journal.read_bytes() == DAY.encode()
    assert [file.name for file in journal.parent.iterdir()] == ["2026-11-30.md"]
    assert DraftStore(tmp_path, "a").value.text == "Bread rose well"
    monkeypatch.undo()
    dialog.add_button.click()
    assert not dialog.isVisible()
    assert journal.read_text().count("Bread rose well") == 1
    library.close()


def test_a_folder_that_is_gone_is_told_and_the_text_stays(
    make: Make, qtbot: QtBot, journal: Path
) -> None:
    dialog = make()
    library = joined(dialog, journal)
    journal.parents[1].rename(journal.parents[1].with_name("elsewhere"))
    dialog.set_text("Bread rose well")
    dialog.add_button.click()
    assert dialog.error != ""
    assert dialog.text == "Bread rose well"
    assert not journal.parent.exists()
    library.close()
