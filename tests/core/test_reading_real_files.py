"""What real memory folders look like, each quirk as a tiny file: what is read, with which lines,
and that the reader's page loses no text."""
# A quirk and what is read from it stand side by side, however long the line.
# ruff: noqa: E501

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from datetime import date

import pytest
from core_tools import MakeWorkspace

from daybank import BlockKind, Kind, Role
from daybank.markdown.document import decode
from daybank.markdown.page import read_page
from daybank.markdown.passages import parse_file
from daybank.markdown.roles import role_of

LOG = "memory/2026-02-21.md"


@dataclass(frozen=True)
class Quirk:
    """A tiny file and what is read from it: ``L3-4 W text`` for a fact, ``L3 text`` else."""

    name: str
    text: str | bytes
    reads: tuple[str, ...]
    path: str = LOG

    @property
    def data(self) -> bytes:
        return self.text if isinstance(self.text, bytes) else self.text.encode("utf-8")


LETTERS = {Kind.WORLD: "W", Kind.EXPERIENCE: "B", Kind.OPINION: "O", Kind.OBSERVATION: "S"}


def reads(quirk: Quirk) -> tuple[str, ...]:
    out = []
    for p in parse_file(quirk.path, quirk.data).passages:
        first, last = p.source.line_start, p.source.line_end
        lines = f"L{first}" if first == last else f"L{first}-{last}"
        letter = f" {LETTERS[p.kind]}" if p.kind in LETTERS else ""
        confidence = f"({p.confidence})" if p.confidence is not None else ""
        names = "".join(f" @{name}" for name in p.mentions[: p.subjects])
        out.append(f"{lines}{letter}{confidence}{names} {p.content}".replace("\n", " / "))
    return tuple(out)


