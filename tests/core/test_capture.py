"""Writing something down: the right day, and not a byte of what was there (reports A17, A35)."""

from __future__ import annotations

import contextlib
import os
from datetime import UTC, date, datetime
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from core_tools import NOON, MakeWorkspace
from hypothesis import example, given
from hypothesis import strategies as st

from daybank import (
    FixedClock,
    Kind,
    NoteNotSaved,
    NoteNotUnderstood,
    PathRefused,
    SystemClock,
    Workspace,
    WorkspaceUnreadable,
)
from daybank.capture import _is_read, _with_note
from daybank.markdown.passages import parse_file

TODAY = "memory/2026-11-26.md"
DAY = date(2026, 11, 26)


def read(ws: Workspace, path: str = TODAY) -> str:
    return (ws.path / path).read_bytes().decode("utf-8")


# -- which day


@pytest.mark.parametrize(
    ("zone", "moment", "day"),
    [
        ("Asia/Tokyo", datetime(2026, 11, 25, 21, 30, tzinfo=UTC), "2026-11-26"),  # 06:30 there
        ("America/Los_Angeles", datetime(2026, 11, 27, 2, 17, tzinfo=UTC), "2026-11-26"),  # 18:17
        ("Europe/Berlin", datetime(2026, 10, 25, 0, 30, tzinfo=UTC), "2026-10-25"),
        ("Pacific/Kiritimati", datetime(2026, 12, 31, 10, 0, tzinfo=UTC), "2027-01-01"),
    ],
)
def test_the_file_is_the_persons_calendar_day(
    make_workspace: MakeWorkspace, zone: str, moment: datetime, day: str
) -> None:
    ws = make_workspace({}, clock=FixedClock(moment.astimezone(ZoneInfo(zone))))
    added = ws.add("W @Mara: an early note")
    assert added.source.path == f"memory/{day}.md"
    ws.sync()
    assert [r.content for r in ws.recall("early note today").results] == ["an early note"]


def test_the_systems_clock_knows_its_zone(make_workspace: MakeWorkspace) -> None:
    zone = ZoneInfo("Pacific/Kiritimati")
    clock = SystemClock(zone)
    before = datetime.now(zone).date()
    added = make_workspace({}, clock=clock).add("a note")
    assert added.source.path[7:17] in {str(before), str(datetime.now(zone).date())}


def test_another_day_may_be_named(make_workspace: MakeWorkspace) -> None:
    ws = make_workspace({})
    assert ws.add("late", day=date(2026, 1, 2)).source.path == "memory/2026-01-02.md"
    assert sorted(os.listdir(ws.path / "memory")) == ["2026-01-02.md"]


def test_a_logseq_graph_keeps_its_own_names(make_workspace: MakeWorkspace) -> None:
    ws = make_workspace({"journals/2026_11_25.md": "- yesterday\n"})
    assert ws.add("B: today").source.path == "journals/2026_11_26.md"


# -- where in the file


def test_a_new_day_begins_with_its_date(make_workspace: MakeWorkspace) -> None:
    ws = make_workspace({})
    added = ws.add("W @Mara: Lives in Porto")
    assert read(ws) == "# 2026-11-26\n\n## Retain\n\n- W @Mara: Lives in Porto\n"
    assert added.fact is not None
    assert (added.fact.kind, added.fact.mentions, str(added.source)) == (
        Kind.WORLD,
        ("Mara",),
        f"{TODAY}#L5",
    )
    assert added.before is None
    ws.add("walked by the river")
    assert read(ws) == (
        "# 2026-11-26\n\n- walked by the river\n\n## Retain\n\n- W @Mara: Lives in Porto\n"
    )


