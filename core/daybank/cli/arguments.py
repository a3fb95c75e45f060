"""What is typed after ``daybank``: the parser that says in one sentence what is wrong, and the
kinds of argument that several commands take."""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable, Sequence
from datetime import date
from typing import NoReturn, TypeAlias

from daybank.cli.output import FAILED, Output, say
from daybank.clock import SystemClock
from daybank.markdown.model import Kind

Commands: TypeAlias = "argparse._SubParsersAction[Parser]"
"""Where an area adds its commands."""

Run: TypeAlias = Callable[[argparse.Namespace, Output], int]
"""A command: takes the arguments, returns the exit code."""


class Parser(argparse.ArgumentParser):
    """Says what is wrong in one sentence, without the whole usage."""

    def error(self, message: str) -> NoReturn:
        fail(f"{message[:1].upper()}{message[1:]}; see {self.prog} --help.")


def fail(sentence: str) -> NoReturn:
    """End the command as one that was called wrongly."""
    say(f"daybank: {sentence}")
    raise SystemExit(FAILED)


def common_arguments() -> Parser:
    """What every command takes that works on a memory folder, as a parent for its parser."""
    common = Parser(add_help=False)
    common.add_argument(
        "--workspace",
        metavar="FOLDER",
        help="the memory folder (default: DAYBANK_WORKSPACE, then the one chosen in the window)",
    )
    common.add_argument(
        "--index-dir", metavar="FOLDER", help="keep the search index there, not in .memory/"
    )
    return common


def parse(parser: Parser, argv: Sequence[str] | None) -> argparse.Namespace:
    """The arguments. A question and a note may hold words that begin with a minus, anywhere."""
    arguments, rest = parser.parse_known_args(argv)
    unknown = [word for word in rest if word.startswith("--") and word != "--"]
    if unknown or (rest and not isinstance(getattr(arguments, "text", None), list)):
        fail(f"“{(unknown or rest)[0]}” is not understood here; see daybank --help.")
    if rest:
        arguments.text += [word for word in rest if word != "--"]
    since, until = getattr(arguments, "since", None), getattr(arguments, "until", None)
    if since is not None and until is not None and until < since:
        fail(f"{until} comes before {since}: --until must not be earlier than --since.")
    return arguments


def text(text: str) -> str:
    """An argument as valid text, whatever bytes the shell handed over."""
    return os.fsencode(text).decode("utf-8", "replace")


def bound(read: Callable[[str, date], date]) -> Callable[[str], date | None]:
    """An argument that is a day, as ``read`` understands it."""

    def convert(typed: str) -> date | None:
        try:
            return read(text(typed), SystemClock().today()) if typed.strip() else None
        except ValueError as error:
            raise argparse.ArgumentTypeError(str(error).rstrip(".")) from None

    return convert


def kind(typed: str) -> Kind:
    """An argument that is a kind of note, in any case."""
    try:
        return Kind(typed.lower())
    except ValueError:
        choices = ", ".join(Kind)
        raise argparse.ArgumentTypeError(f"“{text(typed)}” is no kind; use {choices}") from None


def positive(typed: str) -> int:
    """An argument that is a whole number above 0."""
    try:
        number = int(typed)
    except ValueError:
        number = 0
    if number < 1:
        raise argparse.ArgumentTypeError(f"“{typed}” is no number above 0")
    return number


def not_negative(typed: str) -> int:
    """An argument that is a whole number, 0 or above."""
    return 0 if typed.strip() == "0" else positive(typed)
