"""The one way off the GUI thread.

Work is a plain function of a :class:`Job`. It runs on one of five lanes: ``Lane.WRITE`` has a
single worker, so there is never more than one writer of the index in this process; ``Lane.READ``
has a few and serves searches; ``Lane.PAGE`` has one for pages to read, some of which are very long;
``Lane.LONG`` has one for what computes for minutes; ``Lane.NET`` has two for what waits for a
download or for a server on this computer. Only this module starts threads, but for the heartbeat
of ``scheduling``. All have the priority of the window:
a thread that waits for its turn with Python's lock in its hands holds the window up.

Threading rule: ``run`` is called on the GUI thread; ``work`` runs on a worker and may touch no
widget; ``done``, ``failed`` and ``progress`` are called back on the GUI thread, through a queued
signal. A callback that is a method of a deleted QObject is not called.

A *channel* keeps the latest of its jobs only: a newer one cancels the older, whose answer is
dropped even if it was already under way to the GUI thread.

An error that a person can meet (DaybankError) goes to ``failed``. Any other exception is a bug: it
is logged with its traceback, the ``bug`` signal tells of it, and ``failed`` is called with a
:class:`Bug`, so that the page which asked does not wait forever.
"""

from __future__ import annotations

import gc
import logging
import queue
import sys
import threading
import time
from collections.abc import Callable
from enum import Enum
from functools import partial
from typing import Any, Generic, TypeVar

from PySide6.QtCore import QObject, Qt, Signal
from shiboken6 import isValid

from daybank.errors import Cancelled, DaybankError

log = logging.getLogger(__name__)

T = TypeVar("T")

PROGRESS_EVERY = 0.1
SHUTDOWN_WITHIN = 2.0


SWITCH_SECONDS = 0.0005
GARBAGE = (10_000, 10, 50)
"""When to look for it: reading notes makes many objects and next to no garbage that only such a
look finds, and each look through everything holds all threads up for 20 ms."""


def be_smooth() -> None:
    """Python lets one thread run at a time; the window's turn must come soon. And it stops all of
    them to look through everything for garbage: what was imported for good is left out of that."""
    sys.setswitchinterval(SWITCH_SECONDS)
    gc.set_threshold(*GARBAGE)
    gc.freeze()


class Lane(Enum):
    """Which workers take a job, and how many of them there are."""

    WRITE = ("write", 1)
    READ = ("read", 2)
    PAGE = ("page", 1)
    LONG = ("long", 1)
    NET = ("net", 2)

    @property
    def label(self) -> str:
        return self.value[0]

    @property
    def workers(self) -> int:
        return self.value[1]


class Bug(DaybankError):
    """Something that should not happen. The log has the traceback; ``cause`` is what was raised."""

    def __init__(self, cause: BaseException) -> None:
        super().__init__(
            "Something went wrong in Daybank.",
            "Your notes were not touched. Please try again; the log file says what happened.",
        )
        self.cause = cause


class Courtesy(QObject):
    """Lets work on a worker pause while the window is in the middle of something: Python runs one
    thread at a time, so what the window does in 40 ms would otherwise take it 100.

    The worker asks, and goes on when the window has come round to answering; if it is at rest, that
    is at once. (What an event loop tells of itself differs: the one of GLib says that it is about
    to wait before it runs what is due.)
    """

    EVERY = 0.005
    """Seconds of work between two questions."""
    AT_MOST = 0.08
    """Seconds that the window is waited for: it may be busy with a dialog of the system."""

    _asked = Signal(object)

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._own = threading.local()
        self._asked.connect(self._answer, Qt.ConnectionType.QueuedConnection)

    def wait(self) -> None:
        """On a worker: give way, for a moment at most."""
        if time.monotonic() < getattr(self._own, "until", 0.0) or not isValid(self):
            return
        answered = threading.Event()
        self._asked.emit(answered)
        answered.wait(self.AT_MOST)
        self._own.until = time.monotonic() + self.EVERY

    def _answer(self, answered: threading.Event) -> None:
        answered.set()


class _PoliteCancel(threading.Event):
    """Work asks now and then whether it is called off; that is when it gives way."""

    def __init__(self, courtesy: Courtesy) -> None:
        super().__init__()
        self._courtesy = courtesy

    def is_set(self) -> bool:
        if super().is_set():
            return True
        if threading.current_thread() is not threading.main_thread():
            self._courtesy.wait()
        return super().is_set()


