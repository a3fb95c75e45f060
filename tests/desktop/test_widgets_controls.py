"""Buttons, chips, fields and switches, by keyboard and by mouse."""

from __future__ import annotations

from typing import Protocol

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QHBoxLayout,
    QLineEdit,
    QPushButton,
    QWidget,
)
from pytestqt.qtbot import QtBot

from daybank_desktop.theme import Theme
from daybank_desktop.widgets.buttons import Button, IconButton
from daybank_desktop.widgets.chip import Chip, KindPill
from daybank_desktop.widgets.flow_layout import FlowLayout
from daybank_desktop.widgets.focus_frame import FocusRing
from daybank_desktop.widgets.glyph import key_words
from daybank_desktop.widgets.label import Label
from daybank_desktop.widgets.note_edit import NoteEdit
from daybank_desktop.widgets.search_field import SearchField
from daybank_desktop.widgets.sure_slider import SureSlider, sure_text
from daybank_desktop.widgets.text_field import TextField
from daybank_desktop.widgets.toggle import CheckBox, ChoiceCard, Toggle

# The screenless platform says so whenever a window is raised or sized.
pytestmark = pytest.mark.qt_log_ignore(r"^This plugin does not support", extend=True)


class ShowRow(Protocol):
    def __call__(self, *widgets: QWidget) -> QWidget: ...


@pytest.fixture
def show_row(qtbot: QtBot) -> ShowRow:
    """Makes a shown, active window with the widgets side by side; it lives as long as the test."""
    kept: list[QWidget] = []

    def show(*widgets: QWidget) -> QWidget:
        window = QWidget()
        layout = QHBoxLayout(window)
        for widget in widgets:
            layout.addWidget(widget)
        kept.append(window)
        qtbot.addWidget(window)
        window.show()
        qtbot.waitExposed(window)
        window.activateWindow()
        qtbot.waitUntil(window.isActiveWindow)
        return window

    return show


@pytest.mark.parametrize("text_size", [90, 100, 200])
def test_nothing_that_can_be_pressed_is_under_28(
    theme: Theme, qtbot: QtBot, show_row: ShowRow, text_size: int
) -> None:
    theme.set_text_size(text_size)
    pressable: list[QWidget] = [
        Button("Add", "primary"),
        Button("Edit", small=True),
        Button("Open day", "link", small=True),
        IconButton("action.close", "Close", size=20),
        Chip("World", icon="kind.world", color="kind.world", count="4"),
        Chip("Mara", "understood", icon="entity.person"),
        Toggle("Only on mains power"),
        CheckBox("Sample"),
        ChoiceCard("start.new", "Start a new folder"),
    ]
    show_row(*pressable)
    for widget in pressable:
        assert widget.height() >= 28, widget
        assert widget.width() >= 28, widget
        assert widget.accessibleName(), widget


def test_buttons_are_as_wide_as_their_words(theme: Theme, qtbot: QtBot, show_row: ShowRow) -> None:
    short, long = Button("Сохранить"), Button("Сохранить и больше не спрашивать")
    show_row(short, long)
    assert long.width() > short.width()
    width = short.width()
    theme.set_text_size(200)
    assert short.sizeHint().width() > width * 1.6


@pytest.mark.parametrize("kind", ["primary", "plain", "quiet", "link", "danger"])
def test_buttons_work_with_mouse_and_space(
    theme: Theme, qtbot: QtBot, show_row: ShowRow, kind: str
) -> None:
    button = Button("Do it", kind, icon="action.capture")  # type: ignore[arg-type]
    show_row(button)
    pressed: list[bool] = []
    button.clicked.connect(lambda: pressed.append(True))
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    qtbot.keyClick(button, Qt.Key.Key_Space)
    button.setEnabled(False)
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    assert len(pressed) == 2
    assert not button.grab().isNull()


def test_an_icon_button_says_what_it_does(theme: Theme, qtbot: QtBot) -> None:
    button = IconButton("action.back", "Back")
    button.set_name("Back", "Alt ←")
    qtbot.addWidget(button)
    assert button.accessibleName() == "Back"
    assert button.toolTip() == "Back  Alt ←"


