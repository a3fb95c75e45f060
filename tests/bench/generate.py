"""A made-up workspace of any size: daily logs whose words follow a natural (Zipf) frequency.

The same arguments always write the same files. Word forms are invented from syllables, so that
the vocabulary grows like a real one; dates, names and Retain bullets stand in natural proportion.
"""

from __future__ import annotations

import argparse
import bisect
import itertools
import random
from collections.abc import Sequence
from datetime import date, timedelta
from pathlib import Path

_ONSETS = "b br c ch d dr f fl g gr h j k l m n p pl pr qu r s sh sl st t th tr v w y".split()
_VOWELS = "a e i o u ai ea ee io oa ou".split()
_ENDS = ["", "", "n", "r", "l", "s", "t", "m", "nd", "st", "ck", "ng"]
_SUFFIXES = ["", "", "", "s", "ed", "ing", "er", "ly", "ment"]
_COMMON = (
    "the of and to in is that it for on with as was at by this be are from we have not but they "
    "his her she he you i my our their which will there had were after before about when then"
).split()
_NAMES = [
    f"{a}{b}" for a in "Ma Jo Li Ta Ro Ne Sa Ki".split() for b in "ra na lo mi dar ven".split()
]


def vocabulary(size: int, rng: random.Random, known: Sequence[str] = ()) -> list[str]:
    """``size`` different words, the most frequent first: those ``known``, then invented ones."""
    words = dict.fromkeys(known or _COMMON)
    while len(words) < size:
        parts = rng.choice([1, 2, 2, 3])
        word = "".join(rng.choice(_ONSETS) + rng.choice(_VOWELS) for _ in range(parts))
        words.setdefault(word + rng.choice(_ENDS) + rng.choice(_SUFFIXES))
    return list(words)


class Writer:
    """Draws sentences from one seeded stream."""

    def __init__(self, seed: int, words: int = 30_000, known: Sequence[str] = ()) -> None:
        self.rng = random.Random(seed)
        self.words = vocabulary(words, self.rng, known)
        weights = [1 / (rank + 2.7) for rank in range(len(self.words))]
        self.cumulative = list(itertools.accumulate(weights))

    def word(self) -> str:
        at = bisect.bisect(self.cumulative, self.rng.random() * self.cumulative[-1])
        return self.words[min(at, len(self.words) - 1)]

    def sentence(self, day: date) -> str:
        count = self.rng.randint(8, 24)
        text = " ".join(self.word() for _ in range(count)).capitalize()
        chance = self.rng.random()
        if chance < 0.04:
            text += f" since {day.strftime('%B %Y')}"
        elif chance < 0.08:
            text += f" ({day.strftime('%b')} {day.day}, {day.year})"
        elif chance < 0.12:
            text += self.rng.choice([" yesterday", " last week", " tomorrow", " next Friday"])
        return text + "."

    def name(self) -> str:
        return self.rng.choice(_NAMES)

    def day_file(self, day: date, passages: int) -> str:
        lines = [f"# {day.isoformat()}", ""]
        facts = min(passages // 5, 6)
        for number in range(passages - facts):
            if number % 9 == 0:
                lines += ["", f"## {self.word().capitalize()} {self.word()}", ""]
            mention = f" with @{self.name()}" if self.rng.random() < 0.15 else ""
            lines.append(f"- {self.sentence(day).rstrip('.')}{mention}.")
        lines += ["", "## Retain", ""]
        for _ in range(facts):
            kind = self.rng.choice(["W", "B", "B", "O(c=0.7)", "S"])
            lines.append(f"- {kind} @{self.name()}: {self.sentence(day)}")
        return "\n".join(lines) + "\n"


def generate(
    target: Path, *, files: int, passages: int, seed: int = 7, known: Sequence[str] = ()
) -> None:
    """Write ``files`` daily logs with ``passages`` passages in all, ending 2026-11-27. Where words
    are ``known``, most frequent first, the text is made of them, and of invented ones beyond."""
    writer = Writer(seed, known=known)
    memory = target / "memory"
    memory.mkdir(parents=True, exist_ok=True)
    last = date(2026, 11, 27)
    each, extra = divmod(passages, files)
    for number in range(files):
        day = last - timedelta(days=files - 1 - number)
        text = writer.day_file(day, each + (1 if number < extra else 0))
        (memory / f"{day.isoformat()}.md").write_text(text, encoding="utf-8", newline="\n")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("target", type=Path)
    parser.add_argument("--files", type=int, default=3650)
    parser.add_argument("--passages", type=int, default=100_000)
    arguments = parser.parse_args()
    generate(arguments.target, files=arguments.files, passages=arguments.passages)
