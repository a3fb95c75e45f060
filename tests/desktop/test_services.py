"""The services on their own: opening, reading, settings, the sample, words."""

from __future__ import annotations

import stat
import time
from collections.abc import Iterator
from datetime import date
from pathlib import Path

import pytest
from fakes import FakeWorkspace, SyncReport, bakery
from pytestqt.qtbot import QtBot

from daybank.dates import Interval
from daybank.errors import Cancelled, DaybankError, IndexBusy, WorkspaceNotFound
from daybank.markdown.model import Role, Source
from daybank_desktop import phrases
from daybank_desktop.services.library import Library
from daybank_desktop.services.sample import copy_sample
from daybank_desktop.services.search import Search, without_phrase
from daybank_desktop.services.settings import DesktopSettings, SettingsStore
from daybank_desktop.tasks import Tasks


@pytest.fixture
def tasks(qtbot: QtBot) -> Iterator[Tasks]:
    tasks = Tasks()
    yield tasks
    assert tasks.shutdown()


def test_a_folder_that_cannot_be_opened_leaves_the_one_before(qtbot: QtBot, tasks: Tasks) -> None:
    first = bakery()

    def opener(path: Path) -> FakeWorkspace:
        if path.name == "gone":
            raise WorkspaceNotFound("There is no such folder.")
        return first

    library = Library(tasks, opener)  # type: ignore[arg-type]
    with qtbot.waitSignal(library.opened):
        library.open(Path("notes"))
    with qtbot.waitSignal(library.open_failed):
        library.open(Path("gone"))
    assert library.workspace is first
    assert not first.closed
    qtbot.waitUntil(lambda: tasks.is_idle)
    library.close()
    assert first.closed


def test_another_folder_lets_the_first_go(qtbot: QtBot, tasks: Tasks) -> None:
    folders = {"a": bakery(), "b": bakery()}
    folders["a"].sync_files, folders["a"].sync_takes = 500, 0.01
    library = Library(tasks, lambda path: folders[path.name])  # type: ignore[arg-type,return-value]
    with qtbot.waitSignal(library.opened):
        library.open(Path("a"))
    with qtbot.waitSignal(library.opened):
        library.open(Path("b"))
    qtbot.waitUntil(lambda: folders["a"].closed)
    qtbot.waitUntil(lambda: tasks.is_idle)
    assert library.workspace is folders["b"]
    assert not folders["b"].closed
    library.close()


def test_a_change_during_a_reading_makes_it_read_once_more(qtbot: QtBot, tasks: Tasks) -> None:
    workspace = bakery()
    workspace.sync_files, workspace.sync_takes = 5, 0.02
    library = Library(tasks, lambda path: workspace)  # type: ignore[arg-type,return-value]
    finished: list[SyncReport] = []
    library.sync_finished.connect(finished.append)
    with qtbot.waitSignal(library.opened):
        library.open(Path("notes"))
    for _ in range(5):
        library.sync()
    qtbot.waitUntil(lambda: tasks.is_idle)
    assert len(finished) == 3  # at the start, once more, and when it began to watch
    library.close()


def test_reading_can_be_stopped(qtbot: QtBot, tasks: Tasks) -> None:
    workspace = bakery()
    workspace.sync_files, workspace.sync_takes = 1000, 0.01
    library = Library(tasks, lambda path: workspace)  # type: ignore[arg-type,return-value]
    library.open(Path("notes"))
    with qtbot.waitSignal(library.sync_progress):
        pass
    with qtbot.waitSignal(library.sync_failed) as failed:
        library.cancel_sync()
    assert isinstance(failed.args[0], Cancelled)
    assert not library.is_syncing
    qtbot.waitUntil(lambda: tasks.is_idle)
    library.close()


def test_quitting_while_reading_is_quick(qtbot: QtBot) -> None:
    tasks = Tasks()
    workspace = bakery()
    workspace.sync_files, workspace.sync_takes = 10_000, 0.005
    library = Library(tasks, lambda path: workspace)  # type: ignore[arg-type,return-value]
    with qtbot.waitSignal(library.sync_started):
        library.open(Path("notes"))
    started = time.monotonic()
    library.stop()
    assert tasks.shutdown()
    library.close()
    assert time.monotonic() - started < 2
    assert workspace.closed


