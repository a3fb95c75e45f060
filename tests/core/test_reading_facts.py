"""The Retain grammar inside real Markdown (reports A09–A12, A27, A40, A44)."""

from __future__ import annotations

from datetime import date
from itertools import pairwise

import pytest
from core_tools import MakeWorkspace

from daybank import Kind, Passage, SourceGone
from daybank.markdown.document import Decoded, decode, parse
from daybank.markdown.page import read_page
from daybank.markdown.passages import parse_file
from daybank.markdown.retain import parse_bullet, spell_name, write_bullet

DAY = "memory/2026-11-20.md"


def read(text: str | bytes, path: str = DAY) -> list[Passage]:
    data = text if isinstance(text, bytes) else text.encode("utf-8")
    return list(parse_file(path, data).passages)


def facts(text: str | bytes, path: str = DAY) -> list[tuple[int, int, str]]:
    return [
        (p.source.line_start, p.source.line_end, p.content)
        for p in read(text, path)
        if p.kind.is_fact
    ]


def lints(text: str, path: str = DAY) -> list[tuple[int, str]]:
    return [(lint.line, lint.code) for lint in parse_file(path, text.encode()).lints]


# -- A09: look-alikes


def test_only_the_exact_form_is_a_fact() -> None:
    text = (
        "## Retain\n"
        "- [ ] call bank\n"
        "- [/] half done\n"
        "- [W](https://example.org) notes\n"
        "- [[Mara]] likes tea\n"
        "- [00:11] hello\n"
        "- World cup @Mara\n"
        "- W@Mara: x\n"
        "- W @Mara: real\n"
    )
    assert facts(text) == [(9, 9, "real")]
    assert [line for line, code in lints(text) if code == "not-understood"] == [2, 3, 4, 5, 6, 7, 8]
    assert [p.source.line_start for p in read(text)] == list(range(2, 10))


@pytest.mark.parametrize(
    "bullet",
    [
        "w @Mara: small letter",
        "W @Mara : space",
        "W  @ Mara: x",
        "W @Mara:no space",
        "X @Mara: other letter",
        "WB @Mara: two letters",
        "W (c=0.5) @Mara: space before",
        "W[c=0.5]: x",
        "B) option",
        "O: ",
        "W @Mara:",
        "O’Brien: hello",
        "S.: x",
        "**W @Mara**: bold",
        "`W @Mara: x`",
    ],
)
def test_nearly_the_form_is_text(bullet: str) -> None:
    assert facts(f"## Retain\n- {bullet}\n") == []


@pytest.mark.parametrize(
    ("bullet", "kind", "names", "content", "confidence"),
    [
        ("W @Peter: in Marrakech", Kind.WORLD, ("Peter",), "in Marrakech", None),
        ("B: no one", Kind.EXPERIENCE, (), "no one", None),
        ("E @Ann: went", Kind.EXPERIENCE, ("Ann",), "went", None),
        ("O(c=0.95) @Peter: Prefers", Kind.OPINION, ("Peter",), "Prefers", 0.95),
        ("O: y", Kind.OPINION, (), "y", None),
        ("S @A @B: both", Kind.OBSERVATION, ("A", "B"), "both", None),
        ("W @[Tita Rosa] @Jun: came", Kind.WORLD, ("Tita Rosa", "Jun"), "came", None),
        ("W @Лена @美咲 @Zoë: ok", Kind.WORLD, ("Лена", "美咲", "Zoë"), "ok", None),
        ("W @Flat-7 @v2.0 @a_b: ok", Kind.WORLD, ("Flat-7", "v2.0", "a_b"), "ok", None),
        ("W\t@Mara: tab", Kind.WORLD, ("Mara",), "tab", None),
        ("O(c=0.0): nil", Kind.OPINION, (), "nil", 0.0),
        ("O(c=.95): dot", Kind.OPINION, (), "dot", 0.95),
        ("O(c=1): one", Kind.OPINION, (), "one", 1.0),
    ],
)
@pytest.mark.parametrize("mark", ["-", "*", "+"])
def test_the_form_in_all_its_shapes(
    mark: str,
    bullet: str,
    kind: Kind,
    names: tuple[str, ...],
    content: str,
    confidence: float | None,
) -> None:
    (fact,) = read(f"## Retain\n{mark} {bullet}\n")
    assert (fact.kind, fact.mentions, fact.subjects) == (kind, names, len(names))
    assert (fact.content, fact.confidence) == (content, confidence)
    assert fact.day == date(2026, 11, 20)


