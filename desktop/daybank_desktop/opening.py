"""Opening a folder of notes as this program does: with the model that was chosen, leaving one
processor to the window. And what the assistant of the first start needs to know of folders.

Nothing here touches the library before a worker asks for it: its import is most of a start's time.
"""

from __future__ import annotations

import logging
import os
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QStandardPaths

from daybank.clock import Clock
from daybank.errors import LanguageModelError
from daybank.settings import load_settings
from daybank_desktop.dialogs.first_run import Folders
from daybank_desktop.resources import resource_path
from daybank_desktop.services.sample import copy_sample

if TYPE_CHECKING:
    from daybank import FolderSummary, Workspace
    from daybank.embedding.vectors import Chosen, Embedder, Space
    from daybank.reflect.wording import LanguageModel
    from daybank.settings import Settings

log = logging.getLogger(__name__)

SAMPLE_NAME = "Daybank sample"


def open_chosen(path: Path, settings_file: Path, clock: Clock) -> Workspace:
    """On a worker. ``settings_file`` is read now, and again whenever a model is loaded."""
    from daybank import open_workspace
    from daybank.library import keep_index_outside

    settings = load_settings(settings_file)
    outside = None
    if settings.index_outside:
        outside = keep_index_outside(path)
    return open_workspace(
        path,
        clock=clock,
        index_dir=outside,
        choose_embedder=lambda: _quiet_embedder(load_settings(settings_file)),
        earlier_embedder=lambda space: _earlier_embedder(load_settings(settings_file), space),
        language_model=lambda: _quiet_language_model(load_settings(settings_file)),
        commit=settings.commit,
    )


def assistant_folders() -> Folders:
    """What the assistant of the first start works with."""
    documents = QStandardPaths.writableLocation(QStandardPaths.StandardLocation.DocumentsLocation)
    return Folders(
        documents=Path(documents) if documents else Path.home(),
        home=Path.home(),
        inspect=_inspect,
        create=_create,
        copy_sample=lambda parent: copy_sample(
            resource_path("sample_workspace"), parent, SAMPLE_NAME
        ),
        sample_name=SAMPLE_NAME,
    )


def fresh_sample(cache: Path) -> Path:
    """The sample as it was delivered, in a folder of its own that may be thrown away."""
    import shutil

    shutil.rmtree(cache, ignore_errors=True)
    return copy_sample(resource_path("sample_workspace"), cache, SAMPLE_NAME)


def _quiet_language_model(settings: Settings) -> LanguageModel | None:
    """The language model the person chose to help a reflection; without it one goes on as well."""
    from daybank.reflect.wording import chosen_model

    try:
        return chosen_model(settings)
    except LanguageModelError as error:
        log.warning("The language model is not used: %s", error)
        return None


def _quiet_embedder(settings: Settings) -> Chosen:
    """The chosen model, on all processors but one: that one is the window's."""
    from daybank.embedding.embedder import embedder_from_settings

    return embedder_from_settings(settings, threads=_all_but_one())


def _earlier_embedder(settings: Settings, space: Space) -> Embedder | None:
    """The model that notes were prepared with before another was chosen."""
    from daybank.embedding.embedder import earlier_embedder

    return earlier_embedder(settings, space, threads=_all_but_one())


def _all_but_one() -> int:
    return max(1, (os.cpu_count() or 2) - 1)


def _inspect(path: Path) -> FolderSummary:
    from daybank import inspect_folder

    return inspect_folder(path)


def _create(path: Path) -> Path:
    from daybank import create_workspace

    return create_workspace(path)
