"""Which models Ollama has on this computer, for searching by meaning and for words. GUI thread;
the server is asked on the lane for what waits.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from PySide6.QtCore import QObject, Signal

from daybank_desktop.tasks import Lane, Tasks

OLLAMA = "ollama:"
"""Before the name of one of its models, as settings keep it."""


@dataclass(frozen=True, slots=True)
class OllamaState:
    """``names`` are of the models that Ollama has; ``problem`` says why there are none to see."""

    is_known: bool = False
    is_looking: bool = False
    names: tuple[str, ...] = ()
    problem: str = ""


class OllamaLook(QObject):
    """Asks when it is told to; ``url`` "" is the usual address."""

    changed = Signal(object)  # OllamaState

    def __init__(self, tasks: Tasks, parent: QObject | None = None, *, url: str = "") -> None:
        super().__init__(parent)
        self._tasks = tasks
        self._url = url
        self._state = OllamaState()

    @property
    def state(self) -> OllamaState:
        return self._state

    def look(self) -> None:
        """Ask which models it has."""
        if self._state.is_looking:
            return
        self._show(replace(self._state, is_looking=True))
        self._tasks.run(
            Lane.NET,
            lambda job: _names(self._url),
            done=lambda names: self._show(OllamaState(True, names=names)),
            failed=lambda error: self._show(OllamaState(True, problem=error.title)),
        )

    def _show(self, state: OllamaState) -> None:
        self._state = state
        self.changed.emit(state)


def _names(url: str) -> tuple[str, ...]:
    """On a worker. Raises ModelUnavailable where Ollama does not run."""
    from daybank.embedding import ollama

    return ollama.models(url or ollama.DEFAULT_URL)
