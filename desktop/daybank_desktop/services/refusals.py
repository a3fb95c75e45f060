"""What the person never wants to be asked about again, in words, and taking that back.

GUI thread; what was refused is read and written on the lanes, as all of a folder is.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from daybank.markdown.retain import parse_bullet
from daybank_desktop.services.library import Library
from daybank_desktop.tasks import Lane, Tasks

if TYPE_CHECKING:
    from daybank import Proposal, Workspace

_MARK = re.compile(r"^[-*+]\s+")
_ID = re.compile(r"\s*\^[\w-]+$")


@dataclass(frozen=True, slots=True)
class Refusal:
    """``topic`` is what is remembered. ``target`` is the page it was about and ``text`` the line
    that was suggested; both "" where the suggestion is not kept any more."""

    topic: str
    target: str = ""
    text: str = ""


class Refusals(QObject):
    changed = Signal(object)  # tuple of Refusal
    taken_back = Signal(object)  # Refusal
    failed = Signal(object)  # DaybankError

    def __init__(self, tasks: Tasks, library: Library, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._tasks = tasks
        self._library = library
        library.leaving.connect(lambda: tasks.drop("refusals"))

    def load(self) -> None:
        """Read them; :attr:`changed` tells."""
        workspace = self._library.workspace
        if workspace is None:
            self.changed.emit(())
            return
        self._tasks.run(
            Lane.READ,
            lambda job: _read(workspace),
            done=self.changed.emit,
            failed=self.failed.emit,
            channel="refusals",
        )

    def take_back(self, refusal: Refusal) -> None:
        """Let it be suggested again."""
        workspace = self._library.workspace
        if workspace is None:
            return
        self._tasks.run(
            Lane.WRITE,
            lambda job: workspace.forget_never(refusal.topic),
            done=lambda _: self._on_taken_back(refusal),
            failed=self.failed.emit,
        )

    def _on_taken_back(self, refusal: Refusal) -> None:
        self.taken_back.emit(refusal)
        self.load()


def _read(workspace: Workspace) -> tuple[Refusal, ...]:
    """On a worker."""
    topics = workspace.nevers()
    if not topics:
        return ()
    known = _suggested((*workspace.proposals(), *workspace.settled_proposals()), set(topics))
    return tuple(known.get(topic, Refusal(topic)) for topic in topics)


def _suggested(proposals: Iterable[Proposal], topics: set[str]) -> dict[str, Refusal]:
    """What was suggested last about each topic."""
    found: dict[str, Refusal] = {}
    for proposal in proposals:
        for hunk in proposal.hunks:
            if hunk.topic in topics and hunk.topic not in found:
                text = _said((*hunk.new, *hunk.old))
                found[hunk.topic] = Refusal(hunk.topic, proposal.target, text)
    return found


def _said(lines: tuple[str, ...]) -> str:
    """The first line that says something, without the marks that files need."""
    for line in lines:
        text = line.strip()
        if not text or text.startswith(("#", "<!--")):
            continue
        text = _MARK.sub("", text)
        bullet = parse_bullet(text)
        text = _ID.sub("", bullet.text if bullet is not None else text)
        if text:
            return text
    return ""
