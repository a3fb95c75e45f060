"""A stand-in for the library's Workspace: the same face, answers from a list in memory.

It is as fast or as slow as a test wants, and fails when it is told to.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime
from pathlib import Path
from types import TracebackType

from daybank.dates import Interval
from daybank.errors import Cancelled, DaybankError, SourceGone
from daybank.markdown.model import Kind, Page, Role, Source
from daybank.markdown.page import read_page
from daybank.progress import CancelToken, Progress
from daybank.recall.results import Notice, RecallAnswer, RecallQuery, RecallResult, Why

TODAY = date(2026, 11, 27)


@dataclass(frozen=True)
class DayEntry:
    day: date
    path: str
    notes: int


@dataclass(frozen=True)
class Overview:
    notes: int
    days: int
    files: int = 0
    entities: int = 0
    first_day: date | None = None
    last_day: date | None = None
    last_sync: datetime | None = None
    is_indexed: bool = True


@dataclass(frozen=True)
class SyncReport:
    added: int = 0
    changed: int = 0
    removed: int = 0
    unchanged: int = 0
    passages: int = 0
    skipped: tuple[object, ...] = ()
    seconds: float = 0.0
    complete: bool = True
    rebuilt: bool = False
    elsewhere: bool = False

    @property
    def is_change(self) -> bool:
        here = self.added or self.changed or self.removed or self.rebuilt
        return bool(here or self.elsewhere)


@dataclass(frozen=True)
class Entity:
    name: str
    aliases: tuple[str, ...] = ()


@dataclass(frozen=True)
class FolderSummary:
    days: int
    pages: int
    is_empty: bool = False
    looks_like: str = "daybank"
    complete: bool = True


@dataclass(frozen=True)
class MeaningState:
    available: bool
    done: int
    total: int
    reason: str = ""


@dataclass(frozen=True)
class EmbedReport:
    embedded: int
    total: int
    failed: int = 0
    seconds: float = 0.0


class FakeWatcher:
    mode = "events"

    def __init__(self, notice: str | None = None) -> None:
        self.notice = notice
        self.closed = False

    def close(self) -> None:
        self.closed = True


def note(
    text: str,
    *,
    kind: Kind = Kind.WORLD,
    day: date | None = date(2026, 11, 18),
    line: int = 12,
    entities: Sequence[str] = (),
    confidence: float | None = None,
    words: Sequence[str] = (),
    path: str | None = None,
    role: Role = Role.LOG,
    why: Why | None = None,
    id_: str | None = None,
) -> RecallResult:
    """A result with its words highlighted."""
    where = path or (f"memory/{day.isoformat()}.md" if day else "notes/page.md")
    folded = text.casefold()
    spans = []
    for word in words:
        at = folded.find(word.casefold())
        if at >= 0:
            spans.append((at, at + len(word)))
    return RecallResult(
        kind=kind,
        content=text,
        source=Source(where, line, line),
        id=id_ or f"f-{abs(hash((text, where, line))) % 16**12:012x}",
        score=1.0,
        day=day,
        entities=tuple(entities),
        confidence=confidence,
        why=why or Why(words=tuple(words), entities=tuple(entities)),
        highlights=tuple(sorted(spans)),
        role=role,
    )


@dataclass
class FakeWorkspace:
    path: Path = Path("/notes")
    notes: list[RecallResult] = field(default_factory=list)
    pages: dict[str, str] = field(default_factory=dict)
    recall_takes: float = 0.0
    sync_files: int = 0
    sync_takes: float = 0.0
    sync_error: DaybankError | None = None
    recall_error: Exception | None = None
    moved_to: dict[str, Source] = field(default_factory=dict)
    gone: set[str] = field(default_factory=set)
    window: tuple[str, Interval] | None = None
    known: tuple[str, ...] = ()
    aliases: dict[str, tuple[str, ...]] = field(default_factory=dict)
    notices: tuple[Notice, ...] = ()
    asked: list[str] = field(default_factory=list)
    called_off: list[str] = field(default_factory=list)
    threads: set[str] = field(default_factory=set)
    closed: bool = False
    on_change: Callable[[], None] | None = None
    report: SyncReport = field(default_factory=SyncReport)
    texts: int = 0
    """For search by meaning; ``prepared`` of them are done."""
    prepared: int = 0
    text_takes: float = 0.0
    off_because: str = ""
    embed_error: Exception | None = None
    embeds: int = 0
    semantic: list[bool] = field(default_factory=list)

    @property
    def name(self) -> str:
        return self.path.name

    def __enter__(self) -> FakeWorkspace:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def sync(
        self,
        progress: Callable[[Progress], None] | None = None,
        cancel: threading.Event | None = None,
        *,
        rebuild: bool = False,
    ) -> SyncReport:
        self._seen()
        if self.sync_error is not None:
            raise self.sync_error
        for number in range(self.sync_files):
            if cancel is not None and cancel.is_set():
                raise Cancelled
            time.sleep(self.sync_takes)
            if progress is not None:
                progress(Progress("read", number + 1, self.sync_files))
        return self.report

    def meaning(self, cancel: CancelToken | None = None) -> MeaningState:
        self._seen()
        if self.off_because:
            return MeaningState(False, 0, 0, self.off_because)
        return MeaningState(True, self.prepared, self.texts)

    def embed(
        self,
        progress: Callable[[Progress], None] | None = None,
        cancel: threading.Event | None = None,
    ) -> EmbedReport:
        self._seen()
        assert not self.closed
        self.embeds += 1
        if self.embed_error is not None:
            raise self.embed_error
        before = self.prepared
        while self.prepared < self.texts:
            if cancel is not None and cancel.is_set():
                raise Cancelled
            time.sleep(self.text_takes)
            self.prepared += 1
            if progress is not None:
                progress(Progress("embed", self.prepared, self.texts))
        return EmbedReport(self.prepared - before, self.texts)

    def recall(
        self,
        text: str,
        *,
        k: int = 25,
        kinds: Sequence[Kind] = (),
        entities: Sequence[str] = (),
        semantic: bool = True,
        cancel: threading.Event | None = None,
    ) -> RecallAnswer:
        self._seen()
        self.asked.append(text)
        self.semantic.append(semantic)
        if cancel is None:
            time.sleep(self.recall_takes)
        elif cancel.wait(self.recall_takes):
            self.called_off.append(text)
            raise Cancelled
        if self.recall_error is not None:
            raise self.recall_error
        window = None
        if self.window is not None and self.window[0] in text:
            window = self.window
            text_left = text.replace(window[0], "")
        else:
            text_left = text
        words = tuple(w for w in text_left.split() if w)
        named = tuple(name for name in self.known if name.casefold() in text.casefold())
        query = RecallQuery(
            text,
            words,
            entities=(*entities, *named),
            window=window[1] if window else None,
            window_phrase=window[0] if window else None,
            kinds=tuple(kinds),
        )
        if query.is_blank:
            return RecallAnswer(query, notices=(Notice("blank", "Type something."),))
        found = [
            n
            for n in self.notes
            if (not words or any(_stem(w) in n.content.casefold() for w in words))
            and (window is None or (n.day is not None and n.day in window[1]))
        ]
        counts: dict[Kind, int] = {}
        for n in found:
            counts[n.kind] = counts.get(n.kind, 0) + 1
        if kinds:
            found = [n for n in found if n.kind in kinds]
        return RecallAnswer(
            query,
            tuple(found[:k]),
            self.notices,
            found=len(found),
            kind_counts=tuple(counts.items()),
        )

    def overview(self) -> Overview:
        self._seen()
        days = {n.day for n in self.notes if n.day}
        return Overview(len(self.notes), len(days), len(self.pages))

    def page(self, path: str) -> Page:
        self._seen()
        if path not in self.pages:
            raise SourceGone("This page is not there any more.", f"“{path}” was moved or removed.")
        return read_page(path, self.pages[path].encode("utf-8", "surrogatepass"))

    def locate(self, source: Source, id: str | None = None) -> Source:
        self._seen()
        if id in self.gone:
            raise SourceGone("The source has changed since.")
        return self.moved_to.get(id or "", source)

    def entities(self, prefix: str = "", limit: int = 0) -> tuple[Entity, ...]:
        return tuple(Entity(name) for name in self.known)

    def days_beside(self, day: date) -> tuple[DayEntry | None, DayEntry | None]:
        before = [entry for entry in self.days() if entry.day < day]
        after = [entry for entry in self.days() if entry.day > day]
        return before[-1] if before else None, after[0] if after else None

    def days(self) -> tuple[DayEntry, ...]:
        self._seen()
        entries = []
        for path in sorted(self.pages):
            stem = Path(path).stem
            if path.startswith("memory/") and stem[:4].isdigit():
                entries.append(DayEntry(date.fromisoformat(stem), path, 3))
        return tuple(entries)

    def entity(self, name: str) -> Entity | None:
        return Entity(name, self.aliases.get(name, ()))

    # Nothing was reflected on here: the pages beside search find nothing.

    def proposals(self) -> tuple[object, ...]:
        self._seen()
        return ()

    settled_proposals = nevers = proposals

    def reflections(self, limit: int = 0) -> tuple[object, ...]:
        self._seen()
        return ()

    def opinions(self, about: str | None = None) -> tuple[object, ...]:
        self._seen()
        return ()

    def absolute(self, path: str) -> Path:
        return self.path / path

    def last_reflection(self) -> datetime | None:
        return None

    def watch(self, on_change: Callable[[], None]) -> FakeWatcher:
        self.on_change = on_change
        return FakeWatcher()

    def close(self) -> None:
        self.closed = True

    def _seen(self) -> None:
        self.threads.add(threading.current_thread().name)


def _stem(word: str) -> str:
    return word.casefold().strip('"')[:7]


BAKERY_DAY = """# 2026-11-18

