"""Is everything all right with this folder? Each check is a sentence and its sources."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Literal

from daybank.errors import DaybankError
from daybank.index.store import IndexStore
from daybank.markdown.model import Lint
from daybank.workspace import CORE_NAMES, WorkspaceFolder

Level = Literal["ok", "note", "warning", "error"]
_WORST = ("ok", "note", "warning", "error")
_SHOWN_DAYS = 30

CORE_TOKENS = 2000
"""How large core memory may be, in tokens (characters / 4)."""

IDENTITY_PAGE = "memory/identity.md"
IDENTITY_HOURS = 8


@dataclass(frozen=True, slots=True)
class HealthCheck:
    """One finding. ``id`` is stable, ``message`` plain, ``sources`` are ``path#L12`` or paths."""

    id: str
    level: Level
    message: str
    sources: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class HealthReport:
    """All checks, those that need the person first."""

    checks: tuple[HealthCheck, ...]

    @property
    def level(self) -> Level:
        """The worst level found."""
        return max((c.level for c in self.checks), key=_WORST.index, default="ok")

    def to_json(self) -> dict[str, object]:
        return {
            "checks": [
                {"id": c.id, "level": c.level, "message": c.message, "sources": list(c.sources)}
                for c in self.checks
            ]
        }


def check_health(
    folder: WorkspaceFolder, store: IndexStore, now: datetime, pending: int
) -> HealthReport:
    """Check the folder against its index. ``pending`` is the number of files that differ."""
    lints = store.lints()
    checks = [
        _index(store, pending),
        _lines(lints),
        _listed(
            lints,
            "conflict-copy",
            "conflict-copies",
            "warning",
            "No sync conflict copies.",
            "{n} made by a sync program; only the first version is searched.",
            "copy",
            "copies",
        ),
        _listed(
            lints,
            "unclosed-code",
            "unclosed-code",
            "warning",
            "Every code block is closed.",
            "{n} never closes; what stands in it is read as code, not as notes.",
            "code block",
            "code blocks",
        ),
        _listed(
            lints,
            "merge-conflict",
            "merge-conflicts",
            "warning",
            "No unmerged versions.",
            "{n} with two versions of a text left unmerged.",
            "file",
            "files",
        ),
        _unread(lints),
        _listed(
            lints,
            "not-downloaded",
            "not-downloaded",
            "note",
            "Every file is on this computer.",
            "{n} not downloaded yet; the last version read is still found.",
            "file",
            "files",
        ),
        _listed(
            lints,
            "link-outside",
            "links-outside",
            "note",
            "No links lead out of the folder.",
            "{n} out of the folder; not followed.",
            "link leads",
            "links lead",
        ),
        _listed(
            lints,
            "same-file",
            "same-file",
            "note",
            "No file stands there twice.",
            "{n} of a file that is searched already; read once.",
            "second name",
            "second names",
        ),
        _core(folder),
        _identity(folder, store, now),
        _citations(store),
        _missing_days(store, now.date()),
    ]
    checks.sort(key=lambda check: -_WORST.index(check.level))
    return HealthReport(tuple(checks))


def _index(store: IndexStore, pending: int) -> HealthCheck:
    if pending:
        word = "file is" if pending == 1 else "files are"
        return HealthCheck("index", "note", f"{pending} changed {word} not read yet.")
    if not store.has_full_text:
        return HealthCheck(
            "index", "warning", "Search works, but slowly: this computer's SQLite has no FTS5."
        )
    return HealthCheck("index", "ok", "Search is up to date.")


def _lines(lints: Sequence[Lint]) -> HealthCheck:
    found = [
        lint for lint in lints if lint.code in ("not-understood", "confidence", "front-matter")
    ]
    if not found:
        return HealthCheck("lines", "ok", "Every kept note is understood.")
    word = "line was" if len(found) == 1 else "lines were"
    return HealthCheck(
        "lines",
        "note",
        f"{len(found)} {word} not understood. They are found in search, but not counted as notes.",
        tuple(f"{lint.path}#L{lint.line}" for lint in found),
    )


