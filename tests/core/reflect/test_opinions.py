"""Opinions that move with evidence: what a reflection suggests for ``bank/opinions.md``."""

from __future__ import annotations

from datetime import UTC, date, datetime

import pytest
from core_tools import NOON, MakeWorkspace, retain, write_files

from daybank import FixedClock, Workspace
from daybank.review.proposal import Decision, Proposal
from daybank.review.store import ProposalStore

PAGE = "bank/opinions.md"
TEA = "O(c=0.6) @Mara: Prefers tea over coffee."
FOR = "W @Mara: Ordered tea again; she prefers tea over coffee."
DOUBT = "B @Mara: Was not sure any more whether she prefers tea over coffee."
OVER = "W @Mara: No longer prefers tea over coffee."
OTHER = "W @Mara: Prefers coffee over tea now."


def log(day: int, *bullets: str, month: int = 11) -> dict[str, str]:
    return {f"memory/2026-{month:02}-{day:02}.md": retain(*bullets)}


def reflect(workspace: Workspace) -> list[Proposal]:
    """What waits for the opinions page after a run of the opinions phase and no other."""
    workspace.reflect()
    return [p for p in workspace.proposals() if p.target == PAGE]


def approve(workspace: Workspace) -> str:
    """Reflect, say yes to what is suggested for the page, and read the page."""
    for proposal in reflect(workspace):
        workspace.approve(proposal.id)
    return page(workspace)


def page(workspace: Workspace) -> str:
    return (workspace.path / PAGE).read_bytes().decode()


def more(workspace: Workspace, *files: dict[str, str]) -> None:
    for some in files:
        write_files(workspace.path, some)


def suggested(workspace: Workspace) -> list[str]:
    """Every line that a reflection would put into the page."""
    return [line for p in reflect(workspace) for hunk in p.hunks for line in hunk.new]


def number(workspace: Workspace, about: str = "Mara") -> float:
    return round(workspace.opinions(about)[0].confidence, 3)


def keys(workspace: Workspace) -> list[str]:
    return [step.key for step in workspace.opinions("Mara")[0].steps]


def entry(text: str, *items: str) -> str:
    return "\n".join((f"- {text}", *(f"  - {item}" for item in items), ""))


# -- an opinion begins


def test_an_opinion_in_a_log_gets_an_entry(make_workspace: MakeWorkspace) -> None:
    text = approve(make_workspace(log(1, TEA)))
    head, start, updated = text.removeprefix("# Opinions\n\n").splitlines()
    assert head.startswith("- O(c=0.60) @Mara: Prefers tea over coffee ^op-")
    assert start.startswith("  - start: 2026-11-01 0.60 memory/2026-11-01.md#L3 ^f-")
    assert updated == "  - updated: 2026-11-01"


def test_without_a_number_it_begins_at_seventy_percent(make_workspace: MakeWorkspace) -> None:
    workspace = make_workspace(log(1, "O @Mara: Prefers tea over coffee."))
    assert "- O(c=0.70) @Mara" in approve(workspace)
    assert number(workspace) == 0.7


def test_an_opinion_about_nobody_is_one_too(make_workspace: MakeWorkspace) -> None:
    workspace = make_workspace(log(1, "O(c=0.8): Long walks help with thinking."))
    assert "- O(c=0.80): Long walks help with thinking ^op-" in approve(workspace)
    more(workspace, log(2, "O: Long walks help with thinking."))
    assert any(line.startswith("  - supports: 2026-11-02") for line in suggested(workspace))


def test_a_new_opinion_stands_beside_those_about_the_same(make_workspace: MakeWorkspace) -> None:
    old = "# Opinions\n\n* O @Mara: Sings well\n\nMore to come.\n\n- O @Zed: Is tall\n"
    workspace = make_workspace({PAGE: old, **log(1, TEA)})
    lines = approve(workspace).splitlines()
    assert lines[2] == "* O @Mara: Sings well"
    assert lines[3].startswith("* O(c=0.60) @Mara: Prefers tea over coffee ^op-")
    assert lines[4].startswith("  * start: ")
    assert "\n".join(lines[6:]) + "\n" == "\nMore to come.\n\n- O @Zed: Is tall\n"


