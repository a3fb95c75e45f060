"""An afternoon in ten minutes: several processes at work on one folder, and what is left of it.

    python tests/soak/soak.py                       2,000 edits, 200 reflections, 500 searches
    python tests/soak/soak.py --short               the same in less than a minute
    python tests/soak/soak.py --minutes 30 --edits 6000 --keep /tmp/soak

An editor, somebody who reflects and answers, a searcher, a command line (some of whose commands are
killed) and the desktop app without a screen work on one copy of the sample. Now and then one of
them is suspended for seconds, as by a laptop that sleeps. At the end:

- nobody met an error, and nothing was warned of; an answer such as “another reflection is running”
  is counted, and listed with ``--verbose``
- every note that was added is there exactly once, and every line of the logs stood where it stood
- a suggestion was written once, whoever approved it
- nothing but Daybank's own files is in ``.memory``, and no temporary file anywhere
- the index says what one that is made anew says, and gives the same answers as JSON, also by
  meaning, after the old one was deleted
- no process has grown by 20 MB. The resident memory (``VmRSS``) of every process is read twice a
  second; compared is the median of the last tenth with that of the tenth after the warm-up, which
  is the first third: models and word lists are loaded by then. The notes grow meanwhile, so some
  growth is theirs. Under three minutes it is shown and not judged.

Prints a table. The exit code is 0 where all of that is so, and 1 where it is not.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import re
import shutil
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
CHECKOUT = HERE.parents[1]
for _place in ("core", "desktop", "tests/core/index", "tests/soak"):
    sys.path.insert(0, str(CHECKOUT / _place))

from index_tools import dump  # noqa: E402
from soak_workers import (  # noqa: E402
    FIRST_SHARED,
    PEOPLE,
    QUESTIONS,
    SHARED_LOGS,
    Plan,
    prepare,
)

from daybank import Workspace, open_workspace  # noqa: E402
from daybank.review.proposal import State  # noqa: E402

SAMPLE = CHECKOUT / "resources" / "sample_workspace"
MOST_GROWTH_MB = 20.0
JUDGED_FROM_SECONDS = 180.0
LOOK_SECONDS = 0.5
LONGEST_END_SECONDS = 180.0
LEAVING_SECONDS = 2.0

_OURS = re.compile(
    r"\.gitignore|index\.sqlite|index\.lock|write\.lock"
    r"|proposals/(p-[0-9a-f]{12}\.json|answers\.jsonl|write\.lock)"
    r"|proposals/undo/p-[0-9a-f]{12}\.(before|after)"
    r"|reflection/(seen\.txt|state\.json|run\.lock|runs/[0-9T.:-]+\.json)"
    r"|vectors/(embed\.lock|serving\.json)"
    r"|vectors/[^/]+/(vectors-\d+\.(rows|codes)|graph[^/]*|hnsw[^/]*)"
)
_SCREENLESS = "This plugin does not support"  # said by Qt without a screen, of raising a window
_TEMPORARY = re.compile(r"\.daybank-writing-|\.writing-|\.tmp$|\.new$|~$")


@dataclass
class Worker:
    """A process at work, and what is known of it afterwards."""

    name: str
    plan: Plan
    process: subprocess.Popen[bytes]
    errors: Path
    memory: list[tuple[float, float]] = field(default_factory=list)  # seconds, MB
    diary: list[dict[str, Any]] = field(default_factory=list)

    def of(self, kind: str) -> list[dict[str, Any]]:
        return [line for line in self.diary if line["kind"] == kind]

    @property
    def ended(self) -> dict[str, Any]:
        return next(iter(self.of("end")), {"times": {}, "slowest": {}, "seconds": 0.0})

    def grown(self) -> tuple[float, float] | None:
        """Megabytes after the warm-up and at the end."""
        if len(self.memory) < 20:
            return None
        last = self.memory[-1][0]
        early = [mb for at, mb in self.memory if last / 3 <= at <= last * (1 / 3 + 0.1)]
        late = [mb for at, mb in self.memory if at >= last * 0.9]
        if not early or not late:
            return None
        return statistics.median(early), statistics.median(late)


@dataclass
class Soak:
    """One run. ``troubles`` is what it fails for, in sentences."""

    root: Path
    home: Path
    options: argparse.Namespace
    troubles: list[str] = field(default_factory=list)
    workers: list[Worker] = field(default_factory=list)
    suspended: int = 0

    @property
    def seconds(self) -> float:
        return float(self.options.minutes * 60)

    # -- the run

    def start(self) -> None:
        rounds = {
            "editor": self.options.edits,
            "reflector": self.options.reflections,
            "searcher": self.options.searches,
            "commands": self.options.commands,
            "app": self.options.questions,
        }
        begin = time.time() + 1.0
        for number, (name, count) in enumerate(rounds.items()):
            if not count:
                continue
            plan = Plan(
                name,
                str(self.root),
                str(self.home / f"{name}.diary"),
                str(self.home / "stop"),
                begin,
                self.seconds,
                count,
                self.options.seed + number,
                self.options.kill,
            )
            place = self.home / f"{name}.json"
            plan.write(place)
            script = "soak_app.py" if name == "app" else "soak_workers.py"
            errors = self.home / f"{name}.err"
            with errors.open("wb") as out:
                process = subprocess.Popen(
                    [sys.executable, str(HERE / script), str(place)],
                    env=self.environment(),
                    stdout=out,
                    stderr=out,
                )
            self.workers.append(Worker(name, plan, process, errors))

    def environment(self) -> dict[str, str]:
        kept = {
            name: value
            for name, value in os.environ.items()
            if not name.startswith(("DAYBANK", "OPENCLAW", "XDG_", "QT_"))
        }
        path = [str(CHECKOUT / "core"), str(CHECKOUT / "desktop"), str(HERE)]
        return {
            **kept,
            "HOME": str(self.home),
            "PYTHONPATH": os.pathsep.join(path),
            "PYTHONUTF8": "1",
            "QT_QPA_PLATFORM": "offscreen",
        }

    def watch(self) -> None:
        """Until all have ended: read their memory, look at the logs, suspend one now and then."""
        dice = random.Random(self.options.seed)
        started = time.monotonic()
        deadline = started + self.seconds + LONGEST_END_SECONDS
        logs = Logs(self.root)
        pauses = self.options.pauses
        due = [self.seconds * (n + 0.7) / pauses for n in range(pauses)]
        while any(worker.process.poll() is None for worker in self.workers):
            now = time.monotonic()
            for worker in self.workers:
                megabytes = resident(worker.process.pid)
                if megabytes is not None:
                    worker.memory.append((now - started, megabytes))
            self.troubles += logs.look()
            if due and now - started > due[0]:
                due.pop(0)
                self._suspend_one(dice)
            if now > deadline:
                self._give_up()
                return
            time.sleep(LOOK_SECONDS)
        for worker in self.workers:
            if worker.process.returncode != 0:
                self.troubles.append(f"{worker.name} ended with {worker.process.returncode}.")

    def _suspend_one(self, dice: random.Random) -> None:
        """As a laptop that sleeps, or a program that is stopped with a lock in its hands."""
        alive = [w for w in self.workers if w.process.poll() is None and w.name != "commands"]
        if not alive:
            return
        chosen = dice.choice(alive).process
        chosen.send_signal(signal.SIGSTOP)
        time.sleep(dice.uniform(1.0, 3.0))
        chosen.send_signal(signal.SIGCONT)
        self.suspended += 1

    def _give_up(self) -> None:
        for worker in self.workers:
            if worker.process.poll() is None:
                self.troubles.append(f"{worker.name} did not end.")
                worker.process.kill()
                worker.process.wait()

    def stop(self) -> None:
        """End what still runs, after an interruption."""
        (self.home / "stop").touch()
        for worker in self.workers:
            if worker.process.poll() is None:
                worker.process.kill()
                worker.process.wait()

    # -- afterwards

    def read_diaries(self) -> None:
        for worker in self.workers:
            place = Path(worker.plan.diary)
            lines = place.read_text("utf-8").split("\n") if place.exists() else []
            worker.diary = [json.loads(line) for line in lines if line]
            for line in worker.of("failed"):
                self.troubles.append(
                    f"{worker.name}, {line['what']}: {line['error']}\n{line['where']}".strip()
                )
            for line in worker.of("warned"):
                self.troubles.append(f"{worker.name} warned: {line['said']}")
            said = worker.errors.read_text("utf-8", "replace").split("\n")
            said = [line for line in said if line and not line.startswith(_SCREENLESS)]
            if said:
                self.troubles.append(f"{worker.name} printed: {'; '.join(said)[-2000:]}")
            if not worker.of("end"):
                self.troubles.append(f"{worker.name} did not come to its end.")
            took = worker.ended["slowest"].get("end", 0.0)
            if took > LEAVING_SECONDS + 0.5:
                self.troubles.append(f"{worker.name} needed {took:.1f} s to end.")
            grown = worker.grown()
            judged = self.seconds >= JUDGED_FROM_SECONDS
            if judged and grown is not None and grown[1] - grown[0] >= MOST_GROWTH_MB:
                self.troubles.append(f"{worker.name} has grown by {grown[1] - grown[0]:.1f} MB.")

    def check(self, workspace: Workspace, before: dict[str, list[str]]) -> None:
        """Everything that can be seen once all is quiet."""
        workspace.sync()
        workspace.proposals()  # what a killed approval left is settled at the first look
        self._check_notes()
        self._check_logs(before)
        self._check_suggestions(workspace)
        self._check_rebuild(workspace)
        workspace.close()
        self._check_left()

    def _check_notes(self) -> None:
        text = "\n".join(p.read_text("utf-8") for p in sorted(self.root.rglob("memory/*.md")))
        lines = Counter(line.removeprefix("- ").strip() for line in text.split("\n"))
        added = [line["text"] for worker in self.workers for line in worker.of("added")]
        begun = [line["text"] for worker in self.workers for line in worker.of("adding")]
        self.added = len(added)
        for note in added:
            if lines[note] != 1:
                self.troubles.append(f"The note “{note}” is there {lines[note]} times.")
        for note in set(begun) - set(added):
            if lines[note] > 1:  # killed: there or not, and never twice
                self.troubles.append(f"The note “{note}” is there {lines[note]} times.")
        if len(set(added)) != len(added):
            self.troubles.append("A note was added twice.")

    def _check_logs(self, before: dict[str, list[str]]) -> None:
        for path, old in before.items():
            now = (self.root / path).read_text("utf-8").split("\n")
            if not is_kept(old, now):
                self.troubles.append(f"{path} lost a line that was there at the beginning.")

    def _check_suggestions(self, workspace: Workspace) -> None:
        fresh: Counter[str] = Counter()
        again: Counter[str] = Counter()
        for worker in self.workers:
            fresh.update(line["id"] for line in worker.of("applied") if not line["already"])
            again.update(line["id"] for line in worker.of("reopened"))
        self.applied = sum(fresh.values())
        for pid, times in fresh.items():
            if times > 1 + again[pid]:
                self.troubles.append(f"{pid} was written {times} times.")
        store = workspace._reflection.proposals
        for item in store.unreadable():
            self.troubles.append(f"{item.name}: {item.message}")
        for proposal in store.waiting():
            if proposal.applied_sha256 is not None:
                self.troubles.append(f"{proposal.id} is neither waiting nor written.")
        self.states = Counter(str(State(p.state)) for p in store.all())

    def _check_rebuild(self, workspace: Workspace) -> None:
        """The index as it has become, and one made from the files alone, say the same."""
        if self.options.meaning:
            workspace.embed()
        grown_dump, grown = dump(workspace.index_path), answers(workspace)
        workspace.close()
        self.index_bytes = workspace.index_path.stat().st_size
        state = self.root / ".memory"
        for place in state.glob("index.sqlite*"):
            place.unlink()
        shutil.rmtree(state / "vectors", ignore_errors=True)
        workspace.sync()
        if self.options.meaning:
            workspace.embed()
        clean_dump, clean = dump(workspace.index_path), answers(workspace)
        workspace.close()
        self.clean_bytes = workspace.index_path.stat().st_size
        for table, rows in clean_dump.items():
            if grown_dump[table] != rows:
                odd = set(grown_dump[table]) ^ set(rows)
                self.troubles.append(f"The index differs from a new one in {table}: {odd!r:.500}")
        for question, answer in clean.items():
            if grown[question] != answer:
                self.troubles.append(f"“{question}” is answered otherwise after a rebuild.")
        if self.index_bytes > 3 * self.clean_bytes + 4_000_000:
            self.troubles.append(
                f"The index is {self.index_bytes} bytes large, a new one {self.clean_bytes}."
            )

    def _check_left(self) -> None:
        state = self.root / ".memory"
        for place in files(state):
            if not _OURS.fullmatch(place):
                self.troubles.append(f".memory/{place} was left.")
        for place in files(self.root):
            if _TEMPORARY.search(place):
                self.troubles.append(f"{place} was left.")
        known = {p.removesuffix(".json") for p in os.listdir(state / "proposals")}
        for place in files(state / "proposals" / "undo"):
            if place.rpartition(".")[0] not in known:
                self.troubles.append(f"The copy {place} belongs to no suggestion.")

    # -- the table

    def table(self) -> str:
        rows = [("process", "done", "told", "failed", "slowest", "warm MB", "end MB", "growth")]
        for worker in self.workers:
            ended, grown = worker.ended, worker.grown()
            slowest = max(ended["slowest"].items(), key=lambda item: item[1], default=("", 0.0))
            rows.append(
                (
                    worker.name,
                    str(sum(ended["times"].values())),
                    str(len(worker.of("told"))),
                    str(len(worker.of("failed")) + len(worker.of("warned"))),
                    f"{slowest[0]} {slowest[1]:.2f} s",
                    f"{grown[0]:.1f}" if grown else "–",
                    f"{grown[1]:.1f}" if grown else "–",
                    f"{grown[1] - grown[0]:+.1f}" if grown else "–",
                )
            )
        widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
        lines = [
            "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
            for row in rows
        ]
        return "\n".join(lines)

    def details(self) -> Iterator[str]:
        for worker in self.workers:
            times, slowest = worker.ended["times"], worker.ended["slowest"]
            parts = [f"{what} {n}× (≤ {slowest.get(what, 0.0):.2f} s)" for what, n in times.items()]
            yield f"{worker.name}: {', '.join(parts)}"
            told = Counter((line["what"], line["error"]) for line in worker.of("told"))
            for (what, error), count in told.items():
                yield f"  told {count}×: {what}, {error}"


class Logs:
    """The logs that are only added to, looked at again and again: each look finds all that the look
    before did, in its order. Somebody who reads while others write never sees half a file."""

    def __init__(self, root: Path) -> None:
        days = [FIRST_SHARED + timedelta(days=n) for n in range(SHARED_LOGS)]
        self._seen = {place: place.read_text("utf-8") for place in paths_of(root, days)}

    def look(self) -> list[str]:
        troubles = []
        for place, old in self._seen.items():
            try:
                now = place.read_text("utf-8")
            except (OSError, UnicodeDecodeError) as error:
                troubles.append(f"{place.name} could not be read: {error}")
                continue
            if now != old and not is_kept(old.split("\n"), now.split("\n")):
                troubles.append(f"{place.name} was rewritten.")
            self._seen[place] = now
        return troubles


def paths_of(root: Path, days: Sequence[Any]) -> list[Path]:
    return [root / "memory" / f"{day}.md" for day in days]


def is_kept(old: Sequence[str], now: Sequence[str]) -> bool:
    """Whether every line of ``old`` is in ``now``, in its order."""
    rest = iter(now)
    return all(line in rest for line in old if line.strip())


def answers(workspace: Workspace) -> dict[str, str]:
    """What is answered to a set of questions, as JSON."""
    found: dict[str, object] = {q: workspace.recall(q).to_json() for q in QUESTIONS}
    found |= {f"{q}, in words": workspace.recall(q, semantic=False).to_json() for q in QUESTIONS}
    for name in PEOPLE:
        entity = workspace.entity(name)
        found[f"entity {name}"] = repr(entity)
    found["opinions"] = repr(workspace.opinions())
    found["days"] = repr(workspace.days())
    found["entities"] = repr(workspace.entities())
    found["chat"] = repr(workspace.search_chat("order"))
    return {q: json.dumps(answer, ensure_ascii=False, indent=1) for q, answer in found.items()}


def files(folder: Path) -> list[str]:
    """Every file below ``folder``."""
    return sorted(p.relative_to(folder).as_posix() for p in folder.rglob("*") if p.is_file())


def resident(pid: int) -> float | None:
    """The resident memory of a process in MB; None when it has ended."""
    try:
        status = Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return None
    found = re.search(r"^VmRSS:\s+(\d+) kB", status, re.MULTILINE)
    return int(found[1]) / 1024 if found else None


def read_options(arguments: Sequence[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n", 1)[0])
    parser.add_argument("--short", action="store_true", help="everything, in less than a minute")
    parser.add_argument("--minutes", type=float)
    parser.add_argument("--edits", type=int)
    parser.add_argument("--reflections", type=int)
    parser.add_argument("--searches", type=int)
    parser.add_argument("--commands", type=int, help="runs of the command line; 0 for none")
    parser.add_argument("--questions", type=int, help="asked in the app; 0 for no app")
    parser.add_argument("--pauses", type=int, help="how often a process is suspended")
    parser.add_argument("--kill", type=float, default=0.3, help="share of commands that are killed")
    parser.add_argument("--no-meaning", dest="meaning", action="store_false")
    parser.add_argument("--logs", type=int, help="how many days of the sample; all by default")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", type=Path, help="a new folder in which everything is left")
    parser.add_argument("--verbose", action="store_true", help="what each process did and was told")
    options = parser.parse_args(arguments)
    usual = (
        {"minutes": 0.5, "edits": 150, "reflections": 15, "searches": 60, "commands": 8}
        | {"questions": 15, "pauses": 2, "logs": 12}
        if options.short
        else {"minutes": 10.0, "edits": 2000, "reflections": 200, "searches": 500}
        | {"commands": 120, "questions": 200, "pauses": 12, "logs": None}
    )
    for name, value in usual.items():
        if getattr(options, name) is None:
            setattr(options, name, value)
    return options


def run(options: argparse.Namespace, home: Path) -> int:
    root = home / "notes"
    prepare(SAMPLE, root, options.logs)
    before = {
        place.relative_to(root).as_posix(): place.read_text("utf-8").split("\n")
        for place in sorted((root / "memory").glob("2*.md"))
    }
    soak = Soak(root, home, options)
    os.environ.update(soak.environment())
    say = sys.stdout.write
    with open_workspace(root) as workspace:
        workspace.sync()
        if options.meaning:
            workspace.embed()
    started = time.monotonic()
    try:
        soak.start()
        soak.watch()
    finally:
        soak.stop()
    took = time.monotonic() - started
    soak.read_diaries()
    with open_workspace(root) as workspace:
        soak.check(workspace, before)
        notes = workspace.overview().notes
    say(f"{soak.table()}\n\n")
    if options.verbose or soak.troubles:
        say("\n".join(soak.details()) + "\n\n")
    states = ", ".join(f"{count} {state}" for state, count in sorted(soak.states.items()))
    say(
        f"{took / 60:.1f} minutes, {soak.suspended} times suspended; {soak.added} notes added,"
        f" {notes} in the end; suggestions: {states}; {soak.applied} times written.\n"
        f"The index is {soak.index_bytes / 1e6:.1f} MB, a new one {soak.clean_bytes / 1e6:.1f}.\n"
    )
    for trouble in soak.troubles:
        say(f"TROUBLE: {trouble}\n")
    say("Something is wrong.\n" if soak.troubles else "All is well.\n")
    return 1 if soak.troubles else 0


def main(arguments: Sequence[str]) -> int:
    options = read_options(arguments)
    if options.keep:
        options.keep.mkdir(parents=True)
        return run(options, options.keep)
    with tempfile.TemporaryDirectory(prefix="daybank-soak-") as home:
        return run(options, Path(home))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
