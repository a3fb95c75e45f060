"""What people type: no text breaks the search, and every script is found (reports A01–A06)."""

from __future__ import annotations

import sqlite3
import unicodedata
from collections.abc import Iterator
from datetime import date

import pytest
from core_tools import MakeWorkspace, contents, retain
from hypothesis import given, settings
from hypothesis import strategies as st

from daybank import Interval, RecallAnswer, Workspace
from daybank.index.analysis import prefix_end, tokenize
from daybank.index.match import match_expression
from daybank.recall.names import KnownNames
from daybank.recall.query import understand

DAY = "memory/2026-11-20.md"


def marked(answer: RecallAnswer) -> list[str]:
    first = answer.results[0]
    return [first.content[start:end] for start, end in first.highlights]


# -- A01: identifiers with a hyphen


@pytest.fixture
def decisions(make_workspace: MakeWorkspace) -> Workspace:
    return make_workspace(
        {
            DAY: retain(
                "B @warelay: ADR-0031 accepted",
                "B @warelay: ADR-0032 rejected",
                "B @warelay: a state-of-the-art relay",
            )
        }
    )


@pytest.mark.parametrize(
    "query",
    ["ADR-0031", '"ADR-0031"', "adr 0031", "ADR\u20110031", "adr_0031", "adr/0031", "ADR.0031"],
)
def test_an_identifier_finds_exactly_its_fact(decisions: Workspace, query: str) -> None:
    assert contents(decisions.recall(query)) == ["ADR-0031 accepted"]


@pytest.mark.parametrize("query", ["ADR-0099", "ADR-31", '"ADR-0099"', "status ADR-0099"])
def test_another_number_is_another_thing(decisions: Workspace, query: str) -> None:
    assert contents(decisions.recall(query)) == []


def test_a_neighbour_in_the_list_does_not_come_along(decisions: Workspace) -> None:
    found = contents(decisions.recall("was ADR-0031 accepted or rejected by warelay"))
    assert found == ["ADR-0031 accepted"]


def test_a_hyphenated_word_is_found_in_every_spelling(decisions: Workspace) -> None:
    for query in ("state-of-the-art", "state of the art", '"state of the art"', "state-of-the"):
        assert contents(decisions.recall(query)) == ["a state-of-the-art relay"], query


def test_the_identifier_is_shown_as_a_word_looked_for(decisions: Workspace) -> None:
    assert decisions.recall("ADR-0031").query.words == ("ADR-0031",)
    assert decisions.recall('"ADR-0031"').query.phrases == ("ADR-0031",)


# -- A02: nothing typed acts as an operator


@pytest.mark.parametrize(
    "query",
    [
        "AND",
        "OR gate",
        "NOT gate",
        "NEAR(gate or)",
        "gate*",
        "words:gate",
        "{stems}: gate",
        "^gate",
    ],
)
def test_operators_are_words(make_workspace: MakeWorkspace, query: str) -> None:
    ws = make_workspace({DAY: retain("S @Mara: the gate is AND or OR")})
    assert contents(ws.recall(query)) == ["the gate is AND or OR"]


def test_a_hidden_column_cannot_be_addressed(make_workspace: MakeWorkspace) -> None:
    ws = make_workspace({DAY: retain("O(c=0.9) @Mara: tea is best", "W: an opinion of a kind")})
    assert contents(ws.recall("kind:opinion")) == ["an opinion of a kind"]
    assert contents(ws.recall("context:tea")) == ["tea is best"]


def test_a_lone_minus_word_says_what_is_missing(make_workspace: MakeWorkspace) -> None:
    ws = make_workspace({DAY: retain("W: the draft")})
    for query in ("-draft", '-"the draft"', "-a-b-c", "−draft"):
        answer = ws.recall(query)
        assert answer.results == ()
        assert [notice.id for notice in answer.notices] == ["only-excluded"], query


def test_a_minus_word_leaves_out(make_workspace: MakeWorkspace) -> None:
    ws = make_workspace({DAY: retain("W: budget draft", "W: budget final", "W: budget ADR-0031")})
    assert contents(ws.recall("budget -draft -ADR-0031")) == ["budget final"]
    assert contents(ws.recall('budget -"budget final"')) == ["budget draft", "budget ADR-0031"]
    assert ws.recall("budget -draft").query.excluded == ("draft",)


@pytest.mark.parametrize(
    ("query", "left_out"),
    [
        ("flour -tuesday", ("tuesday",)),
        ("-may flour", ("may",)),
        ("flour −Monday", ("Monday",)),
        ("flour -martes -вторник", ("martes", "вторник")),
        ('flour -"last week"', ("last week",)),
    ],
)
def test_a_time_that_is_left_out_is_not_asked_for(query: str, left_out: tuple[str, ...]) -> None:
    asked = understand(query, date(2026, 11, 27), KnownNames((), ())).query
    assert (asked.words, asked.excluded, asked.window) == (("flour",), left_out, None)


