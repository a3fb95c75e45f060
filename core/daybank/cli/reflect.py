"""The commands about reflection: reflect, review, opinions."""

from __future__ import annotations

import argparse
from collections.abc import Callable

from daybank.cli.arguments import Commands, Parser, bound, fail, text
from daybank.cli.opening import open_chosen, sync_if_possible
from daybank.cli.output import FAILED, FOUND, NOTHING, Output, progress_line, say
from daybank.dates import Interval, describe, parse_since
from daybank.errors import DaybankError, ProposalChanged, ProposalConflict
from daybank.library import Workspace
from daybank.reflect.opinion_list import Opinion
from daybank.reflect.record import ReflectionReport
from daybank.reflect.run import PHASES
from daybank.review.apply import Applied
from daybank.review.hunks import accepted, apply_hunks, unified_diff
from daybank.review.proposal import Decision, Draft, Hunk, Proposal, State

_STEP = {
    "start": "first written",
    "supports": "for",
    "weakens": "doubt",
    "contradicts": "against",
    "restated": "said again",
    "set": "set by hand",
}


def register(commands: Commands, common: Parser) -> None:
    """Add the commands."""
    reflect = commands.add_parser(
        "reflect",
        parents=[common],
        help="look at what is new and suggest tidier pages",
        description="Look at the notes that no earlier run has seen, and suggest edits of the pages"
        " in bank/ and of core memory. Nothing is changed until you say so with daybank review.",
    )
    reflect.add_argument(
        "--since",
        type=bound(parse_since),
        metavar="WHEN",
        help="look at everything from then on: 7d, 2025-11-01, “last week”",
    )
    reflect.add_argument(
        "--phase",
        action="append",
        default=[],
        choices=[str(phase) for phase in PHASES],
        help="only this part; may be repeated",
    )
    reflect.add_argument(
        "--dry-run", action="store_true", help="show what would be suggested and keep nothing"
    )
    reflect.add_argument("--skipped", action="store_true", help="list what was skipped, and why")
    reflect.add_argument("--json", action="store_true", help="print JSON")
    reflect.set_defaults(run=_reflect)

    review = commands.add_parser("review", help="answer suggestions")
    actions = review.add_subparsers(title="actions", metavar="ACTION", required=True)
    _add_review(actions, common)

    opinions = commands.add_parser(
        "opinions", parents=[common], help="opinions, and how sure they are"
    )
    opinions.add_argument("name", nargs="?", type=text, help="only about this person or thing")
    opinions.add_argument("--history", action="store_true", help="with what moved each, day by day")
    opinions.add_argument("--json", action="store_true", help="print JSON")
    opinions.set_defaults(run=_opinions)


def _add_review(actions: Commands, common: Parser) -> None:
    def action(
        name: str, run: Callable[[argparse.Namespace, Output], int], about: str
    ) -> argparse.ArgumentParser:
        parser = actions.add_parser(name, parents=[common], help=about)
        parser.set_defaults(run=run)
        return parser

    listing = action("list", _list, "the suggestions that wait")
    listing.add_argument("--all", action="store_true", help="also those answered before")
    listing.add_argument("--json", action="store_true", help="print JSON")
    show = action("show", _show, "one suggestion, as a diff with its reasons")
    show.add_argument("id", type=text)
    show.add_argument("--json", action="store_true", help="print JSON")
    approve = action("approve", _approve, "write suggestions into their pages")
    approve.add_argument("id", nargs="+", type=text, help="their ids, or “all”")
    approve.add_argument(
        "--change", type=int, action="append", metavar="N",
        help="only this change of the suggestion (from 1), the others go on waiting;"
        " may be repeated",
    )  # fmt: skip
    approve.add_argument(
        "--allow-shrink", action="store_true", help="also if much of a page would go"
    )
    reject = action("reject", _reject, "say no; it does not come back")
    never = action("never", _never, "say no, and never to be shown the like again")
    for parser in (reject, never):
        parser.add_argument("id", type=text)
        parser.add_argument("--change", type=int, action="append", metavar="N")
    undo = action("undo", _undo, "take an approved suggestion back")
    undo.add_argument("id", type=text)
    reopen = action("reopen", _reopen, "let what was rejected or taken back wait again")
    reopen.add_argument("id", type=text)
    nevers = action("nevers", _nevers, "the topics that are never suggested")
    nevers.add_argument("--json", action="store_true", help="print JSON")
    forget = action("forget", _forget, "let such a topic be suggested again")
    forget.add_argument("topic", type=text, help="see daybank review nevers")


