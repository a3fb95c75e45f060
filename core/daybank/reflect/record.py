"""What reflection remembers between runs, and the report of each run. Small files of Daybank's own
beside the suggestions; deleting them costs a longer next run and nothing else.

    .memory/reflection/seen.txt       the ids of the facts that a successful run has looked at
    .memory/reflection/state.json     when that was, which logs were looked through, and which facts
                                      have vanished since they were seen
    .memory/reflection/runs/*.json    one report a run
"""

from __future__ import annotations

import contextlib
import json
import logging
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, date, datetime
from pathlib import Path

from daybank.reflect.material import Skipped
from daybank.review.proposal import Phase
from daybank.review.state_files import clear_temporary, write_whole
from daybank.workspace import make_below

log = logging.getLogger(__name__)

FORMAT = 1
MOST_RUNS = 400
MOST_SKIPPED = 1000
"""Skipped candidates that a report keeps; their number is kept in any case."""
_UNREADABLE = (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError)


@dataclass(frozen=True, slots=True)
class Proposed:
    """A change that a run suggests. ``proposal`` is the id of its suggestion, empty in a dry run;
    ``is_new`` is False where it was waiting already."""

    target: str
    phase: Phase
    reason: str
    proposal: str = ""
    is_new: bool = True
    certainty: float = 0.5


@dataclass(frozen=True, slots=True)
class PhaseTime:
    """How long a phase took, in seconds, and what came of it."""

    phase: Phase
    seconds: float
    proposed: int
    skipped: int


@dataclass(frozen=True, slots=True)
class ReflectionReport:
    """One run. Every candidate is in ``proposed``, or in ``skipped`` with its reason; of very many
    skipped ones the report keeps the first, and ``skipped_in_all`` counts them.

    ``facts`` is how many there are, ``new`` how many no earlier run had seen, ``gone`` how many of
    those seen are in no file any more, ``logs`` how many without notes were new or changed.
    ``error`` tells why a run did not end well.
    """

    id: str
    started: datetime
    finished: datetime
    since: date | None = None
    dry_run: bool = False
    facts: int = 0
    new: int = 0
    gone: int = 0
    logs: int = 0
    proposed: tuple[Proposed, ...] = ()
    skipped: tuple[Skipped, ...] = ()
    skipped_in_all: int = 0
    withdrawn: int = 0
    phases: tuple[PhaseTime, ...] = ()
    error: str | None = None

    @property
    def fresh(self) -> tuple[Proposed, ...]:
        """The changes that were not waiting before."""
        return tuple(item for item in self.proposed if item.is_new)

    @property
    def nothing_new(self) -> bool:
        """Whether the run had nothing to look at that an earlier one had not seen."""
        return not (self.new or self.gone or self.logs or self.fresh)

    @property
    def seconds(self) -> float:
        return (self.finished - self.started).total_seconds()

    def to_json(self) -> dict[str, object]:
        return {
            "format": FORMAT,
            "id": self.id,
            "started": self.started.isoformat(),
            "finished": self.finished.isoformat(),
            "since": self.since.isoformat() if self.since else None,
            "dry_run": self.dry_run,
            "facts": self.facts,
            "new": self.new,
            "gone": self.gone,
            "logs": self.logs,
            "proposed": [
                {
                    "target": p.target,
                    "phase": str(p.phase),
                    "reason": p.reason,
                    "proposal": p.proposal,
                    "is_new": p.is_new,
                    "certainty": round(p.certainty, 3),
                }
                for p in self.proposed
            ],
            "skipped": [
                {"phase": str(s.phase), "source": s.source, "what": s.what, "reason": s.reason}
                for s in self.skipped
            ],
            "skipped_in_all": self.skipped_in_all,
            "withdrawn": self.withdrawn,
            "phases": [
                {
                    "phase": str(t.phase),
                    "seconds": round(t.seconds, 3),
                    "proposed": t.proposed,
                    "skipped": t.skipped,
                }
                for t in self.phases
            ],
            "error": self.error,
        }


def report_from_json(data: object) -> ReflectionReport:
    """Read a report back. Raises ValueError (or KeyError, TypeError) for what is none."""
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        raise ValueError("no report of this version")
    since = data.get("since")
    return ReflectionReport(
        id=str(data["id"]),
        started=datetime.fromisoformat(data["started"]),
        finished=datetime.fromisoformat(data["finished"]),
        since=date.fromisoformat(since) if since else None,
        dry_run=bool(data["dry_run"]),
        facts=int(data["facts"]),
        new=int(data["new"]),
        gone=int(data["gone"]),
        logs=int(data["logs"]),
        proposed=tuple(
            Proposed(
                p["target"],
                Phase(p["phase"]),
                p["reason"],
                p["proposal"],
                bool(p["is_new"]),
                float(p["certainty"]),
            )
            for p in data["proposed"]
        ),
        skipped=tuple(
            Skipped(Phase(s["phase"]), s["source"], s["what"], s["reason"]) for s in data["skipped"]
        ),
        skipped_in_all=int(data["skipped_in_all"]),
        withdrawn=int(data["withdrawn"]),
        phases=tuple(
            PhaseTime(Phase(t["phase"]), float(t["seconds"]), t["proposed"], t["skipped"])
            for t in data["phases"]
        ),
        error=data["error"],
    )


