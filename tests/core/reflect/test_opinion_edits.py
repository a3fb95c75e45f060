"""Changing one opinion on its page: whatever its form, it reads back as the same one."""

from __future__ import annotations

from datetime import date, timedelta

from hypothesis import assume, example, given
from hypothesis import strategies as st

from daybank.markdown.opinions import (
    EvidenceLine,
    Form,
    Key,
    OpinionEntry,
    OpinionsPage,
    read_opinions,
    write_evidence,
)
from daybank.reflect.confidence import differs, replay
from daybank.reflect.opinion_edits import (
    OpinionChange,
    Successor,
    changed_entry,
    new_entry,
    opinion_id,
    with_successor,
)

PAGE = "bank/opinions.md"
FIRST = date(2026, 1, 1)
DAYS = ("updated: 2026-01-01", "Last reinforced: 2025-12-31")
BEFORE = ("", "# Opinions\n\n", "Words before.\n\n- a list\n- of mine\n\n")
AFTER = ("", "\n", "\nWords after.\n", "\n## Next\n\n- more\n", "\n\n> q\n")
COUNTED = (Key.START, Key.SUPPORTS, Key.WEAKENS, Key.CONTRADICTS, Key.RESTATED, Key.SET)

words = st.sampled_from(
    "prefers tea coffee a very long walk Mañana чай 散歩 not O(c=0.3) 80% “quoted” no; (s)".split()
)
statements = st.lists(words, min_size=2, max_size=7).map(" ".join)
names = st.sampled_from(["Mara", "Пётр", "Zed the Second", "Flat-7"])
numbers = st.integers(2, 98).map(lambda n: n / 100)


@st.composite
def evidence(draw: st.DrawFn, *, first: int = 0) -> EvidenceLine:
    key = draw(st.sampled_from([Key.SUPPORTS, Key.WEAKENS, Key.CONTRADICTS, Key.RESTATED]))
    day = FIRST + timedelta(days=first + draw(st.integers(0, 300)))
    number = draw(st.integers(0, 2**48 - 1))
    return EvidenceLine(
        0,
        key,
        "",
        day,
        draw(numbers) if key is Key.RESTATED else None,
        draw(st.sampled_from([1.0, 0.5, 0.05])),
        f"memory/{day.isoformat()}.md#L{draw(st.integers(1, 90))}",
        f"f-{number:012x}",
    )


def text_of(line: EvidenceLine) -> str:
    return write_evidence(
        line.key, line.day, value=line.value, weight=line.weight, source=line.source, id=line.id
    )


@st.composite
def pages(draw: st.DrawFn) -> str:
    """A page with two opinions in one of the four forms, words around them, and some evidence."""
    form = draw(st.sampled_from(Form))
    said, name = draw(statements), draw(names)
    at = f"@[{name}]" if " " in name else f"@{name}"
    confidence = draw(numbers)
    start = EvidenceLine(0, Key.START, "", FIRST, confidence, 1.0)
    lines = [start, *draw(st.lists(evidence(first=1), max_size=3, unique_by=lambda e: e.day))]
    items = [text_of(line) for line in lines] if draw(st.booleans()) else []
    if items:
        confidence = round(replay(lines).confidence + 1e-9, 2)
    words_of_evidence = draw(st.sampled_from([[], ["Evidence: said so, twice"]]))
    items = [*words_of_evidence, *items]
    if draw(st.booleans()):
        items.append(draw(st.sampled_from(["updated: 2026-01-01", "Last reinforced: 2025-12-31"])))
    before = draw(
        st.sampled_from(["", "# Opinions\n\n", "Words before.\n\n- a list\n- of mine\n\n"])
    )
    after = draw(
        st.sampled_from(["", "\n", "\nWords after.\n", "\n## Next\n\n- more\n", "\n\n> q\n"])
    )
    blank = draw(st.sampled_from(["", "\n"]))
    if form is Form.TABLE:
        cell = "; ".join(item for item in items if not item.startswith(("updated", "Last")))
        cell = cell.replace("Evidence: ", "")
        said = said.replace(";", "")
        return (
            f"{before}## {name}\n\n|Opinion | Confidence|Evidence | Updated|\n|---|:--|--:|---|\n"
            f"| {said} |{confidence:.2f}|{cell}| 2026-01-01|\n| Is tall | 0.4 | | |\n{after}"
        )
    if form is Form.KEYED:
        cell = "; ".join(item for item in items if not item.startswith(("updated", "Last")))
        cell = cell.replace("Evidence: ", "")
        return (
            f"{before}## {name}\n\n- `opinion`: {said}\n- `confidence`: {confidence:.2f}\n"
            f"- `evidence`: {cell}\n- `opinion`: Is tall\n- `confidence`: 0.4\n"
            f"- `evidence`:\n{after}"
        )
    if form is Form.DASHLESS:
        nested = "".join(f"- {item}\n" for item in items)
        other = "O(c=0.4) @Zed: Is tall\n"
        return f"{before}O(c={confidence:.2f}) {at}: {said}\n{nested}{blank}{other}{after}"
    mark, indent = draw(st.sampled_from("-*+")), draw(st.sampled_from(["  ", "    ", "\t"]))
    inner = draw(st.sampled_from("-*+"))
    nested = "".join(f"{indent}{inner} {item}\n" for item in items)
    remark = draw(st.sampled_from(["", f"{indent}{inner} my own remark\n"]))
    other = f"{mark} O(c=0.4) @Zed: Is tall\n"
    head = f"{mark} O(c={confidence:.2f}) {at}: {said}\n"
    return f"{before}{head}{remark}{nested}{blank}{other}{after}"