class Job(Generic[T]):
    """One piece of work under way. ``cancel`` fits anything that takes a CancelToken."""

    def __init__(
        self,
        tasks: Tasks,
        work: Callable[[Job[T]], T],
        done: Callable[[T], None] | None,
        failed: Callable[[DaybankError], None] | None,
        progress: Callable[[object], None] | None,
        courtesy: Courtesy | None = None,
    ) -> None:
        """With ``courtesy`` the work gives way to the window whenever it looks at ``cancel``."""
        self.cancel = threading.Event() if courtesy is None else _PoliteCancel(courtesy)
        self.finished = threading.Event()
        self._tasks = tasks
        self._work = work
        self._done = done
        self._failed = failed
        self._progress = progress
        self._abandoned = False
        self._reported_at = float("-inf")
        self._held_back: object = _NOTHING

    def stop(self) -> None:
        """Ask the work to end early; ``failed`` is then called with Cancelled."""
        self.cancel.set()

    def abandon(self) -> None:
        """Ask the work to end early and drop whatever it still says."""
        self._abandoned = True
        self.cancel.set()

    @property
    def is_abandoned(self) -> bool:
        return self._abandoned

    def report(self, value: object) -> None:
        """Tell of progress from the worker; about ten a second get through, the last one always."""
        now = time.monotonic()
        if now - self._reported_at < PROGRESS_EVERY:
            self._held_back = value
            return
        self._reported_at = now
        self._held_back = _NOTHING
        self._post(self._progress, value)

    def _run(self) -> None:
        """On the worker."""
        try:
            if self.cancel.is_set():
                raise Cancelled
            result = self._work(self)
        except DaybankError as error:
            self._post(self._failed, error)
        except Exception as error:
            if self._abandoned:  # nobody waits for it, and what it read from may be closed by now
                log.warning("Abandoned background work failed", exc_info=True)
                return
            log.exception("A bug in background work")
            self._tasks.post(partial(self._tasks.bug.emit, error))
            self._post(self._failed, Bug(error))
        else:
            if self._held_back is not _NOTHING:
                self._post(self._progress, self._held_back)
            self._post(self._done, result)
        finally:
            self.finished.set()
            self._tasks.post(self._forget)

    def _post(self, callback: Callable[..., None] | None, value: object) -> None:
        if callback is not None and not self._abandoned:
            self._tasks.post(lambda: self._deliver(callback, value))

    def _deliver(self, callback: Callable[..., None], value: object) -> None:
        """On the GUI thread. The job may have been superseded while this was queued."""
        owner = getattr(callback, "__self__", None)
        if self._abandoned or (isinstance(owner, QObject) and not isValid(owner)):
            return
        callback(value)

    def _forget(self) -> None:
        self._tasks.forget(self)


_NOTHING = object()


_GIVES_WAY = frozenset(Lane) - {Lane.NET}
"""What waits for the network leaves Python to others anyway."""


class Tasks(QObject):
    """Runs jobs on the lanes. With ``inline`` everything happens at once, in place, for tests."""

    bug = Signal(object)
    _posted = Signal(object)

    def __init__(self, parent: QObject | None = None, *, inline: bool = False) -> None:
        super().__init__(parent)
        self._inline = inline
        self._closing = False
        self._queues: dict[Lane, queue.SimpleQueue[Job[Any] | None]] = {}
        self._threads: list[threading.Thread] = []
        self._jobs: set[Job[Any]] = set()
        self._channels: dict[str, Job[Any]] = {}
        self._posted.connect(self._call, Qt.ConnectionType.QueuedConnection)
        self._courtesy = None if inline else Courtesy(self)

    def run(
        self,
        lane: Lane,
        work: Callable[[Job[T]], T],
        *,
        done: Callable[[T], None] | None = None,
        failed: Callable[[DaybankError], None] | None = None,
        progress: Callable[[object], None] | None = None,
        channel: str | None = None,
    ) -> Job[T]:
        """Run ``work`` on ``lane``; see the module's text for who is called where."""
        courtesy = self._courtesy if lane in _GIVES_WAY else None
        job = Job(self, work, done, failed, progress, courtesy)
        if self._closing:
            job.abandon()
            job.finished.set()
            return job
        if channel is not None:
            self.drop(channel)
            self._channels[channel] = job
        self._jobs.add(job)
        if self._inline:
            job._run()
        else:
            self._queue(lane).put(job)
        return job

    def drop(self, channel: str) -> None:
        """Abandon what is under way on ``channel``."""
        older = self._channels.pop(channel, None)
        if older is not None:
            older.abandon()

    @property
    def is_inline(self) -> bool:
        return self._inline

    @property
    def is_idle(self) -> bool:
        return not self._jobs

    def shutdown(self, within: float = SHUTDOWN_WITHIN) -> bool:
        """Cancel everything and wait. False when a worker is stuck, say on a disk that is gone."""
        self._closing = True
        for job in list(self._jobs):
            job.abandon()
        for lane, waiting in self._queues.items():
            for _ in range(lane.workers):
                waiting.put(None)
        deadline = time.monotonic() + within
        for thread in self._threads:
            thread.join(max(0.0, deadline - time.monotonic()))
        self._threads = [thread for thread in self._threads if thread.is_alive()]
        return not self._threads

    def post(self, call: Callable[[], None]) -> None:
        """Have ``call`` called on the GUI thread. May be used from any thread."""
        if self._inline:
            call()
        elif isValid(self):
            self._posted.emit(call)

    def forget(self, job: Job[T]) -> None:
        """A job is through; on the GUI thread."""
        self._jobs.discard(job)
        for channel, held in list(self._channels.items()):
            if held is job:
                del self._channels[channel]

    def _call(self, call: Callable[[], None]) -> None:
        call()

    def _queue(self, lane: Lane) -> queue.SimpleQueue[Job[Any] | None]:
        if lane not in self._queues:
            waiting: queue.SimpleQueue[Job[Any] | None] = queue.SimpleQueue()
            self._queues[lane] = waiting
            for number in range(lane.workers):
                # Daemons: a read that hangs on a dead network drive must not keep the process.
                thread = threading.Thread(
                    target=_work_through,
                    args=(waiting,),
                    name=f"daybank-{lane.label}-{number}",
                    daemon=True,
                )
                thread.start()
                self._threads.append(thread)
        return self._queues[lane]


def _work_through(waiting: queue.SimpleQueue[Job[Any] | None]) -> None:
    while (job := waiting.get()) is not None:
        job._run()
        del job
