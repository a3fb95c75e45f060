"""The language model that may help to word suggestions: which there are, and which is chosen.

GUI thread; servers are asked on the lane for what waits for somebody else, and only when the person
looks for one. Choosing asks nobody: the next reflection does.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Signal

from daybank.errors import DaybankError, LanguageModelError
from daybank_desktop.services.ollama import OLLAMA, OllamaLook, OllamaState
from daybank_desktop.services.shared_settings import SharedSettings
from daybank_desktop.tasks import Lane, Tasks

if TYPE_CHECKING:
    from daybank.local_server import Server

SERVER = "openai:"
LOOK_SECONDS = 5.0
_LARGEST_LIST = 2_000_000


@dataclass(frozen=True, slots=True)
class ServerLook:
    """What a server at ``address`` said: the ``names`` of its models, or the ``problem``.
    ``is_elsewhere`` tells that it is another computer's, which was not asked."""

    address: str = ""
    is_looking: bool = False
    names: tuple[str, ...] = ()
    problem: str = ""
    is_elsewhere: bool = False


class LanguageModels(QObject):
    """``ollama_url`` "" is the usual address on this computer."""

    changed = Signal()  # the choice
    ollama_changed = Signal(object)  # OllamaState
    server_changed = Signal(object)  # ServerLook

    def __init__(
        self,
        tasks: Tasks,
        shared: SharedSettings,
        parent: QObject | None = None,
        *,
        ollama_url: str = "",
    ) -> None:
        super().__init__(parent)
        self._tasks = tasks
        self._shared = shared
        self._ollama = OllamaLook(tasks, self, url=ollama_url)
        self._ollama.changed.connect(self.ollama_changed)
        self._server = ServerLook()
        shared.changed.connect(lambda _: self.changed.emit())

    @property
    def choice(self) -> str | None:
        """As the settings have it: ``ollama:NAME``, ``openai:ADDRESS#NAME``, or None for none."""
        return self._shared.value.wording_model

    @property
    def ollama(self) -> OllamaState:
        return self._ollama.state

    @property
    def server(self) -> ServerLook:
        return self._server

    def choose_none(self) -> None:
        self._shared.update(wording_model=None, wording_host_allowed=False)

    def choose_ollama(self, name: str) -> None:
        self._shared.update(wording_model=f"{OLLAMA}{name}", wording_host_allowed=False)

    def choose_server(self, address: str, name: str, *, allow_host: bool) -> None:
        """``allow_host``: the person said yes to notes leaving this computer for this address."""
        self._shared.update(
            wording_model=f"{SERVER}{address}#{name}", wording_host_allowed=allow_host
        )

    def look_for_ollama(self) -> None:
        """Ask Ollama on this computer which models it has."""
        self._ollama.look()

    def look_at_server(self, address: str, *, allow_host: bool = False) -> None:
        """Ask a server for its models. Another computer is not asked unless ``allow_host``."""
        address = address.strip()
        self._show_server(ServerLook(address, is_looking=True))
        self._tasks.run(
            Lane.NET,
            lambda job: _server_look(address, allow_host=allow_host),
            done=self._show_server,
            failed=lambda error: self._on_no_server(address, error),
            channel="server for words",
        )

    def _on_no_server(self, address: str, error: DaybankError) -> None:
        self._show_server(ServerLook(address, problem=error.title))

    def _show_server(self, look: ServerLook) -> None:
        self._server = look
        self.server_changed.emit(look)


def _server_look(address: str, *, allow_host: bool) -> ServerLook:
    """On a worker. Raises LanguageModelError where nobody sensible answers."""
    from daybank.local_server import NoAddress, OtherComputer, ServerTrouble, server_at

    try:
        server = server_at(_with_path(address), allow_host=allow_host)
    except OtherComputer:
        return ServerLook(address, is_elsewhere=True)
    except NoAddress as error:
        raise LanguageModelError("This is no address of a language model.") from error
    try:
        return ServerLook(address, names=_names(server))
    except ServerTrouble as error:
        raise LanguageModelError("No language model answers there.") from error


def _with_path(address: str) -> str:
    """Servers of this kind answer under ``/v1``; people leave it out."""
    base = address.rstrip("/")
    return base if "/" in base.partition("://")[2] else f"{base}/v1"


def _names(server: Server) -> tuple[str, ...]:
    told: Any = server.ask("/models", seconds=LOOK_SECONDS, largest=_LARGEST_LIST)
    try:
        return tuple(str(entry["id"]) for entry in told["data"])
    except (KeyError, TypeError) as error:
        raise LanguageModelError("Something else answers at this address.") from error
