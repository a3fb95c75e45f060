"""All checks of a folder against its index, in the order in which they are told."""

from __future__ import annotations

from datetime import datetime

from daybank.health.files import file_checks, index_state, not_understood
from daybank.health.pages import citations, core_memory, identity_page, missing_days
from daybank.health.report import WORST, HealthReport
from daybank.health.secrets_scan import SecretScan
from daybank.health.upkeep import Upkeep, upkeep_checks
from daybank.index.store import IndexStore
from daybank.progress import CancelToken
from daybank.workspace import WorkspaceFolder


def check_health(
    folder: WorkspaceFolder,
    store: IndexStore,
    now: datetime,
    pending: int,
    upkeep: Upkeep | None = None,
    secrets: SecretScan | None = None,
    cancel: CancelToken | None = None,
) -> HealthReport:
    """Check the folder against its index. ``pending`` is the number of files that differ;
    ``upkeep`` what is known beside the files. ``secrets`` remembers what it has read, so the same
    one makes the next check cheaper. Raises Cancelled."""
    lints = store.lints()
    checks = [
        index_state(store, pending),
        not_understood(lints),
        *file_checks(lints),
        core_memory(folder),
        identity_page(folder, store, now),
        citations(store),
        missing_days(store, now.date()),
        (secrets or SecretScan()).check(folder, store, cancel),
        *upkeep_checks(upkeep or Upkeep(), now),
    ]
    checks.sort(key=lambda check: -WORST.index(check.level))
    return HealthReport(tuple(checks))