def test_a_nested_list_stays_nested(make_workspace: MakeWorkspace) -> None:
    old = "- People\n  - O @Mara: Sings well\n  - O @Zed: Is tall\n"
    workspace = make_workspace({PAGE: old, **log(1, TEA)})
    text = approve(workspace)
    assert "\n  - O(c=0.60) @Mara: Prefers tea over coffee ^op-" in text
    assert "\n    - start: 2026-11-01" in text
    assert [o.statement for o in workspace.opinions("Zed")] == ["Is tall"]


@pytest.mark.parametrize("before", ["", "\n", "# Opinions\n", "# Opinions", "Only words.\n"])
def test_an_empty_page_or_one_of_words_takes_it_at_its_end(
    make_workspace: MakeWorkspace, before: str
) -> None:
    workspace = make_workspace({PAGE: before, **log(1, TEA)})
    text = approve(workspace)
    assert text.startswith(before.rstrip("\n"))
    assert [o.on_page for o in workspace.opinions()] == [True]


def test_where_the_page_ends_in_an_open_code_block_nothing_is_put_into_it(
    make_workspace: MakeWorkspace,
) -> None:
    workspace = make_workspace({PAGE: "```\nopen\n", **log(1, TEA)})
    report = workspace.reflect(phases=["opinions"])
    assert not report.proposed
    assert [item.reason for item in report.skipped] == ["Its page has no place for evidence there."]


@pytest.mark.parametrize(
    ("written", "value"),
    [
        ("O(c=1.4)", None),
        ("O(c=-0.1)", None),
        ("O(c=0,9)", None),
        ("O(c=high)", None),
        ("O(c=0.0)", 0.0),
        ("O()", None),
        ("O(c=.95)", 0.95),
    ],
)
def test_a_number_that_is_none_does_not_lose_the_opinion(
    make_workspace: MakeWorkspace, written: str, value: float | None
) -> None:
    """A40: 0.0 is a number, “high” is none; the note is kept, and the bounds are 2 and 98 %."""
    workspace = make_workspace(log(1, f"{written} @Mara: Prefers tea over coffee."))
    approve(workspace)
    assert number(workspace) == (0.7 if value is None else max(0.02, value))
    lints = [(lint.path, lint.line) for lint in workspace._store.lints()]
    assert lints == ([] if value is not None else [("memory/2026-11-01.md", 3)])


# -- facts move it


@pytest.mark.parametrize(
    ("bullet", "line", "value"),
    [
        (FOR, "supports: 2026-11-02", 0.638),
        (DOUBT, "weakens: 2026-11-02", 0.542),
        (OVER, "contradicts: 2026-11-02", 0.5),
        ("O(c=0.9) @Mara: Prefers tea over coffee.", "restated: 2026-11-02 0.90", 0.675),
        ("O @Mara: prefers  TEA over coffee", "supports: 2026-11-02", 0.638),
    ],
)
def test_a_fact_moves_the_number_and_is_cited(
    make_workspace: MakeWorkspace, bullet: str, line: str, value: float
) -> None:
    workspace = make_workspace(log(1, TEA))
    approve(workspace)
    more(workspace, log(2, bullet))
    text = approve(workspace)
    assert f"\n  - {line} " in text
    assert number(workspace) == pytest.approx(value, abs=0.03)
    assert f"O(c={workspace.opinions('Mara')[0].confidence + 1e-9:.2f})" in text
    assert "  - updated: 2026-11-02" in text


def test_a_number_that_the_author_gives_again_counts_after_they_said_it_without(
    make_workspace: MakeWorkspace,
) -> None:
    workspace = make_workspace(log(1, TEA))
    approve(workspace)
    more(workspace, log(2, "O @Mara: Prefers tea over coffee."))
    approve(workspace)
    more(workspace, log(3, "O(c=0.9) @Mara: Prefers tea over coffee."))
    assert "restated: 2026-11-03 0.90" in approve(workspace)


