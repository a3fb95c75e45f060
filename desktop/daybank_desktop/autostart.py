"""Start at login: the entry that each system keeps for it, written, read and mended.

The system's own entry is the truth, not a setting of ours: people turn such entries off in the
system's settings, and that counts. Nothing is remembered between two calls, so any thread may call,
one at a time. Paths, platform and the command are passed in.
"""

from __future__ import annotations

import contextlib
import importlib
import logging
import os
import plistlib
import shutil
import subprocess
import sys
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Protocol

from PySide6.QtCore import QCoreApplication

log = logging.getLogger(__name__)

HIDDEN: Final = "--hidden"
SCRIPT: Final = "daybank-desktop"
_NAME: Final = "Daybank"


class AutostartError(OSError):
    """The entry could not be written. The text is a sentence for a person that says why."""


@dataclass(frozen=True, slots=True)
class Entry:
    """What is to be started, and whether the system would start it."""

    command: tuple[str, ...]
    is_on: bool

    @property
    def is_hidden(self) -> bool:
        """Whether it starts without its window."""
        return HIDDEN in self.command

    @property
    def program(self) -> tuple[str, ...]:
        """The command without what is said to Daybank."""
        return tuple(part for part in self.command if part != HIDDEN)


class Autostart(ABC):
    """One platform's way. ``command`` starts the program that runs now."""

    def __init__(self, command: Sequence[str], why_not: str = "") -> None:
        self._command = tuple(command)
        self._why_not = why_not

    @property
    def supported(self) -> tuple[bool, str]:
        """Whether it can be set, and if not, why, as a sentence."""
        return not self._why_not, self._why_not

    def is_enabled(self) -> bool:
        """Whether Daybank is started at the next login. Never raises."""
        entry = self._read()
        return entry is not None and entry.is_on

    def is_hidden(self) -> bool:
        """Whether it starts without its window then. Never raises."""
        entry = self._read()
        return entry is not None and entry.is_hidden

    def enable(self, hidden: bool) -> None:
        """Start at login, with the window or without. Raises AutostartError."""
        self._change(lambda: self._write((*self._command, *((HIDDEN,) if hidden else ()))))

    def disable(self) -> None:
        """Start no more at login. Raises AutostartError."""
        self._change(self._remove)

    def refresh(self) -> bool:
        """Mend an entry that leads nowhere because the program was moved or renewed; True if it
        was. An entry of another Daybank that is still there stays: trying a copy changes nothing.
        """
        entry = self._read()
        if self._why_not or entry is None or not entry.is_on or not entry.program:
            return False
        program = entry.program
        is_other = program[0] != self._command[0] and shutil.which(program[0]) is not None
        if program == self._command or is_other:
            return False
        try:
            self.enable(entry.is_hidden)
        except AutostartError as error:
            log.warning("The entry for starting at login could not be mended: %s", error)
            return False
        return True

    def _change(self, change: Any) -> None:
        if self._why_not:
            raise AutostartError(self._why_not)
        try:
            change()
        except OSError as error:
            words = _tr("The system’s entry for it could not be written: {reason}.")
            raise AutostartError(words.format(reason=error.strerror or error)) from error

    @abstractmethod
    def _read(self) -> Entry | None: ...

    @abstractmethod
    def _write(self, command: tuple[str, ...]) -> None: ...

    @abstractmethod
    def _remove(self) -> None: ...


# -- Linux and what else keeps to freedesktop.org


