"""Each picture can be told from the others by its shape alone, at every size, on every panel."""

from __future__ import annotations

import itertools

import pytest
from PySide6.QtCore import QSize
from PySide6.QtGui import QColor, QImage, QPainter, qGray
from PySide6.QtWidgets import QApplication

from daybank_desktop.tray.icon import SIZES, draw, tray_icon
from daybank_desktop.tray.panel import Panel, panel_of
from daybank_desktop.tray.state import TrayState

LIGHT, DARK = QColor("#EFEDE8"), QColor("#161513")


def image(state: TrayState, panel: Panel, side: int) -> QImage:
    return draw(state, panel, side).toImage().convertToFormat(QImage.Format.Format_ARGB32)


def alphas(picture: QImage) -> list[int]:
    across, down = range(picture.width()), range(picture.height())
    return [picture.pixelColor(x, y).alpha() for y in down for x in across]


def greys(picture: QImage, background: QColor) -> list[int]:
    """What is left of it without any colour."""
    painted = QImage(picture.size(), QImage.Format.Format_RGB32)
    painted.fill(background)
    painter = QPainter(painted)
    painter.drawImage(0, 0, picture)
    painter.end()
    across, down = range(picture.width()), range(picture.height())
    return [qGray(painted.pixel(x, y)) for y in down for x in across]


