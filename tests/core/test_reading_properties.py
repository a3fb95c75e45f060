"""What holds for every file, however odd: lines, ids, and that no text is lost."""

from __future__ import annotations

import re
import unicodedata

from hypothesis import given, settings
from hypothesis import strategies as st

from daybank.markdown.document import decode
from daybank.markdown.page import read_page
from daybank.markdown.passages import parse_file

LOG = "memory/2026-11-20.md"
PATHS = st.sampled_from(
    [
        LOG,
        "bank/opinions.md",
        "bank/entities/A.md",
        "notes/x.md",
        "journals/2026_11_20.md",
        "DREAMS.md",
    ]
)
LINES = [
    "## Retain", "# H1", "### Deep", "Setext", "===", "---", "***", "", "", "  ",
    "- W @Mara: likes tea", "* O(c=0.5) @Bob: is late", "+ B: baked bread", "- S: sum",
    "O(c=0.7) @Ann: dashless", "- Evidence: said so", "- Last reinforced: 2026-02-03",
    "- `opinion`: keyed", "- `confidence`: 0.9", "- W@Mara: nearly", "- [ ] todo",
    "- [x] done",
    "  - nested", "    - deeper", "\t- tabbed", "\t\t- twice", "  continued", "lazy line",
    "1. one", "2) two", "10. ten", "> quote", "> - W @Mara: quoted", "> # quoted head", "- > both",
    "```", "~~~", "````", "```py", "# in code?", "| a | b |", "|---|---|", "| 1 | 2 |", "| only |",
    "<!-- c -->", "<!--", "-->", "<!-- daybank:begin x -->", "<!-- daybank:end x -->", "<div>",
    "</div>", "<b>bold</b> text", "• dot", "– dash", "title: x", "[[Link|shown]] and @Name",
    "- ## Head in item", "id:: 63b1", "key:: value", "<<<<<<< HEAD", "=======", ">>>>>>> x",
    "![alt](data:image/png;base64,AAAA)", "a\x0cb\u2028c\x85d", "\u00a0nbsp", "\u200b", "é e\u0301",
    "- ", "-", "+", "-   spaced", "     indented code?", "`code`", "**W @Mara**: x", "&amp; &lt;",
    "\\- escaped", "text  ", "a\\", "2026-11-20", "## 2026-01-02", "- 09:30 at",
    "***bold* italic**",
    "~~gone~~", "[link](http://x.y)", "[ref]: http://x.y", "(memory/a.md#L3 ^f-0123456789ab)",
]  # fmt: skip
TEXTS = st.lists(st.sampled_from(LINES), max_size=25).map("\n".join)
MARKUP = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)


def said(path: str, text: str) -> list[tuple[int, int, str]]:
    return [
        (p.source.line_start, p.source.line_end, p.content)
        for p in parse_file(path, text.encode()).passages
    ]


@settings(max_examples=300)
@given(PATHS, st.binary(max_size=400))
def test_no_bytes_break_reading(path: str, data: bytes) -> None:
    parse_file(path, data)
    read_page(path, data)


@settings(max_examples=300)
@given(PATHS, st.text(max_size=200))
def test_no_text_breaks_reading(path: str, text: str) -> None:
    data = text.encode("utf-8", "surrogatepass")
    parse_file(path, data)
    read_page(path, data)


@settings(max_examples=400)
@given(PATHS, TEXTS)
def test_lines_are_in_the_file_and_in_order(path: str, text: str) -> None:
    lines = text.count("\n") + 1
    last = 0
    for passage in parse_file(path, text.encode()).passages:
        assert last <= passage.source.line_start <= passage.source.line_end <= lines
        last = passage.source.line_start
    last = 0
    for block in read_page(path, text.encode()).blocks:
        assert last <= block.line_start <= block.line_end <= lines
        last = block.line_start


