"""A folder of notes with suggestions in it, and the Review page over it: the real library."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, datetime
from pathlib import Path
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from daybank import Workspace, open_workspace
from daybank.clock import FixedClock
from daybank.review.apply import Reviewer
from daybank.review.proposal import Evidence, Hunk, Phase, Proposal
from daybank.review.store import ProposalStore
from daybank.workspace import WorkspaceFolder
from daybank_desktop.pages.review_page import ReviewPage
from daybank_desktop.services.library import Library
from daybank_desktop.services.reflection import Reflection
from daybank_desktop.services.review import Review
from daybank_desktop.tasks import Tasks

TODAY = date(2026, 11, 28)
NOW = datetime(2026, 11, 28, 9, 0).astimezone()
CORE = """# Core

## Bakery
- Flour comes from Tomás every Monday at 7:00.
- Oven 2 bakes the rye.

## People
- Mara is in Porto until 22 November.
- Jun draws the shop sign.
"""


class Notes:
    """The folder. What it suggests is written by the library's own reviewer."""

    def __init__(self, root: Path) -> None:
        self.root = root
        root.mkdir(parents=True, exist_ok=True)
        self.clock = FixedClock(NOW)

    def write(self, path: str, text: str) -> None:
        place = self.root / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(text.encode())

    def read(self, path: str) -> str:
        return (self.root / path).read_bytes().decode()

    @property
    def reviewer(self) -> Reviewer:
        folder = WorkspaceFolder.open_folder(self.root)
        return Reviewer(folder, ProposalStore(folder.proposals_dir()), self.clock)

    def suggest(
        self, target: str, *hunks: Hunk, reason: str = "", phase: Phase = Phase.CORE
    ) -> Proposal:
        return self.reviewer.propose(target, hunks, reason, phase)

    def proposal(self, pid: str) -> Proposal:
        return self.reviewer.store.get(pid)

    def replacing(self, target: str, old: str, new: str, **more: Any) -> Hunk:
        """A change of the one line ``old``."""
        lines = self.read(target).split("\n")
        return Hunk(lines.index(old) + 1, (old,), tuple(new.split("\n")), "A newer note.", **more)


def evidence(quote: str, stance: str = "", source: str = "memory/2026-11-18.md#L12") -> Evidence:
    return Evidence(source, "f-0123456789ab", date(2026, 11, 18), quote, stance)


def two_in_core(notes: Notes) -> Proposal:
    """Two changes of the core memory, the first one with a note that speaks for it."""
    notes.write("memory.md", CORE)
    return notes.suggest(
        "memory.md",
        notes.replacing(
            "memory.md",
            "- Flour comes from Tomás every Monday at 7:00.",
            "- Flour comes from Tomás every Tuesday at 6:30.",
            evidence=(evidence("The delivery moves to Tuesdays at 6:30."),),
            topic="core:flour",
        ),
        notes.replacing(
            "memory.md",
            "- Mara is in Porto until 22 November.",
            "- Mara was in Porto, 17–22 November 2026.",
            topic="core:porto",
        ),
        reason="Two facts have changed",
    )


class Slow:
    """The workspace, with some of its methods replaced."""

    def __init__(self, workspace: Workspace, **methods: Callable[..., object]) -> None:
        self._workspace = workspace
        self._methods = methods

    def __getattr__(self, name: str) -> Any:
        return self._methods.get(name) or getattr(self._workspace, name)


class Desk:
    """The page with everything behind it."""

    def __init__(self, qtbot: QtBot, notes: Notes, **methods: Callable[..., object]) -> None:
        self.qtbot = qtbot
        self.notes = notes
        self.tasks = Tasks()
        self.workspace = open_workspace(notes.root, clock=notes.clock, choose_embedder=lambda: None)
        shown: Any = Slow(self.workspace, **methods) if methods else self.workspace
        self.library = Library(self.tasks, lambda path: shown)
        self.review = Review(self.tasks, self.library)
        self.reflection = Reflection(self.tasks, self.library)
        self.page = ReviewPage(self.tasks, self.library, self.review, self.reflection, TODAY)
        qtbot.addWidget(self.page)
        self.toasts: list[tuple[str, str, Any]] = []
        self.counts: list[int] = []
        self.sources: list[Any] = []
        self.bugs: list[object] = []
        self.page.toast_requested.connect(lambda *toast: self.toasts.append(toast))
        self.page.waiting_changed.connect(self.counts.append)
        self.page.source_requested.connect(self.sources.append)
        self.tasks.bug.connect(self.bugs.append)
        self.page.resize(1154, 652)
        self.page.show()

    def open(self) -> None:
        self.library.open(self.notes.root)
        self.settle()

    def settle(self) -> None:
        """Until nothing runs and every card is there."""

        def through() -> bool:
            self.qtbot.wait(1)
            return self.tasks.is_idle and self.page.view.is_complete

        self.qtbot.waitUntil(lambda: through() and through() and through(), timeout=20_000)

    @property
    def view(self) -> Any:
        return self.page.view

    @property
    def toast(self) -> str:
        return self.toasts[-1][0] if self.toasts else ""

    def undo(self) -> None:
        """What the toast offers."""
        self.toasts[-1][2]()
        self.settle()

    def press(self, key: Qt.Key, widget: QWidget | None = None) -> None:
        QTest.keyClick(widget or self.page.view, key)
        self.settle()

    def titles(self) -> list[str]:
        return [row.title for row in self.page.model.rows]

    def close(self) -> None:
        self.library.stop()
        assert self.tasks.shutdown(10)
        self.library.close()
        for service in (self.reflection, self.review, self.library, self.tasks):
            service.deleteLater()  # here, and not where Python happens to clean up
        assert not self.bugs
