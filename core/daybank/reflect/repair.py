"""Lines of the curated pages that have lost their ground: a citation whose note is in no file any
more, and the same fact written down twice. Lines between Daybank's own marks are minded by the
phases that keep them, and opinions by theirs."""

from __future__ import annotations

from daybank.markdown.document import decode
from daybank.markdown.model import Kind, Passage
from daybank.markdown.names import entity_key, fold_text
from daybank.markdown.passages import parse_file
from daybank.reflect.material import Material, PhaseResult
from daybank.review.hunks import split_lines
from daybank.review.proposal import Draft, Hunk, Phase

PAGES = ("bank/world.md", "bank/experience.md")


def suggest_repairs(material: Material) -> PhaseResult:
    """Lines to take out of ``bank/world.md`` and ``bank/experience.md``."""
    drafts: list[Draft] = []
    for path in PAGES:
        data = material.read(path)
        if data is not None:
            drafts += _of_page(material, path, data)
    return PhaseResult(tuple(drafts))


def _of_page(material: Material, path: str, data: bytes) -> list[Draft]:
    lines = split_lines(decode(data).text)
    drafts = []
    seen: dict[tuple[str, str, tuple[str, ...]], Passage] = {}
    for fact in parse_file(path, data).passages:
        if not fact.kind.is_fact or fact.kind is Kind.OPINION or fact.machine:
            continue
        key = (
            fact.kind.value,
            fold_text(fact.content),
            tuple(sorted(map(entity_key, fact.mentions))),
        )
        ids = [cite for cite in fact.cites if cite.startswith("f-")]
        gone = [uid for uid in ids if uid in material.gone]
        if ids and len(gone) == len(ids):
            reason = "The note it cites is gone."
        elif key in seen:
            reason = f"It says the same as line {seen[key].source.line_start}."
        else:
            seen[key] = fact
            continue
        first, last = fact.source.line_start, fact.source.line_end
        hunk = Hunk(
            first,
            tuple(lines[first - 1 : last]),
            (),
            reason,
            (),
            f"repair:{path}:{fact.fact_id}",
            0.7,
        )
        drafts.append(Draft(path, Phase.REPAIR, hunk))
    return drafts
