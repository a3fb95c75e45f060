"""Reading, moving and exporting opinions, over the real library where the files matter."""

from __future__ import annotations

import csv
import io
import os
import stat
import sys
import time
from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from opinions_tools import TODAY, VOICE, many_opinions, opinion, step
from PySide6.QtGui import QImage
from pytestqt.qtbot import QtBot

from daybank import Workspace, open_workspace
from daybank.errors import DaybankError
from daybank.markdown.model import Source
from daybank_desktop.pages.opinions_page import OpinionsPage
from daybank_desktop.services.library import Library
from daybank_desktop.services.opinions import (
    FileNotSaved,
    Opinions,
    csv_of,
    percent_of,
    rows_of,
    source_of,
    write_file,
)
from daybank_desktop.tasks import Tasks
from daybank_desktop.theme import Theme


class Noon:
    """A clock that stands."""

    def now(self) -> datetime:
        return datetime(2026, 11, 28, 12, tzinfo=UTC)

    def today(self) -> date:
        return TODAY


def test_a_change_is_told_against_what_was_sixty_days_ago() -> None:
    (row,) = rows_of([opinion()], TODAY)
    assert (row.percent, row.change, row.since) == (81, 6, date(2026, 9, 29))
    young = opinion(steps=(step(date(2026, 11, 1), 0.6), step(TODAY, 0.5, -0.1, "contradicts")))
    (row,) = rows_of([young], TODAY)
    assert (row.percent, row.change, row.since) == (50, -10, None)


@given(st.integers(0, 1000))
def test_percent_is_rounded_as_the_page_rounds(thousandths: int) -> None:
    value = thousandths / 1000
    assert percent_of(value) == round(round(value + 1e-9, 2) * 100)


@pytest.mark.parametrize(
    ("place", "expected"),
    [
        ("memory/2026-03-12.md#L10", Source("memory/2026-03-12.md", 10, 10)),
        ("memory/a b.md#L10-L12", Source("memory/a b.md", 10, 12)),
        ("memory/a#b.md#L3-4", Source("memory/a#b.md", 3, 4)),
        ("by hand", None),
        ("memory/2026.md", None),
        (None, None),
    ],
)
def test_a_citation_is_a_place(place: str | None, expected: Source | None) -> None:
    assert source_of(place) == expected


def test_the_table_has_every_step_with_words_letter_for_letter() -> None:
    odd = '=1+1, "quoted"\nand Лена <b>'
    steps = (*VOICE[:2], step(date(2026, 5, 1), 0.75, 0.02, "supports", odd))
    data = csv_of(opinion(steps=steps)).decode("utf-8-sig")
    rows = list(csv.DictReader(io.StringIO(data, newline="")))
    assert [row["day"] for row in rows] == ["2026-03-12", "2026-04-02", "2026-05-01"]
    assert [row["percent"] for row in rows] == ["70", "73", "75"]
    assert [row["change"] for row in rows] == ["0", "3", "2"]
    assert rows[2]["note"] == odd
    assert rows[0]["source"] == "memory/2026-03-12.md#L12"


def test_a_file_is_written_whole_or_not_at_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = tmp_path / "chart.csv"
    write_file(target, b"before")

    def full(fd: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(FileNotSaved) as failed:
        write_file(target, b"after")
    assert target.read_bytes() == b"before"
    assert [path.name for path in tmp_path.iterdir()] == ["chart.csv"]
    assert failed.value.title == "“chart.csv” could not be saved."
    assert "No space left on device" in failed.value.message


@pytest.mark.skipif(sys.platform == "win32", reason="modes are for POSIX")
def test_a_saved_file_has_the_usual_rights(tmp_path: Path) -> None:
    write_file(tmp_path / "a.csv", b"x")
    (tmp_path / "b.csv").write_bytes(b"x")
    modes = {stat.S_IMODE(path.stat().st_mode) for path in tmp_path.iterdir()}
    assert len(modes) == 1


class Shop:
    """The page over a real folder."""

    def __init__(self, qtbot: QtBot, folder: Path) -> None:
        self.qtbot = qtbot
        self.tasks = Tasks()
        self.bugs: list[object] = []
        self.tasks.bug.connect(self.bugs.append)
        self.library = Library(self.tasks, self._open)
        self.opinions = Opinions(self.tasks, self.library, TODAY)
        self.page = OpinionsPage(self.tasks, self.library, self.opinions, TODAY)
        qtbot.addWidget(self.page)
        self.page.resize(1154, 652)
        self.page.show()
        self.library.open(folder)
        self.settle()

    def _open(self, path: Path) -> Workspace:
        return open_workspace(path, clock=Noon())

    def settle(self) -> None:
        self.qtbot.waitUntil(
            lambda: self.tasks.is_idle and not self.library.is_syncing, timeout=20_000
        )

    def close(self) -> None:
        self.library.stop()
        assert self.tasks.shutdown()
        self.library.close()
        assert not self.bugs


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "memory").mkdir()
    (tmp_path / "bank").mkdir()
    return tmp_path


