"""A stance judge that asks a language model for a second opinion.

The rules decide. The model can make them more careful: a contradiction needs both, and a support or
a doubt that the model does not see counts half. Where the rules have nothing to say about two texts
that are close, it can add a little weight. It never turns a judgement round, and it never makes a
contradiction by itself.
"""

from __future__ import annotations

import logging
from dataclasses import replace
from typing import Protocol

from daybank.errors import LanguageModelError
from daybank.progress import CancelToken
from daybank.reflect.cautious import unfit_for_pages
from daybank.reflect.judgement import Judgement, Stance
from daybank.reflect.stance import Statement
from daybank.reflect.stance.judge import SPEAKS_OF_ELSE
from daybank.reflect.wording.interface import LanguageModel
from daybank.reflect.wording.prompts import STANCE, json_in, shown_as_data

log = logging.getLogger(__name__)

REASON = "judged by the language model on this computer"
UNDECIDED = SPEAKS_OF_ELSE
"""The reason of the rules when none of them has anything to say. With another reason they know
why the two are unrelated, and nobody else is asked."""
CLOSE = 0.5
"""The cosine from which two texts are close."""
MOST_WEIGHT = 0.5
"""The strength of what only the model sees, and the most of what it does not."""
MOST_TOKENS = 40
LONGEST = 600


class Judge(Protocol):
    """What judges stances: the rules, or the rules and a model."""

    def judge(self, opinion: Statement, fact: Statement, similarity: float | None) -> Judgement:
        """What ``fact`` does to ``opinion``."""
        ...


class ConfirmedJudge:
    """A :class:`Judge` over another one and a model. One thread at a time."""

    def __init__(
        self, judge: Judge, model: LanguageModel, cancel: CancelToken | None = None
    ) -> None:
        self._judge = judge
        self._model = model
        self._cancel = cancel

    def judge(self, opinion: Statement, fact: Statement, similarity: float | None) -> Judgement:
        """What ``fact`` does to ``opinion``; without an answer from the model, what the rules say.
        Raises Cancelled."""
        ruled = self._judge.judge(opinion, fact, similarity)
        if ruled.stance is Stance.UNRELATED and not _is_close(ruled, similarity):
            return ruled
        second = self._second(opinion, fact)
        if second is None or second is ruled.stance:
            return ruled
        if ruled.stance is Stance.UNRELATED:
            return _added(second)
        return _doubted(ruled, second)

    def _second(self, opinion: Statement, fact: Statement) -> Stance | None:
        """The model's own judgement; None where there is none to be had."""
        for statement in (opinion, fact):
            if len(statement.text) > LONGEST or unfit_for_pages(statement.text):
                return None
        shown = [
            {"what": "opinion", "about": list(opinion.names), "text": opinion.text},
            {"what": "note", "about": list(fact.names), "text": fact.text},
        ]
        try:
            answer = self._model.complete(
                STANCE, shown_as_data(shown), most_tokens=MOST_TOKENS, cancel=self._cancel
            )
        except LanguageModelError:
            return None
        stance = _stance_in(answer)
        if stance is None:
            log.info("a second opinion was not used: it is not in the form asked for")
        return stance


def _is_close(ruled: Judgement, similarity: float | None) -> bool:
    return ruled.reason == UNDECIDED and similarity is not None and similarity >= CLOSE


def _added(second: Stance) -> Judgement:
    """What the model alone sees. That it is not so any more counts as a doubt: see the module."""
    stance = Stance.WEAKENS if second is Stance.CONTRADICTS else second
    return Judgement(stance, MOST_WEIGHT, REASON)


def _doubted(ruled: Judgement, second: Stance) -> Judgement:
    """What the rules see and the model does not."""
    if ruled.stance is not Stance.CONTRADICTS:
        reason = f"{ruled.reason}; counts half, {REASON} as “{second.value}”"
        return replace(ruled, strength=min(ruled.strength, MOST_WEIGHT), reason=reason)
    stance = Stance.WEAKENS if second is Stance.WEAKENS else Stance.UNRELATED
    strength = MOST_WEIGHT if stance is Stance.WEAKENS else 1.0
    return Judgement(stance, strength, f"{ruled.reason}, but {REASON} as “{second.value}”")


def _stance_in(answer: str) -> Stance | None:
    told = json_in(answer)
    if not isinstance(told, dict) or set(told) != {"stance"}:
        return None
    label = told["stance"]
    return Stance(label) if isinstance(label, str) and label in set(Stance) else None
