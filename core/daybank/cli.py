"""The ``daybank`` command, for scripts and for agents.

Exit codes: 0 found or done, 1 nothing found, 2 an error (told in one sentence on stderr).
Colours only on a terminal; JSON is stable and never coloured.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import json
import os
import re
import shutil
import sys
import textwrap
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import date
from typing import NoReturn, TextIO

from daybank import __version__
from daybank.clock import SystemClock
from daybank.dates import describe, parse_since, parse_until
from daybank.errors import (
    DaybankError,
    IndexBusy,
    IndexUnwritable,
    NoteNotUnderstood,
    WorkspaceNotFound,
)
from daybank.library import Workspace, open_workspace
from daybank.markdown.model import Kind
from daybank.progress import Progress
from daybank.recall.results import Notice, RecallResult
from daybank.settings import load_settings
from daybank.workspace import (
    WorkspaceFolder,
    create_workspace,
    find_workspace,
    inspect_folder,
)

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
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            # A character that the terminal cannot show must not end the command.
            stream.reconfigure(errors="backslashreplace")
    output = _Output(sys.stdout)
    try:
        arguments = _parsed(argv)
        run: Callable[[argparse.Namespace, _Output], int] = arguments.run
        code = run(arguments, output)
        output.print("", end="", flush=True)
    except DaybankError as error:
        _say(f"daybank: {error}")
        return FAILED
    except KeyboardInterrupt:
        _say("daybank: Stopped. What was finished before is kept.")
        return 130
    except BrokenPipeError:  # the reader of the pipe went away (`| head`)
        _drop_output()
        return FOUND
    except _OutputLost as error:
        _drop_output()
        _say(f"daybank: The output could not be written: {error}.")
        return FAILED
    return code


def _drop_output() -> None:
    """Python writes what is left at its exit; there is nobody to take it any more."""
    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


class _OutputLost(Exception):
    """Standard output cannot be written to."""


class _Output:
    """Where text goes, and whether it may be coloured. Nothing in a text can act on a terminal:
    what it would act with is shown as a dot, or escaped in JSON."""

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
        return f"\x1b[{_COLOURS[style]}m{text}\x1b[0m" if self.colour else text

    def json(self, value: object) -> None:
        # Escapes are JSON's own where the stream cannot take every letter.
        can_take_all = (self.stream.encoding or "").lower().replace("-", "") == "utf8"
        text = json.dumps(value, ensure_ascii=not can_take_all, indent=2)
        self.print(_ACTING_IN_JSON.sub(lambda m: f"\\u{ord(m[0]):04x}", text))

    def print(self, text: str, end: str = "\n", *, flush: bool = False) -> None:
        try:
            print(text, end=end, file=self.stream, flush=flush)
        except BrokenPipeError:
            raise
        except OSError as error:
            raise _OutputLost(error.strerror or str(error)) from error


def _say(text: str) -> None:
    """Tell the person something on stderr, in one line."""
    print(one_line(text), file=sys.stderr)


# -- the commands


def _recall(arguments: argparse.Namespace, output: _Output) -> int:
    with _open(arguments) as workspace:
        stale = None if arguments.no_sync else _sync_if_possible(workspace)
        answer = workspace.recall(
            " ".join(arguments.text),
            k=arguments.k,
            since=arguments.since,
            until=arguments.until,
            kinds=arguments.kind,
            entities=arguments.entity,
            budget=arguments.budget,
            semantic=not arguments.words_only,
        )
    if stale is not None:
        if any(notice.id == "not-indexed" for notice in answer.notices):
            raise stale
        notice = Notice("stale", f"Changes since the last look are not found. {stale}")
        answer = replace(answer, notices=(*answer.notices, notice))
    if arguments.json:
        output.json(answer.to_json())
        return FOUND if answer.results or answer.found else NOTHING
    for result in answer.results:
        _show(result, output)
    if answer.query.window is not None:
        _say(f"({describe(answer.query.window)})")
    for notice in answer.notices:
        _say(notice.message)
    if not answer.results and not answer.notices:
        _say(f"Nothing found for “{answer.query.text}”.")
    return FOUND if answer.results or answer.found else NOTHING


def _index(arguments: argparse.Namespace, output: _Output) -> int:
    with _open(arguments) as workspace:
        report = workspace.sync(_progress_line(), rebuild=arguments.rebuild)
        where = workspace.index_path
    changes = f"{report.added} new, {report.changed} changed, {report.removed} gone"
    output.line(
        f"{report.passages} passages; files: {changes}, {report.unchanged} as they were"
        f" ({report.seconds:.1f} s)."
    )
    output.line((f"The index is {where}.", "dim"))
    for lint in report.skipped:
        _say(f"Not searched: {lint.path}: {lint.message}")
    if not report.complete:
        _say("Part of the folder could not be listed; what was there was not taken for deleted.")
    return FOUND


def _embed(arguments: argparse.Namespace, output: _Output) -> int:
    with _open(arguments) as workspace:
        workspace.sync()
        report = workspace.embed(_progress_line())
    output.line(
        f"Search by meaning is ready: {report.embedded} of {report.total} texts prepared now"
        f" ({report.seconds:.1f} s)."
    )
    if report.failed:
        word = "text was" if report.failed == 1 else "texts were"
        _say(f"{report.failed} {word} too odd for the model; words still find them.")
    return FOUND


def _entity(arguments: argparse.Namespace, output: _Output) -> int:
    with _open(arguments) as workspace:
        stale = _sync_if_possible(workspace)
        entity = workspace.entity(arguments.name, limit=arguments.k)
    if stale is not None:
        _say(f"daybank: {stale}")
    if entity is None:
        if stale is not None:
            return FAILED
        if arguments.json:
            output.json({"entity": None})
        else:
            _say(f"Nothing mentions “{arguments.name}”.")
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
    output.line((entity.name, "bold"), also)
    between = ""
    if entity.first_day and entity.last_day:
        between = f", {entity.first_day.isoformat()} to {entity.last_day.isoformat()}"
    kind = f"{entity.type.capitalize()}; mentioned" if entity.type else "Mentioned"
    times = "once" if entity.mentions == 1 else f"{entity.mentions} times"
    output.line((f"{kind} {times}{between}.", "dim"))
    if entity.page:
        output.line((f"Page: {entity.page}", "dim"))
    if entity.together:
        names = ", ".join(f"{name} ({times})" for name, times in entity.together[:8])
        output.line((f"Together with: {names}", "dim"))
    output.line()
    for fact in entity.facts:
        _show(fact, output)
    return FOUND


def _add(arguments: argparse.Namespace, output: _Output) -> int:
    text = " ".join(arguments.text)
    if text == "-":
        text = _standard_input()
    with _open(arguments) as workspace:
        added = workspace.add(text)
        # The note is safe in its file by now: that it cannot be searched yet is no failure.
        stale = _sync_if_possible(workspace, added.source.path)
    if stale is not None:
        _say(f"The note is saved, but not searched yet. {stale}")
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
        stale = _sync_if_possible(workspace)
        report = workspace.health()
    if stale is not None:
        _say(f"daybank: {stale}")
    if arguments.json:
        output.json(report.to_json())
    else:
        for check in report.checks:
            output.line((f"{check.level:8}", check.level), f" {check.message}")
            for source in check.sources[:10]:
                output.line((f"         {source}", "dim"))
            if len(check.sources) > 10:
                more = f"         and {len(check.sources) - 10} more (all with --json)"
                output.line((more, "dim"))
    return FAILED if report.level == "error" else FOUND


def _new(arguments: argparse.Namespace, output: _Output) -> int:
    with contextlib.suppress(WorkspaceNotFound):
        if not inspect_folder(arguments.folder).is_empty:
            _say(f"daybank: There are already notes in “{arguments.folder}”; nothing was made.")
            return FAILED
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


def _sync_if_possible(workspace: Workspace, within: str = "") -> DaybankError | None:
    """Read what changed; where the index cannot be written now, the reason why what it holds must
    do."""
    try:
        workspace.sync(within=within)
    except (IndexBusy, IndexUnwritable) as error:
        return error
    return None


def _standard_input() -> str:
    data = sys.stdin.buffer.read()
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise NoteNotUnderstood(
            "The text is not in UTF-8.", "Nothing was written. Save it as UTF-8 and try again."
        ) from error


def _show(result: RecallResult, output: _Output) -> None:
    when = result.day.isoformat() if result.day else "—"
    if result.event is not None:
        when = describe(result.event)
    sure = f" {round(result.confidence * 100)} %" if result.confidence is not None else ""
    people = f" · {', '.join(result.entities)}" if result.entities else ""
    output.line(
        (f"{result.kind}{sure}", str(result.kind)),
        f" · {when}{people}  ",
        (str(result.source), "dim"),
    )
    text = visible(result.content)
    if not output.width:
        output.block(text)
        return
    if output.colour and text == result.content:
        marked = text
        for start, end in reversed(result.highlights):
            piece = output.paint(marked[start:end], "mark")
            marked = marked[:start] + piece + marked[end:]
        output.block(marked)
    else:
        output.block(textwrap.fill(text, max(output.width - 2, 20)))


_ACTING = (
    *range(0x00, 0x09),
    *range(0x0B, 0x20),
    *range(0x7F, 0xA0),
    0x061C,
    *range(0x200E, 0x2010),
    *range(0x2028, 0x202F),
    *range(0x2066, 0x2070),
    0xFEFF,
    *range(0xFFF9, 0xFFFC),
    *range(0xD800, 0xE000),
)
_INVISIBLE = dict.fromkeys(_ACTING, "·")
_ACTING_IN_JSON = re.compile("[" + "".join(chr(c) for c in _ACTING if c > 0x20) + "]")


def visible(text: str) -> str:
    """``text`` for a terminal: control and direction characters cannot act, they show as a dot."""
    return text.translate(_INVISIBLE)


def one_line(text: str) -> str:
    """``text`` as one line for a terminal: what would break the line shows as a dot too."""
    return visible(text).replace("\n", "·").replace("\t", " ")


def _progress_line() -> Callable[[Progress], None] | None:
    """A progress line on stderr, for a person watching; None in a pipe."""
    if not sys.stderr.isatty():
        return None

    def show(progress: Progress) -> None:
        verb = {"read": "Reading", "embed": "Preparing"}.get(progress.stage)
        if verb and (progress.done % 20 == 0 or progress.done == progress.total):
            print(f"\r{verb} {progress.done} of {progress.total}", end="", file=sys.stderr)
            if progress.done == progress.total:
                print("\r\x1b[K", end="", file=sys.stderr)

    return show


def _parsed(argv: Sequence[str] | None) -> argparse.Namespace:
    """The arguments. A question and a note may hold words that begin with a minus, anywhere."""
    arguments, rest = _parser().parse_known_args(argv)
    unknown = [word for word in rest if word.startswith("--") and word != "--"]
    if unknown or (rest and not isinstance(getattr(arguments, "text", None), list)):
        _fail(f"“{(unknown or rest)[0]}” is not understood here; see daybank --help.")
    if rest:
        arguments.text += [word for word in rest if word != "--"]
    since, until = getattr(arguments, "since", None), getattr(arguments, "until", None)
    if since is not None and until is not None and until < since:
        _fail(f"{until} comes before {since}: --until must not be earlier than --since.")
    if arguments.run is _add and not arguments.text:
        _fail("There is nothing to write down; type the note after “add”.")
    return arguments


def _fail(sentence: str) -> NoReturn:
    _say(f"daybank: {sentence}")
    raise SystemExit(FAILED)


class _Parser(argparse.ArgumentParser):
    """Says what is wrong in one sentence, without the whole usage."""

    def error(self, message: str) -> NoReturn:
        _fail(f"{message[:1].upper()}{message[1:]}; see {self.prog} --help.")


def _text(text: str) -> str:
    """An argument as valid text, whatever bytes the shell handed over."""
    return os.fsencode(text).decode("utf-8", "replace")


def _bound(parse: Callable[[str, date], date]) -> Callable[[str], date | None]:
    def read(text: str) -> date | None:
        try:
            return parse(_text(text), SystemClock().today()) if text.strip() else None
        except ValueError as error:
            raise argparse.ArgumentTypeError(str(error).rstrip(".")) from None

    return read


def _kind(text: str) -> Kind:
    try:
        return Kind(text.lower())
    except ValueError:
        choices = ", ".join(Kind)
        raise argparse.ArgumentTypeError(f"“{_text(text)}” is no kind; use {choices}") from None


def _positive(text: str) -> int:
    try:
        number = int(text)
    except ValueError:
        number = 0
    if number < 1:
        raise argparse.ArgumentTypeError(f"“{text}” is no number above 0")
    return number


def _parser() -> argparse.ArgumentParser:
    common = _Parser(add_help=False)
    common.add_argument(
        "--workspace",
        metavar="FOLDER",
        help="the memory folder (default: DAYBANK_WORKSPACE, then the one chosen in the window)",
    )
    common.add_argument(
        "--index-dir", metavar="FOLDER", help="keep the search index there, not in .memory/"
    )
    parser = _Parser(
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
    recall.add_argument("text", nargs="*", type=_text, help="the question")
    recall.add_argument("--k", type=_positive, default=25, metavar="N", help="at most N results")
    recall.add_argument(
        "--since",
        type=_bound(parse_since),
        metavar="WHEN",
        help="2025-11-01, 2025-11, 30d, “last week”",
    )
    recall.add_argument(
        "--until", type=_bound(parse_until), metavar="WHEN", help="likewise; that day is included"
    )
    recall.add_argument(
        "--kind", type=_kind, action="append", default=[], metavar="KIND",
        help=f"only this kind ({', '.join(Kind)}); may be repeated",
    )  # fmt: skip
    recall.add_argument(
        "--entity", type=_text, action="append", default=[], metavar="NAME",
        help="only what mentions this person or thing; may be repeated",
    )  # fmt: skip
    recall.add_argument(
        "--budget", type=_positive, metavar="TOKENS", help="fit into so many tokens"
    )
    recall.add_argument("--json", action="store_true", help="print JSON")
    recall.add_argument(
        "--words-only", action="store_true", help="without search by meaning (see daybank embed)"
    )
    recall.add_argument(
        "--no-sync", action="store_true", help="do not look for changed files first"
    )
    recall.set_defaults(run=_recall)

    index = commands.add_parser("index", parents=[common], help="read changed files")
    index.add_argument("--rebuild", action="store_true", help="read every file again")
    index.set_defaults(run=_index)

    embed = commands.add_parser(
        "embed",
        parents=[common],
        help="prepare search by meaning",
        description="Prepare search by meaning with the built-in model, on this computer. Takes"
        " minutes for thousands of notes; it can be stopped and goes on where it was.",
    )
    embed.set_defaults(run=_embed)

    entity = commands.add_parser("entity", parents=[common], help="all about a person or thing")
    entity.add_argument("name", type=_text, help="a name or an alias")
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
    add.add_argument("text", nargs="*", type=_text, help="the note")
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
