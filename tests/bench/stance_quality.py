"""How well the stance judge tells support from contradiction, by language, with no language model.

    python tests/bench/stance_quality.py [FOLDER] [--part tune|held] [--batch first|later]
                                         [--misses] [--json]
    python tests/bench/stance_quality.py --write-similarity

FOLDER is ``tests/data/stance`` unless given: ``*.jsonl``, one pair a line, as its README tells.
Each part is judged with and without similarity; precision is the share of the answers with a label
that are right, recall the share of the pairs with a label that are found, and "reversed" the share
of the supports and contradictions that were taken for each other.

The batch ``first`` was written before the judge, ``later`` while it grew. Tune on the part
``tune``, report ``held``; ``--misses`` therefore lists only ``tune`` unless a part is named.
``--write-similarity`` computes the cosines anew and stores them in the files.
"""

from __future__ import annotations

import argparse
import json
import time
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from daybank.markdown.model import Kind
from daybank.reflect.judgement import Judgement, Stance
from daybank.reflect.stance import StanceJudge, Statement

FOLDER = Path(__file__).resolve().parent.parent / "data" / "stance"
PARTS = ("tune", "held")
LANGUAGES = ("en", "es", "ru", "fil", "cross")


@dataclass(frozen=True, slots=True)
class Pair:
    """One labelled pair."""

    opinion: Statement
    fact: Statement
    language: str
    label: Stance
    part: str
    similarity: float | None
    batch: str
    source: str


@dataclass(frozen=True, slots=True)
class Score:
    """How one label did within one group of pairs; rates are None where nothing was asked."""

    label: Stance
    pairs: int
    answers: int
    right: int

    @property
    def precision(self) -> float | None:
        return self.right / self.answers if self.answers else None

    @property
    def recall(self) -> float | None:
        return self.right / self.pairs if self.pairs else None


def load(folder: Path = FOLDER) -> list[Pair]:
    """Every pair of every file, in the order of their names."""
    pairs = []
    for path in sorted(folder.glob("*.jsonl")):
        for number, line in enumerate(path.read_text("utf-8").rstrip("\n").split("\n"), 1):
            pairs.append(_pair(json.loads(line), f"{path.name}:{number}"))
    return pairs


def judge_all(pairs: Iterable[Pair], *, similarity: bool) -> list[tuple[Pair, Judgement]]:
    """Each pair with its judgement."""
    judge = StanceJudge()
    return [
        (pair, judge.judge(pair.opinion, pair.fact, pair.similarity if similarity else None))
        for pair in pairs
    ]


def scores(judged: Sequence[tuple[Pair, Judgement]]) -> list[Score]:
    """A score for each label."""
    answers = Counter(answer.stance for _, answer in judged)
    wanted = Counter(pair.label for pair, _ in judged)
    right = Counter(pair.label for pair, answer in judged if pair.label is answer.stance)
    return [Score(label, wanted[label], answers[label], right[label]) for label in Stance]


def reversed_share(judged: Sequence[tuple[Pair, Judgement]]) -> float:
    """The share of supports and contradictions that were taken for each other."""
    both = {Stance.SUPPORTS, Stance.CONTRADICTS}
    asked = [(pair.label, answer.stance) for pair, answer in judged if pair.label in both]
    wrong = sum(1 for label, answer in asked if answer in both and answer is not label)
    return wrong / len(asked) if asked else 0.0


def write_similarity(folder: Path) -> None:
    """Store the cosine of each pair by the built-in model, with three decimals."""
    from daybank.embedding.embedder import built_in

    embedder = built_in()
    for path in sorted(folder.glob("*.jsonl")):
        rows = [json.loads(line) for line in path.read_text("utf-8").rstrip("\n").split("\n")]
        ones = embedder.embed([row["opinion"] for row in rows])
        others = embedder.embed([row["fact"] for row in rows])
        for row, one, other in zip(rows, ones, others, strict=True):
            row["similarity"] = round(float(one @ other), 3)
        text = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
        path.write_bytes(text.encode("utf-8"))
    embedder.close()


