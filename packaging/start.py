"""Start Daybank from a checkout: prepare ``.venv`` when needed, then run the app.

    python3 packaging/start.py [--demo] [arguments for the app]
    python3 packaging/start.py prepare                  everything short of opening the window
    python3 packaging/start.py test [pytest arguments]  all checks; with arguments, only pytest
    python3 packaging/start.py check [NAME ...]         only the checks that run no tests
    python3 packaging/start.py bench [arguments]        the measurements in tests/bench
    python3 packaging/start.py build [--only-prepare]   the bundle in dist/daybank; it checks itself
    python3 packaging/start.py lock [uv arguments]      write the lock files anew (needs uv)

Standard library only. It parses on Python 3.8, so that an old Python gets a sentence and not a
syntax error. A stamp in ``.venv`` tells what was installed, so a second start installs nothing;
a marker there tells of an installation that did not finish, and that is begun afresh.
"""

from __future__ import annotations

import contextlib
import errno
import hashlib
import importlib.util
import json
import os
import re
import shutil
import subprocess
import sys
import time
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

OLDEST_PYTHON = (3, 11)
NEWEST_PYTHON_TO_LOOK_FOR = (3, 14)

# What Qt asks of a Linux system, by the name the loader reports, and the Debian package it is in.
PACKAGE_OF_LIBRARY = {
    "libEGL.so.1": "libegl1",
    "libGL.so.1": "libgl1",
    "libOpenGL.so.0": "libopengl0",
    "libX11-xcb.so.1": "libx11-xcb1",
    "libX11.so.6": "libx11-6",
    "libdbus-1.so.3": "libdbus-1-3",
    "libfontconfig.so.1": "libfontconfig1",
    "libfreetype.so.6": "libfreetype6",
    "libglib-2.0.so.0": "libglib2.0-0",
    "libgthread-2.0.so.0": "libglib2.0-0",
    "libwayland-client.so.0": "libwayland-client0",
    "libwayland-cursor.so.0": "libwayland-cursor0",
    "libwayland-egl.so.1": "libwayland-egl1",
    "libxcb-cursor.so.0": "libxcb-cursor0",
    "libxcb-icccm.so.4": "libxcb-icccm4",
    "libxcb-image.so.0": "libxcb-image0",
    "libxcb-keysyms.so.1": "libxcb-keysyms1",
    "libxcb-randr.so.0": "libxcb-randr0",
    "libxcb-render-util.so.0": "libxcb-render-util0",
    "libxcb-render.so.0": "libxcb-render0",
    "libxcb-shape.so.0": "libxcb-shape0",
    "libxcb-shm.so.0": "libxcb-shm0",
    "libxcb-sync.so.1": "libxcb-sync1",
    "libxcb-util.so.1": "libxcb-util1",
    "libxcb-xfixes.so.0": "libxcb-xfixes0",
    "libxcb-xkb.so.1": "libxcb-xkb1",
    "libxcb.so.1": "libxcb1",
    "libxkbcommon-x11.so.0": "libxkbcommon-x11-0",
    "libxkbcommon.so.0": "libxkbcommon0",
}
FONTS_PACKAGE = "fonts-dejavu-core"

# What tests/e2e needs to drive a real window on a virtual screen.
PACKAGE_OF_TEST_TOOL = {
    "Xvfb": "xvfb",
    "dbus-daemon": "dbus-daemon",
    "dbus-launch": "dbus-x11",
    "dunst": "dunst",
    "openbox": "openbox",
    "trayer": "trayer",
    "xauth": "xauth",
    "xdotool": "xdotool",
}


class Stop(Exception):
    """Ends the script: a message for a person and the exit code."""

    def __init__(self, message: str, code: int = 2) -> None:
        super().__init__(message)
        self.code = code


