"""The commands about conversation logs: chat search."""

from __future__ import annotations

import argparse
import textwrap
from dataclasses import replace

from daybank.cli.arguments import Commands, Parser, not_negative, positive, text
from daybank.cli.opening import open_chosen, sync_if_possible
from daybank.cli.output import FOUND, NOTHING, Output, say
from daybank.recall.chat import FoundMessage
from daybank.secrets import mask
from daybank.visible import visible

_SPEAKERS = {"owner": "you", "assistant": "assistant", "system": "system", "other": "somebody else"}


def register(commands: Commands, common: Parser) -> None:
    """Add the commands."""
    chat = commands.add_parser("chat", help="search conversation logs")
    actions: Commands = chat.add_subparsers(title="what to do", metavar="ACTION", required=True)
    search = actions.add_parser(
        "search",
        parents=[common],
        help="messages that say something, newest first",
        description="Messages that say all of the words, newest first; without words, all of them."
        " Phrases in quotes, -words and times such as “last week” may be used.",
    )
    search.add_argument("text", nargs="*", type=text, help="what was said")
    search.add_argument(
        "--count", type=positive, default=20, metavar="N", help="at most N messages (20)"
    )
    search.add_argument(
        "--offset", type=not_negative, default=0, metavar="N", help="pass over the N newest"
    )
    search.add_argument("--json", action="store_true", help="print JSON")
    search.add_argument(
        "--show-secrets", action="store_true", help="show passwords and keys in JSON too"
    )
    search.set_defaults(run=_search)


def _search(arguments: argparse.Namespace, output: Output) -> int:
    with open_chosen(arguments) as workspace:
        stale = sync_if_possible(workspace)
        page = workspace.search_chat(
            " ".join(arguments.text), count=arguments.count, offset=arguments.offset
        )
    if stale is not None:
        say(f"daybank: {stale}")
    if arguments.json:
        if not arguments.show_secrets:  # JSON is handed on
            messages = tuple(replace(m, text=mask(m.text)) for m in page.messages)
            page = replace(page, messages=messages)
        output.json(page.to_json())
        return FOUND if page.messages else NOTHING
    for message in page.messages:
        _show(message, output)
    if page.loosely:
        say("No message says all of it; these say some of it.")
    if page.torn:
        say(f"{page.torn} {'line' if page.torn == 1 else 'lines'} of the logs cannot be read.")
    if not page.total:
        say("Nothing found.")
    else:
        first = min(arguments.offset + 1, page.total)
        last = arguments.offset + len(page.messages)
        say(f"{first} to {last} of {page.total}." if page.messages else f"{page.total} in all.")
    return FOUND if page.messages else NOTHING


def _show(message: FoundMessage, output: Output) -> None:
    when = f"{message.when:%Y-%m-%d %H:%M}" if message.when is not None else "no time"
    who = _SPEAKERS.get(message.who, message.who)
    mark = " · not by the owner" if message.untrusted else ""
    output.line((when, "message"), f" · {who}{mark}  ", (str(message.source), "dim"))
    shown = visible(message.text)
    if output.width:
        shown = textwrap.fill(shown, max(output.width - 2, 20))
    output.block(shown)
