"""The commands about single notes: recall, entity, add."""

from __future__ import annotations

import argparse
import sys
import textwrap
from dataclasses import replace
from datetime import date

from daybank.cli.arguments import Commands, Parser, bound, fail, kind, positive, text
from daybank.cli.opening import open_chosen, sync_if_possible
from daybank.cli.output import FAILED, FOUND, NOTHING, Output, say
from daybank.dates import describe, parse_since, parse_until
from daybank.errors import NoteNotUnderstood
from daybank.markdown.model import Kind
from daybank.recall.packet import as_markdown, as_text, header, pack
from daybank.recall.results import Notice, RecallAnswer, RecallQuery, RecallResult, Side
from daybank.secrets import find_secrets, mask
from daybank.visible import visible

_SIDES = 2
_FOR = ("start", "supports", "restated")
_AGAINST = ("contradicts",)


def register(commands: Commands, common: Parser) -> None:
    """Add the commands."""
    _register_recall(commands, common)
    entity = commands.add_parser("entity", parents=[common], help="all about a person or thing")
    entity.add_argument("name", type=text, help="a name or an alias")
    entity.add_argument("--k", type=positive, default=50, metavar="N", help="at most N notes")
    entity.add_argument("--json", action="store_true", help="print JSON")
    entity.add_argument(
        "--show-secrets", action="store_true", help="show passwords and keys in JSON too"
    )
    entity.set_defaults(run=_entity)

    add = commands.add_parser(
        "add",
        parents=[common],
        help="write into today's log",
        description="Append a note to today's log: “W @Peter: Lives in Porto”, “O(c=0.8): …”, or"
        " plain text. A single - reads the text from standard input.",
    )
    add.add_argument("text", nargs="*", type=text, help="the note")
    add.add_argument("--json", action="store_true", help="print JSON")
    add.set_defaults(run=_add)


def _register_recall(commands: Commands, common: Parser) -> None:
    recall = commands.add_parser(
        "recall",
        parents=[common],
        help="find what the notes say",
        description='Find what the notes say. Words, "phrases in quotes", -words to leave out,'
        " @Name, and times such as “last week” may stand in the question.",
    )
    recall.add_argument("text", nargs="*", type=text, help="the question")
    recall.add_argument("--k", type=positive, default=25, metavar="N", help="at most N results")
    recall.add_argument(
        "--since",
        type=bound(parse_since),
        metavar="WHEN",
        help="2025-11-01, 2025-11, 30d, “last week”",
    )
    recall.add_argument(
        "--until", type=bound(parse_until), metavar="WHEN", help="likewise; that day is included"
    )
    recall.add_argument(
        "--kind", type=kind, action="append", default=[], metavar="KIND",
        help=f"only this kind ({', '.join(Kind)}); may be repeated",
    )  # fmt: skip
    recall.add_argument(
        "--entity", type=text, action="append", default=[], metavar="NAME",
        help="only what mentions this person or thing; may be repeated",
    )  # fmt: skip
    recall.add_argument(
        "--budget",
        type=positive,
        metavar="TOKENS",
        help="no more than fits into so many tokens (characters / 4), and nothing twice",
    )
    recall.add_argument(
        "--format",
        choices=("text", "markdown", "json"),
        default="text",
        help="text to read, markdown to hand to an assistant, or json",
    )
    recall.add_argument(
        "--json",
        action="store_const",
        const="json",
        dest="format",
        help="the same as --format json",
    )
    recall.add_argument(
        "--words-only", action="store_true", help="without search by meaning (see daybank embed)"
    )
    recall.add_argument(
        "--show-secrets",
        action="store_true",
        help="show passwords and keys in JSON, Markdown and packets too",
    )
    recall.add_argument(
        "--no-sync", action="store_true", help="do not look for changed files first"
    )
    recall.set_defaults(run=_recall)


def _recall(arguments: argparse.Namespace, output: Output) -> int:
    as_json = arguments.format == "json"
    with open_chosen(arguments) as workspace:
        stale = None if arguments.no_sync else sync_if_possible(workspace)
        answer = workspace.recall(
            " ".join(arguments.text),
            k=arguments.k,
            since=arguments.since,
            until=arguments.until,
            kinds=arguments.kind,
            entities=arguments.entity,
            # What is printed as text costs more than what the notes say: it is packed below.
            budget=arguments.budget if as_json else None,
            semantic=not arguments.words_only,
        )
    if stale is not None:
        if any(notice.id == "not-indexed" for notice in answer.notices):
            raise stale
        notice = Notice("stale", f"Changes since the last look are not found. {stale}")
        answer = replace(answer, notices=(*answer.notices, notice))
    if as_json:
        if not arguments.show_secrets:  # JSON is handed on, as packets are
            answer = pack(answer, mask=mask).answer
        output.json(answer.to_json())
    else:
        answer = _print_answer(answer, arguments, output)
    return FOUND if answer.results or answer.found else NOTHING