# -- reflect


def _reflect(arguments: argparse.Namespace, output: Output) -> int:
    with open_chosen(arguments) as workspace:
        outcome = workspace.reflect_with_drafts(
            arguments.since,
            dry_run=arguments.dry_run,
            phases=arguments.phase,
            progress=progress_line(),
        )
    report = outcome.report
    if arguments.json:
        output.json(report.to_json())
        return FOUND
    if arguments.dry_run:
        for draft in outcome.drafts:
            _show_draft(draft, output)
    else:
        _show_proposed(report, output)
    _show_summary(report, output)
    if arguments.skipped:
        for item in report.skipped:
            what = f" “{item.what}”" if item.what else ""
            output.line((f"skipped {item.source}{what}: {item.reason}", "dim"))
    return FOUND


def _show_proposed(report: ReflectionReport, output: Output) -> None:
    by_proposal: dict[str, list[str]] = {}
    targets: dict[str, str] = {}
    for item in report.proposed:
        by_proposal.setdefault(item.proposal, []).append(item.reason)
        targets[item.proposal] = item.target
    for pid, reasons in by_proposal.items():
        output.line((pid, "bold"), f"  {targets[pid]}")
        for reason in reasons:
            output.line(f"  - {reason}")


def _show_draft(draft: Draft, output: Output) -> None:
    output.line((draft.target, "bold"), f"  {draft.hunk.reason}")
    _show_lines(draft.hunk, output)
    output.line()


def _show_summary(report: ReflectionReport, output: Output) -> None:
    looked = f"Looked at {report.new} new notes of {report.facts}"
    logs = f" and {report.logs} logs without notes" if report.logs else ""
    if report.nothing_new:
        waiting = len(report.proposed)
        left = f" {waiting} suggested changes are still waiting." if waiting else ""
        output.line(f"Nothing new since the last reflection.{left}")
        return
    output.line(
        f"{looked}{logs} ({report.seconds:.1f} s): {len(report.fresh)} new changes suggested,"
        f" {report.skipped_in_all} candidates skipped."
    )
    if report.proposed and not report.dry_run:
        output.line(("See them with daybank review show ID, approve with review approve.", "dim"))


# -- review


def _list(arguments: argparse.Namespace, output: Output) -> int:
    with open_chosen(arguments) as workspace:
        found = list(workspace.proposals())
        if arguments.all:
            found += workspace.settled_proposals()
    if arguments.json:
        output.json({"proposals": [_as_json(proposal) for proposal in found]})
        return FOUND if found else NOTHING
    for proposal in found:
        count = len(proposal.hunks)
        state = "" if proposal.state is State.WAITING else f" ({proposal.state})"
        changes = "1 change" if count == 1 else f"{count} changes"
        output.line((proposal.id, "bold"), f"  {proposal.target}, {changes}{state}")
        output.line((f"  {proposal.reason}", "dim"))
    if not found:
        say("Nothing is waiting.")
    return FOUND if found else NOTHING


def _show(arguments: argparse.Namespace, output: Output) -> int:
    with open_chosen(arguments) as workspace:
        proposal = _find(workspace, arguments.id)
    if arguments.json:
        output.json(_as_json(proposal))
        return FOUND
    output.line((proposal.target, "bold"), f"  {proposal.state}")
    output.line(proposal.reason)
    for number, hunk in enumerate(proposal.hunks, 1):
        output.line()
        answer = "" if hunk.decision is Decision.WAITING else f" ({hunk.decision})"
        output.line((f"Change {number}{answer}", "bold"), f"  {hunk.reason}")
        for item in hunk.evidence:
            when = describe(Interval.day(item.day)) if item.day else "—"
            stance = f"{item.stance}: " if item.stance else ""
            output.line((f"  {when} · {item.source}  ", "dim"), f"{stance}{item.quote}")
    output.line()
    base = proposal.base_text or ""
    new = apply_hunks(base, accepted(proposal.hunks) if _is_settled(proposal) else proposal.hunks)
    for line in unified_diff(proposal.target, base, new).split("\n")[:-1]:
        output.line(_coloured(line))
    return FOUND