def test_the_same_opinion_on_two_days_is_one_with_two_notes(make_workspace: MakeWorkspace) -> None:
    """A39."""
    workspace = make_workspace(
        {
            **log(1, "O(c=0.6) @Mara: prefers tea"),
            **log(2, "O(c=0.6) @Mara:   Prefers   TEA"),
        }
    )
    before = {path: path.read_bytes() for path in workspace.path.glob("memory/*.md")}
    text = approve(workspace)
    assert text.count("O(c=") == 1
    assert text.count("^f-") == 2
    assert len(workspace.opinions("Mara")) == 1
    assert {path: path.read_bytes() for path in before} == before


def test_fifty_runs_move_it_once(make_workspace: MakeWorkspace) -> None:
    """A39."""
    workspace = make_workspace({**log(1, TEA), **log(2, FOR)})
    text = approve(workspace)
    assert number(workspace) == 0.638
    for _ in range(50):
        assert reflect(workspace) == []
    assert page(workspace) == text


def test_what_is_no_evidence_never_counts(make_workspace: MakeWorkspace) -> None:
    """A39: summaries, entity pages, copies, machine text, and what others said in a chat."""
    workspace = make_workspace(log(1, TEA))
    text = approve(workspace)
    said = FOR.removeprefix("W @Mara: ")
    more(
        workspace,
        log(2, f"S @Mara: {said}"),
        {
            "bank/entities/Mara.md": f"# Mara\n\n- {FOR}\n",
            "bank/world.md": f"- {FOR}\n",
            "memory/2026-11-02 (conflicted copy).md": retain(FOR),
            "memory/2026-11-02.sync-conflict-20261102-101500-ABCDEFG.md": retain(FOR),
            "memory/dreaming/2026-11-03.md": retain(FOR),
            "DREAMS.md": retain(FOR),
            "memory/2026-11-04.md": "<!-- openclaw:dreaming:begin -->\n"
            f"{retain(FOR)}\n<!-- openclaw:dreaming:end -->\n",
            "memory/2026-11-05.md": f"## Retain\n\n> - {FOR}\n\n```\n- {FOR}\n```\n",
            "logs/chat.jsonl": '{"ts":"2026-11-06T10:00:00Z","session_id":"1","direction":"in",'
            f'"chat_id":1,"user_id":7,"text":"- {FOR}"}}\n',
        },
    )
    workspace.reflect(phases=["opinions"])
    assert [p for p in workspace.proposals() if p.target == PAGE] == []
    assert page(workspace) == text


def test_nearly_the_same_words_count_once(make_workspace: MakeWorkspace) -> None:
    said = "W @Mara: Ordered a large pot of tea at the market and prefers tea over coffee"
    workspace = make_workspace({**log(1, TEA), **log(2, said), **log(3, f"{said}!")})
    approve(workspace)
    assert keys(workspace) == ["start", "supports"]


def test_two_contradictions_of_one_day_count_once(make_workspace: MakeWorkspace) -> None:
    workspace = make_workspace(
        {**log(1, TEA), **log(2, OVER), "memory/2026-11-02-evening.md": retain(OTHER)}
    )
    approve(workspace)
    assert keys(workspace) == ["start", "contradicts"]


def test_one_page_moves_it_once_a_day(make_workspace: MakeWorkspace) -> None:
    workspace = make_workspace({**log(1, TEA), **log(2, FOR, OVER)})
    report = workspace.reflect()
    assert "The same page has moved this opinion on the same day." in [
        item.reason for item in report.skipped
    ]
    approve(workspace)
    assert len(keys(workspace)) == 2


def test_a_fact_about_somebody_else_moves_nothing(make_workspace: MakeWorkspace) -> None:
    workspace = make_workspace({**log(1, TEA), **log(2, FOR.replace("Mara", "Zed"))})
    approve(workspace)
    assert keys(workspace) == ["start"]


def test_names_that_differ_in_a_number_are_two(make_workspace: MakeWorkspace) -> None:
    """A07."""
    workspace = make_workspace(
        {**log(1, "O @Flat-7: The heating works."), **log(2, "W @Flat-8: The heating works.")}
    )
    approve(workspace)
    assert len(workspace.opinions("Flat-7")[0].steps) == 1


