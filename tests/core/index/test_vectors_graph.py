"""The graph over many vectors: nearly the exact answer, always complete, never in the way."""

from __future__ import annotations

import json
import os
import threading
from pathlib import Path
from typing import Any

import pytest
from vector_tools import clustered, key, keys

from daybank.errors import Cancelled, IndexUnwritable
from daybank.index.vectors import (
    ExactIndex,
    HnswIndex,
    VectorStore,
    build_hnsw,
    choose,
    hnsw,
    needs_hnsw,
    open_index,
)
from daybank.progress import Progress

np = pytest.importorskip("numpy")
pytest.importorskip("usearch")

DIMENSION = 64
COUNT = 6_000
VECTORS = clustered(COUNT, DIMENSION)


@pytest.fixture
def store(tmp_path: Path) -> VectorStore:
    store = VectorStore(tmp_path / "space", "mini 1", DIMENSION)
    store.append(keys(0, 3_000), VECTORS[:3_000])
    return store


def opened(store: VectorStore) -> Any:
    return open_index(store.view(), store.folder, exact_up_to=100)


def recall(store: VectorStore, allowed: Any = None, k: int = 50) -> float:
    index, truth = opened(store), ExactIndex(store.view())
    assert isinstance(index, HnswIndex)
    shares = []
    for query in clustered(40, DIMENSION, seed=77):
        best, scores = truth.search(query, k, allowed)
        rows, got = index.search(query, k, allowed)
        assert len(rows) == len(best)
        assert (np.diff(got) <= 0).all()
        assert np.isin(got, index.scores(query, rows)).all()
        shares.append((got >= scores[-1]).mean())
    return float(np.mean(shares))


def test_it_finds_nearly_what_exact_search_finds(store: VectorStore) -> None:
    assert isinstance(opened(store), ExactIndex)
    assert build_hnsw(store.view(), store.folder) == 3_000
    assert recall(store) > 0.98
    assert recall(store, k=1) > 0.98
    assert recall(store, k=1_500) == 1  # more than the graph is good for: exact


def test_small_spaces_are_searched_exactly(store: VectorStore) -> None:
    build_hnsw(store.view(), store.folder)
    assert isinstance(open_index(store.view(), store.folder, exact_up_to=3_000), ExactIndex)
    assert isinstance(open_index(store.view(), store.folder, exact_up_to=2_999), HnswIndex)