@pytest.mark.parametrize(
    ("before", "after"),
    [
        pytest.param(
            "# Day\n\n## Retain\n- W: a\n",
            "# Day\n\n## Retain\n- W: a\n- W: new\n",
            id="at the end",
        ),
        pytest.param(
            "# Day\n\n## Retain\n- W: a\n\n\n## Later\ntext\n",
            "# Day\n\n## Retain\n- W: a\n- W: new\n\n\n## Later\ntext\n",
            id="in the middle",
        ),
        pytest.param(
            "## Retain\n- W: a\n## Later\n", "## Retain\n- W: a\n- W: new\n\n## Later\n", id="tight"
        ),
        pytest.param("day\n\n## Retain\n", "day\n\n## Retain\n\n- W: new\n", id="empty at the end"),
        pytest.param("day\n\n## Retain", "day\n\n## Retain\n\n- W: new\n", id="no final newline"),
        pytest.param("## Retain\n- W: a", "## Retain\n- W: a\n- W: new\n", id="bullet unfinished"),
        pytest.param(
            "## Retain\n- W: a\n\n# Two\n\n## Retain\n- W: b\n",
            "## Retain\n- W: a\n\n# Two\n\n## Retain\n- W: b\n- W: new\n",
            id="two sections",
        ),
        pytest.param(
            "## Retain (Facts)\n\n### World\n- W: a\n\n### Mine\n- B: b\n  - nested\n",
            "## Retain (Facts)\n\n### World\n- W: a\n\n### Mine\n- B: b\n  - nested\n- W: new\n",
            id="deeper headings",
        ),
        pytest.param("text\n", "text\n\n## Retain\n\n- W: new\n", id="no section"),
        pytest.param("- a\n", "- a\n\n## Retain\n\n- W: new\n", id="no section, a list"),
        pytest.param(
            "## Retain\n\nsome words\n", "## Retain\n\nsome words\n\n- W: new\n", id="a paragraph"
        ),
        pytest.param(
            "> ## Retain\n> - W: quoted\n",
            "> ## Retain\n> - W: quoted\n\n## Retain\n\n- W: new\n",
            id="a quoted heading is none",
        ),
        pytest.param(
            "```\n## Retain\n```\n",
            "```\n## Retain\n```\n\n## Retain\n\n- W: new\n",
            id="a heading in code is none",
        ),
        pytest.param(
            "## Retain\n- W: a\n\n```\nnever closed\n",
            "## Retain\n- W: a\n- W: new\n\n```\nnever closed\n",
            id="code that never closes",
        ),
        pytest.param(
            "## Retain\n- W: a\n\n<!-- never closed\nx\n",
            "## Retain\n- W: a\n- W: new\n\n<!-- never closed\nx\n",
            id="a comment that never closes",
        ),
        pytest.param(
            "## Retain\n- W: a\n\nHeading\n===\n",
            "## Retain\n- W: a\n- W: new\n\nHeading\n===\n",
            id="an underlined heading below",
        ),
        pytest.param(
            "## Retain\r\n- W: a\r\n\r\n## Later\r\n",
            "## Retain\r\n- W: a\r\n- W: new\r\n\r\n## Later\r\n",
            id="CRLF",
        ),
        pytest.param("\ufeff## Retain\n", "\ufeff## Retain\n\n- W: new\n", id="a mark in front"),
        pytest.param("\n\n", "## Retain\n\n- W: new\n\n\n", id="nothing but blank lines"),
        pytest.param("\ufeff", "\ufeff## Retain\n\n- W: new\n", id="nothing but a mark"),
        pytest.param("", "# 2026-11-26\n\n## Retain\n\n- W: new\n", id="an empty file"),
    ],
)
def test_a_typed_note_goes_to_the_end_of_retain(
    make_workspace: MakeWorkspace, before: str, after: str
) -> None:
    ws = make_workspace({TODAY: before})
    added = ws.add("W: new")
    assert read(ws) == after
    assert added.fact is not None
    assert added.fact.content == "new"
    assert after.split("\n")[added.source.line_start - 1].strip() == "- W: new"
    ws.undo_add(added)
    assert read(ws) == before


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("# Day\n\ntext\n", "# Day\n\ntext\n\n- new\n"),
        ("# Day\n\n- a\n\n## Retain\n- W: b\n", "# Day\n\n- a\n- new\n\n## Retain\n- W: b\n"),
        ("## Retain\n- W: b\n\n## Log\n- a\n", "## Retain\n- W: b\n\n## Log\n- a\n- new\n"),
        ("## Retain\n- W: b\n", "- new\n\n## Retain\n- W: b\n"),
        ("---\ntitle: x\n---\n## Retain\n", "---\ntitle: x\n---\n\n- new\n\n## Retain\n"),
        ("a\n\n<!-- never closed\n", "a\n\n- new\n\n<!-- never closed\n"),
    ],
)
def test_plain_text_goes_to_the_end_of_the_day(
    make_workspace: MakeWorkspace, before: str, after: str
) -> None:
    ws = make_workspace({TODAY: before})
    added = ws.add("new")
    assert added.fact is None
    assert read(ws) == after
    assert after.split("\n")[added.source.line_start - 1] == "- new"


