"""A folder of small pages with a reviewer for them, and short ways to write a change."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from core_tools import NOON, write_files

from daybank.markdown.document import decode
from daybank.review.apply import Reviewer, page_sha256
from daybank.review.proposal import Hunk, Phase, Proposal
from daybank.review.store import ProposalStore
from daybank.workspace import WorkspaceFolder

OPINIONS = "bank/opinions.md"
LOG = "memory/2026-11-26.md"


@dataclass(frozen=True)
class Desk:
    """A workspace, its suggestions and who answers them."""

    root: Path
    folder: WorkspaceFolder
    store: ProposalStore
    reviewer: Reviewer

    def bytes_of(self, path: str) -> bytes:
        return (self.root / path).read_bytes()

    def text_of(self, path: str) -> str:
        return self.bytes_of(path).decode()

    def write(self, path: str, text: str | bytes) -> None:
        write_files(self.root, {path: text})

    def suggest(self, target: str, *hunks: Hunk, pid: str | None = None) -> str:
        """Store a suggestion for the page as it is now, whatever the rules say; its id."""
        place = self.root / target
        data = place.read_bytes() if place.exists() else None
        proposal = Proposal(
            id=pid or self.store.new_id(),
            created=NOON.now(),
            target=target,
            base_sha256=page_sha256(data),
            base_text=None if data is None else decode(data).text,
            hunks=hunks,
            reason="Two new facts",
            phase=Phase.OPINIONS,
        )
        self.store.put(proposal)
        return proposal.id


def open_desk(root: Path, files: Mapping[str, str | bytes], *, commit: bool = False) -> Desk:
    root.mkdir(parents=True, exist_ok=True)
    write_files(root, files)
    folder = WorkspaceFolder.open_folder(root)
    store = ProposalStore(folder.proposals_dir())
    return Desk(root, folder, store, Reviewer(folder, store, NOON, commit=commit))


def change(line: int, old: str | None, new: str | None, **more: object) -> Hunk:
    """The lines of ``old`` from ``line`` on become those of ``new``; None stands for no lines."""
    return Hunk(line, _lines(old), _lines(new), "because", **more)  # type: ignore[arg-type]


def _lines(text: str | None) -> tuple[str, ...]:
    return () if text is None else tuple(text.split("\n"))
