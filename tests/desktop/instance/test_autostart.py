"""Starting at login on each system: what is written, read, honoured and mended."""

from __future__ import annotations

import os
import plistlib
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from daybank_desktop.autostart import (
    AutostartError,
    LaunchAgent,
    Registry,
    RunKey,
    XdgAutostart,
    autostart,
    program_command,
    quote_exec,
    split_exec,
    split_windows,
)

PROGRAM = ("/opt/Day bank/daybank-desktop",)


def program(folder: Path, name: str = "daybank-desktop") -> tuple[str, ...]:
    """A program that is there."""
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / name
    file.write_text("#!/bin/sh\n")
    file.chmod(0o755)
    return (str(file),)


# Linux


def entry(home: Path) -> Path:
    return home / "autostart" / "daybank.desktop"


def test_an_entry_is_written_as_the_specification_has_it(tmp_path: Path) -> None:
    start = XdgAutostart(PROGRAM, tmp_path)
    assert not start.is_enabled()
    start.enable(hidden=True)
    assert start.is_enabled()
    assert start.is_hidden()
    assert entry(tmp_path).read_text() == (
        "[Desktop Entry]\n"
        "Type=Application\n"
        "Name=Daybank\n"
        'Exec="/opt/Day bank/daybank-desktop" --hidden\n'
        "TryExec=/opt/Day bank/daybank-desktop\n"
        "Icon=daybank\n"
        "Terminal=false\n"
        "StartupNotify=false\n"
        "X-GNOME-Autostart-enabled=true\n"
    )
    start.enable(hidden=False)
    assert start.is_enabled()
    assert not start.is_hidden()
    start.disable()
    assert not start.is_enabled()
    assert not entry(tmp_path).exists()
    start.disable()


@pytest.mark.skipif(
    shutil.which("desktop-file-validate") is None, reason="desktop-file-utils is not here"
)
def test_the_entry_is_valid_for_the_desktop_s_own_checker(tmp_path: Path) -> None:
    XdgAutostart(('/opt/a "b" $c `d` \\e %f',), tmp_path).enable(hidden=True)
    done = subprocess.run(
        ["desktop-file-validate", entry(tmp_path)], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize(
    ("line", "is_on"),
    [
        ("Hidden=true", False),
        ("Hidden=false", True),
        ("X-GNOME-Autostart-enabled=false", False),
        ("X-GNOME-Autostart-enabled = true", True),
        ("# Hidden=true", True),
        ("[Other]\nHidden=true", True),
    ],
)
def test_what_the_system_s_settings_say_counts(tmp_path: Path, line: str, is_on: bool) -> None:
    file = entry(tmp_path)
    file.parent.mkdir()
    file.write_text(f"[Desktop Entry]\nType=Application\nExec=daybank-desktop\n{line}\n")
    start = XdgAutostart(PROGRAM, tmp_path)
    assert start.is_enabled() == is_on
    start.enable(hidden=False)
    assert start.is_enabled()


@pytest.mark.parametrize("content", [b"", b"\0\0", b"Exec=x\n", b"[Desktop Entry]\nExec=\n"])
def test_a_file_that_says_nothing_starts_nothing(tmp_path: Path, content: bytes) -> None:
    entry(tmp_path).parent.mkdir()
    entry(tmp_path).write_bytes(content)
    assert not XdgAutostart(PROGRAM, tmp_path).is_enabled()


def test_what_somebody_added_stays(tmp_path: Path) -> None:
    start = XdgAutostart(PROGRAM, tmp_path)
    start.enable(hidden=False)
    with entry(tmp_path).open("a") as file:
        file.write("X-GNOME-Autostart-Delay=20\nName[de]=Tagebank\n")
    start.enable(hidden=True)
    written = entry(tmp_path).read_text()
    assert "X-GNOME-Autostart-Delay=20\nName[de]=Tagebank\n" in written
    assert written.count("Exec=") == 2  # Exec and TryExec


def test_an_entry_of_the_whole_system_is_overruled_and_not_touched(tmp_path: Path) -> None:
    system = tmp_path / "xdg"
    XdgAutostart(PROGRAM, system).enable(hidden=True)
    start = XdgAutostart(PROGRAM, tmp_path / "config", [system])
    assert start.is_enabled()
    start.disable()
    assert not start.is_enabled()
    assert entry(system).exists()
    start.enable(hidden=True)
    assert start.is_enabled()


_PARTS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=30)