OPINIONS = "bank/opinions.md"
QUIRKS = [
    Quirk("retain first", "## Retain\n- B: a\n\n## Log\n- b\n", ("L2 B a", "L5 b")),
    Quirk("retain in the middle", "x\n\n## retain\n* W: a\n\n## Log\ny\n", ("L1 x", "L4 W a", "L7 y")),
    Quirk("retain last", "- x\n\n### RETAIN\n+ W: a", ("L1 x", "L4 W a")),
    Quirk(
        "retain with a remark and deeper headings",
        "## Retain (Facts for Long-Term Memory)\n\n### World\n- W: a\n\n#### More\n- B: b\n\n## End\n- W: c\n",
        ("L4 W a", "L7 B b", "L10 W: c"),
    ),
    Quirk("retain underlined", "Retain\n------\n- W: a\n", ("L3 W a",)),
    Quirk("retain in bold, with a colon", "# **Retain**:\n- W: a\n", ("L2 W a",)),
    Quirk("retain with an emoji", "## 🧠 Retain\n- W: a\n", ("L2 W a",)),
    Quirk("retained is another word", "## Retained earnings\n- W: a\n", ("L2 W: a",)),
    Quirk("two retain sections", "## Retain\n- W: a\n# B\n## Retain\n- W: b\n", ("L2 W a", "L5 W b")),
    Quirk("no entity", "## Retain\n- B: a\n- O(c=0.9): b\n- O: c\n", ("L2 B a", "L3 O(0.9) b", "L4 O c")),
    Quirk("kind E", "## Retain\n- E @Ann: went\n", ("L2 B @Ann went",)),
    Quirk(
        "three languages",
        "## Retain\n- W @Лена: любит чай\n- W @Tomás: prefiere café\n- W @Jun: mahilig sa ube\n",
        ("L2 W @Лена любит чай", "L3 W @Tomás prefiere café", "L4 W @Jun mahilig sa ube"),
    ),
    Quirk("a slug file", "## Retain\n- W: a\n", ("L2 W a",), "memory/2026-02-21-some-topic.md"),
    Quirk("an hour file", "## Retain\n- W: a\n", ("L2 W a",), "memory/2026-02-21-1830.md"),
    Quirk("a nested log", "## Retain\n- W: a\n", ("L2 W a",), "memory/archive/2026-02-21.md"),
    Quirk("retain on an ordinary page is text", "## Retain\n- W: a\n", ("L2 W: a",), "notes/x.md"),
    # Opinions as people keep them.
    Quirk(
        "opinions without a dash, evidence below",
        "# Opinions\n\nO(c=0.8) @Mara: Prefers tea\n- Evidence: said so twice\n"
        "- Last reinforced: 2026-02-03\n\nO(c=0.7) @Mara: Dislikes noise\n- Evidence: left\n",
        (
            "L3-5 O(0.8) @Mara Prefers tea",
            "L4 said so twice",
            "L7-8 O(0.7) @Mara Dislikes noise",
            "L8 left",
        ),
        OPINIONS,
    ),
    Quirk(
        "an opinions table under a name",
        "## Mara\n\n| Opinion | Confidence | Evidence | Updated |\n|---|---|---|---|\n"
        "| Likes jazz | 0.8 | asked her | 2026-03-01 |\n| Likes cats | 90% | | |\n",
        ("L5 O(0.8) @Mara Likes jazz", "L5 asked her", "L6 O(0.9) @Mara Likes cats"),
        OPINIONS,
    ),
    Quirk(
        "opinions with back-ticked keys",
        "## Peter\n\n- `opinion`: Loves rain\n- `confidence`: 0.90\n- `evidence`: the log\n"
        "- `opinion`: Hates snow\n- `confidence`: high\n",
        (
            "L3-5 O(0.9) @Peter Loves rain",
            "L5 the log",
            "L6-7 O @Peter Hates snow",
        ),
        OPINIONS,
    ),
    Quirk(
        "the grammar's own evidence",
        "- O(c=0.87) @Peter: Prefers brevity ^op-4f1c2ab9\n"
        "  - start: 2025-11-27 0.80 memory/2025-11-27.md#L12 ^f-91c2d0aa11ff\n"
        "  - contradicts: 2026-01-10 memory/2026-01-10.md#L5 ^f-77aa01ee9310\n"
        "  - superseded by: ^op-91d0c3aa\n",
        ("L1-4 O(0.87) @Peter Prefers brevity",),
        OPINIONS,
    ),
    Quirk("an empty opinions page", "", (), OPINIONS),
    Quirk("a title only", "# Opinions\n", ("L1 Opinions",), OPINIONS),
    Quirk(
        "world lines with their source",
        "# World\n\n- W @Mara: Lives in Porto (chat, 2026-02-01)\n- A plain line\n",
        ("L3 W @Mara Lives in Porto (chat, 2026-02-01)", "L4 A plain line"),
        "bank/world.md",
    ),
    Quirk(
        "a decision that was superseded",
        "## Decisions\n\n- Use SQLite\n  Status: superseded\n",
        ("L3-4 Use SQLite / Status: superseded",),
        "MEMORY.md",
    ),
    # Structure.
    Quirk(
        "several first headings and a repeated one",
        "# One\n\n# Two\n\n## 09:30\ntext\n\n## 09:30\n\n## Decision\n",
        ("L1 One", "L6 text", "L8 09:30", "L10 Decision"),
    ),
    Quirk(
        "a Logseq outline",
        "- Morning walk\n  collapsed:: true\n  id:: 63b1f0a2-aaaa-bbbb-cccc-1234567890ab\n"
        "\t- deep ((63b1f0a2-aaaa-bbbb-cccc-1234567890ab)) one\n\t\t- deeper [[Mara]]\n"
        "\t\t  tags:: baking\n- TODO second #tag\n",
        ("L1-3 Morning walk", "L4 deep  one", "L5-6 deeper Mara / tags: baking", "L7 TODO second #tag"),
        "journals/2023_01_01.md",
    ),
    Quirk(
        "checkboxes",
        "- [ ] todo\n- [x] done\n- [-] dropped\n- [link](u) no box\n",
        ("L1 todo", "L2 done", "L3 dropped", "L4 link no box"),
    ),
    Quirk(
        "numbered lists",
        "3. three\n4. four\n   more\n7) seven\n",
        ("L1 three", "L2-3 four / more", "L4 seven"),
    ),
    Quirk(
        "bullets of other kinds",
        "* star\n+ plus\n• dot\n• another\n– dash\n— long dash\n",
        ("L1 star", "L2 plus", "L3 dot", "L4 another", "L5 dash", "L6 long dash"),
    ),
    Quirk(
        "time-stamped bullets",
        "- 09:30 baked\n- [10:15] sold\n",
        ("L1 09:30 baked", "L2 [10:15] sold"),
    ),
    Quirk(
        "a table",
        "| Day | What |\n|:--|--:|\n| Mon | bread |\n| | only |\n",
        ("L3 Day: Mon · What: bread", "L4 What: only"),
    ),
    Quirk("a table of one row", "| A | B |\n|---|---|\n", ("L1 A | B",)),
    Quirk("headings inside a fence", "```sh\n# not a heading\nls\n```\n", ("L1-4 # not a heading / ls",)),
    Quirk("a fence never closed", "a\n\n~~~\nb\n# c\n", ("L1 a", "L3-5 b / # c")),
    Quirk(
        "front matter",
        "---\ntitle: A day\ntags: [a]\n---\n\n# H\nbody\n",
        ("L7 body",),
    ),
    Quirk("front matter that is broken", "---\ntitle: x: y: z\nd: [\n---\nbody\n", ("L2 title: x: y: z", "L3 d: [", "L5 body")),
    Quirk("a text between rules", "---\njust text\n---\nbody\n", ("L2 just text", "L4 body")),
    Quirk("front matter never closed", "---\ntitle: x\n\nbody\n", ("L2 title: x", "L4 body")),
    Quirk(
        "links that are names, and directives that are not",
        "- [[Mara]] met [[People/Tomás|T.]] [[tts:say this]] ![[plan.png]]\n",
        ("L1 Mara met T. tts:say this plan.png",),
    ),
    Quirk(
        "raw HTML",
        "<div>\n\nraw <b>text</b>\n\n</div>\n\n<details><summary>More</summary>\nhidden\n</details>\n",
        ("L3 raw <b>text</b>", "L7-8 More / hidden"),
    ),
    Quirk(
        "a base64 image",
        f"![a chart](data:image/png;base64,{'iVBORw0KGgo' * 300})\n\n[i]: <data:image/png;base64,{'QUJD' * 400}>\n",
        ("L1 a chart", "L3 [i]: data:image/png;base64,…"),
    ),
    Quirk(
        "marks of a merge conflict",
        "## Retain\n- W: same\n<<<<<<< HEAD\n- W: mine\n=======\n- W: theirs\n>>>>>>> other\n- W: end\n",
        ("L2 W same", "L4 W mine", "L6 W theirs", "L8 W end"),
    ),
    Quirk("a heading underlined by seven signs", "Title\n=======\ntext\n", ("L3 text",)),
    Quirk(
        "odd spaces and separators",
        "no\u00a0break zero\u200bwidth \u202ebidi\u202c\nform\x0cfeed line\u2028separator\x85next\n",
        ("L1-2 no\u00a0break zero\u200bwidth \u202ebidi\u202c / form\x0cfeed line\u2028separator\x85next",),
    ),
    Quirk("NBSP after the bullet's mark", "-\u00a0not a bullet\n", ("L1 -\u00a0not a bullet",)),
    Quirk("text in NFD", "## Retain\n- W @Zoe\u0308: cafe\u0301\n", ("L2 W @Zoe\u0308 cafe\u0301",)),
    Quirk("UTF-16", "## Retain\n- W @Лена: чай\n".encode("utf-16"), ("L2 W @Лена чай",)),
    Quirk("an empty file", "", ()),
    Quirk("only blank lines", "\n \n\t\n", ()),
    Quirk("only a comment", "<!-- nothing -->\n", ()),
    Quirk("a lone carriage return", "a\rb\n- c\n", ("L1 a b", "L2 c")),
    Quirk("mixed line ends", "a\r\n\r\n- b\n- c\r\n", ("L1 a", "L3 b", "L4 c")),
    Quirk(
        "a session dump named like a day",
        "# Session: 2026-02-26 17:24:40 UTC\n\n- **Session Key**: agent:main\n\n"
        'user: hello {"a": 1}\nassistant: hi\nuser: W @Mara: x\n\n## Retain\n- W @Mara: not mined\n',
        (
            "L3 Session Key: agent:main",
            'L5 user: hello {"a": 1}',
            "L6 assistant: hi",
            "L7 user: W Mara: x",
            "L10 W Mara: not mined",
        ),
        "memory/2026-02-26-1724.md",
    ),
    Quirk("a dream", "## Retain\n- W @Mara: x\n", ("L2 W Mara: x",), "memory/dreaming/2026-02-21.md"),
    Quirk("a persona file", "# Soul\n\nBe kind.\n", ("L3 Be kind.",), "SOUL.md"),
    Quirk("a doubled ending", "## Retain\n- W: a\n", ("L2 W a",), "memory/2026-02-21.md.md"),
]  # fmt: skip


