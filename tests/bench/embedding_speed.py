"""How fast notes become vectors, in our order and in the order they come, and what memory it takes.

    PYTHONPATH=core python3 tests/bench/embedding_speed.py
    PYTHONPATH=core python3 tests/bench/embedding_speed.py --texts 400 --rounds 5 --threads 2

Each way runs in a process of its own with a limit on its memory, and the ways take turns, so that
a busy machine is busy for all of them. All have the same window of 256 tokens. "given 256" is what
fastembed does by default; it takes gigabytes and is measured only with --default-batch.
"""

from __future__ import annotations

import argparse
import json
import random
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

WORDS = (
    "oven bread market invoice Lena Tomás harbour letter doctor rain Tuesday paint kilo flour "
    "customer phone shop sign river birthday train ticket garden kettle winter window loan"
).split()
MEMORY_LIMIT = 8 << 30


def mixed(count: int) -> list[str]:
    """Mostly bullets, some paragraphs, a few pages: as in a folder of notes. Always the same."""
    chance = random.Random(7)
    lengths = chance.choices((8, 15, 30, 80, 250), (25, 40, 20, 10, 5), k=count)
    return [" ".join(chance.choices(WORDS, k=max(3, n + chance.randint(-4, 4)))) for n in lengths]


def run(way: str, count: int, threads: int) -> dict[str, float]:
    """One measurement, in this process."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_LIMIT, MEMORY_LIMIT))
    import numpy as np

    from daybank.embedding import onnx
    from daybank.embedding.embedder import built_in

    texts = mixed(count)
    kind, _, size = way.partition(" ")
    if kind == "daybank" and size:
        onnx.BATCH_TOKENS = int(size.split()[0])
        onnx.ARENA = way.endswith("arena")
    with tempfile.TemporaryDirectory() as cache:
        embedder = built_in(cache=Path(cache), threads=threads)
        assert isinstance(embedder, onnx.OnnxEmbedder)
        embedder.embed(["load"])
        before = _peak_mb()
        if kind == "daybank":
            started = time.perf_counter()
            vectors = embedder.embed(texts)
        else:
            # fastembed as it is out of the box, but for the window: its own memory arena too.
            from fastembed import TextEmbedding

            source = embedder._source
            embedder.close()
            model = TextEmbedding(
                source.fastembed_name, specific_model_path=str(source.folder), threads=threads
            )
            model.model.tokenizer.enable_truncation(source.window)
            list(model.embed(["load"]))
            started = time.perf_counter()
            order = sorted(texts, key=len) if kind == "sorted" else texts
            vectors = np.array(list(model.embed(order, batch_size=int(size))))
        seconds = time.perf_counter() - started
        assert len(np.unique(vectors.round(4), axis=0)) == count  # it did embed, and each text
        embedder.close()
    return {"seconds": seconds, "loaded": before, "peak": _peak_mb()}


def _peak_mb() -> float:
    used = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return used / 1e6 if sys.platform == "darwin" else used / 1e3


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--texts", type=int, default=200)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--default-batch", action="store_true")
    parser.add_argument("--ways", nargs="*", default=["given 32", "sorted 32", "daybank"])
    parser.add_argument("--one", help=argparse.SUPPRESS)
    given = parser.parse_args()
    if given.one:
        print(json.dumps(run(given.one, given.texts, given.threads)))
        return
    ways = [*given.ways, *(["given 256"] if given.default_batch else [])]
    results: dict[str, list[dict[str, float]]] = {way: [] for way in ways}
    for _ in range(given.rounds):
        for way in ways:
            command = [sys.executable, __file__, "--one", way]
            done = subprocess.run(
                [*command, f"--texts={given.texts}", f"--threads={given.threads}"],
                capture_output=True,
                text=True,
                check=False,
            )
            if done.returncode:
                print(f"{way}: stopped ({done.stderr.strip().splitlines()[-1][:90]})")
            else:
                results[way].append(json.loads(done.stdout))
    base = results[ways[0]]
    print(f"{given.texts} texts, {given.threads} threads, {given.rounds} rounds")
    print(f"{'way':<14}{'texts/s':>9}{'spread':>14}{'ratio':>8}{'loaded MB':>11}{'peak MB':>9}")
    for way, runs in results.items():
        if not runs:
            continue
        seconds = [one["seconds"] for one in runs]
        rates = [given.texts / s for s in seconds]
        pairs = zip(base, runs, strict=False)
        ratio = statistics.median(b["seconds"] / one["seconds"] for b, one in pairs)
        print(
            f"{way:<14}{statistics.median(rates):>9.1f}"
            f"{f'{min(rates):.1f}–{max(rates):.1f}':>14}{ratio:>8.2f}"
            f"{max(one['loaded'] for one in runs):>11.0f}{max(one['peak'] for one in runs):>9.0f}"
        )


if __name__ == "__main__":
    main()
