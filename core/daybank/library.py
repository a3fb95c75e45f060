"""The library's face: one open workspace, and everything one can ask of it.

A :class:`Workspace` may be used from several threads; each has its own connection to the index,
and one writer at a time is let in. Closing it waits until the others are done with it.
"""

from __future__ import annotations

import hashlib
import logging
import os
import shutil
import sqlite3
import unicodedata
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, TypeAlias, TypeVar

from peewee import DatabaseError as PeeweeDatabaseError

from daybank.capture import Added, add_note, undo_note
from daybank.clock import Clock, SystemClock
from daybank.dates import Interval, parse_since, parse_until
from daybank.embedding.vectors import Embedder, Space
from daybank.errors import (
    DaybankError,
    IndexBusy,
    IndexUnwritable,
    ModelError,
    ProposalError,
    ProposalRefused,
    SourceGone,
    WorkspaceError,
)
from daybank.health import (
    HealthReport,
    LastReflection,
    SecretScan,
    Upkeep,
    WaitingSuggestion,
    check_health,
)
from daybank.index.database import (
    LEASE_SECONDS,
    ConnectionFactory,
    IndexDatabase,
    explain,
    is_damage,
    remove_index,
)
from daybank.index.filter import Filter
from daybank.index.meaning import VECTOR_FOLDER, EmbedReport
from daybank.index.store import IndexStore, StoredPassage
from daybank.index.switching import ChooseEmbedder, EarlierEmbedder, Meanings, Standing
from daybank.index.sync import Synchronizer, SyncReport, owner_of
from daybank.index.watcher import Watcher
from daybank.knowledge import Topic, Written, list_topics, read_topic, write_topic
from daybank.markdown.chat_page import read_chat_page
from daybank.markdown.chatlog import parse_chat
from daybank.markdown.model import Kind, Page, ParsedFile, Role, Source
from daybank.markdown.names import passage_id
from daybank.markdown.opinions import OPINIONS, OpinionsPage, read_opinions
from daybank.markdown.page import read_page
from daybank.markdown.passages import parse_file, role_of
from daybank.progress import CancelToken, OnProgress, check_cancel
from daybank.recall.chat import ChatPage, ChatSearch
from daybank.recall.engine import RecallEngine, result_of
from daybank.recall.names import KnownEntity
from daybank.recall.packet import within_budget
from daybank.recall.results import Notice, RecallAnswer, RecallQuery, RecallResult
from daybank.reflect.opinion_list import Opinion, list_opinions
from daybank.reflect.record import ReflectionReport
from daybank.reflect.service import ReflectionService
from daybank.review.apply import Applied, Approval, Undone
from daybank.review.proposal import Decision, Phase, Proposal, State
from daybank.review.topics import replace_topic
from daybank.settings import Settings
from daybank.workspace import STATE_FOLDER, WorkspaceFolder, plain_path

if TYPE_CHECKING:
    from daybank.reflect.by_hand import HandChange, Move
    from daybank.reflect.run import Outcome
    from daybank.reflect.wording import LanguageModel

log = logging.getLogger(__name__)

ChooseModel: TypeAlias = "Callable[[], LanguageModel | None]"

_SHORT_WAIT = 10.0
"""Seconds that an answer to a suggestion waits for another program that is reading the folder."""

Bound = date | str | None
Answer = TypeVar("Answer")


@dataclass(frozen=True, slots=True)
class Overview:
    """The size and the state of a workspace as the index knows it."""

    notes: int
    days: int
    files: int
    entities: int
    first_day: date | None
    last_day: date | None
    last_sync: datetime | None
    is_indexed: bool


@dataclass(frozen=True, slots=True)
class MeaningState:
    """How far search by meaning is prepared with the chosen model: ``done`` of ``total`` texts.
    ``reason`` says why it is not available, where it is not; where it is, why another model than
    the chosen one stands in for it."""

    available: bool
    done: int
    total: int
    reason: str


@dataclass(frozen=True, slots=True)
class DayEntry:
    """A day that has a log."""

    day: date
    path: str
    notes: int


@dataclass(frozen=True, slots=True)
class EntitySummary:
    """A person or thing in a list."""

    key: str
    name: str
    type: str | None
    mentions: int
    last_day: date | None


