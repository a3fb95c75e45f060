"""The commands about the knowledge base: knowledge list, read, write."""

from __future__ import annotations

import argparse

from daybank.cli.arguments import Commands, Parser, fail, text
from daybank.cli.notes import standard_input, warn_of_secrets
from daybank.cli.opening import open_chosen, sync_if_possible
from daybank.cli.output import FOUND, NOTHING, Output, say
from daybank.knowledge import Written
from daybank.visible import visible


def register(commands: Commands, common: Parser) -> None:
    """Add the commands."""
    knowledge = commands.add_parser(
        "knowledge",
        help="read and write pages of the knowledge base",
        description="Read and write the pages of the knowledge base, one a topic.",
    )
    actions: Commands = knowledge.add_subparsers(
        title="what to do", metavar="ACTION", required=True
    )

    listed = actions.add_parser("list", parents=[common], help="every topic with its first words")
    listed.add_argument("--json", action="store_true", help="print JSON")
    listed.set_defaults(run=_list)

    read = actions.add_parser("read", parents=[common], help="print a topic")
    read.add_argument("topic", type=text, help="see daybank knowledge list")
    read.add_argument("--json", action="store_true", help="print JSON")
    read.set_defaults(run=_read)

    write = actions.add_parser(
        "write",
        parents=[common],
        help="make a topic, or replace what it says",
        description="Make a topic that says a text. A topic that says something else is written"
        " anew with --replace only. A single - reads the text from standard input.",
    )
    write.add_argument("topic", type=text, help="the topic's name in plain words")
    write.add_argument("text", nargs="*", type=text, help="the text, in Markdown")
    write.add_argument(
        "--replace", action="store_true", help="put the text in the place of what is there"
    )
    write.add_argument("--json", action="store_true", help="print JSON, with what stood there")
    write.set_defaults(run=_write)


def _list(arguments: argparse.Namespace, output: Output) -> int:
    with open_chosen(arguments) as workspace:
        topics = workspace.knowledge_topics()
    if arguments.json:
        rows = [{"topic": t.name, "path": t.path, "summary": t.summary} for t in topics]
        output.json({"topics": rows})
    else:
        for topic in topics:
            output.line((topic.name, "bold"), f"  {topic.summary}")
        if not topics:
            say("There is no topic yet.")
    return FOUND if topics else NOTHING


def _read(arguments: argparse.Namespace, output: Output) -> int:
    with open_chosen(arguments) as workspace:
        said = workspace.read_knowledge(arguments.topic)
    if arguments.json:
        output.json({"topic": arguments.topic, "text": said})
    else:
        output.print(visible(said.replace("\r\n", "\n")), end="" if said.endswith("\n") else "\n")
    return FOUND


def _write(arguments: argparse.Namespace, output: Output) -> int:
    if not arguments.text:
        fail("There is nothing to write down; type the text after the topic, or - to read it.")
    said = " ".join(arguments.text)
    if said == "-":
        said = standard_input()
    with open_chosen(arguments) as workspace:
        written = workspace.write_knowledge(arguments.topic, said, replace=arguments.replace)
        stale = sync_if_possible(workspace, written.path)
    if stale is not None:
        say(f"The page is saved, but not searched yet. {stale}")
    warn_of_secrets(said, written.path)
    before = None if written.before is None else written.before.decode("utf-8", "replace")
    if arguments.json:
        output.json(
            {
                "path": written.path,
                "is_new": before is None,
                "before": before,
                "proposal": written.proposal,
            }
        )
    else:
        output.line(_told(written))
    return FOUND


def _told(written: Written) -> str:
    if written.before is None:
        return f"Made {written.path}."
    if written.before == written.after:
        return f"{written.path} says that already."
    if written.proposal is None:
        return f"Wrote {written.path}."
    return (
        f"Wrote {written.path}. Bring back what stood there with daybank review undo"
        f" {written.proposal}."
    )