@dataclass(frozen=True, slots=True)
class Remembered:
    """What the last successful run has seen: fact ids, those that were seen once and are ``gone``,
    and of each log looked through the hash of its content. ``last_success`` is None before the
    first. While ``digest`` stays the same, another run would find the same."""

    seen: frozenset[str] = frozenset()
    gone: frozenset[str] = frozenset()
    logs: Mapping[str, str] = field(default_factory=dict)
    last_success: datetime | None = None
    digest: str = ""


class RunRecord:
    """Reads and writes the files of one workspace's reflections. One writer at a time."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._runs = folder / "runs"

    def remembered(self) -> Remembered:
        """What earlier runs have seen; nothing where that cannot be read. Never raises."""
        try:
            state = json.loads((self.folder / "state.json").read_text(encoding="utf-8"))
            if not isinstance(state, dict) or state.get("format") != FORMAT:
                return Remembered()
            seen = (self.folder / "seen.txt").read_text(encoding="ascii").split()
            logs = state.get("logs")
            success = state.get("last_success")
            gone = state.get("gone")
            return Remembered(
                frozenset(seen),
                frozenset(map(str, gone)) if isinstance(gone, list) else frozenset(),
                {str(k): str(v) for k, v in logs.items()} if isinstance(logs, dict) else {},
                datetime.fromisoformat(success) if success else None,
                str(state.get("digest") or ""),
            )
        except (OSError, ValueError, RecursionError):
            return Remembered()

    def remember(self, what: Remembered) -> None:
        """Keep what a successful run has seen. Raises OSError."""
        self._make()
        seen = "".join(f"{uid}\n" for uid in sorted(what.seen)).encode()
        if not _holds(self.folder / "seen.txt", seen):
            write_whole(self.folder / "seen.txt", seen)
        state = {
            "format": FORMAT,
            "last_success": what.last_success.isoformat() if what.last_success else None,
            "digest": what.digest,
            "gone": sorted(what.gone),
            "logs": dict(sorted(what.logs.items())),
        }
        write_whole(
            self.folder / "state.json",
            json.dumps(state, ensure_ascii=False, indent=1).encode("utf-8", "surrogatepass"),
        )

    def keep(self, report: ReflectionReport) -> None:
        """Keep a report, and the newest so many. Raises OSError."""
        self._make()
        short = replace(report, skipped=report.skipped[:MOST_SKIPPED])
        text = json.dumps(short.to_json(), ensure_ascii=False, indent=1)
        write_whole(self._runs / f"{report.id}.json", text.encode("utf-8", "surrogatepass"))
        for old in self._places()[:-MOST_RUNS]:
            with contextlib.suppress(OSError):
                old.unlink()

    def new_id(self, started: datetime) -> str:
        """A name for the report of a run that began then, which no other has; they sort by time."""
        first = started.astimezone(UTC).strftime("%Y-%m-%dT%H%M%S.%f")[:-3]
        name, number = first, 1
        while (self._runs / f"{name}.json").exists():
            number += 1
            name = f"{first}-{number:02}"
        return name

    def reports(self, limit: int = 0) -> tuple[ReflectionReport, ...]:
        """The reports kept, newest first; what cannot be read is passed over."""
        out: list[ReflectionReport] = []
        for place in reversed(self._places()):
            try:
                out.append(report_from_json(json.loads(place.read_text(encoding="utf-8"))))
            except _UNREADABLE as error:
                log.warning("%s is no report: %s", place.name, error)
            if limit and len(out) >= limit:
                break
        return tuple(out)

    def clear_leftovers(self) -> None:
        """Remove what a run that died has left."""
        clear_temporary(self.folder)
        clear_temporary(self._runs)

    def _places(self) -> list[Path]:
        return sorted(self._runs.glob("*.json"), key=lambda place: place.stem)

    def _make(self) -> None:
        make_below(self.folder.parent, self._runs, 0o700)


def _holds(place: Path, data: bytes) -> bool:
    try:
        return place.read_bytes() == data
    except OSError:
        return False
