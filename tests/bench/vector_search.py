"""Vector search measured: exact, by graph, by subspace collision (SuCo), by inverted lists.

    python tests/bench/vector_search.py embed WORK --model DIR --eval locomo5.json
    python tests/bench/vector_search.py data WORK --rows 1000000
    python tests/bench/vector_search.py run WORK --rows 1000000

``embed`` (optional, needs fastembed and the model's files, no network) turns real conversations,
their sentences and pairs of turns, and sentences of ``generate.py`` into vectors; the questions of
the evaluation become the queries. ``data`` grows them to any number of rows: a row moved towards a
near one, plus the difference of two others, so that the noise has the shape of the data. Without
``embed`` it draws from a mixture of clusters and says so. ``run`` measures each method in a process
of its own; recall is against float32 vectors compared by brute force.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
import time
from datetime import date
from pathlib import Path
from typing import Any

import numpy as np  # noqa: TID253 (a script)

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE))

from ivf import IvfIndex  # noqa: E402 (a script beside this one)
from suco import SucoIndex, activate, activate_sorted  # noqa: E402 (a script beside this one)

from daybank.index.vectors import (  # noqa: E402
    ExactIndex,
    VectorStore,
    build_hnsw,
    exact,
    hnsw,
    open_index,
)
from daybank.index.vectors import codes as codes_module  # noqa: E402

DIMENSION = 384
DEEPEST = 50
SUCO = [(0.03, 0.001), (0.05, 0.005), (0.05, 0.02), (0.10, 0.05)]
IVF_LISTS, IVF_SHARES = 1024, [0.02, 0.04, 0.08]
EXPANSIONS = [264, 512, 1024]


# -- data


def embed(work: Path, model: Path, evaluation: Path) -> None:
    from fastembed import TextEmbedding
    from generate import Writer

    talks = json.loads(evaluation.read_text(encoding="utf-8"))
    questions = [str(item["question"]) for talk in talks for item in talk["qa"]]
    turns = list(
        dict.fromkeys(
            turn for talk in talks for name, part in talk.items() if name != "qa"
            for turn in _turns(part)
        )
    )  # fmt: skip
    sentences = [
        piece.strip()
        for turn in turns
        for piece in re.split(r"(?<=[.!?])\s+", turn)
        if len(piece.split()) >= 4
    ]
    pairs = [" ".join(turns[at : at + 2]) for at in range(len(turns) - 1)]
    texts = list(dict.fromkeys([*turns, *sentences, *pairs]))
    writer = Writer(7)
    made = [writer.sentence(date(2026, 11, 1)) for _ in range(4_000)]
    print(f"{len(texts)} real texts, {len(made)} generated, {len(questions)} questions")
    engine = TextEmbedding("sentence-transformers/all-MiniLM-L6-v2", specific_model_path=str(model))
    order = sorted([*texts, *made], key=len)
    base = np.array(list(engine.embed(order, batch_size=64)), dtype=np.float32)
    queries = np.array(list(engine.embed(questions, batch_size=64)), dtype=np.float32)
    np.savez(work / "real.npz", base=base, queries=queries)


def _turns(part: Any) -> list[str]:
    if isinstance(part, list):
        return [text for item in part for text in _turns(item)]
    if not isinstance(part, dict):
        return []
    own = part.get("text")
    said = [f"{part['speaker']} said: {own}"] if isinstance(own, str) and "speaker" in part else []
    return said + [text for item in part.values() for text in _turns(item)]


def data(work: Path, rows: int, queries: int) -> None:
    """``base.npy`` (float32 unit vectors, shuffled), ``queries.npy`` and the true nearest."""
    rng = np.random.default_rng(7)
    place = work / "real.npz"
    if place.exists():
        loaded = np.load(place)
        seeds, asked = _unit(loaded["base"]), _unit(loaded["queries"])
    else:
        print("no real embeddings here: a mixture of 400 clusters")
        centres = rng.standard_normal((400, DIMENSION))
        seeds = _unit(centres[rng.integers(0, 400, 16_000)] + rng.standard_normal((16_000, 384)))
        asked = _unit(centres[rng.integers(0, 400, 1_000)] + rng.standard_normal((1_000, 384)))
    asked = asked[rng.permutation(len(asked))[:queries]]
    near = np.empty((len(seeds), 10), dtype=np.int64)
    for first in range(0, len(seeds), 1_000):
        likeness = seeds[first : first + 1_000] @ seeds.T
        near[first : first + 1_000] = np.argpartition(-likeness, 11, axis=1)[:, 1:11]
    folder = _folder(work, rows)
    folder.mkdir(parents=True, exist_ok=True)
    base = np.lib.format.open_memmap(folder / "base.npy", "w+", np.float32, (rows, DIMENSION))
    real = rng.permutation(rows)[: min(len(seeds), rows)]
    kept = rng.permutation(len(seeds))[: len(real)]
    for first in range(0, rows, 20_000):
        count = min(20_000, rows - first)
        i, a, b = rng.integers(0, len(seeds), (3, count))
        j = near[i, rng.integers(0, 10, count)]
        share = rng.uniform(0, 0.5, count)[:, None].astype(np.float32)
        noise = np.float32(0.3) * (seeds[a] - seeds[b])
        base[first : first + count] = _unit(seeds[i] + share * (seeds[j] - seeds[i]) + noise)
    base[real] = seeds[kept]
    best = np.full((len(asked), 0), 0, dtype=np.int64)
    scores = np.full((len(asked), 0), 0, dtype=np.float32)
    for first in range(0, rows, 50_000):
        part = asked @ base[first : first + 50_000].T
        scores = np.concatenate([scores, part], axis=1)
        best = np.concatenate(
            [best, np.arange(first, first + part.shape[1])[None].repeat(len(asked), 0)], axis=1
        )
        top = np.argsort(-scores, axis=1, kind="stable")[:, :DEEPEST]
        scores, best = np.take_along_axis(scores, top, 1), np.take_along_axis(best, top, 1)
    np.save(folder / "truth.npy", best)
    np.save(folder / "queries.npy", asked)
    print(
        f"{rows} rows; mean cosine of the 1st, 10th, 50th: {scores[:, [0, 9, 49]].mean(0).round(3)}"
    )


def _unit(vectors: Any) -> Any:
    values = np.asarray(vectors, dtype=np.float32)
    return values / np.linalg.norm(values, axis=1, keepdims=True)


def _folder(work: Path, rows: int) -> Path:
    return work / str(rows)


def _store(work: Path, rows: int) -> VectorStore:
    return VectorStore(_folder(work, rows) / "space", "bench", DIMENSION)


# -- measuring (each in a process of its own)


def fill(work: Path, rows: int) -> None:
    store = _store(work, rows)
    if len(store) == rows:
        return
    base = np.load(_folder(work, rows) / "base.npy", mmap_mode="r")
    started = time.perf_counter()
    for first in range(0, rows, 10_000):
        part = base[first : first + 10_000]
        store.append([n.to_bytes(8, "little") * 2 for n in range(first, first + len(part))], part)
    size = sum(place.stat().st_size for place in store.folder.glob("vectors-*"))
    print(f"append: {rows / (time.perf_counter() - started):,.0f} rows/s, {size / 1e6:.0f} MB")


def measure(index: Any, work: Path, rows: int, name: str, build: float = 0) -> None:
    queries = np.load(_folder(work, rows) / "queries.npy")
    truth = np.load(_folder(work, rows) / "truth.npy")
    for query in queries[:20]:
        index.search(query, DEEPEST)
    taken, ten, fifty = [], [], []
    for query, best in zip(queries, truth, strict=True):
        started = time.perf_counter()
        found, _ = index.search(query, DEEPEST)
        taken.append(time.perf_counter() - started)
        ten.append(np.isin(best[:10], found[:10]).mean())
        fifty.append(np.isin(best, found).mean())
    least, p50, p95 = np.percentile(np.array(taken) * 1000, [0, 50, 95])
    own, mapped = _memory()
    print(
        f"| {rows:,} | {name} | {np.mean(ten):.4f} | {np.mean(fifty):.4f}"
        f" | {least:.2f} | {p50:.2f} | {p95:.2f} | {build:,.0f} | {own:.0f} | {mapped:.0f} |",
        flush=True,
    )


def _memory() -> tuple[float, float]:
    """MB of this process's own memory, and of mapped files that are resident."""
    status = Path("/proc/self/status").read_text(encoding="ascii")
    found = dict(re.findall(r"(RssAnon|RssFile):\s+(\d+) kB", status))
    return int(found["RssAnon"]) / 1e3, int(found["RssFile"]) / 1e3


