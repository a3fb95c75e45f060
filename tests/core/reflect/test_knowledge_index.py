"""The index of the knowledge base follows its pages, one suggested line a topic, and leaves what a
person wrote around it."""

from __future__ import annotations

from itertools import count
from pathlib import Path

import pytest
from core_tools import MakeWorkspace, write_files
from hypothesis import given, settings
from hypothesis import strategies as st
from reflect_tools import accept, accept_all, lines_in, material_of, reasons, text_of

from daybank.reflect.knowledge import suggest_knowledge_index
from daybank.review.proposal import Phase
from daybank.review.rules import check_change, check_target

INDEX = "memory/knowledge/_index.md"
PAGES = {
    "memory/knowledge/oven-2.md": "# Oven 2\n\nRye on deck 1.\nBrioche on deck 3.\n\n"
    "## Habits\n- Slow.\n- Hot.\n",
    "memory/knowledge/rye.md": "# Rye\n",
}
LISTED = (
    "# Knowledge Base Index\n\n"
    "- **oven-2**: Rye on deck 1. | Brioche on deck 3. | - Slow.\n"
    "- **rye**: (empty)\n"
)
SAMPLE = Path(__file__).parents[3] / "resources" / "sample_workspace"


@pytest.mark.parametrize("folder", ["memory/knowledge", "knowledge"])
def test_a_missing_index_is_suggested_whole(make_workspace: MakeWorkspace, folder: str) -> None:
    pages = {path.replace("memory/knowledge", folder): text for path, text in PAGES.items()}
    ws = make_workspace(pages)
    (draft,) = accept_all(ws, suggest_knowledge_index).drafts
    assert (draft.target, draft.phase) == (f"{folder}/_index.md", Phase.KNOWLEDGE)
    assert text_of(ws, f"{folder}/_index.md") == LISTED
    assert [item.source for item in draft.hunk.evidence] == sorted(pages)


def test_nothing_is_suggested_without_a_knowledge_base(make_workspace: MakeWorkspace) -> None:
    for number, files in enumerate(
        ({}, {"memory/2026-11-20.md": "- x\n"}, {"notes/_index.md": "x\n"})
    ):
        ws = make_workspace(files, name=str(number))
        assert suggest_knowledge_index(material_of(ws)).drafts == ()


def test_the_index_of_the_sample_workspace_is_as_it_should_be(
    make_workspace: MakeWorkspace,
) -> None:
    places = (SAMPLE / "memory/knowledge").iterdir()
    ws = make_workspace({f"memory/knowledge/{p.name}": p.read_text("utf-8") for p in places})
    assert suggest_knowledge_index(material_of(ws)).drafts == ()
    (ws.path / INDEX).unlink()
    accept(ws, suggest_knowledge_index(material_of(ws)).drafts)
    assert text_of(ws, INDEX) == (SAMPLE / INDEX).read_text("utf-8")


def test_each_change_is_a_line_by_itself(make_workspace: MakeWorkspace) -> None:
    ws = make_workspace({**PAGES, INDEX: LISTED})
    assert suggest_knowledge_index(material_of(ws)).drafts == ()
    (ws.path / "memory/knowledge/rye.md").unlink()
    write_files(
        ws.path,
        {
            "memory/knowledge/oven-2.md": "Deck 2 has a crack.\n",
            "memory/knowledge/market.md": "Stall 14.\n",
            "memory/knowledge/zest.md": "Of lemons.\n",
        },
    )
    result = accept_all(ws, suggest_knowledge_index)
    assert [draft.hunk.reason for draft in result.drafts] == [
        "“market” is new.",
        "The page “oven-2” begins differently now.",
        "“rye” has no page any more.",
        "“zest” is new.",
    ]
    assert text_of(ws, INDEX) == (
        "# Knowledge Base Index\n\n- **market**: Stall 14.\n- **oven-2**: Deck 2 has a crack.\n"
        "- **zest**: Of lemons.\n"
    )


