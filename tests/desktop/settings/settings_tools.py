"""The settings with everything they act on, and servers that have a model or names of models."""

from __future__ import annotations

import contextlib
import hashlib
import json
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from fakes import FakeWorkspace
from PySide6.QtCore import Qt, QUrl
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from daybank.clock import FixedClock
from daybank.embedding.catalogue import CATALOGUE, TOKENIZER_FILES, CatalogueModel
from daybank_desktop.pages.settings_page import SettingsPage
from daybank_desktop.scheduling.activity import Activity
from daybank_desktop.scheduling.memory import ScheduleMemory
from daybank_desktop.scheduling.scheduler import Beat
from daybank_desktop.services.desktop_actions import DesktopActions
from daybank_desktop.services.language_models import LanguageModels
from daybank_desktop.services.library import Library
from daybank_desktop.services.meaning import Meaning
from daybank_desktop.services.meaning_rules import MeaningRules
from daybank_desktop.services.models import Models
from daybank_desktop.services.places import Places
from daybank_desktop.services.reflection import Reflection
from daybank_desktop.services.refusals import Refusals
from daybank_desktop.services.schedule import Schedule
from daybank_desktop.services.settings import SettingsStore
from daybank_desktop.services.shared_settings import SharedSettings
from daybank_desktop.settings_topics.topic import SettingsServices
from daybank_desktop.tasks import Tasks

CLOCK = FixedClock(datetime(2026, 11, 28, 9, tzinfo=UTC))
NOBODY = "http://127.0.0.1:9"
"""An address of this computer at which nobody answers."""

BIG = bytes(range(256)) * 8000  # about 2 MB
SMALL = CatalogueModel(
    id="small",
    name="Small",
    description="For tests.",
    model_id="someone/small",
    repository="someone/small-onnx",
    files=("onnx/model.onnx", *TOKENIZER_FILES),
    size_bytes=len(BIG),
    languages="English",
    licence="MIT",
    dimension=4,
    window=16,
)
TWO_MODELS = (CATALOGUE[0], SMALL)


@dataclass
class Notes(FakeWorkspace):
    """A folder that knows what was refused, and counts how often it was told of another model."""

    refused: list[str] = field(default_factory=list)
    suggestions: tuple[Any, ...] = ()
    model_changes: int = 0

    @property
    def index_path(self) -> Path:
        return self.path / ".memory" / "index.sqlite"

    def nevers(self) -> tuple[str, ...]:
        self._seen()
        return tuple(self.refused)

    def forget_never(self, topic: str) -> None:
        self._seen()
        self.refused.remove(topic)

    def settled_proposals(self) -> tuple[Any, ...]:
        self._seen()
        return self.suggestions

    def model_changed(self) -> None:
        self._seen()
        self.model_changes += 1


class FakeAutostart:
    """Starts nothing; remembers what it was told."""

    def __init__(self) -> None:
        self.why_not = ""
        self.error: OSError | None = None
        self.entry: bool | None = None
        """Whether it starts hidden; None while it does not start at all."""

    @property
    def supported(self) -> tuple[bool, str]:
        return not self.why_not, self.why_not

    def is_enabled(self) -> bool:
        return self.entry is not None

    def enable(self, hidden: bool) -> None:
        if self.error is not None:
            raise self.error
        self.entry = hidden

    def disable(self) -> None:
        if self.error is not None:
            raise self.error
        self.entry = None


