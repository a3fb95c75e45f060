"""Retrieval quality in English, Spanish, Russian and Filipino, within one language and across two.

    python tests/bench/multilingual_quality.py [FOLDER] [--part tune|held] [--misses] [--json]
    python tests/bench/multilingual_quality.py --check

FOLDER is ``tests/data/multilingual`` unless given: ``workspace/`` with a made-up life in four
languages, ``questions.json`` with questions and the lines that answer them, ``languages.json`` with
the language of each passage. The notes are copied and indexed once; every question is asked on its
own ``today`` (``TODAY`` where it has none). Recall@k is the share of a question's lines among the
first k results; MRR takes the first right one, within ``DEPTH`` results.

Tune on the part ``tune``, report ``held``. ``--check`` measures nothing: it verifies the set.
"""

from __future__ import annotations

import argparse
import json
import re
import shutil
import sys
import tempfile
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time
from pathlib import Path
from typing import Any

from daybank import FixedClock, open_workspace
from daybank.markdown.passages import parse_file

FOLDER = Path(__file__).resolve().parent.parent / "data" / "multilingual"
TODAY = date(2026, 11, 30)
DEPTH = 20
KS = (1, 5, 10)
LANGUAGES = {"en": 0.40, "es": 0.22, "ru": 0.22, "fil": 0.16}  # and their share of the notes
KINDS = ("words", "paraphrase", "date", "person", "belief", "identifier")
PARTS = ("tune", "held")
LEAST = {
    "passages": 420,
    "questions": 140,
    "across languages": 35,
    "kind paraphrase": 30,
    "kind date": 30,
}


@dataclass(frozen=True, slots=True)
class Question:
    """A question, the ``path#Lnn`` of each line that answers it, and the groups it counts in."""

    id: str
    lang: str
    text: str
    evidence: tuple[str, ...]
    kind: str
    cross_language: bool
    part: str
    today: date | None


@dataclass(frozen=True, slots=True)
class Outcome:
    """A question with the 1-based rank of each evidence line; None where it was not found."""

    question: Question
    ranks: tuple[int | None, ...]

    def recall(self, k: int) -> float:
        return sum(rank is not None and rank <= k for rank in self.ranks) / len(self.ranks)

    @property
    def reciprocal(self) -> float:
        return max((1 / rank for rank in self.ranks if rank is not None), default=0.0)


def load_questions(folder: Path) -> list[Question]:
    """The questions of a set, in its order."""
    return [
        Question(
            id=item["id"],
            lang=item["lang"],
            text=item["question"],
            evidence=tuple(item["evidence"]),
            kind=item["kind"],
            cross_language=item["cross_language"],
            part=item["part"],
            today=date.fromisoformat(item["today"]) if "today" in item else None,
        )
        for item in _read_json(folder / "questions.json")
    ]


# -- measuring


def measure(questions: Iterable[Question], folder: Path) -> list[Outcome]:
    """Ask every question of a copy of the notes."""
    groups: dict[date, list[Question]] = {}
    for question in questions:
        groups.setdefault(question.today or TODAY, []).append(question)
    outcomes = []
    with tempfile.TemporaryDirectory() as temp:
        copy = Path(temp) / "workspace"
        shutil.copytree(folder / "workspace", copy)
        for today, asked in sorted(groups.items()):
            clock = FixedClock(datetime.combine(today, time(12), UTC))
            with open_workspace(copy, clock=clock) as workspace:
                workspace.sync()
                # Where vectors are part of the index, they are made once; nothing to do without.
                embed = getattr(workspace, "embed", None)
                if embed is not None:
                    embed()
                for question in asked:
                    answer = workspace.recall(question.text, k=DEPTH)
                    hits = [str(result.source) for result in answer.results]
                    ranks = tuple(_rank(line, hits) for line in question.evidence)
                    outcomes.append(Outcome(question, ranks))
    return outcomes


def _rank(line: str, hits: Sequence[str]) -> int | None:
    path, number = _place(line)
    for rank, hit in enumerate(hits, 1):
        hit_path, _, lines = hit.rpartition("#L")
        first, _, last = lines.partition("-L")
        if hit_path == path and int(first) <= number <= int(last or first):
            return rank
    return None


