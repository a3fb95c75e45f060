"""What a start was told on the command line, and which folder it means."""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from daybank import __version__
from daybank.errors import WorkspaceNotFound
from daybank.settings import load_settings
from daybank.workspace import find_workspace
from daybank_desktop.services.settings import SettingsStore
from daybank_desktop.single_instance import Message, message_for, take_file

_OF_QT = (
    *("platform", "style", "stylesheet", "display", "geometry", "session", "reverse", "qwindow"),
    *("qmljsdebugger", "widgetcount", "fontengine", "dialogs", "nograb", "dograb", "sync", "psn_"),
)
"""How the options of Qt begin, which it takes for itself, some with a value behind them."""


@dataclass(frozen=True)
class Options:
    """What the command line said."""

    workspace: str = ""
    search: str = ""
    capture: str | None = None
    review: bool = False
    hidden: bool = False
    file: str = ""
    theme: str = ""
    text_size: int = 0
    demo: bool = False

    @property
    def message(self) -> Message:
        """What this start is to do, as it can be told to a Daybank that runs already."""
        return message_for(
            capture=self.capture,
            search=self.search,
            review=self.review,
            file=self.file,
            hidden=self.hidden,
        )


def read_options(arguments: Sequence[str], folder: Path) -> tuple[Options, list[str]]:
    """Our options, and what is left for Qt. A short path begins in ``folder``."""
    parser = argparse.ArgumentParser(
        prog="daybank-desktop",
        description="Search, read and look after a folder of notes.",
        epilog="If Daybank runs already, the running one does what is asked.",
        allow_abbrev=False,
    )
    parser.add_argument("--workspace", metavar="PATH", default="", help="open this folder")
    parser.add_argument("--search", metavar="TEXT", default="", help="look for this")
    parser.add_argument(
        "--capture",
        metavar="TEXT",
        nargs="?",
        const="",
        help="open the box to write something down, with TEXT in it",
    )
    parser.add_argument("--review", action="store_true", help="show the suggestions that wait")
    parser.add_argument("--hidden", action="store_true", help="start in the tray, without a window")
    parser.add_argument("--theme", choices=("light", "dark"), default="")
    parser.add_argument("--text-size", type=int, default=0, metavar="PERCENT")
    parser.add_argument("--demo", action="store_true", help="look around with a sample folder")
    parser.add_argument("--version", action="version", version=f"Daybank {__version__}")
    known, rest = parser.parse_known_args(list(arguments))
    file, rest = take_file(rest, folder)
    if rest and not rest[0].startswith("-") and (folder / rest[0]).is_dir():
        known.workspace = known.workspace or str(folder / rest.pop(0))
    if unknown := _unknown(rest):
        parser.error(f"“{unknown}” is no option, no folder and no note; --help says what there is")
    return Options(**vars(known), file=file), rest


def _unknown(rest: Sequence[str]) -> str:
    """The first word that is neither an option of Qt's nor the value of one; "" for none."""
    before = ""
    for word in rest:
        is_option = word.startswith("-")
        if is_option and not word.lstrip("-").startswith(_OF_QT):
            return word
        if not is_option and not before.startswith("-"):
            return word
        before = word
    return ""


def meant_workspace(options: Options, config: Path, environ: Mapping[str, str]) -> Path | None:
    """The folder that a start with ``options`` opens; None before one was chosen."""
    chosen = SettingsStore(config / "desktop.json").value.folder
    configured = chosen or load_settings(config / "settings.json").workspace
    try:
        return find_workspace(options.workspace or None, environ=environ, configured=configured)
    except WorkspaceNotFound:
        return None