@dataclass(frozen=True)
class Checkout:
    """The folder with the project, and where things are inside it."""

    root: Path
    windows: bool = os.name == "nt"

    @property
    def venv(self) -> Path:
        return self.root / ".venv"

    @property
    def scripts(self) -> Path:
        return self.venv / ("Scripts" if self.windows else "bin")

    @property
    def python(self) -> Path:
        return self.scripts / ("python.exe" if self.windows else "python")

    @property
    def lint_imports(self) -> Path:
        return self.scripts / ("lint-imports.exe" if self.windows else "lint-imports")

    @property
    def stamp(self) -> Path:
        return self.venv / "daybank-stamp.json"

    @property
    def unfinished(self) -> Path:
        return self.venv / "daybank-unfinished"

    def lock(self, dev: bool) -> Path:
        """The development lock holds everything that the other one does, at the same versions."""
        name = "requirements-dev.lock" if dev else "requirements.lock"
        return self.root / "packaging" / name

    @property
    def build_lock(self) -> Path:
        """What the other lock holds, at the same versions, and what makes the bundle."""
        return self.root / "packaging" / "requirements-build.lock"

    @property
    def bundled_command(self) -> Path:
        """The command in the bundle that `build` makes."""
        return self.root / "dist/daybank" / ("daybank.exe" if self.windows else "daybank")


# ---- talking


def say(message: str) -> None:
    print(message, flush=True)


def headline(message: str) -> None:
    say(f"\n\033[1m{message}\033[0m" if _colour() else f"\n== {message}")


def _colour() -> bool:
    return (
        sys.stdout.isatty()
        and not os.environ.get("NO_COLOR")
        and os.environ.get("TERM") != "dumb"
        and (os.name != "nt" or "WT_SESSION" in os.environ)
    )


class ProgressLine:
    """One line that is rewritten on a terminal; nothing where there is no terminal."""

    def __init__(self, total: int) -> None:
        self._total = total
        self._seen = 0
        self._shown = sys.stdout.isatty()

    def follow(self, pip_line: str) -> None:
        words = pip_line.split()
        if pip_line.startswith(("Collecting ", "Processing ")):
            self._seen += 1
            name = words[1].rsplit("/", 1)[-1]
            self._write(f"{min(self._seen, self._total)} of {self._total}: {name}")
        elif words[:1] == ["Downloading"]:
            size = pip_line[pip_line.find("(") :].strip() if "(" in pip_line else ""
            name = words[1].rsplit("/", 1)[-1].split("-", 1)[0]
            self._write(f"{self._seen} of {self._total}: downloading {name} {size}")
        elif pip_line.startswith("Installing collected"):
            self._write("unpacking")

    def end(self) -> None:
        if self._shown:
            sys.stdout.write("\r" + " " * (self._width() - 1) + "\r")
            sys.stdout.flush()

    def _write(self, text: str) -> None:
        if self._shown:
            room = self._width() - 1
            sys.stdout.write("\r" + f"  {text}"[:room].ljust(room))
            sys.stdout.flush()

    @staticmethod
    def _width() -> int:
        return shutil.get_terminal_size().columns


# ---- which Python


def version_problem(version: Sequence[int], platform: str) -> str | None:
    """The sentence for a Python that is too old, or None."""
    if tuple(version[:2]) >= OLDEST_PYTHON:
        return None
    oldest = ".".join(map(str, OLDEST_PYTHON))
    this = ".".join(map(str, version[:3]))
    if platform == "win32":
        how = "install Python 3.12 with `winget install Python.Python.3.12` or from www.python.org"
    elif platform == "darwin":
        how = "install Python 3.12 with `brew install python@3.12` or from www.python.org"
    else:
        how = "install a newer one with your package manager (on Debian 12: `apt install python3`)"
    return f"Daybank needs Python {oldest} or newer and this is {this}: {how}, then run this again."


def newer_python(run_by_name: Iterable[str]) -> str | None:
    """Another Python on the path that is new enough, tried since version managers leave shims."""
    question = f"import sys; sys.exit(sys.version_info < {OLDEST_PYTHON})"
    for name in run_by_name:
        found = shutil.which(name)
        if found and subprocess.run([found, "-c", question], capture_output=True).returncode == 0:
            return found
    return None


