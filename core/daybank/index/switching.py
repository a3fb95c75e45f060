"""Which vectors answer while a person changes the model.

``.memory/vectors/`` has a folder for each space; ``serving.json`` beside them names the one that
answers. Another model's vectors are made in a folder of their own, and only when there is one for
every text is the name changed. Until then the old vectors answer, if their model can still be made.
So at every moment, also after a kill, one space answers as a whole, and no two are ever compared.

Any thread may call. A model that is not used any more is closed with the workspace, since a search
may be in it.
"""

from __future__ import annotations

import contextlib
import json
import logging
import os
import secrets
import sqlite3
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from pathlib import Path

from peewee import DatabaseError as PeeweeDatabaseError

from daybank.embedding.vectors import Chosen, Embedder, Space
from daybank.errors import DaybankError, IndexUnwritable, ModelError, ModelMissing, ModelUnavailable
from daybank.index.database import IndexDatabase
from daybank.index.meaning import VECTOR_FOLDER, EmbedReport, MeaningIndex
from daybank.progress import CancelToken, OnProgress

log = logging.getLogger(__name__)

ChooseEmbedder = Callable[[], Embedder | Chosen | None]
"""Gives the model that the person chose, or what stands in for it; may raise ModelError."""
EarlierEmbedder = Callable[[Space], Embedder | None]
"""Gives the model of vectors that were made before, if it can still be made."""

_NAME = "serving.json"
_LEFT_SECONDS = 600.0


class Standing(Enum):
    """How search by meaning stands."""

    UNPREPARED = "unprepared"  # nobody asked for it yet
    READY = "ready"
    PARTLY = "partly"  # not every text has its vector yet
    OTHER = "other"  # with another model than the one that was chosen
    OFF = "off"


@dataclass(frozen=True, slots=True)
class Serving:
    """The space that answers. ``complete``: it once had a vector for every text."""

    space: Space
    complete: bool


def read_serving(state_dir: Path) -> Serving | None:
    """Which space answers; None where none was ever prepared, or the file makes no sense."""
    try:
        told = json.loads((state_dir / VECTOR_FOLDER / _NAME).read_text(encoding="utf-8"))
        space = Space(str(told["model_id"]), str(told["version"]), int(told["dimension"]))
        return Serving(space, told["complete"] is True)
    except (OSError, ValueError, TypeError, KeyError, RecursionError):
        return None


def write_serving(state_dir: Path, serving: Serving) -> None:
    """Name the space that answers, in one step. Raises IndexUnwritable."""
    folder = state_dir / VECTOR_FOLDER
    told = {
        "model_id": serving.space.model_id,
        "version": serving.space.version,
        "dimension": serving.space.dimension,
        "complete": serving.complete,
    }
    temp = folder / f".{_NAME}-{secrets.token_hex(4)}"
    try:
        folder.mkdir(exist_ok=True)
        _sweep(folder)
        temp.write_text(json.dumps(told), encoding="utf-8")
        os.replace(temp, folder / _NAME)
    except OSError as error:
        with contextlib.suppress(OSError):
            temp.unlink()
        raise IndexUnwritable(
            "Search by meaning cannot be saved.",
            f"{error.strerror or error} (“{folder}”). Search by words works meanwhile.",
        ) from error


def _sweep(folder: Path) -> None:
    """Remove what a writer that died has left; one that lives is through in a moment."""
    for left in folder.glob(f".{_NAME}-*"):
        with contextlib.suppress(OSError):
            if time.time() - left.stat().st_mtime > _LEFT_SECONDS:
                left.unlink()


