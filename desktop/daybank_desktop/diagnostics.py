"""“Copy diagnostics”: what helps to find a fault, and nothing of what anybody wrote.

The text is made of numbers, names of ours and the last lines of the log. It holds no notes, no
names of people or files, no paths, no passwords. Of the log only what has a shape of ours is kept:
lines with a time, and of a traceback where it was and which kind of error. Everything is cleaned
twice: each part as it is made, and the whole at the end.

``Diagnostics`` is for the GUI thread; the text is made on a read worker.
"""

from __future__ import annotations

import getpass
import logging
import os
import platform
import re
import socket
import sqlite3
import sys
import tempfile
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, fields
from datetime import datetime
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal, qVersion
from PySide6.QtGui import QGuiApplication

from daybank.clock import Clock
from daybank.errors import DaybankError
from daybank.secrets import mask
from daybank.settings import Settings
from daybank_desktop.services.health import Health
from daybank_desktop.services.library import Library
from daybank_desktop.services.runs import RunLine, run_line
from daybank_desktop.services.schedule import ScheduleState
from daybank_desktop.services.settings import DesktopSettings
from daybank_desktop.tasks import Lane, Tasks

if TYPE_CHECKING:
    from daybank import Overview, Workspace
    from daybank.health.report import HealthReport

log = logging.getLogger(__name__)

LOG_LINES = 200
LAST_RUNS = 10
_TAIL_BYTES = 400_000
_PRIVATE_SETTINGS = ("folder", "recent", "window", "not_same", "told")
_NOT_TOLD = "not told"


# Cleaning

_MAIL = re.compile(r"[^\s@<>()\[\]\"'“”,;:]+@[^\s@<>()\[\]\"'“”,;]+\.[^\W\d_]{2,}")
_ADDRESS = re.compile(r"\b[a-z][a-z0-9+.-]{1,15}://\S+", re.IGNORECASE)
_QUOTED = re.compile(
    r"“[^”\n]*”?|„[^“”\n]*[“”]?|«[^»\n]*»?|\"[^\"\n]*\"?|(?<!\w)'[^'\n]*'?|`[^`\n]*`?"
)
_PATH = re.compile(
    r"(?<![\w/\\])(?:~|\.{1,2})?(?:/|[A-Za-z]:[\\/]|\\\\)[^\s\"'“”<>|:;,()\[\]]*"
    r"|(?<![\w/\\])[^\s\"'“”<>|:;,()\[\]]*[\\/][^\s\"'“”<>|:;,()\[\]]*"
)
_NOTE_PATH = re.compile(
    r"\S*[\\/][^\n\"“”:;<>|]*?\.(?:md|markdown|txt|jsonl)\b(?:#L\d+(?:-L?\d+)?)?", re.IGNORECASE
)
_NOTE_FILE = re.compile(r"[^\s\"'“”/\\]+\.(?:md|markdown|txt|jsonl)\b(?:#L\d+(?:-L?\d+)?)?", re.I)
_IP = re.compile(r"(?<![\w.])\d{1,3}(?:\.\d{1,3}){3}(?![\w.])")


@dataclass(frozen=True, slots=True)
class Private:
    """What must not be in the text: ``paths`` of this computer, and ``names`` of its owner and
    of itself."""

    paths: tuple[str, ...] = ()
    names: tuple[str, ...] = ()

    def clean(self, text: str) -> str:
        """``text`` without them, without secrets, addresses and anything that looks like a path."""
        text = mask(text)
        for path in sorted(filter(_is_telling, set(self.paths)), key=len, reverse=True):
            for shape in {path, path.replace("\\", "/"), path.replace("/", "\\")}:
                text = re.sub(re.escape(shape), "[path]", text, flags=re.IGNORECASE)
        text = _ADDRESS.sub("[address]", text)
        text = _MAIL.sub("[mail]", text)
        text = _NOTE_PATH.sub(
            "[path]", text
        )  # a name may hold spaces; its ending tells where it ends
        text = _PATH.sub("[path]", text)
        text = _NOTE_FILE.sub("[file]", text)
        text = _IP.sub("[address]", text)
        for name in sorted(filter(None, set(self.names)), key=len, reverse=True):
            text = re.sub(
                rf"(?<![^\W_]){re.escape(name)}(?![^\W_])", "[name]", text, flags=re.IGNORECASE
            )
        return text


def _is_telling(path: str) -> bool:
    return len(path.strip("/\\. ")) > 0


def private_of(folders: Iterable[Path | str]) -> Private:
    """What is private on this computer, with ``folders`` and whatever lies above them."""
    home = Path.home()
    paths = {str(home), tempfile.gettempdir()}
    names = {home.name, socket.gethostname(), socket.gethostname().partition(".")[0]}
    names.add(platform.node())
    try:
        names.add(getpass.getuser())
    except (OSError, KeyError, ImportError):
        log.debug("The user has no name here")
    for folder in folders:
        text = str(folder)
        if text:
            paths.add(text)
            names.add(Path(text).name)
    return Private(tuple(paths), tuple(names - set(_OURS)))