def test_a_weekday_can_be_left_out_of_the_answer(make_workspace: MakeWorkspace) -> None:
    ws = make_workspace({DAY: retain("W: flour comes Tuesday", "W: flour is in the cellar")})
    assert contents(ws.recall("flour -tuesday")) == ["flour is in the cellar"]


def test_what_is_left_out_keeps_the_time_beside_it() -> None:
    asked = understand("flour -tuesday in August 2026", date(2026, 11, 27), KnownNames((), ()))
    assert asked.query.excluded == ("tuesday",)
    assert asked.query.window == Interval(date(2026, 8, 1), date(2026, 8, 31))


@pytest.mark.parametrize(
    ("query", "first", "last"),
    [
        ("9 -13 March", date(2026, 3, 9), date(2026, 3, 13)),
        ("Nov 27 - Dec 1", date(2025, 11, 27), date(2025, 12, 1)),
        ("Nov 27 -Dec 1", date(2025, 11, 27), date(2025, 12, 1)),
        ("27 nov – 1 dic", date(2025, 11, 27), date(2025, 12, 1)),
    ],
)
def test_a_dash_in_a_range_leaves_nothing_out(query: str, first: date, last: date) -> None:
    asked = understand(f"flour {query}", date(2026, 4, 1), KnownNames((), ())).query
    assert (asked.excluded, asked.window) == ((), Interval(first, last))


# -- A03: every keystroke

HALF_TYPED = [
    "what's",
    "what’s",
    "user@example.com",
    "v20.04.",
    "GB/s",
    '"half open',
    "“half open",
    "«half open",
    "*",
    "(",
    "^",
    "   ",
    "",
    "a\x00b",
    "session-rec",
    "C++",
    "state-of-the-art -draft @Mara last week",
    "@[Long Name] since 2025-11 “quoted” -x",
    "👩‍👩‍👧 family 🇵🇭",
    "İstanbul'da İpek",
    "cafe\u0301 ﬁne ½ Ｆｕｌｌ",
    "昨日deploy-api再起動",
    "ภาษาไทย",
    "\u202egnp.exe\u202c \u200bzero\u200dwidth\ufeff",
    "\ud800 lone surrogate",
]
NASTY = [
    '"',
    '""',
    '"""',
    "'",
    "';--",
    '" OR 1=1 --',
    ")(",
    "((((",
    "NEAR(",
    "NEAR/2",
    'a" AND "b',
    "a AND",
    "AND AND",
    "NOT",
    "col:",
    ":",
    "a:b:c",
    "{a b}:c",
    "+",
    "a + b",
    "-",
    "--",
    "- -",
    "-(",
    '-"',
    "@",
    "@[",
    "@[]",
    "[[x]]",
    "\\",
    "%",
    "_",
    "a%b_c",
    "~",
    "?",
    ";",
    "\x1a",
    "\x7f",
    "\x85",
    "\u2028",
    "a" * 10_000,
    "a " * 5_000,
    "-a " * 2_000,
    '"' * 1_001,
    "@Mara " * 500,
    "1 " * 3_000,
    "漢" * 5_000,
    "last week " * 300,
    "0" * 400,
    "2026-11-20 " * 200,
]


@pytest.fixture
def symbols(make_workspace: MakeWorkspace) -> Workspace:
    return make_workspace(
        {
            DAY: retain(
                "W @Ann: that's what's new with Peter’s car, write to user@example.com",
                "W @Mara: runs v20.04. on a disk with 3 GB/s",
                "W: the session-recall tool",
                "W: C++ build is slow",
                "W: vitamin C for breakfast",
                "W: C# and F# are taught here",
            )
        }
    )


def test_no_keystroke_raises(symbols: Workspace) -> None:
    for text in HALF_TYPED:
        for length in range(len(text) + 1):
            symbols.recall(text[:length])


@pytest.mark.parametrize("query", NASTY, ids=lambda query: repr(query[:12]))
def test_no_nasty_text_raises(symbols: Workspace, query: str) -> None:
    symbols.recall(query)
    symbols.recall(f"{query} session", kinds=["world"], since="30d")


@settings(max_examples=250)
@given(
    st.one_of(st.text(max_size=60), st.text(alphabet="abc\"-@()*:^ '’+#.[]{}\n1é漢", max_size=25))
)
def test_no_text_at_all_raises(query: str) -> None:
    connection = _full_text()
    question = understand(query, date(2026, 11, 26), KnownNames((), ()))
    if question.groups:
        expression = match_expression(question.groups, question.excluded)
        connection.execute("SELECT rowid FROM f WHERE f MATCH ?", (expression,)).fetchall()
    for group in question.groups:
        connection.execute("SELECT rowid FROM f WHERE f MATCH ?", (match_expression([group]),))


