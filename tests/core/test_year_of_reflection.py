"""A year of somebody's logs, with a reflection every night and a person who answers in the morning.

The year is lived twice by the same script: once in peace, and once on a machine that is killed in
the middle of runs and approvals and whose disk fills up. Both must end with the same files, to the
byte. What the year says is known beforehand, so the beliefs at its end are checked by hand.
"""

from __future__ import annotations

import errno
import os
import random
import signal
import subprocess
import sys
import textwrap
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest
from core_tools import write_files

from daybank import FixedClock, Workspace, open_workspace
from daybank.errors import DaybankError
from daybank.markdown.model import Kind
from daybank.markdown.passages import parse_file
from daybank.review.proposal import State

FIRST = date(2025, 1, 1)
NIGHTS = 365
TAKEN_BACK = 305

MINE = {
    "SOUL.md": "# Soul\r\n\r\nBe kind.\r\n",
    "USER.md": "# User\n\nSample person, likes order.",
    "bank/opinions.md": (
        "# What I think\n\nWritten by hand, and I mean it.\n\n"
        "* O(c=0.80) @Mara: Prefers tea in the morning\n"
        "  * start: 2024-12-30 0.80 memory/2024-12-30.md#L3\n"
        "\n## Not to be touched\n\n\tA tab, two  spaces,  and no newline at the end"
    ),
    "bank/entities/Mara.md": (
        "---\ntitle: Mara\naliases: [Mapa]\n---\n# Mara\n\n"
        "<!-- daybank:begin summary -->\n<!-- daybank:end summary -->\n\n"
        "We met at the market.   \nShe whistles.\n"
    ),
    "bank/world.md": "# World\n\nMy own list:\n\n- W @Jun: Has one blue coat.\n",
    "memory.md": "# Core\n\n- I am a sample.\n- Mara is a friend.\n",
    "memory/2024-12-30.md": "## Retain\n\n- O(c=0.8) @Mara: Prefers tea in the morning\n",
    "logs/chat.jsonl": '{"ts":"2025-01-01T10:00:00Z","direction":"in","user_id":1,"text":"hi"}\n',
}

SAYINGS = {
    # a day of the year → what its log keeps
    10: ["O(c=0.70) @Jun: Opening on Sundays pays off"],
    40: ["B @Mara: Had coffee this morning, no tea at all"],
    60: ["O @Jun: opening on  sundays pays off."],
    75: ["W @Mara: Lives in Porto since March 2025"],
    90: ["O(c=0.90) @Jun: Opening on Sundays pays off"],
    120: ["O @Mara: No longer prefers tea in the morning"],
    150: ["O @Mara: Does not prefer tea in the morning any more"],
    200: ["W @Mara: Lives in Lisbon since July 2025"],
    240: ["B @Jun @Mara: Painted the door green"],
    300: ["O(c=0.60) @[Green door]: Looks better than the blue one"],
}


@dataclass
class Year:
    """A folder being lived in. ``trouble`` is asked before each night and each morning, and may
    do something terrible first."""

    root: Path
    trouble: Callable[[Year, int, str], None]
    written: dict[str, str] = field(default_factory=dict)
    applied: int = 0
    undone: int = 0
    last_undo: str | None = None

    def open(self, day: date, hour: int = 3) -> Workspace:
        moment = datetime(day.year, day.month, day.day, hour, tzinfo=UTC)
        return open_workspace(self.root, clock=FixedClock(moment))

    def write(self, path: str, text: str) -> None:
        place = self.root / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(text.encode())
        self.written[path] = text

    def live(self, number: int) -> None:
        """One day: its log, what a person does to their files, the night, and the morning."""
        day = FIRST + timedelta(days=number)
        log = f"memory/{day.isoformat()}.md"
        facts = SAYINGS.get(number, [])
        if facts or number % 3 == 0:
            kept = "## Retain\n\n" + "".join(f"- {fact}\n" for fact in facts)
            plain = f"Nothing much, rain {number}.\n\n"
            self.write(log, f"# {day.isoformat()}\n\n{plain}{kept if facts else ''}")
        self._by_hand(number)
        self.trouble(self, number, "night")
        with self.open(day + timedelta(days=1)) as ws:
            report = ws.reflect()
        self.trouble(self, number, "morning")
        if report.proposed or number == TAKEN_BACK:  # else there is nothing to answer
            with self.open(day + timedelta(days=1), hour=8) as ws:
                self._answer(ws, number)

    def _by_hand(self, number: int) -> None:
        if number == 100:  # a hand-written line in the middle of a page
            page = self.root / "bank/entities/Mara.md"
            text = page.read_bytes().decode()
            page.write_bytes(text.replace("She whistles.\n", "She whistles.\nAnd hums.\n").encode())
        if number == 160:  # a log moves into a folder of its own
            old, new = self.root / "memory/2025-03-17.md", self.root / "memory/2025/2025-03-17.md"
            if old.exists():
                new.parent.mkdir(exist_ok=True)
                old.rename(new)
        if number == 250:  # and a note is deleted, because it was wrong
            page = self.root / f"memory/{(FIRST + timedelta(days=40)).isoformat()}.md"
            page.write_bytes(page.read_bytes().split(b"## Retain")[0])

    def _answer(self, ws: Workspace, number: int) -> None:
        """The person says yes to everything, and takes one back now and then."""
        for proposal in ws.proposals():
            for hunk in proposal.hunks:
                for item in hunk.evidence:
                    path = item.source.partition("#")[0]
                    assert (ws.path / path).exists(), f"{item.source} is cited and not there"
            ws.approve(proposal.id, allow_shrink=True)
            self.applied += 1
        if number == TAKEN_BACK:
            last = next(p for p in ws.settled_proposals() if p.state is State.APPLIED)
            ws.undo(last.id)
            self.undone += 1