def test_an_alias_is_the_same_person(make_workspace: MakeWorkspace) -> None:
    """A08: and so is another case of the name."""
    workspace = make_workspace(
        {
            "bank/entities/Mara.md": "---\ntitle: Mara\naliases: [Мара]\n---\n# Mara\n",
            **log(1, TEA),
            **log(2, "O @Мара: Prefers tea over coffee."),
            **log(3, "O(c=0.9) @mara: Prefers tea over coffee."),
        }
    )
    approve(workspace)
    assert keys(workspace) == ["start", "supports", "restated"]


@pytest.mark.parametrize(
    ("opinion", "supports", "contradicts"),
    [
        (
            "O(c=0.6) @Mara: Prefiere el té al café.",
            "W @Mara: Hoy dijo que prefiere el té al café.",
            "W @Mara: Ya no prefiere el té al café.",
        ),
        (
            "O(c=0.6) @Мара: Любит чай.",
            "W @Мара: Очень любит чай.",
            "W @Мара: Больше не любит чай.",
        ),
        (
            "O(c=0.6) @Mara: Gusto niya ng tsaa.",
            "W @Mara: Gusto niya talaga ng tsaa.",
            "W @Mara: Ayaw na niya ng tsaa.",
        ),
    ],
)
def test_it_moves_in_other_languages_too(
    make_workspace: MakeWorkspace, opinion: str, supports: str, contradicts: str
) -> None:
    workspace = make_workspace({**log(1, opinion), **log(2, supports), **log(3, contradicts)})
    approve(workspace)
    assert [step.key for step in workspace.opinions()[0].steps] == [
        "start",
        "supports",
        "contradicts",
    ]


def test_every_fact_is_suggested_or_skipped_with_a_reason(make_workspace: MakeWorkspace) -> None:
    """A38."""
    workspace = make_workspace(
        {**log(1, TEA), **log(2, FOR, OVER), **log(3, "W @Mara: Bought a bicycle.")}
    )
    report = workspace.reflect(phases=["opinions"])
    cited = "".join(line for p in workspace.proposals() for h in p.hunks for line in h.new)
    skipped = {item.source for item in report.skipped}
    facts = workspace._store.evidence(workspace._store.evidence_ids())
    assert len(facts) == 4
    assert all(fact.uid in cited or str(fact.source) in skipped for fact in facts)
    assert all(item.reason for item in report.skipped)


# -- it turns


def test_two_contradictions_turn_it_and_both_sides_are_kept(make_workspace: MakeWorkspace) -> None:
    workspace = make_workspace(log(1, TEA))
    first = approve(workspace)
    more(workspace, log(5, OVER))
    once = approve(workspace)
    assert number(workspace) == 0.5
    assert "superseded" not in once
    more(workspace, log(6, OTHER))
    proposal = reflect(workspace)[0]
    assert "It has turned" in proposal.hunks[0].reason
    assert {item.stance for item in proposal.hunks[0].evidence} == {"contradicts"}
    assert len(proposal.hunks[0].evidence) == 2
    text = approve(workspace)
    old, new = workspace.opinions("Mara")
    assert (old.superseded_by, new.superseded_by) == (new.id, None)
    assert new.statement == "Prefers coffee over tea now"
    assert new.confidence == pytest.approx(1 - old.confidence, abs=0.01)
    kept = [line for line in first.splitlines()[3:] if "updated" not in line]
    assert kept
    assert all(line in text for line in kept)
    assert reflect(workspace) == []


def test_what_was_turned_is_not_begun_again(make_workspace: MakeWorkspace) -> None:
    workspace = make_workspace({**log(1, TEA), **log(5, OVER)})
    approve(workspace)
    more(workspace, log(6, OTHER))
    approve(workspace)
    more(workspace, log(9, TEA))
    approve(workspace)
    assert [o.superseded_by is None for o in workspace.opinions("Mara")] == [False, True]


def test_a_turn_that_was_rejected_does_not_come_back(make_workspace: MakeWorkspace) -> None:
    workspace = make_workspace({**log(1, TEA), **log(5, OVER)})
    approve(workspace)
    more(workspace, log(6, OTHER))
    workspace.reject(reflect(workspace)[0].id)
    assert reflect(workspace) == []
    more(workspace, log(7, FOR))
    assert not [line for line in suggested(workspace) if "superseded" in line]


