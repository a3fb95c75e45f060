"""What of a passage is put into vectors, and the keys under which those are kept.

Each passage is embedded twice: by itself, and together with the lines beside it under the same
heading, for a line is often understood only from its neighbours. Plain sentences, never markup.
A key is a hash of the text, so the same text is never embedded again, wherever it moves.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Line:
    """What the texts are made of: a passage's file, headings, subjects and content."""

    file: int
    trail: str
    subjects: tuple[str, ...]
    content: str

    @property
    def text(self) -> str:
        """``Peter: Prefers concise replies``, as one would say it."""
        return f"{', '.join(self.subjects)}: {self.content}" if self.subjects else self.content


def window_texts(lines: Sequence[Line]) -> Iterator[tuple[str, str]]:
    """For each line, in file order: its own text, and that with the lines beside it."""
    texts = [line.text for line in lines]
    for at, line in enumerate(lines):
        around = [
            texts[near]
            for near in (at - 1, at, at + 1)
            if 0 <= near < len(lines)
            and lines[near].file == line.file
            and lines[near].trail == line.trail
        ]
        yield texts[at], " ".join(around)


def text_key(text: str) -> bytes:
    """16 bytes of BLAKE2b over the text."""
    return hashlib.blake2b(text.encode("utf-8", "replace"), digest_size=16).digest()