def test_an_understood_chip_goes_with_backspace_or_its_cross(
    theme: Theme, qtbot: QtBot, show_row: ShowRow
) -> None:
    chip = Chip("16–22 Nov 2026", "understood", icon="thing.date")
    show_row(chip)
    removed: list[bool] = []
    pressed: list[bool] = []
    chip.removed.connect(lambda: removed.append(True))
    chip.clicked.connect(lambda: pressed.append(True))
    chip.setFocus()
    qtbot.keyClick(chip, Qt.Key.Key_Backspace)
    qtbot.keyClick(chip, Qt.Key.Key_Delete)
    middle = chip.height() // 2
    qtbot.mouseClick(chip, Qt.MouseButton.LeftButton, pos=QPoint(chip.width() - 14, middle))
    assert len(removed) == 3
    assert pressed == []
    qtbot.mouseClick(chip, Qt.MouseButton.LeftButton, pos=QPoint(30, middle))
    assert len(pressed) == 1
    assert len(removed) == 3


def test_a_choice_is_chosen_by_key_and_says_its_count(
    theme: Theme, qtbot: QtBot, show_row: ShowRow
) -> None:
    chip = Chip("Opinion", icon="kind.opinion", color="kind.opinion", count="7")
    show_row(chip)
    assert chip.accessibleName() == "Opinion, 7"
    chip.setFocus()
    qtbot.keyClick(chip, Qt.Key.Key_Space)
    assert chip.isChecked()
    qtbot.keyClick(chip, Qt.Key.Key_Return)
    assert not chip.isChecked()
    qtbot.keyClick(chip, Qt.Key.Key_Backspace)
    assert not chip.isChecked()


def test_arrows_walk_along_the_chips(theme: Theme, qtbot: QtBot, show_row: ShowRow) -> None:
    chips = [Chip(word) for word in ("One", "Two", "Three")]
    show_row(*chips)
    chips[0].setFocus()
    qtbot.keyClick(chips[0], Qt.Key.Key_Right)
    assert chips[1].hasFocus()
    qtbot.keyClick(chips[1], Qt.Key.Key_Left)
    qtbot.keyClick(chips[0], Qt.Key.Key_Left)
    assert chips[0].hasFocus()


def test_an_ampersand_in_a_name_stays(theme: Theme, qtbot: QtBot) -> None:
    chip = Chip("Ben & Jo", "understood")
    qtbot.addWidget(chip)
    assert chip.words() == "Ben & Jo"
    assert chip.accessibleName() == "Ben & Jo"


def test_a_long_chip_shrinks_and_a_flow_goes_on_in_a_new_line(theme: Theme, qtbot: QtBot) -> None:
    window = QWidget()
    flow = FlowLayout(window, spacing=8, line_spacing=8)
    chips = [Chip("Short"), Chip("A very long name of a person " * 4), Chip("Last")]
    for chip in chips:
        flow.addWidget(chip)
    qtbot.addWidget(window)
    window.resize(260, 400)
    window.show()
    qtbot.waitExposed(window)
    assert all(chip.geometry().right() < 260 for chip in chips)
    assert chips[1].y() > chips[0].y()
    assert flow.heightForWidth(2000) < flow.heightForWidth(260)
    flow.removeWidget(chips[1])
    assert flow.count() == 2


def test_the_kind_pill_is_named_by_its_word(theme: Theme, qtbot: QtBot) -> None:
    pill = KindPill("world", "World")
    qtbot.addWidget(pill)
    assert pill.accessibleName() == "World"
    assert not pill.grab().isNull()


def test_labels_show_text_as_it_is(theme: Theme, qtbot: QtBot) -> None:
    label = Label("<b>not bold</b>")
    qtbot.addWidget(label)
    assert label.textFormat() == Qt.TextFormat.PlainText


def test_a_wrapped_label_grows_by_its_line_height(theme: Theme, qtbot: QtBot) -> None:
    label = Label("one two three four five six seven eight nine ten", wrap=True)
    qtbot.addWidget(label)
    assert label.heightForWidth(2000) == 20
    assert label.heightForWidth(120) % 20 == 0
    assert label.heightForWidth(120) > 40
    theme.set_text_size(150)
    assert label.heightForWidth(2000) == 30