def read(text: str) -> OpinionsPage:
    return read_opinions(PAGE, text.encode())


def put(text: str, entry: OpinionEntry, new: tuple[str, ...]) -> str:
    lines = text.split("\n")
    lines[entry.line_start - 1 : entry.line_end] = new
    return "\n".join(lines)


def counted(entry: OpinionEntry) -> list[tuple[Key, str | None, date | None]]:
    return sorted(
        ((e.key, e.id, e.day) for e in entry.evidence if e.key in COUNTED),
        key=lambda item: (item[0].value, item[1] or "", item[2] or FIRST),
    )


def with_more(entry: OpinionEntry, fresh: list[EvidenceLine]) -> tuple[OpinionChange, float]:
    start = []
    if not any(e.key in (Key.START, Key.SET) for e in entry.evidence):
        start = [EvidenceLine(0, Key.START, "", FIRST, entry.confidence)]
    value = replay([*start, *entry.evidence, *fresh]).confidence
    shown = round(value + 1e-9, 2)
    added = tuple(text_of(line) for line in [*start, *fresh])
    return OpinionChange(
        shown, opinion_id(entry.statement, entry.names), added, updated=date(2026, 12, 1)
    ), shown


@given(pages(), st.lists(evidence(first=1), min_size=1, max_size=3, unique_by=lambda e: e.id))
def test_a_changed_opinion_reads_back_as_the_same_with_the_evidence_added(
    text: str, fresh: list[EvidenceLine]
) -> None:
    page = read(text)
    assume(len(page.entries) == 2)
    entry, other = page.entries
    assume(not {line.id for line in fresh} & {line.id for line in entry.evidence})
    change, shown = with_more(entry, fresh)
    new = changed_entry(entry, page.lines, change)
    assert new is not None
    after = read(put(text, entry, new))
    again, untouched = after.entries
    assert (again.statement, again.names, again.form) == (entry.statement, entry.names, entry.form)
    assert again.confidence == shown
    known = {item[1] for item in counted(entry)}
    gained = [item for item in counted(again) if item not in counted(entry)]
    wanted = {(line.key, line.id, line.day) for line in fresh}
    assert wanted <= {*gained}
    assert {item[1] for item in gained} - {line.id for line in fresh} <= {None}
    assert {*counted(entry)} <= {*counted(again)}
    assert known <= {item[1] for item in counted(again)}
    assert not differs(replay(again.evidence).confidence, shown)
    assert (untouched.statement, untouched.confidence) == (other.statement, other.confidence)
    assert counted(untouched) == counted(other)
    assert [e.text for e in again.evidence if e.key is Key.EVIDENCE] == [
        e.text for e in entry.evidence if e.key is Key.EVIDENCE
    ]


@given(pages(), evidence(first=1))
def test_what_is_not_of_the_opinion_stays_to_the_character(text: str, line: EvidenceLine) -> None:
    page = read(text)
    assume(len(page.entries) == 2)
    entry = page.entries[0]
    new = changed_entry(entry, page.lines, with_more(entry, [line])[0])
    assert new is not None
    lines, after = text.split("\n"), put(text, entry, new).split("\n")
    assert after[: entry.line_start - 1] == lines[: entry.line_start - 1]
    assert after[entry.line_start - 1 + len(new) :] == lines[entry.line_end :]
    for old in lines[entry.line_start : entry.line_end]:
        kept = old in after or "updated" in old or "reinforced" in old
        assert kept or entry.form in (Form.TABLE, Form.KEYED)


