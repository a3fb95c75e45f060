"""What a suggestion cites is looked at once more before it is written."""

from __future__ import annotations

import pytest
from core_tools import MakeWorkspace, retain

from daybank import Workspace
from daybank.errors import ProposalRefused

LOG = "memory/2026-11-20.md"


@pytest.fixture
def waiting(make_workspace: MakeWorkspace) -> tuple[Workspace, str]:
    ws = make_workspace({LOG: retain("O(c=0.8) @Mara: Prefers tea in the morning")})
    ws.reflect()
    found = [p.id for p in ws.proposals() if p.target == "bank/opinions.md"]
    assert len(found) == 1
    return ws, found[0]


def test_a_note_that_moved_is_cited_where_it_stands_now(waiting: tuple[Workspace, str]) -> None:
    ws, pid = waiting
    (ws.path / "memory/2026").mkdir()
    (ws.path / LOG).rename(ws.path / "memory/2026/2026-11-20.md")
    ws.approve(pid)
    page = (ws.path / "bank/opinions.md").read_text(encoding="utf-8")
    assert "memory/2026/2026-11-20.md#L3 ^f-" in page
    assert f" {LOG}#" not in page


def test_lines_added_above_a_note_change_the_line_that_is_cited(
    waiting: tuple[Workspace, str],
) -> None:
    ws, pid = waiting
    text = (ws.path / LOG).read_text(encoding="utf-8")
    (ws.path / LOG).write_text(f"# A day\n\nRain.\n\n{text}", encoding="utf-8")
    ws.approve(pid)
    assert f"{LOG}#L7 ^f-" in (ws.path / "bank/opinions.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("edit", [lambda text: "", lambda text: text.replace("tea", "coffee")])
def test_nothing_is_written_when_the_note_is_gone_or_says_something_else(
    waiting: tuple[Workspace, str], edit: object
) -> None:
    ws, pid = waiting
    text = (ws.path / LOG).read_text(encoding="utf-8")
    (ws.path / LOG).write_text(edit(text), encoding="utf-8")  # type: ignore[operator]
    with pytest.raises(ProposalRefused, match="has changed"):
        ws.approve(pid)
    assert not (ws.path / "bank/opinions.md").exists()
    done = ws.approve_many([pid])
    assert done[0].applied is None
    assert done[0].error is not None
    ws.reflect()
    assert pid not in {p.id for p in ws.proposals()} or "coffee" in str(ws.proposal(pid).hunks)