# -- what a person said no to


def test_rejected_evidence_does_not_come_back(make_workspace: MakeWorkspace) -> None:
    workspace = make_workspace(log(1, TEA))
    approve(workspace)
    more(workspace, log(2, FOR))
    workspace.reject(reflect(workspace)[0].id)
    assert reflect(workspace) == []
    more(workspace, log(3, OVER))
    lines = suggested(workspace)
    assert any("contradicts: 2026-11-03" in line for line in lines)
    assert not any("2026-11-02" in line for line in lines)
    workspace.reflect("2026-01-01")
    assert "2026-11-02" not in str([h.new for p in workspace.proposals() for h in p.hunks])


def test_what_was_taken_back_does_not_come_back(make_workspace: MakeWorkspace) -> None:
    workspace = make_workspace(log(1, TEA))
    before = approve(workspace)
    more(workspace, log(2, FOR))
    proposal = reflect(workspace)[0]
    workspace.approve(proposal.id)
    workspace.undo(proposal.id)
    assert page(workspace) == before
    assert reflect(workspace) == []
    more(workspace, log(3, OVER))
    assert not any("2026-11-02" in line for line in suggested(workspace))


def test_evidence_that_a_person_left_out_of_a_change_stays_out(
    make_workspace: MakeWorkspace,
) -> None:
    workspace = make_workspace(log(1, TEA))
    approve(workspace)
    more(workspace, log(2, FOR), log(3, OVER))
    proposal = reflect(workspace)[0]
    edited = [line for line in proposal.hunks[0].new if "supports" not in line]
    workspace.decide(proposal.id, 0, Decision.ACCEPTED, edited)
    workspace.apply_decided(proposal.id)
    workspace.reflect("2026-01-01")
    assert not any("supports" in line for line in suggested(workspace))


def test_never_again_is_kept(make_workspace: MakeWorkspace) -> None:
    workspace = make_workspace(log(1, TEA))
    approve(workspace)
    more(workspace, log(2, FOR))
    workspace.never(reflect(workspace)[0].id)
    more(workspace, log(3, OVER))
    assert reflect(workspace) == []


# -- a person's own hand


def test_a_number_changed_by_hand_counts_from_then_on(make_workspace: MakeWorkspace) -> None:
    workspace = make_workspace(log(1, TEA))
    text = approve(workspace)
    more(workspace, {PAGE: text.replace("c=0.60", "c=0.30")})
    assert "  - set: 2026-11-26 0.30 by hand" in approve(workspace)
    assert number(workspace) == 0.3
    assert reflect(workspace) == []
    more(workspace, {"memory/2026-11-25.md": retain(FOR)})
    approve(workspace)
    assert number(workspace) == 0.3


def test_the_day_of_a_change_by_hand_is_the_day_it_was_first_noticed(
    make_workspace: MakeWorkspace,
) -> None:
    workspace = make_workspace(log(1, TEA))
    text = approve(workspace)
    more(workspace, {PAGE: text.replace("c=0.60", "c=0.30")})
    first = reflect(workspace)
    workspace._reflection._clock = FixedClock(datetime(2026, 11, 29, 12, tzinfo=UTC))
    assert reflect(workspace) == first


def test_a_person_who_does_not_want_it_noted_is_asked_once(make_workspace: MakeWorkspace) -> None:
    workspace = make_workspace(log(1, TEA))
    text = approve(workspace)
    more(workspace, {PAGE: text.replace("c=0.60", "c=0.30")})
    workspace.reject(reflect(workspace)[0].id)
    workspace._reflection._clock = FixedClock(datetime(2026, 11, 29, 12, tzinfo=UTC))
    assert reflect(workspace) == []


# -- sources that go, change or move


def test_a_note_that_is_gone_takes_its_evidence_along(make_workspace: MakeWorkspace) -> None:
    workspace = make_workspace({**log(1, TEA), **log(2, FOR)})
    text = approve(workspace)
    (workspace.path / "memory/2026-11-02.md").unlink()
    assert reflect(workspace)
    assert page(workspace) == text  # suggested, not done
    assert "supports" not in approve(workspace)
    assert "O(c=0.60)" in page(workspace)
    assert reflect(workspace) == []


