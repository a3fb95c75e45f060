"""People and things: the list of them, what the notes say of one, and the names they go by.

GUI thread; whatever asks the library runs on a lane. Of two people asked for, only the newer one
arrives. One with very many notes arrives in two parts: first the newest notes, then all of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from daybank.errors import DaybankError
from daybank.markdown.model import Kind, Passage, Source
from daybank.markdown.passages import parse_file
from daybank.recall.results import RecallResult
from daybank_desktop.services.library import Library
from daybank_desktop.services.settings import SettingsStore
from daybank_desktop.services.similar_names import NameHint, hint_for
from daybank_desktop.tasks import Lane, Tasks
from daybank_desktop.timeline.items import TimelineItems, items_of

if TYPE_CHECKING:
    from daybank import Entity, Workspace
    from daybank.reflect.opinion_list import Opinion
    from daybank.review.apply import Applied

FIRST = 200
"""Notes of the first part."""
ALL = 200_000
MOST_MESSAGES = 500
MOST_LINES = 6
LATEST_LINES = 3
_KEPT_REFUSALS = 500


@dataclass(frozen=True, slots=True)
class CitedLine:
    """A sentence about somebody and the note it comes from. ``confidence`` in [0, 1] where that
    note is an opinion."""

    text: str
    source: Source
    id: str | None = None
    day: date | None = None
    confidence: float | None = None


@dataclass(frozen=True, slots=True)
class Portrait:
    """All that the page shows of ``entity``.

    ``lines`` say how things stand: from its own page if ``from_page``, else from the newest notes.
    ``notes`` are newest first, without what Daybank itself wrote; ``is_whole`` is False while only
    the newest are there.
    """

    entity: Entity
    lines: tuple[CitedLine, ...]
    from_page: bool
    notes: tuple[RecallResult, ...]
    items: TimelineItems
    opinions: tuple[Opinion, ...]
    messages: tuple[RecallResult, ...]
    is_whole: bool


@dataclass(frozen=True, slots=True)
class NameChange:
    """``alias`` was added to the names of ``name``, or taken away from them. ``proposal`` undoes
    it."""

    name: str
    alias: str
    added: bool
    proposal: str


class People(QObject):
    """Answers come by signal."""

    listed = Signal(object)  # tuple[EntitySummary, ...]
    list_failed = Signal(object)  # DaybankError
    matched = Signal(str, object)  # what was typed, the keys whose name or alias begins so
    loading = Signal(str)  # the name
    loaded = Signal(object)  # Portrait, perhaps a second time with all the notes
    missing = Signal(str)  # nothing mentions the name
    failed = Signal(str, object)  # the name, DaybankError
    hinted = Signal(str, object)  # the key, NameHint or None
    names_changed = Signal(object)  # NameChange
    names_failed = Signal(object)  # DaybankError
    undone = Signal(object)  # NameChange
    undo_failed = Signal(object)  # DaybankError

    def __init__(
        self,
        tasks: Tasks,
        library: Library,
        settings: SettingsStore,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._tasks = tasks
        self._library = library
        self._settings = settings
        self._name = ""
        self._has_whole = False
        self._last: Portrait | None = None
        library.opened.connect(self._on_opened)

    @property
    def name(self) -> str:
        """Who was asked for last."""
        return self._name

    def load_list(self) -> None:
        """Ask for everyone and everything."""
        workspace = self._library.workspace
        if workspace is not None:
            self._tasks.run(
                Lane.READ,
                lambda job: workspace.entities(),
                done=self.listed.emit,
                failed=self.list_failed.emit,
                channel="people",
            )

    def match(self, text: str) -> None:
        """Ask who has a name or an alias that begins with ``text``."""
        workspace = self._library.workspace
        if workspace is not None and text.strip():
            self._tasks.run(
                Lane.READ,
                lambda job: frozenset(found.key for found in workspace.entities(text.strip())),
                done=lambda keys: self.matched.emit(text, keys),
                failed=lambda error: None,  # the names in the list are searched already
                channel="people-match",
            )

    def open(self, name: str) -> None:
        """Ask for one of them, by a name or an alias."""
        self._name = name
        self._has_whole = False
        self.loading.emit(name)
        self._load(name, FIRST)

    def reload(self) -> None:
        """Ask for the same one again, quietly."""
        if self._name:
            # Once all is shown, a part of it would only make the list jump.
            self._load(self._name, ALL if self._has_whole else FIRST)

    def close(self) -> None:
        """Whoever was asked for is not wanted any more."""
        self._name, self._last = "", None
        for channel in ("portrait", "name-hint"):
            self._tasks.drop(channel)

    def look_for_hint(self, portrait: Portrait) -> None:
        """Ask whether another name looks like one of this one's."""
        workspace = self._library.workspace
        if workspace is None:
            return
        refused = self._refused(workspace)
        entity = portrait.entity
        self._tasks.run(
            Lane.READ,
            lambda job: _hint(workspace, entity, refused),
            done=lambda hint: self.hinted.emit(entity.key, hint),
            failed=lambda error: None,  # a hint that is not there is not missed
            channel="name-hint",
        )

    def refuse_hint(self, hint: NameHint) -> None:
        """The two are not the same; they are not asked about again in this folder."""
        workspace = self._library.workspace
        if workspace is None:
            return
        entry = "\t".join((str(workspace.path), *hint.pair))
        kept = [known for known in self._settings.value.not_same if known != entry]
        self._settings.update(not_same=(entry, *kept)[:_KEPT_REFUSALS])

    def add_alias(self, name: str, alias: str) -> None:
        """Have ``alias`` mean the same as ``name`` from now on."""
        self._change(name, alias, added=True)

    def remove_alias(self, name: str, alias: str) -> None:
        """Have ``alias`` not mean ``name`` any more."""
        self._change(name, alias, added=False)

    def undo(self, change: NameChange) -> None:
        """Take a change of names back."""
        workspace = self._library.workspace
        if workspace is not None:
            self._tasks.run(
                Lane.WRITE,
                lambda job: workspace.undo(change.proposal),
                done=lambda _: self.undone.emit(change),
                failed=self.undo_failed.emit,
            )

    def _change(self, name: str, alias: str, *, added: bool) -> None:
        workspace = self._library.workspace
        if workspace is None:
            return

        def change() -> Applied:
            change_names = workspace.add_alias if added else workspace.remove_alias
            return change_names(name, alias)

        def done(applied: Applied) -> None:
            self.names_changed.emit(NameChange(name, alias, added, applied.proposal.id))

        self._tasks.run(Lane.WRITE, lambda job: change(), done=done, failed=self.names_failed.emit)

    def _load(self, name: str, limit: int) -> None:
        workspace = self._library.workspace
        if workspace is None:
            return
        last = self._last
        self._tasks.run(
            Lane.READ,
            lambda job: portrait_of(workspace, name, limit, last),
            done=lambda portrait: self._on_portrait(name, portrait),
            failed=lambda error: self._on_failure(name, error),
            channel="portrait",
        )

    def _on_portrait(self, name: str, portrait: Portrait | None) -> None:
        if portrait is None:
            self.missing.emit(name)
            return
        self._has_whole = portrait.is_whole
        self._last = portrait
        self.loaded.emit(portrait)
        if not portrait.is_whole and self._name == name:
            self._load(name, ALL)

    def _on_failure(self, name: str, error: DaybankError) -> None:
        self.failed.emit(name, error)

    def _on_opened(self) -> None:
        self.close()

    def _refused(self, workspace: Workspace) -> frozenset[tuple[str, str]]:
        found = set()
        for entry in self._settings.value.not_same:
            folder, _, pair = entry.partition("\t")
            first, _, second = pair.partition("\t")
            if folder == str(workspace.path) and second:
                found.add((first, second))
        return frozenset(found)