class Desk:
    """One start of the program, with the settings in sight."""

    def __init__(
        self,
        qtbot: QtBot,
        root: Path,
        notes: Any,
        *,
        base_url: str = NOBODY,
        ollama_url: str = NOBODY,
        catalogue: tuple[CatalogueModel, ...] = TWO_MODELS,
    ) -> None:
        self.qtbot = qtbot
        self.root = root
        self.notes = notes
        self.tasks = Tasks()
        self.bugs: list[object] = []
        self.tasks.bug.connect(self.bugs.append)
        self.on_battery = False
        self.shown: list[str] = []
        library = Library(self.tasks, lambda path: notes)
        self.reflection = Reflection(self.tasks, library)
        settings = SettingsStore(root / "desktop.json")
        shared = SharedSettings(self.tasks, root / "settings.json")
        meaning = Meaning(self.tasks, library)
        meaning._later.setInterval(1)
        rules = MeaningRules(self.tasks, meaning, settings, on_battery=lambda: self.on_battery)
        models = Models(
            self.tasks,
            library,
            shared,
            root / "models",
            base_url=base_url,
            ollama_url=ollama_url,
            catalogue=catalogue,
        )
        places = Places(
            self.tasks, library, config=root / "config", logs=root / "logs", models=root / "models"
        )
        schedule = Schedule(
            self.tasks,
            library,
            self.reflection,
            settings,
            ScheduleMemory(root / "schedule.json"),
            Activity(),
            CLOCK,
        )
        self.autostart = FakeAutostart()
        self.services = SettingsServices(
            tasks=self.tasks,
            library=library,
            settings=settings,
            shared=shared,
            models=models,
            meaning=meaning,
            meaning_rules=rules,
            language_models=LanguageModels(self.tasks, shared, ollama_url=ollama_url),
            refusals=Refusals(self.tasks, library),
            places=places,
            schedule=schedule,
            autostart=self.autostart,
            actions=DesktopActions(library, open_url=self._open),
            clock=CLOCK,
        )
        models.model_changed.connect(lambda _: meaning.renew())
        self.page = SettingsPage(self.services)
        qtbot.addWidget(self.page)
        self.toasts: list[tuple[str, str, Any]] = []
        self.page.toast_requested.connect(lambda *toast: self.toasts.append(toast))
        self.page.resize(1154, 680)

    def _open(self, url: QUrl) -> bool:
        self.shown.append(url.toLocalFile())
        return True

    def open(self, topic: str = "") -> Any:
        """Open the folder and show the page; the topic."""
        self.services.meaning_rules.start()
        self.services.library.open(self.notes.path)
        self.settle()
        self.page.show()
        self.page.activateWindow()
        self.qtbot.waitUntil(self.page.isActiveWindow)
        if topic:
            return self.go(topic)
        self.settle()
        return None

    def go(self, topic: str) -> Any:
        self.page.show_place(topic, False)
        self.settle()
        return self.page.topic(topic)

    def settle(self) -> None:
        """Until nothing runs."""

        def through() -> bool:
            self.qtbot.wait(1)
            return self.tasks.is_idle

        self.qtbot.waitUntil(lambda: through() and through() and through(), timeout=20_000)

    def beat(self) -> None:
        """One look of the schedule at the clock."""
        self.services.schedule.take(Beat(CLOCK.now(), UTC, 0.0))
        self.settle()

    def until(self, fits: Callable[[], bool]) -> None:
        self.qtbot.waitUntil(fits, timeout=10_000)

    def click(self, widget: QWidget) -> None:
        QTest.mouseClick(widget, Qt.MouseButton.LeftButton)
        self.settle()

    def press(self, key: Qt.Key, widget: QWidget) -> None:
        widget.setFocus()
        QTest.keyClick(widget, key)
        self.settle()

    @property
    def toast(self) -> str:
        return self.toasts[-1][0] if self.toasts else ""

    def saved(self) -> Any:
        """What another start of the program finds."""
        return SettingsStore(self.root / "desktop.json").value

    def saved_shared(self) -> dict[str, Any]:
        told: dict[str, Any] = json.loads((self.root / "settings.json").read_text("utf-8"))
        return told

    def close(self) -> None:
        self.services.meaning_rules.stop()
        self.services.meaning.stop()
        self.services.library.stop()
        assert self.tasks.shutdown(10)
        self.services.library.close()
        assert not self.bugs


