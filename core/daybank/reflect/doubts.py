"""Which notes the opinions page has come to doubt: nobody should go by them any more."""

from __future__ import annotations

from daybank.markdown.opinions import OPINIONS, Key, read_opinions
from daybank.reflect.material import Material

DOUBTED = 0.6
"""Below this confidence, what speaks for an opinion is not told as if it were so."""
_FOR = (Key.START, Key.SUPPORTS, Key.RESTATED)


def doubted_facts(material: Material) -> frozenset[str]:
    """The ids of the facts that speak for an opinion which is doubted or superseded, or against
    one that is not."""
    data = material.read(OPINIONS)
    if data is None:
        return frozenset()
    speak_for: set[str] = set()
    out: set[str] = set()
    for entry in read_opinions(OPINIONS, data).entries:
        stands = entry.superseded_by is None and (entry.confidence or 1.0) >= DOUBTED
        for line in entry.evidence:
            if line.id is None:
                continue
            if (line.key in _FOR) is not stands and line.key in (*_FOR, Key.CONTRADICTS):
                out.add(line.id)
            elif line.key in _FOR:
                speak_for.add(line.id)
    return frozenset(out - speak_for)
