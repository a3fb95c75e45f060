"""The ``daybank`` command, for scripts and for agents.

Exit codes: 0 found or done, 1 nothing found, 2 an error (told in one sentence on stderr).
Colours only on a terminal; JSON is stable and never coloured. Each area of commands is a module
with a ``register(commands, common)``; a new area is a new module and a name in ``_AREAS``.
"""

from __future__ import annotations

import io
import sys
from collections.abc import Sequence

from daybank import __version__
from daybank.cli import chat, index, knowledge, models, notes, reflect, self_check
from daybank.cli.arguments import Parser, Run, common_arguments, parse
from daybank.cli.output import FAILED, FOUND, NOTHING, Output, OutputLost, drop_output, say
from daybank.errors import DaybankError

__all__ = ["FAILED", "FOUND", "NOTHING", "main"]

_AREAS = (notes, chat, knowledge, reflect, index, models)


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; returns the exit code."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            # A character that the terminal cannot show must not end the command.
            stream.reconfigure(errors="backslashreplace")
    output = Output(sys.stdout)
    try:
        code = _run(sys.argv[1:] if argv is None else argv, output)
        output.print("", end="", flush=True)
    except DaybankError as error:
        say(f"daybank: {error}")
        return FAILED
    except KeyboardInterrupt:
        say("daybank: Stopped. What was finished before is kept.")
        return 130
    except BrokenPipeError:  # the reader of the pipe went away (`| head`)
        drop_output()
        return FOUND
    except OutputLost as error:
        drop_output()
        say(f"daybank: The output could not be written: {error}.")
        return FAILED
    return code


def _run(argv: Sequence[str], output: Output) -> int:
    if argv[:1] == [self_check.FLAG]:
        return self_check.run(argv[1:], output)
    arguments = parse(_parser(), argv)
    run: Run = arguments.run
    return run(arguments, output)


def _parser() -> Parser:
    parser = Parser(
        prog="daybank",
        description="Search and look after a folder of Markdown notes. The files stay the truth.",
        epilog="Exit codes: 0 found or done, 1 nothing found, 2 an error.",
    )
    parser.add_argument("--version", action="version", version=f"daybank {__version__}")
    parser.add_argument(
        self_check.FLAG, action="store_true", help="check this installation (--json for JSON)"
    )
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)
    common = common_arguments()
    for area in _AREAS:
        area.register(commands, common)
    return parser
