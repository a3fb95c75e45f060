"""Recall over 100,000 and a million passages, beside plain FTS5 over the same texts in one run.

    python tests/bench/scale.py words  --passages 1000000     speed, size and memory by words
    python tests/bench/scale.py hybrid --passages 100000      by words and meaning
    python tests/bench/scale.py pruning --eval DIR            what choosing by rare words loses
    …  --eval DIR    text made of LoCoMo's words, its conversations among it, its questions asked
    …  --keep DIR    build there, and use again what is there

Plain FTS5 is porter over unicode61, stop-words dropped, OR, ordered by bm25. Questions: some words
of one passage each ("words"), the same half typed ("typed"), the benchmark's own ("asked").

Vectors are a stand-in where ``hybrid`` says so (``stand_in.py``); the question is embedded by the
real model, and timed with it.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import random
import re
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import time
from argparse import Namespace
from collections import Counter
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

HERE = Path(__file__).parent
ROOT = HERE.parent.parent
sys.path.insert(0, str(HERE))

from generate import generate  # noqa: E402 (scripts beside this one)
from recall_quality import load_scorer  # noqa: E402
from run import _peak_mb, _percentile  # noqa: E402
from stand_in import stand_in  # noqa: E402

if TYPE_CHECKING:
    from daybank import Workspace
    from daybank.embedding.vectors import Embedder

NOON = datetime(2026, 11, 27, 12, tzinfo=UTC)
QUESTIONS = 300
PASSAGES_A_FILE = 100
CONVERSATIONS = "memory/conversations"
K = 10
CACHE = "PRAGMA cache_size = -16000"
_WORD = re.compile(r"[^\W_]+")
_SPOKEN = re.compile(r"[a-z]+(?:'[a-z]+)?")


# -- the workspace


def make(folder: Path, passages: int, evaluation: Path | None) -> None:
    """Generate the workspace, with the conversations among it where they are at hand."""
    files = max(1, passages // PASSAGES_A_FILE)
    if evaluation is None:
        generate(folder, files=files, passages=passages)
        return
    with tempfile.TemporaryDirectory() as temp:
        logs = convert(evaluation, Path(temp)) / "workspace" / "memory"
        counts: Counter[str] = Counter()
        for log in sorted(logs.glob("*.md")):
            for line in log.read_text(encoding="utf-8").split("\n"):
                if line.startswith("- @"):
                    counts.update(_SPOKEN.findall(line.partition(": ")[2].lower()))
        known = [word for word, _ in counts.most_common()]
        generate(folder, files=files, passages=passages, known=known)
        shutil.copytree(logs, folder / CONVERSATIONS)


def convert(evaluation: Path, target: Path) -> Path:
    """The conversations as one workspace with its questions, by the benchmark's own converter."""
    with contextlib.redirect_stdout(sys.stderr):
        load_scorer(evaluation).convert(
            Namespace(
                json=str(next(evaluation.glob("locomo*.json"))),
                out=str(target),
                merged=True,
                retain=False,
                no_captions=False,
            )
        )
    return target / "merged"


def asked_of(evaluation: Path) -> list[dict[str, Any]]:
    """The benchmark's questions that have evidence."""
    with tempfile.TemporaryDirectory() as temp:
        convert(evaluation, Path(temp))
        found: list[dict[str, Any]] = load_scorer(evaluation).load_qa(temp)
    return [q for q in found if q["evidence"] and not q["adversarial"]]


def open_at(folder: Path, embedder: Embedder | None = None) -> Workspace:
    from daybank import FixedClock, open_workspace

    return open_workspace(
        folder,
        clock=FixedClock(NOON),
        choose_embedder=(lambda: embedder) if embedder is not None else None,
    )


# -- questions


def some_words(index: Path, count: int) -> list[str]:
    """Two to six words of one passage each, none of them a stop-word."""
    from daybank.index.analysis import STOP_TERMS

    rng = random.Random(3)
    connection = sqlite3.connect(index)
    last = connection.execute("SELECT MAX(id) FROM passage").fetchone()[0]
    questions: list[str] = []
    while len(questions) < count:
        row = connection.execute(
            "SELECT content FROM passage WHERE id = ?", (rng.randint(1, last),)
        ).fetchone()
        words = _WORD.findall(row[0].lower()) if row else []
        words = [w for w in words if w not in STOP_TERMS and len(w) > 1]
        if len(words) > 1:
            size = rng.randint(2, min(6, len(words)))
            chosen = sorted(rng.sample(range(len(words)), size))
            questions.append(" ".join(words[at] for at in chosen))
    connection.close()
    return questions