def require_new_enough_python(argv: Sequence[str]) -> None:
    problem = version_problem(sys.version_info[:3], sys.platform)
    if problem is None:
        return
    minors = range(NEWEST_PYTHON_TO_LOOK_FOR[1], OLDEST_PYTHON[1] - 1, -1)
    other = newer_python(f"python3.{minor}" for minor in minors)
    if other is None:
        raise Stop(problem)
    replace_process([other, str(Path(__file__).resolve()), *argv])


# ---- the stamp


def digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def wanted_stamp(checkout: Checkout, dev: bool) -> dict[str, str]:
    """What must be true of ``.venv`` for it to be used as it is."""
    wanted = {
        "folder": str(checkout.root),
        "project": digest(checkout.root / "pyproject.toml"),
        "requirements": digest(checkout.lock(dev=False)),
    }
    if dev:
        wanted["requirements-dev"] = digest(checkout.lock(dev=True))
    return wanted


def read_stamp(checkout: Checkout) -> dict[str, str]:
    """The stamp, empty when there is none or it cannot be understood."""
    try:
        stamp = json.loads(checkout.stamp.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return stamp if isinstance(stamp, dict) else {}


def is_current(stamp: Mapping[str, str], wanted: Mapping[str, str]) -> bool:
    """A stamp may hold more than is wanted: a development environment also runs the app."""
    return all(stamp.get(key) == value for key, value in wanted.items())


def same_libraries(stamp: Mapping[str, str], wanted: Mapping[str, str]) -> bool:
    return all(
        stamp.get(key) == value for key, value in wanted.items() if key.startswith("requirements")
    )


def write_stamp(checkout: Checkout, stamp: Mapping[str, str]) -> None:
    draft = checkout.stamp.with_suffix(".tmp")
    draft.write_text(json.dumps(stamp, indent=1), encoding="utf-8")
    draft.replace(checkout.stamp)


# ---- the environment


def prepare(checkout: Checkout, dev: bool = False) -> None:
    """Make ``.venv`` hold what the lock and pyproject.toml ask for. Does nothing if it does."""
    wanted = wanted_stamp(checkout, dev)
    if _ready(checkout, wanted):
        return
    with one_at_a_time(Path(__file__)):
        if _ready(checkout, wanted):
            return
        began = time.monotonic()
        try:
            _make_ready(checkout, wanted, dev)
        except OSError as error:
            raise Stop(
                f"Could not prepare {checkout.venv}: {error}. "
                "Nothing else was changed; see that the folder can be written and run this again."
            ) from error
        say(f"Ready after {time.monotonic() - began:.0f} s.")


def _ready(checkout: Checkout, wanted: Mapping[str, str]) -> bool:
    return (
        checkout.python.exists()
        and not checkout.unfinished.exists()
        and is_current(read_stamp(checkout), wanted)
    )


def _make_ready(checkout: Checkout, wanted: Mapping[str, str], dev: bool) -> None:
    stamp = read_stamp(checkout)
    reason = reason_to_begin_afresh(checkout, stamp)
    if reason:
        say(reason)
        shutil.rmtree(checkout.venv)
        stamp = {}
    if not checkout.venv.exists():
        _create_venv(checkout)
    else:
        _check_venv(checkout)
    checkout.unfinished.touch()
    if not same_libraries(stamp, wanted):
        stamp = {}
        lock = checkout.lock(dev)
        count = count_pins(lock.read_text(encoding="utf-8"))
        say(f"Installing {count} libraries into .venv; the first time this downloads about 100 MB.")
        _pip(checkout, libraries_command(checkout, dev), count, "the libraries")
    _pip(checkout, project_command(checkout), 1, "Daybank itself")
    write_stamp(checkout, {**stamp, **wanted})
    checkout.unfinished.unlink()


def prepare_build(checkout: Checkout) -> None:
    """Make ``.venv`` hold what makes the bundle as well. Does nothing if it does."""
    prepare(checkout)
    lock, key = checkout.build_lock, "requirements-build"
    with one_at_a_time(Path(__file__)):
        if read_stamp(checkout).get(key) == digest(lock):
            return
        command = [*_pip_install(checkout), "--require-hashes", "-r", str(lock)]
        count = count_pins(lock.read_text(encoding="utf-8"))
        _pip(checkout, command, count, "what makes the bundle")
        write_stamp(checkout, {**read_stamp(checkout), key: digest(lock)})


def reason_to_begin_afresh(checkout: Checkout, stamp: Mapping[str, str]) -> str | None:
    """Why an existing ``.venv`` cannot be built upon, as a sentence, or None."""
    if not checkout.venv.exists():
        return None
    if checkout.unfinished.exists():
        return "The last preparation was interrupted, so .venv is made afresh."
    if not checkout.python.exists():
        return "The Python that .venv was made with is gone, so .venv is made afresh."
    if stamp and stamp.get("folder") != str(checkout.root):
        return "The project's folder has moved, so .venv is made afresh."
    return None


def _create_venv(checkout: Checkout) -> None:
    _require_venv_module()
    # Started by the Python of the very .venv that was just removed, the one below it is needed.
    python = getattr(sys, "_base_executable", sys.executable)
    checkout.venv.mkdir()
    checkout.unfinished.touch()
    made = subprocess.run(
        [python, "-m", "venv", str(checkout.venv)],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    if made.returncode != 0:
        raise Stop(f"{made.stdout.strip()}\nPython could not make the environment .venv.", 1)


def _check_venv(checkout: Checkout) -> None:
    """Someone else may have made ``.venv``; with a new enough Python and pip it will do."""
    question = f"import sys; sys.exit(sys.version_info < {OLDEST_PYTHON})"
    answer = subprocess.run([str(checkout.python), "-c", question], capture_output=True)
    if answer.returncode == 0:
        pip = [str(checkout.python), "-m", "pip", "--version"]
        if subprocess.run(pip, capture_output=True).returncode == 0:
            return
        ensure = [str(checkout.python), "-m", "ensurepip"]
        if subprocess.run(ensure, capture_output=True).returncode == 0:
            return
    raise Stop(
        "The folder .venv was made by something else and its Python is too old or has no pip. "
        "Remove or rename it and run this again."
    )


def _require_venv_module() -> None:
    if all(importlib.util.find_spec(name) for name in ("venv", "ensurepip")):
        return
    package = f"python{sys.version_info[0]}.{sys.version_info[1]}-venv"
    if on_debian():
        install_packages([package], "Python's module for environments is missing.")
    else:
        raise Stop("This Python has no `venv` and `ensurepip`: install them and run this again.")


def libraries_command(checkout: Checkout, dev: bool) -> list[str]:
    return [*_pip_install(checkout), "--require-hashes", "-r", str(checkout.lock(dev))]


def project_command(checkout: Checkout) -> list[str]:
    """Editable, built by the setuptools of the lock: nothing is fetched that has no hash."""
    return [
        *_pip_install(checkout),
        *("--no-build-isolation", "--no-deps", "--editable", str(checkout.root)),
    ]


def _pip_install(checkout: Checkout) -> list[str]:
    return [str(checkout.python), "-m", "pip", "install", "--no-input"]


def pip_environment(environ: Mapping[str, str]) -> dict[str, str]:
    """A person's mirrors and proxies count; settings that would install elsewhere do not."""
    elsewhere = {"PIP_TARGET", "PIP_PREFIX", "PIP_ROOT"}
    kept = {key: value for key, value in environ.items() if key not in elsewhere}
    return {**kept, "PIP_USER": "0", "PIP_DISABLE_PIP_VERSION_CHECK": "1", "PYTHONUTF8": "1"}


def count_pins(lock_text: str) -> int:
    return len(re.findall(r"^[A-Za-z0-9][^\s=]*==", lock_text, flags=re.MULTILINE))


def _pip(checkout: Checkout, command: Sequence[str], count: int, what: str) -> None:
    last_lines: deque[str] = deque(maxlen=20)
    progress = ProgressLine(count)
    process = subprocess.Popen(
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        errors="replace",
        cwd=str(checkout.root),
        env=pip_environment(os.environ),
        close_fds=False,
    )
    assert process.stdout is not None
    try:
        for line in process.stdout:
            last_lines.append(line)
            progress.follow(line)
        code = process.wait()
    finally:
        progress.end()
        if process.poll() is None:
            process.kill()
            process.wait()
    if code != 0:
        raise Stop(
            "".join(last_lines) + f"\nCould not install {what}; pip's last lines are above. "
            "Check the network connection and the free disk space, then run this again: "
            "it goes on with what has been downloaded.",
            1,
        )


@contextlib.contextmanager
def one_at_a_time(path: Path) -> Iterator[None]:
    """Two starts at once must not fill one ``.venv``; the second waits for the first.

    The lock is on this script itself, so nothing is left behind, and a killed process lets go.
    pip inherits it: where only this script is killed, the next one waits for pip to end.
    """
    with path.open("rb") as handle:
        os.set_inheritable(handle.fileno(), True)
        waiting = False
        while not _try_to_lock(handle.fileno()):
            if not waiting:
                say("Another start is preparing this folder; waiting for it.")
                waiting = True
            time.sleep(0.5)
        yield


def _try_to_lock(descriptor: int) -> bool:
    """False while somebody else holds the lock; True too where the disk knows no locks."""
    try:
        if sys.platform == "win32":
            import msvcrt

            # Windows forbids reading what is locked, so the locked byte lies past the end.
            os.lseek(descriptor, 1 << 30, os.SEEK_SET)
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        return error.errno not in (errno.EAGAIN, errno.EACCES, errno.EDEADLK)
    return True


# ---- what Qt needs of a Linux system


def missing_libraries(ldd_output: str) -> set[str]:
    return set(re.findall(r"^\s*(\S+) => not found", ldd_output, flags=re.MULTILINE))


def packages_for(libraries: Iterable[str]) -> tuple[list[str], list[str]]:
    """Debian packages for these libraries, and the libraries no package is known for."""
    packages = {PACKAGE_OF_LIBRARY[name] for name in libraries if name in PACKAGE_OF_LIBRARY}
    unknown = {name for name in libraries if name not in PACKAGE_OF_LIBRARY}
    return sorted(packages), sorted(unknown)


def qt_platforms(environ: Mapping[str, str]) -> list[str]:
    """The names of Qt's screen plugins that may be used; it is enough that one of them works."""
    chosen = environ.get("QT_QPA_PLATFORM", "")
    names = [part.split(":")[0].strip() for part in chosen.split(";")]
    names = [name for name in names if name]
    if names:
        return names
    return ["wayland", "xcb"] if environ.get("WAYLAND_DISPLAY") else ["xcb"]


def qt_files(pyside: Path, platform_plugin: str) -> list[Path]:
    files = [pyside / "QtWidgets.abi3.so", pyside / "QtGui.abi3.so", pyside / "QtDBus.abi3.so"]
    files += sorted((pyside / "Qt" / "plugins" / "platforms").glob(f"libq{platform_plugin}*.so"))
    return [path for path in files if path.exists()]


def require_qt_libraries(checkout: Checkout, platforms: Sequence[str]) -> None:
    """Stop, or install them, when none of these screen plugins would load."""
    if not sys.platform.startswith("linux") or not shutil.which("ldd"):
        return
    missing = _missing_for_qt(checkout, platforms)
    no_fonts = on_debian() and not _has_fonts()
    if missing:
        packages, unknown = packages_for(missing)
        names = ", ".join(sorted(missing))
        if unknown or not on_debian():
            raise Stop(
                f"Qt needs these libraries, which this system lacks: {names}. "
                "Install them with your package manager and run this again."
            )
        wanted = [*packages, FONTS_PACKAGE] if no_fonts else packages
        install_packages(wanted, "Qt needs some system libraries.")
        still_missing = _missing_for_qt(checkout, platforms)
        if still_missing:
            raise Stop(f"Qt still lacks these libraries: {', '.join(sorted(still_missing))}.")
    elif no_fonts and administrator() is not None:
        install_packages([FONTS_PACKAGE], "There are no fonts to write with.")


def _missing_for_qt(checkout: Checkout, platforms: Sequence[str]) -> set[str]:
    found = sorted(checkout.venv.glob("lib*/python*/site-packages/PySide6"))
    if not found:
        return set()
    answers = []
    for platform in platforms:
        files = [str(path) for path in qt_files(found[0], platform)]
        ldd = subprocess.run(["ldd", *files], capture_output=True, text=True, check=False)
        answers.append(missing_libraries(ldd.stdout))
        if not answers[-1]:
            break
    return min(answers, key=len)


def _has_fonts() -> bool:
    places = [Path("/usr/share/fonts"), Path("/usr/local/share/fonts"), Path.home() / ".fonts"]
    return any(next(place.rglob("*.[to]tf"), None) for place in places)


def on_debian() -> bool:
    return Path("/etc/debian_version").exists() and shutil.which("apt-get") is not None


def administrator() -> list[str] | None:
    """What to put before a command to run it as root; None if that needs a password."""
    if sys.platform == "win32":
        return None
    if os.geteuid() == 0:
        return []
    if shutil.which("sudo"):
        sudo = ["sudo", "-n"]
        if subprocess.run([*sudo, "true"], capture_output=True).returncode == 0:
            return sudo
    return None


def apt_command(packages: Sequence[str]) -> list[str]:
    return ["apt-get", "install", "-y", "--no-install-recommends", *packages]


def install_packages(packages: Sequence[str], reason: str) -> None:
    prefix = administrator()
    command = apt_command(packages)
    if prefix is None:
        raise Stop(f"{reason} Run this, then start again:\n  sudo {' '.join(command)}")
    say(f"{reason} Installing {', '.join(packages)}.")
    environ = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    patience = ["-o", "DPkg::Lock::Timeout=300"]
    # A failed update is no reason to stop: what is needed may be in the lists already.
    _quietly([*prefix, "apt-get", "update", "-q", *patience], environ)
    done = _quietly([*prefix, *command, "-q", *patience], environ)
    if done.returncode != 0:
        raise Stop(
            f"{done.stdout[-3000:].rstrip()}\n"
            f"The system packages could not be installed. Run this, then start again:\n"
            f"  sudo apt-get update && sudo {' '.join(command)}"
        )


def _quietly(
    command: Sequence[str], environ: Mapping[str, str]
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        env=dict(environ),
        check=False,
    )


# ---- the app


def display_problem(
    platform: str, environ: Mapping[str, str], arguments: Sequence[str]
) -> str | None:
    """The sentence for a Linux without a screen, or None."""
    has_screen = any(
        environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM")
    )
    needs_none = any(word in ("-h", "--help", "--version") for word in arguments)
    if has_screen or needs_none or not platform.startswith("linux"):
        return None
    return (
        "There is no screen here (neither DISPLAY nor WAYLAND_DISPLAY is set): start Daybank in a "
        "desktop session, or on a virtual screen with `xvfb-run -a python3 packaging/start.py`."
    )


def app_command(checkout: Checkout, arguments: Sequence[str]) -> list[str]:
    """``-P`` keeps a file of the folder one happens to be in from posing as a library."""
    return [str(checkout.python), "-P", "-m", "daybank_desktop", *arguments]


def run_app(checkout: Checkout, arguments: Sequence[str]) -> int:
    problem = display_problem(sys.platform, os.environ, arguments)
    if problem:
        raise Stop(problem)
    prepare(checkout)
    require_qt_libraries(checkout, qt_platforms(os.environ))
    return replace_process(app_command(checkout, arguments))


def replace_process(command: Sequence[str]) -> int:
    """Become this command. Windows knows no such thing, so there it is waited for."""
    sys.stdout.flush()
    sys.stderr.flush()
    if os.name != "nt":
        os.execv(command[0], list(command))
    return subprocess.call(command)


# ---- tests, measurements, lock files


def check_commands(checkout: Checkout) -> dict[str, list[str]]:
    python = str(checkout.python)
    return {
        "lint": [python, "-m", "ruff", "check", "."],
        "format": [python, "-m", "ruff", "format", "--check", "."],
        "types": [python, "-m", "mypy"],
        "imports": [str(checkout.lint_imports)],
    }


def pytest_commands(checkout: Checkout, arguments: Sequence[str]) -> dict[str, list[str]]:
    """All tests: on every processor those that do not mind, then alone those with a real window
    or an eye on the clock. With ``arguments``, pytest as asked."""
    pytest = [str(checkout.python), "-m", "pytest"]
    if arguments:
        return {"tests": [*pytest, *arguments]}
    side_by_side = ["-n", "auto", "--dist", "loadfile", "-m", "not alone"]
    return {
        "tests": [*pytest, *side_by_side, "--cov", "--cov-report="],
        "tests, alone": [
            *(*pytest, "-m", "alone"),
            *("--cov", "--cov-append", "--cov-report=term:skip-covered"),
        ],
    }


def test_environment(environ: Mapping[str, str]) -> dict[str, str]:
    return {"QT_QPA_PLATFORM": "offscreen", **environ}


def run_tests(checkout: Checkout, arguments: Sequence[str]) -> int:
    prepare(checkout, dev=True)
    environ = test_environment(os.environ)
    _prepare_screen_tests(checkout, environ)
    commands = {} if arguments else check_commands(checkout)
    return _run_in_order(checkout, {**commands, **pytest_commands(checkout, arguments)}, environ)


def _prepare_screen_tests(checkout: Checkout, environ: Mapping[str, str]) -> None:
    """Only what the windowless tests need is insisted on."""
    require_qt_libraries(checkout, qt_platforms(environ))
    if not on_debian():
        return
    lacking = [name for tool, name in PACKAGE_OF_TEST_TOOL.items() if not shutil.which(tool)]
    lacking += packages_for(_missing_for_qt(checkout, ["xcb"]))[0]
    if not lacking:
        return
    reason = "The tests with a real window on a virtual screen need more."
    if administrator() is None:
        say(f"{reason} To have them run:\n  sudo {' '.join(apt_command(lacking))}")
    else:
        install_packages(lacking, reason)


def run_checks(checkout: Checkout, names: Sequence[str]) -> int:
    commands = check_commands(checkout)
    unknown = [name for name in names if name not in commands]
    if unknown:
        raise Stop(f"There is no check named {unknown[0]}; there are {', '.join(commands)}.")
    prepare(checkout, dev=True)
    chosen = {name: commands[name] for name in names or commands}
    return _run_in_order(checkout, chosen, os.environ)


def _run_in_order(
    checkout: Checkout, commands: Mapping[str, Sequence[str]], environ: Mapping[str, str]
) -> int:
    for name, command in commands.items():
        shown = " ".join([Path(command[0]).name, *command[1:]])
        headline(f"{name}: {shown}")
        code = subprocess.call(command, cwd=str(checkout.root), env=dict(environ))
        if code != 0:
            say(f"Stopped: {name} failed.")
            return code
    return 0


def run_bench(checkout: Checkout, arguments: Sequence[str]) -> int:
    script = checkout.root / "tests" / "bench" / "run.py"
    if not script.exists():
        raise Stop(
            f"There are no measurements yet: {script.relative_to(checkout.root)} is missing."
        )
    prepare(checkout)
    require_qt_libraries(checkout, ["offscreen"])
    return replace_process([str(checkout.python), str(script), *arguments])


def run_build(checkout: Checkout, arguments: Sequence[str]) -> int:
    """Make the bundle and have it check itself. docs/packaging.md tells the rest."""
    prepare_build(checkout)
    # A library that is not here would be missing in the bundle: both plugins must load.
    for platform in ("xcb", "wayland"):
        require_qt_libraries(checkout, [platform])
    if on_debian() and shutil.which("objdump") is None:
        if administrator() is None:
            raise Stop(f"The bundle needs binutils:\n  sudo {' '.join(apt_command(['binutils']))}")
        install_packages(["binutils"], "The bundle is looked through with binutils.")
    if "--only-prepare" in arguments:
        return 0
    make = [str(checkout.python), "-m", "PyInstaller", "--noconfirm", "--log-level", "WARN"]
    commands = {
        "bundle": [*make, *arguments, "build.spec"],
        "self-check": [str(checkout.bundled_command), "--self-check"],
    }
    return _run_in_order(checkout, commands, {"PYTHONHASHSEED": "1", **os.environ})


def lock_command(uv: str, output: str, arguments: Sequence[str]) -> list[str]:
    """Universal: one file for every system and every Python from the oldest on.

    What builds the project is read from standard input (``-``), so that it is locked as well.
    """
    return [
        *(uv, "pip", "compile", "--no-config", "--universal", "--generate-hashes"),
        *("--python-version", ".".join(map(str, OLDEST_PYTHON)), "--no-emit-index-url"),
        *("--custom-compile-command", "python3 packaging/start.py lock", "--quiet"),
        *("--output-file", output, *arguments, "pyproject.toml", "-"),
    ]


def unwanted_in_lock(lock_text: str) -> list[str]:
    """Lines that would tie the lock to one machine or one index."""
    pattern = re.compile(r"://|--(extra-)?index|--find-links|--trusted|^-[ef] | @ |[\s=\"'][./~]*/")
    return [line for line in lock_text.splitlines() if pattern.search(line)]


def write_locks(checkout: Checkout, arguments: Sequence[str]) -> int:
    import tomllib

    uv = shutil.which("uv")
    if uv is None:
        raise Stop("Writing the lock files needs uv: `pip install uv`, then run this again.")
    project = tomllib.loads((checkout.root / "pyproject.toml").read_text(encoding="utf-8"))
    build_tools = "\n".join(project["build-system"]["requires"])
    # A machine's own index must not decide what everyone else installs.
    environ = {
        key: value
        for key, value in os.environ.items()
        if not key.startswith("UV_") or key == "UV_CACHE_DIR"
    }
    locks = (checkout.lock(dev=False), checkout.lock(dev=True), checkout.build_lock)
    run, dev, build = (lock.relative_to(checkout.root).as_posix() for lock in locks)
    for command in (
        lock_command(uv, run, arguments),
        lock_command(uv, dev, [*arguments, "--group", "dev", "--constraints", run]),
        lock_command(uv, build, [*arguments, "--group", "build", "--constraints", run]),
    ):
        code = subprocess.run(
            command, cwd=str(checkout.root), env=environ, input=build_tools, text=True, check=False
        ).returncode
        if code != 0:
            return code
    for name in (run, dev, build):
        text = (checkout.root / name).read_text(encoding="utf-8")
        if unwanted := unwanted_in_lock(text):
            raise Stop(f"{name} names an index or a path: {unwanted[0].strip()}", 1)
        say(f"{name}: {count_pins(text)} libraries.")
    return 0


def main(argv: Sequence[str]) -> int:
    checkout = Checkout(Path(__file__).resolve().parents[1])
    word, rest = (argv[0], argv[1:]) if argv else ("", [])
    try:
        require_new_enough_python(argv)
        if word == "prepare":
            prepare(checkout)
            require_qt_libraries(checkout, qt_platforms(os.environ))
            return 0
        if word == "test":
            return run_tests(checkout, rest)
        if word == "check":
            return run_checks(checkout, rest)
        if word == "bench":
            return run_bench(checkout, rest)
        if word == "build":
            return run_build(checkout, rest)
        if word == "lock":
            return write_locks(checkout, rest)
        return run_app(checkout, argv)
    except Stop as stop:
        print(stop, file=sys.stderr, flush=True)
        return stop.code
    except KeyboardInterrupt:
        print("\nInterrupted.", file=sys.stderr, flush=True)
        return 130


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
