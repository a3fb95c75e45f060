"""What Daybank wants of a language model: text in, text out, and an error it can live with."""

from __future__ import annotations

from typing import Protocol

from daybank.progress import CancelToken


class LanguageModel(Protocol):
    """A model that completes a prompt. Any thread may call it; a call blocks its thread."""

    def complete(
        self, system: str, prompt: str, *, most_tokens: int, cancel: CancelToken | None = None
    ) -> str:
        """The answer to ``prompt``, as the model gave it: nothing in it is checked.

        Raises LanguageModelError whatever went wrong, and Cancelled.
        """
        ...
