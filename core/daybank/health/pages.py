"""The pages that a person or an agent relies on: core memory, identity, citations, journal."""

from __future__ import annotations

import contextlib
from datetime import date, datetime, timedelta

from daybank.errors import DaybankError
from daybank.health.report import HealthCheck
from daybank.index.store import IndexStore
from daybank.workspace import CORE_NAMES, WorkspaceFolder

_SHOWN_DAYS = 30

CORE_TOKENS = 2000
"""How large core memory may be, in tokens (characters / 4)."""

IDENTITY_PAGE = "memory/identity.md"
IDENTITY_HOURS = 8


def core_memory(folder: WorkspaceFolder) -> HealthCheck:
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


def identity_page(folder: WorkspaceFolder, store: IndexStore, now: datetime) -> HealthCheck:
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


def citations(store: IndexStore) -> HealthCheck:
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


def missing_days(store: IndexStore, today: date) -> HealthCheck:
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
