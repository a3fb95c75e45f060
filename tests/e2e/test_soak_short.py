"""Several real processes on one folder for a while; the long one is ``tests/soak/soak.py``."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.alone

WORDS = (
    "--short --minutes 0.2 --edits 120 --searches 40 --commands 6 --questions 0 --logs 3".split()
)
SOAK = Path(__file__).parents[1] / "soak" / "soak.py"


@pytest.mark.skipif(sys.platform == "win32", reason="processes are suspended and killed")
def test_a_short_afternoon_of_four_processes_ends_as_if_there_had_been_one() -> None:
    done = subprocess.run(
        [sys.executable, str(SOAK), *WORDS],
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=170,
        check=False,
    )
    assert done.returncode == 0, f"{done.stdout}\n{done.stderr}"
    assert "All is well." in done.stdout