@given(pages(), evidence(first=1))
def test_a_change_that_changes_nothing_is_none(text: str, line: EvidenceLine) -> None:
    page = read(text)
    assume(len(page.entries) == 2)
    entry = page.entries[0]
    change, shown = with_more(entry, [line])
    new = changed_entry(entry, page.lines, change)
    assert new is not None
    once = put(text, entry, new)
    again = read(once)
    same = OpinionChange(shown, change.op_id, updated=change.updated)
    entry = again.entries[0]
    old = tuple(once.split("\n")[entry.line_start - 1 : entry.line_end])
    assert changed_entry(entry, again.lines, same) == old


@given(pages(), evidence(first=1))
def test_evidence_that_is_added_and_taken_away_leaves_no_trace(
    text: str, line: EvidenceLine
) -> None:
    page = read(text)
    assume(len(page.entries) == 2)
    entry = page.entries[0]
    new = changed_entry(entry, page.lines, with_more(entry, [line])[0])
    assert new is not None
    once = put(text, entry, new)
    page = read(once)
    grown = page.entries[0]
    drop = frozenset(e.line for e in grown.evidence if e.id == line.id)
    back = OpinionChange(0.5, "op-00000000", drop=drop, gone=frozenset({line.id or ""}))
    fewer = changed_entry(grown, page.lines, back)
    assert fewer is not None
    left = read(put(once, grown, fewer)).entries[0]
    assert line.id not in {e.id for e in left.evidence}
    assert {i for _, i, _ in counted(entry)} <= {*(e.id for e in left.evidence), None}


@given(pages(), statements, numbers)
@example("O(c=0.9) @Mara: a b\nO(c=0.4) @Zed: Is tall\n", "no more tea", 0.7)
def test_a_successor_stands_behind_and_both_read_well(
    text: str, statement: str, value: float
) -> None:
    page = read(text)
    assume(len(page.entries) == 2)
    entry = page.entries[0]
    statement = statement.replace(";", "")
    op_id = opinion_id(statement, entry.names)
    assume(op_id != opinion_id(entry.statement, entry.names))
    start = write_evidence(
        Key.START, FIRST, value=value, source="memory/2026-01-01.md#L1", id="f-00000000000a"
    )
    other = Successor(statement, entry.names, value, (start,), FIRST, "f-00000000000a")
    change = OpinionChange(
        0.3, opinion_id(entry.statement, entry.names), (f"superseded by: ^{op_id}",)
    )
    new = changed_entry(entry, page.lines, change)
    assert new is not None
    both = with_successor(entry, page.lines, new, other)
    assert both is not None
    old, successor, last = read(put(text, entry, both)).entries
    assert old.superseded_by == op_id
    assert old.statement == entry.statement
    assert (successor.statement, successor.confidence) == (" ".join(statement.split()), value)
    assert successor.op_id == op_id
    assert successor.names == entry.names
    assert [e.id for e in successor.evidence if e.key is Key.START] == ["f-00000000000a"]
    assert last.statement == "Is tall"


@given(statements, st.lists(names, max_size=2, unique=True), numbers)
def test_a_new_entry_reads_as_what_was_written(
    statement: str, about: list[str], value: float
) -> None:
    lines = new_entry(statement, about, value, ["start: 2026-01-01 0.50"], date(2026, 1, 2))
    (entry,) = read("\n".join(lines)).entries
    assert (entry.statement, list(entry.names), entry.confidence) == (statement, about, value)
    assert entry.op_id == opinion_id(statement, about)
    assert [line.key for line in entry.evidence] == [Key.START, Key.UPDATED]


def test_the_number_of_an_opinion_does_not_belong_to_its_id() -> None:
    assert opinion_id("Prefers  TEA", ["mara"]) == opinion_id("prefers tea", ["Mara"])
    assert opinion_id("Prefers tea", ["Mara"]) != opinion_id("Prefers tea", ["Zed"])


def test_a_remark_below_an_opinion_is_no_part_of_its_statement() -> None:
    (entry,) = read("- O @Mara: Prefers tea\n  over coffee\n  - a remark\n").entries
    assert entry.statement == "Prefers tea over coffee"
    assert (entry.own_end, entry.line_end) == (2, 3)


def test_an_empty_day_stays_where_it_is() -> None:
    text = "- O(c=0.50) @Mara: Prefers tea\n  - updated:\n"
    page = read(text)
    change = OpinionChange(0.6, "op-00000000", updated=FIRST)
    new = changed_entry(page.entries[0], page.lines, change)
    assert new == (
        "- O(c=0.60) @Mara: Prefers tea ^op-00000000",
        "  - updated:",
        "  - updated: 2026-01-01",
    )