@dataclass(frozen=True, slots=True)
class Entity:
    """A person or thing with what the notes say of it: facts newest first, and who or what it
    is mentioned together with, most often first."""

    key: str
    name: str
    aliases: tuple[str, ...]
    type: str | None
    page: str | None
    mentions: int
    first_day: date | None
    last_day: date | None
    facts: tuple[RecallResult, ...]
    together: tuple[tuple[str, int], ...]


class Workspace:
    """An open memory folder. Use :func:`open_workspace`."""

    def __init__(
        self,
        folder: WorkspaceFolder,
        clock: Clock,
        connect: ConnectionFactory = sqlite3.connect,
        choose_embedder: ChooseEmbedder | None = None,
        earlier_embedder: EarlierEmbedder | None = None,
        *,
        commit: bool = False,
        language_model: ChooseModel | None = None,
    ) -> None:
        self._language_model = language_model or (lambda: None)
        self._folder = folder
        self._clock = clock
        self._index = IndexDatabase(folder.state_dir(), connect)
        self._meanings = Meanings(
            self._index, choose_embedder or built_in_embedder, earlier_embedder or _no_embedder
        )
        self._store = IndexStore(self._index)
        self._engine = RecallEngine(self._store)
        self._engine.read_opinions = self._read_opinions
        self._sync = Synchronizer(folder, self._index, clock)
        self._reflection = ReflectionService(folder, self._store, clock, commit=commit)
        self._secrets = SecretScan()
        self._chat = ChatSearch(folder, self._store)

    def __enter__(self) -> Workspace:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the index and the model. What other threads have begun is waited for, for some
        seconds; who asks afterwards opens both again."""
        self._index.close()
        self._meanings.close()  # last: a search that was waited for may have been in it

    # -- what it is

    @property
    def path(self) -> Path:
        return self._folder.root

    @property
    def name(self) -> str:
        """The folder's name, as shown."""
        return self._folder.name

    @property
    def index_path(self) -> Path:
        return self._index.path

    def absolute(self, path: str) -> Path:
        """The real place of a workspace path. Raises PathRefused when it leads out."""
        return self._folder.absolute(path)

    def overview(self) -> Overview:
        """Counts and days, from the index alone."""

        def look() -> Overview:
            if not self._index.is_current():
                return Overview(0, 0, 0, 0, None, None, None, False)
            totals = self._store.totals()
            synced = self._store.meta("synced")
            return Overview(
                totals.passages,
                totals.days,
                totals.files,
                len(self._engine.names().all()),
                totals.first_day,
                totals.last_day,
                self._sync.last_run or (datetime.fromisoformat(synced) if synced else None),
                synced is not None,
            )

        return self._ask(look)

    # -- the index

    def sync(
        self,
        progress: OnProgress | None = None,
        cancel: CancelToken | None = None,
        *,
        rebuild: bool = False,
        within: str = "",
        wait: float = LEASE_SECONDS,
    ) -> SyncReport:
        """Read what changed in the folder (or ``within`` a file or folder of it) into the index.

        ``rebuild`` reads everything again, while the old index goes on answering. A damaged or
        outdated index is rebuilt without being asked. ``progress`` is called on this thread.
        Another program that is reading the folder is waited for, up to ``wait`` seconds.

        Raises Cancelled, IndexBusy, IndexUnwritable, WorkspaceUnreadable, PathRefused.
        """
        self._folder.check_connected()
        self._folder.state_dir()
        return self._sync.run(
            progress, cancel, rebuild=rebuild, within=plain_path(within), wait=wait
        )

    def watch(self, on_change: Callable[[], None], *, period: float = 60.0) -> Watcher:
        """Call ``on_change`` (on a thread of the watcher's) soon after something changed in the
        folder, and every ``period`` seconds, since not every system reports all changes."""
        return Watcher.start(self._folder.root, on_change, period=period)

    # -- meaning

    def embed(
        self, progress: OnProgress | None = None, cancel: CancelToken | None = None
    ) -> EmbedReport:
        """Prepare search by meaning: a vector for every text that has none yet, newest notes
        first. Takes minutes for thousands of notes; what is done when it is stopped stays done,
        and words are found meanwhile. After a change of the model, what was prepared before goes
        on answering until all is prepared anew. ``progress`` is called on this thread.

        Raises Cancelled, IndexBusy, IndexUnwritable, and ModelError where no model can be used.
        """
        self._folder.state_dir()
        return self._meanings.embed(progress, cancel)

    def meaning(self, cancel: CancelToken | None = None) -> MeaningState:
        """How far search by meaning is prepared. Looks at every text; not for each keystroke.
        Raises Cancelled."""
        try:
            meaning = self._meanings.chosen()
        except ModelError as error:
            return MeaningState(False, 0, 0, str(error))
        done, total = meaning.coverage(cancel)
        return MeaningState(True, done, total, self._meanings.trouble)

    def model_changed(self) -> None:
        """Tell that ``choose_embedder`` gives another model from now on. What is prepared with the
        one before answers until :meth:`embed` is through with the new one."""
        self._meanings.forget_choice()

    # -- recall

    def recall(
        self,
        text: str,
        *,
        k: int = 25,
        since: Bound = None,
        until: Bound = None,
        kinds: Sequence[Kind | str] = (),
        entities: Sequence[str] = (),
        budget: int | None = None,
        semantic: bool = True,
        cancel: CancelToken | None = None,
    ) -> RecallAnswer:
        """Find what the notes say. No text raises or acts as an operator.

        ``since`` and ``until`` are days, or texts such as ``"30d"``, ``"2025-11"`` or
        ``"last week"``; both days count. ``kinds`` and ``entities`` keep only such notes (all of
        several entities). ``budget`` limits the answer to that many tokens of content
        (characters / 4), and leaves out what says nearly the same as a better note.
        ``semantic`` allows search by meaning where it is set up. ``cancel``, set from any thread,
        ends the search within milliseconds: a newer question need not wait for it.

        Raises ValueError for an unreadable bound or kind, and Cancelled.
        """
        check_cancel(cancel)
        if semantic:
            self._engine.meaning = self._meanings.answering()
        today = self._clock.today()
        window = _window(since, until, today)
        wanted = tuple(Kind(kind) for kind in kinds)

        def look() -> RecallAnswer:
            if not self._index.is_current():
                self._folder.check_connected()
                return _not_indexed(text, window, wanted)
            answer = self._engine.recall(
                text,
                today,
                k=k,
                window=window,
                kinds=wanted,
                entities=tuple(entities),
                semantic=semantic,
            )
            if budget is not None:
                answer = within_budget(answer, budget)
            if semantic and (answer.query.words or answer.query.phrases):
                answer = replace(answer, notices=(*answer.notices, *self._meaning_notices()))
            if self._store.meta("synced") is None:
                notice = Notice(
                    "partly-indexed", "The notes are still being read: not all is found."
                )
                answer = replace(answer, notices=(*answer.notices, notice))
            return answer

        return self._ask(look, cancel)

    def search_chat(self, text: str, *, count: int = 20, offset: int = 0) -> ChatPage:
        """The messages of the conversation logs that say ``text``, newest first: ``count`` of them
        after the first ``offset``. No text raises or acts as an operator; without words all of
        them come. Where no message has every word, those that have some do."""
        if not self._ask(self._index.is_current):
            self.sync()
        now = self._clock.now()

        def look() -> ChatPage:
            names = self._engine.names()
            return self._chat.search(
                text, now.date(), now.tzinfo, names, count=count, offset=offset
            )

        return self._ask(look)

    # -- people and things

    def entities(self, prefix: str = "", limit: int = 0) -> tuple[EntitySummary, ...]:
        """The people and things whose name or alias begins with ``prefix``, most mentioned
        first; all of them when ``limit`` is 0."""
        start = _plain_key(prefix)

        def look() -> Sequence[KnownEntity]:
            return self._engine.names().all() if self._index.is_current() else ()

        found = [
            EntitySummary(e.key, e.name, e.type, e.mentions, e.last_day)
            for e in self._ask(look)
            if any(_plain_key(name).startswith(start) for name in (e.name, *e.aliases))
        ]
        return tuple(found[:limit] if limit else found)

    def entity(self, name: str, *, limit: int = 200) -> Entity | None:
        """What the notes say of a person or thing, by its name or an alias in any case; None when
        nothing mentions it. ``limit`` bounds the facts."""
        return self._ask(lambda: self._entity(name, limit))

    # -- pages

    def page(self, path: str) -> Page:
        """A file as the reader shows it, read from the disk now.

        Raises SourceGone, PathRefused, WorkspaceUnreadable.
        """
        data = self._folder.read_bytes(path)
        if role_of(path) is Role.CHAT:
            return read_chat_page(
                path, data, owner_id=owner_of(self._folder), zone=self._clock.now().tzinfo
            )
        return read_page(path, data)

    def locate(self, source: Source, id: str | None = None) -> Source:
        """Where the passage cited as ``source`` stands now, by its ``id`` where that is given:
        in the same file first, then wherever the index knows it.

        Raises SourceGone when the text is gone, PathRefused for a place outside the workspace.
        """
        if id is None:
            lines = self._folder.read_bytes(source.path).count(b"\n") + 1
            if source.line_start > lines:
                raise _gone(source)
            return source
        here = self._find_in(source.path, id, source.line_start)
        if here is not None:
            return here
        for place in self._ask(lambda: self._places(id)):
            if place.path != source.path:
                there = self._find_in(place.path, id, place.line_start)
                if there is not None:
                    return there
        raise _gone(source)

    def days(self) -> tuple[DayEntry, ...]:
        """Every day that has a log, earliest first; of several files a day, each one."""

        def look() -> Sequence[tuple[date, str, int]]:
            return self._store.log_days() if self._index.is_current() else ()

        return tuple(DayEntry(*row) for row in self._ask(look))

    def days_beside(self, day: date) -> tuple[DayEntry | None, DayEntry | None]:
        """The last day before ``day`` that has a log, and the first one after it."""

        def look() -> tuple[tuple[date, str, int] | None, tuple[date, str, int] | None]:
            return self._store.log_days_beside(day) if self._index.is_current() else (None, None)

        before, after = self._ask(look)
        return DayEntry(*before) if before else None, DayEntry(*after) if after else None

    # -- writing down

    def add(self, text: str, *, day: date | None = None) -> Added:
        """Write ``text`` into today's log (or that of ``day``), as
        :func:`daybank.capture.add_note` does.

        Raises NoteNotUnderstood, NoteNotSaved, PathRefused.
        """
        return add_note(self._folder, text, day or self._clock.today())

    def undo_add(self, added: Added) -> None:
        """Take back what :meth:`add` wrote. Raises PathRefused if the log was changed since."""
        undo_note(self._folder, added)

    # -- knowledge base

    def knowledge_topics(self) -> tuple[Topic, ...]:
        """Every topic of the knowledge base, by name, from the disk."""
        return list_topics(self._folder)

    def read_knowledge(self, topic: str) -> str:
        """The text of a topic. Raises PathRefused for what is no name of one, SourceGone,
        WorkspaceUnreadable."""
        return read_topic(self._folder, topic)

    def write_knowledge(self, topic: str, text: str, *, replace: bool = False) -> Written:
        """Make a topic that says ``text``, as :func:`daybank.knowledge.write_topic` does. With
        ``replace`` a topic that is there says it from now on; :meth:`undo` of the answer's
        ``proposal`` brings back what stood there.

        Raises ProposalRefused where the topic says something else and ``replace`` is not given,
        PathRefused, NoteNotUnderstood, NoteNotSaved, ProposalNotSaved.
        """
        if replace:
            return replace_topic(self._reflection.reviewer, topic, text)
        return write_topic(self._folder, topic, text)

    # -- reflection and review

    def reflect(
        self,
        since: date | str | None = None,
        *,
        dry_run: bool = False,
        phases: Sequence[Phase | str] = (),
        progress: OnProgress | None = None,
        cancel: CancelToken | None = None,
    ) -> ReflectionReport:
        """Read what changed, and suggest edits of the curated pages. Writes nothing but
        ``.memory/``, and with ``dry_run`` nothing but the index.

        Looks at what no earlier run has seen, or at everything from ``since`` on (a day, or a text
        such as ``"7d"``). ``phases`` limits it to some. Raises ReflectionBusy, Cancelled,
        ValueError for an unreadable day or phase, and what :meth:`sync` raises.
        """
        return self.reflect_with_drafts(
            since, dry_run=dry_run, phases=phases, progress=progress, cancel=cancel
        ).report

    def reflect_with_drafts(
        self,
        since: date | str | None = None,
        *,
        dry_run: bool = False,
        phases: Sequence[Phase | str] = (),
        progress: OnProgress | None = None,
        cancel: CancelToken | None = None,
    ) -> Outcome:
        """:meth:`reflect`, with the changes themselves."""
        from daybank.reflect.run import Wanted

        today = self._clock.today()
        first = parse_since(since, today) if isinstance(since, str) else since
        wanted = Wanted(
            first, dry_run, tuple(Phase(phase) for phase in phases), self._language_model()
        )
        report = self.sync(progress, cancel)
        names = self._ask(self._engine.names)
        return self._reflection.reflector().run(
            wanted, names, complete=report.complete, progress=progress, cancel=cancel
        )

    def reflections(self, limit: int = 0) -> tuple[ReflectionReport, ...]:
        """The reports of earlier runs, newest first."""
        return self._reflection.record.reports(limit)

    def last_reflection(self) -> datetime | None:
        """When a reflection last ended well; None before the first."""
        return self._reflection.record.remembered().last_success

    def proposals(self) -> tuple[Proposal, ...]:
        """The suggestions that wait for an answer, most certain first."""
        return self._reflection.proposals.waiting()

    def settled_proposals(self) -> tuple[Proposal, ...]:
        """The suggestions that were answered, newest first."""
        return self._reflection.proposals.settled()

    def proposal(self, pid: str) -> Proposal:
        """One suggestion. Raises ProposalNotFound."""
        return self._reflection.proposals.get(pid)

    def decide(
        self, pid: str, index: int, decision: Decision, edited: Sequence[str] | None = None
    ) -> Proposal:
        """Answer one change of a suggestion, as :meth:`daybank.review.apply.Reviewer.decide`."""
        return self._reflection.reviewer.decide(pid, index, decision, edited)

    def approve(
        self, pid: str, hunks: Collection[int] | None = None, *, allow_shrink: bool = False
    ) -> Applied:
        """Write a suggestion into its page, whole or only the changes numbered in ``hunks``.

        Raises ProposalChanged when the page was edited and a fresh yes is needed,
        ProposalConflict, ProposalRefused (also when a note behind it is gone), ProposalNotSaved,
        ProposalNotFound; the page is then as it was.
        """
        self._check_sources(pid, hunks)
        return self._written(
            self._reflection.reviewer.approve(pid, hunks, allow_shrink=allow_shrink)
        )

    def apply_decided(self, pid: str, *, allow_shrink: bool = False) -> Applied:
        """Write a suggestion of which every change has its answer. Raises like :meth:`approve`."""
        self._check_sources(pid)
        return self._written(
            self._reflection.reviewer.apply_decided(pid, allow_shrink=allow_shrink)
        )

    def approve_many(
        self, pids: Sequence[str], *, allow_shrink: bool = False
    ) -> tuple[Approval, ...]:
        """Approve several, each by itself; what was refused says why."""
        self._read_again("")
        done = []
        for pid in pids:
            try:
                self._check_sources(pid, read=False)
            except ProposalError as error:
                done.append(Approval(pid, error=error))
            else:
                done += self._reflection.reviewer.approve_many([pid], allow_shrink=allow_shrink)
        self._read_again("")
        return tuple(done)

    def reject(self, pid: str, hunks: Collection[int] | None = None) -> Proposal:
        """Say no to a suggestion, or to some of its changes; they do not come back."""
        return self._reflection.reviewer.reject(pid, hunks)

    def never(self, pid: str, hunks: Collection[int] | None = None) -> Proposal:
        """Say no, and to everything about the same topic from now on."""
        return self._reflection.reviewer.never(pid, hunks)

    def nevers(self) -> tuple[str, ...]:
        """The topics that are never suggested again."""
        return self._reflection.proposals.nevers()

    def forget_never(self, topic: str) -> None:
        """Let a topic be suggested again."""
        self._reflection.proposals.forget_never(topic)

    def settle_conflict(self, pid: str, mine: Collection[int] = ()) -> Proposal:
        """Answer a ProposalConflict, as :meth:`daybank.review.apply.Reviewer.settle_conflict`."""
        return self._reflection.reviewer.settle_conflict(pid, mine)

    def undo(self, pid: str) -> Undone:
        """Take an approved suggestion back from its page. Raises ProposalRefused when its lines
        were edited since, ProposalNotFound, ProposalNotSaved."""
        undone = self._reflection.reviewer.undo(pid)
        self._read_again(undone.proposal.target)
        return undone

    def reopen(self, pid: str) -> Proposal:
        """Let a suggestion that was rejected or taken back wait again, as
        :meth:`daybank.review.apply.Reviewer.reopen`."""
        return self._reflection.reviewer.reopen(pid)

    def opinions(self, about: str | None = None) -> tuple[Opinion, ...]:
        """Every opinion with its curve, or those about one person or thing: first the page's, in
        its order, then what so far only logs say, newest first."""

        def look() -> tuple[Opinion, ...]:
            if not self._index.is_current():
                return ()
            try:
                data: bytes | None = self._folder.read_bytes(OPINIONS)
            except (SourceGone, WorkspaceError):
                data = None
            return list_opinions(self._store, self._engine.names(), OPINIONS, data, about)

        return self._ask(look)

    def move_opinion(self, op_id: str, move: Move) -> Applied:
        """Say what you think of an opinion (its ``op-…``): ``"agree"``, ``"disagree"``,
        ``"no_longer_true"``, or a number in [0, 1] to set it by hand. Written at once, and undoable
        with :meth:`undo`.

        Raises ProposalRefused, ProposalNotSaved, ValueError.
        """
        from daybank.reflect.by_hand import find_opinion, move_opinion

        opinion = find_opinion(self.opinions(), op_id)
        change = move_opinion(
            OPINIONS, self._bytes_if_there(OPINIONS), opinion, move, self._clock.today()
        )
        return self._by_hand(change)

    def add_alias(self, name: str, alias: str) -> Applied:
        """Let ``alias`` be another name of a person or thing, on its page; undoable."""
        return self._change_alias(name, alias, add=True)

    def remove_alias(self, name: str, alias: str) -> Applied:
        """Let ``alias`` be no name of a person or thing any more; undoable."""
        return self._change_alias(name, alias, add=False)

    def _change_alias(self, name: str, alias: str, *, add: bool) -> Applied:
        from daybank.reflect.by_hand import change_alias

        known = self._ask(lambda: self._engine.names().find(name))
        if known is None:
            raise ProposalRefused(f"Nothing mentions “{name}”.", "Nothing was changed.")
        data = self._bytes_if_there(known.page) if known.page else None
        change = change_alias(known, alias, data, add=add)
        if change is None:
            there = "is already" if add else "is not"
            raise ProposalRefused(
                f"“{alias}” {there} a name of {known.name}.", "Nothing was changed."
            )
        return self._by_hand(change)

    def _by_hand(self, change: HandChange) -> Applied:
        reviewer = self._reflection.reviewer
        proposal = reviewer.propose(change.target, (change.hunk,), change.reason)
        return self._written(reviewer.approve(proposal.id))

    def _bytes_if_there(self, path: str) -> bytes | None:
        try:
            return self._folder.read_bytes(path)
        except SourceGone:
            return None

    def _check_sources(
        self, pid: str, only: Collection[int] | None = None, *, read: bool = True
    ) -> None:
        """See to it that a waiting suggestion cites its notes where they stand now. Raises
        ProposalRefused when one of them is gone."""
        from daybank.reflect.freshness import with_places_now

        store = self._reflection.proposals
        proposal = store.get(pid)
        if proposal.state is not State.WAITING or proposal.applied_sha256 is not None:
            return
        if read:
            self._read_again("")
        fresh = self._ask(lambda: with_places_now(proposal, self._store, only))
        if fresh != proposal:
            store.update(pid, lambda now: fresh if now == proposal else now)

    def _written(self, applied: Applied) -> Applied:
        self._read_again(applied.proposal.target)
        return applied

    def _read_again(self, path: str) -> None:
        """Let the index know what was written; if it is busy, the next sync does."""
        try:
            self.sync(within=path, wait=_SHORT_WAIT)
        except (IndexBusy, IndexUnwritable) as error:
            log.info("%s is indexed later: %s", path, error)

    # -- health

    def health(
        self,
        *,
        reflection_late_after: timedelta | None = None,
        cancel: CancelToken | None = None,
    ) -> HealthReport:
        """Check the folder and the index against each other, and what keeps them in order.

        Where reflections run by a schedule, the last one is late after ``reflection_late_after``
        (36 hours for a daily one). Raises Cancelled.
        """
        if not self._ask(self._index.is_current):
            self.sync(cancel=cancel)
        pending = self._count_pending()
        now = self._clock.now()
        upkeep = self._upkeep(reflection_late_after, cancel)
        return self._ask(
            lambda: check_health(
                self._folder, self._store, now, pending, upkeep, self._secrets, cancel
            ),
            cancel,
        )

    def _upkeep(self, late_after: timedelta | None, cancel: CancelToken | None) -> Upkeep:
        self._meanings.answering()  # decides how search by meaning stands
        standing, reason = self._meanings.standing()
        is_used = standing not in (Standing.UNPREPARED, Standing.OFF)
        known = self.meaning(cancel) if is_used else None
        upkeep = Upkeep(standing, known.done if known else 0, known.total if known else 0, reason)
        try:
            record, store = self._reflection.record, self._reflection.proposals
        except DaybankError:
            return upkeep  # there is no place for suggestions, so there are none
        latest = record.reports(1)
        return replace(
            upkeep,
            reflection=LastReflection(
                record.remembered().last_success,
                latest[0].error if latest else None,
                late_after,
            ),
            waiting=tuple(WaitingSuggestion(p.target, p.created) for p in store.waiting()),
            unreadable=tuple(item.name for item in store.unreadable()),
        )

    # -- inside

    def _ask(self, look: Callable[[], Answer], cancel: CancelToken | None = None) -> Answer:
        """Read one state of the index. A damaged one is mended first, and then asked again."""
        for tried in range(3):
            try:
                if not self._index.path.exists():
                    return look()  # it finds that there is no index
                with self._index.reading(), self._index.stopping(cancel):
                    return look()
            except (PeeweeDatabaseError, sqlite3.DatabaseError) as error:
                if is_damage(error) and tried < 2:
                    self._sync.distrust()
                    # What the checks do not find, and a reader stumbles over, is made anew as well.
                    self.sync(rebuild=tried == 1)
                    continue
                explained = explain(error, self._index.folder)
                if explained is None:
                    raise
                raise explained from error
        raise AssertionError("the last look returns or raises")

    def _meaning_notices(self) -> tuple[Notice, ...]:
        """What to say of search by meaning, where somebody prepared it and it is not all there."""
        standing, reason = self._meanings.standing()
        if standing is Standing.OFF:
            off = "Search by meaning is off"
            return (
                Notice("meaning-off", reason if reason.startswith(off) else f"{off}. {reason}"),
            )
        if standing is Standing.PARTLY:
            message = "Search by meaning does not know all notes yet. “daybank embed” goes on."
            return (Notice("meaning-partly", message),)
        if standing is Standing.OTHER:
            return (Notice("meaning-other", f"Another model answers than was chosen. {reason}"),)
        return ()

    def _entity(self, name: str, limit: int) -> Entity | None:
        if not self._index.is_current():
            return None
        names = self._engine.names()
        known = names.find(name)
        if known is None:
            return None
        ids = self._store.mentioning(known.keys, Filter(), limit)
        stored = self._store.passages(ids)
        facts = _without_copies([stored[id_] for id_ in ids if id_ in stored])
        together: dict[str, int] = {}
        for key, times in self._store.together(known.keys, 100):
            other = names.find(key)
            if other is not None and other.key != known.key:
                together[other.name] = together.get(other.name, 0) + times
        ranked = sorted(together.items(), key=lambda item: (-item[1], item[0]))
        return _entity(known, tuple(result_of(p, names) for p in facts), tuple(ranked[:20]))

    def _read_opinions(self, path: str) -> OpinionsPage | None:
        try:
            return read_opinions(path, self._folder.read_bytes(path))
        except (SourceGone, WorkspaceError):
            return None

    def _places(self, id_: str) -> list[Source]:
        """Where the index knows a fact or passage."""
        if not self._index.is_current():
            return []
        return [passage.source for passage in self._store.by_uid(id_)]

    def _count_pending(self) -> int:
        """How many files were added, changed or removed since the last sync."""
        indexed = self._ask(self._store.hashes)
        pending = 0
        present = set()
        inventory = self._folder.inventory()
        for entry in inventory.files:
            present.add(entry.path)
            known = indexed.get(entry.path)
            if known is not None and known[1] == entry.hint:
                continue
            try:
                data = self._folder.read_bytes(entry.path)
            except (SourceGone, WorkspaceError):
                continue  # what cannot be read is not behind; another check tells of it
            pending += known is None or hashlib.sha256(data).digest() != known[0]
        gone = set(indexed) - present - inventory.waiting
        return pending + (len(gone) if inventory.complete else 0)

    def _parse(self, path: str) -> ParsedFile:
        data = self._folder.read_bytes(path)
        if role_of(path) is Role.CHAT:
            zone = self._clock.now().tzinfo
            return parse_chat(path, data, owner_id=owner_of(self._folder), zone=zone)
        return parse_file(path, data)

    def _find_in(self, path: str, id_: str, near: int) -> Source | None:
        try:
            parsed = self._parse(path)
        except SourceGone:
            return None
        places = [
            p.source
            for p in parsed.passages
            if (p.fact_id or passage_id(p.kind, p.content, p.day)) == id_
        ]
        return min(places, key=lambda s: abs(s.line_start - near), default=None)