def luminance(color: QColor) -> float:
    channels = (color.redF(), color.greenF(), color.blueF())
    red, green, blue = (
        value / 12.92 if value <= 0.03928 else ((value + 0.055) / 1.055) ** 2.4
        for value in channels
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: QColor, other: QColor) -> float:
    lighter, darker = sorted((luminance(one), luminance(other)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def seen(picture: QImage, background: QColor) -> int:
    """How many pixels stand out from the panel, as much as a sign has to."""
    found = 0
    for y in range(picture.height()):
        for x in range(picture.width()):
            color = picture.pixelColor(x, y)
            if color.alpha() > 200 and contrast(color, background) >= 3:
                found += 1
    return found


@pytest.mark.parametrize(
    ("panel", "background"),
    [
        (Panel.LIGHT, LIGHT),
        (Panel.DARK, DARK),
        (Panel.UNSURE, LIGHT),
        (Panel.UNSURE, DARK),
        (Panel.TEMPLATE, LIGHT),
    ],
)
@pytest.mark.parametrize("side", SIZES)
def test_the_states_differ_without_any_colour(
    qapp: QApplication, side: int, panel: Panel, background: QColor
) -> None:
    shapes = {state: greys(image(state, panel, side), background) for state in TrayState}
    for one, other in itertools.combinations(TrayState, 2):
        differs = sum(abs(a - b) > 64 for a, b in zip(shapes[one], shapes[other], strict=True))
        assert differs >= side * side / 64, f"{one} and {other}"


@pytest.mark.parametrize(
    ("panel", "background"),
    [
        (Panel.LIGHT, LIGHT),
        (Panel.DARK, DARK),
        (Panel.UNSURE, LIGHT),
        (Panel.UNSURE, DARK),
        (Panel.UNSURE, QColor("#6F7F95")),
    ],
)
@pytest.mark.parametrize("side", SIZES)
@pytest.mark.parametrize("state", TrayState)
def test_it_can_be_seen_on_its_panel(
    qapp: QApplication, state: TrayState, side: int, panel: Panel, background: QColor
) -> None:
    assert seen(image(state, panel, side), background) >= side * side * 0.13


@pytest.mark.parametrize("panel", [Panel.LIGHT, Panel.DARK])
def test_what_waits_and_what_needs_the_person_have_colours(
    qapp: QApplication, panel: Panel
) -> None:
    def colors(state: TrayState) -> set[str]:
        picture = image(state, panel, 64)
        points = itertools.product(range(64), range(64))
        shown = (picture.pixelColor(x, y) for x, y in points)
        return {color.name() for color in shown if color.alpha() == 255}

    plain = colors(TrayState.RESTING)
    assert len(plain) == 1
    assert colors(TrayState.WORKING) == colors(TrayState.PAUSED) == plain
    waiting = colors(TrayState.WAITING) - plain
    attention = colors(TrayState.ATTENTION) - plain
    assert waiting
    assert attention
    assert waiting.isdisjoint(attention)


@pytest.mark.parametrize("side", [*SIZES, 20, 33, 40, 44, 66, 96])
def test_lines_lie_on_whole_pixels(qapp: QApplication, side: int) -> None:
    picture = image(TrayState.RESTING, Panel.LIGHT, side)
    middle = [picture.pixelColor(side // 2, y).alpha() for y in range(side)]
    below_the_sun = middle[middle.index(255) :]
    assert set(below_the_sun) == {0, 255}
    runs = [shown for shown, _ in itertools.groupby(below_the_sun)]
    assert runs == [255, 0, 255, 0, 255, 0], "sun, line and line"


@pytest.mark.parametrize("side", [*SIZES, 44, 96])
def test_it_is_the_same_left_and_right(qapp: QApplication, side: int) -> None:
    picture = image(TrayState.RESTING, Panel.DARK, side)
    for y in range(side):
        row = [picture.pixelColor(x, y).alpha() for x in range(side)]
        assert all(abs(a - b) <= 12 for a, b in zip(row, reversed(row), strict=True)), y


@pytest.mark.parametrize("ratio", [1.0, 1.25, 1.5, 2.0])
@pytest.mark.parametrize("size", [16, 22, 24, 32])
def test_every_size_is_drawn_and_not_scaled(qapp: QApplication, size: int, ratio: float) -> None:
    icon = tray_icon(TrayState.WAITING, Panel.LIGHT)
    shown = icon.pixmap(QSize(size, size), ratio).toImage()
    side = round(size * ratio)
    assert shown.width() == side
    drawn = image(TrayState.WAITING, Panel.LIGHT, side)
    assert alphas(shown.convertToFormat(QImage.Format.Format_ARGB32)) == alphas(drawn)


def test_a_screen_with_a_ratio_of_its_own_has_its_own_drawing(qapp: QApplication) -> None:
    icon = tray_icon(TrayState.RESTING, Panel.LIGHT, [1.33])
    assert QSize(21, 21) in icon.availableSizes()
    assert QSize(21, 21) not in tray_icon(TrayState.RESTING, Panel.LIGHT).availableSizes()


def test_a_mac_colours_it_itself(qapp: QApplication) -> None:
    assert tray_icon(TrayState.WAITING, Panel.TEMPLATE).isMask()
    assert not tray_icon(TrayState.WAITING, Panel.DARK).isMask()
    picture = image(TrayState.WAITING, Panel.TEMPLATE, 22)
    points = itertools.product(range(22), range(22))
    inks = {picture.pixelColor(x, y).rgb() & 0xFFFFFF for x, y in points if picture.pixel(x, y)}
    assert inks == {0}


@pytest.mark.parametrize(
    ("platform", "desktop", "dark", "light_taskbar", "expected"),
    [
        ("darwin", "", True, None, Panel.TEMPLATE),
        ("win32", "", True, True, Panel.LIGHT),
        ("win32", "", False, False, Panel.DARK),
        ("win32", "", True, None, Panel.UNSURE),
        ("linux", "ubuntu:GNOME", False, None, Panel.DARK),
        ("linux", "GNOME", None, None, Panel.DARK),
        ("linux", "KDE", True, None, Panel.DARK),
        ("linux", "KDE", False, None, Panel.LIGHT),
        ("linux", "KDE", None, None, Panel.UNSURE),
        ("linux", "XFCE", False, None, Panel.UNSURE),
        ("linux", "", True, None, Panel.UNSURE),
    ],
)
def test_what_is_known_of_the_panel(
    platform: str,
    desktop: str,
    dark: bool | None,
    light_taskbar: bool | None,
    expected: Panel,
) -> None:
    found = panel_of(platform, desktop=desktop, system_is_dark=dark, taskbar_is_light=light_taskbar)
    assert found is expected
