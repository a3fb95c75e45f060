"""For the tests of the tray."""

from __future__ import annotations

from pathlib import Path

import pytest

_HERE = Path(__file__).parent


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The screenless platform has no tray and says so whenever an icon is made."""
    said = (r"^This plugin does not support", "systemTrayWindowChanged")
    mark = pytest.mark.qt_log_ignore(*said, extend=True)
    for item in items:
        if item.path.is_relative_to(_HERE):
            item.add_marker(mark, append=False)