def summarize(outcomes: Sequence[Outcome]) -> dict[str, dict[str, float]]:
    """The figures of each group of questions, all of them first."""
    groups: list[tuple[str, Callable[[Question], bool]]] = [("all", lambda _: True)]
    groups += [(f"part {part}", lambda q, part=part: q.part == part) for part in PARTS]
    groups += [
        ("one language", lambda q: not q.cross_language),
        ("across languages", lambda q: q.cross_language),
    ]
    groups += [(f"language {lang}", lambda q, lang=lang: q.lang == lang) for lang in LANGUAGES]
    groups += [
        (
            f"  {lang}, {name}",
            lambda q, lang=lang, cross=cross: (q.lang, q.cross_language) == (lang, cross),
        )
        for lang in LANGUAGES
        for cross, name in ((False, "one language"), (True, "across"))
    ]
    groups += [(f"kind {kind}", lambda q, kind=kind: q.kind == kind) for kind in KINDS]
    groups += [
        (
            f"  {kind}, one language",
            lambda q, kind=kind: q.kind == kind and not q.cross_language,
        )
        for kind in KINDS
    ]
    groups.append(("with a relative time", lambda q: q.today is not None))
    figures = {}
    for name, belongs in groups:
        chosen = [outcome for outcome in outcomes if belongs(outcome.question)]
        if chosen:
            count = len(chosen)
            figures[name] = {"questions": float(count)}
            for k in KS:
                figures[name][f"Recall@{k}"] = sum(o.recall(k) for o in chosen) / count
            figures[name]["MRR"] = sum(o.reciprocal for o in chosen) / count
    return figures


# -- checking the set itself


def find_problems(folder: Path) -> list[str]:
    """What is wrong with the set, as sentences; nothing when it is sound."""
    passages = _passages(folder)
    languages = _read_json(folder / "languages.json")
    questions = load_questions(folder)
    problems = [f"{line}: no language is given" for line in passages.keys() - languages.keys()]
    problems += [
        f"{line}: has a language but is no passage" for line in languages.keys() - passages.keys()
    ]
    problems += [
        f"{text!r} stands more than once"
        for text in _repeated(_folded(t) for t in passages.values())
    ]
    problems += [
        f"the id {id_} stands more than once" for id_ in _repeated(q.id for q in questions)
    ]
    problems += [
        f"{text!r} is asked more than once"
        for text in _repeated(_folded(q.text) for q in questions)
    ]
    if problems:
        return problems
    for question in questions:
        problems += [f"{question.id}: {text}" for text in _faults(question, passages, languages)]
    return problems + list(_unbalanced(questions, languages))


def _faults(
    question: Question, passages: dict[str, str], languages: dict[str, str]
) -> Iterable[str]:
    missing = [line for line in question.evidence if line not in passages]
    if missing:
        yield f"{missing} begins no passage"
        return
    if not 1 <= len(set(question.evidence)) == len(question.evidence) <= 3:
        yield "needs one to three different lines of evidence"
    if question.lang not in LANGUAGES or question.kind not in KINDS or question.part not in PARTS:
        yield "has an unknown language, kind or part"
    noted = {languages[line] for line in question.evidence}
    if question.cross_language == (question.lang in noted):
        yield f"cross_language is {question.cross_language}, the evidence is in {sorted(noted)}"
    if question.kind == "paraphrase":
        said = set().union(*(_content_words(passages[line]) for line in question.evidence))
        shared = _content_words(question.text) & said
        if shared:
            yield f"is no paraphrase: it shares {sorted(shared)}"
    for line in question.evidence:
        day = re.match(r"memory/(\d{4}-\d\d-\d\d)", line)
        if day and date.fromisoformat(day[1]) > (question.today or TODAY):
            yield f"{line} was written after it is asked"