def open_workspace(
    path: str | os.PathLike[str],
    *,
    clock: Clock | None = None,
    index_dir: str | os.PathLike[str] | None = None,
    choose_embedder: ChooseEmbedder | None = None,
    earlier_embedder: EarlierEmbedder | None = None,
    commit: bool = False,
    language_model: ChooseModel | None = None,
) -> Workspace:
    """Open the memory folder at ``path``. Cheap: nothing is read yet; see :meth:`Workspace.sync`.

    ``index_dir`` puts the search index elsewhere than into ``.memory/`` of the folder (where the
    folder cannot be written it goes to the platform's cache by itself). ``choose_embedder`` gives
    the model for search by meaning, asked when it is first needed; the built-in one by default.
    ``earlier_embedder`` gives the model of a space that was prepared before, so that it answers
    until the chosen one is prepared. ``commit`` makes a git commit of each approved suggestion, in
    a folder that is a git repository. ``language_model`` gives the model on this computer that may
    help a reflection, asked at each; none by default.

    Raises WorkspaceNotFound, WorkspaceUnreadable, or IndexUnwritable where the index can have no
    place at all.
    """
    folder = WorkspaceFolder.open_folder(path, Path(index_dir) if index_dir is not None else None)
    return Workspace(
        folder,
        clock or SystemClock(),
        choose_embedder=choose_embedder,
        earlier_embedder=earlier_embedder or _earlier_embedder,
        commit=commit,
        language_model=language_model,
    )


