"""Fetches a model when the person asks for it, and knows whether one is there completely.

Files arrive as ``*.part`` in a hidden folder; only when every one of them has the size and hash
that the server announced is the folder given its real name. So a folder with a real name is a whole
model, and anything else is never used. One download of a model at a time; run it off the GUI
thread. The standard library's urllib does it: one request at a time needs nothing more.
"""

from __future__ import annotations

import contextlib
import hashlib
import http.client
import json
import os
import shutil
import ssl
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import IO, Any, Literal

import platformdirs

from daybank.embedding.catalogue import CatalogueModel
from daybank.errors import DownloadFailed, DownloadWaits
from daybank.progress import CancelToken, check_cancel

DEFAULT_BASE_URL = "https://huggingface.co"
TIMEOUT_SECONDS = 30.0
FRUITLESS_TRIES = 3
SPARE_BYTES = 50_000_000
_CHUNK = 256 * 1024
_MANIFEST = "daybank-model.json"
_PLAN = "daybank-plan.json"


@dataclass(frozen=True, slots=True)
class DownloadProgress:
    """Bytes of the whole model that have arrived, also in earlier attempts, out of all."""

    done: int
    total: int


@dataclass(frozen=True, slots=True)
class Installed:
    """A whole model on disk. ``sha256`` changes with its weights."""

    folder: Path
    sha256: str


@dataclass(frozen=True, slots=True)
class _File:
    name: str
    size: int
    sha256: str = ""
    git_sha1: str = ""


@dataclass(frozen=True, slots=True)
class _Plan:
    """What the server announced, at one revision of the repository."""

    model_id: str
    revision: str
    files: tuple[_File, ...]


def default_models_dir() -> Path:
    """Where downloaded models belong on this system."""
    return Path(platformdirs.user_data_dir("daybank", appauthor=False)) / "models"


def installed(model: CatalogueModel, models_dir: Path) -> Installed | None:
    """The model, if every file is there at its full size. Hashes were checked when it came."""
    folder = models_dir / model.id
    plan = _read_plan(folder / _MANIFEST, model)
    if plan is None or any(_size(folder / file.name) != file.size for file in plan.files):
        return None
    weights = [f"{file.name} {file.sha256}" for file in plan.files if ".onnx" in file.name]
    return Installed(folder, hashlib.sha256("\n".join(weights).encode()).hexdigest())


def state(
    model: CatalogueModel, models_dir: Path
) -> Literal["absent", "partial", "damaged", "installed"]:
    """``partial`` can go on; ``damaged`` has to be downloaded again."""
    if installed(model, models_dir):
        return "installed"
    if (models_dir / model.id).exists():
        return "damaged"
    return "partial" if _part_folder(model, models_dir).exists() else "absent"


def discard(model: CatalogueModel, models_dir: Path) -> None:
    """Remove the model and whatever has arrived of it."""
    for folder in (models_dir / model.id, _part_folder(model, models_dir)):
        if folder.exists():
            shutil.rmtree(folder)


def download(
    model: CatalogueModel,
    models_dir: Path,
    *,
    on_progress: Callable[[DownloadProgress], None] | None = None,
    cancel: CancelToken | None = None,
    base_url: str = DEFAULT_BASE_URL,
    timeout: float = TIMEOUT_SECONDS,
    pause: Callable[[float], None] = time.sleep,
) -> Installed:
    """Fetch what is missing of ``model``. To pause, set ``cancel``; call again to go on.

    Raises Cancelled, DownloadWaits (no connection) or DownloadFailed. In each case what has
    arrived is kept, except a file whose content is wrong.
    """
    if not model.repository:
        raise ValueError(f"{model.id} is not a model to download")
    if found := installed(model, models_dir):
        return found
    check_cancel(cancel)
    part = _part_folder(model, models_dir)
    try:
        part.mkdir(parents=True, exist_ok=True)
        plan = _read_plan(part / _PLAN, model)
        if plan is None:
            plan = _fetch_plan(model, base_url, timeout)
            _write_json(part / _PLAN, plan)
        fetching = _Fetching(model, plan, part, on_progress, cancel, base_url, timeout, pause)
        fetching.check_room()
        for file in plan.files:
            fetching.fetch(file)
        _write_json(part / _MANIFEST, plan)
        (part / _PLAN).unlink()
        folder = models_dir / model.id
        if folder.exists():
            shutil.rmtree(folder)
        os.replace(part, folder)
    except OSError as error:
        raise DownloadFailed(
            "The model could not be saved.",
            f"What has arrived is kept. This folder could not be written: {models_dir}",
        ) from error
    done = installed(model, models_dir)
    if done is None:
        raise DownloadFailed("The model could not be saved.", "Start the download again.")
    return done


