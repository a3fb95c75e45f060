"""Resources are found in a checkout and where Daybank is installed."""

from __future__ import annotations

import sys
from pathlib import Path

from daybank_desktop.resources import resource_path

ROOT = Path(__file__).parents[2]


def test_a_resource_is_a_real_file():
    icon = resource_path("icons/search.svg")

    assert icon.is_file()
    assert "<svg" in icon.read_text("utf-8")


def test_a_folder_of_resources_can_be_asked_for():
    assert resource_path("icons").is_dir()


def test_a_missing_resource_is_a_path_that_does_not_exist():
    assert not resource_path("icons/no-such-icon.svg").exists()


def test_names_in_any_script_are_kept():
    assert resource_path("sample_workspace/東京.md").name == "東京.md"


def test_without_the_installed_package_the_folder_of_the_checkout_is_used(monkeypatch):
    monkeypatch.setitem(sys.modules, "daybank_resources", None)

    assert resource_path("icons/search.svg") == ROOT / "resources" / "icons" / "search.svg"


def test_an_installed_package_is_used(monkeypatch, tmp_path):
    package = tmp_path / "daybank_resources"
    (package / "icons").mkdir(parents=True)
    (package / "__init__.py").touch()
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "daybank_resources", raising=False)

    try:
        assert resource_path("icons") == package / "icons"
    finally:
        sys.modules.pop("daybank_resources", None)
