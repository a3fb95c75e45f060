"""How much of one run a language model may take. A slow or broken server costs a run a minute or
two at most, not a minute for every line."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable

from daybank.errors import LanguageModelError
from daybank.progress import CancelToken
from daybank.reflect.wording.interface import LanguageModel

log = logging.getLogger(__name__)

MOST_FAILURES = 2
"""Failures in a row after which a run goes on without the model."""
MOST_SECONDS = 300.0
"""What all answers of one run may take together."""


class Rationed:
    """A :class:`LanguageModel` for one run: after two failures in a row, or when its time is used
    up, it is not asked again. Make a new one for each run; one thread at a time."""

    def __init__(
        self,
        model: LanguageModel,
        *,
        most_seconds: float = MOST_SECONDS,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._model = model
        self._left = most_seconds
        self._clock = clock
        self._failures = 0

    @property
    def has_given_up(self) -> bool:
        """Whether the rest of the run goes without the model."""
        return self._failures >= MOST_FAILURES or self._left <= 0

    def complete(
        self, system: str, prompt: str, *, most_tokens: int, cancel: CancelToken | None = None
    ) -> str:
        """See :class:`LanguageModel`."""
        if self.has_given_up:
            raise LanguageModelError(
                "The language model is left alone for now.", "This run goes on without it."
            )
        started = self._clock()
        try:
            answer = self._model.complete(system, prompt, most_tokens=most_tokens, cancel=cancel)
        except LanguageModelError as error:
            self._failures += 1
            log.warning("no answer from the language model: %s", error.title)
            raise
        finally:
            self._left -= self._clock() - started
        self._failures = 0
        return answer