def portrait_of(
    workspace: Workspace, name: str, limit: int, last: Portrait | None = None
) -> Portrait | None:
    """On a worker: everything about one of them, with at most ``limit`` notes. Notes that are as
    in the ``last`` portrait are the very same values, so that the window compares them at once."""
    entity = workspace.entity(name, limit=limit)
    if entity is None:
        return None
    known = {note.id: note for note in last.notes} if last is not None else {}
    notes = tuple(
        known[note.id] if known.get(note.id) == note else note
        for note in entity.facts
        if note.kind is not Kind.MESSAGE and not note.machine
    )
    lines = _page_lines(workspace, entity.page, notes)
    return Portrait(
        entity,
        lines or _latest(notes),
        bool(lines),
        notes,
        items_of(note for note in notes if note.source.path != entity.page),
        tuple(workspace.opinions(entity.name)),
        _messages(workspace, (entity.name, *entity.aliases)),
        len(entity.facts) < limit,
    )


def _page_lines(
    workspace: Workspace, path: str | None, notes: Iterable[RecallResult]
) -> tuple[CitedLine, ...]:
    """What Daybank keeps on their page, else what the person wrote there, with what it cites."""
    if path is None:
        return ()
    try:
        page = parse_file(path, workspace.absolute(path).read_bytes())
    except (OSError, DaybankError):
        return ()  # the newest notes stand in for it
    kept = [passage for passage in page.passages if passage.machine] or list(page.passages)
    known = {note.id: note for note in notes}
    return tuple(_cited(passage, known) for passage in kept[:MOST_LINES])


def _cited(passage: Passage, known: Mapping[str, RecallResult]) -> CitedLine:
    """A line with the note that it cites: as it is known now, else where the line says it is."""
    for cite in passage.cites:
        note = known.get(cite)
        if note is not None:
            return CitedLine(passage.content, note.source, note.id, note.day, note.confidence)
    id_ = next((cite for cite in passage.cites if cite.startswith("f-")), None)
    for cite in passage.cites:
        path, _, line = cite.partition("#L")
        number = line.partition("-")[0]
        if path and number.isdecimal():
            source = Source(path, int(number), int(number))
            return CitedLine(passage.content, source, id_, _day_of(path))
    return CitedLine(passage.content, passage.source)


def _day_of(path: str) -> date | None:
    try:
        return date.fromisoformat(PurePosixPath(path).name[:10])
    except ValueError:
        return None


def _latest(notes: Sequence[RecallResult]) -> tuple[CitedLine, ...]:
    some = [note for note in notes if note.kind.is_fact] or list(notes)
    return tuple(
        CitedLine(note.content, note.source, note.id, note.day, note.confidence)
        for note in some[:LATEST_LINES]
    )


def _messages(workspace: Workspace, names: Sequence[str]) -> tuple[RecallResult, ...]:
    """The messages that say one of ``names``, newest first."""
    found: dict[str, RecallResult] = {}
    for name in names:
        words = name.replace('"', " ").strip()
        if not words:
            continue
        answer = workspace.recall(
            f'"{words}"', k=MOST_MESSAGES, kinds=(Kind.MESSAGE,), semantic=False
        )
        for result in answer.results:
            found.setdefault(result.id, result)
    return tuple(sorted(found.values(), key=lambda result: result.day or date.min, reverse=True))


def _hint(
    workspace: Workspace, entity: Entity, refused: frozenset[tuple[str, str]]
) -> NameHint | None:
    everyone = workspace.entities()
    current = next((other for other in everyone if other.key == entity.key), None)
    if current is None:
        return None
    return hint_for(current, (entity.name, *entity.aliases), everyone, refused)