_connection: list[sqlite3.Connection] = []


def _full_text() -> sqlite3.Connection:
    """A real FTS5 table like the index's own, made once."""
    if not _connection:
        made = sqlite3.connect(":memory:")
        made.execute(
            "CREATE VIRTUAL TABLE f USING fts5(words, stems, context,"
            " tokenize=\"ascii tokenchars '+#$'\")"
        )
        made.execute("INSERT INTO f VALUES ('a b c', 'a b c', 'x')")
        _connection.append(made)
    return _connection[0]


@pytest.fixture(scope="module", autouse=True)
def _close_full_text() -> Iterator[None]:
    yield
    while _connection:
        _connection.pop().close()


@pytest.mark.parametrize("query", ["", "   ", "*", "(", "^", "?!", "\x00", "\u200b"])
def test_nothing_to_look_for_asks_for_something(symbols: Workspace, query: str) -> None:
    answer = symbols.recall(query)
    assert answer.results == ()
    assert [notice.id for notice in answer.notices] == ["blank"]


def test_straight_and_curly_apostrophes_find_the_same(symbols: Workspace) -> None:
    for one, other in (("what's", "what’s"), ("Peter's car", "Peter’s car")):
        assert contents(symbols.recall(one)) == contents(symbols.recall(other))
        assert "Peter’s car" in contents(symbols.recall(one))[0]


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("user@example.com", "user@example.com"),
        ("user@exam", "user@exam"),
        ("user@ex", "user@ex"),
        ("example.com.", "example.com"),
        ("v20.04.", "v20.04"),
        ("v20.0", "v20.0"),
        ("GB/s", "GB/s"),
        ("gb/s", "GB/s"),
        ("session-rec", "session-rec"),
        ("session-", "session"),
        ('"session rec', "session-rec"),
        ("C++", "C++"),
        ("c++ bui", "C++ bui"),
        ("F#", "F#"),
    ],
)
def test_a_word_with_marks_inside_is_found_and_marked(
    symbols: Workspace, query: str, found: str
) -> None:
    assert marked(symbols.recall(query)) == [found]


def test_the_language_comes_before_the_letter(symbols: Workspace) -> None:
    assert contents(symbols.recall("C++"))[0] == "C++ build is slow"
    assert contents(symbols.recall("C#"))[0] == "C# and F# are taught here"
    assert "vitamin C for breakfast" in contents(symbols.recall("C"))


def test_a_very_long_question_says_that_it_was_cut(symbols: Workspace) -> None:
    answer = symbols.recall("session " * 1_250)
    assert [notice.id for notice in answer.notices] == ["long-query"]
    assert contents(answer) == ["the session-recall tool"]


def test_a_word_longer_than_any_is_still_found(make_workspace: MakeWorkspace) -> None:
    digest = "9f86d081884c7d659a2feaa0c55ad015" * 4
    ws = make_workspace({DAY: retain(f"W: backup {digest} verified", "W: backup of another kind")})
    assert contents(ws.recall(digest)) == [f"backup {digest} verified"]
    assert marked(ws.recall(digest)) == [digest]


# -- A04: scripts without spaces, emoji


@pytest.fixture
def scripts(make_workspace: MakeWorkspace) -> Workspace:
    return make_workspace(
        {
            DAY: retain(
                "W @美咲: 昨日は川沿いを散歩した",
                "B @api: 昨日deploy-api再起動した",
                "W @Nok: ภาษาไทยง่ายมาก 🚀",
                "W @한나: 서울에서 커피를 마셨다",
                "W @李: 我喜欢喝茶和咖啡",
                "W: 👩‍👩‍👧 at the fair 🇵🇭",
                "W: שלום עולם in the café",
                "W: नमस्ते दुनिया",
            )
        }
    )


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("散歩", ["散歩"]),
        ("川沿い 散歩", ["川沿い", "散歩"]),
        ("散歩 川沿い", ["川沿い", "散歩"]),
        ("川", ["川"]),
        ("deploy", ["deploy"]),
        ("deploy-api", ["deploy-api"]),
        ("再起動", ["再起動"]),
        ("再起", ["再起"]),
        ("ไทย", ["ไทย"]),
        ("ง่าย", ["ง่าย"]),
        ("🚀", ["🚀"]),
        ("커피", ["커피"]),
        ("서울", ["서울"]),
        ("咖啡 喜欢", ["喜欢", "咖啡"]),
        ("茶", ["茶"]),
        ("👩‍👩‍👧", ["👩‍👩‍👧"]),
        ("🇵🇭", ["🇵🇭"]),
        ("שלום", ["שלום"]),
        ("नमस्ते", ["नमस्ते"]),
    ],
)
def test_every_script_is_found_and_marked_whole(
    scripts: Workspace, query: str, found: list[str]
) -> None:
    answer = scripts.recall(query)
    assert marked(answer) == found
    assert answer.results[0].score > 0