class _Fetching:
    """One call of :func:`download`."""

    def __init__(
        self,
        model: CatalogueModel,
        plan: _Plan,
        part: Path,
        on_progress: Callable[[DownloadProgress], None] | None,
        cancel: CancelToken | None,
        base_url: str,
        timeout: float,
        pause: Callable[[float], None],
    ) -> None:
        self._model = model
        self._plan = plan
        self._part = part
        self._on_progress = on_progress
        self._cancel = cancel
        self._base_url = base_url
        self._timeout = timeout
        self._pause = pause

    def check_room(self) -> None:
        missing = sum(file.size for file in self._plan.files) - self._arrived()
        free = shutil.disk_usage(self._part).free
        if missing + SPARE_BYTES > free:
            raise DownloadFailed(
                "There is not enough room for this model.",
                f"It needs {missing / 1e6:.0f} MB more, and {free / 1e6:.0f} MB are free. "
                "What has arrived is kept.",
            )

    def fetch(self, file: _File) -> None:
        """Until the file is whole and right. A connection that breaks is taken up again."""
        whole = self._part / file.name
        if _size(whole) == file.size:
            return
        incoming = self._incoming(file)
        incoming.parent.mkdir(parents=True, exist_ok=True)
        tries = 0
        while _size(incoming) != file.size:
            before = _size(incoming)
            try:
                self._receive(file, incoming)
            except _BROKEN as error:
                tries = 0 if _size(incoming) > before else tries + 1
                if tries >= FRUITLESS_TRIES:
                    raise _waits() from error
                self._wait(tries)
        if not _is_right(incoming, file):
            incoming.unlink()
            # Perhaps the plan is what was wrong; the next attempt asks for a new one.
            (self._part / _PLAN).unlink(missing_ok=True)
            raise DownloadFailed(
                "The download is damaged.",
                f"“{file.name}” is not what was announced, and is not used. Try again later.",
            )
        os.replace(incoming, whole)

    def _receive(self, file: _File, incoming: Path) -> None:
        have = _size(incoming)
        if have > file.size:
            incoming.unlink()
            have = 0
        quoted = urllib.parse.quote(file.name)
        url = f"{self._base_url}/{self._model.repository}/resolve/{self._plan.revision}/{quoted}"
        headers = {"Range": f"bytes={have}-"} if have > 0 else {}
        try:
            answer = _open(url, headers, self._timeout)
        except urllib.error.HTTPError as error:
            error.close()
            if error.code == 416:  # it does not want to go on from here: from the beginning
                incoming.unlink(missing_ok=True)
                raise ConnectionError("the server refused to go on") from error
            if error.code == 429 or error.code >= 500:
                raise ConnectionError(f"the server answered {error.code}") from error
            raise _refused(error.code) from error
        with answer:
            goes_on = have > 0 and answer.status == 206 and _starts_at(answer, have)
            if have > 0 and answer.status == 206 and not goes_on:
                incoming.unlink()
                raise ConnectionError("the server sent another part than was asked for")
            with incoming.open("ab" if goes_on else "wb") as out:
                self._copy(answer, out, file.size - (have if goes_on else 0))

    def _copy(self, answer: Any, out: IO[bytes], expected: int) -> None:
        """At most ``expected`` bytes, so that a server cannot fill the disk."""
        while expected > 0:
            check_cancel(self._cancel)
            # read1: whatever is there now, so that a slow server still can be cancelled.
            chunk = answer.read1(min(_CHUNK, expected))
            if not chunk:
                raise ConnectionError("the connection ended early")
            out.write(chunk)
            out.flush()
            expected -= len(chunk)
            if self._on_progress:
                total = sum(file.size for file in self._plan.files)
                self._on_progress(DownloadProgress(self._arrived(), total))

    def _arrived(self) -> int:
        return sum(
            max(_size(self._part / file.name), _size(self._incoming(file)), 0)
            for file in self._plan.files
        )

    def _incoming(self, file: _File) -> Path:
        return self._part / f"{file.name}.part"

    def _wait(self, tries: int) -> None:
        for _ in range(4 * max(tries, 1)):
            check_cancel(self._cancel)
            self._pause(0.25)


# A connection that breaks, in all the ways that urllib tells of it. Not every OSError: a full disk
# is no broken connection.
_BROKEN = (
    ConnectionError,
    TimeoutError,
    urllib.error.URLError,
    http.client.HTTPException,
    ssl.SSLError,
)


