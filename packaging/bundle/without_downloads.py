"""Runs first in the bundle: stands in for what fastembed imports and Daybank never uses.

fastembed imports its downloader (huggingface_hub, requests) and its picture models (PIL) whether
they are needed or not: 45 MB, a third of a second, and code that could reach the network. Daybank
gives it a folder on this disk, so nothing of them is ever called. Here they are modules whose every
name is an exception class: fit for an annotation or an `except`, and loud when called.
`daybank --self-check` embeds a real text with the model, so a fastembed that needs more is noticed.
"""

import importlib.abc
import importlib.machinery
import sys
import types

ABSENT = ("PIL", "huggingface_hub", "requests")


class _Names(type):
    """Classes whose every name is such a class too: `PIL.Image.Image`."""

    def __getattr__(cls, name):
        return _absent(name)


class _Absent(types.ModuleType):
    def __getattr__(self, name):
        return _absent(name)


def _absent(name):
    if name.startswith("__"):
        raise AttributeError(name)
    return _Names(name, (Exception,), {"__init__": _refuse})


def _refuse(self, *args, **kwargs):
    raise ImportError(f"{type(self).__name__} is not part of this bundle")


class _Finder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in ABSENT:
            return importlib.machinery.ModuleSpec(name, self, is_package=True)
        return None

    def create_module(self, spec):
        return _Absent(spec.name)

    def exec_module(self, module):
        """Nothing to run."""


sys.meta_path.insert(0, _Finder())
