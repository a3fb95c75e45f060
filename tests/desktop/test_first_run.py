"""The first start."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from fakes import FakeWorkspace, FolderSummary, bakery
from pytestqt.qtbot import QtBot

from daybank.errors import DaybankError, WorkspaceNotFound, WorkspaceUnreadable
from daybank_desktop.dialogs.first_run import FirstRun, Folders
from daybank_desktop.services.library import Library
from daybank_desktop.tasks import Tasks
from daybank_desktop.theme import Theme


class Assistant:
    """The dialog with folders that only exist here."""

    def __init__(self, qtbot: QtBot) -> None:
        self.workspace: FakeWorkspace = bakery()
        self.summary: FolderSummary | DaybankError = FolderSummary(863, 1204)
        self.answer: Path | None = Path("/home/ines/Documents/Notes")
        self.created: list[Path] = []
        self.copied: list[Path] = []
        self.copy_error: DaybankError | None = None
        self.chosen: list[Path] = []
        self.tasks = Tasks()
        self.library = Library(self.tasks, self._open)  # type: ignore[arg-type]
        folders = Folders(
            documents=Path("/home/ines/Documents"),
            home=Path("/home/ines"),
            inspect=self._inspect,
            create=self._create,
            copy_sample=self._copy,
            sample_name="Daybank sample",
            ask=lambda title, start: self.answer,
        )
        self.open_error: DaybankError | None = None
        self.dialog = FirstRun(self.tasks, self.library, folders)
        self.dialog.chosen.connect(self.chosen.append)
        self.dialog.chosen.connect(self.library.open)
        qtbot.addWidget(self.dialog)
        self.dialog.show()

    def _open(self, path: Path) -> FakeWorkspace:
        if self.open_error is not None:
            raise self.open_error
        return self.workspace

    def _inspect(self, path: Path) -> FolderSummary:
        if isinstance(self.summary, DaybankError):
            raise self.summary
        return self.summary

    def _create(self, path: Path) -> Path:
        self.created.append(path)
        return path

    def _copy(self, parent: Path) -> Path:
        if self.copy_error is not None:
            raise self.copy_error
        self.copied.append(parent)
        return parent / "Daybank sample"


@pytest.fixture
def assistant(qtbot: QtBot, theme: Theme) -> Iterator[Assistant]:
    assistant = Assistant(qtbot)
    yield assistant
    assistant.library.stop()
    assert assistant.tasks.shutdown()
    assistant.library.close()


def test_a_folder_is_looked_into_and_opened(assistant: Assistant, qtbot: QtBot) -> None:
    dialog = assistant.dialog
    assert not dialog.next.isEnabled()
    dialog.choose_folder()
    qtbot.waitUntil(dialog.next.isEnabled)
    assert dialog.place.words == "Documents › Notes 863 days, 1,204 pages"
    dialog.next.click()
    assert dialog.step == 1
    assert assistant.chosen == []  # nothing is read before the second yes
    dialog.next.click()
    assert assistant.chosen == [Path("/home/ines/Documents/Notes")]
    assert dialog.step == 2
    qtbot.waitUntil(lambda: dialog.reading.text() == "All read.")
    with qtbot.waitSignal(dialog.accepted):
        dialog.next.click()


def test_searching_can_start_while_it_still_reads(assistant: Assistant, qtbot: QtBot) -> None:
    assistant.workspace.sync_files, assistant.workspace.sync_takes = 1204, 0.01
    dialog = assistant.dialog
    dialog.choose_folder()
    qtbot.waitUntil(dialog.next.isEnabled)
    dialog.next.click()
    dialog.next.click()
    qtbot.waitUntil(lambda: "of 1,204" in dialog.reading.text())
    assert dialog.next.text() == "Start searching now"
    with qtbot.waitSignal(dialog.accepted):
        dialog.next.click()
    assert assistant.library.is_syncing


@pytest.mark.parametrize(
    "error",
    [
        WorkspaceUnreadable("This folder cannot be read.", "You have no permission for <it>."),
        WorkspaceNotFound("This folder is not there.", "It may be on a drive."),
    ],
)
def test_a_folder_that_will_not_do_is_said_in_a_sentence(
    assistant: Assistant, qtbot: QtBot, error: DaybankError
) -> None:
    assistant.summary = error
    dialog = assistant.dialog
    dialog.choose_folder()
    qtbot.waitUntil(lambda: dialog.error.text != "")
    assert dialog.error.text == f"{error.title} {error.message}"
    assert not dialog.next.isEnabled()
    assistant.summary = FolderSummary(1, 1)
    dialog.choose_folder()
    qtbot.waitUntil(dialog.next.isEnabled)
    assert dialog.error.text == ""


def test_an_empty_folder_is_fine(assistant: Assistant, qtbot: QtBot) -> None:
    assistant.summary = FolderSummary(0, 0, is_empty=True)
    assistant.dialog.choose_folder()
    qtbot.waitUntil(assistant.dialog.next.isEnabled)
    assert assistant.dialog.place.words.endswith("No notes yet")


def test_changing_ones_mind_in_the_folder_dialog_changes_nothing(assistant: Assistant) -> None:
    assistant.answer = None
    assistant.dialog.choose_folder()
    assert not assistant.dialog.next.isEnabled()
    assert assistant.dialog.place.words == "No folder chosen yet"


def test_a_new_folder_is_made_only_at_the_end(assistant: Assistant, qtbot: QtBot) -> None:
    dialog = assistant.dialog
    dialog.new_card.setChecked(True)
    dialog.next.click()
    assert assistant.created == []
    dialog.next.click()
    qtbot.waitUntil(lambda: bool(assistant.chosen))
    assert assistant.created == assistant.chosen == [Path("/home/ines/Documents/Daybank")]


def test_the_sample_is_copied_where_it_can_be_seen(assistant: Assistant, qtbot: QtBot) -> None:
    dialog = assistant.dialog
    dialog.sample_card.setChecked(True)
    assert dialog.sample_place.words.startswith("Documents › Daybank sample")
    dialog.next.click()
    dialog.next.click()
    qtbot.waitUntil(lambda: bool(assistant.chosen))
    assert assistant.chosen == [Path("/home/ines/Documents/Daybank sample")]


def test_a_copy_that_fails_comes_back_to_the_choice(assistant: Assistant, qtbot: QtBot) -> None:
    assistant.copy_error = DaybankError("The sample cannot be copied.", "The disk is full.")
    dialog = assistant.dialog
    dialog.sample_card.setChecked(True)
    dialog.next.click()
    dialog.next.click()
    qtbot.waitUntil(lambda: dialog.step == 0)
    assert dialog.error.text == "The sample cannot be copied. The disk is full."
    assert dialog.next.isEnabled()


def test_a_folder_that_goes_away_meanwhile(assistant: Assistant, qtbot: QtBot) -> None:
    assistant.open_error = WorkspaceNotFound("There is no such folder.", "Nothing was changed.")
    dialog = assistant.dialog
    dialog.choose_folder()
    qtbot.waitUntil(dialog.next.isEnabled)
    dialog.next.click()
    dialog.next.click()
    qtbot.waitUntil(lambda: dialog.step == 0)
    assert "no such folder" in dialog.error.text


def test_not_now_leaves_everything_as_it_was(assistant: Assistant, qtbot: QtBot) -> None:
    with qtbot.waitSignal(assistant.dialog.rejected):
        assistant.dialog.reject()
    assert assistant.chosen == []
    assert assistant.created == assistant.copied == []


def test_it_fits_at_twice_the_text_size(assistant: Assistant, theme: Theme, qtbot: QtBot) -> None:
    theme.set_text_size(200)
    qtbot.wait(20)
    assert assistant.dialog.next.isVisible()
    assert assistant.dialog.rect().contains(
        assistant.dialog.next.mapTo(assistant.dialog, assistant.dialog.next.rect().center())
    )
    theme.set_text_size(100)