def _fetch_plan(model: CatalogueModel, base_url: str, timeout: float) -> _Plan:
    url = f"{base_url}/api/models/{model.repository}/revision/main?blobs=true"
    try:
        with _open(url, {}, timeout) as answer:
            told = json.loads(answer.read(20_000_000))
    except urllib.error.HTTPError as error:
        error.close()
        if error.code == 429 or error.code >= 500:
            raise _waits() from error
        raise _refused(error.code) from error
    except _BROKEN as error:
        raise _waits() from error
    except ValueError as error:
        raise _nonsense() from error
    try:
        siblings = {entry["rfilename"]: entry for entry in told["siblings"]}
        files = tuple(_planned(name, siblings[name]) for name in model.files if name in siblings)
        revision = told["sha"]
    except (KeyError, TypeError) as error:
        raise _nonsense() from error
    absent = set(model.files) - {file.name for file in files} - _OPTIONAL
    if absent or not isinstance(revision, str) or not revision.isalnum():
        raise _nonsense()
    return _Plan(model.model_id, revision, files)


# Newer repositories leave these out, and fastembed does without.
_OPTIONAL = {"special_tokens_map.json", "config.json"}


def _planned(name: str, told: dict[str, Any]) -> _File:
    large = told.get("lfs") or {}
    file = _File(
        name,
        int(large.get("size", told["size"])),
        str(large.get("sha256", "")),
        "" if large else str(told["blobId"]),
    )
    if file.size <= 0 or not (file.sha256 or file.git_sha1):
        raise KeyError(name)
    return file


def _open(url: str, headers: dict[str, str], timeout: float) -> Any:
    request = urllib.request.Request(url, headers={"User-Agent": "daybank", **headers})
    handlers: list[urllib.request.BaseHandler] = [_SafeRedirects()]
    if url.startswith("https:"):
        handlers.append(urllib.request.HTTPSHandler(context=_certificates()))
    return urllib.request.build_opener(*handlers).open(request, timeout=timeout)


class _SafeRedirects(urllib.request.HTTPRedirectHandler):
    """Models come from other hosts than their list; but never from https to something open."""

    def redirect_request(
        self, req: urllib.request.Request, fp: Any, code: int, msg: str, headers: Any, newurl: str
    ) -> urllib.request.Request | None:
        if req.full_url.startswith("https:") and not newurl.startswith("https:"):
            raise DownloadFailed(
                "The download was refused.", "The server pointed to a place that is not secure."
            )
        return super().redirect_request(req, fp, code, msg, headers, newurl)


def _certificates() -> ssl.SSLContext:
    """The system's, and those of certifi (it comes with fastembed): a bundled Python finds none."""
    context = ssl.create_default_context()
    with contextlib.suppress(ImportError):
        import certifi

        context.load_verify_locations(certifi.where())
    return context


def _starts_at(answer: Any, have: int) -> bool:
    return str(answer.headers.get("Content-Range", "")).startswith(f"bytes {have}-")


def _is_right(path: Path, file: _File) -> bool:
    if file.sha256:
        with path.open("rb") as content:
            return hashlib.file_digest(content, "sha256").hexdigest() == file.sha256
    digest = hashlib.sha1(f"blob {file.size}\0".encode(), usedforsecurity=False)
    for chunk in _chunks(path):
        digest.update(chunk)
    return digest.hexdigest() == file.git_sha1


def _chunks(path: Path) -> Iterator[bytes]:
    with path.open("rb") as content:
        while chunk := content.read(_CHUNK):
            yield chunk


def _part_folder(model: CatalogueModel, models_dir: Path) -> Path:
    return models_dir / f".{model.id}.part"


def _size(path: Path) -> int:
    """-1 for what is not there."""
    try:
        return path.stat().st_size
    except OSError:
        return -1


def _read_plan(path: Path, model: CatalogueModel) -> _Plan | None:
    try:
        told = json.loads(path.read_text(encoding="utf-8"))
        files = tuple(_File(**file) for file in told["files"])
        plan = _Plan(told["model_id"], told["revision"], files)
    except (OSError, ValueError, TypeError, KeyError):
        return None
    names = {file.name for file in files}
    whole = names <= set(model.files) and set(model.files) - _OPTIONAL <= names
    return plan if plan.model_id == model.model_id and whole else None


def _write_json(path: Path, plan: _Plan) -> None:
    temp = path.with_name(f"{path.name}.new")
    temp.write_text(json.dumps(asdict(plan), indent=2), encoding="utf-8")
    os.replace(temp, path)


def _waits() -> DownloadWaits:
    return DownloadWaits("No internet: the download waits.", "What has arrived is kept.")


def _refused(code: int) -> DownloadFailed:
    return DownloadFailed(
        "The model is not there any more." if code in (404, 410) else "The download was refused.",
        f"The server answered {code}. Search goes on with the model in use.",
    )


def _nonsense() -> DownloadFailed:
    return DownloadFailed(
        "The server's answer makes no sense.",
        "Perhaps a sign-in page of this network answered. Try again later.",
    )
