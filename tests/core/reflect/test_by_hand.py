"""Opinions moved and names given by a person's own hand: one page changed at once, and undone."""

from __future__ import annotations

import pytest
from core_tools import MakeWorkspace, retain

from daybank.errors import ProposalRefused

PAGE = (
    "# Opinions\n\nMine.\n\n"
    "- O(c=0.60) @Mara: Prefers tea\n"
    "  - start: 2026-11-01 0.60 memory/2026-11-01.md#L3 ^f-000000000000\n"
    "\nThe end.\n"
)


def opinions_page(ws: object) -> str:
    return (ws.path / "bank/opinions.md").read_text(encoding="utf-8")  # type: ignore[attr-defined]


def test_agreeing_adds_a_line_and_moves_the_number(make_workspace: MakeWorkspace) -> None:
    ws = make_workspace({"bank/opinions.md": PAGE})
    opinion = ws.opinions()[0]
    ws.move_opinion(opinion.id, "agree")
    text = opinions_page(ws)
    assert f"- O(c=0.64) @Mara: Prefers tea ^{opinion.id}\n" in text
    assert "  - supports: 2026-11-26 by hand\n  - updated: 2026-11-26\n" in text
    assert text.startswith("# Opinions\n\nMine.\n\n")
    assert text.endswith("\nThe end.\n")
    assert round(ws.opinions()[0].confidence, 3) == 0.638


def test_disagreeing_speaks_against_it(make_workspace: MakeWorkspace) -> None:
    ws = make_workspace({"bank/opinions.md": PAGE})
    ws.move_opinion(ws.opinions()[0].id, "disagree")
    assert "contradicts: 2026-11-26 by hand" in opinions_page(ws)
    assert ws.opinions()[0].confidence == 0.5  # one day alone does not cross the middle


def test_a_number_set_by_hand_counts_from_today(make_workspace: MakeWorkspace) -> None:
    ws = make_workspace({"bank/opinions.md": PAGE})
    ws.move_opinion(ws.opinions()[0].id, 0.9)
    assert "- O(c=0.90) @Mara: Prefers tea" in opinions_page(ws)
    assert "  - set: 2026-11-26 0.90 by hand\n" in opinions_page(ws)


def test_what_is_no_longer_true_stays_and_says_so(make_workspace: MakeWorkspace) -> None:
    ws = make_workspace({"bank/opinions.md": PAGE})
    ws.move_opinion(ws.opinions()[0].id, "no_longer_true")
    assert ws.opinions()[0].superseded_by is not None
    assert "start: 2026-11-01 0.60" in opinions_page(ws)


def test_every_move_can_be_undone(make_workspace: MakeWorkspace) -> None:
    ws = make_workspace({"bank/opinions.md": PAGE})
    for move in ("agree", "disagree", "no_longer_true", 0.1):
        applied = ws.move_opinion(ws.opinions()[0].id, move)  # type: ignore[arg-type]
        assert opinions_page(ws) != PAGE
        ws.undo(applied.proposal.id)
        assert opinions_page(ws) == PAGE


def test_an_opinion_of_a_log_gets_its_entry_with_the_first_move(
    make_workspace: MakeWorkspace,
) -> None:
    ws = make_workspace({"memory/2026-11-20.md": retain("O(c=0.8) @Mara: Prefers tea.")})
    opinion = ws.opinions()[0]
    assert not opinion.on_page
    ws.move_opinion(opinion.id, "agree")
    page = ws.opinions()[0]
    assert page.on_page
    assert [step.key for step in page.steps] == ["start", "supports"]
    assert page.steps[0].content == "Prefers tea."
    assert len(ws.opinions()) == 1


def test_an_opinion_that_only_says_a_number_starts_with_it(make_workspace: MakeWorkspace) -> None:
    ws = make_workspace({"bank/opinions.md": "- O(c=0.8): Rye is worth it\n"})
    ws.move_opinion(ws.opinions()[0].id, "agree")
    assert [round(step.value, 3) for step in ws.opinions()[0].steps] == [0.8, 0.818]


