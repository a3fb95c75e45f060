"""Retrieval quality on LoCoMo (Maharana et al., ACL 2024), by the benchmark's own scorer.

    python tests/bench/recall_quality.py EVAL_DIR [--conversations conv-26,conv-41]

EVAL_DIR holds the data and ``locomo_to_workspace.py``; neither ships with Daybank (the data is
CC BY-NC). Every conversation is put into one workspace, each question is asked as it stands, and
the share of its evidence lines among the first k results is printed, with the evidence found
within token budgets (characters / 4).
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import sys
import tempfile
import time
from argparse import Namespace
from datetime import UTC, datetime
from pathlib import Path
from types import ModuleType

from daybank import FixedClock, open_workspace

BUDGETS = (500, 1000, 2000, 4000)
KS = (1, 5, 10, 20)
# The day after the last conversation ends: "last month" in a question is nobody's real last month.
TODAY = FixedClock(datetime(2024, 6, 1, 12, tzinfo=UTC))


def load_scorer(folder: Path) -> ModuleType:
    """The benchmark's own converter and scorer."""
    spec = importlib.util.spec_from_file_location("locomo", folder / "locomo_to_workspace.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def measure(folder: Path, conversations: list[str] | None = None) -> dict[str, float]:
    """Recall@k, evidence within budgets and day hits; adversarial questions are left out."""
    scorer = load_scorer(folder)
    data = next(folder.glob("locomo*.json"))
    with tempfile.TemporaryDirectory() as temp:
        out = Path(temp)
        stdout, sys.stdout = sys.stdout, sys.stderr
        try:
            scorer.convert(
                Namespace(
                    json=str(data), out=str(out), merged=True, retain=False, no_captions=False
                )
            )
        finally:
            sys.stdout = stdout
        questions = [q for q in scorer.load_qa(str(out)) if q["evidence"] and not q["adversarial"]]
        if conversations:
            questions = [q for q in questions if q["id"].split("/")[0] in conversations]
        with open_workspace(out / "merged" / "workspace", clock=TODAY) as workspace:
            workspace.sync()
            run, within, seconds = {}, {b: 0.0 for b in BUDGETS}, 0.0
            for question in questions:
                started = time.perf_counter()
                answer = workspace.recall(question["question"], k=200)
                seconds += time.perf_counter() - started
                hits = [str(result.source) for result in answer.results]
                run[question["id"]] = hits
                gold = {(e["file"], e["line"]) for e in question["evidence"]}
                used, found = 0, {budget: set() for budget in BUDGETS}
                for result, hit in zip(answer.results, hits, strict=True):
                    used += max(1, len(result.content) // 4)
                    for budget in BUDGETS:
                        if used <= budget:
                            found[budget] |= scorer.cover(hit, gold)
                for budget in BUDGETS:
                    within[budget] += len(found[budget]) / len(gold)
        rows = scorer.score_rows(questions, run, list(KS))
    count = len(rows)
    result = {"questions": float(count), "ms a question": 1000 * seconds / count}
    for k in KS:
        result[f"Recall@{k}"] = sum(turn[f"recall@{k}"] for _, turn, _ in rows) / count
    for k in (1, 5):
        result[f"day hit@{k}"] = sum(day[f"any@{k}"] for _, _, day in rows) / count
    for budget in BUDGETS:
        result[f"within {budget}"] = within[budget] / count
    return result


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument("--conversations", default="", help="comma separated; all when empty")
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    chosen = [c for c in arguments.conversations.split(",") if c]
    figures = measure(arguments.folder, chosen or None)
    if arguments.json:
        print(json.dumps(figures))
        return 0
    for name, value in figures.items():
        print(f"{name:16} {value:8.3f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
