"""A real window on a virtual screen, and a person's mouse and keys there."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

NEEDED = ("Xvfb", "openbox", "xdotool")
ROOT = Path(__file__).resolve().parents[2]


@dataclass
class Screen:
    """A virtual screen with one running app on it."""

    display: str
    home: Path
    processes: list[subprocess.Popen[bytes]] = field(default_factory=list)

    @property
    def environment(self) -> dict[str, str]:
        env = {k: v for k, v in os.environ.items() if not k.startswith(("QT_", "XDG_", "DAYBANK"))}
        paths = [str(ROOT / "core"), str(ROOT / "desktop"), env.get("PYTHONPATH", "")]
        runtime = self.home / "run"
        runtime.mkdir(mode=0o700, exist_ok=True)
        return {
            **env,
            "DISPLAY": self.display,
            "HOME": str(self.home),
            "XDG_RUNTIME_DIR": str(runtime),
            "QT_QPA_PLATFORM": "xcb",
            "PYTHONPATH": os.pathsep.join(p for p in paths if p),
        }

    def start(self, *arguments: str) -> subprocess.Popen[bytes]:
        """Start the app; its output goes to ``app.log`` in the home folder."""
        with open(self.home / "app.log", "ab") as log:
            process = subprocess.Popen(
                [sys.executable, "-m", "daybank_desktop", *arguments],
                env=self.environment,
                cwd=self.home,
                stdout=log,
                stderr=log,
            )
        self.processes.append(process)
        return process

    def xdotool(self, *arguments: str) -> str:
        done = subprocess.run(
            ["xdotool", *arguments],
            env=self.environment,
            capture_output=True,
            text=True,
            timeout=30,
            check=False,
        )
        return done.stdout.strip()

    def window(self, title: str, seconds: float = 20.0) -> str:
        """The id of the visible window whose title holds ``title``, once it is there."""
        return wait_for(
            lambda: self.xdotool("search", "--onlyvisible", "--name", title).split("\n")[0],
            f"a window “{title}”",
            seconds,
        )

    def focus(self, window: str) -> None:
        self.xdotool("windowactivate", "--sync", window)

    def type(self, text: str) -> None:
        self.xdotool("type", "--delay", "15", text)

    def key(self, *keys: str) -> None:
        self.xdotool("key", "--delay", "40", *keys)

    def log(self) -> str:
        place = self.home / "app.log"
        return place.read_text(errors="replace") if place.exists() else ""


def wait_for(look: Callable[[], str], what: str, seconds: float = 20.0) -> str:
    """What ``look`` returns, as soon as it is not empty."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        found = look()
        if found:
            return found
        time.sleep(0.1)
    raise AssertionError(f"waited {seconds:.0f} s for {what}")
