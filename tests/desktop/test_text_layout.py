"""A person's text on a card: plain, whole characters, the found words in sight."""

from __future__ import annotations

import unicodedata

import pytest
from PySide6.QtGui import QFont

from daybank_desktop.theme import Theme
from daybank_desktop.widgets.text_layout import (
    cluster_start,
    elided,
    excerpt,
    lay_out,
    python_index,
    qt_index,
    shown,
)

FAMILY = "\U0001f468\u200d\U0001f469\u200d\U0001f467"


@pytest.fixture
def font(theme: Theme) -> QFont:
    return theme.font("body")


@pytest.mark.parametrize(
    "text",
    [
        "<b>bold</b> & <1500 chars>",
        '<img src="file:///etc/passwd">',
        "שלום \u202eabc\u202c עולם",
        "zero\u200bwidth\u200d join",
        FAMILY,
        "e\u0301te\u0301",
    ],
)
def test_text_stays_as_it_is_letter_for_letter(text: str, font: QFont) -> None:
    assert shown(text) == text
    assert excerpt(text, (), font, 400).text == text
    assert lay_out(text, font, 400, 20).layout.text() == text


def test_breaks_become_spaces_and_broken_characters_a_sign() -> None:
    text = "a\nb\tc\u2028d\ud800e\x00f\x9cg"
    assert shown(text) == "a b c d\ufffde\ufffdf\ufffdg"
    assert len(shown(text)) == len(text)


def test_counting_follows_both_python_and_qt() -> None:
    text = f"a{FAMILY}b😀c"
    for index in range(len(text) + 1):
        assert python_index(text, qt_index(text, index)) == index
    assert qt_index(text, len(text)) == len(text.encode("utf-16-le")) // 2


@pytest.mark.parametrize("text", [f"ab{FAMILY}cd", "nin\u0303o" * 3, "กำลังใจ", "한국어"])
def test_no_character_is_cut_in_two(text: str) -> None:
    for index in range(len(text) + 1):
        start = cluster_start(text, index)
        assert start <= index
        if start < len(text):
            assert not unicodedata.combining(text[start])
            assert text[start] != "\u200d"
            assert start == 0 or text[start - 1] != "\u200d"


def test_a_long_text_is_shown_around_its_first_found_word(font: QFont) -> None:
    text = "Nothing here at all. " * 200 + "The flour delivery is on Tuesday. " + "More. " * 300
    at = text.index("flour")
    part = excerpt(text, ((at, at + 5),), font, 360)
    assert part.text.startswith("…")
    assert part.text.endswith("…")
    start, end = part.highlights[0]
    assert part.text[start:end] == "flour"
    assert part.lines <= 3


def test_a_found_word_near_the_start_keeps_the_beginning(font: QFont) -> None:
    text = "The flour delivery. " + "More. " * 300
    part = excerpt(text, ((4, 9),), font, 360)
    assert part.text.startswith("The flour")
    assert part.text.endswith("…")
    assert part.highlights == ((4, 9),)


def test_a_found_word_in_the_last_line_of_a_long_text(font: QFont) -> None:
    text = "Many words before. " * 100 + "flour"
    part = excerpt(text, ((len(text) - 5, len(text)),), font, 360)
    start, end = part.highlights[0]
    assert part.text[start:end] == "flour"
    assert part.text.endswith("flour")


def test_a_text_without_spaces_is_cut_at_whole_characters(font: QFont) -> None:
    text = FAMILY * 400
    at = text.index(FAMILY, len(text) // 2)
    part = excerpt(text, ((at, at + len(FAMILY)),), font, 360)
    assert part.text.strip("…").replace(FAMILY, "") == ""
    start, end = part.highlights[0]
    assert part.text[start:end] == FAMILY


def test_highlights_after_emoji_are_on_the_right_letters(font: QFont) -> None:
    text = "😀😀 flour 😀 delivery"
    at = text.index("delivery")
    block = lay_out(text, font, 1000, 20, highlights=((at, at + 8),))
    line = block.layout.lineAt(0)
    expected = line.cursorToX(qt_index(text, at))[0]
    assert block.marks[0].left() == pytest.approx(expected, abs=1.5)


def test_right_to_left_marks_have_a_width(font: QFont) -> None:
    text = "שלום עולם flour"
    block = lay_out(text, font, 400, 20, highlights=((0, 4), (10, 15)))
    assert all(rect.width() > 0 for rect in block.marks)


def test_a_name_of_ten_thousand_letters_is_cut_quickly(font: QFont) -> None:
    words = elided("x" * 10_000, font, 200)
    assert words.endswith("…")
    assert len(words) < 100