@pytest.mark.parametrize("inside", ["c=1.4", "c=-0.1", "c=0,9", "c=high", "", "c=nan", "0.9", "c="])
def test_an_unreadable_confidence_is_unknown(inside: str) -> None:
    text = f"# D\n\n## Retain\n- O({inside}) @Mara: kept\n"
    (fact,) = read(text)[-1:]
    assert (fact.kind, fact.content, fact.confidence) == (Kind.OPINION, "kept", None)
    assert (4, "confidence") in lints(text)


def test_a_written_bullet_reads_back() -> None:
    for name in ("Peter", "Tita Rosa", "a.b-c", "美咲"):
        bullet = parse_bullet(f"O(c=0.50) {spell_name(name)}: text")
        assert bullet is not None
        assert bullet.names == (name,)
        assert parse_bullet(write_bullet(bullet)) == bullet


def test_mentions_in_the_text_follow_the_subjects() -> None:
    (fact,) = read("## Retain\n- W @Mara: met @Peter and [[Ann|A.]] in `@code`, mail x@y.org\n")
    assert fact.mentions == ("Mara", "Peter", "Ann")
    assert fact.content == "met Peter and A. in @code, mail x@y.org"


# -- A10 and A11: code, comments, quotes


def test_no_fact_comes_from_code_comments_or_quotes() -> None:
    text = (
        "## Retain\n"
        "\n"
        "```\n"
        "- O(c=0.9) @Mara: in a fence\n"
        "```\n"
        "- `O(c=0.9) @Mara: in code`\n"
        "- `- O(c=0.9) @Mara: in code`\n"
        "\n"
        "<!-- - O(c=0.9) @Mara: in a comment -->\n"
        "<!--\n"
        "- O(c=0.9) @Mara: in a long comment\n"
        "-->\n"
        "\n"
        "> - W @Mara: someone else's words\n"
        "> W @Mara: without a dash\n"
        ">\n"
        "> [!note]\n"
        "> - W @Mara: in a callout\n"
        "\n"
        "- > W @Mara: quoted inside a bullet\n"
        "- W @Mara: real <!-- W @Mara: not this -->\n"
    )
    assert facts(text) == [(21, 21, "real")]
    said = "\n".join(p.content for p in read(text))
    assert "in a fence" in said
    assert "someone else's words" in said
    assert "comment" not in said


def test_a_fence_on_a_bullet_closes_with_it() -> None:
    text = "## Retain\n- bullet\n  ```\n  - W @Mara: sample\n  ```\n- W @Mara: after fence\n"
    assert facts(text) == [(6, 6, "after fence")]
    opened_on_it = "## Retain\n- ```\n  - W @Mara: sample\n    ```\n- W @Mara: after fence\n"
    assert facts(opened_on_it) == [(5, 5, "after fence")]
    left_open = "## Retain\n- ```\n  sample\n- W @Mara: after fence\n"
    assert facts(left_open) == [(4, 4, "after fence")]


def test_a_fence_that_never_closes_is_told() -> None:
    text = "## Retain\n- W @Mara: before\n\n```\ncode\n- W @Mara: below\n"
    assert facts(text) == [(2, 2, "before")]
    assert lints(text) == [(4, "unclosed-code")]
    assert any("below" in p.content for p in read(text))
    shown = "\n".join(block.text for block in read_page(DAY, text.encode()).blocks)
    assert "below" in shown


def test_other_fences_inside_do_not_close() -> None:
    text = "## Retain\n````\n~~~\n```\n- W @Mara: in\n~~~\n````\n- W @Mara: out\n"
    assert facts(text) == [(8, 8, "out")]
    assert lints(text) == []