def _approve(arguments: argparse.Namespace, output: Output) -> int:
    with open_chosen(arguments) as workspace:
        if arguments.id == ["all"]:
            if arguments.change is not None:
                fail("--change goes with one suggestion, not with “all”.")
            return _approve_all(workspace, output, allow_shrink=arguments.allow_shrink)
        if arguments.change is not None and len(arguments.id) > 1:
            fail("--change goes with one suggestion.")
        code = FOUND
        for pid in arguments.id:
            try:
                _approve_one(workspace, pid, arguments, output)
            except (ProposalChanged, ProposalConflict) as error:
                say(f"daybank: {error} See it again with daybank review show {pid}.")
                code = FAILED
            except DaybankError as error:
                say(f"daybank: {pid}: {error}")
                code = FAILED
    return code


def _approve_one(
    workspace: Workspace, pid: str, arguments: argparse.Namespace, output: Output
) -> None:
    proposal = _find(workspace, pid)
    hunks = _chosen(arguments.change, proposal)
    done = workspace.approve(proposal.id, hunks, allow_shrink=arguments.allow_shrink)
    output.line(_told(done))
    if done.commit is not None and not done.commit.done:
        say(f"daybank: {done.commit.message}")


def _told(done: Applied) -> str:
    """What an approval came to, in sentences."""
    proposal = done.proposal
    if proposal.state is State.REJECTED:
        return f"Nothing was saved in {proposal.target}: every change of {proposal.id} is rejected."
    if proposal.state is State.WITHDRAWN:
        return f"{proposal.target} says all of it already."
    waits = ""
    if done.rest is not None:
        count = len(done.rest.hunks)
        waits = f" {count} other changes wait" if count > 1 else " 1 other change waits"
        waits += f" as {done.rest.id}."
    already = " already" if done.already else ""
    return (
        f"Saved in {proposal.target}{already}.{waits}"
        f" Take it back with daybank review undo {proposal.id}."
    )


def _approve_all(workspace: Workspace, output: Output, *, allow_shrink: bool) -> int:
    waiting = workspace.proposals()
    if not waiting:
        say("Nothing is waiting.")
        return NOTHING
    targets = {proposal.id: proposal.target for proposal in waiting}
    code = FOUND
    for done in workspace.approve_many(tuple(targets), allow_shrink=allow_shrink):
        if done.error is not None:
            say(f"daybank: {targets[done.id]}: {done.error}")
            code = FAILED
        elif done.applied is not None and done.applied.proposal.state is not State.APPLIED:
            output.line(_told(done.applied))
        else:
            output.line(f"Saved in {targets[done.id]} ({done.id}).")
    return code


def _reject(arguments: argparse.Namespace, output: Output) -> int:
    with open_chosen(arguments) as workspace:
        proposal = _find_one(workspace, arguments.id)
        workspace.reject(proposal.id, _chosen(arguments.change, proposal))
    output.line("Rejected. It does not come back.")
    return FOUND


def _never(arguments: argparse.Namespace, output: Output) -> int:
    with open_chosen(arguments) as workspace:
        proposal = _find_one(workspace, arguments.id)
        workspace.never(proposal.id, _chosen(arguments.change, proposal))
    output.line("Rejected, and nothing like it is suggested again.")
    return FOUND


def _undo(arguments: argparse.Namespace, output: Output) -> int:
    with open_chosen(arguments) as workspace:
        proposal = _find_one(workspace, arguments.id)
        workspace.undo(proposal.id)
    output.line(
        f"Taken back from {proposal.target}. daybank review reopen {proposal.id} suggests it again."
    )
    return FOUND


def _reopen(arguments: argparse.Namespace, output: Output) -> int:
    with open_chosen(arguments) as workspace:
        proposal = workspace.reopen(_find_one(workspace, arguments.id).id)
    output.line(f"{proposal.id} waits again, for {proposal.target}.")
    return FOUND


def _nevers(arguments: argparse.Namespace, output: Output) -> int:
    with open_chosen(arguments) as workspace:
        topics = workspace.nevers()
    if arguments.json:
        output.json({"topics": list(topics)})
        return FOUND if topics else NOTHING
    for topic in topics:
        output.line(topic)
    if not topics:
        say("No topic is kept from being suggested.")
    return FOUND if topics else NOTHING


def _forget(arguments: argparse.Namespace, output: Output) -> int:
    with open_chosen(arguments) as workspace:
        if arguments.topic not in workspace.nevers():
            say(f"“{arguments.topic}” is not among the topics that daybank review nevers lists.")
            return NOTHING
        workspace.forget_never(arguments.topic)
    output.line(f"“{arguments.topic}” may be suggested again.")
    return FOUND


