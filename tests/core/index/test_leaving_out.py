"""``-word`` and ``-@Name``: what is left out stays out, whichever way a note would have come in: by
its words, its meaning, the lines beside it, or because of whom the question names."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from core_tools import write_files
from test_meaning_after_edits import opened

from daybank import Workspace

NOTES = {
    "memory/2025-11-01.md": (
        "- Walnut bread for the market\n- Bread with rye for the market\n- Market bread\n"
        "- Salt from the porch\n"
    ),
    "memory/2025-11-02.md": "## Rye\n\n- Bread for the market again\n",
    "memory/2025-11-03.md": (
        "## Retain\n\n- O(c=0.8) @Mara: Rye bread is the best on the market.\n"
        "- O(c=0.8) @Mara: Walnut bread is the best on the market.\n"
        "- W @Maple: Sells bread on the market.\n- B: Mara sold bread on the market.\n"
    ),
    "bank/entities/Mara.md": "---\ntitle: Mara\naliases: [Maple]\ntype: person\n---\n",
}


@pytest.fixture
def ws(tmp_path: Path) -> Iterator[Workspace]:
    write_files(tmp_path / "notes", NOTES)
    with opened(tmp_path / "notes") as workspace:
        workspace.sync()
        workspace.embed()
        yield workspace


def _found(workspace: Workspace, question: str, *, semantic: bool) -> list[str]:
    return [r.content for r in workspace.recall(question, k=50, semantic=semantic).results]


@pytest.mark.parametrize("semantic", [True, False])
@pytest.mark.parametrize(
    "question",
    [
        "bread -rye",
        "walnut bread for the market -rye",
        "what does Mara think of bread -rye",
        "tell me about Mara -rye",
        "-rye since November 2025",
        'market bread -"rye bread" -rye',
    ],
)
def test_a_word_that_is_left_out_is_in_no_answer(
    ws: Workspace, question: str, *, semantic: bool
) -> None:
    found = _found(ws, question, semantic=semantic)
    assert found
    assert not [content for content in found if "rye" in content.lower()]
    assert "Bread for the market again" not in found  # it stands under a heading that says so


@pytest.mark.parametrize("semantic", [True, False])
def test_a_person_who_is_left_out_is_in_no_answer_by_any_name(
    ws: Workspace, *, semantic: bool
) -> None:
    found = _found(ws, "bread on the market -@Mara", semantic=semantic)
    assert "Market bread" in found
    assert not [content for content in found if "best" in content or "old" in content]
    assert "Sells bread on the market." not in found
