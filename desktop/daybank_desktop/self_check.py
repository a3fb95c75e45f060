"""The window's part of ``daybank --self-check``: whether Qt finds what it loads while running.

The library asks for it through an entry point, so it stays without Qt. Nothing is shown: Qt's own
offscreen platform stands in for a screen, and the plugins for real screens are loaded, no more.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

from daybank.resources import resource_path
from daybank.self_check import Check, Missing, SelfCheck, check


def checks() -> tuple[Check, ...]:
    """What is asked about the window."""
    return (
        check("qt", "Qt", qt),
        *(_screen(name) for name in _platforms()),
        check("qt-pictures", "Pictures", pictures),
        check("qt-fonts", "Fonts", fonts),
    )


def qt() -> str:
    """The version of Qt, and whether an application can be made with its style."""
    _application()
    from PySide6.QtCore import qVersion
    from PySide6.QtWidgets import QStyleFactory

    styles = QStyleFactory.keys()
    if "fusion" not in [name.lower() for name in styles]:
        raise Missing("The style Fusion is missing.")
    return f"{qVersion()}, style Fusion"


def pictures() -> str:
    """Whether Daybank's own icons, which are SVG, can be drawn."""
    _application()
    from PySide6.QtGui import QColor, QIcon, QImageReader

    kinds = {bytes(kind.data()).decode() for kind in QImageReader.supportedImageFormats()}
    lacking = {"svg", "png", "jpeg"} - kinds
    if lacking:
        raise Missing(f"Qt cannot read {', '.join(sorted(lacking))}.")
    drawn = QIcon(str(resource_path("icons/daybank.svg"))).pixmap(32, 32).toImage()
    colours = {QColor(drawn.pixel(x, 16)).rgb() for x in range(drawn.width())}
    if len(colours) < 2:
        raise Missing("Daybank's icon cannot be drawn.")
    return ", ".join(sorted(kinds))


def fonts() -> str:
    """Whether there is a font to write with."""
    _application()
    from PySide6.QtGui import QFontDatabase

    count = len(QFontDatabase.families())
    if not count:
        raise Missing("No font is installed, so nothing can be read in the window.")
    return f"{count} families"


def _platforms() -> tuple[tuple[str, bool], ...]:
    """Qt's names for the screens of this system, and whether the window needs each."""
    if sys.platform == "win32":
        return (("windows", True),)
    if sys.platform == "darwin":
        return (("cocoa", True),)
    return (("xcb", True), ("wayland", False))


def _screen(platform: tuple[str, bool]) -> Check:
    name, is_needed = platform
    ask = check(f"qt-{name}", f"Screen “{name}”", _loader(name))

    def asked() -> SelfCheck:
        found = ask()
        if found.level == "error" and not is_needed:
            return SelfCheck(found.id, found.name, "warning", found.found)
        return found

    return asked


def _loader(name: str) -> Callable[[], str]:
    def look() -> str:
        from PySide6.QtCore import QLibraryInfo, QPluginLoader

        plugins = Path(QLibraryInfo.path(QLibraryInfo.LibraryPath.PluginsPath)) / "platforms"
        found = sorted(
            p for p in plugins.glob(f"*q{name}*") if p.suffix in (".so", ".dll", ".dylib")
        )
        if not found:
            raise Missing(f"Qt's plugin for “{name}” is missing.")
        for place in found:
            loader = QPluginLoader(str(place))
            if not loader.load():
                raise Missing(loader.errorString())
        return "can be loaded"

    return look


def _application() -> object:
    from PySide6.QtWidgets import QApplication

    running = QApplication.instance()
    if running is None:
        running = QApplication(["daybank", "-platform", "offscreen"])
        _kept.append(running)
    return running


_kept: list[object] = []
"""Qt ends when the last reference to its application goes."""