def _find_one(workspace: Workspace, pid: str) -> Proposal:
    """Like :func:`_find`, for an answer that is given to one at a time."""
    if pid == "all":
        fail("Only approve takes “all”. Give the id of one suggestion; daybank review list has it.")
    return _find(workspace, pid)


def _find(workspace: Workspace, pid: str) -> Proposal:
    """The suggestion of this id, or the only one whose id begins with it."""
    every = (*workspace.proposals(), *workspace.settled_proposals())
    near = [p for p in every if p.id == pid] or [p for p in every if p.id.startswith(pid)]
    if len(near) > 1:
        fail(f"{len(near)} suggestions begin with “{pid}”. Give more of the id.")
    return near[0] if near else workspace.proposal(pid)


def _chosen(numbers: list[int] | None, proposal: Proposal) -> list[int] | None:
    """Changes as the library counts them, from 0."""
    if numbers is None:
        return None
    if proposal.state is not State.WAITING:
        return [n - 1 for n in numbers]  # refused, with a sentence that says why
    wrong = [n for n in numbers if not 1 <= n <= len(proposal.hunks)]
    if wrong:
        fail(f"There is no change {wrong[0]}; this suggestion has {len(proposal.hunks)}.")
    return [n - 1 for n in numbers]


def _is_settled(proposal: Proposal) -> bool:
    return proposal.state in (State.APPLIED, State.UNDONE)


def _as_json(proposal: Proposal) -> dict[str, object]:
    return {
        "id": proposal.id,
        "target": proposal.target,
        "state": str(proposal.state),
        "phase": str(proposal.phase),
        "reason": proposal.reason,
        "hunks": [
            {
                "line": hunk.line,
                "old": list(hunk.old),
                "new": list(hunk.outcome),
                "reason": hunk.reason,
                "decision": str(hunk.decision),
                "certainty": round(hunk.certainty, 3),
                "evidence": [
                    {
                        "source": item.source,
                        "id": item.id,
                        "day": item.day.isoformat() if item.day else None,
                        "quote": item.quote,
                        "stance": item.stance,
                    }
                    for item in hunk.evidence
                ],
            }
            for hunk in proposal.hunks
        ],
        "created": proposal.created.isoformat(),
    }


def _show_lines(hunk: Hunk, output: Output) -> None:
    for line in hunk.old:
        if line not in hunk.outcome:
            output.line(("- " + line, "error"))
    for line in hunk.outcome:
        if line not in hunk.old:
            output.line(("+ " + line, "ok"))


def _coloured(line: str) -> str | tuple[str, str]:
    if line.startswith("+"):
        return line, "ok"
    if line.startswith("-"):
        return line, "error"
    return line, "dim"


# -- opinions


def _opinions(arguments: argparse.Namespace, output: Output) -> int:
    with open_chosen(arguments) as workspace:
        stale = sync_if_possible(workspace)
        found = workspace.opinions(arguments.name)
    if stale is not None:
        say(f"daybank: {stale}")
    if arguments.json:
        output.json({"opinions": [opinion.to_json() for opinion in found]})
        return FOUND if found else NOTHING
    for opinion in found:
        _show_opinion(opinion, output, history=arguments.history)
    if not found:
        about = f" about “{arguments.name}”" if arguments.name else ""
        say(f"No opinion{about} is written down.")
    return FOUND if found else NOTHING


def _show_opinion(opinion: Opinion, output: Output, *, history: bool) -> None:
    who = f"{', '.join(opinion.entities)}: " if opinion.entities else ""
    gone = "  (superseded)" if opinion.superseded_by else ""
    output.line(
        (f"{round(opinion.confidence * 100):3} %", "opinion"),
        f"  {who}{opinion.statement}{gone}  ",
        (str(opinion.source), "dim"),
    )
    if not history:
        return
    for step in opinion.steps:
        when = describe(Interval.day(step.day)) if step.day else "—"
        change = f"{round(step.delta * 100):+d}" if step.delta else ""
        said = f"  {step.content}" if step.content else ""
        where = f"  {step.source}" if step.source else ""
        output.line(
            (f"       {when:12} {round(step.value * 100):3} % {change:>4}  ", "dim"),
            f"{_STEP[step.key]}{said}",
            (f"{where}  {step.rule}", "dim"),
        )
