"""The knowledge base: one page a topic in ``memory/knowledge/`` (or ``knowledge/``), for agents.

A topic is named by a plain word or title. A name that could mean another place on some system is
refused before anything is looked at. A page that says something is replaced only when asked for,
and then as a suggestion that was approved, so that it can be taken back.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass

from daybank.errors import NoteNotUnderstood, PathRefused, ProposalRefused, SourceGone
from daybank.markdown.document import RawBlock, decode, parse
from daybank.secrets import find_secrets
from daybank.workspace import WorkspaceFolder, decode_file_name, encode_file_name

FOLDERS = ("memory/knowledge", "knowledge")
"""Where topics may live; new ones go to the first that exists, or else to the first."""

INDEX_NAME = "_index.md"
LONGEST_SUMMARY = 150
"""Characters of a topic's line in the index."""

EMPTY = "(empty)"
_SUMMARY_LINES = 3
_LONGEST_NAME = 120
_SUFFIX = ".md"


@dataclass(frozen=True, slots=True)
class Topic:
    """A page of the knowledge base: its name, its path, and its first words as the index has
    them."""

    name: str
    path: str
    summary: str


@dataclass(frozen=True, slots=True)
class Written:
    """A page that was written, with its bytes before (None: it is new) and after. ``proposal`` is
    the id by which it can be taken back, where something was replaced."""

    path: str
    before: bytes | None
    after: bytes
    proposal: str | None = None


def knowledge_folders(folder: WorkspaceFolder) -> tuple[str, ...]:
    """The knowledge folders that exist in the workspace."""
    return tuple(name for name in FOLDERS if _is_folder(folder, name))


def list_topics(folder: WorkspaceFolder) -> tuple[Topic, ...]:
    """Every topic that can be read, by name. Where both folders have one of a name, the first
    folder's is it."""
    found: dict[str, Topic] = {}
    for place in knowledge_folders(folder):
        for topic in topics_in(folder, place):
            found.setdefault(_key(topic.name), topic)
    return tuple(sorted(found.values(), key=lambda topic: (_key(topic.name), topic.name)))


def topics_in(folder: WorkspaceFolder, place: str) -> tuple[Topic, ...]:
    """The topics right in the folder ``place``, by name."""
    topics = []
    for path in _pages(folder, place):
        try:
            text = decode(folder.read_bytes(path)).text
        except (SourceGone, PathRefused):
            continue  # it went away, or is a link that leads out
        name = decode_file_name(path.rsplit("/", 1)[1].removesuffix(_SUFFIX))
        topics.append(Topic(name, path, summary_of(text)))
    return tuple(sorted(topics, key=lambda topic: (_key(topic.name), topic.name)))


def read_topic(folder: WorkspaceFolder, topic: str) -> str:
    """The text of a topic. Raises PathRefused for a name that is none, SourceGone where there is
    no such topic, WorkspaceUnreadable."""
    name = checked_name(topic)
    path = _existing(folder, name)
    if path is None:
        raise SourceGone(f"There is no topic “{name}”.", "“daybank knowledge list” shows them all.")
    return decode(folder.read_bytes(path)).text


def write_topic(folder: WorkspaceFolder, topic: str, text: str) -> Written:
    """Make a topic that says ``text``, all or nothing. One that says so already, or nothing yet,
    is no trouble.

    Raises ProposalRefused where it says something else, PathRefused for a name that is none,
    NoteNotUnderstood for a text without words, and NoteNotSaved (holding the text) where the disk
    refuses; then nothing was changed.
    """
    name = checked_name(topic)
    new = checked_text(name, text)
    path = _existing(folder, name)
    if path is None:
        place = next(iter(knowledge_folders(folder)), FOLDERS[0])
        path = f"{place}/{name}{_SUFFIX}"
    written: list[bytes | None] = []

    def change(old: bytes | None) -> bytes:
        written.append(old)
        if old is not None and says_the_same(old, new):
            return old
        if not says_nothing(old):
            raise ProposalRefused(
                f"There is a topic “{name}” already, and it says something else.",
                "Nothing was changed. “daybank knowledge write --replace” puts the new text in its"
                " place.",
            )
        return new.encode("utf-8", "replace")

    after = folder.edit(path, change, text=text)
    return Written(path, written[-1], after)


