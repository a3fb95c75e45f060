"""Where the files in `resources/` are, whether Daybank runs from a checkout or is installed.

Installed (also editable), they are the package `daybank_resources`. With only `core` on the path
there is no such package, and the folder of the checkout is used. No state, so any thread may call
this.
"""

from __future__ import annotations

import importlib.resources
from pathlib import Path


def resource_path(name: str) -> Path:
    """The path of a resource, such as ``embedding/tokenizer.json``, as a real file or folder.

    ``name`` uses forward slashes on every system. Whether it exists is for the caller to ask.
    """
    return _resources_folder().joinpath(*name.split("/"))


def _resources_folder() -> Path:
    try:
        folder = importlib.resources.files("daybank_resources")
    except ModuleNotFoundError:
        return Path(__file__).resolve().parents[2] / "resources"
    # Never inside a zip: Daybank's wheels are unpacked when installed, and Qt opens files by path.
    return Path(str(folder))
