"""Searching every vector: the same answer as comparing by hand, in every way of asking."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from vector_tools import clustered, keys, unit

from daybank.index.vectors import ExactIndex, VectorStore, VectorView, codes, exact, open_index

np = pytest.importorskip("numpy")

DIMENSION = 32


def made(folder: Path, vectors: Any) -> VectorView:
    store = VectorStore(folder / "space", "mini 1", vectors.shape[1])
    store.append(keys(0, len(vectors)), vectors)
    return store.view()


def by_hand(view: VectorView, query: Any, allowed: Any = None) -> tuple[Any, Any]:
    """All rows with a direction and their cosines in float64, best first."""
    wide = view.codes.astype(np.float64)
    rows = np.flatnonzero(wide.any(1))
    if allowed is not None:
        rows = rows[np.isin(rows, allowed)]
    cosines = wide[rows] @ query / np.linalg.norm(wide[rows], axis=1) / np.linalg.norm(query)
    order = np.argsort(-cosines, kind="stable")
    return rows[order], cosines[order]


def agree(found: tuple[Any, Any], expected: tuple[Any, Any], k: int) -> None:
    """The same scores in the same order; where scores are equal, the rows may change places."""
    rows, scores = found
    wanted = dict(zip(*expected, strict=True))
    assert len(rows) == min(k, len(wanted))
    assert np.allclose(scores, expected[1][:k], atol=2e-6)
    assert np.allclose(scores, [wanted[row] for row in rows], atol=2e-6)
    assert len(set(rows.tolist())) == len(rows)
    assert (np.diff(scores) <= 0).all()


@given(data=st.data())
def test_exact_search_is_brute_force(tmp_path_factory: pytest.TempPathFactory, data: Any) -> None:
    count = data.draw(st.integers(1, 60))
    dimension = data.draw(st.integers(1, 17))
    rng = np.random.default_rng(data.draw(st.integers(0, 2**32)))
    # Few different values: ties, zeros and repeated vectors are common.
    vectors = rng.integers(-2, 3, (count, dimension)) * rng.choice(
        [1e-6, 0.5, 3.0, 1e6], (count, 1)
    )
    query = rng.standard_normal(dimension)
    view = made(tmp_path_factory.mktemp("v"), vectors.astype(np.float32))
    k = data.draw(st.integers(1, 70))
    allowed = data.draw(
        st.none() | st.lists(st.integers(-2, 70), max_size=40).map(lambda rows: np.array(rows, int))
    )
    agree(ExactIndex(view).search(query, k, allowed), by_hand(view, query, allowed), k)


def test_exact_search_is_brute_force_over_float32_too(tmp_path: Path) -> None:
    """Where vectors are further apart than the rounding, int8 changes no place."""
    rng = np.random.default_rng(2)
    vectors = unit(rng.standard_normal((300, 384)))
    query = unit(vectors[:1] + 0.3 * vectors[1:2])[0]
    rows, scores = ExactIndex(made(tmp_path, vectors)).search(query, 10)
    truth = vectors @ query
    assert rows[:2].tolist() == np.argsort(-truth)[:2].tolist() == [0, 1]
    assert np.abs(scores - truth[rows]).max() < 0.003


@pytest.mark.parametrize("share", [None, 0.9, 0.5, 0.05, 0.001])
def test_many_blocks_are_searched_as_one(tmp_path: Path, share: float | None) -> None:
    vectors = clustered(40_000, DIMENSION)
    rng = np.random.default_rng(1)
    vectors[rng.integers(0, 40_000, 50)] = 0
    view = made(tmp_path, vectors)
    index = ExactIndex(view)
    for seed in range(5):
        query = clustered(1, DIMENSION, seed=1000 + seed)[0]
        allowed = None if share is None else np.flatnonzero(rng.random(40_000) < share)[::-1]
        agree(index.search(query, 50, allowed), by_hand(view, query, allowed), 50)


def test_every_kernel_counts_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    view = made(tmp_path, clustered(5_000, 51))
    queries = clustered(5, 51, seed=4)
    fast = [ExactIndex(view).search(query, 20) for query in queries]
    monkeypatch.setattr(exact, "product", lambda: codes._numpy_product)
    for query, (rows, scores) in zip(queries, fast, strict=True):
        plain_rows, plain_scores = ExactIndex(view).search(query, 20)
        assert plain_rows.tolist() == rows.tolist()
        assert plain_scores.tolist() == scores.tolist()


def test_a_kernel_that_miscounts_is_not_used() -> None:
    def wrong(query: Any, rows: Any, out: Any) -> None:
        codes._numpy_product(query, rows, out)
        out[0] += 1

    def broken(*_: Any) -> None:
        raise RuntimeError("no such metric")

    assert codes._counts_right(codes._numpy_product)
    assert not codes._counts_right(wrong)
    assert not codes._counts_right(broken)


@pytest.mark.parametrize("k", [3, 100])
def test_vectors_without_direction_are_never_found(tmp_path: Path, k: int) -> None:
    vectors = clustered(60, DIMENSION)
    vectors[::3] = 0
    vectors[1, 5] = np.nan
    vectors[2, 6] = -np.inf
    view = made(tmp_path, vectors)
    index = ExactIndex(view)
    query = -clustered(60, DIMENSION).mean(0)  # nearly everything scores below zero
    for allowed in (None, np.arange(60), np.array([0, 1, 2, 3, 7])):
        rows, scores = index.search(query, k, allowed)
        assert np.isfinite(scores).all()
        assert not set(rows.tolist()) & {*range(0, 60, 3), 1, 2}
    assert rows.tolist() == [7]
    assert index.scores(query, np.array([0, 1, 2])).tolist() == [-1, -1, -1]


def test_a_query_without_direction_finds_nothing_and_a_wrong_one_is_refused(
    tmp_path: Path,
) -> None:
    index = ExactIndex(made(tmp_path, clustered(5, DIMENSION)))
    for query in (np.zeros(DIMENSION), np.full(DIMENSION, np.nan), np.full(DIMENSION, np.inf)):
        rows, scores = index.search(query, 3)
        assert (len(rows), len(scores)) == (0, 0)
        assert index.scores(query, np.array([1])).tolist() == [-1]
    for query in (np.ones(DIMENSION + 1), np.ones((1, DIMENSION))):
        with pytest.raises(ValueError, match="space of 32"):
            index.search(query, 3)
    assert len(index.search(np.ones(DIMENSION), 0)[0]) == 0


def test_scores_are_cosines_of_the_rows_asked_for_in_their_order(tmp_path: Path) -> None:
    vectors = clustered(100, DIMENSION)
    view = made(tmp_path, vectors * 7)
    rows = np.array([9, 3, 3, 70])
    query = vectors[3] * 5
    scores = ExactIndex(view).scores(query, rows)
    assert scores.dtype == np.float32
    assert np.abs(scores - vectors[rows] @ vectors[3]).max() < 0.01
    found, best = ExactIndex(view).search(query, 100)
    assert best.tolist() == ExactIndex(view).scores(query, found).tolist()


def test_equal_vectors_come_in_row_order(tmp_path: Path) -> None:
    vectors = np.repeat(clustered(4, DIMENSION), 5, axis=0)
    rows, scores = ExactIndex(made(tmp_path, vectors)).search(vectors[5], 5)
    assert rows.tolist() == [5, 6, 7, 8, 9]
    assert len(set(scores.tolist())) == 1


def test_a_damaged_row_can_not_rise_above_real_ones(tmp_path: Path) -> None:
    vectors = clustered(50, DIMENSION)
    made(tmp_path, vectors)
    (place,) = (tmp_path / "space").glob("*.rows")
    for garbage in (b"\xff\xff\x7f\x7f", b"\x00\x00\xc0\x7f", b"\x00\x00\x80\xff"):
        with place.open("r+b") as file:
            file.seek(4096 + 20 * 24 + 16)
            file.write(garbage)
        view = VectorStore(tmp_path / "space", "mini 1", DIMENSION).view()
        rows, scores = ExactIndex(view).search(vectors[4], 50)
        assert rows[0] == 4
        assert 20 not in rows
        assert scores.max() <= 1


def test_an_empty_space_answers_with_nothing(tmp_path: Path) -> None:
    view = VectorStore(tmp_path / "space", "mini 1", DIMENSION).view()
    index = open_index(view, tmp_path, exact_up_to=10)
    assert len(index) == 0
    for allowed in (None, np.array([], dtype=int), np.array([0, 4])):
        assert len(index.search(np.ones(DIMENSION), 5, allowed)[0]) == 0
