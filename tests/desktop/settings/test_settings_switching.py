"""Another model, from the click to the first answer with it, over the real library."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from settings_tools import CLOCK, Desk, Names

from daybank import open_workspace
from daybank.embedding.vectors import Embedded, Embedder, Space
from daybank.index.switching import Serving, read_serving
from daybank.progress import CancelToken, check_cancel
from daybank.settings import load_settings
from daybank_desktop.services.meaning import Phase

np = pytest.importorskip("numpy")

MakeDesk = Callable[..., Desk]


class Toy:
    """A model of its own space; texts are near each other by chance."""

    def __init__(self, name: str) -> None:
        self.space = Space(name, "1", 8)
        self.texts = 0

    def embed(self, texts: Sequence[str], cancel: CancelToken | None = None) -> np.ndarray:
        return self.embed_marked(texts, cancel).vectors

    def embed_marked(self, texts: Sequence[str], cancel: CancelToken | None = None) -> Embedded:
        check_cancel(cancel)
        self.texts += len(texts)
        rows = [np.frombuffer(hashlib.sha256(t.encode()).digest()[:8], np.uint8) for t in texts]
        vectors = np.array(rows, dtype=np.float32).reshape(len(texts), 8) + 1
        return Embedded(vectors / np.linalg.norm(vectors, axis=1, keepdims=True))

    def embed_query(self, text: str) -> np.ndarray:
        vector: np.ndarray = self.embed([text])[0]
        return vector

    def close(self) -> None:
        pass


def test_notes_are_prepared_for_the_model_that_was_clicked(
    make_desk: MakeDesk, ollama: Names, tmp_path: Path
) -> None:
    folder = tmp_path / "Sample notes"
    (folder / "memory").mkdir()
    (folder / "memory" / "2026-11-18.md").write_text(
        "## Retain\n- W @Mara: Opens up for the delivery.\n- B @Jun: Drew a sign.\n", "utf-8"
    )
    before, after = Toy("before"), Toy("after")

    def choose() -> Embedder:
        return after if load_settings(tmp_path / "settings.json").model else before

    workspace = open_workspace(
        folder, clock=CLOCK, choose_embedder=choose, earlier_embedder=lambda space: before
    )
    desk = make_desk(workspace, ollama_url=ollama.url)
    topic = desk.open("meaning")
    meaning = desk.services.meaning
    desk.until(lambda: meaning.readiness.phase is Phase.ON)
    desk.settle()
    assert topic.prepared.title == "Prepared: 3 of 3 notes"

    desk.click(topic.ollama.mark)

    done = Serving(after.space, complete=True)
    desk.until(lambda: read_serving(folder / ".memory") == done)
    desk.settle()
    assert after.texts > 0
    assert workspace.recall("delivery").results
    assert topic.prepared.title == "Prepared: 3 of 3 notes"
