"""The commands about the folder as a whole: index, embed, health, new."""

from __future__ import annotations

import argparse
import contextlib

from daybank.cli.arguments import Commands, Parser
from daybank.cli.opening import open_chosen, sync_if_possible
from daybank.cli.output import FAILED, FOUND, Output, progress_line, say
from daybank.errors import WorkspaceNotFound
from daybank.workspace import create_workspace, inspect_folder

_MOST_SOURCES = 10


def register(commands: Commands, common: Parser) -> None:
    """Add the commands."""
    index = commands.add_parser("index", parents=[common], help="read changed files")
    index.add_argument("--rebuild", action="store_true", help="read every file again")
    index.set_defaults(run=_index)

    embed = commands.add_parser(
        "embed",
        parents=[common],
        help="prepare search by meaning",
        description="Prepare search by meaning with the chosen model (see daybank models), on this"
        " computer. Takes minutes for thousands of notes; it can be stopped and goes on where it"
        " was.",
    )
    embed.set_defaults(run=_embed)

    health = commands.add_parser("health", parents=[common], help="is everything all right?")
    health.add_argument("--json", action="store_true", help="print JSON")
    health.set_defaults(run=_health)

    new = commands.add_parser("new", help="make an empty memory folder")
    new.add_argument("folder")
    new.set_defaults(run=_new)


def _index(arguments: argparse.Namespace, output: Output) -> int:
    with open_chosen(arguments) as workspace:
        report = workspace.sync(progress_line(), rebuild=arguments.rebuild)
        where = workspace.index_path
    changes = f"{report.added} new, {report.changed} changed, {report.removed} gone"
    output.line(
        f"{report.passages} passages; files: {changes}, {report.unchanged} as they were"
        f" ({report.seconds:.1f} s)."
    )
    output.line((f"The index is {where}.", "dim"))
    for lint in report.skipped:
        say(f"Not searched: {lint.path}: {lint.message}")
    if not report.complete:
        say("Part of the folder could not be listed; what was there was not taken for deleted.")
    return FOUND


def _embed(arguments: argparse.Namespace, output: Output) -> int:
    with open_chosen(arguments) as workspace:
        workspace.sync()
        state = workspace.meaning()
        if state.available and state.reason:
            say(state.reason)
        report = workspace.embed(progress_line())
    output.line(
        f"Search by meaning is ready: {report.embedded} of {report.total} texts prepared now"
        f" ({report.seconds:.1f} s)."
    )
    if report.failed:
        word = "text was" if report.failed == 1 else "texts were"
        say(f"{report.failed} {word} too odd for the model; words still find them.")
    return FOUND


def _health(arguments: argparse.Namespace, output: Output) -> int:
    with open_chosen(arguments) as workspace:
        stale = sync_if_possible(workspace)
        report = workspace.health()
    if stale is not None:
        say(f"daybank: {stale}")
    if arguments.json:
        output.json(report.to_json())
    else:
        for check in report.checks:
            output.line((f"{check.level:8}", check.level), f" {check.message}")
            for source in check.sources[:_MOST_SOURCES]:
                output.line((f"         {source}", "dim"))
            if len(check.sources) > _MOST_SOURCES:
                rest = len(check.sources) - _MOST_SOURCES
                output.line((f"         and {rest} more (all with --json)", "dim"))
    return FAILED if report.level == "error" else FOUND


def _new(arguments: argparse.Namespace, output: Output) -> int:
    with contextlib.suppress(WorkspaceNotFound):
        if not inspect_folder(arguments.folder).is_empty:
            say(f"daybank: There are already notes in “{arguments.folder}”; nothing was made.")
            return FAILED
    output.line(f"Made {create_workspace(arguments.folder)}.")
    return FOUND