class Meanings:
    """The chosen model of one workspace, and the one that answers. The constructor does no I/O."""

    def __init__(
        self, index: IndexDatabase, choose: ChooseEmbedder, earlier: EarlierEmbedder
    ) -> None:
        self._index = index
        self._choose = choose
        self._earlier = earlier
        self._guard = threading.RLock()
        self._chosen: MeaningIndex | None = None
        self._answering: MeaningIndex | None = None
        self._made: list[MeaningIndex] = []
        self._standing = Standing.UNPREPARED
        self._trouble = ""
        self._reason = ""

    def close(self) -> None:
        """Give the models' memory back. Who asks again afterwards is answered with new ones."""
        with self._guard:
            made, self._made = self._made, []
            self.forget_choice()
        for meaning in made:
            meaning.close()

    def chosen(self) -> MeaningIndex:
        """The vectors of the chosen model, or of what stands in for it. Raises ModelError."""
        with self._guard:
            if self._chosen is None:
                found = self._choose()
                choice = found if isinstance(found, Chosen) else Chosen(found)
                self._trouble = choice.trouble
                if choice.embedder is None:
                    raise ModelMissing(
                        choice.trouble
                        or "Search by meaning is off: its model is not on this computer.",
                        "" if choice.trouble else "Search by words works.",
                    )
                self._chosen = self._over(choice.embedder)
            return self._chosen

    @property
    def trouble(self) -> str:
        """Why another model than the chosen one is used; empty where it is not so."""
        return self._trouble

    def answering(self) -> MeaningIndex | None:
        """The vectors that answer a search; None as long as nothing was prepared, and when no
        model can be used. Decided once, and again after :meth:`embed`."""
        with self._guard:
            if self._answering is None and self._standing is not Standing.OFF:
                if not (self._index.folder / VECTOR_FOLDER).is_dir():
                    return None
                self._answering = self._decide()
            return self._answering

    def standing(self) -> tuple[Standing, str]:
        """How the last search by meaning stood, and why in plain words where it was not ready."""
        with self._guard:
            answering = self._answering
            if answering is not None and (failed := answering.trouble) is not None:
                if not isinstance(failed, ModelUnavailable):  # it would fail again at each search
                    self._answering = None
                    self._standing, self._reason = Standing.OFF, failed.title
                return Standing.OFF, failed.title
            return self._standing, self._reason

    def embed(self, progress: OnProgress | None, cancel: CancelToken | None) -> EmbedReport:
        """Make what is missing for the chosen model, and let it answer once all is there.

        Raises what :meth:`MeaningIndex.embed` does.
        """
        chosen = self.chosen()
        folder = self._index.folder
        if read_serving(folder) is None and folder.is_dir():
            write_serving(folder, Serving(chosen.space, complete=False))
        report = chosen.embed(progress, cancel)
        write_serving(folder, Serving(chosen.space, complete=True))
        with self._guard:
            self._answering = chosen
            self._settle(Standing.OTHER if self._trouble else Standing.READY, self._trouble)
        return report

    def forget_choice(self) -> None:
        """The person chose another model: ask again at the next use."""
        with self._guard:
            self._chosen = self._answering = None
            self._settle(Standing.UNPREPARED, "")

    # -- inside

    def _over(self, embedder: Embedder) -> MeaningIndex:
        meaning = MeaningIndex(self._index, self._index.folder, embedder)
        self._made.append(meaning)
        return meaning

    def _settle(self, standing: Standing, reason: str) -> None:
        self._standing, self._reason = standing, reason

    def _decide(self) -> MeaningIndex | None:
        serving = read_serving(self._index.folder)
        chosen = None
        trouble = ""
        try:
            chosen = self.chosen()
            trouble = self._trouble
        except ModelError as error:
            log.info("Search by meaning is off: %s", error)
            trouble = error.title
        whole = Standing.OTHER if trouble else Standing.READY
        if chosen is not None and self._may_answer(chosen, serving):
            self._settle(whole, trouble)
            return chosen
        old = self._old(serving, chosen)
        if old is not None and serving is not None:
            # Of a change of the model that is under way nothing needs to be said.
            self._settle(whole if serving.complete else Standing.PARTLY, trouble)
            return old
        self._settle(Standing.PARTLY if chosen is not None else Standing.OFF, trouble)
        return chosen

    def _may_answer(self, chosen: MeaningIndex, serving: Serving | None) -> bool:
        if serving is not None and serving.space == chosen.space and serving.complete:
            return True
        try:
            return chosen.is_complete()
        except (DaybankError, PeeweeDatabaseError, sqlite3.DatabaseError):
            return False  # the index is not there, or being made anew: then words are not found

    def _old(self, serving: Serving | None, chosen: MeaningIndex | None) -> MeaningIndex | None:
        if serving is None or (chosen is not None and serving.space == chosen.space):
            return None
        embedder = self._earlier(serving.space)
        if embedder is None:
            return None
        old = self._over(embedder)
        return old if embedder.space == serving.space and old.has_vectors() else None