@pytest.mark.parametrize("quirk", QUIRKS, ids=lambda quirk: quirk.name)
def test_what_is_read_and_from_which_lines(quirk: Quirk) -> None:
    assert reads(quirk) == quirk.reads


def visible(text: str) -> list[str]:
    """The words of a Markdown text that a reader must see; markup and hidden things left out."""
    text = re.sub(r"<!--.*?(?:-->|\Z)", " ", text, flags=re.DOTALL)
    text = re.sub(r"base64,[\w+/=]+", " ", text)
    text = re.sub(
        r"\(\([0-9a-f-]{36}\)\)|\s\^\w+-[0-9a-f]+|^\s*(?:id|collapsed)::.*$", " ", text, flags=re.M
    )
    text = re.sub(r"\]\([^)\s]*\)|\[\[[^\]|]*\||!\[\[|\[[ xX]\]|```\w*", " ", text)
    return re.findall(r"\w+", text)


@pytest.mark.parametrize("quirk", QUIRKS, ids=lambda quirk: quirk.name)
def test_the_readers_page_loses_no_text(quirk: Quirk) -> None:
    page = read_page(quirk.path, quirk.data)
    shown: list[str] = []
    for block in page.blocks:
        shown += re.findall(r"\w+", block.text)
        shown += [w for name in block.names for w in re.findall(r"\w+", name)]
        shown += [w for cell in block.cells for s in cell for w in re.findall(r"\w+", s.text)]
        if block.kind_of_fact is not None:
            shown.append(LETTERS[block.kind_of_fact])
        if block.confidence is not None:
            shown += re.findall(r"\w+", f"c {block.confidence}")
        if block.number is not None:
            shown.append(str(block.number))
    missing = [
        word
        for word in visible(decode(quirk.data).text)
        if word not in shown and word not in ("E", "c") and not word.isdigit()
    ]
    assert missing == []
    lines = decode(quirk.data).text.count("\n") + 1
    last = 0
    for block in page.blocks:
        assert last <= block.line_start <= block.line_end <= lines
        last = block.line_start