def test_when_all_notes_are_gone_the_opinion_goes(make_workspace: MakeWorkspace) -> None:
    workspace = make_workspace(
        {PAGE: "# Opinions\n\nMy own words.\n", **log(1, TEA), **log(2, "O @Zed: Is tall.")}
    )
    approve(workspace)
    (workspace.path / "memory/2026-11-01.md").unlink()
    proposal = reflect(workspace)[0]
    assert [hunk.new for hunk in proposal.hunks] == [()]
    assert reflect(workspace) == [proposal]  # and it still waits the next night
    workspace.approve(proposal.id, allow_shrink=True)
    assert "@Mara" not in page(workspace)
    assert "My own words." in page(workspace)
    assert "@Zed" in page(workspace)


def test_when_the_first_note_is_gone_the_next_one_begins_it(make_workspace: MakeWorkspace) -> None:
    workspace = make_workspace({**log(1, TEA), **log(2, FOR)})
    approve(workspace)
    (workspace.path / "memory/2026-11-01.md").unlink()
    text = approve(workspace)
    assert "  - start: 2026-11-02 0.70 memory/2026-11-02.md" in text
    assert "supports" not in text
    assert number(workspace) == 0.7


def test_a_person_who_keeps_the_evidence_is_not_asked_again(make_workspace: MakeWorkspace) -> None:
    workspace = make_workspace({**log(1, TEA), **log(2, FOR)})
    approve(workspace)
    (workspace.path / "memory/2026-11-02.md").unlink()
    workspace.reject(reflect(workspace)[0].id)
    assert reflect(workspace) == []
    more(workspace, log(3, OVER))
    assert any("supports: 2026-11-02" in line for line in suggested(workspace))


def test_a_reworded_note_is_cited_anew(make_workspace: MakeWorkspace) -> None:
    workspace = make_workspace({**log(1, TEA), **log(2, FOR, "W @Zed: Is tall.")})
    old = approve(workspace)
    more(workspace, log(2, f"{FOR[:-1]}, with milk.", "W @Zed: Is tall."))
    text = approve(workspace)
    assert number(workspace) == 0.638
    assert text.count("supports: 2026-11-02") == 1
    assert text != old
    assert reflect(workspace) == []


def test_a_note_reworded_into_its_opposite_is_no_support_any_more(
    make_workspace: MakeWorkspace,
) -> None:
    workspace = make_workspace({**log(1, TEA), **log(2, FOR)})
    approve(workspace)
    more(workspace, log(2, OVER))
    text = approve(workspace)
    assert "supports" not in text
    assert "contradicts: 2026-11-02" in text


def test_moved_and_renamed_logs_change_nothing(make_workspace: MakeWorkspace) -> None:
    workspace = make_workspace({**log(1, TEA), **log(2, FOR)})
    text = approve(workspace)
    memory = workspace.path / "memory"
    (memory / "2026").mkdir()
    (memory / "2026-11-01.md").rename(memory / "2026/2026-11-01.md")
    (memory / "2026-11-02.md").rename(memory / "2026-11-02-tea.md")
    assert reflect(workspace) == []
    assert page(workspace) == text


def test_notes_that_were_never_there_are_not_called_gone(make_workspace: MakeWorkspace) -> None:
    """The page may have arrived on this computer before the journal has."""
    text = approve(make_workspace({**log(1, TEA), **log(2, FOR)}, name="one"))
    workspace = make_workspace({PAGE: text}, name="other")
    assert reflect(workspace) == []


def test_a_fact_older_than_the_last_look_at_a_bare_number_moves_nothing(
    make_workspace: MakeWorkspace,
) -> None:
    old = "O(c=0.87) @Mara: Prefers tea over coffee\n- Last reinforced: 2026-11-03\n"
    workspace = make_workspace({PAGE: old, **log(2, FOR)})
    assert reflect(workspace) == []
    more(workspace, log(4, OVER))
    text = approve(workspace)
    assert "- start: 2026-11-03 0.87\n" in text
    assert "- contradicts: 2026-11-04" in text


