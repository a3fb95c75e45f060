"""A copy of the sample folder, in a place that the person can see and remove.

Runs on a worker. Nothing that exists is ever written over.
"""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path

from daybank.errors import DaybankError

_NOT_COPIED = shutil.ignore_patterns(".memory", "__pycache__", "*.pyc")


def copy_sample(source: Path, parent: Path, name: str) -> Path:
    """Copy ``source`` to ``parent/name``, or ``name 2``…; an older copy is opened again."""
    try:
        parent.mkdir(parents=True, exist_ok=True)
        target = _free_or_own(source, parent, name)
        if target.exists():
            return target
        with tempfile.TemporaryDirectory(prefix=".daybank-", dir=parent) as folder:
            fresh = Path(folder) / name
            # Contents only: what is read-only in the program must be writable as the person's own.
            shutil.copytree(source, fresh, ignore=_NOT_COPIED, copy_function=shutil.copyfile)
            for made in (fresh, *(path for path in fresh.rglob("*") if path.is_dir())):
                made.chmod(0o755)
            fresh.rename(target)
    except OSError as error:
        raise DaybankError(
            f"The sample cannot be put into “{parent.name}”.",
            f"{error.strerror or error}. Nothing was changed. Choose another place.",
        ) from error
    return target


def _free_or_own(source: Path, parent: Path, name: str) -> Path:
    """The first name that is free, or that holds a copy made before."""
    names = {path.name for path in source.iterdir() if not path.name.startswith((".", "__"))}
    number = 1
    while True:
        target = parent / (name if number == 1 else f"{name} {number}")
        if not target.exists():
            return target
        if target.is_dir() and names <= {path.name for path in target.iterdir()}:
            return target
        number += 1