def test_a_newer_question_stops_the_one_under_way(qtbot: QtBot, tasks: Tasks) -> None:
    workspace = bakery()
    library = Library(tasks, lambda path: workspace)  # type: ignore[arg-type,return-value]
    search = Search(tasks, library)
    answers: list[str] = []
    search.answered.connect(lambda answer: answers.append(answer.question.text))
    failures: list[DaybankError] = []
    search.failed.connect(failures.append)
    library.open(Path("notes"))
    qtbot.waitUntil(lambda: answers == [""])
    workspace.recall_takes = 60
    search.set_text("fl")
    search.ask()
    qtbot.waitUntil(lambda: workspace.asked[-1] == "fl")
    workspace.recall_takes = 0
    search.set_text("flour")
    search.ask()
    qtbot.waitUntil(lambda: answers == ["", "flour"])
    qtbot.waitUntil(lambda: workspace.called_off == ["fl"])
    qtbot.waitUntil(lambda: tasks.is_idle)
    assert failures == []
    library.close()


def test_closing_stops_the_question_under_way(qtbot: QtBot) -> None:
    tasks = Tasks()
    workspace = bakery()
    library = Library(tasks, lambda path: workspace)  # type: ignore[arg-type,return-value]
    search = Search(tasks, library)
    with qtbot.waitSignal(search.answered):
        library.open(Path("notes"))
    workspace.recall_takes = 60
    search.set_text("flour")
    search.ask()
    qtbot.waitUntil(lambda: workspace.asked[-1] == "flour")
    started = time.monotonic()
    library.stop()
    assert tasks.shutdown()
    library.close()
    assert time.monotonic() - started < 2
    assert workspace.called_off == ["flour"]


@pytest.mark.parametrize(
    ("text", "phrase", "left"),
    [
        ("flour last week", "last week", "flour"),
        ("Last  Week flour", "last week", "flour"),
        ("what did @Mara say", "Mara", "what did say"),
        ("the @[Oven 2] costs", "Oven 2", "the costs"),
        ("Marathon", "Mara", "Marathon"),
        ("a+b (x)", "(x)", "a+b"),
        ("Лена звонила вчера", "вчера", "Лена звонила"),
        ("x", "", "x"),
    ],
)
def test_a_phrase_is_cut_out_whole(text: str, phrase: str, left: str) -> None:
    assert without_phrase(text, phrase) == left


