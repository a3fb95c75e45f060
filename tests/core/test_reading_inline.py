"""Text inside a block: what is shown, what it links to, whom it names."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from daybank.markdown.inline import citations, mentions, plain, spans


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("**bold** and *slanted* and ~~gone~~ and `code`", "bold and slanted and gone and code"),
        ("[shown](http://x.y) and <https://x.y>", "shown and https://x.y"),
        (
            "[[Mara]] and [[People/Tomás|T.]] and @Peter and @[Tita Rosa]",
            "Mara and T. and Peter and Tita Rosa",
        ),
        ("![a chart](chart.png)", "a chart"),
        ("keep replies <1500 chars & <b>so</b>", "keep replies <1500 chars & <b>so</b>"),
        ("seen <!-- hidden --> here", "seen  here"),
        ("seen <!-- never closed", "seen"),
        (r"2 \* 3 \[x\]", "2 * 3 [x]"),
        ("Lives in Porto. (memory/2025-11-27.md#L12 ^f-91c2d0aa11ff)", "Lives in Porto."),
        ("Prefers tea ^op-4f1c2ab9", "Prefers tea"),
        ("a block id ^my-block", "a block id"),
        ("collapsed:: true\ntext\nid:: 63b1f0a2", "text"),
        ("status:: done", "status: done"),
        ("snake_case_name and 5 * 3", "snake_case_name and 5 * 3"),
        ("mail@example.org is no name", "mail@example.org is no name"),
        ("Σ ﬁ ½ 👩‍👩‍👧 e\u0301", "Σ ﬁ ½ 👩‍👩‍👧 e\u0301"),
    ],
)
def test_what_a_person_reads(text: str, read: str) -> None:
    assert plain(text) == read


@pytest.mark.parametrize(
    ("text", "link"),
    [
        ("[a](https://x.y/z)", "https://x.y/z"),
        ("[a](mailto:a@b.c)", "mailto:a@b.c"),
        ("[a](notes/b.md)", "page:notes/b.md"),
        ("[a](javascript:alert)", None),
        ("[a](file:///etc/passwd)", None),
        ("[a](data:text/html,x)", None),
        ("[a](/etc/passwd)", None),
        ("[a](//evil.example)", None),
        ("[a](#heading)", None),
        ("[[Mara]]", "entity:Mara"),
        ("[[People/Mara.md#born|M.]]", "entity:Mara"),
        ("@Mara", "entity:Mara"),
        ("[[tts:hello]]", None),
        ("![[plan.pdf]]", None),
    ],
)
def test_where_a_link_leads(text: str, link: str | None) -> None:
    assert [span.link for span in spans(text)] == [link]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("@Mara met @Peter and @mara", ("Mara", "Peter", "mara")),
        ("@[Tita Rosa], [[Лена]] and @美咲.", ("Tita Rosa", "Лена", "美咲")),
        ("`@code` <!-- @hidden --> a@b.c https://x.y/@u @@x", ()),
        ("[[tts:say]] ![[a.png]] [[]] [[ ]]", ()),
        ("@Flat-7. @v2.0, @a_b:", ("Flat-7", "v2.0", "a_b")),
    ],
)
def test_whom_a_text_names(text: str, names: tuple[str, ...]) -> None:
    assert mentions(text) == names


def test_what_a_text_cites() -> None:
    text = "x (memory/a.md#L3-L4 ^f-0123456789ab; logs/chat.jsonl#L7) ^f-ba9876543210"
    assert citations(text) == (
        "memory/a.md#L3-L4",
        "f-0123456789ab",
        "logs/chat.jsonl#L7",
        "f-ba9876543210",
    )


PARTS = st.sampled_from(
    "** * _ ` `` [ ] [[ ]] ( ) @ @[ ! < > <!-- --> \\ &amp; ~~ ^ a Mara é 漢 :: (( )) |".split()
) | st.sampled_from([" ", "\n"])


@settings(max_examples=300)
@given(st.lists(PARTS, max_size=25).map("".join) | st.text(max_size=40))
def test_the_spans_are_the_plain_text(text: str) -> None:
    assert "".join(span.text for span in spans(text)).strip() == plain(text)
    mentions(text)
    citations(text)