def question_sets(index: Path, evaluation: Path | None) -> dict[str, list[str]]:
    words = some_words(index, QUESTIONS)
    sets = {"words": [f"{text} " for text in words], "typed": [_half_typed(t) for t in words]}
    if evaluation is not None:
        asked = [q["question"] for q in asked_of(evaluation)]
        sets["asked"] = random.Random(3).sample(asked, min(QUESTIONS, len(asked)))
    return sets


def _half_typed(text: str) -> str:
    """The question while its last word is being typed, at its third letter."""
    before, _, last = text.rpartition(" ")
    return f"{before} {last[:3]}".strip()


def plain_match(text: str, *, half_typed: bool) -> str:
    """The same question for plain FTS5."""
    from daybank.index.analysis import STOP_TERMS

    words = _WORD.findall(text.lower())
    kept = [w for w in words if w not in STOP_TERMS] or words
    quoted = [f'"{word}"' for word in kept]
    if half_typed:
        quoted[-1] += " *"
    return " OR ".join(quoted)


# -- parts, each in a process of its own


def build(folder: Path, options: Namespace) -> dict[str, float]:
    """Index what is not indexed yet."""
    with open_at(folder) as ws:
        report = ws.sync()
        path = ws.index_path
    return {
        "passages": report.passages,
        "build s": report.seconds,
        "index MB": path.stat().st_size / 1e6,
        "peak MB": _peak_mb(),
    }


def memory(folder: Path, options: Namespace) -> dict[str, float]:
    """What a process that only searches takes."""
    with open_at(
        folder, stand_in(folder / ".memory" / "index.sqlite") if options.hybrid else None
    ) as ws:
        for texts in question_sets(ws.index_path, options.eval).values():
            for text in texts[:100]:
                ws.recall(text, k=K, semantic=options.hybrid)
    return {"peak MB": _peak_mb()}


def ask(folder: Path, options: Namespace) -> dict[str, float]:
    """Every question to Daybank and to plain FTS5, in turn."""
    figures: dict[str, float] = {}
    semantic = options.hybrid
    with (
        open_at(folder, stand_in(folder / ".memory" / "index.sqlite") if semantic else None) as ws,
        _plain_table(ws.index_path) as table,
    ):
        ws.recall("warm up", semantic=semantic)
        for name, texts in question_sets(ws.index_path, options.eval).items():
            ours: list[float] = []
            plain: list[float] = []
            for text in texts:
                match = plain_match(text, half_typed=name == "typed")
                for times, run in (
                    (ours, lambda text=text: ws.recall(text, k=K, semantic=semantic)),
                    (plain, lambda match=match: _plain_answer(table, match)),
                ):
                    started = time.perf_counter()
                    run()
                    times.append(time.perf_counter() - started)
            for percent in (50, 95):
                mine, other = _percentile(ours, percent), _percentile(plain, percent)
                figures[f"{name}, ours p{percent} ms"] = mine
                figures[f"{name}, plain p{percent} ms"] = other
                figures[f"{name}, ratio of p{percent}"] = mine / other
    figures["load"] = os.getloadavg()[0]
    return figures


def _plain_answer(table: sqlite3.Connection, match: str) -> list[Any]:
    return table.execute(
        "SELECT rowid FROM plain WHERE plain MATCH ? ORDER BY bm25(plain) LIMIT ?", (match, K)
    ).fetchall()


@contextlib.contextmanager
def _plain_table(index: Path) -> Iterator[sqlite3.Connection]:
    """The same texts in plain FTS5: a file, with as much cache as ours."""
    path = index.parent.parent.parent / f"{index.parent.parent.name}-plain.sqlite"
    fresh = not path.exists()
    connection = sqlite3.connect(path)
    connection.execute(CACHE)
    if fresh:
        connection.execute(
            "CREATE VIRTUAL TABLE plain USING fts5("
            "text, tokenize='porter unicode61 remove_diacritics 2')"
        )
        source = sqlite3.connect(index)
        connection.executemany(
            "INSERT INTO plain(rowid, text) VALUES (?, ?)",
            source.execute("SELECT id, content FROM passage ORDER BY id"),
        )
        connection.execute("INSERT INTO plain(plain) VALUES ('optimize')")
        connection.commit()
        source.close()
    yield connection
    connection.close()


