"""The labelled set of plain daily logs, and how well what is inferred from them fits.

A label speaks of one sentence: ``keep`` (worth a bullet), ``drop`` (never one), or ``either``. Half
of the logs are for tuning; the other half is only ever measured.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from daybank.markdown.passages import parse_file
from daybank.markdown.retain import LETTERS
from daybank.reflect.extract import Extraction, InferredBullet, infer_retain

DATA = Path(__file__).resolve().parents[2] / "data" / "retain"
LANGUAGES = ("en", "es", "ru", "fil")


@dataclass(frozen=True)
class Thing:
    name: str
    aliases: tuple[str, ...] = ()
    type: str | None = None


@dataclass(frozen=True)
class Names:
    """Known names, given as they are."""

    things: tuple[Thing, ...] = ()

    def all(self) -> Sequence[Thing]:
        return self.things


@dataclass(frozen=True)
class Label:
    line: int
    text: str
    label: str
    kinds: str = ""
    names: tuple[str, ...] = ()
    also: tuple[str, ...] = ()


@dataclass(frozen=True)
class Log:
    file: str
    path: str
    language: str
    half: str
    known: Names
    labels: tuple[Label, ...]
    data: bytes

    def infer(self, most: int = 5) -> Extraction:
        return infer_retain(parse_file(self.path, self.data), self.known, data=self.data, most=most)


@dataclass
class Tally:
    """Counts over logs; the shares are NaN-free: of nothing, everything is right."""

    kept: int = 0
    right: int = 0
    wanted: int = 0
    found: int = 0
    kinds_right: int = 0
    names_wanted: int = 0
    names_found: int = 0
    names_given: int = 0
    names_right: int = 0
    invented: int = 0
    wrong: list[str] = field(default_factory=list)
    missed: list[str] = field(default_factory=list)

    @property
    def precision(self) -> float:
        return self.right / self.kept if self.kept else 1.0

    @property
    def recall(self) -> float:
        return self.found / self.wanted if self.wanted else 1.0


def read_logs(half: str, language: str | None = None) -> list[Log]:
    """The logs of ``tune`` or ``held``, of one language or of all."""
    return [
        log
        for log in _read()
        if log.half == half and (language is None or log.language == language)
    ]


def measure(logs: Sequence[Log]) -> Tally:
    tally = Tally()
    for log in logs:
        _count(log, log.infer().bullets, tally)
    return tally


def invented_words(text: str, source: str) -> list[str]:
    """The words of ``text`` that do not stand in ``source`` in that order."""
    words = iter(re.findall(r"[^\W_]+", source.casefold()))
    return [word for word in re.findall(r"[^\W_]+", text.casefold()) if word not in words]


def _count(log: Log, bullets: Sequence[InferredBullet], tally: Tally) -> None:
    lines = log.data.decode("utf-8").split("\n")
    found: set[Label] = set()
    for inferred in bullets:
        tally.kept += 1
        source = "\n".join(lines[inferred.source.line_start - 1 : inferred.source.line_end])
        tally.invented += len(invented_words(inferred.bullet.text, source))
        label = _label_of(log, inferred)
        if label is None or label.label == "drop":
            tally.wrong.append(f"{log.file}: {inferred.bullet.text}")
            continue
        tally.right += 1
        if label.label == "keep":
            found.add(label)
            _count_details(label, inferred, tally)
    wanted = [label for label in log.labels if label.label == "keep"]
    tally.wanted += len(wanted)
    tally.found += len(found)
    tally.missed += [f"{log.file}: {label.text}" for label in wanted if label not in found]


def _count_details(label: Label, inferred: InferredBullet, tally: Tally) -> None:
    tally.kinds_right += LETTERS[inferred.bullet.kind] in label.kinds
    given = inferred.bullet.names
    tally.names_wanted += len(label.names)
    tally.names_found += sum(name in given for name in label.names)
    tally.names_given += len(given)
    tally.names_right += sum(name in (*label.names, *label.also) for name in given)


def _label_of(log: Log, inferred: InferredBullet) -> Label | None:
    """The label with most of the bullet's words, on its lines."""
    words = set(re.findall(r"[^\W_]+", inferred.bullet.text.casefold()))
    near = [
        label
        for label in log.labels
        if inferred.source.line_start <= label.line <= inferred.source.line_end
    ]
    return max(
        near,
        key=lambda label: len(words & set(re.findall(r"[^\W_]+", label.text.casefold()))),
        default=None,
    )


def _read() -> Iterator[Log]:
    for line in (DATA / "labels.jsonl").read_text("utf-8").split("\n"):
        if not line:
            continue
        row = json.loads(line)
        yield Log(
            row["file"],
            row["path"],
            row["language"],
            row["half"],
            Names(tuple(Thing(name) for name in row["known"])),
            tuple(
                Label(
                    entry["line"],
                    entry["text"],
                    entry["label"],
                    entry.get("kinds", ""),
                    tuple(entry.get("names", ())),
                    tuple(entry.get("also", ())),
                )
                for entry in row["lines"]
            ),
            (DATA / row["file"]).read_bytes(),
        )