def test_decomposed_korean_is_the_same_text(make_workspace: MakeWorkspace) -> None:
    apart = unicodedata.normalize("NFD", "서울에서 커피를")
    ws = make_workspace({DAY: retain(f"W: {apart} 마셨다")})
    assert marked(ws.recall("커피")) == [unicodedata.normalize("NFD", "커피")]
    assert marked(ws.recall(unicodedata.normalize("NFD", "서울"))) == [
        unicodedata.normalize("NFD", "서울")
    ]


def test_a_long_sentence_without_spaces_finds_by_its_parts(scripts: Workspace) -> None:
    assert contents(scripts.recall("昨日の午後は川沿いをゆっくり散歩しました"))[0].startswith(
        "昨日は川"
    )


# -- A05: accents, A06: the dotted İ


@pytest.fixture
def accents(make_workspace: MakeWorkspace) -> Workspace:
    return make_workspace(
        {
            DAY: retain(
                "W @Zoë: adoçante no café veľmi dobrý",
                "W @İpek: İstanbul'da İpek ile",
                "W @ipek: çay içti",
                "W @IPEK: koştu",
                "W @Işıl: geldi",
                "W: die Straße, ﬁne, Ｆｕｌｌ, Åse, Łódź, cafe\u0301s",
            )
        }
    )


@pytest.mark.parametrize(
    "query", ["adoc", "adoç", "cafe", "café", "cafe\u0301", "CAFÉ", "velmi", "zoe"]
)
def test_accents_do_not_matter(accents: Workspace, query: str) -> None:
    assert contents(accents.recall(query))[0] == "adoçante no café veľmi dobrý"


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("adoç", "adoçante"),
        ("ado", "ado"),
        ("cafe", "café"),
        ("velm", "veľm"),
        ("istanbul", "İstanbul"),
        ("İSTANBUL", "İstanbul"),
        ("istan", "İstan"),
        ("strasse", "Straße"),
        ("stras", "Straß"),
        ("fine", "ﬁne"),
        ("full", "Ｆｕｌｌ"),
        ("lodz", "Łódź"),
        ("ase", "Åse"),
    ],
)
def test_the_mark_covers_exactly_the_original_characters(
    accents: Workspace, query: str, found: str
) -> None:
    assert found in marked(accents.recall(query))


@pytest.mark.parametrize("name", ["İpek", "ipek", "IPEK", "@İpek", " ipek "])
def test_the_dotted_capital_is_one_person(accents: Workspace, name: str) -> None:
    entity = accents.entity(name)
    assert entity is not None
    assert (entity.name, len(entity.facts)) == ("İpek", 3)
    assert len(accents.recall(name.strip()).results) == 3


def test_a_dotless_name_is_not_merged(make_workspace: MakeWorkspace) -> None:
    ws = make_workspace({DAY: retain("W @Işıl: geldi", "W @Isil: arrived")})
    assert ws.entity("Isil") is not None
    for name, says in (("Işıl", "geldi"), ("Isil", "arrived")):
        entity = ws.entity(name)
        assert entity is not None
        assert [fact.content for fact in entity.facts] == [says]
        assert ws.recall(name).query.entities == (name,)
        assert contents(ws.recall(name))[0] == says
        assert contents(ws.recall(f"@{name}")) == [says]
    # Typed without its letters it may be either, and the names stay two.
    assert set(ws.recall("ışil").query.entities) == {"Işıl", "Isil"}


@settings(max_examples=400)
@given(st.text(max_size=40))
def test_tokens_stand_in_the_text_in_order(text: str) -> None:
    last = 0
    for token in tokenize(text):
        assert 0 <= token.start < token.end <= len(text)
        assert token.start >= last
        last = token.start


@settings(max_examples=300)
@given(st.text(alphabet="aáa\u0301İıßﬁ漢가\u1100\u1161ก็e\u200b 👩\u200d", min_size=1, max_size=12))
def test_a_token_reads_the_same_where_it_stands(text: str) -> None:
    for token in tokenize(text):
        again = tokenize(text[token.start : token.end])
        assert token.term in [other.term for other in again]
        assert prefix_end(text, token.start, token.term) <= len(text)