class XdgAutostart(Autostart):
    """``autostart/daybank.desktop`` in the config folder, before those of the whole system."""

    def __init__(
        self,
        command: Sequence[str],
        config_home: Path,
        system: Sequence[Path] = (),
        why_not: str = "",
    ) -> None:
        super().__init__(command, why_not)
        self._file = config_home / "autostart" / "daybank.desktop"
        self._system = tuple(folder / "autostart" / "daybank.desktop" for folder in system)

    def _read(self) -> Entry | None:
        keys = next((k for file in (self._file, *self._system) if (k := _entry_in(file))), None)
        if keys is None:
            return None
        is_on = _is_true(keys.get("X-GNOME-Autostart-enabled", "true"))
        is_on = is_on and not _is_true(keys.get("Hidden", "false"))
        command = split_exec(keys.get("Exec", ""))
        return Entry(command, is_on and bool(command))

    def _write(self, command: tuple[str, ...]) -> None:
        # What somebody added, say a delay, stays.
        keys = dict(_entry_in(self._file) or {})
        keys |= {
            "Type": "Application",
            "Name": _NAME,
            "Exec": quote_exec(command),
            "TryExec": _escape(command[0]),
            "Icon": "daybank",
            "Terminal": "false",
            "StartupNotify": "false",
            "X-GNOME-Autostart-enabled": "true",
        }
        keys.pop("Hidden", None)
        self._save(keys)

    def _remove(self) -> None:
        if any(file.is_file() for file in self._system):
            # Only an entry of one's own stands above the system's.
            self._save({"Type": "Application", "Name": _NAME, "Hidden": "true"})
        else:
            self._file.unlink(missing_ok=True)

    def _save(self, keys: Mapping[str, str]) -> None:
        lines = ["[Desktop Entry]", *(f"{key}={value}" for key, value in keys.items()), ""]
        _put(self._file, "\n".join(lines).encode("utf-8", "surrogateescape"))


_RESERVED: Final = frozenset(" \t\n\"'\\><~|&;$*?#()`")
_ESCAPES: Final = {"s": " ", "n": "\n", "t": "\t", "r": "\r", "\\": "\\"}


def quote_exec(command: Sequence[str]) -> str:
    """The value of an Exec key: quoted as the Desktop Entry Specification has it, then escaped as
    every text in such a file."""
    return _escape(" ".join(_quote(part) for part in command))


def _quote(part: str) -> str:
    part = part.replace("%", "%%")
    if part and not _RESERVED & set(part) and not part.isspace():
        return part
    inside = "".join(f"\\{char}" if char in '"`$\\' else char for char in part)
    return f'"{inside}"'


def _escape(text: str) -> str:
    text = text.replace("\\", "\\\\")
    return text.replace("\n", "\\n").replace("\t", "\\t").replace("\r", "\\r")


def _unescape(value: str) -> str:
    out, marked = [], False
    for char in value:
        if marked:
            out.append(_ESCAPES.get(char, f"\\{char}"))
        elif char != "\\":
            out.append(char)
        marked = char == "\\" and not marked
    return "".join(out)


def split_exec(value: str) -> tuple[str, ...]:
    """The command in an Exec key, without the codes for files (``%u``)."""
    parts: list[str] = []
    part, is_quoted, marked, begun = "", False, False, False
    for char in _unescape(value):
        if marked:
            part, marked = part + char, False
        elif char == "\\" and is_quoted:
            marked = True
        elif char == '"':
            is_quoted, begun = not is_quoted, True
        elif char in " \n\t" and not is_quoted:
            if begun:
                parts.append(part)
            part, begun = "", False
        else:
            part, begun = part + char, True
    if begun:
        parts.append(part)
    return tuple(p.replace("%%", "%") for p in parts if len(p) != 2 or p[0] != "%" or p == "%%")


def _entry_in(file: Path) -> dict[str, str] | None:
    """The keys under [Desktop Entry]; None where there is no such file."""
    try:
        text = file.read_bytes().decode("utf-8", "surrogateescape")
    except OSError:
        return None
    keys: dict[str, str] = {}
    is_ours = False
    for line in text.split("\n"):
        line = line.strip()
        if line.startswith("["):
            is_ours = line == "[Desktop Entry]"
        elif is_ours and "=" in line and not line.startswith("#"):
            key, _, value = line.partition("=")
            keys.setdefault(key.strip(), value.strip())
    return keys or None


