"""A download over a real connection to a server that behaves well, badly, or not at all."""

from __future__ import annotations

import contextlib
import hashlib
import json
import shutil
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from daybank.embedding import download as downloads
from daybank.embedding.catalogue import TOKENIZER_FILES, CatalogueModel
from daybank.embedding.download import DownloadProgress, discard, download, installed, state
from daybank.errors import Cancelled, DownloadFailed, DownloadWaits

BIG = bytes(range(256)) * 4000  # about 1 MB
MODEL = CatalogueModel(
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


class Hub:
    """The server's content, its manners, and what it was asked."""

    def __init__(self) -> None:
        self.files = {"onnx/model.onnx": BIG, **{n: n.encode() * 50 for n in TOKENIZER_FILES}}
        self.announced_sha256: str | None = None
        self.drop_after: list[int] = []  # bytes given before the connection ends, once each
        self.ignores_range = False
        self.redirects = False
        self.status: int | None = None
        self.plan: bytes | None = None
        self.silence = 0.0
        self.asked: list[tuple[str, str | None]] = []
        self.url = ""

    def told(self) -> bytes:
        if self.plan is not None:
            return self.plan
        siblings = []
        for name, content in self.files.items():
            entry: dict[str, object] = {"rfilename": name, "size": len(content)}
            if name.endswith(".onnx"):
                sha = self.announced_sha256 or hashlib.sha256(content).hexdigest()
                entry["lfs"] = {"sha256": sha, "size": len(content), "pointerSize": 130}
                entry["blobId"] = "0" * 40
            else:
                blob = f"blob {len(content)}\0".encode() + content
                entry["blobId"] = hashlib.sha1(blob).hexdigest()
            siblings.append(entry)
        siblings.append({"rfilename": "../../evil", "size": 3, "blobId": "0" * 40})
        return json.dumps({"sha": "abc123", "siblings": siblings}).encode()


class Handler(BaseHTTPRequestHandler):
    hub: Hub

    def log_message(self, *_: object) -> None:
        pass

    def do_GET(self) -> None:
        hub = self.hub
        hub.asked.append((self.path, self.headers.get("Range")))
        if self.path.startswith("/api/models/someone/small-onnx/revision/main"):
            self._give(200, hub.told())
            return
        if hub.status:
            self._give(hub.status, b"no")
            return
        if hub.redirects and not self.path.startswith("/elsewhere"):
            self.send_response(302)
            self.send_header("Location", f"{hub.url}/elsewhere{self.path}")
            self.send_header("Content-Length", "0")
            self.end_headers()
            return
        time.sleep(hub.silence)
        content = hub.files[self.path.split("/resolve/abc123/")[1]]
        start = 0
        asked = self.headers.get("Range")
        if asked and not hub.ignores_range:
            start = int(asked.removeprefix("bytes=").rstrip("-"))
            self.send_response(206)
            self.send_header("Content-Range", f"bytes {start}-{len(content) - 1}/{len(content)}")
        else:
            self.send_response(200)
        self.send_header("Content-Length", str(len(content) - start))
        with contextlib.suppress(OSError):  # the other side goes away in some tests
            self._content(content, start)

    def _content(self, content: bytes, start: int) -> None:
        hub = self.hub
        self.end_headers()
        rest = content[start:]
        if len(content) > 100_000 and hub.drop_after:
            rest = rest[: hub.drop_after.pop(0)]
            self.close_connection = True
        for i in range(0, len(rest), 50_000):
            self.wfile.write(rest[i : i + 50_000])
            self.wfile.flush()

    def _give(self, status: int, body: bytes) -> None:
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


@pytest.fixture
def hub() -> Iterator[Hub]:
    content = Hub()
    server = ThreadingHTTPServer(("127.0.0.1", 0), type("Bound", (Handler,), {"hub": content}))
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    content.url = f"http://127.0.0.1:{server.server_address[1]}"
    yield content
    server.shutdown()
    server.server_close()
    thread.join()


def fetch(hub: Hub, folder: Path, **more: object) -> downloads.Installed:
    return download(MODEL, folder, base_url=hub.url, pause=lambda _: None, **more)  # type: ignore[arg-type]


def ranges(hub: Hub) -> list[str | None]:
    return [asked for path, asked in hub.asked if path.endswith("model.onnx")]


def test_a_model_comes_whole_with_progress_up_to_the_end(hub, tmp_path):
    seen: list[DownloadProgress] = []

    found = fetch(hub, tmp_path, on_progress=seen.append)

    assert found == installed(MODEL, tmp_path)
    assert state(MODEL, tmp_path) == "installed"
    assert {name: (found.folder / name).read_bytes() for name in MODEL.files} == hub.files
    assert [p.done for p in seen] == sorted(p.done for p in seen)
    assert seen[-1].done == seen[-1].total == sum(map(len, hub.files.values()))
    assert sorted(path.name for path in tmp_path.iterdir()) == ["small"]
    assert not list(tmp_path.rglob("*.part"))


def test_a_model_that_is_there_is_not_asked_for_again(hub, tmp_path):
    fetch(hub, tmp_path)
    asked = len(hub.asked)
    fetch(hub, tmp_path)
    assert len(hub.asked) == asked


def test_a_broken_connection_is_taken_up_where_it_broke(hub, tmp_path):
    hub.drop_after = [100_000, 300_000]
    found = fetch(hub, tmp_path)
    assert (found.folder / "onnx/model.onnx").read_bytes() == BIG
    assert ranges(hub) == [None, "bytes=100000-", "bytes=400000-"]


def test_a_pause_keeps_what_came_and_the_next_call_goes_on(hub, tmp_path):
    stop = threading.Event()
    with pytest.raises(Cancelled):
        fetch(hub, tmp_path, cancel=stop, on_progress=lambda p: stop.set())

    assert state(MODEL, tmp_path) == "partial"
    assert installed(MODEL, tmp_path) is None
    kept = next(tmp_path.rglob("model.onnx.part")).stat().st_size
    assert 0 < kept < len(BIG)

    fetch(hub, tmp_path)

    assert ranges(hub) == [None, f"bytes={kept}-"]
    assert state(MODEL, tmp_path) == "installed"


def test_a_server_that_ignores_the_range_begins_again_and_the_file_is_right(hub, tmp_path):
    hub.ignores_range = True
    hub.drop_after = [100_000]
    found = fetch(hub, tmp_path)
    assert (found.folder / "onnx/model.onnx").read_bytes() == BIG


def test_a_redirect_is_followed_and_the_range_goes_with_it(hub, tmp_path):
    hub.redirects = True
    hub.drop_after = [100_000]
    found = fetch(hub, tmp_path)
    assert (found.folder / "onnx/model.onnx").read_bytes() == BIG
    assert any(p.startswith("/elsewhere") and r == "bytes=100000-" for p, r in hub.asked)


def test_a_file_that_is_not_what_was_announced_is_never_used(hub, tmp_path):
    hub.announced_sha256 = "f" * 64
    with pytest.raises(DownloadFailed, match="damaged"):
        fetch(hub, tmp_path)
    assert installed(MODEL, tmp_path) is None
    assert not list(tmp_path.rglob("model.onnx*"))

    hub.announced_sha256 = None
    fetch(hub, tmp_path)
    assert state(MODEL, tmp_path) == "installed"


def test_a_small_file_that_is_wrong_is_found_too(hub, tmp_path):
    hub.plan = hub.told()
    hub.files["config.json"] = b"x" * len(hub.files["config.json"])
    with pytest.raises(DownloadFailed, match="damaged"):
        fetch(hub, tmp_path)
    assert installed(MODEL, tmp_path) is None


@pytest.mark.parametrize(("status", "title"), [(404, "not there any more"), (403, "refused")])
def test_a_refusal_is_told_and_not_repeated(hub, tmp_path, status, title):
    hub.status = status
    with pytest.raises(DownloadFailed, match=title):
        fetch(hub, tmp_path)
    assert len(ranges(hub)) == 1


def test_a_server_in_trouble_means_waiting(hub, tmp_path):
    hub.status = 503
    with pytest.raises(DownloadWaits, match="No internet: the download waits"):
        fetch(hub, tmp_path)
    assert len(ranges(hub)) == downloads.FRUITLESS_TRIES


def test_no_connection_at_all_is_one_clear_sentence(tmp_path):
    with pytest.raises(DownloadWaits) as caught:
        download(MODEL, tmp_path, base_url="http://127.0.0.1:9", pause=lambda _: None)
    assert caught.value.title == "No internet: the download waits."


def test_a_server_that_says_nothing_is_given_up(hub, tmp_path):
    hub.silence = 0.6
    with pytest.raises(DownloadWaits):
        fetch(hub, tmp_path, timeout=0.1)


@pytest.mark.parametrize(
    "plan",
    [
        b"<html>Sign in to the hotel's network</html>",
        b"[]",
        b'{"sha": "x", "siblings": []}',
        b'{"sha": "../..", "siblings": [{"rfilename": "onnx/model.onnx", "size": 3}]}',
    ],
)
def test_another_answer_than_a_plan_is_told(hub, tmp_path, plan):
    hub.plan = plan
    with pytest.raises(DownloadFailed, match="makes no sense"):
        fetch(hub, tmp_path)


def test_a_disk_without_room_is_found_before_anything_is_fetched(hub, tmp_path, monkeypatch):
    full = shutil.disk_usage(tmp_path)._replace(free=1000)
    monkeypatch.setattr(shutil, "disk_usage", lambda _: full)
    with pytest.raises(DownloadFailed, match="not enough room"):
        fetch(hub, tmp_path)
    assert ranges(hub) == []


def test_a_model_that_lost_a_file_is_damaged_not_used_and_can_come_again(hub, tmp_path):
    found = fetch(hub, tmp_path)
    (found.folder / "onnx/model.onnx").write_bytes(b"short")
    assert installed(MODEL, tmp_path) is None
    assert state(MODEL, tmp_path) == "damaged"
    fetch(hub, tmp_path)
    assert state(MODEL, tmp_path) == "installed"


def test_a_folder_made_by_something_else_is_no_model(tmp_path):
    (tmp_path / "small" / "onnx").mkdir(parents=True)
    (tmp_path / "small" / "onnx" / "model.onnx").write_bytes(BIG)
    assert installed(MODEL, tmp_path) is None


def test_stopping_removes_what_came(hub, tmp_path):
    stop = threading.Event()
    with pytest.raises(Cancelled):
        fetch(hub, tmp_path, cancel=stop, on_progress=lambda p: stop.set())
    discard(MODEL, tmp_path)
    assert state(MODEL, tmp_path) == "absent"
    assert list(tmp_path.iterdir()) == []


def test_a_slow_server_is_borne_as_long_as_something_comes(hub, tmp_path):
    hub.drop_after = [60_000] * 12
    found = fetch(hub, tmp_path)
    assert (found.folder / "onnx/model.onnx").read_bytes() == BIG
    assert len(ranges(hub)) == 13


def test_names_from_the_server_are_never_used_as_paths(hub, tmp_path):
    fetch(hub, tmp_path / "models")
    assert [path.name for path in tmp_path.iterdir()] == ["models"]
    assert not any("evil" in path for path, _ in hub.asked)


def test_other_weights_are_another_version(hub, tmp_path):
    first = fetch(hub, tmp_path)
    discard(MODEL, tmp_path)
    hub.files["onnx/model.onnx"] = BIG[::-1]
    assert fetch(hub, tmp_path).sha256 != first.sha256