def test_a_heading_inside_a_quote_or_code_ends_nothing() -> None:
    text = "## Retain\n- W: a\n\n> # A quoted title\n\n```\n# a comment in code\n```\n- W: b\n"
    assert [content for _, _, content in facts(text)] == ["a", "b"]


def test_a_quoted_retain_heading_opens_nothing() -> None:
    assert facts("> ## Retain\n\n- W @Mara: x\n") == []


# -- A12 and A27: encodings and lines


FORMS = (
    "---\n"
    "title: A day\n"
    "---\n"
    "\n"
    "# Day\n"
    "with a form\x0cfeed and a\u2028separator\n"
    "\n"
    "## Retain\n"
    "- W @Mara: on line nine\n"
    "  - nested\n"
    "\n"
    "| a | b |\n"
    "|---|---|\n"
    "| 1 | 2 |"
)


def test_all_forms_of_a_file_read_the_same() -> None:
    plain = read(FORMS)
    assert facts(FORMS) == [(9, 10, "on line nine\nnested")]
    crlf = FORMS.replace("\n", "\r\n")
    for form in (
        FORMS + "\n",
        crlf,
        crlf + "\r\n",
        "\ufeff" + FORMS,
        "\ufeff" + crlf,
        FORMS.encode("utf-16"),
        crlf.encode("utf-16"),
        b"\xfe\xff" + FORMS.encode("utf-16-be"),
        FORMS.encode("utf-16-le"),
    ):
        assert read(form) == plain
        assert read_page(DAY, form.encode() if isinstance(form, str) else form).title == "A day"


@pytest.mark.parametrize("place", [0, 1, 2, 7, 40, 63])
@pytest.mark.parametrize("letters", ["a", "ж", "日"])
def test_a_stray_nul_does_not_make_a_file_utf_16(place: int, letters: str) -> None:
    text = f"{letters * 30}\n\n## Retain\n\n- W @Mara: likes tea\n"
    spoilt = text[:place] + "\0" + text[place:]
    decoded = decode(spoilt.encode())
    assert (decoded.text, decoded.encoding, decoded.trouble) == (spoilt, "utf-8", None)
    shown = "\n".join(block.text for block in parse(decoded.text).blocks)
    assert "\ufffd" in shown
    assert "likes" in shown
    assert "\0" not in shown


def test_many_nuls_in_both_halves_are_no_utf_16() -> None:
    text = "a\0\0b" * 50 + "\n"
    assert decode(text.encode()).encoding == "utf-8"
    assert decode(b"ab\0c").encoding == "utf-8"


@pytest.mark.parametrize("codec", ["utf-16-le", "utf-16-be"])
@pytest.mark.parametrize(
    "text", ["hi", "- W @Mara: likes tea\n", "- W @Лена: любит чай с вареньем\n" * 5]
)
def test_utf_16_without_a_mark_is_read(codec: str, text: str) -> None:
    assert decode(text.encode(codec)) == Decoded(text, codec)


def test_leading_blank_lines_count() -> None:
    text = "\r\n\r\n\r\n# D\r\nform\x0cfeed\u2028sep\r\n\r\n## Retain\r\n\r\n- W @Mara: nine\r\n"
    assert facts(text) == [(9, 9, "nine")]


def test_a_moved_fact_is_found_again_by_its_text(make_workspace: MakeWorkspace) -> None:
    ws = make_workspace({DAY: "## Retain\n\n- W @Mara: likes tea\n- W @Mara: likes jam\n"})
    (cited,) = ws.recall("tea").results
    place = ws.path / DAY
    place.write_text("one\ntwo\nthree\nfour\nfive\n" + place.read_text())
    moved = ws.locate(cited.source, cited.id)
    assert (moved.line_start, moved.line_end) == (8, 8)
    place.write_text("## Retain\n\n- W @Mara: likes jam\n")
    with pytest.raises(SourceGone):
        ws.locate(cited.source, cited.id)


# -- structure of bullets