def test_no_file_is_touched_and_every_one_is_searched(make_workspace: MakeWorkspace) -> None:
    files = {f"{n:03}/{quirk.path}": quirk.data for n, quirk in enumerate(QUIRKS)}
    ws = make_workspace(files)
    before = {path: (ws.path / path).stat().st_mtime_ns for path in files}
    ws.sync(rebuild=True)
    ws.recall("anything at all")
    for path, data in files.items():
        assert (ws.path / path).read_bytes() == data
        assert (ws.path / path).stat().st_mtime_ns == before[path]
    assert ws.overview().files == len(files)


def test_a_fact_block_carries_what_its_line_says() -> None:
    page = read_page(
        LOG, b"## Retain\n- O(c=0.5) @Mara @[Tita Rosa]: tea\n  - [x] nested\n1. one\n"
    )
    heading, fact, nested, numbered = page.blocks
    assert (heading.kind, heading.level) == (BlockKind.HEADING, 2)
    assert (fact.kind, fact.kind_of_fact, fact.confidence) == (BlockKind.FACT, Kind.OPINION, 0.5)
    assert (fact.names, fact.text) == (("Mara", "Tita Rosa"), "tea")
    assert (nested.kind, nested.level, nested.checked) == (BlockKind.BULLET, 1, True)
    assert (numbered.kind, numbered.number) == (BlockKind.NUMBERED, 1)


@pytest.mark.parametrize(
    ("path", "role", "day"),
    [
        ("memory/2026-02-21.md", Role.LOG, date(2026, 2, 21)),
        ("memory/2026-02-21-topic.md", Role.LOG, date(2026, 2, 21)),
        ("memory/2026-02-21_topic.md", Role.LOG, date(2026, 2, 21)),
        ("memory/2026-02-21-1830.md", Role.LOG, date(2026, 2, 21)),
        ("memory/archive/2025/2026-02-21.md", Role.LOG, date(2026, 2, 21)),
        ("memory/notes 2026-02-21 final.md", Role.LOG, date(2026, 2, 21)),
        ("memory/2026-02-21.md.md", Role.LOG, date(2026, 2, 21)),
        ("memory/2026-02-30.md", Role.PAGE, None),
        ("journals/2023_01_01.md", Role.LOG, date(2023, 1, 1)),
        ("2026-02-21.md", Role.LOG, date(2026, 2, 21)),
        ("Daily/2026-02-21.md", Role.LOG, date(2026, 2, 21)),
        ("notes/Meeting 2026-02-21.md", Role.PAGE, date(2026, 2, 21)),
        ("MEMORY.md", Role.CORE, None),
        ("memory.md", Role.CORE, None),
        ("notes/memory.md", Role.PAGE, None),
        ("SOUL.md", Role.PERSONA, None),
        ("AGENTS.md", Role.PERSONA, None),
        ("soul.md", Role.PAGE, None),
        ("bank/opinions.md", Role.BANK, None),
        ("bank/entities/Peter.md", Role.ENTITY, None),
        ("memory/identity.md", Role.AGENT, None),
        ("memory/knowledge/bread.md", Role.KNOWLEDGE, None),
        ("knowledge/_index.md", Role.KNOWLEDGE, None),
        ("logs/chat.jsonl", Role.CHAT, None),
        ("DREAMS.md", Role.MACHINE, None),
        ("memory/.dreams/2026-02-21.md", Role.MACHINE, date(2026, 2, 21)),
        ("notes/🚀 plan.md", Role.PAGE, None),
    ],
)
def test_what_a_file_is_for_and_its_day(path: str, role: Role, day: date | None) -> None:
    assert role_of(path) is role
    if role is not Role.CHAT:
        assert parse_file(path, b"text\n").day == day


