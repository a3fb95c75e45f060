"""The multilingual questions stay sound: every line they cite is a passage, and the counts hold.

What quality they measure is no test; ``tests/bench/multilingual_quality.py`` prints it.
"""

from __future__ import annotations

import importlib.util
import json
import shutil
import sys
from pathlib import Path
from types import ModuleType

import pytest

SCRIPT = Path(__file__).resolve().parent.parent / "bench" / "multilingual_quality.py"


@pytest.fixture(scope="module")
def bench() -> ModuleType:
    spec = importlib.util.spec_from_file_location("multilingual_quality", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # dataclasses look themselves up
    spec.loader.exec_module(module)
    return module


def test_set_is_sound(bench: ModuleType) -> None:
    assert bench.find_problems(bench.FOLDER) == []


def test_check_sees_a_line_that_moved(bench: ModuleType, tmp_path: Path) -> None:
    copy = tmp_path / "set"
    shutil.copytree(bench.FOLDER, copy)
    log = copy / "workspace" / bench.load_questions(copy)[0].evidence[0].partition("#")[0]
    log.write_bytes(b"\n" + log.read_bytes())
    assert bench.find_problems(copy)


def test_check_sees_a_question_without_evidence(bench: ModuleType, tmp_path: Path) -> None:
    copy = tmp_path / "set"
    shutil.copytree(bench.FOLDER, copy)
    place = copy / "questions.json"
    questions = json.loads(place.read_text(encoding="utf-8"))
    questions[0]["evidence"] = ["memory/2024-01-03.md#L1"]
    place.write_text(json.dumps(questions), encoding="utf-8")
    assert any("begins no passage" in problem for problem in bench.find_problems(copy))


def test_rank_counts_a_range_that_holds_the_line(bench: ModuleType) -> None:
    hits = ["memory/2024-01-03.md#L1", "memory/2024-01-03.md#L4-L6"]
    assert bench._rank("memory/2024-01-03.md#L5", hits) == 2
    assert bench._rank("memory/2024-01-03.md#L7", hits) is None