def test_the_encoding_of_the_file_is_kept(make_workspace: MakeWorkspace) -> None:
    for mark, codec in ((b"\xff\xfe", "utf-16-le"), (b"\xfe\xff", "utf-16-be"), (b"", "utf-16-le")):
        old = mark + "# Tag\n\n## Retain\n- W: Öl\n\n## Später\nx".encode(codec)
        ws = make_workspace({TODAY: old}, name=f"{codec}{len(mark)}")
        added = ws.add("W @Лена: приехала")
        new = (ws.path / TODAY).read_bytes()
        assert new == old.replace("Öl\n".encode(codec), "Öl\n- W @Лена: приехала\n".encode(codec))
        assert added.fact is not None
        assert added.source.line_start == 5


def test_a_file_in_an_old_encoding_is_not_mixed(make_workspace: MakeWorkspace) -> None:
    old = "## Retain\n- W: caf\xe9\n".encode("cp1252")
    ws = make_workspace({TODAY: old})
    assert ws.add("W: Zoë").fact is not None
    assert (ws.path / TODAY).read_bytes() == old + "- W: Zoë\n".encode("cp1252")
    kept = (ws.path / TODAY).read_bytes()
    with pytest.raises(NoteNotSaved) as caught:
        ws.add("W: Лена")
    assert caught.value.text == "W: Лена"
    assert (ws.path / TODAY).read_bytes() == kept


def test_a_note_may_have_lines(make_workspace: MakeWorkspace) -> None:
    ws = make_workspace({})
    added = ws.add("- W @Mara: first\r\n\r\n## second\n```\nthird\n")
    assert read(ws).endswith("- W @Mara: first\n  ## second\n  ```\n  third\n")
    assert added.fact is not None
    assert (added.source.line_start, added.source.line_end) == (5, 8)
    assert ws.add("W @Mara: next").fact is not None


@pytest.mark.parametrize("text", ["", "   ", "\n\n", "- ", "\x00\x1b", "-", "*  "])
def test_nothing_is_not_written(make_workspace: MakeWorkspace, text: str) -> None:
    ws = make_workspace({})
    with pytest.raises(NoteNotUnderstood):
        ws.add(text)
    assert not (ws.path / "memory").exists()


@pytest.mark.parametrize(
    "text", ["W@Mara: x", "O(c=1.4) @Mara: x", "O(c=high): x", "W @Mara:", "W @: x", "B @Mara x"]
)
def test_a_marker_that_is_none_is_told(make_workspace: MakeWorkspace, text: str) -> None:
    ws = make_workspace({})
    with pytest.raises(NoteNotUnderstood) as caught:
        ws.add(text)
    assert caught.value.title
    assert not (ws.path / TODAY).exists()


def test_twenty_hand_written_lines_stay(make_workspace: MakeWorkspace) -> None:
    lines = "".join(f"{n}. hand-written line {n}\n" for n in range(1, 21))
    ws = make_workspace({TODAY: f"# A day\n\n{lines}"})
    ws.add("O(c=0.8) @Mara: Mornings are best")
    ws.add("bought flour")
    assert read(ws).startswith(f"# A day\n\n{lines}- bought flour\n")


def test_taking_back_after_an_edit_is_refused(make_workspace: MakeWorkspace) -> None:
    ws = make_workspace({})
    added = ws.add("W: one")
    (ws.path / TODAY).write_text("edited by hand\n")
    with pytest.raises(PathRefused):
        ws.undo_add(added)
    assert read(ws) == "edited by hand\n"


def test_a_note_is_found_by_the_next_search(make_workspace: MakeWorkspace) -> None:
    ws = make_workspace({}, clock=NOON)
    ws.add("B @Zoë: sold the last café table 🚀")
    ws.sync()
    (found,) = ws.recall("cafe table").results
    assert (found.kind, found.entities, found.day) == (Kind.EXPERIENCE, ("Zoë",), DAY)


# -- for any file


PIECES = st.sampled_from(
    [
        "# Day\n", "## Retain\n", "# Retain: facts\n", "### Deeper\n", "## Log\n", "\n", "\n\n",
        "- W @Mara: a\n", "* O(c=0.5): b\n", "  - nested\n", "plain text\n", "1. one\n",
        "> quote\n",
        "```\n", "~~~\n", "<!-- c -->\n", "<!--\n", "-->\n", "| a | b |\n|---|---|\n| 1 | 2 |\n",
        "---\n", "===\n", "\t- tabbed\n", "<div>\n", "</div>\n", "\u2028x\x0c\n", "W: dashless\n",
        "<<<<<<< HEAD\n", "=======\n", ">>>>>>> x\n", "- ## Retain\n", "no end",
    ]
)  # fmt: skip