def _is_true(value: str) -> bool:
    return value.strip().lower() in ("true", "1")


# -- macOS


class LaunchAgent(Autostart):
    """A property list in ``~/Library/LaunchAgents``; launchd reads it at login."""

    LABEL: Final = "io.github.daybank.desktop"

    def __init__(self, command: Sequence[str], agents: Path, why_not: str = "") -> None:
        super().__init__(command, why_not)
        self._file = agents / f"{self.LABEL}.plist"

    def _read(self) -> Entry | None:
        try:
            agent = plistlib.loads(self._file.read_bytes())
        except FileNotFoundError:
            return None
        except Exception:  # a broken file makes its parsers raise all kinds
            log.warning("%s cannot be read", self._file, exc_info=True)
            return None
        if not isinstance(agent, dict):
            return None
        parts = agent.get("ProgramArguments")
        command = tuple(str(part) for part in parts) if isinstance(parts, list) else ()
        is_on = agent.get("RunAtLoad") is True and agent.get("Disabled") is not True
        return Entry(command, is_on and bool(command))

    def _write(self, command: tuple[str, ...]) -> None:
        agent = {
            "Label": self.LABEL,
            "ProgramArguments": list(command),
            "RunAtLoad": True,
            "ProcessType": "Interactive",
            "LimitLoadToSessionType": "Aqua",
        }
        _put(self._file, plistlib.dumps(agent))

    def _remove(self) -> None:
        self._file.unlink(missing_ok=True)


# -- Windows


class Registry(Protocol):
    """What is needed of HKEY_CURRENT_USER. Raises OSError, but not for what is not there."""

    def get(self, key: str, name: str) -> str | bytes | None: ...

    def put(self, key: str, name: str, value: str | bytes) -> None: ...

    def drop(self, key: str, name: str) -> None: ...


class RunKey(Autostart):
    """A value in the registry's Run key. The Task Manager turns it off in another one: there the
    first byte is odd."""

    RUN: Final = r"Software\Microsoft\Windows\CurrentVersion\Run"
    APPROVED: Final = r"Software\Microsoft\Windows\CurrentVersion\Explorer\StartupApproved\Run"

    def __init__(self, command: Sequence[str], registry: Registry, why_not: str = "") -> None:
        super().__init__(command, why_not)
        self._registry = registry

    def _read(self) -> Entry | None:
        try:
            line = self._registry.get(self.RUN, _NAME)
            approved = self._registry.get(self.APPROVED, _NAME)
        except OSError:
            log.warning("The registry cannot be read", exc_info=True)
            return None
        if not isinstance(line, str):
            return None
        is_off = isinstance(approved, bytes) and bool(approved[:1]) and approved[0] % 2 == 1
        command = split_windows(line)
        return Entry(command, not is_off and bool(command))

    def _write(self, command: tuple[str, ...]) -> None:
        self._registry.put(self.RUN, _NAME, subprocess.list2cmdline(command))
        self._registry.drop(self.APPROVED, _NAME)

    def _remove(self) -> None:
        self._registry.drop(self.RUN, _NAME)
        self._registry.drop(self.APPROVED, _NAME)


