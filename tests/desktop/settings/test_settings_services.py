"""The services behind the settings: what is shared with the command line, and where things are."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from pathlib import Path

import pytest
from settings_tools import Desk, Notes

from daybank.errors import Cancelled
from daybank.settings import Settings, load_settings, save_settings
from daybank_desktop.services.places import folder_size
from daybank_desktop.services.shared_settings import SharedSettings
from daybank_desktop.tasks import Tasks

MakeDesk = Callable[..., Desk]


def test_a_change_is_saved_over_what_another_program_wrote(make_desk: MakeDesk) -> None:
    desk = make_desk()
    shared = desk.services.shared
    assert shared.value == Settings()
    save_settings(Settings(workspace="/notes", model="many-languages"), shared.path)

    shared.update(commit=True)
    desk.settle()

    assert load_settings(shared.path) == Settings("/notes", model="many-languages", commit=True)


def test_changes_in_quick_succession_are_all_saved(make_desk: MakeDesk) -> None:
    desk = make_desk()
    shared = desk.services.shared
    saved: list[int] = []

    for number in range(20):
        shared.update(lambda number=number: saved.append(number), model=f"m{number}")
        shared.update(commit=number % 2 == 0)
    desk.settle()

    stored = load_settings(shared.path)
    assert (stored.model, stored.commit) == ("m19", False)
    assert sorted(saved) == list(range(20))


def test_what_the_command_line_changed_is_seen(make_desk: MakeDesk) -> None:
    desk = make_desk()
    shared = desk.services.shared
    told: list[Settings] = []
    shared.changed.connect(told.append)
    assert shared.value.model is None
    save_settings(Settings(model="small"), shared.path)

    shared.refresh()
    desk.settle()

    assert [value.model for value in told] == ["small"]


def test_a_read_under_way_does_not_bring_the_old_value_back(theme: object, tmp_path: Path) -> None:
    tasks = Tasks(inline=True)
    shared = SharedSettings(tasks, tmp_path / "settings.json")
    told: list[bool] = []
    shared.changed.connect(lambda value: told.append(value.commit))

    shared.update(commit=True)
    shared.refresh()

    assert told == [True]


def test_a_size_is_that_of_all_files_below(tmp_path: Path) -> None:
    (tmp_path / "a" / "b").mkdir(parents=True)
    (tmp_path / "one.md").write_bytes(b"12345")
    (tmp_path / "a" / "b" / "two.md").write_bytes(b"123")
    (tmp_path / "a" / "own").mkdir()
    (tmp_path / "a" / "own" / "three").write_bytes(b"1" * 100)

    assert folder_size(tmp_path) == 108
    assert folder_size(tmp_path, {tmp_path / "a" / "own"}) == 8


@pytest.mark.skipif(os.name == "nt", reason="links need a right there")
def test_a_size_does_not_go_round_in_circles(tmp_path: Path) -> None:
    (tmp_path / "one.md").write_bytes(b"12345")
    (tmp_path / "round").symlink_to(tmp_path)

    assert folder_size(tmp_path) < 5_000


def test_measuring_stops_when_it_is_told_to(tmp_path: Path) -> None:
    (tmp_path / "one.md").write_bytes(b"12345")
    cancel = threading.Event()
    cancel.set()

    with pytest.raises(Cancelled):
        folder_size(tmp_path, cancel=cancel)


def test_without_a_folder_only_our_own_places_are_known(make_desk: MakeDesk) -> None:
    desk = make_desk()

    assert [place.id for place in desk.services.places.known] == ["models", "settings", "logs"]


def test_nothing_of_the_folder_is_touched_on_the_gui_thread(
    make_desk: MakeDesk, notes: Notes
) -> None:
    desk = make_desk()
    desk.open()

    for command in desk.page.commands():
        desk.go(command.topic)

    assert "MainThread" not in notes.threads
