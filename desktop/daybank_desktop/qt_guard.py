"""Keeps a broken build of the Qt bindings from ending the process.

PySide6 6.12.0 takes None, True and False for immortal, which they are from Python 3.12 on only: on
3.11 every call that returns nothing gives away a reference to None that was never taken, some calls
one to a truth value, and after about five thousand of them the interpreter stops with "deallocating
None". Where the two meet, these values are given references enough for centuries.
"""

from __future__ import annotations

import ctypes
import sys

import PySide6

_ENOUGH = 1 << 40


def install() -> None:
    """Do it once, before anything much is called."""
    is_broken = PySide6.__version__.startswith("6.12.") and sys.version_info < (3, 12)
    if not is_broken or sys.implementation.name != "cpython":
        return
    for value in (None, True, False, NotImplemented, Ellipsis):
        ctypes.c_ssize_t.from_address(id(value)).value += _ENOUGH
