"""The ``daybank`` command, for scripts and for agents.

Exit codes: 0 found or done, 1 nothing found, 2 an error (told in one sentence on stderr).
Colours only on a terminal; JSON is stable and never coloured.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import sys
import textwrap
from collections.abc import Callable, Sequence
from typing import TextIO

from daybank import __version__
from daybank.dates import describe
from daybank.errors import DaybankError
from daybank.library import Workspace, open_workspace
from daybank.markdown.model import Kind
from daybank.progress import Progress
from daybank.recall.results import RecallResult
from daybank.settings import load_settings
from daybank.workspace import WorkspaceFolder, create_workspace, find_workspace

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


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command; returns the exit code."""
    arguments = _parser().parse_args(argv)
    run: Callable[[argparse.Namespace, _Output], int] = arguments.run
    output = _Output(sys.stdout)
    try:
        return run(arguments, output)
    except DaybankError as error:
        print(f"daybank: {error}", file=sys.stderr)
        return FAILED
    except ValueError as error:
        print(f"daybank: {error}", file=sys.stderr)
        return FAILED
    except KeyboardInterrupt:
        print("daybank: Stopped. What was finished before is kept.", file=sys.stderr)
        return 130
    except BrokenPipeError:
        # The reader of the pipe went away (`| head`); Python must not complain at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return FOUND


class _Output:
    """Where text goes, and whether it may be coloured."""

    def __init__(self, stream: TextIO) -> None:
        self.stream = stream
        on = stream.isatty() and "NO_COLOR" not in os.environ and os.environ.get("TERM") != "dumb"
        self.colour = on
        self.width = shutil.get_terminal_size((88, 24)).columns if stream.isatty() else 0

    def line(self, text: str = "") -> None:
        print(text, file=self.stream)

    def paint(self, text: str, style: str) -> str:
        return f"\x1b[{_COLOURS[style]}m{text}\x1b[0m" if self.colour else text

    def json(self, value: object) -> None:
        print(json.dumps(value, ensure_ascii=False, indent=2), file=self.stream)


# -- the commands


def _recall(arguments: argparse.Namespace, output: _Output) -> int:
    with _open(arguments) as workspace:
        if not arguments.no_sync:
            workspace.sync()
        answer = workspace.recall(
            " ".join(arguments.text),
            k=arguments.k,
            since=arguments.since,
            until=arguments.until,
            kinds=arguments.kind,
            entities=arguments.entity,
            budget=arguments.budget,
        )
    if arguments.json:
        output.json(answer.to_json())
        return FOUND if answer.results else NOTHING
    for result in answer.results:
        _show(result, output)
    if answer.query.window is not None:
        print(f"({describe(answer.query.window)})", file=sys.stderr)
    for notice in answer.notices:
        print(notice.message, file=sys.stderr)
    if not answer.results and not answer.notices:
        print(f"Nothing found for “{answer.query.text}”.", file=sys.stderr)
    return FOUND if answer.results else NOTHING


def _index(arguments: argparse.Namespace, output: _Output) -> int:
    with _open(arguments) as workspace:
        report = workspace.sync(_progress_line(), rebuild=arguments.rebuild)
        where = workspace.index_path
    changes = f"{report.added} new, {report.changed} changed, {report.removed} gone"
    output.line(
        f"{report.passages} passages; files: {changes}, {report.unchanged} as they were"
        f" ({report.seconds:.1f} s)."
    )
    output.line(output.paint(f"The index is {where}.", "dim"))
    for lint in report.skipped:
        print(f"Not searched: {lint.path}: {lint.message}", file=sys.stderr)
    if not report.complete:
        print(
            "Part of the folder could not be listed, so nothing was taken for deleted.",
            file=sys.stderr,
        )
    return FOUND


