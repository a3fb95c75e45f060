"""The processes of the soak test: an editor, a reflector, a searcher, a command line.

Each is a process of its own (``python soak_workers.py ROLE PLAN.json``) with its own open folder,
as on a person's computer. It works through a number of rounds, evenly over the time it was given,
and keeps a diary: what it did, what it was told in plain words, what it added, what went wrong.
Nothing is judged here but what only the process itself can see; ``soak.py`` reads the diaries.
"""

from __future__ import annotations

import json
import logging
import os
import random
import shutil
import subprocess
import sys
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, field
from datetime import date, timedelta
from pathlib import Path
from typing import Any

from daybank import Workspace, open_workspace
from daybank.errors import (
    DaybankError,
    IndexBusy,
    ProposalChanged,
    ProposalConflict,
    ProposalRefused,
    ReflectionBusy,
    SourceGone,
)
from daybank.review.hunks import accepted
from daybank.review.proposal import Proposal, State

FIRST_SHARED = date(2025, 3, 1)
SHARED_LOGS = 12
"""Logs that several processes add to; only ``Workspace.add`` and ``daybank add`` write there."""
LASTING = ("bakery has two kinds of salt", "memory/2025-02-01.md")
"""What nobody touches, and must be found whenever it is asked for."""
LASTING_TEXT = "# 2025-02-01\n\n## Retain\n\n- W @Mara: The bakery has two kinds of salt.\n"

PEOPLE = ("Mara", "Jun", "Tomás", "Tita Rosa", "Peter", "Ines", "Noor", "Лена")
THINGS = ("walnut bread", "the oven", "a blue van", "the market stall", "quince jelly", "rye")
DOINGS = ("likes", "sells", "asked about", "moved", "painted", "counted", "wrote about")
QUESTIONS = (
    "flour delivery",
    "who looks after the oven?",
    "what does Mara think of rye",
    "Tomás last week",
    "walnut",
    "something sweet for the winter",
    "sample note",
    "quince -jelly",
    "“two kinds of salt”",
    "what happened in June 2026?",
    "хлеб",
    "C++ AND (oven",
)


@dataclass(frozen=True)
class Plan:
    """What a process is to do: ``rounds`` over ``seconds``, from ``begin`` on the wall clock."""

    role: str
    root: str
    diary: str
    stop: str
    begin: float
    seconds: float
    rounds: int
    seed: int
    kill: float = 0.0

    @classmethod
    def read(cls, place: str) -> Plan:
        return cls(**json.loads(Path(place).read_text("utf-8")))

    def write(self, place: Path) -> None:
        place.write_text(json.dumps(asdict(self)), encoding="utf-8")


@dataclass
class Diary:
    """What a process did, as lines that are on the disk at once: it may be killed."""

    place: Path
    times: Counter[str] = field(default_factory=Counter)
    slowest: dict[str, float] = field(default_factory=dict)

    def note(self, kind: str, **more: Any) -> None:
        line = json.dumps({"kind": kind, **more}, ensure_ascii=False)
        with self.place.open("a", encoding="utf-8") as file:
            file.write(line + "\n")

    def attempt(
        self, what: str, call: Callable[[], Any], *told: type[DaybankError], **more: Any
    ) -> Any:
        """Do ``call``, with its time taken. Errors in ``told`` are answers that a person may be
        given here; every other one is a failure. None after either."""
        started = time.monotonic()
        try:
            return call()
        except told as error:
            self.note("told", what=what, error=type(error).__name__, said=str(error), **more)
        except Exception as error:  # noqa: BLE001 (each of them is the soak test's failure)
            where = traceback.format_exc(limit=-6)
            self.note("failed", what=what, error=repr(error), where=where, **more)
        finally:
            self.times[what] += 1
            took = time.monotonic() - started
            self.slowest[what] = max(self.slowest.get(what, 0.0), took)
        return None

    def close(self, began: float) -> None:
        slowest = {what: round(took, 3) for what, took in self.slowest.items()}
        busy = time.monotonic() - began
        self.note("end", times=self.times, slowest=slowest, seconds=round(busy, 1))


