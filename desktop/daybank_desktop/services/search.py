"""What is asked and what was answered: text, kinds and order in, one answer out.

GUI thread; recall itself runs on the read lane. Only the newest question is ever answered: one that
was overtaken is cancelled, and its answer is dropped wherever it is by then.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from datetime import date
from enum import Enum
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal

from daybank.errors import DaybankError
from daybank.markdown.model import Kind
from daybank.recall.results import RecallAnswer, RecallResult
from daybank_desktop.services.library import Library
from daybank_desktop.tasks import Lane, Tasks

if TYPE_CHECKING:
    from daybank import Entity

DEBOUNCE_MS = 75
FIRST = 100  # results asked for at first
MOST = 5_000


class Order(Enum):
    """How the list is sorted."""

    BEST = "best"
    NEWEST = "newest"
    OLDEST = "oldest"


@dataclass(frozen=True, slots=True)
class Question:
    """All that decides the answer."""

    text: str = ""
    kinds: tuple[Kind, ...] = ()
    entities: tuple[str, ...] = ()
    order: Order = Order.BEST
    limit: int = FIRST

    @property
    def is_blank(self) -> bool:
        return not (self.text.strip() or self.kinds or self.entities)


@dataclass(frozen=True, slots=True)
class Answer:
    """``results`` in the order asked for. ``is_refresh``: the same question, asked again by us."""

    question: Question
    recall: RecallAnswer
    results: tuple[RecallResult, ...]
    is_refresh: bool = False


class Search(QObject):
    """The question in the box. Setters ask again by themselves; typing waits for a short pause."""

    asking = Signal()
    answered = Signal(object)  # Answer
    failed = Signal(object)  # DaybankError
    text_edited = Signal(str)  # we cut something out; the box should show it

    def __init__(self, tasks: Tasks, library: Library, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._tasks = tasks
        self._library = library
        self._question = Question()
        self._answer: Answer | None = None
        self.by_meaning = True
        """Off while the first such search would have to wait until that is loaded."""
        self._pause = QTimer(self, singleShot=True, interval=DEBOUNCE_MS)
        self._pause.timeout.connect(self.ask)
        library.opened.connect(self._on_opened)
        library.changed.connect(self.refresh)

    @property
    def question(self) -> Question:
        return self._question

    @property
    def answer(self) -> Answer | None:
        """The newest answer, or None while there is none to this folder."""
        return self._answer

    def set_text(self, text: str) -> None:
        """What is in the box now; asked after a pause in typing."""
        if text != self._question.text:
            self._question = replace(self._question, text=text, limit=FIRST)
            self._pause.start()

    def submit(self) -> None:
        """Ask now, as Enter does."""
        if self._pause.isActive():
            self.ask()

    def toggle_kind(self, kind: Kind) -> None:
        kinds = self._question.kinds
        chosen = tuple(k for k in kinds if k != kind) if kind in kinds else (*kinds, kind)
        self._ask_with(replace(self._question, kinds=chosen, limit=FIRST))

    def set_order(self, order: Order) -> None:
        if order is not self._question.order:
            self._ask_with(replace(self._question, order=order))

    def remove_window(self) -> None:
        """Ask again without the time: its words leave the box."""
        query = self._answer.recall.query if self._answer else None
        if query is not None and query.window_phrase:
            self._cut((query.window_phrase,))

    def remove_entity(self, name: str) -> None:
        """Ask again without a person or thing: its name leaves the box, whichever was typed."""
        if name in self._question.entities:
            left = tuple(other for other in self._question.entities if other != name)
            self._ask_with(replace(self._question, entities=left, limit=FIRST))
            return
        workspace = self._library.workspace
        if self._cut((name,)) or workspace is None:
            return
        self._tasks.run(
            Lane.READ,
            lambda job: workspace.entity(name),
            done=self._cut_aliases,
            channel="aliases",
        )

    def remove_last_understood(self) -> bool:
        """Backspace in front of the text: the last chip goes."""
        query = self._answer.recall.query if self._answer else None
        if query is None:
            return False
        if query.entities:
            self.remove_entity(query.entities[-1])
            return True
        if query.window_phrase:
            self.remove_window()
            return True
        return False

    def more(self) -> None:
        """Ask for more of the same list, when the person has scrolled to its end."""
        answer = self._answer
        if answer is None or answer.question != self._question or not self.has_more:
            return
        self._ask_with(replace(self._question, limit=min(MOST, self._question.limit * 4)))

    @property
    def has_more(self) -> bool:
        answer = self._answer
        return (
            answer is not None
            and answer.recall.found > len(answer.results) >= answer.question.limit
            and answer.question.limit < MOST
        )

    def ask(self) -> None:
        """Ask the question as it stands."""
        self._pause.stop()
        self._run(is_refresh=False)

    def refresh(self) -> None:
        """The notes have changed: ask the same again, quietly."""
        if not self._pause.isActive():
            self._run(is_refresh=self._answer is not None)

    def _run(self, *, is_refresh: bool) -> None:
        workspace = self._library.workspace
        if workspace is None:
            return
        question = self._question
        # Sorting by day is only right over everything that was found.
        limit = question.limit if question.order is Order.BEST else MOST
        by_meaning = self.by_meaning
        if not is_refresh:
            self.asking.emit()
        self._tasks.run(
            Lane.READ,
            lambda job: answer_to(
                question,
                workspace.recall(
                    question.text,
                    k=limit,
                    kinds=question.kinds,
                    entities=question.entities,
                    semantic=by_meaning,
                    cancel=job.cancel,
                ),
                is_refresh=is_refresh,
            ),
            done=self._on_answer,
            failed=self._on_failure,
            channel="recall",
        )

    def _ask_with(self, question: Question) -> None:
        self._question = question
        self.ask()

    def _cut_aliases(self, entity: Entity | None) -> None:
        self._cut(entity.aliases if entity is not None else ())

    def _cut(self, phrases: tuple[str, ...]) -> bool:
        text = self._question.text
        for phrase in phrases:
            text = without_phrase(text, phrase)
        if text == self._question.text:
            return False
        self._question = replace(self._question, text=text, limit=FIRST)
        self.text_edited.emit(text)
        self.ask()
        return True

    def _on_opened(self) -> None:
        self._answer = None
        self._question = replace(self._question, kinds=(), entities=(), limit=FIRST)
        self.ask()

    def _on_answer(self, answer: Answer) -> None:
        self._answer = answer
        self.answered.emit(answer)

    def _on_failure(self, error: DaybankError) -> None:
        self._answer = None
        self.failed.emit(error)


def answer_to(question: Question, recall: RecallAnswer, *, is_refresh: bool = False) -> Answer:
    """Put what was recalled in the order asked for. Undated notes come last in both day orders."""
    results = recall.results
    if question.order is not Order.BEST:
        newest = question.order is Order.NEWEST
        dated = [result for result in results if result.day is not None]
        undated = tuple(result for result in results if result.day is None)
        dated.sort(key=lambda result: result.day or date.min, reverse=newest)
        results = (*dated, *undated)
    return Answer(question, recall, results, is_refresh)


def without_phrase(text: str, phrase: str) -> str:
    """``text`` without the last standing-alone ``phrase`` (or ``@phrase``), spaces closed up."""
    words = phrase.split()
    if not words:
        return text
    pattern = r"(?<!\w)@?\[?" + r"\s+".join(re.escape(word) for word in words) + r"\]?(?!\w)"
    found = list(re.finditer(pattern, text, re.IGNORECASE))
    if not found:
        return text
    before, after = text[: found[-1].start()].rstrip(), text[found[-1].end() :].lstrip()
    return f"{before} {after}".strip()
