"""Opinions for the window: all of them read off the GUI thread, moved by hand, undone, exported.

GUI thread; reading runs on the read lane, what writes on the write lane. Rows are whole frozen
values: whatever takes time is worked out where the opinions are read.
"""

from __future__ import annotations

import contextlib
import csv
import io
import os
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QObject, Signal
from PySide6.QtGui import QImage, QImageWriter

from daybank.errors import DaybankError
from daybank.markdown.model import Source
from daybank.markdown.names import fold_text
from daybank_desktop.services.library import Library
from daybank_desktop.tasks import Lane, Tasks

if TYPE_CHECKING:
    from typing import Literal

    from daybank.reflect.opinion_list import Opinion, OpinionStep
    from daybank.review.apply import Applied

    Move = Literal["agree", "disagree", "no_longer_true"] | float

TREND_DAYS = 60
"""“6 points up since September”: a change is told against what was so many days ago."""
_PLACE = re.compile(r"(?P<path>.+)#L(?P<first>\d+)(?:-L?(?P<last>\d+))?")


class FileNotSaved(DaybankError):
    """The disk said no to a picture or a table."""


@dataclass(frozen=True, slots=True)
class OpinionRow:
    """An opinion as the list shows it.

    ``percent`` is how sure it is now; ``change`` how many points that is more than on ``since``,
    which is None where the opinion is younger. ``folded`` is what the filter looks in.
    """

    opinion: Opinion
    percent: int
    change: int
    since: date | None
    folded: str

    @property
    def is_over(self) -> bool:
        """Whether another took its place, or it is no longer true."""
        return self.opinion.superseded_by is not None


class Opinions(QObject):
    """The newest list asked for arrives; a move is told when it is saved in the page."""

    loading = Signal()
    loaded = Signal(object)  # tuple[OpinionRow, ...]
    failed = Signal(object)  # DaybankError
    moved = Signal(str, object, object)  # the opinion's id, the Move, Applied
    move_failed = Signal(str, object)  # the opinion's id, DaybankError
    undone = Signal()
    undo_failed = Signal(object)  # DaybankError
    saved = Signal(object)  # the Path of a picture or table
    save_failed = Signal(object)  # DaybankError

    def __init__(
        self, tasks: Tasks, library: Library, today: date, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._tasks = tasks
        self._library = library
        self._today = today

    def load(self) -> None:
        """Read them all; without an open folder there are none."""
        workspace = self._library.workspace
        if workspace is None:
            self.loaded.emit(())
            return
        self.loading.emit()
        today = self._today
        self._tasks.run(
            Lane.READ,
            lambda job: rows_of(workspace.opinions(), today),
            done=self.loaded.emit,
            failed=self.failed.emit,
            channel="opinions",
        )

    def move(self, op_id: str, move: Move) -> None:
        """Say what you think of an opinion; it is written into its page at once."""
        workspace = self._library.workspace
        if workspace is None:
            return
        self._tasks.run(
            Lane.WRITE,
            lambda job: workspace.move_opinion(op_id, move),
            done=lambda applied: self._on_moved(op_id, move, applied),
            failed=lambda error: self.move_failed.emit(op_id, error),
        )

    def undo(self, applied: Applied) -> None:
        """Take a move back from its page."""
        workspace = self._library.workspace
        if workspace is None:
            return
        self._tasks.run(
            Lane.WRITE,
            lambda job: workspace.undo(applied.proposal.id),
            done=self._on_undone,
            failed=self.undo_failed.emit,
        )

    # Files

    def save_picture(self, path: Path, picture: QImage) -> None:
        """Write the chart as PNG."""
        self._save(path, lambda: _png(picture))

    def save_drawing(self, path: Path, drawing: bytes) -> None:
        """Write the chart as SVG."""
        self._save(path, lambda: drawing)

    def save_table(self, path: Path, opinion: Opinion) -> None:
        """Write every step as CSV."""
        self._save(path, lambda: csv_of(opinion))

    def _save(self, path: Path, make: Callable[[], bytes]) -> None:
        self._tasks.run(
            Lane.READ,
            lambda job: write_file(path, make()),
            done=lambda _: self.saved.emit(path),
            failed=self.save_failed.emit,
        )

    def _on_moved(self, op_id: str, move: Move, applied: Applied) -> None:
        self.moved.emit(op_id, move, applied)
        self._tell()

    def _on_undone(self, _: object) -> None:
        self.undone.emit()
        self._tell()

    def _tell(self) -> None:
        """The library has read the page again already, so the next sync would find nothing new."""
        self._library.changed.emit()
        self._library.refresh_overview()


def percent_of(value: float) -> int:
    """A confidence in [0, 1] as the page rounds it, in points of a hundred."""
    return round(value * 100 + 1e-7)


def rows_of(opinions: Sequence[Opinion], today: date) -> tuple[OpinionRow, ...]:
    """The opinions with what the list shows of them."""
    return tuple(_row(opinion, today) for opinion in opinions)


def _row(opinion: Opinion, today: date) -> OpinionRow:
    since, before = _value_on(opinion.steps, today - timedelta(days=TREND_DAYS))
    now = percent_of(opinion.confidence)
    words = fold_text(" ".join((opinion.statement, *opinion.entities)))
    return OpinionRow(opinion, now, now - percent_of(before), since, words)


def _value_on(steps: Sequence[OpinionStep], day: date) -> tuple[date | None, float]:
    """How sure it was on ``day``; how it began, and no day, where it is younger."""
    found: float | None = None
    for step in steps:
        if step.day is None or step.day <= day:
            found = step.value
    return (None, steps[0].value) if found is None else (day, found)


def source_of(place: str | None) -> Source | None:
    """``memory/2026-03-12.md#L10-L12`` as a place in the files; None where it is none."""
    match = _PLACE.fullmatch(place or "")
    if match is None:
        return None
    first = int(match["first"])
    return Source(match["path"], first, max(first, int(match["last"] or first)))


def csv_of(opinion: Opinion) -> bytes:
    """Every step of an opinion as a table that spreadsheets read, oldest first."""
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(("day", "percent", "change", "what", "why", "note", "source", "id"))
    before = percent_of(opinion.steps[0].value - opinion.steps[0].delta)
    for step in opinion.steps:
        now = percent_of(step.value)
        writer.writerow(
            (
                step.day.isoformat() if step.day else "",
                now,
                now - before,
                step.key,
                step.rule,
                step.content,
                step.source or "",
                step.id or "",
            )
        )
        before = now
    # With the mark that tells spreadsheets of UTF-8.
    return out.getvalue().encode("utf-8-sig", "replace")


def write_file(path: Path, data: bytes) -> None:
    """Put ``data`` at ``path``, whole or not at all. Raises FileNotSaved."""
    part = path.with_name(f".daybank-{os.getpid()}.part")
    try:
        with part.open("wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.replace(part, path)
    except OSError as error:
        with contextlib.suppress(OSError):
            part.unlink(missing_ok=True)
        raise FileNotSaved(
            f"“{path.name}” could not be saved.",
            f"{error.strerror or 'The disk said no'}. Your notes were not touched. "
            "Choose another place, then try again.",
        ) from error


def _png(picture: QImage) -> bytes:
    data = QByteArray()
    buffer = QBuffer(data)
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    QImageWriter(buffer, QByteArray(b"PNG")).write(picture)
    buffer.close()
    return bytes(data.data())