@given(st.lists(_PARTS, min_size=1, max_size=4))
def test_any_command_comes_back_as_it_was_written(parts: list[str]) -> None:
    line = quote_exec(parts)
    assert "\n" not in line
    assert split_exec(line) == tuple(parts)


def test_quoting_by_the_examples_of_the_specification() -> None:
    assert quote_exec(["/a b/c"]) == '"/a b/c"'
    assert quote_exec(["/cost$5"]) == r'"/cost\\$5"'
    assert quote_exec(["/back\\slash"]) == r'"/back\\\\slash"'
    assert quote_exec(["/100%"]) == "/100%%"
    assert split_exec("daybank-desktop --hidden %u") == ("daybank-desktop", "--hidden")


def test_a_moved_program_is_found_again(tmp_path: Path) -> None:
    old = program(tmp_path / "old")
    XdgAutostart(old, tmp_path).enable(hidden=True)
    new = XdgAutostart(program(tmp_path / "new"), tmp_path)
    assert not new.refresh()  # the other one is still there: this may be a copy that is tried
    Path(old[0]).unlink()
    assert new.refresh()
    assert new.is_hidden()
    assert str(tmp_path / "new") in entry(tmp_path).read_text()
    assert not new.refresh()


def test_a_program_that_is_started_another_way_now_is_mended(tmp_path: Path) -> None:
    python = program(tmp_path, "python")
    XdgAutostart((*python, "-m", "older"), tmp_path).enable(hidden=False)
    assert XdgAutostart((*python, "-m", "daybank_desktop"), tmp_path).refresh()
    assert "daybank_desktop" in entry(tmp_path).read_text()


def test_mending_does_not_turn_on_what_is_off(tmp_path: Path) -> None:
    start = XdgAutostart(PROGRAM, tmp_path)
    assert not start.refresh()
    entry(tmp_path).parent.mkdir()
    entry(tmp_path).write_text("[Desktop Entry]\nExec=/gone/daybank\nHidden=true\n")
    assert not start.refresh()
    assert "Hidden=true" in entry(tmp_path).read_text()


def test_a_folder_that_cannot_be_written_is_told_in_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "autostart").write_text("not a folder")
    with pytest.raises(AutostartError, match=r"could not be written: [\w ]+\.$"):
        XdgAutostart(PROGRAM, tmp_path).enable(hidden=True)
    assert not XdgAutostart(PROGRAM, tmp_path).is_enabled()


def test_a_full_disk_leaves_the_entry_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    start = XdgAutostart(PROGRAM, tmp_path)
    start.enable(hidden=True)
    before = entry(tmp_path).read_bytes()

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", full)
    with pytest.raises(AutostartError, match="No space left on device"):
        start.enable(hidden=False)
    assert entry(tmp_path).read_bytes() == before
    assert len(list(entry(tmp_path).parent.iterdir())) == 1


# macOS


def test_a_launch_agent(tmp_path: Path) -> None:
    start = LaunchAgent(PROGRAM, tmp_path / "LaunchAgents")
    assert not start.is_enabled()
    start.enable(hidden=True)
    (file,) = (tmp_path / "LaunchAgents").iterdir()
    assert file.stem == LaunchAgent.LABEL
    agent = plistlib.loads(file.read_bytes())
    assert agent["Label"] == LaunchAgent.LABEL
    assert agent["ProgramArguments"] == [*PROGRAM, "--hidden"]
    assert agent["RunAtLoad"] is True
    assert start.is_enabled()
    assert start.is_hidden()
    file.write_bytes(plistlib.dumps({**agent, "Disabled": True}))
    assert not start.is_enabled()
    start.enable(hidden=False)
    assert start.is_enabled()
    assert not start.is_hidden()
    start.disable()
    start.disable()
    assert not start.is_enabled()


@pytest.mark.parametrize("content", [b"", b"<plist", b"\0" * 50, b"bplist00\xff", b"[]"])
def test_a_broken_launch_agent_starts_nothing(tmp_path: Path, content: bytes) -> None:
    (tmp_path / f"{LaunchAgent.LABEL}.plist").write_bytes(content)
    start = LaunchAgent(PROGRAM, tmp_path)
    assert not start.is_enabled()
    start.enable(hidden=True)
    assert start.is_enabled()


def test_from_where_macos_would_not_find_it_again_it_is_not_offered(tmp_path: Path) -> None:
    moved = ("/private/var/folders/x/AppTranslocation/y/Daybank.app/Contents/MacOS/daybank",)
    start = autostart(moved, platform="darwin", home=tmp_path)
    assert start.supported == (False, "Move Daybank into the Applications folder first.")
    with pytest.raises(AutostartError):
        start.enable(hidden=True)
    assert list(tmp_path.iterdir()) == []


