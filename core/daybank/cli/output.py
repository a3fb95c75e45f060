"""Where the command's words go: exit codes, colours on a terminal, stable JSON, progress.

Nothing in a text can act on a terminal: what it would act with is shown as a dot, or escaped in
JSON.
"""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import sys
import textwrap
from collections.abc import Callable
from typing import TextIO

from daybank.progress import Progress
from daybank.visible import ACTING_BEYOND_ASCII, one_line

FOUND, NOTHING, FAILED = 0, 1, 2

_COLOURS = {
    "world": "36",
    "experience": "33",
    "opinion": "35",
    "observation": "34",
    "passage": "37",
    "message": "37",
    "dim": "2",
    "bold": "1",
    "mark": "1;33",
    "ok": "32",
    "note": "36",
    "warning": "33",
    "error": "31",
}


class OutputLost(Exception):
    """Standard output cannot be written to."""


class Output:
    """Standard output, and whether it may be coloured. ``width`` is 0 where it is no terminal."""

    def __init__(self, stream: TextIO) -> None:
        self.stream = stream
        on = stream.isatty() and "NO_COLOR" not in os.environ and os.environ.get("TERM") != "dumb"
        self.colour = on
        self.width = shutil.get_terminal_size((88, 24)).columns if stream.isatty() else 0

    def line(self, *pieces: str | tuple[str, str]) -> None:
        """Print one line made of texts, or of (text, style)."""
        shown = [
            one_line(piece) if isinstance(piece, str) else self.paint(one_line(piece[0]), piece[1])
            for piece in pieces
        ]
        self.print("".join(shown))

    def block(self, text: str) -> None:
        """Print a text that is safe to show already, indented."""
        self.print(textwrap.indent(text, "  "))

    def paint(self, text: str, style: str) -> str:
        """``text`` in the colour of ``style``, where there are colours."""
        return f"\x1b[{_COLOURS[style]}m{text}\x1b[0m" if self.colour else text

    def json(self, value: object) -> None:
        """Print ``value`` as JSON."""
        # Escapes are JSON's own where the stream cannot take every letter.
        can_take_all = (self.stream.encoding or "").lower().replace("-", "") == "utf8"
        text = json.dumps(value, ensure_ascii=not can_take_all, indent=2)
        self.print(ACTING_BEYOND_ASCII.sub(lambda m: json.dumps(m[0])[1:-1], text))

    def print(self, text: str, end: str = "\n", *, flush: bool = False) -> None:
        """Print a text that is safe to show already. Raises OutputLost, BrokenPipeError."""
        try:
            print(text, end=end, file=self.stream, flush=flush)
        except BrokenPipeError:
            raise
        except OSError as error:
            raise OutputLost(error.strerror or str(error)) from error


def say(text: str) -> None:
    """Tell the person something on stderr, in one line."""
    print(one_line(text), file=sys.stderr)


def drop_output() -> None:
    """Python writes what is left at its exit; there is nobody to take it any more."""
    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def progress_line() -> Callable[[Progress], None] | None:
    """A progress line on stderr, for a person watching; None in a pipe."""
    if not sys.stderr.isatty():
        return None

    def show(progress: Progress) -> None:
        verb = {"read": "Reading", "embed": "Preparing"}.get(progress.stage)
        if verb and (progress.done % 20 == 0 or progress.done == progress.total):
            print(f"\r{verb} {progress.done} of {progress.total}", end="", file=sys.stderr)
            if progress.done == progress.total:
                clear_line()

    return show


def clear_line() -> None:
    """Take the progress line away."""
    print("\r\x1b[K", end="", file=sys.stderr)
