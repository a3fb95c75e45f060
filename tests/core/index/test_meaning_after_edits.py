"""Notes are written anew again and again while search by meaning is prepared: what it finds is what
there is now, as if all had been prepared at once."""

from __future__ import annotations

import hashlib
import os
import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from core_tools import write_files
from hypothesis import given, settings
from hypothesis import strategies as st
from index_tools import NOON, answers

from daybank import Workspace, open_workspace
from daybank.embedding.vectors import Embedded, Space
from daybank.progress import CancelToken

WORDS = "bread oven rye van market salt jelly walnut porch letter".split()


class WordsModel:
    """Texts with the same words lie near each other."""

    space = Space("test/words", "1", 48)

    def __init__(self) -> None:
        self.closed = False

    def embed(self, texts: Sequence[str], cancel: CancelToken | None = None) -> Any:
        import numpy as np

        assert not self.closed
        rows = np.zeros((len(texts), self.space.dimension), dtype=np.float32)
        for row, text in zip(rows, texts, strict=True):
            for word in text.lower().replace(".", " ").split():
                digest = hashlib.blake2b(word.encode(), digest_size=8).digest()
                row += np.random.default_rng(int.from_bytes(digest, "big")).normal(size=row.size)
            row /= np.linalg.norm(row) or 1
        return rows

    def embed_marked(self, texts: Sequence[str], cancel: CancelToken | None = None) -> Embedded:
        return Embedded(self.embed(texts))

    def embed_query(self, text: str) -> Any:
        return self.embed([text])[0]

    def close(self) -> None:
        self.closed = True


def opened(root: Path) -> Workspace:
    return open_workspace(root, clock=NOON, choose_embedder=WordsModel)


@pytest.fixture
def ws(tmp_path: Path) -> Iterator[Workspace]:
    write_files(tmp_path / "notes", {"memory/2025-11-27.md": "- The porch was painted green.\n"})
    with opened(tmp_path / "notes") as workspace:
        workspace.sync()
        workspace.embed()
        yield workspace


def read_again(workspace: Workspace) -> None:
    workspace.sync()
    workspace.embed()


def made_anew(workspace: Workspace) -> None:
    workspace.close()
    shutil.rmtree(workspace.path / ".memory")
    read_again(workspace)


def test_what_was_reworded_many_times_hides_nothing_that_is_there_now(ws: Workspace) -> None:
    draft = ws.path / "notes" / "draft.md"
    draft.parent.mkdir()
    for number in range(160):
        draft.write_text(f"- Walnut bread for the market, try {number}.\n")
        read_again(ws)
    (ws.path / "notes" / "old.md").write_text("- Bread with walnut, once sold on a market.\n")
    draft.write_text("- Nothing here any more.\n")
    read_again(ws)
    question = "walnut bread for the market try"
    near = ws._meanings.answering().nearest(question, 3)  # type: ignore[union-attr]
    stored = ws._ask(lambda: ws._store.passages(list(near)))
    assert "Bread with walnut, once sold on a market." in {p.content for p in stored.values()}
    grown = answers(ws, [question, "porch", "bread"])
    made_anew(ws)
    assert answers(ws, [question, "porch", "bread"]) == grown


def test_of_equally_near_notes_the_same_ones_are_found_whenever_they_were_read(
    ws: Workspace,
) -> None:
    for name in "cab":
        for day in (3, 1, 2):
            (ws.path / f"{name}{day}.md").write_text("- Rye.\n- Salt.\n- Rye.\n")
            read_again(ws)

    def nearest() -> list[tuple[str, int]]:
        index = ws._meanings.answering()
        assert index is not None
        found = ws._ask(lambda: index.nearest("rye", 4))
        stored = ws._ask(lambda: ws._store.passages(list(found)))
        return sorted((p.source.path, p.source.line_start) for p in stored.values())

    before = nearest()
    assert len(before) == 4
    made_anew(ws)
    assert nearest() == before


def test_a_closed_folder_that_is_asked_by_meaning_opens_its_model_again(ws: Workspace) -> None:
    assert ws.recall("green porch").results[0].why.meaning
    ws.close()
    assert ws.recall("painted porch").results[0].why.meaning
    ws.close()
    (ws.path / "a.md").write_text("- Rye for the market.\n")
    ws.sync()
    assert ws.embed().embedded > 0


def test_what_a_program_that_died_left_of_its_choice_of_model_is_removed(ws: Workspace) -> None:
    folder = ws.path / ".memory" / "vectors"
    dead, alive = folder / ".serving.json-0a1b2c3d", folder / ".serving.json-4e5f6a7b"
    dead.write_text("{")
    os.utime(dead, (1_700_000_000, 1_700_000_000))
    alive.write_text("{")
    ws.embed()
    assert not dead.exists()
    assert alive.exists(), "somebody may be writing it just now"


sentences = st.lists(st.sampled_from(WORDS), min_size=1, max_size=4).map(" ".join)
edits = st.lists(st.tuples(st.sampled_from("abcd"), st.none() | sentences), min_size=1, max_size=24)


@settings(max_examples=15)
@given(edits)
def test_any_history_of_edits_is_answered_by_meaning_as_if_prepared_at_once(
    tmp_path_factory: pytest.TempPathFactory, history: list[tuple[str, str | None]]
) -> None:
    root = tmp_path_factory.mktemp("notes")
    with opened(root) as workspace:
        for name, text in history:
            place = root / f"{name}.md"
            if text is None:
                place.unlink(missing_ok=True)
            else:
                old = place.read_text() if place.exists() and len(text) % 2 else ""
                place.write_text(f"{old}- {text}.\n")
            read_again(workspace)
        grown = answers(workspace, WORDS)
        made_anew(workspace)
        assert answers(workspace, WORDS) == grown