def test_settings_come_back(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "desktop.json"
    SettingsStore(path).save(DesktopSettings(theme="dark", text_size=120).with_folder("/ñ"))
    value = SettingsStore(path).value
    assert (value.folder, value.recent, value.theme, value.text_size) == (
        "/ñ",
        ("/ñ",),
        "dark",
        120,
    )


@pytest.mark.parametrize("content", ["", "{", "[]", '{"text_size": 9000, "theme": 3}', "\x00"])
def test_senseless_settings_are_forgiven(tmp_path: Path, content: str) -> None:
    path = tmp_path / "desktop.json"
    path.write_text(content)
    assert SettingsStore(path).value == DesktopSettings()


def test_settings_that_cannot_be_saved_disturb_nobody(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    store = SettingsStore(tmp_path / "file" / "desktop.json")
    store.update(text_size=110)
    assert store.value.text_size == 110


def test_recent_folders_are_few_and_newest_first() -> None:
    value = DesktopSettings()
    for name in "abcdefgha":
        value = value.with_folder(name)
    assert value.recent == ("a", "h", "g", "f", "e", "d")


@pytest.fixture
def sample(tmp_path: Path) -> Path:
    source = tmp_path / "program" / "sample"
    (source / "memory").mkdir(parents=True)
    (source / "memory" / "2026-11-18.md").write_text("- one\n")
    (source / "memory.md").write_text("core\n")
    (source / "memory.md").chmod(stat.S_IREAD)
    (source / ".memory").mkdir()
    return source


def test_the_sample_is_copied_to_be_written_in(sample: Path, tmp_path: Path) -> None:
    made = copy_sample(sample, tmp_path / "Documents", "Daybank sample")
    assert made == tmp_path / "Documents" / "Daybank sample"
    (made / "memory.md").write_text("mine")
    assert not (made / ".memory").exists()
    assert [path.name for path in made.parent.iterdir()] == ["Daybank sample"]


def test_a_copy_made_before_is_opened_again_with_its_changes(sample: Path, tmp_path: Path) -> None:
    made = copy_sample(sample, tmp_path / "d", "S")
    (made / "memory.md").write_text("mine")
    assert copy_sample(sample, tmp_path / "d", "S") == made
    assert (made / "memory.md").read_text() == "mine"


def test_a_folder_of_the_same_name_is_left_alone(sample: Path, tmp_path: Path) -> None:
    other = tmp_path / "d" / "S"
    other.mkdir(parents=True)
    (other / "thesis.md").write_text("years of work")
    assert copy_sample(sample, tmp_path / "d", "S") == tmp_path / "d" / "S 2"
    assert [path.name for path in other.iterdir()] == ["thesis.md"]


def test_a_sample_that_cannot_be_copied_says_so(sample: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(DaybankError, match="Nothing was changed"):
        copy_sample(sample, tmp_path / "file", "S")


@pytest.mark.parametrize(
    ("start", "end", "words"),
    [
        (date(2026, 11, 16), date(2026, 11, 22), "16–22 Nov 2026"),
        (date(2026, 11, 18), date(2026, 11, 18), "Wed 18 Nov 2026"),
        (date(2026, 11, 28), date(2026, 12, 3), "28 Nov – 3 Dec 2026"),
        (date(2025, 12, 28), date(2026, 1, 3), "28 Dec 2025 – 3 Jan 2026"),
        (date(2026, 2, 1), date(2026, 2, 28), "Feb 2026"),
        (date(2026, 1, 1), date(2026, 12, 31), "2026"),
        (date(2025, 7, 1), None, "since 1 Jul 2025"),
        (None, date(2025, 7, 1), "until 1 Jul 2025"),
    ],
)
def test_times_in_words(start: date | None, end: date | None, words: str, qapp: object) -> None:
    assert phrases.interval(Interval(start, end)) == words


@pytest.mark.parametrize(
    ("path", "role", "day", "words"),
    [
        ("memory/2026-11-18.md", Role.LOG, date(2026, 11, 18), "Journal, 18 Nov 2026"),
        ("memory.md", Role.CORE, None, "Core"),
        ("bank/entities/Mara.md", Role.ENTITY, None, "Mara’s page"),
        ("bank/opinions.md", Role.BANK, None, "bank › opinions"),
        ("logs/chat.jsonl", Role.CHAT, date(2026, 1, 2), "Conversations, 2 Jan 2026"),
        ("a/b/c.d.md", Role.PAGE, None, "a › b › c.d"),
    ],
)
def test_places_in_words(path: str, role: Role, day: date | None, words: str, qapp: object) -> None:
    assert phrases.place(path, role, day) == words


def test_numbers_in_words(qapp: object) -> None:
    assert phrases.notes_found(1) == "1 note found"
    assert phrases.notes_found(4218) == "4,218 notes found"
    assert phrases.notes_found(1000, is_exact=False) == "More than 1,000 notes found"
    assert phrases.sure(0.74) == "74 % sure"
    assert phrases.lines(Source("a", 3, 5)) == "lines 3–5"


def test_a_folder_that_somebody_else_reads_is_tried_again(qtbot: QtBot, tasks: Tasks) -> None:
    workspace = bakery()
    workspace.sync_error = IndexBusy("Another Daybank is reading this folder.")
    library = Library(tasks, lambda path: workspace)  # type: ignore[arg-type,return-value]
    library._later.setInterval(20)
    with qtbot.waitSignal(library.sync_failed):
        library.open(Path("notes"))
    workspace.sync_error = None
    with qtbot.waitSignal(library.sync_finished):
        pass
    qtbot.waitUntil(lambda: tasks.is_idle)
    library.close()
