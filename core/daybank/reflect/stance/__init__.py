"""The stance judge: does a fact support, weaken or contradict an opinion, or has it nothing to do
with it? Rules and word lists, no language model."""

from daybank.reflect.stance.judge import StanceJudge
from daybank.reflect.stance.values import Statement

__all__ = ["StanceJudge", "Statement"]