# Windows


class FakeRegistry:
    """HKEY_CURRENT_USER in memory."""

    def __init__(self) -> None:
        self.values: dict[tuple[str, str], str | bytes] = {}
        self.error: OSError | None = None

    def _check(self) -> None:
        if self.error is not None:
            raise self.error

    def get(self, key: str, name: str) -> str | bytes | None:
        self._check()
        return self.values.get((key, name))

    def put(self, key: str, name: str, value: str | bytes) -> None:
        self._check()
        self.values[key, name] = value

    def drop(self, key: str, name: str) -> None:
        self._check()
        self.values.pop((key, name), None)


def test_the_run_key_and_what_the_task_manager_says_of_it() -> None:
    registry = FakeRegistry()
    start = RunKey((r"C:\Program Files\Daybank\daybank.exe",), registry)
    assert not start.is_enabled()
    start.enable(hidden=True)
    assert registry.values == {
        (RunKey.RUN, "Daybank"): r'"C:\Program Files\Daybank\daybank.exe" --hidden'
    }
    assert start.is_enabled()
    assert start.is_hidden()
    registry.values[RunKey.APPROVED, "Daybank"] = b"\x03" + b"\0" * 11
    assert not start.is_enabled()
    registry.values[RunKey.APPROVED, "Daybank"] = b"\x02" + b"\0" * 11
    assert start.is_enabled()
    registry.values[RunKey.APPROVED, "Daybank"] = b"\x07"
    start.enable(hidden=False)
    assert start.is_enabled()
    start.disable()
    assert registry.values == {}


def test_a_registry_that_refuses_is_told_in_a_sentence() -> None:
    registry = FakeRegistry()
    registry.error = PermissionError(13, "Access is denied")
    start = RunKey((r"C:\daybank.exe",), registry)
    assert not start.is_enabled()
    with pytest.raises(AutostartError, match="Access is denied"):
        start.enable(hidden=True)


@given(
    st.lists(
        st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=30),
        min_size=1,
        max_size=4,
    )
)
def test_any_windows_command_comes_back(parts: list[str]) -> None:
    assert split_windows(subprocess.list2cmdline(parts)) == tuple(parts)


# Which command, which way


def test_the_command_is_that_of_the_program_that_runs(tmp_path: Path) -> None:
    (script,) = program(tmp_path / "bin")
    python = str(tmp_path / "bin" / "python")
    module = (sys.executable, "-P", "-m", "daybank_desktop")

    def command(**how: object) -> tuple[str, ...]:
        known = {"frozen": False, "executable": python, "started_as": "x", "environ": {}}
        return program_command(**{**known, **how})  # type: ignore[arg-type]

    assert command(frozen=True, executable="/opt/daybank/daybank") == ("/opt/daybank/daybank",)
    image = {"APPIMAGE": "/home/mara/Daybank.AppImage"}
    assert command(frozen=True, environ=image) == ("/home/mara/Daybank.AppImage",)
    assert command(started_as=script) == (script,)
    assert command(started_as="/src/daybank_desktop/__main__.py") == (script,)  # beside python
    other = str(tmp_path / "other" / "python")
    assert command(executable=other) == (other, *module[1:])


def test_each_system_has_its_way(tmp_path: Path) -> None:
    registry: Registry = FakeRegistry()
    assert isinstance(autostart(PROGRAM, platform="win32", registry=registry), RunKey)
    mac = autostart(PROGRAM, platform="darwin", home=tmp_path)
    mac.enable(hidden=True)
    assert (tmp_path / "Library" / "LaunchAgents").is_dir()
    linux = autostart(PROGRAM, platform="linux", environ={}, home=tmp_path)
    assert linux.supported == (True, "")
    linux.enable(hidden=True)
    assert entry(tmp_path / ".config").is_file()
    environ = {"XDG_CONFIG_HOME": str(tmp_path / "own")}
    autostart(PROGRAM, platform="linux", environ=environ, home=tmp_path).enable(hidden=True)
    assert entry(tmp_path / "own").is_file()


def test_inside_a_sandbox_it_is_said_where_it_can_be_set(tmp_path: Path) -> None:
    environ = {"FLATPAK_ID": "io.github.daybank"}
    start = autostart(PROGRAM, platform="linux", environ=environ, home=tmp_path)
    can, why = start.supported
    assert not can
    assert "settings" in why
    assert not start.refresh()