@pytest.mark.parametrize(
    ("path", "title"),
    [
        ("notes/Bread.md", "Bread"),
        ("notes/name.md.md", "name"),
        ("pages/People___Mara.md", "People/Mara"),
        ("bank/entities/AC%2FDC.md", "AC/DC"),
        ("notes/🚀 plan.md", "🚀 plan"),
        (f"notes/{unicodedata.normalize('NFD', 'Café')}.md", unicodedata.normalize("NFD", "Café")),
    ],
)
def test_a_page_without_a_title_is_called_like_its_file(path: str, title: str) -> None:
    assert parse_file(path, b"text\n").title == title


def test_the_day_comes_from_name_then_front_matter_then_headings() -> None:
    dated = b"---\ndate: 2026-01-05\n---\n# 2026-01-06\nx\n"
    assert [p.day for p in parse_file("notes/a.md", dated).passages] == [date(2026, 1, 5)]
    assert [p.day for p in parse_file(LOG, dated).passages] == [date(2026, 2, 21)]
    headed = b"intro\n\n## 2026-01-06 Tue\nx\n\n## 2026-01-07\ny\n"
    days = [p.day for p in parse_file("notes/a.md", headed).passages]
    assert days == [None, date(2026, 1, 6), date(2026, 1, 7)]


def test_text_between_markers_is_a_machines() -> None:
    text = (
        b"- a\n<!-- openclaw:dreaming:light:start -->\n- b\n<!-- openclaw:dreaming:light:end -->\n"
        b"- c\n\n<!-- daybank:begin summary -->\n- d\n\n<!-- daybank:end summary -->\n\n- e\n"
    )
    assert [p.content for p in parse_file(LOG, text).passages if p.machine] == ["b", "d"]
    assert all(p.machine for p in parse_file("DREAMS.md", text).passages)


def test_entity_pages_name_their_entity() -> None:
    text = "---\ntitle: Peter\naliases: [Pete, Пётр]\ntype: Person\n---\n# Peter\n\n- Likes [[Porto]]\n"
    parsed = parse_file("bank/entities/peter-page.md", text.encode())
    assert parsed.entity is not None
    assert (parsed.title, parsed.entity.aliases, parsed.entity.type) == (
        "Peter",
        ("Pete", "Пётр"),
        "person",
    )
    assert parsed.passages[0].mentions == ("Porto", "Peter")


@pytest.mark.parametrize(
    "front",
    [
        "aliases: Pete, Пётр",
        "aliases:\n- Pete\n- Пётр",
        "alias: [Pete, Пётр]",
        "Aliases: [Pete, Пётр]",
    ],
)
def test_aliases_in_every_spelling(front: str) -> None:
    parsed = parse_file("bank/entities/Peter.md", f"---\n{front}\n---\n".encode())
    assert parsed.entity is not None
    assert parsed.entity.title == "Peter"
    assert parsed.entity.aliases == ("Pete", "Пётр")


@pytest.mark.parametrize(
    "front",
    [
        "title: 42",
        "title: [a]",
        "title:",
        "date: 2026-02-30",
        "date: soon",
        "aliases: 7",
        "a: &x [*x]",
        "- x",
    ],
)
def test_odd_front_matter_breaks_nothing(front: str) -> None:
    data = f"---\n{front}\n---\nbody\n".encode()
    for path in ("bank/entities/Peter.md", LOG, "notes/x.md"):
        assert parse_file(path, data).passages[-1].content == "body"
        assert read_page(path, data).blocks[-1].text == "body"
