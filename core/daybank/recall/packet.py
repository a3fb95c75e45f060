"""Fitting results into a token budget: whole passages only, most useful first."""

from __future__ import annotations

from collections.abc import Sequence

from daybank.recall.results import RecallResult

CHARACTERS_PER_TOKEN = 4


def tokens_of(text: str) -> int:
    """About how many tokens ``text`` costs: its characters / 4, at least one."""
    return max(1, -(-len(text) // CHARACTERS_PER_TOKEN))


def fit_budget(results: Sequence[RecallResult], budget: int) -> tuple[list[RecallResult], int]:
    """The results, in order, that fit ``budget`` tokens of content, and how many did not. One
    that is too long is passed over; shorter ones after it may still fit."""
    kept: list[RecallResult] = []
    left = budget
    for result in results:
        cost = tokens_of(result.content)
        if cost <= left:
            kept.append(result)
            left -= cost
    return kept, len(results) - len(kept)
