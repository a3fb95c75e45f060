"""Notes for logs that have none: what a plain log says that is worth keeping, as an addition at
its end. A log is looked at once its day is over, and again when it was changed."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date

from daybank.markdown.document import decode
from daybank.markdown.passages import parse_file
from daybank.markdown.retain import write_bullet
from daybank.progress import check_cancel
from daybank.reflect.extract import Extraction, infer_retain
from daybank.reflect.material import Material, PhaseResult, Skipped
from daybank.review.hunks import split_lines
from daybank.review.proposal import Draft, Evidence, Hunk, Phase


def suggest_notes(material: Material, logs: Iterable[str]) -> PhaseResult:
    """What to keep of ``logs`` (workspace paths of daily logs). Raises Cancelled."""
    drafts: list[Draft] = []
    skipped: list[Skipped] = []
    for path in logs:
        check_cancel(material.cancel)
        data = material.read(path)
        if data is None:
            continue
        parsed = parse_file(path, data)
        found = infer_retain(parsed, material.names, data=data)
        skipped += [
            Skipped(Phase.RETAIN, str(line.source), "", line.reason) for line in found.skipped
        ]
        if found.bullets:
            drafts.append(_draft(path, data, parsed.day, found))
    return PhaseResult(tuple(drafts), tuple(skipped))


def _draft(path: str, data: bytes, day: date | None, found: Extraction) -> Draft:
    lines = split_lines(decode(data).text)
    end = len(lines)
    while end and not lines[end - 1].strip():
        end -= 1
    bullets = [f"- {write_bullet(item.bullet)}" for item in found.bullets]
    lead = ("",) if end else ()
    count = len(bullets)
    reasons = "; ".join(dict.fromkeys(item.reason for item in found.bullets))
    hunk = Hunk(
        len(lines) + 1,
        (),
        (*(lead if end == len(lines) else ()), "## Retain", *bullets),
        f"{count} {'note' if count == 1 else 'notes'} worth keeping: {reasons}.",
        tuple(Evidence(str(item.source), "", day, item.bullet.text) for item in found.bullets),
        f"retain:{path}",
        min(0.9, 0.4 + sum(item.score for item in found.bullets) / (10 * count)),
    )
    return Draft(path, Phase.RETAIN, hunk)