def split_windows(line: str) -> tuple[str, ...]:
    """What ``subprocess.list2cmdline`` made one line of."""
    parts: list[str] = []
    part, is_quoted, begun, slashes = "", False, False, 0
    for char in line:
        if char == "\\":
            slashes, begun = slashes + 1, True
            continue
        if char == '"':
            part += "\\" * (slashes // 2)
            if slashes % 2:
                part += '"'
            else:
                is_quoted = not is_quoted
            begun, slashes = True, 0
            continue
        part, slashes = part + "\\" * slashes, 0
        if char in " \t" and not is_quoted:
            if begun:
                parts.append(part)
            part, begun = "", False
        else:
            part, begun = part + char, True
    if begun:
        parts.append(part + "\\" * slashes)
    return tuple(parts)


class WindowsRegistry:
    """The real one."""

    def __init__(self) -> None:
        self._winreg: Any = importlib.import_module("winreg")

    def get(self, key: str, name: str) -> str | bytes | None:
        w = self._winreg
        try:
            with w.OpenKey(w.HKEY_CURRENT_USER, key) as opened:
                value = w.QueryValueEx(opened, name)[0]
        except FileNotFoundError:
            return None
        return value if isinstance(value, str | bytes) else None

    def put(self, key: str, name: str, value: str | bytes) -> None:
        w = self._winreg
        kind = w.REG_SZ if isinstance(value, str) else w.REG_BINARY
        with w.CreateKey(w.HKEY_CURRENT_USER, key) as opened:
            w.SetValueEx(opened, name, 0, kind, value)

    def drop(self, key: str, name: str) -> None:
        w = self._winreg
        with (
            contextlib.suppress(FileNotFoundError),
            w.OpenKey(w.HKEY_CURRENT_USER, key, 0, w.KEY_SET_VALUE) as opened,
        ):
            w.DeleteValue(opened, name)


# -- which, and what it starts


def program_command(
    *,
    frozen: bool = bool(getattr(sys, "frozen", False)),
    executable: str = sys.executable,
    started_as: str = sys.argv[0],
    environ: Mapping[str, str] = os.environ,
) -> tuple[str, ...]:
    """How the program that runs now is started again, with whole paths."""
    if image := environ.get("APPIMAGE"):  # what is inside has another path at every start
        return (image,)
    if frozen:
        return (executable,)
    suffix = ".exe" if executable.lower().endswith(".exe") else ""
    beside = Path(executable).with_name(SCRIPT + suffix)
    for script in (Path(os.path.abspath(started_as)), beside):
        if script.name == SCRIPT + suffix and os.access(script, os.X_OK):
            return (str(script),)
    windowless = Path(executable).with_name("pythonw.exe")
    python = str(windowless) if suffix and windowless.is_file() else executable
    return (python, "-P", "-m", "daybank_desktop")


def autostart(
    command: Sequence[str] | None = None,
    *,
    platform: str = sys.platform,
    environ: Mapping[str, str] = os.environ,
    home: Path | None = None,
    registry: Registry | None = None,
) -> Autostart:
    """The way of this platform. ``home`` and ``registry`` are the person's own if not given."""
    command = program_command(environ=environ) if command is None else tuple(command)
    home = home or Path.home()
    if platform == "win32":
        return RunKey(command, registry or WindowsRegistry())
    if platform == "darwin":
        why_not = ""
        if "/AppTranslocation/" in command[0] or command[0].startswith("/Volumes/"):
            why_not = _tr("Move Daybank into the Applications folder first.")
        return LaunchAgent(command, home / "Library" / "LaunchAgents", why_not)
    why_not = ""
    if environ.get("FLATPAK_ID") or environ.get("SNAP"):
        why_not = _tr("From inside its sandbox Daybank cannot set this. The system’s settings can.")
    system = environ.get("XDG_CONFIG_DIRS") or "/etc/xdg"
    return XdgAutostart(
        command,
        _whole(environ.get("XDG_CONFIG_HOME", "")) or home / ".config",
        tuple(folder for name in system.split(":") if (folder := _whole(name)) is not None),
        why_not,
    )


def _whole(name: str) -> Path | None:
    """The specification has relative paths ignored."""
    return Path(name) if os.path.isabs(name) else None


def _put(file: Path, content: bytes) -> None:
    """Written whole or not at all; a link is written through."""
    place = Path(os.path.realpath(file))
    place.parent.mkdir(parents=True, exist_ok=True)
    fresh = place.with_name(f".{place.name}.new")
    try:
        fresh.write_bytes(content)
        os.replace(fresh, place)
    except OSError:
        with contextlib.suppress(OSError):
            fresh.unlink()
        raise


def _tr(text: str) -> str:
    return QCoreApplication.translate("Autostart", text)