def test_rows_that_came_later_are_found_before_they_are_added(
    store: VectorStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    build_hnsw(store.view(), store.folder)
    assert not needs_hnsw(store.view(), store.folder, exact_up_to=100)
    store.append(keys(3_000, COUNT), VECTORS[3_000:])
    index = opened(store)
    assert index.tail == 3_000
    for row in (3_000, 4_321, COUNT - 1):
        assert index.search(VECTORS[row], 1)[0].tolist() == [row]
    assert recall(store) > 0.98
    monkeypatch.setattr(choose, "TAIL", 2_999)
    assert needs_hnsw(store.view(), store.folder, exact_up_to=100)
    assert build_hnsw(store.view(), store.folder) == 3_000
    assert opened(store).tail == 0
    assert recall(store) > 0.98
    assert build_hnsw(store.view(), store.folder) == 0
    assert len(list(store.folder.glob("*.usearch"))) == 1


def test_an_older_graph_goes_on_answering_while_a_newer_one_is_made(store: VectorStore) -> None:
    build_hnsw(store.view(), store.folder)
    old = opened(store)
    before = old.search(VECTORS[7], 20)
    store.append(keys(3_000, 4_000), VECTORS[3_000:4_000])
    build_hnsw(store.view(), store.folder)
    after = old.search(VECTORS[7], 20)
    assert after[0].tolist() == before[0].tolist()


@pytest.mark.parametrize("share", [1.0, 0.6, 0.1, 0.002, 0.0])
def test_a_filter_keeps_its_word_and_the_nearest(store: VectorStore, share: float) -> None:
    build_hnsw(store.view(), store.folder)
    store.append(keys(3_000, 3_500), VECTORS[3_000:3_500])
    allowed = np.flatnonzero(np.random.default_rng(3).random(3_500) < share)
    for query in VECTORS[:5]:
        assert np.isin(opened(store).search(query, 30, allowed)[0], allowed).all()
    if share:
        assert recall(store, allowed) > 0.98


def test_a_filter_far_from_the_query_is_still_filled(store: VectorStore) -> None:
    build_hnsw(store.view(), store.folder)
    index = opened(store)
    query = VECTORS[0]
    far = np.sort(np.argsort(VECTORS[:3_000] @ query)[:1_800])
    rows, scores = index.search(query, 20, far)
    best = ExactIndex(store.view()).search(query, 20, far)
    assert rows.tolist() == best[0].tolist()
    assert scores.tolist() == best[1].tolist()


def test_vectors_without_direction_are_left_out(tmp_path: Path) -> None:
    vectors = VECTORS[:500].copy()
    vectors[::5] = 0
    store = VectorStore(tmp_path / "space", "mini 1", DIMENSION)
    store.append(keys(0, 500), vectors)
    build_hnsw(store.view(), store.folder)
    index = opened(store)
    assert isinstance(index, HnswIndex)
    rows, _ = index.search(-vectors.mean(0), 500)
    assert len(rows) == 400
    assert (rows % 5 > 0).all()
    assert recall(store) > 0.98


def test_nothing_but_vectors_without_direction(tmp_path: Path) -> None:
    store = VectorStore(tmp_path / "space", "mini 1", DIMENSION)
    store.append(keys(0, 200), np.zeros((200, DIMENSION), dtype=np.float32))
    build_hnsw(store.view(), store.folder)
    assert len(opened(store).search(VECTORS[0], 5)[0]) == 0


def test_compaction_makes_the_graph_stale_until_it_is_built_again(store: VectorStore) -> None:
    build_hnsw(store.view(), store.folder)
    store.compact(lambda key_: key_[0] % 2 == 0)
    assert isinstance(opened(store), ExactIndex)
    assert needs_hnsw(store.view(), store.folder, exact_up_to=100)
    assert build_hnsw(store.view(), store.folder) == len(store)
    assert recall(store) > 0.98


def test_a_newer_graph_is_no_use_to_an_older_view(store: VectorStore) -> None:
    old = store.view()
    store.append(keys(3_000, 3_100), VECTORS[3_000:3_100])
    build_hnsw(store.view(), store.folder)
    assert isinstance(open_index(old, store.folder, exact_up_to=100), ExactIndex)


def graph_file(store: VectorStore) -> Path:
    (place,) = store.folder.glob("*.usearch")
    return place


def cut(place: Path) -> None:
    os.truncate(place, place.stat().st_size - 100)


def empty(place: Path) -> None:
    place.write_bytes(b"")


def scribble_links(place: Path) -> None:
    with place.open("r+b") as file:
        file.seek(place.stat().st_size - 5_000)
        file.write(b"\xff" * 4_000)


def scribble_head(place: Path) -> None:
    with place.open("r+b") as file:
        file.write(b"\xff" * 16)


def remove(place: Path) -> None:
    place.unlink()


def scribble_manifest(place: Path) -> None:
    (place.parent / "graph.json").write_bytes(b'{"format": 1, \xff')


def other_release(place: Path) -> None:
    manifest = place.parent / "graph.json"
    manifest.write_text(json.dumps({**json.loads(manifest.read_text()), "usearch": "0.1"}))


@pytest.mark.parametrize(
    "harm",
    [cut, empty, scribble_links, scribble_head, remove, scribble_manifest, other_release],
)
def test_a_graph_that_is_not_what_was_written_is_not_opened_and_made_again(
    store: VectorStore, harm: Any
) -> None:
    build_hnsw(store.view(), store.folder)
    opened(store)
    harm(graph_file(store))
    assert isinstance(opened(store), ExactIndex)
    assert needs_hnsw(store.view(), store.folder, exact_up_to=100)
    assert build_hnsw(store.view(), store.folder) == 3_000
    assert recall(store) > 0.98
    assert len(list(store.folder.glob("*.usearch"))) == 1


class StopAfter:
    """A cancel event that is set once it was asked a number of times."""

    def __init__(self, times: int) -> None:
        self.times = times

    def is_set(self) -> bool:
        self.times -= 1
        return self.times < 0


def test_building_tells_how_far_it_is_and_goes_on_where_it_was_stopped(
    store: VectorStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hnsw, "_CHUNK", 500)
    monkeypatch.setattr(hnsw, "_FIRST_SAVE", 1_000)
    told: list[Progress] = []
    with pytest.raises(Cancelled):
        build_hnsw(store.view(), store.folder, told.append, StopAfter(3))
    assert [(step.done, step.total) for step in told] == [
        (500, 3_000),
        (1_000, 3_000),
        (1_500, 3_000),
    ]
    assert opened(store).tail == 2_000
    assert recall(store) > 0.98
    assert build_hnsw(store.view(), store.folder) == 2_000
    assert opened(store).tail == 0
    assert recall(store) > 0.98


def test_stopped_at_once_it_writes_nothing(store: VectorStore) -> None:
    stop = threading.Event()
    stop.set()
    with pytest.raises(Cancelled):
        build_hnsw(store.view(), store.folder, cancel=stop)
    assert isinstance(opened(store), ExactIndex)
    assert list(store.folder.glob("graph*")) == []


def test_a_full_disk_is_said_and_the_graph_in_use_stays(
    store: VectorStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    build_hnsw(store.view(), store.folder)
    before = graph_file(store)
    store.append(keys(3_000, 3_100), VECTORS[3_000:3_100])

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(hnsw, "_check", full)
    monkeypatch.setattr(hnsw, "_is_whole", lambda *_: True)
    with pytest.raises(IndexUnwritable, match="No space left"):
        build_hnsw(store.view(), store.folder)
    monkeypatch.undo()
    assert graph_file(store) == before
    assert opened(store).tail == 100


def test_without_usearch_search_is_exact(
    store: VectorStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    build_hnsw(store.view(), store.folder)
    absent = lambda: type("", (), {"graph": False, "search": True})()  # noqa: E731
    monkeypatch.setattr(hnsw, "available", absent)
    monkeypatch.setattr(choose, "available", absent)
    assert isinstance(opened(store), ExactIndex)
    assert not needs_hnsw(store.view(), store.folder, exact_up_to=100)


def test_many_threads_may_search_one_graph(store: VectorStore) -> None:
    build_hnsw(store.view(), store.folder)
    index = opened(store)
    expected = [index.search(query, 10)[0].tolist() for query in VECTORS[:20]]
    wrong: list[int] = []

    def ask() -> None:
        for number, query in enumerate(VECTORS[:20]):
            if index.search(query, 10)[0].tolist() != expected[number]:
                wrong.append(number)

    threads = [threading.Thread(target=ask) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []
    assert index.view.keys_of(np.array([5])) == [key(5)]
