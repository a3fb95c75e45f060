"""What may be suggested against, and the sentence where it may not."""

from __future__ import annotations

from pathlib import Path

import pytest
from review_tools import LOG, Desk, change, open_desk

from daybank.errors import ProposalRefused
from daybank.review.proposal import Hunk
from daybank.review.rules import check_change, check_target, vanishing

DAY = """# 2026-11-26

A walk in the morning.

## Retain

- W @Peter: Lives in Porto.
  near the river

## Evening

A film.
"""
BEGIN, END = "<!-- daybank:begin summary -->", "<!-- daybank:end summary -->"


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return open_desk(
        tmp_path / "notes",
        {
            LOG: DAY,
            "MEMORY.md": "# Core\n",
            "USER.md": "# Me\n",
            "SOUL.md": "# Soul\n",
            "bank/opinions.md": "# Opinions\n",
            "notes/plan.md": "# Plan\n",
            "logs/chat.jsonl": "{}\n",
        },
    )


@pytest.mark.parametrize(
    "target",
    [
        "bank/opinions.md",
        "bank/world.md",
        "bank/entities/Лена.md",
        "bank/trips/porto.md",
        "MEMORY.md",
        "memory/dialogue_summary.md",
        "memory/knowledge/_index.md",
        "memory/knowledge/baking.md",
        "knowledge/baking.md",
        LOG,
        "memory/2026/2026-11-27-walk.md",
        "memory/projects.md",
    ],
)
def test_the_pages_that_daybank_looks_after_may_get_suggestions(desk: Desk, target: str) -> None:
    check_target(desk.folder, target)


@pytest.mark.parametrize(
    ("target", "why"),
    [
        ("SOUL.md", "only a person writes it"),
        ("USER.md", "only a person writes it"),
        ("AGENTS.md", "only a person writes it"),
        ("memory/identity.md", "the assistant's own page"),
        ("memory/scratchpad.md", "the assistant's own page"),
        ("logs/chat.jsonl", "only reads"),
        ("logs/notes.md", "only reads"),
        ("state/state.json", "only reads"),
        ("DREAMS.md", "Another program"),
        ("memory/dreaming/2026-11-26.md", "Another program"),
        ("notes/plan.md", "Suggestions are for"),
        ("journals/2026_11_26.md", "Suggestions are for"),
        ("README.md", "Suggestions are for"),
        ("memory.md", "core memory of this folder is “MEMORY.md”"),
        ("bank/list.txt", "Markdown pages"),
        ("bank", "Markdown pages"),
        ("bank/.hidden.md", "hidden"),
        (".memory/proposals/p-1.json", "hidden"),
        ("bank/.git/x.md", "hidden"),
        ("bank//opinions.md", "no plain path"),
        ("./bank/opinions.md", "no plain path"),
    ],
)
def test_every_other_file_is_refused_with_the_reason(desk: Desk, target: str, why: str) -> None:
    with pytest.raises(ProposalRefused) as caught:
        check_target(desk.folder, target)
    assert why in str(caught.value)
    assert target in caught.value.title


@pytest.mark.parametrize(
    "target",
    [
        "",
        "../../SOUL.md",
        "..",
        "a/../../b.md",
        "bank/../../b.md",
        "bank/../SOUL.md",
        "..\\x.md",
        "bank\\..\\..\\x.md",
        "/etc/hosts",
        "C:\\x.md",
        "%2e%2e%2fx.md",
        "bank/%2e%2e/%2e%2e/x.md",
        "bank/foo\x00bar.md",
        "memory/../../.ssh/config",
        "~/x.md",
    ],
)
def test_a_path_that_leads_out_of_the_folder_is_refused(desk: Desk, target: str) -> None:
    before = sorted(desk.root.parent.rglob("*"))
    with pytest.raises(ProposalRefused):
        check_target(desk.folder, target)
    with pytest.raises(ProposalRefused):
        desk.reviewer.propose(target, [change(1, None, "- x")], "why")
    assert sorted(desk.root.parent.rglob("*")) == before


def test_a_link_out_of_the_folder_is_refused(desk: Desk, tmp_path: Path) -> None:
    outside = tmp_path / "outside.md"
    outside.write_text("mine\n")
    (desk.root / "bank/link.md").symlink_to(outside)
    (desk.root / "bank/entities").symlink_to(tmp_path)
    for target in ("bank/link.md", "bank/entities/Peter.md"):
        with pytest.raises(ProposalRefused, match="leads out"):
            check_target(desk.folder, target)
    assert outside.read_text() == "mine\n"


