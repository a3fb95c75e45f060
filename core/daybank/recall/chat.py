"""Searching conversation logs: messages newest first, in pages that do not shift.

The index chooses the messages; their time and who said them are read from their lines, so the logs
stay the truth. Safe from any thread; what is remembered of a log is only what its reading cost.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, tzinfo

from daybank.errors import DaybankError
from daybank.index.filter import Filter
from daybank.index.match import Group
from daybank.index.store import Candidate, IndexStore
from daybank.index.sync import owner_of
from daybank.markdown.chatlog import ChatMessage, read_messages
from daybank.markdown.model import Kind, Role, Source
from daybank.markdown.names import passage_id
from daybank.recall.names import KnownNames
from daybank.recall.query import Question, understand
from daybank.recall.results import Json
from daybank.workspace import WorkspaceFolder

MOST_MATCHES = 1_000_000
"""Messages that are looked at for one page: all that any person's logs hold."""


@dataclass(frozen=True, slots=True)
class FoundMessage:
    """One message. ``when`` is its moment on the person's clock, None where the log gives none;
    ``who`` is ``owner``, ``assistant``, ``other`` or ``system``, and ``user`` the id in the log.
    ``untrusted`` marks what somebody else than the owner wrote."""

    when: datetime | None
    who: str
    text: str
    source: Source
    id: str
    user: str | None = None
    untrusted: bool = False

    def to_json(self) -> Json:
        return {
            "when": self.when.isoformat() if self.when else None,
            "who": self.who,
            "text": self.text,
            "source": str(self.source),
            "id": self.id,
            "user": self.user,
            "untrusted": self.untrusted,
        }


@dataclass(frozen=True, slots=True)
class ChatPage:
    """A page of messages, newest first. ``total`` is how many there are in all pages; ``torn`` how
    many lines of the logs could not be read. ``loosely`` tells that no message has all the words,
    and these have some of them."""

    messages: tuple[FoundMessage, ...] = ()
    total: int = 0
    torn: int = 0
    loosely: bool = False

    def to_json(self) -> Json:
        return {
            "messages": [message.to_json() for message in self.messages],
            "total": self.total,
            "torn": self.torn,
            "loosely": self.loosely,
        }


@dataclass(frozen=True, slots=True)
class _Log:
    """What a log costs to find out: its owner, and how many of its lines are torn."""

    digest: bytes
    owner: str | None
    torn: int


class ChatSearch:
    """Searches the conversation logs of one workspace, archives and all."""

    def __init__(self, folder: WorkspaceFolder, store: IndexStore) -> None:
        self._folder = folder
        self._store = store
        self._guard = threading.Lock()
        self._logs: dict[str, _Log] = {}

    def search(
        self,
        text: str,
        today: date,
        zone: tzinfo | None,
        names: KnownNames,
        *,
        count: int = 20,
        offset: int = 0,
    ) -> ChatPage:
        """The messages that say ``text``, from the ``offset``-th newest on, at most ``count``. See
        :meth:`daybank.Workspace.search_chat`."""
        owner = owner_of(self._folder)
        logs = self._read_logs(owner, zone)
        found, loosely = self._matching(understand(text, today, names))
        by_path: dict[str, set[int]] = {}
        for candidate in found:
            by_path.setdefault(candidate.path, set()).add(candidate.line_start)
        messages = [
            _found(path, message)
            for path, lines in by_path.items()
            if path in logs
            for message in self._messages(path, lines, owner or logs[path].owner, zone)
        ]
        messages.sort(key=_age, reverse=True)
        first = max(0, offset)
        page = tuple(messages[first : first + max(0, count)])
        torn = sum(log.torn for log in logs.values())
        return ChatPage(page, len(messages), torn, loosely and bool(messages))

    # -- choosing

    def _matching(self, question: Question) -> tuple[list[Candidate], bool]:
        """The messages with every word, or where there is none, with any; and which of the two."""
        wanted = Filter(question.query.window, (Kind.MESSAGE,), question.filters)
        groups = question.groups
        if not groups:
            if _is_empty(question):
                return [], False
            ids = self._store.newest(wanted, MOST_MATCHES)
            return self._without(question, self._load(ids)), False
        strict = [replace(group, required=True) for group in groups]
        found = self._saying(strict, question, wanted)
        if found or len(groups) == 1:
            return found, False
        loose = [replace(group, required=False) for group in groups]
        return self._saying(loose, question, wanted), True

    def _saying(
        self, groups: Sequence[Group], question: Question, wanted: Filter
    ) -> list[Candidate]:
        return self._load(self._store.match(groups, question.excluded, wanted, MOST_MATCHES))

    def _without(self, question: Question, found: list[Candidate]) -> list[Candidate]:
        """Only words to leave out were typed, beside a time or a name."""
        if not question.excluded or not found:
            return found
        wanted = Filter(kinds=(Kind.MESSAGE,))
        unwanted = set(self._store.match(question.excluded, (), wanted, MOST_MATCHES))
        return [candidate for candidate in found if candidate.id not in unwanted]

    def _load(self, ids: Sequence[int]) -> list[Candidate]:
        found: list[Candidate] = []
        for start in range(0, len(ids), 5000):
            found += self._store.candidates(ids[start : start + 5000])
        return found

    # -- reading

    def _read_logs(self, owner: str | None, zone: tzinfo | None) -> dict[str, _Log]:
        """Every log that the index knows. One that changed is read through once."""
        hashes = self._store.hashes()
        paths = [path for path, role in self._store.files() if role is Role.CHAT]
        with self._guard:
            logs: dict[str, _Log] = {}
            for path in paths:
                digest = hashes[path][0] if path in hashes else b""
                known = self._logs.get(path)
                if known is None or known.digest != digest:
                    try:
                        log = read_messages(self._folder.read_bytes(path), zone=zone)
                    except DaybankError:
                        continue  # it went away, or cannot be read now
                    known = _Log(digest, log.owner, len(log.torn))
                logs[path] = known
            self._logs = logs
            return logs

    def _messages(
        self, path: str, lines: set[int], owner: str | None, zone: tzinfo | None
    ) -> tuple[ChatMessage, ...]:
        try:
            data = self._folder.read_bytes(path)
        except DaybankError:
            return ()
        return read_messages(data, owner_id=owner, zone=zone, lines=lines).messages


def _found(path: str, message: ChatMessage) -> FoundMessage:
    day = message.when.date() if message.when is not None else None
    return FoundMessage(
        message.when,
        message.said_by,
        message.text,
        Source(path, message.line, message.line),
        passage_id(Kind.MESSAGE, message.text, day),
        message.user,
        not message.is_trusted,
    )


def _age(message: FoundMessage) -> tuple[float, str, int]:
    """Older messages sort before newer ones, and those without a time before all."""
    moment = message.when.timestamp() if message.when is not None else float("-inf")
    return moment, message.source.path, message.source.line_start


def _is_empty(question: Question) -> bool:
    """Whether something was typed of which nothing can be looked for, such as "???"; no text at
    all asks for every message."""
    query = question.query
    is_blank = not query.text.strip()
    return not (is_blank or query.window or question.filters)