def in_peace(year: Year, number: int, when: str) -> None:
    """Nothing happens."""


KILLED = textwrap.dedent("""
    import os, signal, sys
    from datetime import datetime
    from daybank import FixedClock, open_workspace

    root, moment, what, at = sys.argv[1], sys.argv[2], sys.argv[3], int(sys.argv[4])
    left = at
    real = os.replace

    def replace(*args, **more):
        global left
        left -= 1
        if left < 0:
            os.kill(os.getpid(), signal.SIGKILL)
        return real(*args, **more)

    os.replace = replace
    with open_workspace(root, clock=FixedClock(datetime.fromisoformat(moment))) as ws:
        if what == "night":
            ws.reflect()
        else:
            for proposal in ws.proposals():
                ws.approve(proposal.id, allow_shrink=True)
    """)


@dataclass
class Trouble:
    """A machine that is killed and a disk that fills up, on days that a seed chooses."""

    monkeypatch: pytest.MonkeyPatch
    chance: random.Random
    kills: int = 0
    full: int = 0

    def __call__(self, year: Year, number: int, when: str) -> None:
        busy = number in SAYINGS or number in (250, 305)
        if busy or self.chance.random() < 0.02:
            self._kill(year, number, when)
        if busy or self.chance.random() < 0.02:
            self._fill_the_disk(year, number, when)

    def _kill(self, year: Year, number: int, when: str) -> None:
        day = FIRST + timedelta(days=number + 1)
        hour = 3 if when == "night" else 8
        moment = datetime(day.year, day.month, day.day, hour, tzinfo=UTC).isoformat()
        at = self.chance.randrange(0, 5)
        done = subprocess.run(
            [sys.executable, "-c", KILLED, str(year.root), moment, when, str(at)],
            env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
            capture_output=True,
            timeout=60,
            check=False,
        )
        assert done.returncode in (0, -signal.SIGKILL), done.stderr.decode()
        self.kills += done.returncode == -signal.SIGKILL

    def _fill_the_disk(self, year: Year, number: int, when: str) -> None:
        day = FIRST + timedelta(days=number + 1)
        left = self.chance.randrange(0, 4)
        real = os.fsync

        def fsync(handle: int) -> None:
            nonlocal left
            left -= 1
            if left < 0:
                raise OSError(errno.ENOSPC, "No space left on device")
            real(handle)

        with self.monkeypatch.context() as patch:
            patch.setattr(os, "fsync", fsync)
            try:
                with year.open(day, hour=3 if when == "night" else 8) as ws:
                    if when == "night":
                        ws.reflect()
                    else:
                        for proposal in ws.proposals():
                            ws.approve(proposal.id, allow_shrink=True)
            except (DaybankError, OSError):
                self.full += 1


def lived(root: Path, trouble: Callable[[Year, int, str], None]) -> Year:
    write_files(root, MINE)
    year = Year(root, trouble)
    for number in range(NIGHTS):
        year.live(number)
    return year


def pages(root: Path) -> dict[str, bytes]:
    """Every file of the person's, without Daybank's own."""
    return {
        str(place.relative_to(root)): place.read_bytes()
        for place in sorted(root.rglob("*"))
        if place.is_file() and ".memory" not in place.parts
    }