def test_what_a_person_put_around_the_list_stays(make_workspace: MakeWorkspace) -> None:
    around = (
        "# Knowledge Base Index\r\n\r\nAsk Mara about these.\r\n\r\n"
        "- **oven-2**: Old words.\r\n  - My own note under it.\r\n- **gone**: Was here.\r\n"
        "  - My note on it.\r\n- my own item\r\n\r\n> - **rye**: quoted\r\n\r\nThe end, no newline"
    )
    ws = make_workspace({**PAGES, INDEX: around})
    result = accept_all(ws, suggest_knowledge_index)
    assert text_of(ws, INDEX) == around.replace(
        "Old words.", "Rye on deck 1. | Brioche on deck 3. | - Slow."
    ).replace("  - My note on it.\r\n", "  - My note on it.\r\n- **rye**: (empty)\r\n")
    assert reasons(result) == ["the line of gone — Something of your own stands under it."]


def test_a_list_out_of_order_is_put_in_order(make_workspace: MakeWorkspace) -> None:
    out_of_order = "# Knowledge Base Index\n\n- **rye**: (empty)\n- **oven-2**: x\n\nMine.\n"
    ws = make_workspace({**PAGES, INDEX: out_of_order})
    accept_all(ws, suggest_knowledge_index)
    assert text_of(ws, INDEX) == f"{LISTED}\nMine.\n"


def test_a_page_without_a_list_gets_one_at_its_end(make_workspace: MakeWorkspace) -> None:
    ws = make_workspace({**PAGES, INDEX: "Mine.\n"})
    accept_all(ws, suggest_knowledge_index)
    assert text_of(ws, INDEX) == f"Mine.\n\n{LISTED}"


def test_a_secret_never_comes_into_the_index(make_workspace: MakeWorkspace) -> None:
    ws = make_workspace({"knowledge/router.md": "admin password: hunter2-EXAMPLE\nIn the hall.\n"})
    result = accept_all(ws, suggest_knowledge_index)
    assert lines_in(result)[-1] == "- **router**: In the hall."
    assert "hunter2" not in repr(result)


def test_each_suggestion_may_be_made(make_workspace: MakeWorkspace) -> None:
    ws = make_workspace({**PAGES, INDEX: LISTED.replace("(empty)", "x")})
    for draft in suggest_knowledge_index(material_of(ws)).drafts:
        check_target(ws._folder, draft.target)
        check_change(ws._folder, draft.target, text_of(ws, INDEX), [draft.hunk])


def test_lines_that_go_do_not_hide_that_the_others_are_out_of_order(
    make_workspace: MakeWorkspace,
) -> None:
    index = "- **rye**: \n- **oven**: \n- my item\n- **oven**: "
    pages = {f"memory/knowledge/{name}.md": "\n" for name in ("oven", "rye")}
    ws = make_workspace({**pages, INDEX: index})
    accept_all(ws, suggest_knowledge_index)
    assert text_of(ws, INDEX) == "- **oven**: (empty)\n- **rye**: (empty)\n- my item"


NUMBERS = count()
WORDS = st.text("ab c", max_size=8)
NAMES = st.sampled_from(["oven", "rye", "Market", "été", "zest"])
OWN = st.sampled_from(["my words", "- my item", "## Mine", "", "1. one", "> quote"])
ENTRIES = st.builds("- **{}**: {}".format, NAMES, WORDS)


@settings(max_examples=40)
@given(
    pages=st.dictionaries(NAMES, WORDS, max_size=4),
    index=st.none() | st.lists(OWN | ENTRIES, max_size=8).map("\n".join),
)
def test_whatever_stands_there_the_second_run_has_nothing_to_say(
    make_workspace: MakeWorkspace, pages: dict[str, str], index: str | None
) -> None:
    files = {f"knowledge/{name}.md": f"{text}\n" for name, text in pages.items()}
    if index is not None:
        files["knowledge/_index.md"] = index
    name = f"n{next(NUMBERS)}"  # a folder of its own for each example
    ws = make_workspace(files, name=name)
    accept_all(ws, suggest_knowledge_index)
    place = ws.path / "knowledge/_index.md"
    after = place.read_text("utf-8") if place.exists() else ""
    for line in (index or "").split("\n"):
        if not line.startswith("- **"):
            assert line in after.split("\n") or not line
    ws.close()