class DiaryLog(logging.Handler):
    """Warnings belong into the diary too: a rebuilt index must not pass unseen."""

    def __init__(self, diary: Diary) -> None:
        super().__init__(logging.WARNING)
        self._diary = diary

    def emit(self, record: logging.LogRecord) -> None:
        self._diary.note("warned", said=f"{record.name}: {record.getMessage()}")


def paced(plan: Plan) -> Iterator[int]:
    """The rounds, each no earlier than its share of the time; then until the time is over."""
    for number in range(plan.rounds):
        due = plan.begin + plan.seconds * number / plan.rounds
        while (wait := due - time.time()) > 0:
            if os.path.exists(plan.stop):
                return
            time.sleep(min(wait, 0.2))
        if os.path.exists(plan.stop):
            return
        yield number


def shared_day(number: int) -> date:
    return FIRST_SHARED + timedelta(days=number % SHARED_LOGS)


def sentence(dice: random.Random, number: int) -> str:
    return f"{dice.choice(DOINGS)} {dice.choice(THINGS)} ({number % 89})"


class Editor:
    """A person with an editor, and with Daybank's “write down”: notes come, change and go."""

    def __init__(self, plan: Plan, diary: Diary) -> None:
        self._root = Path(plan.root)
        self._diary = diary
        self._dice = random.Random(plan.seed)
        self._ways: tuple[tuple[int, Callable[[int], None]], ...] = (
            (30, self._add),
            (18, self._append),
            (14, self._new),
            (12, self._rewrite),
            (8, self._rename),
            (10, self._delete),
            (3, self._same_size),
            (3, self._by_hand),
            (2, self._log_of_its_own),
        )
        (self._root / "notes").mkdir(exist_ok=True)

    def round(self, number: int, workspace: Workspace) -> None:
        self._workspace = workspace
        (way,) = self._dice.choices([w for _, w in self._ways], [share for share, _ in self._ways])
        self._diary.attempt(way.__name__.strip("_"), lambda: way(number))
        if number % 4 == 3:
            self._diary.attempt("sync", workspace.sync)

    def _mine(self) -> list[Path]:
        return sorted((self._root / "notes").glob("soak-*.md"))

    def _add(self, number: int) -> None:
        dice = self._dice
        kind = dice.choice(("W", "B", "O(c=0.8)", "W", "B"))
        what = f"{sentence(dice, number)}, sample note e-{number:05}."
        day = None if dice.random() < 0.3 else shared_day(dice.randrange(SHARED_LOGS))
        added = self._workspace.add(f"{kind} @{_name(dice.choice(PEOPLE))}: {what}", day=day)
        self._diary.note("added", text=added.text)

    def _append(self, number: int) -> None:
        some = self._mine()
        if not some:
            return self._new(number)
        with self._dice.choice(some).open("a", encoding="utf-8") as file:
            file.write(f"- {self._dice.choice(PEOPLE)} {sentence(self._dice, number)}\n")
        return None

    def _new(self, number: int) -> None:
        if len(self._mine()) >= 60:
            return self._delete(number)
        text = f"# Sample page {number}\n\n- With @Mara at the market, {number % 7} loaves.\n"
        (self._root / "notes" / f"soak-{number:05}.md").write_text(text, encoding="utf-8")
        return None

    def _rewrite(self, number: int) -> None:
        """As most editors do: a new file takes the old one's place."""
        for place in self._mine()[:1]:
            lines = place.read_text("utf-8").split("\n")
            self._dice.shuffle(lines)
            beside = place.with_name(f"{place.name}~")
            beside.write_text("\n".join(lines[:20]), encoding="utf-8")
            os.replace(beside, place)

    def _rename(self, number: int) -> None:
        for place in self._mine()[-1:]:
            place.rename(place.with_name(f"soak-{number:05}-moved.md"))

    def _delete(self, number: int) -> None:
        some = self._mine()
        if len(some) > 10:
            self._dice.choice(some).unlink()

    def _same_size(self, number: int) -> None:
        """An edit that leaves size and time as they were."""
        for place in self._mine()[:1]:
            info = place.stat()
            place.write_bytes(place.read_bytes().replace(b"1", b"2"))
            os.utime(place, ns=(info.st_atime_ns, info.st_mtime_ns))

    def _by_hand(self, number: int) -> None:
        """A page that suggestions are made for is edited by its owner as well."""
        with (self._root / "bank" / "world.md").open("a", encoding="utf-8") as file:
            file.write(f"- W @Jun: {sentence(self._dice, number)}, by hand {number:05}.\n")

    def _log_of_its_own(self, number: int) -> None:
        """A day without notes of its own: reflection suggests some."""
        day = date(2026, 11, 1) + timedelta(days=number % 28)
        with (self._root / "memory" / f"{day}-evening.md").open("a", encoding="utf-8") as file:
            file.write(f"- Peter told me that he {sentence(self._dice, number)}.\n")


