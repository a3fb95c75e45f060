"""What the tests of the page phases share: material of a workspace, and a person who says yes."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import date

from core_tools import write_files

from daybank import Workspace
from daybank.markdown.document import decode
from daybank.markdown.inline import citations
from daybank.reflect.material import Material, PhaseResult
from daybank.review.hunks import apply_hunks, apply_to_bytes
from daybank.review.proposal import Draft, Hunk

Suggest = Callable[[Material], PhaseResult]


def material_of(
    workspace: Workspace,
    *,
    since: date | None = None,
    gone: Iterable[str] = (),
    core_budget: int = 2000,
) -> Material:
    """The material of a run for which every fact (from ``since`` on) is new."""
    store = workspace._store
    facts = store.evidence(store.evidence_ids())
    if since is not None:
        facts = [fact for fact in facts if fact.day is not None and fact.day >= since]
    return Material(
        workspace._folder,
        store,
        workspace._engine.names(),
        workspace._clock.now(),
        tuple(facts),
        frozenset(gone),
        since,
        core_budget=core_budget,
    )


def accept(workspace: Workspace, drafts: Iterable[Draft]) -> None:
    """Carry out every draft on the files, and read them again."""
    by_target: dict[str, list[Hunk]] = {}
    for draft in drafts:
        by_target.setdefault(draft.target, []).append(draft.hunk)
    for target, hunks in by_target.items():
        place = workspace._folder.absolute(target)
        data = place.read_bytes() if place.exists() else b""
        after = apply_to_bytes(data, hunks)
        assert decode(after).text == apply_hunks(decode(data).text, hunks)
        write_files(workspace.path, {target: after})
    workspace.sync()


def text_of(workspace: Workspace, path: str) -> str:
    return workspace._folder.absolute(path).read_bytes().decode()


def lines_in(result: PhaseResult) -> list[str]:
    """Every new line that is suggested, in order."""
    return [line for draft in result.drafts for line in draft.hunk.new]


def reasons(result: PhaseResult) -> list[str]:
    """Why something was left out, each reason with what it was."""
    return [f"{item.what} — {item.reason}" for item in result.skipped]


def accept_all(workspace: Workspace, suggest: Suggest, **options: object) -> PhaseResult:
    """Suggest, say yes to everything, and hold that nothing is suggested after that."""
    result = suggest(material_of(workspace, **options))  # type: ignore[arg-type]
    accept(workspace, result.drafts)
    again = suggest(material_of(workspace, **options))  # type: ignore[arg-type]
    assert [(d.target, d.hunk.old, d.hunk.new) for d in again.drafts] == []
    return result


def cites_what_exists(workspace: Workspace, draft: Draft) -> bool:
    """Whether every bullet that a draft puts in cites a note that is there."""
    for line in draft.hunk.new:
        if not line.startswith("- "):
            continue
        ids = [cite for cite in citations(line) if cite.startswith("f-")]
        places = [cite for cite in citations(line) if not cite.startswith("f-")]
        if not ids or not places:
            return False
        found = {str(fact.source) for uid in ids for fact in workspace._store.by_uid(uid)}
        if not found.intersection(places):
            return False
    return True
