"""What reading a Markdown file yields. Frozen values, no behaviour beyond spelling themselves."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date
from enum import StrEnum

from daybank.dates import Interval


class Kind(StrEnum):
    """What a passage is. The first four are facts; the other two are everything else."""

    WORLD = "world"
    EXPERIENCE = "experience"
    OPINION = "opinion"
    OBSERVATION = "observation"
    PASSAGE = "passage"
    MESSAGE = "message"

    @property
    def is_fact(self) -> bool:
        return self not in (Kind.PASSAGE, Kind.MESSAGE)


class Role(StrEnum):
    """What a file is for, from its place in the workspace."""

    LOG = "log"  # a daily log
    CORE = "core"  # MEMORY.md or memory.md
    BANK = "bank"  # world, experience, opinions
    ENTITY = "entity"  # bank/entities/<Name>.md
    PERSONA = "persona"  # SOUL.md, USER.md, …
    AGENT = "agent"  # memory/identity.md, scratchpad.md, dialogue_summary.md
    KNOWLEDGE = "knowledge"
    CHAT = "chat"  # logs/chat.jsonl and its archives
    SESSION = "session"  # a session dump: searchable as conversation, never mined
    MACHINE = "machine"  # DREAMS.md and the like
    PAGE = "page"  # any other Markdown


@dataclass(frozen=True, slots=True, order=True)
class Source:
    """A place in the files. Lines count from 1 and are split on ``\\n`` only."""

    path: str
    line_start: int
    line_end: int

    def __str__(self) -> str:
        lines = f"L{self.line_start}"
        if self.line_end != self.line_start:
            lines += f"-L{self.line_end}"
        return f"{self.path}#{lines}"


@dataclass(frozen=True, slots=True)
class Lint:
    """A line that was not understood, or that wants a look. ``code`` is stable, ``message`` plain.

    ``line`` 0 speaks of the file as a whole.
    """

    path: str
    line: int
    code: str
    message: str


@dataclass(frozen=True, slots=True)
class Passage:
    """The smallest indexed unit of text, with everything the index keeps of it.

    ``content`` is plain sentences: no bullet mark, no ``W @Name:``, no comment; ``day`` is the
    source day; ``event`` the time that the text itself speaks of; ``mentions`` are shown names in
    the order they appear (subjects of a fact first); ``subjects`` is how many of them stand before
    the colon. ``confidence`` is in [0, 1] or None where unknown. ``fact_id`` is set for facts only.
    ``trail`` holds the headings above, outermost first. ``machine`` text is never evidence;
    ``untrusted`` text was written by somebody who is not the owner.
    """

    kind: Kind
    source: Source
    content: str
    day: date | None = None
    event: Interval | None = None
    confidence: float | None = None
    mentions: tuple[str, ...] = ()
    subjects: int = 0
    fact_id: str | None = None
    trail: tuple[str, ...] = ()
    cites: tuple[str, ...] = ()
    machine: bool = False
    untrusted: bool = False
    said_by: str | None = None


@dataclass(frozen=True, slots=True)
class EntityPage:
    """The front matter of a page in ``bank/entities/``: the title is the truth, not the file."""

    title: str
    aliases: tuple[str, ...] = ()
    type: str | None = None


@dataclass(frozen=True, slots=True)
class ParsedFile:
    """One file, read: its passages in file order and what could not be understood."""

    path: str
    role: Role
    title: str
    day: date | None
    passages: tuple[Passage, ...]
    lints: tuple[Lint, ...] = ()
    entity: EntityPage | None = None


class BlockKind(StrEnum):
    """How a block of a page is shown."""

    HEADING = "heading"
    PARAGRAPH = "paragraph"
    BULLET = "bullet"
    NUMBERED = "numbered"
    FACT = "fact"
    QUOTE = "quote"
    CODE = "code"
    TABLE_ROW = "table_row"
    RULE = "rule"
    PROPERTIES = "properties"  # front matter, Logseq properties


@dataclass(frozen=True, slots=True)
class Span:
    """A run of text inside a block with one look. ``link`` is where a click leads.

    ``link`` starts with ``entity:`` for a person or thing, ``page:`` for a file of the workspace,
    ``http:``/``https:``/``mailto:`` for the rest; anything else is shown and leads nowhere.
    """

    text: str
    bold: bool = False
    italic: bool = False
    code: bool = False
    strike: bool = False
    link: str | None = None


@dataclass(frozen=True, slots=True)
class Block:
    """A block of a page, ready to show without guessing at markup.

    ``level`` is the heading level or, for list items, how deep they are nested (0 outermost).
    ``checked`` is None unless the item is a checkbox. ``kind_of_fact``, ``confidence`` and
    ``names`` are set for facts. ``cells`` holds the spans of each cell of a table row;
    ``header`` marks its first row.
    """

    kind: BlockKind
    line_start: int
    line_end: int
    spans: tuple[Span, ...] = ()
    level: int = 0
    number: int | None = None
    checked: bool | None = None
    kind_of_fact: Kind | None = None
    confidence: float | None = None
    names: tuple[str, ...] = ()
    cells: tuple[tuple[Span, ...], ...] = ()
    header: bool = False

    @property
    def text(self) -> str:
        return "".join(span.text for span in self.spans)


@dataclass(frozen=True, slots=True)
class Page:
    """A whole file as the reader shows it."""

    path: str
    role: Role
    title: str
    day: date | None
    blocks: tuple[Block, ...]
    lints: tuple[Lint, ...] = field(default=())