def _unbalanced(questions: Sequence[Question], languages: dict[str, str]) -> Iterable[str]:
    counts = Counter({"passages": len(languages), "questions": len(questions)})
    counts["across languages"] = sum(q.cross_language for q in questions)
    counts.update(f"kind {q.kind}" for q in questions)
    for name, least in LEAST.items():
        if counts[name] < least:
            yield f"{name}: {counts[name]} of at least {least}"
    for lang, share in LANGUAGES.items():
        noted = sum(value == lang for value in languages.values()) / len(languages)
        if abs(noted - share) > 0.03:
            yield f"{noted:.0%} of the notes are in {lang}, not {share:.0%}"
        asked = sum(q.lang == lang for q in questions) / len(questions)
        if not 0.2 <= asked <= 0.32:
            yield f"{asked:.0%} of the questions are in {lang}, not about a quarter"
    cells = [("all", "all")]
    cells += [("lang", lang) for lang in LANGUAGES]
    cells += [("kind", kind) for kind in KINDS]
    cells += [("cross_language", cross) for cross in (False, True)]
    for field, value in cells:
        part = Counter(q.part for q in questions if field == "all" or getattr(q, field) == value)
        if abs(part["tune"] - part["held"]) > 4:
            yield f"{field} {value}: {part['tune']} questions to tune on, {part['held']} held back"
    tuned = {line for q in questions if q.part == "tune" for line in q.evidence}
    held = {line for q in questions if q.part == "held" for line in q.evidence}
    for line in sorted(tuned & held):
        yield f"{line} answers questions of both parts"


def _passages(folder: Path) -> dict[str, str]:
    """``path#Lnn`` of each passage's first line → what it says."""
    root = folder / "workspace"
    found = {}
    for file in sorted(root.rglob("*.md")):
        path = file.relative_to(root).as_posix()
        for passage in parse_file(path, file.read_bytes()).passages:
            found[f"{path}#L{passage.source.line_start}"] = passage.content
    return found


_SMALL_WORDS = frozenset(
    # Words that carry no meaning of their own, of those with four letters or more.
    "what when where which whose does after before with that this their there from have been "
    "still will would until while into instead "
    "cómo como dónde cuándo cuánto quién quien para desde hasta este esta durante cuando nuestra "
    "какой какую какая какое когда чтобы чего отчего почему него свою этой после "
    "anong paano saan sino bakit kung para namin nang noong siya kami kanino kaninong itong "
    "niya naman habang ngayon".split()
)
_ROOT = 5
"""Words that begin with so many equal letters count as the same one."""


def _content_words(text: str) -> set[str]:
    """The beginnings of the words that mean something; names (capitals inside a sentence) too."""
    words = re.findall(r"[^\W\d_]{4,}", _folded(text))
    return {word[:_ROOT] for word in words if word not in _SMALL_WORDS}


def _folded(text: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())


def _repeated(values: Iterable[str]) -> list[str]:
    return [value for value, times in Counter(values).items() if times > 1]


def _place(line: str) -> tuple[str, int]:
    path, _, number = line.rpartition("#L")
    return path, int(number)


def _read_json(path: Path) -> Any:
    return json.loads(path.read_text(encoding="utf-8"))


# -- the command


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path, nargs="?", default=FOLDER)
    parser.add_argument("--part", choices=PARTS, help="only this half of the questions")
    parser.add_argument("--misses", action="store_true", help="list what is not among the first 10")
    parser.add_argument("--check", action="store_true", help="verify the set, measure nothing")
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    if arguments.check:
        problems = find_problems(arguments.folder)
        print("\n".join(problems) or "The set is sound.")
        return 1 if problems else 0
    questions = load_questions(arguments.folder)
    if arguments.part:
        questions = [q for q in questions if q.part == arguments.part]
    outcomes = measure(questions, arguments.folder)
    figures = summarize(outcomes)
    if arguments.json:
        ranks = {outcome.question.id: outcome.ranks for outcome in outcomes}
        print(json.dumps({"figures": figures, "ranks": ranks}))
        return 0
    names = ["questions", *(f"Recall@{k}" for k in KS), "MRR"]
    print(f"{'':24}" + "".join(f"{name:>10}" for name in names))
    for group, values in figures.items():
        cells = "".join(f"{values[name]:10.3f}" for name in names[1:])
        print(f"{group:24}{values['questions']:10.0f}{cells}")
    if arguments.misses:
        for outcome in sorted(outcomes, key=lambda o: o.question.id):
            if outcome.recall(10) < 1:
                question = outcome.question
                print(
                    f"{question.id} {question.kind}: {question.text} →",
                    ", ".join(question.evidence),
                )
    return 0


if __name__ == "__main__":
    sys.exit(main())