def vectors(folder: Path, options: Namespace) -> dict[str, float]:
    """Vectors for everything: the conversations' by the real model, the rest stand-ins."""
    if options.eval is not None and not (folder / ".memory" / "vectors").exists():
        # The real ones first, in a folder of their own; texts are known by their hash.
        with tempfile.TemporaryDirectory() as temp:
            real = Path(temp) / "real"
            shutil.copytree(folder / CONVERSATIONS, real / CONVERSATIONS)
            with open_at(real) as ws:
                ws.sync()
                ws.embed()
            shutil.copytree(real / ".memory" / "vectors", folder / ".memory" / "vectors")
    started = time.perf_counter()
    with open_at(folder, stand_in(folder / ".memory" / "index.sqlite")) as ws:
        report = ws.embed()
    return {
        "texts": report.total,
        "stand-ins": report.embedded,
        "seconds": time.perf_counter() - started,
        "peak MB": _peak_mb(),
    }


def pruning(folder: Path, options: Namespace) -> dict[str, float]:
    """Recall of the conversations' evidence as shipped, and with every limit lifted."""
    from daybank.recall import choosing, engine

    scorer = load_scorer(options.eval)
    asked = asked_of(options.eval)[:: options.every]
    figures: dict[str, float] = {"questions": len(asked)}
    with open_at(
        folder, stand_in(folder / ".memory" / "index.sqlite") if options.hybrid else None
    ) as ws:

        def measure(name: str) -> list[list[str]]:
            run: dict[str, list[str]] = {}
            started = time.perf_counter()
            for question in asked:
                answer = ws.recall(question["question"], k=20, semantic=options.hybrid)
                run[question["id"]] = [
                    str(r.source).replace(f"{CONVERSATIONS}/", "memory/") for r in answer.results
                ]
            seconds = time.perf_counter() - started
            rows = scorer.score_rows(asked, run, [5, 10])
            for k in (5, 10):
                mean = sum(turn[f"recall@{k}"] for _, turn, _ in rows) / len(rows)
                figures[f"{name}: Recall@{k}"] = mean
            figures[f"{name}: ms a question"] = 1000 * seconds / len(asked)
            return [run[question["id"]][:10] for question in asked]

        shipped = measure("shipped")
        for module, limit, value in (
            (choosing, "MOST_EQUAL", 10**9),
            (choosing, "EVERYWHERE_AT_LEAST", 10**12),
            (engine, "POOL", options.pool),
        ):
            assert hasattr(module, limit), f"no limit is called {limit}"
            setattr(module, limit, value)
        free = measure("lifted")
    alike = [len(set(a) & set(b)) / max(len(b), 1) for a, b in zip(shipped, free, strict=True)]
    figures["of the first ten the same"] = sum(alike) / len(alike)
    return figures


# -- running

PARTS: dict[str, Callable[[Path, Namespace], dict[str, float]]] = {
    "build": build,
    "memory": memory,
    "ask": ask,
    "vectors": vectors,
    "pruning": pruning,
}
TABLES = {
    "words": ("build", "memory", "ask"),
    "hybrid": ("build", "vectors", "memory", "ask"),
    "pruning": ("build", "pruning"),
}


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("table", choices=[*TABLES, *PARTS])
    parser.add_argument("--passages", type=int, default=100_000)
    parser.add_argument("--eval", type=Path, help="the folder of the retrieval benchmark")
    parser.add_argument("--keep", type=Path, help="the workspace, made when it is not there")
    parser.add_argument("--hybrid", action="store_true", help="search by meaning as well")
    parser.add_argument("--every", type=int, default=1, help="pruning: ask every so manieth")
    parser.add_argument("--pool", type=int, default=3000, help="pruning: so many ranked in full")
    parser.add_argument("--part", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.part:
        print(json.dumps(PARTS[options.table](options.keep, options)))
        return 0
    with tempfile.TemporaryDirectory() as temp:
        folder = options.keep or Path(temp) / "notes"
        if not folder.exists():
            make(folder, options.passages, options.eval)
        parts = TABLES.get(options.table, (options.table,))
        if options.table == "pruning" and options.hybrid:
            parts = ("build", "vectors", "pruning")
        for part in parts:
            for name, value in _run_part(part, folder, options).items():
                print(f"{part:9} {name:28} {value:12.3f}", flush=True)
    return 0


def _run_part(part: str, folder: Path, options: Namespace) -> dict[str, float]:
    command = [sys.executable, __file__, part, "--part", "--keep", str(folder)]
    command += ["--every", str(options.every), "--pool", str(options.pool)]
    if options.hybrid or options.table == "hybrid":
        command.append("--hybrid")
    if options.eval is not None:
        command += ["--eval", str(options.eval)]
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True, cwd=ROOT)
    figures: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    return figures


if __name__ == "__main__":
    sys.exit(main())
