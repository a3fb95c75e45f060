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
        if _is_gone(material, fact):
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


def _is_gone(material: Material, fact: Passage) -> bool:
    """Whether every note that it cites is gone. A citation is a place and then an id."""
    cited = [
        (uid, place.partition("#")[0] if not place.startswith("f-") else "")
        for place, uid in zip(("", *fact.cites), fact.cites, strict=False)
        if uid.startswith("f-")
    ]
    return bool(cited) and all(material.is_gone(uid, path) for uid, path in cited)
