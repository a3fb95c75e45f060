"""Asks this very installation whether it can do what Daybank needs, and says so line by line.

What a program is built from may lack a piece that shows only when it is used: an SQLite without
full-text search, a model that was not packed, a folder that cannot be written. So each check does
the thing itself, on texts of its own in a folder of its own; no note of a person is read. The
window adds its checks as an entry point, because the library knows no window.

Takes some seconds, as the model is loaded. Nothing here goes to the network.
"""

from __future__ import annotations

import hashlib
import importlib.metadata
import logging
import platform
import sqlite3
import sys
import tempfile
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Literal, TypeAlias
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import platformdirs

from daybank.embedding import built_in_files
from daybank.embedding.catalogue import TOKENIZER_FILES
from daybank.errors import DaybankError
from daybank.index.database import ConnectionFactory, IndexDatabase
from daybank.library import open_workspace
from daybank.resources import resource_path
from daybank.settings import settings_path

ENTRY_POINTS = "daybank.self_check"
"""The group of entry points that give more checks: callables without arguments."""

log = logging.getLogger(__name__)

Level = Literal["ok", "warning", "error"]


@dataclass(frozen=True, slots=True)
class SelfCheck:
    """One answer. ``found`` is what was seen, with what still works where something is missing."""

    id: str
    name: str
    level: Level
    found: str

    def as_dict(self) -> dict[str, str]:
        """For JSON."""
        return asdict(self)


Check: TypeAlias = Callable[[], SelfCheck]


class Missing(Exception):
    """Raised inside a check: its text is what is told."""


def run(checks: Sequence[Check] | None = None) -> tuple[SelfCheck, ...]:
    """All answers, in order. A check that breaks is an error of its own and stops no other."""
    return tuple(check() for check in (all_checks() if checks is None else checks))


def all_checks() -> tuple[Check, ...]:
    """The library's checks, then those that other parts of Daybank add."""
    own = (
        check("program", "Daybank", program),
        check("sqlite", "SQLite", sqlite),
        check("full-text-search", "Full-text search", full_text_search),
        check("words", "Words and their stems", words),
        check("resources", "Files that come with it", resources),
        check("model", "Model for meaning", model),
        check("tokenizer", "Tokenizer", tokenizer),
        check("embedding", "Search by meaning", embedding),
        check("vectors", "Nearest vectors", vectors),
        check("story", "Write, read, search", story),
        check("time-zones", "Time zones", time_zones),
        *(
            check(f"folder-{name}", f"Folder for {name}", _writer(place))
            for name, place in folders().items()
        ),
    )
    return (*own, *_added())


def check(id_: str, name: str, look: Callable[[], str]) -> Check:
    """A check of ``look``, which returns what it found, or raises."""

    def ask() -> SelfCheck:
        try:
            return SelfCheck(id_, name, "ok", look())
        except Missing as missing:
            return SelfCheck(id_, name, "error", str(missing))
        except DaybankError as error:
            return SelfCheck(id_, name, "error", str(error))
        except Exception as error:  # whatever a broken installation raises
            log.warning("The self-check %s failed", id_, exc_info=True)
            return SelfCheck(id_, name, "error", f"{type(error).__name__}: {error}")

    return ask


def _added() -> Iterable[Check]:
    for entry in importlib.metadata.entry_points(group=ENTRY_POINTS):
        try:
            yield from entry.load()()
        except Exception as error:  # noqa: BLE001 - told as one more line
            found = f"{type(error).__name__}: {error}"
            yield check(entry.name, entry.name.capitalize(), _raiser(found))


def _raiser(found: str) -> Callable[[], str]:
    def look() -> str:
        raise Missing(found)

    return look


# What is asked


def program() -> str:
    """Which Daybank this is, and what runs it."""
    from daybank import __version__

    kind = "bundle" if getattr(sys, "frozen", False) else f"Python {platform.python_version()}"
    return f"{__version__}, {kind}, {platform.system()} {platform.machine()}"


def sqlite() -> str:
    """The version of SQLite."""
    return sqlite3.sqlite_version


def full_text_search(connect: ConnectionFactory = sqlite3.connect) -> str:
    """Whether SQLite has FTS5."""
    if not IndexDatabase(Path(), connect).has_fts5:
        raise Missing("SQLite has no FTS5. Searching works all the same, more slowly.")
    return "FTS5"


def words() -> str:
    """Whether the stemmer finds one word in another form."""
    from daybank.index.analysis import stem

    if stem("deliveries", "en") != stem("delivery", "en"):
        raise Missing("“deliveries” does not find “delivery”.")
    return "“deliveries” finds “delivery”"


def resources() -> str:
    """Whether the files of `resources/` are there."""
    names = ("icons/daybank.svg", "sample_workspace/memory", "tokens.json")
    gone = [name for name in names if not resource_path(name).exists()]
    if gone:
        raise Missing(f"Missing: {', '.join(gone)}. Install Daybank again.")
    count = sum(1 for _ in resource_path("icons").glob("*.svg"))
    return f"{count} icons, the sample folder"