@pytest.fixture(scope="module")
def peaceful(tmp_path_factory: pytest.TempPathFactory) -> Year:
    return lived(tmp_path_factory.mktemp("peace") / "notes", in_peace)


@pytest.mark.timeout(400)
def test_a_year_of_trouble_ends_like_a_year_of_peace(
    peaceful: Year, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    trouble = Trouble(monkeypatch, random.Random(7))
    troubled = lived(tmp_path / "notes", trouble)
    assert trouble.kills >= 5
    assert trouble.full >= 5
    assert pages(troubled.root) == pages(peaceful.root)


@pytest.mark.timeout(200)
def test_beliefs_are_what_the_year_said(peaceful: Year) -> None:
    with peaceful.open(FIRST + timedelta(days=366)) as ws:
        ws.sync()
        told = {opinion.statement: opinion for opinion in ws.opinions()}
    sundays = told["Opening on Sundays pays off"]
    # 0.70, the same said again (+0.10·0.28), then said again at 0.90 (+0.25·(0.90−0.728))
    assert [round(step.value, 4) for step in sundays.steps] == [0.7, 0.728, 0.771]
    tea = told["Prefers tea in the morning"]
    # 0.80; 120 and 150 speak against it, on different days: 0.20·(c−0.02) each. What was written
    # on day 40 may have counted until it was deleted on day 250; it does not any more.
    values = [round(step.value, 3) for step in tea.steps if step.key in ("start", "contradicts")]
    assert values == [0.8, 0.644, 0.519]
    assert "Looks better than the blue one" in told


@pytest.mark.timeout(200)
def test_every_byte_that_a_person_wrote_is_there(peaceful: Year) -> None:
    after = pages(peaceful.root)
    for path in ("SOUL.md", "USER.md", "logs/chat.jsonl", "memory/2024-12-30.md"):
        assert after[path] == MINE[path].encode()
    opinions = after["bank/opinions.md"].decode()
    assert opinions.startswith("# What I think\n\nWritten by hand, and I mean it.\n\n* O(c=")
    tail = "\n## Not to be touched\n\n\tA tab, two  spaces,  and no newline at the end"
    assert tail in opinions
    mara = after["bank/entities/Mara.md"].decode()
    assert mara.startswith("---\ntitle: Mara\naliases: [Mapa]\n---\n# Mara\n\n<!-- daybank:begin")
    assert mara.endswith("-->\n\nWe met at the market.   \nShe whistles.\nAnd hums.\n")
    assert after["bank/world.md"].decode().startswith(MINE["bank/world.md"])
    assert after["memory.md"].decode().startswith(MINE["memory.md"].rstrip("\n"))
    for path, text in peaceful.written.items():
        if path in ("memory/2025-02-10.md",):  # where a person deleted a note
            continue
        moved = path.replace("memory/2025-03-17.md", "memory/2025/2025-03-17.md")
        assert after[moved].decode().startswith(text.rstrip("\n")), path


@pytest.mark.timeout(200)
def test_what_pages_cite_exists(peaceful: Year) -> None:
    with peaceful.open(FIRST + timedelta(days=366)) as ws:
        ws.sync()
        for path, data in pages(peaceful.root).items():
            if not path.startswith("bank/") and path != "memory.md":
                continue
            for passage in parse_file(path, data).passages:
                for cite in passage.cites:
                    if cite.startswith("f-") and passage.kind is not Kind.OBSERVATION:
                        assert ws.recall("", k=1) is not None
                        assert ws._places(cite), f"{path} cites {cite}"


@pytest.mark.timeout(200)
def test_the_newest_home_is_on_the_page_and_the_old_one_is_not_its_truth(peaceful: Year) -> None:
    mara = pages(peaceful.root)["bank/entities/Mara.md"].decode()
    assert "Lisbon" in mara
    first = next(line for line in mara.splitlines() if "Porto" in line or "Lisbon" in line)
    assert "Lisbon" in first


@pytest.mark.timeout(200)
def test_another_night_has_nothing_to_say_and_history_tells_all(peaceful: Year) -> None:
    before = pages(peaceful.root)
    with peaceful.open(FIRST + timedelta(days=366)) as ws:
        report = ws.reflect()
        settled = ws.settled_proposals()
        reports = ws.reflections()
    assert report.nothing_new
    assert pages(peaceful.root) == before
    assert sum(p.state is State.APPLIED for p in settled) == peaceful.applied - peaceful.undone
    assert sum(p.state is State.UNDONE for p in settled) == peaceful.undone
    assert len(reports) == NIGHTS + 1
    assert not [r.error for r in reports if r.error]