def test_an_elided_label_can_shrink_and_the_others_cannot(theme: Theme, qtbot: QtBot) -> None:
    words = "A file with a really long name.md"
    shrinks, stays = Label(words, elide=True), Label(words)
    for label in (shrinks, stays):
        qtbot.addWidget(label)
    assert shrinks.minimumSizeHint().width() < stays.minimumSizeHint().width()
    shrinks.resize(60, 20)
    assert not shrinks.grab().isNull()


def test_keys_are_written_for_people() -> None:
    assert key_words("Ctrl+F") == "Ctrl F"
    assert key_words("Alt+Left") == "Alt ←"
    assert key_words("F1") == "F1"


def test_the_search_field_tells_typing_from_being_filled(
    theme: Theme, qtbot: QtBot, show_row: ShowRow
) -> None:
    field = SearchField("Search everything you wrote")
    show_row(field)
    typed: list[str] = []
    field.text_edited.connect(typed.append)
    field.set_text("from a link")
    assert typed == []
    field.activate()
    assert field.edit.selectedText() == "from a link"
    qtbot.keyClicks(field.edit, "oven")
    assert typed[-1] == "oven"
    with qtbot.waitSignal(field.submitted) as submitted:
        qtbot.keyClick(field.edit, Qt.Key.Key_Return)
    assert submitted.args == ["oven"]


def test_escape_empties_the_search_and_then_leaves_it(
    theme: Theme, qtbot: QtBot, show_row: ShowRow
) -> None:
    field = SearchField("Search")
    show_row(field, QPushButton("Other"))
    field.activate()
    qtbot.keyClicks(field.edit, "oven")
    with qtbot.waitSignal(field.cleared):
        qtbot.keyClick(field.edit, Qt.Key.Key_Escape)
    assert field.text() == ""
    assert field.edit.hasFocus()
    with qtbot.waitSignal(field.escaped):
        qtbot.keyClick(field.edit, Qt.Key.Key_Escape)
    assert not field.edit.hasFocus()


def test_down_leaves_the_search_for_the_results(
    theme: Theme, qtbot: QtBot, show_row: ShowRow
) -> None:
    field = SearchField("Search")
    show_row(field)
    with qtbot.waitSignal(field.left_down):
        qtbot.keyClick(field.edit, Qt.Key.Key_Down)


def test_the_cross_and_the_key_hint_take_turns(
    theme: Theme, qtbot: QtBot, show_row: ShowRow
) -> None:
    field = SearchField("Search")
    other = QPushButton("Other")
    show_row(field, other)
    other.setFocus()
    assert field._keys.isVisible()
    assert not field._clear.isVisible()
    height, left = field.height(), field.edit.x()
    field.activate()
    assert not field._keys.isVisible()
    assert (field.height(), field.edit.x()) == (height, left), "focus must not move anything"
    qtbot.keyClicks(field.edit, "x")
    assert field._clear.isVisible()
    qtbot.mouseClick(field._clear, Qt.MouseButton.LeftButton)
    assert field.text() == ""
    assert field.edit.hasFocus()


def test_a_wrong_field_says_why_and_keeps_the_text(
    theme: Theme, qtbot: QtBot, show_row: ShowRow
) -> None:
    field = TextField("Folder", placeholder="Folder", icon="action.filter")
    show_row(field)
    field.set_text("/nowhere")
    field.set_error("This folder is not there. Check the spelling.")
    assert field.text() == "/nowhere"
    assert field.error.startswith("This folder")
    assert field.edit.accessibleDescription().startswith("This folder")
    qtbot.keyClicks(field.edit, "2")
    assert field.error == ""


def test_a_switch_is_switched_by_mouse_and_space(
    theme: Theme, qtbot: QtBot, show_row: ShowRow
) -> None:
    toggle = Toggle("Only on mains power")
    show_row(toggle)
    qtbot.mouseClick(toggle, Qt.MouseButton.LeftButton)
    assert toggle.isChecked()
    toggle.setFocus()
    qtbot.keyClick(toggle, Qt.Key.Key_Space)
    assert not toggle.isChecked()