def _entity(arguments: argparse.Namespace, output: _Output) -> int:
    with _open(arguments) as workspace:
        workspace.sync()
        entity = workspace.entity(arguments.name, limit=arguments.k)
    if entity is None:
        if arguments.json:
            output.json({"entity": None})
        else:
            print(f"Nothing mentions “{arguments.name}”.", file=sys.stderr)
        return NOTHING
    if arguments.json:
        output.json(
            {
                "entity": {
                    "name": entity.name,
                    "aliases": list(entity.aliases),
                    "type": entity.type,
                    "page": entity.page,
                    "mentions": entity.mentions,
                    "first_day": entity.first_day.isoformat() if entity.first_day else None,
                    "last_day": entity.last_day.isoformat() if entity.last_day else None,
                    "together": [{"name": n, "times": t} for n, t in entity.together],
                    "facts": [fact.to_json() for fact in entity.facts],
                }
            }
        )
        return FOUND
    also = f" (also {', '.join(entity.aliases)})" if entity.aliases else ""
    output.line(output.paint(entity.name, "bold") + also)
    between = ""
    if entity.first_day and entity.last_day:
        between = f", {entity.first_day.isoformat()} to {entity.last_day.isoformat()}"
    kind = f"{entity.type.capitalize()}; mentioned" if entity.type else "Mentioned"
    times = "once" if entity.mentions == 1 else f"{entity.mentions} times"
    output.line(output.paint(f"{kind} {times}{between}.", "dim"))
    if entity.page:
        output.line(output.paint(f"Page: {entity.page}", "dim"))
    if entity.together:
        names = ", ".join(f"{name} ({times})" for name, times in entity.together[:8])
        output.line(output.paint(f"Together with: {names}", "dim"))
    output.line()
    for fact in entity.facts:
        _show(fact, output)
    return FOUND


def _add(arguments: argparse.Namespace, output: _Output) -> int:
    text = " ".join(arguments.text)
    if text == "-":
        text = sys.stdin.read()
    with _open(arguments) as workspace:
        added = workspace.add(text)
        workspace.sync(within=added.source.path)
    if arguments.json:
        output.json(
            {
                "source": str(added.source),
                "id": added.fact.fact_id if added.fact else None,
                "kind": str(added.fact.kind) if added.fact else "passage",
            }
        )
    else:
        output.line(f"Added to {added.source}.")
    return FOUND


def _health(arguments: argparse.Namespace, output: _Output) -> int:
    with _open(arguments) as workspace:
        report = workspace.health()
    if arguments.json:
        output.json(report.to_json())
    else:
        for check in report.checks:
            output.line(f"{output.paint(f'{check.level:8}', check.level)} {check.message}")
            for source in check.sources[:10]:
                output.line(output.paint(f"         {source}", "dim"))
            if len(check.sources) > 10:
                more = f"         and {len(check.sources) - 10} more (all with --json)"
                output.line(output.paint(more, "dim"))
    return FAILED if report.level == "error" else FOUND


def _new(arguments: argparse.Namespace, output: _Output) -> int:
    output.line(f"Made {create_workspace(arguments.folder)}.")
    return FOUND


# -- helpers


def _open(arguments: argparse.Namespace) -> Workspace:
    settings = load_settings()
    path = find_workspace(arguments.workspace, configured=settings.workspace)
    outside = None
    if settings.index_outside:
        outside = WorkspaceFolder.open_folder(path).cache_dir()
    return open_workspace(path, index_dir=arguments.index_dir or outside)


def _show(result: RecallResult, output: _Output) -> None:
    when = result.day.isoformat() if result.day else "—"
    if result.event is not None:
        when = describe(result.event)
    sure = f" {round(result.confidence * 100)} %" if result.confidence is not None else ""
    people = f" · {', '.join(result.entities)}" if result.entities else ""
    head = output.paint(f"{result.kind}{sure}", str(result.kind))
    output.line(f"{head} · {when}{people}  {output.paint(str(result.source), 'dim')}")
    text = visible(result.content)
    if not output.width:
        output.line(textwrap.indent(text, "  "))
        return
    marked = text
    if output.colour and text == result.content:
        for start, end in reversed(result.highlights):
            piece = output.paint(marked[start:end], "mark")
            marked = marked[:start] + piece + marked[end:]
        output.line(textwrap.indent(marked, "  "))
    else:
        output.line(textwrap.indent(textwrap.fill(text, max(output.width - 2, 20)), "  "))


_INVISIBLE = {
    **dict.fromkeys((*range(0x00, 0x09), *range(0x0B, 0x20), *range(0x7F, 0xA0)), "·"),
    **dict.fromkeys((*range(0x202A, 0x202F), *range(0x2066, 0x206A), 0x200E, 0x200F), "·"),
}


def visible(text: str) -> str:
    """``text`` for a terminal: control and direction characters cannot act, they show as a dot."""
    return text.translate(_INVISIBLE)