def _print_answer(
    answer: RecallAnswer, arguments: argparse.Namespace, output: Output
) -> RecallAnswer:
    """Print results, and say on stderr what else should be known. Returns what was printed."""
    if arguments.budget is not None or arguments.format == "markdown":
        packet = pack(answer, arguments.budget, None if arguments.show_secrets else mask)
        render = as_markdown if arguments.format == "markdown" else as_text
        answer = packet.answer
        output.print(render(packet), end="")
    else:
        for result in answer.results:
            _show(result, output)
    if answer.query.window is not None:
        say(f"({describe(answer.query.window)})")
    for notice in answer.notices:
        say(notice.message)
    if not answer.results and not answer.notices:
        say(f"Nothing found for “{answer.query.text}”.")
    return answer


def _entity(arguments: argparse.Namespace, output: Output) -> int:
    with open_chosen(arguments) as workspace:
        stale = sync_if_possible(workspace)
        entity = workspace.entity(arguments.name, limit=arguments.k)
    if stale is not None:
        say(f"daybank: {stale}")
    if entity is None:
        if stale is not None:
            return FAILED
        if arguments.json:
            output.json({"entity": None})
        else:
            say(f"Nothing mentions “{arguments.name}”.")
        return NOTHING
    if arguments.json:
        facts = RecallAnswer(RecallQuery(entity.name), entity.facts)
        if not arguments.show_secrets:
            facts = pack(facts, mask=mask).answer
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
                    "facts": [fact.to_json() for fact in facts.results],
                }
            }
        )
        return FOUND
    also = f" (also {', '.join(entity.aliases)})" if entity.aliases else ""
    output.line((entity.name, "bold"), also)
    between = ""
    if entity.first_day and entity.last_day:
        between = f", {entity.first_day.isoformat()} to {entity.last_day.isoformat()}"
    about = f"{entity.type.capitalize()}; mentioned" if entity.type else "Mentioned"
    times = "once" if entity.mentions == 1 else f"{entity.mentions} times"
    output.line((f"{about} {times}{between}.", "dim"))
    if entity.page:
        output.line((f"Page: {entity.page}", "dim"))
    if entity.together:
        names = ", ".join(f"{name} ({times})" for name, times in entity.together[:8])
        output.line((f"Together with: {names}", "dim"))
    output.line()
    for fact in entity.facts:
        _show(fact, output)
    return FOUND


def _add(arguments: argparse.Namespace, output: Output) -> int:
    if not arguments.text:
        fail("There is nothing to write down; type the note after “add”.")
    note = " ".join(arguments.text)
    if note == "-":
        note = standard_input()
    with open_chosen(arguments) as workspace:
        added = workspace.add(note)
        # The note is safe in its file by now: that it cannot be searched yet is no failure.
        stale = sync_if_possible(workspace, added.source.path)
    if stale is not None:
        say(f"The note is saved, but not searched yet. {stale}")
    warn_of_secrets(note, added.source.path)
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


def warn_of_secrets(text: str, path: str) -> None:
    """Tell the person that what was just written holds a secret; what becomes of it they decide."""
    kinds = list(dict.fromkeys(secret.what for secret in find_secrets(text)))
    if kinds:
        named = " and ".join((", ".join(kinds[:-1]), kinds[-1])) if kinds[1:] else kinds[0]
        say(
            f"This looks like {named}, and stands in {path} as typed."
            " What is handed on to an assistant shows [hidden]."
        )


def standard_input() -> str:
    """All of standard input as text. Raises NoteNotUnderstood where it is none."""
    data = sys.stdin.buffer.read()
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise NoteNotUnderstood(
            "The text is not in UTF-8.", "Nothing was written. Save it as UTF-8 and try again."
        ) from error


def _show(result: RecallResult, output: Output) -> None:
    what, about = header(result)
    output.line((what, str(result.kind)), f"{about}  ", (str(result.source), "dim"))
    _show_text(result, output)
    for side in _newest_of_both(result):
        when = f"{side.day.isoformat()}  " if side.day else ""
        word = "for" if side.stance in _FOR else "against" if side.stance in _AGAINST else "doubt"
        output.line((f"    {word:8}{when}", "dim"), side.content, (f"  {side.source}", "dim"))


def _show_text(result: RecallResult, output: Output) -> None:
    shown = visible(result.content)
    if not output.width:
        output.block(shown)
        return
    if output.colour and shown == result.content:
        marked = shown
        for start, end in reversed(result.highlights):
            piece = output.paint(marked[start:end], "mark")
            marked = marked[:start] + piece + marked[end:]
        output.block(marked)
    else:
        output.block(textwrap.fill(shown, max(output.width - 2, 20)))


def _newest_of_both(result: RecallResult) -> list[Side]:
    """The newest notes for and against an opinion, a few of each, in time."""
    told = [side for side in result.sides if side.content]
    for_it = [side for side in told if side.stance in _FOR][-_SIDES:]
    others = [side for side in told if side.stance not in _FOR][-_SIDES:]
    return sorted((*for_it, *others), key=lambda side: side.day or date.min)
