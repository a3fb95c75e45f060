"""Tells that something in the folder changed, by the system's events or by looking now and then.

Events come on watchdog's thread and are gathered: ``on_change`` is called once things have been
quiet for a moment. It is called every ``period`` seconds too: some folders (on a network, say)
report only part of what happens, and some systems cannot watch at all (the watch limit is
reached). Looking finds every change, only later.
"""

from __future__ import annotations

import contextlib
import logging
import threading
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Literal

from watchdog.events import FileSystemEvent, FileSystemEventHandler
from watchdog.observers import Observer
from watchdog.observers.api import BaseObserver

log = logging.getLogger(__name__)

QUIET_SECONDS = 0.3
LONGEST_WAIT_SECONDS = 2.0
_SIGNS = {"created", "modified", "deleted", "moved", "closed"}


class Watcher:
    """A running watch; close it to end its threads. ``notice`` says so when it only looks now
    and then."""

    def __init__(self, root: Path, on_change: Callable[[], None], period: float) -> None:
        self.mode: Literal["events", "periodic"] = "events"
        self.notice: str | None = None
        self._root = root
        self._on_change = on_change
        self._period = period
        self._stop = threading.Event()
        self._dirty = threading.Event()
        self._observer: BaseObserver | None = None
        self._thread = threading.Thread(target=self._run, name="daybank-watch", daemon=True)

    @classmethod
    def start(
        cls,
        root: Path,
        on_change: Callable[[], None],
        *,
        period: float = 60.0,
        make_observer: Callable[[], BaseObserver] = Observer,
    ) -> Watcher:
        """Begin to watch ``root``. Never raises for want of events; see :attr:`mode`."""
        # Said when folders appear one inside the other while watches are added; it copes.
        warnings.filterwarnings("ignore", "Callback with id", RuntimeWarning)
        watcher = cls(root, on_change, period)
        observer = None
        try:
            observer = make_observer()
            observer.schedule(_Handler(watcher), str(root), recursive=True)
            observer.start()
            watcher._observer = observer
        except (OSError, RuntimeError) as error:
            if observer is not None:
                with contextlib.suppress(OSError, RuntimeError):
                    observer.unschedule_all()  # it holds a handle of the system's
            log.warning("No file events (%s); looking every %s s instead.", error, period)
            watcher.mode = "periodic"
            watcher.notice = (
                "This folder cannot report changes, so Daybank looks for them"
                f" every {period:.0f} seconds."
            )
        watcher._thread.start()
        return watcher

    def close(self) -> None:
        """End the watch and its threads."""
        self._stop.set()
        self._dirty.set()
        if self._observer is not None:
            self._observer.stop()
            self._observer.join(2.0)
        if self._thread is not threading.current_thread():
            self._thread.join(2.0)

    def note(self, path: str) -> None:
        """Something happened to ``path`` (called on watchdog's thread)."""
        try:
            parts = Path(path).relative_to(self._root).parts
        except ValueError:
            return
        if any(part.startswith(".") and part != ".dreams" for part in parts):
            return  # ours (.memory), or a folder that is not read
        self._dirty.set()

    def _run(self) -> None:
        while not self._stop.is_set():
            if self._dirty.wait(self._period):
                self._settle()
            if self._stop.is_set():
                return
            try:
                self._on_change()
            except Exception:
                log.exception("Telling of a change failed.")

    def _settle(self) -> None:
        """Wait until nothing happened for a moment, but not for ever."""
        deadline = time.monotonic() + LONGEST_WAIT_SECONDS
        while time.monotonic() < deadline and not self._stop.is_set():
            self._dirty.clear()
            if not self._dirty.wait(QUIET_SECONDS):
                return
        self._dirty.clear()


class _Handler(FileSystemEventHandler):
    def __init__(self, watcher: Watcher) -> None:
        self._watcher = watcher

    def on_any_event(self, event: FileSystemEvent) -> None:
        if event.event_type not in _SIGNS:
            return
        for path in (event.src_path, getattr(event, "dest_path", "")):
            if path:
                self._watcher.note(
                    path if isinstance(path, str) else path.decode("utf-8", "replace")
                )
