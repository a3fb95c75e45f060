"""Very many notes answer a question equally well: which of them are shown depends on what they say
and where they stand, never on the order in which their files were read."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from core_tools import write_files
from index_tools import NOON, dump

from daybank import open_workspace

QUESTIONS = ("walnut", "bread", "walnut bread", "who sells walnut bread", "sells", "sample note")
DOINGS = ("sells", "likes", "moved", "counted", "wrote about")
THINGS = ("walnut bread", "the oven", "a blue van", "rye", "quince jelly")


def alike() -> dict[str, str]:
    """Twenty days with thirty notes each, of a few words in ever new pairs."""
    dice = random.Random(0)
    files = {}
    for day in range(1, 21):
        notes = [
            f"- B @Jun: {dice.choice(DOINGS)} {dice.choice(THINGS)} ({n}), sample note.\n"
            for n in range(30)
        ]
        files[f"memory/2026-05-{day:02}.md"] = "## Retain\n\n" + "".join(notes)
    return files


@pytest.mark.parametrize("seed", range(3))
def test_the_same_answers_whichever_file_was_read_first(tmp_path: Path, seed: int) -> None:
    files = alike()
    order = list(files)
    random.Random(seed).shuffle(order)
    root = tmp_path / "notes"
    root.mkdir()
    with (
        open_workspace(root, clock=NOON, index_dir=tmp_path / "grown") as grown,
        open_workspace(root, clock=NOON, index_dir=tmp_path / "made") as made,
    ):
        for path in order:
            write_files(root, {path: files[path]})
            grown.sync()
        made.sync()
        assert dump(grown.index_path) == dump(made.index_path)
        for question in QUESTIONS:
            for k in (5, 25, 100):
                answer = grown.recall(question, k=k, semantic=False).to_json()
                assert answer == made.recall(question, k=k, semantic=False).to_json()


def test_the_lines_of_the_file_that_was_read_just_before_lend_nothing(tmp_path: Path) -> None:
    """What stands beside a file's first line in the index is another file's last one."""
    files = {
        "memory/2025-11-01.md": "## Flour\n\n- rye\n- oven\n- nothing\n",
        "memory/2025-11-02.md": "- flour and rye\n",
    }
    root = tmp_path / "notes"
    root.mkdir()
    with (
        open_workspace(root, clock=NOON, index_dir=tmp_path / "grown") as grown,
        open_workspace(root, clock=NOON, index_dir=tmp_path / "made") as made,
    ):
        for path in reversed(files):
            write_files(root, {path: files[path]})
            grown.sync()
        made.sync()
        question = "what does Mara think of rye"
        assert grown.recall(question, semantic=False) == made.recall(question, semantic=False)
