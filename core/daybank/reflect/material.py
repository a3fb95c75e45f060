"""What one reflection works on, and what its phases give back.

A phase is a function from :class:`Material` to a :class:`PhaseResult`: drafts of changes, and for
every candidate that became none the reason why. It reads, and writes nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import TYPE_CHECKING

from daybank.errors import PathRefused, SourceGone, WorkspaceUnreadable
from daybank.index.store import IndexStore, StoredPassage
from daybank.progress import CancelToken
from daybank.recall.names import KnownNames
from daybank.review.proposal import Draft, Evidence, Phase
from daybank.workspace import WorkspaceFolder

if TYPE_CHECKING:
    from daybank.reflect.wording import Judge, Wording

Similarity = Callable[[str, str], float | None]
"""The cosine of two texts in [-1, 1]; None where search by meaning is not prepared."""


@dataclass(frozen=True, slots=True)
class Skipped:
    """A candidate that became no suggestion: the place it comes from (``path#L12``, or a path),
    what it was in a few words, and why."""

    phase: Phase
    source: str
    what: str
    reason: str


@dataclass(frozen=True, slots=True)
class PhaseResult:
    """What a phase found."""

    drafts: tuple[Draft, ...] = ()
    skipped: tuple[Skipped, ...] = ()


@dataclass
class Material:
    """One run's view of the workspace. ``new`` are the facts that no earlier successful run has
    seen, by day; ``gone`` the ids of facts that one has seen and that are in no file any more.
    ``since`` is the first day that the run looks at (None: all), for what is no fact. ``wording``
    and ``judge`` are the language model's, if the person wants one. Files are read once, as they
    were when first asked for."""

    folder: WorkspaceFolder
    store: IndexStore
    names: KnownNames
    now: datetime
    new: tuple[StoredPassage, ...]
    gone: frozenset[str] = frozenset()
    since: date | None = None
    similarity: Similarity = lambda one, other: None
    cancel: CancelToken | None = None
    core_budget: int = 2000
    wording: Wording | None = None
    judge: Judge | None = None
    _files: dict[str, bytes | None] = field(default_factory=dict)

    @property
    def today(self) -> date:
        return self.now.date()

    def read(self, path: str) -> bytes | None:
        """A file's bytes; None where it is not there or cannot be read."""
        if path not in self._files:
            try:
                self._files[path] = self.folder.read_bytes(path)
            except (SourceGone, PathRefused, WorkspaceUnreadable):
                self._files[path] = None
        return self._files[path]

    def is_gone(self, uid: str, path: str) -> bool:
        """Whether a note that a page cites as standing in ``path`` is in no file any more. Of a
        note that no run has ever seen, only a file that is there and lacks it can tell."""
        if self.store.by_uid(uid):
            return False
        return uid in self.gone or (bool(path) and self.read(path) is not None)


def evidence_of(fact: StoredPassage, stance: str = "") -> Evidence:
    """A fact as the evidence for a change."""
    return Evidence(str(fact.source), fact.uid, fact.day, fact.content, stance)


def cited(text: str, facts: Sequence[StoredPassage]) -> str:
    """``text`` with the citation of each fact behind it, as pages write it."""
    places = "; ".join(f"{fact.source} ^{fact.uid}" for fact in facts)
    return f"{text} ({places})"