def _pair(row: dict[str, object], source: str) -> Pair:
    similarity = row.get("similarity")
    return Pair(
        opinion=Statement(str(row["opinion"]), _names(row["opinion_names"])),
        fact=Statement(str(row["fact"]), _names(row["fact_names"]), Kind(str(row["fact_kind"]))),
        language=str(row["language"]),
        label=Stance(str(row["label"])),
        part=str(row["split"]),
        similarity=float(str(similarity)) if similarity is not None else None,
        batch=str(row.get("batch", "first")),
        source=source,
    )


def _names(value: object) -> tuple[str, ...]:
    return tuple(str(name) for name in value) if isinstance(value, list) else ()


def _print_table(pairs: Sequence[Pair], part: str, *, similarity: bool) -> None:
    print(f"\n{part}, {'with' if similarity else 'without'} similarity")
    head = ("pairs", "answers", "right", "precision", "recall")
    print(f"{'':6} {'label':12} {head[0]:>6} {head[1]:>8} {head[2]:>6} {head[3]:>10} {head[4]:>7}")
    judged = judge_all([pair for pair in pairs if pair.part == part], similarity=similarity)
    for language in (*LANGUAGES, "all"):
        group = [each for each in judged if language in (each[0].language, "all")]
        for score in scores(group):
            print(
                f"{language:6} {score.label.value:12} {score.pairs:6} {score.answers:8}"
                f" {score.right:6} {_rate(score.precision):>10} {_rate(score.recall):>7}"
            )
        print(f"{language:6} reversed {reversed_share(group):.3f}")


def _rate(value: float | None) -> str:
    return "–" if value is None else f"{value:.2f}"


def _print_misses(pairs: Sequence[Pair], part: str, *, similarity: bool) -> None:
    for pair, answer in judge_all([p for p in pairs if p.part == part], similarity=similarity):
        if answer.stance is not pair.label:
            print(
                f"{pair.language:5} {pair.label.value:12} → {answer.stance.value:12}"
                f" {pair.similarity} | {pair.opinion.text} | {pair.fact.text} | {answer.reason}"
            )


def _print_speed(pairs: Sequence[Pair]) -> None:
    started = time.perf_counter()
    judge_all(pairs, similarity=False)
    first = time.perf_counter() - started
    started = time.perf_counter()
    judge_all(pairs, similarity=False)
    again = time.perf_counter() - started
    print(f"\n{len(pairs) / first:,.0f} pairs a second at first, {len(pairs) / again:,.0f} again")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else "")
    parser.add_argument("folder", nargs="?", type=Path, default=FOLDER)
    parser.add_argument("--part", choices=PARTS)
    parser.add_argument("--batch", choices=("first", "later"), help="what was written when")
    parser.add_argument("--misses", action="store_true", help="list the pairs judged wrongly")
    parser.add_argument("--json", action="store_true", help="print the scores as JSON")
    parser.add_argument("--write-similarity", action="store_true")
    options = parser.parse_args()
    if options.write_similarity:
        write_similarity(options.folder)
        return
    pairs = [p for p in load(options.folder) if options.batch in (None, p.batch)]
    if options.misses:
        _print_misses(pairs, options.part or "tune", similarity=False)
        print("\nand with similarity")
        _print_misses(pairs, options.part or "tune", similarity=True)
        return
    parts = (options.part,) if options.part else PARTS
    if options.json:
        print(json.dumps(_as_json(pairs, parts), ensure_ascii=False, indent=1))
        return
    _print_speed(pairs)
    for part in parts:
        for similarity in (True, False):
            _print_table(pairs, part, similarity=similarity)


def _as_json(pairs: Sequence[Pair], parts: Sequence[str]) -> list[dict[str, object]]:
    rows: list[dict[str, object]] = []
    for part in parts:
        for similarity in (True, False):
            judged = judge_all([p for p in pairs if p.part == part], similarity=similarity)
            for language in LANGUAGES:
                group = [each for each in judged if each[0].language == language]
                for score in scores(group):
                    head = {"part": part, "similarity": similarity, "language": language}
                    rows.append({**head, **asdict(score)})
    return rows


if __name__ == "__main__":
    main()
