"""What the pages beside search have in common, so that they can be joined to the window alike.

GUI thread only.
"""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget


class Page(QWidget):
    """A page of the window.

    ``place_changed`` carries what the page shows now, as a value that :meth:`show_place` takes;
    ``source_requested`` a (Source, id or None) to be shown in the reader; ``toast_requested`` a
    text, the word of an action and what it does (or None); ``page_requested`` the id of another
    page and what to show there.
    """

    place_changed = Signal(object)
    source_requested = Signal(object)
    toast_requested = Signal(str, str, object)
    page_requested = Signal(str, object)

    def show_place(self, state: object, again: bool) -> None:
        """Show a place. ``again``: the person came back to it."""
        raise NotImplementedError