class ReflectingPerson:
    """Reflects, and answers what is suggested: yes, no, in part, taken back, once more."""

    def __init__(self, plan: Plan, diary: Diary) -> None:
        self._root = Path(plan.root)
        self._diary = diary
        self._dice = random.Random(plan.seed)

    def round(self, number: int, workspace: Workspace) -> None:
        self._workspace = workspace
        told = (ReflectionBusy,)
        report = self._diary.attempt("reflect", workspace.reflect, *told)
        if report is not None and report.error:
            self._diary.note("failed", what="reflect", error=report.error, where="")
        waiting = self._diary.attempt("proposals", workspace.proposals) or ()
        if number % 25 == 24 and waiting:
            ids = [p.id for p in waiting[:5]]
            for one in self._diary.attempt("approve many", lambda: workspace.approve_many(ids)):
                self._many(one)
        elif number % 20 == 19:
            self._reopen()
        elif number % 5 == 4:
            self._undo()
        elif waiting:
            self._answer(self._dice.choice(waiting))

    def _answer(self, proposal: Proposal) -> None:
        ws, dice = self._workspace, self._dice
        told = (ProposalChanged, ProposalConflict, ProposalRefused)
        if dice.random() < 0.2:
            self._diary.attempt("reject", lambda: ws.reject(proposal.id), *told)
            return
        some = [0] if len(proposal.hunks) > 1 and dice.random() < 0.5 else None
        done = self._diary.attempt("approve", lambda: ws.approve(proposal.id, some), *told)
        if done is None:
            return
        self._diary.note("applied", id=proposal.id, already=done.already)
        if done.proposal.state is State.APPLIED:
            self._diary.attempt("approve again", lambda: self._once_more(proposal.id))

    def _once_more(self, pid: str) -> None:
        """The button pressed twice writes once."""
        ws = self._workspace
        proposal = ws.proposal(pid)
        if proposal.state is not State.APPLIED:
            return  # somebody has taken it back meanwhile
        again = ws.approve(pid)
        assert again.already, pid
        copy = ws._reflection.proposals.undo_copy(pid)
        page = (self._root / proposal.target).read_text("utf-8", "replace")
        assert copy is not None, pid
        after = copy.after.decode("utf-8", "replace")
        for hunk in accepted(proposal.hunks):
            for line in hunk.new:
                if len(line) > 20 and "-0" in line and page.count(line) > after.count(line):
                    raise AssertionError(f"{pid} is in {proposal.target} twice: {line}")

    def _many(self, one: Any) -> None:
        if one.applied is not None:
            self._diary.note("applied", id=one.id, already=one.applied.already)
        else:
            kind = type(one.error).__name__
            allowed = isinstance(one.error, ProposalChanged | ProposalConflict | ProposalRefused)
            note = "told" if allowed else "failed"
            self._diary.note(note, what="approve many", error=kind, said=str(one.error), where="")

    def _undo(self) -> None:
        applied = [p for p in self._workspace.settled_proposals() if p.state is State.APPLIED]
        if applied:
            pid = self._dice.choice(applied[:10]).id
            self._diary.attempt("undo", lambda: self._workspace.undo(pid), ProposalRefused)

    def _reopen(self) -> None:
        settled = self._workspace.settled_proposals()
        some = [p for p in settled if p.state in (State.UNDONE, State.REJECTED)]
        if some:
            pid = self._dice.choice(some).id
            done = self._diary.attempt(
                "reopen", lambda: self._workspace.reopen(pid), ProposalRefused
            )
            if done is not None:
                self._diary.note("reopened", id=pid)


