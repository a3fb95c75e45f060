"""Writing Daybank's own small files: whole or not at all, and on the disk when it returns.

These are never a person's pages; those are written by ``workspace`` alone.
"""

from __future__ import annotations

import contextlib
import os
import secrets
import sys
from pathlib import Path

TEMP_PREFIX = ".writing-"


def write_whole(place: Path, data: bytes) -> None:
    """Put ``data`` in the place of the file in one step. Raises OSError; then the file is as it was
    and no other is left."""
    temp = place.with_name(f"{TEMP_PREFIX}{secrets.token_hex(6)}.tmp")
    try:
        with open(temp, "xb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
            if os.fstat(file.fileno()).st_size != len(data):
                raise OSError("only a part was written")
        os.replace(temp, place)
        _flush_folder(place.parent)
    finally:
        with contextlib.suppress(OSError):
            temp.unlink()


def append_line(place: Path, line: str) -> None:
    """Add ``line`` to the file, behind a last one that was torn too. Raises OSError."""
    with open(place, "a+b") as file:
        file.seek(0, os.SEEK_END)
        torn = False
        if file.tell():
            file.seek(-1, os.SEEK_END)
            torn = file.read(1) != b"\n"
        file.write(b"\n" * torn + line.encode("utf-8", "surrogatepass") + b"\n")
        file.flush()
        os.fsync(file.fileno())


def has_temporary(folder: Path) -> bool:
    """Whether a writer has left something, or is just at it."""
    try:
        return any(folder.glob(f"{TEMP_PREFIX}*.tmp"))
    except OSError:
        return False


def clear_temporary(folder: Path) -> None:
    """Remove what a writer that died has left; nobody may be writing there now."""
    with contextlib.suppress(OSError):
        for temp in folder.glob(f"{TEMP_PREFIX}*.tmp"):
            with contextlib.suppress(OSError):
                temp.unlink()


def _flush_folder(folder: Path) -> None:
    if sys.platform == "win32":
        return
    with contextlib.suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