def part_empty(work: Path, rows: int) -> None:
    """What a process holds before it has opened anything."""
    codes_module.product()
    own, mapped = _memory()
    print(f"a process with the libraries loaded: {own:.0f} MB own, {mapped:.0f} MB mapped")


def part_exact(work: Path, rows: int) -> None:
    view = _store(work, rows).view()
    measure(ExactIndex(view), work, rows, "exact")
    for share in (0.5, 0.05, 0.005):
        _filtered(ExactIndex(view), work, rows, share, "exact")


def part_numpy(work: Path, rows: int) -> None:
    exact.product = lambda: codes_module._numpy_product
    measure(ExactIndex(_store(work, rows).view()), work, rows, "exact, NumPy only")


def part_build(work: Path, rows: int) -> None:
    view = _store(work, rows).view()
    for place in view and _store(work, rows).folder.glob("graph*"):
        place.unlink()
    started = time.perf_counter()
    build_hnsw(view, _store(work, rows).folder, threads=os.cpu_count())
    taken = time.perf_counter() - started
    size = sum(place.stat().st_size for place in _store(work, rows).folder.glob("graph*"))
    own, mapped = _memory()
    peak = int(re.findall(r"VmHWM:\s+(\d+)", Path("/proc/self/status").read_text())[0]) / 1e3
    print(
        f"graph: {taken:.0f} s on {os.cpu_count()} cores, {size / 1e6:.0f} MB on disk;"
        f" {own:.0f} MB own, {mapped:.0f} MB mapped, {peak:.0f} MB at most"
    )


