"""What is held back and what was told, for each folder, across restarts.

A small JSON file in the platform's config folder. Losing it costs a notice, or shows one twice,
never a note, so reading forgives everything and a failing save is only logged. GUI thread.
"""

from __future__ import annotations

import json
import logging
import os
from collections.abc import Mapping
from pathlib import Path

from daybank_desktop.notifications.policy import Book, News

log = logging.getLogger(__name__)

MOST_FOLDERS = 30


class NoticeMemory:
    """Loads ``path`` once, and saves it at every change."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._books: dict[str, Book] | None = None

    def book(self, folder: str) -> Book:
        return self._all.get(folder, Book())

    def save(self, folder: str, book: Book) -> None:
        """The folder used last stands last; the oldest ones are forgotten."""
        if book == self.book(folder):
            return
        others = {known: kept for known, kept in self._all.items() if known != folder}
        newest = list(others.items())[-(MOST_FOLDERS - 1) :]
        self._books = {**dict(newest), folder: book}
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            fresh = self._path.with_name(self._path.name + ".new")
            fresh.write_text(
                json.dumps(_to_json(self._books), ensure_ascii=False, indent=1), "utf-8"
            )
            os.replace(fresh, self._path)
        except (OSError, ValueError):
            log.warning("What was told could not be saved to %s", self._path, exc_info=True)

    @property
    def _all(self) -> dict[str, Book]:
        if self._books is None:
            self._books = self._load()
        return self._books

    def _load(self) -> dict[str, Book]:
        try:
            raw = json.loads(self._path.read_text("utf-8"))
        except FileNotFoundError:
            return {}
        except (OSError, ValueError, RecursionError):
            log.warning("What was told in %s cannot be read", self._path, exc_info=True)
            return {}
        folders = raw.get("folders") if isinstance(raw, dict) else None
        known = folders.items() if isinstance(folders, dict) else ()
        return {folder: _book(kept) for folder, kept in known if isinstance(kept, dict)}


def _to_json(books: Mapping[str, Book]) -> dict[str, object]:
    return {
        "folders": {
            folder: {"held": _shelf_to_json(book.held), "told": _shelf_to_json(book.told)}
            for folder, book in books.items()
        }
    }


def _shelf_to_json(shelf: Mapping[str, News]) -> dict[str, object]:
    return {
        topic: {"count": news.count, "names": list(news.names), "reason": news.reason}
        for topic, news in shelf.items()
    }


def _book(raw: dict[str, object]) -> Book:
    return Book(_shelf(raw.get("held")), _shelf(raw.get("told")))


def _shelf(raw: object) -> dict[str, News]:
    if not isinstance(raw, dict):
        return {}
    found = (_news(topic, kept) for topic, kept in raw.items() if isinstance(kept, dict))
    return {news.topic: news for news in found if news is not None}


def _news(topic: str, raw: dict[str, object]) -> News | None:
    count, names, reason = raw.get("count"), raw.get("names"), raw.get("reason")
    if type(count) is not int or count < 0:
        return None
    return News(
        topic,
        count,
        tuple(map(str, names)) if isinstance(names, list) else (),
        reason if isinstance(reason, str) else "",
    )