class Searcher:
    """Asks in words and by meaning, opens what it finds, and looks at people and opinions."""

    def __init__(self, plan: Plan, diary: Diary) -> None:
        self._diary = diary
        self._dice = random.Random(plan.seed)

    def round(self, number: int, workspace: Workspace) -> None:
        dice, attempt = self._dice, self._diary.attempt
        answer = attempt("recall", lambda: workspace.recall(dice.choice(QUESTIONS)))
        if answer is not None:
            self._look_at(answer, workspace)
        attempt("lasting", lambda: _find_lasting(workspace))
        match number % 8:
            case 0:
                attempt("entity", lambda: workspace.entity(dice.choice(PEOPLE)))
            case 1:
                attempt("opinions", workspace.opinions)
            case 2:
                attempt("words", lambda: workspace.recall(dice.choice(QUESTIONS), semantic=False))
            case 3:
                attempt("entities", workspace.entities)
                attempt("overview", workspace.overview)
            case 4:
                attempt("chat", lambda: workspace.search_chat("order"))
            case 5:
                attempt("sync", workspace.sync)
            case 6:
                attempt("days", workspace.days)
                if number % 32 == 6:
                    attempt("health", workspace.health)
            case 7 if number % 40 == 7:
                attempt("embed", workspace.embed, IndexBusy)
            case 7 if number % 40 == 15:
                attempt("close", workspace.close)  # and it opens again by itself

    def _look_at(self, answer: Any, workspace: Workspace) -> None:
        if any(notice.code == "not-indexed" for notice in answer.notices):
            self._diary.note("failed", what="recall", error="the index was gone", where="")
        if answer.results:
            first = answer.results[0]
            self._diary.attempt(
                "open", lambda: workspace.locate(first.source, first.id), SourceGone
            )


def _find_lasting(workspace: Workspace) -> None:
    question, path = LASTING
    answer = workspace.recall(question, semantic=False)
    assert answer.results, answer.notices
    assert answer.results[0].source.path == path, answer.results[0]