def keep_index_outside(path: str | os.PathLike[str]) -> Path:
    """The place outside the memory folder ``path`` for its index, for ``index_dir``. An index that
    lies in the folder is taken away, so that no other program synchronises it.

    Raises WorkspaceNotFound, WorkspaceUnreadable.
    """
    folder = WorkspaceFolder.open_folder(path)
    inside = folder.root / STATE_FOLDER
    remove_index(inside)
    shutil.rmtree(inside / VECTOR_FOLDER, ignore_errors=True)
    return folder.cache_dir()


def built_in_embedder() -> Embedder | None:
    """The model that comes with Daybank. Raises ModelMissing or ModelDamaged."""
    from daybank.embedding.embedder import built_in

    return built_in()


def _earlier_embedder(space: Space) -> Embedder | None:
    from daybank.embedding.embedder import earlier_embedder

    return earlier_embedder(Settings(), space)


def _no_embedder(space: Space) -> Embedder | None:
    return None


def _window(since: Bound, until: Bound, today: date) -> Interval | None:
    start = _bound(since, today, parse_since)
    end = _bound(until, today, parse_until)
    if start is None and end is None:
        return None
    if start is not None and end is not None and end < start:
        raise ValueError(f"{end} comes before {start}: “until” must not be earlier than “since”.")
    return Interval(start, end)


