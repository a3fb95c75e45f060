"""Pages for the reader: loaded off the GUI thread, with the place that was cited found again.

GUI thread. Only the newest page asked for arrives.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING
from urllib.parse import unquote

from PySide6.QtCore import QObject, Signal

from daybank.errors import DaybankError, SourceGone
from daybank.markdown.model import Page, Role, Source
from daybank.recall.results import RecallResult
from daybank_desktop.services.library import Library
from daybank_desktop.tasks import Lane, Tasks

if TYPE_CHECKING:
    from daybank import DayEntry, Workspace


_LINES = re.compile(r"L(\d+)(?:-L?(\d+))?")
_PAGES = (".md", ".markdown", ".txt", ".jsonl")


@dataclass(frozen=True, slots=True)
class OpenedPage:
    """A page as the reader shows it.

    ``cited`` are the lines asked for, as they are now; ``is_gone`` when the text is not there any
    more. ``marks`` are the words to mark inside them. ``before`` and ``after`` are the neighbouring
    days that have a log.
    """

    page: Page
    cited: Source | None = None
    is_gone: bool = False
    marks: tuple[str, ...] = ()
    result: RecallResult | None = None
    before: tuple[date, str] | None = None
    after: tuple[date, str] | None = None


class Pages(QObject):
    """Opens results and paths; the answer comes by signal."""

    loading = Signal(str)  # the path
    loaded = Signal(object)  # OpenedPage
    failed = Signal(str, object)  # the path, DaybankError

    def __init__(self, tasks: Tasks, library: Library, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._tasks = tasks
        self._library = library
        library.opened.connect(self.cancel)

    def open_result(self, result: RecallResult) -> None:
        """Open the page of ``result`` at the place where its text stands now."""
        self._load(result.source.path, lambda workspace: _opened_result(workspace, result))

    def open_path(self, path: str, cited: Source | None = None) -> None:
        """Open a page of the folder, from a link or a day."""
        self._load(path, lambda workspace: _opened_path(workspace, path, cited))

    def open_source(self, source: Source, id: str | None) -> None:
        """Open the page of a citation at the place where the note ``id`` stands now."""
        self._load(source.path, lambda workspace: _opened_source(workspace, source, id))

    def open_link(self, page: str, link: str) -> None:
        """Open what ``link``, written on ``page``, leads to: beside it first, then from the top."""
        path, _, fragment = link.partition("#")
        self._load(link, lambda workspace: _opened_link(workspace, page, unquote(path), fragment))

    def cancel(self) -> None:
        self._tasks.drop("page")

    def _load(self, path: str, load: Loader) -> None:
        workspace = self._library.workspace
        if workspace is None:
            return
        self.loading.emit(path)
        self._tasks.run(
            Lane.PAGE,
            lambda job: load(workspace),
            done=self.loaded.emit,
            failed=lambda error: self._on_failure(path, error),
            channel="page",
        )

    def _on_failure(self, path: str, error: DaybankError) -> None:
        self.failed.emit(path, error)


if TYPE_CHECKING:
    from collections.abc import Callable

    Loader = Callable[[Workspace], OpenedPage]


def marked_words(result: RecallResult) -> tuple[str, ...]:
    """The found words of ``result`` as they are spelled in it, each once."""
    return tuple(dict.fromkeys(result.content[start:end] for start, end in result.highlights))


def _opened_result(workspace: Workspace, result: RecallResult) -> OpenedPage:
    try:
        cited, is_gone = workspace.locate(result.source, result.id), False
    except SourceGone:
        cited, is_gone = None, True
    page = workspace.page(cited.path if cited else result.source.path)
    before, after = _neighbours(workspace, page)
    return OpenedPage(page, cited, is_gone, marked_words(result), result, before, after)


def _opened_source(workspace: Workspace, source: Source, id: str | None) -> OpenedPage:
    try:
        cited, is_gone = workspace.locate(source, id), False
    except SourceGone:
        cited, is_gone = None, True
    page = workspace.page(cited.path if cited else source.path)
    before, after = _neighbours(workspace, page)
    return OpenedPage(page, cited, is_gone, before=before, after=after)


def _opened_path(workspace: Workspace, path: str, cited: Source | None) -> OpenedPage:
    page = workspace.page(path)
    before, after = _neighbours(workspace, page)
    return OpenedPage(page, cited, before=before, after=after)


def _opened_link(workspace: Workspace, page: str, path: str, fragment: str) -> OpenedPage:
    lines = _LINES.fullmatch(fragment)
    gone: SourceGone | None = None
    for place in _link_places(page, path):
        cited = None
        if lines is not None:
            cited = Source(place, int(lines[1]), int(lines[2] or lines[1]))
        try:
            return _opened_path(workspace, place, cited)
        except SourceGone as error:
            gone = gone or error
    raise gone or SourceGone(f"“{path}” is no page of notes.")


def _link_places(page: str, path: str) -> Iterator[str]:
    """Where a link may mean. What leads out of the folder is refused by the workspace."""
    beside = posixpath.normpath(posixpath.join(posixpath.dirname(page), path))
    for place in dict.fromkeys((beside, path)):
        suffix = posixpath.splitext(place)[1].lower()
        if suffix in _PAGES:
            yield place
        elif place.startswith("../") or not suffix:
            yield place + ".md"


def _neighbours(
    workspace: Workspace, page: Page
) -> tuple[tuple[date, str] | None, tuple[date, str] | None]:
    if page.role is not Role.LOG or page.day is None:
        return None, None
    before, after = workspace.days_beside(page.day)
    return _place(before), _place(after)


def _place(entry: DayEntry | None) -> tuple[date, str] | None:
    return (entry.day, entry.path) if entry else None