def model(weights: Path | None = None) -> str:
    """Whether the weights of the built-in model are the ones we know."""
    place = weights or built_in_files.find_weights()
    if place is None:
        raise Missing("The built-in model is missing. Search by words works.")
    with place.open("rb") as file:
        found = hashlib.file_digest(file, "sha256").hexdigest()
    if found != built_in_files.MODEL_SHA256:
        raise Missing("The built-in model is not the one we know. Search by words works.")
    return f"{place.stat().st_size / 1e6:.1f} MB, SHA-256 {found[:12]}…"


def tokenizer() -> str:
    """Whether the tokenizer's files are there and cut a sentence as the model expects it."""
    gone = [n for n in TOKENIZER_FILES if not resource_path(f"embedding/{n}").is_file()]
    if gone:
        raise Missing(f"Missing: {', '.join(gone)}. Search by words works.")
    from tokenizers import Tokenizer

    cut = Tokenizer.from_file(str(resource_path("embedding/tokenizer.json")))
    tokens = [token for token in cut.encode("The flour delivery").tokens if token != "[PAD]"]
    if tokens != ["[CLS]", "the", "flour", "delivery", "[SEP]"]:
        raise Missing(f"A sentence is cut into {' '.join(tokens)}. Search by words works.")
    return " ".join(tokens[1:-1])


def embedding() -> str:
    """A real question put to the built-in model: it must be nearer to what means the same."""
    from daybank.embedding.embedder import built_in

    embedder = built_in()
    try:
        question = embedder.embed_query("When does the flour arrive?")
        near, far = embedder.embed(
            ["The mill brings the sacks on Tuesday.", "The band rehearses in the cellar."]
        )
    finally:
        embedder.close()
    nearer, farther = float(question @ near), float(question @ far)
    if not nearer > farther:
        raise Missing(f"What means the same is not nearer: {nearer:.3f} and {farther:.3f}.")
    return f"{len(question)} numbers a text; likeness {nearer:.2f} against {farther:.2f}"


def vectors() -> str:
    """The products of small numbers that exact search is made of, and the graph for very many."""
    import numpy as np
    from usearch.index import Index

    from daybank.index.vectors import codes

    rows = np.eye(4, 8, dtype=np.int8) * 127
    out = np.zeros(4, dtype=np.float32)
    codes.product()(rows[2:3], rows, out)
    index = Index(ndim=8, metric="cos", dtype="i8")
    index.add(np.arange(4), rows)
    if int(out.argmax()) != 2 or int(index.search(rows[2], 1).keys[0]) != 2:
        raise Missing("The nearest vector is not found. Search by words works.")
    fast = codes.product() is not codes._numpy_product
    return "processor's own products" if fast else "NumPy's products, slower"


def story() -> str:
    """A note written into a folder of our own is read, found by a word, and found by meaning."""
    with tempfile.TemporaryDirectory(prefix="daybank-self-check-") as temporary:
        folder = Path(temporary)
        with open_workspace(folder, index_dir=folder / "index") as workspace:
            workspace.add("W @Mara: Brings the flour on Tuesday.")
            workspace.add("W @Peter: Plays in a band.")
            workspace.sync()
            workspace.embed()
            for question in ("flour", "who is a musician?"):
                wanted = "@Mara" if question == "flour" else "@Peter"
                answer = workspace.recall(question)
                found = answer.results[0].entities if answer.results else ()
                if wanted.strip("@") not in found:
                    raise Missing(f"“{question}” does not find the note about {wanted[1:]}.")
    return "two notes written, found by word and by meaning"


def time_zones() -> str:
    """Whether the rules of other time zones are known, and this computer's zone."""
    try:
        madrid = ZoneInfo("Europe/Madrid")
    except ZoneInfoNotFoundError:
        raise Missing("There is no time-zone data. Days are this computer's own.") from None
    winter, summer = (datetime(2026, month, 15, 12, tzinfo=madrid) for month in (1, 7))
    if (winter.utcoffset(), summer.utcoffset()) != (timedelta(hours=1), timedelta(hours=2)):
        raise Missing("The time-zone data is wrong.")
    from tzlocal import get_localzone_name

    return f"known; here {get_localzone_name() or datetime.now().astimezone().tzname()}"


def folders() -> dict[str, Path]:
    """Where Daybank writes besides the memory folder."""
    return {
        "settings": settings_path().parent,
        "models": Path(platformdirs.user_data_dir("daybank", appauthor=False)),
        "cache": Path(platformdirs.user_cache_dir("daybank", appauthor=False)),
        "logs": Path(platformdirs.user_log_dir("daybank", appauthor=False)),
    }


def _writer(place: Path) -> Callable[[], str]:
    return lambda: can_be_written(place)


def can_be_written(place: Path) -> str:
    """Write a file there and take it away again, with the folders that were made for it."""
    made = [folder for folder in (place, *place.parents) if not folder.exists()]
    try:
        place.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=place) as file:
            file.write(b"Daybank")
    except OSError as error:
        raise Missing(f"{place} cannot be written: {error.strerror or error}.") from error
    finally:
        for folder in made:
            try:
                folder.rmdir()
            except OSError:
                break
    return str(place)