# -- the page's own form


ODD = (
    "---\ntitle: Mine\n---\n\n# My Opinions   \n\nFirst words,\twith a tab.\n\n"
    "## Zed\n\n*  O(c=0.9)  @Zed: Is   tall\n\n\n## Mara\n\n"
    "* O(c=0.87) @Mara: Prefers tea over coffee\n"
    "\t* Evidence: said so at the market\n\t* my own remark\n\n\nThe end"
)


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
def test_what_a_person_wrote_around_it_stays_to_the_byte(
    make_workspace: MakeWorkspace, newline: str, mark: bytes
) -> None:
    old = mark + ODD.replace("\n", newline).encode()
    workspace = make_workspace({PAGE: old, **log(2, FOR)})
    approve(workspace)
    new = (workspace.path / PAGE).read_bytes()
    head = old.index(b"* O(c=0.87)")
    assert new[:head] == old[:head]
    tail = old[old.index(newline.encode() * 3 + b"The end") :]
    assert new.endswith(tail)
    lines = new[head : -len(tail)].decode().split(newline)
    assert lines[0].startswith("* O(c=0.88) @Mara: Prefers tea over coffee ^op-")
    assert "\t* Evidence: said so at the market" in lines
    assert "\t* my own remark" in lines
    assert [line[:13] for line in lines if "2026" in line] == [
        "\t* start: 202",
        "\t* supports: ",
        "\t* updated: 2",
    ]


def test_free_words_of_evidence_are_shown_and_move_nothing(make_workspace: MakeWorkspace) -> None:
    workspace = make_workspace({PAGE: ODD})
    opinion = workspace.opinions("Mara")[0]
    assert opinion.evidence == ("said so at the market",)
    assert opinion.confidence == 0.87
    assert reflect(workspace) == []


def test_lines_without_a_dash_stay_without(make_workspace: MakeWorkspace) -> None:
    old = (
        "O(c=0.87) @Mara: Prefers tea over coffee\n- Evidence: said so\n"
        "- Last reinforced: 2026-11-01\n\nO(c=0.5) @Zed: Is tall\nO(c=0.6) @Zed: Is loud\n"
    )
    workspace = make_workspace({PAGE: old, **log(2, FOR), **log(3, "O @Zed: Is tall.")})
    text = approve(workspace)
    assert text.startswith("O(c=0.88) @Mara: Prefers tea over coffee ^op-")
    assert "- Evidence: said so\n- start: 2026-11-01 0.87\n- supports: 2026-11-02 " in text
    assert "- Last reinforced: 2026-11-02\n" in text
    assert [o.statement for o in workspace.opinions("Zed")] == ["Is tall", "Is loud"]
    assert "O(c=0.6) @Zed: Is loud" in text
    assert reflect(workspace) == []


TABLE = """# Opinions

## Mara

| Opinion | Confidence | Evidence | Updated |
|---|:-:|---|---|
| Sings well | 0.50 | a \\| b | 2026-10-01 |
| Prefers tea over coffee | 87 % | said so | 2026-11-01 |
| Is tall | 0.30 |  |  |

The end.
"""


def test_a_table_keeps_its_form(make_workspace: MakeWorkspace) -> None:
    workspace = make_workspace({PAGE: TABLE, **log(2, FOR)})
    lines, old = approve(workspace).split("\n"), TABLE.split("\n")
    assert [*lines[:7], *lines[8:]] == [*old[:7], *old[8:]]
    assert lines[7].startswith(
        "| Prefers tea over coffee | 88 % | said so; start: 2026-11-01 0.87; supports: 2026-11-02 "
    )
    assert lines[7].endswith(" | 2026-11-02 |")
    assert reflect(workspace) == []
    (workspace.path / "memory/2026-11-02.md").unlink()
    assert "said so; start: 2026-11-01 0.87 | 2026-11-02 |" in approve(workspace)


