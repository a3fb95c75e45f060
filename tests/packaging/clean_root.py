"""A Debian with nothing in it but what a package asks for, and a person at a screen before it.

The root is made by mmdebstrap and entered with chroot; every command has its own mounts, so nothing
stays mounted. The screen, its window manager and the person's hands are outside.
"""

from __future__ import annotations

import os
import shlex
import subprocess
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

PERSON = "person"
HOME = f"/home/{PERSON}"
TOOLS = ("mmdebstrap", "Xvfb", "openbox", "xdotool", "import", "unshare")

_ENTER = """
mount -t proc proc "$0/proc"
mkdir -p "$0/dev/shm" "$0/tmp/.X11-unix"
mount -t tmpfs tmpfs "$0/dev/shm"
mount --bind /tmp/.X11-unix "$0/tmp/.X11-unix"
exec chroot "$@"
"""


@dataclass
class CleanRoot:
    """The folder, and the X display that a window in it may use."""

    path: Path
    display: str
    processes: list[subprocess.Popen[bytes]] = field(default_factory=list)

    def command(self, words: Sequence[str], *, administrator: bool = False) -> list[str]:
        """What to start outside so that ``words`` run inside."""
        who = [] if administrator else ["--userspec=1000:1000"]
        variables = {
            "PATH": f"{HOME}/.local/bin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
            "HOME": "/root" if administrator else HOME,
            "LANG": "C.UTF-8",
            "DEBIAN_FRONTEND": "noninteractive",
            "DISPLAY": self.display,
            "XDG_RUNTIME_DIR": f"{HOME}/.run",
        }
        given = [f"{name}={value}" for name, value in variables.items()]
        inside = ["env", "-i", "-C", "/" if administrator else HOME, *given, *words]
        # $0 is the root for the mounts; what follows it goes to chroot.
        return [
            "unshare",
            "--mount",
            "sh",
            "-ec",
            _ENTER,
            str(self.path),
            *who,
            str(self.path),
            *inside,
        ]

    def run(self, *words: str, administrator: bool = False) -> str:
        """Run it to its end; its output. Raises when it fails."""
        done = subprocess.run(
            self.command(words, administrator=administrator),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        assert done.returncode == 0, (
            f"{shlex.join(words)}: {done.returncode}\n{done.stdout[-4000:]}"
        )
        return done.stdout

    def start(self, *words: str) -> subprocess.Popen[bytes]:
        """Start it as the person; its output goes to ``app.log`` in the home folder."""
        with open(self.inside(f"{HOME}/app.log"), "ab") as log:
            process = subprocess.Popen(self.command(words), stdout=log, stderr=log)
        self.processes.append(process)
        return process

    def inside(self, path: str) -> Path:
        """A path of the root, seen from outside."""
        return self.path / path.lstrip("/")

    def has(self, program: str) -> bool:
        """Whether the root has a program of that name."""
        return any(
            os.path.lexists(self.inside(f"{folder}/{program}"))
            for folder in ("/usr/bin", "/usr/local/bin", "/usr/sbin", "/bin")
        )

    # The person's hands and eyes

    def xdotool(self, *words: str) -> str:
        environ = {**os.environ, "DISPLAY": self.display}
        done = subprocess.run(
            ["xdotool", *words],
            env=environ,
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
        return done.stdout.strip()

    def window(self, title: str) -> str:
        """The window whose title holds ``title``, in front."""
        found = wait(
            lambda: self.xdotool("search", "--onlyvisible", "--name", title).split("\n")[0],
            f"a window “{title}”: {self.log()}",
        )
        self.xdotool("windowactivate", "--sync", found)
        return found

    def key(self, *keys: str) -> None:
        self.xdotool("key", "--delay", "60", *keys)

    def type(self, text: str) -> None:
        self.xdotool("type", "--delay", "30", text)

    def picture(self, place: Path) -> bytes:
        """What the screen shows, as a PNG file, and its bytes."""
        environ = {**os.environ, "DISPLAY": self.display}
        subprocess.run(["import", "-window", "root", str(place)], env=environ, check=True)
        return place.read_bytes()

    def log(self) -> str:
        place = self.inside(f"{HOME}/app.log")
        return place.read_text(errors="replace")[-3000:] if place.exists() else ""


def wait(look: Callable[[], str], what: str, seconds: float = 90) -> str:
    """What ``look`` returns, as soon as it is not empty."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        found = look()
        if found:
            return found
        time.sleep(0.25)
    raise AssertionError(f"waited {seconds:.0f} s for {what}")