class CommandLine:
    """``python -m daybank``, one process a command; some are killed in the middle of it."""

    def __init__(self, plan: Plan, diary: Diary) -> None:
        self._plan = plan
        self._diary = diary
        self._dice = random.Random(plan.seed)
        self._where = ["--workspace", plan.root]
        self._said = ""

    def round(self, number: int, workspace: Workspace | None) -> None:
        turn = number % 8
        if turn in (0, 2, 5):
            self._add(number)
        elif turn == 1:
            self._run("recall", "--json", self._dice.choice(QUESTIONS))
        elif turn == 3:
            self._run("reflect", kill=True)
        elif turn == 4:
            self._approve_one()
        elif turn == 6:
            rebuild = ["--rebuild"] if number % 16 == 6 else []
            self._run("index", *rebuild, kill=True)
        else:
            self._run(*self._dice.choice((("health", "--json"), ("opinions",), ("entity", "Jun"))))

    def _add(self, number: int) -> None:
        person = _name(self._dice.choice(PEOPLE))
        text = f"B @{person}: {sentence(self._dice, number)}, sample note c-{number:05}."
        self._diary.note("adding", text=text)
        if self._run("add", text, kill=True) == 0:
            self._diary.note("added", text=text)

    def _approve_one(self) -> None:
        done = self._started("review", "list", "--json")
        out = done.communicate(timeout=120)[0]
        found = json.loads(out)["proposals"] if out.strip() else []
        if found:
            pid = self._dice.choice(found)["id"]
            if self._run("review", "approve", pid) == 0 and self._said.startswith("Saved in"):
                already = " already." in self._said
                self._diary.note("applied", id=pid, already=already)

    def _started(self, *arguments: str) -> subprocess.Popen[str]:
        command, *rest = arguments
        words = [command, *rest]
        at = 2 if command == "review" else 1
        return subprocess.Popen(
            [sys.executable, "-m", "daybank", *words[:at], *self._where, *words[at:]],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            encoding="utf-8",
        )

    def _run(self, *arguments: str, kill: bool = False) -> int | None:
        """The exit code; None where it was killed, or something is wrong with what it said."""
        what = " ".join(word for word in arguments[:2] if word.isascii() and " " not in word)
        started = time.monotonic()
        process = self._started(*arguments)
        try:
            if kill and self._dice.random() < self._plan.kill:
                time.sleep(self._dice.uniform(0.1, 1.5))
                process.kill()
            self._said, err = process.communicate(timeout=180)
        except subprocess.TimeoutExpired:
            process.kill()
            self._diary.note("failed", what=what, error="it did not end", where="")
            return None
        took = time.monotonic() - started
        what = f"{what} (killed)" if process.returncode < 0 else what
        self._diary.times[what] += 1
        self._diary.slowest[what] = max(self._diary.slowest.get(what, 0.0), took)
        if process.returncode < 0:
            self._diary.note("killed", what=what)
            return None
        return self._judged(what, process.returncode, err)

    def _judged(self, what: str, code: int, err: str) -> int | None:
        if code in (0, 1) and "Traceback" not in err:
            return code
        if code == 2 and _may_be_told(what, err):
            self._diary.note("told", what=what, error="exit code 2", said=err.strip())
            return code
        self._diary.note("failed", what=what, error=f"exit code {code}", where=err)
        return None


def _may_be_told(what: str, err: str) -> bool:
    """Whether a command that ended with 2 said something that may be said in such a crowd."""
    if "Traceback" in err:
        return False
    answers = {
        "reflect": ("Another reflection is running.",),
        "review approve": (
            "was edited since this was suggested",
            "was edited in the same lines",
            "There is no such suggestion",
            "no such suggestion",
            "A newer suggestion has taken the place",
            "This suggestion was",
            "is gone",
            "is not there any more",
            "Much of",
            "--allow-shrink",
        ),
    }
    return any(words in err for words in answers.get(what, ()))


def _name(person: str) -> str:
    return f"[{person}]" if " " in person else person


ROLES: dict[str, Callable[[Plan, Diary], Any]] = {
    "editor": Editor,
    "reflector": ReflectingPerson,
    "searcher": Searcher,
    "commands": CommandLine,
}


def prepare(sample: Path, root: Path, logs: int | None) -> None:
    """A copy of the sample to be worked on, with the newest ``logs`` days of it (None: all)."""
    shutil.copytree(sample, root)
    if logs is not None:
        for old in sorted((root / "memory").glob("20*.md"))[:-logs]:
            old.unlink()
    (root / LASTING[1]).write_text(LASTING_TEXT, encoding="utf-8")
    for number in range(SHARED_LOGS):
        day = shared_day(number)
        lines = [f"- Sample line {n} of a day that is only added to." for n in range(4)]
        text = "\n".join([f"# {day}", "", *lines, "", "## Retain", "", "- W @Ines: Was here.", ""])
        (root / "memory" / f"{day}.md").write_text(text, encoding="utf-8")


def main() -> int:
    """Play the role of the plan."""
    plan = Plan.read(sys.argv[1])
    diary = Diary(Path(plan.diary))
    logging.getLogger().addHandler(DiaryLog(diary))
    began = time.monotonic()
    actor = ROLES[plan.role](plan, diary)
    if plan.role == "commands":
        for number in paced(plan):
            actor.round(number, None)
    else:
        with open_workspace(plan.root) as workspace:
            for number in paced(plan):
                actor.round(number, workspace)
    diary.close(began)
    return 0


if __name__ == "__main__":
    sys.exit(main())