def _unread(lints: Sequence[Lint]) -> HealthCheck:
    codes = ("unreadable", "bad-name", "broken-link", "too-large", "encoding", "torn-line")
    found = [lint for lint in lints if lint.code in codes]
    if not found:
        return HealthCheck("files", "ok", "Every file can be read.")
    first = found[0]
    more = f" And {len(found) - 1} more." if len(found) > 1 else ""
    level: Level = "error" if any(lint.code == "unreadable" for lint in found) else "warning"
    return HealthCheck(
        "files",
        level,
        f"{first.path}: {first.message}{more}",
        tuple(f"{lint.path}#L{lint.line}" if lint.line else lint.path for lint in found),
    )


def _listed(
    lints: Sequence[Lint],
    code: str,
    id_: str,
    level: Level,
    fine: str,
    found: str,
    one: str,
    many: str,
) -> HealthCheck:
    sources = tuple(
        f"{lint.path}#L{lint.line}" if lint.line else lint.path
        for lint in lints
        if lint.code == code
    )
    if not sources:
        return HealthCheck(id_, "ok", fine)
    count = f"{len(sources)} {one if len(sources) == 1 else many}"
    return HealthCheck(id_, level, found.format(n=count), sources)


def _core(folder: WorkspaceFolder) -> HealthCheck:
    present = [name for name in CORE_NAMES if (folder.root / name).is_file()]
    if len(present) == 2 and not _same_file(folder, *present):
        return HealthCheck(
            "core",
            "warning",
            f"There are two core memories; {present[0]} is used, {present[1]} is only searched.",
            tuple(present),
        )
    if present:
        with contextlib.suppress(DaybankError):
            text = folder.read_bytes(present[0]).decode("utf-8", "replace")
            tokens = len(text) // 4
            if tokens > CORE_TOKENS:
                return HealthCheck(
                    "core",
                    "warning",
                    f"{present[0]} has about {tokens:,} tokens. It is read in every conversation"
                    f" and should stay under {CORE_TOKENS:,}.",
                    (present[0],),
                )
    return HealthCheck("core", "ok", "There is one core memory at most.", tuple(present[:1]))


def _same_file(folder: WorkspaceFolder, one: str, other: str) -> bool:
    try:
        return (folder.root / one).samefile(folder.root / other)
    except OSError:
        return True  # one of them has just gone


def _identity(folder: WorkspaceFolder, store: IndexStore, now: datetime) -> HealthCheck:
    """An agent that keeps an identity page renews it all the time; a stale one has stopped."""
    pages = [path for path, _ in store.files() if path == IDENTITY_PAGE]
    try:
        changed = (folder.root / IDENTITY_PAGE).stat().st_mtime if pages else None
    except OSError:
        changed = None
    if changed is None:
        return HealthCheck("identity", "ok", "No agent keeps an identity page here.")
    hours = (now.timestamp() - changed) / 3600
    if hours > IDENTITY_HOURS:
        return HealthCheck(
            "identity",
            "note",
            f"The agent's identity page was last renewed {hours:,.0f} hours ago.",
            (IDENTITY_PAGE,),
        )
    return HealthCheck("identity", "ok", "The agent's identity page is fresh.", (IDENTITY_PAGE,))


def _citations(store: IndexStore) -> HealthCheck:
    broken = store.broken_citations()
    if not broken:
        return HealthCheck("citations", "ok", "Every citation leads somewhere.")
    notes = "note cites" if len(broken) == 1 else "notes cite"
    return HealthCheck(
        "citations",
        "warning",
        f"{len(broken)} {notes} something that is not there any more.",
        tuple(map(str, broken)),
    )


def _missing_days(store: IndexStore, today: date) -> HealthCheck:
    days = {day for day, _, _ in store.log_days()}
    start = today - timedelta(days=_SHOWN_DAYS)
    if not days or max(days) < start:
        return HealthCheck("journal", "ok", "No recent journal to compare.")
    first = max(start, min(days))
    missing = [
        first + timedelta(days=n)
        for n in range((today - first).days)
        if first + timedelta(days=n) not in days
    ]
    if not missing:
        return HealthCheck("journal", "ok", "The journal has every recent day.")
    word = "day" if len(missing) == 1 else "days"
    return HealthCheck(
        "journal",
        "note",
        f"No journal for {len(missing)} {word} of the last {_SHOWN_DAYS}.",
        tuple(f"memory/{day.isoformat()}.md" for day in missing),
    )