_OURS = ("", "daybank", "notes", "memory", "tmp", "root", "log", "logs", "home", "localhost")
"""Words that say nothing about anybody, and without which the text could not be read."""


# The parts


@dataclass(frozen=True, slots=True)
class Circumstances:
    """What is gathered on the GUI thread. ``screens`` are sizes with their scale."""

    when: datetime
    screens: tuple[str, ...] = ()
    theme: str = ""
    text_size: int = 100
    desktop: DesktopSettings | None = None
    schedule: ScheduleState | None = None
    report: HealthReport | None = None
    overview: Overview | None = None
    log_file: Path | None = None


def made_text(
    what: Circumstances,
    private: Private,
    *,
    settings: Settings | None = None,
    runs: Sequence[RunLine] = (),
    log_lines: Sequence[str] = (),
) -> str:
    """The whole text. Reads nothing; everything is handed in."""
    parts = [
        ("Daybank", _versions()),
        ("Screen", [*what.screens, f"theme {what.theme}, text {what.text_size} %"]),
        ("Settings", [*_desktop_settings(what.desktop), *_shared_settings(settings)]),
        ("Notes", _counts(what.overview)),
        ("Health", _health(what.report)),
        ("Schedule", _schedule(what.schedule)),
        ("Last runs", [_run(line) for line in runs[:LAST_RUNS]] or ["none"]),
        (f"Log, last {LOG_LINES} lines", kept_log(log_lines, private) or ["none"]),
    ]
    head = f"Daybank diagnostics, {what.when.isoformat(timespec='minutes')}"
    body = "\n\n".join(
        "\n".join([title, *(f"  {private.clean(line)}" for line in lines)])
        for title, lines in parts
    )
    return f"{head}\n\n{body}\n"


def _versions() -> list[str]:
    try:
        version = metadata.version("daybank")
    except metadata.PackageNotFoundError:
        version = "from its source"
    return [
        f"version {version}",
        f"Python {platform.python_version()}, Qt {qVersion()}, SQLite {sqlite3.sqlite_version}",
        f"{platform.system()} {platform.release()} {platform.machine()}",
        f"window system {QGuiApplication.platformName() or _NOT_TOLD}",
        f"packaged {'yes' if getattr(sys, 'frozen', False) else 'no'}",
    ]


def _desktop_settings(settings: DesktopSettings | None) -> list[str]:
    if settings is None:
        return []
    lines = []
    for field in fields(settings):
        value = getattr(settings, field.name)
        if field.name not in _PRIVATE_SETTINGS:
            lines.append(f"{field.name}: {value}")
        elif isinstance(value, tuple):
            lines.append(f"{field.name}: {len(value)}")
        else:
            lines.append(f"{field.name}: {'set' if value else 'none'}")
    return lines


def _shared_settings(settings: Settings | None) -> list[str]:
    if settings is None:
        return []
    wording = (settings.wording_model or "none").partition(":")[0]
    model = settings.model or "built-in"
    known = re.fullmatch(r"[\w.:-]{1,60}", model)
    return [
        f"index_outside: {settings.index_outside}",
        f"model: {model if known else 'another'}",
        f"wording_model: {wording if wording in ('none', 'ollama', 'openai') else 'another'}",
        f"wording_host_allowed: {settings.wording_host_allowed}",
        f"commit: {settings.commit}",
    ]


def _counts(overview: Overview | None) -> list[str]:
    if overview is None:
        return ["no folder is open"]
    return [
        f"notes {overview.notes}, days {overview.days}, files {overview.files},"
        f" people and things {overview.entities}",
        f"read through: {'yes' if overview.is_indexed else 'no'}",
    ]


def _health(report: HealthReport | None) -> list[str]:
    if report is None:
        return ["not checked yet"]
    return [f"{check.id}: {check.level}, {len(check.sources)} places" for check in report.checks]


def _schedule(state: ScheduleState | None) -> list[str]:
    if state is None:
        return [_NOT_TOLD]
    return [
        f"last {_moment(state.last)}, next {_moment(state.next)}",
        f"running {state.running}, paused {state.is_paused}, until {_moment(state.paused_until)}",
        f"why not now: {state.why_not or 'due'}",
    ]


def _run(line: RunLine) -> str:
    return (
        f"{_moment(line.started)}: {line.seconds:.1f} s, notes {line.facts}, new {line.new},"
        f" suggested {line.made}, waiting {line.waited}, passed over {line.skipped},"
        f" {'failed' if line.error else 'well'}"
    )


def _moment(when: datetime | None) -> str:
    return when.isoformat(timespec="minutes") if when is not None else "none"


# The log