@settings(max_examples=400)
@given(PATHS, TEXTS)
def test_what_a_fact_says_is_in_its_lines(path: str, text: str) -> None:
    lines = text.split("\n")
    for fact in parse_file(path, text.encode()).passages:
        if fact.kind.is_fact:
            own = "\n".join(lines[fact.source.line_start - 1 : fact.source.line_end])
            for word in re.findall(r"\w+", fact.content):
                assert word in own


@settings(max_examples=600)
@given(PATHS, TEXTS)
def test_every_line_with_words_is_read(path: str, text: str) -> None:
    """Each word of a line is in a passage that cites the line, in a heading, or among the
    properties. What nobody sees is left out: comments, marks, the rows that only head a table."""
    parsed = parse_file(path, text.encode())
    page = read_page(path, text.encode())
    covered: set[int] = set()
    for passage in parsed.passages:
        covered.update(range(passage.source.line_start, passage.source.line_end + 1))
    for block in page.blocks:
        if block.kind in ("heading", "properties") or block.header:
            covered.update(range(block.line_start, block.line_end + 1))
    hidden = MARKUP.sub(lambda m: "\n" * m[0].count("\n"), text)
    for number, line in enumerate(hidden.split("\n"), 1):
        if re.search(
            r"\w",
            re.sub(r"</?div>|^\s*id:: .*|^[-+*\s]*\d+[.)]\s*$|```\w*|\(memory/.*\)", "", line),
        ):
            if re.match(r"(<{7}|={7}|>{7})( |$)", line):
                continue
            assert number in covered, (number, line)


@settings(max_examples=300)
@given(PATHS, TEXTS)
def test_the_page_shows_every_word(path: str, text: str) -> None:
    shown: set[str] = set()
    for block in read_page(path, text.encode()).blocks:
        parts = [block.text, *block.names, *(s.text for cell in block.cells for s in cell)]
        shown.update(word for part in parts for word in re.findall(r"\w+", part))
    bare = MARKUP.sub(" ", text)
    bare = re.sub(
        r"\(memory/a.md#L3[^)]*\)|^\s*id::.*$|</?div>|&\w+;|base64,\w+", " ", bare, flags=re.M
    )
    bare = re.sub(r"\]\([^)]*\)|\[\[Link\||```py|\[x\]|\(c=[\d.]+\)", " ", bare)
    bare = re.sub(r"(^|[\s>])[WBOS]( @\w+)?:", " ", bare, flags=re.M)
    missing = {word for word in re.findall(r"[^\W\d]\w+", bare)} - shown
    assert missing == set()


@settings(max_examples=300)
@given(PATHS, TEXTS, st.sampled_from(["\n\n\n", "x\n\n", "words above\n\n\n", "<!-- c -->\n\n"]))
def test_ids_stay_when_lines_are_put_above(path: str, text: str, above: str) -> None:
    if text.startswith("---"):
        above = ""  # what was front matter would become text
    old = [p.fact_id for p in parse_file(path, text.encode()).passages if p.fact_id]
    new = [p.fact_id for p in parse_file(path, (above + text).encode()).passages if p.fact_id]
    assert new == old


@settings(max_examples=300)
@given(PATHS, TEXTS)
def test_all_forms_of_a_text_read_the_same(path: str, text: str) -> None:
    plain = parse_file(path, text.encode())
    crlf = text.replace("\n", "\r\n")
    for data in (
        crlf.encode(),
        ("\ufeff" + text).encode(),
        ("\ufeff" + crlf).encode(),
        text.encode("utf-16"),
    ):
        if text:
            other = parse_file(path, data)
            assert other.passages == plain.passages
            assert [lint.line for lint in other.lints] == [lint.line for lint in plain.lints]
    assert parse_file(path, (text + "\n").encode()).passages == plain.passages


@settings(max_examples=200)
@given(st.text(max_size=100), st.sampled_from(["utf-8", "utf-8-sig", "utf-16"]))
def test_decoding_undoes_encoding(text: str, codec: str) -> None:
    text = unicodedata.normalize("NFC", text).replace("\ufeff", "").replace("\0", "")
    if all(not 0xD800 <= ord(char) < 0xE000 for char in text):
        assert decode(text.encode(codec)).text == text
