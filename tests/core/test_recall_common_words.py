"""Questions made of words that stand in very many notes: the limits are lowered so that a few
hundred lines are very many."""

from __future__ import annotations

import shutil
import threading
from datetime import date, timedelta

import pytest
from core_tools import NOON, MakeWorkspace, contents

from daybank import Cancelled, open_workspace
from daybank.index.store import IndexStore
from daybank.recall import engine

MANY = 400


@pytest.fixture(autouse=True)
def few_are_many(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine, "POOL", 20)


def _logs(*lines: str) -> dict[str, str]:
    """A line a day, over and over, from the first of January 2020 on."""
    first = date(2020, 1, 1)
    return {
        f"memory/{first + timedelta(days=number)}.md": f"- {lines[number % len(lines)]}\n"
        for number in range(MANY)
    }


def test_the_note_that_says_both_common_words_is_found(make_workspace: MakeWorkspace) -> None:
    files = _logs("We ran out of flour.", "The oven was cold again.")
    files["memory/2020-03-01-evening.md"] = (
        "- On a long and rainy evening Peter swept so much flour from behind the oven that he"
        " laughed about it for the whole of the next week, and told everybody.\n"
    )
    ws = make_workspace(files)
    answer = ws.recall("flour behind an oven ", k=1, semantic=False)
    assert contents(answer)[0].startswith("On a long and rainy evening")


def test_a_rare_word_and_a_pair_of_common_ones_both_choose(make_workspace: MakeWorkspace) -> None:
    others = [f"Nothing new from {name}." for name in ("Peter", "Mara", "Anna", "Luis", "Ines")]
    files = _logs("We ran out of flour.", "The oven was cold again.", *others)
    files["memory/2020-03-01-evening.md"] = "- A kingfisher sat on the mill.\n"
    files["memory/2020-03-02-evening.md"] = "- There was flour in the oven.\n"
    ws = make_workspace(files)
    found = contents(ws.recall("kingfisher flour oven ", semantic=False))
    assert {"A kingfisher sat on the mill.", "There was flour in the oven."} <= set(found)


def test_one_common_word_alone_is_still_found(make_workspace: MakeWorkspace) -> None:
    ws = make_workspace(_logs("We ran out of flour.", "The oven was cold again."))
    found = contents(ws.recall("flour ", k=10, semantic=False))
    assert found == ["We ran out of flour."] * 10


def test_a_beginning_that_many_words_share_does_not_hide_a_rare_word(
    make_workspace: MakeWorkspace,
) -> None:
    files = _logs("The mill was shut.", "The miller came by.", "A million crumbs.")
    files["memory/2020-03-01-evening.md"] = "- A kingfisher sat on the millstone.\n"
    ws = make_workspace(files)
    answer = ws.recall("kingfisher mil", k=1, semantic=False)
    assert contents(answer) == ["A kingfisher sat on the millstone."]


def test_a_beginning_alone_finds_what_begins_so(make_workspace: MakeWorkspace) -> None:
    ws = make_workspace(_logs("The mill was shut.", "The oven was cold again."))
    found = contents(ws.recall("mil", k=5, semantic=False))
    assert found == ["The mill was shut."] * 5


def test_a_common_word_in_a_time_is_found_beside_the_pairs(make_workspace: MakeWorkspace) -> None:
    files = _logs("We ran out of flour.", "The oven was cold again.")
    files["memory/2020-05-06-evening.md"] = "- There was flour in the oven.\n"
    ws = make_workspace(files)
    answer = ws.recall("flour oven May 2020", semantic=False)
    assert contents(answer)[0] == "There was flour in the oven."
    assert "We ran out of flour." in contents(answer)


def test_the_choice_does_not_depend_on_the_order_of_indexing(
    make_workspace: MakeWorkspace,
) -> None:
    files = _logs("We ran out of flour.", "The oven was cold.", "Flour in the oven again.")
    ws = make_workspace(dict(list(files.items())[: MANY // 2]))
    for path, text in list(files.items())[MANY // 2 :]:
        (ws.path / path).write_text(text, encoding="utf-8")
    ws.sync()
    (ws.path / "memory/2020-01-03.md").write_text("- Flour in the oven again.\n\n")
    ws.sync()  # this file's lines now stand behind all others in the index
    shutil.copytree(ws.path / "memory", ws.path.parent / "anew" / "memory")
    with open_workspace(ws.path.parent / "anew", clock=NOON) as anew:
        anew.sync()
        for text in ("flour oven ", "oven ", "flour again oven ", "fl", "oven February 2020"):
            mine = ws.recall(text, semantic=False)
            assert mine.results == anew.recall(text, semantic=False).results


def test_an_answer_that_is_not_wanted_is_not_ranked_to_its_end(
    make_workspace: MakeWorkspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    ws = make_workspace(_logs("We ran out of flour.", "The oven was cold again."))
    cancel = threading.Event()
    load = IndexStore.candidates

    def load_and_call_off(store: IndexStore, *arguments: object) -> object:
        found = load(store, *arguments)  # type: ignore[arg-type]
        cancel.set()
        return found

    monkeypatch.setattr(IndexStore, "candidates", load_and_call_off)
    with pytest.raises(Cancelled):
        ws.recall("flour oven ", semantic=False, cancel=cancel)
    monkeypatch.undo()
    assert ws.recall("flour oven ", semantic=False).results
