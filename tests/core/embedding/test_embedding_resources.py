"""The tokenizer's files are found from a checkout and from an installed package."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from daybank.embedding.catalogue import TOKENIZER_FILES
from daybank.resources import resource_path

ROOT = Path(__file__).resolve().parents[3]


def test_the_files_and_their_licence_are_there():
    for name in (*TOKENIZER_FILES, "LICENSE", "NOTICE.md"):
        assert resource_path(f"embedding/{name}").is_file()


def test_without_the_installed_package_the_folder_of_the_checkout_is_used(monkeypatch):
    monkeypatch.setitem(sys.modules, "daybank_resources", None)
    assert resource_path("embedding/config.json") == ROOT / "resources/embedding/config.json"


def test_an_installed_package_is_used(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    package = tmp_path / "daybank_resources"
    package.mkdir()
    (package / "__init__.py").touch()
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "daybank_resources", raising=False)
    try:
        assert resource_path("embedding") == package / "embedding"
    finally:
        sys.modules.pop("daybank_resources", None)
