"""Writes the manual pages from what the programs say of themselves with --help.

    python packaging/manpage.py FOLDER      daybank.1 and daybank-desktop.1, not compressed

So a manual page cannot say something else than the program. Needs Daybank on the path.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from unittest import mock

ROOT = Path(__file__).resolve().parents[1]


class _Asked(Exception):
    """Carries the parser out of a program that was about to read its arguments."""

    def __init__(self, parser: argparse.ArgumentParser) -> None:
        super().__init__()
        self.parser = parser


def parser_of(program: Callable[[], Any]) -> argparse.ArgumentParser:
    """The parser with which ``program`` reads its arguments."""

    def stop(parser: argparse.ArgumentParser, *args: object, **kwargs: object) -> None:
        raise _Asked(parser)

    with (
        mock.patch.object(argparse.ArgumentParser, "parse_known_args", stop),
        mock.patch.object(sys, "argv", ["daybank"]),
    ):
        try:
            program()
        except _Asked as asked:
            return asked.parser
    raise RuntimeError("The program reads no arguments")


def page(parser: argparse.ArgumentParser, version: str, also: str) -> str:
    """The manual page of a program, in the language of man(7)."""
    name = parser.prog
    summary = (parser.description or "").split(". ")[0].rstrip(".")
    lines = [
        f".TH {name.upper()} 1 {quoted('')} {quoted(f'Daybank {version}')} {quoted('Daybank')}",
        ".SH NAME",
        rf"{roff(name)} \- {roff(summary[:1].lower() + summary[1:])}",
        ".SH SYNOPSIS",
        *_synopsis(parser),
        ".SH DESCRIPTION",
        roff(parser.description or ""),
        ".SH OPTIONS",
        *_options(parser),
    ]
    commands = list(_commands(parser))
    if commands:
        lines.append(".SH COMMANDS")
        for command, told in commands:
            lines += [f".SS {quoted(command.prog.removeprefix(name).strip())}"]
            lines += [roff(command.description or told), ".PP", *_synopsis(command)]
            lines += _options(command)
    if parser.epilog:
        lines += [".SH NOTES", roff(parser.epilog)]
    lines += [".SH SEE ALSO", rf".BR {roff(also)} (1)"]
    return "\n".join(lines) + "\n"


def _commands(
    parser: argparse.ArgumentParser,
) -> Iterator[tuple[argparse.ArgumentParser, str]]:
    """Each command and what the list of commands tells of it, also commands of commands."""
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            told = {choice.dest: choice.help or "" for choice in action._choices_actions}
            for name, command in action.choices.items():
                yield command, told.get(name, "")
                yield from _commands(command)


def _synopsis(parser: argparse.ArgumentParser) -> list[str]:
    with mock.patch.dict("os.environ", {"COLUMNS": "2000", "NO_COLOR": "1"}):
        usage = " ".join(parser.format_usage().removeprefix("usage: ").split())
    rest = usage.removeprefix(parser.prog)
    return [rf".B {roff(parser.prog)}", roff(rest.strip()) or r"\&"]


def _options(parser: argparse.ArgumentParser) -> list[str]:
    lines: list[str] = []
    formatter = parser._get_formatter()
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction) or action.help == argparse.SUPPRESS:
            continue
        lines += [".TP", rf".B {roff(formatter._format_action_invocation(action))}"]
        lines.append(roff(formatter._expand_help(action)) if action.help else r"\&")
    return lines


def roff(text: str) -> str:
    """``text`` so that roff shows it as it is."""
    one_line = " ".join(text.split()).replace("\\", r"\e").replace("-", r"\-")
    return re.sub(r"^([.'])", r"\\&\1", one_line)


def quoted(text: str) -> str:
    return '"' + text.replace('"', '""') + '"'


def write(folder: Path) -> None:
    """Both pages into ``folder``."""
    from daybank import __version__, cli
    from daybank_desktop import launch

    folder.mkdir(parents=True, exist_ok=True)
    pages: dict[str, Callable[[], Any]] = {
        "daybank": lambda: cli.main([]),
        "daybank-desktop": lambda: launch.run(["daybank-desktop"]),
    }
    for name, program in pages.items():
        (other,) = set(pages) - {name}
        text = page(parser_of(program), __version__, other)
        (folder / f"{name}.1").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    sys.path[:0] = [str(ROOT / "core"), str(ROOT / "desktop")]
    write(Path(sys.argv[1]))
