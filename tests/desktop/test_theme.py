"""The design's promises about colour, type and icons."""

from __future__ import annotations

import re

import pytest
from PySide6.QtGui import QColor, QPalette
from PySide6.QtSvg import QSvgRenderer
from PySide6.QtWidgets import QApplication, QWidget

from daybank_desktop.resources import resource_path
from daybank_desktop.theme import Theme, _high_contrast_role


def luminance(color: QColor) -> float:
    """Relative luminance of WCAG 2."""
    channels = []
    for value in (color.redF(), color.greenF(), color.blueF()):
        channels.append(value / 12.92 if value <= 0.03928 else ((value + 0.055) / 1.055) ** 2.4)
    red, green, blue = channels
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: QColor, other: QColor) -> float:
    lighter, darker = sorted((luminance(one), luminance(other)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def test_the_contrast_formula_knows_black_and_white() -> None:
    assert contrast(QColor("black"), QColor("white")) == pytest.approx(21)


@pytest.mark.parametrize("mode", ["light", "dark"])
def test_every_promised_pair_can_be_read(theme: Theme, mode: str) -> None:
    theme.set_mode(mode)  # type: ignore[arg-type]
    pairs = theme.contrast_pairs()
    assert len(pairs) == 116
    low = [
        (front, back, round(ratio, 2))
        for front, back, least in pairs
        if (ratio := contrast(theme.color(front), theme.color(back))) < least
    ]
    assert low == []


@pytest.mark.parametrize("mode", ["light", "dark"])
def test_the_style_sheet_has_no_gap(theme: Theme, mode: str) -> None:
    theme.set_mode(mode)  # type: ignore[arg-type]
    sheet = theme.style_sheet()
    assert "@{" not in sheet
    assert sheet.count("{") == sheet.count("}")


@pytest.mark.parametrize("size", range(90, 201))
def test_round_marks_stay_round_at_every_text_size(theme: Theme, size: int) -> None:
    theme._text_size = size
    marks = theme._measures()
    radio, handle = theme.px(16) + 2, theme.px(14) + 4
    assert marks["radioDot"] + 2 * marks["radioRing"] == radio, "the chosen one is as large"
    assert 2 * marks["radioRadius"] <= radio
    assert 2 * marks["handleRadius"] <= handle


def test_an_unknown_token_is_a_bug_that_shows(theme: Theme) -> None:
    theme._template = "QWidget { color: @{text.nowhere}; }"
    with pytest.raises(KeyError, match=r"text\.nowhere"):
        theme.style_sheet()


def test_every_icon_has_a_file_that_draws(theme: Theme) -> None:
    for name in theme.icon_names():
        path = resource_path(theme.icon_file(name))
        assert path.is_file(), name
        assert QSvgRenderer(str(path)).isValid(), name
        image = theme.pixmap(name, "text.primary", 24, 1.0).toImage()
        drawn = any(image.pixelColor(x, y).alpha() for x in range(24) for y in range(24))
        assert drawn, f"{name} is empty"


def test_no_icon_is_carried_that_nothing_uses(theme: Theme) -> None:
    used = {theme.icon_file(name) for name in theme.icon_names()}
    carried = {f"icons/{path.name}" for path in resource_path("icons").glob("*.svg")}
    assert carried == used
    assert "ISC License" in resource_path("icons/LICENSE").read_text("utf-8")


def test_an_icon_is_tinted_and_sharp_on_a_dense_screen(theme: Theme) -> None:
    pixmap = theme.pixmap("state.same", "accent", 18, 2.0)
    assert pixmap.width() == 36
    assert pixmap.devicePixelRatio() == 2.0
    middle = pixmap.toImage().pixelColor(18, 18)
    accent = theme.color("accent")
    assert abs(middle.red() - accent.red()) <= 3
    assert abs(middle.blue() - accent.blue()) <= 3


def test_icons_take_the_colours_of_the_new_theme(theme: Theme) -> None:
    before = theme.icon("page.search").pixmap(18).toImage()
    theme.set_mode("dark")
    assert theme.icon("page.search").pixmap(18).toImage() != before


def test_the_palette_follows_the_mode(theme: Theme, qapp: QApplication) -> None:
    assert not theme.is_dark
    assert qapp.palette().color(QPalette.ColorRole.Window).name() == "#f7f6f3"
    theme.set_mode("dark")
    assert theme.is_dark
    assert qapp.palette().color(QPalette.ColorRole.Window).name() == "#1c1b19"


def test_text_size_scales_type_and_rows_within_its_bounds(theme: Theme) -> None:
    assert theme.font("body").pixelSize() == 14
    theme.set_text_size(150)
    assert theme.font("body").pixelSize() == 21
    assert theme.line_height("body") == 30
    assert theme.px(36) == 54
    theme.set_text_size(500)
    assert theme.text_size == 200
    theme.set_text_size(10)
    assert theme.text_size == 90


def test_changes_are_told(theme: Theme) -> None:
    told = []
    theme.changed.connect(lambda: told.append(True))
    theme.set_mode("dark")
    theme.set_text_size(120)
    assert len(told) == 2


def test_a_widget_finds_its_theme(theme: Theme, qtbot) -> None:  # type: ignore[no-untyped-def]
    widget = QWidget()
    qtbot.addWidget(widget)
    assert Theme.of(widget) is theme


def test_high_contrast_uses_only_the_systems_colours(
    theme: Theme, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Theme, "is_high_contrast", True)
    theme.apply()
    sheet = theme.style_sheet()
    assert not re.search(r"#[0-9A-Fa-f]{6}", sheet)
    assert "palette(base)" in sheet


def test_in_high_contrast_words_and_their_ground_are_never_one_colour() -> None:
    grounds = {
        "window": "window-text",
        "base": "text",
        "highlight": "highlighted-text",
        "window-text": "window",
    }
    for text, ground in (
        ("text.primary", "bg.surface"),
        ("text.secondary", "bg.sidebar"),
        ("accent.softText", "accent.soft"),
        ("text.onAccent", "accent"),
        ("text.onNegative", "negative"),
        ("mark.text", "mark.bg"),
        ("kind.world", "kind.world.soft"),
    ):
        word = _high_contrast_role(text)[1]
        back = _high_contrast_role(ground)[1]
        assert word in (grounds[back], "window-text", "text"), (text, ground, word, back)
        assert word != back