def test_choice_cards_exclude_one_another_and_show_what_belongs_to_them(
    theme: Theme, qtbot: QtBot, show_row: ShowRow
) -> None:
    cards = [
        ChoiceCard("action.reveal", "Open a folder I already have", "All fine as they are."),
        ChoiceCard("start.new", "Start a new folder", "An empty journal."),
    ]
    more = QPushButton("Choose another…")
    cards[0].set_extra(more)
    show_row(*cards)
    qtbot.mouseClick(cards[0], Qt.MouseButton.LeftButton)
    assert cards[0].isChecked()
    assert more.isVisible()
    cards[0].setFocus()
    qtbot.keyClick(cards[0], Qt.Key.Key_Right)
    assert cards[1].isChecked()
    assert not cards[0].isChecked()
    assert not more.isVisible()


@pytest.mark.parametrize(
    ("percent", "words"),
    [
        (98, "almost certain"),
        (90, "almost certain"),
        (89, "quite sure"),
        (70, "quite sure"),
        (69, "fairly sure"),
        (50, "fairly sure"),
        (49, "doubtful"),
        (30, "doubtful"),
        (29, "probably not"),
        (2, "probably not"),
    ],
)
def test_how_sure_is_said_in_words(theme: Theme, percent: int, words: str) -> None:
    assert sure_text(percent) == f"{percent}\u00a0% · {words}"


def test_the_slider_moves_by_arrow_and_says_it(
    theme: Theme, qtbot: QtBot, show_row: ShowRow
) -> None:
    sure = SureSlider(75)
    show_row(sure)
    left = sure.slider.width()
    qtbot.keyClick(sure.slider, Qt.Key.Key_Home)
    assert sure.value == 2
    assert sure.text == "2\u00a0% · probably not"
    assert sure.slider.accessibleDescription() == sure.text
    assert sure.slider.width() == left, "the slider must not move while it is dragged"


def test_the_box_offers_names_after_an_at(theme: Theme, qtbot: QtBot, show_row: ShowRow) -> None:
    edit = NoteEdit(["Mara", "Market Square"])
    show_row(edit)
    edit.setFocus()
    qtbot.keyClicks(edit, "says @Mar")
    assert edit.completer.popup().isVisible()
    edit.insert_name("Market Square")
    assert edit.toPlainText() == "says @[Market Square] "
    qtbot.keyClicks(edit, "@Ma")
    edit.insert_name("Mara")
    assert edit.toPlainText() == "says @[Market Square] @Mara "
    qtbot.keyClicks(edit, "me@ma")
    assert not edit.completer.popup().isVisible(), "an address is not a name"


def test_the_ring_is_for_the_keyboard_only(
    theme: Theme, qtbot: QtBot, show_row: ShowRow, qapp: QApplication
) -> None:
    ring = FocusRing(qapp, theme)
    first, second, field = Button("One"), Button("Two"), QLineEdit()
    window = show_row(first, second, field)
    qtbot.mouseClick(first, Qt.MouseButton.LeftButton)
    assert ring.target is None
    QTest.keyClick(window, Qt.Key.Key_Tab)
    assert ring.target is second
    frame = ring._frame
    assert frame is not None
    assert frame.geometry() == second.geometry().adjusted(-4, -4, 4, 4)
    second.move(second.x() + 10, second.y())
    assert frame.geometry() == second.geometry().adjusted(-4, -4, 4, 4)
    assert not window.grab().isNull()
    QTest.keyClick(window, Qt.Key.Key_Tab)
    assert ring.target is None, "a field shows the focus by its border"
    ring.deleteLater()


def test_everything_redraws_in_the_dark_and_large(
    theme: Theme, qtbot: QtBot, show_row: ShowRow
) -> None:
    widgets: list[QAbstractButton] = [
        Button("Add", "primary", icon="action.capture", chevron=True),
        IconButton("action.menu", "Menu"),
        Chip("World", icon="kind.world", color="kind.world", count="4"),
        Toggle("On", checked=True),
        CheckBox("Check"),
    ]
    window = show_row(*widgets)
    before = window.grab().toImage()
    theme.set_mode("dark")
    theme.set_text_size(150)
    assert window.grab().toImage() != before
