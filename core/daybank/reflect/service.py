"""Reflection and review for one open workspace: what :class:`daybank.Workspace` hands on to.

Any thread may call it. Suggestions and their history are files, and each call reads what it needs.
"""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

from daybank.clock import Clock
from daybank.index.store import IndexStore
from daybank.reflect.record import RunRecord
from daybank.review.apply import Reviewer
from daybank.review.store import ProposalStore
from daybank.workspace import WorkspaceFolder

if TYPE_CHECKING:
    from daybank.reflect.run import Reflector

REFLECTION = "reflection"


class ReflectionService:
    """Makes the reviewer and the reflector of a workspace when they are first asked for.

    ``commit`` says that the person wants a git commit for each approval.
    """

    def __init__(
        self, folder: WorkspaceFolder, store: IndexStore, clock: Clock, *, commit: bool = False
    ) -> None:
        self._folder = folder
        self._store = store
        self._clock = clock
        self._commit = commit
        self._guard = threading.Lock()
        self._reviewer: Reviewer | None = None
        self._record: RunRecord | None = None

    @property
    def reviewer(self) -> Reviewer:
        """Answers suggestions; what a Daybank that died had begun is settled first."""
        with self._guard:
            if self._reviewer is None:
                store = ProposalStore(self._folder.proposals_dir())
                reviewer = Reviewer(self._folder, store, self._clock, commit=self._commit)
                reviewer.recover()
                self._reviewer = reviewer
            return self._reviewer

    @property
    def proposals(self) -> ProposalStore:
        return self.reviewer.store

    @property
    def record(self) -> RunRecord:
        """What was run, and when."""
        with self._guard:
            if self._record is None:
                self._record = RunRecord(self._folder.proposals_dir().parent / REFLECTION)
            return self._record

    def reflector(self) -> Reflector:
        # Its word lists in four languages take a moment to load, and a search needs none of them.
        from daybank.reflect.run import Reflector

        return Reflector(self._folder, self._store, self.reviewer, self.record, self._clock)