_OUR_LINE = re.compile(
    r"(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d,\d{3}) (DEBUG|INFO|WARNING|ERROR|CRITICAL) ([\w.]+) (.*)"
)
_FRAME = re.compile(r'\s*File "([^"]*)", line (\d+), in ([\w<>.]+)')
_KIND = re.compile(r"([A-Za-z_][\w.]*(?:Error|Exception|Warning|Interrupt|Exit|Iteration))(?::|$)")
_OF_OURS = ("daybank", "daybank_desktop", "qt", "apscheduler", "__main__")


def kept_log(lines: Sequence[str], private: Private) -> list[str]:
    """What of the log may be handed on, the last lines. What others log is only named."""
    out: list[str] = []
    for line in lines[-4 * LOG_LINES :]:
        ours = _OUR_LINE.fullmatch(line.rstrip("\r\n"))
        if ours is not None:
            when, level, name, message = ours.groups()
            told = _without_names(message) if name.partition(".")[0] in _OF_OURS else "…"
            out.append(private.clean(f"{when} {level} {name} {told}"))
            continue
        frame = _FRAME.match(line)
        kind = _KIND.match(line)
        if frame is not None:
            module = frame[1].replace("\\", "/").rpartition("/")[2]
            is_code = module.endswith(".py")
            out.append(private.clean(f"  {module if is_code else '[path]'} {frame[2]} {frame[3]}"))
        elif kind is not None:
            out.append(private.clean(kind[1]))
        elif line.startswith("Traceback"):
            out.append("Traceback")
    return out[-LOG_LINES:]


def _without_names(message: str) -> str:
    """What stands in quotes is a name, a path or something that somebody wrote."""
    return _QUOTED.sub("[…]", message)


def read_end(path: Path | None) -> list[str]:
    """The last lines of the log, also of the file before it where this one has just begun."""
    if path is None:
        return []
    text = ""
    for place in (path, path.with_name(f"{path.name}.1")):
        text = _end_of(place) + text
        if text.count("\n") > 4 * LOG_LINES:
            break
    return text.split("\n")


def _end_of(path: Path) -> str:
    try:
        with path.open("rb") as file:
            size = file.seek(0, os.SEEK_END)
            file.seek(max(0, size - _TAIL_BYTES))
            return file.read().decode("utf-8", "replace")
    except OSError:
        return ""


# For the window


class Diagnostics(QObject):
    """Makes the text and puts it on the clipboard. ``schedule`` and ``desktop`` are asked when it
    is wanted; ``settings`` reads the settings shared with the command line, on the worker."""

    copied = Signal(str)  # the text
    failed = Signal(object)  # DaybankError

    def __init__(
        self,
        tasks: Tasks,
        library: Library,
        health: Health,
        clock: Clock,
        *,
        desktop: Callable[[], DesktopSettings],
        schedule: Callable[[], ScheduleState],
        settings: Callable[[], Settings],
        log_file: Path | None = None,
        text_size: Callable[[], int] = lambda: 100,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._tasks = tasks
        self._library = library
        self._health = health
        self._clock = clock
        self._desktop = desktop
        self._schedule = schedule
        self._settings = settings
        self._log_file = log_file
        self._text_size = text_size

    def copy(self) -> None:
        """Make the text; it is on the clipboard when ``copied`` tells of it."""
        workspace = self._library.workspace
        desktop = self._desktop()
        what = Circumstances(
            self._clock.now(),
            _screens(),
            desktop.theme,
            self._text_size(),
            desktop,
            self._schedule(),
            self._health.state.report,
            self._library.overview,
            self._log_file,
        )
        self._tasks.run(
            Lane.READ,
            lambda job: _gathered(what, workspace, self._settings),
            done=self._on_made,
            failed=self.failed.emit,
            channel="diagnostics",
        )

    def _on_made(self, text: str) -> None:
        QGuiApplication.clipboard().setText(text)
        self.copied.emit(text)


def _screens() -> tuple[str, ...]:
    return tuple(
        f"screen {screen.size().width()} × {screen.size().height()},"
        f" scale {screen.devicePixelRatio():g}"
        for screen in QGuiApplication.screens()
    )


def _gathered(
    what: Circumstances, workspace: Workspace | None, load: Callable[[], Settings]
) -> str:
    """On the worker."""
    desktop = what.desktop
    folders: list[Path | str] = [*desktop.recent, desktop.folder] if desktop is not None else []
    if what.log_file is not None:
        folders.append(what.log_file.parent)
    runs: tuple[RunLine, ...] = ()
    if workspace is not None:
        folders += [workspace.path, workspace.index_path.parent]
        try:
            runs = tuple(map(run_line, workspace.reflections(LAST_RUNS)))
        except DaybankError:
            log.info("The runs cannot be read for the diagnostics")
    private = private_of(folders)
    lines = read_end(what.log_file)
    return made_text(what, private, settings=load(), runs=runs, log_lines=lines)