@pytest.mark.parametrize("real", ["SOUL.md", "logs/chat.jsonl", ".memory/x.md"])
def test_a_link_to_a_protected_file_does_not_make_a_page_of_it(desk: Desk, real: str) -> None:
    desk.write(".memory/x.md", "state\n")
    (desk.root / "bank/link.md").symlink_to(desk.root / real)
    with pytest.raises(ProposalRefused, match="It is a link to"):
        check_target(desk.folder, "bank/link.md")


def test_a_link_to_a_page_elsewhere_in_the_folder_is_a_page(desk: Desk) -> None:
    (desk.root / "bank/plan.md").symlink_to(desk.root / "notes/plan.md")
    check_target(desk.folder, "bank/plan.md")


def test_a_link_to_a_daily_log_can_only_be_added_to(desk: Desk) -> None:
    (desk.root / "bank/day.md").symlink_to(desk.root / LOG)
    with pytest.raises(ProposalRefused, match="only be added to"):
        check_change(desk.folder, "bank/day.md", DAY, [change(3, "A walk in the morning.", "x")])


@pytest.mark.parametrize("line", [13, 7, 8, 9, 10])
def test_a_log_may_be_added_to_at_its_end_and_in_its_retain_section(desk: Desk, line: int) -> None:
    check_change(desk.folder, LOG, DAY, [change(line, None, "- W @Mara: Bakes.")])


@pytest.mark.parametrize(
    "hunk",
    [
        change(3, "A walk in the morning.", "A run in the morning."),
        change(7, "- W @Peter: Lives in Porto.", None),
        change(12, "A film.", "A film.\n- W: x"),
        change(1, None, "- W: x"),
        change(4, None, "- W: x"),
        change(12, None, "- W: x"),
    ],
)
def test_a_log_is_refused_any_other_change(desk: Desk, hunk: Hunk) -> None:
    with pytest.raises(ProposalRefused, match="can only be added to"):
        check_change(desk.folder, LOG, DAY, [hunk], allow_shrink=True)


def test_a_heading_in_a_code_block_opens_no_retain_section(desk: Desk) -> None:
    text = "# Day\n\n```\n## Retain\n```\n\nA walk.\n"
    with pytest.raises(ProposalRefused):
        check_change(desk.folder, LOG, text, [change(5, None, "- W: x")])


def test_a_page_of_notes_in_memory_can_only_be_added_to(desk: Desk) -> None:
    with pytest.raises(ProposalRefused, match="only be added to"):
        check_change(desk.folder, "memory/projects.md", "- a\n- b\n", [change(1, "- a", "- x")])
    check_change(desk.folder, "memory/projects.md", "- a\n- b\n", [change(3, None, "- c")])


def test_losing_more_than_a_quarter_of_a_page_needs_an_explicit_yes(desk: Desk) -> None:
    page = "# Opinions\n\n" + "".join(f"- opinion number {n} about figs\n" for n in range(8))
    two = [change(3, "- opinion number 0 about figs\n- opinion number 1 about figs", None)]
    three = [*two, change(10, "- opinion number 7 about figs", None)]
    check_change(desk.folder, "bank/opinions.md", page, two)
    with pytest.raises(ProposalRefused, match="3 of the 8 entries") as caught:
        check_change(desk.folder, "bank/opinions.md", page, three)
    assert caught.value.would_shrink
    check_change(desk.folder, "bank/opinions.md", page, three, allow_shrink=True)


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ("- O(c=0.80) @Peter: Likes figs\n", "- O(c=0.87) @Peter: Likes figs\n", (1, 0)),
        ("- a b\n- c d\n", "- c d\n- a b\n", (2, 0)),
        ("- a b\n- a b\n", "- a b\n", (2, 1)),
        ("W @Peter: Lives in Porto\nW @Mara: Bakes bread\n", "W @Mara: Bakes bread\n", (2, 1)),
        (
            "| a | b |\n|---|---|\n| x | 1 |\n| y | 2 |\n",
            "| a | b |\n|---|---|\n| x | 1 |\n",
            (2, 1),
        ),
        ("- a b\n- c d\n", "- quite other words\n- nothing alike\n", (2, 2)),
        ("Prose is no entry.\n", "", (0, 0)),
        (
            f"- by hand\n\n{BEGIN}\n- old\n- older\n{END}\n",
            f"- by hand\n\n{BEGIN}\n- new\n{END}\n",
            (1, 0),
        ),
    ],
)
def test_what_counts_as_an_entry_that_vanishes(
    before: str, after: str, expected: tuple[int, int]
) -> None:
    assert vanishing(before, after) == expected
