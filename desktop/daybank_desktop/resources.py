"""Where the files in `resources/` are. The library finds them, for itself and for the window."""

from __future__ import annotations

from daybank.resources import resource_path

__all__ = ["resource_path"]
