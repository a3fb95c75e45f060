"""A line for a page, put into a sentence by a language model, or left as it is.

What is left as it is, is complete: the notes' own words. So every doubt is answered by leaving it.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from typing import TYPE_CHECKING

from daybank.errors import LanguageModelError
from daybank.index.store import StoredPassage
from daybank.progress import CancelToken
from daybank.reflect.cautious import unfit_for_pages
from daybank.reflect.phrasing import unwritable
from daybank.reflect.wording.checking import (
    LONGEST,
    Note,
    Sentence,
    ends_a_sentence,
    names_left_out,
    note_of,
    trouble_with,
)
from daybank.reflect.wording.interface import LanguageModel
from daybank.reflect.wording.prompts import WORDING, json_in, shown_as_data

if TYPE_CHECKING:
    from daybank.reflect.material import Material

log = logging.getLogger(__name__)

MOST_NOTES = 5
MOST_TOKENS = 400


class Wording:
    """Words lines with a model. May be used from one thread at a time."""

    def __init__(self, model: LanguageModel) -> None:
        self._model = model

    def line(
        self, draft_line: str, facts: Sequence[StoredPassage], cancel: CancelToken | None = None
    ) -> str:
        """``draft_line`` in a sentence that the ``facts`` behind it bear out, or unchanged.

        ``draft_line`` has neither list mark, kind nor citation, and the answer has none either.
        Raises Cancelled and nothing else.
        """
        if not _may_be_asked_about(facts):
            return draft_line
        notes = [note_of(fact) for fact in facts]
        if any(len(note.text) > LONGEST for note in notes):
            return draft_line
        try:
            answer = self._model.complete(
                WORDING, _prompt(notes), most_tokens=MOST_TOKENS, cancel=cancel
            )
        except LanguageModelError:
            return draft_line
        return _worded(answer, draft_line, notes) or draft_line


def reword(material: Material, draft_line: str, facts: Sequence[StoredPassage]) -> str:
    """``draft_line`` as the run's language model words it; unchanged where there is none, or where
    its answer does not hold. See :meth:`Wording.line`. Raises Cancelled."""
    if material.wording is None:
        return draft_line
    return material.wording.line(draft_line, facts, material.cancel)


def _may_be_asked_about(facts: Sequence[StoredPassage]) -> bool:
    """Orders and secrets are shown to no model, and neither is what others or machines wrote."""
    if not 1 <= len(facts) <= MOST_NOTES:
        return False
    return not any(
        fact.untrusted or fact.machine or unfit_for_pages(fact.content) or unwritable(fact)
        for fact in facts
    )


def _prompt(notes: Sequence[Note]) -> str:
    return shown_as_data(
        [
            {
                "note": number,
                "about": list(note.unsaid),
                "day": note.day.isoformat() if note.day is not None else None,
                "text": note.text,
            }
            for number, note in enumerate(notes, 1)
        ]
    )


def _worded(answer: str, draft_line: str, notes: Sequence[Note]) -> str | None:
    """The text of an answer that holds; None of one that does not."""
    sentences = _sentences(answer, notes)
    if sentences is None:
        log.info("a wording was not used: it is not in the form asked for")
        return None
    for sentence in sentences:
        if trouble := trouble_with(sentence):
            log.info("a wording was not used: %s", trouble)
            return None
    text = " ".join(sentence.text for sentence in sentences)
    if len(text) > LONGEST or names_left_out(text, draft_line, notes):
        log.info("a wording was not used: it is too long, or does not say whom it is about")
        return None
    return text


def _sentences(answer: str, notes: Sequence[Note]) -> list[Sentence] | None:
    """The sentences of an answer, between them citing every note once; None for another form."""
    told = json_in(answer)
    if not isinstance(told, dict) or set(told) != {"sentences"}:
        return None
    items = told["sentences"]
    if not isinstance(items, list) or not 1 <= len(items) <= len(notes):
        return None
    out: list[Sentence] = []
    cited: list[int] = []
    for item in items:
        if not isinstance(item, dict) or set(item) != {"text", "notes"}:
            return None
        text, numbers = item["text"], item["notes"]
        if not isinstance(text, str) or not isinstance(numbers, list):
            return None
        if not all(type(n) is int and 1 <= n <= len(notes) for n in numbers):
            return None
        cited += numbers
        out.append(Sentence(text.strip(), tuple(notes[n - 1] for n in numbers)))
    if sorted(cited) != list(range(1, len(notes) + 1)):
        return None
    if not all(ends_a_sentence(sentence.text) for sentence in out[:-1]):
        return None
    return out