def _bound(bound: Bound, today: date, parse: Callable[[str, date], date | None]) -> date | None:
    if isinstance(bound, str):
        return parse(bound, today) if bound.strip() else None
    return bound.date() if isinstance(bound, datetime) else bound


def _not_indexed(text: str, window: Interval | None, kinds: tuple[Kind, ...]) -> RecallAnswer:
    notice = Notice("not-indexed", "This folder was not read yet. Run “daybank index” first.")
    return RecallAnswer(RecallQuery(text, window=window, kinds=kinds), notices=(notice,))


def _entity(
    known: KnownEntity, facts: tuple[RecallResult, ...], together: tuple[tuple[str, int], ...]
) -> Entity:
    return Entity(
        known.key,
        known.name,
        known.aliases,
        known.type,
        known.page,
        known.mentions,
        known.first_day,
        known.last_day,
        facts,
        together,
    )


def _without_copies(passages: list[StoredPassage]) -> list[StoredPassage]:
    seen: set[str] = set()
    out = []
    for passage in passages:
        if passage.uid not in seen:
            seen.add(passage.uid)
            out.append(passage)
    return out


def _plain_key(text: str) -> str:
    folded = unicodedata.normalize("NFKD", text.casefold())
    return "".join(char for char in folded if not unicodedata.combining(char)).strip()


def _gone(source: Source) -> SourceGone:
    return SourceGone("The source has changed since.", f"The text cited as {source} is not there.")
