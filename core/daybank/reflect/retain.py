"""Notes for logs that have none: what a plain log says that is worth keeping, as an addition at
its end. A log is looked at once its day is over, and again when it was changed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date

from daybank.errors import ProposalRefused
from daybank.markdown.document import decode
from daybank.markdown.passages import parse_file
from daybank.markdown.retain import write_bullet
from daybank.progress import check_cancel
from daybank.reflect.extract import InferredBullet, infer_retain
from daybank.reflect.material import Material, PhaseResult, Skipped
from daybank.reflect.refusals import Refused
from daybank.review.hunks import apply_to_bytes, split_lines
from daybank.review.proposal import Draft, Evidence, Hunk, Phase


def suggest_notes(
    material: Material,
    logs: Iterable[str],
    refused: Refused = frozenset(),
) -> PhaseResult:
    """What to keep of ``logs`` (workspace paths of daily logs). ``refused`` holds (topic, line) of
    notes that a person said no to. Raises Cancelled."""
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
        bullets = []
        for item in found.bullets:
            if (_topic(path), _line(item)) in refused:
                reason = "This was suggested before and rejected."
                skipped.append(Skipped(Phase.RETAIN, str(item.source), item.bullet.text, reason))
            else:
                bullets.append(item)
        if not bullets:
            continue
        draft = _draft(path, data, parsed.day, bullets)
        if _reads_as_notes(path, data, draft.hunk):
            drafts.append(draft)
        else:
            reason = "What is added at the end of this log is not read as notes."
            skipped.append(Skipped(Phase.RETAIN, path, "", reason))
    return PhaseResult(tuple(drafts), tuple(skipped))


def _draft(path: str, data: bytes, day: date | None, bullets: Sequence[InferredBullet]) -> Draft:
    lines = split_lines(decode(data).text)
    needs_gap = bool(lines and lines[-1].strip())
    count = len(bullets)
    reasons = "; ".join(dict.fromkeys(item.reason for item in bullets))
    hunk = Hunk(
        len(lines) + 1,
        (),
        (*(("",) if needs_gap else ()), "## Retain", *map(_line, bullets)),
        f"{count} {'note' if count == 1 else 'notes'} worth keeping: {reasons}.",
        tuple(Evidence(str(item.source), "", day, item.bullet.text) for item in bullets),
        _topic(path),
        min(0.9, 0.4 + sum(item.score for item in bullets) / (10 * count)),
    )
    return Draft(path, Phase.RETAIN, hunk)


def _topic(path: str) -> str:
    return f"retain:{path}"


def _line(item: InferredBullet) -> str:
    return f"- {write_bullet(item.bullet)}"


def _reads_as_notes(path: str, data: bytes, hunk: Hunk) -> bool:
    """Whether the log has a fact for each bullet then; an open code block would swallow them."""
    try:
        after = apply_to_bytes(data, [hunk])
    except ProposalRefused:
        return False
    facts = [passage for passage in parse_file(path, after).passages if passage.kind.is_fact]
    return len(facts) >= len([line for line in hunk.new if line.startswith("- ")])
