"""Ctrl+K: every command by a few letters of it, and what is typed can be looked for."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from daybank_desktop.commands import Command, Commands
from daybank_desktop.dialogs.command_palette import CommandPalette, Entry, matching
from daybank_desktop.theme import Theme

Made = tuple[CommandPalette, list[str]]


@pytest.fixture
def made(qtbot: QtBot, theme: Theme) -> Made:
    window = QWidget()
    qtbot.addWidget(window)
    window.resize(900, 600)
    window.show()
    commands = Commands(window)
    done: list[str] = []
    for id_, text, keys in (
        ("write", "Write it down…", ("Ctrl+N",)),
        ("people", "Open People & things", ("Ctrl+2",)),
        ("larger", "Larger text", ()),
        ("off", "Off just now", ()),
    ):
        commands.add(Command(id_, text, lambda id_=id_: done.append(id_), keys))
    commands.set_enabled("off", False)
    palette = CommandPalette(commands, lambda text: done.append(f"search {text}"), window)
    palette.show_over(window)
    qtbot.waitExposed(palette)
    return palette, done


def shown(palette: CommandPalette) -> list[str]:
    return [str(palette.model.index(row, 0).data()) for row in range(palette.model.rowCount())]


def test_every_command_that_can_be_done_now_is_offered(made: Made) -> None:
    assert shown(made[0]) == ["Write it down", "Open People & things", "Larger text"]


def test_a_few_letters_and_enter_do_it(qtbot: QtBot, made: Made) -> None:
    palette, done = made
    qtbot.keyClicks(palette.edit, "peop")
    assert shown(palette)[0] == "Open People & things"
    qtbot.keyClick(palette.edit, Qt.Key.Key_Return)
    assert done == ["people"]
    assert not palette.isVisible()


def test_the_arrows_choose_without_leaving_the_field(qtbot: QtBot, made: Made) -> None:
    palette, done = made
    qtbot.keyClick(palette.edit, Qt.Key.Key_Down)
    qtbot.keyClick(palette.edit, Qt.Key.Key_Down)
    qtbot.keyClick(palette.edit, Qt.Key.Key_Up)
    qtbot.keyClick(palette.edit, Qt.Key.Key_Return)
    assert done == ["people"]


def test_what_is_typed_can_be_looked_for(qtbot: QtBot, made: Made) -> None:
    palette, done = made
    qtbot.keyClicks(palette.edit, "<b>rye</b>")
    assert shown(palette) == ["Search your notes for “<b>rye</b>”"]
    qtbot.keyClick(palette.edit, Qt.Key.Key_Return)
    assert done == ["search <b>rye</b>"]


def test_escape_does_nothing(qtbot: QtBot, made: Made) -> None:
    palette, done = made
    qtbot.keyClick(palette, Qt.Key.Key_Escape)
    assert not palette.isVisible()
    assert done == []


def test_a_row_is_said_with_its_keys(made: Made) -> None:
    index = made[0].model.index(0, 0)
    said = index.data(Qt.ItemDataRole.AccessibleTextRole)
    assert str(said).startswith("Write it down, ")


def test_what_begins_with_the_words_comes_first() -> None:
    entries = [Entry("Open the log", print), Entry("Log out", print), Entry("Other", print)]
    assert [e.text for e in matching(entries, "log")] == ["Log out", "Open the log"]
    assert [e.text for e in matching(entries, "the open")] == ["Open the log"]
