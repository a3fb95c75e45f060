"""How long the window stands still while a folder is read for the first time and prepared for
search by meaning, with a question typed every second.

A timer in the window beats every 5 ms; a gap is what lies between two beats beyond that. Beside it
a process of its own beats in the same way: its gaps are the machine's, not ours.

    python tests/bench/smoothness.py FOLDER [--seconds 60] [--load 2] [--pages]

FOLDER is made by generate.py. ``--load`` keeps that many processors busy with something else.
``--pages`` opens People & things, Opinions, Review and Search one after the other, over and over,
and says for each page how the window kept its beat in the second after it was opened.
"""

from __future__ import annotations

import argparse
import contextlib
import gc
import json
import multiprocessing
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from pathlib import Path

from PySide6.QtCore import QObject, Qt, QTimer
from PySide6.QtWidgets import QApplication

BEAT_MS = 5
STILL_MS = 50
PAGES = ("people", "opinions", "review", "search")
PAGE_MS = 1500
WORDS = ("flour", "delivery", "the and of", "January", "Mara", "since March 2024", "street")


@dataclass
class Gaps:
    """Gaps in ms, each with the moment at which it ended and what this thread computed in it."""

    seen: list[tuple[float, float, float]] = field(default_factory=list)
    last: float = 0.0
    computed: float = 0.0

    def beat(self) -> None:
        now, computed = time.monotonic(), time.thread_time()
        if self.last:
            gap = max(0.0, (now - self.last) * 1000 - BEAT_MS)
            self.seen.append((now, gap, (computed - self.computed) * 1000))
        self.last, self.computed = now, computed

    def between(self, start: float, end: float) -> dict[str, float]:
        return self.during([(start, end)])

    def during(self, times: Sequence[tuple[float, float]]) -> dict[str, float]:
        gaps = sorted(gap for start, end in times for at, gap, _ in self.seen if start <= at < end)
        if not gaps:
            return {}
        return {
            "beats": len(gaps),
            "p50": round(gaps[len(gaps) // 2], 1),
            "p99": round(gaps[int(len(gaps) * 0.99)], 1),
            "over 16": sum(gap > 16 for gap in gaps),
            f"over {STILL_MS}": sum(gap > STILL_MS for gap in gaps),
            "worst": round(gaps[-1], 1),
        }


class Heart(QObject):
    """Beats in the window."""

    def __init__(self) -> None:
        super().__init__()
        self.gaps = Gaps()
        self._timer = QTimer(self, interval=BEAT_MS, timerType=Qt.TimerType.PreciseTimer)
        self._timer.timeout.connect(self.gaps.beat)
        self._timer.start()

    def stop(self) -> None:
        self._timer.stop()


def _beat_apart(pipe: Connection) -> None:
    gaps = Gaps()
    while not pipe.poll():
        time.sleep(BEAT_MS / 1000)
        gaps.beat()
    pipe.send(gaps.seen)


def _burn() -> None:
    while True:
        pass


@contextlib.contextmanager
def _processes(load: int) -> Iterator[Connection]:
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe()
    made = [context.Process(target=_beat_apart, args=(theirs,), daemon=True)]
    made += [context.Process(target=_burn, daemon=True) for _ in range(load)]
    for process in made:
        process.start()
    try:
        yield ours
    finally:
        for process in made:
            process.kill()


class Reader(QObject):
    """Opens the pages in turn and notes when."""

    def __init__(self, open_page: Callable[[str], object]) -> None:
        super().__init__()
        self.opened: list[tuple[str, float]] = []
        self._open = open_page
        self._timer = QTimer(self, interval=PAGE_MS)
        self._timer.timeout.connect(self._next)

    def start(self) -> None:
        self._timer.start()

    def stop(self) -> None:
        self._timer.stop()

    def _next(self) -> None:
        page = PAGES[len(self.opened) % len(PAGES)]
        self.opened.append((page, time.monotonic()))
        self._open(page)

    def times(self, page: str, start: float, end: float) -> list[tuple[float, float]]:
        """The seconds after ``page`` was opened between two moments."""
        return [(at, at + 1) for name, at in self.opened if name == page and start <= at < end]


def measure(
    folder: Path, seconds: float, switch: float | None, pipe: Connection, *, pages: bool
) -> None:
    from daybank_desktop.app import App
    from daybank_desktop.options import Options
    from daybank_desktop.tasks import be_smooth

    application = QApplication([sys.argv[0]])
    be_smooth()
    if switch is not None:
        sys.setswitchinterval(switch)
    config = Path(tempfile.mkdtemp())
    heart = Heart()
    collections: list[tuple[float, float]] = []
    began = [0.0]

    def collected(phase: str, info: dict[str, int]) -> None:
        if phase == "start":
            began[0] = time.monotonic()
        else:
            collections.append((time.monotonic(), (time.monotonic() - began[0]) * 1000))

    gc.callbacks.append(collected)
    app = App(application, Options(workspace=str(folder)), config=config)
    marks: dict[str, float] = {"start": time.monotonic()}
    app.library.sync_started.connect(lambda: marks.setdefault("sync", time.monotonic()))
    app.library.sync_finished.connect(lambda _: marks.setdefault("synced", time.monotonic()))
    told: list[object] = []
    app.meaning.changed.connect(told.append)
    answers: list[float] = []
    asked = [0.0]
    app.search.asking.connect(lambda: asked.__setitem__(0, time.monotonic()))
    app.search.answered.connect(lambda _: answers.append((time.monotonic() - asked[0]) * 1000))
    app.start()
    app.window.resize(1366, 768)  # as wide as most screens: lists and what they open side by side
    number = [0]

    reader = Reader(lambda page: app.window.commands.run(f"page.{page}"))

    def type_on() -> None:
        if pages and app.window.page_id != "search":
            end_in_time()
            return
        number[0] += 1
        text = WORDS[number[0] // 6 % len(WORDS)][: 1 + number[0] % 6]
        app.window.search.edit.setText(text)
        app.window.search.text_edited.emit(text)
        end_in_time()

    def end_in_time() -> None:
        if "synced" in marks and "quiet" not in marks and time.monotonic() > marks["synced"] + 2:
            marks["quiet"] = time.monotonic()
        since = marks.get("synced")
        if since is not None and time.monotonic() > since + seconds + 5:
            application.quit()

    typist = QTimer(interval=1000)
    typist.timeout.connect(type_on)
    typist.start()
    if pages:
        app.library.sync_started.connect(reader.start)
    application.exec()
    marks["end"] = time.monotonic()
    typist.stop()
    reader.stop()
    heart.stop()
    pipe.send(None)
    apart = Gaps(pipe.recv())
    for name, start, end in (
        ("opening", marks["start"], marks["sync"]),
        ("reading", marks["sync"], marks["synced"]),
        ("preparing", marks["synced"], marks["end"]),
    ):
        print(f"{name}: {end - start:.1f} s")
        print("  window ", json.dumps(heart.gaps.between(start, end)))
        print("  machine", json.dumps(apart.between(start, end)))
        for page in PAGES if pages else ():
            times = reader.times(page, start, end)
            if times:
                print(f"  {page}, opened {len(times)} times", json.dumps(heart.gaps.during(times)))
    worst = sorted(heart.gaps.seen, key=lambda seen: -seen[1])[:10]
    print("worst: at s, gap ms, of which the window's own computing ms")
    print("  ", [(round(at - marks["synced"], 2), round(g), round(own)) for at, g, own in worst])
    print("told", told[:2], told[-1:])
    answers.sort()
    print(f"answers: {len(answers)}, p50 {answers[len(answers) // 2]:.0f} ms, ", end="")
    print(f"p95 {answers[int(len(answers) * 0.95)]:.0f} ms, worst {answers[-1]:.0f} ms")
    slow = [(round(at - marks["synced"], 2), round(ms)) for at, ms in collections if ms > 10]
    print("collections", slow)
    started = time.monotonic()
    ended = app.end()
    print(f"ended {'well' if ended else 'badly'} in {time.monotonic() - started:.2f} s", flush=True)
    shutil.rmtree(config, ignore_errors=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--load", type=int, default=0)
    parser.add_argument("--pages", action="store_true", help="open the pages one after the other")
    parser.add_argument("--switch", type=float, help="seconds of a thread's turn")
    options = parser.parse_args()
    shutil.rmtree(options.folder / ".memory", ignore_errors=True)
    with _processes(options.load) as pipe:
        measure(options.folder, options.seconds, options.switch, pipe, pages=options.pages)


if __name__ == "__main__":
    main()
