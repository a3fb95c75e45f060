"""A real window on a virtual screen, and a person's mouse and keys there."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

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
        return self._run("-m", "daybank_desktop", *arguments)

    def start_watched(self, moment: str, *arguments: str) -> Watched:
        """Start the app on a day that is set, and see what its window shows."""
        seen = self.home / "seen.json"
        script = Path(__file__).with_name("watched_app.py")
        return Watched(self, self._run(str(script), str(seen), moment, *arguments), seen)

    def _run(self, *arguments: str) -> subprocess.Popen[bytes]:
        with open(self.home / "app.log", "ab") as log:
            process = subprocess.Popen(
                [sys.executable, *arguments],
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

    def window(self, title: str, seconds: float = 60.0) -> str:
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

    def click(self, place: Sequence[int]) -> None:
        """With the left button of the mouse, somewhere on the screen."""
        x, y = (str(number) for number in place)
        self.xdotool("mousemove", "--sync", x, y, "click", "1")

    def log(self) -> str:
        place = self.home / "app.log"
        return place.read_text(errors="replace") if place.exists() else ""


@dataclass(frozen=True)
class Watched:
    """A running app, and what ``watched_app.py`` notes of its window."""

    screen: Screen
    process: subprocess.Popen[bytes]
    file: Path

    def see(self) -> dict[str, Any]:
        """What the window shows, as of a moment ago."""
        seen: dict[str, Any] = json.loads(self.file.read_text("utf-8"))
        return seen

    def wait(self, what: str, look: Callable[[dict[str, Any]], object]) -> dict[str, Any]:
        """What the window shows, as soon as ``look`` finds something in it."""
        seen = self._wait(look, 60)
        assert seen is not None, f"waited 60 s for {what}; {self.see()}; {self.screen.log()}"
        return seen

    def press(
        self, key: str, what: str, look: Callable[[dict[str, Any]], object]
    ) -> dict[str, Any]:
        """Press a key and wait for what comes of it. The virtual screen now and then loses a key
        on its way to the window: then it is pressed again, as a person would."""
        for _ in range(4):
            self.screen.key(key)
            seen = self._wait(look, 4)
            if seen is not None:
                return seen
        raise AssertionError(f"pressed {key} for {what}; {self.see()}; {self.screen.log()}")

    def search(self, text: str) -> None:
        """Write ``text`` into the search field, in place of what is there."""
        for _ in range(4):
            self.screen.key("ctrl+f", "ctrl+a")
            self.screen.type(text)
            if self._wait(lambda seen: seen["field"] == text, 2) is not None:
                return
        raise AssertionError(f"wrote “{text}”; {self.see()}")

    def _wait(
        self, look: Callable[[dict[str, Any]], object], seconds: float
    ) -> dict[str, Any] | None:
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            if self.file.exists() and look(seen := self.see()):
                return seen
            assert self.process.poll() is None, self.screen.log()
            time.sleep(0.03)
        return None


def wait_for(look: Callable[[], str], what: str, seconds: float = 60.0) -> str:
    """What ``look`` returns, as soon as it is not empty."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        found = look()
        if found:
            return found
        time.sleep(0.1)
    raise AssertionError(f"waited {seconds:.0f} s for {what}")


def quit_with_keys(screen: Screen, process: subprocess.Popen[bytes]) -> int:
    """Ctrl+Q, again where the virtual screen lost it; the exit code."""
    for _ in range(6):
        screen.key("ctrl+q")
        try:
            return process.wait(8)
        except subprocess.TimeoutExpired:
            continue
    raise AssertionError(f"it does not end: {screen.log()}")