def test_an_empty_cell_of_a_table_takes_evidence(make_workspace: MakeWorkspace) -> None:
    table = TABLE.replace("| Is tall", "| Sleeps well | 0.5 | | |\n| Is tall")
    workspace = make_workspace({PAGE: table, **log(2, "O @Mara: Is tall.")})
    row = approve(workspace).split("\n")[9]
    assert row.startswith("| Is tall | 0.37 | start: 2026-11-02 0.30; supports: 2026-11-02 ")
    assert row.endswith(" | 2026-11-02 |")
    assert reflect(workspace) == []


def test_a_table_turns_within_the_table(make_workspace: MakeWorkspace) -> None:
    workspace = make_workspace({PAGE: TABLE.replace("87 %", "55 %"), **log(2, OVER)})
    approve(workspace)
    more(workspace, log(3, OTHER))
    text = approve(workspace)
    assert text.endswith("| Is tall | 0.30 |  |  |\n\nThe end.\n")
    old, new = workspace.opinions("Mara")[1:3]
    assert old.superseded_by == new.id
    assert new.statement == "Prefers coffee over tea now"
    assert reflect(workspace) == []


def test_a_table_without_a_column_for_evidence_is_left_alone(make_workspace: MakeWorkspace) -> None:
    text = "## Mara\n\n| Opinion | Confidence |\n|---|---|\n| Prefers tea over coffee | 0.8 |\n"
    workspace = make_workspace({PAGE: text, **log(2, FOR)})
    report = workspace.reflect(phases=["opinions"])
    assert not [p for p in workspace.proposals() if p.target == PAGE]
    assert [item.reason for item in report.skipped] == ["Its page has no place for evidence there."]


def test_back_ticked_keys_keep_their_form(make_workspace: MakeWorkspace) -> None:
    old = (
        "## Mara\n\n- `opinion`: Prefers tea over coffee\n- `confidence`: 0.87\n"
        "- `evidence`: said so\n- `opinion`: Is tall\n- `confidence`: 0.5\n- `evidence`:\n"
    )
    workspace = make_workspace({PAGE: old, **log(2, FOR)})
    lines = approve(workspace).split("\n")
    assert lines[3] == "- `confidence`: 0.88"
    assert lines[4].startswith("- `evidence`: said so; start: 2026-11-02 0.87; supports: ")
    assert lines[5:] == old.split("\n")[5:]
    assert reflect(workspace) == []


def test_an_opinion_written_down_twice_moves_in_one_place(make_workspace: MakeWorkspace) -> None:
    line = "- O(c=0.6) @Mara: Prefers tea over coffee\n"
    workspace = make_workspace({PAGE: f"{line}\n## Again\n\n{line}", **log(2, FOR)})
    text = approve(workspace)
    assert text.count("supports:") == 1
    assert text.endswith(f"## Again\n\n{line}")


def test_an_evidence_line_of_several_lines_goes_and_stays_as_a_whole(
    make_workspace: MakeWorkspace,
) -> None:
    workspace = make_workspace({**log(1, TEA), **log(2, FOR)})
    text = approve(workspace)
    more(workspace, {PAGE: text.replace("  - updated", "    with milk\n    - mine\n  - updated")})
    more(workspace, log(3, OVER))
    grown = approve(workspace)
    assert "    with milk\n    - mine\n  - contradicts: 2026-11-03" in grown
    (workspace.path / "memory/2026-11-02.md").unlink()
    shrunk = approve(workspace)
    assert "with milk" not in shrunk
    assert "    - mine\n" in shrunk


def test_the_newest_day_of_a_look_stays(make_workspace: MakeWorkspace) -> None:
    workspace = make_workspace({**log(1, TEA)})
    text = approve(workspace)
    more(workspace, {PAGE: text.replace("updated: 2026-11-01", "updated: 2026-11-20")})
    more(workspace, log(2, FOR))
    assert "updated: 2026-11-20" in approve(workspace)


def test_the_store_of_suggestions_holds_what_waits(make_workspace: MakeWorkspace) -> None:
    workspace = make_workspace(log(1, TEA))
    reflect(workspace)
    kept = ProposalStore(workspace.path / ".memory/proposals").waiting()
    assert kept == workspace.proposals()
    assert kept[0].created == NOON.now()
    assert kept[0].hunks[0].evidence[0].day == date(2026, 11, 1)