def test_what_is_nested_belongs_to_its_bullet() -> None:
    text = (
        "## Retain\n"
        "- W @Mara: first\n"
        "  goes on\n"
        "  - detail one\n"
        "    - detail two\n"
        "\n"
        "  a paragraph\n"
        "\n"
        "  ```\n"
        "  code\n"
        "  ```\n"
        "- B: next\n"
    )
    assert facts(text) == [
        (2, 11, "first\ngoes on\ndetail one\ndetail two\na paragraph\ncode"),
        (12, 12, "next"),
    ]


def test_an_indented_line_continues_and_one_at_the_margin_may_begin() -> None:
    text = "## Retain\n- W @Mara: one\n  O: still one\nB: two, without its dash\nand more\n"
    assert facts(text) == [(2, 3, "one\nO: still one"), (4, 5, "two, without its dash\nand more")]


def test_a_dash_may_be_missing_in_bank_and_retain_only() -> None:
    assert facts("W @Mara: x\nB: y\n", "bank/world.md") == [(1, 1, "x"), (2, 2, "y")]
    assert facts("- a page\nW @Mara: x\n", "bank/world.md") == [(2, 2, "x")]
    assert facts("## Retain\n\nW @Mara: x\n") == [(3, 3, "x")]
    assert facts("W @Mara: x\n- W @Mara: y\n") == []


def test_an_outline_may_hold_its_retain_section() -> None:
    text = (
        "- morning\n"
        "- ## Retain\n"
        "\t- W @Mara: likes tea\n"
        "\t- B: baked\n"
        "\t  id:: 64a1f0a2-aaaa-bbbb-cccc-1234567890ab\n"
        "- W @Mara: not under it\n"
    )
    assert facts(text, "journals/2026_11_20.md") == [(3, 3, "likes tea"), (4, 5, "baked")]


def test_very_deep_outlines_lose_nothing() -> None:
    text = "".join("\t" * depth + f"- level {depth}\n" for depth in range(60))
    passages = read(text)
    assert [p.source.line_start for p in passages] == list(range(1, 61))
    shown = " ".join(block.text for block in read_page(DAY, text.encode()).blocks)
    assert all(f"level {depth}" in shown for depth in range(60))


# -- A44: sizes


def test_a_bullet_of_twenty_thousand_words_is_one_fact(make_workspace: MakeWorkspace) -> None:
    words = " ".join(f"word{n}" for n in range(20_000))
    ws = make_workspace({DAY: f"## Retain\n- W @Mara: {words}\n- W @Mara: short one\n"})
    for query in ("word1", "word19999", "mara word7777"):
        (first, *_) = ws.recall(query).results
        assert first.content == words
    assert [r.content for r in ws.recall("short").results] == ["short one"]


def test_an_empty_bullet_is_told_and_nothing_more(make_workspace: MakeWorkspace) -> None:
    text = "## Retain\n- W @Mara:\n-\n- \n- W @Mara: after\n"
    assert facts(text) == [(5, 5, "after")]
    assert lints(text) == [(2, "not-understood")]
    ws = make_workspace({DAY: text})
    assert "after" in [r.content for r in ws.recall("Mara").results]


def test_a_bullet_of_only_emoji_is_found(make_workspace: MakeWorkspace) -> None:
    ws = make_workspace({DAY: "## Retain\n- W @Mara: 🎉🎂\n- W @Mara: 👩‍👩‍👧\n"})
    assert [r.content for r in ws.recall("🎂").results] == ["🎉🎂"]
    assert [r.content for r in ws.recall("🎉🎂").results] == ["🎉🎂"]


def test_a_long_paragraph_is_cut_at_its_lines() -> None:
    lines = [f"line {n} " + "x" * 80 for n in range(1, 101)]
    passages = read("\n".join(lines) + "\n")
    assert len(passages) > 3
    assert passages[0].source.line_start == 1
    assert passages[-1].source.line_end == 100
    for before, after in pairwise(passages):
        assert after.source.line_start == before.source.line_end + 1
    for passage in passages:
        own = lines[passage.source.line_start - 1 : passage.source.line_end]
        assert passage.content == "\n".join(own)