def _progress_line() -> Callable[[Progress], None] | None:
    """A progress line on stderr, for a person watching; None in a pipe."""
    if not sys.stderr.isatty():
        return None

    def show(progress: Progress) -> None:
        if progress.stage == "read" and (
            progress.done % 20 == 0 or progress.done == progress.total
        ):
            print(f"\rReading {progress.done} of {progress.total}", end="", file=sys.stderr)
            if progress.done == progress.total:
                print("\r\x1b[K", end="", file=sys.stderr)

    return show


def _kind(text: str) -> Kind:
    try:
        return Kind(text.lower())
    except ValueError:
        choices = ", ".join(Kind)
        raise argparse.ArgumentTypeError(f"“{text}” is no kind; use {choices}") from None


def _positive(text: str) -> int:
    try:
        number = int(text)
    except ValueError:
        number = 0
    if number < 1:
        raise argparse.ArgumentTypeError(f"“{text}” is no number above 0")
    return number


def _parser() -> argparse.ArgumentParser:
    common = argparse.ArgumentParser(add_help=False)
    common.add_argument(
        "--workspace",
        metavar="FOLDER",
        help="the memory folder (default: DAYBANK_WORKSPACE, then the one chosen in the window)",
    )
    common.add_argument(
        "--index-dir", metavar="FOLDER", help="keep the search index there, not in .memory/"
    )
    parser = argparse.ArgumentParser(
        prog="daybank",
        description="Search and look after a folder of Markdown notes. The files stay the truth.",
        epilog="Exit codes: 0 found or done, 1 nothing found, 2 an error.",
    )
    parser.add_argument("--version", action="version", version=f"daybank {__version__}")
    commands = parser.add_subparsers(title="commands", metavar="COMMAND", required=True)

    recall = commands.add_parser(
        "recall",
        parents=[common],
        help="find what the notes say",
        description='Find what the notes say. Words, "phrases in quotes", -words to leave out,'
        " @Name, and times such as “last week” may stand in the question.",
    )
    recall.add_argument("text", nargs="*", help="the question")
    recall.add_argument("--k", type=_positive, default=25, metavar="N", help="at most N results")
    recall.add_argument("--since", metavar="WHEN", help="2025-11-01, 2025-11, 30d, “last week”")
    recall.add_argument("--until", metavar="WHEN", help="likewise; that day is included")
    recall.add_argument(
        "--kind", type=_kind, action="append", default=[], metavar="KIND",
        help=f"only this kind ({', '.join(Kind)}); may be repeated",
    )  # fmt: skip
    recall.add_argument(
        "--entity", action="append", default=[], metavar="NAME",
        help="only what mentions this person or thing; may be repeated",
    )  # fmt: skip
    recall.add_argument(
        "--budget", type=_positive, metavar="TOKENS", help="fit into so many tokens"
    )
    recall.add_argument("--json", action="store_true", help="print JSON")
    recall.add_argument(
        "--no-sync", action="store_true", help="do not look for changed files first"
    )
    recall.set_defaults(run=_recall)

    index = commands.add_parser("index", parents=[common], help="read changed files")
    index.add_argument("--rebuild", action="store_true", help="read every file again")
    index.set_defaults(run=_index)

    entity = commands.add_parser("entity", parents=[common], help="all about a person or thing")
    entity.add_argument("name", help="a name or an alias")
    entity.add_argument("--k", type=_positive, default=50, metavar="N", help="at most N notes")
    entity.add_argument("--json", action="store_true", help="print JSON")
    entity.set_defaults(run=_entity)

    add = commands.add_parser(
        "add",
        parents=[common],
        help="write into today's log",
        description="Append a note to today's log: “W @Peter: Lives in Porto”, “O(c=0.8): …”, or"
        " plain text. A single - reads the text from standard input.",
    )
    add.add_argument("text", nargs="+", help="the note")
    add.add_argument("--json", action="store_true", help="print JSON")
    add.set_defaults(run=_add)

    health = commands.add_parser("health", parents=[common], help="is everything all right?")
    health.add_argument("--json", action="store_true", help="print JSON")
    health.set_defaults(run=_health)

    new = commands.add_parser("new", help="make an empty memory folder")
    new.add_argument("folder")
    new.set_defaults(run=_new)
    return parser


if __name__ == "__main__":
    sys.exit(main())