## Morning
Cold and bright, first frost on the skylight. The new oven held 230° for the whole second \
batch, so the rye finally has a proper crust. @Jun came by with the second sketch of the \
sign and stayed for coffee.

## After lunch
Long call with @Tomás. The mill now shares a van with two other bakeries, so our day \
changes. He was sorry about the short notice and offered a month at the old price.

## Retain
- W @Tomás: From December the flour delivery moves to Tuesdays at 6:30, because the mill \
shares a van with two other bakeries.
- B @Jun: Chose the second sketch of the shop sign, blue letters on cream; final drawing \
by 4 December.
- O(c=0.9) @[Oven 2]: Worth the money. The rye has a better crust and we use less gas.
- B @Лена: Позвонила — прилетает 12 декабря, остановится у нас на неделю.
"""


def bakery() -> FakeWorkspace:
    """The folder of the design's pictures."""
    words = ("flour", "delivery")
    both = Why(words=("delivery", "flour"), entities=("Tomás",), in_window=True)
    notes = [
        note(
            "From December the flour delivery moves to Tuesdays at 6:30, "
            "because the mill shares a van.",
            line=10,
            entities=("Tomás",),
            words=words,
            why=both,
        ),
        note(
            "Agreed with both: Mara opens up for the Tuesday delivery, I take Saturdays.",
            kind=Kind.EXPERIENCE,
            day=date(2026, 11, 19),
            line=9,
            entities=("Mara", "Tomás"),
            words=words,
        ),
        note(
            "Mara would rather pay a little more than change the delivery day again.",
            kind=Kind.OPINION,
            day=date(2026, 11, 20),
            line=7,
            entities=("Mara",),
            confidence=0.74,
            words=words,
        ),
        note(
            "Mara is in Porto until Sunday for her mother’s birthday; deliveries go to Jun.",
            day=date(2026, 11, 17),
            line=5,
            entities=("Mara",),
            words=("deliveries",),
        ),
        note("Old flour delivery note of another year.", day=date(2025, 3, 2), words=words),
        note(
            "Flour delivery without a date",
            day=None,
            words=words,
            role=Role.BANK,
            path="bank/world.md",
            kind=Kind.OBSERVATION,
        ),
    ]
    pages = {f"memory/2026-11-{day}.md": f"# A day\n\nShort day {day}.\n" for day in (17, 19, 20)}
    pages["memory/2026-11-18.md"] = BAKERY_DAY
    pages["memory/2025-03-02.md"] = "Old flour delivery note of another year.\n"
    pages["bank/world.md"] = "- S: Flour delivery without a date\n"
    return FakeWorkspace(
        path=Path("/home/ines/Ines’s notes"),
        notes=notes,
        pages=pages,
        window=("last week", Interval(date(2026, 11, 16), date(2026, 11, 22))),
        known=("Mara", "Tomás"),
    )


def many(count: int) -> list[RecallResult]:
    """So many notes on flour, each with its own length."""
    return [
        replace(
            note(
                f"Note {n} about flour. " + "More words follow here. " * (n % 9),
                day=date(2020, 1, 1 + n % 28),
                words=("flour",),
            ),
            id=f"p-{n:012x}",
        )
        for n in range(count)
    ]
