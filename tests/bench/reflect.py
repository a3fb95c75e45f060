"""How long a reflection takes, and how much memory, on a large workspace; asserts nothing.

A made-up folder of daily logs gets, in its last thirty days, notes that speak for and against
opinions which its page holds already; then: a run over these thirty days, one over everything, one
with nothing new, and one with a single new note. Each runs in a process of its own, so that the
memory is its own.

    PYTHONPATH=core python tests/bench/reflect.py --passages 100000
"""

from __future__ import annotations

import argparse
import json
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

from generate import Writer, generate

from daybank import FixedClock, open_workspace
from daybank.reflect.record import ReflectionReport

TODAY = date(2026, 11, 28)
CLOCK = FixedClock(datetime(2026, 11, 28, 3, tzinfo=UTC))
_NAMES = [f"{a}{b}" for a in "Ma Jo Li Ta Ro Ne".split() for b in "ra na lo mi dar ven".split()]
_THINGS = "tea coffee walks trains concerts swimming meetings novels bread cinema".split()
_TAKES = (
    "W @{name}: Ordered {thing} again and likes {thing}.",
    "W @{name}: Likes {thing} very much.",
    "W @{name}: No longer likes {thing}.",
    "B @{name}: Talked about {thing} with everybody in the office.",
    "O(c=0.8) @{name}: Likes {thing}.",
)


def prepare(root: Path, passages: int, opinions: int) -> None:
    """A folder with a journal, a page of opinions, and a month of notes that speak of them."""
    files = max(60, passages // 27)
    generate(root, files=files, passages=passages)
    writer = Writer(11)
    pairs = [(name, thing) for name in _NAMES for thing in _THINGS][:opinions]
    page = [f"- O(c=0.70) @{name}: Likes {thing}" for name, thing in pairs]
    (root / "bank").mkdir()
    (root / "bank/opinions.md").write_text(
        "# Opinions\n\n" + "\n".join(page) + "\n", encoding="utf-8", newline="\n"
    )
    for back in range(1, 31):
        path = root / f"memory/{(TODAY - timedelta(days=back)).isoformat()}.md"
        with path.open("a", encoding="utf-8", newline="\n") as file:
            for _ in range(6):
                name, thing = writer.rng.choice(pairs)
                file.write(f"- {writer.rng.choice(_TAKES).format(name=name, thing=thing)}\n")


def measured(root: Path, action: str) -> dict[str, float]:
    """One run in this process."""
    with open_workspace(root, clock=CLOCK) as workspace:
        if action == "sync":
            began = time.perf_counter()
            workspace.sync()
            return {"seconds": time.perf_counter() - began, "megabytes": _megabytes()}
        workspace.sync()
        began = time.perf_counter()
        report: ReflectionReport = workspace.reflect("30d" if action == "month" else None)
        seconds = time.perf_counter() - began
        phases = {f"  {t.phase}": round(t.seconds, 3) for t in report.phases if t.seconds > 0.05}
        return {
            "seconds": seconds,
            "megabytes": _megabytes(),
            "new": report.new,
            "suggested": len(report.proposed),
            "skipped": report.skipped_in_all,
            **phases,
        }


def _megabytes() -> float:
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / (1024 * 1024 if sys.platform == "darwin" else 1024)


def in_a_process(root: Path, action: str) -> None:
    done = subprocess.run(
        [sys.executable, __file__, "--measure", action, str(root)],
        capture_output=True,
        check=True,
        text=True,
    )
    found = json.loads(done.stdout)
    print(f"{action:8} " + ", ".join(f"{key} {value:.2f}" for key, value in found.items()))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--passages", type=int, default=100_000)
    parser.add_argument("--opinions", type=int, default=360)
    parser.add_argument("--first", action="store_true", help="forget the month before the rest")
    parser.add_argument("--measure", nargs=2, metavar=("ACTION", "FOLDER"))
    arguments = parser.parse_args()
    if arguments.measure:
        action, root = arguments.measure
        print(json.dumps(measured(Path(root), action)))
        return
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder) / "notes"
        root.mkdir()
        prepare(root, arguments.passages, arguments.opinions)
        in_a_process(root, "sync")
        in_a_process(root, "month")
        if arguments.first:
            shutil.rmtree(root / ".memory/proposals")
            shutil.rmtree(root / ".memory/reflection")
        in_a_process(root, "all")
        in_a_process(root, "again")
        with (root / f"memory/{TODAY - timedelta(days=1)}.md").open("a") as file:
            file.write("- W @Mara: Likes tea, and said so twice.\n")
        in_a_process(root, "one note")


if __name__ == "__main__":
    main()
