"""The sidebar, the commands and the window around the pages."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QSettings, Qt
from PySide6.QtWidgets import QAbstractButton, QLabel, QMenu, QWidget
from pytestqt.qtbot import QtBot

from daybank_desktop.commands import Command, Commands
from daybank_desktop.dialogs.shortcuts import ShortcutsDialog
from daybank_desktop.dialogs.write_down import WriteDownDialog, note_line
from daybank_desktop.theme import Theme
from daybank_desktop.widgets.sidebar import Sidebar, SidebarPage
from daybank_desktop.windows.main_window import MainWindow, Place

# The screenless platform says so whenever a window is raised or sized.
pytestmark = pytest.mark.qt_log_ignore(r"^This plugin does not support", extend=True)

PAGES = [
    SidebarPage("search", "page.search", "Search"),
    SidebarPage("people", "page.people", "People & things"),
    SidebarPage("review", "page.review", "Review"),
    SidebarPage("health", "page.health", "Health", foot=True),
]


@pytest.fixture
def sidebar(theme: Theme, qtbot: QtBot) -> Sidebar:
    sidebar = Sidebar()
    sidebar.set_pages(PAGES)
    sidebar.set_current("search")
    qtbot.addWidget(sidebar)
    sidebar.resize(sidebar.width(), 600)
    sidebar.show()
    qtbot.waitExposed(sidebar)
    sidebar.activateWindow()
    qtbot.waitUntil(sidebar.isActiveWindow)
    return sidebar


@pytest.fixture
def window(theme: Theme, qtbot: QtBot, tmp_path: Path) -> MainWindow:
    settings = QSettings(str(tmp_path / "window.ini"), QSettings.Format.IniFormat)
    window = MainWindow(theme, settings)
    for page in PAGES:
        window.add_page(page, QLabel(page.label))
    qtbot.addWidget(window)
    window.show()
    qtbot.waitExposed(window)
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    return window


def test_only_the_pages_it_is_given_are_there(sidebar: Sidebar) -> None:
    assert sidebar.page_ids() == ("search", "people", "review", "health")
    assert sidebar.width() == 212
    assert sidebar.row("search").height() == 36
    assert sidebar.row("health").y() > 500
    sidebar.set_pages(PAGES[:1])
    assert sidebar.page_ids() == ("search",)


def test_a_row_is_chosen_with_the_mouse(sidebar: Sidebar, qtbot: QtBot) -> None:
    with qtbot.waitSignal(sidebar.page_chosen) as chosen:
        qtbot.mouseClick(sidebar.row("review"), Qt.MouseButton.LeftButton)
    assert chosen.args == ["review"]
    assert sidebar.current == "search", "the shell decides, the sidebar shows"


def test_arrows_walk_and_enter_chooses(sidebar: Sidebar, qtbot: QtBot) -> None:
    sidebar.row("search").setFocus()
    qtbot.keyClick(sidebar.row("search"), Qt.Key.Key_Down)
    qtbot.keyClick(sidebar.row("people"), Qt.Key.Key_Down)
    qtbot.keyClick(sidebar.row("review"), Qt.Key.Key_Up)
    assert sidebar.row("people").hasFocus()
    with qtbot.waitSignal(sidebar.page_chosen) as chosen:
        qtbot.keyClick(sidebar.row("people"), Qt.Key.Key_Return)
    assert chosen.args == ["people"]
    qtbot.keyClick(sidebar.row("people"), Qt.Key.Key_End)
    assert sidebar.row("health").hasFocus()


def test_the_badge_is_capped_and_hidden_at_nothing(sidebar: Sidebar) -> None:
    sidebar.set_badge("review", 128, "128 suggestions are waiting")
    row = sidebar.row("review")
    assert row._badge == "99+"
    assert row.accessibleName() == "Review"
    assert row.accessibleDescription() == "128 suggestions are waiting"
    sidebar.set_badge("review", 0)
    assert row._badge == ""
    sidebar.set_dot("health", "negative", "Two things need you")
    assert sidebar.row("health").accessibleDescription() == "Two things need you"
    assert not sidebar.grab().isNull()


def test_a_badge_outlives_a_change_of_pages(sidebar: Sidebar) -> None:
    sidebar.set_badge("review", 3)
    sidebar.set_badge("later", 1)
    sidebar.set_pages(PAGES)
    assert sidebar.row("review")._badge == "3"


def test_a_narrow_sidebar_shows_words_as_tooltips(sidebar: Sidebar) -> None:
    sidebar.set_badge("review", 3, "3 suggestions are waiting")
    assert sidebar.row("people").toolTip() == ""
    sidebar.set_compact(True)
    assert sidebar.width() == 56
    assert sidebar.row("people").toolTip() == "People & things"
    assert sidebar.row("review").toolTip() == "Review: 3 suggestions are waiting"
    assert not sidebar.grab().isNull()


def test_large_text_makes_room_for_the_longest_word(sidebar: Sidebar, theme: Theme) -> None:
    theme.set_text_size(200)
    widest = max(sidebar.row(page).sizeHint().width() for page in sidebar.page_ids())
    assert sidebar.width() >= widest + 20


def test_the_folder_button_opens_its_menu_or_asks(sidebar: Sidebar, qtbot: QtBot) -> None:
    sidebar.set_folder("Ines & co", "/home/ines/Notes")
    assert sidebar.folder_button.accessibleName() == "Memory folder: Ines & co"
    with qtbot.waitSignal(sidebar.folder_pressed):
        sidebar.folder_button.click()
    menu = QMenu(sidebar)
    menu.addAction("Open another folder…")
    sidebar.set_folder_menu(menu)
    sidebar.folder_button.click()
    assert menu.isVisible()
    menu.close()


def test_commands_feed_the_menu_and_the_keys(theme: Theme, qtbot: QtBot) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    window.show()
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    done: list[str] = []
    commands = Commands(window)
    commands.add(Command("a", "Salt & pepper", lambda: done.append("a"), ("Ctrl+J",), "", "one"))
    commands.add(Command("b", "Quiet", lambda: done.append("b")))
    commands.add(Command("c", "Third", lambda: done.append("c"), icon="action.add", section="two"))
    menu = QMenu(window)
    commands.fill(menu)
    assert [action.text() for action in menu.actions()] == ["Salt && pepper", "", "Third"]
    qtbot.keyClick(window, Qt.Key.Key_J, Qt.KeyboardModifier.ControlModifier)
    commands.run("b")
    commands.set_enabled("c", False)
    commands.run("c")
    assert done == ["a", "b"]
    commands.remove("b")
    assert "b" not in commands


def test_back_and_forward_go_along_the_places(window: MainWindow, qtbot: QtBot) -> None:
    places: list[tuple[Place, bool]] = []
    window.place_changed.connect(lambda place, again: places.append((place, again)))
    window.go("people", "Mara")
    window.go("review")
    window.go_back()
    assert window.place == Place("people", "Mara")
    window.go_back()
    assert window.page_id == "search"
    window.go_forward()
    assert places[-1] == (Place("people", "Mara"), True)
    window.go("health")
    assert not window.commands.action("go.forward").isEnabled()
    qtbot.keyClick(window, Qt.Key.Key_Left, Qt.KeyboardModifier.AltModifier)
    assert window.page_id == "people"


def test_the_same_place_twice_is_one_step(window: MainWindow) -> None:
    window.go("people", "Mara")
    window.go("people", "Mara")
    window.go_back()
    assert window.page_id == "search"


def test_a_page_opens_again_as_it_was_left(window: MainWindow, qtbot: QtBot) -> None:
    window.note_state("oven")
    qtbot.keyClick(window, Qt.Key.Key_2, Qt.KeyboardModifier.ControlModifier)
    assert window.page_id == "people"
    qtbot.keyClick(window, Qt.Key.Key_1, Qt.KeyboardModifier.ControlModifier)
    assert window.place == Place("search", "oven")


def test_a_page_that_empties_leaves_the_sidebar_and_the_history(window: MainWindow) -> None:
    window.go("people")
    window.go("review")
    window.remove_page("review")
    assert window.page_id == "people"
    assert window.sidebar.page_ids() == ("search", "people", "health")
    assert "page.review" not in window.commands
    window.go_back()
    assert window.page_id == "search"


def test_the_keys_reach_search_and_writing(window: MainWindow, qtbot: QtBot) -> None:
    window.go("people")
    with qtbot.waitSignal(window.write_down_requested):
        qtbot.keyClick(window, Qt.Key.Key_N, Qt.KeyboardModifier.ControlModifier)
    qtbot.keyClick(window, Qt.Key.Key_F, Qt.KeyboardModifier.ControlModifier)
    assert window.search.edit.hasFocus()
    edited: list[str] = []
    window.search_edited.connect(edited.append)
    qtbot.keyClicks(window.search.edit, "oven")
    assert edited[-1] == "oven"


def test_the_search_field_stays_in_its_place(window: MainWindow) -> None:
    window.resize(1366, 680)
    left = window.search.x()
    window.go("people")
    window.layout().activate()
    assert window.search.x() == left


def test_it_fits_a_small_screen_and_folds_the_sidebar(window: MainWindow) -> None:
    window.resize(1366, 680)
    assert (window.width(), window.height()) == (1366, 680)
    assert not window.sidebar.is_compact
    window.resize(1000, 680)
    assert window.sidebar.is_compact
    window.resize(800, 560)
    assert (window.width(), window.height()) == (800, 560)
    assert window.minimumSizeHint().width() <= 800


def test_every_control_has_a_name_and_is_large_enough(window: MainWindow) -> None:
    window.sidebar.set_folder("Notes", "/home/ines/Notes")
    buttons = [b for b in window.findChildren(QAbstractButton) if b.isVisible()]
    assert len(buttons) > 6
    for button in buttons:
        assert button.accessibleName(), button
        assert button.height() >= 28, button
        if not button.text():
            assert button.toolTip(), button


def test_the_window_comes_back_where_it_was(
    theme: Theme, qtbot: QtBot, tmp_path: Path, window: MainWindow
) -> None:
    window.resize(800, 633)
    window.close()
    settings = QSettings(str(tmp_path / "window.ini"), QSettings.Format.IniFormat)
    again = MainWindow(theme, settings)
    qtbot.addWidget(again)
    assert again.height() == 633


def test_damaged_geometry_is_not_minded(theme: Theme, qtbot: QtBot, tmp_path: Path) -> None:
    settings = QSettings(str(tmp_path / "window.ini"), QSettings.Format.IniFormat)
    settings.setValue("window/geometry", "nonsense")
    window = MainWindow(theme, settings)
    qtbot.addWidget(window)
    assert window.width() >= 800


def test_the_menu_lists_what_can_be_done(window: MainWindow) -> None:
    window.open_menu()
    texts = [action.text() for action in window._menu.actions() if action.text()]
    assert "Write it down…" in texts
    assert "Quit Daybank" in texts
    window._menu.close()


def test_the_toast_lies_over_the_pages(window: MainWindow) -> None:
    toast = window.show_toast("Added to today", "Undo")
    window.go("review")
    assert toast.isVisible()
    assert not toast.parentWidget().visibleRegion().isEmpty()


def test_the_list_of_keys_names_each_command(window: MainWindow, qtbot: QtBot) -> None:
    dialog = ShortcutsDialog(window.commands)
    qtbot.addWidget(dialog)
    dialog.show()
    words = {label.text() for label in dialog.findChildren(QLabel)}
    assert {"Write it down", "Back", "Open People & things"} <= words
    qtbot.keyClick(dialog, Qt.Key.Key_Escape)
    assert not dialog.isVisible()


@pytest.mark.parametrize(
    ("text", "kind", "percent", "line"),
    [
        ("Bread rose well.\n\nTwice.", "", 75, "Bread rose well.\n\nTwice."),
        ("Closed on the 24th", "world", 75, "W: Closed on the 24th"),
        ("@Mara: Opens up", "experience", 75, "B @Mara: Opens up"),
        ("@Mara @[Tita Rosa]: Sing", "observation", 75, "S @Mara @[Tita Rosa]: Sing"),
        ("@Mara would rather wait", "opinion", 75, "O(c=0.75): @Mara would rather wait"),
        ("Worth\nthe money", "opinion", 9, "O(c=0.09): Worth the money"),
        ("@Лена: прилетает", "world", 75, "W @Лена: прилетает"),
        ("@Mara:", "world", 75, "W: @Mara:"),
        ("at 6:30: late", "world", 75, "W: at 6:30: late"),
    ],
)
def test_a_note_becomes_a_line_of_the_journal(
    text: str, kind: str, percent: int, line: str
) -> None:
    assert note_line(text, kind, percent) == line


def test_writing_it_down_hands_out_the_line(theme: Theme, qtbot: QtBot) -> None:
    dialog = WriteDownDialog(["Mara"])
    qtbot.addWidget(dialog)
    dialog.show()
    qtbot.waitExposed(dialog)
    assert not dialog.add_button.isEnabled()
    assert not dialog.sure.isVisible()
    qtbot.keyClicks(dialog.edit, "Worth the money")
    dialog.set_kind("opinion")
    assert dialog.sure.isVisible()
    dialog.sure.set_value(90)
    with qtbot.waitSignal(dialog.submitted) as submitted:
        qtbot.keyClick(dialog.edit, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    assert submitted.args == ["O(c=0.90): Worth the money"]


def test_a_note_is_not_sent_twice_and_not_lost(theme: Theme, qtbot: QtBot) -> None:
    dialog = WriteDownDialog()
    qtbot.addWidget(dialog)
    dialog.show()
    sent: list[str] = []
    dialog.submitted.connect(sent.append)
    qtbot.keyClicks(dialog.edit, "Bread")
    dialog.add_button.click()
    dialog.add_button.click()
    assert sent == ["Bread"]
    dialog.show_error("The folder cannot be written to. Your text is still here.")
    assert dialog.error.startswith("The folder")
    assert dialog.text == "Bread"
    qtbot.keyClicks(dialog.edit, "!")
    assert dialog.error == ""
    dialog.add_button.click()
    assert len(sent) == 2


def test_plain_enter_is_a_new_line(theme: Theme, qtbot: QtBot) -> None:
    dialog = WriteDownDialog()
    qtbot.addWidget(dialog)
    dialog.show()
    sent: list[str] = []
    dialog.submitted.connect(sent.append)
    qtbot.keyClicks(dialog.edit, "a")
    qtbot.keyClick(dialog.edit, Qt.Key.Key_Return)
    qtbot.keyClicks(dialog.edit, "b")
    assert sent == []
    assert dialog.text == "a\nb"