@pytest.fixture
def shop(qtbot: QtBot, theme: Theme, folder: Path) -> Iterator[Shop]:
    lines = ["# Opinions", "", "- O(c=0.70) @Mara: Prefers a short voice message"]
    days = [date(2026, 3, 27) + timedelta(days=n) for n in range(5)]
    days += [date(2026, 10, 24) + timedelta(days=n) for n in range(3)]
    for number, day in enumerate(days):
        note = f"Answered the voice message number {number} at once."
        path = folder / f"memory/{day}.md"
        path.write_text(f"# {day}\n\n## Retain\n- B @Mara: {note}\n", "utf-8")
        key, value = ("start", " 0.70") if number == 0 else ("supports", "")
        lines.append(f"  - {key}: {day}{value} memory/{day}.md#L4")
    (folder / "bank/opinions.md").write_text("\n".join(lines) + "\n", "utf-8")
    shop = Shop(qtbot, folder)
    yield shop
    shop.close()


@pytest.fixture
def _berlin(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("TZ", "Europe/Berlin")
    time.tzset()
    yield
    monkeypatch.undo()
    time.tzset()


@pytest.mark.skipif(not hasattr(time, "tzset"), reason="the zone of the process cannot be set")
@pytest.mark.usefixtures("_berlin")
def test_where_the_clocks_change_each_point_has_the_day_of_its_file(shop: Shop) -> None:
    detail = shop.page.detail
    assert len(detail.points) == 8
    for number, point in enumerate(detail.points):
        detail.chart.set_current(number)
        opinion = shop.page.model.all_rows[0].opinion
        day = date.fromordinal(point.day or 0)
        assert str(day) in (opinion.steps[number].source or "")
        assert f"{day.day} {day:%b} 2026" in detail.readout.text
        assert detail.readout.text.count("2026") == 1


def test_i_agree_is_written_into_the_page_and_taken_back(shop: Shop, folder: Path) -> None:
    page = folder / "bank/opinions.md"
    before = page.read_text("utf-8")
    toasts: list[tuple[str, str, object]] = []
    shop.page.toast_requested.connect(lambda *toast: toasts.append(toast))
    was = shop.page.model.all_rows[0].percent
    shop.page.detail.agree.click()
    shop.settle()
    assert "supports: 2026-11-28 by hand" in page.read_text("utf-8")
    assert shop.page.model.all_rows[0].percent > was
    text, action, undo = toasts[0]
    assert (text, action) == ("Saved in Opinions: you agree", "Undo")
    undo()  # type: ignore[operator]
    shop.settle()
    assert page.read_text("utf-8") == before
    assert shop.page.model.all_rows[0].percent == was


def test_no_longer_true_folds_it_away_and_back(shop: Shop, folder: Path) -> None:
    toasts: list[tuple[str, str, object]] = []
    shop.page.toast_requested.connect(lambda *toast: toasts.append(toast))
    shop.page.detail.no_longer.click()
    shop.settle()
    (row,) = shop.page.model.all_rows
    assert row.is_over
    assert shop.page.detail.notice.text == "This is no longer true."
    assert not shop.page.detail.agree.isEnabled()
    toasts[0][2]()  # type: ignore[operator]
    shop.settle()
    assert not shop.page.model.all_rows[0].is_over
    assert shop.page.detail.agree.isEnabled()


def test_a_thousand_opinions_are_made_ready_off_the_gui_thread() -> None:
    opinions = many_opinions(1000)
    began = time.perf_counter()
    assert len(rows_of(opinions, TODAY)) == 1000
    assert time.perf_counter() - began < 0.5


def test_an_error_of_the_disk_is_a_sentence(shop: Shop, qtbot: QtBot, tmp_path: Path) -> None:
    picture = QImage(4, 4, QImage.Format.Format_RGB32)
    with qtbot.waitSignal(shop.opinions.save_failed) as failed:
        shop.opinions.save_picture(tmp_path / "missing" / "a.png", picture)
    error = failed.args[0]
    assert isinstance(error, DaybankError)
    assert shop.page.detail.notice.text.startswith("“a.png” could not be saved. No such file")