class Hub:
    """A server with one model. ``gate`` closed, it sends half of the model and then nothing."""

    def __init__(self) -> None:
        self.files = {"onnx/model.onnx": BIG, **{n: n.encode() * 50 for n in TOKENIZER_FILES}}
        self.gate = threading.Event()
        self.gate.set()
        self.away = False
        self.refuses = False
        self.asked: list[tuple[str, str | None]] = []
        self.url = ""

    @property
    def weights_asked(self) -> list[str | None]:
        return [part for path, part in self.asked if path.endswith(".onnx")]

    def told(self) -> bytes:
        siblings = []
        for name, content in self.files.items():
            entry: dict[str, object] = {"rfilename": name, "size": len(content)}
            if name.endswith(".onnx"):
                sha = hashlib.sha256(content).hexdigest()
                entry["lfs"] = {"sha256": sha, "size": len(content), "pointerSize": 130}
                entry["blobId"] = "0" * 40
            else:
                blob = f"blob {len(content)}\0".encode() + content
                entry["blobId"] = hashlib.sha1(blob).hexdigest()
            siblings.append(entry)
        return json.dumps({"sha": "abc123", "siblings": siblings}).encode()


class _HubHandler(BaseHTTPRequestHandler):
    hub: Hub

    def log_message(self, *_: object) -> None:
        pass

    def do_GET(self) -> None:
        hub = self.hub
        hub.asked.append((self.path, self.headers.get("Range")))
        if hub.away:
            self.close_connection = True
            return
        if hub.refuses:
            self._give(403, b"no")
        elif self.path.startswith("/api/models/"):
            self._give(200, hub.told())
        else:
            self._file(hub.files[self.path.split("/resolve/abc123/")[1]])

    def _file(self, content: bytes) -> None:
        asked = self.headers.get("Range")
        start = int(asked.removeprefix("bytes=").rstrip("-")) if asked else 0
        self.send_response(206 if asked else 200)
        if asked:
            self.send_header("Content-Range", f"bytes {start}-{len(content) - 1}/{len(content)}")
        self.send_header("Content-Length", str(len(content) - start))
        with contextlib.suppress(OSError):  # the other side may go away
            self.end_headers()
            for at in range(start, len(content), 64_000):
                if at >= len(content) // 2 and not self.hub.gate.wait(20):
                    return
                if not self.hub.gate.is_set():
                    time.sleep(0.02)  # slow enough to be watched
                self.wfile.write(content[at : at + 64_000])
                self.wfile.flush()

    def _give(self, status: int, body: bytes) -> None:
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


class Names:
    """A server that says which models it has: as Ollama does, and as OpenAI's does."""

    def __init__(self) -> None:
        self.names: tuple[str, ...] = ()
        self.asked: list[str] = []
        self.url = ""


class _NamesHandler(BaseHTTPRequestHandler):
    names: Names

    def log_message(self, *_: object) -> None:
        pass

    def do_GET(self) -> None:
        self.names.asked.append(self.path)
        if self.path == "/api/tags":
            self._give({"models": [{"name": name, "digest": "0a1b"} for name in self.names.names]})
        else:
            self._give({"data": [{"id": name} for name in self.names.names]})

    def do_POST(self) -> None:
        self.names.asked.append(self.path)
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self._give({"embeddings": [[1.0, 2.0, 3.0] for _ in body["input"]]})

    def _give(self, told: object) -> None:
        body = json.dumps(told).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


@contextlib.contextmanager
def serving(handler: type[BaseHTTPRequestHandler]) -> Iterator[str]:
    """A server on this computer; its address."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    server.daemon_threads = False
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


@contextlib.contextmanager
def hub_serving() -> Iterator[Hub]:
    hub = Hub()
    with serving(type("BoundHub", (_HubHandler,), {"hub": hub})) as url:
        hub.url = url
        try:
            yield hub
        finally:
            hub.gate.set()


@contextlib.contextmanager
def names_serving(*names: str) -> Iterator[Names]:
    content = Names()
    content.names = names
    with serving(type("BoundNames", (_NamesHandler,), {"names": content})) as url:
        content.url = url
        yield content
