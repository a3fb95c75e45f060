"""A topic of the knowledge base written anew: a suggestion that is approved at once.

So what stood there is kept, and can be brought back like after any other approval.
"""

from __future__ import annotations

from daybank.errors import SourceGone
from daybank.knowledge import (
    Written,
    checked_name,
    checked_text,
    page_of,
    says_nothing,
    says_the_same,
    write_topic,
)
from daybank.markdown.document import decode
from daybank.review.apply import Reviewer
from daybank.review.hunks import split_lines
from daybank.review.proposal import Hunk, Phase


def replace_topic(reviewer: Reviewer, topic: str, text: str) -> Written:
    """Put ``text`` in the place of what a topic says; the answer's ``proposal`` takes it back.
    Where nothing is replaced it is written as by :func:`daybank.knowledge.write_topic`.

    Raises PathRefused, NoteNotUnderstood, ProposalRefused where the page may not be written or
    cannot take the letters, ProposalNotSaved (for a new page NoteNotSaved) where the disk refuses.
    """
    folder, name = reviewer.folder, checked_name(topic)
    new = checked_text(name, text)
    path = page_of(folder, name)
    if path is None:
        return write_topic(folder, topic, text)
    try:
        before = folder.read_bytes(path)
    except SourceGone:
        return write_topic(folder, topic, text)
    if says_nothing(before) or says_the_same(before, new):
        return write_topic(folder, topic, text)
    stands = decode(before).text
    hunk = Hunk(1, split_lines(stands), split_lines(new), "Written anew by hand")
    proposal = reviewer.propose(path, [hunk], f"“{name}” was written anew", Phase.HAND)
    reviewer.approve(proposal.id, allow_shrink=True)
    return Written(path, before, folder.read_bytes(path), proposal.id)