def part_graph(work: Path, rows: int) -> None:
    store = _store(work, rows)
    started = time.perf_counter()
    index = open_index(store.view(), store.folder, exact_up_to=0)
    print(f"opened in {(time.perf_counter() - started) * 1000:.0f} ms: {type(index).__name__}")
    chosen = hnsw.EXPANSION_SEARCH
    measure(index, work, rows, f"HNSW, ef {chosen}")
    for share in (0.5, 0.05, 0.005):
        _filtered(index, work, rows, share, "HNSW")
    for expansion in EXPANSIONS:
        if expansion != chosen:
            hnsw.EXPANSION_SEARCH = expansion
            measure(index, work, rows, f"HNSW, ef {expansion}")


def part_suco(work: Path, rows: int) -> None:
    view = _store(work, rows).view()
    started = time.perf_counter()
    index = SucoIndex(view)
    build = time.perf_counter() - started
    query = np.load(_folder(work, rows) / "queries.npy")[0]
    halves, sizes = index.halves(query, 0), index.sizes(0)
    literal = activate(*halves, sizes, rows // 20)
    assert set(literal) == set(activate_sorted(*halves, sizes, rows // 20).tolist())
    for alpha, beta in SUCO:
        index.alpha, index.beta = alpha, beta
        measure(index, work, rows, f"SuCo, α {alpha}, β {beta}", build)


def part_ivf(work: Path, rows: int) -> None:
    view = _store(work, rows).view()
    started = time.perf_counter()
    index = IvfIndex(view, lists=IVF_LISTS if rows > 50_000 else 512)
    build = time.perf_counter() - started
    for share in IVF_SHARES:
        index.probes = max(round(share * len(index._centres)), 1)
        measure(index, work, rows, f"IVF, {index.probes} of {len(index._centres)} lists", build)


def _filtered(index: Any, work: Path, rows: int, share: float, name: str) -> None:
    allowed = np.flatnonzero(np.random.default_rng(1).random(rows) < share)
    truth = ExactIndex(index.view)
    taken, kept = [], []
    for query in np.load(_folder(work, rows) / "queries.npy")[:60]:
        started = time.perf_counter()
        found, _ = index.search(query, DEEPEST, allowed)
        taken.append(time.perf_counter() - started)
        kept.append(np.isin(truth.search(query, DEEPEST, allowed)[0], found).mean())
    p50, p95 = np.percentile(np.array(taken) * 1000, [50, 95])
    print(
        f"{name}, {share:.1%} allowed: p50 {p50:.2f} ms, p95 {p95:.2f} ms,"
        f" recall of exact {np.mean(kept):.3f}"
    )


PARTS = {
    "fill": fill,
    "empty": part_empty,
    "exact": part_exact,
    "numpy": part_numpy,
    "build": part_build,
    "graph": part_graph,
    "suco": part_suco,
    "ivf": part_ivf,
}


def run(work: Path, rows: int, parts: list[str]) -> None:
    print(
        "| rows | method | recall@10 | recall@50 | min ms | p50 ms | p95 ms | build s"
        " | own MB | mapped MB |"
    )
    for part in parts:
        command = [sys.executable, __file__, "part", str(work), "--rows", str(rows), "--part", part]
        subprocess.run(command, check=True)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=["embed", "data", "run", "part"])
    parser.add_argument("work", type=Path)
    parser.add_argument("--rows", type=int, default=100_000)
    parser.add_argument("--queries", type=int, default=300)
    parser.add_argument("--model", type=Path)
    parser.add_argument("--eval", type=Path)
    parser.add_argument("--part", choices=list(PARTS))
    parser.add_argument("--parts", default=",".join(PARTS))
    options = parser.parse_args()
    options.work.mkdir(parents=True, exist_ok=True)
    if options.what == "embed":
        embed(options.work, options.model, options.eval)
    elif options.what == "data":
        data(options.work, options.rows, options.queries)
    elif options.what == "run":
        run(options.work, options.rows, options.parts.split(","))
    else:
        PARTS[options.part](options.work, options.rows)