def test_a_table_keeps_its_form(make_workspace: MakeWorkspace) -> None:
    table = (
        "## Peter\n\n| Opinion | Confidence | Evidence | Updated |\n|---|---|---|---|\n"
        "| Likes cats | 0.70 | saw him | 2026-01-02 |\n"
    )
    ws = make_workspace({"bank/opinions.md": table})
    ws.move_opinion(ws.opinions()[0].id, "agree")
    row = opinions_page(ws).splitlines()[-1]
    assert row.startswith("| Likes cats | 0.73 | saw him; start: 2026-01-02 0.70; supports:")
    assert row.endswith("| 2026-11-26 |")
    assert round(ws.opinions()[0].confidence, 3) == 0.728


def test_what_is_not_there_any_more_is_refused(make_workspace: MakeWorkspace) -> None:
    ws = make_workspace({"bank/opinions.md": PAGE})
    with pytest.raises(ProposalRefused, match="not written down any more"):
        ws.move_opinion("op-ffffffff", "agree")
    with pytest.raises(ValueError, match="between 0 and 1"):
        ws.move_opinion(ws.opinions()[0].id, 1.5)
    assert opinions_page(ws) == PAGE


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (
            "---\ntitle: Peter\naliases: [Pete]\ntype: person\n---\n# Peter\n",
            "---\ntitle: Peter\naliases: [Pete, Пётр]\ntype: person\n---\n# Peter\n",
        ),
        (
            "---\ntitle: Peter\naliases:\n  - Pete\ntype: person\n---\n# Peter\n",
            "---\ntitle: Peter\naliases:\n  - Pete\n  - Пётр\ntype: person\n---\n# Peter\n",
        ),
        (
            "---\ntitle: Peter\naliases: Pete\n---\n",
            "---\ntitle: Peter\naliases: [Pete, Пётр]\n---\n",
        ),
        (
            "---\ntitle: Peter\n---\nHello\n",
            "---\ntitle: Peter\naliases: [Пётр]\n---\nHello\n",
        ),
        (
            "---\r\ntitle: Peter\r\n---\r\nHello",
            "---\r\ntitle: Peter\r\naliases: [Пётр]\r\n---\r\nHello",
        ),
    ],
)
def test_another_name_is_added_in_the_style_of_the_page(
    make_workspace: MakeWorkspace, before: str, after: str
) -> None:
    page = "bank/entities/Peter.md"
    ws = make_workspace({page: before, "memory/2026-11-20.md": retain("W @Пётр: Came by")})
    applied = ws.add_alias("Peter", "Пётр")
    assert (ws.path / page).read_bytes().decode() == after
    entity = ws.entity("Peter")
    assert entity is not None
    assert "Came by" in [fact.content for fact in entity.facts]
    ws.undo(applied.proposal.id)
    assert (ws.path / page).read_bytes().decode() == before


def test_a_name_is_taken_away_and_the_others_stay(make_workspace: MakeWorkspace) -> None:
    page = "bank/entities/Peter.md"
    ws = make_workspace({page: "---\ntitle: Peter\naliases: [Pete, 'P: the cook']\n---\n# Peter\n"})
    ws.remove_alias("Peter", "pete")
    assert "aliases: ['P: the cook']" in (ws.path / page).read_text(encoding="utf-8")


def test_somebody_without_a_page_gets_one_with_the_first_other_name(
    make_workspace: MakeWorkspace,
) -> None:
    ws = make_workspace({"memory/2026-11-20.md": retain("W @Mara: Came", "W @Mapa: Went")})
    ws.add_alias("Mara", "Mapa")
    entity = ws.entity("mapa")
    assert entity is not None
    assert entity.name == "Mara"
    assert {"Came", "Went"} <= {fact.content for fact in entity.facts}


def test_a_name_that_is_there_already_is_no_change(make_workspace: MakeWorkspace) -> None:
    page = "bank/entities/Peter.md"
    ws = make_workspace({page: "---\ntitle: Peter\naliases: [Pete]\n---\n# Peter\n"})
    with pytest.raises(ProposalRefused, match="already"):
        ws.add_alias("Peter", "PETE")
    with pytest.raises(ProposalRefused, match="Nothing mentions"):
        ws.add_alias("Nobody", "x")
