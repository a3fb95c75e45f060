"""Xvfb, a window manager and the app. Skipped only where these programs are not installed;
``start.py test`` installs them where it may, and CI fails without them.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from screen_tools import NEEDED, Screen


@pytest.fixture
def screen(tmp_path: Path) -> Iterator[Screen]:
    missing = [name for name in NEEDED if shutil.which(name) is None]
    if missing:
        assert "CI" not in os.environ, f"CI must have {', '.join(missing)}"
        pytest.skip(f"not installed: {', '.join(missing)}")
    read, write = os.pipe()
    server = subprocess.Popen(
        ["Xvfb", "-displayfd", str(write), "-screen", "0", "1366x768x24", "-nolisten", "tcp"],
        pass_fds=[write],
        stderr=subprocess.DEVNULL,
    )
    os.close(write)
    number = b""
    while not number.endswith(b"\n"):
        piece = os.read(read, 16)
        assert piece, "the virtual screen did not start"
        number += piece
    os.close(read)
    made = Screen(f":{number.decode().strip()}", tmp_path)
    manager = subprocess.Popen(
        ["openbox"], env=made.environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    try:
        yield made
    finally:
        for process in (*made.processes, manager, server):
            if process.poll() is None:
                process.send_signal(signal.SIGTERM)
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(5)
            if process.poll() is None:
                process.kill()
                process.wait(5)
