"""Measures what docs/packaging.md says of a bundle: sizes, start, first search by meaning.

    python packaging/measure.py [--bundle dist/daybank] [--rounds 5] [--cold]

The start is that of a person: from the command until the window has the folder open, on a virtual
screen, of the bundle and of this Python's own Daybank in turns. --cold empties the system's file
cache before each (needs root). Linux; needs Xvfb, openbox, xdotool.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
QUESTION = "who plays in a band?"
LARGE = 5_000_000


@contextmanager
def screen() -> Iterator[str]:
    """A virtual screen with a window manager; its name."""
    read, write = os.pipe()
    words = ["Xvfb", "-displayfd", str(write), "-screen", "0", "1366x768x24", "-nolisten", "tcp"]
    server = subprocess.Popen(words, pass_fds=[write], stderr=subprocess.DEVNULL)
    os.close(write)
    with os.fdopen(read) as told:
        name = f":{told.readline().strip()}"
    environ = {**os.environ, "DISPLAY": name}
    manager = subprocess.Popen(["openbox"], env=environ, stderr=subprocess.DEVNULL)
    try:
        yield name
    finally:
        manager.terminate()
        server.terminate()
        manager.wait(10)
        server.wait(10)


def sizes(bundle: Path) -> None:
    """All together, and each part over 5 MB."""
    files = [p for p in bundle.rglob("*") if p.is_file() and not p.is_symlink()]
    total = sum(p.stat().st_size for p in files)
    print(f"installed: {total / 1e6:.1f} MB in {len(files)} files")
    for size, path in sorted(((p.stat().st_size, p) for p in files), reverse=True):
        if size > LARGE:
            print(f"  {size / 1e6:5.1f}  {path.relative_to(bundle)}")
    for path in sorted(bundle.parent.glob("*")):
        if path.suffix in (".deb", ".xz"):
            print(f"packed: {path.stat().st_size / 1e6:.1f} MB  {path.name}")


def forget_files() -> None:
    """Empty the system's cache of files."""
    os.sync()
    Path("/proc/sys/vm/drop_caches").write_text("3\n")


def start_seconds(command: Sequence[str], environ: dict[str, str], title: str) -> float:
    """From starting to the open folder in the window; then it is ended."""
    began = time.perf_counter()
    process = subprocess.Popen(
        command, env=environ, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    words = ["xdotool", "search", "--sync", "--onlyvisible", "--name", title]
    subprocess.run(words, env=environ, stdout=subprocess.DEVNULL, check=True, timeout=120)
    taken = time.perf_counter() - began
    process.terminate()
    process.wait(30)
    return taken


def command_seconds(command: Sequence[str], environ: dict[str, str]) -> float:
    """From starting to its end; an answer without search by meaning does not count."""
    began = time.perf_counter()
    done = subprocess.run(command, env=environ, capture_output=True, check=True)
    taken = time.perf_counter() - began
    assert json.loads(done.stdout)["notices"] == [], "search by meaning was off"
    return taken


def show(name: str, taken: dict[str, list[float]]) -> None:
    bundle, source = (statistics.median(taken[kind]) for kind in ("bundle", "source"))
    spread = ", ".join(f"{kind} {min(t):.2f} to {max(t):.2f}" for kind, t in taken.items())
    print(f"{name}: bundle {bundle:.2f} s, source {source:.2f} s, {bundle / source:.2f} ({spread})")


def main() -> None:
    parser = argparse.ArgumentParser(description="Measure a bundle.")
    parser.add_argument("--bundle", type=Path, default=ROOT / "dist/daybank")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--cold", action="store_true")
    options = parser.parse_args()
    bundle: Path = options.bundle.resolve()
    sizes(bundle)
    windows = {
        "bundle": [str(bundle / "daybank-desktop")],
        "source": [sys.executable, "-P", "-m", "daybank_desktop"],
    }
    commands = {
        "bundle": [str(bundle / "daybank")],
        "source": [sys.executable, "-P", "-m", "daybank"],
    }
    with tempfile.TemporaryDirectory() as temporary, screen() as display:
        home = Path(temporary)
        notes = home / "Bakery notes"
        shutil.copytree(ROOT / "resources/sample_workspace", notes)
        (home / "run").mkdir(mode=0o700)
        kept = {k: v for k, v in os.environ.items() if not k.startswith(("XDG_", "QT_"))}
        environ = {
            **kept,
            "HOME": str(home),
            "DISPLAY": display,
            "XDG_RUNTIME_DIR": str(home / "run"),
            "PYTHONPATH": os.pathsep.join([str(ROOT / "core"), str(ROOT / "desktop")]),
        }
        given = ["--workspace", str(notes)]
        for kind in commands:
            subprocess.run([*commands[kind], "index", *given], env=environ, capture_output=True)
            subprocess.run([*commands[kind], "embed", *given], env=environ, capture_output=True)
        started: dict[str, list[float]] = {"bundle": [], "source": []}
        asked: dict[str, list[float]] = {"bundle": [], "source": []}
        for _ in range(options.rounds):
            for kind in commands:
                if options.cold:
                    forget_files()
                words = [*windows[kind], *given]
                started[kind].append(start_seconds(words, environ, notes.name))
                if options.cold:
                    forget_files()
                words = [*commands[kind], "recall", "--json", *given, QUESTION]
                asked[kind].append(command_seconds(words, environ))
        show("start to the open folder", started)
        show("`daybank recall`, from nothing to the answer by meaning", asked)


if __name__ == "__main__":
    main()