@given(
    st.lists(PIECES, max_size=12).map("".join),
    st.sampled_from(["utf-8", "utf-8-sig", "utf-16-le", "utf-16-be"]),
    st.booleans(),
    st.sampled_from(["W @Mara: new note", "just text", "O(c=0.4): a\nsecond line"]),
)
@example("## Retain\n", "utf-16-be", True, "W @Mara: new note")
@example("---\n---\n", "utf-8", False, "just text")
def test_every_old_byte_stays_in_its_order(text: str, codec: str, crlf: bool, note: str) -> None:
    if crlf:
        text = text.replace("\n", "\r\n")
    mark = "\ufeff".encode(codec) if codec.startswith("utf-16") else b""
    old = mark + text.encode(codec)
    typed = note[0] in "WO"
    new, line = _with_note(TODAY, old, note, DAY, typed)
    added = len(new) - len(old)
    assert added > 0
    if text:
        # One run of bytes was put in somewhere: the rest is as it was, byte for byte.
        assert any(new[:at] + new[at + added :] == old for at in range(len(old) + 1))
    parsed = parse_file(TODAY, new)
    if _is_read(TODAY, (new, line), [], typed=typed) or not typed:
        here = [p for p in parsed.passages if p.source.line_start == line]
        assert here or "<!--" in text
    before = [p.content for p in parse_file(TODAY, old).passages if p.kind.is_fact]
    after = [p.content for p in parsed.passages if p.kind.is_fact]
    assert all(content in after for content in before)


@given(st.binary(max_size=80), st.sampled_from(["W: x", "text"]))
def test_any_bytes_are_added_to_or_refused(data: bytes, note: str) -> None:
    try:
        new, _ = _with_note(TODAY, data, note, DAY, note == "W: x")
    except NoteNotSaved:
        return
    added = len(new) - len(data)
    assert not data or any(new[:at] + new[at + added :] == data for at in range(len(data) + 1))


def test_a_protected_file_stays(make_workspace: MakeWorkspace, tmp_path: Path) -> None:
    ws = make_workspace({TODAY: "mine\n"})
    (ws.path / TODAY).chmod(0o444)
    with pytest.raises(NoteNotSaved) as caught:
        ws.add("W: new")
    assert caught.value.text == "W: new"
    assert read(ws) == "mine\n"
    (ws.path / TODAY).chmod(0o644)


def test_plain_text_never_becomes_a_note_of_another_kind(make_workspace: MakeWorkspace) -> None:
    ws = make_workspace({})
    for text in ("line\n## Retain\n- W @Evil: planted", "# Retain\n\nW @Evil: planted"):
        with contextlib.suppress(NoteNotSaved):
            ws.add(text)
        ws.sync()
        assert ws.entity("Evil") is None


def test_a_typed_note_stands_before_code_that_never_closes(make_workspace: MakeWorkspace) -> None:
    ws = make_workspace({"memory/2026-11-26.md": "# day\n\n```\nunclosed\n"})
    added = ws.add("W @Peter: in code?")
    assert added.fact is not None
    ws.sync()
    assert ws.entity("Peter") is not None
    assert "```\nunclosed\n" in (ws.path / "memory/2026-11-26.md").read_text()


def test_a_folder_that_is_gone_is_not_made_again(make_workspace: MakeWorkspace) -> None:
    ws = make_workspace({"memory/2026-11-20.md": "- apple\n"})
    ws.path.rename(ws.path.with_name("away"))
    with pytest.raises(NoteNotSaved) as caught:
        ws.add("a new thought")
    assert caught.value.text == "a new thought"
    with pytest.raises(WorkspaceUnreadable):
        ws.recall("apple")
    assert not ws.path.exists()


def test_a_day_that_is_no_file_is_refused_at_once(make_workspace: MakeWorkspace) -> None:
    ws = make_workspace({"memory/2026-11-20.md": "- apple\n"})
    os.mkfifo(ws.path / "memory" / "2026-11-26.md")
    with pytest.raises(NoteNotSaved):
        ws.add("a thought")
