"""Retrieval quality on LoCoMo (Maharana et al., ACL 2024), by the benchmark's own scorer.

    python tests/bench/recall_quality.py EVAL_DIR                 words only
    python tests/bench/recall_quality.py EVAL_DIR --meaning       words and meaning (embeds first)
    python tests/bench/recall_quality.py EVAL_DIR --arms          each arm alone, RRF, and ours
    … --conversations conv-47,conv-49             only these conversations' questions

EVAL_DIR holds the data and ``locomo_to_workspace.py``; neither ships with Daybank (the data is
CC BY-NC). Every conversation is put into one workspace, each question is asked as it stands, and
the share of its evidence lines among the first k results is printed, with the evidence found
within token budgets (characters / 4).
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import re
import sqlite3
import sys
import tempfile
import time
from argparse import Namespace
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from types import ModuleType
from typing import Any

from daybank import FixedClock, Workspace, open_workspace
from daybank.index.analysis import STOP_TERMS

BUDGETS = (500, 1000, 2000, 4000)
KS = (1, 5, 10, 20)
MOST = 300
RRF_K = 60
# The day after the last conversation ends: "last month" in a question is nobody's real last month.
TODAY = FixedClock(datetime(2024, 6, 1, 12, tzinfo=UTC))


@dataclass(frozen=True)
class Hit:
    """A result as the scorer wants it, with its length in characters."""

    source: str
    length: int


Ask = Callable[[str], list[Hit]]


def load_scorer(folder: Path) -> ModuleType:
    """The benchmark's own converter and scorer."""
    spec = importlib.util.spec_from_file_location("locomo", folder / "locomo_to_workspace.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


class Benchmark:
    """The merged workspace in a temporary folder, open, and its scorable questions."""

    def __init__(self, folder: Path, temp: Path, conversations: list[str] | None) -> None:
        self.scorer = load_scorer(folder)
        data = next(folder.glob("locomo*.json"))
        stdout, sys.stdout = sys.stdout, sys.stderr
        try:
            self.scorer.convert(
                Namespace(
                    json=str(data), out=str(temp), merged=True, retain=False, no_captions=False
                )
            )
        finally:
            sys.stdout = stdout
        self.questions: list[dict[str, Any]] = [
            q
            for q in self.scorer.load_qa(str(temp))
            if q["evidence"]
            and not q["adversarial"]
            and (not conversations or q["id"].split("/")[0] in conversations)
        ]
        self.workspace: Workspace = open_workspace(temp / "merged" / "workspace", clock=TODAY)
        self.workspace.sync()

    def ours(self, *, semantic: bool) -> Ask:
        """Daybank's own answer."""

        def ask(text: str) -> list[Hit]:
            answer = self.workspace.recall(text, k=MOST, semantic=semantic)
            return [Hit(str(r.source), len(r.content)) for r in answer.results]

        return ask

    def arms(self) -> dict[str, Ask]:
        """Plain FTS5, plain cosine, and the two fused by rank, over the same passages."""
        from daybank.index.meaning import MeaningIndex

        index = sqlite3.connect(self.workspace.index_path)
        rows = index.execute(
            "SELECT p.id, f.path || '#L' || p.line_start, p.content FROM passage p"
            " JOIN file f ON f.id = p.file_id ORDER BY p.id"
        ).fetchall()
        index.close()
        hits = {id_: Hit(source, len(content)) for id_, source, content in rows}
        table = sqlite3.connect(":memory:")
        table.execute(
            "CREATE VIRTUAL TABLE plain USING fts5("
            "text, tokenize='porter unicode61 remove_diacritics 2')"
        )
        table.executemany(
            "INSERT INTO plain(rowid, text) VALUES (?, ?)", [(r[0], r[2]) for r in rows]
        )
        meaning: MeaningIndex = self.workspace._meanings.chosen()

        def by_words(text: str) -> list[int]:
            words = [w for w in re.findall(r"\w+", text.lower()) if w not in STOP_TERMS]
            if not words:
                return []
            match = " OR ".join(f'"{word}"' for word in words)
            found = table.execute(
                "SELECT rowid FROM plain WHERE plain MATCH ? ORDER BY bm25(plain) LIMIT ?",
                (match, MOST),
            )
            return [row[0] for row in found]

        def by_cosine(text: str) -> list[int]:
            near = meaning.nearness(text, meaning.keys_of(list(hits)))
            return sorted(near, key=lambda id_: -near[id_].own)[:MOST]

        def by_rank(text: str) -> list[int]:
            scores: dict[int, float] = {}
            for ranking in (by_words(text), by_cosine(text)):
                for rank, id_ in enumerate(ranking, 1):
                    scores[id_] = scores.get(id_, 0.0) + 1 / (RRF_K + rank)
            return sorted(scores, key=lambda id_: -scores[id_])[:MOST]

        def as_hits(ask: Callable[[str], list[int]]) -> Ask:
            return lambda text: [hits[id_] for id_ in ask(text)]

        return {
            "FTS5 porter, OR, bm25": as_hits(by_words),
            "cosine": as_hits(by_cosine),
            f"RRF k={RRF_K} of the two": as_hits(by_rank),
            "Daybank, words only": self.ours(semantic=False),
            "Daybank, words and meaning": self.ours(semantic=True),
        }

    def measure(self, ask: Ask) -> dict[str, float]:
        """Recall@k, day hits and evidence within budgets."""
        run: dict[str, list[str]] = {}
        within = dict.fromkeys(BUDGETS, 0.0)
        seconds = 0.0
        for question in self.questions:
            started = time.perf_counter()
            hits = ask(question["question"])
            seconds += time.perf_counter() - started
            run[question["id"]] = [hit.source for hit in hits]
            gold = {(e["file"], e["line"]) for e in question["evidence"]}
            used = 0
            found: dict[int, set[Any]] = {budget: set() for budget in BUDGETS}
            for hit in hits:
                used += max(1, hit.length // 4)
                for budget in BUDGETS:
                    if used <= budget:
                        found[budget] |= self.scorer.cover(hit.source, gold)
            for budget in BUDGETS:
                within[budget] += len(found[budget]) / len(gold)
        rows = self.scorer.score_rows(self.questions, run, list(KS))
        count = len(rows)
        result = {"questions": float(count)}
        for k in KS:
            result[f"Recall@{k}"] = sum(turn[f"recall@{k}"] for _, turn, _ in rows) / count
        for k in (1, 5):
            result[f"day hit@{k}"] = sum(day[f"any@{k}"] for _, _, day in rows) / count
        for budget in BUDGETS:
            result[f"within {budget}"] = within[budget] / count
        result["ms a question"] = 1000 * seconds / count
        return result


def measure(
    folder: Path, conversations: list[str] | None = None, *, meaning: bool = False
) -> dict[str, float]:
    """One figure a name, for Daybank's own answer."""
    with tempfile.TemporaryDirectory() as temp:
        benchmark = Benchmark(folder, Path(temp), conversations)
        with benchmark.workspace:
            if meaning:
                benchmark.workspace.embed()
            return benchmark.measure(benchmark.ours(semantic=meaning))


def compare(folder: Path, conversations: list[str] | None = None) -> None:
    """Print a table of all arms."""
    with tempfile.TemporaryDirectory() as temp:
        benchmark = Benchmark(folder, Path(temp), conversations)
        with benchmark.workspace:
            benchmark.workspace.embed()
            shown = [*(f"Recall@{k}" for k in KS), "day hit@1", "day hit@5"]
            shown += [f"within {budget}" for budget in BUDGETS]
            print(f"| {len(benchmark.questions)} questions | {' | '.join(shown)} |")
            print("|---" * (len(shown) + 1) + "|")
            for name, ask in benchmark.arms().items():
                figures = benchmark.measure(ask)
                print(f"| {name} | {' | '.join(f'{figures[f]:.3f}' for f in shown)} |", flush=True)


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument("--conversations", default="", help="comma separated; all when empty")
    parser.add_argument("--meaning", action="store_true")
    parser.add_argument("--arms", action="store_true")
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    chosen = [c for c in arguments.conversations.split(",") if c] or None
    if arguments.arms:
        compare(arguments.folder, chosen)
        return 0
    figures = measure(arguments.folder, chosen, meaning=arguments.meaning)
    if arguments.json:
        print(json.dumps(figures))
        return 0
    for name, value in figures.items():
        print(f"{name:16} {value:8.3f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