def page_of(folder: WorkspaceFolder, topic: str) -> str | None:
    """The path of a topic's page; None where there is none. Raises PathRefused for a name that is
    none."""
    return _existing(folder, checked_name(topic))


def says_the_same(page: bytes, text: str) -> bool:
    """Whether a page says ``text``, but for line ends and blank lines at its ends."""
    return _plain(decode(page).text) == _plain(text)


def says_nothing(page: bytes | None) -> bool:
    """Whether a page is not there, or blank."""
    return page is None or not decode(page).text.strip()


def checked_text(name: str, text: str) -> str:
    """What the page of the topic ``name`` is to say, ended by a newline. Raises NoteNotUnderstood
    for a text without words."""
    clean = _plain(text.replace("\0", ""))
    if not clean.strip():
        raise NoteNotUnderstood(
            "There is nothing to write down.", f"“{name}” is as it was. Type its text first."
        )
    return f"{clean}\n"


def checked_name(topic: str) -> str:
    """The topic's name in its one spelling. Raises PathRefused for what could mean another place,
    here or on another system, and for what no file can be called."""
    name = unicodedata.normalize("NFC", topic).strip()
    if name.lower().endswith(_SUFFIX):
        name = name[: -len(_SUFFIX)]
    is_text = name.isprintable() and bool(name.strip("_- "))
    if not is_text or encode_file_name(name) != name or name.startswith("~"):
        why = "A topic is named by plain words: no slashes, no dots at its ends, nothing hidden."
    elif len(name) > _LONGEST_NAME or len(name.encode("utf-8")) > 2 * _LONGEST_NAME:
        why = f"A topic's name has at most {_LONGEST_NAME} letters."
    elif f"{name}{_SUFFIX}".lower() == INDEX_NAME:
        why = "The list of topics is kept by suggestions."
    else:
        return name
    shown = "".join(char if char.isprintable() else "·" for char in topic[:60])
    raise PathRefused(f"“{shown}” is no name for a topic.", f"{why} Nothing was read or written.")


def summary_of(text: str) -> str:
    """A topic's line in the index: its first three lines that are no heading, joined by `` | ``,
    cut at 150 characters; ``(empty)`` where it has none. A line with a secret is left out."""
    lines = []
    for line in _own_lines(text):
        if not find_secrets(line):
            lines.append(line)
        if len(lines) == _SUMMARY_LINES:
            break
    return " | ".join(lines)[:LONGEST_SUMMARY].rstrip() or EMPTY


def _own_lines(text: str) -> Iterator[str]:
    """The lines of a page that say something, without headings, front matter, comments, rules."""
    document = parse(text)
    silent = set(range(1, document.front_end + 1))
    for block in document.blocks:
        if block.kind in ("heading", "rule") or _is_comment(block):
            silent.update(range(block.line_start, block.line_end + 1))
    for number, line in enumerate(document.lines, 1):
        shown = " ".join(line.split())
        if shown and number not in silent:
            yield shown


def _is_comment(block: RawBlock) -> bool:
    shown = block.text.strip()
    return block.kind == "html" and shown.startswith("<!--") and shown.endswith("-->")


def _existing(folder: WorkspaceFolder, name: str) -> str | None:
    """The page of a topic in whatever case it is spelled, an exact spelling first."""
    for place in knowledge_folders(folder):
        pages = list(_pages(folder, place))
        stems = {path: path.rsplit("/", 1)[1].removesuffix(_SUFFIX) for path in pages}
        exact = [path for path in pages if unicodedata.normalize("NFC", stems[path]) == name]
        alike = [path for path in pages if _key(stems[path]) == _key(name)]
        if exact or alike:
            return (exact or alike)[0]
    return None


def _pages(folder: WorkspaceFolder, place: str) -> Iterator[str]:
    """The files right in ``place`` that are ours to read, by path, without the index."""
    for entry in folder.inventory(place).files:
        parent, _, name = entry.path.rpartition("/")
        if parent == place and name.endswith(_SUFFIX) and name.lower() != INDEX_NAME:
            yield entry.path


def _is_folder(folder: WorkspaceFolder, place: str) -> bool:
    try:
        return folder.absolute(place).is_dir()
    except PathRefused:
        return False  # a link that leads out


def _plain(text: str) -> str:
    return text.replace("\r\n", "\n").strip("\n")


def _key(name: str) -> str:
    return unicodedata.normalize("NFC", name).casefold()
